"""sacreBLEU's two functions: its numbers to the last digit, and calls that are not its own."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import bleucore
import bleuscope
from bleucore import BleuResult, InputError, corpus_bleu, sentence_bleu

WORDS = st.lists(
    st.sampled_from(["a", "b", "c", "A", ".", ",", "1.5", "\u4e2d\u6587", " ", "\u3000", "\n", "x-y"]), max_size=9
)
TEXTS = WORDS.map(" ".join) | st.text(max_size=8).filter(lambda text: text.isprintable())
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0.1, 1, 2.5]),
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from(["13a", "intl", "char", "zh", "none"]),
        "use_effective_order": st.booleans(),
    },
)


def assert_the_same(ours, theirs):
    for name in ("score", "bp", "sys_len", "ref_len"):
        assert getattr(ours, name) == getattr(theirs, name)
    for name in ("counts", "totals", "precisions"):
        assert list(getattr(ours, name)) == list(getattr(theirs, name))
    assert str(ours) == str(theirs)


@given(st.lists(st.tuples(TEXTS, TEXTS, st.none() | TEXTS), min_size=1, max_size=4), st.integers(1, 2), SETTINGS)
def test_of_a_corpus_are_sacrebleus(rows, n_references, settings):
    hypotheses, *references = (list(column) for column in zip(*rows, strict=True))
    given_to = (hypotheses, references[:n_references])
    assert_the_same(corpus_bleu(*given_to, **settings), sacrebleu.corpus_bleu(*given_to, force=True, **settings))


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), SETTINGS)
def test_of_a_sentence_are_sacrebleus(hypothesis, references, settings):
    ours = sentence_bleu(hypothesis, references, **settings)
    assert_the_same(ours, sacrebleu.sentence_bleu(hypothesis, references, **settings))


def test_arguments_have_sacrebleus_order():
    given_to = (["a b c d"], [["a b c e"]], "floor", 0.2, True, True, "intl", True)
    assert_the_same(corpus_bleu(*given_to), sacrebleu.corpus_bleu(*given_to))
    given_to = ("a b c d", ["a b c e"], "floor", 0.2, True, "intl", False)
    assert_the_same(sentence_bleu(*given_to), sacrebleu.sentence_bleu(*given_to))


def test_the_signature_names_the_references():
    assert corpus_bleu(["a", "b"], [["a", "b"], [None, ""]]).signature.startswith("nrefs:var|")
    assert sentence_bleu("a", ["a", "b"]).signature.startswith("nrefs:2|case:mixed|eff:yes|tok:13a|smooth:exp|")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: corpus_bleu(["a"], ["a"]), "Write corpus_bleu(hypotheses, [references])."),
        (lambda: corpus_bleu("a", [["a"]]), "Write corpus_bleu(hypotheses, [references])."),
        (lambda: corpus_bleu(["a"], "a"), "Write corpus_bleu(hypotheses, [references])."),
        (lambda: sentence_bleu("a", "a"), "Write sentence_bleu(hypothesis, [reference])."),
        (lambda: sentence_bleu(["a"], ["a"]), "Write sentence_bleu(hypothesis, [reference])."),
        (lambda: corpus_bleu(["a"], [["a", "b"]]), "Every file needs one line per segment"),
        (lambda: corpus_bleu([], [[]]), "Give at least one segment."),
        (lambda: corpus_bleu(["a"], None), "found NoneType, expected lists of strings"),
        (lambda: sentence_bleu("a", 3), "Write sentence_bleu(hypothesis, [reference])."),
        (lambda: corpus_bleu(["a"], [["a"]], smooth_method=["exp"]), "found ['exp']"),
    ],
)
def test_another_call_is_refused_with_the_right_one(call, said):
    with pytest.raises(InputError) as caught:
        call()
    assert said in str(caught.value)


def test_a_notebook_shows_a_table_in_which_nothing_is_markup():
    made = corpus_bleu(["a b"], [["a b"]])
    assert isinstance(made, BleuResult)
    assert made._repr_html_().startswith("<table>")
    assert "nrefs:1|" in made._repr_html_()
    hostile = BleuResult(np.float64(1), (1,), (1,), (1.0,), 1.0, 1, 1, "<script>")
    assert "<script>" not in hostile._repr_html_()


def test_the_package_offers_them_with_its_version_and_its_public_names_alone():
    assert bleuscope.corpus_bleu is corpus_bleu
    assert set(dir(bleuscope)) == {*bleuscope.notebook.__all__, "__version__"}
    assert all(getattr(bleuscope, name) is not None for name in dir(bleuscope))
    assert bleuscope.__version__ == bleucore.__version__
    namespace = {}
    exec("from bleuscope import *", namespace)
    assert set(dir(bleuscope)) <= set(namespace)
    assert "import_module" not in namespace
