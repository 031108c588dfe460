"""The campaign that a session has open: named when the server was started, dropped, or named by the address."""

from dataclasses import dataclass

from bleucore.formats.campaign_plan import CampaignPlan
from dashboard.shell.disk.campaign_files import plan_campaign
from dashboard.shell.disk.campaign_opening import campaign_from_environment, digest_of
from dashboard.shell.disk.files import NAMED_FILES, UPLOAD_KEY_LENGTH
from dashboard.shell.state import cached, links, session

OPEN, GONE = "_campaign", "_campaign_gone"


@dataclass(frozen=True, eq=False)
class OpenCampaign:
    """A campaign that is open.

    Attributes:
        plan: Its test sets, and where their texts are.
        digest: Of the content of all its files: what everything that is computed is kept by.
        path: Where it was named; ``None`` where it was dropped.
    """

    plan: CampaignPlan
    digest: str
    path: str | None

    @property
    def origin(self) -> str:
        """How a link names it."""
        return NAMED_FILES if self.path is not None else self.digest[:UPLOAD_KEY_LENGTH]


def current() -> OpenCampaign | None:
    """The open campaign; at the start of a session the one that the address or the command line names.

    Raises:
        InputError: The one that was named when the server was started cannot be read any more.
    """
    found: OpenCampaign | None = session.get(OPEN)
    if not session.has(OPEN):
        asked = links.campaign()
        found = _dropped(asked) if asked is not None and links.is_upload(asked) else None
        session.put(GONE, links.is_upload(asked) and found is None)
        found = found or _named()
        session.put(OPEN, found)
    return found


def is_gone() -> bool:
    """Whether the address names a campaign that was dropped and is not there any more."""
    return bool(session.get(GONE))


def write_address() -> None:
    """Name the open campaign in the address."""
    found: OpenCampaign | None = session.get(OPEN)
    links.write_campaign(None if found is None else found.origin)


def show(plan: CampaignPlan) -> None:
    """Open a campaign that was dropped.

    Raises:
        InputError: A file cannot be read.
    """
    opened = OpenCampaign(plan, digest_of(plan), None)
    cached.keep_campaign(opened.origin, (plan, opened.digest))
    session.put(OPEN, opened)
    session.put(GONE, False)  # noqa: FBT003  # a note in the session


def close() -> None:
    """Leave the open campaign, to open another one."""
    session.put(OPEN, None)


def is_named() -> bool:
    """Whether the server was started on a campaign."""
    return campaign_from_environment() is not None


def _dropped(origin: str) -> OpenCampaign | None:
    kept = cached.find_campaign(origin)
    return None if kept is None else OpenCampaign(*kept, path=None)


def _named() -> OpenCampaign | None:
    path = campaign_from_environment()
    if path is None:
        return None
    plan = plan_campaign(path)
    return OpenCampaign(plan, digest_of(plan), path)
