"""Caches of what was made last, within one bound of memory, and tasks that fill them and go on when a page is left."""

import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from bleucore.counts import Progress
from bleuscope.runtime.background import GivenUpError, RunningTask
from bleuscope.runtime.memory_size import n_bytes

MOST_BYTES = 2**30
"""Of all that this process keeps, unless it is told otherwise (``open --cache``)."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass
class Entry(Generic[Value]):
    """A value of a cache, the bytes that it takes, and when it was asked for last, in ``time.monotonic``'s seconds."""

    value: Value
    size: int
    last_use: float


class MemoryBudget:
    """A bound of bytes for several caches together: the least recently used value makes room, in whichever it is.

    Args:
        most_bytes: That all values may take; the last one stays whatever its size.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.lock = threading.RLock()
        """Of all caches within this budget; held for moments only."""
        self._caches: weakref.WeakSet[MemoCache[Any, Any]] = weakref.WeakSet()

    @property
    def n_bytes(self) -> int:
        """What all values take now."""
        with self.lock:
            return sum(cache.n_bytes for cache in self._caches)

    def add(self, cache: "MemoCache[Any, Any]") -> None:
        """Count the values of one more cache."""
        with self.lock:
            self._caches.add(cache)

    def make_room(self) -> None:
        """Drop the least recently used values until the rest has room."""
        with self.lock:
            excess = self.n_bytes - self.most_bytes
            filled = {cache for cache in self._caches if len(cache)} if excess > 0 else set()
            while excess > 0 and sum(map(len, filled)) > 1:
                cache = min(filled, key=lambda one: one.oldest_use)
                excess -= cache.drop_oldest()
                if not len(cache):
                    filled.discard(cache)


BUDGET = MemoryBudget(MOST_BYTES)
"""Of everything that is kept in this process."""


class MemoCache(Generic[Key, Value]):
    """The values used last, by key. Each is made by one thread; others that ask for it wait.

    Args:
        most: So many values are kept.
        budget: The bytes that they may take, together with all else that counts there.
    """

    def __init__(self, most: int, *, budget: MemoryBudget = BUDGET) -> None:
        self._most = most
        self._budget, self._lock = budget, budget.lock
        self._values: OrderedDict[Key, Entry[Value]] = OrderedDict()
        self.n_bytes = 0
        """What its values take."""
        self._making: dict[Key, threading.Lock] = {}
        self._works: dict[Key, RunningTask[Value]] = {}
        budget.add(self)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def oldest_use(self) -> float:
        """When the value was asked for that nobody asked for since; there is one."""
        return next(iter(self._values.values())).last_use

    def drop_oldest(self) -> int:
        """Forget that value.

        Returns:
            The bytes that it took.
        """
        with self._lock:
            return self._forget(next(iter(self._values)))

    def find(self, key: Key) -> Value | None:
        """The value, if it is there."""
        with self._lock:
            entry = self._values.get(key)
            if entry is None:
                return None
            self._values.move_to_end(key)
            entry.last_use = time.monotonic()
            return entry.value

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value; the one that was not used longest makes room."""
        size = n_bytes((key, value))
        with self._lock:
            self._forget(key)
            self._values[key] = Entry(value, size, time.monotonic())
            self.n_bytes += size
            while len(self._values) > self._most:
                self.drop_oldest()
            self._budget.make_room()

    def _forget(self, key: Key) -> int:
        """Drop a value if it is there; the lock is held."""
        entry = self._values.pop(key, None)
        size = 0 if entry is None else entry.size
        self.n_bytes -= size
        return size

    def drop(self, key: Key) -> None:
        """Forget a value."""
        with self._lock:
            self._forget(key)

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()
            self.n_bytes = 0

    def drop_unused(self, seconds: float) -> None:
        """Drop the values that nobody asked for in so many seconds."""
        with self._lock:
            since = time.monotonic() - seconds
            for key in [key for key, kept in self._values.items() if kept.last_use < since]:
                self._forget(key)

    def find_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value, made now if it is not there."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                value = self.find(key)
                if value is None:
                    value = make()
                    self.keep(key, value)
        finally:
            with self._lock:
                self._making.pop(key, None)
        return value

    def find_or_work(self, key: Key, make: Callable[[Progress | None], Value], report: Progress | None) -> Value:
        """The value; where it is to be made and someone looks on, by work that goes on when they look away."""
        if report is None:
            return self.find_or_make(key, lambda: make(None))
        while True:
            value = self.find(key)
            if value is not None:
                return value
            with suppress(GivenUpError):  # begun anew: this one wants it
                return self.begin_work(key, make).wait(report)

    def begin_work(self, key: Key, make: Callable[[Progress | None], Value]) -> RunningTask[Value]:
        """The work on a value: what is under way, or begun now. It ends if nobody says ``want`` for long."""
        with self._lock:
            work = self._works.get(key)
            if work is None:
                work = self._works[key] = RunningTask(
                    lambda move: self.find_or_make(key, lambda: make(move)), then=partial(self._end_work, key)
                )
        work.want()
        return work

    def is_at_work(self, key: Key) -> bool:
        """Whether a value is being made by work that goes on."""
        with self._lock:
            return key in self._works

    def stop_work(self, key: Key) -> None:
        """End the work on a value, unless someone waits for it."""
        with self._lock:
            work = self._works.get(key)
        if work is not None:
            work.stop()

    def _end_work(self, key: Key) -> None:
        with self._lock:
            self._works.pop(key, None)


