"""What happens to a sample next, in words."""

import shlex
from pathlib import Path

from bleuscope.features.judgements.pearmut import CAMPAIGN_FILE, campaign_id
from bleuscope.features.judgements.sheets_samples import Task

TABLE_FILE = "sample.csv"
WHY_SAMPLE = (
    "People need not read everything. Each segment has a known chance to be drawn, and its weight goes with it: what "
    "comes back is an estimate for the whole test set, and this page says so."
)
BY_HELP = (
    "difference: more of those where the scores of the systems differ. disagreement: where metrics place them "
    "differently. diversity: where outputs are unlike each other. document: whole documents."
)
PEARMUT_NEXT = "Then: pearmut add {}; pearmut run. Bring {} back under Data; or the table, with its scores filled in."
LOGS = "data/annotations"
"""Where Pearmut keeps what was judged."""


def page_words(task: Task) -> str:
    """What happens to both files, in a line."""
    return PEARMUT_NEXT.format(CAMPAIGN_FILE, f"{LOGS}/{campaign_id(task)}.jsonl")


def next_words(task: Task, campaign: Path) -> str:
    """The commands that open a campaign to judges, and that read what they said."""
    log = f"{LOGS}/{campaign_id(task)}.jsonl"
    return (
        f"Next: pearmut add {shlex.quote(str(campaign))}; pearmut run. When people have judged: "
        f"bleuscope agreement … --judgements {shlex.quote(log)}."
    )
