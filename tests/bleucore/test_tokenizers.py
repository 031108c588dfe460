r"""Tokenizers: equal to sacreBLEU's for every code point and for texts made to confuse them.

Why ``TestEveryCodePoint`` is total. What sacreBLEU executes looks at a character in three ways only: whether it is in
one of the sets that its regular expressions name, whether it is a given character of ``<skipped>``, ``-\n`` and the
entities, and whether ``str.split``, ``str.strip`` and ``str.rstrip`` take it for white space. So two code points that
are in the same of these sets, a *class*, are tokenized alike in every text: put one in the place of the other, and the
tokens are the same but for that.

- A test holds the regular expressions to those that this was read from: ``13a`` and ``zh`` name ASCII characters
  alone, and ``zh`` its Chinese ones; ``intl`` names punctuation, symbols and numbers; ``char`` and ``none`` nothing.
- Every code point stands in one line with others in the shortest context that tells a letter from a member of any
  other class, as a test shows. Those that are neither unassigned, nor for private use, nor letters without case stand
  between a blank, a letter, digits, punctuation, a symbol, a Chinese character and themselves, on either side.
  sacreBLEU runs on these very lines, some thousand code points long because only calling it is slow.
- Twelve planes have no character but for private use, as a test shows, and nothing names a part of one of them. The
  first and the last 256 code points of each stand for the others.
- Edges of a line matter to ``intl`` and ``zh`` alone (``13a`` puts a blank before and after, the others have no rules).
  There the code points of all small classes stand in lines of their own, on both sides. Those of the large ones, that
  of letters and the Chinese characters, are expected to be tokenized like one of them, which sacreBLEU is asked about.
- All texts of up to four characters over one character of each class are tokenized by both.
- That is what ``make test-deep`` tries. ``make test`` leaves out 15 of 16 code points that no rule names and whose
  neighbours are like them.
- sacreBLEU lower-cases a text before all that. The code points that this changes go through all contexts once more;
  all the others through one with a capital letter, and through those of a final sigma, whose lower-case form depends
  on what stands around it.
"""

import random
import re
import unicodedata
from functools import cache
from itertools import chain, pairwise, product, zip_longest

import numpy as np
import pyarrow as pa
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer

from bleucore.options import ALL_TOKENIZER_NAMES, TOKENIZER_NAMES
from bleucore.tokens.tokenizers import TOKENIZERS, tokenize

ORACLES = {name: _get_tokenizer(name)() for name in TOKENIZER_NAMES}


def sacrebleu_tokens(text, tokenizer, *, lowercase):
    """The tokens that sacreBLEU counts: what BLEU._preprocess_segment gives, split as its n-grams are."""
    return ORACLES[tokenizer]((text.lower() if lowercase else text).rstrip()).split()


def all_tokens(tokenized):
    return [tokenized.tokens(index) for index in range(len(tokenized.lengths))]


def first_difference(texts, tokenizer, *, lowercase):
    """The start of the first text whose tokens are not sacreBLEU's, and where the tokens part; None if none do."""
    tokenized = tokenize(texts, tokenizer, lowercase=lowercase)
    expected = [sacrebleu_tokens(text, tokenizer, lowercase=lowercase) for text in texts]
    found = tokenized.vocabulary.take(tokenized.ids).to_pylist()
    lengths = tokenized.lengths.tolist()
    if lengths == [len(tokens) for tokens in expected] and found == [token for tokens in expected for token in tokens]:
        return None
    for text, ours, theirs in zip(texts, all_tokens(tokenized), expected, strict=True):
        for place, (one, other) in enumerate(zip_longest(ours, theirs)):
            if one != other:
                nearby = slice(max(0, place - 3), place + 6)
                return text[:60], ours[nearby], theirs[nearby]
    return None


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


@pytest.mark.parametrize("n_bytes", [64, 128])
def test_white_space_at_the_very_end_is_dropped_whatever_lies_behind_it_in_memory(n_bytes):
    text = "x" * (n_bytes - 1) + " "
    found = set()
    for _ in range(300):
        traces = [pa.array(["\u4f60" * length], pa.large_string()) for length in (5, 10, 20, 21, 40, 42) * 3]
        del traces  # Arrow may read past the end, into this freed memory full of UTF-8 continuation bytes
        found.update(tokenize([text], "none").tokens(0))
    assert found == {text.strip()}


PLANE = 0x10000
EMPTY_PLANES = (*range(4, 14), 15, 16)
RANGES = (
    range(0xD800),
    range(0xE000, 4 * PLANE),
    *(range(first, first + 256) for plane in EMPTY_PLANES for first in (plane * PLANE, (plane + 1) * PLANE - 256)),
    range(14 * PLANE, 15 * PLANE),
)
WITHOUT_RULES = frozenset({"Lo", "Cn", "Co"})
"""Categories that no rule names, five of six code points; but ``zh`` names its Chinese ones."""
ONE_OF = 1 if settings.get_current_profile_name() == "deep" else 16


