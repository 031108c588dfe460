"""Keys of the address: each declared in one line, from which widget, links, shares, reading and commands follow."""

import ast
import re
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuscope
from bleucore import BleuOptions
from bleucore.declarations import Truth, Whole, declarations
from bleucore.significance import SignificanceOptions
from bleuscope.cli.command import bleuscope as program
from bleuscope.content.comparison import link_notes
from bleuscope.content.segments.filters import FILTERS
from bleuscope.content.style.wordings import BLEU, SIGNIFICANCE
from bleuscope.registry import features
from bleuscope.runtime import params
from bleuscope.runtime.param import Form, Param
from bleuscope.shell.state import links
from bleuscope.shell.state.page_list import PAGES
from tests.dashboard.feature_parts import own_names

PACKAGE = Path(bleuscope.__file__).parent
DECLARATIONS = PACKAGE / "runtime" / "params.py"
OF_FEATURES = tuple(sorted((PACKAGE / "features").glob("*/params.py")))
MOST_BINDINGS = 5
ALSO_FIELDS = {
    *("mqm_weights", "judged_segments", "system_names", "block_size", "draw_unit", "scored_in", "ngram_where"),
}
"""Keys that fields, functions or options of commands share their name with."""
NO_WORDS = {name for name in params.PARAMS if "_" in name} - ALSO_FIELDS
ASKING = {
    *("selectbox", "multiselect", "toggle", "number_input", "text_input", "text_area", "segmented_control", "pills"),
    *("pagination", "expander", "tabs"),
}
"""Streamlit's widgets that can be bound to the address; other elements have keys of their own."""
OF_ONE = ("session.put", "session.get")
TAKING_KEYS = re.compile(r"(session\.\w+|links\.(write|write_all|given|values|holds|go_to)|choices\.\w+)$")
"""Functions whose arguments name keys."""


@cache
def read():
    """What modules do with keys, all read once: keys in calls, further declarations, keys spelled, keys used."""
    in_calls, declared, spelled, used = [], [], set(), set()
    for path in sorted(PACKAGE.rglob("*.py")):
        is_declaring = path in (DECLARATIONS, *OF_FEATURES)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and path.parent.name != "runtime" and not is_declaring:
                function = ast.unparse(node.func)
                in_calls += literals_naming_keys(path, node, function)
                declared += [path.name] if function in ("Param", "param.Param") else []
            elif isinstance(node, ast.Constant) and not is_declaring and node.value in NO_WORDS:
                spelled.add(f"{path.relative_to(PACKAGE)}: {node.value}")
            elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("params", "shared_params"):
                used.add(node.attr)
    return in_calls, declared, spelled, used


def literals_naming_keys(path, call, function):
    """What the arguments of a call write out of the names of keys."""
    is_other_element = function.startswith("st.") and function.removeprefix("st.") not in ASKING
    named = [one.value for one in call.keywords if one.arg in ("key", "keys", "address") and not is_other_element]
    named = [value for value in named if not isinstance(value, ast.Lambda)]
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if any(TAKING_KEYS.match(ast.unparse(given[one])) for one in ("on_click", "on_change") if one in given):
        named += [given["args"]] if "args" in given else []
    if TAKING_KEYS.match(function) or "query_params" in function:
        named += call.args[1:] if function.endswith("go_to") else call.args[:1] if function in OF_ONE else call.args
    spelled = [keyword.arg for keyword in call.keywords if function.endswith(("go_to", "_list_segments"))]
    held = [one.value for value in named for one in ast.walk(value) if isinstance(one, ast.Constant)]
    return [f"{path.name}:{call.lineno}: {one}" for one in (*held, *spelled) if one in params.PARAMS]


