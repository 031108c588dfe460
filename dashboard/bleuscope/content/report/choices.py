"""What can be asked of a report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from bleucore import InputError
from bleucore.values import HALF_A_PAIR, lone_surrogate, shown, truth, whole_number
from bleuscope.registry import ReportSection, load, own_features, placed

if TYPE_CHECKING:
    from bleuscope.content.comparison.comparison_context import ComparisonContext

SectionName: TypeAlias = str
OF_FEATURES: Mapping[SectionName, ReportSection] = MappingProxyType(
    {section.name: section for feature in own_features() for section in feature.report_sections}
)
"""The sections that features add; they are there where they are asked for, because they take time."""
_OWN: Mapping[SectionName, str] = MappingProxyType(
    {
        "verdict": "Result",
        "systems": "Systems",
        "charts": "Scores as charts",
        "difference": "Where the difference comes from",
        "segments": "Segments to read",
        "errors": "BLEU credits and marked errors",
        "checks": "Do the texts look right?",
        "methods": "Methods",
        "settings": "Settings and versions",
    }
)
SECTIONS: Mapping[SectionName, str] = MappingProxyType(
    placed(_OWN, ((one.before, {one.name: one.title}) for one in OF_FEATURES.values()))
)
"""What each section is called in the report, in its order."""
SECTION_NAMES: tuple[SectionName, ...] = tuple(SECTIONS)
NEED_CHECKS: tuple[SectionName, ...] = ("verdict", "difference", "checks")
"""Sections that ask the findings in the texts."""
OF_JUDGEMENTS: tuple[SectionName, ...] = (
    *(name for name, section in OF_FEATURES.items() if section.needs_judgements),
    "errors",
)
ADDED: tuple[SectionName, ...] = tuple(name for name in OF_FEATURES if name not in OF_JUDGEMENTS)
"""Sections that texts alone are enough for."""
USUAL_SECTIONS = tuple(name for name in SECTION_NAMES if name not in (*OF_FEATURES, *OF_JUDGEMENTS))
"""What a report holds unless told; the others are asked for, because they take time or judgements, or suit some
comparisons only."""
LEADING, TAGGED = "those that do most", "those with a tag or a note"
"""Which segments a report writes out."""
MAX_CHOSEN = 500
"""Segments written out with their marks. More make a file that no browser likes: ``is_full`` is for that."""


@dataclass(frozen=True)
class ReportOptions:
    """What a report contains besides the results.

    Attributes:
        title: What stands above; the study's own unless given.
        remarks: Plain text beneath the title; line breaks stay.
        sections: Which of ``SECTIONS``, in any order; the report keeps to its own.
        n_segments: How many segments to write out for each of the two systems: those that do most for it.
        chosen: Write these out instead, from 0, in this order.
        is_full: List every segment, to search and to open.
        date: Written as it is given. Without one there is none, so that the same input gives the same bytes.

    Raises:
        InputError: There is no such section, too many segments are to be written out, or a text cannot be written.
    """

    title: str | None = None
    remarks: str = ""
    sections: tuple[SectionName, ...] = USUAL_SECTIONS
    n_segments: int = 10
    chosen: tuple[int, ...] | None = None
    is_full: bool = False
    date: str | None = None

    def __post_init__(self) -> None:
        unknown = next((name for name in self.sections if name not in SECTION_NAMES), None)
        if unknown is not None:
            raise InputError(
                "there is no such section",
                where="The report",
                found=shown(unknown),
                expected=f"one of {', '.join(SECTION_NAMES)}",
            )
        whole_number("n_segments", self.n_segments, 0, MAX_CHOSEN)
        if self.chosen is not None and len(self.chosen) > MAX_CHOSEN:
            raise InputError(
                "these are too many segments to write out",
                where="The report",
                found=len(self.chosen),
                expected=f"up to {MAX_CHOSEN}",
                remedy="Choose fewer, or list all segments.",
            )
        truth("is_full", self.is_full)
        for place, text in (("title", self.title), ("remarks", self.remarks), ("date", self.date)):
            if lone_surrogate(text or ""):
                raise InputError(
                    f"the text holds {HALF_A_PAIR}",
                    where=f"The {place} of the report",
                    found=lone_surrogate(text or ""),
                    expected="text that can be written as UTF-8",
                )

    def holds(self, section: SectionName) -> bool:
        """Whether a section is on."""
        return section in self.sections


def usual_sections(study: "ComparisonContext") -> tuple[SectionName, ...]:
    """What a report of a comparison holds unless told: with what is usual of features, where they find anything."""
    of_features = {name for name, one in OF_FEATURES.items() if one.is_usual and load(one.is_offered)(study)}
    return tuple(name for name in SECTION_NAMES if name in USUAL_SECTIONS or name in of_features)


def sections_without(
    names: Iterable[str], besides: Iterable[str] = (), *, study: "ComparisonContext | None" = None
) -> tuple[SectionName, ...]:
    """Every usual section, of any comparison or of this one, and some besides, but not these.

    Raises:
        InputError: There is no such section.
    """
    left_out, added = tuple(names), tuple(besides)
    ReportOptions(sections=(*left_out, *added))  # refuses what is no section
    held = {*(USUAL_SECTIONS if study is None else usual_sections(study)), *added}.difference(left_out)
    return tuple(name for name in SECTION_NAMES if name in held)
