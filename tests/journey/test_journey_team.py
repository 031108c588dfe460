"""A group's server as deploy/ describes it: the same commands, variables and proxy, as processes of this machine.

No container is built: images, volumes and networks are not tried. Names and ports of containers become addresses of
this machine, and volumes become folders; all else is as it stands in the files.
"""

import contextlib
import hashlib
import hmac
import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import yaml

from bleuscope.shell.server.stopping import NOTICE_OF_KEPT
from bleuscope.shell.server.upload_quota import ELSEWHERE

pytestmark = [pytest.mark.browser, pytest.mark.team]

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
REPLICAS = {"bleuscope-1": "127.0.0.2", "bleuscope-2": "127.0.0.3"}
"""The name of each within the containers' network, and its address here: one port, because it names the cookie."""
CUT_OFF = "[data-testid=stApp]:not([data-test-connection-state=CONNECTED])"
NOTE = "déjà vu ? 「はい」"
JAPANESE = {
    "原文.txt": ["The cat sleeps.", "It rains.", "Good morning."],
    "参照.txt": ["猫は眠っている。", "雨が降っている。", "おはようございます。"],
    "甲.txt": ["猫が眠っている。", "雨が降る。", "おはようございます。"],
    "乙.txt": ["猫は寝る。", "雨だ。", "おはよう。"],
}


class Team:
    """The processes of ``compose.team.yaml``, at ports for replicas and for the proxy with and without TLS."""

    def __init__(self, folder, database, ports):
        self._folder, self._ports = folder, ports
        self.address = f"https://localhost:{ports['tls']}"
        self._variables = {
            "BLEUSCOPE_ADDRESS": f"localhost:{ports['tls']}",
            "BLEUSCOPE_TOKEN": "the-token-of-the-team",
            "DATABASE_PASSWORD": "the-password",
            "REPLICA_SECRET": "the-secret",
        }
        self._database = database
        text = self._filled((DEPLOY / "compose.team.yaml").read_text(encoding="utf-8"))
        self._services = yaml.safe_load(text)["services"]
        self._running = {}

    def _filled(self, text):
        """With the variables in it that Compose reads from a file."""
        return re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", lambda found: self._variables[found[1]], text)

    def start(self):
        """Start the replicas at once, and the proxy."""
        for name in REPLICAS:
            self._start_replica(name)
        proxy = self._services["proxy"]
        config = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
        for found, here in (
            ("http_port 8080", f"http_port {self._ports['plain']}"),
            ("https_port 8443", f"https_port {self._ports['tls']}"),
            *((f"{name}:8501", f"{place}:{self._ports['replicas']}") for name, place in REPLICAS.items()),
        ):
            assert config.count(found) == 1
            config = config.replace(found, here)
        (self._folder / "Caddyfile").write_text(config, encoding="utf-8")
        command = [str(self._folder / "Caddyfile") if "Caddyfile" in part else part for part in proxy["command"]]
        home = {"HOME": str(self._folder), "XDG_DATA_HOME": str(self._folder), "XDG_CONFIG_HOME": str(self._folder)}
        self._run("proxy", command, proxy["environment"] | home)
        for name in REPLICAS:
            self._wait_for(name)

    def _start_replica(self, name):
        service, port = self._services[name], str(self._ports["replicas"])
        here = {"--host=0.0.0.0": f"--host={REPLICAS[name]}", "--port=8501": f"--port={port}"}
        assert here.keys() <= set(service["command"])
        environment = {
            key: value.replace("database:5432", self._database).replace("/data", str(self._folder / "texts"))
            for key, value in service["environment"].items()
        }
        command = [sys.executable, "-m", "bleuscope", *(here.get(part, part) for part in service["command"])]
        self._run(name, command, environment)

    def kill(self, name):
        """End one without a word, as a machine does that fails."""
        self._running[name].kill()
        self._running.pop(name).wait(60)

    def end(self, name):
        """End one as Docker does; its exit code."""
        process = self._running.pop(name)
        process.terminate()
        return process.wait(60)

    def stop(self):
        """End all."""
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            process.wait(60)

    def cookie_to(self, name):
        """The cookie of the proxy that leads to a replica."""
        upstream = f"{REPLICAS[name]}:{self._ports['replicas']}".encode()
        return hmac.new(self._variables["REPLICA_SECRET"].encode(), upstream, hashlib.sha256).hexdigest()

    @property
    def entrance(self):
        """The address that people are given."""
        return f"{self.address}/?token={self._variables['BLEUSCOPE_TOKEN']}"

    def _log(self, name):
        return (self._folder / f"{name}.log").read_text(encoding="utf-8")

    def _run(self, name, command, environment):
        with (self._folder / f"{name}.log").open("a") as log:
            self._running[name] = subprocess.Popen(
                command, cwd=ROOT, env=os.environ | environment, stdout=log, stderr=subprocess.STDOUT
            )

    def _wait_for(self, name):
        """As Docker does: by the health check of the image."""
        here = [REPLICAS[name], str(self._ports["replicas"])]
        token = {"BLEUSCOPE_TOKEN": self._variables["BLEUSCOPE_TOKEN"]}
        for _ in range(120):
            assert self._running[name].poll() is None, self._log(name)
            checked = subprocess.run(
                [sys.executable, DEPLOY / "health.py", *here], env=os.environ | token, capture_output=True, check=False
            )
            if checked.returncode == 0:
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._running[name].wait(0.5)
        pytest.fail(self._log(name))


