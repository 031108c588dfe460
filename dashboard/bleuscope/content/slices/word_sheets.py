"""How well two systems get words of each kind, as a sheet and in a sentence."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from markupsafe import Markup

from bleucore.analysis.slices import SliceComparison
from bleucore.analysis.word_accuracy import (
    IN_OUTPUT,
    IN_REFERENCE,
    MATCHED,
    WORD_KINDS,
    WordBucket,
    f1_score,
)
from bleucore.counts import Floats
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.sheets.builders import FilledField, context, facts_of, pair_columns, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.slices.slice_sheets import test_columns
from bleuscope.content.slices.slice_words import family_words
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, defined, note, sentence, strong, verdict
from bleuscope.content.style.terms import OF_METHODS, explaining

F1 = (
    "F1 of the words of a kind, 0 to 100: twice the matches over the words of output and "
    "reference. A word matches as often as output and reference both contain it in a segment."
)
WHAT = "{} of the words of a kind over all segments. Kind: {}."
EXAMPLES = 'Words that {} matches more often than the other, with the matches of A and of B: "not 4 : 16".'
LABELS_ASKED = (
    "One line per segment, with one label per token as the tokenizer splits them, such as its "
    "part of speech, separated by spaces. Outputs need none: their words take the labels of the "
    "same words in the reference."
)
MOST_NAMED = 3


def words_sheet(study: ComparisonContext, kind: str, buckets: Sequence[WordBucket], tested: SliceComparison) -> Sheet:
    """Words by kind with precision, recall and F1 of A and B, the difference with its test, and examples.

    Args:
        study: Of A and B.
        kind: One of ``WORD_KINDS``.
        buckets: The words.
        tested: F1 of B compared with that of A.
    """
    sums = np.array([bucket.sums for bucket in buckets]).reshape(-1, 2, 3)
    measured = {
        "precision": 100.0 * sums[..., MATCHED] / np.maximum(sums[..., IN_OUTPUT], 1),
        "recall": 100.0 * sums[..., MATCHED] / np.maximum(sums[..., IN_REFERENCE], 1),
        "f1": f1_score(sums),
    }

    def of_pair(key: str, heading: str) -> list[FilledField]:
        values = dict(zip(study.pair, measured[key].T, strict=True))
        return pair_columns(study.pair, key, heading, "score", values)

    columns: list[FilledField] = [
        (Field("words", f"words by {kind}", "text", explanation=WORD_KINDS[kind]), [one.name for one in buckets]),
        (Field("in_reference", "in the reference", "count", on_pages="reference"), sums[:, 0, IN_REFERENCE]),
        *(
            (replace(one, off_pages=True), values)
            for key in ("precision", "recall")
            for one, values in of_pair(key, key)
        ),
        *((replace(one, explanation=F1), values) for one, values in of_pair("f1", "F1")),
        (Field("difference", "Δ F1", "difference"), _delta(buckets)),
        *test_columns(tested, np.arange(len(buckets)), "difference"),
        *(
            (
                Field(key, heading, "text", explanation=EXAMPLES.format(side)),
                [_examples(getattr(one, key)) for one in buckets],
            )
            for key, heading, side in (("won", "B has more of", "B"), ("lost", "A has more of", "A"))
        ),
    ]
    return sheet_of(
        "words",
        (
            f"Words by {kind}: {WORD_KINDS[kind]}.",
            F1,
            (f"{family_words(tested, 'kinds of words')}. Tests exchange and resample {tested.options.unit}s."),
            f"Test signature: {tested.options.signature()}.",
            *context(study.pair, study.evaluation),
        ),
        columns,
        facts_of(study.pair, study.evaluation)
        | {"kind": kind, "test_signature": tested.options.signature(), "n_tests": tested.n_tests},
        title=f"Words by {kind}",
    )


def words_verdict(study: ComparisonContext, kind: str, buckets: Sequence[WordBucket], tested: SliceComparison) -> Text:
    """Which kinds of words each system gets significantly better."""
    delta = _delta(buckets)
    clear = [index for index in tested.tests if tested.is_significant(index)]
    first, second = study.pair
    ahead = [
        _better(name, kind, [index for index in clear if sign * delta[index] > 0], buckets, delta)
        for name, sign in ((second, 1), (first, -1))
    ]
    said = [one for one in ahead if one is not None]
    if not said:
        return verdict(
            "No significant difference between {} and {} in any kind of words.", strong(first), strong(second)
        )
    return verdict(" ".join(["{}"] * len(said)), *said)


def telling_kinds(buckets: Sequence[WordBucket], tested: SliceComparison) -> list[int]:
    """Kinds in which A and B do not match all words alike: those beyond chance first, and of larger differences."""
    delta = _delta(buckets)
    found = [index for index, bucket in enumerate(buckets) if bucket.most_different is not None]
    clear = {index for index in tested.tests if tested.is_significant(index)}
    return sorted(found, key=lambda index: (index not in clear, -abs(delta[index])))[:MOST_NAMED]


def example_title(bucket: WordBucket) -> Markup:
    """Of which kind the example is, and the word in which A and B differ most."""
    return Markup('<p class="bs-phrase">{}: <bdi class="bs-token bs-ngram">{}</bdi></p>').format(
        bucket.name, bucket.most_different
    )


def what_note(kind: str, tested: SliceComparison) -> Text:
    """What is compared, and by which test."""
    drawn = f"{tested.options.unit}s"
    method = note("{}. Tests exchange and resample {}.", family_words(tested, "kinds of words"), drawn)
    return note(WHAT, defined("F1"), WORD_KINDS[kind]) + explaining(method, "p", *OF_METHODS)


def _better(
    name: str, kind: str, which: Sequence[int], buckets: Sequence[WordBucket], delta: Floats
) -> Sentence | None:
    if not which:
        return None
    leading = sorted(which, key=lambda index: -abs(delta[index]))[:MOST_NAMED]
    told = ", ".join(f"{buckets[index].name} ({numbers.difference(abs(float(delta[index])))} F1)" for index in leading)
    more = "" if len(leading) == len(which) else f" and {len(which) - len(leading)} more"
    return sentence("{} gets words significantly better, by {}: {}{}.", strong(name), kind, told, more)


def _delta(buckets: Sequence[WordBucket]) -> Floats:
    return np.array([float(f1_score(second) - f1_score(first)) for first, second in (one.sums for one in buckets)])


def _examples(words: Sequence[tuple[str, int, int]]) -> str:
    return ", ".join(f"{word} {first} : {second}" for word, first, second in words)
