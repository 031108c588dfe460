"""The sections that say what was found: the verdict, the systems, their charts, and the texts' checks."""

from collections.abc import Sequence

from bleucore.checks import SEVERITIES, Finding
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.findings import finding_words
from bleuscope.content.report.parts import Block, Chart, Charts, Heading, Table, Words
from bleuscope.content.scores import score_figures, verdicts
from bleuscope.content.scores.score_sheets import orders_sheet, systems_sheet
from bleuscope.content.sheets.builders import columns_of
from bleuscope.content.significance import significance_tables, significance_words
from bleuscope.content.significance.significance_sheets import pairs_sheet, power_sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Text, note, paragraph

TWO = 2
"""Systems: fewer have nothing to compare."""
MOST_LISTED = 24
"""Segments that a finding names; it says how many more there are."""


def verdict_blocks(study: TestedStudy, found: Sequence[Finding]) -> list[Block]:
    """Who is ahead and how surely, and whether the texts allow to say so."""
    verdict = verdicts.study_verdict(study, found)
    alarm = finding_words.alarm(found)
    return [*([Words(alarm)] if alarm else []), Words(verdict)]


def systems_blocks(study: TestedStudy, *, names_test: bool) -> list[Block]:
    """Every system with its interval and its test; then every difference from one of them, and every pair.

    Args:
        study: What it is about.
        names_test: Whether to say how it was tested; the verdict above says so too.
    """
    comparison, ranked = study.comparison, study.evaluation.ranked()
    blocks: list[Block] = [
        Table(systems_sheet(study)),
        Words(verdicts.table_notes(study)),
    ]
    if len(ranked) < TWO:
        return blocks
    other = study.measured_against
    against = [comparison.pair(name, other) for name in ranked if name != other]
    blocks += [Words(significance_words.method_note(comparison, against))] if names_test else []
    power = power_sheet(comparison, study.evaluation, other)
    blocks += [
        Heading("Differences from the baseline" if study.baseline else "Differences from the best"),
        Table(power),
        Words(significance_words.remarks(comparison, against)),
    ]
    if TWO < len(ranked) <= significance_tables.MOST_IN_MATRIX:
        blocks += [
            Heading("Every pair"),
            Words(significance_words.clusters_verdict(comparison)),
            Table(pairs_sheet(comparison, study.evaluation), is_matrix=True),
            Words(note(significance_words.PAIRS_CAPTION)),
        ]
    return blocks


def charts_blocks(study: TestedStudy) -> list[Block]:
    """Scores with their intervals, and precisions by order."""
    systems, orders = systems_sheet(study), orders_sheet(study.evaluation)
    scores = columns_of(systems, ("system", "bleu", "interval"), title="Corpus BLEU with 95 % intervals")
    return [
        Charts(
            (
                Chart(
                    "scores",
                    score_figures.scores_figure(systems, study.looks, study.sides),
                    "Corpus BLEU of each system as points with 95 % intervals, best first",
                    Table(scores, "bs-narrow"),
                ),
                Chart(
                    "precisions",
                    score_figures.precisions_figure(orders, study.looks, study.sides),
                    "Precision of each system by n-gram order",
                    Table(orders),
                ),
            )
        )
    ]


def checks_blocks(study: TestedStudy, found: Sequence[Finding]) -> list[Block]:
    """Every finding, gravest first, with what it does to the score and where it is."""
    blocks: list[Block] = [Words(finding_words.findings_verdict(found))]
    for severity in SEVERITIES:
        of_severity = [finding for finding in found if finding.severity == severity]
        if of_severity:
            blocks.append(Heading(finding_words.HEADINGS[severity]))
        for finding in of_severity:
            card = finding_words.finding_card(finding, finding_words.effects_of(study.evaluation, finding))
            blocks.append(Words(Text((card, _segments_of(finding)), f"rp-finding bs-finding-{severity}")))
    return blocks


def _segments_of(finding: Finding) -> Text:
    """Which segments a finding is about, counted from 1."""
    n_segments = len(finding.segments)
    if not n_segments:
        return Text()
    shown = [numbers.count(int(segment) + 1) for segment in finding.segments[:MOST_LISTED]]
    named = ", ".join(shown)
    rest = f" and {numbers.count(n_segments - MOST_LISTED)} more" if n_segments > MOST_LISTED else ""
    noun = "Segment" if n_segments == 1 else "Segments"
    return paragraph("bs-source rp-where", "{}: {}{}", noun, named, rest)
