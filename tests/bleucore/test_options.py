"""Options: what is accepted, and the signature that tells any two settings apart."""

from dataclasses import FrozenInstanceError, replace
from enum import Enum
from fractions import Fraction
from itertools import product, repeat
from typing import get_args

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from bleucore import BleuOptions, InputError
from bleucore.options import (
    ALL_SMOOTHING_METHODS,
    ALL_TOKENIZER_NAMES,
    DEFAULT_SMOOTHING_VALUES,
    LENGTH_TIES,
    MAX_ORDER_LIMIT,
    MISSING_ORDERS,
    NEIGHBOUR_SMOOTHINGS,
    REFERENCE_LENGTHS,
    SACREBLEU_VERSION,
    SMOOTHING_METHODS,
    TOKENIZER_NAMES,
    LengthTie,
    MissingOrder,
    ReferenceLength,
    SacrebleuSmoothing,
    SacrebleuTokenizer,
    Smoothing,
    TokenizerName,
)
from bleucore.tokens.tokenizers import TOKENIZERS

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

TOKENIZERS_ACCEPTED = "13a, intl, char, zh, none, ibleu, ascii-space, ja-mecab, ko-mecab, spm, flores101, flores200"


def test_the_default_signature_is_the_one_everybody_cites():
    assert BleuOptions().signature(1) == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


def test_the_version_is_that_of_the_oracle():
    assert sacrebleu.__version__ == SACREBLEU_VERSION


def test_the_registries_hold_what_the_types_allow():
    assert tuple(TOKENIZERS) == ALL_TOKENIZER_NAMES == get_args(TokenizerName)
    assert get_args(SacrebleuTokenizer) == TOKENIZER_NAMES == ALL_TOKENIZER_NAMES[: len(TOKENIZER_NAMES)]
    assert get_args(Smoothing) == ALL_SMOOTHING_METHODS
    assert get_args(SacrebleuSmoothing) == SMOOTHING_METHODS == ALL_SMOOTHING_METHODS[: len(SMOOTHING_METHODS)]
    assert set(DEFAULT_SMOOTHING_VALUES) < set(SMOOTHING_METHODS)
    assert get_args(ReferenceLength) == REFERENCE_LENGTHS
    assert get_args(LengthTie) == LENGTH_TIES
    assert get_args(MissingOrder) == MISSING_ORDERS
    assert set(ALL_SMOOTHING_METHODS) > NEIGHBOUR_SMOOTHINGS


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
        {"lowercase": "ascii"},
        {"weights": (0.4, 0.3, 0.2, 0.1)},
        {"reference_length": "average"},
        {"length_tie": "first"},
        {"missing_order": "one"},
        {"smooths_without_match": True},
        {"totals_at_least_one": True},
        {"empty_counts_as_token": True},
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
@settings(max_examples=100)
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
            (
                "tokenizer",
                "14a",
                TOKENIZERS_ACCEPTED,
            ),
            (
                "tokenizer",
                None,
                TOKENIZERS_ACCEPTED,
            ),
            (
                "tokenizer",
                ["13a"],
                TOKENIZERS_ACCEPTED,
            ),
            ("smoothing", "EXP", "exp, floor, add-k, none, nltk-0, nltk-4, nltk-5, nltk-6, nltk-7"),
            ("max_order", 0, "a whole number from 1 to 32"),
            ("max_order", 33, "a whole number from 1 to 32"),
            ("max_order", -1, "a whole number from 1 to 32"),
            ("max_order", 4.0, "a whole number from 1 to 32"),
            ("max_order", True, "a whole number from 1 to 32"),
            ("max_order", np.float64(4), "a whole number from 1 to 32"),
            ("max_order", None, "a whole number from 1 to 32"),
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
    @pytest.mark.parametrize(
        "value",
        [
            -0.1,
            -1,
            1.1e30,
            10**31,
            float("nan"),
            float("inf"),
            np.float64("nan"),
            "0.1",
            True,
            1j,
            [0.1],
            np.array(0.1),
        ],
    )
    def test_a_smoothing_value_that_is_no_number_from_0_to_the_limit(self, smoothing, value):
        with pytest.raises(InputError) as caught:
            BleuOptions(smoothing=smoothing, smoothing_value=value)
        assert str(caught.value) == (
            f"Option smoothing_value: this value is not accepted (found {value!r}, expected a number from 0 to 1e+30). "
            "Choose one of the accepted values."
        )

    @pytest.mark.parametrize(
        ("value", "found"), [(10**400, f"1{'0' * 79}…"), (10**5000, "a value of type int")], ids=["long", "too long"]
    )
    def test_a_number_too_long_for_python_or_for_a_message(self, value, found):
        for option in ("smoothing_value", "max_order"):
            with pytest.raises(InputError, match=rf"^Option {option}: this value is not accepted \(found {found}, "):
                BleuOptions(smoothing="floor", **{option: value})
        with pytest.raises(InputError, match=rf"^Option weights: this value is not accepted \(found {found}, "):
            BleuOptions(weights=[value, 0, 0, 0])

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


