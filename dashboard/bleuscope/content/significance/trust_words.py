"""How the page Trust shows answers."""

from bleuscope.content.style.sentences import Sentence, Text, note, paragraph


def line(answer: Sentence | None, about: str) -> Text:
    """An answer next to its question, or what its page finds out."""
    return note("{}", about) if answer is None else paragraph("bs-answer-line", "{}", answer)
