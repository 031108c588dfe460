"""Files of judgements that come with the texts stand on the page Validity."""

from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.state import links

TEXTS = (
    ("a.txt", b"das ist gut\nja\nnee\n"),
    ("b.txt", b"das war gut\nja ja\nnie\n"),
    ("ref.txt", b"das ist gut\nja\nnein\n"),
)
RATING = b'a\t{"errors": [{"start": 0, "end": 3, "severity": "major"}]}\nb\t{"errors": []}\n'
DA = "system\tsegment\tda\n" + "".join(f"{name}\t{row}\t{row}\n" for name in "ab" for row in range(1, 4))


def test_dropped_ones_are_offered(open_link, command_of):
    app = open_link("test_set", Inputs())
    for name, data in (*TEXTS, ("mqm.seg.rating", RATING * 3), ("da.tsv", DA.encode())):
        app.file_uploader[0].upload(name, data, "text/plain")
    app.run()
    app.button(key="compare").click().run()
    app.switch_page(links.PAGES["validity"].script).run()
    assert not app.exception
    assert app.selectbox(key="judgement").options == ["mqm", "da"]
    assert "--judgements mqm.seg.rating" in command_of(app)


def test_named_ones_are_measured(open_link, tmp_path):
    for name, data in (*TEXTS, ("scores.tsv", DA.encode())):
        (tmp_path / name).write_bytes(data)
    paths = [str(tmp_path / name) for name, _ in TEXTS]
    opening = Inputs(tuple(paths[:2]), (paths[2],), judgements=(str(tmp_path / "scores.tsv"),))
    app = open_link("validity", opening)
    assert app.selectbox(key="judgement").value == "da"
    assert "bs-verdict" in "".join(one.proto.body for one in app.get("html")), [one.value for one in app.info]
