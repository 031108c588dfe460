"""What a report says of judgements that a command names: what features find in them, and what was marked."""

from collections.abc import Mapping

from bleucore.analysis.credited_and_marked import credited_and_marked
from bleuscope.cli.streams import notice, progress
from bleuscope.cli.texts import reader
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.report import Evidence, ReportOptions
from bleuscope.content.report.choices import OF_FEATURES
from bleuscope.content.report.evidence import WhyNot
from bleuscope.content.segments.marked_tokens import MarkedTokens
from bleuscope.registry import load
from bleuscope.shell.disk.judgement_files import judgements_of


def evidence_in(
    asked: Inputs, chosen: Mapping[str, object], study: ComparisonContext, options: ReportOptions
) -> Evidence:
    """What judgements come to, where the report holds it.

    Args:
        asked: What is to be read.
        chosen: What the options of sections come to, by the names of these.
        study: What the report is about.
        options: What it holds.

    Raises:
        InputError: A file cannot be read, or there are no such judgements.
    """
    held = [one for one in OF_FEATURES.values() if one.find_in_files and options.holds(one.name)]
    with progress("Comparing with people") as report:
        found = {one.name: load(one.find_in_files)(asked, chosen.get(one.name), study, report) for one in held}
        marked = _marked(asked, study) if options.holds("errors") else None
    for one in found.values():
        if isinstance(one, WhyNot):
            notice(one.reason)
    return Evidence(found, marked=marked)


def _marked(asked: Inputs, study: ComparisonContext) -> MarkedTokens | None:
    """What is marked in the first judgements that have error spans; ``None`` where none have any."""
    found = judgements_of(asked, study.test_set, read_data=reader(asked.paths))
    judgements = next((one for one in found if len(one.spans)), None)
    if judgements is None:
        return None
    judged = [name for name in study.evaluation.ranked() if name in judgements.systems]
    return MarkedTokens(
        judgements, {name: credited_and_marked(study.test_set, name, judgements, study.options) for name in judged}
    )
