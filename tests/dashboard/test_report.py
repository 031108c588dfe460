"""Reports: what they hold, what they leave out, and that nothing in them can become more than text."""

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from markdown_it import MarkdownIt
from markupsafe import escape

from bleucore import BleuOptions, InputError
from bleucore.agreement.agreement import AgreementOptions, agreement
from bleucore.agreement.judged import HumanScores
from bleucore.agreement.judged_test_set import scored_systems
from bleucore.analysis.attribution import attribute
from bleucore.analysis.credited_and_marked import credited_and_marked
from bleucore.analysis.matches import match_segment
from bleucore.evaluation import evaluate_metric
from bleucore.judgements.records import Judgements, Row, Span
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.significance import SignificanceOptions
from bleuscope.annotations import SegmentNote
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.report import (
    SECTIONS,
    Evidence,
    ReportOptions,
    html_report,
    make_report,
    markdown_report,
    sections_without,
)
from bleuscope.content.report.choices import ADDED, OF_FEATURES, OF_JUDGEMENTS, USUAL_SECTIONS
from bleuscope.content.report.every_segment import FIRST_CODE, N_ORDERS, segments_data, written_marks
from bleuscope.content.report.parts import Charts, Code, Heading, SegmentCard, Words
from bleuscope.content.scores.score_sheets import systems_sheet
from bleuscope.content.segments.highlights import marked_text
from bleuscope.content.segments.marked_tokens import MarkedTokens
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style import numbers

QUICK = SignificanceOptions(trials=99, resamples=100)
OUR_TAGS = (
    "a abbr article b bdi body br button caption details div em figcaption figure footer g h1 h2 h3 h4 head header "
    "html li main meta nav noscript p path pre script section small span strong style summary svg table tbody td th "
    "thead title tr ul"
)


def study_of(test_set, title="Tiny", **settings):
    return make_study(test_set, Settings(significance=QUICK, **settings), title=title)


@pytest.fixture(scope="module")
def sample_study(sample):
    return study_of(sample.test_set, "Sample comparison")


@pytest.fixture(scope="module")
def sample_report(sample_study):
    return make_report(sample_study, ReportOptions(n_segments=3), command="bleuscope report --sample -o report.html")


@pytest.fixture(scope="module")
def sample_html(sample_report):
    return html_report(sample_report)


@pytest.fixture
def tiny(score_texts):
    systems = {"old": ["the cat sat", "a dog ran", "same"], "new": ["the cat sat on it", "no idea", "same"]}
    return score_texts(systems, [["the cat sat on it", "a dog ran", "same"]], documents=["d1", "d2", "d2"]).test_set


@pytest.fixture
def judged():
    """What invented judgements with a hostile name say of a study."""

    def said(study):
        names, rng = study.evaluation.names, np.random.default_rng(1)
        means = -np.arange(len(names), dtype=float)[:, None]
        people = HumanScores.of("<b>people</b>", names, rng.normal(means, 1, (len(names), study.test_set.n_segments)))
        metrics = [scored_systems(one, names) for one in study.evaluation.metrics.values()]
        rows = [Row(1, names[0], 0, spans=(Span(0, 4, "major", "<i>style"),)), Row(2, names[1], 0)]
        judgements = Judgements("<b>people</b>", "<u>j.tsv", "MQM", tuple(rows))
        counted = {
            name: credited_and_marked(study.test_set, name, judgements, study.options) for name in judgements.systems
        }
        quick = AgreementOptions(trials=50, permutations=5)
        return Evidence({"validity": agreement(people, metrics, quick)}, marked=MarkedTokens(judgements, counted))

    return said


def blocks_of(report, kind):
    return [block for section in report.sections for block in section.blocks if isinstance(block, kind)]


def charts_of(report):
    return [chart for block in blocks_of(report, Charts) for chart in block.charts]


def cards_of(report):
    return [card.title for card in blocks_of(report, SegmentCard)]


@pytest.fixture(scope="module")
def read_page(read_html):
    """Reads a whole page: ``read_html`` is for fragments."""
    kind = type(read_html("<p></p>"))

    def read(html):
        return kind(html.removeprefix("<!doctype html>\n"))

    return read


