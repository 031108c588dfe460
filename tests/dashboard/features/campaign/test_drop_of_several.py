"""A drop on the page Test set that holds several test sets."""

from bleucore.formats import guess, read
from bleuscope.content.comparison.drops import remarks
from bleuscope.features.campaign.planning import suits
from bleuscope.shell.uploads import dropped_files

LINES = {"one": "der Hund läuft weit {}", "two": "ein Hund lief weit {}", "ref": "der Hund lief weit {}"}


def texts_of(pair):
    return {
        f"{pair}.{name}.txt": "".join(f"{line.format(number)} {pair}\n" for number in range(6)).encode()
        for name, line in LINES.items()
    }


def dropped(open_page, files):
    app = open_page("test_set", None)
    (drop,) = [one for one in app.file_uploader if one.key.startswith("upload-")]
    for name, data in files.items():
        drop.upload(name, data, "text/plain")
    app.run()
    assert not app.exception
    return app


def what_to_open(app):
    return next(one for one in app.selectbox if one.label.startswith("These files hold"))


def labels(app):
    return [one.label for one in app.button]


def test_it_is_offered_as_a_campaign_and_one_set_can_be_chosen(open_page):
    app = dropped(open_page, texts_of("en-de") | texts_of("en-fr"))
    choice = what_to_open(app)
    assert choice.options == ["2 test sets, as a campaign", "en-de", "en-fr", "Everything as one test set"]
    assert "Score 2 test sets with 2 systems" in labels(app)
    choice.set_value("en-fr").run()
    assert "Compare 2 systems with 1 reference" in labels(app)
    assert "Score 2 test sets with 2 systems" not in labels(app)
    assert not app.exception


def test_the_button_opens_the_campaign(open_page):
    app = dropped(open_page, texts_of("en-de") | texts_of("en-fr"))
    next(one for one in app.button if one.label.startswith("Score 2 test sets")).click().run()
    assert not app.exception
    assert any("over 2 test sets" in str(one.value) for one in (*app.markdown, *app.get("html")))


def test_a_drop_of_one_set_asks_nothing(open_page):
    app = dropped(open_page, texts_of("en-de"))
    assert not any(one.label.startswith("These files hold") for one in app.selectbox)
    assert "Compare 2 systems with 1 reference" in labels(app)


def test_roles_that_were_changed_can_be_taken_back_at_once(open_page):
    app = dropped(open_page, texts_of("en-de"))
    assert "Undo all changes" not in labels(app)
    role = next(one for one in app.selectbox if one.label == "Role of file 1")
    role.set_value("ignore").run()
    next(one for one in app.button if one.label == "Undo all changes").click().run()
    assert next(one for one in app.selectbox if one.label == "Role of file 1").value == "hypothesis"
    assert "Undo all changes" not in labels(app)


def test_very_many_files_or_a_manifest_are_planned_as_a_campaign_without_being_read():
    assert suits([f"{number}.txt" for number in range(201)])
    assert suits(["a.txt", "campaign.yaml"])
    assert not suits(["a.txt", "ref.txt"])


def test_more_files_than_are_read_one_by_one_are_a_campaign_if_they_hold_several_sets(open_page, monkeypatch):
    monkeypatch.setattr(dropped_files, "MAX_FILES", 2)
    app = dropped(open_page, texts_of("en-de") | texts_of("en-fr"))
    assert "Score 2 test sets with 2 systems" in labels(app)
    assert not app.error


def test_more_files_than_are_read_one_by_one_are_compared_if_they_hold_one_set(open_page, monkeypatch):
    monkeypatch.setattr(dropped_files, "MAX_FILES", 2)
    app = dropped(open_page, texts_of("en-de"))
    assert "Compare 2 systems with 1 reference" in labels(app)
    assert not app.error


def test_a_manifest_that_names_one_set_opens_as_a_comparison(open_page):
    manifest = (
        b"sets:\n- name: one set\n  references: [en-de.ref.txt]\n  systems: {x: en-de.one.txt, y: en-de.two.txt}\n"
    )
    app = dropped(open_page, {**texts_of("en-de"), "campaign.yaml": manifest})
    assert "Compare 2 systems with 1 reference" in labels(app)
    assert not app.error


def test_more_than_200_files_of_a_segment_each_open_as_a_comparison(open_page):
    texts = {
        f"{name}/{number:03}.txt": f"{line.format(number)} en\n".encode()
        for name, line in LINES.items()
        for number in range(1, 71)
    }
    app = dropped(open_page, texts)
    assert "Compare 2 systems with 1 reference" in labels(app)
    assert not app.error


def test_what_is_left_out_says_why():
    files = {name: data for name, data in texts_of("en-de").items() if "ref" not in name}
    reference = texts_of("en-de")["en-de.ref.txt"]
    files |= {"he-en.refA.txt": reference, "he-en.refB.txt": reference.upper()}
    guessed = guess([column for name, data in files.items() for column in read(name, data)])
    assert any(
        "he-en.refB.txt is left out: the release is scored against" in one for one in remarks(guessed.columns, guessed)
    )
