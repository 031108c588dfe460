"""What is kept for all sessions: the values used last, each made once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.runtime import caching

from bleucore import BleuOptions, InputError, TerOptions
from bleucore.analysis.slices import DOCUMENT
from bleucore.errors import EncodingError
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.content.segments import patterns
from bleuscope.content.segments.segment_queries import TextSearch
from bleuscope.content.slices.slice_tables import summarise
from bleuscope.shell.disk.files import load_sample, upload_origin
from bleuscope.shell.state import cached, shared_work
from bleuscope.shell.state.cached import Shelf
from bleuscope.shell.state.shared_work import GivenUpError


class TestShelf:
    def test_finds_what_was_kept_and_nothing_else(self):
        shelf = Shelf(2)
        shelf.keep("a", 1)
        assert (shelf.find("a"), shelf.find("b")) == (1, None)

    def test_the_value_not_used_for_longest_makes_room(self):
        shelf = Shelf(2)
        shelf.keep("a", 1)
        shelf.keep("b", 2)
        shelf.find("a")
        shelf.keep("c", 3)
        assert (shelf.find("a"), shelf.find("b"), shelf.find("c")) == (1, None, 3)

    def test_keeping_a_value_again_counts_as_use_and_replaces_it(self):
        shelf = Shelf(2)
        for key, value in (("a", 1), ("b", 2), ("a", 10), ("c", 3)):
            shelf.keep(key, value)
        assert (shelf.find("a"), shelf.find("b"), shelf.find("c")) == (10, None, 3)

    def test_makes_a_value_only_when_it_is_not_there(self):
        shelf, made = Shelf(2), []
        for _ in range(3):
            assert shelf.find_or_make("a", lambda: made.append("a") or "value") == "value"
        assert made == ["a"]

    def test_makes_a_value_again_once_it_has_made_room(self):
        shelf, made = Shelf(1), []
        for key in ("a", "b", "a"):
            shelf.find_or_make(key, lambda key=key: made.append(key) or key)
        assert made == ["a", "b", "a"]

    @pytest.mark.parametrize(
        ("size", "kept"), [(0, "abcd"), (cached.MOST_BYTES // 2, "cd"), (2 * cached.MOST_BYTES, "d")]
    )
    def test_large_values_make_room_for_each_other_and_the_last_one_stays(self, size, kept):
        shelf = Shelf(4, lambda _: size)
        for key in "abcd":
            shelf.keep(key, key)
        assert "".join(key for key in "abcd" if shelf.find(key)) == kept

    def test_values_that_nobody_asks_for_are_dropped_when_it_is_time(self):
        shelf = Shelf(4)
        shelf.keep("a", 1)
        shelf.drop_unused(60)
        assert shelf.find("a") == 1
        shelf.drop_unused(-1)
        assert shelf.find("a") is None

    def test_one_thread_makes_a_value_and_the_others_wait_for_it(self):
        shelf, made, everyone = Shelf(2), [], threading.Barrier(8)
        begun, may_end = threading.Event(), threading.Event()

        def make():
            made.append(threading.get_ident())
            begun.set()
            assert may_end.wait(10)
            return object()

        def ask(_):
            everyone.wait(10)
            return shelf.find_or_make("a", make)

        with ThreadPoolExecutor(8) as pool:
            answers = pool.map(ask, range(8))
            assert begun.wait(10)
            may_end.set()
            values = list(answers)
        assert len(made) == 1
        assert len(set(map(id, values))) == 1

    def test_a_slow_value_does_not_hold_up_another(self):
        shelf = Shelf(2)
        begun, may_end = threading.Event(), threading.Event()

        def slow():
            begun.set()
            assert may_end.wait(10)
            return "slow"

        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(shelf.find_or_make, "slow", slow)
            assert begun.wait(10)
            assert shelf.find_or_make("quick", lambda: "quick") == "quick"
            assert not waiting.done()
            may_end.set()
            assert waiting.result(10) == "slow"

    def test_a_failure_is_passed_on_and_the_next_one_may_try(self):
        shelf = Shelf(2)
        with pytest.raises(ZeroDivisionError):
            shelf.find_or_make("a", lambda: 1 / 0)
        assert shelf.find_or_make("a", lambda: "made") == "made"


class _LeftError(Exception):
    """A page is left: what Streamlit raises in its script."""


class TestWorkThatGoesOn:
    def test_is_finished_for_the_next_one_where_the_first_leaves(self):
        shelf, begun, may_end = Shelf(2), [], threading.Event()

        def make(move):
            begun.append("once")
            move(0.5)
            assert may_end.wait(10)
            return "value"

        def leave(_):
            raise _LeftError

        with pytest.raises(_LeftError):
            shelf.find_or_work("a", make, leave)
        shares = []

        def come_back(share):
            shares.append(share)
            may_end.set()

        assert shelf.find_or_work("a", make, come_back) == "value"
        assert begun == ["once"]
        assert set(shares) == {0.5}
        assert shelf.find("a") == "value"

    def test_ends_when_it_is_stopped_and_nobody_waits_and_is_begun_again_for_who_asks(self):
        shelf, may_go_on, ended = Shelf(2), threading.Event(), []

        def make(move):
            assert may_go_on.wait(10)
            try:
                move(0.5)
            except GivenUpError:
                ended.append("stopped")
                raise
            return "value"

        def leave(_):
            raise _LeftError

        with pytest.raises(_LeftError):
            shelf.find_or_work("a", make, leave)
        shelf.stop_work("a")
        assert shelf.find_or_work("a", make, lambda _: may_go_on.set()) == "value"
        assert ended == ["stopped"]

    def test_goes_on_when_one_stops_it_that_another_waits_for(self):
        shelf, is_watched, may_end = Shelf(2), threading.Event(), threading.Event()

        def make(move):
            assert may_end.wait(10)
            move(1.0)
            return object()

        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(shelf.find_or_work, "a", make, lambda _: is_watched.set())
            assert is_watched.wait(10)
            shelf.stop_work("a")
            may_end.set()
            assert waiting.result(10) is shelf.find("a")

    def test_is_ended_once_nobody_has_waited_for_long(self, monkeypatch):
        monkeypatch.setattr(shared_work, "SECONDS_ALONE", -1.0)
        may_go_on, has_ended = threading.Event(), threading.Event()

        def make(move):
            assert may_go_on.wait(10)
            move(0.5)

        work = shared_work.SharedWork(make, then=has_ended.set)
        may_go_on.set()
        assert has_ended.wait(10)
        with pytest.raises(GivenUpError):
            work.wait(lambda _: None)

    def test_says_why_there_is_no_value_to_each_who_waits_and_may_be_tried_again(self):
        shelf = Shelf(2)
        with pytest.raises(ZeroDivisionError):
            shelf.find_or_work("a", lambda _: 1 / 0, lambda _: None)
        assert shelf.find_or_work("a", lambda _: "made", lambda _: None) == "made"


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
    of_old = cached.comparison(loaded, before.metrics["BLEU"], tests)
    assert cached.is_compared(renamed, after.metrics["BLEU"], tests)
    of_new = cached.comparison(renamed, after.metrics["BLEU"], tests)
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
    assert cached.ngrams(renamed, new, ("p", "r")) is cached.ngrams(loaded, old, ("a", "c"))
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
        ).tests[0]
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
    assert cached.find_upload(loaded.origin) is None
    cached.keep_upload(loaded)
    assert cached.find_upload(loaded.origin) is loaded


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
        assert second.value is first.value


def test_uploads_and_scores_outlive_what_empties_streamlits_caches():
    loaded = load_sample()
    cached.keep_upload(loaded)
    cached.keep_scores("key", ())
    caching.cache_data.clear()
    caching.cache_resource.clear()
    assert cached.find_upload(loaded.origin) is loaded
    assert cached.find_scores("key") == ()


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
        (kept,) = [one.value for key, one in cached._columns()._values.items() if key[0] == "of this test.txt"]
        assert kept.__traceback__ is None
        assert kept.__context__ is None
