"""No acknowledged mark is lost and no annotators are mixed up, whatever kills the process that stores marks."""

import importlib.util
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

from bleucore.annotation.schemes import MQM
from bleucore.annotation.tasks import planned
from bleucore.corpus import System, TestSet
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.workspace import open_workspace, place_of
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.place import FOLDER_VARIABLE
from tests.warm_python import warm_python

ROOT = Path(__file__).parents[4]
PROGRAM = Path(__file__).parent / "marking.py"
EACH, SHORTEST, LONGEST = 40, 0.05, 0.5
MOST_ROUNDS = 40

_spec = importlib.util.spec_from_file_location("marking", PROGRAM)
marking = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(marking)


def make_task(address):
    """A task for four annotators who all have the same outputs; its id."""
    texts = [f"the sentence {n}" for n in range(30)]
    plan = planned(TestSet([System("S", texts)], [texts]), None, marking.ANNOTATORS, scheme=MQM, overlap=0)
    everybody = dict.fromkeys(marking.ANNOTATORS, tuple(item.id for item in plan.items))
    with open_workspace(place_of(address)) as workspace:
        store = AnnotationStore(workspace)
        return store.create(type(plan)(**{**vars(plan), "assigned": everybody}), workspace.people.person(LOCAL))


def run(address, task_id, each, acknowledged, moment):
    """Start the process, and kill it so many seconds after its first mark; whether it had ended by itself."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'dashboard'}"}
    command = [warm_python(), str(PROGRAM), str(address), task_id, str(each)]
    pipes = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    with (
        tempfile.TemporaryFile() as told,
        subprocess.Popen(command, **pipes, stderr=told, env=environment) as process,
    ):
        process.stdin.write("".join(f"{line}\n" for line in acknowledged).encode())
        process.stdin.close()
        said = process.stdout.readline()
        killer = threading.Timer(moment, process.send_signal, [signal.SIGKILL])
        killer.start()
        said += process.stdout.read()  # to the end of the program
        process.wait()
        killer.cancel()
        told.seek(0)
        acknowledged += said.decode().split("\n")[:-1]  # the last line may be half
        assert process.returncode in (0, -signal.SIGKILL), told.read().decode()
    return process.returncode == 0


def check(address, task_id, acknowledged):
    """Every acknowledged mark is there once, as its annotator sent it, and nothing else is; how many there are."""
    with open_workspace(place_of(address)) as workspace:
        store = AnnotationStore(workspace)
        task = store.task(task_id)
        found = {}
        for (item, annotator), state in store.states(task_id).items():
            for name, mark in state.marks.items():
                number = int(name.removeprefix("m"))
                assert mark == marking.mark_of(annotator, number)
                assert item == marking.item_of(task, annotator, number)
                assert (annotator, number) not in found
                found[annotator, number] = mark
            numbers = [event.number for event in store.events(task_id, item, annotator)]
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(numbers) == len(state.marks)
            assert not state.conflicts
    lines = {f"{annotator} {number}" for annotator, number in found}
    assert set(acknowledged) <= lines
    assert len(lines - set(acknowledged)) <= len(marking.ANNOTATORS), "each annotator has one mark on the way"
    return len(lines)


def mark_and_kill(address, each, moments, most_rounds):
    """Mark and kill until all is marked: how many marks there are, how many rounds were killed, and seconds."""
    task_id, acknowledged, killed, begin = make_task(address), [], 0, time.monotonic()
    while not run(address, task_id, each, acknowledged, moments()):
        killed += 1
        check(address, task_id, acknowledged)
        assert killed < most_rounds
    return check(address, task_id, acknowledged), killed, time.monotonic() - begin


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path, monkeypatch):
    if request.param == "sqlite":
        return str(request.getfixturevalue("empty_place").folder)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "workspace"))
    return request.getfixturevalue("postgresql_server").make(f"k{os.getpid()}")


def test_four_annotators_lose_nothing_that_was_acknowledged(address):
    random_moments = random.Random(5)
    first = [0.0, 0.05, 0.1]  # at least these rounds are killed early

    def moment():
        return first.pop() if first else random_moments.uniform(SHORTEST, LONGEST) + 30

    n_marks, _, _ = mark_and_kill(address, EACH, moment, MOST_ROUNDS)
    assert n_marks == EACH * len(marking.ANNOTATORS)
