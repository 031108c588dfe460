"""Every function of content that makes a sheet or a figure, with examples of each: what properties are tried on.

A case is a small comparison whose texts are made by a rule. Systems stand in no order of their scores, so that what is
sorted differs from what was given.
"""

import importlib
import inspect
import pkgutil
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property

import numpy as np
import plotly.graph_objects as go

from bleucore import System, TestSet, evaluate
from bleucore.agreement.agreement import AgreementOptions, agreement
from bleucore.agreement.conflicts import conflicts
from bleucore.agreement.judged import HumanScores, ScoredSystems
from bleucore.agreement.judges import judges_of
from bleucore.agreement.opinions import neighbour_differences
from bleucore.agreement.pairwise import mean_counts, mean_score
from bleucore.agreement.raters import raters_of
from bleucore.analysis.credited_and_marked import credited_and_marked
from bleucore.analysis.explanation import explain_difference
from bleucore.analysis.kinds import study_kinds
from bleucore.analysis.ngram_types import ngram_types, pair_tokens
from bleucore.analysis.slices import compare_slices, slice_segments
from bleucore.analysis.token_kinds import KINDS
from bleucore.analysis.word_accuracy import FREQUENCY, compare_words, word_buckets
from bleucore.annotation.events import ItemState
from bleucore.annotation.held import adjudicator_of
from bleucore.annotation.marks import Mark
from bleucore.annotation.schemes import ESA, MQM
from bleucore.annotation.tasks import planned
from bleucore.batteries import Outcome
from bleucore.checks import check
from bleucore.formats import Column
from bleucore.history import segment_strips, version_history
from bleucore.judgements.records import Contest, Judgements, Row, Span
from bleucore.metrics import human_agreement
from bleucore.metrics.ter import TerOptions
from bleucore.plugins import Plugin
from bleucore.robustness.references import DrawOptions, study_references
from bleucore.robustness.sensitivity import sensitivity
from bleucore.sampling.criteria import draw_sample
from bleucore.significance import SignificanceOptions, compare
from bleuscope import content
from bleuscope.annotations import BlindTrial, SegmentNote
from bleuscope.content.attribution import attribution_figures, attribution_sheets
from bleuscope.content.blocks import block_analysis, block_figures, block_sheets
from bleuscope.content.comparison import difference_figures, difference_sheets, plan, text_sheets
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.comparison.differences import (
    DifferenceBins,
    compared_systems,
    known_units,
    segment_differences,
)
from bleuscope.content.findings import finding_sheets, plugin_sheets
from bleuscope.content.neural import neural_files, run_words
from bleuscope.content.ngrams import ngram_sheets, ngram_tables, phrases
from bleuscope.content.overview import brief
from bleuscope.content.scores import score_figures, score_sheets
from bleuscope.content.segments import (
    blind_trial,
    marked_tokens,
    question_sheets,
    segment_figures,
    segment_notes,
    segment_sheets,
)
from bleuscope.content.sheets import builders, drawn, forest, values
from bleuscope.content.sheets.forest_rows import Panel
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.significance import significance_by_metric, significance_figures, significance_sheets
from bleuscope.content.slices import slice_figures, slice_sheets, slice_tables, word_sheets
from bleuscope.content.style.scale import ScoreScale
from bleuscope.neural.metrics import NEURAL_METRICS
from bleuscope.neural.models import MODELS
from bleuscope.registry import own_features
from tests.dashboard.feature_parts import module_of, of_features

agreement_figures = module_of("judgements.figures")
opinion_figures = module_of("judgements.figures_opinions")
agreement_sheets = module_of("judgements.sheets")
opinion_sheets = module_of("judgements.sheets_opinions")
rater_sheets = module_of("judgements.sheets_raters")
judge_sheets = module_of("judgements.sheets_judges")
sample_sheets = module_of("judgements.sheets_samples")
project_cards = module_of("projects.cards")
history_figures = module_of("projects.figures")
strip_figures = module_of("projects.figures_strips")
history_sheets = module_of("projects.sheets")
team_sheets = module_of("projects.sheets_team")
scored_versions = module_of("projects.scored_versions")
annotation_outcome = module_of("annotation.outcome")
annotation_sheets = module_of("annotation.sheets")
kind_figures = module_of("kinds.figures")
kind_sheets = module_of("kinds.sheets")
reference_figures = module_of("references.figures")
reference_sheets = module_of("references.sheets")
sensitivity_figures = module_of("sensitivity.figures")
sensitivity_sheets = module_of("sensitivity.sheets")

FEW = SignificanceOptions(trials=399, resamples=99)
N_SEGMENTS, N_DOCUMENTS = 72, 18
WRONG = {"gamma": 6, "alpha": 7, "delta": 7, "beta": 3, "omega": 8}
"""Of every system, of which n-th word each is another one: the larger the better. Two write the same."""
TEXT = "der alte Hund läuft heute sehr schnell über das grüne Feld hinter dem kleinen Haus am Fluss"
WORDS = TEXT.split()
DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _texts(every, shift=0):
    lines = []
    for number in range(N_SEGMENTS):
        line = [*(WORDS[(number * 5 + place * 3) % len(WORDS)] for place in range(6 + number % 7)), str(number)]
        cut = 1 if every and number % (every + 1) == 0 else 0
        words = [
            f"x{place}" if every and (place + number * 3 + shift) % every == 0 else word
            for place, word in enumerate(line)
        ]
        lines.append(" ".join(words[: len(words) - cut]))
    return lines


def _otherwise(line):
    for word, other in (("Hund", "Köter"), ("schnell", "flink"), ("kleinen", "winzigen"), ("grüne", "weite")):
        line = line.replace(word, other)
    return line


