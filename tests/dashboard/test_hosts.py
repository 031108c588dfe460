"""Under which names and for pages of which origins the dashboard answers."""

import pytest

from bleucore import InputError
from bleuscope.shell.server.hosts import HostName, announced, parse_host, parse_origin, parse_public_url

PORT = 8501
HERE = ("127.0.0.1", PORT)
ORDINARY = announced("127.0.0.1", PORT)
BEHIND_PROXY = announced("127.0.0.1", PORT, public_url="https://bleu.example.org/scores/")


def answers(known, host, *origins, connected_to=HERE):
    return known.answering([host], list(origins), connected_to) is not None


class TestHost:
    @pytest.mark.parametrize(
        "host",
        [
            "localhost:8501",
            "127.0.0.1:8501",
            "[::1]:8501",
            "LocalHost:8501",
            "[0:0:0:0:0:0:0:1]:8501",
            "localhost:08501",
        ],
    )
    def test_of_this_machine_is_answered(self, host):
        assert answers(ORDINARY, host)

    @pytest.mark.parametrize(
        "host",
        [
            "",
            " ",
            "evil.example:8501",
            "evil.example",
            "localhost",
            "127.0.0.1",
            "localhost:80",
            "localhost:8502",
            "localhost:085010",
            "localhost:0",
            "localhost:99999",
            "localhost:-1",
            "localhost:",
            "localhost.:8501",
            "localhost.evil.example:8501",
            "127.0.0.1.evil.example:8501",
            "evil.example:8501@localhost:8501",
            "localhost:8501@evil.example",
            "user@localhost:8501",
            "localhost:8501/",
            "localhost:8501,evil.example",
            "localhost:8501 ",
            " localhost:8501",
            "localhost\t:8501",
            "ⅼocalhost:8501",
            "[::1",
            "::1:8501",
            "[::1%25lo]:8501",
            "[::ffff:127.0.0.1]:8501",
            "[]:8501",
            "[evil]:8501",
            "0.0.0.0:8501",
            "127.1:8501",
            "2130706433:8501",
            "0x7f.0.0.1:8501",
            "http://localhost:8501",
            "a" * 100_000,
        ],
    )
    def test_of_another_name_or_form_is_not(self, host):
        assert not answers(ORDINARY, host)

    def test_has_to_be_named_exactly_once(self):
        assert ORDINARY.answering([], [], HERE) is None
        assert ORDINARY.answering(["localhost:8501", "localhost:8501"], [], HERE) is None

    def test_may_leave_out_the_usual_port(self):
        assert answers(announced("127.0.0.1", 80), "localhost")
        assert not answers(announced("127.0.0.1", 443), "localhost")

    @pytest.mark.parametrize(
        ("host", "named"), [("pc7", "pc7"), ("PC7", "pc7"), ("::1", "[::1]"), ("fe80::1%eth0", "[fe80::1]")]
    )
    def test_that_is_listened_on_is_answered(self, host, named):
        assert answers(announced(host, PORT), f"{named}:8501")

    def test_that_was_allowed_is_answered_at_the_port_that_was_allowed(self):
        known = announced(
            "127.0.0.1", PORT, allowed=["bleu.example", "localhost:9000", "2001:db8::7", "bücher.example"]
        )
        assert all(answers(known, f"bleu.example{port}") for port in ("", ":80", ":8501", ":9000"))
        assert answers(known, "localhost:9000")
        assert not answers(known, "localhost:9001")
        assert answers(known, "[2001:db8::7]:8501")
        assert answers(known, "xn--bcher-kva.example")
        assert not answers(known, "sub.bleu.example")

    @pytest.mark.parametrize(
        "name", ["", "*", "*.example.org", "https://a.example", "a b", "a/b", "a:b", "a\nb", "-" * 400]
    )
    def test_that_is_none_cannot_be_allowed(self, name):
        with pytest.raises(InputError, match="Option --allow-host"):
            announced("127.0.0.1", PORT, allowed=[name])


class TestEveryAddress:
    @pytest.mark.parametrize("host", ["0.0.0.0", "::"])
    def test_of_this_machine_is_answered_where_the_connection_came_in_by_it(self, host):
        known = announced(host, PORT, listens_on=host)
        assert answers(known, "192.168.1.5:8501", connected_to=("192.168.1.5", PORT))
        assert answers(known, "192.168.1.5:8501", connected_to=("::ffff:192.168.1.5", PORT))
        assert answers(known, "[2001:db8::7]:8501", connected_to=("2001:db8::7", PORT))
        assert not answers(known, "192.168.1.6:8501", connected_to=("192.168.1.5", PORT))
        assert not answers(known, "192.168.1.5:80", connected_to=("192.168.1.5", PORT))
        assert not answers(known, "evil.example:8501", connected_to=("192.168.1.5", PORT))
        assert not answers(known, "evil.example:8501", connected_to=None)
        assert not answers(known, "evil.example:8501", connected_to=("/run/socket", None))

    def test_is_not_answered_where_one_is_listened_on(self):
        assert not answers(ORDINARY, "192.168.1.5:8501", connected_to=("192.168.1.5", PORT))

    def test_is_opened_on_this_machine(self):
        assert announced("0.0.0.0", PORT, listens_on="0.0.0.0").address == "http://127.0.0.1:8501/"


