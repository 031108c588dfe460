"""What is pushed is kept once, whole, and compared with what is there."""

import json
import threading
from dataclasses import replace

import pytest

from bleucore import InputError
from bleuscope.workspace import Pushed, push
from bleuscope.workspace.errors import ConflictError, NotFoundError
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion
from bleuscope.workspace.push_payload import GivenTexts, Parcel, texts_document, texts_of, version_document, version_of
from bleuscope.workspace.push_service import keep, rehearse, rehearse_first

REFERENCES = [["a house", "two words", "x", "a cat sat", "the end"], [None, "two", "y", "cat", None]]
TEXTS = GivenTexts(
    REFERENCES,
    ["A", "B"],
    ["a.txt", None],
    ["Haus", "zwei\nZeilen", "ا", "Katze", "Ende"],
    ["d1", "d1", "d2", "d2", "d2"],
    {"domain": ["news"] * 5},
    ("de", None),
)
OUTPUTS = ("the house", "two words", "", "cat sat", "end")
NEW = NewVersion("base", "v1", OUTPUTS, 7, None, {"lr": 1e-4}, ("best",), "out.txt")
FIRST = Parcel("en-de", "news", NEW, TEXTS)
LATER = replace(FIRST, texts=GivenTexts())


@pytest.fixture
def me(workspace):
    return workspace.people.person(LOCAL)


def test_the_first_push_makes_project_and_test_set_and_later_ones_need_neither(workspace, me):
    first = keep(workspace, FIRST, me)
    assert (first.is_new, first.is_kept, first.n_segments) == (True, True, 5)
    assert keep(workspace, LATER, me) == replace(first, is_new=False)
    assert keep(workspace, FIRST, me) == replace(first, is_new=False)
    project = workspace.projects.find("en-de")
    kept = workspace.projects.test_set(project, "news")
    (version,) = workspace.projects.versions(project)
    test_set = workspace.projects.texts(kept, [version])
    assert test_set.systems[0].hypotheses == OUTPUTS
    assert [list(column) for column in test_set.references] == REFERENCES
    assert (test_set.reference_names, test_set.languages) == (("A", "B"), ("de", None))
    assert (list(test_set.source), dict(test_set.labels)) == (TEXTS.source, {"domain": ("news",) * 5})


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"source": ["Haus", "zwei", "ا", "Katze", "Ende"]}, "the source, line 2: .*found 'zwei', expected 'zwei.nZei"),
        ({"source": ["Haus"]}, r"the source, line 2: .*found 1 line, expected 5"),
        ({"source": ["Hut", "x"]}, r"the source, line 1: .*found 'Hut', 2 lines, expected 'Haus', 5 lines"),
        ({"documents": ["d1"] * 5}, "the documents, line 3: "),
        ({"labels": {"domain": ["news"] * 4 + ["chat"]}}, "the label 'domain', line 5: "),
        ({"labels": {"genre": ["news"] * 5}}, "it is kept without the label 'genre'"),
        ({"references": REFERENCES[:1]}, "another number of references .found 1, expected 2"),
        ({"references": [REFERENCES[0], ["the", "two", "y", "cat", None]]}, "reference 2, line 1: .*expected None"),
    ],
)
def test_texts_that_are_not_those_of_the_test_set_are_refused_by_their_first_line(workspace, me, texts, said):
    keep(workspace, FIRST, me)
    changed = replace(LATER, version=replace(NEW, label="v2"), texts=GivenTexts(**texts))
    for attempt in (keep, rehearse):
        with pytest.raises(ConflictError, match=said):
            attempt(workspace, changed, me)
    assert len(workspace.projects.versions(workspace.projects.find("en-de"))) == 1


def test_runs_go_through_both_documents_and_earlier_ones_have_none(workspace, me):
    run = replace(NEW, run="seed 2")
    assert version_of(version_document(run)) == replace(run, outputs=OUTPUTS)
    assert "run" not in version_document(NEW)
    assert version_of({"system": "a", "version": "b", "outputs": []}).run is None
    keep(workspace, FIRST, me)
    second = keep(workspace, replace(LATER, version=replace(run, outputs=(*OUTPUTS[:4], "ends"))), me)
    assert (second.is_new, second.run) == (True, "seed 2")
    assert str(second).startswith("base v1, seed 2 on news, project en-de: kept")
    with pytest.raises(InputError, match="the field run holds something else"):
        version_of({**version_document(NEW), "run": 3})


