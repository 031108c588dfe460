"""Every sheet: it holds what was computed, in the order that it says, and agrees with itself."""

import re
from collections import Counter
from itertools import combinations, count, groupby, pairwise

import numpy as np
import pandas as pd
import pytest

from bleucore.agreement.opinions import neighbour_differences, normalised
from bleucore.agreement.pairwise import JudgedPair
from bleucore.analysis.credited_and_marked import LEVELS
from bleucore.checks import SEVERITIES
from bleucore.robustness.rankings import ranks
from bleuscope.content.findings.finding_words import effect_of
from tests.dashboard import builders
from tests.dashboard import sheet_properties as properties
from tests.dashboard.feature_parts import of_features

CASES, NAMES = builders.CASES, sorted(builders.SHEETS)
EVERY = pytest.mark.parametrize("name", NAMES)


def made(name):
    """Every example of a sheet, with its case."""
    return [(case, sheet) for case in CASES.values() for sheet in builders.sheets(case)[name]]


def test_every_public_function_that_makes_a_sheet_has_an_example():
    assert builders.content_builders(builders.Sheet) == NAMES


@EVERY
def test_a_sheet_holds_together(name):
    for _, sheet in made(name):
        for holds in properties.ALL:
            holds(sheet)


CALLED_OTHERWISE = {
    *("systems", "scores", "sorted-segments", "plan", "checks", "not-compared", "models", "phrases", "axes", "pairs"),
    *("segments-over-versions", "segment-over-versions", "log-of-en-de", "annotations", "credited-and-marked"),
    *("metrics", "positions", "self-preference", "judges"),
}
"""Tables, and the files that hold them, that have other names than the functions that make them."""


def test_sheets_are_called_as_what_makes_them():
    for name in NAMES:
        words = {word.rstrip("s") for word in name.rpartition(".")[2].split("_") if len(word) > len("of")}
        for _, sheet in made(name):
            assert sheet.name in CALLED_OTHERWISE or any(word in sheet.name for word in words), (name, sheet.name)


def test_sheets_have_something_to_show_in_some_case():
    empty = {name for name in NAMES if not any(len(sheet.frame) for _, sheet in made(name))}
    assert empty <= {"builders.sheet_of", "builders.columns_of"}


@EVERY
def test_columns_of_a_and_b_change_places_when_a_and_b_do(name):
    case = CASES["B is better"]
    other = builders.Case(*case.names[::-1], case.metric_name, case.baseline)
    if name in NOT_OF_TWO:
        return
    for first, second in zip(builders.sheets(case)[name], builders.sheets(other)[name], strict=True):
        before, after = (by_row(sheet) for sheet in (first, second))
        assert before.keys() == after.keys()
        for row, cells in before.items():
            turned = after[row]
            for key, value in cells.items():
                if key.endswith(("_a", "_b")):
                    swapped = turned[key[:-1] + ("b" if key.endswith("a") else "a")]
                    assert same(value, swapped), (row, key)
                elif key == "difference":
                    assert same(value, -turned[key]), (row, key)
                elif key in ("segments", "p_value", "in_reference"):
                    assert same(value, turned[key]), (row, key)


NOT_OF_TWO = {
    *(
        "difference_sheets.ends_of",
        "difference_sheets.sorted_segments_sheet",
        "difference_sheets.difference_bins_sheet",
    ),
    *(
        name
        for name in NAMES
        if name.split(".")[0]
        not in (
            "difference_sheets",
            "slice_sheets",
            "word_sheets",
            "ngram_sheets",
            "phrases",
            "segment_sheets",
            "significance_sheets",
        )
    ),
    *(
        "significance_sheets.pairs_sheet",
        "significance_sheets.neighbours_sheet",
        "significance_sheets.clusters_sheet",
        "significance_sheets.power_sheet",
        "significance_sheets.selection_sheet",
    ),
    *(
        "segment_sheets.one_segment_sheet",
        "segment_sheets.example_sheet",
        "segment_sheets.segment_scores_sheet",
        "significance_sheets.pair_sheet",
    ),
    *("phrases.phrases_sheet", "phrases.clicked_sheet", "ngram_sheets.ngram_list_sheet", "ngram_sheets.ngrams_sheet"),
}
"""Sheets that do not tell A from B, or in which A and B change rows."""


def by_row(sheet):
    """The raw cells by the text or number that names the row."""
    names = ["document", "slice", "words", "segment", "metric", "place"]
    name = next(key for key in names if key in sheet.frame)
    return {row[name]: row for row in sheet.frame.to_dict("records")}


def same(one, other):
    if isinstance(one, str) or one is None:
        return one == other
    return (pd.isna(one) and pd.isna(other)) or one == pytest.approx(other, abs=1e-9)


def gains(case, sheet, key):
    return case.metric.gain(sheet.frame[key].to_numpy(np.float64))


def score(sheet):
    return next(one.key for one in sheet.fields if one.best is not None and "score" in one.kind)


def best_first(case, sheet):
    """The scores that a sheet marks the best of, best first."""
    field = next(one for one in sheet.fields if one.best is not None and "score" in one.kind)
    return sheet.frame[field.key], "falls" if field.best == "highest" else "rises"


def by_size(key):
    return lambda _, sheet: (-np.abs(sheet.frame[key].to_numpy(np.float64)), "rises")


def by(key, order="rises"):
    return lambda _, sheet: (sheet.frame[key].to_numpy(np.float64), order)


def by_size_of_last(_, sheet):
    key = "gain" if "gain" in sheet.frame else "lost"
    return -np.abs(sheet.frame[key].to_numpy(np.float64)), "rises"


