"""Options: what is accepted, and the signature that tells any two settings apart."""

from dataclasses import FrozenInstanceError, replace
from itertools import product
from typing import get_args

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from bleucore import BleuOptions, InputError
from bleucore.options import (
    DEFAULT_SMOOTHING_VALUES,
    MAX_ORDER_LIMIT,
    SACREBLEU_VERSION,
    SMOOTHING_METHODS,
    TOKENIZER_NAMES,
    Smoothing,
    TokenizerName,
)
from bleucore.tokenizers import TOKENIZERS

SMOOTHINGS = [
    ("exp", None),
    ("none", None),
    ("floor", None),
    ("floor", 0),
    ("floor", 0.1),
    ("floor", 0.25),
    ("add-k", None),
    ("add-k", 0.0),
    ("add-k", 1),
    ("add-k", 2.5),
]
REFERENCES = {1: [["a"] * 2], 2: [["a"] * 2, ["b"] * 2], "var": [["a"] * 2, ["b", None]]}


def test_the_default_signature_is_the_one_everybody_cites():
    assert BleuOptions().signature(1) == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


def test_the_version_is_that_of_the_oracle():
    assert sacrebleu.__version__ == SACREBLEU_VERSION


def test_the_registries_hold_what_the_types_allow():
    assert tuple(TOKENIZERS) == TOKENIZER_NAMES == get_args(TokenizerName)
    assert get_args(Smoothing) == SMOOTHING_METHODS
    assert set(DEFAULT_SMOOTHING_VALUES) < set(SMOOTHING_METHODS)


@pytest.mark.parametrize(("smoothing", "value"), SMOOTHINGS)
def test_the_signature_is_sacrebleus_for_all_that_it_can_express(sacrebleu_metric, smoothing, value):
    differing = []
    for tokenizer, lowercase, effective, (n_references, references) in product(
        TOKENIZER_NAMES, (False, True), (False, True), REFERENCES.items()
    ):
        options = BleuOptions(tokenizer, lowercase, 4, smoothing, value, effective)
        metric = sacrebleu_metric(options)
        metric.corpus_score(["a", "b"], references)
        if options.signature(n_references) != str(metric.get_signature()):
            differing.append((options.signature(n_references), str(metric.get_signature())))
    assert differing == []


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (BleuOptions(max_order=5), "|smooth:exp|order:5|version:"),
        (BleuOptions(max_order=1), "|smooth:exp|order:1|version:"),
        (BleuOptions(smoothing="floor", smoothing_value=0.001), "|smooth:floor[0.001]|"),
        (BleuOptions(smoothing="floor", smoothing_value=0.002), "|smooth:floor[0.002]|"),
        (BleuOptions(smoothing="add-k", smoothing_value=1e-9), "|smooth:add-k[1e-09]|"),
        (BleuOptions(smoothing="add-k", smoothing_value=3), "|smooth:add-k[3.00]|"),
        (BleuOptions(smoothing="floor", smoothing_value=0.125), "|smooth:floor[0.125]|"),
    ],
)
def test_what_sacrebleu_cannot_say_is_written_out(options, field):
    assert field in options.signature(1)


@pytest.mark.parametrize(
    "change",
    [
        {"tokenizer": "intl"},
        {"lowercase": True},
        {"max_order": 5},
        {"smoothing": "exp", "smoothing_value": None},
        {"smoothing": "add-k"},
        {"smoothing_value": 0.002},
        {"smoothing_value": 0},
        {"smoothing_value": None},
        {"effective_order": True},
    ],
)
def test_changing_any_field_changes_the_signature(change):
    options = BleuOptions(smoothing="floor", smoothing_value=0.001)
    assert replace(options, **change).signature(1) != options.signature(1)


def test_the_number_of_references_changes_the_signature():
    signatures = {BleuOptions().signature(number) for number in (1, 2, 3, "var")}
    assert len(signatures) == 4