def made_texts():
    """The texts of all cases."""
    outputs = {name: _texts(every) for name, every in WRONG.items()}
    outputs["omega"] = [line.lower() for line in outputs["omega"]]  # better without case
    outputs["gamma"] = [_otherwise(line) for line in outputs["gamma"]]  # and with the second reference
    return TestSet(
        [System(name, texts) for name, texts in outputs.items()],
        [_texts(0), [_otherwise(line) for line in _texts(0)]],
        source=[line.upper() for line in _texts(0)],
        documents=[f"doc {number * 5 % N_DOCUMENTS}" for number in range(N_SEGMENTS)],
        labels={"domain": [("talk", "news", "law")[number % 3] for number in range(N_SEGMENTS)]},
        reference_names=("first", "second"),
        languages=("en", "de"),
    )


TEXTS = made_texts()


class Case:
    """A comparison of two of the systems in one metric, and all that is made of it."""

    def __init__(self, first, second, metric="BLEU", baseline=None):
        self.names, self.metric_name, self.baseline = (first, second), metric, baseline

    @cached_property
    def study(self):
        """Scored and tested."""
        settings = Settings(metrics=(TerOptions(),), significance=FEW, pair=self.names, baseline=self.baseline)
        made = _made(self.baseline)
        sides = replace(made, sides=self.names, metric=made.evaluation.metrics[self.metric_name])
        assert settings.pair == sides.pair
        return sides

    @property
    def evaluation(self):
        return self.study.evaluation

    @property
    def metric(self):
        return self.study.metric

    @property
    def test_set(self):
        return self.study.test_set

    @property
    def comparison(self):
        return self.study.comparison_in_metric

    @property
    def compared(self):
        """B minus A."""
        return self.comparison.pair(*self.names[::-1])

    @property
    def scale(self):
        return ScoreScale.of(self.metric)

    @property
    def against(self):
        return self.study.measured_against

    @property
    def looks(self):
        return self.study.looks

    @property
    def pair_looks(self):
        return tuple(self.looks[name] for name in self.names)

    @cached_property
    def delta(self):
        return segment_differences(self.evaluation, self.names, self.metric)

    @cached_property
    def attribution(self):
        return self.study.attribution

    @property
    def parts(self):
        return None if self.attribution.reason else self.attribution.segments

    @property
    def findings(self):
        return _findings()

    @cached_property
    def layouts(self):
        """Blocks of one size, and documents."""
        units = known_units(self.test_set)
        asked = (SignificanceOptions("block-t", n_blocks=5), SignificanceOptions("block-t", unit="document"))
        return [one.block_layout(units) for one in asked]

    @cached_property
    def analyses(self):
        return [block_analysis.analyse(self.metric, layout, self.against) for layout in self.layouts]

    @cached_property
    def block_tests(self):
        return [one.tests(self.names) for one in self.analyses]

    @cached_property
    def layout_study(self):
        return block_analysis.study_layouts(self.metric, self.names, self.layouts[0], seed=1)

    @cached_property
    def size_study(self):
        return block_analysis.study_sizes(self.metric, self.names, None)

    @cached_property
    def slices(self):
        """By label and by length, each with its tests."""
        found = []
        for kind in ("label domain", "reference length"):
            slicing = slice_segments(self.test_set, kind, self.evaluation.options)
            summary = slice_tables.summarise(
                self.evaluation, slicing, self.names, self.attribution if self.parts is not None else None, self.metric
            )
            pair = slice_tables.compared_pair(self.test_set, self.metric, self.names)
            found.append((summary, compare_slices(pair, slicing, FEW)))
        return found

    @cached_property
    def words(self):
        buckets = word_buckets(self.test_set, self.names, FREQUENCY, self.evaluation.options)
        return buckets, compare_words(buckets, self.names, known_units(self.test_set), FEW)

    @cached_property
    def ngram_lists(self):
        """Each view with its choice."""
        options = self.evaluation.options
        tokens = pair_tokens(self.test_set, self.names, options)
        bleu = replace(self.study, metric=self.evaluation.bleu).attribution
        types = ngram_types(tokens, bleu.match_values, n_leading=ngram_tables.N_LEADING)[0]
        other, part = ngram_tables.AGAINST[0], ngram_tables.PART
        choices = [ngram_tables.NgramChoice(view, 1, other, part, part) for view in ngram_tables.VIEWS]
        return [
            (
                ngram_tables.won_and_lost(types)
                if choice.view == ngram_tables.VIEWS[0]
                else ngram_tables.unmatched_by_system(types, choice.view, bleu),
                choice,
            )
            for choice in choices
        ]

    @cached_property
    def phrase_lists(self):
        bleu = replace(self.study, metric=self.evaluation.bleu)
        choices = [
            phrases.PhraseChoice(view, against)
            for view in ngram_tables.VIEWS
            for against in ngram_tables.AGAINST
            if view != ngram_tables.VIEWS[0] or against == ngram_tables.AGAINST[0]
        ]

        def find(pair, counted):
            return phrases.phrases_in(bleu, pair, counted)

        return [(phrases.phrase_lists(bleu, choice, find), choice) for choice in choices]

    @property
    def references(self):
        return _references(self.metric_name)

    @property
    def grid(self):
        return _grid(self.metric_name)

    @property
    def annotated(self):
        """What annotators marked: by ESA with decisions and attention checks, by MQM, and nothing yet."""
        return _annotated()

    @property
    def kinds(self):
        """What A and B lost to each kind of error; their names may be the same."""
        return _kinds(tuple(dict.fromkeys(self.names)))

    @cached_property
    def judged(self):
        """What people say: (K, S), NaN where nobody judged; higher is better, and not as the metric has it."""
        quality = np.array([WRONG[name] for name in self.evaluation.names], np.float64)
        random = np.random.default_rng(4)
        judged = 8 * quality[:, None] + random.normal(0, 9, (len(quality), N_SEGMENTS))
        judged[:, ::5] = np.nan
        judged[1] -= 25
        return judged

    @cached_property
    def agreed(self):
        scored = np.array([self.metric.known_segment_scores(name) for name in self.evaluation.names])
        corpus = np.array([one.score for one in self.metric.systems.values()])
        is_bleu = self.metric_name == "BLEU"
        metrics = [
            ScoredSystems(
                name,
                self.evaluation.names,
                sign * corpus,
                sign * scored,
                up,
                mean_counts(sign * scored),
                mean_score,
                human_agreement.BLEU if is_bleu and place == 0 else None,
            )
            for place, (name, sign, up) in enumerate(
                ((self.metric_name, 1, self.metric.higher_is_better), ("other", -1, not self.metric.higher_is_better))
            )
        ]
        people = HumanScores.of("da", self.evaluation.names, self.judged)
        return agreement(people, metrics, AgreementOptions(trials=49, permutations=2))

    @property
    def score_ends(self):
        """Intervals of the scores that are held against people; one system has none."""
        metric = self.agreed.metrics[0]
        ends = {name: (score - 2, score + 3) for name, score in zip(metric.systems, metric.scores, strict=True)}
        return {name: one for name, one in ends.items() if name != "omega"}

    @property
    def judged_pair(self):
        """What people and the metric say of B and of A, higher is better."""
        rows = [self.evaluation.names.index(name) for name in self.names[::-1]]
        scored = np.array([self.metric.known_segment_scores(name) for name in self.names[::-1]])
        return self.judged[rows], self.metric.gain(scored)

    @cached_property
    def conflicts(self):
        return conflicts(*self.judged_pair)

    @cached_property
    def rows(self):
        """What three raters gave, and spans that they marked."""
        return tuple(
            Row(
                10 * segment + 3 * place + who,
                name,
                segment,
                rater=("ann", "bob", "cy")[who],
                value=float(self.judged[place, segment]) + 7 * (who - 1) * ((segment % 3) - 1),
                spans=(Span(0, 4, ("minor", "major", "critical")[segment % 3], ("style", "accuracy")[segment % 2]),)
                if segment % 4
                else (),
            )
            for place, name in enumerate(self.evaluation.names)
            for segment in range(N_SEGMENTS)
            if segment % 5
            for who in range(1 + (segment + place) % 3)
        )

    @cached_property
    def raters(self):
        return raters_of(Judgements("da", "da.tsv", "DA", self.rows), self.evaluation.names, N_SEGMENTS)

    @cached_property
    def verdicts(self):
        """What two models said of pairs of outputs, one of them of its own system too, and what a third one scored."""
        names = self.evaluation.names
        rows = [
            Row(segment + 1, names[of], segment, judge, value, contest=Contest(names[1 - of], is_first=of == first))
            for judge in (names[0], "gpt-4")
            for segment in range(N_SEGMENTS)
            for first in range(1 + segment % 2)
            for value in ((segment + first) % 3 / 2,)
            for of, value in ((first, value), (1 - first, 1 - value))
        ]
        scores = [row._replace(rater="claude-3") for row in self.rows if row.rater == "ann"]
        return (
            Judgements("pairs", "pairs.jsonl", "pairwise", tuple(rows), are_of_models=True, unclear={"gpt-4": 2}),
            Judgements("scores", "scores.jsonl", "pointwise", tuple(scores), are_of_models=True),
        )

    @cached_property
    def judges(self):
        """The same by themselves, and next to people and the metrics."""
        names, people = self.evaluation.names, self.people
        metric = ScoredSystems("BLEU", names, self.judged.mean(axis=1), np.nan_to_num(self.judged[::-1]))
        beside = judges_of(self.verdicts, names, N_SEGMENTS, people=people, metric=metric)
        return (judges_of(self.verdicts, names, N_SEGMENTS), beside)

    @cached_property
    def marked(self):
        judgements = Judgements("mqm", "mqm.tsv", "MQM", self.rows)
        return {
            name: credited_and_marked(self.test_set, name, judgements, self.evaluation.options) for name in self.names
        }

    @property
    def people(self):
        return HumanScores.of("da", self.evaluation.names, self.judged)

    @cached_property
    def scored(self):
        """The systems as versions of two systems, with their intervals."""
        steps = enumerate(self.metric.systems.items())
        versions = tuple(
            scored_versions.ScoredVersion(
                "nightly" if place % 2 else "base",
                f"v{place}",
                1000 * (place + 1),
                DAY + timedelta(days=place, hours=place),
                f"digest {place}",
                (),
                result.score,
                self.comparison.intervals[name],
            )
            for place, (name, result) in steps
        )
        return scored_versions.ScoredVersions(
            *("project", "news", "d" * 64, N_SEGMENTS, self.metric.name, self.metric.signature, "bs:99"),
            versions,
            (scored_versions.LeftOut("old", "It was scored on other texts."),),
            self.metric.higher_is_better,
        )

    @cached_property
    def board(self):
        pinned = self.scored.versions
        rows = scored_versions.board_rows(self.scored, "latest", pinned)
        renamed = TestSet(
            [
                System(row.name, self.test_set.system(self._system_of(row.version)).hypotheses)
                for row in sorted(rows, key=lambda row: pinned.index(row.version))
            ],
            self.test_set.references,
        )
        metric = evaluate(renamed, metrics=(TerOptions(),)).metrics[self.metric_name]
        return scored_versions.Leaderboard(self.scored, rows, None, compare(compared_systems(renamed, metric), FEW))

    def _system_of(self, version):
        return self.evaluation.names[int(version.label[1:])]

    @cached_property
    def history(self):
        versions = self.scored.versions
        texts = [self.test_set.system(self._system_of(one)).hypotheses for one in versions]
        labelled = [System(one.label, text) for one, text in zip(versions, texts, strict=True)]
        named = replace(self.test_set, systems=labelled)
        metric = evaluate(named, metrics=(TerOptions(),)).metrics[self.metric_name]
        found = version_history(compared_systems(named, metric), FEW)
        return scored_versions.SystemHistory(self.scored, "base", versions, found)

    @cached_property
    def strips(self):
        strips = segment_strips([one.counts for one in self.metric.systems.values()], self.metric.options)
        last = len(WRONG) - 1
        rows = tuple(strips.most("got better", 0, last, 4).tolist())
        begins = tuple(self.test_set.references[0][row] for row in rows)
        return strip_figures.ShownStrips(self.history, strips, 0, last, "got better", rows, begins)

    @cached_property
    def tasks(self):
        names = self.evaluation.names[:3]
        return [
            sample_sheets.Task(
                self.test_set, names, by, draw_sample(by, self.evaluation, self.test_set, names, budget=36, seed=2)
            )
            for by in ("difference", "document")
        ]

    @cached_property
    def opinions(self):
        return significance_by_metric.opinions_of(self.study)

    @property
    def explanation(self):
        return _explanation()

    @property
    def trial(self):
        return BlindTrial.of(self.test_set.digest, self.names, 3)

    @property
    def quantity(self):
        return difference_figures.Quantity(self.scale)


