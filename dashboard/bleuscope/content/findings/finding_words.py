"""What the checks found, in words, and what it does to the scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup

from bleucore import Evaluation, MetricEvaluation
from bleucore.checks import CHECKS, SEVERITIES, Finding
from bleucore.counts import Ints
from bleuscope.content.style import numbers
from bleuscope.content.style.scale import Scale
from bleuscope.content.style.sentences import (
    MAX_NAMED,
    Piece,
    Sentence,
    Text,
    bold,
    note,
    paragraph,
    strong,
    verdict,
    warning,
)
from bleuscope.content.style.unique_names import unique_name

NamedFinding: TypeAlias = tuple[str, Finding]
"""A finding behind a name that no other finding has."""

SIGNS = {"error": "✖", "warning": "▲", "note": "●"}
HEADINGS = {
    "error": "Errors: the scores are very probably wrong",
    "warning": "Warnings: look at these",
    "note": "Notes: worth knowing",
}


@dataclass(frozen=True)
class Effect:
    """The corpus score of a system with all segments, and without those that a finding points at.

    Attributes:
        scale: How scores of the metric are written.
        score: With all segments; NaN where a file of scores has none of it.
        score_without: Without them.
    """

    scale: Scale
    score: float
    score_without: float


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


def effect_of(metric: MetricEvaluation, finding: Finding) -> Effect | None:
    """What leaving out the flagged segments would do to the system's score in a metric.

    ``None`` for findings that are not about a system, flag nothing, or leave no segment with a score.
    """
    if finding.kind != "system" or finding.index is None or not len(finding.segments):
        return None
    result = tuple(metric.systems.values())[finding.index]
    rest = result.sums - result.counts[finding.segments].sum(axis=0)
    if len(finding.segments) == len(result.counts) or not metric.metric.has_scores(rest):
        return None
    return Effect(Scale.of(metric), result.score, float(metric.score_of(rest)))


def effects_of(evaluation: Evaluation, finding: Finding) -> tuple[Effect, ...]:
    """The same in every metric that has one."""
    found = (effect_of(metric, finding) for metric in evaluation.metrics.values())
    return tuple(effect for effect in found if effect is not None)


def casts_doubt_on_tokens(findings: Sequence[Finding]) -> bool:
    """Whether what is wrong makes tokens, and so lengths in tokens, say nothing."""
    return any(CHECKS[finding.check].asks == "scoring" for finding in findings)


def findings_verdict(findings: Sequence[Finding]) -> Text:
    """How many findings there are of each severity."""
    if not findings:
        return verdict("Nothing looks wrong: {} found nothing to report.", numbers.counted(len(CHECKS), "check"))
    counts = {severity: sum(finding.severity == severity for finding in findings) for severity in SEVERITIES}
    listed = ", ".join(numbers.counted(number, severity) for severity, number in counts.items() if number)
    advice = (
        "Mend the files first: the scores are very probably wrong."
        if counts["error"]
        else "Nothing says that the scores are wrong; have a look all the same."
    )
    n_checks = numbers.counted(len(CHECKS), "check")
    return verdict("{} found {}. {} Nothing was changed in the texts.", n_checks, listed, advice)


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
    return f"The same of {numbers.count(len(names))} more: {listed}"


def finding_card(finding: Finding, effects: Sequence[Effect] = ()) -> Text:
    """One finding: about what, what was found, what to do, and what it does to the scores."""
    sign, span = SIGNS[finding.severity], Markup('<span class="bs-sign" role="img" aria-label="{}">{}</span>')
    signed = Sentence((Piece(sign, span.format(finding.severity, sign)),))
    found = paragraph("", "{} {}: {}", signed, strong(finding.subject), finding.message)
    remedy = note("{}{}", finding.remedy, "".join(map(_effect_words, effects)))
    return Text((found, remedy), f"bs-finding bs-finding-{finding.severity}")


def alarm(findings: Sequence[Finding]) -> Text:
    """The errors in a few words, for pages that show scores; empty without any."""
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors:
        return Text()
    first = errors[0]
    rest = f" And {numbers.counted(len(errors) - 1, 'more error')}." if len(errors) > 1 else ""
    if CHECKS[first.check].asks == "scoring":
        return warning("{} {} {}{}", bold("Look at the tokenizer first."), first.message, first.remedy, rest)
    return warning("{} {}: {}{}", bold("Look at the texts first."), strong(first.subject), first.message, rest)


def _effect_words(effect: Effect) -> str:
    scale, change = effect.scale, effect.scale.difference(effect.score_without - effect.score)
    without = scale.score(effect.score_without)
    return f" {scale.unit} {scale.score(effect.score)}; without these segments {without} ({change})."
