"""Work over several processes: the same results as in one, and nothing is left behind however it ends.

``time.sleep`` stands for work: of 0 seconds, and of so many that what waited for it would never come back.
"""

import errno
import math
import operator
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import active_children, get_context
from pathlib import Path
from time import sleep

import pytest

from bleucore import processes, worker_processes
from bleucore.processes import MAX_PROCESSES, MAX_THREADS, n_processors, n_threads, results, results_of_threads
from bleucore.worker_processes import WorkerContext, WorkerProcess

pytestmark = pytest.mark.thorough

ENDLESS = 10**6
N_PROCESSES = [1, 2]


class TestResults:
    @pytest.mark.parametrize("n_processes", N_PROCESSES)
    def test_come_with_the_number_of_their_item(self, n_processes):
        assert sorted(results(math.factorial, [3, 1, 4], n_processes)) == [(0, 6), (1, 1), (2, 24)]
        assert not active_children()

    @pytest.mark.parametrize("n_processes", N_PROCESSES)
    def test_are_none_of_no_items(self, n_processes):
        assert list(results(math.factorial, [], n_processes)) == []

    @pytest.mark.parametrize("n_processes", N_PROCESSES)
    def test_are_not_there_where_the_work_raises_which_is_raised_here(self, n_processes):
        with pytest.raises(ValueError, match="factorial"):
            list(results(math.factorial, [-1, -1], n_processes))
        assert not active_children()

    def test_come_in_order_and_one_after_the_other_from_this_process_alone(self):
        done = []
        for number, (index, pid) in enumerate(results(lambda item: done.append(item) or os.getpid(), "abc", 1)):
            assert (number, index, pid, done) == (index, number, os.getpid(), list("abc")[: index + 1])

    def test_come_from_other_processes_no_more_than_there_are_items(self):
        with closing(results(sleep, [0, 0], MAX_PROCESSES + 1)) as work:
            assert next(work)[1] is None
            assert len(active_children()) == 2
        assert not active_children()

    def test_come_from_this_process_if_there_is_one_item(self):
        assert list(results(lambda item: item, ["a"], 2)) == [(0, "a")]


class TestResultsOfThreads:
    @pytest.mark.parametrize("items", [[], [3], [3, 1, 4, 1, 5]])
    def test_are_those_of_processes(self, items):
        assert sorted(results_of_threads(math.factorial, items)) == sorted(results(math.factorial, items, 1))

    def test_come_as_they_are_done_and_share_the_processors(self, monkeypatch):
        monkeypatch.setattr(processes, "n_processors", lambda: 2)
        second_came = threading.Event()

        def work(item):
            assert item or second_came.wait(60)
            return processes._THREADS_SIDE_BY_SIDE.get()

        with closing(results_of_threads(work, [0, 1])) as found:
            assert next(found) == (1, 2)
            second_came.set()
            assert list(found) == [(0, 2)]
        assert processes._THREADS_SIDE_BY_SIDE.get() == 1

    def test_are_looked_for_again_and_again_while_they_are_made(self, monkeypatch):
        monkeypatch.setattr(processes, "n_processors", lambda: 2)
        monkeypatch.setattr(processes, "SECONDS_BETWEEN_BEATS", 0.01)
        may_end = threading.Event()
        n_beats = 0

        def beat():
            nonlocal n_beats
            n_beats += 1
            if n_beats == 3:
                may_end.set()

        assert dict(results_of_threads(may_end.wait, [60, 60], beat=beat)) == {0: True, 1: True}
        assert n_beats >= 3

    def test_are_not_there_where_the_work_raises_which_is_raised_here(self):
        with pytest.raises(ValueError, match="factorial"):
            list(results_of_threads(math.factorial, [-1, -1]))

    def test_are_not_begun_any_more_once_nobody_waits_for_them(self, monkeypatch):
        monkeypatch.setattr(processes, "n_processors", lambda: 2)
        begun, go_on = [], threading.Event()

        def work(item):
            begun.append(item)
            return item == 0 or go_on.wait(60)

        def shut_down(executor, *, cancel_futures=False, wait=True):
            end(executor, wait=False, cancel_futures=cancel_futures)
            go_on.set()  # those that were begun, once nobody waits
            end(executor, wait=wait)

        end = ThreadPoolExecutor.shutdown
        monkeypatch.setattr(ThreadPoolExecutor, "shutdown", shut_down)
        with closing(results_of_threads(work, range(50))) as found:
            assert next(found) == (0, True)
        assert set(begun) <= {0, 1, 2}


