"""The guard in front of the server: nothing behind it is asked by who may not enter."""

import asyncio
import html
import json
import re
from datetime import timedelta
from urllib.parse import quote, urljoin

import pytest
from streamlit.web.server.starlette import (
    starlette_agent_routes,
    starlette_auth_routes,
    starlette_routes,
    starlette_websocket,
)

from bleuscope.shell.server.addresses import Addresses
from bleuscope.shell.server.auth_middleware import (
    FOREIGN,
    LINK_ENDED,
    NO_SUCH_PAGE,
    PROBE,
    WITHOUT_TOKEN,
    Gate,
    PageDoor,
    Ways,
    cookie_value,
)
from bleuscope.shell.server.hosts import announced
from bleuscope.shell.server.login_log import Arrivals
from bleuscope.shell.server.logins import proxy_login
from bleuscope.shell.server.server_log import happenings
from bleuscope.shell.state.current_user import HEADER, Entered, entered_in
from bleuscope.workspace.columns import now
from bleuscope.workspace.people import Identity, Person
from bleuscope.workspace.shares import Share

PORT = 8501
HOST = f"localhost:{PORT}"
SECRET = "q7_Kz-3vX"
COOKIE = f"bleuscope-{PORT}={cookie_value(SECRET)}"
PAGES = ("scores", "test-set")
FILES = ("favicon.png", "static/js/index.js")
EVERYTHING = [
    ("GET", "/"),
    ("GET", "/scores"),
    ("HEAD", "/scores"),
    ("GET", "/_stcore/health"),
    ("GET", "/_stcore/host-config"),
    ("GET", "/_stcore/metrics"),
    ("GET", "/_stcore/agent/openapi.json"),
    ("POST", "/_stcore/agent/interact"),
    ("PUT", "/_stcore/upload_file/s/f"),
    ("DELETE", "/_stcore/upload_file/s/f"),
    ("OPTIONS", "/_stcore/upload_file/s/f"),
    ("GET", "/media/a.csv"),
    ("GET", "/static/js/index.js"),
    ("GET", "/favicon.png"),
    ("GET", PROBE),
    ("GET", "/nowhere"),
    ("WEBSOCKET", "/_stcore/stream"),
    ("WEBSOCKET", PROBE),
    ("WEBSOCKET", "/nowhere"),
]


class Inner:
    """What lies behind: notes who comes, and says yes."""

    def __init__(self):
        self.scopes = []

    async def __call__(self, scope, receive, send):
        self.scopes.append(scope)
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"inside"})


class Reply:
    """What was sent back."""

    def __init__(self, sent, inner):
        start = next((one for one in sent if one["type"].endswith(".start")), {})
        self.types = [one["type"] for one in sent]
        self.status = start.get("status")
        self.headers = {name.decode(): value.decode() for name, value in start.get("headers", [])}
        self.text = b"".join(one.get("body", b"") for one in sent).decode()
        self.inside = inner.scopes

    @property
    def told(self):
        """Who has entered, as what lies behind is told; nobody else can say so."""
        (scope,) = self.inside
        (said,) = [value for name, value in scope["headers"] if name.lower() == HEADER.encode()]
        return entered_in({HEADER: said.decode()})


def ask(
    path="/",
    *,
    method="GET",
    query="",
    host=HOST,
    token=SECRET,
    known=None,
    extensions=True,
    client="127.0.0.1",
    twice=(),
    ways=None,
    **headers,
):
    """Ask through a gate; ``cookie=…`` and so on are headers, ``ways`` further ones in."""
    inner, sent = Inner(), []
    known = known or announced("127.0.0.1", PORT)
    gate = Gate(inner, known, token=token, pages=PAGES, files=FILES, ways=Ways(**(ways or {})))
    named = [(name.encode(), value.encode()) for name, value in {"host": host, **headers}.items() if value is not None]
    named += [(name.encode(), value.encode()) for name, value in twice]

    async def receive():
        return {"type": "websocket.connect" if method == "WEBSOCKET" else "http.request"}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "websocket" if method == "WEBSOCKET" else "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode("latin-1"),
        "headers": named,
        "server": ("127.0.0.1", PORT),
        "client": client and (client, 40_000),
        "extensions": {"websocket.http.response": {}} if extensions else {},
    }
    asyncio.run(gate(scope, receive, send))
    return Reply(sent, inner)


