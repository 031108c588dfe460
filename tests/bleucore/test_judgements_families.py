"""A file of each family, made here in the shape that its own program writes, is read without an edit."""

import csv
import gzip
import io
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bleucore import InputError, System, TestSet, evaluate
from bleucore.formats.names import file_names
from bleucore.judgements import reading
from bleucore.judgements.averaging import PRESETS, Averaging, averaged, draws_of, row_values
from bleucore.judgements.reading import joined, read, read_judgements, read_scores, systems_scores
from bleucore.judgements.records import UNPLACED, Draw, Judgements, Span
from bleucore.judgements.span_checks import moved, recounted, span_fit

SHARED = Path(__file__).parents[2].parent / "shared" / "data"

OUTPUTS = {
    "ONLINE-A": ["Das ist gut.", "二つ目の文です。", "Ja.", "Ja."],
    "AIRC": ["Dies ist schlecht!", "文二", " Nein, nie ", "Doch."],
}
SOURCE = ["This is good.", "The second one.", "Yes.", "Sure."]
SET = TestSet(
    [System(name, texts) for name, texts in OUTPUTS.items()],
    [["Das ist schön.", "第二文。", "Ja!", "Klar."]],
    SOURCE,
    documents=["d1", "d1", "d2", "d2"],
)


def lines(*records: object) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def one(name: str, data: bytes, test_set: TestSet = SET) -> Judgements:
    (found,) = read_judgements(name, data, test_set)
    return found


def values(judgements: Judgements, test_set: TestSet = SET) -> np.ndarray:
    return averaged(judgements, test_set.system_names, test_set.n_segments)


def comet(scores: dict[str, list[float]], errors: dict[int, list[dict]] | None = None) -> bytes:
    """As ``comet-score --to_json``: one object, the paths of outputs, texts without blanks at their edges."""
    listed = {
        f"outputs/{name}.txt": [
            {"src": SOURCE[at], "mt": OUTPUTS[name][at].strip(), "ref": "x", "COMET": score}
            | ({"errors": errors[at]} if errors and at in errors else {})
            for at, score in enumerate(of_system)
        ]
        for name, of_system in scores.items()
    }
    return json.dumps(listed, indent=4, ensure_ascii=False).encode()


def test_comet_is_placed_by_its_texts_and_keeps_its_errors():
    error = {"text": "ist", "confidence": 0.41, "severity": "major", "start": 5, "end": 8}
    found = one("comet.json", comet({"AIRC": [0.1, 0.2, 0.3, 0.4], "ONLINE-A": [0.5, 0.6, 0.7, 0.8]}, {0: [error]}))
    np.testing.assert_array_equal(values(found), [[0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.3, 0.4]])
    fit = span_fit(found, SET)
    assert (found.name, fit.n_spans, len(fit.different), len(fit.beyond)) == ("COMET", 2, 1, 0)  # of both systems
    assert found.spans[0].text == "ist"


def metricx(name: str, predictions: list[float]) -> bytes:
    """As ``predict.py``: the input's fields, and the prediction."""
    return lines(
        *(
            {"id": 7, "source": SOURCE[at], "hypothesis": text, "reference": "x", "prediction": predictions[at]}
            for at, text in enumerate(OUTPUTS[name])
        )
    )


def test_metricx_finds_its_system_by_the_texts_and_lower_is_better():
    found = read_scores("predictions.jsonl", metricx("AIRC", [25.0, 1.5, 0, 3]), SET)
    (column,) = found.columns
    assert (column.name, column.higher_is_better, list(column.scores)) == ("MetricX", False, ["AIRC"])
    np.testing.assert_array_equal(column.scores["AIRC"].values, [25, 1.5, 0, 3])
    np.testing.assert_array_equal(values(one("p.jsonl", metricx("AIRC", [25.0, 1.5, 0, 3])))[1], [-25, -1.5, 0, -3])


def test_a_file_for_each_system_becomes_one_column():
    files = {f"out.{name}.jsonl": metricx(name, [1, 2, 3, 4]) for name in OUTPUTS}
    columns = joined([column for name, data in files.items() for column in read_scores(name, data, SET).columns])
    assert [sorted(column.scores) for column in columns] == [["AIRC", "ONLINE-A"]]


BERT_SCORE = b"xlm-roberta-large_L17_no-idf_version=0.3.12(hug_trans=4.40) P: 0.9 R: 0.8 F1: 0.85\n" + b"".join(
    b"0.9%d\t0.8%d\t0.7%d\n" % (at, at, at) for at in range(4)
)


def test_bert_score_gives_f1_precision_and_recall_of_the_system_in_the_file_name():
    columns = read_scores("scores/AIRC.bertscore.txt", BERT_SCORE, SET).columns
    assert [column.name for column in columns] == ["BERTScore F1", "BERTScore precision", "BERTScore recall"]
    np.testing.assert_array_equal(columns[0].scores["AIRC"].values, [0.7, 0.71, 0.72, 0.73])
    np.testing.assert_array_equal(columns[0].scores["AIRC"].lines, [2, 3, 4, 5])


def test_one_number_a_line_is_named_after_its_file_without_the_system():
    (column,) = read_scores("ONLINE-A.wmt22-comet-da.txt", b"0.5\n-1\n2e-1\n.75\n", SET).columns
    assert column.name == "wmt22-comet-da"
    np.testing.assert_array_equal(column.scores["ONLINE-A"].values, [0.5, -1, 0.2, 0.75])


def test_one_number_a_line_of_another_length_is_refused():
    with pytest.raises(InputError, match=r"AIRC.txt, system 'AIRC', line 2.*found 2 lines, expected 4"):
        read_scores("AIRC.txt", b"1\n2\n", SET)


def test_who_is_meant_is_asked_where_neither_name_nor_texts_say_it():
    with pytest.raises(InputError, match=r"nobody says which system these are of.*'ONLINE-A', 'AIRC'"):
        read_scores("scores.txt", b"1\n2\n3\n4\n", SET)


