"""Time of TER in one process: of sentences, of paragraphs and of a few sentences, of the first system of a test set."""

import argparse
from collections.abc import Mapping
from functools import partial

from sacrebleu.metrics.ter import TER
from side_by_side import OURS, Columns, Job, Run, compare, parsed_arguments

from bleucore.metrics import ter

SENTENCES, PARAGRAPHS, FEW = 2_000, 100, 20
SENTENCES_OF_A_PARAGRAPH = 4
OPTIONS = ter.TerOptions()


def main(arguments: argparse.Namespace) -> None:
    """Run the jobs and print their tables."""
    compare(JOBS, arguments)


def _tools(systems: Columns, reference: list[str], *, n_texts: int, n_joined: int) -> Mapping[str, Run]:
    hypotheses, references = (
        _joined(column, n_joined)[:n_texts] for column in (next(iter(systems.values())), reference)
    )

    def ours() -> list[float]:
        (counts,) = ter.counts_of_texts([hypotheses], [references], OPTIONS, processes=1)
        return [float(ter.scores(counts.sum(axis=0), OPTIONS))]

    return {OURS: ours, "sacreBLEU": lambda: [TER().corpus_score(hypotheses, [references]).score]}


def _joined(column: list[str], n_joined: int) -> list[str]:
    return [" ".join(column[place : place + n_joined]) for place in range(0, len(column), n_joined)]


JOBS = tuple(
    Job(f"TER, {name}", partial(_tools, n_texts=n_texts, n_joined=n_joined), {"sacreBLEU": target})
    for name, n_texts, n_joined, target in (
        (f"{SENTENCES:,} sentences", SENTENCES, 1, 10),
        (f"{PARAGRAPHS} paragraphs", PARAGRAPHS, SENTENCES_OF_A_PARAGRAPH, 8),
        (f"{FEW} sentences", FEW, 1, 6),
    )
)

if __name__ == "__main__":
    main(parsed_arguments(__doc__))
