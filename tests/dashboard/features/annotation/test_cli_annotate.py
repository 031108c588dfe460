"""``bleuscope annotate``: from the plan to files that are read again."""

import json

import pytest

from bleucore.annotation.events import Finished, Marked, Scored
from bleucore.annotation.marks import Mark
from bleucore.judgements import reading
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.workspace import open_workspace

OUTPUTS = {"A.txt": [f"the sentence {n}" for n in range(8)], "B.txt": [f"a sentence, 🇩🇪 {n}" for n in range(8)]}
TEXTS = ("A.txt", "B.txt", "-r", "ref.txt", "-s", "source.txt", "--documents", "docs.txt")


@pytest.fixture
def folder(tmp_path, monkeypatch, empty_place):
    monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(empty_place.folder))
    monkeypatch.chdir(tmp_path)
    columns = OUTPUTS | {
        "ref.txt": [f"reference {n}" for n in range(8)],
        "source.txt": [f"source {n}" for n in range(8)],
        "docs.txt": [f"doc-{n // 2}" for n in range(8)],
    }
    for name, lines in columns.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


@pytest.fixture
def planned(folder, bleuscope):
    def made(*more):
        code, out, err = bleuscope("annotate", "plan", *TEXTS, "--annotators", "ann,bob", *more)
        assert code == 0, err
        return out.splitlines()

    return made


def annotate(place, task_id):
    """Both annotators mark and score all that is assigned to them."""
    with open_workspace(place) as workspace:
        store = AnnotationStore(workspace)
        task = store.task(task_id)
        for annotator in task.annotators:
            for place_of, item in enumerate(task.items_of(annotator)):
                bodies = [Finished(4.0)]
                if item.segment % 2:
                    bodies.insert(0, Marked("m", Mark(0, 1, "major", "style" if task.scheme.categories else "")))
                if task.scheme.has_slider:
                    bodies.insert(0, Scored(50.0 + item.segment))
                for number, body in enumerate(bodies):
                    store.append(task_id, item.id, annotator, body, number, f"{annotator}.{place_of * 10 + number}")


def test_a_plan_prints_the_task_and_a_link_for_each_annotator(planned, empty_place):
    task_id, *links = planned("--scheme", "ESA", "--overlap", "0.5", "--address", "https://x.example/")
    assert [link.partition("\t")[0] for link in links] == ["ann", "bob"]
    assert all("\thttps://x.example/annotate?rater=" in link for link in links)
    with open_workspace(empty_place) as workspace:
        store = AnnotationStore(workspace)
        assert store.annotator_of(links[0].rpartition("=")[2]) == (task_id, "ann")
        assert {item.system for item in store.task(task_id).items} == {"A", "B"}


def test_a_sample_and_a_scheme_from_a_file_make_a_plan(planned, folder, empty_place):
    (folder / "ours.yaml").write_text("name: ours\nseverities: {bad: 3}\n", encoding="utf-8")
    task_id, *_ = planned("--scheme", "ours.yaml", "--budget", "4", "--by", "document", "--system", "B.txt")
    with open_workspace(empty_place) as workspace:
        task = AnnotationStore(workspace).task(task_id)
    assert (task.scheme.name, len(task.items), task.systems) == ("ours", 4, ("B",))
    assert all(item.draw is not None for item in task.items)


@pytest.mark.parametrize("form", ["mtme", "marot", "esa", "xlsx"])
def test_what_is_exported_is_imported_and_exported_alike(planned, folder, bleuscope, empty_place, form):
    scheme = "ESA" if form in ("esa", "xlsx") else "MQM"
    overlap = "0" if form == "mtme" else "1"
    task_id, *_ = planned("--scheme", scheme, "--overlap", overlap)
    annotate(empty_place, task_id)
    names = {"mtme": "one", "marot": "one.tsv", "esa": "one.jsonl", "xlsx": "one.xlsx"}
    assert bleuscope("annotate", "export", task_id, "--form", form, "-o", names[form])[0] == 0
    first = next((folder / "one").glob("*.rating")) if form == "mtme" else folder / names[form]
    code, out, err = bleuscope("annotate", "import", *TEXTS, "--annotations", str(first))
    assert code == 0, err
    again = names[form].replace("one", "two")
    assert bleuscope("annotate", "export", out.strip(), "--form", form, "-o", again)[0] == 0
    second = next((folder / "two").glob("*.rating")) if form == "mtme" else folder / again
    if form == "xlsx":  # a workbook says when it was made
        rows = [
            [row[1:] for row in reading.read("x.xlsx", one.read_bytes()).judgements[0].rows] for one in (first, second)
        ]
        assert rows[0] == rows[1]
    else:
        assert first.read_bytes() == second.read_bytes()


def test_results_have_progress_agreement_scores_and_every_mark(planned, bleuscope, empty_place):
    task_id, *_ = planned("--scheme", "MQM", "--overlap", "1")
    annotate(empty_place, task_id)
    code, out, err = bleuscope("annotate", "results", task_id, "-f", "json")
    assert code == 0, err
    found = json.loads(out)
    tables = {one["name"]: one["rows"] for one in found["tables"]} if "tables" in found else found
    assert {"progress", "annotator-agreement", "annotated-systems"} <= set(tables)
    text = bleuscope("annotate", "results", task_id)[1]
    assert "32 of 32 assigned outputs finished." in text
    assert "seconds" not in text
    heavier = bleuscope("annotate", "results", task_id, "--mqm-weights", "major=10", "--table", "annotated-systems")[1]
    assert "−5.00" in heavier


def test_links_are_revoked_and_a_task_is_ended_and_deleted(planned, bleuscope, empty_place):
    task_id, link, _ = planned("--scheme", "ESA")
    assert bleuscope("annotate", "links", task_id, "--annotator", "ann", "--revoke")[0] == 0
    with open_workspace(empty_place) as workspace:
        assert AnnotationStore(workspace).annotator_of(link.rpartition("=")[2]) is None
    assert bleuscope("annotate", "links", task_id)[1].count("annotate?rater=") == 2
    assert bleuscope("annotate", "end", task_id)[1] == f"task {task_id}: ended\n"
    assert json.loads(bleuscope("annotate", "list", "-f", "json")[1])[0]["state"] == "ended"
    code, _, err = bleuscope("annotate", "delete", task_id)
    assert (code, "deletes annotations for good" in err) == (2, True)
    assert bleuscope("annotate", "delete", task_id, "--yes")[0] == 0
    code, _, err = bleuscope("annotate", "results", task_id)
    assert "there is no such annotation task" in err


def test_esa_needs_scores(planned, bleuscope, empty_place):
    task_id, *_ = planned("--scheme", "MQM")
    annotate(empty_place, task_id)
    code, _, err = bleuscope("annotate", "export", task_id, "--form", "esa", "-o", "x.jsonl")
    assert (code, "these annotations have no scores" in err) == (2, True)
