"""Neural metrics that run here, by one that needs no packages: stops, full disks, two at once, faulty scorers."""

import errno
import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleuscope.neural import environments, saved, scoring
from bleuscope.neural.child import Child
from bleuscope.neural.locks import only_one
from bleuscope.neural.manifest import GIGABYTE, NeuralMetric, fault_of
from bleuscope.neural.metrics import NEURAL_METRICS
from bleuscope.neural.scoring import Run, scores_file
from bleuscope.shell.state import cached, workspace_in_use
from bleuscope.shell.state.current_user import Entered
from tests.warm_python import warm_python

ROOT = Path(__file__).parents[2]
SCORER = """
import hashlib, os, pathlib, time
FOLDER = pathlib.Path({folder!r})
def load(model):
    print("this is no reply")
    def score(rows):
        if (FOLDER / "block").exists() and len((FOLDER / "log").read_text().split()) == 2:
            (FOLDER / "blocked").write_text(str(os.getpid()))
            while True:
                time.sleep(0.01)
        {fault}
        with (FOLDER / "log").open("a") as log:
            log.write(hashlib.sha256(repr(rows).encode()).hexdigest() + chr(10))
        return [number(row) for row in rows]
    return score
def number(row):
    text = row["hypothesis"] + chr(0) + row["source"] + chr(0) + chr(0).join(row["references"])
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32
"""
OUTPUTS = {name: [f"{name} {segment}" for segment in range(10)] for name in "ab"}
REFERENCE, SOURCE = ([f"{letter} {segment}" for segment in range(10)] for letter in "rs")
TEXTS = TestSet([System(name, texts) for name, texts in OUTPUTS.items()], [REFERENCE], source=SOURCE)
SECONDS = 60


def until(is_so):
    """Wait until something is so, and no longer than a machine in trouble takes."""
    due = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < due
        time.sleep(0.005)


@pytest.fixture
def stub(tmp_path, monkeypatch):
    """Makes the metric, whose scorer can be given a fault; batches have two segments."""
    monkeypatch.setattr(scoring, "MOST_SEGMENTS", 2)
    (tmp_path / "log").touch()

    def make(fault="pass", **more):
        scorer = tmp_path / "scorer.py"
        scorer.write_text(SCORER.format(folder=str(tmp_path), fault=fault), encoding="utf-8")
        return NeuralMetric("stub", "1", "MIT", 2 * GIGABYTE, scorer, needs_source=True, **more)

    return make


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv(environments.PLACE_VARIABLE, str(tmp_path / "neural"))
    return tmp_path / "neural"


@pytest.fixture
def offered(stub, place, monkeypatch):
    """The metric as if the program had it."""
    metric = stub()
    monkeypatch.setattr(scoring, "MOST_SEGMENTS", 32)
    monkeypatch.setitem(NEURAL_METRICS._own, "stub", metric)
    return place


def expected(test_set=TEXTS):
    names: dict[str, object] = {}
    exec(SCORER.format(folder=".", fault="pass"), names)
    return {
        system.name: [
            names["number"]({"hypothesis": text, "source": source, "references": [reference]})
            for text, source, reference in zip(system.hypotheses, test_set.source, test_set.references[0], strict=True)
        ]
        for system in test_set.systems
    }


def batches_scored(tmp_path):
    return (tmp_path / "log").read_text().split()


def scored(metric, place, **more):
    return Run(metric, TEXTS, place).scores(may_download=True, **more)


def test_each_segment_gets_its_score_and_nothing_is_scored_twice(stub, place, tmp_path):
    assert scored(stub(), place) == expected()
    (tmp_path / "scorer.py").chmod(0)
    assert Run(replace(stub(), licence="other"), TEXTS, place).scores() == expected()
    assert len(batches_scored(tmp_path)) == 10
    lines = [json.loads(line) for line in scores_file(stub(), expected()).splitlines()]
    assert lines[11] == {"system": "b", "segment": 2, "stub": expected()["b"][1]}


