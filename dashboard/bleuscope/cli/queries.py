"""Which segments a command line asks for, and in which order."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any

import click

from bleucore import InputError, TestSet
from bleucore.analysis.ngram_types import pair_tokens, segments_with
from bleucore.analysis.slices import LABEL, RARITY, REFERENCE_LENGTH, slice_kinds, slice_segments
from bleucore.checks import check
from bleucore.counts import Ints
from bleucore.values import shown, unknown_name
from bleuscope.cli.marked_systems import MarkedSystems
from bleuscope.cli.shared_options import Command, Given, made_of
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.findings.finding_words import flagged_segments
from bleuscope.content.ngrams import ngram_tables
from bleuscope.content.segments.feature_numbers import numbers_of_pair
from bleuscope.content.segments.filters import DEFAULT_ORDER, FILTERS, OF_KINDS, ORDERS, PLACES, Filter
from bleuscope.content.segments.kind_points import NAMES as KINDS
from bleuscope.content.segments.kind_points import KindPoints, points_at_once
from bleuscope.content.segments.segment_queries import Lookups, SegmentQuery, TextSearch
from bleuscope.content.slices import slice_tables

MAX_NAMED = 20
"""Of what a test set has, in a message."""


def query_options(command: Command) -> Command:
    """Which segments, and in which order; the command gets ``query``, or ``None``."""
    called = {each.called: name for name, each in ORDERS.items()}
    options = [
        click.option(
            "--order",
            type=click.Choice((*called, *called.values())),
            metavar="ORDER",
            help=f"Of the segments of a pair: {', '.join(called)}.  [default: part]",
        ),
        *(_option(field, each) for field, each in FILTERS.items()),
        click.option("--pattern", is_flag=True, help="The text of --search is a regular expression."),
        click.option("--in", "place", type=click.Choice(PLACES), default=PLACES[0], help="Where to search."),
    ]
    names = ["order", "pattern", "place", *(f"filter_{field}" for field in FILTERS)]
    return made_of(options, names, "query", _query)(command)


def lookups_of(two: ComparisonContext, marked: MarkedSystems | None = None) -> Lookups:
    """Where the filters look; conditions also among what people marked."""
    return Lookups(
        two.parts,
        flagged=partial(_flagged, two.test_set),
        with_ngram=partial(_with_ngram, two),
        in_slice=partial(_in_slice, two),
        marks=(lambda _pair: {}) if marked is None else marked.numbers,
        numbers=partial(numbers_of_pair, two),
        of_kind=partial(_of_kind, two),
    )


def check_query(query: SegmentQuery, test_set: TestSet) -> None:
    """Refuse filters that the test set has nothing for.

    Raises:
        InputError: It has no such label or segment.
    """
    for name, _ in query.labels:
        if name not in test_set.labels:
            raise _unknown("labels", name, test_set.labels)
    if query.tagged and not 0 <= min(query.tagged) <= max(query.tagged) < test_set.n_segments:
        raise _not_segments(f"{min(query.tagged) + 1} to {max(query.tagged) + 1}", f"1 to {test_set.n_segments}")


def kind_of_slices(asked: str | None, kinds: Sequence[str]) -> str:
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
            remedy="Documents and labels come from --documents and --labels, or from XML and tables.",
        )
    return names[asked]


def _option(field: str, each: Filter) -> Callable[[Any], Any]:
    """A filter as click has it."""
    of_kind: Given = {"metavar": "NAME" if each.without is None else "TEXT"}
    if each.choices:
        of_kind = {"type": click.Choice(each.choices)}
    elif each.is_range:
        of_kind = {"nargs": 2, "type": float, "metavar": "LOW HIGH"}
    elif field == "labels":
        of_kind = {"nargs": 2, "multiple": True, "metavar": "COLUMN VALUE"}
    elif field == "conditions":
        of_kind = {"multiple": True, "metavar": "CONDITION"}
    elif field == "tagged":
        of_kind = {"metavar": "N,N,…"}
    return click.option(each.option, f"filter_{field}", help=each.told, **of_kind)


def _query(given: Given, _asked: Inputs | None) -> SegmentQuery | None:
    """The query that options come to; ``None`` without any.

    Raises:
        InputError: What shall be segments is something else, or a tag stands without them.
    """
    values = {field: value for field in FILTERS if (value := given[f"filter_{field}"])}
    if not values and given["order"] is None:
        return None
    named = {each.called: name for name, each in ORDERS.items()}
    order = named.get(given["order"], given["order"]) or DEFAULT_ORDER
    if order in OF_KINDS and "kind" not in values:
        raise InputError(
            "no kind of error is chosen to order by",
            where="Option --order",
            found=given["order"],
            remedy=f"Name one with {FILTERS['kind'].option}.",
        )
    values["search"] = TextSearch(values.get("search", ""), given["pattern"], given["place"])
    if "tagged" in values:
        values |= {"tagged": _segments(values["tagged"]), "tag": values.get("tag", "")}
    elif "tag" in values:
        raise InputError(
            "a tag stands without its segments",
            where=f"Option {FILTERS['tag'].option}",
            found=shown(values["tag"]),
            remedy=f"Name them with {FILTERS['tagged'].option}.",
        )
    return SegmentQuery(**values, order=order)


def _segments(text: str) -> tuple[int, ...]:
    """The segments of a list, from 0."""
    try:
        return tuple(int(number) - 1 for number in text.split(","))
    except ValueError as error:
        raise _not_segments(shown(text), "whole numbers from 1 with commas between them") from error


def _flagged(test_set: TestSet, flag: str) -> Ints:
    flags = flagged_segments(check(test_set))
    if flag not in flags:
        raise _unknown("flag", flag, flags)
    return flags[flag]


def _with_ngram(two: ComparisonContext, ngram: str, where: str) -> Ints:
    tokens = pair_tokens(two.test_set, two.both, two.evaluation.options)
    return ngram_tables.segments_where(segments_with(ngram_tables.of_address(ngram), tokens), where)


def _of_kind(two: ComparisonContext, kind: str) -> KindPoints:
    found = points_at_once(two, kind)
    if found is None:
        raise _unknown("kind", kind, KINDS)
    return found


def _in_slice(two: ComparisonContext, address: str) -> Ints:
    kinds = slice_kinds(two.test_set)
    kind = slice_tables.kind_in_address(address, kinds)
    if kind is None:
        raise _unknown("slice", address, [f"{one}:NAME" for one in kinds])
    slicing = slice_segments(two.test_set, kind, two.evaluation.options)
    found = slice_tables.segments_of(address, slicing)
    if found is None:
        raise _unknown("slice", address, [slice_tables.address_of(slicing, one) for one in range(slicing.n_slices)])
    return found


def _unknown(field: str, name: str, known: Iterable[str]) -> InputError:
    where = f"Option {FILTERS[field].option}"
    listed = list(islice(known, MAX_NAMED)) or ["none"]
    return unknown_name(FILTERS[field].name, name, listed, where=where, remedy="Name one that the test set has.")


def _not_segments(found: str, expected: str) -> InputError:
    return InputError(
        "these are no segments of the test set",
        where=f"Option {FILTERS['tagged'].option}",
        found=found,
        expected=expected,
        remedy="Write them as in 3,17.",
    )
