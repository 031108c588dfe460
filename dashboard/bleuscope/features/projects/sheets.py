"""Leaderboards and histories as sheets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from bleucore.history import HeldAgainst, VersionHistory
from bleuscope.content.sheets.builders import SYSTEM, FilledField, ends_of, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Kind, Note, Sheet
from bleuscope.content.significance.significance_sheets import (
    CLUSTER,
    INTERVAL,
    comparison_facts,
    difference_columns,
    measured_facts,
    named,
    test_sentences,
)
from bleuscope.content.significance.verdict_words import verdict_facts
from bleuscope.content.style.terms import term
from bleuscope.features.projects.board_verdicts import board_verdict
from bleuscope.features.projects.scored_versions import Leaderboard, ScoredVersion, ScoredVersions, SystemHistory

VERSION = Field("version", "version", "text", is_label=True, explanation="The name it was pushed with.")
STEP = Field("step", "step", "count", explanation="The training step, if known.")
MADE_AT = Field("made_at", "made", "text", explanation="When the outputs were made, in UTC.")
DIGEST = Field("outputs_digest", "digest", "text", for_machines=True)
N_VERSIONS = Field("n_versions", "versions", "count", explanation="Of the system on this test set.")
N_RUNS = Field("n_runs", "runs", "count", explanation="Of the version, as seeds. The score is their mean.")
DEVIATION = Field("deviation", "s.d.", "score", explanation="The standard deviation of the scores of the runs.")
OF_RECIPES = (
    "With several runs of a version, the test compares recipes by Satterthwaite's t. Items and runs vary; p is "
    "corrected by Bonferroni or Holm. Three such versions and more share one variance of runs if they vary alike."
)
BETWEEN_SINGLE = "Between versions with one run each, training noise is not included."
OF_RUNS = "One run each is compared: training noise is not included."
BETTER = "The order is that of {}, best first."
ALARM_WORDS: Mapping[str, str] = {"drop": "worse than before", "decline": "worse than the best before"}
ALARM = Field(
    "alarm",
    "alarm",
    "text",
    explanation="Raised where a version is significantly worse than the one before, or than the best before.",
)


def leaderboard_sheet(board: Leaderboard) -> Sheet:
    """One version of each system, best first, with the test of its difference from one of them."""
    scored, rows, comparison = board.scored, board.rows, board.comparison
    if comparison is None:
        waiting = {row: Note("…") for row in range(len(rows))}
        nothing = [np.nan] * len(rows)
        tests: list[FilledField] = [
            (Field("difference", "Δ", "difference", explanation=term("Δ"), notes=waiting), nothing),
            (Field("corrected_p_value", "p", "p", explanation=term("p of Δ"), notes=waiting), nothing),
            (Field("cluster", "cluster", "count", explanation=term("cluster"), notes=waiting), nothing),
        ]
        sentences, facts = [BETTER.format(scored.metric)], {}
    else:
        against = comparison.against(board.against)
        columns = difference_columns(comparison, [against.get(name) for name in board.names], "p of Δ")
        clusters = {name: number for number, names in enumerate(comparison.clusters, start=1) for name in names}
        columns = [
            (replace(one, off_pages=one.off_pages or one.key == "difference_interval"), values)
            for one, values in columns
        ]
        tests = [*columns, (CLUSTER, [clusters[name] for name in board.names])]
        lead = f"Systems, best first; differences and tests against {named(comparison, board.against)}."
        sentences = [lead, *test_sentences(comparison, against.values())]
        has_runs = any(one.n_runs is not None for one in against.values())
        sentences += [OF_RECIPES if has_runs else OF_RUNS] if against else []
        facts = comparison_facts(comparison) | measured_facts(comparison, board.against)
        made = board_verdict(board)
        facts |= {} if made is None else verdict_facts(made)
    if len(rows) == 1:
        tests, sentences = [], ["The system with the interval of its score."]
    versions = [row.version for row in rows]
    return sheet_of(
        "leaderboard",
        (*sentences, scored.signature_words),
        [
            (SYSTEM, board.names),
            *_score_columns(scored, versions),
            *_run_columns(versions),
            *tests,
            *_version_columns(versions),
            (N_VERSIONS, [row.n_versions for row in rows]),
        ],
        {**scored.facts, **facts},
        title=f"Leaderboard on {scored.test_set}",
        emphasised=(0,),
    )


def left_out_sheet(scored: ScoredVersions) -> Sheet:
    """The systems of the project that are not compared, and why."""
    return sheet_of(
        "not-compared",
        ("Scores are compared on the same test set and with the same signature only.",),
        [
            (Field("system", "system", "text"), [one.system for one in scored.left_out]),
            (Field("reason", "why it is not compared", "text"), [one.reason for one in scored.left_out]),
        ],
        scored.facts,
        title="Not compared",
    )


def versions_sheet(scored: ScoredVersions, systems: Sequence[str] = ()) -> Sheet:
    """Every version with its score, system by system: of some systems, or of all where none is named."""
    versions = [one for one in scored.versions if not systems or one.system in systems]
    return sheet_of(
        "versions",
        (f"Versions in their order. Intervals: {scored.how_drawn}.", scored.signature_words),
        [
            (Field("system", "system", "text", explanation=term("system")), [one.system for one in versions]),
            *_version_columns(versions),
            *_score_columns(scored, versions),
            *_run_columns(versions),
        ],
        scored.facts,
        title=f"Versions on {scored.test_set}",
    )


def history_sheet(history: SystemHistory) -> Sheet:
    """The versions of a system in their order, each held against the one before and against the best."""
    scored, found = history.scored, history.found
    tests = _waiting(len(history.versions)) if found is None else _tests(found)
    of_claims = [] if found is None or len(found.versions) == 1 else recipe_words(found)
    said = [] if found is None else [METHOD, *of_claims, f"Test signature: {found.options.signature()}."]
    return sheet_of(
        "history",
        (f"Versions of {history.system} in their order.", *said, scored.signature_words),
        [
            *_version_columns(history.versions),
            *_score_columns(scored, history.versions),
            *_run_columns(history.versions),
            *tests,
        ],
        {**scored.facts, "system": history.system, **({} if found is None else _facts(found))},
        title=f"Versions of {history.system} on {scored.test_set}",
        emphasised=(history.best,),
    )


METHOD = (
    "Δ and p of each version against the one before and against the best: approximate randomisation, "
    "p corrected for all such comparisons."
)


def has_recipes(found: VersionHistory) -> bool:
    """Whether a comparison is about recipes: a version has several runs, and runs vary in its test."""
    return any(
        held is not None and held.n_runs is not None for one in found.versions for held in (one.before, one.best)
    )


def recipe_words(found: VersionHistory) -> list[str]:
    """Which claims the comparisons of a history make, in sentences."""
    if not has_recipes(found):
        return [OF_RUNS]
    helds = [held for one in found.versions for held in (one.before, one.best) if held is not None]
    single = [BETWEEN_SINGLE] if any(held.n_runs is None for held in helds) else []
    return [OF_RECIPES, *single, *dict.fromkeys(held.remark for held in helds if held.n_runs and held.remark)]


def written_moment(moment: datetime) -> str:
    """A moment as people read it, in UTC."""
    return f"{moment:%Y-%m-%d %H:%M}"


def history_document(scored: ScoredVersions, systems: Sequence[str] = ()) -> dict[str, object]:
    """All versions for machines: of some systems, or of all where none is named."""
    return {
        "project": scored.project,
        "test_set": scored.test_set,
        "signature": scored.signature,
        "n_segments": scored.n_segments,
        "digest": scored.digest,
        "interval": scored.how_drawn,
        "systems": [
            {"name": name, "versions": [_version_document(scored, one) for one in versions]}
            for name, versions in scored.by_system.items()
            if not systems or name in systems
        ],
    }


def _version_document(scored: ScoredVersions, one: ScoredVersion) -> dict[str, object]:
    return {
        "version": one.label,
        "step": one.step,
        "made_at": one.made_at.isoformat(),
        "digest": one.digest,
        "tags": list(one.tags),
        **({"signature": scored.signature_of(one)} if one.is_resegmented else {}),
        scored.metric.casefold(): one.score,
        "n_runs": one.n_runs,
        "deviation": one.deviation,
        "runs": [{"run": run.name, "digest": run.digest, scored.metric.casefold(): run.score} for run in one.runs],
        "interval": None if one.interval is None else list(one.interval),
    }


def _version_columns(versions: Sequence[ScoredVersion]) -> list[FilledField]:
    steps = numbers_of(versions, lambda one: one.step)
    return [
        (VERSION, [one.label for one in versions]),
        *([] if np.isnan(steps).all() else [(STEP, steps)]),
        (MADE_AT, [written_moment(one.made_at) for one in versions]),
        (DIGEST, [one.digest for one in versions]),
    ]


def _run_columns(versions: Sequence[ScoredVersion]) -> list[FilledField]:
    """How many runs each version has and how these vary, where one has several."""
    if not any(one.has_several_runs for one in versions):
        return []
    return [
        (N_RUNS, [one.n_runs for one in versions]),
        (DEVIATION, numbers_of(versions, lambda one: one.deviation)),
    ]


def _score_columns(scored: ScoredVersions, versions: Sequence[ScoredVersion]) -> list[FilledField]:
    up = scored.higher_is_better
    return [
        (
            Field(
                scored.metric.casefold(),
                f"{scored.metric} {'↑' if up else '↓'}",
                "score",
                best="highest" if up else "lowest",
                explanation=term("BLEU") if scored.metric == "BLEU" else None,
            ),
            [one.score for one in versions],
        ),
        (INTERVAL, ends_of([one.interval for one in versions])),
    ]


def _waiting(n_rows: int) -> list[FilledField]:
    notes = {row: Note("…") for row in range(n_rows)}
    heads: list[tuple[str, str, Kind]] = [
        ("change", "Δ before", "difference"),
        ("change_p", "p before", "p"),
        ("behind", "Δ best", "difference"),
        ("behind_p", "p best", "p"),
    ]
    return [(Field(key, heading, kind, notes=notes), [np.nan] * n_rows) for key, heading, kind in heads]


def _tests(found: VersionHistory) -> list[FilledField]:
    before = [one.before for one in found.versions]
    best = [one.best for one in found.versions]
    own = {found.best.chosen: Note("best")}
    return [
        *_held("change", "before", before, {}),
        *_held("behind", "best", best, own),
        (ALARM, [None if one.alarm is None else ALARM_WORDS[one.alarm] for one in found.versions]),
    ]


def _held(key: str, what: str, held: Sequence[HeldAgainst | None], notes: Mapping[int, Note]) -> list[FilledField]:
    than = "the version before" if what == "before" else "the best version"
    significant = Field(f"{key}_significant", f"significant, {what}", "yes or no", for_machines=True)
    claims = [None if one is None else "run" if one.n_runs is None else "recipe" for one in held]
    return [
        (
            Field(key, f"Δ {what}", "difference", explanation=f"Score less that of {than}.", notes=notes),
            numbers_of(held, lambda one: one.difference),
        ),
        (
            Field(f"{key}_interval", f"95 % interval of Δ {what}", "interval", ends="difference", off_pages=True),
            ends_of([None if one is None else one.interval for one in held]),
        ),
        (
            Field(
                f"{key}_p",
                f"p {what}",
                "p",
                marked_by=significant.key,
                explanation=f"How often equal systems differ at least this much from {than}, corrected for all "
                "such comparisons. * marks significance.",
            ),
            numbers_of(held, lambda one: one.corrected_p_value),
        ),
        (significant, np.array([None if one is None else one.is_significant for one in held], object)),
        (Field(f"{key}_claim", f"claim, {what}", "text", for_machines=True), claims),
    ]


def _facts(found: VersionHistory) -> dict[str, str | int | float]:
    best = found.best
    return {
        "test_signature": found.options.signature(),
        "best": best.name,
        **({} if best.optimism is None else {"optimism": best.optimism}),
        "alarms": found.alarms.control,
        "alarms_per_100": found.alarms.per_100,
    }
