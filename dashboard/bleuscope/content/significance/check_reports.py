"""What a gate has to say beside its table: JUnit XML, and the Markdown that a job shows on its page."""

from collections.abc import Mapping, Sequence

from bleuscope.content.sheets.junit import junit_text
from bleuscope.content.sheets.markdown import markdown_text
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.style.markdown_escapes import escaped

SUITE = "bleuscope gate"
MOST_NAMED = 3
"""Systems that a heading names; of more it says how many."""


def check_junit(sheet: Sheet, worse: Sequence[str], disputed: Mapping[str, str], *, metric: str, baseline: str) -> str:
    """The verdict as JUnit XML, a case for each system.

    Args:
        sheet: The table of the gate, a row for each system.
        worse: The systems that are worse.
        disputed: What metrics disagree about, by system.
        metric: What decides.
        baseline: What the systems are measured against.
    """
    names = list(sheet.frame["system"])
    return junit_text(
        sheet,
        suite=SUITE,
        group=f"{metric} against {baseline}",
        failures={
            row: f"{name} is worse than {baseline} in {metric}" for row, name in enumerate(names) if name in worse
        },
        notes={row: disputed[name] for row, name in enumerate(names) if name in disputed},
    )


def check_summary(sheet: Sheet, worse: Sequence[str], warnings: Sequence[str], *, metric: str, baseline: str) -> str:
    """The verdict as Markdown: a heading, the table, and what to know beside it.

    Args:
        sheet: The table of the gate.
        worse: The systems that are worse.
        warnings: Sentences that stand above the table.
        metric: What decides.
        baseline: What the systems are measured against.
    """
    parts = [f"### {escaped(f'{metric}: {_lost(worse)} than {baseline}')}", *(f"> {escaped(one)}" for one in warnings)]
    return "\n\n".join([*parts, markdown_text(sheet)])


def _lost(worse: Sequence[str]) -> str:
    if not worse:
        return "not worse"
    if len(worse) > MOST_NAMED:
        return f"{len(worse)} systems are worse"
    return f"{', '.join(worse)} {'are' if len(worse) > 1 else 'is'} worse"
