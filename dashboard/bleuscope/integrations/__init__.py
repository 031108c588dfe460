"""What other programs call: trainers, trackers, harnesses and notebooks, a module for each.

A module imports the package that it is named after, so import it where you have that package. The modules
``checkpoints`` and ``logged`` are what the others share.
"""

from pathlib import Path

EVALUATE_MODULE = str(Path(__file__).parent / "bleuscope_bleu")
"""The folder that ``evaluate.load`` opens."""

__all__ = ["EVALUATE_MODULE"]
