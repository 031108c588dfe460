"""Results that are kept are those that scoring and tests give, and are made once, on both databases."""

import numpy as np
import pytest
import sqlalchemy as sa

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.metrics.chrf import ChrfOptions
from bleucore.significance import ComparedSystems, SignificanceOptions, TestSetUnits, compare
from bleuscope.workspace import results
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion
from bleuscope.workspace.results import packed, unpacked
from bleuscope.workspace.schema import result

LINES = [f"the cat {number} sat on the mat near house {number % 7}" for number in range(60)]
DRAWN = SignificanceOptions(resamples=200)
OPTIONS = BleuOptions()


def outputs(share):
    return [line if number % share else line.replace("sat on", "is at") for number, line in enumerate(LINES)]


VERSIONS = {"v1": outputs(2), "v2": outputs(3), "v3": outputs(2), "v4": LINES}


@pytest.fixture(params=[None, [f"d{number % 55}" for number in range(60)]], ids=["segments", "documents"])
def texts(request):
    return TestSet([System(name, lines) for name, lines in VERSIONS.items()], [LINES], documents=request.param)


@pytest.fixture
def pushed(workspace, texts):
    """The test set, and its versions: the first and the third have the same outputs."""
    me = workspace.people.person(LOCAL)
    project = workspace.projects.make("p", me)
    kept = workspace.projects.put_test_set(project, "t", texts, me)
    made = [workspace.projects.push(project, kept, NewVersion("base", *one), me) for one in VERSIONS.items()]
    return project, kept, made


def n_rows(workspace):
    with workspace.database.reading() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(result)).scalar_one()


@pytest.mark.parametrize("test", ["approximate-randomisation", "sacrebleu-bs"])
def test_scores_and_intervals_are_those_of_scores_and_significance(workspace, pushed, texts, test):
    _, kept, versions = pushed
    drawn = SignificanceOptions(test, trials=50, resamples=200)
    of = workspace.results.scored_set(kept, OPTIONS)
    found = workspace.results.score(of, versions, drawn)
    bleu = evaluate(texts).bleu
    compared = ComparedSystems(
        [(name, one.counts) for name, one in bleu.systems.items()], bleu.draw_scores_of, documents=texts.documents
    )
    tested = compare(compared, drawn)
    assert of.signature == bleu.signature
    for version in versions:
        assert found[version.digest].score == bleu.systems[version.label].score
        assert found[version.digest].interval == tested.intervals[version.label]
        counts = workspace.results.counts(of, [version])[version.digest]
        assert np.array_equal(counts, bleu.systems[version.label].counts)


def test_what_was_scored_is_found_without_scoring(workspace, pushed, monkeypatch):
    _, kept, versions = pushed
    of = workspace.results.scored_set(kept, OPTIONS)
    first = workspace.results.score(of, versions, DRAWN)
    assert n_rows(workspace) == 3  # of four versions two have the same outputs
    monkeypatch.setattr(results.ComparedSystems, "bootstrap", None)
    monkeypatch.setattr(workspace.projects, "texts", None)
    assert workspace.results.score(of, versions, DRAWN) == first
    assert workspace.results.find(of, DRAWN) == first


def test_other_settings_and_other_draws_are_results_of_their_own(workspace, pushed, monkeypatch):
    _, kept, versions = pushed
    of, lower = (workspace.results.scored_set(kept, options) for options in (OPTIONS, BleuOptions(lowercase=True)))
    workspace.results.score(of, versions, DRAWN)
    assert not workspace.results.find(lower, DRAWN)
    assert not workspace.results.find(of, SignificanceOptions(resamples=200, seed=7))
    monkeypatch.setattr(workspace.projects, "texts", None)  # counts hang on no draw: they are made once
    again = workspace.results.score(of, versions, SignificanceOptions(resamples=200, seed=7))
    assert again.keys() == workspace.results.find(of, DRAWN).keys()


