"""What the parts of a file's or a column's name say: roles, languages, test sets, endings."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Literal

from bleucore.formats.columns import Role

Kind = Literal["role", "language", "pair", "test set", "processing", "ending"]
MOST_REMEMBERED = 10_000
"""Names that are not taken apart again: files of a campaign are called alike on every test set."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OUTPUTS = "hyp hyps hypo hypothesis hypotheses"
_REFERENCES = """ref refs reference references gold golden groundtruth referenz référence referencia riferimento
эталон еталон 参考 参考译文 參考譯文 参考訳 参照 参照訳 正解 人手翻訳
人工翻译 人工译文 人工譯文 참조 정답 مرجع المرجع संदर्भ อ้างอิง referans
referensi rujukan referencja riferimenti referentie ייחוס αναφορά"""
_SOURCES = """src source sources quelle quelltext ausgangstext fuente origen источник оригинал исходный 原文 源文 ソース
원문 مصدر المصدر स्रोत ต้นฉบับ kaynak sumber zdroj źródło джерело מקור πηγή"""
_FURTHER_OUTPUTS = """out outs output outputs sys system systems mt pred preds prediction predictions predicted
translation translations translated trans candidate candidates cand generated generate generation decoded decode
response responses übersetzung übersetzungen traduction traducción traduzione перевод 译文 譯文 翻訳 訳文 번역 ترجمة"""
_FURTHER_REFERENCES = "target targets tgt trg truth expected labels"
_FURTHER_SOURCES = "input inputs original originals orig"
_DOCUMENTS = "doc docs document documents docid docids"

_RANKED: tuple[tuple[Role, str], ...] = (
    ("hypothesis", _OUTPUTS),
    ("reference", _REFERENCES),
    ("source", _SOURCES),
    ("documents", _DOCUMENTS),
    ("hypothesis", _FURTHER_OUTPUTS),
    ("reference", _FURTHER_REFERENCES),
    ("source", _FURTHER_SOURCES),
)
RANKS = tuple((role, _words(words)) for role, words in _RANKED)
"""Words and their roles, those first that outrank others: "reference_output" is a reference, "output.tgt" an output."""

LANGUAGES = _words(
    """af am ar as az be bg bn bo br bs ca cs cy da de el en eo es et eu fa fi fil fo fr fy ga gd gl gu ha he hi hr ht
    hu hy id ig is it iu ja jv ka kk km kn ko ku ky la lb lg ln lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn no ny
    om or pa pl ps pt ro ru rw sa sd si sk sl sm sn so sq sr st su sv sw ta te tg th ti tk tl tn tr ts tt ug uk ur uz
    vi wo xh yi yo zh zu liv sah hsb dsb bho mai ars arz cjk bem csb szl ltg sme smi chv cat ces deu ell eng est
    fin fra hin hrv hun isl ita jpn kor lav lit nld nob nor pol por ron rus slk slv spa swe tha tur ukr vie yue zho
    cmn ara heb hau ibo kaz khm mya swh tam tel urd xho yor zul"""
)
"""ISO 639 codes as file names have them."""

