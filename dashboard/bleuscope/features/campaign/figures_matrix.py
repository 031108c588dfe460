"""The matrix of a campaign as HTML: systems by test sets, readable without colour, each cell a way to read on."""

import re
from collections.abc import Sequence

from markupsafe import Markup

from bleucore.campaign import set_pair_verdict
from bleuscope.content.significance.verdict_words import CHECK_FIRST, verdict_sentence
from bleuscope.content.style import numbers
from bleuscope.content.style.cut_names import without_shared
from bleuscope.content.style.markup import system_label, together
from bleuscope.features.campaign.sheets import MEAN_RANK, NET_WINS, scored, set_words
from bleuscope.features.campaign.view import CampaignView, MatrixCell, SetGroup

MOST_COLOUR = 0.45
"""Of a cell, which leaves text readable on it in both themes."""
BEST_MARK = "◆"
STAR = "*"
LEGEND = (
    "Each cell: {score}, and below it the rank on that test set{cluster}{against}.{best} Darker "
    "blue: nearer to the best of the column. Empty: no output.{leads}"
)
BEST = (
    " {best}: no system is significantly better there. Every system of a cluster is significantly "
    "better than all in later clusters."
)
LEADS_ON = " A cell opens its comparison{checks}. A column header opens its test set."
CHECKS = ", which also checks the texts"
SPREAD = " ±: the standard deviation of the runs of a recipe; its score is their mean."
CHECK_MARK = "⚠"
TO_CHECK = " {mark}: check the texts first, an error in them may decide this score."
HEADING_PLACE = "-"
"""What stands in place of a system where the head of a column is pressed."""


def matrix_html(view: CampaignView, systems: Sequence[str], groups: Sequence[SetGroup], *, leads_on: bool) -> Markup:
    """The matrix.

    Args:
        view: The campaign.
        systems: The rows, from above down.
        groups: The columns, with a heading for each group that has one.
        leads_on: Whether cells and heads can be pressed; in a report they cannot.
    """
    sets = [one for group in groups for one in group.sets]
    standing = NET_WINS if view.campaign.ranks is None else MEAN_RANK
    names = [one.name for one in sets]
    heads = together(
        _head(view, one.name, short, set_words(one), leads_on=leads_on)
        for one, short in zip(sets, without_shared(names), strict=True)
    )
    rows = together(_row(view, name, names, leads_on=leads_on) for name in systems)
    title = f"{scored(view)} of {numbers.counted(len(systems), 'system')} on {numbers.counted(len(sets), 'test set')}"
    return Markup(
        '<div class="bs-scroll" tabindex="0" role="region" aria-label="{title}"><table class="bs-table bs-matrix">'
        "<caption>{title}</caption><thead>{groups}<tr>{first}{standing}{heads}</tr></thead>"
        "<tbody>{rows}</tbody></table></div>"
    ).format(
        title=title,
        groups=_group_row(groups),
        first=Markup('<th scope="col" class="bs-text">system</th>'),
        standing=Markup('<th scope="col"><abbr tabindex="0" title="{}">{}</abbr></th>').format(
            standing.explanation, standing.heading
        ),
        heads=heads,
        rows=rows,
    )


def legend_words(view: CampaignView, *, leads_on: bool) -> str:
    """How to read the matrix."""
    against = (
        ""
        if view.baseline is None
        else f", then the difference from the baseline ({STAR} significant, corrected for that test set's "
        "comparisons with the baseline)"
    )
    if view.baseline is not None and not view.higher_is_better:
        against += " (below 0: better)"
    has_clusters = view.compares_all_pairs
    return (
        LEGEND.format(
            score=scored(view),
            cluster=" and the cluster" if has_clusters else "",
            against=against,
            best=BEST.format(best=BEST_MARK) if has_clusters else "",
            leads=LEADS_ON.format(checks="" if view.are_checked else CHECKS) if leads_on else "",
        )
        + (SPREAD if view.has_runs else "")
        + (TO_CHECK.format(mark=CHECK_MARK) if view.faulty_sets else "")
    )


def place_of(view: CampaignView, system: str, set_name: str) -> str:
    """What a cell is asked for by: the places of its system and of its set."""
    sets = view.campaign.set_names
    return f"{view.systems.index(system)}{HEADING_PLACE}{sets.index(set_name)}"


def _group_row(groups: Sequence[SetGroup]) -> Markup:
    if not any(group.title for group in groups):
        return Markup("")
    cells = together(
        Markup('<th scope="colgroup" colspan="{}" class="bs-group"><bdi>{}</bdi></th>').format(
            len(group.sets), group.title
        )
        for group in groups
    )
    return Markup('<tr><td class="bs-none"></td><td class="bs-none"></td>{}</tr>').format(cells)


