"""What was dropped, in one line, and what is unusual about it."""

from collections.abc import Sequence

from bleucore.experiments.design import NAMES_ALONE
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
    said.append(_runs(systems))
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
    return f"{_listed(list(map(_shown, left_out)))}: the same text as a reference, and so left out."


def _other_left_out(columns: Sequence[Column], guess: Guess) -> list[str]:
    """Why files are left out that hold texts or tables, as long as they are."""
    files: dict[str, dict[str, None]] = {}
    for column, guessed in zip(columns, guess.columns, strict=True):
        if guessed.left_out is not None and column.role == "ignore":
            files.setdefault(guessed.left_out, {})[guessed.file] = None
    return [
        f"{_listed([*named])} {'are' if len(named) > 1 else 'is'} left out: {reason}" for reason, named in files.items()
    ]


def _runs(systems: Sequence[Column]) -> str | None:
    """Which outputs count as runs of one system, as their names say."""
    recipes = NAMES_ALONE.design(list(dict.fromkeys(column.name for column in systems))).recipes
    several = {recipe: len(names) for recipe, names in recipes.items() if len(names) > 1}
    if not several:
        return None
    of = numbers.counted(len(several), "system")
    named = _listed([f"{recipe} ({numbers.count(n_runs)})" for recipe, n_runs in several.items()])
    return f"{numbers.count(sum(several.values()))} outputs are runs of {of}, as their names say: {named}."


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {numbers.count(more)} more" if more > 0 else "")


def _shown(column: Column) -> str:
    return column.file if column.title is None else f"{column.file}, {column.title}"
