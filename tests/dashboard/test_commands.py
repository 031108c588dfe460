"""The command of each page: what it says, how it is quoted, and that it gives the numbers of the page."""

import json
import math
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions
from bleucore.analysis.attribution import attribute
from bleucore.analysis.ngram_types import ngram_types, pair_tokens
from bleucore.analysis.slices import compare_slices, slice_kinds, slice_segments
from bleucore.checks import check
from bleucore.formats import assemble
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.presets import PRESETS
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.metrics.ter import TerOptions
from bleucore.options import REFERENCE_LENGTHS, SMOOTHING_METHODS, TOKENIZER_NAMES
from bleucore.significance import CORRECTIONS, TESTS, SignificanceOptions, compare
from bleucore.significance.settings import UNITS
from bleuscope.cli import main
from bleuscope.cli.ngrams_command import RANKS
from bleuscope.cli.shared_options import file_options, pair_option, scoring_options, test_options
from bleuscope.content import commands
from bleuscope.content.attribution import attribution_sheets
from bleuscope.content.blocks.block_analysis import analyse
from bleuscope.content.comparison import difference_sheets
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.comparison.differences import Selection, compared_systems, segment_differences
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.findings import finding_sheets
from bleuscope.content.ngrams.ngram_tables import (
    AGAINST,
    N_LEADING,
    PART,
    RATIO,
    VIEWS,
    WORTH,
    NgramChoice,
    won_and_lost,
)
from bleuscope.content.report import ReportOptions, sections_without
from bleuscope.content.report.choices import OF_JUDGEMENTS
from bleuscope.content.scores import score_sheets
from bleuscope.content.segments.filters import DEFAULT_ORDER
from bleuscope.content.segments.segment_queries import SegmentQuery, TextSearch, active_filters
from bleuscope.content.significance import significance_sheets
from bleuscope.content.significance.significance_sheets import power_sheet, selection_sheet
from bleuscope.content.slices import slice_sheets
from bleuscope.content.slices.slice_tables import (
    AS_GIVEN,
    BY_DELTA,
    BY_PART,
    BY_SIZE,
    MAX_SLICES,
    compared_pair,
    summarise,
)
from bleuscope.shell.disk.files import read_inputs
from bleuscope.shell.state import cached