def test_texts_that_are_those_of_the_test_set_may_come_in_part(workspace, me):
    keep(workspace, FIRST, me)
    for texts in ({"source": TEXTS.source}, {"references": REFERENCES}, {"labels": TEXTS.labels}):
        assert not keep(workspace, replace(FIRST, texts=GivenTexts(**texts)), me).is_new


def test_half_a_character_in_what_is_compared_is_named(workspace, me):
    keep(workspace, FIRST, me)
    texts = GivenTexts(source=["Haus", "\ud800", "ا", "Katze", "Ende"])
    with pytest.raises(InputError, match=r"The source, line 2: the text holds half of a surrogate pair"):
        keep(workspace, replace(FIRST, texts=texts), me)


def test_outputs_of_another_length_name_their_file_and_where_they_slip(workspace, me):
    keep(workspace, FIRST, me)
    short = replace(NEW, label="v2", outputs=(*OUTPUTS[:2], *OUTPUTS[3:]))
    for attempt in (keep, rehearse):
        with pytest.raises(
            InputError,
            match=r"out.txt: .*found 4, expected 5 as in test set news\)\. The first line that looks shifted is 3",
        ):
            attempt(workspace, replace(LATER, version=short), me)
    lines = [f"word{number} other{number} third{number}" for number in range(20)]
    texts = GivenTexts([lines])
    whole = Parcel("en-de", "long", NewVersion("base", "v1", lines), texts)
    gap = replace(whole, version=NewVersion("base", "v2", [*lines[:7], *lines[8:]], file="out.txt"))
    with pytest.raises(InputError, match=r"out.txt: .*The first line that looks shifted is 8\."):
        keep(workspace, gap, me)
    keep(workspace, whole, me)
    with pytest.raises(InputError, match=r"out.txt: .*The first line that looks shifted is 8\."):
        keep(workspace, gap, me)


def test_what_is_refused_leaves_no_project_behind(workspace, me):
    for parcel, error in (
        (LATER, NotFoundError),
        (replace(FIRST, version=replace(NEW, outputs=("x",))), InputError),
        (replace(FIRST, texts=replace(TEXTS, source=["x"])), InputError),
    ):
        for attempt in (keep, rehearse):
            with pytest.raises(error):
                attempt(workspace, parcel, me)
    assert workspace.projects.all() == ()


def test_a_trial_says_what_would_come_and_keeps_nothing(workspace, me):
    before = {file: file.read_bytes() for file in workspace.place.folder.rglob("*") if file.suffix == ".gz"}
    tried = rehearse(workspace, FIRST, me)
    assert {file: file.read_bytes() for file in workspace.place.folder.rglob("*") if file.suffix == ".gz"} == before
    assert (tried.is_new, tried.is_kept) == (True, False)
    assert tried == rehearse_first(FIRST)
    assert workspace.projects.all() == ()
    kept = keep(workspace, FIRST, me)
    assert (kept.digest, kept.is_new) == (tried.digest, True)
    assert rehearse(workspace, FIRST, me) == replace(kept, is_new=False)
    other = replace(LATER, version=replace(NEW, outputs=("x",) * 5))
    with pytest.raises(ConflictError, match="other outputs have this label already"):
        rehearse(workspace, other, me)
    assert not rehearse(workspace, replace(LATER, version=replace(NEW, label="v2")), me).is_kept


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"step": -1}, "no step"),
        ({"step": 2**63}, "no step"),
        ({"config": {"x": float("nan")}}, "nothing that JSON can hold"),
        ({"config": {"x": object()}}, "nothing that JSON can hold"),
        ({"config": {"x": "x" * 300_000}}, "the configuration is too long"),
        ({"outputs": ("\ud800",) * 5}, "half of a surrogate pair"),
        ({"system": "\0"}, "no name"),
        ({"label": "\ud800"}, "no name"),
    ],
)
def test_what_no_database_holds_is_refused(workspace, me, change, said):
    parcel = replace(FIRST, version=replace(NEW, **change))
    for attempt in (keep, rehearse):
        with pytest.raises(InputError, match=said):
            attempt(workspace, parcel, me)
    assert workspace.projects.all() == ()


