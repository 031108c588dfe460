"""The command ``neural``: files as neural metrics read them, commands as a shell takes them, and what comes back."""

import json
import re
import shlex
import subprocess

import pytest

from bleuscope.neural.models import MODELS

NAMES = ("it's & <b>", "大阪 1", "plain")
OUTPUTS = ("First line.", "二行目\u2028です 。", " Ende ", "")
FILES = [*(f"{name}.txt" for name in NAMES), "-r", "ref.txt", "-s", "source.txt"]


@pytest.fixture
def files(tmp_path):
    """Three systems whose names and texts are hard to carry."""
    for name in NAMES:
        texts = [f"{text}{name}" if text == OUTPUTS[0] else text for text in OUTPUTS]
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    for name in ("ref", "source"):
        (tmp_path / f"{name}.txt").write_text("".join(f"{name} {place}\n" for place in range(4)), encoding="utf-8")
    return FILES


@pytest.fixture
def written(bleuscope, files, tmp_path):
    """What is printed, and the folder."""
    code, out, err = bleuscope("neural", *files, "-o", "to")
    assert code == 0, err
    return out, tmp_path / "to", err


def lines_as_read(path):
    """As comet-score and bert-score read a file."""
    with path.open(encoding="utf-8") as file:
        return [line.strip() for line in file]


def words_of(out, start):
    """The words of the first command that begins so, as a shell takes them."""
    return shlex.split(next(line for line in out.splitlines() if start in line and not line.startswith("#")))


def test_each_command_names_files_that_are_there_and_have_every_line(written):
    out, folder, _ = written
    named = [word for line in out.splitlines() if line.startswith("uv") for word in shlex.split(line)]
    paths = {word for word in named if re.search(r"^(?:systems/.*|source|reference)\.txt$", word)}
    assert len(paths) == len(NAMES) + 2
    assert all(len(lines_as_read(folder / path)) == len(OUTPUTS) for path in paths)
    assert (folder / "commands.txt").read_text(encoding="utf-8") == out


def test_every_model_has_its_licence_and_who_must_be_asked(written):
    out, _, _ = written
    for model in MODELS:
        (said,) = re.findall(rf"^# {model.name}: .*$", out, re.MULTILINE)
        assert model.licence in said
        assert ("not for commercial use" in said) == (model.licence == "CC BY-NC-SA 4.0")
        assert (f"Ask for it at https://huggingface.co/{model.hub}" in out) == model.is_gated
    assert out.count("git clone") == 1


def test_a_shell_takes_names_as_names(written):
    out, folder, _ = written
    script = "\n".join(line.split(" > ")[0] for line in out.splitlines() if line.startswith("uv"))
    ran = subprocess.run(  # what is tested is what a shell makes of it
        f'uvx() {{ printf "%s\\n" "$@"; }}; uv() {{ :; }}\n{script}',
        shell=True,
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={"PATH": ""},
    )
    assert ran.stderr == ""
    paths = {line for line in ran.stdout.splitlines() if line.startswith("systems/")}
    assert paths == {"systems/it%27s & %3Cb%3E.txt", "systems/大阪 1.txt", "systems/plain.txt"}


def comet_output(folder, words):
    """What comet-score writes with ``--to_json``: one object, a list for each file as it was named, lines stripped."""
    paths = words[words.index("-t") + 1 :]
    sources, references = (lines_as_read(folder / words[words.index(flag) + 1]) for flag in ("-s", "-r"))
    found = {
        path: [
            {"src": source, "mt": output, "ref": reference, "COMET": 0.25 * place}
            for place, (source, output, reference) in enumerate(
                zip(sources, lines_as_read(folder / path), references, strict=True)
            )
        ]
        for path in paths
    }
    found[paths[0]][0]["errors"] = [{"text": "First", "confidence": 0.5, "severity": "minor", "start": 0, "end": 5}]
    return json.dumps(found, ensure_ascii=False, indent=4)


