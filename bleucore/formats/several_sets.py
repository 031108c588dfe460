"""Whether what was read is one test set or several, by the same rules by which a campaign is planned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bleucore.errors import InputError
from bleucore.formats.campaign_looks import look_at_read
from bleucore.formats.campaign_names import natural
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.campaign_planning import sorted_sets
from bleucore.formats.columns import Column
from bleucore.formats.item_ids import joined_by_ids
from bleucore.values import shown

_MOST_NAMED = 5


@dataclass(frozen=True)
class SetOfFiles:
    """One of several test sets.

    Attributes:
        planned: Its systems, references and the rest.
        columns: All columns of its files, as they were read.
    """

    planned: PlannedSet
    columns: tuple[Column, ...]


class SeveralSetsError(InputError):
    """What was read for one test set holds several.

    Attributes:
        sets: Each of them, in the order of their names.
    """

    def __init__(self, sets: Sequence[SetOfFiles], *, where: str, remedy: str) -> None:
        names = [shown(one.planned.name) for one in sets]
        more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
        super().__init__(
            "there are several test sets",
            where=where,
            found=f"{len(names):,}: {', '.join(names[:_MOST_NAMED])}{more}",
            expected="one",
            remedy=remedy,
        )
        self.sets = tuple(sets)


def several_sets(columns: Iterable[Column], title: str = "") -> tuple[SetOfFiles, ...]:
    """The test sets that files hold, where these are more than one; else nothing.

    Args:
        columns: As they were read, before they are given roles.
        title: What the files came in: the name of a folder or an archive.
    """
    by_file: dict[str, list[Column]] = {}
    for column in joined_by_ids(list(columns), is_strict=False):
        by_file.setdefault(column.file, []).append(column)
    by_file = dict(zip(_without_common_folders(list(by_file)), by_file.values(), strict=True))
    looks = {
        file: look_at_read([replace(column, file=file) for column in found])
        for file, found in by_file.items()
        if found[0].segments
    }
    files = {file: PlannedFile(file, name=file) for file in looks}
    found = [planned for planned, _ in sorted_sets(title, files, looks).sets]
    if len(found) < 2:  # noqa: PLR2004  # that is one, or none
        return ()
    sets = [
        SetOfFiles(
            planned,
            tuple(column for file in dict.fromkeys(one.name for one in planned.files) for column in by_file[file]),
        )
        for planned in found
    ]
    return tuple(sorted(sets, key=lambda one: natural(one.planned.name)))


def _without_common_folders(paths: Sequence[str]) -> list[str]:
    """The paths without the folders that all of them are in, which say nothing of one test set."""
    folders = [path.split("/")[:-1] for path in paths]
    shared = next(
        (depth for depth, names in enumerate(zip(*folders, strict=False)) if len(set(names)) > 1),
        min(map(len, folders), default=0),
    )
    return ["/".join(path.split("/")[shared:]) for path in paths]
