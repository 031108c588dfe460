"""The place that the server listens at: taken before anything is announced, or refused with what to do instead."""

import errno
import ipaddress
import os
import socket
from pathlib import Path

from bleucore.errors import InputError
from bleucore.values import shown

BACKLOG = 2048
"""Connections that wait to be taken, as many as uvicorn has."""
PORTS_TRIED = 100
MAX_PORT = 65_535


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at the host's address and the port.

    Raises:
        InputError: There is no such host, it is not this machine, or the port cannot be had.
    """
    family, address = _address_of(host)
    try:
        return _listening(family, address, port)
    except OSError as error:
        raise _refusal(error, family, address, host, port) from error


def is_loopback(listening: socket.socket) -> bool:
    """Whether only this machine can connect."""
    return ipaddress.ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback


def refuse_lost_folder() -> None:
    """Refuse to start in a folder that is gone.

    Raises:
        InputError: The working directory was deleted.
    """
    try:
        Path.cwd()
    except OSError as error:
        raise InputError(
            "it was deleted or moved",
            where="The working directory",
            remedy="Go to a folder that is there, as in cd ~, and start again.",
        ) from error


def _address_of(host: str) -> tuple[int, str]:
    """The family and the address that a host stands for, the first if there are several."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise InputError(
            "there is no such host",
            where="Option --host",
            found=shown(host),
            expected="an address of this machine",
            remedy="127.0.0.1 is for this machine alone, 0.0.0.0 for every network that it is in.",
        ) from error
    family, _, _, _, address = found[0]
    return family, str(address[0])


def _listening(family: int, address: str, port: int) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let two servers have the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(address != "::"))
        listening.bind((address, port))
        listening.listen(BACKLOG)
        listening.setblocking(False)  # noqa: FBT003  # the socket's own form
    except BaseException:
        listening.close()
        raise
    return listening


def _refusal(error: OSError, family: int, address: str, host: str, port: int) -> InputError:
    """What to say of a place that cannot be had."""
    if error.errno == errno.EADDRINUSE:
        free = _next_free(family, address, port)
        return InputError(
            "another program has it",
            where="Option --port",
            found=port,
            remedy="Choose another." if free is None else f"Port {free} is free: --port {free}.",
        )
    if error.errno == errno.EACCES:
        return InputError(
            "this user may not have it",
            where="Option --port",
            found=port,
            remedy="Choose one from 1024 on, as in --port 8501.",
        )
    return InputError(
        "this machine cannot listen there",
        where="Option --host",
        found=f"{shown(host)}: {(error.strerror or type(error).__name__).lower()}",
        expected="an address of this machine",
        remedy="127.0.0.1 is for this machine alone, 0.0.0.0 for every network that it is in.",
    )


def _next_free(family: int, address: str, port: int) -> int | None:
    """The next port that can be had."""
    for other in range(port + 1, min(port + PORTS_TRIED, MAX_PORT) + 1):
        try:
            _listening(family, address, other).close()
        except OSError:
            continue
        return other
    return None
