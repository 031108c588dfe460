"""Scores that others published, reproduced; and sacreBLEU's of a made corpus, where those data are not at hand."""

import csv
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from bleucore import System, TestSet, evaluate

DATA = Path(__file__).parents[2].parent / "shared" / "data"
WMT = [path for name in ("wmt22-en-de", "wmt22-zh-en") if (path := DATA / name).is_dir()]
OF_EVERY_CORPUS = pytest.mark.parametrize(
    "source",
    [pytest.param(None, id="made"), *(pytest.param(path, id=path.name, marks=pytest.mark.thorough) for path in WMT)],
)
METRICS = {"bleu-A": ("A",), "bleu-B": ("B",), "bleu-all": ("A", "B")}


def segments(path):
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def published_corpus(folder):
    """Hypotheses by system, references A and B, and the published score of each system and metric."""
    hypotheses = {path.stem: segments(path) for path in sorted((folder / "systems").glob("*.txt"))}
    references = {name: segments(folder / f"reference.{name}.txt") for name in "AB"}
    with (folder / "published_scores.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    scores = {
        (row["system"], row["metric"]): float(row["score"])
        for row in rows
        if row["metric"] in METRICS and row["system"] in hypotheses
    }
    return hypotheses, references, scores


@cache
def made_corpus():
    """The same of noisy copies of random text, with sacreBLEU's scores."""
    rng = np.random.default_rng(22)
    words = np.array([*"abcdefghijklmnopqrstuvwxyz", "1,000", "2024.", "Straße,", "&amp;", "“so”", "e-mail", "3-4"])

    def noisy(texts, share):
        return [" ".join(word for word in text.split(" ") if rng.random() > share) for text in texts]

    truth = [" ".join(rng.choice(words, rng.integers(1, 30))) for _ in range(400)]
    references = {"A": truth, "B": noisy(truth, 0.2)}
    hypotheses = {"close": noisy(truth, 0.1), "far": noisy(truth, 0.5)}
    scores = {
        (system, metric): BLEU().corpus_score(column, [references[name] for name in names]).score
        for system, column in hypotheses.items()
        for metric, names in METRICS.items()
    }
    return hypotheses, references, scores


@OF_EVERY_CORPUS
def test_corpus_bleu_of_every_system_is_the_published_one(source):
    hypotheses, references, published = published_corpus(source) if source else made_corpus()
    systems = [System(name, column) for name, column in hypotheses.items()]
    found = {
        (name, metric): result.score.score
        for metric, names in METRICS.items()
        for name, result in evaluate(TestSet(systems, [references[n] for n in names])).systems.items()
    }
    assert found == pytest.approx(published, abs=1e-6)
    assert len(published) == 3 * len(hypotheses) >= 6


@OF_EVERY_CORPUS
def test_segment_bleu_of_every_system_is_sacrebleus(source):
    hypotheses, references, _ = published_corpus(source) if source else made_corpus()
    chosen = dict(list(hypotheses.items())[:2])
    evaluation = evaluate(
        TestSet([System(name, column) for name, column in chosen.items()], [references["A"], references["B"]])
    )
    metric = BLEU(effective_order=True)
    step = max(1, len(references["A"]) // 200)
    for name, column in chosen.items():
        rows = range(0, len(column), step)
        expected = [metric.sentence_score(column[r], [references["A"][r], references["B"][r]]).score for r in rows]
        assert evaluation.systems[name].segment_scores[::step] == pytest.approx(expected, abs=1e-9)


def test_two_halves_of_the_made_corpus_add_up_to_the_whole():
    hypotheses, references, _ = made_corpus()
    counts = [
        evaluate(TestSet([System("close", hypotheses["close"][start:end])], [references["A"][start:end]]))
        .systems["close"]
        .counts.sum(axis=0)
        for start, end in pairwise([0, 150, 400])
    ]
    whole = evaluate(TestSet([System("close", hypotheses["close"])], [references["A"]])).systems["close"]
    assert (np.sum(counts, axis=0) == whole.counts.sum(axis=0)).all()
