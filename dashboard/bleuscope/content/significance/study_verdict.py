"""The one verdict about a study: pages, reports, commands and notebooks show this object and no other."""

from collections.abc import Sequence
from dataclasses import replace

from bleucore import MetricEvaluation
from bleucore.checks import Finding
from bleucore.experiments.design import RunDesign
from bleucore.significance import Agreement, Comparison, Verdict, pair_verdict, verdict_of
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.comparison.differences import wins_of
from bleuscope.content.significance.significance_by_metric import Opinion, disagree, opinions
from bleuscope.content.style.scale import ScoreScale


def study_verdict(study: TestedStudy, found: Sequence[Finding] | None = None) -> Verdict | None:
    """The verdict about all systems in the metric of the study; ``None`` of one system.

    Args:
        study: With its tests.
        found: What the checks of the texts found; those of the study unless given, ``None`` while they go on.
    """
    metric, comparison = study.metric, study.comparison_in_metric
    found = study.findings if found is None else found
    made = verdict_of(comparison, metric.name, metric.ranked(), errors_of_systems(study.evaluation.names, found))
    return None if made is None else _complete(study, made, found)


def bleu_verdict(study: TestedStudy, found: Sequence[Finding] | None = None) -> Verdict | None:
    """The same in BLEU, whatever the metric of the study."""
    return study_verdict(replace(study, metric=study.evaluation.bleu), found)


def verdict_of_pair(study: TestedStudy, found: Sequence[Finding] | None = None) -> Verdict:
    """The verdict about systems A and B in the metric of the study."""
    first, second = study.pair
    return _complete(study, pair_verdict(study.comparison_in_metric, study.metric.name, second, first), found)


def verdict_on(
    comparison: Comparison,
    metric: MetricEvaluation,
    pair: tuple[str, str],
    found: Sequence[Finding] | None = None,
    *,
    design: RunDesign,
) -> Verdict:
    """The verdict about two systems in one metric, of a selection of segments say."""
    made = pair_verdict(comparison, metric.name, pair[1], pair[0])
    wins = wins_of(metric, made.compared.name, made.compared.other)
    names = tuple(metric.systems)
    made = replace(made, wins=wins, decimals=ScoreScale.of(metric).decimals, is_of_runs=_is_of_runs(design, pair))
    return with_findings(made, names, found)


def _complete(study: TestedStudy, made: Verdict, found: Sequence[Finding] | None) -> Verdict:
    """With the wins, what other metrics say of the same pair, and the findings in the texts."""
    metric, (name, other) = study.metric, (made.compared.name, made.compared.other)
    said = opinions(study.evaluation, study.comparison, study.others, (other, name))
    own = next((one for one in said if one.metric.name == metric.name), None)
    agreement: list[tuple[str, Agreement]] = [
        (one.metric.name, _agreement(study, made, own, one))
        for one in said
        if own is not None and one is not own and one.compared.corrected_p_value is not None
    ]
    made = replace(
        made,
        agreement=tuple(agreement),
        wins=wins_of(metric, name, other),
        decimals=ScoreScale.of(metric).decimals,
        is_of_runs=_is_of_runs(study.design, (name, other)),
    )
    return with_findings(made, study.evaluation.names, study.findings if found is None else found)


def _is_of_runs(design: RunDesign, pair: tuple[str, str]) -> bool:
    """Whether one of two systems is a run of a recipe that has several."""
    return any(name in systems and len(systems) > 1 for name in pair for systems in design.recipes.values())


def _agreement(study: TestedStudy, made: Verdict, own: Opinion, other: Opinion) -> Agreement:
    """Whether another metric says of the pair, and of systems that are tied, what the verdict says."""
    if disagree((own, other)):
        return "disagrees"
    comparison = study.others.get(other.metric.name, study.comparison)
    first, *rest = made.systems
    compared = [comparison.pair(first, name) for name in rest if comparison.has_pair(first, name)]
    apart = [one for one in compared if comparison.is_significant(one)]
    if any(other.metric.gain(one.difference) < 0 for one in apart):
        return "disagrees"
    if apart:
        return "narrows the tie"
    return "reverses the order" if own.gain * other.gain < 0 else "agrees"


def with_findings(made: Verdict, names: Sequence[str], found: Sequence[Finding] | None) -> Verdict:
    """The verdict with what the checks found in the texts that it is about: its systems, their references and source.

    Args:
        made: About systems, or versions.
        names: All that were checked, in the order of their texts.
        found: In them; ``None`` while they are being checked.
    """
    if found is None:
        return made
    aside = {name for name, _ in made.apart}
    beside = [name for name in names if name not in aside]
    about = beside if made.question != "pair" else (made.compared.name, made.compared.other)
    own = [one for one in found if one.kind != "system" or (one.index is not None and names[one.index] in about)]
    errors = [one for one in own if one.severity == "error"]
    error = f"{errors[0].subject}: {errors[0].message}" if errors else None
    return made.with_texts(n_warnings=sum(one.severity == "warning" for one in own), error=error)


def errors_of_systems(names: Sequence[str], found: Sequence[Finding] | None) -> dict[str, str]:
    """What is wrong with the texts of each system; empty where a reference or the source has an error too."""
    errors = [one for one in found or () if one.severity == "error"]
    if any(one.kind != "system" or one.index is None for one in errors):
        return {}
    said: dict[str, str] = {}
    for one in errors:
        said.setdefault(names[one.index or 0], f"{one.subject}: {one.message}")
    return said
