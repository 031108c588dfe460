"""A person drops Chinese outputs."""

import re

import pytest

pytestmark = pytest.mark.browser

PLACES = ["桥", "河", "学校", "车站", "市场", "图书馆", "公园", "医院"]
REFERENCE = [f"昨天晚上，市议会讨论了是否应该在{place}旁边修一条新路。" for place in PLACES]
CLOSE = [f"昨晚，市议会讨论了是否应该在{place}旁边修建一条新路。" for place in PLACES]
FREE = [f"市里的议员们昨夜商量，{place}附近要不要开一条新的道路。" for place in PLACES]
SOURCE = [f"Last night the city council discussed whether to build a new road next to place {n}." for n in range(8)]


@pytest.fixture
def files(tmp_path):
    columns = {"hyp.close.zh": CLOSE, "hyp.free.zh": FREE, "ref.zh": REFERENCE, "src.en": SOURCE}
    for name, lines in columns.items():
        (tmp_path / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    return [tmp_path / name for name in columns]


def signature(visitor):
    visitor.page.get_by_test_id("stMain").get_by_text("|tok:").first.wait_for()
    return re.search(r"tok:[^|]+", visitor.text())[0]


def test_chinese_outputs_are_scored_by_characters_before_anything_is_shown_and_one_click_goes_back(
    visit, empty_server, files
):
    visitor = visit(empty_server).open()
    visitor.upload(*files)
    visitor.press("Compare 2 systems with 1 reference")
    visitor.page.get_by_role("heading", name="Scores", exact=True).wait_for()
    assert signature(visitor) == "tok:zh"
    assert "The references are Chinese, written without blanks between words. Scored with zh" in visitor.text()
    assert "tok=zh" in visitor.page.url

    visitor.press("Score with 13a")
    assert signature(visitor) == "tok:13a"
    assert "Look at the tokenizer first." in visitor.text()
    assert "tok=13a" in visitor.page.url
    visitor.page.reload()
    visitor.settle()
    assert signature(visitor) == "tok:13a"
    visitor.turn_to("Compare")
    assert "Look at the tokenizer first." in visitor.text()
    visitor.press("Score with zh")
    assert "Look at the tokenizer first." not in visitor.text()
    visitor.turn_to("Scores")
    assert signature(visitor) == "tok:zh"
    assert not visitor.page_errors
