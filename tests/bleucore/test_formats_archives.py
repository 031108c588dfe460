"""Zip and tar archives: what is in them, what is passed over, and what is refused before it is read."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.formats import archives, guess_roles, read, unpacked

FILES = {"runs/online-A.txt": b"a\n", "runs/B/online-A.txt": b"b\n", "reference.txt": "ö\n".encode()}
PATHS = st.lists(
    st.text(st.sampled_from("abcÜ0_- "), min_size=1, max_size=8).map(lambda word: f"x{word}x"), min_size=1, max_size=3
).map(lambda parts: "/".join(parts) + ".txt")


def zipped(files, **options):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            info = path if isinstance(path, zipfile.ZipInfo) else zipfile.ZipInfo(path)
            info.compress_type = options.get("method", zipfile.ZIP_DEFLATED)
            archive.writestr(info, content)
    return buffer.getvalue()


def tarred(files, members=()):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, content in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for member in members:
            archive.addfile(member)
    return buffer.getvalue()


PACKERS = {
    "r.zip": zipped,
    "r.tar": tarred,
    "r.tar.gz": lambda files: gzip.compress(tarred(files)),
    "r.tgz": lambda files: gzip.compress(tarred(files)),
    "r.tar.bz2": lambda files: bz2.compress(tarred(files)),
    "r.tar.xz": lambda files: lzma.compress(tarred(files)),
}


def refusal(data, name="r.zip", **options):
    with pytest.raises(InputError) as caught:
        unpacked(name, data, **options)
    assert str(caught.value).startswith(name)
    assert len(str(caught.value)) < 1_000
    return str(caught.value)


class TestContents:
    @pytest.mark.parametrize("name", PACKERS)
    def test_come_out_by_their_paths_in_order(self, name):
        found = unpacked(name, PACKERS[name](FILES))
        assert dict(found.files) == FILES
        assert [path for path, _ in found.files] == sorted(FILES)
        assert found.notices == ()

    @pytest.mark.parametrize("name", PACKERS)
    def test_are_told_by_content_where_the_name_says_nothing(self, name):
        assert dict(unpacked("download", PACKERS[name](FILES)).files) == FILES

    @given(st.dictionaries(PATHS, st.binary(max_size=300).map(lambda data: b"t" + data), min_size=1, max_size=6))
    def test_that_are_packed_come_back_as_they_were(self, files):
        for name, pack in PACKERS.items():
            assert dict(unpacked(name, pack(files)).files) == files

    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("a.txt", b"text\n"),
            ("a.txt.gz", gzip.compress(b"text\n", mtime=0)),
            ("a.bin", b""),
            ("a.xlsx", zipped({"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"})),
            ("a.pt", zipped({"archive/data.pkl": b"x"})),
        ],
    )
    def test_of_what_is_no_archive_are_the_file_itself(self, name, data):
        assert unpacked(name, data).files == ((name, data),)

    def test_have_names_in_utf_8_even_where_the_archive_does_not_say_so(self):
        data = zipped({"Übersetzung 1.txt": b"a"})
        flag = (0x800).to_bytes(2, "little")
        assert unpacked("r.zip", data.replace(flag, b"\0\0")).files == (("Übersetzung 1.txt", b"a"),)

    def test_that_are_no_texts_are_passed_over_with_a_notice(self):
        files = FILES | {
            "__MACOSX/._reference.txt": b"x",
            ".DS_Store": b"x",
            "runs/Thumbs.db": b"x",
            "metric-scores/en-de/BLEU-refA.seg.score": b"1",
            "en-de.mqm.seg.rating": b"1",
            "README.md": b"x",
        }
        found = unpacked("r.zip", zipped(files))
        assert dict(found.files) == FILES
        assert found.notices == (
            "r.zip: left out as hidden or system files: .DS_Store, __MACOSX/._reference.txt, runs/Thumbs.db.",
            "r.zip: left out as documentation: README.md.",
            "r.zip: left out as scores: en-de.mqm.seg.rating, metric-scores/en-de/BLEU-refA.seg.score.",
        )

    def test_in_folders_of_known_names_have_the_role_of_the_folder(self):
        files = {
            "wmt23/documents/en-de.docs": b"d1\n",
            "wmt23/references/en-de.refA.txt": b"one\n",
            "wmt23/sources/en-de.txt": b"eins\n",
            "wmt23/system-outputs/en-de/GPT4-5shot.txt": b"a\n",
        }
        columns = [
            column
            for path, data in unpacked("w.tgz", gzip.compress(tarred(files))).files
            for column in read(path, data)
        ]
        assert [(column.file, column.name, column.role) for column in guess_roles(columns)] == [
            ("wmt23/documents/en-de.docs", "en-de", "documents"),
            ("wmt23/references/en-de.refA.txt", "reference A", "reference"),
            ("wmt23/sources/en-de.txt", "en-de", "source"),
            ("wmt23/system-outputs/en-de/GPT4-5shot.txt", "GPT4-5shot", "hypothesis"),
        ]


class TestRefusals:
    @pytest.mark.parametrize(
        "path", ["/etc/passwd", "../up.txt", "a/../../b.txt", "C:\\x.txt", "\\\\host\\x.txt", ".."]
    )
    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_of_paths_that_lead_out(self, path, pack):
        assert "a path leads out of the archive" in refusal(pack(FILES | {path: b"x"}))

    @pytest.mark.parametrize(
        "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE]
    )
    def test_of_links_and_devices_in_tar(self, kind):
        member = tarfile.TarInfo("link.txt")
        member.type, member.linkname = kind, "/etc/passwd"
        assert "the archive holds a link or a device (found 'link.txt'" in refusal(tarred(FILES, [member]), "r.tar")

    def test_of_links_in_zip(self):
        info = zipfile.ZipInfo("link.txt")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        assert "the archive holds a link or a device" in refusal(zipped({info: b"/etc/passwd"}))

    @pytest.mark.parametrize("inner", PACKERS)
    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_of_archives_inside_archives(self, inner, pack):
        if inner in ("r.tar.gz", "r.tgz", "r.tar.bz2", "r.tar.xz"):
            (path, content), *_ = unpacked("o", pack({inner: PACKERS[inner](FILES)})).files
            with pytest.raises(InputError):
                read(path, content)
        else:
            assert "an archive lies inside the archive" in refusal(pack({inner: PACKERS[inner](FILES)}))

    def test_of_encrypted_entries(self):
        data = bytearray(zipped({"a.txt": b"x"}))
        central = data.index(b"PK\x01\x02")
        data[6] |= 1
        data[central + 8] |= 1
        assert "the archive is encrypted (found 'a.txt'" in refusal(bytes(data))

    def test_of_uncommon_compression(self):
        assert "compressed in an uncommon way" in refusal(zipped({"a.txt": b"x"}, method=zipfile.ZIP_LZMA))

    def test_of_two_files_with_one_path(self):
        data = tarred({"a.txt": b"x"}, [tarfile.TarInfo("./a.txt")])
        assert "two files of the archive have the same path" in refusal(data, "r.tar")

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", PACKERS)
    def test_of_bombs(self, name):
        bomb = {"bomb.txt": b"\n" * 20_000_000}
        message = refusal(PACKERS[name](bomb), name, max_bytes=10_000_000)
        assert "holds too much" in message or "compressed more than texts can be" in message

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", [name for name in PACKERS if name != "r.tar"])
    def test_of_dense_bombs_below_the_limit(self, name):
        assert "compressed more than texts can be" in refusal(PACKERS[name]({"bomb.txt": b"\n" * 20_000_000}), name)

    def test_of_a_size_that_is_declared_too_small(self):
        data = bytearray(zipped({"a.txt": b"x" * 5_000}))
        central = data.index(b"PK\x01\x02")
        data[central + 24 : central + 28] = (10).to_bytes(4, "little")
        assert "the archive is damaged or cut off" in refusal(bytes(data))

    def test_of_a_sparse_file(self):
        member = tarfile.TarInfo("a.txt")
        member.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.map": "0,1"}
        member.pax_headers |= {"GNU.sparse.size": str(10**15), "GNU.sparse.numblocks": "1"}
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
            archive.addfile(member)
        refusal(buffer.getvalue(), "r.tar")

    def test_of_too_many_files(self, monkeypatch):
        monkeypatch.setattr(archives, "MAX_ENTRIES", 2)
        for pack in (zipped, tarred):
            assert "the archive holds too many files (found 3, expected at most 2)" in refusal(pack(FILES))

    @pytest.mark.parametrize("files", [{}, {"README.md": b"x"}])
    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_of_archives_without_texts(self, files, pack):
        if files or pack is zipped:
            assert "there are no texts in it" in refusal(pack(files))

    @pytest.mark.parametrize("name", PACKERS)
    def test_of_archives_that_are_cut(self, name):
        data = PACKERS[name]({"a.txt": bytes(range(256)) * 40})
        for length in (len(data) // 2, len(data) // 3):
            refusal(data[:length], name)

    @given(st.sampled_from(sorted(PACKERS)), st.integers(0, 5_000), st.integers(0, 8), st.binary(max_size=6))
    def test_or_contents_are_all_that_comes_of_mutated_archives(self, name, place, length, replacement):
        data = PACKERS[name](FILES)
        place %= len(data)
        mutated = data[:place] + replacement + data[place + length :]
        try:
            found = unpacked(name, mutated)
        except InputError:
            return
        assert all(isinstance(content, bytes) and ".." not in path for path, content in found.files)

    def test_are_quick(self, without_hanging):
        with without_hanging():
            refusal(b"PK\x05\x06" + b"\0" * 5_000_000)
            refusal(b"PK\x03\x04" * 1_000_000)
            refusal(gzip.compress(b"\0" * 50_000_000), "r.tgz")
