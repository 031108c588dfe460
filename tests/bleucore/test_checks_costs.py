"""What a finding costs: BLEU of repaired texts less BLEU of the texts as they are. Faults are planted in clean ones."""

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from bleucore import TestSet, evaluate
from bleucore.checks import check

PROGRAM = Path(__file__).parents[1] / "benchmarks" / "planted_faults.py"
_spec = importlib.util.spec_from_file_location("planted_faults", PROGRAM)
planted_faults = importlib.util.module_from_spec(_spec)
sys.modules["planted_faults"] = planted_faults  # dataclasses look their module up
_spec.loader.exec_module(planted_faults)

N_PLANTED = 8
INDEX = 1
EXACT = 1e-9


def change(name):
    """How ``planted_faults`` strikes one text."""
    return planted_faults.FAULTS[name].change


def _loop_with_rest(place, rng):
    words = place.text.split()
    start = int(rng.integers(0, len(words) - 3))
    return " ".join(words[: start + 3] + words[start : start + 3] * 6 + words[start + 3 :])


def _misread(place, _rng):
    return place.text.encode().decode("latin-1")


def _with_tags_for_blanks(place, _rng):
    return place.text.replace(" ", "<br/>", 2)


def _with_separators_for_blanks(place, _rng):
    return place.text.replace(" ", "\u2028", 1)


UNIQUE = {
    "preamble": ("preambles", change("preamble")),
    "preamble in other words": ("preambles", change("preamble, fitted")),
    "note": ("notes", change("note")),
    "note in other words": ("notes", change("note, fitted")),
    "quotation marks": ("quoted-outputs", change("quotation marks")),
    "Markdown": ("markup", change("Markdown")),
    "token of a model": ("special-tokens", change("token of a model")),
    "pieces of words": ("subword-marks", change("pieces of words")),
    "escapes": ("escaped-text", change("escapes")),
    "tokenised": ("tokenised-text", change("tokenised")),
    "read as Latin-1": ("wrong-decoding", _misread),
    "decomposed letters": ("mixed-normal-forms", change("decomposed letters")),
    "byte-order mark": ("byte-order-marks", change("byte-order mark")),
    "NUL": ("control-characters", change("NUL")),
    "U+2028": ("line-separators", _with_separators_for_blanks),
    "tags": ("html-tags", _with_tags_for_blanks),
    "soft hyphens": ("invisible-characters", change("soft hyphens")),
    "look-alike letters": ("look-alike-letters", change("look-alike letters")),
    "full-width letters": ("full-width-letters", change("full-width letters")),
    "source before it": ("source-words", change("source before it")),
    "loop": ("repetition-loops", _loop_with_rest),
}
UNKNOWN = {
    "empty lines": "empty-lines",
    "source copied": "copied-source",
    "line written twice": "duplicated-lines",
    "another script": "wrong-script",
    "cut off": "truncated-outputs",
    "refusal": "refusals",
    "lost characters": "replacement-characters",
    "another language": "another-language",
}


@pytest.fixture(scope="module")
def clean():
    """Three systems of the sample, of which the checks say nothing that can be repaired."""
    sample = planted_faults.load(planted_faults.SAMPLE)
    return TestSet(
        [sample.system(name) for name in ("fluent", "online", "neural-40k")], sample.references, sample.source
    )


def score(test_set, index=INDEX):
    return list(evaluate(test_set).systems.values())[index].score.score


def struck(clean, name, strike):
    """The test set with a fault in some texts of a system, and where."""
    rng = np.random.default_rng([1, *name.encode()])
    hypotheses = list(clean.systems[INDEX].hypotheses)
    texts, planted = list(hypotheses), set()
    for segment in rng.permutation(len(texts)).tolist():
        place = planted_faults.Place(hypotheses, segment, clean)
        is_alone = planted.isdisjoint({segment - 1, segment + 1})
        can_be_told = len(place.text.split()) >= 8 and planted_faults.FAULTS["quotation marks"].fits(place)
        if len(planted) < N_PLANTED and is_alone and segment and can_be_told:
            texts[segment] = strike(place, rng)
            planted |= {segment} if texts[segment] != place.text else set()
    return planted_faults.with_hypotheses(clean, INDEX, texts), planted


