"""``bleuscope open`` and ``bleuscope demo``: the dashboard in a browser."""

import click

from bleucore.errors import InputError
from dashboard.cli.options import Command, examples, file_options, upload_options
from dashboard.cli.streams import notice
from dashboard.cli.texts import Asked
from dashboard.content.inputs import Inputs
from dashboard.shell.files import Opening
from dashboard.shell.packed import STANDARD_INPUT
from dashboard.shell.upload_limits import UploadLimits

DEFAULT_PORT = 8501


def dashboard_options(command: Command) -> Command:
    """Options of every command that opens the dashboard."""
    command = click.option("--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(1, 65535))(command)
    command = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")(command)
    return click.option("--browser/--no-browser", default=True, help="Open a browser window.")(command)


@click.command(
    "open",
    epilog=examples(
        "bleuscope",
        "bleuscope online-A.txt online-B.txt ref.txt",
        "bleuscope 'systems/*.txt' -r ref.A.txt -r ref.B.txt -s source.txt --no-browser",
        "bleuscope open A.txt B.txt --test-set wmt22 --language-pair en-de",
    ),
)
@file_options(takes_scores=False, needs_systems=False)
@dashboard_options
@upload_options
def open_command(asked: Asked, *, port: int, host: str, browser: bool, limits: UploadLimits) -> None:
    """Open the dashboard, on files if there are any.

    Where no reference is named, what each file is, is guessed from its name and content.
    """
    if STANDARD_INPUT in asked.paths:
        raise InputError(
            "the dashboard cannot read it again",
            where="Standard input",
            expected="a file",
            remedy="Save the text to a file and name that.",
        )
    opening = Opening(asked.inputs)
    loaded = opening.load()
    for said in loaded.notices if loaded is not None else ():
        notice(said)
    _serve(opening, host=host, port=port, opens_browser=browser, limits=limits)


@click.command(
    "demo",
    epilog=examples(
        "bleuscope demo",
        "bleuscope demo --port 8600 --no-browser",
    ),
)
@dashboard_options
@upload_options
def demo_command(*, port: int, host: str, browser: bool, limits: UploadLimits) -> None:
    """Open the dashboard on the sample comparison."""
    _serve(Opening(Inputs(is_sample=True)), host=host, port=port, opens_browser=browser, limits=limits)


def _serve(opening: Opening, *, host: str, port: int, opens_browser: bool, limits: UploadLimits) -> None:
    from dashboard.shell import server  # noqa: PLC0415  # Streamlit takes half a second: only where it is needed

    opening.to_environment()
    click.echo(f"bleuscope is at http://{host}:{port} (stop it with Ctrl-C)")
    server.serve(host=host, port=port, opens_browser=opens_browser, limits=limits)
