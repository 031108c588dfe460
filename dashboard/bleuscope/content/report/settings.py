"""The sections that say how it was computed, so that others can compute it again."""

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

from bleucore import BleuOptions, MetricEvaluation, __version__
from bleucore.declarations import declarations
from bleucore.options import DEFAULT_SMOOTHING_VALUES
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison import test_set_facts
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.paper import methods
from bleuscope.content.report.parts import Block, Code, Table, Tables, Words
from bleuscope.content.sheets.builders import FilledField, sheet_of
from bleuscope.content.sheets.sheet import Field
from bleuscope.content.significance.significance_sheets import named
from bleuscope.content.style.sentences import paragraph
from bleuscope.content.style.wordings import BLEU, METRICS, SIGNIFICANCE, Wordings

PACKAGES = ("numpy", "scipy", "pyarrow", "sacrebleu", "pandas", "plotly")
WORDINGS: Mapping[type, Wordings] = MappingProxyType({**dict(METRICS.values()), SignificanceOptions: SIGNIFICANCE})
Rows = list[tuple[str, str]]


def methods_blocks(study: TestedStudy, further: Sequence[methods.Part] = ()) -> list[Block]:
    """What to write into a paper, with further sentences, and the bibliography that it needs."""
    said = [*methods.sentences(study), *further]
    return [Words(paragraph("rp-quote", "{}", methods.written(said))), Code("BibTeX", methods.entries(said))]


def settings_blocks(study: TestedStudy, command: str | None) -> list[Block]:
    """Every setting, seed, signature and version, the test set's digest, and what to type to get this again."""
    groups = [("Test set", _of_test_set(study))]
    groups += [(name, _of_metric(metric)) for name, metric in study.evaluation.metrics.items()]
    groups += [("Significance tests", _of_dataclass(study.comparison.options)), ("Versions", versions())]
    blocks: list[Block] = [Tables(tuple(_group(title, rows) for title, rows in groups))]
    blocks += [Code(f"Signature of {name}", metric.signature) for name, metric in study.evaluation.metrics.items()]
    blocks.append(Code("Signature of the tests", study.comparison.options.signature()))
    blocks += [Code("Command that makes this report again", command)] if command else []
    return blocks


def versions() -> Rows:
    """What computed it: packages that can change a number or a picture, and Python."""
    return [
        ("bleuscope", __version__),
        *((name, _version(name)) for name in PACKAGES),
        ("Python", platform.python_version()),
    ]


def versions_table() -> Table:
    """The same as a table."""
    return _group("Versions", versions())


def _of_test_set(study: TestedStudy) -> Rows:
    test_set = study.test_set
    rows = [("title", study.title), ("SHA-256", test_set.digest)]
    rows += [(name, value) for value, name in test_set_facts.test_set_facts(test_set)]
    rows += [("names of references", ", ".join(test_set.reference_names or ()))]
    rows += [("labels", ", ".join(test_set.labels))] if test_set.labels else []
    rows += [("measured against", named(study.comparison, study.measured_against))]
    if study.compares:
        rows += [("system A", study.pair[0]), ("system B", study.pair[1])]
    return rows


def _of_metric(metric: MetricEvaluation) -> Rows:
    if metric.metric.is_read:
        points = "higher is better" if metric.higher_is_better else "lower is better"
        return [("read from", metric.metric.settings(metric.options)["file"]), ("direction", points)]
    stands_for = _stands_for(metric.options) if isinstance(metric.options, BleuOptions) else {}
    return [(name, stands_for.get(name, value)) for name, value in _of_dataclass(metric.options)]


def _stands_for(options: BleuOptions) -> dict[str, str]:
    """What None stands for."""
    takes_value = options.smoothing in DEFAULT_SMOOTHING_VALUES
    used = {BLEU["smoothing_value"].name: f"{options.effective_smoothing_value:g}" if takes_value else "not used"}
    return used | ({BLEU["weights"].name: "the same for each order"} if options.weights is None else {})


def _of_dataclass(options: object) -> Rows:
    wordings = WORDINGS[type(options)]
    return [
        (wordings[name].name, _value(value))
        for name, one in declarations(options).items()
        if (value := getattr(options, name)) != one.default or not wordings[name].is_rare
    ]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(f"{number:g}" for number in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _group(title: str, rows: Rows) -> Table:
    columns: list[FilledField] = [
        (Field("setting", "setting", "text"), [name for name, _ in rows]),
        (Field("value", "value", "text"), [value for _, value in rows]),
    ]
    sheet = sheet_of("settings", (f"Settings: {title}.",), columns, {}, title=f"Settings: {title}")
    return Table(sheet, "rp-settings", title)
