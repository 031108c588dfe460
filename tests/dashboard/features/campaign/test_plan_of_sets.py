"""``bleuscope plan`` on a folder of several test sets."""

import json
import zipfile

import pytest
import yaml

TABLE = "source\treference\tone\ttwo\n" + "".join(
    f"ein Haus {number}\ta house stands {number}\ta house is {number}\tthe house stands {number}\n"
    for number in range(6)
)


def test_several_sets_are_all_there(bleuscope, tmp_path):
    lines = {"a": "der Hund läuft weit {}", "b": "ein Hund lief weit {}", "ref": "der Hund lief weit {}"}
    for pair in ("en-de", "en-fr"):
        place = tmp_path / "sets" / pair
        place.mkdir(parents=True)
        for name, line in lines.items():
            texts = "".join(f"{line.format(number)} {pair}\n" for number in range(6))
            (place / f"{name}.txt").write_text(texts, encoding="utf-8")
    code, out, _ = bleuscope("plan", "sets", "--format", "json")
    assert code == 0
    assert len(json.loads(out)["sets"]) == 2


def two_sets(place):
    lines = {"a": "der Hund läuft weit {}", "b": "ein Hund lief weit {}", "ref": "der Hund lief weit {}"}
    for pair in ("en-de", "en-fr"):
        (place / pair).mkdir(parents=True)
        for name, line in lines.items():
            texts = "".join(f"{line.format(number)} {pair}\n" for number in range(6))
            (place / pair / f"{name}.txt").write_text(texts, encoding="utf-8")


def test_scores_of_several_sets_are_not_mixed_and_the_campaign_is_named(bleuscope, tmp_path):
    two_sets(tmp_path / "sets")
    code, out, err = bleuscope("score", "sets")
    assert (code, out) == (2, "")
    assert "there are several test sets" in err
    assert "bleuscope campaign sets scores all of them" in err
    assert bleuscope("campaign", "sets", "--no-workspace")[0] == 0
    assert bleuscope("score", "sets/en-de")[0] == 0


def test_several_sets_in_files_that_are_named_one_by_one_need_a_decision(bleuscope, tmp_path):
    two_sets(tmp_path / "sets")
    files = sorted(str(path) for path in (tmp_path / "sets").rglob("*.txt"))
    code, out, _ = bleuscope("plan", *files, "--format", "json")
    assert code == 2
    plan = json.loads(out)
    assert [(one["name"], one["items"]) for one in plan["sets"]] == [("en-de", 6), ("en-fr", 6)]
    assert "there are several test sets" in plan["decision"]


@pytest.mark.parametrize("name", ["sets", "sets/en-de", "all.tsv"])
def test_a_plan_that_is_saved_reads_back_to_the_same_plan(bleuscope, tmp_path, name):
    two_sets(tmp_path / "sets")
    (tmp_path / "all.tsv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "kept").mkdir()
    code, first, _ = bleuscope("plan", name, "--format", "json", "--manifest", "kept/plan.yaml")
    assert code == 0
    code, second, _ = bleuscope("plan", "kept/plan.yaml", "--format", "json")
    assert code == 0

    def view(out):
        return [
            (one["name"], sorted(system["name"] for system in one["systems"]), len(one["references"]), one["items"])
            for one in json.loads(out)["sets"]
        ]

    assert view(first) == view(second)
    if name != "sets":
        scores = [bleuscope("score", path, "--format", "json")[1] for path in (name, "kept/plan.yaml")]
        found = [{one["name"]: one["bleu"] for one in json.loads(score)["systems"]} for score in scores]
        assert found[0] == found[1]
        assert len(found[0]) == 2


def test_a_manifest_may_name_columns_and_refuses_those_that_are_not_there(bleuscope, tmp_path):
    (tmp_path / "all.tsv").write_text(TABLE, encoding="utf-8")
    said = {"name": "one", "references": {"r": {"file": "all.tsv", "column": "reference"}}}
    for column, code in (("two", 0), ("three", 2)):
        entry = {**said, "systems": {"mine": {"file": "all.tsv", "column": column}}}
        (tmp_path / "m.yaml").write_text(yaml.safe_dump({"test sets": [entry]}), encoding="utf-8")
        found, out, err = bleuscope("score", "m.yaml")
        assert found == code
        assert ("mine" in out) == (code == 0)
        assert ("names a column that is not there" in err) == (code == 2)


def test_files_in_an_archive_cannot_be_named_by_a_manifest(bleuscope, tmp_path):
    two_sets(tmp_path / "sets")
    with zipfile.ZipFile(tmp_path / "sets.zip", "w") as packed:
        for path in (tmp_path / "sets").rglob("*.txt"):
            packed.write(path, path.relative_to(tmp_path))
    code, _, err = bleuscope("plan", "sets.zip", "--manifest", "m.yaml")
    assert code == 2
    assert "Unpack the archive" in err
    assert not (tmp_path / "m.yaml").exists()
