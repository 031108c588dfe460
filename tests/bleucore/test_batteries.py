"""The laws that a metric, a check or a format keeps: the program's own keep them, and what breaks one is found."""

import dataclasses

import numpy as np
import pytest

from bleucore.batteries import (
    CHECK_LAWS,
    FORMAT_LAWS,
    METRIC_LAWS,
    BrokenLawError,
    GivenFormat,
    GivenMetric,
    outcomes,
    require,
    title_of,
)
from bleucore.batteries.texts import faultless
from bleucore.checks import CHECKS, Check
from bleucore.checks.findings import Observation
from bleucore.errors import InputError
from bleucore.formats import FORMATS, Column, Format
from bleucore.metrics import METRICS
from bleucore.metrics.ter import TerOptions

XML = b'<dataset id="x"><doc id="1" origlang="de"><src lang="de"><p><seg id="1">Eins</seg></p></src></doc></dataset>'
EXAMPLES = {
    "XML": ("a.xml", XML),
    "table": ("a.tsv", b"source\treference\nDie Katze.\tThe cat.\nEs regnet.\tIt rains.\n"),
    "JSON": ("a.jsonl", b'{"source": "Die Katze.", "reference": "The cat."}\n{"source": "Es.", "reference": "It."}\n'),
    "plain text": ("a.txt", b"The cat\nIt rains\n"),
}
LAWS = {"metric": METRIC_LAWS, "check": CHECK_LAWS, "format": FORMAT_LAWS}


def broken(laws, subject):
    return [one.law for one in outcomes(laws, subject) if one.fault is not None]


class TestTheProgramsOwn:
    @pytest.mark.parametrize("name", CHECKS)
    def test_checks_keep_the_laws(self, name):
        assert [one for one in outcomes(CHECK_LAWS, CHECKS[name]) if one.fault] == []

    @pytest.mark.parametrize("name", EXAMPLES)
    def test_formats_keep_the_laws(self, name):
        given = GivenFormat(dataclasses.replace(FORMATS[name], example=EXAMPLES[name]), name)
        assert [one for one in outcomes(FORMAT_LAWS, given) if one.fault] == []


@pytest.mark.parametrize("laws", LAWS.values(), ids=LAWS)
def test_every_law_says_in_a_sentence_what_has_to_hold(laws):
    for law in laws:
        assert title_of(law)[0].isupper()
        assert title_of(law).endswith(".")


def test_a_law_that_raises_is_broken_and_the_next_is_tried():
    def raises(_):
        """First."""
        raise KeyError("house")

    def requires(number):
        """Second."""
        require(number > 1, f"{number}")

    first, second = outcomes((raises, requires), 1)
    assert (first.law, first.fault) == ("First.", "KeyError: \"'house'\"")
    assert (second.law, second.fault) == ("Second.", "1")
    assert [one.fault for one in outcomes((requires,), 2)] == [None]
    with pytest.raises(BrokenLawError):
        requires(0)


TER = METRICS[TerOptions]


def of_other_texts(counts):
    """Counts that know how many segments there are."""
    return lambda *given: [one + len(one) for one in counts(*given)]


def of_other_systems(counts):
    return lambda *given: [one + len(found) for found in [counts(*given)] for one in found]


def changed_by(scores):
    def changing(counts, options):
        counts[..., 0] += 1
        return scores(counts, options)

    return changing


BROKEN_METRICS = {
    "Counts are a row": {"statistics": lambda *given: TER.statistics(*given)[1:]},
    "Counts of a segment": {"statistics": of_other_texts(TER.statistics)},
    "Counts of a system": {"statistics": of_other_systems(TER.statistics)},
    "The score of some segments": {"scores": lambda counts, _: np.sqrt(counts[..., 0]) + counts.ndim},
    "Scores take counts": {"scores": changed_by(TER.scores)},
    "Empty texts": {"scores": lambda counts, _: np.where(counts[..., 1] > 0, TER.scores(counts, TerOptions()), np.nan)},
    "Texts that are equal": {"higher_is_better": lambda _: True},
    "Name, signatures": {"signature": lambda *_: "two\nlines"},
    "Progress rises": {"statistics": lambda test_set, options, _: TER.statistics(test_set, options, None)},
    "Parts of a difference": {"scores": lambda counts, options: TER.scores(counts, options) ** 2 / 100},
}


