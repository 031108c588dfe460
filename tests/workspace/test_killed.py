"""What was acknowledged is there, whatever kills the program that pushes; what was not is there whole or not at all."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

from bleuscope.workspace import open_workspace, texts
from tests.warm_python import warm_python

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).parent / "killed_while_pushing.py"
ROUNDS, MOST_PUSHES = 3, 10_000
WRITERS, EACH = 20, 2
LONGEST_ROUND = 0.6
N_LINES = 40


def start(folder, prefix, number, writers=1):
    command = [warm_python(), str(PROGRAM), str(folder), prefix, str(number), str(writers)]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'dashboard'}"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def assert_whole(workspace, acknowledged):
    """Every acknowledged version is there, every version that is there is whole, and no blob is without a name."""
    project = workspace.projects.find("p")
    versions = {one.label: one for one in workspace.projects.versions(project)}
    assert set(acknowledged) <= set(versions)
    for label, version in versions.items():
        outputs = workspace.projects.outputs(version)
        assert outputs == tuple(f"{label} {line}" for line in range(N_LINES))
        assert texts.digest_of(texts.written(outputs)) == version.digest
    return set(versions)


def kill_while_pushing(folder, prefix, moment):
    """Start a program that pushes, and kill it at a moment after its first push: what it acknowledged."""
    with start(folder, prefix, MOST_PUSHES) as process:
        said = [process.stdout.readline().strip()]
        assert said[0], process.stderr.read()
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL
    whole = rest.split("\n")[:-1]  # the last line may be half
    return said + whole


def test_a_program_killed_while_it_pushes_loses_nothing_that_it_acknowledged(empty_place):
    moments = random.Random(17)
    acknowledged = []
    for number in range(ROUNDS):
        acknowledged += kill_while_pushing(empty_place.folder, f"r{number}", moments.uniform(0, LONGEST_ROUND))
        with open_workspace(empty_place) as workspace:
            there = assert_whole(workspace, acknowledged)
    assert len(there) - len(acknowledged) <= ROUNDS, "each round may have kept one that it could not say"
    with open_workspace(empty_place) as workspace:
        workspace.holdings.sweep()
        assert_whole(workspace, acknowledged)
        with workspace.database.reading() as connection:
            assert set(workspace.blobs.all()) == workspace.holdings.named(connection)


def test_twenty_programs_write_at_once_into_a_workspace_that_was_not_there(new_place):
    with start(new_place.database or new_place.folder, "w", EACH, WRITERS) as process:
        said, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    acknowledged = said.split()
    assert len(acknowledged) == WRITERS * EACH
    with open_workspace(new_place) as workspace:
        assert assert_whole(workspace, acknowledged) == set(acknowledged)
