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


def opened(open_link, tmp_path, *judged, **values):
    for name, data in (*TEXTS, ("da.tsv", DA.encode()), ("judges.jsonl", FIRST_WINS.encode())):
        (tmp_path / name).write_bytes(data)
    texts, ref = [str(tmp_path / name) for name in ("a.txt", "b.txt")], str(tmp_path / "ref.txt")
    judgements = tuple(str(tmp_path / name) for name in judged)
    return open_link("validity", Inputs(systems=tuple(texts), references=(ref,), judgements=judgements), **values)


def test_models_stand_apart_from_people_with_their_biases(open_link, tmp_path):
    app = opened(open_link, tmp_path, "da.tsv", "judges.jsonl")
    assert not app.exception, [problem.message for problem in app.exception]
    assert app.selectbox(key="judgement").options == ["da", "pairwise (model judges)"]
    shown = "\n".join(one.proto.body for one in app.get("html"))
    assert "Model judges" in [one.value for one in app.header]
    assert "prefers the output shown first: the first wins 100" in shown
    assert "Verdicts of language models are opinions, not the truth" in shown


def test_models_alone_are_not_called_human_and_people_say_what_they_made(open_link, tmp_path, command_of):
    app = opened(open_link, tmp_path, "judges.jsonl", own_systems=["gpt-4=a"])
    assert not app.exception, [problem.message for problem in app.exception]
    assert [one.value for one in app.title] == ["Model judgements"]
    assert "made <bdi><strong>a</strong></bdi> (as you said)." in "\n".join(one.proto.body for one in app.get("html"))
    assert " --own-system gpt-4=a " in command_of(app)
