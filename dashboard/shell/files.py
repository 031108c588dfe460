"""Files from disk to test sets: the sample, and what was named on the command line."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bleucore import InputError, TestSet
from bleucore.formats import Column, Role, assemble, guess_roles, read

SAMPLE = "sample"
NAMED_FILES = "files"
SAMPLE_FILES = (
    "source.txt",
    "documents.txt",
    "reference-A.txt",
    "reference-B.txt",
    "literal.txt",
    "fluent.txt",
    "neural.txt",
    "human.txt",
)
OPENING_VARIABLE = "BLEUSCOPE_OPENING"
UPLOAD_KEY_LENGTH = 32


@dataclass(frozen=True)
class Loaded:
    """The test set on screen.

    Attributes:
        test_set: What was read.
        title: What to call it.
        origin: How a link names it: ``SAMPLE``, ``NAMED_FILES``, or the beginning of the digest of an upload.
    """

    test_set: TestSet
    title: str
    origin: str


@dataclass(frozen=True)
class Opening:
    """What the dashboard opens on: the sample, or files by role.

    Attributes:
        sample: Whether to open the sample comparison.
        systems: Files whose roles are guessed from their names and contents, hypotheses as a rule.
        references: Files with references.
        source: The file with the source.
    """

    sample: bool = False
    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    source: str | None = None

    def to_environment(self) -> None:
        """Leave this for the dashboard's script, which runs in the same process."""
        os.environ[OPENING_VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> "Opening":
        """What ``to_environment`` left."""
        given = json.loads(os.environ.get(OPENING_VARIABLE, "{}"))
        return cls(
            sample=bool(given.get("sample")),
            systems=tuple(given.get("systems", ())),
            references=tuple(given.get("references", ())),
            source=given.get("source"),
        )

    def content_digest(self) -> str:
        """SHA-256 of the contents of all files with their names and roles, read now.

        Raises:
            InputError: A file cannot be read.
        """
        state = hashlib.sha256()
        files = [("system", path) for path in self.systems] + [("reference", path) for path in self.references]
        files += [("source", self.source)] if self.source else []
        files += [("sample", str(_sample_folder() / name)) for name in SAMPLE_FILES] if self.sample else []
        for role, path in files:
            content = hashlib.sha256(read_bytes(Path(path))).hexdigest()
            state.update(f"{role} {len(path)} {path} {content}\n".encode())
        return state.hexdigest()

    def load(self) -> Loaded | None:
        """Read what is to be opened; ``None`` if that is nothing.

        Raises:
            InputError: A file cannot be read, or the files do not fit together.
        """
        if self.sample:
            return load_sample()
        if not (self.systems or self.references or self.source):
            return None
        test_set = assemble(read_by_role(self.systems, self.references, self.source))
        return Loaded(test_set, "Files from the command line", NAMED_FILES)


def load_sample() -> Loaded:
    """The sample comparison that comes with bleuscope."""
    paths = [str(_sample_folder() / name) for name in SAMPLE_FILES]
    return Loaded(assemble(read_by_role(paths)), "Sample comparison", SAMPLE)


def read_by_role(
    systems: Sequence[str], references: Sequence[str] = (), source: str | None = None
) -> tuple[Column, ...]:
    """The columns of files, each in the role that its file was named for.

    What a format says of itself (XML) stands, and the columns of a table are guessed. Without any reference named,
    the roles of all files are guessed.

    Raises:
        InputError: A file cannot be read.
    """
    columns = _read_as("hypothesis" if references else None, systems)
    columns += _read_as("reference", references)
    columns += _read_as("source", [source] if source else [])
    return guess_roles(columns)


def upload_origin(test_set: TestSet) -> str:
    """How a link names an upload: nobody can guess it who does not have the content."""
    return test_set.digest[:UPLOAD_KEY_LENGTH]


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        InputError: There is none, or it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            "the file cannot be read",
            where=str(path),
            found=(error.strerror or type(error).__name__).lower(),
            remedy="Check the name, and that the file may be read.",
        ) from error


def _read_as(role: Role | None, paths: Sequence[str]) -> list[Column]:
    """The columns of files; a plain text, which says nothing of itself, takes the role."""
    columns: list[Column] = []
    for path in map(Path, paths):
        found = read(path.name, read_bytes(path))
        is_plain = len(found) == 1 and found[0].role is None
        columns += [replace(found[0], role=role)] if is_plain else found
    return columns


def _sample_folder() -> Path:
    """``sample_data`` beside the packages in a checkout, inside the package when installed."""
    package = Path(__file__).parents[1]
    inside = package / "sample_data"
    return inside if inside.is_dir() else package.parent / "sample_data"
