"""The command ``bleuscope``: open the dashboard, or ask for its numbers without a browser."""

from bleuscope.cli.command import main

__all__ = ["main"]
