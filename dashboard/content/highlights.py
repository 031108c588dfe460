"""One segment as HTML: the texts as written, with what matched, what was clipped and what differs marked."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from markupsafe import Markup

from bleucore import BleuOptions, Evaluation, TestSet
from bleucore.bleu import reference_lengths
from bleucore.matches import SegmentMatches, TokenMatch, differing_tokens, match_segment
from dashboard.content import numbers
from dashboard.content.identity import Identity
from dashboard.content.markup import Column, system_label, table

MAX_CHARACTERS = 6_000
"""A longer text is shown up to here, and says so: marking it would take the browser too long."""
MAX_COMPARED_TOKENS = 1_500
"""Longer hypotheses are shown without their differences: finding them takes quadratic time."""
MAX_SHOWN_ORDER = 4


@dataclass(frozen=True)
class SegmentView:
    """What to show of a segment.

    Attributes:
        segment: Counted from 0.
        pair: The two systems whose differences are marked.
        others: Further systems to show.
        reference_matches: The system whose matches are marked in the references, or ``None``.
    """

    segment: int
    pair: tuple[str, str]
    others: tuple[str, ...] = ()
    reference_matches: str | None = None


def segment_html(test_set: TestSet, evaluation: Evaluation, view: SegmentView, looks: Mapping[str, Identity]) -> Markup:
    """Source and references above, hypotheses below, side by side where there is room."""
    references = [column[view.segment] for column in test_set.references]
    names = dict.fromkeys((*view.pair, *view.others))
    matched = {
        name: match_segment(_bounded(test_set.system(name).hypotheses[view.segment]), references, evaluation.options)
        for name in names
    }
    differing = _differences(matched, view.pair)
    roles = {} if view.pair[0] == view.pair[1] else dict(zip(view.pair, "AB", strict=True))
    hypotheses = Markup("").join(
        _hypothesis_card(
            system_label(looks[name], roles.get(name, "")),
            float(evaluation.systems[name].segment_scores[view.segment]),
            test_set.system(name).hypotheses[view.segment],
            marked_text(
                _shown(test_set.system(name).hypotheses[view.segment]),
                matched[name].tokens,
                differing.get(name, frozenset()),
            ),
        )
        for name in names
    )
    return Markup('<div class="bs-segment"><div class="bs-cards">{}</div><div class="bs-cards">{}</div></div>').format(
        _context_cards(test_set, evaluation.options, view), hypotheses
    )


def segment_scores_table(
    evaluation: Evaluation, segment: int, names: Sequence[str], looks: Mapping[str, Identity]
) -> Markup:
    """Score, precisions with their counts, brevity penalty and lengths of one segment, a row per system."""
    max_order = evaluation.options.max_order
    columns = [
        Column.of_term("system", is_text=True),
        Column.of_term("BLEU"),
        *(Column.of_term(f"p{order}", str(order)) for order in range(1, max_order + 1)),
        Column.of_term("BP"),
        Column.of_term("hyp. length", "hypothesis"),
        Column.of_term("ref. length", "reference"),
    ]
    rows = []
    for name in names:
        parts = evaluation.segment_parts(name, segment)
        counts = evaluation.systems[name].counts[segment]
        matches, totals = counts[2 : 2 + max_order], counts[2 + max_order :]
        rows.append(
            [
                system_label(looks[name]),
                numbers.score(float(parts.scores)),
                *(
                    _precision_cell(float(precision), int(match), int(total))
                    for precision, match, total in zip(parts.precisions, matches, totals, strict=True)
                ),
                numbers.ratio(float(parts.brevity_penalties)),
                numbers.count(int(counts[0])),
                numbers.count(round(float(reference_lengths(counts, evaluation.options)))),
            ]
        )
    return table(columns, rows, caption="Scores of this segment")


def legend_html(max_order: int, *, compares: bool) -> Markup:
    """What the marks mean, in the marks' own form."""
    steps = [f"bs-m{order}" for order in range(1, min(max_order, MAX_SHOWN_ORDER) + 1)]
    names = ["1 word", *(f"{order} words" for order in range(2, len(steps) + 1))]
    if max_order > MAX_SHOWN_ORDER:
        names[-1] = f"{MAX_SHOWN_ORDER} or more"
    items = [
        Markup('<span class="bs-token {}">{}</span>').format(step, name)
        for step, name in zip(steps, names, strict=True)
    ]
    items.append(Markup('<span class="bs-token bs-clipped">one repeat too many</span>'))
    if compares:
        items.append(Markup('<span class="bs-token bs-differs">differs between A and B</span>'))
    return Markup('<div class="bs-legend"><span>Longest match with a reference:</span>{}</div>').format(
        Markup(" ").join(items)
    )


def marked_text(text: str, tokens: Sequence[TokenMatch], differing: AbstractSet[int] = frozenset()) -> Markup:
    """A hypothesis as written with its tokens marked."""
    marks = [
        _order_classes(token)
        + (["bs-clipped"] if token.clipped else [])
        + (["bs-differs"] if place in differing else [])
        for place, token in enumerate(tokens)
    ]
    return _with_marks(text, tokens, marks, [_explanation(token) for token in tokens])


