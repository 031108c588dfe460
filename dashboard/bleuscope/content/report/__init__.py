"""One offline report of a study: what it holds, as one HTML file that asks no host for anything, and as Markdown."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bleuscope.content.report.choices import SECTIONS, ReportOptions, SectionName, sections_without

if TYPE_CHECKING:
    from bleuscope.content.report.assembly import make_report
    from bleuscope.content.report.evidence import Evidence, scored_in
    from bleuscope.content.report.html_page import html_report
    from bleuscope.content.report.markdown import markdown_report
    from bleuscope.content.report.parts import Report

__all__ = [
    "SECTIONS",
    "Evidence",
    "Report",
    "ReportOptions",
    "SectionName",
    "html_report",
    "make_report",
    "markdown_report",
    "scored_in",
    "sections_without",
]

_MODULES = {
    "Evidence": "evidence",
    "Report": "parts",
    "html_report": "html_page",
    "make_report": "assembly",
    "markdown_report": "markdown",
    "scored_in": "evidence",
}
"""What draws, imported where it is asked for: the engine alone has no Plotly."""


def __getattr__(name: str) -> Any:  # noqa: ANN401  # as the language has it
    """A public name whose module is imported now."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
