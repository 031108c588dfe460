"""Colours on the ground of both themes: texts on marks, and what charts draw, stand out from what is behind them."""

import re
import tomllib
from itertools import pairwise

import pytest

from bleuscope.content.style.charts import DRAWN, NEUTRAL, OBSERVED
from bleuscope.content.style.identity import BASELINE_COLOUR, OKABE_ITO, SIDE_COLOURS
from bleuscope.content.style.stylesheet import stylesheet
from bleuscope.shell.disk.packaged import CHECKOUT


def settings():
    return tomllib.loads((CHECKOUT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def rgb(colour):
    return tuple(int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))


def luminance(colour):
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    brighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def steps():
    """Hue and share of each step of the matches, as the style sheet mixes them into what lies beneath."""
    pattern = (
        r"\.bs-m{}\s*\{{[^}}]*?background:\s*color-mix\(in srgb,\s*(#[0-9a-fA-F]{{6}})\s+([0-9.]+)%,\s*transparent\)"
    )
    found = [re.search(pattern.format(step), stylesheet()) for step in (1, 2, 3, 4)]
    assert all(found), "the test has to follow the style sheet"
    return [(rgb(match[1]), float(match[2]) / 100) for match in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
class TestMarks:
    def colours(self, theme):
        chosen = settings()["theme"][theme]
        return rgb(chosen["textColor"]), rgb(chosen["backgroundColor"])

    def mixed(self, theme):
        _, ground = self.colours(theme)
        return [
            tuple(share * over + (1 - share) * under for over, under in zip(hue, ground, strict=True))
            for hue, share in steps()
        ]

    def test_text_on_each_step_has_a_contrast_of_at_least_four_and_a_half(self, theme):
        text, _ = self.colours(theme)
        assert min(contrast(text, mixed) for mixed in self.mixed(theme)) >= 4.5

    def test_text_on_the_stripes_of_a_repeat_has_it_too(self, theme):
        text, ground = self.colours(theme)
        hue, *shares = re.search(
            r"\.bs-clipped \{.*?(#[0-9a-f]{6}) (\d+)%.*?linear-gradient\(color-mix\(in srgb, #[0-9a-f]{6} (\d+)%",
            stylesheet(),
        ).groups()
        for share in reversed([int(share) / 100 for share in shares]):
            ground = tuple(share * over + (1 - share) * under for over, under in zip(rgb(hue), ground, strict=True))
            assert contrast(text, ground) >= 4.5

    def test_steps_stand_out_more_the_longer_the_match(self, theme):
        _, ground = self.colours(theme)
        from_ground = [contrast(mixed, ground) for mixed in self.mixed(theme)]
        assert all(fainter < stronger for fainter, stronger in pairwise([1.0, *from_ground]))

    def test_each_step_is_also_told_by_a_thicker_line(self, theme):
        widths = [
            int(re.search(rf"\.bs-m{step}\s*\{{[^}}]*inset 0 -(\d+)px", stylesheet())[1]) for step in (1, 2, 3, 4)
        ]
        assert widths == sorted(set(widths))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colour", [*OKABE_ITO, BASELINE_COLOUR, *SIDE_COLOURS.values(), DRAWN, OBSERVED, NEUTRAL])
def test_what_charts_draw_has_a_contrast_of_at_least_three(theme, colour):
    assert contrast(rgb(colour), rgb(settings()["theme"][theme]["backgroundColor"])) >= 3


def test_colours_of_charts_are_those_of_systems():
    assert settings()["theme"]["chartCategoricalColors"] == list(OKABE_ITO)