@cache
def code_points():
    """Every code point in ``make test-deep``.

    In ``make test`` one of 16 is there of those that no rule names, and each that differs from a neighbour.
    """
    everything = list(map(chr, sorted(chain(*RANGES))))
    kinds = [(unicodedata.category(c), ORACLES["zh"]._is_chinese_char(c)) for c in everything]
    return [
        c
        for place, (c, kind) in enumerate(zip(everything, kinds, strict=True))
        if place % ONE_OF == 0 or kind[0] not in WITHOUT_RULES or {kind} != set(kinds[place - 1 : place + 2])
    ]


BESIDE_ALL = "{c}a{c}.5{c}5.{c}€{c}你{c}{c}-{c} "
DECISIVE = {
    "13a": "5{c}.5.{c}-",
    "intl": "a{c}5{c}a5{c}.5.{c}",
    "char": "a{c}",
    "zh": "5{c}.5.{c}-",
    "none": "a{c}",
}
EDGES = ["{c}", "{c}a5{c}", "{c}5a{c}", "{c}.5a5.{c}", "{c}{c}", ".{c}a{c}-", "{c}-a.{c}", " {c}.5 ", " {c}5.{c}\n"]

CLASSES = {
    "13a": "é,!7 -",
    "intl": "é—½€ ",
    "char": "é ",
    "zh": "é,!7 -你",
    "none": "é ",
}
"""A character of each class that the rules of sacreBLEU know: first a letter, which none of them names."""


def lines_of(context, code_points, n_in_a_line=4096):
    """Texts that hold every code point in the context, many of them each: sacreBLEU is slow to call, not to run."""
    starts = range(0, len(code_points), n_in_a_line)
    return ["".join([context.replace("{c}", c) for c in code_points[start : start + n_in_a_line]]) for start in starts]


@cache
def large_classes(tokenizer):
    """The code points of the class of letters and (for ``zh``) of Chinese ones, by what sacreBLEU itself executes."""
    everything = "".join(code_points())
    if tokenizer == "intl":
        return {"é": regex.findall(r"[^\p{P}\p{S}\p{N}\s\x1c-\x1f]", everything)}
    classes = {"é": [], "你": []} if tokenizer == "zh" else {"é": []}
    is_chinese = ORACLES["zh"]._is_chinese_char
    for c in regex.findall(r"[^\x00-\x7f\s]", everything):
        classes["你" if tokenizer == "zh" and is_chinese(c) else "é"].append(c)
    return classes


