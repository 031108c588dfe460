"""From files on disk to a test set: the sample, and what was named on the command line."""

import json
import os
import re
from pathlib import Path

import pytest

from bleucore import InputError
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import (
    NAMED_FILES,
    OPENING_VARIABLE,
    SAMPLE,
    SAMPLE_FILES,
    from_environment,
    load,
    load_sample,
    read_bytes,
    read_inputs,
    to_environment,
    upload_origin,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory, with three texts of two lines."""
    for name in ("x.txt", "y.txt", "z.txt"):
        (tmp_path / name).write_text(f"{name} one\n{name} two\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestSample:
    def test_is_complete(self):
        loaded = load_sample()
        test_set = loaded.test_set
        assert loaded.origin == SAMPLE
        assert test_set.system_names == tuple(Path(name).stem for name in SAMPLE_FILES[4:])
        assert (test_set.n_segments, len(test_set.references), len(set(test_set.documents))) == (216, 2, 12)
        assert test_set.source[0] == "Streit um die Lorbebrücke"

    def test_is_the_same_every_time(self):
        assert load_sample().test_set.digest == load_sample().test_set.digest


class TestRoles:
    def roles(self, systems, references=(), source=None):
        return [(one.name, one.role) for one in read_inputs(Inputs(tuple(systems), tuple(references), source))]

    def test_are_those_that_the_files_were_named_for(self, folder):
        assert self.roles(["x.txt"], ["y.txt"], "z.txt") == [
            ("x", "hypothesis"),
            ("reference y", "reference"),
            ("z", "source"),
        ]

    def test_named_for_a_file_beat_what_its_name_says(self, folder):
        (folder / "reference.txt").write_text("a\nb\n")
        assert self.roles(["reference.txt"], ["x.txt"]) == [("reference", "hypothesis"), ("reference x", "reference")]

    def test_are_guessed_where_no_reference_is_named(self, folder):
        (folder / "ref.txt").write_text("a\nb\n")
        assert self.roles(["x.txt", "ref.txt"]) == [("x", "hypothesis"), ("reference", "reference")]

    def test_of_a_table_are_those_of_its_columns(self, folder):
        (folder / "t.tsv").write_text("source\tsys1\tref\na\tb\tc\n")
        assert self.roles([], ["t.tsv"]) == [("source", "source"), ("sys1", "hypothesis"), ("reference", "reference")]

    def test_of_nothing_are_none(self):
        assert read_inputs(Inputs()) == ()


class TestReading:
    def test_a_file_that_is_not_there_is_named(self, folder):
        text = (
            "nowhere.txt: the file cannot be read (found no such file or directory). "
            "Check the name, and that the file may be read."
        )
        with pytest.raises(InputError, match=f"{re.escape(text)}$"):
            read_inputs(Inputs(("nowhere.txt",)))

    def test_a_folder_is_no_file(self, tmp_path):
        with pytest.raises(InputError, match=re.escape("the file cannot be read (found is a directory)")):
            read_bytes(tmp_path)

    def test_a_name_that_no_file_can_have_is_refused_alike(self, folder):
        with pytest.raises(InputError, match="the file cannot be read"):
            read_inputs(Inputs(("a" * 5_000,)))


class TestOpening:
    @pytest.fixture(autouse=True)
    def _environment(self, monkeypatch):
        monkeypatch.setenv(OPENING_VARIABLE, "{}")

    @pytest.mark.parametrize(
        "opening",
        [
            Inputs(),
            Inputs(is_sample=True),
            Inputs(systems=("a b.txt", "ü.txt"), references=('"r".txt',), source="s'.txt"),
        ],
    )
    def test_passes_through_the_environment_unchanged(self, opening):
        to_environment(opening)
        assert json.loads(os.environ[OPENING_VARIABLE])
        assert from_environment() == opening

    def test_of_nothing_loads_nothing(self, monkeypatch):
        assert load(from_environment()) is None
        monkeypatch.delenv(OPENING_VARIABLE)
        assert from_environment() == Inputs()

    def test_of_the_sample_loads_it(self):
        assert load(Inputs(is_sample=True)).test_set.digest == load_sample().test_set.digest

    def test_of_files_loads_them(self, folder):
        loaded = load(Inputs(systems=("x.txt",), references=("y.txt",), source="z.txt"))
        assert loaded.origin == NAMED_FILES
        assert loaded.test_set.system_names == ("x",)
        assert loaded.test_set.reference_names == ("reference y",)
        assert loaded.test_set.source == ("z.txt one", "z.txt two")

    @pytest.mark.parametrize(
        ("opening", "text"),
        [
            (Inputs(references=("y.txt",)), "there is no hypothesis"),
            (Inputs(source="z.txt"), "there is no hypothesis"),
            (Inputs(systems=("x.txt",)), "there is no reference"),
            (Inputs(systems=("x.txt",), references=("gone.txt",)), "gone.txt: the file cannot be read"),
        ],
    )
    def test_of_files_that_do_not_make_a_test_set_says_why(self, folder, opening, text):
        with pytest.raises(InputError, match=text):
            load(opening)


def test_an_upload_is_named_by_its_content(sample, twins):
    assert re.fullmatch(r"[0-9a-f]{32}", upload_origin(sample.test_set))
    assert upload_origin(sample.test_set) != upload_origin(twins.test_set)
    assert upload_origin(sample.test_set) == upload_origin(load_sample().test_set)
