"""A person brings files and walks through every page."""

import gzip

import pytest

from bleucore import System, TestSet, evaluate
from bleucore.analysis.attribution import attribute
from bleuscope.shell.disk.files import load_sample

pytestmark = pytest.mark.browser

REFERENCE = [
    "The cat is on the mat .",
    "There is a house by the river , and nobody lives in it .",
    "We arrived late at night .",
    "She sells sea shells by the sea shore .",
    "The committee will meet again on Monday .",
    "It never rains but it pours .",
]
SECOND_REFERENCE = [
    "A cat sits on the mat .",
    "A house stands by the river , and no one lives there .",
    "It was late at night when we arrived .",
    "She is selling sea shells on the shore .",
    "On Monday the committee will meet again .",
    "When it rains , it pours .",
]
CAREFUL = [
    "The cat is on the mat .",
    "There is a house by the river , and no one lives in it .",
    "We arrived late at night .",
    "She sells sea shells on the shore .",
    "The committee meets again on Monday .",
    "It never rains but it pours .",
]
CLUMSY = [
    "the the the the the the the",
    "A house is by river and nobody in it lives .",
    "Late we came in night .",
    "She sells shells of sea .",
    "Committee meets Monday .",
    "Never rains it but pours .",
]
SOURCE = [
    "Die Katze liegt auf der Matte .",
    "Am Fluss steht ein Haus , und niemand wohnt darin .",
    "Wir kamen spät in der Nacht an .",
    "Sie verkauft Muscheln am Strand .",
    "Der Ausschuss tritt am Montag wieder zusammen .",
    "Ein Unglück kommt selten allein .",
]


@pytest.fixture
def files(tmp_path):
    """Files as a person has them: one gzipped, one with a byte-order mark and Windows line ends."""
    texts = {"careful": CAREFUL, "reference.A": REFERENCE, "reference.B": SECOND_REFERENCE, "source": SOURCE}
    paths = []
    for name, lines in texts.items():
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    paths.append(tmp_path / "clumsy.txt.gz")
    paths[-1].write_bytes(gzip.compress("\n".join(CLUMSY).encode()))
    paths[-2].write_bytes(b"\xef\xbb\xbf" + "\r\n".join(SOURCE).encode() + b"\r\n")
    return paths


@pytest.fixture
def expected():
    """What the engine says about these files."""
    systems = [System("careful", CAREFUL), System("clumsy", CLUMSY)]
    return evaluate(TestSet(systems, [REFERENCE, SECOND_REFERENCE], SOURCE))


def test_files_are_uploaded_scored_compared_and_read_down_to_highlighted_segments(visit, empty_server, files, expected):
    visitor = visit(empty_server).open()
    assert "Drop" in visitor.text()
    visitor.upload(*files)
    roles = visitor.page.get_by_test_id("stSelectbox").locator("input")
    assert roles.evaluate_all("inputs => inputs.map(input => input.value)") == [
        "system output",
        "reference",
        "reference",
        "source",
        "system output",
    ]
    visitor.press("Compare 2 systems with 2 references")

    visitor.page.get_by_role("heading", name="Summary", exact=True).wait_for()
    visitor.turn_to("Scores")
    table = visitor.page.get_by_role("table", name="Systems, best first").inner_text()
    for name, result in expected.systems.items():
        assert name in table
        assert f"{result.score.score:.2f}" in table
    assert expected.signature in visitor.text()

    visitor.turn_to("Significance")
    assert " BLEU (" in visitor.text()
    visitor.show_panel("Blocks")
    assert "6 blocks of 1 segment each" in visitor.text()
    visitor.turn_to("Compare")
    for result in expected.systems.values():
        assert f"{result.score.score:.2f}" in visitor.text()
    visitor.click_bar("sorted", 0)

    visitor.page.get_by_role("heading", name="Segments", exact=True).wait_for()
    opened = open_segment(visitor)
    parts = attribute(*(expected.systems[name].counts for name in ("careful", "clumsy")), expected.options).segments
    assert abs(parts[opened - 1]) == pytest.approx(abs(parts).max())
    cards = visitor.page.locator(".bs-card .bs-body").all_inner_texts()
    assert cards == [column[opened - 1] for column in (SOURCE, REFERENCE, SECOND_REFERENCE, CAREFUL, CLUMSY)]
    assert visitor.page.locator(".bs-card .bs-m4").count() > 0

    visitor.page.get_by_label("Segment", exact=True).fill("1")
    visitor.page.get_by_label("Segment", exact=True).press("Enter")
    visitor.settle()
    card = visitor.page.locator(".bs-card", has=visitor.page.get_by_text("clumsy", exact=True))
    assert card.locator(".bs-body").inner_text() == CLUMSY[0]
    assert card.locator(".bs-clipped").count() == 6  # without lower-casing, "the" stands once in each reference
    assert card.locator(".bs-m1").count() == 1
    assert "1/7" in visitor.page.get_by_role("table", name="Scores of this segment").inner_text()
    visitor.turn_to("Data")
    assert "6\nsegments" in visitor.text().replace(" ", "")
    assert not visitor.page_errors
    assert not visitor.foreign_requests


def test_results_survive_clicks_page_changes_and_a_reload(visit, empty_server, files):
    visitor = visit(empty_server).open()
    visitor.upload(*files)
    visitor.press("Compare 2 systems")
    visitor.turn_to("Segments")
    visitor.page.keyboard.press("j")
    visitor.settle()
    first = open_segment(visitor)
    visitor.press("Next(?! page)")
    visitor.press("Next(?! page)")
    opened = open_segment(visitor)
    assert opened != first
    for come_back in (lambda: (visitor.turn_to("Scores"), visitor.turn_to("Segments")), visitor.page.reload):
        come_back()
        visitor.settle()
        visitor.page.locator(".bs-card .bs-body").first.filter(has_text=SOURCE[opened - 1]).wait_for()
        assert open_segment(visitor) == opened


def open_segment(visitor):
    """The number of the open segment."""
    return int(visitor.page.get_by_role("spinbutton", name="Segment", exact=True).input_value())


def test_rows_of_the_list_open_their_segment_and_close_it(visit, sample_server):
    visitor = visit(sample_server).open("/segments?sort=as+given")
    visitor.page.locator(".bs-row p").nth(3 * 3).click()
    visitor.settle()
    assert visitor.page.locator(".bs-card .bs-body").first.inner_text() == load_sample().test_set.source[3]
    assert "segment=4" in visitor.page.url
    visitor.page.locator(".bs-opened .bs-head").press("Enter")
    visitor.settle()
    assert visitor.page.locator(".bs-card").count() == 0
    assert "segment=" not in visitor.page.url
