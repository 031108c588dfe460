"""sacreBLEU's own test sets by name: from its cache, which these tests make themselves, and without the network."""

import json
import os
import socket
import subprocess
import sys

import pytest

from bleucore import InputError
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk import test_sets
from bleuscope.shell.disk.files import content_digest, from_environment, load, to_environment

SOURCE = ["A dog runs .", "Two cats .", "  Nobody\there"]
REFERENCE = ["Ein Hund rennt.", "Zwei Katzen.", "Niemand hier"]
SYSTEM = ["Ein Hund läuft.", "Zwei Katzen.", "Niemand da"]
WMT = """<?xml version="1.0"?><dataset id="t">
<doc id="d1" origlang="en" domain="news"><src lang="en"><p><seg id="1">A dog  runs .</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Ein Hund
 rennt.</seg></p></ref><ref lang="de" translator="B"><p><seg id="1">Der Hund rennt.</seg></p></ref>
<hyp lang="de" system="x"><p><seg id="1">Ein Hund</seg></p></hyp></doc>
<doc id="d2" origlang="de" domain="chat"><src lang="en"><p><seg id="1">Two cats .</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Zwei Katzen.</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">2 Katzen.</seg></p></ref>
<hyp lang="de" system="x"><p><seg id="1">Zwei Katzen.</seg></p></hyp></doc></dataset>"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache; whatever is to be downloaded meets a closed door."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "cache"))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    return tmp_path / "cache"


@pytest.fixture
def plain(cache):
    """A test set of plain texts, as sacreBLEU leaves them."""
    folder = cache / "multi30k" / "2016"
    folder.mkdir(parents=True)
    for field, lines in (("src", SOURCE), ("ref", REFERENCE)):
        (folder / f"multi30k_2016.en-de.{field}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def old_wmt(cache):
    """A test set of the years before 2021, with documents, languages and genres that are not known."""
    folder = cache / "wmt14"
    folder.mkdir(parents=True)
    fields = {"src": SOURCE, "ref": REFERENCE, "docid": ["a", "a", "b"], "origlang": ["en", "en", "de"]}
    for field, lines in (fields | {"genre": ["", "", ""]}).items():
        (folder / f"wmt14.en-de.{field}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def new_wmt(cache):
    """A test set since 2021: an archive, and the XML that was in it."""
    raw = cache / "wmt22" / "raw"
    xml = raw / "wmt22-news-systems-1.1" / "xml" / "wmttest2022.en-de.all.xml"
    xml.parent.mkdir(parents=True)
    (raw / "wmt22.v1.1.tar.gz").write_bytes(b"unpacked already")
    xml.write_text(WMT, encoding="utf-8")
    return xml


def columns(name, pair="en-de"):
    return {(column.role, column.name): list(column.segments) for column in test_sets.columns(name, pair)}


class TestColumns:
    def test_of_plain_texts_are_source_and_reference(self, plain):
        assert columns("multi30k/2016") == {("source", "src"): SOURCE, ("reference", "reference"): REFERENCE}

    def test_of_older_sets_have_documents_and_labels_that_say_something(self, old_wmt):
        assert columns("wmt14") == {
            ("source", "src"): SOURCE,
            ("reference", "reference"): REFERENCE,
            ("documents", "docid"): ["a", "a", "b"],
            ("label", "origlang"): ["en", "en", "de"],
        }

    def test_of_newer_sets_have_the_references_that_sacrebleu_takes_and_no_systems(self, new_wmt):
        assert columns("wmt22") == {
            ("source", "src"): ["A dog runs .", "Two cats ."],
            ("reference", "reference A"): ["Ein Hund rennt.", "Zwei Katzen."],
            ("documents", "docid"): ["d1", "d2"],
            ("label", "origlang"): ["en", "de"],
            ("label", "domain"): ["news", "chat"],
        }

    def test_hold_text_that_looks_like_markup_as_text(self, plain):
        (plain / "multi30k_2016.en-de.src").write_text('<?xml version="1.0"?>\n<a>\n&amp;\n')
        assert columns("multi30k/2016")["source", "src"] == ['<?xml version="1.0"?>', "<a>", "&amp;"]


class TestCommand:
    @pytest.fixture(autouse=True)
    def system(self, bleuscope, tmp_path):
        (tmp_path / "system.txt").write_text("\n".join(SYSTEM) + "\n", encoding="utf-8")

    def test_scores_as_sacrebleu_does_on_its_test_set(self, bleuscope, plain):
        code, out, err = bleuscope("score", "system.txt", "-t", "multi30k/2016", "-l", "en-de", "-f", "json")
        assert (code, err) == (0, "")
        options = ["-t", "multi30k/2016", "-l", "en-de", "-i", "system.txt", "-b", "-w", "12"]
        oracle = subprocess.run(
            [sys.executable, "-m", "sacrebleu", *options], capture_output=True, text=True, check=True, timeout=300
        )
        assert json.loads(out)["systems"][0]["bleu"] == pytest.approx(float(oracle.stdout), abs=1e-9)

    def test_slices_by_the_labels_of_the_test_set(self, bleuscope, old_wmt):
        arguments = ["-t", "wmt14", "-l", "en-de", "--by", "origlang", "-f", "json", "--trials", "9"]
        code, out, err = bleuscope("slices", "system.txt", *arguments)
        assert (code, err) == (0, "")
        assert {row["slice"] for row in json.loads(out)["slices"]} == {"en", "de"}

    def test_documents_of_a_file_stand_in_for_those_of_the_test_set(self, bleuscope, old_wmt, tmp_path):
        (tmp_path / "docs.txt").write_text("x\ny\ny\n")
        arguments = ["-t", "wmt14", "-l", "en-de", "--documents", "docs.txt", "-f", "json", "--trials", "9"]
        out = bleuscope("slices", "system.txt", *arguments)[1]
        assert {row["slice"] for row in json.loads(out)["slices"]} == {"x", "y"}

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (["-t", "wmt2", "-l", "en-de"], "no test set of this name (found 'wmt2', expected perhaps wmt24, wmt23,"),
            (["-t", "multi30k2016", "-l", "en-de"], "expected perhaps multi30k/2016"),
            (["-t", "../cache", "-l", "en-de"], "no test set of this name (found '../cache'"),
            (["-t", "wmt22"], "Test set wmt22: the test set needs a language pair (found none, expected one of cs-en,"),
            (["-t", "wmt22", "-l", "de-xx"], "the test set has no such language pair (found 'de-xx'"),
            (["-t", "wmt22", "-l", "en-de", "-r", "system.txt"], "Option --test-set: what to read is named twice"),
            (["-t", "wmt22", "-l", "en-de", "-s", "system.txt"], "Option --test-set: what to read is named twice"),
        ],
    )
    def test_a_name_that_is_none_is_one_line_and_exit_code_2(self, bleuscope, cache, arguments, text):
        code, out, err = bleuscope("score", "system.txt", *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert text in err
        assert not cache.exists()

    def test_without_the_network_it_says_what_to_do_and_leaves_nothing(self, bleuscope, cache):
        code, out, err = bleuscope("score", "system.txt", "-t", "wmt22", "-l", "en-de")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert (
            "Test set wmt22: it is not in sacreBLEU's cache and cannot be downloaded (found connection refused" in err
        )
        assert "SACREBLEU" in err
        assert not cache.exists()


BROKEN = {
    "not as many lines": ("ref", b"Ein Hund rennt.\n", "1 line in multi30k_2016.en-de.ref and 3 in"),
    "not UTF-8": ("ref", b"caf\xe9\nb\nc\n", "the text is not valid in its encoding"),
    "empty": ("src", b"", "the file is empty"),
    "no text": ("src", b"PK\x03\x04...", "a ZIP archive"),
}


class TestBrokenCache:
    @pytest.mark.parametrize(("field", "content", "text"), BROKEN.values(), ids=BROKEN)
    def test_is_named_with_the_folder_to_remove(self, plain, field, content, text):
        (plain / f"multi30k_2016.en-de.{field}").write_bytes(content)
        with pytest.raises(InputError, match="the files in sacreBLEU's cache are broken") as refused:
            columns("multi30k/2016")
        assert refused.value.where == str(plain)
        assert text in str(refused.value)
        assert "Remove that folder" in str(refused.value)

    def test_a_pipe_in_it_is_not_waited_for(self, plain):
        (plain / "multi30k_2016.en-de.src").unlink()
        os.mkfifo(plain / "multi30k_2016.en-de.src")
        with pytest.raises(InputError, match=r"multi30k_2016.en-de.src: no file"):
            columns("multi30k/2016")

    @pytest.mark.parametrize(
        "content",
        [
            WMT[:-40],
            "",
            '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">'
            + "".join(f'<!ENTITY {chr(99 + n)} "{f"&{chr(98 + n)};" * 10}">' for n in range(9))
            + "]><dataset>&k;</dataset>",
        ],
        ids=["cut off", "empty", "entities in entities"],
    )
    def test_hostile_xml_is_refused(self, new_wmt, content):
        new_wmt.write_text(content)
        with pytest.raises(InputError, match="the files in sacreBLEU's cache are broken"):
            columns("wmt22")

    def test_an_archive_that_was_never_unpacked_is_said_so(self, new_wmt):
        new_wmt.unlink()
        with pytest.raises(InputError, match=r"the files in sacreBLEU's cache are broken.*wmttest2022.en-de.all.xml"):
            columns("wmt22")


class TestDownload:
    def test_from_a_server_that_says_nothing_ends(self, cache, monkeypatch):
        monkeypatch.setattr(test_sets, "LONGEST_DOWNLOAD", 1.0)
        said = []
        with socket.create_server(("127.0.0.1", 0)) as silent:
            monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{silent.getsockname()[1]}")
            with pytest.raises(InputError, match=r"cannot be downloaded .found no end after 1 seconds"):
                test_sets.columns("wmt22", "en-de", announce=said.append)
        assert said == [f"wmt22 is downloaded to {cache}"]
        assert not cache.exists()

    def test_comes_into_the_cache_when_it_is_complete(self, cache, monkeypatch, tmp_path):
        """A stand-in for sacreBLEU's process, as the real one would need the network."""
        script = tmp_path / "downloads.py"
        script.write_text(
            "import json, os, pathlib, sys\n"
            "name, pair, mode = sys.argv[1:]\n"
            "folder = pathlib.Path(os.environ['SACREBLEU'], name)\n"
            "if mode == 'download':\n"
            "    (folder / 'raw').mkdir(parents=True)\n"
            "    (folder / 'raw' / 'a.tar.gz').write_text('archive')\n"
            "    (folder / 'raw' / 'a.tar.gz.lock').write_text('')\n"
            "    for field in ('src', 'ref'): (folder / field).write_text('one\\ntwo\\n')\n"
            "files = {field: str(folder / field) for field in ('src', 'ref')}\n"
            "is_there = (folder / 'src').exists()\n"
            "print(json.dumps({'files': files, 'references': [files['ref']]} if is_there else {'is_absent': True}))\n"
        )
        monkeypatch.setattr(test_sets, "SCRIPT", script)
        for _ in range(2):
            assert columns("wmt22") == {("source", "src"): ["one", "two"], ("reference", "reference"): ["one", "two"]}
        found = {str(path.relative_to(cache)) for path in cache.rglob("*") if path.is_file()}
        assert found == {"wmt22/src", "wmt22/ref", "wmt22/raw/a.tar.gz"}
        assert list(cache.glob(".*")) == []

    def test_into_a_place_that_is_no_folder_is_refused(self, tmp_path, monkeypatch):
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("SACREBLEU", str(tmp_path / "file" / "cache"))
        with pytest.raises(InputError, match=r"cannot be downloaded .found .*not a directory"):
            columns("wmt22")


def test_the_dashboard_opens_on_a_test_set(plain, tmp_path, monkeypatch):
    (tmp_path / "system.txt").write_text("\n".join(SYSTEM) + "\n", encoding="utf-8")
    monkeypatch.setenv("BLEUSCOPE_OPENING", "{}")
    opening = Inputs(systems=(str(tmp_path / "system.txt"),), test_set="multi30k/2016", language_pair="en-de")
    to_environment(opening)
    loaded = load(from_environment())
    assert (loaded.title, loaded.inputs.test_set) == ("multi30k/2016 en-de, 1 system", "multi30k/2016")
    assert loaded.test_set.source == tuple(SOURCE)
    assert content_digest(opening) != content_digest(Inputs(systems=opening.systems))


def test_the_dashboard_does_not_open_on_standard_input(bleuscope):
    code, out, err = bleuscope("open", "-", "--no-browser")
    assert (code, out) == (2, "")
    assert "Standard input: the dashboard cannot read it again" in err
