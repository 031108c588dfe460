"""Files of a drop that hold none of its texts, as names and beginnings say: logs, glossaries, parts of projects.

A name alone leaves nothing out that could be an output: what has as many lines as the texts, or lines like theirs,
stays unless its lines are those of a log, or entries that are short beside them.
"""

import codecs
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from statistics import fmean, median

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.line_reading import head_of
from bleucore.formats.name_parts import parts_of, role_of_word, role_word
from bleucore.formats.names import words_of
from bleucore.formats.program_logs import (
    are_lines_of,
    is_named_log,
    is_stamped,
    reads_like_log,
    repeats_itself,
    says_log,
)
from bleucore.formats.rating_tables import NO_TEXTS_RATED
from bleucore.formats.toolkit_logs import TOOLKIT_LOGS
from bleucore.formats.xml_segments import UNKNOWN_XML

_HEAD, _MOST_LINES, _LEAST_LEFT = 1 << 16, 400, 2
_LONGEST_NAME, _LARGEST, _MOST_SEEN = 300, 1 << 23, 60
_LOG, _STAMPED = "a log, as its name and its lines say.", "perhaps a log"
_GLOSSARIES = frozenset(
    [
        "glossary",
        "glossaries",
        "glossar",
        "glossare",
        "glossaire",
        "glosario",
        "glossario",
        "glossarium",
        "terminology",
        "terminologie",
        "termbase",
        "termbases",
        "terms",
        "termlist",
        "lexicon",
    ]
)
_VOCABULARIES = frozenset({"vocab", "vocabs", "vocabulary", "vocabularies", "dict", "wordlist", "merges", "codes"})
_OF_SUBWORDS = (".spm", ".vocab", ".codes", ".model")
_OF_WORKBOOKS = (".xlsx", ".ods")
_MOST_WORDS_OF_A_TERM, _MOST_WORDS_OF_AN_ENTRY, _SHORT, _MOST, _HALF = 4.0, 2.0, 0.5, 0.8, 0.5
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a]")
_OF_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".xml", ".tmx", ".xlf", ".xliff", ".sgm", ".tbx", ".html")
_OF_HELM = frozenset(
    f"{name}.json"
    for name in [
        "run_spec",
        "scenario",
        "stats",
        "per_instance_stats",
        "instances",
        "display_predictions",
        "display_requests",
    ]
)
_OF_MLFLOW, _TWO_KINDS = ("metrics", "params", "tags"), 2
_MEASURED = re.compile(r"\d{1,20} (?:[-+.\de]{1,40}|nan|-?inf(?:inity)?) \d{1,20}\s?", re.IGNORECASE)
_OMEGAT = "omegat.project"
_OMEGAT_FOLDERS = ("omegat", "glossary", "dictionary", "tm", "completed_tm")
_OMEGAT_LEVELS = re.compile(r"[^/]{1,200}-(?:level[12]|omegat)\.tmx", re.IGNORECASE)


@dataclass(frozen=True)
class _Sight:
    """What was seen of a file.

    Attributes:
        lines: The first ones.
        n_lines: How many there are; ``None`` where no more than a beginning is known.
        data: The beginning.
    """

    lines: tuple[str, ...]
    n_lines: int | None
    data: bytes

    @cached_property
    def length(self) -> float:
        """Characters a line, blanks left out."""
        return fmean([len("".join(line.split())) for line in self.lines if line.strip()] or [0])

    @property
    def is_binary(self) -> bool:
        """Whether the bytes are those of a program."""
        return not decoding.has_byte_order_mark(self.data) and _CONTROL.search(self.data) is not None


@dataclass(frozen=True)
class _Texts:
    """The plain texts that lie next to a file.

    Attributes:
        lines: The first lines of each.
        length: Characters a line of the middle one, 0 without any.
        lengths: Numbers of lines that two of them or a reference have, or the only one.
    """

    lines: tuple[tuple[str, ...], ...]
    length: float
    lengths: frozenset[int]

    def has_length(self, one: _Sight) -> bool:
        """Whether the texts have as many lines."""
        return one.n_lines in self.lengths

    def are_like(self, one: _Sight) -> bool:
        """Whether lines are like those of the texts."""
        return are_lines_of(one.lines, self.lines)

    def share(self, one: _Sight) -> float:
        """The share of the words that the texts have too."""
        own = {word for line in one.lines for word in words_of(line[:_LONGEST_NAME])}
        return len(own & self._words) / max(1, len(own))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for lines in self.lines for line in lines for word in words_of(line[:_LONGEST_NAME]))


