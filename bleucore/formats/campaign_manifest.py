"""A manifest of a campaign, in YAML or as a table -> what it says of each test set, in the words that it uses."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from bleucore.errors import InputError
from bleucore.formats import decoding, names, tables
from bleucore.values import shown

MAX_BYTES = 4 * 1024**2
MAX_SETS = 2_000
MAX_NODES, MAX_DEPTH = 200_000, 12
MAX_WILDCARDS, MAX_PATTERN = 20, 4_096
"""In a path with wildcards, which RE2 compiles; and its characters."""
WILDCARD = re.compile(r"(\*\*/?|\*|\?)")

NAMES = ("campaign", "manifest")
"""What a manifest in the folder of a campaign is called."""
ENDINGS = (".yaml", ".yml", ".tsv", ".csv")
_BETWEEN = ";"

_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("name", "set", "test set", "testset"), "name"),
    **dict.fromkeys(("language pair", "languages", "langpair", "pair", "direction"), "languages"),
    **dict.fromkeys(("source", "src"), "source"),
    **dict.fromkeys(("references", "reference", "ref", "refs"), "references"),
    **dict.fromkeys(("documents", "document", "docs"), "documents"),
    **dict.fromkeys(("labels", "label"), "labels"),
    **dict.fromkeys(("systems", "system", "outputs", "output", "hypotheses", "hypothesis"), "systems"),
    "domain": "domain",
    "encoding": "encoding",
    "sacrebleu": "sacrebleu",
}
_EXPECTED = "test set, language pair, source, references, documents, labels, systems, domain, encoding, sacrebleu"
_SETS = ("test sets", "testsets", "sets")

_PLACE = ("file", "column")
"""What says a column of a file."""


@dataclass(frozen=True)
class NamedFile:
    """What a manifest says of one text.

    Attributes:
        called: The name that it is to have; ``None`` for what the file or the wildcards of a pattern tell.
        path: A path or a pattern.
        column: Which column of a table; ``None`` for the file's own text, or for what is found in it.
    """

    called: str | None
    path: str
    column: str | None = None


Named = tuple[NamedFile, ...]


@dataclass(frozen=True)
class ManifestSet:
    """What a manifest says of one test set.

    Attributes:
        name: Of the set.
        line: Where it begins; ``None`` where that is not known.
        languages: As in "en-de".
        source: Its file.
        references: Theirs.
        documents: The file that names them.
        labels: Theirs.
        systems: Theirs.
        domain: Of all segments.
        encoding: Of files that are not UTF-8.
        sacrebleu: The name of one of sacreBLEU's test sets.
    """

    name: str
    line: int | None = None
    languages: str | None = None
    source: NamedFile | None = None
    references: Named = ()
    documents: NamedFile | None = None
    labels: Named = ()
    systems: Named = ()
    domain: str | None = None
    encoding: str | None = None
    sacrebleu: str | None = None


@dataclass(frozen=True)
class Manifest:
    """What a manifest says.

    Attributes:
        title: Of the campaign.
        sets: Its test sets.
        runs: Systems that are runs of a recipe, each with its recipe.
    """

    title: str | None
    sets: tuple[ManifestSet, ...] = field(default=())
    runs: tuple[tuple[str, str], ...] = ()


def is_manifest(name: str, data: bytes) -> bool:
    """Whether a file is one: YAML, or a table with a column for test sets and one for systems."""
    lowered = name.lower()
    if lowered.endswith((".yaml", ".yml")):
        return True
    if not lowered.endswith((".tsv", ".csv")):
        return False
    first = data[:4096].partition(b"\n")[0].decode(errors="replace")
    titles = {_WORDS.get(_word(title)) for title in re.split(r"[\t,]", first)}
    return {"name", "systems"} <= titles


def read_manifest(name: str, data: bytes) -> Manifest:
    """What a manifest says.

    Raises:
        InputError: It is too large or broken, names what is not known, or uses what YAML has to repeat parts of itself.
    """
    text = decoding.decode(name, decoding.unpack(name, data, MAX_BYTES))
    title, entries, runs = _of_table(name, text) if names.is_table(name) else _of_yaml(name, text)
    sets = _joined(name, [_set(name, entry, line) for entry, line in entries])
    if not sets:
        raise InputError("the manifest names no test set", where=name, expected='a list called "test sets"')
    if len(sets) > MAX_SETS:
        raise InputError("there are too many test sets", where=name, found=f"{len(sets):,}", expected=f"{MAX_SETS:,}")
    return Manifest(title, sets, runs)


def _word(said: str) -> str:
    return re.sub(r"[\s_-]+", " ", said.strip().strip('"').casefold())


Entry = tuple[Mapping[str, Any], int | None]
Runs = tuple[tuple[str, str], ...]
"""Systems, each with the recipe that it is a run of."""


def _of_table(name: str, text: str) -> tuple[None, list[Entry], Runs]:
    """A row for each test set; several files of a cell stand between semicolons."""
    header, *rows = tables.quoted_rows(name, text)
    several = {"references", "systems", "labels"}
    entries: list[Entry] = []
    for row in rows:
        said = {title: cell.strip() for title, cell in zip(header.cells, row.cells, strict=True) if cell.strip()}
        entries.append(
            (
                {
                    title: [one.strip() for one in cell.split(_BETWEEN) if one.strip()]
                    if _WORDS.get(_word(title)) in several
                    else cell
                    for title, cell in said.items()
                },
                row.line,
            )
        )
    return None, entries, ()


def _of_yaml(name: str, text: str) -> tuple[str | None, list[Entry], Runs]:
    try:
        lines = _checked(name, text)
        found = yaml.load(text, Loader=_Loader)  # noqa: S506  # a safe one
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError(
            "this is no YAML",
            where=name,
            line=None if mark is None else mark.line + 1,
            found=getattr(error, "problem", None) or type(error).__name__,
            remedy="Correct the line, or write the manifest as a table.",
        ) from error
    title, listed, runs = None, found, None
    if isinstance(found, dict):
        words = {_word(key): value for key, value in found.items() if isinstance(key, str)}
        title, runs = words.get("title"), words.get("runs")
        listed = next((words[word] for word in _SETS if word in words), None)
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise InputError(
            "the manifest has no list of test sets",
            where=name,
            found=", ".join(map(str, found))[:80] if isinstance(found, dict) else type(found).__name__,
            expected='"test sets:" with a "- " for each',
            remedy="Write one entry a test set.",
        )
    starts = lines if len(lines) == len(listed) else [None] * len(listed)
    return title if isinstance(title, str) else None, list(zip(listed, starts, strict=True)), _runs(name, runs)


def _runs(name: str, said: object) -> Runs:
    """The runs of each recipe: a system, or a list of them, by the name of the recipe."""
    if said is None or said == "":
        return ()
    found: dict[str, str] = {}
    for recipe, systems in said.items() if isinstance(said, dict) else [("", said)]:
        listed = systems if isinstance(systems, list) else [systems]
        runs = [run.strip() for run in listed if isinstance(run, str) and run.strip()]
        called = recipe.strip() if isinstance(recipe, str) else ""
        if not called or len(runs) < len(listed) or {*runs} & {*found}:
            raise InputError(
                "the runs cannot be read",
                where=name,
                found=shown(called or type(said).__name__),
                expected="recipes, each with a list of its systems, and no system twice",
                remedy='Write "runs:" and then, indented, "recipe: [system, system]".',
            )
        found |= dict.fromkeys(runs, called)
    return tuple(found.items())


class _Loader(yaml.BaseLoader):  # type: ignore[misc]  # PyYAML has no types
    """Makes strings, lists and mappings, and nothing else: "no" is a language."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002  # PyYAML's own
        """Refuse a key that is there twice, of which YAML's readers take the last."""
        keys = [key.value for key, _ in node.value if isinstance(key.value, str)]
        if len(set(keys)) < len(keys):
            raise yaml.constructor.ConstructorError(None, None, "a key is there twice", node.start_mark)
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


