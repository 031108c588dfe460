"""What the first screen says: who is ahead, why, and what that rests on."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from markupsafe import Markup

from bleucore.analysis.attribution import Attribution
from bleucore.analysis.ngram_phrases import Phrase, Phrases
from bleucore.checks import Finding
from bleucore.counts import Floats
from bleucore.significance import blocks_of_documents
from bleuscope.content.attribution.attribution_words import ROUNDS_TO_NOTHING, ingredients
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy
from bleuscope.content.comparison.differences import wins_of
from bleuscope.content.ngrams.ngram_tables import Side, as_read
from bleuscope.content.significance import significance_words
from bleuscope.content.significance.study_verdict import bleu_verdict, verdict_of_pair
from bleuscope.content.significance.verdict_words import verdict_text
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import (
    Piece,
    Sentence,
    Text,
    isolated,
    joined,
    note,
    sentence,
    strong,
    verdict,
)

N_SHOWN, N_CANDIDATES = 3, 10
"""The number of documents and segments to show; and of influential segments among which short ones are chosen."""
TESTING = "The significance tests are running."


def answer(study: ComparisonContext, found: Sequence[Finding] | None = None) -> Text:
    """The verdict; before the tests, which systems score highest.

    Args:
        study: Tested or not yet.
        found: What the checks of the texts found; ``None`` while they go on.
    """
    evaluation, ranked = study.evaluation, study.evaluation.ranked()
    if len(ranked) == 1:
        return verdict("{}", single_answer(study))
    if not isinstance(study, TestedStudy):
        scores = [numbers.score(evaluation.systems[name].score.score) for name in ranked[:2]]
        words = "{} scores highest, {} BLEU; {} follows with {}. {}"
        return verdict(words, strong(ranked[0]), scores[0], strong(ranked[1]), scores[1], TESTING)
    made = bleu_verdict(study, found)
    if made is None:
        return Text()
    return verdict_text(made, more=significance_words.zero_words(evaluation))


def single_answer(study: ComparisonContext) -> Sentence:
    """What there is to say of one system."""
    (name,) = study.evaluation.names
    score = numbers.score(study.evaluation.systems[name].score.score)
    interval = study.comparison.intervals[name] if isinstance(study, TestedStudy) else None
    ends = "" if interval is None else f" (95 % interval {numbers.interval(*interval)})"
    why = significance_words.zero_words(study.evaluation)
    return sentence("{} scores {} BLEU{}.{} Add a second system to compare it with.", strong(name), score, ends, why)


def _named(study: ComparisonContext, name: str) -> Sentence:
    """A system: on a page by what distinguishes its name, with the whole name on hover; in plain text by all of it."""
    short = study.looks[name].short or name
    return Sentence((Piece(name, Markup('<bdi title="{}">{}</bdi>').format(name, short)),))


def leader_of(study: ComparisonContext) -> tuple[str, str]:
    """Of systems A and B the one that scores higher, and the other."""
    first, second = study.pair
    scores = study.evaluation.systems
    return (second, first) if scores[second].score.score >= scores[first].score.score else (first, second)


def is_sure(study: ComparisonContext) -> bool:
    """Whether the verdict about A and B in BLEU is that one of them leads."""
    if not isinstance(study, TestedStudy) or not study.compares:
        return False
    return verdict_of_pair(replace(study, metric=study.evaluation.bleu)).state == "leads"


def why_heading(study: ComparisonContext) -> Sentence:
    """What the reasons are for: a lead, or what may be chance."""
    ahead, behind = (_named(study, name) for name in leader_of(study))
    if is_sure(study):
        return sentence("Why {} scores higher than {}", ahead, behind)
    return sentence("Where {} and {} differ", ahead, behind)


def ingredients_words(study: ComparisonContext, attribution: Attribution) -> Sentence:
    """What the lead is made of, the largest ingredient first; empty where nothing is divided."""
    if attribution.reason is not None or not attribution.has_ingredients:
        return Sentence()
    ahead, sign = (attribution.names[1], 1) if attribution.difference >= 0 else (attribution.names[0], -1)
    parts = sorted(ingredients(attribution), key=lambda part: -abs(part[1]))
    shown = [f"{name} {numbers.difference(sign * part)}" for name, part in parts if abs(part) >= ROUNDS_TO_NOTHING]
    if not shown:
        return Sentence()
    total = numbers.difference(abs(attribution.difference))
    return sentence("{} BLEU for {}: {}.", total, _named(study, ahead), ", ".join(shown))


def balance_words(study: ComparisonContext) -> Sentence:
    """How many segments the better of A and B wins."""
    better, other = leader_of(study)
    wins = wins_of(study.metric, better, other)
    return sentence(
        "{} wins {}, loses {} and ties {}.",
        _named(study, better),
        *map(numbers.count, (wins.n_wins, wins.n_losses)),
        numbers.counted(wins.n_ties, "segment"),
    )


def documents_words(attribution: Attribution, documents: Sequence[str] | None) -> Sentence:
    """In which documents the leader gains most; empty without documents."""
    if documents is None or attribution.reason is not None:
        return Sentence()
    layout = blocks_of_documents(documents)
    names = layout.documents or ()
    parts = attribution.towards_leader(attribution.groups(layout.groups, len(names)))
    leading = [place for place in np.argsort(-parts, kind="stable")[:N_SHOWN].tolist() if parts[place] > 0]
    shown = [sentence("{} ({})", isolated(names[place]), numbers.difference(parts[place])) for place in leading]
    return sentence("Largest contributions by document: {}.", joined(", ", shown)) if shown else Sentence()


def leading_phrases(study: ComparisonContext, phrases: Phrases) -> list[tuple[Phrase, Side]]:
    """The phrases to show, each with the side that has it right more often: "A" or "B".

    Of a lead that is more than chance its own; else the most telling ones of both.
    """
    sided: dict[Side, tuple[Phrase, ...]] = {"B": phrases.leading[1], "A": phrases.leading[0]}
    ahead: Side = "B" if leader_of(study)[0] == study.pair[1] else "A"
    own = [(phrase, ahead) for phrase in sided[ahead]]
    if not is_sure(study) or not own:
        everyone = [(phrase, side) for side, of_side in sided.items() for phrase in of_side]
        own = sorted(everyone, key=lambda one: -one[0].assured)
    return own[:N_SHOWN]


def phrases_lead(phrases: Sequence[object]) -> str:
    """What stands above the phrases, or that there are none."""
    if not phrases:
        return "No phrase stands out for either system."
    return "Phrases that one system gets right more often, with counts:"


def phrase_words(phrase: Phrase, side: Side, study: ComparisonContext) -> Sentence:
    """How often each of the two has a phrase right."""
    first, second = study.pair
    better, worse = (second, first) if side == "B" else (first, second)
    right, other = phrase.counts[::-1] if side == "B" else phrase.counts
    return sentence(
        "“{}”: {} {}, {} {}",
        isolated(as_read(phrase.tokens)),
        isolated(better),
        numbers.count(right),
        isolated(worse),
        numbers.count(other),
    )


def telling_segments(study: ComparisonContext, parts: Floats | None) -> list[int]:
    """Segments that show the difference, from 0: the shortest of those that do most for it, which are soonest read.

    Of a lead that is more than chance those of the leader; else two of its own and one of the other. Of a single
    system those that match worst among the longer half.

    Args:
        study: The systems.
        parts: (S,), of each segment in the difference of A and B; ``None`` where nothing is divided.
    """
    test_set = study.test_set
    if not study.compares:
        (name,) = study.evaluation.names
        result = study.evaluation.systems[name]
        lengths = np.array([len(text or "") for text in test_set.references[0]])
        scores = np.where(lengths >= np.median(lengths), result.segment_scores, np.inf)
        return [int(row) for row in np.argsort(scores, kind="stable")[:N_SHOWN] if np.isfinite(scores[row])]
    for_b, for_a = study.leading_of(parts, N_CANDIDATES)
    own, other = (for_b, for_a) if leader_of(study)[0] == study.pair[1] else (for_a, for_b)

    def shortest(rows: np.ndarray, most: int) -> list[int]:
        def length(row: int) -> int:
            return max(len(test_set.system(name).hypotheses[row]) for name in study.pair)

        chosen = sorted(rows.tolist(), key=length)[:most]
        return [row for row in rows.tolist() if row in chosen]

    if is_sure(study):
        return shortest(own, N_SHOWN)
    return [*shortest(own, N_SHOWN - 1), *shortest(other, 1)]


def segments_heading(study: ComparisonContext) -> str:
    """What the segments are, above them."""
    if not study.compares:
        return "Lowest-scoring segments"
    if is_sure(study):
        return "Most influential segments"
    return "Most influential segments for each system"


def how_words(study: ComparisonContext) -> Text:
    """What was scored and tested how, in small print."""
    references = numbers.counted(len(study.test_set.references), "reference")
    tested = ""
    if isinstance(study, TestedStudy) and len(study.evaluation.names) > 1:
        pairs = list(study.comparison.against(study.measured_against).values())
        tested = f" {significance_words.method_words(study.comparison, pairs)}."
    return note("BLEU against {}, signature {}.{}", references, study.evaluation.signature, tested)
