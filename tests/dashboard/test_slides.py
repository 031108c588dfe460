"""Six slides of a comparison: what each says, that names stay as they are, and that equal input gives equal bytes."""

import io
import re

import pytest
from pptx import Presentation

from bleucore import InputError, System, TestSet
from bleucore.checks import check
from bleucore.installing import how_to_add
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.slides import deck as module
from bleuscope.content.slides.deck import HEIGHT, NO_FINDINGS, WIDTH, slides
from tests.dashboard.report_page import has_button

LINES = [f"the cat number {at} sat on the mat and saw the dog of house {at % 5} ." for at in range(12)]
QUICK = SignificanceOptions(trials=99, resamples=60)
HOSTILE = "<b>&amp;\x1b[31m\u202eevil\x00\ufffe=cmd()"


def study(*names):
    systems = [System(name, [line[: 30 + 3 * place] for line in LINES]) for place, name in enumerate(names)]
    return make_study(TestSet(systems, [LINES]), Settings(significance=QUICK))


def deck_of(one, findings=(), **options):
    return Presentation(io.BytesIO(slides(one, findings, **options)))


def texts_of(slide):
    found = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
    tables = [shape.table for shape in slide.shapes if shape.has_table]
    return "\n".join([*found, *(cell.text for table in tables for row in table.rows for cell in row.cells)])


def test_are_six_with_the_verdict_first():
    one = study("x", "y")
    verdict, table, _, segments, settings, checks = deck_of(one, title="Spring", date="today").slides
    assert texts_of(verdict).startswith("Spring\n")
    assert "y" in texts_of(verdict)
    assert "today" in texts_of(verdict)
    assert {"system", "x", "y"} <= set(texts_of(table).split("\n"))
    assert "Segment " in texts_of(segments)
    assert "seed:" in texts_of(settings)
    assert "BLEU|nrefs:1|" in texts_of(settings)
    assert NO_FINDINGS in texts_of(checks)


def test_name_what_the_checks_found():
    one = study("x", "y")
    findings = check(TestSet([System("x", LINES), System("y", ["", *LINES[1:]])], [LINES]))
    assert findings
    assert findings[0].subject in texts_of(deck_of(one, findings).slides[5])


@pytest.mark.parametrize("names", [("x",), ("x", "y"), tuple(f"system-{at}" for at in range(14))])
def test_have_one_layout_for_any_number_of_systems(names):
    deck = deck_of(study(*names))
    assert len(deck.slides) == 6
    for slide in deck.slides:
        for shape in slide.shapes:
            assert shape.left >= 0
            assert (shape.left + shape.width) / 914_400 <= WIDTH
            assert (shape.top + shape.height) / 914_400 <= HEIGHT


def test_are_the_same_bytes_for_the_same_study():
    assert slides(study("x", "y"), ()) == slides(study("x", "y"), ())


def test_show_hostile_names_as_they_are_without_what_is_invisible():
    deck = deck_of(study(HOSTILE, "y"), title=HOSTILE)
    everything = "".join(map(texts_of, deck.slides))
    assert "<b>&amp;" in everything
    assert not {"\x1b", "\u202e", "\x00", "\ufffe"} & set(everything)


def test_are_refused_without_the_package(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=re.escape(f"Install it with: {how_to_add('slides')}")):
        slides(study("x", "y"), ())


class TestCommand:
    @pytest.fixture(autouse=True)
    def files(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        for name, cut in (("a", 30), ("b", 40), ("ref", 99)):
            (tmp_path / f"{name}.txt").write_text("".join(f"{line[:cut]}\n" for line in LINES), encoding="utf-8")
        return ["a.txt", "b.txt", "-r", "ref.txt", "--trials", "99", "--resamples", "99"]

    def test_writes_the_slides_alone_or_with_the_report(self, bleuscope, files, tmp_path):
        code, out, _ = bleuscope("report", *files, "--slides", "deck.pptx")
        assert (code, out) == (0, "")
        assert len(Presentation(tmp_path / "deck.pptx").slides) == 6
        assert bleuscope("report", *files, "--slides", "again.pptx", "-o", "report.html")[0] == 0
        assert (tmp_path / "again.pptx").read_bytes() == (tmp_path / "deck.pptx").read_bytes()
        assert (tmp_path / "report.html").exists()

    def test_refuses_another_ending(self, bleuscope, files):
        code, out, err = bleuscope("report", *files, "--slides", "deck.odp")
        assert (code, out) == (2, "")
        assert "Write --slides deck.pptx." in err

    def test_says_how_to_install_what_is_missing(self, bleuscope, files, monkeypatch):
        monkeypatch.setattr(module, "find_spec", lambda _: None)
        code, _, err = bleuscope("report", *files, "--slides", "deck.pptx")
        assert code == 2
        assert "python-pptx" in err


def test_the_page_offers_them_where_the_package_is_there(open_page, monkeypatch):
    assert has_button(open_page("report"), "make_slides")
    monkeypatch.setattr("bleuscope.shell.analysis.report_panel.can_make_slides", lambda: False)
    assert not has_button(open_page("report"), "make_slides")
