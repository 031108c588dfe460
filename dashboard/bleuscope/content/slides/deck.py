"""A comparison as six slides: verdict, systems, why, three segments, what it depends on, checks.

The same study gives the same bytes. The package python-pptx is optional: the extra ``slides``.
"""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.util import find_spec
from typing import Any

from bleucore import InputError
from bleucore.checks import SEVERITIES, Finding
from bleucore.installing import how_to_add
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.overview.brief import leading_keys, notes_on_table, sheet_of_one, signatures
from bleuscope.content.overview.overview_words import (
    balance_words,
    documents_words,
    ingredients_words,
    single_answer,
    telling_segments,
    why_heading,
)
from bleuscope.content.scores.score_sheets import systems_in_metric_sheet
from bleuscope.content.sheets.values import STAR, read_columns, read_fields
from bleuscope.content.significance.study_verdict import study_verdict
from bleuscope.content.significance.verdict_words import chips, verdict_sentence
from bleuscope.content.style import numbers
from bleuscope.content.style.invisible import in_one_line
from bleuscope.content.style.widths import first_columns, n_columns

EXTRA, PACKAGE = "slides", "pptx"
WIDTH, HEIGHT, MARGIN = 13.333, 7.5, 0.6
"""Inches, of screens of 16 to 9."""
TITLE_SIZE, LEAD_SIZE, TEXT_SIZE, SMALL_SIZE = 30, 30, 22, 16
"""Points."""
MOST_ROWS, MOST_COLUMNS, MOST_SEGMENTS, MOST_FINDINGS = 12, 7, 3, 6
NAME_WIDTH, TITLE_WIDTH, SEGMENT_WIDTH, TEXT_WIDTH, LEAD_WIDTH = 30, 70, 150, 230, 420
"""Columns that a name, a title, a text of a segment, a sentence and the verdict have at most."""
TITLE_ONLY = 5
"""The layout of python-pptx's own template that has a title and nothing else."""
FIXED, FIXED_IN_ARCHIVE = datetime(2000, 1, 1), (1980, 1, 1, 0, 0, 0)  # noqa: DTZ001  # the format has no time zone
REPLACEMENT = "\ufffd"
NO_FINDINGS = "Nothing looks wrong with the texts."


@dataclass(frozen=True)
class Line:
    """A paragraph: a label in bold, and what it says."""

    text: str
    label: str = ""
    size: int = TEXT_SIZE
    is_bold: bool = False


def can_make_slides() -> bool:
    """Whether python-pptx is installed."""
    return find_spec(PACKAGE) is not None


def refuse_missing_package(where: str) -> None:
    """Refuse slides without python-pptx.

    Raises:
        InputError: It is not installed.
    """
    if not can_make_slides():
        raise InputError(
            "slides need the package python-pptx",
            where=where,
            found="it is not installed",
            remedy=f"Install it with: {how_to_add(EXTRA)}",
        )


def slides(
    study: TestedStudy, findings: Sequence[Finding], *, title: str | None = None, date: str | None = None
) -> bytes:
    """Six slides as a file of PowerPoint.

    Args:
        study: The comparison.
        findings: What the checks of its texts found.
        title: Above the verdict; the study's own unless given.
        date: Beneath it, as typed.

    Raises:
        InputError: python-pptx is not installed.
    """
    refuse_missing_package("Slides")
    from pptx import Presentation  # noqa: PLC0415  # optional
    from pptx.util import Inches  # noqa: PLC0415

    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(WIDTH), Inches(HEIGHT)
    said = title or study.title
    _add(deck, said, _verdict(study, findings, date))
    _table(_add(deck, "Systems", []), study)
    _add(deck, *_why(study))
    _add(deck, "Segments that show it" if study.compares else "Segments that match least", _segments(study))
    _add(deck, "What it depends on", _settings(study))
    _add(deck, "Checks of the texts", _checks(findings))
    own = deck.core_properties
    own.title, own.author, own.last_modified_by, own.revision = _safe(said, TITLE_WIDTH), "", "", 1
    own.created = own.modified = own.last_printed = FIXED
    written = io.BytesIO()
    deck.save(written)
    return _with_fixed_dates(written.getvalue())