class TestDeclarations:
    def test_name_each_key_once(self):
        named = [
            node.args[0].value
            for path in (DECLARATIONS, *OF_FEATURES)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Param"
        ]
        assert [name for name, n_times in Counter(named).items() if n_times > 1] == []
        assert set(named) == set(params.PARAMS)

    def test_are_the_only_place_that_spells_a_key(self):
        in_calls, *_ = read()
        assert [said for said in in_calls if not said.endswith(": campaign")] == []  # a page of that name

    @pytest.mark.parametrize(
        ("written", "is_found"),
        [
            ('st.selectbox("Metric", names, key="tok")', True),
            ('session.put("segment", 1)', True),
            ('st.button("Close", on_click=session.put, args=("segment", None))', True),
            ('links.go_to("segments", {"low": "1"})', True),
            ('links.go_to("segments", low="1")', True),
            ('st.query_params.get_all("names")', True),
            ('session.put(NOTE, "segment")', False),
            ('links.go_to("report", {params.LOW: "1"})', False),
            ('st.popover("Filters", key="filters")', False),
        ],
    )
    def test_are_asked_for_wherever_a_key_is_written_out(self, written, is_found):
        (call,) = [node.value for node in ast.parse(written).body]
        assert bool(literals_naming_keys(DECLARATIONS, call, ast.unparse(call.func))) == is_found

    def test_are_the_only_place_that_spells_a_key_that_is_no_word(self):
        _, _, spelled, _ = read()
        assert spelled == set()

    def test_are_in_one_place(self):
        _, declared, *_ = read()
        assert declared == []

    def test_bind_every_widget(self):
        bound = sum(path.read_text(encoding="utf-8").count('bind="query-params"') for path in PACKAGE.rglob("*.py"))
        assert bound <= MOST_BINDINGS

    def test_are_all_used(self):
        *_, used = read()
        modules = [vars(params), *(vars(import_module(one.params)) for one in features() if one.params)]
        assert {name for module in modules for name, one in module.items() if isinstance(one, Param)} <= used

    @pytest.mark.parametrize(("options", "wordings"), [(BleuOptions, BLEU), (SignificanceOptions, SIGNIFICANCE)])
    def test_have_the_kind_of_the_setting(self, options, wordings):
        for name, one in declarations(options).items():
            key = wordings[name].address
            if key is not None:
                assert (key.kind == "whole") == isinstance(one.accepts, Whole), name
                is_switch = wordings[name].is_switch or isinstance(one.accepts, Truth)
                assert (key.kind == "truth") == is_switch, name

    def test_name_options_that_commands_have(self):
        def options_of(command):
            yield from (option for one in command.params for option in (*one.opts, *one.secondary_opts))
            if isinstance(command, click.Group):
                for name in command.list_commands(click.Context(command)):
                    yield from options_of(command.get_command(click.Context(command), name))

        known = set(options_of(program))
        assert {key.option for key in params.PARAMS.values() if key.option is not None} <= known

    def test_forget_all_filters_with_the_test_set(self):
        assert {key for one in FILTERS.values() for key in one.keys} <= set(params.of_one_test_set())


class TestLinksAndShares:
    def test_open_texts_and_projects_by_what_is_declared_so(self):
        of_texts = "data digest scores judgements word_list given_words names system_names move_spans"
        assert params.opening("texts") == tuple(of_texts.split())
        assert params.opening("project") == own_names("project", "projects.on")

    def test_share_every_page_of_a_comparison_or_of_one_test_set(self):
        alone = {name for name, page in PAGES.items() if not page.can_be_shared}
        of_campaigns = ("campaign", *(f"campaign_{one}" for one in ("compare", "segments", "trust", "data", "share")))
        of_projects = ("projects", *(f"project_{one}" for one in ("team", "compare", "segments", "trust")))
        named = (*(f"campaign.{one}" for one in of_campaigns), *(f"projects.{one}" for one in of_projects))
        assert alone == {*own_names("test_set", "annotation.annotate", "annotation.annotation_results", *named)}


