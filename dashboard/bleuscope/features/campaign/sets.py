"""A planned test set -> its texts, one set at a time."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bleucore import InputError, TestSet
from bleucore.formats import Column, Role, assemble, decoding, read
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.campaign_roles import DOMAINS
from bleucore.formats.quoted_lines import with_quotes_off
from bleucore.formats.subwords import with_joined_pieces
from bleucore.judgements.mtme_tree import documents_of
from bleucore.segmentation.resegmenting import realigned
from bleuscope.features.campaign.contents import MAX_BYTES, content_of, with_contents
from bleuscope.features.campaign.parquet_columns import parquet_column
from bleuscope.shell.disk import test_sets
from bleuscope.workspace import texts

PARQUET = ".parquet"
Part = tuple[Role, str, PlannedFile]


def open_set(planned: PlannedSet) -> TestSet:
    """The texts of a test set; nothing else is held.

    Raises:
        InputError: A file cannot be read, or the files do not fit together, which is seen where files changed since.
    """
    columns = columns_of_set(planned)
    return assemble(realigned(columns) if planned.aligns else columns)


def columns_of_set(planned: PlannedSet) -> list[Column]:
    """The columns of a test set in their roles.

    Raises:
        InputError: A file cannot be read.
    """
    files = with_contents(planned.files)
    parts = [(role, name, files[file]) for role, name, file in _parts(planned)]
    cache: dict[str, tuple[Column, ...]] = {}
    columns = with_quotes_off([column for part in parts for column in _columns(part, planned, cache)])
    return columns + _of_sacrebleu(planned, columns)


def domains_of(planned: PlannedSet) -> str | None:
    """The domain of all segments of a test set, from its documents or labels; ``None`` where there are several.

    Raises:
        InputError: The file that tells cannot be read.
    """
    told = [
        (role, name, file)
        for role, name, file in _parts(planned)
        if (role == "label" and name in DOMAINS) or file.form == "documents of mt-metrics-eval"
    ]
    for part in told:
        for column in _columns(part, planned, {}):
            if column.name in DOMAINS and len(set(column.segments)) == 1:
                return column.segments[0]
    return None


def _parts(planned: PlannedSet) -> list[Part]:
    parts: list[Part] = [("hypothesis", name, file) for name, file in planned.systems.items()]
    parts += [("reference", name, file) for name, file in planned.references.items()]
    parts += [("label", name, file) for name, file in planned.labels.items()]
    parts += [("source", "source", planned.source)] if planned.source is not None else []
    parts += [("documents", "documents", planned.documents)] if planned.documents is not None else []
    return parts


def _columns(part: Part, planned: PlannedSet, cache: dict[str, tuple[Column, ...]]) -> list[Column]:
    """The column of a file, under the name that it has in the test set; of mt-metrics-eval's documents two."""
    role, name, file = part
    if file.form == "documents of mt-metrics-eval":
        return _documents(file)
    source, target = planned.languages
    named = partial(replace, role=role, name=name, language=source if role == "source" else target)
    if file.form == "texts of the workspace":
        kept = texts.read(decoding.unpack(file.name, content_of(file), MAX_BYTES), file.name)
        whole = kept if role == "reference" else tuple(text or "" for text in kept)
        return [named(Column(file.name, name, role, whole, None, 1))]
    read_ones = cache.get(file.name)
    if read_ones is None and file.name.lower().endswith(PARQUET):
        return [named(parquet_column(file))]
    if read_ones is None:
        read_ones = read(file.name, content_of(file), encoding=planned.encoding)
    if file.column is not None:
        cache[file.name] = read_ones  # its other columns follow
    found = [one for one in read_ones if file.column in (None, one.name)]
    if not found:
        raise InputError(
            "the file has no such column any more",
            where=file.name,
            found=", ".join(one.name for one in read_ones),
            expected=file.column,
            remedy="Plan the campaign again.",
        )
    return [named(with_joined_pieces(found)[0])]


def _documents(file: PlannedFile) -> list[Column]:
    """The documents and the domains of a file of mt-metrics-eval."""
    text = decoding.decode(file.name, decoding.unpack(file.name, content_of(file), MAX_BYTES))
    domains, documents = zip(*documents_of(file.name, text), strict=True)
    return [
        Column(file.name, "documents", "documents", documents, None, 1),
        Column(file.name, "domain", "label", domains, None, 1),
    ]


def _of_sacrebleu(planned: PlannedSet, columns: Sequence[Column]) -> list[Column]:
    """What is not given of a test set of sacreBLEU."""
    if planned.test_set is None:
        return []
    given = {column.role for column in columns}
    found = test_sets.columns(*planned.test_set, may_download=planned.may_download)
    return [column for column in found if column.role not in given]
