"""Figures of references: systems are named at their lines."""

import pytest

from bleucore import System, TestSet
from bleucore.robustness.references import DrawOptions, study_references
from bleucore.significance import SignificanceOptions
from bleuscope.content.style.identity import identities
from bleuscope.features.references import figures as reference_figures

QUICK = SignificanceOptions(trials=99, resamples=99)


@pytest.mark.parametrize("n_systems", [3, 8, 9])
def test_systems_are_named_at_their_lines_without_a_legend(n_systems):
    words = [f"word{n}" for n in range(20)]
    texts = [" ".join(words[: n + 8]) for n in range(n_systems)]
    systems = [System(f"s{n}", [text, text]) for n, text in enumerate(texts)]
    references = [[" ".join(words)] * 2, [" ".join(words[::-1])] * 2]
    study = study_references(TestSet(systems, references), draws=DrawOptions(n=5), significance=QUICK)
    looks = identities([system.name for system in systems], "s0")
    ranks, growth = reference_figures.slope_figure(study, looks), reference_figures.growth_figure(study, looks)
    assert [figure.layout.showlegend for figure in (ranks, growth)] == [False, False]
    named = [*zip(ranks.layout.yaxis.tickvals, ranks.layout.yaxis.ticktext, strict=True)]
    assert min(named) == (1, f"s{n_systems - 1}  1")
    assert len(named) == n_systems


def test_an_outlier_is_named_with_its_score_and_leaves_the_others_their_scale():
    words = [f"word{n}" for n in range(20)]
    texts = [" ".join(words[:18]), " ".join(words[:19]), " ".join(words), " ".join(words[::-1])]
    systems = [System(f"s{n}", [text, text]) for n, text in enumerate(texts)]
    references = [[" ".join(words)] * 2, [" ".join([*words[:19], "end"])] * 2]
    study = study_references(TestSet(systems, references), draws=DrawOptions(n=5), significance=QUICK)
    figure = reference_figures.growth_figure(study, identities([system.name for system in systems], None))
    assert figure.layout.yaxis.range[0] > 50
    assert "↓ s3 " in figure.layout.yaxis2.ticktext[0]
