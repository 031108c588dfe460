"""``bleuscope runs``: recipes and their runs, in every form."""

import json

import pytest

N_LINES = 30
WORDS = ["cat", "dog", "house", "river", "tree", "stone", "bird", "cloud", "road", "door"]
FEW = ["--trials", "199", "--resamples", "100"]


def line(number):
    """A line of the reference."""
    words = [WORDS[(number * step + step) % len(WORDS)] for step in range(1, 9)]
    return f"line {number} " + " ".join(words)


def run(share, seed):
    """A run: the words of the reference, of which some are wrong."""
    return [
        " ".join(
            word if (place * 7 + number * 3 + seed * 5) % 20 >= share else "wrong" for place, word in enumerate(words)
        )
        for number, words in ((number, line(number).split()) for number in range(N_LINES))
    ]


@pytest.fixture(autouse=True)
def texts(tmp_path):
    """Three runs of two recipes each, and a reference."""
    columns = {f"small-seed{seed}": run(6, seed) for seed in (1, 2, 3)}
    columns |= {f"big-seed{seed}": run(2, seed) for seed in (1, 2, 3)}
    columns |= {f"net-depth{depth}": run(depth, 1) for depth in (1, 2, 4, 6)}
    columns |= {"ref": [line(number) for number in range(N_LINES)]}
    for name, lines in columns.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def recipes_of(out):
    """The systems of each recipe, as JSON has them."""
    return {one["recipe"]: one["systems"] for one in json.loads(out)["recipes"]}


SMALL, BIG = ([f"{name}-seed{seed}.txt" for seed in (1, 2, 3)] for name in ("small", "big"))
NETS = [f"net-depth{depth}.txt" for depth in (1, 2, 4, 6)]
ASKED = ["-r", "ref.txt", *FEW]


class TestRuns:
    def test_recipes_are_read_from_names(self, bleuscope):
        code, out, err = bleuscope("runs", *SMALL, *BIG, *ASKED, "--baseline", "small", "--format", "json")
        found = json.loads(out)
        assert (code, err) == (0, "")
        assert recipes_of(out) == {
            "small": "small-seed1; small-seed2; small-seed3",
            "big": "big-seed1; big-seed2; big-seed3",
        }
        assert [one["told"].startswith("3 runs: ") for one in found["recipes"]] == [True, True]
        (claim,) = found["claims"]
        assert (claim["recipe"], claim["other"], claim["run_pairs"], claim["significant"]) == ("big", "small", 9, True)
        assert claim["exchange_p_value"] == pytest.approx(0.1)
        assert claim["interval_low"] > 0
        assert found["claims"][0]["recipe_in_words"].startswith("Recipe: big is significantly better than small, +")

    def test_the_terminal_shows_mean_and_deviation(self, bleuscope):
        code, out, _ = bleuscope("runs", *SMALL, *BIG, *ASKED)
        assert code == 0
        assert "3 runs: " in out
        assert " ± " in out
        assert "smallest possible p .100" in out

    def test_runs_can_be_named(self, bleuscope):
        given = ["--run", "small-seed1=x", "--run", "big-seed1.txt=x", "--run", "big-seed2=y=z"]
        files = ["small-seed1.txt", "big-seed1.txt", "big-seed2.txt"]
        _, out, _ = bleuscope("runs", *files, *ASKED, *given, "-f", "json")
        assert recipes_of(out) == {"x": "small-seed1; big-seed1", "y=z": "big-seed2"}

    def test_a_baseline_is_a_recipe_or_a_run_of_it(self, bleuscope):
        for named in ("big", "big-seed2", "big-seed2.txt"):
            _, out, _ = bleuscope("runs", *SMALL, *BIG, *ASKED, "--baseline", named, "-f", "json")
            assert json.loads(out)["facts"]["baseline"] == "big"
        assert bleuscope("runs", *SMALL, *BIG, *ASKED, "--baseline", "huge")[0] == 2

    @pytest.mark.parametrize("metric", ["BLEU", "TER"])
    def test_without_a_baseline_it_is_the_best_recipe(self, bleuscope, metric):
        _, out, _ = bleuscope("runs", *SMALL, *BIG, *ASKED, "-m", "ter", "--metric", metric, "-f", "json")
        found = json.loads(out)
        assert (found["facts"]["baseline"], found["claims"][0]["recipe"]) == ("big", "small")

    def test_factors_are_read_if_they_are_asked_for(self, bleuscope):
        code, out, err = bleuscope("runs", *NETS, *ASKED, "--factor", "depth", "-f", "json")
        assert code == 0
        assert [one["level"] for one in json.loads(out)["factors"]] == ["1", "2", "4", "6"]
        assert "No name here marks a run." in err

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            (["--run", "small-seed1"], "this names no recipe"),
            (["--run", "nothing=x"], "there is no system of this name"),
            (["--run", "small-seed1= "], "a recipe has no name"),
            (["--factor", "depth"], "this factor has no two levels"),
            (["--metric", "COMET"], "metric"),
        ],
    )
    def test_what_is_not_there_is_refused(self, bleuscope, options, told):
        code, out, err = bleuscope("runs", *SMALL, *ASKED, *options)
        assert (code, out) == (2, "")
        assert told in err

    @pytest.mark.parametrize("table", ["recipes", "claims", "variance", "planning", "pairs", "factors"])
    @pytest.mark.parametrize("form", ["tsv", "latex", "table"])
    def test_every_table_is_written(self, bleuscope, table, form):
        assert bleuscope("runs", *SMALL, *BIG, *NETS, *ASKED, "--table", table, "-f", form)[0] == 0

    def test_one_recipe_has_nothing_to_be_compared_with(self, bleuscope):
        code, out, _ = bleuscope("runs", *SMALL, *ASKED, "-f", "json")
        found = json.loads(out)
        assert (code, found["claims"], len(found["recipes"])) == (0, [], 1)

    def test_another_metric_is_tested(self, bleuscope):
        _, out, _ = bleuscope(
            "runs", *SMALL, *BIG, *ASKED, "--baseline", "small", "--metric", "TER", "-m", "ter", "-f", "json"
        )
        found = json.loads(out)
        assert found["claims"][0]["recipe_in_words"].startswith("Recipe: big is significantly better than small, −")
        assert "TER" in found["claims"][0]["recipe_in_words"]
