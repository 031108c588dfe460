"""Login at an OpenID provider: Streamlit's own, in front of which the gate asks for it.

Streamlit has the routes and signs the cookie; but its page, its sockets and its uploads are there for everybody, and a
script has to ask who it is. Here nothing of it is reached without that cookie, except the three routes that lead to it.
The cookie itself goes no further than the gate.
"""

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleuscope import streamlit_port
from bleuscope.shell.server.auth_middleware import ASKS_LOGIN, Answer, Header, give
from bleuscope.shell.server.hosts import Announced
from bleuscope.shell.server.log_lines import KIND
from bleuscope.shell.server.oidc_claims import Claims, claims_in
from bleuscope.shell.server.oidc_rules import WHY
from bleuscope.shell.server.oidc_settings import OidcSettings
from bleuscope.streamlit_port import USER_COOKIE_NAME, encode_provider_token, is_login_cookie, signed_login
from bleuscope.workspace.people import Identity

LOGIN, LOGOUT, CALLBACK = (f"/{one}" for one in (streamlit_port.LOGIN, streamlit_port.LOGOUT, streamlit_port.CALLBACK))
SIGNED_OUT = "/signed-out"
ROUTES = (LOGIN, LOGOUT, CALLBACK, SIGNED_OUT)
PROVIDER = "default"
DAYS_SIGNED_IN = 7.0
"""Then the provider is asked anew: who is nobody there any more is nobody here."""
SECONDS_A_DAY = 86_400
WAY_SECONDS = 600
MOST_WAY = 3_000
"""Characters of an address to go on to; a longer one is forgotten at the login."""
WITHOUT_LOGIN = "403: bleuscope asks who you are. Open its address in a browser, and log in."
NOT_ALLOWED = "403: you have logged in, and this bleuscope is not open to you. Whoever runs it can change that."
NOT_SIGNED_IN = "403: you are not signed in. The provider refused the login, or its page was open for too long."
NO_PROVIDER = (
    "502: bleuscope cannot reach the place where you log in. Whoever runs it finds the reason in its terminal."
)
SIGNED_OUT_WORDS = "You are signed out of bleuscope."
AGAIN = "Log in"
_LOGGER = logging.getLogger(__name__)


