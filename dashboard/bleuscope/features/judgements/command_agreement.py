"""``bleuscope agreement``: how far metrics agree with judgements of people."""

from collections.abc import Sequence
from functools import partial

import click

from bleucore import InputError
from bleucore.agreement.agreement import Agreement, AgreementOptions, agreement
from bleucore.agreement.judged import ScoredSystems
from bleucore.agreement.judged_test_set import with_judges
from bleucore.agreement.judges import ModelJudges
from bleucore.agreement.raters import raters_of
from bleucore.judgements.averaging import Averaging
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import (
    examples,
    file_options,
    output_options,
    scoring_options,
)
from bleuscope.cli.streams import notice, progress
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.features.judgements.document import agreement_json
from bleuscope.features.judgements.judged_texts import JudgedTexts, Judging, judged_of, judging_options, read_judged
from bleuscope.features.judgements.sheets import (
    agreement_notices,
    agreement_sheet,
    judged_neighbours_sheet,
    judged_pairs_sheet,
    judged_systems_sheet,
    metric_sheets,
)
from bleuscope.features.judgements.sheets_judges import judges_sheet, positions_sheet, self_preference_sheet
from bleuscope.features.judgements.sheets_opinions import side_by_side_sheet, sizes_sheet
from bleuscope.features.judgements.sheets_raters import disputed_sheet, raters_sheet

DEFAULTS = AgreementOptions()
PEOPLE_READ = ("metrics-systems", "metrics-segments", "systems")
"""The tables that people are shown: all statistics in one are too wide for a terminal."""


@click.command(
    "agreement",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope agreement --mtme wmt23 --language-pair en-de --judgement mqm --metric COMET-refA",
        "bleuscope agreement --mtme wmt23.tgz --language-pair en-de --judgement mqm --reference refB --format json",
        "bleuscope agreement A.txt B.txt C.txt -r ref.txt --judgements mqm.tsv --metrics ter --table pairs",
        "bleuscope agreement 'systems/*.txt' -r ref.txt --judgements esa.csv --average z --scores comet.json",
    ),
)
@file_options(takes_judgements=True, needs_systems=False)
@click.option(
    "--mtme", metavar="FOLDER", type=click.Path(), help="A test set as mt-metrics-eval has it; or its archive."
)
@judging_options
@click.option(
    "--metric", "of_tree", multiple=True, metavar="NAME", help="A metric that --mtme holds, as in COMET-refA."
)
@click.option(
    "--trials", type=click.IntRange(1, 1_000_000), default=DEFAULTS.trials, show_default=True, help="Of tests."
)
@click.option("--seed", type=click.IntRange(min=0), default=DEFAULTS.seed, show_default=True, help="Of all draws.")
@scoring_options
@output_options()
def agreement_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    judging: Judging,
    output: Output,
    *,
    mtme: str | None,
    of_tree: tuple[str, ...],
    trials: int,
    seed: int,
) -> None:
    """Compare metrics with human judgements: pairs of systems, correlations, segments.

    bleuscope computes BLEU and chrF for all judged systems, except the reference itself. With --mtme, --reference
    names a reference of that test set instead of the usual one.

    Tables: metrics (or its halves metrics-systems and metrics-segments), systems, pairs, neighbours, raters,
    disputed; for BLEU also sizes and side-by-side. For model judges: positions, self-preference, judges.
    Without --table, json contains every metric.
    """
    options = AgreementOptions(judged_segments=judging.judged_segments, trials=trials, seed=seed)
    texts = read_judged(asked, scoring, judging, mtme=mtme, of_tree=of_tree)
    give_agreement(texts, scoring, judging.averaging, options, output, judging.own_systems)


def _judges(
    texts: JudgedTexts, found: Agreement, metrics: Sequence[ScoredSystems], own_systems: Sequence[str]
) -> ModelJudges:
    """What is known of judges that are models.

    Raises:
        InputError: No judge is one, or own systems are said of another.
    """
    are_people = not texts.judgements.are_of_models
    judges = with_judges(found, texts.test_set, texts.models, metrics, own_systems, are_people=are_people).judges
    if not texts.models or judges is None:
        raise InputError(
            "no model judged",
            where="Option --table",
            found=f"judgements of people ({texts.judgements.name})",
            expected="verdicts of language models",
            remedy="Name their file with --judgements too, or choose another table.",
        )
    return judges


def give_agreement(
    texts: JudgedTexts,
    scoring: Settings,
    averaging: Averaging,
    options: AgreementOptions,
    output: Output,
    own_systems: Sequence[str] = (),
) -> None:
    """Measure the agreement, and write it."""
    people, metrics = judged_of(texts, scoring, averaging)
    with progress("Comparing with people") as report:
        found = agreement(people, metrics, options, progress=report)
    said = agreement_notices(found)
    for one in said:
        notice(one)
    if output.form == "json" and output.table is None and not output.columns:
        output.give(agreement_json(found))
        return
    of_raters = partial(raters_of, texts.judgements, found.people.systems, texts.test_set.n_segments, averaging)

    def of_judges() -> ModelJudges:
        return _judges(texts, found, metrics, own_systems)

    makers = {
        "metrics": lambda: agreement_sheet(found),
        "metrics-systems": lambda: metric_sheets(found)[0],
        "metrics-segments": lambda: metric_sheets(found)[1],
        "systems": lambda: judged_systems_sheet(found),
        "pairs": lambda: judged_pairs_sheet(found),
        "neighbours": lambda: judged_neighbours_sheet(found),
        "sizes": lambda: sizes_sheet(found, found.metrics[0]),
        "side-by-side": lambda: side_by_side_sheet(found, found.metrics[0]),
        "judges": lambda: judges_sheet(of_judges()),
        "positions": lambda: positions_sheet(of_judges()),
        "self-preference": lambda: self_preference_sheet(of_judges()),
        "raters": lambda: raters_sheet(of_raters(), found.people),
        "disputed": lambda: disputed_sheet(texts.test_set, of_raters(), found.people),
    }
    give_tables(Tables(makers, (*texts.notices, *said), for_people=PEOPLE_READ), output)
