"""Guessing what each column is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore.formats import ROLES, Role, guess_roles, read
from bleucore.formats.columns import Column
from bleucore.formats.names import stem
from bleucore.formats.roles import guess
from bleucore.formats.short_names import with_short_names

ENGLISH_1 = ("the cat sat on the mat", "a dog ran home", "it was late")
ENGLISH_2 = ("a cat sat on a mat", "the dog ran home", "late it was")
ENGLISH_3 = ("one cat sat on the mat", "a dog went home", "it was very late")
GERMAN = ("die Katze lag da", "ein Hund lief heim", "es wurde spät")


def column(name, *segments, file=None, role=None):
    return Column(file or f"{name}.txt", name, role, segments or ("words", "here"), None, 1)


def cell_column(name, *segments):
    return replace(column(name, *segments, file="t.tsv"), is_cell=True)


def roles(*columns):
    return [guessed.role for guessed in guess_roles(columns)]


def names(*columns):
    return [guessed.name for guessed in guess_roles(columns)]


def test_the_list_of_roles_and_its_type_hold_together():
    assert ROLES == ("hypothesis", "reference", "source", "documents", "label", "ignore")
    assert Role.__args__ == ROLES


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("reference.A", "reference"),
        ("ref1", "reference"),
        ("refA", "reference"),
        ("newstest2014-deen-ref.en", "reference"),
        ("REFS", "reference"),
        ("gold_de", "reference"),
        ("संदर्भ_1", "reference"),
        ("อ้างอิง", "reference"),
        ("source.en", "source"),
        ("wmt-SRC", "source"),
        ("docs", "documents"),
        ("docId", "documents"),
        ("document_ids", "documents"),
        ("zorro-hyp.ref", "reference"),
        ("zorro-ref.output", "hypothesis"),
        ("online-A", "hypothesis"),
        ("reform", "hypothesis"),
        ("resource", "hypothesis"),
        ("docker", "hypothesis"),
        ("", "hypothesis"),
    ],
)
def test_a_word_of_the_name_tells_the_role(name, role):
    assert roles(column(name, file="x.txt")) == [role]


def test_what_the_format_says_stays():
    assert roles(column("reference", role="hypothesis"), column("src", role="label")) == ["hypothesis", "label"]


@pytest.mark.parametrize(
    ("name", "segments", "role"),
    [
        ("domain", ("news", "chat", "news"), "label"),
        ("origlang", ("en", "de", "en"), "label"),
        ("segid", ("a", "b", "c"), "ignore"),
        ("seg id", ("a", "b", "c"), "ignore"),
        ("id", ("a", "b", "c"), "ignore"),
        ("COMET score", ("a", "b", "c"), "ignore"),
        ("ref score", ("a", "b", "c"), "ignore"),
        ("raw", ("1", "-2.5", " 1e-3 "), "ignore"),
        ("raw", ("1", "", "99%"), "ignore"),
        ("raw", ("", " ", ""), "hypothesis"),
        ("raw", ("1", "two", "3"), "hypothesis"),
        ("hyp", ("a", "a", "b", "b"), "hypothesis"),
    ],
)
def test_columns_of_tables_can_be_labels_or_numbers(name, segments, role):
    assert roles(cell_column(name, *segments)) == [role]


def test_numbers_and_short_columns_count_in_tables_only():
    assert roles(column("id", "1", "2"), column("domain", "x", "y")) == ["hypothesis"] * 2


def test_files_of_scores_and_of_few_labels_are_no_texts():
    assert roles(column("model.score", "1", "2")) == ["ignore"]
    assert roles(column("domains", *["news", "chat"] * 3)) == ["label"]


@pytest.mark.parametrize(
    ("segments", "role"),
    [
        (("a", "a", "b", "b"), "documents"),
        (("a", "a", "a", "b"), "documents"),
        (("a", "a", "a", "a"), "hypothesis"),
        (("a", "a", "b", "c"), "hypothesis"),
        (("a", "a", "b", "b", "a", "a"), "hypothesis"),
        ((*"aabbccddee", "a", "a"), "documents"),
        (("a", "a", "", "", "b", "b"), "hypothesis"),
        (("a", "a", None, "b"), "hypothesis"),
    ],
)
def test_values_that_come_in_runs_are_documents(segments, role):
    assert roles(column("column 1", *segments)) == [role]


def test_of_several_documents_the_first_named_is_kept():
    runs = ("a", "a", "b", "b")
    assert roles(cell_column("column 1", *runs), cell_column("doc", "x", "y"), cell_column("docid", "x", "y")) == [
        "ignore",
        "documents",
        "ignore",
    ]
    assert roles(cell_column("column 1", *runs), cell_column("column 2", *runs)) == ["documents", "ignore"]


def test_of_several_sources_the_first_is_kept_and_one_by_its_format_before_all():
    other = column("source-2", "other", "words")
    assert roles(column("src"), other) == ["source", "hypothesis"]
    assert roles(other, column("source", role="source"), column("source", role="source")) == [
        "hypothesis",
        "source",
        "ignore",
    ]


def test_a_source_that_is_there_again_is_no_system():
    assert roles(column("src"), column("source-2")) == ["source", "ignore"]
    rows = [("source", "Haus"), ("reference", "house"), ("hypothesis", "home")]
    tables = [
        replace(column(name, text, text, file=file), is_cell=True) for file in ("A.tsv", "B.tsv") for name, text in rows
    ]
    assert roles(*tables) == ["source", "reference", "hypothesis", "ignore", "ignore", "hypothesis"]


def test_the_only_text_in_other_words_is_the_source():
    columns = (column("a", *ENGLISH_1), column("b", *GERMAN), column("ref", *ENGLISH_2))
    assert roles(*columns) == ["hypothesis", "source", "reference"]


def test_scripts_without_spaces_are_compared_by_character():
    columns = (column("a", "猫坐着", "狗跑了"), column("b", "猫坐下", "狗跑了"), column("c", *GERMAN))
    assert roles(*columns) == ["hypothesis", "hypothesis", "source"]


@pytest.mark.parametrize(
    "columns",
    [
        (column("a", *ENGLISH_1), column("b", *GERMAN)),
        (column("a", *ENGLISH_1), column("b", *ENGLISH_2), column("c", *ENGLISH_3)),
        (column("a", *ENGLISH_1), column("b", *GERMAN), column("c", "je ne sais pas", "oui", "non")),
        (column("a", *ENGLISH_1), column("b", *ENGLISH_2), column("c", *GERMAN), column("d", "oui", "non", "si")),
        (column("a", *ENGLISH_1), column("b", *ENGLISH_2), column("c", "", "", "")),
    ],
)
def test_no_source_is_guessed_without_a_clear_sign(columns):
    assert set(roles(*columns)) == {"hypothesis"}


def test_no_source_is_guessed_where_one_is_named_or_in_place_of_a_reference():
    english = (column("a", *ENGLISH_1), column("b", *ENGLISH_2), column("c", *ENGLISH_3))
    assert roles(*english, column("src", "x", "y", "z"), column("d", *GERMAN))[-2:] == ["source", "hypothesis"]
    assert roles(*english, column("ref", *GERMAN)) == ["hypothesis"] * 3 + ["reference"]


def test_without_a_sign_of_a_reference_there_is_none():
    assert "reference" not in roles(column("online-A"), column("online-B"))


def test_names_become_unique_within_their_role():
    columns = [column("out"), column("ref"), column("out"), column("out (2)"), column("out"), column("ref")]
    assert names(*columns) == [
        "out",
        "reference",
        "out (3)",
        "out (2)",
        "out (4)",
        "reference (2)",
    ]
    assert names(column("reference", role="hypothesis"), column("ref", role="reference")) == ["reference"] * 2


def test_nothing_else_of_a_column_changes():
    (before,) = read("out.txt.gz", b"a\nb")
    (after,) = guess_roles([before])
    assert (after.file, after.name, after.segments, after.keys, after.first_line) == (
        before.file,
        before.name,
        before.segments,
        before.keys,
        before.first_line,
    )


def test_no_columns_have_no_roles():
    assert guess_roles([]) == ()


def test_without_a_hint_the_text_least_like_the_others_is_proposed_as_the_reference():
    human = ("the cat was lying on a rug", "a dog dashed home", "the hour was late")
    texts = (column("a", *ENGLISH_1), column("b", *human), column("c", *ENGLISH_3), column("d", *GERMAN))
    found = guess(texts)
    assert [one.role for one in found.columns] == ["hypothesis", "reference", "hypothesis", "source"]
    assert found.reference_by == "content"


def test_of_two_texts_the_second_is_proposed_as_the_reference():
    found = guess((column("a", *ENGLISH_1), column("b", *ENGLISH_2)))
    assert [one.role for one in found.columns] == ["hypothesis", "reference"]
    assert found.reference_by == "order"


def test_nothing_is_proposed_where_a_reference_is_named_or_texts_have_nothing_in_common():
    assert guess((column("a", *ENGLISH_1), column("ref", *ENGLISH_2))).reference_by is None
    assert guess((column("a", *ENGLISH_1), column("b", *GERMAN))).reference_by is None
    assert guess((column("a", *ENGLISH_1),)).reference_by is None


def test_a_reference_that_is_among_the_outputs_too_is_left_out():
    found = guess(
        (
            column("en-de.refA", *ENGLISH_1, file="references/en-de.refA.txt"),
            column("refA", *ENGLISH_1, file="system-outputs/en-de/refA.txt"),
            column("PROMT", *ENGLISH_2, file="system-outputs/en-de/PROMT.txt"),
        )
    )
    assert [one.role for one in found.columns] == ["reference", "ignore", "hypothesis"]
    assert found.left_out == (1,)
    found = guess(found_otherwise := [replace(one, role=None, name=stem(one.file)) for one in reversed(found.columns)])
    assert [one.role for one in found.columns] == ["hypothesis", "ignore", "reference"]
    assert [found_otherwise[index].file for index in found.left_out] == ["system-outputs/en-de/refA.txt"]


def test_a_faint_word_for_the_source_yields_to_a_text_in_another_language():
    columns = (column("Source-Tech", *ENGLISH_1), column("b", *ENGLISH_2), column("ref", *ENGLISH_3))
    assert roles(*columns, column("x", *GERMAN)) == ["hypothesis", "hypothesis", "reference", "source"]


def test_an_output_in_a_wrong_language_does_not_take_the_place_of_the_source():
    """Folders name all of them, and one system wrote something else: the source stays what its folder says."""
    columns = (
        column("ja-zh", *GERMAN, file="sources/ja-zh.txt"),
        column("ja-zh.refA", *ENGLISH_1, file="references/ja-zh.refA.txt"),
        column("Aya23", *ENGLISH_2, file="system-outputs/ja-zh/Aya23.txt"),
        column("GPT-4", *ENGLISH_3, file="system-outputs/ja-zh/GPT-4.txt"),
        column("CycleL", "oui", "non", "si", file="system-outputs/ja-zh/CycleL.txt"),
    )
    # the source is a little like the outputs, as Japanese is like Chinese
    mixed = (replace(columns[0], segments=("the cat ja", "a dog ja", "es wurde spät")), *columns[1:])
    for dropped in (columns, mixed):
        assert roles(*dropped) == ["source", "reference", "hypothesis", "hypothesis", "hypothesis"]


def test_columns_named_by_languages_are_source_and_text_as_the_name_of_the_file_says():
    def of(file, name, *segments):
        return replace(column(name, *segments, file=file), is_cell=True)

    found = guess(
        (
            of("BIT.ende.noterm.jsonl", "en", *ENGLISH_1),
            of("BIT.ende.noterm.jsonl", "de", *GERMAN),
            of("LC-3.ende.noterm.jsonl", "en", "the cat sat on the mat ", *ENGLISH_1[1:]),
            of("LC-3.ende.noterm.jsonl", "de", "die Katze lag dort", *GERMAN[1:]),
            of("duterm.ende.noterm.jsonl", "en", *ENGLISH_1),
            of("duterm.ende.noterm.jsonl", "de", "eine Katze lag da", *GERMAN[1:]),
            of("references/full.ende.jsonl", "en", *ENGLISH_1),
            of("references/full.ende.jsonl", "de", "die Katze ruhte dort", *GERMAN[1:]),
        )
    )
    assert [one.role for one in found.columns[::2]] == ["source", "ignore", "ignore", "ignore"]
    assert [one.role for one in found.columns[1::2]] == ["hypothesis", "hypothesis", "hypothesis", "reference"]
    assert [one.name for one in found.columns if one.role == "hypothesis"] == ["BIT", "LC-3", "duterm"]


def test_what_a_table_holds_besides_its_output_is_left_out_where_it_is_no_text_of_that_kind():
    settings = ("0-shot", "1-shot", "0-shot")
    found = (
        cell_column("prediction", *ENGLISH_1),
        cell_column("target", *ENGLISH_2),
        cell_column("other system", *ENGLISH_3),
        cell_column("dataset_path", "some/path", "some/path", "some/path"),
        cell_column("shots_source", "test", "test", "test"),
        cell_column("remarks", *settings),
        cell_column("source", *GERMAN),
    )
    assert roles(*found) == ["hypothesis", "reference", "hypothesis", "ignore", "ignore", "ignore", "source"]
    assert roles(cell_column("a", *ENGLISH_1), cell_column("remarks", *settings)) == ["hypothesis", "ignore"]
    assert roles(cell_column("hypothesis", *["yes"] * 3), cell_column("ref", *ENGLISH_1)) == ["hypothesis", "reference"]


def test_texts_are_no_document_names_whatever_they_are_called():
    sentences = ("the cat sat on the mat today", "a dog ran home in the rain", "it was late in the evening")
    columns = (column("DocMT", *sentences), column("doc.out", *sentences), column("docs", *sentences))
    assert set(roles(*columns)) == {"hypothesis"}


def test_marks_at_the_ends_of_a_name_stay():
    assert names(column("-dash it"), column("$(x)"), column("ref"))[:2] == ["-dash it", "$(x)"]


NAMES = st.text("aA1.-_ é译x", min_size=1, max_size=12).filter(lambda name: any(map(str.isalnum, name)))


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), st.lists(NAMES, max_size=2, unique=True))
def test_short_names_are_never_empty_never_equal_and_parts_of_the_names_given(systems, references):
    columns = [column(name, role="hypothesis", file=f"{name}.txt") for name in systems]
    columns += [column(name, role="reference", file=f"{name}.txt") for name in references]
    found = with_short_names(columns)
    for role in ("hypothesis", "reference"):
        short = [one.name for one in found if one.role == role]
        assert all(name.strip() for name in short)
        assert len(set(short)) == len(short)
    for name, one in zip(systems, found, strict=False):
        assert one.name in name or one.name.rpartition(" (")[0] in name


@pytest.mark.parametrize(
    ("titles", "roles"),
    [
        ("article highlights BART PEGASUS", "source reference hypothesis hypothesis"),
        ("input expected_output actual_output", "source reference hypothesis"),
        ("question|Ground Truth|model-output", "source reference hypothesis"),
        ("instruction input canonical_solution sys1", "ignore source reference hypothesis"),
    ],
)
def test_columns_are_known_by_what_data_sets_of_tasks_call_them(titles, roles):
    names = titles.split("|") if "|" in titles else titles.split()
    texts = {name: tuple(f"{name} {number} told once" for number in range(9)) for name in names}
    columns = [Column("t.csv", name, None, texts[name], None, 1, is_cell=True) for name in names]
    assert [column.role for column in guess_roles(columns)] == roles.split()


def test_what_every_file_holds_beside_its_own_output_is_the_reference_and_no_system():
    gold = tuple(f"select {number} from the long table" for number in range(9))
    asked = tuple(f"which of them, number {number}?" for number in range(9))
    columns = [
        Column(file, name, role, texts, None, 1, is_cell=True)
        for file in ("one.jsonl", "two.jsonl", "three.jsonl")
        for name, role, texts in (
            ("query", None, asked),
            ("sql", None, gold),
            (file, "hypothesis", tuple(f"{text} {file}" for text in gold)),
        )
    ]
    guessed = guess_roles(columns)
    assert [column.role for column in guessed[:3]] == ["source", "reference", "hypothesis"]
    assert {column.role for column in guessed[3:]} == {"ignore", "hypothesis"}
    assert sum(column.role == "hypothesis" for column in guessed) == 3


@pytest.mark.parametrize(("texts", "role"), [(ENGLISH_3, "hypothesis"), (("", *ENGLISH_1[:2]), "ignore")])
def test_a_system_called_context_is_an_output_and_the_context_of_segments_is_none(texts, role):
    known = [cell_column("reference", *ENGLISH_1), cell_column("hypothesis", *ENGLISH_2)]
    assert roles(*known, cell_column("context", *texts))[-1] == role


def test_what_holds_the_reference_and_the_output_of_its_row_is_no_output():
    scored = [f"('{reference}', '{output}')" for reference, output in zip(ENGLISH_1, ENGLISH_2, strict=True)]
    known = [cell_column("reference", *ENGLISH_1), cell_column("logit", *ENGLISH_2)]
    assert roles(*known, cell_column("measured", *scored)) == ["reference", "hypothesis", "ignore"]


NAMED = ["ref.txt", "src.txt", "german.txt", "french.txt", "english.txt", "out.txt", "notes.txt", "ids.txt"]


@given(given=st.lists(st.sampled_from(NAMED), min_size=1, unique=True), words=st.lists(st.text("ab ß語"), min_size=3))
def test_any_files_next_to_each_other_get_a_role_or_none(given, words):
    segments = [f"{place} {word}" for place, word in enumerate(words)]
    columns = [column(stem(name), *segments, file=name) for name in given]
    assert [guessed.file for guessed in guess_roles(columns)] == given
    assert set(roles(*columns)) <= {*ROLES, None}
