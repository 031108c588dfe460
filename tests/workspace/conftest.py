import itertools
import os

import pytest

from bleuscope.workspace import WorkspacePlace, open_workspace, place_of
from bleuscope.workspace.database import Database
from bleuscope.workspace.place import FOLDER_VARIABLE

_numbers = itertools.count()


TEMPLATE = "template_workspace"


@pytest.fixture(scope="session")
def server(postgresql_server):
    """A PostgreSQL with the database of an empty workspace, which others are copied from."""
    Database(place_of(postgresql_server.make(TEMPLATE))).close()
    return postgresql_server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path, monkeypatch):
    """The place of an empty workspace, on either database."""
    if request.param == "sqlite":
        return request.getfixturevalue("empty_place")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "workspace"))
    server = request.getfixturevalue("server")
    return place_of(server.make(f"w{os.getpid()}_{next(_numbers)}", TEMPLATE))


@pytest.fixture(params=["sqlite", "postgresql"])
def new_place(request, tmp_path, monkeypatch):
    """A place where nothing is yet, on either database."""
    if request.param == "sqlite":
        return WorkspacePlace(tmp_path / "new")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "new"))
    return place_of(request.getfixturevalue("server").make(f"w{os.getpid()}_{next(_numbers)}"))


@pytest.fixture
def workspace(place):
    """An empty workspace, on either database."""
    with open_workspace(place) as opened:
        yield opened
