"""Does the scoring suit the texts? Asked of the tokenizer, beside the texts themselves."""

from collections.abc import Iterator

import numpy as np

from bleucore.checks.compared_texts import Columns
from bleucore.checks.findings import Observation
from bleucore.tokens.tokenizer_choice import WITHOUT_WORDS, proposed_tokenizer
from bleucore.tokens.writing import SEVERAL


def scored_by_words(columns: Columns) -> Iterator[Observation]:
    """References written without blanks, and a tokenizer that finds words between them."""
    if columns.tokenizer is None:
        return
    proposal = proposed_tokenizer([column.texts for column in columns.references])
    if proposal is None or proposal.accepts(columns.tokenizer):
        return
    language = proposal.writing.language
    written = f"{language} is" if language != SEVERAL else "The references are"
    yield Observation(
        None,
        "error",
        f"{written} written without blanks between words, and the tokenizer {columns.tokenizer} splits at blanks. "
        "Each sentence counts as one word, so scores and lengths mean next to nothing.",
        f"Score with the tokenizer {proposal.tokenizer}"
        + (f", or with {WITHOUT_WORDS}." if proposal.tokenizer != WITHOUT_WORDS else "."),
        np.zeros(columns.n_segments, np.bool_),
    )
