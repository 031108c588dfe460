"""What belongs to the texts stays: quotation marks of speech, bullets, rows of one speaker, outputs in STM."""

import json

import pytest

from bleucore import InputError
from bleucore.formats import Column, guess_roles, read

WORDS = ["red", "blue", "green", "big", "small", "old", "young", "fat", "thin", "tall", "wet", "dry"]
REFERENCE = [f"The {word} dog number {place} runs quite far away" for place, word in enumerate(WORDS)]
SYSTEM = [text.replace("dog", "hound") for text in REFERENCE]


def plain(texts):
    return "".join(f"{text}\n" for text in texts).encode()


def quoted(texts):
    return plain(f'"{text}"' for text in texts)


def roled(**files):
    """The columns of files, whose names have "_" for the dot, by role and name."""
    columns = [one for name, data in files.items() for one in read(name.replace("_", "."), data)]
    return {(one.role, one.name): list(one.segments) for one in guess_roles(columns)}


def test_quotes_around_each_line_stay_where_another_text_has_quotes_of_its_own_there():
    speech = roled(ref_txt=quoted(REFERENCE), a_txt=plain(f"«{text}»" for text in SYSTEM), b_txt=quoted(SYSTEM))
    assert speech["reference", "reference"] == [f'"{text}"' for text in REFERENCE]
    assert speech["hypothesis", "b"] == [f'"{text}"' for text in SYSTEM]
    assert roled(ref_txt=quoted(REFERENCE), a_txt=plain(SYSTEM))["reference", "reference"] == REFERENCE


def test_speech_in_a_list_of_json_keeps_its_own_quotes():
    listed = plain(f"{json.dumps(text)}," for text in [f'"{text}"' for text in REFERENCE])
    assert roled(ref_txt=listed, a_txt=plain(SYSTEM))["reference", "reference"] == [f'"{text}"' for text in REFERENCE]


def test_a_few_quoted_lines_stay_where_another_text_has_quotes_around_the_same():
    def spoken(texts, ending):
        return [f'"{text}{ending}"' if place % 4 == 0 else text for place, text in enumerate(texts)]

    speech = roled(ref_txt=plain(spoken(REFERENCE, ", yes")), a_txt=plain(spoken(SYSTEM, "")))
    assert speech["reference", "reference"] == spoken(REFERENCE, ", yes")


def test_quotes_that_end_within_a_line_are_those_of_its_text():
    texts = [f'"{text}," he said. "Go!"' if place < 2 else f'"{text}"' for place, text in enumerate(SYSTEM)]
    assert roled(ref_txt=plain(REFERENCE), a_txt=plain(texts))["hypothesis", "a"] == texts


@pytest.mark.parametrize(
    "texts",
    [
        [f"▁{text}" for text in SYSTEM],
        [f"{text} user@@ host" if place < 3 else text for place, text in enumerate(SYSTEM * 4)],
    ],
)
def test_texts_with_a_few_marks_of_subwords_are_not_joined(texts):
    rows = REFERENCE * (len(texts) // len(REFERENCE))
    assert roled(ref_txt=plain(rows), a_txt=plain(texts))["hypothesis", "a"] == texts


def test_lines_without_a_mark_keep_their_blanks_among_lines_in_pieces():
    texts = [" ".join(f"▁{word}" for word in text.split()) for text in SYSTEM[1:]]
    found = roled(ref_txt=plain(REFERENCE), a_txt=plain([*texts, "no mark here"]))["hypothesis", "a"]
    assert found == [*SYSTEM[1:], "no mark here"]


def test_rows_of_one_speaker_are_segments():
    rows = [f"{'abcd'[place % 4]}\t{text}" for place, text in enumerate(REFERENCE)]
    table = plain(["speaker\treference", *rows])
    assert {len(one.segments) for one in read("t.tsv", table)} == {len(REFERENCE)}


def test_lists_of_more_systems_than_segments_are_their_outputs():
    systems = {f"run{number}": [f"{text} {number}" for text in SYSTEM] for number in range(13)}
    found = roled(t_json=json.dumps(systems).encode(), ref_txt=plain(REFERENCE))
    assert [role for role, _ in found].count("hypothesis") == len(systems)


def test_stm_named_as_an_output_is_one():
    stm = plain(f"talk 1 spk {place}.00 {place}.90 <o,f0> {text}" for place, text in enumerate(SYSTEM))
    assert ("hypothesis", "hyp") in roled(hyp_stm=stm, de_txt=plain(REFERENCE))


def test_a_benchmark_in_xml_is_of_webnlg_if_it_has_its_texts_and_empty_ones_are_none():
    entries = [
        f"<entry><lex>{text}</lex>{'<lex/>' if place < 2 else '<lex>x y</lex>'}</entry>"
        for place, text in enumerate(REFERENCE)
    ]
    _, second = read("test.xml", f"<benchmark>{''.join(entries)}</benchmark>".encode())
    assert second.segments[:3] == (None, None, "x y")
    with pytest.raises(InputError, match="known format"):
        read("other.xml", b"<benchmark><time/></benchmark>")


def test_runs_of_fewer_items_than_the_table_has_are_no_composites():
    columns = [
        Column("t.jsonl", name, role, tuple(texts), None, 1, is_cell=True)
        for name, role, texts in (("src", "source", REFERENCE), ("run 1", None, SYSTEM), ("run 2", None, SYSTEM[:1]))
    ]
    assert len(guess_roles(columns)) == len(columns)
