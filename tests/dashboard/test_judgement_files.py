"""Files with judgements, and whole test sets with them, from disk."""

import zipfile
from pathlib import Path

import pytest

from bleucore import InputError, System, TestSet
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.judgement_files import judgements_of, read_eval_set

SET = TestSet([System("A", ["ein", "zwei"])], [["eins", "zwei"]])


@pytest.fixture
def tree(tmp_path) -> Path:
    folder = tmp_path / "wmt22"
    for path, content in {
        "references/en-de.refA.txt": "eins\nzwei\n",
        "references/en-ja.refA.txt": "一\n二\n",
        "system-outputs/en-de/A.txt": "ein\nzwei\n",
        "system-outputs/en-ja/A.txt": "壱\n二\n",
        "human-scores/en-de.mqm.seg.score": "A -1\nA None\n",
        "human-scores/en-ja.mqm.seg.score": "broken",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return folder


def zip_of(tree: Path) -> Path:
    with zipfile.ZipFile(tree.parent / "wmt22.zip", "w") as archive:
        for path in tree.rglob("*.*"):
            if path.is_file():
                archive.write(path, path.relative_to(tree.parent))
    return tree.parent / "wmt22.zip"


@pytest.mark.parametrize("place", [lambda tree: tree, zip_of], ids=["folder", "zip"])
def test_a_test_set_is_read_from_a_folder_or_an_archive(tree, place):
    """Of the language pair that is chosen; files of others are not looked at."""
    found = read_eval_set(str(place(tree)), "en-de")
    assert (found.languages, found.standard_reference) == ("en-de", "refA")
    assert [row.value for row in found.judgements["mqm"].rows] == [-1]
    with pytest.raises(InputError, match="several language pairs"):
        read_eval_set(str(place(tree)))


def test_several_test_sets_beside_each_other_are_told_apart(tree):
    (tree.parent / "wmt23" / "system-outputs" / "en-de").mkdir(parents=True)
    (tree.parent / "wmt23" / "system-outputs" / "en-de" / "A.txt").write_text("ein\n")
    with pytest.raises(InputError, match=r"there are several test sets \(found wmt22, wmt23"):
        read_eval_set(str(tree.parent), "en-de")


def test_what_is_no_tree_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("x\n")
    with pytest.raises(InputError, match="neither a folder nor an archive"):
        read_eval_set(str(tmp_path / "a.txt"))
    with pytest.raises(InputError, match="this is no test set in the layout of mt-metrics-eval"):
        read_eval_set(str(tmp_path))
    with pytest.raises(InputError, match="cannot be read"):
        read_eval_set(str(tmp_path / "missing.zip"))


def test_judgements_of_several_files_have_names_of_their_own(tmp_path):
    for name, score in (("first.csv", 10), ("second.csv", 20)):
        rows = [f"r,A,{item},TGT,eng,deu,{score},d#A,False,[],1.5,2.5\n" for item in (1, 2)]
        (tmp_path / name).write_text("".join(rows))
    test_set = TestSet(SET.systems, SET.references, documents=["d", "d"])
    files = (str(tmp_path / "first.csv"), str(tmp_path / "second.csv"))
    found = judgements_of(Inputs(judgements=files), test_set)
    assert [one.name for one in found] == ["ESA", "ESA (2)"]
    assert [one.rows[0].value for one in found] == [10, 20]
