"""The printed command of the page: read again, it asks for the same."""

import shlex

from bleuscope.features.sensitivity import commands
from bleuscope.features.sensitivity.command import _axis


def test_a_filter_with_a_comma_in_its_name_is_one_when_it_is_read_again(sample):
    filters = ("short", "label a, b", "label c\\d", "label e\\,")
    written = commands.sensitivity_command(sample.study(), sample.evaluation.bleu, ["case"], filters)
    (_, axis) = [one for one in shlex.split(written) if one == "case" or one.startswith("filter=")]
    assert _axis(axis) == ("filter", filters)
