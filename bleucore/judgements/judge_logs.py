"""Logs of judges, models or people: which of two outputs is better, or a score of each, one verdict a record."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bleucore.formats.formula_cells import as_typed
from bleucore.formats.json_batches import openai_answers
from bleucore.formats.json_records import at
from bleucore.formats.json_values import json_values, looks_like_json
from bleucore.formats.names import stem
from bleucore.formats.tables import quoted_rows
from bleucore.judgements import fields
from bleucore.judgements.batches import is_request, message_of, metadata_of
from bleucore.judgements.fields import Place
from bleucore.judgements.model_families import is_model
from bleucore.judgements.records import Contest, Judgements, Protocol, Row, Scale, nothing_judged
from bleucore.judgements.verdicts import Winner, named_in, score_in, winner_in
from bleucore.values import shown
from bleucore.written_numbers import counted

JUDGES = ("judge", "judge_model", "judge_name", "grader", "evaluator")
PEOPLE = ("rater", "annotator")
FIRST = ("first", "system_a", "model_a", "system_1", "model_1", "first_system")
SECOND = ("second", "system_b", "model_b", "system_2", "model_2", "second_system")
WINNER = ("winner", "verdict", "preference", "preferred", "choice", "decision")
GAMES = ("g1_winner", "g2_winner")
SCORE = ("score", "rating", "verdict")
SYSTEM = ("system", "model")
SEGMENT = ("segment", "segment_id", "seg_id", "item_id", "item", "question_id", "doc_id", "line_id", "id")
SOURCE = ("source", "src")
TARGET = ("output", "translation", "hypothesis", "target", "mt")
TARGETS = tuple(
    tuple(f"{start}{end}" for start in ("output_", "translation_", "hypothesis_", "answer_", "text_") for end in ends)
    for ends in (("a", "1", "first"), ("b", "2", "second"))
)
SWAPPED = ("swapped", "is_swapped", "flipped", "is_flipped")
ANSWER = ("judgement", "judgment", "answer", "response", "filtered_resps", "resps")
_NO_VERDICT = "$error$", "error", "null", "-1", ""
_CODES = ("0", "1", "2")
_NO_SCORE = -1.0
"""What logs write for an answer without a score, where no score is below 0."""
_PERSON = re.compile(
    r"(?:author|expert|human|annotator|rater|crowd|worker|person|user)s?(?:[-_ ]?[0-9]{1,6})?", re.IGNORECASE
)
_SEPARATORS = ("|", "::", "\t")
_ASKED_FOR_TWO, _ASKED_FOR_ONE = 3, 2
_LOOKED_AT, _FEWEST_PLAIN = 5, 3


@dataclass
class _Log:
    """What has been read so far.

    Attributes:
        file: Its name.
        rows: By how was judged and whether a model did.
        unclear: In the same way, how many answers of each judge hold no verdict.
        seen: Comparisons, to count those that stand there more than once.
        codes: Where winners stand that are 0, 1 or 2.
        first_number: What segments are counted from, where the log says it.
        messages: Lines, judges, answers and requests of a batch, where only the requests' texts tell what was judged.
    """

    file: str
    rows: dict[tuple[Protocol, bool], list[Row]] = field(default_factory=dict)
    unclear: dict[tuple[Protocol, bool], Counter[str]] = field(default_factory=dict)
    codes: dict[str, Place] = field(default_factory=dict)
    first_number: Literal[1] | None = None
    messages: list[tuple[int, tuple[str, bool], str, str]] = field(default_factory=list)

    def add(self, judge: tuple[str, bool], rows: Sequence[Row]) -> None:
        """Add the rows of a verdict."""
        protocol: Protocol = "pointwise" if rows[0].contest is None else "pairwise"
        self.rows.setdefault((protocol, judge[1]), []).extend(rows)

    def add_unclear(self, protocol: Protocol, judge: tuple[str, bool]) -> None:
        """Count an answer without a verdict."""
        self.unclear.setdefault((protocol, judge[1]), Counter())[judge[0]] += 1

    def judgements(self) -> tuple[Judgements, ...]:
        """What was read, people's apart from models'."""
        self._add_messages()
        self._leave_out_no_scores()
        if {"0", "1"} <= self.codes.keys() and "2" not in self.codes:
            raise self.codes["0"].refusal(
                "it is not clear which output won",
                found="winners that are 0 or 1, and never 2",
                expected="1, 2, and 0 for a tie; or A, B and tie",
                remedy="Write A, B or the name of the system that won.",
            )
        if not self.rows:
            n_unclear = sum(one.total() for one in self.unclear.values())
            raise nothing_judged(self.file, f"{counted(n_unclear, 'answer')} without a verdict")
        people_first = sorted(self.rows.items(), key=lambda one: one[0][1])
        return tuple(self._judgements(*key, tuple(rows)) for key, rows in people_first)

    def _add_messages(self) -> None:
        """Add verdicts of which only requests tell the outputs: on two of them, unless an answer is a score alone."""
        are_scores = any(score_in(one) is not None and winner_in(one) is None for *_, one, _ in self.messages)
        protocol: Protocol = "pointwise" if are_scores else "pairwise"
        if self.messages and self.rows:
            raise Place(self.file, self.messages[0][0]).refusal(
                "some requests name what was judged, and others do not",
                found="an id and metadata without a segment and systems",
                expected="segment and systems in all of them, or in none",
                remedy="Write them into the metadata of each request, or into ids such as 12|A|B.",
            )
        for line, judge, answer, message in self.messages:
            score, winner = score_in(answer), winner_in(answer)
            if not are_scores and answer.strip() in _CODES:
                self.codes.setdefault(answer.strip(), Place(self.file, line))
            if score is None if are_scores else winner is None:
                self.add_unclear(protocol, judge)
                continue
            value = float(score or 0) if are_scores else {"first": 1.0, "second": 0.0, "tie": 0.5}[winner or "tie"]
            contest = None if are_scores else Contest("", is_first=True)
            row = Row(line, "", None, judge[0], value, contest=contest, message=message)
            self.rows.setdefault((protocol, judge[1]), []).append(row)

    def _leave_out_no_scores(self) -> None:
        """Count -1 as no verdict of judges whose scores are above 0; of others it is what an error costs."""
        for key in [one for one in self.rows if one[0] == "pointwise"]:
            scores: dict[str, set[float]] = {}
            for row in self.rows[key]:
                scores.setdefault(row.rater, set()).add(float(row.value or 0))
            marks = {judge for judge, of in scores.items() if min(of) == _NO_SCORE and (max(of) > 0 or len(of) == 1)}
            kept = []
            for row in self.rows[key]:
                if row.value == _NO_SCORE and row.rater in marks:
                    self.add_unclear("pointwise", (row.rater, key[1]))
                else:
                    kept.append(row)
            self.rows[key] = kept
        self.rows = {key: rows for key, rows in self.rows.items() if rows}

    def _judgements(self, protocol: Protocol, is_of_models: bool, rows: tuple[Row, ...]) -> Judgements:  # noqa: FBT001
        unclear = self.unclear.get((protocol, is_of_models), Counter[str]())
        notices = [
            f"{self.file}: left out: {counted(number, 'answer')} of {judge} without a verdict."
            for judge, number in unclear.items()
        ]
        scale = Scale("share of comparisons won", 0.0, 1.0) if protocol == "pairwise" else Scale()
        return Judgements(
            protocol,
            self.file,
            protocol,
            rows,
            scale,
            self.first_number,
            notices=tuple(notices),
            are_of_models=is_of_models,
            unclear=dict(unclear),
        )


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first record names a judge, and what was compared or scored."""
    if looks_like_json(text):
        first = text.lstrip().lstrip("[").partition("\n")[0] if not text.lstrip().startswith("[") else text[: 1 << 14]
        titles = {title.casefold() for title in re.findall(r'"([A-Za-z0-9_]{1,40})"\s*:', first)}
        return _names_verdicts(titles) or ("custom_id" in titles and _holds_answers(text))
    first = text.partition("\n")[0].removeprefix("\ufeff")
    return any(_names_verdicts({cell.strip().strip('"').casefold() for cell in first.split(one)}) for one in "\t,;")


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The verdicts, those of models apart from people's.

    Raises:
        InputError: A record lacks its judge, its systems or its segment, or names a winner that is neither system.
    """
    log, records = _Log(file), [*_records(file, text)]
    requests = _requests(records)
    for place, record in records:
        if is_request(record):
            continue
        if "custom_id" in record:
            _add_answer(log, place, record, requests.get(str(record["custom_id"])))
        elif "g1_winner" in record:
            _add_games(log, place, record)
        elif _first_of(record, FIRST) is not None:
            _add_comparison(log, place, record)
        else:
            _add_score(log, place, record)
    return log.judgements()


def _requests(records: Sequence[tuple[Place, Mapping[str, object]]]) -> dict[str, Mapping[str, object]]:
    """The requests of a batch by their ids.

    Raises:
        InputError: Two have the same id.
    """
    found: dict[str, Mapping[str, object]] = {}
    for place, record in records:
        if is_request(record):
            name = fields.text(place, "custom_id", record["custom_id"])
            if name in found:
                raise place.refusal(
                    "two requests have the same id",
                    found=shown(name),
                    expected="an id for each request",
                    remedy="Load the input of one batch.",
                )
            found[name] = record
    return found


def _names_verdicts(titles: set[str]) -> bool:
    """Whether a record with these fields is a verdict."""
    has_judge = bool(titles & {*JUDGES, *PEOPLE}) or bool(titles & {"resps", "filtered_resps"})
    compares = bool(titles & {*FIRST}) and bool(titles & {*SECOND})
    says = bool(titles & {*WINNER, *GAMES, *ANSWER})
    scores = bool(titles & {*JUDGES}) and bool(titles & {*SYSTEM}) and bool(titles & {*SCORE, *ANSWER})
    return has_judge and ((compares and says) or scores)


def _holds_answers(text: str) -> bool:
    """Whether the first answers of a batch are verdicts: most where ids say on what, else all of some."""
    lines = [line for line in text.split("\n")[:_LOOKED_AT] if line.strip()]
    try:
        items = [item for line in lines for item in json_values("", line).items]
    except ValueError:
        return False
    said = [_says(item) for item in items if isinstance(item, dict) and openai_answers(at(item, "response", "body"))]
    if not all(_asked(str(item.get("custom_id", ""))) for item in items if isinstance(item, dict)):
        has_requests = '"messages"' in text  # which were joined on purpose
        return any(said) if has_requests else len(said) >= _FEWEST_PLAIN and all(said)
    return 2 * sum(said) > len(said)  # one translation may be a number


def _says(item: Mapping[str, object]) -> bool:
    """Whether an answer of a batch is a verdict, on what its id names if it does."""
    asked = _asked(str(item.get("custom_id", "")))
    answers = openai_answers(at(item, "response", "body"))
    if asked is None:
        return any(winner_in(one) is not None or score_in(one) is not None for one in answers)
    says = winner_in if len(asked) == _ASKED_FOR_TWO else score_in
    return any(says(one) is not None for one in answers)


def _records(file: str, text: str) -> Iterator[tuple[Place, Mapping[str, object]]]:
    """Each record with its fields' names in lower case; what is judged may stand in ``doc``, as lm-eval logs it."""
    if not looks_like_json(text):
        head, *rows = quoted_rows(file, text)
        titles = [cell.strip().casefold() for cell in head.cells]
        fields.refuse_repeated(Place(file, head.line), titles)
        for row in rows:
            cells = {title: as_typed(cell) for title, cell in zip(titles, row.cells, strict=True) if cell.strip()}
            yield Place(file, row.line), cells
        return
    values = json_values(file, text)
    for index, (item, where) in enumerate(zip(values.items, values.places, strict=True), start=1):
        place = Place(file, where.line or index, is_item=where.line is None)
        record = fields.mapping(place, "record", item)
        inner = record.get("doc")
        whole = record
        if isinstance(inner, dict):  # whose own "target" is the answer that was expected
            whole = {**inner, **{title: value for title, value in record.items() if title not in ("doc", "target")}}
        yield place, {title.casefold(): value for title, value in whole.items() if value is not None}


