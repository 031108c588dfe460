"""The HTTP API: who may ask for what, what it keeps, and that nothing sent to it costs more than it should."""

import asyncio
import gzip
import itertools
import json
import re
import time
import zlib
from datetime import timedelta
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from starlette.applications import Starlette

from bleucore import BleuOptions
from bleucore.significance import SignificanceOptions
from bleuscope.features.projects import scoring_ahead
from bleuscope.features.projects.api import bodies, openapi
from bleuscope.features.projects.api import routes as api_routes
from bleuscope.features.projects.api.operations import BASE, DESCRIPTION, OPERATIONS
from bleuscope.shell.server.auth_middleware import Gate
from bleuscope.shell.server.hosts import announced
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import WorkspacePlace, tokens
from bleuscope.workspace.columns import now
from bleuscope.workspace.people import LOCAL, Identity

PORT = 8501
OF_SERVER = "the-token-of-the-server"
TEST_SET = {
    "references": [{"name": "A", "segments": ["a house", "two", "x"]}],
    "source": ["Haus", "zwei", "x"],
    "labels": {"domain": ["news", "news", "chat"]},
    "languages": ["de", "en"],
}
VERSION = {"system": "base", "version": "v1", "outputs": ["house", "two", ""], "step": 3, "config": {"lr": 1}}
PLACE = f"{BASE}/projects/en-de/test-sets/news"
BODIES = {"putTestSet": TEST_SET, "pushVersion": VERSION}


_spec = spec_from_file_location("disks", Path(__file__).parents[3] / "workspace" / "disks.py")
disks = module_from_spec(_spec)
_spec.loader.exec_module(disks)


class Reply:
    """What came back."""

    def __init__(self, sent):
        self.status = sent[0]["status"]
        self.headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        self.body = b"".join(one.get("body", b"") for one in sent[1:])

    @property
    def json(self):
        return json.loads(self.body)


