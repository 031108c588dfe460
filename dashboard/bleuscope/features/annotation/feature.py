"""Annotation: people mark errors in outputs, and what their marks come to."""

from bleuscope.registry import Command, Feature, Page

_HERE = "bleuscope.features.annotation"

FEATURE = Feature(
    name="annotation",
    order=2,
    pages=(
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
    commands=(Command("annotate", f"{_HERE}.command", before="agreement"),),
)
