"""What is computed once of versions and kept for all sessions of this server."""

from collections.abc import Callable, Hashable

from bleucore import TestSet
from bleucore.checks import Finding
from bleucore.counts import Progress
from bleucore.history import SegmentStrips, VersionChanges, VersionHistory
from bleucore.significance import Comparison
from bleuscope.runtime.kept import in_background, kept
from bleuscope.shell.state.cached import MAX_EVALUATIONS, MAX_LISTED, MAX_ROBUSTNESS, MAX_UPLOADS
from bleuscope.workspace import texts
from bleuscope.workspace.manifests import References


@in_background(most=MAX_EVALUATIONS, key=lambda key, _: key)
def compared_versions(
    report: Progress | None, _key: Hashable, make: Callable[[Progress | None], Comparison]
) -> Comparison:
    """Tests between versions; the key names their counts, their names and the options."""
    return make(report)


@in_background(most=MAX_EVALUATIONS, key=lambda key, _: key)
def version_findings(
    report: Progress | None, _key: Hashable, make: Callable[[Progress | None], tuple[Finding, ...] | None]
) -> tuple[Finding, ...] | None:
    """What the checks find in the texts of versions; the key names these, their names and the tokenizer."""
    return make(report)


@in_background(most=MAX_ROBUSTNESS, key=lambda key, _: key)
def version_history(
    report: Progress | None, _key: Hashable, make: Callable[[Progress | None], VersionHistory]
) -> VersionHistory:
    """What tests say of versions in their order; the key names their counts, their names and the options."""
    return make(report)


@in_background(most=MAX_ROBUSTNESS, key=lambda key, _: key)
def version_changes(
    report: Progress | None, _key: Hashable, make: Callable[[Progress | None], VersionChanges]
) -> VersionChanges:
    """What changed from one version to another; the key names their counts and outputs."""
    return make(report)


@in_background(most=MAX_ROBUSTNESS, key=lambda key, _: key)
def segment_strips(
    report: Progress | None, _key: Hashable, make: Callable[[Progress | None], SegmentStrips]
) -> SegmentStrips:
    """The scores of segments over versions; the key names their counts, their order and the options."""
    return make(report)


@in_background(most=MAX_LISTED, key=lambda key, _: key)
def strip_outputs(
    report: Progress | None, _key: Hashable, make: Callable[[Progress | None], tuple[str, ...]]
) -> tuple[str, ...]:
    """The texts of one segment over versions; the key names their outputs and the segment."""
    return make(report)


@kept(most=MAX_ROBUSTNESS, key=lambda digest, _: digest)
def kept_references(_digest: str, make: Callable[[], References]) -> References:
    """What the versions on a test set are scored against, by the digest of the test set."""
    return make()


@kept(most=MAX_UPLOADS, key=lambda test_set, name: (test_set.digest, name))
def outputs_digest(test_set: TestSet, name: str) -> str:
    """The digest of a system's outputs, as versions have it."""
    return texts.digest_of(texts.written(test_set.system(name).hypotheses))
