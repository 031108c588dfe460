"""What the checks found, in words, and what it does to the scores."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup

from bleucore import Evaluation, MetricEvaluation, System, TestSet
from bleucore.checks import CHECKS, SEVERITIES, Finding, Repair
from bleucore.counts import Ints
from bleucore.evaluation import MetricResult
from bleuscope.content.style import numbers
from bleuscope.content.style.scale import ScoreScale
from bleuscope.content.style.sentences import (
    MAX_NAMED,
    Piece,
    Sentence,
    Text,
    bold,
    note,
    paragraph,
    sentence,
    strong,
    verdict,
    warning,
)
from bleuscope.content.style.unique_names import unique_name

NamedFinding: TypeAlias = tuple[str, Finding]
"""A finding behind a name that no other finding has."""

SIGNS = {"error": "✖", "warning": "▲", "note": "●"}
HEADINGS = {
    "error": "Errors: scores are very likely wrong",
    "warning": "Warnings",
    "note": "Notes",
}

NOT_KNOWN = "Findings appear here once the texts are checked."
ALL_CHECKS = "The documentation lists all checks under *Checks of the texts*."
CHECKING = "Checking the texts …"
UNCHECKED = {
    "cancelled": "You cancelled the checks.",
    "failed": "The checks failed. The server's log says why.",
}


PLURALS = {"has": "have", "is": "are"}
MOST_MORE_DECIMALS = 2
"""Beyond the usual ones, where two scores and their difference contradict each other otherwise."""
MOST_REPAIRED = 500
"""Segments that are scored anew in every metric; of more, BLEU says what they cost."""


@dataclass(frozen=True)
class Effect:
    """The corpus score of a system as its texts are, and with repaired texts.

    Attributes:
        scale: How scores of the metric are written.
        score: Of the texts as they are.
        score_repaired: Of the texts without the fault.
        is_whole: Whether nothing of the fault is left in them; otherwise it costs at least what they gain.
    """

    scale: ScoreScale
    score: float
    score_repaired: float
    is_whole: bool = True

    @property
    def cost(self) -> float:
        """What the fault costs: above 0 where the system is better without it, whichever way the metric points."""
        gain = self.score_repaired - self.score
        return gain if self.scale.higher_is_better else -gain


def named_findings(findings: Sequence[Finding]) -> list[NamedFinding]:
    """The findings in their order, each with its name among the flags that segments can be filtered by.

    A check can say two things about one subject, and two references can have one title: what is not the first
    of its name has a number behind it.
    """
    taken: set[str] = set()
    return [(unique_name(f"{finding.check}: {finding.subject}", taken), finding) for finding in findings]


def flagged_segments(findings: Sequence[Finding]) -> dict[str, Ints]:
    """The segments of every flag, from 0, gravest finding first; findings without segments have no flag."""
    return {name: finding.segments for name, finding in named_findings(findings) if len(finding.segments)}


def effect_of(evaluation: Evaluation, metric: MetricEvaluation, finding: Finding) -> Effect | None:
    """What repaired texts would do to the system's score in a metric; the texts stay as they are.

    ``None`` where no repair can be derived, or one in part that gains nothing; for findings that are not about a
    system, and for scores from files.
    """
    repair, index = finding.repair, finding.index
    if repair is None or finding.kind != "system" or index is None or metric.metric.is_read:
        return None
    if metric is not evaluation.bleu and len(repair.segments) > MOST_REPAIRED:
        return None
    result = tuple(metric.systems.values())[index]
    score = repair.once(metric.options, lambda: _score_repaired(evaluation.test_set, metric, result, repair))
    effect = Effect(ScoreScale.of(metric), result.score, score, repair.is_whole)
    return effect if effect.is_whole or effect.cost > 0 else None


def effects_of(evaluation: Evaluation, finding: Finding) -> tuple[Effect, ...]:
    """The same in every metric that has one."""
    found = (effect_of(evaluation, metric, finding) for metric in evaluation.metrics.values())
    return tuple(effect for effect in found if effect is not None)


def _score_repaired(test_set: TestSet, metric: MetricEvaluation, result: MetricResult, repair: Repair) -> float:
    segments = repair.segments
    references = [[column[segment] for segment in segments.tolist()] for column in test_set.references]
    repaired = TestSet([System("repaired", repair.texts)], references, are_lines=test_set.are_lines)
    (counts,) = metric.metric.statistics(repaired, metric.options, None)
    rest = result.sums - result.counts[segments].sum(axis=0)
    return float(metric.score_of(rest + counts.sum(axis=0)))


def casts_doubt_on_tokens(findings: Sequence[Finding]) -> bool:
    """Whether what is wrong makes tokens, and so lengths in tokens, say nothing."""
    return any(CHECKS[finding.check].asks == "scoring" for finding in findings)


def findings_verdict(findings: Sequence[Finding]) -> Text:
    """How many findings there are of each severity."""
    if not findings:
        return verdict("Nothing looks wrong: {} found nothing to report.", numbers.counted(len(CHECKS), "check"))
    counts = {severity: sum(finding.severity == severity for finding in findings) for severity in SEVERITIES}
    listed = ", ".join(
        numbers.counted(number, severity) if number else f"no {severity}s"
        for severity, number in counts.items()
        if number or severity == "error"
    )
    advice = "Fix the files first: the scores are very likely wrong. " if counts["error"] else ""
    n_checks = numbers.counted(len(CHECKS), "check")
    return verdict("{} found {}. {}bleuscope changed no text.", n_checks, listed, advice)


def by_check(named: Sequence[NamedFinding]) -> list[tuple[NamedFinding, ...]]:
    """The findings of each check together, in the order in which the checks come first."""
    alike: dict[str, list[NamedFinding]] = {}
    for name, finding in named:
        alike.setdefault(finding.check, []).append((name, finding))
    return [tuple(group) for group in alike.values()]


def more_label(findings: Sequence[Finding]) -> str:
    """What unfolds: the same finding about others, and who some of them are."""
    names = [finding.subject.removeprefix("System ") for finding in findings]  # quoted, whatever they are
    rest = len(names) - MAX_NAMED
    listed = ", ".join(names[:MAX_NAMED]) + (f" and {rest} more" if rest > 0 else "")
    return f"The same for {numbers.count(len(names))} more: {listed}"


def finding_card(finding: Finding, effects: Sequence[Effect] = (), above: Finding | None = None) -> Text:
    """One finding: about what, what was found, what to do, and what it costs in the scores.

    Under a finding that says the same about something else, only how many segments it concerns and what it costs.
    """
    sign, span = SIGNS[finding.severity], Markup('<span class="bs-sign" role="img" aria-label="{}">{}</span>')
    signed = Sentence((Piece(sign, span.format(finding.severity, sign)),))
    costs = "".join(map(_effect_words, effects)) or _cost_of_reference(finding)
    is_repeated = above is not None and _says_the_same(finding, above)
    same = f"also in {numbers.counted(len(finding.segments), 'segment')}."
    message = same if is_repeated else finding.message
    found = paragraph("", "{} {}: {}", signed, strong(finding.subject), message)
    told = (costs.strip() if is_repeated else f"{finding.remedy}{costs}").strip()
    return Text((found, note("{}", told)) if told else (found,), f"bs-finding bs-finding-{finding.severity}")


def has_errors(findings: Sequence[Finding]) -> bool:
    """Whether scores are very probably wrong."""
    return any(finding.severity == "error" for finding in findings)


def deserve_a_look(findings: Sequence[Finding]) -> bool:
    """Whether there is more than notes."""
    return any(finding.severity != "note" for finding in findings)


def n_to_look_at(findings: Sequence[Finding]) -> int:
    """The number of errors and warnings."""
    return sum(finding.severity != "note" for finding in findings)


def found_words(findings: Sequence[Finding]) -> Sentence:
    """How many errors and warnings there are in the texts."""
    counts = [(severity, sum(one.severity == severity for one in findings)) for severity in SEVERITIES[:2]]
    found = [numbers.counted(number, severity) for severity, number in counts if number]
    return sentence("{} in the texts.", " and ".join(found) or "No errors or warnings")


def alarm(findings: Sequence[Finding]) -> Text:
    """The errors in a few words, for pages that show scores; empty without any."""
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors:
        return Text()
    first = errors[0]
    rest = f" And {numbers.counted(len(errors) - 1, 'more error')}." if len(errors) > 1 else ""
    if CHECKS[first.check].asks == "scoring":
        return warning("{} {} {}{}", bold("Look at the tokenizer first."), first.message, first.remedy, rest)
    return warning("{} {}: {}{}", bold("Check the texts first."), strong(first.subject), first.message, rest)


def _says_the_same(finding: Finding, above: Finding) -> bool:
    """Whether two messages and remedies differ at most in their numbers, and so in singular and plural."""
    if not len(finding.segments) or finding.remedy != above.remedy:
        return False
    return _without_numbers(finding.message) == _without_numbers(above.message)


def _without_numbers(message: str) -> list[str]:
    words = re.sub(r"[\d.,]*\d", "0", message).split()
    return [PLURALS.get(word, word.removesuffix("s")) for word in words]


def _effect_words(effect: Effect) -> str:
    """What a repair changes: "Repaired: BLEU 46.15 → 46.49 (+0.34)."."""
    scale, cost = effect.scale, effect.cost
    if not effect.is_whole:
        return f" This fault costs at least about {scale.score(cost)} {scale.unit}: not every text can be repaired."
    if scale.score(abs(cost)) == scale.score(0.0):
        return f" Repaired: {scale.unit} unchanged."
    written, now, repaired = _that_add_up(effect)
    if cost > 0:
        sign = "+" if effect.score_repaired > effect.score else numbers.MINUS
        return f" Repaired: {scale.unit} {now} → {repaired} ({sign}{written})."
    return f" This fault improves {scale.unit} by {written} ({now}, {repaired} if repaired)."


def _that_add_up(effect: Effect) -> tuple[str, str, str]:
    """The size of the cost and both scores, with as many decimals as it takes that they do not contradict it."""
    values = (abs(effect.cost), effect.score, effect.score_repaired)
    usual = effect.scale.decimals
    for decimals in range(usual, usual + MOST_MORE_DECIMALS + 1):
        cost, now, repaired = (round(value, decimals) for value in values)
        if round(abs(repaired - now), decimals) == cost:
            break
    written, written_now, written_repaired = (numbers.score(value, decimals) for value in values)
    return written, written_now, written_repaired


def _cost_of_reference(finding: Finding) -> str:
    """What a fault of a reference costs the systems."""
    if finding.kind != "reference" or finding.cost is None or finding.repair is None:
        return ""
    least = "" if finding.repair.is_whole else "at least about "
    written = numbers.score(abs(finding.cost))
    if finding.cost < 0:
        return f" Raises the systems’ scores by about {written} BLEU (median)."
    return f" This fault costs the systems {least}{written} BLEU (median)."
