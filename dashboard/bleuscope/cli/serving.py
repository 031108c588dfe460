"""How the dashboard is served: where, under which addresses, and to whom."""

import contextlib
import os
import secrets
import sys
import threading
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

import click

from bleucore.errors import InputError
from bleucore.installing import how_to_add
from bleucore.values import shown
from bleuscope.cli.shared_options import Command, Given, made_of
from bleuscope.cli.streams import notice
from bleuscope.cli.workspace_place import WORKSPACE_NAMES, place_given, workspace_options
from bleuscope.registry import own_features
from bleuscope.runtime.memo_cache import BUDGET, MOST_BYTES
from bleuscope.shell.disk.files import to_environment
from bleuscope.shell.server.browser_window import open_browser
from bleuscope.shell.server.hosts import announced
from bleuscope.shell.server.listening import is_loopback, listen, refuse_lost_folder
from bleuscope.shell.server.upload_limits import MEGABYTE, UploadLimits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleuscope.content.comparison.inputs import Inputs
    from bleuscope.registry import Planned
    from bleuscope.shell.server.auth_middleware import Login
    from bleuscope.shell.server.hosts import Announced
    from bleuscope.shell.server.oidc_settings import OidcSettings
    from bleuscope.workspace.place import WorkspacePlace

Auth = Literal["token", "oidc", "proxy"]

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8501
TOKEN_VARIABLE = "BLEUSCOPE_TOKEN"  # noqa: S105  # its name
TOKEN_BYTES = 32
EASILY_GUESSED = 16
"""Letters of a token; one that is drawn has 43."""


