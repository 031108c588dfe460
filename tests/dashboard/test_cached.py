"""What is kept for all sessions: the values used last, each made once."""

import pytest
from streamlit.runtime import caching

from bleucore import BleuOptions, InputError, TerOptions
from bleucore.analysis.slices import DOCUMENT
from bleucore.errors import EncodingError
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.content.segments import patterns
from bleuscope.content.segments.pattern_process import Processes
from bleuscope.content.segments.segment_queries import SegmentQuery, TextSearch
from bleuscope.content.slices.slice_tables import summarise
from bleuscope.shell.disk.files import load_sample, upload_origin
from bleuscope.shell.state import cached


class TestEvaluations:
    def test_are_computed_once_for_the_same_content_and_options(self, score_texts):
        first, second = (score_texts({"a": ["x y"]}, [["x z"]]).test_set for _ in range(2))
        options = BleuOptions(max_order=3)
        assert not cached.is_evaluated(first, options)
        shares = []
        evaluation = cached.evaluation(first, options, progress=shares.append)
        assert shares[-1] == 1
        assert cached.is_evaluated(second, options)
        assert cached.evaluation(second, options).bleu.systems["a"] is evaluation.bleu.systems["a"]

    def test_of_other_options_or_content_are_others(self, score_texts):
        test_set, other = (score_texts({"a": [text]}, [["u v w"]]).test_set for text in ("u v", "u v q"))
        evaluation = cached.evaluation(test_set, BleuOptions())
        assert cached.evaluation(test_set, BleuOptions(max_order=2)).options.max_order == 2
        assert cached.evaluation(other, BleuOptions()).digest == other.digest != evaluation.digest


def test_other_names_of_the_same_texts_cost_nothing(score_texts):
    words = [f"one two three {word} five {word}" for word in ("a", "b", "c", "d", "e", "f")]
    texts = {"best": words, "good": [text[2:] for text in words], "poor": [text[8:] for text in words]}
    loaded, options = score_texts(texts, [words, words[::-1]]).test_set, BleuOptions(max_order=3)
    names = [f"system {number}" for number in range(len(loaded.systems))]
    renamed = loaded.renamed(names, ["first", "second"])
    before = cached.evaluation(loaded, options, (TerOptions(),))
    assert cached.is_evaluated(renamed, options, (TerOptions(),))
    after = cached.evaluation(renamed, options, (TerOptions(),))
    assert list(after.systems) == list(after.metrics["TER"].systems) == names
    assert [one.name for one in after.systems.values()] == names
    assert after.digest == renamed.digest
    assert after.systems[names[1]].counts is before.systems[loaded.system_names[1]].counts
    tests = SignificanceOptions(trials=50, resamples=50)
    of_old = cached.comparison(loaded, before.metrics["BLEU"], tests).value()
    compared = cached.comparison(renamed, after.metrics["BLEU"], tests)
    assert compared.is_done
    of_new = compared.value()
    assert of_new.names == tuple(names)
    assert of_new.pair(names[1], names[0]).p_value == of_old.pair(*loaded.system_names[1::-1]).p_value
    assert of_new.null_test(names[1], names[0]).p_value == of_old.null_test(*loaded.system_names[1::-1]).p_value
    assert {name for cluster in of_new.clusters for name in cluster} == set(names)
    assert set(of_new.intervals) == set(names)


