"""Bytes of any accepted file -> aligned text columns -> a test set."""

from bleucore.formats.archives import Unpacked, unpacked
from bleucore.formats.assembly import assemble
from bleucore.formats.columns import ROLES, Column, Role
from bleucore.formats.names import is_table
from bleucore.formats.reading import read
from bleucore.formats.roles import guess_roles

__all__ = ["ROLES", "Column", "Role", "Unpacked", "assemble", "guess_roles", "is_table", "read", "unpacked"]
