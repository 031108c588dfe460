"""The part of ``make calibration`` that is about histories, and a small run of it with a fixed seed."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from bleucore import BleuOptions, InputError, System, TestSet
from bleucore.history import AlarmOptions

pytestmark = pytest.mark.thorough

PROGRAM = Path(__file__).parents[1] / "benchmarks" / "calibration_history.py"
_spec = importlib.util.spec_from_file_location("calibration_history", PROGRAM)
calibration_history = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(calibration_history)

SEED = 1


@pytest.fixture(scope="module")
def poles():
    texts = calibration_history.calibration.made_texts(SEED, 80, calibration_history.POLES)
    return calibration_history.poles_of(texts, BleuOptions(), "made text")


def rows_of(printed):
    """The cells of what was printed, without headings."""
    lines = [line for line in printed.splitlines() if line.startswith("| ")]
    return [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "---" not in line and "kept" not in line
    ]


class TestPoles:
    def test_are_the_worst_and_the_best_system(self):
        reference = [f"line {number} of the reference is here" for number in range(9)]
        texts = {"middle": [*reference[:7], "no", "no"], "best": reference, "worst": ["of the line is"] * 9}
        found = calibration_history.poles_of(
            TestSet([System(name, column) for name, column in texts.items()], [reference]), BleuOptions(), "by hand"
        )
        low, high = found.truths(np.array([0.0, 1.0]))
        assert (low < 60, high) == (True, pytest.approx(100))

    def test_give_versions_of_a_known_score(self, poles):
        wanted = poles.truths(np.array([0.25, 0.5])) + 0.1
        shares = poles.shares(wanted)
        assert poles.truths(shares) == pytest.approx(wanted, abs=5e-3)
        versions = poles.drawn(np.repeat(shares, 300), 0.5, 300, np.random.default_rng(3)).systems
        scores = [float(poles.score(counts.sum(axis=0).astype(float))) for _, counts in versions]
        assert np.mean(scores[300:]) - np.mean(scores[:300]) == pytest.approx(wanted[1] - wanted[0], abs=0.1)

    def test_give_versions_that_keep_part_of_the_one_before(self, poles):
        drawn = poles.drawn(np.array([0.5, 0.5]), 0.8, 4000, np.random.default_rng(3))
        first, second = (counts for _, counts in drawn.systems)
        other = (poles.counts[0] != poles.counts[1]).any(axis=1).mean()
        changed = (first != second).any(axis=1).mean()
        assert len(set(drawn.documents)) == 4000
        assert changed == pytest.approx(0.2 * 0.5 * other, abs=0.02)

    def test_of_a_folder_without_systems_are_refused(self, tmp_path):
        with pytest.raises(InputError, match="there are not two systems"):
            calibration_history.main([str(tmp_path)])


class TestSmallRun:
    def test_corrects_the_best_of_equal_versions(self, poles):
        found = calibration_history._best_chunk(poles, 150, 20, 0.0, (SEED, 0.0), range(60))
        naive, corrected = found[:, 0].mean(), found[:, 1].mean()
        error = found[:, 1].std() / np.sqrt(60)
        assert naive > 0.5
        assert abs(corrected) < 3 * error + 0.05
        assert found[:, 3].mean() > 0.85

    def test_raises_no_more_alarms_than_stated(self, poles):
        found = calibration_history._alarm_chunk(poles, 100, 0.8, AlarmOptions(per_100=5), SEED, range(3))
        assert 0 < found.sum() <= 15 + 3 * np.sqrt(15)

    def test_marks_few_of_equal_versions(self, poles):
        found = calibration_history._marks_chunk(poles, 100, 8, 0.0, SEED, range(60))
        assert (found.mean(axis=0) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)).all()

    def test_finds_a_large_drop(self, poles):
        found = calibration_history._power_chunk(poles, 300, 0.8, [-3.0], SEED, range(4))
        assert found.mean(axis=0)[0] == 1

    def test_prints_a_row_for_each_kind(self, poles, capsys, monkeypatch):
        monkeypatch.setattr(calibration_history, "NIGHTS", 12)
        assert calibration_history.print_best(poles, 60, [3], histories=4, seed=SEED) in (True, False)
        assert len(rows_of(capsys.readouterr().out)) == 8
        monkeypatch.setattr(calibration_history, "SETTLED", 3)
        assert calibration_history.print_alarms(poles, 60, nights=12, seed=SEED) in (True, False)
        assert len(rows_of(capsys.readouterr().out)) == 4 + 4 + 2 + 6

    def test_fails_where_alarms_are_more_than_stated(self, poles, capsys, monkeypatch):
        def too_many(work, chunks):
            work = getattr(work, "func", work)
            n_rows = sum(len(chunk) for chunk in chunks)
            n_columns = {"_alarm_chunk": 2, "_marks_chunk": 2}.get(work.__name__, 3)
            return [np.full((n_rows, n_columns), 30.0 if n_columns == 2 else 0.0)]

        monkeypatch.setattr(calibration_history, "Rate", lambda value, n: calibration_history.calibration.Rate(0.04, n))
        assert calibration_history.print_alarms(poles, 60, nights=200, seed=SEED, run=too_many) is False
        assert "| no " in capsys.readouterr().out
