"""``make paper``: what programs print becomes tables, cells that moved are named, and the pages say what CSV says."""

import importlib.util
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "benchmarks" / "paper.py"
_spec = importlib.util.spec_from_file_location("paper", PROGRAM)
paper = sys.modules["paper"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(paper)


def of_page(table):
    """The rows of a table on its page, with what an empty first cell stands for."""
    text = (paper.PAGES / f"{table.page}.md").read_text(encoding="utf-8")
    (found,) = (one for one in paper.printed_tables(text) if tuple(one.head) == table.head)
    rows = []
    for first, *others in found.rows:
        rows.append([first or rows[-1][0], *others])
    return rows


@pytest.mark.parametrize("name", paper.TABLES)
def test_a_page_says_what_its_table_in_csv_says(name):
    head, *rows = paper.read_csv(paper.KEPT / f"{name}.csv")
    assert tuple(head) == paper.TABLES[name].head
    assert of_page(paper.TABLES[name]) == rows


@pytest.mark.parametrize("page", ["calibration", "speed", "agreement"])
def test_every_table_of_a_page_is_made_by_the_program(page):
    found = paper.printed_tables((paper.PAGES / f"{page}.md").read_text(encoding="utf-8"))
    assert [tuple(one.head) for one in found] == [one.head for one in paper.TABLES.values() if one.page == page]


def test_tables_are_read_with_the_line_above_them():
    (one, two) = paper.printed_tables("First\n\n| a | b |\n|---|---|\n| x | 1 |\n\nSecond\n| a |\n| - |\n| y |\n")
    assert (one.title, one.cell("b", a="x"), two.title, two.rows) == ("First", "1", "Second", [["y"]])
    with pytest.raises(LookupError, match="First: no b where"):
        one.cell("b", a="y")


@pytest.mark.parametrize(
    ("was", "is_now", "is_near"),
    [
        ("5.4 ± 0.5", "7.4 ± 0.5", True),
        ("5.4 ± 0.5", "7.6 ± 0.5", False),
        ("5.4", "6.2", True),
        ("5.4", "7.4", False),
        ("−0.02 ± 0.02", "-0.01 ± 0.02", True),
        ("0.065 s", "0.075 s", True),
        ("16 to 17", "18 to 22", False),
        ("1,000", "1,000", True),
        ("online", "other", False),
    ],
)
def test_a_cell_moved_if_it_differs_by_more_than_its_spread(was, is_now, is_near):
    error, spread = (0.0, 0.2) if " to " in was or was.endswith(" s") else (0.4, 0.0)
    assert paper.is_near(was, is_now, error, spread) == is_near


def test_rows_of_one_table_alone_are_named():
    table = paper.Table("speed", ("job", "ratio"), list)
    found = list(paper.moved(table, [["BLEU", "20"], ["TER", "1"]], [["BLEU", "25"], ["chrF", "2"]]))
    assert found == ["BLEU, ratio: 20 → 25", "TER: only in the old table", "chrF: only in the new table"]


def test_a_quick_run_writes_what_it_made_on_what_and_says_what_is_missing(tmp_path, capsys):
    assert paper.main([str(tmp_path), "--quick", "--only", "speed", "--out", str(tmp_path / "made")]) == 1
    assert capsys.readouterr().out == f"speed: not made, as there are no texts in {tmp_path / 'wmt22-en-de'}\n"
    machine = dict(paper.read_csv(tmp_path / "made" / "machine.csv"))
    assert {"date", "CPU", "cores", "Python", "numpy", "sacrebleu"} <= machine.keys()
    sources = paper.read_csv(tmp_path / "made" / "sources.csv")
    assert {row[0] for row in sources[1:]} == set(paper.SOURCES)
    assert all(row[1].startswith("https://") and row[3].startswith("MD5 ") for row in sources[1:])


@pytest.mark.thorough
def test_a_rehearsal_makes_every_row_of_a_table_and_keeps_all_that_was_printed(tmp_path, capsys):
    made = tmp_path / "made"
    assert paper.main([str(tmp_path), "--quick", "--only", "families-of-recipes", "--out", str(made)]) == 0
    assert capsys.readouterr().out == "families-of-recipes: 4 of 4 rows rehearsed, not compared\n"
    head, *rows = paper.read_csv(made / "families-of-recipes.csv")
    kept = paper.read_csv(paper.KEPT / "families-of-recipes.csv")
    assert [head, *(row[:2] for row in rows)] == [kept[0], *(row[:2] for row in kept[1:])]
    assert len(list((made / "printed").iterdir())) >= 4
