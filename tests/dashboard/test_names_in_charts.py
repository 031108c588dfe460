"""Names where there is little room, and who stands out in a chart of many."""

import re

import numpy as np
import plotly.graph_objects as go
from hypothesis import given
from hypothesis import strategies as st

from bleuscope.content.style.charts import axis_name, named_at_ends, places_of_names
from bleuscope.content.style.cut_names import CUT, cut_names, short_names, without_shared
from bleuscope.content.style.identity import QUIET_COLOUR, highlighted, identities, in_front_last, named_in_chart
from bleuscope.content.style.widths import n_columns

RUNS = [f"nmt-base-lr{rate}-step{step}" for rate in ("1e-4", "3e-4") for step in (20_000, 100_000)]
WORDS = st.sampled_from(["nmt", "base", "big", "lr1e-4", "lr3e-4", "step100000", "avg", "mbart", "统", "计", "ترجمة"])
NAMES = st.lists(st.lists(WORDS, min_size=1, max_size=7).map("-".join), min_size=1, max_size=9, unique=True)
ANY_NAMES = st.lists(st.text(min_size=1, max_size=60).filter(str.strip), min_size=1, max_size=9, unique=True)


class TestShortNames:
    def test_of_runs_are_what_distinguishes_them_and_others_stay_whole(self):
        assert cut_names([*RUNS, "Online-W"], 24) == [
            *("…lr1e-4 step20000", "…lr1e-4 step100000", "…lr3e-4 step20000", "…lr3e-4 step100000", "Online-W")
        ]

    def test_lose_an_end_that_all_share_too(self):
        assert cut_names([f"{name}-averaged" for name in RUNS], 24)[0] == "…lr1e-4 step20000…"

    def test_of_ideographs_are_taken_apart_between_them(self):
        assert cut_names(["神经翻译系统甲基础版", "神经翻译系统甲大型版"], 16) == ["…基础…", "…大型…"]

    @given(NAMES)
    def test_of_words_have_whole_words_alone(self, names):
        for name, short in short_names(names).items():
            own = set(re.findall(r"[统计]|[^-统计]+", name))
            cut = short != name and n_columns(max(own, key=n_columns)) <= 24 and short.startswith(CUT)
            if cut and " " in short.strip(CUT):
                assert set(re.findall(r"[统计]|[^ 统计]+", short.strip(CUT).replace("-", " "))) <= own

    @given(ANY_NAMES | NAMES, st.integers(6, 40))
    def test_differ_are_never_empty_and_fit(self, names, most):
        found = short_names(names, most)
        assert list(found) == names
        assert len(set(found.values())) == len(names)
        assert all(short and n_columns(short) <= most for short in found.values())

    @given(ANY_NAMES | NAMES)
    def test_of_systems_differ_at_the_axis(self, names):
        looks = identities(names, None)
        assert len({axis_name(look) for look in looks.values()}) == len(names)
        assert all(look.name == name for name, look in looks.items())


class TestColumnHeads:
    def test_drop_what_all_share(self):
        assert without_shared(["WMT22 zh-en", "WMT22 cs-en"]) == ["zh-en", "cs-en"]
        assert without_shared(["newstest2022.de.txt", "flores.de.txt"]) == ["newstest2022", "flores"]

    def test_keep_what_is_a_name_with_it_alone(self):
        for names in (["set-1", "set-2"], ["wmt22", "wmt22 news"], ["only one"], ["a-b", "a_b"], ["--", "-"]):
            assert without_shared(names) == names

    @given(ANY_NAMES | NAMES)
    def test_differ_are_never_empty_and_are_parts_of_the_names(self, names):
        found = without_shared(names)
        assert len(set(found)) == len(names)
        assert all(short and short in name for short, name in zip(found, names, strict=True))


class TestManySystems:
    looks = identities([f"s{n}" for n in range(12)], None, sides=("s5", "s3"))

    def test_of_more_than_seven_the_pair_stands_out(self):
        drawn = highlighted(self.looks)
        assert [name for name, look in drawn.items() if look.colour != QUIET_COLOUR] == ["s3", "s5"]
        few = {name: look for name, look in self.looks.items() if name in ("s1", "s3", "s5")}
        assert highlighted(few) == few
        assert in_front_last(self.looks, self.looks)[-2:] == ["s3", "s5"]

    def test_the_best_the_pair_and_its_neighbours_are_named(self):
        names = [*self.looks]
        assert named_in_chart(names, ("s5", "s8")) == ["s0", "s4", "s5", "s6", "s7", "s8", "s9"]
        assert named_in_chart(names[:7], ("s5",)) == names[:7]


@given(st.lists(st.integers(0, 1000).map(lambda tenths: tenths / 10), min_size=1, max_size=20))
def test_names_at_the_ends_of_lines_keep_their_order_and_lie_apart(values):
    figure = go.Figure(go.Scatter(x=[1], y=[values[0]]))
    named_at_ends(figure, [(value, str(n), "#000000") for n, value in enumerate(values)], (-5.0, 105.0), height=400)
    places = np.array(figure.layout.yaxis2.tickvals)
    named = [values[int(text.rpartition(" ")[2])] for text in figure.layout.yaxis2.ticktext]
    assert named == sorted(values)
    assert places.min() >= -5 - 1e-9
    assert places.max() <= 105 + 1e-9
    apart = min(15 / 290, 1 / max(1, len(values) - 1)) * 110
    assert (np.diff(places) >= apart - 1e-6).all()


def test_names_at_points_lie_on_no_other_point_or_name_and_those_without_room_are_left_out():
    crowded = np.array([[0.5, 0.5]] * 30 + [[0.9, 0.1]])
    sides = places_of_names(crowded, ["name"] * 31)
    assert sides[-1] is not None
    assert 0 < sum(side is not None for side in sides) < 10
    assert places_of_names(np.array([[0.99, 0.5]]), ["at the right edge"])[0] in ("top left", "bottom left")
    assert places_of_names(np.array([[0.5, 0.5]]), [""]) == [None]
