"""The test sets of a project as a campaign: who may open it."""

import pytest
from streamlit.runtime.context import ContextProxy

from bleuscope.features.campaign import kept as kept_campaigns
from bleuscope.features.campaign import open_campaign
from bleuscope.features.campaign.opened_plan import digest_of
from bleuscope.features.campaign.projects import plan_of_project
from bleuscope.shell.state import workspace_in_use
from bleuscope.shell.state.current_user import HEADER, Entered, written
from bleuscope.workspace.access import RIGHTS
from bleuscope.workspace.people import LOCAL, Identity

PROJECT = "en-de"


@pytest.fixture
def kept(versions_place):
    workspace_in_use.use(versions_place, is_shared=True)
    yield workspace_in_use.workspace()
    workspace_in_use.use(None, is_shared=False)


@pytest.fixture
def enter(kept, monkeypatch):
    """Somebody of a role comes in."""

    def by(role):
        identity = Identity("proxy", role, role)
        person = kept.people.person(identity)
        if role in RIGHTS:
            kept.access.give(kept.people.person(LOCAL), PROJECT, person, role)
        headers = {HEADER: written(Entered(identity)).decode()}
        monkeypatch.setattr(ContextProxy, "headers", property(lambda _: headers))
        return person

    return by


def shown(app):
    return " ".join(str(getattr(one, "value", "")) or str(one.proto) for one in (*app.main, *app.sidebar))


@pytest.mark.parametrize("role", ["reader", "nobody"])
def test_a_project_as_a_campaign_is_opened_by_its_members_alone(kept, enter, open_link, role):
    plan = plan_of_project(kept, kept.projects.find(PROJECT))
    opened = open_campaign.OpenCampaign(plan, digest_of(plan), None, PROJECT)
    kept_campaigns.CAMPAIGNS.keep(opened.origin, (plan, opened.digest, PROJECT))
    assert opened.origin != opened.digest[: len(opened.origin)]
    person = enter(role)
    app = open_link("campaign", campaign=opened.origin)
    assert ("wins" in shown(app)) == (role == "reader")
    assert not app.exception
    if role == "reader":
        kept.access.take(kept.people.person(LOCAL), PROJECT, person)
        app.run()
        assert "wins" not in shown(app)
