"""A campaign of three test sets for the tests of this folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bleucore.significance import SignificanceOptions

CAMPAIGN_TEXTS = {
    "news.en-de": ("der Hund läuft schnell über das grüne Haus", "alte Katze schläft unter dem kleinen Baum heute"),
    "news.de-en": ("the dog runs quickly over the green house", "an old cat sleeps under the small tree today"),
    "talk.en-cs": ("pes běží rychle přes zelený dům u lesa", "stará kočka spí pod malým stromem celý den"),
}
"""Two segments of each test set, by its name and its languages."""
CAMPAIGN_SYSTEMS = {"best": 0, "middle <i>": 3, "نظام": 6}
"""Each system replaces so many words of every eight."""


@pytest.fixture(scope="session")
def campaign_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of three test sets with twelve segments and three systems; the last set lacks one of them.

    One file belongs to no set. On the second set the last system is the best.
    """
    folder = tmp_path_factory.mktemp("campaign")
    for place, (name, texts) in enumerate(CAMPAIGN_TEXTS.items()):
        source, _, target = name.rpartition(".")[2].partition("-")
        (folder / name).mkdir()
        lines = [f"{texts[line % 2]} {line}" for line in range(12)]
        (folder / name / f"ref.{target}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        originals = [f"zzz yyy {line}" for line in range(12)]
        (folder / name / f"src.{source}").write_text("\n".join(originals) + "\n", encoding="utf-8")
        for system, n_wrong in CAMPAIGN_SYSTEMS.items():
            if (place, system) == (2, "middle <i>"):
                continue
            wrong = 1 if place == 1 and system == "نظام" else n_wrong + place + (system == "best")
            outputs = [_with_wrong_words(line, number, wrong) for number, line in enumerate(lines)]
            (folder / name / f"{system}.{target}").write_text("\n".join(outputs) + "\n", encoding="utf-8")
    (folder / "broken.xlsx").write_bytes(b"PK nothing")
    return folder


def _with_wrong_words(line: str, number: int, n_wrong: int) -> str:
    words = line.split()
    for step in range(n_wrong):
        words[(number + 2 * step) % len(words)] = f"x{step}"
    return " ".join(words)


@pytest.fixture(scope="session")
def made_campaign(campaign_folder: Path) -> Any:
    """The same, scored and combined with few trials: ``CampaignView``."""
    from bleucore.campaign import combine
    from bleuscope.features.campaign.plan_files import plan_campaign
    from bleuscope.features.campaign.running import run_campaign
    from bleuscope.features.campaign.view import CampaignView

    plan = plan_campaign(str(campaign_folder))
    run = run_campaign(plan, None, SignificanceOptions(trials=199, resamples=200))
    return CampaignView("Made", combine(run.results), plan.left_out, run.failed)


@pytest.fixture
def open_campaign(
    open_link: Callable[..., AppTest], campaign_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., AppTest]:
    """A page of a campaign on ``campaign_folder``, or on another path."""
    from bleuscope.features.campaign.opened_plan import CAMPAIGN_VARIABLE, campaign_to_environment

    monkeypatch.setenv(CAMPAIGN_VARIABLE, "")

    def start(path: Path = campaign_folder, door: str = "campaign", **address: str) -> AppTest:
        campaign_to_environment(str(path))
        app = open_link(door, **address)
        assert not app.exception, [one.message for one in app.exception]
        return app

    return start
