"""Runs and recipes as sheets."""

from collections.abc import Sequence

import numpy as np

from bleucore import MetricEvaluation
from bleucore.experiments.claims import RunStudy
from bleucore.experiments.design import Level
from bleucore.experiments.factors import FactorTable, LevelChange, factor_table, factor_tables, single_changes
from bleuscope.content.sheets.builders import Facts, FilledField, ends_of, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.features.runs.words import (
    REMARKS,
    VARIANCE_HELP,
    baseline_word,
    level_told,
    method_words,
    recipe_claim_told,
    recipe_told,
    run_claim_told,
    settings_told,
)

MORE_RUNS, MORE_ITEMS = (1, 2, 3, 5), (1, 2, 4)


def facts_of(digest: str, metric: MetricEvaluation, study: RunStudy) -> dict[str, str | int | float]:
    """What holds for all sheets of a study."""
    return {
        "digest": digest,
        "metric": metric.name,
        "baseline": study.baseline,
        "signature": metric.signature,
        "test_signature": study.comparison.options.signature(),
    }


def recipes_sheet(study: RunStudy, facts: Facts) -> Sheet:
    """Each recipe with its runs."""
    found = study.recipes
    columns: list[FilledField] = [
        (Field("recipe", "recipe", "text"), [one.recipe for one in found]),
        (Field("told", "mean ± s.d.", "text"), [recipe_told(one) for one in found]),
        (Field("runs", "runs", "count", for_machines=True), [len(one.systems) for one in found]),
        (Field("mean", "mean", "metric score"), [one.mean for one in found]),
        (Field("deviation", "s.d.", "metric score", for_machines=True), numbers_of(found, lambda one: one.deviation)),
        (
            Field("interval", "95 % CI", "interval", explanation="Of the recipe: items and runs are sampled."),
            ends_of([one.interval for one in found]),
        ),
        (Field("systems", "systems", "text", for_machines=True), ["; ".join(one.systems) for one in found]),
    ]
    return sheet_of("recipes", ("Recipes with their runs.",), columns, facts, title="Recipes")


def claims_sheet(study: RunStudy, facts: Facts) -> Sheet:
    """Both claims about each recipe and the baseline; the facts hold the name of the metric."""
    claims = study.claims
    remarks = [" ".join(filter(None, (one.reason, *(make(one) for make in REMARKS)))) for one in claims]
    columns: list[FilledField] = [
        (Field("recipe", "recipe", "text"), [one.recipe for one in claims]),
        (Field("other", baseline_word(study), "text"), [one.other for one in claims]),
        (Field("difference", "Δ of means", "difference"), [one.difference for one in claims]),
        (Field("interval", "95 % CI", "interval", ends="difference"), ends_of([one.interval for one in claims])),
        (Field("p_value", "p alone", "p", for_machines=True), numbers_of(claims, lambda one: one.p_value)),
        (
            Field("corrected_p_value", "p", "p", marked_by="significant", explanation="The recipe is better."),
            numbers_of(claims, lambda one: one.corrected_p_value),
        ),
        (
            Field("significant", "significant", "yes or no", for_machines=True),
            np.array([study.is_significant(one) for one in claims], np.bool_),
        ),
        (
            Field("freedom", "d.f.", "statistic", explanation="Satterthwaite's degrees of freedom."),
            numbers_of(claims, lambda one: None if one.p_value is None else one.estimate.parts.freedom),
        ),
        (
            Field(
                "exchange_p_value", "p of exchange", "p", explanation="Over all ways to assign the runs to the recipes."
            ),
            numbers_of(claims, lambda one: None if one.exchange is None else one.exchange.p_value),
        ),
        (Field("runs_better", "runs better", "count"), [one.n_better for one in claims]),
        (Field("runs_worse", "worse", "count"), [one.n_worse for one in claims]),
        (Field("run_pairs", "of pairs", "count"), [len(one.pairs) for one in claims]),
        (
            Field("recipe_in_words", "recipe", "text", for_machines=True),
            [str(recipe_claim_told(study, one, str(facts["metric"]))) for one in claims],
        ),
        (
            Field("runs_in_words", "runs", "text", for_machines=True),
            [str(run_claim_told(study, one, str(facts["metric"]))) for one in claims],
        ),
        (Field("remark", "remark", "text", off_pages=True), remarks),
    ]
    return sheet_of(
        "claims",
        (f"Each recipe against the {baseline_word(study)}.", method_words(study)),
        columns,
        facts,
        title="Claims",
    )


def variance_sheet(study: RunStudy, facts: Facts) -> Sheet:
    """Where the variance of each recipe, and of each difference, comes from."""
    rows = [(one.recipe, one.estimate.parts) for one in study.recipes]
    rows += [(f"{one.recipe} − {one.other}", one.estimate.parts) for one in study.claims]
    parts = [found for _, found in rows]
    columns: list[FilledField] = [
        (Field("of", "recipe or Δ", "text"), [name for name, _ in rows]),
        (
            Field("items", "s.e. by items", "metric score"),
            [float(np.sqrt(one.items + one.interaction)) for one in parts],
        ),
        (
            Field("runs", "s.e. by runs", "metric score"),
            numbers_of(parts, lambda one: None if one.runs is None else float(np.sqrt(one.runs))),
        ),
        (
            Field("run_share", "share of runs", "ratio", explanation=VARIANCE_HELP),
            numbers_of(parts, lambda one: one.run_share),
        ),
    ]
    return sheet_of("variance", ("The variance by its source.", VARIANCE_HELP), columns, facts, title="Variance")