def test_a_report_holds_every_section_in_its_order(sample_report):
    assert [section.name for section in sample_report.sections] == list(USUAL_SECTIONS)


CHARTS = {
    "kinds": ("kinds",),
    "runs": (),
    "references": ("reference-ranks", "reference-growth", "reference-draws", "reference-ahead", "reference-matches"),
    "sensitivity": ("settings", "setting-ranks"),
    "validity": ("validity", "validity-pairs", "validity-neighbours", "validity-side-by-side"),
}
TOLD = {
    "kinds": "BLEU above",
    "runs": "No name here marks a run.",
    "references": "reference B reverses 10 of 28 pairs, 2 significant on both sides",
    "sensitivity": "16 of 28 pairs keep their order under all 48 settings.",
    "validity": "of 28 pairs of systems as <b>people</b> does.",
}
"""What sections of features draw and say of the sample comparison."""


def test_a_section_that_is_off_is_left_out(sample_study):
    report = make_report(sample_study, ReportOptions(sections=sections_without(["charts", "checks"])))
    assert [section.name for section in report.sections] == [
        name for name in USUAL_SECTIONS if name not in ("charts", "checks")
    ]


def test_references_settings_and_people_are_there_where_they_are_asked_for(sample_study, judged):
    others = [name for name in USUAL_SECTIONS if name != "methods"]
    asked = ReportOptions(sections=sections_without(others, (*OF_JUDGEMENTS, *OF_FEATURES)))
    shares = []
    report = make_report(sample_study, asked, evidence=judged(sample_study), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert [section.name for section in report.sections] == list(asked.sections)
    assert [chart.key for chart in charts_of(report)] == [key for name in OF_FEATURES for key in CHARTS[name]]
    for chart in charts_of(report):
        assert len(chart.data.sheet.frame)
    text = markdown_report(report).replace("\\", "")
    for name in OF_FEATURES:
        assert TOLD[name] in text
    (bibliography,) = [block.text for block in blocks_of(report, Code)]
    sentences = text.split("## Methods")[1].split("BibTeX:")[0]
    cited = [("Papineni", 2002), ("Post", 2018)]
    cited += [("Kocmi", 2021), ("Thompson", 2024), ("Deutsch", 2023)] if "validity" in OF_FEATURES else []
    for one, year in cited:
        assert f"{one} et al., {year}".replace("Post et al.", "Post") in sentences
        assert re.search(rf"{{{one.lower()}-[a-z-]*{year}-", bibliography)
    assert "(<b>people</b>, MQM, Freitag et al., 2021)" in sentences


def test_references_and_settings_are_tried_in_the_metric_of_the_report(sample):
    study = study_of(sample.test_set, "In chrF", metric="chrF2")
    report = make_report(study, ReportOptions(sections=(*ADDED, "methods")))
    keys = [key for name in ADDED for key in CHARTS[name] if key != "reference-matches"]
    assert [chart.key for chart in charts_of(report)] == keys
    text = markdown_report(report)
    assert ("chrF2 with reference A" in text) == ("references" in ADDED)
    assert "BLEU with reference A" not in text


def test_a_section_with_nothing_to_say_says_so(one_system):
    asked = ReportOptions(sections=(*OF_FEATURES, *OF_JUDGEMENTS))
    text = markdown_report(make_report(study_of(one_system.test_set), asked))
    alone = {
        "kinds": "loses most to",
        "runs": "No name here marks a run",
        "references": "There is only one reference.",
        "sensitivity": "There is one system",
        "validity": "This section needs human judgements",
    }
    assert all(alone[name] in text for name in OF_FEATURES)
    assert "no errors" in text


def test_sections_keep_to_the_order_of_the_report(sample_study):
    report = make_report(sample_study, ReportOptions(sections=("settings", "verdict")))
    assert [section.name for section in report.sections] == ["verdict", "settings"]


def test_without_charts_there_is_no_script(sample_study):
    html = html_report(make_report(sample_study, ReportOptions(sections=("verdict", "systems"))))
    assert "<script" not in html
    assert "script-src 'none'" in html.replace("&#39;", "'")


def test_the_first_words_say_who_is_ahead(tiny):
    # Counts of "new": 4-grams 2 of 2, 3-grams 3 of 3, 2-grams 4 of 5, 1-grams 6 of 8; as long as the references.
    report = make_report(study_of(tiny), ReportOptions(sections=("verdict",)))
    (verdict,) = blocks_of(report, Words)
    expected = 100 * (2 / 2 * 3 / 3 * 4 / 5 * 6 / 8) ** 0.25 * np.exp(1 - 9 / 8)
    assert f"<strong>new</strong></bdi> scores higher than <bdi><strong>old</strong></bdi>: +{expected:.2f} BLEU" in (
        escape(verdict.said)
    )


def test_title_remarks_and_date_stand_above_as_they_were_written(tiny):
    options = ReportOptions(title="A <b> & C", remarks="one\n<i>two</i>", sections=("verdict",), date="4 July")
    html = html_report(make_report(study_of(tiny), options))
    assert "<title>A &lt;b&gt; &amp; C</title>" in html
    assert '<p class="rp-remarks" dir="auto">one\n&lt;i&gt;two&lt;/i&gt;</p>' in html
    assert '<span class="rp-date">4 July</span>' in html


def test_without_a_title_the_study_gives_its_own_and_there_is_no_date(tiny):
    html = html_report(make_report(study_of(tiny, "Of last week"), ReportOptions(sections=("verdict",))))
    assert "<h1><bdi>Of last week</bdi></h1>" in html
    assert "rp-date" not in html.split("</style>")[1]


def test_the_same_study_gives_the_same_bytes(sample_study):
    first, second = (
        html_report(make_report(sample_study, ReportOptions(n_segments=1, is_full=True))) for _ in range(2)
    )
    assert first == second


def test_only_scripts_whose_hash_the_policy_names_are_in_the_page(sample_html):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', sample_html).group(1).replace("&#39;", "'")
    allowed = set(re.findall(r"'sha256-([^']*)'", policy))
    scripts = re.findall(r"<script>(.*?)</script>", sample_html, re.DOTALL)
    plotly = re.search(r'id="plotly">([^<]*)<', sample_html).group(1)
    scripts.append(zlib.decompress(base64.b64decode(plotly)).decode())
    assert {base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts} == allowed
    assert policy.startswith("default-src 'none';")
    assert "unsafe-eval" not in policy
    assert not re.search(r"script-src[^;]*unsafe", policy)


def test_whose_work_its_charts_are_drawn_with_stands_in_the_page(sample_html):
    notice = sample_html.partition("<!--")[2].partition("-->")[0]
    assert re.search(r"Copyright .*Plotly", notice)
    assert "Permission is hereby granted" in notice
    assert sample_html.count("<!--") == 1


def test_no_element_names_another_host(sample_html, read_page):
    page = read_page(sample_html)
    addresses = [
        value
        for element in page.elements
        for name, value in element.attributes.items()
        if name in ("src", "href", "action", "data", "poster", "srcset", "xlink:href")
    ]
    assert addresses
    assert all(address.startswith("#") for address in addresses)
    assert "@import" not in sample_html
    assert "url(" not in sample_html.split("<style>")[1].split("</style>")[0]


def test_the_style_has_no_rule_about_the_frame_of_the_dashboard(sample_html):
    style = sample_html.split("<style>")[1].split("</style>")[0]
    assert ".bs-m4" in style
    assert "stMain" not in style
    assert ".st-key" not in style


def test_headings_go_down_one_step_at_a_time(sample_html, read_page):
    levels = [int(element.tag[1]) for element in read_page(sample_html).elements if re.fullmatch("h[1-6]", element.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_link_of_the_contents_leads_to_a_section(sample_html, read_page):
    page = read_page(sample_html)
    names = {element.attributes["id"] for element in page.of_tag("section")}
    links = {element.attributes["href"].removeprefix("#") for element in page.of_tag("a")} - {"content"}
    assert links == names == set(USUAL_SECTIONS)


def test_every_chart_says_what_it_shows_and_has_its_data_in_a_table(sample_report, read_html):
    charts = charts_of(sample_report)
    assert [chart.key for chart in charts] == [
        *("scores", "precisions", "waterfall", "segments", "histogram", "documents")
    ]
    for chart in charts:
        assert chart.alt
        assert len(read_html(html_table(chart.data.sheet, sample_report.study.looks)).rows()) > 1


def test_the_data_of_the_waterfall_add_up(sample_study, sample_report, read_html):
    chart = next(chart for chart in charts_of(sample_report) if chart.key == "waterfall")
    *parts, whole = [
        float(row[1].replace("−", "-"))
        for row in read_html(html_table(chart.data.sheet, sample_report.study.looks)).rows()[1:]
    ]
    scores = [sample_study.evaluation.systems[name].score.score for name in sample_study.pair]
    assert whole == pytest.approx(scores[1] - scores[0], abs=0.005)
    assert sum(parts) == pytest.approx(whole, abs=0.03)


def test_the_data_of_a_curve_name_its_first_and_its_last_place(sample_study, sample_report, read_html):
    chart = next(chart for chart in charts_of(sample_report) if chart.key == "segments")
    rows = read_html(html_table(chart.data.sheet, sample_report.study.looks)).rows()[1:]
    assert rows[0][0] == "1"
    assert {"2", "5", "10", "20"} <= {row[0] for row in rows}
    assert rows[-1][0] == str(sample_study.test_set.n_segments)


def test_bars_of_the_histogram_count_every_segment_once(sample_study, sample_report, read_html):
    chart = next(chart for chart in charts_of(sample_report) if chart.key == "histogram")
    counts = [int(row[2]) for row in read_html(html_table(chart.data.sheet, sample_report.study.looks)).rows()[1:]]
    assert sum(counts) == sample_study.test_set.n_segments


def test_figures_are_written_without_plotlys_own_looks(sample_html):
    data = json.loads(re.search(r'id="chart-data">(.*?)</script>', sample_html, re.DOTALL).group(1))
    assert set(data) == {"scores", "precisions", "waterfall", "segments", "histogram", "documents"}
    assert all("template" not in figure["layout"] for figure in data.values())


def test_segments_that_do_most_come_first_each_way(sample_study, sample_report):
    first, second = (sample_study.evaluation.systems[name].counts for name in sample_study.pair)
    parts = attribute(first, second, sample_study.evaluation.options, names=sample_study.pair).segments
    for_second = np.argsort(-parts, kind="stable")[:3]
    for_first = [segment for segment in np.argsort(parts, kind="stable")[:3] if parts[segment] < 0]
    expected = [f"Segment {segment + 1}" for segment in (*for_second, *for_first)]
    assert [title.split(",")[0] for title in cards_of(sample_report)] == expected


def test_a_segment_that_does_nothing_for_a_system_is_not_listed_for_it(tiny):
    report = make_report(study_of(tiny), ReportOptions(sections=("segments",)))
    assert cards_of(report) == ["Segment 1, d1", "Segment 2, d2"]
    assert [block.text for block in blocks_of(report, Heading)] == [
        "Segments that do most for new (B)",
        "Segments that do most for old (A)",
    ]


def test_chosen_segments_stand_in_the_order_given(sample_study):
    report = make_report(sample_study, ReportOptions(sections=("segments",), chosen=(7, 2)))
    assert [title.split(",")[0] for title in cards_of(report)] == ["Segment 8", "Segment 3"]


def test_no_segment_at_all_leaves_the_section_out(sample_study):
    report = make_report(sample_study, ReportOptions(sections=("verdict", "segments"), n_segments=0))
    assert [section.name for section in report.sections] == ["verdict"]


def test_a_chosen_segment_that_is_not_there_is_refused(tiny):
    with pytest.raises(InputError, match=r"there is no such segment \(found 4, expected 1 to 3\)"):
        make_report(study_of(tiny), ReportOptions(chosen=(0, 3)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sections": ("verdict", "weather")}, "there is no such section .found 'weather', expected one of verdict,"),
        ({"chosen": tuple(range(501))}, "too many segments to write out .found 501, expected up to 500"),
        ({"n_segments": -1}, "n_segments"),
        ({"title": "a\ud800"}, "The title of the report: the text holds half"),
        ({"remarks": "a\udfff"}, "The remarks of the report: the text holds half"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        ReportOptions(**options)


def test_leaving_out_what_is_no_section_is_refused():
    with pytest.raises(InputError, match="there is no such section"):
        sections_without(["verdict", "weather"])


def test_tags_and_notes_stand_with_their_segments(tiny):
    notes = {0: SegmentNote("omission & <more>", "lost\nwords")}
    report = make_report(study_of(tiny), ReportOptions(sections=("segments",)), tags=notes)
    html = html_report(report)
    assert '<span class="rp-tag">omission &amp; &lt;more&gt;</span>' in html
    assert '<p class="rp-note" dir="auto">lost\nwords</p>' in html
    assert "tag: omission \\& \\<more\\>" in markdown_report(report)


def test_checks_run_unless_their_findings_are_given(score_texts):
    faulty = score_texts({"one": ["a b c d", "", "e f g h"], "two": ["a b c d", "x y z", "e f g h"]}, [["a b c d"] * 3])
    by_itself = html_report(make_report(study_of(faulty.test_set), ReportOptions(sections=("checks",))))
    given = html_report(make_report(study_of(faulty.test_set), ReportOptions(sections=("checks",)), findings=()))
    assert "1 of 3 segments is empty" in by_itself
    assert "Segment: 2" in by_itself
    assert "Nothing looks wrong" in given


def test_errors_of_the_checks_stand_beside_the_verdict(score_texts):
    texts = [f"w{n} x{n} y{n} z{n} v{n}" for n in range(40)]
    shifted = score_texts({"fine": texts, "shifted": [*texts[1:], texts[0]]}, [texts])
    report = make_report(study_of(shifted.test_set), ReportOptions(sections=("verdict",)))
    assert "Check the texts first." in escape(blocks_of(report, Words)[0].said)


def test_settings_name_all_that_can_change_a_number(sample_study, sample_report):
    text = markdown_report(sample_report)
    assert sample_study.test_set.digest in text
    assert sample_study.evaluation.signature in text
    assert sample_study.comparison.options.signature() in text
    assert "| seed | 12345 |" in text
    assert "| trials | 99 |" in text
    assert f"| numpy | {np.__version__} |" in text
    assert "bleuscope report --sample -o report.html" in text
    titles = [block.title for block in blocks_of(sample_report, Code)]
    assert titles == [
        "BibTeX",
        "Signature of BLEU",
        "Signature of chrF2",
        "Signature of the tests",
        "Command that makes this report again",
    ]


@pytest.mark.parametrize(
    ("options", "row"),
    [
        (BleuOptions(), "| smoothing value | not used |"),
        (BleuOptions(smoothing="floor"), "| smoothing value | 0.1 |"),
        (BleuOptions(), "| weights | the same for each order |"),
        (BleuOptions(weights=(0.4, 0.3, 0.2, 0.1)), "| weights | 0.4 0.3 0.2 0.1 |"),
    ],
)
def test_a_setting_that_was_not_given_is_named_as_it_is_in_force(tiny, options, row):
    assert row in markdown_report(make_report(study_of(tiny, options=options), ReportOptions(sections=("settings",))))


def test_other_metrics_bring_their_settings_and_signatures(sample):
    segments = np.arange(1, sample.test_set.n_segments + 1)
    read = SegmentScores("COMET", "comet.tsv", {"human": SystemScores(segments, segments / 400, segments)})
    study = study_of(sample.test_set, metrics=(ChrfOptions(word_order=2), read))
    text = markdown_report(make_report(study, ReportOptions(sections=("systems", "settings"))))
    assert "### chrF2++" in text
    assert study.evaluation.metrics["chrF2++"].signature in text
    assert "| read from | comet.tsv |" in text
    assert "| chrF2 ↑ | Δ chrF2 | p chrF2 | chrF2++ ↑ | Δ chrF2++ | p chrF2++ | COMET ↑ |" in text
    assert text.count("their order counts: here reference A, reference B") == 2


def test_one_system_has_no_difference_and_shows_its_worst_and_best_segments(one_system):
    report = make_report(study_of(one_system.test_set), ReportOptions(n_segments=1))
    text = markdown_report(report)
    assert "There is one system and nothing to compare it with." in text
    assert cards_of(report) == ["Segment 2, d1", "Segment 1, d1"]
    assert [chart.key for chart in charts_of(report)] == ["scores", "precisions"]


def test_phrases_are_those_of_both_systems_or_what_one_has_too_often_and_misses(sample_study, score_texts):
    both = study_of(sample_study.test_set, pair=("online", "neural-40k"))
    text = markdown_report(make_report(both, ReportOptions(sections=("difference",))))
    assert (
        text.index("Matched more by neural-40k") < text.index("| not | 4 | 18 |") < text.index("Matched more by online")
    )
    alone = score_texts({"<b>": ["x w w w a"] * 3}, [["x w w w b"] * 3]).study()
    assert "Over-generated by \\<b\\>" in markdown_report(make_report(alone, ReportOptions(sections=("difference",))))


def test_a_system_against_itself_has_nothing_to_divide(twins):
    report = make_report(study_of(twins.test_set, pair=("first", "first")), ReportOptions(sections=("difference",)))
    assert "A and B are the same system" in escape(blocks_of(report, Words)[0].said)


def test_two_equal_systems_have_no_segment_that_does_more_for_one(twins):
    report = make_report(study_of(twins.test_set))
    assert cards_of(report) == []
    assert "have the same score" in html_report(report)


def test_a_difference_that_cannot_be_divided_falls_back_to_segment_scores(score_texts):
    systems = {"none": ["x y", "p q"], "some": ["a b c x e", "p r"]}  # neither has a 4-gram match: both score 0
    test_set = score_texts(systems, [["a b c d e", "p q"]]).test_set
    study = study_of(test_set, options=BleuOptions(smoothing="none"))
    first, second = (study.evaluation.systems[name].counts for name in study.pair)
    reason = attribute(first, second, study.evaluation.options, names=study.pair).reason
    assert reason is not None
    report = make_report(study, ReportOptions(is_full=True))
    assert escape(reason) in " ".join(escape(block.said) for block in blocks_of(report, Words))
    assert "waterfall" not in {chart.key for chart in charts_of(report)}
    titles = [block.text for block in blocks_of(report, Heading)]
    assert "Segments that differ most in their own scores for none (A)" in titles  # only "p q" is perfect
    assert unpacked(html_report(report))["parts"] is None


def test_the_pair_is_tested_among_the_comparisons_that_the_systems_table_shows(sample):
    study = study_of(sample.test_set, baseline="literal", pair=("literal", "fluent"))
    (words, *_) = [
        escape(one.said) for one in blocks_of(make_report(study, ReportOptions(sections=("difference",))), Words)
    ][1:]
    p_value = study.comparison.against("literal")["fluent"].corrected_p_value
    assert numbers.p_value(p_value) in words


@pytest.fixture(scope="module")
def hostile_report(hostile, hostile_texts):
    study = study_of(hostile.test_set, hostile_texts[0])
    notes = {index: SegmentNote(text[:40], text) for index, text in enumerate(hostile_texts)}
    options = ReportOptions(title=hostile_texts[1], remarks="\n".join(hostile_texts), is_full=True)
    return make_report(study, options, tags=notes, command=f"bleuscope report '</pre>{hostile_texts[0]}'")


def test_hostile_names_and_texts_stay_text(hostile_report, hostile_texts, read_page):
    html = html_report(hostile_report)
    page = read_page(html)
    assert {element.tag for element in page.elements} <= set(OUR_TAGS.split())
    assert not [name for element in page.elements for name in element.attributes if name.startswith("on")]
    for text in hostile_texts:
        assert text in page.text
    assert len(re.findall("<script>", html)) == 3  # unpack, charts, segments


def test_nothing_within_a_script_element_can_end_it(score_texts):
    texts = ["</script><script>alert(1)</script>", "a\u2028b\u2029c", "<!-- <script>", "nul \0 here"]
    study = study_of(
        score_texts({"one": texts, "two": [text + " x" for text in texts]}, [texts], documents=texts).test_set
    )
    html = html_report(make_report(study, ReportOptions(is_full=True)))
    data = re.search(r'<script type="application/json" id="chart-data">(.*?)</script>', html, re.DOTALL).group(1)
    assert not re.search("[<>&\u2028\u2029]", data)
    shown = [json.loads(data)[key]["data"][0]["customdata"] for key in ("documents",)]
    assert any("&lt;/script&gt;" in custom[1] for bars in shown for custom in bars)
    assert unpacked(html)["systems"][0]["texts"] == texts
    assert "\0" not in html


def test_hostile_markdown_stays_text(hostile_report, hostile_texts):
    text = markdown_report(hostile_report)
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    kinds = {token.type for token in tokens} | {
        child.type for token in tokens for child in token.children or () if child.type != "text"
    }
    assert not kinds & {"html_block", "html_inline", "image", "link_open", "code_inline", "code_block", "s_open"}
    read = ["".join(child.content for child in token.children or ()) for token in tokens if token.type == "inline"]
    for hostile in hostile_texts:
        assert any(hostile in line for line in read)


def unpacked(html):
    packed = re.search(r'id="segment-data">([^<]*)<', html).group(1)
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_the_list_of_all_segments_holds_every_text_and_score(sample_study):
    notes = {4: SegmentNote("omission", "why")}
    report = make_report(sample_study, ReportOptions(sections=(), is_full=True), tags=notes)
    data, test_set = unpacked(html_report(report)), sample_study.test_set
    assert data["source"] == list(test_set.source)
    assert [one["texts"] for one in data["references"]] == [list(column) for column in test_set.references]
    assert [data["documents"]["names"][number] for number in data["documents"]["of"]] == list(test_set.documents)
    assert [(one["name"], one["role"]) for one in data["systems"]][:2] == list(
        zip(sample_study.pair, "AB", strict=True)
    )
    assert {one["name"] for one in data["systems"]} == set(test_set.system_names)
    for one in data["systems"]:
        assert one["texts"] == list(test_set.system(one["name"]).hypotheses)
        scores = sample_study.evaluation.systems[one["name"]].segment_scores
        np.testing.assert_allclose(one["scores"], scores, atol=0.0051)
        assert (one["marks"] is not None) == (one["role"] != "")
    assert data["notes"] == {"4": ["omission", "why"]}
    difference = np.subtract(*(sample_study.evaluation.systems[name].score.score for name in sample_study.pair[::-1]))
    assert sum(data["parts"]) == pytest.approx(difference, abs=1e-3)


def test_without_the_list_there_is_no_data_of_it(sample_html):
    assert "segment-data" not in sample_html


def test_marks_are_three_numbers_a_token():
    # "the cat" is a match of two, "the" stands once too often, "dog" stands in no reference and differs.
    matched = match_segment("the cat, the dog", ["the cat"], BleuOptions())
    marks = written_marks("the cat, the dog", matched.tokens, frozenset({4}))
    read = [ord(character) - FIRST_CODE for character in marks]
    assert read == [0, 3, 2, 1, 3, 2, 2, 3, N_ORDERS, 1, 3, 2 * N_ORDERS]


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("the cat sat on the mat the cat", "the cat sat on a mat"),
        ("😀 the 🇩🇪 cat naïve e\u0301te\u0301 sat", "the cat e\u0301te\u0301 sat 😀"),
        ("ka\u0301\u0301, (ab) 3.5 don't &quot;x&quot;", 'ka\u0301\u0301, ab 3.5 don\'t "x"'),
        ("", "something"),
        ("nothing matches here", "was anders"),
    ],
)
def test_marks_of_the_list_are_those_of_the_segments_page(text, reference, read_html):
    tokens = match_segment(text, [reference], BleuOptions()).tokens
    differing = frozenset(range(0, len(tokens), 3))
    expected = [
        (element.text, element.classes - {"bs-token"})
        for element in read_html(marked_text(text, tokens, differing)).of_class("bs-token")
    ]
    assert decoded(text, written_marks(text, tokens, differing)) == expected


def decoded(text, marks):
    """What the page's script makes of marks: JavaScript counts in units of 16 bits."""
    units, codes = text.encode("utf-16-le"), [ord(character) - FIRST_CODE for character in marks]
    spans, end = [], 0
    for gap, length, mark in zip(codes[::3], codes[1::3], codes[2::3], strict=True):
        start, end = end + gap, end + gap + length
        classes = {f"bs-m{mark % N_ORDERS}"} if mark % N_ORDERS else set()
        classes |= {"bs-clipped"} if mark // N_ORDERS % 2 else set()
        classes |= {"bs-differs"} if mark >= 2 * N_ORDERS else set()
        spans.append((units[2 * start : 2 * end].decode("utf-16-le"), classes))
    return spans


def test_progress_never_goes_back_and_ends_at_one(tiny):
    shares = []
    make_report(study_of(tiny), ReportOptions(is_full=True), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_data_of_a_single_system_have_no_differences(one_system):
    study = study_of(one_system.test_set)
    data = segments_data(study, {}, progress=lambda _: None)
    assert data["delta"] is None
    assert data["parts"] is None
    assert [(one["name"], one["role"]) for one in data["systems"]] == [("only", "")]


def test_remarks_keep_their_lines_in_markdown(tiny):
    remarks = "first\nsecond\n\n# third\n===\n1) fourth"
    text = markdown_report(make_report(study_of(tiny), ReportOptions(remarks=remarks, sections=())))
    html = MarkdownIt().render(text)
    assert "<p>first<br />\nsecond</p>\n<p># third<br />\n===<br />\n1) fourth</p>" in html


def test_markdown_is_the_same_words_without_charts(sample_report):
    text = markdown_report(sample_report)
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        f"## {SECTIONS[name]}" for name in USUAL_SECTIONS
    ]
    html = MarkdownIt("commonmark").enable("table").render(text)
    systems = html.split("<h2>Systems</h2>")[1].split("</table>")[0]
    assert systems.count("<tr>") == 1 + len(sample_report.study.evaluation.names)


def test_tables_in_markdown_are_those_of_the_page(sample_report, read_html):
    rendered = MarkdownIt("commonmark").enable("table").render(markdown_report(sample_report))
    in_markdown = ["<table>" + part.split("</table>")[0] + "</table>" for part in rendered.split("<table>")[1:]]
    systems, _, matrix, *_ = [read_html(html).rows() for html in in_markdown]
    page = read_html(html_table(systems_sheet(sample_report.study), sample_report.study.looks)).rows()
    spaced = [[" ".join(cell.replace("*", " *").split()) for cell in row] for row in page]
    assert [row[1:] for row in systems] == [row[1:] for row in spaced]
    looks = sample_report.study.looks
    assert [row[0] for row in systems[1:]] == [f"{looks[row[0]].number} {row[0]}" for row in page[1:]]
    assert [row[0] for row in page[1:]] == list(sample_report.study.evaluation.ranked())
    assert len(matrix) == len(matrix[0]) == 1 + len(sample_report.study.evaluation.names)
    assert matrix[1][1] == ""
    assert (matrix[1][2][0], matrix[2][1][0]) == ("+", "−")
    assert matrix[1][2][1:] == matrix[2][1][1:]


@pytest.mark.parametrize(("metric", "n_charts"), [("chrF2", 4), ("errors", 3)])
def test_the_difference_is_in_the_metric_asked_for(sample_study, sample_errors, metric, n_charts):
    metrics = {one.name: one for one in (evaluate_metric(sample_study.test_set, ChrfOptions()), sample_errors)}
    evaluation = replace(sample_study.evaluation, metrics={**sample_study.evaluation.metrics, **metrics})
    options = ReportOptions(sections=("difference", "segments"), n_segments=1)
    study = replace(sample_study, evaluation=evaluation, metric=metrics[metric])
    report = make_report(study, options)
    difference, segments = report.sections
    charts = [chart for block in difference.blocks if isinstance(block, Charts) for chart in block.charts]
    assert len(charts) == n_charts
    assert all(f"Δ {metric}" in chart.figure.to_json() for chart in charts if chart.key in ("segments", "documents"))
    first = next(block for block in segments.blocks if isinstance(block, SegmentCard))
    assert first.facts[0][1] == f"contribution to Δ {metric}"
    assert first.facts[0][0].startswith("−" if metric == "errors" else "+")
    assert f"Δ {metric}, B − A" in markdown_report(report)
