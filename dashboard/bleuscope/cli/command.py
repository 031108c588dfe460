"""The command with its commands, and how it ends: what a user can fix is one line on standard error."""

import ast
import contextlib
import errno
import gc
import os
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

import click

from bleuscope.cli.memory_check import TooLittleMemoryError, hold_little_memory, refuse_little_memory
from bleuscope.cli.streams import forget_output, notice
from bleuscope.registry import NAME as NAME_OF_COMMAND
from bleuscope.registry import added_features, own_features, placed, plugin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleucore.errors import EncodingOffer

NAME = "bleuscope"
COMPLETE_VARIABLE = "_BLEUSCOPE_COMPLETE"
BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 2, 130, 141
"""Exit codes; the last two are what a shell makes of the signals SIGINT and SIGPIPE."""

OBJECTS_TO_COLLECT = 200_000
"""New objects until Python looks for garbage. With its own 700, that is a tenth of the time of a command."""
DEFAULT = "open"
MISSPELT = 0.75
"""Words as much alike as this are taken for misspelt names of commands."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
NO_ROOM_FOR_LIBRARY = "failed to map segment"
"""What the loader says where memory is short."""
_OWN = (
    "open",
    "demo",
    "plan",
    "align",
    "score",
    "compare",
    "segments",
    "ngrams",
    "slices",
    "lint",
    "neural",
    "report",
    "gate",
    "workspace",
    "plugin-check",
    "completion",
)
"""The commands in this folder, in the order of the help; the module of each is imported as it is needed."""
_OF_FEATURES = {command.name: command.module for feature in own_features() for command in feature.commands}
"""The modules of the commands that features bring."""
COMMANDS = tuple(
    placed(
        dict.fromkeys(_OWN, None),
        ((command.before, {command.name: None}) for feature in own_features() for command in feature.commands),
    )
)
"""All commands of the program, in the order of the help."""

FORMER = MappingProxyType({"check": ("gate", "0.2.0"), "checks": ("lint", "0.2.0"), "sample": ("draw", "0.2.0")})
"""Former names of commands: what each is called now, and the version in which the former name goes."""

OURS = frozenset({"bleucore", "bleuscope"})
WITHOUT_PRODUCTS, THREADS_OF_NUMPY = "score", "OPENBLAS_NUM_THREADS"
"""The command that multiplies no matrices. The threads that numpy starts for that wait for work with a processor each:
a fifth of all that such a command takes."""

OPENING = frozenset({"open", "demo"})
"""The commands that need room for the dashboard: their module is ``opening``."""

HELP = """Compare translation systems with BLEU.

\b
bleuscope                                       open the dashboard in the browser
bleuscope A.txt B.txt ref.txt                   open it on these files
bleuscope demo                                  open it on the sample comparison
bleuscope score A.txt B.txt -r ref.txt          scores, without a browser
bleuscope compare A.txt B.txt -r ref.txt        with tests, and where the difference comes from
bleuscope report A.txt B.txt -r ref.txt -o report.html
bleuscope gate --baseline old.txt new.txt -r ref.txt

Every command has its own --help with examples. Exit codes: 0; 1 if a requested check fails; 2 if you have to fix the
input; 130 if interrupted.
"""


class Commands(click.Group):
    """The commands by name. Where none is named, the first is meant: ``bleuscope FILE …`` opens the dashboard."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command's name before its arguments, unless a shell asks how to complete a name."""
        args = self._renamed(args)
        is_named = args and (args[0] in ("-h", "--help", "-V", "--version") or _is_command(args[0]))
        if not is_named and (args or not ctx.resilient_parsing):
            self._refuse_misspelt(ctx, args[:1])
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def _renamed(self, args: list[str]) -> list[str]:
        """The arguments with the present name of a command that had another one, which is said."""
        now, goes = FORMER.get(args[0], ("", "")) if args else ("", "")
        if now not in COMMANDS or args[0] in _added():
            return args
        notice(f"{args[0]} is called {now} now. The former name goes in {goes}. Write {NAME} {now}.")
        return [now, *args[1:]]

    def _refuse_misspelt(self, ctx: click.Context, first: list[str]) -> None:
        """Refuse what is no file and nearly the name of a command."""
        from difflib import get_close_matches  # noqa: PLC0415  # only where no command is named

        for word in first:
            near = get_close_matches(word, COMMANDS, 1, MISSPELT)
            if near and not Path(word).exists():
                raise click.UsageError(f"There is no command or file {word!r}. Did you mean {near[0]}?", ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's form
        """The names in the order of the help."""
        return [*COMMANDS, *_added()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, with what it needs imported now.

        Raises:
            TooLittleMemoryError: It opens the dashboard, and there is no room for that.
            InputError: It is of another package, and cannot be imported.
        """
        if not _is_command(cmd_name):
            return None
        if cmd_name in OPENING and not ctx.resilient_parsing:
            refuse_little_memory()
            hold_little_memory()
        with _naming_plugin(lambda: cmd_name):
            found = getattr(import_module(_module_of(cmd_name)), f"{cmd_name.replace('-', '_')}_command")
        return found if isinstance(found, click.Command) else None

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; one of another package that fails is named."""
        with _naming_plugin(lambda: ctx.invoked_subcommand or ""):
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _summary(name)) for name in [*COMMANDS, *_added()]])


