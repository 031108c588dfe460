"""What the choice of references does, as sheets."""

from collections.abc import Mapping, Sequence

import numpy as np

from bleucore.counts import Floats
from bleucore.robustness.rankings import pairs_of, ranks
from bleucore.robustness.references import ReferenceStudy, Subset
from bleuscope.content.scores.flip_sheets import FLIPS, PAIRS, SIGNIFICANT_FLIPS, flip_columns
from bleuscope.content.sheets.builders import SYSTEM, Facts, FilledField, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.significance.significance_words import flip_test_words
from bleuscope.content.style import numbers
from bleuscope.features.references.words import (
    AS_SYSTEMS,
    FLIP_HELP,
    GROWTH,
    MATCHED,
    NEARNESS,
    references_named,
    simulation_words,
)

REFERENCES = Field("references", "references", "text")
TAU = Field("tau_b", "τ-b", "statistic", explanation="Kendall's tau-b with the base. 1: same order.")


def scored_subsets(study: ReferenceStudy) -> tuple[Subset, ...]:
    """The subsets, and the mean of single references last."""
    return (*study.subsets, *([study.mean] if study.mean else []))


def charted_subsets(study: ReferenceStudy) -> tuple[Subset, ...]:
    """Each reference alone, the base, all of them, and the mean: what a chart has room for."""
    wanted = [*study.singles, study.base_subset, study.subsets[-1], *([study.mean] if study.mean else [])]
    return tuple({(one.references, one.is_mean): one for one in wanted}.values())


def subsets_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """What each choice of references reverses."""
    scored = scored_subsets(study)
    return sheet_of(
        "subsets",
        (
            f"Orders of systems by {study.metric_name} with some of the references.",
            f"Compared with the order by {' + '.join(study.base)}.",
            FLIP_HELP,
            flip_test_words(study.tests),
        ),
        [
            (REFERENCES, [references_named(one) for one in scored]),
            (
                Field("size", "number", "count", explanation="How many references."),
                [len(one.references) for one in scored],
            ),
            (FLIPS, [len(one.flips) for one in scored]),
            (SIGNIFICANT_FLIPS, [one.significant_flips for one in scored]),
            (PAIRS, [study.n_pairs] * len(scored)),
            (TAU, [one.tau_b for one in scored]),
        ],
        facts,
        title="Orders by references",
    )


def scores_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """The score of every system with every choice of references, with its interval."""
    columns: list[FilledField] = [(SYSTEM, study.systems)]
    for place, one in enumerate(scored_subsets(study), start=1):
        named, key = references_named(one), study.metric_name.casefold()
        is_higher = study.metric.higher_is_better(study.options)
        scored = Field(f"{key}_{place}", named, "score", best="highest" if is_higher else "lowest")
        columns.append((scored, one.scores))
        field = Field(f"interval_{place}", f"95 % interval of {named}", "interval", on_pages="95 % interval")
        columns.append((field, one.intervals))
    drawn = numbers.counted(study.tests.n_resamples, "resample")
    caption = f"{study.metric_name} with some of the references. Intervals are of {drawn}."
    return sheet_of("scores", (caption,), columns, facts, title=f"{study.metric_name} by references")


def ranks_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """The rank of every system with every choice of references."""
    columns: list[FilledField] = [(SYSTEM, study.systems)]
    for place, one in enumerate(charted_subsets(study), start=1):
        columns.append((Field(f"rank_{place}", references_named(one), "statistic"), ranks(study.gains(one.scores))))
    caption = f"Ranks by {study.metric_name} with some of the references, 1 for the best; those tied share the mean."
    return sheet_of("ranks", (caption,), columns, facts, title="Ranks by references")


def flips_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """Every pair that some choice of references reverses."""
    found = [(references_named(one), flip) for one in scored_subsets(study) for flip in one.flips]
    return sheet_of(
        "flips",
        (f"Pairs of systems in the opposite order to that of {' + '.join(study.base)}.", flip_test_words(study.tests)),
        [(REFERENCES, [name for name, _ in found]), *flip_columns([flip for _, flip in found])],
        facts,
        title="Reversed pairs",
    )


