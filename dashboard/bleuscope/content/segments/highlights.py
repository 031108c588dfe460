"""One segment as HTML: the texts as written, with what matched, what was clipped and what differs marked."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import Literal

from markupsafe import Markup, escape

from bleucore import BleuOptions, Evaluation, TestSet
from bleucore.analysis.credited_and_marked import LEVELS
from bleucore.analysis.matches import SegmentMatches, TokenMatch, differing_tokens, match_segments
from bleuscope.content.segments.error_marks import (
    MOST_ERRORS,
    NO_ERRORS,
    SEVERITY_STYLES,
    ErrorMark,
    MarkedErrors,
    errors_html,
)
from bleuscope.content.segments.kind_points import NO_KINDS, NO_KINDS_OF_SYSTEMS
from bleuscope.content.segments.mark_words import MAX_COMPARED_TOKENS, marks_in_words
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import SystemStyle, letters_of
from bleuscope.content.style.invisible import Invisible, cluster_boundaries, invisible_characters
from bleuscope.content.style.markup import language_attribute, system_label, together
from bleuscope.content.style.sentences import Piece, Sentence, Text, joined, sentence

MAX_CHARACTERS = 6_000
"""A longer text is shown up to here, and says so: marking it would take the browser too long."""
MAX_SHOWN_ORDER = 4
MOST_LOOKS = 1_024
"""Looks of tokens whose HTML is saved: there are few, and thousands of tokens have them."""

Layer = Literal["matches", "clipped", "missed", "differences", "invisible", "tab stops", "errors"]
LAYERS: tuple[Layer, ...] = ("matches", "clipped", "missed", "differences", "invisible", "tab stops", "errors")
DEFAULT_LAYERS: tuple[Layer, ...] = ("matches", "clipped", "missed", "differences", "errors")
TOKEN, BODY, TOKEN_END = Markup('<span class="bs-token '), Markup('">'), Markup("</span>")
"""What a token is put together from: there are hundreds in a segment, and ``Markup.format`` takes its time."""
RUN, RUN_TITLE = Markup('<{} class="bs-run" data-said="{}"{}{}>'), Markup(' title="{}"')
UNMARKED, UNMARKED_END = Markup('<span title="{}"{}>'), Markup("</span>")
"""Around tokens of which something is to be said and nothing is marked."""
TAB_STOP, NO_TAB_STOP = Markup(' tabindex="0"'), Markup("")
RUN_ENDS = {tag: Markup("</{}>").format(tag) for tag in ("del", "mark", "ins")}
FORMS = {
    "bs-clipped": ("del", "repeat"),
    "bs-m1": ("mark", "match"),
    "bs-m2": ("mark", "match of 2"),
    "bs-m3": ("mark", "match of 3"),
    "bs-m4": ("mark", "match of 4 or more"),
    "bs-ngram": ("mark", "looked for"),
    "bs-missed": ("ins", "missed"),
    "bs-differs": ("ins", "differs"),
}
"""The element and the words of each mark, for whoever does not see it. The first of several gives the element."""
LEFT_AND_RIGHT = ("Left", "Right")
"""What systems are called whose names are hidden."""


@dataclass(frozen=True)
class SegmentView:
    """What to show of a segment.

    Attributes:
        segment: Counted from 0.
        sides: The two systems whose differences are marked, or the only one.
        others: Further systems to show.
        reference_matches: The system whose matches and misses are marked in the references, or ``None``.
        layers: What is marked.
        is_blind: Whether names and scores of the pair are hidden.
        ngram: Tokens in a row that get a box wherever they stand, or none.
        errors: What people or a metric marked, or ``None``.
    """

    segment: int
    sides: tuple[str, ...]
    others: tuple[str, ...] = ()
    reference_matches: str | None = None
    layers: AbstractSet[Layer] = frozenset(DEFAULT_LAYERS)
    is_blind: bool = False
    ngram: tuple[str, ...] = ()
    errors: MarkedErrors | None = None

    @property
    def shown_errors(self) -> MarkedErrors | None:
        """The errors, where their layer is on; they are no part of a blind comparison."""
        return self.errors if "errors" in self.layers and not self.is_blind else None

    @property
    def systems(self) -> tuple[str, ...]:
        """Every system to show, once, in order."""
        return tuple(dict.fromkeys((*self.sides, *self.others)))


@dataclass(frozen=True)
class _Text:
    """A text as written, which can be cut anywhere but within a character as readers see it."""

    text: str
    shows_invisible: bool
    errors: Sequence[ErrorMark] = ()

    @cached_property
    def _boundaries(self) -> Sequence[int]:
        return range(len(self.text) + 1) if self.text.isascii() else cluster_boundaries(self.text)

    @cached_property
    def _invisible(self) -> Mapping[int, Invisible]:
        return invisible_characters(self.text) if self.shows_invisible else {}

    def around(self, span: tuple[int, int]) -> tuple[int, int]:
        """The span, made wider to whole characters as readers see them: an accent stays on its letter."""
        start = self._boundaries[bisect_right(self._boundaries, span[0]) - 1]
        return start, self._boundaries[bisect_left(self._boundaries, span[1])]

    @cached_property
    def _placed_errors(self) -> Sequence[tuple[int, int, ErrorMark]]:
        """Where each error stands that has a place, in whole characters."""
        placed = []
        for error in self.errors[:MOST_ERRORS]:
            start, stop = max(error.span.start, 0), min(error.span.end, len(self.text))
            if not error.span.is_missing and start < stop:
                placed.append((*self.around((start, stop)), error))
        return placed

    def written(self, start: int, stop: int) -> Markup:
        """A part of it with what is not seen made visible, if so wanted, and lines beneath errors."""
        if not self._placed_errors:
            return self._seen(start, stop)
        edges = {edge for first, last, _ in self._placed_errors for edge in (first, last) if start < edge < stop}
        return together([self._underlined(*piece) for piece in pairwise(sorted({start, stop, *edges}))])

    def _underlined(self, start: int, stop: int) -> Markup:
        """A part that no error begins or ends in."""
        written = self._seen(start, stop)
        for first, last, error in reversed(self._placed_errors):
            if first <= start and stop <= last:
                written = error.around(written, begins=first == start, ends=last == stop)
        return written

    def _seen(self, start: int, stop: int) -> Markup:
        if not self._invisible:
            return escape(self.text[start:stop])
        pieces, done = [], start
        for place in sorted(place for place in self._invisible if start <= place < stop):
            hidden = self._invisible[place]
            end = min(hidden.stop, stop)
            pieces.append(escape(self.text[done:place]))
            pieces.append(
                Markup('<span class="bs-invisible{}" data-sign="{}" title="{}">{}</span>').format(
                    " bs-part-of" if hidden.is_part else "", hidden.sign, hidden.name, self.text[place:end]
                )
            )
            done = end
        return together([*pieces, escape(self.text[done:stop])])

    def all_written(self) -> Markup:
        """The whole text."""
        return self.written(0, len(self.text))


def segment_html(
    test_set: TestSet,
    evaluation: Evaluation,
    view: SegmentView,
    looks: Mapping[str, SystemStyle],
    kinds: Mapping[str, Mapping[int, str]] = NO_KINDS_OF_SYSTEMS,
) -> Markup:
    """Source and references above, hypotheses below, side by side where there is room.

    ``kinds`` has the kind of error of each token that has one, by system and place.
    """
    references = [column[view.segment] for column in test_set.references]
    hypotheses = {name: test_set.system(name).hypotheses[view.segment] for name in view.systems}
    marks = [] if view.reference_matches is None else [test_set.system(view.reference_matches).hypotheses[view.segment]]
    of_hypotheses, of_references = _matches(list(hypotheses.values()), references, marks, evaluation.options)
    matched = dict(zip(hypotheses, of_hypotheses, strict=True))
    differing = differences(matched, view.sides) if "differences" in view.layers else {}
    named = zip(test_set.reference_names or (), references, of_references, strict=True)
    compared = [(name, shown_text(text), found) for name, text, found in named if text is not None]
    marked = view.shown_errors
    cards = Markup("").join(
        _hypothesis_card(
            _heading(name, view, looks),
            None if view.is_blind else float(evaluation.systems[name].segment_scores[view.segment]),
            text,
            marked_text(
                shown_text(text),
                matched[name].tokens,
                differing.get(name, frozenset()),
                view.layers,
                view.ngram,
                errors=() if marked is None else marked.of_output(name, view.segment),
                kinds=kinds.get(name, NO_KINDS),
            ),
            _in_words(
                marks_in_words(
                    shown_text(text), matched[name].tokens, compared, differing.get(name, frozenset()), view.layers
                )
            )
            + (NO_ERRORS if marked is None else _errors_of(marked, name, view.segment, text)),
            test_set.languages[1],
        )
        for name, text in hypotheses.items()
    )
    return Markup(
        '<div class="bs-segment" tabindex="-1"><div class="bs-cards">{}</div><div class="bs-cards">{}</div></div>'
    ).format(_context_cards(test_set, of_references, view), cards)


def _errors_of(marked: MarkedErrors, name: str, segment: int, text: str) -> Markup:
    is_judged = marked.is_judged(name, segment)
    return errors_html(marked.of_output(name, segment), shown_text(text), is_judged=is_judged)


def _matches(
    hypotheses: Sequence[str], references: Sequence[str | None], marks: Sequence[str], options: BleuOptions
) -> tuple[list[SegmentMatches], list[SegmentMatches]]:
    """Of each hypothesis with the references, and of each reference with the system whose matches are marked there.

    All in one go: tokenizing has its price each time.
    """
    texts = [_bounded(text) for text in hypotheses]
    of_references = [_bounded(text or "") for text in references]
    marked = [_bounded(text) for text in marks]
    with_what = [references] * len(texts) + [marked] * len(of_references)
    found = match_segments([*texts, *of_references], with_what, options)
    return found[: len(texts)], found[len(texts) :]


def legend_html(  # noqa: PLR0913  # what there are marks of
    max_order: int,
    *,
    compares: bool,
    marks_references: bool = True,
    is_blind: bool = False,
    layers: AbstractSet[Layer] = frozenset(DEFAULT_LAYERS),
    boxes_ngram: bool = False,
    has_errors: bool = False,
) -> Text:
    """What the marks mean, in the marks' own form."""
    items = []
    if "matches" in layers:
        steps = [f"bs-m{order}" for order in range(1, min(max_order, MAX_SHOWN_ORDER) + 1)]
        names = ["1 word", *(f"{order} words" for order in range(2, len(steps) + 1))]
        if max_order > MAX_SHOWN_ORDER:
            names[-1] = f"{MAX_SHOWN_ORDER} or more"
        words = "Longest match with a reference:"
        items.append(Sentence((Piece(words, Markup("<span>{}</span>").format(words)),)))
        items += [_sample(step, name) for step, name in zip(steps, names, strict=True)]
    if "clipped" in layers:
        items.append(_sample("bs-clipped", "one repeat too many"))
    if "missed" in layers and marks_references:
        items.append(_sample("bs-missed", "missed, in a reference"))
    if "differences" in layers and compares:
        items.append(_sample("bs-differs", f"differs between {'left and right' if is_blind else 'A and B'}"))
    if "invisible" in layers:
        sign, words = Markup('<span class="bs-invisible" data-sign="ZWSP"></span>'), "character that is not seen"
        items.append(Sentence((Piece(words, sign + Markup("<span>{}</span>").format(words)),)))
    if "errors" in layers and has_errors:
        levels = zip(SEVERITY_STYLES[1:], LEVELS[1:], strict=True)
        items += [_sample(f"bs-error {style}", f"{level} error, as marked") for style, level in levels]
    if boxes_ngram:
        items.append(_sample("bs-ngram", "the n-gram looked for"))
    return Text((joined(" ", items or [sentence("No layer is shown.")]),), "bs-legend")


