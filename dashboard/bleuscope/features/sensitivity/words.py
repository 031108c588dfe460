"""What settings come to, in sentences."""

from collections.abc import Mapping

from bleucore.robustness.sensitivity import ALL_REFERENCES, MEAN, AxisName, PairSupport, SensitivityGrid, Setting
from bleuscope.content.paper.citations import POST, cited
from bleuscope.content.paper.methods import Part, in_a_row
from bleuscope.content.significance.significance_words import flip_test_words
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, isolated, joined, note, sentence, strong, verdict

AXIS_TITLES: Mapping[AxisName, str] = {
    "tokenizer": "tokenizer",
    "case": "case",
    "references": "references",
    "smoothing": "smoothing",
    "preset": "preset",
    "filter": "segments",
}
NO_CHOICE = "Do not pick a setting from this grid: p-values hold only for a setting chosen in advance."
EFFECT_HELP = "Reversed pairs between settings that differ only in this one, on average."
MOST_LISTED = 300
"""Pairs on a page, those of 25 systems."""
GRID_READ = "Hollow: all within noise. Filled: at least one significant on both sides."
GRID_CAPTION = f"{GRID_READ} Click to score with that tokenizer, case and smoothing."
MOST_PAIRS = 5


def listed_note(grid: SensitivityGrid) -> Text:
    """That a page lists the first of many pairs; empty where it lists all."""
    if grid.n_pairs <= MOST_LISTED:
        return Text()
    listed = f"The {MOST_LISTED} least firm of {numbers.counted(grid.n_pairs, 'pair')}"
    return note("{}. The exported table lists all of them.", listed)


def answer(grid: SensitivityGrid) -> Sentence | None:
    """How many pairs keep their order under all settings."""
    if not grid.n_pairs:
        return None
    return sentence(f"{_firm_pairs(grid)} order under all {len(grid.counted)} settings.")


def _firm_pairs(grid: SensitivityGrid) -> str:
    """Which pairs keep their order: "16 of 28 pairs keep their", or of a single pair whether it does."""
    firm = sum(pair.n_behind == 0 for pair in grid.pairs())
    if grid.n_pairs == 1:
        return "The two systems keep their" if firm else "The two systems do not keep their"
    if firm == grid.n_pairs:
        return "Every pair keeps its"
    return (
        f"{numbers.count(firm)} of {numbers.counted(grid.n_pairs, 'pair')} {'keeps its' if firm == 1 else 'keep their'}"
    )


def verdict_of(grid: SensitivityGrid) -> Text:
    """How firm the order of systems is, and what matters most."""
    n_settings = len(grid.counted)
    if grid.n_pairs == 0:
        return verdict("There is only one system, so there is no order to change.")
    if n_settings == 1:
        return verdict("None of the varied settings changes a score.")
    said = sentence(f"{_firm_pairs(grid)} order under all {n_settings} settings.")
    effects = [effect for effect in grid.effects() if effect.flips > 0]
    if effects:
        most = effects[0]
        said = sentence(
            (
                f"{{}} The choice of {AXIS_TITLES[most.axis]} matters most: it alone reverses "
                f"{most.flips:.1f} pairs on average, {numbers.percent(most.share)} of the sum over all choices."
            ),
            said,
        )
    return verdict("{}", said)


def least_firm(grid: SensitivityGrid) -> list[Sentence]:
    """The pairs that settings reverse, those first of which can be said when, and that both sides mean."""
    turned = [pair for pair in grid.pairs() if pair.n_behind]
    turned.sort(key=lambda pair: (not pair.common, -pair.n_significant))
    return [pair_told(pair) for pair in turned[:MOST_PAIRS]]


def pair_told(pair: PairSupport) -> Sentence:
    """How a pair stands: "A over B in 61 of 64 settings; the 3 others are all reference B"."""
    said = sentence(
        f"{{}} over {{}} in {pair.n_ahead} of {pair.n_settings} settings", strong(pair.ahead), strong(pair.behind)
    )
    if pair.n_tied:
        said = sentence(f"{{}}, tied in {pair.n_tied}", said)
    if not pair.n_behind:
        return sentence("{}.", said)
    others = f"the {pair.n_behind} others" if pair.n_behind > 1 else "the other"
    if not pair.common:
        return sentence(f"{{}}. {others[0].upper()}{others[1:]} have nothing in common.", said)
    common = joined(" and ", [_with(axis, value) for axis, value in pair.common.items()])
    are = "is" if pair.n_behind == 1 else "are exactly those" if pair.covers else "are among those"
    return sentence(f"{{}}; {others} {are} {{}}.", said, common)


def _with(axis: AxisName, value: str) -> Sentence:
    """A value as it stands behind "are all": "with tokenizer char", "with reference B", "on without d1"."""
    says_itself = axis == "references" and (value in (ALL_REFERENCES, MEAN) or value.lower().startswith("reference"))
    title = "" if says_itself else "reference " if axis == "references" else f"{AXIS_TITLES[axis]} "
    return sentence(f"with {title}{{}}", isolated(value))


def repeats_told(grid: SensitivityGrid) -> list[Sentence]:
    """Which values are not counted, and why."""
    found = []
    for axis in grid.axes:
        same = [value for value, earlier in zip(axis.values, axis.repeats, strict=True) if earlier is not None]
        if not same:
            continue
        why = ": every order has a match" if axis.name == "smoothing" else ""
        firsts = {axis.values[earlier] for earlier in axis.repeats if earlier is not None}
        named = joined(" and ", [isolated(value) for value in same])
        as_named = joined(", ", [isolated(value) for value in axis.values if value in firsts])
        what = AXIS_TITLES[axis.name].capitalize()
        give = "gives" if len(same) == 1 else "give"
        found.append(sentence(f"{what} {{}} {give} the same scores as {{}}{why}.", named, as_named))
    return found


def setting_named(setting: Setting) -> str:
    """A setting in short: its values."""
    return ", ".join(setting.values.values())


def method_words(grid: SensitivityGrid) -> str:
    """How pairs that are reversed are tested."""
    return flip_test_words(grid.tests)


def sensitivity_method(grid: SensitivityGrid) -> Part:
    """What to write into a paper: in how many settings the order of systems was looked at, and how firm it is."""
    varied = [axis for axis in grid.axes if len(axis.distinct) > 1]
    said = in_a_row(
        [f"{AXIS_TITLES[axis.name]} ({', '.join(axis.values[place] for place in axis.distinct)})" for axis in varied]
    )
    firm = sum(pair.n_behind == 0 for pair in grid.pairs())
    significant = sum(pair.n_significant > 0 for pair in grid.pairs())
    words = (
        f"As scores depend on settings ({cited(POST)}), systems were also scored in every combination of {said}: in "
        f"all {len(grid.counted)} settings {firm} of {numbers.counted(grid.n_pairs, 'pair')} of systems stand as "
        f"reported, and {significant or 'none'} of the others are significant in opposite directions in two of them."
    )
    return words, (POST,)
