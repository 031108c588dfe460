"""Names that stand for one thing each: keys of columns, flags, options to choose from."""


def unique_name(name: str, taken: set[str]) -> str:
    """The name, with a number behind it if it is taken; it is taken from now on."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    taken.add(free)
    return free
