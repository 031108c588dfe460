"""Letters that look like those of another script, and words that have them where the letters around are of that one."""

from collections.abc import Sequence

import regex

_PAIRS = (
    ("АВЕКМНОРСТУХЅІЈԚԜасеорухѕіјһԁԛԝӏ", "ABEKMHOPCTYXSIJQWaceopyxsijhdqwl"),  # Cyrillic
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαικνρτυγϲ", "ABEZHIKMNOPTYXoaikvptuyc"),  # Greek
    ("ՍՏՕոսօհցզ", "USOnuohgq"),  # Armenian
    ("ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᎾᏢᎡᏚᎢᏙᏔᏃ", "ABCDEHJKLMOPRSTVWZ"),  # Cherokee
)
LATIN_OF = {ord(one): latin for looking, letters in _PAIRS for one, latin in zip(looking, letters, strict=True)}
"""The Latin letter that each letter of another script looks like (Unicode Technical Standard 39, the plainest)."""

_OTHERS = r"\p{Greek}\p{Cyrillic}\p{Armenian}\p{Cherokee}"
SUSPECT = rf"\p{{Latin}}\pM*[{_OTHERS}]|[{_OTHERS}]\pM*\p{{Latin}}|(?:^|[^\pL\pM\p{{N}}])[A-Za-z](?:$|[^\pL\pM\p{{N}}])"
"""Letters of two scripts side by side, or a Latin letter that stands alone (RE2)."""

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_LATIN, _OTHER = regex.compile(r"\p{Latin}"), regex.compile(rf"[{_OTHERS}]")
_LOOKING, _LOOKED_AT = {chr(code) for code in LATIN_OF}, {*LATIN_OF.values()}
_MAX_CHARACTERS = 20_000


def has_false_words(text: str, originals: Sequence[str], *, is_foreign: bool = False) -> bool:
    """Whether there is a word with a letter that only looks like one of its script, and that no original has.

    The text is Latin by most of its letters; or if other ones are foreign to the originals, and all look like Latin.
    """
    text = text[:_MAX_CHARACTERS]
    others = _OTHER.findall(text)
    is_latin = len(_LATIN.findall(text)) >= len(others) or (is_foreign and _LOOKING.issuperset(others))
    suspects = {word for word in _WORD.findall(text) if _is_false(word, is_latin=is_latin)}
    return any(not any(word in original for original in originals) for word in suspects)


def _is_false(word: str, *, is_latin: bool) -> bool:
    """Whether those letters of a word all look like others that are fewer than its rest, or of the wrong script."""
    latin, other = _LATIN.findall(word), _OTHER.findall(word)
    if latin and other:
        is_latin = len(latin) > len(other) or (is_latin and len(latin) == len(other))
        return set(other) <= _LOOKING if is_latin else set(latin) <= _LOOKED_AT
    return bool(other) and set(other) <= _LOOKING if is_latin else len(word) == 1 and word in _LOOKED_AT
