"""Tokens by what BLEU credits and by what people marked: by hand, as a property, and on a real test set beside us."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, System, TestSet
from bleucore.analysis.credited_and_marked import LEVELS, credited_and_marked, level_of, marks_of, token_levels
from bleucore.analysis.matches import match_segment
from bleucore.judgements.mtme_tree import read_tree
from bleucore.judgements.records import UNPLACED, Judgements, Row, Span

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "wmt23-en-de-mtme"
SMALL = {
    "references/en-de.refA.txt": b"eins zwei\n",
    "system-outputs/en-de/A.txt": b"eins drei\n",
    "human-scores/en-de.mqm.merged.seg.rating": b'A\t{"errors": [{"start": 5, "end": 6, "severity": "major"}]}\n',
}
WORDS = BleuOptions("none", max_order=2)
TEXTS = TestSet([System("A", ["a b x d", "a b", "p q"])], [["a b c d", "a b", "r s"]])


def judged(*rows: Row) -> Judgements:
    return Judgements("mqm", "mqm.tsv", "MQM", rows)


def row(segment: int, *spans: Span, rater: str = "", system: str = "A") -> Row:
    return Row(1, system, segment, rater, spans=spans)


def levels(text: str, *spans: Span, options: BleuOptions = WORDS) -> list[int]:
    return token_levels(match_segment(text, [""], options).tokens, len(text), spans).tolist()


class TestByHand:
    def test_tokens_are_counted_by_their_longest_match_and_the_gravest_mark(self):
        found = credited_and_marked(
            TEXTS,
            "A",
            judged(
                row(0, Span(2, 3, "minor", "style"), Span(4, 7, "major", "accuracy")),
                row(2),
                row(1, Span(0, 1, "minor", "style"), system="B"),
            ),
            WORDS,
        )
        # a, b stand in a matched bigram, x in nothing, d in a matched word; b is minor, x and d major
        assert found.segments.tolist() == [0, 2]
        assert found.counts.tolist() == [
            [[0, 0, 1, 0], [0, 0, 1, 0], [1, 1, 0, 0]],
            [[2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        ]
        assert found.sums.tolist() == [[2, 0, 1, 0], [0, 0, 1, 0], [1, 1, 0, 0]]
        assert found.of_categories["style"].sum(axis=0).tolist() == [[3, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]]

    def test_a_cell_names_its_segments(self):
        found = credited_and_marked(
            TEXTS, "A", judged(row(2, Span(0, 1, "critical", "x")), row(0, Span(0, 1, "minor", "y"))), WORDS
        )
        credited, marked = slice(1, None), slice(1, None)
        assert found.segments_with(credited, marked).tolist() == [0]
        assert found.segments_with(slice(0, 1), marked).tolist() == [2]
        assert found.segments_with(slice(0, 1), slice(0, 1)).tolist() == [0, 2]
        assert found.segments_with(slice(None), marked, "x").tolist() == [2]

    def test_raters_mark_together_and_the_gravest_severity_counts(self):
        judgements = judged(
            row(0, Span(0, 3, "minor"), rater="r1"), row(0, Span(2, 3, "major"), rater="r2"), row(0, rater="r3")
        )
        marks = marks_of(judgements, "A")
        assert list(marks) == [0]
        assert levels("a b x d", *marks[0]) == [1, 2, 0, 0]

    def test_any_character_of_a_token_is_enough_and_a_blank_is_none(self):
        assert levels("one two three", Span(2, 3, "major")) == [2, 0, 0]
        assert levels("one two three", Span(3, 4, "major")) == [0, 0, 0]
        assert levels("one two three", Span(6, 9, "major")) == [0, 2, 2]

    def test_a_token_that_is_written_otherwise_counts_where_it_stands(self):
        """13a cuts off the full stop, takes &quot; for one sign and drops the joined line break."""
        text = "Er sagte &quot;ja&quot;."
        tokens = [token.token for token in match_segment(text, [""], BleuOptions()).tokens]
        assert tokens == ["Er", "sagte", '"', "ja", '"', "."]
        assert levels(text, Span(12, 13, "minor"), options=BleuOptions()) == [0, 0, 1, 0, 0, 0]
        assert levels(text, Span(15, 17, "minor"), options=BleuOptions()) == [0, 0, 0, 1, 0, 0]

    @pytest.mark.parametrize(
        ("text", "tokenizer", "span", "expected"),
        [
            ("我喜欢猫。", "zh", Span(3, 5, "major"), [0, 0, 0, 2, 2]),
            ("قرأ الكتاب أمس", "13a", Span(4, 10, "minor"), [0, 1, 0]),
            ("😀 gut", "13a", Span(2, 5, "critical"), [0, 3]),
        ],
    )
    def test_places_are_characters_of_any_script(self, text, tokenizer, span, expected):
        assert levels(text, span, options=BleuOptions(tokenizer)) == expected

    def test_the_source_what_is_missing_and_nothing_at_all_mark_no_token(self):
        spans = [Span(0, 3, "major", side="source"), Span(UNPLACED, UNPLACED, "major"), Span(1, 1, "major")]
        assert levels("one two", *spans) == [0, 0]

    def test_a_span_beyond_the_text_marks_what_there_is(self):
        assert levels("one two", Span(5, 99, "minor"), Span(50, 60, "major")) == [0, 1]

    @pytest.mark.parametrize(
        ("severity", "level"), [("neutral", 0), ("minor", 1), ("", 1), ("trivial", 1), ("major", 2), ("critical", 3)]
    )
    def test_what_is_neutral_is_no_error_and_what_is_unknown_is_minor(self, severity, level):
        assert level_of(severity) == level
        assert 0 <= level < len(LEVELS)

    def test_a_system_that_nobody_judged_has_no_segments(self):
        found = credited_and_marked(TEXTS, "A", judged(row(0, system="B")), WORDS)
        assert found.counts.shape == (0, 3, 4)
        assert found.segments_with(slice(None), slice(None)).tolist() == []


SPANS = st.lists(
    st.builds(
        lambda start, length, severity, category: Span(start, start + length, severity, category),
        st.integers(0, 12),
        st.integers(0, 6),
        st.sampled_from(["minor", "major", "critical", "neutral", ""]),
        st.sampled_from(["accuracy", "style"]),
    ),
    max_size=4,
)


@given(st.lists(st.tuples(st.text("ab &;", max_size=12), st.text("ab ", max_size=12), SPANS), min_size=1, max_size=4))
def test_cells_add_up_to_all_tokens_and_segments_to_the_whole(segments):
    hypotheses, references, spans = zip(*segments, strict=True)
    test_set = TestSet([System("A", hypotheses)], [references])
    rows = [row(segment, *own) for segment, own in enumerate(spans)]
    options = BleuOptions()
    found = credited_and_marked(test_set, "A", judged(*rows), options)
    n_tokens = [len(match_segment(one, [""], options).tokens) for one in hypotheses]
    assert found.counts.sum(axis=(1, 2)).tolist() == n_tokens
    for one in found.of_categories.values():
        assert np.array_equal(one.sum(axis=2), found.counts.sum(axis=2))
        assert (one[:, :, 1:].sum(axis=2) <= found.counts[:, :, 1:].sum(axis=2)).all()
    alone = [credited_and_marked(test_set, "A", judged(one), options).sums for one in rows]
    assert np.array_equal(sum(alone), found.sums)


@pytest.mark.thorough
def test_marked_tokens_of_a_real_test_set_are_those_counted_before():
    """Matched, marked among them, and those marked as major; of what is not matched; of what is in a 4-gram."""
    files = {str(path.relative_to(REAL)): path.read_bytes() for path in REAL.rglob("en-de*") if path.is_file()}
    files |= {str(path.relative_to(REAL)): path.read_bytes() for path in REAL.glob("*/en-de/*")}
    read = read_tree("wmt23", files or SMALL, "en-de")
    texts = read.test_set
    with_one = TestSet(texts.systems, [texts.references[(texts.reference_names or ()).index("refA")]])
    machines = [name for name in texts.system_names if name not in read.references_as_systems]
    sums = {
        name: credited_and_marked(with_one, name, read.judgements["mqm.merged"], BleuOptions()).sums
        for name in machines
    }
    counted = [
        tuple(int(part[:, first:].sum()) for first in range(3))
        for total in [sum(sums.values())]
        for part in (total[1:], total[:1], total[4:])
    ]
    if not files:
        assert counted == [(1, 0, 0), (1, 1, 1), (0, 0, 0)]
        return
    assert counted == [(260_786, 23_741, 11_903), (109_763, 25_735, 12_940), (154_202, 10_533, 4_686)]
    shares = {
        name: [round(100 * float(part[:, 1:].sum() / part.sum()), 1) for part in (sums[name][1:], sums[name][:1])]
        for name in ("GPT4-5shot", "AIRC")
    }
    assert shares == {"GPT4-5shot": [5.5, 14.6], "AIRC": [20.2, 44.2]}