QUICK = SignificanceOptions(trials=99, resamples=120, seed=7)
CHANGED = Settings(
    options=BleuOptions(
        "char", lowercase=True, max_order=3, smoothing="floor", smoothing_value=0.25, weights=(0.5, 0.25, 0.25)
    ),
    metrics=(ChrfOptions(word_order=2, beta=3),),
    significance=replace(QUICK, test="paired-bootstrap", level=0.01, unit="document", correction="none"),
    baseline="neural-40k",
    pair=("human", "fluent"),
)
QUERIES = [
    SegmentQuery(),
    SegmentQuery(TextSearch("the"), order="Δ: A better first"),
    SegmentQuery(TextSearch(r"^\w+ \w+", is_pattern=True, place="references"), order=DEFAULT_ORDER),
    SegmentQuery(delta_range=(-math.inf, -1.5), length_range=(5.0, 200.0), order="BLEU A: highest first"),
    SegmentQuery(part_range=(0.0, 0.5), first_range=(0.0, 60.0), second_range=(1.0, math.inf)),
    SegmentQuery(agreement="contribution and score disagree", order=DEFAULT_ORDER),
    SegmentQuery(flag="copied-reference: System 'online'", search=TextSearch("a")),
    SegmentQuery(tag="my tag", tagged=(3, 5, 8), order="tokens B: fewest first"),
    SegmentQuery(ngram="a n", ngram_where="B matches it more"),
    SegmentQuery(slice="reference length:11–20", document=None),
]
"""Every filter of the page."""
LINES = ("the cat sat on the mat .", "a dog ran in the park today", "they went home", "it rained the whole day long")
NAMES = ("plain", "-dash it", "ünï'q\"uote", "~home", "[a]*?", "$(true); `x`")
"""Names of files that a shell reads as something else."""


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs a command as a shell would and gives the JSON that it prints."""

    def start(command):
        program, name, *rest = shlex.split(command)
        monkeypatch.setattr(sys, "argv", [program, name, "--format", "json", *rest])
        with pytest.raises(SystemExit) as ending:
            main()
        printed = capsys.readouterr()
        assert ending.value.code in (0, None), printed.err
        return json.loads(printed.out)

    return start


@pytest.fixture(scope="module")
def studies(sample):
    """The sample comparison with few trials, and with every setting changed."""
    inputs = Inputs(is_sample=True)
    return {
        "default": make_study(sample.test_set, Settings(significance=QUICK), inputs=inputs),
        "changed": make_study(sample.test_set, CHANGED, inputs=inputs),
    }


@pytest.fixture(params=["default", "changed"])
def study(studies, request):
    return studies[request.param]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A study of small files in the working directory, whose names a shell could mistake."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(NAMES):
        lines = [line.replace("the", "a", (number + row) % 3) for row, line in enumerate(LINES)]
        Path(f"{name}.txt").write_text("\n".join(lines * 3) + "\n")
    for name in ("-ref 1.txt", "ref'2.txt", "-source.txt"):
        Path(name).write_text("\n".join(LINES * 3) + "\n")
    Path("-docs.txt").write_text("\n".join(f"d{row // 4}" for row in range(12)) + "\n")
    Path("my label.txt").write_text("news\ntalk\n" * 6)
    inputs = Inputs(
        tuple(f"{name}.txt" for name in NAMES),
        ("-ref 1.txt", "ref'2.txt"),
        "-source.txt",
        "-docs.txt",
        ("my label.txt",),
    )
    settings = Settings(significance=QUICK, baseline=NAMES[1], pair=(NAMES[1], NAMES[5]))
    return make_study(assemble(read_inputs(inputs)), settings, inputs=inputs)


def rows_of(sheet):
    """A sheet as JSON holds it."""
    keys = []
    for field in sheet.fields:
        keys += [f"{field.key}_low", f"{field.key}_high"] if field.kind == "interval" else [field.key]
    return sheet.frame[keys].to_dict("records")


def assert_same(printed, sheet):
    expected = rows_of(sheet)
    assert len(printed) == len(expected) > 0
    for row, wanted in zip(printed, expected, strict=True):
        for key, value in wanted.items():
            is_missing = value is None or (isinstance(value, float) and math.isnan(value))
            assert row[key] is None if is_missing else row[key] == value, key


def parts_of(study):
    first, second = (study.evaluation.systems[name].counts for name in study.pair)
    return attribute(first, second, study.evaluation.options, names=study.pair)


class TestWords:
    @pytest.fixture(autouse=True)
    def _of_names(self, study_as_asked):
        self.study_as_asked = study_as_asked

    def of(self, **changes):
        inputs, names = changes.pop("inputs", Inputs(is_sample=True)), changes.pop("systems", ("x", "y"))
        return self.study_as_asked(names, inputs, Settings(**changes))

    def test_are_few_where_everything_is_as_usual(self):
        assert commands.lint_command(self.of()) == "bleuscope lint --sample"
        assert commands.scores_command(self.of()) == "bleuscope compare --sample"
        assert commands.pair_command(self.of()) == "bleuscope compare --pair x y --sample"
        usual = SegmentQuery(order=DEFAULT_ORDER)
        assert commands.segments_command(self.of(), usual) == "bleuscope segments --pair x y --sample"
        assert commands.report_command(self.of()) == "bleuscope report --output report.html --pair x y --sample"

    def test_repeat_what_was_said_of_files_with_judgements(self):
        inputs = Inputs(is_sample=True, system_names=("m 1=x",), moves_spans=True)
        query = SegmentQuery(order=DEFAULT_ORDER)
        assert commands.segments_command(self.of(inputs=inputs), query) == "bleuscope segments --pair x y --sample"
        assert commands.segments_command(self.of(inputs=inputs), query, judgements="j.tsv") == (
            "bleuscope segments --pair x y --judgements j.tsv --system-name 'm 1=x' --move-spans --sample"
        )

    def test_name_files_by_role_with_the_systems_last(self):
        inputs = Inputs(("a.txt", "b.txt"), ("r1.txt", "r2.txt"), "s.txt", "d.txt", ("l.txt",))
        assert commands.lint_command(self.of(inputs=inputs)) == (
            "bleuscope lint --reference r1.txt --reference r2.txt --source s.txt --documents d.txt "
            "--labels l.txt a.txt b.txt"
        )

    def test_name_a_test_set_of_sacrebleu_with_the_tokenizer_that_its_language_would_change(self):
        inputs = Inputs(("a.txt",), test_set="wmt22", language_pair="en-zh")
        assert commands.scores_command(self.of(inputs=inputs, options=BleuOptions("13a"))) == (
            "bleuscope compare --tokenize 13a --test-set wmt22 --language-pair en-zh a.txt"
        )

    def test_are_quoted_for_a_shell(self):
        inputs = Inputs(("-a b.txt", "~c.txt", "-"), ("it's",))
        command = commands.scores_command(self.of(inputs=inputs, baseline="$(y)", systems=("x", "$(y)")))
        assert command == ("bleuscope compare --baseline '$(y)' --reference 'it'\"'\"'s' -- '-a b.txt' './~c.txt' -")

    def test_say_only_what_differs(self):
        changed = self.of(
            options=BleuOptions("intl", smoothing="add-k", smoothing_value=2.0, reference_length="shortest"),
            metrics=(ChrfOptions(lowercase=True), TerOptions(asian_support=True, normalized=True)),
            significance=SignificanceOptions(test="block-t", n_blocks=12, level=0.001),
        )
        assert commands.scores_command(changed) == (
            "bleuscope compare --tokenize intl --smooth-method add-k --smooth-value 2.0 --reference-length shortest "
            "--metrics chrf,ter --chrf-lowercase --ter-normalized --ter-asian-support "
            "--test block-t --level 0.001 --blocks 12 --sample"
        )

    def test_name_a_preset_where_no_options_say_it(self):
        assert "--preset ibleu " in commands.scores_command(self.of(options=PRESETS["ibleu"].options))
        papineni = commands.scores_command(self.of(options=PRESETS["papineni-2002"].options))
        assert papineni == "bleuscope compare --preset papineni-2002 --sample"

    def test_of_a_report_hold_its_choices(self):
        options = ReportOptions("A title", "two\nlines", ("verdict", "systems"), 3, (2, 16), is_full=True, date="May")
        command = commands.report_command(self.of(), options, is_html=False)
        assert shlex.split(command)[1:] == [
            *("report", "--format", "markdown", "--output", "report.md", "--title", "A title", "--date", "May"),
            *("--remarks", "two\nlines", "--top", "3", "--segments-list", "3,17", "--full"),
            *(word for name in ("charts", "difference", "segments", "checks", "methods", "settings")
              for word in ("--without", name)),
            *("--pair", "x", "y", "--sample"),
        ]  # fmt: skip

    def test_of_a_report_name_the_sections_besides_and_the_judgements(self):
        held = ReportOptions(sections=sections_without([], OF_JUDGEMENTS))
        assert shlex.split(commands.report_command(self.of(), held, marked="m"))[4:-4] == ["--judgements", "m"]
        words = ["--judgements", "m", "--average", "z"]
        of_both = commands.report_command(self.of(), held, of_people=words, marked="m")
        assert shlex.split(of_both)[4:-4] == words

    def test_of_ranks_are_those_of_the_command_line(self):
        assert {short: page for page, short in commands.RANKS.items()} == dict(RANKS)

    def test_say_beside_what_they_leave_out(self):
        assert commands.remarks(self.of()) == ()
        scores = SegmentScores("COMET", "c.tsv", {"x": SystemScores(np.array([1]), np.array([0.5]), np.array([2]))})
        left_out = self.of(
            inputs=Inputs(("a",), is_complete=False),
            metrics=(ChrfOptions(), ChrfOptions(word_order=2), scores),
        )
        assert commands.remarks(left_out, is_upload=True) == (
            commands.ROLES_CHOSEN,
            commands.IN_THEIR_FOLDER,
        )
        assert "--scores c.tsv --score-column COMET " in commands.scores_command(left_out)
        of_scores = self.of(metrics=(scores,))
        assert commands.remarks(of_scores) == (commands.IN_THEIR_FOLDER,)
        assert commands.remarks(of_scores, with_metrics=False) == ()


class TestNumbers:
    """Each command of a page is run, and what it prints is compared with the page's sheets."""

    def test_of_the_test_set_page(self, run, study):
        findings = check(study.test_set)
        printed = run(commands.lint_command(study))
        assert_same(printed["checks"], finding_sheets.findings_sheet(findings, study.test_set, study.evaluation))

    def test_of_the_scores_page(self, run, study):
        printed = run(commands.scores_command(study))
        assert_same(printed["systems"], score_sheets.systems_sheet(study))
        assert printed["facts"]["signature"] == study.evaluation.signature

    def test_of_the_significance_page(self, run, study):
        printed = run(commands.significance_command(study))
        assert_same(printed["pairs"], significance_sheets.pairs_sheet(study.comparison, study.evaluation))
        assert_same(printed["clusters"], significance_sheets.clusters_sheet(study.comparison, study.evaluation))
        assert_same(printed["power"], power_sheet(study.comparison, study.evaluation, study.measured_against))
        assert printed["facts"]["test_signature"] == study.comparison.options.signature()

    def test_of_the_significance_page_in_another_metric(self, run, studies):
        study = studies["changed"]
        metric = study.evaluation.metrics["chrF3++"]
        tested = compare(compared_systems(study.test_set, metric), study.comparison.options)
        tested = tested.with_baseline(study.baseline)
        printed = run(commands.significance_command(replace(study, metric=metric)))
        in_metric = replace(study, metric=metric, others={**study.others, metric.name: tested})
        assert_same(printed["systems"], score_sheets.systems_in_metric_sheet(in_metric))
        assert_same(printed["pairs"], significance_sheets.pairs_sheet(tested, study.evaluation, metric))
        assert_same(printed["clusters"], significance_sheets.clusters_sheet(tested, study.evaluation, metric))
        assert_same(printed["power"], power_sheet(tested, study.evaluation, study.measured_against, metric))

    @pytest.mark.parametrize(
        ("choice", "name"),
        [
            (SignificanceOptions("block-t", n_blocks=9), "default"),
            (SignificanceOptions("block-t", unit="document"), "default"),
            (SignificanceOptions("block-t", n_blocks=9, remainder="spread"), "default"),
            (SignificanceOptions("block-t", block_size=30, remainder="spread", shuffle_seed=4), "changed"),
            (SignificanceOptions("block-t", block_size=30, shuffle_seed=0), "changed"),
        ],
    )
    def test_of_the_panel_of_blocks(self, run, studies, choice, name):
        study = studies[name]
        layout = choice.block_layout(study.known_units)
        metric = list(study.evaluation.metrics.values())[-1]
        tests = analyse(metric, layout, study.measured_against).tests(study.pair)
        printed = run(commands.blocks_command(replace(study, metric=metric), choice))
        (row,) = [row for row in printed["pairs"] if {row["system"], row["other"]} == set(study.pair)]
        assert row["p_value"] == pytest.approx(tests[0].p_value, rel=1e-12)

    def test_of_the_compare_page(self, run, study):
        attribution = parts_of(study)
        printed = run(commands.pair_command(study))
        assert_same(printed["attribution"], attribution_sheets.attribution_sheet(attribution, study.evaluation))
        assert_same(printed["documents"], difference_sheets.documents_sheet(study, attribution))
        assert (printed["facts"]["system_a"], printed["facts"]["system_b"]) == study.pair

    @pytest.mark.parametrize("query", QUERIES, ids=lambda query: "; ".join(active_filters(query)) or "all")
    def test_of_the_segments_page(self, run, studies, query):
        study = studies["default" if query.slice else "changed"]  # slices are those of a tokenizer
        rows = cached.found_segments(study.test_set, study.evaluation, study.pair, query, study.evaluation.bleu)
        assert len(rows) > 1
        printed = run(commands.segments_command(study, query))["segments"]
        assert [row["segment"] for row in printed] == (rows + 1).tolist()
        parts = parts_of(study).segments
        assert [row["part"] for row in printed] == parts[rows].tolist()
        delta = segment_differences(study.evaluation, study.pair)
        assert [row["difference"] for row in printed] == delta[rows].tolist()

    def test_of_the_segments_found_taken_as_a_corpus(self, run, study):
        query = SegmentQuery(delta_range=(-math.inf, -1.5), order=DEFAULT_ORDER)
        rows = cached.found_segments(study.test_set, study.evaluation, study.pair, query, study.metric)
        selection = Selection.of(rows, by_score=True)
        compared = compared_systems(study.test_set, study.evaluation.bleu, selection)
        printed = run(commands.segments_command(study, query, as_corpus=True))
        tested = compare(compared, study.significance).with_baseline(study.baseline)
        assert_same(printed["selection"], selection_sheet(tested, study.measured_against, study.evaluation))
        assert len(printed["segments"]) == len(rows)

    @pytest.mark.parametrize("order", [1, 3])
    def test_of_the_n_grams_page(self, run, study, order):
        tokens = pair_tokens(study.test_set, study.pair, study.evaluation.options)
        lists = won_and_lost(ngram_types(tokens, parts_of(study).match_values, n_leading=N_LEADING)[order - 1])
        choice = NgramChoice(VIEWS[0], order, AGAINST[0], PART, PART)
        printed = run(commands.ngrams_command(study, choice, 30))["ngrams"]
        expected = [row for listed in lists for row in listed.ranked(PART, most=30)]
        assert [row["ngram"] for row in printed] == [" ".join(row.tokens) for row in expected]
        assert [row["part"] for row in printed] == [row.part for row in expected]

    def test_of_the_n_grams_page_with_every_choice_changed(self, run, studies):
        choice = NgramChoice("over-generated", 2, AGAINST[1], WORTH, WORTH, "the")
        printed = run(commands.ngrams_command(studies["default"], choice, 4))
        assert (printed["facts"]["view"], printed["facts"]["order"]) == ("over-generated", 2)
        assert [row["side"] for row in printed["ngrams"]] == ["B"] * 4 + ["A"] * 4
        assert all("the" in row["ngram"] for row in printed["ngrams"])

    @pytest.mark.parametrize(
        ("kind", "order", "most"),
        [
            ("document", BY_DELTA, None),
            ("document", BY_PART, 3),
            ("document", BY_SIZE, 1),
            ("rarity of words", None, 2),
        ],
    )
    def test_of_the_slices_page(self, run, study, kind, order, most):
        test_set, metric = study.test_set, study.evaluation.metrics["BLEU"]
        assert kind in slice_kinds(test_set)
        slicing = slice_segments(test_set, kind, study.evaluation.options)
        summary = summarise(study.evaluation, slicing, study.pair, parts_of(study))
        options = study.comparison.options
        order = order or AS_GIVEN
        shown = summary.shown(order, most)
        assert len(shown) == min(most or MAX_SLICES, slicing.n_slices)
        tested = compare_slices(
            compared_pair(test_set, metric, study.pair), slicing, options, chosen=sorted(shown.tolist())
        )
        printed = run(commands.slices_command(study, summary, order, len(shown)))
        assert_same(printed["slices"], slice_sheets.slices_sheet(study, summary, tested, shown))

    def test_of_the_report_page(self, monkeypatch, capsys, tmp_path, study):
        monkeypatch.chdir(tmp_path)
        options = ReportOptions(sections=("verdict", "systems", "settings"))
        command = commands.report_command(study, options, is_html=False)
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        with pytest.raises(SystemExit) as ending:
            main()
        assert ending.value.code in (0, None), capsys.readouterr().err
        text = Path("report.md").read_text()
        assert study.evaluation.signature in text.replace("\\", "")
        for result in study.evaluation.systems.values():
            assert f"{result.score.score:.2f}" in text

    def test_of_files_whose_names_a_shell_could_mistake(self, run, files):
        printed = run(commands.significance_command(files))
        assert_same(printed["systems"], score_sheets.systems_sheet(files))
        assert_same(printed["pairs"], significance_sheets.pairs_sheet(files.comparison, files.evaluation))
        assert printed["facts"]["digest"] == files.test_set.digest
        slicing = slice_segments(files.test_set, "label my label", files.evaluation.options)
        summary = summarise(files.evaluation, slicing, files.pair, None)
        printed = run(commands.slices_command(files, summary, BY_DELTA, 2))
        assert {row["slice"] for row in printed["slices"]} == {"news", "talk"}
        printed = run(commands.lint_command(files))
        assert printed["facts"]["digest"] == files.test_set.digest

    def test_of_a_single_system(self, run, one_system, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("only.txt").write_text("a b c d\nx\n\n")
        Path("ref.txt").write_text("a b c d\ny\nz\n")
        inputs = Inputs(("only.txt",), ("ref.txt",))
        study = make_study(assemble(read_inputs(inputs)), inputs=inputs)
        (row,) = run(commands.scores_command(study))["systems"]
        assert row["bleu"] == study.evaluation.systems["only"].score.score
        printed = run(commands.segments_command(study, SegmentQuery(order=DEFAULT_ORDER)))["segment-scores"]
        assert len(printed) == 3
        choice = NgramChoice("missed", 1, AGAINST[1], WORTH, RATIO)
        assert {row["ngram"] for row in run(commands.ngrams_command(study, choice))["ngrams"]} == {"y", "z"}

    @pytest.mark.parametrize("name", PRESETS)
    def test_under_each_preset(self, run, one_system, tmp_path, monkeypatch, name):
        monkeypatch.chdir(tmp_path)
        Path("a.txt").write_text("A cat sat, here.\nthe Dog ran\n\n")
        Path("b.txt").write_text("A cat sat, there.\na Dog ran off\nx y\n")
        Path("ref.txt").write_text("A cat sat here.\nthe dog ran off\nx y z\n")
        inputs = Inputs(("a.txt", "b.txt"), ("ref.txt",))
        chosen = Settings(options=PRESETS[name].options, significance=QUICK)
        study = make_study(assemble(read_inputs(inputs)), chosen, inputs=inputs)
        printed = run(commands.scores_command(study))
        assert_same(printed["systems"], score_sheets.systems_sheet(study))


@click.command()
@file_options()
@scoring_options
@test_options
@pair_option
@click.option("--baseline")
def probe(**given):
    """Says what a command line comes to."""
    return given


WEIGHTS = {2: (0.3, 0.7), 4: (0.1, 0.2, 0.3, 0.4)}
BLEU = st.builds(
    lambda smoothing, value, weighed, **rest: BleuOptions(
        smoothing=smoothing,
        smoothing_value=value if smoothing in ("floor", "add-k") else None,
        weights=WEIGHTS.get(rest["max_order"]) if weighed else None,
        **rest,
    ),
    smoothing=st.sampled_from(SMOOTHING_METHODS),
    value=st.floats(0, 10) | st.none(),
    weighed=st.booleans(),
    tokenizer=st.sampled_from(TOKENIZER_NAMES),
    lowercase=st.booleans(),
    max_order=st.integers(1, 9),
    effective_order=st.booleans(),
    reference_length=st.sampled_from(REFERENCE_LENGTHS),
)
CHRF = st.builds(ChrfOptions, word_order=st.integers(0, 2), whitespace=st.booleans(), eps_smoothing=st.booleans())
TER = st.builds(TerOptions, normalized=st.booleans(), no_punct=st.booleans(), case_sensitive=st.booleans())
TESTING = st.builds(
    SignificanceOptions,
    test=st.sampled_from(TESTS),
    level=st.floats(0.001, 0.5),
    trials=st.integers(1, 100_000),
    resamples=st.integers(1, 100_000),
    seed=st.integers(0, 2**32 - 1),
    unit=st.sampled_from(UNITS),
    correction=st.sampled_from(tuple(CORRECTIONS)),
    n_blocks=st.none() | st.integers(1, 1_000),
    block_size=st.none() | st.integers(1, 1_000),
    remainder=st.sampled_from(("drop", "spread")),
    shuffle_seed=st.none() | st.integers(0, 2**32 - 1),
)
NAME = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=12).filter(
    str.strip
)


@given(
    bleu=BLEU,
    chrf=st.none() | CHRF,
    ter=st.none() | TER,
    testing=TESTING,
    names=st.lists(NAME, min_size=2, max_size=3, unique=True),
)
def test_every_setting_of_the_dashboard_comes_back_from_its_command(study_as_asked, bleu, chrf, ter, testing, names):
    metrics = tuple(options for options in (chrf, ter) if options is not None)
    inputs = Inputs(is_sample=True)
    pair = (names[0], names[1])
    about = study_as_asked(names, inputs, Settings(bleu, metrics, testing, names[1], pair))
    words = shlex.split(commands.significance_command(about))
    assert words[:2] == ["bleuscope", "compare"]
    found = probe.main(words[2:], standalone_mode=False)
    assert found["scoring"].metrics == tuple(one for one in metrics if one != ChrfOptions())
    usual = bleu.effective_smoothing_value == replace(bleu, smoothing_value=None).effective_smoothing_value
    assert found["scoring"].options == (replace(bleu, smoothing_value=None) if usual else bleu)
    assert found["significance"] == testing
    assert (found["pair"], found["baseline"]) == (pair, names[1])
    assert found["asked"] == inputs
