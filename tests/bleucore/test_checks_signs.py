"""Regular expressions search only texts with a sign that every match has: they find all the same."""

import random

import numpy as np
import pyarrow as pa

from bleucore import System, TestSet
from bleucore.checks import CHECKS, characters
from bleucore.checks.alphabet import MARK, NOT_LATIN, CodePoints, any_sign
from bleucore.checks.compared_texts import Columns, found

PIECES = [
    *" \n\t.,:;!?#@▁_%\\&`~*'’ĠĊ⁇|-：，。！(){}[]【】<>\"“ÃÂâïÐÑãäåæçèéðÄÅ¼¸€„–",
    *("```", "~~~", "**", "__", "@@ ", "@-@", " ##a", "&quot;", "& amp ;", "\\n", "\\u00e4", "%C3%A4", "<unk>", "</s>"),
    *("[INST]", ">>de<<", "<2de>", " de_DE ", "-LRB-", "`` a ''", "( a )", " n't ", " 's ", "Assistant:", "[user]"),
    *("# a", "<text>", '{"a": 1}', "Translation:", " ||| ", "中", "é", "word", "Note:", "1. ", "0x41"),
]


def garbage(rng, n):
    return ["".join(rng.choices(PIECES, k=rng.randrange(8))) for _ in range(n)]


def columns():
    rng = random.Random(4)
    systems = [System(name, garbage(rng, 200)) for name in ("one", "two")]
    return Columns.of(TestSet(systems, [garbage(rng, 200)], garbage(rng, 200)))


def test_what_matches_has_one_of_the_signs(monkeypatch):
    asked = {}
    matches = Columns.matches

    def both(self, group, pattern, signs=""):
        matched = matches(self, group, pattern, signs)
        assert np.array_equal(matched, matches(self, group, pattern)), pattern
        asked[pattern] = bool(signs) and bool(matched.any())
        return matched

    monkeypatch.setattr(Columns, "matches", both)
    texts = columns()
    for check in CHECKS.values():
        texts.once(check.all)
    assert sum(asked.values()) > 15


def test_a_sign_without_a_bit_is_none():
    assert any_sign("é") == 0
    assert any_sign("#") & any_sign("@") == 0
    assert any_sign("#@") == any_sign("#") | any_sign("@")


def test_a_letter_that_was_misread_has_both_traits():
    texts = [text for column in columns().all for text in column.texts]
    read = CodePoints.of(texts)
    traits = read.of_texts(read.traits)
    matched = found(pa.array(texts), characters.wrong_decoding.pattern)
    assert matched.any()
    for trait in characters.wrong_decoding.traits:
        assert (traits[matched] & np.uint64(trait)).all()


def test_the_table_knows_every_letter_beyond_latin_and_every_mark():
    signs = [chr(code) for code in range(0x11000) if not 0xD800 <= code < 0xE000]
    read = CodePoints.of(signs)
    traits = read.of_texts(read.traits)
    beyond = found(pa.array(signs), r"[^\P{L}\p{Latin}]")
    assert (traits[beyond] & np.uint64(NOT_LATIN)).all()
    assert np.array_equal(found(pa.array(signs), characters._ANY_MARK), (traits & np.uint64(MARK)) > 0)