def _checked(name: str, text: str) -> list[int | None]:
    """The lines at which the entries of the list begin, of YAML that is not too large and repeats no part of itself."""
    depth, lines = 0, list[int | None]()
    sequence_at: int | None = None
    for n_nodes, event in enumerate(yaml.parse(text, Loader=yaml.BaseLoader)):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise InputError(
                "the manifest repeats a part of itself",
                where=name,
                line=line,
                found="an anchor or an alias",
                expected="YAML without & and *",
                remedy='Write it out, and put quotes around a pattern that begins with "*".',
            )
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH or n_nodes > MAX_NODES:
            raise InputError("the manifest is too deep or too large", where=name, line=line, remedy="Split it.")
        if isinstance(event, yaml.SequenceStartEvent) and sequence_at is None:
            sequence_at = depth
        elif isinstance(event, yaml.MappingStartEvent) and sequence_at is not None and depth == sequence_at + 1:
            lines.append(line)
    return lines


def _set(name: str, entry: Mapping[str, Any], line: int | None) -> ManifestSet:
    said: dict[str, Any] = {}
    for key, value in entry.items():
        word = _WORDS.get(_word(str(key)))
        if word is None or word in said:
            raise InputError(
                "the manifest says something unknown" if word is None else "the manifest says it twice",
                where=name,
                line=line,
                found=shown(key),
                expected=_EXPECTED,
                remedy="Call it one of these, or leave it out.",
            )
        said[word] = value
    called = said.pop("name", None) or said.get("sacrebleu")
    if not isinstance(called, str) or not called.strip():
        raise InputError("a test set has no name", where=name, line=line, expected="a text", remedy="Name it.")
    several: dict[str, Any] = {
        word: _named(name, line, word, said.pop(word, ())) for word in ("references", "labels", "systems")
    }
    single: dict[str, Any] = {
        word: _one(name, line, word, said.pop(word)) for word in ("source", "documents") if word in said
    }
    for word, value in said.items():
        if not isinstance(value, str):
            raise InputError(
                f"the {word} is no text", where=name, line=line, found=type(value).__name__, expected="one text"
            )
    texts: dict[str, Any] = {word: value.strip() or None for word, value in said.items()}
    return ManifestSet(called.strip(), line, **texts, **single, **several)


