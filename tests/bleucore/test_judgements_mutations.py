"""Files of every family with one or two things wrong in them: each is read or refused, and nothing else happens.

The faults are put into valid files by their structure: into cells, rows and columns of tables, into values of JSON at
every path, and only then into the text. What random bytes do is refused at the first check; these files get behind it.
``python tests/bleucore/test_judgements_mutations.py 50000`` tries as many more.
"""

import copy
import json
import random
import sys
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import settings

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.judgements import reading
from bleucore.judgements.averaging import Averaging, averaged, draws_of, row_values
from bleucore.judgements.mtme_tree import read_tree
from bleucore.judgements.reading import aligned_judgements, aligned_scores, read, systems_scores
from bleucore.judgements.records import Judgements
from bleucore.judgements.span_checks import span_fit

OUTPUTS = {"A": ["Das ist gut.", "二つ目の文です。", "Ja.", "Ja."], "B": ["Dies!", "文二", " Nein, nie ", "Doch."]}
SOURCE = ["This is good.", "The second one.", "Yes.", "Sure."]
SET = TestSet(
    [System(name, texts) for name, texts in OUTPUTS.items()],
    [["Das ist schön.", "第二文。", "Ja!", "Klar."]],
    SOURCE,
    documents=["d1", "d1", "d2", "d2"],
)
PLACES = [(name, at) for name in OUTPUTS for at in range(4)]
N_QUICK, N_FAULTS = 50 if settings.get_current_profile_name() == "quick" else 150, 3


def table(separator: str, *rows: list[object]) -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def lines(*records: object) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def error(start: int, end: int, **more: object) -> dict:
    return {"start": start, "end": end, "severity": "minor", **more}


def spans(start: object, end: object) -> list[dict]:
    return [{"start_i": start, "end_i": end, "severity": "major", "error_type": ["Accuracy", "Omission"]}]


def appraise(name: str, at: int) -> list[object]:
    marked = json.dumps(spans(0, 2)).replace('"', '""')
    document = f"{SET.documents[at]}#{name}"
    return ["r1", name, at, "TGT", "eng", "deu", 10 * at, document, "False", f'"{marked}"', 171.5, 172.25]


MQM_TITLES = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
MQM_ROWS = [
    ["B", "d1", 1, 1, "r1", SOURCE[0], "<v>Dies</v>!", "Style", "Minor"],
    ["B", "d1", 1, 1, "r2", SOURCE[0], "Dies!", "No-error", "No-error"],
    ["B", "d1", 2, 2, "r1", "The <v>second</v> one.", OUTPUTS["B"][1], "Omission", "Major"],
    ["A", "d1", 2, 2, "r1", SOURCE[1], OUTPUTS["A"][1], "No-error", "HOTW-test"],
]
SAMPLE_TITLES = ["segment", "system", "rater", "source", "translation", "score", "weight", "stratum", "unit"]

MARK_TITLES = ["segment", "system", "source", "translation", "annotator", "score", "start", "end", "side", "severity"]


def pearmut(user: str, name: str, at: int) -> dict:
    item = {"src": SOURCE[at], "tgt": {name: OUTPUTS[name][at]}, "models": {name: name}}
    drawn = {"segment": at + 1, "weight": 2.5, "stratum": 1, "unit": "d"}
    said = {name: {"score": 20.5, "error_spans": spans(0, 1)}}
    return {"user_id": user, "item_i": at, "item": [item | drawn], "annotation": [said]}


def wmt25(at: int) -> dict:
    scores = {name: {"human1": 70, "annotator1": "r", "errors1": spans(0, 1)} for name in OUTPUTS}
    texts = {name: OUTPUTS[name][at] for name in OUTPUTS}
    return {"doc_id": f"en-de_#_{at}", "src_text": SOURCE[at], "tgt_text": texts, "scores": scores}


