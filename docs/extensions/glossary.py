"""The directive ``terms``: what pages say where somebody points at a term, under the name that it has there."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from bleuscope.content.style.terms import IN_SENTENCES, TERMS

SUBJECTS: Mapping[str, Mapping[str, str]] = {
    "texts": {
        "system": "system",
        "segments": "segment",
        "references": "reference",
        "n-grams": "n-gram",
        "hypothesis": "hyp. length",
        "reference": "ref. length",
        "ratio": "ratio",
    },
    "scores": {
        "BLEU": "BLEU",
        "chrF2": "chrF2",
        "precision": "precision",
        "n-gram precision": "p1 to p4, 1-gram to 4-gram",
        "BP": "BP, brevity penalty",
        "individual": "individual score of an order",
        "cumulative": "cumulative score, BLEU-1 to BLEU-4",
        "score interval": "95 % interval of a score",
        "signature": "signature",
    },
    "differences": {
        "Δ": "Δ",
        "Δ of two": "Δ of two systems",
        "interval of Δ": "95 % interval of Δ",
        "p": "p",
        "p of Δ": "p, of a difference from the baseline",
        "p corrected": "p, corrected",
        "significant": "significant",
        "corrected": "correction",
        "step-down max-T": "step-down max-T",
        "Holm": "Holm",
        "Benjamini-Hochberg": "Benjamini-Hochberg",
        "cluster": "cluster",
        "ranks": "ranks",
        "raters agree": "raters agree, %",
        "detectable": "detectable",
        "needed": "units needed",
        "contribution to Δ": "contribution to Δ",
    },
    "tests": {
        "Approximate randomisation": "approximate randomisation",
        "Exact randomisation": "exact randomisation",
        "trials": "trials",
        "bootstrap": "bootstrap",
        "resamples": "resamples",
        "seed": "seed",
        "variance": "variance of blocks",
        "t": "t",
        "p of t": "p (t)",
    },
    "agreement": {
        "pairs_agree": "pairs agree",
        "spa": "SPA",
        "spa_sentence_mean": "SPA of means",
        "pearson": "Pearson",
        "interval of r": "95 % interval of Pearson's r",
        "williams_p": "p, Williams",
        "pearson_without_outliers": "Pearson without outliers",
        "spearman": "Spearman",
        "kendall": "Kendall",
        "segment_pearson": "segments: Pearson",
        "segment_kendall": "segments: Kendall",
        "tied_accuracy": "accuracy with ties",
        "interval of accuracy": "interval of accuracy",
        "tie_threshold": "tie up to",
        "untied_accuracy": "accuracy, tied as scored",
        "tied_accuracy_chance": "accuracy with ties, by chance",
        "pearson_within_segments": "within segments: Pearson",
        "pearson_of_differences": "differences: Pearson",
        "metric rank": "rank of a metric",
    },
    "raters": {
        "judged alone": "alone",
        "spread": "spread",
        "kendall of raters": "Kendall of a rater",
        "pairs of raters": "pairs agree of a rater",
    },
}
"""Terms by subject: how the code calls each, and what stands on a page. Some go on from the one before."""
EXPLAINED = {**IN_SENTENCES, **TERMS, "p": IN_SENTENCES["p"], "p of t": TERMS["p"]}
"""The explanations. What only a sentence calls otherwise (brevity penalty, clusters, 95 % interval) says the same."""


class Terms(SphinxDirective):
    """A list of the terms of one subject, each with an anchor."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Make the list."""
        return [nodes.definition_list("", *self._items(SUBJECTS[self.arguments[0]]), classes=["terms"])]

    def _items(self, terms: Mapping[str, str]) -> Iterator[nodes.Node]:
        for key, name in terms.items():
            anchor = nodes.make_id(f"term-{key}") if key.isascii() else nodes.make_id(f"term-{name}")
            described = nodes.definition("", nodes.paragraph("", EXPLAINED[key]))
            yield nodes.definition_list_item("", nodes.term("", name, ids=[anchor]), described)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive, unless a term is explained on a page and stands under no subject."""
    placed = {EXPLAINED[key] for terms in SUBJECTS.values() for key in terms}
    missing = [name for name, explanation in {**IN_SENTENCES, **TERMS}.items() if explanation not in placed]
    if missing:
        raise ExtensionError(f"docs/extensions/glossary.py: give these terms a subject and a name: {missing}")
    app.add_directive("terms", Terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
