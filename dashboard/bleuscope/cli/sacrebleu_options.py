"""sacreBLEU's options that we lack, or that mean something else here: an error with what to write instead."""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import click

from bleucore.options import SMOOTHING_METHODS
from bleuscope.content.style.wordings import METRICS

INSTEAD: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        ("--citation", "--cite"): "A report holds the publications to cite: bleuscope report.",
        ("--list",): "sacrebleu --list names its test sets. Name one here with -t.",
        ("--origlang", "-ol"): "Give the labels of the segments and compare each: bleuscope slices --labels FILE.",
        ("--subset",): "Give the labels of the segments and compare each: bleuscope slices --labels FILE.",
        ("--download",): "Leave it out: -t downloads a test set when it is needed.",
        ("--echo",): "sacrebleu --echo prints the texts of its test sets.",
        ("--num-refs", "-nr"): "Give each reference in a file of its own: -r A.txt -r B.txt.",
        ("--force",): "Leave it out: no command stops at tokenized texts. bleuscope lint reports them.",
        ("--confidence", "-ci"): "Leave it out: bleuscope compare always gives confidence intervals.",
        ("--paired-ar", "-par"): "Write bleuscope compare --test approximate-randomisation.",
        ("--paired-bs", "-pbs"): "Write bleuscope compare --test sacrebleu-bs for its p-value, or paired-bootstrap.",
        ("--paired-jobs", "-j"): "Leave it out: tests use every core where that is faster.",
        ("--quiet", "-q"): "Leave it out: results go to standard output alone; 2>/dev/null hides the remarks.",
        ("--short", "-sh"): "Leave it out: signatures have their long form, which both programs can compare.",
        ("--detail", "-d"): "Give the labels of the segments and compare each: bleuscope slices --labels FILE.",
        ("--no-color", "-nc"): "Set the variable NO_COLOR=1.",
    }
)
"""Options of sacreBLEU that no command has, and what to do."""
OF_SCORE: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        ("--sentence-level", "-sl"): "bleuscope score has it.",
        ("--score-only", "-b"): "bleuscope score has it.",
    }
)
"""Options that ``score`` alone shares with sacreBLEU."""
_REMEDIES = {name: remedy for table in (INSTEAD, OF_SCORE) for names, remedy in table.items() for name in names}
_TEXT, _TABLE = "text", "table"


@dataclass(frozen=True)
class _Given:
    """An option as it is given.

    Attributes:
        name: As written.
        option: What it is here; ``None`` for nothing.
        start: The place of its name among the arguments.
        end: The place behind its values.
        value: The first word behind its name, if there is one; a switch has it without taking it.
    """

    name: str
    option: click.Option | None
    start: int
    end: int
    value: str | None


def as_ours(ctx: click.Context, command: click.Command, args: Sequence[str]) -> list[str]:
    """The arguments with the names repeated of options that take several words in sacreBLEU: ``-i A B``, ``-m a b``.

    Raises:
        click.UsageError: An option means something else in sacreBLEU, and is given as sacreBLEU takes it.
    """
    words: list[str] = []
    done = 0
    for given in _options_in(command, args):
        _refuse(ctx, command, given)
        if given.option is None or given.option.name not in ("inputs", "metrics") or "=" in given.name:
            continue
        words += args[done : given.end]
        done = given.end
        while done < len(args) and _belongs(given.option, args[done]):
            words += [given.name, args[done]]
            done += 1
    return [*words, *args[done:]]


def _options_in(command: click.Command, args: Sequence[str]) -> Iterator[_Given]:
    """Each option before ``--``, with its place."""
    own = [one for one in command.params if isinstance(one, click.Option)]
    options = {name: one for one in own for name in (*one.opts, *one.secondary_opts)}
    place = 0
    while place < len(args) and args[place] != "--":
        word, start = args[place], place
        place += 1
        if word == "-" or not word.startswith("-"):
            continue
        name, sign, value = word.partition("=")
        option = options.get(name)
        following = value if sign else (args[place] if place < len(args) else None)
        if option is not None and not option.is_flag and not sign:
            place = min(place + option.nargs, len(args))
        yield _Given(word, option, start, place, following)


def _belongs(option: click.Option, word: str) -> bool:
    """Whether a word behind the option's first value is a further one: any file, but metrics by their names alone."""
    if word.startswith("-") and word != "-":
        return False
    return option.name == "inputs" or word.lower().split(",")[0].partition(":")[0] in METRICS


def _refuse(ctx: click.Context, command: click.Command, given: _Given) -> None:
    name = given.name.partition("=")[0]
    if given.option is None:
        if name in _REMEDIES:
            raise click.UsageError(
                f"{name} is an option of sacreBLEU that {command.name} does not have. {_REMEDIES[name]}", ctx
            )
        return
    value = given.value or ""
    if name == "-s" and given.option.name == "source" and value in SMOOTHING_METHODS and not Path(value).exists():
        raise click.UsageError(
            f"-s names the source here, and no file is called {value}. For smoothing, write --smooth-method {value}.",
            ctx,
        )
    if name == "-e" and given.option.is_flag and _is_encoding(value) and not Path(value).exists():
        raise click.UsageError(
            f"-e is --effective-order here. To read {value}, write --encoding {value}.",
            ctx,
        )
    if given.option.name == "form" and value == _TEXT:
        raise click.UsageError(f"sacreBLEU's format {_TEXT} is called {_TABLE} here. Write {name} {_TABLE}.", ctx)


def _is_encoding(word: str) -> bool:
    try:
        codecs.lookup(word)
    except (LookupError, ValueError):
        return False
    return bool(word)
