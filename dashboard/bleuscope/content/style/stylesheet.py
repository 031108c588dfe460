"""What pages and reports look like: a file for each duty, in the order in which their rules follow each other."""

from pathlib import Path

FOLDER = Path(__file__).parent / "css"
PARTS = (
    "frame",
    "doors",
    "tables",
    "words",
    "texts",
    "reading",
    "drawer",
    "overview",
    "charts",
    "welcome",
    "forced_colours",
    "print",
)
OF_REPORTS = ("tables", "words", "texts", "charts", "forced_colours", "print")
"""What a report shares with the pages; the others are about the dashboard alone."""


def stylesheet(parts: tuple[str, ...] = PARTS) -> str:
    """The rules of these parts."""
    return "".join((FOLDER / f"{part}.css").read_text(encoding="utf-8") for part in parts)
