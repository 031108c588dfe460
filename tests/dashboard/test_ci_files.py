"""The files for CI that the documentation hands out, run as the hosts run them, as far as that goes without them.

What is run are the lines of the files, in bash, in a repository of Git, with the variables that a host sets. Other than
there: ``pip`` only notes what it is asked to install, ``bleuscope`` is the one of these tests, and its report is
checked and not made; ``gh`` and ``curl`` note what they are asked and answer as the hosts' interfaces do. Actions
(``uses``) are not run.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from defusedxml.ElementTree import parse

ROOT = Path(__file__).parents[2]
PATHS = f"{ROOT}{os.pathsep}{ROOT / 'dashboard'}"
FILES = ROOT / "docs" / "ci"
SAMPLE = ROOT / "sample_data"
N_SEGMENTS = 40
GOOD, BAD = "neural-40k", "literal"
RESULTS = ("output.txt", "junit.xml", "summary.md")

STUBS = {
    "python": """
if [ "$1 $2 $3" = "-m pip install" ]; then shift 3; echo "pip install $*" >> "$TOLD"; exit 0; fi
exec {python} "$@"
""",
    "bleuscope": """
if [ "$1" = report ]; then
    printf '%s\\n' "$@" > "$TOLD.report"
    while [ "$1" != --output ]; do shift; done
    echo made > "$2"
    exit 0
fi
exec env PYTHONPATH={paths} {python} -m bleuscope "$@"
""",
    "gh": """
echo "gh $*" >> "$TOLD"
case "$*" in *--paginate*) printf '%s' "$GH_FOUND";; esac
""",
    "curl": """
echo "curl $*" >> "$TOLD"
case "$*" in *--request*) ;; *) printf '%s' "$GITLAB_NOTES";; esac
""",
}


EXPRESSIONS = {
    "github.token": "secret",
    "github.event.pull_request.number": "7",
    "runner.os": "Linux",
    "hashFiles('.github/workflows/bleu.yml')": "9f2c",
}
"""What GitHub fills in."""
JUST_FINE = """
while [ $# -gt 0 ]; do
    case "$1" in --junit | --summary | --output) shift; echo made > "$1";; esac
    shift
