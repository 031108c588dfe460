"""Versions of systems on one test set with their scores: what a leaderboard and a history are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import stdev
from typing import Literal, get_args

from bleucore.checks import Finding
from bleucore.evaluation import resegmented_signature
from bleucore.formats.run_names import run_called
from bleucore.history import VersionHistory
from bleucore.significance import Comparison
from bleuscope.content.style.unique_names import unique_name

Which = Literal["latest", "best"]
WHICH: tuple[Which, ...] = get_args(Which)
UNNAMED = "0"
"""The name of a run that was pushed without one, beside others with names."""


SEGMENTATION, CUT_ANEW = "segmentation", "mwer"
"""What the settings of a version say of outputs that were cut at the segments of the references."""
MOST_CUT = 5
"""Versions that are named."""


@dataclass(frozen=True)
class ScoredRun:
    """One run of a version.

    Attributes:
        name: As whoever pushed it called it; ``None`` where it was not told.
        digest: Of its outputs.
        score: On the test set.
    """

    name: str | None
    digest: str
    score: float


@dataclass(frozen=True)
class ScoredVersion:
    """One version with its score.

    Attributes:
        system: The name of its system.
        label: Its own name.
        step: Of training, where it has one.
        made_at: When its outputs were made.
        digest: Of its outputs, or those of its first run.
        tags: Words.
        score: On the test set; the mean of several runs.
        interval: 95 % interval of the score, of several runs with their variance; ``None`` where a single unit was
            scored.
        runs: Its runs; none where it has one, which has no name.
        is_resegmented: Whether outputs were pushed in other lines, and cut anew at the segments of the references.
    """

    system: str
    label: str
    step: int | None
    made_at: datetime
    digest: str
    tags: tuple[str, ...]
    score: float
    interval: tuple[float, float] | None
    runs: tuple[ScoredRun, ...] = ()
    is_resegmented: bool = False

    @property
    def n_runs(self) -> int:
        """How many runs it has."""
        return max(1, len(self.runs))

    @property
    def has_several_runs(self) -> bool:
        """Whether it is a recipe with several runs."""
        return len(self.runs) > 1

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the scores of its runs; ``None`` of one run."""
        return stdev(run.score for run in self.runs) if self.has_several_runs else None

    @property
    def digests(self) -> tuple[str, ...]:
        """Of the outputs of every run."""
        return tuple(run.digest for run in self.runs) or (self.digest,)

    def names_of_runs(self, name: str) -> tuple[str, ...]:
        """What its runs are called, where the version is called so: as names tell runs, where there are several."""
        if not self.has_several_runs:
            return (name,)
        taken: set[str] = set()
        return tuple(unique_name(run_called(name, run.name or UNNAMED), taken) for run in self.runs)


@dataclass(frozen=True)
class LeftOut:
    """A system that is not compared.

    Attributes:
        system: Its name.
        reason: Why, in words.
    """

    system: str
    reason: str


