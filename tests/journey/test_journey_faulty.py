"""A person brings a file that does not arrive: the page says so."""

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def text(tmp_path):
    """Writes a file."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def messages(visitor):
    """The alerts on the page."""
    return " ".join(visitor.page.get_by_test_id("stAlert").all_inner_texts())


def test_a_file_that_did_not_arrive_is_said_in_words_and_left_out_only_when_asked(visit, empty_server, text):
    visitor = visit(empty_server).open()
    files = visitor.page.locator("[class*=st-key-upload-] input[type=file]")
    files.set_input_files(text("слишком много.txt", "x\n" * 600_000))
    visitor.page.get_by_text("the file did not arrive").wait_for()
    visitor.page.get_by_test_id("stFileChip").hover()
    visitor.page.get_by_test_id("stTooltipErrorContent").wait_for(state="attached")
    assert "AxiosError" not in visitor.page.locator("body").inner_text()
    visitor.upload(text("one.txt", "a b\n"), text("ref.txt", "a b\n"))
    assert "слишком много.txt: the file did not arrive" in messages(visitor)
    compare = visitor.page.get_by_role("button", name="Compare")
    assert compare.is_disabled()
    visitor.press("Go on without it")
    assert compare.is_enabled()