def _add_comparison(log: _Log, place: Place, record: Mapping[str, object]) -> None:
    names = _two_systems(place, record)
    judge = _judge(place, record)
    title, written = _first_with(record, (*WINNER, *ANSWER)) or ("winner", None)
    answer = _text(written)
    is_swapped = _is_swapped(place, record)
    if title in ANSWER:
        _refuse_letters(place, names)
    winner = winner_in(answer, names)
    if winner is not None and answer in _CODES and answer not in names:
        log.codes.setdefault(answer, place)
    is_named = named_in(answer, names) is not None
    if (
        winner is None
        and title in WINNER
        and answer.strip().casefold() not in _NO_VERDICT
        and " " not in answer.strip()
    ):
        raise place.refusal(
            "the winner is neither of the two systems",
            found=shown(answer),
            expected=f"{shown(names[0])}, {shown(names[1])}, A, B or tie",
            remedy="Write the name of the system that won, or leave the field empty if the judge did not say.",
        )
    if is_swapped and not is_named and winner in ("first", "second"):
        raise place.refusal(
            "it is not clear which output won",
            found=f"{shown(answer)} in a comparison that was shown in the other order",
            expected="the name of the system that won",
            remedy="Name the winner, or name the systems in the order shown and leave the field out.",
        )
    if is_swapped:
        names, winner = names[::-1], _OTHER[winner] if winner else None
    _add_winner(log, place, record, judge, names, winner, swaps_texts=is_swapped)