def _made_within(
    cache: MemoCache[Key, Value], key: Key, make: Callable[[Progress | None], Value], progress: Progress
) -> Value:
    return cache.find_or_make(key, lambda: make(progress))


class BackgroundTask(Generic[Value]):
    """What takes long to make: its value once it is in its cache, work that is under way, or none yet.

    Args:
        cache: Where the value is kept.
        key: Of the value, there.
        make: Makes it, and is given what tells how far it is, if someone looks on.
        of: Changes the value each time it is asked for, at no cost.
    """

    def __init__(
        self,
        cache: MemoCache[Key, Value],
        key: Key,
        make: Callable[[Progress | None], Value],
        *,
        of: Callable[[Value], Value] = lambda value: value,
    ) -> None:
        self.key: Hashable = key
        """What tells this work from other work of its kind."""
        self._made_of, self._of = (cache, key, make), of
        self._find = partial(cache.find, key)
        self._value = partial(cache.find_or_work, key, make)
        self._part = partial(_made_within, cache, key, make)
        self._begin = partial(cache.begin_work, key, make)
        self._is_at_work = partial(cache.is_at_work, key)
        self._stop = partial(cache.stop_work, key)

    @property
    def is_done(self) -> bool:
        """Whether the value is there."""
        return self._find() is not None

    def value(self, progress: Progress | None = None) -> Value:
        """The value; with someone who looks on it is made by work that goes on when they look away.

        Raises:
            InputError: It cannot be made.
        """
        return self._of(self._value(progress))

    def part_of_other(self, progress: Progress) -> Value:
        """The value, made by the work that asks for it and ended with that.

        Raises:
            InputError: It cannot be made.
        """
        return self._of(self._part(progress))

    @property
    def is_under_way(self) -> bool:
        """Whether it is being made by work that goes on."""
        return self._is_at_work()

    def begin(self) -> RunningTask[Value]:
        """Have it made without waiting: the work that does, begun now if it is not under way."""
        return self._begin()

    def stop(self) -> None:
        """End the work, unless someone waits for it."""
        self._stop()

    def then(self, of: Callable[[Value], Value]) -> "BackgroundTask[Value]":
        """The same task, with something done to its value that costs nothing and is not kept."""
        return BackgroundTask(*self._made_of, of=lambda value: of(self._of(value)))
