"""Guesses what each column is: a plain word in its name first, then its content, then what else its name says."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean, median
from typing import Literal

from bleucore.corpus import CUT_LABEL
from bleucore.formats.columns import Column, Role
from bleucore.formats.content_kinds import kind_of
from bleucore.formats.copied_texts import leave_out_copies
from bleucore.formats.foreign_texts import foreign_text
from bleucore.formats.hints import (
    BESIDE_NAMES,
    LIKE_A_NAME,
    OF_FOLDER,
    PLAIN,
    Hint,
    hints_of,
    is_named_by_language,
    is_named_by_task,
    is_named_reference,
    own_name,
    role_of_folder,
)
from bleucore.formats.item_ids import joined_by_ids
from bleucore.formats.like_tables import named_by_like_tables
from bleucore.formats.likeness import Likeness, likeness
from bleucore.formats.name_parts import language_of, parts_of, path_of, without_endings
from bleucore.formats.names import words_of
from bleucore.formats.neighbouring_files import (
    leave_out_back_translations,
    leave_out_logs,
    leave_out_other_endings,
    leave_out_splits,
    leave_out_texts_of_other_sets,
)
from bleucore.formats.other_columns import (
    leave_out_composites,
    leave_out_numbers_of_other_length,
    leave_out_other_files,
    leave_out_remarks,
    leave_out_single_words,
    leave_out_symbols,
    leave_out_tables_of_other_length,
    leave_out_templates,
    leave_out_what_is_no_text,
    whole_name,
)
from bleucore.formats.other_languages import guess_reference_among_languages, leave_out_other_languages
from bleucore.formats.quoted_lines import with_quotes_off
from bleucore.formats.records import names_only_system
from bleucore.formats.repeated_references import (
    leave_out_copied_references,
    leave_out_other_references,
    leave_out_repeated_references,
)
from bleucore.formats.short_names import with_short_names
from bleucore.formats.subwords import with_joined_pieces
from bleucore.formats.surplus_lines import without_surplus_lines
from bleucore.formats.usual_names import NAMES_OF_PROMPTS, is_name_of_language, role_of

ReferenceBy = Literal["content", "order"]

_TEXT_ROLES: tuple[Role, ...] = ("reference", "hypothesis", "source")

_LABEL = frozenset({"domain", "domains", "genre", "genres", "label", "origlang", "category", "topic"})
_SCORE = frozenset({"score", "scores", "bleu", "comet", "chrf", "ter", "mqm", "logprob", "logprobs"})
_ANSWERS = frozenset({"label", "labels", "expected", "gold_label"})
"""What holds the reference where it holds sentences."""
_STATES = frozenset({"status", "state", "match", "matches", "comment", "comments", "kommentar", "locked", "confirmed"})
"""What programs for translators write next to the texts of a segment."""
_CONTEXT = re.compile(
    r"(?:(?:source|src|target|tgt|document|doc|previous|prev|preceding|next|following|left|right)[\W_]?)*contexts?"
    r"(?:[\W_]?(?:source|src|target|tgt|before|after|left|right|previous|prev|next))*|(?:dialogue?|chat)?[\W_]?history",
    re.IGNORECASE,
)
"""What holds other segments of the document of each segment."""
_NUMBERING = frozenset({"id", "ids", "segid", "seg", "segment", "index", "line", "row", "no", "nr", "number", "idx"})
_LANGUAGE = frozenset({"lang", "langs", "language", "languages", "lp", "langpair", "direction"})

_FOLDERS_OF_DATA = frozenset({"data", "corpus", "corpora", "dataset", "datasets"})
_NAMES_OF_DATA = frozenset({"test", "tests", "testset", "dev", "devtest", "valid", "validation", "eval", "gold"})
_FOLDERS_OF_RUNS = frozenset({"exp", "exps", "experiment", "experiments", "runs", "models", "checkpoints", "outputs"})
_TRANSLATED = frozenset({"target", "targets", "tgt", "trg"})

_NUMBER = re.compile(r"\s*[-+]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?%?\s*")
_TEXTS: frozenset[Role | None] = frozenset({None, "reference", "hypothesis", "source"})

_MIN_TEXTS = 3
_MIN_ROWS = 3
_MIN_ROWS_A_RUN, _MOST_RUNS_A_VALUE = 2, 1.2
_LONGEST_DOCUMENT_NAME, _MOST_WORDS_OF_A_NAME = 60, 4.0
_MOST_LABELS, _MIN_ROWS_A_LABEL = 50, 3
_MOST_PROMPTS = 200
# Likeness of texts, measured on all 21 directions of WMT22: 0.00 to 0.09 between a source and a good output, 0.5 to 0.8
# between outputs and references, 0.2 to 0.4 where systems are bad.
_OTHER_TEXT, _LEAST_OF_A_REFERENCE = 0.2, 0.65


@dataclass(frozen=True)
class Guess:
    """Columns with roles and names, and what of it is no more than a guess.

    Attributes:
        columns: In the order given.
        reference_by: How the reference was found without any hint at it; ``None`` where a name or format tells it.
        left_out: Columns that hold the same as a reference and are named so.
    """

    columns: tuple[Column, ...]
    reference_by: ReferenceBy | None = None
    left_out: tuple[int, ...] = ()


def guess_roles(columns: Sequence[Column], *, title: str = "") -> tuple[Column, ...]:
    """The columns with every role filled in, and with short names of their own within each role.

    What a format says stays as it is, except that of several sources and documents one is kept: one that
    a format names before a guessed one, else the first. Of the references of a WMT release the standard one counts;
    of any others all do. Without a sign of a reference there is none.

    Args:
        columns: All that was read.
        title: What the files came in: the name of a folder or an archive.
    """
    return guess(columns, proposes_reference=False, title=title).columns


def guess(columns: Sequence[Column], *, proposes_reference: bool = True, title: str = "") -> Guess:
    """The same, and how sure it is.

    Args:
        columns: All that was read.
        proposes_reference: Whether one of the texts is made the reference where no name or format tells one.
        title: What the files came in: the name of a folder or an archive.
    """
    columns = named_by_like_tables(joined_by_ids(without_surplus_lines(columns), is_strict=False))
    hints = hints_of(columns)
    roles: list[Role | None] = [
        "ignore" if _is_blank_reference(column) else column.role or _role_of_cells(column) for column in columns
    ]
    others = leave_out_copies(columns, roles)
    others |= leave_out_templates(columns, roles)
    others |= leave_out_single_words(columns, roles, hints)
    others |= leave_out_numbers_of_other_length(columns, roles, hints)
    others |= leave_out_tables_of_other_length(columns, roles)
    others |= leave_out_splits(columns, roles)
    alike = likeness(columns, others)
    others |= leave_out_other_files(columns, roles, hints)
    others |= leave_out_logs(columns, roles, alike)
    _leave_out_constants(columns, roles, hints)
    _guess_documents(columns, roles, hints, alike)
    others |= leave_out_back_translations(columns, roles, hints, alike)
    _take_hints(columns, roles, hints, alike)
    others |= leave_out_composites(columns, roles)
    _leave_out_contexts(columns, roles, alike)
    others |= _leave_out_sources(columns, roles, hints)
    others |= leave_out_other_endings(columns, roles)
    others |= leave_out_texts_of_other_sets(columns, roles, alike)
    kinds = leave_out_what_is_no_text(columns, roles)
    of_few_words = leave_out_symbols(columns, roles, alike, kinds)
    _keep_one(columns, roles, hints, "source", otherwise="hypothesis")
    _keep_one(columns, roles, hints, "documents", otherwise="ignore")
    _take_targets_for_outputs(columns, roles)
    _guess_source(columns, roles, alike)
    of_speech = _guess_reference_of_speech(columns, roles, hints)
    _guess_reference_by_language(columns, roles)
    _guess_reference_by_title(columns, roles)
    _guess_reference_of_all_files(columns, roles, alike)
    _guess_reference_of_table(columns, roles, alike)
    _guess_reference_of_test_file(columns, roles, alike)
    _leave_out_further_cells(columns, roles, alike)
    _guess_reference_of_data(columns, roles, alike)
    guess_reference_among_languages(columns, roles, alike)
    left_out = leave_out_repeated_references(columns, roles)
    others |= leave_out_other_references(columns, roles, title)
    others |= leave_out_copied_references(columns, roles)
    others |= leave_out_other_languages(columns, roles, alike)
    reference_by = _propose_reference(roles, alike) if proposes_reference else None
    leave_out_remarks(columns, roles, alike, kinds)
    filled = [
        replace(
            column,
            role=role or "hypothesis",
            left_out=others.get(place),
            notices=(
                *column.notices,
                *([f"{whole_name(column)} left out: {kinds[place]}, no texts."] if place in kinds else []),
                *([of_few_words[place]] if place in of_few_words else []),
                *([of_speech[place]] if place in of_speech else []),
            ),
        )
        for place, (column, role) in enumerate(zip(columns, roles, strict=True))
    ]
    filled = list(with_joined_pieces(with_quotes_off(filled)))
    return Guess(with_short_names(_with_twins_named(filled)), reference_by, left_out)


def _with_twins_named(columns: Sequence[Column]) -> list[Column]:
    """The columns, those of outputs with the texts of another one or of a reference with a notice that says so."""
    first: dict[tuple[str | None, ...], Column] = {}
    for column in columns:
        if column.role == "reference":
            first.setdefault(column.segments, column)
    found: list[Column] = []
    for column in columns:
        twin = first.get(column.segments) if column.role == "hypothesis" and len(column.segments) >= _MIN_ROWS else None
        if twin is not None:
            what = "a reference, so that its score is perfect" if twin.role == "reference" else "another output"
            said = f"{whole_name(column)}: the same texts as {whole_name(twin)}, {what}."
            column = replace(column, notices=(*column.notices, said))  # noqa: PLW2901  # the same with a notice
        elif column.role == "hypothesis":
            first[column.segments] = column
        found.append(column)
    return found


def _role_of_cells(column: Column) -> Role | None:
    """The role of a column that holds no texts: labels, numbers, languages, scores."""
    words, in_table = frozenset(words_of(own_name(column))), column.is_cell
    is_prose = _is_prose(column.segments)
    is_label = bool(words & _LABEL) and (in_table or own_name(column) != column.name)
    rules: tuple[tuple[bool, Role], ...] = (
        (in_table and is_prose and own_name(column).casefold().removeprefix("decoded_") in _ANSWERS, "reference"),
        (own_name(column) == CUT_LABEL, "label"),
        (in_table and bool(words & _SCORE) and not is_prose, "ignore"),
        (is_label and (in_table or _repeats(column.segments)) and not is_prose, "label"),
        (in_table and bool(words & _LANGUAGE) and not is_prose, "ignore"),
        (in_table and bool(words) and words <= _STATES and _repeats(column.segments), "ignore"),
        (in_table and bool(words) and words <= _NUMBERING, "ignore"),
        (in_table and _is_numeric(column.segments), "ignore"),
        (bool(words & {"score", "scores"}) and _is_numeric(column.segments), "ignore"),
    )
    return next((role for applies, role in rules if applies), None)


def _leave_out_contexts(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> None:
    """Leave out columns called contexts, unless they are as like the texts of their rows as these are each other."""
    named = [
        place
        for place, column in enumerate(columns)
        if column.is_cell
        and roles[place] in _TEXTS
        and _CONTEXT.fullmatch(own_name(column)[:_LONGEST_DOCUMENT_NAME].strip())
    ]
    texts = [place for place, role in enumerate(roles) if role in _TEXTS and role != "source" and place not in named]
    usual = [share for place in texts if (share := alike.nearest(place, texts)) is not None] if named else []
    least = max(_OTHER_TEXT, _LEAST_OF_A_REFERENCE * median(usual)) if usual else 1.0
    for place in named:
        if columns[place].role is not None or (alike.nearest(place, texts) or 0.0) < least:
            roles[place] = "ignore"


def _is_blank_reference(column: Column) -> bool:
    """Whether a column of a table is called a reference and is empty, as "labels" without any may be."""
    is_named = column.is_cell and "reference" in (column.role, role_of(own_name(column)))
    return is_named and not any(text and text.strip() for text in column.segments)


def _leave_out_constants(columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None]) -> None:
    """Leave out columns of tables that say the same in every row, unless they are named as outputs or references.

    A column that names the system of all rows is no output.
    """
    for index, (column, hint) in enumerate(zip(columns, hints, strict=True)):
        if roles[index] in (None, "hypothesis") and names_only_system(column):
            roles[index] = "ignore"
        is_constant = len(column.segments) >= _MIN_ROWS and len(set(column.segments)) == 1
        if (
            roles[index] is None
            and column.is_cell
            and is_constant
            and (hint is None or hint.role == "source" or hint.strength <= OF_FOLDER)
        ):
            roles[index] = "ignore"


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


def _repeats(segments: Sequence[str | None]) -> bool:
    """Whether few values make up the column."""
    n_values = len(set(segments))
    return n_values <= _MOST_LABELS and len(segments) >= _MIN_ROWS_A_LABEL * n_values


def _is_prose(segments: Sequence[str | None]) -> bool:
    """Whether a column holds sentences rather than names."""
    texts = [segment for segment in segments[:1000] if segment]
    if not texts:
        return False
    n_words = fmean(len(text.split()) if text.isascii() or " " in text else len(text) / 2 for text in texts)
    return n_words > _MOST_WORDS_OF_A_NAME or fmean(map(len, texts)) > _LONGEST_DOCUMENT_NAME


def _can_name(index: int, columns: Sequence[Column], alike: Likeness) -> bool:
    """Whether a column can hold the names of documents: short, and in other words than the texts."""
    texts = [place for place, column in enumerate(columns) if _is_prose(column.segments)]
    nearest = alike.nearest(index, texts)
    return not _is_prose(columns[index].segments) and (nearest is None or nearest <= _OTHER_TEXT)


def _guess_documents(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None], alike: Likeness
) -> None:
    """Take short values in other words than the texts for document names: named so, or equal ones in runs."""
    for index, hint in enumerate(hints):
        if roles[index] is None and hint is not None and hint.role == "documents" and _can_name(index, columns, alike):
            roles[index] = "documents"
    for index, column in enumerate(columns):
        hint = hints[index]
        says_text = hint is not None and hint.role != "documents" and hint.strength >= OF_FOLDER
        is_free = roles[index] is None and not says_text
        if is_free and _comes_in_runs(column.segments) and _can_name(index, columns, alike):
            roles[index] = "ignore" if "documents" in roles else "documents"


def _comes_in_runs(segments: Sequence[str | None]) -> bool:
    """Whether equal values stand together, nearly all in one run, two rows or more a run on average."""
    if any(segment is None or not segment.strip() for segment in segments):
        return False
    n_values, n_runs = len(set(segments)), sum(1 for _ in groupby(segments))
    return n_values > 1 and n_runs <= _MOST_RUNS_A_VALUE * n_values and len(segments) >= _MIN_ROWS_A_RUN * n_runs


def _take_hints(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None], alike: Likeness
) -> None:
    """Give the roles that names say, the plain ones first; a fainter word yields to a plain one and to content."""
    for strength in (PLAIN, BESIDE_NAMES, OF_FOLDER, LIKE_A_NAME):
        for index, hint in enumerate(hints):
            if roles[index] is not None or hint is None or hint.strength != strength or hint.role == "documents":
                continue
            taken = strength == LIKE_A_NAME and hint.role in roles
            taken |= strength == OF_FOLDER and _is_translated(columns[index]) and "reference" in roles
            taken |= strength == BESIDE_NAMES and _is_output_by_folder(index, columns, hints, alike)
            taken |= strength == BESIDE_NAMES and hint.role == "reference" and _is_other(index, columns, hints)
            if not taken and not (strength < PLAIN and _contradicts(index, hints, columns, roles, alike)):
                roles[index] = hint.role


def _is_other(index: int, columns: Sequence[Column], hints: Sequence[Hint | None]) -> bool:
    """Whether another one is plainly called the reference: next to "ref", "ref-free" and "gold-mt" are systems.

    In a folder of references, they are references, and so is what holds the same.
    """
    same = [column for column in columns if column.segments == columns[index].segments]
    others = [hint for place, hint in enumerate(hints) if place != index]
    is_of_folder = any(role_of_folder(column) == "reference" for column in same)
    return Hint("reference", PLAIN) in others and not is_of_folder


def _is_translated(column: Column) -> bool:
    """Whether a file is in a folder called "target", as tools for translators keep what was translated.

    Next to what is plainly called the reference, it is an output.
    """
    return any(part.casefold() in _TRANSLATED for part in path_of(column.file)[:-1])


def _is_output_by_folder(index: int, columns: Sequence[Column], hints: Sequence[Hint | None], alike: Likeness) -> bool:
    """Whether a file in a folder of outputs only seems to be named as something else: "ref_free" beside "ref".

    That is so where another file is plainly named so, and of a source where it is in the language of the others.
    """
    hint, column = hints[index], columns[index]
    if hint is None or role_of_folder(column) != "hypothesis":
        return False
    others = [place for place in range(len(columns)) if place != index]
    same = [place for place in others if hints[place] == Hint(hint.role, PLAIN)]
    if any(columns[place].segments == column.segments for place in others):
        return False
    return bool(same) or (hint.role == "source" and (alike.nearest(index, others) or 0.0) > _OTHER_TEXT)


def _contradicts(
    index: int,
    hints: Sequence[Hint | None],
    columns: Sequence[Column],
    roles: Sequence[Role | None],
    alike: Likeness,
) -> bool:
    """Whether this is named as the source, and another text that is not named as anything else is it by its language.

    A system in a wrong language is named as an output, and takes nothing from a source that is named as plainly.
    """
    hint = hints[index]
    if hint is None or hint.role != "source":
        return False
    texts = [place for place, other in enumerate(roles) if other in _TEXTS]
    foreign = foreign_text(columns, texts, alike)
    if foreign is None or foreign == index:
        return False
    other = hints[foreign]
    return other is None or other.role == "source" or other.strength < hint.strength


def _keep_one(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None], role: Role, *, otherwise: Role
) -> None:
    """Of several columns of a role keep the one that a format names, else the one that is named most plainly."""
    found = [index for index, other in enumerate(roles) if other == role]
    of_files = [index for index in found if hints[index] == Hint(role, PLAIN) and not columns[index].is_cell]
    within = {
        index: role == "source" and any(_holds_prompts(columns[index], columns[file]) for file in of_files)
        for index in found
    }
    found.sort(key=lambda index: (within[index], columns[index].role is None, -_strength_of(hints[index])))
    for index in found[1:]:
        is_named = is_named_by_language(columns[index]) or is_named_by_task(columns[index])
        is_again = columns[index].is_cell or columns[index].segments == columns[found[0]].segments
        is_open = columns[index].role is None and not is_named and not is_again
        roles[index] = otherwise if is_open else "ignore"


def _holds_prompts(column: Column, source: Column) -> bool:
    """Whether a column of a table holds prompts: called so, or with the lines of the source in most of its texts."""
    if not column.is_cell or column.segments == source.segments:
        return False
    if (column.title or column.name).strip().casefold() in NAMES_OF_PROMPTS:
        return True
    pairs = list(zip(column.segments, source.segments, strict=False))[:_MOST_PROMPTS]
    n_within = sum(bool(line and text and line.strip() in text) for text, line in pairs)
    return len(column.segments) == len(source.segments) and n_within > len(pairs) // 2


def _guess_reference_of_all_files(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> None:
    """Take the texts that several files hold under one name, each beside its own output, for the reference.

    Of several such columns it is the one that is most like the outputs. None of them is an output.
    """
    outputs = [index for index, role in enumerate(roles) if role == "hypothesis" and columns[index].is_cell]
    files = {columns[index].file for index in outputs}
    held: dict[tuple[str, tuple[str | None, ...]], list[int]] = {}
    for index, column in enumerate(columns):
        if roles[index] is None and column.is_cell and column.file in files:
            held.setdefault((column.name, column.segments), []).append(index)
    shared = [places for places in held.values() if len(places) == len(files) > 1]
    for places in shared:
        for index in places:
            roles[index] = "ignore"
    if "reference" in roles:
        return
    nearest = {places[0]: alike.nearest(places[0], outputs) or 0.0 for places in shared}
    best = max(nearest, key=nearest.__getitem__, default=None)
    if best is not None and nearest[best] > _OTHER_TEXT:
        roles[best] = "reference"


def _take_targets_for_outputs(columns: Sequence[Column], roles: list[Role | None]) -> None:
    """Take what each file calls its target for an output, where the name of another file says that it is the reference.

    So files for translators are named: source and target in each, whoever translated it.
    """
    targets = [place for place, role in enumerate(roles) if role == "reference" and columns[place].is_cell]
    files = [columns[place].file for place in targets]
    said = {place: is_named_reference(columns[place].file) for place in targets}
    is_of_each = len(set(files)) == len(files) > 1 and 0 < sum(said.values()) < len(files)
    if is_of_each and "hypothesis" not in roles and len({columns[place].segments for place in targets}) > 1:
        for place in targets:
            roles[place] = "reference" if said[place] else "hypothesis"


def _guess_reference_of_table(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> None:
    """Take the column of the only table that is like the outputs next to it for the reference."""
    outputs = [place for place, role in enumerate(roles) if role in (None, "hypothesis") and not columns[place].is_cell]
    cells = [place for place, column in enumerate(columns) if column.is_cell and roles[place] is None]
    files = {column.file for place, column in enumerate(columns) if column.is_cell and roles[place] != "ignore"}
    has_outputs = any(role == "hypothesis" and columns[place].is_cell for place, role in enumerate(roles))
    if "reference" in roles or not outputs or len(files) != 1 or has_outputs:
        return
    nearest = {place: share for place in cells if (share := alike.nearest(place, outputs) or 0.0) > _OTHER_TEXT}
    if len(nearest) == 1:
        roles[next(iter(nearest))] = "reference"


def _guess_reference_of_data(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> None:
    """Take the only text in a folder of data for the reference, where all others are in folders of experiments.

    It is in their language, as their words tell.
    """
    if "reference" in roles:
        return
    texts = [place for place, role in enumerate(roles) if role in (None, "hypothesis")]
    folders = {place: {part.casefold() for part in path_of(columns[place].file)[:-1]} for place in texts}
    data = [place for place in texts if folders[place] & _FOLDERS_OF_DATA and not folders[place] & _FOLDERS_OF_RUNS]
    others = [place for place in texts if place not in data]
    are_runs = bool(others) and all(folders[place] & _FOLDERS_OF_RUNS for place in others)
    if len(data) == 1 and are_runs and (alike.nearest(data[0], others) or 0.0) > _OTHER_TEXT:
        roles[data[0]] = "reference"


def _guess_reference_of_speech(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None]
) -> dict[int, str]:
    """Take the only STM next to outputs in other formats for the reference, unless its name is an output's."""
    found = [
        place
        for place, (column, hint) in enumerate(zip(columns, hints, strict=True))
        if roles[place] in (None, "hypothesis")
        and column.file.lower().endswith((".stm", ".stm.gz"))
        and (hint is None or hint.role != "hypothesis")
    ]
    texts = [role for role in roles if role in (None, "hypothesis")]
    if "reference" in roles or len(found) != 1 or len(texts) == 1:
        return {}
    roles[found[0]] = "reference"
    return {found[0]: f"{columns[found[0]].file}: taken for the reference, for which STM is made."}


