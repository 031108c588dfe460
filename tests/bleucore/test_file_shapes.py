"""Files as tools write them: the systems and references that went in come out, or the shape is refused by its name."""

import bz2
import csv
import io
import json
import lzma
import random
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.formats import assemble, guess_roles, read
from bleucore.formats.content_kinds import kind_of

SAMPLE = Path(__file__).parents[2] / "sample_data"
N = 24


def lines_of(name):
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()[60 : 60 + N]


SOURCE, REFERENCE, A, B = map(lines_of, ("source", "reference-A", "online", "neural-40k"))
SYSTEMS = {"a": A, "b": B}
ALL = {**SYSTEMS, "ref": REFERENCE}
BACKWARDS = tuple(reversed(range(N)))
SHUFFLED = sorted(range(N), key=lambda number: number * 7 % N)


def plain(texts):
    return ("\n".join(texts) + "\n").encode()


def rows_of(records):
    return ("\n".join(json.dumps(one, ensure_ascii=False) for one in records) + "\n").encode()


def whole(value):
    return json.dumps(value, ensure_ascii=False).encode()


def table(rows):
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue().encode()


def cue(number, mark=","):
    return f"00:00:{number:02}{mark}000 --> 00:00:{number:02}{mark}900"


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def srt(texts):
    return "\n".join(f"{number + 1}\n{cue(number)}\n{text}\n" for number, text in enumerate(texts)).encode()


def vtt(texts):
    cues = "".join(f"c{number}\n{cue(number, '.')} line:0\n{text}\n\n" for number, text in enumerate(texts))
    return f"WEBVTT Kind: captions\n\nNOTE a remark\nof two lines\n\n{cues}".encode()


def po(texts):
    entries = "".join(
        f'#: a.c:{number}\nmsgid "{quoted(source)} {number}"\nmsgstr ""\n"{quoted(text)}"\n\n'
        for number, (source, text) in enumerate(zip(SOURCE, texts, strict=True))
    )
    return f'msgid ""\nmsgstr ""\n"Content-Type: text/plain\\n"\n\n{entries}'.encode()


def xliff(texts):
    units = "\n".join(
        f'<trans-unit id="{number}"><source>{escaped(source)}</source><target>{escaped(text)}</target></trans-unit>'
        for number, (source, text) in enumerate(zip(SOURCE, texts, strict=True))
    )
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" '
        f'target-language="de"><body>\n{units}\n</body></file></xliff>'
    ).encode()


def xliff2(texts):
    units = "\n".join(
        f'<unit id="{number}"><segment><source>{escaped(source)}</source><target>{escaped(text)}</target></segment>'
        "</unit>"
        for number, (source, text) in enumerate(zip(SOURCE, texts, strict=True))
    )
    return (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"><file id="f">\n'
        f"{units}\n</file></xliff>"
    ).encode()


def tmx(texts):
    units = "\n".join(
        f'<tu><tuv xml:lang="en"><seg>{escaped(source)}</seg></tuv><tuv xml:lang="de"><seg>{escaped(text)}</seg>'
        "</tuv></tu>"
        for source, text in zip(SOURCE, texts, strict=True)
    )
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"><header srclang="en"/><body>\n'
        f"{units}\n</body></tmx>"
    ).encode()


def android(texts):
    strings = "\n".join(f'<string name="s{number}">{escaped(text)}</string>' for number, text in enumerate(texts))
    return f"<resources>\n{strings}\n</resources>".encode()


def apple(texts):
    return "\n".join(f'/* {n} */\n"key {n}" = "{quoted(text)}";\n' for n, text in enumerate(texts)).encode()


def fairseq(texts):
    found = "".join(
        f"S-{row}\t{SOURCE[row]}\nT-{row}\t{REFERENCE[row]}\nH-{row}\t-0.3\t{texts[row]} @@\nD-{row}\t-0.3\t"
        f"{texts[row]}\nP-{row}\t-0.1 -0.2\n"
        for row in SHUFFLED
    )
    return f"2025 | INFO | loading\n{found}Generate test with beam=5: BLEU4 = 30\n".encode()


