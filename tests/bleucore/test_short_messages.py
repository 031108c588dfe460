"""Whatever is given, messages and representations are short."""

import pytest

from bleucore import (
    BleuOptions,
    ChrfOptions,
    InputError,
    System,
    TerOptions,
    TestSet,
    corpus_bleu,
    evaluate,
    evaluate_parts,
    partition_counts,
)
from bleucore.errors import MOST_EXPECTED, MOST_FOUND
from bleucore.significance import SignificanceOptions
from bleuscope import Settings, compare, scores_table

N = 20_000
ENORMOUS = [
    ["a text of some words"] * N,
    "x" * 10**6,
    "\ud800" * 10**5,
    {f"key {n}": "x" for n in range(N)},
    b"\x00" * 10**6,
    10**5000,
    [["x" * 1000] * 50] * 50,
    ["x" * 10**6],
    ["x" * 10**6, 3],
]
TEXTS = ["a b"]
CALLS = {
    "evaluate": lambda one: evaluate(one, one),
    "options": lambda one: evaluate(TestSet([System("a", TEXTS)], [TEXTS]), one),
    "metrics": lambda one: evaluate(TestSet([System("a", TEXTS)], [TEXTS]), metrics=[one]),
    "tokenizer": BleuOptions,
    "weights": lambda one: BleuOptions(weights=one),
    "order": ChrfOptions,
    "case": TerOptions,
    "test": lambda one: SignificanceOptions(test=one),
    "name": lambda one: System(one, TEXTS),
    "texts": lambda one: System("a", one),
    "systems": lambda one: TestSet(one, [TEXTS]),
    "references": lambda one: TestSet([System("a", TEXTS)], one),
    "reference names": lambda one: TestSet([System("a", TEXTS)], [TEXTS], reference_names=one),
    "labels": lambda one: TestSet([System("a", TEXTS)], [TEXTS], labels=one),
    "system": lambda one: TestSet([System("a", TEXTS)], [TEXTS]).system(one),
    "compare": lambda one: compare(TestSet([System("a", TEXTS)], [TEXTS]), Settings(baseline=one)),
    "corpus_bleu": lambda one: corpus_bleu(one, one),
}


def refusal(call, one):
    """The error that this ends with; ``None`` where it is accepted, or is what no type checker lets through."""
    try:
        CALLS[call](one)
    except InputError as error:
        return error
    except (TypeError, AttributeError):
        pass
    return None


@pytest.mark.parametrize("call", CALLS)
def test_a_message_quotes_little_of_what_is_given(call):
    found = [refusal(call, one) for one in ENORMOUS]
    assert any(found)
    for error in filter(None, found):
        assert len(str(error)) < 2_000
        assert len(error.found or "") <= MOST_FOUND
        assert len(error.expected or "") <= MOST_EXPECTED


LISTS = ["a text"] * N


@pytest.mark.parametrize(
    "call",
    [
        lambda: evaluate(LISTS),
        lambda: evaluate(LISTS, LISTS),
        lambda: evaluate(LISTS, [LISTS], metrics=[ChrfOptions()]),
        lambda: compare(LISTS),
        lambda: compare(LISTS, [LISTS]),
        lambda: partition_counts(LISTS, BleuOptions()),
        lambda: evaluate_parts(LISTS),
    ],
)
def test_a_call_of_sacrebleus_form_is_refused_with_what_to_write(call):
    with pytest.raises(
        InputError, match=r"^The test set: this is not a test set \(found .*, expected TestSet"
    ) as caught:
        call()
    assert str(caught.value).endswith("For lists alone there is corpus_bleu(hypotheses, [references]).")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: evaluate(MADE, metrics=ChrfOptions()), "Put them into a list, as in metrics=[ChrfOptions()]."),
        (lambda: evaluate(MADE, metrics="chrf"), "The metrics: this is not a list (found 'chrf'"),
        (lambda: compare(MADE, Settings(metrics="chrf")), "The metrics: this is not a list (found 'chrf'"),
        (lambda: compare(MADE, Settings(metrics=["chrf"])), "these are not the settings of a metric (found 'chrf'"),
        (lambda: compare(MADE, LISTS), "these are not the settings of a comparison"),
        (lambda: compare(MADE, ""), "these are not the settings of a comparison (found ''"),
    ],
)
def test_other_settings_are_refused_with_what_to_write(call, said):
    with pytest.raises(InputError) as caught:
        call()
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300


def test_any_error_is_short():
    error = InputError("p" * 10**6, where="w" * 10**6, found="f" * 10**6, expected="e" * 10**6, remedy="r" * 10**6)
    assert len(str(error)) < 3_000


HOSTILE = "<script>alert(1)</script>\u202e\n"
MADE = TestSet([System(f"{HOSTILE.strip()} {n}", ["a b c d"] * 500) for n in range(3)], [["a b c e"] * 500])
EVALUATION = evaluate(MADE, metrics=[ChrfOptions()])
STUDY = compare(MADE, Settings(significance=SignificanceOptions(trials=50, resamples=50)))
VALUES = [
    MADE,
    MADE.systems[0],
    EVALUATION,
    EVALUATION.bleu,
    next(iter(EVALUATION.bleu.systems.values())),
    next(iter(EVALUATION.systems.values())),
    next(iter(EVALUATION.systems.values())).score,
    partition_counts(MADE, BleuOptions()),
    STUDY,
    STUDY.comparison,
    scores_table(STUDY),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda one: type(one).__name__)
def test_a_representation_is_short(value):
    assert len(repr(value)) <= 1_000
    assert repr(value).startswith(type(value).__name__)


@pytest.mark.parametrize(
    "value", [one for one in VALUES if hasattr(one, "_repr_html_")], ids=lambda one: type(one).__name__
)
def test_what_a_notebook_shows_is_escaped(value):
    assert "<script>" not in value._repr_html_()
