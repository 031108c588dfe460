"""Judgements of WMT's general task in JSON Lines: of 2024 one judgement a line, of 2025 one segment a line."""

import re
from collections.abc import Iterator, Mapping

from bleucore.formats.json_values import json_values, looks_like_json
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.marked_spans import spans_of
from bleucore.judgements.records import Judgements, Row, Scale

_OF_2024, _OF_2025 = ("langs", "tgt", "system", "esa_score"), ("doc_id", "tgt_text", "scores")
_JUDGED = re.compile(r"human([0-9]{0,2})")


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first line has the fields of such a file."""
    first = text.lstrip().partition("\n")[0]
    return looks_like_json(first) and any(all(f'"{title}"' in first for title in one) for one in (_OF_2024, _OF_2025))


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The judgements of each language pair; both of a segment that was judged twice.

    Raises:
        InputError: A line lacks a field, or holds no score where one should be.
    """
    values = json_values(file, text)
    found: dict[str, list[Row]] = {}
    for index, item in enumerate(values.items, start=1):
        place = Place(file, values.places[index - 1].line or index)
        record = fields.mapping(place, "line", item)
        rows = _of_2025(place, record) if "tgt_text" in record else _of_2024(place, record)
        for languages, row in rows:
            found.setdefault(languages, []).append(row)
    scale = Scale("0 to 100", 0.0, 100.0)
    return tuple(
        Judgements("ESA", file, "ESA", tuple(rows), scale, languages=languages) for languages, rows in found.items()
    )


def _of_2024(place: Place, record: Mapping[str, object]) -> Iterator[tuple[str, Row]]:
    titles = ("langs", "system", "tgt", "esa_score")
    languages, system, target, score = (fields.field(place, record, title) for title in titles)
    name = fields.text(place, "system", system)
    place = Place(place.file, place.line, name)
    source, number = record.get("src"), record.get("line_id")
    if score is not None:
        yield (
            fields.text(place, "language pair", languages),
            Row(
                place.line,
                name,
                None if number is None else fields.whole(place, "line_id", number),
                _rater(place, record.get("annotator")),
                fields.number(place, "score", score),
                spans_of(place, record.get("esa_spans"), end_is_inside=False),
                fields.text(place, "translation", target, may_be_empty=True),
                None if source is None else fields.text(place, "source", source, may_be_empty=True),
            ),
        )


def _of_2025(place: Place, record: Mapping[str, object]) -> Iterator[tuple[str, Row]]:
    languages = fields.text(place, "doc_id", fields.field(place, record, "doc_id")).partition("_#_")[0]
    texts = fields.mapping(place, "tgt_text", fields.field(place, record, "tgt_text"))
    source = record.get("src_text")
    for system, judged in fields.mapping(place, "scores", fields.field(place, record, "scores")).items():
        at = Place(place.file, place.line, system)
        of_system = fields.mapping(at, "scores of a system", judged)
        raters = set[str]()
        for title, score in of_system.items():
            which = _JUDGED.fullmatch(title)
            if which is None or score is None:
                continue
            rater = _rater(at, of_system.get(f"annotator{which[1]}")) or title
            rater = f"{rater} ({which[1]})" if rater in raters else rater
            raters.add(rater)
            yield (
                languages,
                Row(
                    place.line,
                    fields.text(at, "system", system),
                    None,
                    rater,
                    fields.number(at, "score", score),
                    spans_of(at, of_system.get(f"errors{which[1]}"), end_is_inside=False),
                    fields.text(at, "translation", fields.field(at, texts, system), may_be_empty=True),
                    None if source is None else fields.text(at, "source", source, may_be_empty=True),
                ),
            )


def _rater(place: Place, value: object) -> str:
    return "" if value is None else fields.text(place, "name of the judge", value, may_be_empty=True)