def finding_of(test_set, name, kind="system", index=INDEX):
    (finding,) = [one for one in check(test_set) if (one.check, one.kind, one.index) == (name, kind, index)]
    return finding


@pytest.mark.parametrize("name", UNIQUE)
@pytest.mark.thorough
def test_a_fault_costs_what_the_clean_text_scores_more(clean, name):
    check_name, strike = UNIQUE[name]
    faulty, planted = struck(clean, name, strike)
    finding = finding_of(faulty, check_name)
    assert set(finding.segments.tolist()) >= planted
    assert finding.repair.is_whole
    hypotheses = clean.systems[INDEX].hypotheses
    texts = dict(zip(finding.repair.segments.tolist(), finding.repair.texts, strict=True))
    n_restored = sum(text == hypotheses[segment] for segment, text in texts.items())
    assert n_restored >= 0.8 * len(planted)
    cost = score(clean) - score(faulty)
    assert finding.cost == pytest.approx(cost, abs=EXACT if n_restored == len(texts) else 0.05)


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.thorough
def test_what_nobody_can_repair_has_no_cost(clean, name):
    faulty, _ = struck(clean, name, change(name))
    finding = finding_of(faulty, UNKNOWN[name])
    assert finding.repair is None
    assert finding.cost is None


def test_shifted_lines_cost_what_the_lines_in_their_places_score_more(clean):
    texts = list(clean.systems[INDEX].hypotheses)
    whole = planted_faults.with_hypotheses(clean, INDEX, [*texts[:-1], ""])
    late = planted_faults.with_hypotheses(clean, INDEX, [*texts[:100], "", *texts[100:-1]])
    finding = finding_of(late, "shifted-lines")
    assert not finding.repair.is_whole
    assert finding.cost == pytest.approx(score(whole) - score(late), abs=0.05)
    assert finding.cost < score(clean) - score(late)


def test_shifted_lines_of_a_reference_cost_the_systems(clean):
    (first, second) = clean.references
    late = TestSet(clean.systems, [[*first[:100], "", *first[100:-1]], second], clean.source)
    finding = finding_of(late, "shifted-lines", "reference", 0)
    gains = [score(clean, index) - score(late, index) for index in range(len(clean.systems))]
    assert finding.cost == pytest.approx(np.median(gains), abs=0.3)  # the last line is lost


def test_lines_in_another_order_cost_what_those_that_are_found_gain(clean):
    texts = list(clean.systems[INDEX].hypotheses)
    moved = [*texts[:20], *texts[120:150], *texts[50:120], *texts[20:50], *texts[150:]]
    faulty = planted_faults.with_hypotheses(clean, INDEX, moved)
    finding = finding_of(faulty, "reordered-lines")
    assert finding.repair.is_whole or finding.cost <= score(clean) - score(faulty) + 0.05
    assert finding.cost >= 0.8 * (score(clean) - score(faulty))


def test_a_fault_that_raises_the_score_costs_less_than_nothing(clean):
    texts = [re.sub(r"\W+", " ", text).split() for text in clean.systems[INDEX].hypotheses]
    short = [" ".join(words[: len(words) // 2 + 1]) + "." for words in texts]
    system = planted_faults.with_hypotheses(clean, INDEX, short)
    strike = planted_faults.with_hypotheses(
        clean, INDEX, [f"Translation: {text}" if segment % 2 else text for segment, text in enumerate(short)]
    )
    finding = finding_of(strike, "preambles")
    assert finding.cost == pytest.approx(score(system) - score(strike), abs=EXACT)
    assert finding.cost < -0.5
    assert finding.severity == "warning"


def test_the_texts_stay_as_they_are(clean):
    faulty, _ = struck(clean, "note", change("note"))
    texts = list(faulty.systems[INDEX].hypotheses)
    assert finding_of(faulty, "notes").repair is not None
    assert list(faulty.systems[INDEX].hypotheses) == texts
