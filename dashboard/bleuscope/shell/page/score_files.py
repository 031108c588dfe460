"""Scores of other metrics, or of people: read from files and shown beside BLEU."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import cast

import streamlit as st

from bleucore import Evaluation, InputError, MetricEvaluation, TestSet
from bleucore.evaluation import evaluate_metric
from bleucore.formats.columns import numbered_apart
from bleucore.judgements.alignment import aligned
from bleucore.judgements.batches import with_requests
from bleucore.judgements.reading import joined, judgements_in
from bleucore.judgements.records import Judgements
from bleucore.metrics.segment_scores import SegmentScores
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import FileBeside, Loaded
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.content.style import numbers
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.page import error_spans, file_overrides
from bleuscope.shell.server import live_sessions
from bleuscope.shell.state import cached, kept_attachments, links, session
from bleuscope.shell.state.kept_attachments import Reading

SCORES = "_score_files"


def read_scores() -> tuple[SegmentScores, ...]:
    """The columns of scores that were read and chosen for the open test set; the address goes on naming them."""
    key = session.get(SCORES)
    if key is None:
        key = links.given(params.SCORES)
    scores = (cached.SCORES.find(key) or _found_again(key)) if key else None
    key = key if scores else ""
    session.put(SCORES, key)
    links.write(params.SCORES, key or None)
    return scores or ()


def _found_again(key: str) -> tuple[SegmentScores, ...] | None:
    """The scores of an earlier session, where they are kept."""
    loaded = session.loaded()
    found = None if loaded is None else kept_attachments.scores_shown(key, loaded.as_read.test_set)
    if found is None:
        return None
    _hold(key, *found)
    return tuple(found[0])


def judgements_of(view: ComparisonContext, column: MetricEvaluation) -> MarkedErrors:
    """What a column of scores is the mean of, with raters and spans; the scores themselves where that is all there is.

    Under the names that are shown.
    """
    scores = cast("SegmentScores", column.options)
    key = _place(str(session.get(SCORES)), scores.name)
    old, new = view.loaded.as_read.test_set.system_names, view.test_set.system_names

    def make() -> MarkedErrors:
        as_read = cached.JUDGEMENTS.find(key)
        if as_read is None:
            return MarkedErrors(key, aligned(judgements_in(scores), view.test_set))
        return MarkedErrors(key, as_read.named_as(dict(zip(old, new, strict=True))))

    return cached.marked_errors((key, new), make)


def _place(key: str, name: str) -> str:
    """Where the judgements behind a column are kept: an address can name it."""
    return hashlib.sha256(f"{key}/{name}".encode()).hexdigest()[: links.KEY_LENGTH]


def with_scores(evaluation: Evaluation, test_set: TestSet, as_read: TestSet) -> Evaluation:
    """The evaluation with the scores that were read from files among its metrics.

    Args:
        evaluation: Of the test set.
        test_set: Under the names that are shown.
        as_read: The same under the names that the scores are kept with.
    """
    found = read_scores()
    if not found:
        return evaluation
    new = dict(zip(as_read.system_names, test_set.system_names, strict=True))
    found = tuple(_named(scores, new.get) for scores in found)
    try:
        read = {scores.name: evaluate_metric(test_set, scores) for scores in found}
    except InputError as error:  # the address named scores of another test set
        st.error(widgets.plain(str(error)))
        return evaluation
    return replace(evaluation, metrics=MappingProxyType({**evaluation.metrics, **read}))


def show_file(loaded: Loaded, file: FileBeside) -> None:
    """Show the first column of a file of judgements from now on, and draw its errors, as if it had been dropped.

    Raises:
        InputError: It says nothing about the texts.
    """
    as_read = loaded.as_read.test_set
    reading = Reading([file], file_overrides.aliases_of(loaded), moves_spans=False)
    columns, judgements = reading.read(as_read)
    for scores in columns[:1]:
        evaluate_metric(as_read, scores)
    _keep(as_read, reading, tuple(columns[:1]), judgements)
    for one in judgements[:1]:
        if len(one.spans):
            error_spans.keep_errors(as_read, reading, one)


def add_file(loaded: Loaded, file: FileBeside, *, higher_is_better: bool) -> None:
    """Show the first column of a file of scores from now on, next to those that are shown.

    Raises:
        InputError: It says nothing about the texts.
    """
    as_read, key = loaded.as_read.test_set, session.get(SCORES)
    columns, judgements = Reading([file], file_overrides.aliases_of(loaded), moves_spans=False).read(as_read)
    added = replace(columns[0], higher_is_better=higher_is_better)
    evaluate_metric(as_read, added)
    shown = [scores for scores in read_scores() if scores.name != added.name]
    behind = [cached.JUDGEMENTS.find(_place(str(key), scores.name)) for scores in shown]
    found = kept_attachments.find("scores", key) if shown and key else None
    before = [one for one in found[0].files if one.name != file.name] if found is not None else []
    aliases, known = file_overrides.aliases_of(loaded), {} if found is None else found[0].aliases
    if any(known.get(name, system) != system for name, system in aliases.items()):
        before = []  # renamed since: the names in these files would mean other systems
    aliases = {**known, **aliases}
    reading = Reading([*before, file], aliases, moves_spans=found is not None and found[0].moves_spans)
    _keep(as_read, reading, (*shown, added), [*(one for one in behind if one is not None), *judgements])


def score_files_panel(loaded: Loaded) -> None:
    """Asks for files of scores and judgements, which of their columns to show, and which errors to draw.

    Systems are found by the names that are shown, by those that were read, by those of their files, and as people say.
    """
    st.header("Scores and judgements", anchor=False)
    st.markdown(
        "Load the files of comet-score, MetricX, bert-score, mt-metrics-eval, WMT, Marot, Appraise or "
        "Pearmut. Or load TSV, CSV or JSON Lines with the columns *system*, *segment* (from 1) and scores."
    )
    uploaded = st.file_uploader("Files with scores or judgements", accept_multiple_files=True, key="score-files")
    live_sessions.free_uploads("scores", uploaded)
    error_spans.take_off_button()
    files = [FileBeside(file.name, file.getvalue()) for file in uploaded]
    if not files and not loaded.beside:
        return
    try:
        _read(files, loaded)
    except InputError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")


def _read(uploaded: Sequence[FileBeside], loaded: Loaded) -> None:
    """Read what files say about the test set, show the columns that are chosen and draw the errors.

    What came with the test set is drawn anyway, and none of its columns is shown unless that is chosen.
    """
    as_read = loaded.as_read.test_set
    named = [(one.name, one.data) for one in (*uploaded, *loaded.beside)]
    files = [FileBeside(name, data) for name, data in with_requests(named)]
    with st.spinner("Reading …"):
        file_overrides.names_form(map(cached.read_beside, files), loaded)
        reading = Reading(files, file_overrides.aliases_of(loaded), links.moves_spans())
        found = reading.found(as_read)
    for said in dict.fromkeys(said for scores in found for said in scores.notices):
        st.info(widgets.plain(said))
    if file_overrides.moving_choice(can_move=any(scores.n_movable for scores in found)) != reading.moves_spans:
        st.rerun()
    judgements = [one for scores in found for one in scores.judgements]
    columns = joined([column for scores in found for column in scores.columns])
    usual = [one.name for one in columns[:1]] if uploaded else _shown_of(loaded.beside)
    chosen = _chosen(columns, usual, "_score_columns" if uploaded else "_columns_beside")
    for scores in chosen:
        evaluate_metric(as_read, scores)
    if uploaded or [scores.name for scores in chosen] != usual:
        _keep(as_read, reading, tuple(chosen), judgements)
    if chosen:
        st.success(f"Loaded and shown under Scores: {_names(chosen)}")
    hidden = [one for one in columns if one.name not in {scores.name for scores in chosen}]
    if uploaded and hidden:
        st.info(f"Loaded but not shown: {_names(hidden)}. Choose more under Columns to show.")
    own = {file.name for file in uploaded}
    brought = [scores for file, scores in zip(files, found, strict=True) if file.name in own]
    _draw([one for scores in brought for one in scores.judgements if len(one.spans)], as_read, reading)


def _names(columns: Sequence[SegmentScores]) -> str:
    return widgets.plain(", ".join(one.name for one in columns))


def _shown_of(files: Sequence[FileBeside]) -> list[str]:
    """The columns of these files that are shown already."""
    names = {file.name for file in files}
    return [scores.name for scores in read_scores() if scores.file in names]


def _draw(marked: Sequence[Judgements], as_read: TestSet, reading: Reading) -> None:
    """Draw errors on the texts, of several judgements those that are chosen."""
    if not marked:
        return
    names = numbered_apart([one.name for one in marked])
    place = names.index(st.selectbox("Errors to draw", names, key="_judged_by")) if len(names) > 1 else 0
    drawn = marked[place]
    error_spans.keep_errors(as_read, reading, drawn)
    n_judged = len({(row.system, row.number) for row in drawn.rows})
    st.success(
        f"Read, and drawn on Segments: {numbers.counted(len(drawn.spans), 'error')} in "
        f"{numbers.counted(n_judged, 'judged output')} of {numbers.counted(len(drawn.systems), 'system')}."
    )


def _named(scores: SegmentScores, name_of: Callable[[str], str | None]) -> SegmentScores:
    """The scores under other names of systems; one that has none, or that of another, keeps its own."""
    names: dict[str, str] = {}
    for name in scores.scores:
        new = name_of(name) or name
        names[name] = name if new != name and (new in scores.scores or new in names.values()) else new
    if all(name == new for name, new in names.items()):
        return scores
    return replace(scores, scores=MappingProxyType({names[name]: one for name, one in scores.scores.items()}))


def _keep(
    test_set: TestSet, reading: Reading, chosen: tuple[SegmentScores, ...], judgements: Sequence[Judgements]
) -> None:
    """Show the scores from now on, and find them again after a reload under the digest of their content."""
    digest = hashlib.sha256(repr((test_set.digest, reading.digests, links.values(params.SYSTEM_NAMES))).encode())
    for scores in chosen:
        digest.update(repr((scores.file, scores.name, scores.higher_is_better, sorted(scores.scores))).encode())
    key = digest.hexdigest()[: links.KEY_LENGTH] if chosen else ""
    if chosen:
        _hold(key, chosen, judgements)
        shown = [[scores.file, scores.name, scores.higher_is_better] for scores in chosen]
        kept_attachments.keep("scores", key, reading, shown)
    session.put(SCORES, key)
    links.write(params.SCORES, key or None)


def _hold(key: str, chosen: Sequence[SegmentScores], judgements: Sequence[Judgements]) -> None:
    """Have scores at hand under a key, with the judgements behind them."""
    cached.SCORES.keep(key, tuple(chosen))
    for scores in chosen:
        for one in judgements:
            if (one.name, one.file) == (scores.name, scores.file):
                scale = replace(one.scale, higher_is_better=scores.higher_is_better)
                cached.JUDGEMENTS.keep(_place(key, scores.name), replace(one, scale=scale))


def _chosen(columns: Sequence[SegmentScores], usual: Sequence[str], key: str) -> list[SegmentScores]:
    """The columns that are wanted, the usual ones unless people say; with the direction that people say."""
    names = list(dict.fromkeys(column.name for column in columns))
    shown = st.multiselect("Columns to show", names, usual, key=key)
    known = {column.name for column in columns if not column.higher_is_better}
    unknown = [name for name in shown if name not in known]
    lower = known.union(
        st.multiselect("Of these, lower is better for", unknown, key="_lower_is_better") if unknown else []
    )
    repeated = [name for name in names if sum(column.name == name for column in columns) > 1]
    if repeated:
        raise InputError(
            "two columns of scores have the same name",
            where=columns[-1].file,
            found=repeated[0],
            remedy="Give every column of scores a name of its own.",
        )
    return [replace(column, higher_is_better=column.name not in lower) for column in columns if column.name in shown]
