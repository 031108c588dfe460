"""Findings about what the texts are scored with, about documents, and about nearly all outputs of a system."""

import pytest

from bleucore import BleuOptions, System, TestSet
from bleucore.checks import CHECKS, check, check_scoring, gravest_first
from bleucore.options import ALL_TOKENIZER_NAMES

THAI = [f"เมื่อคืนนี้สภาเมืองได้หารือกันว่าควรซ่อมแซมสะพานเก่า{number}หรือไม่" for number in range(12)]
CHINESE = [f"昨天晚上，市议会讨论了{number}次是否应该修复那座旧桥。" for number in range(12)]
ENGLISH = [
    f"Last night the council discussed {number} times whether to restore the old bridge." for number in range(12)
]


def a_test_set(texts, **columns):
    return TestSet([System("s", texts)], [texts], **columns)


@pytest.mark.parametrize("tokenizer", ["13a", "intl", "none", "ibleu", "ascii-space"])
@pytest.mark.parametrize(("texts", "proposed"), [(THAI, "char"), (CHINESE, "zh")], ids=["Thai", "Chinese"])
def test_texts_without_blanks_scored_by_words_are_an_error_that_names_the_remedy(tokenizer, texts, proposed):
    (finding,) = check_scoring(a_test_set(texts), tokenizer)
    assert (finding.check, finding.severity, finding.subject) == ("scored-by-words", "error", "Test set")
    assert tokenizer in finding.message
    assert f"tokenizer {proposed}" in finding.remedy
    assert not len(finding.segments)


@pytest.mark.parametrize("tokenizer", ALL_TOKENIZER_NAMES)
def test_texts_with_blanks_are_never_an_error_of_scoring(tokenizer):
    assert check_scoring(a_test_set(ENGLISH), tokenizer) == ()


@pytest.mark.parametrize(("texts", "tokenizer"), [(CHINESE, "zh"), (CHINESE, "char"), (THAI, "char")])
def test_a_tokenizer_that_suits_is_no_error(texts, tokenizer):
    assert check_scoring(a_test_set(texts), tokenizer) == ()


def test_the_one_call_asks_about_scoring_only_where_a_tokenizer_is_given():
    names = [finding.check for finding in check(a_test_set(CHINESE), tokenizer=BleuOptions().tokenizer)]
    assert names[0] == "scored-by-words"
    assert "scored-by-words" not in [finding.check for finding in check(a_test_set(CHINESE))]


def test_findings_put_together_stand_in_the_order_of_the_one_call():
    test_set = a_test_set(CHINESE)
    together = check(test_set, tokenizer="13a")
    apart = gravest_first([*reversed(check(test_set)), *check_scoring(test_set, "13a")])
    assert {finding.check for finding in together} == {finding.check for finding in apart}
    assert [finding.severity for finding in together] == [finding.severity for finding in apart]
    assert together[0].check == apart[0].check == "scored-by-words"


def single(documents):
    return [one for one in check(a_test_set(ENGLISH, documents=documents)) if one.check == "single-segment-documents"]


def test_documents_that_nearly_all_hold_one_segment_are_a_finding():
    (finding,) = single([f"d{number}" for number in range(11)] + ["d10"])
    assert (finding.severity, len(finding.segments)) == ("warning", 10)
    assert "10 of 11 documents" in finding.message
    assert single([f"d{number // 2}" for number in range(12)]) == []
    assert single([f"d{min(number, 8)}" for number in range(12)]) == []  # few documents, however small


def of_markup(n_marked):
    outputs = [f"**{text}**" if index < n_marked else text for index, text in enumerate(ENGLISH)]
    found = check(
        TestSet([System("plain", ENGLISH), System("marked", outputs)], [[f"{text} Yes." for text in ENGLISH]])
    )
    return [one.severity for one in found if one.check == "markup"]


def test_what_concerns_nearly_all_outputs_of_a_system_is_an_error():
    assert of_markup(12) == of_markup(11) == ["error"]
    assert len(of_markup(6)) == 1
    assert of_markup(6) != ["error"]


def test_what_no_score_can_feel_is_no_error_however_often_it_stands():
    padded = TestSet([System("s", [f"{text} " for text in ENGLISH])], [ENGLISH])
    severities = [one.severity for one in check(padded) if one.check == "outer-white-space"]
    assert severities == ["note"]
    assert not CHECKS["outer-white-space"].can_change_scores


def test_what_concerns_nearly_all_of_a_reference_keeps_its_severity():
    marked = TestSet([System("s", ENGLISH)], [ENGLISH, [f"&quot;{text}&quot;" for text in ENGLISH]])
    assert "error" not in {one.severity for one in check(marked) if one.kind == "reference"}
