"""What is said of members, tokens, links and the log of a project; `bleuscope team` and `token` say the same."""

from collections.abc import Mapping

LABEL = "Team"
ONE_PERSON = "You are the only person here, so this project has no team. Start the server with --auth to let others in."
RUNS_IT = "whoever runs the server"
MEMBERS, TOKENS, LINKS, LOG = "Members", "Tokens", "Links", "Log"
WHO_HELP = "Their e-mail address or subject, once they have logged in."
ISSUER_HELP = (
    "Where they log in: proxy, or the address of an OpenID provider. Then give their subject there; it works even "
    "before their first login."
)
WITHOUT_LOGIN = (
    "This server has no login: everyone who enters may do everything in every project. Roles apply only with a login."
)
ROLES_HELP = "reader: sees versions, texts and scores. writer: also pushes and shares. owner: also manages this page."
TOKEN_SHOWN = "Copy the token now. It is not shown again."  # noqa: S105  # words
TOKENS_HELP = (
    "Programs push and read in this project with a token. A token acts for the person who made it, "
    "and ends with their role."
)
NO_TOKEN, NO_LINK = "No tokens yet.", "No links into this project."
LINKS_HELP = "All links for people without an account. Leaderboard and History make them."
LOG_HELP = "Who did what, newest first. Entries cannot be changed."


def in_line(what: Mapping[str, object]) -> str:
    """What was done to what, in one line."""
    return ", ".join(f"{name} {value}" for name, value in what.items())


def member_name(name: str, email: str, issuer: str) -> str:
    """A member among others of the same name."""
    return f"{name} ({email or issuer})"


def given(name: str, role: str, slug: str) -> str:
    """That somebody has a role now."""
    return f"{name} is {role} of {slug}."


def taken(name: str, slug: str) -> str:
    """That somebody has none any more."""
    return f"{name} no longer has a role in {slug}."


def ask_to_take(name: str, slug: str) -> str:
    """Before somebody's role is taken."""
    return f"Remove {name} from project {slug}? They lose access at once, and their tokens and links end."


def ask_to_revoke(name: str) -> str:
    """Before a token is revoked."""
    return f"Revoke the token {name}? Every program that shows it is refused from now on. It cannot be taken back."


def ask_to_end(name: str) -> str:
    """Before a link ends."""
    return f"End the link to {name}? Whoever has it open sees nothing more. It cannot be taken back."
