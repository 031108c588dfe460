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
    """What there is to know of a form, beside its writer.

    Attributes:
        ending: Of its files.
        media_type: As browsers are told.
        holds_one: Whether it holds a single sheet.
        is_for_people: Whether it is read rather than computed with.
    """

    ending: str
    media_type: str
    holds_one: bool = False
    is_for_people: bool = False


FORMS: Mapping[FormName, Form] = MappingProxyType(
    {
        "table": Form("txt", "text/plain", is_for_people=True),
        "json": Form("json", "application/json"),
        "tsv": Form("tsv", "text/tab-separated-values", holds_one=True),
        "csv": Form("csv", "text/csv", holds_one=True),
        "markdown": Form("md", "text/markdown", is_for_people=True),
        "latex": Form("tex", "application/x-tex", is_for_people=True),
        "quoted-tsv": Form("tsv", "text/tab-separated-values", holds_one=True),
        "xlsx": Form("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        "parquet": Form("parquet", "application/vnd.apache.parquet", holds_one=True),
    }
)
TEXT_FORMS: tuple[TextForm, ...] = get_args(TextForm)
COMMAND_FORMS: tuple[FormName, ...] = tuple(name for name in FORMS if name != "quoted-tsv")
"""What commands offer: theirs have one line a row."""