def nbest(texts):
    return "".join(
        f"{row} ||| {text} ||| F0= -1 ||| -0.5\n{row} ||| {text} again ||| F0= -2 ||| -0.9\n"
        for row, text in enumerate(texts)
    ).encode()


def keyed(texts, order=tuple(range(N))):
    return "".join(f"utt{row:04} {texts[row]}\n" for row in order).encode()


def transcript(texts, order=tuple(range(N))):
    return "".join(f"{texts[row]} (spk1-utt{row:04})\n" for row in order).encode()


def in_files(write, ending):
    return {f"{name}{ending}": write(texts) for name, texts in ALL.items()}


def of_systems(write, ending=".jsonl"):
    """A file for each system, beside a plain reference."""
    return {f"{name}{ending}": write(texts, name) for name, texts in SYSTEMS.items()} | {"ref.txt": plain(REFERENCE)}


LONG = [
    {"system": name, "segment_id": row, "source": SOURCE[row], "reference": REFERENCE[row], "hypothesis": texts[row]}
    for name, texts in SYSTEMS.items()
    for row in range(N)
]
WIDE = [{"source": SOURCE[row], "reference": REFERENCE[row], "a": A[row], "b": B[row], "id": row} for row in range(N)]


def openai(texts, _=None, order=BACKWARDS):
    return rows_of(
        {
            "custom_id": f"r-{row}",
            "response": {"body": {"choices": [{"message": {"role": "assistant", "content": texts[row]}}]}},
            "error": None,
        }
        for row in order
    )


def anthropic(texts, _):
    return rows_of(
        {
            "custom_id": f"r-{row}",
            "result": {"type": "succeeded", "message": {"content": [{"type": "text", "text": texts[row]}]}},
        }
        for row in SHUFFLED
    )


def gemini(texts, _):
    return rows_of(
        {"key": f"k{row}", "response": {"candidates": [{"content": {"parts": [{"text": texts[row]}]}}]}}
        for row in SHUFFLED
    )


def chats(texts, _):
    return rows_of(
        {"messages": [{"role": "user", "content": source}, {"role": "assistant", "content": text}]}
        for source, text in zip(SOURCE, texts, strict=True)
    )


def vllm(texts, _):
    return rows_of({"prompt": source, "outputs": [{"text": text}]} for source, text in zip(SOURCE, texts, strict=True))


def inspect(texts, _):
    samples = [
        {
            "id": row,
            "epoch": 1,
            "input": SOURCE[row],
            "target": REFERENCE[row],
            "output": {"choices": [{"message": {"content": texts[row]}}]},
        }
        for row in range(N)
    ]
    return whole({"version": 2, "eval": {"task": "mt"}, "samples": samples})


PROMPTFOO = {
    "results": {
        "results": [
            {
                "provider": {"id": name},
                "vars": {"text": SOURCE[row], "expected": REFERENCE[row]},
                "response": {"output": texts[row]},
            }
            for row in range(N)
            for name, texts in SYSTEMS.items()
        ]
    }
}
COMPARATOR = {
    "models": [{"name": "a"}, {"name": "b"}],
    "examples": [
        {
            "input_text": SOURCE[row],
            "output_text_a": A[row],
            "output_text_b": B[row],
            "custom_fields": {"reference": REFERENCE[row]},
        }
        for row in range(N)
    ],
}
MARKDOWN = "| source | reference | a | b |\n|---|:-:|---|---|\n" + "".join(
    f"| {one['source']} | {one['reference']} | {one['a']} | {one['b']} |\n" for one in WIDE
)
BESIDE = {
    "a.align": ["0-0 1-1 2-2"] * N,
    "b.tags": ["NOUN VERB DET"] * N,
    "ids.txt": [f"seg-{row}" for row in range(N)],
    "times.txt": [f"00:00:{row:02}.5" for row in range(N)],
    "scores.txt": [f"0.{row:03}" for row in range(N)],
    "ref.pos": ["DET NOUN VERB"] * N,
}
TITLES = ["source", "reference", "a", "b"]
CELLS = [[one[name] for name in TITLES] for one in WIDE]

