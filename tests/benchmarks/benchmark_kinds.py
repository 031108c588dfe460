"""Time of kinds of errors of two systems, next to that of their n-grams, which should not be less than half of it.

Both end at the difference of the two scores, as the sum of what each divides it into. The first run finds out what each
token is; later ones know. As everywhere here, tokenizing counts.
"""

import argparse
from collections.abc import Mapping

from side_by_side import OURS, Columns, Job, Run, compare, parsed_arguments

from bleucore import BleuOptions, System, TestSet
from bleucore.analysis.attribution import attribute
from bleucore.analysis.kinds import study_kinds
from bleucore.analysis.ngram_types import ngram_types, pair_tokens
from bleucore.evaluation import evaluate

OPTIONS = BleuOptions()


def main(arguments: argparse.Namespace) -> None:
    """Run the job and print its table."""
    compare([Job("kinds and n-grams of each pair of neighbours", _tools, {"n-grams": 0.5})], arguments)


def _tools(systems: Columns, reference: list[str]) -> Mapping[str, Run]:
    test_set = TestSet([System(name, texts) for name, texts in systems.items()], [reference])
    pairs = list(zip(test_set.system_names[::2], test_set.system_names[1::2], strict=False))
    counted = evaluate(test_set, OPTIONS).systems

    def kinds() -> list[float]:
        found = [study_kinds(test_set, pair, OPTIONS) for pair in pairs]
        return [float(one.total_gains.sum()) + one.jump for one in found]

    def ngrams() -> list[float]:
        differences = []
        for pair in pairs:
            whole = attribute(counted[pair[0]].counts, counted[pair[1]].counts, OPTIONS, names=pair)
            ngram_types(pair_tokens(test_set, pair, OPTIONS), whole.values.sum(axis=0)[2 : 2 + OPTIONS.max_order])
            differences.append(whole.difference)
        return differences

    return {OURS: kinds, "n-grams": ngrams}


if __name__ == "__main__":
    main(parsed_arguments(__doc__))
