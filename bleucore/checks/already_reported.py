"""Outputs of which an error says already what is wrong: no other check has to."""

from bleucore.checks.compared_texts import Bools, Columns
from bleucore.checks.languages import largely_source_words
from bleucore.checks.order import out_of_order


def settled(columns: Columns) -> Bools:
    """Outputs (K, S) that stand in another place, or beside references that do, or hold the source."""
    return columns.once(out_of_order)[: len(columns.systems)] | columns.once(largely_source_words)