APPRAISE = [
    ("ann1", "ende-tutorial1", 1, "TGT", 100, "ende-tutorial1", []),
    (
        "ann1",
        "wmt23.AIRC",
        2,
        "TGT",
        35,
        "d1#AIRC",
        [{"start_i": 9, "end_i": 16, "severity": "major", "error_type": None}],
    ),
    ("ann1", "wmt23.AIRC", 3, "TGT", 80, "d1#AIRC", [{"start_i": "missing", "end_i": "missing", "severity": "minor"}]),
    ("ann1", "wmt23.AIRC", 4, "BAD", 0, "d1#AIRC#bad2", []),
    ("ann2", "wmt23.online-a", 9, "TGT", 60, "d2#online-a", []),
    ("ann2", "wmt23.online-a", 8, "TGT", 50, "d2#online-a", []),
    ("ann2", "wmt23.online-a", 8, "TGT", 55, "d2#online-a", []),
    ("ann2", "wmt23.online-a", 7, "TGT", 1, "d2#online-a#duplicate1", []),
]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("wmt22-comet-da.json", "comet.json", "wmt22-comet-da"),
        ("runs/XCOMET-XL.json", "comet.json", "XCOMET-XL"),
        ("comet.json", "comet.json", "COMET"),
        ("metricx-24-hybrid-large.jsonl", "AIRC.metricx.jsonl", "metricx-24-hybrid-large"),
    ],
)
def test_a_file_called_like_a_model_names_the_metric(name, data, expected):
    assert one(name, GOOD[data]).name == expected


HOSTILE = ["a", "A", "b", "x/y", "CON", "50% 'off'", "大" * 99, "大" * 99 + "阪", "-n", "$(ls)"]
HOSTILE += ["a\u202eb", "a\x9bb", "a\u2028b", "a\u2066", "a\u200eb", "\ufeffa", "می\u200cخواهم"]


def test_files_called_after_any_system_are_known_by_their_names():
    systems = TestSet([System(name, [f"text {place}"]) for place, name in enumerate(HOSTILE)], [["text"]])
    files = file_names(HOSTILE)
    assert len({file.casefold() for file in files.values()}) == len(HOSTILE)
    assert not any(set("/\\:*?<>|'`$\"") & set(file) or file.startswith("-") for file in files.values())
    assert not any(
        unicodedata.category(one) in ("Cc", "Cf", "Zl") for file in files.values() for one in set(file) - {"\u200c"}
    )
    assert (files["a\u202eb"], files["می\u200cخواهم"]) == ("a%E2%80%AEb", "می\u200cخواهم")
    assert (files["a"], files["b"], files["大" * 99]) == ("a", "b", "大" * 60 + "-2")
    printed = "".join(f"systems/{file}.txt\tSegment 0\tscore: 0.5\n" for file in files.values())
    assert one("comet.txt", printed.encode(), systems).systems == tuple(HOSTILE)
    alone = b"".join(BERT_SCORE.splitlines(keepends=True)[:2])
    for name, file in files.items():
        assert [*read_scores(f"bertscore.{file}.txt", alone, systems).columns[0].scores] == [name]


def appraise(rows: list[tuple], *, with_spans: bool = True) -> bytes:
    """As Appraise exports: no header, quotes where they are needed, times at the end."""
    text = io.StringIO()
    for at, (judge, system, item, kind, score, document, spans) in enumerate(rows):
        cells = [judge, system, item, kind, "eng", "deu", score, document, "False"]
        cells += [json.dumps(spans)] if with_spans else []
        csv.writer(text, lineterminator="\n").writerow([*cells, 1711317347.5 + at, 1711317348.25 + at])
    return text.getvalue().encode()


def test_appraise_is_placed_by_document_and_item_without_its_controls():
    found = one("esa.csv", appraise(APPRAISE))
    np.testing.assert_array_equal(values(found), [[np.nan, np.nan, 55, 60], [35, 80, np.nan, np.nan]])
    assert (found.protocol, found.languages, found.raters) == ("ESA", "eng-deu", ("ann1", "ann2"))
    assert found.notices == (
        "esa.csv: left out: 3 rows of tutorials, controls and whole documents.",
        "esa.csv: sent twice by the same judge: 1 item; the later judgement holds.",
    )
    assert [span.is_missing for span in found.rows[1].spans] == [True]


def test_appraise_without_spans_is_direct_assessment():
    found = one("da.csv", appraise(APPRAISE, with_spans=False))
    assert (found.protocol, values(found)[1, 0]) == ("DA", 35)


def test_appraise_with_categories_and_no_scores_is_mqm():
    spans = [{"start_i": 0, "end_i": 3, "severity": "minor", "error_type": ["Fluency", "Punctuation"]}]
    rows = [(*row[:4], 0, row[5], spans if row[1].endswith("AIRC") else []) for row in APPRAISE]
    found = one("mqm.csv", appraise(rows))
    assert found.protocol == "MQM"
    np.testing.assert_array_equal(values(found)[1], [-0.1, -0.1, np.nan, np.nan])


def test_of_a_part_of_a_document_the_segments_that_fit_the_marks_are_taken():
    """Segment 2 alone has words where the mark begins and ends; two raters shared the document of the other system."""
    texts = ["Titel", "ein langer Satz mit Fehlern", "und noch einer", "Schluss"]
    others = ["Überschrift", "noch ein langer Satz", "und der dritte Satz", "Ende"]
    test_set = TestSet([System("A", texts), System("B", others)], [texts], documents=["d"] * 4)
    mark = [{"start_i": 11, "end_i": 15, "severity": "minor"}]
    late = [{"start_i": 15, "end_i": 19, "severity": "major"}]
    rows = [
        ("r1", "A", 5, "TGT", 1, "d#A", mark),
        ("r1", "A", 6, "TGT", 2, "d#A", []),
        ("r1", "B", 7, "TGT", 4, "d#B", late),
        ("r2", "B", 7, "TGT", 3, "d#B", []),
    ]
    found = one("esa.csv", appraise(rows), test_set)
    np.testing.assert_array_equal(values(found, test_set), [[np.nan, 1, 2, np.nan], [np.nan, 3, 4, np.nan]])
    assert "only a part was judged of 1 document," in found.notices[-1]


