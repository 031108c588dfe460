"""``bleuscope score``: scores without tests. Its own table and JSON need no pandas, and so it starts quickly."""

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from bleucore import Evaluation, evaluate
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import examples, file_options, output_options, scoring_options
from bleuscope.cli.streams import progress
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.style import numbers

if TYPE_CHECKING:
    from bleuscope.content.sheets.sheet import Sheet

OWN_TABLE = "scores"


@click.command(
    "score",
    epilog=examples(
        "bleuscope score A.txt B.txt -r ref.txt",
        "bleuscope score A.txt -r ref.A.txt -r ref.B.txt --format json --segments",
        "bleuscope score A.txt -t wmt22 -l en-de -m chrf,ter",
        "bleuscope score 'systems/*.txt' -r ref.txt --format latex -o scores.tex",
        "translate < source.txt | bleuscope score - -r ref.txt",
    ),
)
@file_options()
@scoring_options
@click.option("--segments", is_flag=True, help="Give the score of every segment too (json).")
@output_options()
def score_command(asked: Inputs, scoring: Settings, output: Output, *, segments: bool) -> None:
    """Score every SYSTEM file (text, XML, TSV or CSV; - is standard input)."""
    if segments and output.form != "json":
        raise click.UsageError("--segments needs --format json.", click.get_current_context())
    texts = read_texts(asked, scoring.options.tokenizer)
    metrics = (*scoring.metrics, *texts.scores)
    with progress("Scoring") as report:
        evaluation = evaluate(texts.test_set, scoring.options, metrics=metrics, progress=report)
    if output.is_whole and output.form == "json":
        found = _as_json(evaluation, texts.notices, with_segments=segments)
        output.give(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    elif output.is_whole and output.form == "table":
        output.give(_as_table(evaluation))
    else:
        give_tables(_tables(evaluation, texts.notices), output)


def _tables(evaluation: Evaluation, warnings: Sequence[str]) -> Tables:
    def scores() -> "Sheet":
        from bleuscope.content.scores.score_sheets import scores_sheet  # noqa: PLC0415  # with pandas

        return scores_sheet(evaluation)

    def orders() -> "Sheet":
        from bleuscope.content.scores.score_sheets import orders_sheet  # noqa: PLC0415

        return orders_sheet(evaluation)

    return Tables({OWN_TABLE: scores, "orders": orders}, warnings, for_people=(OWN_TABLE,))


def _as_json(evaluation: Evaluation, warnings: Sequence[str], *, with_segments: bool) -> dict[str, Any]:
    """BLEU of every system in the order given; what other metrics say is under ``metrics``, if there are any."""
    bleu, *others = evaluation.metrics.values()
    systems: list[dict[str, Any]] = []
    for name, result in evaluation.systems.items():
        system: dict[str, Any] = {
            "name": name,
            **({"file": result.file} if result.file is not None else {}),
            "bleu": result.score.score,
            "precisions": result.score.precisions.tolist(),
            "brevity_penalty": result.score.brevity_penalty,
            "hypothesis_length": result.score.hypothesis_length,
            "reference_length": result.score.reference_length,
        }
        if others:
            system["metrics"] = {
                metric.name: metric.systems[name].score if metric.has_score(name) else None for metric in others
            }
        if with_segments:
            system["segments"] = result.segment_scores.tolist()
        systems.append(system)
    signatures = {"signatures": {metric.name: metric.signature for metric in others}} if others else {}
    of_segments = {"segment_signature": bleu.segment_signature} if with_segments else {}
    remarks = {"remarks": list(evaluation.remarks)} if evaluation.remarks else {}
    of_metrics = {"signature": bleu.signature, **of_segments, **signatures, **remarks}
    return of_metrics | {"warnings": list(warnings), "systems": systems}


def _as_table(evaluation: Evaluation) -> str:
    """A line for each system, best first, the signatures, and what has to be known beside them."""
    bleu, *others = evaluation.metrics.values()
    width = max(len("system"), *(len(name) for name in evaluation.names))
    precisions_width = max(len("precisions"), 6 * evaluation.options.max_order)
    widths = {metric.name: max(8, len(metric.name) + 2) for metric in others}
    heads = "".join(f"{name:>{width}}" for name, width in widths.items())
    lines = [f"{'system':<{width}}    BLEU  {'precisions':<{precisions_width}}     BP  ratio{heads}"]
    for name in evaluation.ranked():
        result = evaluation.systems[name].score
        precisions = "/".join(numbers.precision(value) for value in result.precisions)
        known = {metric.name: metric.known_score(name) for metric in others}
        further = (f"{_written(score):>{widths[metric]}}" for metric, score in known.items())
        lines.append(
            f"{name:<{width}}  {numbers.score(result.score):>6}  {precisions:<{precisions_width}}"
            f"  {numbers.ratio(result.brevity_penalty)}  {numbers.ratio(result.length_ratio)}{''.join(further)}"
        )
    lines.append(bleu.signature)
    lines += [f"{metric.name}|{metric.signature}" for metric in others]
    lines += evaluation.remarks
    return "\n".join(lines) + "\n"


def _written(score: float) -> str:
    """A metric's score, and a dash where a file of scores has none of the system."""
    return "–" if math.isnan(score) else numbers.metric_score(score)
