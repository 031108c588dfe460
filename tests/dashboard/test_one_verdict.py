"""One verdict: over many comparisons no two places give another state, effect, interval, p or wins."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bleucore import System, TestSet
from bleucore.campaign import combine, set_findings, set_pair_verdict, set_result_of, set_verdict
from bleucore.checks import Finding
from bleucore.history import version_history
from bleucore.metrics.ter import TerOptions
from bleucore.significance import CORRECTIONS, TESTS, SignificanceOptions, pair_verdict, verdict_of
from bleucore.significance import compare as compare_systems
from bleucore.significance.verdict import Wins
from bleuscope.content.blocks.block_analysis import analyse
from bleuscope.content.blocks.block_words import pair_test, verdict_note
from bleuscope.content.comparison import share_words
from bleuscope.content.comparison.comparison_context import checked, make_study
from bleuscope.content.comparison.differences import wins_of
from bleuscope.content.comparison.inputs import Settings
from bleuscope.content.history.board_verdicts import (
    BEFORE,
    BEST_AND_BEFORE,
    THE_BEST,
    board_verdict,
    latest_verdicts,
)
from bleuscope.content.history.history_sheets import history_sheet, leaderboard_sheet
from bleuscope.content.history.history_words import history_verdict, leaderboard_verdict
from bleuscope.content.history.scored_versions import (
    Leaderboard,
    ScoredVersion,
    ScoredVersions,
    SystemHistory,
    board_rows,
)
from bleuscope.content.overview.brief import brief_text
from bleuscope.content.overview.forest import forest_html
from bleuscope.content.overview.overview_words import answer, balance_words, why_heading
from bleuscope.content.report import make_report, markdown_report
from bleuscope.content.report.choices import ReportOptions
from bleuscope.content.report.parts import Words
from bleuscope.content.scores import verdicts
from bleuscope.content.scores.score_sheets import systems_in_metric_sheet, systems_sheet
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.screens import Screen
from bleuscope.content.significance.significance_by_metric import opinions_of
from bleuscope.content.significance.significance_sheets import opinions_sheet, pair_sheet, pairs_sheet, power_sheet
from bleuscope.content.significance.study_verdict import (
    bleu_verdict,
    study_verdict,
    verdict_of_pair,
    verdict_on,
    with_findings,
)
from bleuscope.content.significance.verdict_words import verdict_facts, verdict_sentence, verdict_text
from bleuscope.content.style import numbers
from bleuscope.content.style.scale import ScoreScale
from bleuscope.features.campaign.figures_matrix import matrix_html
from bleuscope.features.campaign.view import CampaignView
from bleuscope.features.campaign.words import campaign_verdict
from bleuscope.notebook import compare, scores_table
from bleuscope.workspace.results import ScoredSet

FOUND = [
    [Finding("letter-case", severity, kind, index, subject, "7 of 9 segments are wrong.", "Look.", np.arange(3))]
    for severity in ("error", "warning")
    for kind, index, subject in (("system", 0, "System 's0'"), ("reference", 0, "Reference 1"))
]
"""What the checks of the texts can find: about one system, or what all are held against."""

WORDS = [f"w{place}" for place in range(60)]
EFFECT = re.compile(
    r"(?P<effect>[+−]?\d+\.\d+) (?P<metric>\w+)"
    r"(?: \((?:95 % CI (?P<low>−?\d+\.\d+) to (?P<high>−?\d+\.\d+))?(?:, )?(?:p.(?P<p>[=<>].\S+?))?\))?(?=[ .:,])"
)
BLOCK_OR_SACREBLEU = ("block-t", "block-wilcoxon", "block-sign", "sacrebleu-bs")
"""Their p-values are not those of the statistic that the interval is of."""
AGREEING = [test for test in TESTS if test not in BLOCK_OR_SACREBLEU]


def examples(in_every_run, in_deep_ones):
    """How many comparisons are tried."""
    is_deep = settings.get_current_profile_name() == "deep"
    number = in_deep_ones if is_deep else in_every_run
    return settings(max_examples=number, derandomize=True, deadline=None, phases=(Phase.generate,))


def texts_of(rng, references, share):
    """The references with this share of their words replaced."""
    return [
        " ".join(str(rng.choice(WORDS)) if rng.random() < share else word for word in reference.split())
        for reference in references
    ]


@st.composite
def studies(draw):
    """Comparisons small and large, tested in every way."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n_segments, n_systems = draw(st.sampled_from([6, 12, 24, 36, 60])), draw(st.integers(1, 8))
    references = [" ".join(rng.choice(WORDS, rng.integers(4, 12))) for _ in range(n_segments)]
    if draw(st.booleans()):  # rows of the same items
        references = [references[place // 2] for place in range(n_segments)]
    documents = None
    if n_documents := draw(st.sampled_from([0, 1, 4, 6, 12, 30, 60])):
        documents = [f"d{place * min(n_documents, n_segments) // n_segments}" for place in range(n_segments)]
    shares = [draw(st.sampled_from([0.1, 0.15, 0.3, 0.6])) for _ in range(n_systems)]
    systems = [System(f"s{place}", texts_of(rng, references, share)) for place, share in enumerate(shares)]
    if n_systems > 1 and draw(st.booleans()):
        systems[-1] = System(systems[-1].name, systems[0].hypotheses)
    names = [one.name for one in systems]
    unit = draw(st.sampled_from(["auto", "segment", "block"] + (["document"] if documents else [])))
    options = SignificanceOptions(
        test=draw(st.sampled_from(list(TESTS))),
        correction=draw(st.sampled_from(list(CORRECTIONS))),
        unit=unit,
        trials=99,
        resamples=60,
    )
    asked = Settings(
        significance=options,
        metrics=(TerOptions(),),
        metric=draw(st.sampled_from(["BLEU", "chrF2", "TER"])),
        baseline=draw(st.sampled_from([None, *names])),
        pair=tuple(draw(st.permutations(names))[:2]) if n_systems > 1 else None,
    )
    study = make_study(TestSet(systems, [references], documents=documents), asked)
    return replace(study, findings=draw(st.sampled_from([None, (), *map(tuple, FOUND)])))


def effect_in(text):
    """Effect, interval and p of the first effect in a text, as written; ``None`` without one."""
    found = EFFECT.search(" ".join(text.replace("**", "").replace("\\", "").split()).replace("\u00a0", " "))
    return None if found is None else found.groupdict()


def written(found):
    """What the effect of a verdict has to read."""
    if found.state in ("equal", "check-texts") or abs(found.effect) < 1e-9:
        return None
    low, high = found.interval or (None, None)
    p = None if found.p_value is None else numbers.p_value(found.p_value)
    return {
        "effect": numbers.difference(found.effect),
        "metric": found.metric,
        "low": None if low is None else numbers.score(low),
        "high": None if high is None else numbers.score(high),
        "p": None if p is None else p if p[0] in "<>" else f"= {p}",
    }


def row_of(sheet, found):
    """Difference, interval, p and star of the verdict's pair in a sheet; all from the better one's side."""
    frame, names = sheet.frame, (found.compared.name, found.compared.other)
    other = frame["other"] if "other" in frame else np.full(len(frame), sheet.facts["baseline"])
    for (_, row), opposite in zip(frame.iterrows(), other, strict=True):
        if {row["system"], opposite} == set(names):
            sign = 1 if row["system"] == names[0] else -1
            ends = sorted((sign * row["difference_interval_low"], sign * row["difference_interval_high"]))
            return sign * row["difference"], *ends, row["corrected_p_value"], row["significant"]
    raise AssertionError(names)


def numbers_of(found, comparison):
    low, high = found.interval or (np.nan, np.nan)
    p = np.nan if found.p_value is None else found.p_value
    return found.effect, low, high, p, comparison.is_significant(found.compared)


def same(values, others):
    return np.allclose(
        np.array(values[:-1], np.float64), np.array(others[:-1], np.float64), rtol=0, atol=1e-9, equal_nan=True
    ) and bool(values[-1]) == bool(others[-1])


def check_texts_agree(study, found, in_bleu):
    said = str(verdict_sentence(found))
    assert effect_in(said) == written(found)
    assert ("Check the texts first" in said) == (found.state == "check-texts")
    no_praise = answer(study), verdicts.study_verdict(study)
    assert {"Check the texts first" in one.markdown() for one in no_praise} == {in_bleu.state == "check-texts"}
    assert ("scores higher than" in str(why_heading(study))) == (pair_in_bleu(study).state == "leads")
    if study.metric is study.evaluation.bleu:
        assert in_bleu == found
    assert effect_in(answer(study).markdown()) == written(in_bleu)
    assert effect_in(verdicts.study_verdict(study).markdown()) == written(in_bleu)
    brief = brief_text(study, Screen(), tables=("systems",)).split("\n\n")[0]
    assert effect_in(brief) == written(found)
    report = markdown_report(make_report(study, ReportOptions(sections=("verdict",)), findings=study.findings or ()))
    assert effect_in(report.split("## Result")[1]) == written(in_bleu)
    if study.metric is study.evaluation.bleu:
        of_pair = pair_in_bleu(study)
        options = ReportOptions(sections=("difference",), n_segments=1)
        made = make_report(study, options, findings=study.findings or ())
        pieces = [one.said.markdown() for one in made.sections[0].blocks if isinstance(one, Words)]
        assert verdict_text(of_pair).markdown() in pieces


def pair_in_bleu(study):
    return verdict_of_pair(replace(study, metric=study.evaluation.bleu))


def check_lines_agree(study):
    """Selections, metrics side by side, wins of pages: A and B everywhere as in their verdict."""
    first, second = study.pair
    of_pair = verdict_of_pair(study)
    selected = verdict_on(study.comparison_in_metric, study.metric, study.pair, study.findings)
    assert (selected.state, selected.effect, selected.interval) == (of_pair.state, of_pair.effect, of_pair.interval)
    assert (selected.p_value, selected.wins) == (of_pair.p_value, of_pair.wins)
    assert selected.n_warnings == of_pair.n_warnings
    rows = opinions_sheet(study, opinions_of(study)).frame
    (place,) = [at for at, name in enumerate(rows["metric"]) if name.split()[0] == study.metric.name]
    row = rows.iloc[place]
    sign = 1 if of_pair.compared.name == second else -1
    assert sign * row["difference"] == pytest.approx(of_pair.effect, abs=1e-9)
    assert of_pair.p_value is None or row["corrected_p_value"] == pytest.approx(of_pair.p_value)
    wins = wins_of(study.metric, second, first)
    noted = verdicts.differences_note(study.metric, (study.looks[first], study.looks[second])).markdown()
    said = [int(one) for one in re.findall(r"(?:wins|loses|ties) (\d+)", noted)]
    assert said == [wins.n_wins, wins.n_losses, wins.n_ties]
    assert (wins if sign > 0 else Wins(wins.n_losses, wins.n_wins, wins.n_ties)) == of_pair.wins
    balance = [int(one) for one in re.findall(r"(?:wins|loses|ties) (\d+)", str(balance_words(study)))]
    if of_pair.metric == "BLEU" and abs(of_pair.effect) > 1e-9:
        assert balance == [of_pair.wins.n_wins, of_pair.wins.n_losses, of_pair.wins.n_ties]


def check_blocks_agree(study):
    """The panel of blocks names no winner of its own, and says so wherever its test differs from the verdict."""
    of_pair, unit = verdict_of_pair(study), study.known_units
    choice = SignificanceOptions("block-t", n_blocks=3)
    layout = choice.block_layout(unit)
    analysis = analyse(study.metric, layout, study.pair[0], can_test=choice.can_test(layout.n_blocks))
    tests, has_stars = analysis.tests(study.pair), choice.has_stars(unit)
    said = str(pair_test(analysis, tests, 0.05, has_stars=has_stars))
    assert not re.search(r"beats|leads|significantly|winner|No significant", said)
    noted = verdict_note(analysis, tests, of_pair, 0.05, has_stars=has_stars).markdown()
    p_value, gain = tests[0].p_value, ScoreScale.of(study.metric).gain(tests[0].mean_difference)
    winner = study.pair[gain > 0] if p_value is not None and p_value < 0.05 and has_stars else None
    differs = p_value is not None and winner != (of_pair.compared.name if of_pair.state == "leads" else None)
    assert noted.startswith("The verdict counts: ") == differs == bool(noted)


def check_sheets_agree(study, found, in_bleu):
    for one, sheet in ((in_bleu, systems_sheet(study)), (found, systems_in_metric_sheet(study))):
        assert verdict_facts(one).items() <= sheet.facts.items()
        metric = study.evaluation.metrics[one.metric]
        comparison = study.others.get(one.metric, study.comparison)
        expected = numbers_of(one, comparison)
        assert same(row_of(sheet, one), expected)
        against = study.baseline or metric.ranked()[0]
        pair = (one.compared.other, one.compared.name)
        for other in (
            pairs_sheet(comparison, study.evaluation, metric),
            power_sheet(comparison, study.evaluation, against, metric),
            pair_sheet(comparison, pair, study.evaluation, metric),
        ):
            assert same(row_of(other, one), expected)
        if one.family != "baseline":
            frame = comparison.to_frame()
            rows = frame[frame["system"].isin(pair) & frame["other"].isin(pair)]
            assert len(rows) == 1
            assert abs(rows["difference"].iloc[0]) == pytest.approx(abs(one.effect))
            assert rows["significant"].iloc[0] == expected[-1]
            assert one.p_value is None or rows["corrected_p_value"].iloc[0] == one.p_value


def check_stars_and_intervals(study, found):
    comparison = study.others.get(found.metric, study.comparison)
    if found.state == "leads" and found.question != "best":
        assert comparison.is_significant(found.compared)
    if found.state == "no-winner" and found.question != "best":
        assert not comparison.is_significant(found.compared)
    for name in comparison.names:
        for other in comparison.names:
            if name != other:
                one = comparison.pair(name, other)
                if one.interval is None or one.corrected_p_value is None or one.difference == 0:
                    continue
                low, high = one.interval
                assert low <= high
                leaves_out = low >= 0 if one.difference > 0 else high <= 0
                covers = low <= 0 <= high
                assert leaves_out if one.corrected_p_value < 0.05 else covers


def opinion(found):
    """What two surfaces must not say differently of a comparison, but for what one of them does not look at."""
    numbers_ = (found.effect, *(found.interval or (np.nan, np.nan)), np.nan if found.p_value is None else found.p_value)
    said = (found.question, found.state, found.systems, found.compared.name, found.compared.other, found.family)
    return (*said, found.compared.n_comparisons, found.unit, found.n_units, found.n_items, found.reason), numbers_


def check_same(one, other):
    (said, of_one), (also, of_other) = opinion(one), opinion(other)
    assert said == also
    assert np.allclose(of_one, of_other, rtol=0, atol=1e-9, equal_nan=True)


@examples(8, 60)
@given(study=studies())
def test_a_set_of_a_campaign_says_what_the_comparison_says_that_it_opens(study):
    test_set, metric = study.test_set, study.metric
    one = set_result_of(
        "only",
        study.evaluation,
        test_set.documents,
        items=test_set.items,
        metric=metric.name,
        options=study.significance,
        keeps_seed=True,  # as the comparison that is opened has the seed of the set
        findings=None if study.findings is None else set_findings(study.findings, study.evaluation.names),
    )
    view = CampaignView("One", combine([one], baseline=study.baseline), scoring=metric.options)
    found = set_verdict(one, study.baseline)
    opened = study_verdict(study)
    assert (found is None) == (opened is None)
    if found is None:
        return
    check_same(found, opened)
    assert verdict_text(found, names_error=True).markdown() in campaign_verdict(view).markdown()
    drawn = unescape(str(matrix_html(view, view.order(), view.groups(), leads_on=True)))
    for name in one.systems:
        against = view.measured_against
        if name != against:
            of_pair = verdict_on(study.comparison_in_metric, metric, (against, name), study.findings)
            check_same(set_pair_verdict(one, name, against, study.baseline), of_pair)
            cell, star = view.against_on(one, name), study.comparison_in_metric.is_significant(of_pair.compared)
            is_faulty = of_pair.state == "check-texts"
            assert cell.is_significant == (star and not is_faulty)
            assert (view.needs_check(name, "only") is not None) == is_faulty
            if study.baseline is not None or is_faulty:
                assert str(verdict_sentence(of_pair)) in drawn


@examples(50, 300)
@given(study=studies())
def test_no_two_places_say_another_thing_of_the_same_comparison(study):
    found, in_bleu = study_verdict(study), bleu_verdict(study)
    if found is None:  # one system: nobody compares it with anything
        assert in_bleu is None
        assert not study.compares
        said = (
            answer(study).markdown()
            + verdicts.study_verdict(study).markdown()
            + brief_text(study, Screen(), tables=("systems",))
        )
        assert not re.search(r"beats|leads|clear winner|significant", said)
        return
    check_lines_agree(study)
    check_texts_agree(study, found, in_bleu)
    check_sheets_agree(study, found, in_bleu)
    check_blocks_agree(study)
    if study.significance.test in AGREEING:
        check_stars_and_intervals(study, found)
    wins = found.wins
    assert wins.n_wins + wins.n_losses + wins.n_ties == study.test_set.n_segments
    if set(study.pair) == {found.compared.name, found.compared.other}:
        of_pair = verdict_of_pair(study)
        assert (of_pair.effect, of_pair.interval, of_pair.p_value) == (found.effect, found.interval, found.p_value)
        assert (of_pair.wins, of_pair.compared) == (found.wins, found.compared)
        assert len(found.systems) > 2 or of_pair.agreement == found.agreement  # of more, all tied ones count
    compared = pair_verdict(study.comparison, "BLEU", in_bleu.compared.other, in_bleu.compared.name)
    assert (compared.effect, compared.p_value) == (in_bleu.effect, in_bleu.p_value)
    assert len(forest_html(systems_sheet(study), study.looks)) > 0


@examples(12, 100)
@given(study=studies())
def test_a_leaderboard_says_what_the_comparison_says_that_it_opens(study):
    metric, of = study.metric, study.test_set
    drawn_from = ScoredSet(None, metric.options, metric.signature, study.known_units)
    given_ = drawn_from.compared([(name, one.counts) for name, one in metric.systems.items()])
    comparison = compare_systems(given_, study.significance).with_baseline(study.baseline)
    versions = tuple(
        ScoredVersion(name, "1", None, datetime(2026, 9, 1, tzinfo=UTC), name, (), one.score, None)
        for name, one in metric.systems.items()
    )
    scored = ScoredVersions("p", "news", of.digest, of.n_segments, metric.name, metric.signature, "", versions)
    scored = replace(scored, higher_is_better=metric.higher_is_better)
    board = Leaderboard(scored, board_rows(scored, "latest"), study.baseline, comparison, study.findings)
    opened = study_verdict(study)
    said = leaderboard_verdict(board).markdown()
    assert "only system" in said if opened is None else verdict_sentence(opened).markdown() in said
    if opened is not None:
        check_same(board_verdict(board), opened)
        rows = leaderboard_sheet(board)
        assert verdict_facts(board_verdict(board)).items() <= rows.facts.items()
        expected = numbers_of(opened, comparison)
        assert same(row_of(rows, opened), expected)
        drawn = unescape(str(html_table(rows, study.looks)))
        assert opened.p_value is None or numbers.p_value(opened.p_value) in drawn
        assert numbers.difference(abs(opened.effect)) in drawn or numbers.difference(-abs(opened.effect)) in drawn


@examples(12, 100)
@given(study=studies())
def test_a_history_says_what_its_rows_say(study):
    metric, of = study.metric, study.test_set
    drawn_from = ScoredSet(None, metric.options, metric.signature, study.known_units)
    options = replace(study.significance, test="approximate-randomisation")
    given_ = drawn_from.compared([(name, one.counts) for name, one in metric.systems.items()])
    found = version_history(given_, options)
    versions = tuple(
        ScoredVersion("s", name, None, datetime(2026, 9, 1, tzinfo=UTC), name, (), one.score, None)
        for name, one in metric.systems.items()
    )
    scored = ScoredVersions("p", "news", of.digest, of.n_segments, metric.name, metric.signature, "", versions)
    scored = replace(scored, higher_is_better=metric.higher_is_better)
    history = SystemHistory(scored, "s", versions, found, study.findings)
    said = history_verdict(history).markdown().replace("**", "").replace("\\", "").replace("\u00a0", " ")
    row = history_sheet(history).frame.iloc[-1]
    verdicts_ = latest_verdicts(history)
    assert set(verdicts_) <= {THE_BEST, BEFORE, BEST_AND_BEFORE}
    assert len({frozenset((one.compared.name, one.compared.other)) for one in verdicts_.values()}) == len(verdicts_)
    is_faulty = any(one.state == "check-texts" for one in verdicts_.values())
    assert ("Check the texts first" in said) == is_faulty
    assert not (is_faulty and re.search(r"beats|is the best|No significant", said))
    for role, one in verdicts_.items():
        key = "behind" if role == THE_BEST else "change"
        sign = 1 if one.compared.name == versions[-1].label else -1
        ends = sorted((sign * row[f"{key}_interval_low"], sign * row[f"{key}_interval_high"]))
        numbers_ = (sign * row[key], *ends, row[f"{key}_p"])
        low, high = one.interval or (np.nan, np.nan)
        expected = (one.effect, low, high, np.nan if one.p_value is None else one.p_value)
        assert np.allclose(np.array(numbers_, np.float64), expected, rtol=0, atol=1e-9, equal_nan=True)
        if not is_faulty:
            assert (one.state == "leads") == row[f"{key}_significant"]
            assert one.state == "equal" or f"{numbers.difference(one.effect)} {metric.name}" in said
            better, other = (
                name if name == versions[-1].label else f"{name} ({role})"
                for name in (one.compared.name, one.compared.other)
            )
            assert (one.state == "leads") == (f"{better} beats {other}: " in said)
    if len(versions) == 2:
        (one,) = verdicts_.values()
        names = [version.label for version in history.held]
        compared = verdict_of(compare_systems(given_, options), metric.name, metric.ranked())
        check_same(
            replace(one, compared=replace(one.compared, family="pair")), with_findings(compared, names, study.findings)
        )


def test_a_link_for_somebody_else_says_nothing_of_the_comparison_that_it_opens():
    words = [value for name, value in vars(share_words).items() if name.isupper()]
    assert not re.search(r"beats|leads to|winner|significant|tied", " ".join(map(str, words)))


def test_a_notebook_knows_what_the_checks_found_as_pages_do():
    references = [f"the {word} stands in line {place}" for place, word in enumerate(WORDS)]
    systems = [System("copied", references), System("worse", ["the wrong words here"] * len(references))]
    test_set = TestSet(systems, [references])
    asked = Settings(significance=SignificanceOptions(trials=99, resamples=60))
    page, notebook = bleu_verdict(checked(make_study(test_set, asked))), compare(test_set, asked)
    assert page.state == "check-texts"
    assert bleu_verdict(notebook) == page
    assert verdict_facts(page).items() <= scores_table(notebook).facts.items()
