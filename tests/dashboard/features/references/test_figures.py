"""Figures of references: many systems are named where their lines begin."""

import pytest

from bleucore import System, TestSet
from bleucore.robustness.references import DrawOptions, study_references
from bleucore.significance import SignificanceOptions
from bleuscope.content.style.identity import identities
from bleuscope.features.references import figures as reference_figures

QUICK = SignificanceOptions(trials=99, resamples=99)


@pytest.mark.parametrize("n_systems", [8, 9])
def test_many_systems_are_named_where_their_lines_begin_and_few_in_a_legend(n_systems):
    words = [f"word{n}" for n in range(20)]
    texts = [" ".join(words[: n + 8]) for n in range(n_systems)]
    systems = [System(f"s{n}", [text, text]) for n, text in enumerate(texts)]
    references = [[" ".join(words)] * 2, [" ".join(words[::-1])] * 2]
    study = study_references(TestSet(systems, references), draws=DrawOptions(n=5), significance=QUICK)
    looks = identities([system.name for system in systems], "s0")
    ranks, growth = reference_figures.slope_figure(study, looks), reference_figures.growth_figure(study, looks)
    is_crowded = n_systems > 8
    assert [figure.layout.showlegend is False for figure in (ranks, growth)] == [is_crowded, is_crowded]
    if is_crowded:
        named = [
            (rank, text) for rank, text in zip(ranks.layout.yaxis.tickvals, ranks.layout.yaxis.ticktext, strict=True)
        ]
        assert min(named) == (1, "9  s8  1")
        assert len(named) == n_systems
