"""What annotations come to, in words."""

from bleucore.annotation.agreement import AnnotatorAgreement
from bleucore.annotation.held import what_holds
from bleucore.significance.units import FEWEST_TESTED
from bleuscope.content.style import numbers
from bleuscope.features.annotation.outcome import Outcome

ATTENTION = "Outputs with an error that was planted to see who reads."
PAIRS = "Outputs that both annotators finished."
MEASURES = (
    "Characters that both marked; a different severity counts half.",
    "Marks that overlap one of the other annotator.",
    "The worst severity of each output, in order; no mark is the lowest.",
    "Scores, or penalties, of two annotators of the same outputs.",
)
NO_TASK = "Nobody has annotated these texts yet."
HOW_TO_PLAN = "Plan a task, and send each annotator their link:"
NOTHING_FINISHED = "Nobody has finished an output yet."
NOT_SHARED = "No output has two annotators, so agreement cannot be measured."
DECIDE = "Read both, and decide. Your decision replaces what the annotators said, and your name stands with it."
FEED = "Use in Human judgements"
FEED_HELP = "Compares every metric with these annotations, and draws their marks in Segments."
MATCHED = "no error"
MARKED = "Tokens of this kind that any annotator marked."
IN_WMT23 = "The same in WMT23 en-de, by MQM raters."
LOST = "Points that the same outputs lost to this kind: the mean of their systems."
NO_KINDS = "No finished output has a reference, so kinds of errors cannot be told."
TIME_HIDDEN = "Time for each output is shown once all annotators let others see it."
FED = "Metrics are now compared with these annotations. Their marks are drawn in Segments."
JUDGEMENTS_PAGE = "validity"
"""The page that compares metrics with people, where it is there."""


def progress_words(found: Outcome) -> str:
    """How many outputs are finished, of how many."""
    done = sum(found.n_finished.values())
    assigned = sum(map(len, found.task.assigned.values()))
    said = f"{numbers.count(done)} of {numbers.counted(assigned, 'assigned output')} finished."
    if found.n_conflicts:
        said += f" Two windows changed {numbers.counted(found.n_conflicts, 'output')} at once; both versions are kept."
    return said


def unit_of(found: Outcome) -> str:
    """What intervals resample."""
    return "document" if all(item.document for item in found.task.items) else "segment"


def agreement_words(of: AnnotatorAgreement, unit: str) -> str:
    """What agreement was measured on, and how intervals were made."""
    if not of.n_shared:
        return NOT_SHARED
    shared = f"{numbers.counted(of.n_shared, 'output')} with several annotators."
    if of.n_units < FEWEST_TESTED:
        return f"{shared} An interval needs at least {FEWEST_TESTED} {unit}s, and there are {of.n_units}."
    draws = numbers.counted(of.draws, "resample")
    return f"{shared} 95 % intervals by {draws} of {of.n_units} {unit}s (seed {of.seed})."


def kinds_words(found: Outcome) -> str:
    """What is counted by kind."""
    if found.kinds is None:
        return NO_KINDS
    return f"Kinds of {numbers.counted(found.kinds.n_outputs, 'finished output')}, against one reference each."


def scores_words(found: Outcome) -> str:
    """What the scores are, and what intervals resample."""
    if not found.systems:
        return NOTHING_FINISHED
    scheme = found.task.scheme
    if scheme.has_slider:
        return f"Mean scores from 0 to 100, with 95 % intervals by {unit_of(found)}s."
    weights = (found.weights or scheme.weights).name
    return f"Mean penalties (weights: {weights}), with 95 % intervals by {unit_of(found)}s. 0 is best."


def disagreement_words(found: Outcome) -> str:
    """How many outputs annotators disagree on, and how many are decided."""
    n_open = sum(one.decision is None for one in found.disagreements)
    if not found.disagreements:
        return "No output has annotators who disagree."
    total = numbers.counted(len(found.disagreements), "output")
    return f"Annotators disagree on {total}; {numbers.count(n_open)} undecided. Systems stay hidden."


def marks_words(found: Outcome) -> str:
    """What the table holds."""
    n_marks = sum(len(one.state.marks) for one in what_holds(found.task, found.states))
    return f"{numbers.counted(n_marks, 'mark')}. Characters count from 0; the end is exclusive."
