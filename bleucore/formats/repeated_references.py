"""References that are there once more, and those that a release is not scored against."""

from collections.abc import Sequence

from bleucore.formats.columns import Column, Role
from bleucore.formats.hints import own_name, role_of_folder
from bleucore.formats.other_columns import whole_name
from bleucore.formats.standard_references import standard_file

_MOST_LINES, _COPIED, _FEW_LINES = 1_000, 0.8, 5
"""Share of equal lines of a reference and its copy; two people agree in less than a tenth of lines of sentences."""
NOT_STANDARD = "the release is scored against {standard}. Name this one as a reference to use it too."
"""Why a reference is left out."""


def leave_out_repeated_references(columns: Sequence[Column], roles: list[Role | None]) -> tuple[int, ...]:
    """Leave out files that hold a reference once more; mt-metrics-eval keeps them among the outputs too.

    One in a folder of references stays before others.
    """
    seen: dict[tuple[str | None, ...], int] = {}
    repeated = []
    references = [index for index, role in enumerate(roles) if role == "reference"]
    for index in sorted(references, key=lambda index: role_of_folder(columns[index]) != "reference"):
        column = columns[index]
        is_open = column.role is None or column.is_cell
        if column.segments in seen and is_open and column.file != columns[seen[column.segments]].file:
            roles[index] = "ignore"
            repeated.append(index)
        seen.setdefault(column.segments, index)
    return tuple(sorted(repeated))


def leave_out_copied_references(columns: Sequence[Column], roles: list[Role | None]) -> dict[int, str]:
    """Leave out files that hold a reference once more in other letters or tokens, or an older state of it.

    The one with the shortest name counts.
    """
    is_open = [column.role is None or column.is_cell for column in columns]
    places = [place for place, role in enumerate(roles) if role == "reference" and is_open[place]]
    places.sort(key=lambda place: (len(own_name(columns[place])), place))
    found: dict[int, str] = {}
    for rank, place in enumerate(places):
        for other in places[:rank]:
            is_apart = columns[place].is_cell or columns[other].file != columns[place].file
            is_apart &= other not in found
            same = _share_of_equal_words(columns[place], columns[other]) if is_apart else 0.0
            if same >= _COPIED:
                roles[place] = "ignore"
                found[place] = (
                    f"{same:.0%} of its lines have the letters of {whole_name(columns[other])}: a copy of it."
                )
                break
    return found


def _share_of_equal_words(one: Column, other: Column) -> float:
    """The share of lines that have the same letters and digits in the same order."""
    if len(one.segments) != len(other.segments) or len(one.segments) < _FEW_LINES:
        return 0.0
    pairs = list(zip(one.segments, other.segments, strict=True))[:: max(1, len(one.segments) // _MOST_LINES)]
    return sum(_letters(first) == _letters(second) for first, second in pairs) / len(pairs)


def _letters(text: str | None) -> str:
    return "".join(filter(str.isalnum, (text or "").casefold()))


def leave_out_other_references(columns: Sequence[Column], roles: list[Role | None], title: str) -> dict[int, str]:
    """Leave out references that a WMT release is not scored against, where no format or person named them as such."""
    places = [place for place, role in enumerate(roles) if role == "reference" and not columns[place].is_cell]
    if any(columns[place].role is not None for place in places):
        return {}
    standard = standard_file([columns[place].file for place in places], title)
    others = [place for place in places if standard is not None and columns[place].file != standard]
    for place in others:
        roles[place] = "ignore"
    return {place: NOT_STANDARD.format(standard=standard) for place in others}