@pytest.mark.parametrize(
    "more",
    [
        {"source": [f"question {number}" for number in range(60)]},
        {"source": [f"question {number // 3}" for number in range(60)]},
        {"labels": {"item": [f"{number // 2}" for number in range(60)]}},
    ],
    ids=["sources that differ", "sources that repeat", "given items"],
)
def test_units_are_those_of_the_same_texts_on_other_pages(workspace, more):
    answers = TestSet([System("x", LINES)], [["yes", "no", "yes"] * 20], **more)
    me = workspace.people.person(LOCAL)
    kept = workspace.projects.put_test_set(workspace.projects.make("p", me), "t", answers, me)
    units = DRAWN.units_of(workspace.results.scored_set(kept, OPTIONS).known_units)
    wanted = DRAWN.units_of(TestSetUnits(60, None, answers.items))
    assert (units.kind, units.n_units) == (wanted.kind, wanted.n_units)


def test_other_lengths_of_blocks_are_results_of_their_own(workspace, pushed):
    _, kept, versions = pushed
    of = workspace.results.scored_set(kept, OPTIONS)
    short, long = (SignificanceOptions(resamples=200, unit="block", block_size=size) for size in (2, 10))
    workspace.results.score(of, versions, short)
    found = workspace.results.score(of, versions, long)
    assert [one.interval for one in found.values()] != [
        one.interval for one in workspace.results.score(of, versions, short).values()
    ]


def test_batches_change_no_number(workspace, pushed, monkeypatch):
    _, kept, versions = pushed
    of = workspace.results.scored_set(kept, OPTIONS)
    whole = results._results(
        of, {one.digest: workspace_counts(of, VERSIONS[one.label]) for one in versions}, DRAWN, None
    )
    monkeypatch.setattr(results, "OUTPUTS_AT_ONCE", 1)
    told = []
    assert workspace.results.score(of, versions, DRAWN, progress=told.append) == whole
    assert told == sorted(told)
    assert told[-1] == 1


def workspace_counts(of, lines):
    return of.metric.statistics(TestSet([System("x", lines)], [LINES]), of.options)[0]


def test_a_metric_other_than_bleu_is_kept_too(workspace, pushed, texts):
    _, kept, versions = pushed
    of = workspace.results.scored_set(kept, ChrfOptions())
    found = workspace.results.score(of, versions, DRAWN)
    chrf = evaluate(texts, metrics=[ChrfOptions()]).further_metrics[0]
    assert [found[one.digest].score for one in versions] == [one.score for one in chrf.systems.values()]


def test_a_signature_says_that_segments_have_different_numbers_of_references(workspace):
    me = workspace.people.person(LOCAL)
    project = workspace.projects.make("p", me)
    texts = TestSet([System("x", ["a", "b"])], [["a", "b"], ["c", None]])
    kept = workspace.projects.put_test_set(project, "t", texts, me)
    assert workspace.results.scored_set(kept, OPTIONS).signature == evaluate(texts).signature


def test_one_segment_has_a_score_and_no_interval(workspace):
    me = workspace.people.person(LOCAL)
    project = workspace.projects.make("p", me)
    kept = workspace.projects.put_test_set(project, "t", TestSet([System("x", ["a b c d"])], [["a b c d"]]), me)
    version = workspace.projects.push(project, kept, NewVersion("s", "v", ["a b c d"]), me)
    of = workspace.results.scored_set(kept, OPTIONS)
    for _ in range(2):
        found = workspace.results.score(of, [version], DRAWN)[version.digest]
        assert (round(found.score, 9), found.interval) == (100.0, None)


def test_counts_that_are_gone_or_damaged_are_said(workspace, pushed):
    _, kept, versions = pushed
    of = workspace.results.scored_set(kept, OPTIONS)
    with pytest.raises(WorkspaceError, match="not kept"):
        workspace.results.counts(of, versions)
    workspace.results.score(of, versions, DRAWN)
    with workspace.database.writing() as connection:
        connection.execute(sa.update(result).values(counts=b"\x04junk"))
    with pytest.raises(WorkspaceError, match="damaged"):
        workspace.results.counts(of, versions)


@pytest.mark.parametrize("largest", [0, 5, -3, 2**31 - 1, 2**31, 2**40])
def test_counts_come_back_as_they_were(largest):
    counts = np.array([[1, 2, largest], [4, 5, 6]])
    assert np.array_equal(unpacked(packed(counts), 2), counts)


@pytest.mark.parametrize(
    "data", [b"", b"\x04", b"\x04abc", b"\x03" + packed(np.ones((2, 2)))[1:], packed(np.ones((3, 1)))]
)
def test_what_is_no_counts_is_refused(data):
    with pytest.raises(WorkspaceError):
        unpacked(data, 2)