def test_programs_are_let_through_to_what_asks_for_tokens_of_its_own():
    assert len(ask("/api/v1/openapi.json").inside) == 1
    assert ask("/api/v1/openapi.json", host="evil.example:8501").status == 403
    assert ask("/api/v1/openapi.json", origin="http://evil.example").status == 403
    for method, path in (("GET", "/api"), ("GET", "/apis/v1"), ("WEBSOCKET", "/api/v1")):
        reply = ask(path, method=method)
        assert (reply.status, reply.inside) == (403, [])


class TestBeside:
    """What answers at a further address."""

    async def numbers(self, scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"numbers"})

    def test_needs_the_token_as_all_else_does(self):
        beside = {"/metrics": self.numbers}
        assert ask("/metrics", ways={"beside": beside}).status == 403
        assert ask("/metrics", ways={"beside": beside}, cookie=COOKIE, host="evil.example").status == 403
        assert ask("/metrics", ways={"beside": beside}, authorization=f"Bearer {SECRET}").text == "numbers"
        assert ask("/metrics", authorization=f"Bearer {SECRET}").status == 404

    def test_refusals_are_counted_by_reason_but_not_those_that_a_browser_asks_again_for(self):
        def n_without_token():
            return happenings().refusals().get("token", 0)

        before = n_without_token()
        ask("/metrics", accept="text/html")
        assert n_without_token() == before
        ask("/metrics")
        ask("/metrics", query="token=wrong", accept="text/html")
        assert n_without_token() == before + 2


class TestHosts:
    @pytest.mark.parametrize(("method", "path"), EVERYTHING)
    @pytest.mark.parametrize(
        "names", [{"host": "evil.example:8501"}, {"host": None}, {"origin": "http://evil.example"}, {"origin": "null"}]
    )
    @pytest.mark.parametrize("token", [SECRET, None])
    def test_that_were_not_announced_get_a_line_and_reach_nothing(self, method, path, names, token):
        reply = ask(path, method=method, token=token, cookie=COOKIE, **names)
        assert (reply.status, reply.inside) == (403, [])
        assert reply.text == ("" if method == "HEAD" else f"{FOREIGN}\n")

    def test_handed_on_by_a_proxy_are_not_believed(self):
        assert ask(host="evil.example", cookie=COOKIE, **{"x-forwarded-host": HOST}).status == 403
        assert ask(host="evil.example", cookie=COOKIE, forwarded=f"host={HOST}").status == 403

    def test_and_origin_are_the_same_for_whatever_lies_behind(self):
        known = announced("127.0.0.1", PORT, public_url="https://bleu.example.org/")
        reply = ask(
            "/_stcore/stream", method="WEBSOCKET", known=known, cookie=COOKIE, origin="https://bleu.example.org"
        )
        (scope,) = reply.inside
        assert [value for name, value in scope["headers"] if name == b"host"] == [b"bleu.example.org"]


