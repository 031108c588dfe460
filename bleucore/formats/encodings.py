"""Which encodings the bytes of a text may be in: offers with what they make of it, never a decision."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from bleucore.errors import EncodingOffer

_N_OFFERS = 4
_LEAST, _WITHIN = 0.6, 0.35
"""The share of characters that have to be usual, and how far behind the best an offer may lie."""
_SAMPLE_CHARACTERS = 20_000
_MAX_LINE = 160
_BEFORE = 60
_MIN_KANA = 0.1
_COST_OF_ODD_WORDS = 0.8

_WESTERN: tuple[str, ...] = (
    "äöüß",
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúüª",
    "áâãàçéêíóôõú",
    "àèéìíîòóùú",
    "åäöé",
    "æøåé",
    "éëïóöüè",
)
_WESTERN += ("áðéíóúýþæö", "àçèéíïòóúü·")
_CENTRAL = ("áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîşţ", "čćđšž", "äöüß")
_CYRILLIC: tuple[str, ...] = (
    "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "абвгдежзийклмнопрстуфхцчшщьюяґєії",
    "абвгдежзиклмнопрстуфхцчшђјљњћџ",
)
_CYRILLIC += ("абвгдежзійклмнопрстуўфхцчшыьэюяё",)
_GREEK = ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ",)
_TURKISH = ("çğıöşüâîûi̇",)
_BALTIC = ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž")
_HEBREW = ("".join(map(chr, range(0x5D0, 0x5EB))),)
_ARABIC = ("".join(map(chr, (*range(0x621, 0x653), 0x67E, 0x686, 0x698, 0x6AF, 0x60C, 0x61B, 0x61F))),)
_THAI = ("".join(map(chr, range(0xE01, 0xE5C))),)
_VIETNAMESE = ("àáâãèéêìíòóôõùúýăđơư\u0300\u0301\u0303\u0309\u0323",)

# In the order in which those that read a text alike are offered: the first only.
_ALPHABETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "windows-1252": _WESTERN,
        "windows-1255": _HEBREW,
        "windows-1251": _CYRILLIC,
        "windows-1250": _CENTRAL,
        "iso-8859-2": _CENTRAL,
        "koi8-u": _CYRILLIC,
        "koi8-r": _CYRILLIC,
        "windows-1253": _GREEK,
        "windows-1254": _TURKISH,
        "windows-1256": _ARABIC,
        "windows-1257": _BALTIC,
        "windows-1258": _VIETNAMESE,
        "windows-874": _THAI,
    }
)
_LATIN = frozenset({"windows-1252", "windows-1250", "iso-8859-2", "windows-1254", "windows-1257", "windows-1258"})
# Bytes of the common characters of each: the first byte decides (level 1 of the national standards).
_EAST_ASIAN: Mapping[str, tuple[str, int, int]] = MappingProxyType(
    {
        "euc-kr": ("euc-kr", 0xB0, 0xC8),
        "euc-jp": ("euc-jp", 0xB0, 0xCF),
        "shift_jis": ("shift_jis", 0x88, 0x98),
        "gb18030": ("gb2312", 0xB0, 0xD7),
        "big5": ("big5", 0xA4, 0xC6),
    }
)
_WIDE = ("utf-16-le", "utf-16-be")
_CODECS: Mapping[str, str] = MappingProxyType(
    {"windows-874": "cp874", "euc-kr": "cp949", "shift_jis": "cp932", "big5": "cp950"}
)
READABLE: tuple[str, ...] = (
    *_ALPHABETS,
    *_EAST_ASIAN,
    *_WIDE,
    "utf-8",
    "iso-8859-1",
    "iso-8859-15",
    "iso-8859-5",
    "iso-8859-7",
)
READABLE += ("iso-8859-9", "cp437", "cp850", "cp852", "cp866", "gbk", "gb2312", "cp932", "cp949", "cp950")
"""The names of encodings that a text can be read in."""

_USUAL_SIGNS = frozenset("“”„‘’‚–—…«»‹›·•°§©®™€£¥¿¡№ºª²³½¼¾×±\u00a0\u00ad´`")
_WORD = re.compile(r"[^\W\d_]+")


def codec_of(encoding: str) -> str | None:
    """Python's name of a readable encoding, whatever its case and dashes; ``None`` for any other."""
    asked = re.sub(r"[ _-]", "", encoding.lower())
    asked = re.sub(r"^(?:cp|win|windows)(?=125|874)", "windows", asked)
    asked = {"latin1": "iso88591", "latin2": "iso88592", "sjis": "shiftjis", "utf16": "utf16le"}.get(asked, asked)
    name = next((name for name in READABLE if re.sub(r"[ _-]", "", name) == asked), None)
    return None if name is None else _CODECS.get(name, name)


