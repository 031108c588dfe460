"""``bleuscope segments``: the scores of all segments, or the segments of two systems in an order."""

import click

from dashboard.cli.options import examples, file_options, output_options, pair_option, scoring_options
from dashboard.cli.output import Output, Tables, give_tables
from dashboard.cli.pairs import ScoredPair, scored_pair
from dashboard.cli.queries import check_query, lookups_of, query_options
from dashboard.cli.texts import read_texts
from dashboard.content.filters import DEFAULT_ORDER
from dashboard.content.inputs import Inputs, Settings
from dashboard.content.segment_queries import SegmentQuery, find_segments
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
@query_options
@click.option("--top", type=click.IntRange(min=1), help="Only so many of them, from the first.")
@output_options()
def segments_command(
    asked: Inputs,
    scoring: Settings,
    output: Output,
    *,
    pair: tuple[str, str] | None,
    query: SegmentQuery | None,
    top: int | None,
) -> None:
    """List the segments of two systems; without options of that, the scores of all segments by metric and system.

    Tables: segment-scores and texts, or segments.
    """
    is_list = any((pair, query, top))
    texts = read_texts(asked, scoring.options.tokenizer)
    two = scored_pair(texts, scoring, pair)
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
        tables = Tables({"segments": lambda: _listed(two, chosen, top)}, texts.notices)
    give_tables(tables, output)


def _listed(two: ScoredPair, query: SegmentQuery, top: int | None) -> Sheet:
    rows = find_segments(two.test_set, two.evaluation, two.pair, query, lookups_of(two))
    chosen = f"{len(rows)} segments, {query.order}" if top is None else f"The first {top} segments, {query.order}"
    return segments_sheet(two, rows[:top], two.parts, chosen=f"{chosen}.")
