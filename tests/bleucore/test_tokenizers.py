"""Tokenizers: equal to sacreBLEU's for every code point and for texts made to confuse them."""

import re
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer

from bleucore.options import ALL_TOKENIZER_NAMES, TOKENIZER_NAMES
from bleucore.tokenizers import TOKENIZERS, tokenize

ORACLES = {name: _get_tokenizer(name)() for name in TOKENIZER_NAMES}


def sacrebleu_tokens(text, tokenizer, *, lowercase):
    """The tokens that sacreBLEU counts: what BLEU._preprocess_segment gives, split as its n-grams are."""
    return ORACLES[tokenizer]((text.lower() if lowercase else text).rstrip()).split()


def all_tokens(tokenized):
    return [tokenized.tokens(index) for index in range(len(tokenized.lengths))]


def first_difference(texts, tokenizer, *, lowercase):
    """The first text whose tokens are not sacreBLEU's, with both; None if there is none."""
    tokenized = tokenize(texts, tokenizer, lowercase=lowercase)
    expected = [sacrebleu_tokens(text, tokenizer, lowercase=lowercase) for text in texts]
    found = tokenized.vocabulary.take(tokenized.ids).to_pylist()
    lengths = tokenized.lengths.tolist()
    if lengths == [len(tokens) for tokens in expected] and found == [token for tokens in expected for token in tokens]:
        return None
    pairs = zip(texts, all_tokens(tokenized), expected, strict=True)
    return next((text, ours, theirs) for text, ours, theirs in pairs if ours != theirs)


class TestByHand:
    @pytest.mark.parametrize(
        ("tokenizer", "text", "tokens"),
        [
            ("13a", "Hello, world!", ["Hello", ",", "world", "!"]),
            ("13a", "in 2024.", ["in", "2024", "."]),
            ("13a", "1,000.5 or .5", ["1,000.5", "or", ".", "5"]),
            ("13a", "a-b 1-2", ["a-b", "1", "-", "2"]),
            ("13a", "&quot;a&amp;lt;b&apos;", ['"', "a", "<", "b", "&", "apos", ";"]),
            ("13a", "&amp;quot;", ["&", "quot", ";"]),
            ("13a", "a<skipped>b", ["ab"]),
            ("13a", "“a”…", ["“a”…"]),
            ("13a", "٣.٤", ["٣", ".", "٤"]),
            ("intl", "in 2024.", ["in", "2024."]),
            ("intl", "in 2024. Then", ["in", "2024", ".", "Then"]),
            ("intl", ".5 .5", [".5", ".", "5"]),
            ("intl", " .5", [".", "5"]),
            ("intl", "“a” 5€ &amp;", ["“", "a", "”", "5", "€", "&", "amp", ";"]),
            ("zh", "我爱 NLP.", ["我", "爱", "NLP", "."]),
            ("zh", " .5 5.", [".5", "5."]),
            ("zh", "“x”", ["“", "x", "”"]),
            ("zh", "\U00020000\U00020001", ["\U00020000\U00020001"]),
            ("zh", "ひらがな&amp;", ["ひらがな", "&", "amp", ";"]),
            ("char", "ab é", ["a", "b", "é"]),
            ("none", "Hello, world!\u00a0x", ["Hello,", "world!", "x"]),
        ],
    )
    def test_tokens(self, tokenizer, text, tokens):
        assert tokenize([text], tokenizer).tokens(0) == tokens == sacrebleu_tokens(text, tokenizer, lowercase=False)

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_lowercase_is_pythons_with_the_final_sigma(self, tokenizer):
        tokenized = tokenize(["ΟΔΟΣ ΣΑΣ", "İ"], tokenizer, lowercase=True)
        assert "".join(tokenized.tokens(0)) == "οδοςσας"
        assert "".join(tokenized.tokens(1)) == "i\u0307"

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    @pytest.mark.parametrize("texts", [[], [""], ["", ""], ["  "], ["", " \n\t", "a", ""]])
    def test_empty_texts_have_no_tokens(self, tokenizer, texts):
        tokenized = tokenize(texts, tokenizer)
        assert all_tokens(tokenized) == [text.split() for text in texts]

    def test_ids_are_shared_by_equal_tokens_of_all_texts(self):
        tokenized = tokenize(["a b a", "b, a"], "13a")
        assert tokenized.lengths.tolist() == [3, 3]
        assert tokenized.offsets.tolist() == [0, 3, 6]
        first, second = (tokenized.ids[start:end].tolist() for start, end in pairwise(tokenized.offsets))
        assert (first[0], first[1]) == (first[2], second[0]) == (second[2], second[0])
        assert sorted(tokenized.vocabulary.to_pylist()) == [",", "a", "b"]


