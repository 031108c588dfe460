"""The command: scores without a browser, and one line for whatever a user can fix."""

import gzip
import json
import os
import socket
import subprocess
import sys

import click
import pytest

from bleucore import BleuOptions, InputError, System, TestSet, __version__, evaluate
from bleuscope import cli
from bleuscope.cli.command import COMMANDS, FORMER
from bleuscope.cli.command import bleuscope as group

TEXTS = {
    "one.txt": "The cat sat.\nA dog ran off\n",
    "two.out.txt": "the cat sat .\nthe dog ran\n",
    "ref.txt": "The cat sat.\nThe dog ran off.\n",
    "ref2.txt": "A cat was sitting.\nA dog ran away\n",
    "src.txt": "Die Katze saß.\nEin Hund lief weg\n",
    "short.txt": "The cat sat.\n",
}
XML = """<?xml version="1.0"?><dataset id="t"><doc id="d1" origlang="de"><src lang="de"><p>
<seg id="1">Die Katze saß.</seg><seg id="2">Ein Hund lief weg</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">The cat sat.</seg><seg id="2">The dog ran off.</seg></p></ref>
<hyp lang="en" system="from-xml"><p><seg id="1">The cat sat.</seg><seg id="2">A dog ran off</seg></p></hyp>
</doc></dataset>"""
PARTS = ["name", "file", "bleu", "precisions", "brevity_penalty", "hypothesis_length", "reference_length"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory, with a few files."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "one.gz.txt.gz").write_bytes(gzip.compress(TEXTS["one.txt"].encode()))
    (tmp_path / "set.xml").write_text(XML, encoding="utf-8")
    (tmp_path / "broken.xml").write_text(XML[:-20], encoding="utf-8")
    (tmp_path / "latin.txt").write_bytes("The caf\u00e9.\nA dog\n".encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BLEUSCOPE_OPENING", raising=False)
    return tmp_path


@pytest.fixture
def bleuscope(folder, monkeypatch, capsys):
    """Runs the command in this process: exit code, standard output, standard error."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["bleuscope", *arguments])
        with pytest.raises(SystemExit) as ending:
            cli.main()
        return ending.value.code or 0, *capsys.readouterr()

    return run


@pytest.fixture
def json_of(bleuscope):
    """What ``score --format json`` prints."""

    def run(*arguments):
        code, out, err = bleuscope("score", "--format", "json", *arguments)
        assert (code, err) == (0, "")
        return json.loads(out)

    return run


def expected(options=None, systems=("one.txt",), references=("ref.txt",)):
    lines = {name: text.splitlines() for name, text in TEXTS.items()}
    return evaluate(
        TestSet([System(name, lines[name]) for name in systems], [lines[name] for name in references]), options
    )


def run_process(*arguments, **settings):
    return subprocess.run(
        [sys.executable, "-m", "bleuscope", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        encoding="utf-8",
        **settings,
    )


class TestScoreAsJson:
    def test_has_exactly_these_keys_and_the_values_of_the_engine(self, json_of):
        found = json_of("-r", "ref.txt", "one.txt", "two.out.txt")
        evaluation = expected(systems=("one.txt", "two.out.txt"))
        assert list(found) == ["signature", "warnings", "systems"]
        assert found["signature"] == evaluation.signature
        for given, result in zip(found["systems"], evaluation.systems.values(), strict=True):
            assert list(given) == PARTS
            assert given["bleu"] == result.score.score
            assert given["precisions"] == result.score.precisions.tolist()
            assert given["brevity_penalty"] == result.score.brevity_penalty
            assert given["hypothesis_length"] == result.score.hypothesis_length
            assert given["reference_length"] == result.score.reference_length

    def test_names_a_system_after_its_file_without_folder_and_ending(self, json_of, folder):
        (folder / "deep").mkdir()
        (folder / "deep" / "three.en").write_text(TEXTS["one.txt"])
        systems = json_of("-r", "ref.txt", "one.txt", "two.out.txt", "deep/three.en", "one.gz.txt.gz")["systems"]
        assert [system["name"] for system in systems] == ["one", "two.out", "three", "one.gz"]

    @pytest.mark.parametrize("way", ["deep/ref.txt", "./deep/../deep/ref.txt"])
    def test_of_a_folder_is_no_system_what_is_named_as_a_reference(self, json_of, folder, way):
        (folder / "deep").mkdir()
        for name, of in (("one", "one.txt"), ("other", "two.out.txt"), ("ref", "ref.txt")):
            (folder / "deep" / f"{name}.txt").write_text(TEXTS[of])
        found = json_of("deep", "-r", way)
        assert [one["name"] for one in found["systems"]] == ["one", "other"]

    def test_a_folder_of_nothing_but_references_is_refused(self, bleuscope, folder):
        (folder / "deep").mkdir()
        (folder / "deep" / "ref.txt").write_text(TEXTS["ref.txt"])
        code, _, error = bleuscope("score", "deep", "-r", "deep/ref.txt")
        assert code != 0
        assert "no output is left" in error

    def test_tells_systems_of_the_same_file_name_apart(self, json_of, folder):
        (folder / "deep").mkdir()
        (folder / "deep" / "one.txt").write_text(TEXTS["ref.txt"])
        systems = json_of("-r", "ref.txt", "one.txt", "deep/one.txt")["systems"]
        assert [system["name"] for system in systems] == ["one", "deep/one"]
        assert systems[1]["bleu"] > systems[0]["bleu"]

    def test_gives_segment_scores_when_asked_for(self, json_of):
        (system,) = json_of("-r", "ref.txt", "--segments", "one.txt")["systems"]
        assert list(system) == [*PARTS, "segments"]
        assert system["segments"] == expected().systems["one.txt"].segment_scores.tolist()

    def test_takes_several_references(self, json_of):
        found = json_of("-r", "ref.txt", "--reference", "ref2.txt", "one.txt")
        evaluation = expected(references=("ref.txt", "ref2.txt"))
        assert found["signature"].startswith("nrefs:2|")
        assert found["systems"][0]["bleu"] == evaluation.systems["one.txt"].score.score

    def test_reads_a_source_without_influence_on_the_scores(self, json_of):
        assert json_of("-r", "ref.txt", "-s", "src.txt", "one.txt") == json_of("-r", "ref.txt", "one.txt")

    @pytest.mark.parametrize(
        ("arguments", "options"),
        [
            (["--tokenize", "char"], BleuOptions("char")),
            (["--lowercase"], BleuOptions(lowercase=True)),
            (["--smooth-method", "none"], BleuOptions(smoothing="none")),
            (["--smooth-method", "floor"], BleuOptions(smoothing="floor")),
            (
                ["--smooth-method", "add-k", "--smooth-value", "0.3"],
                BleuOptions(smoothing="add-k", smoothing_value=0.3),
            ),
            (["--max-ngram-order", "2", "--effective-order"], BleuOptions(max_order=2, effective_order=True)),
        ],
    )
    def test_follows_the_options(self, json_of, arguments, options):
        found = json_of("-r", "ref.txt", *arguments, "two.out.txt")
        evaluation = expected(options, ("two.out.txt",))
        assert found["signature"] == evaluation.signature
        assert found["systems"][0]["bleu"] == evaluation.systems["two.out.txt"].score.score

    def test_reads_gzip_and_xml(self, json_of):
        score = expected().systems["one.txt"].score.score
        assert json_of("-r", "ref.txt", "one.gz.txt.gz")["systems"][0]["bleu"] == score
        (system,) = json_of("set.xml")["systems"]
        assert (system["name"], system["bleu"]) == ("from-xml", score)

    def test_says_beside_the_result_what_was_read_in_another_way_than_written(self, bleuscope, folder):
        (folder / "bare.xml").write_text(XML.replace("A dog ran off", "A & a dog"), encoding="utf-8")
        code, out, err = bleuscope("score", "--format", "json", "bare.xml")
        assert code == 0
        assert json.loads(out)["systems"][0]["name"] == "from-xml"
        assert err.startswith("bleuscope: bare.xml")
        assert err.count("\n") == 1

    def test_guesses_the_reference_from_its_name_where_none_is_named(self, json_of):
        assert json_of("one.txt", "ref.txt") == json_of("-r", "ref.txt", "one.txt")


class TestScoreAsTable:
    def test_has_a_line_for_each_system_best_first_and_the_signature(self, bleuscope):
        code, out, err = bleuscope("score", "-r", "ref.txt", "two.out.txt", "one.txt")
        evaluation = expected(systems=("one.txt", "two.out.txt"))
        heading, first, second, signature = out.splitlines()
        assert (code, err) == (0, "")
        assert heading.split() == ["system", "BLEU", "precisions", "BP", "ratio"]
        score = evaluation.systems["one.txt"].score
        assert first.split() == [
            "one",
            f"{score.score:.2f}",
            "/".join(f"{precision:.1f}" for precision in score.precisions),
            f"{score.brevity_penalty:.3f}",
            f"{score.length_ratio:.3f}",
        ]
        assert second.startswith("two.out")
        assert signature == evaluation.signature

    @pytest.mark.parametrize("order", ["1", "4", "9"])
    def test_stands_in_columns(self, bleuscope, order):
        out = bleuscope("score", "-r", "ref.txt", "--max-ngram-order", order, "one.txt", "ref2.txt")[1]
        heading, *rows, _ = out.splitlines()
        assert {len(row) for row in rows} == {len(heading)}


UNFIT = [
    (["score", "-r", "ref.txt", "missing.txt"], "missing.txt: the file cannot be read (found no such file"),
    (["score", "-r", "ref.txt", "missing/"], "missing: the file cannot be read (found no such file"),
    (["score", "-r", "ref.txt", "short.txt"], "short.txt: the number of segments differs (found 1 line, expected 2"),
    (["score", "-r", "ref.txt", "-s", "short.txt", "one.txt"], "short.txt: the number of segments differs"),
    (["score", "-r", "ref.txt", "latin.txt"], "latin.txt, line 1: the text is not valid in its encoding (found byte"),
    (["score", "broken.xml"], "broken.xml"),
    (["score", "one.txt"], "one.txt: there is no reference (found hypothesis, expected at least one reference)."),
    (["score", "-r", "ref.txt"], "Missing argument 'SYSTEM...'"),
    (["score", "-r", "ref.txt", "--tokenize", "moses", "one.txt"], "'moses' is not one of '13a', 'intl'"),
    (
        ["score", "-r", "ref.txt", "--max-ngram-order", "0", "one.txt"],
        "Option max_order: this value is not accepted (found 0, expected a whole number from 1 to 32)",
    ),
    (["score", "-r", "ref.txt", "--smooth-value", "1", "one.txt"], "smoothing 'exp' takes no value"),
    (["score", "-r", "ref.txt", "--smooth-method", "floor", "--smooth-value", "nan", "one.txt"], "smoothing_value"),
    (["score", "-r", "ref.txt", "--nonsense", "one.txt"], "No such option"),
    (["demo", "--port", "123456"], "123456 is not in the range"),
    (["missing.txt"], "missing.txt: the file cannot be read"),
    (["one.txt", "two.out.txt"], "there is no reference"),
    (["open", "one.txt", "-r", "short.txt"], "the number of segments differs"),
    (["-r", "ref.txt"], "there is no hypothesis"),
    (["-s", "missing.txt"], "missing.txt: the file cannot be read"),
]


@pytest.mark.parametrize(("arguments", "text"), UNFIT)
def test_what_a_user_can_fix_is_one_line_and_exit_code_2(bleuscope, arguments, text):
    code, out, err = bleuscope(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("bleuscope: ")
    assert err.count("\n") == 1
    assert text in err


class TestOpening:
    def test_bad_files_end_it_before_any_server_starts(self, folder):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = str(taken.getsockname()[1])
            done = run_process("one.txt", "latin.txt", "--port", port, "--no-browser", cwd=folder)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize("what", [["demo"], ["one.txt", "ref.txt"], []])
    def test_a_port_in_use_is_said_so_without_a_traceback(self, bleuscope, what):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            code, _, errors = bleuscope(*what, "--port", port, "--no-browser")
        assert code != 0
        assert port in errors
        assert "Traceback" not in errors


class TestHelp:
    @pytest.mark.parametrize("flag", ["--help", "-h"])
    def test_lists_the_commands(self, bleuscope, flag):
        code, out, err = bleuscope(flag)
        assert (code, err) == (0, "")
        assert all(f"  {command} " in out for command in ("demo", "open", "score"))

    def test_says_of_each_command_what_its_own_help_begins_with(self, bleuscope):
        listed = " ".join(bleuscope("--help")[1].split())
        for name in COMMANDS:
            told = group.get_command(click.Context(group), name).help.partition("\n\n")[0]
            assert f" {name} {' '.join(told.split())} " in f"{listed} "

    @pytest.mark.parametrize("command", ["demo", "open", "score"])
    def test_of_a_command_explains_its_options(self, bleuscope, command):
        code, out, _ = bleuscope(command, "--help")
        assert code == 0
        assert "Options:" in out

    def test_the_version_is_that_of_the_package(self, bleuscope):
        code, out, _ = bleuscope("--version")
        assert (code, out.strip().split()[-1]) == (0, __version__)


class TestAsAProcess:
    def test_the_command_can_be_imported_without_anything_of_the_dashboard(self):
        heavy = ("streamlit", "pandas", "plotly", "scipy", "starlette")
        code = f"import sys, bleuscope.cli; print([name for name in {heavy} if name in sys.modules])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"

    def test_scoring_needs_nothing_of_the_dashboard_either(self, folder):
        code = (
            "import os, sys; from bleuscope import cli\n"
            "sys.argv = ['bleuscope', 'score', '-r', 'ref.txt', 'one.txt']\n"
            "try: cli.main()\n"
            "except SystemExit as ending: print(ending.code or 0)\n"
            "print({'streamlit', 'plotly', 'scipy', 'pandas', 'regex', 'pyarrow.compute'} & set(sys.modules))\n"
            "print(os.environ['OPENBLAS_NUM_THREADS'])"
        )
        unset = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, env=unset)
        assert done.stdout.splitlines()[-3:] == ["0", "set()", "1"]

    def test_a_closed_pipe_gives_no_traceback(self, folder):
        many = folder / "many.txt"
        many.write_text("a b c d e f\n" * 20_000)
        reference = folder / "many.ref.txt"
        reference.write_text("a b c d e g\n" * 20_000)
        with subprocess.Popen(
            [sys.executable, "-m", "bleuscope", "score", "-r", reference, "--format", "json", "--segments", many],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            process.stdout.read(1)
            process.stdout.close()
            errors = process.stderr.read().decode()
            process.wait(timeout=300)
        assert errors == ""

    def test_names_in_any_script_can_be_printed_to_any_terminal(self, folder):
        (folder / "система.txt").write_text(TEXTS["one.txt"])
        environment = os.environ | {"PYTHONIOENCODING": "ascii"}
        for form in ("table", "json"):
            done = run_process("score", "-r", "ref.txt", "система.txt", "--format", form, cwd=folder, env=environment)
            assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["systems"][0]["name"] == "система"


def test_an_error_of_ours_is_not_hidden(bleuscope, monkeypatch):
    monkeypatch.setattr(InputError, "_sentence", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        bleuscope("score", "one.txt")


class TestNames:
    @pytest.fixture
    def release(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        texts = {"hyp.Online-W.en": "a cat sat\nit ran\n", "hyp.CUNI-Doc.en": "a cat sat down\nit ran off\n"}
        texts |= {"ref.A.en": "the cat sat down\nit ran off\n"}
        for name, text in texts.items():
            (tmp_path / f"generaltest2022.cs-en.{name}").write_text(text)
        return sorted(path.name for path in tmp_path.glob("generaltest2022.*"))

    def test_are_short_and_the_files_stand_beside_them(self, bleuscope, release):
        code, out, _ = bleuscope("score", *release[:2], "-r", release[2], "-f", "json")
        assert code == 0
        systems = json.loads(out)["systems"]
        assert [(one["name"], one["file"]) for one in systems] == [("CUNI-Doc", release[0]), ("Online-W", release[1])]

    @pytest.mark.parametrize(
        "baseline",
        [
            "Online-W",
            "generaltest2022.cs-en.hyp.Online-W",
            "generaltest2022.cs-en.hyp.Online-W.en",
            "./generaltest2022.cs-en.hyp.Online-W.en",
        ],
    )
    def test_of_a_baseline_may_be_those_of_its_file(self, bleuscope, release, baseline):
        command = [
            "compare",
            *release[:2],
            "-r",
            release[2],
            "--baseline",
            baseline,
            "-f",
            "json",
            "--table",
            "systems",
        ]
        code, out, err = bleuscope(*command, "--trials", "9", "--resamples", "9")
        assert code == 0, err
        rows = {row["system"]: row for row in json.loads(out)["systems"]}
        assert rows["Online-W"]["difference"] is None
        assert rows["CUNI-Doc"]["file"] == release[0]

    def test_of_files_with_one_name_are_those_of_their_folders(self, bleuscope, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        for folder in ("first", "second"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "hyp.txt").write_text(f"{folder} words\n")
        (tmp_path / "ref.txt").write_text("first words\n")
        _, out, _ = bleuscope("score", "first/hyp.txt", "second/hyp.txt", "-r", "ref.txt", "-f", "json")
        assert [one["name"] for one in json.loads(out)["systems"]] == ["first", "second"]


@pytest.mark.parametrize("former", FORMER)
def test_a_former_name_of_a_command_works_and_says_the_new_one(bleuscope, former):
    now, goes = FORMER[former]
    if now not in COMMANDS:
        assert bleuscope(former, "--help")[0] == 2
        return
    code, out, err = bleuscope(former, "--help")
    assert (code, out) == bleuscope(now, "--help")[:2]
    said = f"{former} is called {now} now. The former name goes in {goes}. Write bleuscope {now}."
    assert err == f"bleuscope: {said}\n"
    assert former not in COMMANDS