@st.composite
def some_options(draw):
    smoothing = draw(st.sampled_from(SMOOTHING_METHODS))
    values = st.none() | st.sampled_from([0, 0.1, 1, 0.001, 0.002]) | st.floats(0, 1e6)
    value = draw(values) if smoothing in DEFAULT_SMOOTHING_VALUES else None
    orders = st.sampled_from([3, 4, 5])
    tokenizers = st.sampled_from(["13a", "intl"])
    return BleuOptions(draw(tokenizers), draw(st.booleans()), draw(orders), smoothing, value, draw(st.booleans()))


@given(some_options(), some_options())
@settings(max_examples=300, deadline=None)
def test_two_options_share_a_signature_only_if_they_mean_the_same(first, second):
    meanings = [replace(options, smoothing_value=None) for options in (first, second)]
    values = [options.effective_smoothing_value for options in (first, second)]
    same = meanings[0] == meanings[1] and values[0] == values[1]
    assert (first.signature(1) == second.signature(1)) is same


@pytest.mark.parametrize(
    ("smoothing", "value", "effective"),
    [
        ("exp", None, 0.0),
        ("none", None, 0.0),
        ("floor", None, 0.1),
        ("add-k", None, 1.0),
        ("floor", 0, 0),
        ("add-k", 2.5, 2.5),
    ],
)
def test_the_smoothing_value_in_force_is_the_one_given_or_the_methods_own(smoothing, value, effective):
    assert BleuOptions(smoothing=smoothing, smoothing_value=value).effective_smoothing_value == effective


class TestRefused:
    @pytest.mark.parametrize(
        ("field", "value", "expected"),
        [
            ("tokenizer", "14a", "13a, intl, char, zh, none"),
            ("tokenizer", None, "13a, intl, char, zh, none"),
            ("tokenizer", ["13a"], "13a, intl, char, zh, none"),
            ("smoothing", "EXP", "exp, floor, add-k, none"),
            ("max_order", 0, "a whole number from 1 to 32"),
            ("max_order", 33, "a whole number from 1 to 32"),
            ("max_order", -1, "a whole number from 1 to 32"),
            ("max_order", 4.0, "a whole number from 1 to 32"),
            ("max_order", True, "a whole number from 1 to 32"),
            ("max_order", "4", "a whole number from 1 to 32"),
        ],
    )
    def test_a_value_that_is_not_one_of_the_accepted(self, field, value, expected):
        with pytest.raises(InputError) as caught:
            BleuOptions(**{field: value})
        assert str(caught.value) == (
            f"Option {field}: this value is not accepted (found {value!r}, expected {expected}). "
            "Choose one of the accepted values."
        )

    @pytest.mark.parametrize("smoothing", ["floor", "add-k"])
    @pytest.mark.parametrize("value", [-0.1, -1, float("nan"), float("inf"), "0.1"])
    def test_a_smoothing_value_that_is_no_number_of_at_least_0(self, smoothing, value):
        with pytest.raises(InputError) as caught:
            BleuOptions(smoothing=smoothing, smoothing_value=value)
        assert str(caught.value) == (
            f"Option smoothing_value: this value is not accepted (found {value!r}, expected a number of at least 0). "
            "Choose one of the accepted values."
        )

    @pytest.mark.parametrize("smoothing", ["exp", "none"])
    @pytest.mark.parametrize("value", [0, 0.5])
    def test_a_smoothing_value_for_a_method_without_one(self, smoothing, value):
        with pytest.raises(InputError) as caught:
            BleuOptions(smoothing=smoothing, smoothing_value=value)
        assert str(caught.value) == (
            f"Option smoothing_value: smoothing '{smoothing}' takes no value (found {value}). "
            "Leave the value out, or choose the smoothing 'floor' or 'add-k'."
        )

    def test_assignment(self):
        with pytest.raises(FrozenInstanceError):
            BleuOptions().lowercase = True


@pytest.mark.parametrize("order", [1, MAX_ORDER_LIMIT])
def test_the_limits_of_the_order_are_accepted(order):
    assert BleuOptions(max_order=order).max_order == order
