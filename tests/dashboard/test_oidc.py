"""Who has logged in: only a cookie of ours says so, and only to the gate. The journey is tests/journey's."""

import asyncio
import json
import re
import time
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from itsdangerous import URLSafeTimedSerializer
from streamlit.auth_util import set_cookie_with_chunks
from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from bleucore import InputError
from bleuscope.shell.server import log_lines
from bleuscope.shell.server.auth_middleware import Gate, Ways
from bleuscope.shell.server.hosts import announced
from bleuscope.shell.server.oidc import NOT_ALLOWED, WITHOUT_LOGIN, OidcLogin
from bleuscope.shell.server.oidc_claims import Reading
from bleuscope.shell.server.oidc_rules import WHY, Rules, rules_of
from bleuscope.shell.server.oidc_settings import OidcSettings, oidc_settings
from bleuscope.shell.server.server_log import happenings
from bleuscope.shell.state.current_user import HEADER, entered_in
from bleuscope.workspace.people import Identity

SECRET = "s" * 40
ISSUER = "https://login.example.org"
SETTINGS = OidcSettings(ISSUER, "bleuscope", "known there", SECRET)
SIGNED_WITH = OidcLogin(SETTINGS, announced("127.0.0.1", 8501)).cookie_secret
SAID = {"is_logged_in": True, "iss": ISSUER, "sub": "17", "name": "Ada", "email": "ada@example.org"}
SAID |= {"email_verified": True, "picture": None}
PUBLIC = announced("127.0.0.1", 8501, public_url="https://bleu.example.org/a/")
GIVEN = {
    "BLEUSCOPE_OIDC_ISSUER": ISSUER,
    "BLEUSCOPE_OIDC_CLIENT_ID": "bleuscope",
    "BLEUSCOPE_OIDC_CLIENT_SECRET": "known there",
}


def cookie(said=SAID, secret=SIGNED_WITH, **changed):
    """The header of a browser that got Streamlit's cookie, in as many parts as Streamlit makes of it."""
    parts = {}

    def sign(name, value):
        return create_signed_value(secret, name, value)

    set_cookie_with_chunks(
        lambda name, value: parts.update({name: sign(name, value).decode()}),
        sign,
        USER_COOKIE_NAME,
        {**said, **changed},
        cookie_attr_size=60,
    )
    return "; ".join(f"{name}={value}" for name, value in parts.items())


def ask(path="/scores", *, method="GET", query="", settings=SETTINGS, known=None, answer=(), **headers):
    """What a request gets, and what lies behind is asked."""
    inside, sent = [], []

    async def app(scope, receive, send):
        inside.append(scope)
        await send({"type": "http.response.start", "status": 302, "headers": list(answer)})
        await send({"type": "http.response.body", "body": b"inside"})

    known = known or announced("127.0.0.1", 8501)
    gate = Gate(app, known, token=None, pages=("scores",), ways=Ways(OidcLogin(settings, known)))

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    named = {
        "host": "127.0.0.1:8501",
        "accept": "text/html",
        **{name.replace("_", "-"): v for name, v in headers.items()},
    }
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        "server": ("127.0.0.1", 8501),
        "client": ("127.0.0.1", 40_000),
    }
    asyncio.run(gate(scope, receive, send))
    start = sent[0]
    headers = [(name.decode(), value.decode()) for name, value in start["headers"]]
    return start["status"], headers, b"".join(one.get("body", b"") for one in sent).decode(), inside


def who(inside):
    (scope,) = inside
    return entered_in({name.decode(): value.decode() for name, value in scope["headers"] if name.decode() == HEADER})


@pytest.fixture
def signs(monkeypatch):
    """Streamlit as the server has told it our secret."""
    monkeypatch.setattr(secrets_singleton, "_secrets", {"auth": {"cookie_secret": SIGNED_WITH}}, raising=False)


@pytest.mark.parametrize("extra", ["", "x" * 9000])
def test_a_cookie_of_ours_says_who_it_is_and_goes_no_further(extra):
    status, _, _, inside = ask(cookie=f"a=1; {cookie(more=extra)}; _streamlit_user_tokens=t; _streamlit_xsrf=x")
    assert status == 302
    assert who(inside).identity == Identity(ISSUER, "17", "Ada", "ada@example.org")
    assert who(inside).sign_out == "auth/logout"
    (kept,) = [value for name, value in inside[0]["headers"] if name == b"cookie"]
    assert kept == b"a=1; _streamlit_xsrf=x"


