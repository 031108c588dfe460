"""What an OpenID provider says about somebody who has logged in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bleuscope.workspace.people import MAX_NAME, Identity

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
ADDRESS = re.compile(rf"[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]{{1,64}}@{DOMAIN.pattern}")
"""ASCII with one @ (RFC 5321 without quotes): letters of other scripts look like a known domain, or fold to one."""
GROUPS = "groups"
"""The claim in which most providers name groups."""
IDS = ("oid", "tid")
"""Claims of Entra ID: the account, and the tenant that it is in."""
ELSEWHERE = "_claim_names"
"""Names the claims that a provider left out of a token for their size (OpenID Connect Core 1.0, section 5.6.2)."""
Fact = tuple[str, str]
"""A kind, as rules of ``allow`` name it, and a value."""


@dataclass(frozen=True)
class Claims:
    """Somebody, with all that may decide whether they enter.

    Attributes:
        identity: Who it is; with an e-mail address only if the provider has verified it.
        facts: What rules are checked against.
        has_unverified_email: Whether there is an address that counts as none.
        has_groups: Whether the provider says which groups somebody is in.
        has_groups_elsewhere: Whether it left the groups out of the token.
    """

    identity: Identity
    facts: frozenset[Fact] = frozenset()
    has_unverified_email: bool = False
    has_groups: bool = False
    has_groups_elsewhere: bool = False


@dataclass(frozen=True)
class Reading:
    """How to read claims.

    Attributes:
        trusts_email: Whether an address counts although the provider does not say whether it is verified.
        groups: The claim that names groups.
    """

    trusts_email: bool = False
    groups: str = GROUPS


def claims_in(said: object, reading: Reading) -> Claims | None:
    """Who a login is about; ``None`` if it names nobody."""
    if not isinstance(said, dict) or said.get("is_logged_in") is not True:
        return None
    issuer, subject = said.get("iss"), said.get("sub")
    if not isinstance(issuer, str) or not isinstance(subject, str) or not issuer or not subject:
        return None
    email = _email(said, trusts_email=reading.trusts_email)
    names = (said.get("name"), said.get("preferred_username"), email, subject)
    name = next((one for one in names if isinstance(one, str) and one.strip()), subject)
    groups = _groups(said.get(reading.groups))
    return Claims(
        Identity(issuer, subject, name[:MAX_NAME], email),
        frozenset({("sub", subject), *_ids(said), *_of_email(email), *(("group", group) for group in groups)}),
        has_unverified_email=email is None and bool(said.get("email")),
        has_groups=reading.groups in said,
        has_groups_elsewhere=_is_elsewhere(said, reading.groups),
    )


def _email(said: Mapping[str, Any], *, trusts_email: bool) -> str | None:
    """The address, if its provider has verified it; a provider that does not say so has not.

    It is compared as a whole and never cut off: another domain could stand where it is cut.
    """
    email, verified = said.get("email"), said.get("email_verified")
    is_verified = verified is True or verified == "true" or (verified is None and trusts_email)
    if not is_verified or not isinstance(email, str) or len(email) > MAX_NAME:
        return None
    return email if ADDRESS.fullmatch(email) else None


def _of_email(email: str | None) -> tuple[Fact, ...]:
    if email is None:
        return ()
    address = email.lower()
    return ("email", address), ("domain", address.rpartition("@")[2])


def _ids(said: Mapping[str, Any]) -> list[Fact]:
    return [(name, said[name].lower()) for name in IDS if isinstance(said.get(name), str)]


def _groups(named: object) -> list[str]:
    """The groups that a claim names: a list of names, or one name."""
    groups = named if isinstance(named, list) else [named]
    return [group for group in groups if isinstance(group, str) and group]


def _is_elsewhere(said: Mapping[str, Any], groups: str) -> bool:
    left_out = said.get(ELSEWHERE)
    return said.get("hasgroups") in (True, "true") or (isinstance(left_out, dict) and groups in left_out)
