"""Outputs, or references, that are written otherwise than the texts beside them: case, marks, accents, numbers, signs.

What should be there is asked of the other texts of a segment: all its references, its source where that has the like,
and nearly all other systems. What should not be there is right where an original of the segment has it too.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from unicodedata import combining, normalize

import numpy as np
import regex

from bleucore.checks import homoglyphs
from bleucore.checks.alphabet import (
    ACCENT,
    ANGLE,
    CAPITAL,
    FULL_WIDTH,
    INVISIBLE,
    LATIN,
    LIKE_LATIN,
    SMALL,
    Traits,
)
from bleucore.checks.compared_texts import Bools, Columns, found, found_in
from bleucore.checks.findings import Cure, Observation, Severity, of_all
from bleucore.checks.fixes import without_tags
from bleucore.checks.numbers import with_other_numbers
from bleucore.checks.order import out_of_order
from bleucore.checks.phrases import HTML_TAG
from bleucore.checks.repairs import Fix, fixed
from bleucore.checks.surface import Spelling
from bleucore.checks.words import N_WORD_IDS, WordIds
from bleucore.counts import Floats, Ints

_NEARLY_ALL_SYSTEMS, _MANY_SYSTEMS = 0.8, 4
_USUAL_OF_SOURCE = 0.5
"""Share of the texts of a source from which it is asked whether it has the like."""

_HABIT = 0.02
"""Share of the texts of the references from which signs that nobody sees belong to the language (Persian, say)."""

_LEAST_CAPITALS = 8
"""Characters of a text that is no abbreviation, if it is all in capitals."""

_SOME_SHARE = 0.01
_MANY_MARKS, _FEW_MARKS = 4, 0.2
_RARELY_PLAIN = 0.3
_MAX_READ = 4
"""Systems of which all words are looked at in full, besides the references."""

_MARKS_USUAL, _MOSTLY_ALPHABETIC = 0.1, 0.5
"""Share of texts with marks from which they belong to the language: in English, names alone have them.

