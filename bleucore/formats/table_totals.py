"""Rows beneath a table that sum it up."""

import re
from collections.abc import Sequence

from bleucore.formats.table_titles import is_number


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SUMS = _words(
    """total totals mean means average averages averaged avg ave sum sums overall subtotal gesamt gesamtwert summe
    insgesamt mittel mittelwert mittelwerte durchschnitt schnitt moyenne moyennes somme ensemble media promedio suma
    totale somma gemiddelde gemiddeld totaal średnia suma průměr celkem среднее средний итого всего сумма
    平均 平均値 平均值 合計 合计 总计 總計 总分 평균 합계 المتوسط المجموع σ ∑ ø μ x̄ ⌀
    bleu sacrebleu chrf ter comet cometkiwi bleurt meteor rouge bertscore metricx"""
)
"""Words of which one is enough to say that a row sums up others, or scores them."""
_BESIDE = _words(
    """macro micro weighted arithmetic geometric harmonic grand corpus score scores of all the row rows column value
    values median std sd stdev stddev dev deviation standard standardabweichung min max minimum maximum variance"""
)
"""Words that may stand with them; in the rows beneath a sum also without."""
_PIECE = re.compile(r"[^\W\d_]+|[∑⌀]")
_NUMBER = re.compile(r"[-+−]?\d[\d.,]{0,30}(?:[ \u00a0]?(?:%|±[ \u00a0]?\d[\d.,]{0,30}))?")
_NOTHING = frozenset({"", "-", "–", "—", "/", "n/a", "na", "nan", "none"})
_LONGEST, _MOST_ROWS, _LEAST_ROWS = 40, 6, 3


def n_totals(body: Sequence[Sequence[str]]) -> int:
    """How many of the last rows sum up the others: a word for that, and nothing else but numbers.

    Args:
        body: The texts of each column.
    """
    n_rows = len(body[0])
    most = min(_MOST_ROWS, n_rows - _LEAST_ROWS)
    found = 0
    for number in range(1, most + 1):
        cells = [texts[n_rows - number].strip() for texts in body]
        words = _only_words(cells) if any(cells) else set[str]()
        if words is None or (words and not words <= _SUMS | _BESIDE):
            break
        if words & _SUMS:
            found = number  # with the rows beneath it
    return _with_empty_rows(body, found, most) if found else 0


def _only_words(cells: Sequence[str]) -> set[str] | None:
    """The words of the only cell with any in a row of numbers; ``None`` for any other row."""
    named = [cell for cell in cells if cell.casefold() not in _NOTHING and not _is_number(cell)]
    if len(named) != 1 or len(named[0]) > _LONGEST or len(cells) < 2:  # noqa: PLR2004  # a word and a number
        return None
    return {word.casefold() for word in _PIECE.findall(named[0])} or None


def _is_number(cell: str) -> bool:
    return is_number(cell) or _NUMBER.fullmatch(cell) is not None


def _with_empty_rows(body: Sequence[Sequence[str]], found: int, most: int) -> int:
    """The number with the empty rows above those that sum up."""
    n_rows = len(body[0])
    while found < most and not any(texts[n_rows - found - 1].strip() for texts in body):
        found += 1
    return found
