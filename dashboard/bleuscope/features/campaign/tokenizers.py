"""The tokenizer that a test set of a campaign is scored with unless somebody chooses one."""

from collections.abc import Sequence

from bleucore import BleuOptions
from bleucore.tokens.tokenizer_choice import AnyTokenizerName
from bleuscope.shell.disk.mecab import proposed_tokenizer


def tokenizer_for(references: Sequence[Sequence[str | None]]) -> AnyTokenizerName:
    """What is proposed for a single test set with these references, or with such beginnings of them."""
    proposal = proposed_tokenizer(references)
    return proposal.tokenizer if proposal is not None else BleuOptions.tokenizer
