"""``bleuscope kinds``: what BLEU was lost to, by kind of error."""

from dataclasses import replace
from functools import partial

import click

from bleucore.analysis.kinds import study_kinds
from bleucore.analysis.slices import slice_kinds, slice_segments
from bleucore.analysis.token_kinds import KINDS
from bleuscope.cli.operands import TextsCommand
from bleuscope.cli.output import Output, Tables, give_tables
from bleuscope.cli.queries import kind_of_slices
from bleuscope.cli.shared_options import (
    examples,
    file_options,
    names_tokenizer,
    output_options,
    pair_option,
    scoring_options,
)
from bleuscope.cli.streams import progress
from bleuscope.cli.studies import scored_pair
from bleuscope.cli.texts import read_texts
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.features.kinds.sheets import kinds_sheet, segments_sheet, slices_sheet
from bleuscope.registry import load, of_several_sets


@click.command(
    "kinds",
    cls=TextsCommand,
    epilog=examples(
        "bleuscope kinds A.txt B.txt -r ref.txt",
        "bleuscope kinds A.txt B.txt C.txt -r ref.txt --pair A C --kind name --format tsv",
        "bleuscope kinds A.txt -r ref.txt --source source.txt --format json",
        "bleuscope kinds --sample --kind number",
        "bleuscope kinds --sample --by document",
        "bleuscope kinds wmt22/ --pair online neural",
    ),
)
@file_options(takes_scores=False)
@scoring_options
@pair_option
@click.option("--kind", type=click.Choice(KINDS), help="List the segments of this kind too.")
@click.option(
    "--by", metavar="WHAT", help="List slices too: document, reference-length, source-length, rarity, or a label."
)
@output_options()
def kinds_command(  # click gives each option as an argument
    asked: Inputs, scoring: Settings, output: Output, *, pair: tuple[str, str] | None, kind: str | None, by: str | None
) -> None:
    """Divide the BLEU points that systems A and B lost among kinds of errors: case, numbers, names, word order, ….

    The points add up to 100 - BLEU, and the gains to the difference between the scores. A folder, an archive or a
    manifest of several test sets gives the gains on each. Tables: kinds, kind-segments, kind-slices, kinds-of-sets.
    """
    if kind is None and by is None and (of_sets := _of_several_sets(asked, scoring, pair)) is not None:
        give_tables(of_sets, output)
        return
    texts = read_texts(asked, scoring.options.tokenizer)
    two = scored_pair(texts, scoring, pair)
    with progress("Sorting errors") as report:
        found = study_kinds(two.test_set, two.sides, two.options, progress=report)
    makers = {"kinds": partial(kinds_sheet, two, found)}
    if kind is not None:
        makers["kind-segments"] = partial(segments_sheet, two, found, KINDS.index(kind))
    if by is not None:
        slicing = slice_segments(two.test_set, kind_of_slices(by, slice_kinds(two.test_set)), two.options)
        makers["kind-slices"] = partial(slices_sheet, two, found, slicing)
    give_tables(Tables(makers, texts.notices, for_people=tuple(makers)), output)


def _of_several_sets(asked: Inputs, scoring: Settings, pair: tuple[str, str] | None) -> Tables | None:
    """The gains on each of several test sets; ``None`` where the command names one."""
    several = of_several_sets()
    if several is None or len(asked.systems) != 1 or replace(asked, aligns=False) != Inputs(asked.systems):
        return None
    (path,) = asked.systems
    if load(several.plan)(path) is None:
        return None
    own = not names_tokenizer()
    with progress("Sorting errors") as report:
        found: Tables = load(several.kinds)(
            path, pair, scoring.options, own_tokenizers=own, aligns=asked.aligns, progress=report
        )
    return found
