"""The tables of *Calibration* and *Speed* anew, as CSV, and which of their cells moved: ``make paper``.

The programs of ``make calibration`` and ``make benchmark`` measure. This one runs them with the settings of each table,
takes its cells from what they print, and compares them with the tables in ``docs/mathematics/figures``. Everything
else that they print becomes CSV as well. Texts come from sacreBLEU, which checks their MD5, or from a folder.
"""

import argparse
import csv
import hashlib
import math
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

PROGRAMS = Path(__file__).parent
ROOT = PROGRAMS.parents[1]
PAGES, KEPT = ROOT / "docs" / "mathematics", ROOT / "docs" / "mathematics" / "figures"
EN_DE, FR_DE, EN_DE_23 = "wmt22-en-de", "wmt22-fr-de", "wmt23-en-de"
SOURCES = {EN_DE: ("wmt22", "en-de"), FR_DE: ("wmt22", "fr-de"), EN_DE_23: ("wmt23", "en-de")}
"""Names of folders with texts: the test set of sacreBLEU that each is, and its language pair."""
PACKAGES = ("bleuscope", "numpy", "scipy", "sacrebleu", "bleuscore")
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
STANDARD_ERRORS = 3
"""So far apart, a cell has moved: a tenth of all tables would have one such cell by chance with two."""
Cells = list[list[str]]


@dataclass(frozen=True)
class Printed:
    """A table that a program printed.

    Attributes:
        title: The line above it.
        head: Of its columns; of two with the same name the first counts.
        rows: Its cells.
    """

    title: str
    head: list[str]
    rows: Cells

    def cell(self, column: str, **keys: str) -> str:
        """The cell of a column in the row with these cells; underscores stand for spaces.

        Raises:
            LookupError: There is none.
        """
        wanted = {key.replace("_", " "): value for key, value in keys.items()}
        for row in self.rows:
            cells = dict(zip(reversed(self.head), reversed(row), strict=True))
            if all(cells.get(key) == value for key, value in wanted.items()) and column in cells:
                return cells[column]
        raise LookupError(f"{self.title}: no {column} where {wanted}")


def printed_tables(text: str) -> list[Printed]:
    """The Markdown tables of a text, with the last line above each."""
    found, title, table = list[Printed](), "", Cells()
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            table.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        if len(table) > 1:
            found.append(Printed(title, table[0], table[2:]))
        table, title = Cells(), line.strip() or title
    return found


@dataclass
class Runs:
    """Runs the programs, each once with the same arguments, and keeps what they print.

    Attributes:
        folder: With folders of texts.
        out: Where CSV is written.
        is_quick: Whether few draws are enough.
        done: What was printed, by command.
    """

    folder: Path
    out: Path
    is_quick: bool = False
    done: dict[tuple[str, ...], list[Printed]] = field(default_factory=dict)

    def __call__(self, program: str, *arguments: str, texts: str = "", quick: Sequence[str] = ()) -> list[Printed]:
        """The tables that a program prints.

        Args:
            program: Its name.
            arguments: Of the whole run.
            texts: The folder that it takes; "" for made text.
            quick: What a quick run has instead.

        Raises:
            LookupError: The texts are missing.
        """
        place = [] if not texts else [str(self._texts(texts))]
        if program.startswith("benchmark"):
            place = ["--data", *place]
        command = (program, *place, *(quick if self.is_quick else arguments))
        if command not in self.done:
            ended = subprocess.run(  # our own programs
                [sys.executable, str(PROGRAMS / f"{program}.py"), *command[1:]],
                capture_output=True,
                text=True,
                check=False,
            )
            self.done[command] = printed_tables(ended.stdout)
            if not self.done[command]:
                raise LookupError(f"{program} printed no table: {ended.stderr.strip()[-300:]}")
            for number, table in enumerate(self.done[command], 1):
                name = f"{len(self.done):02}-{program}-{number:02}"
                write_csv(
                    self.out / "printed" / f"{name}.csv",
                    [["title", *table.head], *([table.title, *row] for row in table.rows)],
                )
        return self.done[command]

    def _texts(self, name: str) -> Path:
        if not (self.folder / name / "reference.A.txt").is_file():
            raise LookupError(f"there are no texts in {self.folder / name}")
        return self.folder / name


def of_title(tables: Sequence[Printed], start: str) -> Printed:
    """The first table of such a title.

    Raises:
        LookupError: There is none.
    """
    for table in tables:
        if table.title.startswith(start):
            return table
    raise LookupError(f"no table is called {start!r}")


