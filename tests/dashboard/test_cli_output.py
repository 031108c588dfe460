"""Where a command writes to: files are complete or not there at all, and pipes may close."""

import json
import os
import pty
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from bleucore import InputError
from bleuscope.cli import streams
from bleuscope.cli.command import COMMANDS
from bleuscope.cli.files_out import refuse_unwritable, write_file
from bleuscope.cli.output import Output
from bleuscope.cli.streams import print_result, progress
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.sheets.writers import write_text
from bleuscope.content.style.invisible import OBEYED
from bleuscope.workspace import open_workspace
from bleuscope.workspace.people import Identity

SCORE = ["score", "--sample", "-f", "json"]


def start(*arguments, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "bleuscope", *arguments],
        stderr=subprocess.PIPE,
        preexec_fn=settings.pop("before", None),  # noqa: PLW1509  # one thread here
        **settings,
    )


def hear_interrupts():
    """A process started in the background may have been told to ignore them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def bound_files():
    """As on a disk with room for a few bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def no_files():
    """As on a disk without any room."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


class TestWriting:
    def test_a_new_file_has_the_permissions_that_the_user_gives_new_files(self, tmp_path):
        before = os.umask(0o027)
        try:
            write_file(tmp_path / "new", b"content")
        finally:
            os.umask(before)
        assert (tmp_path / "new").read_bytes() == b"content"
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640

    def test_a_file_that_is_there_keeps_its_permissions(self, tmp_path):
        path = tmp_path / "old"
        path.write_bytes(b"before")
        path.chmod(0o600)
        write_file(path, b"after")
        assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"after", 0o600)

    def test_a_link_goes_on_pointing_where_it_did(self, tmp_path):
        (tmp_path / "target").write_bytes(b"before")
        (tmp_path / "link").symlink_to("target")
        write_file(tmp_path / "link", b"after")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "target").read_bytes() == b"after"

    def test_a_reader_sees_the_old_content_or_the_new_one(self, tmp_path):
        path = tmp_path / "file"
        path.write_bytes(b"before")
        with path.open("rb") as reader:
            write_file(path, b"after" * 1000)
            assert reader.read() == b"before"

    def test_what_is_no_ordinary_file_is_written_to_as_it_is(self, tmp_path):
        path = tmp_path / "pipe"
        os.mkfifo(path)
        reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            write_file(path, b"content")
            assert os.read(reading, 100) == b"content"
        finally:
            os.close(reading)
        assert stat.S_ISFIFO(path.stat().st_mode)

    @pytest.mark.parametrize(
        ("name", "found"),
        [
            ("", "it is a folder"),
            ("nowhere/file", "the folder .*nowhere does not exist"),
            ("file/file", "the folder .*file is no folder"),
            ("x" * 300, "file name too long"),
        ],
    )
    def test_a_place_that_cannot_be_is_refused(self, tmp_path, name, found):
        (tmp_path / "file").write_bytes(b"before")
        for writes in (refuse_unwritable, lambda path: write_file(path, b"after")):
            with pytest.raises(InputError, match=f"the file cannot be written \\(found {found}\\)"):
                writes(tmp_path / name)
        assert [path.name for path in tmp_path.iterdir()] == ["file"]

    def test_a_full_disk_leaves_what_was_there(self, tmp_path):
        (tmp_path / "found.json").write_text("before")
        process = start(*SCORE, "--segments", "-o", "found.json", cwd=tmp_path, before=bound_files)
        errors = process.communicate(timeout=300)[1].decode()
        assert process.returncode == 2
        assert errors.startswith("bleuscope: found.json: the file cannot be written (found file too large).")
        assert errors.count("\n") == 1
        assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("found.json", "before")]

    def test_an_interrupt_leaves_no_part_of_a_file(self, tmp_path, monkeypatch):
        def interrupted(_descriptor):
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write_file(tmp_path / "file", b"content")
        assert list(tmp_path.iterdir()) == []

    def test_a_dash_is_standard_output(self, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Output(path="-").give("text\n")
        assert capsys.readouterr().out == "text\n"
        assert list(tmp_path.iterdir()) == []


class TestAProcess:
    def test_interrupted_ends_with_130_and_without_a_word(self, tmp_path):
        os.mkfifo(tmp_path / "endless.txt")
        (tmp_path / "ref.txt").write_text("a\n")
        arguments = ["score", "endless.txt", "-r", "ref.txt", "-f", "json", "-o", "score.json"]
        process = start(*arguments, cwd=tmp_path, stdout=subprocess.PIPE, before=hear_interrupts)
        with process, (tmp_path / "endless.txt").open("w"):  # open as soon as the other side reads
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=300)
        assert (process.returncode, out, errors) == (130, b"", b"")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["endless.txt", "ref.txt"]

    @pytest.mark.parametrize("arguments", [SCORE, ["--help"]])
    def test_whose_reader_left_ends_without_a_word(self, arguments):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as closed:
            process = start(*arguments, stdout=closed)
            errors = process.communicate(timeout=300)[1]
        assert (process.returncode, errors) == (141, b"")

    @pytest.mark.parametrize(("arguments", "unbuffered"), [(SCORE, ""), (SCORE, "1"), (["--help"], "")])
    def test_whose_output_finds_no_room_says_so(self, tmp_path, arguments, unbuffered):
        environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
        before = no_files if arguments == ["--help"] else bound_files
        with (tmp_path / "output").open("wb") as output:
            process = start(*arguments, stdout=output, before=before, env=environment)
            errors = process.communicate(timeout=300)[1]
        assert process.returncode == 2
        assert errors.startswith(b"bleuscope: Standard output: it cannot be written (found file too large).")
        assert errors.count(b"\n") == 1

    def test_shows_a_workbook_to_no_terminal(self):
        ours, theirs = pty.openpty()
        try:
            process = start("score", "--sample", "-f", "xlsx", stdout=theirs)
            errors = process.communicate(timeout=300)[1]
        finally:
            os.close(ours)
            os.close(theirs)
        assert process.returncode == 2
        assert b"a terminal cannot show this format (found xlsx)" in errors


EVIL = "e\u202e\x1b[31mv\x9b\u2066\u2028il"
OF_TWO = ("{a}", "{b}", "-r", "{r}")
_PRINTING = [
    *((command, *OF_TWO) for command in ("score", "compare", "segments", "ngrams", "sensitivity", "lint", "draw")),
    ("score", *OF_TWO, "-f", "markdown"),
    ("score", *OF_TWO, "-f", "latex"),
    ("score", *OF_TWO, "--table", EVIL),
    ("neural", *OF_TWO, "--model", "bert-score"),
    ("neural", *OF_TWO, "-r", "{q}", "-s", "{r}", "--model", "wmt22-comet-da"),
    ("slices", *OF_TWO, "--documents", "{d}"),
    ("references", *OF_TWO, "-r", "{q}"),
    ("gate", "--baseline", *OF_TWO),
    ("report", *OF_TWO, "-o", f"none{EVIL}/report.html"),
    ("agreement", *OF_TWO, "--judgements", f"none{EVIL}"),
    ("campaign", "{c}"),
    ("campaign", EVIL),
    ("push", "{a}", "-r", "{r}", "--project", "en-de", "--test-set", "news", "--version", EVIL),
    ("history", "--project", EVIL),
    ("team", "list", "--project", "en-de"),
    ("team", "log", "--project", "en-de"),
    ("team", "add", EVIL, "--project", "en-de", "--role", "reader"),
    ("workspace", "backup", f"none{EVIL}/backup"),
    ("workspace", "restore", EVIL),
    ("completion", EVIL),
]
PRINTING = [words for words in _PRINTING if words[0] in COMMANDS]
"""What prints the names of files, systems and people."""


@pytest.fixture
def hostile_files(tmp_path, empty_place, monkeypatch):
    """Texts, a campaign and a person in a workspace, all with names that a terminal would obey."""
    texts = [f"the cat number {number} sat on the mat today" for number in range(12)]
    columns = {
        "a": [text.replace("cat", "dog") for text in texts],
        "b": [text.replace("mat", "rug") for text in texts],
        "r": texts,
        "q": [text.replace("today", "now") for text in texts],
        "d": [f"d\u202e{number // 3}" for number in range(12)],
    }
    folder = tmp_path / f"set{EVIL}"
    (folder / "systems").mkdir(parents=True)
    files = {name: tmp_path / f"{name}{EVIL}.txt" for name in columns}
    for name, file in files.items():
        file.write_text("".join(f"{line}\n" for line in columns[name]), encoding="utf-8")
    for name in "ab":
        (folder / "systems" / f"{name}{EVIL}.txt").write_bytes(files[name].read_bytes())
    (folder / "ref.txt").write_bytes(files["r"].read_bytes())
    monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(empty_place.folder))
    with open_workspace(empty_place) as kept:
        person = kept.people.person(Identity("https://login.example.org", "17", EVIL))
        kept.projects.make("en-de", person)
    return {**{name: str(file) for name, file in files.items()}, "c": str(folder)}


class TestNamesOnTheTerminal:
    NAME = "a\x1b[31m\x9b\u202eb\nc"

    @pytest.mark.parametrize(
        "arguments", [["score", f"{NAME}.txt", "-r", "missing.txt"], ["score", f"--{NAME}"], [NAME]]
    )
    def test_are_one_line_that_a_terminal_does_not_obey(self, bleuscope, arguments):
        code, out, errors = bleuscope(*arguments)
        assert (code, out, errors.count("\n")) == (2, "", 1)
        assert not set("\x1b\x9b\u202e") & set(errors)

    @pytest.mark.parametrize("form", ["table", "json", "tsv", "csv", "markdown", "latex"])
    def test_are_signs_in_every_form(self, form, monkeypatch, tmp_path, capsys):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        texts = Sheet("texts", "", (Field("text", "text", "text"),), pd.DataFrame({"text": [self.NAME]}))
        print_result(write_text(texts, form))
        shown = capsys.readouterr().out
        assert "31m" in shown
        assert not set("\x1b\x9b\u202e") & set(shown)

    @pytest.mark.parametrize("is_terminal", [False, True], ids=["into a pipe", "on a terminal"])
    @pytest.mark.parametrize("arguments", PRINTING, ids=lambda words: " ".join(words[:4]))
    def test_are_signs_in_what_every_command_prints(
        self, hostile_files, monkeypatch, bleuscope, arguments, is_terminal
    ):
        named = [word.format(**hostile_files) for word in arguments]
        monkeypatch.setenv("NO_COLOR", "1")  # colours of our own are what a terminal is to obey
        if is_terminal:
            monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        _, out, errors = bleuscope(*named)
        printed = out + errors
        assert printed
        assert [one for one in OBEYED.findall(printed) if one not in "\t\n"] == []

    def test_are_signs_in_forms_for_programs_too_where_a_terminal_reads_them(
        self, hostile_files, monkeypatch, bleuscope
    ):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        for form in ("csv", "tsv", "json"):
            _, out, _ = bleuscope("score", hostile_files["a"], hostile_files["b"], "-r", hostile_files["r"], "-f", form)
            assert [one for one in OBEYED.findall(out) if one not in "\t\n"] == []

    def test_are_not_in_the_commands_for_neural_metrics_nor_in_the_files_that_these_read(
        self, hostile_files, bleuscope
    ):
        code, out, _ = bleuscope("neural", *(hostile_files[one] for one in "ab"), "-r", hostile_files["r"], "-o", "out")
        assert code == 0
        paths = [path.relative_to("out").as_posix() for path in Path("out").rglob("*.txt")]
        assert len(paths) == 4
        assert OBEYED.search("".join(paths)) is None
        assert all(path in out for path in paths if path.startswith("systems/"))
        assert (Path("out") / "commands.txt").read_text(encoding="utf-8") == out

    def test_are_what_they_are_for_programs_that_read_json(self, capsys):
        texts = Sheet("texts", "", (Field("text", "text", "text"),), pd.DataFrame({"text": [self.NAME]}))
        print_result(write_text(texts, "json"))
        assert json.loads(capsys.readouterr().out)["texts"] == [{"text": self.NAME}]


class TestProgress:
    def test_is_for_terminals_only(self, capsys):
        with progress("Scoring") as report:
            assert report is None
        assert capsys.readouterr().err == ""

    def test_is_wiped_off_in_the_end(self, monkeypatch, capsys):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(streams, "SECONDS_BETWEEN", 0.0)
        with progress("Scoring") as report:
            for share in (0.0, 0.001, 0.5, 2.0):
                report(share)
        assert capsys.readouterr().err == "\r\x1b[KScoring: 0 %\r\x1b[KScoring: 50 %\r\x1b[KScoring: 100 %\r\x1b[K"
