"""Names that people give: what can be shown in a line."""

from bleucore.errors import InputError

MAX_NAME = 200


def checked_name(what: str, name: str) -> str:
    """A name to show, in one line, without blanks around it.

    Args:
        what: Is called so, for messages.
        name: As it was given.

    Raises:
        InputError: It is empty, too long, or holds what cannot be seen.
    """
    stripped = name.strip()
    if not stripped or len(stripped) > MAX_NAME or not stripped.isprintable():
        raise InputError(
            "this can be no name",
            where=what,
            found=repr(name[:80]),
            expected=f"1 to {MAX_NAME} letters that can be seen",
            remedy="Choose another.",
        )
    return stripped
