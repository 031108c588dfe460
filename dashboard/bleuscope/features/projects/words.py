"""Leaderboards, histories and projects in words."""

import shlex
from collections.abc import Sequence

from bleucore.history import BestVersion, VersionChanges, VersionHistory
from bleuscope.content.significance import significance_words
from bleuscope.content.significance.verdict_words import (
    CLAIMS,
    Chips,
    Wording,
    runs_chip,
    verdict_sentence,
    verdict_text,
)
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import (
    Sentence,
    Text,
    listed,
    note,
    sentence,
    strong,
    verdict,
)
from bleuscope.features.projects.board_verdicts import board_verdict, latest_verdicts, without_reason
from bleuscope.features.projects.cards import ProjectCard
from bleuscope.features.projects.scored_versions import Leaderboard, ScoredVersion, ScoredVersions, SystemHistory
from bleuscope.features.projects.sheets import ALARM_WORDS, OF_RECIPES, has_recipes, recipe_words, written_moment

NO_WORKSPACE = "This server saves nothing: it was started with --no-workspace. Start it without that option."
LINK = "Opens this view for anyone who may read the project, with all versions pushed by then."
NO_PROJECT = "No project yet. A project saves versions of systems and shows their scores over time."
OR_PUSH = "Or push the first version of your own system:"
PUSH_HELP = "The first push to a test set includes its references. Run the command again for every later version."
NO_TEST_SET = "This project has no test set yet. The first push makes one."
NO_VERSION = "No version of a system was pushed to this test set yet."
TESTING = "The significance tests are running."
BOARD_CAPTION = "Click a point to open the history of its system."
PINNED_APART = "The command prints one version of each system; it cannot name chosen versions."
BRUSH_CAPTION = "Click to replace one of the two versions below. Drag to choose both ends."
NEARLY_SURE = 0.99
LITTLE = 0.005
"""Points of BLEU that are written as 0.00."""


def push_command(project: str = "en-de", test_set: str | None = None) -> str:
    """The command that pushes a version; the first one to a test set brings its references."""
    words = ["bleuscope", "push", "out.txt", "--project", project, "--test-set", test_set or "newstest"]
    words += ["--system", "base", "--version", "v1", *([] if test_set else ["--reference", "ref.txt"])]
    return shlex.join(words)


def leaderboard_verdict(board: Leaderboard) -> Text:
    """Who leads, by how much, and how surely."""
    scored, rows = board.scored, board.rows
    best = rows[0]
    value = numbers.score(best.version.score)
    level = [row.name for row in rows if numbers.score(row.version.score) == value]
    lead = sentence("{} scores highest: {}. ", strong(best.name), score_told(best.version, scored.metric))
    if len(level) > 1:
        lead = sentence("{} share the highest score, {} {}. ", listed(level), value, scored.metric)
    if len(rows) == 1:
        return verdict("{}It is the only system on this test set.", lead)
    if board.comparison is None:
        return verdict("{}{}", lead, TESTING)
    made = board_verdict(board)
    said = Text() if made is None else verdict_text(made, names_error=True)
    pairs = list(board.comparison.against(board.against).values())
    method = significance_words.method_note(board.comparison, pairs)
    return said + method + (note("{}", OF_RECIPES) if any(one.n_runs is not None for one in pairs) else Text())


def chosen_best_note(scored: ScoredVersions) -> Text:
    """What to know of a leaderboard of best versions."""
    most = max(len(versions) for versions in scored.by_system.values())
    return note(
        "Each system is shown by its best of up to {} versions on this test set. Such scores are too "
        "high, and more so with more versions. History shows by how much.",
        numbers.count(most),
    )


def history_verdict(history: SystemHistory) -> Text:
    """How the latest version stands, against the best and against the one before."""
    latest = history.versions[-1]
    unit = history.scored.metric
    if len(history.versions) == 1:
        return verdict(
            "{} has one version, {}: {}. Push another one to see what changes.",
            strong(history.system),
            strong(latest.label),
            score_told(latest, unit),
        )
    said = sentence(
        "The latest of {} versions of {} is {}: {}. ",
        numbers.count(len(history.versions)),
        strong(history.system),
        strong(latest.label),
        score_told(latest, unit),
    )
    if history.found is None:
        return verdict("{}{}", said, TESTING)
    return verdict("{}{}", said, _held_words(history)) + Text((Chips(_claim_chips(history)),))


def _claim_chips(history: SystemHistory) -> tuple[str, ...]:
    """Whether training noise is included in what is said of the latest version; of each comparison, if that differs."""
    found = {role: runs_chip(made) for role, made in latest_verdicts(history).items() if made.state in CLAIMS}
    if len(set(found.values())) <= 1:
        return tuple(dict.fromkeys(found.values()))
    return tuple(f"{role}: {chip}" for role, chip in found.items())


def score_told(one: ScoredVersion, metric: str) -> str:
    """The score of a version; of several runs "36.14 BLEU (3 runs: 36.1 ± 0.4)"."""
    value = f"{numbers.score(one.score)} {metric}"
    return f"{value} ({numbers.runs_told(one.n_runs, one.score, one.deviation)})" if one.has_several_runs else value


def first_runs_note(versions: Sequence[ScoredVersion]) -> Text:
    """Whose texts are shown where versions have several runs."""
    if not any(one.has_several_runs for one in versions):
        return Text()
    return note("Texts and segments are from the first run of each version.")


