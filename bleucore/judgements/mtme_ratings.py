"""Rating files of mt-metrics-eval: errors with their places, one translation a line, in the order of the test set."""

import re
from collections import Counter
from collections.abc import Mapping

from bleucore.formats import decoding
from bleucore.formats.json_values import json_value
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.mtme_scores import NOT_JUDGED, PENALTIES, ScoreName
from bleucore.judgements.records import Judgements, Row, Span
from bleucore.values import shown

_START = re.compile(r'(?:[^\t\n]+\tNone(?:\t[^\n]*)?\r?\n)*[^\t\n]+\t\{\s*"errors"\s*:')


def sniff(text: str, name: str) -> bool:
    """Whether the file's name, or its first line with a judgement, says that it is such a file."""
    return name.endswith((".seg.rating", ".seg.rating.gz")) or _START.match(text) is not None


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The judgements, whose values follow from their errors.

    Raises:
        InputError: A line is not made of a system, its errors and perhaps a rater; or an error has no place.
    """
    rows, sizes = list[Row](), Counter[str]()
    for line_number, line in enumerate(decoding.lines_of(file, text), start=1):
        cells = line.split("\t")
        system = cells[0].strip()
        place = Place(file, line_number, system)
        if len(cells) not in (2, 3) or not system:
            raise Place(file, line_number).refusal(
                "the line is not made of a system and its errors",
                found=f"{len(cells):,} cells",
                expected="the system's name, a tab and the errors as JSON, perhaps a tab and the rater",
                remedy="Load the file as mt-metrics-eval has it.",
            )
        if cells[1].strip() != NOT_JUDGED:
            rater = cells[2].strip() if len(cells) == 3 else ""  # noqa: PLR2004  # the third is the rater
            rows.append(Row(line_number, system, sizes[system], rater, spans=_spans(place, cells[1])))
        sizes[system] += 1
    called = ScoreName.of(file)
    return (Judgements(called.name, file, "MQM", tuple(rows), PENALTIES, 0, dict(sizes), called.languages),)


def _spans(place: Place, written: str) -> tuple[Span, ...]:
    rating = fields.mapping(place, "rating", json_value(place.file, written, place.line))
    errors = fields.items(place, "list of errors", fields.field(place, rating, "errors"))
    return tuple(_span(place, fields.mapping(place, "error", error)) for error in errors)


def _span(place: Place, error: Mapping[str, object]) -> Span:
    start = fields.whole(place, "start of an error", fields.field(place, error, "start"))
    end = fields.whole(place, "end of an error", fields.field(place, error, "end"))
    if end < start:
        raise place.refusal(
            "an error ends before it starts",
            found=f"{start:,} to {end:,}",
            expected="characters from 0, the end one behind the last",
            remedy="Load the file as mt-metrics-eval has it.",
        )
    texts = {
        title: "" if error.get(title) is None else fields.text(place, title, error[title], may_be_empty=True)
        for title in ("severity", "category")
    }
    weight = error.get("score")
    return Span(
        start,
        end,
        texts["severity"].strip().lower(),
        texts["category"].strip(),
        "source" if _is_of_source(place, error.get("is_source_error")) else "target",
        None if weight is None else abs(fields.number(place, "score of an error", weight)),
    )


def _is_of_source(place: Place, value: object) -> bool:
    """Whether an error is one of the source; of the translation where nothing is said."""
    if value is not None and not isinstance(value, bool):
        raise place.refusal(
            "is_source_error is neither true nor false",
            found=shown(str(value)),
            expected="true or false, without quotes",
            remedy="Load the file as mt-metrics-eval has it.",
        )
    return value is True
