"""The command ``agreement``: from a test set of mt-metrics-eval, and from plain files with judgements."""

import json
import math
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU
from scipy import stats

KEYS = [
    "name",
    "pearson",
    "spearman",
    "kendall",
    "pearson_without_outliers",
    "outliers",
    "pairs_agree",
    "pairs",
    "spa",
    "spa_sentence_mean",
    "segment_pearson",
    "segment_kendall",
    "tied_accuracy",
    "tie_threshold",
    "tied_accuracy_chance",
    "untied_accuracy",
    "pearson_within_segments",
    "pearson_of_differences",
    "pearson_interval",
    "spa_interval",
    "tied_accuracy_interval",
    "williams_p",
    "rank",
]
REFERENCES = {
    "refA": ["Die Katze saß auf der Matte.", "Der Hund lief heute weg.", "Niemand war da.", "猫 は 好き です か 。"],
    "refB": ["Auf der Matte saß die Katze.", "Heute lief der Hund weg.", "Keiner war da.", "猫 が 好き です か 。"],
}
SYSTEMS = {
    "good": ["Die Katze saß auf der Matte.", "Der Hund lief heute fort.", "Niemand war dort.", "猫 は 好き です 。"],
    "fair": ["Die Katze saß auf einer Matte.", "Ein Hund lief heute weg.", "Keiner war da.", "猫 は 好き か 。"],
    "poor": ["Katze sitzt Matte.", "Der Hund ist weg.", "Da war nichts.", "犬 は いる 。"],
    "unjudged": ["a", "b", "c", "d"],
}
JUDGED = {
    "good": [0, -1, -1, None],
    "fair": [-1, -1, -2, None],
    "poor": [-5, -6, -9, None],
    "refA": [0, 0, -0.1, None],
    "refB": [0, 0, -1, None],
    "unjudged": [None] * 4,
}
SCORED = {name: [value / 10 for value in range(4)] for name in (*SYSTEMS, *REFERENCES)} | {"poor": [-1, -2, -1, -3]}


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


@pytest.fixture
def tree(tmp_path):
    """A test set in the layout of mt-metrics-eval: both references are systems, the last segment is not judged."""
    files = {"sources/en-de.txt": lines("abcd"), "documents/en-de.docs": lines(["news a"] * 4)}
    for name, texts in REFERENCES.items():
        files |= {f"references/en-de.{name}.txt": lines(texts), f"system-outputs/en-de/{name}.txt": lines(texts)}
    files |= {f"system-outputs/en-de/{name}.txt": lines(texts) for name, texts in SYSTEMS.items()}
    files["human-scores/en-de.mqm.seg.score"] = lines(f"{n}\t{value}" for n, of in JUDGED.items() for value in of)
    files["metric-scores/en-de/COMET-refA.seg.score"] = lines(f"{n}\t{v}" for n, of in SCORED.items() for v in of)
    for path, text in files.items():
        (tmp_path / "set" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "set" / path).write_text(text, encoding="utf-8")
    return "set"


@pytest.fixture
def plain(tmp_path):
    """The same systems, a reference and a table of judgements as files of their own."""
    for name, texts in (*SYSTEMS.items(), ("ref", REFERENCES["refA"])):
        (tmp_path / f"{name}.txt").write_text(lines(texts), encoding="utf-8")
    rows = [
        f"{name}\t{segment}\t{value}"
        for name in ("good", "fair", "poor")
        for segment, value in enumerate(JUDGED[name], start=1)
        if value is not None
    ]
    (tmp_path / "judged.tsv").write_text(lines(["system\tsegment\tmqm", *rows]), encoding="utf-8")
    return ["good.txt", "fair.txt", "poor.txt", "unjudged.txt", "-r", "ref.txt", "--judgements", "judged.tsv"]


@pytest.fixture
def answer(bleuscope):
    """What the command prints as JSON, and what it says beside that."""

    def run(*arguments):
        code, out, err = bleuscope("agreement", *arguments, "--trials", "200", "--format", "json")
        assert code == 0, err
        return json.loads(out), err

    return run


