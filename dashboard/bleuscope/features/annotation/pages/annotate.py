"""Annotate: a rater marks errors in outputs, by a link."""

from bleuscope.features.annotation.panel_annotate import annotate_page

annotate_page()
