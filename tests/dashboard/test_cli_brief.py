"""What ``compare`` and ``score`` print for people: in the width of the terminal, with colours on one alone."""

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios

import pytest

from bleuscope.cli import main
from bleuscope.content.style.cut_names import CUT, cut_names
from bleuscope.content.style.widths import n_columns
from tests.warm_python import warm_python

N_SEGMENTS = 12
QUICK = ["--trials", "99", "--resamples", "99"]
REFERENCE = [f"the cat number {at} sat on the mat and saw the dog of house {at % 5} ." for at in range(N_SEGMENTS)]
NAMES = {
    "plain": "system-{}",
    "alike": "a-name-of-seventy-letters-which-begins-as-all-the-others-do-" + "x" * 8 + "-{:02}",
    "japanese": "機械翻訳システム東京大学共同研究第{}号最終提出改良版機械翻訳",
}
STYLES = re.compile("\x1b\\[[0-9;]*m")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Makes a number of systems with names of one kind, and gives the arguments that name them."""
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "ref.txt").write_text("\n".join([*REFERENCE, ""]), encoding="utf-8")

    def make(number, kind="plain"):
        names = [NAMES[kind].format(at) for at in range(number)]
        for place, name in enumerate(names):
            words = [line.split() for line in REFERENCE]
            texts = [" ".join(row[: len(row) - (place + at) % 5]) + " ." * (at < place) for at, row in enumerate(words)]
            (tmp_path / f"{name}.txt").write_text("\n".join([*texts, ""]), encoding="utf-8")
        return [*(f"{name}.txt" for name in names), "-r", "ref.txt"]

    return make


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs a command in this process and gives the lines of standard output."""

    def run_words(*words):
        monkeypatch.setattr(sys, "argv", ["bleuscope", *words])
        with pytest.raises(SystemExit) as ending:
            main()
        printed = capsys.readouterr()
        assert not ending.value.code, printed.err
        return printed.out.splitlines()

    return run_words


