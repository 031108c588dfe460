"""What people read of what content says: without marks and the code of the web."""

import re
from html import unescape


def read(said):
    """What people read, in one line."""
    text = said if isinstance(said, str) else said.markdown()
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", unescape(text))
    return " ".join(re.sub(r"[*\\]", "", plain).replace("\u2068", "").replace("\u2069", "").split())


def all_of(*said):
    return " ".join(map(read, said))


def sentences(stop):
    """What a stop of the tour says, sentence by sentence."""
    return re.split(r"(?<=[.?]) (?=[A-Z*])", stop.words)


def drop_zone(app):
    """Where texts are dropped: a page can take files of other kinds too."""
    return next(one for one in app.file_uploader if str(one.key).startswith("upload-"))