class TestTheEnd:
    @pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
    def test_an_interrupt_ends_them_in_the_middle_of_their_work(self, error):
        def interrupted():
            with closing(results(sleep, [0, ENDLESS, ENDLESS], 2)) as work:
                for _ in work:
                    assert active_children()
                    raise error

        with pytest.raises(error) as caught:
            interrupted()
        assert caught.value.__traceback__  # which keeps every frame, and with it the work, alive
        assert not active_children()

    @pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    def test_of_the_process_that_started_them_is_theirs(self, sent, tmp_path):
        script = tmp_path / "long.py"
        script.write_text(LONG_SCRIPT, encoding="utf-8")
        process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with process:
            try:
                workers = [int(pid) for pid in process.stdout.readline().split()]
                assert len(workers) == 2
                assert all(map(is_running, workers))
                process.send_signal(sent)
                process.wait()
            finally:
                process.kill()
            while any(map(is_running, workers)):
                threading.Event().wait(0.02)

    def test_comes_when_whoever_looks_on_wants_it_though_none_is_done(self):
        n_beats = iter(range(3))

        def beat():
            if next(n_beats, None) is None:
                assert active_children()
                raise RuntimeError

        with closing(results(sleep, [ENDLESS, ENDLESS], 2, beat=beat)) as work, pytest.raises(RuntimeError):
            next(work)
        assert not active_children()

    def test_by_the_keyboard_is_left_to_the_process_that_started_them(self, monkeypatch):
        left = threading.Event()
        monkeypatch.setattr(os, "_exit", lambda _: left.set())
        monkeypatch.setattr(os, "nice", lambda _: None)  # else all later tests of this process give way to others
        monkeypatch.setattr(processes, "_SHARED_BY", 1)
        usual = signal.getsignal(signal.SIGINT)
        lifeline, holder = get_context("spawn").Pipe()
        try:
            processes._begin(lifeline, 1)
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
            assert holder.poll()
        finally:
            signal.signal(signal.SIGINT, usual)
        assert not left.is_set()
        holder.close()
        assert left.wait(60)


class TestAnyScript:
    """A script need not stand under ``if __name__ == "__main__":``, and nothing of it is run twice."""

    @pytest.mark.parametrize("way", ["file", "stdin", "-c", "-m"])
    def test_has_other_processes_which_do_not_run_it(self, way, tmp_path):
        assert told(PLAIN_SCRIPT, tmp_path, way) == "main [2, 6, 24] False None"

    def test_that_is_run_as_a_worker_of_a_pool_works_alone(self, tmp_path):
        assert told(IN_A_POOL, tmp_path) == "[2, 6, 24] True"

    def test_that_another_process_is_importing_works_alone_there(self, tmp_path):
        assert told(IMPORTED_BY_ANOTHER, tmp_path) == "__main__ [2, 6, 24] False\n__mp_main__ [2, 6, 24] True"

    @pytest.mark.parametrize("name", [None, "", "/usr/sbin/uwsgi"])
    def test_whose_interpreter_is_not_known_works_alone(self, name, tmp_path):
        begin = f"import sys; sys.executable = {name!r}\n"
        assert told(begin + PLAIN_SCRIPT, tmp_path) == "main [2, 6, 24] True None"

    def test_that_is_frozen_works_alone(self, tmp_path):
        assert told("import sys; sys.frozen = True\n" + PLAIN_SCRIPT, tmp_path) == "main [2, 6, 24] True None"

    def test_has_ter_of_two_systems_of_700_segments(self, tmp_path):
        alone, others = told(TER_SCRIPT, tmp_path).splitlines()
        assert alone == others


