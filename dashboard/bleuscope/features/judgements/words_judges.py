"""Judges that are language models, in words: what each prefers, whom it agrees with, and what that depends on."""

from bleucore.agreement.judges import ModelJudge, ModelJudges, PositionBias, SelfPreference
from bleuscope.content.significance.verdict_words import p_phrase
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, isolated, listed, note, notes, sentence, strong

SIGNIFICANT = 0.05
OTHER_JUDGES = "the other judges"
MOST_TOLD = 5
"""Judges in sentences; the tables have all."""
CLEAR = 0.15
"""An own system this far from half is better or worse for the yardstick too."""
UNEVEN = 0.1
"""So far from half, the own output is shown first too often, or too seldom."""
OPINIONS = "Verdicts of language models are opinions, not the truth. They stand apart from those of people."
AGREEMENT_CAPTION = (
    "Shares of output pairs in the same order. A tie agrees only with a tie. A verdict that flips with the order "
    "shown counts as a tie. Judge and metric see the same pairs."
)
POSITION_CAPTION = (
    "50 % is neutral; ties count half. The test allows for better and worse systems, by document where known. "
    "p is uncorrected."
)
SELF_CAPTION = (
    "Own: a system of the judge's maker, by name or as you said. Both shares are of the same output pairs. "
    "p is uncorrected."
)


def judges_words(found: ModelJudges) -> Text:
    """Which models judged, and what is known of their biases and of their agreement with people."""
    names = list(dict.fromkeys(one.name for one in found.judges))
    said = [sentence("Model judges: {}.", listed(names)), sentence(OPINIONS)]
    own = list({one.name: one for one in found.judges[:MOST_TOLD] if one.own}.values())
    if found.n_left_out:
        said.append(sentence("{} more are left out.", numbers.count(found.n_left_out)))
    said += [sentence("{} made {} ({}).", strong(judge.name), listed(judge.own), _who_says(judge)) for judge in own]
    for judge in found.judges[:MOST_TOLD]:
        said += _of_judge(judge, found)
    return note("{}", said[0]) + notes(said[1:])


def _who_says(judge: ModelJudge) -> str:
    """How is known which systems are a judge's own."""
    return "as you said" if judge.is_own_said else "by its name" if judge.maker is None else f"by name: {judge.maker}"


def _of_judge(judge: ModelJudge, found: ModelJudges) -> list[Sentence]:
    said = []
    if judge.n_unclear:
        answers = numbers.counted(judge.n_unclear, "answer")
        said.append(sentence("{}: {} without a verdict, left out.", strong(judge.name), answers))
    if judge.position is not None:
        said.append(_position(judge.name, judge.position))
    for one in judge.preferences:
        said += _self_preference(judge, one)
    people = judge.with_people
    if people is not None and found.people is not None and found.metric is not None:
        said.append(
            sentence(
                "{} orders {} of {} as {} does, {} {}{}.",
                strong(judge.name),
                numbers.percent(people.share),
                numbers.counted(people.n_pairs, "pair of outputs", "pairs of outputs"),
                isolated(found.people),
                strong(found.metric),
                numbers.percent(people.metric_share),
                "" if people.p_value is None else f" ({p_phrase(people.p_value)})",
            )
        )
    return said


def _position(name: str, found: PositionBias) -> Sentence:
    """Whether the first output wins too often."""
    if found.first_share is None:
        return sentence(
            "{} saw each pair of systems in one order only, so position bias cannot be tested.", strong(name)
        )
    share = numbers.percent(found.first_share)
    if found.p_value is None or found.p_value >= SIGNIFICANT:
        tested = "" if found.p_value is None else f", {p_phrase(found.p_value)}"
        return sentence(f"{{}} has no significant position bias (the first output wins {share}{tested}).", strong(name))
    which = "first" if found.first_share > 1 / 2 else "second"
    return sentence(
        f"{{}} prefers the output shown {which}: the first wins {share} of comparisons ({_interval(found.interval)}"
        f"{p_phrase(found.p_value)}).",
        strong(name),
    )


def _self_preference(judge: ModelJudge, found: SelfPreference) -> list[Sentence]:
    """Whether a judge prefers its own more than somebody else does, and what else may explain that."""
    other = isolated(found.yardstick or OTHER_JUDGES)
    does = "does" if found.yardstick else "do"
    own, difference = listed(judge.own), f"{100 * abs(found.difference):.0f}"
    if found.p_value is None or found.p_value >= SIGNIFICANT:
        tested = "" if found.p_value is None else f" ({p_phrase(found.p_value)})"
        return [
            sentence(
                f"{{}} shows no significant preference for {{}} beyond that of {{}}{tested}.",
                strong(judge.name),
                own,
                other,
            )
        ]
    more = "more" if found.difference > 0 else "less"
    interval = found.interval
    if interval is not None and found.difference < 0:  # of how much less
        interval = -interval[1], -interval[0]
    said = [
        sentence(
            f"{{}} prefers {{}} {more} often than {{}} {does}, by {difference} points "
            f"({_interval(interval, signed=True)}{p_phrase(found.p_value)}).",
            strong(judge.name),
            own,
            other,
        )
    ]
    if abs(found.yardstick_share - 1 / 2) > CLEAR:
        said.append(
            sentence(
                "But {} {} {} in {} of comparisons. A more, or less, decided judge would differ too.",
                other,
                "prefers" if found.yardstick else "prefer",
                own,
                numbers.percent(found.yardstick_share),
            )
        )
    if found.own_first is not None and abs(found.own_first - 1 / 2) > UNEVEN:
        said.append(
            sentence(
                "But {} saw its own output first in {} of comparisons: position bias may explain this.",
                strong(judge.name),
                numbers.percent(found.own_first),
            )
        )
    return said


def _interval(ends: tuple[float, float] | None, *, signed: bool = False) -> str:
    if ends is None:
        return ""
    low, high = (f"{100 * end:.0f}".replace("-", "−") for end in ends)
    return f"95 % CI {low} to {high}{'' if signed else ' %'}, "
