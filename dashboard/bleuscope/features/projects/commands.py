"""The command line that gives the numbers of a page about projects."""

from bleucore import BleuOptions
from bleucore.metrics import MetricOptions
from bleucore.significance import SignificanceOptions
from bleuscope.content.commands import metric_words, written
from bleuscope.content.style.wordings import SIGNIFICANCE, words_of
from bleuscope.features.projects import params
from bleuscope.features.projects.scored_versions import ScoredVersions, Which
from bleuscope.runtime import params as shared_params


def projects_command() -> str:
    """The test sets of every project."""
    return written(["history"])


def history_command(  # noqa: PLR0913  # what the page shows, and how
    scored: ScoredVersions,
    options: MetricOptions,
    usual: BleuOptions,
    significance: SignificanceOptions | None = None,
    *,
    which: Which = "latest",
    baseline: str | None = None,
    system: str | None = None,
) -> str:
    """Versions on a test set: the leaderboard, or the history of a system.

    Args:
        scored: The versions.
        options: With which they are scored.
        usual: The options of BLEU that the command takes where none is given.
        significance: How intervals and tests are made; as usual unless given.
        which: Which version of each system a leaderboard holds.
        baseline: What the others are measured against there, if one was chosen.
        system: The name of the system whose history is asked for.
    """
    words = ["history", "--project", scored.project, *params.TEST_SET.said(scored.test_set)]
    words += ["--table", "leaderboard"] if system is None else params.SYSTEM.said(system)
    words += [*params.WHICH.said(which, "latest"), *shared_params.AGAINST.said(baseline)]
    words += metric_words(options, names_tokenizer=usual.tokenizer != BleuOptions.tokenizer)
    return written([*words, *words_of(significance or SignificanceOptions(), SIGNIFICANCE)])
