"""Caches hold the values used last, each made once; work goes on when nobody looks on, but not for ever."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from bleucore import InputError
from bleuscope.runtime import background
from bleuscope.runtime.background import GivenUpError
from bleuscope.runtime.memo_cache import BackgroundTask, MemoCache, MemoryBudget
from bleuscope.runtime.memory_size import n_bytes


class TestMemoCache:
    def test_finds_what_was_kept_and_nothing_else(self):
        cache = MemoCache(2)
        cache.keep("a", 1)
        assert (cache.find("a"), cache.find("b")) == (1, None)

    def test_the_value_not_used_for_longest_makes_room(self):
        cache = MemoCache(2)
        cache.keep("a", 1)
        cache.keep("b", 2)
        cache.find("a")
        cache.keep("c", 3)
        assert (cache.find("a"), cache.find("b"), cache.find("c")) == (1, None, 3)

    def test_keeping_a_value_again_counts_as_use_and_replaces_it(self):
        cache = MemoCache(2)
        for key, value in (("a", 1), ("b", 2), ("a", 10), ("c", 3)):
            cache.keep(key, value)
        assert (cache.find("a"), cache.find("b"), cache.find("c")) == (10, None, 3)

    def test_makes_a_value_only_when_it_is_not_there(self):
        cache, made = MemoCache(2), []
        for _ in range(3):
            assert cache.find_or_make("a", lambda: made.append("a") or "value") == "value"
        assert made == ["a"]

    def test_makes_a_value_again_once_it_has_made_room(self):
        cache, made = MemoCache(1), []
        for key in ("a", "b", "a"):
            cache.find_or_make(key, lambda key=key: made.append(key) or key)
        assert made == ["a", "b", "a"]

    def test_values_that_nobody_asks_for_are_dropped_when_it_is_time(self):
        cache = MemoCache(4)
        cache.keep("a", 1)
        cache.drop_unused(60)
        assert cache.find("a") == 1
        cache.drop_unused(-1)
        assert cache.find("a") is None

    def test_one_thread_makes_a_value_and_the_others_wait_for_it(self):
        cache, made, everyone = MemoCache(2), [], threading.Barrier(8)
        begun, may_end = threading.Event(), threading.Event()

        def make():
            made.append(threading.get_ident())
            begun.set()
            assert may_end.wait(60)
            return object()

        def ask(_):
            everyone.wait(60)
            return cache.find_or_make("a", make)

        with ThreadPoolExecutor(8) as pool:
            answers = pool.map(ask, range(8))
            assert begun.wait(60)
            may_end.set()
            values = list(answers)
        assert len(made) == 1
        assert len(set(map(id, values))) == 1

    def test_a_slow_value_does_not_hold_up_another(self):
        cache = MemoCache(2)
        begun, may_end = threading.Event(), threading.Event()

        def slow():
            begun.set()
            assert may_end.wait(60)
            return "slow"

        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(cache.find_or_make, "slow", slow)
            assert begun.wait(60)
            assert cache.find_or_make("quick", lambda: "quick") == "quick"
            assert not waiting.done()
            may_end.set()
            assert waiting.result(60) == "slow"

    def test_a_failure_is_passed_on_and_the_next_one_may_try(self):
        cache = MemoCache(2)
        with pytest.raises(ZeroDivisionError):
            cache.find_or_make("a", lambda: 1 / 0)
        assert cache.find_or_make("a", lambda: "made") == "made"


class TestMemoryBudget:
    ROOM = 30_000

    def test_what_was_not_asked_for_longest_makes_room_in_whichever_cache_it_is(self):
        budget = MemoryBudget(self.ROOM)
        one, other = MemoCache(9, budget=budget), MemoCache(9, budget=budget)
        one.keep("a", "a" * 9_000)
        other.keep("b", "b" * 9_000)
        one.keep("c", "c" * 9_000)
        one.find("a")
        other.keep("d", "d" * 9_000)
        assert [one.find("a") is None, other.find("b") is None, one.find("c") is None] == [False, True, False]
        assert 27_000 < budget.n_bytes == one.n_bytes + other.n_bytes < self.ROOM

    def test_the_last_value_stays_whatever_its_size(self):
        budget = MemoryBudget(self.ROOM)
        one, other = MemoCache(9, budget=budget), MemoCache(9, budget=budget)
        one.keep("a", "a")
        other.keep("b", "b" * 2 * self.ROOM)
        assert (one.find("a"), len(other)) == (None, 1)

    def test_a_value_that_is_dropped_gives_its_room_back(self):
        budget = MemoryBudget(self.ROOM)
        cache = MemoCache(1, budget=budget)
        for key in "ab":
            cache.keep(key, key * 9_000)
        assert 9_000 < budget.n_bytes < 10_000
        cache.drop("b")
        assert budget.n_bytes == 0


@dataclass(frozen=True)
class Found:
    """A result: texts, and an array that stands in it twice."""

    texts: tuple[str, ...]
    counts: np.ndarray
    same: np.ndarray


class TestMemorySize:
    @pytest.mark.parametrize(
        ("value", "least"),
        [
            ("a" * 1_000, 1_000),
            (["a" * 1_000, "b" * 1_000], 2_000),
            ({"a": ["b" * 1_000, None]}, 1_000),
            ({"a" * 1_000}, 1_000),
            (np.zeros(1_000), 8_000),
            (np.zeros(1_000)[:10], 8_000),
            (np.array(["a" * 1_000, None], object), 1_000),
            (InputError("a" * 1_000), 1_000),
        ],
    )
    def test_counts_what_is_held_and_little_else(self, value, least):
        assert least <= n_bytes(value) < least + 1_000

    def test_counts_an_object_once_and_looks_into_data_classes(self):
        counts = np.zeros(1_000)
        assert 9_000 <= n_bytes(Found(("a" * 1_000,), counts, counts)) < 10_000

    def test_ends_where_an_object_holds_itself(self):
        value: list[object] = []
        value.append(value)
        assert n_bytes(value) < 1_000


class _LeftError(Exception):
    """A page is left: what Streamlit raises in its script."""


class Held:
    """Work that takes its next step when it may, and tells whether it was given up there."""

    def __init__(self):
        self.may_go_on, self.is_given_up = threading.Event(), threading.Event()

    def make(self, move):
        """Do it."""
        assert self.may_go_on.wait(60)
        try:
            move(0.5)
        except GivenUpError:
            self.is_given_up.set()
            raise
        return "value"


@pytest.fixture
def held():
    """Work that has not taken a step."""
    return Held()


class TestWorkThatGoesOn:
    def test_is_finished_for_the_next_one_where_the_first_leaves(self):
        cache, begun, may_end = MemoCache(2), [], threading.Event()

        def make(move):
            begun.append("once")
            move(0.5)
            assert may_end.wait(60)
            return "value"

        def leave(_):
            raise _LeftError

        with pytest.raises(_LeftError):
            cache.find_or_work("a", make, leave)
        shares = []

        def come_back(share):
            shares.append(share)
            may_end.set()

        assert cache.find_or_work("a", make, come_back) == "value"
        assert begun == ["once"]
        assert set(shares) == {0.5}
        assert cache.find("a") == "value"

    def test_ends_when_it_is_stopped_by_who_leaves_and_is_begun_again_for_who_asks(self, held):
        cache = MemoCache(2)

        def press_and_leave(_):
            cache.stop_work("a")  # Streamlit runs what a button does while its page still waits
            raise _LeftError

        with pytest.raises(_LeftError):
            cache.find_or_work("a", held.make, press_and_leave)
        held.may_go_on.set()
        assert held.is_given_up.wait(60)
        assert cache.find_or_work("a", held.make, lambda _: None) == "value"

    def test_goes_on_for_who_comes_after_it_was_stopped(self):
        cache, may_go_on, begun = MemoCache(2), threading.Event(), []

        def make(move):
            begun.append("once")
            assert may_go_on.wait(60)
            move(0.5)
            return "value"

        def leave(_):
            raise _LeftError

        with pytest.raises(_LeftError):
            cache.find_or_work("a", make, leave)
        cache.stop_work("a")
        assert cache.find_or_work("a", make, lambda _: may_go_on.set()) == "value"
        assert begun == ["once"]

    def test_goes_on_when_one_stops_it_that_another_waits_for(self):
        cache, is_watched, may_end = MemoCache(2), threading.Event(), threading.Event()

        def make(move):
            assert may_end.wait(60)
            move(1.0)
            return object()

        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(cache.find_or_work, "a", make, lambda _: is_watched.set())
            assert is_watched.wait(60)
            cache.stop_work("a")
            may_end.set()
            assert waiting.result(60) is cache.find("a")

    def test_is_ended_once_nobody_has_waited_for_long(self, monkeypatch):
        monkeypatch.setattr(background, "SECONDS_FOLLOWED", -1.0)
        may_go_on, has_ended = threading.Event(), threading.Event()

        def make(move):
            assert may_go_on.wait(60)
            move(0.5)

        work = background.RunningTask(make, then=has_ended.set)
        may_go_on.set()
        assert has_ended.wait(60)
        with pytest.raises(GivenUpError):
            work.wait(lambda _: None)

    @pytest.mark.parametrize("is_asked_for", [False, True])
    def test_is_ended_when_its_page_is_left_unless_somebody_asked_for_it(self, monkeypatch, is_asked_for):
        monkeypatch.setattr(background, "SECONDS_LEFT", -1.0)
        may_go_on, has_ended = threading.Event(), threading.Event()

        def make(move):
            assert may_go_on.wait(60)
            move(0.5)
            return "made"

        def leave(_):
            raise _LeftError

        work = background.RunningTask(make, then=has_ended.set)
        if is_asked_for:
            work.go_on()
        with pytest.raises(_LeftError):
            work.wait(leave)
        may_go_on.set()
        assert has_ended.wait(60)
        if is_asked_for:
            assert work.wait(lambda _: None) == "made"
        else:
            with pytest.raises(GivenUpError):
                work.wait(lambda _: None)

    def test_says_why_there_is_no_value_to_each_who_waits_and_may_be_tried_again(self):
        cache = MemoCache(2)
        with pytest.raises(ZeroDivisionError):
            cache.find_or_work("a", lambda _: 1 / 0, lambda _: None)
        assert cache.find_or_work("a", lambda _: "made", lambda _: None) == "made"

    def test_of_many_that_were_left_the_ones_left_first_are_ended(self, monkeypatch):
        monkeypatch.setattr(background, "MOST_ALONE", 2)
        cache, ended = MemoCache(9), []
        may_go_on, is_done = ({key: threading.Event() for key in "abcd"} for _ in range(2))

        def make(key, move):
            assert may_go_on[key].wait(60)
            try:
                move(0.5)
            except GivenUpError:
                ended.append(key)
                raise
            finally:
                is_done[key].set()
            return key

        def leave(_):
            raise _LeftError

        for key in "abcd":
            with pytest.raises(_LeftError):
                cache.find_or_work(key, partial(make, key), leave)
        with ThreadPoolExecutor(1) as pool:
            is_watched = threading.Event()
            back = pool.submit(cache.find_or_work, "a", partial(make, "a"), lambda _: is_watched.set())
            assert is_watched.wait(60)
            for key in "bacd":
                may_go_on[key].set()
                assert is_done[key].wait(60)
            assert back.result(60) == "a"
        assert ended == ["b"]


class TestWork:
    def test_is_done_once_its_value_is_there_and_names_it_as_asked(self):
        cache, shares = MemoCache(2), []

        def make(move):
            assert move is not None
            move(0.5)
            return "value"

        first, other = BackgroundTask(cache, "a", make).then(str.upper), BackgroundTask(cache, "b", make)
        assert not first.is_done
        assert first.value(shares.append) == "VALUE"
        assert (first.is_done, other.is_done) == (True, False)
        assert BackgroundTask(cache, "a", make).then(str.title).value() == "Value"

    def test_is_made_at_once_where_nobody_looks_on(self):
        assert BackgroundTask(MemoCache(1), "a", lambda move: (move, threading.current_thread())).value() == (
            None,
            threading.current_thread(),
        )

    def test_ends_when_it_is_stopped(self, held):
        work = BackgroundTask(MemoCache(2), "a", held.make)

        def leave(_):
            raise _LeftError

        with pytest.raises(_LeftError):
            work.value(leave)
        work.stop()
        held.may_go_on.set()
        assert held.is_given_up.wait(60)
        assert not work.is_done

    def test_is_begun_without_waiting_and_found_by_whoever_comes_later(self, held):
        work = BackgroundTask(MemoCache(2), "a", held.make).then(str.upper)
        begun = work.begin()
        assert (work.is_under_way, begun.is_under_way, begun.share) == (True, True, 0.0)
        assert work.begin() is begun
        held.may_go_on.set()
        assert work.value(lambda _: None) == "VALUE"
        assert (work.is_done, work.is_under_way, begun.failure) == (True, False, None)

    def test_goes_on_for_one_who_wants_it_without_waiting_though_another_stopped_it(self):
        may_go_on, took_a_step = threading.Event(), threading.Event()

        def make(move):
            assert may_go_on.wait(60)
            move(0.5)
            took_a_step.set()
            return "value"

        work = BackgroundTask(MemoCache(2), "a", make)
        begun = work.begin()
        work.stop()
        begun.want()
        may_go_on.set()
        assert took_a_step.wait(60)

    def test_that_is_stopped_has_no_value_and_no_failure(self, held):
        work = BackgroundTask(MemoCache(2), "a", held.make)
        begun = work.begin()
        work.stop()
        held.may_go_on.set()
        assert held.is_given_up.wait(60)
        with pytest.raises(GivenUpError):
            begun.wait(lambda _: None)
        assert (begun.failure, work.is_done, work.is_under_way) == (None, False, False)

    def test_that_fails_with_nobody_waiting_says_why_and_is_written_down(self, caplog):
        may_end, has_ended = threading.Event(), threading.Event()

        def fail(_):
            assert may_end.wait(60)
            raise ZeroDivisionError

        begun = background.RunningTask(fail, then=has_ended.set)
        may_end.set()
        assert has_ended.wait(60)
        assert isinstance(begun.failure, ZeroDivisionError)
        assert "ZeroDivisionError" in caplog.text

    def test_within_other_work_ends_with_it(self, held):
        inner = BackgroundTask(MemoCache(2), "a", held.make)
        outer = BackgroundTask(MemoCache(2), "b", inner.part_of_other)
        begun = outer.begin()
        outer.stop()
        held.may_go_on.set()
        assert held.is_given_up.wait(60)
        with pytest.raises(GivenUpError):
            begun.wait(lambda _: None)
        assert (inner.is_done, inner.is_under_way, outer.is_done) == (False, False, False)
