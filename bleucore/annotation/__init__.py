"""Annotation: what people mark in outputs, as tasks, events and results."""
