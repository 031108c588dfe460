"""Command lines: the numbers of the page Human judgements, and a report that holds judgements."""

from dataclasses import replace

from bleuscope.content.commands import path_word, scoring_words, tested_words, texts_words, written
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.judgements import params
from bleuscope.features.judgements.choice import AgreementChoice
from bleuscope.features.judgements.pearmut import PROTOCOLS, Protocol
from bleuscope.features.judgements.sheets_samples import Task


def agreement_command(study: ComparisonContext, choice: AgreementChoice) -> str:
    """How far metrics agree with people."""
    metrics = {metric.name: metric for metric in choice.metrics(study.evaluation)}
    others = replace(study, evaluation=replace(study.evaluation, metrics=metrics))
    return written(["agreement", *judging_words(choice), *scoring_words(others), *texts_words(others, are_judged=True)])


def draw_command(study: ComparisonContext, task: Task, protocol: Protocol) -> str:
    """The segments that people are to judge, as a campaign and a table."""
    sample = task.sample
    is_usual = task.by != "difference" and tuple(task.systems) == study.evaluation.names
    judged = [] if is_usual else [word for name in task.systems for word in ("--system", study.loaded.called[name])]
    words = ["draw", *params.JUDGE_BY.said(task.by), *params.JUDGE_BUDGET.said(sample.budget)]
    words += [*params.JUDGE_SEED.said(sample.seed), *judged, *params.JUDGE_PROTOCOL.said(protocol, PROTOCOLS[0])]
    return written([*words, "--output", "judging/", *tested_words(study), *scoring_words(study), *texts_words(study)])


def judging_words(choice: AgreementChoice) -> list[str]:
    """Which judgements, and how metrics are held against them."""
    judgements, weights = choice.judgements, choice.averaging.weights
    words = ["--judgements", path_word(judgements.file), *params.JUDGEMENT.said(judgements.name)]
    words += [] if judgements.scale.higher_is_better else ["--penalties"]
    words += [*params.RATERS.said(choice.averaging.method, "mean"), *params.MQM_WEIGHTS.said(weights and weights.name)]
    words += [word for one in choice.own_systems for word in params.OWN_SYSTEMS.said(one)]
    if choice.models and not judgements.are_of_models:
        files = dict.fromkeys(one.judgements.file for one in choice.models)
        words += [word for file in files if file != judgements.file for word in ("--judgements", path_word(file))]
    return words + params.JUDGED_SEGMENTS.said(choice.options.judged_segments)
