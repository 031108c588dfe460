"""``bleuscope lint``: what looks wrong with the texts."""

from collections.abc import Sequence

import click

from bleucore import evaluate
from bleucore.checks import SEVERITIES, Finding, Severity, check
from bleuscope.cli.by_hand import run_option, runs_among
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.recipe_notices import recipes_told
from bleuscope.cli.shared_options import examples, file_options, output_options, scoring_options
from bleuscope.cli.streams import forget_output, notice, progress
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.comparison_context import metrics_beside_bleu
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.findings.finding_sheets import findings_sheet

FOUND = 1


@click.command(
    "lint",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope lint A.txt B.txt -r ref.txt -s source.txt",
        "bleuscope lint A.txt -r ref.txt -m chrf --format json",
        "bleuscope lint A.txt -r ref.txt --fail-if-found error",
    ),
)
@file_options()
@scoring_options
@click.option(
    "--fail-if-found",
    "failing",
    type=click.Choice(SEVERITIES),
    help="Exit code 1 if a finding is at least this severe.",
)
@run_option
@output_options()
@click.pass_context
def lint_command(
    context: click.Context,
    /,
    asked: Inputs,
    scoring: Settings,
    output: Output,
    *,
    failing: Severity | None,
    **of_features: object,
) -> None:
    """Find shifted lines, copies, escapes, artefacts of language models and more. Nothing is fixed.

    Exit codes: 0, 1 for what --fail-if-found names, 2 for input that has to be fixed.
    """
    texts = read_texts(asked, scoring.options.tokenizer)
    test_set = texts.test_set
    with progress("Checking") as report:
        findings = check(test_set, tokenizer=scoring.options.tokenizer, progress=report)
    evaluation = evaluate(test_set, scoring.options, metrics=metrics_beside_bleu((*scoring.metrics, *texts.scores)))
    for said in recipes_told(evaluation, runs_among(evaluation.names, of_features)):
        notice(said)
    makers = {"checks": lambda: findings_sheet(findings, test_set, evaluation)}
    try:
        give_tables(Tables(makers, texts.notices), output)
    except BrokenPipeError:  # who closes the pipe may still want to know
        forget_output()
    if failing is not None and are_found(findings, failing):
        context.exit(FOUND)


def are_found(findings: Sequence[Finding], severity: Severity) -> bool:
    """Whether there is a finding of this severity, or a graver one."""
    return any(SEVERITIES.index(one.severity) <= SEVERITIES.index(severity) for one in findings)
