"""The options that commands share with sacreBLEU: the same names, the same scores, and errors where we have none."""

import argparse
import contextlib
import io
import json
import signal
import sys
from pathlib import Path

import pytest
import sacrebleu.sacrebleu as theirs
from sacrebleu.metrics import BLEU

from bleucore.options import EXTERNAL_TOKENIZER_NAMES, SMOOTHING_METHODS, TOKENIZER_NAMES
from bleuscope.cli.compare_command import compare_command
from bleuscope.cli.sacrebleu_options import INSTEAD
from bleuscope.cli.score_command import score_command

if hasattr(signal, "SIGPIPE"):  # sacreBLEU's command lets a closed pipe end the whole process
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)

ONE = ["The cat sat on the mat.", "A dog ran off today", "Nobody was there in the old house"]
TWO = ["the cat sat on a mat .", "The dog ran off.", "Nobody was at home in the house ."]
REFERENCE = ["The cat sat on the mat.", "The dog ran off today.", "Nobody was at home in the house."]

SCORES_ALIKE = {
    "--smooth-method": [["--smooth-method", name] for name in SMOOTHING_METHODS],
    "--smooth-value": [["--smooth-method", "floor", "-sv", "0.3"], ["--smooth-method", "add-k", "--smooth-value", "2"]],
    "--tokenize": [["-tok", name] for name in ("13a", "intl", "char", "zh", "none")],
    "--lowercase": [["-lc"], ["--lowercase"]],
    "--metrics": [["-m", "chrf"], ["--metrics", "ter"], ["-m", "bleu"]],
    "--chrf-char-order": [["-m", "chrf", "-cc", "4"]],
    "--chrf-word-order": [["-m", "chrf", "-cw", "2"]],
    "--chrf-beta": [["-m", "chrf", "--chrf-beta", "1"]],
    "--chrf-whitespace": [["-m", "chrf", "--chrf-whitespace"]],
    "--chrf-lowercase": [["-m", "chrf", "--chrf-lowercase"]],
    "--chrf-eps-smoothing": [["-m", "chrf", "--chrf-eps-smoothing"]],
    "--ter-case-sensitive": [["-m", "ter", "--ter-case-sensitive"]],
    "--ter-asian-support": [["-m", "ter", "--ter-normalized", "--ter-asian-support"]],
    "--ter-no-punct": [["-m", "ter", "--ter-no-punct"]],
    "--ter-normalized": [["-m", "ter", "--ter-normalized"]],
    "--language-pair": [["-l", "en-de"], ["--language-pair", "en-zh"]],
    "--encoding": [["--encoding", "utf-8"]],
    "--input": [[]],
    "--score-only": [[]],
    "--width": [["-w", "4"], ["--width", "0"]],
    "--sentence-level": [["-sl"], ["--sentence-level", "-m", "chrf"], ["-sl", "-m", "ter", "-w", "3"], ["-sl", "-lc"]],
}
"""Options with the same meaning: command lines that both programs answer with the same bytes."""

ELSEWHERE = {
    "--test-set": "the same, in tests of test sets; one test set at a time",
    "--format": "json and latex; text is refused with our name for it",
    "--paired-ar-n": "compare has it as another name of --trials",
    "--paired-bs-n": "compare has it as another name of --resamples",
    "--confidence-n": "compare has it as another name of --resamples",
    "--version": "-V of bleuscope",
    "--help": "the same",
}
"""Options with the same name that change no score of ``score``, and why they are not in the table above."""

OTHER_MEANING = {"-s": "--source; smoothing is --smooth-method", "-e": "--effective-order; see --encoding"}
"""Short names that mean something else here; what sacreBLEU's users mean by them is refused."""


