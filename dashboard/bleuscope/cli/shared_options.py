"""Options that several commands share, and the values that they come to.

Names are those of sacreBLEU's own command where they mean the same.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bleucore.declarations import Names, Number, Truth, Whole, declarations
from bleucore.errors import InputError
from bleucore.metrics import IN_PLACE_OF_BLEU, MetricOptions, metric_of
from bleucore.metrics.presets import PRESETS, preset
from bleucore.options import BleuOptions
from bleucore.tokens.tokenizer_choice import usual_tokenizer
from bleucore.values import shown, unknown_name
from bleuscope.cli.output import STANDARD_OUTPUT, Output, form_of
from bleuscope.cli.texts import expanded
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.sheets.forms import COMMAND_FORMS
from bleuscope.content.style.wordings import METRICS, SIGNIFICANCE, Wordings, added_metrics, key_of

if TYPE_CHECKING:
    from bleucore.significance import SignificanceOptions

Command = Callable[..., Any]
Given = dict[str, Any]
Decorator = Callable[[Command], Command]


def examples(*lines: str) -> str:
    """What stands beneath the help of a command, each on its own line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


_PATH = click.Path(allow_dash=True)
TEXT_NAMES = ("systems", "references", "source", "documents", "labels", "encoding")
"""The parameters of ``text_options``."""


def text_options(systems: str, references: str) -> list[Callable[[Any], Any]]:
    """Which files hold texts.

    Args:
        systems: What the help calls files with outputs.
        references: What it says of references.
    """
    return [
        click.argument("systems", nargs=-1, metavar=systems, type=_PATH),
        click.option("-r", "--reference", "references", multiple=True, type=_PATH, help=references),
        click.option("-s", "--source", type=_PATH, help="The file with the source."),
        click.option("--documents", type=_PATH, help="A file with the document of each segment, one name per line."),
        click.option("--labels", multiple=True, type=_PATH, help="A file with one label per line, such as the domain."),
        click.option(
            "--encoding", metavar="NAME", help="The encoding of files that are not UTF-8, such as windows-1252."
        ),
    ]


def file_options(*, takes_scores: bool = True, takes_judgements: bool = False, needs_systems: bool = True) -> Decorator:
    """Which texts; the command gets ``asked``.

    Args:
        takes_scores: Whether scores of other metrics can be given too.
        takes_judgements: Whether judgements of people can.
        needs_systems: Whether there have to be any.
    """
    path = _PATH
    options = [
        *text_options("SYSTEM...", "A file with references."),
        click.option(
            "-i",
            "--input",
            "inputs",
            multiple=True,
            type=path,
            metavar="SYSTEM...",
            help="Systems, as in sacreBLEU. Files before this option are references.",
        ),
        click.option("-t", "--test-set", metavar="NAME", help="A test set of sacreBLEU, with source and references."),
        click.option(
            "-l",
            "--language-pair",
            "--langpair",
            metavar="XX-YY",
            help="The language pair of the test set, such as en-de.",
        ),
        click.option("--sample", is_flag=True, help="Use the sample comparison instead of files."),
        click.option(
            "--align",
            "aligns",
            is_flag=True,
            help="Split outputs with other line breaks into the references' segments.",
        ),
    ]
    names = [*TEXT_NAMES, "inputs", "test_set", "language_pair", "sample", "aligns"]
    if takes_scores:
        options += [
            click.option("--scores", multiple=True, type=path, help="A file with segment scores of other metrics."),
            click.option(
                "--score-column",
                "score_columns",
                multiple=True,
                metavar="COLUMN",
                help="A column to read from it.  [default: all]",
            ),
            click.option(
                "--lower-is-better", multiple=True, metavar="COLUMN", help="A column in which lower is better."
            ),
        ]
        names += ["scores", "score_columns", "lower_is_better"]
    if takes_judgements:
        options += [
            click.option("--judgements", multiple=True, type=path, help="A file with judgements of the systems."),
            click.option(
                "--move-spans", "moves_spans", is_flag=True, help="Move their error spans to where they fit better."
            ),
        ]
        names += ["judgements", "moves_spans"]
    if takes_scores or takes_judgements:
        told = "The system that NAME means in such a file; NAME= leaves it out."
        options.append(click.option("--system-name", "system_names", multiple=True, metavar="NAME=SYSTEM", help=told))
        names.append("system_names")
    return made_of(options, names, "asked", lambda given, _: _asked(given, needs_systems=needs_systems))


