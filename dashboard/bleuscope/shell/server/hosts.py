"""Under which addresses the dashboard answers: its own, those that were allowed, and the public one of a proxy.

A web site can give its own name the address 127.0.0.1, and then its pages reach every server of this machine that does
not look at the name it is called by ("DNS rebinding"). So a request has to name a host that was announced, and a page
that asks has to come from there. Nothing is looked up for that: names are compared as they are written.
"""

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from bleucore.errors import InputError
from bleucore.values import shown

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104  # compared with, not listened on
DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_PORT = 65_535
MAX_LENGTH = 300
"""Of a header that names a host; a name has 253 characters at most."""
HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?")
ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>[^/]*)")
PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")


@dataclass(frozen=True)
class HostName:
    """A host by the name that it is called by.

    Attributes:
        name: In small letters; of an address of IPv6 without brackets, in its shortest form.
        port: ``None`` where none is named: the usual one of a request, any one of a name that is allowed.
    """

    name: str
    port: int | None

    def __str__(self) -> str:
        """As it stands in an address."""
        name = f"[{self.name}]" if ":" in self.name else self.name
        return name if self.port is None else f"{name}:{self.port}"


@dataclass(frozen=True)
class PublicUrl:
    """Where people find the dashboard behind a proxy.

    Attributes:
        scheme: ``http`` or ``https``.
        place: The host with its port, also where that is the usual one.
        path: What the addresses of all pages begin with: empty, or ``/a/b``.
    """

    scheme: str
    place: HostName
    path: str = ""

    def __str__(self) -> str:
        """As people write it, with a slash at its end."""
        is_usual = self.place.port == DEFAULT_PORTS[self.scheme]
        place = HostName(self.place.name, None) if is_usual else self.place
        return f"{self.scheme}://{place}{self.path}/"


@dataclass(frozen=True)
class Announced:
    """Every address under which the dashboard answers.

    Attributes:
        main: The one on this machine to open.
        own: All of its own, and those that were allowed.
        public: That of a proxy in front of it.
        listens_everywhere: Whether every address of this machine is its own too.
        is_everybodys: Whether it answers by any name, because there is nothing in it that anyone may not see.
    """

    main: HostName
    own: frozenset[HostName]
    public: PublicUrl | None = None
    listens_everywhere: bool = False
    is_everybodys: bool = False

    @property
    def address(self) -> str:
        """What people open, with a slash at its end."""
        return f"http://{self.main}/" if self.public is None else str(self.public)

    def answering(
        self, hosts: Sequence[str], origins: Sequence[str], connected_to: tuple[str, int | None] | None
    ) -> str | None:
        """What a request is to be answered as: the host that its page came from. ``None`` if it is not to be.

        Args:
            hosts: The values of all its headers ``Host``.
            origins: The values of all its headers ``Origin``, of which programs send none.
            connected_to: The address of this machine and the port that it came in by.
        """
        host = parse_host(hosts[0]) if len(hosts) == 1 else None
        if host is None:
            return None
        is_own = (
            self.is_everybodys
            or self._has(host)
            or (self.listens_everywhere and connected_to is not None and _same(host, connected_to))
        )
        if not is_own and not (self.public is not None and host.name == self.public.place.name):
            return None
        if not origins:
            return hosts[0]
        origin = parse_origin(origins[0]) if len(origins) == 1 else None
        if origin is None:
            return None
        scheme, place = origin
        is_public = self.public is not None and (scheme, place) == (self.public.scheme, self.public.place)
        is_of_this_host = is_own and place == HostName(host.name, host.port or DEFAULT_PORTS[scheme])
        if self.is_everybodys:  # a host in front may hand on another name than people see
            return hosts[0]
        return origins[0].partition("://")[2] if is_public or is_of_this_host else None

    def _has(self, host: HostName) -> bool:
        return host in self.own or HostName(host.name, None) in self.own


