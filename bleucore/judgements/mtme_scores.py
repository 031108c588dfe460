"""Score files of mt-metrics-eval: a system and its score in each line, segments in the order of the test set."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from bleucore.formats import decoding
from bleucore.formats.names import stem
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import Judgements, Protocol, Row, Scale
from bleucore.values import name_among
from bleucore.written_numbers import counted

Level: TypeAlias = Literal["sys", "domain", "doc", "seg"]
LEVELS: tuple[Level, ...] = get_args(Level)
NOT_JUDGED = "None"
PENALTIES = Scale("penalties, negative", high=0.0)

_NAME = re.compile(
    r"(?:(?P<languages>[a-z]{2,3}(?:_[A-Za-z]+)*-[a-z]{2,3}(?:_[A-Za-z]+)*)\.)?(?P<name>.+?)"
    r"(?:\.(?P<level>sys|domain|doc|seg))?\.(?:score|rating)s?(?:\.gz)?$"
)
_LINE = re.compile(r"\s*\S+\s+(?:None|[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*")
_LOOKED_AT = 50


@dataclass(frozen=True)
class ScoreName:
    """What the name of a file says.

    Attributes:
        name: Of the judgement or metric, with its references ("mqm", "BLEU-refA").
        level: What the scores are of; segments where the name does not say.
        languages: The language pair, ``None`` where the name does not say.
    """

    name: str
    level: Level = "seg"
    languages: str | None = None

    @classmethod
    def of(cls, file: str) -> "ScoreName":
        """What this name says."""
        base = re.split(r"[/\\]", file)[-1]
        found = _NAME.fullmatch(base)
        if found is None:
            return cls(stem(file))
        level = name_among("level", found["level"] or "seg", LEVELS)
        return cls(found["name"], level, found["languages"])


def sniff(text: str, name: str) -> bool:
    """Whether the file's name or its first lines say that it is such a file."""
    if re.search(r"\.(?:seg|sys|doc|domain)\.score(?:\.gz)?$", name):
        return True
    lines = [line for line in text[: 1 << 16].split("\n")[:_LOOKED_AT] if line.strip()]
    first = {line.split()[0] for line in lines}
    return len(lines) > 1 and all(map(_LINE.fullmatch, lines[:-1])) and len(first) < len(lines)


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The scores of segments.

    Raises:
        InputError: The scores are of something else than segments; a line is not made of a system and a number.
    """
    called = ScoreName.of(file)
    if called.level != "seg":
        raise Place(file, 1).refusal(
            "these are no scores of segments",
            found=f"scores of the level {called.level}",
            expected="scores of the level seg",
            remedy="Load the file that ends with .seg.score.",
        )
    rows, sizes = list[Row](), Counter[str]()
    for place, written in _lines(file, text):
        if written != NOT_JUDGED:
            value = fields.number(place, "score", written)
            rows.append(Row(place.line, place.system, sizes[place.system], value=value))
        sizes[place.system] += 1
    protocol = protocol_called(called.name)
    scale = PENALTIES if protocol == "MQM" else Scale()
    found = Judgements(called.name, file, protocol, tuple(rows), scale, 0, dict(sizes), called.languages)
    return (found,)


def read_systems(file: str, text: str) -> Mapping[str, float]:
    """The scores of whole systems, those that have one.

    Raises:
        InputError: A line is not made of a system and a number, or a system has two.
    """
    scores = dict[str, float]()
    for place, written in _lines(file, text):
        if written != NOT_JUDGED:
            fields.score_once(scores, place, place.system, written)
    return scores


def protocol_called(name: str) -> Protocol:
    """How was judged, by what the judgements are called."""
    words = set(re.split(r"[^a-z]+", name.lower()))
    known: tuple[Protocol, ...] = ("MQM", "ESA", "DA", "SQM")
    return next((protocol for protocol in known if protocol.lower() in words), "scores")


def _lines(file: str, text: str) -> Iterator[tuple[Place, str]]:
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        parts = line.split()
        if len(parts) != 2:  # noqa: PLR2004  # a system and its score
            raise Place(file, number).refusal(
                "the line is not made of a system and its score",
                found=counted(len(parts), "word") if parts else "an empty line",
                expected="the system's name, a blank and a number, or None where nobody judged",
                remedy="Load the file as mt-metrics-eval has it.",
            )
        yield Place(file, number, parts[0]), parts[1]
