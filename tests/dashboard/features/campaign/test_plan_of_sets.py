"""``bleuscope plan`` on a folder of several test sets."""

import json


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