CASES = {
    "B is better": Case("gamma", "alpha"),
    "A is better": Case("omega", "beta"),
    "both are the same": Case("alpha", "delta"),
    "lower is better": Case("beta", "alpha", "TER"),
    "against a baseline": Case("omega", "gamma", "BLEU", "omega"),
}
CONDITIONS = ('has(b, "x0")', 'lacks(a, "Hund")', "length > 8")
PREFERENCES = {7: "right", 2: "left", 5: "tie", 11: "left"}
NOTES = {9: SegmentNote("odd", "why?"), 1: SegmentNote("", "a note"), 4: SegmentNote("odd")}
PLUGINS = (
    (Plugin("bleuscope.metrics", "wer", "one"), (Outcome("First.", None), Outcome("Second.", "x < 1"))),
    (Plugin("bleuscope.checks", "brackets", "one"), (Outcome("Third.", None), Outcome("Fourth.", None))),
)


PLANNED = (
    Column("a.jsonl", "a, 1", "hypothesis", ("x", "y"), None, 1, is_cell=True, title="output", system="a"),
    Column("a.jsonl", "a, 2", "hypothesis", ("x", "z"), None, 1, is_cell=True, title="output", system="a"),
    Column("b.txt", "b", "hypothesis", ("z", "y"), None, 1),
    Column("ref.txt", "reference", "reference", ("x", "y"), None, 1),
    Column("src.txt", "source", "source", ("u", "v"), None, 1),
    Column("again.txt", "again", "ignore", ("x", "y"), None, 1),
)