@dataclass(frozen=True)
class ScoredVersions:
    """All versions on one test set, under one signature.

    Attributes:
        project: The name of the project in commands.
        test_set: The name of the test set.
        digest: Of the test set's texts.
        n_segments: S.
        metric: As its field writes it.
        signature: To cite with every score.
        how_drawn: What the intervals rest on.
        versions: By system, each system's in their order.
        left_out: Systems of the project that stand apart.
        higher_is_better: Which way the score points.
    """

    project: str
    test_set: str
    digest: str
    n_segments: int
    metric: str
    signature: str
    how_drawn: str
    versions: tuple[ScoredVersion, ...]
    left_out: tuple[LeftOut, ...] = ()
    higher_is_better: bool = True

    @property
    def by_system(self) -> Mapping[str, tuple[ScoredVersion, ...]]:
        """The versions of each system, in their order."""
        found: dict[str, list[ScoredVersion]] = {}
        for one in self.versions:
            found.setdefault(one.system, []).append(one)
        return {name: tuple(versions) for name, versions in found.items()}

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of all systems with versions."""
        return tuple(self.by_system)

    def signature_of(self, version: ScoredVersion) -> str:
        """What to cite with the score of a version."""
        return resegmented_signature(self.signature) if version.is_resegmented else self.signature

    @property
    def signature_words(self) -> str:
        """The signature, and that of versions that were cut anew, in sentences."""
        cut = [called(one.system, one.label) for one in self.versions if one.is_resegmented]
        if not cut:
            return f"Signature: {self.signature}."
        more = f" and {len(cut) - MOST_CUT:,} more" if len(cut) > MOST_CUT else ""
        return (
            f"Signature: {self.signature}. Of {', '.join(cut[:MOST_CUT])}{more}, cut at segments of the references: "
            f"{resegmented_signature(self.signature)}."
        )

    @property
    def facts(self) -> Mapping[str, str | int | float]:
        """What holds for all scores, for machines."""
        return {
            "project": self.project,
            "test_set": self.test_set,
            "digest": self.digest,
            "n_segments": self.n_segments,
            "signature": self.signature,
            "interval": self.how_drawn,
        }

    def better(self, score: float) -> float:
        """The score, such that more is better."""
        return score if self.higher_is_better else -score

    def best_of(self, versions: Sequence[ScoredVersion]) -> ScoredVersion:
        """The one with the best score; of equal ones the earliest."""
        return max(versions, key=lambda one: self.better(one.score))


@dataclass(frozen=True)
class BoardRow:
    """A row of a leaderboard.

    Attributes:
        name: The system's; with the version, where several of the system stand there.
        version: What is shown of it.
        n_versions: How many versions the system has on this test set.
    """

    name: str
    version: ScoredVersion
    n_versions: int


@dataclass(frozen=True)
class Leaderboard:
    """Versions of systems, best first.

    Attributes:
        scored: All versions on the test set.
        rows: Those that are shown.
        baseline: The name of the row that the others are measured against, if one was chosen.
        comparison: The tests between the rows, by their names; ``None`` as long as they are not made.
        findings: What the checks find in the texts of ``in_order``; ``None`` while they go on, or without the texts.
    """

    scored: ScoredVersions
    rows: tuple[BoardRow, ...]
    baseline: str | None = None
    comparison: Comparison | None = None
    findings: tuple[Finding, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Of the rows, best first."""
        return tuple(row.name for row in self.rows)

    @property
    def against(self) -> str:
        """What the others are measured against: the baseline, or the best."""
        return self.baseline or self.rows[0].name

    @property
    def in_order(self) -> tuple[BoardRow, ...]:
        """The rows in the order of their systems' names: whoever is best, each keeps its colour."""
        return tuple(sorted(self.rows, key=lambda row: self.scored.versions.index(row.version)))

    @property
    def checked_names(self) -> tuple[str, ...]:
        """Of the row that each of the checked outputs belongs to: a version has as many as runs."""
        return tuple(row.name for row in self.in_order for _ in row.version.digests)


@dataclass(frozen=True)
class SystemHistory:
    """The versions of a system in their order.

    Attributes:
        scored: All versions on the test set.
        system: The name of the system.
        versions: Its versions.
        found: What tests say of them; ``None`` as long as they are not made.
        findings: What the checks find in the texts of ``held``; ``None`` while they go on, or without the texts.
    """

    scored: ScoredVersions
    system: str
    versions: tuple[ScoredVersion, ...]
    found: VersionHistory | None = None
    findings: tuple[Finding, ...] | None = None

    @property
    def held(self) -> tuple[ScoredVersion, ...]:
        """The latest version, and those that it is held against: the one before and the best."""
        places = {self.best, len(self.versions) - 1, max(0, len(self.versions) - 2)}
        return tuple(self.versions[place] for place in sorted(places))

    @property
    def checked_names(self) -> tuple[str, ...]:
        """The label of the version that each of the checked outputs belongs to."""
        return tuple(one.label for one in self.held for _ in one.digests)

    @property
    def best(self) -> int:
        """The place of the best score."""
        return self.versions.index(self.scored.best_of(self.versions))

    @property
    def has_steps(self) -> bool:
        """Whether every version has a step, and each one of its own."""
        steps = [one.step for one in self.versions]
        return None not in steps and len(set(steps)) == len(steps)


def board_rows(scored: ScoredVersions, which: Which, pinned: Sequence[ScoredVersion] = ()) -> tuple[BoardRow, ...]:
    """The rows of a leaderboard, best first.

    Args:
        scored: All versions.
        which: Of each system: the latest, or the one with the best score.
        pinned: Versions that stand there in place of it; a system can have several.
    """
    chosen: list[ScoredVersion] = []
    for name, versions in scored.by_system.items():
        own = [one for one in pinned if one.system == name]
        chosen += own or [versions[-1] if which == "latest" else scored.best_of(versions)]
    names = names_of(chosen)
    rows = [BoardRow(name, one, len(scored.by_system[one.system])) for name, one in zip(names, chosen, strict=True)]
    return tuple(sorted(rows, key=lambda row: -scored.better(row.version.score)))


def names_of(versions: Sequence[ScoredVersion]) -> tuple[str, ...]:
    """What to call versions beside each other: by their systems, and by their labels where a system has several."""
    systems = [one.system for one in versions]
    taken: set[str] = set()
    given = (one.system if systems.count(one.system) == 1 else full_name(one) for one in versions)
    return tuple(unique_name(name, taken) for name in given)


def full_name(one: ScoredVersion) -> str:
    """System and version."""
    return called(one.system, one.label)


def called(system: str, label: str) -> str:
    """What a version is called beside others of its system."""
    return f"{system} · {label}"
