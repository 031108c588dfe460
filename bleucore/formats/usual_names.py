"""Names that files give to source, reference and hypothesis, and what they say about a column."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bleucore.formats.columns import Column, Role
from bleucore.formats.name_parts import language_of, parts_of, rank_of_word, role_of_word, role_word
from bleucore.formats.names import is_header_cell, stem

_SOURCES = ("source", "src", "sources", "source_text", "src_text", "source_sentence", "input", "inputs", "prompt")
NAMES_OF_PROMPTS = frozenset({"prompt", "prompts", "instruction", "query"})
"""Names of columns that hold the source in other words, or as part of them."""
_WORDS_OF_PROMPTS = ("origin", "original", "full", "user", "formatted", "rendered", "final", "input", "raw", "complete")
_FURTHER: Mapping[str, Role] = MappingProxyType(
    {"prompt": "source", "completion": "hypothesis", "predict": "hypothesis", "query": "source"}
)
"""Keys that would say something else as parts of the names of files."""
_OF_TASKS: Mapping[str, Role] = MappingProxyType(
    {
        **dict.fromkeys(("article", "dialogue", "question", "instruction"), "source"),
        **dict.fromkeys(("canonical_solution", "highlights", "ground_truth", "ideal"), "reference"),
        **dict.fromkeys(
            (
                "expected_output",
                "expectedoutput",
                "expected_answer",
                "expectedanswer",
                "reference_answer",
                "reference_summary",
            ),
            "reference",
        ),
        **dict.fromkeys(("human", "human_translation", "human_reference", "professional_translation"), "reference"),
        **dict.fromkeys(("gold_answer", "gold_summary", "gold_text"), "reference"),
        **dict.fromkeys(("ideal_output", "ideal_answer", "ideal_response", "expected_response"), "reference"),
        **dict.fromkeys(("actual_output", "model_output", "model_answer", "generated_text"), "hypothesis"),
        **dict.fromkeys(("generated_summary", "generated_code"), "hypothesis"),
        **dict.fromkeys((f"{word}_prompt" for word in _WORDS_OF_PROMPTS), "source"),
    }
)
"""Whole names of columns of data sets and of programs that evaluate: of summaries, code, answers."""
WORDS_OF_SYSTEMS = frozenset({"mt", "nmt", "smt", "lm", "llm"})
"""Words of names of systems, which make "gold-mt" no reference."""
_WITHOUT_MEANING = frozenset({"text", "texts", "sentence", "segment", "model", "system", "id", "ids", "pretokenized"})
_SHORTEST_LANGUAGE, _MOST_WORDS_OF_A_TITLE = 4, 4
_MIN_ROWS, _MAX_CODE, _LEAST_TITLES = 3, 12, 2
_LANGUAGES = """arabic chinese czech dutch english finnish french german greek hebrew hindi hungarian italian japanese
korean persian polish portuguese romanian russian spanish swedish turkish ukrainian urdu vietnamese"""
_ENGLISH_NAMES = frozenset(_LANGUAGES.split())
_LONGEST_CODE, _LONGEST_TITLE = 3, 40
_LONGEST_NAME = 10_000
"""Characters: a longer cell is a text, and to split it into words takes seconds for each megabyte."""


def role_of(name: str) -> Role | None:
    """The role of a column of this usual name, perhaps with a number or a letter; ``None`` for any other name."""
    if len(name) > _LONGEST_NAME:
        return None
    if whole := role_of_whole(name):
        return whole
    words = [part.text for part in parts_of(name.strip()) if len(part.text) > 1 and not part.text.isdigit()]
    words = [word for word in words if not _names_language(word)] or words
    known = [role_word(word) or word.casefold() for word in words if word.casefold() not in _WITHOUT_MEANING]
    roles = [_FURTHER.get(word) or role_of_word(word) for word in known]
    if not roles or None in roles:
        return None
    if "reference" in roles and WORDS_OF_SYSTEMS & {word.casefold() for word in words}:
        return None  # "gold_mt" is a system
    return roles[min(range(len(roles)), key=lambda index: rank_of_word(known[index]))]


def _names_language(word: str) -> bool:
    """Whether a word of a title is a code in capitals, or the English name of a language: "DE reference"."""
    return (word.isupper() and language_of(word) is not None) or word.casefold() in _ENGLISH_NAMES


def is_name_of_language(title: str) -> bool:
    """Whether a title is the English name of a language, perhaps with a country in brackets, or a code with one."""
    name = title.strip().partition(" (")[0]
    return name.casefold() in _ENGLISH_NAMES or (len(name) > _LONGEST_CODE and language_of(name) is not None)


def role_of_whole(name: str) -> Role | None:
    """The role of a column that is called so in data sets of summaries, code or answers."""
    return _OF_TASKS.get(re.sub(r"[\s-]+", "_", name.strip().casefold()))


def is_header(cells: Sequence[str]) -> bool:
    """Whether the first row of a table holds titles: a plain English one, or two of any language or data set.

    Two codes of languages are titles, too, where every cell is a single word.
    """
    if any(map(is_header_cell, cells)):
        return True
    words = {cell.strip() for cell in cells if role_of(cell) is not None}
    codes = {cell.strip() for cell in cells if language_of(cell.strip()) is not None}
    is_of_words = all(len(cell.split()) == 1 for cell in cells) or _are_locales(cells, codes)
    return len(words) >= _LEAST_TITLES or (is_of_words and len(codes) >= _LEAST_TITLES)


def _are_locales(cells: Sequence[str], codes: Collection[str]) -> bool:
    """Whether codes have regions, as in "de-DE", and all other cells are as short as titles."""
    are_short = all(len(cell) <= _LONGEST_TITLE and len(cell.split()) <= _MOST_WORDS_OF_A_TITLE for cell in cells)
    return are_short and all(len(code) > _LONGEST_CODE for code in codes)


def says_role(title: str) -> bool:
    """Whether a title of several words has one for a role, or for people as translators: "Human translation"."""
    words = [part.text for part in parts_of(title)]
    names = [word for word in words if len(word) >= _SHORTEST_LANGUAGE]
    is_title = len(words) <= _MOST_WORDS_OF_A_TITLE and not title.rstrip().endswith((".", "!", "?", ",", ";"))
    return is_title and any(role_word(word) or language_of(word) for word in names)


def first_source(names: Mapping[str, object]) -> str | None:
    """The name among these that most probably holds the source as a text."""
    return next((name for name in _SOURCES if isinstance(names.get(name), str)), None)


def with_usual_roles(file: str, columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns, of which one is the source; the only hypothesis has the file's name where its own says nothing."""
    roles = [_checked_role(column) for column in columns]
    sources = [index for index, role in enumerate(roles) if role == "source"]
    for index in sorted(sources, key=lambda index: _rank(columns[index].name))[1:]:
        roles[index] = "ignore"
    hypotheses = [index for index, role in enumerate(roles) if role == "hypothesis"]
    is_alone = len(hypotheses) == 1 and not _is_one_of_several(columns[hypotheses[0]], columns)
    named_by_file = hypotheses[0] if is_alone else None
    return tuple(
        replace(column, role=role, name=stem(file) if index == named_by_file else column.name)
        for index, (column, role) in enumerate(zip(columns, roles, strict=True))
    )


