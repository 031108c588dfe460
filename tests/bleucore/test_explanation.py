"""Parts of a difference: by hand, as averages over all orders of switching, and their properties."""

from dataclasses import fields, replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.analysis import explanation
from bleucore.analysis.explanation import MAX_SETTINGS, explain_difference
from bleucore.metrics.presets import PRESETS
from bleucore.options import LENGTH_TIES, MISSING_ORDERS, REFERENCE_LENGTHS

HYPOTHESES = ["The École opened at 8.30 , and 42% came late .", "Yes !", "", "no river_bank is dry"]
OTHERS = ["the école was open 8.30", "Oh yes", "so be it", "The river_bank is DRY today"]
REFERENCES = [
    ["The École opened at 8.30 and 42% came in late .", "Yes !", "so be it", "The river_bank is very dry"],
    ["At 8.30 the école opened , 42% were late .", "Oh yes", "", "the bank is dry"],
]
CORPUS = TestSet([System("one", HYPOTHESES), System("two", OTHERS)], REFERENCES)


def score(test_set, options, name="one"):
    return evaluate(test_set, options).systems[name].score.score


class TestByHand:
    def test_one_setting_makes_the_whole_difference(self):
        test_set = TestSet([System("s", ["a b c d e"])], [["a b c d x e"], ["q r s t"]])
        found = explain_difference(test_set, BleuOptions(), BleuOptions(length_tie="first"))
        (setting,) = found.settings
        assert (setting.options, setting.first, setting.second) == (("length_tie",), ("shorter",), ("first",))
        system = found.systems["s"]
        assert system.first == pytest.approx(100 * 0.25**0.25)
        assert system.second == pytest.approx(100 * 0.25**0.25 * np.exp(1 - 6 / 5))
        assert system.parts == (pytest.approx(system.difference),)

    def test_two_settings_share_what_only_both_together_make(self):
        test_set = TestSet([System("s", ["A b"])], [["a b"]])
        first = BleuOptions(max_order=1, smoothing="none")
        found = explain_difference(test_set, first, replace(first, max_order=2, lowercase=True))
        assert [setting.options for setting in found.settings] == [("lowercase",), ("max_order",)]
        # unigrams alone score 50 and lower-cased 100; with bigrams it is 0 (nothing is smoothed) and lower-cased 100
        assert found.systems["s"].parts == pytest.approx(((50 + 100) / 2, (-50 + 0) / 2))

    def test_no_match_is_the_whole_difference_between_sacrebleu_and_mteval_for_yes_and_no(self):
        test_set = TestSet([System("s", ["yes"])], [["no"]])
        found = explain_difference(test_set, "sacrebleu", "mteval-v13a")
        parts = dict(zip([setting.options for setting in found.settings], found.systems["s"].parts, strict=True))
        # either of the two rules alone leaves the score at 0
        assert parts == {
            ("lowercase",): 0,
            ("missing_order",): pytest.approx(100 * 0.5**0.25 / 2),
            ("smooths_without_match",): pytest.approx(100 * 0.5**0.25 / 2),
        }

    def test_equal_options_differ_in_nothing(self):
        found = explain_difference(CORPUS, "sacrebleu", BleuOptions())
        assert found.settings == ()
        assert all(system.parts == () and system.difference == 0 for system in found.systems.values())


class TestSettings:
    def test_are_taken_from_presets_or_options(self):
        by_name = explain_difference(CORPUS, "sacrebleu", "ibleu")
        assert by_name == explain_difference(CORPUS, BleuOptions(), PRESETS["ibleu"].options)
        assert (by_name.first, by_name.second) == (BleuOptions(), PRESETS["ibleu"].options)
        assert [setting.options for setting in by_name.settings] == [
            *(("tokenizer",), ("lowercase",), ("length_tie",), ("missing_order",)),
            *(("smooths_without_match",), ("empty_counts_as_token",)),
        ]

    def test_that_need_each_other_are_switched_together(self):
        first = BleuOptions(max_order=2, weights=(0.5, 0.5), smoothing="floor", smoothing_value=0.2)
        found = explain_difference(CORPUS, first, BleuOptions())
        assert [setting.options for setting in found.settings] == [
            ("max_order", "weights"),
            ("smoothing", "smoothing_value"),
        ]
        assert found.settings[0].first == (2, (0.5, 0.5))
        assert found.settings[0].second == (4, None)

    @pytest.mark.parametrize("name", ["nltk-5", "nltk-7"])
    def test_of_smoothing_by_neighbours_include_the_order_it_needs(self, name):
        found = explain_difference(CORPUS, name, "nltk-1")
        assert [setting.options for setting in found.settings] == [
            ("max_order", "smoothing", "smoothing_value", "weights")
        ]

    def test_an_unknown_preset_is_refused(self):
        with pytest.raises(InputError, match=r"^Preset: there is no preset of this name \(found 'bleu', expected sac"):
            explain_difference(CORPUS, "sacrebleu", "bleu")

    def test_more_than_can_be_tried_in_all_orders_are_refused(self):
        far = BleuOptions("none", True, 3, "none", None, True, None, "average", "first", "one", True, False, False)
        assert len([f for f in fields(far) if getattr(far, f.name) != getattr(BleuOptions(), f.name)]) == 9
        with pytest.raises(InputError) as caught:
            explain_difference(CORPUS, BleuOptions(), far)
        assert str(caught.value) == (
            "The two options: too many settings differ to try all orders of switching them (found 9, expected at most "
            "8). Compare both with options in between."
        )
        found = explain_difference(CORPUS, BleuOptions(), replace(far, length_tie="shorter"))
        assert len(found.settings) == MAX_SETTINGS


