"""Metrics: each a module with its counts and scores, and the registry that names them all."""

from bleucore.metrics.registry import IN_PLACE_OF_BLEU, METRICS, Metric, MetricOptions, metric_of

__all__ = ["IN_PLACE_OF_BLEU", "METRICS", "Metric", "MetricOptions", "metric_of"]
