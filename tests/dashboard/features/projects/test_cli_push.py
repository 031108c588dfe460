"""``bleuscope push`` and ``bleuscope token``, here and to a server that may be away, wrong or cut off."""

import http.server
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
import uvicorn
from starlette.applications import Starlette

from bleucore import InputError
from bleuscope.cli.command import bleuscope as command
from bleuscope.cli.operands import TextsCommand
from bleuscope.features.projects.api import routes as api_routes
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import open_workspace, outbox, push, remote
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.outbox import Outbox
from bleuscope.workspace.people import LOCAL

NAMES = ("--project", "en-de", "--test-set", "news", "--system", "base")
LINES = [f"word{number} other{number} third{number} fourth{number}" for number in range(12)]
TOKEN = "bls_" + "x" * 43


@pytest.fixture
def folder(tmp_path, empty_place, monkeypatch):
    """Files to push, a workspace and an outbox."""
    monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(empty_place.folder))
    monkeypatch.setenv("BLEUSCOPE_OUTBOX", str(tmp_path / "outbox"))
    monkeypatch.delenv("BLEUSCOPE_TOKEN_PUSH", raising=False)
    for name, lines in (
        ("ref.txt", LINES),
        ("src.txt", [line.upper() for line in LINES]),
        ("out.txt", [line[:-1] for line in LINES]),
        ("new.txt", [f"{line} x" for line in LINES]),
        ("short.txt", [*LINES[:4], *LINES[5:]]),
    ):
        (tmp_path / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    return tmp_path


@pytest.fixture
def here(bleuscope, folder):
    """Pushes into the workspace here: exit code, standard output, standard error."""
    return lambda *words: bleuscope("push", *words)


@pytest.fixture
def first(here):
    """The same, with the test set and one version in it."""
    assert here("out.txt", *NAMES, "--version", "v1", "-r", "ref.txt", "-s", "src.txt")[0] == 0
    return here


def kept(empty_place):
    with open_workspace(empty_place) as workspace:
        project = workspace.projects.find("en-de")
        return workspace.projects.versions(project)


class TestHere:
    def test_a_first_push_and_the_same_again_say_so_in_a_line(self, here, empty_place):
        words = ("out.txt", *NAMES, "--version", "v1", "--step", "7", "--tag", "best", "--config", "config.json")
        Path("config.json").write_text('{"layers": 6}')
        code, out, err = here(*words, "-r", "ref.txt", "-l", "de-en", "--made-at", "2026-11-23T08:00:00+01:00")
        assert (code, err) == (0, "")
        assert re.fullmatch(r"base v1 on news, project en-de: kept \(12 segments, digest [0-9a-f]{12}\)\n", out)
        assert here(*words) == (0, out.replace("kept", "already there"), "")
        (version,) = kept(empty_place)
        assert (version.step, version.tags, version.config) == (7, ("best",), {"layers": 6})
        assert version.made_at.isoformat() == "2026-11-23T07:00:00+00:00"
        with open_workspace(empty_place) as workspace:
            assert workspace.projects.test_sets(workspace.projects.find("en-de"))[0].languages == ("de", "en")

    def test_each_file_is_a_system_of_its_own(self, first, empty_place):
        words = ("--project", "en-de", "-t", "news", "--version", "v2", "out.txt", "new.txt")
        code, out, _ = first(*words, "-f", "json")
        assert code == 0
        versions = json.loads(out)["versions"]
        assert [(one["system"], one["version"], one["is_new"]) for one in versions] == [
            ("out", "v2", True),
            ("new", "v2", True),
        ]
        assert {one.digest for one in kept(empty_place)} == {one["digest"] for one in versions}
        code, out, err = first(*words, "--system", "base")
        assert (code, out) == (2, "")
        assert "Option --system: one name is given to several systems (found out, new, expected one system)" in err

    def test_other_outputs_under_a_version_are_refused_with_the_way_out(self, first, empty_place):
        code, out, err = first("new.txt", *NAMES, "--version", "v1")
        assert (code, out) == (2, "")
        assert "other outputs have this label already" in err
        assert "Push under another label." in err
        assert len(kept(empty_place)) == 1

    def test_outputs_of_another_length_are_refused_by_file_and_line(self, first):
        for beside in ((), ("-s", "src.txt"), ("-r", "ref.txt")):
            code, out, err = first("short.txt", *NAMES, "--version", "v2", *beside)
            assert (code, out) == (2, "")
            assert "short.txt: the number of segments differs (found 11" in err
            assert "expected 12 as in " in err
            assert "The first line that looks shifted is 5." in err

    def test_another_source_is_refused_by_the_first_line_that_differs(self, first, folder):
        (folder / "other.txt").write_text((folder / "src.txt").read_text().replace("WORD3", "WORT3"))
        code, _, err = first("out.txt", *NAMES, "--version", "v2", "-s", "other.txt")
        assert code == 2
        assert "Test set news of project en-de, the source, line 4: these are other texts" in err
        (folder / "other.txt").write_text("\n".join((folder / "src.txt").read_text().split("\n")[1:]))
        code, _, err = first("short.txt", *NAMES, "--version", "v2", "-s", "other.txt")
        assert code == 2
        assert "the source, line 1: " in err

    def test_a_dry_run_keeps_nothing_and_makes_no_workspace(self, here, folder, empty_place):
        words = ("out.txt", *NAMES, "--version", "v1", "-r", "ref.txt", "--dry-run")
        code, out, _ = here(*words, "--workspace", "elsewhere")
        assert (code, "would be kept" in out) == (0, True)
        assert not (folder / "elsewhere").exists()
        assert "would be kept" in here(*words)[1]
        assert here("short.txt", *words[1:])[0] == 2
        assert here(*words[:-3], "--dry-run")[0] == 2
        with open_workspace(empty_place) as workspace:
            assert workspace.projects.all() == ()

    def test_a_dry_run_says_what_would_be_refused(self, first):
        assert "already there" in first("out.txt", *NAMES, "--version", "v1", "--dry-run")[1]
        code, _, err = first("new.txt", *NAMES, "--version", "v1", "--dry-run")
        assert (code, "other outputs have this label already" in err) == (2, True)

    def test_formats_are_those_of_all_commands(self, first, folder, empty_place):
        import gzip

        (folder / "packed.txt.gz").write_bytes(gzip.compress((folder / "new.txt").read_bytes()))
        rows = [{"doc_id": "d", "hypothesis": line} for line in (folder / "new.txt").read_text().splitlines()]
        (folder / "lines.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
        assert first("packed.txt.gz", *NAMES, "--version", "v2")[0] == 0
        code, out, err = first("lines.jsonl", *NAMES, "--version", "v2", "--dry-run")
        assert (code, out != "") in ((0, True), (2, False)), err
        assert len({one.label for one in kept(empty_place)}) == 2

    def test_a_test_set_of_sacrebleu_is_taken_by_its_name_once(self, here, folder, empty_place, monkeypatch):
        cache = folder / "cache" / "multi30k" / "2016"
        cache.mkdir(parents=True)
        monkeypatch.setenv("SACREBLEU", str(folder / "cache"))
        for name, file in (("src", "src.txt"), ("ref", "ref.txt")):
            (cache / f"multi30k_2016.en-de.{name}").write_bytes((folder / file).read_bytes())
        words = ("--project", "en-de", "-t", "multi30k/2016", "-l", "en-de", "--system", "base", "--version")
        assert here("out.txt", *words, "v1")[0] == 0
        with open_workspace(empty_place) as workspace:
            project = workspace.projects.find("en-de")
            test_set = workspace.projects.test_set(project, "multi30k/2016")
            assert test_set.languages == ("en", "de")
            texts = workspace.projects.texts(test_set, workspace.projects.versions(project))
        assert (texts.references, texts.source[0]) == ((tuple(LINES),), LINES[0].upper())
        monkeypatch.setattr("bleuscope.shell.disk.test_sets.columns", lambda *_, **__: pytest.fail("read again"))
        assert here("new.txt", *words, "v2")[0] == 0

    def test_xml_brings_its_own_order_and_documents(self, here, folder, empty_place):
        segment = '<doc docid="d{0}"><seg id="1">{1} a</seg><seg id="2">{1} b</seg></doc>'
        for name, kind, docs in (("ref", "refset", (1, 2)), ("out", "tstset", (1, 2)), ("turned", "tstset", (2, 1))):
            inner = "".join(segment.format(number, f"{kind} {number}") for number in docs)
            head = f'setid="x" srclang="de" trglang="en" {"refid" if kind == "refset" else "sysid"}="{name}"'
            xml = f'<?xml version="1.0" encoding="UTF-8"?><mteval><{kind} {head}>{inner}</{kind}></mteval>'
            (folder / f"{name}.xml").write_text(xml)
        assert here("out.xml", *NAMES, "--version", "v1", "-r", "ref.xml")[0] == 0
        assert "already there" in here("out.xml", *NAMES, "--version", "v1")[1]
        code, _, err = here("turned.xml", *NAMES, "--version", "v2")
        assert (code, "the documents, line 1: " in err) == (2, True)
        assert len(kept(empty_place)) == 1

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ((), "Missing argument 'OUT...'"),
            (("out.txt",), "Missing option '--project'"),
            (("out.txt", "--project", "p"), "Missing option '--test-set'"),
            (("out.txt", "--project", "p", "-t", "t"), "Missing option '--version'"),
            (("out.txt", *NAMES, "--version", "v", "--never-fail"), "--never-fail needs --to"),
            (("out.txt", *NAMES, "--version", "v", "--to", "http://x", "--workspace", "w"), "name two places"),
            (("out.txt", *NAMES, "--version", "v"), "Push it with its references first"),
            (("out.txt", *NAMES, "--version", "v", "--config", "ref.txt"), "ref.txt: this is no JSON object"),
            (("out.txt", *NAMES, "--version", "v", "--made-at", "monday"), "Option --made-at: this is no time"),
            (("nowhere.txt", *NAMES, "--version", "v"), "nowhere.txt: the file cannot be read"),
            (("out.txt", *NAMES, "--version", "v", "--to", "ftp://x"), "Option --to: this is no address of a server"),
            (("out.txt", *NAMES, "--version", "v", "--to", "http://x"), "Variable BLEUSCOPE_TOKEN_PUSH: there is no"),
        ],
    )
    def test_what_is_missing_is_said(self, here, words, said):
        code, out, err = here(*words)
        assert (code, out) == (2, "")
        assert said in err
        assert err.count("\n") == 1

    @pytest.mark.parametrize("command", ["score", "--help"])
    def test_other_commands_do_without_the_database(self, folder, command):
        words = [command] if command == "--help" else [command, "-r", "ref.txt", "out.txt"]
        code = (
            f"import sys; from bleuscope import cli\nsys.argv = ['bleuscope', *{words}]\n"
            "try: cli.main()\n"
            "except SystemExit as ending: print(ending.code or 0, {'sqlalchemy', 'requests'} & set(sys.modules))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
        assert done.stdout.splitlines()[-1] == "0 set()"


def test_a_second_file_of_an_option_never_becomes_a_system():
    assert isinstance(command.get_command(click.Context(command), "push"), TextsCommand)


class TestTokens:
    def test_are_made_listed_and_revoked(self, bleuscope, folder, empty_place):
        code, made, err = bleuscope("token", "make", "--project", "en-de", "--name", "ci", "--expires", "9")
        assert (code, bool(re.fullmatch(r"bls_[\w-]{43}\n", made))) == (0, True)
        assert "may write in project en-de until" in err
        bleuscope("token", "make", "--project", "en-de", "--right", "read")
        code, out, _ = bleuscope("token", "list", "--project", "en-de", "-f", "json")
        rows = json.loads(out)["tokens"]
        assert [(row["name"], row["right"], row["state"]) for row in rows] == [
            ("ci", "write", "valid"),
            ("push", "read", "valid"),
        ]
        assert made.strip() not in out
        assert bleuscope("token", "revoke", str(rows[0]["id"]), "--project", "en-de")[0] == 0
        assert "revoked" in bleuscope("token", "list", "--project", "en-de")[1]
        with open_workspace(empty_place) as workspace:
            assert workspace.tokens.find(made.strip()) is None

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("make", "--project", "EN"), "no name of a project"),
            (("make", "--project", "p", "--expires", "0"), "--expires"),
            (("make", "--project", "p", "--expires", "3651"), "found 3,651 days, expected 1 to 3,650"),
            (("make", "--project", "p", "--name", "\n"), "no name"),
            (("list", "--project", "p"), "there is no such project"),
            (("revoke", "1", "--project", "p"), "there is no such project"),
        ],
    )
    def test_that_cannot_be_are_refused(self, bleuscope, folder, words, said):
        code, out, err = bleuscope("token", *words)
        assert (code, out) == (2, "")
        assert said in err