class TestOfPresets:
    """Tokenizers and lower-casing that sacreBLEU does not have."""

    @pytest.mark.parametrize(
        ("text", "tokens"),
        [
            # As iBLEU's bleu.js gives them, run with node.
            ("50% off! #1 a_b x<y>=z", ["50%", "off!", "#1", "a_b", "x<y>=z"]),
            ('{a}~[b]"c`d?', ["{", "a", "}", "~", "[", "b", "]", '"', "c", "`", "d", "?"]),
            ("(1+2): $3;@4/5&6", ["(", "1", "+", "2", ")", ":", "$", "3", ";", "@", "4", "/", "5", "&", "6"]),
            ("a*b^c|d\\e", ["a*b^c|d\\e"]),
            ("&quot;a&amp;lt;b 1,000.5 3-4.", ['"', "a<b", "1,000.5", "3", "-", "4", "."]),
            ("a<skipped>b c-\nd", ["ab", "cd"]),
        ],
    )
    def test_ibleu_splits_off_less_than_13a(self, text, tokens):
        assert tokenize([text], "ibleu").tokens(0) == tokens

    def test_ibleu_lowers_what_deletions_and_entities_leave(self):
        tokenized = tokenize(["<SKIPPED> &LT; &lt;ÉTÉ ΟΔΟΣ İ"], "ibleu", lowercase=True)
        assert tokenized.tokens(0) == ["<skipped>", "&", "lt", ";", "<été", "οδος", "i\u0307"]

    def test_ascii_space_separates_at_ascii_white_space_alone(self):
        text = " a\u00a0b\tc\u3000d\x0be\u0085\x1cf\r\ng "
        assert tokenize([text, ""], "ascii-space").tokens(0) == ["a\u00a0b", "c\u3000d", "e\u0085\x1cf", "g"]

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_ascii_lower_case_is_of_a_to_z(self, tokenizer):
        tokenized = tokenize(["ÉTÉ Zoo ΑΣ"], tokenizer, lowercase="ascii")
        assert "".join(tokenized.tokens(0)) == "ÉtÉzooΑΣ"

    def test_ascii_lower_case_comes_after_deletions_and_entities(self):
        tokenized = tokenize(["A<SKIPPED>B<skipped>C &LT;&lt;D"], "13a", lowercase="ascii")
        assert tokenized.tokens(0) == ["a", "<", "skipped", ">", "bc", "&", "lt", ";", "<", "d"]

    def test_tokens_that_lower_case_makes_equal_share_an_id(self):
        tokenized = tokenize(["The the THE"], "13a", lowercase="ascii")
        assert len(set(tokenized.ids.tolist())) == 1


class TestLineFeedsInside13a:
    @pytest.mark.parametrize(
        ("text", "tokens"),
        [
            ("hyphen-\nated", ["hyphenated"]),
            ("a-\n", ["a-"]),
            ("a-\n \n", ["a-"]),
            ("a-\n\nb", ["a", "b"]),
            ("a -\n b", ["a", "b"]),
            ("a-<skipped>\nb", ["ab"]),
            ("<skip-\nped>", ["<", "skipped", ">"]),
            ("<skip<skipped>ped>", ["<", "skipped", ">"]),
            ("<skip<skipped>ped> a\nb", ["<", "skipped", ">", "a", "b"]),
        ],
    )
    def test_hyphen_and_skipped_mark_go_once_in_this_order(self, text, tokens):
        assert tokenize([text], "13a").tokens(0) == tokens == sacrebleu_tokens(text, "13a", lowercase=False)

    @pytest.mark.parametrize(
        ("text", "tokens"),
        [("A<SKIPPED>B", ["ab"]), ("A-<Skipped>\nB", ["ab"]), ("ΑΣ-\nΒ", ["αςβ"]), ("<S\u212aIPPED>", [])],
    )
    def test_lower_case_comes_first(self, text, tokens):
        assert tokenize([text], "13a", lowercase=True).tokens(0) == tokens
        assert tokens == sacrebleu_tokens(text, "13a", lowercase=True)

    @pytest.mark.parametrize("tokenizer", ["intl", "zh", "char", "none"])
    def test_no_other_tokenizer_knows_them(self, tokenizer):
        text = "<skipped> a-\nb"
        assert "".join(tokenize([text], tokenizer).tokens(0)) == "<skipped>a-b"


