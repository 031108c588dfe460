"""What a report says of judgements that a command names: whether metrics agree, and what was marked."""

from collections.abc import Mapping

from bleucore import InputError
from bleucore.agreement.agreement import Agreement, AgreementOptions, agreement
from bleucore.agreement.judged_test_set import judged_people, scored_systems
from bleucore.analysis.credited_and_marked import credited_and_marked
from bleucore.counts import Progress
from bleucore.judgements.records import Judgements
from bleuscope.cli.judged_texts import Judging
from bleuscope.cli.streams import notice, progress
from bleuscope.cli.texts import reader
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.report import Evidence, ReportOptions
from bleuscope.content.segments.marked_tokens import MarkedTokens
from bleuscope.shell.disk.judgement_files import judgements_of


def evidence_in(asked: Inputs, judging: Judging, study: ComparisonContext, options: ReportOptions) -> Evidence:
    """What judgements come to, where the report holds it.

    Raises:
        InputError: A file cannot be read, or there are no such judgements.
    """
    found = {one.name: one for one in judgements_of(asked, study.test_set, read_data=reader(asked.paths))}
    agreed = marked = why_not = None
    with progress("Comparing with people") as report:
        if options.holds("validity"):
            chosen = judging.chosen(found, "The files")
            try:
                agreed = _agreement(study, judging, chosen, report)
            except InputError as error:  # the rest of the report stands
                why_not = str(error)
                notice(why_not)
        if options.holds("errors"):
            marked = _marked(study, found)
    return Evidence(agreement=agreed, why_no_agreement=why_not, marked=marked)


def _agreement(
    study: ComparisonContext, judging: Judging, judgements: Judgements, report: Progress | None
) -> Agreement:
    """How far metrics agree with judgements.

    Raises:
        InputError: Too few systems were judged.
    """
    for said in judgements.notices:
        notice(said)
    people = judged_people(study.test_set, judgements, judging.averaging)
    others = [one for name, one in study.evaluation.metrics.items() if name != judgements.name]
    scored = [scored_systems(one, people.systems) for one in others]
    return agreement(people, scored, AgreementOptions(judged_segments=judging.judged_segments), progress=report)


def _marked(study: ComparisonContext, found: Mapping[str, Judgements]) -> MarkedTokens | None:
    """What is marked in the first judgements that have error spans; ``None`` where none have any."""
    judgements = next((one for one in found.values() if len(one.spans)), None)
    if judgements is None:
        return None
    judged = [name for name in study.evaluation.ranked() if name in judgements.systems]
    return MarkedTokens(
        judgements, {name: credited_and_marked(study.test_set, name, judgements, study.options) for name in judged}
    )