def old_cookie():
    signer = URLSafeTimedSerializer(SIGNED_WITH, salt=USER_COOKIE_NAME)
    make = signer.make_signer(signer.salt)
    make.get_timestamp = lambda: int(time.time()) - 8 * 86_400
    payload = signer.dump_payload(json.dumps(SAID))
    return f"{USER_COOKIE_NAME}={make.sign(payload).decode()}"


NO_LOGIN = {
    "none": lambda: "",
    "of another secret": lambda: cookie(secret="another secret of forty characters ......"),
    "cut short": lambda: cookie()[:-1],
    "not logged in": lambda: cookie(is_logged_in=False),
    "logged in as a word": lambda: cookie(is_logged_in="yes"),
    "without subject": lambda: cookie(sub=None),
    "with an empty subject": lambda: cookie(sub=""),
    "with a number for an issuer": lambda: cookie(iss=7),
    "unsigned": lambda: f"{USER_COOKIE_NAME}={json.dumps(SAID)}",
    "no JSON": lambda: f"{USER_COOKIE_NAME}={create_signed_value(SIGNED_WITH, USER_COOKIE_NAME, 'no JSON').decode()}",
    "signed for another name": lambda: (
        f"{USER_COOKIE_NAME}={create_signed_value(SIGNED_WITH, 'another name', json.dumps(SAID)).decode()}"
    ),
    "without its parts": lambda: (
        f"{USER_COOKIE_NAME}={create_signed_value(SIGNED_WITH, USER_COOKIE_NAME, 'chunks-2').decode()}"
    ),
    "eight days old": old_cookie,
}


@pytest.mark.parametrize("kind", NO_LOGIN)
@pytest.mark.parametrize("path", ["/", "/scores", "/_stcore/health", "/media/x"])
def test_nothing_else_does(kind, path):
    status, _, text, inside = ask(path, cookie=NO_LOGIN[kind](), accept="*/*")
    assert (status, text, inside) == (403, f"{WITHOUT_LOGIN}\n", [])


def allowing(*rules, **reading):
    """The settings of a server with rules, and perhaps another way to read claims."""
    return replace(SETTINGS, rules=rules_of(list(rules)), reading=Reading(**reading))


def may_enter(settings, said):
    """Whether somebody whose provider says that may enter; whoever may not reaches nothing."""
    status, _, text, inside = ask(cookie=cookie({**LOGGED_IN, **said}), settings=settings, accept="*/*")
    assert (status, bool(inside)) in ((302, True), (403, False))
    assert inside or text == f"{NOT_ALLOWED}\n"
    return bool(inside)


LOGGED_IN = {"is_logged_in": True, "iss": ISSUER, "sub": "17"}
OF_BOSS = {"email": "boss@example.org"}
BY_ADDRESS = ("@example.org", "boss@example.org")


def test_a_subject_of_blanks_is_a_name_of_blanks():
    _, _, _, inside = ask(cookie=cookie({**LOGGED_IN, "sub": " ", "name": " "}))
    assert who(inside).identity == Identity(ISSUER, " ", " ")