def _sample(style: str, words: str) -> Sentence:
    return Sentence((Piece(words, Markup('<span class="bs-token {}">{}</span>').format(style, words)),))


def marked_text(  # noqa: PLR0913  # what there are marks of
    text: str,
    tokens: Sequence[TokenMatch],
    differing: AbstractSet[int] = frozenset(),
    layers: AbstractSet[Layer] = frozenset(DEFAULT_LAYERS),
    ngram: Sequence[str] = (),
    *,
    explains: bool = True,
    errors: Sequence[ErrorMark] = (),
    kinds: Mapping[int, str] = NO_KINDS,
) -> Markup:
    """A hypothesis as written with its tokens marked; each says why unless they are not to be explained.

    Those with a kind of error say it in any case.
    """
    boxed = _places_of(ngram, tokens)
    marks = [
        (_order_classes(token) if "matches" in layers else [])
        + (["bs-clipped"] if token.clipped and "clipped" in layers else [])
        + (["bs-differs"] if place in differing else [])
        + (["bs-ngram"] if place in boxed else [])
        for place, token in enumerate(tokens)
    ]
    titles = [
        _title(token, kinds.get(place, ""), explains=explains and bool(marks[place]))
        for place, token in enumerate(tokens)
    ]
    return _with_marks(text, tokens, marks, titles, layers, errors)


