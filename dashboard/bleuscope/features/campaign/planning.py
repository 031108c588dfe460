"""What a folder, an archive or a manifest of many test sets comes to, before a text of it is scored."""

import os

from bleucore import InputError
from bleucore.formats.campaign_plan import PlannedFile
from bleuscope.content.comparison.plan import Plan, PlannedSystem, PlannedText, SetPlan
from bleuscope.features.campaign.plan_files import plan_campaign

SEVERAL = 2


def sets_at(path: str) -> Plan | None:
    """The test sets at a path; ``None`` where there are not several."""
    if not os.path.exists(path):  # noqa: PTH110  # standard input is no path
        return None
    try:
        found = plan_campaign(path)
    except InputError:
        return None
    if len(found.sets) < SEVERAL:
        return None
    sets = tuple(
        SetPlan(
            one.name,
            tuple(PlannedSystem(name, (_text(name, file),)) for name, file in one.systems.items()),
            tuple(_text(name, file) for name, file in one.references.items()),
            None if one.source is None else _text("source", one.source).file,
            None,
        )
        for one in found.sets
    )
    return Plan(found.title, sets, (*found.left_out, *found.passed_over))


def _text(name: str, file: PlannedFile) -> PlannedText:
    return PlannedText(name, file.name if file.column is None else f"{file.name}, {file.column}")