def files_beside(names: Sequence[str], beginning_of: Callable[[str], bytes]) -> dict[str, str]:
    """Why some files hold none of the texts, by names and lines; nothing where too few others would be left.

    Args:
        names: With "/" between folders.
        beginning_of: Gives the content of a file, or its beginning.
    """
    found = {**_parts_of_omegat(names), **_parts_of_helm(names), **_parts_of_mlflow(names, beginning_of)}
    open_ones = [name for name in names if name not in found]
    called = {name: words for name in open_ones if (words := _called(name))}
    texts = _texts_of([name for name in open_ones if name not in called], beginning_of) if called else None
    for name, words in called.items():
        reason = None if texts is None else _reason(name, words, _seen(beginning_of(name)), texts)
        found |= {} if reason is None else {name: reason}
    return found if len(names) - len(found) >= min(_LEAST_LEFT, len(names)) else {}


def is_of_no_texts(error: InputError) -> bool:
    """Whether a file was refused because it is XML of a program, ratings alone, or no text at all."""
    return error.problem in (UNKNOWN_XML, NO_TEXTS_RATED, decoding.NO_TEXT)


def holds_outputs(data: bytes) -> bool:
    """Whether a log holds outputs, as its beginning tells."""
    head = head_of(data[:_HEAD].decode("utf-8-sig", errors="replace"))
    return any(one.recognises(head) for one in TOOLKIT_LOGS)


def _parts_of_helm(names: Sequence[str]) -> Mapping[str, str]:
    """What HELM writes next to the answers, which it repeats in parts."""
    folders = {name.rpartition("/")[0] for name in names if name.rpartition("/")[2] == "scenario_state.json"}
    return {
        name: "HELM's settings and scores; the answers are in scenario_state.json next to it."
        for name in names
        if name.rpartition("/")[0] in folders and name.rpartition("/")[2] in _OF_HELM
    }


def _parts_of_mlflow(names: Sequence[str], beginning_of: Callable[[str], bytes]) -> Mapping[str, str]:
    """What MLflow notes of a run, next to the folder of its artifacts: numbers, and values of one line."""
    roots = {f"/{name}".partition("/artifacts/")[0] for name in names if "/artifacts/" in f"/{name}"}
    inside: dict[str, dict[str, list[str]]] = {}
    for name in names if roots else ():
        for kind in _OF_MLFLOW:
            root, folder, _ = f"/{name}".partition(f"/{kind}/")
            if folder and root in roots:
                inside.setdefault(root, {}).setdefault(kind, []).append(name)
    notes = [name for kinds in inside.values() if len(kinds) >= _TWO_KINDS for part in kinds.values() for name in part]
    return {
        name: "a note of MLflow on a run; its texts are in the folder artifacts."
        for name in notes
        if _is_note(_seen(beginning_of(name)))
    }


def _is_note(seen: _Sight) -> bool:
    return len(seen.lines) <= 1 or all(_MEASURED.fullmatch(line) is not None for line in seen.lines)


def _parts_of_omegat(names: Sequence[str]) -> Mapping[str, str]:
    """What belongs to projects of OmegaT, but their sources and their translations."""
    found: dict[str, str] = {}
    for project in names:
        if project.rpartition("/")[2] != _OMEGAT:
            continue
        root = project.removesuffix(_OMEGAT)
        inside = [name for name in names if name.startswith(root)]
        memory = f"{root}omegat/project_save.tmx"
        is_translated = any(name.startswith(f"{root}target/") for name in inside)
        for name in inside:
            rest = name.removeprefix(root)
            is_part = rest.startswith(tuple(f"{folder}/" for folder in _OMEGAT_FOLDERS))
            if name == memory and not is_translated:
                continue
            if rest == _OMEGAT or is_part or _OMEGAT_LEVELS.fullmatch(rest):
                found[name] = "a part of a project of OmegaT that holds no translations of its own."
    return found


def _called(name: str) -> frozenset[str]:
    """Which of "log" and the words for glossaries and vocabularies a file is called."""
    if is_named_log(name):
        return frozenset({"log"})
    if says_log(name.rpartition("/")[2][-_LONGEST_NAME:]):
        return frozenset({_STAMPED})
    words = _words_of_path(name) & (_GLOSSARIES | _VOCABULARIES)
    words |= {"glossary"} if name.lower().endswith(".tbx") else set()
    words |= {"vocab"} if name.lower().endswith(_OF_SUBWORDS) else set()
    return frozenset() if _says_role(name) else words


def _seen(data: bytes) -> _Sight:
    """The first lines, and how many there are."""
    if data.startswith(decoding.GZIP):
        try:
            data = zlib.decompressobj(wbits=31).decompress(data, _LARGEST)
        except zlib.error:
            data = b""
    head, is_whole = data[:_HEAD], len(data) < _LARGEST and (len(data) < _HEAD or data.endswith(b"\n"))
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = head.decode("utf-16" if is_wide else "utf-8-sig", errors="replace")
    n_lines = data.count(b"\n") + (not data.endswith((b"\n", b"\n\0")) and bool(data))
    lines = head_of(text).removesuffix("\n").split("\n", _MOST_LINES)[:_MOST_LINES] if text else []
    return _Sight(tuple(lines), n_lines if is_whole else None, head)


