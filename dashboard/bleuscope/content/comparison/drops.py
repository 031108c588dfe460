"""What was dropped, in one line, and what is unusual about it."""

from collections.abc import Sequence

from bleucore.formats import Column, Guess, Role
from bleuscope.content.style import numbers

_COUNTED: tuple[tuple[Role, str], ...] = (
    ("hypothesis", "output"),
    ("reference", "reference"),
    ("source", "source"),
    ("label", "label"),
)
GUESSED = {
    "content": (
        "No file name identifies the reference. {} is a guess: it is least like the other texts. Please check."
    ),
    "order": ("No file name identifies the reference. {} is a guess: it is the second of two texts. Please check."),
}
MAX_NAMED = 3


def summary(columns: Sequence[Column]) -> str:
    """How many texts of each role there are: "11 outputs, 2 references, 1 source"."""
    counts = [(sum(column.role == role for column in columns), what) for role, what in _COUNTED]
    said = [numbers.counted(number, what) for number, what in counts if number]
    said += ["document names"] if any(column.role == "documents" for column in columns) else []
    n_left_out = sum(column.role == "ignore" for column in columns)
    said += [f"{numbers.count(n_left_out)} left out"] if n_left_out else []
    return ", ".join(said)


def remarks(columns: Sequence[Column], guess: Guess) -> list[str]:
    """What a person should know of these roles, in sentences.

    Args:
        columns: In the roles that are chosen.
        guess: What was guessed of the same columns.
    """
    systems, references = _with_role(columns, "hypothesis"), _with_role(columns, "reference")
    said = [_guessed_reference(columns, guess), _repeated_references(columns, guess), *_other_left_out(columns, guess)]
    said += [
        f"{_shown(system)} holds exactly the text of {_shown(reference)}, and would score 100."
        for system in systems
        for reference in references
        if system.segments == reference.segments
    ]
    if len(systems) == 1:
        said.append("With one output, there is a score but no comparison.")
    return [sentence for sentence in said if sentence][: MAX_NAMED + 2]


def _with_role(columns: Sequence[Column], role: Role) -> list[Column]:
    return [column for column in columns if column.role == role]


def _guessed_reference(columns: Sequence[Column], guess: Guess) -> str | None:
    """That the reference is a guess, as long as it is left so."""
    if guess.reference_by is None:
        return None
    index = next(index for index, column in enumerate(guess.columns) if column.role == "reference")
    if columns[index].role != "reference":
        return None
    return GUESSED[guess.reference_by].format(_shown(columns[index]))


def _repeated_references(columns: Sequence[Column], guess: Guess) -> str | None:
    left_out = [columns[index] for index in guess.left_out if columns[index].role == "ignore"]
    if not left_out:
        return None
    named = ", ".join(map(_shown, left_out[:MAX_NAMED]))
    more = len(left_out) - MAX_NAMED
    again = f"{named}{f' and {numbers.count(more)} more' if more > 0 else ''}"
    return f"{again}: the same text as a reference, and so left out."


def _other_left_out(columns: Sequence[Column], guess: Guess) -> list[str]:
    """Why files are left out that hold texts or tables, as long as they are."""
    return list(
        dict.fromkeys(
            f"{guessed.file} is left out: {guessed.left_out}"
            for column, guessed in zip(columns, guess.columns, strict=True)
            if guessed.left_out is not None and column.role == "ignore"
        )
    )


def _shown(column: Column) -> str:
    return column.file if column.title is None else f"{column.file}, {column.title}"
