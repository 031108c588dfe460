"""The verdict in words: a sentence or two, and chips with what qualifies it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup

from bleucore.significance import SAME_SCORE, Verdict
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, escaped, explained, listed, sentence, strong, verdict

CHECK_FIRST = "Check the texts first."
TWO = 2
CLAIMS = ("leads", "no-winner")
"""States in which a test says something."""
MOST_TIED = 3
"""Tied systems that are named; of more their number is said."""
MOST_FAULTY = 5
"""Systems to check that are named; of more the first ones, and how many there are."""
NO_TRAINING_NOISE, OF_RUNS = "training noise not included", "these runs, not their recipes"
OF_RECIPES = "training noise included"
CHIP_TERMS = {
    OF_RECIPES: "The verdict compares recipes by the mean of their runs. Its interval and p include the variance of "
    "runs.",
    NO_TRAINING_NOISE: ("Each system is one training run. Another seed would score differently."),
    OF_RUNS: "The verdict compares two runs. Another run of either recipe would score differently.",
}
"""What chips mean that say it in too few words."""
OF_METRICS = {
    "disagrees": "It contradicts this verdict: another system wins, or only one metric finds a significant difference.",
    "narrows the tie": "By this metric, the system that is named first beats some that are tied with it.",
}
"""What it means that another metric says so."""


@dataclass(frozen=True)
class Chips:
    """Short facts next to each other, under a verdict."""

    labels: tuple[str | Sentence, ...]

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.labels)

    def __html__(self) -> Markup:
        """A list in one row."""
        items = Markup("").join(Markup("<li>{}</li>").format(_explained(label)) for label in self.labels)
        return Markup('<ul class="bs-chips">{}</ul>').format(items)

    def markdown(self) -> str:
        """In one line."""
        return " · ".join(escaped(str(label)) for label in self.labels)


@dataclass(frozen=True)
class Wording:
    """How the one sentence is worded where no chips stand under it.

    Attributes:
        roles: What some systems are, beside their names: ``the best``.
        says_family: Whether what p is corrected for stands beside it.
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    says_family: bool = False

    def name(self, system: str) -> Sentence:
        """A system, with its role if it has one."""
        role = self.roles.get(system)
        return strong(system) if role is None else sentence("{} ({})", strong(system), role)

    def names(self, found: Verdict) -> tuple[Sentence, Sentence]:
        """The better system, and the other one."""
        return self.name(found.compared.name), self.name(found.compared.other)

    def effect(self, found: Verdict) -> str:
        """The effect with its interval and p."""
        n_comparisons = found.compared.n_comparisons if self.says_family else 1
        return effect_phrase(
            found.effect, found.interval, found.p_value, found.metric, found.decimals, n_comparisons=n_comparisons
        )


WITH_CHIPS = Wording()


def verdict_text(found: Verdict, *, more: str = "", names_error: bool = False) -> Text:
    """The sentences and the chips of a verdict; ``more`` follows the sentences, ``names_error`` as there."""
    return Text((verdict("{}{}", verdict_sentence(found, names_error=names_error), more), Chips(chips(found))))


def verdict_sentence(found: Verdict, *, names_error: bool = True, wording: Wording = WITH_CHIPS) -> Sentence:
    """What a comparison comes to, in one sentence or two.

    Args:
        found: The verdict.
        names_error: Whether to say what is wrong with the texts; pages and reports say it above.
        wording: Roles of systems, and what else no chips say.
    """
    if found.state == "check-texts" and not names_error:
        return sentence("Check the texts first: an error in them may decide these scores.")
    said = SENTENCES[found.state](found, wording)
    if not found.apart:
        return said
    without = "Without it" if len(found.apart) == 1 else "Without them"
    return sentence("{} {}, {}", _apart(found, names_error=names_error), without, said.continued())


def chips(found: Verdict) -> tuple[str, ...]:
    """What qualifies a verdict: the units, runs or recipes, the family, the other metrics, the texts."""
    units = numbers.counted(found.n_units, found.unit)
    if found.n_items is not None and found.unit not in ("segment", "item"):
        units += f" of {numbers.counted(found.n_items, 'item')}"
    if found.state == "check-texts":
        return (units,)
    shown = [units]
    if found.state in CLAIMS:
        shown += [] if found.n_runs is None else ["{} and {} runs".format(*found.n_runs)]
        shown.append(runs_chip(found))
    if found.compared.n_comparisons > 1:
        shown.append(f"corrected for {numbers.count(found.compared.n_comparisons)}")
    shown += [f"{metric} {agreement}" for metric, agreement in found.agreement]
    if found.n_warnings:
        shown.append(numbers.counted(found.n_warnings, "warning"))
    return tuple(shown)


def effect_phrase(
    difference: float,
    interval: tuple[float, float] | None,
    p_value: float | None,
    metric: str,
    decimals: int = 2,
    *,
    n_comparisons: int = 1,
) -> str:
    """A difference as every verdict writes one; with what it is corrected for, where no chip says so."""
    details = []
    if interval is not None:
        low, high = (numbers.score(end, decimals) for end in interval)
        details.append(f"95 % CI {low} to {high}")
    if p_value is not None:
        details.append(p_phrase(p_value))
    if n_comparisons > 1:
        details.append(f"corrected for {numbers.count(n_comparisons)}")
    size = f"{numbers.difference(difference, decimals)} {metric}"
    return f"{size} ({', '.join(details)})" if details else size


