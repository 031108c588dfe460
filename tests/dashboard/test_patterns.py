"""Patterns that users write: found, refused or given up, whatever they are."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bleucore import InputError
from bleuscope.content.segments import pattern_process, pattern_worker, patterns
from bleuscope.content.segments.pattern_process import Processes, SearchUnavailableError
from bleuscope.content.segments.patterns import PatternSearch

HOSTILE = r"""
(?: (?= (?<= (?<! (?> (?| (?P<n> (?P=n) (?i) (?x) (?r) (?e) (?b) (?L) (?a) (?u) (?p) (?(1)a|b) (*FAIL) (?(DEFINE)
(?R) (?0) (?1) (?&n) (?P>n) (?V0) (?V1) {e<=5} {i,d<=3:[a-z]} {1000} {,9999} {999999999999} [[:alpha:]] [^]
\L<n> \N{foo} \p{Lu} \p{foo} \X \R \K \G \g<1> \1 \b \m
"""
PIECES = st.sampled_from([*"abx.^$|()[]{}?*+\\,:<>=!#&-019 \n\ud800", *HOSTILE.split()])
"""What hostile patterns are put together of."""


@pytest.mark.parametrize("pattern", ["(?R)", "a(?R)?b", "(?0)", "(a)(?1)", "(a)(?-1)", "(?+1)(a)", "( ?R)"])
def test_recursion_is_refused(pattern):
    with pytest.raises(
        InputError, match=r"repeats a part of the pattern by its name or number, \(.*Write that part out"
    ):
        PatternSearch(pattern)


@pytest.mark.parametrize("pattern", ["(?P<n>a)(?&n)", "(?P<n>a)(?P>n)", "(?P<n>a)(?P&n)"])
def test_a_call_of_a_named_group_is_refused(pattern):
    with pytest.raises(InputError, match="repeats a part of the pattern by its name or number"):
        PatternSearch(pattern)


@pytest.mark.parametrize("pattern", ["(?V1)x", "(?V0)x", "(?iV1)x", "(?i-V1)x", "x(?V1:y)"])
def test_a_switch_of_the_version_is_refused(pattern):
    with pytest.raises(InputError, match=r"chooses a version of the syntax, \(\?.*Leave that out"):
        PatternSearch(pattern)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [(r"\(?R\)", "R)"), (r"[(?R)]", "?"), (r"[]?R)(]", "]"), ("(?P<V1>a)(?P=V1)", "aa"), (r"(a)?(?(1)b|c)", "ab")],
)
def test_what_only_looks_like_recursion_or_a_version_is_not_refused(pattern, text):
    assert PatternSearch(pattern).fits([text, ""]).tolist() == [True, bool(regex.search(pattern, ""))]


@pytest.mark.parametrize("pattern", [r"\L<n>", "(?u)(?a)x", "(?(2)a)", "a{,9999999999}", "(" * 99, "[z-a]", r"\p{foo}"])
def test_whatever_the_package_raises_is_a_wrong_pattern(pattern):
    with pytest.raises(
        InputError, match=r"this is not a regular expression \(.+\)\. Correct it, or switch to plain text"
    ):
        PatternSearch(pattern)


@settings(max_examples=5 * settings.default.max_examples)
@given(st.lists(PIECES, max_size=9).map("".join), st.lists(st.none() | st.text("ab\ud800é\n", max_size=9), max_size=3))
def test_any_pattern_finds_what_the_package_finds_or_is_refused(pattern, texts):
    try:
        found = PatternSearch(pattern, end=time.monotonic() + 0.5).fits(texts).tolist()
    except InputError:
        return
    compiled = regex.compile(pattern, regex.IGNORECASE | regex.V0)
    assert found == [text is not None and compiled.search(text) is not None for text in texts]


def test_counts_and_losses_are_those_of_each_text():
    search = PatternSearch("[0-9]+", ignores_case=False)
    assert search.number(["1 and 22", None, "none", "\ud800 7"]).tolist() == [2, 0, 0, 1]
    assert search.lost(["1 and 1", "2", None, "3"], ["only 1", "2 2", "4", None]).tolist() == [1, 0, -1, 1]


def test_texts_are_the_same_in_one_batch_or_in_many(monkeypatch):
    texts = ["ab", None, "b" * 30, "", "a", None, "xay"]
    whole = PatternSearch("a").fits(texts).tolist()
    monkeypatch.setattr(patterns, "BATCH_CHARACTERS", 3)
    assert PatternSearch("a").fits(texts).tolist() == whole == [True, False, False, False, True, False, True]
    assert PatternSearch("a").lost(texts, texts[::-1]).tolist() == [0, -1, 0, 0, 1, -1, 0]


def test_the_time_is_that_of_all_texts_together(monkeypatch):
    monkeypatch.setattr(patterns, "SEARCH_SECONDS", 0.05)
    with pytest.raises(InputError, match=r"takes longer than 0\.05 seconds"):
        PatternSearch("(?:abcdef){e<=3}$").fits(["the quick brown fox " * 5] * 200_000)


def test_reading_a_pattern_counts_as_well(monkeypatch):
    monkeypatch.setattr(patterns, "SEARCH_SECONDS", 0.05)
    with pytest.raises(InputError, match="takes longer"):
        PatternSearch("(?:" + "|".join(f"a{number}b" for number in range(150)) + "){9000}")  # over a second to compile


def test_a_search_that_fills_the_memory_is_refused_and_the_next_one_finds(monkeypatch):
    monkeypatch.setattr(patterns, "MOST_BYTES", 64 * 1024**2)
    with pytest.raises(InputError, match="takes more than 64 MB of memory"):
        PatternSearch("(?:(a)|(b)|(c))*[^abc]").fits(["abc" * 1_000_000])
    assert PatternSearch("b").fits(["abc"]).tolist() == [True]


def test_a_process_that_breaks_down_is_said_and_replaced():
    processes = Processes()
    asked = {"pattern": "a", "ignores_case": True, "how": "fits", "texts": ["a"], "seconds": 60.0, "bytes": 2**28}
    try:
        assert processes.answer(asked, time.monotonic() + 60) == {"numbers": [1]}
        (idle,) = processes._idle
        os.kill(idle.process.pid, signal.SIGSTOP)
        assert processes.answer(asked, time.monotonic() + 0.05) == {"late": True}
        assert processes.answer({**asked, "texts": 3}, time.monotonic() + 60)["wrong"]
        assert processes.answer(asked, time.monotonic() + 60) == {"numbers": [1]}
    finally:
        processes.close()


def test_a_search_that_no_process_can_take_may_be_tried_again():
    with pytest.raises(SearchUnavailableError, match="Search again in a minute"):
        Processes(0).answer({}, time.monotonic())


def test_a_system_that_starts_no_process_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(pattern_process.sys, "executable", str(tmp_path / "python"))
    with pytest.raises(SearchUnavailableError, match="the system starts no process to search with"):
        Processes().answer({}, time.monotonic() + 60)


def test_the_worker_ends_when_nobody_is_there_any_more():
    command = [sys.executable, "-I", "-S", pattern_worker.__file__, pattern_process._folder_of_regex()]
    asked = {"pattern": "A", "ignores_case": True, "how": "number", "texts": ["aa"], "seconds": 60, "bytes": 2**28}
    done = subprocess.run(command, input=json.dumps(asked).encode(), capture_output=True, check=True)
    assert json.loads(done.stdout) == {"numbers": [2]}