class TestAddress:
    """Of whom a provider says so: it decides only if the provider says that it is verified."""

    @pytest.mark.parametrize("rule", BY_ADDRESS)
    @pytest.mark.parametrize("verified", [True, "true"])
    def test_that_is_verified_lets_in(self, rule, verified):
        assert may_enter(allowing(rule), {**OF_BOSS, "email_verified": verified})

    @pytest.mark.parametrize("rule", BY_ADDRESS)
    @pytest.mark.parametrize("verified", [None, False, "false", "True", "yes", "", 0, 1, 1.0, [True], ["true"], {}])
    def test_that_is_not_lets_nobody_in(self, rule, verified):
        assert not may_enter(allowing(rule), {**OF_BOSS, "email_verified": verified})

    @pytest.mark.parametrize("rule", BY_ADDRESS)
    def test_of_which_nobody_says_whether_it_is_verified_lets_nobody_in(self, rule):
        assert not may_enter(allowing(rule), OF_BOSS)

    @pytest.mark.parametrize(("verified", "enters"), [(None, True), (True, True), (False, False), (1, False)])
    def test_counts_without_that_only_where_the_administrator_says_so(self, verified, enters):
        settings = allowing("@example.org", trusts_email=True)
        assert may_enter(settings, {**OF_BOSS, "email_verified": verified}) is enters
        assert may_enter(settings, OF_BOSS)

    @pytest.mark.parametrize("address", ["BOSS@example.org", "Boss@Example.ORG", "a.b+c@example.org"])
    def test_may_be_written_in_capitals(self, address):
        assert may_enter(allowing("@example.org"), {"email": address, "email_verified": True})

    @pytest.mark.parametrize(
        "address",
        [
            "x@example.org.evil.example",
            "x@evil.example@example.org",
            '"x@evil.example"@example.org',
            "x@evil.example,y@example.org",
            "x <x@example.org>",
            "x@mail.example.org",
            "x@notexample.org",
            "x@example.org.",
            "x@example.org\n",
            " x@example.org",
            "x@evil.example\0@example.org",
            "x@\u0435xample.org",
            "x@ex\u00adample.org",
            "x@example\u3002org",
            "x@EXAMPLE.ORG".replace("L", "\u216c"),
            "@example.org",
            "example.org",
            "a" * 300 + "@example.org",
            ["x@example.org"],
            {"x@example.org": 1},
            7,
            None,
        ],
    )
    def test_of_another_domain_lets_nobody_in_however_it_is_written(self, address):
        assert not may_enter(allowing("@example.org"), {"email": address, "email_verified": True})

    def test_is_not_cut_off_to_one_that_is_allowed(self):
        long = "a" * (200 - len("@example.org")) + "@example.org"
        assert not may_enter(allowing("@example.org"), {"email": f"{long}.evil.example", "email_verified": True})

    def test_with_a_letter_that_folds_into_ascii_is_another(self):
        settings = allowing("@kiwi.example")
        assert may_enter(settings, {"email": "x@kiwi.example", "email_verified": True})
        assert not may_enter(settings, {"email": "x@\u212aiwi.example", "email_verified": True})

    def test_that_does_not_count_is_not_kept_as_theirs_either(self):
        settings = allowing("sub:17")
        for said, kept in [({}, None), ({"email_verified": True}, "boss@example.org")]:
            _, _, _, inside = ask(cookie=cookie({**LOGGED_IN, **OF_BOSS, **said}), settings=settings)
            assert who(inside).identity.email == kept


