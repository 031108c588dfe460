"""What programs that run or evaluate language models write as JSON -> flat records with usual names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bleucore.errors import InputError
from bleucore.formats.item_ids import counted_order
from bleucore.formats.json_values import JsonPlace, Number, Values
from bleucore.formats.names import stem
from bleucore.formats.usual_names import first_source, role_of
from bleucore.values import shown

Record = dict[str, object]
_LEAST_MESSAGES, _DEEPEST = 5, 8
_TEXT, _MESSAGES = "text", ("message", "defaultMessage", "string", "value")
_ID, _SYSTEM, _RUN, _SOURCE, _REFERENCE, _OUTPUT = "custom_id", "system", "run", "source", "reference", "hypothesis"


@dataclass(frozen=True)
class Dump:
    """What a program wrote.

    Attributes:
        records: One for each answer.
        notice: What it was taken for, in a sentence.
        is_unordered: Whether the order of the records says nothing.
        outputs: The names under which outputs of systems stand, where no usual name says it.
    """

    records: Sequence[Record]
    notice: str
    is_unordered: bool = False
    outputs: tuple[str, ...] = ()

    def in_order(self) -> "Dump":
        """The same, in the order of ids that count, where the order says nothing."""
        ids = [str(record[_ID]) for record in self.records] if self.is_unordered else []
        distinct = list(dict.fromkeys(ids))
        order = counted_order(distinct)
        if not ids or order is None:
            return self
        places = {distinct[place]: number for number, place in enumerate(order)}
        rows = sorted(range(len(ids)), key=lambda row: places[ids[row]])
        return replace(self, records=[self.records[row] for row in rows], is_unordered=False)


def dump_of(file: str, values: Values) -> Dump | None:
    """The records of a known dump; ``None`` for any other JSON.

    Raises:
        InputError: It is one, and an answer is missing.
    """
    items = [item for item in values.items if isinstance(item, dict)]
    if not items or len(items) < len(values.items):
        return None
    if not values.is_array:
        return next((found for read in _DOCUMENTS if (found := read(file, items[0])) is not None), None)
    return next((found for read in _RECORDS if (found := read(file, items, values.places)) is not None), None)


def _all_have(items: Sequence[Record], *names: str) -> bool:
    return all(all(name in item for name in names) for item in items)


def _at(value: object, *path: str | int) -> object:
    """What stands at a path; ``None`` where there is nothing."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and len(value) > step:
            value = value[step]
        else:
            return None
    return value


def _said(content: object) -> str | None:
    """A message's text: as it is, or of parts that hold text each."""
    if isinstance(content, str) and not isinstance(content, Number):
        return content
    if isinstance(content, list):
        parts = [_said(_at(part, "text")) or _said(_at(part, "content")) for part in content if isinstance(part, dict)]
        known = [part for part in parts if part is not None]
        return "".join(known) if known else None
    return None


def _last(messages: object, *roles: str) -> str | None:
    """The last message of somebody."""
    found = None
    for one in messages if isinstance(messages, list) else ():
        role = str(_at(one, "role") or _at(one, "from") or "")
        text = _said(_at(one, "content") or _at(one, "value"))
        if role in roles and text is not None:
            found = text
    return found


def _missing(file: str, place: JsonPlace, what: str, found: object) -> InputError:
    return place.refusal(
        file,
        f"{what} without an answer",
        found=shown(str(found)) if found else "none",
        expected="an answer in each line",
        remedy='Ask for it again, or write "" as its answer in a table of your own.',
    )


def _openai_answers(body: object) -> list[str]:
    """The texts of an answer of OpenAI's interfaces: choices of a chat or a completion, or output items."""
    choices = _at(body, "choices")
    found = []
    for one in choices if isinstance(choices, list) else ():
        text = _said(_at(one, "message", "content"))
        text = _said(_at(one, "text")) if text is None else text
        turns = _at(one, "turns")
        text = str(turns[0]) if text is None and isinstance(turns, list) and len(turns) == 1 else text
        found += [] if text is None else [text]
    output = _at(body, "output")
    parts = [
        _said(_at(one, "content"))
        for one in (output if isinstance(output, list) else ())
        if _at(one, "type") in ("message", None)
    ]
    texts = [part for part in parts if part is not None]
    return found or (["".join(texts)] if texts else [])


