"""Is a difference real? Tests of any score that is a function of summed counts."""

from bleucore.significance.block_studies import LayoutStudy, SizeStudy, block_sizes, t_over_layouts, t_over_sizes
from bleucore.significance.block_tests import (
    BlockMethod,
    BlockTest,
    critical_t,
    every_block_test,
    paired_t_test,
    sign_test,
    wilcoxon_test,
)
from bleucore.significance.blocks import (
    BlockLayout,
    BlockSummary,
    BlockUnit,
    Remainder,
    block_counts,
    blocks_of_documents,
    blocks_of_number,
    blocks_of_size,
    summarise_blocks,
)
from bleucore.significance.compared import ComparedSystems
from bleucore.significance.comparison import Comparison, PairComparison, compare
from bleucore.significance.corrections import (
    CORRECTIONS,
    Correction,
    benjamini_hochberg,
    corrected,
    draws_needed,
    holm,
    rank_clusters,
)
from bleucore.significance.families import Family
from bleucore.significance.max_t import step_down_max_t
from bleucore.significance.paired import PairedTestResult
from bleucore.significance.power import smallest_detectable_difference, units_needed
from bleucore.significance.randomisation import Randomisation, approximate_randomisation, every_exchange, randomise
from bleucore.significance.resampling import (
    Bootstrap,
    bootstrap,
    bootstrap_scores,
    expanded_interval,
    paired_bootstrap,
    percentile_interval,
    sacrebleu_bootstrap,
)
from bleucore.significance.settings import BLOCK_TESTS, TESTS, SignificanceOptions, TestName
from bleucore.significance.units import TestSetUnits, Unit, UnitChoice, Units, effective_number, usual_block_size
from bleucore.significance.verdict import SAME_SCORE, Agreement, Verdict, Wins, pair_verdict, verdict_of

__all__ = [
    "BLOCK_TESTS",
    "CORRECTIONS",
    "SAME_SCORE",
    "TESTS",
    "Agreement",
    "BlockLayout",
    "BlockMethod",
    "BlockSummary",
    "BlockTest",
    "BlockUnit",
    "Bootstrap",
    "ComparedSystems",
    "Comparison",
    "Correction",
    "Family",
    "LayoutStudy",
    "PairComparison",
    "PairedTestResult",
    "Randomisation",
    "Remainder",
    "SignificanceOptions",
    "SizeStudy",
    "TestName",
    "TestSetUnits",
    "Unit",
    "UnitChoice",
    "Units",
    "Verdict",
    "Wins",
    "approximate_randomisation",
    "benjamini_hochberg",
    "block_counts",
    "block_sizes",
    "blocks_of_documents",
    "blocks_of_number",
    "blocks_of_size",
    "bootstrap",
    "bootstrap_scores",
    "compare",
    "corrected",
    "critical_t",
    "draws_needed",
    "effective_number",
    "every_block_test",
    "every_exchange",
    "expanded_interval",
    "holm",
    "pair_verdict",
    "paired_bootstrap",
    "paired_t_test",
    "percentile_interval",
    "randomise",
    "rank_clusters",
    "sacrebleu_bootstrap",
    "sign_test",
    "smallest_detectable_difference",
    "step_down_max_t",
    "summarise_blocks",
    "t_over_layouts",
    "t_over_sizes",
    "units_needed",
    "usual_block_size",
    "verdict_of",
    "wilcoxon_test",
]
