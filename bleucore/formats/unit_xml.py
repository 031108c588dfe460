"""Files for translators, apps and subtitles in XML: XLIFF, TMX, Qt, .NET, Android, TTML -> columns."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, cast

from defusedxml.ElementTree import ParseError, fromstring

from bleucore.errors import InputError
from bleucore.formats import xml_segments
from bleucore.formats.columns import Column, Role, refuse_excess
from bleucore.formats.names import stem
from bleucore.formats.usual_names import role_of
from bleucore.values import shown
from bleucore.written_numbers import count_of


class Element(Protocol):
    """An element as it was parsed."""

    tag: str
    tail: str | None

    @property
    def attrib(self) -> Mapping[str, str]:
        """Its attributes."""

    def get(self, key: str, default: str) -> str:
        """An attribute."""

    def iter(self) -> Iterator["Element"]:
        """It and all that is in it."""

    def itertext(self) -> Iterator[str]:
        """Its pieces of text."""

    def __iter__(self) -> Iterator["Element"]:
        """What stands in it."""


_ROOT = re.compile(rb"<(?:[\w.-]+:)?(xliff|tmx|resources|ts|tt|annotation_document)[\s>]", re.IGNORECASE)
_WEBNLG = re.compile(rb"<benchmark[\s>].{0,60000}?<lex[\s/>]", re.DOTALL)
_DOT_NET = re.compile(rb"<root>.{0,20000}<(?:resheader|data) name=", re.DOTALL)
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_SPACE = re.compile(r"\s+")
_MEMORY = re.compile(r"(?:^|[^a-z])tms?(?![a-z])|memor(?:y|ies)|\.(?:tmx|sdltm)$", re.IGNORECASE)
_MOST_PARENTS = 8
"""Tiers of ELAN above a tier."""
_FINAL = frozenset({"final", "signed-off"})


def is_unit_xml(content: bytes) -> bool:
    """Whether the root of the markup is that of one of these formats."""
    head = xml_segments.without_doctype(content[: 1 << 16])
    start = xml_segments.start_of_root(head)
    return any(one.match(head, start) is not None for one in (_ROOT, _DOT_NET, _WEBNLG))


def unit_columns(name: str, content: bytes) -> Sequence[Column]:
    """Source and target of each unit; of Android's strings the texts alone.

    Raises:
        InputError: The XML is broken, declares entities, or has no texts.
    """
    root = _parsed(name, content)
    kind = _tag(root)
    readers = {"xliff": _xliff, "tmx": _tmx, "resources": _resources, "ts": _qt, "tt": _timed, "root": _dot_net}
    readers |= {"benchmark": _webnlg}
    columns = readers.get(kind, _tiers)(name, root)
    if not columns:
        raise InputError(
            "there are no texts",
            where=name,
            found=f"<{kind}> without a text",
            expected="a text for each unit",
            remedy="Load the complete file.",
        )
    refuse_excess(name, sum(len(column.segments) for column in columns))
    return columns


def _parsed(name: str, content: bytes) -> Element:
    try:
        root = cast("Element", fromstring(xml_segments.without_doctype(content), forbid_dtd=True))
    except (ParseError, LookupError, ValueError) as error:
        line = error.position[0] if isinstance(error, ParseError) else None
        raise InputError(
            "the XML is broken",
            where=name,
            line=line,
            found=str(error).partition(":")[0],
            expected="well-formed XML",
            remedy="Save the file again with the program that it comes from.",
        ) from error
    return root


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2].lower()


def _all(element: Element, tag: str) -> Iterator[Element]:
    return (one for one in element.iter() if _tag(one) == tag)


def _text(element: Element | None) -> str:
    return "" if element is None else _SPACE.sub(" ", "".join(element.itertext())).strip()


def _child(element: Element, tag: str) -> Element | None:
    return next((one for one in element if _tag(one) == tag), None)


def _column(
    file: str, name: str, role: Role | None, texts: Sequence[str], ids: Sequence[str], language: str | None = None
) -> Column:
    unique = tuple(ids) if len(set(ids)) == len(ids) and all(ids) else None
    return Column(file, name, role, tuple(texts), None, 1, language=language, ids=unique, is_cell=role is not None)


def _tiers(name: str, root: Element) -> list[Column]:
    """ELAN: a text for each tier with the same annotations as most, in the order of their times."""
    slots = {one.get("TIME_SLOT_ID", ""): one.get("TIME_VALUE", "") for one in _all(root, "time_slot")}
    begins, parents = dict[str, str](), dict[str, str]()
    listed: dict[str, list[tuple[str, str]]] = {}
    for tier in _all(root, "tier"):
        for one in tier.iter():
            if _tag(one) in ("alignable_annotation", "ref_annotation"):
                key = one.get("ANNOTATION_ID", "")
                begins[key] = slots.get(one.get("TIME_SLOT_REF1", ""), "")
                parents[key] = one.get("ANNOTATION_REF", "")
                listed.setdefault(tier.get("TIER_ID", ""), []).append((key, _text(one)))
    for _ in range(_MOST_PARENTS):  # which may stand behind what refers to them
        begins = {key: begin or begins.get(parents[key], "") for key, begin in begins.items()}
    found = {tier: {begins[key]: text for key, text in texts} for tier, texts in listed.items()}
    unclear = [tier for tier, texts in found.items() if len(texts) < len(listed[tier]) or "" in texts]
    said = [f"{name}: {shown(tier)} left out: several annotations at one time, or none says when." for tier in unclear]
    found = {tier: texts for tier, texts in found.items() if tier not in unclear}
    times = Counter(frozenset(texts) for texts in found.values())
    usual = sorted(max(times, key=lambda one: times[one] * len(one), default=()), key=lambda one: (len(one), one))
    others = [tier for tier, texts in found.items() if texts.keys() != set(usual)]
    said += [f"{name}: {shown(tier)} left out: other annotations than most tiers." for tier in others]
    return [
        replace(_column(name, tier, role_of(tier), [texts[begin] for begin in usual], usual), notices=tuple(said))
        for tier, texts in found.items()
        if tier not in others
    ]


def _xliff(name: str, root: Element) -> list[Column]:
    """XLIFF 1.2, with <trans-unit> and perhaps marked segments in it, and 2, with <segment>."""
    ids: list[str] = []
    sources: list[str] = []
    targets: list[str] = []
    n_missing = n_untranslated = 0
    n_final = 0
    others: list[dict[str, _Alternative]] = []
    languages = (root.get("srcLang", ""), root.get("trgLang", ""))
    for number, file in enumerate(_all(root, "file")):
        languages = (file.get("source-language", "") or languages[0], file.get("target-language", "") or languages[1])
        for unit in (*_all(file, "trans-unit"), *_all(file, "unit")):
            parts = _marked(unit) if _tag(unit) == "trans-unit" else _segments(unit)
            if _is_untranslated(unit, parts):
                n_untranslated += 1
                continue
            for part in parts:
                n_missing += part.target is None
                n_final += _is_final(unit)
                ids.append(f"{number} {unit.get('id', '')} {part.id}")
                sources.append(_text(part.source))
                targets.append(_text(part.target))
                others.append(_alternatives(unit) if len(parts) == 1 else {})
    if not ids:
        return []
    columns = [_column(name, "source", "source", sources, ids, languages[0] or None)]
    said = []
    if n_untranslated:
        said.append(f"{name}: {count_of(n_untranslated, 'unit')} left out: no target, and nothing to translate.")
    if n_missing < len(ids):
        said += [f"{name}: {n_missing:,} of {len(ids):,} units have no target."] if n_missing else []
        engines = _engines(others, are_final=n_final == len(ids))
        role: Role | None = "reference" if engines else None
        columns.append(_column(name, "target" if engines else stem(name), role, targets, ids, languages[1] or None))
        for origin in engines:
            texts = [one[origin].text for one in others]
            columns.append(_column(name, origin, "hypothesis", texts, ids, languages[1] or None))
        said += (
            [f"{name}: the targets are the reference, and <alt-trans> of each origin is a system."] if engines else []
        )
    return [replace(column, notices=tuple(said)) for column in columns]


@dataclass(frozen=True)
class _Alternative:
    """What another translation of a unit says.

    Attributes:
        text: The translation.
        quality: How well it fits, as written; empty where nothing is said.
        is_of_tool: Whether the file names the tool that made it.
    """

    text: str
    quality: str
    is_of_tool: bool


def _alternatives(unit: Element) -> dict[str, _Alternative]:
    """Other translations of a unit, by the name of whoever made them."""
    found: dict[str, _Alternative] = {}
    for one in _all(unit, "alt-trans"):
        tool = one.get("tool-id", "")
        origin = one.get("origin", "") or tool
        target = _child(one, "target")
        if origin and target is not None:
            found.setdefault(origin, _Alternative(_text(target), one.get("match-quality", ""), bool(tool)))
    return found


def _engines(others: Sequence[Mapping[str, _Alternative]], *, are_final: bool) -> list[str]:
    """Who translated all units besides the targets; nobody where these may be the output itself.

    Matches of a translation memory stand beside outputs, too, so that they make no target a reference.

    Args:
        others: The other translations of each unit.
        are_final: Whether the file says of all targets that people approved them.
    """
    found = [
        origin
        for origin in others[0]
        if all(origin in one for one in others)
        and _MEMORY.search(origin) is None
        and (are_final or len({one[origin].quality for one in others}) == 1)
    ]
    is_of_tool = any(one[origin].is_of_tool for origin in found for one in others)
    return found if are_final or is_of_tool or len(found) > 1 else []


def _is_final(unit: Element) -> bool:
    """Whether a unit says that its target is approved."""
    target = _child(unit, "target")
    is_confirmed = any(name.endswith("}confirmed") and said == "1" for name, said in unit.attrib.items())
    return (
        is_confirmed or unit.get("approved", "") == "yes" or (target is not None and target.get("state", "") in _FINAL)
    )


@dataclass(frozen=True)
class _Part:
    """A segment of a unit of XLIFF."""

    id: str
    source: Element | None
    target: Element | None


def _segments(unit: Element) -> list[_Part]:
    """Of XLIFF 2."""
    return [
        _Part(part.get("id", str(place)), _child(part, "source"), _child(part, "target"))
        for place, part in enumerate(_all(unit, "segment"))
    ]


def _marked(unit: Element) -> list[_Part]:
    """Of XLIFF 1.2: each marked segment, where source and target mark the same ones or there is no target."""
    source, target, whole = _child(unit, "seg-source"), _child(unit, "target"), _child(unit, "source")
    marked = {} if source is None else _marks(source)
    translated = {} if target is None else _marks(target)
    if marked and (not _text(target) or translated.keys() == marked.keys()):
        return [_Part(mid, one, translated.get(mid)) for mid, one in marked.items()]
    return [_Part("0", whole if whole is not None else source, target)]


def _marks(element: Element) -> dict[str, Element]:
    """The outermost marks of segments in an element, by their ids."""
    found: dict[str, Element] = {}
    waiting = list(element)[::-1]
    while waiting:
        one = waiting.pop()
        if _tag(one) == "mrk" and one.get("mtype", "") == "seg":
            found.setdefault(one.get("mid", "") or str(len(found)), one)
        else:
            waiting += list(one)[::-1]
    return found


def _is_untranslated(unit: Element, parts: Sequence[_Part]) -> bool:
    """Whether a unit has no target, and is not to be translated or has no text."""
    if any(_text(part.target) for part in parts):
        return False
    return unit.get("translate", "") == "no" or not any(_text(part.source) for part in parts)


def _tmx(name: str, root: Element) -> list[Column]:
    """Each unit once for each language; the source's is named in the header."""
    header = next(_all(root, "header"), None)
    source = "" if header is None else header.get("srclang", "")
    ids: list[str] = []
    by_language: dict[tuple[str, int], dict[int, str]] = {}
    for number, unit in enumerate(_all(root, "tu")):
        ids.append(unit.get("tuid", "") or str(number))
        times = Counter[str]()
        for variant in _all(unit, "tuv"):
            language = variant.get(_LANGUAGE, "") or variant.get("lang", "") or ""
            times[language] += 1
            by_language.setdefault((language, times[language]), {})[number] = _text(_child(variant, "seg"))
    others = {language for language, _ in by_language if language.lower() != source.lower()}
    columns = []
    for (language, time), found in by_language.items():
        if len(found) < len(ids):
            missing = next(number for number in range(len(ids)) if number not in found)
            raise InputError(
                "a text is missing",
                where=name,
                found=f"no {language or 'text'}{' once more' * (time > 1)} in unit {ids[missing]}",
                expected="each language in every unit, as often as in the others",
                remedy="Add it, or take the unit out." if time == 1 else "Keep one text of each language in a unit.",
            )
        is_source = language not in others
        title = "source" if is_source else stem(name) if len(others) == 1 else language
        title += f" {time}" if time > 1 else ""
        texts = [found[number] for number in range(len(ids))]
        columns.append(_column(name, title, "source" if is_source else None, texts, ids, language or None))
    return columns


