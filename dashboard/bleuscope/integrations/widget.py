"""The segments of a study in a notebook: one at a time, with its marks, in the order of the differences."""

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from bleucore import InputError
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.segments.highlights import SegmentView, legend_html, segment_html
from bleuscope.content.style.stylesheet import stylesheet

STYLES = stylesheet(("words", "texts", "forced_colours"))


class SegmentsWidget(anywidget.AnyWidget):  # type: ignore[misc]  # the package is not there where types are checked
    """Shows a segment with the marks of the Segments page. Python writes its HTML, with every text escaped.

    Buttons and the keys J and K go to the next and previous segment. The widget asks nothing of another host.

    Attributes:
        segment: The one that is shown, counted from 0.
    """

    _esm = Path(__file__).with_name("segments.js")
    segment = traitlets.Int(0).tag(sync=True)
    html = traitlets.Unicode().tag(sync=True)
    legend = traitlets.Unicode().tag(sync=True)
    styles = traitlets.Unicode(STYLES).tag(sync=True)
    values = traitlets.List(traitlets.Float()).tag(sync=True)
    value_name = traitlets.Unicode().tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, study: TestedStudy) -> None:
        """Begins with the segment that differs most.

        Args:
            study: As ``bleuscope.compare`` makes it; systems A and B are shown.
        """
        if not isinstance(study, TestedStudy):
            raise InputError("this is no study", where="SegmentsWidget", remedy="Give what bleuscope.compare returns.")
        self._study = study
        metric, sides = study.metric, study.sides
        values = segment_differences(study.evaluation, study.pair, metric) if study.compares else None
        shown = np.nan_to_num(metric.known_segment_scores(sides[0]) if values is None else values)
        super().__init__(
            segment=int(np.argmax(np.abs(shown))),
            legend=str(legend_html(study.options.max_order, compares=study.compares).__html__()),
            values=shown.tolist(),
            value_name=metric.name if values is None else f"Δ {metric.name}",
            names=list(sides),
        )
        self._show()

    @traitlets.validate("segment")  # type: ignore[untyped-decorator]  # as above
    def _known(self, proposal: Any) -> int:  # noqa: ANN401  # theirs
        segment: int = proposal["value"]
        if not 0 <= segment < self._study.evaluation.n_segments:
            raise traitlets.TraitError(f"segment {segment} is not there")
        return segment

    @traitlets.observe("segment")  # type: ignore[untyped-decorator]  # as above
    def _show(self, _change: object = None) -> None:
        study = self._study
        view = SegmentView(self.segment, study.sides, reference_matches=study.sides[-1])
        self.html = str(segment_html(study.test_set, study.evaluation, view, study.looks))
