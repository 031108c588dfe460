"""A report of what was kept is the same to the byte after a backup, on another database, and from the first schema."""

from datetime import date

import pytest
import sqlalchemy as sa

from bleucore import TestSet
from bleucore.significance import SignificanceOptions
from bleuscope.annotations import Annotations, SegmentNote
from bleuscope.content.comparison.comparison_context import make_study
from bleuscope.content.comparison.inputs import Settings
from bleuscope.content.report.assembly import make_report
from bleuscope.content.report.choices import ReportOptions
from bleuscope.content.report.html_page import html_report
from bleuscope.shell.disk.files import load_sample
from bleuscope.workspace import open_workspace
from bleuscope.workspace.backup import back_up
from bleuscope.workspace.comparisons import KeptComparison
from bleuscope.workspace.database import FILE, REVISIONS, Database
from bleuscope.workspace.migrations import upgrade
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.restoring import restore


def of_sample():
    """A tenth of the sample, which makes a report in half a second."""
    whole = load_sample().test_set
    part = slice(0, 20)
    return TestSet(
        [type(one)(one.name, one.hypotheses[part], one.file) for one in whole.systems[:2]],
        [column[part] for column in whole.references],
        whole.source[part],
        whole.documents[part],
        reference_names=whole.reference_names,
        languages=whole.languages,
    )


def report_of(workspace):
    kept = workspace.comparisons.find("o")
    me = workspace.people.person(LOCAL)
    work = workspace.work.read(me, kept.test_set.texts_digest)[0]
    settings = Settings(significance=SignificanceOptions(trials=99, resamples=99))
    study = make_study(kept.test_set, settings, title=kept.title)
    options = ReportOptions(title=kept.title, remarks=work.remarks, n_segments=3, date=date(2026, 1, 2).isoformat())
    return html_report(make_report(study, options, tags=work.notes))


def fill(workspace):
    test_set = of_sample()
    workspace.comparisons.keep(KeptComparison(test_set, "o", "Ours"))
    said = Annotations({3: SegmentNote("grammar", "verb")}, remarks="read this")
    workspace.work.change(workspace.people.person(LOCAL), test_set.texts_digest, lambda _: said)
    return report_of(workspace)


def test_after_a_backup_on_any_database(workspace, new_place, tmp_path):
    before = fill(workspace)
    assert "read this" in before
    back_up(workspace, tmp_path / "b.tar")
    restore(new_place, tmp_path / "b.tar")
    with open_workspace(new_place) as again:
        assert report_of(again) == before


@pytest.mark.parametrize("revision", REVISIONS)
def test_after_an_upgrade_from_each_schema(empty_place, tmp_path, revision):
    with open_workspace(empty_place) as workspace:
        before = fill(workspace)
        back_up(workspace, tmp_path / "b.tar")
    (empty_place.folder / FILE).unlink()
    engine = sa.create_engine(f"sqlite:///{empty_place.folder / FILE}")
    with engine.begin() as connection:
        upgrade(connection, revision)
    engine.dispose()
    restore(empty_place, tmp_path / "b.tar")
    with Database(empty_place) as database:
        assert database.revision() == REVISIONS[-1]
    with open_workspace(empty_place) as again:
        assert report_of(again) == before
