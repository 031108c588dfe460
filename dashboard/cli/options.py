"""Options that several commands share, and the values that they come to.

Names are those of sacreBLEU's own command where they mean the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from bleucore.chrf import ChrfOptions
from bleucore.errors import InputError
from bleucore.metrics import MetricOptions
from bleucore.options import (
    EXTERNAL_TOKENIZER_NAMES,
    MAX_ORDER_LIMIT,
    REFERENCE_LENGTHS,
    SMOOTHING_METHODS,
    TOKENIZER_NAMES,
    BleuOptions,
)
from bleucore.presets import PRESETS, preset
from bleucore.ter import TerOptions
from bleucore.tokenizer_choice import usual_tokenizer
from bleucore.values import shown
from dashboard.cli.output import STANDARD_OUTPUT, Output
from dashboard.cli.texts import Asked, expanded
from dashboard.content.inputs import Inputs
from dashboard.content.sheets.forms import COMMAND_FORMS

if TYPE_CHECKING:
    from bleucore.significance import SignificanceOptions

Command = Callable[..., Any]
Given = dict[str, Any]
Decorator = Callable[[Command], Command]

METRICS = ("bleu", "chrf", "ter")


@dataclass(frozen=True)
class Scoring:
    """How to score.

    Attributes:
        options: BLEU's.
        metrics: Settings of further metrics.
    """

    options: BleuOptions
    metrics: tuple[MetricOptions, ...] = ()


def examples(*lines: str) -> str:
    """What stands beneath the help of a command, each on its own line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def file_options(*, takes_scores: bool = True, needs_systems: bool = True) -> Decorator:
    """Which texts; the command gets ``asked``.

    Args:
        takes_scores: Whether scores of other metrics can be given too.
        needs_systems: Whether there have to be any.
    """
    path = click.Path(allow_dash=True)
    options = [
        click.argument("systems", nargs=-1, metavar="SYSTEM...", type=path),
        click.option("-r", "--reference", "references", multiple=True, type=path, help="A file with references."),
        click.option("-s", "--source", type=path, help="The file with the source."),
        click.option("--documents", type=path, help="A file with the document of each segment, a name a line."),
        click.option("--labels", multiple=True, type=path, help="A file with a label a line, such as its domain."),
        click.option("--encoding", metavar="NAME", help="Of files that are not UTF-8, as in windows-1252."),
        click.option("-t", "--test-set", metavar="NAME", help="A test set that sacreBLEU has: source and references."),
        click.option("-l", "--language-pair", "--langpair", metavar="XX-YY", help="Of the test set, as in en-de."),
        click.option("--sample", is_flag=True, help="Take the sample comparison in place of files."),
    ]
    names = ["systems", "references", "source", "documents", "labels", "encoding"]
    names += ["test_set", "language_pair", "sample"]
    if takes_scores:
        options += [
            click.option("--scores", multiple=True, type=path, help="A file with segment scores of other metrics."),
            click.option("--lower-is-better", multiple=True, metavar="COLUMN", help="A column of these with errors."),
        ]
        names += ["scores", "lower_is_better"]
    return made_of(options, names, "asked", lambda given, _: _asked(given, needs_systems=needs_systems))