class TestParts:
    @pytest.mark.parametrize("name", [name for name in PRESETS if name != "sacrebleu"])
    def test_add_up_to_the_difference_of_the_scores_of_the_evaluation(self, name):
        found = explain_difference(CORPUS, "sacrebleu", name)
        assert list(found.systems) == ["one", "two"]
        for system, difference in found.systems.items():
            assert difference.first == pytest.approx(score(CORPUS, BleuOptions(), system), abs=1e-9)
            assert difference.second == pytest.approx(score(CORPUS, PRESETS[name].options, system), abs=1e-9)
            assert sum(difference.parts) == pytest.approx(difference.difference, abs=1e-9)
            assert difference.difference == difference.second - difference.first

    @pytest.mark.parametrize(
        "pair",
        [
            ("sacrebleu", "mteval-v13a"),
            pytest.param(("ibleu", "multi-bleu"), marks=pytest.mark.thorough),
            ("papineni-2002", "ibleu"),
        ],
    )
    def test_are_the_mean_over_all_orders_of_switching(self, pair):
        found = explain_difference(CORPUS, *pair)
        n_settings = len(found.settings)
        chosen_orders = list(permutations(range(n_settings)))
        changes = np.zeros(n_settings)
        worth = {}
        for order in chosen_orders:
            options, switched = found.first, frozenset()
            for place in order:
                before = worth.setdefault(switched, score(CORPUS, options) if switched not in worth else None)
                setting = found.settings[place]
                options = replace(options, **dict(zip(setting.options, setting.second, strict=True)))
                switched |= {place}
                after = worth.setdefault(switched, score(CORPUS, options) if switched not in worth else None)
                changes[place] += after - before
        assert found.systems["one"].parts == pytest.approx(changes / len(chosen_orders), abs=1e-9)

    def test_are_the_same_whatever_the_size_of_the_blocks_of_segments(self, monkeypatch):
        whole = explain_difference(CORPUS, "nltk-4", "ibleu")
        monkeypatch.setattr(explanation, "BLOCK_TEXTS", 1)
        assert explain_difference(CORPUS, "nltk-4", "ibleu") == whole

    def test_of_absent_references_count_nothing(self):
        test_set = TestSet([System("s", ["", "a b c"])], [["a", "a b c"], [None, "a b d"]])
        found = explain_difference(test_set, "sacrebleu", "ibleu").systems["s"]
        assert found.second == pytest.approx(score(test_set, PRESETS["ibleu"].options, "s"), abs=1e-9)


SOME_OPTIONS = st.builds(
    BleuOptions,
    tokenizer=st.sampled_from(["13a", "none", "ibleu"]),
    lowercase=st.sampled_from([False, True, "ascii"]),
    smoothing=st.sampled_from(["exp", "none", "nltk-0", "nltk-4", "nltk-6"]),
    weights=st.sampled_from([None, (0.4, 0.3, 0.2, 0.1)]),
    reference_length=st.sampled_from(REFERENCE_LENGTHS),
    length_tie=st.sampled_from(LENGTH_TIES),
    missing_order=st.sampled_from(MISSING_ORDERS),
)


@given(data=st.data(), first=SOME_OPTIONS, second=SOME_OPTIONS)
def test_of_any_options_and_texts_parts_add_up_and_turn_their_signs_with_the_options(
    make_test_set, corpora, data, first, second
):
    test_set = make_test_set(*data.draw(corpora))
    there, back = explain_difference(test_set, first, second), explain_difference(test_set, second, first)
    again = explain_difference(test_set, first, second)
    assert there == again
    assert [setting.options for setting in there.settings] == [setting.options for setting in back.settings]
    for name, system in there.systems.items():
        assert sum(system.parts) == pytest.approx(system.difference, abs=1e-9)
        assert system.parts == pytest.approx([-part for part in back.systems[name].parts], abs=1e-9)
        assert (system.first, system.second) == (back.systems[name].second, back.systems[name].first)
        assert system.first == pytest.approx(score(test_set, first, name), abs=1e-9)


@given(data=st.data())
def test_a_setting_without_any_effect_has_no_part(make_test_set, corpora, data):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set(hypotheses, [[text or "" for text in references[0]]])
    second = BleuOptions(length_tie="first", smoothing="none", reference_length="shortest")
    found = explain_difference(test_set, BleuOptions(), second)
    parts = [
        dict(zip([s.options for s in found.settings], system.parts, strict=True)) for system in found.systems.values()
    ]
    assert all(part["length_tie",] == part["reference_length",] == 0 for part in parts)


def test_progress_rises_to_one_over_all_that_texts_are_counted_with(make_test_set):
    test_set, shares = make_test_set([["a b c d e"] * 3], [["a b c d f"] * 3]), []
    explain_difference(test_set, BleuOptions(), BleuOptions(tokenizer="none", lowercase=True), progress=shares.append)
    assert shares == [0.25, 0.5, 0.75, 1.0]
