"""What a system looks like."""

import re

from bleuscope.content.style.identity import BASELINE_COLOUR, MARKERS, OKABE_ITO, SIDE_COLOURS, identities

NAMES = [f"system {number}" for number in range(60)]


def test_a_system_has_a_number_a_colour_and_shapes_by_its_place():
    looks = identities(["x", "y", "z"], "y")
    assert [(look.name, look.number) for look in looks.values()] == [("x", 1), ("y", 2), ("z", 3)]
    assert [look.colour for look in looks.values()] == [OKABE_ITO[0], BASELINE_COLOUR, OKABE_ITO[2]]
    assert len({look.marker for look in looks.values()}) == 3


def test_another_baseline_changes_no_other_systems_looks():
    first, second = identities(NAMES, NAMES[0]), identities(NAMES, NAMES[4])
    changed = [name for name in NAMES if first[name] != second[name]]
    assert changed == [NAMES[0], NAMES[4]]
    assert [look.number for look in first.values()] == [look.number for look in second.values()]


def test_no_two_systems_share_a_number_and_many_systems_differ_by_more_than_colour():
    looks = list(identities(NAMES, NAMES[0]).values())
    assert len({look.number for look in looks}) == len(NAMES)
    drawn = {(look.colour, look.dash) for look in looks[1:43]}
    assert len(drawn) == 42
    assert len({(look.colour, look.marker) for look in looks[1:]}) >= 48, "until all are used, none comes again"


def test_colours_are_colours_and_markers_differ():
    assert all(re.fullmatch(r"#[0-9A-Fa-f]{6}", colour) for colour in (*OKABE_ITO, BASELINE_COLOUR))
    for choices in (OKABE_ITO, MARKERS):
        assert len(set(choices)) == len(choices)
    assert BASELINE_COLOUR not in OKABE_ITO


def test_the_systems_that_are_compared_have_the_colours_of_their_sides_and_all_others_their_own():
    looks = identities(["x", "y", "z"], "y", sides=("z", "y"))
    assert [look.colour for look in looks.values()] == [OKABE_ITO[0], SIDE_COLOURS["B"], SIDE_COLOURS["A"]]
    assert identities(["x"], "x", sides=("x",))["x"].colour == BASELINE_COLOUR
    assert not {*SIDE_COLOURS.values()} & {*OKABE_ITO, BASELINE_COLOUR}
