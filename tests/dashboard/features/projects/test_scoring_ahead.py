"""Versions that are scored in the background: what could not be scored is tried again, not at once."""

import threading

from bleuscope.features.projects import scoring_ahead
from bleuscope.features.projects.scoring_ahead import FORGOTTEN_AFTER_SECONDS, THREAD
from bleuscope.workspace import open_workspace


def test_what_could_not_be_scored_is_tried_again_later(versions_place, monkeypatch):
    monkeypatch.setattr(scoring_ahead, "_failed", {})  # of this process, which others may have filled
    with open_workspace(versions_place) as workspace:
        project = workspace.projects.find("en-de")
        (of, *_) = workspace.projects.test_sets(project)
        (version, *_) = workspace.projects.versions(project, of)
        for blob in [path for path in workspace.blobs.folder.rglob("*") if path.is_file()]:
            blob.unlink()
        assert not scoring_ahead.is_hopeless(of, version)
        scoring_ahead.ask(workspace, project, of)
        for thread in threading.enumerate():
            if thread.name == THREAD:
                thread.join()
        assert scoring_ahead.is_hopeless(of, version)
        now = scoring_ahead.monotonic()
        monkeypatch.setattr(scoring_ahead, "monotonic", lambda: now + FORGOTTEN_AFTER_SECONDS - 60)
        assert scoring_ahead.is_hopeless(of, version)
        monkeypatch.setattr(scoring_ahead, "monotonic", lambda: now + FORGOTTEN_AFTER_SECONDS + 60)
        assert not scoring_ahead.is_hopeless(of, version)
        assert not scoring_ahead._failed