def scoring_options(command: Command) -> Command:
    """How to score; the command gets ``scoring``."""
    flag = _switch
    options = [
        click.option(
            "-m", "--metrics", "metrics", multiple=True, metavar="METRIC", help="bleu (always), chrf, ter; or a,b."
        ),
        click.option("--preset", type=click.Choice(tuple(PRESETS)), help="BLEU as another tool has it."),
        click.option(
            "-tok",
            "--tokenize",
            type=click.Choice(TOKENIZER_NAMES + EXTERNAL_TOKENIZER_NAMES),
            help="[default: 13a; for a pair into zh, ja or ko that language's]",
        ),
        flag("--lowercase/--no-lowercase", "-lc", help_text="Ignore case."),
        click.option("--smooth-method", type=click.Choice(SMOOTHING_METHODS), help="[default: exp]"),
        click.option("-sv", "--smooth-value", type=float, help="For floor (0.1 unless given) and add-k (1)."),
        click.option("--max-ngram-order", type=click.IntRange(1, MAX_ORDER_LIMIT), help="[default: 4]"),
        flag(
            "--effective-order/--no-effective-order",
            "-e",
            help_text="Leave out orders that no hypothesis is long enough for.",
        ),
        click.option("--reference-length", type=click.Choice(REFERENCE_LENGTHS), help="[default: closest]"),
        click.option("--weights", metavar="W,W,…", help="Of the orders; their sum is 1."),
        click.option("-cc", "--chrf-char-order", type=int, help="[default: 6]"),
        click.option("-cw", "--chrf-word-order", type=int, help="2 is chrF++.  [default: 0]"),
        click.option("--chrf-beta", type=int, help="[default: 2]"),
        click.option("--chrf-whitespace", is_flag=True, default=None, help="Count white space too."),
        click.option("--chrf-lowercase", is_flag=True, default=None, help="Ignore case."),
        click.option("--chrf-eps-smoothing", is_flag=True, default=None, help="As chrF++.py, NLTK and Moses."),
        click.option("--ter-case-sensitive", is_flag=True, default=None, help="Tell capitals apart."),
        click.option("--ter-asian-support", is_flag=True, default=None, help="Treat Asian characters apart."),
        click.option("--ter-no-punct", is_flag=True, default=None, help="Delete punctuation."),
        click.option(
            "--ter-normalized",
            is_flag=True,
            default=None,
            help="Split punctuation off first; in references twice, as sacreBLEU does.",
        ),
    ]
    names = ["metrics", "preset", "tokenize", "lowercase", "smooth_method", "smooth_value", "max_ngram_order"]
    names += ["effective_order", "reference_length", "weights", "chrf_char_order", "chrf_word_order", "chrf_beta"]
    names += ["chrf_whitespace", "chrf_lowercase", "chrf_eps_smoothing"]
    names += ["ter_case_sensitive", "ter_asian_support", "ter_no_punct", "ter_normalized"]
    return made_of(options, names, "scoring", _scoring)(command)


def test_options(command: Command) -> Command:
    """How to test differences; the command gets ``significance``."""
    from bleucore.significance import CORRECTIONS, TESTS  # noqa: PLC0415  # with scipy, which scoring does without
    from bleucore.significance.comparison import UNITS  # noqa: PLC0415

    options = [
        click.option("--test", type=click.Choice(TESTS), help="[default: approximate-randomisation]"),
        click.option(
            "--trials",
            "--paired-ar-n",
            "-parn",
            type=int,
            help="Of approximate randomisation.  [default: 10000, or as many as the number of comparisons needs]",
        ),
        click.option(
            "--resamples",
            "--paired-bs-n",
            "--confidence-n",
            "-pbsn",
            "-cin",
            type=int,
            help="Of intervals and bootstrap tests.  [default: 1000, or as many as a bootstrap test needs]",
        ),
        click.option("--seed", type=int, help="[default: 12345]"),
        click.option("--level", type=float, help="A smaller p-value is significant.  [default: 0.05]"),
        click.option("--unit", type=click.Choice(UNITS), help="What is drawn.  [default: segment]"),
        click.option(
            "--correction",
            type=click.Choice(CORRECTIONS),
            help="Of p for several comparisons. Only approximate randomisation and the paired bootstrap share their "
            "draws among all of them, as max-t needs: other tests and slices get holm instead.  [default: max-t]",
        ),
        click.option("--blocks", "n_blocks", type=int, help="Of the tests over blocks.  [default: 20]"),
    ]
    names = ["test", "trials", "resamples", "seed", "level", "unit", "correction", "n_blocks"]
    return made_of(options, names, "significance", _significance)(command)


test_options.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever pytest makes of the name