class Spelled(str, Enum):  # noqa: UP042  # a StrEnum is written as its value
    """Names as members of an enumeration, which are equal to them and are not written as they are."""

    TOKENIZER = "13a"
    SMOOTHING = "floor"
    LENGTH = "closest"
    LOWERCASE = "ascii"


SPELLINGS = {
    "tokenizer": ["13a", np.str_("13a"), Spelled.TOKENIZER],
    "lowercase": ["ascii", np.str_("ascii"), Spelled.LOWERCASE],
    "max_order": [4, np.int64(4), np.uint8(4)],
    "smoothing": ["floor", np.str_("floor"), Spelled.SMOOTHING],
    "effective_order": [True, np.True_],
    "reference_length": ["closest", Spelled.LENGTH],
    "smooths_without_match": [False, np.False_],
    "totals_at_least_one": [True, np.bool_(True)],
    "empty_counts_as_token": [True, np.bool_(True)],
    "smoothing_value": [1, 1.0, np.int8(1), np.float32(1), Fraction(2, 2)],
    "weights": [(1, 0, 0, 0), [1.0, -0.0, 0, 0], np.array([1, 0, 0, 0]), iter([Fraction(1), np.float16(0), 0, -0.0])],
}


class TestOneValueInSeveralForms:
    @pytest.mark.parametrize(("option", "forms"), SPELLINGS.items())
    def test_makes_options_with_one_hash_one_signature_and_one_text(self, option, forms):
        settings_of = [BleuOptions(**({"smoothing": "add-k", option: form})) for form in forms]
        assert len({(options, options.signature(1), repr(options)) for options in settings_of}) == 1

    @pytest.mark.parametrize("zero", [0, 0.0, -0.0, np.float64(-0.0), np.int64(0), Fraction(0)])
    def test_makes_a_zero_without_a_sign(self, zero):
        options = BleuOptions(smoothing="floor", smoothing_value=zero)
        assert "|smooth:floor[0.00]|" in options.signature(1)
        assert repr(options.smoothing_value) == "0.0"
        assert BleuOptions(max_order=2, weights=(zero, 1)).signature(1).count("|w:0,1|") == 1

    def test_is_none_where_python_alone_takes_it_for_equal(self):
        for option, value in (("lowercase", 1), ("effective_order", 1.0), ("max_order", True)):
            with pytest.raises(InputError):
                BleuOptions(**{option: value})