class TestRules:
    """Who may enter by something else than an address."""

    @pytest.mark.parametrize(
        ("rule", "said"),
        [
            ("sub:17", {}),
            ("group:translators", {"groups": ["others", "translators"]}),
            ("group:translators", {"groups": "translators"}),
            ("group:/mt/Teams", {"groups": ["/mt/Teams", 5, None]}),
            ("oid:8F1C", {"oid": "8f1c"}),
            ("tid:8f1c", {"tid": "8F1C"}),
        ],
    )
    def test_let_in_whom_they_name(self, rule, said):
        assert may_enter(allowing(rule), said)
        assert may_enter(allowing("nobody@example.org", rule), said)

    @pytest.mark.parametrize(
        ("rule", "said"),
        [
            ("sub:18", {}),
            ("sub:1", {}),
            ("sub:17 ", {"sub": "17 "}),
            ("group:translators", {}),
            ("group:translators", {"groups": None}),
            ("group:translators", {"groups": []}),
            ("group:translators", {"groups": ["Translators", "translators2", ["translators"]]}),
            ("group:translators", {"groups": "others,translators"}),
            ("group:translators", {"groups": {"translators": True}}),
            ("group:translators", {"roles": ["translators"]}),
            ("group:17", {"groups": [17]}),
            ("oid:8f1c", {"oid": ["8f1c"]}),
            ("tid:8f1c", {"oid": "8f1c"}),
            ("group:17", {}),
        ],
    )
    def test_let_nobody_else_in(self, rule, said):
        assert not may_enter(allowing(rule), said)

    def test_read_groups_in_the_claim_that_names_them(self):
        settings = allowing("group:mt", groups="groups_direct")
        assert may_enter(settings, {"groups_direct": ["mt"]})
        assert not may_enter(settings, {"groups": ["mt"]})

    def test_hold_for_cookies_of_before_they_were_made(self):
        shown = cookie({**LOGGED_IN, **OF_BOSS})
        assert ask(cookie=shown)[0] == 302
        assert ask(cookie=shown, settings=allowing("@example.org"), accept="*/*")[0] == 403

    @pytest.mark.parametrize("changed", [{"issuer": "https://other.example.org"}, {"client_id": "another"}])
    def test_hold_for_the_provider_of_now_alone(self, changed):
        assert ask(cookie=cookie(), accept="*/*")[0] == 302
        status, _, text, _ = ask(cookie=cookie(), settings=replace(SETTINGS, **changed), accept="*/*")
        assert (status, text) == (403, f"{WITHOUT_LOGIN}\n")

    @pytest.mark.parametrize(
        ("rule", "said", "why"),
        [
            ("group:mt", {"_claim_names": {"groups": "src1"}}, ["groups elsewhere"]),
            ("group:mt", {"hasgroups": True}, ["groups elsewhere"]),
            ("group:mt", {"_claim_names": ["groups"]}, ["no groups"]),
            ("group:mt", {}, ["no groups"]),
            ("group:mt @example.org", OF_BOSS, ["email", "no groups"]),
            ("group:mt", {"groups": ["others"]}, ["no rule"]),
            ("@example.org", OF_BOSS, ["email"]),
            ("@example.org", {}, ["no rule"]),
            ("@example.org", {"email": "x@evil.example", "email_verified": True}, ["no rule"]),
            ("sub:18", {**OF_BOSS, "_claim_names": {"groups": "src1"}}, ["no rule"]),
        ],
    )
    def test_say_to_whoever_runs_the_server_why_somebody_is_refused(self, caplog, rule, said, why):
        log_lines._bounded()._written.clear()  # a server of another test may have written such a line a moment ago
        before = happenings().refusals().get("account", 0)
        said_of = " ".join(WHY[one] for one in why)
        assert not may_enter(allowing(*rule.split()), said)
        assert [one.getMessage() for one in caplog.records] == [f"somebody logged in and was refused. {said_of}"]
        assert happenings().refusals()["account"] == before + 1


def test_whoever_opens_a_page_is_led_to_the_login_and_back(signs):
    status, headers, _, inside = ask("/scores", query="data=sample&a=%26", known=PUBLIC)
    to = urlsplit(dict(headers)["location"])
    assert (status, inside) == (303, [])
    assert (to.scheme, to.netloc, to.path) == ("https", "bleu.example.org", "/a/auth/login")
    assert parse_qs(to.query)["way"] == ["scores?data=sample&a=%26"]

    away = [(b"location", b"https://login.example.org/authorize?x=1"), (b"set-cookie", b"_streamlit_session=s")]
    _, headers, _, inside = ask("/auth/login", query=to.query, known=PUBLIC, answer=away)
    assert dict(headers)["location"] == "https://login.example.org/authorize?x=1"
    cookies = [value for name, value in headers if name == "set-cookie"]
    assert all(one.endswith("; Secure") for one in cookies)
    (way,) = [one.partition(";")[0] for one in cookies if one.startswith("bleuscope-way-8501=")]

    back = [(b"location", b"/"), (b"set-cookie", f"{cookie()}; HttpOnly".encode())]
    _, headers, _, _ = ask("/oauth2callback", query="code=c&state=s", known=PUBLIC, answer=back, cookie=way)
    assert dict(headers)["location"] == "./scores?data=sample&a=%26"


@pytest.mark.parametrize("way", ["//evil.example", "https://evil.example", "\\\\evil.example", "a\r\nx: y", "é"])
def test_nobody_is_led_to_another_host(way):
    from urllib.parse import quote, urljoin

    back = [(b"location", b"/"), (b"set-cookie", cookie().encode())]
    kept = f"bleuscope-way-8501={quote(way, safe='')}"
    _, headers, _, _ = ask("/oauth2callback", query="code=c", answer=back, cookie=kept)
    to = dict(headers)["location"]
    assert to.isprintable()
    assert urlsplit(urljoin("http://127.0.0.1:8501/oauth2callback", to)).netloc == "127.0.0.1:8501"


