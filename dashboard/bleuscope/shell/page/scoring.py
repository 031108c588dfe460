"""Scores that a page waits for."""

from functools import partial

import streamlit as st

from bleucore import BleuOptions, Evaluation, InputError, TestSet
from bleucore.metrics import MetricOptions
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import cached

MANY_SYSTEMS, MANY_OUTPUTS = 12, 50_000
"""With more systems, or outputs of all systems together, scores and tests take long enough to be waited for."""


def is_large(test_set: TestSet) -> bool:
    """Whether scores and tests are waited for, with their progress in sight."""
    n_systems = len(test_set.systems)
    return n_systems > MANY_SYSTEMS or n_systems * test_set.n_segments > MANY_OUTPUTS


def scored(
    test_set: TestSet, options: BleuOptions, metrics: tuple[MetricOptions, ...], *, label: str = "Scoring …"
) -> Evaluation:
    """The scores in BLEU and these metrics, with their progress in sight; in BLEU alone where others cannot be made."""
    if cached.is_evaluated(test_set, options, metrics):
        return cached.evaluation(test_set, options, metrics)
    asked = (test_set, options, metrics)
    report, finish = widgets.progress_reporter(
        label, (test_set.digest, options, metrics), partial(cached.stop_scoring, *asked)
    )
    try:
        return cached.evaluation(test_set, options, metrics, progress=report)
    except InputError as error:  # a metric needs what is not installed: the others are shown
        st.error(widgets.plain(str(error)))
        return cached.evaluation(test_set, options)
    finally:
        finish()
