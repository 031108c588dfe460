"""``bleuscope compare``: every system against a baseline, and where the difference of two comes from."""

from collections.abc import Sequence
from functools import cache, partial

import click

from bleucore import Evaluation, MetricEvaluation
from bleucore.significance import Comparison, SignificanceOptions, compare
from bleucore.values import unknown_name
from dashboard.cli.options import (
    examples,
    file_options,
    output_options,
    pair_option,
    scoring_options,
    test_options,
)
from dashboard.cli.output import Output, Tables, give_tables
from dashboard.cli.pairs import ScoredPair
from dashboard.cli.streams import progress
from dashboard.cli.studies import study_of
from dashboard.cli.texts import read_texts
from dashboard.content.comparison import compared_systems
from dashboard.content.inputs import Inputs, Settings
from dashboard.content.sheets.analysis import attribution_sheet, documents_sheet, segments_sheet
from dashboard.content.sheets.results import clusters_sheet, pairs_sheet, power_sheet, systems_sheet
from dashboard.content.study import TestedStudy
from dashboard.content.tables import scores_every_system

DEFAULT_TOP = 10


@click.command(
    "compare",
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
@click.option("--baseline", metavar="NAME", help="The system that the others are tested against.  [default: the first]")
@pair_option
@click.option("--tested", metavar="METRIC", help="Whose differences pairs, clusters and power are of.  [default: BLEU]")
@click.option(
    "--top", type=click.IntRange(min=0), default=DEFAULT_TOP, show_default=True, help="Segments for each of A and B."
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
    tested: str | None,
    top: int,
) -> None:
    """Compare systems: scores with intervals, tests, and where the difference of A and B comes from.

    Tables: systems, pairs, clusters, power, attribution, documents, segments.
    """
    texts = read_texts(asked, scoring.options.tokenizer)
    study = study_of(texts, scoring, significance, baseline=baseline, pair=pair)
    metric = _metric(study.evaluation, tested)
    give_tables(_tables(study, metric, texts.notices, top), output)


def _metric(evaluation: Evaluation, name: str | None) -> MetricEvaluation:
    """The metric whose differences are tested.

    Raises:
        InputError: It is not computed, or does not score every system.
    """
    names = [each for each, metric in evaluation.metrics.items() if scores_every_system(metric)]
    if name is not None and name not in names:
        remedy = "Add it with --metrics or --scores; it has to score every system."
        raise unknown_name("tested metric", name, names, where="Option --tested", remedy=remedy)
    return evaluation.metrics[name or names[0]]


def _compared(study: TestedStudy, metric: MetricEvaluation) -> Comparison:
    """The tests in that metric."""
    if metric is next(iter(study.evaluation.metrics.values())):
        return study.comparison
    with progress("Testing the differences") as report:
        return compare(compared_systems(study.test_set, metric), study.comparison.options, progress=report)


def _tables(study: TestedStudy, metric: MetricEvaluation, warnings: Sequence[str], top: int) -> Tables:
    evaluation = study.evaluation
    two = ScoredPair(study.test_set, evaluation, study.pair)
    if not two.compares:
        return Tables({"systems": lambda: systems_sheet(study)}, warnings)
    comparison = cache(partial(_compared, study, metric))
    chosen = f"The segments that do most for the difference: up to {top} for B, then up to {top} for A."
    makers = {
        "systems": lambda: systems_sheet(study),
        "pairs": lambda: pairs_sheet(comparison(), evaluation, metric),
        "clusters": lambda: clusters_sheet(comparison(), evaluation, metric),
        "power": lambda: power_sheet(comparison(), evaluation, study.baseline, metric),
        "attribution": lambda: attribution_sheet(two.attribution, evaluation),
        "segments": lambda: segments_sheet(study, two.leading_segments(top), two.parts, chosen=chosen),
    }
    if study.test_set.documents is not None:
        makers["documents"] = lambda: documents_sheet(study, two.attribution)
    return Tables(makers, warnings, for_people=("systems", "attribution", "segments"))