def marked_reference(
    text: str,
    tokens: Sequence[TokenMatch],
    system: str | None,
    layers: AbstractSet[Layer] = frozenset(DEFAULT_LAYERS),
    ngram: Sequence[str] = (),
) -> Markup:
    """A reference as written, with what a system's hypothesis shares with it marked, and what it misses.

    Without a system only the n-gram is marked.
    """
    boxed = _places_of(ngram, tokens)
    shown = layers if system is not None else frozenset[Layer]()
    marks = [
        (_order_classes(token) if "matches" in shown else [])
        + (["bs-missed"] if not token.order and "missed" in shown else [])
        + (["bs-ngram"] if place in boxed else [])
        for place, token in enumerate(tokens)
    ]
    titles = [
        _reference_explanation(token, system) if system is not None and classes else ""
        for token, classes in zip(tokens, marks, strict=True)
    ]
    return _with_marks(text, tokens, marks, titles, layers)


def _with_marks(
    text: str,
    tokens: Sequence[TokenMatch],
    marks: Sequence[Sequence[str]],
    titles: Sequence[str],
    layers: AbstractSet[Layer],
    errors: Sequence[ErrorMark] = (),
) -> Markup:
    """The text with each token in a span of its classes; a token without classes stays plain.

    Neighbours of which the same is to be said stand in one element, which says it and may be reached by keyboard.
    """
    shown = _Text(text, "invisible" in layers, errors)
    tab_stop = TAB_STOP if "tab stops" in layers else NO_TAB_STOP
    written, end = list[Markup](), 0
    for (look, title), run in groupby(_placed(shown, tokens, marks, titles), lambda one: one[1:]):
        opens, closes = _run_ends(look, title, tab_stop)
        token_opens = _token_opens(look)
        for place, (start, stop) in enumerate(span for span, _, _ in run):
            written += [shown.written(end, start), *([] if place else opens)]
            token = shown.written(start, stop)
            written += [token_opens, token, TOKEN_END] if look else [token]
            end = stop
        written += closes
    return together([*written, shown.written(end, len(text))])