@cache
def _added() -> dict[str, tuple[str, str]]:
    """The commands of other packages: the feature and the module of each."""
    return {command.name: (one.name, command.module) for one in added_features() for command in one.commands}


def _is_command(name: str) -> bool:
    return name in COMMANDS or (bool(NAME_OF_COMMAND.fullmatch(name)) and name in _added())


@contextlib.contextmanager
def _naming_plugin(name: "Callable[[], str]") -> "Iterator[None]":
    """Say which package a command comes from if it fails, unless it is the program's own.

    Args:
        name: Gives the command's name, which click knows once it runs.
    """
    try:
        yield
    except Exception as error:
        command = name()
        is_known = isinstance(error, click.ClickException | click.exceptions.Exit | click.Abort | OSError)
        if is_known or command in COMMANDS or not _is_command(command):
            raise
        from bleucore.errors import InputError  # noqa: PLC0415  # takes longer to import than --help needs

        plugin = plugin_of(_added()[command][0])
        if plugin is None or isinstance(error, InputError):
            raise
        raise InputError(
            "the command failed",
            where=f"{command}, from the package {plugin.package}",
            found=f"{type(error).__name__}: {error}",
            remedy="Ask whoever made the package.",
        ) from error


def _module_of(command: str) -> str:
    """The module of a command, which has ``NAME_command``."""
    if command not in COMMANDS:
        return _added()[command][1]
    of_program = "opening" if command in OPENING else f"{command.replace('-', '_')}_command"
    return _OF_FEATURES.get(command, f"{__package__}.{of_program}")


def _source_of(command: str) -> str:
    module = _module_of(command)
    if command in COMMANDS:  # without importing the packages around it
        path = Path(__file__).parents[1] / module.removeprefix(f"{NAME}.").replace(".", "/")
        return path.with_suffix(".py").read_text(encoding="utf-8")
    found = find_spec(module)
    return "" if found is None or found.origin is None else Path(found.origin).read_text(encoding="utf-8")


def _summary(command: str) -> str:
    """The first paragraph of a command's docstring; "" for one of another package that cannot be read."""
    try:
        functions = [one for one in ast.parse(_source_of(command)).body if isinstance(one, ast.FunctionDef)]
    except Exception:
        if command in COMMANDS:
            raise
        functions = []
    said = [ast.get_docstring(one) for one in functions if one.name == f"{command.replace('-', '_')}_command"]
    return " ".join((next(iter(said), None) or "").partition("\n\n")[0].split())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, help=HELP)
@click.version_option(None, "-V", "--version", package_name=NAME, prog_name=NAME)
def bleuscope() -> None:
    """Run one of the commands."""


def main() -> NoReturn:
    """Run the command and end the process."""
    gc.set_threshold(OBJECTS_TO_COLLECT)
    if COMPLETE_VARIABLE in os.environ:
        bleuscope.main(prog_name=NAME, complete_var=COMPLETE_VARIABLE)
    if sys.argv[1:2] == [WITHOUT_PRODUCTS]:
        os.environ.setdefault(THREADS_OF_NUMPY, "1")
    code = _run(sys.argv[1:])
    gc.freeze()  # else Python looks through all objects for garbage as it ends: a tenth of the time of a command
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    """The exit code of a command line."""
    code = 0
    try:
        with bleuscope.make_context(NAME, arguments) as context:
            bleuscope.invoke(context)
    except click.exceptions.Exit as ending:
        code = ending.exit_code
    except click.ClickException as error:
        asked = getattr(error, "ctx", None)
        command = asked.command_path if asked else NAME
        said = error.format_message()
        if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # since click 8.2; the help itself
            click.echo(said, err=True)
            return BAD_INPUT
        code = _refuse(f"{said if said.endswith(('.', '?')) else f'{said}.'} See {command} --help.")
    except BrokenPipeError:
        forget_output()
        code = CLOSED_PIPE
    except (KeyboardInterrupt, EOFError, click.Abort):
        code = INTERRUPTED
    except Exception as error:
        sentence = _what_to_mend(error)
        if sentence is None:
            raise
        code = _refuse(sentence)
    return code


def _what_to_mend(error: Exception) -> str | None:
    """What the user can fix, in a sentence: the input, or a full disk beneath standard output; else ``None``.

    The engine takes longer to import than ``--help`` needs; its errors can only come from where it was imported.
    """
    if isinstance(error, TooLittleMemoryError):
        return str(error)
    if isinstance(error, MemoryError) or (isinstance(error, ImportError) and NO_ROOM_FOR_LIBRARY in str(error)):
        return "Memory: there was too little for this. Close other programs, or take fewer or smaller files."
    errors = sys.modules.get("bleucore.errors")
    if errors is not None and isinstance(error, errors.InputError):
        offers: Sequence[EncodingOffer] = getattr(error, "offers", ())
        return f"{error} Option --encoding {offers[0].encoding} does so." if offers else str(error)
    if isinstance(error, ModuleNotFoundError) and error.name and error.name.partition(".")[0] not in OURS:
        from bleucore.installing import missing_words  # noqa: PLC0415  # only where something is missing

        return missing_words(error.name)
    if isinstance(error, OSError) and error.filename is None and error.errno in NO_ROOM:
        forget_output()
        return f"Standard output: it cannot be written (found {os.strerror(error.errno).lower()})."
    return None


def _refuse(message: str) -> int:
    with contextlib.suppress(OSError):
        notice(message)
    return BAD_INPUT
