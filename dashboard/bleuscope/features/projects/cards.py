"""Projects as cards, and as a sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bleuscope.content.sheets.builders import FilledField, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Note, Sheet
from bleuscope.content.style.numbers import score
from bleuscope.features.projects.sheets import written_moment

OF_THE_LATEST = "the best is among the latest versions of all systems."
NOTHING_SAVED = "No version is saved yet. Save outputs with bleuscope push."


@dataclass(frozen=True)
class CardRow:
    """What a card says of a test set.

    Attributes:
        name: The test set's.
        n_segments: S.
        n_versions: On it, of all systems.
        last_push: When the last of them was kept; ``None`` where there is none.
        best: The system with the best score of its latest version; ``None`` where none is scored yet.
        score: Its score.
        metric: As its field writes it.
        n_unscored: Of how many systems the latest version is not scored yet.
        is_being_scored: Whether that is being done.
    """

    name: str
    n_segments: int
    n_versions: int
    last_push: datetime | None
    best: str | None
    score: float | None
    metric: str
    n_unscored: int = 0
    is_being_scored: bool = False


@dataclass(frozen=True)
class ProjectCard:
    """What a card says of a project.

    Attributes:
        slug: Its name in addresses and commands.
        title: Its name for people.
        systems: The names of its systems.
        test_sets: Its test sets.
        n_notes: Segments of its test sets that people gave a tag or a note.
    """

    slug: str
    title: str
    systems: tuple[str, ...]
    test_sets: tuple[CardRow, ...]
    n_notes: int

    @property
    def last_push(self) -> datetime | None:
        """When the last version was kept."""
        return max((one.last_push for one in self.test_sets if one.last_push is not None), default=None)


def test_sets_sheet(card: ProjectCard) -> Sheet:
    """The test sets of a project."""
    return sheet_of(
        f"test-sets-of-{card.slug}",
        (f"Test sets of project {card.slug}; {OF_THE_LATEST}",),
        _columns(card.test_sets),
        {"project": card.slug},
        title=f"Test sets of {card.title}",
    )


def projects_sheet(cards: Sequence[ProjectCard]) -> Sheet:
    """The test sets of every project."""
    slugs = [card.slug for card in cards for _ in card.test_sets]
    return sheet_of(
        "projects",
        (f"Test sets of every project; {OF_THE_LATEST}" if slugs else NOTHING_SAVED,),
        [(Field("project", "project", "text"), slugs), *_columns([one for card in cards for one in card.test_sets])],
        {},
        title="Projects",
    )


def _columns(rows: Sequence[CardRow]) -> list[FilledField]:
    metric = next((one.metric for one in rows), "BLEU")
    return [
        (Field("test_set", "test set", "text"), [one.name for one in rows]),
        (Field("best", "best system", "text", notes=_bests(rows)), [one.best for one in rows]),
        (
            Field("score", metric, "score", explanation="Of that system's latest version.", off_pages=True),
            numbers_of(rows, lambda one: one.score),
        ),
        (Field("n_segments", "segments", "count"), [one.n_segments for one in rows]),
        (Field("n_versions", "versions", "count"), [one.n_versions for one in rows]),
        (
            Field("last_push", "last push", "text"),
            [None if one.last_push is None else written_moment(one.last_push) for one in rows],
        ),
    ]


def _bests(rows: Sequence[CardRow]) -> dict[int, Note]:
    """The best systems with their scores, in one cell."""
    return {row: Note(_best(one)) for row, one in enumerate(rows) if one.n_versions}


def _best(one: CardRow) -> str:
    waiting = "being scored …" if one.is_being_scored else "not scored yet"
    if one.best is None or one.score is None:
        return waiting
    return f"{one.best}, {score(one.score)}" + (f"; {one.n_unscored} {waiting}" if one.n_unscored else "")
