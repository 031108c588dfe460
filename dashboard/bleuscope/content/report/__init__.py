"""One offline report of a study: what it holds, as one HTML file that asks no host for anything, and as Markdown."""

from bleuscope.content.report.assembly import make_report
from bleuscope.content.report.choices import SECTIONS, ReportOptions, SectionName, sections_without
from bleuscope.content.report.evidence import Evidence, scored_in
from bleuscope.content.report.html_page import html_report
from bleuscope.content.report.markdown import markdown_report
from bleuscope.content.report.parts import Report

__all__ = [
    "SECTIONS",
    "Evidence",
    "Report",
    "ReportOptions",
    "SectionName",
    "html_report",
    "make_report",
    "markdown_report",
    "scored_in",
    "sections_without",
]