@dataclass(frozen=True)
class ProxySaid:
    """What is believed of a proxy that says who somebody is.

    Attributes:
        header: In which it says so.
        trusted: Its addresses.
        sign_out: Where it ends a login.
    """

    header: str
    trusted: tuple[str, ...] = ()
    sign_out: str | None = None


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
        auth: What is asked of whoever enters.
        proxy: What is believed of a proxy; where ``auth`` is "proxy".
        oidc: How people log in at an OpenID provider; where ``auth`` is "oidc".
        is_unsafe: Whether it was said that anyone from anywhere may enter.
        tells_metrics: Whether ``/metrics`` has the numbers of the server.
        says_events: Whether starts, stops and refused requests are said on standard error.
        downloads_test_sets: Whether what others drop may have one of sacreBLEU's test sets downloaded.
        runs_neural: Whether others may run neural metrics, which are downloaded to this machine.
        kept_bytes: That texts and results may take which are kept in memory.
        n_processes: Among which visitors are shared out.
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    token: str | None = None
    allowed: tuple[str, ...] = ()
    public_url: str | None = None
    opens_browser: bool = True
    limits: UploadLimits = field(default_factory=UploadLimits)
    place: "WorkspacePlace | None" = None
    auth: Auth = "token"
    proxy: ProxySaid | None = None
    oidc: "OidcSettings | None" = None
    is_unsafe: bool = False
    tells_metrics: bool = False
    says_events: bool = False
    downloads_test_sets: bool = False
    runs_neural: bool = False
    kept_bytes: int = MOST_BYTES
    n_processes: int = 1

    def serve(self, inputs: "Inputs", planned: "Mapping[str, Planned]" = MappingProxyType({})) -> None:
        """Run the dashboard on something until it is stopped.

        Args:
            inputs: The test set to open on.
            planned: What options of features have it open on, by their flags.

        Raises:
            InputError: It cannot be at that place, under those names, or not without a token or a login.
        """
        refuse_lost_folder()
        BUDGET.most_bytes = self.kept_bytes // self.n_processes
        self._login(announced(self.host, self.port, allowed=self.allowed, public_url=self.public_url))
        listening = listen(self.host, self.port)
        with listening:
            is_for_others = not is_loopback(listening)
            self._warn(is_for_others=is_for_others)
            listens_on = listening.getsockname()[0]
            known = announced(
                self.host, self.port, allowed=self.allowed, public_url=self.public_url, listens_on=listens_on
            )
            opens_by_token = self.auth == "token" and self.token is not None
            address = known.address + (f"?token={quote(self.token or '', safe='')}" if opens_by_token else "")

            from bleuscope.shell.server import processes, server, server_log, stopping  # noqa: PLC0415  # Streamlit takes half a second
            from bleuscope.shell.state import workspace_in_use  # noqa: PLC0415  # as above

            processes.refuse_where_impossible(self.n_processes)
            worker = processes.divide(listening, self.n_processes) if self.n_processes > 1 else None
            is_first = worker is None or (worker.number == 0 and not worker.stands_in)
            login = self._login(known)
            is_shared = is_for_others or self.public_url is not None or self.auth != "token"
            workspace_in_use.use(
                self.place,
                is_shared=is_shared,
                downloads_test_sets=self.downloads_test_sets,
                runs_neural=self.runs_neural,
            )
            to_environment(inputs)
            for feature in own_features():
                if feature.opening is not None:
                    feature.opening.opening.begin(planned.get(feature.opening.flag))
            if self.says_events:
                server_log.speak()
            with open_browser(address, is_wanted=self.opens_browser and is_first) as opens:

                def announce() -> None:
                    if is_first:
                        click.echo(f"bleuscope is at {address} (stop it with Ctrl-C)")
                        opens()
                    threading.Thread(target=_make_first_page, daemon=True).start()

                server.serve(
                    listening,
                    known,
                    token=self.token,
                    limits=replace(self.limits, server_bytes=self.limits.server_bytes // self.n_processes),
                    announce=announce,
                    login=login,
                    tells_metrics=self.tells_metrics,
                    worker=worker,
                )
        stopping.end_without(_flush)

    def _login(self, known: "Announced") -> "Login | None":
        """How people log in.

        Raises:
            InputError: What is needed for that is missing, or is wrong.
        """
        if self.oidc is not None:
            refuse_without_authlib()
            from bleuscope.shell.server.oidc import OidcLogin  # noqa: PLC0415  # with Streamlit

            return OidcLogin(self.oidc, known)
        if self.proxy is None:
            return None
        from bleuscope.shell.server.logins import proxy_login  # noqa: PLC0415  # only where people log in

        return proxy_login(self.proxy.header, self.proxy.trusted, self.proxy.sign_out)

    def _warn(self, *, is_for_others: bool) -> None:
        """Say what others can do.

        Raises:
            InputError: Other machines could connect, and nobody is asked for a token or who they are.
        """
        is_open = self.auth == "token" and self.token is None
        if is_for_others and is_open and not self.is_unsafe:
            raise InputError(
                "every machine that reaches this one could read and change what is open",
                where="Option --no-token",
                found=f"--host {self.host}",
                expected="a token, --auth oidc or --auth proxy",
                remedy="Leave --no-token out, or have people log in. Only where whoever can connect may do "
                "everything: --unsafe-allow-unauthenticated.",
            )
        if is_for_others and is_open:
            notice(
                "WARNING: ANYONE who can connect to this machine can read, change and delete everything, without "
                "a login (--unsafe-allow-unauthenticated)."
            )
        if self.oidc is not None and not self.oidc.rules.allowed:
            notice(f"everyone with an account at {self.oidc.issuer} may enter. Set BLEUSCOPE_OIDC_ALLOW to limit this.")
        if self.proxy is not None and any(map(_is_this_machine, self.proxy.trusted)):
            notice("every user of this machine can connect as the proxy does, and say to be anyone.")
        if is_for_others:
            notice(
                f"other machines can connect to {self.host}, and others can read the traffic. Put a proxy with "
                "TLS in front (see the documentation, Run it for others)."
            )
        if is_open:
            notice("without a token every user of this machine can read and change what is open.")
        elif self.token is not None and len(self.token) < EASILY_GUESSED:
            notice(f"a token of fewer than {EASILY_GUESSED} characters can be guessed.")


def _is_this_machine(address: str) -> bool:
    return address.startswith("127.") or address in ("::1", "localhost")


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()


def _make_first_page() -> None:
    from bleuscope.shell.analysis import head_start  # noqa: PLC0415  # imports most of what pages need, at its own pace

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
            help="Another name of the server, such as pc7 or localhost:9000.",
        ),
        click.option("--public-url", metavar="URL", help="The address that people open if a proxy stands in front."),
        click.option(
            "--token",
            metavar="TEXT",
            help="Whoever has the token may enter; also read from BLEUSCOPE_TOKEN.",
        ),
        click.option("--no-token", is_flag=True, help="Let every user of this machine in."),
        click.option(
            "--auth",
            type=click.Choice(["token", "oidc", "proxy"]),
            default="token",
            show_default=True,
            help="Who may enter: anyone with the token, with a login at an OpenID provider, or named by a proxy.",
        ),
        click.option(
            "--oidc-settings",
            metavar="FILE",
            help="File with issuer, client_id and client_secret for --auth oidc; BLEUSCOPE_OIDC_… overrides it.",
        ),
        click.option(
            "--trusted-proxy",
            "trusted",
            multiple=True,
            metavar="ADDRESS",
            help="The address from which the proxy of --auth proxy connects. Others are refused.",
        ),
        click.option(
            "--proxy-header",
            default="X-Forwarded-Email",
            show_default=True,
            metavar="NAME",
            help="The header in which that proxy names the user.",
        ),
        click.option(
            "--sign-out-url",
            metavar="URL",
            help="The address that ends a login at that proxy, such as /oauth2/sign_out.",
        ),
        click.option(
            "--unsafe-allow-unauthenticated",
            is_flag=True,
            help="With --no-token and --host: let ANYONE who can connect read, change and delete EVERYTHING.",
        ),
        *(
            click.option(
                f"--{whose}-uploads",
                default=size // MEGABYTE,
                show_default=True,
                type=click.IntRange(min=1),
                metavar="MB",
                help=f"The server holds this many MB of the files that {holders} uploaded.",
            )
            for whose, size, holders in (
                ("session", usual.session_bytes, "one session"),
                ("all", usual.server_bytes, "all sessions together"),
            )
        ),
        click.option(
            "--cache",
            default=MOST_BYTES // MEGABYTE,
            show_default=True,
            type=click.IntRange(min=1),
            metavar="MB",
            envvar="BLEUSCOPE_CACHE",
            help="Cache texts and results in up to this much memory; also read from BLEUSCOPE_CACHE.",
        ),
        click.option(
            "--processes",
            default=1,
            show_default=True,
            type=click.IntRange(1, 64),
            metavar="N",
            help="Divide visitors among N server processes behind one address.",
        ),
        click.option("--metrics", is_flag=True, help="Serve the server's numbers at /metrics (OpenMetrics)."),
        click.option("--log", is_flag=True, help="Log starts, stops and refused requests to standard error."),
        click.option(
            "--download-test-sets",
            "downloads",
            is_flag=True,
            help=(
                "Let manifests that other people upload download sacreBLEU's test sets. On your own machine, "
                "manifests always may."
            ),
        ),
        click.option(
            "--run-neural",
            is_flag=True,
            help="Let other people run neural metrics on this machine, downloads included. You always may.",
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
        "auth",
        "oidc_settings",
        "trusted",
        "proxy_header",
        "sign_out_url",
        "unsafe_allow_unauthenticated",
        "session_uploads",
        "all_uploads",
        "cache",
        "processes",
        "metrics",
        "log",
        "downloads",
        "run_neural",
        "browser",
    ]
    return made_of(options, names, "serving", _serving)(command)


