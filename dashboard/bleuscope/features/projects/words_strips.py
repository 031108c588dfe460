"""Segments over versions in words, and the texts of one of them, one version beneath the other."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from bleucore import BleuOptions
from bleucore.analysis.matches import match_segments
from bleuscope.content.segments.highlights import differences, marked_text, shown_text
from bleuscope.content.style import numbers
from bleuscope.content.style.markup import language_attribute, together
from bleuscope.content.style.sentences import Text, note, strong
from bleuscope.features.projects.figures_strips import BETTER, SAME, WORDS_OF_SIGNS, WORSE, ShownStrips

CAPTION = "Click a sign to read its segment, one version below the other."
CLASSES = {BETTER: "bs-better", WORSE: "bs-worse", SAME: "bs-same"}
NONE_OF = "No segment {} between these versions."


@dataclass(frozen=True)
class StripTexts:
    """The texts of one segment.

    Attributes:
        outputs: One for each version that is shown.
        references: Those that there are.
        options: How texts are cut into tokens, to tell words apart.
        language: Of all of them, where it is known.
    """

    outputs: tuple[str, ...]
    references: tuple[str, ...]
    options: BleuOptions
    language: str | None = None


def strips_note(shown: ShownStrips, n_versions: int) -> Text:
    """At which version most of the segments lost most, and which versions are shown of more."""
    falls = [shown.strips.largest_fall(row, shown.older, shown.newer) for row in shown.rows]
    places = Counter(place for place in falls if place is not None)
    said = Text()
    if shown.course == "got worse" and places and shown.newer - shown.older > 1:
        place, number = places.most_common(1)[0]
        said += note(
            "Of these {}, {} lost most at {}.",
            numbers.counted(len(shown.rows), "segment"),
            numbers.count(number),
            strong(shown.versions[place].label),
        )
    if len(shown.versions) < n_versions:
        said += note("Shown are {} of {} versions.", numbers.count(len(shown.versions)), numbers.count(n_versions))
    return said


def strip_html(shown: ShownStrips, segment: int, texts: StripTexts) -> Markup:
    """The references of a segment, and its outputs over the versions; equal ones that follow each other stand once.

    Words that were not there in the version before are marked.
    """
    lines = [
        _line(Markup("<bdi>{}</bdi>").format("reference"), escape(shown_text(text)), texts.language)
        for text in texts.references
    ]
    runs = [[place for place, _ in run] for _, run in groupby(enumerate(texts.outputs), key=lambda one: one[1])]
    for before, run in zip([None, *runs[:-1]], runs, strict=True):
        lines.append(_run_line(shown, segment, texts, run, before))
    return Markup('<div class="bs-strip">{}</div>').format(together(lines))


def _run_line(
    shown: ShownStrips, segment: int, texts: StripTexts, run: Sequence[int], before: Sequence[int] | None
) -> Markup:
    """An output, with the versions that have it."""
    first, last = (shown.versions[place].label for place in (run[0], run[-1]))
    gain = float(shown.strips.gains[run[0], segment])
    score = float(shown.strips.scores[run[0], segment])
    sign = Markup("")
    change = ""
    if before is not None:
        written = BETTER if gain > 0 else WORSE if gain < 0 else SAME
        sign = Markup('<span class="bs-change {}" title="{}">{}</span> ').format(
            CLASSES[written], WORDS_OF_SIGNS[written], written
        )
        change = numbers.difference(score - float(shown.strips.scores[before[-1], segment]))
    value = Markup("{} <small>{}</small>").format(numbers.score(score), change)
    called = Markup("<bdi>{}</bdi>").format(first)
    if len(run) > 1:
        called += Markup(" … <bdi>{}</bdi>").format(last)
    text = texts.outputs[run[0]]
    previous = None if before is None else texts.outputs[before[0]]
    return _line(sign + called, _marked(text, previous, texts.options), texts.language, value)


def _marked(text: str, before: str | None, options: BleuOptions) -> Markup:
    if not text:
        return Markup('<span class="bs-none">empty</span>')
    if before is None:
        return escape(shown_text(text))
    of_both = match_segments([shown_text(before), shown_text(text)], [[], []], options)
    matched = dict(zip(("before", "now"), of_both, strict=True))
    differing = differences(matched, ("before", "now")).get("now", frozenset())
    return marked_text(shown_text(text), matched["now"].tokens, differing, {"differences"}, explains=False)


def _line(called: Markup, body: Markup, language: str | None, score: Markup | str = "") -> Markup:
    return Markup('<span class="bs-versions">{}</span><span class="bs-score">{}</span><p dir="auto"{}>{}</p>').format(
        called, score, language_attribute(language), body
    )
