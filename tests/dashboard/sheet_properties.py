"""What holds for every sheet, whatever it is of."""

import re

import numpy as np
import pandas as pd
import pytest

from bleuscope.content.sheets import values
from bleuscope.content.style.terms import TERMS

COUNTED = (
    "segment|system|pair|document|trial|resample|draw|token|block|unit|output|reference|layout|judgement|rater|reading|"
    "comparison|setting|tie|phrase|check|warning|model|version|word|match|metric|item|test set"
)
WRONG_NUMBER = re.compile(
    r"(?<![\d.,–-]\s)(?<![\w.,–\u202f−+-])"
    rf"(?:1 (?:{COUNTED})(?:e?s)\b|(?:0|[2-9]|\d\d+) (?:{COUNTED})\b(?![\w’'-]| sizes))"
)
"""One with a plural, or none or several with a singular."""
NO_WORDS = re.compile(r"\b(?:nan|NaN|None(?! of)|inf|True|False)\b|\{\w*\}|  |\.\.(?!\.)| [,.;](?!\d)|np\.")
"""What only a program says, and sentences that lack something."""
NUMBER = r"−?\d+(?:\u202f\d{3})*"
WRITTEN = {
    "count": NUMBER,
    "score": rf"{NUMBER}\.\d{{1,4}}",
    "metric score": rf"{NUMBER}\.\d{{1,4}}",
    "difference": r"[+−]\d+\.\d{1,4}|0\.0+",
    "part": r"[+−]\d+\.\d{1,4}|0\.0+",
    "precision": r"\d+\.\d",
    "ratio": r"−?\d+\.\d{3}",
    "p": r"(?:[<>] )?\.\d{3}",
    "statistic": rf"{NUMBER}\.\d\d",
    "yes or no": r"yes|no",
    "interval": rf"{NUMBER}(?:\.\d+)? to {NUMBER}(?:\.\d+)?",
}
SPLIT = re.compile(r"(?<!s\.d)[.?!] (?!p\b|t\b|n-gram|chrF|da\b|ignoring case:|[a-z]+ has no match)[a-z]")
"""A sentence that begins small: a part of one stands in the place of another."""
AROUND = re.compile(r"([+−]?\d+\.\d+)(?: [A-Za-z]\w*)? \(95 % (?:CI|interval) ([+−]?\d+\.\d+) to ([+−]?\d+\.\d+)")
"""A number with its interval."""
OF_ALL = re.compile(r"(?<![\w.,])(\d+) of (?:the |all |these )?(?:other )?(\d+)\b")
SAID_TWICE = re.compile(r"(?<!\d)(\d+ [a-z]+) (?:\(\1\)|(?:in|of) \1\b)")
OF_BOTH = re.compile(r"\b(?:A (?:to|and|or) B|B minus A)\b")
OWN_LETTER = re.compile(r"(?<![.:] )\b[AB]\b")
POINTS = {"difference_interval": "difference", "change_interval": "change", "behind_interval": "behind"}
"""Intervals by what they are around, where the keys do not say it."""


def has_what_it_names(sheet):
    keys = [one.key for one in sheet.fields]
    assert len(set(keys)) == len(keys)
    for one in sheet.fields:
        assert [
            key in sheet.frame
            for key in ([f"{one.key}_low", f"{one.key}_high"] if one.kind == "interval" else [one.key])
        ]
        assert one.marked_by is None or one.marked_by in sheet.frame
        assert all(key in sheet.frame for key in one.fraction or ())
        assert set(one.notes) <= set(range(len(sheet.frame)))
    assert set(sheet.emphasised) | set(sheet.parted) <= set(range(len(sheet.frame)))
    assert all(isinstance(heading, str) for one in sheet.fields for heading in (one.heading, one.page_heading))
    assert re.fullmatch(r"[\w-]+", sheet.name)
    json_types = (str, int, float)
    assert all(isinstance(fact, json_types) for fact in sheet.facts.values())