_OTHER: Mapping[Winner, Winner] = {"first": "second", "second": "first", "tie": "tie"}


def _add_games(log: _Log, place: Place, record: Mapping[str, object]) -> None:
    """Both orders of two outputs, as MT-Bench logs them: winners by the names of the first game."""
    names, judge = _two_systems(place, record), _judge(place, record)
    for game, order in zip(GAMES, (1, -1), strict=True):
        winner = winner_in(_text(record.get(game)), names)
        shown_winner = winner if order == 1 or winner is None else _OTHER[winner]
        _add_winner(log, place, record, judge, names[::order], shown_winner, swaps_texts=order < 0)


def _add_winner(  # noqa: PLR0913  # what a verdict is made of
    log: _Log,
    place: Place,
    record: Mapping[str, object],
    judge: tuple[str, bool],
    names: tuple[str, ...],
    winner: Winner | None,
    *,
    swaps_texts: bool = False,
) -> None:
    """Add a verdict on two systems in the order shown; texts of the record may stand in the other order."""
    if winner is None:
        log.add_unclear("pairwise", judge)
        return
    number = _number(log, place, record)
    texts = tuple(_optional(place, record, titles) for titles in TARGETS)
    texts = texts[::-1] if swaps_texts else texts
    value = {"first": 1.0, "second": 0.0, "tie": 0.5}[winner]
    rows = [
        Row(
            place.line,
            names[at],
            number,
            judge[0],
            value if at == 0 else 1.0 - value,
            target=None if None in texts else texts[at],
            source=_optional(place, record, SOURCE),
            contest=Contest(names[1 - at], is_first=at == 0),
        )
        for at in (0, 1)
    ]
    log.add(judge, rows)


