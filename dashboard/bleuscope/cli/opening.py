"""``bleuscope open`` and ``bleuscope demo``: the dashboard in a browser."""

import click

from bleucore.errors import InputError
from bleucore.formats.several_sets import SeveralSetsError
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.serving import Serving, serving_options
from bleuscope.cli.shared_options import Command, examples, file_options
from bleuscope.cli.streams import notice
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.registry import own_features
from bleuscope.shell.disk.files import load
from bleuscope.shell.disk.judgement_files import judgements_of
from bleuscope.shell.disk.packed import STANDARD_INPUT

OPTIONS_OF_FEATURES = tuple(one.opening for one in own_features() if one.opening is not None)


def _options_of_features(command: Command) -> Command:
    """The command with an option for each feature that it can open on."""
    for option in reversed(OPTIONS_OF_FEATURES):
        command = click.option(option.flag, option.parameter, type=click.Path(), help=option.help)(command)
    return command


@click.command(
    "open",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope",
        "bleuscope online-A.txt online-B.txt ref.txt",
        "bleuscope 'systems/*.txt' -r ref.A.txt -r ref.B.txt -s source.txt --no-browser",
        "bleuscope open A.txt B.txt --test-set wmt22 --language-pair en-de",
        "bleuscope open 'systems/*.txt' -r ref.A.txt -s source.txt --judgements mqm.tsv",
        *(option.example for option in OPTIONS_OF_FEATURES),
        "bleuscope open --public-url https://bleu.example.org/ --no-browser",
    ),
)
@file_options(takes_scores=False, takes_judgements=True, needs_systems=False)
@_options_of_features
@serving_options
def open_command(asked: Inputs, serving: Serving, **of_features: str | None) -> None:
    """Open the dashboard, on files if there are any.

    Without --reference, bleuscope guesses what each file is from its name and content. A folder or archive with
    several test sets opens as a campaign.
    """
    if STANDARD_INPUT in asked.paths:
        raise InputError(
            "the dashboard cannot read it again",
            where="Standard input",
            expected="a file",
            remedy="Save the text to a file and name that.",
        )
    aligns = asked.aligns
    asked = _of_texts(asked, of_features)
    try:
        loaded = load(asked)
    except SeveralSetsError:
        option = next(iter(OPTIONS_OF_FEATURES), None)
        is_one_path = asked == Inputs(systems=asked.systems[:1], aligns=aligns) and option is not None
        if option is None or not is_one_path or of_features[option.parameter] is not None:
            raise
        of_features[option.parameter], asked, loaded = asked.systems[0], Inputs(), None
    if loaded is None and asked.judgements:
        raise InputError(
            "there are judgements without texts",
            where="Option --judgements",
            found=", ".join(asked.judgements),
            expected="the outputs that were judged, and a reference",
            remedy="Name these too.",
        )
    for said in loaded.notices if loaded is not None else ():
        notice(said)
    for judgements in judgements_of(asked, loaded.test_set) if loaded is not None else ():
        for said in judgements.notices:
            notice(said)
    planned = {}
    for option in OPTIONS_OF_FEATURES:
        path = of_features[option.parameter]
        if path is not None:
            planned[option.flag] = option.opening.plan(path, aligns=aligns)
            notice(planned[option.flag].notice)
    serving.serve(asked, planned)


def _of_texts(asked: Inputs, of_features: dict[str, str | None]) -> Inputs:
    """What is asked of texts: nothing where ``--align`` is said of what the option of a feature names."""
    return Inputs() if asked == Inputs(aligns=asked.aligns) and any(of_features.values()) else asked


@click.command(
    "demo",
    epilog=examples(
        "bleuscope demo",
        "bleuscope demo --port 8600 --no-browser",
    ),
)
@serving_options
def demo_command(serving: Serving) -> None:
    """Open the dashboard on the sample comparison."""
    serving.serve(Inputs(is_sample=True))