def output_options(*, forms: Sequence[str] = COMMAND_FORMS, chooses: bool = True) -> Decorator:
    """In which form and where to; the command gets ``output``.

    Args:
        forms: Those that the command has.
        chooses: Whether it has tables and columns to choose from.
    """
    options = [
        click.option("-f", "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True),
        click.option(
            "-o",
            "--output",
            "path",
            type=click.Path(allow_dash=True),
            default=STANDARD_OUTPUT,
            help="The file to write.",
        ),
    ]
    names = ["form", "path"]
    if chooses:
        options += [
            click.option("--table", metavar="NAME", help="Only this table; tsv and csv hold the first unless told."),
            click.option("--columns", metavar="KEY,…", help="Only these columns, by their names in json."),
        ]
        names += ["table", "columns"]
    return made_of(options, names, "output", _output)


def pair_option(command: Command) -> Command:
    """Which two systems; the command gets ``pair``."""
    return click.option(
        "--pair",
        nargs=2,
        metavar="A B",
        help="Two systems; Δ is B minus A.  [default: the first and the best of the others]",
    )(command)


def made_of(
    options: Sequence[Callable[[Any], Any]],
    names: Sequence[str],
    argument: str,
    make: Callable[[Given, Asked | None], object],
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


def _switch(*names: str, help_text: str) -> Callable[[Any], Any]:
    """A flag that can also be taken back, for presets that have it; ``None`` leaves it to the preset."""
    return click.option(*names, default=None, help=help_text)


def _asked(given: Given, *, needs_systems: bool) -> Asked:
    """What is to be read.

    Raises:
        InputError: The sample or a test set is named beside files, or a pattern names no file.
        click.UsageError: There is no system.
    """
    inputs = Inputs(
        systems=expanded(given["systems"]),
        references=expanded(given["references"]),
        source=given["source"],
        documents=given["documents"],
        labels=expanded(given["labels"]),
        encoding=given["encoding"],
        test_set=given["test_set"],
        language_pair=given["language_pair"] if given["test_set"] is not None else None,
    )
    if given["sample"]:
        if inputs != Inputs():
            raise _too_much("Option --sample", "files or a test set beside it", "the sample alone")
        inputs = Inputs(is_sample=True)
    elif needs_systems and not inputs.systems:
        raise click.UsageError("Missing argument 'SYSTEM...'.", click.get_current_context())
    if inputs.test_set is not None and (inputs.references or inputs.source is not None):
        raise _too_much("Option --test-set", "--reference or --source beside it", "one of both")
    scores, lower_is_better = expanded(given.get("scores", ())), given.get("lower_is_better", ())
    return Asked(inputs, scores, lower_is_better, given["language_pair"])


def _too_much(where: str, found: str, expected: str) -> InputError:
    return InputError(
        "what to read is named twice", where=where, found=found, expected=expected, remedy="Leave one of them out."
    )


def _scoring(given: Given, asked: Asked | None) -> Scoring:
    """How to score: a preset, and what is given beside it.

    Raises:
        InputError: A name or value that is not accepted.
    """
    names = {
        "tokenizer": given["tokenize"],
        "lowercase": given["lowercase"],
        "max_order": given["max_ngram_order"],
        "smoothing": given["smooth_method"],
        "smoothing_value": given["smooth_value"],
        "effective_order": given["effective_order"],
        "reference_length": given["reference_length"],
        "weights": _weights(given["weights"]),
    }
    changes = _those_given(names)
    if given["preset"] is not None:
        options = preset(given["preset"]).options
        if "smoothing" in changes and changes["smoothing"] != options.smoothing:
            changes.setdefault("smoothing_value", None)
    else:
        target = ((asked and asked.language_pair) or "").partition("-")[2]
        options = BleuOptions(usual_tokenizer(target))
    return Scoring(replace(options, **changes), _metrics(given))


def _metrics(given: Given) -> tuple[MetricOptions, ...]:
    """The metrics beside BLEU, in the order of their names."""
    asked = [name.strip().lower() for names in given["metrics"] for name in names.split(",")]
    for name in asked:
        if name not in METRICS:
            raise InputError(
                "there is no metric of this name",
                where="Option --metrics",
                found=shown(name),
                expected=f"one or more of {', '.join(METRICS)}",
                remedy="Scores of others can be read from a file with --scores.",
            )
    makers: dict[str, Callable[[], MetricOptions]] = {
        "chrf": lambda: ChrfOptions(**_those_given(_of_metric("chrf_", given))),
        "ter": lambda: TerOptions(**_those_given(_of_metric("ter_", given))),
    }
    for prefix in makers:
        if prefix not in asked and _those_given(_of_metric(f"{prefix}_", given)):
            raise InputError(
                f"an option of {prefix} is given without that metric",
                where="Option --metrics",
                found=", ".join(asked) or "bleu",
                remedy=f"Add --metrics {prefix}.",
            )
    return tuple(makers[name]() for name in dict.fromkeys(asked) if name in makers)


def _of_metric(prefix: str, given: Given) -> Given:
    return {name.removeprefix(prefix): value for name, value in given.items() if name.startswith(prefix)}


def _those_given(values: Mapping[str, Any]) -> Given:
    return {name: value for name, value in values.items() if value is not None}


def _weights(text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        return tuple(float(weight) for weight in text.split(","))
    except ValueError as error:
        raise InputError(
            "these are no numbers",
            where="Option --weights",
            found=shown(text),
            expected="a number for each order, with commas between them",
            remedy="Write them as in 0.25,0.25,0.25,0.25.",
        ) from error


def _significance(given: Given, _asked: Asked | None) -> "SignificanceOptions":
    from bleucore.significance import SignificanceOptions  # noqa: PLC0415

    return SignificanceOptions(**_those_given(given))


def _output(given: Given, asked: Asked | None) -> Output:
    """Where to, once it is known that this can be written and is none of the files to read."""
    columns = tuple(key.strip() for key in (given.get("columns") or "").split(",") if key.strip())
    output = Output(given["form"], given["path"], given.get("table"), columns)
    output.check(asked.paths if asked else ())
    return output
