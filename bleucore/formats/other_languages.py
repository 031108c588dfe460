"""Corpora in several languages, with texts called by their languages: the reference, and those that are no outputs."""

from collections.abc import Sequence

from bleucore.formats.columns import Column, Role
from bleucore.formats.foreign_texts import is_of_other_language
from bleucore.formats.hints import own_name
from bleucore.formats.likeness import Likeness
from bleucore.formats.name_parts import language_of, parts_of, without_endings
from bleucore.formats.usual_names import is_name_of_language

_OTHER_TEXT, _OTHER_SHARE = 0.2, 0.25
"""Likeness of texts, as measured in ``roles``; the share of that of outputs which other languages do not reach."""
_FEWEST_LANGUAGES = 2
_TEXTS = frozenset({"text", "texts", "sentence", "sentences", "segment", "segments"})
"""Words that say nothing next to a language."""


def language_called(column: Column) -> str | None:
    """The language that a column is called after and nothing more, with a word for a test set or without."""
    name = own_name(column).strip()
    if is_name_of_language(name):
        return name.casefold()
    parts = parts_of(without_endings(name))
    codes = [code for part in parts if (code := language_of(part.text)) is not None]
    rest = [part for part in parts if language_of(part.text) is None and not part.kinds & {"test set", "ending"}]
    is_bare = all(part.text.isdigit() or part.text.casefold() in _TEXTS for part in rest)
    return codes[0] if len(codes) == 1 and is_bare else None


def guess_reference_among_languages(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> None:
    """Take the text called after its language that is in the language of the outputs for the reference.

    So corpora in several languages are kept: a column or a file for each. All others are called as systems.
    """
    if "reference" in roles:
        return
    texts = [place for place, role in enumerate(roles) if role in (None, "hypothesis")]
    named = [place for place in texts if roles[place] is None and language_called(columns[place]) is not None]
    others = [place for place in texts if place not in named]
    if len(named) + ("source" in roles) < _FEWEST_LANGUAGES or not others:
        return
    nearest = {place: alike.nearest(place, others) or 0.0 for place in named}
    like = [place for place, share in nearest.items() if share > _OTHER_TEXT]
    if len(like) == 1:
        roles[like[0]] = "reference"


def leave_out_other_languages(columns: Sequence[Column], roles: list[Role | None], alike: Likeness) -> dict[int, str]:
    """Leave out texts called after a language that are in another one than references and outputs; why, by place."""
    references = [place for place, role in enumerate(roles) if role == "reference"]
    open_ones = [place for place, role in enumerate(roles) if role is None]
    named = [place for place in open_ones if language_called(columns[place]) is not None]
    outputs = [place for place, role in enumerate(roles) if role in (None, "hypothesis") and place not in named]
    found: dict[int, str] = {}
    if not references or not outputs:
        return found
    usual = max(alike.nearest(place, references) or 0.0 for place in outputs)
    for place in named:
        share = alike.nearest(place, references)
        is_unlike = share is not None and usual > _OTHER_TEXT and share < _OTHER_SHARE * usual
        if is_unlike and is_of_other_language(columns[place], columns[references[0]]):
            roles[place] = "ignore"
            found[place] = "in another language than the reference and the outputs."
    return found