SHAPES = {
    "subtitles": in_files(srt, ".srt"),
    "subtitles called text": in_files(srt, ".txt"),
    "subtitles beside a plain reference": of_systems(lambda texts, _: srt(texts), ".srt"),
    "subtitles of the web": in_files(vtt, ".vtt"),
    "message catalogues": in_files(po, ".po"),
    "XLIFF 1.2": in_files(xliff, ".xlf"),
    "XLIFF 2": in_files(xliff2, ".xliff"),
    "TMX": in_files(tmx, ".tmx"),
    "Android": in_files(android, ".xml"),
    "Apple": in_files(apple, ".strings"),
    "fairseq": {f"{name}/generate-test.txt": fairseq(texts) for name, texts in SYSTEMS.items()},
    "outputs of fairseq": of_systems(
        lambda texts, _: "".join(f"H-{row}\t-0.2\t{texts[row]}\n" for row in SHUFFLED).encode(), ".txt"
    ),
    "n-best lists": of_systems(lambda texts, _: nbest(texts), ".txt"),
    "Kaldi": {"a/text": keyed(A), "b/text": keyed(B, SHUFFLED), "ref/text": keyed(REFERENCE, SHUFFLED[::-1])},
    "sclite": {"a.trn": transcript(A), "b.trn": transcript(B, SHUFFLED), "ref.trn": transcript(REFERENCE)},
    "long CSV": {"all.csv": table([list(LONG[0]), *(list(one.values()) for one in LONG)])},
    "long JSON Lines": {"all.jsonl": rows_of(LONG)},
    "long, by segment": {"all.jsonl": rows_of(sorted(LONG, key=lambda one: one["segment_id"]))},
    "long, in another order": {"all.json": whole([*LONG[:N], *LONG[N:][::-1]])},
    "long, split": {"all.json": whole({"columns": [*LONG[0]], "data": [[*one.values()] for one in LONG]})},
    "long, by index": {"all.json": whole({str(place): one for place, one in enumerate(LONG)})},
    "SummEval": {
        "s.jsonl": rows_of(
            {"id": f"d{row}", "model_id": name, "decoded": texts[row], "text": SOURCE[row], "reference": REFERENCE[row]}
            for row in range(N)
            for name, texts in SYSTEMS.items()
        )
    },
    "ids in another order": {
        "a.jsonl": rows_of({"id": f"s{row}", "output": A[row]} for row in range(N)),
        "b.jsonl": rows_of({"id": f"s{row}", "output": B[row]} for row in SHUFFLED),
        "ref.jsonl": rows_of({"id": f"s{row}", "reference": REFERENCE[row]} for row in reversed(range(N))),
    },
    "ids from 0 and from 1": {
        "a.jsonl": rows_of({"id": row, "output": A[row]} for row in range(N)),
        "b.txt": plain(B),
        "ref.jsonl": rows_of({"id": row + 1, "reference": REFERENCE[row]} for row in range(N)),
    },
    "an OpenAI batch": of_systems(openai),
    "an Anthropic batch": of_systems(anthropic),
    "a Gemini batch": of_systems(gemini),
    "chats": of_systems(chats),
    "vLLM": of_systems(vllm),
    "answers of a pipeline": of_systems(lambda texts, _: whole([[{"generated_text": one}] for one in texts]), ".json"),
    "Inspect": {f"{name}.json": inspect(texts, name) for name, texts in SYSTEMS.items()},
    "promptfoo": {"out.json": whole(PROMPTFOO)},
    "LLM Comparator": {"c.json": whole(COMPARATOR)},
    "a table of W&B": {"t.table.json": whole({"columns": [*WIDE[0]], "data": [[*one.values()] for one in WIDE]})},
    "systems by name": {"s.json": whole({"source": SOURCE, "references": [REFERENCE], "systems": SYSTEMS})},
    "systems in a list": {
        "s.json": whole(
            {"references": REFERENCE, "systems": [{"name": name, "outputs": one} for name, one in SYSTEMS.items()]}
        )
    },
    "scores of COMET": {
        "c.json": whole(
            {
                f"{name}.txt": [
                    {"src": SOURCE[row], "mt": texts[row], "ref": REFERENCE[row], "COMET": 0.8} for row in range(N)
                ]
                for name, texts in SYSTEMS.items()
            }
        )
    },
    "WMT24++": {
        "en-de.jsonl": rows_of(
            {"lp": "en-de", "source": SOURCE[row], "target": REFERENCE[row], "original_target": A[row][::-1]}
            for row in range(N)
        ),
        "a.txt": plain(A),
        "b.txt": plain(B),
    },
    "compressed": {
        "a.txt.xz": lzma.compress(plain(A)),
        "b.txt.bz2": bz2.compress(plain(B)),
        "ref.txt": plain(REFERENCE),
    },
    "Markdown": {"t.md": MARKDOWN.encode()},
    "an index without a title": {
        "w.csv": table([["", *TITLES], *([place, *cells] for place, cells in enumerate(CELLS))])
    },
    "rows above the titles": {"w.csv": table([["Export", "", "", ""], ["2025", "", "", ""], TITLES, *CELLS])},
    "kinds beneath the titles": {"w.csv": table([TITLES, ["text"] * 4, *CELLS])},
    "times, licences and remarks": {
        "w.csv": table(
            [
                ["time", *TITLES, "licence", "remark", "url"],
                *(
                    [f"2025-01-01 10:{row:02}", *cells, "CC-BY 4.0", ("good", "", "odd")[row % 3], f"https://x.y/{row}"]
                    for row, cells in enumerate(CELLS)
                ),
            ]
        )
    },
    "other files beside texts": {
        **{f"{name}.txt": plain(texts) for name, texts in ALL.items()},
        **{name: plain(texts) for name, texts in BESIDE.items()},
    },
}


