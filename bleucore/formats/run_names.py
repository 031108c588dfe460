"""How a name says of which system an output is a run, and what that was set to: "m, prompt=A, seed 2"."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

RUN_WORDS = ("seed", "run", "replicate", "repetition", "repeat", "rep", "trial", "attempt", "epoch", "sample")
"""What tells one run of a recipe from another."""

_PART = re.compile(
    rf"(?:^(?!\S*=\S*=)|, )(?:(?P<factor>\w{{1,40}})=|(?P<run>{'|'.join(RUN_WORDS)}) )(?P<value>[^\s,])", re.IGNORECASE
)
_SAYS_RUN = re.compile(rf"(?:{'|'.join(RUN_WORDS)})[ -]?\d", re.IGNORECASE)
_OF_ID = re.compile(r"_(?:ids?|idx|index|names?|no|number)$")


@dataclass(frozen=True)
class RunName:
    """The parts of a name.

    Attributes:
        system: What stands before all that; "" where nothing does.
        factors: What it is set to, as it is written.
        runs: The numbers or names of its runs, by the word that stands before them.
    """

    system: str
    factors: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = (f"{word}={level}" for word, level in self.factors.items())
        return ", ".join(filter(None, (self.system, *parts, *(f"{word} {run}" for word, run in self.runs.items()))))


def run_called(name: str, run: str | None) -> str:
    """What one run of a system is called: "v2, run 3"; a run that says a word for runs keeps it: "v2, seed 3"."""
    if run is None:
        return name
    return f"{name}, {run if _SAYS_RUN.match(run) else f'run {run}'}"


def run_of(recipe: str, system: str) -> str:
    """What a system is called as a run of a recipe: "small, run A"; as before where that says so already."""
    read = read_run_name(system)
    return system if read.runs and read.system == recipe else run_called(recipe, system)


def column_word(title: str) -> str:
    """What a column of runs or settings is called within names: "prompt" of ``prompt_id``."""
    return _OF_ID.sub("", title)


def read_run_name(name: str, *, not_runs: Iterable[str] = ()) -> RunName:
    """The parts of a name.

    Args:
        name: Of a system.
        not_runs: Words that tell settings although they are among ``RUN_WORDS``.
    """
    found = list(_PART.finditer(name))
    if not found:
        return RunName(name)
    settings = {word.casefold() for word in not_runs}
    factors: dict[str, str] = {}
    runs: dict[str, str] = {}
    for part, end in zip(found, [*(after.start() for after in found[1:]), len(name)], strict=True):
        word, value = part["factor"] or part["run"], name[part.start("value") : end]
        is_run = word.casefold() in RUN_WORDS and word.casefold() not in settings
        (runs if is_run else factors)[word] = value
    return RunName(name[: found[0].start()], factors, runs)