def test_another_version_or_scorer_or_text_is_scored_anew(stub, place, tmp_path):
    scored(stub(), place)
    scored(replace(stub(), version="2"), place)
    scored(stub("pass  # otherwise"), place)
    assert len(batches_scored(tmp_path)) == 30
    texts = [*TEXTS.systems[0].hypotheses[:9], "new"]
    changed = TestSet([TEXTS.systems[0], System("c", texts)], TEXTS.references, source=TEXTS.source)
    assert Run(stub("pass  # otherwise"), changed, place).scores(may_download=True) == expected(changed)
    assert len(batches_scored(tmp_path)) == 31


RUNS = """
import json, sys
from bleucore.corpus import System, TestSet
from bleuscope.neural import scoring
from bleuscope.neural.manifest import NeuralMetric
from pathlib import Path
scoring.MOST_SEGMENTS = 2
outputs, reference, source = json.loads(sys.argv[3])
texts = TestSet([System(name, texts) for name, texts in outputs.items()], [reference], source=source)
metric = NeuralMetric("stub", "1", "MIT", 0, Path(sys.argv[1]), needs_source=True)
scoring.Run(metric, texts, Path(sys.argv[2])).scores(may_download=True)
"""


def test_a_killed_run_loses_one_batch_leaves_no_process_and_no_lock(stub, place, tmp_path):
    metric = stub()
    (tmp_path / "block").touch()
    path = os.pathsep.join(map(str, (ROOT, ROOT / "dashboard")))
    words = [str(metric.scorer), str(place), json.dumps([OUTPUTS, REFERENCE, SOURCE])]
    first = subprocess.Popen([warm_python(), "-c", RUNS, *words], env={**os.environ, "PYTHONPATH": path})
    until(lambda: (tmp_path / "blocked").exists() and (tmp_path / "blocked").read_text())
    shares = []

    def look_on(share):
        shares.append(share)
        if len(shares) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scored(metric, place, progress=look_on)
    assert shares == [0.2] * 3, "the second one waits, and sees how far the first is"
    first.send_signal(signal.SIGKILL)
    first.wait()
    (tmp_path / "block").unlink()
    worker = int((tmp_path / "blocked").read_text())
    assert scored(metric, place) == expected()
    until(lambda: not is_alive(worker))
    assert len(batches_scored(tmp_path)) == len(set(batches_scored(tmp_path))) == 10


def is_alive(number):
    try:
        return "Z" not in Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_who_cancels_goes_on_later(stub, place, tmp_path):
    def stop(share):
        if share > 0.35:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scored(stub(), place, progress=stop)
    n_scored = len(batches_scored(tmp_path))
    assert n_scored == Run(stub(), TEXTS, place).n_saved == 4
    shares = []
    assert scored(stub(), place, progress=shares.append) == expected()
    assert (shares[0], shares[-1], shares) == (0.4, 1.0, sorted(shares))
    assert len(batches_scored(tmp_path)) == 10


def test_a_full_disk_is_one_sentence_and_keeps_what_is_there(stub, place, tmp_path, monkeypatch):
    n_written = 0

    def full(_):
        nonlocal n_written
        n_written += 1
        if n_written > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(saved.os, "fsync", full)
    with pytest.raises(InputError, match="3 of 10 batches stay saved") as refused:
        scored(stub(), place)
    assert "cannot be saved" in str(refused.value)
    assert "(found no space left on device)" in str(refused.value)
    assert not list(place.rglob("*.part"))
    monkeypatch.undo()
    monkeypatch.setattr(scoring, "MOST_SEGMENTS", 2)
    assert scored(stub(), place) == expected()