MQM_HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def mqm_row(rater: str, target: str, category: str, severity: str, source: str = SOURCE[0], segment: int = 1) -> str:
    return f"AIRC\td1\t{segment}\t{segment}\t{rater}\t{source}\t{target}\t{category}\t{severity}\n"


MQM_TABLE = (
    MQM_HEADER
    + mqm_row("rater1", "Dies ist <v>schlecht</v>!", "Accuracy/Mistranslation", "Major")
    + mqm_row("rater1", "Dies ist schlecht<v>!</v>", "Fluency/Punctuation", "Minor")
    + mqm_row("rater2", OUTPUTS["AIRC"][0], "No-error", "No-error")
    + mqm_row("rater1", OUTPUTS["AIRC"][1], "Accuracy/Omission", "Minor", "The <v>second</v> one.", 2)
    + mqm_row("rater1", OUTPUTS["AIRC"][1], "No-error", "HOTW-test", SOURCE[1], 2)
)


def test_an_mqm_table_gives_the_mean_of_raters_and_the_places_of_its_marks():
    found = one("mqm.tsv", MQM_TABLE.encode())
    np.testing.assert_allclose(values(found)[1], [-5.1 / 2, -1, np.nan, np.nan])
    assert [(span.start, span.end, span.text, span.side) for span in found.spans] == [
        (9, 17, "schlecht", "target"),
        (17, 18, "!", "target"),
        (4, 10, "second", "source"),
    ]
    assert not span_fit(found, SET).different
    assert found.notices == ("mqm.tsv: left out: 1 line without a judgement.",)


def test_quotes_of_an_mqm_table_are_text_and_its_canary_no_judgement():
    texts = ['"Dies', *OUTPUTS["AIRC"][1:]]
    test_set = TestSet([System("AIRC", texts)], [texts], SOURCE)
    table = "Canary string: do not train on this\n" + MQM_HEADER + mqm_row("r", '<v>"</v>Dies', "Style", "Minor")
    found = one("mqm.tsv", table.encode(), test_set)
    assert values(found, test_set)[0, 0] == -1


def test_a_blank_behind_a_mark_and_a_note_in_the_header_of_an_mqm_table_are_no_text():
    header = MQM_HEADER.replace("\n", "\t# Documentation: none\n")
    table = header + mqm_row("r", "Dies ist schlecht<v>! </v>", "Style", "Minor")
    table += mqm_row("r", "Dies ist <v>schlecht</v>!", "Style", "Minor")
    found = one("mqm.tsv", (table + mqm_row("r", *(OUTPUTS["AIRC"][1], "No-error", "No-error", SOURCE[1], 2))).encode())
    assert sorted(OUTPUTS["AIRC"][0][span.start : span.end] for span in found.rows[0].spans) == ["!", "schlecht"]


def test_a_byte_order_mark_that_only_the_table_has_hides_no_translation_and_moves_no_error():
    """The file of AIRC's outputs in WMT23 begins with one, and so does its first translation in the table."""
    marked = "\ufeffDies ist <v>schlecht</v>!"
    second = mqm_row("r", OUTPUTS["AIRC"][1], "No-error", "No-error", SOURCE[1], 2)
    table = MQM_HEADER + mqm_row("r", marked, "Style", "Minor") + second
    found = one("mqm.tsv", table.encode())
    assert (len(found.rows), found.notices) == (2, ())
    (span,) = found.rows[0].spans
    assert OUTPUTS["AIRC"][0][span.start : span.end] == "schlecht"


def test_averages_of_mqm_mix_their_delimiters_and_count_from_1():
    table = b"system mqm_avg_score seg_id\nAIRC\t-5.000000 1\nAIRC\t0.000000 4\nAIRC\tNone 2\n"
    np.testing.assert_array_equal(values(one("avg_seg_scores.tsv", table))[1], [-5, np.nan, np.nan, 0])


DA_TABLE = b"SYS SID RAW.SCR Z.SCR N \nAIRC.3 1 48 -0.61 2 \nONLINE-A.10 4 52 0.25 1 \nHUMAN-B 1 99 1.5 1 \n"


def test_direct_assessment_gives_z_and_raw_and_names_who_is_left_out():
    z, raw = read_judgements("ad-seg-scores-de-en.csv", DA_TABLE, SET)
    assert (z.name, raw.name) == ("DA z", "DA raw")
    np.testing.assert_array_equal(values(z), [[np.nan, np.nan, np.nan, 0.25], [-0.61, np.nan, np.nan, np.nan]])
    assert raw.notices == (
        "ad-seg-scores-de-en.csv: left out: 1 judgement of 'HUMAN-B', as no system of the test set is called so.",
    )
    with_alias = TestSet([*SET.systems, System("refB", ["a", "b", "c", "d"])], SET.references)
    named = read_judgements("ad.csv", DA_TABLE, with_alias, aliases={"HUMAN-B": "refB"})
    assert values(named[1], with_alias)[2, 0] == 99


def wmt24(**changes: object) -> dict[str, object]:
    return {
        "langs": "en-de",
        "line_id": 3,
        "src": SOURCE[3],
        "tgt": "Ja.",
        "doc_id": "d2",
        "domain": "news",
        "esa_spans": [{"start_i": 0, "end_i": 2, "severity": "minor", "error_type": None}],
        "esa_score": "66",
        "system": "ONLINE-A",
        "annotator": "engdeu1",
    } | changes


def test_wmt_2024_takes_of_equal_translations_that_of_the_same_source():
    found = one(
        "wmt24_esa.jsonl", lines(wmt24(), wmt24(langs="en-cs", tgt="Ano.", src="Yes."), wmt24(tgt="Das ist gut."))
    )
    np.testing.assert_array_equal(values(found)[0], [66, np.nan, np.nan, 66])


