"""The commands that compare, list and check: their numbers are those of the engine."""

import json
from pathlib import Path

import numpy as np
import pytest

from bleucore import ChrfOptions
from bleucore.analysis.attribution import attribute
from bleucore.analysis.ngram_phrases import telling_phrases
from bleucore.analysis.ngram_types import ngram_types, pair_tokens
from bleucore.analysis.slices import compare_slices, slice_segments
from bleucore.checks import check
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.segments.filters import ORDERS
from bleuscope.content.slices.slice_tables import compared_pair
from bleuscope.shell.disk.files import load_sample

FEW = ["--trials", "199", "--resamples", "100", "--seed", "3"]
SIGNIFICANCE = SignificanceOptions(trials=199, resamples=100, seed=3)
PAIR = ("fluent", "neural-40k")


@pytest.fixture(scope="module")
def study():
    """The sample, with few trials."""
    settings = Settings(significance=SIGNIFICANCE, baseline="fluent", pair=PAIR, metrics=(ChrfOptions(),))
    return make_study(load_sample().test_set, settings)


@pytest.fixture
def answer(bleuscope):
    """What a command on the sample prints as JSON."""

    def run(command, *arguments):
        code, out, err = bleuscope(command, "--sample", "-f", "json", *arguments)
        found = json.loads(out)
        assert (code, err) == (0, "".join(f"bleuscope: {' '.join(said.split())}\n" for said in found["warnings"]))
        return found

    return run