def scoring_options(command: Command) -> Command:
    """How to score; the command gets ``scoring``."""
    options = [
        click.option(
            "-m",
            "--metrics",
            "metrics",
            multiple=True,
            metavar="METRIC...",
            help="bleu, chrf, ter. Settings follow a colon: chrf:word-order=2. Comparisons always include chrf.",
        ),
        click.option("--preset", type=click.Choice(tuple(PRESETS)), help="BLEU with the settings of another tool."),
    ]
    names = ["metrics", "preset"]
    for group, (kind, wordings) in METRICS.items():
        options += _options_of(group, kind, wordings)
        names += _names_of(group, wordings)
    return made_of(options, names, "scoring", _scoring)(command)


def named_metrics() -> tuple[str, ...]:
    """The metrics that the present command names, in lower case, without their settings; BLEU where it names none."""
    given: Sequence[str] = click.get_current_context().params["metrics"]
    named = [one.strip().lower().partition(":")[0] for names in given for one in names.split(",")]
    return tuple(dict.fromkeys(named)) or ("bleu",)


def names_tokenizer() -> bool:
    """Whether the present command was told which tokenizer to use, by itself or by a preset."""
    source = click.get_current_context().get_parameter_source
    return any(source(name) not in (None, ParameterSource.DEFAULT) for name in ("bleu_tokenizer", "preset"))


def test_options(command: Command) -> Command:
    """How to test differences; the command gets ``significance``."""
    from bleucore.significance import SignificanceOptions  # noqa: PLC0415  # with scipy, which scoring does without

    options = _options_of("test", SignificanceOptions, SIGNIFICANCE)
    return made_of(options, _names_of("test", SIGNIFICANCE), "significance", _significance)(command)


test_options.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever pytest makes of the name


def output_options(*, forms: Sequence[str] = COMMAND_FORMS, chooses: bool = True) -> Decorator:
    """In which form and where to; the command gets ``output``.

    Args:
        forms: Those that the command has.
        chooses: Whether it has tables and columns to choose from.
    """
    options = [
        format_option(forms),
        click.option(
            "-o",
            "--output",
            "path",
            type=click.Path(allow_dash=True),
            default=STANDARD_OUTPUT,
            help="The file to write; its ending sets the format.",
        ),
    ]
    names = ["form", "path"]
    if chooses:
        options += [
            click.option(
                "--table",
                metavar="NAME",
                help="Only this table, or all. Without it, tsv and csv contain the first.",
            ),
            click.option("--columns", metavar="KEY,…", help="Only these columns, named as in json."),
            click.option(
                "-w",
                "--width",
                "--decimals",
                "decimals",
                type=click.IntRange(0, 4),
                help="Decimals of scores, differences and intervals in table, markdown and latex.",
            ),
        ]
        names += ["table", "columns", "decimals"]
    return made_of(options, names, "output", lambda given, asked: _output(given, asked, forms))


def format_option(forms: Sequence[str]) -> Decorator:
    """``--format``; without it, the ending of the file to write decides."""
    told = f"[default: by the ending of --output, else {forms[0]}]"
    return click.option("-f", "--format", "form", type=click.Choice(forms), help=told)


