"""Annotation: people mark errors in outputs, and what their marks come to."""

from bleuscope.registry import Feature, Page, SegmentPanel

_HERE = "bleuscope.features.annotation"

FEATURE = Feature(
    name="annotation",
    pages=(
        Page(
            "annotate",
            "Annotate",
            door="segments",
            is_listed=False,
            frame=f"{_HERE}.panel_annotate:draw",
            path="features/annotation/pages/annotate.py",
        ),
    ),
    params=f"{_HERE}.params",
    segment_panel=SegmentPanel(
        "e",
        does="mark errors in the output, or stop",
        short="mark errors",
        button=f"{_HERE}.of_segments:button",
        draw=f"{_HERE}.of_segments:draw",
    ),
)
