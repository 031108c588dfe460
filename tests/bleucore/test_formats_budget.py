"""What texts cost is known by a look at them: too many lines, segments or tokens, and lines that are too long."""

import gzip
import tracemalloc

import pytest

from bleucore import InputError
from bleucore.formats import Budget, Column, read
from bleucore.formats.budget import estimated_tokens

SMALL = Budget(segments=3, line=10, text_tokens=5, texts=6, systems=3, tokens=8)


def column(name, *texts, role="hypothesis"):
    return Column(f"{name}.txt", name, role, texts, None, 1)


@pytest.mark.parametrize("text", ["a\nb\nc\n", "1234567890\n", "одиннадцат\n"])
def test_what_fits_is_read_as_without_a_budget(text):
    assert read("a.txt", text.encode(), budget=SMALL) == read("a.txt", text.encode())


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b"a\n" * 4),
        ("a.tsv", b"a\tb\n" * 4),
        ("a.txt.gz", gzip.compress(b"a\n" * 4, mtime=0)),
        ("a.txt", "\ufeff" + "я\n" * 4),
    ],
)
def test_too_many_lines_are_refused_with_file_number_bound_and_remedy(name, data):
    with pytest.raises(InputError) as caught:
        read(name, data if isinstance(data, bytes) else data.encode("utf-16"), budget=SMALL)
    for part in (f"{name}: the file has too many lines", "found 4", "at most 3", "command line"):
        assert part in str(caught.value)


def test_too_many_segments_of_another_format_are_refused_too():
    with pytest.raises(InputError, match=r"too many segments \(found 4, expected at most 3\)"):
        read("a.json", b'["a", "b", "c", "d"]', budget=SMALL)


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        ("a.txt", "short\n" + "x" * 11, 2),
        ("a.json", '["длинная строка"]', 1),
        ("a.csv", 'a,b\n"1\n2","' + "y" * 11 + '"', 2),
    ],
)
def test_a_segment_that_is_too_long_is_named_with_its_number(name, text, number):
    with pytest.raises(InputError) as caught:
        read(name, text.encode(), header=False, budget=SMALL)
    assert f"{name}, segment {number}: a segment is too long (found 1" in str(caught.value)
    assert "at most 10" in str(caught.value)


def test_too_many_tokens_of_one_text_are_refused():
    read("a.txt", b"a b c\nd e\n", budget=SMALL)
    with pytest.raises(InputError, match=r"a\.txt: the text has too many tokens \(found about 6, expected at most 5\)"):
        read("a.txt", b"a b c\nd e f\n", budget=SMALL)


def test_all_columns_together_are_counted_but_those_that_are_left_out():
    columns = [column(name, "a", "b", "c") for name in "xyz"]
    with pytest.raises(InputError, match="found 9 in 3 columns, expected at most 6"):
        SMALL.refuse_test_set(columns)
    SMALL.refuse_test_set([*columns[:2], column("z", "a", "b", "c", role="ignore")])


def test_systems_are_counted_and_other_columns_are_not():
    columns = [column("r", "a", role="reference"), *(column(name, "a") for name in "xyz")]
    SMALL.refuse_test_set(columns)
    with pytest.raises(InputError, match=r"too many systems \(found 4, expected at most 3\)"):
        SMALL.refuse_test_set([*columns, column("w", "a")])


@pytest.mark.parametrize(
    ("text", "n_tokens"),
    [
        ("", 0),
        ("one", 1),
        ("one two three", 3),
        ("слово и ещё слово", 4),
        ("今天天气很好", 6),
        ("วันนี้อากาศดี", 13),
        (None, 0),
    ],
)
def test_tokens_are_words_and_where_there_are_no_blanks_characters(text, n_tokens):
    assert estimated_tokens(column("a", text)) == n_tokens


def test_too_many_tokens_together_are_refused():
    SMALL.refuse_test_set([column("a", "one two three four"), column("b", "one two three four")])
    with pytest.raises(InputError, match="found about 9, expected at most 8"):
        SMALL.refuse_test_set([column("a", "one two three four"), column("b", "one two three four five")])


def test_a_small_file_that_unpacks_to_many_lines_takes_twice_its_text_to_refuse():
    text = b"a line that repeats\n" * 1_000_000
    data = gzip.compress(text, 1)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="too many lines"):
            read("a.gz", data, budget=Budget(segments=500_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2.5 * len(text)


def test_what_it_allows_by_default_is_more_than_twenty_systems_of_fifty_thousand_segments():
    budget = Budget()
    assert budget.segments >= 50_000
    assert budget.texts >= 22 * 50_000
    assert budget.text_tokens >= 50_000 * 100
    assert budget.tokens >= 22 * 50_000 * 30
