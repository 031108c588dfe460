"""The sample project: made when asked for, opened by its doors, taken away again."""

import pytest

from bleuscope.features.projects import sample
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace.projects import NewVersion


@pytest.fixture
def kept(empty_place):
    workspace_in_use.use(empty_place, is_shared=False)
    yield workspace_in_use.workspace()
    workspace_in_use.use(None, is_shared=False)


class TestSampleProject:
    def test_is_made_when_asked_for_and_opens_on_its_leaderboard(self, kept, open_link):
        app = open_link("projects")
        assert kept.projects.all() == ()
        app.button(key="sample-project").click().run()
        assert not app.exception
        assert app.title[0].value == "Leaderboard"
        (project,) = kept.projects.all()
        assert project.title == "Sample project"
        assert len(kept.projects.versions(project)) == 10

    def test_is_made_once_and_can_be_removed(self, kept, open_link):
        me = workspace_in_use.somebody()[1]
        assert sample.make(kept, me) == sample.make(kept, me) == "sample-project"
        app = open_link("projects")
        app.button(key="really-remove-sample-project").click().run()
        assert not app.exception
        assert kept.projects.all() == ()

    def test_what_somebody_pushed_to_is_no_sample_any_more(self, kept):
        me = workspace_in_use.somebody()[1]
        project = kept.projects.find(sample.make(kept, me))
        of = kept.projects.test_set(project, "sample")
        kept.projects.push(project, of, NewVersion("mine", "v1", [f"text {row}" for row in range(of.n_segments)]), me)
        assert not sample.is_sample(kept, "sample-project")
        assert sample.make(kept, me) == "sample-project-2"

    @pytest.mark.parametrize(("page", "title"), [("project_compare", "Compare"), ("project_trust", "Trust")])
    def test_its_doors_open_its_versions_as_a_comparison_with_a_way_back(self, kept, open_link, page, title):
        sample.make(kept, workspace_in_use.somebody()[1])
        app = open_link(page, project="sample-project")
        assert not app.exception
        assert app.title[0].value == title
        assert app.button(key="way-back").label == "Back to Sample project"

    def test_a_project_of_one_person_has_no_team(self, kept, open_link):
        sample.make(kept, workspace_in_use.somebody()[1])
        assert "no team" in open_link("project_team", project="sample-project").info[0].value