class OidcLogin:
    """Knows who has logged in by Streamlit's cookie, and leads everybody else to the provider."""

    def __init__(self, settings: OidcSettings, announced: Announced) -> None:
        """With where to log in, and where people come back to."""
        self._settings = settings
        self._address = announced.address
        self._is_secure = announced.address.startswith("https:")
        self._ended: dict[str, float] = {}
        self._way = f"bleuscope-way-{announced.main.port}"

    @property
    def sign_out(self) -> str | None:
        """Where a login is ended, as seen from a page."""
        return LOGOUT.removeprefix("/")

    @property
    def secrets(self) -> Mapping[str, Any]:
        """What Streamlit reads from a file otherwise."""
        return {
            "auth": {
                "redirect_uri": f"{self._address}{CALLBACK.removeprefix('/')}",
                "cookie_secret": self.cookie_secret,
                "client_id": self._settings.client_id,
                "client_secret": self._settings.client_secret,
                "server_metadata_url": self._settings.metadata,
                "client_kwargs": {"scope": self._settings.scopes},
            }
        }

    @property
    def cookie_secret(self) -> str:
        """By which Streamlit knows its cookies: another one for each provider, so that no login outlives a change."""
        key, of = self._settings.cookie_secret.encode(), f"{self._settings.issuer}\0{self._settings.client_id}"
        return hmac.new(key, of.encode(), hashlib.sha256).hexdigest()

    def cleaned(self, headers: list[Header]) -> list[Header]:
        """The headers that what lies behind the gate may know of: without the cookies that say who somebody is."""
        kept = [(name, value) for name, value in headers if name.lower() != b"cookie"]
        pairs = [
            pair.strip()
            for name, value in headers
            if name.lower() == b"cookie"
            for pair in value.split(b";")
            if not is_login_cookie(pair.partition(b"=")[0].strip().decode("latin-1"))
        ]
        return [*kept, (b"cookie", b"; ".join(pairs))] if pairs else kept

    def identity(self, scope: Scope) -> Identity | None:
        """Who asks, if they have logged in and may enter."""
        claims = self._claims(scope)
        return claims.identity if claims is not None and self._settings.rules.lets_in(claims) else None

    def refused(self, scope: Scope) -> Answer:
        """The way to the provider for who opens a page, else a line."""
        claims = self._claims(scope)
        if claims is not None:
            why = self._settings.rules.refused(claims)
            said = " ".join(WHY[one] for one in why)
            _LOGGER.warning("somebody logged in and was refused. %s", said, extra={KIND: why})
            return Answer(
                403, NOT_ALLOWED, (ASKS_LOGIN,), link=("Log in as somebody else", f".{LOGOUT}"), reason="account"
            )
        is_page = scope["type"] == "http" and scope["method"] == "GET" and _takes_pages(scope)
        if not is_page:
            return Answer(403, WITHOUT_LOGIN, (ASKS_LOGIN,))
        way = scope["path"].removeprefix("/") + (f"?{scope['query_string'].decode('latin-1')}".rstrip("?"))
        named = {"provider": encode_provider_token(PROVIDER)} | ({"way": way} if len(way) <= MOST_WAY else {})
        to = f"{self._address}{LOGIN.removeprefix('/')}?{urlencode(named, encoding='latin-1', errors='replace')}"
        return Answer(303, "303: log in", ((b"location", to.encode("latin-1")),))

    def serves(self, scope: Scope) -> bool:
        """Whether a request is for one of the addresses that lead in and out."""
        return scope["type"] == "http" and scope["path"] in ROUTES and scope["method"] == "GET"

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer such a request: by Streamlit, with what a browser is to do then in our words."""
        path, query = scope["path"], dict(parse_qsl(scope["query_string"].decode("latin-1")))
        if path == SIGNED_OUT:
            await give(Answer(200, SIGNED_OUT_WORDS, link=(AGAIN, "./")), scope, receive, send)
            return
        if path == LOGOUT and _is_from_elsewhere(scope):  # a link on another site signs nobody out
            await give(_moved("../"), scope, receive, send)
            return
        if path == LOGOUT:
            self._end(scope)
        status, headers = await _asked(app, scope, receive)
        cookies = [self._kept(value) for name, value in headers if name.lower() == b"set-cookie"]
        to = next((value.decode("latin-1") for name, value in headers if name.lower() == b"location"), "/")
        answer = _moved(to)
        if path == LOGIN and status >= 400:  # noqa: PLR2004  # of HTTP
            answer = Answer(502, NO_PROVIDER)
        elif path == LOGIN:
            cookies.append(self._way_cookie(query.get("way", "")))
            answer = _moved("../" if to == "/" else to)
        elif path == LOGOUT:
            answer = _moved(f"..{SIGNED_OUT}" if to == "/" else to)
        elif path == CALLBACK and any(_gives_user(value) for value in cookies):
            answer = _moved(f"./{quote(self._way_kept(scope), safe='/?&=%+.,:~-_')}")
            cookies.append(self._way_cookie(""))
        elif path == CALLBACK and not {"code", "error"} & set(query):  # from where the provider ended the login
            answer = _moved(f".{SIGNED_OUT}")
        elif path == CALLBACK:
            answer = Answer(403, NOT_SIGNED_IN, link=(AGAIN, "./"))
        given = tuple((b"set-cookie", value) for value in cookies)
        await give(
            Answer(answer.status, answer.text, (*answer.headers, *given), link=answer.link), scope, receive, send
        )

    def _claims(self, scope: Scope) -> Claims | None:
        """What the cookie says, if it is ours, not too old, and nobody has logged out with it."""
        login = self._login_of(scope)
        if login is None or _digest(login) in self._ended:
            return None
        try:
            said = json.loads(login[1])
        except ValueError:
            return None
        return claims_in(said, self._settings.reading)

    def _login_of(self, scope: Scope) -> tuple[str, bytes] | None:
        """When a login was and what it says, as the cookie holds both; ``None`` if it is not ours or too old."""
        return signed_login(self.cookie_secret, _cookies(scope), days=DAYS_SIGNED_IN)

    def _end(self, scope: Scope) -> None:
        """Have a cookie be worth nothing from now on, in open pages and wherever else it is shown to this server.

        Only one of ours is noted, and no longer than it would be worth something: nobody fills the memory with others.
        """
        login = self._login_of(scope)
        if login is None:
            return
        moment = time.time()
        kept = {one: at for one, at in self._ended.items() if moment - at < DAYS_SIGNED_IN * SECONDS_A_DAY}
        self._ended = {**kept, _digest(login): moment}

    def _kept(self, cookie: bytes) -> bytes:
        return cookie + b"; Secure" if self._is_secure else cookie

    def _way_cookie(self, way: str) -> bytes:
        seconds = WAY_SECONDS if way else 0
        cookie = f"{self._way}={quote(way[:MOST_WAY], safe='')}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}"
        return self._kept(cookie.encode())

    def _way_kept(self, scope: Scope) -> str:
        return unquote(_cookies(scope).get(self._way, ""))[:MOST_WAY]


def _digest(login: tuple[str, bytes]) -> str:
    """What tells one login from every other one.

    Of what is signed alone: the signature itself can be written in several ways, and further cookies be added.
    """
    return hashlib.sha256(login[0].encode() + b"\0" + login[1]).hexdigest()


async def _asked(app: ASGIApp, scope: Scope, receive: Receive) -> tuple[int, list[Header]]:
    """The status and the headers with which an application answers."""
    found: tuple[int, list[Header]] = (500, [])

    async def hear(message: Message) -> None:
        nonlocal found
        if message["type"] == "http.response.start":
            found = message["status"], list(message.get("headers", []))

    await app(scope, receive, hear)
    return found


def _moved(to: str) -> Answer:
    return Answer(303, "303: go on", ((b"location", to.encode("latin-1")),))


def _gives_user(cookie: bytes) -> bool:
    """Whether a cookie says who has logged in, and does not take that back."""
    name, _, rest = cookie.partition(b"=")
    return name.strip() == USER_COOKIE_NAME.encode() and rest.partition(b";")[0].strip(b'" ') != b""


def _cookies(scope: Scope) -> dict[str, str]:
    values = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"cookie"]
    return cookie_parser("; ".join(values))


def _takes_pages(scope: Scope) -> bool:
    return any(name.lower() == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _is_from_elsewhere(scope: Scope) -> bool:
    return any(name.lower() == b"sec-fetch-site" and value == b"cross-site" for name, value in scope["headers"])
