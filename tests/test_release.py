"""What ``deploy/release.sh`` relies on; a whole release takes minutes and is made by hand."""

import re
from pathlib import Path

import pytest
import yaml

import bleucore

ROOT = Path(__file__).parents[1]
VERSION = re.escape(bleucore.__version__)
SAYING = {
    "CHANGELOG.md": rf"\A# Changelog\n[^#]*## {VERSION} \((\d{{4}}-\d\d-\d\d|unreleased)\)\n",
    "CITATION.cff": rf"(?m)^version: {VERSION}$",
    "deploy/bleuscope.cdx.json": rf'"version": "{VERSION}",\n\s+"purl": "pkg:pypi/bleuscope@{VERSION}"',
    "README.md": rf"dist/bleuscope-{VERSION}-py3-none-any\.whl",
    "deploy/compose.yaml": rf"image: bleuscope:{VERSION}\n",
    "deploy/compose.team.yaml": rf"image: bleuscope:{VERSION}\n",
}


@pytest.mark.parametrize("name", SAYING)
def test_every_place_says_the_same_version(name):
    assert re.search(SAYING[name], (ROOT / name).read_text(encoding="utf-8"))


def test_how_to_cite_it_is_in_the_form_that_others_read():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(cited)