class TestCompare:
    @pytest.fixture
    def found(self, answer):
        return answer("compare", *FEW, "-m", "chrf", "--baseline", "fluent", "--pair", *PAIR, "--top", "2")

    def test_has_every_table(self, found):
        tables = ["systems", "pairs", "clusters", "power", "metrics", "attribution", "segments", "documents"]
        assert list(found) == ["facts", "warnings", *tables]

    def test_systems_are_those_of_the_study(self, found, study):
        assert [row["system"] for row in found["systems"]] == list(study.evaluation.ranked())
        against = study.comparison.against("fluent")
        for row in found["systems"]:
            name = row["system"]
            assert row["bleu"] == study.evaluation.systems[name].score.score
            assert (row["interval_low"], row["interval_high"]) == study.comparison.intervals[name]
            tested = against.get(name)
            assert row["difference"] == (tested and tested.difference)
            assert row["corrected_p_value"] == (tested and tested.corrected_p_value)
        assert found["facts"]["digest"] == study.test_set.digest
        assert found["facts"]["seed"] == 3

    def test_exchanges_documents_by_itself_where_they_are_known(self, bleuscope, tmp_path):
        """Sixty documents of two lines in another script than Latin."""
        lines = [f"это строка номер {row} текста" for row in range(120)]
        other = [line.replace("строка", "линия") if row % 3 else line for row, line in enumerate(lines)]
        columns = {"one": lines, "two": other, "ref": lines, "docs": [f"д{row // 2}" for row in range(120)]}
        for name, column in columns.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
        files = [str(tmp_path / name) for name in ("one", "two")]
        files += ["-r", str(tmp_path / "ref"), "--documents", str(tmp_path / "docs"), *FEW]
        found = {}
        for unit in ("auto", "document", "segment"):
            code, found[unit], _ = bleuscope("compare", *files, "--unit", unit, "--table", "systems")
            assert code == 0
        assert found["auto"] == found["document"] != found["segment"]
        assert bleuscope("compare", *files, "--table", "systems")[1] == found["auto"], "it is the default"
        assert "over 60 documents (120 segments)" in found["auto"]
        assert "unit:document" in found["auto"]
        assert "unit:segment" in found["segment"]

    def test_attribution_adds_up_to_the_difference(self, found, study):
        difference = study.comparison.pair("neural-40k", "fluent").difference
        *parts, total = [row["part"] for row in found["attribution"]]
        assert total == pytest.approx(difference)
        assert sum(parts) == pytest.approx(difference)

    def test_segments_are_those_that_do_most_each_way(self, found, study):
        counts = [study.evaluation.systems[name].counts for name in PAIR]
        parts = attribute(*counts, study.evaluation.options).segments
        order = np.argsort(-parts, kind="stable") + 1
        assert [row["segment"] for row in found["segments"]] == [*order[:2], *order[:-3:-1]]

    @pytest.mark.parametrize("metric", ["chrF2", "BLEU"])
    def test_of_a_metric_is_in_that_metric_throughout(self, answer, study, metric):
        found = answer("compare", *FEW, "-m", "chrf", "--pair", *PAIR, "--top", "3", "--metric", metric)
        scores = study.evaluation.metrics[metric].systems
        difference = scores[PAIR[1]].score - scores[PAIR[0]].score
        assert found["attribution"][-1]["part"] == pytest.approx(difference)
        best, *others = found["systems"]
        for row in others:
            gap = scores[row["system"]].score - scores[best["system"]].score
            assert row["difference"] == pytest.approx(gap)
            assert row["difference_interval_low"] <= gap <= row["difference_interval_high"]
            assert row["interval_low"] <= scores[row["system"]].score <= row["interval_high"]
        assert sum(row["part"] for row in found["documents"]) == pytest.approx(difference)
        for row in found["segments"]:
            of_segment = [scores[name].segment_scores[row["segment"] - 1] for name in PAIR]
            assert row["difference"] == pytest.approx(of_segment[1] - of_segment[0])
            assert row[f"{metric.casefold()}_a"] == of_segment[0]
        assert [row["part"] > 0 for row in found["segments"]] == [True] * 3 + [False] * 3

    def test_people_are_shown_what_they_can_read(self, bleuscope, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        arguments = ["compare", "--sample", *FEW, "--top", "1"]
        out = bleuscope(*arguments)[1]
        assert [line.split()[0] for line in out.splitlines() if "BLEU" in line and "  " in line][:1] == ["system"]
        assert "ingredient" not in out
        assert bleuscope(*arguments, "-o", "compared")[0] == 0
        written = Path("compared").read_text(encoding="utf-8")
        assert "ingredient" in written
        assert not [line for line in written.splitlines() if {"system", "against"} <= {*line.split()}]

    def test_a_single_system_has_an_interval_and_nothing_to_be_compared_with(self, bleuscope, tmp_path):
        (tmp_path / "a.txt").write_text("a b c d\nb c\n")
        (tmp_path / "ref.txt").write_text("a b c d\nb d\n")
        found = json.loads(bleuscope("compare", "a.txt", "-r", "ref.txt", "-f", "json", *FEW)[1])
        assert list(found) == ["facts", "warnings", "systems"]

    @pytest.mark.parametrize("form", ["tsv", "csv", "markdown", "latex", "xlsx", "parquet"])
    def test_every_form_can_be_written_to_a_file(self, bleuscope, tmp_path, form):
        assert bleuscope("compare", "--sample", *FEW, "-f", form, "-o", f"found.{form}")[:2] == (0, "")
        content = (tmp_path / f"found.{form}").read_bytes()
        begins = {"tsv": b"system\t", "csv": b"system,", "markdown": b"| system", "latex": b"%"}
        assert content.startswith(begins.get(form, b"PK" if form == "xlsx" else b"PAR1"))


class TestSegments:
    def test_scores_are_those_of_every_system_and_metric(self, answer, study):
        found = answer("segments", "-m", "chrf")["segment-scores"]
        assert len(found) == study.test_set.n_segments
        for metric in study.evaluation.metrics.values():
            for name, result in metric.systems.items():
                column = [row[f"{metric.name}: {name}"] for row in found]
                assert column == result.segment_scores.tolist()

    def test_of_a_pair_come_in_the_order_asked_for(self, answer, study):
        found = answer("segments", "--pair", *PAIR, "--order", "low-b", "--top", "5")["segments"]
        scores = study.evaluation.systems["neural-40k"].segment_scores
        assert [row["bleu_b"] for row in found] == np.sort(scores)[:5].tolist()
        assert found == answer("segments", "--pair", *PAIR, "--order", "BLEU B: lowest first", "--top", "5")["segments"]

    def test_can_be_searched(self, answer, study):
        found = answer("segments", "--pair", *PAIR, "--search", "Lorbebrücke")["segments"]
        texts = zip(study.test_set.source, *study.test_set.references, strict=True)
        expected = [number for number, (source, *_) in enumerate(texts, start=1) if "Lorbebrücke" in source]
        assert sorted(row["segment"] for row in found) == expected
        assert expected

    def test_every_order_has_a_short_name_of_its_own(self):
        assert len({each.called for each in ORDERS.values()}) == len(ORDERS)


class TestNgrams:
    def test_won_are_those_of_the_engine(self, answer, study):
        found = answer("ngrams", "--pair", *PAIR, "--view", "won", "--order-n", "2", "--top", "3")["ngrams"]
        counts = [study.evaluation.systems[name].counts for name in PAIR]
        values = attribute(*counts, study.evaluation.options).match_values
        types = ngram_types(pair_tokens(study.test_set, PAIR, study.evaluation.options), values)[1]
        best = types.leading_won[0]
        assert {row["system"] for row in found} == {"neural-40k"}
        assert found[0]["part"] == pytest.approx(best.part)
        assert found[0]["more_matches_b"] - found[0]["more_matches_a"] == best.net

    def test_lost_are_those_that_a_wins(self, answer):
        (won,) = answer("ngrams", "--pair", *PAIR, "--view", "won", "--top", "1", "--order-n", "1")["ngrams"]
        (lost,) = answer("ngrams", "--pair", *PAIR[::-1], "--view", "lost", "--top", "1", "--order-n", "1")["ngrams"]
        assert (won["ngram"], won["system"]) == (lost["ngram"], lost["system"])
        assert won["part"] == pytest.approx(-lost["part"])

    def test_phrases_are_those_of_the_engine(self, answer, study):
        found = answer("ngrams", "--pair", *PAIR, "--top", "2")
        counts = [study.evaluation.systems[name].counts for name in PAIR]
        values = attribute(*counts, study.evaluation.options).match_values
        tokens = pair_tokens(study.test_set, PAIR, study.evaluation.options)
        expected = telling_phrases(tokens, values, study.test_set.documents, n_leading=2)
        (lost, won), (folded_lost, folded_won) = expected.leading, expected.folded
        listed = (*won, *lost, *folded_won, *folded_lost)
        assert [row["phrase"] for row in found["phrases"]] == [" ".join(phrase.tokens) for phrase in listed]
        assert [row["part"] for row in found["phrases"]] == [phrase.part for phrase in listed]

    @pytest.mark.parametrize(("view", "side"), [("over-generated", 1), ("missed", 0)])
    def test_phrases_of_one_system_are_held_against_the_references(self, answer, study, view, side):
        found = answer("ngrams", "--pair", *PAIR, "--view", view, "--against", "references", "--top", "2")["phrases"]
        tokens = pair_tokens(study.test_set, PAIR[1:] * 2, study.evaluation.options)
        counts = study.evaluation.systems[PAIR[1]].counts
        values = attribute(counts, counts, study.evaluation.options).match_values
        of_b = telling_phrases(tokens, values, study.test_set.documents, counted="against the references", n_leading=2)
        assert [row["phrase"] for row in found][:2] == [" ".join(phrase.tokens) for phrase in of_b.leading[side]]
        assert [(row["missed"], row["too_often"]) for row in found][:2] == [one.counts for one in of_b.leading[side]]
        assert {row["system"] for row in found} == set(PAIR)

    @pytest.mark.parametrize("view", ["over-generated", "missed"])
    @pytest.mark.parametrize("against", ["system", "references"])
    def test_unmatched_ones_have_a_list_for_each_system(self, answer, view, against):
        found = answer("ngrams", "--pair", *PAIR, "--view", view, "--against", against, "--top", "4", "--order-n", "1")[
            "ngrams"
        ]
        assert [row["side"] for row in found] == ["B"] * 4 + ["A"] * 4

    def test_of_a_metric_are_listed_by_its_scores(self, answer, study):
        asked = ["-m", "chrf", "--metric", "chrF2", "--pair", *PAIR, "--order", "low-a", "--bleu-a", "20", "60"]
        found = answer("segments", *asked)
        metric = study.evaluation.metrics["chrF2"]
        scores = metric.systems[PAIR[0]].segment_scores
        listed = [row["chrf2_a"] for row in found["segments"]]
        assert listed == sorted(listed)
        assert len(listed) == ((scores >= 20) & (scores <= 60)).sum()
        assert found["facts"]["signature"] == metric.signature


class TestMarkedErrors:
    RATINGS = (
        'one\t{"errors": [{"start": 0, "end": 5, "severity": "major"}, {"start": 10, "end": 14}]}\tAnn\n'
        "one\tNone\n"
        'two\t{"errors": []}\ntwo\tNone\nelse\tNone\nelse\t{"errors": []}\n'
    )

    @pytest.fixture
    def run(self, bleuscope, tmp_path):
        for name, text in (
            ("one", "merhaba و dünya\nb\n"),
            ("two", "merhaba x\nb\n"),
            ("ref", "merhaba و gece\nb\n"),
            ("x.seg.rating", self.RATINGS),
            ("none.seg.rating", 'one\t{"errors": []}\n' * 2),
        ):
            (tmp_path / (name if "." in name else f"{name}.txt")).write_text(text, encoding="utf-8")
        return lambda *arguments: bleuscope("segments", "two.txt", "one.txt", "-r", "ref.txt", "-f", "json", *arguments)

    def test_are_counted_and_can_be_asked_for(self, run):
        code, out, err = run("--judgements", "x.seg.rating", "--where", "matched_major_b > 0")
        assert code == 0
        found = json.loads(out)
        assert [row["segment"] for row in found["segments"]] == [1]
        assert [row["question_1"] for row in found["questions"] if row["system"] == "one"] == [1]
        counted = {
            row["system"]: (row["tokens"], row["credited"], row["uncredited"]) for row in found["credited-and-marked"]
        }
        assert counted == {"one": (3, 2, 1), "two": (2, 1, 1)}
        (one,) = [row for row in found["credited-and-marked"] if row["system"] == "one"]
        assert (one["credited_marked"], one["credited_major"], one["uncredited_marked"]) == (50, 50, 100)
        assert [row["tokens"] for row in found["marked-categories"]] == [2]
        assert "'else'" in err

    def test_are_moved_only_if_that_is_asked_for(self, run, tmp_path):
        errors = [{"text": "و", "start": 9, "end": 10, "severity": "major"}]  # on the blank behind it
        record = {"out/one.txt": [{"mt": "merhaba و dünya", "COMET": 0.5, "errors": errors}, {"mt": "b", "COMET": 1}]}
        (tmp_path / "comet.json").write_text(json.dumps(record))
        credited = []
        for more, said in (
            ((), "starts moved by -1 and ends moved by -1; none was moved"),
            (("--move-spans",), "moved: 1 span, starts by -1 and ends by -1"),
        ):
            code, out, err = run("--judgements", "comet.json", *more)
            assert (code, said in err) == (0, True)
            (one,) = [row for row in json.loads(out)["credited-and-marked"] if row["system"] == "one"]
            credited.append(one["credited_marked"])
        assert credited == [0, pytest.approx(100 / 3)]

    def test_that_nobody_marked_are_refused(self, run):
        code, _, err = run("--judgements", "none.seg.rating")
        assert code == 2
        assert "nobody marked an error" in err

    def test_are_not_asked_for_without_a_file(self, run):
        code, _, err = run("--where", "marked_b > 0")
        assert code == 2
        assert "no text or number of this name" in err


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [("(?V1)x", "chooses a version of the syntax"), ("(?R)", "repeats a part of the pattern"), ("(?u)(?a)x", "ASCII")],
)
def test_a_pattern_that_cannot_be_searched_is_refused(bleuscope, pattern, reason):
    code, out, err = bleuscope("segments", "--sample", "--where", f'matches(b, "{pattern}")')
    assert (code, out) == (2, "")
    assert reason in err


