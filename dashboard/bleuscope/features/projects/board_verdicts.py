"""The verdicts about versions on a test set: on a leaderboard, and in the history of a system."""

from dataclasses import replace

from bleucore.history import version_verdict
from bleucore.significance import Verdict, verdict_of
from bleuscope.content.significance.study_verdict import errors_of_systems, with_findings
from bleuscope.features.projects.scored_versions import Leaderboard, SystemHistory

THE_BEST, BEFORE, BEST_AND_BEFORE = "the best", "the version before", "the version before, and the best"


def board_verdict(board: Leaderboard) -> Verdict | None:
    """The verdict about the rows; ``None`` of one row, and as long as they are not tested."""
    if board.comparison is None:
        return None
    errors = errors_of_systems(board.checked_names, board.findings)
    made = verdict_of(board.comparison, board.scored.metric, board.names, errors)
    return None if made is None else with_findings(made, board.checked_names, board.findings)


def latest_verdicts(history: SystemHistory) -> dict[str, Verdict]:
    """The verdicts about the latest version, by what it is held against: the best, and the version before.

    Where the version before is the best, there is one verdict, in the family of versions and the ones before them: it
    was not chosen by its score.
    """
    if history.found is None:
        return {}
    last, metric = len(history.versions) - 1, history.scored.metric
    before = version_verdict(history.found, last, "before", metric)
    if history.best == last - 1:
        found = {BEST_AND_BEFORE: before}
    else:
        found = {THE_BEST: version_verdict(history.found, last, "best", metric), BEFORE: before}
    return {
        role: with_findings(made, history.checked_names, history.findings)
        for role, made in found.items()
        if made is not None
    }


def without_reason(found: Verdict) -> Verdict:
    """The same where what is wrong, or why nothing is tested, stands elsewhere."""
    return found if found.state == "check-texts" else replace(found, reason=None)