def opened(files):
    return assemble(guess_roles([column for name, data in files.items() for column in read(name, data)]))


@pytest.mark.parametrize("shape", SHAPES)
def test_what_went_in_comes_out(shape):
    test_set = opened(SHAPES[shape])
    assert {system.name: list(system.hypotheses) for system in test_set.systems} == SYSTEMS
    assert [list(column) for column in test_set.references] == [REFERENCE]


def test_runs_and_prompts_are_systems_that_say_so():
    texts = {("a", "7"): A, ("a", "8"): B, ("b", "7"): B, ("b", "8"): A}
    found = opened(
        {
            "r.jsonl": rows_of(
                {"model": model, "seed": seed, "id": row, "reference": REFERENCE[row], "output": some[row]}
                for (model, seed), some in texts.items()
                for row in range(N)
            )
        }
    )
    assert {one.name: list(one.hypotheses) for one in found.systems} == {
        f"{model}, seed {seed}": some for (model, seed), some in texts.items()
    }


def test_several_answers_to_an_item_are_runs():
    records = [
        {"id": row, "reference": REFERENCE[row], "output": text} for row in range(N) for text in (A[row], B[row])
    ]
    columns = guess_roles(read("a.jsonl", rows_of(records)))
    outputs = [column for column in columns if column.role == "hypothesis"]
    assert [(one.system, list(one.segments)) for one in outputs] == [("a", A), ("a", B)]
    assert len({one.name for one in outputs}) == 2


HEXADECIMAL = [f"{random.Random(row).getrandbits(64):016x}" for row in range(N)]


