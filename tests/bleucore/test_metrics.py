"""Every metric takes the same way: counts that add up over segments, and scores of such counts."""

import importlib

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

from bleucore import InputError, System, TestSet, evaluate
from bleucore.analysis.matches import match_segment
from bleucore.evaluation import evaluate_metric
from bleucore.metrics import METRICS
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.segment_scores import SegmentScores, read_segment_scores
from bleucore.metrics.ter import TerOptions
from bleucore.options import BleuOptions

HYPOTHESES = {
    "close": ["the cat sat on the mat .", "it rains", "", "a b c d"],
    "far": ["mat the on sat", "it is raining cats", "nothing", "d c b a"],
}
REFERENCES = [
    ["the cat sat on a mat .", "it rains", "something", "a b c d"],
    ["a cat was sitting there", None, "some thing", "a b c e"],
]
ALL = (ChrfOptions(), ChrfOptions(word_order=2), TerOptions())


@pytest.fixture(scope="module")
def test_set():
    return TestSet([System(name, texts) for name, texts in HYPOTHESES.items()], REFERENCES)


@pytest.fixture(scope="module")
def evaluation(test_set):
    return evaluate(test_set, metrics=ALL)


def test_metrics_come_in_the_order_asked_for_with_bleu_first(evaluation):
    assert list(evaluation.metrics) == ["BLEU", "chrF2", "chrF2++", "TER"]
    assert [metric.higher_is_better for metric in evaluation.metrics.values()] == [True, True, True, False]


def test_bleu_among_the_metrics_is_the_bleu_of_the_systems(evaluation):
    for name, result in evaluation.systems.items():
        bleu = evaluation.metrics["BLEU"].systems[name]
        assert bleu.score == result.score.score
        assert bleu.counts is result.counts
        assert bleu.segment_scores is result.segment_scores
    assert evaluation.metrics["BLEU"].signature == evaluation.signature


@pytest.mark.parametrize(("name", "oracle"), [("chrF2", CHRF()), ("chrF2++", CHRF(word_order=2)), ("TER", TER())])
def test_scores_and_signatures_are_those_of_sacrebleu(evaluation, name, oracle):
    metric = evaluation.metrics[name]
    for system, texts in HYPOTHESES.items():
        assert metric.systems[system].score == pytest.approx(oracle.corpus_score(texts, REFERENCES).score, abs=1e-9)
        for index, text in enumerate(texts):
            references = [column[index] for column in REFERENCES if column[index] is not None]
            expected = oracle.sentence_score(text, references).score
            assert metric.systems[system].segment_scores[index] == pytest.approx(expected, abs=1e-9)
    oracle.corpus_score(HYPOTHESES["close"], REFERENCES)
    assert metric.signature == oracle.get_signature().format()


def test_the_best_system_comes_first_whichever_way_a_metric_points(evaluation):
    for metric in evaluation.metrics.values():
        assert metric.ranked() == ("close", "far")
    assert evaluation.metrics["TER"].systems["close"].score < evaluation.metrics["TER"].systems["far"].score


@pytest.mark.parametrize("name", ["BLEU", "chrF2", "TER"])
def test_groups_of_segments_score_as_the_segments_alone_would(test_set, evaluation, name):
    groups = np.array([0, 1, -1, 0])
    part = TestSet(
        [System(system.name, [system.hypotheses[0], system.hypotheses[3]]) for system in test_set.systems],
        [[column[0], column[3]] for column in REFERENCES],
    )
    options = evaluation.metrics[name].options
    for system in HYPOTHESES:
        grouped = evaluation.metrics[name].group_scores(system, groups, 2)
        assert grouped[0] == pytest.approx(evaluate_metric(part, options).systems[system].score, abs=1e-12)


def test_results_cannot_be_changed(evaluation):
    for metric in evaluation.metrics.values():
        for result in metric.systems.values():
            for array in (result.counts, result.segment_scores):
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = 1


def test_progress_goes_through_all_metrics_to_the_end(test_set):
    shares = []
    evaluate(test_set, metrics=[TerOptions(), ChrfOptions()], progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_metric_asked_for_twice_is_refused(test_set):
    with pytest.raises(InputError) as caught:
        evaluate(test_set, metrics=[ChrfOptions(), ChrfOptions(lowercase=True)])
    assert str(caught.value) == (
        "The metrics: a metric is asked for twice (found chrF2). "
        "Ask for each metric once; evaluate again for other settings of it."
    )


def test_scores_read_from_a_file_are_a_metric_by_their_columns_name(test_set):
    lines = ["system\tsegment\tcomet", "close\t1\t0.9", "close\t2\t0.7", "far\t1\t0.2"]
    (scores,) = read_segment_scores("scores.tsv", "\n".join(lines).encode())
    metric = evaluate(test_set, metrics=[scores]).metrics["comet"]
    assert metric.systems["close"].score == pytest.approx(0.8)
    assert metric.systems["far"].score == pytest.approx(0.2)
    assert metric.systems["close"].segment_scores.tolist() == [0.9, 0.7, 0.0, 0.0]
    assert metric.ranked() == ("close", "far")
    assert metric.signature == "mean of the segment scores in scores.tsv"
    assert metric.group_scores("close", np.array([0, 0, 1, 1]), 2).tolist() == pytest.approx([0.8, np.nan], nan_ok=True)


def test_every_kind_of_settings_has_its_metric():
    assert set(METRICS) >= {BleuOptions, ChrfOptions, TerOptions, SegmentScores}


JAPANESE = ["今日は天気がいいです。", "すもももももももものうち。"]
JAPANESE_REFERENCE = ["今日は天気がとてもいいです。", "すもももももものうち。"]


def test_an_external_tokenizer_scores_and_signs_as_in_sacrebleu():
    test_set = TestSet([System("one", JAPANESE)], [JAPANESE_REFERENCE])
    evaluation = evaluate(test_set, BleuOptions("ja-mecab"))
    oracle = BLEU(tokenize="ja-mecab")
    assert evaluation.systems["one"].score.score == pytest.approx(
        oracle.corpus_score(JAPANESE, [JAPANESE_REFERENCE]).score, abs=1e-9
    )
    assert evaluation.signature == oracle.get_signature().format()


def test_tokens_of_an_external_tokenizer_stand_in_the_text_as_written():
    text = "今日は 天気がいいです。"
    found = match_segment(text, [text], BleuOptions("ja-mecab"))
    assert "".join(text[start:end] for start, end in (token.span for token in found.tokens)) == text.replace(" ", "")
    assert {token.order for token in found.tokens} == {4}


def test_an_external_tokenizer_that_is_not_there_is_named(monkeypatch, tmp_path):
    module = importlib.import_module("sacrebleu.tokenizers.tokenizer_spm")
    monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(InputError, match="SentencePiece model is not there"):
        evaluate(TestSet([System("one", ["a"])], [["a"]]), BleuOptions("flores200"))
