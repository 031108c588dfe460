"""What is public stays: any change of it is listed, announced, and gone by the release that it was announced for."""

import re
import warnings

import click
import pytest

import bleucore
import bleuscope
from bleucore import deprecations
from bleuscope.cli import command
from tests import public_names

NUMBERS = "numbers"
VERSION = re.compile(r"\d+\.\d+\.\d+")


def version_of(text):
    return tuple(map(int, VERSION.search(text).group().split(".")))


@pytest.mark.parametrize("subject", public_names.SUBJECTS)
def test_what_is_public_is_what_is_listed(subject):
    listed, found = public_names.in_file(subject), public_names.SUBJECTS[subject]()
    gone, new = ([f"- {one}" for one in listed if one not in found], [f"+ {one}" for one in found if one not in listed])
    heading = "Numbers that changed" if subject == NUMBERS else "Removed, Deprecated or another heading"
    assert listed == found, "\n".join(
        [
            f"tests/public/{subject}.txt lists something else. If you mean it, write before and after into",
            f"CHANGELOG.md under {heading}. Then run: python tests/public_names.py --write",
            *gone,
            *new,
        ]
    )


def test_the_changelog_has_to_name_what_goes():
    before = ["bleucore.evaluate(test_set)", "score --segments: flag", "?level: number", "compare facts.seed: number"]
    assert public_names.unexplained(before, before, "") == []
    assert public_names.unexplained(before, before[:1], "`--segments`, level and seed") == ["?level: number"]
    assert public_names.unexplained(before, [], "evaluate --segments ?level seeds") == before[3:]


class TestFormerNames:
    """Of Python names and of commands and options."""

    def test_each_goes_in_a_later_version(self):
        announced = {**deprecations.FORMER, **command.FORMER}
        context = public_names.context_of(command.bleuscope)
        options = {
            f"{name} {one.name}": ("", str(one.deprecated))
            for name in command.COMMANDS
            for one in command.bleuscope.get_command(context, name).params
            if getattr(one, "deprecated", False)
        }
        late = [
            name
            for name, (_, goes) in {**announced, **options}.items()
            if version_of(goes) <= version_of(bleucore.__version__)
        ]
        assert late == [], f"{bleucore.__version__} is the version in which these go: remove them"

    def test_a_former_name_warns_once_and_gives_what_it_is_called_now(self, monkeypatch):
        former = {"bleucore.score_all": ("bleucore.evaluate", "9.0.0")}
        monkeypatch.setattr(deprecations, "FORMER", former)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("default")
            for _ in range(2):
                found = bleucore.score_all
        assert found is bleucore.evaluate
        assert [(str(one.message), one.category, one.filename) for one in warned] == [
            (
                "bleucore.score_all is called bleucore.evaluate now. The former name goes in 9.0.0.",
                DeprecationWarning,
                __file__,
            )
        ]

    @pytest.mark.parametrize("package", [bleucore, bleuscope])
    def test_another_name_is_no_attribute(self, package):
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            _ = package.nothing

    def test_an_option_says_once_that_it_goes(self):
        option = click.Option(["--old"], deprecated="It goes in 9.0.0. Write --new.")
        asked = click.Command("score", params=[option], callback=lambda old: None)
        _, _, said = run(asked, "--old", "x")
        assert said == "DeprecationWarning: The option 'old' is deprecated. It goes in 9.0.0. Write --new.\n"


def run(asked, *arguments):
    from click.testing import CliRunner

    ended = CliRunner().invoke(asked, arguments)
    return ended.exit_code, ended.stdout, ended.stderr