done
"""
"""A ``bleuscope`` that says yes to everything."""
REFUSING = """
echo "bleuscope: new.txt: what is wrong. What to do." >&2
exit 2
"""
REPORT = (
    "report mt/baseline.txt bleu-results/output.txt --reference mt/reference.txt --source mt/source.txt "
    "--baseline mt/baseline.txt --output bleu-results/report.html"
)
"""What both hosts ask for beside the verdict."""


@dataclass
class Ended:
    """How a job ended.

    Attributes:
        code: 0 if it passed; the first exit code of a step else.
        folder: The repository, as it was left.
        told: What ``pip``, ``gh`` and ``curl`` were asked, a line each.
        summary: What GitHub's page of the job shows.
        kept: What was kept as an artefact: a folder, or files.
        output: What was printed.
    """

    code: int
    folder: Path
    told: list[str]
    summary: str = ""
    kept: list[str] = field(default_factory=list)
    output: str = ""


@pytest.fixture
def repository(tmp_path):
    """A repository of Git with a test set, a baseline and something that translates; commands are found in ``bin``."""
    bin_folder, folder = tmp_path / "bin", tmp_path / "repository"
    for name, text in STUBS.items():
        script = bin_folder / name
        script.parent.mkdir(exist_ok=True)
        filled = text.replace("{python}", shlex.quote(sys.executable)).replace("{paths}", shlex.quote(PATHS))
        script.write_text(f"#!/bin/sh\n{filled.strip()}\n", encoding="utf-8")
        script.chmod(0o755)
    (folder / "mt").mkdir(parents=True)
    for name, of_sample in (("source", "source"), ("reference", "reference-A"), ("baseline", GOOD)):
        write_beginning(folder / "mt" / f"{name}.txt", of_sample)
    translate = folder / "translate.sh"
    translate.write_text("#!/bin/sh\ncat > /dev/null\ncat model.txt\n", encoding="utf-8")
    translate.chmod(0o755)
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=folder, check=True, timeout=300)
    return folder


def write_beginning(path, of_sample):
    lines = (SAMPLE / f"{of_sample}.txt").read_text(encoding="utf-8").split("\n")[:N_SEGMENTS]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def put_in_place_of_bleuscope(repository, script):
    (repository.parent / "bin" / "bleuscope").write_text(f"#!/bin/sh\n{script}", encoding="utf-8")


def run_lines(command, text, folder, variables):
    """Run lines in bash: the exit code, and what is printed on both streams."""
    bin_folder = folder.parent / "bin"
    known = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    environment = known | {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "TOLD": str(folder.parent / "told")}
    done = subprocess.run(
        [*command, text],
        cwd=folder,
        env=environment | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout


def told(folder):
    path = folder.parent / "told"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


class GitHub:
    """Runs the job of github.yml step by step."""

    file = "github.yml"
    found = ("GH_FOUND", "31\n")
    posts = "gh pr comment 7 --repo mt/engine --body-file comment.md"
    edits = "--method PATCH repos/mt/engine/issues/comments/31"

    def run(self, folder, **given):
        workflow = yaml.safe_load((FILES / self.file).read_text(encoding="utf-8"))
        (job,) = workflow["jobs"].values()
        summary = folder.parent / "step-summary"
        variables = workflow["env"] | {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_REPOSITORY": "mt/engine",
            "GITHUB_STEP_SUMMARY": str(summary),
        }
        ended = Ended(0, folder, [])
        for step in job["steps"]:
            if not self._is_run(step.get("if", "success()"), folder, ended.code, is_fork="is_fork" in given):
                continue
            with_values = {name: self._filled(value) for name, value in step.get("with", {}).items()}
            if "upload-artifact" in step.get("uses", ""):
                ended.kept += [with_values["path"]]
            if "run" in step:
                own = {name: self._filled(value) for name, value in step.get("env", {}).items()}
                stubbed = {name: value for name, value in given.items() if name != "is_fork"}
                code, output = run_lines(["bash", "-e", "-c"], step["run"], folder, variables | own | stubbed)
                ended.code, ended.output = ended.code or code, ended.output + output
        ended.told = told(folder)
        ended.summary = summary.read_text(encoding="utf-8") if summary.exists() else ""
        return ended

    def _filled(self, text):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: EXPRESSIONS[found[1]], text)

    @staticmethod
    def _is_run(condition, folder, code, *, is_fork):
        """Whether a step is run; each part of a condition has to be one of these."""
        values = []
        for part in condition.split(" && "):
            files = re.fullmatch(r"hashFiles\('(.*)'\) != ''", part)
            if files:
                values.append((folder / files[1]).exists())
            else:
                known = {
                    "success()": code == 0,
                    "always()": True,
                    "!github.event.pull_request.head.repo.fork": not is_fork,
                }
                values.append(known[part])
        return all(values)


class GitLab:
    """Runs the job of gitlab.yml: its lines as one script, and then what comes after it."""

    file = "gitlab.yml"
    found = ("GITLAB_NOTES", json.dumps([{"id": 5, "body": "x"}, {"id": 31, "body": "<!-- bleuscope -->"}]))
    posts = (
        "curl --fail --silent --show-error --header PRIVATE-TOKEN: secret --request POST --data-urlencode "
        "body@comment.md --output answer.json https://gitlab.example.org/api/v4/projects/12/merge_requests/7/notes"
    )
    edits = "--request PUT --data-urlencode body@comment.md"

    def run(self, folder, **given):
        (job,) = yaml.safe_load((FILES / self.file).read_text(encoding="utf-8")).values()
        set_by_host = {
            "CI": "true",
            "GITLAB_CI": "true",
            "CI_PROJECT_DIR": str(folder),
            "CI_API_V4_URL": "https://gitlab.example.org/api/v4",
            "CI_PROJECT_ID": "12",
            "CI_MERGE_REQUEST_IID": "7",
            "CI_PIPELINE_SOURCE": "merge_request_event",
            "BLEUSCOPE_COMMENT_TOKEN": "" if "is_fork" in given else "secret",
            "GITLAB_NOTES": "[]",
        }
        variables = set_by_host | {
            name: value.replace("$CI_PROJECT_DIR", str(folder)) for name, value in job["variables"].items()
        }
        variables |= {name: value for name, value in given.items() if name != "is_fork"}
        lines = "\n".join([*job["before_script"], *job["script"]])
        code, output = run_lines(["bash", "-eo", "pipefail", "-c"], lines, folder, variables)
        _, after = run_lines(["bash", "-eo", "pipefail", "-c"], "\n".join(job["after_script"]), folder, variables)
        artefacts = job["artifacts"]
        assert artefacts["when"] == "always"
        assert (folder / artefacts["reports"]["junit"]).exists() is (folder / "bleu-results/summary.md").exists()
        return Ended(code, folder, told(folder), kept=artefacts["paths"], output=output + after)


HOSTS = pytest.mark.parametrize("host", [GitHub(), GitLab()], ids=["github", "gitlab"])


@HOSTS
def test_a_regression_fails_and_is_said_in_a_comment(host, repository):
    write_beginning(repository / "model.txt", BAD)
    ended = host.run(repository)
    assert ended.code == 1, ended.output
    assert all((repository / "bleu-results" / name).exists() for name in RESULTS)
    assert ended.kept == ["bleu-results"]
    assert parse(repository / "bleu-results" / "junit.xml").find(".//failure") is not None
    comment = (repository / "comment.md").read_text(encoding="utf-8")
    assert comment.startswith("<!-- bleuscope -->\n### BLEU\\: output is worse than baseline\n")
    if isinstance(host, GitHub):
        assert comment == f"<!-- bleuscope -->\n{ended.summary}"
    install, _, posted = ended.told
    assert install == "pip install bleuscope[dashboard] @ git+https://git.example.org/mt/bleuscope@v0.1.0"
    assert posted == host.posts
    assert (repository.parent / "told.report").read_text(encoding="utf-8").split() == REPORT.split()


def test_the_report_that_is_asked_for_is_made(repository, bleuscope, monkeypatch):
    (repository / "bleu-results").mkdir()
    write_beginning(repository / "bleu-results" / "output.txt", BAD)
    monkeypatch.chdir(repository)
    assert bleuscope(*REPORT.split()) == (0, "", "")
    assert "<html" in (repository / "bleu-results" / "report.html").read_text(encoding="utf-8")


@HOSTS
def test_the_same_texts_pass_and_the_comment_is_written_anew(host, repository):
    write_beginning(repository / "model.txt", GOOD)
    ended = host.run(repository, **dict([host.found]))
    assert ended.code == 0, ended.output
    assert parse(repository / "bleu-results" / "junit.xml").find(".//failure") is None
    assert (repository / "bleu-results" / "report.html").exists()
    assert "output is worse" not in (repository / "comment.md").read_text(encoding="utf-8")
    assert host.edits in ended.told[-1]
    assert len(ended.told) == 3


@HOSTS
def test_input_that_has_to_be_mended_fails_with_what_to_do_and_no_comment(host, repository):
    write_beginning(repository / "model.txt", GOOD)
    put_in_place_of_bleuscope(repository, REFUSING)
    ended = host.run(repository)
    assert (ended.code, ended.output) == (2, "bleuscope: new.txt: what is wrong. What to do.\n")
    assert ended.kept == ["bleu-results"]
    assert [line.split()[0] for line in ended.told] == ["pip"]


@HOSTS
def test_nothing_is_asked_of_a_host_without_the_right_to_comment(host, repository):
    write_beginning(repository / "model.txt", GOOD)
    put_in_place_of_bleuscope(repository, JUST_FINE)
    ended = host.run(repository, is_fork="yes")
    assert ended.code == 0, ended.output
    assert [line.split()[0] for line in ended.told] == ["pip"]


@pytest.mark.parametrize("name", ["github.yml", "gitlab.yml"])
def test_what_is_run_is_what_the_page_shows(name):
    page = (ROOT / "docs" / "howto" / "ci.md").read_text(encoding="utf-8")
    assert f"```{{literalinclude}} ../ci/{name}\n" in page


PINNED_ACTION = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
PINNED_IMAGE = re.compile(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}")
OURS = "bleuscope:"
"""The image that is built from the files next to it."""


def named_in_files(word):
    """What stands behind a word and a colon in every file for CI and containers, and in every page of documentation."""
    folders = [ROOT / name for name in ("docs", "deploy", ".github", ".ci")]
    files = [file for folder in folders for ending in ("*.yml", "*.yaml", "*.md") for file in folder.rglob(ending)]
    files += [*ROOT.glob("*.md"), *ROOT.glob(".*.y*ml")]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [found[1] for line in lines if (found := re.fullmatch(rf"\s*-?\s*{word}:\s+(\S.*)", line))]


def test_every_action_is_named_by_its_commit():
    """Whoever owns a tag can move it to other code; a commit stays what it is."""
    actions = named_in_files("uses")
    assert len(actions) >= 4
    assert [one for one in actions if not PINNED_ACTION.fullmatch(one)] == []


def test_every_image_of_others_is_named_by_its_digest():
    images = [one for one in named_in_files("image") if not one.startswith(OURS)]
    assert len(images) >= 3
    assert [one for one in images if not PINNED_IMAGE.fullmatch(one)] == []
