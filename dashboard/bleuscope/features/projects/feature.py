"""What projects offer: pages, commands, the HTTP API, and a way from Segments to the history of a system."""

from bleuscope.registry import Command, Feature, Page, Switch

_FRAME = "bleuscope.features.projects.frame:draw"
_NAME, _BOARD = "projects", "leaderboard"


def _page(name: str, title: str, *, place: str = "", door: str = "", can_be_shared: bool = False) -> Page:
    path = f"features/projects/pages/{name}.py"
    return Page(
        name, title, can_be_shared=can_be_shared, door=door, subject=_NAME, place=place, frame=_FRAME, path=path
    )


FEATURE = Feature(
    name=_NAME,
    pages=(
        _page(_NAME, "Projects", place="test_set"),
        _page(_BOARD, "Leaderboard", place="overview", can_be_shared=True),
        _page("history", "History", door=_BOARD, can_be_shared=True),
        _page("project_team", "Team", door=_BOARD),
        _page("project_compare", "Compare versions", place="compare"),
        _page("project_segments", "Segments of versions", place="segments"),
        _page("project_trust", "Trust in versions", place="trust"),
    ),
    commands=(
        Command("history", "bleuscope.features.projects.command_history", before="check"),
        Command("push", "bleuscope.features.projects.command_push", before="workspace"),
        Command("token", "bleuscope.features.projects.command_token", before="workspace"),
        Command("team", "bleuscope.features.projects.command_team", before="plugin-check"),
    ),
    routes="bleuscope.features.projects.api.routes:routes",
    beside_segments="bleuscope.features.projects.of_segments",
    params="bleuscope.features.projects.params",
    switch=Switch(
        "Projects",
        entries="bleuscope.features.projects.panel_switch:entries",
        sample="bleuscope.features.projects.panel_switch:sample_button",
    ),
)
