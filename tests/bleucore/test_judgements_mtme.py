"""Files of mt-metrics-eval: scores, ratings and whole trees, made here in its layout; and a real one where it lies."""

import io
import json
import tarfile
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

from bleucore import InputError, System, TestSet, evaluate
from bleucore.formats.archives import archive_files
from bleucore.formats.standard_references import standard_reference
from bleucore.judgements import mtme_ratings, mtme_scores, mtme_tree
from bleucore.judgements.alignment import aligned
from bleucore.judgements.averaging import PRESETS, Averaging, averaged, written_weights
from bleucore.judgements.mtme_scores import ScoreName
from bleucore.judgements.reading import read_judgements
from bleucore.judgements.records import Judgements

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "wmt23-en-de-mtme"
SET = TestSet(
    [System("AIRC", ["ein Satz.", "二つ目の文", "drei"]), System("refA", ["Satz.", "文", "vier"])], [["x", "y", "z"]]
)


def error(start: int, end: int, severity: str, category: str, score: float, *, in_source: bool = False) -> dict:
    return {
        "start": start,
        "end": end,
        "category": category,
        "severity": severity,
        "score": score,
        "is_source_error": in_source,
    }


RATINGS = (
    [error(0, 3, "major", "accuracy/mistranslation", 5), error(8, 9, "minor", "fluency/punctuation", 0.1)],
    None,
    [error(0, 1, "minor", "source issue", 0, in_source=True)],
)
RATING_FILE = "".join(f"AIRC\t{'None' if errors is None else json.dumps({'errors': errors})}\n" for errors in RATINGS)
TREE = {
    "wmt22/sources/en-de.txt": b"one\ntwo\nthree\n",
    "wmt22/references/en-de.refA.txt": b"eins\nzwei\ndrei\n",
    "wmt22/references/en-de.refB.txt": b"1\n2\n3\n",
    "wmt22/system-outputs/en-de/AIRC.txt": b"ein Satz\nzwei\ndrei\n",
    "wmt22/system-outputs/en-de/refA.txt": b"eins\nzwei\ndrei\n",
    "wmt22/documents/en-de.docs": b"news d1\nnews\td1\nsocial d2\n",
    "wmt22/human-scores/en-de.mqm.seg.score": b"AIRC -5.1\nAIRC\tNone\nAIRC   0\nrefA 0\nrefA -1\nrefA None\n",
    "wmt22/human-scores/en-de.mqm.sys.score": b"AIRC\t-2.55\nrefA\t-0.5\n",
    "wmt22/human-scores/en-de.mqm.merged.seg.rating": RATING_FILE.encode(),
    "wmt22/metric-scores/en-de/COMET-refA.seg.score": b"AIRC .5\nrefA 1\nAIRC .6\nrefA 1\nAIRC .7\nrefA 1\n",
    "wmt22/metric-scores/en-de/COMET-refA.sys.score": b"AIRC .61\nrefA 1\n",
    "wmt22/metric-scores/en-de/COMET-refA.domain.score": b"news AIRC .61\n",
    "wmt22/metric-scores/en-fr/COMET-refA.seg.score": b"broken",
}


def one(found: tuple[Judgements, ...]) -> Judgements:
    (judgements,) = found
    return judgements


@pytest.mark.parametrize(
    ("file", "name", "level", "languages"),
    [
        ("en-de.mqm.seg.score", "mqm", "seg", "en-de"),
        ("human-scores/en-de.da-sqm.sys.score", "da-sqm", "sys", "en-de"),
        ("en-zh_CN.mqm.merged.seg.rating", "mqm.merged", "seg", "en-zh_CN"),
        ("en-sr_Cyrl_RS.esa-human1.seg.score", "esa-human1", "seg", "en-sr_Cyrl_RS"),
        ("MetricX-23-refA.seg.score", "MetricX-23-refA", "seg", None),
        ("COMET-22.v2-src.domain.score.gz", "COMET-22.v2-src", "domain", None),
        ("mine.txt", "mine", "seg", None),
    ],
)
def test_the_name_of_a_file_says_what_is_scored(file, name, level, languages):
    assert ScoreName.of(file) == ScoreName(name, level, languages)


def test_blocks_of_systems_come_in_any_order_and_none_is_no_zero():
    found = aligned(
        one(mtme_scores.read("mqm.seg.score", "refA 0\nAIRC\t-1\nAIRC None\nrefA 2\nAIRC  0.0\nrefA None\n")), SET
    )
    np.testing.assert_array_equal(averaged(found, SET.system_names, 3), [[-1, np.nan, 0], [0, 2, np.nan]])
    assert found.protocol == "MQM"