class TestParam:
    def test_is_its_name(self):
        key = Param("tok", "whole", noun="system")
        assert {key: 1} == {"tok": 1}
        assert (f"{key}", key.kind, key.noun, key.scope) == ("tok", "whole", "system", "session")

    def test_gives_its_widget_what_keeps_the_value_in_the_address(self):
        assert Param("x").bound() == {"key": "x", "bind": "query-params", "persist_state": "session"}
        assert Param("x", scope="page").bound()["persist_state"] is None
        assert Param("x", "panel").panel() == {"key": "x", "on_change": "rerun", "bind": "query-params"}

    @pytest.mark.parametrize(
        ("key", "taken", "refused"),
        [
            (Param("x", "whole"), ("3", "nan", "few"), ("1e999", "-inf")),
            (Param("x", "number"), ("0.5",), ("1e999",)),
            (Param("x", "text", most=3), ("abc", ""), ("abcd",)),
            (Param("x", "text"), ("x" * 9_999,), ()),
            (Param("x"), ("1e999",), ()),
        ],
    )
    def test_takes_numbers_with_an_end_and_texts_of_its_length(self, key, taken, refused):
        assert all(map(key.takes, taken))
        assert not any(map(key.takes, refused))

    def test_fits_its_form_as_a_whole(self):
        key = Param("x", form=Form(re.compile("[0-9]{2}"), "two digits"))
        assert [key.fits(value) for value in ("12", "123", "1", "12\n")] == [True, False, False, False]
        assert Param("x").fits("anything")

    @pytest.mark.parametrize(
        ("value", "usual", "said"),
        [
            ("z", "mean", ["--x", "z"]),
            ("mean", "mean", []),
            (None, None, []),
            (0, None, ["--x", "0"]),
            (1, None, ["--x", "1"]),
            (True, None, ["--x"]),
            (False, None, []),
        ],
    )
    def test_says_what_is_not_usual(self, value, usual, said):
        assert Param("x", option="--x").said(value, usual) == said
        assert Param("x").said(value, usual) == []


@given(st.dictionaries(st.sampled_from([*params.PARAMS, "zzz"]) | st.text(), st.lists(st.text(), min_size=1)))
def test_what_is_refused_is_part_of_the_link_and_what_remains_is_taken(address):
    refused = params.refused(address)
    assert refused.items() <= address.items()
    rest = {key: values for key, values in address.items() if key not in refused}
    assert rest.keys() <= params.PARAMS.keys()
    assert params.refused(rest) == {}


def a_page():
    """A page with a new key: the line that declares it is in ``new_key``."""
    import streamlit

    from bleuscope.runtime import params
    from bleuscope.shell.state import links, session

    links.read()
    with links.noting_refused():
        streamlit.button("Five", on_click=session.put, args=("servings", 5))
        streamlit.number_input("Servings", 1, 9, 4, **params.PARAMS["servings"].bound())
    streamlit.code(links.address("sample", "0" * 16))
    streamlit.json(session.missed())


@pytest.fixture
def new_key(monkeypatch):
    """A key that one line declares."""
    key = Param("servings", "whole", scope="test set", noun="meal", opens="project", option="--servings")
    monkeypatch.setattr(params, "PARAMS", {**params.PARAMS, key: key})
    return key


class TestANewKey:
    @pytest.mark.parametrize(("value", "shown", "missed"), [("7", 7, False), ("1e999", 4, True), ("12", 4, True)])
    def test_is_in_its_widget_in_the_link_and_in_what_a_link_is_refused(self, undrawn, new_key, value, shown, missed):
        app = undrawn(a_page)
        app.query_params[new_key] = value
        app.run()
        assert not app.exception
        assert app.number_input(key=new_key).value == shown
        assert ("servings=7" in app.code[0].value) == (value == "7")
        assert ("servings" in app.json[0].value) == missed
        if missed:
            assert f"names the meal “{value}”" in link_notes.not_here(new_key, value)

    def test_is_in_the_address_once_it_is_chosen(self, undrawn, new_key):
        app = undrawn(a_page).run()
        app.button[0].click().run()
        assert "servings=5" in app.code[0].value

    def test_is_part_of_what_a_share_holds_on_to_and_is_forgotten_with_its_test_set(self, new_key):
        assert new_key in params.opening("texts", "project")
        assert new_key in params.of_one_test_set()
        assert new_key.said(7) == ["--servings", "7"]

    def test_is_refused_without_its_line(self):
        assert params.refused({"servings": ["7"]}) == {"servings": ["7"]}
        assert "there is no such setting" in link_notes.not_here("servings", "7")
        assert "servings" not in {str(key) for key in links.OF_SEGMENTS}
