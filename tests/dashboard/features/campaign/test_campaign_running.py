"""A campaign at work: the same numbers wherever a set is worked on, and every failure named."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bleucore import BleuOptions, evaluate
from bleucore.campaign import SetResult, set_findings, set_result_of
from bleucore.checks import check
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet
from bleucore.metrics.chrf import ChrfOptions
from bleucore.significance import SignificanceOptions
from bleuscope.features.campaign.running import BYTES_FOR_PROCESSES, run_campaign
from bleuscope.features.campaign.set_work import SetTask, options_of
from bleuscope.features.campaign.sets import open_set
from bleuscope.features.campaign.store_findings import KIND as FINDINGS
from bleuscope.workspace.cache_files import CacheFiles

FEW = SignificanceOptions(trials=200, resamples=100)
WORDS = ("das", "Haus", "ist", "sehr", "alt", "und", "klein", "heute")


def lines(seed: int, n_lines: int = 12) -> str:
    """Made lines, others for each seed."""
    return "".join(" ".join(WORDS[(seed * row + place) % 8] for place in range(6)) + "\n" for row in range(n_lines))


@pytest.fixture
def plan(tmp_path: Path) -> CampaignPlan:
    """Three sets of three systems."""
    sets = []
    for number, name in enumerate(("news", "talks", "medical")):
        files = {role: tmp_path / f"{name}-{role}.txt" for role in ("reference", "one", "two", "three")}
        for seed, file in enumerate(files.values(), start=1):
            file.write_text(lines(seed + number), encoding="utf-8")
        planned = {role: PlannedFile(str(file), name=file.name) for role, file in files.items()}
        reference = {"A": planned.pop("reference")}
        sets.append(PlannedSet(name, ("en", "de"), name, None, reference, None, {}, planned))
    return CampaignPlan("made", tuple(sets))


def said(result: SetResult) -> tuple[object, ...]:
    """All numbers of a result."""
    return (
        result.name,
        result.scores,
        result.intervals,
        result.clusters,
        result.signature,
        result.pair_numbers.tobytes(),
        result.null.tobytes(),
    )


def test_every_set_says_what_it_says_alone(plan: CampaignPlan) -> None:
    """As from its evaluation."""
    shares = list[float]()
    run = run_campaign(plan, tests=FEW, progress=shares.append)
    assert run.failed == ()
    for planned, result in zip(plan.sets, run.results, strict=True):
        test_set = open_set(planned)
        evaluation = evaluate(test_set)
        alone = set_result_of(planned.name, evaluation, items=test_set.items, options=FEW, languages=("en", "de"))
        assert said(result) == said(alone)
        assert result.scores == tuple(one.score.score for one in evaluation.systems.values())
        assert (result.languages, result.domain) == (("en", "de"), planned.domain)
    assert [share for share in dict.fromkeys(shares) if share] == pytest.approx([1 / 3, 2 / 3, 1])


def test_other_processes_and_threads_find_the_same(plan: CampaignPlan) -> None:
    """To the last bit."""
    here = run_campaign(plan, tests=FEW, baseline="one", n_processes=1)
    there = run_campaign(plan, tests=FEW, baseline="one", n_processes=2)
    side_by_side = run_campaign(plan, tests=FEW, baseline="one")
    assert [said(one) for one in there.results] == [said(one) for one in here.results]
    assert [said(one) for one in side_by_side.results] == [said(one) for one in here.results]
    assert there.results[0].n_pairs == 2


def test_the_work_on_a_set_does_without_the_database_which_every_process_would_wait_for() -> None:
    code = (
        "import sys, bleuscope.features.campaign.set_work; "
        "print({'sqlalchemy', 'streamlit', 'requests'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_set_that_cannot_be_read_is_named_and_the_others_are_done(plan: CampaignPlan) -> None:
    """A file that is gone, and one with a line too few."""
    Path(plan.sets[0].systems["one"].path).unlink()
    Path(plan.sets[2].systems["two"].path).write_text("Haus\n", encoding="utf-8")
    run = run_campaign(plan, tests=FEW)
    assert [one.name for one in run.results] == ["talks"]
    assert [name for name, _ in run.failed] == ["news", "medical"]
    assert "the file cannot be read" in run.failed[0][1]
    assert "the number of segments differs" in run.failed[1][1]


def test_what_decides_on_a_result_decides_on_its_identity(plan: CampaignPlan) -> None:
    """And nothing else does."""
    planned = plan.sets[0]
    task = SetTask(planned, BleuOptions(), FEW)
    others = [
        SetTask(plan.sets[1], BleuOptions(), FEW),
        SetTask(planned, BleuOptions(lowercase=True), FEW),
        SetTask(planned, BleuOptions(), SignificanceOptions(trials=201, resamples=100)),
        SetTask(planned, BleuOptions(), FEW, "one"),
    ]
    assert len({task.identity, *(other.identity for other in others)}) == 5
    assert SetTask(planned, BleuOptions(), FEW, finished=frozenset({"a"})).identity == task.identity


def test_a_campaign_goes_on_where_it_stopped(plan: CampaignPlan, tmp_path: Path) -> None:
    """What is finished is found, as it was; what fails now is worked on once it can be read."""
    kept = CacheFiles(tmp_path / "caches", 10**8)
    gone = Path(plan.sets[1].systems["one"].path)
    text = gone.read_text(encoding="utf-8")
    gone.unlink()
    first = run_campaign(plan, tests=FEW, kept=kept)
    assert (len(first.results), first.n_kept, first.n_counted) == (2, 0, 6)
    gone.write_text(text, encoding="utf-8")
    second = run_campaign(plan, tests=FEW, kept=kept)
    assert (len(second.results), second.n_kept, second.n_counted) == (3, 2, 3)
    assert [said(one) for one in second.results] == [said(one) for one in run_campaign(plan, tests=FEW).results]
    assert second.results[0].options == first.results[0].options
    assert run_campaign(plan, tests=FEW, kept=kept, baseline="one").n_kept == 0


def test_a_new_checkpoint_costs_its_own_lines(plan: CampaignPlan, tmp_path: Path) -> None:
    """All others are found, and the numbers are those of counting all of them."""
    kept = CacheFiles(tmp_path / "caches", 10**8)
    run_campaign(plan, tests=FEW, kept=kept)
    Path(plan.sets[0].systems["two"].path).write_text(lines(7), encoding="utf-8")
    again = run_campaign(plan, tests=FEW, kept=kept)
    assert (again.n_kept, again.n_counted) == (2, 1)
    assert said(again.results[0]) == said(run_campaign(plan, tests=FEW).results[0])


def test_the_texts_of_a_set_are_checked_once_whatever_the_tests(plan: CampaignPlan, tmp_path: Path) -> None:
    """What the checks say is that of the same texts opened, and is found for other settings."""
    kept = CacheFiles(tmp_path / "caches", 10**8)
    first = run_campaign(plan, tests=FEW, kept=kept)
    n_files = kept.room(FINDINGS).n_files
    again = run_campaign(plan, tests=FEW, kept=kept, baseline="one")
    assert kept.room(FINDINGS).n_files == n_files == 3
    for planned, result, other in zip(plan.sets, first.results, again.results, strict=True):
        texts = open_set(planned)
        found = set_findings(check(texts, tokenizer=planned.tokenizer), [one.name for one in texts.systems])
        assert result.findings == other.findings == found


def test_what_is_damaged_is_made_anew_and_said(plan: CampaignPlan, tmp_path: Path) -> None:
    """Counts, and finished sets."""
    kept = CacheFiles(tmp_path / "caches", 10**8)
    whole = run_campaign(plan, tests=FEW, kept=kept)
    for file in (path for path in kept.folder.rglob("*") if path.is_file()):
        file.write_bytes(file.read_bytes()[:-1] + b"!")
    again = run_campaign(plan, tests=FEW, kept=kept)
    assert [said(one) for one in again.results] == [said(one) for one in whole.results]
    assert again.remarks[:2] == (
        "news: its kept result was damaged and is made anew.",
        "news: Kept counts of 3 systems were damaged and counted again.",
    )


def test_other_settings_leave_each_set_its_own_tokenizer(plan: CampaignPlan) -> None:
    """Where that is asked for; a metric that cuts no words has its settings as they are."""
    chinese = replace(plan.sets[0], tokenizer="zh")
    lowercase = BleuOptions(lowercase=True)
    assert options_of(chinese, None) == BleuOptions("zh")
    assert options_of(chinese, lowercase) == lowercase
    assert options_of(chinese, lowercase, own=True) == BleuOptions("zh", lowercase=True)
    assert options_of(chinese, ChrfOptions(), own=True) == ChrfOptions()


def test_the_guide_says_which_campaigns_start_no_process() -> None:
    """The bound of the code."""
    guide = Path(__file__).parents[4] / "docs" / "operating.md"
    assert f"less than {BYTES_FOR_PROCESSES // 10**6} MB" in guide.read_text(encoding="utf-8")
