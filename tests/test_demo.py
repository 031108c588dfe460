"""The public demo, started as hosts of Streamlit apps start it."""

import http.client
import os
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
AS_THEY_START_IT = ("--server.address", "127.0.0.1", "--server.headless", "true", "--server.enableCORS", "false")
WITHOUT_XSRF = ("--server.enableXsrfProtection", "false")
SECONDS = 180


@pytest.fixture(scope="module")
def demo(tmp_path_factory, free_port):
    """The port of a running one, and the folder that would hold a workspace."""
    kept, port = tmp_path_factory.mktemp("kept") / "workspace", free_port()
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", "--server.port", str(port)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"BLEUSCOPE_WORKSPACE": str(kept)}
    with subprocess.Popen(
        [*command, *AS_THEY_START_IT, *WITHOUT_XSRF], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
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


def test_the_space_names_the_script_and_the_streamlit_that_were_tested():
    _, head, _ = (ROOT / "deploy/space/README.md").read_text(encoding="utf-8").split("---\n", 2)
    told = yaml.safe_load(head)
    assert (told["sdk"], told["app_file"], (ROOT / told["app_file"]).is_file()) == (
        "streamlit",
        "dashboard/app.py",
        True,
    )
    assert f"streamlit=={told['sdk_version']}" in (ROOT / "requirements.lock").read_text(encoding="utf-8")
