"""Names of judges and systems -> the maker whose language model they name."""

import re
from collections.abc import Mapping
from types import MappingProxyType

_MAKERS: Mapping[str, str] = MappingProxyType(
    {
        "OpenAI": r"(?:chat)?gpt|o[134]|openai|davinci",
        "Anthropic": r"claude|anthropic",
        "Google": r"gemini|gemma|palm|bard|translategemma",
        "Meta": r"(?:code|meta)?llama|meta",
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
"""By maker, the words that their models' names begin with; digits and what follows are taken off before."""
_MAKER_OF = MappingProxyType({maker: re.compile(pattern) for maker, pattern in _MAKERS.items()})
_ALSO_A_CODE = re.compile(r"o[134]", re.IGNORECASE)
_ALSO_A_NAME = re.compile(r"claude|nova|phi|yi|aya|meta|bard|gemma|grok|palm|command|tower|o[134]")
"""What may be the name or the code of a person: it names a model only with a version."""
_WORD = re.compile(r"o[134](?![a-z0-9])|[a-z]+", re.IGNORECASE)
_VERSION = re.compile(r"[0-9]")
_LONGEST = 200


def maker_of(name: str) -> str | None:
    """Whose language model a name is ("gpt-4o" is OpenAI's); ``None`` where it names none that is known."""
    for word in _WORD.findall(name[:_LONGEST].casefold()):
        found = next((maker for maker, pattern in _MAKER_OF.items() if pattern.fullmatch(word)), None)
        if found is not None:
            return found
    return None


def is_model(rater: str) -> bool:
    """Whether a rater is named as a language model is: by a family that no person is called by, or with a version."""
    if "@" in rater or _ALSO_A_CODE.fullmatch(rater.strip()):  # a person's address at a maker, or number among codes
        return False
    words = _WORD.findall(rater[:_LONGEST].casefold())
    named = [word for word in words if maker_of(word) is not None]
    is_clear = any(not _ALSO_A_NAME.fullmatch(word) for word in named)
    return is_clear or (bool(named) and _VERSION.search(rater) is not None)


def are_related(judge: str, system: str) -> bool:
    """Whether a system is a judge's own: the same model, or a model of the same maker."""
    maker = maker_of(judge)
    return judge.casefold() == system.casefold() or (maker is not None and maker == maker_of(system))