def _texts_of(names: Sequence[str], beginning_of: Callable[[str], bytes]) -> _Texts:
    """What is to be compared with: files of plain lines among some that are spread over all."""
    chosen = islice(names, 0, None, max(1, len(names) // _MOST_SEEN))
    seen = {name: _seen(beginning_of(name)) for name in chosen}
    plain = {
        name: one
        for name, one in seen.items()
        if one.lines and not one.is_binary and not name.lower().endswith(_OF_TABLES) and not _is_structured(one)
    }
    times = Counter(one.n_lines for one in plain.values())
    lengths = {
        one.n_lines
        for name, one in plain.items()
        if one.n_lines is not None and (times[one.n_lines] > 1 or len(plain) == 1 or _is_called_reference(name))
    }
    ordered = sorted(plain.values(), key=lambda one: one.n_lines not in lengths)
    usual = [one.length for one in ordered if one.n_lines in lengths] or [one.length for one in ordered]
    return _Texts(tuple(one.lines for one in ordered), median(usual or [0]), frozenset(lengths))


def _is_structured(one: _Sight) -> bool:
    """Whether a file is JSON or XML: three of four lines are marked so."""
    lines = [line.strip() for line in one.lines if line.strip()]
    return sum(line[0] in "{[<" or line[-1] in "}],>" for line in lines) >= _MOST * len(lines)


def _is_called_reference(name: str) -> bool:
    words = (role_word(part.text) for part in parts_of(name.rpartition("/")[2][-_LONGEST_NAME:]))
    return any(word is not None and role_of_word(word) == "reference" for word in words)


def _reason(name: str, called: frozenset[str], seen: _Sight, texts: _Texts) -> str | None:
    """Why one file holds no texts, by its own name and beginning; ``None`` where it may."""
    if called & {"log", _STAMPED}:
        return _reason_of_log(seen, texts, is_named="log" in called)
    if seen.data.startswith(decoding.ZIP):
        is_beside = name.lower().endswith(_OF_WORKBOOKS) and bool(texts.lengths)
        return "a glossary in a workbook, as its name says; the texts are plain files." if is_beside else None
    if seen.is_binary:
        return "a vocabulary in the form of a program."
    if name.lower().endswith(".tbx"):
        return "a glossary in TBX."
    n_words = fmean(_words_of_entries(name, seen) or [_MOST_WORDS_OF_A_TERM + 1])
    is_short = seen.length <= _SHORT * texts.length
    if texts.has_length(seen):
        is_list = is_short and not repeats_itself(seen.lines)
    else:
        is_list = is_short or (bool(texts.lines) and not texts.are_like(seen)) or not texts.lines
    if is_list and called & _GLOSSARIES and n_words <= _MOST_WORDS_OF_A_TERM:
        return "a glossary: its name says so, and its entries are short."
    is_vocabulary = is_list and called & _VOCABULARIES and n_words <= _MOST_WORDS_OF_AN_ENTRY
    return "a vocabulary: its name says so, and its entries are words." if is_vocabulary else None


def _reason_of_log(seen: _Sight, texts: _Texts, *, is_named: bool) -> str | None:
    """Why a file that is called a log, or has a word for it in its name, is one; ``None`` if its lines may be texts."""
    if seen.is_binary or holds_outputs(seen.data):
        return None
    if is_stamped(seen.lines):
        return _LOG
    is_repeating = repeats_itself(seen.lines) and texts.share(seen) < _MOST
    if is_named and not texts.are_like(seen) and (is_repeating or not texts.has_length(seen)):
        return _LOG
    is_log = is_named and reads_like_log(seen.lines, is_called=True)
    return _LOG if is_log and not texts.are_like(seen) and texts.share(seen) < _HALF else None


def _says_role(name: str) -> bool:
    """Whether a file is called a reference, a source or an output: "terms.ref" is no glossary."""
    return any(role_word(part.text) is not None for part in parts_of(name.rpartition("/")[2][-_LONGEST_NAME:]))


def _words_of_path(name: str) -> frozenset[str]:
    """The words of a file's name and of the folder it is in."""
    folder, _, base = name[-_LONGEST_NAME:].rpartition("/")
    return frozenset((*words_of(base), *words_of(folder.rpartition("/")[2])))


def _words_of_entries(name: str, seen: _Sight) -> list[int]:
    """How many words each entry of the first lines has, where tabs, ";", "=" and, in CSV, commas stand between them."""
    marks = r"[\t,;=|]" if name.lower().endswith(".csv") else r"[\t;=|]"
    return [len(entry.split()) for line in seen.lines for entry in re.split(marks, line) if entry.strip()]