def reads_well(sheet):
    notes = [text for one in sheet.fields for note in one.notes.values() for text in (note.text, note.reason or "")]
    own = [sheet.caption, sheet.title, *(one.explanation or "" for one in sheet.fields)]
    for text in [*own, *notes]:
        assert not WRONG_NUMBER.search(text), text
        agrees_with_itself(text)
    for text in own:
        assert not NO_WORDS.search(text), text
        assert not SPLIT.search(text), text
    assert sheet.caption == "" or sheet.caption.rstrip("”").endswith((".", "?"))


def agrees_with_itself(text):
    """The numbers of a sentence fit each other: interval and share, and nothing is said to be in itself."""
    for found in AROUND.findall(text):
        at, low, high = (float(one.replace("−", "-")) for one in found)
        assert low <= at <= high, text
    for some, every in OF_ALL.findall(text):
        assert int(some) <= int(every), text
    for share in re.findall(r"(\d+(?:\.\d+)?) %", text):
        assert float(share) <= 100, text
    assert not SAID_TWICE.search(text), text


def has_headings_for_people(sheet):
    """No key of a program stands at the head of a column, and no part of a sentence in another one's place."""
    for one in sheet.fields:
        for heading in (one.heading, one.page_heading):
            assert not NO_WORDS.search(heading), heading
            assert not re.search(r"[a-z]_[a-z0-9]", heading), heading


def names_a_and_b_alike(sheet):
    """What is said of the column of B is what is said of that of A, with A and B exchanged, or nothing of either."""
    fields = {one.key: one for one in sheet.fields}
    for key, one in fields.items():
        other = fields.get(f"{key[:-2]}_b") if key.endswith("_a") else None
        if other is None:
            continue
        for first, second in (
            (one.heading, other.heading),
            (one.page_heading, other.page_heading),
            (one.explanation or "", other.explanation or ""),
        ):
            letters = [OWN_LETTER.findall(OF_BOTH.sub("", text))[:1] for text in (first, second)]
            assert letters in ([["A"], ["B"]], [[], []]), (first, second)
        assert (one.kind, one.off_pages, one.best) == (other.kind, other.off_pages, other.best), key


def explains_each_column_by_its_own_term(sheet):
    """Columns have the same term of the glossary only where they are the same: of several orders, metrics or ends."""
    explained = {}
    for one in sheet.fields:
        if one.explanation in TERMS.values():
            column = re.sub(r"[\d_]+$", "", one.key).rpartition("_")[2]
            assert explained.setdefault(one.explanation, column) == column, one.key


def is_written_as_its_kind(sheet):
    for one, column in zip(values.read_fields(sheet), values.read_columns(sheet), strict=True):
        for cell in column:
            form = WRITTEN.get(one.kind)
            assert form is None or cell.text == values.NOTHING or re.fullmatch(form, cell.text), (one.key, cell.text)


def is_possible(sheet):
    """Numbers are those that there can be."""
    for one in sheet.fields:
        if one.kind == "interval":
            low, high = (sheet.frame[f"{one.key}_{end}"].to_numpy(np.float64) for end in values.ENDS)
            assert (np.isnan(low) == np.isnan(high)).all()
            assert not (low > high + 1e-9).any(), one.key
            continue
        if one.kind in ("text", "yes or no"):
            continue
        found = known(sheet, one.key)
        assert np.isfinite(found).all()
        if one.kind == "count":
            assert (found == np.round(found)).all()
            assert (found >= 0).all() or one.key == "net_wins", one.key
        if one.kind == "p":
            assert ((found >= 0) & (found <= 1)).all()
        if one.kind == "precision" or one.key.startswith(("f1", "recall")):
            assert ((found >= 0) & (found <= 100 + 1e-9)).all()
        if one.kind == "ratio":
            assert ((found >= -1) & (found <= 2)).all()


def known(sheet, key):
    found = sheet.frame[key].to_numpy(np.float64, na_value=np.nan)
    return found[~np.isnan(found)]


