"""What services and servers of language models write: batches, chats, choices."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bleucore.errors import InputError
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
from bleucore.formats.usual_names import role_of
from bleucore.values import shown


def openai_answers(body: object) -> list[str]:
    """The texts of an answer of OpenAI's interfaces: choices of a chat or a completion, or output items."""
    choices = at(body, "choices")
    found = []
    for one in choices if isinstance(choices, list) else ():
        text = text_of(at(one, "message", "content"))
        text = text_of(at(one, "text")) if text is None else text
        turns = at(one, "turns")
        text = str(turns[0]) if text is None and isinstance(turns, list) and len(turns) == 1 else text
        found += [] if text is None else [text]
    output = at(body, "output")
    parts = [
        text_of(at(one, "content"))
        for one in (output if isinstance(output, list) else ())
        if at(one, "type") in ("message", None)
    ]
    texts = [part for part in parts if part is not None]
    return found or (["".join(texts)] if texts else [])


def _anthropic_answers(body: object) -> list[str]:
    text = text_of(at(body, "content"))
    return [] if text is None else [text]


def _google_answers(body: object) -> list[str]:
    candidates = at(body, "candidates")
    texts = [text_of(at(one, "content", "parts")) for one in (candidates if isinstance(candidates, list) else ())]
    return [text for text in texts if text is not None]


def _bedrock_answers(body: object) -> list[str]:
    """The texts of an answer of any model there: each has a form of its own."""
    found = _anthropic_answers(body) or openai_answers(body)
    paths = (("output", "message", "content"), ("generation",), ("outputText",), ("results", 0, "outputText"))
    texts = [text_of(at(body, *path)) for path in (*paths, ("outputs", 0, "text"))]
    return found or [text for text in texts if text is not None][:1]


