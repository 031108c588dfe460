"""The page of Validity: judgements of people against every metric, on the sample comparison."""

from html import unescape

import numpy as np
import pytest

from bleuscope.features.judgements import words as agreement_words
from bleuscope.features.judgements import words_raters as rater_words
from bleuscope.features.judgements.words import NO_JUDGEMENTS
from bleuscope.runtime import params
from bleuscope.shell.disk.files import load_sample
from bleuscope.shell.state import links

HEADING = "BLEU credits and marked errors"
SYSTEMS = load_sample().test_set.system_names


def judgements(systems=SYSTEMS, n_segments=12):
    """Invented ones: earlier systems are better, with noise."""
    rng = np.random.default_rng(1)
    rows = [
        f"{name}\t{segment}\t{90 - 6 * place + rng.normal(0, 5):.1f}"
        for place, name in enumerate(systems)
        for segment in range(1, n_segments + 1)
    ]
    return "\n".join(["system\tsegment\tda", *rows, ""]).encode()


def errors(n_segments=6):
    """An MQM table of all systems: two raters, the second of whom finds nothing in the first segment."""
    test_set = load_sample().test_set
    titles = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    rows = [titles]
    for place, system in enumerate(test_set.systems):
        for segment in range(n_segments):
            for rater in ("anna", "王"):
                is_clean = (rater == "王" and segment == 0) or (place + segment) % 3 == 0
                severity = "no-error" if is_clean else "major" if place > 4 else "minor"
                texts = ["-", system.hypotheses[segment]]
                rows.append([system.name, "doc", "1", str(segment + 1), rater, *texts, "Fluency", severity])
    return "\n".join(["\t".join(row) for row in rows] + [""]).encode()


def html(app):
    return "\n".join(one.proto.body for one in app.get("html"))


@pytest.fixture
def judged(open_link):
    """The page on some judgements."""

    def start(data, name="da.tsv", opening=None, **address):
        app = open_link("test_set", opening, **address)
        app.file_uploader(key="score-files").upload(name, data, "text/plain").run()
        assert not app.error
        app.switch_page(links.PAGES["validity"].script).run()
        assert not app.exception, [problem.message for problem in app.exception]
        return app

    return start


def test_does_not_take_a_metric_for_people(open_link, unjudged):
    app = open_link("test_set", unjudged)
    rows = [
        f"{name}\t{segment}\t0.{place + 1}\t{90 - place - segment}"
        for place, name in enumerate(SYSTEMS)
        for segment in (1, 2)
    ]
    table = "\n".join(["system\tsegment\tcomet\tda", *rows, ""]).encode()
    app.file_uploader(key="score-files").upload("both.tsv", table, "text/plain").run()
    assert [one.value for one in app.info] == ["Loaded but not shown: da. Choose more under Columns to show."]
    app.multiselect(key="_score_columns").set_value(["comet", "da"]).run()
    assert not app.info
    app.switch_page(links.PAGES["validity"].script).run()
    assert app.selectbox(key="judgement").value == "da"
    assert "does not say that raters gave" not in html(app)
    app.selectbox(key="judgement").set_value("comet").run()
    assert not app.exception
    assert "The file does not say that raters gave" in html(app)


def test_says_what_to_bring_where_nobody_has_judged(open_link, unjudged):
    app = open_link("validity", unjudged)
    assert app.info[0].value == NO_JUDGEMENTS
    assert not html(app).count("bs-verdict")


def test_holds_metrics_against_the_invented_judgements_of_the_sample(open_link, command_of):
    app = open_link("validity")
    assert app.selectbox(key="judgement").value == "ESA (invented)"
    assert "of 28 pairs of systems as" in html(app)
    assert "3 raters judged" in html(app)
    assert command_of(app) == (
        "bleuscope agreement --judgements judgements-invented.jsonl --judgement 'ESA (invented)' --sample"
    )


