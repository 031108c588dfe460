"""Which files belong to one test set, by their names alone."""

import pytest

from bleucore.formats.campaign_names import grouped, natural, pair_in, said_role, set_names


def sets_of(*paths, title="campaign"):
    """The paths of each test set, by its name."""
    groups = grouped(paths)
    return {name: sorted(group.paths) for name, group in zip(set_names(groups, title), groups, strict=True)}


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("sources/generaltest2022.en-de.src.en", "source"),
        ("references/en-de.refA.txt", "reference"),
        ("system-outputs/en-de/GPT4.txt", "hypothesis"),
        ("wmt23.refA.txt", "reference"),
        ("日本語/参照訳.txt", "reference"),
        ("日本語/原文.txt", "source"),
        ("news/medical.txt", None),
    ],
)
def test_a_name_says_more_than_its_folder(path, role):
    assert said_role(path) == role


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("generaltest2022.cs-en.hyp.CUNI-DocTransformer.en", ("cs", "en")),
        ("newstest2019-decs-ref.cs", ("de", "cs")),
        ("newstest2019.Facebook_FAIR.6750.en-de", ("en", "de")),
        ("eng_Latn-deu_Latn.devtest", ("eng", "deu")),
        ("base.de", None),
    ],
)
def test_language_pairs_are_found_in_names(name, pair):
    assert pair_in(name) == pair


def test_a_release_is_a_test_set_for_each_pair():
    found = sets_of(
        "sources/generaltest2022.en-de.src.en",
        "references/generaltest2022.en-de.ref.A.de",
        "system-outputs/generaltest2022.en-de.hyp.Online-A.de",
        "sources/generaltest2022.en-ja.src.en",
        "references/generaltest2022.en-ja.ref.A.ja",
        "system-outputs/generaltest2022.en-ja.hyp.Online-A.ja",
    )
    assert list(found) == ["WMT22 en-de", "WMT22 en-ja"]
    assert all(len(paths) == 3 for paths in found.values())


def test_sets_of_one_name_in_two_pairs_and_two_folders_are_apart():
    paths = [
        f"{folder}/{pair}/{role}.txt"
        for folder in ("legal", "医療")
        for pair in ("en-ja", "ja-en")
        for role in ("src", "ref", "sys/one")
    ]
    assert list(sets_of(*paths)) == ["legal en-ja", "legal ja-en", "医療 en-ja", "医療 ja-en"]


def test_a_reference_that_names_begin_or_end_with_makes_a_set():
    assert sets_of("news.ref.txt", "news.one.txt", "short news.ref.txt", "short news.one.txt") == {
        "news": ["news.one.txt", "news.ref.txt"],
        "short news": ["short news.one.txt", "short news.ref.txt"],
    }
    crossed = sets_of("references/news.txt", "references/law.txt", "A/news.txt", "A/law.txt", "B/news.txt", "B/law.txt")
    assert crossed == {
        "law": ["A/law.txt", "B/law.txt", "references/law.txt"],
        "news": ["A/news.txt", "B/news.txt", "references/news.txt"],
    }


def test_several_references_of_one_set_make_no_sets():
    assert len(sets_of("reference.A.txt", "reference.B.txt", "outputs/A.txt", "outputs/B.txt")) == 1
    assert len(sets_of("ref.txt", "ref-human.txt", "one.txt", "two.txt")) == 1


def test_outputs_go_to_the_nearest_references_of_their_pair():
    found = sets_of("data/test.en-de.ref.de", "data/test.de-en.ref.en", "one/test.en-de.de", "one/test.de-en.en")
    assert found == {
        "test de-en": ["data/test.de-en.ref.en", "one/test.de-en.en"],
        "test en-de": ["data/test.en-de.ref.de", "one/test.en-de.de"],
    }


def test_outputs_of_another_domain_are_not_scored_against_a_reference():
    found = sets_of("law/en-de/ref.txt", "law/en-de/one.txt", "news/en-de/src.txt", "news/en-de/one.txt")
    assert found == {
        "law en-de": ["law/en-de/one.txt", "law/en-de/ref.txt"],
        "news en-de": ["news/en-de/one.txt", "news/en-de/src.txt"],
    }


def test_a_set_whose_names_say_nothing_is_called_as_the_campaign():
    assert list(sets_of("ref.txt", "one.txt", title="pilot.zip")) == ["pilot"]


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("news (2)", "news (2)"),
        ("חדשות (2)", "חדשות (2)"),
        ("law_", "law"),
        ("law of 2022-11", "law of 2022-11"),
    ],
)
def test_a_set_is_called_as_its_folder_is_written(folder, name):
    texts = (f"{where}/{text}.txt" for where in (folder, "other") for text in ("ref", "one"))
    assert set(sets_of(*texts)) == {name, "other"}


def test_names_are_ordered_as_people_count():
    assert sorted(["set 10", "Set 2", "set 1"], key=natural) == ["set 1", "Set 2", "set 10"]


def test_pairs_share_texts_that_are_there_once_for_each_language():
    texts = [f"devtest/{language}.devtest" for language in ("deu_Latn", "eng_Latn", "jpn_Jpan", "xho_Latn")]
    outputs = [
        f"{system}/eng_Latn-{into}.devtest" for system in ("nllb-3.3B", "madlad") for into in ("deu_Latn", "jpn_Jpan")
    ]
    groups = grouped([*texts, *outputs])
    found = dict(zip(set_names(groups, "flores"), groups, strict=True))
    assert found.keys() == {"devtest eng-deu", "devtest eng-jpn", "devtest"}
    assert dict(found["devtest eng-jpn"].roles) == {texts[1]: "source", texts[2]: "reference"}
    assert sorted(found["devtest eng-jpn"].paths) == sorted([texts[1], texts[2], outputs[1], outputs[3]])
    assert found["devtest"].paths == (texts[3],)
