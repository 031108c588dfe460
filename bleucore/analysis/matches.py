"""Which tokens of a segment matched: at which order, in which reference, and which came once too often."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from bleucore.options import EXTERNAL_TOKENIZER_NAMES, BleuOptions, Lowercase
from bleucore.tokens.tokenizers import TOKENIZERS, lower, tokenize

Span = tuple[int, int]
NGram = tuple[str, ...]

ASCII_WHITE_SPACE = frozenset(" \t\n\v\f\r")


class TokenMatch(NamedTuple):  # of which there are hundreds of thousands: a dataclass takes three times as long
    """One token of a hypothesis.

    Attributes:
        token: As the tokenizer gives it.
        span: Where it stands in the text as written, ``text[start:end]``.
        order: The longest credited n-gram that it is part of; 0 if none.
        clipped: The token is in a reference, but the hypothesis has it more often than any reference,
            and this occurrence is one too many.
        references: The references (counted from 0) that hold an n-gram of that order around it.
    """

    token: str
    span: Span
    order: int
    clipped: bool
    references: tuple[int, ...]


@dataclass(frozen=True)
class SegmentMatches:
    """The tokens of a hypothesis, and clipped matches and totals per order."""

    tokens: tuple[TokenMatch, ...]
    matches: tuple[int, ...]
    totals: tuple[int, ...]


def match_segment(hypothesis: str, references: Sequence[str | None], options: BleuOptions) -> SegmentMatches:
    """What of a hypothesis BLEU credits, token by token.

    BLEU credits a number of occurrences of an n-gram, not certain ones. Where not all are credited, those count
    that lie in longer credited n-grams, then those further left.
    """
    return match_segments([hypothesis], [references], options)[0]


def match_segments(
    hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], options: BleuOptions
) -> list[SegmentMatches]:
    """``match_segment`` of each hypothesis with its own references; tokenizing all texts at once saves time."""
    texts = [
        text
        for hypothesis, own in zip(hypotheses, references, strict=True)
        for text in (hypothesis, *(reference or "" for reference in own))
    ]
    tokenized = tokenize(texts, options.tokenizer, lowercase=options.lowercase)
    found, place, all_tokens = [], 0, tokenized.all_tokens()
    for hypothesis, own in zip(hypotheses, references, strict=True):
        tokens, *others = all_tokens[place : place + 1 + len(own)]
        found.append(_matches(hypothesis, tokens, others, options))
        place += 1 + len(own)
    return found


def _matches(
    hypothesis: str, tokens: Sequence[str], reference_tokens: Sequence[Sequence[str]], options: BleuOptions
) -> SegmentMatches:
    """What is credited of a tokenized hypothesis."""
    orders, is_one = [0] * len(tokens), len(reference_tokens) == 1
    covering = [] if is_one else [set[int]() for _ in tokens]
    matches, credited_unigrams = [0] * options.max_order, set[int]()
    for order in range(options.max_order, 0, -1):
        ngrams = [_ngrams(other, order) for other in reference_tokens]
        distinct = [] if is_one else [*map(set, ngrams)]
        credited = _credited_starts(tokens, order, ngrams, orders)
        matches[order - 1] = len(credited)
        for start in credited:
            places = [place for place in range(start, start + order) if orders[place] <= order]
            if places and not is_one:  # most tokens are part of a longer match already
                ngram = tuple(tokens[start : start + order])
                holders = {index for index, own in enumerate(distinct) if ngram in own}
                for place in places:
                    covering[place] |= holders
            for place in places:
                orders[place] = order
        if order == 1:
            credited_unigrams = credited
    known = {token for other in reference_tokens for token in other}
    clipped = [token in known and place not in credited_unigrams for place, token in enumerate(tokens)]
    of_references = [(0,) if order else () for order in orders] if is_one else [tuple(sorted(c)) for c in covering]
    spans = token_spans(hypothesis, tokens, options)
    return SegmentMatches(
        tuple(map(TokenMatch, tokens, spans, orders, clipped, of_references)),
        tuple(matches),
        tuple(max(0, len(tokens) - order) for order in range(options.max_order)),
    )


def credited_starts(tokens: Sequence[str], references: Sequence[Sequence[str]], max_order: int) -> list[set[int]]:
    """Where the n-grams of an output begin that BLEU credits, of each order from 1; tokens as BLEU compares them."""
    orders, found = [0] * len(tokens), list[set[int]]()
    for order in range(max_order, 0, -1):
        credited = _credited_starts(tokens, order, [_ngrams(other, order) for other in references], orders)
        for start in credited:
            for place in range(start, start + order):
                orders[place] = max(orders[place], order)
        found.append(credited)
    return found[::-1]


def differing_tokens(first: Sequence[str], second: Sequence[str]) -> tuple[frozenset[int], frozenset[int]]:
    """The places in each of two token sequences that the other does not share, in order.

    Which of several alignments is taken does not depend on which sequence comes first.
    """
    if tuple(second) < tuple(first):  # SequenceMatcher prefers what stands early in its first sequence
        return differing_tokens(second, first)[::-1]
    places: tuple[set[int], set[int]] = (set(), set())
    for tag, first_start, first_end, second_start, second_end in SequenceMatcher(
        None, first, second, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            places[0].update(range(first_start, first_end))
            places[1].update(range(second_start, second_end))
    return frozenset(places[0]), frozenset(places[1])


def token_spans(text: str, tokens: Sequence[str], options: BleuOptions) -> list[Span]:
    """Where each token stands in the text as written.

    The tokenizer's steps are repeated on the text with the place of every character kept; white space aside, the
    characters that remain are those of the tokens in turn.
    """
    if options.tokenizer in EXTERNAL_TOKENIZER_NAMES:
        return _aligned_spans(text, tokens)
    rule = TOKENIZERS[options.tokenizer]
    if (as_written := _spans_as_written(text, tokens)) is not None:
        return as_written
    characters, spans = text, [(place, place + 1) for place in range(len(text))]
    if rule.lowers_first(options.lowercase):
        characters, spans = _lowered(characters, spans, options.lowercase)
    if any(deletion in characters for deletion in rule.deletions):
        characters = characters.rstrip()
    for deletion in rule.deletions:
        characters, spans = _replace(characters, spans, deletion, "")
    for entity, replacement in rule.entities:
        characters, spans = _replace(characters, spans, entity, replacement)
    if not rule.lowers_first(options.lowercase):
        characters, spans = _lowered(characters, spans, options.lowercase)
    blank = str.isspace if rule.white_space == "Unicode" else ASCII_WHITE_SPACE.__contains__
    visible = [span for character, span in zip(characters, spans, strict=False) if not blank(character)]
    placed, start = [], 0
    for token in tokens:
        end = start + len(token)
        placed.append((visible[start][0], visible[end - 1][1]))
        start = end
    return placed


def _spans_as_written(text: str, tokens: Sequence[str]) -> list[Span] | None:
    """Where the tokens stand if nothing but white space is between them; ``None`` for any other text."""
    spans, end = [], 0
    for token in tokens:
        start = text.find(token, end)
        if start < 0 or not (start == end or text[end:start].isspace()):
            return None
        end = start + len(token)
        spans.append((start, end))
    return spans if end == len(text) or text[end:].isspace() else None


def _aligned_spans(text: str, tokens: Sequence[str]) -> list[Span]:
    """Where tokens most likely stand that a tokenizer may have rewritten: their characters are aligned.

    A token of which nothing is found stands, without extent, behind the one before.
    """
    places: dict[int, int] = {}
    for block in SequenceMatcher(None, "".join(tokens), text, autojunk=False).get_matching_blocks():
        places.update({block.a + offset: block.b + offset for offset in range(block.size)})
    spans, start, end = [], 0, 0
    for token in tokens:
        found = [places[place] for place in range(start, start + len(token)) if place in places]
        spans.append((found[0], found[-1] + 1) if found else (end, end))
        start, end = start + len(token), spans[-1][1]
    return spans


def _lowered(characters: str, spans: Sequence[Span], lowercase: Lowercase) -> tuple[str, list[Span]]:
    """In lower case, with the place of every character; one can become two."""
    if lower(characters, lowercase) == characters:
        return characters, list(spans)
    kept = [span for character, span in zip(characters, spans, strict=False) for _ in lower(character, lowercase)]
    return lower(characters, lowercase), kept


def _ngrams(tokens: Sequence[str], order: int) -> list[NGram]:
    return list(zip(*(tokens[start:] for start in range(order)), strict=False))


def _credited_starts(
    tokens: Sequence[str], order: int, of_references: Sequence[Sequence[NGram]], longest: Sequence[int]
) -> set[int]:
    """Where the credited n-grams of this order begin."""
    occurrences: dict[NGram, list[int]] = {}
    counts: list[Counter[NGram]] = []
    known = set[NGram]().union(*of_references)
    for start, ngram in enumerate(_ngrams(tokens, order)):
        if ngram in known:
            occurrences.setdefault(ngram, []).append(start)
    credited: set[int] = set()
    for ngram, starts in occurrences.items():
        if len(starts) > 1:
            counts = counts or [Counter(ngrams) for ngrams in of_references]  # few texts say anything twice
            allowed = max(count[ngram] for count in counts)
            if allowed < len(starts):
                starts.sort(key=lambda start: (-sum(longest[start : start + order]), start))
                del starts[allowed:]
        credited.update(starts)
    return credited


def _replace(characters: str, spans: list[Span], old: str, new: str) -> tuple[str, list[Span]]:
    """Replace as ``str.replace`` does, with ``new`` of at most one character, and keep the places."""
    pieces: list[str] = []
    kept: list[Span] = []
    start = 0
    while (found := characters.find(old, start)) >= 0:
        pieces += [characters[start:found], new]
        kept += spans[start:found]
        if new:
            kept.append((spans[found][0], spans[found + len(old) - 1][1]))
        start = found + len(old)
    return "".join([*pieces, characters[start:]]), kept + spans[start:]