class TestTree:
    def test_gives_every_statistic_of_the_judged_systems(self, answer, tree):
        found, _ = answer("--mtme", tree, "--language-pair", "en-de", "--judgement", "mqm", "--metric", "COMET-refA")
        assert list(found) == ["judgement", "facts", "systems", "metrics"]
        assert (found["judgement"], found["systems"]) == ("mqm", ["fair", "good", "poor", "refB"])
        assert [metric["name"] for metric in found["metrics"]] == ["BLEU", "chrF2", "COMET-refA"]
        assert all(list(metric) == KEYS for metric in found["metrics"])

    def test_correlates_what_is_reported_with_the_mean_judgement(self, answer, tree):
        found, _ = answer("--mtme", tree)
        texts = SYSTEMS | REFERENCES
        reported = [BLEU().corpus_score(texts[name], [REFERENCES["refA"]]).score for name in found["systems"]]
        means = [sum(JUDGED[name][:3]) / 3 for name in found["systems"]]
        bleu = found["metrics"][0]
        assert bleu["pearson"] == pytest.approx(stats.pearsonr(means, reported).statistic)
        assert bleu["kendall"] == pytest.approx(stats.kendalltau(means, reported).statistic)
        assert bleu["pairs"] == math.comb(4, 2)

    def test_says_that_the_reference_is_left_out(self, answer, tree):
        for reference, other in (("refA", "refB"), ("refB", "refA")):
            found, said = answer("--mtme", tree, "--reference", reference)
            assert other in found["systems"]
            assert reference not in found["systems"]
            assert (
                f"bleuscope: {reference} is the metrics' reference, so it is not among the judged systems: "
                "it would score 100."
            ) in said

    def test_takes_several_references(self, answer, tree):
        found, _ = answer("--mtme", tree, "-r", "refA", "-r", "refB")
        assert found["systems"] == ["fair", "good", "poor"]

    def test_takes_what_was_published_for_systems(self, answer, tree, tmp_path):
        """A metric's number that is no mean of its segments has no soft pairwise accuracy."""
        published = {"good": 1, "fair": 2, "poor": 3, "refB": 5}
        path = tmp_path / "set/metric-scores/en-de/COMET-refA.sys.score"
        path.write_text(lines(f"{name}\t{value}" for name, value in published.items()))
        judged = tmp_path / "set/human-scores/en-de.mqm.sys.score"
        judged.write_text(lines(f"{name}\t{value}" for name, value in published.items()))
        found, said = answer("--mtme", tree, "--metric", "COMET-refA")
        comet = found["metrics"][2]
        assert (comet["pearson"], comet["pairs_agree"], comet["spa"]) == (pytest.approx(1), 6, None)
        assert "COMET-refA: what is reported for systems is no mean of its segments" in said

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (
                ["--metric", "BLEURT"],
                "Option --metric: there is no metric of this name (found 'BLEURT', expected COMET",
            ),
            (["--judgement", "esa"], "Option --judgement: there are no judgements of this name (found 'esa', expected"),
            (
                ["-r", "refC"],
                "Option --reference: there is no reference of this name (found 'refC', expected refA, refB",
            ),
            (["-l", "de-en"], "Option language pair: this value is not accepted (found 'de-en', expected en-de)"),
            (["good.txt"], "Option --mtme: what to read is named twice (found files next to it, expected one of both)"),
        ],
    )
    def test_refuses_names_that_nothing_has(self, bleuscope, tree, arguments, text):
        code, out, err = bleuscope("agreement", "--mtme", tree, *arguments)
        assert (code, out) == (2, "")
        assert text in err

    def test_has_tables_of_systems_pairs_and_neighbours(self, bleuscope, tree):
        code, out, _ = bleuscope("agreement", "--mtme", tree, "--trials", "99", "--format", "markdown")
        assert code == 0
        assert "| metric | pairs agree | of | SPA " in out
        assert "mqm has judgements of 4 systems in 3 segments (mean of raters). Metrics score all 4 segments." in out
        assert "| poor " in out
        numbers_of_rows = {"pairs": 12, "neighbours": 3, "systems": 4, "metrics": 2, "sizes": 6, "side-by-side": 4}
        for table, n_rows in numbers_of_rows.items():
            code, out, _ = bleuscope("agreement", "--mtme", tree, "--trials", "9", "--table", table, "-f", "json")
            found = json.loads(out)
            assert (code, len(found[table]), found["facts"]["seed"]) == (0, n_rows, 12345)


