"""Which words of a command line are systems: a pattern without quotes must not turn an option's files into some."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import click

from bleuscope.cli.sacrebleu_options import as_ours
from bleuscope.content.comparison.unquoted import like_the_file

MOST_SHOWN = 400
"""A longer command line is not shown whole."""


@dataclass
class _Run:
    """The words that follow an option's file, up to the next option."""

    option: click.Option
    name: str
    file: str
    places: list[int] = field(default_factory=list)


class TextsCommand(click.Command):
    """A command with systems as arguments, in which the files of options follow the options' names."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take options as sacreBLEU does where it has them; refuse words that can be a system and an option's file.

        Raises:
            click.UsageError: There are such words, or options that mean something else in sacreBLEU.
        """
        if not ctx.resilient_parsing:
            args = as_ours(ctx, self, args)
            _refuse_doubtful(ctx, list(_runs(self, args)), args)
        return super().parse_args(ctx, args)


def _refuse_doubtful(ctx: click.Context, runs: Sequence[_Run | int], args: Sequence[str]) -> None:
    with_words = [run for run in runs if isinstance(run, _Run) and run.places]
    for run in with_words:
        has_others = len(with_words) > 1 or any(isinstance(one, int) for one in runs)
        words = [args[place] for place in run.places]
        doubtful = words if has_others else like_the_file(run.option.name or "", run.file, words)
        if doubtful:
            raise click.UsageError(_refusal(ctx, run, len(doubtful), args), ctx)


def _runs(command: click.Command, args: Sequence[str]) -> Iterator[_Run | int]:
    """Each option with a file and what follows it; the places of the other arguments before ``--``."""
    options = {name: one for one in command.params if isinstance(one, click.Option) for name in one.opts}
    run: _Run | None = None
    place = 0
    while place < len(args) and args[place] != "--":
        word = args[place]
        place += 1
        if word == "-" or not word.startswith("-"):
            if run is None:
                yield place - 1
            else:
                run.places.append(place - 1)
            continue
        option = options.get(word)
        run = None
        if option is not None and not option.is_flag:
            place += option.nargs
            if isinstance(option.type, click.Path) and place <= len(args):
                run = _Run(option, word, args[place - 1])
                yield run


def _refusal(ctx: click.Context, run: _Run, n_doubtful: int, args: Sequence[str]) -> str:
    first = shlex.quote(args[run.places[0]])
    said = f"{first} comes right after {run.name} {shlex.quote(run.file)}, as from a pattern without quotes."
    if not run.option.multiple:
        return f"{said} {run.name} takes one file. If {first} is a system, name it before {run.name}."
    doubtful = set(run.places[:n_doubtful])
    words = [word for place, one in enumerate(args) for word in ([run.name, one] if place in doubtful else [one])]
    whole = f"{ctx.command_path} {shlex.join(words)}"
    part = shlex.join([run.name, run.file, *(word for place in sorted(doubtful) for word in (run.name, args[place]))])
    return (
        f"{said} For {run.name}, write: {whole if len(whole) <= MOST_SHOWN else part}. Or put the pattern in quotes. "
        f"If {first} is a system, name it before {run.name}."
    )