def error_rates(run: Runs) -> Cells:
    """Table *Error rates*."""
    tables = run(
        "calibration",
        texts=EN_DE,
        quick=("--comparisons", "4", "--segments", "100", "--documents", "12", "--families", "3"),
    )
    table = of_title(tables, "No difference: ")
    tests = ("approximate-randomisation", "paired-bootstrap", "block-t", "sacrebleu-bs")
    return [[one, *(table.cell(level, test=one) for level in ("p < 0.05", "p < 0.01"))] for one in tests]


def documents(run: Runs) -> Cells:
    """Table *Documents*."""
    rows = Cells()
    shown = ((EN_DE, "WMT22 English-German", (6, 12, 150)), (FR_DE, "WMT22 French-German", (6,)))
    for texts, title, sizes in (*shown, (EN_DE_23, "WMT23 English-German", (6, 12))):
        settings = ("--parts", "pairs", "--documents", *map(str, sizes))
        try:
            (table, *_) = run(
                "calibration_units", *settings, "--seed", "24", texts=texts, quick=(*settings, "--draws", "20")
            )
        except LookupError as error:
            print(f"Left out: {title}, as {error}", flush=True)
            continue
        for size in map(str, sizes):
            columns = ("p < .05", "true difference", "score")
            rows.append([title, size, *(table.cell(one, documents=size) for one in columns)])
    return rows


def best_of_versions(run: Runs) -> Cells:
    """Table *The best of n versions*."""
    rows = Cells()
    for size, histories, numbers in ((20, 600, ("10", "25")), (40, 400, ("50",)), (150, 600, ("25",))):
        settings = ("--documents", str(size), "--versions", *numbers)
        tables = run(
            "calibration_history",
            *(*settings, "--histories", str(histories)),
            texts=EN_DE,
            quick=(*settings, "--histories", "5", "--nights", "20"),
        )
        table = of_title(tables, "The best of n versions")
        for n in numbers:
            columns = ("best score", "corrected", "interval", "corrected interval")
            rows.append([str(size), n, *(table.cell(one, kept="0 %", n=n, spread="0") for one in columns)])
    return rows


def two_recipes(run: Runs) -> Cells:
    """Table *Runs of recipes*."""
    rows = Cells()
    tables = runs_of_recipes(run)
    for kind, size, title in (
        ("segments", "500", "500 segments"),
        ("segments", "2,000", "2,000 segments"),
        ("documents", "12", "12 documents"),
    ):
        table = next(one for one in tables if kind in one.head)
        columns = ("s.d. by segments", "single runs as systems", "recipes, p < .05", "difference", "mean")
        deviation, *shares = (table.cell(one, **{kind: size, "s.d. of runs": "0.7", "runs": "3"}) for one in columns)
        rows.append([title, deviation, "0.7", "3", *shares])
    return rows


def families_of_recipes(run: Runs) -> Cells:
    """Table *Families* of recipes."""
    table = next(one for one in runs_of_recipes(run) if "any star" in one.head and "noisy" in one.head)
    columns = ("pairs, p < .05", "any star", "difference", "mean")
    return [
        [recipes, runs, *(table.cell(one, recipes=recipes, runs=runs, noisy="no") for one in columns)]
        for recipes in ("5", "10")
        for runs in ("2", "5")
    ]


def runs_of_recipes(run: Runs) -> list[Printed]:
    """What the program for runs prints, of made text: no other lets runs vary by 0.7 points."""
    few = ("--segments", "500", "2000", "--documents", "12", "--draws", "2")
    few += ("--families", "1", "--histories", "1", "--campaigns", "1")
    return run("runs", quick=few)


def speed(run: Runs) -> Cells:
    """The first table of *Speed*."""
    few, rows = ("--segments", "50", "--repeats", "1"), Cells()
    jobs = (
        ("benchmark_scores", "13a: corpus BLEU", "corpus BLEU", ("sacreBLEU", "bleuscore (Rust)")),
        ("benchmark_scores", "13a: corpus and segment BLEU", "corpus and segment BLEU", ("sacreBLEU",)),
        (
            "benchmark_resampling",
            "corpus and segment BLEU, intervals, paired",
            "the same, intervals, paired bootstrap (1,000 resamples)",
            ("sacreBLEU",),
        ),
        (
            "benchmark_resampling",
            "corpus and segment BLEU, approximate",
            "the same, approximate randomisation (10,000 trials)",
            ("sacreBLEU",),
        ),
        ("benchmark_chrf", "corpus chrF2++", "chrF2++, corpus", ("sacreBLEU",)),
        ("benchmark_chrf", "corpus and segment chrF2++", "chrF2++, corpus and segments", ("sacreBLEU",)),
    )
    called = {"sacreBLEU": "sacreBLEU 2.6", "bleuscore (Rust)": "bleuscore 0.2 (Rust)"}
    for program, title, job, tools in jobs:
        table = of_title(run(program, texts=EN_DE, quick=few), title)
        own = table.cell("CPU median", tool="bleucore")
        rows += [[job, f"{own} s", called[tool], ratio(table.cell("of median CPU", tool=tool))] for tool in tools]
    return rows


