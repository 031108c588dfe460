"""``--align`` and ``bleuscope align``: outputs that are cut otherwise than the references."""

import json

import pytest

REFERENCE = ("Good evening.", "Let us begin.", '"Well," he said.', "Thanks.")
TALK = 'Good evening. We begin. "Well," she said. Thank you.'


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "talk.txt").write_text(TALK + "\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("".join(f"{line}\n" for line in REFERENCE), encoding="utf-8")
    return tmp_path


def test_other_lines_are_refused_and_the_remedy_works(bleuscope, texts):
    code, _, err = bleuscope("score", "talk.txt", "-r", "ref.txt")
    assert code == 2
    assert "--align" in err
    code, out, err = bleuscope("score", "talk.txt", "-r", "ref.txt", "--align", "--format", "json")
    assert code == 0
    assert "seg:mwer" in json.loads(out)["signature"]
    assert "talk.txt: 1 line cut anew into 4 segments at those of ref.txt" in err


def test_the_table_reads_back_to_the_same_scores(bleuscope, texts):
    assert bleuscope("align", "talk.txt", "-r", "ref.txt", "-o", "aligned.tsv")[0] == 0
    scores = [
        json.loads(bleuscope("score", *files, "--format", "json")[1])
        for files in (("talk.txt", "-r", "ref.txt", "--align"), ("aligned.tsv",))
    ]
    assert scores[0]["systems"][0]["bleu"] == scores[1]["systems"][0]["bleu"]
    assert scores[0]["signature"] == scores[1]["signature"]


def test_lines_are_those_of_the_one_output(bleuscope, texts):
    assert bleuscope("align", "talk.txt", "-r", "ref.txt", "--lines", "lines.txt", "-o", "a.tsv")[0] == 0
    lines = (texts / "lines.txt").read_text(encoding="utf-8").splitlines()
    assert lines == ["Good evening.", "We begin.", '"Well," she said.', "Thank you."]
    code, _, err = bleuscope("align", "talk.txt", "lines.txt", "-r", "ref.txt", "--lines", "l.txt")
    assert code == 2
    assert "--lines takes one output" in err


def test_scores_of_segments_are_refused_for_texts_that_were_cut_anew(bleuscope, texts):
    (texts / "scores.tsv").write_text(
        "system\tsegment\tcomet\n" + "".join(f"talk\t{number}\t0.{number}\n" for number in range(1, 5)),
        encoding="utf-8",
    )
    code, _, err = bleuscope("score", "talk.txt", "-r", "ref.txt", "--align", "--scores", "scores.tsv")
    assert code == 2
    assert "scores of segments are not those of texts that were cut anew" in err


def test_a_page_offers_the_cut_and_names_the_option(open_page, command_of):
    app = open_page("test_set", None)
    (drop,) = [one for one in app.file_uploader if one.key.startswith("upload-")]
    drop.upload("talk.txt", TALK.encode(), "text/plain")
    drop.upload("ref.txt", "\n".join((*REFERENCE, "")).encode(), "text/plain").run()
    assert app.button(key="compare").disabled
    app.button(key="align").click().run()
    assert any("1 line cut anew into 4 segments" in one.value for one in app.info)
    app.button(key="compare").click().run()
    assert not app.exception
    assert "--align" in command_of(app)