class TestOrigin:
    @pytest.mark.parametrize(
        ("host", "origin"),
        [
            ("localhost:8501", "http://localhost:8501"),
            ("127.0.0.1:8501", "http://127.0.0.1:8501"),
            ("[::1]:8501", "http://[::1]:8501"),
            ("LOCALHOST:8501", "http://localhost:8501"),
        ],
    )
    def test_that_is_the_host_itself_is_answered_as_that(self, host, origin):
        assert ORDINARY.answering([host], [origin], HERE) == origin.removeprefix("http://")

    @pytest.mark.parametrize(
        "origin",
        [
            "",
            "null",
            "http://evil.example",
            "https://evil.example:8501",
            "http://localhost",
            "http://localhost:8502",
            "http://127.0.0.1:8501",
            "http://[::1]:8501",
            "http://localhost:8501.evil.example",
            "http://localhost:8501@evil.example",
            "http://evil.example@localhost:8501",
            "http://localhost:8501/",
            "http://localhost:8501#",
            "HTTP://localhost:8501",
            "ftp://localhost:8501",
            "file://",
            "localhost:8501",
            "chrome-extension://localhost:8501",
        ],
    )
    def test_that_is_another_is_not(self, origin):
        assert not answers(ORDINARY, "localhost:8501", origin)

    def test_has_to_be_named_once_at_most(self):
        assert ORDINARY.answering(["localhost:8501"], ["http://localhost:8501"] * 2, HERE) is None

    def test_stands_for_the_usual_port_of_its_scheme(self):
        known = announced("127.0.0.1", PORT, allowed=["bleu.example"])
        for host, origin in (
            ("bleu.example", "http://bleu.example"),
            ("bleu.example:80", "http://bleu.example"),
            ("bleu.example", "https://bleu.example"),
            ("bleu.example:443", "https://bleu.example"),
        ):
            assert answers(known, host, origin)
        assert not answers(known, "bleu.example:80", "https://bleu.example")
        assert not answers(known, "bleu.example", "http://other.example")


class TestPublicUrl:
    @pytest.mark.parametrize(
        "host", ["bleu.example.org", "bleu.example.org:443", "bleu.example.org:8080", "127.0.0.1:8501"]
    )
    def test_is_answered_by_whatever_name_the_proxy_hands_on(self, host):
        assert BEHIND_PROXY.answering([host], ["https://bleu.example.org"], HERE) == "bleu.example.org"

    @pytest.mark.parametrize(
        "origin",
        [
            "http://bleu.example.org",
            "https://bleu.example.org:444",
            "https://example.org",
            "https://bleu.example.org.evil.example",
        ],
    )
    def test_is_no_other_origin(self, origin):
        for host in ("bleu.example.org", "127.0.0.1:8501"):
            assert not answers(BEHIND_PROXY, host, origin)

    def test_lets_this_machine_in_beside_it(self):
        assert answers(BEHIND_PROXY, "localhost:8501", "http://localhost:8501")

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("https://bleu.example.org", "https://bleu.example.org/"),
            ("https://Bleu.Example.org:443/", "https://bleu.example.org/"),
            ("http://bleu.example.org:8080/a/b/", "http://bleu.example.org:8080/a/b/"),
            ("http://[::1]:80/a", "http://[::1]/a/"),
            ("https://bücher.example/a", "https://xn--bcher-kva.example/a/"),
        ],
    )
    def test_is_what_people_open(self, text, written):
        assert str(parse_public_url(text)) == written
        assert announced("127.0.0.1", PORT, public_url=text).address == written

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "bleu.example.org",
            "//bleu.example.org",
            "ftp://bleu.example.org",
            "https://",
            "https://user@bleu.example.org",
            "https://bleu.example.org:99999",
            "https://bleu.example.org/?a=b",
            "https://bleu.example.org/#a",
            "https://bleu.example.org/a b",
            'https://bleu.example.org/"><script>',
            "https://bleu.example.org/a//b",
            "https://[::1",
        ],
    )
    def test_that_is_none_is_refused(self, text):
        with pytest.raises(InputError, match="Option --public-url"):
            parse_public_url(text)


def test_a_host_is_read_as_name_and_port():
    assert parse_host("A.example:80") == HostName("a.example", 80)
    assert parse_host("[0::1]") == HostName("::1", None)
    assert str(HostName("::1", 80)) == "[::1]:80"
    assert parse_origin("https://a.example") == ("https", HostName("a.example", 443))