def _add_score(log: _Log, place: Place, record: Mapping[str, object]) -> None:
    system = fields.text(place, "system", _needed(place, record, SYSTEM))
    here = Place(place.file, place.line, system, is_item=place.is_item)
    judge = _judge(here, record)
    title, written = _first_with(record, (*SCORE, *ANSWER)) or ("score", None)
    answer = _text(written)
    score = score_in(answer)
    if title == "score" and score is None and answer.strip().casefold() not in _NO_VERDICT:
        fields.number(here, title, written)  # which says what is wrong
    if score is None:
        log.add_unclear("pointwise", judge)
        return
    row = Row(
        place.line,
        system,
        _number(log, here, record),
        judge[0],
        fields.number(here, "score", score),
        target=_optional(here, record, TARGET),
        source=_optional(here, record, SOURCE),
    )
    log.add(judge, [row])


def _add_answer(log: _Log, place: Place, record: Mapping[str, object], request: Mapping[str, object] | None) -> None:
    """An answer of a batch of OpenAI: its id, or the metadata or text of its request, says what was judged."""
    written = fields.text(place, "custom_id", record["custom_id"])
    item = _judged_item(place, written, request)
    message = message_of(request) if item is None and request is not None else ""
    if item is None and not message:
        raise place.refusal(
            "the id does not say what was judged",
            found=shown(written),
            expected="SEGMENT|SYSTEM, or SEGMENT|FIRST|SECOND in the order shown",
            remedy="Load the input of the batch too, whose requests tell; or write a table with the columns segment, "
            "judge, first, second, winner.",
        )
    body = at(record.get("response"), "body")
    model = at(body, "model")
    if model is None:  # the request failed
        log.add_unclear("pointwise" if item is not None and "system" in item else "pairwise", (stem(place.file), True))
        return
    judge = (fields.text(place, "model", model), True)
    answer = next(iter(openai_answers(body)), "")
    if item is None:
        log.messages.append((place.line, judge, answer, message))
    elif "system" in item:
        _add_score(log, place, {**item, "judge": judge[0], "judge_type": "model", "answer": answer})
    else:
        _add_comparison(log, place, {**item, "judge": judge[0], "judge_type": "model", "answer": answer})