def announced(
    host: str, port: int, *, allowed: Sequence[str] = (), public_url: str | None = None, listens_on: str = "127.0.0.1"
) -> Announced:
    """The addresses of a server.

    Args:
        host: What ``--host`` names.
        port: That it listens on.
        allowed: What ``--allow-host`` names: a name, or a name with a port.
        public_url: What ``--public-url`` names.
        listens_on: The address that ``host`` stands for.

    Raises:
        InputError: A name or the URL is none.
    """
    names = {*LOOPBACK_NAMES, _plain_name(host), _plain_name(listens_on)}
    own = {HostName(name, port) for name in names} | {_allowed(text) for text in allowed}
    if port == DEFAULT_PORTS["http"]:
        own |= {HostName(name, None) for name in names}
    public = None if public_url is None else parse_public_url(public_url)
    listens_everywhere = listens_on in EVERY_ADDRESS
    main = HostName("127.0.0.1" if listens_everywhere else _plain_name(host), port)
    return Announced(main, frozenset(own), public, listens_everywhere=listens_everywhere)


def parse_host(text: str) -> HostName | None:
    """What a header ``Host`` names; ``None`` if it is none."""
    found = HOST.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if found is None or not 0 < int(found["port"] or 1) <= MAX_PORT:
        return None
    name = found["name"].lower()
    if name.startswith("["):
        try:
            name = str(ipaddress.IPv6Address(name[1:-1]))
        except ValueError:
            return None
    return HostName(name, int(found["port"]) if found["port"] else None)


def parse_origin(text: str) -> tuple[str, HostName] | None:
    """The scheme and the host of a header ``Origin``, always with a port; ``None`` if it is none, as ``null`` is."""
    found = ORIGIN.fullmatch(text)
    place = parse_host(found["host"]) if found else None
    if found is None or place is None:
        return None
    return found["scheme"], HostName(place.name, place.port or DEFAULT_PORTS[found["scheme"]])


def parse_public_url(text: str) -> PublicUrl:
    """What ``--public-url`` names.

    Raises:
        InputError: It is no such address.
    """
    try:
        parts = urlsplit(text.strip())
        place = parse_host(_ascii(parts.netloc))
    except ValueError:
        parts, place = urlsplit(""), None
    path = parts.path.rstrip("/")
    if parts.scheme not in DEFAULT_PORTS or place is None or parts.query or parts.fragment or not PATH.fullmatch(path):
        raise InputError(
            "this is no address of a web server",
            where="Option --public-url",
            found=shown(text),
            expected="http or https, a host, and perhaps a path",
            remedy="Write the address that people open, as in https://bleu.example.org/scores/.",
        )
    return PublicUrl(parts.scheme, HostName(place.name, place.port or DEFAULT_PORTS[parts.scheme]), path)


def _allowed(text: str) -> HostName:
    """A name that is allowed.

    Raises:
        InputError: It is none.
    """
    name = text.strip()
    try:
        place = parse_host(
            f"[{ipaddress.IPv6Address(name)}]" if name.count(":") > 1 and "[" not in name else _ascii(name)
        )
    except ValueError:
        place = None
    if place is None:
        raise InputError(
            "this is no name of a host",
            where="Option --allow-host",
            found=shown(text),
            expected="a name or an address, perhaps with a port",
            remedy="Write what stands between :// and the next slash, as in bleu.example.org or 192.168.1.5:8501.",
        )
    return place


def _plain_name(host: str) -> str:
    """A host that is listened on, as a request names it."""
    name = host.strip().lower().removeprefix("[").removesuffix("]").partition("%")[0]
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        return name


def _ascii(name: str) -> str:
    """A name with letters of any script as browsers send it.

    Raises:
        ValueError: It is no name.
    """
    return name if name.isascii() else name.encode("idna").decode("ascii")


def _same(host: HostName, connected_to: tuple[str, int | None]) -> bool:
    """Whether a request names the very address of this machine that it came in by, which no name can stand for."""
    try:
        address = ipaddress.ip_address(connected_to[0].partition("%")[0])
        named = ipaddress.ip_address(host.name)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return named == (mapped or address) and (host.port or DEFAULT_PORTS["http"]) == connected_to[1]
