"""``bleuscope ngrams``: the n-grams that two systems win and lose, have too often or miss, and telling phrases."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

import click

from bleucore import InputError
from bleucore.analysis.ngram_types import ngram_types, pair_tokens
from dashboard.cli.output import Output, Tables, give_tables
from dashboard.cli.shared_options import examples, file_options, output_options, pair_option, scoring_options
from dashboard.cli.studies import refuse_single, scored_pair
from dashboard.cli.texts import read_texts
from dashboard.content.comparison.inputs import Inputs, Settings
from dashboard.content.comparison.study import Study
from dashboard.content.ngrams.ngram_sheets import ngrams_sheet
from dashboard.content.ngrams.ngram_tables import (
    AGAINST,
    N_LEADING,
    PART,
    RATIO,
    WORTH,
    NgramChoice,
    NgramList,
    NgramView,
    Side,
    UnmatchedView,
    unmatched_by_references,
    unmatched_by_system,
    won_and_lost,
)
from dashboard.content.ngrams.phrases import phrases_of, phrases_sheet

if TYPE_CHECKING:
    from bleucore.analysis.attribution import BleuAttribution
    from dashboard.content.sheets.sheet import Sheet

WON_AND_LOST: Mapping[str, Sequence[Side]] = MappingProxyType({"won-and-lost": "BA", "won": "B", "lost": "A"})  # type: ignore[dict-item]
"""Which systems have a list: what B wins, and what A does."""
UNMATCHED: Mapping[str, UnmatchedView] = MappingProxyType({"over-generated": "over-generated", "missed": "missed"})
RANKS = MappingProxyType({"part": PART, "worth": WORTH, "ratio": RATIO})
PHRASES = "phrases"
DEFAULT_TOP = 20


@click.command(
    "ngrams",
    epilog=examples(
        "bleuscope ngrams A.txt B.txt -r ref.txt",
        "bleuscope ngrams A.txt B.txt -r ref.txt --pair A B --view won --order-n 2 --top 50 --format tsv",
        "bleuscope ngrams A.txt B.txt -r ref.txt --view over-generated --against references",
        "bleuscope ngrams A.txt B.txt -r ref.txt --view phrases --top 5",
        "bleuscope ngrams A.txt -r ref.txt --view missed --order-n 3 --format json",
    ),
)
@file_options(takes_scores=False)
@scoring_options
@pair_option
@click.option(
    "--view", type=click.Choice((*WON_AND_LOST, *UNMATCHED, PHRASES)), default="won-and-lost", show_default=True
)
@click.option("--order-n", type=click.IntRange(min=1), default=1, show_default=True, help="Tokens of an n-gram.")
@click.option("--against", type=click.Choice(("system", "references")), help="What counts are set against.")
@click.option("--rank", type=click.Choice(tuple(RANKS)), help="[default: part, or ratio against references]")
@click.option("--find", metavar="TEXT", default="", help="Only n-grams with this text.")
@click.option("--top", type=click.IntRange(min=1), default=DEFAULT_TOP, show_default=True, help="Rows of each list.")
@output_options()
def ngrams_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    output: Output,
    *,
    pair: tuple[str, str] | None,
    view: str,
    order_n: int,
    against: str | None,
    rank: str | None,
    find: str,
    top: int,
) -> None:
    """List n-grams that systems A and B win, lose, have too often or miss.

    Phrases are n-grams of all lengths together, parts within their wholes; the other views are of --order-n tokens.
    """
    texts = read_texts(asked, scoring.options.tokenizer)
    if order_n > scoring.options.max_order:
        raise InputError(
            "BLEU does not count n-grams of so many tokens",
            where="Option --order-n",
            found=order_n,
            expected=f"1 to {scoring.options.max_order}",
            remedy="Raise --max-ngram-order too.",
        )
    two = scored_pair(texts, scoring, pair)
    if view == PHRASES:
        _refuse_choices(against, rank, find)
        refuse_single(two, "phrases that one matches more often need")
        give_tables(Tables({PHRASES: lambda: _phrases(two, top)}, texts.notices), output)
        return
    choice = _choice(two, view, order_n, against, rank, find)
    lists = [listed for listed in _lists(two, choice, top) if listed.side in WON_AND_LOST.get(view, "BA")]
    give_tables(Tables({"ngrams": lambda: ngrams_sheet(two, lists, choice, most=top)}, texts.notices), output)


def _refuse_choices(against: str | None, rank: str | None, find: str) -> None:
    """Phrases have one order, and none of the other choices.

    Raises:
        InputError: Such an option is given.
    """
    given = [name for name, value in (("--against", against), ("--rank", rank), ("--find", find)) if value]
    if given:
        raise InputError(
            "phrases are listed in one way",
            where=f"Option {given[0]}",
            remedy="Leave it out, or list n-grams of one length: --view won-and-lost --order-n 2.",
        )


def _phrases(two: Study, top: int) -> "Sheet":
    attribution = cast("BleuAttribution", two.attribution)
    tokens = pair_tokens(two.test_set, two.both, two.evaluation.options)
    found = phrases_of(tokens, attribution, two.test_set.documents, most=top)
    return phrases_sheet(two, found, has_parts=attribution.reason is None)


def _choice(two: Study, view: str, order: int, against: str | None, rank: str | None, find: str) -> NgramChoice:
    """What to list, as the page has it.

    Raises:
        InputError: A single system is to win something, or there is nothing to rank by.
    """
    named: NgramView = UNMATCHED.get(view, "won and lost")
    if view not in UNMATCHED or against == "system":
        refuse_single(two, "n-grams that one wins need")
    is_against_references = view in UNMATCHED and (against == "references" or not two.compares)
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
    return NgramChoice(named, order, AGAINST[1 if is_against_references else 0], part, chosen, find.strip())


def _lists(two: Study, choice: NgramChoice, top: int) -> Sequence[NgramList]:
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