class TestSlices:
    def test_are_compared_as_the_engine_does(self, answer, study):
        found = answer("slices", "--pair", *PAIR, "--by", "length", *FEW)["slices"]
        slicing = slice_segments(study.test_set, "reference length", study.evaluation.options)
        systems = compared_pair(study.test_set, study.evaluation.metrics["BLEU"], PAIR)
        tested = compare_slices(systems, slicing, SIGNIFICANCE)
        assert [row["slice"] for row in found] == list(slicing.names)
        for index, row in enumerate(found):
            assert row["segments"] == slicing.sizes[index]
            assert row["difference"] == pytest.approx(tested.tests[index].difference)
            assert row["corrected_p_value"] == tested.tests[index].corrected_p_value

    def test_are_those_of_documents_unless_told(self, answer, study):
        found = answer("slices", *FEW)["slices"]
        assert {row["slice"] for row in found} == set(study.test_set.documents)

    def test_can_be_scored_in_another_metric(self, answer, study):
        metric = study.evaluation.metrics["chrF2"]
        asked = ["--pair", *PAIR, "--by", "length", "-m", "chrf", "--metric", "chrF2"]
        found = answer("slices", *asked, *FEW)
        slicing = slice_segments(study.test_set, "reference length", study.evaluation.options)
        tested = compare_slices(compared_pair(study.test_set, metric, PAIR), slicing, SIGNIFICANCE)
        for index, row in enumerate(found["slices"]):
            assert row["chrf2_b"] - row["chrf2_a"] == pytest.approx(row["difference"])
            assert row["corrected_p_value"] == tested.tests[index].corrected_p_value
        whole = metric.systems[PAIR[1]].score - metric.systems[PAIR[0]].score
        assert sum(row["part"] for row in found["slices"]) == pytest.approx(whole)
        assert found["facts"]["signature"] == metric.signature

    def test_can_be_those_of_a_label_by_its_name(self, bleuscope, tmp_path):
        for name, text in (("a", "a b\nc d\n"), ("b", "a b\nc e\n"), ("ref", "a b\nc d\n"), ("genre", "news\nchat\n")):
            (tmp_path / f"{name}.txt").write_text(text)
        arguments = ["a.txt", "b.txt", "-r", "ref.txt", "--labels", "genre.txt", "--by", "genre", "-f", "json"]
        found = json.loads(bleuscope("slices", *arguments, *FEW)[1])
        assert {row["slice"] for row in found["slices"]} == {"news", "chat"}