def planning_sheet(study: RunStudy, facts: Facts) -> Sheet:
    """Half of the width of each interval with more runs or segments."""
    rows = [
        (claim, runs, items)
        for claim in study.claims
        if claim.reason is None
        for runs in MORE_RUNS
        for items in MORE_ITEMS
    ]
    columns: list[FilledField] = [
        (Field("recipe", "recipe", "text"), [claim.recipe for claim, _, _ in rows]),
        (Field("other", "baseline", "text"), [claim.other for claim, _, _ in rows]),
        (Field("runs", "runs of both", "count"), [sum(claim.n_runs) * runs for claim, runs, _ in rows]),
        (Field("segments", "segments", "count"), [study.runs.n_segments * items for _, _, items in rows]),
        (
            Field("half_width", "95 % CI ±", "metric score"),
            [claim.estimate.parts.half_width(runs, items) for claim, runs, items in rows],
        ),
    ]
    said = "How wide the interval of each difference would be with more runs or segments, taken by itself."
    return sheet_of("planning", (said,), columns, facts, title="More runs or segments")


def pairs_sheet(study: RunStudy, facts: Facts) -> Sheet:
    """Each run against each run of the baseline, as systems."""
    pairs = [pair for claim in study.claims for pair in claim.pairs]
    columns: list[FilledField] = [
        (Field("system", "run", "text", names_system=True), [one.name for one in pairs]),
        (Field("other", "run of the baseline", "text", names_system=True), [one.other for one in pairs]),
        (Field("difference", "Δ", "difference"), [one.difference for one in pairs]),
        (Field("interval", "95 % CI", "interval", ends="difference"), ends_of([one.interval for one in pairs])),
        (
            Field("corrected_p_value", "p", "p", marked_by="significant"),
            numbers_of(pairs, lambda one: one.corrected_p_value),
        ),
        (
            Field("significant", "significant", "yes or no", for_machines=True),
            np.array([study.comparison.is_significant(one) for one in pairs], np.bool_),
        ),
    ]
    said = "Single runs compared as systems: nothing is said about recipes."
    return sheet_of("pairs", (said, method_words(study)), columns, facts, title="Pairs of runs")


def factors_sheet(study: RunStudy, facts: Facts) -> Sheet:
    """The levels of every factor."""
    return _levels_sheet(study, factor_tables(study), facts)


def factor_sheet(study: RunStudy, facts: Facts, factor: str) -> Sheet:
    """The levels of one factor."""
    return _levels_sheet(study, (factor_table(study, factor),), facts)


def axis_sheet(study: RunStudy, facts: Facts, factor: str, other: Level | None = None) -> Sheet:
    """Each level of a factor against one of them: on average, and in each combination of the other factors."""
    means = [one.change for one in factor_table(study, factor, other).levels if one.change is not None]
    each = single_changes(study.runs, study.design, factor, other)
    changes = [*means, *each] if len(each) > len(means) else means
    columns: list[FilledField] = [
        (Field("level", factor, "text"), [level_told(one.level) for one in changes]),
        (Field("other", "against", "text"), [level_told(one.other) for one in changes]),
        (Field("settings", "other factors", "text"), [settings_told(one) for one in changes]),
        (Field("combinations", "combinations", "count", for_machines=True), [one.n_settings for one in changes]),
        *_change_columns(study, changes),
        (Field("comparisons", "corrected for", "count", for_machines=True), [one.n_comparisons for one in changes]),
    ]
    said = "Levels compared on the same items, with all other factors the same."
    return sheet_of("axis", (said,), columns, facts, title=f"Comparison by {factor}")


def _change_columns(study: RunStudy, changes: Sequence[LevelChange | None]) -> list[FilledField]:
    significant = [one is not None and one.p_value is not None and one.p_value < study.level for one in changes]
    return [
        (
            Field("change", "Δ", "difference", explanation="To the other level, with all other factors the same."),
            numbers_of(changes, lambda one: None if one is None else one.estimate.value),
        ),
        (
            Field("change_interval", "95 % CI of Δ", "interval", ends="difference"),
            ends_of([None if one is None else one.interval for one in changes]),
        ),
        (
            Field("p_value", "p", "p", marked_by="significant", explanation="Corrected for the changes compared."),
            numbers_of(changes, lambda one: None if one is None else one.p_value),
        ),
        (Field("significant", "significant", "yes or no", for_machines=True), np.array(significant, np.bool_)),
    ]


def _levels_sheet(study: RunStudy, tables: Sequence[FactorTable], facts: Facts) -> Sheet:
    rows = [(table, level) for table in tables for level in table.levels]
    columns: list[FilledField] = [
        (Field("factor", "factor", "text"), [table.factor for table, _ in rows]),
        (Field("level", "level", "text"), [level_told(level.level) for _, level in rows]),
        (Field("recipes", "recipes", "count"), [len(level.recipes) for _, level in rows]),
        (Field("runs", "runs", "count"), [level.n_runs for _, level in rows]),
        (Field("mean", "mean", "metric score"), [level.estimate.value for _, level in rows]),
        (Field("interval", "95 % CI", "interval"), ends_of([level.interval for _, level in rows])),
        (Field("other", "against", "text", for_machines=True), [level_told(table.other) for table, _ in rows]),
        *_change_columns(study, [level.change for _, level in rows]),
        (
            Field("noise", "variance of runs from", "text", for_machines=True),
            [table.noise for table, _ in rows],
        ),
    ]
    said = "Mean scores by level; the same items are resampled for all levels, and each recipe counts once."
    return sheet_of("factors", (said,), columns, facts, title="Factors")


SHEETS = {
    "recipes": recipes_sheet,
    "claims": claims_sheet,
    "variance": variance_sheet,
    "planning": planning_sheet,
    "pairs": pairs_sheet,
    "factors": factors_sheet,
}
"""By name; the first is what a form with a single table holds."""
