"""The campaign that a server was started on: planned once, and anew when a file of it changes."""

import os
import shutil
from pathlib import Path

import pytest

from bleuscope.features.campaign import open_campaign, opening
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign.opened_plan import CAMPAIGN_VARIABLE, campaign_to_environment, digest_of, stamp_of
from bleuscope.features.campaign.plan_files import plan_campaign


@pytest.fixture
def named(campaign_folder, tmp_path):
    """A campaign of its own, that the server was started on."""
    folder = tmp_path / "campaign"
    shutil.copytree(campaign_folder, folder)
    campaign_to_environment(str(folder))
    yield folder
    campaign_to_environment(None)


def test_is_planned_anew_when_a_file_of_it_changes_comes_or_goes(named, monkeypatch):
    times = []

    def plan(path, *, aligns):
        times.append(path)
        return plan_campaign(path, aligns=aligns)

    monkeypatch.setattr(open_campaign, "plan_campaign", plan)
    first = open_campaign._named()
    again = open_campaign._named()
    assert (again.plan, again.digest, len(times)) == (first.plan, first.digest, 1)
    file = Path(next(iter(first.plan.sets[0].references.values())).path)
    text = file.read_bytes()
    file.write_bytes(text.upper())
    os.utime(file, ns=(1, 1))
    changed = open_campaign._named()
    assert (changed.digest == first.digest, len(times)) == (False, 2)
    file.unlink()
    open_campaign._named()
    file.write_bytes(text)
    assert (open_campaign._named().digest, len(times)) == (first.digest, 4)


def test_at_an_address_nothing_tells_what_changes(named):
    assert stamp_of("memory://anything", plan_campaign(str(named))) is None


def test_the_digest_reads_files_at_addresses():
    import fsspec

    memory, names = fsspec.filesystem("memory"), ("ref.txt", "one.txt", "two.txt")
    for seed, name in enumerate(names):
        memory.pipe(f"/digest/{name}", f"a text {seed}\n".encode() * 3)
    plan = plan_campaign("memory://digest")
    first = digest_of(plan)
    assert digest_of(plan) == first
    memory.pipe("/digest/two.txt", b"another\n" * 3)
    assert digest_of(plan) != first


def test_a_campaign_that_nobody_can_read_or_that_is_gone_shows_no_other(open_link, tmp_path, monkeypatch):
    for name in ("ref", "one", "two"):
        (tmp_path / "de-en").mkdir(exist_ok=True)
        (tmp_path / "de-en" / f"{name}.txt").write_text("a b c d\n")
    monkeypatch.setenv(CAMPAIGN_VARIABLE, str(tmp_path))
    for campaign, said in (
        ("0123456789abcdef", "This link cannot be read"),
        ("0123456789abcdef" * 2, campaign_words.GONE),
    ):
        app = open_link("campaign", campaign=campaign)
        assert app.warning[0].value.replace("\\", "").startswith(said)
        assert app.query_params["campaign"] == campaign
        assert not app.dataframe


def test_outputs_in_other_lines_are_cut_anew_where_the_command_says_so(named):
    planned = plan_campaign(str(named))
    one = planned.sets[0]
    output, reference = next(iter(one.systems.values())), next(iter(one.references.values()))
    lines = Path(output.path).read_text(encoding="utf-8").splitlines()
    Path(output.path).write_text("\n".join([" ".join(lines[:2]), *lines[2:]]) + "\n", encoding="utf-8")
    found = opening.plan(str(named), aligns=True)
    opening.begin(found)
    assert next(iter(one.systems)) in open_campaign._named().plan.sets[0].systems
    assert open_campaign._named().plan.sets[0].aligns
    opening.begin(opening.plan(str(named)))
    assert not open_campaign._named().plan.sets[0].aligns
    assert Path(reference.path).read_text(encoding="utf-8").count("\n") == len(lines)
