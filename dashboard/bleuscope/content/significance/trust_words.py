"""How the page Trust shows answers."""

from bleuscope.content.style.sentences import Sentence, Text, note, paragraph


def line(answer: Sentence | Text | None, about: str) -> Text:
    """An answer next to its question, or what its page finds out."""
    if isinstance(answer, Text):
        return answer
    return note("{}", about) if answer is None else paragraph("bs-answer-line", "{}", answer)
