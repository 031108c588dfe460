"""Plain text: compression, encodings and lines."""

import gzip

import pytest

from bleucore.errors import InputError
from bleucore.formats import columns as limits
from bleucore.formats import decoding, is_table, read
from bleucore.formats.columns import Column


def segments(data, name="out.txt", **options):
    (column,) = read(name, data, **options)
    return column.segments


def refusal(data, name="out.txt", **options):
    with pytest.raises(InputError) as caught:
        read(name, data, **options)
    return str(caught.value)


def test_a_plain_text_is_one_unkeyed_column_named_after_the_file():
    assert read("runs/online-A.de.txt", b"eins\nzwei\n") == (
        Column("runs/online-A.de.txt", "online-A.de", None, ("eins", "zwei"), None, 1),
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.txt", "a"),
        ("a.de.txt.gz", "a.de"),
        ("A.TXT.GZ", "A"),
        ("x/y\\z.out", "z"),
        ("plain", "plain"),
        (".hidden", ".hidden"),
        ("folder/", "folder/"),
    ],
)
def test_the_column_takes_the_file_name_without_folder_gz_and_one_ending(name, expected):
    assert read(name, b"x")[0].name == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.tsv", True), ("a.CSV", True), ("a.csv.gz", True), ("a.txt", False), ("tsv", False), ("a.csv.zip", False)],
)
def test_tables_are_told_by_their_names(name, expected):
    assert is_table(name) is expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n", ("a", "b")),
        (b"a\nb", ("a", "b")),
        (b"a\r\nb\r\n", ("a", "b")),
        (b"a\nb\r\n", ("a", "b")),
        (b"a\r\r\nb\n", ("a\r", "b")),
        (b"a\rb\nc\n", ("a\rb", "c")),
        (b"\n", ("",)),
        (b"\n\n", ("", "")),
        (b"a\n\nb\n", ("a", "", "b")),
        (b"a\n\n", ("a", "")),
        (b" a \t\n", (" a \t",)),
    ],
)
def test_lines_end_at_line_feeds_and_nothing_is_lost(data, expected):
    assert segments(data) == expected


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\ufeff", "\x00"])
def test_other_breaks_and_control_characters_stay_inside_a_segment(character):
    text = f"one{character}more words here\ntwo\n"
    assert segments(text.encode()) == (f"one{character}more words here", "two")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_encodings_with_their_mark_read_alike(encoding):
    assert segments("größer\n猫 🐈\n".encode(encoding)) == ("größer", "猫 🐈")


@pytest.mark.parametrize(("mark", "encoding"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_utf_16_in_either_byte_order_reads_alike(mark, encoding):
    assert segments(mark + "größer\r\nrot\n".encode(encoding)) == ("größer", "rot")


def test_an_unknown_encoding_is_not_guessed():
    assert refusal("gut\nschön\n".encode("latin-1")) == (
        "out.txt, line 2: the text is not valid in its encoding (found byte 0xF6, expected UTF-8 (or UTF-16 "
        "with a byte-order mark)). Save the file as UTF-8, or have it read as windows-1252: line 2 is 'schön' then."
    )


def test_broken_utf_16_names_line_bytes_and_the_mark():
    message = refusal(b"\xff\xfe" + "a\nb\n".encode("utf-16-le") + b"\x00\xd8a\x00")
    assert "line 3: the text is not valid in its encoding (found bytes 0x00D8" in message
    assert "expected UTF-16 as its byte-order mark says" in message


def test_utf_16_without_its_mark_is_called_by_its_name():
    assert refusal("ab\n".encode("utf-16-le")) == (
        "out.txt, line 1: this looks like UTF-16 without a byte-order mark (found 3 zero bytes among 6, expected "
        "UTF-8 (or UTF-16 with a byte-order mark)). Save the file as UTF-8, or have it read as utf-16-le: "
        "line 1 is 'ab' then."
    )


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\xff\xfe", gzip.compress(b"", mtime=0)])
def test_an_empty_file_is_refused(data):
    assert refusal(data) == (
        "out.txt: the file is empty (found no text, expected one segment per line). Load the file that holds the text."
    )


def test_carriage_returns_end_lines_where_nothing_else_does():
    assert segments(b"a\rb\rc") == segments(b"a\rb\rc\r") == ("a", "b", "c")
    assert segments(b"a\rb\nc") == ("a\rb", "c")


def test_gzip_is_told_by_its_content_and_may_have_several_parts():
    data = gzip.compress(b"a\nb") + gzip.compress(b"") + gzip.compress(b"c\n")
    assert segments(data, "out.txt") == segments(data, "out.txt.gz") == ("a", "bc")


def test_a_long_gzip_file_is_read_whole():
    lines = tuple(f"line {number} of some length" for number in range(40_000))
    assert segments(gzip.compress("\n".join(lines).encode())) == lines


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (lambda data: data[:-9], "the end of the file in the middle of the data"),
        (lambda data: data[:5], "the end of the file in the middle of the data"),
        (lambda data: data[:-8] + b"\0\0\0\0" + data[-4:], "incorrect data check"),
        (lambda data: data + b"tail", "incorrect header check"),
        (lambda data: data[:2] + b"\x99" + data[3:], "unknown compression method"),
    ],
)
def test_a_damaged_gzip_file_is_refused(damage, found):
    message = refusal(damage(gzip.compress(b"some text\n" * 100)), "out.gz")
    assert message.startswith("out.gz: the gzip file is damaged or cut off (found ")
    assert found in message
    assert message.endswith("expected a complete gzip file). Compress or download the file again.")


