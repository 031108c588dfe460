"""A file of judgements or scores -> what it holds: the registry of families, and what leads to a test set."""

import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.workbooks import is_workbook, workbook_columns
from bleucore.judgements import (
    appraise_csv,
    automatic_scores,
    comet_json,
    da_tables,
    drawn_table,
    judge_logs,
    marked_table,
    metricx_jsonl,
    mqm_tsv,
    mtme_ratings,
    mtme_scores,
    one_per_line,
    pearmut_log,
    subset2evaluate,
    wmt_jsonl,
)
from bleucore.judgements.alignment import aligned
from bleucore.judgements.averaging import segment_scores
from bleucore.judgements.mtme_scores import ScoreName, protocol_called
from bleucore.judgements.people_and_models import people_and_models
from bleucore.judgements.records import Judgements, Row, Scale, nothing_judged
from bleucore.judgements.span_checks import fit_notices, fitted, span_fit
from bleucore.judgements.system_names import matched_systems, under_systems_names
from bleucore.metrics.segment_scores import SegmentScores, read_segment_scores

MAX_BYTES = 512 * 1024**2
MOST_LINES = 2_000_000
_INVENTED = "invented"
_MAY_BE_TEXTS = (
    "items of subset2evaluate",
    "judgements of WMT in JSON Lines",
    "predictions of MetricX",
    "output of comet-score",
    "one score a line",
)
_WITH_NUMBERS = re.compile(
    r'"esa_score"|"prediction"\s*:\s*-?[0-9]|^\S+ P: [0-9.]+ R: '
    r'|^\s*\{\s*"[^"]*"\s*:\s*\[(?s:.*?)"COMET"\s*:\s*-?[0-9]'
)
"""What only scores have of the families whose files can be texts."""
_HEAD = 1 << 20
"""What is looked at to tell families apart; the longest lines of logs and tables end within it."""


@dataclass(frozen=True)
class Family:
    """Files of one shape.

    Attributes:
        name: What writes them, to show.
        sniff: Whether a text, of a file of that name, is one.
        read: What it holds, by the file's name and its text.
    """

    name: str
    sniff: Callable[[str, str], bool]
    read: Callable[[str, str], tuple[Judgements, ...]]


FAMILIES = (
    Family("ratings of mt-metrics-eval", mtme_ratings.sniff, mtme_ratings.read),
    Family("log of Pearmut", pearmut_log.sniff, pearmut_log.read),
    Family("judgements of WMT in JSON Lines", wmt_jsonl.sniff, wmt_jsonl.read),
    Family("items of subset2evaluate", subset2evaluate.sniff, subset2evaluate.read),
    Family("predictions of MetricX", metricx_jsonl.sniff, metricx_jsonl.read),
    Family("automatic scores of WMT", automatic_scores.sniff, automatic_scores.read),
    Family("output of comet-score", comet_json.sniff, comet_json.read),
    Family("lines of comet-score", comet_json.sniff_lines, comet_json.read_lines),
    Family("table of annotations", marked_table.sniff, marked_table.read),
    Family("table of a sample", drawn_table.sniff, drawn_table.read),
    Family("verdicts of judges", judge_logs.sniff, judge_logs.read),
    Family("MQM table", mqm_tsv.sniff, mqm_tsv.read),
    Family("table of direct assessment", da_tables.sniff, da_tables.read),
    Family("export of Appraise", appraise_csv.sniff, appraise_csv.read),
    Family("scores of mt-metrics-eval", mtme_scores.sniff, mtme_scores.read),
    Family("one score a line", one_per_line.sniff, one_per_line.read),
)
"""In the order in which they are tried."""


