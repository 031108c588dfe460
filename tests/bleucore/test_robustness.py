"""References and settings varied: sacreBLEU as oracle, cases by hand, properties, and a real test set's numbers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.bleu import scores
from bleucore.metrics.bleu_counts import statistics, statistics_by_choice
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.metrics.ter import TerOptions
from bleucore.robustness.counted_choices import counts_by_choice
from bleucore.robustness.references import ONE_REFERENCE, DrawOptions, single_reference_draws, study_references
from bleucore.robustness.sensitivity import ALL_REFERENCES, MEAN, MOST_SETTINGS, sensitivity
from bleucore.significance import ComparedSystems, SignificanceOptions, compare

SHARED = Path(__file__).parents[2].parent / "shared" / "data" / "wmt22-de-en"
FEW = SignificanceOptions(trials=200, resamples=50)

A = [
    "The cat sat on the mat .",
    "She did not go home yesterday .",
    "Привет , как твои дела сегодня ?",
    "It is so .",
] * 3
B = ["A cat was on the mat .", "Yesterday she did not go home .", "Здравствуй , как дела у тебя ?", "That is so ."] * 3
NEAR_A = ["The cat sat on a mat .", "She did not go home today .", "Привет , как твои дела ?", "It is so ."] * 3
NEAR_B = ["A cat was on a mat .", "Yesterday she did not go out .", "Здравствуй , как дела ?", "That is so ."] * 3
MIXED = ["The cat was on the mat .", "Yesterday she went home .", "Привет , как дела у тебя ?", "THAT is it ."] * 3
DOCUMENTS = [f"d{index // 4}" for index in range(12)]


@pytest.fixture(scope="module")
def texts():
    systems = [System("a", NEAR_A), System("b", NEAR_B), System("m", MIXED)]
    source = [f"line {index}" for index in range(12)]  # or rows with the same references would be one item
    return TestSet(systems, [A, B], source, documents=DOCUMENTS, reference_names=["A", "B"])


@pytest.fixture(scope="module")
def study(texts):
    return study_references(texts, significance=FEW, draws=DrawOptions(n=20, seed=1))


def subset(found, *names):
    return next(one for one in found.subsets if one.references == names)


class TestCounts:
    def test_counts_with_some_references_are_those_of_a_test_set_with_these(self, texts):
        options = BleuOptions()
        ((of_a, of_b, of_both),) = statistics_by_choice(texts, [options], [(0,), (1,), (0, 1)])
        for counts, references in ((of_a, [A]), (of_b, [B]), (of_both, [A, B])):
            alone = statistics(TestSet(texts.systems, references), options)
            assert all(np.array_equal(*both) for both in zip(counts, alone, strict=True))

    def test_a_segment_without_the_reference_counts_nothing(self, make_test_set):
        test_set = make_test_set([["a b", "a b"]], [["a b", "a c"], [None, "a b"]])
        for how in ("closest", "shortest", "average"):
            options = BleuOptions(reference_length=how, totals_at_least_one=True)
            ((_, ((nothing, counted),)),) = statistics_by_choice(test_set, [options], [(0,), (1,)])
            assert not nothing.any()
            assert counted[0] == 2


class TestReferences:
    def test_scores_of_every_choice_are_sacrebleus(self, study, texts, sacrebleu_metric):
        columns = dict(zip("AB", (A, B), strict=True))
        for one in study.subsets:
            references = [columns[name] for name in one.references]
            for system, score in zip(texts.systems, one.scores, strict=True):
                oracle = sacrebleu_metric(BleuOptions()).corpus_score(list(system.hypotheses), references)
                assert score == pytest.approx(oracle.score, abs=1e-9)

    def test_each_reference_prefers_what_is_near_it(self, study):
        assert [flip.ahead for flip in subset(study, "B").flips if flip.behind == "b"]
        assert study.base == ("A", "B")
        assert study.base_subset.flips == ()
        assert study.base_subset.tau_b == 1

    def test_the_mean_of_single_references_is_the_mean(self, study):
        assert study.mean.scores == pytest.approx(np.mean([one.scores for one in study.singles], axis=0))

    def test_a_flip_that_both_sides_mean_is_significant(self, texts):
        independent = replace(texts, documents=None)
        found = study_references(independent, base=["A"], significance=SignificanceOptions(unit="segment"))
        flips = {(flip.ahead, flip.behind): flip for flip in subset(found, "B").flips}
        flip = flips["a", "b"]
        assert flip.base_difference > 0 > flip.difference
        assert flip.base_p < 0.05
        assert flip.p_value < 0.05
        assert flip.is_significant
        assert subset(found, "B").significant_flips >= 1

    def test_no_flip_by_segment_is_significant_where_documents_are_known(self, texts):
        by_segment = SignificanceOptions(unit="segment")
        flips = {}
        for documents in (texts.documents, None):
            known = replace(texts, documents=documents)
            found = study_references(known, base=["A"], significance=by_segment)
            flips[documents] = {(flip.ahead, flip.behind): flip for flip in subset(found, "B").flips}["a", "b"]
        known, unknown = flips.values()
        assert (known.base_p, known.p_value) == (unknown.base_p, unknown.p_value)
        assert (known.is_significant, unknown.is_significant) == (False, True)

    @pytest.mark.parametrize("unit", ["document", "segment"])
    def test_copies_of_a_test_set_have_the_draws_of_the_original(self, texts, unit):
        options = BleuOptions(max_order=2)  # or smoothing depends on the number of segments
        copies = TestSet(
            [System(one.name, one.hypotheses * 4) for one in texts.systems],
            [column * 4 for column in texts.references],
            texts.source * 4,
            documents=[f"{document} {copy}" for copy in range(4) for document in texts.documents],
        )
        found = []
        for test_set in (texts, copies):
            ((of_a, of_b),) = statistics_by_choice(test_set, [options], [(0,), (1,)])
            found.append(single_reference_draws(test_set, [of_a, of_b], options, DrawOptions(unit, 30, 7)))
        assert found[1] == pytest.approx(found[0])

    def test_draws_of_one_reference_are_gathered_and_summed(self, texts):
        options, draws = BleuOptions(), DrawOptions("segment", 5, 7)
        ((of_a, of_b),) = statistics_by_choice(texts, [options], [(0,), (1,)])
        found = single_reference_draws(texts, [of_a, of_b], options, draws)
        picked = np.random.default_rng(7).integers(2, size=(5, 12))
        for scored, pick in zip(found, picked, strict=True):
            references = [[(A, B)[which][row] for row, which in enumerate(pick)]]
            alone = evaluate(TestSet(texts.systems, references))
            assert scored == pytest.approx([alone.systems[name].score.score for name in "abm"])

    def test_a_document_has_one_reference(self, texts):
        options = BleuOptions()
        ((of_a, of_b),) = statistics_by_choice(texts, [options], [(0,), (1,)])
        found = single_reference_draws(texts, [of_a, of_b], options, DrawOptions("document", 30, 7))
        picked = np.random.default_rng(7).integers(2, size=(30, 3))
        always_a = int(np.flatnonzero((picked == 0).all(axis=1))[0])
        assert found[always_a] == pytest.approx(scores(np.array([counts.sum(axis=0) for counts in of_a]), options))

    def test_shares_of_matches_and_lengths_by_hand(self):
        test_set = TestSet([System("s", ["a b c d", "x y"])], [["a b e e e", "x y"], ["c d", "x y"]])
        found = study_references(test_set, BleuOptions(max_order=2), significance=FEW).shares
        assert found.matches.tolist() == [[6, 3]]
        assert found.only.tolist() == [[[2, 1]], [[2, 1]]]
        assert found.several.tolist() == [[2, 1]]
        assert found.lengths.tolist() == [[1], [0]]

    @pytest.mark.parametrize("options", [ChrfOptions(), TerOptions()], ids=lambda one: one.name)
    def test_another_metric_scores_every_choice_as_its_test_set_would(self, texts, options):
        found = study_references(texts, options, significance=FEW, draws=DrawOptions(n=5))
        columns = dict(zip("AB", (A, B), strict=True))
        for one in found.subsets:
            alone = evaluate_metric(TestSet(texts.systems, [columns[name] for name in one.references]), options)
            assert one.scores == pytest.approx([alone.systems[name].score for name in "abm"])
        assert found.shares is None
        ahead = {
            flip.ahead for flip in subset(study_references(texts, options, base=["A"], significance=FEW), "B").flips
        }
        assert "a" in ahead
        assert "b" not in ahead

    def test_a_metric_of_errors_ranks_the_lowest_first(self, texts):
        found = study_references(texts, TerOptions(), base=["A"], significance=FEW)
        assert found.base_subset.scores.argmin() == 0
        assert found.gains(found.base_subset.scores).argmax() == 0
        assert found.held_out[0].rank == 1 + sum(score < found.held_out[0].score for score in found.held_out[0].scores)
        assert all(flip.base_difference > 0 > flip.difference for flip in subset(found, "B").flips)

    def test_a_segment_without_the_reference_counts_nothing_in_any_metric(self, make_test_set):
        test_set = make_test_set([["a b", "a b"]], [["a b", "a c"], [None, "a b"]])
        for options in (BleuOptions(), ChrfOptions(), TerOptions()):
            nothing, counted = counts_by_choice(test_set, options, [(0,), (1,)])[(1,)][0]
            assert not nothing.any()
            assert counted.any()

    def test_what_was_read_from_a_file_hangs_on_no_reference(self, texts):
        scores = SegmentScores("COMET", "c.tsv", {"a": SystemScores(np.array([1]), np.array([0.5]), np.array([2]))})
        for study in (study_references, sensitivity):
            with pytest.raises(InputError, match="the same with every reference and setting"):
                study(texts, scores)

    def test_systems_and_references_are_near_to_what_they_share_most_with(self, study, texts):
        near = study.nearness
        of_a = evaluate(TestSet([*texts.systems, System("B", B)], [A])).systems
        assert near.scores[[0, 1, 2, 4], 0] == pytest.approx([one.score.score for one in of_a.values()])
        assert np.isnan(near.scores[3, 0])
        assert near.nearest.sum(axis=1) == pytest.approx([1, 1, 1])
        assert near.nearest[0].argmax() == 0
        assert near.nearest[1].argmax() == 1

    def test_equally_near_references_share_a_segment(self):
        test_set = TestSet([System("s", ["a b", "c d"])], [["a b", "c d"], ["a b", "x y"]])
        assert study_references(test_set, significance=FEW).nearness.nearest.tolist() == [[0.75, 0.25]]

    def test_intervals_are_those_of_a_comparison_with_these_references(self, texts):
        first, second = ([f"{line} {place}" for place, line in enumerate(column)] for column in (A, B))
        apart = TestSet(texts.systems, [first, second], reference_names=["A", "B"])
        study = study_references(apart, significance=FEW)
        for one, references in ((subset(study, "B"), [second]), (study.base_subset, [first, second])):
            bleu = evaluate(TestSet(texts.systems, references)).bleu
            compared = compare(
                ComparedSystems([(name, bleu.systems[name].counts) for name in "abm"], bleu.draw_scores_of), FEW
            )
            assert one.intervals == pytest.approx(np.array([compared.intervals[name] for name in "abm"]))

    def test_rows_that_repeat_are_resampled_as_items(self, texts):
        study = study_references(replace(texts, documents=None, source=None), significance=FEW)
        assert np.isnan(study.base_subset.intervals).all()  # four items, three times each

    def test_few_documents_have_no_intervals_and_no_significant_flips(self, study):
        assert np.isnan(study.base_subset.intervals).all()
        assert not any(flip.is_significant for one in study.subsets for flip in one.flips)

    def test_a_person_is_scored_as_the_systems_are(self, study):
        first, second = study.held_out
        assert (first.reference, first.against) == ("A", ("B",))
        assert first.scores == pytest.approx(subset(study, "B").scores)
        assert second.rank == 1 + sum(score > second.score for score in second.scores)

    def test_copies_of_a_reference_change_nothing(self, texts):
        same = replace(texts, references=[A, A, A], reference_names=None, reference_files=None)
        found = study_references(same, significance=FEW)
        assert len(found.subsets) == 7
        assert all(one.scores == pytest.approx(found.subsets[0].scores) and not one.flips for one in found.subsets)
        assert found.draws.stability.full_order_share == 1
        assert not found.shares.only.any()
        assert [one.size for one in found.growth()] == [1, 2, 3]

    def test_further_references_never_take_matches_away(self, texts):
        options = BleuOptions()
        ((of_a, of_both),) = statistics_by_choice(texts, [options], [(0,), (0, 1)])
        matched = slice(2, 6)
        assert all((both[:, matched] >= one[:, matched]).all() for one, both in zip(of_a, of_both, strict=True))

    def test_one_reference_says_what_another_would_tell(self, texts):
        alone = replace(texts, references=[A], reference_names=["A"], reference_files=None)
        found = study_references(alone, significance=FEW)
        assert found.notices == (ONE_REFERENCE,)
        assert (found.mean, found.shares, found.held_out) == (None, None, ())
        assert found.draws.stability.full_order_share == 1

    def test_a_reference_with_gaps_scores_nothing_alone(self, texts):
        gaps = replace(texts, references=[A, [None, *B[1:]]])
        found = study_references(gaps, significance=FEW)
        assert [one.references for one in found.subsets] == [("A",), ("A", "B")]
        assert found.notices == ("Reference B lacks 1 segment: alone it scores no system, nor is it scored as one.",)
        with pytest.raises(InputError, match="the segment has no reference of the base"):
            study_references(gaps, base=["B"])

    def test_of_many_references_some_choices_are_drawn(self, texts):
        many = replace(texts, references=[A, B] * 4, reference_names=None, reference_files=None)
        found = study_references(many, significance=FEW, draws=DrawOptions(n=2))
        sizes = {len(one.references) for one in found.subsets}
        assert sizes == set(range(1, 9))
        assert len(found.subsets) < 60
        assert "Not every subset of" in found.notices[-1]

    def test_what_cannot_be_drawn_is_refused(self, texts):
        with pytest.raises(InputError, match="Option draws"):
            DrawOptions(n=0)
        with pytest.raises(InputError, match="no documents"):
            study_references(replace(texts, documents=None), draws=DrawOptions("document"))
        with pytest.raises(InputError, match="no reference of this name"):
            study_references(texts, base=["C"])


class TestSensitivity:
    def test_every_setting_is_scored_as_sacrebleu_does(self, texts, sacrebleu_metric):
        found = sensitivity(texts, significance=FEW)
        columns = dict(zip("AB", (A, B), strict=True))
        assert len(found.results) == 4 * 2 * 3 * 4
        for result in found.results[::5]:
            oracle = sacrebleu_metric(result.setting.options)
            references = [columns[name] for name in result.setting.references]
            for system, score in zip(texts.systems, result.scores, strict=True):
                expected = oracle.corpus_score(list(system.hypotheses), references).score
                assert score == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("options", [ChrfOptions(), TerOptions()], ids=lambda one: one.name)
    def test_another_metric_is_varied_in_what_it_has(self, texts, options):
        found = sensitivity(texts, options, significance=FEW)
        assert [axis.name for axis in found.axes] == ["case", "references"]
        assert len({tuple(one.scores) for one in found.results}) > 3
        columns = dict(zip("AB", (A, B), strict=True))
        for one in found.results:
            alone = TestSet(texts.systems, [columns[name] for name in one.setting.references])
            evaluated = evaluate_metric(alone, one.setting.options)
            assert one.scores == pytest.approx([evaluated.systems[name].score for name in "abm"])
        best = found.base.scores.argmax() if options == ChrfOptions() else found.base.scores.argmin()
        assert found.ranks()[0].argmin() == best
        with pytest.raises(InputError, match="has no such setting"):
            sensitivity(texts, options, {"tokenizer": ["13a"]})

    def test_the_present_setting_comes_first_and_turns_nothing_round(self, texts):
        found = sensitivity(texts, BleuOptions("intl", smoothing="add-k"), {"case": ["lower"]}, significance=FEW)
        assert found.base.setting.options == BleuOptions("intl", smoothing="add-k")
        assert found.base.flips == ()
        assert found.axes[0].values == ("mixed", "lower")

    def test_smoothings_that_give_the_same_are_counted_once(self, texts):
        found = sensitivity(texts, axes={"smoothing": ["exp", "floor", "add-k", "none"]}, significance=FEW)
        assert found.axes[0].repeats == (None, 0, None, 0)
        assert [result.setting.options.smoothing for result in found.counted] == ["exp", "add-k"]

    def test_systems_that_differ_in_case_alone_flip_along_case_alone(self):
        shouted = TestSet([System("as is", NEAR_A), System("loud", [text.upper() for text in A])], [A])
        axes = {"tokenizer": ["13a", "char"], "case": ["mixed", "lower"]}
        found = sensitivity(shouted, axes=axes, significance=FEW)
        (pair,) = found.pairs()
        assert (pair.ahead, pair.behind, pair.n_ahead, pair.n_behind) == ("as is", "loud", 2, 2)
        assert (pair.common, pair.covers) == ({"case": "lower"}, True)
        first, second = found.effects()
        assert (first.axis, first.flips, first.share) == ("case", 1.0, 1.0)
        assert (second.axis, second.flips) == ("tokenizer", 0.0)
        assert [dict(one.setting.values)["case"] for one in found.turning("loud", "as is")] == ["lower", "lower"]

    def test_the_mean_of_references_is_one_more_way_to_use_them(self, texts, study):
        found = sensitivity(texts, axes={"references": [MEAN, "B"]}, significance=FEW)
        assert found.axes[0].values == (ALL_REFERENCES, MEAN, "B")
        of_mean = found.results[1]
        assert of_mean.setting.is_mean
        assert of_mean.scores == pytest.approx(study.mean.scores)

    def test_a_filter_scores_what_it_keeps(self, texts):
        kept = np.array(DOCUMENTS) != "d0"
        found = sensitivity(texts, axes={"filter": ["without d0"]}, filters={"without d0": kept}, significance=FEW)
        rows = [row for row, is_kept in enumerate(kept) if is_kept]
        part = TestSet(
            [System(one.name, [one.hypotheses[row] for row in rows]) for one in texts.systems],
            [[column[row] for row in rows] for column in (A, B)],
        )
        assert found.results[1].scores == pytest.approx([one.score.score for one in evaluate(part).systems.values()])
        with pytest.raises(InputError, match="keeps no segment"):
            sensitivity(texts, axes={"filter": ["none"]}, filters={"none": np.zeros(12, np.bool_)})

    def test_a_preset_stands_for_all_options(self, texts):
        found = sensitivity(texts, axes={"preset": ["mteval-v13a", "nltk-2"]}, significance=FEW)
        assert [result.setting.options.lowercase for result in found.results] == [False, "ascii", False]

    def test_shares_of_ranks_are_those_of_settings(self, texts):
        found = sensitivity(texts, significance=FEW)
        assert found.rank_shares().sum(axis=0).sum() == pytest.approx(3)
        assert found.ranks().shape == (len(found.counted), 3)

    def test_what_is_no_value_is_refused(self, texts):
        with pytest.raises(InputError, match="no value of the axis tokenizer"):
            sensitivity(texts, axes={"tokenizer": ["14a"]})
        with pytest.raises(InputError, match="lack this reference"):
            sensitivity(replace(texts, references=[A, [None, *B[1:]]]), axes={"references": ["B"]})
        many = {str(index): np.ones(12, np.bool_) for index in range(MOST_SETTINGS)}
        with pytest.raises(InputError, match="too many settings"):
            sensitivity(texts, axes={"filter": list(many)}, filters=many)


@pytest.fixture(scope="module")
def real(texts):
    if not SHARED.exists():
        return texts
    systems = [System(path.name.split(".")[-2], lines(path)) for path in sorted(SHARED.glob("*.hyp.*"))]
    references = [lines(path) for path in sorted(SHARED.glob("*.ref.*"))]
    return TestSet(systems, references, reference_names=["A", "B"])


@pytest.mark.thorough
class TestRealTestSet:
    """Numbers of WMT22 German-English, where it lies beside the project; else the same questions to a small set."""

    def test_references_turn_pairs_round(self, real):
        found = study_references(real, draws=DrawOptions("segment", 50, 0))
        flips = [(len(one.flips), one.significant_flips) for one in found.subsets]
        if not SHARED.exists():
            assert flips[-1] == (0, 0)
            return
        scored = [np.round(one.scores, 2).tolist() for one in found.subsets]
        assert scored[0] == [33.70, 26.01, 33.45, 33.29, 33.25, 33.65, 32.56, 32.90, 32.51]
        assert scored[1] == [35.84, 30.93, 36.97, 37.15, 36.64, 36.46, 35.95, 36.32, 36.63]
        assert scored[2] == [49.33, 40.35, 50.14, 50.15, 49.74, 49.67, 48.80, 49.35, 49.18]
        assert flips == [(10, 0), (4, 0), (0, 0)]
        stability = found.draws.stability
        assert (stability.flips_mean, stability.flips.max(), stability.full_order_share) == (5.38, 9, 0)
        of_a = subset(study_references(real, base=["A"], draws=DrawOptions(n=1)), "B").flips
        assert len(of_a) == 14
        (meant,) = (flip for flip in of_a if flip.is_significant)
        assert (meant.ahead, meant.behind) == ("JDExploreAcademy", "PROMT")
        assert (round(meant.base_difference, 2), round(meant.difference, 2)) == (1.19, -0.78)

    def test_settings_turn_pairs_round(self, real):
        axes = {"tokenizer": ["13a", "intl", "char", "none"], "case": ["mixed", "lower"], "references": ["A", "B"]}
        found = sensitivity(real, axes=axes)
        flips = {tuple(result.setting.values.values()): len(result.flips) for result in found.results}
        if not SHARED.exists():
            assert flips["13a", "mixed", ALL_REFERENCES] == 0
            return
        known = {
            ("13a", "mixed", "A"): 10,
            ("intl", "mixed", "A"): 13,
            ("char", "mixed", "A"): 7,
            ("13a", "mixed", "B"): 4,
            ("char", "mixed", "B"): 7,
            ("intl", "mixed", ALL_REFERENCES): 1,
            ("char", "mixed", ALL_REFERENCES): 5,
            ("none", "mixed", ALL_REFERENCES): 5,
            ("none", "lower", ALL_REFERENCES): 6,
        }
        assert known.items() <= flips.items()
        assert [effect.axis for effect in found.effects()] == ["references", "tokenizer", "case"]


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]
