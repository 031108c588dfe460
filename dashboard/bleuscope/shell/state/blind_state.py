"""The blind comparison that is open: what was said so far, and whether names are hidden."""

from dataclasses import dataclass

from bleucore import TestSet
from bleuscope.annotations import BlindTrial, Preferences
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.runtime import params
from bleuscope.shell.state import links, open_annotations, session, workspace_in_use


@dataclass(frozen=True)
class BlindState:
    """A blind comparison and how far it is.

    Attributes:
        test_set: That it is about.
        trial: The systems and how their sides are drawn.
        preferences: What was said so far.
        is_over: Whether the key was shown: nothing is hidden any more.
    """

    test_set: TestSet
    trial: BlindTrial
    preferences: Preferences
    is_over: bool


def state_of(view: ComparisonContext) -> BlindState | None:
    """The state of the blind comparison, as it is by now; ``None`` where there is none."""
    is_blind = session.get(params.BLIND, links.given(params.BLIND) == "true")
    if not is_blind or not view.compares or workspace_in_use.is_by_link():
        return None
    work = open_annotations.work_on(view.test_set)
    trial = BlindTrial.of(view.test_set.digest, view.pair, work.blind_seed)
    return BlindState(view.test_set, trial, work.trials.get(trial, {}), trial in work.ended)


def hides_names(view: ComparisonContext) -> bool:
    """Whether Segments shows no names; also before its switch is drawn for the first time."""
    state = state_of(view)
    return state is not None and not state.is_over
