"""The forms that sheets leave in: how their files are called, and what they hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

TextForm = Literal["table", "json", "tsv", "csv", "markdown", "latex", "quoted-tsv"]
FileForm = Literal["xlsx", "parquet"]
FormName = TextForm | FileForm


@dataclass(frozen=True)
class Form:
    """What there is to know of a form.

    Attributes:
        ending: Of its files.
        media_type: As browsers are told.
        writer: What writes a sheet in it: a module beside this one, imported when it is needed, and its function.
        takes_all: Whether the writer takes all sheets at once.
        holds_one: Whether it holds a single sheet.
        is_for_people: Whether it is read rather than computed with.
    """

    ending: str
    media_type: str
    writer: str
    takes_all: bool = False
    holds_one: bool = False
    is_for_people: bool = False


FORMS: Mapping[FormName, Form] = MappingProxyType(
    {
        "table": Form("txt", "text/plain", "terminal.table_text", is_for_people=True),
        "json": Form("json", "application/json", "json_text.json_text", takes_all=True),
        "tsv": Form("tsv", "text/tab-separated-values", "delimited.tsv_text", holds_one=True),
        "csv": Form("csv", "text/csv", "delimited.csv_text", holds_one=True),
        "markdown": Form("md", "text/markdown", "markdown.markdown_text", is_for_people=True),
        "latex": Form("tex", "application/x-tex", "latex.latex_text", is_for_people=True),
        "quoted-tsv": Form("tsv", "text/tab-separated-values", "delimited.quoted_tsv_text", holds_one=True),
        "xlsx": Form(
            "xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "workbooks.workbook",
            takes_all=True,
        ),
        "parquet": Form("parquet", "application/vnd.apache.parquet", "parquet.parquet_file", holds_one=True),
    }
)
TEXT_FORMS: tuple[TextForm, ...] = get_args(TextForm)
COMMAND_FORMS: tuple[FormName, ...] = tuple(name for name in FORMS if name != "quoted-tsv")
"""What commands offer: theirs have one line a row."""
