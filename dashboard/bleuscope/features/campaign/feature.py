"""What the campaign offers: its pages, a command, and an option that opens the dashboard on it."""

from bleuscope.registry import Command, Feature, OpeningOption, Page, SeveralSets, Switch

_NAME = "campaign"


def _page(name: str, title: str, place: str) -> Page:
    path = f"features/campaign/pages/{name}.py"
    frame = "bleuscope.features.campaign.frame:draw"
    return Page(name, title, can_be_shared=False, subject=_NAME, place=place, frame=frame, path=path)


FEATURE = Feature(
    name=_NAME,
    pages=(
        _page(_NAME, "Campaign", "overview"),
        _page("campaign_compare", "Compare over test sets", "compare"),
        _page("campaign_segments", "Segments of all test sets", "segments"),
        _page("campaign_trust", "Trust in the campaign", "trust"),
        _page("campaign_data", "Data of the campaign", "test_set"),
        _page("campaign_share", "Share the campaign", "report"),
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
        kinds="bleuscope.features.campaign.kinds_of_sets:kinds_at",
    ),
    params="bleuscope.features.campaign.params",
    switch=Switch(
        "Campaigns",
        entries="bleuscope.features.campaign.panel_switch:entries",
        sample="bleuscope.features.campaign.panel_switch:sample_button",
    ),
    caches={"finished sets": "sets", "kept findings": "findings"},
)
