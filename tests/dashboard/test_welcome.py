"""The picture on the first page is one of the sample, as it scores today."""

import pytest

from bleuscope.content.comparison import welcome


def test_shows_scores_and_intervals_of_the_sample(sample):
    for name, (score, low, high) in welcome.SHOWN.items():
        assert score == round(sample.evaluation.systems[name].score.score, 2)
        assert (low, high) == pytest.approx(sample.comparison.intervals[name], abs=0.3)  # with fewer resamples
        assert welcome.LOWEST < low < score < high < welcome.HIGHEST


def test_has_three_steps_and_says_what_it_shows_to_who_does_not_see_it(read_html):
    page = read_html(welcome.welcome())
    assert all(step in page.text for pair in welcome.STEPS for step in pair)
    assert "neural-40k beats neural-10k: +12.37 BLEU (p < .001)." in page.text
    assert f'role="img" aria-label="{welcome.ALT}"' in str(welcome.welcome())


def test_words_of_a_match_stand_beside_the_others_of_it():
    lengths = [length for _, length in welcome.WORDS]
    for place, length in enumerate(lengths):
        alike = place
        while alike > 0 and lengths[alike - 1] == length:
            alike -= 1
        end = place
        while end + 1 < len(lengths) and lengths[end + 1] == length:
            end += 1
        assert length == 0 or end - alike + 1 >= length