def p_phrase(p_value: float) -> str:
    """A p-value within a sentence, on one line: ``p = .012``, ``p < .001``."""
    text = numbers.p_value(p_value)
    sign, value = text.split() if text[0] in "<>" else ("=", text)
    return numbers.NO_BREAK.join(("p", sign, value))


def runs_chip(found: Verdict) -> str:
    """Whether training noise is included."""
    if found.n_runs is not None:
        return OF_RECIPES
    return OF_RUNS if found.is_of_runs else NO_TRAINING_NOISE


def _explained(label: str | Sentence) -> Sentence | str:
    if isinstance(label, Sentence):
        return label
    of_metric = (meaning for said, meaning in OF_METRICS.items() if label.endswith(f" {said}"))
    meaning = next(of_metric, CHIP_TERMS.get(label))
    return label if meaning is None else explained(label, meaning)


def _leads(found: Verdict, wording: Wording) -> Sentence:
    (better, other), effect = wording.names(found), wording.effect(found)
    if found.question == "best":
        return sentence("{} leads: {} over {}.", better, effect, other)
    if found.question == "pair":
        return sentence("{} beats {}: {}.", better, other, effect)
    return _of_baseline(found, better, other, effect)


def _of_baseline(found: Verdict, better: Sentence, other: Sentence, effect: str) -> Sentence:
    n_others = found.n_systems - 1
    if found.compared.name == found.baseline:
        if n_others == 1 or found.n_worse < n_others:
            best = "" if n_others == 1 else ", the best of the others"
            return sentence("The baseline {} beats {}{}: {}.", better, other, best, effect)
        return sentence("The baseline {} beats every other system: {} over {}.", better, effect, other)
    said = sentence("{} beats the baseline {}: {}.", better, other, effect)
    if n_others == 1:
        return said
    if found.n_better == 1:
        return said + " No other system does."
    share = "All" if found.n_better == n_others else f"{numbers.count(found.n_better)} of"
    return said + f" {share} {numbers.count(n_others)} systems beat it."


def _no_winner(found: Verdict, wording: Wording) -> Sentence:
    (better, other), effect = wording.names(found), wording.effect(found)
    if found.question == "best":
        return sentence("{} {} over {}: {}.", _tied(found), better, other, effect)
    if found.question == "baseline" and found.n_systems > TWO:
        return sentence("{} {} over {}: {}.", _beaten_by(found), better, other, effect)
    return sentence("No significant difference between {} and {}: {}.", better, other, effect)


def _tied(found: Verdict) -> Sentence:
    n_tied = len(found.systems)
    tied = listed(found.systems) if n_tied <= MOST_TIED else f"{numbers.count(n_tied)} systems"
    return sentence("No clear winner: {} are tied at the top.", tied)


def _beaten_by(found: Verdict) -> Sentence:
    baseline = strong(found.baseline or "")
    if not found.n_better:
        return sentence("No system significantly beats the baseline {}.", baseline)
    share = f"{numbers.count(found.n_better)} of {numbers.count(found.n_systems - 1)} systems"
    verb = "beats" if found.n_better == 1 else "beat"
    return sentence("{} {} the baseline {}, but the best does not.", share, verb, baseline)


def _untested(found: Verdict, wording: Wording) -> Sentence:
    (better, other), effect = wording.names(found), wording.effect(found)
    reason = f" {found.reason}" if found.reason else ""
    if abs(found.effect) < SAME_SCORE:
        return sentence("{} and {} have the same score.{}", better, other, reason)
    if found.question == "best":
        return sentence("{} has the best score: {} over {}.{}", better, effect, other, reason)
    direction = "higher" if found.effect > 0 else "lower"
    return sentence("{} scores {} than {}: {}.{}", better, direction, other, effect, reason)


def _equal(found: Verdict, wording: Wording) -> Sentence:
    same = sentence("{} and {} have the same score.", *wording.names(found))
    return sentence("{} {}", _tied(found), same) if found.question == "best" else same


def _apart(found: Verdict, *, names_error: bool) -> Sentence:
    """Whose texts to check first."""
    names = [name for name, _ in found.apart]
    check = sentence("Check the texts of {} first.", listed(names, most=MOST_FAULTY))
    return sentence("{} {}", check, found.apart[0][1]) if names_error else check


def _check_texts(found: Verdict, _: Wording) -> Sentence:
    return sentence(CHECK_FIRST + " {}", found.reason or "")


SENTENCES = {
    "leads": _leads,
    "no-winner": _no_winner,
    "untested": _untested,
    "equal": _equal,
    "check-texts": _check_texts,
}


def verdict_facts(found: Verdict) -> dict[str, str | int | float]:
    """The same as values, for files; what is unknown is left out."""
    low, high = found.interval or (None, None)
    wins = found.wins
    facts: dict[str, str | int | float | None] = {
        "state": found.state,
        "question": found.question,
        "systems": "; ".join(found.systems),
        "system": found.compared.name,
        "other": found.compared.other,
        "effect": found.effect,
        "interval_low": low,
        "interval_high": high,
        "p": found.p_value,
        "family": found.family,
        "claim": "run" if found.n_runs is None else "recipe",
        "n_comparisons": found.compared.n_comparisons,
        "unit": found.unit,
        "n_units": found.n_units,
        "n_wins": None if wins is None else wins.n_wins,
        "n_losses": None if wins is None else wins.n_losses,
        "n_ties": None if wins is None else wins.n_ties,
        "apart": "; ".join(name for name, _ in found.apart) or None,
        "reason": found.reason,
    }
    return {f"verdict_{key}": value for key, value in facts.items() if value is not None}