def test_wmt_2025_has_two_judgements_of_each_translation():
    record = {
        "doc_id": "en-de_DE_#_news_#_d1_#_0",
        "src_text": SOURCE[0],
        "tgt_text": {"AIRC": "Dies ist\nschlecht!", "ONLINE-A": "Das ist gut."},
        "scores": {
            "AIRC": {"human1": 40, "errors1": [], "annotator1": "x", "human2": 60.0, "errors2": [], "annotator2": "x"},
            "ONLINE-A": {"human1": 90, "errors1": [{"start_i": "missing", "end_i": "missing", "severity": "minor"}]},
        },
    }
    found = one("wmt25-genmt-humeval.jsonl", lines(record))
    np.testing.assert_array_equal(values(found)[:, 0], [90, 50])
    assert found.raters == ("x", "x (2)", "human1")


def pearmut(user: str, item: object, scores: dict[str, float], spans: list[dict] | None = None) -> dict[str, object]:
    """As Pearmut logs: one document of one person."""
    segment = {"item_id": "first", "src": SOURCE[0], "tgt": {name: OUTPUTS[name][0] for name in scores}}
    annotation = {
        name: {"score": score, "error_spans": spans or [], "textfield": None} for name, score in scores.items()
    }
    actions = [{"time": 1.5, "action": "load"}]
    return {"annotation": [annotation], "actions": actions, "item": [segment], "user_id": user, "item_i": item}


def test_a_log_of_pearmut_keeps_what_was_judged_last_and_counts_ends_as_inside():
    spans = [{"start_i": 9, "end_i": 16, "category": None, "severity": "major"}]
    reset = {"user_id": "u2", "item_i": 0, "annotation": "__RESET__"}
    found = one(
        "campaign.jsonl",
        lines(
            pearmut("u1", "welcome_0", {"AIRC": 1}),
            pearmut("u1", 0, {"AIRC": 20, "ONLINE-A": 70}),
            pearmut("u1", 0, {"AIRC": 30, "ONLINE-A": 80}, spans),
            pearmut("u2", 0, {"AIRC": 99}),
            reset,
        ),
    )
    np.testing.assert_array_equal(values(found)[:, 0], [80, 30])
    (span,) = found.rows[0].spans
    assert OUTPUTS["AIRC"][0][span.start : span.end] == "schlecht"
    assert found.protocol == "ESA"


def test_a_log_of_pearmut_marks_what_is_missing_behind_the_text():
    behind = len(OUTPUTS["AIRC"][0])
    spans = [{"start_i": behind, "end_i": behind, "category": None, "severity": "major"}]
    (span,) = one("campaign.jsonl", lines(pearmut("u1", 0, {"AIRC": 30}, spans))).rows[0].spans
    assert (span.is_missing, span.severity) == (True, "major")


def test_a_log_of_a_sample_says_how_segments_were_drawn_and_whom_a_model_stands_for():
    record = pearmut("u1", 0, {"AIRC": 30, "ONLINE-A": 80})
    (segment,) = record["item"]
    segment |= {"segment": 1, "weight": 2.5, "stratum": 3, "unit": "1", "models": {"system 2": "AIRC"}}
    segment["tgt"]["system 2"] = segment["tgt"].pop("AIRC")
    record["annotation"][0]["system 2"] = record["annotation"][0].pop("AIRC")
    found = one("campaign.jsonl", lines(record))
    np.testing.assert_array_equal(values(found)[:, 0], [80, 30])
    assert draws_of(found) == {1: Draw(2.5, 3, "1")}
    segment["weight"] = 0.5
    with pytest.raises(InputError, match=r"line 1: the weight is lower than 1 \(found 0.5"):
        one("campaign.jsonl", lines(record))


SAMPLE_TABLE = (
    "segment\tdocument\tsource\ttranslation\tscore\trater\tsystem\tstratum\tunit\tweight\n"
    f"3\td2\t{SOURCE[2]}\t{OUTPUTS['AIRC'][2]}\t55.5\tuna\tAIRC\t1\t3\t1.5\n"
    f"3\td2\t{SOURCE[2]}\t{OUTPUTS['ONLINE-A'][2]}\t\tuna\tONLINE-A\t1\t3\t1.5\n"
    f"1\td1\t{SOURCE[0]}\t{OUTPUTS['ONLINE-A'][0]}\t0\tuna\tONLINE-A\t2\t1\t2.5\n"
)

MARKS_TABLE = (
    "segment\tdocument\tsystem\tsource\ttranslation\tannotator\tscore\tstart\tend\tside\tseverity\tcategory\tpenalty\tcomment"
    "\tweight\tstratum\tunit\n"
    f"1\td1\tAIRC\t{SOURCE[0]}\t{OUTPUTS['AIRC'][0]}\tuna\t70\t0\t1\ttarget\tminor\tstyle\t0.5\twhy\t1.5\t1\td1\n"
    f"1\td1\tAIRC\t{SOURCE[0]}\t{OUTPUTS['AIRC'][0]}\tuna\t70\tmissing\tmissing\tmissing\tmajor\t\t\t\t1.5\t1\td1\n"
    f"3\td2\tAIRC\t{SOURCE[2]}\t{OUTPUTS['AIRC'][2]}\tuna\t20\t\t\t\t\t\t\t\t2.5\t2\td2\n"
)


def test_a_table_of_annotations_has_its_marks_scores_and_weights():
    found = one("marks.tsv", MARKS_TABLE.encode())
    assert (found.protocol, [row.value for row in found.rows]) == ("ESA", [70, 20])
    assert found.rows[0].spans == (
        Span(0, 1, "minor", "style", weight=0.5, comment="why"),
        Span(UNPLACED, UNPLACED, "major"),
    )
    assert draws_of(found) == {1: Draw(1.5, 1, "d1"), 3: Draw(2.5, 2, "d2")}
    without = one("marks.tsv", MARKS_TABLE.replace("\t70\t", "\t\t").replace("\t20\t", "\t\t").encode())
    assert (without.protocol, len(without.rows), without.rows[0].value) == ("MQM", 2, None)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("\t0\t1\t", "\t2\t1\t"), "line 2: a mark ends before it starts"),
        (("\ttarget\t", "\tnowhere\t"), "line 2: the side is unknown"),
        (
            ("\t70\t0", "\t71\t0"),
            r"line 3: an annotator has two values of score for one output \(found 70.0, expected 71",
        ),
        (("\t0\t1\t", "\t0\t1.5\t"), "end is not a whole number"),
    ],
)
def test_a_cell_of_annotations_that_cannot_be_is_refused(change, expected):
    with pytest.raises(InputError, match=expected):
        read_judgements("marks.tsv", MARKS_TABLE.replace(*change, 1).encode(), SET)


