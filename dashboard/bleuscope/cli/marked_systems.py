"""What people or a metric marked in the outputs of a command: a file with error spans, counted when it is asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bleucore import InputError
from bleucore.analysis.credited_and_marked import CreditedAndMarked, credited_and_marked
from bleucore.counts import Floats
from bleucore.judgements.records import Judgements
from bleuscope.cli.streams import notice
from bleuscope.cli.texts import reader
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.segments.marked_tokens import categories_sheet, numbers_of, systems_sheet
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.shell.disk.judgement_files import judgements_of


@dataclass(frozen=True)
class MarkedSystems:
    """Judgements with error spans, and what they come to for each system.

    Attributes:
        study: The systems.
        judgements: Of them.
    """

    study: ComparisonContext
    judgements: Judgements
    _counted: dict[str, CreditedAndMarked] = field(default_factory=dict)

    @classmethod
    def read(cls, asked: Inputs, study: ComparisonContext) -> "MarkedSystems":
        """The judgements in the files, the first that have spans; what is to be known of them is said.

        Raises:
            InputError: A file cannot be read, or nobody marked anything.
        """
        found = [one for one in judgements_of(asked, study.test_set, read_data=reader(asked.paths)) if len(one.spans)]
        if not found:
            raise InputError(
                "nobody marked an error",
                where=", ".join(asked.judgements),
                found="judgements without spans",
                expected="spans of characters",
                remedy="Name judgements without spans with --scores.",
            )
        for said in found[0].notices:
            notice(said)
        if len(found) > 1:
            notice(f"Of several judgements {found[0].name} of {found[0].file} is taken.")
        return cls(study, found[0])

    def numbers(self, pair: tuple[str, str]) -> Mapping[str, Floats]:
        """What conditions can ask of A and B."""
        sides = {side: self._of(name) for side, name in zip("ab", pair, strict=True)}
        return numbers_of(sides, self.study.test_set.n_segments)

    def sheets(self) -> dict[str, Callable[[], Sheet]]:
        """The tables, by their names."""
        judged = [name for name in self.study.evaluation.ranked() if name in self.judgements.systems]
        file, signature = self.judgements.file, self.study.evaluation.bleu.signature
        makers: dict[str, Callable[[], Sheet]] = {
            "credited-and-marked": lambda: systems_sheet({name: self._of(name) for name in judged}, file, signature)
        }
        last = self.study.both[-1]
        if last in judged:
            makers["marked-categories"] = lambda: categories_sheet(last, self._of(last))
        return makers

    def _of(self, name: str) -> CreditedAndMarked:
        if name not in self._counted:
            study = self.study
            self._counted[name] = credited_and_marked(study.test_set, name, self.judgements, study.options)
        return self._counted[name]
