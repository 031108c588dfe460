"""Rows of tables and logs as they are found: twice, in another order, of several pairs, with names that mislead."""

import json
from pathlib import Path

import pytest

from bleucore import InputError
from bleucore.formats import assemble, guess, guess_roles, read

SAMPLE = Path(__file__).parents[2] / "sample_data"
N = 12
OUTPUT = [f"the small dog number {row} ran over the green field" for row in range(N)]
OTHER = [f"a little dog of number {row} was running on a green field" for row in range(N)]
REFERENCE = [f"the little dog with number {row} ran across the green field" for row in range(N)]
MIXED = sorted(range(N), key=lambda row: row * 5 % N)


def sample(name):
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def plain(texts):
    return ("\n".join(texts) + "\n").encode()


def rows_of(records):
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def columns_of(files):
    return [column for name, data in files.items() for column in read(name, data)]


def opened(files):
    return assemble(guess_roles(columns_of(files)))


def outputs(test_set):
    return {system.name: list(system.hypotheses) for system in test_set.systems}


def log(rows, texts=OUTPUT):
    return rows_of({"id": row, "output": texts[row]} for row in rows)


def test_rows_that_a_resumed_run_wrote_again_are_taken_once():
    rows = [*range(7), 5, 6, *range(7, N)]
    records = [{"id": row, "reference": REFERENCE[row], "output": OUTPUT[row]} for row in rows]
    columns = guess_roles(read("a.jsonl", rows_of(records)))
    assert outputs(assemble(columns)) == {"a": OUTPUT}
    assert any("2 repeated rows left out" in notice for column in columns for notice in column.notices)


def test_an_item_with_two_answers_is_refused():
    records = [{"id": row, "reference": REFERENCE[row], "output": OUTPUT[row]} for row in range(N)]
    records.append({"id": 3, "reference": REFERENCE[3], "output": OTHER[3]})
    with pytest.raises(InputError, match="an item has two answers"):
        read("a.jsonl", rows_of(records))


def test_rows_of_two_pairs_are_refused():
    records = [
        {"lp": ("en-de", "en-cs")[row % 2], "reference": REFERENCE[row], "output": OUTPUT[row]} for row in range(N)
    ]
    with pytest.raises(InputError, match="several language pairs"):
        read("a.jsonl", rows_of(records))


@pytest.mark.parametrize("first", [0, 1])
def test_ids_that_count_order_a_log_next_to_plain_texts(first):
    data = rows_of({"n": row + first, "output": OUTPUT[row]} for row in MIXED)
    assert outputs(opened({"a.jsonl": data, "b.txt": plain(OTHER), "ref.txt": plain(REFERENCE)})) == {
        "a": OUTPUT,
        "b": OTHER,
    }


def test_numbers_with_and_without_zeros_are_the_same_ids():
    padded = rows_of({"id": f"{row:03}", "output": OUTPUT[row]} for row in MIXED)
    reference = rows_of({"id": row, "reference": REFERENCE[row]} for row in range(N))
    found = opened({"a.jsonl": padded, "ref.jsonl": reference})
    assert set(zip(outputs(found)["a"], found.references[0], strict=True)) == set(zip(OUTPUT, REFERENCE, strict=True))


def test_logs_without_ids_are_joined_by_their_references():
    def log_of(texts, order):
        return rows_of({"reference": REFERENCE[row], "output": texts[row]} for row in order)

    found = opened({"a.jsonl": log_of(OUTPUT, range(N)), "b.jsonl": log_of(OTHER, MIXED)})
    assert outputs(found) == {"a": OUTPUT, "b": OTHER}
    assert [list(one) for one in found.references] == [REFERENCE]


def test_blind_pairs_become_the_systems_that_are_named():
    def side(row):
        first = ("x", "y") if row % 3 else ("y", "x")
        texts = {"x": OUTPUT[row], "y": OTHER[row]}
        return {
            "reference": REFERENCE[row],
            "model_a": first[0],
            "model_b": first[1],
            "response_a": texts[first[0]],
            "response_b": texts[first[1]],
        }

    assert outputs(opened({"arena.jsonl": rows_of(map(side, range(N)))})) == {"x": OUTPUT, "y": OTHER}


def test_blind_pairs_of_changing_systems_are_refused():
    records = [
        {
            "reference": REFERENCE[row],
            "model_a": f"m{row}",
            "model_b": "y",
            "response_a": "some words",
            "response_b": "b",
        }
        for row in range(N)
    ]
    with pytest.raises(InputError, match="come from changing systems"):
        read("arena.jsonl", rows_of(records))


