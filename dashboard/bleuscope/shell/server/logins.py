"""Who somebody is, where a proxy in front asks them: a header that is believed from that proxy's addresses alone."""

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from starlette.types import ASGIApp, Receive, Scope, Send

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.shell.server.auth_middleware import ASKS_LOGIN, Answer, Header
from bleuscope.workspace.people import MAX_NAME, Identity

USUAL_HEADER = "X-Forwarded-Email"
OF_PROXIES = ("x-forwarded-email", "x-forwarded-user", "x-forwarded-preferred-username", "x-forwarded-groups")
"""Headers in which proxies say who somebody is: none of them reaches what lies behind the gate."""
ISSUER = "proxy"
NAME_OF_HEADER = re.compile(r"[A-Za-z0-9-]{1,100}")
NOT_BY_THE_PROXY = (
    "403: bleuscope is entered through the proxy that asks who somebody is, and this request did not come from there. "
    "Whoever runs it can name the proxy's address: --trusted-proxy ADDRESS."
)
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class ProxyLogin:
    """Believes what a proxy says.

    Attributes:
        header: In which it names who somebody is, in small letters.
        trusted: Its addresses.
        sign_out: Where the proxy ends a login.
    """

    header: str
    trusted: tuple[Network, ...]
    sign_out: str | None = None

    def cleaned(self, headers: list[Header]) -> list[Header]:
        """The headers that what lies behind the gate may know of: none that says who somebody is."""
        hidden = {name.encode() for name in (self.header, *OF_PROXIES)}
        return [(name, value) for name, value in headers if name.lower() not in hidden]

    def serves(self, scope: Scope) -> bool:  # noqa: ARG002  # the form of a login
        """Whether a request is for an address that leads in or out: a proxy has these."""
        return False

    async def serve(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing leads here."""
        raise NotImplementedError

    def identity(self, scope: Scope) -> Identity | None:
        """Who asks, as the proxy says; ``None`` where it says nothing, two things, or is not the one who asks."""
        if not self._is_trusted(scope):
            return None
        said = [value for name, value in scope["headers"] if name.lower() == self.header.encode()]
        try:
            name = said[0].decode("utf-8").strip() if len(said) == 1 else ""
        except UnicodeDecodeError:
            return None
        if not name or len(name) > MAX_NAME or not name.isprintable():
            return None
        return Identity(ISSUER, name, name, name if "@" in name else None)

    def refused(self, scope: Scope) -> Answer:
        """What whoever is nobody gets."""
        if not self._is_trusted(scope):
            return Answer(403, NOT_BY_THE_PROXY, (ASKS_LOGIN,))
        return Answer(
            403,
            f"403: the proxy did not say who you are. Have it send one header {self.header}, or name the one that it "
            "sends: --proxy-header NAME.",
            (ASKS_LOGIN,),
        )

    def _is_trusted(self, scope: Scope) -> bool:
        host, _ = scope.get("client") or ("", 0)
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:  # a socket in a folder has no address
            return False
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return any((mapped or address) in network for network in self.trusted)


def proxy_login(header: str, trusted: Sequence[str], sign_out: str | None = None) -> ProxyLogin:
    """What is believed of a proxy.

    Args:
        header: What ``--proxy-header`` names.
        trusted: What ``--trusted-proxy`` names: addresses, or networks as in 10.0.0.0/8.
        sign_out: What ``--sign-out-url`` names.

    Raises:
        InputError: No address is named, or one is none, or the header is.
    """
    if not NAME_OF_HEADER.fullmatch(header) or header.lower() in ("host", "origin", "cookie", "authorization"):
        raise InputError(
            "this can be no header that says who somebody is",
            where="Option --proxy-header",
            found=shown(header),
            expected=f"letters, digits and hyphens, as in {USUAL_HEADER}",
            remedy="Name the header that your proxy sends.",
        )
    if not trusted:
        raise InputError(
            "the proxy's address is missing",
            where="Option --auth proxy",
            expected="--trusted-proxy ADDRESS",
            remedy="Name the address from which the proxy connects: 127.0.0.1 where it runs on this machine.",
        )
    return ProxyLogin(header.lower(), tuple(map(_network, trusted)), _checked_sign_out(sign_out))


def _network(text: str) -> Network:
    try:
        network = ipaddress.ip_network(text.strip())
    except ValueError as error:
        raise InputError(
            "this is no address",
            where="Option --trusted-proxy",
            found=shown(text),
            expected="an address or a network, as in 127.0.0.1 or 172.18.0.0/16",
            remedy="Name the address from which the proxy connects.",
        ) from error
    if network.prefixlen == 0:
        raise InputError(
            "this would let everyone be whoever they say",
            where="Option --trusted-proxy",
            found=str(network),
            remedy="Name the proxy's own address.",
        )
    return network


def _checked_sign_out(url: str | None) -> str | None:
    if url is None or re.fullmatch(r"(?:https?://|/)[!-~]*", url):
        return url
    raise InputError(
        "this is no address of a web server",
        where="Option --sign-out-url",
        found=shown(url),
        expected="http, https, or a path as in /oauth2/sign_out",
        remedy="Write where the proxy ends a login.",
    )
