"""``bleuscope slices``: two systems by document, length, rarity of words or label."""

from collections.abc import Sequence
from pathlib import Path

import click

from bleucore import InputError
from bleucore.analysis.given_words import GivenWords, LabelFile, read_lines
from bleucore.analysis.slices import (
    Slicing,
    compare_slices,
    slice_kinds,
    slice_segments,
)
from bleucore.analysis.word_accuracy import LABEL as BY_LABEL
from bleucore.analysis.word_accuracy import LIST, WORD_KINDS, compare_words, word_buckets
from bleucore.significance import SignificanceOptions
from bleucore.values import unknown_name
from bleuscope.cli.by_hand import run_option
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.queries import kind_of_slices
from bleuscope.cli.recipe_notices import say_recipes
from bleuscope.cli.shared_options import (
    examples,
    file_options,
    metric_option,
    output_options,
    pair_option,
    scoring_options,
    test_options,
)
from bleuscope.cli.streams import progress
from bleuscope.cli.studies import refuse_single, scored_pair
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.segments.segment_queries import question_slicing
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.slices.slice_sheets import slices_sheet
from bleuscope.content.slices.slice_tables import ORDERS, compared_pair, summarise
from bleuscope.content.slices.word_sheets import words_sheet
from bleuscope.shell.disk import files


@click.command(
    "slices",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope slices A.txt B.txt -r ref.txt --by length",
        "bleuscope slices A.txt B.txt -r ref.txt --by rarity -m chrf --metric chrF2",
        "bleuscope slices A.txt B.txt -r ref.txt --documents docs.txt --by document --format tsv",
        "bleuscope slices A.txt B.txt -r ref.txt --words frequency",
        "bleuscope slices A.txt B.txt -r ref.txt --words label --token-labels ref.pos --tokenize none",
        "bleuscope slices A.txt B.txt -r ref.txt --words list --word-list terms.txt",
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
@click.option(
    "--order",
    type=click.Choice(tuple(ORDERS)),
    help="The order of slices without a natural order.  [default: delta; of one system size]",
)
@click.option("--top", type=click.IntRange(min=1), help="Up to this number: those that differ most, or the first.")
@click.option("--all-systems", is_flag=True, help="Also print the scores of the other systems.")
@click.option("--where", metavar="CONDITION", help="Two slices: segments that fit, and the rest, as in 'length > 30'.")
@click.option("--words", type=click.Choice(tuple(WORD_KINDS)), help="Words of each kind instead of segments.")
@click.option(
    "--token-labels",
    multiple=True,
    type=click.Path(),
    help="For --words label: a file for each reference, a line a segment, a label for each token, with blanks between.",
)
@click.option("--output-labels", multiple=True, type=click.Path(), help="The same for A, and then for B.")
@click.option("--word-list", type=click.Path(), help="For --words list: a file with a word or phrase a line.")
@run_option
@output_options()
def slices_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    *,
    pair: tuple[str, str] | None,
    metric: str | None,
    by: str | None,
    order: str | None,
    top: int | None,
    all_systems: bool,
    words: str | None,
    token_labels: tuple[str, ...],
    output_labels: tuple[str, ...],
    word_list: str | None,
    where: str | None,
    **of_features: object,
) -> None:
    """Compare systems A and B on slices of the test set, with p corrected for all slices.

    Tables: slices, or words with --words.
    """
    given = _given(words, token_labels, output_labels, word_list)
    texts = read_texts(asked, scoring.options.tokenizer)
    if words is not None:
        two = scored_pair(texts, scoring, pair)
        say_recipes(two.evaluation, of_features)
        refuse_single(two, "words that one gets better need")
        give_tables(Tables({"words": lambda: _words(two, words, significance, given)}, texts.notices), output)
        return
    kind = kind_of_slices(by, slice_kinds(texts.test_set))
    two = scored_pair(texts, scoring, pair, metric)
    say_recipes(two.evaluation, of_features)
    slicing = slice_segments(two.test_set, kind, two.options) if where is None else question_slicing(two, where)
    makers = {"slices": lambda: _sheet(two, slicing, significance, order=order, top=top, all_systems=all_systems)}
    give_tables(Tables(makers, texts.notices), output)


def _sheet(
    two: ComparisonContext,
    slicing: Slicing,
    significance: SignificanceOptions,
    *,
    order: str | None,
    top: int | None,
    all_systems: bool,
) -> Sheet:
    summary = summarise(two.evaluation, slicing, two.sides, two.attribution if two.compares else None, two.metric)
    shown, tested = summary.shown(_order(order, summary.orders()), top), None
    if two.compares:
        systems = compared_pair(two.test_set, two.metric, two.pair)
        with progress("Testing the slices") as report:
            tested = compare_slices(systems, slicing, significance, chosen=sorted(shown.tolist()), progress=report)
    others = [name for name in two.evaluation.ranked() if name not in two.sides] if all_systems else []
    return slices_sheet(two, summary, tested, shown, others=others)


def _given(
    kind: str | None, token_labels: Sequence[str], output_labels: Sequence[str], word_list: str | None
) -> GivenWords:
    """What the words are told apart by, from files.

    Raises:
        InputError: A file cannot be read, or is of another kind of words.
    """
    listed = () if word_list is None else (word_list,)
    for option, paths, needed in (
        ("--token-labels", token_labels, BY_LABEL),
        ("--output-labels", output_labels, BY_LABEL),
        ("--word-list", listed, LIST),
    ):
        if paths and kind != needed:
            raise InputError(
                f"it is for --words {needed}",
                where=f"Option {option}",
                found=f"--words {kind}" if kind else "no --words",
                remedy=f"Add --words {needed}, or leave it out.",
            )
    references, outputs = (
        tuple(LabelFile(path, _lines(path)) for path in paths) for paths in (token_labels, output_labels)
    )
    return GivenWords(references, outputs, tuple(line for path in listed for line in _lines(path)))


def _lines(path: str) -> tuple[str, ...]:
    return read_lines(path, files.read_bytes(Path(path)))


def _words(two: ComparisonContext, kind: str, significance: SignificanceOptions, given: GivenWords) -> Sheet:
    buckets = word_buckets(two.test_set, two.pair, kind, two.options, given)
    with progress("Testing the words") as report:
        tested = compare_words(buckets, two.pair, two.known_units, significance, progress=report)
    return words_sheet(two, kind, buckets, tested)


def _order(asked: str | None, orders: Sequence[str]) -> str:
    """One of the orders of the slices, their usual one unless asked for.

    Raises:
        InputError: These slices have no such order.
    """
    if asked is None:
        return orders[0]
    if ORDERS[asked] not in orders:
        known = [name for name, order in ORDERS.items() if order in orders]
        raise unknown_name("order of these slices", asked, known, where="Option --order", remedy="Name one of these.")
    return ORDERS[asked]