@pytest.fixture
def server(empty_place, folder, monkeypatch):
    """The address of a server with a workspace, and the token is in the environment."""
    workspace_in_use.use(empty_place, is_shared=False)
    workspace = workspace_in_use.workspace()
    me = workspace.people.person(LOCAL)
    token, _ = workspace.tokens.make(workspace.projects.make("en-de", me), me, "write")
    monkeypatch.setenv("BLEUSCOPE_TOKEN_PUSH", token)
    with running(Starlette(routes=api_routes.routes())) as address:
        yield address
    workspace_in_use.use(None, is_shared=False)


class Clock:
    """A clock that only pauses move on."""

    def __init__(self):
        self.pauses = []

    def monotonic(self):
        return sum(self.pauses)

    def sleep(self, seconds):
        self.pauses.append(seconds)


@pytest.fixture
def clock(monkeypatch):
    """The clock by which questions to a server are asked again."""
    clock = Clock()
    monkeypatch.setattr(remote, "time", clock)
    return clock


@contextmanager
def running(app):
    """Serves an application from a thread: its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="error", lifespan="off", ws="none")
        one = uvicorn.Server(config)
        thread = threading.Thread(target=one.run, kwargs={"sockets": [listening]})
        thread.start()
        while not one.started:
            time.sleep(0.005)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        one.should_exit = True
        thread.join()


@contextmanager
def answering(*answers):
    """A server that gives these answers one after the other, the last again and again: its address, and what came."""
    came = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_PUT(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            status, headers, content = answers[min(len(came), len(answers) - 1)]
            came.append((self.command, self.path, dict(self.headers), body))
            if status is None:
                self.connection.close()
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_PUT  # noqa: N815  # the names that the library asks for

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{one.server_port}", came
        finally:
            one.shutdown()
            thread.join()


def problem(status, detail="it is so", **more):
    content = {"type": "about:blank", "title": "t", "status": status, "detail": detail, "problem": detail, **more}
    return status, {"content-type": "application/problem+json"}, json.dumps(content).encode()


PUSHED = {"project": "en-de", "test_set": "news", "system": "base", "version": "v1", "digest": "d" * 64}
DONE = (201, {}, json.dumps({**PUSHED, "n_segments": 12, "is_new": True, "is_kept": True}).encode())
TO_PUSH = ("out.txt", *NAMES, "--version", "v1")


class TestThere:
    def test_what_is_pushed_is_kept_on_the_server_and_leaves_the_outbox(self, here, server, empty_place, folder):
        words = ("--to", f"{server}/")
        code, out, err = here(*TO_PUSH, "-r", "ref.txt", "-s", "src.txt", *words)
        assert (code, err) == (0, "")
        assert out.startswith("base v1 on news, project en-de: kept (12 segments")
        assert here(*TO_PUSH, *words)[1] == out.replace("kept", "already there")
        assert len(kept(empty_place)) == 1
        assert [path for path in (folder / "outbox").rglob("*") if path.is_file()] == []

    def test_what_is_refused_is_said_as_here(self, here, server, folder):
        here(*TO_PUSH, "-r", "ref.txt", "-s", "src.txt", "--to", server)
        for words, said in (
            (("new.txt", *NAMES, "--version", "v1"), "Push under another label"),
            (("short.txt", *NAMES, "--version", "v2"), "short.txt: the number of segments differs (found 11"),
            (("out.txt", *NAMES, "--version", "v2", "-s", "ref.txt"), "the source, line 1: these are other texts"),
        ):
            code, out, err = here(*words, "--to", server)
            assert (code, out) == (2, "")
            assert said in err
        assert Outbox().n_waiting() == 0

    def test_a_dry_run_keeps_nothing_anywhere(self, here, server, folder):
        for words in (("-r", "ref.txt"), ()):
            code, out, err = here(*TO_PUSH, *words, "--to", server, "--dry-run")
            assert (code == 0, "would be kept" in out) == ((True, True) if words else (False, False)), err
        here(*TO_PUSH, "-r", "ref.txt", "--to", server)
        assert "already there" in here(*TO_PUSH, "--to", server, "--dry-run")[1]
        assert "would be kept" in here("out.txt", *NAMES, "--version", "v2", "--to", server, "--dry-run")[1]
        assert Outbox().n_waiting() == 0

    def test_what_another_token_or_push_may_mend_stays_in_the_outbox(self, here, server, monkeypatch):
        code, _, err = here(*TO_PUSH, "--to", server)
        assert (code, "there is no such test set" in err, "It waits in the outbox" in err) == (2, True, True)
        assert here(*TO_PUSH, "-r", "ref.txt", "--to", server)[0] == 0
        good = os.environ["BLEUSCOPE_TOKEN_PUSH"]
        monkeypatch.setenv("BLEUSCOPE_TOKEN_PUSH", TOKEN)
        code, _, err = here("--pending")
        assert code == 2
        assert "this token is worth nothing" in err
        assert "bleuscope token make --project NAME" in err
        monkeypatch.setenv("BLEUSCOPE_TOKEN_PUSH", good)
        code, out, _ = here("--pending")
        assert (code, "already there" in out) == (0, True)
        assert here("--pending") == (0, "", "bleuscope: nothing waits in the outbox.\n")

    def test_a_reading_token_is_told_what_it_lacks(self, here, server, empty_place, folder):
        with open_workspace(empty_place) as workspace:
            me = workspace.people.person(LOCAL)
            text, _ = workspace.tokens.make(workspace.projects.find("en-de"), me, "read")
        (folder / "token").write_text(f"{text}\n")
        code, _, err = here(*TO_PUSH, "-r", "ref.txt", "--to", server, "--token-file", "token")
        assert (code, "this token may only read" in err, "--right write" in err) == (2, True, True)

    def test_a_server_that_is_away_gets_it_once_when_it_is_back(self, here, server, empty_place, folder, monkeypatch):
        here(*TO_PUSH, "-r", "ref.txt", "--to", server)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # and does not listen
            away = f"http://127.0.0.1:{taken.getsockname()[1]}"
            for label in ("v2", "v3", "v2"):
                words = ("out.txt", *NAMES, "--version", label, "--to", away, "--wait", "0")
                code, out, err = here(*words, "--never-fail")
                assert (code, out) == (0, "")
                assert "there is no way to the server (found connection refused)" in err
                assert "It waits in the outbox: bleuscope push --pending sends it." in err
            assert here(*words)[0] == 2
        box = Outbox()
        assert box.n_waiting() == 2, "the same push is one file"
        for one in list(box.all()):
            box.put(server, one.parcel)
            box.sent(one)
        waiting = [file.read_bytes() for file in box.folder.iterdir()]
        assert os.environ["BLEUSCOPE_TOKEN_PUSH"].encode() not in b"".join(waiting)
        code, out, _ = here("--pending")
        assert (code, out.count(": kept")) == (0, 2)
        assert sorted(one.label for one in kept(empty_place)) == ["v1", "v2", "v3"]
        assert box.n_waiting() == 0

    def test_pushes_for_several_servers_are_not_sent_with_one_token(self, here, server, folder):
        with answering(DONE) as (other, came):
            here(*TO_PUSH, "--to", server)  # waits: there is no such test set
            parcel = next(Outbox().all()).parcel
            Outbox().put(other, parcel)
            code, _, err = here("--pending")
            assert (code, "pushes wait for several servers" in err, len(came)) == (2, True, 0)
            assert here("--pending", "--to", other)[0] == 0
        assert Outbox().n_waiting() == 1


class TestBadServers:
    @pytest.fixture(autouse=True)
    def token(self, folder, clock, monkeypatch):
        monkeypatch.setenv("BLEUSCOPE_TOKEN_PUSH", TOKEN)

    @pytest.mark.parametrize(
        ("answer", "said", "waits"),
        [
            (problem(401), "bleuscope token make --project NAME", True),
            (problem(403), "--right write", True),
            (problem(404), "it is so", True),
            (problem(409, remedy="Go."), "it is so. Go.", False),
            (problem(413), "it is so", False),
            (problem(422, line=7, where="x"), "x, line 7: it is so", False),
            ((413, {}, b"<html>nginx</html>"), "client_max_body_size", False),
            ((404, {}, b"<html>nginx</html>"), "something else than a bleuscope that keeps versions", True),
            ((200, {}, b"<html>hello</html>"), "something else than a bleuscope that keeps versions", True),
            ((200, {}, b"[]"), "something else than a bleuscope", True),
            ((201, {}, b"{}"), "something else than a bleuscope", True),
            (
                (302, {"location": "https://evil.example/"}, b""),
                "the server is elsewhere (found https://evil.exa",
                True,
            ),
            ((502, {}, b"bad gateway"), "there is no way to the server (found answer 502)", True),
            ((503, {"retry-after": "9999"}, problem(503)[2]), "it is so", True),
            ((None, {}, b""), "there is no way to the server", True),
        ],
    )
    def test_are_told_apart(self, here, answer, said, waits):
        with answering(answer) as (address, came):
            code, out, err = here(*TO_PUSH, "--to", address, "--wait", "0")
        assert (code, out) == (2, "")
        assert said in err
        assert ("It waits in the outbox" in err) == waits
        assert Outbox().n_waiting() == waits
        assert {one[2]["Authorization"] for one in came} == {f"Bearer {TOKEN}"}

    def test_what_is_refused_for_good_is_kept_aside_where_nobody_looks(self, here):
        with answering(problem(409)) as (address, _):
            code, _, err = here(*TO_PUSH, "--to", address, "--never-fail")
        assert code == 0
        (file,) = (Outbox().folder / "refused").iterdir()
        assert f"Its texts are in {file}" in err
        assert Outbox().n_waiting() == 0

    def test_a_token_that_is_missing_ends_no_training(self, here, monkeypatch):
        monkeypatch.delenv("BLEUSCOPE_TOKEN_PUSH")
        code, _, err = here(*TO_PUSH, "--to", "http://127.0.0.1:1", "--never-fail")
        assert (code, "there is no token" in err, "It waits in the outbox" in err) == (0, True, True)
        assert push(["a"], project="p", test_set="t", system="s", version="v", to="http://x", never_fail=True) is None
        assert Outbox().n_waiting() == 2
        assert here(*TO_PUSH, "--to", "http://127.0.0.1:1")[0] == 2

    @pytest.mark.parametrize("bound", ["MOST_BYTES", "MOST_UNPACKED"])
    def test_are_not_sent_what_they_would_hang_up_on(self, here, monkeypatch, bound):
        monkeypatch.setattr(remote, bound, 50)
        with answering(DONE) as (address, came):
            code, _, err = here(*TO_PUSH, "--to", address)
        assert (code, "the texts are too many for a server" in err, came) == (2, True, [])
        assert Outbox().n_waiting() == 0

    def test_that_come_back_in_time_are_asked_again(self, here, clock):
        with answering((503, {}, b""), (None, {}, b""), (502, {}, b""), DONE) as (address, came):
            code, out, _ = here(*TO_PUSH, "--to", address)
        assert (code, "kept" in out, len(came)) == (0, True, 4)
        assert len({one[3] for one in came}) == 1
        assert all(usual / 2 <= pause <= usual for pause, usual in zip(clock.pauses, (1, 2, 4), strict=True))

    def test_are_not_asked_again_for_longer_than_they_may_take(self, here, clock):
        with answering((503, {}, b"")) as (address, came):
            assert here(*TO_PUSH, "--to", address, "--wait", "10")[0] == 2
        assert len(came) == len(clock.pauses) + 1
        assert 3 <= len(clock.pauses) <= 4
        assert sum(clock.pauses) <= 10

    def test_a_netrc_does_not_take_the_place_of_the_token(self, here, folder, monkeypatch):
        (folder / "netrc").write_text("machine 127.0.0.1 login x password y\n")
        monkeypatch.setenv("NETRC", str(folder / "netrc"))
        with answering(DONE) as (address, came):
            assert here(*TO_PUSH, "--to", address)[0] == 0
        assert came[0][2]["Authorization"] == f"Bearer {TOKEN}"

    def test_whose_certificate_nobody_knows_are_not_trusted(self, here, folder):
        certificate = folder / "cert.pem"
        made = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost"
        subprocess.run(made.split(), check=True, capture_output=True, cwd=folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, folder / "key.pem")
        with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as one:
            one.socket = context.wrap_socket(one.socket, server_side=True)
            thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            code, _, err = here(*TO_PUSH, "--to", f"https://127.0.0.1:{one.server_port}/")
            one.shutdown()
            thread.join()
        assert code == 2
        assert "the server cannot show that it is who it says" in err
        assert "REQUESTS_CA_BUNDLE" in err
        assert "self" in err

    @pytest.mark.parametrize(
        "address",
        ["ftp://x/", "x", "http://", "https://u:p@x/", "https://x/?token=t", "http://x:99999/", "http://a\nb"],
    )
    def test_that_are_no_address_are_refused(self, here, address):
        code, _, err = here(*TO_PUSH, "--to", address)
        assert (code, "Option --to: this is no address of a server" in err) == (2, True)
        assert "token=t" not in err

    def test_without_tls_are_warned_of(self):
        for address, is_overheard in (
            ("http://bleu.example.org", True),
            ("https://bleu.example.org", False),
            ("http://localhost:1", False),
            ("http://127.0.0.1", False),
            ("http://[::1]:8", False),
        ):
            assert remote.Server(address, TOKEN).is_overheard == is_overheard
            assert TOKEN not in repr(remote.Server(address, TOKEN))

    def test_a_program_is_told_too_or_goes_on(self, caplog):
        names = {"project": "en-de", "test_set": "news", "system": "base", "version": "v1"}
        with answering(DONE) as (address, came):
            assert push(["a"], **names, to=address).is_new
            assert came[0][1] == "/api/v1/projects/en-de/test-sets/news/versions"
        with answering(problem(401)) as (address, _):
            with pytest.raises(InputError, match="BLEUSCOPE_TOKEN_PUSH"):
                push(["a"], **names, to=address)
            assert push(["a"], **names, to=address, never_fail=True) is None
        assert "It waits in the outbox" in caplog.text
        with pytest.raises(InputError, match="this is no token"):
            push(["a"], **names, to=address, token="secret")


class TestOutbox:
    def test_a_file_that_is_damaged_is_named(self, here, folder, monkeypatch):
        monkeypatch.setenv("BLEUSCOPE_TOKEN_PUSH", TOKEN)
        box = Outbox()
        box.folder.mkdir()
        (box.folder / "1-x.push.gz").write_bytes(b"no gzip")
        code, _, err = here("--pending")
        assert (code, "1-x.push.gz: a push that waits cannot be read" in err) == (2, True)

    def test_what_cannot_be_written_is_said(self, here, folder, monkeypatch):
        monkeypatch.setenv("BLEUSCOPE_TOKEN_PUSH", TOKEN)
        (folder / "outbox").write_text("a file")
        code, _, err = here(*TO_PUSH, "--to", "http://127.0.0.1:1", "--never-fail")
        assert (code, "the outbox cannot be written to" in err) == (2, True)

    def test_what_a_killed_program_left_is_no_push_and_goes_later(self, folder, monkeypatch):
        box = Outbox()
        box.folder.mkdir()
        (box.folder / "new-abc").write_bytes(b"half")
        assert list(box.all()) == []
        assert (box.folder / "new-abc").exists(), "somebody may be writing it"
        monkeypatch.setattr(outbox, "SECONDS_UNFINISHED", -1)
        assert list(box.all()) == []
        assert not (box.folder / "new-abc").exists()

    def test_a_disk_that_is_full_leaves_nothing_half(self, folder, monkeypatch):
        def full(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(outbox.os, "fsync", full)
        with pytest.raises(WorkspaceError, match="no space left on device"):
            Outbox().put("http://x", next(iter(parcels())))
        assert list(Outbox().folder.iterdir()) == []


def parcels():
    from bleuscope.workspace.projects import NewVersion
    from bleuscope.workspace.push_payload import Parcel

    yield Parcel("en-de", "news", NewVersion("base", "v1", LINES))


class TestRuns:
    def test_each_file_is_a_run_of_one_version(self, first, empty_place, folder):
        (folder / "more.txt").write_text("\n".join([*(f"{line} y" for line in LINES), ""]))
        words = (*NAMES, "--version", "v2")
        code, out, err = first("new.txt", "more.txt", *words, "--run", "1", "--run", "seed 2")
        assert (code, err) == (0, "")
        assert [line.partition(" on ")[0] for line in out.splitlines()] == ["base v2, run 1", "base v2, seed 2"]
        code, out, _ = first("more.txt", *words, "--run", "seed 2", "-f", "json")
        (again,) = json.loads(out)["versions"]
        assert (code, again["version"], again["run"], again["is_new"]) == (0, "v2", "seed 2", False)
        assert [(one.label, one.run) for one in kept(empty_place)] == [("v1", None), ("v2", "1"), ("v2", "seed 2")]

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("new.txt", "out.txt", "ref.txt", *NAMES, "--run", "1", "--run", "2"), "2 runs of 3 files of outputs"),
            (("new.txt", "out.txt", *NAMES, "--run", "1", "--run", "1 "), "a run is named twice"),
            (("new.txt", "out.txt", *NAMES[:4], "--run", "1", "--run", "2"), "runs of no system"),
            (("new.txt", "out.txt", *NAMES, "--run", "1"), "one name is given to several systems"),
            (("out.txt", *NAMES, "--run", "2"), "another run of this version has the same outputs"),
            (("new.txt", *NAMES, "--run", "1"), "other outputs have this label and run already"),
        ],
    )
    def test_what_is_no_run_is_refused(self, first, empty_place, words, said):
        assert first("out.txt", *NAMES, "--version", "v2", "--run", "1")[0] == 0
        code, out, err = first(*words, "--version", "v2")
        assert (code, out) == (2, "")
        assert said in err
        assert len(kept(empty_place)) == 2
