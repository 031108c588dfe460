"""Long work that a page starts: it says how far it is, can be cancelled and started again, and goes on elsewhere."""

import random
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bleuscope.shell.state.page_list import PAGES

pytestmark = pytest.mark.browser

ELSEWHERE = "Data"
"""A page that waits for no scores."""
WORDS = [f"{one}{two}" for one in ("ba", "le", "ni", "so", "tu", "ra", "ke", "mi") for two in "nrstmlkd"]
N_SEGMENTS = 1_500
LONG_WORDS = [one + two for one in WORDS for two in WORDS]
N_LONG_SEGMENTS, N_LONG_WORDS = 300, 1_900
"""Of two systems, TER of so many takes ten minutes of a processor, and processes of its own."""


def served(started, folder, port, lines, draw):
    """A server on two systems and a reference."""
    for name, n_other in (("ref", 0), ("sys-near", 3), ("sys-far", 8)):
        texts = [
            " ".join(draw.sample(line, len(line) - n_other)) + " .\n" if n_other else " ".join(line) + " .\n"
            for line in lines
        ]
        (folder / f"{name}.txt").write_text("".join(texts), encoding="utf-8")
    systems = [str(folder / f"sys-{name}.txt") for name in ("near", "far")]
    return started(folder, port, "open", *systems, "-r", str(folder / "ref.txt"), python=sys.executable)


@pytest.fixture
def server(started, tmp_path, free_port):
    """A server on texts of sentences."""
    draw = random.Random(1)
    lines = [draw.choices(WORDS, k=draw.randint(30, 40)) for _ in range(N_SEGMENTS)]
    server = served(started, tmp_path, free_port(), lines, draw)
    yield server
    server.stop()


@pytest.fixture
def long_server(started, tmp_path, free_port):
    """A server on texts of many words."""
    draw = random.Random(1)
    lines = [draw.sample(LONG_WORDS, N_LONG_WORDS) for _ in range(N_LONG_SEGMENTS)]
    server = served(started, tmp_path, free_port(), lines, draw)
    yield server
    server.stop()


def workers(pid):
    """How many processes a process has at work for it."""
    n_workers = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            parent = process.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            n_workers += int(parent) == pid and "spawn_main" in process.joinpath("cmdline").read_text()
    return n_workers


def wait_for_workers(visitor, pid, expected):
    """Wait until processes are at work, or none is."""
    for _ in range(600):
        if bool(workers(pid)) == expected:
            return
        visitor.page.wait_for_timeout(100)
    pytest.fail(f"processes at work: {workers(pid)}")


def test_ter_can_be_cancelled_started_again_and_left_and_its_processes_end_with_it(visit, long_server):
    visitor = visit(long_server.address).open("/scores")  # drawn before the processors are at work
    page = visitor.page
    page.goto(f"{long_server.address}/{PAGES['scores'].address}?metrics=TER")
    bar = page.get_by_test_id("stProgress").filter(has_text="Scoring")
    bar.wait_for()
    wait_for_workers(visitor, long_server.pid, expected=True)
    cancel = page.locator("[class*='st-key-work-Scoring']").get_by_role("button", name="Cancel")
    cancel.click()
    page.get_by_text("Cancelled: Scoring.").wait_for()
    wait_for_workers(visitor, long_server.pid, expected=False)
    page.get_by_role("button", name="Start again").click()
    bar.wait_for()
    wait_for_workers(visitor, long_server.pid, expected=True)
    page.locator(".st-key-row").get_by_role("link", name=ELSEWHERE).click()
    page.get_by_role("heading", name=ELSEWHERE, exact=True).wait_for()
    assert workers(long_server.pid)
    page.goto(f"{long_server.address}/{PAGES['scores'].address}?metrics=TER")
    bar.wait_for()
    long_server.stop()
    assert not workers(long_server.pid)


def test_a_report_can_be_cancelled_and_started_again_and_goes_on_when_its_page_is_left(visit, server):
    page = visit(server.address).open("/report?report_full=true").page
    bar = page.get_by_test_id("stProgress").filter(has_text="Making the report")
    page.get_by_role("button", name="Make the report").click()
    bar.wait_for()
    page.locator("[class*='st-key-work-Making']").get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled: Making the report.").wait_for()
    page.get_by_role("button", name="Start again").click()
    bar.wait_for()
    page.locator(".st-key-row").get_by_role("link", name=ELSEWHERE).click()
    page.get_by_role("heading", name=ELSEWHERE, exact=True).wait_for()
    page.locator(".st-key-row").get_by_role("link", name="Share", exact=True).click()
    page.get_by_role("button", name="Save report.html").wait_for()
    assert not page.get_by_role("button", name="Make the report").count()