def test_a_filled_table_of_a_sample_keeps_its_weights_and_what_has_no_score_was_not_judged():
    found = one("sample.tsv", SAMPLE_TABLE.encode())
    np.testing.assert_array_equal(values(found)[:, [0, 2]], [[0, np.nan], [np.nan, 55.5]])
    assert draws_of(found) == {3: Draw(1.5, 1, "3"), 1: Draw(2.5, 2, "1")}
    assert found.raters == ("una",)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("55.5", "good"), r"line 2: the score is not a number \(found 'good'"),
        (("\t2.5\n", "\t\n"), r"line 4: the weight is not a number"),
        (("\t1\t3\t1.5\n3", "\t2\t3\t1.5\n3"), None),
    ],
)
def test_a_cell_of_a_sample_that_cannot_be_is_refused(change, expected):
    changed = SAMPLE_TABLE.replace("\t\tuna", "\t7\tuna").replace(*change).encode()
    if expected is None:
        with pytest.raises(InputError, match=r"line 3: a segment has two sampling weights.*stratum 1.*stratum 2"):
            draws_of(one("sample.tsv", changed))
        return
    with pytest.raises(InputError, match=expected):
        one("sample.tsv", changed)


def test_automatic_scores_of_2025_are_placed_by_document():
    record = {
        "language_pair": "en-de",
        "domain": "news",
        "metric_scores": {"XCOMET-XL": [0.5, 0.25], "GEMBA": [60, 70]},
    }
    data = lines(record | {"document_id": "d2"}, record | {"document_id": "d1"})
    found = read_scores("automatic_scores/AIRC.jsonl", data, SET).columns
    assert [column.name for column in found] == ["XCOMET-XL", "GEMBA"]
    np.testing.assert_array_equal(found[0].scores["AIRC"].values, [0.5, 0.25, 0.5, 0.25])


def test_scores_of_whole_systems_are_read_as_such():
    table = b"pair\tsystem\tid\tis_constrained\tmetric\tscore\n"
    table += b"de-en\tAIRC\t5\tFALSE\tbleu-all\t50.1\nde-en\tX\t6\tTRUE\tCOMET-A\t-.5\n"
    found = read("automatic-scores.tsv", table)
    assert not found.judgements
    assert systems_scores(found.systems, SET) == {"bleu-all": {"AIRC": 50.1}, "COMET-A": {}}
    wide = b"RAW.SCR Z.SCR N SYS N.ALL \n66.5 -0.08 1656 AIRC.3 2052 \n"
    assert read("ad-sys-scores-de-en.csv", wide).systems == {"DA raw": {"AIRC.3": 66.5}, "DA z": {"AIRC.3": -0.08}}
    with pytest.raises(InputError, match="only scores of whole systems"):
        read_scores("automatic-scores.tsv", table, SET)


def test_a_table_of_system_and_segment_is_read_as_it_always_was():
    table = b"system\tsegment\tMQM\nAIRC\t1\t-2\nAIRC\t4\t0\n"
    assert [column.name for column in read_scores("people.tsv", table, SET).columns] == ["MQM"]
    assert one("people.tsv", table).protocol == "MQM"
    np.testing.assert_array_equal(values(one("people.tsv", table))[1], [-2, np.nan, np.nan, 0])


def test_penalties_change_their_sign_where_somebody_says_that_they_are_some():
    table = b"system\tsegment\tMQM\nAIRC\t1\t5\n"
    (found,) = read_judgements("people.tsv", table, SET, lower_is_better=["MQM"])
    assert values(found)[1, 0] == -5
    assert values(one("people.tsv", table))[1, 0] == 5


def test_z_scores_are_of_each_rater_with_one_degree_of_freedom_less():
    """By hand: r1 gave 10 and 20 (mean 15, sd 7.071), r2 nothing but 50, which says nothing."""
    table = MQM_HEADER + mqm_row("r1", OUTPUTS["AIRC"][0], "Style", "Minor")
    table += mqm_row("r1", OUTPUTS["AIRC"][1], "No-error", "No-error", SOURCE[1], 2)
    table += mqm_row("r2", OUTPUTS["AIRC"][0], "Style", "Minor")
    found = one("mqm.tsv", table.encode())
    np.testing.assert_allclose(row_values(found, Averaging("z")), [-(0.5**0.5), 0.5**0.5, np.nan])
    single = one("da.tsv", b"system\tsegment\tDA\nAIRC\t1\t5\nAIRC\t2\t5\n")
    with pytest.raises(InputError, match="no rater has given two different judgements"):
        row_values(single, Averaging("z"))


def shifted(data: bytes, start: int, end: int) -> bytes:
    document = json.loads(data)
    for segments in document.values():
        for segment in segments:
            for error in segment.get("errors", ()):
                error["start"] += start
                error["end"] += end
    return json.dumps(document, ensure_ascii=False).encode()


