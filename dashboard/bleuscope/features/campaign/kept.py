"""What is kept of campaigns while the server runs."""

from collections.abc import Callable, Hashable

from bleucore.campaign import SetResult
from bleucore.campaign.lost_everywhere import LostEverywhere
from bleucore.campaign.set_kinds import SetKinds
from bleucore.counts import Progress
from bleucore.formats.campaign_plan import CampaignPlan
from bleuscope.features.campaign.view import CampaignView
from bleuscope.runtime.kept import in_background, kept
from bleuscope.runtime.memo_cache import MemoCache
from bleuscope.shell.state.cached import MAX_QUERIES, MAX_UPLOADS

MAX_CAMPAIGNS = 4

ScoredSets = tuple[tuple[SetResult, ...], tuple[tuple[str, str], ...]]
"""Of a campaign: what its sets say, and the names of those that failed, each with the reason."""
PlannedCampaign = tuple[CampaignPlan, Hashable, str | None]
"""What is where, what changes when a file does (``stamp_of``), and the digest of all files once it was asked for."""


@in_background(most=MAX_CAMPAIGNS, key=lambda key, _: key)
def campaign_results(
    report: Progress | None, _key: Hashable, make: Callable[[Progress | None], ScoredSets]
) -> ScoredSets:
    """What each set of a campaign says, and which failed; the key names the digest of its files and the options."""
    return make(report)


@kept(most=MAX_CAMPAIGNS, key=lambda key, _: key)
def campaign(_key: Hashable, make: Callable[[], CampaignView]) -> CampaignView:
    """All sets of a campaign together, with cells and orders; the key is that of its results, and what it is called."""
    return make()


def is_campaign_known(key: Hashable) -> bool:
    """Whether ``campaign`` answers at once."""
    return campaign.cache.find(key) is not None


@in_background(most=MAX_QUERIES, key=lambda key, _: key)
def lost_everywhere(
    report: Progress | None,
    _key: Hashable,
    make: Callable[[Progress | None], tuple[LostEverywhere, tuple[SetKinds, ...]]],
) -> tuple[LostEverywhere, tuple[SetKinds, ...]]:
    """What is lost on all sets of a campaign, and kinds of errors on each.

    The key names the digest of its files, the options and the systems.
    """
    return make(report)


CAMPAIGNS: MemoCache[str, tuple[CampaignPlan, str, str | None]] = MemoCache(MAX_UPLOADS)
"""Campaigns by what a link names, each with the digest of its files and the project that keeps them. Whoever opens one
of a project is asked for a right in it."""
NAMED_CAMPAIGNS: MemoCache[str, PlannedCampaign] = MemoCache(1)
"""The campaign that the server was started on, by its path: planned by a look at each of its files."""
