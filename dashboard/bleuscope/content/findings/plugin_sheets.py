"""What trying the plug-ins gave, as a sheet."""

from collections.abc import Sequence

from bleucore.batteries import Outcome
from bleucore.plugins import Plugin
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet

KEPT = "keeps every law"


def plugins_sheet(tried: Sequence[tuple[Plugin, Sequence[Outcome]]]) -> Sheet:
    """A row for each law that a plug-in breaks, and one for each plug-in that keeps them all."""
    rows = [
        (plugin, len(outcomes), one)
        for plugin, outcomes in tried
        for one in [one for one in outcomes if one.fault is not None] or [Outcome(KEPT, None)]
    ]
    n_broken = len({plugin for plugin, _, one in rows if one.fault is not None})
    note = f"{len(tried)} plug-in{'s' * (len(tried) != 1)}; {n_broken} with a fault."
    return sheet_of(
        "plugins",
        (note if tried else "No installed package adds anything to bleuscope.",),
        [
            (Field("kind", "kind", "text"), [plugin.kind for plugin, _, _ in rows]),
            (Field("name", "name", "text"), [plugin.name for plugin, _, _ in rows]),
            (Field("package", "package", "text"), [plugin.package for plugin, _, _ in rows]),
            (Field("n_laws", "laws tried", "count"), [n_laws for _, n_laws, _ in rows]),
            (Field("law", "law", "text"), [one.law for _, _, one in rows]),
            (Field("fault", "found", "text"), [one.fault for _, _, one in rows]),
        ],
        {"n_broken": n_broken},
    )
