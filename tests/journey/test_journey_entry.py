"""Who may enter, as a browser sees it: the token, links from elsewhere, a lost server, a proxy that is set up badly."""

import http.client
import threading
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytestmark = pytest.mark.browser

TOKEN = "the-token-of-the-journeys"
SAID = "#bs-connection"


class Site(BaseHTTPRequestHandler):
    """A web site with a link to a view."""

    def do_GET(self):
        """Show the link."""
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(f'<a href="{self.server.link}">the view</a>'.encode())

    def log_message(self, *arguments):
        """Say nothing."""


class Proxy(Site):
    """A proxy without WebSockets, which hands on the name that was asked for only where it is told to."""

    def do_GET(self):
        """Ask the server, and hand on what it answers."""
        names = ("accept", "cookie", "origin", *(["host"] if self.server.hands_on_host else []))
        given = {name: self.headers[name] for name in names if self.headers[name]}
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.port)) as asked:
            asked.request("GET", self.path, headers=given)
            with asked.getresponse() as answer:
                self.send_response(answer.status)
                for name in ("content-type", "content-security-policy", "location"):
                    if answer.headers[name]:
                        self.send_header(name, answer.headers[name])
                self.end_headers()
                self.wfile.write(answer.read())


@contextmanager
def running(handler, **settings):
    """A small server at a port of its own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        vars(server).update(settings)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def port_of(address):
    return int(address.rpartition(":")[2])


def test_the_token_opens_the_page_and_leaves_the_address(visit, sample_server):
    visitor = visit(sample_server, knows_token=False)
    answer = visitor.page.goto(f"{sample_server}/segments?a=fluent")
    visitor.page.wait_for_url("**token=")
    assert answer.status == 403
    assert "asks for its token" in visitor.page.inner_text("body")
    visitor.open(f"/segments?a=fluent&token={TOKEN}&b=human&segment=3")
    assert "token" not in visitor.page.url
    assert visitor.page.evaluate("document.cookie").find("bleuscope") == -1
    assert visitor.page.locator(".bs-card .bs-system bdi").all_inner_texts() == ["fluent", "human"]
    with running(Site, link=f"{sample_server}/segments?a=human&b=fluent&segment=3") as site:
        visitor.page.goto(f"http://localhost:{site.server_port}/")
        visitor.page.get_by_text("the view").click()
        visitor.settle()
    assert "token" not in visitor.page.url
    assert visitor.page.locator(".bs-card .bs-system bdi").all_inner_texts() == ["human", "fluent"]


def test_a_lost_server_is_said_in_our_words_until_it_is_back(visit, serve):
    address = serve("open")
    visitor = visit(address).open()
    serve.stop(address)
    said = visitor.page.locator(SAID)
    said.get_by_text("bleuscope does not answer").wait_for()
    serve("open", port=port_of(address), token="another-token-of-the-journeys")
    said.get_by_text("asks for its new token").wait_for()
    visitor.wait_until("!document.querySelector('[role=dialog]')")
    serve.stop(address)
    serve("open", port=port_of(address))
    said.wait_for(state="detached")
    visitor.settle()


def test_what_a_proxy_does_not_hand_on_is_said_with_the_line_that_mends_it(visit, serve):
    with running(Proxy, hands_on_host=False) as keeps_host, running(Proxy, hands_on_host=True) as hands_on:
        public = f"http://127.0.0.1:{hands_on.server_port}/"
        address = serve("open", "--public-url", public)
        keeps_host.port = hands_on.port = port_of(address)
        visitor = visit(address)
        visitor.page.goto(f"http://127.0.0.1:{keeps_host.server_port}/scores")
        name = visitor.page.locator(SAID)
        name.wait_for()
        assert "proxy_set_header Host $http_host;" in name.inner_text()
        assert f"--public-url http://127.0.0.1:{keeps_host.server_port}/" in name.inner_text()
        visitor.page.goto(public)
        name.wait_for()
        assert "proxy_set_header Upgrade $http_upgrade;" in name.inner_text()
        visitor.page.goto(f"http://127.0.0.1:{keeps_host.server_port}/bleu/scores")
        assert "start bleuscope with --public-url" in visitor.page.inner_text("body")
