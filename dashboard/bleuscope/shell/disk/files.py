"""Files from disk to test sets: the sample, and what was named on the command line."""

import hashlib
import json
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import cast

from bleucore import InputError, TestSet
from bleucore.formats import Column, Role, assemble, common_title, guess_roles
from bleucore.formats.content_kinds import is_no_text
from bleucore.formats.name_parts import test_set_of
from bleucore.formats.usual_names import role_of
from bleuscope.content.comparison.inputs import FileBeside, Inputs, Loaded
from bleuscope.content.style import numbers
from bleuscope.registry import load as load_function
from bleuscope.registry import of_several_sets
from bleuscope.shell.disk import packed, test_sets
from bleuscope.shell.disk.bounded_reading import read_at_most
from bleuscope.shell.disk.packaged import packaged

SAMPLE = "sample"
NAMED_FILES = "files"
SAMPLE_FILES = (
    "source.txt",
    "documents.txt",
    "reference-A.txt",
    "reference-B.txt",
    "online.txt",
    "neural-10k.txt",
    "neural-20k.txt",
    "neural-40k.txt",
    "assistant.txt",
    "fluent.txt",
    "human.txt",
    "literal.txt",
)
"""The first system is the baseline of a fresh view and the best of the others stands beside it: ``online``, which is in
use, and the newest checkpoint of ``neural``, between which these segments cannot decide."""
SAMPLE_JUDGEMENTS = "judgements-invented.jsonl"
"""What commands call the judgements of the sample."""
SAMPLE_PAIR = ("online", "neural-40k")
"""What the sample is about, see its README: the system in use, and the newest that may replace it. The best two
wrote the same in half of the segments, and no phrase differs."""
OPENING_VARIABLE = "BLEUSCOPE_OPENING"
UPLOAD_KEY_LENGTH = 32
_MOST_NAMED = 5


def to_environment(inputs: Inputs) -> None:
    """Leave what to open for the dashboard's script, which runs in the same process."""
    os.environ[OPENING_VARIABLE] = json.dumps(asdict(inputs))


def from_environment() -> Inputs:
    """What ``to_environment`` left."""
    return Inputs.of_json(json.loads(os.environ.get(OPENING_VARIABLE, "{}")))


def content_digest(inputs: Inputs) -> str:
    """SHA-256 of the contents of all files with their names and roles, read now; of a test set, its name.

    Raises:
        InputError: A file cannot be read.
    """
    state = hashlib.sha256(f"{inputs.test_set} {inputs.language_pair} {inputs.encoding} {inputs.aligns}\n".encode())
    files = [("system", path) for path in inputs.systems] + [("reference", path) for path in inputs.references]
    files += [("source", inputs.source)] if inputs.source else []
    files += [("documents", inputs.documents)] if inputs.documents else []
    files += [("label", path) for path in inputs.labels]
    files += [("sample", str(_sample_folder() / name)) for name in SAMPLE_FILES] if inputs.is_sample else []
    files += [("judgements", str(judgements_path(inputs, path))) for path in inputs.judgements]
    for column in _said_by_manifest(inputs) or ():
        state.update(f"{column.role} {column.name} {json.dumps(column.segments)}\n".encode(errors="surrogateescape"))
    for role, path in files:
        for inner, content in packed.contents_of(path, lambda one: read_bytes(Path(one))):
            digest = hashlib.sha256(content).hexdigest()
            state.update(f"{role} {len(path)} {path} {len(inner)} {inner} {digest}\n".encode(errors="surrogateescape"))
    return state.hexdigest()


def load(inputs: Inputs) -> Loaded | None:
    """Read what the dashboard is to open; ``None`` if that is nothing.

    Raises:
        InputError: A file cannot be read, or the files do not fit together.
    """
    if inputs.of_texts == Inputs():
        return None
    from bleucore.judgements.batches import with_requests  # noqa: PLC0415  # a command that scores needs none

    columns = read_inputs(inputs)
    origin = SAMPLE if inputs.is_sample else NAMED_FILES
    beside = (SAMPLE_JUDGEMENTS,) if inputs.is_sample and not inputs.judgements else inputs.judgements
    files = with_requests([(path, read_bytes(judgements_path(inputs, path))) for path in beside])
    read_ones = tuple(FileBeside(name, data) for name, data in files)
    return Loaded(
        assemble(columns),
        title_of(inputs, columns),
        origin,
        inputs,
        notices_of(columns),
        beside=read_ones,
        opens_on=SAMPLE_PAIR if inputs.is_sample else None,
    )