def _guess_reference_of_test_file(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> None:
    """Take the answers of a file called a test set, the only one with the source, for the reference of the others."""
    by_file: dict[str, dict[str, list[int]]] = {}
    for place, (column, role) in enumerate(zip(columns, roles, strict=True)):
        if role in ("hypothesis", "source", "reference"):
            by_file.setdefault(column.file, {}).setdefault(role, []).append(place)
    given = [file for file, own in by_file.items() if "source" in own]
    outputs = [place for file, own in by_file.items() for place in own.get("hypothesis", ()) if file not in given]
    if "reference" in roles or len(given) != 1 or not _NAMES_OF_DATA.intersection(words_of(path_of(given[0])[-1])):
        return
    answers = by_file[given[0]].get("hypothesis", [])
    if len(answers) == 1 and outputs and (alike.nearest(answers[0], outputs) or 0.0) > _OTHER_TEXT:
        roles[answers[0]] = "reference"


def _leave_out_further_cells(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> None:
    """Leave out what a table that names its output holds besides, if it is like no output or reference."""
    texts = [index for index, role in enumerate(roles) if role in ("reference", "hypothesis")]
    with_output = {columns[index].file for index in texts if roles[index] == "hypothesis" and columns[index].is_cell}
    for index, column in enumerate(columns):
        if roles[index] is None and column.is_cell and column.file in with_output:
            nearest = alike.nearest(index, texts)
            if nearest is not None and nearest <= _OTHER_TEXT:
                roles[index] = "ignore"


def _strength_of(hint: Hint | None) -> int:
    return hint.strength if hint is not None else 0


def _guess_source(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> None:
    """Take the only text in another language for the source."""
    if "source" in roles or None not in roles:
        return
    texts = [index for index, role in enumerate(roles) if role in _TEXTS and not _is_of_labels(columns[index])]
    first = {columns[index].segments: index for index in reversed(texts)}
    foreign = foreign_text(columns, sorted(first.values()), alike)
    if foreign is not None and roles[foreign] is None:
        for index in texts:
            if roles[index] is None and columns[index].segments == columns[foreign].segments:
                roles[index] = "source" if index == foreign else "ignore"


def _is_of_labels(column: Column) -> bool:
    """Whether a column of a table holds numbers, ids or a few labels again and again: it is in no language."""
    return column.is_cell and (kind_of(column) is not None or _repeats(column.segments))


def _guess_reference_by_language(columns: Sequence[Column], roles: list[Role | None]) -> None:
    """Take the text that is named as the source is, but for its language, for the reference: "dev.de" and "dev.en"."""
    if "reference" in roles or "source" not in roles:
        return
    of_source = _without_language(columns[roles.index("source")])
    same = [
        index for index, role in enumerate(roles) if role is None and _without_language(columns[index]) == of_source
    ]
    if of_source is not None and len(same) == 1 and sum(role in _TEXTS for role in roles) >= _MIN_TEXTS:
        roles[same[0]] = "reference"


def _leave_out_sources(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None]
) -> dict[int, str]:
    """Leave out what only its folder calls a reference, and has the texts of a source; why, by place."""
    sources = {column.segments for column, role in zip(columns, roles, strict=True) if role == "source"}
    found: dict[int, str] = {}
    for place, (column, hint) in enumerate(zip(columns, hints, strict=True)):
        is_faint = column.role is None and (hint is None or hint.strength <= OF_FOLDER)
        if roles[place] == "reference" and is_faint and column.segments in sources:
            roles[place] = "ignore"
            found[place] = "the same texts as the source."
    return found


def _guess_reference_by_title(columns: Sequence[Column], roles: list[Role | None]) -> None:
    """Take the only column of a table that is called after its language for the reference: next to "English", "German".

    Other columns are named as systems there.
    """
    texts = [place for place, role in enumerate(roles) if role in (None, "hypothesis")]
    open_ones = [place for place in texts if roles[place] is None]
    files = {columns[place].file for place in texts}
    if "reference" in roles or "source" not in roles or len(files) != 1 or len(texts) < 2:  # noqa: PLR2004
        return
    source = columns[roles.index("source")]
    named = [
        place
        for place in open_ones
        if columns[place].is_cell and is_name_of_language(columns[place].title or columns[place].name)
    ]
    if len(named) == 1 and source.is_cell and is_name_of_language(source.title or source.name):
        roles[named[0]] = "reference"


def _without_language(column: Column) -> tuple[str, ...] | None:
    """The parts of a name without its language; ``None`` where it names none."""
    parts = parts_of(without_endings(own_name(column)))
    rest = tuple(part.text.casefold() for part in parts if language_of(part.text) is None)
    return rest if len(rest) < len(parts) else None


def _propose_reference(roles: list[Role | None], alike: Likeness) -> ReferenceBy | None:
    """Make one text the reference where nothing tells it: of several the one that is least like the others.

    Systems make the same choices more often than people do (so found: 13 of 21 references of WMT22). Of
    two texts it is the second, as most commands have it.
    """
    texts = [index for index, role in enumerate(roles) if role in (None, "hypothesis")]
    free = [index for index in texts if roles[index] is None]
    if "reference" in roles or len(texts) < 2 or not free:  # noqa: PLR2004  # nothing to be like
        return None
    nearest = {index: share for index in free if (share := alike.nearest(index, texts)) is not None}
    if max(nearest.values(), default=0.0) <= _OTHER_TEXT:
        return None
    if len(texts) < _MIN_TEXTS and len(free) == len(texts):
        roles[texts[-1]] = "reference"
        return "order"
    least = _LEAST_OF_A_REFERENCE * median(nearest.values())
    roles[min((index for index, share in nearest.items() if share >= least), key=nearest.__getitem__)] = "reference"
    return "content"
