"""What happens to a sample next, in words."""

import shlex
from pathlib import Path

from bleuscope.features.judgements.pearmut import CAMPAIGN_FILE, campaign_id
from bleuscope.features.judgements.sheets_samples import Task

TABLE_FILE = "sample.csv"
WHY_SAMPLE = (
    "Every sampled segment has a known probability and a weight, so the judgements estimate the whole test set."
)
BY_HELP = (
    "difference: where the systems' scores differ. disagreement: where metrics disagree. diversity: "
    "where outputs are unlike. document: whole documents."
)
PEARMUT_NEXT = "Next: pearmut add {}; pearmut run. Then load {} under Data, or the table with its scores filled in."
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
