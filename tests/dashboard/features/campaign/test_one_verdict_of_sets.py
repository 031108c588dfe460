"""A set of a campaign and the comparison that it opens: one verdict."""

from html import unescape

from hypothesis import given

from bleucore.campaign import combine, set_findings, set_pair_verdict, set_result_of, set_verdict
from bleuscope.content.significance.study_verdict import (
    study_verdict,
    verdict_on,
)
from bleuscope.content.significance.verdict_words import verdict_sentence, verdict_text
from bleuscope.features.campaign.figures_matrix import matrix_html
from bleuscope.features.campaign.view import CampaignView
from bleuscope.features.campaign.words import campaign_verdict
from tests.dashboard.one_verdict import check_same, examples, studies


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
            tested, pair = study.comparison_in_metric, (against, name)
            of_pair = verdict_on(tested, metric, pair, study.findings, design=study.design)
            check_same(set_pair_verdict(one, name, against, study.baseline), of_pair)
            cell, star = view.against_on(one, name), study.comparison_in_metric.is_significant(of_pair.compared)
            is_faulty = of_pair.state == "check-texts"
            assert cell.is_significant == (star and not is_faulty)
            assert (view.needs_check(name, "only") is not None) == is_faulty
            if study.baseline is not None or is_faulty:
                assert str(verdict_sentence(of_pair)) in drawn