def test_checks_are_the_findings(answer, study):
    found = answer("lint")["checks"]
    assert [(row["check"], row["message"]) for row in found] == [
        (finding.check, finding.message) for finding in check(study.test_set)
    ]


UNFIT = [
    (["compare", "--baseline", "nobody"], "there is no system of this name (found 'nobody', expected one of online,"),
    (["compare", "--pair", "human", "nobody"], "Option --pair: there is no system of this name"),
    (["compare", "--pair", "human", "human"], "these are not two systems (found human)"),
    (["compare", "--table", "pair"], "there is no table of this name (found 'pair', expected one of systems, pairs,"),
    (["compare", "--columns", "system,blue", *FEW], "Option --columns, table systems: there is no column"),
    (["compare", "--test", "t"], "'t' is not one of 'approximate-randomisation'"),
    (["compare", "--trials", "0"], "Option trials: this value is not accepted (found 0"),
    (["slices", "--by", "length", "--order", "part", *FEW], "'part'"),
    (["slices", "--by", "moon"], "expected one of document, reference-length, source-length, rarity-of-words)"),
    (["ngrams", "--order-n", "x"], "'x' is not a valid integer range"),
    (["ngrams", "--order-n", "5"], "BLEU does not count n-grams of this length (found 5, expected 1 to 4)"),
    (["ngrams", "--view", "missed", "--rank", "worth", "--order-n", "1"], "these n-grams cannot be ranked so"),
    (["ngrams", "--find", "a"], "Option --find: phrases are listed in one way"),
    (["report", "--without", "moon", "-o", "r.html"], "there is no such section (found 'moon'"),
    (["report", "--segments-list", "1,x", "-o", "r.html"], "these are no segments (found '1,x'"),
    (["report", "--segments-list", "999", "-o", "r.html", *FEW], "there is no such segment (found 999"),
    (["report", "-o", "nowhere/r.html"], "the file cannot be written (found the folder nowhere does not exist)"),
]