def test_the_requests_of_a_batch_tell_its_order():
    named = [f"r-{row}" for row in range(N)]
    files = {f"{name}.jsonl": openai(texts) for name, texts in SYSTEMS.items()}
    for name, data in files.items():
        text = data.decode()
        for old, new in zip(named[::-1], HEXADECIMAL[::-1], strict=True):
            text = text.replace(f'"{old}"', f'"{new}"')
        files[name] = text.encode()
    with pytest.raises(InputError, match="in no order"):
        opened({**files, "ref.txt": plain(REFERENCE)})
    requests = rows_of(
        {"custom_id": key, "body": {"messages": [{"role": "user", "content": source}]}, "reference": reference}
        for key, source, reference in zip(HEXADECIMAL, SOURCE, REFERENCE, strict=True)
    )
    test_set = opened({**files, "requests.jsonl": requests})
    assert {system.name: list(system.hypotheses) for system in test_set.systems} == SYSTEMS


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"all.jsonl": rows_of(LONG[:-1])}, "a system lacks an answer"),
        ({"a.srt": srt(A), "ref.srt": srt(REFERENCE).replace(b"00:00:02,000", b"00:00:02,100")}, "not those of the"),
        ({"a.jsonl": openai(A, order=range(N)).replace(b'"content": ', b'"c": ', 1)}, "a request of an OpenAI batch"),
        (
            {"a.txt": plain([*(f"utt{row:04} ein Satz" for row in range(500)), "odd line"])},
            "this one has none of its own",
        ),
        ({"a.po": po(A) * 8 + b"stray\n"}, "this line is none of the format"),
        ({"a.vtt": b"WEBVTT\n\n", "ref.vtt": vtt(REFERENCE)}, "this subtitle file holds no texts"),
        ({"a.strings": apple(A * 40) + b"stray\n"}, "this line is none of the format"),
        ({"a.xz": lzma.compress(plain(A))[:-9]}, "the compressed file is damaged"),
        ({"a.srt": b"1\n00:00:01,000 --> 00:00:02,000 "[:28]}, "no hypothesis|no reference|no texts"),
        ({"a.xlf": b"<xliff><file></file></xliff>"}, "there are no texts"),
        ({"a.tmx": b"<tmx><body><tu></body></tmx>"}, "the XML is broken"),
        ({"a.tmx": b'<!DOCTYPE tmx [<!ENTITY e "x">]><tmx><body/></tmx>'}, "entities"),
        ({"a.tmx": b'<!DOCTYPE tmx [<!ATTLIST tuv xml:lang CDATA "de">]><tmx><body/></tmx>'}, "declares more than"),
    ],
)
def test_what_cannot_be_read_is_named(files, said):
    with pytest.raises(InputError, match=said):
        opened(files)


@pytest.mark.parametrize(
    "lines",
    [
        [f"{1990 + row * 7 % 40} {text}" for row, text in enumerate(A)],
        [f"word{row} word{row + 1} {text}" for row, text in enumerate(A)],
        [f"{text} (see note {row})" for row, text in enumerate(A)],
        [f"| {text}" for text in A],
        [f'He said "{quoted(text)}" = yes' for text in A],
        [f"[{text}]" for text in A],
    ],
)
def test_plain_texts_stay_as_they_are(lines):
    (column,) = read("a.txt", plain(lines))
    assert list(column.segments) == lines


HOSTILE = {
    "numbers": ("1 " * 200 + "x\n") * 5,
    "digits": ("1" * 60_000 + "\n") * 3,
    "blanks": (" " * 30_000 + "x\n") * 3,
    "comments that do not end": "/*" * 30_000 + '\n"a" = "b";\n',
    "times": ("1:" * 3000 + "\n") * 5,
    "rules": "a|b\n" + "-" * 20_000 + " " * 20_000 + "x\n|\n",
    "keys": ("a1" * 30_000 + "\n") * 3,
    "brackets": ("(" * 30_000 + "\n") * 4,
    "marks": ('msgid "' + "\\" * 30_000 + "\n") * 3,
    "tags": (". " * 20_000 + "x\n") * 4,
    "scores": (" ||| 1" * 10_000 + " ||| x\n") * 4,
    "seconds": ("a b c " + "1" * 60_000 + "x\n") * 4,
    "blank lines": "a\n" + "\n" * 60_000,
    "blanks between": ("a" + " " * 20_000 + "b" + " " * 20_000 + "c\n") * 4,
    "frames": ('<seg id="1">' + "</seg> " * 9_000 + "x\n") * 4,
    "styles": "1\n00:00:01,000 --> 00:00:02,000\n" + "<i " * 20_000 + "\n",
    "overrides": "[Script Info]\nFormat: Layer, Start, Text\n" + "Dialogue: 0,0:00:01.00," + "{" * 60_000 + "\n",
    "labels": 'File type = "ooTextFile"\n' + 'text = "a""' * 9_000 + '\ntext = "a"\n',
    "properties": ("a.b" * 20_000 + " = x\n") * 4,
    "names": ("A" * 60_000 + ": x\n") * 4,
    "rules between": ("-" * 30_000 + "x\n" + "A: b\nB: c\n") * 4,
    "heads without a text": ("A:" + " " * 30_000 + "\n" + "B:" + " " * 30_000 + "x\n") * 4,
    "numbers as rules": ("#" * 5 + "a" * 20 + "1" * 30_000 + "x\n") * 4,
    "lines of a log": ("/a" * 15_000 + " 1=" * 9_000 + "1:1" * 9_000 + "\n") * 6,
    "lines in turn": ("a " * 20_000 + "\n" + "b " * 20_000 + "\n" + "b " * 20_000 + "c\n") * 8,
    "commas": ('a,"' * 20_000 + "\n") * 4,
}


