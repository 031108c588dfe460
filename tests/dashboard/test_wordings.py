"""Every setting has a name, a widget, an address and an option of commands, and comes back from each of them."""

import math
import re
import shlex
from dataclasses import fields

import click
import pytest

from bleucore import BleuOptions, InputError
from bleucore.declarations import declarations
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.ter import TerOptions
from bleucore.significance import SignificanceOptions
from bleuscope.cli.queries import query_options
from bleuscope.cli.shared_options import scoring_options, test_options
from bleuscope.content import commands
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.segments.filters import FILTERS
from bleuscope.content.segments.kind_points import NAMES as KINDS
from bleuscope.content.segments.segment_queries import SegmentQuery, TextSearch
from bleuscope.content.style.wordings import BLEU, CHRF, SIGNIFICANCE, TER, words_of, words_of_metrics
from bleuscope.shell.page.frame import VIEW

WORDINGS = {BleuOptions: BLEU, ChrfOptions: CHRF, TerOptions: TER, SignificanceOptions: SIGNIFICANCE}
BLEU_VALUES = {
    "tokenizer": "char",
    "lowercase": True,
    "max_order": 3,
    "smoothing": "floor",
    "smoothing_value": 0.25,
    "effective_order": True,
    "weights": (0.5, 0.25, 0.25),
    "reference_length": "shortest",
    "length_tie": "first",
    "missing_order": "one",
    "smooths_without_match": True,
    "totals_at_least_one": True,
    "empty_counts_as_token": True,
}
TEST_VALUES = {
    "test": "paired-bootstrap",
    "level": 0.01,
    "trials": 99,
    "resamples": 120,
    "seed": 7,
    "unit": "document",
    "correction": "holm",
    "n_blocks": 12,
    "block_size": 25,
    "remainder": "spread",
    "shuffle_seed": 4,
}
CHRF_VALUES = {
    "char_order": 4,
    "word_order": 2,
    "beta": 3,
    "lowercase": True,
    "whitespace": True,
    "eps_smoothing": True,
}
OF_COMMANDS = {
    BleuOptions: BLEU_VALUES,
    ChrfOptions: CHRF_VALUES,
    TerOptions: dict.fromkeys(declarations(TerOptions), True),
    SignificanceOptions: TEST_VALUES,
}
QUERY = SegmentQuery(
    search=TextSearch("^the", is_pattern=True, place="references"),
    document="-d 1",
    labels=(("domain", "news"), ("it's", "a=b")),
    first_range=(-math.inf, 12.5),
    second_range=(0.0, math.inf),
    delta_range=(-5.0, -0.25),
    part_range=(-1e-05, 0.1 + 0.2),
    length_range=(3.0, 40.0),
    agreement="A and B differ",
    flag="copies",
    tag="word order",
    tagged=(0, 6, 16),
    ngram="said , that",
    ngram_where="B matches it more",
    slice="reference length:11–20",
    kind=next(iter(KINDS), "number"),
    conditions=("bleu_b > 20", "B lost a name"),
    order="Δ: B better first",
)
OF_BLEU = {"tok": "char", "lc": "true", "order": "3", "eff": "true", "weights": "0.5 0.25 0.25", "len": "shortest"}
OF_BLEU |= {"tie": "first", "missing": "one", "nomatch": "true", "totals": "true", "empty": "true"}
OF_TESTS = {"level": "0.01", "resamples": "120", "seed": "7", "unit": "document", "correction": "holm"}
OF_PANEL = {"block_size", "remainder", "shuffle_seed"}
WITHOUT_WIDGET = {ChrfOptions: "pages offer chrF and chrF++ by their names", TerOptions: "pages offer TER as it is"}
"""Why a class of options has no widgets: the only exceptions."""
BY_BLOCKS = {name: value for name, value in TEST_VALUES.items() if name not in {"trials", "unit", *OF_PANEL}} | {
    "test": "block-t",
    "unit": "segment",
}
LINKS = {
    "floor and bootstrap": (
        OF_BLEU | OF_TESTS | {"smooth": "floor", "floor": "0.25", "test": "paired-bootstrap"},
        BLEU_VALUES,
        {name: value for name, value in TEST_VALUES.items() if name not in {"trials", "n_blocks", *OF_PANEL}},
    ),
    "add-k and blocks": (
        OF_TESTS | {"smooth": "add-k", "addk": "0.25", "test": "block-t", "test_blocks": "12", "unit": "segment"},
        {"smoothing": "add-k", "smoothing_value": 0.25},
        BY_BLOCKS,
    ),
    "trials": ({"trials": "99", "resamples": "120"}, {}, {"trials": 99, "resamples": 120}),
}
"""Addresses, and what they change of BLEU and of the tests."""


@click.command()
@scoring_options
@test_options
def probe(**given):
    """Says what a command line comes to."""
    return given


def from_command(words, kind):
    found = probe.main(words, standalone_mode=False)
    if kind is SignificanceOptions:
        return found["significance"]
    return found["scoring"].options if kind is BleuOptions else found["scoring"].metrics[0]


