"""``bleuscope compare``: every system against a baseline, and where the difference of two comes from."""

from collections.abc import Sequence
from functools import partial

import click
import numpy as np

from bleucore.significance import SignificanceOptions
from bleuscope.cli.by_hand import by_hand_options, with_runs
from bleuscope.cli.next_step import next_step
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import (
    baseline_option,
    examples,
    file_options,
    metric_option,
    output_options,
    pair_option,
    scoring_options,
    test_options,
)
from bleuscope.cli.streams import progress, screen
from bleuscope.cli.studies import study_as_asked
from bleuscope.cli.texts import read_texts
from bleuscope.content.attribution.attribution_sheets import attribution_sheet
from bleuscope.content.comparison.comparison_context import TestedStudy, checked
from bleuscope.content.comparison.difference_sheets import documents_sheet
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.overview.brief import brief_text
from bleuscope.content.scores.score_sheets import systems_in_metric_sheet, systems_sheet
from bleuscope.content.segments.segment_sheets import segments_sheet
from bleuscope.content.significance.significance_by_metric import disagreement, disagreements, opinions_of
from bleuscope.content.significance.significance_sheets import (
    clusters_sheet,
    opinions_sheet,
    pairs_sheet,
    power_sheet,
)

DEFAULT_TOP = 10


@click.command(
    "compare",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope compare base.txt new.txt -r ref.txt",
        "bleuscope compare A.txt B.txt C.txt -r ref.txt --baseline A --pair A C --top 5",
        "bleuscope compare A.txt B.txt -r ref.txt --test paired-bootstrap --resamples 2000 --seed 1 --format json",
        "bleuscope compare 'systems/*.txt' -r ref.txt --format latex --table systems -o table.tex",
        "bleuscope compare --sample --unit document",
    ),
)
@file_options()
@scoring_options
@test_options
@baseline_option
@pair_option
@metric_option
@by_hand_options
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=DEFAULT_TOP,
    show_default=True,
    help="Number of segments for each of A and B.",
)
@click.option(
    "--verbose", "--all", "is_verbose", is_flag=True, help="Also print how differences were tested, and all signatures."
)
@output_options()
def compare_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    *,
    baseline: str | None,
    pair: tuple[str, str] | None,
    metric: str | None,
    top: int,
    is_verbose: bool,
    **of_features: object,
) -> None:
    """Compare systems: which is better, how sure we are, and where the difference comes from.

    Prints the verdict, the table of systems and the next command, as wide as the terminal (in a pipe, COLUMNS or 80).
    --verbose adds how differences were tested. A terminal shows colours unless NO_COLOR is set.

    Tables for --table: systems, pairs, clusters, power, metrics, attribution, segments, and documents if known; or
    all. A file (-o) contains systems, metrics, attribution and segments in full width.
    """
    texts = read_texts(asked, scoring.options.tokenizer)
    scoring = with_runs(scoring, texts.test_set, of_features)
    study = study_as_asked(texts, scoring, significance, baseline=baseline, pair=pair, metric=metric)
    if study.compares:
        with progress("Checking the texts") as report:
            study = checked(study, progress=report)
    give_tables(_tables(study, texts.notices, top, output.decimals, is_verbose=is_verbose), output)


def _tables(study: TestedStudy, warnings: Sequence[str], top: int, decimals: int | None, *, is_verbose: bool) -> Tables:
    evaluation, metric = study.evaluation, study.metric
    step = next_step(study, screen().width)
    if not study.compares:
        brief = partial(
            brief_text, study, tables=("systems",), decimals=decimals, is_verbose=is_verbose, next_step=step
        )
        return Tables({"systems": lambda: systems_sheet(study)}, warnings, brief=brief)
    comparison, opinions = study.comparison_in_metric, opinions_of(study)
    chosen = f"The segments that do most for the difference: up to {top} for B, then up to {top} for A."
    makers = {
        "systems": lambda: systems_in_metric_sheet(study),
        "pairs": lambda: pairs_sheet(comparison, evaluation, metric),
        "clusters": lambda: clusters_sheet(comparison, evaluation, metric),
        "power": lambda: power_sheet(comparison, evaluation, study.measured_against, metric),
        "metrics": lambda: opinions_sheet(study, opinions),
        "attribution": lambda: attribution_sheet(study.attribution, evaluation),
        "segments": lambda: segments_sheet(
            study, np.concatenate(study.leading_segments(top)), study.parts, metric, chosen=chosen
        ),
    }
    if study.test_set.documents is not None:
        makers["documents"] = lambda: documents_sheet(study, study.attribution)
    disputes = [*disagreements(evaluation, study.comparison, study.others, study.measured_against)]
    disputes += [one for one in [disagreement(evaluation, opinions)] if one and one not in disputes]
    shown = ("systems", "metrics", "attribution", "segments")
    brief = partial(brief_text, study, tables=tuple(makers), decimals=decimals, is_verbose=is_verbose, next_step=step)
    return Tables(makers, warnings, for_people=shown, disputes=[str(one) for one in disputes], brief=brief)
