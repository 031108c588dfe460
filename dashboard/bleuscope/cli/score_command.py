"""``bleuscope score``: scores without tests. Its own table and JSON need no pandas, and so it starts quickly."""

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from bleucore import Evaluation, MetricEvaluation, evaluate
from bleuscope.cli.by_hand import run_option, runs_among
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import STANDARD_OUTPUT, Output, Tables, give_tables
from bleuscope.cli.recipe_notices import named, recipes_told
from bleuscope.cli.shared_options import (
    examples,
    file_options,
    output_options,
    scoring_options,
)
from bleuscope.cli.streams import notice, progress, terminal_width
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.style import numbers
from bleuscope.content.style.cut_names import LEAST_NAME, cut_names
from bleuscope.content.style.widths import n_columns

if TYPE_CHECKING:
    from bleuscope.content.sheets.sheet import Sheet

OWN_TABLE = "scores"
USUAL_WIDTH = 1
"""Decimals of ``--score-only``, as sacreBLEU has them."""
PLAIN_FORMS = ("table", "json")


@click.command(
    "score",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope score A.txt B.txt -r ref.txt",
        "bleuscope score A.txt -r ref.A.txt -r ref.B.txt --format json --segments",
        "bleuscope score -i A.txt B.txt -t wmt22 -l en-de -m bleu chrf ter -b -w 2",
        "bleuscope score 'systems/*.txt' -r ref.txt --format latex -o scores.tex",
        "translate < source.txt | bleuscope score - -r ref.txt",
    ),
)
@file_options()
@scoring_options
@click.option(
    "-sl", "--sentence-level", "--segments", "segments", is_flag=True, help="Print the scores of every segment."
)
@click.option(
    "-b",
    "--score-only",
    is_flag=True,
    help="Print scores alone: a line for each system, with tabs between metrics, in the order given.",
)
@run_option
@output_options()
def score_command(
    asked: Inputs, scoring: Settings, output: Output, *, segments: bool, score_only: bool, **of_features: object
) -> None:
    """Score every SYSTEM file (text, XML, TSV or CSV; - is standard input)."""
    form = "table" if score_only else output.form
    if segments and (form not in PLAIN_FORMS or output.table or output.columns):
        raise click.UsageError(
            "--sentence-level prints a table or json. Leave other formats, --table and --columns out.",
            click.get_current_context(),
        )
    texts = read_texts(asked, scoring.options.tokenizer)
    metrics = (*scoring.metrics, *texts.scores)
    with progress("Scoring") as report:
        evaluation = evaluate(texts.test_set, scoring.options, metrics=metrics, progress=report)
    recipes = runs_among(texts.test_set.system_names, of_features)
    for said in recipes_told(evaluation, recipes):
        notice(said)
    width = output.decimals
    if segments and form == "table":
        output.give(_of_segments(named(evaluation), width, with_heading=not score_only))
    elif score_only:
        output.give(_scores_alone(named(evaluation), USUAL_WIDTH if width is None else width))
    elif output.is_whole and output.form == "json":
        found = _as_json(evaluation, texts.notices, with_segments=segments)
        output.give(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    elif output.is_whole and output.form == "table":
        output.give(_as_table(evaluation, terminal_width() if output.path == STANDARD_OUTPUT else None))
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


def _scores_alone(metrics: Sequence[MetricEvaluation], width: int) -> str:
    lines = ["\t".join(_plain(one.known_score(name), width) for one in metrics) for name in metrics[0].systems]
    return "\n".join(lines) + "\n"


def _of_segments(metrics: Sequence[MetricEvaluation], width: int | None, *, with_heading: bool) -> str:
    """A line for each segment, with tabs between systems, and between the metrics of each."""
    from bleuscope.content.style.invisible import in_one_line  # noqa: PLC0415  # regex, for a tenth of the start

    pairs = [(name, one) for name in metrics[0].systems for one in metrics]
    decimals = USUAL_WIDTH if width is None else width
    columns = [[_plain(score, decimals) for score in one.known_segment_scores(name)] for name, one in pairs]
    rows = [list(row) for row in zip(*columns, strict=True)]
    if with_heading:
        heading = ["segment", *(f"{in_one_line(name)} {one.name}" for name, one in pairs)]
        rows = [heading, *([str(number), *row] for number, row in enumerate(rows, 1))]
    signatures = [f"{one.name}|{one.segment_signature}" for one in metrics] if with_heading else []
    return "\n".join([*("\t".join(row) for row in rows), *signatures]) + "\n"


def _plain(score: float, width: int) -> str:
    """A score for other programs, as sacreBLEU writes it; nan where a file of scores has none."""
    return f"{score:.{width}f}"


def _as_table(evaluation: Evaluation, most: int | None) -> str:
    """A line for each system, best first, the signatures, and remarks on them.

    Args:
        evaluation: The scores.
        most: Columns of the terminal. Where it is too narrow, precisions are left out, then names are cut.
    """
    bleu, *others = evaluation.metrics.values()
    ranked = evaluation.ranked()
    cells = [_numbers_of(evaluation, name, with_precisions=True) for name in ("", *ranked)]
    is_narrow = most is not None and most - n_columns(cells[0]) < min(LEAST_NAME, max(map(n_columns, ranked)))
    if is_narrow:
        cells = [_numbers_of(evaluation, name, with_precisions=False) for name in ("", *ranked)]
    names = list(ranked) if most is None else cut_names(ranked, max(most - n_columns(cells[0]), LEAST_NAME))
    width = max(map(n_columns, ("system", *names)))
    rows = zip(("system", *names), cells, strict=True)
    lines = [f"{name}{' ' * (width - n_columns(name))}{numbers_of_it}" for name, numbers_of_it in rows]
    lines += [bleu.signature, *(f"{metric.name}|{metric.signature}" for metric in others), *evaluation.remarks]
    if is_narrow or names != list(ranked):
        lines.append(f"Precisions and whole names: --table {OWN_TABLE}.")
    return "\n".join(lines) + "\n"


def _numbers_of(evaluation: Evaluation, name: str, *, with_precisions: bool) -> str:
    """The rest of a system's line; of the heading where no system is named."""
    _, *others = evaluation.metrics.values()
    width = max(len("precisions"), 6 * evaluation.options.max_order)
    widths = {metric.name: max(8, len(metric.name) + 2) for metric in others}
    if not name:
        precisions = f"  {'precisions':<{width}}" if with_precisions else ""
        return f"    BLEU{precisions}     BP  ratio{''.join(f'{one:>{wide}}' for one, wide in widths.items())}"
    result = evaluation.systems[name].score
    written = "/".join(numbers.precision(value) for value in result.precisions)
    precisions = f"  {written:<{width}}" if with_precisions else ""
    further = "".join(f"{_written(metric.known_score(name)):>{widths[metric.name]}}" for metric in others)
    ratios = f"  {numbers.ratio(result.brevity_penalty)}  {numbers.ratio(result.length_ratio)}"
    return f"  {numbers.score(result.score):>6}{precisions}{ratios}{further}"


def _written(score: float) -> str:
    """A metric's score, and a dash where a file of scores has none of the system."""
    return "–" if math.isnan(score) else numbers.metric_score(score)
