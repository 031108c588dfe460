"""``kept`` and ``in_background``: decorators that keep what a function computed, for all sessions of this server.

Each decorated function has a cache of its own, and all caches share one bound of memory. Its key is made from the
arguments and must be content alone: digests of texts, options, places of systems. ``of`` gives the value that the
caller's arguments call for, such as one with the caller's names for the systems; it costs nothing and is not kept.
"""

from collections.abc import Callable, Hashable
from copy import copy
from functools import partial, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from bleucore import InputError
from bleucore.counts import Progress
from bleuscope.runtime.memo_cache import BackgroundTask, MemoCache

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")


class Keeper(Protocol):
    """Gives a function that keeps its values."""

    def __call__(self, make: Callable[Arguments, Value], /) -> "KeptFunction[Arguments, Value]":
        """The function, with a cache of its own."""
        ...


class BackgroundKeeper(Protocol):
    """Gives a function whose calls are tasks."""

    def __call__(
        self, make: Callable[Concatenate[Progress | None, Arguments], Value], /
    ) -> "BackgroundFunction[Arguments, Value]":
        """The function, with a cache of its own; it takes its progress first."""
        ...


class KeptFunction(Generic[Arguments, Value]):
    """A function whose values are kept: made once for each key, while others that ask for it wait."""

    def __init__(
        self,
        make: Callable[Arguments, Value],
        cache: MemoCache[Hashable, Value | InputError],
        key: Callable[..., Hashable],
        of: Callable[..., Value] | None,
        retried: tuple[type[InputError], ...] | None,
    ) -> None:
        self.cache = cache
        self._make, self._key, self._of, self._retried = make, key, of, retried
        update_wrapper(self, make)

    def __call__(self, *arguments: Arguments.args, **settings: Arguments.kwargs) -> Value:
        """The value; made now unless it is kept.

        Raises:
            InputError: It cannot be made. A kept refusal is raised again, without the frames of the first time.
        """
        make = partial(self._make, *arguments, **settings)
        attempt = make if self._retried is None else partial(self._attempt, make)
        found = self.cache.find_or_make(self._key(*arguments, **settings), attempt)
        if isinstance(found, InputError):
            raise copy(found)
        return found if self._of is None else self._of(found, *arguments, **settings)

    def is_kept(self, *arguments: Arguments.args, **settings: Arguments.kwargs) -> bool:
        """Whether the function answers at once."""
        return self.cache.find(self._key(*arguments, **settings)) is not None

    def _attempt(self, make: Callable[[], Value]) -> Value | InputError:
        try:
            return make()
        except InputError as error:
            if isinstance(error, self._retried or ()):
                raise
            return copy(error)


class BackgroundFunction(Generic[Arguments, Value]):
    """A function that takes long: a call gives a task, which has its value once it was asked for."""

    def __init__(
        self,
        make: Callable[Concatenate[Progress | None, Arguments], Value],
        cache: MemoCache[Hashable, Value],
        key: Callable[..., Hashable],
        of: Callable[..., Value] | None,
    ) -> None:
        self.cache = cache
        self._make, self._key, self._of = make, key, of
        update_wrapper(self, make)

    def __call__(self, *arguments: Arguments.args, **settings: Arguments.kwargs) -> BackgroundTask[Value]:
        """The task that makes the value of these arguments, or has made it."""
        task = BackgroundTask(
            self.cache,
            self._key(*arguments, **settings),
            lambda report: self._make(report, *arguments, **settings),
        )
        of = self._of
        return task if of is None else task.then(lambda found: of(found, *arguments, **settings))


def kept(
    *,
    most: int,
    key: Callable[..., Hashable],
    of: Callable[..., Any] | None = None,
) -> Keeper:
    """Keep the values of a function.

    Args:
        most: The number of values that are kept; the one not used for longest makes room.
        key: Takes the function's arguments; what its value depends on.
        of: Takes a kept value and the function's arguments; the value as the caller calls its systems.
    """

    def keeping(make: Callable[Arguments, Value], /) -> KeptFunction[Arguments, Value]:
        return KeptFunction(make, MemoCache(most), key, of, None)

    return keeping


def kept_or_refused(
    *,
    most: int,
    key: Callable[..., Hashable],
    retried: tuple[type[InputError], ...] = (),
) -> Keeper:
    """Keep the values of a function, and its refusals of input: what failed once fails at once.

    Args:
        most: See ``kept``.
        key: See ``kept``.
        retried: Refusals that are not kept, because another try may succeed.
    """

    def keeping(make: Callable[Arguments, Value], /) -> KeptFunction[Arguments, Value]:
        return KeptFunction(make, MemoCache(most), key, None, retried)

    return keeping


def in_background(
    *,
    most: int,
    key: Callable[..., Hashable],
    of: Callable[..., Any] | None = None,
) -> BackgroundKeeper:
    """Keep the values of a function that takes long, and give its callers a task instead of a value.

    The function takes first what it tells its progress to, a share from 0 to 1; ``None`` where nobody looks on.

    Args:
        most: See ``kept``.
        key: See ``kept``; it does not take the progress.
        of: See ``kept``.
    """

    def keeping(
        make: Callable[Concatenate[Progress | None, Arguments], Value], /
    ) -> BackgroundFunction[Arguments, Value]:
        return BackgroundFunction(make, MemoCache(most), key, of)

    return keeping