@dataclass(frozen=True)
class Found:
    """What a file holds.

    Attributes:
        file: Its name.
        judgements: Of segments, as read: several columns, or several language pairs.
        columns: Scores of a table with the columns system and segment, where that is what it is.
        systems: Scores of whole systems by their names, where the file has no others.
    """

    file: str
    judgements: tuple[Judgements, ...] = ()
    columns: tuple[SegmentScores, ...] = ()
    systems: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The systems that it names, as it names them."""
        of_judgements = (name for one in self.judgements for name in one.systems if name)
        return tuple(dict.fromkeys((*of_judgements, *(name for one in self.columns for name in one.scores))))


@dataclass(frozen=True)
class Scores:
    """What a file says about a test set, with its names and segments.

    Attributes:
        columns: Of scores, in the order of the file.
        judgements: What the columns are the means of, with raters and spans; none of a table, and one without a column
            where an error has no weight.
        notices: What was left out or read in another way, in sentences to be shown.
        n_movable: How many spans would clearly fit better elsewhere, and stand where the file has them.
    """

    columns: tuple[SegmentScores, ...]
    judgements: tuple[Judgements, ...] = ()
    notices: tuple[str, ...] = ()
    n_movable: int = 0


def read(name: str, data: bytes, *, max_bytes: int = MAX_BYTES) -> Found:
    """What a file of any family holds; a table with the columns system and segment is one, too.

    Raises:
        InputError: It is of no family, or is not as its program writes it.
    """
    text = _text(name, data, max_bytes)
    family = _family(name, text)
    if family is not None:
        judgements = family.read(name, text)
        if not judgements:
            raise nothing_judged(name)
        apart = (one for read_ones in judgements for one in people_and_models(read_ones))
        return Found(name, tuple(map(_said_to_be_invented, apart)))
    systems = _systems(name, text)
    if systems is not None:
        if not any(systems.values()):
            raise InputError(
                "there is no score",
                where=name,
                line=1,
                found="a line with titles alone" if not systems else "only systems without a score",
                expected="at least one system with its score",
                remedy="Load the complete file.",
            )
        return Found(name, systems=systems)
    return Found(name, columns=read_segment_scores(name, data, max_bytes=max_bytes))


def holds_judgements(name: str, data: bytes) -> bool:
    """Whether a file among texts is one of scores or judgements, by its beginning; not where texts may be meant.

    A column of numbers may name documents, and what holds the outputs of all systems with their scores is a test set.
    """
    try:
        whole = decoding.unpack(name, data, MAX_BYTES)
        head = whole if len(whole) <= _HEAD else whole[: whole.rfind(b"\n", 0, _HEAD) + 1]
        text = decoding.decode(name, head)
    except InputError:  # whoever reads it as text says why not
        return False
    family = _family(name, text)
    if family is None:
        titles = {title.strip().casefold() for title in re.split(r"[\t,]", text.partition("\n")[0])}
        return {"system", "segment"} < titles
    return family.name not in _MAY_BE_TEXTS or _WITH_NUMBERS.search(text) is not None


def aligned_judgements(
    found: Found,
    test_set: TestSet,
    *,
    aliases: Mapping[str, str] | None = None,
    lower_is_better: Collection[str] = (),
    moves_spans: bool = False,
) -> tuple[Judgements, ...]:
    """The judgements of a file that was read, aligned; of several language pairs those that are of the test set.

    Args:
        found: What it holds.
        test_set: What they are about.
        aliases: Systems of the test set, or ``LEFT_OUT``, by names in the file, where people said so.
        lower_is_better: Names of judgements whose values are penalties, where people said so: only MetricX says it
            of itself, and MQM is written as penalties and as their negatives.
        moves_spans: Whether spans are moved to where they clearly fit better, where people said so.

    Raises:
        InputError: As ``aligned``; or the file has scores of whole systems alone.
    """
    _refuse_texts_cut_anew(test_set)
    if found.systems:
        raise InputError(
            "there are only scores of whole systems",
            where=found.file,
            found=", ".join(found.systems),
            expected="scores of segments",
            remedy="Load the file with the scores of each segment.",
        )
    read_ones = found.judgements or tuple(map(judgements_in, found.columns))
    done, refusals = list[Judgements](), list[InputError]()
    pairs = {one.languages for one in read_ones}
    for judgements in read_ones:
        try:
            placed = aligned(_directed(judgements, lower_is_better), test_set, aliases=aliases)
            done.append(_with_fit(placed, test_set, moves_spans=moves_spans))
        except InputError as error:
            if len(pairs) == 1:
                raise
            refusals.append(error)
    if not done:
        raise refusals[0]
    return tuple(done)


def _refuse_texts_cut_anew(test_set: TestSet) -> None:
    if test_set.is_resegmented:
        raise InputError(
            "scores of segments are not those of texts that were cut anew",
            where="The test set",
            found="outputs cut anew at the segments of the references",
            expected="outputs as they were scored or judged",
            remedy="Score the segments that bleuscope align writes, or leave the scores out.",
        )


def aligned_scores(
    found: Found, test_set: TestSet, *, aliases: Mapping[str, str] | None = None, moves_spans: bool = False
) -> Scores:
    """The columns of a file that was read, with its judgements.

    Args:
        found: What it holds.
        test_set: What they are about.
        aliases: As of ``aligned_judgements``.
        moves_spans: As of ``aligned_judgements``.

    Raises:
        InputError: As ``aligned_judgements``, or two names of a table mean the same system.
    """
    _refuse_texts_cut_anew(test_set)
    if found.columns:
        named = [under_systems_names(column, test_set, aliases) for column in found.columns]
        return Scores(tuple(column for column, _ in named), notices=_each_once(said for _, said in named))
    judgements = aligned_judgements(found, test_set, aliases=aliases, moves_spans=moves_spans)
    columns, unweighed = _columns(judgements)
    notices = _each_once((*(one.notices for one in judgements), unweighed))
    n_movable = 0 if moves_spans else sum(span_fit(one, test_set).n_movable for one in judgements)
    return Scores(columns, judgements, notices, n_movable)


def read_judgements(
    name: str,
    data: bytes,
    test_set: TestSet,
    *,
    aliases: Mapping[str, str] | None = None,
    lower_is_better: Collection[str] = (),
    moves_spans: bool = False,
) -> tuple[Judgements, ...]:
    """The judgements of a file: ``read``, and ``aligned_judgements`` what it holds.

    Raises:
        InputError: As these.
    """
    found = read(name, data)
    return aligned_judgements(
        found, test_set, aliases=aliases, lower_is_better=lower_is_better, moves_spans=moves_spans
    )


def read_scores(name: str, data: bytes, test_set: TestSet, *, aliases: Mapping[str, str] | None = None) -> Scores:
    """The columns of a file of scores of any family: ``read``, and ``aligned_scores`` what it holds.

    Raises:
        InputError: As these.
    """
    return aligned_scores(read(name, data), test_set, aliases=aliases)


def joined(columns: Sequence[SegmentScores]) -> tuple[SegmentScores, ...]:
    """The columns, those of one name and different systems as one: a metric that wrote a file for each system."""
    made: list[SegmentScores] = []
    for column in columns:
        index = next((at for at, one in enumerate(made) if _fit_together(one, column)), None)
        if index is None:
            made.append(column)
        else:
            both = MappingProxyType({**made[index].scores, **column.scores})
            made[index] = replace(made[index], file=f"{made[index].file}, {column.file}", scores=both)
    return tuple(made)


def systems_scores(
    scores: Mapping[str, Mapping[str, float]], test_set: TestSet, aliases: Mapping[str, str] | None = None
) -> dict[str, dict[str, float]]:
    """Scores of whole systems under the names of the test set; those of other systems are left out."""
    made: dict[str, dict[str, float]] = {}
    for title, of_title in scores.items():
        names = matched_systems(list(of_title), test_set, aliases)
        made[title] = {system: of_title[name] for name, system in names.items() if system is not None}
    return made


def _text(name: str, data: bytes, max_bytes: int) -> str:
    """The text of a file, which has no more lines than can be read in some seconds; of a workbook a table of it."""
    if is_workbook(data):
        return _table_text(name, data, max_bytes)
    text = decoding.decode(name, decoding.unpack(name, data, max_bytes))
    n_lines = text.count("\n")
    if n_lines > MOST_LINES:
        raise InputError(
            "the file has too many lines",
            where=name,
            found=f"{n_lines:,}",
            expected=f"at most {MOST_LINES:,}",
            remedy="Load the scores or judgements of one test set.",
        )
    return text


def _table_text(name: str, content: bytes, max_bytes: int) -> str:
    """The sheet of a workbook, with tabs between its cells."""
    columns = workbook_columns(name, content, header=True, max_bytes=max_bytes)
    written = io.StringIO()
    rows = csv.writer(written, csv.excel_tab, lineterminator="\n")
    rows.writerow([column.name for column in columns])
    rows.writerows(zip(*(column.segments for column in columns), strict=True))
    return written.getvalue()


def _directed(judgements: Judgements, lower_is_better: Collection[str]) -> Judgements:
    """The same with the direction that people said."""
    if judgements.name not in lower_is_better:
        return judgements
    return replace(judgements, scale=replace(judgements.scale, higher_is_better=False))


def _with_fit(judgements: Judgements, test_set: TestSet, *, moves_spans: bool) -> Judgements:
    """The same with what is to be said of its spans, or with these moved where they fit better."""
    if not len(judgements.spans):
        return judgements
    fit = span_fit(judgements, test_set)
    if moves_spans and fit.n_movable:
        return fitted(judgements, test_set, fit)
    return replace(judgements, notices=(*judgements.notices, *fit_notices(judgements, fit)))


def _columns(judgements: Sequence[Judgements]) -> tuple[tuple[SegmentScores, ...], tuple[str, ...]]:
    """The columns of scores, and why there is none of judgements whose errors have no weight."""
    columns, refusals = list[SegmentScores](), list[str]()
    for one in judgements:
        try:
            columns.append(segment_scores(one))
        except InputError as error:
            if not len(one.spans):
                raise
            refusals.append(f"No scores of {one.name}: {error}")
    return tuple(columns), tuple(refusals)


def _each_once(notices: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for said in notices for one in said))


def _said_to_be_invented(judgements: Judgements) -> Judgements:
    """The same, called invented wherever they are shown, if the file's name says that nobody has judged."""
    if _INVENTED not in judgements.file.lower():
        return judgements
    said = f"{judgements.file}: these judgements are invented: nobody has judged the texts."
    return replace(judgements, name=f"{judgements.name} ({_INVENTED})", notices=(said, *judgements.notices))


def _family(name: str, text: str) -> Family | None:
    head = text[:_HEAD]
    return next((family for family in FAMILIES if family.sniff(head, name)), None)


def _systems(name: str, text: str) -> Mapping[str, Mapping[str, float]] | None:
    """The scores of whole systems; ``None`` where the file is another one."""
    if ScoreName.of(name).level == "sys":
        return {ScoreName.of(name).name: mtme_scores.read_systems(name, text)}
    return automatic_scores.read_systems(name, text) if automatic_scores.sniff_systems(text, name) else None


def judgements_in(column: SegmentScores) -> Judgements:
    """The scores of a column as judgements of one rater, not yet aligned."""
    rows = tuple(
        Row(int(line), system, int(segment), value=float(value))
        for system, scores in column.scores.items()
        for segment, value, line in zip(scores.segments, scores.values, scores.lines, strict=True)
    )
    scale = Scale(higher_is_better=column.higher_is_better)
    return Judgements(column.name, column.file, protocol_called(column.name), rows, scale, 1)


def _fit_together(first: SegmentScores, second: SegmentScores) -> bool:
    is_same = first.name == second.name and first.higher_is_better == second.higher_is_better
    return is_same and first.file != second.file and not set(first.scores) & set(second.scores)