class TestNoneStarts:
    """Then this process does all of the work, and nothing is left behind."""

    @pytest.mark.parametrize("n_started", [0, 1])
    def test_where_the_system_has_no_more_processes(self, n_started, monkeypatch):
        start, begun = WorkerProcess._Popen, []

        def refused(process):
            if len(begun) == n_started:
                raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
            begun.append(start(process))
            return begun[-1]

        monkeypatch.setattr(WorkerProcess, "_Popen", staticmethod(refused))
        assert_works_alone()
        assert len(begun) == n_started
        assert all(one.wait() is not None for one in begun)

    def test_where_it_has_no_more_threads(self, monkeypatch):
        def refused(thread):
            raise RuntimeError("can't start new thread")

        monkeypatch.setattr(threading.Thread, "start", refused)
        assert_works_alone()

    def test_where_it_has_no_more_open_files(self, monkeypatch):
        def refused(*_):
            raise OSError(errno.EMFILE, "Too many open files")

        monkeypatch.setattr(WorkerContext, "Pipe", refused)
        assert_works_alone()

    def test_where_they_end_before_they_begin(self, monkeypatch, capfd):
        monkeypatch.setattr(worker_processes, "_preparation", lambda name: {"dir": "/there/is/none"})
        assert_works_alone()
        assert "/there/is/none" in capfd.readouterr().err

    def test_is_not_said_of_those_that_were_ended_at_work(self):
        with pytest.raises(BrokenProcessPool):
            list(results(os._exit, [1, 1], 2))
        assert not active_children()


def assert_works_alone():
    """All work is done in this process, in order."""
    assert list(results(operator.call, [os.getpid] * 3, 2)) == [(index, os.getpid()) for index in range(3)]
    assert not active_children()


def told(script, folder, way="file"):
    """What a script prints, which says nothing else."""
    path = folder / "plain.py"
    path.write_text(script, encoding="utf-8")
    arguments = {"file": [path], "stdin": ["-"], "-c": ["-c", script], "-m": ["-m", "plain"]}[way]
    command = [sys.executable, *arguments]
    given = script if way == "stdin" else None
    ended = subprocess.run(command, cwd=folder, input=given, capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.strip()


def test_the_processors_are_those_that_this_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 4, 6}, raising=False)
    assert n_processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert n_processors() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert n_processors() == 1


def test_processes_share_the_processors(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(12)), raising=False)
    assert (n_processors(), n_threads()) == (12, MAX_THREADS)
    monkeypatch.setattr(processes, "_SHARED_BY", 5)
    assert (n_processors(), n_threads()) == (2, 2)
    monkeypatch.setattr(processes, "_SHARED_BY", 61)
    assert (n_processors(), n_threads()) == (1, 1)
    monkeypatch.undo()
    share = max(1, n_processors() // 2)
    assert list(dict(results(operator.call, [n_processors, n_processors], 2)).values()) == [share, share]


FACTORIALS = """
import math
import operator
import os
from multiprocessing import get_start_method, set_start_method

from bleucore.processes import results


def factorials():
    return sorted(result for _, result in results(math.factorial, [2, 3, 4], 2))


def is_alone():
    return {result for _, result in results(operator.call, [os.getpid] * 3, 2)} == {os.getpid()}
"""
PLAIN_SCRIPT = f"""{FACTORIALS}
print("main", factorials(), is_alone(), get_start_method(allow_none=True))
set_start_method("spawn")  # refused where it is settled already
"""
IN_A_POOL = f"""{FACTORIALS}
from multiprocessing import get_context

with get_context("fork").Pool(1) as pool:
    print(pool.apply(factorials), pool.apply(is_alone))
"""
IMPORTED_BY_ANOTHER = f"""{FACTORIALS}
from multiprocessing import get_context

print(__name__, factorials(), is_alone(), flush=True)
if __name__ == "__main__":
    process = get_context("spawn").Process(target=print)
    process.start()
    process.join()
"""
TER_SCRIPT = """
from bleucore import System, TerOptions, TestSet, evaluate
from bleucore.metrics import ter

hypotheses = [f"a b c {place}" for place in range(700)]
references = [f"a c b {place % 7} d" for place in range(700)]
test_set = TestSet([System("one", hypotheses), System("two", references[::-1])], [references])
for fewest in (10**6, 1_000):
    ter.SMALL_PAIRS = fewest
    systems = evaluate(test_set, metrics=[TerOptions()]).metrics["TER"].systems
    print([result.score for result in systems.values()])
"""
LONG_SCRIPT = f"""
import signal
from multiprocessing import active_children
from time import sleep

from bleucore.processes import results

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has background jobs ignore it
    for _ in results(sleep, [0, {ENDLESS}, {ENDLESS}], 2):
        print(*(child.pid for child in active_children()), flush=True)
"""


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not hasattr(os, "nice"), reason="Windows has no niceness")
def test_processes_that_work_for_another_let_it_go_first():
    found = {niceness for _, niceness in results(os.nice, [0, 0], 2)}
    assert found == {min(19, os.nice(0) + processes.NICER)}
