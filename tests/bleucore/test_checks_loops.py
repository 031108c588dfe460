"""Phrases said over and over in scripts without blanks."""

import numpy as np
import pytest

from bleucore.checks.compared_texts import Columns
from bleucore.checks.loops import has_loop
from bleucore.corpus import System, TestSet


@pytest.mark.parametrize(
    "text",
    [
        "我们明天一起去北京我们明天一起去北京我们明天一起去北京吧。",
        "昨天我去公园玩，昨天我去公园玩，昨天我去公园玩，很开心。",
        "彼は東京へ行きました彼は東京へ行きました彼は東京へ行きました。",
        "彼は昨日東京に行きました彼は昨日東京に行きました",
        "ฉันไปตลาดฉันไปตลาดฉันไปตลาดแล้ว",
    ],
)
def test_a_phrase_said_three_times_without_blanks_is_a_loop(text):
    once = text[: len(text) // 4]
    column = Columns.of(TestSet([System("s", [text, once, ""])], [["a", "b", "c"]])).systems[0]
    assert has_loop(column).tolist() == [True, False, False]


def test_signs_in_a_row_and_words_said_twice_are_no_loop():
    texts = ["北京北京", "谢谢谢谢你", "他说他不知道他说他不来", "天天向上"]
    column = Columns.of(TestSet([System("s", texts)], [texts])).systems[0]
    assert not np.any(has_loop(column))
