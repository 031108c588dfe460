"""Who may enter: a guard in front of everything that the server does, pages, sockets, uploads and files alike.

A request has to name an address that was announced (``shell/hosts.py``), and to show the token: once in the address,
from then on as a cookie, or as ``Authorization: Bearer``. Where people log in, who it is takes the token's place. What
does not is answered here and reaches nothing behind; what does goes on with a header that says who has entered.
Only the API for programs (``api``) asks for tokens of its own, each time, and takes neither this one nor a cookie.
"""

import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol
from urllib.parse import parse_qs, quote, unquote_to_bytes

from markupsafe import Markup
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleucore.errors import InputError
from bleuscope.shell.server.addresses import Addresses
from bleuscope.shell.server.hosts import Announced, parse_host
from bleuscope.shell.server.server_log import Refusal, happenings
from bleuscope.shell.state import current_user
from bleuscope.shell.state.current_user import Entered
from bleuscope.streamlit_port import CALLBACK, HEALTH
from bleuscope.workspace.columns import now
from bleuscope.workspace.people import Identity
from bleuscope.workspace.shares import Share

TOKEN = "token"  # noqa: S105  # its name in an address
PROBE = "/_bleuscope/connection"
"""Where a page asks what the server is told of it, and whether WebSockets come through."""
API = "api"
"""How the addresses for programs begin."""
SHARE = "share"
"""How the address of a link begins that opens one view to whoever has it."""
OF_LOGINS = ("auth", CALLBACK, "signed-out", SHARE)
"""How the addresses begin that lead in and out."""
FOREIGN = (
    "403: bleuscope was not started for the address that you opened. Whoever runs it can allow it: --allow-host NAME, "
    "or --public-url URL behind a proxy."
)
WITHOUT_TOKEN = (
    "403: bleuscope asks for its token. Open the address that ends with ?token=…: the terminal in which "  # noqa: S105
    "bleuscope was started shows it."
)
ASKS_LOGIN = (b"x-bleuscope-asks", b"login")
"""A header by which an open page knows that its login has ended (``connection.js``)."""
POLICY_VIOLATION = 1008
"""Why a WebSocket is closed whose login has ended."""
LINK_ENDED = "404: this link does not work: it has ended, or there never was one. Ask whoever sent it for another."
NO_SUCH_PAGE = (
    "404: bleuscope has no such page. Check the address. For administrators: behind a proxy that adds a path, start "
    "bleuscope with --public-url https://bleu.example.org/path/."
)
PAGE = Markup(
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>bleuscope</title>{}'
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>\n'
    '<body style="font:1.1rem/1.5 sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem"><p>{}</p>{}</body>'
    "</html>\n"
)
LINK = Markup('<p><a href="{1}">{0}</a></p>')
ONCE_MORE = Markup('<meta http-equiv="refresh" content="0; url={}">')
Header = tuple[bytes, bytes]


@dataclass(frozen=True)
class Answer:
    """What a request gets from the gate itself.

    Attributes:
        status: Of HTTP.
        text: A line for people.
        headers: Further headers.
        once_more: Where a browser goes at once, for it to send what it keeps from other sites' links.
        link: Words beneath the line, and where they lead.
        reason: Why the request is refused, if it is.
    """

    status: int
    text: str = ""
    headers: tuple[Header, ...] = ()
    once_more: str | None = None
    link: tuple[str, str] | None = None
    reason: Refusal | None = None


async def _unnoted(_: Identity) -> None:
    """Keep nothing of who came in."""


