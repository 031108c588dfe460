"""Annotations of a task as files, in each form."""

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import partial

from bleucore.annotation.exports import FORMS, Form, esa_lines, marot_table, mtme_files, refuse_unfit
from bleuscope.content.sheets.writers import write
from bleuscope.features.annotation.outcome import Outcome
from bleuscope.features.annotation.sheets import marks_sheet

LABELS: Mapping[Form, str] = {
    "mtme": "mt-metrics-eval",
    "marot": "Marot (TSV)",
    "esa": "ESA (JSON Lines)",
    "xlsx": "Excel",
}
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""Of every file in an archive, so that equal annotations make equal bytes."""


def exported(found: Outcome, form: Form) -> dict[str, bytes]:
    """The files of a form, by name.

    Raises:
        InputError: The form cannot hold these annotations.
    """
    if form == "mtme":
        return dict(mtme_files(found.task, found.states, found.weights))
    name = file_name(found)
    if form == "marot":
        return {f"{name}.tsv": marot_table(found.task, found.states)}
    if form == "esa":
        return {f"{name}.jsonl": esa_lines(found.task, found.states)}
    return {f"{name}.xlsx": write(marks_sheet(found), "xlsx")}


def download(found: Outcome, form: Form) -> tuple[str, Callable[[], bytes]]:
    """The name of the one file of a form, and what makes it when somebody asks; several files are a ZIP archive.

    Raises:
        InputError: The form cannot hold these annotations.
    """
    refuse_unfit(found.task, found.states, form)
    ending = {"mtme": "zip", "marot": "tsv", "esa": "jsonl", "xlsx": "xlsx"}[form]
    return f"{file_name(found)}.{ending}", partial(_one_file, found, form)


def _one_file(found: Outcome, form: Form) -> bytes:
    files = exported(found, form)
    if form != "mtme":
        return next(iter(files.values()))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def forms_of(found: Outcome) -> tuple[Form, ...]:
    """The forms that can hold annotations of the task's scheme."""
    return tuple(form for form in FORMS if form != "esa" or found.task.scheme.has_slider)


def table_file(found: Outcome) -> tuple[str, bytes]:
    """The name and content of the table that Human judgements reads."""
    return f"{file_name(found)}.annotations.csv", write(marks_sheet(found), "csv")


def file_name(found: Outcome) -> str:
    """The task's name as the name of a file, without an ending."""
    kept = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in found.task.name)
    return kept.strip("-") or "annotation"