def test_scores_whose_first_segment_nobody_judged_are_no_ratings():
    scores = "AIRC\tNone\nAIRC\t-1\nAIRC\t0\nrefA\tNone\nrefA\t-2\nrefA\t0\n"
    for name in ("en-de.mqm.seg.score", "judgements.txt"):
        (found,) = read_judgements(name, scores.encode(), SET)
        assert [(row.system, row.number, row.value) for row in found.rows[:2]] == [("AIRC", 1, -1), ("AIRC", 2, 0)]
    (rated,) = read_judgements(
        "judgements.txt", ("AIRC\tNone\n" + RATING_FILE[: RATING_FILE.rindex("AIRC")]).encode(), SET
    )
    assert [(row.number, len(row.spans)) for row in rated.rows] == [(1, 2)]


def test_a_block_that_lacks_a_line_is_named_with_what_it_should_have():
    cut = one(mtme_scores.read("mqm.seg.score", "refA 0\nrefA 0\nrefA 1\nAIRC -1\nAIRC -2\n"))
    with pytest.raises(InputError) as refusal:
        aligned(cut, SET)
    assert str(refusal.value) == (
        "mqm.seg.score, system 'AIRC', line 5: the system has not one line for each segment (found 2 lines, expected "
        "3, the segments of the test set). The file may be cut off: load it complete."
    )


@pytest.mark.parametrize("written", ["nan", "inf", "1e400", "-1e101", "0x1", "1_0", "", "None None", "1 2 3"])
def test_a_score_that_is_no_number_is_refused_with_its_line(written):
    with pytest.raises(InputError, match="line 2") as refusal:
        mtme_scores.read("m.seg.score", f"A 1\nA {written}\n")
    assert refusal.value.remedy


def test_scores_of_systems_are_not_taken_for_scores_of_segments():
    with pytest.raises(InputError, match=r"scores of the level sys, expected scores of the level seg"):
        mtme_scores.read("en-de.mqm.sys.score", "A 1\nB 2\n")


def test_ratings_keep_every_error_and_cost_what_the_file_says():
    found = aligned(one(mtme_ratings.read("en-de.mqm.seg.rating", RATING_FILE)), SET)
    np.testing.assert_allclose(averaged(found, ["AIRC"], 3), [[-5.1, np.nan, 0]])
    first, second = found.spans.of(0)
    assert (first.start, first.end, first.severity, first.category) == (0, 3, "major", "accuracy/mistranslation")
    assert (second.weight, second.side) == (0.1, "target")
    assert [span.side for span in found.spans.of(1)] == ["source"]


def test_weights_take_the_most_specific_entry():
    google = PRESETS["google"]
    assert google.penalty("minor", "Fluency/Punctuation") == 0.1
    assert google.penalty("major", "fluency/punctuation") == 5
    assert google.penalty("minor", "non-translation!") == 25
    assert PRESETS["wmt24"].penalty("major", "Source issue") == 0
    assert google.penalty("huge", "") is None


def test_weights_are_written_as_presets_and_changes():
    assert written_weights("google") == PRESETS["google"]
    assert (written_weights("xcomet, minor=2").most, written_weights("google").most) == (25, None)
    changed = written_weights(" google,Major = 10, minor/fluency=0.5")
    assert changed.name == "google, Major = 10, minor/fluency=0.5"
    assert changed.penalties == {**PRESETS["google"].penalties, "major": 10, "minor/fluency": 0.5}
    assert (changed.penalty("minor", "Fluency/Grammar"), changed.penalty("minor", "Style")) == (0.5, 1)


@pytest.mark.parametrize("written", ["", " , ", "nothing", "major=", "=5", "major=-1", "major=1e9", "major=nan"])
def test_weights_that_are_none_are_refused(written):
    with pytest.raises(InputError, match=r"^Option weights of errors: this value is not accepted .* as in major=5"):
        written_weights(written)


def test_an_error_without_a_weight_is_named_and_not_forgotten():
    text = 'AIRC\t{"errors": [{"start": 0, "end": 1, "severity": "Huge", "category": "style"}]}\n'
    found = one(mtme_ratings.read("r.seg.rating", text))
    with pytest.raises(InputError, match=r"r.seg.rating, system 'AIRC', line 1: there is no weight.*'huge'"):
        averaged(found, ["AIRC"], 1)