class TestToken:
    @pytest.mark.parametrize(("method", "path"), EVERYTHING)
    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"cookie": "bleuscope-8501="},
            {"cookie": f"bleuscope-8501={SECRET}"},
            {"cookie": f"bleuscope-8502={cookie_value(SECRET)}"},
            {"cookie": f"bleuscope-8501={cookie_value('another')}"},
            {"cookie": f"bleuscope-8501={cookie_value(SECRET)[:-1]}"},
            {"authorization": "Bearer"},
            {"authorization": "Bearer another"},
            {"authorization": f"Basic {SECRET}"},
            {"authorization": f"Bearer {SECRET}é"},
            {"authorization": "Bearer " + "x" * 100_000},
        ],
    )
    def test_is_needed_for_everything(self, method, path, headers):
        reply = ask(path, method=method, **headers)
        assert (reply.status, reply.inside) == (403, [])
        assert reply.text == ("" if method == "HEAD" else f"{WITHOUT_TOKEN}\n")

    @pytest.mark.parametrize(("method", "path"), [one for one in EVERYTHING if one[1] not in ("/nowhere", PROBE)])
    @pytest.mark.parametrize(
        "headers",
        [
            {"cookie": COOKIE},
            {"cookie": f"other=1; bleuscope-8501=old;{COOKIE} ; last=2"},
            {"authorization": f"Bearer {SECRET}"},
            {"authorization": f"bearer  {SECRET}"},
        ],
    )
    def test_lets_in_as_cookie_or_among_the_headers(self, method, path, headers):
        assert [scope["path"] for scope in ask(path, method=method, **headers).inside] == [path]

    def test_may_be_left_out_where_none_is_wanted(self):
        assert len(ask(token=None).inside) == 1
        assert len(ask("/_stcore/stream", method="WEBSOCKET", token=None).inside) == 1

    @pytest.mark.parametrize("secret", ["a b&c=d+e%/?#;", "schlüssel-मुफ़्त", "'\"<script>"])
    def test_can_have_any_letters(self, secret):
        reply = ask(query=f"token={quote(secret, safe='')}", token=secret)
        assert (reply.status, reply.inside) == (303, [])
        assert len(ask(token=secret, authorization=f"Bearer {secret}").inside) == 1

    def test_is_never_what_the_browser_keeps(self):
        assert SECRET not in ask(query=f"token={SECRET}").headers["set-cookie"]


class TestTokenInTheAddress:
    @pytest.mark.parametrize(
        ("path", "query", "leads_to"),
        [
            ("/", f"token={SECRET}", "/"),
            ("/scores", f"token={SECRET}", "/scores"),
            ("/scores", f"a=x+y&token={SECRET}&b=%C3%A9&c", "/scores?a=x+y&b=%C3%A9&c"),
            ("/scores", f"token=wrong&token={SECRET}", "/scores"),
            ("/", f"a=//evil.example&token={SECRET}", "/?a=//evil.example"),
            ("//evil.example", f"token={SECRET}", "/evil.example"),
            ("//evil.example/", f"token={SECRET}", "/evil.example/"),
            ("/a:b", f"token={SECRET}", "/a:b"),
        ],
    )
    def test_becomes_a_cookie_and_leaves_the_address(self, path, query, leads_to):
        reply = ask(path, query=query)
        assert (reply.status, reply.inside) == (303, [])
        assert urljoin(f"http://{HOST}{path}", reply.headers["location"]) == f"http://{HOST}{leads_to}"
        assert reply.headers["set-cookie"] == f"{COOKIE}; HttpOnly; SameSite=Strict; Path=/"
        assert reply.headers["cache-control"] == "no-store"

    def test_leaves_it_for_who_has_the_cookie_too(self):
        reply = ask("/scores", query="token=old&a=1", cookie=COOKIE)
        assert (reply.status, reply.headers["location"]) == (303, "./scores?a=1")
        assert "set-cookie" not in reply.headers

    @pytest.mark.parametrize("query", ["token=wrong", "token=", "token", f"token={SECRET}x", f"Token={SECRET}"])
    def test_that_is_another_lets_nobody_in(self, query):
        reply = ask("/scores", query=query)
        assert (reply.status, reply.inside) == (403, [])
        assert "set-cookie" not in reply.headers

    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "WEBSOCKET"])
    def test_opens_pages_only(self, method):
        assert ask("/_stcore/stream", method=method, query=f"token={SECRET}").status == 403