def growth_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """What one reference says, two, and so on."""
    growth = study.growth()
    columns: list[FilledField] = [
        (Field("size", "references", "count"), [one.size for one in growth]),
        (Field("n_subsets", "subsets", "count"), [one.n_subsets for one in growth]),
        (Field("tau_b", "mean τ-b", "statistic", explanation=TAU.explanation), [one.tau_b for one in growth]),
        (Field("lowest_tau_b", "lowest τ-b", "statistic"), [one.lowest_tau_b for one in growth]),
        (Field("flips", "mean reversed pairs", "statistic"), [one.flips for one in growth]),
    ]
    for place, system in enumerate(study.systems):
        columns.append((Field(f"mean_{place + 1}", system, "score"), [one.means[place] for one in growth]))
        ends = [(one.lowest[place], one.highest[place]) for one in growth]
        columns.append((Field(f"range_{place + 1}", f"range of {system}", "interval", for_machines=True), ends))
    return sheet_of("growth", (GROWTH,), columns, facts, title=f"{study.metric_name} by the number of references")


def draws_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """How often each system is ahead of each other, with one reference drawn for each unit."""
    stability, names = study.draws.stability, study.systems
    pairs = [pair for first, second in pairs_of(len(names)) for pair in ((first, second), (second, first))]
    return sheet_of(
        "draws",
        (
            simulation_words(study),
            f"{stability.flips_mean:.2f} pairs are reversed on average, at most {stability.flips.max()}; the share "
            f"of draws with the whole order is {stability.full_order_share:.3f}.",
        ),
        [
            (Field("system", "system", "text", names_system=True), [names[first] for first, _ in pairs]),
            (Field("other", "other", "text", names_system=True), [names[second] for _, second in pairs]),
            (
                Field("ahead", "share higher", "ratio", explanation="Of draws; a tie counts half for both."),
                [float(stability.ahead[pair]) for pair in pairs],
            ),
        ],
        {**facts, **draw_facts(study)},
        title="How often one system scores higher than another",
    )


def draw_flips_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """How many draws reverse how many pairs."""
    n_draws = np.bincount(study.draws.stability.flips)
    return sheet_of(
        "draw-flips",
        (simulation_words(study),),
        [(FLIPS, np.arange(len(n_draws))), (Field("draws", "draws", "count"), n_draws)],
        {**facts, **draw_facts(study)},
        title="Reversed pairs by draws",
    )


def draw_facts(study: ReferenceStudy) -> dict[str, str | int | float]:
    """How references were drawn."""
    return {"draw_unit": study.draws.unit, "draws": study.draws.n, "draw_seed": study.draws.seed}


def matches_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """Which reference matched, by system and order."""
    shares = study.shares
    columns: list[FilledField] = []
    if shares is not None:
        n_orders = shares.matches.shape[1]
        values = shares.shares().reshape(len(study.references) + 1, -1)
        columns = [
            (SYSTEM, [name for name in study.systems for _ in range(n_orders)]),
            (Field("order", "order", "count"), [order + 1 for _ in study.systems for order in range(n_orders)]),
            (Field("matches", "matches", "count"), shares.matches.ravel()),
        ]
        for place, name in enumerate((*(f"only {one}" for one in study.references), "several"), start=1):
            columns.append((Field(f"share_{place}", name, "ratio"), values[place - 1]))
        for place, name in enumerate(study.references, start=1):
            field = Field(
                f"lengths_{place}",
                f"length of {name}",
                "count",
                explanation="Segments in which its length alone is taken.",
            )
            columns.append((field, np.repeat(shares.lengths[place - 1], n_orders)))
    return sheet_of("matches", (MATCHED,), columns, facts, title="Which reference matched")


