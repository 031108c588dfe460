"""Results of promptfoo as JSON: a row for each test, provider, prompt and repetition -> flat records."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from bleucore.formats.json_records import (
    OUTPUT,
    REFERENCE,
    RUN,
    SOURCE,
    SYSTEM,
    Dump,
    Record,
    all_have,
    at,
    missing,
    text_of,
)
from bleucore.formats.json_values import JsonPlace, Number
from bleucore.formats.usual_names import first_source, role_of
from bleucore.values import shown

_EXPECTED = frozenset({"expected", "answer", "label"})
_OF_TEXTS = frozenset({"equals", "iequals", "similar", "levenshtein", "bleu", "gleu", "meteor", "rouge-n", "rouge-l"})
"""Assertions that compare an output with a text."""
_ITEM, _PROMPT = "item_id", "prompt"


def promptfoo(file: str, document: Record) -> Dump | None:
    """What ``promptfoo eval`` writes: a system for each provider, a run for each repetition.

    Raises:
        InputError: An answer is missing, or tests have different numbers of answers.
    """
    results = document.get("results")
    rows = results.get("results") if isinstance(results, dict) else results
    table = at(results, "table") or document.get("table")
    if not rows and at(table, "body") is not None:
        rows = _rows_of_table(table)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) and "vars" in row for row in rows):
        return None
    return _dump(file, rows, [JsonPlace(None, number) for number in range(1, len(rows) + 1)])


def promptfoo_rows(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """The same rows, one a line.

    Raises:
        InputError: An answer is missing, or tests have different numbers of answers.
    """
    is_of_promptfoo = all_have(items, "vars", "provider", "response", "prompt")
    return _dump(file, items, places) if is_of_promptfoo else None


def _rows_of_table(table: object) -> list[object]:
    """Rows of the table that older versions write: outputs by provider and prompt in each line of it."""
    heads, names = at(table, "head", "prompts"), at(table, "head", "vars")
    body = at(table, "body")
    found: list[object] = []
    for number, line in enumerate(body if isinstance(body, list) else ()):
        values, outputs = at(line, "vars"), at(line, "outputs")
        listed = names if isinstance(names, list) else []
        given = dict(zip(map(str, listed), values if isinstance(values, list) else [], strict=False))
        for place, output in enumerate(outputs if isinstance(outputs, list) else ()):
            head = at(heads, place)
            prompt = {"raw": at(head, "raw"), "label": at(head, "label") or at(head, "display")}
            row = {"provider": at(head, "provider") or f"prompt {place + 1}", "prompt": prompt, "vars": given}
            found.append(row | {"testIdx": Number(number), "response": {"output": at(output, "text")}})
    return found


def _dump(file: str, rows: Sequence[Record], places: Sequence[JsonPlace]) -> Dump:
    given = [row["vars"] if isinstance(row["vars"], dict) else {} for row in rows]
    answered = [_answers(row, place, file) for row, place in zip(rows, places, strict=True)]
    systems = [_system(row) for row in rows]
    prompts = [str(at(row, "prompt", "label") or at(row, "prompt", "raw") or "prompt") for row in rows]
    keys = [tuple(sorted((name, str(value)) for name, value in one.items())) for one in given]
    prompts = prompts if _are_templates(prompts, keys) else ["prompt"] * len(rows)
    tests = _tests(rows, keys)
    runs = _runs(file, places, list(zip(systems, prompts, strict=True)), tests, answered)
    names = {name for one in given for name in one}
    source = _source_among(given[0])
    has_reference = any(_usual(name) == REFERENCE for name in names)
    asserted = [] if has_reference else [_asserted(row) for row in rows]
    records: list[Record] = []
    for place, (vars_, answers) in enumerate(zip(given, answered, strict=True)):
        record: Record = {SYSTEM: systems[place], _PROMPT: prompts[place], _ITEM: str(tests[place])}
        record |= {SOURCE if name == source else _usual(name): value for name, value in vars_.items()}
        record |= {REFERENCE: asserted[place]} if asserted and None not in asserted else {}
        records += [record | {RUN: str(run), OUTPUT: text} for run, text in zip(runs[place], answers, strict=True)]
    said = f"{file}: read as results of promptfoo, with a system for each provider."
    for name in (_PROMPT, RUN):
        if len({record[name] for record in records}) == 1:
            records = [{key: value for key, value in record.items() if key != name} for record in records]
    return Dump(records, said)


def _are_templates(prompts: Sequence[str], keys: Sequence[Hashable]) -> bool:
    """Whether each prompt was asked with several tests, as templates are, and not with its own."""
    tests: dict[str, set[Hashable]] = {}
    for prompt, key in zip(prompts, keys, strict=True):
        tests.setdefault(prompt, set()).add(key)
    return min(map(len, tests.values())) > 1 or len(set(keys)) == 1


def _system(row: Record) -> str:
    label = at(row, "provider", "label") or at(row, "provider", "id") or row.get("provider")
    return str(label) if label else "provider"


def _answers(row: Record, place: JsonPlace, file: str) -> list[str]:
    """The texts of a row: one, those of a list, or the only one of an object.

    Raises:
        InputError: There is none.
    """
    output = at(row, "response", "output")
    if isinstance(output, dict):
        texts = {name: text for name, value in output.items() if (text := _plain(value)) is not None}
        named = {name: text for name, text in texts.items() if role_of(str(name)) == "hypothesis"}
        found = list((named or texts).values())
        if len(found) != 1:
            raise place.refusal(
                file,
                "an output of promptfoo is an object without one text",
                found=", ".join(shown(str(name)) for name in list(output)[:5]) or "nothing",
                expected='one text, or a text under "translation" or "output"',
                remedy="Add a transform to the configuration that returns the text, and evaluate again.",
            )
        return found
    listed = [_plain(one) for one in output] if isinstance(output, list) else [text_of(output)]
    answers = [text for text in listed if text is not None]
    if not answers or len(answers) < len(listed):
        raise missing(file, place, "a result of promptfoo", row.get("error") or at(row, "response", "error"))
    return answers


def _plain(value: object) -> str | None:
    return value if isinstance(value, str) and not isinstance(value, Number) else None


def _tests(rows: Sequence[Record], keys: Sequence[Hashable]) -> list[int]:
    """Which test each row answers; repetitions of a test have one number.

    promptfoo counts each repetition as a test: those of equal variables are one where every test is repeated as often.
    A text that is twice among the tests is two of them.
    """
    indices = [row.get("testIdx") for row in rows]
    if not all(isinstance(one, Number) and one.isdecimal() for one in indices):
        places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        return [places[key] for key in keys]
    numbers = [int(str(one)) for one in indices]
    key_of = dict(zip(numbers, keys, strict=True))
    order = sorted(key_of)
    listed = [key_of[number] for number in order]
    times = Counter(Counter(listed).values())
    if len(times) == 1:
        places = {key: place for place, key in enumerate(dict.fromkeys(listed))}
        return [places[key_of[number]] for number in numbers]
    period = _period(listed)
    place_of = {number: place % period for place, number in enumerate(order)}
    return [place_of[number] for number in numbers]


def _period(keys: Sequence[Hashable]) -> int:
    """After how many tests all of them come again; all, where they do not."""
    n_keys = len(keys)
    for period in range(1, n_keys // 2 + 1):
        if n_keys % period == 0 and all(keys[place] == keys[place - period] for place in range(period, n_keys)):
            return period
    return n_keys


def _runs(
    file: str,
    places: Sequence[JsonPlace],
    systems: Sequence[Hashable],
    tests: Sequence[int],
    answered: Sequence[Sequence[str]],
) -> list[list[int]]:
    """The numbers of the answers of each row among those of its system to its test.

    Raises:
        InputError: A test has more or fewer answers than others.
    """
    seen: dict[tuple[Hashable, int], int] = {}
    runs: list[list[int]] = []
    for system, test, answers in zip(systems, tests, answered, strict=True):
        first = seen.get((system, test), 0)
        seen[system, test] = first + len(answers)
        runs.append([first + number for number in range(1, len(answers) + 1)])
    usual = Counter(seen.values()).most_common(1)[0][0]
    expected = {(system, test) for system in dict.fromkeys(systems) for test in dict.fromkeys(tests)}
    odd = next((one for one in sorted(expected, key=str) if seen.get(one, 0) != usual), None)
    if odd is not None:
        place = next(
            (place for place, one in zip(places, zip(systems, tests, strict=True), strict=True) if one == odd),
            places[0],
        )
        raise place.refusal(
            file,
            "a test of promptfoo has another number of answers than the others",
            found=f"{seen.get(odd, 0):,} for test {odd[1] + 1:,}",
            expected=f"{usual:,} from each provider and prompt",
            remedy="Evaluate again without filters, or take the rows of this test out of the results.",
        )
    return runs


def _source_among(given: Mapping[str, object]) -> str | None:
    named = next((name for name in given if role_of(name) == "source"), None) or first_source(given)
    others = [name for name, value in given.items() if role_of(name) is None and _plain(value) is not None]
    others = [name for name in others if _usual(name) != REFERENCE]
    return others[0] if named is None and len(others) == 1 else named


def _usual(name: str) -> str:
    return REFERENCE if role_of(name) == "reference" or name.casefold() in _EXPECTED else name


def _asserted(row: Record) -> str | None:
    """The text that an assertion compares the output with; ``None`` without one, or where it is a template."""
    asserts = at(row, "testCase", "assert")
    for one in asserts if isinstance(asserts, list) else ():
        value = at(one, "value")
        text = _plain(value[0] if isinstance(value, list) and len(value) == 1 else value)
        if str(at(one, "type")) in _OF_TEXTS and text is not None and "{{" not in text:
            return text
    return None
