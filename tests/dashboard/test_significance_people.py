"""What keeps apart a significant difference, one that raters notice, and a better system; the same on every surface."""

import json
from pathlib import Path

import numpy as np
import pytest

from bleucore import System, TestSet
from bleucore.agreement.people_range import PeopleRange, people_range
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import make_study
from bleuscope.content.comparison.inputs import Inputs, Settings
from bleuscope.content.paper import methods
from bleuscope.content.report import html_report, make_report, markdown_report
from bleuscope.content.scores.score_sheets import systems_sheet
from bleuscope.content.scores.verdicts import study_verdict
from bleuscope.content.significance.significance_by_metric import opinions_of
from bleuscope.content.significance.significance_people import (
    SIGNIFICANT_IS_NOT_BETTER,
    people_note,
    people_of,
    people_words,
)
from bleuscope.content.significance.significance_sheets import opinions_sheet, pairs_sheet, people_column

SAMPLE = Path(__file__).parents[2] / "sample_data"
QUICK = SignificanceOptions(trials=199, resamples=100)
PAIR = ("neural-20k", "neural-40k")
SAID = "In WMT22 and WMT23, raters agreed with 40 to 80 % of BLEU differences of this size."
VERSIONS = "two versions of one system"
SILENT = (
    "no source",
    "one language",
    "two references",
    "unrelated systems",
    "one language model",
    "a reference near one system",
    "queries",
    "single words",
)


def read(name):
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def query(text):
    return f"SELECT {text.translate(str.maketrans('', '', ',.:;()'))} FROM talk"


def first_word(text):
    return text.split()[0]


def texts_of(case):
    """Of a case: systems and references by name, and the source."""
    systems, references, source = {name: read(name) for name in PAIR}, {"A": read("reference-A")}, read("source")
    form = {"queries": query, "single words": first_word}.get(case, str)
    match case:
        case "no source":
            source = None
        case "one language":
            source = read("human")
        case "two references":
            references["B"] = read("reference-B")
        case "unrelated systems":
            systems = {name: read(name) for name in ("online", "neural-40k")}
        case "one language model":
            systems = {"base": systems[PAIR[0]], "GPT-4o": systems[PAIR[1]]}
        case "a reference near one system":
            references = {"A": [f"{text} indeed" for text in systems[PAIR[1]]]}
        case "single words":
            source = [form(text) for text in source]
    systems, references = (
        {name: list(map(form, texts)) for name, texts in one.items()} for one in (systems, references)
    )
    return systems, references, source


def study_of(case, metric=None):
    systems, references, source = texts_of(case)
    test_set = TestSet([System(*one) for one in systems.items()], list(references.values()), source=source)
    return make_study(test_set, Settings(significance=QUICK, metric=metric))


def plain(text):
    """Without the marks of Markdown and blanks that hold words together."""
    return text.replace("\\", "").replace("\u00a0", " ").replace("&nbsp;", " ")


def content_of(study):
    """All that content says of A and B, sentences for a paper last."""
    return [plain(text) for text in (study_verdict(study).markdown(), methods.methods_sentence(study))]


@pytest.fixture(scope="module")
def study():
    """Two versions of one system against one reference."""
    return study_of(VERSIONS)


def test_the_range_is_said_with_the_campaigns_it_is_from(study):
    found = people_range(study.evaluation, study.evaluation.bleu, *PAIR)
    assert plain(people_words(found)) == f" {SAID}"
    assert SIGNIFICANT_IS_NOT_BETTER in people_note(found).markdown()


@pytest.mark.parametrize("found", [None, PeopleRange(silence="texts"), PeopleRange(silence="metric")])
def test_nothing_is_said_where_there_is_no_range(found):
    assert people_words(found) == ""
    assert not people_note(found)


def test_every_text_says_the_same_range(study):
    verdict, methods_sentence = content_of(study)
    assert SAID in verdict
    assert "in WMT22 and WMT23, raters agreed with 40 to 80 % of differences" in methods_sentence
    assert "@inproceedings{kocmi-etal-2024-navigating," in methods.bibtex(study)
    report = make_report(study)
    assert SAID in plain(html_report(report))
    assert SAID in plain(markdown_report(report))