VALID: dict[str, str] = {
    "comet.json": json.dumps(
        {
            f"out/{name}.txt": [
                {"src": SOURCE[at], "mt": text, "COMET": 0.5, "errors": [error(0, 1, text=text[:1])]}
                for at, text in enumerate(texts)
            ]
            for name, texts in OUTPUTS.items()
        }
    ),
    "comet.txt": "".join(f"out/{name}.txt\tSegment {at}\tscore: 0.8312\n" for name, at in PLACES)
    + "out/A.txt\tscore: 0.8312\n",
    "B.metricx.jsonl": lines(
        *({"source": SOURCE[at], "hypothesis": OUTPUTS["B"][at], "prediction": at} for at in range(4))
    ),
    "metricx.jsonl": lines(*({"system_id": name, "segment_id": at, "prediction": 1.5} for name, at in PLACES)),
    "B.bert.txt": "roberta_L17 P: 0.9 R: 0.8 F1: 0.85\n" + table("\t", *([0.9, 0.8, 0.7] for _ in range(4))),
    "B.scores.txt": "0.5\n-1\n2e-1\n.75\n",
    "esa.csv": table(",", *(appraise(*place) for place in PLACES)),
    "da.csv": table(",", *([*appraise(*place)[:9], 1.5, 2.5] for place in PLACES)),
    "mqm.tsv": table("\t", MQM_TITLES, *MQM_ROWS),
    "ad-seg.csv": table(" ", ["SYS", "SID", "RAW.SCR", "Z.SCR", "N"], *([n, at + 1, 48, -0.6, 2] for n, at in PLACES)),
    "mqm-avg.tsv": table("\t", ["system", "mqm_avg_score", "seg_id"], *([name, -1.5, at + 1] for name, at in PLACES)),
    "sample.tsv": table(
        "\t",
        SAMPLE_TITLES,
        *([at + 1, name, "r", SOURCE[at], OUTPUTS[name][at].strip(), 70, 2.5, 1, "d"] for name, at in PLACES),
    ),
    "marks.tsv": table(
        "\t",
        MARK_TITLES,
        *([at + 1, n, SOURCE[at], OUTPUTS[n][at].strip(), "r", 70, 0, 1, "target", "minor"] for n, at in PLACES),
    ),
    "wmt24.jsonl": lines(
        *(
            {
                "langs": "en-de",
                "system": name,
                "src": SOURCE[at],
                "tgt": OUTPUTS[name][at],
                "line_id": at,
                "esa_score": 50 + at,
                "esa_spans": spans(0, "missing" if at else 1),
                "annotator": "r1",
            }
            for name, at in PLACES
        )
    ),
    "wmt25.jsonl": lines(*map(wmt25, range(4))),
    "log.jsonl": lines(*(pearmut("u", *place) for place in PLACES[:3])),
    "judges.jsonl": lines(
        *(
            {"segment": at + 1, "judge": f"gpt-{at % 2}", "first": first, "second": second, "winner": won}
            | {"output_first": OUTPUTS[first][at], "output_second": OUTPUTS[second][at], "swapped": False}
            for at, (first, second, won) in enumerate([("A", "B", "A"), ("B", "A", "tie"), ("A", "B", "[[B]]")])
        )
    ),
    "verdicts.tsv": table(
        "\t",
        ["segment", "judge", "system", "score"],
        *([at + 1, "claude-3", name, f"{at} / 10"] for name, at in PLACES),
    ),
    "batch.jsonl": lines(
        *(
            {"custom_id": f"{at + 1}|{name}", "response": {"body": {"model": "gpt-4", "choices": [{"text": "8"}]}}}
            for name, at in PLACES
        )
    ),
    "games.jsonl": lines(
        {"question_id": 3, "model_1": "A", "model_2": "B", "g1_winner": "model_1", "g2_winner": "tie", "judge": ["m"]},
        {"question_id": 0, "model_1": "A", "model_2": "B", "g1_winner": "error", "g2_winner": "model_2", "judge": "m"},
    ),
    "items.json": json.dumps(
        [
            {
                "src": SOURCE[at],
                "tgt": {name: texts[at] for name, texts in OUTPUTS.items()},
                "scores": {name: {"human": at, "COMET": 0.1} for name in OUTPUTS},
            }
            for at in range(4)
        ]
    ),
    "B.automatic.jsonl": lines(
        *(
            {"language_pair": "en-de", "document_id": document, "metric_scores": {"COMET": [0.5, 0.6], "BLEU": [1, 2]}}
            for document in ("d1", "d2")
        )
    ),
    "mqm.seg.score": table("\t", *([name, "None" if at == 1 else -at] for name, at in PLACES)),
    "mqm.seg.rating": table(
        "\t",
        *(
            [name, json.dumps({"errors": [error(0, 1, score=5, category="Style", is_source_error=bool(at % 2))]}), "r"]
            for name, at in PLACES
        ),
    ),
    "systems.tsv": table("\t", ["system", "metric", "score"], *([name, "COMET", 0.5] for name in OUTPUTS)),
    "ad-sys.csv": table(" ", ["SYS", "RAW.SCR", "Z.SCR", "N"], *([name, 48, -0.6, 2] for name in OUTPUTS)),
    "columns.tsv": table("\t", ["system", "segment", "COMET", "x"], *([name, at + 1, 0.5, 1] for name, at in PLACES)),
    "columns.jsonl": lines(*({"system": name, "segment": at + 1, "COMET": 0.5} for name, at in PLACES)),
}
TREE = {
    "wmt22/sources/en-de.txt": "one\ntwo\nthree\nfour\n",
    "wmt22/references/en-de.refA.txt": "eins\nzwei\ndrei\nvier\n",
    "wmt22/system-outputs/en-de/A.txt": "".join(f"{text}\n" for text in OUTPUTS["A"]),
    "wmt22/system-outputs/en-de/B.jsonl": lines(*({"hypothesis": text} for text in OUTPUTS["B"])),
    "wmt22/documents/en-de.docs": "news d1\nnews\td1\nsocial d2\nsocial d2\n",
    "wmt22/human-scores/en-de.mqm.seg.score": VALID["mqm.seg.score"],
    "wmt22/human-scores/en-de.mqm.merged.seg.rating": VALID["mqm.seg.rating"],
    "wmt22/human-scores/en-de.mqm.sys.score": "A\t-2.5\nB\tNone\n",
    "wmt22/metric-scores/en-de/COMET-refA.seg.score": VALID["mqm.seg.score"].replace("None", "0"),
}

