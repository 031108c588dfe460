"""Answers of judges -> verdicts: which of two outputs is better, or a score; nothing where an answer says neither."""

import json
import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from bleucore.formats.json_values import Number

Winner: TypeAlias = Literal["first", "second", "tie"]

_LONGEST = 20_000
"""Of an answer that is searched; the verdict stands at its end."""
_WORDS: Mapping[str, Winner] = {
    **dict.fromkeys(("a", "1", "first", "response a", "output a", "translation a", "assistant a", "system a"), "first"),
    **dict.fromkeys(("model_a", "model_1", "system_a", "system_1", "output_a", "output_1"), "first"),
    **dict.fromkeys(
        ("b", "2", "second", "response b", "output b", "translation b", "assistant b", "system b"), "second"
    ),
    **dict.fromkeys(("model_b", "model_2", "system_b", "system_2", "output_b", "output_2"), "second"),
    **dict.fromkeys(("c", "tie", "tied", "equal", "draw", "same", "both", "neither", "0", "a=b", "b=a", "="), "tie"),
    **dict.fromkeys(("tie (inconsistent)", "tie (bothbad)", "no preference", "no difference"), "tie"),
    **dict.fromkeys(("a>b", "a>>b", "b<a", "b<<a"), "first"),
    **dict.fromkeys(("b>a", "b>>a", "a<b", "a<<b"), "second"),
}
_MARKED = re.compile(r"\[\[\s{0,8}([^\[\]]{1,40}?)\s{0,8}\]\]")
_NAMED = re.compile(
    r"\b(?:verdict|winner|answer|preference|preferred|choice|better)\b[\"'*]{0,4}\s{0,4}(?:is\b|:|=)[\s\"'*:]{0,6}"
    r"(?:(?:translation|output|response|assistant|system)\s{1,4}|an?\s{1,4}(?=tie|draw))?"
    r"((?-i:[AB])\s?(?:>{1,2}|<{1,2}|=)\s?(?-i:[AB])|(?-i:[ABC])|1|2|first|second|tie|tied|draw|equal|both|neither)\b"
    r"(?!\s?[<>=])",
    re.IGNORECASE,
)
"""A letter counts as a capital alone: "is a close one" names no output."""
_SCORED = re.compile(
    r"\b(?:score|rating|grade|verdict)\b[\"'*]{0,4}\s{0,4}(?:is\b|:|=)?[\s\"'*:]{0,6}"
    r"(-?[0-9]{1,6}(?:\.[0-9]{1,30})?)\b(?!\s?[-–][0-9]|[.,][0-9])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+]?[0-9]{1,100}(?:\.[0-9]{1,100})?(?:[eE][-+]?[0-9]{1,3})?(?:\s*/\s*(?:5|10|100))?")
_KEYS = ("winner", "verdict", "preference", "choice", "answer", "better", "judgement", "judgment", "decision")
_SCORE_KEYS = ("score", "rating", "grade", "overall")


def winner_in(answer: str, names: tuple[str, str] | None = None) -> Winner | None:
    """Which output an answer prefers, of the first and the second shown; ``None`` where it does not say.

    A word alone ("A", "tie", a system's name), the last of marks such as "[[B]]", a field of JSON ("winner"), or
    the last "Verdict: A".

    Args:
        answer: As the judge gave it.
        names: The systems in the order shown, where answers may name them.
    """
    text = answer[-_LONGEST:].strip()
    plain = _plain(text)
    if names is not None and (one := named_in(text, names)) is not None:
        return one
    if plain in _WORDS:
        return _WORDS[plain]
    for found in reversed(_MARKED.findall(text)):
        if (winner := winner_in(found, names)) is not None:
            return winner
    said = _field(text, _KEYS)
    if said is not None:
        return _WORDS.get(_plain(said)) if names is None else winner_in(said, names)
    named = _NAMED.findall(text)
    return _WORDS.get("".join(named[-1].casefold().split())) if named else None


def named_in(text: str, names: tuple[str, str]) -> Winner | None:
    """Which of two systems, in the order shown, a text names and nothing else; ``None`` where it names neither."""
    for said, called in ((text, names), (_plain(text), tuple(map(_plain, names)))):
        if said in called and called[0] != called[1]:
            return "first" if said == called[0] else "second"
    return None


def score_in(answer: str) -> str | None:
    """The score that an answer gives, as it is written; ``None`` where it gives none.

    A number alone, also "8/10"; the last of marks such as "[[8]]"; a field of JSON ("score"); or the last "Score: 8".
    """
    text = answer[-_LONGEST:].strip()
    if _NUMBER.fullmatch(text.strip("*.` ")):
        return text.strip("*.` ").partition("/")[0].strip()
    for found in reversed(_MARKED.findall(text)):
        if _NUMBER.fullmatch(found):
            return str(found).partition("/")[0].strip()
    said = _field(text, _SCORE_KEYS)
    if said is not None:
        return said if _NUMBER.fullmatch(said) else None
    scored = _SCORED.findall(text)
    return str(scored[-1]) if scored else None


def _plain(text: str) -> str:
    """A short answer without marks around it."""
    return " ".join(text[:_LONGEST].strip(" \t\r\n\"'`*.[]()").casefold().split())


def _field(text: str, keys: tuple[str, ...]) -> str | None:
    """What one of these fields of a JSON object holds, where an answer is one, perhaps in a code block."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        found = json.loads(text[start : end + 1], parse_int=Number, parse_float=Number, parse_constant=Number)
    except (RecursionError, ValueError):
        return None
    if not isinstance(found, dict):
        return None
    lowered = {str(key).casefold(): value for key, value in found.items()}
    value = next((lowered[key] for key in keys if key in lowered), None)
    return str(value) if isinstance(value, str) else None
