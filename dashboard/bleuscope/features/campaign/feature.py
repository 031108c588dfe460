"""What the campaign offers: a page, a command, and an option that opens the dashboard on it."""

from bleuscope.registry import Command, Feature, OpeningOption, Page, SeveralSets

FEATURE = Feature(
    name="campaign",
    pages=(
        Page(
            "campaign",
            "Campaign",
            can_be_shared=False,
            path="features/campaign/page.py",
            frame="bleuscope.features.campaign.frame:draw",
        ),
    ),
    commands=(Command("campaign", "bleuscope.features.campaign.command", before="gate"),),
    opening=OpeningOption(
        "--campaign",
        "Many test sets at once: a folder, an archive or a manifest to open as a campaign.",
        "bleuscope open --campaign wmt22/",
        "bleuscope.features.campaign.opening",
    ),
    several=SeveralSets(
        plan="bleuscope.features.campaign.planning:sets_at",
        command="campaign",
        is_manifest="bleuscope.features.campaign.planning:is_one_manifest",
        columns="bleuscope.features.campaign.planning:columns_at",
        suits="bleuscope.features.campaign.planning:suits",
        only="bleuscope.features.campaign.panel_opening:only_set",
        offer="bleuscope.features.campaign.panel_opening:offer",
    ),
    params="bleuscope.features.campaign.params",
    caches={"finished sets": "sets", "kept findings": "findings"},
)
