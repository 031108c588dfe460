"""Former names of what ``bleucore`` and ``bleuscope`` offer: each still works for one release, with a warning."""

import warnings
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

FORMER: Mapping[str, tuple[str, str]] = MappingProxyType({})
"""By the former name, as in "bleucore.score": the present name, and the version in which the former one goes."""


def by_former_name(module: str, name: str) -> Any:  # noqa: ANN401  # whatever is called so
    """What a module offered under this name.

    Raises:
        AttributeError: It never did, or no longer does.
    """
    now, goes = FORMER.get(f"{module}.{name}", ("", ""))
    if not now:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    said = f"{module}.{name} is called {now} now. The former name goes in {goes}."
    warnings.warn(said, DeprecationWarning, stacklevel=3)
    package, _, present = now.rpartition(".")
    return getattr(import_module(package), present)
