"""Verdicts of language models on the page Human judgements, next to those of people and apart from them."""

import json

from bleuscope.content.comparison.inputs import Inputs

ROWS = range(1, 9)
TEXTS = tuple(
    (name, "".join(f"das {said} gut, Satz {row}\n" for row in ROWS).encode())
    for name, said in (("a.txt", "ist"), ("b.txt", "war"), ("ref.txt", "sei"))
)
DA = "system\tsegment\tda\n" + "".join(f"{name}\t{row}\t{row + (name == 'a')}\n" for name in "ab" for row in ROWS)
FIRST_WINS = "".join(
    json.dumps({"segment": row, "judge": "gpt-4", "first": first, "second": second, "winner": first}) + "\n"
    for row in ROWS
    for first, second in (("a", "b"), ("b", "a"))
)


def test_models_stand_apart_from_people_with_their_biases(open_link, tmp_path):
    for name, data in (*TEXTS, ("da.tsv", DA.encode()), ("judges.jsonl", FIRST_WINS.encode())):
        (tmp_path / name).write_bytes(data)
    texts, ref = [str(tmp_path / name) for name in ("a.txt", "b.txt")], str(tmp_path / "ref.txt")
    judged = (str(tmp_path / "da.tsv"), str(tmp_path / "judges.jsonl"))
    app = open_link("validity", Inputs(systems=tuple(texts), references=(ref,), judgements=judged))
    assert not app.exception, [problem.message for problem in app.exception]
    assert app.selectbox(key="judgement").options == ["da", "pairwise (model judges)"]
    shown = "\n".join(one.proto.body for one in app.get("html"))
    assert "Model judges" in [one.value for one in app.header]
    assert "prefers the output shown first: the first wins 100" in shown
    assert "Verdicts of language models are opinions, not the truth" in shown
