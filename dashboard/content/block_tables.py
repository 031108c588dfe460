"""Block scores and their tests as tables."""

from collections.abc import Mapping

from markupsafe import Markup

from bleucore.significance import BlockTest
from dashboard.content import numbers
from dashboard.content.blocks import BlockAnalysis, Neighbour, Tests
from dashboard.content.identity import Identity
from dashboard.content.markup import Column, system_label, table
from dashboard.content.tables import NOTHING

QUESTIONS = {
    "paired t-test": "Is the mean of the differences zero?",
    "Wilcoxon signed-rank test": "Are the differences even around zero, by their ranks?",
    "sign test": "Is one system ahead in more blocks than even odds would give?",
}


def blocks_table(analysis: BlockAnalysis, looks: Mapping[str, Identity], neighbour: Neighbour) -> Markup:
    """Table 2 of Papineni et al. 2002, worst system first, with the tests against the left neighbour or baseline."""
    scale = analysis.scale
    other = "the system one row above" if neighbour == "left neighbour" else "the baseline"
    columns = [
        Column.of_term("system", is_text=True),
        Column(
            "mean",
            "Mean of the block scores. BLEU's is a little below that of all segments: small blocks lack long matches.",
        ),
        Column.of_term("variance"),
        Column("sd", f"Standard deviation of the block scores: the square root of the variance, in {scale.unit}."),
        Column("Δ", f"Mean of the paired block differences: this system minus {other}."),
        Column("95 % interval", "Confidence interval of that mean, by the t-distribution."),
        Column.of_term("t"),
        Column.of_term("p (t)", "p"),
        Column("p (Wilcoxon)", "Two-sided p of the signed-rank test, which takes ranks instead of sizes."),
        Column("p (sign)", "Two-sided p of the sign test, which takes only which system is ahead in a block."),
    ]
    cells = []
    for row in analysis.rows:
        summary = row.summary
        cells.append(
            [
                system_label(looks[summary.name]),
                scale.score(summary.mean),
                NOTHING if summary.variance is None else scale.score(summary.variance),
                NOTHING if summary.standard_deviation is None else scale.score(summary.standard_deviation),
                *_test_cells(analysis, row.tests(neighbour)),
            ]
        )
    return table(columns, cells, caption=f"Block scores and tests against {other}, lowest corpus score first")


def tests_table(analysis: BlockAnalysis, tests: Tests) -> Markup:
    """The three tests of two systems, each with what it asks."""
    columns = [
        Column("test", is_text=True),
        Column("statistic", "t of B minus A; Wilcoxon's smaller sum of ranks W; the blocks in which B is ahead."),
        Column("p", "How often chance alone would give a result at least this far from even, either way."),
        Column("asks", is_text=True),
    ]
    higher_is_better = analysis.scale.higher_is_better
    rows = [
        [test.method, _statistic(test, higher_is_better=higher_is_better), _p(test), QUESTIONS[test.method]]
        for test in tests
    ]
    return table(columns, rows, caption="Tests of systems A and B over the blocks")


def _test_cells(analysis: BlockAnalysis, tests: Tests | None) -> list[str | Markup]:
    if tests is None:
        return [NOTHING] * 6
    t_test, wilcoxon, signs = tests
    return [
        analysis.scale.difference(t_test.mean_difference),
        NOTHING if t_test.interval is None else analysis.scale.interval(*t_test.interval),
        _missing("no t", t_test) if t_test.statistic is None else numbers.statistic(t_test.statistic),
        _p(t_test),
        _p(wilcoxon),
        _p(signs),
    ]


def _statistic(test: BlockTest, *, higher_is_better: bool) -> str | Markup:
    if test.statistic is None:
        return _missing("none", test)
    if test.method == "paired t-test":
        return f"t({numbers.count(test.degrees_of_freedom)}) = {numbers.statistic(test.statistic)}"
    if test.method == "sign test":
        n_ahead = test.n_positive if higher_is_better else test.n_negative
        return f"{numbers.count(n_ahead)} of {numbers.count(test.n_positive + test.n_negative)}"
    return f"W = {f'{test.statistic:,.1f}'.removesuffix('.0').replace(',', numbers.THIN_SPACE)}"


def _p(test: BlockTest) -> str | Markup:
    return NOTHING if test.p_value is None else numbers.p_value(test.p_value)


def _missing(text: str, test: BlockTest) -> Markup:
    return Markup('<abbr tabindex="0" title="{}">{}</abbr>').format(test.reason, text)
