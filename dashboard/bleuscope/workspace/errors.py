"""What a workspace cannot do, each with what to do about it."""

from bleucore.errors import InputError


class WorkspaceError(InputError):
    """The workspace itself cannot be used now: a full disk, a locked database, a blob that is gone."""


class UnwritableError(WorkspaceError):
    """Nothing can be added now: the disk is full, or may only be read. What is there can still be read."""


class ConflictError(InputError):
    """What is to be kept contradicts what is kept."""


class NotFoundError(InputError):
    """There is no such thing, or not for whoever asks: the two are not told apart."""


class ForbiddenError(InputError):
    """Whoever asks may see it, and may not do that to it."""