def encoding_offers(content: bytes, *, is_wide: bool = False) -> tuple[EncodingOffer, ...]:
    """The encodings that fit, the most plausible first; of those that read the text alike the first.

    An encoding fits if all of the bytes are characters in it and most of these are usual ones of a language that is
    written in it. Plausible is not certain: whoever made the file has to say.

    Args:
        content: The bytes, which are no UTF-8.
        is_wide: Whether every other byte is zero, so that it can only be UTF-16.
    """
    found: list[tuple[float, str, str]] = []
    for name in _WIDE if is_wide else (*_EAST_ASIAN, *_ALPHABETS):
        try:
            text = content.decode(_CODECS.get(name, name))
        except UnicodeDecodeError:
            continue
        found.append((_wide_plausibility(text) if is_wide else _plausibility(name, _sample(text)), name, text))
    best = max((score for score, _, _ in found), default=0.0)
    offers: list[tuple[str, str]] = []
    for score, name, text in sorted(found, key=lambda one: -one[0]):
        if score >= max(_LEAST, best - _WITHIN) and all(text != other for _, other in offers):
            offers.append((name, text))
    return tuple(EncodingOffer(name, *_first_line(text)) for name, text in offers[:_N_OFFERS])


def _sample(text: str) -> str:
    """The lines that are not plain ASCII, up to some length."""
    parts, length = list[str](), 0
    for line in _lines(text):
        if not line.isascii():
            parts.append(line[:_SAMPLE_CHARACTERS])
            length += len(parts[-1])
            if length > _SAMPLE_CHARACTERS:
                break
    return "\n".join(parts)


def _lines(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end].removesuffix("\r")
        start = end + 1


def _plausibility(name: str, sample: str) -> float:
    """The share of usual characters among those that are not ASCII, less a part of that of odd words."""
    characters = [character for character in sample if not character.isascii()]
    if not characters or any(unicodedata.category(character) in ("Cc", "Co", "Cn") for character in characters):
        return 0.0
    if name in _EAST_ASIAN:
        return _east_asian_share(name, characters)
    usual = max(
        sum(character in _USUAL_SIGNS or character.lower() in alphabet for character in characters)
        for alphabet in map(frozenset, _ALPHABETS[name])
    )
    words = [word for word in _WORD.findall(sample) if not word.isascii()]
    n_odd = sum(_is_odd(word, is_latin=name in _LATIN) for word in words)
    return usual / len(characters) - (_COST_OF_ODD_WORDS * n_odd / len(words) if words else 0.0)


def _is_odd(word: str, *, is_latin: bool) -> bool:
    """Whether the word has a capital within, or Latin letters among those of another script."""
    rest = word[1:]
    has_case = rest.upper() != rest.lower()
    return (has_case and not (rest.islower() or word.isupper())) or (
        not is_latin and any(character.isascii() for character in word)
    )


def _east_asian_share(name: str, characters: list[str]) -> float:
    codec, first, last = _EAST_ASIAN[name]
    n_kana = sum("\u3041" <= character <= "\u30ff" for character in characters)
    n_signs = sum("\u3000" <= character <= "\u303f" or "\uff00" <= character <= "\uff5e" for character in characters)
    n_signs += sum(character in _USUAL_SIGNS for character in characters)
    is_korean, is_japanese = name == "euc-kr", name in ("euc-jp", "shift_jis")
    n_common = 0
    for character in characters:
        code = character.encode(codec, errors="ignore")
        n_common += len(code) > 1 and first <= code[0] <= last and (not is_korean or "가" <= character <= "힣")
    share = (n_common + n_signs + (n_kana if is_japanese else 0)) / len(characters)
    return share * 0.5 if is_japanese and n_kana < _MIN_KANA * len(characters) else share


def _wide_plausibility(text: str) -> float:
    """The share of letters, digits, blanks and usual signs in a text of two bytes a character."""
    sample = text[:_SAMPLE_CHARACTERS]
    if any(not character.isspace() and unicodedata.category(character) == "Cc" for character in sample):
        return 0.0
    usual = sum(
        character.isalnum() or character.isspace() or (character.isascii() and character.isprintable())
        for character in sample
    )
    return usual / len(sample) if sample else 0.0


def _first_line(text: str) -> tuple[int, str]:
    """The number and the text of the first line that is not ASCII, else of the first."""
    for number, line in enumerate(_lines(text), start=1):
        if not line.isascii():
            at = next(index for index, character in enumerate(line) if not character.isascii())
            start = max(0, at - _BEFORE) if len(line) > _MAX_LINE else 0
            return number, ("…" if start else "") + line[start : start + _MAX_LINE]
    return 1, text.partition("\n")[0][:_MAX_LINE]