@lru_cache(MOST_LOOKS)
def _token_opens(look: str) -> Markup:
    """How a token with these classes begins."""
    return together([TOKEN, escape(look), BODY])


@lru_cache(MOST_LOOKS)
def _run_ends(look: str, title: str, tab_stop: Markup) -> tuple[Sequence[Markup], Sequence[Markup]]:
    """How a run of tokens with these classes begins and ends; with nothing where there is nothing to say of it."""
    tag, said = _form(look)
    if tag is None:
        return ((UNMARKED.format(title, tab_stop),), (UNMARKED_END,)) if title else ((), ())
    return (RUN.format(tag, said, RUN_TITLE.format(title) if title else "", tab_stop),), (RUN_ENDS[tag],)


def _placed(
    text: _Text, tokens: Sequence[TokenMatch], marks: Sequence[Sequence[str]], titles: Sequence[str]
) -> Iterator[tuple[tuple[int, int], str, str]]:
    """Where each token stands in whole characters, its classes, and why it has them."""
    end = 0
    for token, classes, title in zip(tokens, marks, titles, strict=True):
        start, stop = text.around(token.span)
        start = max(start, end)
        if start < stop:  # else it is a part of the character before
            yield (start, stop), " ".join(classes), title
            end = stop


def _form(look: str) -> tuple[str | None, str]:
    """The element of tokens with these classes, none without any, and what is said of them."""
    forms = [form for name, form in FORMS.items() if name in look.split()]
    return (forms[0][0] if forms else None), ", ".join(said for _, said in forms)


def _places_of(ngram: Sequence[str], tokens: Sequence[TokenMatch]) -> set[int]:
    """The places of the tokens of an n-gram, wherever it stands."""
    texts, order = [token.token for token in tokens], len(ngram)
    starts = [start for start in range(len(texts) - order + 1) if order and texts[start : start + order] == [*ngram]]
    return {place for start in starts for place in range(start, start + order)}


def _order_classes(token: TokenMatch) -> list[str]:
    return [f"bs-m{min(token.order, MAX_SHOWN_ORDER)}"] if token.order else []


def _title(token: TokenMatch, kind: str, *, explains: bool) -> str:
    """What is said of a token at the pointer."""
    said = [_explanation(token)] if explains else []
    return " ".join([*said, f"Kind of error: {kind}."] if kind else said)


