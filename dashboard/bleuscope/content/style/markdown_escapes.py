"""Texts in Markdown that read as they are written."""

import re

from bleuscope.content.style.invisible import sign

SPECIAL = re.compile(r"([\\`*_\[\]<>|~&$#!:@^{}]|(?<=www)\.)")
"""What Markdown, its tables, links that need no brackets, mentions, formulas or HTML could be made of."""
CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
BLANKS = re.compile(r"\s+")


def escaped(text: str) -> str:
    """A text on one line that reads in Markdown as it is written."""
    line = CONTROL.sub(lambda found: sign(found.group()), BLANKS.sub(" ", text).strip())
    return SPECIAL.sub(r"\\\1", line)
