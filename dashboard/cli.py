"""The command ``bleuscope``: open the dashboard, or score without it."""

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from bleucore import BleuOptions, Evaluation, InputError, evaluate
from bleucore.formats import assemble
from bleucore.options import EXTERNAL_TOKENIZER_NAMES, MAX_ORDER_LIMIT, SMOOTHING_METHODS, TOKENIZER_NAMES
from dashboard.content import numbers
from dashboard.shell.files import Opening, read_by_role

DEFAULT_PORT = 8501
BAD_INPUT = 2
TOKENIZERS_OFFERED = TOKENIZER_NAMES + EXTERNAL_TOKENIZER_NAMES
INTERRUPTED = 130
Command = TypeVar("Command", bound=Callable[..., Any])


HELP = """Compare translation systems with BLEU.

\b
bleuscope                              open the dashboard in the browser
bleuscope A.txt B.txt ref.txt          open it on these files
bleuscope demo                         open it on the sample comparison
bleuscope score -r ref.txt A.txt B.txt    print scores, without a browser
"""


class DefaultCommand(click.Group):
    """A group whose first command is meant when none is named: ``bleuscope FILE …`` opens the dashboard."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command's name before its arguments."""
        if not args or (args[0] not in self.commands and args[0] not in ("-h", "--help", "--version")):
            args = ["open", *args]
        return super().parse_args(ctx, args)


@click.group(cls=DefaultCommand, context_settings={"help_option_names": ["-h", "--help"]}, help=HELP)
@click.version_option(package_name="bleuscope")
def cli() -> None:
    """Run one of the commands."""


def dashboard_options(command: Command) -> Command:
    """Options of every command that opens the dashboard."""
    command = click.option("--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(1, 65535))(command)
    command = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")(command)
    return click.option("--browser/--no-browser", default=True, help="Open a browser window.")(command)


@cli.command("open")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("-r", "--reference", "references", multiple=True, help="A file with references; may be repeated.")
@click.option("-s", "--source", help="The file with the source.")
@dashboard_options
def open_dashboard(
    files: tuple[str, ...], references: tuple[str, ...], source: str | None, *, port: int, host: str, browser: bool
) -> None:
    """Open the dashboard, on FILEs if there are any."""
    opening = Opening(systems=files, references=references, source=source)
    opening.load()
    _serve(opening, host=host, port=port, opens_browser=browser)


@cli.command()
@dashboard_options
def demo(*, port: int, host: str, browser: bool) -> None:
    """Open the dashboard on the sample comparison."""
    _serve(Opening(sample=True), host=host, port=port, opens_browser=browser)


@cli.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@click.option("-r", "--reference", "references", multiple=True, help="A file with references; may be repeated.")
@click.option("-s", "--source", help="The file with the source; read and checked, without influence on scores.")
@click.option(
    "--tokenize", type=click.Choice(TOKENIZER_NAMES + EXTERNAL_TOKENIZER_NAMES), default="13a", show_default=True
)
@click.option("--lowercase", is_flag=True, help="Ignore case.")
@click.option("--smooth-method", type=click.Choice(SMOOTHING_METHODS), default="exp", show_default=True)
@click.option("--smooth-value", type=float, help="For floor (0.1 unless given) and add-k (1 unless given).")
@click.option("--max-ngram-order", type=click.IntRange(1, MAX_ORDER_LIMIT), default=4, show_default=True)
@click.option("--effective-order", is_flag=True, help="Leave out orders that no hypothesis is long enough for.")
@click.option("--format", "form", type=click.Choice(["json", "table"]), default="table", show_default=True)
@click.option("--segments", is_flag=True, help="Give the score of every segment too (JSON).")
def score(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    form: str,
    *,
    segments: bool,
    **settings: Any,  # noqa: ANN401  # click gives each option by its own type
) -> None:
    """Print corpus BLEU of each SYSTEM file (text, XML, TSV or CSV), without a browser."""
    if segments and form != "json":
        raise click.UsageError("--segments needs --format json.", click.get_current_context())
    options = BleuOptions(
        tokenizer=settings["tokenize"],
        lowercase=settings["lowercase"],
        max_order=settings["max_ngram_order"],
        smoothing=settings["smooth_method"],
        smoothing_value=settings["smooth_value"],
        effective_order=settings["effective_order"],
    )
    columns = read_by_role(systems, references, source)
    for notice in dict.fromkeys(notice for column in columns for notice in column.notices):
        click.echo(f"bleuscope: {notice}", err=True)
    evaluation = evaluate(assemble(columns), options)
    if form == "json":
        click.echo(json.dumps(_as_json(evaluation, with_segments=segments), ensure_ascii=False, indent=1))
    else:
        click.echo(_as_table(evaluation))


def main() -> None:
    """Run the command; what a user can fix ends in one line on standard error and exit code 2."""
    try:
        sys.exit(cli.main(standalone_mode=False))
    except InputError as error:
        _refuse(str(error))
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "bleuscope"
        _refuse(f"{error.format_message()} See {command} --help.")
    except click.Abort:
        sys.exit(INTERRUPTED)


def _refuse(message: str) -> None:
    line = " ".join(message.split())
    click.echo(f"bleuscope: {line}", err=True)
    sys.exit(BAD_INPUT)


def _serve(opening: Opening, *, host: str, port: int, opens_browser: bool) -> None:
    from dashboard.shell import server  # noqa: PLC0415  # Streamlit takes half a second: only where it is needed

    opening.to_environment()
    click.echo(f"bleuscope is at http://{host}:{port} (stop it with Ctrl-C)")
    server.serve(host=host, port=port, opens_browser=opens_browser)


def _as_json(evaluation: Evaluation, *, with_segments: bool) -> dict[str, Any]:
    return {
        "signature": evaluation.signature,
        "systems": [
            {
                "name": name,
                "bleu": result.score.score,
                "precisions": result.score.precisions.tolist(),
                "brevity_penalty": result.score.brevity_penalty,
                "hypothesis_length": result.score.hypothesis_length,
                "reference_length": result.score.reference_length,
                **({"segments": result.segment_scores.tolist()} if with_segments else {}),
            }
            for name, result in evaluation.systems.items()
        ],
    }


def _as_table(evaluation: Evaluation) -> str:
    width = max(len("system"), *(len(name) for name in evaluation.names))
    precisions_width = max(len("precisions"), 6 * evaluation.options.max_order)
    lines = [f"{'system':<{width}}    BLEU  {'precisions':<{precisions_width}}     BP  ratio"]
    for name in evaluation.ranked():
        result = evaluation.systems[name].score
        precisions = "/".join(numbers.precision(value) for value in result.precisions)
        lines.append(
            f"{name:<{width}}  {numbers.score(result.score):>6}  {precisions:<{precisions_width}}"
            f"  {numbers.ratio(result.brevity_penalty)}  {numbers.ratio(result.length_ratio)}"
        )
    return "\n".join([*lines, evaluation.signature])


if __name__ == "__main__":
    main()
