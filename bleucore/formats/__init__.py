"""Bytes of any accepted file -> aligned text columns -> a test set."""

from bleucore.formats.archives import Unpacked, unpacked
from bleucore.formats.assembly import assemble
from bleucore.formats.budget import Budget
from bleucore.formats.columns import ROLES, Column, Role
from bleucore.formats.names import is_table
from bleucore.formats.reading import read
from bleucore.formats.registry import FORMATS, Content, Format
from bleucore.formats.roles import Guess, guess, guess_roles
from bleucore.formats.short_names import with_short_names
from bleucore.formats.titles import common_title

__all__ = [
    "FORMATS",
    "ROLES",
    "Budget",
    "Column",
    "Content",
    "Format",
    "Guess",
    "Role",
    "Unpacked",
    "assemble",
    "common_title",
    "guess",
    "guess_roles",
    "is_table",
    "read",
    "unpacked",
    "with_short_names",
]
