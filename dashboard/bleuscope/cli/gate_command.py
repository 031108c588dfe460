"""``bleuscope gate``: is a system worse than a baseline? For machines that build and test."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np

from bleucore import InputError, MetricEvaluation
from bleucore.significance import PairComparison, SignificanceOptions
from bleuscope.cli.by_hand import run_option
from bleuscope.cli.files_out import append_file, write_file
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, check_path, give_tables
from bleuscope.cli.recipe_notices import say_recipes
from bleuscope.cli.shared_options import (
    examples,
    file_options,
    made_of,
    metric_option,
    output_options,
    scoring_options,
    test_options,
)
from bleuscope.cli.streams import forget_output
from bleuscope.cli.studies import study_as_asked
from bleuscope.cli.texts import read_texts, system_named
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.comparison.inputs import Inputs, Loaded, Settings
from bleuscope.content.sheets.builders import evaluation_facts, score_column, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.significance import significance_by_metric
from bleuscope.content.significance.check_reports import check_junit, check_summary
from bleuscope.content.significance.significance_by_metric import disagreement
from bleuscope.content.significance.significance_sheets import comparison_facts
from bleuscope.content.significance.significance_words import resolution_words, stars_words
from bleuscope.content.style import numbers

WORSE = 1


@dataclass(frozen=True)
class Reports:
    """The files that are written beside the table, for machines that build.

    Attributes:
        junit: JUnit XML; ``None`` for none.
        summary: What Markdown is added to; ``None`` for nothing.
    """

    junit: str | None
    summary: str | None

    def check(self, read: Sequence[str]) -> None:
        """Refuse what could not be written, or should not be, before anything is computed.

        Raises:
            InputError: A file cannot be written, or is one of those that are read.
        """
        for option, path in (("--junit", self.junit), ("--summary", self.summary)):
            if path is not None:
                check_path(path, read, f"Option {option}")


@click.command(
    "gate",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope gate --baseline old.txt new.txt --reference ref.txt",
        "bleuscope gate --baseline old.txt new.txt -r ref.txt --level 0.01 --margin 0.5",
        "bleuscope gate --baseline old.txt new.txt -r ref.txt -m ter --metric TER",
        "bleuscope gate --baseline old.txt new.txt -t wmt22 -l en-de --format json -o gate.json",
        'bleuscope gate --baseline old.txt new.txt -r ref.txt --junit gate.xml --summary "$GITHUB_STEP_SUMMARY"',
    ),
)
@file_options()
@scoring_options
@test_options
@metric_option
@click.option("--baseline", required=True, metavar="OLD", help="The baseline: a file, or a system of the sample.")
@click.option(
    "--margin",
    type=float,
    default=0.0,
    show_default=True,
    help="A loss of up to this many points of the metric passes.",
)
@made_of(
    [
        click.option("--junit", type=click.Path(), help="Write JUnit XML too, with a test case for each system."),
        click.option(
            "--summary", type=click.Path(), help="Also add Markdown to this file, such as the summary of a CI job."
        ),
    ],
    ("junit", "summary"),
    "reports",
    lambda given, _: Reports(**given),
)
@run_option
@output_options()
@click.pass_context
def gate_command(  # noqa: PLR0913  # click gives each option as an argument
    context: click.Context,
    /,
    asked: Inputs,
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    reports: Reports,
    *,
    metric: str | None,
    baseline: str,
    margin: float,
    **of_features: object,
) -> None:
    """Fail if a SYSTEM is significantly worse than the baseline and loses more than the margin.

    Exit codes: 0 if none is worse, 1 if one is, 2 if you have to fix the input. p is corrected for the
    number of systems.
    """
    if not 0 <= margin < float("inf"):
        raise InputError(
            "this is no margin", where="Option --margin", found=margin, expected="a number of points from 0"
        )
    output.check((baseline,))
    reports.check((baseline, *asked.paths))
    texts, name = _read(asked, scoring, baseline)
    study = study_as_asked(texts, scoring, significance, baseline=name, metric=metric)
    say_recipes(study.evaluation, of_features)
    comparison = study.comparison_in_metric
    compared = comparison.against(study.measured_against)
    opinions = {
        name: significance_by_metric.opinions(
            study.evaluation, study.comparison, study.others, (study.measured_against, name)
        )
        for name in compared
    }
    disputed = {name: str(found) for name, said in opinions.items() if (found := disagreement(study.evaluation, said))}
    tested = compared if comparison.has_stars else {}  # a p-value that does not count decides nothing
    worse = [name for name, one in tested.items() if is_worse(one, study.metric, significance.level, margin)]
    sheet = _sheet(study, worse, disputed, margin)
    try:
        makers = {"check": lambda: sheet}
        give_tables(Tables(makers, texts.notices, disputes=list(disputed.values())), output)
    except BrokenPipeError:  # who closes the pipe may still want to know
        forget_output()
    said = {"metric": study.metric.name, "baseline": study.measured_against}
    if reports.junit is not None:
        write_file(Path(reports.junit), check_junit(sheet, worse, disputed, **said).encode())
    if reports.summary is not None:
        warnings = [*disputed.values(), *texts.notices]
        append_file(Path(reports.summary), check_summary(sheet, worse, warnings, **said).encode())
    if worse:
        context.exit(WORSE)


def is_worse(compared: PairComparison, metric: MetricEvaluation, level: float, margin: float) -> bool:
    """Whether a system loses more than the margin to its baseline, and that is significant."""
    p_value = compared.corrected_p_value
    return p_value is not None and p_value < level and metric.gain(compared.difference) < -margin


def _read(asked: Inputs, scoring: Settings, baseline: str) -> tuple[Loaded, str]:
    """The texts, and the name of the baseline in them, which is a file or, of the sample, a system.

    Raises:
        InputError: A file holds several systems, or there is nothing to compare.
    """
    if asked.is_sample:
        texts = read_texts(asked, scoring.options.tokenizer)
        return texts, system_named(texts.test_set, baseline, "Option --baseline")
    files = (baseline, *asked.systems)
    texts = read_texts(replace(asked, systems=files), scoring.options.tokenizer)
    names = texts.test_set.system_names
    if len(names) != len(files):
        raise InputError(
            "the number of systems is not that of the files",
            where="The files",
            found=f"{numbers.counted(len(names), 'system')} ({', '.join(names)})",
            expected=f"{len(files)}, the baseline first",
            remedy="Name a reference with --reference, and give one system a file.",
        )
    return texts, names[0]


def _sheet(study: TestedStudy, worse: Sequence[str], disputed: Collection[str], margin: float) -> Sheet:
    metric, comparison = study.metric, study.comparison_in_metric
    baseline, options = study.measured_against, comparison.options
    compared = list(comparison.against(baseline).values())
    resolution = resolution_words(options, len(compared))
    nothing = (np.nan, np.nan)
    p_values = np.array([[one.p_value, one.corrected_p_value] for one in compared], np.float64)
    lost = f"{', '.join(worse)} {'are' if len(worse) > 1 else 'is'} worse" if worse else "Not worse"
    key, kind = score_column(metric)
    of_baseline = Field(f"baseline_{key}", f"{metric.name} {baseline}", kind)
    return sheet_of(
        "check",
        (
            f"{lost} than {baseline}: worse is p < {options.level:g} and a loss of more than {margin:g}.",
            *(words for words in (stars_words(comparison), resolution) if words),
            f"Test signature: {options.signature()}.",
            f"Signature: {metric.signature}.",
        ),
        [
            (Field("system", "system", "text"), [one.name for one in compared]),
            (Field(key, metric.name, kind), [metric.systems[one.name].score for one in compared]),
            (of_baseline, [metric.systems[baseline].score] * len(compared)),
            (Field("difference", "Δ", "difference"), [one.difference for one in compared]),
            (
                Field("difference_interval", "95 % interval", "interval", ends="difference"),
                [one.interval or nothing for one in compared],
            ),
            (Field("p_value", "p", "p"), p_values[:, 0]),
            (Field("corrected_p_value", "p corrected", "p"), p_values[:, 1]),
            (Field("worse", "worse", "yes or no"), np.array([one.name in worse for one in compared])),
            (Field("disputed", "metrics disagree", "yes or no"), np.array([one.name in disputed for one in compared])),
        ],
        evaluation_facts(study.evaluation)
        | comparison_facts(comparison)
        | ({} if metric is study.evaluation.bleu else {"metric": metric.name})
        | {"baseline": baseline, "margin": margin, "verdict": "worse" if worse else "not worse"},
    )
