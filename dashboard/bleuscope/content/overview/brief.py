"""A study in short: the verdict, one table in the width of a terminal, and the next command."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleucore import MetricEvaluation
from bleucore.checks import Finding
from bleucore.significance import Verdict
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
from bleuscope.content.style.cut_names import cut_names
from bleuscope.content.style.invisible import in_one_line

SCORES = ("score", "metric score")
MOST_LINES = 20
"""Of an answer about 8 systems."""
MOST_OF_VERDICT, NAME_IN_VERDICT = 3, 12
"""Lines of a verdict with whole names; columns of a cut one."""
VERBOSE = "More: --verbose, how it was tested; --table all, every table."
OF_SIGNATURES = re.compile(r"[^|]+\|?")
"""Signatures have no blanks to be broken at."""


def brief_text(  # noqa: PLR0913  # each given where it is known
    study: TestedStudy,
    screen: Screen,
    *,
    tables: Sequence[str],
    decimals: int | None = None,
    found: Sequence[Finding] | None = None,
    is_verbose: bool = False,
    next_step: str = "",
) -> str:
    """The verdict, what qualifies it, the systems and the next command: at most 20 lines of 80 columns for 8 systems.

    Args:
        study: The comparison.
        screen: Where it goes.
        tables: The names of all tables, the one of systems first.
        decimals: Of scores and differences; by default those of the pages.
        found: What the checks of the texts found; ``None`` where they were not made.
        next_step: The command that helps most now; empty for none.
        is_verbose: Whether to add how it was tested, all signatures and the names of all tables.
    """
    sheet = systems_in_metric_sheet(study) if study.compares else sheet_of_one(study)
    table = fitted(sheet if decimals is None else with_decimals(sheet, decimals), screen, leading_keys(sheet))
    said, chips_line = _verdict(study, found, screen)
    lead = [*(screen.painted(line, BOLD) for line in said), *chips_line, "", *table.lines, ""]
    follow = _broken([next_step], screen)
    if is_verbose:
        follow = [*_broken(notes_on_table(study), screen), *_signature_lines(study, screen), *follow]
        follow += _broken([_more(tables, is_whole=table.is_whole)], screen, style=FAINT)
        return "\n".join([*lead, *follow]) + "\n"
    follow += _broken([VERBOSE], screen, style=FAINT)
    room = MOST_LINES - len(lead) - len(follow)
    for lines in (_broken(_warnings(study), screen), _signature_lines(study, screen)):
        if len(lines) <= room:
            follow = [*lines, *follow]
            room -= len(lines)
    return "\n".join([*lead, *follow]) + "\n"


def _broken(texts: Sequence[str], screen: Screen, style: str | None = None) -> list[str]:
    lines = [line for one in texts if one for line in broken(in_one_line(one), screen.width)]
    return lines if style is None else [screen.painted(line, style) for line in lines]


def _signature_lines(study: TestedStudy, screen: Screen) -> list[str]:
    lines = [line for one in signatures(study) for line in broken(in_one_line(one), screen.width, OF_SIGNATURES)]
    return [screen.painted(line, FAINT) for line in lines]


def sheet_of_one(study: TestedStudy) -> Sheet:
    """The only system, led by BLEU as what is said of it, and in no cluster."""
    sheet = systems_sheet(study)
    return replace(sheet, fields=tuple(one for one in sheet.fields if one.key not in (CLUSTER.key, *RANK_KEYS)))


def leading_keys(sheet: Sheet) -> list[str]:
    """The columns that say most: score, difference, p and interval, then other metrics with their p, then ranks."""
    score, *others = read_fields(sheet)[1:]
    next_score = next((at for at, one in enumerate(others) if one.kind in SCORES), len(others))
    lead, beside = others[:next_score], others[next_score:]
    tests = [one.key for kind in ("difference", "part", "p") for one in lead if one.kind == kind]
    return [score.key, *tests, INTERVAL.key, *(one.key for one in beside if one.kind in (*SCORES, "p")), *RANK_KEYS]


def _verdict(study: TestedStudy, found: Sequence[Finding] | None, screen: Screen) -> tuple[list[str], list[str]]:
    """The lines of the verdict, and of its chips; names are cut where they would fill the screen."""
    if not study.compares:
        return _broken([str(single_answer(study))], screen), []
    made = study_verdict(study, found)
    zeros = significance_words.zero_words(study.evaluation) if _is_bleu(study, study.metric) else ""
    if made is None:
        return _broken([zeros], screen), []
    lines = _broken([f"{verdict_sentence(made)}{zeros}"], screen)
    if len(lines) > MOST_OF_VERDICT:
        names = dict(zip(study.evaluation.names, cut_names(study.evaluation.names, NAME_IN_VERDICT), strict=True))
        lines = _broken([f"{verdict_sentence(_renamed(made, names))}{zeros}"], screen)
    return lines, _broken([" · ".join(chips(made))], screen)


def _renamed(made: Verdict, names: Mapping[str, str]) -> Verdict:
    pair = made.compared
    return replace(
        made,
        systems=tuple(names[one] for one in made.systems),
        compared=replace(pair, name=names[pair.name], other=names[pair.other]),
        baseline=None if made.baseline is None else names[made.baseline],
        apart=tuple((names[name], error) for name, error in made.apart),
    )


def _is_bleu(study: TestedStudy, metric: MetricEvaluation) -> bool:
    return metric is study.evaluation.bleu


def _against(study: TestedStudy) -> str:
    """What the table measures systems against."""
    is_of_bleu = study.comparison_in_metric is study.comparison
    return study.measured_against if is_of_bleu else study.baseline or study.metric.ranked()[0]


def notes_on_table(study: TestedStudy) -> list[str]:
    """What a reader has to know of the table."""
    if not study.compares:
        return list(study.evaluation.remarks)
    comparison, against = study.comparison_in_metric, _against(study)
    pairs = comparison.against(against).values()
    lead = f"Δ and p (* significant) against {named(comparison, against)}."
    method = f"{lead} {significance_words.method_words(comparison, pairs)}."
    return [method, *_warnings(study), *study.evaluation.remarks]


def _warnings(study: TestedStudy) -> list[str]:
    """What limits the tests of the table."""
    if not study.compares:
        return []
    comparison = study.comparison_in_metric
    return list(significance_words.warnings(comparison, comparison.against(_against(study)).values()))


def signatures(study: TestedStudy) -> list[str]:
    """The signature of each metric, led by its name."""
    return [f"{metric.name}|{metric.signature}" for metric in study.evaluation.metrics.values()]


def _more(tables: Sequence[str], *, is_whole: bool) -> str:
    systems, *others = tables
    whole = [] if is_whole else [f"{systems} (every column, whole names)"]
    listed = ", ".join([*whole, *others, *(["all"] if others else [])])
    return f"More with --table: {listed}." if others or whole else ""