WORDS = [
    *("", " ", "nan", "NaN", "inf", "-Infinity", "1e400", "1e100", "-1e100", "1e99", "-1", "0", "5", "4", "1", "1.5"),
    *("9" * 30, "9" * 5_000, "٣", "１", "²", "½", "1_000", "0x10", "1,5", "true", "null", "None", "missing", "A", "B"),
    *("C", "d1", "#", "a#bad1", "TGT", "<v>", "</v><v>", "\ufeffA", "\u202eA", "A\u0000", '"', "[]", "{}", "-", "+"),
    *("1e-400", "-0", "Major", "No-error", "HOTW", "en-de", "../../x", "=1+1", "'=1", "\\", "\x85", "\u2028", "\x0b"),
]
VALUES: list[object] = [
    *WORDS,
    *(None, True, False, 0, 1, -1, 3, 4, 99, 10**9, 10**30, 0.5, -0.5, 1e99, 1e308, float("nan"), float("inf")),
    *([], [None], [[]], {}, {"A": None}, {"": ""}, [1, 2, 3], {"errors": []}, "\ud800", ["Accuracy", None, 3]),
]

Chance = random.Random
Fault = Callable[[str, Chance], str]


def a_row_fault(rows: list[str], chance: Chance) -> list[str]:
    """Rows dropped, doubled, exchanged, alone, or none."""
    at = chance.randrange(len(rows))
    return chance.choice(
        [
            rows[:at] + rows[at + 1 :],
            rows[:at] + rows[at : at + 1] + rows[at:],
            [*rows[:at], *rows[at:][::-1]],
            rows[:1],
            rows[:2],
            rows[: at + 1],
            rows[at:],
            [*rows[:at], "", *rows[at:]],
            [*rows, "", ""],
            [*rows[:at], rows[at][: chance.randrange(len(rows[at]) + 1)], *rows[at + 1 :]],
            [rows[0], *rows],
        ]
    )


