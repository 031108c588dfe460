"""The test set that comes of what a command is to read."""

import glob
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bleucore import InputError, TestSet
from bleucore.formats import assemble
from bleucore.metrics import MetricOptions
from bleucore.tokens.tokenizer_choice import AnyTokenizerName
from bleuscope.cli.streams import notice, notice_on_terminal
from bleuscope.content.comparison.inputs import Inputs, Loaded
from bleuscope.content.comparison.tokenizer_words import tokenizer_warning
from bleuscope.shell.disk import files
from bleuscope.shell.disk.bounded_reading import read_at_most
from bleuscope.shell.disk.mecab import proposed_tokenizer
from bleuscope.shell.disk.packed import STANDARD_INPUT, STANDARD_INPUT_NAME


def expanded(paths: Sequence[str]) -> tuple[str, ...]:
    """The files, with those that a pattern names in place of it, in order: on Windows no shell does so.

    Raises:
        InputError: A pattern names no file.
    """
    found: list[str] = []
    for path in paths:
        path = os.path.expanduser(path) if path.startswith("~") else path  # noqa: PLW2901, PTH111  # "-" stays itself
        if not glob.has_magic(path) or os.path.lexists(path):
            found.append(path)
            continue
        matches = sorted(glob.glob(path))  # noqa: PTH207  # a path of any form, from any folder
        if not matches:
            raise InputError("no file has such a name", where=path, remedy="Check the pattern and the folder.")
        found += matches
    return tuple(found)


def read_texts(asked: Inputs, tokenizer: AnyTokenizerName | None) -> Loaded:
    """The test set that a command line names; what is to be known of it is said on standard error.

    Args:
        asked: What to read.
        tokenizer: What it will be scored with; ``None`` where nothing is.

    Raises:
        InputError: A file cannot be read, or the files do not fit together.
    """
    read_data = reader(asked.paths)
    columns = files.read_inputs(asked, announce=notice_on_terminal, read_data=read_data)
    notices = list(files.notices_of(columns))
    for said in notices:
        notice(said)
    test_set = assemble(columns)
    proposed = None if tokenizer is None else proposed_tokenizer(test_set.references, notice_on_terminal)
    unsuited = None if tokenizer is None else tokenizer_warning(proposed, tokenizer)
    if unsuited is not None:
        notice(unsuited)
        notices.append(unsuited)
    scores = _scores(asked, test_set, read_data) if _asks_for_scores(asked) else ()
    title = files.title_of(asked, columns)
    return Loaded(test_set, title, inputs=asked, notices=tuple(notices), scores=scores)


def system_named(test_set: TestSet, given: str, option: str) -> str:
    """The system of that name, or of the file of that name, with or without folder and ending.

    Raises:
        InputError: There is none, or files of several systems are called so.
    """
    found = test_set.system_called(STANDARD_INPUT_NAME if given == STANDARD_INPUT else given)
    found = found or test_set.system_called(Path(given).name)
    if found is None:
        raise InputError(
            "there is no system of this name",
            where=option,
            found=repr(given),
            expected=f"one of {', '.join(test_set.system_names)}",
            remedy="A system has the name of its file, without parts that all file names share. The file's full "
            "name works too.",
        )
    return found


def reader(paths: Sequence[str]) -> Callable[[str], bytes]:
    """What gives the content of each file; standard input, which can be read once, is named once at most."""
    if paths.count(STANDARD_INPUT) > 1:
        raise InputError(
            "standard input is named more than once",
            where="The files",
            found=f"{paths.count(STANDARD_INPUT)} times {STANDARD_INPUT}",
            expected="once",
            remedy="Save one of the texts to a file.",
        )
    return lambda path: _standard_input() if path == STANDARD_INPUT else files.read_bytes(Path(path))


def _standard_input() -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("it is closed", where="Standard input", remedy="Name a file instead of -.")
    if sys.stdin.isatty():
        raise InputError(
            "it is a terminal",
            where="Standard input",
            expected="a pipe or a file",
            remedy="Write … | bleuscope …, or name a file instead of -.",
        )
    return read_at_most(sys.stdin.buffer)


def _asks_for_scores(asked: Inputs) -> bool:
    return any((asked.scores, asked.score_columns, asked.lower_is_better, asked.system_names))


def _scores(asked: Inputs, test_set: TestSet, read_data: Callable[[str], bytes]) -> tuple[MetricOptions, ...]:
    """The columns of score files; what was left out is said."""
    from bleucore.judgements.reading import joined, read_scores  # noqa: PLC0415  # only for those who bring scores
    from bleucore.judgements.system_names import said_systems  # noqa: PLC0415  # as above

    aliases = said_systems(asked.system_names, test_set)
    found = [
        read_scores(STANDARD_INPUT_NAME if path == STANDARD_INPUT else path, read_data(path), test_set, aliases=aliases)
        for path in asked.scores
    ]
    for said in dict.fromkeys(said for scores in found for said in scores.notices):
        notice(said)
    columns = joined([column for scores in found for column in scores.columns])
    names = [column.name for column in columns]
    named = [("--score-column", name) for name in asked.score_columns]
    for option, name in (*named, *(("--lower-is-better", name) for name in asked.lower_is_better)):
        if name not in names:
            raise InputError(
                "there is no such score column",
                where=f"Option {option}",
                found=repr(name),
                expected=f"one of {', '.join(names)}" if names else "a file named by --scores",
            )
    return tuple(
        replace(column, higher_is_better=column.higher_is_better and column.name not in asked.lower_is_better)
        for column in columns
        if not asked.score_columns or column.name in asked.score_columns
    )
