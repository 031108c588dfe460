"""Judges that are language models, as sheets: their agreement, position bias and self-preference."""

import numpy as np

from bleucore.agreement.judges import ModelJudge, ModelJudges, PositionBias, SelfPreference
from bleuscope.content.sheets.builders import Facts, FilledField, ends_of, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.features.judgements.words_judges import (
    AGREEMENT_CAPTION,
    OPINIONS,
    OTHER_JUDGES,
    POSITION_CAPTION,
    SELF_CAPTION,
)

PERCENT = 100.0


def judges_sheet(found: ModelJudges) -> Sheet:
    """Every judge, one row each: how much it judged, and how far it agrees with other judges and with people."""
    judges = found.judges
    columns: list[FilledField] = [
        _judge(judges),
        (Field("protocol", "protocol", "text"), [one.protocol for one in judges]),
        (Field("n_outputs", "outputs", "count"), [one.n_outputs for one in judges]),
        (Field("own", "own systems", "text"), [", ".join(one.own) for one in judges]),
        (Field("n_unclear", "without a verdict", "count"), [one.n_unclear for one in judges]),
        (
            Field("judges_agree", "other judges agree, %", "precision"),
            numbers_of([one.with_judges for one in judges], lambda one: PERCENT * one.share),
        ),
        (
            Field("n_pairs_of_judges", "of pairs", "count", for_machines=True),
            [0 if one.with_judges is None else one.with_judges.n_pairs for one in judges],
        ),
    ]
    if found.people is not None and found.metric is not None:
        people = [one.with_people for one in judges]
        columns += [
            (Field("people_agree", f"agrees with {found.people}, %", "precision"),
             numbers_of(people, lambda one: PERCENT * one.share)),
            (Field("metric_agrees", f"{found.metric} agrees, %", "precision"),
             numbers_of(people, lambda one: PERCENT * one.metric_share)),
            (Field("n_pairs", "pairs", "count"), [0 if one is None else one.n_pairs for one in people]),
            (Field("difference", "judge − metric", "interval", ends="difference", decimals=1),
             ends_of([_percent(None if one is None else one.interval) for one in people])),
            (Field("p_value", "p", "p"), numbers_of(people, lambda one: one.p_value)),
        ]  # fmt: skip
    return sheet_of("judges", (OPINIONS, AGREEMENT_CAPTION), columns, _facts(found), title="Judges and raters agree")


def positions_sheet(found: ModelJudges) -> Sheet:
    """Every judge that compares outputs: how often the first one wins, and how often both orders have one verdict."""
    judges = [(one, one.position) for one in found.judges if one.position is not None]
    positions = [one for _, one in judges]
    return sheet_of(
        "positions",
        (POSITION_CAPTION,),
        [
            _judge([one for one, _ in judges]),
            _number("n_verdicts", "verdicts", positions),
            _number("n_ties", "ties", positions),
            (
                Field("first_share", "first wins, %", "precision"),
                numbers_of(positions, lambda one: None if one.first_share is None else PERCENT * one.first_share),
            ),
            (
                Field("interval", "95 % interval", "interval", decimals=1),
                ends_of([_percent(one.interval) for one in positions]),
            ),
            (Field("p_value", "p", "p"), numbers_of(positions, lambda one: one.p_value)),
            _number("n_both", "in both orders", positions),
            _number("n_same", "same verdict", positions),
            _number("n_first_twice", "first twice", positions),
            _number("n_second_twice", "second twice", positions),
        ],
        _facts(found),
        title="Position bias",
    )


def self_preference_sheet(found: ModelJudges) -> Sheet:
    """Every judge with own systems, one row for each yardstick: how often they win by both."""
    rows = [(judge, one) for judge in found.judges for one in judge.preferences]
    said: list[SelfPreference] = [one for _, one in rows]
    return sheet_of(
        "self-preference",
        (SELF_CAPTION,),
        [
            _judge([judge for judge, _ in rows]),
            (Field("own", "own systems", "text"), [", ".join(judge.own) for judge, _ in rows]),
            (Field("yardstick", "against", "text"), [one.yardstick or OTHER_JUDGES for one in said]),
            (Field("n_comparisons", "output pairs", "count"), [one.n_comparisons for one in said]),
            (
                Field("judge_share", "own wins, %", "precision"),
                np.array([PERCENT * one.judge_share for one in said], np.float64),
            ),
            (
                Field("yardstick_share", "by the others, %", "precision"),
                np.array([PERCENT * one.yardstick_share for one in said], np.float64),
            ),
            (
                Field("interval", "difference, 95 % interval", "interval", ends="difference", decimals=1),
                ends_of([_percent(one.interval) for one in said]),
            ),
            (Field("p_value", "p", "p"), numbers_of(said, lambda one: one.p_value)),
            (
                Field("own_first", "own shown first, %", "precision"),
                numbers_of(said, lambda one: None if one.own_first is None else PERCENT * one.own_first),
            ),
        ],
        _facts(found),
        title="Self-preference",
    )


def shown_sheets(found: ModelJudges) -> list[Sheet]:
    """The sheets that have rows."""
    sheets = [positions_sheet(found), self_preference_sheet(found), judges_sheet(found)]
    return [one for one in sheets if len(one.frame)]


def _judge(judges: list[ModelJudge] | tuple[ModelJudge, ...]) -> FilledField:
    return Field("judge", "judge", "text"), [one.name for one in judges]


def _number(key: str, heading: str, positions: list[PositionBias]) -> FilledField:
    return Field(key, heading, "count"), [getattr(one, key) for one in positions]


def _percent(ends: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if ends is None else (PERCENT * ends[0], PERCENT * ends[1])


def _facts(found: ModelJudges) -> Facts:
    return {"judgement": found.people or "", "metric": found.metric or "", "n_judges": len(found.judges)}
