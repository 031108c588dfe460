"""The tour of the sample comparison: what it claims is so, and it can be left at any stop."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from bleucore.analysis.slices import compare_slices, slice_segments
from bleuscope import Settings, compare, report
from bleuscope.content.attribution.attribution_words import ingredients
from bleuscope.content.overview.tour_stops import STOPS
from bleuscope.content.significance.significance_by_metric import attribution_of
from bleuscope.content.slices.slice_tables import compared_pair
from bleuscope.content.style import numbers
from bleuscope.registry import own_features
from bleuscope.shell.disk.files import load_sample
from bleuscope.shell.state.page_list import PAGES
from tests.dashboard.reading import sentences


@pytest.fixture(scope="module")
def study():
    sample = load_sample().test_set
    return compare(sample, Settings(pair=("neural-10k", "fluent")))


def test_every_stop_is_a_page_and_names_systems_that_are_there(study):
    names = set(study.evaluation.names)
    for stop in STOPS:
        assert stop.page in PAGES
        assert {value for key, value in stop.values.items() if key in ("a", "b")} <= names
    assert [stop.page for stop in STOPS].index("overview") == 0


@pytest.fixture(scope="module")
def by_document(study):
    """The difference of neural-40k and online on every document."""
    systems = compared_pair(study.test_set, study.evaluation.bleu, ("online", "neural-40k"))
    slicing = slice_segments(study.test_set, "document", study.evaluation.options)
    tests = compare_slices(systems, slicing, study.significance).tests
    return {slicing.names[number]: found for number, found in tests.items()}


def written(name, study):
    return f"{study.evaluation.systems[name].score.score:.2f}"


def scores_of(study):
    return [written(name, study) for name in study.evaluation.names]


def overview(study):
    ranked, compared = study.evaluation.ranked(), study.comparison
    pair = compared.pair(*ranked[:2])
    assert not compared.is_significant(pair)
    crossing = [(one, other) for above, below in combinations(compared.clusters, 2) for one in above for other in below]
    assert len(compared.clusters) > 1
    assert all(compared.is_better(one, other) for one, other in crossing)
    return [
        f"**{ranked[0]}** scores highest, {pair.difference:.2f} BLEU above **{ranked[1]}**.",
        f"This difference is not significant (p = {numbers.p_value(pair.corrected_p_value)}).",
        "Lines in the table separate clusters: every system above a line is significantly better than every system "
        "below it.",
    ]


def slices(study, by_document):
    behind = [one for one in by_document.values() if one.difference < 0]
    assert all(one.p_value is None for one in by_document.values())
    return [
        f"**online** scores {written('online', study)} and **neural-40k** {written('neural-40k', study)} BLEU.",
        f"In the washing machine's manual **neural-40k** scores {by_document['washing-machine'].difference:.2f} BLEU "
        f"more, and **online** scores higher in {len(behind)} of the {len(by_document)} documents.",
        "One document is too few for a test, so none of these differences counts as significant.",
    ]


def compared(study):
    ten, fluent = (study.evaluation.systems[name].score for name in study.pair)
    parts = dict(ingredients(attribution_of(study.evaluation, study.evaluation.bleu, study.pair)))
    penalty = parts.pop("brevity penalty")
    assert len(parts) == 4
    assert all(b > a for a, b in zip(ten.precisions, fluent.precisions, strict=True))
    assert fluent.length_ratio < ten.length_ratio < 1
    assert sum(parts.values()) + penalty == pytest.approx(fluent.score - ten.score)
    of_matches = numbers.difference(sum(parts.values()))
    return [
        f"**fluent** scores {fluent.score - ten.score:.2f} BLEU more than **neural-10k**.",
        f"Its n-grams of all four orders match more often, which contributes {of_matches} BLEU.",
        f"It is shorter, and the brevity penalty contributes {numbers.difference(penalty)} BLEU.",
    ]


def segments(study):
    ten, fluent = (study.test_set.system(name).hypotheses for name in study.pair)
    n_shorter = sum(len(b.split()) < len(a.split()) for a, b in zip(ten, fluent, strict=True))
    return [
        "Blue words also occur in a reference.",
        f"**fluent** is shorter than **neural-10k** in {n_shorter} of {study.test_set.n_segments} segments.",
        "Which one would you send to a customer?",
    ]


def reported(study):
    html = report(study)
    last = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html[html.rindex("<h2") :]))
    assert "Settings and versions" in last
    assert study.evaluation.signature in last
    assert f"seed {study.significance.seed} " in last
    assert not re.search(r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["']?(?:https?:)?//""", html)
    return ["A report is one file that opens without a network.", "It ends with every setting."]


def test_every_sentence_claims_what_the_sample_gives(study, by_document):
    claims = [
        overview(study),
        slices(study, by_document),
        compared(study),
        segments(study),
        reported(study),
    ]
    of_features = {stop.page for feature in own_features() for stop in feature.tour_stops}
    assert [sentences(stop) for stop in STOPS if stop.page not in of_features] == claims


def test_the_words_of_the_demonstration_give_its_numbers_and_fit_in_half_of_its_time(study):
    page = (Path(__file__).parents[2] / "docs/howto/show.md").read_text(encoding="utf-8")
    spoken = re.sub(r"\s+", " ", " ".join(re.findall(r"^> (.*)", page, re.MULTILINE)))
    known = " ".join([*(sentence for stop in STOPS for sentence in sentences(stop)), *scores_of(study)])
    found = re.findall(r"\d+(?:\.\d+)?", spoken)
    assert len(found) > 8
    assert set(found) <= set(re.findall(r"\d+(?:\.\d+)?", known))
    assert len(spoken.split()) <= 90 / 60 * 155, "of 155 spoken words a minute"


def test_it_is_begun_gone_on_with_and_left_on_the_sample(open_page):
    app = open_page("overview")
    app.button(key="tour-begin").click().run()
    assert any(f"Stop 1 of {len(STOPS)}" in one.value for one in app.markdown)
    assert "tour-back" not in [one.key for one in app.button]
    app.button(key="tour-leave").click().run()
    assert not any("Stop" in one.value for one in app.markdown)
    assert "tour-begin" in [one.key for one in app.button]


def test_it_is_not_offered_with_texts_of_ones_own(open_page):
    app = open_page("overview", {"a.txt": "one two\n", "b.txt": "one\n", "ref.txt": "one two\n"})
    assert not {"tour-begin", "tour-next"} & {one.key for one in app.button}
