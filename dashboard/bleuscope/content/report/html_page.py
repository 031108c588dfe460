"""A report as one HTML file that asks no host for anything.

Its policy lets no script run but those whose hash it names, so that a text could do nothing even if it became markup.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import plotly.offline
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bleuscope.content.report.packing import packed
from bleuscope.content.report.parts import Chart, Charts, Table, Written
from bleuscope.content.sheets.html import html_table
from bleuscope.content.significance.significance_tables import pairs_matrix
from bleuscope.content.style import markup
from bleuscope.content.style.identity import SystemStyle, with_whole_names
from bleuscope.content.style.invisible import without_controls
from bleuscope.content.style.stylesheet import OF_REPORTS, stylesheet

TEMPLATES = Path(__file__).parent / "templates"


def html_report(report: Written) -> str:
    """The whole file, the same for the same report."""
    charts = [chart for section in report.sections for block in section.blocks for chart in _charts(block)]
    whole = with_whole_names(report.looks)
    names = ["charts.js"] if charts else []
    names += ["segments.js"] if report.segment_list is not None else []
    scripts = [_script(name) for name in (["unpack.js", *names] if names else [])]
    page = (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            options=report.options,
            facts=markup.facts(report.facts),
            style=Markup(_style()),  # noqa: S704  # our own
            scripts=[Markup(script) for script in scripts],  # noqa: S704  # our own
            policy=_policy([*scripts, *([plotly.offline.get_plotlyjs()] if charts else [])]),
            plotly=_packed_plotly() if charts else None,
            notice=_plotly_notice() if charts else None,
            chart_data=_json({chart.key: _figure_data(chart) for chart in charts}) if charts else None,
            segment_list=report.segment_list,
            kind_of=lambda block: type(block).__name__,
            written=lambda table: _table(table, whole),
        )
    )
    return without_controls(page)


def _table(table: Table, looks: Mapping[str, SystemStyle]) -> Markup:
    if table.is_matrix:
        return pairs_matrix(table.sheet, looks)
    return html_table(table.sheet, looks, style=table.style)


def _charts(block: object) -> tuple[Chart, ...]:
    return block.charts if isinstance(block, Charts) else ()


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _plotly_notice() -> Markup:
    """Whose work Plotly's script is, which is packed and cannot be read, with its licence, which asks for that."""
    head = plotly.offline.get_plotlyjs().partition("*/")[0].strip("/* \n").replace("\n*", "\n")
    licence = distribution("plotly").read_text("licenses/LICENSE.txt") or ""
    return Markup(f"{head}\n\n{licence}".replace("--", "\u2013"))  # noqa: S704  # in a comment, which only two dashes end


@cache
def _style() -> str:
    """What tables and marks look like on the pages, and what a report adds."""
    return stylesheet(OF_REPORTS) + (TEMPLATES / "report.css").read_text(encoding="utf-8")


@cache
def _packed_plotly() -> str:
    """Plotly's script, which a script of ours puts into the page; the policy names its hash too."""
    return packed(plotly.offline.get_plotlyjs())


@cache
def _script(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _policy(scripts: list[str]) -> str:
    """Nothing from anywhere; only these scripts; styles and pictures that stand in the file itself."""
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{one}'" for one in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _figure_data(chart: Chart) -> dict[str, Any]:
    """A figure without Plotly's own looks, which the page replaces by its own."""
    figure: dict[str, Any] = json.loads(chart.figure.to_json())
    figure["layout"].pop("template", None)
    return figure


def _json(data: object) -> Markup:
    """JSON that can stand within a script element: no character that could end it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704  # escaped above
