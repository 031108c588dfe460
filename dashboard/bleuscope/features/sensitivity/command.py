"""``bleuscope sensitivity``: does the order of systems hang on a setting?"""

import re
from functools import partial
from typing import get_args

import click

from bleucore import InputError, TestSet
from bleucore.robustness.sensitivity import (
    ALL_REFERENCES,
    AXIS_NAMES,
    MEAN,
    AxisName,
    SensitivityGrid,
    sensitivity,
    usual_axes,
)
from bleucore.significance import SignificanceOptions
from bleucore.values import shown, unknown_name
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
from bleuscope.cli.streams import forget_output, notice, progress
from bleuscope.cli.studies import metric_named
from bleuscope.cli.texts import read_texts, system_named
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.features.sensitivity.segment_choices import FILTER_HELP, FILTERS, kept_segments
from bleuscope.features.sensitivity.sheets import SHEETS, sensitivity_document
from bleuscope.features.sensitivity.words import pair_told

FLIPPED = 1
FOR_PEOPLE = ("settings", "axes", "pairs", "ranks")
SHORT_NAMES = {"all": ALL_REFERENCES, "mean": MEAN}


@click.command(
    "sensitivity",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope sensitivity A.txt B.txt -r ref.A.txt -r ref.B.txt",
        "bleuscope sensitivity A.txt B.txt -r ref.txt --axis tokenizer --axis case",
        "bleuscope sensitivity A.txt B.txt -r ref.txt --axis tokenizer=13a,intl,char --axis filter=short,clean",
        "bleuscope sensitivity A.txt B.txt -r ref.txt --fail-if-flips A:B --format json -o sensitivity.json",
        "bleuscope sensitivity --sample --metric chrF2 --table ranks",
        "bleuscope sensitivity --sample --axis preset=mteval-v13a,multi-bleu --table pairs",
    ),
)
@file_options(takes_scores=False)
@scoring_options
@test_options
@metric_option
@click.option(
    "--axis",
    "axes",
    multiple=True,
    metavar="NAME[=VALUE,…]",
    help=f"What to vary: {', '.join(AXIS_NAMES)}. References by name, or all, mean. Of filter: {FILTER_HELP}. "
    "Before a comma within a name stands a backslash.  "
    "[default: tokenizer, case, references, smoothing; of chrF and TER case, references]",
)
@click.option(
    "--fail-if-flips",
    "must_stand",
    multiple=True,
    metavar="A:B",
    help="Exit code 1 if any setting reverses these two systems.",
)
@output_options()
@click.pass_context
def sensitivity_command(  # noqa: PLR0913  # click gives each option as an argument
    context: click.Context,
    asked: Inputs,
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    *,
    metric: str | None,
    axes: tuple[str, ...],
    must_stand: tuple[str, ...],
) -> None:
    """Score systems under every combination of settings. Which pairs change their order?

    Exit codes: 0, 1 if a pair of --fail-if-flips is reversed, 2 for input that has to be fixed.
    Tables: settings, pairs, axes, ranks, flips. json holds everything.
    """
    options = metric_named(scoring, metric)
    texts = read_texts(asked, scoring.options.tokenizer)
    pairs = [_pair(texts.test_set, named) for named in must_stand]
    varied, kept = usual_axes(texts.test_set, options), {}
    if axes:
        given = dict(_axis(text) for text in axes)
        if "references" in given:
            given["references"] = tuple(_reference(texts.test_set, value) for value in given["references"])
        kept = kept_segments(texts.test_set, given["filter"] or FILTERS) if "filter" in given else {}
        usual = {**varied, "preset": ("mteval-v13a", "multi-bleu", "nltk-2"), "filter": ()}
        varied = {name: values or usual.get(name, ()) for name, values in given.items()}
        varied |= {"filter": tuple(kept)} if kept else {}
    with progress("Scoring in every setting") as report:
        grid = sensitivity(texts.test_set, options, varied, filters=kept, significance=significance, progress=report)
    facts = {
        "digest": texts.test_set.digest,
        "signature": grid.metric.signature(options, len(texts.test_set.references)),
        "test_signature": grid.tests.signature(),
    }
    makers = {name: partial(make, grid, facts) for name, make in SHEETS.items()}
    tables = Tables(
        makers, texts.notices, for_people=FOR_PEOPLE, document=lambda: {**sensitivity_document(grid), **facts}
    )
    turned = [told for pair in pairs if (told := _turned(grid, *pair))]
    try:
        give_tables(tables, output)
    except BrokenPipeError:  # who closes the pipe may still want to know
        forget_output()
    for told in turned:
        notice(told)
    if turned:
        context.exit(FLIPPED)


def _axis(text: str) -> tuple[AxisName, tuple[str, ...]]:
    """What to vary, and its values; none are the usual ones.

    Raises:
        InputError: Nothing of that name can be varied.
    """
    name, _, values = text.partition("=")
    found = next((one for one in get_args(AxisName) if one == name), None)
    if found is None:
        raise unknown_name("axis", name, AXIS_NAMES, where="Option --axis", remedy="Name one of these.")
    told = (re.sub(r"\\([,\\])", r"\1", value).strip() for value in re.findall(r"(?:\\[,\\]|[^,])+", values))
    return found, tuple(value for value in told if value)


def _reference(test_set: TestSet, value: str) -> str:
    """A value of the axis of references, by whichever name it was given; an unknown one stays as it is."""
    return test_set.reference_called(value) or SHORT_NAMES.get(value, value)


def _pair(test_set: TestSet, named: str) -> tuple[str, str]:
    """The two systems of A:B; a name may hold a colon itself.

    Raises:
        InputError: There are no two such systems.
    """
    where = "Option --fail-if-flips"
    splits = [(named[:place], named[place + 1 :]) for place, letter in enumerate(named) if letter == ":"]
    if not splits:
        raise InputError("these are not two systems", where=where, found=shown(named), expected="A:B")
    known = [split for split in splits if all(map(test_set.system_called, split))]
    first, second = (system_named(test_set, name, where) for name in (known or splits)[0])
    if first == second:
        raise InputError("these are not two systems", where=where, found=first, remedy="Name two different ones.")
    return first, second


def _turned(grid: SensitivityGrid, first: str, second: str) -> str | None:
    """What to say of a pair that some setting reverses."""
    pair = next(one for one in grid.pairs() if {one.ahead, one.behind} == {first, second})
    return f"Reversed: {pair_told(pair)}" if grid.turning(first, second) else None
