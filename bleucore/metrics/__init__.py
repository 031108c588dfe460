"""Metrics: each a module with its counts and scores, and the registry that names them all."""

from bleucore.metrics.registry import METRICS, Metric, MetricOptions, metric_of

__all__ = ["METRICS", "Metric", "MetricOptions", "metric_of"]
