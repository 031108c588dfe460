"""Pushed outputs in other lines than the references: cut anew where somebody asks for it, which signatures record."""

import json

import pytest

LINES = [f"word{number} other{number} third{number} fourth{number}" for number in range(12)]
NAMES = ("--project", "en-de", "--test-set", "news", "--system", "base")


@pytest.fixture
def folder(tmp_path, empty_place, monkeypatch):
    """A reference, outputs line by line, and the same in one line."""
    monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(empty_place.folder))
    for name, lines in (("ref", LINES), ("out", [f"{line} x" for line in LINES]), ("talk", [" ".join(LINES)])):
        (tmp_path / f"{name}.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return tmp_path


@pytest.fixture
def push(bleuscope, folder):
    return lambda file, version, *more: bleuscope("push", str(folder / file), *NAMES, "--version", version, *more)


def history(bleuscope, *words):
    code, out, err = bleuscope("history", "--project", "en-de", "--test-set", "news", *words)
    assert code == 0, err
    return out


def test_other_lines_are_refused_with_the_way_out(push, folder):
    assert push("out.txt", "v1", "-r", str(folder / "ref.txt"))[0] == 0
    code, _, err = push("talk.txt", "v2")
    assert code == 2
    assert "--align" in err


def test_they_are_cut_at_the_references_that_are_kept(bleuscope, push, folder):
    assert push("out.txt", "v1", "-r", str(folder / "ref.txt"))[0] == 0
    code, _, err = push("talk.txt", "v2", "--align")
    assert code == 0, err
    assert "1 line cut anew into 12 segments" in err
    document = json.loads(history(bleuscope, "--format", "json"))
    text = json.dumps(document)
    assert "seg:mwer" in text
    assert history(bleuscope).count("seg:mwer") >= 1


def test_at_the_references_that_come_along_and_nothing_of_it_stays_in_the_test_set(push, folder):
    code, _, err = push("talk.txt", "v1", "-r", str(folder / "ref.txt"), "--align")
    assert code == 0, err
    code, _, err = push("out.txt", "v2", "-r", str(folder / "ref.txt"))
    assert code == 0, err


def test_outputs_that_fit_stay_as_they_are(bleuscope, push, folder):
    assert push("out.txt", "v1", "-r", str(folder / "ref.txt"), "--align")[0] == 0
    assert "seg:mwer" not in history(bleuscope, "--format", "json")


def test_without_any_references_there_is_nothing_to_cut_at(push):
    code, _, err = push("talk.txt", "v1", "--align")
    assert code == 2
    assert "Name them with --reference." in err