def rows_fault(text: str, chance: Chance) -> str:
    """One of ``a_row_fault``."""
    rows = text.rstrip("\n").split("\n")
    return "\n".join(a_row_fault(rows, chance)) + chance.choice(["\n", "\n", ""])


def _separator(text: str) -> str:
    return max("\t, ", key=text.partition("\n")[0].count)


def cell_fault(text: str, chance: Chance) -> str:
    """A cell with something else in it, missing or twice."""
    separator = _separator(text)
    rows = [row.split(separator) for row in text.split("\n")]
    row = chance.choice(rows[:-1] or rows)
    at = chance.randrange(len(row))
    row[at : at + 1] = chance.choice([[chance.choice(WORDS)]] * 6 + [[], [row[at]] * 2])
    return "\n".join(separator.join(cells) for cells in rows)


def column_fault(text: str, chance: Chance) -> str:
    """A column in all rows dropped, doubled, at the end, or with one thing in it."""
    separator = _separator(text)
    rows = [row.split(separator) for row in text.rstrip("\n").split("\n")]
    at, kind, word = chance.randrange(max(map(len, rows))), chance.randrange(4), chance.choice(WORDS)
    for index, row in enumerate(rows):
        cell = row.pop(at) if at < len(row) else ""
        if kind == 1:
            row[at:at] = [cell, cell]
        elif kind == 2:
            row.append(cell)
        elif kind == 3:
            row.insert(at, cell if index == 0 else word)
    return "\n".join(separator.join(row) for row in rows) + "\n"


def json_fault(text: str, chance: Chance) -> str:
    """A value of another type at any path, a field dropped, doubled or renamed; in one line or in all."""
    try:
        document, are_lines = json.loads(text), False
    except (ValueError, RecursionError):
        document, are_lines = [_parsed(row) for row in text.rstrip("\n").split("\n")], True
    document = copy.deepcopy(document)
    holders = [holder for holder in _holders(document) if holder and not (are_lines and holder is document)]
    if not holders:
        return cell_fault(text, chance)
    _damage(chance.choice(holders), chance)
    if are_lines:
        return "".join(
            one if isinstance(one, str) else json.dumps(one, ensure_ascii=chance.random() < 0.5) + "\n"
            for one in document
        )
    return json.dumps(document)


def _parsed(row: str) -> object:
    try:
        return json.loads(row)
    except (ValueError, RecursionError):
        return row + "\n"


def _holders(value: object) -> list[dict | list]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for item in inner for one in _holders(item)] + ([value] if isinstance(value, dict | list) else [])


def _damage(holder: dict | list, chance: Chance) -> None:
    key = chance.choice(list(holder) if isinstance(holder, dict) else list(range(len(holder))))
    kind = chance.randrange(10)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[chance.choice(WORDS)] = holder.pop(key)
    elif kind == 1:
        holder.append(holder[key])
    elif kind == 2:
        holder[key] = [holder[key]]
    elif kind == 3:
        holder[key] = str(holder[key])
    else:
        holder[key] = chance.choice(VALUES)