@pytest.mark.parametrize("by", [-1, 1])
def test_a_planted_slip_of_all_spans_is_found_and_moved_only_on_demand(by):
    error = {"text": "ist", "confidence": 0.41, "severity": "minor", "start": 5, "end": 8}
    data = comet({"AIRC": [0.1, 0.2, 0.3, 0.4]}, {0: [error]})
    slipped = one("comet.json", shifted(data, by, by))
    fit = span_fit(slipped, SET)
    assert slipped.notices == (
        f"comet.json: its 1 span would fit the texts clearly better with starts moved by {-by:+d} and ends moved by "
        f"{-by:+d}; none was moved.",
    )
    assert (fit.start_shift, fit.end_shift, len(fit.different)) == (-by, -by, 1)
    mended = moved(slipped, fit.start_shift, fit.end_shift)
    assert not span_fit(mended, SET).different
    assert mended.notices[-1] == f"comet.json: moved: 1 span, starts by {-by:+d} and ends by {-by:+d} characters."
    (said,) = read_judgements("comet.json", shifted(data, by, by), SET, moves_spans=True)
    assert (said.spans[0].start, said.notices) == (5, (mended.notices[-1],))
    assert not span_fit(one("comet.json", data), SET).is_shifted


@pytest.mark.parametrize(("start", "end"), [(0, -1), (1, 1), (-1, 0)])
def test_a_slip_is_found_by_the_words_where_the_file_has_no_texts(start, end):
    texts = [f"Wort{at} steht hier als Satz" for at in range(20)]
    test_set = TestSet([System("A", texts)], [texts], documents=["d"] * 20)
    place = texts[0].index("steht")
    rows = [
        ("r", "A", at, "TGT", 5, "d#A", [{"start_i": p + start, "end_i": p + 5 + end, "severity": "minor"}])
        for at, p in enumerate([place + (at > 9) for at in range(20)])
    ]
    fit = span_fit(one("esa.csv", appraise(rows), test_set), test_set)
    assert (fit.start_shift, fit.end_shift) == (-start, -end)


@pytest.mark.parametrize(
    ("text", "start", "end", "counting"),
    [(" Nein, nie ", 6, 9, "without edge blanks"), ("Ja<br>nie", 3, 6, "breaks as one character")],
)
def test_spans_of_a_text_that_was_counted_otherwise_are_found_and_moved_only_on_demand(text, start, end, counting):
    test_set = TestSet([System("A", [text])], [["x"]])
    error = {"text": "nie", "severity": "minor", "start": start, "end": end}
    data = json.dumps({"A": [{"src": "x", "mt": text.strip(), "COMET": 1, "errors": [error]}]}).encode()
    found = one("comet.json", data, test_set)
    fit = span_fit(found, test_set)
    assert (len(fit.different), dict(fit.countings)) == (1, {counting: 1})
    assert found.notices == (
        "comet.json: 1 of its 1 span would be what the file says if characters were counted "
        f"{counting}; none was moved.",
    )
    mended = recounted(found, test_set, counting)
    (span,) = mended.rows[0].spans
    assert text[span.start : span.end] == "nie"
    assert mended.notices[-1] == f"comet.json: moved: 1 span, as its characters are counted {counting}."


def test_a_part_of_a_very_long_document_is_left_out_and_not_guessed():
    texts = ["Satz"] * 3_000
    test_set = TestSet([System("A", texts)], [texts], documents=["d"] * 3_000)
    rows = [("r", "A", at, "TGT", 5, "d#A", []) for at in range(2_000)]
    with pytest.raises(InputError, match="nothing says which segments were judged"):
        read_judgements("esa.csv", appraise(rows), test_set)


def test_lines_of_comet_are_scores_of_segments_from_0():
    found = one("comet.txt", GOOD["comet.txt"].replace(b"Segment 3\tscore: 0.8312", b"Segment 3\tscore: 0.5"))
    np.testing.assert_array_equal(values(found)[1], [0.8312, 0.8312, 0.8312, 0.5])
    with pytest.raises(InputError, match=r"line 6: the line is none that comet-score prints"):
        read_judgements("comet.txt", GOOD["comet.txt"] + b"Killed\n", SET)


def test_spans_beyond_their_text_are_named():
    rows = [("r", "AIRC", 1, "TGT", 5, "d1#AIRC", [{"start_i": 2, "end_i": 99, "severity": "minor"}])] * 1
    rows += [("r", "AIRC", 2, "TGT", 5, "d1#AIRC", [])]
    found = one("esa.csv", appraise(rows))
    ((row, span),) = span_fit(found, SET).beyond
    assert (row, span.end) == (0, 99)
    assert found.notices == ("esa.csv: behind the end of their text: 1 of 1 span, the first in line 1 (AIRC).",)


def test_what_was_judged_elsewhere_is_named_and_counted():
    other = metricx("AIRC", [1, 2, 3, 4]).replace("文二".encode(), b"else")
    found = one("AIRC.jsonl", other)
    assert found.notices == (
        "AIRC.jsonl: left out: 1 of 4 judgements, as no output of their system is the translation that was judged: "
        "line 2 (AIRC).",
    )
    with pytest.raises(InputError, match=r"the translations are not the outputs.*3 of 3 that no output has"):
        read_scores("AIRC.jsonl", lines(*({"hypothesis": "x", "prediction": 1} for _ in range(3))), SET)


def test_a_second_judgement_of_the_same_person_is_refused():
    table = b"SYS SID RAW.SCR Z.SCR N\nAIRC 1 48 -0.6 2\nAIRC 1 50 0.2 2\n"
    with pytest.raises(InputError, match=r"line 3: a segment is judged twice.*only the judgement in line 2"):
        read_judgements("ad-seg-scores.csv", table, SET)


def test_segments_behind_the_last_and_systems_of_another_set_are_refused():
    with pytest.raises(InputError, match=r"line 2: there is no such segment.*segment 5, expected segments 1 to 4"):
        read_judgements("ad.csv", b"SYS SID RAW.SCR Z.SCR N\nAIRC 5 48 -0.6 2\n", SET)
    with pytest.raises(InputError, match=r"none of its systems is in the test set.*'M2M'.*'ONLINE-A', 'AIRC'"):
        read_judgements("ad.csv", b"SYS SID RAW.SCR Z.SCR N\nM2M 1 48 -0.6 2\n", SET)


COMET_OF_SYSTEM = b"out/AIRC.txt\tscore: 0.8312\n"


