"""Archives, folders and encodings as a command line names them."""

import zipfile

import pytest

from bleucore import InputError
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import content_digest, load, read_inputs

TEXTS = {"out/A.txt": "a b c d e\n", "out/B.txt": "a b c d x\n", "reference.txt": "a b c d e\n"}


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """A folder of texts with a file of scores, and the same as an archive."""
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("runs.zip", "w") as archive:
        for name, text in (TEXTS | {"bleu.seg.score": "1\n"}).items():
            path = tmp_path / "runs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            archive.writestr(name, text)
    return tmp_path


@pytest.mark.parametrize("name", ["runs.zip", "runs"])
def test_an_archive_or_a_folder_is_named_as_a_file(runs, bleuscope, name):
    code, out, err = bleuscope("score", name, "--format", "tsv")
    assert code == 0
    assert [line.split("\t")[0] for line in out.splitlines()[1:]] == ["A", "B"]
    assert err == f"bleuscope: {name}: left out as scores: bleu.seg.score.\n"


@pytest.mark.parametrize("name", ["runs.zip", "runs"])
def test_the_files_in_it_are_opened_with_what_was_passed_over(runs, name):
    loaded = load(Inputs(systems=(name,)))
    assert loaded.test_set.system_names == ("A", "B")
    assert loaded.notices == (f"{name}: left out as scores: bleu.seg.score.",)


def test_a_change_of_a_file_in_a_folder_is_noticed(runs):
    opening = Inputs(systems=("runs",))
    before = content_digest(opening)
    assert content_digest(opening) == before
    (runs / "runs" / "out" / "B.txt").write_text("other\n")
    assert content_digest(opening) != before


def test_files_of_a_folder_that_is_named_for_references_are_references(runs):
    (runs / "refs").mkdir()
    for name in ("one.txt", "two.txt"):
        (runs / "refs" / name).write_text("a b c d e\n")
    columns = read_inputs(Inputs(("runs/out",), ("refs",)))
    assert [(column.file, column.role) for column in columns] == [
        ("A.txt", "hypothesis"),
        ("B.txt", "hypothesis"),
        ("one.txt", "reference"),
        ("two.txt", "reference"),
    ]


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="there are no texts in it"):
        read_inputs(Inputs((str(tmp_path),)))


class TestEncoding:
    @pytest.fixture
    def latin(self, tmp_path, monkeypatch):
        """A system in Windows-1252 and a reference in UTF-8."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "A.txt").write_bytes("das ist schön und gut\n".encode("windows-1252"))
        (tmp_path / "ref.txt").write_text("das ist schön und gut\n", encoding="utf-8")

    def test_that_is_not_named_is_offered(self, latin, bleuscope):
        code, _, err = bleuscope("score", "A.txt", "-r", "ref.txt")
        assert code == 2
        assert "line 1 is 'das ist schön und gut' then. Option --encoding windows-1252 does so." in err

    def test_that_is_named_holds_for_files_that_are_not_utf_8(self, latin, bleuscope):
        code, out, err = bleuscope("score", "A.txt", "-r", "ref.txt", "--encoding", "windows-1252", "--format", "tsv")
        assert code == 0
        assert "\t100.0" in out
        assert err == "bleuscope: A.txt: read as windows-1252, because it is not UTF-8.\n"

    def test_that_is_unknown_is_refused(self, latin, bleuscope):
        code, _, err = bleuscope("score", "A.txt", "-r", "ref.txt", "--encoding", "klingon")
        assert code == 2
        assert "there is no such encoding here (found 'klingon'" in err


def test_a_byte_order_mark_is_told_by_commands(tmp_path, monkeypatch, bleuscope):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "A.txt").write_bytes(b"\xef\xbb\xbfa b c d e\n")
    (tmp_path / "ref.txt").write_text("a b c d e\n")
    code, out, err = bleuscope("score", "A.txt", "-r", "ref.txt", "--format", "tsv")
    assert code == 0
    assert "\t100.0" in out
    assert err == "bleuscope: A.txt: the byte-order mark at its beginning was dropped; sacreBLEU scores it as text.\n"
