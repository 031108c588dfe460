"""What people read of a neural metric that runs here: what it costs before it runs, and its scores afterwards."""

from bleucore.corpus import TestSet
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.neural.manifest import GIGABYTE, NeuralMetric
from bleuscope.neural.models import LOG_IN
from bleuscope.neural.scoring import Run, Scores

_MEGABYTE = 10**6


def size_words(n_bytes: int) -> str:
    """A number of bytes, as in "6.3 GB"."""
    return f"{n_bytes / GIGABYTE:.1f} GB" if n_bytes >= GIGABYTE else f"{max(1, round(n_bytes / _MEGABYTE)):,} MB"


def cost_words(metric: NeuralMetric, *, downloads: bool = True) -> tuple[str, ...]:
    """What a person agrees to before a metric runs, in sentences: the licence, the download, and how to get access."""
    said = [f"{metric.name} ({metric.version}): licence {metric.licence}."]
    if not metric.is_commercial:
        said.append("It is not for commercial use.")
    if downloads:
        said.append(f"The first run downloads about {size_words(metric.download)}.")
    if downloads and metric.is_gated:
        said.append(f"Request access at https://huggingface.co/{metric.model} first, and log in: {LOG_IN}")
    return tuple(said)


def saved_words(run: Run) -> str:
    """How much of a run is done."""
    return f"{run.n_saved:,} of {run.n_batches:,} batches are scored and saved."


def run_sheet(metric: NeuralMetric, test_set: TestSet, scores: Scores) -> Sheet:
    """The mean score of each system."""
    direction = "higher" if metric.higher_is_better else "lower"
    means = [sum(of_system) / len(of_system) for of_system in (scores[name] for name in test_set.system_names)]
    return sheet_of(
        "scores",
        (f"Mean of {metric.name} ({metric.version}) over {test_set.n_segments:,} segments; {direction} is better.",),
        [
            (Field("system", "system", "text"), list(test_set.system_names)),
            (Field("score", metric.name, "statistic"), means),
        ],
        {"digest": test_set.digest, "metric": metric.name, "version": metric.version},
        title=f"Scores of {metric.name}",
    )