_ORDERED = {
    "brief.sheet_of_one": best_first,
    "block_sheets.blocks_sheet": lambda case, sheet: (
        case.metric.gain(np.array([case.metric.systems[one].score for one in sheet.frame["system"]])),
        "rises",
    ),
    "difference_sheets.sorted_segments_sheet": lambda _, sheet: (sheet.frame[sheet.fields[-1].key], "rises"),
    "difference_sheets.ends_of": by("difference"),
    "difference_sheets.difference_bins_sheet": by("from"),
    "finding_sheets.findings_sheet": lambda _, sheet: (
        [SEVERITIES.index(one) for one in sheet.frame["severity"]],
        "rises",
    ),
    "projects.sheets.leaderboard_sheet": best_first,
    "projects.sheets.versions_sheet": lambda _, sheet: (
        [
            place
            for _, place in sorted((row["made_at"], place) for place, row in enumerate(sheet.frame.to_dict("records")))
        ],
        "rises",
    ),
    "projects.figures_strips.strips_sheet": lambda case, sheet: (
        case.metric.gain(sheet.frame["difference"].to_numpy()),
        "falls",
    ),
    "score_sheets.scores_sheet": best_first,
    "score_sheets.systems_sheet": best_first,
    "score_sheets.systems_in_metric_sheet": best_first,
    "score_sheets.tested_systems_sheet": best_first,
    "score_sheets.orders_sheet": by("bleu_4", "falls"),
    "segment_sheets.differing_segments_sheet": by_size("difference"),
    "kinds.sheets.segments_sheet": by_size_of_last,
    "kinds.sheets.slices_sheet": lambda case, sheet: (
        (sheet.frame.index, "rises")
        if sheet.fields[0].page_heading == "reference length"
        else (-np.abs(sheet.frame["total"].to_numpy(np.float64)), "rises")
    ),
    "sensitivity.sheets.pairs_sheet": by("n_behind", "falls"),
    "segment_notes.notes_sheet": by("segment"),
    "blind_trial.blind_sheet": by("segment"),
    "values.with_decimals": best_first,
    "significance_sheets.pairs_sheet": lambda case, sheet: (
        case.metric.gain(np.array([case.metric.systems[one].score for one in sheet.frame["system"]])),
        "falls",
    ),
    "significance_sheets.neighbours_sheet": lambda case, sheet: (
        case.metric.gain(np.array([case.metric.systems[one].score for one in sheet.frame["system"]])),
        "falls",
    ),
    "significance_sheets.clusters_sheet": lambda case, sheet: (gains(case, sheet, "score"), "falls"),
    "significance_sheets.power_sheet": lambda case, sheet: (
        case.metric.gain(np.array([case.metric.systems[one].score for one in sheet.frame["system"]])),
        "falls",
    ),
    "significance_sheets.selection_sheet": best_first,
    "marked_tokens.categories_sheet": by("tokens", "falls"),
    "question_sheets.questions_sheet": lambda case, sheet: (
        [-case.evaluation.systems[one].score.score for one in sheet.frame["system"]],
        "rises",
    ),
    "slice_sheets.slices_sheet": lambda case, sheet: (
        (sheet.frame["difference"], "falls")
        if sheet.facts["kind"] == "label domain"
        else ([int(re.match(r"\d+", one)[0]) for one in sheet.frame["slice"]], "rises")
    ),
    "judgements.sheets.judged_systems_sheet": by("judgement", "falls"),
    "judgements.sheets.judged_neighbours_sheet": lambda case, sheet: (
        [dict(zip(case.people.systems, case.people.scores, strict=True))[one] for one in sheet.frame["system"]],
        "falls",
    ),
    "judgements.sheets.conflicts_sheet": by("size", "falls"),
    "judgements.sheets_opinions.side_by_side_sheet": by("judgement", "falls"),
    "judgements.sheets_opinions.sizes_sheet": by("size", "falls"),
    "judgements.sheets_raters.disputed_sheet": lambda _, sheet: (sheet.frame["high"] - sheet.frame["low"], "falls"),
}
ORDERED = of_features(_ORDERED)
"""What the rows of a sheet are in order of."""
SAYS_AN_ORDER = re.compile(
    r"\b(?:best|worst|lowest|most|least firm|gravest|widest apart|largest)\b[^.:;]{0,12}\bfirst\b|\bsorted\b"
)
GIVEN = {"builders.rows_of", "ngram_sheets.ngrams_sheet"}


def test_sheets_that_say_an_order_are_known_for_it():
    for name in NAMES:
        says = any(SAYS_AN_ORDER.search(f"{sheet.caption} {sheet.title}") for _, sheet in made(name))
        assert not says or name in ORDERED or name in GIVEN, f"give ORDERED what the rows of {name} are in the order of"


@pytest.mark.parametrize("name", sorted(ORDERED))
def test_rows_stand_in_the_order_that_is_said(name):
    n_turned = 0
    for case, sheet in made(name):
        found, order = ORDERED[name](case, sheet)
        assert properties.is_sorted(found, order), (case.names, list(found))
        n_turned += len(set(np.asarray(found, np.float64)[~np.isnan(np.asarray(found, np.float64))])) > 1
    assert n_turned, "no example has an order to get wrong"


def numbers_or_none(found):
    return [np.nan if one is None else one for one in found]


def pairs_told(case, pairs):
    return {
        "system": [one.name for one in pairs],
        "other": [one.other for one in pairs],
        **differences_told(case, pairs),
    }


def differences_told(case, pairs, comparison=None):
    compared = comparison or case.comparison
    nothing = (np.nan, np.nan)
    intervals = [nothing if one is None or one.interval is None else one.interval for one in pairs]
    return {
        "difference": [np.nan if one is None else one.difference for one in pairs],
        "difference_interval_low": [low for low, _ in intervals],
        "difference_interval_high": [high for _, high in intervals],
        "p_value": [np.nan if one is None else one.p_value for one in pairs],
        "corrected_p_value": [np.nan if one is None else one.corrected_p_value for one in pairs],
        "significant": [None if one is None else compared.is_significant(one) for one in pairs],
        "remark": [None if one is None else one.remark for one in pairs],
        "n_comparisons": [None if one is None else one.n_comparisons for one in pairs],
        "family": [None if one is None or one.corrected_p_value is None else one.family for one in pairs],
    }


def others_told(case):
    """The tests in each metric besides BLEU, of the systems by BLEU."""
    told = {}
    for name, comparison in case.study.others.items():
        pairs = [
            None if one == case.study.measured_against else comparison.pair(one, case.study.measured_against)
            for one in case.evaluation.ranked()
        ]
        told |= {f"{name}_{key}": values for key, values in differences_told(case, pairs, comparison).items()}
    return told


def ranked_told(case, metric, comparison):
    """The systems in a metric, with their tests against what they are measured against."""
    ranked = metric.ranked()
    against = case.study.baseline or (ranked[0] if metric is not case.evaluation.bleu else case.against)
    pairs = [
        None if name == against else comparison.with_baseline(case.study.baseline).pair(name, against)
        for name in ranked
    ]
    clusters = {name: place for place, names in enumerate(comparison.clusters, start=1) for name in names}
    told = {
        "system": list(ranked),
        **differences_told(case, pairs, comparison),
        "interval_low": [comparison.intervals[name][0] for name in ranked],
        "interval_high": [comparison.intervals[name][1] for name in ranked],
    }
    if comparison.has_all_pairs and comparison.baseline is None:
        told |= {
            "cluster": [clusters[name] for name in ranked],
            "rank_from": [comparison.rank_range(name)[0] for name in ranked],
            "rank_to": [comparison.rank_range(name)[1] for name in ranked],
        }
    return told


def bleu_told(case, names):
    """What BLEU is made of."""
    scores = [case.evaluation.systems[name].score for name in names]
    return {
        "bleu": [one.score for one in scores],
        **{f"precision_{n}": [one.precisions[n - 1] for one in scores] for n in range(1, 5)},
        "brevity_penalty": [one.brevity_penalty for one in scores],
        "hypothesis_length": [one.hypothesis_length for one in scores],
        "reference_length": [one.reference_length for one in scores],
        "length_ratio": [one.hypothesis_length / one.reference_length for one in scores],
        "chrF2": [case.evaluation.metrics["chrF2"].systems[name].score for name in names],
        "TER": [case.evaluation.metrics["TER"].systems[name].score for name in names],
    }


