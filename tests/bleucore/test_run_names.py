"""Long tables of systems, runs and settings: names that tell them, and the design that names give back."""

import csv
import io
import itertools
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore.experiments.design import design_of
from bleucore.formats import assemble, guess_roles, read
from bleucore.formats.records import _FACTORS, _RUNS
from bleucore.formats.run_names import RUN_WORDS, RunName, column_word, read_run_name

N = 12
SOURCE = [f"Satz {row} sagt, dass die Katze {row} Mal saß" for row in range(N)]
REFERENCE = [f"line {row} says that the cat sat {row} times on mat {row % 5}" for row in range(N)]


def answer(row, *settings):
    """The reference with a few wrong words, other ones for other settings."""
    rng = random.Random(f"{row} {settings}")
    return " ".join(word if rng.random() > 0.2 else "wrong" for word in REFERENCE[row].split())


def rows(**columns):
    """A row for each combination of the columns and each segment."""
    for settings in itertools.product(*columns.values()):
        for row in range(N):
            yield {
                **dict(zip(columns, settings, strict=True)),
                "id": row,
                "source": SOURCE[row],
                "hypothesis": answer(row, *settings),
                "reference": REFERENCE[row],
            }


def as_csv(records):
    """As pandas writes them, with its index."""
    records, text = list(records), io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["", *records[0]])
    writer.writerows([place, *one.values()] for place, one in enumerate(records))
    return "t.csv", text.getvalue().encode()


def as_json_lines(records):
    return "t.jsonl", "".join(json.dumps(one) + "\n" for one in records).encode()


def opened(file):
    name, data = file
    return assemble(guess_roles(read(name, data)))


SYSTEMS, SEEDS, PROMPTS, TEMPERATURES = ["m", "n"], [1, 2, 3], ["A", "be exact, please"], [0, 0.7]