def _head(view: CampaignView, name: str, short: str, words: str, *, leads_on: bool) -> Markup:
    """The head of a column: what distinguishes the name of its set, the whole one on hover."""
    if not leads_on:
        return Markup('<th scope="col"><bdi title="{}: {}">{}</bdi></th>').format(name, words, _breakable(short))
    place = f"{HEADING_PLACE}{view.campaign.set_names.index(name)}"
    return Markup(
        '<th scope="col"><button type="button" class="bs-cell bs-set" data-place="{}" title="{}: {}">'
        "<bdi>{}</bdi></button></th>"
    ).format(place, name, words, _breakable(short))


def _breakable(name: str) -> Markup:
    """A name that a line may end in behind an underscore or a slash, as it may behind a hyphen."""
    return Markup("<wbr>").join(re.split(r"(?<=[_/])", name))


def _row(view: CampaignView, name: str, sets: Sequence[str], *, leads_on: bool) -> Markup:
    rank, (wins, losses) = view.campaign.mean_rank(name), view.won_and_lost[name]
    standing = f"{wins} − {losses}" if rank is None else numbers.score(rank)
    cells = together(_cell(view, name, one, leads_on=leads_on) for one in sets)
    return Markup('<tr><th scope="row" class="bs-text">{}</th><td>{}</td>{}</tr>').format(
        system_label(view.looks[name]), standing, cells
    )


def _cell(view: CampaignView, system: str, set_name: str, *, leads_on: bool) -> Markup:
    cell = view.cells.get((system, set_name))
    if cell is None:
        return Markup("<td></td>")
    fault = view.needs_check(system, set_name)
    inside = _inside(cell, is_faulty=fault is not None)
    if not leads_on:
        return Markup('<td><div class="bs-heat" style="--strength:{:.0%}">{}</div></td>').format(
            MOST_COLOUR * cell.share, inside
        )
    about = f" {CHECK_FIRST} {fault}" if fault else _against_words(view, system, set_name)
    said = f"{_words(system, set_name, cell)}{about} Open it."
    return Markup(
        '<td><button type="button" class="bs-cell bs-heat" data-place="{}" style="--strength:{:.0%}" title="{}">{}'
        "</button></td>"
    ).format(place_of(view, system, set_name), MOST_COLOUR * cell.share, said, inside)


def _inside(cell: MatrixCell, *, is_faulty: bool) -> Markup:
    sign = CHECK_MARK if is_faulty else BEST_MARK if cell.is_unsurpassed else ""
    mark = Markup("<i>{}</i>&#8202;").format(sign) if sign else Markup("")
    cluster = "" if cell.cluster is None else f" · c{cell.cluster}"
    spread = "" if cell.deviation is None else f" ± {numbers.score(cell.deviation)}"
    return Markup("<b>{}{}{}</b><small>{}{}{}</small>").format(
        mark, numbers.score(cell.score), spread, cell.rank, cluster, _against(cell, is_faulty=is_faulty)
    )


def _against(cell: MatrixCell, *, is_faulty: bool) -> str:
    """The difference from the baseline, with a star where it is significant and the texts have no error."""
    if cell.against is None:
        return ""
    star = STAR if cell.against.is_significant and not is_faulty else ""
    return f" · {numbers.difference(cell.against.difference)}{star}"


def _words(system: str, set_name: str, cell: MatrixCell) -> str:
    """The cell in words, shown on hover."""
    interval = "" if cell.interval is None else f", 95 % interval {numbers.interval(*cell.interval)}"
    cluster = "" if cell.cluster is None else f", cluster {cell.cluster}"
    runs = f", mean of {numbers.counted(len(cell.runs), 'run')}" if cell.runs else ""
    return f"{system} on {set_name}: {numbers.score(cell.score)}{runs}{interval}, rank {cell.rank}{cluster}."


def _against_words(view: CampaignView, system: str, set_name: str) -> str:
    """The verdict about the system and the baseline, as the comparison of this cell has it."""
    one = view.campaign.set_called(set_name)
    if view.baseline is None or view.against_on(one, system) is None:
        return ""
    found = set_pair_verdict(one, system, view.baseline, view.baseline)
    n_comparisons = found.compared.n_comparisons
    corrected = f" Corrected for {numbers.count(n_comparisons)}." if n_comparisons > 1 else ""
    return f" {verdict_sentence(found)}{corrected}"