@cache
def card():
    """A project with test sets in every state."""
    return project_cards.ProjectCard(
        *("en-de", "English", ("base", "nightly")),
        (
            project_cards.CardRow("news", 40, 3, DAY, "base", 31.256, "BLEU"),
            project_cards.CardRow("talks", 12, 1, DAY + timedelta(days=1), None, None, "BLEU", 1, is_being_scored=True),
            project_cards.CardRow("empty", 5, 0, None, None, None, "BLEU"),
            project_cards.CardRow("olds", 7, 2, DAY, "nightly", 12.0, "BLEU", 2),
        ),
        0,
    )


@cache
def team():
    """Members, tokens, links and the log of a project."""
    members = [
        team_sheets.MemberRow("owner", "Ann", "a@b.c", "proxy", "ann"),
        team_sheets.MemberRow("reader", "Bob", "", "proxy", "bob"),
    ]
    tokens = [
        team_sheets.TokenRow(1, "ci", "push", "valid", "Ann", DAY, DAY + timedelta(days=9), None),
        team_sheets.TokenRow(2, "old", "read", "expired", "Bob", DAY, None, DAY),
    ]
    links = [team_sheets.LinkRow(4, "History", "Ann", DAY)]
    log = [
        team_sheets.LogRow(DAY, "Ann", "push", "base v1"),
        team_sheets.LogRow(DAY - timedelta(days=1), "", "made", "en-de"),
    ]
    return members, tokens, links, log


@cache
def _made(baseline):
    return make_study(TEXTS, Settings(metrics=(TerOptions(),), significance=FEW, baseline=baseline))


@cache
def _findings():
    return tuple(check(TEXTS))


@cache
def _references(metric):
    options = None if metric == "BLEU" else TerOptions()
    return study_references(TEXTS, options, draws=DrawOptions(n=20), significance=FEW)


@cache
def _grid(metric):
    options, axes = (
        (None, {"case": ["lower"], "tokenizer": ["char"]}) if metric == "BLEU" else (TerOptions(), {"case": ["mixed"]})
    )
    return sensitivity(TEXTS, options, axes, significance=FEW)


