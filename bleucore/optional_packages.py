"""The packages that scoring does without: each is imported when a function first needs it, or named as missing."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bleucore.errors import InputError
from bleucore.installing import missing_words

if TYPE_CHECKING:
    import pandas as pd
    from sacrebleu.metrics import bleu
    from scipy import sparse, special, stats

__all__ = ["Later", "bleu", "pd", "sparse", "special", "stats"]


class Later:
    """A module that is imported with the first use of one of its names.

    Args:
        name: The module's name, such as ``scipy.special``.

    Raises:
        InputError: At that use, if the package is not installed. The error says how to install it.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # anything that a module holds
        """What the module has under a name. The next use finds it without a call of this method."""
        if name.startswith("__"):
            raise AttributeError(name)  # whoever inspects all names of a module does not need this one
        try:
            module = import_module(self._name)
        except ModuleNotFoundError as error:
            raise InputError(missing_words(error.name or self._name).removesuffix(".")) from error
        found = getattr(module, name)
        setattr(self, name, found)
        return found


if not TYPE_CHECKING:
    bleu = Later("sacrebleu.metrics.bleu")
    pd = Later("pandas")
    sparse = Later("scipy.sparse")
    special = Later("scipy.special")
    stats = Later("scipy.stats")
