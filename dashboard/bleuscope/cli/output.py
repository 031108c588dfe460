"""In which form a command prints its tables, which of them, and where to."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.cli.files_out import refuse_unwritable, write_file
from bleuscope.cli.streams import notice, print_result
from bleuscope.content.sheets.forms import FORMS, TEXT_FORMS, FileForm, FormName

if TYPE_CHECKING:
    from bleuscope.content.sheets.sheet import Sheet

STANDARD_OUTPUT = "-"
NOT_FOR_TERMINALS = (*get_args(FileForm), "html")


@dataclass(frozen=True)
class Output:
    """How a result is to be given.

    Attributes:
        form: One of ``COMMAND_FORMS``.
        path: The file to write, or "-".
        table: Which table alone, or ``None``.
        columns: Which columns alone, by their keys, in this order; all of them if there are none.
        decimals: How many people read of scores, differences and intervals; ``None`` for as many as on pages.
    """

    form: str = "table"
    path: str = STANDARD_OUTPUT
    table: str | None = None
    columns: tuple[str, ...] = ()
    decimals: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out and nothing written in another way."""
        return self.table is None and not self.columns and self.decimals is None

    def check(self, read: Sequence[str] = ()) -> None:
        """Refuse what could not be written in the end, or should not be, before anything is computed.

        Args:
            read: The files that are read for it.

        Raises:
            InputError: The file cannot be written, it is one of those that are read, what is no text would go to a
                terminal, or a form that holds whole values is to have so many decimals.
        """
        if self.decimals is not None and not FORMS[cast("FormName", self.form)].is_for_people:
            raise InputError(
                "this form holds every digit of a number",
                where="Option --decimals",
                found=self.form,
                remedy="Leave the option out, or choose --format latex, markdown or table.",
            )
        if self.path != STANDARD_OUTPUT:
            check_path(self.path, read, "Option --output")
        elif self.form in NOT_FOR_TERMINALS and sys.stdout is not None and sys.stdout.isatty():
            raise InputError(
                "this is nothing to read on a terminal",
                where="Option --format",
                found=self.form,
                remedy=f"Name a file: --output results.{self.form}.",
            )

    def give(self, result: str | bytes) -> None:
        """Write the result to where it is to go.

        Raises:
            InputError: It cannot be written.
            BrokenPipeError: Nobody reads it any more.
        """
        if self.path == STANDARD_OUTPUT:
            print_result(result)
        else:
            write_file(Path(self.path), result.encode("utf-8", "replace") if isinstance(result, str) else result)


@dataclass(frozen=True)
class Tables:
    """What a command has to show, made only as it is asked for.

    Attributes:
        makers: What makes each table, by its name; the first is the one that a form with a single table holds.
        warnings: What to know beside them; it is said on standard error already.
        for_people: Those that people are shown unless they ask for another; all unless given.
        disputes: What casts doubt on all of them; it is said before them on standard error, and stands first among
            the warnings.
        document: What JSON holds in place of all tables, where that is said once for machines; ``None`` where JSON
            holds the tables.
    """

    makers: Mapping[str, Callable[[], "Sheet"]]
    warnings: Sequence[str]
    for_people: Sequence[str] = ()
    disputes: Sequence[str] = ()
    document: Callable[[], Mapping[str, object]] | None = None

    def chosen(self, output: Output) -> list["Sheet"]:
        """The tables to write, each with the columns to write.

        Raises:
            InputError: There is no such table or column.
        """
        names = list(self.makers)
        if output.table is not None:
            if output.table not in self.makers:
                raise _unknown("table", output.table, names, where="Option --table")
            names = [output.table]
        elif FORMS[cast("FormName", output.form)].holds_one or output.columns:
            names = names[:1]
        elif FORMS[cast("FormName", output.form)].is_for_people and self.for_people:
            names = list(self.for_people)
        sheets = [_with_columns(self.makers[name](), output.columns) for name in names]
        if output.decimals is None:
            return sheets
        from bleuscope.content.sheets.values import with_decimals  # noqa: PLC0415  # with pandas

        return [with_decimals(sheet, output.decimals) for sheet in sheets]


def give_tables(tables: Tables, output: Output) -> None:
    """Write tables in the form that was asked for.

    Raises:
        InputError: There is no such table or column, or they cannot be written.
        BrokenPipeError: Nobody reads them any more.
    """
    from bleuscope.content.sheets.writers import write, write_text  # noqa: PLC0415  # with pandas

    if tables.document is not None and output == replace(output, form="json", table=None, columns=()):
        from bleuscope.content.sheets.json_text import WARNINGS, document_text  # noqa: PLC0415  # with pandas

        output.give(document_text({**tables.document(), WARNINGS: list(tables.warnings)}))
        return
    sheets = tables.chosen(output)
    for dispute in tables.disputes:
        notice(dispute)
    if output.form in TEXT_FORMS:
        output.give(write_text(sheets, output.form, [*tables.disputes, *tables.warnings]))
    else:
        output.give(write(sheets, cast("FileForm", output.form)))


def check_path(path: str, read: Sequence[str], where: str) -> None:
    """Refuse a file that could not be written, or should not be, before anything is computed.

    Args:
        path: The file.
        read: The files that are read for it.
        where: Who names it: "Option --output".

    Raises:
        InputError: It cannot be written, or is one of those that are read.
    """
    written = Path(path)
    refuse_unwritable(written)
    for one in map(Path, read):
        if written.is_file() and one.exists() and one.samefile(written):
            raise InputError(
                "it is one of the files to read",
                where=where,
                found=path,
                remedy="Name another file, or your text is lost.",
            )


def _with_columns(sheet: "Sheet", keys: Sequence[str]) -> "Sheet":
    """The sheet with some of its columns, in the order wanted."""
    if not keys:
        return sheet
    fields = {field.key: field for field in sheet.fields}
    for key in keys:
        if key not in fields:
            raise _unknown("column", key, list(fields), where=f"Option --columns, table {sheet.name}")
    return replace(sheet, fields=tuple(fields[key] for key in dict.fromkeys(keys)))


def _unknown(what: str, name: str, known: Sequence[str], *, where: str) -> InputError:
    from difflib import get_close_matches  # noqa: PLC0415  # only for a misspelt name

    near = get_close_matches(name, known, 1)
    return InputError(
        f"there is no {what} of this name",
        where=where,
        found=shown(name),
        expected=f"one of {', '.join(known)}",
        remedy=f"Perhaps {near[0]}." if near else None,
    )