def people_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """References as systems against the others."""
    rows = [
        (one, name, score, is_reference)
        for one in study.held_out
        for name, score, is_reference in [
            (one.reference, one.score, True),
            *((system, float(score), False) for system, score in zip(study.systems, one.scores, strict=True)),
        ]
    ]

    def gains(scores: object) -> Floats:
        return study.gains(np.array(scores, np.float64))

    return sheet_of(
        "people",
        (AS_SYSTEMS,),
        [
            (Field("against", "against", "text"), [" + ".join(one.against) for one, *_ in rows]),
            (Field("name", "reference or system", "text"), [name for _, name, *_ in rows]),
            (
                Field(study.metric_name.casefold(), study.metric_name, "score"),
                [score for _, _, score, _ in rows],
            ),
            (Field("is_reference", "a person", "yes or no"), np.array([of for *_, of in rows], np.bool_)),
            (
                Field("rank", "rank", "count"),
                [1 + int((gains(score) < gains([one.score, *one.scores])).sum()) for one, _, score, _ in rows],
            ),
        ],
        facts,
        title="References as systems",
    )


def nearness_sheet(study: ReferenceStudy, facts: Facts) -> Sheet:
    """How near systems and references are to each reference."""
    n_references, near = len(study.references), study.nearness
    shares = np.concatenate([near.nearest, np.full((n_references, n_references), np.nan)])
    columns: list[FilledField] = [
        (Field("name", "system or reference", "text"), [*study.systems, *study.references]),
        (
            Field("is_reference", "a person", "yes or no", off_pages=True),
            np.arange(len(shares)) >= len(study.systems),
        ),
    ]
    for place, name in enumerate(study.references):
        columns.append(
            (Field(f"score_{place + 1}", f"{study.metric_name} with {name}", "score"), near.scores[:, place])
        )
    for place, name in enumerate(study.references):
        explained = f"Share of segments that score highest with {name}."
        columns.append(
            (Field(f"nearest_{place + 1}", f"nearest {name}", "ratio", explanation=explained), shares[:, place])
        )
    return sheet_of("nearness", (NEARNESS,), columns, facts, title="How near to each reference")


def reference_document(study: ReferenceStudy) -> Mapping[str, object]:
    """The whole study for machines."""
    draws = study.draws
    return {
        "metric": study.metric_name,
        "references": list(study.references),
        "base": list(study.base),
        "subsets": [_subset_document(one, study) for one in study.subsets],
        "mean_of_single_references": None if study.mean is None else _subset_document(study.mean, study),
        "draws": {
            "unit": draws.unit,
            "n": draws.n,
            "seed": draws.seed,
            "flips_mean": draws.stability.flips_mean,
            "full_order_share": draws.stability.full_order_share,
            "ahead": _table(study.systems, draws.stability.ahead.tolist()),
        },
        "references_as_systems": [
            {"reference": one.reference, "against": list(one.against), "score": one.score, "rank": one.rank}
            for one in study.held_out
        ],
        "test_signature": study.tests.signature(),
    }


def _subset_document(one: Subset, study: ReferenceStudy) -> Mapping[str, object]:
    return {
        "references": list(one.references),
        "scores": dict(zip(study.systems, one.scores.tolist(), strict=True)),
        "intervals": {
            name: None if np.isnan(ends).any() else ends.tolist()
            for name, ends in zip(study.systems, one.intervals, strict=True)
        },
        "flips": len(one.flips),
        "significant_flips": one.significant_flips,
        "pairs": study.n_pairs,
    }


def _table(names: Sequence[str], rows: Sequence[Sequence[float]]) -> Mapping[str, Mapping[str, float]]:
    return {name: dict(zip(names, row, strict=True)) for name, row in zip(names, rows, strict=True)}


SHEETS = {
    "subsets": subsets_sheet,
    "scores": scores_sheet,
    "ranks": ranks_sheet,
    "flips": flips_sheet,
    "growth": growth_sheet,
    "draws": draws_sheet,
    "draw-flips": draw_flips_sheet,
    "matches": matches_sheet,
    "people": people_sheet,
    "nearness": nearness_sheet,
}
"""By name; the first is what a form with a single table holds."""