def blocks_told(case):
    for analysis in case.analyses:
        for neighbour in ("left", "baseline"):
            tests = [row.against_left if neighbour == "left" else row.against_baseline for row in analysis.rows]
            first = [None if one is None else one[0] for one in tests]
            yield {
                "system": [row.summary.name for row in analysis.rows],
                "mean": [row.summary.scores.mean() for row in analysis.rows],
                "variance": [row.summary.scores.var(ddof=1) for row in analysis.rows],
                "standard_deviation": [row.summary.scores.std(ddof=1) for row in analysis.rows],
                "other": [None if one is None else one.other for one in first],
                "difference": numbers_or_none(None if one is None else one.mean_difference for one in first),
                "t": numbers_or_none(None if one is None else one.statistic for one in first),
                "p_t": numbers_or_none(None if one is None else one.p_value for one in first),
                "p_wilcoxon": numbers_or_none(None if one is None else one[1].p_value for one in tests),
                "p_sign": numbers_or_none(None if one is None else one[2].p_value for one in tests),
            }


def block_tests_told(case):
    for tests in case.block_tests:
        yield {
            "difference": [one.mean_difference for one in tests],
            "statistic": numbers_or_none(one.statistic for one in tests),
            "n_blocks": [one.n_blocks for one in tests],
            "n_positive": [(one.differences > 0).sum() for one in tests],
            "n_negative": [(one.differences < 0).sum() for one in tests],
            "p_value": numbers_or_none(one.p_value for one in tests),
        }


def segments_told(case, rows, parts, metric):
    first, second = case.names
    test_set, tokens = case.test_set, case.evaluation.bleu.systems
    key = metric.name.casefold()
    scores = [metric.known_segment_scores(name) for name in case.names]
    return {
        "segment": [row + 1 for row in rows],
        "document": [test_set.documents[row] for row in rows],
        "label domain": [test_set.labels["domain"][row] for row in rows],
        **({} if parts is None else {"part": [parts[row] for row in rows]}),
        f"{key}_a": [scores[0][row] for row in rows],
        f"{key}_b": [scores[1][row] for row in rows],
        "difference": [scores[1][row] - scores[0][row] for row in rows],
        "tokens_a": [tokens[first].counts[row, 0] for row in rows],
        "tokens_b": [tokens[second].counts[row, 0] for row in rows],
        "source": [test_set.source[row] for row in rows],
        "reference_1": [test_set.references[0][row] for row in rows],
        "reference_2": [test_set.references[1][row] for row in rows],
        "hypothesis_a": [test_set.system(first).hypotheses[row] for row in rows],
        "hypothesis_b": [test_set.system(second).hypotheses[row] for row in rows],
    }


def references_told(case):
    study = case.references
    subsets = [*study.subsets, *([study.mean] if study.mean else [])]
    return subsets, study


def subsets_told(case):
    subsets, _ = references_told(case)
    yield {
        "references": ["mean of single references" if one.is_mean else " + ".join(one.references) for one in subsets],
        "size": [len(one.references) for one in subsets],
        "flips": [len(one.flips) for one in subsets],
        "significant_flips": [sum(flip.is_significant for flip in one.flips) for one in subsets],
        "pairs": [10] * len(subsets),
        "tau_b": [one.tau_b for one in subsets],
    }


def reference_scores_told(case):
    subsets, study = references_told(case)
    yield {
        "system": list(study.systems),
        **{f"{case.metric_name.lower()}_{place}": one.scores for place, one in enumerate(subsets, start=1)},
        **{f"interval_{place}_low": one.intervals[:, 0] for place, one in enumerate(subsets, start=1)},
        **{f"interval_{place}_high": one.intervals[:, 1] for place, one in enumerate(subsets, start=1)},
    }


def flips_told(found):
    return {
        "ahead": [flip.ahead for flip in found],
        "behind": [flip.behind for flip in found],
        "base_difference": [flip.base_difference for flip in found],
        "difference": [flip.difference for flip in found],
        "base_p": numbers_or_none(flip.base_p for flip in found),
        "p_value": numbers_or_none(flip.p_value for flip in found),
        "significant": [flip.is_significant for flip in found],
    }


def growth_told(case):
    study = case.references
    singles = [one for one in study.subsets if len(one.references) == 1]
    of_all = [one for one in study.subsets if len(one.references) == 2]
    told = {
        "size": [1, 2],
        "n_subsets": [2, 1],
        "tau_b": [np.mean([one.tau_b for one in singles]), of_all[0].tau_b],
        "lowest_tau_b": [min(one.tau_b for one in singles), of_all[0].tau_b],
        "flips": [np.mean([len(one.flips) for one in singles]), len(of_all[0].flips)],
    }
    for place in range(len(study.systems)):
        of_system = [[one.scores[place] for one in some] for some in (singles, of_all)]
        told[f"mean_{place + 1}"] = [np.mean(one) for one in of_system]
        told[f"range_{place + 1}_low"] = [min(one) for one in of_system]
        told[f"range_{place + 1}_high"] = [max(one) for one in of_system]
    yield told


def draws_told(case):
    study = case.references
    ordered = [(one, other) for one, other in combinations(range(len(study.systems)), 2)]
    pairs = [pair for one, other in ordered for pair in ((one, other), (other, one))]
    scores = study.gains(study.draws.scores).round(9)
    if scores.shape[0] != study.draws.n:
        scores = scores.T
    yield {
        "system": [study.systems[one] for one, _ in pairs],
        "other": [study.systems[other] for _, other in pairs],
        "ahead": [
            np.mean((scores[:, one] > scores[:, other]) + 0.5 * (scores[:, one] == scores[:, other]))
            for one, other in pairs
        ],
    }


def held_out_told(case):
    study = case.references
    rows = [
        (one, name, number)
        for one in study.held_out
        for name, number in [(one.reference, one.score), *zip(study.systems, one.scores, strict=True)]
    ]
    up = study.gains(np.ones(1))[0]
    yield {
        "against": [" + ".join(one.against) for one, *_ in rows],
        "name": [name for _, name, _ in rows],
        case.metric_name.lower(): [number for *_, number in rows],
        "is_reference": [name == one.reference for one, name, _ in rows],
        "rank": [1 + sum(up * other > up * number for other in (one.score, *one.scores)) for one, _, number in rows],
    }


def matches_told(case):
    study = case.references
    if study.shares is None:
        return
    matches, only = study.shares.matches, study.shares.only
    share = np.divide(
        [*only, matches - only.sum(axis=0)], matches, out=np.full((3, *matches.shape), np.nan), where=matches > 0
    )
    yield {
        "system": [name for name in study.systems for _ in range(4)],
        "order": [1, 2, 3, 4] * len(study.systems),
        "matches": matches.ravel(),
        **{f"share_{place + 1}": share[place].ravel() for place in range(3)},
        "lengths_1": np.repeat(study.shares.lengths[0], 4),
        "lengths_2": np.repeat(study.shares.lengths[1], 4),
    }


