"""Annotation: people mark errors in outputs, and what their marks come to."""
