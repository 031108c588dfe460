"""Why texts are scored with a tokenizer of their own, in words, for pages and commands."""

from bleucore.tokens.tokenizer_choice import WITHOUT_WORDS, AnyTokenizerName, TokenizerProposal
from bleucore.tokens.writing import SEVERAL
from bleuscope.content.style import numbers

WHOLE = 0.9
"""The share from which a script is taken to be that of all references."""


def tokenizer_line(proposal: TokenizerProposal | None, tokenizer: AnyTokenizerName) -> str | None:
    """Which tokenizer was proposed and why; ``None`` where another one is in use, or none was proposed."""
    if proposal is None or tokenizer != proposal.tokenizer:
        return None
    written = _written(proposal)
    if proposal.missing_packages:
        return (
            f"{written} The tokenizer for that, {proposal.suitable}, is not installed (it needs the packages "
            f"{' and '.join(proposal.missing_packages)}): scored with {tokenizer}, character by character. "
            f"To install it: {proposal.how_to_install}"
        )
    what = "character by character" if tokenizer == WITHOUT_WORDS else "sacreBLEU's tokenizer for it"
    return f"{written} Scored with {tokenizer}, {what}."


def tokenizer_warning(proposal: TokenizerProposal | None, tokenizer: AnyTokenizerName) -> str | None:
    """What commands, which keep sacreBLEU's default, say of a tokenizer that does not suit; ``None`` if it does."""
    if proposal is None or tokenizer == proposal.suitable:
        return None
    option = f"--tokenize {proposal.tokenizer}"
    if proposal.accepts(tokenizer):
        is_usual = proposal.writing.has_blanks and tokenizer != WITHOUT_WORDS
        return f"{_written(proposal)} It is usually scored with {option}." if is_usual else None
    return f"{_written(proposal)} The tokenizer {tokenizer} does not find them: score with {option}."


def _written(proposal: TokenizerProposal) -> str:
    """How the references are written, a sentence."""
    writing = proposal.writing
    share = "" if writing.share >= WHOLE else f"{numbers.percent(writing.share)} of "
    references = f"{share}the references"
    is_are = "is" if share else "are"
    language = "" if writing.language == SEVERAL else f" {writing.language}"
    blanks = "" if writing.has_blanks else f"{', ' if language else ' '}written without blanks between words"
    sentence = f"{references} {is_are}{language}{blanks}."
    return sentence[0].upper() + sentence[1:]
