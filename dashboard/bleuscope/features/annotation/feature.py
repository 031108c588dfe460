"""Annotation: people mark errors in outputs, and what their marks come to."""

from bleuscope.registry import Feature

FEATURE = Feature(name="annotation")
