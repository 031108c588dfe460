"""How differences are tested: every setting that can change a p-value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from bleucore.counts import Floats, read_only
from bleucore.declarations import Names, Number, Whole, declared, keep_accepted, signed_fields
from bleucore.significance.block_tests import BlockTest, paired_t_test, sign_test, wilcoxon_test
from bleucore.significance.blocks import BlockLayout, BlockSummary, Remainder, blocks_of_number, blocks_of_size
from bleucore.significance.corrections import CORRECTIONS, Correction, draws_needed
from bleucore.significance.resampling import Bootstrap, percentile_interval
from bleucore.significance.units import FEWEST_TESTED, TestSetUnits, Unit, UnitChoice, Units, usual_block_size
from bleucore.values import not_accepted, positive_number

TestName = Literal[
    "approximate-randomisation", "paired-bootstrap", "block-t", "block-wilcoxon", "block-sign", "sacrebleu-bs"
]
TESTS: tuple[TestName, ...] = get_args(TestName)
BLOCK_TESTS: Mapping[str, Callable[[BlockSummary, BlockSummary], BlockTest]] = MappingProxyType(
    {"block-t": paired_t_test, "block-wilcoxon": wilcoxon_test, "block-sign": sign_test}
)
SHARED_DRAWS: tuple[TestName, ...] = ("approximate-randomisation", "paired-bootstrap")
"""Tests whose draws every pair shares, with null distributions that say how the pairs depend on each other."""
USUAL_TRIALS = 10_000
USUAL_RESAMPLES = 1_000
MAX_TRIALS = 100_000
USUAL_BLOCKS = 20
MAX_BLOCK_SIZE = 1_000_000_000
REMAINDERS: tuple[Remainder, ...] = get_args(Remainder)
MOST_GROWN = 50_000
"""More draws than these are made only for who asks for them: they take memory, and minutes with a hundred systems."""
SPARE_DRAWS = 4
"""So many times the fewest that a family needs: a pair can be significant though two or three draws reach it."""
SIGNATURE_ORDER = ("test", "ar", "blocks", "size", "rest", "shuffled", "bs", "seed", "unit", "level", "correction")
LARGEST_SEED = 2**32 - 1
LEVELS = "a number between 0 and 1"
UNITS: tuple[UnitChoice, ...] = get_args(UnitChoice)


@dataclass(frozen=True)
class SignificanceOptions:
    """How differences are tested; every one of these can change a p-value.

    Attributes:
        test: Which of ``TESTS``.
        level: A p-value below it is called significant, 0 to 1.
        trials: Of approximate randomisation; ``None`` for 10,000, or as many as the family needs (``of_family``).
        resamples: For the intervals, and for the tests that are bootstraps; ``None`` for 1,000, or as many as a family
            needs where the test is a bootstrap.
        seed: Of all draws.
        unit: What is exchanged and resampled as a whole; see ``unit_of``.
        correction: For several comparisons at once; see ``effective_correction``.
        n_blocks: Of the tests over blocks of segments; ``None`` for 20.
        block_size: Segments in a block, which then says how many blocks there are; also of the unit ``"block"``.
        remainder: What becomes of segments that fill no block; see ``blocks_of_number``.
        shuffle_seed: Draws the segments of each block; ``None`` keeps their order.
    """

    test: TestName = declared(
        "approximate-randomisation", Names(TESTS), "tests", ("test", lambda options: options.test)
    )
    level: float = declared(
        0.05, Number(lambda value, _: _level(value)), "tests", ("level", lambda options: f"{options.level:g}")
    )
    trials: int | None = declared(
        None,
        Whole(1, MAX_TRIALS, USUAL_TRIALS),
        "tests",
        ("ar", lambda options: options.n_trials if options.test == "approximate-randomisation" else None),
    )
    resamples: int | None = declared(
        None, Whole(1, MAX_TRIALS, USUAL_RESAMPLES), "tests", ("bs", lambda options: options.n_resamples)
    )
    seed: int = declared(12345, Whole(0, LARGEST_SEED), "tests", ("seed", lambda options: options.seed))
    unit: UnitChoice = declared("auto", Names(UNITS), "tests", ("unit", lambda options: options.unit))
    correction: Correction = declared(
        "max-t", Names(CORRECTIONS), "tests", ("correction", lambda options: options.effective_correction)
    )
    n_blocks: int | None = declared(
        None,
        Whole(1, MAX_TRIALS, USUAL_BLOCKS),
        "tests",
        ("blocks", lambda options: options.n_blocks_made if options.block_size is None else None),
    )
    block_size: int | None = declared(
        None,
        Whole(1, MAX_BLOCK_SIZE, is_optional=True),
        "tests",
        ("size", lambda options: options.block_size if options.makes_blocks or options.unit == "block" else None),
    )
    remainder: Remainder = declared(
        "drop",
        Names(REMAINDERS),
        "tests",
        ("rest", lambda options: "spread" if options.makes_blocks and options.remainder == "spread" else None),
    )
    shuffle_seed: int | None = declared(
        None,
        Whole(0, LARGEST_SEED, is_optional=True),
        "tests",
        ("shuffled", lambda options: options.shuffle_seed if options.makes_blocks else None),
    )

    def __post_init__(self) -> None:
        """Refuse what is no setting of a test; keep each in one form."""
        keep_accepted(self)

    @property
    def effective_correction(self) -> Correction:
        """The correction that is made: Holm's for max-t where the test has no draws that all pairs share."""
        return "holm" if self.correction == "max-t" and self.test not in SHARED_DRAWS else self.correction

    @property
    def n_trials(self) -> int:
        """The trials of approximate randomisation: those chosen, or as many as are usual."""
        return self.trials or USUAL_TRIALS

    @property
    def n_resamples(self) -> int:
        """The resamples: those chosen, or as many as are usual."""
        return self.resamples or USUAL_RESAMPLES

    def interval(self, drawn: Bootstrap, resampled: Floats) -> tuple[float, float] | None:
        """The 95 % interval of differences (B,) on resamples, sacreBLEU's if its test is chosen.

        ``None`` from fewer than six units, but for sacreBLEU's.
        """
        if self.test == "sacrebleu-bs":
            return percentile_interval(resampled) if drawn.n_units > 1 else None
        return drawn.interval(resampled) if drawn.has_intervals else None

    def score_interval(self, drawn: Bootstrap, index: int) -> tuple[float, float] | None:
        """The 95 % interval of a system's score, by its place, as ``interval`` has that of a difference."""
        if self.test == "sacrebleu-bs":
            return self.interval(drawn, drawn.resampled[index])
        return drawn.score_interval(index)

    @property
    def makes_blocks(self) -> bool:
        """Whether the test is over blocks."""
        return self.test in BLOCK_TESTS

    @property
    def chooses_blocks(self) -> bool:
        """Whether the blocks of segments were chosen in any way."""
        chosen = self.n_blocks or self.block_size or self.remainder != "drop"
        return bool(chosen) or self.shuffle_seed is not None

    @property
    def keeps_its_units(self) -> bool:
        """Whether the test has units of its own, whatever is known of documents."""
        return self.test == "sacrebleu-bs" or (self.makes_blocks and self.chooses_blocks)

    @property
    def n_blocks_made(self) -> int | None:
        """How many blocks of segments are asked for; ``None`` where a test makes none."""
        makes = self.makes_blocks and self.unit != "document"
        return (self.n_blocks or USUAL_BLOCKS) if makes else None

    def unit_of(self, known: TestSetUnits) -> Unit:
        """What is exchanged and resampled.

        Unless a unit was chosen, these are documents; where documents are unknown, blocks of neighbouring segments (or
        items, where rows repeat). Of few segments each is a unit. sacreBLEU's own test keeps to segments, and chosen
        blocks are blocks.
        """
        if self.unit != "auto":
            return self.unit
        if self.test == "sacrebleu-bs":
            return "segment"
        if self.makes_blocks and self.chooses_blocks:
            return "block"
        if known.documents is not None:
            return "document"
        if known.items is not None:
            return "block" if usual_block_size(known.of("item").n_units) > 1 else "item"
        return "block" if usual_block_size(known.n_whole) > 1 else "segment"

    def units_of(self, known: TestSetUnits) -> Units:
        """The units of some segments.

        Raises:
            InputError: Documents are asked for and unknown.
        """
        return known.of(self.unit_of(known), None if self.makes_blocks else self.block_size)

    def can_test(self, n_units: int) -> bool:
        """Whether there are enough units for a p-value to fall below .05; tests with their own units decide alone."""
        return n_units >= FEWEST_TESTED or self.keeps_its_units

    def has_stars(self, known: TestSetUnits) -> bool:
        """Whether a small p-value counts as significant.

        Not for segments by themselves where they are known to depend on each other.
        """
        is_by_segment = self.shuffle_seed is not None if self.makes_blocks else self.unit == "segment"
        return known.are_independent or not (is_by_segment or self.test == "sacrebleu-bs")

    def block_layout(self, known: TestSetUnits) -> BlockLayout:
        """The blocks of tests over blocks; every document is one unless blocks were chosen.

        Blocks of segments keep the rows of an item together, where rows repeat.
        """
        if known.documents is not None and self.unit_of(known) == "document":
            documents = known.of("document").layout
            if documents is not None:
                return documents
        make, amount = (
            (blocks_of_number, self.n_blocks or USUAL_BLOCKS)
            if self.block_size is None
            else (blocks_of_size, self.block_size)
        )
        items = None if known.items is None else known.of("item").layout
        n_rows = known.n_segments if items is None else items.n_blocks
        layout = make(n_rows, min(amount, n_rows), remainder=self.remainder, shuffle_seed=self.shuffle_seed)
        return layout if items is None else replace(layout, groups=read_only(layout.groups[items.groups]))

    def block_size_of(self, n_segments: int) -> int | None:
        """The segments in a block; ``None`` for documents, which have no common size."""
        return None if self.unit == "document" else self.block_size or n_segments // (self.n_blocks or USUAL_BLOCKS)

    def n_blocks_of(self, n_segments: int) -> int:
        """How many blocks of segments there are, at most one of each segment."""
        if self.block_size is None:
            return min(self.n_blocks or USUAL_BLOCKS, n_segments)
        return n_segments // min(self.block_size, n_segments)

    @property
    def n_draws(self) -> int | None:
        """The trials or resamples behind each p-value; ``None`` for tests over blocks, which draw nothing."""
        if self.test in BLOCK_TESTS:
            return None
        return self.n_trials if self.test == "approximate-randomisation" else self.n_resamples

    def of_family(self, n_comparisons: int) -> "SignificanceOptions":
        """These settings with every number filled in, for so many comparisons that are corrected together.

        Draws that were not chosen become as many as the family needs, with some to spare (``SPARE_DRAWS``), unless
        even ``MOST_GROWN`` would not do. What was chosen stays, whether it can show anything or not.
        """
        needed = draws_needed(n_comparisons, self.level, self.effective_correction)
        grown = 0 if needed > MOST_GROWN else min(MOST_GROWN, SPARE_DRAWS * needed)
        is_bootstrap = self.test in ("paired-bootstrap", "sacrebleu-bs")
        return replace(
            self,
            trials=self.trials or max(USUAL_TRIALS, grown),
            resamples=self.resamples or max(USUAL_RESAMPLES, grown if is_bootstrap else 0),
            n_blocks=self.n_blocks or USUAL_BLOCKS,
        )

    def signature(self) -> str:
        """The settings in the style of sacreBLEU's signatures, to cite with a p-value."""
        return "|".join(f"{key}:{value}" for key, value in signed_fields(self, SIGNATURE_ORDER).items())


def _level(value: object) -> float:
    level = positive_number("level", value, 1.0, LEVELS)
    if not 0 < level < 1:
        raise not_accepted("level", value, LEVELS)
    return level
