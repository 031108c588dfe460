"""``bleuscope plugin-check``: whether what other packages add keeps the laws of its kind."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

import click

from bleucore.batteries import CHECK_LAWS, FORMAT_LAWS, METRIC_LAWS, GivenFormat, GivenMetric, Outcome, outcomes
from bleucore.checks import CHECKS, Check
from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.formats import FORMATS, Format
from bleucore.metrics import METRICS, Metric, MetricOptions
from bleucore.plugins import Plugin, broken_plugins, plugins_in_use
from bleuscope.cli.neural_laws import NEURAL_LAWS
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.shared_options import examples, output_options
from bleuscope.content.findings.plugin_sheets import plugins_sheet
from bleuscope.neural.metrics import NEURAL_METRICS
from bleuscope.registry import Feature, added_features
from bleuscope.runtime.params import PARAMS

if TYPE_CHECKING:
    from bleuscope.neural.manifest import NeuralMetric

FOUND = 1


@click.command(
    "plugin-check",
    epilog=examples(
        "bleuscope plugin-check",
        "bleuscope plugin-check bleuscope-wer",
        "bleuscope plugin-check --format json -o plugins.json",
    ),
)
@click.argument("packages", nargs=-1, metavar="[PACKAGE]...")
@output_options()
@click.pass_context
def plugin_check_command(context: click.Context, packages: tuple[str, ...], output: Output) -> None:
    """Check the plug-ins of other packages: metrics, neural metrics, checks, formats and features.

    Every plug-in has to keep the same laws as what the program has itself. Without PACKAGE, all plug-ins are checked. A
    neural metric is tried on texts once it has run here; nothing is downloaded.

    Exit codes: 0, 1 if a plug-in breaks a law or is left out, 2 for a package without plug-ins.
    """
    for registry in (METRICS, CHECKS, FORMATS, PARAMS, NEURAL_METRICS):
        _ = registry.added
    added_features()
    known = {plugin.package for plugin in (*plugins_in_use(), *broken_plugins())}
    _refuse_unknown(packages, known)
    wanted = packages or known
    outcomes_of = {one: [*_tried(one, entry)] for one, entry in plugins_in_use().items() if one.package in wanted}
    for one, reason in broken_plugins().items():  # some only break as they are tried
        if one.package in wanted:
            outcomes_of[one] = [Outcome("It can be used.", reason)]
    asked = [*outcomes_of.items()]
    give_tables(Tables({"plugins": lambda: plugins_sheet(asked)}, ()), output)
    if any(one.fault is not None for _, tried in asked for one in tried):
        context.exit(FOUND)


def _refuse_unknown(packages: Sequence[str], known: set[str]) -> None:
    unknown = [one for one in packages if one not in known]
    if unknown:
        raise InputError(
            "no installed package of this name adds anything to bleuscope",
            where="Argument PACKAGE",
            found=unknown[0],
            expected=", ".join(sorted(known)) or "a package with entry points such as bleuscope.metrics",
            remedy="Install it into the same environment.",
        )


def _tried(plugin: Plugin, entry: object) -> Iterator[Outcome]:
    tried = {"metric": _metric, "check": _check, "format": _format, "feature": _feature, "neural metric": _neural}
    return tried[plugin.kind](plugin, entry)


def _metric(_: Plugin, entry: object) -> Iterator[Outcome]:
    for name, options in cast("Metric", entry).offered.items():
        for one in outcomes(METRIC_LAWS, GivenMetric(_always(options))):
            yield Outcome(one.law, None if one.fault is None else f"{name}: {one.fault}")


def _always(options: MetricOptions) -> Callable[[TestSet], MetricOptions]:
    return lambda _: options


def _check(_: Plugin, entry: object) -> Iterator[Outcome]:
    return outcomes(CHECK_LAWS, cast("Check", entry))


def _format(plugin: Plugin, entry: object) -> Iterator[Outcome]:
    return outcomes(FORMAT_LAWS, GivenFormat(cast("Format", entry), plugin.name))


def _feature(_: Plugin, entry: object) -> Iterator[Outcome]:
    from bleuscope.cli.feature_laws import FEATURE_LAWS  # noqa: PLC0415  # Streamlit takes half a second

    return outcomes(FEATURE_LAWS, cast("Feature", entry))


def _neural(_: Plugin, entry: object) -> Iterator[Outcome]:
    return outcomes(NEURAL_LAWS, cast("NeuralMetric", entry))