def _with_fixed_dates(archive: bytes) -> bytes:
    """The same archive, whose files all have one date."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as given, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            entry = zipfile.ZipInfo(name, FIXED_IN_ARCHIVE)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 0
            made.writestr(entry, given.read(name))
    return written.getvalue()


def _safe(text: str, most: int) -> str:
    """A text as it is in one line, with signs for what is invisible, cut to a number of columns."""
    line = "".join(one if _fits_xml(one) else REPLACEMENT for one in in_one_line(text))
    return line if n_columns(line) <= most else first_columns(line, most - 1) + "…"


def _fits_xml(character: str) -> bool:
    code = ord(character)
    return 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000  # noqa: PLR2004  # XML 1.0, Char


def _add(deck: Any, title: str, lines: Sequence[Line]) -> Any:  # noqa: ANN401  # python-pptx has no types
    from pptx.enum.text import MSO_ANCHOR  # noqa: PLC0415
    from pptx.util import Inches, Pt  # noqa: PLC0415

    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    heading = slide.shapes.title
    heading.left, heading.top = Inches(MARGIN), Inches(0.35)
    heading.width, heading.height = Inches(WIDTH - 2 * MARGIN), Inches(0.9)
    frame = heading.text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
    _write(frame.paragraphs[0], Line(title, size=TITLE_SIZE, is_bold=True), TITLE_WIDTH)
    if lines:
        box = slide.shapes.add_textbox(Inches(MARGIN), Inches(1.5), Inches(WIDTH - 2 * MARGIN), Inches(5.5))
        box.text_frame.word_wrap = True
        for place, line in enumerate(lines):
            paragraph = box.text_frame.paragraphs[0] if place == 0 else box.text_frame.add_paragraph()
            paragraph.space_after = Pt(8)
            _write(paragraph, line, LEAD_WIDTH)
    return slide


def _write(paragraph: Any, line: Line, most: int) -> None:  # noqa: ANN401
    from pptx.enum.text import PP_ALIGN  # noqa: PLC0415
    from pptx.util import Pt  # noqa: PLC0415

    paragraph.alignment = PP_ALIGN.LEFT
    for text, is_bold in ((f"{line.label}  " if line.label else "", True), (line.text, line.is_bold)):
        if text:
            run = paragraph.add_run()
            run.text = _safe(text, most)
            run.font.size, run.font.bold = Pt(line.size), is_bold


def _verdict(study: TestedStudy, findings: Sequence[Finding], date: str | None) -> list[Line]:
    found = study_verdict(study, findings) if study.compares else None
    lead = str(single_answer(study)) if found is None else str(verdict_sentence(found))
    lines = [Line(lead, size=LEAD_SIZE, is_bold=True)]
    lines += [] if found is None else [Line(" · ".join(chips(found)))]
    return [*lines, *([Line(date, size=SMALL_SIZE)] if date else [])]


def _table(slide: Any, study: TestedStudy) -> None:  # noqa: ANN401
    from pptx.enum.text import PP_ALIGN  # noqa: PLC0415
    from pptx.util import Inches, Pt  # noqa: PLC0415

    sheet = systems_in_metric_sheet(study) if study.compares else sheet_of_one(study)
    fields, columns = read_fields(sheet), read_columns(sheet)
    wanted = [fields[0].key, *leading_keys(sheet)]
    order = sorted(range(len(fields)), key=lambda at: wanted.index(fields[at].key) if fields[at].key in wanted else 99)
    kept = sorted(order[:MOST_COLUMNS])
    n_rows = len(columns[0])
    shown = min(n_rows, MOST_ROWS)
    height = Inches(0.42 * (shown + 1))
    frame = slide.shapes.add_table(
        shown + 1, len(kept), Inches(MARGIN), Inches(1.5), Inches(WIDTH - 2 * MARGIN), height
    )
    for column, at in enumerate(kept):
        cells = [one.text + (STAR if one.is_marked else "") for one in columns[at][:shown]]
        for row, text in enumerate([fields[at].heading, *cells]):
            paragraph = frame.table.cell(row, column).text_frame.paragraphs[0]
            _write(paragraph, Line(text or " ", size=SMALL_SIZE, is_bold=row == 0), NAME_WIDTH)
            paragraph.alignment = PP_ALIGN.LEFT if column == 0 else PP_ALIGN.RIGHT
    rest = [f"{numbers.counted(n_rows - shown, 'system')} more in the report."] if n_rows > shown else []
    box = slide.shapes.add_textbox(Inches(MARGIN), Inches(6.95), Inches(WIDTH - 2 * MARGIN), Inches(0.4))
    box.text_frame.word_wrap = True
    note = " ".join(
        [f"* significant; Δ against {study.baseline or study.metric.ranked()[0]}." if study.compares else "", *rest]
    )
    paragraph = box.text_frame.paragraphs[0]
    paragraph.font.size = Pt(SMALL_SIZE)
    _write(paragraph, Line(note.strip() or " ", size=SMALL_SIZE), TEXT_WIDTH)


def _why(study: TestedStudy) -> tuple[str, list[Line]]:
    if not study.compares:
        return "Why", [Line("One system has no difference to explain. Add a second one.")]
    attribution = study.attribution
    said = [
        str(balance_words(study)),
        str(ingredients_words(study, attribution)),
        str(documents_words(attribution, study.test_set.documents)),
    ]
    return str(why_heading(study)), [Line(one) for one in said if one]


def _segments(study: TestedStudy) -> list[Line]:
    test_set = study.test_set
    lines = []
    chosen = telling_segments(study, study.parts if study.compares else None)[:MOST_SEGMENTS]
    names = study.pair if study.compares else study.evaluation.names
    for segment in chosen:
        lines.append(Line(f"Segment {numbers.count(segment + 1)}", size=SMALL_SIZE, is_bold=True))
        reference = next((texts[segment] for texts in test_set.references if texts[segment] is not None), "")
        texts = [("Reference", reference or "")]
        texts += [(_safe(name, NAME_WIDTH), test_set.system(name).hypotheses[segment]) for name in names]
        lines += [Line(_safe(text, SEGMENT_WIDTH), label, SMALL_SIZE - 2) for label, text in texts]
    return lines or [Line("No segment differs.")]


def _settings(study: TestedStudy) -> list[Line]:
    lines = [Line(one, size=SMALL_SIZE) for one in notes_on_table(study)[:3]]
    lines += [Line(one, "Signature", SMALL_SIZE) for one in signatures(study)[:4]]
    lines += [Line(study.comparison.options.signature(), "Tests", SMALL_SIZE)]
    return [*lines, Line(study.test_set.digest, "Texts, SHA-256", SMALL_SIZE)]


def _checks(findings: Sequence[Finding]) -> list[Line]:
    ordered = sorted(findings, key=lambda one: SEVERITIES.index(one.severity))
    lines = [
        Line(
            _safe(one.message, TEXT_WIDTH),
            f"{one.severity.capitalize()}, {_safe(one.subject, NAME_WIDTH)}:",
            SMALL_SIZE,
        )
        for one in ordered[:MOST_FINDINGS]
    ]
    n_more = len(ordered) - len(lines)
    lines += [Line(f"{numbers.counted(n_more, 'finding')} more in the report.", size=SMALL_SIZE)] if n_more > 0 else []
    return lines or [Line(NO_FINDINGS)]