def options_of_sacrebleu(monkeypatch):
    """The actions of sacreBLEU's own parser, by the first of their long names; positional ones by their place."""
    made = []

    def keep(parser):
        made.append(parser)
        return argparse.Namespace(format="json")

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", keep)
    theirs.parse_args()
    (parser,) = made
    return {
        next((name for name in one.option_strings if name.startswith("--")), one.dest): one for one in parser._actions
    }


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """Two systems and a reference in the working directory."""
    for name, lines in (("one", ONE), ("two", TWO), ("ref", REFERENCE)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def sacrebleu(texts, monkeypatch):
    """What sacreBLEU prints on standard output for these arguments."""

    class Stream(io.StringIO):
        def fileno(self):
            return id(self)

    def run(*arguments):
        printed = Stream()
        with monkeypatch.context() as patched:
            patched.setenv("NO_COLOR", "1")
            patched.setattr(sys, "argv", ["sacrebleu", "--quiet", *arguments])
            patched.setattr(sys, "stdin", Stream())
            patched.setattr(sys, "stdout", printed)
            patched.setattr(
                theirs, "open", lambda number, **_: printed if number == id(printed) else Stream(), raising=False
            )
            patched.setattr(theirs, "smart_open", _opened)  # its own leaves files open
            with contextlib.suppress(SystemExit):
                theirs.main()
        return printed.getvalue()

    return run


def _opened(name, encoding):
    return io.StringIO(Path(name).read_text(encoding))


def names_of(command):
    return {name for one in command.params for name in one.opts}


class TestTable:
    def test_holds_every_option_of_sacrebleu_once(self, monkeypatch):
        refused = {names[0] for names in INSTEAD}
        known = [*SCORES_ALIKE, *ELSEWHERE, *refused, "refs"]
        assert sorted(known) == sorted(options_of_sacrebleu(monkeypatch))

    def test_holds_every_name_of_what_we_lack(self, monkeypatch):
        found = options_of_sacrebleu(monkeypatch)
        assert all(set(names) == set(found[names[0]].option_strings) for names in INSTEAD)

    def test_names_of_one_meaning_are_the_same(self, monkeypatch):
        found, ours = options_of_sacrebleu(monkeypatch), names_of(score_command) | names_of(compare_command)
        lacking = {
            name
            for one in [*SCORES_ALIKE, *ELSEWHERE]
            for name in found[one].option_strings
            if name not in ours and one not in ("--version", "--help")
        }
        assert lacking == {"-e"} - ours
        assert set(OTHER_MEANING) <= ours

    def test_what_we_lack_is_not_declared(self):
        ours = names_of(score_command) | names_of(compare_command)
        assert not [name for names in INSTEAD for name in names if name in ours]

    def test_names_of_tokenizers_and_smoothing_are_those_of_sacrebleu(self):
        assert set(SMOOTHING_METHODS) == set(BLEU.SMOOTH_DEFAULTS)
        assert set(BLEU.TOKENIZERS) - {*TOKENIZER_NAMES, *EXTERNAL_TOKENIZER_NAMES} == {"spBLEU-1K"}


@pytest.mark.parametrize("words", [words for several in SCORES_ALIKE.values() for words in several], ids=" ".join)
def test_an_option_of_one_meaning_gives_the_same_bytes(bleuscope, sacrebleu, words):
    arguments = ["ref.txt", "-i", "two.txt", "-b", *words]
    code, out, _ = bleuscope("score", *arguments)
    assert (code, out) == (0, sacrebleu(*arguments))


def test_an_encoding_is_read_as_sacrebleu_reads_it(bleuscope, sacrebleu, texts):
    for name in ("ref", "two"):
        (texts / f"{name}.txt").write_bytes("Die Brücke über den Fluß ist schön und alt\n".encode("latin-1"))
    arguments = ["ref.txt", "-i", "two.txt", "-b", "--encoding", "latin-1"]
    assert bleuscope("score", *arguments)[1] == sacrebleu(*arguments) == "100.0\n"


class TestSeveral:
    def test_inputs_and_metrics_follow_their_options(self, bleuscope, texts):
        words = ["score", "-m", "bleu", "chrf", "ter", "-i", "one.txt", "two.txt", "-r", "ref.txt", "-f", "json"]
        code, out, _ = bleuscope(*words)
        assert code == 0
        same = bleuscope("score", "one.txt", "two.txt", "-r", "ref.txt", "-m", "bleu,chrf,ter", "-f", "json")[1]
        assert json.loads(out) == json.loads(same)

    def test_a_file_behind_metrics_is_a_system(self, bleuscope, texts):
        code, out, _ = bleuscope("score", "-m", "chrf", "one.txt", "-r", "ref.txt", "-b")
        assert (code, len(out.splitlines())) == (0, 1)

    def test_scores_alone_have_a_line_for_each_system(self, bleuscope, texts):
        out = bleuscope("score", "two.txt", "one.txt", "-r", "ref.txt", "-b", "-w", "3", "-m", "ter", "chrf")[1]
        rows = [line.split("\t") for line in out.splitlines()]
        alone = [
            bleuscope("score", name, "-r", "ref.txt", "-b", "-w", "3", "-m", "ter")[1]
            for name in ("two.txt", "one.txt")
        ]
        assert [row[0] + "\n" for row in rows] == alone
        assert {len(row) for row in rows} == {2}

    def test_scores_of_segments_have_a_heading_and_signatures(self, bleuscope, texts):
        lines = bleuscope("score", "two.txt", "one.txt", "-r", "ref.txt", "-sl")[1].splitlines()
        assert lines[0] == "segment\ttwo BLEU\tone BLEU"
        assert [line.split("\t")[0] for line in lines[1:4]] == ["1", "2", "3"]
        assert lines[4].startswith("BLEU|nrefs:1|case:mixed|eff:yes|")

    def test_a_word_that_may_be_a_system_or_a_reference_is_refused(self, bleuscope, texts):
        code, _, err = bleuscope("score", "one.txt", "-i", "two.txt", "-r", "ref.txt")
        assert code == 2
        assert "one.txt may be a system or a reference" in err

    def test_several_test_sets_are_refused(self, bleuscope, texts):
        code, _, err = bleuscope("score", "one.txt", "-t", "wmt21,wmt22", "-l", "en-de")
        assert code == 2
        assert "this names several test sets" in err


@pytest.mark.parametrize("name", [name for names in INSTEAD for name in names])
@pytest.mark.parametrize("command", ["score", "compare"])
def test_what_we_lack_is_refused_with_what_to_do(bleuscope, texts, command, name):
    code, out, err = bleuscope(command, "one.txt", "-r", "ref.txt", name, "two.txt")
    assert (code, out) == (2, "")
    assert err.startswith(f"bleuscope: {name} is an option of sacreBLEU that {command} does not have. ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-s", "floor"], "write --smooth-method floor"),
        (["-e", "latin-1"], "write --encoding latin-1"),
        (["-f", "text"], "Write -f table"),
        (["--format=text"], "is called table here"),
    ],
)
def test_what_means_something_else_is_refused_with_what_to_do(bleuscope, texts, words, said):
    code, out, err = bleuscope("score", "one.txt", "-r", "ref.txt", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_short_names_keep_our_meaning_where_nothing_misleads(bleuscope, texts):
    (texts / "floor").write_text("a\nb\nc\n", encoding="utf-8")
    assert bleuscope("score", "one.txt", "-r", "ref.txt", "-s", "floor", "-e")[0] == 0
    assert bleuscope("score", "-e", "one.txt", "-r", "ref.txt")[0] == 0


def test_options_of_score_alone_are_not_taken_for_others(bleuscope, texts):
    code, _, err = bleuscope("compare", "one.txt", "two.txt", "-r", "ref.txt", "-sl")
    assert code == 2
    assert "-sl is an option of sacreBLEU that compare does not have. bleuscope score has it." in err


def test_the_short_name_of_version_works(bleuscope):
    assert bleuscope("-V") == bleuscope("--version")
