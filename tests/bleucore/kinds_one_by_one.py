"""The rules of kinds of errors, one token after the other: what the engine finds for all tokens at once."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bleucore.analysis.token_kinds import (
    CASE,
    LONGEST_PAIRED,
    MISSING,
    NAME,
    NO_KIND,
    NUMBER,
    ORDER,
    OTHER_FORM,
    OTHER_WORD,
    PUNCTUATION,
    REPEAT,
    SENTENCE_ENDS,
    SHORTEST_BORROWED,
    SegmentKinds,
    TokenFacts,
    are_forms,
    facts_of,
)


def segment_kinds(
    tokens: Sequence[str],
    reference: Sequence[str],
    credited: Sequence[set[int]],
    *,
    source: frozenset[str] = frozenset(),
    capitals: bool = True,
    written: tuple[Sequence[str], Sequence[str]] | None = None,
) -> SegmentKinds:
    """The kind of each token and joint of an output.

    Args:
        tokens: Of the output, as BLEU compares them.
        reference: Tokens of that reference which the output covers best.
        credited: Of each order, 1 first: where the n-grams begin that BLEU credits.
        source: Words of the source: one that the output has as it stands there is a name, unless matched.
        capitals: Whether a capital inside a sentence tells a name.
        written: The tokens of both as they are written, where they are compared without case.
    """
    output_forms, reference_forms = written or (tokens, reference)
    kinds = [NO_KIND] * len(tokens)
    open_places = [place for place in range(len(tokens)) if place not in credited[0]]
    unused = _unused(tokens, reference, credited[0])
    if open_places:
        known = frozenset(reference)
        is_paired = max(len(tokens), len(reference)) <= LONGEST_PAIRED
        left = {place: facts_of(reference_forms[place]) for place in unused} if is_paired else {}
        marking = _Marking(output_forms, reference_forms, left, {}, source, capitals)
        marking.mark(open_places, {place for place in open_places if tokens[place] in known})
        for place, kind in marking.kinds.items():
            kinds[place] = kind
        unused = marking.unused.keys() if is_paired else unused
    joints = _joints(tokens, reference, credited, unused)
    for place in _alone(credited):
        if ORDER in joints[max(place - 1, 0) : place + 1]:
            kinds[place] = ORDER
    missing = sorted(unused)
    for place in open_places:
        if kinds[place] == OTHER_WORD and missing:
            del missing[_place_of_nearest(missing, place * len(reference) / len(tokens))]
    return SegmentKinds(kinds, joints, missing, [gap_kind([reference[place]]) for place in missing])


def _unused(tokens: Sequence[str], reference: Sequence[str], credited: set[int]) -> AbstractSet[int]:
    """The places of reference tokens that no credited token stands for: of equal ones those further right."""
    left = Counter(tokens[place] for place in credited)
    unused = dict[int, None]()
    for place, token in enumerate(reference):
        if left[token]:
            left[token] -= 1
        else:
            unused[place] = None
    return unused.keys()


def _alone(credited: Sequence[set[int]]) -> list[int]:
    """The credited tokens that are in no credited 2-gram; none where BLEU counts single words alone."""
    if len(credited) == 1:
        return []
    return [place for place in credited[0] if place not in credited[1] and place - 1 not in credited[1]]


@dataclass
class _Marking:
    """The rules, tried one after the other on the tokens that are not credited.

    Attributes:
        tokens: Of the output, as written.
        reference: Of the reference, as written.
        unused: The places of reference tokens that nothing stands for yet, in order.
        kinds: By place in the output, what was found; tokens without a kind yet are missing.
        source: Words of the source.
        capitals: Whether a capital inside a sentence tells a name.
    """

    tokens: Sequence[str]
    reference: Sequence[str]
    unused: dict[int, TokenFacts]
    kinds: dict[int, int]
    source: frozenset[str]
    capitals: bool

    def mark(self, places: Sequence[int], repeats: AbstractSet[int]) -> None:
        """Give the tokens at these places their kinds."""
        self._mark_case(places)
        self._mark_by_characters(self._left(places), repeats)
        self._mark_names(self._left(places))
        left = self._left(places)
        for place in left:
            same = [one for one in self.unused if are_forms(self.tokens[place], self.reference[one])]
            self._take(place, same, OTHER_FORM if same else OTHER_WORD)
        for place in left:  # where nouns have capitals: one that stands for a name
            if self.kinds[place] == OTHER_WORD and facts_of(self.tokens[place]).is_capitalised:
                meant = self._unused_names()
                if meant:
                    self._take(place, meant, NAME)

    def _left(self, places: Sequence[int]) -> list[int]:
        return [place for place in places if place not in self.kinds]

    def _take(self, place: int, candidates: Sequence[int], kind: int) -> None:
        """Give a token its kind; of the reference tokens that it can stand for, it takes the nearest."""
        self.kinds[place] = kind
        if candidates:
            del self.unused[_nearest(place, len(self.tokens), candidates, len(self.reference))]

    def _mark_case(self, places: Sequence[int]) -> None:
        for place in places:
            facts = facts_of(self.tokens[place])
            same = [one for one, other in self.unused.items() if other.folded == facts.folded]
            if facts.is_word and same:
                self._take(place, same, CASE)

    def _mark_by_characters(self, places: Sequence[int], repeats: AbstractSet[int]) -> None:
        for place in places:
            facts = facts_of(self.tokens[place])
            if facts.is_punctuation:
                self._take(place, [one for one, other in self.unused.items() if other.is_punctuation], PUNCTUATION)
            elif facts.has_digit:
                self._take(place, [one for one, other in self.unused.items() if other.has_digit], NUMBER)
            elif place in repeats:
                self.kinds[place] = REPEAT

    def _mark_names(self, places: Sequence[int]) -> None:
        for place in places:
            if _is_name(place, self.tokens, self.source, capitals=self.capitals):
                self._take(place, self._unused_names(), NAME)

    def _unused_names(self) -> list[int]:
        return [one for one in self.unused if _is_name(one, self.reference, self.source, capitals=self.capitals)]


def _nearest(place: int, length: int, candidates: Sequence[int], other_length: int) -> int:
    """That one of the places in the reference which is nearest, as shares of both lengths."""
    wanted = place * other_length / max(length, 1)
    return min(candidates, key=lambda one: (abs(one - wanted), one))


def _place_of_nearest(sorted_places: Sequence[int], wanted: float) -> int:
    """Where in a sorted list the number stands that is nearest."""
    place = bisect_left(sorted_places, wanted)
    near = [one for one in (place - 1, place) if 0 <= one < len(sorted_places)]
    return min(near, key=lambda one: abs(sorted_places[one] - wanted))


def _is_name(place: int, tokens: Sequence[str], source: frozenset[str], *, capitals: bool) -> bool:
    facts = facts_of(tokens[place])
    if not facts.is_word:
        return False
    if tokens[place] in source and (facts.is_capitalised or len(tokens[place]) >= SHORTEST_BORROWED):
        return True
    is_inside = place > 0 and tokens[place - 1] not in SENTENCE_ENDS
    return capitals and is_inside and facts.is_capitalised


def _joints(
    tokens: Sequence[str], reference: Sequence[str], credited: Sequence[set[int]], unused: AbstractSet[int]
) -> list[int]:
    """What breaks between each token and the next, where both match alone."""
    joints = [NO_KIND] * max(len(tokens) - 1, 0)
    if len(credited) == 1:
        return joints
    places, run_ends = dict[str, list[int]](), list[int]()
    for place in range(len(joints)):
        if place in credited[1] or place not in credited[0] or place + 1 not in credited[0]:
            continue
        if not places:
            run_ends = _run_ends(len(reference), unused)
            for one, token in enumerate(reference):
                places.setdefault(token, []).append(one)
        gap = _gap(places.get(tokens[place], ()), places.get(tokens[place + 1], ()), run_ends)
        joints[place] = ORDER if gap is None else gap_kind([reference[one] for one in gap])
    return joints


def _gap(first: Sequence[int], second: Sequence[int], run_ends: Sequence[int]) -> range | None:
    """The reference tokens between two, where the output has none of them.

    Args:
        first: Where the first stands, in order.
        second: Where the second does.
        run_ends: For each place the first one behind it that is not unused.
    """
    for start in first:
        place = bisect_right(second, start + 1)
        if place < len(second) and second[place] <= run_ends[start]:
            return range(start + 1, second[place])
    return None


def _run_ends(length: int, unused: AbstractSet[int]) -> list[int]:
    """For each place the first one behind it that is not unused, or the length."""
    ends, end = [length] * length, length
    for place in range(length - 1, -1, -1):
        ends[place] = end
        if place not in unused:
            end = place
    return ends


def gap_kind(tokens: Sequence[str]) -> int:
    """What it is to leave these reference tokens out."""
    return PUNCTUATION if all(facts_of(token).is_punctuation for token in tokens) else MISSING
