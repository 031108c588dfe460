"""``bleuscope segments``: the scores of all segments, or the segments of two systems in an order."""

import click

from bleucore import InputError
from bleucore.counts import Ints
from bleucore.significance import SignificanceOptions, compare
from bleucore.written_numbers import counted
from bleuscope.cli.by_hand import by_hand_options, with_runs
from bleuscope.cli.marked_systems import MarkedSystems
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.queries import check_query, lookups_of, query_options
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
from bleuscope.cli.streams import progress
from bleuscope.cli.studies import scored_pair
from bleuscope.cli.texts import read_texts, system_named
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.differences import Selection, compared_systems
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.comparison.text_sheets import texts_sheet
from bleuscope.content.segments.filters import DEFAULT_ORDER
from bleuscope.content.segments.kind_points import points_at_once
from bleuscope.content.segments.question_sheets import questions_sheet
from bleuscope.content.segments.segment_queries import SegmentQuery, find_segments, in_unit, unit_of
from bleuscope.content.segments.segment_sheets import segment_scores_sheet, segments_sheet
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.significance.significance_sheets import selection_sheet


@click.command(
    "segments",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope segments A.txt B.txt -r ref.txt --format tsv -o scores.tsv",
        "bleuscope segments A.txt B.txt -r ref.txt -m chrf --format parquet -o scores.parquet",
        "bleuscope segments A.txt B.txt -r ref.txt --pair A B --order part-b --top 20",
        "bleuscope segments --sample --search Brücke --format json",
        "bleuscope segments A.txt B.txt -r ref.txt --judgements mqm.tsv --where 'matched_major_b > 0'",
    ),
)
@file_options(takes_judgements=True)
@scoring_options
@pair_option
@metric_option
@query_options
@click.option("--top", type=click.IntRange(min=1), help="Up to this number, from the first.")
@click.option("--as-corpus", is_flag=True, help="Also score and test all systems on the segments found.")
@by_hand_options
@baseline_option
@test_options
@output_options()
def segments_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Inputs,
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    *,
    pair: tuple[str, str] | None,
    metric: str | None,
    query: SegmentQuery | None,
    top: int | None,
    as_corpus: bool,
    baseline: str | None,
    **of_features: object,
) -> None:
    """List segments of two systems. Without options for lists, print all segment scores.

    Tables: segment-scores and texts, or segments, questions with --where, and selection with --as-corpus. With
    --judgements the lists have credited-and-marked and marked-categories, too.
    """
    is_list = any((pair, metric, query, top, as_corpus, asked.judgements))
    texts = read_texts(asked, scoring.options.tokenizer)
    two = scored_pair(texts, with_runs(scoring, texts.test_set, of_features), pair, metric)
    marked = MarkedSystems.read(asked, two) if asked.judgements else None
    if not is_list:
        tables = Tables(
            {
                "segment-scores": lambda: segment_scores_sheet(two.test_set, two.evaluation),
                "texts": lambda: texts_sheet(two.test_set),
            },
            texts.notices,
            for_people=("segment-scores",),
        )
    else:
        chosen = query or SegmentQuery(order=DEFAULT_ORDER)
        check_query(chosen, texts.test_set)
        rows = find_segments(two.test_set, two.evaluation, two.both, chosen, lookups_of(two, marked), two.metric)
        makers = {"segments": lambda: _listed(two, chosen, rows, top)}
        if chosen.conditions:
            makers["questions"] = lambda: questions_sheet(two, chosen.conditions, lookups_of(two, marked))
        if marked is not None:
            makers |= marked.sheets()
        if as_corpus:
            chosen_baseline = baseline and system_named(two.test_set, baseline, "Option --baseline")
            selection = Selection.of(rows, by_score=chosen.looks_at_scores)
            makers["selection"] = lambda: _as_corpus(two, selection, significance, chosen_baseline)
        tables = Tables(makers, texts.notices if marked is None else (*texts.notices, *marked.judgements.notices))
    give_tables(tables, output)


def _as_corpus(
    two: ComparisonContext, selection: Selection, significance: SignificanceOptions, baseline: str | None
) -> Sheet:
    """The systems on the segments found.

    Raises:
        InputError: There are none.
    """
    if not len(selection.segments):
        raise InputError(
            "no segment fits", where="Option --as-corpus", found="0 segments", remedy="Take a filter back."
        )
    scores = two.metric.metric
    rows = selection.segments
    if not all(scores.has_scores(result.counts[rows].sum(axis=0)) for result in two.metric.systems.values()):
        raise InputError(
            "a system has no score on the segments found",
            where="Option --as-corpus",
            found=two.metric.name,
            remedy="Take a filter back, or compare in another metric.",
        )
    compared = compared_systems(two.test_set, two.metric, selection)
    with progress("Testing the segments found") as report:
        tested = compare(compared, significance, progress=report).with_baseline(baseline)
    return selection_sheet(tested, baseline or two.measured_against, two.evaluation, two.metric)


def _listed(two: ComparisonContext, query: SegmentQuery, rows: Ints, top: int | None) -> Sheet:
    order = in_unit(query.order, unit_of(two.metric))
    listed = counted(len(rows), "segment") if top is None else f"The first {counted(top, 'segment')}"
    if top == 1:
        listed = "The first segment"
    chosen = f"{listed}, {order}"
    of_kind = None if query.kind is None else points_at_once(two, query.kind)
    return segments_sheet(two, rows[:top], two.parts, two.metric, chosen=f"{chosen}.", of_kind=of_kind)
