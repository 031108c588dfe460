"""What a neural metric is: its manifest, and what makes one unusable."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bleucore.errors import InputError

GIGABYTE = 10**9
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_WORDS = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
_REQUIREMENT = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9,_-]+\])?(?=.*(==|~=|<))([=~<>!]{1,2}[A-Za-z0-9.*+!]+,?)+"
)
"""A package with a version that it has or stays below. Options, addresses and paths are none."""


@dataclass(frozen=True)
class NeuralMetric:
    """The manifest of a neural metric.

    Attributes:
        name: Letters, digits, dots, hyphens and underscores. Scores go by it.
        version: Of what scores; another version makes other scores.
        licence: Of the weights.
        download: The bytes that its first run downloads, roughly.
        scorer: A Python file. Its ``load(model)`` returns a function of a batch that returns one number a segment.
            A batch is a list of ``{"hypothesis": …, "source": …, "references": […]}``.
        model: What ``load`` is given.
        requirements: Packages with versions, as in "unbabel-comet==2.2.7", for an environment of its own.
        python: The Python of that environment, as uv takes it ("3.11").
        is_commercial: Whether its licence permits commercial use.
        is_gated: Whether people must request access to the weights.
        higher_is_better: False for a metric of errors.
        needs_source: Whether it reads the source.
        needs_reference: Whether it reads a reference.
        reads_all_references: Whether it reads more than the first reference.
        memory: The bytes of memory that its process may take.
        seconds_to_load: How long loading may take, downloads included.
        seconds_a_batch: How long one batch may take.
    """

    name: str
    version: str
    licence: str
    download: int
    scorer: Path
    model: str = ""
    requirements: tuple[str, ...] = ()
    python: str = ""
    is_commercial: bool = True
    is_gated: bool = False
    higher_is_better: bool = True
    needs_source: bool = False
    needs_reference: bool = True
    reads_all_references: bool = False
    memory: int = 16 * GIGABYTE
    seconds_to_load: float = 4 * 3600.0
    seconds_a_batch: float = 1800.0

    @property
    def digest(self) -> str:
        """Of all that scores depend on but the texts, 32 hexadecimal digits."""
        code = hashlib.sha256(self.scorer.read_bytes()).hexdigest()
        return digest_of([self.name, self.version, self.model, self.python, sorted(self.requirements), code])

    @property
    def environment(self) -> str:
        """The digest of what its environment holds: metrics with the same requirements share one."""
        return digest_of([self.python, sorted(self.requirements)])


def digest_of(value: object) -> str:
    """Of a value that JSON can hold, 32 hexadecimal digits."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]


def fault_of(name: str, metric: NeuralMetric) -> str | None:
    """Why a manifest cannot be used under a name; ``None`` if it can."""
    return next(_faults(name, metric), None)


def _faults(name: str, metric: NeuralMetric) -> Iterator[str]:
    if metric.name != name or not _NAME.fullmatch(name):
        yield f"its name is not {name!r}, or has other characters than letters, digits, dots, hyphens and underscores"
    for field in ("version", "licence", "model", "python"):
        value = getattr(metric, field)
        is_left_out = value == "" and field in ("model", "python")
        if not is_left_out and not (isinstance(value, str) and _WORDS.fullmatch(value)):
            yield f"its {field} is no line of text"
    for field in ("download", "memory"):
        value = getattr(metric, field)
        if not isinstance(value, int) or value < 0:
            yield f"its {field} is no number of bytes"
    is_tuple = isinstance(metric.requirements, tuple) and all(isinstance(one, str) for one in metric.requirements)
    if not is_tuple:
        yield "its requirements are no tuple of texts"
        return
    loose = [one for one in metric.requirements if not _REQUIREMENT.fullmatch(one)]
    if loose:
        yield f"its requirement {loose[0]!r} has no version that it is or stays below, as in name==1.2"
    if not isinstance(metric.scorer, Path) or not metric.scorer.is_file():
        yield "its scorer is no file"


def refused(metric: NeuralMetric, problem: str, *, found: object = None, remedy: str | None = None) -> InputError:
    """The error of a run of this metric."""
    return InputError(problem, where=f"Neural metric {metric.name}", found=found, remedy=remedy)
