"""Batches that asked a model for verdicts: what requests say of each answer, joined to it by its ``custom_id``."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.json_records import at, text_of
from bleucore.judgements.fields import evened
from bleucore.judgements.records import Contest, Judgements, Row
from bleucore.values import shown
from bleucore.written_numbers import counted

MAX_BYTES = 512 * 1024**2
_ID = re.compile(r'"custom_id"\s*:\s*"((?:[^"\\]|\\.){1,512})"')
_HEAD = 1 << 16
_ANSWERED = re.compile(r'"(?:response|error)"\s*:')
_ASKED = re.compile(r'"body"\s*:')
_LONGEST_MESSAGE = 100_000
_MARKS = " \t\"'`*_“”„«»‘’[]()#>|-"
_TAG = re.compile(r"</?[A-Za-z][\w :.-]{0,40}>")
_LABEL = re.compile(r"[^:：]{0,60}[:：]\s*")


def is_request(record: Mapping[str, object]) -> bool:
    """Whether a record of a batch asks, and does not answer."""
    return "custom_id" in record and "body" in record and "response" not in record


def metadata_of(request: Mapping[str, object]) -> dict[str, object]:
    """What a request says of itself, next to what it asks."""
    found = [one for one in (at(request.get("body"), "metadata"), request.get("metadata")) if isinstance(one, dict)]
    return {str(title).casefold(): value for one in found for title, value in one.items() if value is not None}


def message_of(request: Mapping[str, object]) -> str:
    """All that a request shows to the model but its instructions, as one text."""
    body = request.get("body")
    messages = at(body, "messages") or at(body, "input") or at(body, "prompt")
    if not isinstance(messages, list):
        return (text_of(messages) or "")[:_LONGEST_MESSAGE]
    texts = [text_of(at(one, "content")) for one in messages if at(one, "role") in ("user", None)]
    return "\n".join(text for text in texts if text)[:_LONGEST_MESSAGE]


def with_requests(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Files with judgements, by name; the requests of a batch stand behind the answers that have their ids.

    Raises:
        InputError: Two files ask for the same answer.
    """
    asked, answered = dict[int, tuple[str, frozenset[str]]](), dict[int, tuple[str, frozenset[str]]]()
    for place, (name, data) in enumerate(files):
        if b'"custom_id"' in data[:_HEAD]:
            text = decoding.decode(name, decoding.unpack(name, data, MAX_BYTES))
            first = text[:_HEAD].lstrip().partition("\n")[0]
            said = min(
                (found for one in (_ANSWERED, _ASKED) if (found := one.search(first))), key=re.Match.start, default=None
            )
            side = answered if said is not None and said.re is _ANSWERED else asked  # a body may hold either word
            if said is not None:
                side[place] = (text, frozenset(_ID.findall(text)))
    joined, taken = dict(enumerate(files)), set[int]()
    for place, (text, ids) in answered.items():
        own = [other for other, (_, others) in asked.items() if ids & others]
        if own:
            texts = [text, *(asked[other][0] for other in own)]
            joined[place] = (files[place][0], "\n".join(one.rstrip("\n") for one in texts).encode())
            taken.update(own)
    return [one for place, one in joined.items() if place not in taken]


def named_by_messages(judgements: Judgements, test_set: TestSet) -> Judgements:
    """The same, with segment and systems of verdicts that only the text of their request tells.

    A line of that text, without its label and quotation marks, is an output where it is the same text. There have to be
    as many outputs as were judged, of one segment, and each of one system: other verdicts are left out and counted.

    Raises:
        InputError: No request tells what was judged.
    """
    if all(row.message is None for row in judgements.rows):
        return judgements
    outputs = _by_text([one.hypotheses for one in test_set.systems])
    sources = _by_text([] if test_set.source is None else [test_set.source])
    names, rows = test_set.system_names, list[Row]()
    for row in judgements.rows:
        found = _shown_outputs(row.message or "", outputs, sources, 1 if row.contest is None else 2)
        if found is not None:
            segment, systems = found
            called = [names[one] for one in systems]
            plain = row._replace(number=segment, message=None, system=called[0])
            if row.contest is None or row.value is None:
                rows.append(plain)
            else:
                rows.append(plain._replace(contest=Contest(called[1], is_first=True)))
                rival = Contest(called[0], is_first=False)
                rows.append(plain._replace(system=called[1], value=1 - row.value, contest=rival))
    n_left_out = len(judgements.rows) - len({row.line for row in rows})
    if not rows:
        raise InputError(
            "no request tells which outputs were judged",
            where=judgements.file,
            line=judgements.rows[0].line,
            found=shown((judgements.rows[0].message or "")[:200]),
            expected="outputs of this test set, each on a line of its own",
            remedy="Write segment, first and second into the metadata of the requests, or ids such as 12|A|B.",
        )
    said = f"{judgements.file}: left out: {counted(n_left_out, 'verdict')} on outputs that the request does not tell."
    notices = (*judgements.notices, said) if n_left_out else judgements.notices
    return replace(judgements, rows=tuple(rows), first_number=0, notices=notices)


def _by_text(columns: Sequence[Sequence[str]]) -> dict[str, set[tuple[int, int]]]:
    """The segments and columns of each text."""
    found = defaultdict[str, set[tuple[int, int]]](set)
    for place, texts in enumerate(columns):
        for segment, text in enumerate(texts):
            key = _bare(text)
            if key:
                found[key].add((segment, place))
    return found


def _bare(text: str) -> str:
    return evened(text).strip(_MARKS)


def _shown_outputs(
    message: str, outputs: Mapping[str, set[tuple[int, int]]], sources: Mapping[str, set[tuple[int, int]]], wanted: int
) -> tuple[int, list[int]] | None:
    """The segment and the systems of the outputs that a message shows, in their order; ``None`` where it is unsure."""
    shown_ones, of_source = list[set[tuple[int, int]]](), set[int]()
    for line in message.splitlines():
        bare = _TAG.sub(" ", line)
        for text in dict.fromkeys((_bare(bare), _bare(_LABEL.sub("", bare, count=1)))):
            if text in outputs:
                shown_ones.append(outputs[text])
                break
            of_source |= {segment for segment, _ in sources.get(text, ())}
    if len(shown_ones) != wanted:
        return None
    segments = set.intersection(*({segment for segment, _ in one} for one in shown_ones))
    segments = segments & of_source if of_source else segments
    if len(segments) != 1:
        return None
    (segment,) = segments
    systems = [{system for at_segment, system in one if at_segment == segment} for one in shown_ones]
    if any(len(one) > 1 for one in systems):
        return None
    named = [min(one) for one in systems]
    return (segment, named) if len({*named}) == wanted else None