@cache
def _annotated():
    """Outcomes of annotation: two annotators of all outputs of two systems."""
    random, found = np.random.default_rng(3), []
    for scheme in (ESA, MQM):
        plan = planned(TEXTS, None, ["ann", "bob"], scheme=scheme, systems=["beta", "gamma"], overlap=1, attention=2)
        plan = replace(plan, shares_time=plan.annotators if scheme is ESA else ())
        states = {}
        for place, item in enumerate(plan.items):
            for name in (
                plan.annotators if item.planted is None else [n for n in plan.annotators if item.id in plan.assigned[n]]
            ):
                marks = (
                    [Mark(0, 1 + int(random.integers(3)), ["minor", "major"][place % 2])]
                    if random.random() < 0.5
                    else []
                )
                score = float(random.integers(100)) if scheme is ESA else None
                states[item.id, name] = ItemState({f"m{n}": mark for n, mark in enumerate(marks)}, score, "", True, 4.0)
        first = next(item for item in plan.items if item.planted is None)
        states[first.id, adjudicator_of(7, "cem")] = ItemState({}, 50.0 if scheme is ESA else None, "as ann", True)
        found.append(annotation_outcome.Outcome(plan, states))
    return (*found, annotation_outcome.Outcome(found[1].task, {}))


@cache
def _kinds(names):
    return study_kinds(TEXTS, names, _made(None).evaluation.options)


@cache
def _explanation():
    return explain_difference(TEXTS, _made(None).evaluation.options, "mteval-v13a")


def _sheets_of(module):
    """Those that a feature makes; none where its folder was removed."""
    return () if module is None else module.SHEETS.values()


