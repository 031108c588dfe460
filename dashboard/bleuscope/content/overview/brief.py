"""A study in short: the verdict, one table in the width of a terminal, and what it depends on."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bleucore import MetricEvaluation
from bleucore.checks import Finding
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.overview.overview_words import single_answer
from bleuscope.content.scores.score_sheets import systems_in_metric_sheet, systems_sheet
from bleuscope.content.sheets.fitted import fitted
from bleuscope.content.sheets.screens import BOLD, FAINT, Screen
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.terminal import broken
from bleuscope.content.sheets.values import read_fields, with_decimals
from bleuscope.content.significance import significance_words
from bleuscope.content.significance.significance_sheets import CLUSTER, INTERVAL, RANK_KEYS, named
from bleuscope.content.significance.study_verdict import study_verdict
from bleuscope.content.significance.verdict_words import chips, verdict_sentence
from bleuscope.content.style.invisible import in_one_line

SCORES = ("score", "metric score")
OF_SIGNATURES = re.compile(r"[^|]+\|?")
"""Signatures have no blanks to be broken at."""


def brief_text(
    study: TestedStudy,
    screen: Screen,
    *,
    tables: Sequence[str],
    decimals: int | None = None,
    found: Sequence[Finding] | None = None,
) -> str:
    """Who is ahead and how surely, the systems, what the tests are against, the signatures, and what more there is.

    Args:
        study: The comparison.
        screen: Where it goes.
        tables: The names of all tables, the one of systems first.
        decimals: Of scores and differences; by default those of the pages.
        found: What the checks of the texts found; ``None`` where they were not made.
    """
    sheet = systems_in_metric_sheet(study) if study.compares else _of_one(study)
    table = fitted(sheet if decimals is None else with_decimals(sheet, decimals), screen, _first(sheet))
    notes = [line for one in _notes(study) for line in broken(in_one_line(one), screen.width)]
    signatures = [line for one in _signatures(study) for line in broken(in_one_line(one), screen.width, OF_SIGNATURES)]
    more = broken(_more(tables, is_whole=table.is_whole), screen.width)
    lead = [screen.painted(line, BOLD) for line in broken(in_one_line(_verdict(study, found)), screen.width)]
    beneath = [*notes, *(screen.painted(line, FAINT) for line in (*signatures, *more))]
    return "\n".join([*lead, "", *table.lines, "", *beneath]) + "\n"


def _of_one(study: TestedStudy) -> Sheet:
    """The only system, led by BLEU as what is said of it, and in no cluster."""
    sheet = systems_sheet(study)
    return replace(sheet, fields=tuple(one for one in sheet.fields if one.key not in (CLUSTER.key, *RANK_KEYS)))


def _first(sheet: Sheet) -> list[str]:
    """The columns that say most: score, difference, p and interval, then other metrics with their p, then ranks."""
    score, *others = read_fields(sheet)[1:]
    next_score = next((at for at, one in enumerate(others) if one.kind in SCORES), len(others))
    lead, beside = others[:next_score], others[next_score:]
    tests = [one.key for kind in ("difference", "part", "p") for one in lead if one.kind == kind]
    return [score.key, *tests, INTERVAL.key, *(one.key for one in beside if one.kind in (*SCORES, "p")), *RANK_KEYS]


def _verdict(study: TestedStudy, found: Sequence[Finding] | None) -> str:
    if not study.compares:
        return str(single_answer(study))
    made = study_verdict(study, found)
    said = "" if made is None else f"{verdict_sentence(made)} [{' · '.join(chips(made))}]"
    return said + (significance_words.zero_words(study.evaluation) if _is_bleu(study, study.metric) else "")


def _is_bleu(study: TestedStudy, metric: MetricEvaluation) -> bool:
    return metric is study.evaluation.bleu


def _against(study: TestedStudy) -> str:
    """What the table measures systems against."""
    is_of_bleu = study.comparison_in_metric is study.comparison
    return study.measured_against if is_of_bleu else study.baseline or study.metric.ranked()[0]


def _notes(study: TestedStudy) -> list[str]:
    """What a reader has to know of the table."""
    if not study.compares:
        return list(study.evaluation.remarks)
    comparison, against = study.comparison_in_metric, _against(study)
    pairs = comparison.against(against).values()
    lead = f"Δ and p (* significant) against {named(comparison, against)}."
    method = f"{lead} {significance_words.method_words(comparison, pairs)}."
    warned = significance_words.warnings(comparison, pairs)
    return [method, *warned, *study.evaluation.remarks]


def _signatures(study: TestedStudy) -> list[str]:
    return [f"{metric.name}|{metric.signature}" for metric in study.evaluation.metrics.values()]


def _more(tables: Sequence[str], *, is_whole: bool) -> str:
    systems, *others = tables
    whole = [] if is_whole else [f"{systems} (every column, whole names)"]
    listed = ", ".join([*whole, *others, *(["all"] if others else [])])
    return f"More with --table: {listed}." if others or whole else ""