class TestOwnFields:
    """What is not sacreBLEU's own shows in the signature, before the version."""

    @pytest.mark.parametrize(
        ("options", "own"),
        [
            (BleuOptions(weights=(0.4, 0.3, 0.2, 0.1)), "|smooth:exp|w:0.4,0.3,0.2,0.1|version:"),
            (BleuOptions(max_order=2, weights=(0, 1)), "|smooth:exp|order:2|w:0,1|version:"),
            (BleuOptions(reference_length="shortest"), "|smooth:exp|len:shortest|version:"),
            (BleuOptions(reference_length="average"), "|smooth:exp|len:average|version:"),
            (BleuOptions(reference_length="none"), "|smooth:exp|len:none|version:"),
            (BleuOptions(length_tie="first"), "|smooth:exp|tie:first|version:"),
            (BleuOptions(length_tie="first", reference_length="none"), "|smooth:exp|len:none|tie:first|version:"),
            (BleuOptions(length_tie="first", reference_length="shortest"), "|smooth:exp|len:shortest|version:"),
            (BleuOptions(length_tie="first", reference_length="average"), "|smooth:exp|len:average|version:"),
            (BleuOptions(missing_order="one"), "|smooth:exp|missing:one|version:"),
            (BleuOptions(smooths_without_match=True), "|smooth:exp|nomatch:smoothed|version:"),
            (BleuOptions(totals_at_least_one=True), "|smooth:exp|totals:min1|version:"),
            (BleuOptions(empty_counts_as_token=True), "|smooth:exp|empty:token|version:"),
            (BleuOptions(lowercase="ascii"), "|case:lc|eff:no|tok:13a|smooth:exp|lower:ascii|version:"),
            (BleuOptions("ibleu", smoothing="nltk-4"), "|tok:ibleu|smooth:nltk-4|version:"),
        ],
    )
    def test_stand_before_the_version(self, options, own):
        assert own in options.signature(1)

    def test_are_left_out_where_they_say_nothing(self):
        for options in (
            BleuOptions(weights=(0.25,) * 4),
            BleuOptions(max_order=4, weights=(0.2500000001,) * 4),
        ):
            assert options.signature(1) == BleuOptions().signature(1)
        tied = BleuOptions(reference_length="shortest", length_tie="first")
        assert tied.signature(1) == BleuOptions(reference_length="shortest").signature(1)

    @given(data=st.data())
    @settings(max_examples=100)
    def test_tell_any_two_values_of_any_field_apart(self, data):
        values = {
            "lowercase": [False, True, "ascii"],
            "weights": [None, (0.4, 0.3, 0.2, 0.1), (0.4, 0.3, 0.1, 0.2), (1, 0, 0, 0), (1 / 3, 1 / 3, 1 / 3, 0)],
            "reference_length": REFERENCE_LENGTHS,
            "missing_order": MISSING_ORDERS,
            "smooths_without_match": [False, True],
            "totals_at_least_one": [False, True],
            "empty_counts_as_token": [False, True],
        }
        both = [BleuOptions(**{name: data.draw(st.sampled_from(of)) for name, of in values.items()}) for _ in "ab"]
        assert (both[0].signature(1) == both[1].signature(1)) is (both[0] == both[1])