def _held_words(history: SystemHistory) -> Sentence:
    """The latest version against the best and against the one before."""
    verdicts = latest_verdicts(history)
    faulty = [found for found in verdicts.values() if found.state == "check-texts"]
    if faulty:
        return verdict_sentence(faulty[0])
    said = sentence("It is the best of them.") if history.best == len(history.versions) - 1 else Sentence()
    for role, found in verdicts.items():
        (other,) = {found.compared.name, found.compared.other} - {history.versions[-1].label}
        told = verdict_sentence(without_reason(found), wording=Wording({other: role}, says_family=True))
        said = said + (" " if said else "") + told
    return said


def optimism_note(found: VersionHistory, unit: str) -> Text:
    """By how much the best score is too good, and how sure it is that it is the best."""
    best = found.best
    if len(best.names) == 1:
        return Text()
    if best.optimism is None or best.corrected_score is None:
        return note("{}", best.reason or "")
    first = (
        sentence("None of it is luck")
        if abs(best.optimism) < LITTLE
        else sentence(
            "On average {} points of it are luck, because this score chose the version: expect {} on similar new texts",
            numbers.score(best.optimism),
            numbers.score(best.corrected_score),
        )
    )
    return note(
        "Luck of the best: {} has the best of {} scores, {} {}. {}. {}",
        strong(best.name),
        numbers.count(len(best.names)),
        numbers.score(best.score),
        unit,
        first,
        _chance_of_best(best),
    )


def _chance_of_best(best: BestVersion) -> str:
    """How probable it is that the best score is that of the best version, or why that is not said."""
    if best.chances_best is None or best.expected_loss is None:
        return best.why_no_chances or ""
    chance, loss = float(best.chances_best[best.chosen]), numbers.score(best.expected_loss)
    if chance > NEARLY_SURE:
        return f"It is truly the best with a probability of more than {numbers.percent(NEARLY_SURE)}."
    said = f"It is truly the best with a probability of {numbers.percent(chance)}"
    return f"{said}; if it is not, it is {loss} points behind on average."


def alarms_note(found: VersionHistory) -> Text:
    """Which versions raise an alarm, and how many would without a change."""
    alarmed, alarms = found.alarmed, found.alarms
    rate = numbers_of_false_alarms(alarms.per_100)
    if len(found.versions) == 1:
        return Text()
    if found.why_untested is not None or not found.has_stars:
        return note("No alarms. {}", found.remark or "")
    if not alarmed:
        return note("No alarm: no version is significantly worse than before. {}", rate)
    last = alarmed[-1]
    kinds = joined_kinds([ALARM_WORDS[one.alarm] for one in alarmed if one.alarm is not None])
    return note(
        "{}, the last at {}: {}. {}",
        numbers.counted(len(alarmed), "alarm"),
        strong(last.name),
        kinds,
        rate,
    )


def numbers_of_false_alarms(per_100: float) -> str:
    """What alarms are allowed to be wrong, as a sentence."""
    false = "false alarm" if per_100 == 1 else "false alarms"
    return f"Expect at most {per_100:g} {false} in 100 versions without a change."


def joined_kinds(kinds: Sequence[str]) -> str:
    """How many alarms of each kind: "2 worse than before, 1 worse than the best before"."""
    return ", ".join(f"{numbers.count(kinds.count(kind))} {kind}" for kind in dict.fromkeys(kinds))


def method_note(found: VersionHistory) -> Text:
    """How versions are tested."""
    options = found.options
    if found.why_untested is not None:
        return note("{}", found.why_untested)
    said = note(
        "Approximate randomisation, {} trials of {}s, seed {}. Against the version before, p is "
        "corrected for all such comparisons. Against the best version, p is corrected for all pairs, "
        "because the same scores chose it.",
        numbers.count(options.n_trials),
        str(options.unit),
        str(options.seed),
    )
    return said + (note("{}", " ".join(recipe_words(found))) if has_recipes(found) else Text())


def changes_verdict(changes: VersionChanges, older: ScoredVersion, newer: ScoredVersion, unit: str) -> Text:
    """What changed from one version to another, segment by segment."""
    n_changed = changes.n_segments - changes.n_of("unchanged")
    if not n_changed:
        return verdict("{} and {} have the same outputs.", strong(older.label), strong(newer.label))
    return verdict(
        "From {} to {}: {} {}. {} of {} changed: {} better, {} worse, {} with the same score.",
        strong(older.label),
        strong(newer.label),
        numbers.difference(newer.score - older.score),
        unit,
        numbers.count(n_changed),
        numbers.counted(changes.n_segments, "segment"),
        numbers.count(changes.n_of("improved")),
        numbers.count(changes.n_of("regressed")),
        numbers.count(changes.n_of("reworded")),
    )


def systems_named(names: Sequence[str]) -> Sentence:
    """Systems of a project."""
    return listed(names) if names else sentence("none")


def card_words(card: ProjectCard) -> Text:
    """What a project holds, in a line."""
    said = (
        sentence("{}: {}. ", numbers.counted(len(card.systems), "system"), systems_named(card.systems))
        if card.systems
        else sentence("No version of a system yet. ")
    )
    if card.last_push is not None:
        said += f"Last push {written_moment(card.last_push)} UTC. "
    if card.n_notes:
        said += numbers.counted(card.n_notes, "note on its texts.", "notes on its texts.")
    return note("{}", said)
