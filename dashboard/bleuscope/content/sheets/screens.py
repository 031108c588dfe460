"""What text is written to: how wide it is, and whether it shows colours."""

from dataclasses import dataclass

BOLD, FAINT, GREEN = "1", "2", "32"
"""Styles, as ECMA-48 numbers them (SGR)."""
USUAL_WIDTH = 80


@dataclass(frozen=True)
class Screen:
    """A terminal, or what stands for one.

    Attributes:
        width: Columns.
        is_coloured: Whether it shows colours.
    """

    width: int = USUAL_WIDTH
    is_coloured: bool = False

    def painted(self, text: str, *styles: str) -> str:
        """The text in these styles, where there are colours."""
        return f"\x1b[{';'.join(styles)}m{text}\x1b[0m" if styles and self.is_coloured else text
