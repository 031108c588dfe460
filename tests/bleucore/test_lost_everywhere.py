"""What a system loses on every test set: by hand, and its parts against those of all n-grams."""

from collections import Counter

import numpy as np
import pytest

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.analysis.attribution import attribute
from bleucore.analysis.differing_ngrams import differing_ngrams
from bleucore.analysis.ngram_types import pair_tokens
from bleucore.campaign import ScoredTexts, lost_everywhere
from bleucore.campaign.lost_everywhere import _as_one, _of_sets

OPTIONS = BleuOptions("none")
WORDS = [f"w{number}" for number in range(20)]


def scored(name, reference, *, options=OPTIONS, **systems):
    test_set = TestSet([System(system, texts) for system, texts in systems.items()], [reference])
    return ScoredTexts(name, test_set, evaluate(test_set, options))


def by_hand():
    reference = ["we did not go home then", "he did not see it there", "the old house by the river"]
    second = ["they did not eat the bread", "she slept all day long", "and we did not know that"]
    bad = [text.replace("did not", "may have") for text in reference]
    worse = [text.replace("did not", "may have").replace("all day long", "for one night") for text in second]
    return [
        scored("one", reference, A=bad, B=reference),
        scored("two", second, B=second, A=worse),
        scored("three", reference, A=bad, C=reference),
    ]


def test_a_phrase_that_is_lost_on_every_set_leads():
    found = lost_everywhere(by_hand(), "A", "B")
    assert (found.loser, found.winner, found.sets, found.left_out) == ("A", "B", ("one", "two"), ("three",))
    (phrase,) = found.phrases
    assert (phrase.tokens, phrase.nets) == (("did", "not"), (2, 2))
    assert [segments.tolist() for segments in phrase.segments] == [[0, 1], [0, 2]]
    assert min(phrase.parts) > 0
    assert found.n_phrases == 2  # "we did not", too, which tells nothing new
    assert [one.name for one in found.segments] == ["one", "two"]
    assert set(found.segments[0].segments) == {0, 1}
    assert found.segments[0].difference == pytest.approx(sum(found.segments[0].parts))


def test_what_is_lost_on_one_set_only_is_not_lost_everywhere():
    one, two, _ = by_hand()
    reference = ["they did not eat the bread", "it did not rain today"]
    other = scored("other", reference, A=reference, B=[text.replace("did not", "may have") for text in reference])
    assert lost_everywhere([one, two, other], "A", "B").phrases == ()
    assert lost_everywhere([one, two, other], "B", "A").n_phrases == 0
    assert lost_everywhere([other], "B", "A").phrases[0].tokens == ("did", "not")


def test_what_is_lost_once_on_a_set_comes_last():
    one = ["red fox", "red fox", "blue sky over here", "a b c d"]
    two = ["red fox", "red fox", "blue sky over here", "a b c d"]
    lost = ["x y", "x y", "p q r s", "a b c d"]
    found = lost_everywhere([scored("one", one, A=lost, B=one), scored("two", two, A=lost, B=two)], "A", "B")
    by_tokens = {phrase.tokens: phrase for phrase in found.phrases}
    red, blue = by_tokens["red", "fox"], by_tokens["blue", "sky", "over", "here"]
    assert min(blue.parts) > min(red.parts)
    assert found.phrases[0] is red


def random_set(name, seed, n_segments=40, **settings):
    generator = np.random.default_rng(seed)
    reference = [" ".join(generator.choice(WORDS, 9)) for _ in range(n_segments)]

    def written(right):
        return [
            " ".join(word if generator.random() < right else generator.choice(WORDS) for word in text.split())
            for text in reference
        ]

    return scored(name, reference, A=written(0.5), B=written(0.8), **settings)


def test_counts_of_a_phrase_are_those_of_clipped_matches():
    texts = [random_set("one", 1), random_set("two", 2)]
    found = lost_everywhere(texts, "A", "B", n_leading=1000)
    single = [phrase for phrase in (*found.phrases, *found.folded) if len(phrase.tokens) == 1]
    for phrase in single:
        assert phrase.nets == tuple(net_of(one, phrase.tokens[0]) for one in texts)
    assert single


def test_parts_of_all_ngrams_are_what_matches_of_each_set_add_there():
    options = BleuOptions("none", max_order=1)  # so that every token is in several segments, and none is left out
    texts = [random_set("one", 1, options=options), random_set("two", 2, options=options)]
    of_sets = [
        attribute(*(one.evaluation.systems[name].counts for name in "AB"), options)  # of B over A
        for one in texts
    ]
    test_set = _as_one([one.test_set for one in texts], "A", "B")
    ngrams = differing_ngrams(pair_tokens(test_set, ("A", "B"), options))
    parts, *_ = _of_sets(ngrams, of_sets, [one.test_set.n_segments for one in texts])
    assert parts.sum(axis=0) == pytest.approx([one.match_parts.sum() for one in of_sets])


def net_of(one, token):
    """How many more clipped matches of a token B has than A, over all segments."""
    reference = one.test_set.references[0]
    nets = 0
    for name, sign in (("A", -1), ("B", 1)):
        for text, expected in zip(one.test_set.system(name).hypotheses, reference, strict=True):
            nets += sign * min(Counter(text.split())[token], Counter(expected.split())[token])
    return nets


def test_the_order_of_the_sets_changes_nothing_but_the_order():
    texts = [random_set("one", 1), random_set("two", 2)]
    found, turned = lost_everywhere(texts, "A", "B"), lost_everywhere(texts[::-1], "A", "B")
    assert found.n_phrases == turned.n_phrases
    leading = [(one.tokens, one.nets) for one in found.phrases[:5]]  # then some are equal
    assert leading == [(one.tokens, one.nets[::-1]) for one in turned.phrases[:5]]


def test_sets_may_have_different_numbers_of_references():
    one, two, _ = by_hand()
    more = TestSet(two.test_set.systems, [*two.test_set.references, two.test_set.references[0]])
    found = lost_everywhere([one, ScoredTexts("two", more, evaluate(more, OPTIONS))], "A", "B")
    assert found.phrases[0].tokens == ("did", "not")


def test_identical_systems_lose_nothing():
    one = scored("one", ["a b c d"], A=["a b c d"], B=["a b c d"])
    found = lost_everywhere([one], "A", "B")
    assert (found.phrases, found.n_phrases, found.segments[0].segments) == ((), 0, ())


def test_what_has_nothing_in_common_is_refused():
    one, two, three = by_hand()
    for texts, pair in (([three], ("A", "B")), ([one], ("A", "A")), ([], ("A", "B"))):
        with pytest.raises(InputError, match="no test set has both systems"):
            lost_everywhere(texts, *pair)
    other = ScoredTexts("two", two.test_set, evaluate(two.test_set, BleuOptions("13a")))
    with pytest.raises(InputError, match="Test set 'two': the options of BLEU differ"):
        lost_everywhere([one, other], "A", "B")
