"""The agreement of metrics with people as one JSON document."""

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleuscope.content.sheets.json_text import document_text
from bleuscope.features.judgements.sheets import agreement_facts


def agreement_json(found: Agreement) -> str:
    """The judgements, draws, judged systems, and every statistic of each metric; ``null`` where it is undefined."""
    return document_text(
        {
            "judgement": found.people.name,
            "facts": dict(agreement_facts(found)),
            "systems": list(found.people.systems),
            "metrics": [_metric(one) for one in found.metrics],
        }
    )


def _metric(found: MetricAgreement) -> dict[str, object]:
    return {
        "name": found.name,
        "pearson": found.pearson.value,
        "spearman": found.spearman.value,
        "kendall": found.kendall.value,
        "pearson_without_outliers": found.pearson_without_outliers.value,
        "outliers": list(found.outliers),
        "pairs_agree": found.pairs_agree,
        "pairs": len(found.pairs),
        "spa": found.spa,
        "spa_sentence_mean": found.spa_sentence_mean,
        "segment_pearson": found.segment_pearson,
        "segment_kendall": found.segment_kendall,
        "tied_accuracy": found.tied and found.tied.value,
        "tie_threshold": found.tied and found.tied.threshold,
        "tied_accuracy_chance": found.tied_chance,
        "untied_accuracy": found.tied and found.tied.untied,
        "pearson_within_segments": found.pearson_within_segments,
        "pearson_of_differences": found.pearson_of_differences,
        "pearson_interval": found.pearson.interval,
        "spa_interval": found.spa_interval,
        "tied_accuracy_interval": found.tied_interval,
        "williams_p": found.williams_p,
        "rank": found.rank,
    }
