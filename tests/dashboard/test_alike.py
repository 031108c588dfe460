"""Two systems that wrote the same in many segments, and whom to compare instead."""

import pytest

from bleuscope.content.comparison.alike import alike_note, other_pair

REFERENCE = ["猫 が 眠る", "b c d e", "c d e f", "d e f g", "e f g h", "f g h i"]
LAST_CHECKPOINT = [*REFERENCE[:5], "x"]
CHECKPOINT = [*REFERENCE[:4], "e f g x", "x"]
OTHER = ["猫", "b c d", "c d e", "d e f", "e f g", "f g"]


@pytest.fixture(scope="module")
def texts(score_texts):
    systems = {"40k": LAST_CHECKPOINT, "20k": CHECKPOINT, "10k": [*CHECKPOINT[:4], "y", "y"], "<other>": OTHER}
    return score_texts(systems, [REFERENCE])


def test_is_said_of_systems_that_wrote_the_same_in_a_third_of_the_segments(texts, read_html):
    said = read_html(alike_note(texts.study(("20k", "40k")))).text
    assert said == "20k and 40k wrote the same in 5 of 6 segments: they differ only in the other 1."
    assert not alike_note(texts.study(("<other>", "40k")))
    assert not alike_note(texts.study(("40k", "40k")))


def test_twins_wrote_the_same_everywhere(twins, read_html):
    assert "wrote the same in all segments." in read_html(alike_note(twins.study())).text
    assert other_pair(twins.study()) is None


def test_the_better_of_the_two_is_compared_with_the_best_that_wrote_something_else(texts):
    assert texts.evaluation.ranked()[2] == "10k", "which wrote nearly the same too"
    assert other_pair(texts.study(("20k", "40k"))) == other_pair(texts.study(("40k", "20k"))) == ("<other>", "40k")
    assert other_pair(texts.study(("<other>", "40k"))) is None


def test_on_ngrams_it_is_one_click(open_page):
    app = open_page("ngrams", a="neural-20k", b="neural-40k")
    (button,) = (one for one in app.button if one.key == "other-pair")
    assert button.label == r"Compare online with neural\-40k instead"
    button.click().run()
    assert not app.exception
    assert app.title[0].value == "N-grams"
    assert [app.selectbox(key=key).value for key in ("a", "b")] == ["online", "neural-40k"]
    assert "other-pair" not in [one.key for one in app.button]
    assert any(one.label.startswith("Read ") for one in app.button), "a phrase to read"
