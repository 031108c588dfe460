"""What a workspace keeps of a project, as leaderboards and histories show it; knows no Streamlit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bleucore import BleuOptions, TestSet
from bleucore.checks import Finding, check
from bleucore.counts import Progress
from bleucore.metrics import metric_of
from bleucore.significance import ComparedSystems, SignificanceOptions
from bleucore.tokens.tokenizer_choice import TokenizerProposal, usual_tokenizer
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.features.projects.cards import CardRow, ProjectCard
from bleuscope.features.projects.scored_versions import LeftOut, ScoredVersion, ScoredVersions, called, names_of
from bleuscope.shell.disk.files import project_origin
from bleuscope.workspace import Workspace
from bleuscope.workspace.errors import NotFoundError, WorkspaceError
from bleuscope.workspace.manifests import References
from bleuscope.workspace.projects import KeptTestSet, KeptVersion, Project
from bleuscope.workspace.results import Result, ScoredSet, how_drawn

DRAWN = SignificanceOptions()
"""How intervals and tests over time are drawn: as usual, so that results that are kept stay the same for all."""


@dataclass(frozen=True)
class OpenVersions:
    """Two systems of an open comparison that are versions of one system.

    Attributes:
        project: The name of the project in commands.
        test_set: The name of the test set.
        system: The name of the system.
        names: What the two are called in the comparison, the older one first.
        labels: Of the two versions, in the same order.
    """

    project: str
    test_set: str
    system: str
    names: tuple[str, str]
    labels: tuple[str, str]


def usual_options(of: KeptTestSet, options: BleuOptions) -> BleuOptions:
    """The options with the tokenizer that sacreBLEU takes for the target language, where that is known."""
    return replace(options, tokenizer=usual_tokenizer(of.languages[1] or ""))


def proposed_options(proposal: TokenizerProposal | None) -> BleuOptions:
    """BLEU's options with the tokenizer that was proposed for a test set: how its versions are scored unless chosen."""
    return BleuOptions() if proposal is None else BleuOptions(proposal.tokenizer)


def card_of(
    workspace: Workspace, project: Project, options_of: Callable[[KeptTestSet], BleuOptions], drawn: SignificanceOptions
) -> ProjectCard:
    """What is to be said of a project in short; scores are those that are kept.

    Args:
        workspace: Where it is kept.
        project: The project.
        options_of: Under which the versions on a test set are scored.
        drawn: How intervals are made.

    Raises:
        WorkspaceError: A blob is gone or damaged.
    """
    test_sets = workspace.projects.test_sets(project)
    versions = workspace.projects.versions(project)
    rows = []
    for of in test_sets:
        of_set = [one for one in versions if one.test_set == of.name]
        rows.append(_card_row(workspace, of, of_set, options_of(of), drawn))
    return ProjectCard(
        project.slug,
        project.title,
        tuple(dict.fromkeys(one.system for one in versions)),
        tuple(rows),
        workspace.work.n_notes_beside([of.digest for of in test_sets]),
    )


def latest_of(versions: Sequence[KeptVersion]) -> list[KeptVersion]:
    """The latest version of each system, of versions in their order."""
    return list({one.system: one for one in versions}.values())


def open_versions(
    workspace: Workspace,
    projects: Sequence[Project],
    test_set: TestSet,
    digests: Mapping[str, str],
    references_of: Callable[[KeptTestSet], References],
) -> OpenVersions | None:
    """Which versions of one system two open outputs are; ``None`` where they are none.

    They are told by their texts, however these were opened: by a push, a link or a file.

    Args:
        workspace: Where versions are kept.
        projects: Where to look: those that whoever asks may read.
        test_set: What is open.
        digests: Of the outputs of two systems, as versions have them, by the names of these.
        references_of: Reads what versions are scored against.

    Raises:
        WorkspaceError: The workspace cannot be read.
    """
    if len(set(digests.values())) < len(digests):
        return None
    found = workspace.projects.with_outputs(projects, list(digests.values()))
    for project, one in found:
        of = workspace.projects.test_set(project, one.test_set)
        if of.n_segments != test_set.n_segments:
            continue
        rows = workspace.projects.versions(project, of, one.system)
        places = {name: _place_of(rows, digest, name) for name, digest in digests.items()}
        if None in places.values() or references_of(of).columns != tuple(test_set.references):
            continue
        older, newer = sorted(digests, key=lambda name: places[name] or 0)
        labels = rows[places[older] or 0].label, rows[places[newer] or 0].label
        return OpenVersions(project.slug, of.name, one.system, (older, newer), labels)
    return None


def _place_of(versions: Sequence[KeptVersion], digest: str, name: str) -> int | None:
    """The place of the version with these outputs; of several the one that is called so, else the latest."""
    places = [place for place, one in enumerate(versions) if one.digest == digest]
    named = [place for place in places if called(versions[place].system, versions[place].label) == name]
    return next(iter(named or places[::-1]), None)