def metricx_output(folder, words):
    """What ``predict.py`` writes: each line that it read, with a prediction."""
    path = folder / "metricx" / words[words.index("--input_file") + 1]
    read = map(json.loads, path.resolve().read_text(encoding="utf-8").splitlines())
    return "".join(json.dumps({**line, "prediction": 1.5 * line["segment_id"]}) + "\n" for line in read)


def bert_output(folder, words):
    """What bert-score prints with ``-s``."""
    candidates = lines_as_read(folder / words[words.index("-c") + 1])
    rows = "".join(f"0.{place}00000\t0.{place}10000\t0.{place}20000\n" for place in range(len(candidates)))
    return f"{words[words.index('-m') + 1]}_L9_no-idf_version=0.3.12(hug_trans=4.57.6) P: 0.1 R: 0.1 F1: 0.1\n{rows}"


def test_what_the_programs_write_opens_without_an_edit(written, bleuscope, files):
    out, folder, _ = written
    words = words_of(out, "--model Unbabel/XCOMET-XL ")
    (folder / words[words.index("--to_json") + 1]).write_text(comet_output(folder, words), encoding="utf-8")
    words = words_of(out, "google/metricx-24-hybrid-large")
    (folder / "metricx").mkdir()
    scores = (folder / "metricx" / words[words.index("--output_file") + 1]).resolve()
    scores.write_text(metricx_output(folder, words), encoding="utf-8")
    for line in out.splitlines():
        if "bert-score -m" in line:
            words = shlex.split(line)
            (folder / words[-1]).write_text(bert_output(folder, words), encoding="utf-16")  # as PowerShell does
    named = [str(folder / "XCOMET-XL.json"), str(scores), str(folder / "bertscore.*")]
    code, told, err = bleuscope("score", *files, *(word for one in named for word in ("--scores", one)), "-f", "json")
    assert code == 0, err
    systems = json.loads(told)["systems"]
    assert len(systems) == len(NAMES)
    for row in systems:
        assert row["metrics"]["XCOMET-XL"] == pytest.approx(0.375)
        assert row["metrics"]["metricx-24-hybrid-large"] == pytest.approx(2.25)
        assert row["metrics"]["BERTScore F1"] == pytest.approx(0.17)


def test_texts_that_a_program_reads_otherwise_are_said(written):
    _, _, said = written
    assert "3 texts begin or end with a blank: comet-score counts places of errors without it." in said


def test_without_a_source_only_models_that_need_none_are_there(bleuscope, files):
    code, out, _ = bleuscope("neural", *files[:-2], "--format", "json")
    assert code == 0
    assert [row["model"] for row in json.loads(out)["models"]] == ["metricx-23-large", "metricx-23-xl", "bert-score"]
    code, _, err = bleuscope("neural", *files[:-2], "--model", "XCOMET-XL")
    assert (code, "there is no model for these texts of this name" in err) == (2, True)
    assert "Name the source with --source." in err


def test_a_line_break_in_a_text_is_a_blank_in_the_file(bleuscope, tmp_path):
    rows = [{"source": "a\nb", "reference": "c\r\nd", "A": "e\rf"}, {"source": "g", "reference": "h", "A": "i"}]
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, _, err = bleuscope("neural", "set.jsonl", "--model", "wmt22-comet-da", "-o", "out")
    assert code == 0, err
    assert "3 texts had line breaks, which are blanks in the files." in err
    assert lines_as_read(tmp_path / "out" / "systems" / "A.txt") == ["e f", "i"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "commands.txt",
        "reference.txt",
        "source.txt",
        "systems",
    ]


def test_files_that_are_there_are_left_alone(bleuscope, files, tmp_path):
    code, _, err = bleuscope("neural", *files, "-o", ".")
    assert (code, "found source.txt" in err) == (2, True)
    assert not (tmp_path / "commands.txt").exists()
