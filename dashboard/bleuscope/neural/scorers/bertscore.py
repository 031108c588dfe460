"""Scores of BERTScore (F1), by the package ``bert-score``."""

from collections.abc import Callable
from typing import Any


def load(model: str) -> Callable[[list[dict[str, Any]]], list[float]]:
    """Get a model of the Hugging Face Hub, and return what scores a batch."""
    from bert_score import BERTScorer  # noqa: PLC0415  # it is there in the metric's environment alone

    scorer = BERTScorer(model_type=model)

    def score(rows: list[dict[str, Any]]) -> list[float]:
        _, _, f1 = scorer.score([row["hypothesis"] for row in rows], [row["references"] for row in rows])
        return [float(one) for one in f1]

    return score
