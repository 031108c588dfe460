"""The sample campaign: what it holds, and that one press opens it."""

from bleuscope.features.campaign import sample
from bleuscope.features.campaign.opened_plan import CAMPAIGN_VARIABLE


def test_has_four_test_sets_of_all_systems():
    plan = sample.plan()
    assert (plan.title, len(plan.sets), plan.left_out) == ("Sample campaign", 4, ())
    assert all(len(one.systems) == 8 and len(one.references) == 2 for one in plan.sets)


def test_opens_from_an_empty_page_and_is_in_the_switch(open_link, monkeypatch):
    monkeypatch.delenv(CAMPAIGN_VARIABLE, raising=False)
    app = open_link("campaign", trials="199", resamples="200")
    app.button(key="sample-campaign").click().run()
    assert not app.exception
    assert [one.value for one in app.header] == ["Systems by test sets", "Over all test sets"]
    app.session_state["switch"] = True
    app.run()
    assert app.button(key="switch-campaign").label == "Sample campaign"
