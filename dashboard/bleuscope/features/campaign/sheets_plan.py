"""What a campaign is made of before it is scored, as sheets: its sets, what did not fit, which layouts are read."""

from collections.abc import Iterable

from bleucore.formats.campaign_plan import CampaignPlan
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.features.campaign.words import LAYOUTS


def layouts_sheet() -> Sheet:
    """The layouts that are read."""
    return sheet_of(
        "layouts",
        ("What can be opened as a campaign.",),
        [
            (Field("layout", "layout", "text"), [name for name, _ in LAYOUTS]),
            (Field("what", "what it is", "text"), [what for _, what in LAYOUTS]),
        ],
        {},
        title="Layouts that are read",
    )


def plan_sheet(plan: CampaignPlan) -> Sheet:
    """The test sets as they were understood."""
    sets = plan.sets
    return sheet_of(
        "planned",
        (f"The test sets of {plan.title}.",),
        [
            (Field("test_set", "test set", "text"), [one.name for one in sets]),
            (Field("source", "source", "text"), [one.languages[0] for one in sets]),
            (Field("target", "target", "text"), [one.languages[1] for one in sets]),
            (Field("n_systems", "systems", "count"), [len(one.systems) for one in sets]),
            (Field("n_references", "references", "count"), [len(one.references) for one in sets]),
            (Field("tokenizer", "tokenizer", "text"), [one.tokenizer for one in sets]),
        ],
        {},
        title=f"Test sets of {plan.title}",
    )


def not_read_sheet(found: Iterable[tuple[str, str]], title: str) -> Sheet:
    """What did not fit, with the reasons."""
    rows = list(found)
    return sheet_of(
        "left_out",
        ("What did not fit, and why; the rest is in the campaign.",),
        [
            (Field("path", "file or test set", "text"), [path for path, _ in rows]),
            (Field("reason", "why", "text"), [reason for _, reason in rows]),
        ],
        {},
        title=title,
    )
