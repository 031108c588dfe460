"""Neural models: what each is called here and on the Hub, and what it reads."""

import re

import pytest

from bleuscope.neural.models import MODELS


@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.name)
def test_a_model_is_called_here_as_on_the_hub(model):
    if model.program == "bert-score":
        assert model.hub.startswith("bert-")
        return
    organisation, _, name = model.hub.partition("/")
    assert organisation == ("google" if model.program.startswith("MetricX") else "Unbabel")
    assert name in (model.name, *(f"{model.name}-v{version}" for version in ("2p0", "2p6")))
    if organisation == "google":
        year, kind, size = re.fullmatch(r"metricx-(\d\d)-(?:(hybrid|qe)-)?(large|xl|xxl)", model.name).groups()
        assert model.program == f"MetricX-{year}"
        assert (model.needs_source, model.needs_reference) == (kind is not None, kind != "qe")
        assert name.endswith("v2p6" if year == "24" else "v2p0")
        assert model.size == {"large": 1.2, "xl": 3.7, "xxl": 13}[size]


def test_each_model_is_named_once():
    assert len({model.name for model in MODELS}) == len({model.hub for model in MODELS}) == len(MODELS)