def _judged_item(place: Place, written: str, request: Mapping[str, object] | None) -> dict[str, object] | None:
    """The segment and the systems of an answer, from its id or the metadata of its request; ``None`` without them."""
    asked = _asked(written)
    named = {} if asked is None else dict(zip(("segment", "first", "second"), asked, strict=False))
    if asked is not None and len(asked) == _ASKED_FOR_ONE:
        named = {"segment": asked[0], "system": asked[1]}
    metadata = {} if request is None else metadata_of(request)
    first, second = _first_of(metadata, FIRST), _first_of(metadata, SECOND)
    said: dict[str, object] = {"first": first, "second": second} if first is not None and second is not None else {}
    if not said and isinstance(metadata.get("system"), str):
        said = {"system": metadata["system"]}
    both = {**said, **({"segment": metadata["segment"]} if "segment" in metadata else {})}
    differing = next((title for title in both if title in named and str(both[title]) != named[title]), None)
    if differing is not None:
        raise place.refusal(
            "id and metadata of the request differ",
            found=f"{differing} {shown(str(both[differing]))} in the metadata, {shown(named[differing])} in the id",
            expected="the same in both",
            remedy="Correct one of them.",
        )
    kept = {title: metadata[title] for title in (*SEGMENT, *SWAPPED, *SOURCE) if title in metadata}
    if named:
        return {**named, **{title: kept[title] for title in SWAPPED if title in kept}}
    has_segment = any(title in kept for title in SEGMENT)
    return {**said, **kept} if said and has_segment else None


def _asked(custom_id: str) -> tuple[str, ...] | None:
    """The segment and one system or two, as an id names them; ``None`` where it does not."""
    for separator in _SEPARATORS:
        parts = tuple(part.strip() for part in custom_id.split(separator))
        if len(parts) in (_ASKED_FOR_ONE, _ASKED_FOR_TWO) and parts[0].isdecimal() and all(parts):
            return parts
    return None


