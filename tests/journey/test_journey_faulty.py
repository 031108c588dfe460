"""A person brings files that do not fit: the page says what is wrong, and what was open stays."""

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


def test_unequal_lines_are_named_with_file_found_and_expected(visit, empty_server, text):
    visitor = visit(empty_server).open()
    visitor.upload(text("short.txt", "one\ntwo\n"), text("ref.txt", "one\ntwo\nthree\n"))
    shown = messages(visitor)
    for part in ("short.txt", "2", "3", "ref.txt", "one line per segment"):
        assert part in shown
    assert visitor.page.get_by_role("button", name="Compare").is_disabled()


def test_broken_xml_is_named_with_its_line(visit, empty_server, text):
    visitor = visit(empty_server).open()
    visitor.upload(text("broken.xml", '<mteval>\n<tstset sysid="a">\n<doc docid="d"></tstset></mteval>'))
    shown = messages(visitor)
    for part in ("broken.xml", "line 3", "XML is broken"):
        assert part in shown


def test_a_wrong_encoding_is_named_with_line_and_remedy(visit, empty_server, text):
    visitor = visit(empty_server).open()
    visitor.upload(text("latin.txt", "gut\nschön\n".encode("latin-1")), text("ref.txt", "good\nnice\n"))
    shown = messages(visitor)
    for part in ("latin.txt", "line 2", "0xF6", "UTF-8"):
        assert part in shown


def test_an_entity_bomb_is_refused(visit, empty_server, text):
    bomb = '<!DOCTYPE mteval [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><mteval><srcset>&b;</srcset></mteval>'
    visitor = visit(empty_server).open()
    visitor.upload(text("bomb.xml", bomb))
    assert "never expanded" in messages(visitor)


def test_what_was_open_stays_when_new_files_are_faulty(visit, sample_server, text):
    visitor = visit(sample_server).open("/test-set")
    visitor.upload(text("short.txt", "one\n"), text("ref.txt", "one\ntwo\n"))
    assert "short.txt" in messages(visitor)
    assert "216" in visitor.page.get_by_test_id("stSidebar").inner_text()
    visitor.turn_to("Scores")
    assert "neural-40k" in visitor.text()


def test_without_a_reference_the_page_asks_for_one(visit, empty_server, text):
    visitor = visit(empty_server).open()
    visitor.upload(text("a.txt", "one\n"), text("b.txt", "two\n"))
    assert "No reference yet" in messages(visitor)


def test_every_page_without_a_test_set_says_what_to_do(visit, empty_server):
    visitor = visit(empty_server)
    for path in ("/scores", "/significance", "/compare", "/ngrams", "/slices", "/segments"):
        visitor.open(path)
        assert "Open a test set first" in visitor.text()
    visitor.press("Open the sample comparison")
    assert visitor.page.get_by_role("heading", name="Segments", exact=True).count() == 1


def test_a_file_that_did_not_arrive_is_said_in_words_and_left_out_only_when_asked(visit, serve, text):
    visitor = visit(serve("open", "--session-uploads", "1")).open()
    files = visitor.page.locator("input[type=file]").first
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