@pytest.mark.parametrize("case", SILENT)
def test_no_text_and_no_table_says_anything_where_nothing_is_known(case):
    study = study_of(case)
    for text in content_of(study):
        assert text
        assert "raters" not in text
        assert "people agree" not in text.lower()
    for sheet in (systems_sheet(study), pairs_sheet(study.comparison, study.evaluation)):
        assert sheet.frame[["people_agree_low", "people_agree_high"]].isna().all(axis=None)
        assert next(one for one in sheet.fields if one.key == "people_agree").for_machines


def test_nothing_is_said_in_another_metric():
    study = study_of(VERSIONS, metric="chrF2")
    assert not people_words(people_of(study.evaluation, study.metric)(*study.pair))
    assert (
        pairs_sheet(study.comparison_in_metric, study.evaluation, study.metric).frame["people_agree_low"].isna().all()
    )


def test_tables_have_the_range_at_each_difference(study):
    for sheet in (
        pairs_sheet(study.comparison, study.evaluation),
        opinions_sheet(study, opinions_of(study)),
        systems_sheet(study),
    ):
        ends = sheet.frame[["people_agree_low", "people_agree_high"]].to_numpy()
        known = ends[~np.isnan(ends).any(axis=1)]
        assert known.tolist() == [[40.0, 80.0]], sheet.name
    opinions = opinions_sheet(study, opinions_of(study)).frame
    assert opinions["people_agree_low"].notna().tolist() == [True, False], "of BLEU alone"


def test_where_nobody_knows_people_read_no_such_column():
    silent, known = PeopleRange(silence="size"), PeopleRange(60.0, 95.0, ("WMT22", "WMT24"))
    column, ranges = people_column([silent, None])
    assert (column.for_machines, np.isnan(ranges).all()) == (True, True)
    column, ranges = people_column([silent, known])
    assert (column.for_machines, ranges[1].tolist()) == (False, [60.0, 95.0])


def shown(app):
    """All that a page writes."""
    html = "\n".join(one.proto.body for one in app.get("html"))
    return plain("\n".join([html, *(one.value for one in (*app.caption, *app.markdown))]))


@pytest.fixture
def opening(tmp_path):
    """The files of a case."""

    def write(case):
        systems, references, source = texts_of(case)
        columns = {**systems, **{f"ref-{name}": texts for name, texts in references.items()}, "source": source or []}
        paths = {name: tmp_path / f"{name}.txt" for name in columns}
        for name, texts in columns.items():
            paths[name].write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return Inputs(
            tuple(str(paths[name]) for name in systems),
            tuple(str(paths[f"ref-{name}"]) for name in references),
            source=str(paths["source"]) if source else None,
        )

    return write


@pytest.mark.parametrize("page", ["scores", "significance", "compare"])
class TestPages:
    def test_say_the_range_of_two_versions(self, open_link, opening, page):
        assert SAID in shown(open_link(page, opening(VERSIONS)))

    @pytest.mark.parametrize("case", [*SILENT, None], ids=str)
    def test_say_nothing_where_nothing_is_known(self, open_link, opening, page, case):
        """``None``: the sample, which has two references."""
        said = shown(open_link(page, case and opening(case)))
        assert "BLEU" in said
        assert "raters agreed" not in said
        assert "People agree" not in said


def test_commands_write_the_range(bleuscope):
    loaded = ["-r", str(SAMPLE / "reference-A.txt"), "-s", str(SAMPLE / "source.txt")]
    systems = [str(SAMPLE / f"{name}.txt") for name in PAIR]
    code, out, _ = bleuscope("compare", *systems, *loaded, "--table", "pairs", "--format", "json")
    assert code == 0
    (row,) = json.loads(out)["pairs"]
    assert (row["people_agree_low"], row["people_agree_high"]) == (40, 80)
    code, out, _ = bleuscope("compare", *systems, *loaded[:2], "--table", "pairs", "--format", "json")
    assert json.loads(out)["pairs"][0]["people_agree_low"] is None