@pytest.fixture
def team(tmp_path, postgresql_server, ports):
    """All processes of a group's server."""
    with psycopg.connect(postgresql_server.address(), autocommit=True) as connection:
        connection.execute("create role bleuscope login")
        connection.execute("create database bleuscope owner bleuscope")
    names = ("replicas", "tls", "plain")
    team = Team(tmp_path, f"127.0.0.1:{postgresql_server.port}", dict(zip(names, ports(len(names)), strict=True)))
    team.start()
    yield team
    team.stop()


@pytest.fixture
def visitor(team, chromium, new_visitor):
    """A person whom the address with the token was given to."""
    context = chromium.new_context(ignore_https_errors=True, reduced_motion="reduce")
    visitor = new_visitor(context.new_page(), team.address)
    visitor.page.goto(team.entrance)
    visitor.settle()
    yield visitor
    context.close()


def test_a_replica_ends_and_all_goes_on_at_the_other(team, visitor, tmp_path):
    for name, lines in JAPANESE.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = [tmp_path / name for name in JAPANESE]
    visitor.open("/segments?data=sample&segment=5")
    assert visitor.page.locator(".bs-card").count() > 0
    visitor.open("/test-set")
    first, second = replica_of(visitor, team), other_than(replica_of(visitor, team))

    lead(visitor, team, second)
    with visitor.page.expect_response(lambda answer: "/upload_file/" in answer.url) as refused:
        visitor.page.locator("[class*=st-key-upload-] input[type=file]").set_input_files(files[0])
    assert (refused.value.status, refused.value.text()) == (400, f"{ELSEWHERE}\n")
    visitor.page.locator("[data-testid=stFileChip][aria-invalid=true]").wait_for()
    lead(visitor, team, first)

    visitor.open("/test-set")
    visitor.upload(*files)
    visitor.press("Compare 2 systems")
    visitor.turn_to("Segments")
    visitor.page.locator(".bs-row p").first.click()
    visitor.settle()
    note = visitor.page.get_by_label("Note on this segment")
    note.fill(NOTE)
    note.press("Enter")
    visitor.settle()
    visitor.page.reload()
    visitor.settle()
    assert note.input_value() == NOTE
    assert replica_of(visitor, team) == first

    team.kill(first)
    visitor.page.wait_for_selector(CUT_OFF)
    visitor.settle()
    assert replica_of(visitor, team) == second
    assert note.input_value() == NOTE
    assert "Everything is restored: 1 segment with a tag or a note." in visitor.text()
    assert any(line in visitor.text() for line in JAPANESE["甲.txt"])
    visitor.open("/test-set")
    assert "甲 and 乙" in visitor.text()
    visitor.upload(*files)
    assert "2 outputs, 1 reference, 1 source" in visitor.text()
    assert team.end(second) == 0
    visitor.page.get_by_text(NOTICE_OF_KEPT).wait_for()
    assert "Compare 2 systems with 1 reference" in visitor.text(), "the page stays as it was"
    assert not visitor.page_errors
    assert not visitor.foreign_requests


def other_than(name):
    return next(other for other in REPLICAS if other != name)


def replica_of(visitor, team):
    """Where the proxy leads this browser."""
    return next(name for name in REPLICAS if team.cookie_to(name) == cookie_of(visitor)["value"])


def lead(visitor, team, name):
    """Lead the browser's next requests to a replica, as a proxy does that knows nothing of cookies."""
    visitor.page.context.add_cookies([cookie_of(visitor) | {"value": team.cookie_to(name)}])


def cookie_of(visitor):
    return next(cookie for cookie in visitor.page.context.cookies() if cookie["name"] == "bleuscope_replica")
