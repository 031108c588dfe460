"""Characters that have no business in a text, or stand there in another form than in the other texts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal
from unicodedata import combining, normalize

import numpy as np
import pyarrow as pa
import regex

from bleucore.checks import fixes
from bleucore.checks.alphabet import (
    CONTROL,
    HAN,
    KANA,
    LATIN_SCRIPT,
    MARK,
    MISREAD_FIRST,
    MISREAD_REST,
    NOT_LATIN,
    SCRIPTS,
    CodePoints,
)
from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns, found, found_in, having
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.repairs import Fix, fixed


@dataclass(frozen=True)
class _Unwanted:
    """Characters that are wrong wherever they stand.

    Attributes:
        pattern: A regular expression (RE2) for them.
        what: What they are, as the object of "hold".
        remedy: What to do.
        fix: What takes them out; ``None`` where they hide what is lost.
        traits: Of each of these, a text that has such characters has one: most need no search.
    """

    pattern: str
    what: str
    remedy: str
    fix: Fix | None
    traits: tuple[int, ...] = (CONTROL,)

    def __call__(self, columns: Columns) -> Iterator[Observation]:
        """The texts that hold such characters."""
        asked: Bools = np.all([having(columns.all, trait) for trait in self.traits], axis=0)
        if CONTROL not in self.traits:
            asked = found_in(columns.all, self.pattern, asked)
        elif asked.any():  # some of these count as white space, which trimmed texts lack at their ends
            texts = [one.written.filter(pa.array(has)) for one, has in zip(columns.all, asked, strict=True)]
            asked[asked] = found(pa.concat_arrays(texts), self.pattern)
        for column, flagged in zip(columns.all, asked, strict=True):
            if flagged.any():
                n_flagged = int(flagged.sum())
                yield Observation(
                    column,
                    "note" if column.kind == "source" else "warning",
                    f"{of_all(n_flagged, columns.n_segments)} hold{'s' * (n_flagged == 1)} {self.what}.",
                    self.remedy,
                    flagged,
                    repair=None if self.fix is None else partial(fixed, column, flagged.copy(), self.fix),
                )


byte_order_marks = _Unwanted(
    r"\x{FEFF}",
    "a byte-order mark (U+FEFF), which sticks to a word",
    "Save the files as UTF-8 without a byte-order mark before merging them.",
    lambda text: text.replace("\ufeff", ""),
)
control_characters = _Unwanted(
    r"[\x00-\x08\x0E-\x1F\x7F\x{80}-\x{84}\x{86}-\x{9F}]",
    "NUL or other control characters",
    "Find the step that reads bytes as text, or text in a wrong encoding.",
    fixes.without_controls,
)
line_separators = _Unwanted(
    r"[\n\r\x0B\x0C\x{85}\x{2028}\x{2029}]",
    "a line or paragraph separator, such as U+2028, at which some programs split lines",
    "Replace it with a space, and check that no earlier step split lines there.",
    fixes.on_one_line,
)
replacement_characters = _Unwanted(
    r"\x{FFFD}",
    "the replacement character U+FFFD: the original character is lost",
    "Decode the original file with its true encoding.",
    None,
)
_CONTINUATION = r"\x{80}-\x{BF}€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\x{FFFD}"
wrong_decoding = _Unwanted(
    rf"Ã[{_CONTINUATION}]|Â[\x{{A0}}-\x{{AA}}\x{{AC}}-\x{{BA}}\x{{BC}}-\x{{BF}}]|[âï][{_CONTINUATION}]{{2}}"
    rf"|(?:[ÐÑ][{_CONTINUATION}]){{3}}|(?:[ãäåæçèé][{_CONTINUATION}]{{2}}){{2}}|ð[Ÿ\x{{9F}}]|ã[€\x{{80}}]|ä¸"
    r"|[ÄÅ][\x{80}-\x{AA}\x{AC}-\x{BA}\x{BC}-\x{BF}€ƒ†‡ˆ‰Š‹ŒŽ˜™š›œžŸ]",
    'UTF-8 letters decoded as Latin-1 ("Ã¼" for "ü")',
    "Decode the original file as UTF-8.",
    fixes.decoded,
    traits=(MISREAD_FIRST, MISREAD_REST),
)

_MARKS = (*range(0x300, 0x345), 0x3099, 0x309A)
_COMPOSABLE_END = 0x3100
_ANY_MARK = r"[\x{300}-\x{344}\x{3099}\x{309A}\x{1161}-\x{1175}]"
_JAMO = r"[\x{1100}-\x{1112}][\x{1161}-\x{1175}]"
_HANGUL = r"\x{AC00}-\x{D7A3}"

_COMPOSED, _DECOMPOSED = 1, 2
_MANY_MARKS = regex.compile(r"\p{M}{100}")
_MIN_LETTERS = 4
_MAX_EXPECTED_SHARE = 0.2
_HALF = 0.5
_KANA_SHARE, _NO_KANA_SHARE = 0.1, 0.01
_MIN_KANA_LETTERS = 200
_RE2_SCRIPTS = {
    code: r"\p{Han}\p{Hiragana}\p{Katakana}" if code == HAN else rf"\p{{{name}}}" if name[:1].isupper() else ""
    for code, name in enumerate(SCRIPTS)
}
"""Letters of each script in a regular expression; "" where that has no name for it."""


def outer_white_space(columns: Columns) -> Iterator[Observation]:
    """Texts with white space at an end."""
    for column in columns.all:
        if column.is_padded.any():
            n_flagged = int(column.is_padded.sum())
            yield Observation(
                column,
                "note",
                f"{of_all(n_flagged, columns.n_segments)} begin{'s' * (n_flagged == 1)} or end{'s' * (n_flagged == 1)} "
                "with white space.",
                ("No action needed: no tokenizer here is affected, but other programs may be."),
                column.is_padded,
            )


def mixed_normal_forms(columns: Columns) -> Iterator[Observation]:
    """Texts with letters put together of several characters (NFD), where most others have one (NFC); or reversed.

    The same word in the two forms never matches.
    """
    if not having(columns.all, MARK).any():
        return
    composed, decomposed = _composition_patterns()
    n_composed, n_decomposed = (columns.matches(columns.targets, form).sum(axis=1) for form in (composed, decomposed))
    forms = np.where(n_composed + n_decomposed == 0, 0, np.where(n_composed >= n_decomposed, _COMPOSED, _DECOMPOSED))
    is_composed = _of_most(forms.tolist(), len(columns.systems)) != _DECOMPOSED
    unlike, what = (decomposed, "decomposed (NFD)") if is_composed else (composed, "composed (NFC)")
    for column, flagged in zip(columns.all, columns.matches(columns.all, unlike), strict=True):
        if flagged.any():
            n_flagged = int(flagged.sum())
            yield Observation(
                column,
                "note" if column.kind == "source" else "warning",
                f"{of_all(n_flagged, columns.n_segments)} hold{'s' * (n_flagged == 1)} {what} letters, which do not "
                f"match the {'composed' if is_composed else 'decomposed'} ones of the other texts.",
                "Convert all files to the same normal form, preferably NFC.",
                flagged,
                repair=partial(fixed, column, flagged, partial(_in_form, "NFC" if is_composed else "NFD")),
            )


def _in_form(form: Literal["NFC", "NFD"], text: str) -> str | None:
    """The text in a normal form, unless so many marks follow a letter that sorting them would take minutes."""
    return None if _MANY_MARKS.search(text) else normalize(form, text)


def wrong_script(columns: Columns) -> Iterator[Observation]:
    """Texts mostly in another script than the references, and references in another than all systems."""
    scripts = [_script(column) for column in columns.targets]
    expected = _of_most(scripts, len(columns.systems))
    if not expected:
        return
    pattern = rf"[^\P{{L}}{_RE2_SCRIPTS[expected]}]" if _RE2_SCRIPTS[expected] else r"\pL"
    if expected == LATIN_SCRIPT:
        others = found_in(columns.all, pattern, having(columns.all, NOT_LATIN))
    else:
        others = columns.matches(columns.all, pattern)
    elsewhere = np.stack(
        [_is_elsewhere(column, expected, has) for column, has in zip(columns.targets, others, strict=False)]
    )
    for column, flagged, script in zip(columns.targets, elsewhere, scripts, strict=False):
        if column.kind == "reference" and script not in (0, expected) and flagged.any():
            yield _in_another_script(column, columns, flagged.copy(), expected)
            flagged[:] = False
    elsewhere &= ~elsewhere[len(columns.systems) :].any(axis=0)
    for column, flagged in zip(columns.systems, elsewhere, strict=False):
        if flagged.any():
            yield _in_another_script(column, columns, flagged, expected)
        elif expected == HAN and (message := _kana_message(column, columns)):
            yield Observation(
                column, "error", message, "Check the target language.", np.ones(columns.n_segments, np.bool_)
            )


def _in_another_script(column: CheckedColumn, columns: Columns, flagged: Bools, expected: int) -> Observation:
    n_flagged = int(flagged.sum())
    letters = CodePoints.of(_chosen(column, flagged)).letters()
    letters[expected] = 0
    beside = "the references" if column.kind == "system" else "the systems"
    return Observation(
        column,
        "error" if n_flagged > _HALF * columns.n_segments else "warning",
        f"{of_all(n_flagged, columns.n_segments)} {'is' if n_flagged == 1 else 'are'} mostly written in "
        f"{SCRIPTS[int(letters.argmax())]} letters, {beside} in {SCRIPTS[expected]}.",
        "Check the target language, and look for untranslated text or a third language.",
        flagged,
    )


def _script(column: CheckedColumn) -> int:
    """The script of most letters of a column, kana taken for Han; 0 without any letter."""
    totals = column.letters.copy()
    totals[KANA], totals[HAN] = 0, totals[HAN] + totals[KANA]
    return int(totals.argmax()) if totals.any() else 0


def _of_most(traits: Sequence[int], n_systems: int) -> int:
    """What the references have (0: nothing); or all systems, where there are more of them than such references."""
    systems, references = traits[:n_systems], [one for one in traits[n_systems:] if one]
    usual = max(references, key=references.count, default=0)
    if usual and len(set(systems)) == 1 and systems[0] not in (0, usual) and n_systems > references.count(usual):
        return systems[0]
    return usual


@cache
def _composition_patterns() -> tuple[str, str]:
    """Regular expressions for letters composed with a mark and for the same decomposed (Unicode, canonical forms)."""
    composed: list[int] = []
    by_mark: dict[str, set[str]] = {}
    for code in range(0xC0, _COMPOSABLE_END):
        parts = normalize("NFD", chr(code))
        if len(parts) > 1 and normalize("NFC", parts) == chr(code) and combining(parts[-1]):
            composed.append(code)
            base = normalize("NFC", parts[:-1])
            if ord(parts[-1]) in _MARKS and len(base) == 1:
                by_mark.setdefault(parts[-1], set()).add(base)
    by_bases: dict[str, list[str]] = {}
    for mark, bases in by_mark.items():
        by_bases.setdefault(_class(map(ord, bases)), []).append(mark)
    decomposed = [f"{bases}{_class(map(ord, marks))}" for bases, marks in by_bases.items()]
    return _class(composed)[:-1] + _HANGUL + "]", "|".join([*decomposed, _JAMO])


def _class(codes: Iterable[int]) -> str:
    return "[" + "".join(f"\\x{{{code:X}}}" for code in sorted(codes)) + "]"


def _chosen(column: CheckedColumn, segments: Bools) -> list[str | None]:
    return [column.texts[index] for index in np.flatnonzero(segments).tolist()]


def _is_elsewhere(column: CheckedColumn, expected: int, elsewhere: Bools) -> Bools:
    """Whether a text has letters and few of them are of the expected script, (S,), among those that may be."""
    characters = CodePoints.of(_chosen(column, elsewhere))
    letters, as_expected = characters.scripts > 0, characters.scripts == expected
    if expected == HAN:
        as_expected |= characters.scripts == KANA
    n_letters, n_expected = characters.sums(letters), characters.sums(as_expected)
    is_mostly = (n_letters - n_expected >= _MIN_LETTERS) & (n_expected < _MAX_EXPECTED_SHARE * n_letters)
    elsewhere = elsewhere.copy()
    elsewhere[elsewhere] = is_mostly
    return elsewhere


def _kana_message(column: CheckedColumn, columns: Columns) -> str | None:
    """Whether Chinese stands where the references are Japanese, or the other way round."""
    kana, letters = _kana(column)
    expected = [_kana(reference) for reference in columns.references]
    expected_share = sum(k for k, _ in expected) / max(1, sum(n for _, n in expected))
    share = kana / max(1, letters)
    if letters < _MIN_KANA_LETTERS:
        return None
    if (share < _NO_KANA_SHARE and expected_share > _KANA_SHARE) or (
        share > _KANA_SHARE and expected_share < _NO_KANA_SHARE
    ):
        return (
            f"Kana are {100 * share:.1f} % of the letters, and {100 * expected_share:.1f} % of those of the "
            "references: one is Japanese and the other Chinese."
        )
    return None


def _kana(column: CheckedColumn) -> tuple[int, int]:
    """Kana, and all letters."""
    return int(column.letters[KANA]), int(column.letters.sum())
