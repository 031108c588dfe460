"""How people log in at an OpenID provider: from variables or a file of ours, never from a ``secrets.toml``."""

import secrets
import tomllib
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.shell.server.hosts import LOOPBACK_NAMES
from bleuscope.shell.server.oidc_claims import GROUPS, Reading
from bleuscope.shell.server.oidc_rules import Rules, rules_of

VARIABLES: Mapping[str, str] = MappingProxyType(
    {
        "issuer": "BLEUSCOPE_OIDC_ISSUER",
        "client_id": "BLEUSCOPE_OIDC_CLIENT_ID",
        "client_secret": "BLEUSCOPE_OIDC_CLIENT_SECRET",
        "allow": "BLEUSCOPE_OIDC_ALLOW",
        "trust_email": "BLEUSCOPE_OIDC_TRUST_EMAIL",
        "groups_claim": "BLEUSCOPE_OIDC_GROUPS_CLAIM",
        "scopes": "BLEUSCOPE_OIDC_SCOPES",
        "cookie_secret": "BLEUSCOPE_COOKIE_SECRET",
    }
)
"""Each setting, and the variable that gives it; a variable comes before the file."""
NEEDED = ("issuer", "client_id", "client_secret")
SCOPES = "openid email profile"
"""What is asked of a provider unless it is told; some want one more before they name groups."""
LEAST_SECRET = 32
"""Characters of a secret that nobody finds by trying."""
MOST_BYTES = 100_000
METADATA = "/.well-known/openid-configuration"


@dataclass(frozen=True)
class OidcSettings:
    """Where people log in, and who we are there.

    Attributes:
        issuer: The address of the provider.
        client_id: What it calls this server.
        client_secret: By which it knows this server.
        cookie_secret: By which we know our own cookies; drawn at each start unless given.
        rules: Who may enter of those who can log in there.
        reading: How to read what it says about them.
        scopes: What to ask it for.
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    cookie_secret: str = field(repr=False)
    rules: Rules = field(default_factory=Rules)
    reading: Reading = field(default_factory=Reading)
    scopes: str = SCOPES

    @property
    def metadata(self) -> str:
        """Where the provider says how to log in."""
        return self.issuer.rstrip("/") + METADATA


def oidc_settings(file: str | None, variables: MutableMapping[str, str]) -> OidcSettings:
    """The settings of variables and of a file.

    Args:
        file: What ``--oidc-settings`` names: TOML with the names of ``VARIABLES``.
        variables: Of the environment. Ours are taken from it: every program that is started from here would inherit
            them.

    Raises:
        InputError: One is missing, unknown or wrong.
    """
    given = {} if file is None else _of_file(file)
    named = {name: variables.pop(variable) for name, variable in VARIABLES.items() if variable in variables}
    given |= {name: value for name, value in named.items() if value or name == "allow"}
    missing = [name for name in NEEDED if not given.get(name)]
    if missing:
        raise InputError(
            "something is missing to log in with",
            where="Option --auth oidc",
            found=f"no {' and no '.join(missing)}",
            expected=", ".join(VARIABLES[name] for name in NEEDED),
            remedy="Set these variables, or write them into a file: --oidc-settings FILE.",
        )
    return OidcSettings(
        _checked_issuer(_text(given, "issuer")),
        _text(given, "client_id"),
        _text(given, "client_secret"),
        _checked_secret(_text(given, "cookie_secret") or secrets.token_hex()),
        # without the setting everyone may enter; with a setting that names nobody, nothing starts
        rules_of(given["allow"]) if "allow" in given else Rules(),
        Reading(_truth(given, "trust_email"), _text(given, "groups_claim") or GROUPS),
        _checked_scopes(_text(given, "scopes") or SCOPES),
    )


def _of_file(file: str) -> dict[str, Any]:
    try:
        content = Path(file).read_bytes()[:MOST_BYTES].decode("utf-8")
        found = tomllib.loads(content)
    except OSError as error:
        raise _wrong_file(file, (error.strerror or type(error).__name__).lower()) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise _wrong_file(file, "no TOML in UTF-8") from error  # whose message would hold its secrets
    unknown = [name for name in found if name not in VARIABLES]
    if unknown:
        raise _wrong_file(file, shown(unknown[0]))
    return found


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise _not_accepted(name, shown(value) if "secret" not in name else type(value).__name__, "a text")
    return value


def _truth(given: Mapping[str, Any], name: str) -> bool:
    value = given.get(name, False)
    value = {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value
    if not isinstance(value, bool):
        raise _not_accepted(name, shown(value), "true or false")
    return value


def _checked_scopes(text: str) -> str:
    scopes = text.split()
    if "openid" not in scopes or not text.isascii() or not text.isprintable():
        raise _not_accepted("scopes", shown(text), f"openid and others with blanks between them, as in {SCOPES}")
    return " ".join(scopes)


def _not_accepted(name: str, found: str, expected: str) -> InputError:
    return InputError(
        "this value is not accepted",
        where=f"Setting {name}",
        found=found,
        expected=expected,
        remedy="Correct it, or leave it out.",
    )


def _wrong_file(file: str, found: str) -> InputError:
    return InputError(
        "these are no settings to log in with",
        where=f"Option --oidc-settings {file}",
        found=found,
        expected=f"TOML with {', '.join(VARIABLES)}",
        remedy="See the documentation, Run it for others.",
    )


def _checked_issuer(text: str) -> str:
    try:
        parts = urlsplit(text)
        name = parts.hostname or ""
    except ValueError:
        parts, name = urlsplit(""), ""
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and name in LOOPBACK_NAMES)
    if not is_safe or not name or parts.query or parts.fragment:
        raise InputError(
            "this is no address of an OpenID provider",
            where="Setting issuer",
            found=shown(text),
            expected="https and a host, as the provider calls itself",
            remedy="Write what stands before /.well-known/openid-configuration.",
        )
    return text


def _checked_secret(text: str) -> str:
    if len(text) < LEAST_SECRET:
        raise InputError(
            "this secret can be guessed",
            where="Setting cookie_secret",
            found=f"{len(text)} characters",
            expected=f"at least {LEAST_SECRET}",
            remedy='Draw one: python -c "import secrets; print(secrets.token_hex())".',
        )
    return text