def judgements_path(inputs: Inputs, path: str) -> Path:
    """Where a file with judgements is: those of the sample come with it."""
    return _sample_folder() / path if inputs.is_sample and path == SAMPLE_JUDGEMENTS else Path(path)


def load_sample() -> Loaded:
    """The sample comparison that comes with bleuscope."""
    return cast("Loaded", load(Inputs(is_sample=True)))


def notices_of(columns: Sequence[Column]) -> tuple[str, ...]:
    """What is to be said of the way in which these were read, each sentence once."""
    return tuple(dict.fromkeys(notice for column in columns for notice in column.notices))


def title_of(inputs: Inputs, columns: Sequence[Column]) -> str:
    """What to call a test set that comes from there: what names have in common, and the number of systems.

    Args:
        inputs: Where it comes from.
        columns: What was read, in its roles.
    """
    if inputs.is_sample:
        return "Sample comparison"
    n_systems = sum(column.role == "hypothesis" for column in columns)
    if inputs.test_set is not None:
        known = test_set_of(inputs.test_set) or inputs.test_set
        return titled(f"{known} {inputs.language_pair or ''}".rstrip(), n_systems)
    return titled(common_title(columns) or "Comparison", n_systems)


def titled(name: str, n_systems: int) -> str:
    """A title with the number of systems: "WMT22 cs-en, 11 systems"."""
    return f"{name}, {numbers.counted(n_systems, 'system')}"


def read_inputs(
    inputs: Inputs, *, announce: Callable[[str], None] | None = None, read_data: Callable[[str], bytes] | None = None
) -> tuple[Column, ...]:
    """The columns of a test set, each in the role that its file was named for.

    What a format says of itself (XML) stands, and the columns of a table are guessed. Without any reference named,
    the roles of all files are guessed.

    Args:
        inputs: Where they come from.
        announce: Told in a sentence of what takes long.
        read_data: Gives the content of a file that is named; ``read_bytes`` unless given.

    Raises:
        InputError: A file cannot be read, or there is no such test set.
    """
    if inputs.is_sample:
        inputs = Inputs(tuple(str(_sample_folder() / name) for name in SAMPLE_FILES))
    said = _said_by_manifest(inputs)
    if said is not None:
        return said
    contents = read_data or (lambda path: read_bytes(Path(path)))
    given: tuple[Column, ...] = ()
    if inputs.test_set is not None:
        given = test_sets.columns(inputs.test_set, inputs.language_pair, announce=announce)
    repeated = packed.repeated_names([*inputs.systems, *inputs.references, *inputs.labels])
    read_file = partial(packed.columns_of, read_data=contents, encoding=inputs.encoding, repeated=repeated)
    columns = _named_columns(inputs, read_file, given)
    title = came_in(inputs)
    if not (inputs.is_sample or _has_references(inputs, given)):
        _refuse_several_sets(columns, inputs, title)
    found = guess_roles(columns, title=title)
    if not inputs.aligns:
        return found
    from bleucore.segmentation.resegmenting import realigned  # noqa: PLC0415  # seldom asked for

    return realigned(found)


def _said_by_manifest(inputs: Inputs) -> tuple[Column, ...] | None:
    """The columns that a manifest names, where one is all that is named.

    Raises:
        InputError: A file of it cannot be read, or it has several test sets.
    """
    several = of_several_sets()
    if several is None or len(inputs.systems) != 1 or replace(inputs, language_pair=None) != Inputs(inputs.systems):
        return None
    path = inputs.systems[0]
    found: tuple[Column, ...] = load_function(several.columns)(path) if load_function(several.is_manifest)(path) else ()
    return found or None