def baseline_option(command: Command) -> Command:
    """What the others are measured against; the command gets ``baseline``."""
    return click.option(
        "--baseline",
        metavar="NAME",
        help="The system to test the others against.  [default: the best, with p corrected for that choice]",
    )(command)


def pair_option(command: Command) -> Command:
    """Which two systems; the command gets ``pair``."""
    return click.option(
        "--pair",
        nargs=2,
        metavar="A B",
        help="Two systems; Δ is B minus A.  [default: the baseline and the best other; else the two given, or second "
        "best and best]",
    )(command)


def metric_option(command: Command) -> Command:
    """In which metric systems are compared; the command gets ``metric``."""
    return click.option(
        "--metric",
        "--tested",
        "metric",
        metavar="NAME",
        help="The metric to compare systems in, named as in tables.  [default: BLEU]",
    )(command)


def metric_of_all(scoring: Settings, bleu: BleuOptions, name: str | None, what: str) -> MetricOptions:
    """The options of the one metric that everything is scored in: those of BLEU unless another one is named.

    Args:
        scoring: What was asked for beside BLEU; a metric that was not has its usual settings.
        bleu: Those of BLEU.
        name: The metric, as tables name it.
        what: What is in one metric: "a history".

    Raises:
        InputError: There is no such metric, or metrics are given and none of them is named.
    """
    given = {metric_of(one).name(one): one for one in scoring.metrics}
    if name is None and given:
        raise InputError(
            f"{what} is in one metric",
            where="Option --metrics",
            found=", ".join(given),
            remedy=f"Name it with --metric, as in --metric {next(iter(given))}.",
        )
    if name is None:
        return bleu
    known: dict[str, MetricOptions] = {metric_of(bleu).name(bleu): bleu, **IN_PLACE_OF_BLEU, **given}
    folded = {one.casefold(): options for one, options in known.items()}
    if name.casefold() not in folded:
        raise unknown_name("metric", name, known, where="Option --metric", remedy="Name one of these.")
    return folded[name.casefold()]