def adds_up(sheet):
    """Columns of one row agree with each other."""
    frame, kinds = sheet.frame, {one.key: one.kind for one in sheet.fields}
    of_two = [key[:-2] for key in frame if key.endswith("_a") and f"{key[:-2]}_b" in frame]
    scored = [
        key
        for key in of_two
        if kinds.get(f"{key}_a") in ("score", "metric score") and key not in ("precision", "recall")
    ]
    if len(scored) == 1 and "difference" in kinds and len(frame):
        gap = frame[f"{scored[0]}_b"] - frame[f"{scored[0]}_a"]
        assert frame["difference"].to_numpy(np.float64) == pytest.approx(gap.to_numpy(np.float64), abs=1e-6)
    for key in frame:
        if str(key).endswith("corrected_p_value") and str(key).replace("corrected_", "") in frame:
            p_values, corrected = (frame[one].to_numpy(np.float64) for one in (key.replace("corrected_", ""), key))
            assert not (corrected < p_values - 1e-12).any()
    for key, kind in kinds.items():
        if kind != "interval":
            continue
        end = key.removesuffix("_interval")
        point = POINTS.get(key) or (end if end in kinds else None)
        if key == "interval":
            point = next((one.key for one in sheet.fields if one.best and one.kind in ("score", "metric score")), None)
        if point in kinds and kinds[point] != "interval":
            low, high = (frame[f"{key}_{side}"].to_numpy(np.float64) for side in values.ENDS)
            at = frame[point].to_numpy(np.float64)
            inside = np.isnan(low) | np.isnan(at) | ((low <= at + 1e-6) & (at <= high + 1e-6))
            assert inside.all(), (key, frame[[point, f"{key}_low", f"{key}_high"]])


def has_stars_where_p_is_small(sheet, level=0.05):
    frame = sheet.frame
    for one in sheet.fields:
        if one.kind != "p" or one.marked_by is None:
            continue
        p_values = frame[one.key].to_numpy(np.float64, na_value=np.nan)
        marked = np.array([value is not None and not pd.isna(value) and bool(value) for value in frame[one.marked_by]])
        assert (marked == (p_values < level)).all(), one.key
        cells = values.read_column(sheet, one)
        assert [cell.is_marked for cell in cells] == [
            star and cell.text != values.NOTHING for star, cell in zip(marked.tolist(), cells, strict=True)
        ]


def shows_the_best_where_it_stands(sheet):
    """What is marked as the best of a column is as good as any of it, as far as its digits show."""
    for one in sheet.fields:
        if one.best is None or one.is_by_row or one.kind == "interval":
            continue
        numbers = sheet.frame[one.key].to_numpy(np.float64, na_value=np.nan)
        marked = np.array([cell.is_best for cell in values.read_column(sheet, one)], bool)
        sign = 1 if one.best == "highest" else -1
        rest = sign * numbers[~marked & ~np.isnan(numbers)]
        assert not marked.any() or not len(rest) or (sign * numbers[marked]).min() >= rest.max() - 1e-2, one.key


def shows_points_with_their_intervals(sheet):
    """An interval is on pages only where what it is around is."""
    fields = {one.key: one for one in sheet.fields}
    for key, one in fields.items():
        point = fields.get(POINTS.get(key) or key.removesuffix("_interval")) if one.kind == "interval" else None
        assert point is None or point is one or one.off_pages or not point.off_pages, key


def is_sorted(found, order):
    """Whether numbers fall, or rise; what is missing stands last."""
    numbers = np.asarray(found, np.float64)
    numbers = numbers[~np.isnan(numbers)]
    steps = np.diff(numbers)
    return bool((steps <= 1e-9).all() if order == "falls" else (steps >= -1e-9).all())


ALL = (
    *(has_what_it_names, reads_well, explains_each_column_by_its_own_term),
    *(has_headings_for_people, names_a_and_b_alike, shows_the_best_where_it_stands, shows_points_with_their_intervals),
    *(is_written_as_its_kind, is_possible, adds_up, has_stars_where_p_is_small),
)
