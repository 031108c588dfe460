"""Which files of which session did not arrive, and why: the page says it, where the browser has a word for machines."""

import threading
from collections import OrderedDict
from collections.abc import Set as AbstractSet
from functools import cache

MAX_LOST = 50
"""Of one session. Later ones are not named: whoever lost so many has a reason that the first ones tell."""
MAX_SESSIONS = 1_000
"""With more, the first is forgotten: requests can make sessions up."""


class LostUploads:
    """What did not arrive, by session and name of the file, until it arrives or nobody waits for it any more."""

    def __init__(self) -> None:
        self._sentences: OrderedDict[str, dict[str, str]] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, session: str, name: str, sentence: str) -> None:
        """Keep what is to be said of a file; of one that is lost again, the new reason."""
        with self._lock:
            lost = self._sentences.setdefault(session, {})
            if name in lost or len(lost) < MAX_LOST:
                lost[name] = sentence
            if len(self._sentences) > MAX_SESSIONS:
                self._sentences.popitem(last=False)

    def of_session(self, session: str) -> dict[str, str]:
        """A sentence for each file that this session waits for, by its name."""
        with self._lock:
            return dict(self._sentences.get(session, {}))

    def arrived(self, session: str, name: str) -> None:
        """Nothing more is to be said of a file."""
        with self._lock:
            lost = self._sentences.get(session, {})
            lost.pop(name, None)
            if not lost:
                self._sentences.pop(session, None)

    def forget(self, session: str) -> None:
        """The session goes on without its lost files."""
        with self._lock:
            self._sentences.pop(session, None)

    def forget_all_but(self, sessions: AbstractSet[str]) -> None:
        """Sessions have ended, all but these."""
        with self._lock:
            for ended in self._sentences.keys() - sessions:
                del self._sentences[ended]


@cache
def lost_uploads() -> LostUploads:
    """Those of this server."""
    return LostUploads()
