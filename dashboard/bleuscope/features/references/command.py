"""``bleuscope references``: what the choice of references does to the order of systems."""

from functools import partial

import click

from bleucore.robustness.references import DRAW_UNITS, USUAL_DRAWS, DrawOptions, DrawUnit, study_references
from bleucore.significance import SignificanceOptions
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import (
    examples,
    file_options,
    metric_option,
    output_options,
    scoring_options,
    test_options,
)
from bleuscope.cli.streams import progress
from bleuscope.cli.studies import metric_named
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.features.references.sheets import SHEETS, reference_document

FOR_PEOPLE = ("subsets", "scores", "flips")


@click.command(
    "references",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope references A.txt B.txt -r ref.A.txt -r ref.B.txt",
        "bleuscope references A.txt B.txt C.txt -r ref.A.txt -r ref.B.txt --base ref.A --table flips",
        "bleuscope references A.txt B.txt -r ref.A.txt -r ref.B.txt --draw-by segment --format json",
        "bleuscope references --sample --table draws",
        "bleuscope references --sample --metric chrF2 --table nearness",
    ),
)
@file_options(takes_scores=False)
@scoring_options
@test_options
@metric_option
@click.option(
    "--base", "base", multiple=True, metavar="NAME", help="The references that give the baseline order.  [default: all]"
)
@click.option("--draws", type=int, default=USUAL_DRAWS, show_default=True, help="Number of samples of one reference.")
@click.option(
    "--draw-by",
    type=click.Choice(DRAW_UNITS),
    help="Sample one reference per document or segment.  [default: document if known, else segment]",
)
@output_options()
def references_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    *,
    metric: str | None,
    base: tuple[str, ...],
    draws: int,
    draw_by: DrawUnit | None,
) -> None:
    """Score systems with each reference, with some and with all. Which pairs change their order?

    Tables: subsets, scores, ranks, flips, growth, draws, draw-flips, matches, people, nearness. json holds everything.
    """
    drawn, options = DrawOptions(draw_by, draws, significance.seed), metric_named(scoring, metric)
    texts = read_texts(asked, scoring.options.tokenizer)
    with progress("Scoring with each choice of references") as report:
        study = study_references(
            texts.test_set,
            options,
            base=[texts.test_set.reference_called(name) or name for name in base] or None,
            draws=drawn,
            significance=significance,
            progress=report,
        )
    facts = {
        "digest": texts.test_set.digest,
        "signature": study.metric.signature(options, len(study.references)),
        "test_signature": study.tests.signature(),
    }
    makers = {name: partial(make, study, facts) for name, make in SHEETS.items()}
    notices = [*texts.notices, *study.notices]
    give_tables(
        Tables(makers, notices, for_people=FOR_PEOPLE, document=lambda: {**reference_document(study), **facts}), output
    )