@pytest.mark.parametrize(("law", "change"), BROKEN_METRICS.items(), ids=BROKEN_METRICS)
def test_a_metric_that_breaks_a_law_is_found(law, change, monkeypatch):
    metrics = {**METRICS, TerOptions: dataclasses.replace(TER, **change)}
    monkeypatch.setattr("bleucore.metrics.registry.METRICS", metrics)
    with np.errstate(all="ignore"):
        assert [one for one in broken(METRIC_LAWS, GivenMetric(lambda _: TerOptions())) if one.startswith(law)]


def first_of(n_segments):
    return np.arange(n_segments) == 0


def observing(message="1 segment is odd.", flagged=first_of):
    def observe(columns):
        yield Observation(columns.systems[0], "note", message, "Read it.", flagged(columns.n_segments))

    return Check(observe, "Odd outputs.")


def counting():
    seen = []

    def observe(columns):
        seen.append(columns)
        yield Observation(columns.systems[0], "note", f"{len(seen)} odd.", "Read.", first_of(columns.n_segments))

    return Check(observe, "Odd outputs.")


def of_named(columns):
    for column in columns.systems:
        if "good" in column.title:
            yield Observation(column, "note", "It is odd.", "Read it.", first_of(columns.n_segments))


def of_sources(columns):
    return iter(columns.source.texts and ())


BROKEN_CHECKS = {
    "It runs on test sets": Check(of_sources, "Sources."),
    "What it finds is about": observing(flagged=np.arange),
    "Its message": observing(message="odd\ntexts"),
    "It says the same": counting(),
    "It flags the same segments": Check(of_named, "Odd outputs."),
    "It finds nothing": observing(),
}


@pytest.mark.parametrize(("law", "check"), BROKEN_CHECKS.items(), ids=BROKEN_CHECKS)
def test_a_check_that_breaks_a_law_is_found(law, check):
    assert [one for one in broken(CHECK_LAWS, check) if one.startswith(law)]


def lines(content):
    return [Column(content.name, "x", None, tuple(content.text.splitlines()), None, 1)]


def crashing(content):
    if not content.text.endswith("\n"):
        raise IndexError("no line end")
    return lines(content)


def never_refusing(content):
    return [Column(content.name, "x", None, (content.raw.decode("latin-1"),), None, 1)]


def of_two_lengths(content):
    return [*lines(content), Column(content.name, "y", None, ("one",), None, 1)]


GOOD = Format(
    lines, (".abc",), lambda content: content.data.startswith(b"%abc"), example=("a.abc", b"%abc\none\ntwo\n")
)
BROKEN_FORMATS = {
    "It brings a small file": {"example": ("a.abc", b"nothing of the kind\n")},
    "It reads columns": {"columns": of_two_lengths},
    "The same texts": {"columns": lambda content: [Column("", "x", None, tuple(content.text.split("\r")), None, 1)]},
    "An empty file": {"columns": never_refusing, "is_text": False},
    "A file that is cut": {"columns": crashing},
    "It recognises no plain text": {"recognises": lambda content: b"%" in content.raw or b"cat" in content.raw},
}


def test_a_good_format_keeps_the_laws():
    assert [one for one in outcomes(FORMAT_LAWS, GivenFormat(GOOD, "abc")) if one.fault] == []


@pytest.mark.parametrize(("law", "change"), BROKEN_FORMATS.items(), ids=BROKEN_FORMATS)
def test_a_format_that_breaks_a_law_is_found(law, change):
    given = GivenFormat(dataclasses.replace(GOOD, **change), "abc")
    assert [one for one in broken(FORMAT_LAWS, given) if one.startswith(law)]


def test_texts_without_a_fault_have_no_finding_of_any_check():
    test_set = faultless()
    assert (len(test_set.systems), len(test_set.references), test_set.n_segments) == (2, 2, 24)
    assert len({*test_set.references[0], *test_set.references[1], *test_set.systems[0].hypotheses}) == 72


def test_a_format_that_refuses_by_its_own_words_is_not_broken():
    def refusing(content):
        if b"one" not in content.data:
            raise InputError("there is no one", where=content.name)
        return lines(content)

    given = GivenFormat(dataclasses.replace(GOOD, columns=refusing), "abc")
    assert broken(FORMAT_LAWS, given) == []