def _anthropic_answers(body: object) -> list[str]:
    text = _said(_at(body, "content"))
    return [] if text is None else [text]


def _google_answers(body: object) -> list[str]:
    candidates = _at(body, "candidates")
    texts = [_said(_at(one, "content", "parts")) for one in (candidates if isinstance(candidates, list) else ())]
    return [text for text in texts if text is not None]


def _bedrock_answers(body: object) -> list[str]:
    """The texts of an answer of any model there: each has a form of its own."""
    found = _anthropic_answers(body) or _openai_answers(body)
    paths = (("output", "message", "content"), ("generation",), ("outputText",), ("results", 0, "outputText"))
    texts = [_said(_at(body, *path)) for path in (*paths, ("outputs", 0, "text"))]
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
        for item, place in zip(items, places, strict=True):
            answers = self.answers_of(_at(item, *self.inside))
            if not answers:
                reason = item.get("error") or _at(item, "result", "type")
                raise _missing(file, place, f"a request of {self.called}", reason)
            for run, answer in enumerate(answers, start=1):
                record: Record = {_ID: str(item.get(self.key)), _OUTPUT: answer}
                records.append(record | ({_RUN: str(run)} if len(answers) > 1 else {}))
        said = f"{file}: read as the output of {self.called}; its answers are joined to other files by {self.key!r}."
        return Dump(records, said, is_unordered=True)


_OPENAI = _Batch("an OpenAI batch", "custom_id", ("response", "body"), _openai_answers)
_ANTHROPIC = _Batch("an Anthropic batch", "custom_id", ("result", "message"), _anthropic_answers)
_GEMINI = _Batch("a Gemini batch", "key", ("response",), _google_answers)


_VERTEX = _Batch("a Vertex batch", "recordId", ("response",), _google_answers)
_BEDROCK = _Batch("a Bedrock batch", "recordId", ("modelOutput",), _bedrock_answers)


