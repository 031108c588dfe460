"""The languages of a test set: what its files say of them, else what their names say."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bleucore.formats.columns import Column
from bleucore.formats.titles import common_pair

_PAIRS_OF_CODES = """ara-ar cat-ca ces-cs cym-cy dan-da deu-de ell-el eng-en est-et eus-eu fas-fa fin-fi fra-fr gle-ga
guj-gu heb-he hin-hi hrv-hr hun-hu ibo-ig isl-is ita-it jpn-ja kat-ka kaz-kk khm-km kor-ko lav-lv lit-lt mya-my nld-nl
nob-nb nor-no pol-pl por-pt ron-ro rus-ru slk-sk slv-sl spa-es srp-sr swe-sv swh-sw tam-ta tel-te tha-th tur-tr ukr-uk
urd-ur vie-vi xho-xh yor-yo zho-zh zul-zu"""
_NAMES = """arabic-ar chinese-zh czech-cs dutch-nl english-en farsi-fa finnish-fi french-fr german-de hindi-hi
italian-it japanese-ja korean-ko persian-fa portuguese-pt russian-ru spanish-es turkish-tr ukrainian-uk urdu-ur"""
_CODES: Mapping[str, str] = MappingProxyType(dict(one.split("-") for one in f"{_PAIRS_OF_CODES} {_NAMES}".split()))
"""What programs that read aloud know, by what files of evaluations have: ISO 639-3, English names in NIST's."""
_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")


def language_tag(said: str) -> str | None:
    """A language as the web writes it ("de", "pt-BR"), from a code or an English name; ``None`` for other words."""
    known = _CODES.get(said.strip().casefold())
    if known is not None or _TAG.fullmatch(said.strip()) is None:
        return known
    language, *rest = re.split("[-_]", said.strip())
    return "-".join([_CODES.get(language.casefold(), language.casefold()), *rest])


def languages_of(columns: Sequence[Column]) -> tuple[str | None, str | None]:
    """The language of the source, and that of references and outputs; ``None`` where nothing tells."""
    said = {
        column.role: tag for column in reversed(columns) if (tag := language_tag(column.language or "")) is not None
    }
    source, target = (language_tag(name) for name in common_pair(columns) or ("", ""))
    return said.get("source", source), said.get("reference", said.get("hypothesis", target))
