"""A battery of files as tools write them: the texts that went in come out, or the shape is refused by its name."""

import pytest

from bleucore import InputError
from bleuscope import read_test_set
from tests.dashboard.file_shapes import (
    beside,
    catalogues,
    evaluations,
    everyday,
    folders,
    laid_out,
    mixtures,
    model_logs,
    neighbours,
    oddities,
    pieces,
    platforms,
    tables,
    toolkits,
)
from tests.dashboard.file_shapes.texts import REFERENCE, SYSTEMS, A, B, plain, table, whole

BATTERY = {
    f"{module.__name__.rpartition('.')[2]}: {name}": files
    for module in (
        toolkits,
        model_logs,
        tables,
        catalogues,
        folders,
        evaluations,
        laid_out,
        pieces,
        platforms,
        mixtures,
        neighbours,
        beside,
        oddities,
        everyday,
    )
    for name, files in module.SHAPES.items()
}
PLAIN = {"a.txt": plain(A), "b.txt": plain(B), "ref.txt": plain(REFERENCE)}
TITLED = {"t.csv": table([tables.TITLES, *tables.CELLS])}
REFUSED = {
    "toolkits: CTM beside STM": ("this is CTM", PLAIN),
    "toolkits: ctranslate2": ("tokens from CTranslate2", PLAIN),
    "tables: LaTeX": ("LaTeX tables are not supported", TITLED),
    "tables: no titles": ("there is no reference", TITLED),
    "evaluations: GEM submission of two tasks": ("has several tasks", evaluations.SHAPES["GEM submission"]),
    "evaluations: COCO, an image twice": ("an image has two captions", evaluations.SHAPES["COCO"]),
    "evaluations: Label Studio, a text is missing": (
        "an item of Label Studio without an answer",
        evaluations.SHAPES["Label Studio, textarea"],
    ),
    "evaluations: translations into two languages": ("a response holds several languages", PLAIN),
    "laid_out: lines in turn, one missing": ("the last segment lacks a line", PLAIN),
    "pieces: ranks, one missing": ("Parts of a text are put together", pieces.SHAPES["ranks"]),
    "platforms: a table of two languages": (
        "the references are in several languages",
        platforms.ALONE["a table of two languages"],
    ),
    "platforms: rows of two languages": ("texts in several languages", platforms.ALONE["rows of two languages"]),
    "everyday: table of pandas on a console, cut": ("the texts of a printed table are cut off", TITLED),
    "everyday: test sets by language pair": (
        "the JSON holds several test sets",
        {"de-en.json": whole(everyday.SETS["de-en"])},
    ),
    "everyday: candidates of one answer": ("one answer of a model, with several candidates", PLAIN),
    "catalogues: DocBook": ("this is not XML of a known format", PLAIN),
}
"""What is said of shapes that are not read, and the files that the remedy makes of them."""


def opened(files, folder):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return read_test_set(str(folder))


def check(test_set):
    outputs = [list(one.hypotheses) for one in test_set.systems]
    assert sorted(outputs) == sorted(map(list, SYSTEMS.values()))
    assert list(test_set.references[0]) == REFERENCE


@pytest.mark.parametrize("shape", [name for name in BATTERY if name not in REFUSED])
def test_what_went_in_comes_out(shape, tmp_path):
    check(opened(BATTERY[shape], tmp_path))


@pytest.mark.parametrize("shape", REFUSED)
def test_what_is_not_read_is_named_and_its_remedy_works(shape, tmp_path):
    said, mended = REFUSED[shape]
    with pytest.raises(InputError, match=said):
        opened(BATTERY[shape], tmp_path / "drop")
    check(opened(mended, tmp_path / "mended"))


def test_the_battery_is_large_and_most_of_it_opens():
    assert len(BATTERY) >= 240
    assert len(REFUSED) <= 0.05 * len(BATTERY)
