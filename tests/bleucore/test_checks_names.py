"""Names that were swapped or exchanged are found where most other texts agree."""

import pytest

from bleucore.checks import CHECKS
from bleucore.checks.compared_texts import Columns
from bleucore.corpus import System, TestSet

N = 60
PLAIN = {
    "Latin": ("the old bridge was sold in the year {} before the summer", "{} saw it, and later {} {} left for home"),
    "Cyrillic": ("старый мост был продан в {} году ещё до лета", "{} видел это, потом {} {} ушёл домой"),
    "Greek": ("η παλιά γέφυρα πουλήθηκε το {} πριν το καλοκαίρι", "{} το είδε, μετά {} {} έφυγε σπίτι"),
}
PEOPLE = {
    "Latin": ("anna Maria", "Boris", "Johnson", "Petersen"),
    "Cyrillic": ("анна Мария", "Борис", "Иванов", "Петров"),
    "Greek": ("άννα Μαρία", "Νίκος", "Παππάς", "Γεωργίου"),
}
SAID_OTHERWISE = ("", " again", " indeed", " of course")


def columns_of(script):
    """A reference and four systems whose line 7 has two names in a row, each in other words."""
    plain, named = PLAIN[script]
    first, given, family, _ = PEOPLE[script]
    lines = [plain.format(number) for number in range(N)]
    return [
        [*lines[:7], f"{named.format(first, given, family)}{end}", *lines[8:]] for end in (*SAID_OTHERWISE, " soon")
    ]


def flagged(systems, reference):
    test_set = TestSet([System(str(index), texts) for index, texts in enumerate(systems)], [reference])
    return [
        (one.column.index, one.segments.nonzero()[0].tolist())
        for one in CHECKS["changed-names"].observe(Columns.of(test_set))
    ]


@pytest.mark.parametrize("script", PLAIN)
def test_two_names_in_a_row_that_changed_places_are_found_between_any_words(script):
    reference, *systems = columns_of(script)
    _, given, family, _ = PEOPLE[script]
    systems[0][7] = f"{PEOPLE[script][0]} xx, yy {family} {given} zz"
    assert flagged(systems, reference) == [(0, [7])]


@pytest.mark.parametrize("script", PLAIN)
def test_an_order_that_another_text_has_is_right(script):
    reference, *systems = columns_of(script)
    _, given, family, _ = PEOPLE[script]
    for system in systems[:2]:
        system[7] = f"{PEOPLE[script][0]} xx, yy {family} {given} zz"
    assert flagged(systems, reference) == []


@pytest.mark.parametrize("script", PLAIN)
def test_another_name_between_the_same_words_is_found_though_some_systems_say_it_otherwise(script):
    reference, *systems = columns_of(script)
    _, _, family, other = PEOPLE[script]
    systems[0][7] = systems[0][7].replace(family, other)
    systems[1][7] = systems[1][7].replace(family, "x")
    assert flagged(systems, reference) == [(0, [7])]
