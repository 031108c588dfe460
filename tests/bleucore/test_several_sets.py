"""Files that hold several test sets, and those that only look so."""

import json

import pytest

from bleucore import InputError
from bleucore.formats import guess_roles, read
from bleucore.formats.several_sets import SeveralSetsError, several_sets
from bleucore.formats.standard_references import standard_file, standard_reference

LINES = {
    "a": "ein Hund läuft weit {}",
    "b": "der Hund lief fort {}",
    "ref": "der Hund lief weit {}",
    "src": "a dog ran far {}",
}
N = 8


def lines_of(name, said=""):
    return [LINES[name].format(number) + said for number in range(N)]


def plain(name, said=""):
    return ("\n".join(lines_of(name, said)) + "\n").encode()


def columns_of(files):
    return [column for name, data in files.items() for column in read(name, data)]


def table(system, said=""):
    rows = zip(lines_of("src", said), lines_of("ref", said), lines_of(system, said), strict=True)
    return ("\n".join(["source\treference\thypothesis", *map("\t".join, rows)]) + "\n").encode()


def test_two_directions_of_a_pair_are_two_sets_although_they_are_equally_long():
    files = {
        **{f"en-de/{name}.txt": plain(name) for name in ("a", "b", "ref", "src")},
        **{f"de-en/{name}.txt": plain(other) for name, other in (("a", "src"), ("ref", "src"), ("src", "ref"))},
    }
    files["de-en/a.txt"] = plain("src", " again")
    first, second = several_sets(columns_of(files))
    assert (first.planned.name, second.planned.name) == ("de-en", "en-de")
    assert {column.file for column in first.columns} == {"de-en/a.txt", "de-en/ref.txt", "de-en/src.txt"}


def test_one_set_is_not_several():
    assert several_sets(columns_of({f"{name}.txt": plain(name) for name in LINES})) == ()
    assert several_sets(()) == ()


def test_tables_with_the_same_references_and_a_system_each_are_one_set():
    files = {"A.tsv": table("a"), "B.tsv": table("b")}
    assert several_sets(columns_of(files)) == ()
    roles = [(column.name, column.role) for column in guess_roles(columns_of(files)) if column.role != "ignore"]
    assert roles == [("source", "source"), ("reference", "reference"), ("A", "hypothesis"), ("B", "hypothesis")]


def test_tables_with_other_references_are_sets_of_their_own():
    sets = several_sets(columns_of({"news.tsv": table("a"), "law.tsv": table("a", " by law")}))
    assert [one.planned.name for one in sets] == ["law", "news"]


def test_a_refusal_names_the_sets_and_keeps_them():
    sets = several_sets(columns_of({"news.tsv": table("a"), "law.tsv": table("a", " by law")}))
    error = SeveralSetsError(sets, where="here", remedy="Name one.")
    assert isinstance(error, InputError)
    assert "'law', 'news'" in str(error)
    assert error.sets == sets


@pytest.mark.parametrize(
    ("files", "title", "standard"),
    [
        (["he-en.refA.txt", "he-en.refB.txt"], "wmt23", "he-en.refB.txt"),
        (["wmt23/references/he-en.refA.txt", "wmt23/references/he-en.refB.txt"], "", "wmt23/references/he-en.refB.txt"),
        (["zh-en.refA.txt", "zh-en.synthetic_ref.txt"], "wmt23", "zh-en.refA.txt"),
        (["he-en.refA.txt", "he-en.refB.txt"], "", "he-en.refA.txt"),
        (["he-en.refA.txt"], "wmt23", None),
        (["ref.A.txt", "ref.B.txt"], "wmt23", None),
        (["he-en.refA.txt", "en-he.refA.txt"], "wmt23", None),
        (["he-en.refA.txt", "he-en.gold.txt", "mine.txt"], "wmt23", None),
    ],
)
def test_of_the_references_of_a_release_the_standard_one_counts_and_of_others_all(files, title, standard):
    assert standard_file(files, title) == standard


def test_the_first_reference_counts_where_a_release_has_none_of_the_usual_names():
    assert standard_reference("wmt23", "zh-en", ["gold", "silver"]) == "gold"


