"""Patterns without quotes: no second file of an option silently becomes a system."""

import sys

import click
import pytest

from bleuscope import cli
from bleuscope.cli.command import COMMANDS, bleuscope
from bleuscope.cli.operands import TextsCommand
from bleuscope.content import commands
from bleuscope.content.comparison.inputs import Inputs

NAMES = ("neural-1.txt", "neural-2.txt", "reference-A.txt", "reference-B.txt", "gold-1.txt", "gold-2.txt")
NAMES += ("source.de.txt", "source.en.txt", "comet.tsv", "mqm.tsv", "out-1.json", "out-2.json", "base.txt")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs ``score`` in a folder with files of these names: exit code, standard output, standard error."""
    for name in NAMES:
        (tmp_path / name).write_text("The cat sat.\nThe dog ran off.\n", encoding="utf-8")
    for folder in ("refs", "systems"):
        (tmp_path / folder).mkdir()
        for name in ("a.txt", "b.txt", "gold-1.txt", "gold-2.txt", "neural-1.txt"):
            (tmp_path / folder / name).write_text("The cat sat.\nA dog ran off.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run_words(*words):
        monkeypatch.setattr(sys, "argv", ["bleuscope", *words])
        with pytest.raises(SystemExit) as ending:
            cli.main()
        return ending.value.code or 0, *capsys.readouterr()

    return run_words


@pytest.mark.parametrize(
    ("words", "found", "remedy"),
    [
        (
            "neural-1.txt neural-2.txt -r reference-A.txt reference-B.txt",
            "reference-B.txt",
            "bleuscope score neural-1.txt neural-2.txt -r reference-A.txt -r reference-B.txt",
        ),
        (
            "-r reference-A.txt reference-B.txt neural-1.txt",
            "reference-B.txt",
            "bleuscope score -r reference-A.txt -r reference-B.txt neural-1.txt",
        ),
        (
            "-m chrf -r gold-1.txt gold-2.txt neural-1.txt neural-2.txt -f json",
            "gold-2.txt",
            "bleuscope score -m chrf -r gold-1.txt -r gold-2.txt neural-1.txt neural-2.txt -f json",
        ),
        (
            "--reference refs/a.txt refs/b.txt systems/a.txt",
            "refs/b.txt",
            "bleuscope score --reference refs/a.txt --reference refs/b.txt systems/a.txt",
        ),
        (
            "-r refs/gold-1.txt refs/gold-2.txt refs/neural-1.txt",
            "refs/gold-2.txt",
            "bleuscope score -r refs/gold-1.txt -r refs/gold-2.txt refs/neural-1.txt",
        ),
        ("-r reference-A.txt reference-B.txt", "reference-B.txt", "name it before -r"),
        ("base.txt -r gold-1.txt neural-1.txt", "neural-1.txt", "name it before -r"),
        (
            "base.txt -r gold-1.txt --scores comet.tsv mqm.tsv",
            "mqm.tsv",
            "bleuscope score base.txt -r gold-1.txt --scores comet.tsv --scores mqm.tsv",
        ),
        ("base.txt -r gold-1.txt -s source.de.txt source.en.txt", "source.en.txt", "-s takes one file"),
        ("-r gold-1.txt -s source.de.txt source.en.txt base.txt", "source.en.txt", "-s takes one file"),
        ("base.txt -r gold-1.txt -o out-1.json out-2.json", "out-2.json", "-o takes one file"),
    ],
)
def test_what_a_pattern_without_quotes_adds_is_refused_with_what_to_write(run, words, found, remedy):
    code, out, err = run("score", *words.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"bleuscope: {found} comes right after -")
    assert remedy in err


@pytest.mark.parametrize(
    "words",
    [
        "-r gold-1.txt base.txt neural-1.txt",
        "-r reference-A.txt neural-1.txt neural-2.txt",
        "-r reference-A.txt -r reference-B.txt neural-1.txt neural-2.txt",
        "reference-B.txt -r reference-A.txt",
        "neural-1.txt -r reference-A.txt --lowercase reference-B.txt",
        "neural-1.txt -r reference-A.txt -- reference-B.txt",
        "-r reference-A.txt -- reference-B.txt",
        "neural-1.txt -rreference-A.txt reference-B.txt",
        "--reference=reference-A.txt base.txt neural-1.txt",
        "-f json -r refs/a.txt systems/a.txt systems/b.txt",
        "-r refs/a.txt refs/b.txt refs/gold-1.txt",
        "-r neural-1.txt neural-2.txt",
        "neural-*.txt -r reference-*.txt",
    ],
)
def test_what_can_mean_one_thing_is_done(run, words):
    code, out, err = run("score", *words.split())
    assert (code, err) == (0, "")
    assert out


def test_a_file_named_as_a_system_and_as_a_reference_is_refused(run):
    code, _, err = run("score", "gold-1.txt", "base.txt", "reference-A.txt", "-r", "./reference-A.txt")
    assert code == 2
    assert "./reference-A.txt: this file is a system and a reference" in err


def test_every_command_with_texts_refuses_such_files():
    for name in COMMANDS:
        command = bleuscope.get_command(click.Context(bleuscope, resilient_parsing=True), name)
        names = {one.name for one in command.params}
        assert isinstance(command, TextsCommand) == ("systems" in names), name
    assert isinstance(bleuscope.get_command(click.Context(bleuscope), "score"), TextsCommand)


@pytest.mark.parametrize(
    ("inputs", "has_mark"),
    [
        (Inputs(("a.txt", "b.txt"), ("ref.txt",)), False),
        (Inputs(("data/base.txt", "out/new.txt"), ("data/ref.txt",)), True),
        (Inputs(("gold-2.txt", "a.txt"), ("gold-1.txt",)), True),
        (Inputs(("reference-B.txt", "a.txt"), ("reference-A.txt",)), True),
        (Inputs(("source-tagged.txt", "a.txt"), ("ref.txt",), "source.txt"), True),
    ],
)
def test_a_command_that_a_page_shows_is_not_refused(inputs, has_mark):
    words = commands.input_words(inputs)
    assert ("--" in words) == has_mark
    command = bleuscope.get_command(click.Context(bleuscope), "score")
    with command.make_context("score", list(words)) as context:
        assert context.params["systems"] == inputs.systems
