"""Shells complete commands and options, and nothing heavy is imported to help."""

import shutil
import subprocess
import sys

import pytest

from bleuscope.cli.command import COMMANDS

HEAVY = ("streamlit", "plotly", "scipy", "sacrebleu", "numpy", "bleucore")


@pytest.mark.parametrize(
    ("shell", "sign"), [("bash", "complete "), ("zsh", "#compdef bleuscope"), ("fish", "complete")]
)
def test_the_script_of_a_shell_is_printed(bleuscope, shell, sign):
    code, out, err = bleuscope("completion", shell)
    assert (code, err) == (0, "")
    assert sign in out
    assert "_BLEUSCOPE_COMPLETE" in out


def test_another_shell_is_refused(bleuscope):
    code, out, err = bleuscope("completion", "tcsh")
    assert (code, out) == (2, "")
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in err


@pytest.mark.parametrize(
    ("words", "completed"),
    [(["sco"], "score"), (["score", "--smooth-m"], "--smooth-method"), (["compare", "--unit", "d"], "document")],
)
def test_words_are_completed(bleuscope, monkeypatch, words, completed):
    monkeypatch.setenv("_BLEUSCOPE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["bleuscope", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    code, out, _ = bleuscope()
    assert code == 0
    assert f"plain,{completed}" in out.splitlines()


@pytest.mark.parametrize("shell", [name for name in ("bash", "zsh", "fish") if shutil.which(name)])
def test_the_script_is_one_that_the_shell_reads(bleuscope, tmp_path, shell):
    (tmp_path / "script").write_text(bleuscope("completion", shell)[1], encoding="utf-8")
    done = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_with_examples(bleuscope, name):
    code, out, err = bleuscope(name, "--help")
    assert (code, err) == (0, "")
    examples = out.partition("Examples:")[2].split("\n")
    assert any("bleuscope" in line for line in examples)


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(option):
    code = (
        f"import sys; sys.argv = ['bleuscope', '{option}']; from bleuscope.cli import main\n"
        f"try: main()\nexcept SystemExit: print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_commands_are_listed_as_they_are_named(bleuscope):
    out = bleuscope("--help")[1]
    assert all(f"  {name} " in out for name in COMMANDS)
