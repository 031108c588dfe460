"""Commands about systems, told which of these are runs of one recipe."""

import pytest

from tests.dashboard.file_shapes.texts import REFERENCE, A, B, C, plain

COMMANDS = {
    "gate": ["--baseline", "c.txt", "a.txt", "b.txt"],
    "ngrams": ["a.txt", "b.txt", "c.txt"],
    "slices": ["a.txt", "b.txt", "c.txt"],
    "lint": ["a.txt", "b.txt", "c.txt"],
    "score": ["a.txt", "b.txt", "c.txt"],
}
TEXTS = {"a.txt": A, "b.txt": B, "c.txt": C, "ref.txt": REFERENCE}


@pytest.fixture
def said(bleuscope, tmp_path, monkeypatch):
    """What a command says next to its tables."""
    for name, texts in TEXTS.items():
        (tmp_path / name).write_bytes(plain(texts))
    monkeypatch.chdir(tmp_path)

    def run(command, *runs):
        options = [word for one in runs for word in ("--run", one)]
        return bleuscope(command, *COMMANDS[command], "-r", "ref.txt", *options)

    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_the_mean_of_a_recipe(said, command):
    assert "small: 2 runs: " in said(command, "a=small", "b=small")[2]


@pytest.mark.parametrize("command", ["gate", "ngrams", "slices"])
def test_a_command_that_compares_systems_says_so(said, command):
    assert "To compare recipes: bleuscope runs." in said(command, "a=small", "b=small")[2]
    assert "To compare recipes" not in said(command)[2]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_system_that_is_not_there_is_refused(said, command):
    code, _, errors = said(command, "d=small")
    assert code == 2
    assert "there is no system of this name (found 'd'" in errors