def tokenizers(run: Runs) -> Cells:
    """The second table of *Speed*."""
    tables = run("benchmark_scores", texts=EN_DE, quick=("--segments", "50", "--repeats", "1"))
    texts = {"intl": "German", "char": "Chinese", "zh": "Chinese", "ja-mecab": "Japanese", "ko-mecab": "Korean"}
    return [
        [f"`{name}`", script, *(range_of(of_title(tables, f"{name}: {job}")) for job in ("corpus BLEU", "corpus and"))]
        for name, script in texts.items()
    ]


def range_of(table: Printed) -> str:
    """Both ratios of CPU, the smaller one first."""
    columns = ("ratio of least CPU", "of median CPU")
    return " to ".join(map(ratio, sorted((table.cell(one, tool="sacreBLEU") for one in columns), key=float)))


def ratio(cell: str) -> str:
    """With two digits, or all before the point."""
    return f"{float(cell):.0f}" if float(cell) >= 10 else f"{float(cell):.1f}"


@dataclass(frozen=True)
class Table:
    """A table of the documentation.

    Attributes:
        page: Its page.
        head: Its columns.
        cells: Makes them.
        error: The standard error of cells that say none.
        errors: That of some columns.
        spread: The share by which a cell varies from run to run.
        n_keys: How many columns name a row.
    """

    page: str
    head: tuple[str, ...]
    cells: Callable[[Runs], Cells]
    error: float = 0.0
    errors: Mapping[str, float] = field(default_factory=dict)
    spread: float = 0.0
    n_keys: int = 1


TABLES: Mapping[str, Table] = {
    "error-rates": Table("calibration", ("test", "p < 0.05", "p < 0.01"), error_rates),
    "documents": Table(
        "calibration",
        ("texts", "documents", "p < .05", "true difference in interval", "score in interval"),
        documents,
        error=0.6,
        n_keys=2,
    ),
    "best-of-versions": Table(
        "calibration",
        ("documents", "n", "best score", "corrected", "interval", "corrected interval"),
        best_of_versions,
        error=1.5,
        errors={"best score": 0.02},
        n_keys=2,
    ),
    "two-recipes": Table(
        "calibration",
        (
            *("units", "s.d. by segments", "s.d. of runs", "runs", "single runs as systems", "recipes, p < .05"),
            *("difference in interval", "mean in interval"),
        ),
        two_recipes,
        error=0.03,
    ),
    "families-of-recipes": Table(
        "calibration",
        ("recipes", "runs", "equal pairs, p < .05", "any star", "difference in interval", "mean in interval"),
        families_of_recipes,
        error=1.4,
        n_keys=2,
    ),
    "speed": Table("speed", ("job", "bleucore", "other tool", "ratio"), speed, spread=0.25, n_keys=3),
    "tokenizers": Table("speed", ("tokenizer", "texts", "corpus", "with segments"), tokenizers, spread=0.25, n_keys=2),
}
"""By the name of its CSV."""


def moved(table: Table, before: Cells, now: Cells) -> Iterator[str]:
    """A sentence for each cell that moved beyond its spread, or is in one of the two alone."""
    old, new = ({tuple(row[: table.n_keys]): row for row in rows} for rows in (before, now))
    for key in dict.fromkeys((*old, *new)):
        if key not in old or key not in new:
            yield f"{', '.join(key)}: only in the {'new' if key in new else 'old'} table"
            continue
        for column, was, is_now in list(zip(table.head, old[key], new[key], strict=True))[table.n_keys :]:
            if not is_near(was, is_now, table.errors.get(column, table.error), table.spread):
                yield f"{', '.join(key)}, {column}: {was} → {is_now}"


