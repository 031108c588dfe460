"""``bleuscope segments``: the scores of all segments, or the segments of two systems in an order."""

import click

from dashboard.cli.options import (
    Scoring,
    examples,
    file_options,
    metric_option,
    output_options,
    pair_option,
    scoring_options,
)
from dashboard.cli.output import Output, Tables, give_tables
from dashboard.cli.pairs import ScoredPair, scored_pair
from dashboard.cli.queries import check_query, lookups_of, query_options
from dashboard.cli.texts import Asked, read_texts
from dashboard.content.filters import DEFAULT_ORDER
from dashboard.content.segment_queries import SegmentQuery, find_segments, in_unit, unit_of
from dashboard.content.sheets.analysis import segment_scores_sheet, segments_sheet
from dashboard.content.sheets.results import texts_sheet
from dashboard.content.sheets.sheet import Sheet


@click.command(
    "segments",
    epilog=examples(
        "bleuscope segments A.txt B.txt -r ref.txt --format tsv -o scores.tsv",
        "bleuscope segments A.txt B.txt -r ref.txt -m chrf --format parquet -o scores.parquet",
        "bleuscope segments A.txt B.txt -r ref.txt --pair A B --order part-b --top 20",
        "bleuscope segments --sample --search Brücke --format json",
    ),
)
@file_options()
@scoring_options
@pair_option
@metric_option
@query_options
@click.option("--top", type=click.IntRange(min=1), help="Only so many of them, from the first.")
@output_options()
def segments_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Asked,
    scoring: Scoring,
    output: Output,
    *,
    pair: tuple[str, str] | None,
    metric: str | None,
    query: SegmentQuery | None,
    top: int | None,
) -> None:
    """List the segments of two systems; without options of that, the scores of all segments by metric and system.

    Tables: segment-scores and texts, or segments.
    """
    is_list = any((pair, metric, query, top))
    texts = read_texts(asked, scoring.options.tokenizer)
    two = scored_pair(texts, scoring, pair, metric)
    if not is_list:
        tables = Tables(
            {
                "segment-scores": lambda: segment_scores_sheet(two.test_set, two.evaluation),
                "texts": lambda: texts_sheet(two.test_set),
            },
            texts.warnings,
            for_people=("segment-scores",),
        )
    else:
        chosen = query or SegmentQuery(order=DEFAULT_ORDER)
        check_query(chosen, texts.test_set)
        tables = Tables({"segments": lambda: _listed(two, chosen, top)}, texts.warnings)
    give_tables(tables, output)


def _listed(two: ScoredPair, query: SegmentQuery, top: int | None) -> Sheet:
    rows = find_segments(two.test_set, two.evaluation, two.pair, query, lookups_of(two), two.metric)
    order = in_unit(query.order, unit_of(two.metric))
    chosen = f"{len(rows)} segments, {order}" if top is None else f"The first {top} segments, {order}"
    return segments_sheet(two, rows[:top], two.parts, two.metric, chosen=f"{chosen}.")