def _resources(name: str, root: Element) -> list[Column]:
    """Android's strings, lists and plurals, by their names."""
    ids: list[str] = []
    texts: list[str] = []
    for element in root:
        key = element.get("name", "")
        items = [element] if _tag(element) == "string" else list(_all(element, "item"))
        for place, item in enumerate(items):
            ids.append(key if item is element else f"{key} {item.get('quantity', str(place))}")
            texts.append(_text(item).replace(r"\'", "'").replace(r"\"", '"').replace(r"\n", " "))
    return [_column(name, stem(name), None, texts, ids)] if texts else []


def _webnlg(name: str, root: Element) -> list[Column]:
    """The texts of each entry of WebNLG as references: entries have different numbers of them.

    Raises:
        InputError: They are in several languages.
    """
    entries = [[one for one in entry if _tag(one) == "lex"] for entry in _all(root, "entry")]
    languages = {one.get("lang", "") or "en" for entry in entries for one in entry}
    if len(languages) > 1:
        raise InputError(
            "the texts are in several languages",
            where=name,
            found=", ".join(map(shown, sorted(languages))),
            expected="one",
            remedy="Keep the <lex> elements of one language.",
        )
    width = max(map(len, entries), default=0)
    refuse_excess(name, width * len(entries), width)
    texts = [
        [_text(entry[place]) or None if place < len(entry) else None for entry in entries] for place in range(width)
    ]
    said = f"{name}: read as WebNLG; the texts of an entry are its references."
    return [
        Column(name, f"{stem(name)} {place}", "reference", tuple(one), None, 1, (said,), is_cell=True)
        for place, one in enumerate(texts, start=1)
    ]


