"""Scores of COMET, CometKiwi and xCOMET, by the package ``unbabel-comet``."""

from collections.abc import Callable
from typing import Any


def load(model: str) -> Callable[[list[dict[str, Any]]], list[float]]:
    """Get a model of the Hugging Face Hub, and return what scores a batch."""
    import torch  # noqa: PLC0415  # it is there in the metric's environment alone
    from comet import download_model, load_from_checkpoint  # noqa: PLC0415  # as above

    loaded = load_from_checkpoint(download_model(model))
    n_gpus = int(torch.cuda.is_available())

    def score(rows: list[dict[str, Any]]) -> list[float]:
        samples = [
            {"src": row["source"], "mt": row["hypothesis"]}
            | ({"ref": row["references"][0]} if row["references"] else {})
            for row in rows
        ]
        found = loaded.predict(samples, batch_size=8, gpus=n_gpus, num_workers=0, progress_bar=False)
        return [float(one) for one in found.scores]

    return score
