"""Texts with judgements of people, and metrics beside them, as a command line names them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import click

from bleucore import InputError, TestSet, evaluate
from bleucore.agreement.agreement import Agreement, AgreementOptions, agreement
from bleucore.agreement.judged import HumanScores, ScoredSystems
from bleucore.agreement.judged_test_set import judged_people, scored_systems, with_judges
from bleucore.counts import Progress
from bleucore.judgements.averaging import METHODS, PRESETS, Averaging, written_weights
from bleucore.judgements.people_and_models import every_judge
from bleucore.judgements.records import Judgements
from bleucore.metrics import MetricOptions
from bleucore.values import unknown_name
from bleuscope.cli.shared_options import Command, Decorator, made_of
from bleuscope.cli.streams import notice, progress
from bleuscope.cli.texts import read_texts, reader
from bleuscope.content.comparison.comparison_context import ComparisonContext, metrics_beside_bleu
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.comparison.tokenizer_words import tokenizer_warning
from bleuscope.content.report.evidence import WhyNot
from bleuscope.shell.disk.judgement_files import judgements_of, read_eval_set
from bleuscope.shell.disk.mecab import proposed_tokenizer


@dataclass(frozen=True)
class JudgedTexts:
    """Texts, judgements and scores that were read.

    Attributes:
        test_set: All systems, and the references that metrics are computed with.
        judgements: The chosen ones, aligned with it.
        metrics: Scores of more metrics.
        published: People's scores of whole systems, where somebody published them.
        metrics_published: Metrics' scores of whole systems, by the metric's name.
        notices: What to know beside every result, in sentences.
        models: All judgements of models that were named, each judge once.
    """

    test_set: TestSet
    judgements: Judgements
    metrics: tuple[MetricOptions, ...] = ()
    published: Mapping[str, float] | None = None
    metrics_published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    models: tuple[Judgements, ...] = ()


@dataclass(frozen=True)
class Judging:
    """Which judgements, and how metrics are held against them.

    Attributes:
        name: Of those that count, where there are several.
        averaging: How several judgements of an output become one.
        are_penalties: Whether lower is better.
        judged_segments: Whether systems are scored on the judged segments alone.
        own_systems: The own systems of judges, as people wrote them.
    """

    name: str | None
    averaging: Averaging
    are_penalties: bool
    judged_segments: bool
    own_systems: tuple[str, ...] = ()

    def chosen(self, known: Mapping[str, Judgements], where: str) -> Judgements:
        """The judgements that count.

        Raises:
            InputError: There are several, or none of that name.
        """
        usual = _usual(known) if self.name is None else []
        named = usual[0] if len(usual) == 1 else self.name
        if named is None or named not in known:
            raise InputError(
                "there are several judgements" if named is None else "there are no judgements of this name",
                where=where if named is None else "Option --judgement",
                found=None if named is None else repr(named),
                expected=f"one of {', '.join(known)}" if known else "a file with judgements",
                remedy="Choose one with --judgement.",
            )
        chosen = known[named]
        return replace(chosen, scale=replace(chosen.scale, higher_is_better=False)) if self.are_penalties else chosen


def _usual(known: Mapping[str, Judgements]) -> list[str]:
    """The names of people's judgements; of models', each judge once, where there are no others."""
    people = [name for name, one in known.items() if not one.are_of_models]
    judges = every_judge(list(known.values()))
    return people or [name for name, one in known.items() if one in judges]


def judging_options(command: Command) -> Command:
    """Which judgements, and how metrics are held against them; the command gets ``judging``."""
    return _options("judging")(command)


def report_options(command: Command) -> Command:
    """The same for the section of the report, which has it by its name."""
    return _options("validity")(command)


def _options(argument: str) -> Decorator:
    options = [
        click.option("--judgement", metavar="NAME", help="Which judgements, if there are several."),
        click.option(
            "--average",
            type=click.Choice(METHODS),
            default="mean",
            show_default=True,
            help="How to average raters: mean, or z per rater.",
        ),
        click.option(
            "--mqm-weights",
            metavar="WEIGHTS",
            help=f"What errors cost: {', '.join(PRESETS)}; or as in google,major=10.  [default: as in the file]",
        ),
        click.option("--penalties", is_flag=True, help="The judgements are penalties: lower is better."),
        click.option(
            "--judged-segments", is_flag=True, help="Score systems on the judged segments, not on all of them."
        ),
        click.option(
            "--own-system",
            "own",
            multiple=True,
            metavar="JUDGE=SYSTEM",
            help="A system that a model judge made; JUDGE= for none.  [default: by name]",
        ),
    ]
    names = ["judgement", "average", "mqm_weights", "penalties", "judged_segments", "own"]
    return made_of(options, names, argument, _judging)


def _judging(given: Mapping[str, Any], _: Inputs | None) -> Judging:
    weights = None if given["mqm_weights"] is None else written_weights(given["mqm_weights"])
    averaging = Averaging("z" if given["average"] == "z" else "mean", weights)
    own = tuple(given["own"])
    return Judging(given["judgement"], averaging, given["penalties"], given["judged_segments"], own)


def read_judged(
    asked: Inputs, scoring: Settings, judging: Judging, *, mtme: str | None, of_tree: Sequence[str]
) -> JudgedTexts:
    """What a command names: a whole test set of mt-metrics-eval, or texts and files of judgements.

    Raises:
        InputError: It is both or neither, something cannot be read, or a name is that of nothing.
    """
    if mtme is not None:
        texts = _of_tree(asked, mtme, judging, of_tree)
        unsuited = tokenizer_warning(proposed_tokenizer(texts.test_set.references), scoring.options.tokenizer)
        texts = replace(texts, notices=texts.notices if unsuited is None else (*texts.notices, unsuited))
        for said in texts.notices:
            notice(said)
        return texts
    if of_tree:
        raise InputError(
            "there is no test set of mt-metrics-eval",
            where="Option --metric",
            found=", ".join(of_tree),
            expected="--mtme with it",
            remedy="Scores of other metrics are read from files with --scores.",
        )
    if not asked.judgements:
        raise InputError(
            "there are no judgements",
            where="The files",
            expected="--judgements FILE, or --mtme FOLDER",
            remedy="Name a file with judgements of the systems.",
        )
    loaded = read_texts(asked, scoring.options.tokenizer)
    found = {one.name: one for one in judgements_of(asked, loaded.test_set, read_data=reader(asked.paths))}
    chosen = judging.chosen(found, "The files")
    for said in chosen.notices:
        notice(said)
    return JudgedTexts(
        loaded.test_set,
        chosen,
        loaded.scores,
        notices=(*loaded.notices, *chosen.notices),
        models=every_judge(list(found.values())),
    )


def judged_of(
    texts: JudgedTexts, scoring: Settings, averaging: Averaging
) -> tuple[HumanScores, tuple[ScoredSystems, ...]]:
    """People's judgements and the metrics of the judged systems.

    Raises:
        InputError: Fewer than two systems are left, or an error has no penalty.
    """
    people = judged_people(texts.test_set, texts.judgements, averaging, published=texts.published)
    asked = metrics_beside_bleu((*scoring.metrics, *texts.metrics))
    with progress("Scoring") as report:
        evaluation = evaluate(texts.test_set, scoring.options, metrics=asked, progress=report)
    return people, tuple(
        scored_systems(metric, people.systems, published=texts.metrics_published.get(name))
        for name, metric in evaluation.metrics.items()
    )


def find_in_files(
    asked: Inputs, judging: Judging, study: ComparisonContext, report: Progress | None
) -> Agreement | WhyNot:
    """How far metrics agree with the judgements that a report is given; or why that cannot be said.

    Raises:
        InputError: A file cannot be read, or there are no such judgements.
    """
    found = {one.name: one for one in judgements_of(asked, study.test_set, read_data=reader(asked.paths))}
    chosen = judging.chosen(found, "The files")
    for said in chosen.notices:
        notice(said)
    options = AgreementOptions(judged_segments=judging.judged_segments)
    try:
        people = judged_people(study.test_set, chosen, judging.averaging)
        others = [one for name, one in study.evaluation.metrics.items() if name != chosen.name]
        metrics = [scored_systems(one, people.systems) for one in others]
        measured = agreement(people, metrics, options, progress=report)
        models, are_people = every_judge(list(found.values())), not chosen.are_of_models
        if not models:
            return measured
        return with_judges(measured, study.test_set, models, metrics, judging.own_systems, are_people=are_people)
    except InputError as error:
        return WhyNot(str(error))


def _of_tree(asked: Inputs, mtme: str, judging: Judging, of_tree: Sequence[str]) -> JudgedTexts:
    beside = replace(asked, references=(), language_pair=None)
    if beside != Inputs():
        raise InputError(
            "what to read is named twice",
            where="Option --mtme",
            found="files next to it",
            expected="one of both",
            remedy="Leave one of them out.",
        )
    found = read_eval_set(mtme, asked.language_pair)
    references = tuple(dict.fromkeys(asked.references)) or (found.standard_reference,)
    known = found.test_set.reference_names or ()
    for name in references:
        if name not in known:
            raise unknown_name("reference", name, known, where="Option --reference", remedy="Choose one of these.")
    for name in of_tree:
        if name not in found.metrics:
            raise unknown_name("metric", name, found.metrics, where="Option --metric", remedy="Choose one of these.")
    chosen = judging.chosen(found.judgements, mtme)
    return JudgedTexts(
        _with_references(found.test_set, references),
        chosen,
        tuple(replace(found.metrics[one], name=one) for one in dict.fromkeys(of_tree)),
        None if judging.are_penalties else found.judged_systems.get(chosen.name),
        {one: found.metric_systems[one] for one in of_tree if one in found.metric_systems},
        found.notices,
    )


def _with_references(test_set: TestSet, names: Sequence[str]) -> TestSet:
    """The test set with some of its references alone."""
    columns = dict(zip(test_set.reference_names or (), test_set.references, strict=True))
    files = dict(zip(test_set.reference_names or (), test_set.reference_files or (), strict=True))
    return replace(
        test_set,
        references=[columns[name] for name in names],
        reference_names=list(names),
        reference_files=[files[name] for name in names],
    )
