"""Every field of every class of options says once what it accepts, what it changes and how a signature says it."""

from dataclasses import fields, replace

import numpy as np
import pytest

from bleucore import BleuOptions, InputError, System, TestSet
from bleucore.analysis.explanation import explain_difference
from bleucore.declarations import Declaration, declarations
from bleucore.evaluation import evaluate_metric
from bleucore.metrics import bleu
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.ter import TerOptions
from bleucore.significance import SignificanceOptions

OTHER = {
    BleuOptions(): {
        "tokenizer": "char",
        "lowercase": True,
        "max_order": 3,
        "smoothing": "none",
        "effective_order": True,
        "reference_length": "shortest",
        "length_tie": "first",
        "missing_order": "one",
        "smooths_without_match": True,
        "totals_at_least_one": True,
        "empty_counts_as_token": True,
        "weights": (0.4, 0.3, 0.2, 0.1),
    },
    BleuOptions(smoothing="floor"): {"smoothing_value": 0.2},
    ChrfOptions(): {
        "char_order": 4,
        "word_order": 2,
        "beta": 3,
        "lowercase": True,
        "whitespace": True,
        "eps_smoothing": True,
    },
    TerOptions(): {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True},
    SignificanceOptions(): {
        "test": "paired-bootstrap",
        "level": 0.01,
        "trials": 99,
        "resamples": 99,
        "seed": 1,
        "unit": "document",
        "correction": "holm",
    },
    SignificanceOptions(test="block-t"): {
        "n_blocks": 12,
        "block_size": 25,
        "remainder": "spread",
        "shuffle_seed": 0,
    },
}
"""Each setting by another value than its default."""
CASES = [(usual, name, value) for usual, values in OTHER.items() for name, value in values.items()]
TEXTS = TestSet(
    [System("s", ["The cat, sat on A mat .", "", "a b", "Dogs ran in the Park today"])],
    [
        ["The cat sat on the mat .", "x y", "a b c", "dogs ran in a park"],
        ["a Cat, sits there", "", "a", "The dogs run in the park"],
    ],
)


def said(options):
    """The name and the signature: what a number is cited with."""
    signature = options.signature() if isinstance(options, SignificanceOptions) else options.signature(2)
    return getattr(options, "name", ""), signature


class TestEverySetting:
    @pytest.mark.parametrize("options", dict.fromkeys(map(type, OTHER)))
    def test_is_declared_with_its_default_and_has_a_case_here(self, options):
        assert all(isinstance(one, Declaration) for one in declarations(options).values())
        for one in fields(options):
            assert declarations(options)[one.name].default == one.default
        assert set(declarations(options)) == {name for usual, name, _ in CASES if isinstance(usual, options)}

    @pytest.mark.parametrize(("usual", "name", "value"), CASES)
    def test_is_in_the_signature_or_the_name(self, usual, name, value):
        changed = replace(usual, **{name: value})
        assert said(changed) != said(usual)
        assert said(replace(changed, **{name: getattr(usual, name)})) == said(usual)

    @pytest.mark.parametrize(("usual", "name", "_value"), CASES)
    def test_refuses_what_it_does_not_accept(self, usual, name, _value):
        with pytest.raises(InputError, match=f"Option {name}: "):
            replace(usual, **{name: object()})


class TestWhatItChanges:
    def counts(self, options):
        return evaluate_metric(TEXTS, options).systems["s"].counts

    @pytest.mark.parametrize(("usual", "name", "value"), [case for case in CASES if isinstance(case[0], BleuOptions)])
    def test_of_bleu_leaves_counts_alone_where_it_changes_scores_only(self, usual, name, value):
        usual = replace(usual, reference_length="closest")
        changed = replace(usual, **{name: value})
        if declarations(usual)[name].changes == "scores":
            assert np.array_equal(self.counts(usual), self.counts(changed))
        else:
            assert not np.array_equal(self.counts(usual), self.counts(changed))

    @pytest.mark.parametrize(("usual", "name", "value"), [case for case in CASES if isinstance(case[0], BleuOptions)])
    def test_of_bleu_gives_the_score_of_a_whole_evaluation_when_counts_are_used_again(self, usual, name, value):
        changed = replace(usual, **{name: value})
        found = explain_difference(TEXTS, usual, changed)
        assert found.systems["s"].second == bleu.scores(self.counts(changed).sum(axis=0), changed)
