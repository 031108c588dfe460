"""The command ``score``: which options it takes, where it reads from, and in which forms it answers."""

import csv
import io
import json
import os
import pty
import subprocess
from typing import ClassVar

import pytest
import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER

from bleucore import PRESETS, BleuOptions, System, TestSet, evaluate
from tests.warm_python import warm_python

ONE = ["The cat sat on the mat.", "A dog ran off today", "Nobody was there"]
TWO = ["the cat sat on a mat .", "The dog ran off.", "Nobody was at home"]
REFERENCE = ["The cat sat on the mat.", "The dog ran off today.", "Nobody was at home."]


@pytest.fixture(autouse=True)
def texts(tmp_path):
    """Two systems and a reference in the working directory."""
    for name, lines in (("one", ONE), ("two", TWO), ("ref", REFERENCE)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def scores(bleuscope):
    """What ``score --format json`` prints."""

    def run(*arguments):
        code, out, err = bleuscope("score", "--format", "json", *arguments)
        assert (code, err) == (0, "")
        return json.loads(out)

    return run


def process(*arguments, **settings):
    return subprocess.run(
        [warm_python(), "-m", "bleuscope", *arguments], capture_output=True, check=False, timeout=300, **settings
    )


class TestNumbers:
    def test_of_a_tiny_case_are_those_by_hand(self, scores, tmp_path):
        (tmp_path / "half.txt").write_text("a b c d\n")
        (tmp_path / "whole.txt").write_text("a b c d\n")
        assert scores("-r", "whole.txt", "half.txt")["systems"][0]["bleu"] == pytest.approx(100)

    def test_are_those_of_sacrebleu(self, scores):
        found = scores("-r", "ref.txt", "-m", "chrf,ter", "one.txt", "two.txt")
        oracles = {"bleu": BLEU(), "chrF2": CHRF(), "TER": TER()}
        for system, texts in zip(found["systems"], (ONE, TWO), strict=True):
            said = {"bleu": system["bleu"], **system["metrics"]}
            assert said == {
                name: pytest.approx(metric.corpus_score(texts, [REFERENCE]).score, abs=1e-9)
                for name, metric in oracles.items()
            }
        assert found["signatures"].keys() == {"chrF2", "TER"}

    @pytest.mark.parametrize(
        ("arguments", "oracle"),
        [
            (["-lc"], BLEU(lowercase=True)),
            (["-tok", "intl"], BLEU(tokenize="intl")),
            (["--smooth-method", "floor", "-sv", "0.3"], BLEU(smooth_method="floor", smooth_value=0.3)),
            (["-e"], BLEU(effective_order=True)),
            (["--langpair", "en-zh"], BLEU(tokenize="zh")),
            (["-l", "en-de"], BLEU()),
        ],
    )
    def test_follow_the_options_that_sacrebleu_has_too(self, scores, arguments, oracle):
        (system,) = scores("-r", "ref.txt", *arguments, "two.txt")["systems"]
        assert system["bleu"] == pytest.approx(oracle.corpus_score(TWO, [REFERENCE]).score, abs=1e-9)

    def test_of_chrf_follow_its_options(self, scores):
        (system,) = scores("-r", "ref.txt", "-m", "chrf", "-cw", "2", "--chrf-lowercase", "two.txt")["systems"]
        oracle = CHRF(word_order=2, lowercase=True).corpus_score(TWO, [REFERENCE])
        assert system["metrics"] == {"chrF2++": pytest.approx(oracle.score, abs=1e-9)}

    @pytest.mark.parametrize("name", ["papineni-2002", "nltk-1", "mteval-v13a"])
    def test_of_a_preset_are_those_of_the_engine(self, scores, name):
        expected = evaluate(TestSet([System("two", TWO)], [REFERENCE]), PRESETS[name].options)
        found = scores("-r", "ref.txt", "--preset", name, "two.txt")
        assert found["signature"] == expected.signature
        assert found["systems"][0]["bleu"] == expected.systems["two"].score.score

    def test_a_preset_gives_way_to_what_is_asked_beside_it(self, scores):
        found = scores("-r", "ref.txt", "--preset", "nltk-1", "--smooth-method", "exp", "--no-lowercase", "two.txt")
        assert found["signature"] == BleuOptions("none", totals_at_least_one=True).signature(1)

    def test_weights_and_reference_length_are_the_engines(self, scores):
        options = BleuOptions(max_order=2, weights=(0.75, 0.25), reference_length="shortest")
        expected = evaluate(TestSet([System("one", ONE)], [REFERENCE, TWO]), options)
        arguments = ["--max-ngram-order", "2", "--weights", "0.75,.25", "--reference-length", "shortest"]
        found = scores("-r", "ref.txt", "-r", "two.txt", *arguments, "one.txt")
        assert found["systems"][0]["bleu"] == expected.systems["one"].score.score

    def test_of_a_file_of_scores_are_their_means(self, scores, tmp_path):
        (tmp_path / "errors.tsv").write_text("system\tsegment\tMQM\none\t1\t2\none\t2\t4\none\t3\t0\n")
        found = scores("-r", "ref.txt", "--scores", "errors.tsv", "--lower-is-better", "MQM", "one.txt")
        assert found["systems"][0]["metrics"] == {"MQM": 2}

    def test_of_a_file_of_scores_are_read_of_the_columns_that_are_named(self, scores, bleuscope, tmp_path):
        (tmp_path / "s.tsv").write_text("system\tsegment\tMQM\tX\tY\none\t1\t2\t3\t4\n")
        arguments = ["-r", "ref.txt", "--scores", "s.tsv", "one.txt"]
        assert list(scores(*arguments)["systems"][0]["metrics"]) == ["MQM", "X", "Y"]
        found = scores(*arguments, "--score-column", "Y", "--score-column", "MQM")
        assert found["systems"][0]["metrics"] == {"MQM": 2, "Y": 4}
        code, out, err = bleuscope("score", *arguments, "--score-column", "Z")
        assert (code, out) == (2, "")
        assert "Option --score-column: there is no such score column (found 'Z', expected one of MQM, X, Y)" in err

    def test_of_a_file_as_its_metric_wrote_it_are_its_means(self, scores, tmp_path):
        segments = [
            {"src": "x", "mt": text, "ref": "y", "COMET": score} for text, score in zip(ONE, (1, 2, 6), strict=True)
        ]
        (tmp_path / "comet.json").write_text(json.dumps({"outputs/one.txt": segments}))
        records = [{"hypothesis": text, "prediction": 2.5} for text in ONE]
        (tmp_path / "predictions.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        found = scores("-r", "ref.txt", "--scores", "comet.json", "--scores", "predictions.jsonl", "one.txt", "two.txt")
        assert found["systems"][0]["metrics"] == {"COMET": 3, "MetricX": 2.5}

    def test_a_system_without_scores_has_none_and_not_a_0(self, scores, bleuscope, tmp_path):
        (tmp_path / "s.tsv").write_text("system\tsegment\tX\none\t1\t2\n")
        arguments = ["-r", "ref.txt", "--scores", "s.tsv", "one.txt", "two.txt"]
        assert [system["metrics"] for system in scores(*arguments)["systems"]] == [{"X": 2}, {"X": None}]
        _, out, _ = bleuscope("score", *arguments)
        assert [line.split()[-1] for line in out.splitlines() if line.startswith("two")] == ["–"]

    def test_scores_of_a_system_that_is_not_compared_are_left_out_and_that_is_said(self, bleuscope, tmp_path):
        (tmp_path / "s.tsv").write_text("system\tsegment\tX\none\t1\t2\nother\t1\t4\n")
        code, out, err = bleuscope("score", "-f", "json", "-r", "ref.txt", "--scores", "s.tsv", "one.txt")
        assert (code, json.loads(out)["systems"][0]["metrics"]) == (0, {"X": 2})
        assert err == "bleuscope: s.tsv: left out: 1 score of 'other', as no system of the test set is called so.\n"

    @pytest.mark.parametrize(("said", "metrics"), [("other=two", [2, 4]), ("other=", [2, None])])
    def test_what_a_name_means_can_be_said(self, bleuscope, tmp_path, said, metrics):
        (tmp_path / "s.tsv").write_text("system\tsegment\tX\none\t1\t2\nother\t1\t4\n")
        arguments = ["-r", "ref.txt", "--scores", "s.tsv", "--system-name", said, "one.txt", "two.txt"]
        code, out, err = bleuscope("score", "-f", "json", *arguments)
        assert (code, [system["metrics"]["X"] for system in json.loads(out)["systems"]], err) == (0, metrics, "")

    def test_what_a_name_means_has_to_be_a_system(self, bleuscope, tmp_path):
        (tmp_path / "s.tsv").write_text("system\tsegment\tX\none\t1\t2\n")
        code, _, err = bleuscope("score", "-r", "ref.txt", "--scores", "s.tsv", "--system-name", "x=y", "one.txt")
        assert code == 2
        assert "this does not say which system is meant (found 'x=y', expected NAME=SYSTEM, with one of 'one')" in err


class TestReading:
    def test_a_pattern_stands_for_its_files_in_order(self, scores):
        found = scores("-r", "r*.txt", "[ot][nw]*.txt")
        assert [system["name"] for system in found["systems"]] == ["one", "two"]

    def test_a_file_whose_name_looks_like_a_pattern_is_itself(self, scores, tmp_path):
        (tmp_path / "a[1].txt").write_text("\n".join(ONE))
        assert scores("-r", "ref.txt", "a[1].txt")["systems"][0]["name"] == "a[1]"

    def test_standard_input_is_a_file_like_others(self, tmp_path):
        done = process("score", "-", "-r", "ref.txt", "-f", "json", cwd=tmp_path, input="\n".join(ONE).encode())
        (system,) = json.loads(done.stdout)["systems"]
        assert (done.returncode, done.stderr, system["name"]) == (0, b"", "standard input")
        assert system["bleu"] == pytest.approx(sacrebleu.corpus_bleu(ONE, [REFERENCE]).score, abs=1e-9)

    def test_standard_input_can_be_the_reference(self, tmp_path):
        done = process("score", "one.txt", "-r", "-", "-f", "json", cwd=tmp_path, input="\n".join(REFERENCE).encode())
        assert json.loads(done.stdout)["systems"][0]["name"] == "one"

    def test_a_terminal_is_not_waited_for(self, tmp_path):
        ours, theirs = pty.openpty()
        try:
            done = process("score", "-", "-r", "ref.txt", cwd=tmp_path, stdin=theirs)
        finally:
            os.close(ours)
            os.close(theirs)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(b"bleuscope: Standard input: it is a terminal (expected a pipe or a file).")


UNFIT = [
    (["-", "-", "-r", "ref.txt"], "standard input is named more than once (found 2 times -, expected once)"),
    (["-", "-r", "-"], "standard input is named more than once"),
    (["x*.txt", "-r", "ref.txt"], "x*.txt: no file has such a name"),
    (["one.txt", "-r", "ref.txt", "--sample"], "Option --sample: what to read is named twice"),
    (["one.txt", "-r", "ref.txt", "-m", "comet"], "there is no metric of this name (found 'comet'"),
    (["one.txt", "-r", "ref.txt", "--chrf-beta", "3"], "an option of chrf is given without that metric"),
    (["one.txt", "-r", "ref.txt", "--weights", "1,x"], "Option --weights: these are no numbers (found '1,x'"),
    (["one.txt", "-r", "ref.txt", "--preset", "bleu"], "'bleu' is not one of 'sacrebleu'"),
    (["one.txt", "-r", "ref.txt", "--segments", "-f", "csv"], "--sentence-level prints a table or json."),
    (["one.txt", "-r", "ref.txt", "--lower-is-better", "X"], "there is no such score column"),
    (["one.txt", "-r", "ref.txt", "--table", "order"], "there is no table of this name (found 'order'"),
    (["one.txt", "-r", "ref.txt", "--columns", "blue"], "there is no column of this name (found 'blue'"),
    (["one.txt", "-r", "ref.txt", "-f", "json", "--decimals", "1"], "this form holds every digit of a number"),
    (["one.txt", "-r", "ref.txt", "-o", "one.txt"], "it is one of the files to read (found one.txt)"),
]


@pytest.mark.parametrize(("arguments", "text"), UNFIT)
def test_what_cannot_be_meant_is_one_line_and_exit_code_2(bleuscope, arguments, text):
    code, out, err = bleuscope("score", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert text in err


def test_a_misspelt_command_is_not_taken_for_a_file(bleuscope):
    assert bleuscope("scor", "one.txt") == (
        2,
        "",
        "bleuscope: There is no command or file 'scor'. Did you mean score? See bleuscope --help.\n",
    )


class TestForms:
    def test_columns_can_be_chosen_and_hold_full_precision(self, bleuscope):
        out = bleuscope("score", "-r", "ref.txt", "one.txt", "-f", "tsv", "--columns", "bleu,system")[1]
        exact = sacrebleu.corpus_bleu(ONE, [REFERENCE]).score
        heading, row = out.splitlines()
        assert heading == "bleu\tsystem"
        assert float(row.split("\t")[0]) == pytest.approx(exact, abs=1e-9)

    def test_decimals_can_be_chosen_for_people(self, bleuscope):
        exact = sacrebleu.corpus_bleu(ONE, [REFERENCE]).score
        for form in ("table", "latex"):
            out = bleuscope("score", "-r", "ref.txt", "one.txt", "-f", form, "--decimals", "3")[1]
            assert f"{exact:.3f}" in out

    def test_csv_is_read_back(self, bleuscope):
        out = bleuscope("score", "-r", "ref.txt", "one.txt", "two.txt", "-f", "csv")[1]
        assert {row["system"] for row in csv.DictReader(io.StringIO(out))} == {"one", "two"}

    @pytest.mark.parametrize(
        ("form", "sign"), [("markdown", "| system |"), ("latex", "\\toprule"), ("json", '"orders": [')]
    )
    def test_another_table_goes_through_every_form(self, bleuscope, form, sign):
        code, out, err = bleuscope("score", "-r", "ref.txt", "one.txt", "-f", form, "--table", "orders")
        assert (code, err) == (0, "")
        assert sign in out

    def test_the_table_has_a_column_and_a_signature_for_every_metric(self, bleuscope):
        heading, row, *signatures = bleuscope("score", "-r", "ref.txt", "one.txt", "-m", "chrf")[1].splitlines()
        assert heading.split()[-1] == "chrF2"
        assert row.split()[-1] == f"{CHRF().corpus_score(ONE, [REFERENCE]).score:.2f}"
        assert [line.split("|")[0] for line in signatures] == ["nrefs:1", "chrF2"]

    @pytest.mark.parametrize("order", [("ref.txt", "two.txt"), ("two.txt", "ref.txt")])
    def test_the_order_of_references_is_told_beside_chrf(self, bleuscope, scores, order):
        given = ("one.txt", "-r", order[0], "-r", order[1], "-m", "chrf")
        names = {"ref.txt": "reference", "two.txt": "two"}
        said = f"so their order counts: here {', '.join(names[name] for name in order)}."
        assert bleuscope("score", *given)[1].endswith(f"{said}\n")
        (remark,) = scores(*given)["remarks"]
        assert remark.endswith(said)
        assert "remarks" not in scores(*given[:-2])

    def test_scores_of_segments_stand_beside_their_own_signature(self, scores):
        found = scores("one.txt", "-r", "ref.txt", "--segments")
        assert found["segment_signature"] == found["signature"].replace("eff:no", "eff:yes")
        assert "segment_signature" not in scores("one.txt", "-r", "ref.txt")


class TestFormOfAFile:
    BEGINS: ClassVar[dict[str, bytes]] = {
        "out.json": b'{\n "signature"',
        "OUT.CSV": b"system,",
        "out.tsv": b"system\t",
        "out.tab": b"system\t",
        "out.md": b"| system",
        "out.markdown": b"| system",
        "out.tex": b"%",
        "out.latex": b"%",
        "out.xlsx": b"PK",
        "out.parquet": b"PAR1",
        "out.txt": b"system  ",
        "out": b"system  ",
        "wmt22-v1.2": b"system  ",
    }

    @pytest.mark.parametrize("name", BEGINS)
    def test_is_that_of_its_ending(self, bleuscope, tmp_path, name):
        assert bleuscope("score", "one.txt", "-r", "ref.txt", "-o", name) == (0, "", "")
        assert (tmp_path / name).read_bytes().startswith(self.BEGINS[name])

    @pytest.mark.parametrize(
        ("arguments", "refusal"),
        [
            (["score", "-f", "csv", "-o", "out.json"], "the file's name says another format (found out.json, expected"),
            (["score", "-f", "csv", "-o", "out.json"], "Write -o out.csv, or leave out --format csv."),
            (["score", "-f", "table", "-o", "out.md"], "the file's name says another format"),
            (["score", "-f", "xlsx", "-o", "out.txt"], "the file's name says another format"),
            (["compare", "-f", "json", "-o", "out.xlsx"], "the file's name says another format"),
            (["score", "-o", "out.html"], "this command does not write html (found out.html"),
            (["report", "-o", "out.csv"], "this command does not write csv (found out.csv, expected .html"),
            (["score", "-o", "out.docx"], "no format has this ending (found out.docx, expected"),
            (["score", "-o", "out.docx"], "add --format to say what to write"),
            (["lint", "-o", "out.html"], "this command does not write html"),
            (
                ["report", "-o", "out.txt"],
                "this command does not write plain text (found out.txt, expected .html, .md)",
            ),
            (["report", "-o", "out.log"], "this command does not write plain text"),
        ],
    )
    def test_that_cannot_be_meant_is_refused_before_anything_is_read(self, bleuscope, tmp_path, arguments, refusal):
        command, *others = arguments
        code, out, err = bleuscope(command, "missing.txt", "-r", "ref.txt", *others)
        assert (code, out) == (2, "")
        assert refusal in err
        assert not list(tmp_path.glob("out.*"))

    @pytest.mark.parametrize(
        ("form", "name", "begins"), [("csv", "out.txt", b"system,"), ("json", "out.log", b"{"), ("tsv", "o.v2", b"sys")]
    )
    def test_is_what_was_said_where_the_ending_allows_it(self, bleuscope, tmp_path, form, name, begins):
        assert bleuscope("score", "one.txt", "-r", "ref.txt", "-f", form, "-o", name)[0] == 0
        assert (tmp_path / name).read_bytes().startswith(begins)

    def test_gives_segments_to_a_file_of_json(self, bleuscope, tmp_path):
        assert bleuscope("score", "one.txt", "-r", "ref.txt", "--segments", "-o", "out.json")[0] == 0
        assert json.loads((tmp_path / "out.json").read_text())["systems"][0]["segments"]

    def test_of_a_report_is_markdown_by_its_ending(self, bleuscope, tmp_path):
        arguments = ["one.txt", "two.txt", "-r", "ref.txt", "--trials", "99", "--resamples", "99"]
        assert bleuscope("report", *arguments, "-o", "out.md")[0] == 0
        assert (tmp_path / "out.md").read_text().startswith("# ")
