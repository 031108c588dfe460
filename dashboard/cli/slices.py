"""``bleuscope slices``: two systems by document, length, rarity of words or label."""

from collections.abc import Sequence

import click

from bleucore import InputError
from bleucore.significance import SignificanceOptions
from bleucore.slices import LABEL, RARITY, REFERENCE_LENGTH, compare_slices, slice_kinds, slice_segments
from dashboard.cli.options import (
    Scoring,
    examples,
    file_options,
    metric_option,
    output_options,
    pair_option,
    scoring_options,
    test_options,
)
from dashboard.cli.output import Output, Tables, give_tables
from dashboard.cli.pairs import ScoredPair, scored_pair
from dashboard.cli.streams import progress
from dashboard.cli.texts import Asked, read_texts
from dashboard.content.sheets.analysis import slices_sheet
from dashboard.content.sheets.sheet import Sheet
from dashboard.content.slice_tables import compared_pair, summarise


@click.command(
    "slices",
    epilog=examples(
        "bleuscope slices A.txt B.txt -r ref.txt --by length",
        "bleuscope slices A.txt B.txt -r ref.txt --by rarity -m chrf --metric chrF2",
        "bleuscope slices A.txt B.txt -r ref.txt --documents docs.txt --by document --format tsv",
        "bleuscope slices A.txt B.txt -r ref.txt --labels domain.txt --by domain --all-systems",
    ),
)
@file_options()
@scoring_options
@test_options
@pair_option
@metric_option
@click.option(
    "--by",
    metavar="WHAT",
    help="document, reference-length (or length), source-length, rarity, or the name of a label.  "
    "[default: document if known, else length]",
)
@click.option("--all-systems", is_flag=True, help="The scores of the other systems too.")
@output_options()
def slices_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Asked,
    scoring: Scoring,
    significance: SignificanceOptions,
    output: Output,
    *,
    pair: tuple[str, str] | None,
    metric: str | None,
    by: str | None,
    all_systems: bool,
) -> None:
    """Compare systems A and B on slices of the test set; p is corrected for all slices."""
    texts = read_texts(asked, scoring.options.tokenizer)
    kind = _kind(by, slice_kinds(texts.test_set))
    two = scored_pair(texts, scoring, pair, metric)
    makers = {"slices": lambda: _sheet(two, kind, significance, all_systems=all_systems)}
    give_tables(Tables(makers, texts.warnings), output)


def _sheet(two: ScoredPair, kind: str, significance: SignificanceOptions, *, all_systems: bool) -> Sheet:
    slicing = slice_segments(two.test_set, kind, two.evaluation.options)
    summary = summarise(two.evaluation, slicing, two.pair, two.attribution if two.compares else None, two.metric)
    tested = None
    if two.compares:
        systems = compared_pair(two.test_set, two.metric, two.pair)
        with progress("Testing the slices") as report:
            tested = compare_slices(systems, slicing, significance, progress=report)
    shown = summary.shown(summary.orders()[0], every=True)
    others = [name for name in two.evaluation.ranked() if name not in two.pair] if all_systems else []
    return slices_sheet(two, summary, tested, shown, others=others)


def _kind(asked: str | None, kinds: Sequence[str]) -> str:
    """By what to divide: one of the kinds, also without blanks, in short, or a label by its name alone.

    Raises:
        InputError: There is no such kind.
    """
    if asked is None:
        return kinds[0]
    short = {"length": REFERENCE_LENGTH, "rarity": RARITY}
    names = {kind.removeprefix(LABEL): kind for kind in kinds}
    names |= {name: kind for name, kind in short.items() if name not in names}
    names |= {kind.replace(" ", "-"): kind for kind in kinds} | {kind: kind for kind in kinds}
    if asked not in names:
        raise InputError(
            "the test set cannot be sliced so",
            where="Option --by",
            found=repr(asked),
            expected=f"one of {', '.join(kind.removeprefix(LABEL).replace(' ', '-') for kind in kinds)}",
            remedy="Documents and labels come from --documents and --labels, or stand in XML and tables.",
        )
    return names[asked]
