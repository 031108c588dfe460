"""A factor as the axis of a comparison: the command and the page."""

import csv
import io
import json
import random
import re
from itertools import product

import pytest

N_LINES = 30
LINES = [f"line {number} says that the cat sat on mat number {number * 7} today" for number in range(N_LINES)]
FEW = ["--trials", "99", "--resamples", "100"]


def answer(row, model, prompt, temperature):
    """The reference with some words wrong: fewer with prompt B."""
    rng = random.Random(f"{row} {model} {prompt} {temperature}")
    return " ".join(word if rng.random() > (0.1 if prompt == "B" else 0.4) else "wrong" for word in LINES[row].split())


@pytest.fixture(scope="module")
def table():
    """Two models, three prompts and two temperatures, as a long table."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["model", "prompt", "temperature", "id", "hypothesis", "reference"])
    for settings in product("mn", "ABC", ("0", "0.7")):
        writer.writerows([*settings, row, answer(row, *settings), LINES[row]] for row in range(N_LINES))
    return text.getvalue()


class TestCommand:
    @pytest.fixture(autouse=True)
    def file(self, tmp_path, table):
        (tmp_path / "t.csv").write_text(table, encoding="utf-8")

    def test_levels_are_compared_with_all_else_the_same(self, bleuscope):
        code, out, _ = bleuscope("runs", "t.csv", *FEW, "--axis", "prompt=A", "-f", "json")
        rows = json.loads(out)["axis"]
        assert code == 0
        assert [(one["level"], one["other"], one["combinations"], one["comparisons"]) for one in rows[:2]] == [
            ("B", "A", 4, 2),
            ("C", "A", 4, 2),
        ]
        assert [one["significant"] for one in rows[:2]] == [True, False]
        assert [one["settings"] for one in rows[2:6]] == [
            f"model={model}, temperature={temperature}" for model in "mn" for temperature in ("0", "0.7")
        ]
        assert {one["comparisons"] for one in rows[2:]} == {8}
        assert sum(one["change"] for one in rows[2:6]) / 4 == pytest.approx(rows[0]["change"])

    def test_people_see_the_axis_alone(self, bleuscope):
        _, out, _ = bleuscope("runs", "t.csv", *FEW, "--axis", "PROMPT")
        assert "mean of 4 combinations" in out
        assert "mean ± s.d." not in out

    def test_numeric_levels_are_named_as_they_are_written(self, bleuscope):
        _, out, _ = bleuscope("runs", "t.csv", *FEW, "--axis", "temperature=0.7", "-f", "json")
        assert {(one["level"], one["other"]) for one in json.loads(out)["axis"]} == {("0", "0.7")}

    @pytest.mark.parametrize(
        ("axis", "told"),
        [("size", "model, prompt, temperature"), ("prompt=D", "A, B, C"), ("temperature=9", "0.0, 0.7")],
    )
    def test_what_is_not_there_is_refused(self, bleuscope, axis, told):
        code, out, err = bleuscope("runs", "t.csv", *FEW, "--axis", axis)
        assert (code, out) == (2, "")
        assert told in err


class TestPage:
    def test_a_factor_and_its_level_are_chosen(self, open_page, table, command_of):
        page = open_page("runs", {"t.csv": table})
        said = " ".join(re.sub(r"<[^>]+>|[\u2068\u2069]", "", str(one.body)) for one in page.get("html"))
        assert not page.exception
        assert "what the factors leave unexplained stands for the variance of runs" in said
        assert "--axis" not in command_of(page)
        page.selectbox(key="axis").set_value("prompt").run()
        page.selectbox(key="axis_level").set_value("C").run()
        said = " ".join(re.sub(r"<[^>]+>|[\u2068\u2069]", "", str(one.body)) for one in page.get("html"))
        assert not page.exception
        assert "prompt=B is significantly better than prompt=C: +" in said
        assert "No significant difference between prompt=A and prompt=C: " in said
        assert "--axis prompt=C" in command_of(page)

    def test_levels_of_a_setting_of_systems_are_not_said_to_be_the_same_but_for_it(self, open_page):
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(["system", "config", "id", "hypothesis", "reference"])
        for system, config, prompt in zip("abcdef", ["big", "small"] * 3, "BABABA", strict=True):
            writer.writerows(
                [system, config, row, answer(row, system, prompt, 0), LINES[row]] for row in range(N_LINES)
            )
        page = open_page("runs", {"t.csv": text.getvalue()})
        said = " ".join(re.sub(r"<[^>]+>|[\u2068\u2069]", "", str(one.body)) for one in page.get("html"))
        assert not page.exception
        assert "No system has two levels of config, so the systems differ between levels too." in said
        assert "config=small is significantly worse than config=big" in said
        assert "between different systems" in said
        assert "with all other factors the same" not in said

    def test_a_link_opens_an_axis(self, open_page, table, command_of):
        page = open_page("runs", {"t.csv": table}, axis="temperature", axis_level="0.7")
        assert not page.exception
        assert page.selectbox(key="axis_level").value == "0.7"
        assert "--axis temperature=0.7" in command_of(page)