def test_what_goes_wrong_at_the_provider_is_a_line():
    assert ask("/oauth2callback", query="error=access_denied", answer=[(b"location", b"/")])[0] == 403
    taken_back = [(b"location", b"/"), (b"set-cookie", b'_streamlit_user=""; Max-Age=0')]
    assert ask("/oauth2callback", query="code=c", answer=taken_back)[0] == 403
    status, headers, _, _ = ask("/oauth2callback", answer=[(b"location", b"/")])
    assert (status, dict(headers)["location"]) == (303, "./signed-out")


def test_a_link_elsewhere_signs_nobody_out():
    cleared = [(b"location", b"/"), (b"set-cookie", b'_streamlit_user=""')]
    status, headers, _, inside = ask("/auth/logout", answer=cleared, sec_fetch_site="cross-site", cookie=cookie())
    assert (status, dict(headers)["location"], inside) == (303, "../", [])
    status, headers, _, _ = ask("/auth/logout", answer=cleared, cookie=cookie())
    assert (dict(headers)["location"], dict(headers)["set-cookie"]) == ("../signed-out", '_streamlit_user=""')
    assert "You are signed out" in ask("/signed-out")[2]


class TestSettings:
    def test_come_from_variables_that_nobody_inherits(self):
        variables = {**GIVEN, "BLEUSCOPE_COOKIE_SECRET": SECRET, "BLEUSCOPE_OIDC_ALLOW": "@Example.org, bob@x.example"}
        found = oidc_settings(None, variables)
        assert variables == {}
        assert found.metadata == "https://login.example.org/.well-known/openid-configuration"
        assert found.rules == Rules(frozenset({("domain", "example.org"), ("email", "bob@x.example")}))
        assert "known there" not in repr(found)
        assert SECRET not in repr(found)

    def test_come_from_a_file_beneath_variables(self, tmp_path):
        file = tmp_path / "oidc.toml"
        file.write_text(f'issuer = "{ISSUER}/x/"\nclient_id = "a"\nclient_secret = "b"\nallow = ["@x.example"]\n')
        found = oidc_settings(str(file), {"BLEUSCOPE_OIDC_CLIENT_ID": "c"})
        assert (found.issuer, found.client_id) == (f"{ISSUER}/x/", "c")
        assert found.rules == Rules(frozenset({("domain", "x.example")}))
        assert found.metadata == f"{ISSUER}/x/.well-known/openid-configuration"
        assert len(found.cookie_secret) == 64
        assert oidc_settings(str(file), {}).cookie_secret != found.cookie_secret

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"BLEUSCOPE_OIDC_CLIENT_ID": ""}, "found no client_id"),
            ({"BLEUSCOPE_OIDC_ISSUER": "http://login.example.org"}, "this is no address of an OpenID provider"),
            ({"BLEUSCOPE_OIDC_ISSUER": "login.example.org"}, "this is no address of an OpenID provider"),
            ({"BLEUSCOPE_OIDC_ISSUER": "https://[x"}, "this is no address of an OpenID provider"),
            ({"BLEUSCOPE_COOKIE_SECRET": "short"}, "this secret can be guessed"),
        ],
    )
    def test_that_are_wrong_are_said(self, changed, said):
        with pytest.raises(InputError, match=said):
            oidc_settings(None, GIVEN | changed)

    def test_say_how_claims_are_read_and_what_is_asked_for(self, tmp_path):
        file = tmp_path / "oidc.toml"
        file.write_text('trust_email = true\ngroups_claim = "groups_direct"\nscopes = "openid groups"\n')
        found = oidc_settings(str(file), {**GIVEN})
        assert (found.reading, found.scopes) == (Reading(trusts_email=True, groups="groups_direct"), "openid groups")
        secrets = OidcLogin(found, announced("127.0.0.1", 8501)).secrets
        assert secrets["auth"]["client_kwargs"] == {"scope": "openid groups"}
        variables = {"BLEUSCOPE_OIDC_TRUST_EMAIL": "false", "BLEUSCOPE_OIDC_GROUPS_CLAIM": "roles"}
        assert oidc_settings(str(file), {**GIVEN, **variables}).reading == Reading(groups="roles")
        usual = oidc_settings(None, {**GIVEN})
        assert (usual.reading, usual.scopes, usual.rules) == (Reading(), "openid email profile", Rules())

    @pytest.mark.parametrize("allow", ["", " ", ",", " , ,"])
    def test_that_allow_nobody_do_not_let_everybody_in(self, allow):
        with pytest.raises(InputError, match="Setting allow: it allows nobody"):
            oidc_settings(None, GIVEN | {"BLEUSCOPE_OIDC_ALLOW": allow})

    @pytest.mark.parametrize(
        ("allow", "said"),
        [
            ('""', "it allows nobody"),
            ("[]", "it allows nobody"),
            ("true", "this is not a list of rules"),
            ("{a = 1}", "this is not a list of rules"),
            ('["@example.org", ""]', "this is not a rule (found '',"),
            ('["@example.org", 5]', "this is not a rule (found 5,"),
            ('["*"]', "this is not a rule (found '*',"),
            ('"@*"', "has no wildcards"),
            ('"*@example.org"', "has no wildcards"),
            ('"@*.example.org"', "has no wildcards"),
            ('"@"', "found '@'"),
            ('"@.org"', "found '@.org'"),
            ('"@example..org"', "found '@example..org'"),
            ('"@a@example.org"', "found '@a@example.org'"),
            ('"x@evil.example@example.org"', "found 'x@evil.example@example.org'"),
            ('"example.org"', "Write @example.org."),
            ('"@m\\u00fcller.example"', "in ASCII"),
            ('"@example.org bob@x.example"', "found '@example.org bob@x.example'"),
            ('"group:"', "found 'group:'"),
            ('"sub: "', "found 'sub: '"),
            ('"Group:x"', "found 'Group:x'"),
            ('"role:x"', "found 'role:x'"),
            ('"groups=x"', "found 'groups=x'"),
            ('"email:x@example.org"', "found 'email:x@example.org'"),
        ],
    )
    def test_with_a_malformed_rule_are_refused_with_the_rule(self, tmp_path, allow, said):
        file = tmp_path / "oidc.toml"
        file.write_text(f"allow = {allow}\n")
        with pytest.raises(InputError, match=re.escape(said)) as error:
            oidc_settings(str(file), {**GIVEN})
        assert str(error.value).startswith("Setting allow: ")

    @pytest.mark.parametrize(
        "line",
        ['trust_email = "yes"', "trust_email = 1", "groups_claim = 1", 'scopes = "email"', 'scopes = "openid \\u202e"'],
    )
    def test_of_another_kind_are_refused(self, tmp_path, line):
        file = tmp_path / "oidc.toml"
        file.write_text(f"{line}\n")
        with pytest.raises(InputError, match=f"Setting {line.partition(' ')[0]}: this value is not accepted"):
            oidc_settings(str(file), {**GIVEN})

    def test_that_are_secret_are_not_said(self, tmp_path):
        file = tmp_path / "oidc.toml"
        file.write_text("client_secret = 8230417\n")
        with pytest.raises(InputError, match="Setting client_secret") as error:
            oidc_settings(str(file), {"BLEUSCOPE_OIDC_ISSUER": ISSUER, "BLEUSCOPE_OIDC_CLIENT_ID": "a"})
        assert "8230417" not in str(error.value)

    @pytest.mark.parametrize("text", ['client_secret = "hidden', '[auth]\nclient_secret = "hidden"', "\udcff"])
    def test_of_another_file_are_refused_without_what_it_says(self, tmp_path, text):
        file = tmp_path / "secrets.toml"
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        with pytest.raises(InputError, match="no settings to log in with") as error:
            oidc_settings(str(file), {})
        assert "hidden" not in str(error.value)
        with pytest.raises(InputError, match="no such file"):
            oidc_settings(str(tmp_path / "none"), {})


