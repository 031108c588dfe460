"""Logs and results of programs that evaluate language models."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bleucore.formats.json_batches import openai_answers
from bleucore.formats.json_records import (
    ID,
    OUTPUT,
    REFERENCE,
    RUN,
    SOURCE,
    SYSTEM,
    Dump,
    Record,
    all_have,
    at,
    last_message,
    missing,
    text_of,
)
from bleucore.formats.json_values import JsonPlace
from bleucore.formats.names import stem
from bleucore.formats.usual_names import role_of
from bleucore.values import shown

_WRITTEN_AT = re.compile(r"(?:19|20)\d\d-?\d\d-?\d\dT?[-_]?\d\d")


def inspect(file: str, document: Record) -> Dump | None:
    """A log of Inspect."""
    samples = document.get("samples")
    if not (isinstance(samples, list) and "eval" in document and all(isinstance(one, dict) for one in samples)):
        return None
    records: list[Record] = []
    model = str(at(document, "eval", "model") or "").rpartition("/")[2]
    system = model if _WRITTEN_AT.search(stem(file)) else ""
    for number, one in enumerate(samples, start=1):
        answers = openai_answers(one.get("output"))
        completion = text_of(at(one, "output", "completion"))
        if not answers and completion is None:
            raise missing(file, JsonPlace(None, number), "a sample of Inspect", at(one, "error", "message"))
        asked = one.get("input")
        target = one.get("target")
        records.append(
            {
                "id": str(one.get("id", number)),
                "epoch": str(one.get("epoch", 1)),
                SOURCE: last_message(asked, "user") if isinstance(asked, list) else asked,
                "references": target if isinstance(target, list) else [target],
                OUTPUT: answers[0] if answers else completion,
                **({SYSTEM: system} if system else {}),
            }
        )
    return Dump(records, f"{file}: read as a log of Inspect.", system=system) if records else None


def helm(file: str, document: Record) -> Dump | None:
    """A scenario of HELM: the references marked as correct, a run for each completion and each trial.

    Raises:
        InputError: A request has no answer, or another number of them than the others.
    """
    states = document.get("request_states")
    if not isinstance(states, list) or not states or at(states, 0, "instance") is None:
        return None
    unchanged = [one for one in states if at(one, "instance", "perturbation") is None]
    kept = unchanged or states
    answers = [_completions(one) for one in kept]
    for number, (one, found) in enumerate(zip(kept, answers, strict=True), start=1):
        if len(found) != len(answers[0]) or not found:
            reason = at(one, "result", "error") or f"{len(found):,} of {len(answers[0]):,} completions"
            raise missing(file, JsonPlace(None, number), "a request of HELM", reason)
    has_correct = any(_is_correct(reference) for one in kept for reference in _listed(one, "instance", "references"))
    records: list[Record] = []
    for number, (one, found) in enumerate(zip(kept, answers, strict=True), start=1):
        references = [
            text_of(at(reference, "output", "text"))
            for reference in _listed(one, "instance", "references")
            if _is_correct(reference) or not has_correct
        ]
        record: Record = {"item_id": str(at(one, "instance", "id") or number)}
        record |= {SOURCE: at(one, "instance", "input", "text")}
        record |= {"references": references} if references else {}
        trial = at(one, "train_trial_index")
        for run, text in enumerate(found):
            records.append({**record, "trial": str(trial), RUN: str(run + 1), OUTPUT: text})
    for name in ("trial", RUN):
        if len({record[name] for record in records}) == 1:
            records = [{key: value for key, value in record.items() if key != name} for record in records]
    said = f"{file}: read as a scenario of HELM."
    if len(kept) < len(states):
        said += f" {len(states) - len(kept):,} requests with changed inputs are left out."
    return Dump(records, said)


def _completions(state: object) -> list[str]:
    texts = [text_of(at(one, "text")) for one in _listed(state, "result", "completions")]
    return [text for text in texts if text is not None]


def _listed(value: object, *path: str) -> list[object]:
    found = at(value, *path)
    return found if isinstance(found, list) else []


def _is_correct(reference: object) -> bool:
    return "correct" in _listed(reference, "tags")


def comparator(file: str, document: Record) -> Dump | None:
    """The input of LLM Comparator: two models side by side."""
    models, examples = document.get("models"), document.get("examples")
    if not (isinstance(models, list) and isinstance(examples, list) and examples and len(models) == 2):  # noqa: PLR2004  # a and b
        return None
    names = [str(at(one, "name") or letter) for one, letter in zip(models, "AB", strict=True)]
    records: list[Record] = []
    for one in examples:
        fields = at(one, "custom_fields")
        kept = {name: value for name, value in (fields if isinstance(fields, dict) else {}).items() if role_of(name)}
        texts = {name: at(one, f"output_text_{letter}") for name, letter in zip(names, "ab", strict=True)}
        records.append({SOURCE: at(one, "input_text"), **kept, **texts})
    return Dump(records, f"{file}: read as the input of LLM Comparator.", outputs=tuple(names))


def langfuse(file: str, document: Record) -> Dump | None:
    """Runs over a data set of Langfuse, one or several, each with its items: a system for each run.

    Raises:
        InputError: Its items name traces, and hold no outputs.
    """
    listed = document.get("data")
    runs = listed if isinstance(listed, list) else [document]
    found = [(at(one, "name"), _listed(one, "datasetRunItems")) for one in runs]
    if not runs or not all(isinstance(name, str) and items for name, items in found):
        return None
    records: list[Record] = []
    for name, items in found:
        for number, one in enumerate(items, start=1):
            answer = _only_text(at(one, "trace", "output")) or _only_text(at(one, "output"))
            if answer is None:
                raise JsonPlace(None, number).refusal(
                    file,
                    "a run of Langfuse without outputs",
                    found=f"trace {shown(str(at(one, 'traceId')))} without its output",
                    expected='the output of each item, under "output" or in "trace"',
                    remedy="Export the traces of the run too, or save input, output and expected output as CSV.",
                )
            kept: Record = {"item_id": str(at(one, "datasetItemId") or at(one, "datasetItem", "id") or number)}
            asked = _only_text(at(one, "datasetItem", "input")) or _only_text(at(one, "input"))
            asked = asked or _only_text(at(one, "trace", "input"))
            expected = _only_text(at(one, "datasetItem", "expectedOutput")) or _only_text(at(one, "expectedOutput"))
            kept |= {SOURCE: asked} if asked is not None else {}
            kept |= {REFERENCE: expected} if expected is not None else {}
            records.append({SYSTEM: name, **kept, OUTPUT: answer})
    return Dump(records, f"{file}: read as runs over a data set of Langfuse, a system for each run.")


def _only_text(value: object) -> str | None:
    """A text, the last message of a chat, or the only text of an object."""
    found = text_of(value) if not isinstance(value, dict) else text_of(value.get("content"))
    if found is not None or not isinstance(value, dict):
        return found
    asked = last_message(value.get("messages"), "user")
    texts = [text for one in value.values() if (text := text_of(one)) is not None]
    return asked or (texts[0] if len(texts) == 1 else None)


_EVENTS = frozenset({"sample_id", "type", "data"})
_OF_A_RUN = frozenset({"spec", "final_report"})
_EXPECTED = ("expected", "ideal", "target", "reference")


def openai_evals(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """A log of OpenAI Evals: events of samples, with what was sampled and what was expected.

    Raises:
        InputError: A sample has no answer.
    """
    events = [(item, place) for item, place in zip(items, places, strict=True) if item.keys() >= _EVENTS]
    if not events or any(not _OF_A_RUN & item.keys() for item in items if not item.keys() >= _EVENTS):
        return None
    by_sample: dict[str, list[tuple[Record, JsonPlace]]] = {}
    for item, place in events:
        by_sample.setdefault(str(item["sample_id"]), []).append((item, place))
    records: list[Record] = []
    for sample, found in by_sample.items():
        answers, source, references = _sampled([item for item, _ in found])
        if not answers:
            raise missing(file, found[0][1], "a sample of OpenAI Evals", None)
        record: Record = {ID: sample, **({SOURCE: source} if source is not None else {})}
        record |= {"references": references} if references else {}
        for run, answer in enumerate(answers, start=1):
            records.append(record | ({RUN: str(run)} if len(answers) > 1 else {}) | {OUTPUT: answer})
    return Dump(records, f"{file}: read as a log of OpenAI Evals, joined by the ids of its samples.", is_unordered=True)


def _sampled(events: Sequence[Record]) -> tuple[list[str], str | None, list[str]]:
    """What was sampled for one sample, its source and its references; of an answer that was judged no other counts."""
    source: str | None = None
    references: list[str] = []
    judged: list[str] = []
    sampled: list[str] = []
    for one in events:
        data = one["data"]
        prompt = at(data, "prompt")
        source = source or _last_asked(prompt)
        expected = next((found for name in _EXPECTED if (found := _texts(at(data, name)))), [])
        references = references or expected
        answers = _texts(at(data, "sampled"))
        (judged if expected else sampled).extend(answers)
    return list(dict.fromkeys(judged)) or sampled, source, references


def _last_asked(prompt: object) -> str | None:
    return last_message(prompt, "user") if isinstance(prompt, list) else text_of(prompt)


def _texts(value: object) -> list[str]:
    """A text, or those in a list."""
    found = [text_of(one) for one in value] if isinstance(value, list) else [text_of(value)]
    return [one for one in found if one is not None]


_ASKED = ("inputs.", "outputs.")
_ANSWERS_FIRST: Mapping[str, int] = MappingProxyType({"outputs.": 0, "inputs.": 1})


def azure(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """Rows of an evaluation of Azure: names with "inputs." and "outputs." before them; scores are left out."""
    names = list(dict.fromkeys(name for item in items for name in item))
    dotted = [name for name in names if name.startswith(_ASKED)]
    if len(dotted) < 2 or any("." in name for name in names if name not in dotted):  # noqa: PLR2004  # two texts
        return None
    ranked = sorted(dotted, key=lambda name: _ANSWERS_FIRST[name[: name.index(".") + 1]])
    kept: dict[str, str] = {}
    for name in ranked:
        before, _, last = name.partition(".")
        if "." in last or (before == "outputs" and last.endswith(("_score", "_result", "_reason", "_threshold"))):
            continue  # what an evaluator says of the answer
        kept.setdefault(last, name)
    if not any(map(role_of, kept)):
        return None
    by_role = {role_of(last): last for last in reversed(kept) if role_of(last) is not None}
    chosen = {last: name for last, name in kept.items() if role_of(last) is None or by_role[role_of(last)] == last}
    records: list[Record] = [{last: item.get(name) for last, name in chosen.items()} for item in items]
    return Dump(records, f"{file}: read as an evaluation of Azure; its scores are left out.")


def azure_document(file: str, document: Record) -> Dump | None:
    """The same in one document, with the means of the scores."""
    rows = document.get("rows")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        return None
    return azure(file, rows, ())


_REMARKS = frozenset(
    {"comment", "comments", "remark", "remarks", "note", "notes", "feedback", "explanation", "reason", "justification"}
)
"""What people write about texts, and not as texts."""


def label_studio(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """An export of Label Studio in which people or models wrote texts; ``None`` where nobody did.

    Raises:
        InputError: An item has no text.
    """
    if not all_have(items, "annotations", "data") or not all(isinstance(item["data"], dict) for item in items):
        return None
    of_people = [_written(item["annotations"]) for item in items]
    written = of_people if any(of_people) else [_written(item.get("predictions")) for item in items]
    fields = list(dict.fromkeys(name for answers in written for _, one in answers for name in one))
    if not fields:
        return None
    records: list[Record] = []
    for item, place, answers in zip(items, places, written, strict=True):
        if not answers or any(one.keys() != set(fields) for _, one in answers):
            raise missing(file, place, "an item of Label Studio", None)
        data = item["data"] if isinstance(item["data"], dict) else {}
        record: Record = {"item_id": str(item.get("id", place)), **data}
        for run, (model, one) in enumerate(answers, start=1):
            again: Record = {SYSTEM: model} if model else {RUN: str(run)} if len(answers) > 1 else {}
            records.append(record | again | {_beside(name, data): text for name, text in one.items()})
    names = [_beside(name, records[0]) if name in records[0] else name for name in fields]
    outputs = tuple(name for name in names if role_of(name) is None)
    whose = "people wrote" if any(of_people) else "models predicted"
    notice = f"{file}: read as an export of Label Studio; the outputs are the texts that {whose}."
    return Dump(records, notice, outputs=outputs)


def _beside(name: str, data: Mapping[str, object]) -> str:
    """The name of a field, told apart from what people were shown."""
    return f"{name} (written)" if name in data else name


def _written(answers: object) -> list[tuple[str, dict[str, str]]]:
    """What each annotator or model wrote for an item: the model's version, and texts by the names of the fields."""
    found: list[tuple[str, dict[str, str]]] = []
    for one in answers if isinstance(answers, list) else ():
        if at(one, "was_cancelled") is True:
            continue
        results = at(one, "result")
        texts: dict[str, str] = {}
        for result in results if isinstance(results, list) else ():
            name = str(at(result, "from_name"))
            if at(result, "type") == "textarea" and name.casefold() not in _REMARKS:
                texts[name] = " ".join(_texts(at(result, "value", "text")))
        found += [(str(at(one, "model_version") or ""), texts)] if texts else []
    return found
