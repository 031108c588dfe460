"""MeCab, installed with the first Japanese texts where ``make`` installed the rest, and nowhere else."""

import sys
from importlib.metadata import PackageNotFoundError

import pytest

from bleucore import installing
from bleucore.tokens import tokenizer_choice
from bleuscope.shell.disk import mecab

REFERENCES = [["猫がマットの上に座っています。", "昨日は雨が降りました。", "明日は学校に行きます。"]]
THAT_NOTES = "import pathlib, sys; pathlib.Path(__file__).with_name('calls').open('a').write(sys.argv[2] + '\\n')"


@pytest.fixture
def checkout(monkeypatch, tmp_path):
    """A checkout without MeCab, whose installer does what the script says; and the calls of the installer."""

    def missing(_):
        raise PackageNotFoundError

    def make(script):
        (tmp_path / "deploy").mkdir()
        (tmp_path / "deploy" / "install.py").write_text(script)
        monkeypatch.setattr(installing, "checkout", lambda: tmp_path)
        return tmp_path / "deploy" / "calls"

    monkeypatch.setitem(sys.modules, "MeCab", None)
    monkeypatch.setattr("importlib.metadata.version", missing)
    tokenizer_choice.look_again()
    yield make
    monkeypatch.undo()
    tokenizer_choice.look_again()


def test_the_first_japanese_texts_install_it_once_and_a_sentence_says_so(checkout):
    said = []
    calls = checkout(THAT_NOTES)
    for _ in range(2):
        mecab.proposed_tokenizer(REFERENCES, said.append)
    assert calls.read_text() == "requirements-mecab.lock\n"
    assert said[0] == "Japanese needs MeCab, which is being installed, once."


def test_what_is_installed_is_used_at_once(checkout, monkeypatch):
    checkout(THAT_NOTES)
    monkeypatch.delitem(sys.modules, "MeCab")
    assert mecab.proposed_tokenizer(REFERENCES).tokenizer == "ja-mecab"


def test_offline_texts_are_scored_by_characters(checkout):
    checkout("raise SystemExit(1)")
    proposal = mecab.proposed_tokenizer(REFERENCES)
    assert (proposal.tokenizer, proposal.how_to_install) == ("char", "make mecab")


def test_nothing_is_installed_elsewhere_or_for_other_texts(checkout, monkeypatch):
    calls = checkout(THAT_NOTES)
    assert mecab.proposed_tokenizer([["The cat sat on the mat."]]) is None
    monkeypatch.setattr(installing, "checkout", lambda: None)
    assert mecab.proposed_tokenizer(REFERENCES).tokenizer == "char"
    assert not calls.exists()