class Server:
    """The API behind the gate, with a workspace in which the test set is kept."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.me = workspace.people.person(LOCAL)
        self.project = workspace.projects.make("en-de", self.me)
        self.write, _ = workspace.tokens.make(self.project, self.me, "write")
        self.read, _ = workspace.tokens.make(self.project, self.me, "read")
        self.app = Gate(
            Starlette(routes=api_routes.routes()), announced("127.0.0.1", PORT), token=OF_SERVER, pages=("scores",)
        )
        self.n_read = 0

    def ask(self, method, path, document=None, *, token=None, body=None, query="", pieces=None, **headers):
        given = {"host": f"127.0.0.1:{PORT}"}
        given |= {} if token is None else {"authorization": f"Bearer {token}"}
        content = json.dumps(document).encode() if document is not None else body or b""
        given |= {} if document is None and body is None and pieces is None else {"content-type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        waiting, sent = list(pieces or [content]), []

        async def receive():
            self.n_read += 1
            piece = waiting.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(waiting)}

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in given.items() if value is not None],
            "server": ("127.0.0.1", PORT),
            "client": ("127.0.0.1", 1),
            "scheme": "http",
            "http_version": "1.1",
            "asgi": {"version": "3.0"},
        }
        asyncio.run(self.app(scope, receive, send))
        return Reply(sent)

    def put(self, document=TEST_SET, name="news", **more):
        return self.ask("PUT", f"{BASE}/projects/en-de/test-sets/{name}", document, token=self.write, **more)

    def push(self, document=VERSION, **more):
        return self.ask("POST", f"{PLACE}/versions", document, token=self.write, **more)

    def versions(self):
        return self.workspace.projects.versions(self.project)


@pytest.fixture
def server(empty_place):
    workspace_in_use.use(empty_place, is_shared=False)
    yield Server(workspace_in_use.workspace())
    workspace_in_use.use(None, is_shared=False)


def assert_problem(reply, status):
    assert reply.status == status, reply.body
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.headers["cache-control"] == "no-store"
    validate(reply.json, schema("Problem"))
    assert reply.json["status"] == status


def validate(document, schema):
    import jsonschema  # here: it takes two seconds in every process of tests

    jsonschema.validate(document, schema)


def schema(name):
    return {"$ref": f"#/components/schemas/{name}", "components": openapi.document()["components"]}


def path_of(operation, project="en-de"):
    return BASE + operation.path.format(project=project, test_set="news")


class TestFullDisk:
    """A disk without room takes nothing, and what is there can be asked for."""

    @pytest.fixture
    def full(self, tmp_path):
        with disks.small_disk(tmp_path / "disk", 32 * 2**20) as folder:
            workspace_in_use.use(WorkspacePlace(folder / "workspace"), is_shared=False)
            server = Server(workspace_in_use.workspace())
            server.put()
            disks.fill(folder)
            yield server
            workspace_in_use.use(None, is_shared=False)

    def test_a_push_is_refused_whole(self, full):
        blobs = set(full.workspace.blobs.all())
        large = {**VERSION, "outputs": ["x" * 100_000, "y", "z"]}
        for document in (VERSION, large):
            reply = full.push(document)
            assert_problem(reply, 507)
            assert reply.json["problem"] == "the workspace of the server: there is no more room on the disk"
        assert full.versions() == ()
        assert (set(full.workspace.blobs.all()), list(full.workspace.blobs.unfinished())) == (blobs, [])

    def test_what_is_there_is_read(self, full):
        assert full.ask("GET", f"{PLACE}/versions", token=full.read).status == 200

    def test_a_server_that_starts_on_it_answers_the_same(self, full):
        workspace_in_use.use(full.workspace.place, is_shared=False)
        full.workspace = workspace_in_use.workspace()
        assert_problem(full.push(), 507)
        assert full.ask("GET", f"{PLACE}/versions", token=full.read).status == 200


class TestVersions:
    def test_are_kept_once_with_their_test_set(self, server):
        reply = server.put()
        assert (reply.status, reply.json["is_new"], reply.json["n_segments"]) == (201, True, 3)
        assert (server.put().status, server.put().json["is_new"]) == (200, False)
        reply = server.push()
        assert (reply.status, reply.json["is_new"], reply.json["is_kept"]) == (201, True, True)
        again = server.push()
        assert (again.status, again.json) == (200, {**reply.json, "is_new": False})
        (version,) = server.versions()
        assert server.workspace.projects.outputs(version) == ("house", "two", "")
        assert (version.step, version.config, version.digest) == (3, {"lr": 1}, reply.json["digest"])

    def test_are_scored_by_themselves(self, server):
        server.put()
        digest, until = server.push().json["digest"], time.monotonic() + 120
        results = server.workspace.results
        of = results.scored_set(server.workspace.projects.test_set(server.project, "news"), BleuOptions())
        while not (found := results.find(of, SignificanceOptions())):
            assert time.monotonic() < until
            time.sleep(0.01)
        assert set(found) == {digest}

    def test_are_listed_as_the_description_says(self, server):
        server.put()
        server.push()
        server.push({**VERSION, "system": "other"})
        for path, name in ((f"{BASE}/projects/en-de/test-sets", "TestSets"), (f"{PLACE}/versions", "Versions")):
            reply = server.ask("GET", path, token=server.read)
            assert reply.status == 200
            validate(reply.json, schema(name))
        one = server.ask("GET", f"{PLACE}/versions", token=server.read, query="system=other").json["versions"]
        assert [version["system"] for version in one] == ["other"]
        validate(server.push().json, schema("Pushed"))
        validate(server.put().json, schema("TestSet"))

    def test_come_as_lines_packed_or_not(self, server):
        segments = [
            {"references": [reference], "source": source, "labels": {"domain": label}}
            for reference, source, label in zip(
                TEST_SET["references"][0]["segments"], TEST_SET["source"], TEST_SET["labels"]["domain"], strict=True
            )
        ]
        lines = "\n".join(json.dumps(one) for one in segments).encode()
        assert server.put(None, body=lines, content_type="application/jsonl").status == 201
        assert server.put().json["is_new"] is False
        head = {name: value for name, value in VERSION.items() if name != "outputs"}
        rows = "\n".join(json.dumps(one) for one in (head, *VERSION["outputs"])).encode() + b"\n"
        packed = gzip.compress(rows[:20], mtime=0) + gzip.compress(rows[20:], mtime=0)
        reply = server.push(None, body=packed, content_type="application/x-ndjson", content_encoding="gzip")
        assert (reply.status, server.push().status) == (201, 200)

    @pytest.mark.parametrize("name", ["a/b", "versions", "wmt22 en-de", "été ☃"])
    def test_go_to_test_sets_of_any_name(self, server, name):
        assert server.put(name=name).json["test_set"] == name
        reply = server.ask("POST", f"{BASE}/projects/en-de/test-sets/{name}/versions", VERSION, token=server.write)
        assert (reply.status, reply.json["test_set"]) == (201, name)

    def test_can_be_tried(self, server):
        reply = server.put(query="dry_run=true")
        assert (reply.status, reply.json["is_new"], reply.json["is_kept"]) == (200, True, False)
        assert server.workspace.projects.test_sets(server.project) == ()
        server.put()
        assert server.put(query="dry_run=true").json["is_kept"] is True
        reply = server.push(query="dry_run=true")
        assert (reply.status, reply.json["is_new"], reply.json["is_kept"]) == (200, True, False)
        assert server.versions() == ()
        server.push()
        assert_problem(server.push({**VERSION, "outputs": ["x"] * 3}, query="dry_run=true"), 409)

    def test_are_refused_with_what_to_do(self, server):
        assert_problem(server.push(), 404)
        server.put()
        server.push()
        assert_problem(conflict := server.push({**VERSION, "outputs": ["x"] * 3}), 409)
        assert conflict.json["remedy"].startswith("Push under another label")
        assert_problem(short := server.push({**VERSION, "version": "v2", "outputs": ["x"], "file": "out.txt"}), 422)
        assert (short.json["where"], short.json["found"]) == ("out.txt", "1")
        assert_problem(other := server.put({**TEST_SET, "source": ["Haus", "drei", "x"]}), 409)
        assert (other.json["line"], other.json["found"]) == (2, "'drei'")
        assert len(server.versions()) == 1


@pytest.fixture
def nothing_is_scored_ahead(monkeypatch):
    """A push scores nothing by itself."""
    monkeypatch.setattr(scoring_ahead, "ask", lambda *_: None)


class TestLeaderboard:
    PATH = f"{PLACE}/leaderboard.json"

    def ask(self, server, **more):
        return server.ask("GET", self.PATH, token=server.read, **more)

    @pytest.fixture
    def filled(self, server):
        server.put()
        for system, version, outputs in (
            ("base", "v1", ["a house", "two", "x"]),
            ("base", "v2", ["a mouse", "two", "x"]),
            ("other", "v1", ["a house", "too", "x"]),
        ):
            server.push({"system": system, "version": version, "outputs": outputs})
        return server

    def test_has_the_numbers_of_the_command_best_first(self, filled, bleuscope):
        reply = self.ask(filled)
        assert reply.status == 200
        validate(reply.json, schema("Leaderboard"))
        _, printed, _ = bleuscope(
            *("history", "--project", "en-de", "--test-set", "news", "--format", "json"),
            *("--workspace", str(filled.workspace.place.folder)),
        )
        said = json.loads(printed)
        latest = {one["name"]: one["versions"][-1] for one in said["systems"]}
        assert (reply.json["signature"], reply.json["digest"]) == (said["signature"], said["digest"])
        for row in reply.json["systems"]:
            expected = latest[row["name"]]
            assert {name: row[name] for name in ("version", "digest", "bleu", "interval")} == {
                name: expected[name] for name in ("version", "digest", "bleu", "interval")
            }
        scores = [row["bleu"] for row in reply.json["systems"]]
        assert scores == sorted(scores, reverse=True)
        assert [row["n_versions"] for row in sorted(reply.json["systems"], key=lambda row: row["name"])] == [2, 1]

    def test_has_the_best_versions_where_these_are_asked_for(self, filled):
        best = {row["name"]: row["version"] for row in self.ask(filled, query="which=best").json["systems"]}
        assert best == {"base": "v1", "other": "v1"}
        assert_problem(refused := self.ask(filled, query="which=<b>"), 422)
        assert refused.json["expected"] == "latest or best"

    def test_has_the_mean_of_several_runs(self, filled):
        for run, outputs in (("1", ["a house", "two", "y"]), ("2", ["b mouse", "twain", "y"])):
            said = {"system": "base", "version": "v3", "run": run, "outputs": outputs}
            reply = filled.push(said)
            assert (reply.status, reply.json["run"]) == (201, run)
            validate(reply.json, schema("Pushed"))
            assert filled.push(said).status == 200
        assert filled.push({"system": "base", "version": "v3", "run": "3", "outputs": outputs}).status == 409
        listed = filled.ask("GET", f"{PLACE}/versions", token=filled.read)
        validate(listed.json, schema("Versions"))
        assert [(one["version"], one["run"]) for one in listed.json["versions"]][-3:-1] == [("v3", "1"), ("v3", "2")]
        for which in ("latest", "best"):
            reply = self.ask(filled, query=f"which={which}")
            validate(reply.json, schema("Leaderboard"))
        (base,) = (row for row in self.ask(filled).json["systems"] if row["name"] == "base")
        assert (base["version"], base["n_runs"], base["n_versions"]) == ("v3", 2, 3)
        assert (base["bleu"], base["deviation"]) == (0, 0)

    def test_scores_what_stands_there_and_nothing_twice(self, nothing_is_scored_ahead, filled, monkeypatch):
        scored = []
        real = type(filled.workspace.results)._made
        monkeypatch.setattr(
            type(filled.workspace.results),
            "_made",
            lambda results, of, versions, *more: scored.extend(versions) or real(results, of, versions, *more),
        )
        self.ask(filled)
        self.ask(filled)
        assert sorted((one.system, one.label) for one in scored) == [("base", "v2"), ("other", "v1")]

    def test_is_not_sent_again_to_who_has_it(self, filled):
        first = self.ask(filled)
        tag = first.headers["etag"]
        for known in (tag, f'"x", W/{tag}', "*"):
            again = self.ask(filled, if_none_match=known)
            assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
        assert self.ask(filled, if_none_match='"x"').body == first.body
        filled.push({"system": "third", "version": "v1", "outputs": ["a", "b", "c"]})
        assert self.ask(filled, if_none_match=tag).status == 200

    def test_of_nothing_is_empty(self, server):
        assert_problem(self.ask(server), 404)
        server.put()
        assert self.ask(server).json["systems"] == []


class TestRights:
    def shown(self, server, monkeypatch):
        """What somebody may show, with what comes of it for a reading and a writing operation."""
        other = server.workspace.projects.make("other", server.me)
        foreign, _ = server.workspace.tokens.make(other, server.me, "write")
        revoked, row = server.workspace.tokens.make(server.project, server.me, "write")
        server.workspace.tokens.revoke(server.project, row.id, server.me)
        expired, _ = server.workspace.tokens.make(server.project, server.me, "write", days=1)
        later = now() + timedelta(days=2)
        monkeypatch.setattr(tokens, "now", lambda: later)
        return {
            "write": ({"token": server.write}, (), ()),
            "read": ({"token": server.read}, (), 403),
            "of another project": ({"token": foreign}, 404, 404),
            "revoked": ({"token": revoked}, 401, 401),
            "expired": ({"token": expired}, 401, 401),
            "nothing": ({}, 401, 401),
            "no token": ({"token": "bls_" + "x" * 43}, 401, 401),
            "the server's own": ({"token": OF_SERVER}, 401, 401),
            "two": ({"authorization": f"Bearer {server.write}, Bearer {server.write}"}, 401, 401),
            "another kind": ({"authorization": f"Basic {server.write}"}, 401, 401),
            "a cookie": ({"cookie": f"bleuscope-{PORT}={OF_SERVER}; token={server.write}"}, 401, 401),
            "in the address": ({"query": f"token={server.write}"}, 401, 401),
        }

    def test_are_asked_for_by_every_operation(self, server, monkeypatch):
        server.put()
        shown = self.shown(server, monkeypatch)
        for operation, (name, (how, reads, writes)) in itertools.product(OPERATIONS, shown.items()):
            refused = writes if operation.right == "write" else reads
            server.n_read = 0
            reply = server.ask(operation.method, path_of(operation), BODIES.get(operation.name), **how)
            if refused:
                assert_problem(reply, refused)
                assert server.n_read == 0, f"{operation.name} read the body of {name}"
                assert (reply.status == 401) == ("www-authenticate" in reply.headers)
            else:
                assert reply.status in (200, 201), (operation.name, name, reply.body)

    def test_of_a_token_end_with_those_of_whoever_made_it(self, server):
        access, ann = server.workspace.access, server.workspace.people.person(Identity("proxy", "ann"))
        access.give(server.me, "en-de", ann, "owner")
        token, _ = server.workspace.tokens.make(server.project, ann, "write")
        server.put()
        for role, status in (("owner", 201), ("writer", 201), ("reader", 403), (None, 404)):
            if role is None:
                access.take(server.me, "en-de", ann)
            else:
                access.give(server.me, "en-de", ann, role)
            new = {**VERSION, "version": f"by {role}"}
            assert server.ask("POST", f"{PLACE}/versions", new, token=token).status == status

    def test_tell_a_project_of_others_from_none_in_nothing(self, server):
        server.workspace.projects.make("other", server.me)
        for operation in OPERATIONS:
            there, none = (
                server.ask(operation.method, path_of(operation, project), {}, token=server.write)
                for project in ("other", "nulla")
            )
            assert_problem(there, 404)
            assert there.body.replace(b"other", b"nulla") == none.body

    @pytest.mark.parametrize("path", [DESCRIPTION, "/api/", "/api/v1", "/api/v2/projects", "/api/v1/projects"])
    def test_are_asked_for_everywhere_else_too(self, server, path):
        assert_problem(server.ask("GET", path), 401)
        assert server.ask("GET", path, token=server.read).status == (200 if path == DESCRIPTION else 404)

    def test_mean_nothing_under_a_foreign_name_or_from_a_foreign_page(self, server):
        for headers in ({"host": "evil.example:8501"}, {"origin": "http://evil.example"}):
            assert server.ask("GET", DESCRIPTION, token=server.write, **headers).status == 403

    def test_other_methods_are_told_which_there_are(self, server):
        for operation in OPERATIONS:
            reply = server.ask("DELETE", path_of(operation), token=server.write)
            assert_problem(reply, 405)
            assert operation.method in reply.headers["allow"]

    def test_without_a_workspace_there_is_nothing(self, server):
        workspace_in_use.use(None, is_shared=False)
        assert_problem(server.ask("GET", DESCRIPTION, token=server.write), 401)


class TestHostileBodies:
    @pytest.mark.parametrize(
        ("body", "status"),
        [
            (b"", 400),
            (b"{", 400),
            (b"[1", 400),
            (b"\xff\xfe", 400),
            (b"NaN", 400),
            (b'{"config": Infinity}', 400),
            (b"[" * 100_000, 400),
            (b'{"a":' * 100_000, 400),
            (b'{"step": ' + b"9" * 5000 + b"}", 400),
            (b"[]", 400),
            (b'"text"', 400),
            (b"{}", 422),
            (b'{"system": null}', 422),
        ],
    )
    def test_that_are_no_version_are_refused(self, server, body, status):
        server.put()
        assert_problem(server.push(None, body=body), status)

    @pytest.mark.parametrize(
        "change",
        [
            {"system": "x" * 10_000_000},
            {"version": "\0"},
            {"version": "\ud800"},
            {"system": "a\nb"},
            {"outputs": ["\ud800", "", ""]},
            {"outputs": []},
            {"outputs": ["x"] * 100_000},
            {"outputs": [1, 2, 3]},
            {"tags": ["\x1b[31m"]},
            {"config": {"x": "x" * 300_000}},
            {"config": {"x": 1e400}},
            {"step": 2**70},
            {"step": -1},
            {"made_at": "9999-12-31T23:59:59-14:00"},
            {"made_at": "2026-11-23T08:00:00"},
            {"nothing": 1},
        ],
        ids=str,
    )
    def test_with_such_a_field_are_refused(self, server, change):
        server.put()
        body = re.sub(rb"\bInfinity\b", b"1e999", json.dumps({**VERSION, **change}).encode())
        reply = server.push(None, body=body)
        assert_problem(reply, 422)
        assert len(reply.body) < 3_000
        assert server.versions() == ()

    def test_keep_what_a_text_may_hold(self, server):
        server.put()
        outputs = ["\0", "\u202e\u2028", "\U0001f600 '); DROP TABLE version;--"]
        assert server.push({**VERSION, "outputs": outputs, "config": {"\ud800": "\0"}}).status == 201
        (version,) = server.versions()
        assert server.workspace.projects.outputs(version) == tuple(outputs)
        assert json.loads(server.ask("GET", f"{PLACE}/versions", token=server.read).body)["versions"][0]["config"] == {
            "\ud800": "\0"
        }

    def test_that_say_they_are_too_long_are_not_read(self, server):
        for length in (str(bodies.MOST_BYTES + 1), "9" * 5000):
            server.n_read = 0
            assert_problem(server.push(None, body=b"{}", content_length=length), 413)
            assert server.n_read == 0

    def test_that_turn_out_too_long_are_dropped_where_they_do(self, server, monkeypatch):
        monkeypatch.setattr(bodies, "MOST_BYTES", 1000)
        assert_problem(server.push(None, pieces=[b"x" * 400] * 50), 413)
        assert server.n_read == 3

    def test_that_unpack_to_more_than_they_may_are_dropped_there(self, server, monkeypatch):
        bomb = gzip.compress(bytes(40_000_000))
        monkeypatch.setattr(bodies, "MOST_UNPACKED", 10_000_000)
        asked = []
        real = zlib.decompressobj

        class Watched:
            def __init__(self, **options):
                self._real = real(**options)

            def decompress(self, data, most):
                asked.append(most)
                return self._real.decompress(data, most)

            def __getattr__(self, name):
                return getattr(self._real, name)

        monkeypatch.setattr(bodies.zlib, "decompressobj", Watched)
        assert_problem(server.push(None, body=bomb, content_encoding="gzip"), 413)
        assert sum(asked) < 20_000_000

    @pytest.mark.parametrize(
        "body",
        [
            b"no gzip",
            gzip.compress(b"{}", mtime=0)[:-4],
            gzip.compress(b"{}", mtime=0)[:5],
            gzip.compress(b"", mtime=0) * 1000,
        ],
    )
    def test_that_cannot_be_unpacked_are_refused(self, server, body):
        assert_problem(server.push(None, body=body, content_encoding="gzip"), 400)

    @pytest.mark.parametrize("body", [b"[" + b"[]," * 40_000 + b"0]", b'{"a":[' + b'"",' * 90_000 + b'""]}'])
    def test_of_brackets_and_commas_cost_no_values(self, server, body, monkeypatch):
        monkeypatch.setattr(bodies, "MOST_STRUCTURE", bodies.MOST_STRUCTURE // 100)
        monkeypatch.setattr(bodies, "_value", lambda *_: pytest.fail("made into values"))
        assert_problem(server.push(None, body=body), 413)

    def test_of_texts_are_looked_at_once_whatever_stands_in_them(self, monkeypatch):
        monkeypatch.setattr(bodies, "MOST_STRUCTURE", 100)
        for body in (b'"' + b'\\"' * 2_000_000, b'"' + b"\\\\" * 2_000_000, b'"' * 81 + b'\\"' * 2_000_000 + b"\\"):
            bodies._refuse_structure(body)  # quadratic, it would not come to an end
        with pytest.raises(bodies.ProblemError):
            bodies._refuse_structure(b'["\\"[[[", ' + b"[" * 200)

    @pytest.mark.parametrize(
        "headers",
        [
            {"content_type": "text/plain"},
            {"content_type": None},
            {"content_encoding": "br"},
            {"content_type": "a" * 500},
        ],
    )
    def test_of_another_kind_are_refused(self, server, headers):
        assert_problem(server.push(**headers), 415)

    @pytest.mark.parametrize(
        "lines",
        [b"", b"1", b'"a"', b'{"outputs": []}', b'{"system":"s"}\n{', b'{"system":"s","version":"v"}\n1\n2\n3'],
    )
    def test_of_lines_that_are_no_version_are_refused(self, server, lines):
        server.put()
        reply = server.push(None, body=lines, content_type="application/jsonl")
        assert reply.status in (400, 422)
        assert_problem(reply, reply.status)

    @pytest.mark.parametrize(
        "lines",
        [
            b"",
            b"1",
            b'{"references": ["a"]}\n{"references": ["a", "b"]}',
            b'{"references": ["a"]}\n{"references": "a"}',
            b'{"references": ["a"]}\n{"source": "a"}',
            b'{"labels": {"x": "a"}, "references": ["b"]}\n{"labels": ["x"], "references": ["b"]}',
            b'{"labels": "x", "references": ["b"]}',
            b'{"references": "b"}',
            b'{"references": [["b"]]}',
            b'{"reference": "b"}',
        ],
    )
    def test_of_lines_that_are_no_test_set_are_refused(self, server, lines):
        reply = server.put(None, body=lines, content_type="application/jsonl")
        assert reply.status in (400, 404, 422)
        assert_problem(reply, reply.status)

    def test_a_fault_of_ours_says_so_and_shows_nothing_of_it(self, server, monkeypatch, caplog):
        server.put()
        monkeypatch.setattr(type(server.workspace.projects), "push", lambda *_: 1 / 0)
        assert_problem(reply := server.push(), 500)
        assert b"ZeroDivision" not in reply.body
        assert "ZeroDivisionError" in caplog.text

    def test_a_workspace_that_cannot_be_used_asks_to_come_back(self, server):
        server.put()
        server.workspace.holdings._most_bytes = 0
        assert_problem(server.push(), 507)
        server.workspace.blobs.folder.rename(server.workspace.blobs.folder.with_name("gone"))
        assert_problem(reply := server.put({**TEST_SET, "source": ["a", "b", "c"]}), 503)
        assert int(reply.headers["retry-after"]) > 0
        assert str(server.workspace.place.folder).encode() not in reply.body
        assert reply.json["remedy"].startswith("Tell whoever runs the server")


class TestDescription:
    def test_operations_have_a_name_for_programs_and_a_summary_for_people(self):
        for operation in OPERATIONS:
            assert re.fullmatch(r"[a-z]+(?:[A-Z][a-z]+)*", operation.name), operation.name
            assert re.fullmatch(r"[A-Z].*\.", operation.summary), operation.summary
        assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)

    def test_is_openapi(self, server):
        import openapi_spec_validator

        reply = server.ask("GET", DESCRIPTION, token=server.read)
        assert reply.json == openapi.document()
        assert reply.json["openapi"].startswith("3.1")
        openapi_spec_validator.validate(reply.json)

    def test_holds_every_operation_and_every_status_that_it_may_have(self):
        paths = openapi.document()["paths"]
        for operation in OPERATIONS:
            said = paths[operation.path][operation.method.lower()]
            assert said["operationId"] == operation.name
            assert {"200", "401", "403", "404", "503"} <= set(said["responses"])
            assert ("requestBody" in said) == (operation.body is not None)
        assert len(OPERATIONS) == sum(len(set(path) - {"parameters"}) for path in paths.values())

    def test_fits_what_programs_send(self):
        from jsonschema import ValidationError

        validate(TEST_SET, schema("NewTestSet"))
        validate(VERSION, schema("NewVersion"))
        with pytest.raises(ValidationError):
            validate({**VERSION, "stepp": 1}, schema("NewVersion"))
