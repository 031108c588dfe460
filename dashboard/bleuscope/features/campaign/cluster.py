"""The sets of a campaign on a Dask cluster that somebody runs: no scheduler of our own.

What is asked and what comes back are exchanged with the scheduler that the user named, as Python objects: whoever runs
a cluster can run programs on all machines that use it. Each machine reads the texts by itself.
"""

import asyncio
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from os import environ
from typing import TYPE_CHECKING, Any

from bleucore import InputError, __version__
from bleucore.installing import how_to_add
from bleuscope.features.campaign.allocation import VARIABLE, memory_kept
from bleuscope.features.campaign.set_work import FORMAT, SetOutcome, SetTask, work_on

if TYPE_CHECKING:
    from distributed import Client, Future

EXTRA = "cluster"
RETRIES = 2
"""How often Dask tries a set again, on whichever worker; as often a worker may be lost over it."""
SECONDS_TO_CONNECT = 10
SECONDS_FOR_WORKERS = 30
LOST = "The connection to the scheduler was lost. Run the campaign again: finished test sets are saved."
_ADDRESS = re.compile(r"(?:tcp|tls|ws|wss)://(?:\[[0-9A-Fa-f:.]+\]|[^\s/:@\[\]]+):[0-9]{1,5}")


class FaultError(Exception):
    """Why a set has no result, as a sentence; raised on a worker, so that another one tries again."""


def worked_on_cluster(
    tasks: Sequence[SetTask], address: str, note: Callable[[str], None]
) -> Generator[tuple[int, SetOutcome]]:
    """The number of each task and what comes of it, as it is done; those that a lost scheduler leaves do not come.

    Args:
        tasks: What is to be done.
        address: Of the scheduler.
        note: Told in a sentence what is to be known of the cluster.

    Raises:
        InputError: The address is none, nobody answers there, there is no worker, or one runs another bleuscope; or
            Dask is not installed.
    """
    with closing(_client(address)) as client:
        _look_at(_workers(client, address), address, note)
        yield from _outcomes(client, tasks)


def _outcomes(client: "Client", tasks: Sequence[SetTask]) -> Generator[tuple[int, SetOutcome]]:
    from distributed import as_completed  # noqa: PLC0415  # of an extra

    asked = own_version()
    futures: dict[Future[Any], int] = {
        client.submit(_attempt, replace(task, caches=None), asked, retries=RETRIES, pure=False): index
        for index, task in enumerate(tasks)
    }
    try:
        for future in as_completed(list(futures), loop=client.loop, raise_errors=False):
            index = futures[future]
            if future.status == "finished":
                yield index, future.result()
            elif future.status == "error":
                yield index, SetOutcome(tasks[index].planned.name, "", fault=_said(future.exception()))
            future.release()
    finally:
        for future in futures:
            if client.status == "running":
                future.release()


def _attempt(task: SetTask, asked: str) -> SetOutcome:
    """What comes of a task on a worker.

    Raises:
        FaultError: Nothing does.
    """
    if own_version() != asked:
        raise FaultError(str(_other_version([own_version()], asked)))
    with memory_kept():
        outcome = work_on(task)
    if outcome.fault is not None:
        raise FaultError(outcome.fault)
    return outcome


def own_version() -> str:
    """Of what does the work here: equal versions give equal numbers."""
    return f"{__version__}.{FORMAT}"


def _about_worker() -> tuple[str, str | None]:
    """What runs on a worker, and what its environment says of memory."""
    return own_version(), environ.get(VARIABLE)


def _client(address: str) -> "Client":
    if not _ADDRESS.fullmatch(address):
        raise InputError(
            "this is not the address of a Dask scheduler",
            where="Option --scheduler",
            found=address[:200],
            expected="one as tcp://HOST:8786",
            remedy="Take the address that the scheduler prints when it starts.",
        )
    try:
        from distributed import Client  # noqa: PLC0415  # of an extra
    except ImportError as error:
        raise InputError(
            "Dask is not installed",
            where="Option --scheduler",
            found=f"no {error.name}",
            remedy=f"Install it: {how_to_add(EXTRA)}",
        ) from error
    try:
        asyncio.run(asyncio.wait_for(_identity(address), SECONDS_TO_CONNECT))
        return Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except Exception as error:  # whatever answers there
        raise InputError(
            "no Dask scheduler answers",
            where=address,
            found=f"{type(error).__name__}: {_first_line(error)}",
            remedy="Check that it runs, its address, and that it is of the same version of Dask.",
        ) from error


async def _identity(address: str) -> object:
    """What whoever answers says of itself; a client would wait without end for an answer that is none."""
    from distributed.core import rpc  # noqa: PLC0415  # of an extra

    async with rpc(address, timeout=SECONDS_TO_CONNECT) as scheduler:
        return await scheduler.identity()


def _workers(client: "Client", address: str) -> list[tuple[str, str | None]]:
    """What runs on the workers there are.

    Raises:
        InputError: There is none, or none with bleuscope.
    """
    try:
        client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
    except TimeoutError as error:
        raise InputError(
            "the scheduler has no workers",
            where=address,
            remedy=f"Start some: dask worker {address}",
        ) from error
    try:
        return list(client.run(_about_worker, on_error="raise").values())
    except Exception as error:  # whatever a worker raises
        raise InputError(
            "a worker has no bleuscope",
            where=address,
            found=_first_line(error),
            expected=f"bleuscope {own_version()}",
            remedy="Install it where the workers run.",
        ) from error


def _look_at(workers: Sequence[tuple[str, str | None]], address: str, note: Callable[[str], None]) -> None:
    others = sorted({one for one, _ in workers if one != own_version()})
    if others:
        raise _other_version(others, own_version())
    if any(trims_at is not None for _, trims_at in workers):
        note(
            f"Workers of {address} were started with {VARIABLE}, as Dask does. Work on a set puts that right for its "
            "time where it can; workers started without it need nothing of the kind."
        )


def _other_version(found: Sequence[str], expected: str) -> InputError:
    return InputError(
        "a worker runs another version of bleuscope, whose numbers could be others",
        where="The cluster",
        found=", ".join(found),
        expected=expected,
        remedy="Install the same version everywhere.",
    )


def _said(error: Any) -> str:  # noqa: ANN401  # whatever a worker raised
    """Why a set failed, in a sentence."""
    if isinstance(error, FaultError):
        return str(error)
    if type(error).__name__ == "KilledWorker":
        return f"{RETRIES + 1} workers ended over it, perhaps for want of memory. Give them more, or leave the set out."
    return f"A worker failed over it ({type(error).__name__}: {_first_line(error)})."


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__