def _batch_results(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    if _all_have(items, "custom_id", "response"):
        return _OPENAI.read(file, items, places)
    if _all_have(items, "custom_id", "result"):
        return _ANTHROPIC.read(file, items, places)
    if _all_have(items, "recordId", "modelInput"):
        return _BEDROCK.read(file, items, places)
    if _all_have(items, "request", "response") and _at(items[0], "response", "candidates") is not None:
        return _requested(_VERTEX, file, items, places)
    if _all_have(items, "key", "response") and _at(items[0], "response", "candidates") is not None:
        return _GEMINI.read(file, items, places)
    return None


def _requested(batch: _Batch, file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump:
    """The answers of a batch that repeats what was asked, and has no ids: the source tells which item it is."""
    asked = [_google_request(_at(item, "request")) for item in items]
    numbered = [{**item, batch.key: str(number)} for number, item in enumerate(items)]
    dump = batch.read(file, numbered, places)
    records = [{**record, _SOURCE: asked[int(str(record[_ID]))]} for record in dump.records]
    if None in asked:
        records = [{name: value for name, value in record.items() if name != _SOURCE} for record in records]
    return Dump(records, f"{file}: read as the output of {batch.called}, in the order of its lines.")


def _google_request(body: object) -> str | None:
    contents = _at(body, "contents")
    said = [_said(_at(one, "parts")) for one in (contents if isinstance(contents, list) else ())]
    return next((text for text in reversed(said) if text is not None), None)


def _batch_requests(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """The requests of a batch: their sources, in their order."""
    if not (_all_have(items, "custom_id") and (_all_have(items, "body") or _all_have(items, "params"))):
        return None
    records: list[Record] = []
    for item in items:
        body = item.get("body", item.get("params"))
        asked = _last(_at(body, "messages"), "user") or _said(_at(body, "input")) or _said(_at(body, "prompt"))
        rest = {name: value for name, value in item.items() if role_of(name) == "reference"}
        records.append({_ID: str(item["custom_id"]), _SOURCE: asked or "", **rest})
    return Dump(records, f"{file}: read as the requests of a batch; the source is what the user says last.")


def _chats(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """Chats: the user's last message is the source, the assistant's the answer."""
    name = next((one for one in ("messages", "conversations") if _all_have(items, one)), None)
    if name is None or not all(isinstance(item[name], list) for item in items):
        return None
    records: list[Record] = []
    for item in items:
        answer = _last(item[name], "assistant", "gpt", "model")
        record = {key: value for key, value in item.items() if key != name}
        record[_SOURCE] = record.get(_SOURCE) or _last(item[name], "user", "human") or ""
        if not any(role_of(key) == "hypothesis" for key in record) and answer is not None:
            record[_OUTPUT] = answer
        records.append(record)
    return Dump(records, f"{file}: read as chats; the assistant's last message is the output, the user's the source.")


def _by_model(file: str, items: Sequence[Record], name: str) -> Dump | None:
    """Answers of several systems in a list, each with the name of its system; ``None`` for other lists."""
    key = next(
        (one for one in ("system", "model", "name", "model_name", "provider") if _at(items[0][name], 0, one)), None
    )
    records: list[Record] = []
    for number, item in enumerate(items):
        listed = item[name]
        answers = listed if isinstance(listed, list) else []
        names = [_at(one, key or "") for one in answers]
        texts = [_answer_in(one) for one in answers]
        if len({*map(str, names)}) < len(names) or None in names or None in texts:
            return None
        rest = {one: value for one, value in item.items() if one != name}
        own = {"item_id": str(number)} if "id" not in rest else {}
        records += [{**rest, **own, _SYSTEM: one, _OUTPUT: text} for one, text in zip(names, texts, strict=True)]
    return Dump(records, f"{file}: a system for each {shown(str(key))} in {shown(name)}.")


def _answer_in(value: object) -> str | None:
    names = (
        [name for name in value if role_of(name) == "hypothesis" or name == "text"] if isinstance(value, dict) else []
    )
    return _said(_at(value, names[0])) if names else None


def _tokens(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """Results of CTranslate2, which hold pieces of words."""
    if not (_all_have(items, "hypotheses") and isinstance(_at(items[0]["hypotheses"], 0), list)):
        return None
    tokens = _at(items[0], "hypotheses", 0)
    raise places[0].refusal(
        file,
        "these are tokens from CTranslate2, not texts",
        found=shown(" ".join(map(str, tokens if isinstance(tokens, list) else ()))),
        expected="detokenized texts",
        remedy="Join the tokens with the tokenizer of the model, and load the texts, one a line.",
    )


def _rows_of_viewer(_file: str, document: Record) -> Dump | None:
    """Rows as the viewer of Hugging Face gives them."""
    rows = document.get("rows")
    found = [_at(one, "row") for one in rows] if isinstance(rows, list) else []
    records = [one for one in found if isinstance(one, dict)]
    return Dump(records, "") if records and len(records) == len(found) else None


def _helm(file: str, document: Record) -> Dump | None:
    """A scenario of HELM: the references marked as correct, and the first completion."""
    states = document.get("request_states")
    if not isinstance(states, list) or not states or _at(states, 0, "instance") is None:
        return None
    records: list[Record] = []
    for number, one in enumerate(states, start=1):
        answer = _said(_at(one, "result", "completions", 0, "text"))
        if answer is None:
            raise _missing(file, JsonPlace(None, number), "a request of HELM", _at(one, "result", "error"))
        listed = _at(one, "instance", "references")
        references = [_said(_at(one, "output", "text")) for one in (listed if isinstance(listed, list) else ())]
        records.append(
            {
                "id": str(_at(one, "instance", "id") or number),
                _SOURCE: _at(one, "instance", "input", "text"),
                "references": references,
                _OUTPUT: answer,
            }
        )
    trials = {str(_at(one, "train_trial_index")) for one in states}
    if len(trials) > 1:
        records = [
            {**record, "trial": str(_at(one, "train_trial_index"))} for record, one in zip(records, states, strict=True)
        ]
    return Dump(records, f"{file}: read as a scenario of HELM.")


def _whisper(file: str, document: Record) -> Dump | None:
    """A transcript in segments, each with its times."""
    segments = document.get("segments")
    if not isinstance(segments, list) or not segments or not all(isinstance(one, dict) for one in segments):
        return None
    if not all(isinstance(one.get("text"), str) and "start" in one and "end" in one for one in segments):
        return None
    return Dump([{_OUTPUT: one["text"].strip()} for one in segments], f"{file}: read as a transcript, by its segments.")


def _string_catalog(file: str, document: Record) -> Dump | None:
    """Apple's catalogue of strings: the key is the source; one target language."""
    strings = document.get("strings")
    if not isinstance(strings, dict) or "sourceLanguage" not in document:
        return None
    source = str(document["sourceLanguage"])
    localized = [found for one in strings.values() if isinstance(found := _at(one, "localizations"), dict)]
    languages = {str(language) for one in localized for language in one} - {source}
    if len(languages) != 1:
        raise InputError(
            "this catalogue has several languages" if languages else "this catalogue has no translations",
            where=file,
            found=", ".join(sorted(languages)) or "no localizations",
            expected="one target language",
            remedy="Export one language as XLIFF from Xcode, and load that.",
        )
    (language,) = languages
    records: list[Record] = []
    for key, one in strings.items():
        text = _said(_at(one, "localizations", language, "stringUnit", "value"))
        original = _said(_at(one, "localizations", source, "stringUnit", "value"))
        if text is not None:
            records.append({"id": key, _SOURCE: original or key, _OUTPUT: text})
    n_missing = len(strings) - len(records)
    lacking = f" {n_missing:,} of {len(strings):,} have no translation and were left out." if n_missing else ""
    said = f"{file}: read as a catalogue of strings; the source is the key.{lacking}"
    return Dump(records, said) if records else None


def _catalogue(file: str, document: Record) -> Dump | None:
    """Texts of an app by their keys, in objects inside each other."""
    inner = [frozenset(value) for value in document.values() if isinstance(value, dict)]
    is_table = len(inner) == len(document) > 1 and len(set(inner)) == 1  # by columns or by rows
    if is_table and (any(map(role_of, document)) or all(map(str.isdecimal, [*next(iter(inner)), *document][:1]))):
        return None
    texts = _leaves(document)
    if texts is None or len(texts) < _LEAST_MESSAGES or any(role_of(path[-1]) for path, _ in texts):
        return None
    records: list[Record] = [{"id": ".".join(path), _TEXT: text} for path, text in texts]
    return Dump(records, f"{file}: read as texts of an app; {len(records):,} keys are no part of the texts.")


def _leaves(value: Record, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]] | None:
    """The texts in objects by the keys that lead to them; ``None`` where anything else is in them."""
    found: list[tuple[tuple[str, ...], str]] = []
    for key, inner in value.items():
        if key.startswith("@"):  # what ARB says of a text
            continue
        if isinstance(inner, dict) and len(path) < _DEEPEST:
            below = _leaves(inner, (*path, key))
            if below is None:
                return None
            found += below
        elif isinstance(inner, str) and not isinstance(inner, Number):
            found.append(((*path, key), inner))
        else:
            return None
    return found


def _choices(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """Answers of a server, one a line, and outputs of vLLM: several texts in a list."""
    name = next((one for one in ("choices", "outputs") if _all_have(items, one)), None)
    if name is None or not all(isinstance(item[name], list) and isinstance(_at(item[name], 0), dict) for item in items):
        return None
    if (named := _by_model(file, items, name)) is not None:
        return named
    records: list[Record] = []
    for number, (item, place) in enumerate(zip(items, places, strict=True)):
        listed = item[name]
        answers = _openai_answers({"choices": listed})
        if not answers:
            return None
        if len(answers) < len(listed if isinstance(listed, list) else ()):
            raise _missing(file, place, "an item", None)
        rest = {key: value for key, value in item.items() if key not in (name, "id", "created", "object", "model")}
        for run, answer in enumerate(answers, start=1):
            several = {_RUN: str(run), "item_id": str(number)} if len(answers) > 1 else {}
            records.append({**rest, **several, _OUTPUT: answer})
    return Dump(records, f"{file}: the output is the text in {shown(name)}.")


def _without_original_target(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """WMT24++: ``target`` is the reference; ``original_target`` is what people corrected to it."""
    if not _all_have(items, "original_target", "target"):
        return None
    records = [{key: value for key, value in item.items() if key != "original_target"} for item in items]
    return Dump(records, f"{file}: read as WMT24++; “target” is the reference, and “original_target” is left out.")


def _table(_file: str, document: Record) -> Dump | None:
    """Columns and rows apart, as data frames ("split") and W&B have them."""
    columns, rows = document.get("columns"), document.get("data")
    if not (isinstance(columns, list) and isinstance(rows, list) and rows):
        return None
    names = list(map(str, columns))
    if len(set(names)) < len(names) or not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return None
    return Dump([dict(zip(names, row, strict=True)) for row in rows if isinstance(row, list)], "")


def _by_system_and_key(file: str, document: Record) -> Dump:
    """Records by the name of a system, and in it by an id."""
    records: list[Record] = [
        {_SYSTEM: system, "item_id": key, **record}
        for system, by_key in document.items()
        if isinstance(by_key, dict)
        for key, record in by_key.items()
    ]
    return Dump(records, f"{file}: {len(document):,} systems, each with records by their ids.")


def _by_key(file: str, document: Record) -> Dump | None:
    """An object of objects with the same names, each under its id, or under the name of a system and its id."""
    records = [value for value in document.values() if isinstance(value, dict)]
    if len(records) < max(2, len(document)) or any(map(role_of, document)):  # one is an object with parts
        return None
    ids = list(document)
    message = next((name for name in _MESSAGES if all(isinstance(record.get(name), str) for record in records)), None)
    if message is not None and not any(map(role_of, records[0])):
        return Dump([{"id": key, _TEXT: record[message]} for key, record in zip(ids, records, strict=True)], "")
    if len({frozenset(record) for record in records}) > 1:
        return None
    inner = [value for record in records for value in record.values() if isinstance(value, dict)]
    if len(inner) == len(records) * len(records[0]) and any(role_of(name) for one in inner for name in one):
        return _by_system_and_key(file, document)
    has_roles = any(map(role_of, records[0]))
    named = [record if "id" in record else {"id": key, **record} for key, record in zip(ids, records, strict=True)]
    return Dump(named, "") if has_roles else None


def _inspect(file: str, document: Record) -> Dump | None:
    """A log of Inspect."""
    samples = document.get("samples")
    if not (isinstance(samples, list) and "eval" in document and all(isinstance(one, dict) for one in samples)):
        return None
    records: list[Record] = []
    for number, one in enumerate(samples, start=1):
        answers = _openai_answers(one.get("output"))
        completion = _said(_at(one, "output", "completion"))
        if not answers and completion is None:
            raise _missing(file, JsonPlace(None, number), "a sample of Inspect", _at(one, "error", "message"))
        asked = one.get("input")
        target = one.get("target")
        records.append(
            {
                "id": str(one.get("id", number)),
                "epoch": str(one.get("epoch", 1)),
                _SOURCE: _last(asked, "user") if isinstance(asked, list) else asked,
                "references": target if isinstance(target, list) else [target],
                _OUTPUT: answers[0] if answers else completion,
            }
        )
    return Dump(records, f"{file}: read as a log of Inspect.") if records else None


def _promptfoo(file: str, document: Record) -> Dump | None:
    """Results of promptfoo: a row for each test, provider and prompt."""
    results = document.get("results")
    rows = results.get("results") if isinstance(results, dict) else results
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) and "vars" in row for row in rows):
        return None
    records: list[Record] = []
    for number, row in enumerate(rows, start=1):
        answer = _said(_at(row, "response", "output"))
        if answer is None:
            raise _missing(file, JsonPlace(None, number), "a result of promptfoo", row.get("error"))
        given = row["vars"] if isinstance(row["vars"], dict) else {}
        source = next((name for name in given if role_of(name) == "source"), None) or first_source(given)
        others = [name for name in given if role_of(name) is None]
        source = others[0] if source is None and len(others) == 1 else source
        record: Record = {_SYSTEM: _at(row, "provider", "label") or _at(row, "provider", "id") or row.get("provider")}
        record |= {"prompt": _at(row, "prompt", "label") or _at(row, "prompt", "raw") or "prompt"}
        record |= {"item_id": "\x1f".join(str(given[name]) for name in sorted(given))}
        record |= {_SOURCE if name == source else _usual(name): value for name, value in given.items()}
        records.append(record | {_OUTPUT: answer})
    if len({record["prompt"] for record in records}) == 1:
        records = [{name: value for name, value in record.items() if name != "prompt"} for record in records]
    return Dump(records, f"{file}: read as results of promptfoo, with a system for each provider.")


def _usual(name: str) -> str:
    return _REFERENCE if role_of(name) == "reference" or name.casefold() in ("expected", "answer", "label") else name


def _comparator(file: str, document: Record) -> Dump | None:
    """The input of LLM Comparator: two models side by side."""
    models, examples = document.get("models"), document.get("examples")
    if not (isinstance(models, list) and isinstance(examples, list) and examples and len(models) == 2):  # noqa: PLR2004  # a and b
        return None
    names = [str(_at(one, "name") or letter) for one, letter in zip(models, "AB", strict=True)]
    records: list[Record] = []
    for one in examples:
        fields = _at(one, "custom_fields")
        kept = {name: value for name, value in (fields if isinstance(fields, dict) else {}).items() if role_of(name)}
        texts = {name: _at(one, f"output_text_{letter}") for name, letter in zip(names, "ab", strict=True)}
        records.append({_SOURCE: _at(one, "input_text"), **kept, **texts})
    return Dump(records, f"{file}: read as the input of LLM Comparator.", outputs=tuple(names))


def _systems(file: str, document: Record) -> Dump | None:
    """Outputs by the names of systems, beside lists of references and sources."""
    name = next((one for one in ("systems", "models", "hypotheses", "outputs", "predictions") if one in document), None)
    outputs = _by_name(document.get(name or ""))
    if name is None or not outputs:
        return None
    n_segments = len(next(iter(outputs.values())))
    if any(len(texts) != n_segments for texts in outputs.values()):
        odd = next(one for one, texts in outputs.items() if len(texts) != n_segments)
        raise InputError(
            "the lists differ in length",
            where=f"{file}, {shown(odd)}",
            found=f"{len(outputs[odd]):,} items",
            expected=f"{n_segments:,}, one for each segment",
            remedy="Give every list one item for each segment.",
        )
    beside: dict[str, Sequence[object]] = {}
    for key, value in document.items():
        if key == name or not isinstance(value, list):
            continue
        if len(value) == n_segments:
            beside[key] = value
        elif value and all(isinstance(one, list) and len(one) == n_segments for one in value):
            beside[key] = [list(texts) for texts in zip(*value, strict=True)]
    clash = {one: f"{one} " if one in beside else one for one in outputs}
    records = [
        {key: texts[row] for key, texts in beside.items()} | {clash[one]: texts[row] for one, texts in outputs.items()}
        for row in range(n_segments)
    ]
    return Dump(
        records, f"{file}: {len(outputs):,} systems, as they stand under {shown(name)}.", outputs=tuple(clash.values())
    )


def _by_name(value: object) -> dict[str, Sequence[object]]:
    """Lists of texts by name; empty for anything else."""
    if isinstance(value, list):
        named = [(_at(one, "name"), _first_list(one)) for one in value if isinstance(one, dict)]
        value = {str(name): texts for name, texts in named if name is not None} if len(named) == len(value) else {}
    if not isinstance(value, dict):
        return {}
    found: dict[str, Sequence[object]] = {
        str(name): texts for name, texts in value.items() if isinstance(texts, list) and texts
    }
    is_texts = all(isinstance(text, str) and not isinstance(text, Number) for texts in found.values() for text in texts)
    return found if len(found) == len(value) and is_texts else {}


def _first_list(record: Mapping[str, object]) -> object:
    return next((value for value in record.values() if isinstance(value, list)), None)


def _lists_of_records(file: str, document: Record) -> Dump | None:
    """Records by the name of a system, as the scores of COMET are written."""
    found = [(name, rows) for name, rows in document.items() if isinstance(rows, list) and rows]
    if not found or len(found) < len(document) or not all(isinstance(row, dict) for _, rows in found for row in rows):
        return None
    if len({frozenset(row) for _, rows in found for row in rows}) > 1:
        return None
    if not any(role_of(name) == "hypothesis" for name in found[0][1][0]):
        return None
    rows = [
        {_SYSTEM: stem(name), "item_id": str(place), **row} for name, rows in found for place, row in enumerate(rows)
    ]
    if len(found) == 1:
        return Dump([dict(row) for row in found[0][1]], "")
    return Dump(rows, f"{file}: {len(found):,} lists, each taken for a system.")


_DOCUMENTS: tuple[Callable[[str, Record], Dump | None], ...] = (
    *(_inspect, _promptfoo, _helm, _comparator, _rows_of_viewer, _table, _whisper, _string_catalog, _systems),
    *(_lists_of_records, _by_key, _catalogue),
)
_RECORDS: tuple[Callable[[str, Sequence[Record], Sequence[JsonPlace]], Dump | None], ...] = (
    *(_batch_results, _batch_requests, _chats, _tokens, _choices, _without_original_target),
)
"""In the order in which a file is looked at."""
