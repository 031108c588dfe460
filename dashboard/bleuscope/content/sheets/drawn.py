"""What a figure draws, as a sheet: for figures that are not made from one."""

import re
from collections.abc import Sequence
from html import unescape

import numpy as np
import plotly.graph_objects as go

from bleucore.counts import Floats
from bleuscope.content.sheets.builders import FilledField, sheet_of
from bleuscope.content.sheets.sheet import Field, Kind, Sheet

REMARK = re.compile(r" \([^()]*: [^()]*\)")
"""What an axis says of the drawing: "(shaded: 95 % interval)"."""
LEAST_SPREAD = 1.0
"""Values that lie closer together need more than two decimals to differ."""


def drawn_sheet(figure: go.Figure) -> Sheet:
    """The points of a figure, headed by its axes; of bars with widths both ends; of several curves their names.

    Bars with widths stand evenly. What says nothing when it is pointed at, as the edge of a band, is left out.
    """
    traces = [one for one in figure.data if one.hoverinfo != "skip"]
    across, up = (REMARK.sub("", unescape(axis.title.text)) for axis in (figure.layout.xaxis, figure.layout.yaxis))
    columns: list[FilledField] = []
    if len(traces) > 1:
        columns = [(Field("drawn", "drawn", "text"), [unescape(one.name) for one in traces for _ in one.x])]
    places = _together([one.x for one in traces])
    if all(one.type == "bar" and one.width is not None for one in traces):
        half = np.diff(places).min(initial=np.inf) / 2  # bars are drawn a little apart
        half = half if np.isfinite(half) else _together([one.width for one in traces]) / 2
        columns += [_column("from", f"{across}, from", places - half), _column("to", "to", places + half)]
    else:
        columns.append(_column("x", across, places))
    columns.append(_column("y", up, _together([one.y for one in traces])))
    return sheet_of("drawn", (), columns, {}, title=unescape(figure.layout.title.text))


def _together(values: Sequence[Sequence[float | None]]) -> Floats:
    return np.concatenate([np.asarray(one, np.float64) for one in values])


def _column(key: str, heading: str, values: Floats) -> FilledField:
    known = values[np.isfinite(values)]
    kind: Kind = "metric score" if np.ptp(known) < LEAST_SPREAD else "statistic"
    return Field(key, heading, "count" if (known == known.round()).all() else kind), values
