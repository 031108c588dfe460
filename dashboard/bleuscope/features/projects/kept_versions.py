"""What a workspace keeps of a project, as leaderboards and histories show it; knows no Streamlit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from bleucore import BleuOptions, TestSet
from bleucore.checks import Finding, check
from bleucore.counts import Progress
from bleucore.experiments.recipes import Recipes
from bleucore.formats.run_names import run_called
from bleucore.metrics import metric_of
from bleucore.significance import ComparedSystems, SignificanceOptions
from bleucore.tokens.tokenizer_choice import TokenizerProposal, usual_tokenizer
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.features.projects.cards import CardRow, ProjectCard
from bleuscope.features.projects.scored_versions import (
    CUT_ANEW,
    SEGMENTATION,
    LeftOut,
    ScoredRun,
    ScoredVersion,
    ScoredVersions,
    called,
    names_of,
)
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


@dataclass(frozen=True)
class ComparedVersions:
    """What tests of versions need.

    Attributes:
        runs: The runs of all versions with their counts, by their names.
        of_versions: The names of the runs of each version; of one run, the name of the version.
    """

    runs: ComparedSystems
    of_versions: Mapping[str, tuple[str, ...]]


def runs_of_versions(versions: Sequence[KeptVersion]) -> list[list[KeptVersion]]:
    """The runs of each version, the versions in the order in which the first of their runs come."""
    found: dict[tuple[str, str], list[KeptVersion]] = {}
    for one in versions:
        found.setdefault((one.system, one.label), []).append(one)
    return list(found.values())


def latest_of(versions: Sequence[KeptVersion]) -> list[list[KeptVersion]]:
    """The runs of the latest version of each system, of versions in their order."""
    return list({runs[0].system: runs for runs in runs_of_versions(versions)}.values())


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
        if labels[0] == labels[1]:  # two runs of one version
            continue
        return OpenVersions(project.slug, of.name, one.system, (older, newer), labels)
    return None


def _place_of(versions: Sequence[KeptVersion], digest: str, name: str) -> int | None:
    """The place of the version with these outputs; of several the one that is called so, else the latest."""
    places = [place for place, one in enumerate(versions) if one.digest == digest]
    names = [run_called(called(one.system, one.label), one.run) for one in versions]
    named = [place for place in places if names[place] == name]
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
    grouped = runs_of_versions(versions)
    intervals = recipe_intervals(workspace, of, grouped, drawn)
    return ScoredVersions(
        project=project.slug,
        test_set=of.test_set.name,
        digest=of.test_set.digest,
        n_segments=of.test_set.n_segments,
        metric=of.metric.name(of.options),
        signature=of.signature,
        how_drawn=how_drawn(of, drawn),
        versions=tuple(scored_version(runs, results, intervals.get(place)) for place, runs in enumerate(grouped)),
        left_out=_left_out(workspace, project, of.test_set),
        higher_is_better=of.metric.higher_is_better(of.options),
    )


def is_scored(workspace: Workspace, project: Project, of: ScoredSet, drawn: SignificanceOptions) -> bool:
    """Whether ``scored_versions`` answers at once."""
    kept = workspace.results.find(of, drawn)
    return all(one.digest in kept for one in workspace.projects.versions(project, of.test_set))


def compared_versions(
    workspace: Workspace, project: Project, of: ScoredSet, versions: Mapping[str, ScoredVersion]
) -> ComparedVersions:
    """What significance tests need, of scored versions by the names that they are to have.

    Raises:
        WorkspaceError: Counts are gone or damaged.
    """
    counts = workspace.results.counts(of, kept_runs(workspace, project, of.test_set, list(versions.values())))
    names = {name: one.names_of_runs(name) for name, one in versions.items()}
    runs = [
        (run, counts[digest])
        for name, one in versions.items()
        for run, digest in zip(names[name], one.digests, strict=True)
    ]
    return ComparedVersions(of.compared(runs), names)


def version_findings(  # what the texts are, and how they are scored
    workspace: Workspace,
    project: Project,
    of: ScoredSet,
    versions: Sequence[ScoredVersion],
    names: Sequence[str],
    *,
    progress: Progress | None = None,
) -> tuple[Finding, ...] | None:
    """What the checks find in the texts of versions, which have these names; ``None`` where texts are gone.

    Of a version with several runs, the outputs of each are a system of their own.
    """
    called_so = [run for name, one in zip(names, versions, strict=True) for run in one.names_of_runs(name)]
    try:
        texts = workspace.projects.texts(of.test_set, kept_runs(workspace, project, of.test_set, versions), called_so)
    except WorkspaceError:
        return None
    options = of.options
    return check(texts, tokenizer=options.tokenizer if isinstance(options, BleuOptions) else None, progress=progress)


def kept_versions(
    workspace: Workspace, project: Project, of: KeptTestSet, versions: Sequence[ScoredVersion]
) -> list[KeptVersion]:
    """The rows behind scored versions: of each the first run.

    Raises:
        NotFoundError: One was deleted meanwhile.
    """
    firsts = [0]
    for one in versions[:-1]:
        firsts.append(firsts[-1] + len(one.digests))
    rows = kept_runs(workspace, project, of, versions)
    return [rows[place] for place in firsts[: len(versions)]]


def kept_runs(
    workspace: Workspace, project: Project, of: KeptTestSet, versions: Sequence[ScoredVersion]
) -> list[KeptVersion]:
    """The rows behind scored versions: of each every run.

    Raises:
        NotFoundError: One was deleted meanwhile.
    """
    rows = {(one.system, one.label, one.digest): one for one in workspace.projects.versions(project, of)}
    for one in versions:
        if any((one.system, one.label, digest) not in rows for digest in one.digests):
            raise NotFoundError(
                "this version was deleted",
                where=f"Test set {of.name} of project {project.slug}",
                found=f"{one.system} {one.label}",
                remedy="Open the page again.",
            )
    return [rows[one.system, one.label, digest] for one in versions for digest in one.digests]


def texts_of_versions(
    workspace: Workspace, project: Project, of: KeptTestSet, versions: Sequence[ScoredVersion]
) -> TestSet:
    """The texts of versions as a comparison of systems; every run is one, with a name that tells its version.

    Raises:
        WorkspaceError: A blob is gone or damaged.
    """
    found = kept_runs(workspace, project, of, versions)
    names = [run for name, one in zip(names_of(versions), versions, strict=True) for run in one.names_of_runs(name)]
    return workspace.projects.texts(of, found, names)


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
    scores = {
        runs[0].system: fmean(kept[one.digest].score for one in runs)
        for runs in latest
        if all(one.digest in kept for one in runs)
    }
    best = max(scores, key=lambda name: scores[name], default=None)
    return CardRow(
        of.name,
        of.n_segments,
        len(runs_of_versions(versions)),
        max((one.pushed_at for one in versions), default=None),
        best,
        None if best is None else scores[best],
        metric_of(options).name(options),
        len(latest) - len(scores),
    )


def scored_version(
    runs: Sequence[KeptVersion], results: Mapping[str, Result], interval: tuple[float, float] | None
) -> ScoredVersion:
    """A version with the scores of its runs.

    Args:
        runs: Its runs.
        results: Scores by the digests of outputs.
        interval: Of the mean score of several runs.
    """
    first = runs[0]
    has_names = len(runs) > 1 or first.run is not None
    return ScoredVersion(
        first.system,
        first.label,
        first.step,
        first.made_at,
        first.digest,
        tuple(dict.fromkeys(tag for one in runs for tag in one.tags)),
        fmean(results[one.digest].score for one in runs),
        results[first.digest].interval if len(runs) == 1 else interval,
        tuple(ScoredRun(one.run, one.digest, results[one.digest].score) for one in runs) if has_names else (),
        any(one.config.get(SEGMENTATION) == CUT_ANEW for one in runs),
    )


def recipe_intervals(
    workspace: Workspace, of: ScoredSet, grouped: Sequence[Sequence[KeptVersion]], drawn: SignificanceOptions
) -> dict[int, tuple[float, float] | None]:
    """The intervals of the mean scores of versions with several runs, by their places."""
    found = {}
    for place, runs in enumerate(grouped):
        if len(runs) > 1:
            counts = workspace.results.counts(of, runs)
            compared = of.compared([(one.digest, counts[one.digest]) for one in runs])
            name = runs[0].label
            recipes = Recipes.of(compared, {name: [one.digest for one in runs]}, drawn)
            found[place] = recipes.results[name].interval
    return found


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