def came_in(inputs: Inputs) -> str:
    """What the files came in, by its name: the folder or archive that is named, else nothing."""
    return Path(inputs.systems[0]).resolve().name if len(inputs.systems) == 1 else ""


def _refuse_several_sets(columns: Sequence[Column], inputs: Inputs, title: str) -> None:
    """Refuse several test sets, which one table of scores would mix.

    Raises:
        SeveralSetsError: There are several.
    """
    from bleucore.formats.several_sets import SeveralSetsError, several_sets  # noqa: PLC0415  # without references

    sets = several_sets(columns, title)
    if not sets:
        return
    several = of_several_sets()
    path = shlex.quote(inputs.systems[0]) if len(inputs.systems) == 1 else "FOLDER"
    all_of_them = "" if several is None else f" bleuscope {several.command} {path} scores all of them."
    raise SeveralSetsError(
        sets,
        where=", ".join(inputs.systems[:_MOST_NAMED]),
        remedy=f"Name the files of one, its references with -r.{all_of_them}",
    )


def read_outputs(inputs: Inputs, *, read_data: Callable[[str], bytes]) -> tuple[Column, ...]:
    """The columns of outputs whose references are elsewhere: what a file does not say it holds is an output.

    Args:
        inputs: Where they come from, without any reference.
        read_data: Gives the content of a file that is named.

    Raises:
        InputError: A file cannot be read, or there are several test sets with references of their own.
    """
    repeated = packed.repeated_names([*inputs.systems, *inputs.labels])
    read_file = partial(packed.columns_of, read_data=read_data, encoding=inputs.encoding, repeated=repeated)
    columns = _named_columns(inputs, read_file, has_references=True)
    _refuse_several_sets(columns, inputs, came_in(inputs))
    return guess_roles(columns)


def inputs_of(
    files: Sequence[Sequence[Column]],
    used: Sequence[Column],
    *,
    names: Sequence[str] | None = None,
    encoding: str | None = None,
) -> Inputs:
    """How a command names files, so that it reads the same from them.

    Args:
        files: The columns of each file or archive, as they are read without being asked for anything.
        used: The same columns in the roles and under the names in which they are used.
        names: The names of the files; unless given those that the columns tell.
        encoding: What files are read in that are not UTF-8.

    Returns:
        With the names of the files; not complete where roles or names were chosen that no command gives these files.
    """
    by_name = dict(zip(names or [columns[0].file for columns in files], files, strict=True))
    named = replace(_named_for(by_name, {column.file: column.role for column in used}), encoding=encoding)
    is_complete = len(by_name) == len(files) and _content(
        guess_roles(_named_columns(named, by_name.__getitem__))
    ) == _content(used)
    return replace(named, is_complete=is_complete)


def upload_origin(test_set: TestSet) -> str:
    """How a link names an upload: nobody can guess it who does not have the content."""
    return test_set.digest[:UPLOAD_KEY_LENGTH]


def project_origin(project: str, digest: str) -> str:
    """How a link names texts of a project: another name than that of the same texts as somebody's own upload.

    Whoever opens it is asked for a right in the project, and whoever brought the texts is not.
    """
    return hashlib.sha256(f"{project}\0{digest}".encode()).hexdigest()[:UPLOAD_KEY_LENGTH]


