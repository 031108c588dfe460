"""Texts with their marks, side by side: HTML of ours around escaped texts."""

from markupsafe import Markup

from bleucore.annotation.held import Said
from bleucore.annotation.marks import Mark
from bleucore.annotation.tasks import Task
from bleuscope.content.style.markup import language_attribute


def plain_text(title: str, text: str, language: str | None) -> Markup:
    """A text under a title."""
    return Markup('<div><p><strong>{}</strong></p><p dir="auto"{}>{}</p></div>').format(
        title, language_attribute(language), text
    )


def marked_text(task: Task, said: Said) -> Markup:
    """What an annotator marked in an output, with the list of marks and the score."""
    marks = list(said.state.marks.values())
    listed = Markup("").join(_entry(said, mark) for mark in marks) or Markup("<li>no mark</li>")
    score = "" if said.state.score is None else f" · {said.state.score:g}"
    comment = Markup('<p dir="auto">{}</p>').format(said.state.comment)
    return Markup(
        '<div><p><strong><bdi>{}</bdi></strong>{}</p><p class="bs-errors" dir="auto"{}>{}</p><ul>{}</ul>{}</div>'
    ).format(
        said.annotator,
        score,
        language_attribute(task.languages[1]),
        _underlined(task, said.item.text, marks),
        listed,
        comment if said.state.comment else "",
    )


def _underlined(task: Task, text: str, marks: list[Mark]) -> Markup:
    """The text with its marks of the target side; where marks overlap, the worst shows."""
    levels = [0] * len(text)
    places = {mark.start: mark for mark in marks if mark.side == "missing"}
    for mark in marks:
        if mark.side == "target":
            level = task.scheme.rank(mark.severity)
            levels[mark.start : mark.end] = [max(level, one) for one in levels[mark.start : mark.end]]
    pieces, start = [], 0
    for place in range(1, len(text) + 1):
        if place == len(text) or levels[place] != levels[start] or place in places:
            pieces += [_missing(start, places), _piece(text[start:place], levels[start])]
            start = place
    pieces.append(_missing(len(text), places) if text or 0 in places else Markup(""))
    return Markup("").join(pieces)


def _piece(text: str, level: int) -> Markup:
    if not level:
        return Markup("{}").format(text)
    return Markup('<span class="bs-error{}">{}</span>').format(" bs-minor" if level == 1 else "", text)


def _missing(place: int, places: dict[int, Mark]) -> Markup:
    if place not in places:
        return Markup("")
    return Markup('<span class="bs-error" title="{}">[missing]</span>').format(places[place].severity)


def _entry(said: Said, mark: Mark) -> Markup:
    marked = said.item.text_of(mark.side)[mark.start : mark.end] if mark.side != "missing" else "[missing]"
    kind = " ".join(filter(None, (mark.severity, mark.category, "in the source" if mark.side == "source" else "")))
    comment = f": {mark.comment}" if mark.comment else ""
    return Markup('<li><q dir="auto">{}</q> {}{}</li>').format(marked, kind, comment)