def test_a_gzip_bomb_stops_at_the_limit():
    message = refusal(gzip.compress(b"\0" * 10_000_000), max_bytes=1_000_000)
    assert message == (
        "out.txt: the file is too large (found more than 1,000,000 bytes when decompressed, expected at most "
        "1,000,000). Split the test set into smaller files."
    )


def test_a_gzip_file_of_endless_parts_is_refused(monkeypatch):
    monkeypatch.setattr(decoding, "_MAX_GZIP_MEMBERS", 10)
    assert "found more than 10 parts" in refusal(gzip.compress(b"") * 11)


def test_plain_data_beyond_the_limit_is_refused_and_at_the_limit_is_read():
    assert segments(b"12345", max_bytes=5) == ("12345",)
    assert "the file is too large (found 6 bytes, expected at most 5)" in refusal(b"123456", max_bytes=5)


def test_a_file_of_too_many_lines_is_refused(monkeypatch):
    monkeypatch.setattr(limits, "MAX_CELLS", 3)
    assert segments(b"1\n2\n3\n") == ("1", "2", "3")
    assert refusal(b"1\n2\n3\n4\n") == (
        "out.txt: the file holds too many segments or cells (found 4, expected at most 3). "
        "Split the test set into smaller files."
    )


@pytest.mark.parametrize(
    ("data", "kind", "remedy"),
    [
        (b"PK\x03\x04rest", "a ZIP archive", "Unpack it"),
        (b"PK\x03\x04 word/document.xml", "a Word document", "Save its content as plain text"),
        (b"PK\x03\x04 archive/data.pkl", "a PyTorch file", "Save its content as plain text"),
        (b"\x80\x04\x95rest", "a pickle, which is never opened", "Save its content as plain text"),
        (b"GIF89a rest", "an image", "Save its content as plain text"),
        (b"\x01\0\0\0\x02abc" * 40, "binary data", "Save its content as plain text"),
        (b"\n<!DOCTYPE html>\n<p>", "a web page", "Save its content as plain text"),
        (b"<html lang='de'>", "a web page", "Save its content as plain text"),
        (gzip.compress(gzip.compress(b"a", mtime=0), mtime=0), "a gzip file inside a gzip file", "Unpack it"),
        (b"%PDF-1.7\n", "a PDF document", "Save its content as plain text"),
        (b"{\\rtf1 text}", "an RTF document", "Save its content as plain text"),
        (b"f" + b"\0" * 256 + b"ustar\x0000", "a tar archive", "Unpack it"),
    ],
)
def test_files_that_are_no_text_are_refused_with_what_to_do(data, kind, remedy):
    message = refusal(data)
    assert message.startswith(f"out.txt: this is not a text file (found {kind}, expected text). {remedy}")


def test_a_text_that_only_mentions_tar_is_text():
    line = "x" * 257 + "ustar"
    assert segments(line.encode()) == (line,)