@pytest.mark.thorough
@pytest.mark.deep
class TestEveryCodePoint:
    """The steps of the argument in the docstring of this module."""

    def test_that_another_one_stands_for_has_no_character(self):
        for plane in EMPTY_PLANES:
            whole = "".join(map(chr, range(plane * PLANE, (plane + 1) * PLANE)))
            assert regex.search(r"[^\p{Cn}\p{Co}]", whole) is None

    def test_sacrebleus_rules_are_those_that_are_reasoned_about(self):
        western = [
            (r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 "),
            (r"([^0-9])([\.,])", r"\1 \2 "),
            (r"([\.,])([^0-9])", r" \1 \2"),
            (r"([0-9])(-)", r"\1 \2 "),
        ]
        international = [(r"(\P{N})(\p{P})", r"\1 \2 "), (r"(\p{P})(\P{N})", r" \1 \2"), (r"(\p{S})", r" \1 ")]
        for rules, expected in (
            (ORACLES["13a"]._post_tokenizer._re, western),
            (ORACLES["zh"]._post_tokenizer._re, western),
            (ORACLES["intl"]._re, international),
        ):
            assert [(rule.pattern, replacement) for rule, replacement in rules] == expected
            assert not any(rule.flags & re.IGNORECASE for rule, _ in rules)

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_inside_a_line(self, tokenizer):
        special = regex.findall(r"[^\p{Cn}\p{Co}\p{Lo}]", "".join(code_points()))
        texts = lines_of(BESIDE_ALL, special) + lines_of(DECISIVE[tokenizer], code_points())
        assert first_difference(texts, tokenizer, lowercase=False) is None

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_of_another_class_than_letters_is_tokenized_otherwise_in_the_decisive_context(self, tokenizer):
        letter, *others = CLASSES[tokenizer]
        texts = [2 * DECISIVE[tokenizer].replace("{c}", c) for c in (letter, *others)]
        lengths = [[len(token) for token in sacrebleu_tokens(text, tokenizer, lowercase=False)] for text in texts]
        assert lengths.count(lengths[0]) == 1

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_inside_a_line_in_lower_case(self, tokenizer):
        assert first_difference(lines_of("{c}\u03a3", code_points()), tokenizer, lowercase=True) is None

    def test_beside_a_sigma_whose_lower_case_depends_on_it(self):
        texts = lines_of("{c}\u03a3 a\u03a3{c} a{c}\u03a3{c}a ", code_points())
        assert first_difference(texts, "none", lowercase=True) is None

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_that_lower_case_changes(self, tokenizer):
        cased = [c for c in code_points() if c.lower() != c]
        contexts = [BESIDE_ALL, "a\u03a3{c}a {c}\u03a3{c} A{c}\u03a3 "]
        texts = [text for context in contexts for text in lines_of(context, cased)]
        texts += [edge.replace("{c}", c) for edge in EDGES for c in cased]
        assert first_difference(texts, tokenizer, lowercase=True) is None

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_at_the_edges_of_a_line_where_it_is_of_a_small_class(self, tokenizer):
        small = sorted(set(code_points()).difference(*large_classes(tokenizer).values()))
        assert set(CLASSES[tokenizer]) - set(small) <= {"é", "你"}
        texts = [edge.replace("{c}", c) for edge in EDGES for c in small]
        assert first_difference(texts, tokenizer, lowercase=False) is None

    @pytest.mark.parametrize(("tokenizer", "character"), [("intl", "é"), ("zh", "é"), ("zh", "你")])
    def test_at_the_edges_of_a_line_where_it_is_of_a_large_class(self, tokenizer, character):
        members = large_classes(tokenizer)[character]
        assert character in members
        tokens = sacrebleu_tokens(f"{character}.5a{character}", tokenizer, lowercase=False)
        tokenized = tokenize([f"{c}.5a{c}" for c in members], tokenizer)
        assert set(tokenized.lengths.tolist()) == {len(tokens)}
        found = tokenized.vocabulary.take(tokenized.ids).to_pylist()
        assert found == [token.replace(character, c) for c in members for token in tokens]

    def test_that_resembles_a_character_of_a_deletion_or_an_entity_is_not_taken_for_it(self):
        literals = ["<skipped>", "-\n", "&quot;", "&amp;", "&lt;", "&gt;"]
        resembling = {character: [] for character in "".join(literals)}
        for c in code_points():
            resembling.get(unicodedata.normalize("NFKC", c).casefold(), []).append(c)
        texts = [
            f"a{literal[:place]}{c}{literal[place + 1 :]}b"
            for literal in literals
            for place, character in enumerate(literal)
            for c in resembling[character]
        ]
        assert {"a<s\u212aipped>b", "a＆lt;b", "a<ſkipped>b", "a&Lt;b", "a&lt\u037eb"} <= set(texts)
        for lowercase in (False, True):
            assert first_difference(texts, "13a", lowercase=lowercase) is None

    def test_separates_where_python_says_that_it_is_white_space_and_nowhere_else(self):
        tokenized = tokenize([f"a{c}b" for c in code_points()], "none")
        separators = {code_points()[index] for index in np.flatnonzero(tokenized.lengths == 2)}
        assert separators == {c for c in code_points() if c.isspace()}
        assert len(separators) == 29


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
def test_every_text_of_up_to_four_characters_one_of_each_class(tokenizer, lowercase):
    characters = CLASSES[tokenizer] + "5a.\n\x1c\u3000" + "\u03a3" * lowercase
    texts = ["".join(text) for length in range(5) for text in product(characters, repeat=length)]
    assert first_difference(texts, tokenizer, lowercase=lowercase) is None


@pytest.mark.parametrize("tokenizer", ["13a", "zh"])
def test_rows_of_stops_and_hyphens_between_digits_letters_and_edges(tokenizer):
    chunks = ["".join(chunk) for length in range(1, 7) for chunk in product(".,5a-", repeat=length)]
    at_edges = chunks[:780] if tokenizer == "zh" else []
    assert first_difference([" ".join(chunks), *at_edges], tokenizer, lowercase=False) is None


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


def random_texts(n_texts, seed):
    """Texts of confusing pieces, some of their characters from any plane instead."""
    rng = random.Random(seed)

    def piece():
        if rng.random() < 0.7:
            return rng.choice(PIECES)
        code = rng.randrange(rng.choice([0x80, 0x3000, PLANE, 3 * PLANE, 17 * PLANE]))
        return "é" if 0xD800 <= code < 0xE000 else chr(code)

    return ["".join([piece() for _ in range(rng.randrange(14))]) for _ in range(n_texts)]


@pytest.mark.deep
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
def test_random_texts_of_all_planes_are_tokenized_as_by_sacrebleu(tokenizer, lowercase):
    n_texts = 2_000 if ONE_OF > 1 else 100_000
    assert first_difference(random_texts(n_texts, seed=1), tokenizer, lowercase=lowercase) is None


@pytest.mark.parametrize("lowercase", [False, True, "ascii"])
@pytest.mark.parametrize("tokenizer", ALL_TOKENIZER_NAMES)
@given(texts=adversarial_texts())
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
def test_texts_of_confusing_pieces_are_split_at_ascii_space_as_bytes_are(texts):
    expected = [[token.decode() for token in text.encode().split()] for text in texts]
    assert all_tokens(tokenize(texts, "ascii-space")) == expected


def test_the_registry_cannot_be_changed():
    with pytest.raises(TypeError):
        TOKENIZERS["new"] = TOKENIZERS["none"]