class TestAPageWithoutCookie:
    """A browser sends no cookie of the kind Strict with a link of another site, but sends it from our own page."""

    def asked(self, path="/scores", query="", **headers):
        return ask(path, query=query, accept="text/html,*/*;q=0.8", **headers)

    def next_address(self, reply):
        (found,) = re.findall(r'<meta http-equiv="refresh" content="0; url=([^"]*)">', reply.text)
        return html.unescape(found)

    @pytest.mark.parametrize("query", ["", "a=1&b=2", 'a="><script>alert(1)</script>', "a=\xe9;url=//evil.example"])
    def test_asks_once_more_from_our_own_page_and_is_then_shown(self, query):
        first = self.asked(query=query)
        assert first.status == 403
        address = self.next_address(first)
        assert address.startswith("./scores?")
        assert "<script" not in first.text
        second_query = address.partition("?")[2]
        second = self.asked(query=second_query, cookie=COOKIE)
        assert second.status == 303
        assert "token" not in second.headers["location"]

    def test_does_not_ask_a_third_time(self):
        second = self.asked(query=self.next_address(self.asked()).partition("?")[2])
        assert (second.status, second.inside) == (403, [])
        assert "refresh" not in second.text
        assert html.escape(WITHOUT_TOKEN) in second.text

    def test_is_not_asked_again_for_a_name_that_is_not_ours(self):
        reply = self.asked(host="evil.example")
        assert "refresh" not in reply.text
        assert html.escape(FOREIGN) in reply.text


PUBLIC = announced("127.0.0.1", PORT, public_url="https://bleu.example.org/a/b/")
PROXIED = {"known": PUBLIC, "host": "bleu.example.org"}


class TestPublicUrl:
    @pytest.mark.parametrize("prefix", ["", "/a/b"])
    def test_is_right_whether_the_proxy_takes_its_path_off_or_not(self, prefix):
        (scope,) = ask(f"{prefix}/scores", cookie=COOKIE, **PROXIED).inside
        assert (scope["path"], scope["raw_path"]) == ("/scores", b"/scores")

    @pytest.mark.parametrize("prefix", ["", "/a/b"])
    def test_keeps_its_path_when_the_token_goes(self, prefix):
        reply = ask(f"{prefix}/scores", query=f"token={SECRET}&x=1", **PROXIED)
        assert urljoin("https://bleu.example.org/a/b/scores", reply.headers["location"]).endswith("/a/b/scores?x=1")
        assert reply.headers["set-cookie"] == f"{COOKIE}; HttpOnly; SameSite=Strict; Path=/a/b; Secure"

    def test_gets_its_slash(self):
        reply = ask("/a/b", query="x=1", cookie=COOKIE, **PROXIED)
        assert reply.status == 303
        assert urljoin("https://bleu.example.org/a/b", reply.headers["location"]).endswith("org/a/b/?x=1")

    def test_has_a_cookie_of_its_own_kind_only_where_it_is_named(self):
        reply = ask("/", query=f"token={SECRET}", known=PUBLIC)
        assert reply.headers["set-cookie"].endswith("; Path=/")


class TestPages:
    @pytest.mark.parametrize(
        "path",
        [
            *(
                "/nowhere",
                "/bleu/",
                "/bleu/scores",
                "/scores/nowhere",
                "/scores/static/js/a.js",
                "//scores",
                "/scores//",
            ),
            *("/static/nope.js", "/static/js/index.js/", "/static/js", "/static/", "/static", "/static/../favicon.png"),
            *("/_stcore", "/_stcore/", "/_stcore/nope", "/_stcore/metrics/", "/_stcore/upload_file/", "/component/a/b"),
            *("/_stcore/script-health-check", "/_stcore/upload_file/s/f", "/media", "/media/"),
            *("/scores/_stcore/metrics", "/scores/_stcore/upload_file/s/f", "/scores/media/a.csv"),
        ],
    )
    def test_that_are_none_say_what_a_proxy_needs(self, path):
        reply = ask(path, cookie=COOKIE)
        assert (reply.status, reply.text, reply.inside) == (404, f"{NO_SUCH_PAGE}\n", [])

    def test_with_a_slash_too_many_lead_to_the_page(self):
        reply = ask("/scores/", query="a=1", cookie=COOKIE)
        assert reply.status == 303
        assert urljoin("https://bleu.example.org/a/scores/", reply.headers["location"]).endswith("org/a/scores?a=1")

    def test_look_for_their_server_beneath_their_own_address(self):
        assert len(ask("/scores/_stcore/health", cookie=COOKIE).inside) == 1