@dataclass(frozen=True)
class _Batch:
    """How a service writes the results of a batch: the name of the id, the path to an answer, and its texts."""

    called: str
    key: str
    inside: tuple[str, ...]
    answers_of: Callable[[object], list[str]]

    def read(self, file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump:
        """Its answers.

        Raises:
            InputError: One is missing.
        """
        records: list[Record] = []
        all_answers = [self.answers_of(at(item, *self.inside)) for item in items]
        n_missing = all_answers.count([])
        for item, place, answers in zip(items, places, all_answers, strict=True):
            if not answers:
                reason = item.get("error") or at(item, "result", "type")
                what = f"{n_missing:,} of {len(items):,} requests of {self.called}"
                raise missing(file, place, what if n_missing > 1 else f"a request of {self.called}", reason)
            for run, answer in enumerate(answers, start=1):
                record: Record = {ID: str(item.get(self.key)), OUTPUT: answer}
                records.append(record | ({RUN: str(run)} if len(answers) > 1 else {}))
        notice = f"{file}: read as the output of {self.called}; its answers are joined to other files by {self.key!r}."
        return Dump(records, notice, is_unordered=True)


_OPENAI = _Batch("an OpenAI batch", "custom_id", ("response", "body"), openai_answers)
_ANTHROPIC = _Batch("an Anthropic batch", "custom_id", ("result", "message"), _anthropic_answers)
_GEMINI = _Batch("a Gemini batch", "key", ("response",), _google_answers)


_VERTEX = _Batch("a Vertex batch", "recordId", ("response",), _google_answers)
_BEDROCK = _Batch("a Bedrock batch", "recordId", ("modelOutput",), _bedrock_answers)


def one_answer(file: str, document: Record) -> Dump | None:
    """Nothing, where a document is not one answer of a service with several candidates for one segment.

    Raises:
        InputError: It is.
    """
    for name, answers in (("candidates", _google_answers(document)), ("choices", _messages(document))):
        if len(answers) > 1:
            raise InputError(
                "this is one answer of a model, with several candidates for one segment",
                where=file,
                found=f"{len(answers):,} under {shown(name)}",
                expected="an answer for each segment",
                remedy='Write one answer for each segment, a line each: {"source": "…", "hypothesis": "…"}.',
            )
    return None


def _messages(document: Record) -> list[str]:
    choices = document.get("choices")
    listed = choices if isinstance(choices, list) else []
    texts = [text_of(at(one, "message", "content")) for one in listed]
    return [text for text in texts if text is not None]


def batch_results(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """The answers of a batch of any service."""
    if all_have(items, "custom_id", "response"):
        return _OPENAI.read(file, items, places)
    if all_have(items, "custom_id", "result"):
        return _ANTHROPIC.read(file, items, places)
    if all_have(items, "recordId", "modelInput"):
        return _BEDROCK.read(file, items, places)
    if all_have(items, "request", "response") and at(items[0], "response", "candidates") is not None:
        return _requested(_VERTEX, file, items, places)
    if all_have(items, "key", "response") and at(items[0], "response", "candidates") is not None:
        return _GEMINI.read(file, items, places)
    return None


def _requested(batch: _Batch, file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump:
    """The answers of a batch that repeats what was asked, and has no ids: the source tells which item it is."""
    asked = [_google_request(at(item, "request")) for item in items]
    numbered = [{**item, batch.key: str(number)} for number, item in enumerate(items)]
    dump = batch.read(file, numbered, places)
    records = [{**record, SOURCE: asked[int(str(record[ID]))]} for record in dump.records]
    if None in asked:
        records = [{name: value for name, value in record.items() if name != SOURCE} for record in records]
    return Dump(records, f"{file}: read as the output of {batch.called}, in the order of its lines.")


def _google_request(body: object) -> str | None:
    contents = at(body, "contents")
    asked = [text_of(at(one, "parts")) for one in (contents if isinstance(contents, list) else ())]
    return next((text for text in reversed(asked) if text is not None), None)


def batch_requests(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """The requests of a batch: their sources, in their order."""
    if not (all_have(items, "custom_id") and (all_have(items, "body") or all_have(items, "params"))):
        return None
    records: list[Record] = []
    for item in items:
        body = item.get("body", item.get("params"))
        asked = last_message(at(body, "messages"), "user") or text_of(at(body, "input")) or text_of(at(body, "prompt"))
        beside = at(item, "metadata") or at(body, "metadata")
        further = beside if isinstance(beside, dict) else {}
        rest = {name: value for name, value in {**further, **item}.items() if role_of(name) == "reference"}
        records.append({ID: str(item["custom_id"]), SOURCE: asked or "", **rest})
    return Dump(records, f"{file}: read as the requests of a batch; the source is what the user says last.")


def chats(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """Chats: the user's last message is the source, the assistant's the answer."""
    name = next((one for one in ("messages", "conversations") if all_have(items, one)), None)
    if name is None or not all(isinstance(item[name], list) for item in items):
        return None
    answers = [last_message(item[name], "assistant", "gpt", "model") for item in items]
    role = _role_of_answers(items, answers)
    records: list[Record] = []
    for item, answer in zip(items, answers, strict=True):
        record = {key: value for key, value in item.items() if key != name}
        record[SOURCE] = record.get(SOURCE) or last_message(item[name], "user", "human") or ""
        own = OUTPUT if not any(role_of(key) == "hypothesis" for key in record) else role
        if own is not None and answer is not None:
            record[own] = answer
        records.append(record)
    called = {OUTPUT: "output", REFERENCE: "reference", None: "output once more"}[role]
    return Dump(records, f"{file}: read as chats; the assistant's last message is the {called}, the user's the source.")


def _role_of_answers(items: Sequence[Record], answers: Sequence[str | None]) -> str | None:
    """What the assistant's last messages are: outputs, or references next to other outputs; ``None`` for neither.

    An output that holds the message, or is part of it, is the same answer before or after some cleaning.
    """
    outputs = [key for key in items[0] if role_of(key) == "hypothesis"]
    if not outputs:
        return OUTPUT
    n_same = 0
    for item, answer in zip(items, answers, strict=True):
        own = [(text_of(item.get(key)) or "").strip() for key in outputs]
        n_same += any(text in (answer or "") or (answer or "").strip() in text for text in own)
    has_reference = any(role_of(key) == "reference" for key in items[0])
    return REFERENCE if not has_reference and None not in answers and 2 * n_same < len(items) else None


def streams(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """Answers in pieces, as servers stream them; the last piece of each says that it is done.

    Raises:
        InputError: The last answer breaks off.
    """
    items = [item for item in items if item.get("choices") != []]  # one of them counts tokens
    if not all("done" in item or at(item, "choices", 0, "delta") is not None for item in items):
        return None
    is_last = [item.get("done") is True or at(item, "choices", 0, "finish_reason") is not None for item in items]
    if not items or all(is_last):
        return None
    texts: list[list[str]] = [[]]
    for item, is_end in zip(items, is_last, strict=True):
        paths = (("message", "content"), ("response",), ("choices", 0, "delta", "content"))
        texts[-1].append(next((text for path in paths if (text := text_of(at(item, *path))) is not None), ""))
        if is_end:
            texts.append([])
    if texts.pop():
        raise places[-1].refusal(
            file,
            "the last answer of a stream breaks off",
            found="no piece that says that it is done",
            expected="one at the end of each answer",
            remedy="Ask for it again, or load the complete file.",
        )
    said = f"{file}: {len(items):,} pieces of streamed answers were joined to {len(texts):,}."
    return Dump([{OUTPUT: "".join(pieces)} for pieces in texts], said)


def _by_model(file: str, items: Sequence[Record], name: str) -> Dump | None:
    """Answers of several systems in a list, each with the name of its system; ``None`` for other lists."""
    key = next((one for one in _NAMES_OF_MODELS if at(items[0][name], 0, one)), None)
    if key == "id" and len({frozenset(str(at(one, key)) for one in _listed(item, name)) for item in items}) > 1:
        return None  # the ids of answers, and not of systems
    records: list[Record] = []
    for number, item in enumerate(items):
        answers = _listed(item, name)
        names = [at(one, key or "") for one in answers]
        texts = [_answer_in(one) for one in answers]
        if len({*map(str, names)}) < len(names) or None in names or None in texts:
            return None
        rest = {one: value for one, value in item.items() if one != name}
        own = {"item_id": str(number)} if "id" not in rest else {}
        records += [{**rest, **own, SYSTEM: one, OUTPUT: text} for one, text in zip(names, texts, strict=True)]
    return Dump(records, f"{file}: a system for each {shown(str(key))} in {shown(name)}.")


_NAMES_OF_MODELS = ("system", "model", "name", "model_name", "provider", "engine", "id")


def _listed(item: Record, name: str) -> list[object]:
    value = item[name]
    return value if isinstance(value, list) else []


def _answer_in(value: object) -> str | None:
    names = (
        [name for name in value if role_of(name) == "hypothesis" or name == "text"] if isinstance(value, dict) else []
    )
    return text_of(at(value, names[0])) if names else None


def tokens(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """Results of CTranslate2, which hold pieces of words."""
    if not (all_have(items, "hypotheses") and isinstance(at(items[0]["hypotheses"], 0), list)):
        return None
    tokens = at(items[0], "hypotheses", 0)
    raise places[0].refusal(
        file,
        "these are tokens from CTranslate2, not texts",
        found=shown(" ".join(map(str, tokens if isinstance(tokens, list) else ()))),
        expected="detokenized texts",
        remedy="Join the tokens with the tokenizer of the model, and load the texts, one a line.",
    )


_LISTS_OF_ANSWERS = (
    *("choices", "outputs", "translations", "hypotheses", "candidates", "answers", "responses", "completions"),
    *("predictions", "systems", "models", "options"),
)


def choices(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """Answers of a server, one a line, and outputs of vLLM: several texts in a list."""
    name = next((one for one in _LISTS_OF_ANSWERS if all_have(items, one)), None)
    if name is None or not all(isinstance(item[name], list) and isinstance(at(item[name], 0), dict) for item in items):
        return None
    if (named := _by_model(file, items, name)) is not None:
        return named
    if name not in ("choices", "outputs"):
        return None
    records: list[Record] = []
    for number, (item, place) in enumerate(zip(items, places, strict=True)):
        listed = item[name]
        answers = openai_answers({"choices": listed})
        if not answers:
            return None
        if len(answers) < len(listed if isinstance(listed, list) else ()):
            raise missing(file, place, "an item", None)
        rest = {key: value for key, value in item.items() if key not in (name, "id", "created", "object", "model")}
        for run, answer in enumerate(answers, start=1):
            several = {RUN: str(run), "item_id": str(number)} if len(answers) > 1 else {}
            records.append({**rest, **several, OUTPUT: answer})
    return Dump(records, f"{file}: the output is the text in {shown(name)}.")