def _one(name: str, line: int | None, word: str, said: object) -> NamedFile | None:
    """The one file of a word, if it says any."""
    found = _place(None, said)
    if found is None:
        raise InputError(
            f"the {word} is no text", where=name, line=line, found=type(said).__name__, expected="one text"
        )
    return found if found.path else None


def _named(name: str, line: int | None, word: str, said: object) -> Named:
    """Paths, or patterns: one, a list of them, or by the names that they are to have."""
    if isinstance(said, str):
        return (NamedFile(None, said.strip()),) if said.strip() else ()
    entries: list[tuple[str | None, object]] = []
    if isinstance(said, dict):
        entries = list(said.items())
    elif isinstance(said, Sequence):
        entries = [(None, one) for one in said]
    found = [_place(called, one) for called, one in entries if called is None or called]
    if isinstance(said, dict | Sequence) and len(found) == len(entries) and None not in found:
        return tuple(one for one in found if one is not None)
    raise InputError(
        f"the {word} cannot be read",
        where=name,
        line=line,
        found=type(said).__name__,
        expected="a path, a list of paths, or paths by names; a file and a column in place of a path",
        remedy="Write it as one of these.",
    )


def _place(called: str | None, said: object) -> NamedFile | None:
    """A path, or a file and one of its columns; ``None`` for what is neither."""
    if isinstance(said, str):
        return NamedFile(called, said.strip())
    if not isinstance(said, dict) or set(said) != set(_PLACE) or not all(isinstance(one, str) for one in said.values()):
        return None
    return NamedFile(called, said["file"].strip(), said["column"])


def _joined(name: str, sets: Sequence[ManifestSet]) -> tuple[ManifestSet, ...]:
    """The test sets; rows of a table with the same name are one, of which each names some systems."""
    found: dict[str, ManifestSet] = {}
    for one in sets:
        first = found.get(one.name)
        if first is None:
            found[one.name] = one
            continue
        said: dict[str, Any] = {
            field_name: getattr(one, field_name) or getattr(first, field_name)
            for field_name in ("languages", "source", "documents", "domain", "encoding", "sacrebleu")
        }
        for word, value in said.items():
            before = getattr(first, word)
            if before is not None and value != before:
                raise InputError(
                    f"the test set {shown(one.name)} is there twice with another {word}",
                    where=name,
                    line=one.line,
                    found=shown(value),
                    expected=shown(before),
                    remedy="Give each test set a name of its own.",
                )
        several: dict[str, Any] = {
            word: tuple(dict.fromkeys((*getattr(first, word), *getattr(one, word))))
            for word in ("references", "labels", "systems")
        }
        found[one.name] = ManifestSet(one.name, first.line, **said, **several)
    return tuple(found.values())


def has_wildcards(path: str) -> bool:
    """Whether a path stands for several."""
    return WILDCARD.search(path) is not None


def matched(path: str, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The names that a path with wildcards matches, with the part that each wildcard stands for.

    RE2 matches them, in a time that grows with their length alone; Python's own expressions take days for ``*a*a*a*b``.

    Raises:
        InputError: The path has too many wildcards or characters.
    """
    import pyarrow as pa  # noqa: PLC0415  # only manifests with wildcards need it
    import pyarrow.compute as pc  # noqa: PLC0415  # as above

    if len(path) > MAX_PATTERN:
        raise InputError(
            "this path is too long for wildcards",
            where=shown(path),
            found=f"{len(path):,} characters",
            expected=f"at most {MAX_PATTERN:,}",
            remedy="Name the files.",
        )
    pieces = WILDCARD.split(path)
    if len(pieces) // 2 > MAX_WILDCARDS:
        raise InputError(
            "this path has too many wildcards",
            where=shown(path),
            found=len(pieces) // 2,
            expected=f"at most {MAX_WILDCARDS}",
            remedy="Name the files, or their folder and a wildcard.",
        )
    signs = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    groups = [
        f"(?P<w{place}>{signs[piece]})" if place % 2 else re.escape(_written(piece))
        for place, piece in enumerate(pieces)
    ]
    texts = pa.array([_written(name) for name in names], pa.string())
    found = pc.extract_regex(texts, rf"\A{''.join(groups)}\z").to_pylist()
    return {name: tuple(one.values()) for name, one in zip(names, found, strict=True) if one is not None}


def _written(text: str) -> str:
    """A name as Arrow can hold it: half characters, which are no UTF-8, stand as question marks."""
    return text.encode(errors="replace").decode()
