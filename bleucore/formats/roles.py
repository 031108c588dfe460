"""Guesses what each column is: by its name first, by its content where the name says nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from bleucore.formats.columns import ROLES, Column, Role, numbered_apart
from bleucore.formats.names import words_of

_REFERENCE = frozenset({"ref", "refs", "reference", "references", "gold"})
_SOURCE = frozenset({"src", "source"})
_DOCUMENTS = frozenset({"doc", "docs", "document", "documents", "docid"})
_HYPOTHESIS = frozenset({"hyp", "hyps", "hypothesis", "hypotheses", "mt"})
_LABEL = frozenset({"domain", "genre", "label", "origlang"})
_SCORE = frozenset({"score", "scores"})
_NUMBERING = frozenset({"id", "ids", "segid", "seg", "segment", "index", "line", "row", "no", "nr", "number"})

_NUMBER = re.compile(r"\s*[-+]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?%?\s*")

# Words, and single characters of scripts that put no spaces between words. Digits mean nothing here.
_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\d_]+")
_SAMPLE_SEGMENTS, _SAMPLE_CHARACTERS = 500, 500
_MIN_TEXTS = 3
_MIN_ROWS_A_RUN = 2
# Shares of word types found in another column, measured on 500 segments of WMT22 English-German and
# Chinese-English: 0.03 to 0.22 for the source, 0.66 to 0.99 for references and systems.
_FEW_SHARED, _MANY_SHARED = 0.3, 0.4


def guess_roles(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns with every role filled in, and with names of their own within each role.

    What a format says stays as it is, except that of several sources and documents one is kept: one that
    a format names before a guessed one, else the first. Without a sign of a reference there is none.
    """
    roles: list[Role | None] = [column.role or _role_by_name(column) for column in columns]
    _keep_one_source(columns, roles)
    _keep_one_documents(roles)
    _guess_documents(columns, roles)
    _guess_source(columns, roles)
    _keep_each_reference_once(columns, roles)
    return _named_apart(
        [replace(column, role=role or "hypothesis") for column, role in zip(columns, roles, strict=True)]
    )


def _role_by_name(column: Column) -> Role | None:
    words = frozenset(words_of(column.name))
    in_table = column.is_cell
    rules: tuple[tuple[bool, Role], ...] = (
        (in_table and bool(words & _SCORE), "ignore"),
        (bool(words & _REFERENCE), "reference"),
        (bool(words & _SOURCE), "source"),
        (bool(words & _DOCUMENTS), "documents"),
        (in_table and bool(words & _LABEL), "label"),
        (in_table and bool(words) and words <= _NUMBERING, "ignore"),
        (in_table and _is_numeric(column.segments), "ignore"),
        (bool(words & _HYPOTHESIS), "hypothesis"),
    )
    return next((role for applies, role in rules if applies), None)


def _is_numeric(segments: Iterable[str | None]) -> bool:
    """Whether there are numbers, and nothing else but blank cells."""
    has_number = False
    for segment in segments:
        if segment is None or not segment.strip():
            continue
        if not _NUMBER.fullmatch(segment):
            return False
        has_number = True
    return has_number


def _keep_one_source(columns: Sequence[Column], roles: list[Role | None]) -> None:
    sources = [index for index, role in enumerate(roles) if role == "source"]
    sources.sort(key=lambda index: columns[index].role is None)
    for index in sources[1:]:
        roles[index] = "hypothesis" if columns[index].role is None else "ignore"


def _keep_one_documents(roles: list[Role | None]) -> None:
    for index in [index for index, role in enumerate(roles) if role == "documents"][1:]:
        roles[index] = "ignore"


def _keep_each_reference_once(columns: Sequence[Column], roles: list[Role | None]) -> None:
    """Leave out a reference that several tables hold, each beside its own hypotheses."""
    seen = set[tuple[str | None, ...]]()
    for index, column in enumerate(columns):
        if roles[index] == "reference" and column.is_cell:
            if column.segments in seen:
                roles[index] = "ignore"
            seen.add(column.segments)


def _guess_documents(columns: Sequence[Column], roles: list[Role | None]) -> None:
    for index, column in enumerate(columns):
        if roles[index] is None and _comes_in_runs(column.segments):
            roles[index] = "ignore" if "documents" in roles else "documents"


def _comes_in_runs(segments: Sequence[str | None]) -> bool:
    """Whether equal values stand together, each in one run, two rows or more a run on average."""
    seen = set[str]()
    last = None
    for segment in segments:
        if segment is None or not segment.strip():
            return False
        if segment != last and segment in seen:
            return False
        seen.add(segment)
        last = segment
    return len(seen) > 1 and len(segments) >= _MIN_ROWS_A_RUN * len(seen)


def _guess_source(columns: Sequence[Column], roles: list[Role | None]) -> None:
    """Take the only column whose words hardly appear in any other for the source."""
    texts = [index for index, role in enumerate(roles) if role in {None, "reference", "hypothesis"}]
    if "source" in roles or len(texts) < _MIN_TEXTS or not any(roles[index] is None for index in texts):
        return
    shares = _shared_types({index: _word_types(columns[index].segments) for index in texts})
    alone = [index for index, share in shares.items() if share <= _FEW_SHARED]
    others = [share for share in shares.values() if share > _FEW_SHARED]
    is_clear = len(alone) == 1 and len(shares) >= _MIN_TEXTS and min(others) >= _MANY_SHARED
    if is_clear and roles[alone[0]] is None:
        roles[alone[0]] = "source"


def _shared_types(types: Mapping[int, set[str]]) -> dict[int, float]:
    """The share of each text's word types that another text has too; texts without words are left out."""
    n_texts = Counter(word for words in types.values() for word in words)
    return {index: sum(n_texts[word] > 1 for word in words) / len(words) for index, words in types.items() if words}


def _word_types(segments: Sequence[str | None]) -> set[str]:
    return {
        word.casefold()
        for segment in islice(segments, _SAMPLE_SEGMENTS)
        for word in _WORD.findall((segment or "")[:_SAMPLE_CHARACTERS])
    }


def _named_apart(columns: Sequence[Column]) -> tuple[Column, ...]:
    names = [column.name for column in columns]
    for role in ROLES:
        indices = [index for index, column in enumerate(columns) if column.role == role]
        for index, name in zip(indices, numbered_apart([names[index] for index in indices]), strict=True):
            names[index] = name
    return tuple(replace(column, name=name) for column, name in zip(columns, names, strict=True))
