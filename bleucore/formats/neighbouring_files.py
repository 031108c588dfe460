"""Files that lie next to a test set and are none of its texts: logs, training data, back-translations, empty files."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from bleucore.formats.columns import Column, Role
from bleucore.formats.hints import Hint, own_name
from bleucore.formats.languages import language_tag
from bleucore.formats.likeness import Likeness, words_in
from bleucore.formats.name_parts import language_of, pair_of, parts_of, path_of, without_endings
from bleucore.formats.names import COMPRESSED, words_of
from bleucore.formats.program_logs import (
    are_lines_of,
    is_called_log,
    is_named_log,
    is_stamped,
    reads_like_log,
    says_log,
)

_TRAINING = frozenset({"train", "training", "trainset"})
_VALIDATION = frozenset({"valid", "validation", "val", "dev", "devset", "tune", "tuning"})
_OF_JOEYNMT = re.compile(r"\d{1,12}\.hyps")
"""What JoeyNMT writes of its validation data, by the number of the step."""
_TWO, _MOST_LINES = 2, 400
_OTHER_TEXT, _FEW_WORDS, _HALF = 0.2, 0.15, 0.5
_BACK = re.compile(
    r"back[ _.-]?translat\w{0,10}|r(?:ü|ue)ck(?:ü|ue)bersetz\w{0,10}|r[eé]tro[ _.-]?traduc\w{0,10}"
    r"|round[ _.-]?trip\w{0,12}|回译|回譯|逆翻訳|обратный[ _.-]перевод",
    re.IGNORECASE,
)
_LONGEST_NAME = 300


def leave_out_splits(columns: Sequence[Column], roles: list[Role | None]) -> dict[int, str]:
    """Leave out training data, then validation data and what is as long, with other lines than the test set; why."""
    found: dict[int, str] = {}
    for words, called in ((_TRAINING, "training data"), (_VALIDATION, "validation data")):
        open_ones = [place for place, column in enumerate(columns) if not column.is_cell and roles[place] != "ignore"]
        named = [
            place for place in open_ones if words & _words_of_name(columns[place]) and not says_log(columns[place].file)
        ]
        lengths = {len(columns[place].segments) for place in named}
        others = Counter(len(columns[place].segments) for place in open_ones if place not in named)
        usual, times = _usual_but(others, lengths)
        for place in open_ones if times >= _TWO else ():
            n_lines = len(columns[place].segments)
            if n_lines == usual or n_lines not in lengths:
                continue
            is_like = "" if place in named else f"as long as the {called}: "
            roles[place] = "ignore"
            found[place] = (
                f"{is_like or f'{called} with '}{n_lines:,} line{'s' * (n_lines != 1)}, where the texts have {usual:,}."
            )
    return found


def _usual_but(lengths: Counter[int], others: Collection[int]) -> tuple[int, int]:
    """The most frequent length but for others, where two have it, else of all; and how many have it."""
    return max(lengths.items(), key=lambda one: (one[1] >= _TWO and one[0] not in others, one[1]), default=(0, 0))


def _words_of_name(column: Column) -> set[str]:
    *folders, base = path_of(column.file)
    if _OF_JOEYNMT.fullmatch(base) is not None:
        return {"dev"}
    names = (without_endings(base), *folders)
    return {part.text.casefold().rstrip("0123456789") for name in names for part in parts_of(name)}


def leave_out_logs(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> dict[int, str]:
    """Leave out logs: most lines have numbers, share their other words with the next one, and are like no text.

    Of files that are called logs, those with lines of logs, those that hold a text again, and those with other lines
    than the texts, at other places and in another number. Beside at least two texts that are like each other; else
    nothing tells what they are.
    """
    open_ones = [place for place, column in enumerate(columns) if not column.is_cell and roles[place] is None]
    open_ones = [place for place in open_ones if columns[place].role is None]
    named = {place for place in open_ones if is_called_log(columns[place].file)}
    logs = {place for place in open_ones if reads_like_log(columns[place].segments, is_called=place in named)}
    others = [
        place
        for place, column in enumerate(columns)
        if not column.is_cell and roles[place] is None and place not in logs and place not in named
    ]
    texts = set[str]().union(*(_words(columns[place]) for place in others))
    lengths = {len(columns[place].segments) for place in others}
    found: dict[int, str] = {}
    for place in sorted(logs | named) if len(others) >= _TWO else ():
        segments = columns[place].segments
        own, nearest = _words(columns[place]), alike.nearest(place, others)
        is_unlike = nearest <= _FEW_WORDS if nearest is not None else len(own & texts) < _HALF * max(1, len(own))
        is_other = len(segments) not in lengths and not are_lines_of(
            segments, [columns[other].segments for other in others]
        )
        base = path_of(columns[place].file)[-1]
        is_again = (says_log(base) or is_named_log(base)) and any(
            columns[other].segments == segments for other in others
        )
        is_log = is_unlike if place in logs else is_other
        if is_log or (place in named and (is_again or is_stamped(segments))):
            roles[place] = "ignore"
            found[place] = (
                "a log, as its name and its lines say."
                if place in named
                else "its lines are those of a log, and unlike the texts."
            )
    return found


def _words(column: Column) -> set[str]:
    return {word for text in column.segments[:_MOST_LINES] for word in words_in(text)}


def leave_out_other_endings(columns: Sequence[Column], roles: list[Role | None]) -> dict[int, str]:
    """Leave out texts with an ending of their own and a reference of that ending, as glosses next to sentences have it.

    Those of the ending with the most outputs stay.
    """
    open_ones = [place for place, column in enumerate(columns) if not column.is_cell and column.role is None]
    by_ending: dict[str, list[int]] = {}
    for place in open_ones:
        if roles[place] in (None, "hypothesis", "reference"):
            by_ending.setdefault(_ending(columns[place]), []).append(place)
    whole = all(
        sum(roles[place] == "reference" for place in places) == 1 and len(places) >= _TWO
        for places in by_ending.values()
    )
    if len(by_ending) < _TWO or not whole or "" in by_ending:
        return {}
    kept = max(by_ending, key=lambda ending: (len(by_ending[ending]), ending == "txt"))
    found: dict[int, str] = {}
    for ending, places in by_ending.items():
        for place in places if ending != kept else ():
            roles[place] = "ignore"
            found[place] = f"a text in .{ending}, which has a reference of its own; those in .{kept} are compared."
    return found


def _ending(column: Column) -> str:
    """The last ending of a file, without that of what compressed it."""
    base = path_of(column.file)[-1].casefold()
    base = base.rpartition(".")[0] if base.endswith(COMPRESSED) else base
    ending = base.rpartition(".")[2] if "." in base else ""
    return ending if ending.isalpha() else ""


def leave_out_back_translations(
    columns: Sequence[Column], roles: list[Role | None], hints: Sequence[Hint | None], alike: Likeness
) -> dict[int, str]:
    """Leave out what is named as a back-translation, and is in the language of the source, not in that of the texts."""
    named = [
        place
        for place, column in enumerate(columns)
        if roles[place] != "ignore" and _is_back_translation(column) and column.role in (None, "hypothesis")
    ]
    sources = [
        place
        for place, hint in enumerate(hints)
        if place not in named and (roles[place] == "source" or (hint is not None and hint.role == "source"))
    ]
    texts = [
        place
        for place in range(len(columns))
        if place not in named and place not in sources and roles[place] in (None, "hypothesis", "reference")
    ]
    found: dict[int, str] = {}
    for place in named:
        to_texts, to_sources = alike.nearest(place, texts), alike.nearest(place, sources)
        if to_texts is not None and (to_texts <= _OTHER_TEXT or (to_sources or 0.0) > to_texts):
            roles[place] = "ignore"
            found[place] = "a back-translation, in the language of the source."
    return found


def _is_back_translation(column: Column) -> bool:
    name = own_name(column)[:_LONGEST_NAME]
    return _BACK.search(name) is not None or "bt" in words_of(name)


def leave_out_texts_of_other_sets(
    columns: Sequence[Column], roles: list[Role | None], alike: Likeness
) -> dict[int, str]:
    """Leave out files next to a reference that somebody named, if names and words tell another set or language; why.

    The text that is called as the reference is, but for its language, is the source: that from which outputs translate
    where their names have pairs.
    """
    named = [place for place, one in enumerate(columns) if one.role == "reference" and not one.is_cell]
    said = {
        key: {value for place in named for value in (_said_of(columns[place])[key],) if value}
        for key in ("language", "test set")
    }
    found: dict[int, str] = {}
    for place, column in enumerate(columns) if named else ():
        nearest = alike.nearest(place, named)
        is_open = column.role is None and not column.is_cell and roles[place] in (None, "hypothesis")
        if not is_open or nearest is None or nearest > _OTHER_TEXT:
            continue
        own = _said_of(column)
        kinds = [key for key in said if own[key] and said[key] and own[key] not in said[key]]
        if kinds:
            found[place] = f"another {kinds[0]} than that of the reference, as its name and its words tell."
    source = None if "source" in roles else _source_among(columns, list(found), named)
    for place in found:
        roles[place] = "source" if place == source else "ignore"
    return {place: reason for place, reason in found.items() if place != source}


def _said_of(column: Column) -> Mapping[str, str]:
    """The target language and the words for a test set in a file's name, "" where it has none."""
    parts = parts_of(without_endings(path_of(column.file)[-1]))
    pair = next((pair for part in parts if (pair := pair_of(part.text)) is not None), None)
    codes = [code for part in parts if (code := language_of(part.text)) is not None]
    target = pair[1] if pair is not None else codes[-1] if codes else ""
    words = sorted({part.text.casefold() for part in parts if "test set" in part.kinds})
    return {"language": language_tag(target) or target, "test set": " ".join(words)}


def _source_among(columns: Sequence[Column], places: Sequence[int], named: Sequence[int]) -> int | None:
    """The one of these texts that is called as a reference is but for its language; ``None`` without any or of two."""
    called = {_rest_of_name(columns[place]) for place in named}
    texts = [place for place in places if _rest_of_name(columns[place]) in called]
    pairs = [pair for one in columns for part in parts_of(path_of(one.file)[-1]) if (pair := pair_of(part.text))]
    from_ones = [
        place for place in texts if _said_of(columns[place])["language"] in {language_tag(one) for one, _ in pairs}
    ]
    found = from_ones or texts
    return found[0] if len(found) == 1 else None


def _rest_of_name(column: Column) -> tuple[str, ...]:
    """The parts of a file's name but for languages."""
    return tuple(part.text for part in parts_of(path_of(column.file)[-1]) if language_of(part.text) is None)
