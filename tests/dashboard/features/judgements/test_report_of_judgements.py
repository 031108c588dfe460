"""The report with judgements: on its page, in its command, and where they tell nothing."""

import json

from bleucore.judgements.averaging import USUAL_AVERAGING
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.content.report import html_report, make_report, markdown_report
from bleuscope.content.report.choices import ReportOptions
from bleuscope.content.report.evidence import Evidence, WhyNot
from bleuscope.features.judgements.judged_texts import Judging, find_in_files
from bleuscope.features.judgements.report import NO_JUDGEMENTS
from bleuscope.shell.disk.files import load_sample
from bleuscope.shell.state import links
from tests.dashboard.report_page import make, said, saves

VALIDITY = ReportOptions(sections=("validity",))


def test_judgements_of_one_system_make_a_report_too(open_link):
    app = open_link("test_set", report_sections=["validity"])
    rows = f"{load_sample().test_set.system_names[0]}\t1\t50\n"
    app.file_uploader(key="score-files").upload("da.tsv", f"system\tsegment\tda\n{rows}".encode(), "text/plain").run()
    app.switch_page(links.PAGES["report"].script).run()
    assert app.selectbox(key="judgement").value == "da"
    assert len(saves(make(app))) == 1


def test_judgements_of_people_are_in_the_report_and_in_its_command(open_link, command_of):
    app = open_link("test_set", report_sections=["validity", "errors"])
    rows = "".join(f"{name}\t1\t{place}\n" for place, name in enumerate(load_sample().test_set.system_names))
    app.file_uploader(key="score-files").upload("da.tsv", f"system\tsegment\tda\n{rows}".encode(), "text/plain").run()
    app.switch_page(links.PAGES["report"].script).run()
    assert app.selectbox(key="judgement").value == "da"
    assert "It contains “Do raters agree?” and “BLEU credits and marked errors”." in said(app)
    command = command_of(app)
    assert " --judgements da.tsv --judgement da --judgements judgements-invented.jsonl " in command
    assert len(saves(make(app))) == 1


def of_the_sample(sample, **given):
    return make_report(make_study(sample.test_set, Settings()), VALIDITY, **given)


def test_without_judgements_the_section_says_what_it_takes(sample):
    assert NO_JUDGEMENTS in markdown_report(of_the_sample(sample))


def test_judgements_that_tell_nothing_are_named_with_the_reason(sample):
    report = of_the_sample(sample, evidence=Evidence({"validity": WhyNot("Judgements <b>da: one system.")}))
    assert "This section needs human judgements" not in markdown_report(report)
    assert "Judgements &lt;b&gt;da: one system." in html_report(report)


def test_model_judges_have_a_part_where_there_are_any(sample, tmp_path):
    rows = [
        {"segment": row, "judge": "gpt-4", "first": first, "second": second, "winner": first}
        for row in range(1, 217)
        for first, second in (("literal", "online"), ("online", "literal"))
    ]
    (tmp_path / "j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    judging = Judging(None, USUAL_AVERAGING, are_penalties=False, judged_segments=False)
    asked, study = Inputs(judgements=(str(tmp_path / "j.jsonl"),)), make_study(sample.test_set, Settings())
    found = find_in_files(asked, judging, study, None)
    written = markdown_report(of_the_sample(sample, evidence=Evidence({"validity": found})))
    assert "Model judges" in written
    assert "prefers the output shown first" in written
