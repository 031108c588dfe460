"""Tables of metrics' scores that WMT publishes: of whole systems in TSV, of segments by document in JSON Lines."""

from collections.abc import Mapping
from dataclasses import replace

from bleucore.formats import decoding
from bleucore.formats.json_values import json_values, looks_like_json
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import Judgements, Row

_LONG = ("system", "metric", "score")
_WIDE: Mapping[str, str] = {"raw.scr": "DA raw", "z.scr": "DA z"}
_SHORT = ("sys", *_WIDE)


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first line has the fields of the scores of segments."""
    first = text.lstrip().partition("\n")[0]
    return looks_like_json(first) and '"metric_scores"' in first and '"document_id"' in first


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The scores of each metric and language pair, of one system that the file's name names.

    Raises:
        InputError: A line lacks a field, or holds no score where one should be.
    """
    values = json_values(file, text)
    rows: dict[tuple[str, str], list[Row]] = {}
    for index, item in enumerate(values.items, start=1):
        place = Place(file, values.places[index - 1].line or index)
        record = fields.mapping(place, "line", item)
        languages = fields.text(place, "language_pair", fields.field(place, record, "language_pair"))
        document = fields.text(place, "document_id", fields.field(place, record, "document_id"))
        scores = fields.mapping(place, "metric_scores", fields.field(place, record, "metric_scores"))
        for metric, listed in scores.items():
            for segment, written in enumerate(fields.items(place, "list of scores", listed)):
                value = fields.number(place, "score", written)
                row = Row(place.line, "", segment, value=value, document=document)
                rows.setdefault((metric, languages), []).append(row)
    return tuple(
        Judgements(metric, file, "scores", tuple(found), languages=languages)
        for (metric, languages), found in rows.items()
    )


def sniff_systems(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first line names the columns of scores of whole systems."""
    titles = set(text.partition("\n")[0].lower().split())
    return set(_LONG) <= titles or (set(_SHORT) <= titles and "sid" not in titles)


def read_systems(file: str, text: str) -> Mapping[str, Mapping[str, float]]:
    """The scores of whole systems by metric, in the order of the file.

    Raises:
        InputError: A line has another number of columns than the first; a score is no number or is there twice.
    """
    lines = decoding.lines_of(file, text)
    scores: dict[str, dict[str, float]] = {}
    for line, by_title in fields.titled(file, lines, "\t" if "\t" in lines[0] else None):
        is_long = set(_LONG) <= by_title.keys()
        fields.refuse_lacking(replace(line, line=1), by_title, _LONG if is_long or "sys" not in by_title else _SHORT)
        place = replace(line, system=fields.text(line, "system", by_title["system" if is_long else "sys"]))
        found = {by_title["metric"]: by_title["score"]} if is_long else {_WIDE[one]: by_title[one] for one in _WIDE}
        for metric, written in found.items():
            of_metric = scores.setdefault(fields.text(place, "metric", metric), {})
            fields.score_once(of_metric, place, metric, written)
    return scores
