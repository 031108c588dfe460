"""What lets the browser show A and B exchanged before the list is drawn so."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from bleucore.counts import Ints
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments import reading_list
from bleuscope.content.segments.feature_numbers import feature_numbers
from bleuscope.content.segments.reading_list import ListView
from bleuscope.content.segments.segment_queries import SegmentQuery
from bleuscope.shell.page.error_spans import marked_errors
from bleuscope.shell.state import cached


def note_for_browser(  # what the page shows and what is listed
    view: ComparisonContext, query: SegmentQuery, rows: Ints, listed: Ints, slices: Sequence[int], shown: ListView
) -> Markup:
    """A note that the list with B as A will be an exchange of what is shown; nothing where it will not.

    Args:
        view: What the page shows.
        query: That found the segments.
        rows: All that it found.
        listed: Those that are drawn.
        slices: The slices of the list that are drawn.
        shown: What is shown of each.
    """
    takes_long = query.ngram or query.conditions or query.kind  # to find with B as A
    if not view.compares or takes_long:
        return Markup()
    if feature_numbers(view):  # which are others with B as A
        return Markup()
    pair = view.pair[::-1]
    then = cached.found_segments(view.test_set, view.evaluation, pair, query, view.metric, marked_errors(view))
    if not np.array_equal(rows, then):
        return Markup()
    parts = [cached.segment_parts(view.evaluation, view.metric, sides) for sides in (view.pair, pair)]
    return reading_list.exchange_html(view, listed, (parts[0], parts[1]), shown, slices)
