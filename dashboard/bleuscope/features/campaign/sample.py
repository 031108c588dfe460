"""The sample campaign: the documents of the sample comparison as test sets of their own."""

from collections.abc import Sequence
from types import MappingProxyType

from bleucore.corpus import TestSet
from bleucore.formats.campaign_plan import CampaignPlan
from bleuscope.features.campaign.plan_files import planned_of_uploads
from bleuscope.shell.disk.files import load_sample

TITLE = "Sample campaign"
OF_SETS = MappingProxyType(
    {
        "instructions.de-en": ("washing-machine", "recipe", "hiking-guide"),
        "letters.de-en": ("hotel-review", "support-chat", "tenants-letter"),
        "news.de-en": ("town-bridge", "football-match", "glacier-science"),
        "speech.de-en": ("short-story", "baker-interview", "council-minutes"),
    }
)
"""The documents of each test set."""


def plan() -> CampaignPlan:
    """Its plan: four test sets of three documents each.

    Raises:
        InputError: The sample cannot be read.
    """
    return planned_of_uploads(_files(load_sample().test_set), title=TITLE)


def _files(texts: TestSet) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for name, of_set in OF_SETS.items():
        rows = [row for row, document in enumerate(texts.documents or ()) if document in of_set]
        for letter, reference in zip("AB", texts.references, strict=True):
            found.append((f"{name}/ref{letter}.en", _lines(reference, rows)))
        found.append((f"{name}/src.de", _lines(texts.source or (), rows)))
        found += [(f"{name}/{system.name}.en", _lines(system.hypotheses, rows)) for system in texts.systems]
    return found


def _lines(column: Sequence[str | None], rows: Sequence[int]) -> bytes:
    return "".join(f"{column[row] or ''}\n" for row in rows).encode()
