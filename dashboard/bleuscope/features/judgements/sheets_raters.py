"""Who judged, as sheets: every rater, and the outputs that raters judged differently."""

import numpy as np

from bleucore.agreement.judged import HumanScores
from bleucore.agreement.raters import Raters
from bleucore.corpus import TestSet
from bleuscope.content.sheets.builders import SYSTEM, Facts, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style.terms import term
from bleuscope.features.judgements.sheets import averaging_facts
from bleuscope.features.judgements.words import averaging_words

NAMELESS = "not named"
OF_EACH = ("rater", "n_outputs", "n_systems", "n_alone", "mean", "deviation")
"""What is known of raters who judged nothing that others judged."""


def raters_sheet(found: Raters, people: HumanScores) -> Sheet:
    """Every rater, one row each: how much, how high and how widely they judge, and whether others do so too."""
    raters = found.raters
    return sheet_of(
        "raters",
        (
            f"Raters of {people.name} ({averaging_words(people.averaging)}).",
            "Mean and spread are of what each gave, higher is better.",
            "Agreement is with other raters of the same outputs.",
        ),
        [
            (Field("rater", "rater", "text"), [one.name or NAMELESS for one in raters]),
            (Field("n_outputs", "outputs", "count"), [one.n_outputs for one in raters]),
            (Field("n_systems", "systems", "count"), [one.n_systems for one in raters]),
            (Field("n_alone", "alone", "count", explanation=term("judged alone")), [one.n_alone for one in raters]),
            (Field("mean", "mean", "statistic"), [one.mean for one in raters]),
            (
                Field("deviation", "spread", "statistic", explanation=term("spread")),
                numbers_of(raters, lambda one: one.deviation),
            ),
            (
                Field("kendall", "Kendall", "ratio", explanation=term("kendall of raters")),
                numbers_of(raters, lambda one: one.kendall),
            ),
            (
                Field("pairs_agree", "pairs agree", "count", explanation=term("pairs of raters")),
                [one.pairs_agree for one in raters],
            ),
            (Field("n_pairs", "of", "count"), [one.n_pairs for one in raters]),
        ],
        _facts(found, people),
        title="Raters",
    )


def disputed_sheet(test_set: TestSet, found: Raters, people: HumanScores, most: int | None = None) -> Sheet:
    """Outputs that raters judged differently, the widest apart first; so many at most."""
    rows = found.disputed[:most]
    texts = [test_set.system(one.system).hypotheses[one.segment] for one in rows]
    return sheet_of(
        "disputed",
        (f"Outputs that raters judged differently ({averaging_words(people.averaging)}), the widest apart first.",),
        [
            (Field("segment", "segment", "text"), [str(one.segment + 1) for one in rows]),
            (SYSTEM, [one.system for one in rows]),
            (Field("low", "lowest", "statistic"), np.array([one.low for one in rows], np.float64)),
            (Field("lowest", "by", "text"), [one.lowest or NAMELESS for one in rows]),
            (Field("high", "highest", "statistic"), np.array([one.high for one in rows], np.float64)),
            (Field("highest", "and by", "text"), [one.highest or NAMELESS for one in rows]),
            (Field("n_raters", "raters", "count"), [one.n_raters for one in rows]),
            (Field("output", "output", "text", is_prose=True), texts),
        ],
        _facts(found, people),
        title="Outputs that raters judged differently",
    )


def _facts(found: Raters, people: HumanScores) -> Facts:
    return {
        "judgement": people.name,
        **averaging_facts(people),
        "n_outputs": found.n_outputs,
        "n_shared": found.n_shared,
    }
