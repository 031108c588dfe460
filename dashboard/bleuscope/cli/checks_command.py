"""``bleuscope checks``: what looks wrong with the texts."""

import click

from bleucore import evaluate
from bleucore.checks import check
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import examples, file_options, output_options, scoring_options
from bleuscope.cli.streams import progress
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.comparison.study import metrics_beside_bleu
from bleuscope.content.findings.finding_sheets import findings_sheet


@click.command(
    "checks",
    epilog=examples(
        "bleuscope checks A.txt B.txt -r ref.txt -s source.txt",
        "bleuscope checks A.txt -r ref.txt -m chrf --format json",
    ),
)
@file_options()
@scoring_options
@output_options()
def checks_command(asked: Inputs, scoring: Settings, output: Output) -> None:
    """Look for shifted lines, copies, escapes, artefacts of language models and more; nothing is mended."""
    texts = read_texts(asked, scoring.options.tokenizer)
    test_set = texts.test_set
    with progress("Checking") as report:
        findings = check(test_set, tokenizer=scoring.options.tokenizer, progress=report)
    evaluation = evaluate(test_set, scoring.options, metrics=metrics_beside_bleu((*scoring.metrics, *texts.scores)))
    makers = {"checks": lambda: findings_sheet(findings, test_set, evaluation)}
    give_tables(Tables(makers, texts.notices), output)
