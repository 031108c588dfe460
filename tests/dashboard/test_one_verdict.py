"""One verdict: over many comparisons no two places give another state, effect, interval, p or wins."""

import re
from dataclasses import replace

import pytest
from hypothesis import given

from bleucore import System, TestSet
from bleucore.significance import TESTS, SignificanceOptions, pair_verdict
from bleucore.significance.verdict import Wins
from bleuscope.content.blocks.block_analysis import analyse
from bleuscope.content.blocks.block_words import pair_test, verdict_note
from bleuscope.content.comparison import share_words
from bleuscope.content.comparison.comparison_context import checked, make_study
from bleuscope.content.comparison.differences import wins_of
from bleuscope.content.comparison.inputs import Settings
from bleuscope.content.overview.brief import brief_text
from bleuscope.content.overview.forest import forest_html
from bleuscope.content.overview.overview_words import answer, balance_words, why_heading
from bleuscope.content.report import make_report, markdown_report
from bleuscope.content.report.choices import ReportOptions
from bleuscope.content.report.parts import Words
from bleuscope.content.scores import verdicts
from bleuscope.content.scores.score_sheets import systems_in_metric_sheet, systems_sheet
from bleuscope.content.sheets.screens import Screen
from bleuscope.content.significance.significance_by_metric import opinions_of
from bleuscope.content.significance.significance_sheets import opinions_sheet, pair_sheet, pairs_sheet, power_sheet
from bleuscope.content.significance.study_verdict import (
    bleu_verdict,
    study_verdict,
    verdict_of_pair,
    verdict_on,
)
from bleuscope.content.significance.verdict_words import verdict_facts, verdict_sentence, verdict_text
from bleuscope.content.style import numbers
from bleuscope.content.style.scale import ScoreScale
from bleuscope.content.style.sentences import Sentence, isolated, sentence, strong
from bleuscope.notebook import compare, scores_table
from tests.dashboard.one_verdict import (
    WORDS,
    examples,
    numbers_of,
    row_of,
    same,
    studies,
)

APART = re.compile(r"Without (it|them), ")
EFFECT = re.compile(
    r"(?P<effect>[+−]?\d+\.\d+) (?P<metric>\w+)"
    r"(?: \((?:95 % CI (?P<low>−?\d+\.\d+) to (?P<high>−?\d+\.\d+))?(?:, )?(?:p.(?P<p>[=<>].\S+?))?\))?(?=[ .:,])"
)
BLOCK_OR_SACREBLEU = ("block-t", "block-wilcoxon", "block-sign", "sacrebleu-bs")
"""Their p-values are not those of the statistic that the interval is of."""
AGREEING = [test for test in TESTS if test not in BLOCK_OR_SACREBLEU]


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


def check_texts_agree(study, found, in_bleu):
    said = str(verdict_sentence(found))
    assert effect_in(said) == written(found)
    assert ("Check the texts first" in said) == (found.state == "check-texts")
    assert bool(APART.search(said)) == bool(found.apart)
    no_praise = answer(study), verdicts.study_verdict(study)
    assert {"Check the texts first" in one.markdown() for one in no_praise} == {in_bleu.state == "check-texts"}
    for one in no_praise:
        assert bool(APART.search(one.markdown())) == bool(in_bleu.apart)
        assert verdict_sentence(in_bleu, names_error=False).markdown() in one.markdown()
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
    selected = verdict_on(study.comparison_in_metric, study.metric, study.pair, study.findings, design=study.design)
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


def test_a_sentence_goes_on_behind_a_comma_with_a_small_letter_but_a_name_stays_as_it_is():
    for said, continued in (
        (sentence("No clear winner: {}.", strong("A")), "no clear winner: A."),
        (sentence("{} beats {}.", strong("Online"), strong("B")), "Online beats B."),
        (sentence("{} differ", isolated("Online")), "Online differ"),
        (Sentence(), ""),
    ):
        assert str(said.continued()) == continued
