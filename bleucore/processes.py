"""Work spread over processes that end with the one that started them, or over threads."""

import os
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.connection import Connection

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_PROCESSES = 61
"""What Windows can wait for."""
MAX_THREADS = 4
"""More of them wait for each other: for the interpreter's lock, and for memory."""
SECONDS_BETWEEN_BEATS = 0.5
CLOSES_ITS_QUEUE = (3, 11, 5)
"""The first Python whose pool does so when its processes are gone."""
NICER = 10
"""How much lower the priority of processes is that work for another one, in steps of Unix."""
_SHARED_BY = 1
"""How many processes work side by side, this one among them."""
_THREADS_SIDE_BY_SIDE = ContextVar("_THREADS_SIDE_BY_SIDE", default=1)
"""How many threads of this process do, this one among them."""


def _nothing() -> None:
    """Where nobody looks on."""


def n_processors() -> int:
    """The processors that this process may use; one of several that work side by side takes its share of them."""
    whole = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, whole // (_SHARED_BY * _THREADS_SIDE_BY_SIDE.get()))


def n_threads() -> int:
    """How many threads are worth their while in this process."""
    return min(MAX_THREADS, n_processors())


def results(
    work: Callable[[Item], Result], items: Sequence[Item], n_processes: int, *, beat: Callable[[], None] = _nothing
) -> Generator[tuple[int, Result]]:
    """The number of each item and what ``work`` makes of it, as it is done; what ``work`` raises is raised here.

    Other processes do not import the caller's script. Where none can start, this one does all of the work. When the
    generator is closed, or the process ends that holds it, they end too, in the middle of an item if need be.

    Args:
        work: A function of a module: other processes import it.
        items: One argument for each call of it.
        n_processes: How many to use, at most; 1 is this one, which then takes the items in order.
        beat: Called again and again while others work, and may end that: what it raises is raised here.
    """
    n_processes = min(n_processes, len(items), MAX_PROCESSES)
    if n_processes > 1:
        try:
            yield from _elsewhere(work, items, n_processes, beat)
        except _NoneStartsError:
            pass
        else:
            return
    yield from ((index, work(item)) for index, item in enumerate(items))


def results_of_threads(
    work: Callable[[Item], Result], items: Sequence[Item], *, beat: Callable[[], None] = _nothing
) -> Generator[tuple[int, Result]]:
    """``results`` of threads of this process, which need no start; they pay where much of the work is numpy's.

    When the generator is closed, items that were begun are ended first.
    """
    n_side_by_side = min(n_threads(), len(items))
    if n_side_by_side < 2:  # noqa: PLR2004  this one
        yield from results(work, items, 1)
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # as below

    def begin() -> None:
        _THREADS_SIDE_BY_SIDE.set(n_side_by_side)

    with ThreadPoolExecutor(n_side_by_side, initializer=begin) as executor:
        futures: dict[Future[Result], int] = {executor.submit(work, item): index for index, item in enumerate(items)}
        try:
            for future in _as_done(futures, beat):
                yield futures[future], future.result()
        finally:
            executor.shutdown(cancel_futures=True)


class _NoneStartsError(Exception):
    """No other process begins to work."""


def _elsewhere(
    work: Callable[[Item], Result], items: Sequence[Item], n_processes: int, beat: Callable[[], None]
) -> Generator[tuple[int, Result]]:
    """What other processes make of the items.

    They live as long as a connection that only this process holds open. It is closed first on the way out, so that
    an interrupt need not wait for them, and by the system if this process is killed.

    Raises:
        _NoneStartsError: There can be none, or none began; nothing was given before.
    """
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415  # only for those who need more

    if not sys.executable:  # older versions of Python cannot even import what starts another
        raise _NoneStartsError
    from bleucore.worker_processes import can_start  # noqa: PLC0415  # as above

    if not can_start():
        raise _NoneStartsError
    with ExitStack() as open_until_the_end:
        with _refusals_as_none():
            executor, holder = _started(n_processes, open_until_the_end)
        try:
            with _refusals_as_none():
                futures = {executor.submit(work, item): index for index, item in enumerate(items)}
            for future in _as_done(futures, beat):
                yield futures[future], future.result()
        except BrokenProcessPool as error:
            if holder.poll():  # at least one began
                raise
            raise _NoneStartsError from error
        executor.shutdown()


@contextmanager
def _refusals_as_none() -> Iterator[None]:
    """Where the system has no further process, thread or semaphore, as it may say while they are started.

    Raises:
        _NoneStartsError: It says so.
    """
    from concurrent.futures import BrokenExecutor  # noqa: PLC0415  # as above

    try:
        yield
    except BrokenExecutor:  # a RuntimeError too
        raise
    except (OSError, RuntimeError, NotImplementedError, ImportError) as error:
        raise _NoneStartsError from error


def _started(n_processes: int, open_until_the_end: ExitStack) -> "tuple[ProcessPoolExecutor, Connection[Any, Any]]":
    """What gives work to others, and the end of a connection with them that is to be closed first."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  # as above

    from bleucore.worker_processes import WorkerContext  # noqa: PLC0415  # as above

    context = WorkerContext()
    lifeline, holder = map(open_until_the_end.enter_context, context.Pipe())
    executor = ProcessPoolExecutor(n_processes, context, initializer=_begin, initargs=(lifeline, n_processes))
    open_until_the_end.callback(_end, executor)
    open_until_the_end.callback(holder.close)
    return executor, holder


def _end(executor: "ProcessPoolExecutor") -> None:
    """Wait for all that was started; of a pool that broke, or never came to work, some may be left.

    Older versions of Python wait for ever where an item was on its way to processes that are gone: the writing does not
    fail while anybody can read it. So this end is closed first.
    """
    started = list((executor._processes or {}).values())  # noqa: SLF001  # nothing public tells
    queue = getattr(executor, "_call_queue", None) if sys.version_info < CLOSES_ITS_QUEUE else None
    if queue is not None:
        queue._reader.close()  # noqa: SLF001  # as above
    with suppress(RuntimeError):  # its thread never started
        executor.shutdown()
    for one in started:
        one.join()


def _as_done(futures: "Iterable[Future[Result]]", beat: Callable[[], None]) -> "Iterator[Future[Result]]":
    """Each as soon as it is done."""
    from concurrent.futures import FIRST_COMPLETED, wait  # noqa: PLC0415  # as above

    left = set(futures)
    while left:
        done, left = wait(left, timeout=SECONDS_BETWEEN_BEATS, return_when=FIRST_COMPLETED)
        beat()
        yield from done


def _begin(lifeline: "Connection[Any, Any]", n_processes: int) -> None:
    """Leave interrupts to the process that started this one, tell it so, and end when it closes its end.

    Whoever waits goes first: a server answers, and a browser draws, while all processors are at work.
    """
    global _SHARED_BY  # noqa: PLW0603  # what a process is one of is a fact of all of it
    _SHARED_BY = n_processes
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICER)
    lifeline.send_bytes(b"begun")
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: "Connection[Any, Any]") -> None:
    with suppress(EOFError, OSError):
        lifeline.recv()
    os._exit(0)