@pytest.mark.parametrize("lines", HOSTILE)
def test_no_line_is_tried_in_too_many_ways(lines):
    assert opened({"x.txt": HOSTILE[lines].encode(), "ref.txt": HOSTILE[lines].encode()}).n_segments


def test_a_cue_keeps_what_stands_behind_a_blank_line():
    text = "1\n00:00:01,000 --> 00:00:02,000\neins\n\nzwei\n\n2\n00:00:03,000 --> 00:00:04,000\ndrei\n"
    (column,) = read("a.srt", text.encode())
    assert column.segments == ("eins zwei", "drei")


VALUES = {
    "ids": lambda row, draw: f"item-{row}-{draw}",
    "times": lambda row, draw: f"2025-11-{1 + row % 28:02}T{draw % 24:02}:{row % 60:02}:00Z",
    "numbers": lambda row, draw: f"{(row * draw) % 997 / 10}",
    "tags": lambda row, draw: " ".join(
        ("NOUN", "VERB", "DET", "ADJ")[(row + place) % 4] for place in range(1 + draw % 4)
    ),
    "alignments": lambda row, draw: " ".join(f"{place}-{place + draw % 3}" for place in range(1 + row % 5)),
    "addresses": lambda row, draw: f"https://example.org/{draw}/{row}",
    "truth values": lambda row, draw: ("true", "false")[(row + draw) % 2],
    "remarks": lambda row, draw: ("good", "", "odd word order", "ok")[(row + draw) % 4],
}
NAMES = ("created", "x", "col_7", "note", "extra", "meta", "value", "info")


@given(kinds=st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4), draw=st.integers(1, 50), data=st.data())
def test_nothing_but_texts_becomes_a_system(kinds, draw, data):
    names = data.draw(st.permutations(NAMES))[: len(kinds)]
    records = [
        {**{name: VALUES[kind](row, draw) for name, kind in zip(names, kinds, strict=True)}, **one}
        for row, one in enumerate(WIDE)
    ]
    found = opened({"log.jsonl": rows_of(records)})
    assert set(found.system_names) == {"a", "b"}


@pytest.mark.parametrize("kind", [kind for kind in VALUES if kind != "remarks"])
def test_a_column_that_holds_no_texts_is_named_by_its_kind(kind):
    texts = [VALUES[kind](row, 7) for row in range(N)]
    (column,) = read("x.txt", plain(texts))
    assert kind_of(column) == kind
    assert kind_of(read("a.txt", plain(A))[0]) is None


def test_a_table_of_arrow_with_a_damaged_text_is_refused():
    written = io.BytesIO()
    found = pa.table({"hypothesis": A, "reference": REFERENCE})
    with pa.ipc.new_file(written, found.schema) as sink:
        sink.write_table(found)
    data = written.getvalue()
    place = data.index(A[3].encode())
    with pytest.raises(InputError, match="the table is damaged"):
        read("a.arrow", data[:place] + b"\xff" + data[place + 1 :])


@pytest.mark.parametrize("line", ["H-{}\t-0.1\tx", "PRED {}: x\nPRED SCORE: -1", "{} ||| x ||| F= -1 ||| -1"])
def test_numbers_of_any_length_are_no_fault_of_the_program(line):
    data = (line.format("1" * 5_000) + "\n") * 4
    assert read("a.txt", data.encode())[0].segments