def grid_ranks_told(case):
    grid = case.grid
    present = ranks(grid.gains(grid.base.scores))
    found = np.array([ranks(grid.gains(one.scores)) for one in grid.counted])
    yield {
        "system": list(grid.systems),
        case.metric_name.lower(): grid.base.scores,
        "rank": present,
        "best_rank": found.min(axis=0),
        "worst_rank": found.max(axis=0),
    }


def kinds_told(case):
    kinds, scores = case.kinds, [case.evaluation.systems[one.system].score.score for one in case.kinds.losses]
    has_rest = any(one.jump for one in (kinds, *kinds.losses))
    keys = ["lost"] if len(scores) == 1 else ["lost_a", "lost_b"]
    told = {
        key: [*one.segments.sum(axis=0), *([100 - score - one.segments.sum()] if has_rest else []), 100 - score]
        for key, one, score in zip(keys, kinds.losses, scores, strict=True)
    }
    if len(scores) > 1:
        difference, gains = scores[1] - scores[0], kinds.gains.sum(axis=0)
        told["gain"] = [*gains, *([difference - gains.sum()] if has_rest else []), difference]
    return [told]


def agreement_told(case):
    found = case.agreed.metrics
    plain = (
        "pairs_agree",
        "spa",
        "spa_sentence_mean",
        "williams_p",
        "segment_pearson",
        "segment_kendall",
        "pearson_within_segments",
        "pearson_of_differences",
        "rank",
    )
    yield {
        "name": [one.name for one in found],
        "pairs": [len(one.pairs) for one in found],
        **{key: numbers_or_none(getattr(one, key) for one in found) for key in plain},
        **{
            key: numbers_or_none(getattr(one, key).value for one in found)
            for key in ("pearson", "pearson_without_outliers", "spearman", "kendall")
        },
        "pearson_interval_low": [one.pearson.interval[0] for one in found],
        "spa_interval_high": [one.spa_interval[1] for one in found],
        "tied_accuracy": [one.tied.value for one in found],
        "tie_threshold": [one.tied.threshold for one in found],
        "untied_accuracy": [one.tied.untied for one in found],
        "tied_accuracy_chance": [one.tied_chance for one in found],
        "tied_interval_low": [one.tied_interval[0] for one in found],
    }


def judged_pairs_told(case, metrics):
    pairs = [(one.name, pair) for one in metrics for pair in one.pairs]
    assert all(isinstance(pair, JudgedPair) for _, pair in pairs)
    return {
        "name": [name for name, _ in pairs],
        "first": [pair.first for _, pair in pairs],
        "second": [pair.second for _, pair in pairs],
        "people": [pair.people for _, pair in pairs],
        "people_p": [pair.people_test.p_value for _, pair in pairs],
        "metric": [pair.metric for _, pair in pairs],
        "metric_p": [pair.metric_test.p_value for _, pair in pairs],
        "agrees": [pair.people * pair.metric > 0 or pair.people == pair.metric == 0 for _, pair in pairs],
        "certainty": [pair.certainty or "" for _, pair in pairs],
        "n_segments": [pair.people_test.n_segments for _, pair in pairs],
    }


def side_by_side_told(case):
    for one in case.agreed.metrics:
        order = sorted(range(len(one.systems)), key=lambda place: -one.people[place])
        up = 1 if one.higher_is_better else -1
        yield {
            "system": [one.systems[place] for place in order],
            "judgement": [one.people[place] for place in order],
            "score": [one.scores[place] for place in order],
            "people_of_range": normalised(one.people)[order],
            "metric_of_range": normalised(up * one.scores)[order],
        }


def marked_cells_told(case):
    for name in case.names:
        counted = case.marked[name]
        sums = counted.counts.sum(axis=0)
        rows = [
            (orders, levels)
            for orders in (slice(0, 1), slice(1, None), slice(2, None), slice(3, None), slice(4, None))
            for levels in (slice(1, None), slice(0, 1))
        ]
        cells = [sums[orders, levels].sum() for orders, levels in rows]
        yield {
            "tokens": cells,
            "share": [100 * cell / max(sums[orders].sum(), 1) for cell, (orders, _) in zip(cells, rows, strict=True)],
            **{
                level: [sums[orders, place].sum() if levels.start == 1 else 0 for orders, levels in rows]
                for place, level in enumerate(LEVELS)
                if place
            },
            "segments": [
                int((counted.counts[:, orders, levels].sum(axis=(1, 2)) > 0).sum()) for orders, levels in rows
            ],
        }


def marked_systems_told(case):
    sums = [one.counts.sum(axis=0) for one in case.marked.values()]
    told = {
        "system": list(case.marked),
        "tokens": [one.sum() for one in sums],
        "segments": [len(one.segments) for one in case.marked.values()],
    }
    for key, orders in (("credited", slice(1, None)), ("uncredited", slice(0, 1)), ("in_longest", slice(-1, None))):
        told[key] = [one[orders].sum() for one in sums]
        told[f"{key}_marked"] = [
            100 * one[orders, 1:].sum() / one[orders].sum() if one[orders].sum() else np.nan for one in sums
        ]
        told[f"{key}_major"] = [
            100 * one[orders, 2:].sum() / one[orders].sum() if one[orders].sum() else np.nan for one in sums
        ]
    yield told


def categories_told(case):
    for name in case.names:
        categories = case.marked[name].of_categories
        rows = sorted(
            ((one or "no category", counts.sum(axis=0)) for one, counts in categories.items()),
            key=lambda row: -row[1][:, 1:].sum(),
        )
        rows = [(one, counts) for one, counts in rows if counts[:, 1:].sum()]
        yield {
            "category": [one for one, _ in rows],
            "tokens": [counts[:, 1:].sum() for _, counts in rows],
            "major": [counts[:, 2:].sum() for _, counts in rows],
            "credited": [counts[1:, 1:].sum() for _, counts in rows],
            "credited_share": [100 * counts[1:, 1:].sum() / counts[:, 1:].sum() for _, counts in rows],
        }


def history_told(case):
    versions, found = case.scored.versions, case.history.found.versions
    held = {"change": [one.before for one in found], "behind": [one.best for one in found]}
    told = {
        "version": [one.label for one in versions],
        "step": [one.step for one in versions],
        case.metric_name.lower(): [one.score for one in versions],
        "alarm": [
            {None: None, "drop": "worse than before", "decline": "worse than the best before"}[one.alarm]
            for one in found
        ],
    }
    for key, ones in held.items():
        told[key] = numbers_or_none(None if one is None else one.difference for one in ones)
        told[f"{key}_p"] = numbers_or_none(None if one is None else one.corrected_p_value for one in ones)
        told[f"{key}_significant"] = [None if one is None else one.is_significant for one in ones]
    yield told


def strips_told(case):
    strips, rows = case.strips.strips, case.strips.rows
    signs = [["▲" if gain > 0 else "▼" if gain < 0 else "·" for gain in strips.gains[1:, row]] for row in rows]
    last = len(strips.scores) - 1
    falls = [strips.gains[:, row] for row in rows]
    yield {
        "segment": [row + 1 for row in rows],
        "difference": [strips.scores[last, row] - strips.scores[0, row] for row in rows],
        "score": [strips.scores[last, row] for row in rows],
        "fell_at": [f"v{one.argmin()}" if one.min() < 0 else None for one in falls],
        "strip": ["".join(one) for one in signs],
    }