def _explanation(token: TokenMatch) -> str:
    sentences = []
    if token.order:
        references = " and ".join(str(index + 1) for index in token.references)
        kind = "1-gram match" if token.order == 1 else f"{token.order}-gram match"
        sentences.append(f"{kind}, in reference {references}.")
    if token.clipped:
        sentences.append("A repeat too many: it does not count as a match.")
    return " ".join(sentences) or "In no reference."


def _reference_explanation(token: TokenMatch, system: str) -> str:
    if token.order:
        return f"{system} has this word" if token.order == 1 else f"{system} has these {token.order} words in a row"
    return f"{system} has this word less often" if token.clipped else f"{system} does not have this word"


def _heading(name: str, view: SegmentView, looks: Mapping[str, SystemStyle]) -> Markup:
    """The name of a system, and which of the pair it is; its side alone if names are hidden."""
    if view.is_blind:
        return Markup("<b>{}</b>").format(dict(zip(view.sides, LEFT_AND_RIGHT, strict=True))[name])
    roles = letters_of(view.sides)
    return system_label(looks[name], roles.get(name, ""))


def _hypothesis_card(
    label: Markup, segment_score: float | None, text: str, body: Markup, beneath: Markup, language: str | None
) -> Markup:
    if segment_score is None:
        return _card(label, Markup(""), text, body, language, beneath)
    score = Markup('<span class="bs-score">{} <abbr tabindex="0" title="{}">BLEU</abbr></span>').format(
        numbers.score(segment_score),
        "Score of this segment alone, with effective order.",
    )
    return _card(label, score, text, body, language, beneath)


def _context_cards(test_set: TestSet, matched: Sequence[SegmentMatches], view: SegmentView) -> Markup:
    cards = []
    shows_invisible = "invisible" in view.layers
    if test_set.source is not None:
        source = test_set.source[view.segment]
        marked = view.shown_errors
        errors = () if marked is None else marked.of_source(view.systems, view.segment)
        body = _Text(shown_text(source), shows_invisible, errors).all_written()
        listed = errors_html(errors, shown_text(source), "source")
        cards.append(_card(Markup("source"), Markup(""), source, body, test_set.languages[0], listed))
    named = zip(test_set.reference_names or (), test_set.references, matched, strict=True)
    for name, column, found in named:
        text = column[view.segment]
        label = Markup("<bdi>{}</bdi>").format(name)
        if text is None:
            cards.append(
                _card(
                    label,
                    Markup(""),
                    "",
                    Markup('<span class="bs-none">this segment has no such reference</span>'),
                    None,
                )
            )
            continue
        body = _Text(shown_text(text), shows_invisible).all_written()
        if view.reference_matches is not None or view.ngram:
            body = marked_reference(shown_text(text), found.tokens, view.reference_matches, view.layers, view.ngram)
        cards.append(_card(label, Markup(""), text, body, test_set.languages[1]))
    return Markup("").join(cards)


def _card(
    label: Markup, score: Markup, text: str, body: Markup, language: str | None, beneath: Markup = NO_ERRORS
) -> Markup:
    spoken = language_attribute(language if text else None)
    if not text and not body:
        body = Markup('<span class="bs-none">empty</span>')
    if len(text) > MAX_CHARACTERS:
        body += Markup('<span class="bs-none" lang="en"> … {} more characters are not shown</span>').format(
            numbers.count(len(text) - MAX_CHARACTERS)
        )
    return Markup(
        '<article class="bs-card"><header><span>{}</span>{}</header><p class="bs-body" dir="auto"{}>{}</p>{}</article>'
    ).format(label, score, spoken, body, beneath)


def _in_words(said: Sentence) -> Markup:
    return Markup('<p class="bs-in-words">{}</p>').format(said) if said else Markup("")


def differences(matched: Mapping[str, SegmentMatches], sides: tuple[str, ...]) -> dict[str, AbstractSet[int]]:
    """The places of the tokens in which two systems differ, by system; none of texts that are too long."""
    if len(sides) == 1 or any(len(matched[name].tokens) > MAX_COMPARED_TOKENS for name in sides):
        return {}
    tokens = [[token.token for token in matched[name].tokens] for name in sides]
    return dict(zip(sides, differing_tokens(*tokens), strict=True))


def _bounded(text: str) -> str:
    return text[:MAX_CHARACTERS]


def shown_text(text: str) -> str:
    """The text as HTML can hold it: a NUL, which browsers drop, becomes its picture. No place is moved."""
    return _bounded(text).replace("\0", "␀")