@pytest.mark.parametrize(
    "line",
    [
        "AIRC",
        'AIRC\t{"errors": [}',
        'AIRC\t{"errors": 1}',
        'AIRC\t{"errors": [[]]}',
        'AIRC\t{"errors": [{"start": 3, "end": 1}]}',
        'AIRC\t{"errors": [{"start": -1, "end": 1}]}',
        'AIRC\t{"errors": [{"start": 1.5, "end": 2}]}',
        'AIRC\t{"errors": [{"start": 99999999999999999999999, "end": 2}]}',
        'AIRC\t{"errors": [{"start": 1, "end": 2, "score": NaN}]}',
        'AIRC\t{"errors": [{"start": 1, "end": 2, "severity": "\\ud800"}]}',
        'AIRC\t{"errors": [], "errors": []}',
        "AIRC\t" + "[" * 100_000,
        "\t{}",
    ],
)
def test_a_broken_rating_is_refused_with_its_line(line):
    with pytest.raises(InputError) as refusal:
        mtme_ratings.read("r.seg.rating", f"AIRC\tNone\n{line}\n")
    assert refusal.value.line == 2
    assert refusal.value.remedy


def zipped(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return data.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return data.getvalue()


@pytest.mark.parametrize("pack", [zipped, tarred], ids=["zip", "tar"])
def test_a_tree_becomes_a_test_set_with_scores_and_judgements(pack):
    files = archive_files("wmt22.archive", pack(TREE))
    assert files is not None
    assert mtme_tree.looks_like_tree(files)
    found = mtme_tree.read_tree("wmt22.archive", files)
    assert found.test_set.system_names == ("AIRC", "refA")
    assert found.test_set.reference_names == ("refA", "refB")
    assert found.test_set.documents == ("d1", "d1", "d2")
    assert found.test_set.labels["domain"] == ("news", "news", "social")
    assert found.test_set.languages == ("en", "de")
    assert set(found.judgements) == {"mqm", "mqm.merged"}
    assert found.judged_systems["mqm"] == {"AIRC": -2.55, "refA": -0.5}
    assert found.metric_systems["COMET-refA"]["AIRC"] == 0.61
    np.testing.assert_array_equal(found.metrics["COMET-refA"].scores["AIRC"].values, [0.5, 0.6, 0.7])
    assert found.references_as_systems == ("refA",)
    assert found.notices == (
        "wmt22.archive: refA is a reference scored as a system, too; against itself a reference has a perfect score.",
    )


def test_the_standard_reference_is_that_of_the_year():
    assert standard_reference("wmt22", "en-de", ["refB", "refA"]) == "refA"
    assert standard_reference("wmt24.zip", "en-de", ["refA", "refB"]) == "refB"
    assert standard_reference("mine", "de-ja", ["gold", "other"]) == "gold"


@pytest.mark.parametrize(
    ("test_set", "languages", "standard"),
    [
        ("wmt21.news", "en-de", "refC"),
        ("wmt21.news.tar.gz", "zh-en", "refB"),
        ("wmt21.tedtalks", "zh-en", "refB"),
        ("wmt21.flores", "zh-en", "refA"),
        ("wmt23", "en-he", "refB"),
        ("wmt24pp", "en-cs_CZ", "posteditA"),
        ("wmt24pp", "en-de_DE", "posteditB"),
        ("wmt24pp", "en-is_IS", "refA"),
    ],
)
def test_the_standard_reference_is_that_of_mt_metrics_eval(test_set, languages, standard):
    references = ["posteditA", "posteditB", "refA", "refB", "refC"]
    assert standard_reference(test_set, languages, references) == standard


def test_of_several_language_pairs_one_is_to_be_chosen():
    files = TREE | {"wmt22/system-outputs/en-fr/AIRC.txt": b"un\n", "wmt22/references/en-fr.refA.txt": b"un\n"}
    assert mtme_tree.language_pairs(files) == ("en-de", "en-fr")
    with pytest.raises(InputError, match=r"several language pairs \(found en-de, en-fr"):
        mtme_tree.read_tree("wmt22", files)
    assert mtme_tree.read_tree("wmt22", files, "en-de").test_set.n_segments == 3
    with pytest.raises(InputError, match="en-ja"):
        mtme_tree.read_tree("wmt22", files, "en-ja")


@pytest.mark.parametrize("left", [".DS_Store", "._AIRC.txt", "README.md", "AIRC.txt~"])
def test_what_a_desktop_or_an_editor_leaves_in_a_folder_is_no_system(left):
    found = mtme_tree.read_tree("wmt22", TREE | {f"wmt22/system-outputs/en-de/{left}": b"\0\1\2"})
    assert found.test_set.system_names == ("AIRC", "refA")


TEXTS_IN_JSON = {
    "wmt25/sources/cs-de_DE.jsonl": ("source", ["jedna", "dvě\ntři", "čtyři"]),
    "wmt25/references/cs-de_DE.refA.jsonl": ("target", ["eins", "zwei\ndrei", "vier"]),
    "wmt25/system-outputs/cs-de_DE/AIRC.jsonl": ("hypothesis", ["eins", "", "vier"]),
}


def test_texts_of_a_tree_may_be_json_lines_whose_segments_hold_line_breaks():
    files = {
        path: "".join(json.dumps({"id": 7, title: text}) + "\n" for text in texts).encode()
        for path, (title, texts) in TEXTS_IN_JSON.items()
    }
    found = mtme_tree.read_tree("wmt25", files)
    assert found.languages == "cs-de_DE"
    assert found.test_set.source == ("jedna", "dvě\ntři", "čtyři")
    assert found.test_set.references == (("eins", "zwei\ndrei", "vier"),)
    assert [(one.name, one.hypotheses) for one in found.test_set.systems] == [("AIRC", ("eins", "", "vier"))]
    output = "wmt25/system-outputs/cs-de_DE/AIRC.jsonl"
    broken = files | {output: files[output].replace(b"hypothesis", b"target", 1)}
    with pytest.raises(InputError, match=r"AIRC\.jsonl, line 1: there is no field 'hypothesis'"):
        mtme_tree.read_tree("wmt25", broken)


def test_a_line_of_documents_without_a_document_is_refused():
    with pytest.raises(InputError, match=r"en-de\.docs, line 2"):
        mtme_tree.read_tree("wmt22", TREE | {"wmt22/documents/en-de.docs": b"news d\nnews\nnews d\n"})


@cache
def real_tree() -> mtme_tree.EvalSet | None:
    files = {str(path.relative_to(REAL)): path.read_bytes() for path in REAL.rglob("*") if path.is_file()}
    return mtme_tree.read_tree("wmt23-en-de-mtme", files) if files else None


@pytest.mark.thorough
def test_ratings_give_the_scores_that_were_published_with_them():
    """For the small tree by hand; for WMT23 English-German all 5,980 judgements and 19,569 errors."""
    found = real_tree() or mtme_tree.read_tree("wmt22", TREE)
    shape = found.test_set.system_names, found.test_set.n_segments
    scores = averaged(found.judgements["mqm"], *shape)
    rated = averaged(found.judgements["mqm.merged"], *shape)
    is_small = found.test_set.n_segments == 3
    of_both = [0] if is_small else range(len(shape[0]))
    np.testing.assert_array_equal(scores[of_both], rated[of_both])
    weighed = averaged(found.judgements["mqm.merged"], *shape, Averaging(weights=PRESETS["wmt24"]))
    np.testing.assert_allclose(weighed, rated)
    spans = found.judgements["mqm.merged"].spans
    expected = {"major": 1, "minor": 2} if is_small else {"major": 6_644, "minor": 12_925}
    assert Counter(spans.severities) == expected
    assert spans.on_source.sum() == (1 if is_small else 1_334)
    for name, score in found.judged_systems["mqm"].items():
        assert np.nanmean(scores[shape[0].index(name)]) == pytest.approx(score, abs=1e-12)


@pytest.mark.thorough
def test_the_scores_of_bleu_in_a_tree_are_ours():
    """The published ones of WMT23 where they lie; else sacreBLEU's of the small tree."""
    found = real_tree() or mtme_tree.read_tree("wmt22", TREE)
    test_set = found.test_set
    reference = test_set.references[list(test_set.reference_names or ()).index("refA")]
    ours = {
        name: result.score.score for name, result in evaluate(TestSet(test_set.systems, [reference])).systems.items()
    }
    published = found.metric_systems.get("BLEU-refA")
    if published is None:
        published = {one.name: sacrebleu.corpus_bleu(one.hypotheses, [reference]).score for one in test_set.systems}
    for name, score in published.items():
        assert ours[name] == pytest.approx(score, abs=1e-9)