def test_nul_and_half_characters_in_settings_come_back(workspace, me):
    config = {"x": "\0\ud800", "y": [1, None, {"z": True}]}
    keep(workspace, replace(FIRST, version=replace(NEW, config=config, outputs=("\0", *OUTPUTS[1:]))), me)
    (version,) = workspace.projects.versions(workspace.projects.find("en-de"))
    assert version.config == config
    assert workspace.projects.outputs(version)[0] == "\0"


def test_a_parcel_comes_back_from_json():
    texts = texts_of(json.loads(json.dumps(texts_document(TEXTS))))
    assert texts.test_set() == TEXTS.test_set()
    assert texts.languages == TEXTS.languages
    assert list(texts.reference_files) == ["a.txt", None]
    assert version_of(json.loads(json.dumps(version_document(NEW)))) == NEW
    assert texts_of({}).is_nothing


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "this is no object .found .., expected an object with system, version, outputs"),
        ({"system": "s"}, "the field version holds something else .found nothing"),
        ({"system": "s", "version": "v", "outputs": "text"}, "the field outputs .*found 'text', expected a list"),
        ({"system": "s", "version": "v", "outputs": ["a", None]}, "outputs, line 2: this is no text .found None"),
        ({"system": "s", "version": "v", "outputs": [], "stepp": 1}, "no field of this name .found 'stepp'"),
        ({"system": "s", "version": "v", "outputs": [], "step": True}, "the field step .*expected a whole number"),
        ({"system": "s", "version": "v", "outputs": [], "step": 1.0}, "the field step"),
        ({"system": "s", "version": "v", "outputs": [], "config": []}, "the field config"),
        ({"system": "s", "version": "v", "outputs": [], "tags": [1]}, "tags, line 1: this is no text"),
        (
            {"system": "s", "version": "v", "outputs": [], "made_at": "monday"},
            "the field made_at .*expected as in 2026",
        ),
        ({"system": "s", "version": "v", "outputs": [], "made_at": "0001-01-01T00:00:00+14:00"}, "the field made_at"),
    ],
)
def test_what_is_no_version_is_refused_by_its_field(document, said):
    with pytest.raises(InputError, match=said):
        version_of(document)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"references": [["a"]]}, "Reference 1: this is no object"),
        ({"references": [{"segments": [1]}]}, "Reference 1, segments, line 1: this is no text"),
        ({"references": [{"segments": [], "name": 1}]}, "Reference 1: the field name"),
        ({"languages": ["de"]}, "the field languages"),
        ({"languages": ["de", "x" * 99]}, "the field languages"),
        ({"languages": ["de", "<b>"]}, "the field languages"),
        ({"labels": {"domain": "news"}}, "The labels: the field domain"),
        ({"sources": []}, "no field of this name"),
    ],
)
def test_what_is_no_test_set_is_refused_by_its_field(document, said):
    with pytest.raises(InputError, match=said):
        texts_of(document)


def test_a_program_pushes_in_two_lines(empty_place):
    names = {"project": "p", "test_set": "t", "system": "s", "workspace": str(empty_place.folder)}
    pushed = push(["a b", "c"], **names, version="v1", step=3, references=[["a b", "d"]])
    assert isinstance(pushed, Pushed)
    assert pushed.is_new
    assert not push(["a b", "c"], **names, version="v1").is_new
    with pytest.raises(ConflictError):
        push(["a b", "d"], **names, version="v1")
    assert str(pushed).startswith("s v1 on t, project p: kept (2 segments, digest ")


def test_of_two_that_push_other_outputs_at_once_one_is_kept_and_one_is_told(workspace, me):
    keep(workspace, FIRST, me)
    for number in range(5):
        start, ended = threading.Barrier(2), []

        def race(text, label=f"race-{number}", start=start, ended=ended):
            parcel = replace(LATER, version=replace(NEW, label=label, outputs=(text,) * 5))
            start.wait()
            try:
                ended.append((text, keep(workspace, parcel, me).digest))
            except ConflictError:
                ended.append((text, None))

        both = [threading.Thread(target=race, args=(text,)) for text in ("left", "right")]
        for one in both:
            one.start()
        for one in both:
            one.join()
        ((winner, digest),) = [one for one in ended if one[1] is not None]
        assert len(ended) == 2
        versions = {one.label: one for one in workspace.projects.versions(workspace.projects.find("en-de"))}
        assert versions[f"race-{number}"].digest == digest
        assert workspace.projects.outputs(versions[f"race-{number}"]) == (winner,) * 5
