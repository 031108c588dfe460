"""Texts that are not UTF-8: what is offered, and what is read once somebody says so; byte-order marks."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.errors import EncodingError
from bleucore.formats import read
from bleucore.formats.encodings import READABLE, codec_of, encoding_offers

TEXTS = {
    "windows-1252": ("Das ist schön und grün.", "Voilà l’été à Besançon, où l'œuvre naît.", "¿Dónde está el niño?"),
    "windows-1250": ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "Zażółć gęślą jaźń, proszę bardzo."),
    "iso-8859-2": ("Zażółć gęślą jaźń, proszę bardzo.",),
    "windows-1251": ("Привет, мир! Это хорошая погода, не так ли?", "Привіт, світе! Їжак їсть ґрунт."),
    "koi8-u": ("Привет, мир! Это хорошая погода сегодня.",),
    "windows-1253": ("Καλημέρα κόσμε, τι κάνεις σήμερα;",),
    "windows-1254": ("Günaydın dünya, bugün nasılsınız? İşte şöyle.",),
    "windows-1255": ("שלום עולם, מה שלומך היום?",),
    "windows-1256": ("مرحبا بالعالم كيف حالك اليوم؟",),
    "windows-1257": ("Ąžuolas žaliuoja šiandien, ačiū už viską.",),
    "windows-874": ("สวัสดีชาวโลก วันนี้เป็นอย่างไร",),
    "gb18030": ("今天天气很好，我们去公园散步吧。",),
    "big5": ("今天天氣很好，我們去公園散步吧。",),
    "shift_jis": ("今日は天気がいいので、公園を散歩しましょう。",),
    "euc-jp": ("今日は天気がいいので、カタカナ。",),
    "euc-kr": ("오늘은 날씨가 좋아서 공원에 산책하러 갑시다.",),
}
CASES = [(encoding, text) for encoding, texts in TEXTS.items() for text in texts]


def refused(data, name="out.txt", **options):
    with pytest.raises(InputError) as caught:
        read(name, data, **options)
    return caught.value


class TestOffers:
    @pytest.mark.parametrize(("encoding", "text"), CASES)
    def test_the_encoding_of_a_sentence_comes_first_with_the_line_so_read(self, encoding, text):
        error = refused(f"plain\n{text}\n".encode(codec_of(encoding)))
        assert isinstance(error, EncodingError)
        best = error.offers[0]
        assert (best.encoding, best.line, best.text) == (encoding, 2, text)
        assert error.remedy.endswith(f"have it read as {encoding}: line 2 is {text!r} then.")

    def test_encodings_that_read_a_text_alike_are_offered_once(self):
        offers = encoding_offers("grün\n".encode("windows-1252"))
        assert [offer.encoding for offer in offers].count("windows-1252") == 1
        assert len({offer.text for offer in offers}) == len(offers)

    def test_nothing_is_offered_where_nothing_fits(self):
        assert encoding_offers(bytes(range(128, 160)) + bytes(range(32))) == ()

    def test_utf_16_without_its_mark_is_offered(self):
        error = refused("größer als\n".encode("utf-16-be"))
        assert error.offers[0].encoding == "utf-16-be"

    def test_a_long_line_is_shown_from_before_what_is_not_ascii(self):
        (offer, *_) = encoding_offers(("x" * 5_000 + " für immer\n").encode("windows-1252"))
        assert "für immer" in offer.text
        assert len(offer.text) < 200

    @given(st.binary(max_size=200))
    def test_any_bytes_have_offers_that_can_be_read(self, data):
        for offer in encoding_offers(data):
            data.decode(codec_of(offer.encoding))


class TestReadingAsSaid:
    @pytest.mark.parametrize(("encoding", "text"), CASES)
    def test_gives_the_text_with_a_notice(self, encoding, text):
        (column,) = read("out.txt", f"{text}\n".encode(codec_of(encoding)), encoding=encoding)
        assert column.segments == (text,)
        assert column.notices == (f"out.txt: read as {encoding}, because it is not UTF-8.",)

    def test_changes_nothing_of_a_file_that_is_utf_8_or_marked(self):
        for data in ("schön\n".encode(), "schön\n".encode("utf-16")):
            (column,) = read("out.txt", data, encoding="windows-1251")
            assert column.segments == ("schön",)
            assert not any("windows-1251" in notice for notice in column.notices)

    def test_reaches_tables_json_and_xml(self):
        for name, text in (
            ("t.tsv", "source\tmt\nschön\tgrün\n"),
            ("t.jsonl", '{"source": "schön", "mt": "grün"}\n'),
            ("t.xml", '<srcset setid="s"><doc docid="d"><seg id="1">schön</seg></doc></srcset>'),
        ):
            assert read(name, text.encode("latin-1"), encoding="windows-1252")[0].segments == ("schön",)

    def test_leaves_what_an_xml_declaration_says(self):
        text = '<?xml version="1.0" encoding="iso-8859-1"?>'
        text += '<srcset setid="s"><doc docid="d"><seg id="1">ö</seg></doc></srcset>'
        assert read("t.xml", text.encode("latin-1"), encoding="windows-1251")[0].segments == ("ö",)

    def test_in_an_unknown_encoding_is_refused(self):
        assert "there is no such encoding here (found 'klingon'" in str(refused(b"\xff\n", encoding="klingon"))

    def test_in_an_encoding_that_does_not_fit_is_refused_with_the_line(self):
        message = str(refused(b"a\n\x81\n", encoding="shift_jis"))
        assert message.startswith(
            "out.txt, line 2: the text is not valid in the encoding that was named (found byte 0x81"
        )

    @pytest.mark.parametrize("name", ["CP1252", "cp-1252", "Windows_1252", "latin-1", "SJIS", "utf-16"])
    def test_takes_common_other_names(self, name):
        assert codec_of(name) in {"windows-1252", "iso-8859-1", "cp932", "utf-16-le"}

    def test_every_readable_encoding_is_known_to_python(self):
        for name in READABLE:
            assert "abc".encode(codec_of(name)).decode(codec_of(name)) == "abc", name


class TestByteOrderMarks:
    TABLE = "source\tmt\na\tb\n"

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("out.txt", "a\n"),
            ("t.tsv", TABLE),
            ("t.csv", TABLE.replace("\t", ",")),
            ("t.jsonl", '{"mt": "a"}\n'),
            ("t.xml", '<srcset setid="s"><doc docid="d"><seg id="1">a</seg></doc></srcset>'),
        ],
    )
    def test_are_dropped_with_a_notice_in_every_format(self, name, text):
        for column in read(name, text.encode("utf-8-sig")):
            assert column.notices == (
                f"{name}: the byte-order mark at its beginning was dropped; sacreBLEU scores it as text.",
            )
            assert column.segments in (("a",), ("b",))

    def test_are_dropped_in_gzip_files_too(self):
        (column,) = read("out.txt.gz", gzip.compress(b"\xef\xbb\xbfa\n"))
        assert column.segments == ("a",)
        assert len(column.notices) == 1

    def test_of_utf_16_say_how_the_file_was_read(self):
        (column,) = read("out.txt", "a\n".encode("utf-16"))
        assert column.notices == ("out.txt: read as UTF-16-LE, as the byte-order mark at its beginning says.",)

    def test_that_are_not_there_are_not_mentioned(self):
        assert read("out.txt", b"a\n")[0].notices == ()
