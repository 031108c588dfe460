"""Outputs in other lines than the references: cut anew in a campaign where somebody asks for it."""

import json
from dataclasses import replace

import pytest

from bleucore.evaluation import evaluate
from bleucore.significance import SignificanceOptions
from bleuscope.features.campaign.opened_plan import digest_of, inputs_of_set
from bleuscope.features.campaign.plan_files import plan_campaign, planned_of_uploads
from bleuscope.features.campaign.running import run_campaign
from bleuscope.features.campaign.sets import open_set

LINES = [f"der Hund läuft schnell über das grüne Haus Nummer {line}" for line in range(14)]
WORSE = [line.replace("schnell", "rasch") for line in LINES]
FAST = SignificanceOptions(trials=99, resamples=99)


@pytest.fixture
def folder(tmp_path):
    """Two test sets; the output of one system on the first is one line for the whole talk."""
    for name in ("news.en-de", "talk.en-de"):
        (tmp_path / name).mkdir()
        texts = {"ref": LINES, "plain": WORSE, "whole": [" ".join(LINES)] if name.startswith("talk") else LINES}
        for system, lines in texts.items():
            (tmp_path / name / f"{system}.de").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_without_consent_the_output_is_left_out_with_the_remedy(folder):
    plan = plan_campaign(str(folder))
    assert ["whole" in one.systems for one in plan.sets] == [True, False]
    ((path, reason),) = plan.left_out
    assert path.endswith("whole.de")
    assert "the number of segments differs" in reason
    assert "--align" in reason


def test_it_is_cut_and_the_signature_says_so(folder):
    plan = plan_campaign(str(folder), aligns=True)
    assert not plan.left_out
    assert [one.aligns for one in plan.sets] == [False, True]
    assert [inputs_of_set(one).aligns for one in plan.sets] == [False, True]
    news, talk = run_campaign(plan, None, FAST).results
    assert ("seg:mwer" in news.signature, "seg:mwer" in talk.signature) == (False, True)
    assert talk.score("whole") == pytest.approx(100)
    assert talk.n_segments == 14
    assert any("cut anew at their segments. 0 segments of 14" in remark for remark in talk.remarks)
    texts = open_set(plan.sets[1])
    assert texts.is_resegmented
    assert evaluate(texts).bleu.signature == talk.signature


def test_a_link_and_what_is_kept_know_of_it(folder):
    plan = plan_campaign(str(folder), aligns=True)
    without = replace(plan, sets=tuple(replace(one, aligns=False) for one in plan.sets))
    assert digest_of(plan) != digest_of(without)


def test_a_drop_and_a_manifest_can_be_cut_too(folder):
    files = [(str(file.relative_to(folder)), file.read_bytes()) for file in sorted(folder.rglob("*.de"))]
    assert [one.aligns for one in planned_of_uploads(files, aligns=True).sets] == [False, True]
    manifest = folder / "sets.yaml"
    manifest.write_text(
        "test sets:\n  - name: talk\n    references: talk.en-de/ref.de\n    systems:\n"
        "      whole: talk.en-de/whole.de\n      plain: talk.en-de/plain.de\n",
        encoding="utf-8",
    )
    (planned,) = plan_campaign(str(manifest), aligns=True).sets
    assert (planned.aligns, set(planned.systems)) == (True, {"whole", "plain"})


def test_the_command_takes_align(bleuscope, folder):
    code, out, err = bleuscope(
        "campaign", str(folder), "--no-workspace", "--align", "--table", "test_sets", "-f", "json"
    )
    assert code == 0, err
    signatures = [row["signature"] for row in json.loads(out)["test_sets"]]
    assert ["seg:mwer" in one for one in signatures] == [False, True]
