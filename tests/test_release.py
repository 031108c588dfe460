"""What ``make release`` looks at before it hands anything out; a whole one takes minutes and is made by hand."""

import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

import bleucore

ROOT = Path(__file__).parents[1]
_spec = spec_from_file_location("release", ROOT / "deploy" / "release.py")
assert _spec is not None
release = module_from_spec(_spec)
assert _spec.loader is not None
_spec.loader.exec_module(release)

SAYING = (
    "pyproject.toml",
    "bleucore/__init__.py",
    "CHANGELOG.md",
    "CITATION.cff",
    "deploy/compose.yaml",
    "deploy/compose.team.yaml",
)


@pytest.fixture
def sources(tmp_path):
    """The files that say a version."""
    for name in SAYING:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_place_says_the_same_version(sources):
    assert release.version_of(sources) == bleucore.__version__
    assert release.disagreements(sources, bleucore.__version__, is_rehearsal=True) == []


@pytest.mark.parametrize("name", SAYING[2:])
def test_a_place_that_says_another_version_is_named(name, sources):
    text = (sources / name).read_text(encoding="utf-8")
    (sources / name).write_text(text.replace(bleucore.__version__, "9.9.9"), encoding="utf-8")
    (found,) = release.disagreements(sources, bleucore.__version__, is_rehearsal=True)
    assert found.startswith(name)


def test_only_a_rehearsal_goes_without_a_day(sources):
    text = f"# Changelog\n\nNew.\n\n## {bleucore.__version__} (unreleased)\n\nFirst.\n"
    (sources / "CHANGELOG.md").write_text(text, encoding="utf-8")
    assert release.disagreements(sources, bleucore.__version__, is_rehearsal=True) == []
    assert len(release.disagreements(sources, bleucore.__version__, is_rehearsal=False)) == 2
    (sources / "CHANGELOG.md").write_text(text.replace("unreleased", "2026-12-01"), encoding="utf-8")
    with (sources / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('[project.urls]\nSource = "https://bleu.example.org"\n')
    assert release.disagreements(sources, bleucore.__version__, is_rehearsal=False) == []


def test_a_wheel_that_takes_a_name_of_others_is_refused(tmp_path):
    wheel = tmp_path / "bleuscope-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as packed:
        for name in ("bleucore/py.typed", "bleuscope/py.typed", "dashboard/app.py", "bleuscope-1.dist-info/METADATA"):
            packed.writestr(name, "")
    with pytest.raises(release.NotReadyError, match="claims bleucore, bleuscope, dashboard"):
        release.look_into(wheel)


def test_how_to_cite_it_is_in_the_form_that_others_read():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(cited)
    assert str(cited["version"]) == bleucore.__version__