def test_says_how_many_pairs_agree_what_that_rests_on_and_the_command_that_gives_it(judged, command_of):
    app = judged(judgements())
    assert command_of(app) == "bleuscope agreement --judgements da.tsv --judgement da --sample"
    assert app.selectbox(key="judgement").value == "da"
    text = html(app)
    assert "bs-verdict" in text
    assert "of 28 pairs of systems as" in text
    for heading in ("Every metric", "Every pair of systems", "Neighbours by raters"):
        assert heading in [header.value for header in app.header]
    assert len(app.get("plotly_chart")) == 5
    for name in ("BLEU", "chrF2"):
        assert f">{name}<" in text
    assert rater_words.AS_ONE_RATER in unescape(text)  # the file names no rater
    assert not [one for one in app.get("segmented_control") if one.key == "raters"]


def test_compares_two_systems_without_a_correlation(judged):
    app = judged(judgements(SYSTEMS[:2]))
    assert "A correlation needs at least 3 judged systems." in html(app)


def test_of_one_system_says_that_there_is_nothing_to_agree_about(judged):
    app = judged(judgements(SYSTEMS[:1]))
    assert "there is nothing to agree about" in app.info[0].value


def test_of_equal_judgements_is_undefined(judged):
    rows = [f"{name}\t{segment}\t50" for name in SYSTEMS for segment in (1, 2, 3)]
    app = judged("\n".join(["system\tsegment\tda", *rows]).encode())
    assert "People give all systems the same score." in html(app)


