"""The campaign that a session has open: named when the server was started, dropped, or named by the address."""

from dataclasses import dataclass

from bleucore import InputError
from bleucore.formats.campaign_plan import CampaignPlan
from bleuscope.content.comparison.link_notes import short_digest
from bleuscope.features.campaign import kept as kept_campaigns
from bleuscope.features.campaign import params
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign.opened_plan import (
    aligns_from_environment,
    campaign_from_environment,
    digest_of,
    stamp_of,
)
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.projects import plan_of_project
from bleuscope.runtime import params as shared_params
from bleuscope.shell.disk.files import NAMED_FILES, UPLOAD_KEY_LENGTH, project_origin
from bleuscope.shell.state import links, session, workspace_in_use

OPEN, GONE, CHANGED = "_campaign", "_campaign_gone", "_campaign_changed"


@dataclass(frozen=True, eq=False)
class OpenCampaign:
    """A campaign that is open.

    Attributes:
        plan: Its test sets, and where their texts are.
        digest: Of the content of all its files: what everything that is computed is kept by.
        path: Where it was named; ``None`` where it was dropped or a project keeps it.
        project: The project that keeps its texts, by its name in addresses; ``None`` for anybody's own.
    """

    plan: CampaignPlan
    digest: str
    path: str | None
    project: str | None = None

    @property
    def origin(self) -> str:
        """How a link names it; one of a project otherwise than the same files as somebody's own."""
        if self.path is not None:
            return NAMED_FILES
        if self.project is not None:
            return project_origin(self.project, self.digest)
        return self.digest[:UPLOAD_KEY_LENGTH]


def current() -> OpenCampaign | None:
    """The open campaign; at the start of a session the one that the address or the command line names.

    Raises:
        InputError: The one that was named when the server was started cannot be read any more, or the workspace.
    """
    found: OpenCampaign | None = session.get(OPEN)
    if not session.has(OPEN):
        fault = links.fault(params.CAMPAIGN, params.CAMPAIGN_DIGEST)
        asked, expected = links.given(params.CAMPAIGN), links.given(params.CAMPAIGN_DIGEST)
        found = None if fault is not None else _asked(asked)
        session.put(GONE, fault or (campaign_words.GONE if asked is not None and found is None else None))
        is_other = found is not None and expected not in (None, short_digest(found.digest))
        session.put(CHANGED, expected if is_other else None)
        session.put(OPEN, found)
    if found is not None and not _may_read(found):
        close()
        return None
    return found


def gone() -> str | None:
    """Why the campaign that the address names is not there: nobody can read its name, or the files are gone."""
    found: str | None = session.get(GONE)
    return found


def start_anew() -> None:
    """Forget the link, and open what the server was started on; a callback."""
    links.drop_all()
    session.drop(OPEN, GONE, CHANGED)


def changed() -> str | None:
    """The digest of the campaign that the link was made for, where it is not that of the one that is open."""
    found: str | None = session.get(CHANGED)
    return found


def write_address() -> None:
    """Name the open campaign in the address; that of a link for other files stays until that is seen to."""
    found: OpenCampaign | None = session.get(OPEN)
    if found is None and gone() is None:
        _write_address(None, None, None)
    elif found is not None:
        _write_address(found.origin, changed() or short_digest(found.digest), found.project)


def _write_address(name: str | None, digest: str | None, project: str | None) -> None:
    links.write(params.CAMPAIGN, name)
    links.write(params.CAMPAIGN_DIGEST, digest)
    links.write(shared_params.PROJECT, project)


def go_on() -> None:
    """Take what is open for what is wanted, whatever the link was made for; a callback."""
    session.put(CHANGED, None)


def show(plan: CampaignPlan, project: str | None = None) -> None:
    """Open a campaign that was dropped, or that a project keeps.

    Raises:
        InputError: A file cannot be read.
    """
    opened = OpenCampaign(plan, digest_of(plan), None, project)
    kept_campaigns.CAMPAIGNS.keep(opened.origin, (plan, opened.digest, project))
    session.put(OPEN, opened)
    session.put(GONE, None)
    session.put(CHANGED, None)


def close() -> None:
    """Leave the open campaign, to open another one."""
    session.put(OPEN, None)


def keep_named(path: str, plan: CampaignPlan) -> kept_campaigns.PlannedCampaign:
    """Have the campaign at a path not planned again, as long as no file of it changes."""
    planned = (plan, stamp_of(path, plan), None)
    kept_campaigns.NAMED_CAMPAIGNS.keep(path, planned)
    return planned


def is_named() -> bool:
    """Whether the server was started on a campaign."""
    return campaign_from_environment() is not None


def _asked(origin: str | None) -> OpenCampaign | None:
    """What the address names; what the server was started on where it names none."""
    return (_dropped(origin) or _of_project()) if origin is not None and links.is_upload(origin) else _named()


def _dropped(origin: str) -> OpenCampaign | None:
    kept = kept_campaigns.CAMPAIGNS.find(origin)
    if kept is None:
        return None
    plan, digest, project = kept
    return OpenCampaign(plan, digest, None, project)


def _of_project() -> OpenCampaign | None:
    """The campaign of the project that the address names, as it is now, for who may read it."""
    workspace, slug = workspace_in_use.workspace(), links.given(shared_params.PROJECT)
    if workspace is None or slug is None:
        return None
    try:
        plan = plan_of_project(workspace, workspace_in_use.project(slug, "read texts"))
        opened = OpenCampaign(plan, digest_of(plan), None, slug)
    except InputError:  # it is not there for whoever asks
        return None
    kept_campaigns.CAMPAIGNS.keep(opened.origin, (plan, opened.digest, slug))
    return opened


def _may_read(opened: OpenCampaign) -> bool:
    """Whether whoever is at the browser may read its texts."""
    return opened.project is None or workspace_in_use.may(opened.project, "read texts")


def _named() -> OpenCampaign | None:
    path = campaign_from_environment()
    if path is None:
        return None
    kept = kept_campaigns.NAMED_CAMPAIGNS.find(path)
    if kept is None or kept[1] is None or kept[1] != stamp_of(path, kept[0]):
        kept = keep_named(path, plan_campaign(path, aligns=aligns_from_environment()))
    plan, stamp, digest = kept
    if digest is None:
        digest = digest_of(plan)
        kept_campaigns.NAMED_CAMPAIGNS.keep(path, (plan, stamp, digest))
    return OpenCampaign(plan, digest, path)