def text_fault(text: str, chance: Chance) -> str:
    """Line ends, marks, quotes, a cut, digits of other scripts, another thing for every occurrence of one."""
    at = chance.randrange(len(text) + 1)
    return chance.choice(
        [
            "\ufeff" + text,
            text.replace("\n", "\r\n"),
            text.replace("\n", "\r"),
            text[:at] + '"' + text[at:],
            text.replace('"', "", 1),
            text[:at],
            text[:at] + chance.choice(WORDS) + text[at:],
            text.translate({ord("0") + digit: 0x660 + digit for digit in range(10)}),
            text.replace("\t", " "),
            text.replace(" ", "\t"),
            text.replace(",", ";"),
            text.replace("A", "C").replace("B", "C"),
            text.replace("A", "B"),
            text.partition("\n")[0] + "\n",
            text.partition("\n")[0],
            text.upper(),
            "\n" + text,
            text + text,
            text[:at] + "[" * 3_000 + text[at:],
        ]
    )


FAULTS: tuple[Fault, ...] = (rows_fault, cell_fault, cell_fault, column_fault, json_fault, json_fault, text_fault)


def mutated(text: str, chance: Chance) -> str:
    """The text with some faults, each in what the one before has left."""
    for _ in range(chance.randint(1, N_FAULTS)):
        text = chance.choice(FAULTS)(text, chance) or "\n"
    return text


def use(name: str, data: bytes) -> None:
    """Whatever the dashboard and the commands do with a file of scores or judgements."""
    reading.holds_judgements(name, data)
    found = read(name, data)
    for of_title in found.systems.values():
        assert all(np.isfinite(list(of_title.values())))
    if found.systems:
        assert any(systems_scores(found.systems, SET).values()) or all(found.systems.values())
        return
    with suppress(InputError):
        aligned_judgements(found, SET, moves_spans=True)
    judged = aligned_judgements(found, SET)
    for judgements in judged:
        use_judgements(judgements)
    columns = aligned_scores(found, SET).columns
    for column in columns:
        assert all(np.isfinite(of_system.values).all() for of_system in column.scores.values())
    scored = evaluate(SET, BleuOptions(), metrics=columns)
    for metric in scored.metrics.values():
        assert all(np.isnan(metric.known_score(system)) or metric.has_score(system) for system in SET.system_names)


def use_judgements(judgements: Judgements) -> None:
    """What is done with judgements that are aligned."""
    assert set(judgements.systems) <= set(SET.system_names)
    assert all(row.number is not None and 0 <= row.number < SET.n_segments for row in judgements.rows)
    for span in judgements.spans:
        assert span.is_missing or 0 <= span.start <= span.end
    assert span_fit(judgements, SET).n_spans <= len(judgements.spans)
    for averaging in (Averaging(), Averaging("z")):
        with suppress(InputError):
            assert not np.isinf(row_values(judgements, averaging)).any()
            averaged(judgements, SET.system_names, SET.n_segments, averaging)
    with suppress(InputError):
        draws_of(judgements)


def use_tree(name: str, text: str) -> None:
    """Read a test set in whose layout one file is another."""
    found = read_tree(
        "wmt22", {path: data.encode("utf-8", "surrogatepass") for path, data in (TREE | {name: text}).items()}
    )
    for judgements in found.judgements.values():
        assert all(0 <= row.number < found.test_set.n_segments for row in judgements.rows)


def refusals(
    name: str, text: str, chance: Chance, number: int, use_one: Callable[[str, str], None]
) -> list[InputError]:
    """How a number of files with faults are refused; any other failure names its file."""
    refused = list[InputError]()
    for _ in range(number):
        faulty = mutated(text, chance)
        try:
            use_one(name, faulty)
        except InputError as refusal:
            refused.append(refusal)
        except Exception as failure:
            raise AssertionError(f"{name} with {faulty[:2_000]!r}") from failure
    return refused