class TestEverySetting:
    @pytest.mark.parametrize("kind", WORDINGS, ids=lambda kind: kind.__name__)
    def test_is_worded(self, kind):
        assert set(WORDINGS[kind]) == set(declarations(kind))
        assert len({wording.name for wording in WORDINGS[kind].values()}) == len(WORDINGS[kind])
        for name, wording in WORDINGS[kind].items():
            assert wording.name
            assert wording.options
            if kind in WITHOUT_WIDGET:
                assert not wording.label
                continue
            assert wording.label
            assert wording.address or declarations(kind)[name].belongs_to, "a widget is found in the address"

    @pytest.mark.parametrize(
        "kind", [kind for kind in WORDINGS if kind not in WITHOUT_WIDGET], ids=lambda kind: kind.__name__
    )
    def test_has_a_link_here(self, kind):
        place = 1 if kind is BleuOptions else 2
        linked = {name for values in LINKS.values() for name in values[place]}
        assert linked | (OF_PANEL if kind is SignificanceOptions else set()) == set(declarations(kind))

    @pytest.mark.parametrize("kind", WORDINGS, ids=lambda kind: kind.__name__)
    def test_comes_back_from_its_command(self, kind):
        assert set(OF_COMMANDS[kind]) == set(declarations(kind))
        changed = kind(**OF_COMMANDS[kind])
        words = words_of(changed, WORDINGS[kind])
        metric = {ChrfOptions: ["-m", "chrf"], TerOptions: ["-m", "ter"]}.get(kind, [])
        assert from_command([*metric, *words], kind) == changed
        for name, value in OF_COMMANDS[kind].items():
            assert WORDINGS[kind][name].option in words
            assert value != declarations(kind)[name].default

    @pytest.mark.parametrize(("address", "of_bleu", "of_tests"), LINKS.values(), ids=LINKS)
    def test_comes_back_from_the_address_and_from_the_command_of_the_page(
        self, open_link, command_of, address, of_bleu, of_tests
    ):
        app = open_link("scores", **address)
        view = app.session_state[VIEW]
        assert view.evaluation.options == BleuOptions(**of_bleu)
        assert view.significance == SignificanceOptions(**of_tests)
        command = command_of(app)
        words = [word for word in shlex.split(command)[2:] if word != "--sample"]
        assert from_command(words, BleuOptions) == view.evaluation.options
        assert from_command(words, SignificanceOptions) == view.significance


class TestKindsOfOneMetric:
    @pytest.mark.parametrize(
        ("metrics", "words"),
        [
            ((ChrfOptions(word_order=2),), "--metrics chrf --chrf-word-order 2"),
            ((ChrfOptions(), ChrfOptions(word_order=2), TerOptions()), "--metrics chrf,chrf:word-order=2,ter"),
            (
                (TerOptions(no_punct=True), ChrfOptions(beta=3, lowercase=True), ChrfOptions(char_order=4)),
                "--metrics ter,chrf:beta=3:lowercase,chrf:char-order=4 --ter-no-punct",
            ),
        ],
    )
    def test_are_said_behind_its_name_where_there_are_several(self, metrics, words):
        assert " ".join(words_of_metrics(metrics)) == words
        assert probe.main(words.split(), standalone_mode=False)["scoring"].metrics == metrics

    def test_share_the_options_of_the_command_line_where_they_have_none_of_their_own(self):
        found = probe.main(["-m", "chrf,chrf:beta=3", "--chrf-beta", "1", "--chrf-lowercase"], standalone_mode=False)
        assert found["scoring"].metrics == (ChrfOptions(beta=1, lowercase=True), ChrfOptions(beta=3, lowercase=True))

    @pytest.mark.parametrize(
        "name",
        ["chrf:order=2", "chrf:word-order", "chrf:lowercase=yes", "chrf:", "bleu:x", "ter:beta=1", "chrf:beta=²"],
    )
    def test_with_another_setting_are_refused(self, name):
        with pytest.raises(InputError, match=r"no such setting|not accepted"):
            probe.main(["-m", name], standalone_mode=False)


@click.command()
@query_options
def query_probe(query):
    """Says what filters come to."""
    return query


class TestEveryFilter:
    def test_is_worded_with_widgets_of_its_own(self):
        names = {one.name for one in fields(SegmentQuery)}
        assert set(FILTERS) == names - {"order"}
        keys = [key for each in FILTERS.values() for key in each.keys]
        assert len(set(keys)) == len(keys)
        assert all(each.keys for field, each in FILTERS.items() if field != "tagged")  # which the tag's widget holds
        assert all(getattr(QUERY, name) != getattr(SegmentQuery(), name) for name in names)

    def test_comes_back_from_its_command(self, study_as_asked):
        study = study_as_asked(("x", "y"), Inputs(is_sample=True), Settings())
        program, name, *words = shlex.split(commands.segments_command(study, QUERY))
        assert (program, name, words[:3], words[-1]) == ("bleuscope", "segments", ["--pair", "x", "y"], "--sample")
        assert query_probe.main(words[3:-1], standalone_mode=False) == QUERY
        assert query_probe.main([], standalone_mode=False) is None

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--tag", "x"], "Option --tag: .*'x'.*--tagged"),
            (["--tagged", "1,x"], "Option --tagged: .*'1,x'.*whole numbers from 1"),
            (["--tagged", "0"], "Option --tagged: .*0 to 0"),
            (["--tagged", "5,999"], "Option --tagged: .*5 to 999"),
            (["--label", "domain", "x"], "Option --label: .*'domain'.*none"),
            (["--flag", "nothing"], "Option --flag: .*'nothing'"),
            (["--slice", "nothing:a"], "Option --slice: .*'nothing:a'.*document:NAME"),
            (["--search", "no such text", "--as-corpus"], "no segment fits .*0 segments"),
            (["--as-corpus", "--baseline", "nobody"], "Option --baseline: .*'nobody'"),
            (["--slice", "document:nothing"], "Option --slice: .*'document:nothing'.*document:"),
        ],
    )
    def test_that_the_test_set_has_nothing_for_is_refused(self, bleuscope, words, message):
        code, out, err = bleuscope("segments", "--sample", *words)
        assert (code, out) == (2, "")
        assert re.search(message, err)
