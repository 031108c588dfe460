"""How the dashboard is served: where, under which addresses, and to whom."""

import os
import secrets
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from bleucore.errors import InputError
from bleucore.values import shown
from dashboard.cli.shared_options import Command, Given, made_of
from dashboard.cli.streams import notice
from dashboard.cli.workspace_place import WORKSPACE_NAMES, place_given, workspace_options
from dashboard.shell.disk.files import to_environment
from dashboard.shell.server.browser_window import open_browser
from dashboard.shell.server.hosts import announced
from dashboard.shell.server.listening import is_loopback, listen, refuse_lost_folder
from dashboard.shell.server.upload_limits import MEGABYTE, UploadLimits

if TYPE_CHECKING:
    from dashboard.content.comparison.inputs import Inputs
    from workspace.place import Place

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8501
TOKEN_VARIABLE = "BLEUSCOPE_TOKEN"  # noqa: S105  # its name
TOKEN_BYTES = 32
EASILY_GUESSED = 16
"""Letters of a token; one that is drawn has 43."""


@dataclass(frozen=True)
class Serving:
    """Where the dashboard is, and who may enter.

    Attributes:
        host: The name or the address to listen on.
        port: The port.
        token: Whoever has it may enter; everyone may if there is none.
        allowed: Further hosts by which it may be called, perhaps with a port.
        public_url: The address that people open, where a proxy stands in front.
        opens_browser: Whether to open a window.
        limits: How much may be uploaded.
        place: Of the workspace; ``None`` keeps nothing.
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    token: str | None = None
    allowed: tuple[str, ...] = ()
    public_url: str | None = None
    opens_browser: bool = True
    limits: UploadLimits = field(default_factory=UploadLimits)
    place: "Place | None" = None

    def serve(self, inputs: "Inputs") -> None:
        """Run the dashboard on something until it is stopped.

        Raises:
            InputError: It cannot be at that place, under those names, or not without a token.
        """
        refuse_lost_folder()
        announced(self.host, self.port, allowed=self.allowed, public_url=self.public_url)
        listening = listen(self.host, self.port)
        with listening:
            is_for_others = not is_loopback(listening)
            self._warn(is_for_others=is_for_others)
            listens_on = listening.getsockname()[0]
            known = announced(
                self.host, self.port, allowed=self.allowed, public_url=self.public_url, listens_on=listens_on
            )
            address = known.address + ("" if self.token is None else f"?token={quote(self.token, safe='')}")

            from dashboard.shell.server import server  # noqa: PLC0415  # Streamlit takes half a second: only where needed
            from dashboard.shell.state import workspace_in_use  # noqa: PLC0415  # as above

            workspace_in_use.use(self.place, is_shared=is_for_others or self.public_url is not None)
            to_environment(inputs)
            with open_browser(address, is_wanted=self.opens_browser) as opens:

                def announce() -> None:
                    click.echo(f"bleuscope is at {address} (stop it with Ctrl-C)")
                    opens()
                    threading.Thread(target=_make_first_page, daemon=True).start()

                server.serve(listening, known, token=self.token, limits=self.limits, announce=announce)

    def _warn(self, *, is_for_others: bool) -> None:
        """Say what others can do.

        Raises:
            InputError: Other machines could connect, and nobody is asked for a token.
        """
        if is_for_others and self.token is None:
            raise InputError(
                "every machine that reaches this one could read and change what is open",
                where="Option --no-token",
                found=f"--host {self.host}",
                expected="a token",
                remedy="Leave --no-token out, or listen on 127.0.0.1 behind a proxy that asks who it is.",
            )
        if is_for_others:
            notice(
                f"other machines can connect to {self.host}, and what is sent can be read on the way: "
                "put a proxy with TLS in front (see the documentation, Run it for others)."
            )
        if self.token is None:
            notice("without a token every user of this machine can read and change what is open.")
        elif len(self.token) < EASILY_GUESSED:
            notice(f"a token of fewer than {EASILY_GUESSED} characters can be guessed.")


def _make_first_page() -> None:
    from dashboard.shell.analysis import head_start  # noqa: PLC0415  # imports most of what pages need, at its own pace

    head_start.make()


def serving_options(command: Command) -> Command:
    """Where the dashboard is and who may enter; the command gets ``serving``."""
    usual = UploadLimits()
    options = [
        click.option("--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(1, 65535)),
        click.option("--host", default=DEFAULT_HOST, show_default=True, help="Address to listen on."),
        click.option(
            "--allow-host",
            "allowed",
            multiple=True,
            metavar="NAME",
            help="A further name that it is called by, as in pc7 or localhost:9000.",
        ),
        click.option("--public-url", metavar="URL", help="What people open where a proxy stands in front."),
        click.option(
            "--token",
            metavar="TEXT",
            help=f"Who has it may enter; also read from {TOKEN_VARIABLE}.  [default: drawn at every start]",
        ),
        click.option("--no-token", is_flag=True, help="Let every user of this machine in."),
        *(
            click.option(
                f"--{whose}-uploads",
                default=size // MEGABYTE,
                show_default=True,
                type=click.IntRange(min=1),
                metavar="MB",
                help=f"The server holds so many MB of the files that {holders} uploaded.",
            )
            for whose, size, holders in (
                ("session", usual.session_bytes, "one session"),
                ("all", usual.server_bytes, "all sessions together"),
            )
        ),
        click.option("--browser/--no-browser", default=True, help="Open a browser window."),
        *workspace_options(can_be_none=True),
    ]
    names = [
        *WORKSPACE_NAMES,
        "no_workspace",
        "port",
        "host",
        "allowed",
        "public_url",
        "token",
        "no_token",
        "session_uploads",
        "all_uploads",
        "browser",
    ]
    return made_of(options, names, "serving", _serving)(command)


def _serving(given: Given, _asked: "Inputs | None") -> Serving:
    return Serving(
        given["host"],
        given["port"],
        _token(given["token"], is_wanted=not given["no_token"]),
        tuple(given["allowed"]),
        given["public_url"],
        given["browser"],
        UploadLimits(given["session_uploads"] * MEGABYTE, given["all_uploads"] * MEGABYTE),
        None if given["no_workspace"] else place_given(given["workspace"]),
    )


def _token(named: str | None, *, is_wanted: bool) -> str | None:
    """The token that is named on the command line or in the variable, or else one that is drawn.

    The variable leaves the environment, which every program that is started from here would inherit.

    Raises:
        InputError: It is none, or one is named and none is wanted.
    """
    from_variable = os.environ.pop(TOKEN_VARIABLE, "")
    if named is not None and not is_wanted:
        raise InputError(
            "a token is named, and none is wanted",
            where="Option --token",
            found="--no-token beside it",
            remedy="Leave one of them out.",
        )
    if not is_wanted:
        return None
    token = (from_variable or secrets.token_urlsafe(TOKEN_BYTES)) if named is None else named
    if not token.isprintable() or not token.strip():
        raise InputError(
            "this is no token",
            where="Option --token" if named is not None else f"Variable {TOKEN_VARIABLE}",
            found=shown(token),
            expected="letters that can be seen",
            remedy="Leave it out, and one is drawn at every start.",
        )
    return token
