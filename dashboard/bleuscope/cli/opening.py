"""``bleuscope open`` and ``bleuscope demo``: the dashboard in a browser."""

import click

from bleucore.errors import InputError
from bleucore.formats.campaign_plan import CampaignPlan
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.serving import Serving, serving_options
from bleuscope.cli.shared_options import examples, file_options
from bleuscope.cli.streams import notice
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.style.numbers import counted
from bleuscope.shell.disk.files import load
from bleuscope.shell.disk.judgement_files import judgements_of
from bleuscope.shell.disk.packed import STANDARD_INPUT


@click.command(
    "open",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope",
        "bleuscope online-A.txt online-B.txt ref.txt",
        "bleuscope 'systems/*.txt' -r ref.A.txt -r ref.B.txt -s source.txt --no-browser",
        "bleuscope open A.txt B.txt --test-set wmt22 --language-pair en-de",
        "bleuscope open 'systems/*.txt' -r ref.A.txt -s source.txt --judgements mqm.tsv",
        "bleuscope open --campaign wmt22/",
        "bleuscope open --public-url https://bleu.example.org/ --no-browser",
    ),
)
@file_options(takes_scores=False, takes_judgements=True, needs_systems=False)
@click.option(
    "--campaign",
    type=click.Path(),
    help="Many test sets at once: a folder, an archive or a manifest to open as a campaign.",
)
@serving_options
def open_command(asked: Inputs, serving: Serving, *, campaign: str | None) -> None:
    """Open the dashboard, on files if there are any.

    Where no reference is named, what each file is, is guessed from its name and content.
    """
    if STANDARD_INPUT in asked.paths:
        raise InputError(
            "the dashboard cannot read it again",
            where="Standard input",
            expected="a file",
            remedy="Save the text to a file and name that.",
        )
    loaded = load(asked)
    if loaded is None and asked.judgements:
        raise InputError(
            "there are judgements without texts",
            where="Option --judgements",
            found=", ".join(asked.judgements),
            expected="the outputs that were judged, and a reference",
            remedy="Name these too.",
        )
    for said in loaded.notices if loaded is not None else ():
        notice(said)
    for judgements in judgements_of(asked, loaded.test_set) if loaded is not None else ():
        for said in judgements.notices:
            notice(said)
    if campaign is not None:
        from bleuscope.shell.disk.campaign_files import plan_campaign  # noqa: PLC0415  # with all readers

        plan = plan_campaign(campaign)
        _say_of(plan)
        serving.serve(asked, campaign=(campaign, plan))
    else:
        serving.serve(asked)


def _say_of(plan: CampaignPlan) -> None:
    """What a campaign holds, and how much did not fit, before the browser opens."""
    said = f"{plan.title}: {counted(len(plan.sets), 'test set')}, {counted(len(plan.systems), 'system')}"
    notice(f"{said}; {counted(len(plan.left_out), 'file')} did not fit, see the page." if plan.left_out else f"{said}.")


@click.command(
    "demo",
    epilog=examples(
        "bleuscope demo",
        "bleuscope demo --port 8600 --no-browser",
    ),
)
@serving_options
def demo_command(serving: Serving) -> None:
    """Open the dashboard on the sample comparison."""
    serving.serve(Inputs(is_sample=True))