class TestErrors:
    """Judgements with raters and errors, as an MQM table has them."""

    def test_are_scored_as_chosen_and_the_command_says_so(self, judged, command_of):
        app = judged(errors(), "mqm.tsv", mqm_weights="google, major=25")
        assert "(mean of raters, errors weighed by google, major=25). Metrics score all" in html(app)
        app.segmented_control(key="raters").set_value("z").run()
        app.toggle(key="judged_segments").set_value(True).run()
        assert not app.exception
        said = "in 6 segments (z-scores of raters, errors weighed by google, major=25). Metrics score the judged"
        assert said in html(app)
        written = "--judgements mqm.tsv --judgement MQM --average z --mqm-weights 'google, major=25' --judged-segments"
        assert command_of(app) == f"bleuscope agreement {written} --sample"

    def test_cost_what_the_file_says_where_weights_are_none(self, judged):
        app = judged(errors(), "mqm.tsv", mqm_weights="nonsense")
        assert "this value is not accepted" in app.error[0].value
        assert "(mean of raters). Metrics score all" in html(app)

    def test_open_where_raters_differ(self, judged):
        app = judged(errors(), "mqm.tsv", a=SYSTEMS[0], b=SYSTEMS[1])
        assert "2 raters judged 48 outputs; 48 of them have several raters." in html(app)
        disputed = next(table.value for table in app.dataframe if "and by" in table.value)
        assert disputed["and by"].str.strip().tolist() == ["王"] * len(disputed)
        app.session_state["_rows_disputed_0"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
        app.run()
        assert app.title[0].value == "Segments"
        assert app.query_params["segment"] in ("1", ["1"])
        assert app.selectbox(key="b").value == disputed["system"][0].strip()

    def test_tell_what_bleu_credits_that_people_marked(self, judged, unjudged):
        app = judged(errors(), "mqm.tsv", unjudged, a=SYSTEMS[0], b=SYSTEMS[6])
        assert HEADING in [one.label for one in app.expander]
        app.session_state["_judgements"] = ""  # as who takes them off the texts
        app.run()
        assert HEADING not in [one.label for one in app.expander]
        app.button(key="draw-errors").click().run()
        assert params.JUDGEMENTS.fits("".join(app.query_params["judgements"]))
        app.session_state["marks"] = True
        app.run()
        cells = next(table.value for table in app.dataframe if "tokens that are" in table.value)
        assert cells["tokens that are"].str.strip()[2] == "credited, marked"
        app.session_state["_rows_marked-cells_0"] = {"selection": {"rows": [2], "columns": [], "cells": []}}
        app.run()
        assert app.title[0].value == "Segments"
        assert app.query_params["where"] in ("matched_marked_b > 0", ["matched_marked_b > 0"])
        assert not app.exception


def test_opens_a_segment_where_people_and_the_metric_part(judged):
    app = judged(judgements(), a=SYSTEMS[1], b="译者 <b>&", names="s3=译者 <b>&")
    assert app.selectbox(key="b").value == "译者 <b>&"
    assert "Segments of A and B" in [header.value for header in app.header]
    app.session_state["data-conflicts"] = True
    app.run()
    first = next(table.value for table in app.dataframe if "how far apart" in table.value).iloc[0, 0].strip()
    app.session_state["_rows_chart-conflicts_0"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app.run()
    assert app.query_params["segment"] in (first, [first])
    assert app.selectbox(key="b").value == "译者 <b>&"


def test_says_that_people_did_not_judge_both(judged):
    app = judged(judgements(SYSTEMS[:3]), a=SYSTEMS[1], b=SYSTEMS[6])
    assert agreement_words.NOT_BOTH_JUDGED in [one.value for one in app.caption]


def test_opens_a_pair_of_systems_on_compare(judged):
    app = judged(judgements())
    app.session_state["data-validity-pairs"] = True
    app.run()
    app.session_state["_rows_chart-validity-pairs_0"] = {"selection": {"rows": [9], "columns": [], "cells": []}}
    app.run()
    assert app.title[0].value == "Compare"
    assert {app.selectbox(key="a").value, app.selectbox(key="b").value} == {SYSTEMS[1], SYSTEMS[4]}


class TestSample:
    """Segments that go out to be judged, and come back."""

    def test_is_drawn_where_nobody_has_judged_with_its_files_and_what_comes_next(self, open_link, unjudged, command_of):
        app = open_link("validity", unjudged)
        assert "Collect human judgements" in [header.value for header in app.header]
        assert "100 of 216 segments sampled, preferring segments where the systems&#39; scores differ" in html(app)
        labels = [one.proto.label for one in app.get("download_button")]
        assert labels == ["Pearmut campaign", "Table as CSV", "Table as XLSX"]
        assert any("pearmut add campaign" in widgets_text(one.value) for one in app.caption)
        assert command_of(app).startswith(
            "bleuscope draw --by difference --budget 100 --seed 12345 --system neural-20k --system neural-40k "
            "--output judging/ /"
        )

    @pytest.mark.parametrize(
        ("address", "said"),
        [
            ({"judge_by": "document", "judge_budget": "60"}, "54 of 216 segments sampled, whole documents"),
            ({"judge_by": "disagreement", "judge_whom": "all"}, "(seed 12345): 800 outputs to judge"),
            (
                {"judge_by": "diversity", "judge_seed": "7"},
                "preferring segments with unlike outputs (seed 7): 200 outputs",
            ),
        ],
    )
    def test_is_what_the_address_says(self, open_link, unjudged, address, said):
        assert said in html(open_link("validity", unjudged, **address))

    def test_says_why_nothing_can_be_drawn(self, open_link, unjudged):
        app = open_link("validity", unjudged, judge_by="document", judge_budget="5")
        assert "a document is longer than the budget" in app.info[1].value.replace("\\", "")
        assert not app.get("download_button")

    def test_comes_back_weighted(self, judged, bleuscope, tmp_path):
        bleuscope("draw", "--sample", "--budget", "20", "--format", "csv", "-o", "sample.csv")
        head, *rows = (tmp_path / "sample.csv").read_text(encoding="utf-8-sig").splitlines()
        filled = [row.replace(",,,neural-2", ",61,,neural-2").replace(",,,neural-4", ",70.5,,neural-4") for row in rows]
        app = judged("\n".join([head, *filled]).encode(), "sample.csv")
        assert "Weighted: the judged segments are a sample of all 216." in html(app)
        assert app.selectbox(key="judgement").value == "score"
        assert not app.get("download_button")
        app.session_state["judging"] = True
        app.run()
        assert "100 of 216 segments sampled" in html(app)


def test_gives_the_command_of_a_neural_metric_with_its_licence(open_link):
    app = open_link("validity", neural="true", neural_model="XCOMET-XL")
    said = " ".join(widgets_text(one.value) for one in app.caption)
    assert "licence CC BY-NC-SA 4.0. It is not for commercial use." in said
    assert "Request access at https://huggingface.co/Unbabel/XCOMET-XL first" in said
    assert "--model Unbabel/XCOMET-XL --to_json XCOMET-XL.json -t systems/online.txt" in html(app)
    assert "Files for it" in [one.proto.label for one in app.get("download_button")]


def widgets_text(shown):
    """A text as it is read, without what keeps Markdown from it."""
    return shown.replace("\\", "")