def made_of(
    options: Sequence[Callable[[Any], Any]],
    names: Sequence[str],
    argument: str,
    make: Callable[[Given, Inputs | None], object],
) -> Decorator:
    """A decorator that adds options to a command and hands one value to it that they come to.

    Args:
        options: Decorators of click.
        names: Of their parameters.
        argument: The name of the value.
        make: Makes it from the parameters and from what is to be read, where a decorator above says that.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_value(*arguments: Any, **given: Any) -> Any:  # noqa: ANN401  # click gives each option by its own type
            own = {name: given.pop(name) for name in names}
            return command(*arguments, **given, **{argument: make(own, given.get("asked"))})

        decorated: Any = with_value
        for option in reversed(options):
            decorated = option(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


def _options_of(group: str, kind: type, wordings: Wordings) -> list[Callable[[Any], Any]]:
    """The options of click for a class of options; what is not given is ``None``."""
    declared = declarations(kind)
    found = []
    for name in _said(wordings):
        wording, accepts = wordings[name], declared[name].accepts
        of_kind: Given = {"metavar": wording.metavar}
        if isinstance(accepts, Names):
            of_kind["type"] = click.Choice(accepts.choices)
        elif isinstance(accepts, Truth):
            of_kind |= {} if "/" in wording.options[0] else {"is_flag": True}
        elif isinstance(accepts, Whole):
            of_kind["type"] = int  # the options themselves refuse what is too small or too large
        elif not accepts.are_several:
            of_kind["type"] = float
        told = wording.help_of_option(declared[name])
        found.append(click.option(*wording.options, f"{group}_{name}", default=None, help=told, **of_kind))
    return found


def _names_of(group: str, wordings: Wordings) -> list[str]:
    return [f"{group}_{name}" for name in _said(wordings)]


def _said(wordings: Wordings) -> list[str]:
    """The settings that have an option."""
    return [name for name, wording in wordings.items() if wording.options]


def _given(group: str, kind: type, given: Given) -> Given:
    """What is given of a class of options, by its fields.

    Raises:
        InputError: Something else stands where numbers are expected.
    """
    found: Given = {}
    for name, one in declarations(kind).items():
        value = given.get(f"{group}_{name}")
        if isinstance(value, str) and isinstance(one.accepts, Number):
            value = _numbers(METRICS[group][1][name].option, value)
        if value is not None:
            found[name] = value
    return found


def texts_given(given: Given) -> Inputs:
    """The files that ``text_options`` names, and the languages beside them.

    Raises:
        InputError: A pattern names no file, or a file is a system and a reference.
    """
    systems, references = expanded(given["systems"]), expanded(given["references"])
    _refuse_both(systems, references)
    return Inputs(
        systems=systems,
        references=references,
        source=given["source"],
        documents=given["documents"],
        labels=expanded(given["labels"]),
        encoding=given["encoding"],
        language_pair=given["language_pair"],
    )


def _refuse_both(systems: Sequence[str], references: Sequence[str]) -> None:
    """Refuse a reference that is one of several systems, as ``*.txt`` makes it: it would score 100."""
    if len(systems) == 1:
        return
    places = {os.path.abspath(path) for path in systems if path != STANDARD_OUTPUT}  # noqa: PTH100  # links stay links
    for path in references:
        if os.path.abspath(path) in places:  # noqa: PTH100
            raise InputError(
                "this file is a system and a reference",
                where=path,
                found="a reference that would score 100",
                remedy="Leave it out of the systems; a pattern such as *.txt matches every file.",
            )


def _asked(given: Given, *, needs_systems: bool) -> Inputs:
    """What is to be read.

    Raises:
        InputError: The sample or a test set is named beside files, or a pattern names no file.
        click.UsageError: There is no system.
    """
    given = _with_inputs(given)
    inputs = replace(
        texts_given(given),
        test_set=given["test_set"],
        scores=expanded(given.get("scores", ())),
        score_columns=given.get("score_columns", ()),
        lower_is_better=given.get("lower_is_better", ()),
        judgements=expanded(given.get("judgements", ())),
        system_names=given.get("system_names", ()),
        moves_spans=given.get("moves_spans", False),
        aligns=given["aligns"],
    )
    if given["sample"]:
        if inputs.of_texts != Inputs():
            raise _too_much("Option --sample", "files or a test set with it", "the sample alone")
        inputs = replace(inputs, is_sample=True)
    elif needs_systems and not inputs.systems:
        raise click.UsageError("Missing argument 'SYSTEM...'.", click.get_current_context())
    if inputs.test_set is not None and (inputs.references or inputs.source is not None):
        raise _too_much("Option --test-set", "--reference or --source with it", "one of both")
    if inputs.test_set is not None and "," in inputs.test_set:
        raise InputError(
            "this names several test sets",
            where="Option --test-set",
            found=shown(inputs.test_set),
            expected="one test set",
            remedy="Score each by itself, or all with bleuscope campaign.",
        )
    return inputs


def _with_inputs(given: Given) -> Given:
    """What is given, with the files of ``--input`` as the systems: what stands alone is references, as in sacreBLEU.

    Raises:
        click.UsageError: There are references or a test set too, so what stands alone may be a system.
    """
    alone, references = given["systems"], given["references"]
    if not given["inputs"]:
        return given
    if alone and (references or given["test_set"] is not None):
        raise click.UsageError(
            f"{alone[0]} may be a system or a reference. Next to -i, name references with -r or before -i, not both; "
            "name every system behind -i.",
            click.get_current_context(),
        )
    return given | {"systems": given["inputs"], "references": references or alone}


def _too_much(where: str, found: str, expected: str) -> InputError:
    return InputError(
        "what to read is named twice", where=where, found=found, expected=expected, remedy="Leave one of them out."
    )


def _scoring(given: Given, asked: Inputs | None) -> Settings:
    """How to score: a preset, and what is given beside it.

    Raises:
        InputError: A name or value that is not accepted.
    """
    changes = _given("bleu", BleuOptions, given)
    if given["preset"] is not None:
        options = preset(given["preset"]).options
        if "smoothing" in changes and changes["smoothing"] != options.smoothing:
            changes.setdefault("smoothing_value", None)
    else:
        target = ((asked and asked.language_pair) or "").partition("-")[2]
        options = BleuOptions(usual_tokenizer(target))
    return Settings(replace(options, **changes), _metrics(given))


def _metrics(given: Given) -> tuple[MetricOptions, ...]:
    """The metrics beside BLEU, in the order of their names."""
    asked = [name.strip().lower() for names in given["metrics"] for name in names.split(",")]
    kinds = {name: name.partition(":")[0] for name in asked}
    added = added_metrics() if set(kinds.values()) - set(METRICS) else {}
    for name, metric in kinds.items():
        if metric not in METRICS and name not in added:
            raise InputError(
                "there is no metric of this name",
                where="Option --metrics",
                found=shown(name),
                expected=f"one or more of {', '.join((*METRICS, *added))}",
                remedy="Scores of others can be read from a file with --scores.",
            )
    for metric, (kind, _) in list(METRICS.items())[1:]:
        if _given(metric, kind, given) and metric not in kinds.values():
            raise InputError(
                f"an option of {metric} is given without that metric",
                where="Option --metrics",
                found=", ".join(asked) or "bleu",
                remedy=f"Add --metrics {metric}.",
            )
    found = {
        name: added[metric] if metric in added else _metric(name, metric, given)
        for name, metric in kinds.items()
        if name != "bleu"
    }
    return tuple(dict.fromkeys(found.values()))


def _metric(name: str, metric: str, given: Given) -> MetricOptions:
    """The options of a metric, as those of the command line and the settings behind its name say.

    Raises:
        InputError: It has no such setting, or not this value.
    """
    kind, wordings = METRICS[metric]
    declared = declarations(kind)
    fields = {key_of(metric, wordings[one]): one for one in declared if metric != "bleu"}
    values = _given(metric, kind, given)
    for setting in name.split(":")[1:]:
        key, _, text = setting.partition("=")
        one = fields.get(key)
        if one is None or isinstance(declared[one].accepts, Truth) == bool(text):
            raise InputError(
                "this metric has no such setting",
                where="Option --metrics",
                found=shown(name),
                expected=f"any of {', '.join(fields)}" if fields else f"{metric} alone",
                remedy="Write it as in chrf:word-order=2:lowercase.",
            )
        values[one] = int(text) if text.isdecimal() else text or True
    options: MetricOptions = kind(**values)
    return options


def _numbers(option: str, text: str) -> tuple[float, ...]:
    """Numbers with commas between them.

    Raises:
        InputError: It is something else.
    """
    try:
        return tuple(float(number) for number in text.split(","))
    except ValueError as error:
        raise InputError(
            "these are no numbers",
            where=f"Option {option}",
            found=shown(text),
            expected="a number for each order, with commas between them",
            remedy="Write them as in 0.25,0.25,0.25,0.25.",
        ) from error


def _significance(given: Given, _asked: Inputs | None) -> "SignificanceOptions":
    from bleucore.significance import SignificanceOptions  # noqa: PLC0415

    return SignificanceOptions(**_given("test", SignificanceOptions, given))


def _output(given: Given, asked: Inputs | None, forms: Sequence[str]) -> Output:
    """Where to, once it is known that this can be written and is none of the files to read."""
    columns = tuple(key.strip() for key in (given.get("columns") or "").split(",") if key.strip())
    form = form_of(given["form"], given["path"], forms)
    output = Output(form, given["path"], given.get("table"), columns, given.get("decimals"))
    output.check(asked.paths if asked else ())
    return output