@pytest.mark.parametrize("name", ["ref-free", "gold-mt", "target-lm", "reference-free-rerank"])
def test_a_system_with_a_word_for_references_in_its_name_is_one(name):
    files = {f"{name}.txt": plain(OUTPUT), "b.txt": plain(OTHER), "ref.txt": plain(REFERENCE)}
    assert len(opened(files).systems) == 2


@pytest.mark.parametrize("change", [str.upper, lambda text: text.replace("field", "field .")])
def test_a_copy_of_a_reference_in_other_letters_or_tokens_is_left_out_with_the_reason(change):
    copied = plain(map(change, REFERENCE))
    files = {"a.txt": plain(OUTPUT), "b.txt": plain(OTHER), "ref.txt": plain(REFERENCE), "ref.lc.txt": copied}
    found = guess(columns_of(files))
    assert [column.left_out for column in found.columns][
        3
    ] == "100% of its lines have the letters of ref.txt: a lower-cased copy of it."
    assert len(assemble(found.columns).references) == 1


@pytest.mark.parametrize("fault", ["another order", "refusals", "other texts"])
def test_a_bad_output_is_no_source(fault):
    a, b, reference, other = (sample(name)[:40] for name in ("online", "neural-40k", "reference-A", "neural-20k"))
    texts = {
        "another order": other[::-1],
        "refusals": [f"I cannot help with request {row}, sorry." for row in range(40)],
        "other texts": sample("neural-20k")[100:140],
    }[fault]
    files = {"a.txt": plain(a), "b.txt": plain(b), "bad.txt": plain(texts), "ref.txt": plain(reference)}
    assert "bad" in opened(files).system_names
    assert opened({**files, "bad.txt": plain(sample("source")[:40])}).source is not None


def test_what_a_program_writes_for_no_number_is_no_text():
    data = b"".join(
        b'{"reference": "r %d", "output": %s}\n' % (row, b"NaN" if row == 4 else b'"a b"') for row in range(N)
    )
    with pytest.raises(InputError, match="a text is missing"):
        read("a.jsonl", data)


def test_logs_and_notes_next_to_texts_are_left_out_with_the_reason():
    files = {
        "a.txt": plain(OUTPUT),
        "b.txt": plain(OTHER),
        "ref.txt": plain(REFERENCE),
        "train.log": plain(f"step {row} loss {row}.5" for row in range(90)),
        "notes.txt": b"see the wiki\n",
    }
    found = guess(columns_of(files))
    assert len(assemble(found.columns).systems) == 2
    assert [column.left_out for column in found.columns][3].startswith("90 lines of something else")


def test_titles_that_stand_again_in_the_middle_are_no_segment():
    rows = ["output\treference", *(f"{a}\t{b}" for a, b in zip(OUTPUT, REFERENCE, strict=True))]
    assert opened({"t.tsv": plain([*rows[:5], rows[0], *rows[5:]])}).n_segments == N


@pytest.mark.parametrize(
    "frame",
    ["2025-01-01 10:00:{row:02} INFO {text}", "INFO:root:{text}", "{{0}}{{80}}{text}", '<seg id="{row}">{text}</seg>'],
)
def test_what_a_log_writes_before_each_line_is_no_part_of_the_texts(frame):
    data = plain(frame.format(row=row, text=text) for row, text in enumerate(OUTPUT))
    assert outputs(opened({"a.txt": data, "ref.txt": plain(REFERENCE)})) == {"a": OUTPUT}


def test_a_table_without_a_reference_says_what_its_columns_were_taken_for():
    with pytest.raises(InputError, match=r"'b' as hypothesis.*Give the column that holds it the title “reference”"):
        opened({"t.csv": plain(["output,b", *(f'"{a}","{b}"' for a, b in zip(OUTPUT, OTHER, strict=True))])})


def test_targets_of_files_of_translators_are_outputs_next_to_one_called_reference():
    def of(texts):
        return plain(["Source,Target", *(f'"Quelle {row} mit Worten","{text}"' for row, text in enumerate(texts))])

    found = opened({"a.csv": of(OUTPUT), "b.csv": of(OTHER), "Reference.csv": of(REFERENCE)})
    assert outputs(found) == {"a": OUTPUT, "b": OTHER}
    assert [list(one) for one in found.references] == [REFERENCE]