def strata_told(case):
    first, second = (one.sample for one in case.tasks)
    sizes = Counter(first.strata.tolist())
    drawn = Counter(first.strata[first.segments].tolist())
    yield {
        "stratum": sorted(drawn),
        "n_segments": [sizes[one] for one in sorted(drawn)],
        "n_drawn": [drawn[one] for one in sorted(drawn)],
        "weight": [sizes[one] / drawn[one] for one in sorted(drawn)],
    }
    documents = [case.test_set.documents[row] for row in second.segments]
    yield {
        "document": list(dict.fromkeys(documents)),
        "n_drawn": [documents.count(one) for one in dict.fromkeys(documents)],
        "weight": [second.weights[second.segments[documents.index(one)]] for one in dict.fromkeys(documents)],
    }


def questions_told(case):
    study, texts = case.study, {one.name: one.hypotheses for one in case.test_set.systems}
    ranked = case.evaluation.ranked()
    with_x = [sum("x0" in text for text in texts[name]) for name in ranked]
    without = [sum("hund" not in text.lower() for text in texts[name]) for name in ranked]
    assert study.test_set.n_segments == builders.N_SEGMENTS
    yield {
        "system": list(ranked),
        "question_1": with_x,
        "question_1_share": [100 * one / builders.N_SEGMENTS for one in with_x],
        "question_2": without,
        "question_2_share": [100 * one / builders.N_SEGMENTS for one in without],
    }


def ngrams_told(case):
    for lists, choice in case.ngram_lists:
        rows = [(listed, row) for listed in lists for row in listed.ranked(choice.rank)]
        yield {
            "side": [listed.side for listed, _ in rows],
            "system": [case.names["AB".index(listed.side)] for listed, _ in rows],
            "ngram": [" ".join(row.tokens) for _, row in rows],
            "part": [row.part for _, row in rows],
            "log_likelihood": [row.ratio for _, row in rows],
        }


def phrases_told(case):
    for lists, choice in case.phrase_lists:
        for has_parts in (True, False):
            rows = [
                (listed, phrase, folded)
                for folded in (False, True)
                for listed in lists
                for phrase in (listed.folded if folded else listed.leading)
            ]
            kind = {"won and lost": "matches", "over-generated": "too_often", "missed": "missed"}[choice.view]
            counts = ("missed", "too_often") if choice.of_one else (f"{kind}_a", f"{kind}_b")
            ends = ("segments_missed", "segments_too_often") if choice.of_one else ("segments_a", "segments_b")
            yield {
                "side": [listed.side for listed, *_ in rows],
                "phrase": [" ".join(phrase.tokens) for _, phrase, _ in rows],
                **{key: [phrase.counts[place] for _, phrase, _ in rows] for place, key in enumerate(counts)},
                **{key: [len(phrase.segments[place]) for _, phrase, _ in rows] for place, key in enumerate(ends)},
                **({"assured": [phrase.assured for _, phrase, _ in rows]} if has_parts else {}),
                "folded": [folded for *_, folded in rows],
            }


def one_segment_told(case):
    systems = [case.evaluation.systems[name] for name in case.names]
    counts = [one.counts[5] for one in systems]
    told = {
        "system": list(case.names),
        "bleu": [one.segment_scores[5] for one in systems],
        "hypothesis_length": [one[0] for one in counts],
        "chrF2": [case.evaluation.metrics["chrF2"].known_segment_scores(name)[5] for name in case.names],
    }
    for n in range(4):
        told[f"matches_{n + 1}"] = [one[2 + n] for one in counts]
        told[f"ngrams_{n + 1}"] = [one[6 + n] for one in counts]
    yield told


def slices_told(case):
    for summary, tested in case.slices:
        names = list(summary.slicing.names)
        if summary.slicing.kind == "label domain":
            names.sort(key=lambda name: -summary.delta[summary.slicing.names.index(name)])
        groups = [summary.slicing.names.index(name) for name in names]
        rows = [np.flatnonzero(summary.slicing.groups == group) for group in groups]
        key = case.metric_name.lower()
        scores = {
            name: [case.metric.score_of(case.metric.systems[name].counts[some].sum(axis=0)) for some in rows]
            for name in (*case.names, "beta")
        }
        tests = [tested.tests.get(group) for group in groups]
        yield {
            "slice": names,
            "segments": [len(some) for some in rows],
            f"{key}_a": scores[case.names[0]],
            f"{key}_b": scores[case.names[1]],
            f"{case.metric_name}: beta": scores["beta"],
            "p_value": numbers_or_none(None if one is None else one.p_value for one in tests),
            "corrected_p_value": numbers_or_none(None if one is None else one.corrected_p_value for one in tests),
            "difference_interval_low": [
                np.nan if one is None or one.interval is None else one.interval[0] for one in tests
            ],
            **({} if case.parts is None else {"part": [case.parts[some].sum() for some in rows]}),
        }


def findings_told(case):
    findings, evaluation = case.findings, case.evaluation
    plain = {
        "severity": [one.severity for one in findings],
        "check": [one.check for one in findings],
        "message": [one.message for one in findings],
        "remedy": [one.remedy for one in findings],
        "n_segments": [len(one.segments) for one in findings],
        "subject": [one.subject for one in findings],
        "segments": [in_short((one.segments + 1).tolist()) for one in findings],
        "repair": [
            "" if one.repair is None else "whole" if one.repair.is_whole else "in part: costs at least about this"
            for one in findings
        ],
    }
    yield plain
    told = dict(plain)
    for metric in evaluation.metrics.values():
        effects, key = [effect_of(evaluation, metric, one) for one in findings], metric.name.lower()
        told[key] = numbers_or_none(None if one is None else one.score for one in effects)
        told[f"{key}_repaired"] = numbers_or_none(None if one is None else one.score_repaired for one in effects)
        told[f"{key}_cost"] = numbers_or_none(None if one is None else one.cost for one in effects)
    yield told


def in_short(rising):
    """Numbers that follow each other, from the first to the last."""
    steps = count()
    runs = [[*run] for _, run in groupby(rising, key=lambda number: number - next(steps))]
    return ", ".join(str(one) if one == last else f"{one} to {last}" for one, *_, last in (run * 2 for run in runs))


def words_told(case):
    buckets, tested = case.words
    sums = np.array([one.sums for one in buckets], np.float64)  # matches, words of the output, of the reference
    f1 = 200 * sums[..., 0] / np.maximum(sums[..., 1] + sums[..., 2], 1)
    tests = [tested.tests.get(place) for place in range(len(buckets))]
    told = {"words": [one.name for one in buckets], "in_reference": sums[:, 0, 2], "difference": f1[:, 1] - f1[:, 0]}
    for side, key in enumerate("ab"):
        told[f"precision_{key}"] = 100 * sums[:, side, 0] / np.maximum(sums[:, side, 1], 1)
        told[f"recall_{key}"] = 100 * sums[:, side, 0] / np.maximum(sums[:, side, 2], 1)
        told[f"f1_{key}"] = f1[:, side]
    yield {
        **told,
        "p_value": numbers_or_none(one and one.p_value for one in tests),
        "corrected_p_value": numbers_or_none(one and one.corrected_p_value for one in tests),
        "significant": [one is not None and tested.is_significant(place) for place, one in enumerate(tests)],
        "won": [", ".join(f"{word} {first} : {second}" for word, first, second in one.won) for one in buckets],
        "lost": [", ".join(f"{word} {first} : {second}" for word, first, second in one.lost) for one in buckets],
    }


