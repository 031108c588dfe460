"""The unit of tests: which choices a test set offers, what they come to, and what is refused."""

import json

import pytest

from bleucore.significance import SignificanceOptions
from bleuscope.shell.page.frame import VIEW

N = 40
REFERENCE = [f"the cat {n} sat on the mat near the door {n % 7}" for n in range(N)]
WORSE = [line.replace("mat", "rug") if n % 3 else line for n, line in enumerate(REFERENCE)]
WORST = [line.replace("the cat", "one cat") if n % 4 else line for n, line in enumerate(WORSE)]


def table(n_documents=None, times=1):
    """A table of a test set: each row so many times, documents of neighbours."""
    rows = []
    for n in range(N * times):
        row = {"reference": REFERENCE[n % N], "system:a": WORSE[n % N], "system:b": WORST[n % N]}
        if n_documents is not None:
            row["document"] = f"d{n * n_documents // (N * times)}"
        rows.append(row)
    head = list(rows[0])
    return "\n".join("\t".join(line) for line in [head, *(row.values() for row in rows)]) + "\n"


def units_of(app):
    return list(app.selectbox(key="unit").options)


class TestTheSidebar:
    @pytest.mark.parametrize(
        ("made", "units"),
        [
            ({}, ["auto", "block", "segment"]),
            ({"n_documents": 8}, ["auto", "document", "block", "segment"]),
            ({"times": 3}, ["auto", "block", "item", "segment"]),
            ({"n_documents": 8, "times": 3}, ["auto", "document", "block", "item", "segment"]),
        ],
    )
    def test_offers_the_units_that_a_test_set_has(self, open_page, made, units):
        assert units_of(open_page("scores", {"set.tsv": table(**made)})) == units

    def test_forgets_a_unit_that_the_test_set_does_not_have(self, open_page):
        app = open_page("scores", {"set.tsv": table()}, unit="document")
        assert not app.exception
        assert app.selectbox(key="unit").value == "auto"

    def test_asks_for_the_length_of_blocks_with_that_unit_alone(self, open_link):
        assert not [box for box in open_link("scores").number_input if box.key == "block_size"]
        app = open_link("scores", unit="block", block_size="30")
        assert app.number_input(key="block_size").value == 30
        assert app.session_state[VIEW].significance == SignificanceOptions(unit="block", block_size=30)

    def test_keeps_it_apart_from_the_blocks_of_the_panel(self, open_link):
        app = open_link("significance", panel="Blocks", by="size", unit="block", size="20", block_size="30")
        assert not app.exception
        assert (app.number_input(key="size").value, app.number_input(key="block_size").value) == (20, 30)


class TestCommands:
    @pytest.mark.parametrize(
        ("words", "unit", "n_units"),
        [
            ([], "document", 8),
            (["--unit", "block", "--block-size", "4"], "block", 10),
            (["--unit", "segment"], "segment", N),
        ],
    )
    def test_say_the_unit_and_the_number(self, bleuscope, tmp_path, words, unit, n_units):
        (tmp_path / "set.tsv").write_text(table(n_documents=8), encoding="utf-8")
        code, out, _ = bleuscope("compare", *words, "--format", "json", str(tmp_path / "set.tsv"))
        assert code == 0
        facts = json.loads(out)["facts"]
        assert (facts["unit"], facts["n_units"]) == (unit, n_units)

    @pytest.mark.parametrize(("unit", "message"), [("document", "no documents"), ("item", "no rows repeat")])
    def test_refuse_a_unit_that_the_test_set_does_not_have(self, bleuscope, tmp_path, unit, message):
        (tmp_path / "set.tsv").write_text(table(), encoding="utf-8")
        code, out, err = bleuscope("compare", "--unit", unit, str(tmp_path / "set.tsv"))
        assert (code, out) == (2, "")
        assert message in err
        assert "Test by block or by segment" in err