class Login(Protocol):
    """A way to know who somebody is."""

    @property
    def sign_out(self) -> str | None:
        """Where a login is ended."""

    def identity(self, scope: Scope) -> Identity | None:
        """Who asks; ``None`` if that is not known."""

    def refused(self, scope: Scope) -> Answer:
        """What whoever is not known gets."""

    def cleaned(self, headers: list[Header]) -> list[Header]:
        """The headers that what lies behind the gate may know of."""

    def serves(self, scope: Scope) -> bool:
        """Whether a request is for an address that leads in or out, which is there for everybody."""

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer such a request."""


class Door(Protocol):
    """Links that open one view."""

    async def opened(self, secret: str) -> Share | None:
        """The link that somebody opens, while it works."""

    async def held(self, secret: str) -> Share | None:
        """The link by which somebody was let in before, while it works."""


@dataclass(frozen=True)
class PageDoor:
    """Links that open one page.

    Attributes:
        key: In the address of the page: the secret.
        opens: Whether the link of a secret works.
    """

    key: str
    opens: Callable[[str], Awaitable[bool]]


@dataclass(frozen=True)
class Ways:
    """Ways in beside the token.

    Attributes:
        login: How people log in; they do not unless given.
        arrived: Notes who came in.
        door: Links that open one view to whoever has them; there are none unless given.
        pages: By their addresses, the pages with links of their own.
        beside: What answers at further addresses, for whoever may enter.
    """

    login: Login | None = None
    arrived: Callable[[Identity], Awaitable[None]] = _unnoted
    door: Door | None = None
    pages: Mapping[str, PageDoor] = field(default_factory=dict)
    beside: Mapping[str, ASGIApp] = field(default_factory=dict)


class Gate:
    """Lets in whoever names an announced address, and has the token or is known."""

    def __init__(
        self,
        app: ASGIApp,
        announced: Announced,
        *,
        token: str | None,
        pages: Collection[str],
        files: Collection[str] = (),
        ways: Ways | None = None,
    ) -> None:
        """Stand in front of an application.

        Args:
            app: What lies behind.
            announced: The addresses that are answered.
            token: Whoever has it may enter; everyone may if there is none. Where people log in, it is for programs
                that ask whether the server is well.
            pages: The address of each page.
            files: The address of each file that pages are made of.
            ways: Further ways in.

        Raises:
            InputError: The public path cannot be told from the address of a page.
        """
        ways = ways or Ways()
        beside = {path.removeprefix("/") for path in ways.beside}
        self._addresses = Addresses(frozenset(pages), frozenset(files))
        _refuse_path_of_page(announced, {*self._addresses.begin(), *OF_LOGINS, *beside, API})
        self._app = app
        self._announced = announced
        self._token = None if token is None else token.encode()
        self._cookie = f"bleuscope-{announced.main.port}"  # a cookie goes to every port of its host
        self._kept = "" if token is None else cookie_value(token)
        self._login, self._arrived, self._door = ways.login, ways.arrived, ways.door
        self._share_cookie = f"bleuscope-{SHARE}-{announced.main.port}"
        self._page_doors = ways.pages
        self._page_cookies = {page: f"bleuscope-{page}-{announced.main.port}" for page in ways.pages}
        self._beside = ways.beside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on whoever may enter, and answer everyone else."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        hosts = _values(scope, b"host")
        host = self._announced.answering(hosts, _values(scope, b"origin"), scope.get("server"))
        if host is None:
            happenings().refuse("host")
            await give(Answer(403, FOREIGN), scope, receive, send)
            return
        within = self._within_prefix(_named(scope, host))
        if self._login is not None and self._login.serves(within):
            await self._login.serve(self._app, within, receive, send)
            return
        who, answer = await self._let_in(within)
        if who.identity is not None:
            await self._arrived(who.identity)
        if answer is not None:
            comes_again = answer.once_more is not None and _takes_pages(within)
            if answer.reason is not None and not comes_again:
                happenings().refuse(answer.reason)
            await give(answer, scope, receive, send)
        elif within["path"] in self._beside and scope["type"] == "http":
            await self._beside[within["path"]](within, receive, send)
        elif within["path"] == PROBE:
            await _tell(hosts[0], within, receive, send)
        else:
            if self._login is not None and who.identity is not None and scope["type"] == "websocket":
                receive, send = _while_it_holds(partial(self._holds, self._login, within, who.identity), receive, send)
            await self._app(self._told(within, who), receive, self._keeping_link(within, who, send))

    def _told(self, scope: Scope, who: Entered) -> Scope:
        """The request with who has entered, as we know it, and nothing else that says so."""
        kept = [(name, value) for name, value in scope["headers"] if name.lower() != current_user.HEADER.encode()]
        kept = kept if self._login is None else self._login.cleaned(kept)
        return {**scope, "headers": [*kept, (current_user.HEADER.encode(), current_user.written(who))]}

    @staticmethod
    def _holds(login: Login, scope: Scope, identity: Identity) -> bool:
        """Whether the login that a connection began with is one still."""
        return login.identity(scope) == identity

    def _within_prefix(self, scope: Scope) -> Scope:
        """The request without what a public address begins with, where the proxy has left it there."""
        prefix = "" if self._announced.public is None else self._announced.public.path
        if not prefix or not scope["path"].startswith(f"{prefix}/"):
            return scope
        raw = _raw_path(scope).removeprefix(prefix)
        return {**scope, "path": scope["path"].removeprefix(prefix), "raw_path": raw.encode("latin-1")}

    async def _let_in(self, scope: Scope) -> tuple[Entered, Answer | None]:
        """Who it is, and what is answered here; ``None`` if the request goes on."""
        if _is_for_programs(scope):
            return Entered(), None
        who, answer = self._who(scope)
        first, _, secret = scope["path"].removeprefix("/").partition("/")
        if self._door is not None and first == SHARE and secret and _only_reads(scope):
            return who, await self._led_to_view(self._door, scope, secret, is_known=answer is None)
        if answer is None:
            return who, self._misled(scope)
        share, page = await self._share_held(scope), await self._page_opened(scope)
        if share is not None and not self._is_part_of_view(scope, share.page):
            share = None
        if share is not None or page is not None:
            return Entered(share=None if share is None else share.id, page=page), self._misled(scope)
        is_link = any(self._secret_in_address(scope, one) is not None for one in self._page_doors)
        return who, Answer(404, LINK_ENDED) if is_link else answer

    def _who(self, scope: Scope) -> tuple[Entered, Answer | None]:
        """Who it is, and what whoever may not enter gets."""
        if self._login is None:
            return Entered(), self._answer(scope)
        identity = self._login.identity(scope)
        if identity is not None:
            return Entered(identity, sign_out=self._login.sign_out), None
        asks_health = scope["path"] == f"/{HEALTH}" and self._token is not None and self._is_known(scope)
        return Entered(), None if asks_health else self._login.refused(scope)

    async def _led_to_view(self, door: Door, scope: Scope, secret: str, *, is_known: bool) -> Answer:
        """The way to what a link opens; whoever may not enter anyway gets a cookie for it."""
        share = await door.opened(secret)
        if share is None:
            return Answer(404, LINK_ENDED)
        seconds = int((share.expires_at - now()).total_seconds())
        cookie = self._cookie_of(scope, self._share_cookie, secret, f"SameSite=Lax; Max-Age={seconds}")
        return _moved(_quoted(f"../{share.page}", share.query), () if is_known else (cookie,))

    async def _share_held(self, scope: Scope) -> Share | None:
        """The link by which this browser was let in."""
        held = self._cookies(scope, self._share_cookie)
        return await self._door.held(held[0]) if self._door is not None and held else None

    async def _page_opened(self, scope: Scope) -> str | None:
        """The page of this request that a link of its own opens: its secret is in the address, or kept from there."""
        for page, door in self._page_doors.items():
            given = self._secret_in_address(scope, page)
            held = [given] if given is not None else self._cookies(scope, self._page_cookies[page])
            if held and self._is_part_of_view(scope, page) and await door.opens(held[0]):
                return page
        return None

    def _secret_in_address(self, scope: Scope, page: str) -> str | None:
        """The secret of a link to a page; ``None`` at every other address."""
        if not _only_reads(scope) or scope["path"].removesuffix("/") != f"/{page}":
            return None
        return next(iter(parse_qs(_query(scope)).get(self._page_doors[page].key, ())), None)

    def _keeping_link(self, scope: Scope, who: Entered, send: Send) -> Send:
        """What sends the answer to whoever opens such a link, with a cookie: sockets and files name no secret."""
        secret = None if who.page is None else self._secret_in_address(scope, who.page)
        if who.page is None or secret is None:
            return send
        cookie = self._cookie_of(scope, self._page_cookies[who.page], secret, "SameSite=Strict")

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), cookie]}
            await send(message)

        return with_cookie

    def _answer(self, scope: Scope) -> Answer | None:
        """What is answered here where the token opens; ``None`` if whoever asks may enter."""
        is_read = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        given, rest = _token_in_address(scope) if is_read else ([], "")
        is_given = self._token is not None and any(hmac.compare_digest(one, self._token) for one in given)
        may_enter = self._token is None or self._is_known(scope)
        if given and (is_given or may_enter):
            return _moved(_beside(scope, rest), (self._set_cookie(scope),) if is_given else ())
        if not may_enter:
            once_more = _beside(scope, f"{rest}&{TOKEN}=".lstrip("&")) if is_read and not given else None
            return Answer(403, WITHOUT_TOKEN, once_more=once_more, reason="token")
        return None

    def _is_known(self, scope: Scope) -> bool:
        """Whether the request has the cookie, or the token itself among its headers."""
        shown = [text.partition(" ") for text in _values(scope, b"authorization")]
        tokens = [text.strip() for kind, _, text in shown if kind.lower() == "bearer"]
        cookies = self._cookies(scope, self._cookie)
        by_cookie = [hmac.compare_digest(one.encode(), self._kept.encode()) for one in cookies]
        by_token = [hmac.compare_digest(one.encode("latin-1"), self._token or b"") for one in tokens]
        return any((*by_cookie, *by_token))

    @staticmethod
    def _cookies(scope: Scope, name: str) -> list[str]:
        pairs = [one.strip().partition("=") for header in _values(scope, b"cookie") for one in header.split(";")]
        return [value for given, _, value in pairs if given == name]

    def _set_cookie(self, scope: Scope) -> Header:
        return self._cookie_of(scope, self._cookie, self._kept, "SameSite=Strict")

    def _cookie_of(self, scope: Scope, name: str, value: str, rule: str) -> Header:
        public, host = self._announced.public, parse_host(_values(scope, b"host")[0])
        path, secure = "/", ""
        if public is not None and host is not None and host.name == public.place.name:
            path, secure = public.path or "/", "; Secure" if public.scheme == "https" else ""
        return b"set-cookie", f"{name}={value}; HttpOnly; {rule}; Path={path}{secure}".encode()

    def _misled(self, scope: Scope) -> Answer | None:
        """The answer to an address at which there is nothing, and to one of a page with a slash too many."""
        address = scope["path"].removeprefix("/")
        is_prefix = self._announced.public is not None and scope["path"] == self._announced.public.path != ""
        if scope["type"] == "http" and is_prefix:
            return _moved(_quoted(f"./{_raw_path(scope).rpartition('/')[2]}/", _query(scope)))
        if address.endswith("/") and address[:-1] in self._addresses.pages:
            return _moved(_quoted(f"../{address[:-1]}", _query(scope)))
        is_there = self._addresses.have(address, is_read=_only_reads(scope)) or scope["path"] in (PROBE, *self._beside)
        home = "../" * address.count("/") or "./"
        return None if is_there else Answer(404, NO_SUCH_PAGE, link=("Go to the first page", home), reason="address")

    def _is_part_of_view(self, scope: Scope, page: str) -> bool:
        """Whether a request belongs to one page, and brings nothing."""
        is_socket = scope["type"] == "websocket"
        address = scope["path"].removeprefix("/")
        is_shared = scope["path"] == PROBE or self._addresses.are_of_view(address, page, is_socket=is_socket)
        return is_shared and (is_socket or _only_reads(scope))


def _while_it_holds(holds: Callable[[], bool], receive: Receive, send: Send) -> tuple[Receive, Send]:
    """A WebSocket that is closed at the first message that comes once its login has ended.

    Who somebody is is said when a connection begins, and it can stay for days.
    """
    has_ended = False

    async def hear() -> Message:
        nonlocal has_ended
        message = await receive()
        if message["type"] == "websocket.receive" and not holds():
            has_ended = True
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": "the login has ended"})
            return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}
        return message

    async def tell(message: Message) -> None:
        if not has_ended:
            await send(message)

    return hear, tell


def _only_reads(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] in ("GET", "HEAD")


def cookie_value(token: str) -> str:
    """What a browser keeps in place of the token, of letters that a cookie may have."""
    return hmac.new(token.encode(), b"bleuscope cookie", hashlib.sha256).hexdigest()


def _is_for_programs(scope: Scope) -> bool:
    return scope["type"] == "http" and str(scope["path"]).startswith(f"/{API}/")


def _refuse_path_of_page(announced: Announced, taken: Collection[str]) -> None:
    path = "" if announced.public is None else announced.public.path
    if path.removeprefix("/").partition("/")[0] in taken:
        raise InputError(
            "the path begins like that of a page",
            where="Option --public-url",
            found=path,
            remedy="Have the proxy use another path, as in https://bleu.example.org/bleuscope/.",
        )


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _named(scope: Scope, host: str) -> Scope:
    """The request as one to that host: Streamlit looks up this machine's public address where its names differ."""
    others = [(key, value) for key, value in scope["headers"] if key.lower() != b"host"]
    return {**scope, "headers": [(b"host", host.encode("latin-1")), *others]}


