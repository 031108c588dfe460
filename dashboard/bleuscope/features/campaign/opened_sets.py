"""A test set of a campaign, opened as the comparison that all other pages are about."""

from bleucore.metrics import MetricOptions
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.features.campaign.frame import AskedCampaign
from bleuscope.features.campaign.opened_plan import inputs_of_set
from bleuscope.features.campaign.sets import open_set
from bleuscope.features.campaign.view import CampaignView
from bleuscope.runtime import params
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import widgets
from bleuscope.shell.disk.files import project_origin, upload_origin
from bleuscope.shell.page import frame
from bleuscope.shell.page.where_from import WhereFrom, note_where_from
from bleuscope.shell.state import links, session


def open_comparison(
    asked: AskedCampaign,
    view: CampaignView,
    set_name: str,
    pair: tuple[str, str] | None = None,
    led_by: MetricOptions | None = None,
) -> bool:
    """Open a test set with all its systems, tested as the campaign tests it; whether it could be opened.

    Args:
        asked: The campaign, with where its texts are.
        view: The same, scored.
        set_name: The test set.
        pair: Systems A and B; as usual unless given.
        led_by: The metric that A and B are compared in; the campaign's unless given.
    """
    planned = next(one for one in asked.opened.plan.sets if one.name == set_name)
    found = widgets.made("Opening the texts …", (asked.opened.digest, set_name), lambda _: open_set(planned))
    if found is None:
        return False
    title, project = f"{view.title}: {set_name}", asked.opened.project
    if project is None:
        frame.show(Loaded(found, title, upload_origin(found), inputs_of_set(planned)))
    else:
        frame.show(Loaded(found, title, project_origin(project, found.digest), project=project))
    note_where_from(WhereFrom(found.digest, view.title, "campaign", {}))
    if not asked.has_own_tokenizers:
        session.put(params.TOKENIZER, asked.bleu.tokenizer)
    widgets.lead_by(led_by or asked.options)
    one = view.campaign.set_called(set_name)
    session.put(params.SEED, one.options.seed)
    baseline = None if view.baseline is None else view.run_on(view.baseline, set_name)
    session.put(params.BASELINE, baseline if view.baseline in one.systems else None)
    if pair is not None:
        links.choose_pair((view.run_on(pair[0], set_name), view.run_on(pair[1], set_name)))
    return True


def values_of(pair: tuple[str, str]) -> dict[Param, str | list[str]]:
    """What the address of the comparison of a pair holds, so that it is its link: A, B, tests, and what leads it."""
    first, second = pair
    found = {
        params.A: first,
        params.B: second,
        params.TESTED: session.get(params.TESTED),
        params.SEED: str(session.get(params.SEED)),
    }
    if session.get(params.BASELINE) is not None:
        found[params.BASELINE] = session.get(params.BASELINE)
    return found | {params.FURTHER_METRICS: list(session.get(params.FURTHER_METRICS, ()))}


def pair_with(view: CampaignView, set_name: str, system: str) -> tuple[str, str] | None:
    """The system as B, and as A the one that it is measured against there; ``None`` where it is alone.

    Of recipes with several runs, the first run of each.
    """
    found = view.opened_pair(system, set_name)
    return None if found is None else (view.run_on(found[0], set_name), view.run_on(found[1], set_name))