def _serving(given: Given, _asked: "Inputs | None") -> Serving:
    auth: Auth = given["auth"]
    _refuse_mixture(given, auth)
    return Serving(
        given["host"],
        given["port"],
        _token(given["token"], is_wanted=not given["no_token"], is_drawn=auth == "token"),
        tuple(given["allowed"]),
        given["public_url"],
        given["browser"],
        UploadLimits(given["session_uploads"] * MEGABYTE, given["all_uploads"] * MEGABYTE),
        None if given["no_workspace"] else place_given(given["workspace"]),
        auth,
        ProxySaid(given["proxy_header"], given["trusted"], given["sign_out_url"]) if auth == "proxy" else None,
        _oidc(given) if auth == "oidc" else None,
        given["unsafe_allow_unauthenticated"],
        given["metrics"],
        given["log"],
        given["downloads"],
        given["run_neural"],
        given["cache"] * MEGABYTE,
        given["processes"],
    )


def _oidc(given: Given) -> "OidcSettings":
    from bleuscope.shell.server.oidc_settings import oidc_settings  # noqa: PLC0415  # only where people log in

    return oidc_settings(given["oidc_settings"], os.environ)


def refuse_without_authlib() -> None:
    """Refuse to begin where nobody could log in.

    Raises:
        InputError: What Streamlit needs for logins is not installed.
    """
    missing = [name for name in ("authlib", "httpx2") if find_spec(name) is None]
    if missing:
        raise InputError(
            "something is not installed that logins need",
            where="Option --auth oidc",
            found=f"no {' and no '.join(missing)}",
            remedy=f"Install it: {how_to_add('team')}",
        )


def _refuse_mixture(given: Given, auth: Auth) -> None:
    """Refuse options that mean nothing together: somebody believes to be safe with them.

    Raises:
        InputError: One is named without what it belongs to.
    """
    needless = (
        ("--trusted-proxy", given["trusted"], "proxy"),
        ("--sign-out-url", given["sign_out_url"], "proxy"),
        ("--oidc-settings", given["oidc_settings"], "oidc"),
    )
    for option, value, belongs in needless:
        if value and auth != belongs:
            raise InputError(
                "it says nothing here",
                where=f"Option {option}",
                found=f"--auth {auth}",
                expected=f"--auth {belongs}",
                remedy="Add that, or leave the option out.",
            )
    if given["unsafe_allow_unauthenticated"] and (auth != "token" or not given["no_token"]):
        raise InputError(
            "it says nothing here",
            where="Option --unsafe-allow-unauthenticated",
            found=f"--auth {auth}" if auth != "token" else "a token",
            expected="--no-token",
            remedy="Leave it out: whoever enters is asked.",
        )


def _token(named: str | None, *, is_wanted: bool, is_drawn: bool) -> str | None:
    """The token that is named on the command line or in the variable, or else one that is drawn if one is needed.

    The variable leaves the environment, which every program that is started from here would inherit.

    Raises:
        InputError: It is none, or one is named and none is wanted.
    """
    from_variable = os.environ.pop(TOKEN_VARIABLE, "")
    if named is not None and not is_wanted:
        raise InputError(
            "a token is named, and none is wanted",
            where="Option --token",
            found="--no-token with it",
            remedy="Leave one of them out.",
        )
    if not is_wanted or (named is None and not from_variable and not is_drawn):
        return None
    token = (from_variable or secrets.token_urlsafe(TOKEN_BYTES)) if named is None else named
    if not token.isprintable() or not token.strip():
        raise InputError(
            "this is no token",
            where="Option --token" if named is not None else f"Variable {TOKEN_VARIABLE}",
            found=shown(token),
            expected="letters that can be seen",
            remedy="Leave it out to get a new one at every start.",
        )
    return token
