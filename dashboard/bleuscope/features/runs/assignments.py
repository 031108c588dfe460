"""Recipes of systems as people write them: NAME=RECIPE, in a command or a line each."""

from collections.abc import Callable, Sequence

from bleucore import InputError, TestSet


def assignment(
    test_set: TestSet, given: str, *, where: str, system_named: Callable[[TestSet, str, str], str]
) -> tuple[str, str]:
    """The system and the recipe of NAME=RECIPE; a name may hold an equals sign itself.

    Args:
        test_set: Whose system it is.
        given: What was written.
        where: For errors.
        system_named: Gives the system of a name, or refuses it.

    Raises:
        InputError: There is no equals sign, or no such system.
    """
    splits = [(given[:place], given[place + 1 :]) for place, letter in enumerate(given) if letter == "="]
    if not splits:
        raise InputError("this names no recipe", where=where, found=repr(given), expected="NAME=RECIPE")
    known = [split for split in splits if test_set.system_called(split[0].strip())]
    name, recipe = (known or splits)[0]
    return system_named(test_set, name.strip(), where), recipe.strip()


def assignments(test_set: TestSet, lines: str) -> tuple[tuple[str, str], ...]:
    """The systems and recipes of lines, blank ones left out; of a system that is there twice, the last.

    Raises:
        InputError: A line has no equals sign, or names no system.
    """
    written = [line.strip() for line in lines.splitlines() if line.strip()]
    return tuple(dict(assignment(test_set, one, where="Runs", system_named=_system) for one in written).items())


def words_of(text: str) -> tuple[str, ...]:
    """Words with commas or blanks between them."""
    return tuple(dict.fromkeys(text.replace(",", " ").split()))


def _system(test_set: TestSet, given: str, where: str) -> str:
    found = test_set.system_called(given)
    if found is None:
        raise InputError(
            "there is no system of this name", where=where, found=repr(given), expected=_listed(test_set.system_names)
        )
    return found


def _listed(names: Sequence[str], most: int = 10) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"one of {', '.join(names[:most])}{more}"
