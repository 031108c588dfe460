"""Which systems are runs of one recipe, and what was varied between recipes: told explicitly, else read from names.

Names are read with care: a system becomes a run only where another one differs from it in nothing but the run.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeAlias

from bleucore.errors import InputError
from bleucore.formats.run_names import RUN_WORDS, read_run_name
from bleucore.values import shown, unknown_name

Level: TypeAlias = float | str
"""What a factor is set to."""

LONGEST_READ = 300
"""A longer name is not read."""
MOST_DESIGNS = 16
"""Designs that are saved by their systems: pages ask for the same one several times a click."""
MODEL = "model"
"""The factor that what is left of names stands for, where they tell other factors of several models."""
_BREAK = r"[-_., /]"
_RUN = re.compile(
    rf"(?:^|{_BREAK}\s*)(?P<word>{'|'.join(RUN_WORDS)})[-_= ]?(?P<number>\d{{1,9}})(?={_BREAK}|$)", re.IGNORECASE
)
_SHORT_RUN = re.compile(r"[-_.](?P<word>s)(?P<number>\d{1,9})$", re.IGNORECASE)
_LISTED_RUN = re.compile(r", ?(?P<word>)(?P<number>\d{1,9})$")
_NUMBER = r"\d{1,12}(?:\.\d{1,12})?(?:e[-+]?\d{1,3})?[kKmM]?"
_FACTOR_WORDS: Mapping[str, str] = {
    "lr": "learning rate",
    "learningrate": "learning rate",
    "step": "step",
    "steps": "step",
    "updates": "step",
    "bs": "batch size",
    "batch": "batch size",
    "beam": "beam size",
    "dropout": "dropout",
    "temp": "temperature",
    "temperature": "temperature",
    "warmup": "warm-up",
    "layers": "layers",
    "shots": "shots",
}
_THOUSANDS = {"k": 1e3, "m": 1e6}
_STANDS_BEHIND = r"(?=[-_, /]|\.(?!\d)|$)"


@dataclass(frozen=True)
class Run:
    """A system as a run of a recipe.

    Attributes:
        system: Its name in the test set.
        recipe: What it is a run of; the system itself where nothing tells a run.
        run: The label of the run; ``None`` where nothing tells one.
        factors: What the recipe is set to, by factor.
        model: What is left of its name without all that.
    """

    system: str
    recipe: str
    run: str | None
    factors: Mapping[str, Level]
    model: str = ""


@dataclass(frozen=True)
class RunDesign:
    """The runs of an experiment, in the order of the systems."""

    runs: tuple[Run, ...]

    @cached_property
    def recipes(self) -> Mapping[str, tuple[str, ...]]:
        """The systems of each recipe, in the order in which recipes come first."""
        found: dict[str, list[str]] = {}
        for run in self.runs:
            found.setdefault(run.recipe, []).append(run.system)
        return {recipe: tuple(systems) for recipe, systems in found.items()}

    @property
    def has_runs(self) -> bool:
        """Whether a recipe has several runs."""
        return len(self.recipes) < len(self.runs)

    @cached_property
    def factors(self) -> Mapping[str, tuple[Level, ...]]:
        """The levels of each factor that has several, numbers in order."""
        levels: dict[str, dict[Level, None]] = {}
        for run in self.runs:
            for name, level in run.factors.items():
                levels.setdefault(name, {})[level] = None
        return {name: _in_order(found) for name, found in levels.items() if len(found) > 1}

    def recipe_of(self, name: str) -> str | None:
        """The recipe of this name, or of the system of this name; ``None`` where there is none."""
        if name in self.recipes:
            return name
        return next((run.recipe for run in self.runs if run.system == name), None)

    def is_between_models(self, factor: str) -> bool:
        """Whether each model has one level of a factor only, so that models differ between its levels."""
        levels: dict[str, set[Level]] = {}
        for run in self.runs:
            if factor in run.factors:
                levels.setdefault(run.model, set()).add(run.factors[factor])
        return factor != MODEL and all(len(found) == 1 for found in levels.values())

    def is_numeric(self, factor: str) -> bool:
        """Whether all levels of a factor are numbers."""
        return all(isinstance(level, float) for level in self.factors[factor])


@dataclass(frozen=True)
class RunsByHand:
    """What people say of runs, besides what names tell.

    Attributes:
        recipes: Systems, each with the recipe that it is a run of.
        factors: Words that stand before levels.
    """

    recipes: tuple[tuple[str, str], ...] = ()
    factors: tuple[str, ...] = ()

    def design(self, names: Sequence[str]) -> RunDesign:
        """Which of these systems are runs of one recipe.

        Raises:
            InputError: There is no such system, or no such factor.
        """
        return _design_by_hand(self, tuple(names))


@lru_cache(MOST_DESIGNS)
def _design_by_hand(by_hand: RunsByHand, names: tuple[str, ...]) -> RunDesign:
    return design_of(names, recipes=dict(by_hand.recipes), factors=by_hand.factors)


NAMES_ALONE = RunsByHand()
"""Names tell all that is known of runs."""


def design_of(
    systems: Sequence[str], *, recipes: Mapping[str, str] | None = None, factors: Iterable[str] = ()
) -> RunDesign:
    """Which systems are runs of one recipe.

    Names that tell a run, where several systems have the same name but for it: ``nmt-seed1``, ``nmt_run3``, ``nmt.s4``,
    and ``m, prompt=A, seed 2`` as long tables are read. Factors: ``nmt-lr1e-4-step100000``, or ``size=big``; what is
    left of names is the factor ``model``, where several of these have others. A setting as long tables are read is one
    too where each model has one level and several models share it: ``m, size=big``, ``n, size=big``, ``o, size=small``.

    Args:
        systems: K names.
        recipes: The recipe of systems by name, which comes before what names tell.
        factors: Further words that stand before the level of a factor, as ``depth`` in ``nmt-depth6``. A word that
            tells runs, as ``epoch``, is a factor then.

    Raises:
        InputError: A name of ``recipes`` is no system, or no name has such a factor.
    """
    given = dict(recipes or {})
    for system, recipe in given.items():
        if system not in systems:
            raise unknown_name("system", system, systems, where="The runs", remedy="Name one of these.")
        if not recipe.strip():
            raise InputError("a recipe has no name", where=f"The run {shown(system)}", remedy="Name its recipe.")
    asked = tuple(dict.fromkeys(factors))
    read = {system: _without_run(system, asked) for system in systems if system not in given}
    stems = Counter(stem for stem, label in set(read.values()) if label is not None)
    by_name = {system: _factors_of(system, asked) for system in systems if len(system) <= LONGEST_READ}
    varied = _varied_models(by_name.values())
    shared = _shared_factors(by_name)
    has_models = sum(map(bool, varied)) > 1
    runs = []
    for system in systems:
        rest, found = by_name.get(system, ("", {}))
        of_model: dict[str, Level] = {MODEL: rest} if has_models and rest else {}
        own = {name: level for name, level in found.items() if rest in varied or name in shared}
        factors_of = {**of_model, **own} if own else {}
        stem, label = read.get(system, (system, None))
        if system in given:
            runs.append(Run(system, given[system].strip(), None, factors_of, rest))
        elif label is not None and stems[stem] > 1:
            runs.append(Run(system, stem, label, factors_of, rest))
        else:
            runs.append(Run(system, system, None, factors_of, rest))
    _refuse_unknown_factors(asked, runs)
    return RunDesign(tuple(runs))


def _varied_models(read: Iterable[tuple[str, Mapping[str, Level]]]) -> set[str]:
    """What is left of names that differ in factors."""
    settings: dict[str, set[frozenset[tuple[str, Level]]]] = {}
    for rest, found in read:
        if found:
            settings.setdefault(rest, set()).add(frozenset(found.items()))
    return {rest for rest, found in settings.items() if len(found) > 1}


def _shared_factors(by_name: Mapping[str, tuple[str, Mapping[str, Level]]]) -> set[str]:
    """Factors written as long tables are read, of which several models share a level."""
    models: dict[tuple[str, Level], set[str]] = {}
    for system, (rest, found) in by_name.items():
        words = {word.casefold() for word in read_run_name(system).factors}
        for name, level in found.items():
            if rest and words & {name.casefold(), *_words_of(name)}:
                models.setdefault((name, level), set()).add(rest)
    return {name for (name, _), rests in models.items() if len(rests) > 1}


def _words_of(factor: str) -> set[str]:
    """The words that a factor is written with in names."""
    return {factor.replace(" ", "_").casefold(), *(word for word, name in _FACTOR_WORDS.items() if name == factor)}


def _without_run(system: str, asked: Sequence[str]) -> tuple[str, str | None]:
    """A name without what tells its run, and that; ``None`` where nothing does."""
    if len(system) > LONGEST_READ:
        return system, None
    listed = read_run_name(system, not_runs=asked)
    if listed.runs:
        label = ", ".join(str(int(run)) if run.isdecimal() else run for run in listed.runs.values())
        return str(replace(listed, runs={})) or ", ".join(listed.runs), label
    for pattern in (_RUN, _SHORT_RUN, _LISTED_RUN):
        for found in pattern.finditer(system):
            if found["word"].casefold() in map(str.casefold, asked):
                continue
            stem = (system[: found.start()] + system[found.end() :]).strip("-_., /") or system[: found.start("number")]
            return stem.strip("-_., /"), str(int(found["number"]))
    return system, None


def _factors_of(system: str, asked: Sequence[str]) -> tuple[str, dict[str, Level]]:
    """A name without its factors and its run, and the level of each factor."""
    words = {**_FACTOR_WORDS, **{name.casefold(): name for name in asked}}
    listed = read_run_name(_without_run(system, asked)[0], not_runs=asked)
    rest = listed.system
    found: dict[str, Level] = {
        words.get(word.casefold(), word.replace("_", " ")): _level(text) for word, text in listed.factors.items()
    }
    known = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    for pattern, level in (
        (rf"(?:^|{_BREAK})(?P<word>{known})[-_= ]?(?P<level>{_NUMBER}){_STANDS_BEHIND}", _number),
        (rf"(?:^|{_BREAK})(?P<word>\w{{1,40}})=(?P<level>[\w.+-]{{1,60}})", _level),
        *(
            (rf"(?:^|{_BREAK})(?P<word>{re.escape(name)})[-_= ]?(?P<level>\w{{1,60}}){_STANDS_BEHIND}", _level)
            for name in asked
        ),
    ):
        for match in re.finditer(pattern, rest, re.IGNORECASE):
            word = match["word"].casefold()
            found.setdefault(words.get(word, match["word"]), level(match["level"]))
        rest = re.sub(pattern, "", rest, flags=re.IGNORECASE)
    return rest.strip("-_., /"), found


def _number(text: str) -> float:
    times = _THOUSANDS.get(text[-1].casefold(), 1.0)
    return float(text if times == 1 else text[:-1]) * times


def _level(text: str) -> Level:
    """A number where it is written as one."""
    number = _number(text) if re.fullmatch(_NUMBER, text) else math.nan
    return number if math.isfinite(number) else text


def _refuse_unknown_factors(asked: Sequence[str], runs: Sequence[Run]) -> None:
    for name in asked:
        told = _FACTOR_WORDS.get(name.casefold(), name)
        if len({run.factors.get(told, run.factors.get(name)) for run in runs} - {None}) < 2:  # noqa: PLR2004  a factor
            raise InputError(
                "this factor has no two levels",
                where="The factors",
                found=shown(name),
                expected=f"names such as {shown(name)}1 and {shown(name)}2 within names of systems",
                remedy="Rename the files, or leave the factor out.",
            )


def _in_order(levels: Iterable[Level]) -> tuple[Level, ...]:
    found = list(levels)
    numbers = [level for level in found if isinstance(level, float)]
    return tuple(sorted(numbers)) if len(numbers) == len(found) else tuple(found)
