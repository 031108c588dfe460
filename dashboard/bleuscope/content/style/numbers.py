"""How numbers are written: one form for each kind, the same on every screen."""

from bleucore import written_numbers

count, p_value = written_numbers.count, written_numbers.p_value
THIN_SPACE = written_numbers.THIN_SPACE
MINUS = "−"
OTHER_SIGN = str.maketrans({"+": MINUS, MINUS: "+"})
NO_BREAK = "\u00a0"
UNIT_SCALE = 2


def score(value: float, decimals: int = 2) -> str:
    """A score on 0-100, or one from a file, with a true minus: ``36.13``."""
    return f"{value:z.{decimals}f}".replace("-", MINUS)


def small(value: float) -> str:
    """A number around 0 to 1: ``0.0031``."""
    return f"{value:z.4f}".replace("-", MINUS)


def metric_score(value: float) -> str:
    """A score of any metric: two decimals, or four where scores lie around 0 to 1, as COMET's do."""
    text = f"{value:z.4f}" if 0 < abs(value) < UNIT_SCALE else f"{value:.2f}"
    return text.replace("-", MINUS)


def difference(value: float, decimals: int = 2) -> str:
    """A difference of scores, always signed, with a true minus: ``−1.34``."""
    text = f"{value:+.{decimals}f}"
    return score(0.0, decimals) if float(text) == 0 else text.replace("-", MINUS)


def tick(value: float) -> str:
    """A round number on an axis of differences, as short as it can be: ``+0.5``, ``−20``, ``0``."""
    text = f"{value:+.6g}"
    return "0" if float(text) == 0 else text.replace("-", MINUS)


def part(value: float) -> str:
    """What a segment or an n-gram adds to a difference, signed, with the decimals that small ones need: ``+0.0031``."""
    text = f"{value:+.4f}" if abs(value) < 1 else f"{value:+.2f}"
    return "0.0000" if float(text) == 0 else text.replace("-", MINUS)


def other_way(text: str) -> str:
    """A signed number as it is written with the other sign: ``−1.34`` of ``+1.34``."""
    return text.translate(OTHER_SIGN)


def precision(value: float) -> str:
    """A precision on 0-100: ``57.1``."""
    return f"{value:.1f}"


def ratio(value: float) -> str:
    """A brevity penalty, a length ratio or a correlation, with a true minus: ``0.984``."""
    return f"{value:z.3f}".replace("-", MINUS)


def times(value: float) -> str:
    """How many times as large: ``1.3``."""
    return f"{value:.1f}"


def about(value: int) -> str:
    """A whole number whose size alone matters, with two digits that count: ``7 500`` for 7 548."""
    return count(int(float(f"{value:.1e}")))


def counted(value: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun: ``1 segment``, ``2 segments``."""
    return f"{count(value)} {singular if value == 1 else plural or singular + 's'}"


def percent(share: float) -> str:
    """A share from 0 to 1 as a whole percentage: ``62 %``."""
    return f"{100 * share:.0f}{NO_BREAK}%"


def statistic(value: float) -> str:
    """A t-statistic: ``−3.40``."""
    return f"{value:z.2f}".replace("-", MINUS)


def interval(low: float, high: float) -> str:
    """An interval of differences: ``0.62 to 2.05``."""
    return f"{statistic(low)} to {statistic(high)}"


def runs_told(n_runs: int, mean: float, deviation: float | None) -> str:
    """How many runs, their mean and their standard deviation: "3 runs: 36.1 ± 0.4"."""
    spread = "" if deviation is None else f" ± {score(deviation, 1)}"
    return f"{counted(n_runs, 'run')}: {score(mean, 1)}{spread}"
