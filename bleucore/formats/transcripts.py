"""Transcripts of speech -> texts by utterance: Kaldi, sclite, STM, CTM, TextGrid, alignments of words."""

import re
from collections.abc import Sequence
from itertools import groupby

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.columns import Column
from bleucore.formats.line_reading import LineFormat, column_of, lines_in, nothing_in, odd_line
from bleucore.values import shown

_FEW = 3
_SECONDS = r"\d{1,9}(?:\.\d{1,9})?"
_STM = re.compile(rf"(\S+)\s+\S+\s+\S+\s+({_SECONDS})\s+{_SECONDS}(?:\s+<[^<>]*>)?(?:\s+|$)")
_CTM = re.compile(rf"\S+\s+\S+\s+{_SECONDS}\s+{_SECONDS}\s+\S+(?:\s+-?{_SECONDS})?")
_LABEL = re.compile(r'^\s*(?:text|mark) = "((?:[^"]|"")*)"', re.MULTILINE)


def _shape(key: str) -> str:
    """What a key looks like: letters and digits by kind, each run once."""
    kinds = ("9" if char.isdigit() else "a" if char.isalpha() else char for char in key)
    return "".join(kind for kind, _ in groupby(kinds))


def _are_keys(keys: Sequence[str]) -> bool:
    """Whether these are the keys of utterances: each once, with letters and digits, and all alike."""
    is_mixed = all(any(char.isdigit() for char in key) and any(char.isalpha() for char in key) for key in keys)
    return len(keys) >= _FEW and is_mixed and len(set(keys)) == len(keys) and len({*map(_shape, keys)}) == 1


def _refuse_odd_key(file: str, keys: Sequence[str]) -> None:
    """Refuse a file of which most lines have keys, and one has none or another one's."""
    seen = set[str]()
    for number, key in enumerate(keys, start=1):
        if key in seen or _shape(key) != _shape(keys[0]):
            raise InputError(
                "most lines have a key, and this one has none of its own",
                where=file,
                line=number,
                found=shown(key) if key else "no key",
                expected=f"a key like {shown(keys[0])} on each line, each once",
                remedy="Give every line its key, or take the keys off all lines.",
            )
        seen.add(key)


def _is_keyed(head: str) -> bool:
    found = [line.split() for line in lines_in(head)]
    keys = [words[0] for words in found]
    if any("://" in key or key[-1] in ".,:;!?)" for key in keys) or not _are_keys(keys):
        return False
    if 2 * sum(len(words) > 1 for words in found) < len(found):
        return False
    is_made = len({*map(len, keys)}) == 1 or all("-" in key or "_" in key for key in keys)
    return is_made and _shape(keys[0]) not in {_shape(word) for words in found for word in words[1:]}


def _keyed(file: str, text: str) -> Sequence[Column]:
    """A text of Kaldi: a key before each line."""
    pairs = [line.split(None, 1) for line in decoding.lines_of(file, text) if line.strip()]
    keys, texts = [pair[0] for pair in pairs], ["".join(pair[1:]) for pair in pairs]
    _refuse_odd_key(file, keys)
    said = f"{file}: read as a text of Kaldi; {shown(keys[0])} and the other keys are no part of the texts."
    return [column_of(file, texts, keys, said)]


def _is_barred(head: str) -> bool:
    """Whether each line has a key before the first of one or two bars, as data sets of speech have them."""
    lines = lines_in(head)
    return {line.count("|") for line in lines} in ({1}, {2}) and _are_keys([line.partition("|")[0] for line in lines])


def _barred(file: str, text: str) -> Sequence[Column]:
    """Key, text, and perhaps the text as it is spoken."""
    rows = [line.split("|") for line in decoding.lines_of(file, text) if line.strip()]
    keys = [row[0] for row in rows]
    _refuse_odd_key(file, keys)
    said = f"{file}: {shown(keys[0])} and the other keys before bars are no part of the texts."
    further = [f"{file}: what stands behind the second bar is left out."] if len(rows[0]) > 2 else []  # noqa: PLR2004
    return [column_of(file, [row[1].strip() for row in rows], keys, said, *further)]


def _is_transcript(head: str) -> bool:
    return _are_keys([_said_by(line)[1] for line in lines_in(head)])


def _said_by(line: str) -> tuple[str, str]:
    """A text, and the key in brackets behind it; "" where there is none."""
    text, _, key = line.rstrip().removesuffix(")").rpartition("(")
    is_key = line.rstrip().endswith(")") and len(key.split()) == 1
    return (text.rstrip(), key) if is_key else (line, "")


def _transcript(file: str, text: str) -> Sequence[Column]:
    """A transcript of sclite: a key in brackets behind each line."""
    texts, keys = zip(*(_said_by(line) for line in decoding.lines_of(file, text) if line.strip()), strict=True)
    _refuse_odd_key(file, keys)
    said = f"{file}: read as a transcript; {shown(f'({keys[0]})')} and the other keys are no part of the texts."
    return [column_of(file, texts, keys, said)]


def _is_stm(head: str) -> bool:
    lines = [line for line in lines_in(head) if not line.startswith(";;")]
    return len(lines) >= _FEW and all(map(_STM.match, lines))


def _stm(file: str, text: str) -> Sequence[Column]:
    """The reference of NIST's scoring: recording, channel, speaker, two times, and the text."""
    texts: list[str] = []
    keys: list[str] = []
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        if not line.strip() or line.startswith(";;"):
            continue
        match = _STM.match(line)
        if match is None:
            raise odd_line(file, number, line, "recording, channel, speaker, begin, end and text")
        keys.append(f"{match[1]} {match[2]}")
        texts.append(line[match.end() :].strip())
    said = f"{file}: read as STM; recordings, speakers and times are no part of the texts."
    return [column_of(file, texts, keys, said)]


def _is_ctm(head: str) -> bool:
    lines = [line for line in lines_in(head) if not line.startswith(";;")]
    return len(lines) >= _FEW and all(_CTM.fullmatch(line.strip()) for line in lines)


def _ctm(file: str, _text: str) -> Sequence[Column]:
    raise InputError(
        "this is CTM, with a word and its time in each line",
        where=file,
        found="no segments",
        expected="a segment in each line",
        remedy="Cut it at the times of the reference (sctk can), and load the segments.",
    )


def _is_grid(head: str) -> bool:
    return head.lstrip().startswith('File type = "ooTextFile"')


def _grid(file: str, text: str) -> Sequence[Column]:
    """The labelled intervals of the first tier of Praat."""
    tier = text.partition("item [1]:")[2].partition("item [2]:")[0] or text
    labels = [one.replace('""', '"').strip() for one in _LABEL.findall(tier)]
    texts = [" ".join(label.split()) for label in labels if label]
    if not texts:
        raise nothing_in(file, "TextGrid", "labelled interval")
    return [column_of(file, texts, None, f"{file}: read as a TextGrid, its first tier, without empty intervals.")]


TRANSCRIPTS = (
    LineFormat("STM", _is_stm, _stm),
    LineFormat("CTM", _is_ctm, _ctm),
    LineFormat("TextGrid", _is_grid, _grid),
    LineFormat("keys and texts with bars", _is_barred, _barred),
    LineFormat("text of Kaldi", _is_keyed, _keyed),
    LineFormat("transcript", _is_transcript, _transcript),
)
