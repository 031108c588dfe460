"""What the tests of the engine share: test sets from plain lists, sacreBLEU's answer, tiny random corpora."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from bleucore import BleuOptions, System, TestSet

LOOP = range(1_000_000)
"""To count to its end takes about a hundredth of a second of a processor."""
MOST_LOOPS = 1_000
WORDS = ["a", "b", "A", "b.", "1,5", "ä"]


@pytest.fixture(scope="session")
def make_test_set() -> Callable[..., TestSet]:
    """A test set from hypothesis columns and reference columns; systems are called 0, 1 and so on."""

    def make(hypotheses: list[list[str]], references: list[list[str | None]]) -> TestSet:
        return TestSet([System(str(index), column) for index, column in enumerate(hypotheses)], references)

    return make


@pytest.fixture(scope="session")
def sacrebleu_metric() -> Callable[..., BLEU]:
    """sacreBLEU's metric of the same options."""

    def metric(options: BleuOptions, *, effective_order: bool | None = None) -> BLEU:
        return BLEU(
            lowercase=options.lowercase,
            tokenize=options.tokenizer,
            smooth_method=options.smoothing,
            smooth_value=options.smoothing_value,
            max_ngram_order=options.max_order,
            effective_order=options.effective_order if effective_order is None else effective_order,
        )

    return metric


@pytest.fixture(scope="session")
def without_hanging() -> Callable[..., AbstractContextManager[None]]:
    """Limits the processor time of a block, in loops over ``LOOP``: ``with without_hanging(most_loops):``.

    A busy machine slows the loops too.
    """
    return _without_hanging


@contextmanager
def _without_hanging(most_loops: int = MOST_LOOPS) -> Iterator[None]:
    of_loop = _seconds_of_loop()
    start = time.process_time()
    yield
    taken = time.process_time() - start
    assert taken < most_loops * max(of_loop, _seconds_of_loop())


def _seconds_of_loop() -> float:
    start = time.process_time()
    for _ in LOOP:
        pass
    return time.process_time() - start


@pytest.fixture(scope="session")
def corpora() -> st.SearchStrategy[tuple[list[list[str]], list[list[str | None]]]]:
    """Hypothesis columns and reference columns over few words: matches, clipping, empty lines, missing references."""
    return _corpora()


@st.composite
def _corpora(draw: Any) -> tuple[list[list[str]], list[list[str | None]]]:
    lines = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
    n_segments = draw(st.integers(1, 4))
    columns = st.lists(lines, min_size=n_segments, max_size=n_segments)
    hypotheses = draw(st.lists(columns, min_size=1, max_size=2))
    first = draw(columns)
    optional = st.lists(st.none() | lines, min_size=n_segments, max_size=n_segments)
    references = [first, *draw(st.lists(optional, max_size=3))]
    return hypotheses, draw(st.permutations(references))
