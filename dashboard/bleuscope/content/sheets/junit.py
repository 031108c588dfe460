"""A sheet as JUnit XML: a test case for each row, for machines that build and show which tests failed.

The elements and their order are those of the schema that Jenkins publishes (junit-10.xsd), which GitLab reads too.
"""

import re
from collections.abc import Mapping

from markupsafe import Markup

from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import read_columns, read_fields
from bleuscope.content.style.invisible import in_one_line, sign

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write, not even as a reference."""


def junit_text(
    sheet: Sheet, *, suite: str, group: str, failures: Mapping[int, str], notes: Mapping[int, str] | None = None
) -> str:
    """The table as a suite of tests.

    Whoever reads reports of several runs knows a case by its group and its name: neither should hold a number.

    Args:
        sheet: What it holds; its first column has the names of the cases.
        suite: What the tests are called together.
        group: What each case belongs to, JUnit's class name.
        failures: By row, which case failed and why, in a line.
        notes: By row, what else is to be known.
    """
    numbers = Markup('tests="{}" failures="{}" errors="0"').format(len(sheet.frame), len(failures))
    properties = [
        Markup('      <property name="{}" value="{}"/>').format(_line(name), _line(value))
        for name, value in sheet.facts.items()
    ]
    lines = [
        Markup('<?xml version="1.0" encoding="UTF-8"?>'),
        Markup('<testsuites name="{}" {}>').format(_line(suite), numbers),
        Markup('  <testsuite name="{}" {} skipped="0">').format(_line(group), numbers),
        Markup("    <properties>"),
        *properties,
        Markup("    </properties>"),
        *_cases(sheet, group, failures, notes or {}),
        Markup("    <system-out>{}</system-out>").format(_line(sheet.caption)),
        Markup("  </testsuite>"),
        Markup("</testsuites>"),
    ]
    return "\n".join(map(str, lines)) + "\n"


def _cases(sheet: Sheet, group: str, failures: Mapping[int, str], notes: Mapping[int, str]) -> list[Markup]:
    headings = [one.heading for one in read_fields(sheet)]
    lines = []
    for row, cells in enumerate(zip(*read_columns(sheet), strict=True)):
        told = ", ".join(f"{heading} {cell.text}" for heading, cell in zip(headings[1:], cells[1:], strict=True))
        lines.append(Markup('    <testcase name="{}" classname="{}">').format(_line(cells[0].text), _line(group)))
        if row in failures:
            lines.append(
                Markup('      <failure type="failure" message="{}">{}</failure>').format(
                    _line(failures[row]), _line(told)
                )
            )
        said = [told, *([notes[row]] if row in notes else [])]
        lines.append(Markup("      <system-out>{}</system-out>").format("\n".join(map(_line, said))))
        lines.append(Markup("    </testcase>"))
    return lines


def _line(value: object) -> str:
    return NO_XML.sub(lambda found: sign(found.group()), in_one_line(str(value)))
