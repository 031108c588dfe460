"""``bleuscope segments``: the scores of all segments, or the segments of two systems in an order."""

from collections.abc import Mapping
from types import MappingProxyType

import click

from dashboard.cli.options import Scoring, examples, file_options, output_options, pair_option, scoring_options
from dashboard.cli.output import Output, Tables, give_tables
from dashboard.cli.pairs import ScoredPair, scored_pair
from dashboard.cli.texts import Asked, read_texts
from dashboard.content.segment_queries import DEFAULT_ORDER, Lookups, SegmentQuery, TextSearch, find_segments
from dashboard.content.sheets.analysis import segment_scores_sheet, segments_sheet
from dashboard.content.sheets.results import texts_sheet
from dashboard.content.sheets.sheet import Sheet

ORDERS: Mapping[str, str] = MappingProxyType(
    {
        "given": "as given",
        "part": DEFAULT_ORDER,
        "part-b": "part in Δ: for B first",
        "part-a": "part in Δ: for A first",
        "delta": "Δ: largest first",
        "delta-b": "Δ: B ahead first",
        "delta-a": "Δ: A ahead first",
        "low-a": "BLEU A: lowest first",
        "high-a": "BLEU A: highest first",
        "low-b": "BLEU B: lowest first",
        "high-b": "BLEU B: highest first",
        "long-a": "tokens A: most first",
        "short-a": "tokens A: fewest first",
        "long-b": "tokens B: most first",
        "short-b": "tokens B: fewest first",
    }
)
"""What each order is called on the page; its name there is taken too."""


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
@click.option(
    "--order",
    type=click.Choice((*ORDERS, *ORDERS.values())),
    metavar="ORDER",
    help=f"Of the segments of a pair: {', '.join(ORDERS)}.  [default: part]",
)
@click.option("--top", type=click.IntRange(min=1), help="Only so many of them, from the first.")
@click.option("--search", metavar="TEXT", default="", help="Only segments with this text, in any column.")
@click.option("--document", metavar="NAME", help="Only segments of this document.")
@output_options()
def segments_command(  # noqa: PLR0913  # click gives each option as an argument
    asked: Asked,
    scoring: Scoring,
    output: Output,
    *,
    pair: tuple[str, str] | None,
    order: str | None,
    top: int | None,
    search: str,
    document: str | None,
) -> None:
    """List the segments of two systems; without options of that, the scores of all segments by metric and system.

    Tables: segment-scores and texts, or segments.
    """
    is_list = any((pair, order, top, search, document))
    texts = read_texts(asked, scoring.options.tokenizer)
    two = scored_pair(texts, scoring, pair)
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
        query = SegmentQuery(TextSearch(search), document=document, order=ORDERS.get(order or "part", order or ""))
        tables = Tables({"segments": lambda: _listed(two, query, top)}, texts.warnings)
    give_tables(tables, output)


def _listed(two: ScoredPair, query: SegmentQuery, top: int | None) -> Sheet:
    rows = find_segments(two.test_set, two.evaluation, two.pair, query, Lookups(two.parts))
    chosen = f"{len(rows)} segments, {query.order}" if top is None else f"The first {top} segments, {query.order}"
    return segments_sheet(two, rows[:top], two.parts, chosen=f"{chosen}.")
