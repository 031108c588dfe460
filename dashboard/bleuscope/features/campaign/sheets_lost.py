"""What one system loses against another on every test set of a language, in sentences and as sheets."""

from collections.abc import Mapping, Sequence

from bleucore.campaign import SetResult
from bleucore.campaign.lost_everywhere import LostEverywhere, LostPhrase
from bleuscope.content.ngrams.ngram_tables import as_read
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, bold, joined, listed, note, strong, verdict
from bleuscope.features.campaign.view import UNKNOWN, CampaignView

MOST_NUMBERED = 8
"""Segments whose numbers are written out."""
WHERE_LOST = "B matches it more"
"""What the page of segments calls those in which the winner, B there, matches a phrase more often."""


def languages_with_both(
    view: CampaignView, loser: str, winner: str, tokenizers: Mapping[str, str] | None = None
) -> Mapping[str, tuple[SetResult, ...]]:
    """The test sets that have both systems, by what is counted together: target language, tokenizer and signature.

    The languages with most sets come first.

    Args:
        view: The campaign.
        loser: The one system.
        winner: The other one.
        tokenizers: Of BLEU by test set, which cut phrases, where another metric's signatures do not name them.
    """
    found: dict[tuple[str, str], list[SetResult]] = {}
    for one in view.sets:
        if {loser, winner} <= set(one.systems):
            signature = one.signature if tokenizers is None else f"{one.signature}|tok:{tokenizers[one.name]}"
            found.setdefault((one.languages[1] or UNKNOWN, signature), []).append(one)
    by_language: dict[str, list[str]] = {}
    for language, signature in found:
        by_language.setdefault(language, []).append(signature)
    named = {
        ", ".join([language, *_own_settings(signature, by_language[language])]): tuple(sets)
        for (language, signature), sets in found.items()
    }
    return dict(sorted(named.items(), key=lambda item: -len(item[1])))


def lost_verdict(lost: LostEverywhere) -> Text:
    """How many phrases are lost on all of the sets."""
    where = f"every one of {len(lost.sets)} test sets" if len(lost.sets) > 1 else "the only such test set"
    if not lost.phrases:
        return note(
            "On {}, no phrase stands out that {} matches less often than {}.",
            where,
            strong(lost.loser),
            strong(lost.winner),
        )
    first: list[Sentence] = [bold(as_read(one.tokens)) for one in lost.phrases[:3]]
    return verdict(
        "On {}, {} has fewer matches than {} of {}{}.",
        where,
        strong(lost.loser),
        strong(lost.winner),
        joined(", ", first),
        f" and {len(lost.phrases) - len(first)} more phrases" if len(lost.phrases) > len(first) else "",
    )


def phrases_sheet(lost: LostEverywhere, some: Sequence[LostPhrase]) -> Sheet:
    """Phrases that are lost on every set, first the one whose smallest part of all sets is the largest."""
    return sheet_of(
        "lost_phrases",
        (
            f"Phrases that {lost.loser} matches less often than {lost.winner} on every one of "
            f"{numbers.counted(len(lost.sets), 'test set')}: {', '.join(lost.sets)}.",
        ),
        [
            (Field("phrase", "phrase", "text", is_prose=True), [as_read(one.tokens) for one in some]),
            (
                Field(
                    "least_part", "least part", "part", explanation="In BLEU points, on the set where it is smallest."
                ),
                [min(one.parts) for one in some],
            ),
            (
                Field("mean_part", "mean part", "part", explanation="In BLEU points, the mean over the sets."),
                [_mean(one.parts) for one in some],
            ),
            (
                Field("net", "matches fewer", "count", explanation="On all sets together."),
                [sum(one.nets) for one in some],
            ),
            (
                Field("n_segments", "segments", "count", explanation="Of all sets, in which it has fewer matches."),
                [sum(len(rows) for rows in one.segments) for one in some],
            ),
        ],
        {"loser": lost.loser, "winner": lost.winner},
        title=f"Phrases that {lost.loser} loses on every test set",
    )


def phrase_by_set_sheet(lost: LostEverywhere, phrase: LostPhrase) -> Sheet:
    """A phrase on each test set: a row leads to its segments."""
    return sheet_of(
        "lost_phrase_by_set",
        (f"“{as_read(phrase.tokens)}” on each test set.",),
        [
            (Field("test_set", "test set", "text"), list(lost.sets)),
            (Field("net", "matches fewer", "count"), list(phrase.nets)),
            (Field("part", "part", "part"), list(phrase.parts)),
            (Field("segments", "segments", "text"), [_numbered(rows.tolist()) for rows in phrase.segments]),
        ],
        {},
        title=f"“{as_read(phrase.tokens)}” by test set",
    )


def costly_segments_sheet(lost: LostEverywhere) -> Sheet:
    """Of each test set the segments that cost most: a row leads to them."""
    return sheet_of(
        "lost_segments",
        (f"The segments that cost {lost.loser} most against {lost.winner}, by test set.",),
        [
            (Field("test_set", "test set", "text"), [one.name for one in lost.segments]),
            (
                Field("difference", "Δ BLEU", "difference", explanation=f"{lost.winner} minus {lost.loser}."),
                [one.difference for one in lost.segments],
            ),
            (Field("segments", "segments that cost most", "text"), [_numbered(one.segments) for one in lost.segments]),
            (Field("parts", "their contribution to Δ", "part"), [float(sum(one.parts)) for one in lost.segments]),
        ],
        {},
        title=f"Segments that cost {lost.loser} most",
    )


def counted_in_bleu(metric: str) -> Text:
    """What phrases are counted in, where the campaign is scored in another metric."""
    return note(
        "Phrases are sequences of BLEU’s tokens, and costs are in BLEU points: {} has no such phrases. A "
        "test set opened here uses BLEU.",
        metric,
    )


def left_out_words(lost: LostEverywhere) -> Text:
    """Which sets of the language lack one of the two."""
    if not lost.left_out:
        return Text()
    return note("Without {}, which lack one of the two.", listed(lost.left_out))


def _numbered(segments: Sequence[int]) -> str:
    shown = ", ".join(f"#{segment + 1}" for segment in segments[:MOST_NUMBERED])
    return shown + (f" and {len(segments) - MOST_NUMBERED} more" if len(segments) > MOST_NUMBERED else "")


def _mean(parts: Sequence[float]) -> float:
    return sum(parts) / len(parts)


def _own_settings(signature: str, all_of_language: Sequence[str]) -> list[str]:
    """What tells a signature apart from the others: ``["13a"]``, ``["2 references"]``; nothing where it is alone."""
    shared = set.intersection(*(set(one.split("|")) for one in all_of_language))
    own = [part for part in signature.split("|") if part not in shared]
    return [_in_words(*part.partition(":")[::2]) for part in own]


def _in_words(setting: str, value: str) -> str:
    if setting == "tok":
        return value
    return f"{value} reference{'' if value == '1' else 's'}" if setting == "nrefs" else f"{setting} {value}"
