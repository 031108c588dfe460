"""How a command names files: by role where that says it, and whether it says all of it."""

from dataclasses import replace

import pytest

from bleucore.formats import assemble, guess_roles, read
from bleucore.formats.short_names import with_short_names
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import inputs_of, load, load_sample, read_inputs

TEXTS = {
    "mine.txt": "the cat sat\na dog ran\nthey left\n",
    "yours.txt": "the cat sat down\nthe dog ran\nthey went\n",
    "ref.txt": "the cat sat\nthe dog ran\nthey left\n",
    "src.txt": "die Katze saß\nder Hund lief\nsie gingen\n",
    "docs.txt": "one\none\ntwo\n",
    "topics.txt": "news\ntalk\nnews\n",
    "all.tsv": "source\tref\tmine\nA\tB\tC\nD\tE\tF\nG\tH\tI\n",
}


@pytest.fixture
def read_files(tmp_path, monkeypatch):
    """The columns of some of the files, which lie in the working directory; and of files that are given."""
    monkeypatch.chdir(tmp_path)

    def of(*names, **given):
        texts = {name: (TEXTS | given)[name] for name in (*names, *given)}
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        return [read(name, text.encode()) for name, text in texts.items()]

    return of


def used_of(files, **roles):
    """The columns as they are used, with roles chosen by the names of columns."""
    read_columns = [column for columns in files for column in columns]
    guessed = zip(read_columns, guess_roles(read_columns), strict=True)
    return with_short_names([replace(one, role=roles.get(one.name, guess.role)) for one, guess in guessed])


def assert_reads_the_same(inputs, used):
    assert inputs.is_complete
    assert assemble(read_inputs(inputs)).digest == assemble(used).digest


def test_names_plain_files_by_role(read_files):
    files = read_files("mine.txt", "yours.txt", "ref.txt", "src.txt", "docs.txt")
    inputs = inputs_of(files, used_of(files))
    assert inputs == Inputs(("mine.txt", "yours.txt"), ("ref.txt",), "src.txt", "docs.txt")
    assert_reads_the_same(inputs, used_of(files))


def test_says_roles_that_were_chosen_by_hand(read_files):
    files = read_files("mine.txt", "yours.txt", "ref.txt", "topics.txt")
    used = used_of(files, yours="reference", ref="hypothesis", topics="label")
    inputs = inputs_of(files, used)
    assert inputs == Inputs(("mine.txt", "ref.txt"), ("yours.txt",), labels=("topics.txt",))
    assert_reads_the_same(inputs, used)


def test_leaves_out_a_file_that_was_left_out(read_files):
    files = read_files("mine.txt", "yours.txt", "ref.txt")
    used = used_of(files, yours="ignore")
    inputs = inputs_of(files, used)
    assert inputs == Inputs(("mine.txt",), ("ref.txt",))
    assert_reads_the_same(inputs, used)


def test_names_a_table_that_says_its_roles_itself(read_files):
    files = read_files("all.tsv")
    inputs = inputs_of(files, used_of(files))
    assert inputs == Inputs(("all.tsv",))
    assert_reads_the_same(inputs, used_of(files))


def test_is_not_complete_where_a_name_was_changed(read_files):
    files = read_files("mine.txt", "yours.txt", "ref.txt")
    used = [replace(column, name="other") if column.name == "mine" else column for column in used_of(files)]
    assert not inputs_of(files, used).is_complete


def test_is_not_complete_where_columns_of_a_table_were_given_roles(read_files):
    files = read_files("all.tsv")
    assert not inputs_of(files, used_of(files, source="hypothesis")).is_complete
    assert not inputs_of(files, used_of(files, source="ignore")).is_complete


def test_is_not_complete_where_a_first_row_was_read_otherwise(read_files):
    files = read_files("all.tsv")
    other = guess_roles(read("all.tsv", TEXTS["all.tsv"].encode(), header=False))
    used = [replace(column, name=own.name, role=own.role) for column, own in zip(other, used_of(files), strict=True)]
    assert not inputs_of(files, used).is_complete


def test_is_not_complete_where_two_files_have_the_same_name(read_files):
    files = read_files("mine.txt", "ref.txt")
    same = [*files, read("mine.txt", TEXTS["yours.txt"].encode())]
    assert not inputs_of(same, used_of(same)).is_complete


def test_are_those_of_what_was_opened(read_files):
    read_files("mine.txt", "ref.txt", "docs.txt", "topics.txt")
    opening = Inputs(systems=("mine.txt",), references=("ref.txt",), documents="docs.txt", labels=("topics.txt",))
    loaded = load(opening)
    assert loaded.inputs == Inputs(("mine.txt",), ("ref.txt",), documents="docs.txt", labels=("topics.txt",))
    assert loaded.test_set.documents == ("one", "one", "two")
    assert dict(loaded.test_set.labels) == {"topics": ("news", "talk", "news")}
    assert load_sample().inputs == Inputs(is_sample=True)