def _is_one_of_several(column: Column, columns: Sequence[Column]) -> bool:
    """Whether another column has no role and begins with the same word: "pred_mt5" and "pred_byt5"."""
    first = next((part.text.casefold() for part in parts_of(column.name)), "")
    others = [one for one in columns if one is not column and one.role is None]
    is_of_words = len(parts_of(column.name)) > 1
    return is_of_words and any(
        next((part.text.casefold() for part in parts_of(one.name)), "") == first for one in others
    )


def _checked_role(column: Column) -> Role | None:
    """The column's role, unless what it holds cannot be that.

    A source that is the same everywhere is a setting, and a short reference of that kind the name of a language;
    documents of which none has two segments are numbers of segments.
    """
    distinct, n_segments = set(column.segments), len(column.segments)
    first = column.segments[0] or ""
    is_constant = n_segments >= _MIN_ROWS and len(distinct) == 1
    if is_constant and (column.role == "source" or (column.role == "reference" and len(first) <= _MAX_CODE)):
        return "ignore"
    if column.role == "documents" and len(distinct) == n_segments:
        return "ignore"
    return column.role


def _rank(name: str) -> int:
    lowered = name.strip().lower()
    return _SOURCES.index(lowered) if lowered in _SOURCES else len(_SOURCES)
