"""Kinds of errors on every test set of a campaign, for ``bleuscope kinds``: the numbers of the page Campaign."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from bleucore import BleuOptions
from bleucore.campaign import SetKinds, set_kinds
from bleucore.counts import Progress
from bleucore.errors import InputError
from bleucore.experiments.design import RunDesign, design_of
from bleucore.formats.campaign_plan import CampaignPlan
from bleucore.values import unknown_name
from bleuscope.cli.output import Tables
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.set_work import options_of
from bleuscope.features.campaign.sets import open_set
from bleuscope.features.campaign.sheets_kinds import kinds_of_sets_sheet

OPTION = "Option --pair"


def kinds_at(
    path: str,
    pair: tuple[str, str] | None,
    options: BleuOptions,
    *,
    own_tokenizers: bool,
    aligns: bool = False,
    progress: Progress | None = None,
) -> Tables:
    """What B gains over A on each test set that has both, by kind; of recipes the first run stands for all.

    Args:
        path: Of the campaign: a folder, an archive or a manifest.
        pair: A and B; the two that there are unless given.
        options: BLEU's.
        own_tokenizers: Whether each set has the tokenizer that it proposes.
        aligns: Whether outputs in other lines than the references are cut anew.
        progress: Called with the share of the work done.

    Raises:
        InputError: There are more than two systems and no pair, no such system, or no test set with both.
    """
    plan = plan_campaign(path, aligns=aligns)
    design = design_of(plan.systems, recipes=dict(plan.runs))
    first, second = _pair(plan, design, pair)
    found: list[SetKinds] = []
    for done, one in enumerate(plan.sets):
        runs = {name: [run for run in design.recipes[name] if run in one.systems] for name in (first, second)}
        systems = {name: one.systems[of_recipe[0]] for name, of_recipe in runs.items() if of_recipe}
        if len(systems) > 1:
            test_set = open_set(replace(one, systems=systems))
            own = cast("BleuOptions", options_of(one, options, own=own_tokenizers))
            found.append(set_kinds(one.name, test_set, (first, second), own))
        if progress is not None:
            progress((done + 1) / len(plan.sets))
    if not found:
        raise InputError(
            "no test set has both systems",
            where=OPTION,
            found=f"{first} {second}",
            expected=f"two of {', '.join(plan.systems)}",
            remedy="Name two systems of one test set.",
        )
    return Tables(
        {"kinds-of-sets": partial(kinds_of_sets_sheet, found, (first, second))}, (), for_people=("kinds-of-sets",)
    )


def _pair(plan: CampaignPlan, design: RunDesign, given: Sequence[str] | None) -> tuple[str, str]:
    names = tuple(design.recipes) if given is None else tuple(given)
    recipes = [design.recipe_of(name) for name in names]
    for name, recipe in zip(names, recipes, strict=True):
        if recipe is None:
            raise unknown_name("system", name, plan.systems, where=OPTION, remedy="Name one of these.")
    found = tuple(dict.fromkeys(one for one in recipes if one is not None))
    if len(found) != 2:  # noqa: PLR2004  # A and B
        raise InputError(
            "two systems are divided at a time",
            where=OPTION,
            found=f"{len(found)}: {', '.join(found)}",
            expected=f"two of {', '.join(plan.systems)}",
            remedy="Name them: --pair A B.",
        )
    return found[0], found[1]