class TestWeights:
    def test_become_a_tuple_of_floats(self):
        options = BleuOptions(weights=[1, 0, np.float32(0), np.int64(0)])
        assert options.weights == (1.0, 0.0, 0.0, 0.0)
        assert {type(weight) for weight in options.weights} == {float}
        assert hash(options) == hash(BleuOptions(weights=(1.0, 0.0, 0.0, 0.0)))

    @pytest.mark.parametrize("weights", [(0.25,) * 4, (1 / 3, 1 / 3, 1 / 3), (0.1,) * 10, (0.5, 0.5 + 9e-10)])
    def test_may_miss_1_by_what_floating_point_does(self, weights):
        assert BleuOptions(max_order=len(weights), weights=weights).weights == weights

    @pytest.mark.parametrize(
        ("weights", "message"),
        [
            (
                (0.5, 0.5),
                "Option weights: the number of weights is not that of the orders (found 2, expected 4). "
                "Give one weight for each order from 1 to max_order.",
            ),
            (
                (0.4, 0.3, 0.2, 0.2),
                "Option weights: the weights do not sum to 1 (found 1.1, expected 1). Divide each weight by their sum.",
            ),
            (
                (0.5, 0.5, 0.5, -0.5),
                "Option weights: this value is not accepted (found -0.5, expected numbers of at least 0). "
                "Choose one of the accepted values.",
            ),
        ],
    )
    def test_that_are_no_distribution_over_the_orders_are_refused(self, weights, message):
        with pytest.raises(InputError) as caught:
            BleuOptions(weights=weights)
        assert str(caught.value) == message

    @pytest.mark.parametrize("weight", [float("nan"), float("inf"), "1", None, True, 1j])
    def test_that_are_no_numbers_are_refused(self, weight):
        with pytest.raises(InputError) as caught:
            BleuOptions(weights=(weight, 0, 0, 0))
        assert str(caught.value) == (
            f"Option weights: this value is not accepted (found {weight!r}, expected numbers of at least 0). "
            "Choose one of the accepted values."
        )

    @pytest.mark.parametrize("n_weights", [33, 50])
    def test_that_are_far_too_many_are_refused_even_without_an_end(self, n_weights):
        for weights in ([1 / n_weights] * n_weights, repeat(0.25)):
            with pytest.raises(InputError, match=r"that of the orders \(found more than 32, expected 4\)"):
                BleuOptions(weights=weights)

    @pytest.mark.parametrize("weights", [(1.8e308, 0, 0, 0), (1e308,) * 4])
    def test_that_are_beyond_any_sum_are_refused(self, weights):
        with pytest.raises(InputError, match=r"^Option weights: .*\(found inf, expected"):
            BleuOptions(weights=weights)

    @pytest.mark.parametrize("weights", ["1,0,0,0", 1, 0.25, b"1000", {1, 0}, {1: 1, 2: 0, 3: 0, 4: 0}])
    def test_that_are_no_list_are_refused(self, weights):
        with pytest.raises(InputError) as caught:
            BleuOptions(weights=weights)
        assert str(caught.value) == (
            f"Option weights: this value is not accepted (found {weights!r}, expected one number for each order). "
            "Choose one of the accepted values."
        )

    @pytest.mark.parametrize("smoothing", ["nltk-5", "nltk-7"])
    @pytest.mark.parametrize(
        ("weights", "found"), [(None, "no weights"), ((0.25,) * 4, "a last weight of 0.25"), ((0, 0, 0, 1), "1")]
    )
    def test_leave_out_the_last_order_where_smoothing_needs_it_as_a_neighbour(self, smoothing, weights, found):
        with pytest.raises(InputError) as caught:
            BleuOptions(smoothing=smoothing, weights=weights)
        found = found if " " in found else f"a last weight of {found}"
        assert str(caught.value) == (
            f"Option weights: smoothing '{smoothing}' needs one order more than it smooths (found {found}, expected a "
            "last weight of 0). Raise max_order by one and give the last order the weight 0."
        )


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("lowercase", "ASCII", "False, True, 'ascii'"),
        ("lowercase", None, "False, True, 'ascii'"),
        ("lowercase", 1, "False, True, 'ascii'"),
        ("lowercase", np.array([True, False]), "False, True, 'ascii'"),
        ("effective_order", 1, "True or False"),
        ("effective_order", "no", "True or False"),
        ("effective_order", float("nan"), "True or False"),
        ("tokenizer", b"13a", TOKENIZERS_ACCEPTED),
        ("tokenizer", np.array(["13a", "intl"]), TOKENIZERS_ACCEPTED),
        ("reference_length", "longest", "closest, shortest, average, none"),
        ("reference_length", None, "closest, shortest, average, none"),
        ("length_tie", "longer", "shorter, first"),
        ("missing_order", 1, "zero, one"),
        ("smooths_without_match", 1, "True or False"),
        ("totals_at_least_one", None, "True or False"),
        ("empty_counts_as_token", "no", "True or False"),
    ],
)
def test_a_value_that_is_not_one_of_the_accepted_is_refused_with_the_list_of_them(field, value, expected):
    with pytest.raises(InputError) as caught:
        BleuOptions(**{field: value})
    assert str(caught.value) == (
        f"Option {field}: this value is not accepted (found {value!r}, expected {expected}). "
        "Choose one of the accepted values."
    )


@pytest.mark.parametrize("order", [1, MAX_ORDER_LIMIT])
def test_the_limits_of_the_order_are_accepted(order):
    assert BleuOptions(max_order=order).max_order == order