class TestEdges:
    @pytest.mark.parametrize("tokenizer", ["intl", "zh"])
    @pytest.mark.parametrize(
        "texts",
        [
            [".5", "a .5 b"],
            ["a .5 b", ".5"],
            ["x 5. x"],
            ["5. x", "5.", "x 5."],
            [" .5 ", ".5", " 5. "],
            ["", ".5", "", "5."],
            [". .", ".", " ."],
        ],
    )
    def test_a_chunk_is_told_from_the_same_chunk_at_an_edge(self, tokenizer, texts):
        assert first_difference(texts, tokenizer, lowercase=False) is None

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_no_mark_of_an_edge_is_left_in_the_vocabulary(self, tokenizer):
        vocabulary = "".join(tokenize([".5", "我", "a. b", "5."], tokenizer).vocabulary.to_pylist())
        assert vocabulary.isprintable()


@pytest.mark.parametrize("n_bytes", [64, 128])
def test_white_space_at_the_very_end_is_dropped_whatever_lies_behind_it_in_memory(n_bytes):
    text = "x" * (n_bytes - 1) + " "
    found = set()
    for _ in range(300):
        traces = [pa.array(["\u4f60" * length], pa.large_string()) for length in (5, 10, 20, 21, 40, 42) * 3]
        del traces  # Arrow may read past the end, into this freed memory full of UTF-8 continuation bytes
        found.update(tokenize([text], "none").tokens(0))
    assert found == {text.strip()}


CODE_POINTS = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
NO_LETTER_WITHOUT_CASE = r"[^\p{Lo}\p{C}]|[\p{Cc}\p{Cf}]"
SOME_CODE_POINTS = regex.findall(NO_LETTER_WITHOUT_CASE, "".join(CODE_POINTS)) + CODE_POINTS[::31]
BATCH = 500


def batches(chunks):
    """Texts of many chunks each: the oracle is slow to call."""
    return [" ".join(chunks[start : start + BATCH]) for start in range(0, len(chunks), BATCH)]


class TestEveryCodePoint:
    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_between_digit_and_stop(self, tokenizer):
        texts = batches([f"1{c}.5" for c in CODE_POINTS])
        assert first_difference(texts, tokenizer, lowercase=False) is None

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_in_every_place_inside_a_text(self, tokenizer):
        texts = batches([f"a{c}b {c}1 1{c}2 1.{c} {c}.5 {c}- {c}" for c in SOME_CODE_POINTS])
        assert first_difference(texts, tokenizer, lowercase=False) is None

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_in_lower_case(self, tokenizer):
        texts = batches([f"{c}\u03a3{c} 1{c}" for c in SOME_CODE_POINTS])
        assert first_difference(texts, tokenizer, lowercase=True) is None

    @pytest.mark.parametrize("context", ["{c}", " {c} ", "{c}1 1{c}", "{c}.5 1.{c}"])
    @pytest.mark.parametrize("tokenizer", ["intl", "zh"])
    def test_at_the_edges_of_a_text(self, tokenizer, context):
        texts = [context.replace("{c}", c) for c in SOME_CODE_POINTS]
        assert first_difference(texts, tokenizer, lowercase=False) is None

    @pytest.mark.parametrize("tokenizer", ["13a", "char", "none"])
    def test_at_the_edges_of_a_text_where_they_do_not_matter(self, tokenizer):
        texts = [f"{c}.5 1.{c}" for c in SOME_CODE_POINTS]
        assert first_difference(texts, tokenizer, lowercase=False) is None

    def test_all_white_space_separates_and_nothing_else_does(self):
        tokenized = tokenize([f"a{c}b" for c in CODE_POINTS], "none")
        separators = {CODE_POINTS[index] for index in np.flatnonzero(tokenized.lengths == 2)}
        assert separators == {c for c in CODE_POINTS if c.isspace()}
        assert len(separators) == 29


