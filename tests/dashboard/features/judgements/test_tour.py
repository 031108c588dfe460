"""The stop of the tour claims what the sample gives."""

import numpy as np

from bleucore.judgements.averaging import averaged
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.overview.tour_stops import STOPS
from bleuscope.shell.disk.files import SAMPLE_JUDGEMENTS
from bleuscope.shell.disk.judgement_files import judgements_of
from tests.dashboard.reading import sentences


def test_every_sentence_claims_what_the_sample_gives(sample):
    evaluation, test_set = sample.evaluation, sample.test_set
    ordinals = {7: "seventh", 8: "eight"}
    ranked = evaluation.ranked()
    (judgements,) = judgements_of(Inputs(judgements=(SAMPLE_JUDGEMENTS,), is_sample=True), test_set)
    names = test_set.system_names
    judged = averaged(judgements, names, test_set.n_segments)
    means = dict(zip(names, np.nanmean(judged, axis=1), strict=True))
    assert "invented" in judgements.name
    assert max(means, key=means.get) == "human"
    place, last = (ordinals[number] for number in (ranked.index("human") + 1, len(ranked)))
    (stop,) = [one for one in STOPS if one.page == "validity"]
    assert sentences(stop) == [
        "**human** plays a human translator.",
        f"BLEU ranks it {place} of {last}, and the judges rank it first.",
        "These judgements are invented.",
    ]