def test_every_route_of_streamlit_is_judged():
    """A new one is for nobody with a link until somebody decides, and this test says that there is one."""
    modules = (starlette_routes, starlette_agent_routes, starlette_auth_routes, starlette_websocket)
    named = {
        re.sub(r"\{(\w)[^}]*\}", r"\1", value)  # {path:path} becomes p
        for module in modules
        for name, value in vars(module).items()
        if re.fullmatch(r"_?(BASE_)?ROUTE_[A-Z_0-9]+", name) and isinstance(value, str)
    }
    of_view = {
        route for route in named if Addresses(frozenset({"scores"})).are_of_view(route, "scores", is_socket=False)
    }
    assert of_view == {"_stcore/health", "_stcore/host-config", "media/f"}
    assert named - of_view == {
        *("_stcore", "media", "static", "component", "app/static", "_stcore/upload_file"),
        *("_stcore/metrics", "_stcore/script-health-check", "_stcore/stream", "_stcore/upload_file/s/f"),
        *("_stcore/agent/interact", "_stcore/agent/openapi.json", "_stcore/agent/mcp"),
        *("_stcore/bidi-components/p", "component/p", "app/static/p"),
        *("auth/login", "auth/logout", "oauth2callback"),
    }


class TestProbe:
    def test_tells_by_which_name_the_server_was_called(self):
        reply = ask(PROBE, cookie=COOKIE)
        assert (reply.status, json.loads(reply.text)) == (200, {"host": HOST})

    def test_opens_a_socket_and_closes_it(self):
        assert ask(PROBE, method="WEBSOCKET", cookie=COOKIE).types == ["websocket.accept", "websocket.close"]


def test_a_socket_is_closed_where_the_server_can_give_no_line():
    reply = ask("/_stcore/stream", method="WEBSOCKET", extensions=False)
    assert (reply.types, reply.inside) == (["websocket.close"], [])


