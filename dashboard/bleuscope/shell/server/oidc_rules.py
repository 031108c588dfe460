"""Who may enter of all who can log in at an OpenID provider: the rules of ``allow``."""

from dataclasses import dataclass
from typing import Literal

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.shell.server.oidc_claims import ADDRESS, DOMAIN, IDS, Claims, Fact

NAMED = ("sub", "group", *IDS)
"""What a rule can name in front of a colon."""
MAX_VALUE = 300
Refused = Literal["groups elsewhere", "no groups", "email", "no rule"]
WHY: dict[Refused, str] = {
    "groups elsewhere": "The provider left the groups out of the login, because there are too many of them. Have it "
    "send only the groups that are assigned to bleuscope, or allow people by sub: or oid:.",
    "no groups": "The login has no claim that names groups. Have the provider put it into the ID token, or name the "
    "right claim: groups_claim.",
    "email": "Your e-mail address is not verified, or not plain ASCII, so no rule with an address applies. "
    "Allow people by sub:, oid: or group:.",
    "no rule": "No rule of allow applies to the login.",
}
"""Why somebody may not enter, for whoever runs the server."""


@dataclass(frozen=True)
class Rules:
    """The rules of ``allow``.

    Attributes:
        allowed: Each lets in whoever it is a fact about; without any, everyone enters.
    """

    allowed: frozenset[Fact] = frozenset()

    def lets_in(self, claims: Claims) -> bool:
        """Whether somebody may enter."""
        return not self.allowed or not self.allowed.isdisjoint(claims.facts)

    def refused(self, claims: Claims) -> tuple[Refused, ...]:
        """Why somebody may not enter: what keeps rules of a kind from applying, if anything does."""
        kinds = {kind for kind, _ in self.allowed}
        why: list[Refused] = []
        if kinds & {"email", "domain"} and claims.has_unverified_email:
            why.append("email")
        if "group" in kinds and claims.has_groups_elsewhere:
            why.append("groups elsewhere")
        elif "group" in kinds and not claims.has_groups:
            why.append("no groups")
        return tuple(why) or ("no rule",)


def rules_of(allow: object) -> Rules:
    """The rules that a setting names.

    Args:
        allow: Rules with commas between them, or a list of rules.

    Raises:
        InputError: There is none, or one is malformed.
    """
    if isinstance(allow, str):
        allow = [one for one in allow.split(",") if one.strip()]
    if not isinstance(allow, list) or not allow:
        raise InputError(
            "it allows nobody" if isinstance(allow, list) else "this is not a list of rules",
            where="Setting allow",
            found=shown(allow),
            expected="at least one rule, as in @example.org or group:translators",
            remedy="Add a rule. Leave the setting out only if everyone with an account may enter.",
        )
    return Rules(frozenset(map(_rule, allow)))


def _rule(written: object) -> Fact:
    text = written.strip() if isinstance(written, str) else ""
    kind, _, value = text.partition(":")
    value = value.strip()
    if kind in NAMED and value and value.isprintable() and len(value) <= MAX_VALUE:
        return kind, value.lower() if kind in IDS else value
    if text.startswith("@") and DOMAIN.fullmatch(text[1:]):
        return "domain", text[1:].lower()
    if ADDRESS.fullmatch(text) and "*" not in text:
        return "email", text.lower()
    raise InputError(
        "this is not a rule",
        where="Setting allow",
        found=shown(written),
        expected=f"an address, @ and a domain, or one of {', '.join(f'{name}:' for name in NAMED)} and a value",
        remedy=_remedy(text),
    )


def _remedy(text: str) -> str:
    if not text.isascii() and ":" not in text:
        return "Write the domain in ASCII, as in @xn--mller-kva.example."
    if "*" in text:
        return "A rule has no wildcards: @example.org allows every address of that domain."
    return f"Write @{text}." if DOMAIN.fullmatch(text) else "Correct the rule, or take it out."
