"""The languages of a test set: what its files say of them, else what their names say."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bleucore.formats.columns import Column
from bleucore.formats.titles import common_languages

_PAIRS_OF_CODES = """afr-af als-sq amh-am ara-ar arb-ar asm-as ayr-ay aze-az azj-az bel-be ben-bn bod-bo bos-bs bre-br
bul-bg cat-ca ces-cs cmn-zh cym-cy dan-da deu-de ekk-et ell-el eng-en epo-eo est-et eus-eu fao-fo fas-fa fin-fi fra-fr
gaz-om gla-gd gle-ga glg-gl guj-gu hat-ht hau-ha heb-he hin-hi hrv-hr hun-hu hye-hy ibo-ig isl-is ita-it jav-jv jpn-ja
kan-kn kat-ka kaz-kk khk-mn khm-km kin-rw kir-ky kmr-ku kor-ko lao-lo lav-lv lit-lt ltz-lb lug-lg lvs-lv mal-ml mar-mr
mkd-mk mlg-mg mlt-mt mon-mn mri-mi msa-ms mya-my nep-ne nld-nl nno-nn nob-nb nor-no npi-ne ori-or orm-om ory-or pan-pa
pbt-ps pes-fa plt-mg pol-pl por-pt pus-ps quy-qu ron-ro rus-ru sin-si slk-sk slv-sl smo-sm sna-sn snd-sd som-so sot-st
spa-es sqi-sq srp-sr sun-su swe-sv swh-sw tam-ta tat-tt tel-te tgk-tg tgl-tl tha-th tir-ti tsn-tn tuk-tk tur-tr uig-ug
ukr-uk urd-ur uzb-uz uzn-uz vie-vi wol-wo xho-xh ydd-yi yid-yi yor-yo zho-zh zsm-ms zul-zu"""
_NAMES = """arabic-ar chinese-zh czech-cs dutch-nl english-en farsi-fa finnish-fi french-fr german-de hindi-hi
italian-it japanese-ja korean-ko persian-fa portuguese-pt russian-ru spanish-es turkish-tr ukrainian-uk urdu-ur"""
_CODES: Mapping[str, str] = MappingProxyType(dict(one.split("-") for one in f"{_PAIRS_OF_CODES} {_NAMES}".split()))
"""What programs that read aloud know, by what files of evaluations have: ISO 639-3, English names in NIST's."""
_PAIRS_OF_SCRIPTS = """armenian-hy georgian-ka greek-el gujarati-gu gurmukhi-pa hangul-ko hebrew-he kannada-kn khmer-km
lao-lo malayalam-ml myanmar-my oriya-or sinhala-si tamil-ta telugu-te thai-th tibetan-bo"""
_BY_SCRIPT: Mapping[str, str] = MappingProxyType(dict(one.split("-") for one in _PAIRS_OF_SCRIPTS.split()))
"""Languages that nearly all texts of a script are in, by the first word of its characters' names in Unicode."""
_KANA, _HAN, _LEAST_KANA, _MOST_OF_IT = ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"), "CJK", 0.05, 0.5
_SEGMENTS, _CHARACTERS = 50, 60
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
    source, target = (language_tag(name or "") for name in common_languages(columns))
    return said.get("source", source), said.get("reference", said.get("hypothesis", target))


def language_of_script(texts: Sequence[str | None]) -> str | None:
    """The language of texts whose script tells it, such as Thai or Korean; ``None`` for Latin, Cyrillic and so on.

    The beginnings of some segments are looked at, evenly spaced. Chinese has no kana, Japanese a twentieth at least.
    """
    text = "".join((one or "")[:_CHARACTERS] for one in texts[:: max(1, len(texts) // _SEGMENTS)])
    if text.isascii():
        return None
    times = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    n_kana, n_letters = sum(times[name] for name in _KANA), times.total()
    n_east_asian = n_kana + times[_HAN]
    if n_east_asian > _MOST_OF_IT * n_letters:
        return "ja" if n_kana >= _LEAST_KANA * n_east_asian else "zh"
    script, most = times.most_common(1)[0] if times else ("", 0)
    return _BY_SCRIPT.get(script.lower()) if most > _MOST_OF_IT * n_letters else None