def _qt(name: str, root: Element) -> list[Column]:
    """Source and translation of each message of Qt; of a plural its first form."""
    ids: list[str] = []
    sources: list[str] = []
    texts: list[str] = []
    for context in _all(root, "context"):
        for message in _all(context, "message"):
            translation = _child(message, "translation")
            forms = [] if translation is None else list(_all(translation, "numerusform"))
            source, remark = _text(_child(message, "source")), _text(_child(message, "comment"))
            ids.append("\x04".join([_text(_child(context, "name")), source, remark]))
            sources.append(source)
            texts.append(_text(forms[0] if forms else translation))
    if not ids:
        return []
    language = (root.get("sourcelanguage", "") or None, root.get("language", "") or None)
    return [
        _column(name, "source", "source", sources, ids, language[0]),
        _column(name, stem(name), None, texts, ids, language[1]),
    ]


def _dot_net(name: str, root: Element) -> list[Column]:
    """The texts of .NET's resources, by their names; pictures and other objects have a type, and are left out."""
    found = [one for one in root if _tag(one) == "data" and not one.get("type", "") and not one.get("mimetype", "")]
    texts = [_text(_child(one, "value")) for one in found]
    return [_column(name, stem(name), None, texts, [one.get("name", "") for one in found])] if found else []


def _timed(name: str, root: Element) -> list[Column]:
    """The text of each cue of TTML, by the time at which it begins."""
    for one in _all(root, "br"):
        one.tail = f" {one.tail or ''}"
    cues = list(_all(root, "p"))
    texts = [_text(one) for one in cues]
    return [_column(name, stem(name), None, texts, [one.get("begin", "") for one in cues])] if cues else []