def test_what_starts_and_ends_with_the_server_passes():
    seen = []

    async def inner(scope, receive, send):
        seen.append(scope["type"])

    gate = Gate(inner, announced("127.0.0.1", PORT), token=SECRET, pages=PAGES)
    asyncio.run(gate({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]


EMAIL = "x-forwarded-email"
ADA = Identity("proxy", "ada@example.org", "ada@example.org", "ada@example.org")


def by_proxy(header="X-Forwarded-Email", trusted=("127.0.0.1", "10.0.0.0/8")):
    return {"login": proxy_login(header, trusted, "/oauth2/sign_out")}


class TestProxy:
    def ask(self, path="/", token=None, **said):
        return ask(path, token=token, **({"ways": by_proxy()} | said))

    @pytest.mark.parametrize(("method", "path"), EVERYTHING)
    @pytest.mark.parametrize(
        "said",
        [
            {},
            {"client": "192.0.2.7", EMAIL: "ada@example.org"},
            {"client": None, EMAIL: "ada@example.org"},
            {"client": "/tmp/socket", EMAIL: "ada@example.org"},
            {EMAIL: ""},
            {EMAIL: "a" * 201},
            {EMAIL: "ada\x1b[31m"},
            {"twice": [(EMAIL, "ada@example.org"), (EMAIL, "eve@example.org")]},
            {"x-forwarded-user": "ada@example.org"},
            {HEADER: '{"identity": {"issuer": "proxy", "subject": "ada@example.org"}}'},
            {"cookie": COOKIE},
        ],
    )
    def test_that_does_not_say_who_it_is_gets_a_line_and_reaches_nothing(self, method, path, said):
        reply = self.ask(path, method=method, **said)
        assert (reply.status, reply.inside) == (403, [])

    @pytest.mark.parametrize("client", ["127.0.0.1", "10.3.2.1", "::ffff:10.3.2.1"])
    def test_at_its_addresses_says_who_somebody_is(self, client):
        reply = self.ask("/scores", client=client, **{EMAIL: "ada@example.org"})
        assert reply.told == Entered(ADA, sign_out="/oauth2/sign_out")
        socket = self.ask("/_stcore/stream", method="WEBSOCKET", client=client, **{EMAIL: "ada@example.org"})
        assert socket.told.identity == ADA

    def test_is_the_only_one_that_what_lies_behind_hears_of_it(self):
        forged = {HEADER: '{"share": 1}', "x-forwarded-user": "eve", "X-FORWARDED-GROUPS": "admins"}
        reply = self.ask("/scores", **{EMAIL: "ada@example.org"}, **forged)
        names = [name.decode().lower() for name, _ in reply.inside[0]["headers"]]
        assert sorted(names) == sorted(["host", HEADER])
        assert reply.told.identity == ADA

    def test_may_use_another_header_and_names_of_any_script(self):
        ways = by_proxy("X-Auth-Request-User")
        assert self.ask(ways=ways, **{EMAIL: "ada@example.org"}).status == 403
        reply = self.ask(ways=ways, **{"x-auth-request-user": "Ἄδα"})
        assert reply.told.identity == Identity("proxy", "Ἄδα", "Ἄδα")

    def test_still_serves_announced_addresses_and_pages_alone(self):
        said = {EMAIL: "ada@example.org"}
        assert self.ask(host="evil.example", **said).status == 403
        assert self.ask(origin="http://evil.example", **said).status == 403
        assert self.ask("/nowhere", **said).status == 404

    def test_leaves_a_program_that_has_the_token_the_question_whether_all_is_well_and_nothing_else(self):
        bearer = {"authorization": f"Bearer {SECRET}"}
        assert self.ask("/_stcore/health", token=SECRET, **bearer).text == "inside"
        assert self.ask("/_stcore/health", token=SECRET).status == 403
        assert self.ask("/scores", token=SECRET, **bearer).status == 403
        assert self.ask("/scores", token=SECRET, query=f"token={SECRET}").status == 403


def test_nobody_says_who_has_entered_where_nobody_is_asked():
    forged = '{"identity": {"issuer": "proxy", "subject": "ada@example.org"}}'
    assert ask("/scores", cookie=COOKIE, **{HEADER: forged}).told == Entered()
    assert ask("/scores", token=None, **{HEADER: forged}).told == Entered()


def test_who_comes_in_is_noted_once_a_day():
    noted = []
    arrived = Arrivals(noted.append)

    async def come():
        for _ in range(3):
            await arrived(ADA)
        arrived._today -= timedelta(days=1)
        await arrived(ADA)

    asyncio.run(come())
    assert noted == [ADA, ADA]


VIEW = Share(7, "scores", "data=sample&a=%26", None, Person(1, "you"), now(), now() + timedelta(days=1))
LINK = "l" * 22
HELD = f"bleuscope-share-{PORT}={LINK}"
OF_LINK = [
    ("GET", "/scores"),
    ("HEAD", "/scores"),
    ("GET", "/static/js/index.js"),
    ("GET", "/scores/_stcore/health"),
    ("GET", "/_stcore/host-config"),
    ("GET", "/media/a.csv"),
    ("GET", "/favicon.png"),
    ("GET", "/_stcore/bidi-components/bleuscope.annotation/pen.js"),
    ("WEBSOCKET", "/scores/_stcore/stream"),
    ("WEBSOCKET", "/_stcore/stream"),
]
NOT_OF_LINK = [
    ("GET", "/"),
    ("GET", "/test-set"),
    ("GET", "/test-set/_stcore/host-config"),
    ("WEBSOCKET", "/test-set/_stcore/stream"),
    ("WEBSOCKET", "/nowhere"),
    ("POST", "/scores"),
    ("PUT", "/_stcore/upload_file/s/f"),
    ("DELETE", "/_stcore/upload_file/s/f"),
    ("OPTIONS", "/_stcore/upload_file/s/f"),
    ("GET", "/_stcore/upload_file/s/f"),
    ("PUT", "/scores/_stcore/upload_file/s/f"),
    ("POST", "/_stcore/agent/interact"),
    ("GET", "/auth/login"),
    ("GET", "/_stcore/metrics"),
    ("HEAD", "/_stcore/metrics"),
    ("GET", "/_stcore/script-health-check"),
    ("GET", "/_stcore/agent/openapi.json"),
    ("GET", "/_stcore/bidi-components/a/b.js"),
    ("GET", "/component/a/b.html"),
    ("GET", "/_stcore/stream"),
    ("GET", "/_stcore/health/"),
    ("GET", "//_stcore/health"),
    ("GET", "/static/../_stcore/metrics"),
    ("GET", "/media/"),
    ("GET", "/metrics"),
    ("GET", "/scores/_stcore/metrics"),
    ("GET", "/scores.py"),
    ("GET", "/a.b/_stcore/metrics"),
    ("WEBSOCKET", "/_stcore/health"),
    ("WEBSOCKET", "/scores"),
]


class Links:
    """One link that works."""

    async def opened(self, secret):
        return VIEW if secret == LINK else None

    held = opened


class TestLinks:
    def ask(self, path, ways=None, **said):
        return ask(path, ways={"door": Links()} | (ways or {}), **said)

    def test_lead_to_their_view_with_a_cookie_for_it(self):
        reply = self.ask(f"/share/{LINK}", **{"sec-fetch-site": "cross-site"})
        assert (reply.status, reply.headers["location"], reply.inside) == (303, "../scores?data=sample&a=%26", [])
        cookie = reply.headers["set-cookie"]
        assert cookie.startswith(f"{HELD}; HttpOnly; SameSite=Lax; Max-Age=")
        left = (VIEW.expires_at - now()).total_seconds()  # these tests may run long after they were read
        assert left - 60 < int(re.search(r"Max-Age=(\d+)", cookie)[1]) < left + 60
        assert self.ask(f"/share/{LINK}", cookie=COOKIE).headers.get("set-cookie") is None

    @pytest.mark.parametrize("secret", ["x" * 22, LINK[1:], f"{LINK}/", "..", "%00"])
    def test_that_do_not_work_say_so_and_open_nothing(self, secret):
        reply = self.ask(f"/share/{secret}")
        assert (reply.status, reply.text, reply.inside) == (404, f"{LINK_ENDED}\n", [])
        assert self.ask("/scores", cookie=f"bleuscope-share-{PORT}={secret}").status == 403

    @pytest.mark.parametrize(("method", "path"), OF_LINK)
    @pytest.mark.parametrize("ways", [{}, by_proxy()], ids=["token", "proxy"])
    def test_open_their_page_and_what_it_is_drawn_with(self, method, path, ways):
        reply = self.ask(path, ways=ways, method=method, cookie=HELD)
        assert reply.told == Entered(share=7)

    @pytest.mark.parametrize(("method", "path"), NOT_OF_LINK)
    @pytest.mark.parametrize("ways", [{}, by_proxy()], ids=["token", "proxy"])
    def test_open_nothing_else(self, method, path, ways):
        reply = self.ask(path, ways=ways, method=method, cookie=HELD)
        assert (reply.status, reply.inside) == (403, [])

    def test_are_nobody_to_what_asks_programs_for_tokens_of_its_own(self):
        assert self.ask("/api/v1/x", cookie=HELD).told == Entered()

    def test_take_nothing_from_who_may_enter_anyway(self):
        assert self.ask("/test-set", cookie=f"{HELD}; {COOKIE}").told == Entered()
        reply = self.ask("/test-set", ways=by_proxy(), cookie=HELD, **{EMAIL: "ada@example.org"})
        assert reply.told.identity == ADA

    def test_are_none_where_there_is_no_workspace(self):
        assert ask(f"/share/{LINK}").status == 403
        assert ask(f"/share/{LINK}", cookie=COOKIE).status == 404


RATER = "r" * 22
RATED = f"bleuscope-scores-{PORT}={RATER}"


async def is_rater(secret):
    return secret == RATER


class TestLinksOfPages:
    """The page ``scores`` has links of its own, as that of raters has."""

    def ask(self, path, ways=None, **said):
        return ask(path, ways={"pages": {"scores": PageDoor("rater", is_rater)}} | (ways or {}), **said)

    @pytest.mark.parametrize("ways", [{}, by_proxy()], ids=["token", "proxy"])
    def test_open_their_page_and_leave_a_cookie_for_its_socket(self, ways):
        reply = self.ask("/scores", ways=ways, query=f"a=1&rater={RATER}", accept="text/html")
        assert (reply.status, reply.text, reply.told) == (200, "inside", Entered(page="scores"))
        assert reply.headers["set-cookie"] == f"{RATED}; HttpOnly; SameSite=Strict; Path=/"

    @pytest.mark.parametrize(("method", "path"), OF_LINK)
    @pytest.mark.parametrize("ways", [{}, by_proxy()], ids=["token", "proxy"])
    def test_open_what_their_page_is_drawn_with(self, method, path, ways):
        reply = self.ask(path, ways=ways, method=method, cookie=RATED)
        assert reply.told == Entered(page="scores")
        assert "set-cookie" not in reply.headers

    @pytest.mark.parametrize(("method", "path"), NOT_OF_LINK)
    @pytest.mark.parametrize("ways", [{}, by_proxy()], ids=["token", "proxy"])
    def test_open_nothing_else(self, method, path, ways):
        reply = self.ask(path, ways=ways, method=method, query=f"rater={RATER}", cookie=RATED)
        assert (reply.status, reply.inside) == (403, [])

    def test_that_do_not_work_say_so_and_leave_no_cookie(self):
        for secret in ("x" * 22, "", RATER[1:], f"{RATER}%00"):
            reply = self.ask("/scores", query=f"rater={secret}&x=", cookie="other=1")
            assert (reply.inside, reply.headers.get("set-cookie")) == ([], None)
            assert reply.status == (404 if secret else 403)
            assert self.ask("/scores", cookie=f"bleuscope-scores-{PORT}={secret}").status == 403
        assert self.ask("/scores", query=f"rater={'x' * 22}", cookie=RATED).status == 404

    def test_are_for_announced_addresses_alone(self):
        assert self.ask("/scores", query=f"rater={RATER}", host="evil.example").status == 403
        assert self.ask("/scores", cookie=RATED, origin="http://evil.example").status == 403

    def test_are_nobody_to_programs_and_take_nothing_from_who_may_enter_anyway(self):
        assert self.ask("/api/v1/x", cookie=RATED).told == Entered()
        reply = self.ask("/scores", query=f"rater={RATER}", cookie=COOKIE)
        assert (reply.told, reply.headers.get("set-cookie")) == (Entered(), None)
        reply = self.ask("/test-set", ways=by_proxy(), cookie=RATED, **{EMAIL: "ada@example.org"})
        assert reply.told.identity == ADA

    def test_and_a_link_to_a_view_in_one_browser_open_both(self):
        ways = {"door": Links(), "pages": {"test-set": PageDoor("rater", is_rater)}}
        cookies = f"{HELD}; bleuscope-test-set-{PORT}={RATER}"
        assert ask("/_stcore/stream", method="WEBSOCKET", ways=ways, cookie=cookies).told == Entered(
            share=7, page="test-set"
        )
        assert ask("/scores", ways=ways, cookie=cookies).told == Entered(share=7)
        assert ask("/test-set", ways=ways, cookie=cookies).told == Entered(page="test-set")