def test_other_names_leave_what_is_known_of_two_systems_as_it_is(score_texts):
    words = ["one two three four five", "six seven eight nine", "ten eleven twelve", "a b c d"] * 3
    texts = {"a": [text.replace("e", "x") for text in words], "b": words[:], "c": [text[2:] for text in words]}
    loaded = score_texts(texts, [words], documents=[str(number // 3) for number in range(12)]).test_set
    renamed = loaded.renamed(["p", "q", "r"], ["human"])
    old, new = (cached.evaluation(one, BleuOptions()) for one in (loaded, renamed))
    assert cached.attribution(new, new.bleu, ("r", "p")).names == ("r", "p")
    before, after = cached.attribution(old, old.bleu, ("a", "c")), cached.attribution(new, new.bleu, ("p", "r"))
    assert (before.names, after.names) == (("a", "c"), ("p", "r"))
    assert after.segment_factors is before.segment_factors
    assert cached.ngrams(renamed, new, ("p", "r")).value() is cached.ngrams(loaded, old, ("a", "c")).value()
    lists = [
        cached.unmatched_ngrams(one, evaluation, pair, "missed", 1, "A")
        for one, evaluation, pair in ((loaded, old, ("a", "c")), (renamed, new, ("p", "r")))
    ]
    assert lists[0] is lists[1]
    divided = cached.slicing(loaded, old.options, DOCUMENT)
    assert cached.slicing(renamed, new.options, DOCUMENT) is divided
    options = SignificanceOptions(trials=50, resamples=50)
    tests = [
        cached.slice_comparison(
            one, evaluation.metrics["BLEU"], summarise(evaluation, divided, pair, None), (0,), options
        )
        .value()
        .tests[0]
        for one, evaluation, pair in ((loaded, old, ("a", "c")), (renamed, new, ("p", "r")))
    ]
    assert [(test.name, test.other) for test in tests] == [("c", "a"), ("r", "p")]
    assert tests[1].p_value == tests[0].p_value
    sizes = [
        cached.size_study(one, evaluation.metrics["BLEU"], pair, None)
        for one, evaluation, pair in ((loaded, old, ("a", "c")), (renamed, new, ("p", "r")))
    ]
    assert [(study.name, study.other) for study in sizes] == [("c", "a"), ("r", "p")]
    assert sizes[1].statistics is sizes[0].statistics


def test_an_upload_is_found_under_its_origin(score_texts):
    test_set = score_texts({"a": ["kept"]}, [["kept"]]).test_set
    loaded = Loaded(test_set, "title", upload_origin(test_set))
    assert cached.UPLOADS.find(loaded.origin) is None
    cached.keep_upload(loaded)
    assert cached.UPLOADS.find(loaded.origin) is loaded


class TestSearches:
    def test_a_pattern_that_took_too_long_fails_at_once_when_it_is_asked_for_again(self, score_texts, monkeypatch):
        test_set = score_texts({"a": ["ab" * 30 + "c", "once more"]}, [["x", "y"]]).test_set
        search = TextSearch("^(([ab]|ab)*)*$", is_pattern=True)
        monkeypatch.setattr(patterns, "SEARCH_SECONDS", 0.05)
        with pytest.raises(InputError, match="takes longer") as first:
            cached.segments_with_text(test_set, search)
        monkeypatch.setattr(patterns, "SEARCH_SECONDS", 600.0)
        with pytest.raises(InputError, match="takes longer") as second:
            cached.segments_with_text(test_set, search)
        assert str(second.value) == str(first.value)

    def test_a_question_that_took_too_long_fails_at_once_when_it_is_asked_for_again(self, score_texts, monkeypatch):
        texts = ["ab" * 30 + "c", "once more"]
        scored = score_texts({"a": texts, "b": texts}, [["x", "y"]])
        query = SegmentQuery(conditions=('matches(b, "^(([ab]|ab)*)*$")',))
        for seconds in (0.05, 600.0):
            monkeypatch.setattr(patterns, "SEARCH_SECONDS", seconds)
            with pytest.raises(InputError, match=r"Condition .*, pattern .*: this takes longer than 0\.05 s"):
                cached.found_segments(scored.test_set, scored.evaluation, ("a", "b"), query, scored.evaluation.bleu)

    def test_a_search_that_found_no_process_is_tried_again(self, score_texts, monkeypatch):
        test_set = score_texts({"a": ["tried again"]}, [["x"]]).test_set
        search = TextSearch("^tried again$", is_pattern=True)
        with monkeypatch.context() as none_free:
            none_free.setattr(patterns, "PROCESSES", Processes(0))
            none_free.setattr(patterns, "SEARCH_SECONDS", 0.05)
            with pytest.raises(InputError, match=r"Pattern .*Search again in a minute"):
                cached.segments_with_text(test_set, search)
        assert cached.segments_with_text(test_set, search).tolist() == [True]


def test_uploads_and_scores_outlive_what_empties_streamlits_caches():
    loaded = load_sample()
    cached.keep_upload(loaded)
    cached.SCORES.keep("key", ())
    caching.cache_data.clear()
    caching.cache_resource.clear()
    assert cached.UPLOADS.find(loaded.origin) is loaded
    assert cached.SCORES.find("key") == ()


class TestFilesThatAreRefused:
    @pytest.mark.parametrize(
        ("name", "data", "read", "worker"),
        [
            ("a.xml", b"<mteval><refset", cached.columns, "read"),
            ("корпус.zip", b"PK\x03\x04 cut off", cached.unpacked_file, "unpacked"),
        ],
    )
    def test_are_read_once_and_refused_again_in_the_same_words(self, monkeypatch, name, data, read, worker):
        calls, real = [], getattr(cached, worker)
        monkeypatch.setattr(cached, worker, lambda *args, **options: calls.append(args) or real(*args, **options))
        sentences = []
        for _ in range(3):
            with pytest.raises(InputError) as caught:
                read(name, data)
            sentences.append(str(caught.value))
        assert len(calls) == 1
        assert len(set(sentences)) == 1

    def test_keep_what_the_error_offers_and_not_what_was_read(self):
        with pytest.raises(InputError):
            cached.columns("of this test.txt", "schön\n".encode("latin-1"))
        with pytest.raises(EncodingError) as again:
            cached.columns("of this test.txt", "schön\n".encode("latin-1"))
        assert again.value.offers[0].text == "schön"
        (kept,) = [one.value for key, one in cached.columns.cache._values.items() if key[0] == "of this test.txt"]
        assert kept.__traceback__ is None
        assert kept.__context__ is None
