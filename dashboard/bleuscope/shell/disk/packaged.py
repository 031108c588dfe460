"""What comes with the program: inside the package where it is installed, at the top of a checkout."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2]
"""The folder of the package ``bleuscope``."""

CHECKOUT = PACKAGE.parents[1]
"""The top of the checkout that the package lies in, if it does."""


def packaged(installed: str, in_checkout: str) -> Path:
    """The place of what both have, by its name in each."""
    inside = PACKAGE / installed
    return inside if inside.exists() else CHECKOUT / in_checkout
