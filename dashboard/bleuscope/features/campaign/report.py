"""A campaign as one offline file: the same sections in HTML and in Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleuscope.content.report import ReportOptions
from bleuscope.content.report.parts import Block, Code, Drawn, Heading, Section, SegmentList, Table, Words
from bleuscope.content.report.settings import versions_table
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.sentences import note, paragraph
from bleuscope.features.campaign import sheets as campaign_sheets
from bleuscope.features.campaign import sheets_plan as plan_sheets
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign import words_methods as campaign_methods
from bleuscope.features.campaign.figures_matrix import legend_words, matrix_html
from bleuscope.features.campaign.figures_multiples import multiples_html
from bleuscope.features.campaign.view import CampaignView, Grouping

MOST_PAIRS = 200
"""Listed; the JSON of the command has all."""
MOST_PANELS = 24


SHORT_TITLES = {
    "verdict": "Result",
    "matrix": "Systems",
    "differences": "Differences",
    "over-all": "Over all",
    "against-the-rest": "Against the rest",
    "left-out": "Left out",
    "methods": "Methods",
    "settings": "Settings",
}
"""What the contents call the sections."""


@dataclass(frozen=True)
class CampaignReport:
    """A report of a campaign, before it is written.

    Attributes:
        view: What it is about.
        options: Title, remarks and date.
        sections: In order.
    """

    view: CampaignView
    options: ReportOptions
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        """What stands above."""
        return self.options.title or self.view.title

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What the campaign holds, as value and name."""
        return self.view.facts

    @property
    def looks(self) -> Mapping[str, SystemStyle]:
        """How each system is drawn."""
        return self.view.looks

    @property
    def segment_list(self) -> SegmentList | None:
        """There is none: a report of a single test set has one."""
        return None


def campaign_report(
    view: CampaignView, *, grouping: Grouping = "none", command: str | None = None, link: str | None = None
) -> CampaignReport:
    """Verdict, matrix, differences by set, what holds over all sets, what did not fit, methods and settings.

    Args:
        view: The campaign.
        grouping: How the columns of the matrix are grouped.
        command: What to type to make it again.
        link: The address of the page that it was made on.
    """
    sections = [
        _section("verdict", "Result", _verdict(view)),
        _section("matrix", "Systems by test sets", _matrix(view, grouping)),
        _section("differences", "Differences by test set", _differences(view)),
        _section("over-all", "Over all test sets", _over_all(view)),
        _section("against-the-rest", "Test sets against the rest", _against(view)),
        _section("left-out", "What did not fit", _left_out(view)),
        _section("methods", "Methods", _methods(view)),
        _section("settings", "Settings and versions", _settings(view, command, link)),
    ]
    return CampaignReport(view, ReportOptions(), tuple(one for one in sections if one.blocks))


def _section(name: str, title: str, blocks: Sequence[Block]) -> Section:
    kept = tuple(one for one in blocks if not isinstance(one, Words) or one.said)
    return Section(name, title, kept, SHORT_TITLES[name])


def _verdict(view: CampaignView) -> list[Block]:
    return [Words(campaign_words.campaign_verdict(view)), Words(campaign_words.remarks(view))]


def _matrix(view: CampaignView, grouping: Grouping) -> list[Block]:
    groups, systems = view.groups(grouping), view.order()
    drawn = matrix_html(view, systems, groups, leads_on=False)
    blocks: list[Block] = [
        Drawn(drawn, campaign_sheets.matrix_sheet(view, systems, groups)),
        Words(note("{}", legend_words(view, leads_on=False))),
    ]
    if view.has_runs:
        blocks += [Words(note("{}", campaign_sheets.runs_told(view))), Table(campaign_sheets.recipes_sheet(view))]
    return blocks


def _differences(view: CampaignView) -> list[Block]:
    systems = view.order_of_differences[:MOST_PANELS]
    sheet = campaign_sheets.differences_sheet(view, systems)
    if not len(sheet.frame):
        return []
    return [Drawn(multiples_html(view, systems, leads_on=False), sheet), Words(campaign_words.differences_note(view))]


def _over_all(view: CampaignView) -> list[Block]:
    blocks: list[Block] = [Table(campaign_sheets.systems_sheet(view)), Words(campaign_words.ranks_note(view))]
    if view.pairs:
        blocks += [
            Heading("Pairs of systems"),
            Table(campaign_sheets.pairs_sheet(view, MOST_PAIRS)),
            Words(campaign_words.pairs_note(view)),
        ]
    return blocks


def _against(view: CampaignView) -> list[Block]:
    if not view.pairs or len(view.sets) == 1:
        return []
    sheet = campaign_sheets.against_the_rest_sheet(view)
    return [
        Words(campaign_words.against_the_rest_verdict(view)),
        *([Table(sheet)] if len(sheet.frame) else []),
    ]


def _left_out(view: CampaignView) -> list[Block]:
    found = (*view.failed, *view.left_out)
    return [Table(plan_sheets.not_read_sheet(found, "What did not fit"))] if found else []


def _methods(view: CampaignView) -> list[Block]:
    said = campaign_methods.methods_sentence(view)
    return [Words(paragraph("rp-quote", "{}", said)), Code("BibTeX", campaign_methods.bibtex(view))]


def _settings(view: CampaignView, command: str | None, link: str | None) -> list[Block]:
    signatures = sorted({one.signature for one in view.sets})
    blocks: list[Block] = [Table(campaign_sheets.sets_sheet(view)), versions_table()]
    blocks += [Code("Signature", signature) for signature in signatures]
    blocks.append(Code("Signature of the tests", view.sets[0].significance_signature))
    blocks += [Code("Command that makes this report again", command)] if command else []
    blocks += [Code("Address of the page", link)] if link else []
    return blocks
