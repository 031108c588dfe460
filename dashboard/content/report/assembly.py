"""A study in, a report out."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bleucore import InputError
from bleucore.checks import Finding, check
from bleucore.counts import Progress
from dashboard.content.comparison.study import TestedStudy
from dashboard.content.report.choices import SECTIONS, ReportOptions, SectionName
from dashboard.content.report.chosen_segments import segment_blocks
from dashboard.content.report.difference import difference_blocks
from dashboard.content.report.every_segment import pack_segments
from dashboard.content.report.parts import Block, Report, Section, Words
from dashboard.content.report.results import charts_blocks, checks_blocks, systems_blocks, verdict_blocks
from dashboard.content.report.settings import methods_blocks, settings_blocks
from dashboard.content.segments.segment_notes import Notes

SHARE_OF_SECTIONS = 0.2
"""Of the work of a report that lists every segment."""


def make_report(
    study: TestedStudy,
    options: ReportOptions | None = None,
    *,
    findings: Sequence[Finding] | None = None,
    tags: Notes | None = None,
    command: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """What a study has to say, section by section. The same input gives the same report.

    Args:
        study: What it is about.
        options: What to hold; every section, and ten segments each way, unless given.
        findings: What the checks found; they run now if that is not given and a section needs it.
        tags: What readers said about segments.
        command: What to type to make this report again.
        progress: Called with the share of the work done, 0 to 1.

    Raises:
        InputError: A chosen segment is not there.
    """
    options = options or ReportOptions()
    _refuse_absent_segments(study, options)
    report = progress or (lambda _: None)
    share = SHARE_OF_SECTIONS if options.is_full else 1.0
    notes = tags or {}
    if findings is None:
        findings = (
            check(study.test_set, tokenizer=study.evaluation.options.tokenizer)
            if options.holds("verdict") or options.holds("checks")
            else ()
        )
    attribution = study.attribution if study.compares else None
    found: Sequence[Finding] = findings
    makers: dict[SectionName, Callable[[], list[Block]]] = {
        "verdict": lambda: verdict_blocks(study, found),
        "systems": lambda: systems_blocks(study, names_test=not options.holds("verdict")),
        "charts": lambda: charts_blocks(study),
        "difference": lambda: difference_blocks(study, attribution, options),
        "segments": lambda: segment_blocks(study, attribution, options, notes),
        "checks": lambda: checks_blocks(study, found),
        "methods": lambda: methods_blocks(study),
        "settings": lambda: settings_blocks(study, command),
    }
    sections = []
    for done, (name, title) in enumerate(SECTIONS.items(), start=1):
        blocks = (
            [one for one in makers[name]() if not isinstance(one, Words) or one.said] if options.holds(name) else []
        )
        if blocks:
            sections.append(Section(name, title, tuple(blocks)))
        report(share * done / len(SECTIONS))
    every_segment = None
    if options.is_full:
        of_bleu = replace(study, metric=study.evaluation.bleu)
        every_segment = pack_segments(
            of_bleu,
            of_bleu.attribution if of_bleu.compares else None,
            notes,
            progress=lambda done: report(share + (1 - share) * done),
        )
    return Report(study, options, tuple(sections), every_segment)


def _refuse_absent_segments(study: TestedStudy, options: ReportOptions) -> None:
    n_segments = study.test_set.n_segments
    absent = next((segment for segment in options.chosen or () if not 0 <= segment < n_segments), None)
    if absent is not None:
        raise InputError(
            "there is no such segment",
            where="The segments of the report",
            found=absent + 1,
            expected=f"1 to {n_segments}",
        )