@pytest.mark.parametrize("written", [as_csv, as_json_lines])
class TestLongTables:
    def test_systems_seeds_prompts_and_temperatures_are_recipes_with_runs_and_factors(self, written):
        columns = {"system": SYSTEMS, "seed": SEEDS, "prompt": PROMPTS, "temperature": TEMPERATURES}
        test_set = opened(written(rows(**columns)))
        design = design_of(test_set.system_names)
        assert test_set.n_segments == N
        assert list(design.recipes) == [
            f"{system}, prompt={prompt}, temperature={temperature}"
            for system, prompt, temperature in itertools.product(SYSTEMS, PROMPTS, TEMPERATURES)
        ]
        assert {len(systems) for systems in design.recipes.values()} == {3}
        assert design.factors == {"model": ("m", "n"), "prompt": tuple(PROMPTS), "temperature": (0.0, 0.7)}
        name = "n, prompt=be exact, please, temperature=0.7, seed 2"
        assert test_set.system(name).hypotheses == tuple(answer(row, "n", 2, PROMPTS[1], 0.7) for row in range(N))

    def test_the_order_of_rows_and_columns_says_nothing(self, written):
        records = list(rows(seed=SEEDS, prompt=PROMPTS, system=SYSTEMS))
        random.Random(1).shuffle(records)
        design = design_of(opened(written(records)).system_names)
        assert {frozenset(systems) for systems in design.recipes.values()} == {
            frozenset(f"{system}, prompt={prompt}, seed {seed}" for seed in SEEDS)
            for system, prompt in itertools.product(SYSTEMS, PROMPTS)
        }

    def test_epochs_are_runs_and_a_factor_if_asked_for(self, written):
        names = opened(written(rows(model=SYSTEMS, epoch=[0, 5, 10]))).system_names
        assert design_of(names).recipes == {one: tuple(f"{one}, epoch {n}" for n in (0, 5, 10)) for one in SYSTEMS}
        design = design_of(names, factors=["epoch"])
        assert (design.has_runs, design.factors) == (False, {"model": ("m", "n"), "epoch": (0.0, 5.0, 10.0)})

    def test_one_system_with_settings_needs_no_name(self, written):
        design = design_of(opened(written(rows(temperature=[0.0, 0.5], seed=SEEDS))).system_names)
        assert list(design.recipes) == ["temperature=0.0", "temperature=0.5"]
        assert design.factors == {"temperature": (0.0, 0.5)}

    def test_runs_can_have_names(self, written):
        design = design_of(opened(written(rows(system=SYSTEMS, run_id=["first", "again"]))).system_names)
        assert design.recipes == {one: (f"{one}, run first", f"{one}, run again") for one in SYSTEMS}

    def test_a_setting_of_systems_that_several_share_is_a_factor(self, written):
        """Each of six systems has one level, so rows are told apart without it."""
        levels = dict(zip("abcdef", ["long", "short"] * 3, strict=True))
        for title in ("config", "prompt"):
            records = [{**one, title: levels[one["system"]]} for one in rows(system=list(levels), seed=SEEDS)]
            design = design_of(opened(written(records)).system_names)
            assert list(design.recipes) == [f"{name}, {title}={level}" for name, level in levels.items()]
            assert {len(systems) for systems in design.recipes.values()} == {3}
            assert design.factors == {title: ("long", "short")}
            assert design.is_between_models(title)

    def test_a_setting_that_no_two_systems_share_is_no_factor(self, written):
        records = [{**one, "variant": f"of {one['system']}"} for one in rows(system=list("abcd"))]
        test_set = opened(written(records))
        assert test_set.system_names == tuple("abcd")
        assert not design_of(test_set.system_names).factors

    def test_settings_within_systems_and_of_systems_are_read_together(self, written):
        columns = {"system": list("abcd"), "prompt": ["x", "y"]}
        records = [{**one, "config": "big" if one["system"] in "ab" else "small"} for one in rows(**columns)]
        design = design_of(opened(written(records)).system_names)
        assert design.factors == {"model": tuple("abcd"), "config": ("big", "small"), "prompt": ("x", "y")}
        assert [design.is_between_models(name) for name in design.factors] == [False, True, False]

    def test_five_settings_are_told(self, written):
        columns = {"shots": [0, 5], "beam_size": [1, 4], "top_p": [0.9, 1], "prompt": ["A", "B"], "seed": [1, 2]}
        design = design_of(opened(written(rows(system=SYSTEMS, **columns))).system_names)
        assert list(design.factors) == ["model", "prompt", "shots", "top p", "beam size"]
        assert len(design.recipes) == 32


class TestNames:
    @pytest.mark.parametrize("title", _RUNS)
    def test_every_column_of_runs_is_read_as_runs(self, title):
        assert column_word(title) in RUN_WORDS
        names = [str(RunName("m", {}, {column_word(title): run})) for run in ("1", "2")]
        assert design_of(names).recipes == {"m": tuple(names)}

    @pytest.mark.parametrize("title", _FACTORS)
    def test_every_column_of_settings_is_read_as_a_factor(self, title):
        names = [str(RunName("m", {column_word(title): level})) for level in ("1", "2")]
        assert len(design_of(names).factors) == 1

    WORD = st.from_regex(r"[a-z]{3,8}x", fullmatch=True)
    VALUE = st.text("abz .:7-/", min_size=1, max_size=12).filter(lambda text: text == text.strip())

    @given(VALUE, st.dictionaries(WORD, VALUE, max_size=3), st.dictionaries(st.sampled_from(RUN_WORDS), VALUE))
    def test_what_is_written_is_read_again(self, system, factors, runs):
        written = RunName(system, factors, runs)
        assert read_run_name(str(written)) == written

    @given(st.text(max_size=60))
    def test_any_name_is_written_as_it_was_or_has_parts(self, name):
        found = read_run_name(name)
        assert str(found) == name or found.factors or found.runs

    def test_names_without_commas_are_left_to_other_rules(self):
        assert read_run_name("m-lr=1e-4-step=5") == RunName("m-lr=1e-4-step=5")
        assert read_run_name("lr=1e-4-step=5") == RunName("lr=1e-4-step=5")