class TestPlainFiles:
    def test_give_the_same_as_a_tree_of_them(self, answer, plain, tree, tmp_path):
        for path in tmp_path.glob("set/*/en-de*/ref*.txt"):
            if path.parent.parent.name == "system-outputs":
                path.unlink()
        of_files, _ = answer(*plain)
        judged = {name: of for name, of in JUDGED.items() if name not in REFERENCES}
        scores = tmp_path / "set/human-scores/en-de.mqm.seg.score"
        scores.write_text(lines(f"{name}\t{value}" for name, of in judged.items() for value in of))
        of_tree, _ = answer("--mtme", tree)
        assert sorted(of_files["systems"]) == of_tree["systems"]
        for one, other in zip(of_files["metrics"], of_tree["metrics"], strict=True):
            for key in ("name", "pairs_agree", "outliers"):
                assert one[key] == other[key]
            for key in ("pearson", "segment_kendall", "tied_accuracy"):
                assert one[key] == pytest.approx(other[key])

    def test_take_scores_of_other_metrics_and_z_scores(self, answer, plain, tmp_path):
        rows = [
            f"{name}\t{segment}\t{segment + len(name)}" for name in ("good", "fair", "poor") for segment in (1, 2, 3)
        ]
        (tmp_path / "scores.tsv").write_text(lines(["system\tsegment\tlengths", *rows]))
        found, said = answer(*plain, "--scores", "scores.tsv", "--average", "z", "--judged-segments")
        lengths = found["metrics"][2]
        assert (lengths["name"], lengths["pearson"], lengths["segment_kendall"] is not None) == ("lengths", None, True)
        assert said.count("bleuscope: ") == 1  # on Japanese

    def test_say_who_judged_and_where_raters_differ(self, bleuscope, plain, tmp_path):
        """Anna finds errors everywhere, Wang in one output alone; Mei judged nothing that they judged."""
        said = [
            ("anna", "good", 0, "minor"),
            ("anna", "fair", 0, "major"),
            ("王", "good", 0, "no-error"),
            ("王", "fair", 0, "minor"),
            ("梅", "poor", 3, "major"),
        ]
        texts = SYSTEMS | {"source": list("abcd")}
        rows = [
            "\t".join([name, "doc", "1", str(at + 1), rater, texts["source"][at], texts[name][at], "Style", severity])
            for rater, name, at, severity in said
        ]
        heading = "\t".join(["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"])
        (tmp_path / "mqm.tsv").write_text(lines([heading, *rows]), encoding="utf-8")
        command = ["agreement", *plain[:-1], "mqm.tsv", "--trials", "9", "-f", "json", "--table"]

        def table(name, *more):
            code, out, err = bleuscope(*command, name, *more)
            assert code == 0, err
            return json.loads(out)

        raters = table("raters")["raters"]
        assert [(one["rater"], one["n_outputs"], one["n_alone"], one["mean"]) for one in raters] == [
            ("anna", 2, 0, -3),
            ("王", 2, 0, -0.5),
            ("梅", 1, 1, -5),
        ]
        assert [(one["pairs_agree"], one["n_pairs"]) for one in raters] == [(1, 1), (1, 1), (0, 0)]
        disputed = table("disputed", "--mqm-weights", "google,major=10")
        assert disputed["facts"]["mqm_weights"] == "google, major=10"
        first = disputed["disputed"][0]
        assert (first["segment"], first["system"], first["low"], first["lowest"]) == ("1", "fair", -10, "anna")
        code, _, err = bleuscope(*command, "raters", "--mqm-weights", "huge")
        assert (code, "Option weights of errors: this value is not accepted (found 'huge'" in err) == (2, True)

    def test_of_penalties_are_turned(self, answer, plain, tmp_path):
        of_scores, _ = answer(*plain)
        table = (tmp_path / "judged.tsv").read_text()
        (tmp_path / "judged.tsv").write_text(table.replace("\t-", "\t"))
        of_penalties, _ = answer(*plain, "--penalties")
        assert of_penalties == of_scores

    def test_leave_a_system_out_that_is_the_reference_word_for_word(self, answer, plain, tmp_path):
        (tmp_path / "poor.txt").write_text(lines(REFERENCES["refA"]))
        found, said = answer(*plain)
        assert found["systems"] == ["good", "fair"]
        assert "poor is the metrics' reference, so it is not among the judged systems" in said
        assert "Only two systems were judged, so there is no correlation." in said

    def test_of_other_names_are_those_that_people_say(self, answer, plain, tmp_path):
        found, _ = answer(*plain)
        table = (tmp_path / "judged.tsv").read_text().replace("good\t", "first|one\t")
        (tmp_path / "judged.tsv").write_text(table)
        said, _ = answer(*plain, "--system-name", "first|one=good.txt")
        assert said == found
        _, err = answer(*plain)
        assert "of 'first|one', as no system of the test set is called so" in err

    def test_without_judgements_are_refused(self, bleuscope, plain):
        code, _, err = bleuscope("agreement", *plain[:-2])
        assert (code, "The files: there are no judgements (expected --judgements FILE, or --mtme FOLDER)" in err) == (
            2,
            True,
        )
        code, _, err = bleuscope("agreement", *plain, "--metric", "COMET-refA")
        assert (code, "Option --metric: there is no test set of mt-metrics-eval" in err) == (2, True)