def test_a_reference_that_does_not_count_says_why_and_one_that_is_named_counts():
    files = {"x.txt": plain("a"), "en-de.refA.txt": plain("ref"), "en-de.refB.txt": plain("ref", " more")}
    roles = {column.file: column for column in guess_roles(columns_of(files))}
    assert roles["en-de.refB.txt"].role == "ignore"
    assert "scored against en-de.refA.txt" in roles["en-de.refB.txt"].left_out
    named = [read(name, data, header=None)[0] for name, data in files.items()]
    told = [
        column if column.file == "x.txt" else type(column)(**{**vars(column), "role": "reference"}) for column in named
    ]
    assert [column.role for column in guess_roles(told)] == ["hypothesis", "reference", "reference"]


def test_scores_beside_texts_are_no_systems():
    scores = "system\tmetric\tscore\n" + "".join(f"s{number}\tBLEU\t{number}.5\n" for number in range(3))
    files = {"a.txt": plain("a"), "b.txt": plain("b"), "ref.txt": plain("ref"), "published.tsv": scores.encode()}
    columns = guess_roles(columns_of(files))
    assert {column.left_out for column in columns if column.file == "published.tsv"} == {
        "3 rows, where the texts have 8 lines."
    }


@pytest.mark.parametrize("name", ["HyTER", "LanguageX", "BLEURTer", "Index-MT"])
def test_a_column_with_texts_is_a_system_whatever_its_name_says(name):
    rows = zip(lines_of("ref"), lines_of("a"), strict=True)
    data = ("\n".join([f"reference\t{name}", *map("\t".join, rows)]) + "\n").encode()
    assert [column.role for column in guess_roles(read("all.tsv", data))] == ["reference", "hypothesis"]


@pytest.mark.parametrize("name", ["ref_free", "source_factor"])
def test_a_file_among_outputs_is_one_where_another_is_plainly_the_reference_or_source(name):
    files = {f"systems/{one}.txt": plain(text) for one, text in (("a", "a"), (name, "b"))}
    files |= {"references/ref.txt": plain("ref"), "sources/src.txt": plain("src")}
    found = {column.file: column.role for column in guess_roles(columns_of(files))}
    assert found[f"systems/{name}.txt"] == "hypothesis"


def test_the_sets_of_nist_are_told_by_their_ids():
    def of(kind, set_id, text):
        return (
            f'<{kind}set setid="{set_id}" srclang="en" trglang="de"><doc docid="d" sysid="s">'
            + "".join(f'<seg id="{number}">{text} {number}</seg>' for number in range(1, 4))
            + f"</doc></{kind}set>"
        ).encode()

    files = {
        f"{set_id}-{kind}.xml": of(kind, set_id, f"{kind} words {set_id}")
        for set_id in ("one", "two")
        for kind in ("ref", "tst")
    }
    assert len(several_sets(columns_of(files))) == 2


def test_logs_of_each_model_in_json_lines_are_one_set():
    def log(system):
        rows = zip(lines_of("src"), lines_of("ref"), lines_of(system), strict=True)
        named = [json.dumps({"id": number, "src": s, "ref": r, "mt": m}) for number, (s, r, m) in enumerate(rows)]
        return ("\n".join(named) + "\n").encode()

    assert several_sets(columns_of({"runs/a.jsonl": log("a"), "runs/b.jsonl": log("b")})) == ()


@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
def test_logs_in_a_folder_for_each_system_are_one_set(ending):
    def log(system):
        if ending == "tsv":
            return table(system)
        return b"".join(
            json.dumps({"source": source, "reference": reference, "hypothesis": text}).encode() + b"\n"
            for source, reference, text in zip(lines_of("src"), lines_of("ref"), lines_of(system), strict=True)
        )

    assert several_sets(columns_of({f"{name}/log.{ending}": log(name) for name in ("a", "b")})) == ()


def test_folders_of_plain_texts_with_the_same_reference_are_one_set():
    files = {f"{name}/{kind}.txt": plain(kind if kind != "hyp" else name) for name in "ab" for kind in ("hyp", "ref")}
    assert several_sets(columns_of(files)) == ()


def test_references_shared_by_two_pairs_are_those_of_two_sets():
    files = {
        f"{pair}/{kind}.txt": plain(text, "" if kind == "ref" else pair)
        for pair in ("en-de", "fr-de")
        for kind, text in (("hyp", "a"), ("ref", "ref"), ("src", "src"))
    }
    assert len(several_sets(columns_of(files))) == 2


def test_folders_of_two_documents_are_two_sets():
    files = {f"doc{one}/{name}.txt": plain(name, str(one)) for one in (1, 2) for name in ("a", "b", "ref")}
    assert len(several_sets(columns_of(files))) == 2
