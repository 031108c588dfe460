"""Annotations of a task as files, in each form."""

from collections.abc import Mapping

from bleucore.annotation.exports import FORMS, Form, esa_lines, marot_table, mtme_files
from bleuscope.content.sheets.writers import write
from bleuscope.features.annotation.outcome import Outcome
from bleuscope.features.annotation.sheets import marks_sheet

LABELS: Mapping[Form, str] = {
    "mtme": "mt-metrics-eval",
    "marot": "Marot (TSV)",
    "esa": "ESA (JSON Lines)",
    "xlsx": "Excel",
}


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