def on_terminal(words, columns, **variables):
    """What a command prints on a terminal with this number of columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    found = b""
    with subprocess.Popen(
        [warm_python(), "-m", "bleuscope", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "xterm-256color", **variables},
    ) as process:
        os.close(theirs)
        try:
            while piece := os.read(ours, 1 << 16):
                found += piece
        except OSError:  # how a terminal ends on Linux
            pass
        errors = process.stderr.read().decode()
    os.close(ours)
    assert process.returncode == 0, errors
    return found.decode().replace("\r\n", "\n")


def rows_of(lines):
    """The rows of the table between its rule and the blank line."""
    rule = next(place for place, line in enumerate(lines) if line.startswith("──"))
    return lines[rule + 1 : lines.index("", rule)]


class TestCompare:
    def test_of_eight_systems_is_a_verdict_and_one_table_in_80_columns(self, files, run):
        lines = run("compare", *files(8), *QUICK)
        assert lines[0].startswith("No clear winner: 8 systems are tied at the top.")
        assert len(rows_of(lines)) == 8
        assert max(map(n_columns, lines)) <= 80
        assert len(lines) <= 20
        assert lines[-1] == "More: --verbose, how it was tested; --table all, every table."

    @pytest.mark.parametrize(("number", "kind"), [(8, "alike"), (8, "japanese"), (5, "plain")])
    def test_has_at_most_20_lines_with_long_names_too(self, files, run, number, kind):
        assert len(run("compare", *files(number, kind), *QUICK)) <= 20

    @pytest.mark.parametrize("option", ["--verbose", "--all"])
    def test_adds_how_it_was_tested_where_asked(self, files, run, option):
        arguments = ["compare", *files(8), *QUICK]
        short, long = run(*arguments), run(*arguments, option)
        assert "More with --table:" in " ".join(long[-3:])
        assert any("max-T" in line for line in long)
        assert not any("max-T" in line for line in short)

    def test_names_a_next_command_that_works(self, files, run):
        lines = run("compare", *files(2), *QUICK)
        (line,) = (line for line in lines if "bleuscope " in line)
        words = shlex.split(line.partition("bleuscope ")[2].removesuffix(" (same files)"))
        assert run(*words, *(files(2) if "ref.txt" not in words else []))

    @pytest.mark.parametrize(
        ("number", "kind", "columns"),
        [
            (1, "alike", 80),
            (2, "plain", 60),
            (2, "japanese", 80),
            (8, "alike", 60),
            (8, "japanese", 60),
            (14, "plain", 60),
            (14, "alike", 120),
            (40, "alike", 80),
            (3, "alike", 30),
        ],
    )
    def test_fits_and_tells_systems_apart(self, files, run, monkeypatch, number, kind, columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = run("compare", *files(number, kind), *QUICK)
        assert max(map(n_columns, lines)) <= columns
        names = [row.split("  ")[0] for row in rows_of(lines)]
        assert len(set(names)) == number
        assert any(CUT in name for name in names) == (kind != "plain")

    def test_has_every_column_and_whole_names_where_there_is_room(self, files, run, monkeypatch):
        monkeypatch.setenv("COLUMNS", "300")
        lines = run("compare", *files(2, "alike"), *QUICK)
        assert "ref. length" in lines[lines.index("") + 1]
        assert [row.split("  ")[0] for row in rows_of(lines)] == [NAMES["alike"].format(at) for at in (0, 1)]
        assert "systems (every column" not in " ".join(lines)

    def test_gives_a_table_whole_and_all_of_them_when_asked(self, files, run):
        arguments = ["compare", *files(2, "alike"), *QUICK, "--table"]
        one, every = run(*arguments, "systems"), run(*arguments, "all")
        assert NAMES["alike"].format(1) in "".join(one)
        assert "ref. length" in one[0]
        assert set(one) < set(every)
        assert sum(line.startswith("──") for line in every) == 7

    def test_refuses_all_tables_where_one_can_be_written(self, files, run):
        with pytest.raises(AssertionError, match="this format holds one table"):
            run("compare", *files(2), *QUICK, "--table", "all", "-f", "csv")

    def test_leaves_a_file_and_markdown_as_they_were(self, files, run, tmp_path):
        arguments = ["compare", *files(2), *QUICK]
        assert run(*arguments, "-o", "out.txt") == []
        assert sum(line.startswith("──") for line in (tmp_path / "out.txt").read_text().splitlines()) == 4
        assert sum(line.startswith(("| ---", "| :--")) for line in run(*arguments, "-f", "markdown")) == 4

    def test_has_the_order_and_the_verdict_of_another_metric(self, files, run):
        lines = run("compare", *files(3), *QUICK, "-m", "ter", "--metric", "TER")
        assert " TER (" in lines[0] + lines[1]
        assert lines[lines.index("") + 1].split()[:2] == ["system", "TER"]

    def test_of_one_system_says_and_shows_the_same_metric(self, files, run):
        lines = run("compare", *files(1), *QUICK, "-m", "ter", "--metric", "TER")
        assert " BLEU (95 % interval" in lines[0]
        assert lines[lines.index("") + 1].split()[:2] == ["system", "BLEU"]
        assert "cluster" not in "".join(lines)
        lines = run("compare", *files(1), *QUICK, "--verbose")
        assert "More with --table: systems (every column, whole names)." in " ".join(lines)

    def test_has_decimals_as_asked(self, files, run):
        assert re.search(r" \d+\.\d{4} ", rows_of(run("compare", *files(2), *QUICK, "--decimals", "4"))[0])


class TestScore:
    def test_is_as_wide_as_its_names_in_a_pipe(self, files, run):
        lines = run("score", *files(3, "alike"))
        assert lines[1].startswith(NAMES["alike"].format(0) + "  ")

    @pytest.mark.parametrize(("kind", "columns"), [("alike", 80), ("japanese", 60), ("alike", 60)])
    def test_fits_a_terminal_and_tells_systems_apart(self, files, run, monkeypatch, kind, columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = run("score", *files(8, kind), "-m", "ter")
        assert max(map(n_columns, lines[:9])) <= columns
        assert len({line.split("  ")[0] for line in lines[1:9]}) == 8
        assert lines[-1] == "Precisions and whole names: --table scores."


class TestColours:
    def test_are_on_a_terminal_whose_width_the_table_has(self, files):
        words = ["compare", *files(2, "alike"), *QUICK]
        printed = on_terminal(words, 70)
        assert "\x1b[1m" in printed
        assert 60 < max(map(n_columns, STYLES.sub("", printed).splitlines())) <= 70

    @pytest.mark.parametrize(
        "variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"CLICOLOR": "0"}, {"FORCE_COLOR": "0"}], ids=str
    )
    def test_are_off_where_a_user_says_so(self, files, variables):
        assert "\x1b" not in on_terminal(["compare", *files(2), *QUICK], 80, **variables)

    def test_are_not_in_a_pipe_unless_forced(self, files, run, monkeypatch):
        words = ["compare", *files(2), *QUICK]
        plain = run(*words)
        assert not any("\x1b" in line for line in plain)
        monkeypatch.setenv("FORCE_COLOR", "1")
        painted = run(*words)
        assert "\x1b[1m" in painted[0]
        assert [STYLES.sub("", line) for line in painted] == plain
        monkeypatch.setenv("NO_COLOR", "1")
        assert run(*words) == plain

    def test_hold_nothing_that_a_name_could_send_to_the_terminal(self, files, tmp_path):
        arguments = files(2)
        (tmp_path / "evil\x1b[31mred.txt").write_bytes((tmp_path / arguments[0]).read_bytes())
        printed = on_terminal(["compare", "evil\x1b[31mred.txt", *arguments[1:], *QUICK], 80)
        assert "red" in printed
        assert "\x1b[31m" not in printed


@pytest.mark.parametrize(
    ("names", "most", "expected"),
    [
        (["a", "bb"], 5, ["a", "bb"]),
        (["first-system", "second"], 8, ["first-s…", "second"]),
        (["system-one", "system-two"], 8, ["…one", "…two"]),
        (["同じ名前甲", "同じ名前乙"], 8, ["…甲", "…乙"]),
        (["x" * 20 + "1" + "y" * 20, "x" * 20 + "2" + "y" * 20], 8, ["…1yyyyy…", "…2yyyyy…"]),
        (
            ["short", "long-name-1-of-two", "long-name-2-of-two", "同じ名前甲乙"],
            8,
            ["short", "…name 1…", "…name 2…", "同じ名…"],
        ),
        (["ab…", "abcdef"], 3, ["ab…", "a…f"]),
        (["x" * 20 + "1" + "y" * 20 + "z", "x" * 20 + "1" + "y" * 20 + "w"], 8, ["xxxx…yyz", "xxxx…yyw"]),
    ],
)
def test_names_are_cut_where_they_stay_different(names, most, expected):
    assert cut_names(names, most) == expected


def test_names_that_differ_in_their_middles_alone_are_numbered():
    names = [f"{'a' * 20}{at % 7}{'b' * 20}{at // 7}{'c' * 20}" for at in range(40)] + ["a"]
    found = cut_names(names, 10)
    assert len(set(found)) == 41
    assert all(n_columns(name) <= 10 for name in found)


def test_a_system_that_repeats_the_reference_is_not_praised(tmp_path, bleuscope):
    said = [
        " ".join(f"word{(number * 7 + place * place) % 97}" for place in range(10 + number % 6)) for number in range(80)
    ]
    other = [" ".join(reversed(line.split())) for line in said]
    for name, lines in (("ref", said), ("copy", [*said[:76], *other[76:]]), ("other", other)):
        (tmp_path / f"{name}.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    code, out, _ = bleuscope("compare", "copy.txt", "other.txt", "-r", "ref.txt", *QUICK)
    assert code == 0
    assert out.startswith("Check the texts first. System 'copy': ")
    _, out, _ = bleuscope("compare", "copy.txt", "other.txt", "-r", "ref.txt", *QUICK, "-f", "json")
    assert '"verdict_state": "check-texts"' in out
