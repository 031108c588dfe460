"""Folders of several languages, and what is left of a folder next to a reference that somebody named."""

import pytest

from bleucore import InputError
from bleucore.formats.several_sets import SeveralSetsError
from bleuscope import read_test_set
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import read_inputs
from tests.dashboard.file_shapes.neighbours import submissions
from tests.dashboard.file_shapes.texts import ALL, REFERENCE, SOURCE, SYSTEMS, A, B, lines_of, plain, table
from tests.dashboard.test_shape_battery import opened

FRENCH = [f"et {text.lower()} voilà" for text in lines_of("reference-B")]
"""Texts with a reference of their own; the language does not matter to a test of names."""


def sets_of(files, folder):
    with pytest.raises(SeveralSetsError) as refused:
        opened(files, folder)
    return {
        one.planned.name: (
            sorted(one.planned.systems),
            [file.name for file in one.planned.references.values()],
            one.planned.source and one.planned.source.name,
        )
        for one in refused.value.sets
    }


def of_two_languages(pattern, *, source):
    files = {
        pattern.format(language=language, name=name): plain(f"{text} {language}" for text in texts)
        for language in ("en", "fr")
        for name, texts in ALL.items()
    }
    return {**files, source: plain(SOURCE)}


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        ("{language}/{name}.txt", "source.txt"),
        ("{name}/{language}/test.txt", "src/de/test.txt"),
        ("{name}.{language}", "src.de"),
    ],
)
def test_languages_with_a_reference_and_outputs_each_are_test_sets(pattern, source, tmp_path):
    found = sets_of(of_two_languages(pattern, source=source), tmp_path)
    assert [source_of for _, _, source_of in found.values()] == [source, source]
    assert [references for _, references, _ in found.values()] == [
        [pattern.format(language=language, name="ref")] for language in ("en", "fr")
    ]
    assert all(len(systems) == len(SYSTEMS) for systems, _, _ in found.values())


def test_a_set_of_a_language_keeps_the_source_of_its_own(tmp_path):
    files = {**of_two_languages("{language}/{name}.txt", source="source.txt"), "fr/source.txt": plain(SOURCE)}
    assert {source for _, _, source in sets_of(files, tmp_path).values()} == {"source.txt", "fr/source.txt"}


def roles_beside(reference, files, folder):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    columns = read_inputs(Inputs((str(folder),), (str(folder / reference),)))
    return {column.file.rpartition("/")[2]: column.role for column in columns if column.role != "ignore"}


def test_the_source_and_other_sets_next_to_a_named_reference_are_no_systems(tmp_path):
    files = {
        "test.en": plain(REFERENCE),
        "test.de": plain(SOURCE),
        "dev.en": plain(reversed(FRENCH)),
        "dev.de": plain(reversed(SOURCE)),
        "a.en": plain(A),
        "b.en": plain(B),
    }
    found = roles_beside("test.en", files, tmp_path)
    assert found == {"test.en": "reference", "test.de": "source", "a.en": "hypothesis", "b.en": "hypothesis"}


def test_without_outputs_a_named_reference_leaves_nothing_to_score(tmp_path):
    files = {"test.en": plain(REFERENCE), "test.de": plain(SOURCE), "dev.en": plain(reversed(FRENCH))}
    with pytest.raises(InputError, match=r"no system\. Add the outputs"):
        opened(files, tmp_path)
    roles = roles_beside("test.en", files, tmp_path)
    assert "hypothesis" not in roles.values()
    with pytest.raises(InputError, match="there is no hypothesis"):
        read_test_set(str(tmp_path), references=[str(tmp_path / "test.en")])


def test_an_output_like_the_reference_stays_whatever_its_name_says(tmp_path):
    files = {"test.en": plain(REFERENCE), "dev.de": plain(A), "b.en": plain(B)}
    assert roles_beside("test.en", files, tmp_path)["dev.de"] == "hypothesis"


def test_the_source_in_a_table_next_to_a_named_solution_is_no_system(tmp_path):
    found = roles_beside("solution.csv", submissions("solution.csv"), tmp_path)
    assert found == {
        "solution.csv": "reference",
        "test.csv": "source",
        "submission_a.csv": "hypothesis",
        "submission_b.csv": "hypothesis",
    }


def test_an_output_of_one_line_that_is_the_only_one_stays(tmp_path):
    test_set = opened({"ref.txt": plain(REFERENCE[:1]), "out.txt": b"word\n"}, tmp_path)
    assert [one.hypotheses for one in test_set.systems] == [("word",)]


def test_judgements_without_texts_are_named_and_the_texts_asked_for(tmp_path):
    rows = [
        [f"rater{n}", "online", 6905, "TGT", "eng", "deu", 99 - n, f"talk#{n}", "False", "[]", "1711.6", "1711.6"]
        for n in range(8)
    ]
    with pytest.raises(InputError, match=r"human judgements without texts.*Add the outputs and the reference"):
        opened({"batch.csv": table(rows)}, tmp_path)


def test_a_source_in_the_folder_of_data_is_no_reference(tmp_path):
    files = {"data/text.txt": plain(SOURCE), "exp/a/text.txt": plain(A), "exp/b/text.txt": plain(B)}
    with pytest.raises(InputError, match="there is no reference"):
        opened(files, tmp_path)


def test_references_in_blocks_are_named_and_the_remedy_works(tmp_path):
    second = [text.upper() if 7 * row % 5 < 2 else "" for row, text in enumerate(REFERENCE)]
    blocks = [line for pair in zip(REFERENCE, second, strict=True) for line in (*filter(None, pair), "")]
    outputs = {f"{name}.txt": plain(texts) for name, texts in SYSTEMS.items()}
    said = r"refs.txt has 24 blocks between empty lines, of up to 2 references each\. Write them to 2 files"
    with pytest.raises(InputError, match=said):
        opened({**outputs, "refs.txt": plain(blocks)}, tmp_path / "blocks")
    test_set = opened({**outputs, "ref0.txt": plain(REFERENCE), "ref1.txt": plain(second)}, tmp_path / "files")
    assert len(test_set.references) == 2
