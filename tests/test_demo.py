"""The public demo, started by the command of its image, as a Docker Space does."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from streamlit.web.server.app_discovery import discover_asgi_app

from bleuscope.shell.server import public_demo
from bleuscope.shell.server.upload_limits import MEGABYTE, UploadLimits

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "deploy/space/Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
PORT, ADDRESS = "7860", "0.0.0.0"
SECONDS = 180


def image_command():
    """What the image of the Space runs."""
    return json.loads(re.search(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)[1])


@pytest.fixture(scope="module")
def demo(tmp_path_factory, free_port):
    """The port of a running one, and the folder that would hold a workspace."""
    kept, port = tmp_path_factory.mktemp("kept") / "workspace", free_port()
    program, *said = (word.replace(PORT, str(port)).replace(ADDRESS, "127.0.0.1") for word in image_command())
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"BLEUSCOPE_WORKSPACE": str(kept)}
    with subprocess.Popen(
        [sys.executable, "-m", program, *said], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    ) as server:
        try:
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                with socket.socket() as trying:
                    if trying.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield port, kept
        finally:
            server.terminate()


def ask(port, path):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
        connection.request("GET", path, headers={"Host": "somebody-bleuscope.hf.space"})
        answer = connection.getresponse()
        answer.read()
    return answer


def test_streamlit_takes_the_script_for_an_application():
    assert discover_asgi_app(ROOT / "dashboard" / "app.py").is_asgi_app


def test_everybody_gets_the_page_by_any_name_and_within_pages_of_the_hosts(demo):
    port, kept = demo
    answer = ask(port, "/overview")
    assert answer.status == 200
    policy = answer.getheader("content-security-policy")
    assert "frame-ancestors 'self' https://huggingface.co" in policy
    assert answer.getheader("x-frame-options") is None
    assert "script-src 'self'" in policy
    assert not kept.exists()


def test_what_visitors_bring_is_bounded_and_nothing_is_kept(monkeypatch):
    said = []
    monkeypatch.setattr(public_demo.workspace_in_use, "use", lambda place, **more: said.append((place, more)))
    monkeypatch.setattr(public_demo, "to_environment", lambda inputs: said.append(inputs.is_sample))
    given = public_demo.parts()
    assert said == [(None, {"is_shared": True, "downloads_test_sets": False}), True]
    limits = [one.kwargs["limits"] for one in given["middleware"] if "limits" in one.kwargs]
    assert limits == [public_demo.LIMITS]
    assert public_demo.LIMITS.session_bytes < UploadLimits().session_bytes / 10


def test_what_visitors_may_bring_is_said_as_it_is():
    limits = public_demo.LIMITS
    mine, everybodys = limits.session_bytes // MEGABYTE, limits.server_bytes // MEGABYTE
    told = " ".join((ROOT / "docs/operating.md").read_text(encoding="utf-8").split())
    assert f"{mine} MB and {limits.session_files} files, {everybodys} MB for all visitors" in told
    assert f"may be {mine} MB" in (ROOT / "deploy/space/README.md").read_text(encoding="utf-8")


def test_the_space_is_an_image_for_the_user_and_the_port_that_the_host_expects():
    _, head, _ = (ROOT / "deploy/space/README.md").read_text(encoding="utf-8").split("---\n", 2)
    told = yaml.safe_load(head)
    assert (told["sdk"], str(told["app_port"])) == ("docker", PORT)
    assert {f"--server.port={PORT}", f"--server.address={ADDRESS}"} <= set(image_command())
    *_, last = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)
    assert "\nUSER 1000\n" in last
    assert f"\nEXPOSE {PORT}\n" in last
    assert "TOKEN" not in DOCKERFILE


def test_the_space_starts_from_the_same_python_as_the_image_for_teams():
    pinned = re.compile(r"^ARG PYTHON_IMAGE=(\S+@sha256:[0-9a-f]{64})$", re.MULTILINE)
    team = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    assert pinned.findall(DOCKERFILE) == pinned.findall(team) != []
    assert all(
        (ROOT / path).exists()
        for paths in re.findall(r"^COPY (?!--)(.*) \S+$", DOCKERFILE, re.MULTILINE)
        for path in paths.split()
    )
