"""A person brings files of other kinds: archives, pasted texts, a folder, another encoding, one that does not fit."""

import io
import random
import zipfile

import pytest

pytestmark = pytest.mark.browser

WORDS = [
    first + second for first in ("ba", "do", "ke", "li", "mu", "re") for second in ("n", "st", "lo", "ti", "ska", "p")
]


def reference(n_lines=60):
    chance = random.Random(1)
    return [" ".join(chance.choices(WORDS, k=12)) for _ in range(n_lines)]


def system(seed):
    chance = random.Random(seed)
    return [
        " ".join(word if chance.random() < 0.7 else chance.choice(WORDS) for word in line.split())
        for line in reference()
    ]


@pytest.fixture
def text(tmp_path):
    """Writes a file of lines or bytes."""

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode())
        return path

    return write


@pytest.fixture
def visitor(visit, empty_server):
    """Somebody with files who has the page of the test set open."""
    return visit(empty_server).open("/test-set")


def messages(visitor):
    """The alerts on the page."""
    return " ".join(visitor.page.get_by_test_id("stAlert").all_inner_texts())


def systems_on_screen(visitor):
    """The table of the Scores page, one click from where a drop leads."""
    visitor.page.get_by_role("heading", name="Summary", exact=True).wait_for()
    visitor.turn_to("Scores")
    visitor.page.get_by_role("heading", name="Scores", exact=True).wait_for()
    return visitor.page.get_by_role("table", name="Systems, best first").inner_text()


def test_an_archive_opens_with_the_folders_as_roles(visitor, text):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"r/system-outputs/team-{number}.txt", "\n".join(system(number)) + "\n")
        archive.writestr("r/references/en.txt", "\n".join(reference()) + "\n")
        archive.writestr("r/metric-scores/BLEU.seg.score", "1\n")
        archive.writestr("__MACOSX/r/._en.txt", b"\0")
    visitor.upload(text("release.zip", buffer.getvalue()))
    assert "left out as scores: r/metric-scores/BLEU.seg.score" in messages(visitor)
    visitor.press("Compare 4 systems with 1 reference")
    table = systems_on_screen(visitor)
    assert all(f"team-{number}" in table for number in range(4))


def test_pasted_texts_are_compared(visitor):
    visitor.page.get_by_text("A whole folder, or texts to paste").click()
    for name, lines in (("online A", system(1)), ("online B", system(2)), ("reference", reference())):
        for label, typed in (("Name of the text", name), ("Text: one segment per line", "\n".join(lines))):
            field = visitor.page.get_by_label(label)
            field.fill(typed)
            field.press("Tab")
            visitor.settle()  # or the button is drawn anew while it is pressed
        visitor.press("Add this text")
        visitor.page.get_by_role("button", name=f"Remove {name}").wait_for()
    visitor.press("Compare 2 systems with 1 reference")
    table = systems_on_screen(visitor)
    assert "online A" in table
    assert "online B" in table


def test_a_folder_opens_with_equal_names_told_apart(visitor, text, tmp_path):
    for folder, lines in (("first", system(1)), ("second", system(2))):
        text(f"runs/{folder}/out.txt", lines)
    text("runs/reference.txt", reference())
    text("runs/.hidden", b"x\n")
    text("runs/bleu.seg.score", b"1\n")
    visitor.page.get_by_text("A whole folder, or texts to paste").click()
    visitor.page.locator("input[type=file]").nth(1).set_input_files(str(tmp_path / "runs"))
    visitor.page.get_by_text("What is what?").wait_for()
    visitor.settle()
    assert "left out as scores: runs/bleu.seg.score" in messages(visitor)
    assert "runs/second/out.txt" in visitor.text()
    visitor.press("Compare 2 systems with 1 reference")
    table = systems_on_screen(visitor)
    assert "first" in table
    assert "second" in table


def test_a_file_in_windows_1252_is_read_so_once_somebody_says_it(visitor, text):
    lines = system(1)
    lines[2] = "ein schönes Haus für Käthe – sagte er"
    latin = text("latin.txt", "".join(f"{line}\n" for line in lines).encode("windows-1252"))
    visitor.upload(latin, text("other.txt", system(2)), text("reference.txt", reference()))
    assert "line 3" in messages(visitor)
    assert visitor.page.get_by_role("button", name="Compare").is_disabled()
    assert "ein schönes Haus für Käthe – sagte er" in visitor.text()
    visitor.press("Read as windows-1252")
    assert "read as windows-1252, because it is not UTF-8" in messages(visitor)
    visitor.press("Compare 2 systems with 1 reference")
    assert "latin" in systems_on_screen(visitor)
    visitor.turn_to("Data")
    assert "read as windows-1252" in visitor.text()
    assert "ein schönes Haus" in visitor.text()


def test_a_faulty_file_and_one_that_slips_are_left_out_and_taken_back(visitor, text):
    short = system(3)
    del short[41]
    visitor.upload(
        text("broken.json", b'{"mt": "a"}\n{"mt": }\n'),
        text("short.txt", short),
        text("good.txt", system(1)),
        text("reference.txt", reference()),
    )
    assert "broken.json, line 2: the JSON is broken" in messages(visitor)
    visitor.press("Leave broken.json out")
    assert "The first line that looks shifted is 42." in messages(visitor)
    visitor.press("Leave short.txt out")
    assert "Left out: broken.json and short.txt." in visitor.text()
    visitor.press("Take back")
    assert "broken.json" in messages(visitor)
    visitor.press("Leave broken.json out")
    visitor.press("Leave short.txt out")
    visitor.press("Compare 1 system with 1 reference")
    assert "good" in systems_on_screen(visitor)


def test_a_drop_box_of_forty_files_shows_whole_rows(visitor, text):
    visitor.upload(*(text(f"sys{number:02}.txt", system(number)) for number in range(39)), text("ref.txt", reference()))
    chips = visitor.page.get_by_test_id("stFileChips").first
    box = chips.bounding_box()
    rows = {chip["y"] for chip in (one.bounding_box() for one in chips.get_by_test_id("stFileChip").all())}
    assert len(rows) >= 3
    heights = [y for y in rows if y < box["y"] + box["height"]]
    one = chips.get_by_test_id("stFileChip").first.bounding_box()["height"]
    assert max(heights) + one <= box["y"] + box["height"] + 1
    assert visitor.page.get_by_role("button", name="Compare 39 systems with 1 reference").is_enabled()
