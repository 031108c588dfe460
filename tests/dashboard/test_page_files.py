"""Files of scores and judgements on the page Test set: names that mean no system, and what people say of them."""

import pytest

from bleucore import System, TestSet
from bleucore.judgements.system_names import LEFT_OUT
from bleuscope.content.comparison.inputs import Inputs, Loaded
from bleuscope.shell.page import file_overrides
from bleuscope.shell.state import cached, links

HOSTILE = "<b>*x*|y/z</b>=模型"


def table(*names):
    rows = [f"{name}\t{segment}\t{place}.5" for place, name in enumerate(names) for segment in (1, 2, 3)]
    return "\n".join(["system\tsegment\tda", *rows, ""]).encode()


@pytest.fixture
def asked(open_link):
    """The page with a file whose names are not all those of the sample."""

    def start(*names, **address):
        app = open_link("test_set", **address)
        app.file_uploader(key="score-files").upload("da.tsv", table(*names), "text/plain").run()
        assert not app.exception
        return app

    return start


def choices(app):
    return [one for one in app.selectbox if one.key.startswith("_means-")]


def take(app):
    next(one for one in app.button if one.label == "Take these names").click().run()
    assert not app.exception


def test_names_of_systems_are_not_asked_for_where_they_mean_some(asked):
    app = asked("online", "wmt22.LITERAL.3")
    assert not choices(app)
    assert not app.error


def test_an_unknown_name_is_left_out_until_people_say_which_system_it_is(asked, command_of):
    app = asked("online", "neural_40k_final", HOSTILE)
    (similar, hostile) = choices(app)
    assert [similar.options[one.value] for one in (similar,)] == ["neural-40k"]
    assert hostile.options[hostile.value] == file_overrides.NONE_OF_THEM
    assert any("left out: 6 scores of" in one.value.replace("\\", "") for one in app.info)
    hostile.set_value(hostile.options.index("literal"))
    take(app)
    assert app.query_params["system_names"] == ["neural_40k_final=neural-40k", f"{HOSTILE}=literal"]
    assert not any("left out" in one.value for one in app.info)
    assert not app.error
    app.switch_page(links.PAGES["scores"].script).run()
    (column,) = cached.SCORES.find(app.session_state["_score_files"])
    means = {name: of_system.values.mean() for name, of_system in column.scores.items()}
    assert means == {"online": 0.5, "neural-40k": 1.5, "literal": 2.5}
    assert "--system-name neural_40k_final=neural-40k --system-name" in command_of(app)


def test_what_was_said_can_be_changed_and_goes_with_the_test_set(asked):
    app = asked("online", "nobody", system_names="nobody=fluent")
    (choice,) = choices(app)
    assert choice.options[choice.value] == "fluent"
    choice.set_value(0)
    take(app)
    assert app.query_params["system_names"] in ("nobody=", ["nobody="])
    assert not any("left out" in one.value for one in app.info)


def test_a_file_without_any_known_name_asks_too(asked):
    app = asked("first", "second")
    assert len(choices(app)) == 2
    assert "none of its systems is in the test set" in app.error[0].value
    choices(app)[0].set_value(1)
    take(app)
    assert not app.error


def test_two_names_for_one_system_are_refused(asked):
    app = asked("online", "other")
    (choice,) = choices(app)
    choice.set_value(choice.options.index("online"))
    take(app)
    assert "two names mean the same system" in app.error[0].value


def test_junk_in_the_address_says_nothing(asked):
    app = asked("online", system_names="<script>=x")
    assert not app.error


def test_names_that_were_given_by_hand_mean_their_systems(monkeypatch):
    as_read = Loaded(TestSet([System("a", ["x"]), System("b", ["y"])], [["x"]], reference_names=["r"]))
    shown = Loaded(as_read.test_set.renamed(("b", "neu"), ("r",)), renamed_from=as_read)
    monkeypatch.setattr(links, "values", lambda _: ("c=a", "d=", "e=nobody"))
    assert file_overrides.aliases_of(shown) == {"b": "a", "neu": "b", "c": "a", "d": LEFT_OUT}


class TestTogetherWithTexts:
    TEXTS = (
        ("a.txt", b"das ist gut\nja\nnee\n"),
        ("b.txt", b"das war gut\nja ja\nnie\n"),
        ("ref.txt", b"das ist gut\nja\nnein\n"),
    )

    def opened(self, open_link, *files):
        app = open_link("test_set", Inputs())
        for name, data in (*self.TEXTS, *files):
            app.file_uploader[0].upload(name, data, "text/plain")
        app.run()
        assert not app.exception
        return app

    def test_judgements_are_no_texts(self, open_link):
        rating = b'a\t{"errors": [{"start": 0, "end": 3, "severity": "major"}]}\nb\t{"errors": []}\n'
        app = self.opened(open_link, ("mqm.seg.rating", rating * 3), ("da.tsv", table("a", "b")))
        assert any("Scores or judgements: mqm.seg.rating, da.tsv" in one.value.replace("\\", "") for one in app.info)
        assert len([one for one in app.selectbox if one.key.startswith("role-")]) == 3

    def test_a_file_that_has_gone_is_told_once(self, open_link, tmp_path):
        app = open_link("test_set", Inputs((str(tmp_path / "gone.txt"),), (str(tmp_path / "ref.txt"),)))
        assert len([one.value for one in app.error if "cannot be read" in one.value]) == 1

    def test_judgements_alone_ask_for_the_texts(self, open_link):
        app = open_link("test_set", Inputs())
        app.file_uploader[0].upload("da.tsv", table("a"), "text/plain").run()
        assert "No texts yet" in app.warning[0].value
