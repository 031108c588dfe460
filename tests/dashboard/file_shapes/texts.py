"""The texts that go into every shape, and how plain files, records and tables are written."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

SAMPLE = Path(__file__).parents[3] / "sample_data"
N = 24

Files = dict[str, bytes]


def lines_of(name: str) -> list[str]:
    """N lines of a file of the sample."""
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()[60 : 60 + N]


SOURCE, REFERENCE, A, B, C = map(lines_of, ("source", "reference-A", "online", "neural-40k", "neural-20k"))
SYSTEMS = {"a": A, "b": B}
ALL = {**SYSTEMS, "ref": REFERENCE}
SHUFFLED = sorted(range(N), key=lambda number: number * 7 % N)


def plain(texts: Iterable[str]) -> bytes:
    """One text a line."""
    return ("\n".join(texts) + "\n").encode()


def rows_of(records: Iterable[object]) -> bytes:
    """JSON Lines."""
    return ("\n".join(json.dumps(one, ensure_ascii=False) for one in records) + "\n").encode()


def whole(value: object) -> bytes:
    """One JSON document."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def table(rows: Iterable[Sequence[object]], delimiter: str = ",") -> bytes:
    """CSV."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n", delimiter=delimiter).writerows(rows)
    return written.getvalue().encode()


def records_table(records: Sequence[Mapping[str, object]], delimiter: str = ",") -> bytes:
    """CSV of records with the same names."""
    return table([[*records[0]], *([*one.values()] for one in records)], delimiter)


def of_systems(write: Callable[[Sequence[str], str], bytes], ending: str, *, is_folder: bool = False) -> Files:
    """A file for each system, beside a plain reference."""
    files = {
        f"{name}/out{ending}" if is_folder else f"{name}{ending}": write(texts, name) for name, texts in SYSTEMS.items()
    }
    return {**files, "ref.txt": plain(REFERENCE)}


def of_all(write: Callable[[Sequence[str]], bytes], ending: str) -> Files:
    """A file for each system and one for the reference, all in one format."""
    return {f"{name}{ending}": write(texts) for name, texts in ALL.items()}


def in_folders(write: Callable[[Sequence[str], str], bytes], name: str) -> Files:
    """A file of one name in a folder for each system, which holds the references too."""
    return {f"{system}/{name}": write(texts, system) for system, texts in SYSTEMS.items()}


def escaped(text: str) -> str:
    """For XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
