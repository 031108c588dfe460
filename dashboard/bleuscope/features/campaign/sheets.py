"""Campaigns as sheets: the matrix, each cell, each set, the systems and the pairs over all sets."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

import numpy as np

from bleucore import BleuOptions
from bleucore.campaign import CampaignPair
from bleucore.campaign.campaign import HOLM_OF_RUNS
from bleuscope.content.sheets.builders import SYSTEM, Facts, FilledField, ends_of, numbers_of, rows_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Note, Sheet
from bleuscope.content.significance.significance_sheets import CLUSTER, INTERVAL
from bleuscope.content.style import numbers
from bleuscope.content.style.terms import term
from bleuscope.content.style.wordings import SIGNIFICANCE, words_of
from bleuscope.features.campaign.view import CampaignView, MatrixCell, SetGroup, languages_of

TEST_SET = Field("test_set", "test set", "text")
RANK = Field("rank", "rank", "count", explanation="1 + the number of systems with a better score on this test set.")
MEAN_RANK = Field(
    "mean_rank", "mean rank", "statistic", best="lowest", explanation="Over the test sets that have every system."
)
NET_WINS = Field(
    "net_wins",
    "wins − losses",
    "count",
    best="highest",
    explanation="Wins minus losses against other systems, over all test sets.",
)
N_SETS = Field("n_sets", "test sets", "count", explanation="Test sets with this system.")
SCALES_DIFFER = "Scores of different test sets have no common scale: prefer mean ranks, wins and losses."
OF_MEANS = "Scores are means of runs. Where a system has several, tests include the variance of runs."
P_OF_RUNS = "Where a system has several runs, p is of Student's t with the variance of segments and runs."
NO_P = "no p"
MOST_RECIPES = 8
"""That are named in a sentence."""
MEAN_SCORE = "The mean over the test sets that have every system. " + SCALES_DIFFER
P_CORRECTED = Field(
    "p_corrected", "p", "p", marked_by="significant", explanation=term("p corrected").replace("comparisons", "pairs")
)
BETTER_ON = "B is better on at least this many test sets. The chance that this is too many is at most half of α."
WORSE_ON = "A is better on at least this many test sets, with the same guarantee."


def facts_of(view: CampaignView) -> Facts:
    """What holds for all numbers of a campaign, for machines."""
    campaign = view.campaign
    signatures = sorted({one.signature for one in view.sets})
    return {
        "campaign": view.title,
        "n_test_sets": len(view.sets),
        **({"test_sets_with_errors": "; ".join(view.faulty_sets)} if view.faulty_sets else {}),
        "metric": view.metric,
        "higher_is_better": view.higher_is_better,
        **({"signature": signatures[0]} if len(signatures) == 1 else {}),
        "level": campaign.level,
        "correction": campaign.correction,
        "trials": campaign.n_trials,
        **_asked_facts(view),
    }


def _asked_facts(view: CampaignView) -> Facts:
    """What tests were asked for: the seed, and the options that give the same numbers again; not where sets differ."""
    asked = view.campaign.asked
    return {} if asked is None else {"seed": asked.seed, "test_options": shlex.join(words_of(asked, SIGNIFICANCE))}


def matrix_sheet(view: CampaignView, systems: Sequence[str] | None = None, groups: Sequence[SetGroup] = ()) -> Sheet:
    """Systems by test sets, a score a cell and nothing where there is none; best first unless told."""
    shown = tuple(systems or view.order())
    sets = [one for group in groups or view.groups() for one in group.sets]
    best = "highest" if view.higher_is_better else "lowest"
    columns: list[FilledField] = [(SYSTEM, shown), *_standing_columns(view, shown)]
    for one in sets:
        scores = [one.score(name) for name in shown]
        blank = {row: Note("") for row, score in enumerate(scores) if score is None}
        blank |= {
            row: Note(f"{numbers.score(cell.score)} ± {numbers.score(cell.deviation)}")
            for row, name in enumerate(shown)
            if (cell := view.cells.get((name, one.name))) is not None and cell.deviation is not None
        }
        key = f"{view.metric.casefold()}_{one.name}"
        field = Field(key, one.name, "score", best=best, explanation=set_words(one), notes=blank)  # type: ignore[arg-type]
        columns.append((field, np.array(scores, np.float64)))
    said = f"{scored(view)} of every system on every test set; an empty cell: no output. {SCALES_DIFFER}"
    of_runs = [OF_MEANS] if view.has_runs else []
    return sheet_of(
        "matrix", (said, *of_runs, signature_sentence(view)), columns, facts_of(view), title=f"{view.title}: scores"
    )


def recipes_sheet(view: CampaignView) -> Sheet:
    """Recipes by test sets: the mean and the standard deviation of the runs of each, best first."""
    shown = view.order()
    columns: list[FilledField] = [
        (Field("recipe", "recipe", "text"), shown),
        (Field("runs", "runs", "count"), [len(view.recipes[recipe]) for recipe in shown]),
    ]
    for one in view.sets:
        scores = [[score for _, score in one.runs_of(recipe)] for recipe in shown]
        told = {row: Note(_spread_told(some)) for row, some in enumerate(scores)}
        key = f"{view.metric.casefold()}_{one.name}"
        means = [fmean(some) if some else np.nan for some in scores]
        columns += [
            (Field(key, one.name, "score", explanation=set_words(one), notes=told), np.array(means, np.float64)),
            (
                Field(f"{key}_deviation", f"± s.d., {one.name}", "score", off_pages=True),
                np.array([stdev(some) if len(some) > 1 else np.nan for some in scores], np.float64),
            ),
            (Field(f"{key}_runs", f"runs, {one.name}", "count", for_machines=True), [len(some) for some in scores]),
        ]
    said = f"Mean {scored(view)} ± SD of the runs of each recipe on every test set. {runs_told(view)}"
    title = f"{view.title}: recipes"
    return sheet_of("recipes", (said, signature_sentence(view)), columns, facts_of(view), title=title)


def _spread_told(scores: Sequence[float]) -> str:
    """The mean of some runs and their standard deviation: "36.1 ± 0.4"."""
    if not scores:
        return ""
    return numbers.score(fmean(scores), 1) + (f" ± {numbers.score(stdev(scores), 1)}" if len(scores) > 1 else "")


def runs_told(view: CampaignView) -> str:
    """Which systems are runs of one recipe, and what differences claim; in sentences."""
    several = [(recipe, runs) for recipe, runs in view.recipes.items() if len(runs) > 1]
    told = [f"{recipe} ({numbers.counted(len(runs), 'run')})" for recipe, runs in several[:MOST_RECIPES]]
    more = [f"{numbers.count(len(several) - MOST_RECIPES)} more"] if len(several) > MOST_RECIPES else []
    if not several:
        return "No name shows that systems are runs of one recipe."
    return f"Systems that are runs of one recipe: {', '.join([*told, *more])}. {OF_MEANS}"


def cells_sheet(view: CampaignView) -> Sheet:
    """Every cell in a row of its own: score, interval, rank, cluster, and the difference from the baseline."""
    rows = [
        (one, name, view.cells[name, one.name]) for one in view.sets for name in _ranked(view, one.systems, one.name)
    ]
    cells = [cell for _, _, cell in rows]
    columns: list[FilledField] = [
        (TEST_SET, [one.name for one, _, _ in rows]),
        (SYSTEM, [name for _, name, _ in rows]),
        (
            Field(view.metric.casefold(), f"{view.metric} {'↑' if view.higher_is_better else '↓'}", "score"),
            [cell.score for cell in cells],
        ),
        (INTERVAL, ends_of([cell.interval for cell in cells])),
        (RANK, [cell.rank for cell in cells]),
    ]
    if view.compares_all_pairs:
        unsurpassed = Field(
            "unsurpassed", "unsurpassed", "yes or no", explanation="No system is significantly better there."
        )
        columns += [
            (CLUSTER, numbers_of(cells, lambda cell: cell.cluster)),
            (unsurpassed, [cell.is_unsurpassed for cell in cells]),
        ]
    if view.baseline is not None:
        columns += _against_columns(cells)
    return sheet_of(
        "cells",
        (
            "Every output of every test set, best first within each.",
            *_baseline_sentence(view),
            *([] if view.baseline is None else points_down(view, "the system")),
            signature_sentence(view),
        ),
        columns,
        facts_of(view),
        title=f"{view.title}: every cell",
    )


def sets_sheet(view: CampaignView) -> Sheet:
    """What each test set is: languages, size, units, signature."""
    sets = view.sets
    return sheet_of(
        "test_sets",
        ("The test sets.",),
        [
            (TEST_SET, [one.name for one in sets]),
            (Field("languages", "languages", "text"), [languages_of(one) or None for one in sets]),
            (Field("domain", "domain", "text"), [one.domain for one in sets]),
            (Field("n_segments", "segments", "count"), [one.n_segments for one in sets]),
            (Field("n_documents", "documents", "count"), numbers_of(sets, lambda one: one.n_documents)),
            (Field("n_systems", "systems", "count"), [len(one.systems) for one in sets]),
            (Field("unit", "test unit", "text"), [one.unit for one in sets]),
            (Field("signature", "signature", "text"), [one.signature for one in sets]),
            (Field("digest", "digest", "text", for_machines=True), [one.digest for one in sets]),
        ],
        facts_of(view),
        title=f"{view.title}: test sets",
    )


def systems_sheet(view: CampaignView, systems: Sequence[str] | None = None) -> Sheet:
    """The systems over all sets: mean rank, wins and losses against all others, mean score."""
    shown = tuple(systems or view.order())
    wins, losses = zip(*map(view.won_and_lost.__getitem__, shown), strict=True)
    unsurpassed = Counter(name for (name, _), cell in view.cells.items() if cell.is_unsurpassed)
    means = [view.campaign.mean_score(name) for name in shown]
    columns: list[FilledField] = [
        (SYSTEM, shown),
        *_standing_columns(view, shown),
        (N_SETS, [view.n_sets_of(name) for name in shown]),
        (
            Field(
                "wins",
                "wins",
                "count",
                explanation="Comparisons with another system on a test set where it is better.",
            ),
            wins,
        ),
        (
            Field("losses", "losses", "count", explanation="Comparisons where it is worse."),
            losses,
        ),
    ]
    if view.compares_all_pairs:
        ahead_of_it = Field(
            "n_unsurpassed",
            "unsurpassed",
            "count",
            best="highest",
            explanation="Test sets where no system is significantly better.",
        )
        columns.append((ahead_of_it, [unsurpassed[name] for name in shown]))
    if any(mean is not None for mean in means):
        heading = f"mean {unit_of(view)}: scales differ"
        columns.append((Field("mean_score", heading, "score", explanation=MEAN_SCORE), np.array(means, np.float64)))
    said = ("Systems over all test sets, best first.", *view.campaign.remarks, SCALES_DIFFER)
    return sheet_of("systems", said, columns, facts_of(view), title=f"{view.title}: systems over all test sets")


def pairs_sheet(view: CampaignView, most: int | None = None) -> Sheet:
    """Pairs of systems over the sets that have both; B is who is ahead on the whole, or not the baseline."""
    pairs = view.pairs[:most]
    return sheet_of(
        "pairs",
        (
            "Δ is B minus A, the mean over the test sets that have both.",
            *points_down(view, "B"),
            *_on_p(view),
            BETTER_ON,
        ),
        [
            (Field("a", "A", "text", names_system=True), [one.other for one in pairs]),
            (Field("b", "B", "text", names_system=True), [one.name for one in pairs]),
            (Field("n_sets", "sets", "count", explanation="Test sets that have both."), [one.n_sets for one in pairs]),
            (
                Field("wins", "B wins", "count", explanation="Test sets where B has the better score."),
                [one.wins for one in pairs],
            ),
            (
                Field("losses", "A wins", "count", explanation="Test sets where A has the better score."),
                [one.losses for one in pairs],
            ),
            (
                Field(
                    "significant_wins",
                    "B wins *",
                    "count",
                    explanation="Where B is significantly better within the set.",
                    off_pages=True,
                ),
                [one.significant_wins for one in pairs],
            ),
            (
                Field(
                    "significant_losses",
                    "A wins *",
                    "count",
                    explanation="Where A is significantly better within the set.",
                    off_pages=True,
                ),
                [one.significant_losses for one in pairs],
            ),
            (
                Field(
                    "mean_difference",
                    f"Δ {unit_of(view)}",
                    "difference",
                    explanation="Mean over the test sets; their scales differ.",
                ),
                numbers_of(pairs, lambda one: one.mean_difference),
            ),
            (Field("p", "p, not corrected", "p", off_pages=True), numbers_of(pairs, lambda one: one.p_value)),
            (replace(P_CORRECTED, notes=_without_p(pairs)), numbers_of(pairs, lambda one: one.corrected_p_value)),
            (
                Field("n_sets_better", "B better on ≥", "count", explanation=BETTER_ON),
                [one.n_sets_better for one in pairs],
            ),
            (
                Field("n_sets_worse", "A better on ≥", "count", explanation=WORSE_ON),
                [one.n_sets_worse for one in pairs],
            ),
            (
                Field("significant", "significant", "yes or no", for_machines=True),
                [one.is_significant for one in pairs],
            ),
            *_claim_columns(pairs if view.has_runs else []),
        ],
        facts_of(view),
        title=f"{view.title}: pairs of systems over all test sets",
    )


def _on_p(view: CampaignView) -> list[str]:
    """How p of pairs is found, in sentences."""
    campaign = view.campaign
    trials = numbers.counted(campaign.n_trials, "trial")
    corrected = f"corrected ({campaign.correction}) for {numbers.counted(campaign.n_tested, 'pair')}"
    if not view.has_runs:
        return [f"p: stratified randomisation over these test sets, {trials}, {corrected}."]
    of_single = f"p of two single runs: stratified randomisation over these test sets, {trials}."
    of_holm = [HOLM_OF_RUNS] if HOLM_OF_RUNS in campaign.remarks else []
    return [*([of_single] if view.has_single_pairs else []), P_OF_RUNS, f"p is {corrected}.", *of_holm]


def _without_p(pairs: Sequence[CampaignPair]) -> dict[int, Note]:
    """Why there is no p, by row."""
    return {row: Note(NO_P, one.remark) for row, one in enumerate(pairs) if one.p_value is None and one.remark}


def _claim_columns(pairs: Sequence[CampaignPair]) -> list[FilledField]:
    """What each pair is a claim about, where some systems have runs."""
    if not pairs:
        return []
    told = ["run" if one.n_runs is None else f"recipe, {one.n_runs[1]} and {one.n_runs[0]} runs" for one in pairs]
    said = "Of recipes, p includes the variance of runs: those of A and of B."
    remarks = [one.remark or "" for one in pairs]
    remark = (Field("remark", "remark", "text", off_pages=True), remarks) if any(remarks) else None
    return [(Field("claim", "claim about", "text", explanation=said), told), *([remark] if remark else [])]


def differences_sheet(view: CampaignView, systems: Sequence[str] | None = None) -> Sheet:
    """The difference of each system from one of them on every test set that has both."""
    against = view.measured_against
    rows = [
        (name, one, pair)
        for name in systems or view.order()
        if name != against
        for one in view.sets
        if (pair := view.against_on(one, name)) is not None
    ]
    pairs = [pair for _, _, pair in rows]
    return sheet_of(
        "differences",
        (
            f"Each system minus {against}, by test set; p is corrected within each set.",
            *points_down(view, "the system"),
        ),
        [
            (SYSTEM, [name for name, _, _ in rows]),
            (TEST_SET, [one.name for _, one, _ in rows]),
            (
                Field("difference", f"Δ {unit_of(view)}", "difference", marked_by="significant"),
                [one.difference for one in pairs],
            ),
            (
                Field("difference_interval", "95 % interval of Δ", "interval", ends="difference"),
                ends_of([one.interval for one in pairs]),
            ),
            (
                Field("p_corrected", "p", "p", explanation="Corrected within the test set."),
                numbers_of(pairs, lambda one: one.corrected_p_value),
            ),
            (
                Field("significant", "significant", "yes or no", for_machines=True),
                [one.is_significant for one in pairs],
            ),
        ],
        facts_of(view),
        title=f"Differences from {against} by test set",
    )


def against_the_rest_sheet(view: CampaignView) -> Sheet:
    """Pairs with test sets where the system is surely better that is the worse one on the whole."""
    rows = [(pair, name) for pair in view.pairs for name in pair.sets_against]
    found = [(view.campaign.set_called(name).pair(pair.name, pair.other), pair) for pair, name in rows]
    return sheet_of(
        "against-the-rest",
        (
            "Test sets where a pair of systems changes places: the better system there is worse overall.",
            *points_down(view, "B"),
        ),
        [
            (TEST_SET, [name for _, name in rows]),
            (Field("a", "A", "text", names_system=True), [pair.other for pair, _ in rows]),
            (Field("b", "B", "text", names_system=True), [pair.name for pair, _ in rows]),
            (
                Field("difference", "Δ here", "difference", explanation="B minus A on this test set."),
                numbers_of([one for one, _ in found], lambda one: one.difference),
            ),
            (
                Field("mean_difference", "mean Δ", "difference", explanation="B minus A, the mean over all."),
                numbers_of([pair for _, pair in found], lambda one: one.mean_difference),
            ),
            (
                Field("p_same_way", "p of no change", "p", explanation=SAME_WAY),
                numbers_of([pair for _, pair in found], lambda one: one.heterogeneity.p_value),
            ),
        ],
        facts_of(view),
        title=f"{view.title}: test sets against the rest",
    )


SAME_WAY = "Probability of such a contradiction between test sets if all agreed."


def sets_against_sheet(view: CampaignView) -> Sheet:
    """The same by test set: how many pairs change places there, and which system gains most by that."""
    counts: dict[str, int] = {}
    gains: dict[str, dict[str, int]] = {}
    for pair in view.pairs:
        for name in pair.sets_against:
            counts[name] = counts.get(name, 0) + 1
            of_set = gains.setdefault(name, {})
            of_set[pair.other] = of_set.get(pair.other, 0) + 1
    names = sorted(counts, key=lambda name: -counts[name])
    return sheet_of(
        "sets-against-the-rest",
        ("Test sets where pairs of systems change places.",),
        [
            (TEST_SET, names),
            (
                Field("n_pairs", "pairs that change places", "count", explanation="Better there, worse overall."),
                [counts[name] for name in names],
            ),
            (
                Field(
                    "system",
                    "gains most there",
                    "text",
                    names_system=True,
                    explanation="The better one there in most of these pairs.",
                ),
                [max(gains[name], key=lambda one: gains[name][one]) for name in names],
            ),
        ],
        facts_of(view),
        title=f"{view.title}: test sets against the rest",
    )


def first_rows(sheet: Sheet, most: int) -> Sheet:
    """The beginning of a sheet."""
    return rows_of(sheet, range(min(most, len(sheet.frame))), title=sheet.title)


def document_of(view: CampaignView) -> Mapping[str, object]:
    """The campaign for machines. Of a pair, B minus A is meant everywhere."""
    return {
        "title": view.title,
        "metric": view.metric,
        "higher_is_better": view.higher_is_better,
        "baseline": view.baseline,
        "test_sets": [_set_document(view, one.name) for one in view.sets],
        "pairs": [_pair_document(one) for one in view.pairs],
        "systems": [
            {"name": name, "mean_rank": view.campaign.mean_rank(name), "n_sets": view.n_sets_of(name)}
            for name in view.order()
        ],
        "combined_test": dict(facts_of(view)),
        "remarks": list(view.campaign.remarks),
        "left_out": [{"path": path, "reason": reason} for path, reason in view.left_out],
        "failed": [{"name": name, "reason": reason} for name, reason in view.failed],
    }


def set_words(one: Any) -> str:  # noqa: ANN401  # a set result
    """A test set in a line: languages, domain, segments."""
    sizes = numbers.counted(one.n_segments, "segment"), numbers.counted(len(one.systems), "system")
    said = [languages_of(one), one.domain or "", *sizes]
    return ", ".join(filter(None, said))


def signature_sentence(view: CampaignView) -> str:
    """The signature of all sets, or how many there are."""
    found = {one.signature for one in view.sets}
    if len(found) == 1:
        return f"Signature: {next(iter(found))}."
    of_bleu = isinstance(view.scoring, BleuOptions)
    why = "the tokenizer follows the target language" if of_bleu else "test sets have different numbers of references"
    return f"{len(found)} signatures: {why}."


def scored(view: CampaignView) -> str:
    """The metric, with the way it points where that is not the usual one."""
    return view.metric if view.higher_is_better else f"{view.metric} (lower is better)"


def unit_of(view: CampaignView) -> str:
    """The same for the head of a column."""
    return view.metric if view.higher_is_better else f"{view.metric} ↓"


def points_down(view: CampaignView, ahead: str) -> tuple[str, ...]:
    """What a difference below 0 says, in a sentence, where lower is better.

    Args:
        view: The campaign.
        ahead: Whose score is the first of the difference.
    """
    if view.higher_is_better:
        return ()
    return (f"Lower {view.metric} is better: a difference below 0 speaks for {ahead}.",)


def _set_document(view: CampaignView, name: str) -> dict[str, object]:
    one = view.campaign.set_called(name)
    source, target = one.languages
    return {
        "name": one.name,
        "signature": one.signature,
        "significance_signature": one.significance_signature,
        "source_language": source,
        "target_language": target,
        "domain": one.domain,
        "n_segments": one.n_segments,
        "digest": one.digest,
        "error": one.error,
        "remarks": list(one.remarks),
        "systems": [_cell_document(view, system, name) for system in _ranked(view, one.systems, one.name)],
    }


def _cell_document(view: CampaignView, system: str, name: str) -> dict[str, object]:
    cell = view.cells[system, name]
    return {
        "name": system,
        view.metric.casefold(): cell.score,
        "interval": None if cell.interval is None else list(cell.interval),
        "rank": cell.rank,
        "cluster": cell.cluster,
        "unsurpassed": cell.is_unsurpassed,
    }


def _pair_document(one: CampaignPair) -> dict[str, object]:
    return {
        "a": one.other,
        "b": one.name,
        "n_sets": one.n_sets,
        "wins": one.wins,
        "losses": one.losses,
        "ties": one.ties,
        "significant_wins": one.significant_wins,
        "significant_losses": one.significant_losses,
        "mean_difference": one.mean_difference,
        "p": one.p_value,
        "p_corrected": one.corrected_p_value,
        "remark": one.remark,
        "n_sets_better": one.n_sets_better,
        "sets_better": list(one.sets_better),
        "n_sets_worse": one.n_sets_worse,
        "sets_worse": list(one.sets_worse),
        "sets_against": list(one.sets_against),
    }


def _standing_columns(view: CampaignView, shown: Sequence[str]) -> list[FilledField]:
    """Mean ranks where some set has every system; else wins less losses."""
    if view.campaign.ranks is not None:
        return [(MEAN_RANK, np.array([view.campaign.mean_rank(name) for name in shown], np.float64))]
    return [(NET_WINS, [wins - losses for wins, losses in map(view.won_and_lost.__getitem__, shown)])]


def _against_columns(cells: Sequence[MatrixCell]) -> list[FilledField]:
    pairs = [cell.against for cell in cells]
    return [
        (
            Field("difference", "Δ", "difference", marked_by="significant"),
            numbers_of(pairs, lambda one: one.difference),
        ),
        (
            Field("difference_interval", "95 % interval of Δ", "interval", ends="difference"),
            ends_of([None if one is None else one.interval for one in pairs]),
        ),
        (Field("p_corrected", "p", "p"), numbers_of(pairs, lambda one: one.corrected_p_value)),
        (
            Field("significant", "significant", "yes or no", for_machines=True),
            [one is not None and one.is_significant for one in pairs],
        ),
    ]


def _ranked(view: CampaignView, systems: Sequence[str], name: str) -> list[str]:
    return sorted(systems, key=lambda system: view.cells[system, name].rank)


def _baseline_sentence(view: CampaignView) -> tuple[str, ...]:
    return (
        ()
        if view.baseline is None
        else (f"Differences from {view.baseline}; p is corrected within each set for the comparisons with it.",)
    )
