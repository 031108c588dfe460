"""Logging in at a real OpenID provider: in, back to the link that was opened, out, and who is not let in."""

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from bleuscope.workspace import WorkspacePlace, open_workspace
from bleuscope.workspace.events import events

pytestmark = pytest.mark.browser
ADA = {"sub": "ada-17", "name": "Ada <Lovelace>", "email": "ada@example.org", "email_verified": True, "picture": None}
EVE = {"sub": "eve-18", "name": "Eve", "email": "eve@elsewhere.example", "email_verified": True}
LIAR = {"sub": "mal-19", "name": "Mal", "email": "ada@example.org", "email_verified": False}

BOSS = {"sub": "boss-20", "name": "Boss", "email": "boss@example.org"}
EVERYBODY = (ADA, EVE, LIAR, BOSS)
N_FAILED, FAILED_LOGIN = 20, "Error during authentication: "


@pytest.fixture(scope="module")
def provider(tmp_path_factory, free_port):
    """A conforming provider with its users; its address."""
    port, log = free_port(), tmp_path_factory.mktemp("provider") / "log"
    users = [word for user in EVERYBODY for word in ("--user-claims", json.dumps(user))]
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), "-n", "true", *users]
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        address = f"http://127.0.0.1:{port}"
        for _ in range(600):
            assert process.poll() is None, log.read_text()
            try:
                urllib.request.urlopen(f"{address}/.well-known/openid-configuration", timeout=5).close()
                break
            except urllib.error.URLError:
                time.sleep(0.05)
        yield address
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def with_login(tmp_path_factory, provider, started, free_port):
    """``bleuscope demo`` where people log in; its address and its folder."""
    folder = tmp_path_factory.mktemp("login")
    settings = {"issuer": provider, "client_id": "bleuscope", "client_secret": "a-secret", "allow": "@example.org"}
    file = folder / "oidc.toml"
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items()))
    server = started(folder, free_port(), "demo", "--auth", "oidc", "--oidc-settings", str(file))
    yield server.address, folder
    server.stop()


@pytest.fixture
def tab(chromium):
    """A tab of a browser that nobody has used."""
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.route(re.compile(r"^https://"), lambda route: route.abort())  # the provider's page asks for a style sheet
    yield page
    context.close()


def log_in(page, user):
    page.get_by_role("button", name=user["sub"], exact=True).click()


def drawn(page, address):
    page.wait_for_url(re.compile(re.escape(address)))
    page.wait_for_selector("[data-testid=stApp][data-test-connection-state=CONNECTED]", timeout=60_000)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)


def test_whoever_logs_in_comes_to_the_link_that_they_opened_and_leaves_by_the_sidebar(tab, with_login, provider):
    address, folder = with_login
    tab.goto(f"{address}/scores?data=sample&options=1&a=x%26y")
    assert tab.url.startswith(provider)
    log_in(tab, ADA)
    drawn(tab, f"{address}/scores?data=sample")
    tab.get_by_role("heading", name="Scores", exact=True).wait_for()
    assert tab.locator(".bs-account").inner_text() == "Ada <Lovelace> Sign out"

    cookies = {one["name"]: one for one in tab.context.cookies(address)}
    assert (cookies["_streamlit_user"]["httpOnly"], cookies["_streamlit_user"]["sameSite"]) == (True, "Lax")
    tab.reload()
    drawn(tab, f"{address}/scores")
    assert "Ada" in tab.locator(".bs-account").inner_text()

    other = tab.context.new_page()
    other.goto(f"{address}/scores?data=sample")
    drawn(other, f"{address}/scores")
    tab.get_by_role("link", name="Sign out").click()
    tab.get_by_role("button", name=re.compile("Sign ?out|End|Yes|Log ?out", re.IGNORECASE)).first.click()
    tab.wait_for_load_state()
    if tab.url.startswith(provider):  # its page says so and stays
        tab.goto(f"{address}/signed-out")
    assert "You are signed out of bleuscope." in tab.inner_text("body")
    assert "_streamlit_user" not in {one["name"] for one in tab.context.cookies(address)}
    tab.goto(f"{address}/scores")
    assert tab.url.startswith(provider)

    other.get_by_role("link", name="Trust", exact=True).click()
    other.get_by_text("You have been logged out.").wait_for()
    assert other.get_by_role("heading", name="Trust", exact=True).count() == 0
    other.get_by_role("link", name="Log in", exact=True).click()
    other.wait_for_url(re.compile(re.escape(provider)))

    with open_workspace(WorkspacePlace(folder / "workspace")) as kept:
        (event,) = events(kept.database)
        assert (event.author, event.action) == ("Ada <Lovelace>", "came in")
        assert event.object == {"issuer": provider, "subject": "ada-17"}
        assert kept.people.known_as("ada@example.org").issuer == provider


@pytest.mark.parametrize(
    "user",
    [EVE, LIAR, BOSS],
    ids=["of another domain", "with an address that nobody checked", "with an address of which nobody says so"],
)
def test_whoever_may_not_enter_is_told_so_and_reaches_nothing(tab, with_login, user):
    address, _ = with_login
    tab.goto(f"{address}/scores")
    log_in(tab, user)
    tab.wait_for_url(re.compile(re.escape(address)))
    assert "you have logged in, and this bleuscope is not open to you" in tab.inner_text("body")
    assert tab.evaluate("fetch('/_stcore/health').then((answer) => answer.status)") == 403
    tab.get_by_role("link", name="Log in as somebody else").wait_for()


def test_whoever_is_refused_by_the_provider_can_try_again(tab, with_login, provider):
    address, _ = with_login
    tab.goto(f"{address}/scores")
    tab.get_by_role("button", name="Deny").click()
    tab.wait_for_url(re.compile(re.escape(address)))
    assert "you are not signed in" in tab.inner_text("body")
    tab.get_by_role("link", name="Log in").click()
    tab.wait_for_url(re.compile(re.escape(provider)))


@pytest.mark.parametrize("path", ["/static/js/index.js", "/_stcore/health", "/media/x", "/_stcore/upload_file/a/b"])
def test_nothing_is_there_for_who_has_not_logged_in(with_login, path):
    address, _ = with_login
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{address}{path}")
    with refused.value as answer:
        assert answer.code == 403


def test_a_state_that_is_not_of_this_browser_signs_nobody_in(tab, with_login):
    address, _ = with_login
    tab.goto(f"{address}/oauth2callback?code=x&state=y")
    assert "you are not signed in" in tab.inner_text("body")
    assert "_streamlit_user" not in {one["name"] for one in tab.context.cookies(address)}


def test_nobody_fills_the_log_or_writes_to_a_terminal_by_what_comes_back_from_a_login(with_login):
    address, folder = with_login
    before = (folder / "log").read_text().count(FAILED_LOGIN)
    for _ in range(N_FAILED):
        for query in ("error=%1b%5b31mx&error_description=%e2%80%aey", "code=x&state=y"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{address}/oauth2callback?{query}")
            with refused.value as answer:
                assert answer.code == 403
    written = (folder / "log").read_text()
    assert written.count(FAILED_LOGIN) >= 1
    assert written.count(FAILED_LOGIN) - before < N_FAILED  # one a minute, of twice as many requests
    assert "\x1b" not in written
