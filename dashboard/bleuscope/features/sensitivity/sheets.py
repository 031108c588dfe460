"""What settings do to the order of systems, as sheets."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bleucore import BleuOptions
from bleucore.metrics import metric_of
from bleucore.robustness.rankings import ranks
from bleucore.robustness.sensitivity import SensitivityGrid, SettingResult
from bleuscope.content.scores.flip_sheets import FLIPS, PAIRS, SIGNIFICANT_FLIPS, flip_columns
from bleuscope.content.sheets.builders import SYSTEM, Facts, FilledField, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.features.sensitivity.words import (
    AXIS_TITLES,
    EFFECT_HELP,
    NO_CHOICE,
    method_words,
    pair_told,
    repeats_told,
    setting_named,
)


def settings_sheet(grid: SensitivityGrid, facts: Facts) -> Sheet:
    """Every setting with what it reverses, and the score of every system: of a single one, that alone is read."""
    results, has_pairs = grid.results, grid.n_pairs > 0
    columns: list[FilledField] = [
        (
            Field(axis.name, AXIS_TITLES[axis.name], "text"),
            [result.setting.values[axis.name] for result in results],
        )
        for axis in grid.axes
    ]
    columns += [
        (replace(FLIPS, for_machines=not has_pairs), [len(result.flips) for result in results]),
        (replace(SIGNIFICANT_FLIPS, for_machines=not has_pairs), [result.significant_flips for result in results]),
        (replace(PAIRS, for_machines=not has_pairs), [grid.n_pairs] * len(results)),
        (
            Field("repeats", "as another", "yes or no", explanation="Another setting gives the same: not counted."),
            np.array([result.repeats for result in results], np.bool_),
        ),
    ]
    for place, name in enumerate(grid.systems):
        field = Field(f"{grid.metric_name.casefold()}_{place + 1}", name, "score", for_machines=has_pairs)
        columns.append((field, [float(result.scores[place]) for result in results]))
    return sheet_of(
        "settings",
        (
            f"{grid.metric_name} in every combination of settings, against the present one, which stands first.",
            *((NO_CHOICE, method_words(grid)) if has_pairs else ()),
            *(str(told) for told in repeats_told(grid)),
        ),
        columns,
        facts,
        title="Settings",
    )


def pairs_sheet(grid: SensitivityGrid, facts: Facts, most: int | None = None) -> Sheet:
    """How every pair of systems stands over all settings, or so many of the least firm."""
    pairs = grid.pairs()[:most]
    return sheet_of(
        "pairs",
        ("Pairs of systems over all settings, the least firm first.",),
        [
            (Field("ahead", "better now", "text", names_system=True), [pair.ahead for pair in pairs]),
            (Field("behind", "worse now", "text", names_system=True), [pair.behind for pair in pairs]),
            (Field("n_ahead", "same order", "count"), [pair.n_ahead for pair in pairs]),
            (Field("n_tied", "tied", "count"), [pair.n_tied for pair in pairs]),
            (Field("n_behind", "reversed", "count"), [pair.n_behind for pair in pairs]),
            (Field("n_significant", "significant on both sides", "count"), [pair.n_significant for pair in pairs]),
            (Field("settings", "of", "count"), [pair.n_settings for pair in pairs]),
            (Field("told", "in words", "text", off_pages=True), [str(pair_told(pair)) for pair in pairs]),
        ],
        facts,
        title="Pairs over all settings",
    )


def ranks_sheet(grid: SensitivityGrid, facts: Facts) -> Sheet:
    """From which rank to which every system goes."""
    found, shares = grid.ranks(), grid.rank_shares()
    present = ranks(grid.gains(grid.base.scores))
    columns: list[FilledField] = [
        (SYSTEM, grid.systems),
        (Field(grid.metric_name.casefold(), f"{grid.metric_name} now", "score"), grid.base.scores),
        (Field("rank", "rank now", "statistic"), present),
        (Field("best_rank", "best", "statistic"), found.min(axis=0)),
        (Field("worst_rank", "worst", "statistic"), found.max(axis=0)),
    ]
    for place in range(len(grid.systems)):
        explained = f"The share of settings with rank {place + 1}; ties have the better rank."
        columns.append((Field(f"share_{place + 1}", str(place + 1), "ratio", explanation=explained), shares[:, place]))
    return sheet_of("ranks", ("Ranks over all settings.",), columns, facts, title="Ranks over all settings")


def effects_sheet(grid: SensitivityGrid, facts: Facts) -> Sheet:
    """What each axis does by itself."""
    effects = grid.effects()
    values = {axis.name: ", ".join(axis.values[place] for place in axis.distinct) for axis in grid.axes}
    return sheet_of(
        "axes",
        ("What the choice of each setting does by itself.", EFFECT_HELP),
        [
            (Field("axis", "setting", "text"), [AXIS_TITLES[effect.axis] for effect in effects]),
            (Field("values", "values", "text", off_pages=True), [values[effect.axis] for effect in effects]),
            (Field("flips", "reversed pairs", "statistic", explanation=EFFECT_HELP), [e.flips for e in effects]),
            (Field("share", "share", "ratio"), [effect.share for effect in effects]),
        ],
        facts,
        title="What matters most",
    )


def flips_sheet(grid: SensitivityGrid, facts: Facts) -> Sheet:
    """Every pair that some setting reverses."""
    found = [(setting_named(result.setting), flip) for result in grid.counted for flip in result.flips]
    return sheet_of(
        "flips",
        ("Pairs of systems in the opposite order to that of the present setting.", method_words(grid)),
        [
            (Field("setting", "setting", "text"), [name for name, _ in found]),
            *flip_columns([flip for _, flip in found]),
        ],
        facts,
        title="Reversed pairs",
    )


def sensitivity_document(grid: SensitivityGrid) -> Mapping[str, object]:
    """The whole grid for machines."""
    return {
        "metric": grid.metric_name,
        "base": _setting_document(grid.base, grid),
        "settings": [_setting_document(result, grid) for result in grid.results],
        "pairs_of_systems": [
            {
                "ahead": pair.ahead,
                "behind": pair.behind,
                "n_ahead": pair.n_ahead,
                "n_tied": pair.n_tied,
                "n_behind": pair.n_behind,
                "settings": pair.n_settings,
                "in_words": str(pair_told(pair)),
            }
            for pair in grid.pairs()
        ],
        "axes": [
            {
                "name": axis.name,
                "values": list(axis.values),
                "counted": [axis.values[place] for place in axis.distinct],
                "flips": next((effect.flips for effect in grid.effects() if effect.axis == axis.name), None),
            }
            for axis in grid.axes
        ],
        "test_signature": grid.tests.signature(),
    }


def _setting_document(result: SettingResult, grid: SensitivityGrid) -> Mapping[str, object]:
    setting, options = result.setting, result.setting.options
    own: dict[str, object] = {}
    if isinstance(options, BleuOptions):
        own = {"tokenize": options.tokenizer, "lowercase": options.lowercase, "smooth_method": options.smoothing}
    further = {
        name: setting.values[name]
        for name in ("preset", "filter", *(() if own else ("case",)))
        if name in setting.values
    }
    n_references = 1 if setting.is_mean else len(setting.references)
    return {
        **own,
        "references": list(setting.references),
        **({"mean_of_single_references": True} if setting.is_mean else {}),
        **further,
        "scores": dict(zip(grid.systems, result.scores.tolist(), strict=True)),
        "flips": len(result.flips),
        "significant_flips": result.significant_flips,
        "pairs": grid.n_pairs,
        "counted": not result.repeats,
        "signature": metric_of(options).signature(options, n_references),
    }


SHEETS = {
    "settings": settings_sheet,
    "pairs": pairs_sheet,
    "axes": effects_sheet,
    "ranks": ranks_sheet,
    "flips": flips_sheet,
}
"""By name; the first is what a form with a single table holds."""
