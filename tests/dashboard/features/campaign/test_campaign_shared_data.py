"""Real test sets as one campaign, where they lie beside the project; else two small ones."""

import csv
from pathlib import Path

import pytest

from bleucore.checks import registry
from bleucore.checks.compared_texts import Columns
from bleucore.significance import SignificanceOptions
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.running import CampaignRun, run_campaign

DATA = Path(__file__).parents[4].parent / "shared" / "data"
FEW = SignificanceOptions(trials=200, resamples=100)
PUBLISHED = {
    "WMT22 en-de": ("wmt22-en-de/published_scores.tsv", "bleu-all"),
    "WMT22 zh-en": ("wmt22-zh-en/published_scores.tsv", "bleu-all"),
    "WMT22 de-en": ("wmt22-de-en/automatic-scores.tsv", "bleu-all"),
}
MOST_CHECKED = 9
"""Texts of a set that is checked too: the checks of the large ones take three times as long as all else."""
SMALL = ("one two three four five\n", "one two three four six\n", "one two three four five six\n")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> CampaignRun:
    """Every set with all its systems, with few draws."""
    folder = DATA
    if not DATA.is_dir():
        folder = tmp_path_factory.mktemp("campaign")
        for pair in ("en-de", "en-fr"):
            (folder / pair).mkdir()
            for name, text in zip(("ref", "one", "two"), SMALL, strict=True):
                (folder / pair / f"{name}.txt").write_text(text * 20, encoding="utf-8")
    plan = plan_campaign(str(folder))
    check = registry._findings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_findings", lambda texts, *rest: check(texts, *rest) if is_checked(texts) else ())
        return run_campaign(plan, tests=FEW, n_processes=1)


def is_checked(texts: Columns) -> bool:
    """Whether these are few enough."""
    return len(texts.all) <= MOST_CHECKED


def published(file: Path, metric: str) -> dict[str, float]:
    """The scores that were published, by system."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return {row["system"]: float(row["score"]) for row in rows if row["metric"] == metric}


def test_every_set_is_scored_and_none_fails(run: CampaignRun) -> None:
    """Each system in a cell of its own."""
    assert run.failed == ()
    assert len(run.results) >= 2
    assert all(len(one.systems) >= 2 and len(set(one.scores)) > 1 for one in run.results)


def test_cells_have_the_scores_that_were_published(run: CampaignRun) -> None:
    """Of the sets that have any, for every system of the table that is there."""
    for result in run.results:
        file, metric = PUBLISHED.get(result.name, ("", ""))
        known = published(DATA / file, metric) if file and (DATA / file).is_file() else {}
        scores = dict(zip(result.systems, result.scores, strict=True))
        for system in scores.keys() & known.keys():
            assert scores[system] == pytest.approx(known[system], rel=1e-12)
        assert not known or len(scores.keys() & known.keys()) >= 8
