"""Which test sets a campaign on a disk holds."""

from pathlib import Path

import pytest

from bleucore import InputError
from dashboard.shell.disk.campaign_files import plan_campaign, planned_of_uploads
from dashboard.shell.disk.campaign_sets import open_set

GERMAN = ("Das ist ein Haus.", "Der Hund schläft heute.", "Wir gehen morgen in die Stadt.", "Es regnet seit Tagen.")
ENGLISH = ("This is a house.", "The dog sleeps today.", "Tomorrow we go to town.", "It has been raining for days.")
OUTPUTS = ("Das ist ein Haus.", "Der Hund schläft.", "Wir gehen morgen in den Ort.", "Es regnet seit Tagen.")


def made(folder: Path, files: dict[str, tuple[str, ...]]) -> Path:
    """A folder with these files."""
    for name, lines in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def one_set(folder: str) -> dict[str, tuple[str, ...]]:
    """The files of a test set in a folder of its own."""
    return {
        f"{folder}/source.txt": ENGLISH,
        f"{folder}/reference.txt": GERMAN,
        f"{folder}/systems/one.txt": OUTPUTS,
        f"{folder}/systems/two.txt": GERMAN,
    }


def test_every_folder_with_a_reference_is_a_test_set(tmp_path: Path) -> None:
    """One folder per set."""
    plan = plan_campaign(str(made(tmp_path, one_set("news") | one_set("medical texts"))))
    assert [one.name for one in plan.sets] == ["medical texts", "news"]
    assert plan.systems == ("one", "two")
    assert [open_set(one).n_segments for one in plan.sets] == [4, 4]


def test_dropped_files_are_planned_as_a_folder_is() -> None:
    """Names and bytes in place of a disk."""
    files = [(name, "\n".join(lines).encode()) for name, lines in one_set("news").items()]
    (planned,) = planned_of_uploads(files).sets
    assert open_set(planned).system("two").hypotheses == GERMAN


def test_a_folder_without_a_test_set_is_refused(tmp_path: Path) -> None:
    """With what it lacks."""
    with pytest.raises(InputError, match="no test set was found"):
        plan_campaign(str(made(tmp_path, {"one.txt": OUTPUTS})))
