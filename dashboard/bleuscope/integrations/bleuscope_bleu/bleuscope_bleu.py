"""BLEU as a module of Hugging Face evaluate: ``evaluate.load`` opens the folder of this file, without a network."""

from typing import Any

import datasets
import evaluate

from bleucore.adapters import EvaluateSacrebleu

DESCRIPTION = "Corpus BLEU, equal to sacreBLEU, with the signature to cite."
KEYWORDS = """
Args:
    predictions: S texts.
    references: For each of them its reference, or all its references.
    tokenize, lowercase, smooth_method, smooth_value, use_effective_order: As in sacreBLEU.
Returns:
    score (0-100), counts, totals, precisions, bp, sys_len, ref_len, signature.
"""


class BleuscopeBleu(evaluate.Metric):  # type: ignore[misc]  # the package is not there where types are checked
    """The metric that ``evaluate.load`` returns."""

    def _info(self) -> Any:  # noqa: ANN401  # theirs
        text = datasets.Value("string")
        lists = (datasets.Sequence(text), text)
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation="",
            inputs_description=KEYWORDS,
            features=[datasets.Features({"predictions": text, "references": one}) for one in lists],
        )

    def _compute(self, **given: Any) -> dict[str, Any]:  # noqa: ANN401  # theirs
        metric = EvaluateSacrebleu()
        return {**metric.compute(**given), "signature": metric.signature}
