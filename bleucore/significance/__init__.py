"""Is a difference real? Tests of any score that is a function of summed counts."""

from bleucore.significance.blocks import (
    BlockLayout,
    BlockSummary,
    PairedTTest,
    Remainder,
    blocks_of_number,
    blocks_of_size,
    paired_t_test,
    summarise_blocks,
)
from bleucore.significance.bootstrap import (
    Bootstrap,
    bootstrap,
    bootstrap_scores,
    paired_bootstrap,
    percentile_interval,
    sacrebleu_bootstrap,
)
from bleucore.significance.paired import PairedTestResult
from bleucore.significance.randomisation import Randomisation, approximate_randomisation, randomise

__all__ = [
    "BlockLayout",
    "BlockSummary",
    "Bootstrap",
    "PairedTTest",
    "PairedTestResult",
    "Randomisation",
    "Remainder",
    "approximate_randomisation",
    "blocks_of_number",
    "blocks_of_size",
    "bootstrap",
    "bootstrap_scores",
    "paired_bootstrap",
    "paired_t_test",
    "percentile_interval",
    "randomise",
    "sacrebleu_bootstrap",
    "summarise_blocks",
]
