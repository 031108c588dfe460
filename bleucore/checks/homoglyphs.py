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

_CYRILLIC_OF = {ord(latin): one for one, latin in zip(_PAIRS[0][0], _PAIRS[0][1], strict=True)}
"""The Cyrillic letter that each Latin one looks like."""

_OTHERS = r"\p{Greek}\p{Cyrillic}\p{Armenian}\p{Cherokee}"
SUSPECT = rf"\p{{Latin}}\pM*[{_OTHERS}]|[{_OTHERS}]\pM*\p{{Latin}}|(?:^|[^\pL\pM\p{{N}}])[A-Za-z](?:$|[^\pL\pM\p{{N}}])"
"""Letters of two scripts side by side, or a Latin letter that stands alone (RE2)."""

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_LATIN, _OTHER = regex.compile(r"\p{Latin}"), regex.compile(rf"[{_OTHERS}]")
_CYRILLIC = {*map(chr, range(0x400, 0x530))}
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


def put_right(text: str) -> str | None:
    """The text with the letters of its own script; ``None`` where that is neither Latin nor Cyrillic."""
    others = _OTHER.findall(text)
    if len(_LATIN.findall(text)) >= len(others) or _LOOKING.issuperset(others):
        return _WORD.sub(lambda word: _as_latin(word[0]), text)
    if _CYRILLIC.issuperset(others):
        return _WORD.sub(lambda word: _as_cyrillic(word[0]), text)
    return None


def _as_latin(word: str) -> str:
    return word.translate(LATIN_OF) if _LOOKING.issuperset(_OTHER.findall(word)) else word


def _as_cyrillic(word: str) -> str:
    is_mixed = len(word) == 1 or _OTHER.search(word) is not None
    return word.translate(_CYRILLIC_OF) if is_mixed and _LOOKED_AT.issuperset(_LATIN.findall(word)) else word


def _is_false(word: str, *, is_latin: bool) -> bool:
    """Whether those letters of a word all look like others that are fewer than its rest, or of the wrong script."""
    latin, other = _LATIN.findall(word), _OTHER.findall(word)
    if latin and other:
        is_latin = len(latin) > len(other) or (is_latin and len(latin) == len(other))
        return set(other) <= _LOOKING if is_latin else set(latin) <= _LOOKED_AT
    return bool(other) and set(other) <= _LOOKING if is_latin else len(word) == 1 and word in _LOOKED_AT
