"""In which form a command prints its tables, which of them, and where to."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, cast, get_args

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.cli.files_out import refuse_unwritable, write_file
from bleuscope.cli.streams import harmless, notice, print_result, screen
from bleuscope.content.sheets.forms import COMMAND_FORMS, FORMS, TEXT_FORMS, FileForm, FormName

if TYPE_CHECKING:
    from bleuscope.content.sheets.screens import Screen
    from bleuscope.content.sheets.sheet import Sheet

STANDARD_OUTPUT = "-"
OUTPUT, USE_ONE = "Option --output", "Use one of these endings."
"""Who names a file unless said otherwise, and what to do where its ending does not fit."""
ALL = "all"
"""What stands for every table."""
PLAIN, PEARMUT, REPORT = "table", "pearmut", "html"
ENDING_OF_FORM: Mapping[str, str] = MappingProxyType(
    {**{name: FORMS[name].ending for name in COMMAND_FORMS}, REPORT: "html", PEARMUT: "json"}
)
FORM_OF_ENDING: Mapping[str, str] = MappingProxyType(
    {
        **{FORMS[name].ending: name for name in COMMAND_FORMS},
        "html": REPORT,
        "htm": REPORT,
        "markdown": "markdown",
        "latex": "latex",
        "tab": "tsv",
        "log": PLAIN,
        "out": PLAIN,
    }
)
NOT_PLAIN = get_args(FileForm)
"""Forms that a file of text cannot hold."""
IN_ANOTHER = ((PEARMUT, "json"),)
"""A form, and that of the ending which its files have."""
NOT_FOR_TERMINALS = (*NOT_PLAIN, REPORT)


@dataclass(frozen=True)
class Output:
    """How a result is to be given.

    Attributes:
        form: One of ``COMMAND_FORMS``.
        path: The file to write, or "-".
        table: Which table alone, ``ALL`` of them, or ``None``.
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
            check_path(self.path, read, OUTPUT)
        elif self.form in NOT_FOR_TERMINALS and sys.stdout is not None and sys.stdout.isatty():
            raise InputError(
                "a terminal cannot show this format",
                where="Option --format",
                found=self.form,
                remedy=f"Name a file: --output results.{self.form}.",
            )

    def give(self, result: str | bytes, *, is_painted: bool = False) -> None:
        """Write the result to where it is to go; what people read, without anything that a terminal obeys.

        Args:
            result: What to write.
            is_painted: Whether it holds colours, and nothing else that a terminal would obey.

        Raises:
            InputError: It cannot be written.
            BrokenPipeError: Nobody reads it any more.
        """
        form = FORMS.get(cast("FormName", self.form))
        if isinstance(result, str) and not is_painted and (form is None or form.is_for_people):
            result = harmless(result)
        if self.path == STANDARD_OUTPUT:
            print_result(result, is_painted=is_painted)
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
        brief: What people are shown on standard output unless they ask for tables or columns.
    """

    makers: Mapping[str, Callable[[], "Sheet"]]
    warnings: Sequence[str]
    for_people: Sequence[str] = ()
    disputes: Sequence[str] = ()
    document: Callable[[], Mapping[str, object]] | None = None
    brief: "Callable[[Screen], str] | None" = None

    def chosen(self, output: Output) -> list["Sheet"]:
        """The tables to write, each with the columns to write.

        Raises:
            InputError: There is no such table or column.
        """
        names = list(self.makers)
        if output.table == ALL:
            _refuse_all(output)
        elif output.table is not None:
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
    if tables.brief is not None and output == Output(decimals=output.decimals):
        shows = screen()
        found = tables.brief(shows)
        _say(tables.disputes)
        output.give(found, is_painted=shows.is_coloured)
        return
    sheets = tables.chosen(output)
    _say(tables.disputes)
    if output.form in TEXT_FORMS:
        output.give(write_text(sheets, output.form, [*tables.disputes, *tables.warnings]))
    else:
        output.give(write(sheets, cast("FileForm", output.form)))


def _say(disputes: Sequence[str]) -> None:
    for dispute in disputes:
        notice(dispute)


def _refuse_all(output: Output) -> None:
    """Refuse all tables where one is all that can be written.

    Raises:
        InputError: The form holds one, or columns are named.
    """
    if FORMS[cast("FormName", output.form)].holds_one or output.columns:
        raise InputError(
            "this format holds one table" if not output.columns else "columns belong to one table",
            where="Option --table",
            found=ALL,
            expected="the name of a table",
            remedy="Name one, or choose --format json or xlsx." if not output.columns else "Leave --columns out.",
        )


def form_of(given: str | None, path: str, forms: Sequence[str], where: str = OUTPUT) -> str:
    """The form to write in: the one that was asked for, else that of the file's ending, else the first.

    Args:
        given: The form that was asked for, ``None`` for none.
        path: The file, or "-".
        forms: Those that the command has, the usual one first.
        where: Who names the file.

    Raises:
        InputError: The ending is that of another form than was asked for or the command has, or of none.
    """
    return _form_of_ending(path, forms, where) if given is None else _without_contradiction(given, path)


def _form_of_ending(path: str, forms: Sequence[str], where: str) -> str:
    ending = _ending(path)
    meant = FORM_OF_ENDING.get(ending, PLAIN)
    if not ending:
        return forms[0]
    if ending not in FORM_OF_ENDING:
        remedy = "Use one of these, or add --format to say what to write." if where == OUTPUT else USE_ONE
        raise _unfit("no format has this ending", path, _endings(forms), remedy, where)
    if meant not in forms:
        wanted = "plain text" if meant == PLAIN else meant
        raise _unfit(f"this command does not write {wanted}", path, _endings(forms), USE_ONE, where)
    return meant


def _without_contradiction(given: str, path: str) -> str:
    meant = FORM_OF_ENDING.get(_ending(path), given)
    is_plain_text = meant == PLAIN and given not in NOT_PLAIN
    if meant != given and not is_plain_text and (given, meant) not in IN_ANOTHER:
        own = PurePath(path).with_suffix(f".{ENDING_OF_FORM[given]}")
        remedy = f"Write -o {own}, or leave out --format {given}."
        raise _unfit("the file's name says another format", path, given, remedy)
    return given


def _ending(path: str) -> str:
    """The ending of a file's name in lower case, "" where it has none: a number is a part of the name."""
    ending = "" if path == STANDARD_OUTPUT else PurePath(path).suffix[1:].lower()
    return ending if ending[:1].isalpha() else ""


def _endings(forms: Sequence[str]) -> str:
    return ", ".join(f".{ENDING_OF_FORM[form]}" for form in forms if form in ENDING_OF_FORM)


def _unfit(problem: str, path: str, expected: str, remedy: str, where: str = OUTPUT) -> InputError:
    return InputError(problem, where=where, found=path, expected=expected, remedy=remedy)


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
