"""A drop on the page Test set is read as commands read it."""

TEXTS = [f"der alte Hund läuft heute weit in Haus {number}" for number in range(8)]


def test_pieces_of_words_are_joined_and_said_to_be(open_page):
    app = open_page("test_set", None)
    files = {"a.txt": [" ".join(f"▁{word}" for word in text.split()) for text in TEXTS], "ref.txt": TEXTS}
    (drop,) = [one for one in app.file_uploader if one.key.startswith("upload-")]
    for name, lines in files.items():
        drop.upload(name, "".join(f"{line}\n" for line in lines).encode(), "text/plain")
    app.run()
    assert any("were joined" in one.value for one in app.info)
    next(one for one in app.button if one.key == "compare").click().run()
    assert not app.exception
