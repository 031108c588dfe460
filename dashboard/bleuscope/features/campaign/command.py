"""``bleuscope campaign``: many test sets, scored, tested, and what holds over all of them."""

import shlex
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from bleucore.campaign import combine
from bleucore.counts import Progress
from bleucore.errors import InputError
from bleucore.experiments.design import design_of
from bleucore.formats.campaign_plan import CampaignPlan, with_named_runs
from bleucore.metrics import MetricOptions
from bleucore.significance import SignificanceOptions
from bleucore.values import unknown_name
from bleuscope.cli.by_hand import run_option, runs_among
from bleuscope.cli.files_out import refuse_unwritable, write_file
from bleuscope.cli.output import Output, Tables, form_of, give_tables
from bleuscope.cli.shared_options import (
    Given,
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
from bleuscope.cli.streams import notice, progress
from bleuscope.cli.workspace_place import WORKSPACE_NAMES, place_given, workspace_options
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.style import numbers
from bleuscope.features.campaign import sheets as campaign_sheets
from bleuscope.features.campaign import sheets_plan as plan_sheets
from bleuscope.features.campaign.outcomes import CampaignRun
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.running import run_campaign
from bleuscope.features.campaign.view import GROUPINGS, CampaignView, Grouping
from bleuscope.workspace import WorkspacePlace

REPORT_FORMS = ("html", "markdown")
OF_WORKSPACES = "sqlalchemy"
NOTHING_KEPT = "Finished test sets are not saved: that needs the extra 'dashboard'. --no-workspace hides this message."
MOST_NOTICES = 8
"""Sentences about what did not fit; the table left_out has all."""


def _place(given: Given, _asked: Inputs | None) -> WorkspacePlace | None:
    """Where finished sets are kept; ``None`` for nowhere, as with the engine alone unless a place is named."""
    if not given["no_workspace"] and given["workspace"] is None and find_spec(OF_WORKSPACES) is None:
        notice(NOTHING_KEPT)
        return None
    return None if given["no_workspace"] else place_given(given["workspace"])


@click.command(
    "campaign",
    epilog=examples(
        "bleuscope campaign wmt22/",
        "bleuscope campaign flores.tar.gz --baseline online --format json",
        "bleuscope campaign sets.yaml --table pairs --format csv",
        "bleuscope campaign wmt22/ --run A=small --run B=small",
        "bleuscope campaign wmt22/ --metric chrF2 --report campaign.html",
    ),
)
@click.argument("campaign", type=click.Path(), metavar="PATH")
@baseline_option
@metric_option
@scoring_options
@test_options
@click.option("--scheduler", metavar="ADDRESS", help="The address of a Dask scheduler, such as tcp://pc7:8786.")
@click.option("--report", type=click.Path(), help="Also write one offline file: HTML, or Markdown if it ends in .md.")
@run_option
@made_of(workspace_options(can_be_none=True), (*WORKSPACE_NAMES, "no_workspace"), "place", _place)
@click.option(
    "--align", "aligns", is_flag=True, help="Split outputs with other line breaks into the references' segments."
)
@click.option("--group-by", type=click.Choice(GROUPINGS), default="none", help="Group the test sets of the report.")
@output_options()
def campaign_command(  # noqa: PLR0913  # click gives each option as an argument
    scoring: Settings,
    significance: SignificanceOptions,
    output: Output,
    *,
    campaign: str,
    baseline: str | None,
    metric: str | None,
    place: WorkspacePlace | None,
    scheduler: str | None,
    report: str | None,
    group_by: Grouping,
    aligns: bool,
    **of_features: object,
) -> None:
    """Score every test set of PATH (a folder, an archive or a manifest), and combine them.

    Tables: matrix, cells, systems, pairs, differences, against-the-rest, test_sets, left_out; where systems are runs
    of recipes (x-seed1, x-seed2), recipes.
    """
    write = None if report is None else _report_writer(Path(report))
    options = metric_of_all(scoring, scoring.options, metric, "a campaign")
    plan = plan_campaign(campaign, aligns=aligns)
    plan = with_named_runs(plan, runs_among(plan.systems, of_features).items())
    baseline = _baseline(plan, baseline)
    with progress(f"Scoring {numbers.counted(len(plan.sets), 'test set')}") as tell:
        run = _run(plan, options, significance, place, baseline=baseline, scheduler=scheduler, tell=tell)
    _say((*run.failed, *plan.left_out))
    if not run.results:
        raise InputError("no test set could be scored", where=campaign, remedy="Fix what is named above.")
    for remark in run.remarks:
        notice(remark)
    combined = combine(run.results, baseline=baseline, level=significance.level)
    view = CampaignView(plan.title, combined, plan.left_out, run.failed, scoring=options)
    give_tables(_tables(view), output)
    if write is not None:
        write(view, group_by)


def _baseline(plan: CampaignPlan, named: str | None) -> str | None:
    """The system or the recipe that was named, or the recipe of the run that was.

    Raises:
        InputError: There is none of that name.
    """
    design = design_of(plan.systems, recipes=dict(plan.runs))
    found = None if named is None else design.recipe_of(named)
    if named is not None and found is None:
        raise unknown_name("system", named, plan.systems, where="Option --baseline", remedy="Name one of these.")
    return found


def _report_writer(file: Path) -> Callable[[CampaignView, Grouping], None]:
    """What writes the report, asked for before the work: it may be that nothing can draw, or write there."""
    from bleuscope.content.report import html_report, markdown_report  # noqa: PLC0415  # as above
    from bleuscope.features.campaign.report import campaign_report  # noqa: PLC0415  # draws, which the engine alone cannot

    refuse_unwritable(file)
    is_html = form_of(None, str(file), REPORT_FORMS, "Option --report") == "html"
    written = html_report if is_html else markdown_report

    def write(view: CampaignView, grouping: Grouping) -> None:
        made = campaign_report(view, grouping=grouping, command=shlex.join(["bleuscope", *sys.argv[1:]]))
        write_file(file, written(made).encode("utf-8", "replace"))

    return write


def _run(  # noqa: PLR0913  # what a campaign is made of
    plan: CampaignPlan,
    options: MetricOptions,
    tests: SignificanceOptions,
    place: WorkspacePlace | None,
    *,
    baseline: str | None,
    scheduler: str | None,
    tell: Progress | None,
) -> CampaignRun:
    """The campaign, with what was finished before where something is kept."""
    run = partial(
        run_campaign,
        plan,
        options,
        tests,
        own_tokenizers=not names_tokenizer(),
        baseline=baseline,
        scheduler=scheduler,
        progress=tell,
    )
    if place is None:
        return run()
    from bleuscope.workspace import open_workspace  # noqa: PLC0415  # with a database, which the engine alone lacks

    with open_workspace(place) as workspace:
        return run(kept=workspace.caches)


def _tables(view: CampaignView) -> Tables:
    left_out = (*view.failed, *view.left_out)
    makers = {
        "matrix": lambda: campaign_sheets.matrix_sheet(view),
        "cells": lambda: campaign_sheets.cells_sheet(view),
        "systems": lambda: campaign_sheets.systems_sheet(view),
        "pairs": lambda: campaign_sheets.pairs_sheet(view),
        "differences": lambda: campaign_sheets.differences_sheet(view),
        "against-the-rest": lambda: campaign_sheets.against_the_rest_sheet(view),
        "test_sets": lambda: campaign_sheets.sets_sheet(view),
        "left_out": lambda: plan_sheets.not_read_sheet(left_out, "What did not fit"),
    }
    people = ["matrix", "systems", "pairs"] if len(view.systems) > 1 else ["matrix"]
    if view.has_runs:
        makers |= {"recipes": lambda: campaign_sheets.recipes_sheet(view)}
        people = ["recipes", *people]
    return Tables(
        makers,
        list(view.campaign.remarks),
        for_people=people,
        document=lambda: campaign_sheets.document_of(view),
    )


def _say(left_out: tuple[tuple[str, str], ...]) -> None:
    for _, reason in left_out[:MOST_NOTICES]:
        notice(reason)
    if len(left_out) > MOST_NOTICES:
        notice(f"{len(left_out) - MOST_NOTICES} more did not fit: see --table left_out.")
