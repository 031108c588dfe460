"""Names of judges and systems -> the maker whose language model they name."""

import re
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

_MAKERS: Mapping[str, str] = MappingProxyType(
    {
        "OpenAI": r"(?:chat)?gpt|o[134]|openai|davinci",
        "Anthropic": r"claude|anthropic",
        "Google": r"gemini|gemma|palm|bard|translategemma",
        "Meta": r"(?:code|meta)?llama",
        "Mistral": r"mistral|mixtral|ministral|magistral",
        "Alibaba": r"qwen|qwq|tongyi",
        "DeepSeek": r"deepseek[vr]?",
        "Cohere": r"command[ar]?|aya(?:expanse|vision)?|cohere",
        "xAI": r"grok",
        "Microsoft": r"phi",
        "Zhipu": r"(?:chat)?glm",
        "Unbabel": r"tower(?:instruct|base|blocks|plus)?",
        "01.AI": r"yi",
        "Moonshot": r"kimi|moonshot",
        "Amazon": r"nova",
    }
)
"""By maker, the words that their models' names have, whole and without a version."""
_MAKER_OF = MappingProxyType({maker: re.compile(pattern) for maker, pattern in _MAKERS.items()})
_ALSO_A_CODE = re.compile(r"o[134]", re.IGNORECASE)
_ALSO_A_NAME = re.compile(r"claude|nova|phi|yi|aya|bard|gemma|grok|palm|command|tower|o[134]")
"""What may also be a person, a code or a word: it names a model only with what follows in models' names."""
_SECOND = re.compile(
    r"[vr]?[0-9].*|opus|sonnet|haiku|instant|preview|mini|pro|lite|micro|premier|plus|light|nightly|large|medium|small"
    r"|instruct|base"
)
"""What stands behind a family in the name of a model: its version, or its size."""
_TWO_PARTS = re.compile(r"(command|aya)[-_ ]+(r|a|expanse|vision)(?![a-z])")
"""Families of two words."""
_PART = re.compile(r"o[134](?![a-z0-9])|[a-z]+|[0-9]+[a-z]?", re.IGNORECASE)
_LONGEST = 200


def maker_of(name: str, *, is_model: bool = False) -> str | None:
    """Whose language model a name is ("gpt-4o" is OpenAI's); ``None`` where it names none that is known.

    Args:
        name: Of a judge or a system; whole parts of it count.
        is_model: Whether it is known to be that of a model. Else "o1", "Claude" and the like count with a version only.
    """
    parts = _PART.findall(_TWO_PARTS.sub(r"\1\2", name[:_LONGEST].casefold()))
    for part, second in pairwise((*parts, "")):
        found = next((maker for maker, pattern in _MAKER_OF.items() if pattern.fullmatch(part)), None)
        if found is not None and (is_model or not _ALSO_A_NAME.fullmatch(part) or _SECOND.fullmatch(second)):
            return found
    return None


def is_model(rater: str) -> bool:
    """Whether a rater is named as a language model is: by a family that no person is called by, or with a version."""
    if "@" in rater or _ALSO_A_CODE.fullmatch(rater.strip()):  # a person's address at a maker, or number among codes
        return False
    return maker_of(rater) is not None


def are_related(judge: str, system: str) -> bool:
    """Whether a system is a judge's own: the same model, or a model of the same maker."""
    maker = maker_of(judge, is_model=True)
    return judge.casefold() == system.casefold() or (maker is not None and maker == maker_of(system))
