"""bleuscope: the dashboard and the command around the engine ``bleucore``, and what both are made of for notebooks.

Public are the names that ``bleuscope.notebook`` offers, which are imported here where they are asked for: the command
starts without them.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bleuscope.notebook import (
        ReportOptions,
        Settings,
        Sheet,
        TestedStudy,
        attribution_figure,
        attribution_table,
        bibtex,
        compare,
        corpus_bleu,
        differences_figure,
        differences_table,
        methods_sentence,
        read_test_set,
        report,
        scores_figure,
        scores_table,
        sentence_bleu,
        write,
    )

    __version__: str

__all__ = [  # noqa: RUF022  # in the order of bleuscope.notebook
    "ReportOptions",
    "Settings",
    "Sheet",
    "TestedStudy",
    "attribution_figure",
    "attribution_table",
    "bibtex",
    "compare",
    "corpus_bleu",
    "differences_figure",
    "differences_table",
    "methods_sentence",
    "read_test_set",
    "report",
    "scores_figure",
    "scores_table",
    "sentence_bleu",
    "write",
    "__version__",
]
"""``__all__`` of ``bleuscope.notebook``, which is not imported to say it, and the version."""


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)


def __getattr__(name: str) -> Any:  # noqa: ANN401  # as the language has it
    """A public name; a module of the package is asked for here first, and found by the import itself."""
    if name == "__version__":
        return import_module("bleucore").__version__
    if not name.startswith("_") and find_spec(f"{__name__}.{name}") is None:
        notebook = import_module(f"{__name__}.notebook")
        if name in notebook.__all__:
            return getattr(notebook, name)
        return import_module("bleucore.deprecations").by_former_name(__name__, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
