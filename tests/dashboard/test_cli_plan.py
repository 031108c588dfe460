"""``bleuscope plan``: what files come to, before anything is scored."""

import json

import pytest

LINES = {"a": "der Hund läuft weit {}", "b": "ein Hund lief weit {}", "ref": "der Hund lief weit {}"}


def texts_of(name, n_lines=6):
    return "".join(LINES[name].format(number) + "\n" for number in range(n_lines))


@pytest.fixture
def folder(tmp_path):
    for name in LINES:
        (tmp_path / f"{name}.txt").write_text(texts_of(name), encoding="utf-8")
    return tmp_path


def test_one_set_has_its_systems_references_and_segments(bleuscope, folder):
    (folder / "ids.txt").write_text("".join(f"s-{number}\n" for number in range(6)), encoding="utf-8")
    code, out, err = bleuscope("plan", "a.txt", "b.txt", "ids.txt", "ref.txt", "--format", "json")
    assert code == 0
    plan = json.loads(out)
    (found,) = plan["sets"]
    assert [one["name"] for one in found["systems"]] == ["a", "b"]
    assert [one["file"] for one in found["references"]] == ["ref.txt"]
    assert (found["items"], found["source"], plan["decision"]) == (6, None, None)
    assert plan["left_out"] == [{"path": "ids.txt", "reason": "ids, no texts"}]
    assert err.count("ids.txt") == 1


def test_runs_stand_beneath_their_system(bleuscope, folder):
    rows = [
        {
            "model": model,
            "seed": seed,
            "id": number,
            "reference": f"ein Satz {number}",
            "output": f"Satz {number} {seed}",
        }
        for model in ("m", "n")
        for seed in (1, 2)
        for number in range(5)
    ]
    (folder / "log.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    code, out, _ = bleuscope("plan", "log.jsonl", "--format", "json")
    assert code == 0
    systems = json.loads(out)["sets"][0]["systems"]
    assert [(one["name"], [run["name"] for run in one["runs"]]) for one in systems] == [
        ("m", ["m, seed 1", "m, seed 2"]),
        ("n", ["n, seed 1", "n, seed 2"]),
    ]


def test_it_ends_with_2_where_something_has_to_be_decided(bleuscope, folder):
    code, _, err = bleuscope("plan", "a.txt", "b.txt")
    assert code == 2
    assert "there is no reference" in err
    (folder / "b.txt").write_text(texts_of("b", 5), encoding="utf-8")
    code, out, err = bleuscope("plan", "a.txt", "b.txt", "-r", "ref.txt")
    assert code == 2
    assert "the number of segments differs" in err
    assert "b.txt" in out


def test_commands_score_what_the_plan_says(bleuscope, folder):
    assert (folder / "a.txt").is_file()
    plan = json.loads(bleuscope("plan", "a.txt", "b.txt", "ref.txt", "--format", "json")[1])
    scored = json.loads(bleuscope("score", "a.txt", "b.txt", "ref.txt", "--format", "json")[1])
    assert {one["name"] for one in plan["sets"][0]["systems"]} == {one["name"] for one in scored["systems"]}