def orders_told(case):
    scores = [case.evaluation.systems[name].score for name in case.evaluation.ranked()]
    means = [np.exp(np.cumsum(np.log(one.precisions)) / (1, 2, 3, 4)) for one in scores]
    yield {
        "system": list(case.evaluation.ranked()),
        **{f"precision_{n}": [one.precisions[n - 1] for one in scores] for n in range(1, 5)},
        **{
            f"bleu_{n}": [one.brevity_penalty * mean[n - 1] for one, mean in zip(scores, means, strict=True)]
            for n in range(1, 5)
        },
    }


def clusters_told(case):
    placed = [(place, name) for place, names in enumerate(case.comparison.clusters, start=1) for name in names]
    ranges = [case.comparison.rank_range(name) for _, name in placed]
    yield {
        "cluster": [place for place, _ in placed],
        "system": [name for _, name in placed],
        "score": [case.metric.systems[name].score for _, name in placed],
        "rank_from": [low for low, _ in ranges],
        "rank_to": [high for _, high in ranges],
    }


def differing_told(case):
    yield segments_told(case, np.argsort(-np.abs(case.delta), kind="stable").tolist(), case.parts, case.metric)


def texts_told(case):
    for most in (None, 5):
        rows = slice(most)
        yield {
            "segment": list(range(1, builders.N_SEGMENTS + 1))[rows],
            "document": list(case.test_set.documents)[rows],
            "source": list(case.test_set.source)[rows],
            "first": list(case.test_set.references[0])[rows],
            **{one.name: list(one.hypotheses)[rows] for one in case.test_set.systems},
        }


def documents_told(case):
    names = list(dict.fromkeys(case.test_set.documents))
    rows = [[row for row, one in enumerate(case.test_set.documents) if one == name] for name in names]
    key = case.metric_name.lower()
    told = {"document": names, "segments": [len(some) for some in rows]}
    for side, name in zip("ab", case.names, strict=True):
        counts = case.metric.systems[name].counts
        told[f"{key}_{side}"] = [case.metric.score_of(counts[some].sum(axis=0)) for some in rows]
    if case.parts is not None:
        told["part"] = [case.parts[some].sum() for some in rows]
    yield told
    yield {key: values for key, values in told.items() if key != "part"}


def power_told(case, pairs):
    return {
        **pairs_told(case, pairs),
        "smallest_detectable": numbers_or_none(one.smallest_detectable for one in pairs),
        "n_needed": numbers_or_none(one.n_needed for one in pairs),
    }


def ranked_pairs(case, some):
    return [
        case.comparison.pair(*names) for names in some(case.metric.ranked(), *((2,) if some is combinations else ()))
    ]


def leaderboard_told(case):
    board, comparison = case.board, case.board.comparison
    names = list(board.names)
    pairs = [None if name == names[0] else comparison.pair(name, names[0]) for name in names]
    clusters = {name: place for place, some in enumerate(comparison.clusters, start=1) for name in some}
    owner = {f"{one.system} · {one.label}": one for one in case.scored.versions}
    plain = {
        "system": names,
        case.metric_name.lower(): [owner[name].score for name in names],
        "interval_low": [owner[name].interval[0] for name in names],
        "version": [owner[name].label for name in names],
        "step": [owner[name].step for name in names],
        "n_versions": [3 if owner[name].system == "base" else 2 for name in names],
    }
    yield {**plain, **differences_told(case, pairs, comparison), "cluster": [clusters[name] for name in names]}
    yield plain


def sorted_told(case):
    for found in (case.delta, case.parts):
        if found is not None:
            order = sorted(range(len(found)), key=lambda row: found[row])
            key = "part" if found is case.parts else "difference"
            yield {"place": [*range(1, len(found) + 1)], "segment": [row + 1 for row in order], key: sorted(found)}


def bins_told(case):
    sheet = builders.sheets(case)["difference_sheets.difference_bins_sheet"][0].frame
    inside = [
        int(((case.delta >= low) & (case.delta < high)).sum())
        for low, high in zip(sheet["from"], sheet["to"], strict=True)
    ]
    assert sum(inside) == builders.N_SEGMENTS
    yield {"segments": inside}