def _raw_path(scope: Scope) -> str:
    raw = scope.get("raw_path") or quote(scope["path"]).encode()
    return bytes(raw).decode("latin-1")


def _query(scope: Scope) -> str:
    return bytes(scope["query_string"]).decode("latin-1")


def _token_in_address(scope: Scope) -> tuple[list[bytes], str]:
    """Every token that the address holds, and the rest of what stands behind its question mark."""
    pairs = _query(scope).split("&")
    tokens = [one for one in pairs if one.partition("=")[0] == TOKEN]
    given = [unquote_to_bytes(one.partition("=")[2].replace("+", " ")) for one in tokens]
    return given, "&".join(one for one in pairs if one not in tokens)


def _beside(scope: Scope, query: str) -> str:
    """The address of this page with another query, as seen from itself: right whatever a proxy puts in front of it."""
    return _quoted(f"./{_raw_path(scope).rpartition('/')[2]}", query)


def _quoted(path: str, query: str) -> str:
    """An address with nothing in it that could end a header or an attribute."""
    address = f"{path}?{query}" if query else path
    return quote(address.encode("latin-1"), safe="%/?&=:@!$()*+,;~")


def _moved(to: str, headers: Iterable[Header] = ()) -> Answer:
    return Answer(303, f"303: {to}", ((b"location", to.encode("latin-1")), *headers))


def _takes_pages(scope: Scope) -> bool:
    return scope["type"] == "http" and any("text/html" in one for one in _values(scope, b"accept"))


async def give(answer: Answer, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the answer: as a page to who reads pages, else as a line."""
    kind = "http.response"
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        kind = "websocket.http.response"
    takes_pages = _takes_pages(scope)
    if takes_pages:
        again = Markup("") if answer.once_more is None else ONCE_MORE.format(answer.once_more)
        link = Markup("") if answer.link is None else LINK.format(*answer.link)
        body = str(PAGE.format(again, answer.text, link)).encode()
    else:
        body = f"{answer.text}\n".encode()
    headers = [
        (b"content-type", f"text/{'html' if takes_pages else 'plain'}; charset=utf-8".encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *answer.headers,
    ]
    await send({"type": f"{kind}.start", "status": answer.status, "headers": headers})
    is_wanted = scope.get("method") != "HEAD"
    await send({"type": f"{kind}.body", "body": body if is_wanted else b""})


async def _tell(host: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Say by which name the server was called; a WebSocket is opened and closed."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 1000})
        return
    body = json.dumps({"host": host}).encode()
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
