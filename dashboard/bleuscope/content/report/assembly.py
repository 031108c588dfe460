"""A study in, a report out."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bleucore import InputError
from bleucore.checks import Finding, check
from bleucore.counts import Progress
from bleuscope.annotations import Notes
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.report.choices import (
    NEED_CHECKS,
    OF_FEATURES,
    SECTIONS,
    ReportOptions,
    SectionName,
    usual_sections,
)
from bleuscope.content.report.chosen_segments import segment_blocks
from bleuscope.content.report.difference import difference_blocks
from bleuscope.content.report.every_segment import pack_segments
from bleuscope.content.report.evidence import Evidence, WhyNot, completed, missing_in
from bleuscope.content.report.marked_errors import errors_blocks
from bleuscope.content.report.parts import SHORT_TITLES, Block, Report, Section, Words
from bleuscope.content.report.results import charts_blocks, checks_blocks, systems_blocks, verdict_blocks
from bleuscope.content.report.settings import methods_blocks, settings_blocks
from bleuscope.content.style.sentences import note
from bleuscope.registry import ReportSection, load

SHARE_OF_SECTIONS = 0.2
"""Of the work of a report that lists every segment."""
SHARE_OF_EVIDENCE = 0.8
"""Of the work of sections, where settings or references are among them."""


def make_report(  # noqa: PLR0913  # all that can stand in one, each given where it is known
    study: TestedStudy,
    options: ReportOptions | None = None,
    *,
    findings: Sequence[Finding] | None = None,
    tags: Notes | None = None,
    evidence: Evidence | None = None,
    command: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """What a study has to say, section by section. The same input gives the same report.

    Args:
        study: What it is about.
        options: What to hold; every usual section, and ten segments each way, unless given.
        findings: What the checks found; they run now if that is not given and a section needs it.
        tags: What readers said about segments.
        evidence: What features and people say about the scores; what texts alone tell is found out now if it is not
            given and a section needs it.
        command: What to type to make this report again.
        progress: Called with the share of the work done, 0 to 1.

    Raises:
        InputError: A chosen segment is not there.
    """
    options = options or ReportOptions(sections=usual_sections(study))
    _refuse_absent_segments(study, options)
    report = progress or (lambda _: None)
    share = SHARE_OF_SECTIONS if options.is_full else 1.0
    notes = tags or {}
    if findings is None:
        findings = (
            check(study.test_set, tokenizer=study.evaluation.options.tokenizer)
            if any(map(options.holds, NEED_CHECKS))
            else ()
        )
    found: Sequence[Finding] = findings
    study = replace(study, findings=tuple(found))
    given = evidence or Evidence()
    first = share * SHARE_OF_EVIDENCE if missing_in(given, options) else 0.0
    found_out = completed(given, study, options, lambda done: report(first * done))
    makers: dict[SectionName, Callable[[], list[Block]]] = {
        "verdict": lambda: verdict_blocks(study, found),
        "systems": lambda: systems_blocks(study, names_test=not options.holds("verdict")),
        "charts": lambda: charts_blocks(study),
        "difference": lambda: difference_blocks(study, options),
        "segments": lambda: segment_blocks(study, options, notes),
        "errors": lambda: errors_blocks(study, found_out.marked),
        "checks": lambda: checks_blocks(study, found),
        "methods": lambda: methods_blocks(study, found_out.methods()),
        "settings": lambda: settings_blocks(study, command),
    }
    makers |= {name: _of_feature(one, study, found_out.found.get(name)) for name, one in OF_FEATURES.items()}
    sections = []
    for done, (name, title) in enumerate(SECTIONS.items(), start=1):
        blocks = (
            [one for one in makers[name]() if not isinstance(one, Words) or one.said] if options.holds(name) else []
        )
        if blocks:
            sections.append(Section(name, title, tuple(blocks), SHORT_TITLES[name]))
        report(first + (share - first) * (done / len(SECTIONS)))
    every_segment = None
    if options.is_full:
        of_bleu = replace(study, metric=study.evaluation.bleu)
        every_segment = pack_segments(of_bleu, notes, progress=lambda done: report(share + (1 - share) * done))
    return Report(study, options, tuple(sections), every_segment)


def _of_feature(section: ReportSection, study: TestedStudy, found: object) -> Callable[[], list[Block]]:
    if isinstance(found, WhyNot):
        reason = found.reason
        return lambda: [Words(note("{}", reason))]
    return lambda: load(section.blocks)(study, found)


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
