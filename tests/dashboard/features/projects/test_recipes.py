"""What the scripts for training push, with programs in place of toolkits that write as these do.

The scripts run in a shell as they are. What they push is noted, and pushed in this process behind them.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
PATHS = f"{ROOT}{os.pathsep}{ROOT / 'dashboard'}"
RECIPES = ROOT / "docs" / "recipes"
SAMPLE = ROOT / "sample_data"
N_SEGMENTS = 40
STEPS = {"9000": "neural-20k", "10000": "neural-40k"}
"""A checkpoint's step, and of which system of the sample its outputs are the beginning."""

STUBS = {
    "bleuscope": """
case $1 in
push)
    number=$(($(cat pushes 2> /dev/null || echo 0) + 1))
    echo $number > pushes
    printf '%s\\n' "$@" > push.$number
    echo "kept"
    ;;
*) exec env PYTHONPATH={paths} {python} -m bleuscope "$@" ;;
esac
""",
    "fairseq-generate": """
step=${3##*_}
echo "2026-11-23 10:00:00 | INFO | fairseq_cli.generate | loading model(s) from $3"
awk -v OFS='\\t' '{
    print "S-" NR - 1, "source", "D-1"
    print "T-" NR - 1, "target"
    print "H-" NR - 1, "-0.51", "▁as ▁pie ces"
    print "D-" NR - 1, "-0.51", $0
    print "P-" NR - 1, "-0.1 -0.2"
}' "outputs.of.${step%.pt}" | paste -d '\\r' - - - - - | sort -R --random-source=/dev/zero | tr '\\r' '\\n'
echo "Generate test with beam=5: BLEU4 = 12.34"
""",
    "onmt_translate": """
step=${2##*_}
test -f "$4"
cp "outputs.of.${step%.pt}" "$6"
""",
    "eole": """
test "$1 $2 $4" = "predict -model_path -src"
test -d "$3"
cp "outputs.of.${3##*_}" "$7"
""",
}


def beginning(of_sample):
    lines = (SAMPLE / f"{of_sample}.txt").read_text(encoding="utf-8").split("\n")[:N_SEGMENTS]
    return "\n".join([*lines, ""])


@pytest.fixture
def run(bleuscope, tmp_path, monkeypatch):
    """Runs a recipe: what it prints, and what the pushes that it asked for say."""
    monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(tmp_path / "workspace"))
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name, text in STUBS.items():
        filled = text.replace("{python}", shlex.quote(sys.executable)).replace("{paths}", shlex.quote(PATHS))
        (bin_folder / name).write_text(f"#!/bin/bash\nset -e\n{filled.strip()}\n", encoding="utf-8")
        (bin_folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    for name, of_sample in (("ref.txt", "reference-A"), ("src.txt", "source")):
        (tmp_path / name).write_text(beginning(of_sample), encoding="utf-8")
    for step, of_sample in STEPS.items():
        (tmp_path / f"outputs.of.{step}").write_text(beginning(of_sample), encoding="utf-8")

    def run_recipe(name, *arguments):
        command = ["sh", RECIPES / f"{name}.sh", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        pushes = sorted(tmp_path.glob("push.*"), key=lambda path: int(path.suffix[1:]))
        said = [bleuscope(*path.read_text(encoding="utf-8").splitlines()) for path in pushes]
        assert all(code == 0 for code, *_ in said), said
        return done.stdout, {out.partition(",")[0] for _, out, _ in said}

    return run_recipe


def versions(system, test_set, word):
    return {f"{system} {word}-{step} on {test_set}" for step in STEPS}


def outputs_are_those_of_the_toolkit(folder):
    return all(
        (folder / "outputs" / f"{step}.txt").read_text(encoding="utf-8") == beginning(of_sample)
        for step, of_sample in STEPS.items()
    )


def test_fairseq_has_its_lines_in_order(run, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    for epoch, step in enumerate(STEPS, 9):
        (tmp_path / "checkpoints" / f"checkpoint_{epoch}_{step}.pt").touch()
    (tmp_path / "checkpoints" / "checkpoint9.pt").touch()
    printed = subprocess.run(
        ["fairseq-generate", "data-bin", "--path", "checkpoint_9_9000.pt"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    ).stdout
    numbers = [line.partition("\t")[0] for line in printed.splitlines() if line.startswith("D-")]
    assert sorted(numbers) != numbers != [f"D-{number}" for number in range(N_SEGMENTS)]
    assert run("fairseq") == ("kept\nkept\n", versions("fairseq", "news", "update"))
    assert outputs_are_those_of_the_toolkit(tmp_path)


def test_marian_reads_a_number_first(run, bleuscope, tmp_path):
    (tmp_path / "valid.9000.txt").write_text(beginning(STEPS["9000"]), encoding="utf-8")
    printed, pushed = run("marian", "valid.9000.txt")
    asked = ["score", "valid.9000.txt", "-r", "ref.txt", "--format", "tsv", "--columns", "bleu"]
    assert printed == bleuscope(*asked)[1].removeprefix("bleu\n")
    assert 0 < float(printed) < 100
    assert pushed == {"marian update-9000 on dev"}


def test_opennmt_translates_with_every_checkpoint(run, tmp_path):
    (tmp_path / "run").mkdir()
    for step in STEPS:
        (tmp_path / "run" / f"model_step_{step}.pt").touch()
    assert run("opennmt")[1] == versions("opennmt", "news", "step")
    assert outputs_are_those_of_the_toolkit(tmp_path)


def test_eole_translates_with_every_checkpoint(run, tmp_path):
    for step in STEPS:
        (tmp_path / "run" / "model" / f"step_{step}").mkdir(parents=True)
    assert run("eole")[1] == versions("eole", "news", "step")
    assert outputs_are_those_of_the_toolkit(tmp_path)


def test_joeynmt_has_its_validations_kept(run, tmp_path):
    folder = tmp_path / "models" / "transformer"
    folder.mkdir(parents=True)
    for step, of_sample in STEPS.items():
        (folder / f"{step}.hyps").write_text(beginning(of_sample), encoding="utf-8")
    (folder / "best.hyps.dev").write_text("x\n", encoding="utf-8")
    assert run("joeynmt")[1] == versions("joeynmt", "dev", "step")