_TOLD = {
    "attribution_sheets.attribution_sheet": lambda case: [
        {
            "part": [
                *case.attribution.factor_parts,
                *([case.attribution.jump] if case.attribution.jump_reason else []),
                case.attribution.difference,
            ],
        }
    ],
    "block_sheets.blocks_sheet": blocks_told,
    "block_sheets.block_tests_sheet": block_tests_told,
    "block_sheets.block_scores_sheet": lambda case: [
        {"n_segments": one.layout.sizes, **{row.summary.name: row.summary.scores for row in one.rows}}
        for one in case.analyses
    ],
    "difference_sheets.documents_sheet": documents_told,
    "difference_sheets.sorted_segments_sheet": sorted_told,
    "difference_sheets.ends_of": lambda case: [
        {"difference": [*sorted(case.delta)[:most], *sorted(case.delta)[-most:]]} for most in (3, 12, 20)
    ],
    "difference_sheets.difference_bins_sheet": bins_told,
    "text_sheets.texts_sheet": texts_told,
    "finding_sheets.findings_sheet": findings_told,
    "plugin_sheets.plugins_sheet": lambda _: [
        {
            "name": ["wer", "brackets"],
            "n_laws": [2, 2],
            "law": ["Second.", "keeps every law"],
            "fault": ["x < 1", None],
        },
        {"name": []},
    ],
    "plan.sets_sheet": lambda _: [
        {
            "test_set": ["news"] * 5,
            "role": ["system"] * 3 + ["reference", "source"],
            "name": ["a", "a", "b", "reference", "source"],
            "run": ["a, 1", "a, 2", None, None, None],
            "file": ["a.jsonl, output", "a.jsonl, output", "b.txt", "ref.txt", "src.txt"],
            "n_items": [2] * 5,
        }
    ],
    "projects.sheets.leaderboard_sheet": leaderboard_told,
    "projects.sheets.left_out_sheet": lambda case: [{"system": ["old"], "reason": ["It was scored on other texts."]}],
    "projects.sheets.versions_sheet": lambda case: [
        {
            "version": [one.label for one in some],
            case.metric_name.lower(): [one.score for one in some],
            "interval_high": [one.interval[1] for one in some],
        }
        for some in (case.scored.versions, [one for one in case.scored.versions if one.system == "base"])
    ],
    "projects.sheets.history_sheet": history_told,
    "projects.cards.test_sets_sheet": lambda case: [
        {
            "test_set": ["news", "talks", "empty", "olds"],
            "best": ["base", None, None, "nightly"],
            "score": [31.256, np.nan, np.nan, 12.0],
            "n_segments": [40, 12, 5, 7],
            "n_versions": [3, 1, 0, 2],
            "last_push": ["2026-03-01 12:00", "2026-03-02 12:00", None, "2026-03-01 12:00"],
        }
    ],
    "projects.cards.projects_sheet": lambda case: [
        {"project": ["en-de"] * 4 + ["other"] * 4, "n_segments": [40, 12, 5, 7] * 2}
    ],
    "projects.figures_strips.strips_sheet": strips_told,
    "projects.figures_strips.strip_sheet": lambda case: [
        {
            "version": [f"v{place}" for place in range(5)],
            "score": case.strips.strips.scores[:, 3],
            "difference": [np.nan, *np.diff(case.strips.strips.scores[:, 3])],
        }
    ],
    "projects.sheets_team.members_sheet": lambda case: [
        {
            key: [getattr(one, key) for one in builders.team()[0]]
            for key in ("role", "name", "email", "issuer", "subject")
        }
    ],
    "projects.sheets_team.tokens_sheet": lambda case: [
        {
            "id": [1, 2],
            "name": ["ci", "old"],
            "made": ["2026-03-01"] * 2,
            "expires": ["2026-03-10", None],
            "used": [None, "2026-03-01 12:00"],
        }
    ],
    "projects.sheets_team.links_sheet": lambda case: [
        {"id": [4], "page": ["History"], "made_by": ["Ann"], "expires": ["2026-03-01"]}
    ],
    "projects.sheets_team.log_sheet": lambda case: [
        {"at": ["2026-03-01 12:00", "2026-02-28 12:00"], "who": ["Ann", ""], "action": ["push", "made"]}
    ],
    "ngram_sheets.ngrams_sheet": ngrams_told,
    "phrases.phrases_sheet": phrases_told,
    "references.sheets.subsets_sheet": subsets_told,
    "references.sheets.scores_sheet": reference_scores_told,
    "references.sheets.flips_sheet": lambda case: [
        flips_told([flip for one in references_told(case)[0] for flip in one.flips])
    ],
    "references.sheets.growth_sheet": growth_told,
    "references.sheets.draws_sheet": draws_told,
    "references.sheets.draw_flips_sheet": lambda case: [
        {
            "draws": [
                case.references.draws.stability.flips.tolist().count(n)
                for n in range(1 + case.references.draws.stability.flips.max())
            ]
        }
    ],
    "references.sheets.matches_sheet": matches_told,
    "references.sheets.people_sheet": held_out_told,
    "references.sheets.nearness_sheet": lambda case: [
        {
            "name": [*case.references.systems, "first", "second"],
            "is_reference": [False] * 5 + [True] * 2,
            "score_1": case.references.nearness.scores[:, 0],
            "score_2": case.references.nearness.scores[:, 1],
            "nearest_1": [*case.references.nearness.nearest[:, 0], np.nan, np.nan],
        }
    ],
    "judgements.sheets_samples.strata_sheet": strata_told,
    "score_sheets.scores_sheet": lambda case: [
        {"system": list(case.evaluation.ranked()), **bleu_told(case, case.evaluation.ranked())}
    ],
    "score_sheets.systems_sheet": lambda case: [
        {
            **bleu_told(case, case.evaluation.ranked()),
            **ranked_told(case, case.evaluation.bleu, case.study.comparison),
            **others_told(case),
        }
    ],
    "score_sheets.orders_sheet": orders_told,
    "significance_sheets.clusters_sheet": clusters_told,
    "segment_sheets.differing_segments_sheet": differing_told,
    "word_sheets.words_sheet": words_told,
    "brief.sheet_of_one": lambda case: [
        {
            key: values
            for key, values in {
                **bleu_told(case, case.evaluation.ranked()),
                **ranked_told(case, case.evaluation.bleu, case.study.comparison),
            }.items()
            if key not in ("cluster", "rank_from", "rank_to")
        }
    ],
    "score_sheets.systems_in_metric_sheet": lambda case: [
        {**bleu_told(case, case.metric.ranked()), **ranked_told(case, case.metric, case.comparison)}
    ],
    "score_sheets.explanation_sheet": lambda case: [
        {
            "system": list(case.explanation.systems),
            "here": [one.first for one in case.explanation.systems.values()],
            "there": [one.second for one in case.explanation.systems.values()],
            "difference": [one.second - one.first for one in case.explanation.systems.values()],
        }
    ],
    "blind_trial.blind_sheet": lambda case: [
        {
            "segment": [3, 6, 8, 12],
            "left": [case.trial.sides(row)[0] for row in (2, 5, 7, 11)],
            "right": [case.trial.sides(row)[1] for row in (2, 5, 7, 11)],
            "preference": ["left", "tie", "right", "left"],
            "preferred system": [case.trial.sides(2)[0], None, case.trial.sides(7)[1], case.trial.sides(11)[0]],
        }
    ],
    "marked_tokens.systems_sheet": marked_systems_told,
    "marked_tokens.cells_sheet": marked_cells_told,
    "marked_tokens.categories_sheet": categories_told,
    "question_sheets.questions_sheet": questions_told,
    "segment_notes.notes_sheet": lambda case: [
        {
            "segment": [2, 5, 10],
            "tag": ["", "odd", "odd"],
            "note": ["a note", "", "why?"],
            "document": [case.test_set.documents[row] for row in (1, 4, 9)],
        }
    ],
    "segment_sheets.segments_sheet": lambda case: [
        segments_told(case, (7, 2, 20), case.parts, case.metric),
        segments_told(case, (0,), None, case.evaluation.bleu),
    ],
    "segment_sheets.one_segment_sheet": one_segment_told,
    "segment_sheets.segment_scores_sheet": lambda case: [
        {
            f"{metric.name}: {name}": metric.known_segment_scores(name)
            for metric in case.evaluation.metrics.values()
            for name in metric.systems
        }
    ],
    "segment_sheets.example_sheet": lambda case: [
        {
            "who": [
                "source",
                "first",
                "second",
                f"A: {case.names[0]}",
                f"B: {case.names[1]}",
                "omega" if "omega" not in case.names else f"{'AB'[case.names.index('omega')]}: omega",
            ],
            case.metric_name.lower(): [np.nan] * 3
            + [case.metric.known_segment_scores(name)[5] for name in (*case.names, "omega")],
        }
    ],
    "kinds.sheets.kinds_sheet": kinds_told,
    "sensitivity.sheets.settings_sheet": lambda case: [
        {
            "flips": [len(one.flips) for one in case.grid.results],
            "significant_flips": [sum(flip.is_significant for flip in one.flips) for one in case.grid.results],
            "pairs": [10] * len(case.grid.results),
            "repeats": [one.repeats for one in case.grid.results],
            **{
                f"{case.metric_name.lower()}_{place + 1}": [one.scores[place] for one in case.grid.results]
                for place in range(5)
            },
        }
    ],
    "sensitivity.sheets.pairs_sheet": lambda case: [
        {
            key: [getattr(one, key) for one in case.grid.pairs()]
            for key in ("ahead", "behind", "n_ahead", "n_tied", "n_behind", "n_significant")
        }
    ],
    "sensitivity.sheets.ranks_sheet": grid_ranks_told,
    "sensitivity.sheets.effects_sheet": lambda case: [
        {"flips": [one.flips for one in case.grid.effects()], "share": [one.share for one in case.grid.effects()]}
    ],
    "sensitivity.sheets.flips_sheet": lambda case: [
        flips_told([flip for one in case.grid.counted for flip in one.flips])
    ],
    "significance_sheets.pairs_sheet": lambda case: [pairs_told(case, ranked_pairs(case, combinations))],
    "significance_sheets.neighbours_sheet": lambda case: [pairs_told(case, ranked_pairs(case, pairwise))],
    "significance_sheets.pair_sheet": lambda case: [power_told(case, [case.compared])],
    "significance_sheets.power_sheet": lambda case: [
        power_told(
            case, [case.comparison.pair(name, case.against) for name in case.metric.ranked() if name != case.against]
        )
    ],
    "significance_sheets.opinions_sheet": lambda case: [
        {
            "score_a": [one.systems[case.names[0]].score for one in case.evaluation.metrics.values()],
            "score_b": [one.systems[case.names[1]].score for one in case.evaluation.metrics.values()],
            "difference": [
                one.systems[case.names[1]].score - one.systems[case.names[0]].score
                for one in case.evaluation.metrics.values()
            ],
            "ahead": [better_of(case, one) for one in case.evaluation.metrics.values()],
        }
    ],
    "slice_sheets.slices_sheet": slices_told,
    "judgements.sheets.agreement_sheet": agreement_told,
    "judgements.sheets.judged_systems_sheet": lambda case: [
        {
            "judgement": sorted(case.people.scores, reverse=True),
            "n_judged": [(~np.isnan(case.judged)).sum(axis=1)[0]] * 5,
        }
    ],
    "judgements.sheets.judged_pairs_sheet": lambda case: [
        judged_pairs_told(case, case.agreed.metrics),
        judged_pairs_told(case, case.agreed.metrics[:1]),
    ],
    "judgements.sheets.judged_neighbours_sheet": lambda case: [
        {
            "system": [one.better for one in neighbour_differences(case.people)],
            "next": [one.worse for one in neighbour_differences(case.people)],
            "difference": [one.difference for one in neighbour_differences(case.people)],
            "n_segments": [one.n_segments for one in neighbour_differences(case.people)],
        }
    ],
    "judgements.sheets.conflicts_sheet": lambda case: [
        {
            "segment": [str(row + 1) for row in case.conflicts.segments],
            "people": case.conflicts.people,
            "metric": case.conflicts.metric,
            "reference": [case.test_set.references[0][row] for row in case.conflicts.segments],
        }
    ],
    "judgements.sheets_opinions.side_by_side_sheet": side_by_side_told,
    "judgements.sheets_opinions.sizes_sheet": lambda case: [
        {"size": sorted((abs(pair.metric) for pair in one.pairs), reverse=True)} for one in case.agreed.metrics
    ],
    "judgements.sheets_judges.judges_sheet": lambda case: [
        {
            "judge": [one.name for one in judges.judges],
            "n_outputs": [one.n_outputs for one in judges.judges],
            "n_unclear": [one.n_unclear for one in judges.judges],
            "judges_agree": numbers_or_none(one.with_judges and 100 * one.with_judges.share for one in judges.judges),
        }
        for judges in case.judges
    ],
    "judgements.sheets_judges.positions_sheet": lambda case: [
        {
            key: numbers_or_none(getattr(one.position, key) for one in judges.judges if one.position)
            for key in ("n_verdicts", "n_ties", "p_value", "n_both", "n_same", "n_first_twice", "n_second_twice")
        }
        for judges in case.judges
    ],
    "judgements.sheets_judges.self_preference_sheet": lambda case: [
        {
            "own": [", ".join(judge.own) for judge in judges.judges for _ in judge.preferences],
            "judge_share": [100 * one.judge_share for judge in judges.judges for one in judge.preferences],
            "yardstick_share": [100 * one.yardstick_share for judge in judges.judges for one in judge.preferences],
        }
        for judges in case.judges
    ],
    "judgements.sheets_judges.shown_sheets": lambda case: [
        {}
        for judges in case.judges
        for _ in (("positions",) + ("self",) * any(one.preferences for one in judges.judges) + ("judges",))
    ],
    "judgements.sheets_raters.raters_sheet": lambda case: [
        {
            key: numbers_or_none(getattr(one, key) for one in case.raters.raters)
            for key in ("n_outputs", "n_systems", "n_alone", "mean", "deviation", "kendall", "pairs_agree", "n_pairs")
        }
    ],
    "judgements.sheets_raters.disputed_sheet": lambda case: [
        {
            "segment": [str(one.segment + 1) for one in case.raters.disputed],
            **{
                key: [getattr(one, key) for one in case.raters.disputed]
                for key in ("system", "low", "lowest", "high", "highest", "n_raters")
            },
        }
    ],
}
TOLD = of_features(_TOLD)
"""What stands in the columns of each example, by what was computed."""