FACTS = {"digest": "d"}
_SHEETS = {
    "attribution_sheets.attribution_sheet": lambda c: [
        attribution_sheets.attribution_sheet(c.attribution, c.evaluation)
    ],
    "block_sheets.blocks_sheet": lambda c: [
        block_sheets.blocks_sheet(one, neighbour) for one in c.analyses for neighbour in block_analysis.NEIGHBOURS
    ],
    "block_sheets.block_tests_sheet": lambda c: [
        block_sheets.block_tests_sheet(*one) for one in zip(c.analyses, c.block_tests, strict=True)
    ],
    "block_sheets.block_scores_sheet": lambda c: [block_sheets.block_scores_sheet(one) for one in c.analyses],
    "brief.sheet_of_one": lambda c: [brief.sheet_of_one(c.study)],
    "difference_sheets.documents_sheet": lambda c: [
        difference_sheets.documents_sheet(c.study, c.attribution),
        difference_sheets.documents_sheet(c.study, None),
    ],
    "difference_sheets.sorted_segments_sheet": lambda c: [
        difference_sheets.sorted_segments_sheet(c.delta, c.metric.name),
        *([] if c.parts is None else [difference_sheets.sorted_segments_sheet(c.parts, are_parts=True)]),
    ],
    "difference_sheets.ends_of": lambda c: [
        difference_sheets.ends_of(difference_sheets.sorted_segments_sheet(c.delta), most) for most in (3, 12, 20)
    ],
    "difference_sheets.difference_bins_sheet": lambda c: [
        difference_sheets.difference_bins_sheet(DifferenceBins.of(c.delta))
    ],
    "text_sheets.texts_sheet": lambda c: [text_sheets.texts_sheet(c.test_set), text_sheets.texts_sheet(c.test_set, 5)],
    "plan.sets_sheet": lambda _: [plan.sets_sheet(plan.plan_of_columns("news", PLANNED))],
    "plugin_sheets.plugins_sheet": lambda _: [plugin_sheets.plugins_sheet(PLUGINS), plugin_sheets.plugins_sheet(())],
    "finding_sheets.findings_sheet": lambda c: [
        finding_sheets.findings_sheet(c.findings, c.test_set),
        finding_sheets.findings_sheet(c.findings, c.test_set, c.evaluation),
    ],
    "projects.sheets.leaderboard_sheet": lambda c: [
        history_sheets.leaderboard_sheet(c.board),
        history_sheets.leaderboard_sheet(replace(c.board, comparison=None)),
    ],
    "projects.sheets.left_out_sheet": lambda c: [history_sheets.left_out_sheet(c.scored)],
    "projects.sheets.versions_sheet": lambda c: [
        history_sheets.versions_sheet(c.scored),
        history_sheets.versions_sheet(c.scored, ("base",)),
    ],
    "projects.sheets.history_sheet": lambda c: [
        history_sheets.history_sheet(c.history),
        history_sheets.history_sheet(replace(c.history, found=None)),
    ],
    "projects.cards.test_sets_sheet": lambda c: [project_cards.test_sets_sheet(card())],
    "projects.cards.projects_sheet": lambda c: [project_cards.projects_sheet([card(), replace(card(), slug="other")])],
    "projects.figures_strips.strips_sheet": lambda c: [strip_figures.strips_sheet(c.strips)],
    "projects.figures_strips.strip_sheet": lambda c: [strip_figures.strip_sheet(c.strips, 3, list(WRONG))],
    "projects.sheets_team.members_sheet": lambda c: [team_sheets.members_sheet("en-de", team()[0])],
    "projects.sheets_team.tokens_sheet": lambda c: [team_sheets.tokens_sheet("en-de", team()[1])],
    "projects.sheets_team.links_sheet": lambda c: [team_sheets.links_sheet("en-de", team()[2])],
    "projects.sheets_team.log_sheet": lambda c: [team_sheets.log_sheet("en-de", team()[3])],
    **{
        f"annotation.sheets.{make.__name__}": lambda c, make=make: [make(one) for one in c.annotated]
        for make in _sheets_of(annotation_sheets)
    },
    "kinds.sheets.kinds_sheet": lambda c: [
        kind_sheets.kinds_sheet(c.study, c.kinds, marked) for marked in (None, c.annotated[0].kinds)
    ],
    "kinds.sheets.segments_sheet": lambda c: [
        kind_sheets.segments_sheet(c.study, c.kinds, kind) for kind in range(len(KINDS))
    ],
    "kinds.sheets.slices_sheet": lambda c: [
        kind_sheets.slices_sheet(c.study, c.kinds, slice_segments(TEXTS, kind, c.evaluation.options))
        for kind in ("document", "reference length")
    ],
    "neural_files.neural_sheet": lambda c: [neural_files.neural_sheet(c.test_set, MODELS)],
    "run_words.run_sheet": lambda c: [
        run_words.run_sheet(metric, c.test_set, {key: [0.5, 0.25] for key in c.test_set.system_names})
        for metric in list(NEURAL_METRICS._own.values())[:2]
    ],
    "ngram_sheets.ngrams_sheet": lambda c: [ngram_sheets.ngrams_sheet(c.study, *one) for one in c.ngram_lists],
    "ngram_sheets.ngram_list_sheet": lambda c: [
        ngram_sheets.ngram_list_sheet(c.study, listed, choice) for lists, choice in c.ngram_lists for listed in lists
    ],
    "phrases.phrases_sheet": lambda c: [
        phrases.phrases_sheet(c.study, *one, has_parts=has_parts)
        for one in c.phrase_lists
        for has_parts in (True, False)
    ],
    "phrases.clicked_sheet": lambda c: [
        phrases.clicked_sheet(c.study, listed, listed.leading, choice, has_parts=True)
        for lists, choice in c.phrase_lists
        for listed in lists
    ],
    **{
        f"references.sheets.{make.__name__}": lambda c, make=make: [make(c.references, FACTS)]
        for make in _sheets_of(reference_sheets)
    },
    "judgements.sheets_samples.sample_sheet": lambda c: [sample_sheets.sample_sheet(one) for one in c.tasks],
    "judgements.sheets_samples.strata_sheet": lambda c: [sample_sheets.strata_sheet(one) for one in c.tasks],
    "score_sheets.scores_sheet": lambda c: [score_sheets.scores_sheet(c.evaluation)],
    "score_sheets.systems_sheet": lambda c: [score_sheets.systems_sheet(c.study)],
    "score_sheets.systems_in_metric_sheet": lambda c: [score_sheets.systems_in_metric_sheet(c.study)],
    "score_sheets.tested_systems_sheet": lambda c: [
        score_sheets.tested_systems_sheet(c.evaluation, c.study.comparison, c.against, others=c.study.others),
        score_sheets.tested_systems_sheet(c.evaluation, None, c.against, others={}),
    ],
    "score_sheets.orders_sheet": lambda c: [score_sheets.orders_sheet(c.evaluation)],
    "score_sheets.explanation_sheet": lambda c: [score_sheets.explanation_sheet(c.explanation, "mteval-v13a")],
    "blind_trial.blind_sheet": lambda c: [blind_trial.blind_sheet(c.trial, PREFERENCES)],
    "marked_tokens.systems_sheet": lambda c: [marked_tokens.systems_sheet(c.marked, "mqm.tsv", "sig")],
    "marked_tokens.cells_sheet": lambda c: [
        marked_tokens.cells_sheet(name, c.marked[name], marked_tokens.cells_of("b", c.evaluation.options))
        for name in c.names
    ],
    "marked_tokens.categories_sheet": lambda c: [
        marked_tokens.categories_sheet(name, c.marked[name]) for name in c.names
    ],
    "question_sheets.questions_sheet": lambda c: [question_sheets.questions_sheet(c.study, CONDITIONS)],
    "segment_figures.scatter_sheet": lambda c: [segment_figures.scatter_sheet(one) for one in figures(c)[SCATTER]],
    "segment_notes.notes_sheet": lambda c: [segment_notes.notes_sheet(c.test_set, NOTES)],
    "segment_sheets.segments_sheet": lambda c: [
        segment_sheets.segments_sheet(c.study, np.array([7, 2, 20]), c.parts, c.metric, chosen="Some."),
        segment_sheets.segments_sheet(c.study, np.array([0]), None),
    ],
    "segment_sheets.differing_segments_sheet": lambda c: [
        segment_sheets.differing_segments_sheet(c.study, c.delta, c.parts, c.metric)
    ],
    "segment_sheets.segment_scores_sheet": lambda c: [segment_sheets.segment_scores_sheet(c.test_set, c.evaluation)],
    "segment_sheets.one_segment_sheet": lambda c: [segment_sheets.one_segment_sheet(c.study, 5, c.names)],
    "segment_sheets.example_sheet": lambda c: [segment_sheets.example_sheet(c.study, 5, (*c.names, "omega"))],
    **{
        f"sensitivity.sheets.{make.__name__}": lambda c, make=make: [make(c.grid, FACTS)]
        for make in _sheets_of(sensitivity_sheets)
    },
    "builders.sheet_of": lambda c: [],
    "builders.columns_of": lambda c: [],
    "builders.rows_of": lambda c: [builders.rows_of(score_sheets.scores_sheet(c.evaluation), [2, 0], title="Some")],
    "drawn.drawn_sheet": lambda c: [
        drawn.drawn_sheet(figures(c)[name][0])
        for name in ("difference_figures.difference_histogram", "significance_figures.null_figure")
    ],
    "values.with_decimals": lambda c: [values.with_decimals(score_sheets.systems_sheet(c.study), 1)],
    "significance_sheets.pairs_sheet": lambda c: [
        significance_sheets.pairs_sheet(c.comparison, c.evaluation, c.metric)
    ],
    "significance_sheets.neighbours_sheet": lambda c: [
        significance_sheets.neighbours_sheet(c.comparison, c.evaluation, c.metric)
    ],
    "significance_sheets.pair_sheet": lambda c: [
        significance_sheets.pair_sheet(c.comparison, c.names, c.evaluation, c.metric)
    ],
    "significance_sheets.opinions_sheet": lambda c: [significance_sheets.opinions_sheet(c.study, c.opinions)],
    "significance_sheets.clusters_sheet": lambda c: [
        significance_sheets.clusters_sheet(c.comparison, c.evaluation, c.metric)
    ],
    "significance_sheets.power_sheet": lambda c: [
        significance_sheets.power_sheet(c.comparison, c.evaluation, c.against, c.metric)
    ],
    "significance_sheets.selection_sheet": lambda c: [
        significance_sheets.selection_sheet(c.comparison, c.against, c.evaluation, c.metric)
    ],
    "slice_sheets.slices_sheet": lambda c: [
        slice_sheets.slices_sheet(c.study, summary, tested, summary.shown(summary.orders()[0], None), others=("beta",))
        for summary, tested in c.slices
    ],
    "word_sheets.words_sheet": lambda c: [word_sheets.words_sheet(c.study, FREQUENCY, *c.words)],
    "judgements.sheets.agreement_sheet": lambda c: [agreement_sheets.agreement_sheet(c.agreed)],
    "judgements.sheets.metric_sheets": lambda c: list(agreement_sheets.metric_sheets(c.agreed)),
    "judgements.sheets.judged_systems_sheet": lambda c: [agreement_sheets.judged_systems_sheet(c.agreed)],
    "judgements.sheets.judged_pairs_sheet": lambda c: [
        agreement_sheets.judged_pairs_sheet(c.agreed),
        agreement_sheets.judged_pairs_sheet(c.agreed, c.agreed.metrics[0]),
    ],
    "judgements.sheets.judged_neighbours_sheet": lambda c: [agreement_sheets.judged_neighbours_sheet(c.agreed)],
    "judgements.sheets.conflicts_sheet": lambda c: [
        agreement_sheets.conflicts_sheet(c.test_set, c.conflicts, c.names, ("da", c.metric.name))
    ],
    "judgements.sheets_opinions.side_by_side_sheet": lambda c: [
        opinion_sheets.side_by_side_sheet(c.agreed, one) for one in c.agreed.metrics
    ],
    "judgements.sheets_opinions.sizes_sheet": lambda c: [
        opinion_sheets.sizes_sheet(c.agreed, one) for one in c.agreed.metrics
    ],
    "judgements.sheets_judges.judges_sheet": lambda c: [judge_sheets.judges_sheet(one) for one in c.judges],
    "judgements.sheets_judges.positions_sheet": lambda c: [judge_sheets.positions_sheet(one) for one in c.judges],
    "judgements.sheets_judges.self_preference_sheet": lambda c: [
        judge_sheets.self_preference_sheet(one) for one in c.judges
    ],
    "judgements.sheets_judges.shown_sheets": lambda c: [
        sheet for one in c.judges for sheet in judge_sheets.shown_sheets(one)
    ],
    "judgements.sheets_raters.raters_sheet": lambda c: [rater_sheets.raters_sheet(c.raters, c.people)],
    "judgements.sheets_raters.disputed_sheet": lambda c: [rater_sheets.disputed_sheet(c.test_set, c.raters, c.people)],
}
SCATTER = "segment_figures.scatter_figure"
_FIGURES = {
    "attribution_figures.waterfall_figure": lambda c: [
        attribution_figures.waterfall_figure(
            attribution_sheets.attribution_sheet(c.attribution, c.evaluation), c.scale, c.pair_looks
        )
    ],
    "block_figures.block_scores_figure": lambda c: [
        block_figures.block_scores_figure(one, c.names, c.looks, show_others=shown)
        for one in c.analyses
        for shown in (True, False)
    ],
    "block_figures.block_differences_figure": lambda c: [
        block_figures.block_differences_figure(one, tests[0])
        for one, tests in zip(c.analyses, c.block_tests, strict=True)
    ],
    "block_figures.layouts_figure": lambda c: (
        [] if c.layout_study.reason else [block_figures.layouts_figure(c.layout_study, c.block_tests[0][0], 0.05)]
    ),
    "block_figures.sizes_figure": lambda c: (
        []
        if c.size_study.reason
        else [block_figures.sizes_figure(c.size_study, size, c.block_tests[0][0], 0.05) for size in (None, 4)]
    ),
    "difference_figures.segment_differences_figure": lambda c: [
        difference_figures.segment_differences_figure(
            difference_sheets.sorted_segments_sheet(c.delta, c.metric.name), c.test_set.references[0], c.quantity
        )
    ],
    "difference_figures.difference_histogram": lambda c: [difference_figures.difference_histogram(c.delta, c.scale)],
    "difference_figures.document_differences_figure": lambda c: [
        difference_figures.document_differences_figure(
            difference_sheets.documents_sheet(c.study, None), c.quantity, most
        )
        for most in (None, 3)
    ],
    "projects.figures.history_figure": lambda c: [
        history_figures.history_figure(history, along, chosen)
        for history, along, chosen in (
            (c.history, "step", (0, 2)),
            (c.history, "time", ()),
            (replace(c.history, found=None), "order", ()),
        )
    ],
    "projects.figures_strips.strips_figure": lambda c: [strip_figures.strips_figure(c.strips)],
    "kinds.figures.ladder_figure": lambda c: [
        kind_figures.ladder_figure(c.kinds, [c.looks[one.system] for one in c.kinds.losses])
    ],
    "references.figures.slope_figure": lambda c: [reference_figures.slope_figure(c.references, c.looks)],
    "references.figures.growth_figure": lambda c: [reference_figures.growth_figure(c.references, c.looks)],
    "references.figures.draws_figure": lambda c: [reference_figures.draws_figure(c.references)],
    "references.figures.ahead_figure": lambda c: [reference_figures.ahead_figure(c.references, c.looks)],
    "references.figures.matches_figure": lambda c: [reference_figures.matches_figure(c.references)],
    "score_figures.scores_figure": lambda c: [
        score_figures.scores_figure(score_sheets.systems_sheet(c.study), c.looks)
    ],
    "score_figures.precisions_figure": lambda c: [
        score_figures.precisions_figure(score_sheets.orders_sheet(c.evaluation), c.looks)
    ],
    SCATTER: lambda c: [
        segment_figures.scatter_figure(
            *(c.metric.known_segment_scores(name) for name in c.names), np.array([9, 3, 14, 0]), c.pair_looks, c.scale
        )
    ],
    "sensitivity.figures.grid_figure": lambda c: [sensitivity_figures.grid_figure(c.grid)],
    "sensitivity.figures.ribbons_figure": lambda c: [sensitivity_figures.ribbons_figure(c.grid, c.looks)],
    "forest.forest_figure": lambda c: [
        forest.forest_figure(
            score_sheets.systems_sheet(c.study),
            c.looks,
            [Panel("difference", "Δ BLEU", "difference_interval")],
            title="Differences",
        )
    ],
    "significance_figures.null_figure": lambda c: [
        significance_figures.null_figure(c.comparison.null_test(*c.names[::-1]), c.metric.name)
    ],
    "significance_figures.bootstrap_figure": lambda c: [
        significance_figures.bootstrap_figure(
            c.compared, c.comparison.resampled_differences(*c.names[::-1]), c.metric.name
        )
    ],
    "significance_figures.power_figure": lambda c: (
        []
        if not c.compared.smallest_detectable
        else [significance_figures.power_figure(c.comparison, c.compared, c.metric.name)]
    ),
    "slice_figures.slices_figure": lambda c: [
        slice_figures.slices_figure(
            slice_sheets.slices_sheet(c.study, summary, tested, summary.shown(summary.orders()[0], None)), c.scale
        )
        for summary, tested in c.slices
    ],
    "charts.styled": lambda c: [],
    "charts.named_at_ends": lambda c: [],
    "judgements.figures.scatter_figure": lambda c: [
        agreement_figures.scatter_figure(c.agreed, c.agreed.metrics[0], c.score_ends, c.looks, without_outliers=False)
    ],
    "judgements.figures.pairs_figure": lambda c: [
        agreement_figures.pairs_figure(c.agreed, one, c.looks) for one in c.agreed.metrics
    ],
    "judgements.figures.conflicts_figure": lambda c: [
        agreement_figures.conflicts_figure(
            c.conflicts, *(first - second for first, second in c.judged_pair), ("da", c.metric.name)
        )
    ],
    "judgements.figures_opinions.neighbours_figure": lambda c: [
        opinion_figures.neighbours_figure(c.agreed, neighbour_differences(c.agreed.people), c.looks)
    ],
    "judgements.figures_opinions.side_by_side_figure": lambda c: [
        opinion_figures.side_by_side_figure(c.agreed, one, c.looks) for one in c.agreed.metrics
    ],
    "judgements.figures_opinions.agreement_curve_figure": lambda c: [
        opinion_figures.agreement_curve_figure(c.agreed.metrics[0], human_agreement.BLEU)
    ],
}
SHEETS, FIGURES = of_features(_SHEETS), of_features(_FIGURES)
"""Of content, and of the features whose folders are there."""