def read_bytes(path: Path) -> bytes:
    """The content of a file; of one that is too large to be used, no more than is needed to see that.

    Raises:
        InputError: There is none, or it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return read_at_most(file)
    except OSError as error:
        raise InputError(
            "the file cannot be read",
            where=str(path),
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Check the name, and that the file may be read.",
        ) from error


def _has_references(named: Inputs, given: Sequence[Column]) -> bool:
    return bool(named.references) or any(column.role == "reference" for column in given)


def _named_columns(
    named: Inputs,
    read_file: Callable[[str], Sequence[Column]],
    given: Sequence[Column] = (),
    *,
    has_references: bool = False,
) -> list[Column]:
    """The columns of files in the roles that the files were named for, beside columns that are given."""
    has_references |= _has_references(named, given)
    roles: list[tuple[Role | None, Sequence[str]]] = [
        ("hypothesis" if has_references else None, named.systems),
        ("reference", named.references),
        ("source", [named.source] if named.source else []),
        ("documents", [named.documents] if named.documents else []),
        ("label", named.labels),
    ]
    columns: list[Column] = []
    for role, paths in roles:
        for path in paths:
            found = _not_named_singly(read_file(path), path, named) if role in (None, "hypothesis") else read_file(path)
            columns += [replace(found[0], role=role)] if _is_plain(found) else _said_roles(found, role)
    taken = {column.role for column in columns if column.role in ("source", "documents")}
    return [*columns, *(column for column in given if column.role not in taken)]


def _not_named_singly(columns: Sequence[Column], path: str, named: Inputs) -> Sequence[Column]:
    """The columns of a folder of outputs, without the files in it that are named as references or the like.

    Raises:
        InputError: Nothing is left.
    """
    others = (*named.references, *filter(None, (named.source, named.documents)), *named.labels)
    if not others or not os.path.isdir(path):  # noqa: PTH112  # false for what no file can be named
        return columns
    taken = {os.path.realpath(other) for other in others}
    left = [one for one in columns if os.path.realpath(Path(path) / one.file) not in taken]
    if not left:
        raise InputError(
            "no output is left",
            where=path,
            expected="a file next to the references",
            remedy="Name the folder or file that holds the outputs.",
        )
    notices = tuple(notice for one in columns if one not in left for notice in one.notices)
    return [replace(left[0], notices=(*notices, *left[0].notices)), *left[1:]] if len(left) < len(columns) else columns


def _said_roles(columns: Sequence[Column], role: Role | None) -> list[Column]:
    """The columns of a table, an archive or a folder: references, say, where it was named for those.

    What is named as a system may hold references and a source beside the systems, which are guessed.
    """
    if role in (None, "hypothesis"):
        return list(columns)
    if all(column.is_cell for column in columns) and role in ("reference", "source"):
        return _said_of_table(columns, role)
    is_open = [column.role is None and not column.is_cell for column in columns]
    return [replace(column, role=role) if told else column for column, told in zip(columns, is_open, strict=True)]


def _said_of_table(columns: Sequence[Column], role: Role) -> list[Column]:
    """The columns of a table that was named for a role, which its only texts have where no column is called so."""
    is_called = any((column.role or role_of(column.title or column.name)) == role for column in columns)
    texts = [column for column in columns if not is_no_text(column) and column.role not in ("source", "documents")]
    if is_called or len(texts) != 1:
        return list(columns)
    return [replace(column, role=role) if column is texts[0] else column for column in columns]


def _is_plain(columns: Sequence[Column]) -> bool:
    """Whether a file is one text that says nothing of itself."""
    return len(columns) == 1 and columns[0].role is None


def _named_for(files: Mapping[str, Sequence[Column]], roles: Mapping[str, Role | None]) -> Inputs:
    """The files by what each is named for: a plain text by its role, unless it is left out; others say it alone."""
    names: dict[Role | None, list[str]] = {}
    for file, columns in files.items():
        role = roles.get(columns[0].file) if _is_plain(columns) else "hypothesis"
        names.setdefault(role, []).append(file)
    return Inputs(
        tuple(names.get("hypothesis", ())),
        tuple(names.get("reference", ())),
        next(iter(names.get("source", ())), None),
        next(iter(names.get("documents", ())), None),
        tuple(names.get("label", ())),
    )


def _content(columns: Sequence[Column]) -> list[tuple[str, str, str, tuple[str | None, ...]]]:
    """What a test set is assembled from, in an order in which equal content is equal."""
    used = [column for column in columns if column.role != "ignore"]
    found = [(str(column.role), column.file, column.name, column.segments) for column in used]
    return sorted(found, key=lambda column: column[0])  # the order of the columns of one role counts


def _sample_folder() -> Path:
    return packaged("sample_data", "sample_data")