@pytest.mark.parametrize(("arguments", "text"), UNFIT)
def test_what_is_not_there_is_one_line_and_exit_code_2(bleuscope, tmp_path, arguments, text):
    command, *rest = arguments
    code, out, err = bleuscope(command, "--sample", *rest)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert text in err
    assert list(tmp_path.iterdir()) == []


class TestReport:
    def test_is_one_file_that_names_the_command(self, bleuscope, tmp_path):
        arguments = ["report", "--sample", *FEW, "--title", "A <b> & c", "--top", "1", "-o", "report.html"]
        assert bleuscope(*arguments) == (0, "", "")
        written = (tmp_path / "report.html").read_text(encoding="utf-8")
        assert "A &lt;b&gt; &amp; c" in written
        assert "A <b>" not in written
        assert "bleuscope report --sample --trials 199" in written

    def test_holds_the_notes_of_a_file(self, bleuscope, tmp_path):
        (tmp_path / "notes.tsv").write_text("segment\ttag\tnote\n3\t'=odd\t<b>why</b>?\n", encoding="utf-8")
        arguments = ["report", "--sample", *FEW, "--without", "charts", "--segments-list", "3", "-f", "markdown"]
        code, out, err = bleuscope(*arguments, "--notes", "notes.tsv")
        assert (code, err) == (0, "")
        assert "=odd" in out
        assert "why" in out
        Path("notes").write_bytes(Path("notes.tsv").read_bytes())
        code, out, err = bleuscope(*arguments, "--notes", "notes", "-o", "notes")
        assert (code, out) == (2, "")
        assert "it is one of the files to read (found notes)" in err
        assert bleuscope(*arguments, "--notes", "none.tsv")[0] == 2

    def test_goes_to_standard_output_as_markdown_without_what_is_left_out(self, bleuscope):
        code, out, err = bleuscope("report", "--sample", *FEW, "-f", "markdown", "--without", "segments", "--top", "1")
        assert (code, err) == (0, "")
        assert out.startswith("# Sample comparison")
        assert "Segments to read" not in out
