"""The part of ``make calibration`` that measures units and families: its draws by hand, and a small run."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from bleucore import BleuOptions
from bleucore.significance import SignificanceOptions, compare

pytestmark = pytest.mark.thorough

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def program():
    """The module, loaded by its path."""
    path = FOLDER / "calibration_units.py"
    spec = importlib.util.spec_from_file_location("calibration_units", path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules["calibration_units"] = loaded
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def population(program):
    """Four systems on 40 made documents."""
    texts = program.calibration.made_family(1, 4, n_documents=40)
    return program.population_of(texts, BleuOptions(), "made text")


class TestPopulation:
    def test_draws_whole_documents_of_their_own_sizes(self, population):
        documents = np.array([3, 0, 3])
        assigned = np.array([[0, 1, 0], [1, 0, 1]])
        drawn = population.drawn(documents, assigned)
        sizes = [len(population.segments_of[document]) for document in documents]
        assert drawn.n_segments == sum(sizes)
        assert [list(drawn.documents).count(f"d{place}") for place in range(3)] == sizes
        third = population.counts[0, population.segments_of[3]]
        first = drawn.systems[0][1]
        assert first[: sizes[0]].tolist() == first[-sizes[2] :].tolist() == third.tolist()
        assert drawn.systems[1][1][: sizes[0]].tolist() == population.counts[1, population.segments_of[3]].tolist()

    def test_can_hide_its_documents(self, population):
        drawn = population.drawn(np.arange(20), np.zeros((2, 20), int), knows_documents=False)
        assert drawn.units(SignificanceOptions()).kind == "block"

    def test_knows_the_scores_of_mixtures(self, population):
        own = population.true_scores(np.eye(4))
        even = population.true_scores(np.full((1, 4), 0.25))
        assert own.min() < even[0] < own.max()

    def test_has_equal_systems_that_take_each_real_one_in_turn(self, program, population):
        found = program.equal_systems(population, 10, 6, np.random.default_rng(1))
        assert found.shape == (6, 10)
        assert all(sorted(column) == [0, 0, 1, 1, 2, 3] for column in found.T)

    @pytest.mark.parametrize(("weight", "expected"), [(0.0, 0.0), (1.0, None)])
    def test_has_a_lead_that_grows_with_the_weight_of_the_best(self, program, population, weight, expected):
        lead = program.true_lead(population, weight)
        assert lead == pytest.approx(expected) if expected is not None else lead > program.true_lead(population, 0.5)


class TestRates:
    def test_counts_what_holds_the_truth(self, program):
        columns = np.array([[0, 2, 1], [0, 2, 3], [np.nan, np.nan, 1], [1, 1, 1]], float)
        found = program.coverage(columns)
        assert (found.value, found.n) == (0.5, 4)
        both = program.coverage(columns, np.array([[0, 2, 1]] * 4, float))
        assert (both.value, both.n) == (0.75, 4)

    @pytest.mark.parametrize(
        ("level", "n_units", "expected"),
        [(0.05, 6, 1 / 32), (0.05, 8, 6 / 128), (0.01, 6, 0), (0.05, 60, 0.05), (0.01, None, 0.01)],
    )
    def test_of_exact_tests_are_those_that_few_p_values_allow(self, program, level, n_units, expected):
        assert program.attainable(level, n_units) == expected

    def test_of_pairs_are_those_of_the_product(self, program, population):
        (row,) = program.pair_chunk(population, 9, 5, range(1), share=0.5, knows_documents=True)
        rng = np.random.default_rng((5, 9, 0))
        documents = rng.integers(40, size=9)
        first, second = rng.choice(4, 2, replace=False)
        changes = rng.random(9) < 0.5
        assigned = np.stack([np.where(changes, second, first), np.where(changes, first, second)])
        found = compare(
            population.drawn(documents, assigned), SignificanceOptions(resamples=1000, seed=int(rng.integers(2**32)))
        )
        pair = found.pair("s0", "s1")
        assert (row[0], *row[1:3]) == (pair.p_value, *pair.interval)
        assert row[3] == pytest.approx(0)
        assert tuple(row[4:6]) == found.intervals["s0"]

    def test_do_not_depend_on_the_chunks(self, program, population):
        whole = program.family_chunk(population, 8, 3, 2, range(4))
        parts = [program.family_chunk(population, 8, 3, 2, range(start, start + 2)) for start in (0, 2)]
        assert whole.tolist() == np.concatenate(parts).tolist()


class TestMain:
    @pytest.fixture
    def folder(self, tmp_path, program):
        """Three systems on thirty documents."""
        texts = program.calibration.made_family(2, 3, n_documents=30)
        (tmp_path / "systems").mkdir()
        for one in texts.systems:
            (tmp_path / "systems" / f"{one.name}.txt").write_text("\n".join(one.hypotheses) + "\n", encoding="utf-8")
        (tmp_path / "reference.A.txt").write_text("\n".join(texts.references[0]) + "\n", encoding="utf-8")
        (tmp_path / "documents.txt").write_text("\n".join(texts.documents) + "\n", encoding="utf-8")
        return tmp_path

    def test_prints_the_parts_asked_for(self, program, folder, capsys):
        arguments = "--draws 8 --documents 6 12 --family-documents 8 --systems 3 --power-systems 2 --processes 1"
        program.main([str(folder), *arguments.split()])
        printed = capsys.readouterr().out
        assert printed.startswith(f"{folder.name}: 3 systems, ")
        for title in (
            "documents known, 8 draws",
            "documents hidden",
            "Equal systems, 8 draws",
            "Power with 100 documents",
        ):
            assert title in printed
        program.main([str(folder), "--parts", "families", *arguments.split()])
        assert "documents known" not in capsys.readouterr().out

    def test_fails_where_equal_systems_have_too_many_stars(self, program, population, capsys):
        def found(_, chunks):
            return [np.array([[True, index % 20 == 0, 1, 0] for chunk in chunks for index in chunk], float)]

        assert program.print_families(population, [12], [13], 200, 1, found) is False
        assert "100.0 ± 0.0" in capsys.readouterr().out

    def test_fails_where_rejections_are_too_many(self, program, population, capsys):
        def found(_, chunks):
            n = sum(map(len, chunks))
            return [np.tile([0.001, *[-1, 1, 0] * 3], (n, 1))]

        assert program.print_pairs(population, [30], 200, 1, found, knows_documents=True) is False
        assert "| no " in capsys.readouterr().out

    def test_says_what_is_wrong_with_a_folder(self, program, tmp_path):
        (tmp_path / "systems").mkdir()
        with pytest.raises(SystemExit, match="there are not two systems"):
            program.main([str(tmp_path)])