def subset_items() -> list[dict]:
    """As subset2evaluate holds them: some segments, numbered anew, texts without blanks at their edges."""
    return [
        {
            "i": index,
            "src": SOURCE[at],
            "ref": "x",
            "tgt": {name: texts[at].strip() for name, texts in OUTPUTS.items()},
            "cost": 1.2,
            "domain": "news",
            "doc": "d",
            "scores": {"AIRC": {"human": 0.25 * at, "COMET": 0.1}, "ONLINE-A": {"human": 1, "COMET": 0.2}},
        }
        for index, at in enumerate((3, 0, 2))
    ]


def test_items_of_subset2evaluate_are_placed_by_their_texts_whatever_their_numbers():
    for data in (json.dumps(subset_items()).encode(), lines(*subset_items())):
        human, comet_scores = read_judgements("items.json", data, SET)
        assert (human.name, comet_scores.name) == ("human", "COMET")
        np.testing.assert_array_equal(values(human), [[1, np.nan, 1, 1], [0, np.nan, 0.5, 0.75]])


def test_an_item_of_subset2evaluate_without_the_output_that_is_scored_is_named():
    items = subset_items()
    del items[1]["tgt"]["AIRC"]
    with pytest.raises(InputError, match=r"items.json, item 2, system 'AIRC': there is no field 'AIRC'"):
        read_judgements("items.json", json.dumps(items).encode(), SET)


GOOD: dict[str, bytes] = {
    "comet.json": comet(
        {"AIRC": [0.1, 0.2, 0.3, 0.4]}, {0: [{"text": "i", "severity": "minor", "start": 1, "end": 2}]}
    ),
    "comet.txt": b"".join(b"out/AIRC.txt\tSegment %d\tscore: 0.8312\n" % at for at in range(4)) + COMET_OF_SYSTEM,
    "AIRC.metricx.jsonl": metricx("AIRC", [1, 2, 3, 4]),
    "AIRC.bert.txt": BERT_SCORE,
    "AIRC.txt": b"1\n2\n3\n4\n",
    "esa.csv": appraise(APPRAISE),
    "mqm.tsv": MQM_TABLE.encode(),
    "ad-seg-scores.csv": DA_TABLE,
    "sample.tsv": SAMPLE_TABLE.encode(),
    "marks.tsv": MARKS_TABLE.encode(),
    "judges.csv": b"segment,judge,first,second,winner\n1,gpt-4,AIRC,ONLINE-A,tie\n",
    "wmt24.jsonl": lines(wmt24()),
    "log.jsonl": lines(pearmut("u", 0, {"AIRC": 20.5})),
    "items.json": json.dumps(subset_items()).encode(),
    "mqm.seg.score": b"AIRC 1\nAIRC 2\nAIRC None\nAIRC 3\n",
    "mqm.seg.rating": b'AIRC\t{"errors": []}\n' * 4,
}
BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "nan": lambda data: data.replace(b"1", b"NaN"),
    "huge": lambda data: data.replace(b"1", b"1e400"),
    "cut": lambda data: data[: len(data) * 2 // 3],
    "binary": lambda data: data[:10] + b"\xff\xfe\x00" + data[10:],
    "null": lambda data: data.replace(b'"AIRC"', b"null").replace(b"AIRC", b"\x00"),
    "deep": lambda data: data.replace(b"[", b"[" * 5_000),
    "long": lambda data: data.replace(b"2", b"2" * 5_000),
    "surrogate": lambda data: data.replace(b"AIRC", b"\\ud800"),
    "lists": lambda data: data.replace(b"{", b"[{").replace(b"}", b"}]"),
    "negative": lambda data: data.replace(b": 1", b": -1").replace(b" 1 ", b" -1 "),
}


@pytest.mark.parametrize("name", GOOD)
def test_bytes_that_say_the_same_are_read_alike(name):
    """With a byte-order mark, with the line ends of Windows, in UTF-16, gzipped."""
    data = GOOD[name]
    (as_it_is, *_) = read_judgements(name, data, SET)
    text = data.decode()
    for other in (
        b"\xef\xbb\xbf" + data,
        text.replace("\n", "\r\n").encode(),
        text.encode("utf-16"),
        gzip.compress(data),
    ):
        (found, *_) = read_judgements(name, other, SET)
        assert found.rows == as_it_is.rows


@pytest.mark.parametrize("name", GOOD)
def test_other_encodings_are_refused_with_their_line(name):
    data = GOOD[name].replace(b"AIRC", "AIRÇ".encode("latin-1")) if b"AIRC" in GOOD[name] else b"\xe7" + GOOD[name]
    with pytest.raises(InputError, match=rf"{name}, line \d+: .*UTF-8"):
        read_judgements(name, data, SET)


@pytest.mark.parametrize("name", GOOD)
def test_whatever_is_wrong_with_a_file_is_said_and_no_traceback(name):
    """Each file reads; each fault of it is either refused with what is wrong, or did not touch what is read."""
    assert read_judgements(name, GOOD[name], SET)
    for fault, broken in BROKEN.items():
        refusal = None
        try:
            found = read_judgements(name, broken(GOOD[name]), SET)
        except InputError as error:
            found, refusal = (), error
        except Exception as failure:
            raise AssertionError(f"{name}: {fault}") from failure
        assert found or (refusal is not None and (refusal.where or refusal.line)), fault
        for judgements in found:
            assert span_fit(judgements, SET).n_spans <= len(judgements.spans), fault
            assert all(np.isnan(value) or abs(value) <= 1e100 for value in row_values(judgements)), fault


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.json", b'{"A": [], "mt": []}'),
        ("controls.csv", appraise([APPRAISE[0], APPRAISE[3]])),
        ("header.tsv", MQM_HEADER.encode()),
        ("welcome.jsonl", lines(pearmut("u", "welcome_0", {"AIRC": 1}))),
        ("unfilled.tsv", SAMPLE_TABLE.partition("3\t")[0].encode() + SAMPLE_TABLE.split("\n")[2].encode()),
        ("unjudged.jsonl", lines(wmt24(esa_score=None))),
        ("none.seg.score", b"AIRC None\n" * 4),
    ],
)
def test_a_file_in_which_nobody_judged_is_refused(name, data):
    with pytest.raises(InputError, match=f"{name}: nobody has judged anything"):
        read_judgements(name, data, SET)