And share of texts with letters of an alphabet whose marks can get lost: vowel signs of other scripts are no accents.
"""

_OFTEN_MARKED, _HARDLY, _MOSTLY_MORE = 0.3, 0.1, 2
"""Share of texts with marks, and times so many texts of a column that has lost nearly all of them; and how many more
of these are no plain letters."""

_TITLE, _SEVERAL_WORDS, _MAX_ASKED = 0.9, 4, 100
"""Share of words with a capital in titles (German texts have .4), words of a text that tells, and texts asked first."""

_PUNCTUATION = regex.compile(r"\p{P}+")
_ANY_DIGIT = re.compile(r"\d")
_TO_USUAL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B) if chr(code).isalnum()}
_ONE, _MANY = {"s": "s", "has": "has", "it": "it"}, {"s": "", "has": "have", "it": "them"}
_UNSEEN = regex.compile(
    r"[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFFA0]"
)


@dataclass(frozen=True)
class _Oddity:
    """One way of being written otherwise.

    Attributes:
        flags: Which texts of ``columns.targets`` are, (T, S).
        what: What such segments do; "{s}", "{has}" and "{it}" follow their number.
        remedy: What to do.
        cure: What makes texts alike that differ in nothing else.
        fix: What derives the text without the oddity, if anything can.
        more: More such texts, (T, S), of columns that the cure does not make alike.
    """

    flags: Callable[[Columns], Bools]
    what: str
    remedy: str
    cure: Cure | None = None
    fix: Fix | None = None
    more: Callable[[Columns], Bools] | None = None

    def __call__(self, columns: Columns) -> Iterator[Observation]:
        """The columns with such texts."""
        flags = self.flags(columns)
        more = np.zeros_like(flags) if self.more is None else self.more(columns)
        is_cured = more.sum(axis=1) <= _MOSTLY_MORE * flags.sum(axis=1)
        flags = (flags | more) & ~columns.once(out_of_order)
        for column, flagged, has_cure in zip(columns.targets, flags, is_cured.tolist(), strict=True):
            if flagged.any():
                n_flagged = int(flagged.sum())
                what = self.what.format_map(_ONE if n_flagged == 1 else _MANY)
                message = f"{of_all(n_flagged, columns.n_segments)} {what}."
                is_minor = column.kind == "reference" and n_flagged < _SOME_SHARE * columns.n_segments
                severity: Severity = "note" if is_minor else "warning"
                repair = None if self.fix is None else partial(fixed, column, flagged, self.fix)
                yield Observation(
                    column,
                    severity,
                    message,
                    self.remedy,
                    flagged,
                    cure=self.cure if has_cure else None,
                    repair=repair,
                    is_of_writing=has_cure,
                )


def _without_case(columns: Columns) -> Bools:
    """Texts without any capital, or of nothing but capitals, where the others are not."""
    capital, small = (_has(columns, trait) for trait in (CAPITAL, SMALL))
    is_long = np.stack([column.lengths >= _LEAST_CAPITALS for column in columns.targets])
    n_targets = len(is_long)
    flags: Bools = (small[:n_targets] & _lacks(columns, capital)) | (is_long & _lacks(columns, small))
    flags &= (capital | small)[:n_targets]
    return flags | columns.once(_in_title_case)


def _in_title_case(columns: Columns) -> Bools:
    """Texts (T, S) of columns that begin nearly all words with capitals, where most others do not."""
    flags = np.zeros((len(columns.targets), columns.n_segments), np.bool_)
    lines = range(0, columns.n_segments, -(-columns.n_segments // _MAX_ASKED) or 1)
    shares = [_capitalised([column.texts[line] for line in lines]) for column in columns.targets]
    usual = np.array([float(np.median(one)) if len(one) else 0.0 for one in shares])
    if np.median(usual) < _TITLE:
        for index in np.flatnonzero(usual >= _TITLE).tolist():
            every = _capitalised(columns.targets[index].texts)
            has_small = np.array([any(map(str.islower, text or "")) for text in columns.targets[index].texts])
            flags[index] = (every >= _TITLE) & has_small
    return flags


def _capitalised(texts: Sequence[str | None]) -> Floats:
    """The share of the words of each text that begin with a capital; of words of letters, 0 without several."""
    shares = []
    for text in texts:
        words = [word for word in (text or "").split() if word[0].isalpha()]
        is_told = len(words) >= _SEVERAL_WORDS
        shares.append(sum(word[0].isupper() for word in words) / len(words) if is_told else 0.0)
    return np.array(shares)


def _without_marks(columns: Columns) -> Bools:
    """Texts without punctuation, or with hardly any, where the others have it."""
    n_marks = np.stack([column.surface.n_marks for column in columns.all])
    few = n_marks <= _FEW_MARKS * np.where(columns.once(_present), n_marks, np.inf)[len(columns.systems) :].min(axis=0)
    flags: Bools = _lacks(columns, n_marks > 0) | few[: len(columns.targets)] & _lacks(columns, n_marks >= _MANY_MARKS)
    return flags


def _without_accents(columns: Columns) -> Bools:
    """Texts without a letter with marks, where words stand that the other texts write with them."""
    marked = _has(columns, ACCENT)
    n_systems, n_targets = len(columns.systems), len(columns.targets)
    flags = np.zeros((n_targets, columns.n_segments), np.bool_)
    references = slice(n_systems, n_targets)
    are_alphabetic = _mean((_has(columns, LATIN) | _has(columns, LIKE_LATIN))[references]) >= _MOSTLY_ALPHABETIC
    if not are_alphabetic or max(_mean(marked[:n_systems]), _mean(marked[references])) < _MARKS_USUAL:
        return flags
    read = {column: Spelling.of(column.texts) for column in columns.references + columns.systems[:_MAX_READ]}
    plain, unmarked = (
        np.bincount(np.concatenate(ids), minlength=N_WORD_IDS)
        for ids in ([one.wholes for one in read.values()], [one.unmarked for one in read.values()])
    )
    for column, has_marks, flagged in zip(columns.targets, marked, flags, strict=False):
        segments = column.words.segments
        asked = ~has_marks[segments]
        own = read.get(column)
        if own is None:
            wholes = Spelling.of([column.texts[index] for index in np.flatnonzero(~has_marks).tolist()]).wholes
        else:
            wholes = own.wholes[asked]
        is_suspect = np.zeros(N_WORD_IDS, np.bool_)
        is_suspect[wholes[unmarked[wholes] > 0]] = True
        suspects = np.flatnonzero(is_suspect)
        n_marked, n_plain = unmarked[suspects], plain[suspects]
        if own is not None:
            n_marked, n_plain = n_marked - _times(suspects, own.unmarked), n_plain - _times(suspects, own.wholes)
        is_lost = np.zeros(N_WORD_IDS, np.bool_)
        is_lost[suspects[(n_marked > 0) & (n_plain <= _RARELY_PLAIN * n_marked)]] = True
        flagged[segments[asked][is_lost[wholes]]] = True
    return flags


def _without_accents_anywhere(columns: Columns) -> Bools:
    """Texts of columns that hardly have letters with marks, where the others have them: spelled out, or left out."""
    flags = np.zeros((len(columns.targets), columns.n_segments), np.bool_)
    marked = _has(columns, ACCENT)
    shares = marked[: len(flags)].mean(axis=1)
    usual = float(np.median(shares))
    if usual >= _OFTEN_MARKED:
        lacks = _lacks(columns, marked)
        for index in np.flatnonzero(shares <= _HARDLY * usual).tolist():
            flags[index] = lacks[index]
    return flags


def _with_unseen(columns: Columns) -> Bools:
    """Texts with characters that nobody sees, but for those that belong to the language."""
    unseen = _has(columns, INVISIBLE)
    references = unseen[len(columns.systems) : len(columns.targets)]
    if unseen.any() and min(_mean(references), _mean(unseen[: len(columns.systems)])) > _HABIT:
        usual = Counter(sign for column in columns.references for text in column.texts for sign in _unseen_in(text))
        habits = {sign for sign, times in usual.items() if times > _HABIT * references.size}
        for column, has in zip(columns.all, unseen, strict=True):
            has[has] = [
                not habits.issuperset(_unseen_in(column.texts[index])) for index in np.flatnonzero(has).tolist()
            ]
    return _has_alone(columns, unseen)


def _unseen_in(text: str | None) -> set[str]:
    return set(_UNSEEN.findall(text or ""))


def _with_wide_letters(columns: Columns) -> Bools:
    """Texts with full-width letters and digits."""
    return _has_alone(columns, _has(columns, FULL_WIDTH))


def _with_look_alikes(columns: Columns) -> Bools:
    """Texts with letters of another script that only look right."""
    flags = np.zeros((len(columns.targets), columns.n_segments), np.bool_)
    latin, other = (_has(columns, trait) for trait in (LATIN, LIKE_LATIN))
    unusual = _has_alone(columns, other)
    for column, is_mixed, is_unusual, flagged in zip(columns.targets, latin & other, unusual, flags, strict=False):
        chosen = np.flatnonzero(is_mixed | is_unusual)
        is_suspect = found(column.trimmed.take(chosen), homoglyphs.SUSPECT) | is_unusual[chosen]
        for segment in chosen[is_suspect].tolist():
            originals = [one.texts[segment] or "" for one in columns.originals if one is not column]
            text, is_foreign = column.texts[segment] or "", bool(is_unusual[segment])
            flagged[segment] = homoglyphs.has_false_words(text, originals, is_foreign=is_foreign)
    return flags


def _with_tags(columns: Columns) -> Bools:
    """Texts with tags of HTML."""
    tags = _has(columns, ANGLE)
    return _has_alone(columns, found_in(columns.all, HTML_TAG, tags))


def _has(columns: Columns, trait: int) -> Bools:
    """Whether each text of ``columns.all`` has such a character, (C, S)."""
    has: Bools = (columns.once(_traits) & np.uint64(trait)) > 0
    return has


def _lacks(columns: Columns, has: Bools) -> Bools:
    """Which texts of ``columns.targets`` do not have, (T, S), what each of (C, S) ``columns.all`` has or not.

    All references beside them have it, and nearly all systems, and the source if its texts often do.
    """
    n_systems, n_targets = len(columns.systems), len(columns.targets)
    filled = columns.once(_present)
    by_source: Bools = np.ones(columns.n_segments, np.bool_)
    if columns.source is not None and _mean(has[n_targets:]) >= _USUAL_OF_SOURCE:
        by_source = has[n_targets]
    n_having, n_filled = (values[:n_systems].sum(axis=0) for values in (has, filled))
    flags = np.zeros((n_targets, columns.n_segments), np.bool_)
    for index, flagged in enumerate(flags):
        is_system = index < n_systems
        having, asked = n_having - (is_system & has[index]), n_filled - (is_system & filled[index])
        others = [n for n in range(n_systems, n_targets) if n != index]
        by_references = (has[others] | ~filled[others]).all(axis=0)
        by_systems = having >= _NEARLY_ALL_SYSTEMS * asked
        flagged[:] = filled[index] & ~has[index] & by_references & by_systems & (by_source | (having >= _MANY_SYSTEMS))
    return flags


def _has_alone(columns: Columns, has: Bools) -> Bools:
    """Which texts of ``columns.targets`` have, (T, S), what no original beside them has, and not most systems."""
    n_systems, n_targets = len(columns.systems), len(columns.targets)
    flags: Bools = has[:n_targets].copy()
    if flags.any():
        n_having = has[:n_systems].sum(axis=0)
        for index in range(n_targets):
            in_originals = np.delete(has, index, axis=0)[n_systems - (index < n_systems) :].any(axis=0)
            flags[index] &= ~in_originals & (2 * (n_having - (index < n_systems)) < max(1, n_systems))
    return flags


def _plain(text: str) -> str:
    """The text without marks on its letters."""
    return "".join(part for part in normalize("NFD", text) if not combining(part))


def _traits(columns: Columns) -> Traits:
    return np.stack([column.surface.traits for column in columns.all])


def _present(columns: Columns) -> Bools:
    return np.stack([column.lengths > 0 for column in columns.all])


def _mean(claims: Bools) -> float:
    return float(claims.mean()) if claims.size else 0.0


def _times(ids: Ints, among: WordIds) -> Ints:
    """How often each of these rising numbers occurs, as many as there are."""
    is_asked = np.zeros(N_WORD_IDS, np.bool_)
    is_asked[ids] = True
    return np.bincount(np.searchsorted(ids, among[is_asked[among]]), minlength=len(ids))


letter_case = _Oddity(
    _without_case,
    "{has} no capital letters, nothing but capitals or one on every word, where all other texts mix both",
    "Find the step that changes case, or ignore case when scoring.",
    Cure(str.lower, "in lower case"),
)
missing_punctuation = _Oddity(
    _without_marks,
    "lack{s} the punctuation that all other texts have",
    "Find the step that removes punctuation.",
    Cure(lambda text: _PUNCTUATION.sub("", text), "without punctuation"),
)
missing_accents = _Oddity(
    _without_accents,
    "{has} plain or other letters in words that the other texts write with accents or other marks",
    "Find the step that removes accents, for example by converting to ASCII.",
    Cure(_plain, "without accents"),
    more=_without_accents_anywhere,
)
changed_numbers = _Oddity(
    with_other_numbers,
    "{has} a number that no other text has, or lack{s} one that all others have",
    "Read these segments.",
    Cure(lambda text: _ANY_DIGIT.sub("0", text), "with all digits alike"),
)
html_tags = _Oddity(
    _with_tags,
    "contain{s} HTML tags, such as <br/>, that no other text has",
    "Remove the tags, with a space for each line break, or find out where they come from.",
    fix=without_tags,
)
invisible_characters = _Oddity(
    _with_unseen,
    "hold{s} characters that nobody sees (soft hyphens or zero-width blanks, say), which make other words of those "
    "around them",
    "Take them out before scoring: they come from web pages and word processors.",
    fix=lambda text: _UNSEEN.sub("", text),
)
look_alike_letters = _Oddity(
    _with_look_alikes,
    'hold{s} words with letters of another script that only look right (a Cyrillic "а" among Latin letters, say)',
    "Replace them by the letters that they look like, and look where they come from.",
    fix=homoglyphs.put_right,
)
full_width_letters = _Oddity(
    _with_wide_letters,
    'contain{s} full-width letters or digits ("Ａ１") that no other text has',
    "Bring all texts into one width, best the usual one (NFKC).",
    fix=lambda text: text.translate(_TO_USUAL_WIDTH),
)
