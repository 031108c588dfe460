"""Differences by test set as small multiples: a small forest plot for each system, all on one scale."""

from collections.abc import Sequence

from markupsafe import Markup

from bleucore.campaign import SetPair
from bleuscope.content.significance.verdict_words import effect_phrase
from bleuscope.content.style import numbers
from bleuscope.content.style.cut_names import without_shared
from bleuscope.content.style.markup import system_label, together
from bleuscope.features.campaign.figures_matrix import STAR, place_of
from bleuscope.features.campaign.view import CampaignView

ROOM = 0.04
"""On both sides of what is drawn, of its extent."""
CAPTION = (
    "Δ of each system from {}, with its 95 % interval, on every test set that has both. A filled point and {} mark "
    "what is significant within its test set. Scores of test sets have no common scale: compare directions, not sizes."
)


def multiples_html(view: CampaignView, systems: Sequence[str], *, leads_on: bool) -> Markup:
    """A panel for each system, each with a row for each test set.

    Args:
        view: The campaign.
        systems: Whose differences, in their order; the one that all are measured against has none.
        leads_on: Whether rows can be pressed.
    """
    against = view.measured_against
    by_system = {
        name: [(one.name, pair) for one in view.sets if (pair := view.against_on(one, name)) is not None]
        for name in systems
        if name != against
    }
    shown = [one.name for one in view.sets]
    short = dict(zip(shown, without_shared(shown), strict=True))
    least, most = _range([pair for rows in by_system.values() for _, pair in rows])
    panels = together(
        Markup(
            '<div class="bs-multiple"><table class="bs-table bs-narrow"><caption>{}</caption>'
            "<colgroup></colgroup><colgroup></colgroup><colgroup></colgroup><thead><tr>{}</tr></thead>"
            "<tbody>{}</tbody></table></div>"
        ).format(
            f"{name} minus {against}, by test set",
            Markup('<th scope="col" colspan="3" class="bs-text">{}</th>').format(system_label(view.looks[name])),
            together(
                _row(view, name, (set_name, short[set_name]), pair, (least, most), leads_on=leads_on)
                for set_name, pair in rows
            ),
        )
        for name, rows in by_system.items()
        if rows
    )
    return Markup('<div class="bs-multiples">{}</div>').format(panels)


def _row(
    view: CampaignView,
    system: str,
    called: tuple[str, str],
    pair: SetPair,
    ends: tuple[float, float],
    *,
    leads_on: bool,
) -> Markup:
    """A test set, by its whole and its short name, with the difference drawn."""
    set_name, short = called
    name = Markup('<bdi title="{}">{}</bdi>').format(set_name, short)
    if leads_on:
        name = Markup('<button type="button" class="bs-cell bs-set" data-place="{}" title="{}">{}</button>').format(
            place_of(view, system, set_name), set_name, name
        )
    star = STAR if pair.is_significant else ""
    return Markup('<tr><th scope="row" class="bs-text">{}</th><td class="bs-text">{}</td><td>{}{}</td></tr>').format(
        name, _drawn(pair, view.metric, *ends), numbers.difference(pair.difference), star
    )


def _drawn(pair: SetPair, metric: str, least: float, most: float) -> Markup:
    """The point and the interval on the scale that all panels share, with a line at 0."""

    def place(value: float) -> str:
        return f"{100 * (value - least) / (most - least):.2f}%"

    said, line = effect_phrase(pair.difference, pair.interval, pair.corrected_p_value, metric), Markup("")
    if pair.interval is not None:
        line = Markup('<span class="bs-line" style="left:{};right:calc(100% - {})"></span>').format(
            *map(place, pair.interval)
        )
    said += ", significant" if pair.is_significant else ""
    point = "bs-point" if pair.is_significant else "bs-point bs-hollow"
    return Markup(
        '<span class="bs-drawn" role="img" aria-label="{0}" title="{0}"><span class="bs-zero" '
        'style="left:{1}"></span>{2}<span class="{3}" style="left:{4}"></span></span>'
    ).format(said, place(0.0), line, point, place(pair.difference))


def _range(pairs: Sequence[SetPair]) -> tuple[float, float]:
    """The ends of the scale: all intervals and 0."""
    drawn = [0.0, *(end for one in pairs for end in (one.interval or (one.difference,)))]
    low, high = min(drawn), max(drawn)
    room = max(ROOM * (high - low), 0.01)
    return low - room, high + room