def better_of(case, metric):
    first, second = (metric.gain(np.array([metric.systems[name].score]))[0] for name in case.names)
    return None if first == second else case.names[int(second > first)]


@pytest.mark.parametrize("name", sorted(TOLD))
def test_cells_are_what_was_computed(name):
    for case in CASES.values():
        for sheet, told in zip(builders.sheets(case)[name], TOLD[name](case), strict=False):
            for key, values in told.items():
                found, wanted = sheet.frame[key].tolist(), list(values)
                assert len(found) == len(wanted), key
                for one, other in zip(found, wanted, strict=True):
                    assert same(one, other), (case.names, key, found, wanted)


ALIKE = of_features(
    {
        "score_sheets.systems_sheet": (
            "system",
            *("score_sheets.tested_systems_sheet", "score_sheets.scores_sheet", "brief.sheet_of_one"),
            *("values.with_decimals", "builders.rows_of"),
        ),
        "judgements.sheets.agreement_sheet": ("name", "judgements.sheets.metric_sheets"),
    }
)
"""Tables that say the same of the same rows where they say anything, by the column that names a row."""


@pytest.mark.parametrize("name", sorted(ALIKE))
@pytest.mark.parametrize("case", CASES)
def test_tables_of_the_same_rows_say_the_same_of_them(name, case):
    row_name, *others = ALIKE[name]
    told = {}
    for sheet in (one for each in (name, *others) for one in builders.sheets(CASES[case])[each]):
        for row in sheet.frame.to_dict("records"):
            for key in (field.key for field in sheet.fields if field.key in row and not pd.isna(row[field.key])):
                known = told.setdefault((row[row_name], key), row[key])
                assert same(known, row[key]), (row[row_name], key, known, row[key])
