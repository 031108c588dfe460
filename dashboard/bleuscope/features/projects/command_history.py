"""``bleuscope history``: what the versions of systems score on a test set of a project."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from bleucore import BleuOptions
from bleucore.errors import InputError
from bleucore.experiments.recipes import compare_recipes
from bleucore.history import version_history
from bleucore.significance import SignificanceOptions
from bleucore.values import shown, unknown_name
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import (
    baseline_option,
    examples,
    made_of,
    metric_of_all,
    metric_option,
    names_tokenizer,
    output_options,
    scoring_options,
    test_options,
)
from bleuscope.cli.streams import progress
from bleuscope.cli.workspace_place import WORKSPACE_NAMES, place_given, workspace_options
from bleuscope.content.comparison.inputs import Settings
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.features.projects import sheets as history_sheets
from bleuscope.features.projects.cards import projects_sheet
from bleuscope.features.projects.scored_versions import (
    WHICH,
    Leaderboard,
    ScoredVersions,
    SystemHistory,
    Which,
    board_rows,
)
from bleuscope.shell.disk.mecab import proposed_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuscope.workspace import Workspace, WorkspacePlace
    from bleuscope.workspace.projects import KeptTestSet, Project
    from bleuscope.workspace.results import ScoredSet


@dataclass(frozen=True)
class _Asked:
    """Which versions are asked for, and how they are tested.

    Attributes:
        workspace: Where they are kept.
        project: The project.
        of: The test set, under the options.
        scored: All versions on it.
        significance: How differences are tested.
        system: The system whose history is asked for.
        which: Which version of each system the leaderboard holds.
        baseline: What the others are measured against there.
    """

    workspace: "Workspace"
    project: "Project"
    of: "ScoredSet"
    scored: ScoredVersions
    significance: SignificanceOptions
    system: str | None
    which: Which
    baseline: str | None


@click.command(
    "history",
    epilog=examples(
        "bleuscope history",
        "bleuscope history --project en-de --test-set newstest",
        "bleuscope history --project en-de --test-set newstest --metric chrF2",
        "bleuscope history --project en-de --test-set newstest --which best --baseline online",
        "bleuscope history --project en-de --test-set newstest --system base",
        "bleuscope history --project en-de --test-set newstest --format json",
    ),
)
@click.option("--project", metavar="NAME", help="The project.  [default: every one, with its test sets]")
@click.option("--test-set", metavar="NAME", help="The test set of the project.  [default: every one]")
@click.option("--system", metavar="NAME", help="Only this system, with tests between its versions.")
@click.option(
    "--which",
    type=click.Choice(WHICH),
    default=WHICH[0],
    show_default=True,
    help="Which version of each system stands on the leaderboard.",
)
@baseline_option
@metric_option
@scoring_options
@test_options
@output_options()
@made_of(workspace_options(), WORKSPACE_NAMES, "place", lambda given, _: place_given(given["workspace"]))
def history_command(  # noqa: PLR0913  # click gives each option as an argument
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    place: "WorkspacePlace",
    *,
    project: str | None,
    test_set: str | None,
    system: str | None,
    which: Which,
    baseline: str | None,
    metric: str | None,
) -> None:
    """Print the scores of all versions of systems on a test set. Nothing is scored twice.

    Tables: versions, leaderboard and, of one system, history. json holds all versions. Without a test set: the test
    sets of all projects, or of one, each with the system whose latest version is the best of those that are scored.
    """
    from bleuscope.features.projects import kept_versions  # noqa: PLC0415  # with a database, which the engine alone lacks
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # as above

    with open_workspace(place) as kept:
        if project is None or test_set is None:
            _refuse_more(project, test_set, system)
            give_tables(_projects(kept, project), output)
            return
        found = kept.projects.find(project)
        test_set_kept = kept.projects.test_set(found, test_set)
        bleu = _options(scoring, test_set_kept)
        of = kept.results.scored_set(test_set_kept, metric_of_all(scoring, bleu, metric, "a history"))
        with progress("Scoring the versions") as report:
            scored = kept_versions.scored_versions(kept, found, of, significance, progress=report)
        _check_system(scored, system)
        give_tables(_tables(_Asked(kept, found, of, scored, significance, system, which, baseline)), output)


def _tables(asked: _Asked) -> Tables:
    scored = asked.scored
    systems = [] if asked.system is None else [asked.system]
    makers: dict[str, Callable[[], Sheet]] = {
        "versions": lambda: history_sheets.versions_sheet(scored, systems),
        "leaderboard": lambda: _leaderboard(asked),
    }
    for_people = ["leaderboard"] if scored.versions else ["versions"]
    if asked.system is not None:
        name = asked.system
        makers, for_people = {"history": lambda: _history(asked, name), **makers}, ["history"]
    notices = [f"{one.system} is not compared: {one.reason}." for one in scored.left_out]
    return Tables(
        makers,
        notices,
        for_people=for_people,
        document=lambda: history_sheets.history_document(scored, systems),
    )


def _leaderboard(asked: _Asked) -> Sheet:
    from bleuscope.features.projects import kept_versions  # noqa: PLC0415  # with a database, which the engine alone lacks

    scored, baseline = asked.scored, asked.baseline
    rows = board_rows(scored, asked.which)
    if not rows:
        raise _nothing_pushed(scored)
    board = Leaderboard(scored, rows, baseline)
    if baseline is not None and baseline not in board.names:
        raise unknown_name("system", baseline, board.names, where="Option --baseline", remedy="Name one of these.")
    versions = {row.name: row.version for row in board.in_order}
    with progress("Testing the differences") as report:
        given = kept_versions.compared_versions(asked.workspace, asked.project, asked.of, versions)
        found = compare_recipes(given.runs, given.of_versions, asked.significance, progress=report)
    comparison = found.with_baseline(baseline)
    with progress("Checking the texts") as report:
        findings = kept_versions.version_findings(
            asked.workspace, asked.project, asked.of, list(versions.values()), list(versions), progress=report
        )
    return history_sheets.leaderboard_sheet(replace(board, comparison=comparison, findings=findings))


def _history(asked: _Asked, system: str) -> Sheet:
    from bleuscope.features.projects import kept_versions  # noqa: PLC0415  # with a database, which the engine alone lacks

    versions = asked.scored.by_system[system]
    with progress("Testing the versions") as report:
        given = kept_versions.compared_versions(
            asked.workspace, asked.project, asked.of, {one.label: one for one in versions}
        )
        found = version_history(given.runs, asked.significance, runs=given.of_versions, progress=report)
    return history_sheets.history_sheet(SystemHistory(asked.scored, system, versions, found))


def _projects(kept: "Workspace", project: str | None) -> Tables:
    """The test sets of projects."""
    from bleuscope.features.projects import kept_versions  # noqa: PLC0415  # with a database, which the engine alone lacks

    def options(of: "KeptTestSet") -> BleuOptions:
        return kept_versions.proposed_options(proposed_tokenizer(kept.projects.references(of).columns))

    def make() -> Sheet:
        projects = kept.projects.all() if project is None else [kept.projects.find(project)]
        return projects_sheet([kept_versions.card_of(kept, one, options, SignificanceOptions()) for one in projects])

    return Tables({"projects": make}, [])


def _refuse_more(project: str | None, test_set: str | None, system: str | None) -> None:
    """Refuse what is asked of one test set where none is named."""
    lacks = "--project" if project is None else "--test-set"
    given = [name for name, value in (("--test-set", test_set), ("--system", system)) if value is not None]
    if given:
        raise InputError(
            f"{lacks} is missing",
            where=f"Option {given[0]}",
            found=shown(test_set or system),
            remedy=f"Name one with {lacks}; bleuscope history alone lists what there is.",
        )


def _options(scoring: Settings, of: "KeptTestSet") -> BleuOptions:
    """The options of BLEU, with the tokenizer of the target language unless one is named."""
    from bleuscope.features.projects import kept_versions  # noqa: PLC0415  # with a database, which the engine alone lacks

    return scoring.options if names_tokenizer() else kept_versions.usual_options(of, scoring.options)


def _check_system(scored: ScoredVersions, system: str | None) -> None:
    if system is not None and system not in scored.systems:
        if not scored.systems:
            raise _nothing_pushed(scored)
        raise unknown_name("system", system, scored.systems, where="Option --system", remedy="Name one of these.")


def _nothing_pushed(scored: ScoredVersions) -> InputError:
    return InputError(
        "no version of a system was pushed to it yet",
        where=f"Test set {scored.test_set} of project {scored.project}",
        remedy="Push one: bleuscope push OUT --project … --test-set … --system … --version …",
    )
