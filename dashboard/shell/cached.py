"""What is computed or uploaded once and kept for all sessions of this server.

Every key is a digest of content, with options where they matter: Streamlit's own keys are made from a sample of a
large array or frame, and two different ones can meet there. Making a value happens outside Streamlit's cache
decorators, because only there may it report progress on the page.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Generic, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from bleucore import BleuOptions, Evaluation, TestSet, evaluate
from bleucore.evaluation import MetricEvaluation, MetricOptions, Progress, evaluate_metric
from bleucore.explanation import DifferenceExplanation, explain_difference
from bleucore.formats import Column, read
from dashboard.content.tables import SegmentQuery, find_segments
from dashboard.shell.files import Loaded, Opening

cache_resource = st.cache_resource  # noqa: TID251  # this module is the one that may

MAX_EVALUATIONS = 24
MAX_UPLOADS = 12
MAX_OPENED = 4
MAX_QUERIES = 200
MAX_FILES_READ = 100

Key = TypeVar("Key")
Value = TypeVar("Value")


class Shelf(Generic[Key, Value]):
    """The values used last, by key. Each is made by one thread; others that ask for it wait."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[Key, threading.Lock] = {}

    def find(self, key: Key) -> Value | None:
        """The value, if it is there."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def keep(self, key: Key, value: Value) -> None:
        """Put a value on the shelf; the one that was not used longest makes room."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)

    def find_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value, made now if it is not there."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                value = self.find(key)
                if value is None:
                    value = make()
                    self.keep(key, value)
        finally:
            with self._lock:
                self._making.pop(key, None)
        return value


def evaluation(
    test_set: TestSet,
    options: BleuOptions,
    metrics: tuple[MetricOptions, ...] = (),
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of a test set; each metric is computed once per content and settings.

    Raises:
        InputError: What a metric needs is not installed.
    """
    bleu = _evaluations().find_or_make(
        (test_set.digest, options), lambda: evaluate(test_set, options, progress=progress)
    )
    if not metrics:
        return bleu
    others = [_metric_evaluation(test_set, metric, progress) for metric in metrics]
    return replace(bleu, metrics=MappingProxyType({**bleu.metrics, **{other.name: other for other in others}}))


def is_evaluated(test_set: TestSet, options: BleuOptions, metrics: tuple[MetricOptions, ...] = ()) -> bool:
    """Whether ``evaluation`` answers at once."""
    return _evaluations().find((test_set.digest, options)) is not None and all(
        _metric_evaluations().find((test_set.digest, metric)) is not None for metric in metrics
    )


def _metric_evaluation(test_set: TestSet, metric: MetricOptions, progress: Progress | None) -> MetricEvaluation:
    return _metric_evaluations().find_or_make(
        (test_set.digest, metric), lambda: evaluate_metric(test_set, metric, progress=progress)
    )


def found_segments(
    test_set: TestSet, evaluation: Evaluation, pair: tuple[str, str], query: SegmentQuery
) -> NDArray[np.int64]:
    """The segments that a query names, in its order."""
    key = (evaluation.digest, evaluation.options, pair, query)
    return _found().find_or_make(key, lambda: find_segments(test_set, evaluation, pair, query))


def explanation(test_set: TestSet, options: BleuOptions, other: str) -> DifferenceExplanation:
    """What makes the difference between these options and a preset.

    Raises:
        InputError: Too many settings differ.
    """
    return _explanations().find_or_make(
        (test_set.digest, options, other), lambda: explain_difference(test_set, options, other)
    )


def columns(name: str, data: bytes, *, header: bool | None = None) -> tuple[Column, ...]:
    """What an uploaded file holds, read once per content.

    Raises:
        InputError: The file cannot be read.
    """
    key = (name, hashlib.sha256(data).hexdigest(), header)
    return _columns().find_or_make(key, lambda: read(name, data, header=header))


def opened(opening: Opening) -> Loaded | None:
    """What the dashboard opens on: one test set for all sessions, as long as the files are the same.

    Raises:
        InputError: A file cannot be read, or the files do not fit together.
    """
    return _opened().find_or_make(opening.content_digest(), opening.load)


def keep_upload(loaded: Loaded) -> None:
    """Remember an upload under its origin, so that a reload of the page finds it."""
    _uploads().keep(loaded.origin, loaded)


def find_upload(origin: str) -> Loaded | None:
    """The upload of this origin, if the server still has it."""
    return _uploads().find(origin)


@cache_resource(show_spinner=False)
def _evaluations() -> Shelf[tuple[str, BleuOptions], Evaluation]:
    return Shelf(MAX_EVALUATIONS)


@cache_resource(show_spinner=False)
def _columns() -> Shelf[tuple[str, str, bool | None], tuple[Column, ...]]:
    return Shelf(MAX_FILES_READ)


@cache_resource(show_spinner=False)
def _metric_evaluations() -> Shelf[tuple[str, MetricOptions], MetricEvaluation]:
    return Shelf(MAX_EVALUATIONS)


@cache_resource(show_spinner=False)
def _explanations() -> Shelf[tuple[str, BleuOptions, str], DifferenceExplanation]:
    return Shelf(MAX_EVALUATIONS)


@cache_resource(show_spinner=False)
def _opened() -> Shelf[str, Loaded | None]:
    return Shelf(MAX_OPENED)


@cache_resource(show_spinner=False)
def _found() -> Shelf[tuple[str, BleuOptions, tuple[str, str], SegmentQuery], NDArray[np.int64]]:
    return Shelf(MAX_QUERIES)


@cache_resource(show_spinner=False)
def _uploads() -> Shelf[str, Loaded]:
    return Shelf(MAX_UPLOADS)