def test_a_file_of_more_lines_than_any_test_set_has_is_refused_unread(monkeypatch):
    monkeypatch.setattr(reading, "MOST_LINES", 3)
    with pytest.raises(InputError, match=r"too many lines \(found 4, expected at most 3\)"):
        read_scores("AIRC.txt", b"1\n2\n3\n4\n", SET)


def test_every_family_has_a_file_here():
    texts = {name: data.decode() for name, data in GOOD.items()}
    texts |= {"AIRC.jsonl": '{"document_id": "d", "metric_scores": {}}'}
    first = {
        next(family.name for family in reading.FAMILIES if family.sniff(text, name)) for name, text in texts.items()
    }
    assert first == {family.name for family in reading.FAMILIES}


def test_direct_assessment_of_a_system_is_the_mean_that_was_published():
    """Raw and z of WMT22 German-English, where they lie; else of a small table by hand."""
    folder = SHARED / "wmt22-de-en"
    systems, segments = folder / "ad-sys-scores-de-en.csv", folder / "ad-seg-scores-de-en.csv"
    published = {"DA z": {"AIRC": -0.61}, "DA raw": {"AIRC": 48.0}}
    data, test_set = DA_TABLE, SET
    if systems.exists():
        names = sorted(path.name.split(".hyp.")[1].removesuffix(".en") for path in folder.glob("*.hyp.*"))
        columns = [(folder / f"generaltest2022.de-en.hyp.{name}.en").read_text().split("\n")[:-1] for name in names]
        test_set = TestSet([System(*both) for both in zip(names, columns, strict=True)], [columns[0]])
        published = systems_scores(read(systems.name, systems.read_bytes()).systems, test_set)
        data = segments.read_bytes()
        assert len(published["DA z"]) == 9
    for judgements in read_judgements("ad-seg-scores-de-en.csv", data, test_set):
        means = dict(zip(test_set.system_names, np.nanmean(values(judgements, test_set), axis=1), strict=True))
        for name, score in published[judgements.name].items():
            assert means[name] == pytest.approx(score, abs=1e-9)


def real_judgements() -> tuple[TestSet, Judgements] | None:
    """WMT23's first ESA campaign with its twelve systems, where it lies beside the project."""
    folder, file = SHARED / "wmt23-en-de-mtme", SHARED / "judgements" / "wmt23-en-de.esa.appraise.csv"
    if not file.exists():
        return None

    def column(path: str) -> list[str]:
        return (folder / path).read_text(encoding="utf-8").split("\n")[:-1]

    outputs = sorted((folder / "system-outputs" / "en-de").glob("*.txt"))
    names = [path.stem for path in outputs if path.stem not in ("refA", "synthetic_ref")]
    systems = [System(name, column(f"system-outputs/en-de/{name}.txt")) for name in names]
    documents = [line.split("\t")[1] for line in column("documents/en-de.docs")]
    test_set = TestSet(systems, [column("references/en-de.refA.txt")], documents=documents)
    return test_set, one(file.name, file.read_bytes(), test_set)


def test_a_campaign_of_wmt23_agrees_with_bleu_as_was_measured():
    """ESA-1: Pearson .9596, tau-b .7576; every one of 12 x 207 judgements has a place. Else the small file's counts."""
    found = real_judgements()
    if found is None:
        assert len(one("esa.csv", appraise(APPRAISE)).rows) == 4
        return
    test_set, judgements = found
    cells = values(judgements, test_set)
    assert set((~np.isnan(cells)).sum(axis=1)) == {207}
    bleu = [result.score.score for result in evaluate(test_set).systems.values()]
    people = np.nanmean(cells, axis=1)
    assert stats.pearsonr(bleu, people)[0] == pytest.approx(0.9596, abs=5e-5)
    assert stats.kendalltau(bleu, people)[0] == pytest.approx(0.7576, abs=5e-5)
    assert (span_fit(judgements, test_set).start_shift, span_fit(judgements, test_set).end_shift) == (0, 1)


@pytest.mark.parametrize(("n_errors", "penalty"), [(2, -20), (3, -25), (30, -25)])
def test_the_weights_of_xcomet_end_at_25(n_errors, penalty):
    """As ``_compute_mqm_from_spans`` of xCOMET: 10 for each critical error, no more than 25 in all."""
    error = {"start": 0, "end": 1, "severity": "critical"}
    data = b"".join(
        b"AIRC\t%s\n" % json.dumps({"errors": errors}).encode() for errors in ([error] * n_errors, [], [], [])
    )
    found = one("mqm.seg.rating", data)
    assert row_values(found, Averaging(weights=PRESETS["xcomet"])).tolist() == [penalty, 0, 0, 0]


def test_among_texts_the_files_of_scores_are_known_and_no_text_is_taken_for_one():
    held = {name for name, data in GOOD.items() if reading.holds_judgements(name, data)}
    assert held == set(GOOD) - {"AIRC.txt", "items.json"}
    texts = {
        "documents.txt": b"1\n1\n2\n",
        "AIRC.jsonl": lines({"src": "x", "mt": "y", "ref": "z"}),
        "predictions.jsonl": lines({"source": "x", "prediction": "Ein Satz.", "hypothesis": "y"}),
        "table.tsv": b"source\tsystem\nx\ty\n",
        "hyp.txt": "二つ目の文です。\nJa, 1.\n".encode(),
        "dump.json": json.dumps({"data": [{"src": "x", "mt": "y"}]}).encode(),
        "broken": b"\xff\x00\xff",
        "wmt25.jsonl": lines({"doc_id": "d", "tgt_text": {"A": "x"}, "scores": {"A": {"human1": 3}}}),
    }
    assert not [name for name, data in texts.items() if reading.holds_judgements(name, data)]
