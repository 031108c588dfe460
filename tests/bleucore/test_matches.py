"""What of a segment is credited, token by token, and where each token stands in the text as written."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.analysis.matches import differing_tokens, match_segment, token_spans
from bleucore.metrics.presets import PRESETS
from bleucore.options import TOKENIZER_NAMES
from bleucore.tokens.tokenizers import tokenize

PLAIN = BleuOptions("none")
PAPER_REFERENCES = ["the cat is on the mat", "there is a cat on the mat"]


def marks(hypothesis, references, options=PLAIN):
    """Each token with its order, and whether it is clipped."""
    found = match_segment(hypothesis, references, options)
    return [(token.token, token.order, token.clipped) for token in found.tokens]


class TestByHand:
    def test_the_papers_seven_times_the_has_two_matches_and_five_clipped(self):
        found = match_segment("the the the the the the the", PAPER_REFERENCES, BleuOptions())
        assert (found.matches, found.totals) == ((2, 0, 0, 0), (7, 6, 5, 4))
        assert [token.order for token in found.tokens] == [1, 1, 0, 0, 0, 0, 0]
        assert [token.clipped for token in found.tokens] == [False, False, True, True, True, True, True]

    def test_a_token_in_no_reference_is_neither_credited_nor_clipped(self):
        assert marks("x cat", ["cat"]) == [("x", 0, False), ("cat", 1, False)]

    def test_the_order_is_that_of_the_longest_credited_ngram(self):
        assert marks("a b x b c d", ["a b c d"]) == [
            ("a", 2, False),
            ("b", 2, True),
            ("x", 0, False),
            ("b", 3, False),
            ("c", 3, False),
            ("d", 3, False),
        ]

    def test_credit_goes_to_the_occurrence_in_the_longer_ngram_then_to_the_left(self):
        assert marks("the x the cat", ["the cat"]) == [
            ("the", 0, True),
            ("x", 0, False),
            ("the", 2, False),
            ("cat", 2, False),
        ]
        assert marks("the x the", ["the cat"]) == [("the", 1, False), ("x", 0, False), ("the", 0, True)]

    def test_a_clipped_token_may_still_be_part_of_longer_ngrams_of_two_references(self):
        found = match_segment("b a b", ["a b", "b a"], BleuOptions("none", max_order=2))
        assert found.matches == (2, 2)
        assert [token.order for token in found.tokens] == [2, 2, 2]
        assert sorted(token.clipped for token in found.tokens) == [False, False, True]

    def test_references_are_those_that_hold_an_ngram_of_that_order(self):
        found = match_segment("a b c x", ["a b", "b c", "c"], BleuOptions("none"))
        assert [token.references for token in found.tokens] == [(0,), (0, 1), (1,), ()]

    def test_the_longest_ngram_is_that_of_the_options(self):
        found = match_segment("a b c d e", ["a b c d e"], BleuOptions("none", max_order=2))
        assert (found.matches, found.totals) == ((5, 4), (5, 4))
        assert {token.order for token in found.tokens} == {2}

    def test_case_is_ignored_when_the_options_say_so_and_spans_are_of_the_text_as_written(self):
        found = match_segment("The CAT", ["the cat"], BleuOptions(lowercase=True))
        assert [(token.token, token.order, token.span) for token in found.tokens] == [
            ("the", 2, (0, 3)),
            ("cat", 2, (4, 7)),
        ]

    @pytest.mark.parametrize("hypothesis", ["", "   ", "\n"])
    def test_an_empty_hypothesis_has_no_tokens(self, hypothesis):
        found = match_segment(hypothesis, ["a b"], BleuOptions())
        assert (found.tokens, found.matches, found.totals) == ((), (0,) * 4, (0,) * 4)

    @pytest.mark.parametrize("references", [[""], [None], [None, ""], []])
    def test_without_a_reference_text_nothing_matches(self, references):
        found = match_segment("a b", references, BleuOptions())
        assert found.matches == (0,) * 4
        assert [(token.order, token.clipped, token.references) for token in found.tokens] == [(0, False, ())] * 2

    def test_a_missing_reference_keeps_its_place_in_the_numbering(self):
        assert match_segment("a", [None, "a"], BleuOptions()).tokens[0].references == (1,)


WORDS = ["a", "b", "A", "b.", "1,5", "ä", "中a", "&quot;a", "İ"]
LINES = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@given(
    hypothesis=LINES,
    references=st.lists(LINES | st.none(), max_size=3),
    first=LINES,
    tokenizer=st.sampled_from(TOKENIZER_NAMES),
    lowercase=st.booleans(),
    max_order=st.integers(1, 6),
)
@settings(max_examples=100)
def test_credited_counts_are_the_statistics_of_the_evaluation(
    hypothesis, references, first, tokenizer, lowercase, max_order
):
    options = BleuOptions(tokenizer, lowercase, max_order)
    references = [*references, first]
    found = match_segment(hypothesis, references, options)
    test_set = TestSet([System("s", [hypothesis])], [[text] for text in references])
    counts = evaluate(test_set, options).systems["s"].counts[0].tolist()
    assert len(found.tokens) == counts[0]
    assert [*found.matches, *found.totals] == counts[2:]
    known = {token for text in references for token in tokens_of(text or "", options)}
    held = sum(token.token in known for token in found.tokens)
    assert sum(token.clipped for token in found.tokens) == held - found.matches[0]


@given(hypothesis=LINES, references=st.lists(LINES, min_size=1, max_size=3), max_order=st.integers(1, 4))
@settings(max_examples=100)
def test_a_token_of_an_order_has_such_an_ngram_in_exactly_the_references_it_names(hypothesis, references, max_order):
    options = BleuOptions("none", max_order=max_order)
    found = match_segment(hypothesis, references, options)
    tokens = [token.token for token in found.tokens]
    for place, token in enumerate(found.tokens):
        if token.order == 0:
            assert token.references == ()
            continue
        around = {
            tuple(tokens[start : start + token.order])
            for start in range(place - token.order + 1, place + 1)
            if start >= 0 and start + token.order <= len(tokens)
        }
        holding = {
            index
            for index, text in enumerate(references)
            if around & set(ngrams(tokens_of(text, options), token.order))
        }
        assert token.references
        assert set(token.references) <= holding


@given(text=LINES, tokenizer=st.sampled_from(TOKENIZER_NAMES))
@settings(max_examples=100)
def test_a_text_that_is_its_own_reference_is_credited_whole(text, tokenizer):
    found = match_segment(text, [text], BleuOptions(tokenizer))
    assert found.matches == found.totals
    assert not any(token.clipped for token in found.tokens)
    assert {token.order for token in found.tokens} <= {min(4, len(found.tokens))}


def tokens_of(text, options):
    return tokenize([text], options.tokenizer, lowercase=options.lowercase).tokens(0)


def ngrams(tokens, order):
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def placed(text, options):
    """Each token with the characters of the text that it stands for."""
    tokens = tokens_of(text, options)
    return [
        (token, text[start:end]) for token, (start, end) in zip(tokens, token_spans(text, tokens, options), strict=True)
    ]


class TestSpans:
    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_of_plain_text_are_the_tokens_themselves(self, tokenizer):
        text = "  Dr. Ng paid 1,234.5 (about 90 %), didn't she?\u3000今天 e\u0301té👩‍🔬\tend.  "
        pairs = placed(text, BleuOptions(tokenizer))
        assert len(pairs) > 8
        assert all(token == written for token, written in pairs)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("&quot;a&quot;", [('"', "&quot;"), ("a", "a"), ('"', "&quot;")]),
            ("R&amp;D", [("R", "R"), ("&", "&amp;"), ("D", "D")]),
            ("&amp;lt;", [("<", "&amp;lt;")]),
            ("&amp;amp;", [("&", "&amp;"), ("amp", "amp"), (";", ";")]),
            ("1 &lt; 2", [("1", "1"), ("<", "&lt;"), ("2", "2")]),
            ("a <skipped> b", [("a", "a"), ("b", "b")]),
            ("a<skipped>b", [("ab", "a<skipped>b")]),
            ("end-\nless", [("endless", "end-\nless")]),
            ("a-<skipped>\nb", [("ab", "a-<skipped>\nb")]),
            ("a-\n", [("a-", "a-")]),
            ("&am<skipped>p;", [("&", "&am<skipped>p;")]),
            ("<skipped>", []),
        ],
    )
    def test_of_13a_reach_over_entities_and_what_it_deletes(self, text, expected):
        assert placed(text, BleuOptions("13a")) == expected

    @pytest.mark.parametrize("tokenizer", ["intl", "char", "zh", "none"])
    def test_of_other_tokenizers_take_entities_as_they_are_written(self, tokenizer):
        pairs = placed("a &quot;", BleuOptions(tokenizer))
        assert "".join(token for token, _ in pairs) == "a&quot;"
        assert all(token == written for token, written in pairs)

    def test_of_a_letter_whose_lower_case_is_two_characters(self):
        assert placed("İZMİR ok", BleuOptions(lowercase=True)) == [("i̇zmi̇r", "İZMİR"), ("ok", "ok")]
        assert placed("İa", BleuOptions("char", lowercase=True)) == [("i", "İ"), ("\u0307", "İ"), ("a", "a")]

    def test_of_13a_deletions_in_upper_case_when_case_is_ignored(self):
        assert placed("A<SKIPPED>B", BleuOptions(lowercase=True)) == [("ab", "A<SKIPPED>B")]

    def test_of_combining_marks_chinese_and_emoji_sequences(self):
        assert placed("e\u0301 中文", BleuOptions("zh")) == [("e\u0301", "e\u0301"), ("中", "中"), ("文", "文")]
        assert placed("👩‍🔬!", BleuOptions()) == [("👩‍🔬", "👩‍🔬"), ("!", "!")]
        assert placed("👩‍🔬", BleuOptions("char")) == [("👩", "👩"), ("\u200d", "\u200d"), ("🔬", "🔬")]

    def test_of_no_tokens_are_none(self):
        assert token_spans(" \n", [], BleuOptions()) == []


PIECES = [
    *("&", "amp;", "&quot;", "&amp;", "lt;", "<skipped>", "<", "skipped>", "<SKIPPED>", "-", "-\n", "İ\u0307"),
    *"İßΣſKaB7.,'$…（中ㄅا\u0301\u200d👩🔬",
    *" \n\r\u00a0\u3000\x1c\x1f\x85\u2028\u2003\ufeff\u200b\x00",
]
ADVERSARIAL = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(text=ADVERSARIAL, tokenizer=st.sampled_from(TOKENIZER_NAMES), lowercase=st.booleans())
@settings(max_examples=200)
def test_spans_are_in_order_and_hold_exactly_what_their_tokens_came_from(text, tokenizer, lowercase):
    options = BleuOptions(tokenizer, lowercase)
    tokens = tokens_of(text, options)
    spans = token_spans(text, tokens, options)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[0] <= after[0] and before[1] <= after[1] for before, after in pairwise(spans))
    groups = []
    for token, (start, end) in zip(tokens, spans, strict=True):
        if groups and start < groups[-1][2]:
            groups[-1] = (groups[-1][0] + token, groups[-1][1], end)
        else:
            groups.append((token, start, end))
    cursor = 0
    for token, start, end in groups:
        assert normalised(text[cursor:start], options) == ""
        assert normalised(text[start:end], options) == token.replace("ς", "σ")
        cursor = end
    assert normalised(text[cursor:], options) == ""


def normalised(text, options):
    """What a tokenizer reads in a piece of text, white space left out."""
    if options.lowercase:
        text = text.lower()
    if options.tokenizer == "13a":
        text = text.replace("<skipped>", "").replace("-\n", "")
        for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, character)
    return "".join(text.split()).replace("ς", "σ")


@given(
    hypothesis=ADVERSARIAL,
    references=st.lists(ADVERSARIAL | st.none(), max_size=2),
    options=st.builds(BleuOptions, st.sampled_from(TOKENIZER_NAMES), st.booleans()),
)
@settings(max_examples=150)
def test_any_text_can_be_matched(hypothesis, references, options):
    found = match_segment(hypothesis, references, options)
    assert [token.token for token in found.tokens] == tokens_of(hypothesis, options)
    assert all(matched <= total for matched, total in zip(found.matches, found.totals, strict=True))


class TestDifferingTokens:
    def test_are_those_the_other_does_not_share(self):
        assert differing_tokens(list("abcd"), list("axcde")) == ({1}, {1, 4})

    def test_of_two_equal_sequences_are_none(self):
        assert differing_tokens(["a", "b"], ["a", "b"]) == (frozenset(), frozenset())

    def test_of_an_empty_sequence_are_all_of_the_other(self):
        assert differing_tokens([], ["a", "b"]) == (frozenset(), frozenset({0, 1}))
        assert differing_tokens([], []) == (frozenset(), frozenset())

    def test_of_sequences_that_share_nothing_are_all(self):
        assert differing_tokens(["a", "b"], ["c"]) == (frozenset({0, 1}), frozenset({0}))

    def test_of_a_turned_pair_leave_one_word_in_common(self):
        ours, theirs = differing_tokens(["a", "b"], ["b", "a"])
        assert (len(ours), len(theirs)) == (1, 1)

    @given(
        first=st.lists(st.sampled_from("abc"), max_size=9),
        second=st.lists(st.sampled_from("abc"), max_size=9),
    )
    @settings(max_examples=100)
    def test_leave_the_same_sequence_in_both_and_do_not_depend_on_which_comes_first(self, first, second):
        ours, theirs = differing_tokens(first, second)
        shared = [
            [token for place, token in enumerate(tokens) if place not in places]
            for tokens, places in ((first, ours), (second, theirs))
        ]
        assert shared[0] == shared[1]
        assert differing_tokens(second, first) == (theirs, ours)


@pytest.mark.parametrize("name", ["mteval-v13a", "multi-bleu", "ibleu", "papineni-2002"])
@given(st.text(alphabet="aAİΣ ·\u00a0\t\n\u2028&;ltquo<skiped>-.,5!#", max_size=30))
def test_spans_hold_under_every_preset(name, text):
    options = PRESETS[name].options
    found = match_segment(text, [text], options)
    spans = [token.span for token in found.tokens]
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(token.token for token in found.tokens)
    assert list(found.matches) == list(found.totals)