def _two_systems(place: Place, record: Mapping[str, object]) -> tuple[str, str]:
    first = fields.text(place, "first system", _needed(place, record, FIRST))
    second = fields.text(place, "second system", _needed(place, record, SECOND))
    _refuse_itself(place, (first, second))
    return first, second


def _refuse_itself(place: Place, names: tuple[str, str]) -> None:
    if names[0] == names[1]:
        raise place.refusal(
            "a system is compared with itself",
            found=f"{shown(names[0])} twice",
            expected="two systems",
            remedy="Leave the line out, or correct the name of one of them.",
        )


def _refuse_letters(place: Place, names: tuple[str, str]) -> None:
    """Refuse systems that are called as the other output is in answers: "A" shown second."""
    for name, usual in zip(names, ("first", "second"), strict=True):
        if winner_in(name) not in (None, usual):
            raise place.refusal(
                "it is not clear which output won",
                found=f"answers on {shown(names[0])} and {shown(names[1])}, shown in this order",
                expected="names that are no answers, or a column winner with the name of the system",
                remedy="Give the systems other names in this file.",
            )


def _judge(place: Place, record: Mapping[str, object]) -> tuple[str, bool]:
    """Who judged, and whether that is a model: what is called a judge is one, unless its name is that of a person."""
    title, value = _first_with(record, (*JUDGES, *PEOPLE)) or ("", None)
    if isinstance(value, list) and value:  # MT-Bench writes the model and the name of its prompt
        value = value[0]
    name = stem(place.file) if value is None else fields.text(place, "judge", value).strip()
    kind = str(record.get("judge_type") or record.get("rater_type") or "").casefold()
    if kind in ("human", "person", "people", "model", "llm"):
        return name, kind in ("model", "llm")
    return name, is_model(name) or (title not in PEOPLE and _PERSON.fullmatch(name) is None)


def _number(log: _Log, place: Place, record: Mapping[str, object]) -> int | None:
    """The segment; ``None`` where the record has texts instead. *segment* counts from 1, as in every table."""
    found = _first_with(record, SEGMENT)
    if found is None:
        return None
    title, value = found
    if title == "segment":
        log.first_number = 1
    elif not (isinstance(value, str) and value.strip().isdecimal()):
        return None
    return fields.whole(place, title, value, 1 if title == "segment" else 0)


def _is_swapped(place: Place, record: Mapping[str, object]) -> bool:
    found = _first_with(record, SWAPPED)
    if found is None:
        return False
    written = str(found[1]).strip().casefold()
    if written not in ("true", "false", "1", "0", "yes", "no"):
        raise place.refusal(
            f"{found[0]} is neither true nor false",
            found=shown(str(found[1])),
            expected="true or false",
            remedy="Write true where the second system was shown first.",
        )
    return written in ("true", "1", "yes")


def _text(value: object) -> str:
    """An answer as text: of a list, as lm-eval keeps it, the first one; "" where there is none."""
    while isinstance(value, list) and value:
        value = value[0]
    return str(value) if isinstance(value, str) else ""


def _optional(place: Place, record: Mapping[str, object], titles: Sequence[str]) -> str | None:
    found = _first_with(record, titles)
    return None if found is None else fields.text(place, found[0], found[1], may_be_empty=True)


def _needed(place: Place, record: Mapping[str, object], titles: Sequence[str]) -> object:
    found = _first_of(record, titles)
    return fields.field(place, record, titles[0]) if found is None else found


def _first_of(record: Mapping[str, object], titles: Sequence[str]) -> object:
    found = _first_with(record, titles)
    return None if found is None else found[1]


def _first_with(record: Mapping[str, object], titles: Sequence[str]) -> tuple[str, object] | None:
    return next(((title, record[title]) for title in titles if title in record), None)
