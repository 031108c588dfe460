"""Files as people have them, in ten languages: every text comes out in its role, or the files are refused by name."""

import csv
import io

import pytest

from bleucore import InputError
from bleucore.checks import check
from bleucore.experiments.design import NAMES_ALONE
from bleucore.formats.several_sets import SeveralSetsError
from bleuscope import read_test_set
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.sets import open_set
from tests.dashboard.file_shapes import at_work, of_languages
from tests.dashboard.file_shapes.languages import sentences
from tests.dashboard.file_shapes.of_languages import plain, table

SHAPES = of_languages.SHAPES | at_work.SHAPES
REFUSED = {
    "wmt_da_csv_without_system": "no column says which system an output is of",
    "da_shuffled_uneven": "Add a column called 'system'",
    "da_shuffled_even": "no column says which system an output is of",
    "wmt_da_with_system_two_pairs": "the table holds several language pairs",
    "excel_sheet_per_pair": "several sheets hold a test set of their own",
    "no_reference_at_all": "there is no reference",
    "batch_and_test_text": "there is no reference",
    "latin1_plain": "windows-1252",
    "gb18030_plain": "gb18030",
    "word_document": "Word",
    "tsv_without_titles": "there is no reference",
    "shift_jis": "line 1: the text is not valid",
    "batch_with_an_error": "errored",
    "reference_lacks_a_line": "the number of segments differs",
    "pickles_refused": "there is no hypothesis",
    "utterances_are_missing": "the segments are not those of the other file",
}
"""What is said where people have to say more, or to save files in another form."""


def read_as(encoding):
    return lambda files, _: {name: data.decode(encoding).encode() for name, data in files.items()}


def saved_anew(_, wanted):
    """A table for each test set, as people save sheets, documents and rows of other files."""
    return {
        f"set{number}/t.csv": table(
            [["reference", *one["systems"]], *zip(one["references"][0], *one["systems"].values(), strict=True)]
        )
        for number, one in enumerate(wanted.sets)
    }


def beside(**texts):
    return lambda files, _: files | {f"{name}.txt": plain(lines) for name, lines in texts.items()}


def changed(name, before, after):
    return lambda files, _: {**files, name: files[name].replace(before, after)}


def with_systems(files, _):
    """The rows with a column for the system, which the score or the order tells here, those of two systems alone."""
    ((name, data),) = files.items()
    titles, *rows = csv.reader(io.StringIO(data.decode()))
    systems = [row[4] if len({one[4] for one in rows}) > 1 else f"0.{place % 2}" for place, row in enumerate(rows)]
    kept = [[*row, said] for row, said in zip(rows, systems, strict=True) if said != "0.2"]
    return {name: table([[*titles, "system"], *kept])}


def without_utterances(files, wanted):
    """The lines of all files without those that a system lacks, which are left out of what is wanted, too."""
    missing = {place for texts in wanted.sets[0]["systems"].values() for place, text in enumerate(texts) if not text}
    for texts in (*wanted.sets[0]["systems"].values(), *wanted.sets[0]["references"]):
        texts[:] = [text for place, text in enumerate(texts) if place not in missing]
    ids = [{line.partition(b" ")[0] for line in data.splitlines()} for data in files.values()]
    kept = set.intersection(*ids)
    return {
        name: b"".join(line for line in data.splitlines(keepends=True) if line.partition(b" ")[0] in kept)
        for name, data in files.items()
    }


