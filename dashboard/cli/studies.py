"""A study as a command line asks for it."""

from dataclasses import replace

from bleucore.significance import SignificanceOptions
from dashboard.cli.pairs import named_pair
from dashboard.cli.streams import progress
from dashboard.cli.texts import system_named
from dashboard.content.comparison.inputs import Loaded
from dashboard.content.comparison.study import Settings, TestedStudy, make_study


def study_as_asked(
    texts: Loaded,
    scoring: Settings,
    significance: SignificanceOptions,
    *,
    baseline: str | None = None,
    pair: tuple[str, str] | None = None,
    metric: str | None = None,
) -> TestedStudy:
    """The systems scored and tested.

    Args:
        texts: What was read.
        scoring: How to score.
        significance: How to test.
        baseline: The system that the others are tested against, the first unless given.
        pair: A and B; the baseline and the best of the others unless given.
        metric: What they are compared in, BLEU unless given.

    Raises:
        InputError: There is no such system or metric, or documents are to be drawn and not known.
    """
    settings = replace(
        scoring,
        metrics=(*scoring.metrics, *texts.scores),
        significance=significance,
        baseline=None if baseline is None else system_named(texts.test_set, baseline, "Option --baseline"),
        pair=None if pair is None else named_pair(texts.test_set, pair),
        metric=metric,
    )
    with progress("Scoring and testing") as report:
        return make_study(texts.test_set, settings, title=texts.title, inputs=texts.inputs, progress=report)
