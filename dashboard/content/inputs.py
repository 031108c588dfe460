"""Where a test set came from. Apart from studies: commands read files before they need any statistics."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Inputs:
    """Where a test set came from, as a command can name it again.

    Attributes:
        systems: Files with hypotheses, or files whose roles are guessed.
        references: Files with references.
        source: The file with the source.
        documents: The file with document names.
        labels: Files with labels.
        test_set: A test set of sacreBLEU, by its name there.
        language_pair: Of that test set.
        encoding: What files are read in that are not UTF-8.
        is_sample: The sample comparison.
        is_complete: Whether these alone give the same test set; roles and names changed by hand are not in them.
    """

    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    source: str | None = None
    documents: str | None = None
    labels: tuple[str, ...] = ()
    test_set: str | None = None
    language_pair: str | None = None
    encoding: str | None = None
    is_sample: bool = False
    is_complete: bool = True
