"""What holds for every check: it runs on any test set, says whole sentences, and is silent where there is no fault."""

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from bleucore.batteries.laws import BrokenLawError, require
from bleucore.batteries.texts import faultless, of_every_kind
from bleucore.checks import SEVERITIES, Check
from bleucore.checks.compared_texts import Columns
from bleucore.checks.findings import Observation
from bleucore.corpus import System, TestSet


@cache
def _columns(_reading: int = 1) -> Mapping[str, Columns]:
    """The columns of test sets of every kind, with what each of two readings found in them."""
    return {kind: Columns.of(test_set) for kind, test_set in of_every_kind().items()}


@cache
def _named_and_renamed() -> tuple[Columns, Columns]:
    test_set = of_every_kind()["texts in several scripts"]
    renamed = [System(f"{number}", system.hypotheses) for number, system in enumerate(test_set.systems)]
    return Columns.of(test_set), Columns.of(TestSet(renamed, test_set.references))


@cache
def _faultless() -> Columns:
    return Columns.of(faultless())


def _observed(check: Check) -> Iterator[tuple[str, Columns, Observation]]:
    for kind, columns in _columns().items():
        for found in check.observe(columns):
            require(isinstance(found, Observation), f"{type(found).__name__}, which is no Observation, on {kind}")
            yield kind, columns, found


def runs_everywhere(check: Check) -> None:
    """It runs on test sets of every kind: without a source, with one segment, with empty and with hostile texts."""
    for kind, columns in _columns().items():
        try:
            list(check.observe(columns))
        except Exception as error:
            raise BrokenLawError(f"{type(error).__name__} on {kind}") from error


def flags_segments(check: Check) -> None:
    """What it finds is about a column of the test set, and flags segments by True and False."""
    for kind, columns, found in _observed(check):
        require(found.column in {columns.source, *columns.targets, None}, f"a column of another test set, on {kind}")
        shape, dtype = np.shape(found.segments), getattr(found.segments, "dtype", None)
        require(shape == (columns.n_segments,) and dtype == np.bool_, f"{dtype} of the shape {shape}, on {kind}")
        require(found.segments.any() or found.column is None, f"an observation that flags no segment, on {kind}")
        require(found.severity in SEVERITIES, f"the severity {found.severity!r}")


def says_sentences(check: Check) -> None:
    """Its message, its remedy and its explanation are sentences in one line."""
    sentences = [check.explanation]
    sentences += [text for _, _, found in _observed(check) for text in (found.message, found.remedy)]
    for text in sentences:
        require(text[-1:] in {".", "!", "?"} and len(text.splitlines()) == 1, f"{text[:80]!r}")


def says_the_same_twice(check: Check) -> None:
    """It says the same of the same texts."""
    for kind, columns in _columns().items():
        first, second = (
            [(one.message, one.severity, one.segments.tolist()) for one in check.observe(read)]
            for read in (columns, _columns(2)[kind])
        )
        require(first == second, f"something else the second time, on {kind}")


def does_not_depend_on_names(check: Check) -> None:
    """It flags the same segments when systems have other names."""
    first, second = ([one.segments.tolist() for one in check.observe(columns)] for columns in _named_and_renamed())
    require(first == second, "other segments")


def is_silent(check: Check) -> None:
    """It finds nothing in 24 segments without a fault."""
    found = [observation.message for observation in check.observe(_faultless())]
    require(not found, f"{found[:1]}")


CHECK_LAWS = (runs_everywhere, flags_segments, says_sentences, says_the_same_twice, does_not_depend_on_names, is_silent)
