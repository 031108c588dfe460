"""A sample for people to judge as sheets: the table to fill in, and how it was drawn."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleucore.corpus import TestSet
from bleucore.sampling.criteria import Criterion
from bleucore.sampling.design import Sample
from bleuscope.content.sheets.builders import Facts, FilledField, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style import numbers

BY: dict[Criterion, str] = {
    "difference": "preferring segments where the systems' scores differ",
    "disagreement": "preferring segments where metrics disagree",
    "diversity": "preferring segments with unlike outputs",
    "document": "whole documents",
}
"""What a criterion draws, by its name."""
STRATUM = "Groups of equal size, the most useful to judge last."
WEIGHT = "Segments that each sampled one represents."


@dataclass(frozen=True, eq=False)
class Task:
    """What people are to judge. Equal to itself alone.

    Attributes:
        test_set: All texts.
        systems: Those to be judged.
        by: What the segments were drawn by.
        sample: The segments.
    """

    test_set: TestSet
    systems: Sequence[str]
    by: Criterion
    sample: Sample

    def unit(self, segment: int) -> str:
        """What was drawn with a segment, from 0: its number, or its document."""
        documents = self.test_set.documents
        return documents[segment] if self.sample.unit == "document" and documents is not None else str(segment + 1)

    def in_random_order(self, names: Sequence[str]) -> list[list[str]]:
        """These names for each drawn segment, so that nobody can know a system by its place."""
        random = np.random.default_rng([self.sample.seed, len(self.sample.segments)])
        return [[names[place] for place in random.permutation(len(names))] for _ in self.sample.segments]


def sample_sheet(task: Task) -> Sheet:
    """The table to fill in: a row for each output, with the column ``score`` empty, and its weight.

    Segments stand in the order in which they are to be judged. The reference is there only where there is no source.
    """
    test_set, sample = task.test_set, task.sample
    texts = {name: test_set.system(name).hypotheses for name in task.systems}
    orders = zip(sample.segments.tolist(), task.in_random_order(task.systems), strict=True)
    rows = [(segment, name) for segment, order in orders for name in order]
    places = [segment for segment, _ in rows]
    title, shown = ("source", test_set.source) if test_set.source else ("reference", test_set.references[0])
    columns: list[FilledField] = [(Field("segment", "segment", "count"), [place + 1 for place in places])]
    if test_set.documents is not None:
        columns.append((Field("document", "document", "text"), [test_set.documents[place] for place in places]))
    columns += [
        (Field(title, title, "text", is_prose=True), [shown[place] or "" for place in places]),
        (Field("translation", "translation", "text", is_prose=True), [texts[name][place] for place, name in rows]),
        (Field("score", "score", "text"), [""] * len(rows)),
        (Field("rater", "rater", "text"), [""] * len(rows)),
        (Field("system", "system", "text", names_system=True), [name for _, name in rows]),
        (Field("stratum", "stratum", "count"), sample.strata[places]),
        (Field("unit", "unit", "text"), [task.unit(place) for place in places]),
        (Field("weight", "weight", "statistic"), sample.weights[places]),
    ]
    return sheet_of("sample", ("Outputs to be judged.", drawn_words(task)), columns, _facts(task))


def strata_sheet(task: Task) -> Sheet:
    """How many segments were drawn of how many, and what each stands for: by stratum, or by document."""
    sample = task.sample
    drawn = sample.segments
    columns: list[FilledField]
    if sample.unit == "document":
        numbers_of = Counter(map(task.unit, drawn.tolist()))
        weights = {task.unit(place): sample.weights[place] for place in drawn.tolist()}
        columns = [
            (Field("document", "document", "text"), list(numbers_of)),
            (Field("n_drawn", "segments", "count"), list(numbers_of.values())),
            (Field("weight", "weight", "statistic", explanation=WEIGHT), [weights[name] for name in numbers_of]),
        ]
    else:
        sizes, taken = np.bincount(sample.strata)[1:], np.bincount(sample.strata[drawn])[1:]
        columns = [
            (Field("stratum", "stratum", "count", explanation=STRATUM), np.arange(1, len(sizes) + 1)),
            (Field("n_segments", "segments", "count"), sizes),
            (Field("n_drawn", "sampled", "count"), taken),
            (Field("weight", "weight", "statistic", explanation=WEIGHT), sizes / taken),
        ]
    return sheet_of("strata", (drawn_words(task),), columns, _facts(task), title="Sampling by group")


def drawn_words(task: Task) -> str:
    """How much was drawn of what, in a sentence."""
    sample = task.sample
    many = f"{numbers.count(len(sample.segments))} of {numbers.counted(len(sample.probabilities), 'segment')}"
    outputs = numbers.counted(len(sample.segments) * len(task.systems), "output")
    return f"{many} sampled, {BY[task.by]} (seed {sample.seed}): {outputs} to judge."


def _facts(task: Task) -> Facts:
    sample = task.sample
    return {
        "digest": task.test_set.digest,
        "by": task.by,
        "budget": sample.budget,
        "seed": sample.seed,
        "unit": sample.unit,
        "n_segments": len(sample.probabilities),
        "n_drawn": len(sample.segments),
    }