class TestOpenPage:
    """A WebSocket that began with a login, and goes on when that ends."""

    def talk(self, between, path="/_stcore/stream", **headers):
        """Two messages of a browser, with something between them: what the page hears, and what the browser gets."""
        known = announced("127.0.0.1", 8501)
        login = OidcLogin(SETTINGS, known)
        heard, sent = [], []

        async def app(scope, receive, send):
            if scope["type"] == "http":
                await send({"type": "http.response.start", "status": 302, "headers": []})
                await send({"type": "http.response.body", "body": b""})
                return
            await receive()
            await send({"type": "websocket.accept"})
            while (message := await receive())["type"] == "websocket.receive":
                heard.append(message["text"])
                await send({"type": "websocket.send", "text": f"drawn: {message['text']}"})
            heard.append(message["type"])
            await send({"type": "websocket.send", "text": "too late"})

        gate = Gate(app, known, token=None, pages=("scores",), ways=Ways(login))
        waiting = ["connect", "one", "two"]

        async def receive():
            word = waiting.pop(0)
            if word == "two":
                await between(gate)
            if word == "connect":
                return {"type": "websocket.connect"}
            return {"type": "websocket.receive", "text": word}

        async def send(message):
            sent.append(message)

        asyncio.run(gate(scope_of("websocket", path, cookie=cookie(), **headers), receive, send))
        return heard, sent

    async def logs_out(self, gate, **headers):
        async def nothing(*_):
            return {"type": "http.request"}

        await gate(scope_of("http", "/auth/logout", cookie=cookie(), **headers), nothing, nothing)

    def test_is_closed_at_the_next_message_once_somebody_has_logged_out(self, signs, monkeypatch):
        monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
        heard, sent = self.talk(self.logs_out)
        assert heard == ["one", "websocket.disconnect"]
        assert [one["type"] for one in sent] == ["websocket.accept", "websocket.send", "websocket.close"]
        assert sent[-1]["code"] == 1008

    def test_is_closed_at_the_next_message_once_the_cookie_is_too_old(self, signs, monkeypatch):
        async def days_pass(_):
            later = time.time() + 8 * 86_400
            monkeypatch.setattr(time, "time", lambda: later)

        heard, _ = self.talk(days_pass)
        assert heard == ["one", "websocket.disconnect"]

    def test_stays_open_while_the_login_holds_and_nobody_else_can_end_it(self, signs, monkeypatch):
        monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)

        async def another_site_leads_there(gate):
            await self.logs_out(gate, sec_fetch_site="cross-site")

        async def somebody_else_logs_out(gate):
            async def nothing(*_):
                return {"type": "http.request"}

            await gate(scope_of("http", "/auth/logout", cookie=cookie(sub="18")), nothing, nothing)

        for between in (another_site_leads_there, somebody_else_logs_out):
            with pytest.raises(IndexError):  # there is no third message
                self.talk(between)

    def test_a_login_that_was_ended_is_not_taken_up_again_however_its_cookie_is_written(self, signs, monkeypatch):
        monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
        known = announced("127.0.0.1", 8501)
        login = OidcLogin(SETTINGS, known)
        plain = cookie()
        scope = scope_of("http", "/scores", cookie=plain)
        assert login.identity(scope) is not None
        login._end(scope)
        others = [plain, f"{plain}; _streamlit_user_9=x; _streamlit_user_tokens=y"]
        others += [plain[:-1] + last for last in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
        assert [login.identity(scope_of("http", "/scores", cookie=one)) for one in others] == [None] * len(others)
        monkeypatch.setattr(time, "time", lambda: 2_000_000_001.0)
        assert login.identity(scope_of("http", "/scores", cookie=cookie())) is not None, (
            "a new login of the same person"
        )

    def test_asks_for_a_login_so_that_an_open_page_knows(self, signs):
        for shown in (None, cookie(email="eve@elsewhere.example")):
            settings = allowing("@example.org")
            given = {} if shown is None else {"cookie": shown}
            status, headers, _, _ = ask("/_bleuscope/connection", settings=settings, accept="*/*", **given)
            assert (status, dict(headers)["x-bleuscope-asks"]) == (403, "login")


def scope_of(kind, path, **headers):
    named = {"host": "127.0.0.1:8501", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return {
        "type": kind,
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        "server": ("127.0.0.1", 8501),
        "client": ("127.0.0.1", 40_000),
    }