class TestReport:
    def test_holds_people_against_metrics_where_judgements_are_named(self, bleuscope, plain):
        arguments = [*plain, "--trials", "99", "--resamples", "99", "-f", "markdown", "--without", "segments"]
        code, out, err = bleuscope("report", *arguments)
        assert code == 0, err
        said = out.replace("\\", "")
        assert "**BLEU** orders 3 of 3 pairs of systems as mqm does." in said
        assert "There are no errors that people marked." in said
        assert "(mqm, mean of raters; 3 systems, 3 segments)" in said
        assert "## Does the order hang" not in said

    def test_says_what_it_takes_where_one_system_was_judged(self, bleuscope, plain, tmp_path):
        (tmp_path / "judged.tsv").write_text("system\tsegment\tmqm\ngood\t1\t-2\n", encoding="utf-8")
        code, out, err = bleuscope("report", *plain, "--trials", "99", "--resamples", "99", "-f", "markdown")
        assert code == 0
        why = "Judgements mqm: there is nothing to agree about (found judgements of good alone, expected"
        assert (why in err, why in out) == (True, True)

    def test_counts_what_is_marked_by_system(self, bleuscope, plain, tmp_path):
        rating = {"errors": [{"start": 4, "end": 9, "category": "Style", "severity": "major", "score": 5}]}
        rows = [f"good\t{json.dumps(rating)}\trater", *["good\tNone\trater"] * 3]
        (tmp_path / "en-de.mqm.seg.rating").write_text(lines(rows), encoding="utf-8")
        asked = ["--judgements", "en-de.mqm.seg.rating", "--without", "validity", "--pair", "fair", "good"]
        code, out, err = bleuscope("report", *plain, *asked, "--trials", "99", "--resamples", "99", "-f", "markdown")
        assert code == 0, err
        assert "### Marked tokens of good by category" in out
        assert "Do people agree?" not in out

    def test_is_never_written_over_the_judgements(self, bleuscope, plain):
        words = ["judged" if word == "judged.tsv" else word for word in plain]
        Path("judged").write_bytes(Path("judged.tsv").read_bytes())
        code, _, err = bleuscope("report", *words, "-o", "judged")
        assert code == 2
        assert "it is one of the files to read (found judged)" in err