def test_the_column_of_a_table_that_is_like_the_outputs_is_the_reference():
    records = [
        {"url": f"https://x.y/{row}", "summary": REFERENCE[row], "text": f"Text {row} " * 30} for row in range(N)
    ]
    found = opened({"a.txt": plain(OUTPUT), "b.txt": plain(OTHER), "test.jsonl": rows_of(records)})
    assert [list(one) for one in found.references] == [REFERENCE]


def test_references_in_columns_without_titles_are_as_many():
    data = plain(f"{a}\t{b}" for a, b in zip(REFERENCE, OTHER, strict=True))
    found = opened({"a.txt": plain(OUTPUT), "ref.tsv": data})
    assert [list(one) for one in found.references] == [REFERENCE, OTHER]


def test_a_row_that_sums_up_is_no_segment():
    rows = ["id,output,reference,score", *(f"{row},{OUTPUT[row]},{REFERENCE[row]},3{row}.5" for row in range(N))]
    found = opened({"t.csv": plain([*rows, "Total,,,35.1"])})
    assert found.n_segments == N
    assert any(
        "sums up" in notice for column in read("t.csv", plain([*rows, "Mean,,,35"])) for notice in column.notices
    )


def test_normalised_copies_in_a_table_are_no_second_reference():
    records = [{"ref": REFERENCE[row], "ref_norm": REFERENCE[row].upper(), "hyp": OUTPUT[row]} for row in range(N)]
    assert [list(one) for one in opened({"a.jsonl": rows_of(records)}).references] == [REFERENCE]


def test_attributes_and_second_lines_of_fluent_are_no_segments_of_their_own():
    (column,) = read("a.ftl", b"a-1 = one\n    goes on\na-2 = two\n    .label = a label\na-3 = three\n")
    assert column.segments == ("one goes on", "two", "a label", "three")
    assert column.ids == ("a-1", "a-2", "a-2.label", "a-3")


def test_strings_without_a_translation_are_left_out_and_counted():
    strings = {f"s {row}": {"localizations": {"de": {"stringUnit": {"value": f"t {row}"}}}} for row in range(N)}
    data = json.dumps({"sourceLanguage": "en", "strings": {**strings, "new": {}}}).encode()
    columns = read("a.xcstrings", data)
    assert len(columns[0].segments) == N
    assert "1 of 13 have no translation" in columns[0].notices[0]


def test_samples_of_each_temperature_are_runs_of_its_own_system():
    settings = [("0.0", "0"), ("0.8", "0"), ("0.8", "1")]
    rows = [
        f"{model},{temperature},{sample},{row},{REFERENCE[row]},{OUTPUT[row]} {model} {temperature} {sample}"
        for row in range(N)
        for model in ("m", "n")
        for temperature, sample in settings
    ]
    found = opened({"t.csv": plain(["model,temperature,sample,item_id,reference,output", *rows])})
    names = [f"{model}, temperature={degree}, sample {number}" for model in ("m", "n") for degree, number in settings]
    assert sorted(one.name for one in found.systems) == sorted(names)
    for one in found.systems:
        model, temperature, sample = (part.split("=")[-1].split(" ")[-1] for part in one.name.split(", "))
        assert all(text.endswith(f"{model} {temperature} {sample}") for text in one.hypotheses)


def test_answers_without_a_number_are_runs_of_one_temperature():
    rows = [
        f"{model},{temperature},{row},{REFERENCE[row]},{OUTPUT[row]} {temperature} {model}"
        for row in range(N)
        for model in ("m", "n")
        for temperature in ("0.0", "0.8", "0.8")
    ]
    found = opened({"t.csv": plain(["model,temperature,item_id,reference,output", *rows])})
    ends = ["temperature=0.0", "temperature=0.8, run 1", "temperature=0.8, run 2"]
    assert sorted(one.name for one in found.systems) == [f"{model}, {end}" for model in ("m", "n") for end in ends]


def test_systems_called_as_the_source_are_outputs_beside_a_source():
    rows = [
        f"{name},{row},Quelle {row},{REFERENCE[row]},{OUTPUT[row]} {name}" for row in range(N) for name in ("src", "b")
    ]
    found = opened({"t.csv": plain(["system,id,source,reference,output", *rows])})
    assert [one.name for one in found.systems] == ["src", "b"]
