"""One offline report of a study: what it holds, as one HTML file that asks no host for anything, and as Markdown."""

from dashboard.content.report.assembly import make_report
from dashboard.content.report.choices import SECTIONS, ReportOptions, SectionName, sections_without
from dashboard.content.report.evidence import Evidence, scored_in
from dashboard.content.report.html_page import html_report
from dashboard.content.report.markdown import markdown_report
from dashboard.content.report.parts import Report

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
