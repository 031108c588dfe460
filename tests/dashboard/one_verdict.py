"""Comparisons of every kind, and when two places say the same of one."""

from dataclasses import replace

import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st

from bleucore import System, TestSet
from bleucore.checks import Finding
from bleucore.metrics.ter import TerOptions
from bleucore.significance import CORRECTIONS, TESTS, SignificanceOptions
from bleuscope.content.comparison.comparison_context import make_study
from bleuscope.content.comparison.inputs import Settings

FOUND = [
    [Finding("letter-case", severity, kind, index, subject, "7 of 9 segments are wrong.", "Look.", np.arange(3))]
    for severity in ("error", "warning")
    for kind, index, subject in (("system", 0, "System 's0'"), ("reference", 0, "Reference 1"))
]
"""What the checks of the texts can find: about one system, or what all are held against."""

WORDS = [f"w{place}" for place in range(60)]


def examples(in_every_run, in_deep_ones):
    """How many comparisons are tried."""
    is_deep = settings.get_current_profile_name() == "deep"
    number = in_deep_ones if is_deep else in_every_run
    return settings(max_examples=number, derandomize=True, deadline=None, phases=(Phase.generate,))


def texts_of(rng, references, share):
    """The references with this share of their words replaced."""
    return [
        " ".join(str(rng.choice(WORDS)) if rng.random() < share else word for word in reference.split())
        for reference in references
    ]


@st.composite
def studies(draw):
    """Comparisons small and large, tested in every way."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n_segments, n_systems = draw(st.sampled_from([6, 12, 24, 36, 60])), draw(st.integers(1, 8))
    references = [" ".join(rng.choice(WORDS, rng.integers(4, 12))) for _ in range(n_segments)]
    if draw(st.booleans()):  # rows of the same items
        references = [references[place // 2] for place in range(n_segments)]
    documents = None
    if n_documents := draw(st.sampled_from([0, 1, 4, 6, 12, 30, 60])):
        documents = [f"d{place * min(n_documents, n_segments) // n_segments}" for place in range(n_segments)]
    shares = [draw(st.sampled_from([0.1, 0.15, 0.3, 0.6])) for _ in range(n_systems)]
    systems = [System(f"s{place}", texts_of(rng, references, share)) for place, share in enumerate(shares)]
    if n_systems > 1 and draw(st.booleans()):
        systems[-1] = System(systems[-1].name, systems[0].hypotheses)
    names = [one.name for one in systems]
    unit = draw(st.sampled_from(["auto", "segment", "block"] + (["document"] if documents else [])))
    options = SignificanceOptions(
        test=draw(st.sampled_from(list(TESTS))),
        correction=draw(st.sampled_from(list(CORRECTIONS))),
        unit=unit,
        trials=99,
        resamples=60,
    )
    asked = Settings(
        significance=options,
        metrics=(TerOptions(),),
        metric=draw(st.sampled_from(["BLEU", "chrF2", "TER"])),
        baseline=draw(st.sampled_from([None, *names])),
        pair=tuple(draw(st.permutations(names))[:2]) if n_systems > 1 else None,
    )
    study = make_study(TestSet(systems, [references], documents=documents), asked)
    return replace(study, findings=draw(st.sampled_from([None, (), *map(tuple, FOUND)])))


def numbers_of(found, comparison):
    low, high = found.interval or (np.nan, np.nan)
    p = np.nan if found.p_value is None else found.p_value
    return found.effect, low, high, p, comparison.is_significant(found.compared)


def same(values, others):
    return np.allclose(
        np.array(values[:-1], np.float64), np.array(others[:-1], np.float64), rtol=0, atol=1e-9, equal_nan=True
    ) and bool(values[-1]) == bool(others[-1])


def row_of(sheet, found):
    """Difference, interval, p and star of the verdict's pair in a sheet; all from the better one's side."""
    frame, names = sheet.frame, (found.compared.name, found.compared.other)
    other = frame["other"] if "other" in frame else np.full(len(frame), sheet.facts["baseline"])
    for (_, row), opposite in zip(frame.iterrows(), other, strict=True):
        if {row["system"], opposite} == set(names):
            sign = 1 if row["system"] == names[0] else -1
            ends = sorted((sign * row["difference_interval_low"], sign * row["difference_interval_high"]))
            return sign * row["difference"], *ends, row["corrected_p_value"], row["significant"]
    raise AssertionError(names)


def opinion(found):
    """What two surfaces must not say differently of a comparison, but for what one of them does not look at."""
    numbers_ = (found.effect, *(found.interval or (np.nan, np.nan)), np.nan if found.p_value is None else found.p_value)
    said = (found.question, found.state, found.systems, found.compared.name, found.compared.other, found.family)
    return (
        *said,
        found.compared.n_comparisons,
        found.unit,
        found.n_units,
        found.n_items,
        found.reason,
        found.apart,
    ), numbers_


def check_same(one, other):
    (said, of_one), (also, of_other) = opinion(one), opinion(other)
    assert said == also
    assert np.allclose(of_one, of_other, rtol=0, atol=1e-9, equal_nan=True)
