"""``bleuscope ngrams``: the phrases and n-grams that two systems win and lose, have too often or miss."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

import click

from bleucore import InputError
from bleucore.analysis.ngram_types import ngram_types, pair_tokens
from bleuscope.cli.by_hand import run_option
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.recipe_notices import say_recipes
from bleuscope.cli.shared_options import examples, file_options, output_options, pair_option, scoring_options
from bleuscope.cli.studies import refuse_single, scored_pair
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.ngrams.ngram_sheets import ngrams_sheet
from bleuscope.content.ngrams.ngram_tables import (
    AGAINST,
    N_LEADING,
    PART,
    RATIO,
    WORTH,
    Against,
    NgramChoice,
    NgramList,
    NgramView,
    Side,
    UnmatchedView,
    unmatched_by_references,
    unmatched_by_system,
    won_and_lost,
)
from bleuscope.content.ngrams.phrases import PhraseChoice, phrase_lists, phrases_in, phrases_sheet

if TYPE_CHECKING:
    from bleucore.analysis.attribution import BleuAttribution
    from bleuscope.content.sheets.sheet import Sheet

WON_AND_LOST: Mapping[str, Sequence[Side]] = MappingProxyType({"won-and-lost": "BA", "won": "B", "lost": "A"})  # type: ignore[dict-item]
"""Which systems have a list: what B wins, and what A does."""
UNMATCHED: Mapping[str, UnmatchedView] = MappingProxyType({"over-generated": "over-generated", "missed": "missed"})
RANKS = MappingProxyType({"part": PART, "worth": WORTH, "ratio": RATIO})
ALL_LENGTHS = "all"
DEFAULT_TOP = 20


def _order(context: click.Context, parameter: click.Parameter, value: str) -> int | None:
    """How many tokens; ``None`` for all lengths together."""
    if value == ALL_LENGTHS:
        return None
    return click.IntRange(min=1)(value, parameter, context)


@click.command(
    "ngrams",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope ngrams A.txt B.txt -r ref.txt",
        "bleuscope ngrams A.txt B.txt -r ref.txt --pair A B --view won --order-n 2 --top 50 --format tsv",
        "bleuscope ngrams A.txt B.txt -r ref.txt --view over-generated --against references --order-n 1",
        "bleuscope ngrams A.txt B.txt -r ref.txt --view missed --top 5",
        "bleuscope ngrams A.txt -r ref.txt --view over-generated --order-n 3 --format json",
    ),
)
@file_options(takes_scores=False)
@scoring_options
@pair_option
@click.option("--view", type=click.Choice((*WON_AND_LOST, *UNMATCHED)), default="won-and-lost", show_default=True)
@click.option(
    "--order-n",
    metavar="N|all",
    default=ALL_LENGTHS,
    show_default=True,
    callback=_order,
    help="Tokens of an n-gram; all gives phrases.",
)
@click.option("--against", type=click.Choice(("system", "references")), help="What to compare counts with.")
@click.option(
    "--rank",
    type=click.Choice(tuple(RANKS)),
    help="The order of n-grams of one length.  [default: part, or ratio against references]",
)
@click.option("--find", metavar="TEXT", default="", help="Only n-grams of one length with this text.")
@click.option("--top", type=click.IntRange(min=1), default=DEFAULT_TOP, show_default=True, help="Rows of each list.")
@run_option
@output_options()
def ngrams_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    output: Output,
    *,
    pair: tuple[str, str] | None,
    view: str,
    order_n: int | None,
    against: str | None,
    rank: str | None,
    find: str,
    top: int,
    **of_features: object,
) -> None:
    """List phrases and n-grams that systems A and B win, lose, overuse or miss.

    Phrases are n-grams of all lengths together, parts within their wholes.
    """
    texts = read_texts(asked, scoring.options.tokenizer)
    if order_n is not None and order_n > scoring.options.max_order:
        raise InputError(
            "BLEU does not count n-grams of this length",
            where="Option --order-n",
            found=order_n,
            expected=f"1 to {scoring.options.max_order}",
            remedy="Raise --max-ngram-order too.",
        )
    two = scored_pair(texts, scoring, pair)
    say_recipes(two.evaluation, of_features)
    sides = WON_AND_LOST.get(view, WON_AND_LOST["won-and-lost"])
    if order_n is None:
        _refuse_choices(rank, find)
        phrases = PhraseChoice(*_against(two, view, against))
        give_tables(Tables({"phrases": lambda: _phrases(two, phrases, sides, top)}, texts.notices), output)
        return
    choice = _choice(two, view, order_n, against, rank, find)
    lists = [listed for listed in _lists(two, choice, top) if listed.side in sides]
    give_tables(Tables({"ngrams": lambda: ngrams_sheet(two, lists, choice, most=top)}, texts.notices), output)


def _refuse_choices(rank: str | None, find: str) -> None:
    """Phrases have one order, and are not searched.

    Raises:
        InputError: Such an option is given.
    """
    given = [name for name, value in (("--rank", rank), ("--find", find)) if value]
    if given:
        raise InputError(
            "phrases are listed in one way",
            where=f"Option {given[0]}",
            remedy="Leave it out, or list n-grams of one length: --order-n 2.",
        )


def _phrases(two: ComparisonContext, choice: PhraseChoice, sides: Sequence[Side], top: int) -> "Sheet":
    found = phrase_lists(two, choice, partial(phrases_in, two, most=top))
    lists = [listed for listed in found if listed.side in sides]
    return phrases_sheet(two, lists, choice, has_parts=two.attribution.reason is None)


def _against(two: ComparisonContext, view: str, against: str | None) -> tuple[NgramView, Against]:
    """What to list, as the page names it, and what counts are set against.

    Raises:
        InputError: A single system is to win something.
    """
    if view not in UNMATCHED or against == "system":
        refuse_single(two, "n-grams that one wins need")
    is_against_references = view in UNMATCHED and (against == "references" or not two.compares)
    return UNMATCHED.get(view, "won and lost"), AGAINST[1 if is_against_references else 0]


def _choice(
    two: ComparisonContext, view: str, order: int, against: str | None, rank: str | None, find: str
) -> NgramChoice:
    """What to list, as the page has it.

    Raises:
        InputError: A single system is to win something, or there is nothing to rank by.
    """
    named, set_against = _against(two, view, against)
    is_against_references = set_against == AGAINST[1]
    part = None if two.attribution.reason is not None else WORTH if is_against_references else PART
    usual = RATIO if is_against_references or part is None else PART
    chosen = usual if rank is None else RANKS[rank]
    if chosen not in (part, RATIO):
        raise InputError(
            "these n-grams cannot be ranked so",
            where="Option --rank",
            found=chosen,
            expected=" or ".join(one for one in (part, RATIO) if one),
            remedy=two.attribution.reason,
        )
    return NgramChoice(named, order, set_against, part, chosen, find.strip())


def _lists(two: ComparisonContext, choice: NgramChoice, top: int) -> Sequence[NgramList]:
    tokens = pair_tokens(two.test_set, two.both, two.evaluation.options)
    attribution = cast("BleuAttribution", two.attribution)
    every_order = ngram_types(tokens, attribution.match_values, n_leading=max(N_LEADING, top))
    types = every_order[choice.order - 1]
    if choice.view == "won and lost":
        return won_and_lost(types)
    if choice.against == AGAINST[0]:
        return unmatched_by_system(types, choice.view, attribution)
    sides: tuple[Side, ...] = ("B", "A") if two.compares else ("A",)
    return [unmatched_by_references(types, choice.view, attribution, tokens, side) for side in sides]
