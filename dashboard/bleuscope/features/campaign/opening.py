"""The dashboard opens on a campaign: what ``bleuscope open --campaign`` names."""

from dataclasses import dataclass

from bleucore.formats.campaign_plan import CampaignPlan
from bleuscope.content.style.numbers import counted
from bleuscope.features.campaign.opened_plan import campaign_from_environment, campaign_to_environment
from bleuscope.registry import Planned


@dataclass(frozen=True)
class NamedCampaign:
    """A campaign that a command names.

    Attributes:
        path: Where it is: a folder, an archive or a manifest.
        plan: What is there.
        aligns: Whether outputs in other lines than the references are cut anew.
    """

    path: str
    plan: CampaignPlan
    aligns: bool = False

    @property
    def notice(self) -> str:
        """What it holds, and how much did not fit."""
        plan, n_left_out = self.plan, len(self.plan.left_out)
        said = f"{plan.title}: {counted(len(plan.sets), 'test set')}, {counted(len(plan.systems), 'system')}"
        return f"{said}; {counted(n_left_out, 'file')} did not fit, see the page." if n_left_out else f"{said}."


def plan(path: str, *, aligns: bool = False) -> NamedCampaign:
    """What is at a path.

    Args:
        path: Where it is.
        aligns: Whether outputs in other lines than the references are cut anew at their segments.

    Raises:
        InputError: It is no campaign, or cannot be read.
    """
    from bleuscope.features.campaign.plan_files import plan_campaign  # noqa: PLC0415  # with all readers

    return NamedCampaign(path, plan_campaign(path, aligns=aligns), aligns)


def begin(planned: Planned | None) -> None:
    """Have the dashboard open on a campaign, or on none."""
    named = planned if isinstance(planned, NamedCampaign) else None
    campaign_to_environment(None if named is None else named.path, aligns=named is not None and named.aligns)
    if named is not None:
        from bleuscope.features.campaign import open_campaign  # noqa: PLC0415  # Streamlit takes half a second

        open_campaign.keep_named(named.path, named.plan)


def is_begun() -> bool:
    """Whether the dashboard was started on a campaign."""
    return campaign_from_environment() is not None