PIECES = [
    *"05a.,-&;<>'\"!()/ ",
    *"Bß\u03a3\u03c3\u0130\u0301\u00bd\u0665\u3002\u4f60\u597d\u3042\uff15\uff0c\U00020000\u20ac\u2014\u201c",
    *"\u00a0\u2028\u0085\u001c\u3000\u200b\ufeff\n\r\t",
    "\U0001f469\u200d\U0001f467",
    "<skipped>",
    "<SKIPPED>",
    "<skip",
    "ped>",
    "-\n",
    "&quot;",
    "&amp;",
    "&amp;lt;",
    "&gt;",
    "&apos;",
    ".5",
    "5.",
]


@st.composite
def adversarial_texts(draw):
    """Texts of confusing pieces; many of their chunks stand in several texts, at the edges and inside."""
    piece = st.sampled_from(PIECES)
    free = st.lists(piece, max_size=9).map("".join)
    pool = draw(st.lists(st.lists(piece, min_size=1, max_size=3).map("".join), min_size=1, max_size=4))
    shared = st.lists(st.sampled_from([*pool, " ", " ", "\n"]), max_size=7).map("".join)
    return draw(st.lists(free | shared, max_size=7))


@pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
@given(texts=adversarial_texts())
@settings(max_examples=300, deadline=None)
def test_texts_of_confusing_pieces_are_tokenized_as_by_sacrebleu(tokenizer, texts):
    assert first_difference(texts, tokenizer, lowercase=False) is None
    assert first_difference(texts, tokenizer, lowercase=True) is None


@pytest.mark.parametrize("lowercase", [False, True, "ascii"])
@pytest.mark.parametrize("tokenizer", ALL_TOKENIZER_NAMES)
@given(texts=adversarial_texts())
@settings(max_examples=50, deadline=None)
def test_a_text_is_tokenized_the_same_alone_and_among_others(tokenizer, lowercase, texts):
    together = tokenize(texts, tokenizer, lowercase=lowercase)
    assert all_tokens(together) == [tokenize([text], tokenizer, lowercase=lowercase).tokens(0) for text in texts]


def nist_tokens(text, first_rule, lower):
    """The steps of mteval-v13a.pl and of bleu.js, one regular expression after the other."""
    for old, new in (("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", '"')):
        text = text.replace(old, new)
    for old, new in (("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(old, new)
    text = re.sub(first_rule, r" \1 ", lower(f" {text} "))
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


@given(texts=adversarial_texts())
@settings(max_examples=400, deadline=None)
def test_texts_of_confusing_pieces_are_tokenized_by_the_steps_of_mteval_and_of_ibleu(texts):
    texts = [text.rstrip() for text in texts]  # a hyphen before a last line feed would go in the scripts
    nist, javascript = r"([{-~[-` -&(-+:-@/])", r"([{~\[\]\"`?&()+:;$@/}])"
    lower = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
    assert all_tokens(tokenize(texts, "13a", lowercase="ascii")) == [
        nist_tokens(text, nist, lambda line: line.translate(lower)) for text in texts
    ]
    assert all_tokens(tokenize(texts, "ibleu", lowercase=True)) == [
        nist_tokens(text, javascript, str.lower) for text in texts
    ]


@given(texts=adversarial_texts())
@settings(max_examples=100, deadline=None)
def test_texts_of_confusing_pieces_are_split_at_ascii_space_as_bytes_are(texts):
    expected = [[token.decode() for token in text.encode().split()] for text in texts]
    assert all_tokens(tokenize(texts, "ascii-space")) == expected


def test_the_registry_cannot_be_changed():
    with pytest.raises(TypeError):
        TOKENIZERS["new"] = TOKENIZERS["none"]