_ENDINGS = _words(
    "txt text tsv tab csv json jsonl ndjson xml sgm sgml xlsx gz xz bz2 zst dat log lines parquet "
    "srt vtt sbv sub ass ssa lrc ttml po pot xlf xliff sdlxliff mxliff mqxliff tmx strings xcstrings arb properties "
    "ftl resx nbest trn stm "
    "textgrid conllu md parquet arrow feather ods eval"
)
_PROCESSING = _words(
    "tok detok tokenized detokenized tokenised detokenised lc lower lowercased tc truecased bpe debpe spm sp post "
    "postproc postprocessed norm normalized plain"
)
_TEST_SET = re.compile(
    r"(?:generaltest|newstest|newsdev|newsdiscusstest|newsdiscussdev|wmttest|wmt|iwslt|flores|florestest|ntrex|tst"
    r"|tatoeba)\d*[a-z]?|test|testset|devtest|dev|valid|validation|eval|all|(?:19|20)\d\d",
    re.IGNORECASE,
)
_SCRIPT = (
    "(?:Adlm|Arab|Armn|Bali|Beng|Cans|Cher|Cyrl|Deva|Ethi|Geor|Grek|Gujr|Guru|Hang|Hani|Hans|Hant|Hebr|Java|Jpan|Khmr"
    "|Knda|Kore|Laoo|Latn|Mlym|Mong|Mtei|Mymr|Nkoo|Olck|Orya|Sinh|Syrc|Taml|Telu|Tfng|Thaa|Thai|Tibt|Yiii)"
)
"""ISO 15924, as FLORES has them."""
_LETTER = "(?:[^\\W_]|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u0670\u0900-\u0963\u0970-\u109f\u1780-\u17dd])"
"""A letter or digit, with the marks that are part of words in India and its neighbours, in Hebrew and in Arabic."""
_PIECE = re.compile(
    rf"[a-z]{{3}}_{_SCRIPT}(?:(?:-|2|_to_|-to-)[a-z]{{3}}_{_SCRIPT})?"
    r"|(?<![^\W_])[a-z]{2,3}(?:[-_][A-Z]{2})?(?:-|_|2|-to-|_to_|→)[a-z]{2,3}(?:[-_][A-Z]{2})?(?![^\W_])"
    rf"|{_LETTER}+(?:'{_LETTER}+)*"
    r"|[^\w\s.\-]+",
)
_PAIR = re.compile(r"(.+?)(?:-to-|_to_|-|2|→|_)(.+)")
_INDEX = re.compile(r"([^\W\d_]+?)(?:[0-9]{1,3}|(?<=[a-z])[A-Z])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_OF_IDENTIFIERS = _words("text texts sentence sentences segment segments translation id ids name names")


@dataclass(frozen=True)
class Part:
    """One part of a name, between separators.

    Attributes:
        text: As it is written.
        before: What separates it from the part before; "" for the first.
        start: Where it begins in the name.
    """

    text: str
    before: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends in the name."""
        return self.start + len(self.text)

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """What it can be, where that is known; a word that is part of a system's name has none."""
        word = self.text.casefold()
        is_kind: Mapping[Kind, bool] = MappingProxyType(
            {
                "role": role_of_word(word) is not None,
                "language": language_of(self.text) is not None,
                "pair": pair_of(self.text) is not None,
                "test set": _TEST_SET.fullmatch(word) is not None,
                "processing": self.text in _PROCESSING,  # "LC-3" is somebody's system
                "ending": word in _ENDINGS,
            }
        )
        return frozenset(kind for kind, applies in is_kind.items() if applies)


@lru_cache(MOST_REMEMBERED)
def parts_of(name: str) -> tuple[Part, ...]:
    """The parts of a name at dots, dashes, underscores and blanks; a language pair ("cs-en") is one part."""
    found: list[Part] = []
    end = position = 0
    while (match := _PIECE.search(name, position)) is not None:
        text = match.group()
        if pair_of(text) is None and language_of(text) is None and re.search(r"[-_→]", text):
            text = re.split(r"[-_→]", text)[0]  # looked like a pair of languages and is none
        found.append(Part(text, name[end : match.start()] if found else "", match.start()))
        end = position = match.start() + len(text)
    return tuple(found)


def role_of_word(word: str) -> Role | None:
    """The role that a word stands for, in lower case."""
    return next((role for role, words in RANKS if word in words), None)


def rank_of_word(word: str) -> int:
    """How much a word says, 0 the most, in lower case; ``len(RANKS)`` for a word without a role."""
    return next((rank for rank, (_, words) in enumerate(RANKS) if word in words), len(RANKS))


@lru_cache(MOST_REMEMBERED)
def role_word(text: str) -> str | None:
    """The word for a role that a part is, alone or with a number or letter ("ref", "REF", "ref1", "refA", "docId").

    Part of a name such as "DocTransformer" or "SourceTech" it is none.
    """
    word = text.casefold()
    if role_of_word(word) is not None:
        return word
    indexed = _INDEX.fullmatch(text)
    if indexed is not None and role_of_word(indexed.group(1).casefold()) is not None:
        return indexed.group(1).casefold()
    first, *others = (piece.casefold() for piece in _CAMEL.split(text))
    is_identifier = text[:1].islower() and others and set(others) <= _OF_IDENTIFIERS
    return first if is_identifier and role_of_word(first) is not None else None


def language_of(text: str) -> str | None:
    """The language that a part names: "de", "deu_Latn"; ``None`` for other words."""
    script = re.fullmatch(rf"([a-z]{{3}})_{_SCRIPT}", text)
    if script is not None:
        return script.group(1)
    region = re.fullmatch(r"([a-z]{2,3})[-_][A-Z]{2}", text)
    word = region.group(1) if region else text.casefold()
    is_code = word in LANGUAGES and (text.islower() or text.isupper() or region is not None)
    return word if is_code else None


def only_language_in(file: str) -> str | None:
    """The language that a file's name has alone: "fra" of "ref.fra.txt"; ``None`` where it has none or several."""
    parts = parts_of(without_endings(path_of(file)[-1]))
    codes = {code for part in parts if (code := language_of(part.text)) is not None}
    return next(iter(codes)) if len(codes) == 1 and all(pair_of(part.text) is None for part in parts) else None


def pair_of(text: str) -> tuple[str, str] | None:
    """The two languages that a part names ("cs-en", "en2de", "deen"), source first; ``None`` for other words."""
    scripts = re.fullmatch(rf"([a-z]{{3}})_{_SCRIPT}(?:-|2|_to_|-to-)([a-z]{{3}})_{_SCRIPT}", text)
    if scripts is not None:
        return scripts.group(1), scripts.group(2)
    if len(text) == 4 and {text[:2], text[2:]} <= LANGUAGES and "en" in (text[:2], text[2:]):  # noqa: PLR2004  # two codes of two letters
        return text[:2], text[2:]
    found = _PAIR.fullmatch(text)
    if found is None:
        return None
    source, target = (language_of(part) for part in found.groups())
    return (source, target) if source and target and source != target else None


def test_set_of(text: str) -> str | None:
    """A test set of that name as people call it: "WMT22" for "generaltest2022"; ``None`` for other words."""
    found = re.fullmatch(
        r"(generaltest|newstest|wmttest|wmt|newsdev|iwslt|flores|florestest|ntrex|tatoeba|tst)[-_]?(\d*)[a-z]?",
        text.casefold(),
    )
    if found is None:
        return None
    name, number = found.groups()
    if name in ("generaltest", "newstest", "wmttest", "wmt", "newsdev"):
        return f"WMT{number[-2:]}" if number else None
    if name == "iwslt":
        return f"IWSLT{number[-2:]}"
    if name == "tst":
        return f"tst{number}" if number else None
    if name == "florestest":
        return "FLORES"  # of WMT21; the number is the year
    return {"flores": "FLORES", "ntrex": "NTREX", "tatoeba": "Tatoeba"}[name] + (f"-{number}" if number else "")


test_set_of.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever pytest makes of the name


@lru_cache(maxsize=MOST_REMEMBERED)
def path_of(file: str) -> tuple[str, ...]:
    """The folders of a file and its name."""
    return tuple(part for part in re.split(r"[/\\]", file) if part) or (file,)


def without_endings(name: str) -> str:
    """A file's name without endings that say how it is written: ".txt", ".tsv.gz"."""
    while True:
        rest, dot, ending = name.rpartition(".")
        if not dot or not rest or ending.casefold() not in _ENDINGS:
            return name
        name = rest


def words_in_common(names: Iterable[str]) -> frozenset[str]:
    """The parts that all names have, in lower case; nothing of a single name."""
    sets = [frozenset(part.text.casefold() for part in parts_of(name)) for name in names]
    return frozenset.intersection(*sets) if len(sets) > 1 else frozenset()