def scored_versions(
    workspace: Workspace,
    project: Project,
    of: ScoredSet,
    drawn: SignificanceOptions,
    *,
    progress: Progress | None = None,
) -> ScoredVersions:
    """All versions on a test set with their scores, which are made now unless they are kept.

    Raises:
        InputError: What the metric needs is not installed, or documents are to be drawn and not known.
        WorkspaceError: A blob is gone or damaged, or the workspace cannot be written.
    """
    versions = workspace.projects.versions(project, of.test_set)
    results = workspace.results.score(of, versions, drawn, progress=progress)
    return ScoredVersions(
        project=project.slug,
        test_set=of.test_set.name,
        digest=of.test_set.digest,
        n_segments=of.test_set.n_segments,
        metric=of.metric.name(of.options),
        signature=of.signature,
        how_drawn=how_drawn(of, drawn),
        versions=tuple(_scored(one, results) for one in versions),
        left_out=_left_out(workspace, project, of.test_set),
        higher_is_better=of.metric.higher_is_better(of.options),
    )


def is_scored(workspace: Workspace, project: Project, of: ScoredSet, drawn: SignificanceOptions) -> bool:
    """Whether ``scored_versions`` answers at once."""
    kept = workspace.results.find(of, drawn)
    return all(one.digest in kept for one in workspace.projects.versions(project, of.test_set))


def compared_versions(
    workspace: Workspace, project: Project, of: ScoredSet, versions: Mapping[str, ScoredVersion]
) -> ComparedSystems:
    """What significance tests need, of scored versions by the names that they are to have.

    Raises:
        WorkspaceError: Counts are gone or damaged.
    """
    counts = workspace.results.counts(of, kept_versions(workspace, project, of.test_set, list(versions.values())))
    return of.compared([(name, counts[one.digest]) for name, one in versions.items()])


def version_findings(  # what the texts are, and how they are scored
    workspace: Workspace,
    project: Project,
    of: ScoredSet,
    versions: Sequence[ScoredVersion],
    names: Sequence[str],
    *,
    progress: Progress | None = None,
) -> tuple[Finding, ...] | None:
    """What the checks find in the texts of versions, which have these names; ``None`` where texts are gone."""
    try:
        texts = workspace.projects.texts(of.test_set, kept_versions(workspace, project, of.test_set, versions), names)
    except WorkspaceError:
        return None
    options = of.options
    return check(texts, tokenizer=options.tokenizer if isinstance(options, BleuOptions) else None, progress=progress)


def kept_versions(
    workspace: Workspace, project: Project, of: KeptTestSet, versions: Sequence[ScoredVersion]
) -> list[KeptVersion]:
    """The rows behind scored versions.

    Raises:
        NotFoundError: One was deleted meanwhile.
    """
    rows = {(one.system, one.label): one for one in workspace.projects.versions(project, of)}
    for one in versions:
        if (one.system, one.label) not in rows:
            raise NotFoundError(
                "this version was deleted",
                where=f"Test set {of.name} of project {project.slug}",
                found=f"{one.system} {one.label}",
                remedy="Open the page again.",
            )
    return [rows[one.system, one.label] for one in versions]


def texts_of_versions(
    workspace: Workspace, project: Project, of: KeptTestSet, versions: Sequence[ScoredVersion]
) -> TestSet:
    """The texts of versions as a comparison of systems.

    Raises:
        WorkspaceError: A blob is gone or damaged.
    """
    found = kept_versions(workspace, project, of, versions)
    return workspace.projects.texts(of, found, names_of(versions))


def loaded_versions(
    workspace: Workspace, project: Project, of: KeptTestSet, versions: Sequence[ScoredVersion]
) -> Loaded:
    """Versions as a comparison that pages show.

    Raises:
        WorkspaceError: A blob is gone or damaged.
    """
    return loaded(texts_of_versions(workspace, project, of, versions), project, of)


def loaded(texts: TestSet, project: Project, of: KeptTestSet) -> Loaded:
    """Texts of a project as a comparison that pages show to whoever may read it."""
    origin = project_origin(project.slug, texts.digest)
    return Loaded(texts, f"{project.title}: {of.name}", origin, project=project.slug)


def _card_row(
    workspace: Workspace,
    of: KeptTestSet,
    versions: Sequence[KeptVersion],
    options: BleuOptions,
    drawn: SignificanceOptions,
) -> CardRow:
    kept = workspace.results.find(workspace.results.scored_set(of, options), drawn)
    latest = latest_of(versions)
    scores = {one.system: kept[one.digest].score for one in latest if one.digest in kept}
    best = max(scores, key=lambda name: scores[name], default=None)
    return CardRow(
        of.name,
        of.n_segments,
        len(versions),
        max((one.pushed_at for one in versions), default=None),
        best,
        None if best is None else scores[best],
        metric_of(options).name(options),
        len(latest) - len(scores),
    )


def _scored(one: KeptVersion, results: Mapping[str, Result]) -> ScoredVersion:
    result = results[one.digest]
    return ScoredVersion(
        one.system, one.label, one.step, one.made_at, one.digest, one.tags, result.score, result.interval
    )


def _left_out(workspace: Workspace, project: Project, of: KeptTestSet) -> tuple[LeftOut, ...]:
    """The systems of a project that have no version on a test set, and where they have some."""
    elsewhere: dict[str, list[str]] = {}
    for one in workspace.projects.versions(project):
        elsewhere.setdefault(one.system, []).append(one.test_set)
    return tuple(
        LeftOut(name, f"no version on {of.name}; its versions are on {', '.join(dict.fromkeys(test_sets))}")
        for name, test_sets in elsewhere.items()
        if of.name not in test_sets
    )