def marked_reference(text: str, tokens: Sequence[TokenMatch], system: str) -> Markup:
    """A reference as written, with what a system's hypothesis shares with it marked."""
    titles = [
        f"{system} has this word" if token.order == 1 else f"{system} has these {token.order} words in a row"
        for token in tokens
    ]
    return _with_marks(text, tokens, [_order_classes(token) for token in tokens], titles)


def _with_marks(
    text: str, tokens: Sequence[TokenMatch], marks: Sequence[Sequence[str]], titles: Sequence[str]
) -> Markup:
    """The text with each token in a span of its classes and title; a token without classes stays plain."""
    pieces, end = [], 0
    for token, classes, title in zip(tokens, marks, titles, strict=True):
        start = max(token.span[0], end)
        pieces.append(Markup("{}").format(text[end:start]))
        written = Markup("{}").format(text[start : token.span[1]])
        span = Markup('<span class="bs-token {}" title="{}">{}</span>')
        pieces.append(span.format(" ".join(classes), title, written) if classes else written)
        end = max(token.span[1], end)
    return Markup("").join([*pieces, Markup("{}").format(text[end:])])


def _order_classes(token: TokenMatch) -> list[str]:
    return [f"bs-m{min(token.order, MAX_SHOWN_ORDER)}"] if token.order else []


def _explanation(token: TokenMatch) -> str:
    sentences = []
    if token.order:
        references = " and ".join(str(index + 1) for index in token.references)
        kind = "Matches alone" if token.order == 1 else f"Part of a matching {token.order}-gram"
        sentences.append(f"{kind}, in reference {references}.")
    if token.clipped:
        sentences.append("In a reference, but not this often: this repeat does not count as a match.")
    return " ".join(sentences) or "In no reference."


def _hypothesis_card(label: Markup, segment_score: float, text: str, body: Markup) -> Markup:
    score = Markup('<span class="bs-score">{} <abbr tabindex="0" title="{}">BLEU</abbr></span>').format(
        numbers.score(segment_score),
        "Score of this segment alone, with effective order: a short segment is not punished for having no 4-gram.",
    )
    return _card(label, score, text, body)


def _context_cards(test_set: TestSet, options: BleuOptions, view: SegmentView) -> Markup:
    cards = []
    if test_set.source is not None:
        source = test_set.source[view.segment]
        cards.append(_card(Markup("source"), Markup(""), source, Markup("{}").format(_shown(source))))
    for name, column in zip(test_set.reference_names or (), test_set.references, strict=True):
        text = column[view.segment]
        label = Markup("<bdi>{}</bdi>").format(name)
        if text is None:
            cards.append(
                _card(label, Markup(""), "", Markup('<span class="bs-none">this segment has no such reference</span>'))
            )
            continue
        body = Markup("{}").format(_shown(text))
        if view.reference_matches is not None:
            hypothesis = _bounded(test_set.system(view.reference_matches).hypotheses[view.segment])
            tokens = match_segment(_bounded(text), [hypothesis], options).tokens
            body = marked_reference(_shown(text), tokens, view.reference_matches)
        cards.append(_card(label, Markup(""), text, body))
    return Markup("").join(cards)


def _card(label: Markup, score: Markup, text: str, body: Markup) -> Markup:
    if not text and not body:
        body = Markup('<span class="bs-none">empty</span>')
    if len(text) > MAX_CHARACTERS:
        body += Markup('<span class="bs-none"> … {} more characters are not shown</span>').format(
            numbers.count(len(text) - MAX_CHARACTERS)
        )
    return Markup(
        '<article class="bs-card"><header><span>{}</span>{}</header><p class="bs-body" dir="auto">{}</p></article>'
    ).format(label, score, body)


def _differences(matched: Mapping[str, SegmentMatches], pair: tuple[str, str]) -> dict[str, AbstractSet[int]]:
    if pair[0] == pair[1] or any(len(matched[name].tokens) > MAX_COMPARED_TOKENS for name in pair):
        return {}
    tokens = [[token.token for token in matched[name].tokens] for name in pair]
    return dict(zip(pair, differing_tokens(*tokens), strict=True))


def _precision_cell(precision: float, matches: int, total: int) -> Markup:
    if not total:
        return Markup('<abbr tabindex="0" title="The hypothesis is too short to have one.">–</abbr>')
    title = "matches / n-grams of the hypothesis" if matches else "No match: the value comes from smoothing."
    return Markup('{} <span class="bs-fraction" title="{}">{}/{}</span>').format(
        numbers.precision(precision), title, numbers.count(matches), numbers.count(total)
    )


def _bounded(text: str) -> str:
    return text[:MAX_CHARACTERS]


def _shown(text: str) -> str:
    """The text as HTML can hold it: a NUL, which browsers drop, becomes its picture. No place is moved."""
    return _bounded(text).replace("\0", "␀")