class _Made(dict):
    """What builders make of a case, each when it is first asked for."""

    def __init__(self, case, table):
        super().__init__()
        self.case, self.table = case, table

    def __missing__(self, name):
        self[name] = self.table[name](self.case)
        return self[name]


@cache
def figures(case):
    """The figures of a case by builder."""
    return _Made(case, FIGURES)


@cache
def sheets(case):
    """The sheets of a case by builder."""
    return _Made(case, SHEETS)


PURE = re.compile(r"(sheets|figures|cards)\w*$")
"""Modules of a feature that make sheets and figures, and nothing of Streamlit's."""
OWN_TABLE = ("campaign", "runs")
"""Features whose tests have a table of their own."""


def public_builders(package, of, modules=re.compile("")):
    """The names of all public functions of a package, or of some modules, that return a sheet, or a figure."""
    found = []
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not modules.search(module.name):
            continue
        made = importlib.import_module(module.name)
        for name, function in vars(made).items():
            if not inspect.isfunction(function) or function.__module__ != module.name or name.startswith("_"):
                continue
            if re.search(rf"\b{of.__name__}\b", str(function.__annotations__.get("return"))):
                found.append(f"{module.name.rpartition('.')[2]}.{name}")
    return sorted(found)


def content_builders(of):
    """Those of content, and of features that have no table of their own."""
    found = public_builders(content, of)
    for feature in (one.name for one in own_features() if one.name not in OWN_TABLE):
        package = importlib.import_module(f"bleuscope.features.{feature}")
        found += [f"{feature}.{name}" for name in public_builders(package, of, PURE)]
    return sorted(found)


__all__ = ["CASES", "FIGURES", "SHEETS", "Sheet", "content_builders", "figures", "go", "public_builders", "sheets"]