def test_two_at_once_score_everything_once(stub, place, tmp_path):
    found = []
    both = [threading.Thread(target=lambda: found.append(scored(stub(), place))) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert found == [expected()] * 2
    assert len(batches_scored(tmp_path)) == 10


FAULTS = {
    "too few": ("return [1.0]", "it gave 1 scores for 2 segments"),
    "no list": ("return 'ab'", "no finite number"),
    "no number": ("return [float('nan'), 1.0]", "no finite number"),
    "infinite": ("return [float('inf'), 1.0]", "no finite number"),
    "huge": ("return [10**400, 1.0]", "no finite number"),
    "truth": ("return [True, 1.0]", "no finite number"),
    "raises": ("raise ValueError('\\x1b[31m\\n<b>' + 'x' * 9_999)", "it failed: ValueError"),
    "leaves": ("os._exit(3)", "its process ended early (exit code 3)"),
    "is killed": ("os.kill(os.getpid(), 9)", "its process ended early (signal 9)"),
}


@pytest.mark.parametrize(("fault", "said"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_scorer_is_named_and_saves_nothing(stub, place, fault, said):
    metric = stub(f"print('first'); print('last words'); {fault}")
    with pytest.raises(InputError, match=re.escape(said)) as refused:
        scored(metric, place)
    assert str(refused.value).startswith("Neural metric stub: ")
    assert len(str(refused.value)) < 2_000
    assert "last words" in (place / "stub.log").read_text()
    assert Run(metric, TEXTS, place).n_saved == 0


HANGS = {"a batch": "time.sleep(999)", "a batch with the lock": "sum(range(10**12))"}


@pytest.mark.parametrize("fault", HANGS.values(), ids=HANGS)
def test_a_scorer_that_hangs_is_ended(stub, place, fault):
    with pytest.raises(InputError, match=r"no answer in 0.2 seconds"):
        scored(stub(fault, seconds_a_batch=0.2), place)


def test_a_scorer_that_takes_too_much_memory_is_ended(stub, place):
    fault = "kept = b'x' * 120_000_000; time.sleep(99)"
    with pytest.raises(InputError, match="more than the 100 MB of memory"):
        scored(stub(fault, memory=100_000_000), place)


@pytest.mark.parametrize("printed", ["'no JSON'", "'[' * 90_000", "'x' * 3_000_000", "'[7]'", r"'\xff'"])
def test_an_answer_that_is_no_reply_is_refused(stub, place, tmp_path, monkeypatch, printed):
    harness = tmp_path / "harness.py"
    harness.write_text(f"import time\nprint({printed}, flush=True)\ntime.sleep(99)\n", encoding="utf-8")
    monkeypatch.setattr(scoring, "HARNESS", harness)
    with pytest.raises(InputError, match="something that is no reply"):
        scored(stub(), place)


def test_hostile_texts_arrive_as_they_are(stub, place):
    texts = ["a\nb\r\n\x85\u2028c", "\x00\x1b[2J\x7f", "z" * 1_000_000, "", '𝕏\u202e{"scores": [1]}']
    test_set = TestSet([System("a", texts), System("b", texts)], [texts[::-1]], source=texts)
    assert Run(stub(), test_set, place).scores(may_download=True) == expected(test_set)


def test_damaged_scores_are_made_again(stub, place):
    scored(stub(), place)
    for file, damage in zip(
        sorted(place.rglob("scores/*/*.json")), ("", "[1]", "[NaN, 1]", "[1, ", "{}"), strict=False
    ):
        file.write_text(damage)
    assert scored(stub(), place) == expected()


def test_nothing_is_downloaded_unasked(stub, place):
    metric = stub("return [float(os.environ.get('HF_HUB_OFFLINE', 0)) for _ in rows]")
    run = Run(metric, TEXTS, place)
    assert run.needs_download
    with pytest.raises(InputError, match="nobody agreed to its download"):
        run.scores()
    assert not place.exists()
    assert run.scores(may_download=True)["a"][0] == 0
    other = TestSet(TEXTS.systems[:1], [["other"] * 10], source=TEXTS.source)
    assert Run(metric, other, place).scores()["a"][0] == 1, "what was loaded once is loaded without the network"


def test_scores_that_were_damaged_are_no_consent(stub, place):
    scored(stub(), place)
    for file in (*place.rglob("scores/*/*.json"), *place.glob("*.ready")):
        file.write_text("") if file.suffix == ".json" else file.unlink()
    with pytest.raises(InputError, match="nobody agreed to its download"):
        Run(stub(), TEXTS, place).scores()


def test_a_scorer_runs_in_our_folder_and_obeys_no_file_beside_the_texts(stub, place, tmp_path):
    scored(stub("(FOLDER / 'where').write_text(os.getcwd())"), place)
    assert (tmp_path / "where").read_text() == str(place)


def test_who_waits_takes_away_nothing_of_who_runs(stub, place):
    scored(stub(), place)
    metric = stub("pass  # otherwise")
    part = place / "scores" / metric.digest / "of-who-runs.part"
    part.parent.mkdir()
    part.touch()

    def leave(share):
        raise KeyboardInterrupt

    with only_one(place / "running.lock", lambda: None), pytest.raises(KeyboardInterrupt):
        scored(metric, place, progress=leave)
    assert part.exists()


def test_a_folder_that_may_not_be_looked_into_is_one_sentence(stub, tmp_path):
    run = Run(stub(), TEXTS, tmp_path / ("x" * 300))
    assert run.needs_download
    with pytest.raises(InputError, match="its scores cannot be saved in"):
        run.scores(may_download=True)


def test_a_log_is_for_its_owner_and_replaces_a_link(stub, place, tmp_path):
    place.mkdir()
    (tmp_path / "other").write_text("kept")
    (place / "stub.log").symlink_to(tmp_path / "other")
    with pytest.raises(InputError, match="it failed"):
        scored(stub("raise ValueError('a text')"), place)
    assert (tmp_path / "other").read_text() == "kept"
    assert stat.S_IMODE((place / "stub.log").stat().st_mode) == 0o600


def test_what_a_killed_run_left_running_has_the_lock_and_hangs_no_longer_than_it_may(stub, tmp_path):
    def refuse():
        raise KeyboardInterrupt

    with only_one(tmp_path / "lock", refuse) as lock:
        left = Child(stub(), ["sleep", "99"], beat=lambda: None, log=tmp_path / "l", variables={}, lock=lock)
        left.__enter__()
    with pytest.raises(KeyboardInterrupt), only_one(tmp_path / "lock", refuse):
        pass
    with pytest.raises(InputError, match="did not end in 0 seconds"):
        left.wait(0)
    left.__exit__(None, None, None)
    with only_one(tmp_path / "lock", refuse):
        pass


UV = """#!/bin/sh
echo "$@" >> {log}
case "$1" in
venv) for place; do :; done; mkdir -p "$place/bin"; ln -s {python} "$place/bin/python";;
pip) echo "Resolving" >&2; echo "no such package" >&2; exit {code};;
esac
"""


@pytest.fixture
def uv(tmp_path, monkeypatch):
    """A program in the place of uv: what it is asked for goes to a log."""

    def make(code=0):
        program = tmp_path / "uv"
        program.write_text(UV.format(log=tmp_path / "asked", python=sys.executable, code=code), encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr(environments, "_uv", lambda _: str(program))
        return tmp_path / "asked"

    return make


def test_an_environment_is_made_once(stub, place, uv):
    asked = uv()
    metric = stub(requirements=("unbabel-comet==2.2.7", "setuptools<81"), python="3.11")
    assert scored(metric, place) == expected()
    scored(replace(metric, version="2"), place)
    venv, pip = asked.read_text().splitlines()
    assert "--python 3.11" in venv
    assert pip.endswith("unbabel-comet==2.2.7 setuptools<81")


def test_an_environment_that_cannot_be_made_is_taken_away(stub, place, uv):
    uv(code=2)
    metric = stub(requirements=("nothing==1",))
    with pytest.raises(InputError, match=r"uv ended with exit code 2\) \(found no such package"):
        scored(metric, place)
    assert not list((place / "environments").iterdir())
    assert Run(metric, TEXTS, place).needs_download


UNUSABLE = {
    "name": ({"name": "../stub"}, "its name is not 'stub'"),
    "licence": ({"licence": "a\nb"}, "its licence is no line of text"),
    "model": ({"model": 7}, "its model is no line of text"),
    "size": ({"download": "2 GB"}, "its download is no number of bytes"),
    "no version": ({"requirements": ("torch",)}, "its requirement 'torch' has no version"),
    "an option": ({"requirements": ("--index-url=x==1",)}, "has no version"),
    "an address": ({"requirements": ("a @ https://example.org/a-1.whl",)}, "has no version"),
    "a text": ({"requirements": "torch==1"}, "its requirements are no tuple"),
    "scorer": ({"scorer": Path("nowhere.py")}, "its scorer is no file"),
}


@pytest.mark.parametrize(("change", "reason"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_manifest_that_cannot_be_used_is_refused(stub, change, reason):
    assert reason in fault_of("stub", replace(stub(), **change))


def test_the_programs_own_manifests_can_be_used():
    assert [name for name, metric in NEURAL_METRICS._own.items() if fault_of(name, metric) is not None] == []
    assert NEURAL_METRICS["wmt22-comet-da"].needs_source
    assert not NEURAL_METRICS["wmt22-cometkiwi-da"].is_commercial


def test_the_command_scores_and_any_command_compares(bleuscope, offered, tmp_path):
    code, _, err = bleuscope("neural", "--sample", "--run", "stub")
    assert code == 2
    for said in ("nobody agreed", "licence MIT", "downloads about 2.0 GB"):
        assert said in err
    code, out, err = bleuscope("neural", "--sample", "--run", "stub", "--yes", "-o", "to", "--format", "json")
    assert code == 0, err
    assert "--scores to/stub.jsonl" in err
    rows = {row["system"]: row["score"] for row in json.loads(out)["scores"]}
    code, out, err = bleuscope("score", "--sample", "--scores", "to/stub.jsonl", "--format", "json")
    assert code == 0, err
    for row in json.loads(out)["systems"]:
        assert row["metrics"]["stub"] == pytest.approx(rows[row["name"]])


def test_an_unknown_metric_and_missing_texts_are_refused(bleuscope, offered, tmp_path):
    code, _, err = bleuscope("neural", "--sample", "--run", "sbut")
    assert (code, "no neural metric that runs here" in err) == (2, True)
    for name in ("a", "r"):
        (tmp_path / f"{name}.txt").write_text("x\n")
    code, _, err = bleuscope("neural", "a.txt", "-r", "r.txt", "--run", "stub")
    assert (code, "stub: it needs a source" in err) == (2, True)


def button(app):
    return next((one for one in app.button if one.key == "run-neural"), None)


def test_the_button_makes_it_a_metric_next_to_others(offered, open_page, monkeypatch):
    errors = replace(NEURAL_METRICS["stub"], name="errors", higher_is_better=False)
    monkeypatch.setitem(NEURAL_METRICS._own, "errors", errors)
    columns = {f"{name}.txt": texts for name, texts in (*OUTPUTS.items(), ("ref", REFERENCE), ("source", SOURCE))}
    files = {name: "".join(f"{text}\n" for text in texts) for name, texts in columns.items()}
    swapped = ["s1=b", "s2=a"]  # scores belong to outputs, whatever people call them
    app = open_page("validity", files, neural="true", neural_model="stub", names=swapped)
    assert app.query_params["names"] == swapped
    said = " ".join(one.value.replace("\\", "") for one in app.caption)
    assert "stub (1): licence MIT. The first run downloads about 2.0 GB." in said
    assert button(app).label == "Download and run"
    button(app).click().run()
    assert not app.exception
    assert any("stub is among the metrics now" in one.value for one in app.success)
    assert button(app) is None
    assert "Its scores" in [one.proto.label for one in app.get("download_button")]
    app.selectbox(key="neural_model").select("errors").run()
    button(app).click().run()
    shown = cached.SCORES.find("".join(app.query_params["scores"]))
    assert [(one.name, one.higher_is_better) for one in shown] == [("stub", True), ("errors", False)]
    assert shown[0].scores["b"].values.tolist() == shown[1].scores["b"].values.tolist() == expected()["b"]


def test_on_a_server_for_others_the_operator_has_to_allow_it(offered, open_link):
    for allows in (False, True):
        workspace_in_use.use(None, is_shared=True, runs_neural=allows)
        try:
            app = open_link("validity", neural="true", neural_model="wmt22-comet-da")
            assert (button(app) is not None) == allows
            assert "Files for it" in [one.proto.label for one in app.get("download_button")]
        finally:
            workspace_in_use.use(None, is_shared=False)


def test_readers_of_a_link_run_nothing(monkeypatch):
    assert workspace_in_use.may_run_neural()
    monkeypatch.setattr(workspace_in_use, "entered", lambda: Entered(share=1))
    assert not workspace_in_use.may_run_neural()