ENGLISH, GERMAN = sentences("en", 40), sentences("de", 20)
FOLLOWED = {
    **dict.fromkeys(("wmt_da_csv_without_system", "da_shuffled_uneven", "da_shuffled_even"), with_systems),
    **dict.fromkeys(("wmt_da_with_system_two_pairs", "excel_sheet_per_pair"), saved_anew),
    "utterances_are_missing": without_utterances,
    "no_reference_at_all": beside(reference=ENGLISH),
    "batch_and_test_text": beside(reference=ENGLISH[:30]),
    "latin1_plain": read_as("windows-1252"),
    "gb18030_plain": read_as("gb18030"),
    "shift_jis": read_as("cp932"),
    "word_document": lambda files, _: {"ref.txt": files["ref.txt"], "job.txt": plain(GERMAN)},
    "tsv_without_titles": lambda files, _: {"x.tsv": b"source\treference\ta\tb\n" + files["x.tsv"]},
    "batch_with_an_error": changed(
        "haiku.jsonl",
        b'{"type": "errored", "error": {"type": "overloaded"}}',
        b'{"type": "succeeded", "message": {"content": [{"type": "text", "text": "Again."}]}}',
    ),
    "reference_lacks_a_line": lambda files, _: {**files, "ref.txt": files["ref.txt"] + b"The last line.\n"},
    "pickles_refused": lambda files, _: {"ref.txt": files["ref.txt"], "outputs.txt": plain(ENGLISH[:20])},
}
"""The files as people have them who do what the refusal says."""


WARNED = frozenset({"unrelated_texts_beside", "entities_of_a_service"})
"""What is read with an output that is none, or that is still escaped, which an error next to the verdict says."""


def written(shape, folder, followed=lambda files, _: files):
    files, wanted = SHAPES[shape]()
    for name, data in followed(files, wanted).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return wanted


def rows_of(outputs, references):
    """The outputs of each system with the references of each, in an order that the rows of a file do not change."""
    texts = [[[(text or "").strip() for text in one] for one in group] for group in (outputs, references)]
    return sorted(sorted(zip(one, *sorted(texts[1]), strict=True)) for one in texts[0])


def texts_in(test_set):
    return rows_of([one.hypotheses for one in test_set.systems], test_set.references)


def texts_wanted(one):
    return rows_of(one["systems"].values(), one["references"])


def sets_in(folder):
    try:
        return [read_test_set(str(folder))]
    except SeveralSetsError:
        return [open_set(one) for one in plan_campaign(str(folder)).sets]


@pytest.mark.parametrize("shape", [name for name in sorted(SHAPES) if name not in {*REFUSED, *WARNED}])
def test_what_went_in_comes_out(shape, tmp_path):
    wanted = written(shape, tmp_path)
    found = sets_in(tmp_path)
    assert sorted(map(texts_in, found)) == sorted(map(texts_wanted, wanted.sets))
    if wanted.runs:
        recipes = NAMES_ALONE.design(found[0].system_names).recipes
        assert {recipe: len(systems) for recipe, systems in recipes.items()} == dict(wanted.runs)


@pytest.mark.parametrize("shape", REFUSED)
def test_what_needs_a_person_is_refused_by_name(shape, tmp_path):
    written(shape, tmp_path)
    with pytest.raises(InputError, match=REFUSED[shape]) as refused:
        read_test_set(str(tmp_path))
    assert not isinstance(refused.value, SeveralSetsError)


@pytest.mark.parametrize("shape", REFUSED)
def test_the_remedy_of_a_refusal_works(shape, tmp_path):
    wanted = written(shape, tmp_path, FOLLOWED[shape])
    found = sets_in(tmp_path)
    assert all(one.references and one.systems for one in found)
    if wanted.sets:
        assert sorted(map(texts_in, found)) == sorted(map(texts_wanted, wanted.sets))


def test_the_battery_is_large_and_most_of_it_opens():
    assert len(SHAPES) >= 230
    assert len(REFUSED) <= 0.15 * len(SHAPES)


@pytest.mark.parametrize("shape", sorted(WARNED))
def test_a_text_that_is_no_output_is_an_error_next_to_the_verdict(shape, tmp_path):
    written(shape, tmp_path)
    assert any(one.severity == "error" for one in check(read_test_set(str(tmp_path))))


def test_parts_are_called_by_what_their_names_have_in_common(tmp_path):
    written("flat_ranks", tmp_path)
    assert read_test_set(str(tmp_path)).system_names == ("llama", "qwen")