def is_near(was: str, is_now: str, error: float, spread: float) -> bool:
    """Whether two cells differ by no more than their standard errors, or this one, and this share allow."""
    numbers = [
        [float(one) for one in NUMBER.findall(cell.replace("−", "-").replace(",", ""))] for cell in (was, is_now)
    ]
    if not all(numbers):
        return was == is_now
    if " to " in was:
        old, new = (sum(of) / len(of) for of in numbers)
        errors = [0.0, 0.0]
    else:
        (old, *_), (new, *_) = numbers
        errors = [
            max(of[1], error) if " ± " in cell else error for of, cell in zip(numbers, (was, is_now), strict=True)
        ]
    return abs(new - old) <= STANDARD_ERRORS * math.hypot(*errors) + spread * abs(old) + 1e-9


def read_csv(path: Path) -> Cells:
    """The rows of a table, its head first."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def write_csv(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Write rows, the head first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def machine() -> Cells:
    """What it was measured on, and when."""
    cpu = re.search(r"model name\s*: (.*)", read_text(Path("/proc/cpuinfo")))
    return [
        ["what", "value"],
        ["date", datetime.now(UTC).date().isoformat()],
        ["CPU", cpu[1] if cpu else platform.processor() or platform.machine()],
        ["cores", str(os.cpu_count())],
        ["system", platform.platform()],
        ["Python", platform.python_version()],
        *([one, version(one)] for one in PACKAGES),
    ]


def read_text(path: Path) -> str:
    """What a file holds, "" where there is none."""
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def fetch(folder: Path) -> None:
    """The texts of every source from sacreBLEU, which fetches the archive once and checks its MD5."""
    from sacrebleu.dataset import DATASETS  # only without a folder

    for name, (test_set, pair) in SOURCES.items():
        found = DATASETS[test_set]
        files = dict(zip(found.fieldnames(pair), found.get_files(pair), strict=True))
        (folder / name / "systems").mkdir(parents=True, exist_ok=True)
        for called, path in files.items():
            kind = called.partition(":")[0]
            if kind not in ("src", "docid", "origlang", "domain", "ref"):
                shutil.copy(path, folder / name / "systems" / f"{called}.txt")
        shutil.copy(files["docid"], folder / name / "documents.txt")
        shutil.copy(found.get_reference_files(pair)[0], folder / name / "reference.A.txt")


def sources(folder: Path) -> Cells:
    """Where texts come from, and the size and SHA-256 of each file that is here."""
    from sacrebleu.dataset import DATASETS  # takes long to import

    rows = [["texts", "file", "bytes", "checksum"]]
    for name, (test_set, _) in SOURCES.items():
        found = DATASETS[test_set]
        rows += [[name, url, "", f"MD5 {md5}"] for url, md5 in zip(found.data, found.md5, strict=True)]
        for path in sorted((folder / name).rglob("*.txt")):
            data = path.read_bytes()
            rows.append(
                [name, str(path.relative_to(folder)), str(len(data)), f"SHA-256 {hashlib.sha256(data).hexdigest()}"]
            )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write and compare; 1 where a cell moved or a table could not be made."""
    given = parsed(arguments)
    folder = given.folder or given.out / "texts"
    if given.folder is None and not all((folder / name / "reference.A.txt").is_file() for name in SOURCES):
        try:
            fetch(folder)
        except OSError as error:
            print(f"No texts: {error}. Name a folder with {', '.join(SOURCES)}: make paper FOLDER=…", flush=True)
    run, n_moved = Runs(folder, given.out, given.quick), 0
    write_csv(given.out / "machine.csv", machine())
    write_csv(given.out / "sources.csv", sources(folder))
    for name in given.only or TABLES:
        table = TABLES[name]
        try:
            cells = table.cells(run)
        except LookupError as error:
            print(f"{name}: not made, as {error}", flush=True)
            n_moved += 1
            continue
        write_csv(given.out / f"{name}.csv", [table.head, *cells])
        kept = read_csv(KEPT / f"{name}.csv")[1:]
        if given.quick:
            print(f"{name}: {len(cells)} of {len(kept)} rows rehearsed, not compared", flush=True)
            continue
        found = list(moved(table, kept, cells))
        print(f"{name}: {len(found) or 'no'} cell{'s' * (len(found) != 1)} moved", *found, sep="\n  ", flush=True)
        n_moved += len(found)
    return int(n_moved > 0)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help=f"with {', '.join(SOURCES)}; else from sacreBLEU")
    parser.add_argument("--quick", action="store_true", help="few draws and segments: a rehearsal")
    parser.add_argument("--only", nargs="+", choices=TABLES, help="these tables")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "paper")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
