"""Versions of a system in order: the best of them and its luck, alarms, marks of difference, what changed."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bleucore import BleuOptions, ChrfOptions, InputError, System, TerOptions, TestSet
from bleucore.evaluation import evaluate_metric
from bleucore.history import (
    AlarmOptions,
    best_version,
    changes_between,
    choice,
    online_levels,
    segment_strips,
    version_history,
    versions,
)
from bleucore.history.all_pairs import all_pairs
from bleucore.significance import ComparedSystems, SignificanceOptions, bootstrap, compare, holm
from bleucore.written_numbers import count

FEW = SignificanceOptions(trials=400, resamples=200, seed=7, unit="segment")
BY_UNIT = replace(FEW, unit="auto")
WORDS = [
    "Haus",
    "Baum",
    "猫",
    "犬",
    "كتاب",
    "läuft",
    "sehr",
    "schnell",
    "über",
    "die",
    "Straße",
    "und",
    "kommt",
    "nicht",
    "zurück",
    ",",
    "sagt",
    "er",
    ".",
]


def mean(counts):
    """The simplest score of summed counts: [sum, number]."""
    return counts[..., 0] / counts[..., 1]


def columns(values):
    """Values (K, S) as counts of named versions."""
    return [
        (f"v{number}", np.stack([column, np.ones(len(column))], axis=1))
        for number, column in enumerate(np.asarray(values, np.float64))
    ]


def of(values, **other):
    """Versions with these values (K, S), scored by their mean."""
    return ComparedSystems(columns(values), mean, **other)


def noise(n_versions, n_segments, seed=1):
    return np.random.default_rng(seed).normal(size=(n_versions, n_segments))


@pytest.fixture(scope="module")
def test_set():
    """Six versions that lose ever more words of 60 lines; two of them are the same."""
    rng = np.random.default_rng(4)
    reference = [" ".join(rng.choice(WORDS, 12)) for _ in range(60)]

    def lossy(share):
        return [" ".join(word for word in line.split() if rng.random() > share) for line in reference]

    made = [lossy(share) for share in (0.3, 0.2, 0.21, 0.2, 0.35)]
    made.insert(3, made[2])
    return TestSet([System(f"step-{number}", texts) for number, texts in enumerate(made)], [reference])


@pytest.fixture(scope="module", params=[BleuOptions(), TerOptions(), ChrfOptions()], ids=["bleu", "ter", "chrf"])
def compared(request, test_set):
    metric = evaluate_metric(test_set, request.param)
    return ComparedSystems(
        [(name, result.counts) for name, result in metric.systems.items()],
        metric.draw_scores_of,
        metric.higher_is_better,
        single_precision=True,
    )


class TestBestVersion:
    def test_optimism_is_what_choosing_again_loses_out_of_bag(self):
        """By loops: on each resample choose, then score what was left out."""
        values = noise(4, 12) + np.array([[0.0], [0.3], [0.5], [0.4]])
        said = best_version(of(values), FEW)
        chosen = int(values.mean(axis=1).argmax())
        losses = []
        for drawn in np.random.default_rng(7).integers(0, 12, size=(200, 12)):
            again = int(values[:, drawn].mean(axis=1).argmax())
            left = [segment for segment in range(12) if segment not in drawn]
            if left:
                losses.append(values[chosen, left].mean() - values[again, left].mean())
        assert said.chosen == chosen
        assert said.optimism == pytest.approx(np.mean(losses))
        assert said.corrected_score == pytest.approx(values[chosen].mean() - np.mean(losses))
        assert said.n_left_out == 200 - len(losses)

    def test_is_the_same_whatever_way_the_metric_points(self):
        values = noise(5, 40)
        up, down = best_version(of(values), FEW), best_version(of(-values, higher_is_better=False), FEW)
        assert (up.chosen, up.optimism) == (down.chosen, pytest.approx(down.optimism))
        assert up.corrected_score == pytest.approx(-down.corrected_score)
        assert up.corrected_score < up.score
        assert down.corrected_score > down.score
        assert up.shrunken == pytest.approx(-down.shrunken)
        assert (up.chances_best, down.chances_best) == (None, None)

    def test_that_differs_clearly_has_the_same_chance_whatever_way_the_metric_points(self):
        values = noise(5, 40) + np.array([[0.0], [0.1], [1.0], [0.2], [1.2]])
        up, down = best_version(of(values), FEW), best_version(of(-values, higher_is_better=False), FEW)
        assert up.expected_loss == pytest.approx(down.expected_loss)
        assert up.chances_best == pytest.approx(down.chances_best)
        assert up.chances_best.sum() == pytest.approx(1)

    def test_of_one_is_as_good_as_it_looks(self):
        said = best_version(of(noise(1, 30)), FEW)
        assert (said.optimism, said.expected_loss, said.chances_best.tolist()) == (0, 0, [1])
        assert said.corrected_interval == said.interval

    def test_of_equal_outputs_is_the_earliest_and_all_share_the_chances(self):
        said = best_version(of(np.repeat(noise(1, 30), 4, axis=0)), FEW)
        assert (said.chosen, said.optimism, said.expected_loss) == (0, 0, None)
        assert said.chances_best is None
        assert said.chances_chosen == pytest.approx(0.25)

    def test_of_a_single_segment_has_no_optimism_and_says_why(self):
        said = best_version(of(noise(3, 1)), FEW)
        assert said.reason == "A test needs at least 6 segments, and there is 1."
        assert (said.optimism, said.corrected_score, said.interval, said.corrected_interval) == (None,) * 4

    def test_that_is_clearly_ahead_is_neither_lucky_nor_doubted(self):
        said = best_version(of(noise(3, 200) + np.array([[0.0], [5.0], [0.1]])), FEW)
        assert (said.chosen, said.optimism) == (1, 0)
        assert said.chances_best[1] > 0.99
        assert said.shrunken[1] == pytest.approx(said.score, rel=0.05)

    @pytest.mark.parametrize("n_units", [2, 5])
    def test_of_fewer_than_six_units_says_nothing_of_luck_or_chance(self, n_units):
        values = noise(3, 10 * n_units) + np.array([[0.0], [5.0], [0.1]])
        said = best_version(of(values, documents=np.repeat(np.arange(n_units), 10).astype(str).tolist()), BY_UNIT)
        assert said.reason == f"A test needs at least 6 documents, and there are {n_units}."
        assert (said.optimism, said.interval, said.chances_best, said.expected_loss) == (None,) * 4
        assert (said.name, said.score) == ("v1", pytest.approx(values[1].mean()))

    def test_of_segments_that_depend_on_each_other_has_no_chance_of_being_best(self):
        values = noise(3, 200) + np.array([[0.0], [5.0], [0.1]])
        documents = [str(segment // 10) for segment in range(200)]
        assert best_version(of(values, documents=documents), FEW).chances_best is None
        assert best_version(of(values, documents=documents), BY_UNIT).chances_best[1] > 0.99

    def test_of_versions_without_a_difference_shrinks_to_their_mean(self):
        said = best_version(of(noise(40, 200)), FEW)
        apart, left = np.ptp(said.scores), np.ptp(said.shrunken)
        assert left < 0.4 * apart
        assert said.chances_best is None
        assert said.why_no_chances.startswith("No version is significantly better than another")
        assert 0 < said.optimism < apart

    def test_has_the_interval_of_the_product_and_the_same_one_moved(self):
        systems = of(noise(4, 80))
        said, tested = best_version(systems, FEW), compare(systems, FEW)
        assert said.interval == tested.intervals[said.name]
        assert np.subtract(said.interval, said.corrected_interval) == pytest.approx([said.optimism] * 2)

    def test_draws_documents(self):
        documents = [str(segment // 2) for segment in range(120)]
        values = noise(3, 120)
        said = best_version(of(values, documents=documents), BY_UNIT)
        assert (said.unit, said.n_units) == ("document", 60)
        summed = [(name, counts.reshape(60, 2, 2).sum(axis=1)) for name, counts in columns(values)]
        by_hand = best_version(ComparedSystems(summed, mean), FEW)
        assert said.optimism == pytest.approx(by_hand.optimism)

    def test_takes_resamples_that_are_there_and_refuses_others(self):
        systems = of(noise(3, 30))
        drawn = bootstrap(systems.systems, mean, resamples=200, seed=7)
        assert best_version(systems, FEW, drawn=drawn).optimism == best_version(systems, FEW).optimism
        with pytest.raises(
            InputError, match=r"of another seed \(found 3 versions, seed 8, expected 3 versions, seed 7\)"
        ):
            best_version(systems, FEW, drawn=bootstrap(systems.systems, mean, resamples=200, seed=8))

    def test_does_not_hang_on_how_many_resamples_are_held_at_once(self, monkeypatch):
        systems = of(noise(6, 50))
        whole = best_version(systems, FEW).optimism
        monkeypatch.setattr(choice, "BLOCK_NUMBERS", 350)
        assert best_version(systems, FEW).optimism == pytest.approx(whole, abs=1e-12)


class TestAlarmOptions:
    def test_half_of_the_false_alarms_are_for_either_kind(self):
        options = AlarmOptions(per_100=4)
        assert (options.drop_level, options.decline_level) == (0.02, 0.02)
        assert options.drop_levels(np.ones(3)).tolist() == [0.02] * 3

    def test_of_a_share_raise_no_alarm_for_declines(self):
        options = AlarmOptions(control="share")
        assert (options.drop_level, options.decline_level) == (None, None)

    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [
            (
                "per_100",
                0,
                "Option per_100: this value is not accepted (found 0, expected a number above 0, at most 50)",
            ),
            ("per_100", 51, "Option per_100"),
            ("share", 1, "Option share: this value is not accepted (found 1, expected a number between 0 and 1)"),
            ("window", 0, "Option window: this value is not accepted (found 0, expected a whole number from 1"),
            ("control", "fdr", "Option control: this value is not accepted (found 'fdr', expected rate, share)"),
        ],
    )
    def test_that_mean_nothing_are_refused(self, field, value, said):
        with pytest.raises(InputError) as raised:
            AlarmOptions(**{field: value})
        assert str(raised.value).startswith(said)


class TestOnlineLevels:
    @staticmethod
    def by_formula(p_values, level, lag):
        """As the paper has it, one level after the other."""
        total = 12.65
        gammas = [math.log(max(j, 2)) / (j * math.exp(math.sqrt(math.log(j)))) / total for j in range(1, 200)]
        rejections, levels = [], []
        for t, p_value in enumerate(p_values, start=1):
            known = [r + lag for r in rejections if r + lag < t]
            here = gammas[t - 1] * level / 2
            here += sum((level / 2 if k == 0 else level) * gammas[t - r - 1] for k, r in enumerate(known))
            levels.append(here)
            if p_value <= here:
                rejections.append(t)
        return levels

    @pytest.mark.parametrize("lag", [0, 1, 3])
    def test_are_those_of_the_formula(self, lag):
        p_values = np.random.default_rng(2).random(60) ** 6
        assert online_levels(p_values, 0.2, lag=lag) == pytest.approx(self.by_formula(p_values, 0.2, lag))

    def test_without_a_finding_add_up_to_less_than_half_of_the_share(self):
        levels = online_levels(np.ones(5000), 0.1)
        assert levels.sum() < 0.05
        assert (np.diff(levels[2:]) < 0).all()

    def test_rise_after_a_finding_but_not_at_the_next_test_which_shares_a_version(self):
        found, without = np.ones(10), online_levels(np.ones(10), 0.1)
        found[3] = without[3]
        with_one = online_levels(found, 0.1)
        assert with_one[:5].tolist() == without[:5].tolist()
        assert (with_one[5:] > without[5:]).all()


class TestHistory:
    def test_gives_each_pair_what_a_comparison_of_the_two_gives_it(self, compared):
        history = version_history(compared, FEW)
        for version in history.versions:
            for held in (version.before, version.best_before, version.best):
                if held is None:
                    continue
                two = [compared.systems[version.index], compared.systems[held.index]]
                pair = compare(ComparedSystems(two, compared.score, compared.higher_is_better), FEW).pair(
                    version.name, held.name
                )
                assert held.p_value == pytest.approx(pair.p_value)
                assert held.difference == pytest.approx(pair.difference)
                assert (held.interval is None) == (pair.interval is None)

    @pytest.mark.parametrize("correction", ["max-t", "holm", "none", "benjamini-hochberg"])
    @pytest.mark.parametrize("spread", [0.0, 0.3, 1.0])
    def test_has_intervals_and_p_values_of_one_family(self, spread, correction):
        """Beside a p-value that is corrected for many stands no interval of one alone."""
        values = noise(8, 40, seed=3) + spread * np.arange(8)[:, None] / 8
        compared, options = of(values), replace(FEW, correction=correction)
        history = version_history(compared, options)
        for version in history.versions[1:]:
            for held in filter(None, (version.before, version.best_before, version.best)):
                low, high = held.interval
                alone = compare(of(values[[held.index, version.index]]), options).pair("v1", "v0").interval
                if held.corrected_p_value < 0.05:
                    assert low >= 0 or high <= 0
                else:
                    assert low <= 0 <= high
                if held.p_value != held.corrected_p_value and correction not in ("none", "benjamini-hochberg"):
                    assert high - low > 0.999 * (alone[1] - alone[0]) or 0 in (low, high)

    @pytest.mark.thorough
    def test_has_simultaneous_intervals(self):
        """Of equal versions, that no interval leaves 0 out holds in 95 % of histories."""
        n_wrong = 0
        for seed in range(200):
            history = version_history(of(noise(12, 30, seed=seed)), FEW)
            held = [version.before for version in history.versions[1:]]
            n_wrong += any(one.interval[0] > 0 or one.interval[1] < 0 for one in held)
        assert n_wrong <= 20

    def test_has_the_intervals_of_a_comparison(self, compared):
        tested = compare(compared, FEW)
        for version in version_history(compared, FEW).versions:
            assert version.interval == tested.intervals[version.name]

    def test_knows_the_best_before_and_the_best_of_all(self, compared):
        history = version_history(compared, FEW, AlarmOptions(window=2))
        scores = [version.score if compared.higher_is_better else -version.score for version in history.versions]
        best = int(np.argmax(scores))
        assert history.best.chosen == best
        assert history.versions[best].best is None
        for version in history.versions[1:]:
            start = max(0, version.index - 2)
            assert version.best_before.index == start + int(np.argmax(scores[start : version.index]))
            assert version.best_before.n_comparisons == version.index - start
            assert version.best is None or version.best.index == best
            assert version.before.index == version.index - 1

    def test_of_the_same_output_twice_has_no_difference_and_no_alarm(self, compared):
        same = version_history(compared, FEW).versions[3]
        assert (same.before.difference, same.before.p_value, same.before.worse_p_value) == (0, 1, 1)
        assert (same.before.interval, same.before.is_significant, same.alarm) == (None, False, None)
        assert same.before.remark.startswith("The systems have identical counts")

    def test_alarms_a_drop_and_no_rise(self, compared):
        history = version_history(compared, FEW)
        assert [version.index for version in history.alarmed] == [5]
        assert history.versions[5].alarm == "drop"
        assert history.versions[5].before.worse_p_value < 0.005
        assert history.versions[1].before.worse_p_value > 0.9

    def test_alarms_a_decline_that_no_step_shows(self):
        values = np.cumsum(np.full((12, 1), -0.006), axis=0) + noise(1, 400) + 0.15 * noise(12, 400, seed=3)
        history = version_history(of(values), SignificanceOptions(resamples=100))
        kinds = [version.alarm for version in history.versions]
        assert kinds[-1] == "decline"
        assert "drop" not in kinds
        assert history.versions[-1].before.p_value > 0.05
        assert history.versions[-1].best_before.difference < -0.05

    def test_bounds_the_share_of_false_alarms_if_asked(self, compared):
        history = version_history(compared, FEW, AlarmOptions(control="share", share=0.4))
        p_values = np.array([version.before.worse_p_value for version in history.versions[1:]])
        levels = online_levels(p_values, 0.4)
        assert [version.drop_level for version in history.versions[1:]] == levels.tolist()
        assert [version.alarm == "drop" for version in history.versions[1:]] == (p_values <= levels).tolist()
        assert history.false_alarms is None

    def test_corrects_steps_as_one_family(self, compared):
        history = version_history(compared, SignificanceOptions(trials=400, resamples=200, seed=7, correction="holm"))
        steps = [version.before for version in history.versions[1:]]
        assert [step.corrected_p_value for step in steps] == pytest.approx(holm([step.p_value for step in steps]))
        by_max_t = [version.before for version in version_history(compared, FEW).versions[1:]]
        assert all(step.corrected_p_value >= step.p_value for step in by_max_t)
        assert {step.n_comparisons for step in by_max_t} == {5}

    def test_does_not_hang_on_how_many_versions_are_held_at_once(self, compared, monkeypatch):
        whole = version_history(compared, FEW).versions
        monkeypatch.setattr(versions, "VERSIONS_AT_ONCE", 2)
        assert version_history(compared, FEW).versions == whole

    def test_of_one_version_has_only_its_score(self):
        history = version_history(of(noise(1, 40)), FEW)
        (only,) = history.versions
        assert (only.before, only.best_before, only.best, only.alarm, only.drop_level) == (None,) * 5
        assert (history.false_alarms, history.best.optimism) == (0, 0)

    @pytest.mark.parametrize("n_segments", [1, 5])
    def test_of_fewer_than_six_units_has_no_tests_no_intervals_and_no_alarms(self, n_segments):
        history = version_history(of(noise(3, n_segments) - 9 * np.arange(3)[:, None]), FEW, AlarmOptions(per_100=50))
        assert [version.interval for version in history.versions] == [None] * 3
        assert history.alarmed == ()
        before = history.versions[2].before
        assert (before.p_value, before.corrected_p_value, before.worse_p_value) == (None, None, None)
        assert (before.interval, before.is_significant) == (None, False)
        assert history.why_untested == history.remark == before.remark
        assert "A test needs at least 6 segments" in history.why_untested
        assert history.versions[2].best.p_value is None
        assert history.to_frame()["before_p_value"].isna().all()

    def test_makes_all_exchanges_of_few_units_as_a_comparison_does(self):
        systems = of(noise(3, 9) - 0.7 * np.arange(3)[:, None])
        history = version_history(systems, FEW)
        before = history.versions[1].before
        assert before.p_value == compare(systems, FEW).pair("v1", "v0").p_value
        assert before.p_value * 256 == pytest.approx(round(before.p_value * 256))
        assert before.worse_p_value == pytest.approx(before.p_value / 2)

    def test_of_segments_that_depend_on_each_other_marks_nothing(self):
        values = noise(3, 200) - 5 * np.arange(3)[:, None]
        documents = [str(segment // 10) for segment in range(200)]
        by_segment = version_history(of(values, documents=documents), FEW)
        assert by_segment.alarmed == ()
        assert not by_segment.versions[1].before.is_significant
        assert by_segment.remark.startswith("Segments depend on each other here")
        by_document = version_history(of(values, documents=documents), BY_UNIT)
        assert [version.alarm for version in by_document.versions] == [None, "drop", "drop"]
        assert by_document.options.unit == "document"

    def test_draws_often_enough_for_the_rarest_alarms(self):
        values = noise(40, 10)
        assert version_history(of(values)).options.n_trials == 10_000
        rare = version_history(of(values), alarms=AlarmOptions(per_100=0.5))
        assert rare.options.n_trials == math.ceil(1.5 * 30 / 0.0025)

    def test_says_where_the_trials_are_too_few_for_a_decline(self, compared):
        assert version_history(compared, SignificanceOptions(trials=1000, resamples=50)).remark is None
        assert version_history(compared, FEW).remark == (
            "With 400 trials no decline against the best of 5 versions can raise an alarm: it takes "
            + count(1000)
            + "."
        )

    @pytest.mark.parametrize("options", [BleuOptions(), TerOptions(), ChrfOptions()], ids=["bleu", "ter", "chrf"])
    @pytest.mark.parametrize(
        ("outputs", "reference"),
        [
            ([["", ""], ["", ""]], ["a b", "c"]),
            ([["x"] * 5, ["y"] * 5, ["y"] * 5], ["a"] * 5),
            ([["a b c d"] * 5] * 3, ["a b c d"] * 5),
            ([["猫 は"], ["犬"]], ["猫 は"]),
        ],
        ids=["empty", "no match", "all the same", "one segment"],
    )
    def test_of_outputs_that_say_nothing_finds_nothing(self, options, outputs, reference):
        texts = TestSet([System(f"v{number}", column) for number, column in enumerate(outputs)], [reference])
        metric = evaluate_metric(texts, options)
        systems = [(name, result.counts) for name, result in metric.systems.items()]
        history = version_history(ComparedSystems(systems, metric.draw_scores_of, metric.higher_is_better), FEW)
        assert history.alarmed == ()
        assert not any(version.best.is_significant for version in history.versions if version.best is not None)
        assert history.best.optimism in (0, None)
        assert history.best.chances_best is None

    def test_refuses_no_version_and_unknown_documents(self):
        with pytest.raises(InputError, match="there is no system"):
            version_history(of(np.empty((0, 3))), FEW)
        with pytest.raises(InputError, match="Option unit: the test set has no documents"):
            version_history(of(noise(2, 9)), SignificanceOptions(unit="document"))

    def test_is_a_frame_with_a_row_for_each_version(self, compared):
        history = version_history(compared, FEW)
        frame = history.to_frame()
        assert frame["version"].tolist() == [version.name for version in history.versions]
        assert frame["before_p_value"].iloc[1] == history.versions[1].before.p_value
        assert frame["before"].isna().tolist() == [True] + [False] * 5
        assert frame["best_significant"].dtype == bool


class TestAllPairs:
    def test_are_corrected_by_the_largest_of_all_in_each_exchange(self):
        """By loops over exchanges and pairs, of means, which are linear."""
        values = noise(5, 30) + np.array([[0.0], [0.2], [0.5], [0.4], [0.9]])
        systems = of(values)
        found = all_pairs(systems.systems, mean, FEW, systems.units(FEW))
        signs = 1.0 - 2 * np.random.default_rng(7).integers(2, size=(200, 30), dtype=bool)
        # the mean counts of all versions instead of a unit's own leave the number of units as it is
        added = values - values.mean(axis=0)

        def in_errors(one, other, turned):
            apart = added[one] - added[other]
            return abs((turned * apart).sum()) / np.sqrt((apart**2).sum())

        pairs = [(one, other) for one in range(5) for other in range(one)]
        largest = np.array([max(in_errors(*pair, turned) for pair in pairs) for turned in signs])
        expected = [
            (np.count_nonzero(largest >= in_errors(version, 4, 1.0)) + 1) / 201 if version != 4 else 1.0
            for version in range(5)
        ]
        assert found.p_values_with(4) == pytest.approx(expected)
        assert found.smallest_p_value == min(found.p_values_with(version).min() for version in range(5))

    def test_of_few_units_are_all_exchanges(self):
        systems = of(noise(3, 8))
        assert len(all_pairs(systems.systems, mean, FEW, systems.units(FEW)).largest) == 127
        assert all_pairs(of(noise(3, 5)).systems, mean, FEW, of(noise(3, 5)).units(FEW)) is None

    @pytest.mark.thorough
    def test_of_equal_versions_on_twenty_documents_find_the_best_ahead_in_at_most_a_twentieth(self):
        found = []
        for seed in range(400):
            sizes = np.random.default_rng(seed).integers(1, 12, 20)
            values = np.repeat(noise(12, 20, seed), sizes, axis=1)
            systems = of(values, documents=np.repeat(np.arange(20), sizes).astype(str).tolist())
            units = systems.units(BY_UNIT)
            pairs = all_pairs(systems.unit_counts(units), mean, BY_UNIT, units)
            found.append(pairs.smallest_p_value < 0.05)
        assert np.mean(found) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)

    def test_holds_up_nothing_where_versions_are_the_same(self):
        values = np.repeat(noise(1, 30), 3, axis=0)
        values[2] += 0.5 + 0.1 * noise(1, 30, seed=9)[0]
        history = version_history(of(values), FEW)
        assert history.best.chosen == 2
        assert all(version.best.corrected_p_value < 0.02 for version in history.versions[:2])


class TestChanges:
    @pytest.mark.parametrize("options", [BleuOptions(), TerOptions(), ChrfOptions()], ids=["bleu", "ter", "chrf"])
    def test_sort_every_segment_once_and_add_up_to_the_difference(self, options):
        reference = [
            "猫 は 好き です か 。",
            "der Hund lief heute weg .",
            "alle gingen heim",
            "ein Haus am See .",
            "a b c d e",
        ]
        older = ["猫 は 好き です 。", "der Hund lief heute weg .", "alle gingen fort", "ein Haus .", "x"]
        newer = ["猫 は 好き です か 。", "ein Hund lief fort .", "alle gingen fort", "ein Haus am See .", "y"]
        both = TestSet([System("older", older), System("newer", newer)], [reference])
        metric = evaluate_metric(both, options)
        counts = [metric.systems[name].counts for name in ("older", "newer")]
        found = changes_between(*counts, options, (older, newer))
        kinds = {kind: found.segments(kind).tolist() for kind in ("regressed", "improved", "reworded", "unchanged")}
        assert kinds == {"regressed": [1], "improved": kinds["improved"], "reworded": [4], "unchanged": [2]}
        assert set(kinds["improved"]) == {0, 3}
        assert sum(found.n_of(kind) for kind in kinds) == found.n_segments == 5
        parts = [found.part(kind) for kind in kinds]
        assert sum(parts) == pytest.approx(found.attribution.difference - found.attribution.jump)
        assert found.part("unchanged") == 0
        gains = found.gains[kinds["improved"]]
        assert (np.diff(gains) <= 0).all()
        assert gains.min() > 0 > found.gains[1]

    def test_refuse_texts_of_other_segments(self):
        counts = np.ones((3, 10), np.int64)
        with pytest.raises(InputError, match=r"^Version 'newer': these versions do not have the same segments"):
            changes_between(counts, counts, BleuOptions(), (["a"] * 3, ["a"] * 2))


class TestStrips:
    WORSE_THEN_BETTER = ("a b c d e f", "a b x y z", "a b c d e f")
    WORSE = ("a b c d e f", "a b c d e f", "a x")
    BETTER = ("q", "q", "a b c d e f")
    SAME = ("x", "y", "x")

    def strips(self, options):
        rows = (self.WORSE_THEN_BETTER, self.WORSE, self.BETTER, self.SAME)
        systems = [System(f"v{n}", column) for n, column in enumerate(zip(*rows, strict=True), start=1)]
        found = evaluate_metric(TestSet(systems, [["a b c d e f"] * 4]), options)
        return segment_strips((one.counts for one in found.systems.values()), options), found

    @pytest.mark.parametrize("options", [BleuOptions(), TerOptions(), ChrfOptions()], ids=["bleu", "ter", "chrf"])
    def test_say_which_segments_went_how_and_where_they_fell(self, options):
        strips, found = self.strips(options)
        assert np.array_equal(strips.scores, [one.segment_scores for one in found.systems.values()])
        assert np.sign(strips.gains).tolist() == [[0, 0, 0, 0], [-1, 0, 0, 0], [1, -1, 1, 0]]
        assert strips.most("got worse", 0, 2, 9).tolist() == [1]
        assert strips.most("got better", 0, 2, 9).tolist() == [2]
        assert strips.most("went up and down", 0, 2, 9).tolist() == [0]
        assert strips.most("got worse", 0, 1, 9).tolist() == [0]
        assert [strips.largest_fall(segment, 0, 2) for segment in range(4)] == [1, 2, None, None]
        assert strips.largest_fall(0, 1, 2) is None

    def test_hold_as_many_segments_as_are_asked_for_and_refuse_unequal_ones(self):
        strips, _ = self.strips(BleuOptions())
        assert len(strips.most("got worse", 0, 2, 0)) == 0
        with pytest.raises(InputError, match="do not have the same segments"):
            segment_strips([np.ones((3, 10), np.int64), np.ones((2, 10), np.int64)], BleuOptions())
        with pytest.raises(InputError, match="found no version"):
            segment_strips([], BleuOptions())