def use_text(name: str, text: str) -> None:
    """``use``, of a text."""
    use(name, text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", VALID)
def test_a_valid_file_is_read_and_faults_in_it_are_refused_with_their_place(name):
    use_text(name, VALID[name])
    refused = refusals(name, VALID[name], random.Random(name), N_QUICK, use_text)
    assert refused
    assert all(refusal.where or refusal.line for refusal in refused)


@pytest.mark.parametrize("name", TREE)
def test_faults_in_a_file_of_a_test_set_with_scores_are_refused_with_their_place(name):
    use_tree(name, TREE[name])
    refused = refusals(name, TREE[name], random.Random(name), N_QUICK // 3, use_tree)
    assert all(refusal.where or refusal.line for refusal in refused)


RATED = '{"errors": [{"start": 0, "end": 1, "is_source_error": %s}]}\n'
WRONG = [
    ("h.tsv", "system\tmetric\tscore\n", r"h.tsv, line 1: there is no score \(found a line with titles alone"),
    ("ad-sys.csv", "SYS RAW.SCR Z.SCR N\n", r"ad-sys.csv, line 1: there is no score"),
    ("x.tsv", "system metric\tscore\nA B\t1\n", r"x.tsv, line 1: there is no column 'system'"),
    ("sample.tsv", VALID["sample.tsv"].replace("score", 's"core', 1), r"line 1: there is no column 'score'"),
    (
        "sample.tsv",
        VALID["sample.tsv"].replace("rater", "score", 1),
        r"line 1: two columns have the same name.*'score'",
    ),
    ("mqm.tsv", VALID["mqm.tsv"].replace("doc_id", "system", 1), r"line 1: two columns have the same name.*'system'"),
    ("ad-seg.csv", VALID["ad-seg.csv"].replace("N", "Z.SCR", 1), r"line 1: two columns have the same name.*'z.scr'"),
    ("ad-seg.csv", VALID["ad-seg.csv"].replace("48", "148", 1), r"line 2: the judgement is not on its scale.*148"),
    ("esa.csv", VALID["esa.csv"].replace(",deu,30,", ",deu,1e99,"), r"line 4: the judgement is not on its scale"),
    ("log.jsonl", VALID["log.jsonl"].replace("20.5", "-1", 1), r"line 1: the judgement is not on its scale.*-1"),
    ("m.jsonl", VALID["metricx.jsonl"].replace('"system_id": "B", ', "", 1), r"line 5: some lines have a system_id"),
    ("m.jsonl", VALID["metricx.jsonl"].replace('"segment_id": 3, ', "", 1), r"line 4: some lines have a segment_id"),
    (
        "comet.json",
        VALID["comet.json"].replace('"start": 0, "end": 1', '"start": 9, "end": 2', 1),
        r"comet.json, .*an error ends before it starts \(found 9 to 2",
    ),
    ("mqm.seg.rating", f"A\t{RATED % 1}", "line 1: is_source_error is neither true nor false.*'1'"),
    ("mqm.seg.rating", f"A\t{RATED % '[]'}", "line 1: is_source_error is neither true nor false"),
]
"""What would be read as something else than it says."""


@pytest.mark.parametrize(("name", "text", "refusal"), WRONG)
def test_what_would_be_read_as_something_else_is_refused(name, text, refusal):
    with pytest.raises(InputError, match=refusal):
        read(name, text.encode())


def test_every_family_has_a_file_here():
    first = {
        next((family.name for family in reading.FAMILIES if family.sniff(text, name)), "")
        for name, text in VALID.items()
    }
    assert first >= {family.name for family in reading.FAMILIES}


if __name__ == "__main__":
    each = int(sys.argv[1]) // (len(VALID) + len(TREE))
    seed = sys.argv[2] if len(sys.argv) > 2 else ""
    for one, valid in VALID.items():
        print(one, len(refusals(one, valid, random.Random(seed + one), each, use_text)), "of", each, flush=True)
    for one, valid in TREE.items():
        print(one, len(refusals(one, valid, random.Random(seed + one), each, use_tree)), "of", each, flush=True)
