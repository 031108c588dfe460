"""How much of what is uploaded may be held at one time."""

from dataclasses import dataclass

MEGABYTE = 1024**2


@dataclass(frozen=True)
class UploadLimits:
    """What a server holds at most.

    Attributes:
        session_bytes: Of the files of one session.
        server_bytes: Of the files of all sessions together.
        session_files: Files of one session.
    """

    session_bytes: int = 1024 * MEGABYTE
    server_bytes: int = 4096 * MEGABYTE
    session_files: int = 400
