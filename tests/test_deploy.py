"""What the files of deploy/ promise. No container is built: tests/journey/test_journey_team.py runs the processes."""

import json
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
import yaml

from bleuscope.cli.command import COMMANDS, bleuscope

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
DIGEST = re.compile(r"[a-z0-9./-]+:\d+\.\d+(\.\d+)?[a-z0-9.-]*@sha256:[0-9a-f]{64}")
BUILT = re.compile(r"bleuscope:\d+\.\d+\.\d+")
REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def instructions():
    """The Dockerfile's instructions, each with what it says, in stages."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    joined = re.sub(r"\\\n\s*", "", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    stages = []
    for line in filter(None, joined.splitlines()):
        name, _, said = line.partition(" ")
        if name == "FROM":
            stages.append([])
        if stages:  # what stands before is an argument of them all
            stages[-1].append((name, said))
    return stages


def said(stage, name):
    return [words for one, words in stage if one == name]


def services():
    """Every service of both compositions: its file, its name, what it is."""
    for file in ("compose.yaml", "compose.team.yaml"):
        for name, service in yaml.safe_load((DEPLOY / file).read_text(encoding="utf-8"))["services"].items():
            yield pytest.param(file, name, service, id=f"{file}-{name}")


class TestImage:
    def test_starts_from_images_that_a_digest_names(self):
        text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
        assert DIGEST.fullmatch(re.search(r"^ARG PYTHON_IMAGE=(.*)$", text, re.MULTILINE)[1])
        for stage in instructions():
            (image,) = said(stage, "FROM")
            assert image.partition(" AS ")[0] == "$PYTHON_IMAGE"

    def test_runs_as_a_user_of_its_own_who_owns_the_only_volume(self):
        *_, last = instructions()
        assert said(last, "USER") == ["10001:10001"]
        assert said(last, "VOLUME") == ["/data"]
        (run,) = said(last, "RUN")
        assert "--uid 10001" in run
        assert "--owner=10001" in run
        assert [name for name, _ in last].index("USER") > [name for name, _ in last].index("RUN")

    def test_installs_only_what_has_a_hash_and_leaves_installers_and_compilers_out(self):
        build, last = instructions()
        installs = [run for run in said(build, "RUN") if "pip install" in run]
        *locked, own, lists_parts = installs
        assert len(locked) == 2
        assert all("--require-hashes --no-deps" in run for run in (*locked, lists_parts))
        assert "--no-deps --no-build-isolation ." in own
        assert "pip uninstall --yes hatchling editables setuptools pip" in own
        whole = " ".join(words for stage in (build, last) for _, words in stage)
        assert not re.search(r"apt|gcc|build-essential|curl|:latest", whole)
        assert not re.search("pip", " ".join(said(last, "RUN")))

    def test_installs_what_a_team_needs_in_the_versions_that_all_else_has(self):
        team = dict(REQUIREMENT.findall((DEPLOY / "requirements-team.lock").read_text(encoding="utf-8")))
        tested = dict(REQUIREMENT.findall((ROOT / "requirements-test.lock").read_text(encoding="utf-8")))
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
            "optional-dependencies"
        ]
        assert {re.split(r"[\[<>=]", one)[0] for one in extras["team"]} <= team.keys()
        assert team.items() <= tested.items()

    def test_has_licences_and_a_list_of_its_parts_and_not_what_made_the_list(self):
        build, last = instructions()
        lists_parts = said(build, "RUN")[-1]
        assert re.search(r"--output-file /opt/bleuscope/\S+/image\.cdx\.json /opt/bleuscope/bin/python", lists_parts)
        assert re.search(r"cp LICENSE NOTICE\.md /opt/bleuscope/\S+", lists_parts)
        assert "/opt/list" not in " ".join(said(last, "COPY"))

    def test_copies_nothing_that_its_list_of_files_leaves_out(self):
        listed = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        assert listed[1] == "*"
        allowed = {line.removeprefix("!") for line in listed if line.startswith("!")}
        copied = {
            path
            for stage in instructions()
            for words in said(stage, "COPY")
            if not words.startswith("--from")
            for path in words.split()[:-1]
        }
        assert copied - {".streamlit"} <= allowed
        assert all((ROOT / path).exists() for path in allowed | copied)

    def test_asks_for_its_health_with_a_script_that_fails_where_nothing_answers(self):
        *_, last = instructions()
        (health,) = said(last, "HEALTHCHECK")
        program, script = json.loads(health.partition("CMD ")[2])
        assert (program, Path(script).name) == ("python", "health.py")
        ended = subprocess.run(
            [sys.executable, DEPLOY / "health.py", "127.0.0.1", "9"], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 1
        assert ended.stderr.startswith("bleuscope does not answer: ")

    def test_asks_each_of_several_processes_for_its_health(self, monkeypatch):
        said = {None: (200, True), 0: (200, False), 1: (503, False)}
        asked = runpy.run_path(str(DEPLOY / "health.py"))["statuses"]
        monkeypatch.setitem(asked.__globals__, "status", lambda *_, process=None: said.get(process, (200, True)))
        assert asked("127.0.0.1", 8501, "") == {200, 503}
        said[None] = (200, False)  # of one process
        assert asked("127.0.0.1", 8501, "") == {200}


def docker_runs():
    """Every line of the documentation that runs the image: what Docker is told, and what stands behind its name."""
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            words = shlex.split(line)
            if words[:2] == ["docker", "run"]:
                place = words.index("bleuscope")
                yield words[2:place], words[place + 1 :]


class TestDockerRun:
    def test_is_there(self):
        assert len(list(docker_runs())) >= 3

    def test_asks_for_a_port_that_the_server_answers_to_and_only_on_this_machine(self):
        *_, last = instructions()
        (usual,) = (json.loads(words) for words in said(last, "CMD"))
        assert usual[usual.index("--port") + 1] == said(last, "EXPOSE")[0]
        for docker, command in docker_runs():
            if "--publish" not in docker:
                continue
            address, outside, inside = docker[docker.index("--publish") + 1].split(":")
            asked = command or usual
            port = asked[asked.index("--port") + 1] if "--port" in asked else said(last, "EXPOSE")[0]
            assert (address, outside, inside) == ("127.0.0.1", port, port)
            assert asked[asked.index("--host") + 1] == "0.0.0.0"
            assert "--no-browser" in asked

    def test_mounts_what_the_image_has_and_works_where_the_texts_are(self):
        *_, last = instructions()
        for docker, _ in docker_runs():
            mounted = [docker[place + 1].split(":")[1] for place, word in enumerate(docker) if word == "--volume"]
            assert set(mounted) <= {*said(last, "VOLUME"), "/texts"}
            assert ("/texts" in mounted) is ("--workdir" in docker)

    def test_hands_over_what_the_command_accepts(self):
        for _, words in docker_runs():
            if words:
                assert words[0] in COMMANDS
                command = bleuscope.get_command(click.Context(bleuscope), words[0])
                with command.make_context(words[0], list(words[1:])) as context:
                    assert context.params


@pytest.mark.parametrize(("file", "name", "service"), list(services()))
class TestServices:
    def test_write_nothing_but_their_volumes_and_gain_no_rights(self, file, name, service):
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "privileged" not in service
        assert any(folder.startswith("/tmp") for folder in service["tmpfs"])

    def test_are_of_images_with_a_version(self, file, name, service):
        assert (BUILT if "build" in service else DIGEST).fullmatch(service["image"])

    def test_hold_no_secret_of_their_own(self, file, name, service):
        for variable, value in service["environment"].items():
            if re.search("TOKEN|PASSWORD|SECRET|WORKSPACE$", variable):
                assert re.search(r"\$\{\w+:\?", value), variable

    def test_open_a_port_to_others_only_with_tls(self, file, name, service):
        beyond = [port for port in service.get("ports", ()) if not port.startswith("127.0.0.1:")]
        assert beyond == (["80:8080", "443:8443"] if name == "proxy" else [])


@pytest.mark.parametrize("file", ["compose.yaml", "compose.team.yaml"])
def test_every_composition_backs_up_its_workspace_each_day_into_a_volume_of_its_own(file):
    composed = yaml.safe_load((DEPLOY / file).read_text(encoding="utf-8"))
    backup, server = (composed["services"][name] for name in ("backup", next(iter(composed["services"]))))
    assert {one: backup[one] for one in ("image", "environment")} == {
        one: server[one] for one in ("image", "environment")
    }
    assert backup["volumes"][:1] == server["volumes"]
    (own,) = (place.split(":") for place in backup["volumes"][1:])
    assert own[0] in composed["volumes"]
    shell, option, script = backup["entrypoint"]
    assert (shell, option) == ("sh", "-c")
    words = shlex.split(re.fullmatch(r"while bleuscope (.*); do sleep 86400; done", script)[1])
    assert words == ["workspace", "backup", own[1], "--keep", "14"]
    (made,) = (run for run in said(instructions()[-1], "RUN") if "install --directory --owner=10001" in run)
    assert made.endswith(f" {own[1]}")


def test_replicas_are_alike_and_wait_for_the_database():
    team = yaml.safe_load((DEPLOY / "compose.team.yaml").read_text(encoding="utf-8"))
    replicas = [service for name, service in team["services"].items() if name.startswith("bleuscope-")]
    assert len(replicas) == 2
    assert replicas[0] == replicas[1]
    assert replicas[0]["depends_on"]["database"] == {"condition": "service_healthy"}
    assert replicas[0]["volumes"] == ["texts:/data"]
    assert team["networks"]["inside"] == {"internal": True}
    assert replicas[0]["networks"] == team["services"]["database"]["networks"] == ["inside"]
