"""What projects offer: pages, commands, the HTTP API, and a way from Segments to the history of a system."""

from bleuscope.registry import Command, Feature, Page

_FRAME = "bleuscope.features.projects.frame:draw"
_UNDER = "projects"

FEATURE = Feature(
    name="projects",
    pages=(
        Page(_UNDER, "Projects", path="features/projects/pages/projects.py", frame=_FRAME, can_be_shared=False),
        Page(
            "leaderboard",
            "Leaderboard",
            path="features/projects/pages/leaderboard.py",
            frame=_FRAME,
            door=_UNDER,
        ),
        Page("history", "History", path="features/projects/pages/history.py", frame=_FRAME, door=_UNDER),
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
)
