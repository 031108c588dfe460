"""Annotation: people mark errors in outputs, and what their marks come to."""

from bleuscope.registry import Command, Feature, Page, PageLink, SegmentPanel

_HERE = "bleuscope.features.annotation"

FEATURE = Feature(
    name="annotation",
    order=2,
    pages=(
        Page(
            "annotate",
            "Annotate",
            can_be_shared=False,
            door="segments",
            is_listed=False,
            frame=f"{_HERE}.panel_annotate:draw",
            path="features/annotation/pages/annotate.py",
            link=PageLink("rater", f"{_HERE}.open_store:is_link"),
        ),
        Page(
            "annotation_results",
            "Annotations",
            door="trust",
            can_be_shared=False,
            path="features/annotation/pages/annotation_results.py",
        ),
    ),
    page_before="test_set",
    params=f"{_HERE}.params",
    marked_kinds=f"{_HERE}.of_kinds:marked",
    commands=(Command("annotate", f"{_HERE}.command", before="agreement"),),
    segment_panel=SegmentPanel(
        "e",
        does="mark errors in the output, or stop",
        short="mark errors",
        button=f"{_HERE}.of_segments:button",
        draw=f"{_HERE}.of_segments:draw",
        works=f"{_HERE}.of_segments:works",
    ),
)
