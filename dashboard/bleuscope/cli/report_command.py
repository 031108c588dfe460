"""``bleuscope report``: everything in one file."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path

import click

from bleucore import InputError
from bleucore.checks import check
from bleucore.significance import SignificanceOptions
from bleuscope.cli.by_hand import by_hand_options, with_runs
from bleuscope.cli.files_out import write_file
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import STANDARD_OUTPUT, Output, check_path
from bleuscope.cli.shared_options import (
    Command,
    baseline_option,
    examples,
    file_options,
    metric_option,
    output_options,
    pair_option,
    scoring_options,
    test_options,
)
from bleuscope.cli.streams import progress
from bleuscope.cli.studies import study_as_asked
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.report.choices import (
    ADDED,
    OF_FEATURES,
    OF_JUDGEMENTS,
    SECTION_NAMES,
    ReportOptions,
    sections_without,
)
from bleuscope.content.segments.segment_notes import read_notes
from bleuscope.registry import load
from bleuscope.shell.disk.files import read_bytes

DEFAULT_TOP = 10
SLIDES, ENDING_OF_SLIDES = "Option --slides", ".pptx"


def _options_of_sections(command: Command) -> Command:
    """The options of sections that features add."""
    decorators = [load(section.options) for section in OF_FEATURES.values() if section.options]
    return reduce(lambda decorated, decorate: decorate(decorated), reversed(decorators), command)


@click.command(
    "report",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope report A.txt B.txt -r ref.txt -s source.txt -o report.html",
        'bleuscope report A.txt B.txt -r ref.txt -o report.html --title "Spring release" --top 5 --without checks',
        "bleuscope report A.txt B.txt -r ref.txt -o report.html --full",
        "bleuscope report A.txt B.txt -r ref.txt --slides deck.pptx",
        "bleuscope report --sample --segments-list 3,17 --format markdown -o report.md",
        *(f"bleuscope report --sample --with {name} -o report.html" for name in ADDED),
        "bleuscope report A.txt B.txt C.txt -r ref.txt --judgements mqm.tsv -o report.html",
    ),
)
@file_options(takes_judgements=True)
@scoring_options
@test_options
@baseline_option
@pair_option
@metric_option
@click.option("--title", help="The title of the report.")
@click.option("--remarks", default="", help="A text under the title.")
@click.option("--date", help="A date under the title. Without it, equal input gives equal files.")
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=DEFAULT_TOP,
    show_default=True,
    help="Number of segments for each of A and B.",
)
@click.option("--segments-list", metavar="N,N,…", help="These segments instead, counted from 1.")
@click.option("--notes", type=click.Path(), help="A file with tags and notes, as the dashboard saves them.")
@click.option("--full", is_flag=True, help="Also list every segment, to search and to open.")
@click.option("--slides", type=click.Path(), help="Write six slides to this .pptx file; the report too with -o.")
@click.option("--with", "besides", multiple=True, metavar="SECTION", help=f"Add: {', '.join(ADDED)}.")
@click.option("--without", multiple=True, metavar="SECTION", help=f"Leave out: {', '.join(SECTION_NAMES)}.")
@by_hand_options
@_options_of_sections
@output_options(forms=("html", "markdown"), chooses=False)
def report_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    *,
    baseline: str | None,
    pair: tuple[str, str] | None,
    metric: str | None,
    title: str | None,
    remarks: str,
    date: str | None,
    top: int,
    segments_list: str | None,
    notes: str | None,
    full: bool,
    slides: str | None,
    besides: tuple[str, ...],
    without: tuple[str, ...],
    **of_sections: object,
) -> None:
    """Write one offline file with verdict, tables, charts, segments, checks and every setting."""
    options = ReportOptions(
        title=title,
        remarks=remarks,
        sections=sections_without(without, (*besides, *(OF_JUDGEMENTS if asked.judgements else ()))),
        n_segments=top,
        chosen=_segments(segments_list),
        is_full=full,
        date=date,
    )
    from bleuscope.cli.report_evidence import evidence_in  # noqa: PLC0415  # draws, which the engine alone cannot
    from bleuscope.content.report import html_report, make_report, markdown_report  # noqa: PLC0415  # as above
    from bleuscope.content.report.choices import NEED_CHECKS  # noqa: PLC0415  # as above

    if slides is not None:
        _check_slides(slides, (*asked.paths, *((notes,) if notes else ()), output.path))
    output.check((*((notes,) if notes else ()), *asked.judgements))
    texts = read_texts(asked, scoring.options.tokenizer)
    scoring = with_runs(scoring, texts.test_set, of_sections)
    said = read_notes(notes, read_bytes(Path(notes)), texts.test_set.n_segments) if notes else {}
    study = study_as_asked(texts, scoring, significance, baseline=baseline, pair=pair, metric=metric)
    added = (*besides, *(OF_JUDGEMENTS if asked.judgements else ()))
    options = replace(options, sections=sections_without(without, added, study=study))
    needs_findings = slides is not None or any(map(options.holds, NEED_CHECKS))
    with progress("Checking the texts") as report:
        findings = check(study.test_set, tokenizer=scoring.options.tokenizer, progress=report) if needs_findings else ()
    if slides is not None:
        from bleuscope.content.slides.deck import slides as slides_of  # noqa: PLC0415  # as above

        with progress("Writing the slides"):
            deck = slides_of(replace(study, findings=tuple(findings)), findings, title=title, date=date)
        write_file(Path(slides), deck)
        if output.path == STANDARD_OUTPUT:
            return
    command = shlex.join(["bleuscope", *sys.argv[1:]])
    evidence = evidence_in(asked, of_sections, study, options) if asked.judgements else None
    with progress("Writing the report") as report:
        made = make_report(
            study, options, findings=findings, tags=said, evidence=evidence, command=command, progress=report
        )
        written = html_report(made) if output.form == "html" else markdown_report(made)
    output.give(written)


def _check_slides(path: str, read: Sequence[str]) -> None:
    """Refuse slides that could not be written, before anything is computed.

    Raises:
        InputError: python-pptx is missing, or the file has another ending, cannot be written or is read.
    """
    from bleuscope.content.slides.deck import refuse_missing_package  # noqa: PLC0415  # with pandas

    if Path(path).suffix.lower() != ENDING_OF_SLIDES:
        raise InputError(
            "slides are a file of PowerPoint",
            where=SLIDES,
            found=path,
            expected=ENDING_OF_SLIDES,
            remedy=f"Write --slides {Path(path).stem or 'deck'}{ENDING_OF_SLIDES}.",
        )
    refuse_missing_package(SLIDES)
    check_path(path, read, SLIDES)


def _segments(text: str | None) -> tuple[int, ...] | None:
    """The segments of a list, from 0."""
    if text is None:
        return None
    try:
        return tuple(int(number) - 1 for number in text.split(","))
    except ValueError as error:
        raise InputError(
            "these are no segments",
            where="Option --segments-list",
            found=repr(text),
            expected="whole numbers from 1 with commas between them",
            remedy="Write them as in 3,17.",
        ) from error
