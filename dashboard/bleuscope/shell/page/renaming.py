"""Other names for systems, references and the comparison: asked for in one place, kept in the address."""

from dataclasses import replace

import streamlit as st

from bleuscope.annotations import Annotations
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.content.comparison.naming import MAX_NAME, TITLE, Naming, fault_of, tidy
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links, open_annotations, session

FAULTS, IS_OPEN = "_naming_faults", "_names_open"
CHOSEN_SYSTEMS = ("a", "b", "baseline")
COLUMNS = 3


def named(as_read: Loaded, *, is_linked: bool) -> Loaded:
    """What is open, under the names that were given by hand.

    Args:
        as_read: Under the names that it was opened with.
        is_linked: Whether the address is about these very data; names for others are dropped.
    """
    naming: Naming | None = session.get(session.NAMING)
    if naming is None:
        given = links.values(params.NAMES) or open_annotations.work_on(as_read.test_set).names
        naming = Naming.from_address(given) if is_linked else Naming()
        naming = naming if naming.fits(as_read.test_set) else Naming()
        refused = [one for one in links.values(params.NAMES) if one not in naming.in_address()] if is_linked else []
        if refused:
            session.miss(params.NAMES, " ".join(refused))
        session.put(session.NAMING, naming)
    links.write_all(params.NAMES, naming.in_address())
    if not naming.names:
        return as_read
    test_set = naming.applied(as_read.test_set)
    inputs = as_read.inputs if test_set is as_read.test_set else replace(as_read.inputs, is_complete=False)
    title = naming.title(as_read.title)
    return replace(as_read, test_set=test_set, title=title, inputs=inputs, renamed_from=as_read)


def names_panel(as_read: Loaded) -> None:
    """A field for each name; what is typed holds at once, unless it cannot be a name."""
    naming: Naming = session.get(session.NAMING, Naming())
    test_set = as_read.test_set
    with st.expander(
        "Names", expanded=bool(session.get(IS_OPEN)), icon=":material/edit:", key=f"names-{bool(session.get(IS_OPEN))}"
    ):
        st.caption("Names change everywhere, texts and scores do not.")
        _field(as_read, "Comparison", TITLE, naming.title(as_read.title))
        groups = (
            ("System", "s", naming.system_names(test_set), [system.file for system in test_set.systems]),
            ("Reference", "r", naming.reference_names(test_set), test_set.reference_files or ()),
        )
        for what, kind, names, files in groups:
            fields = list(zip(range(1, len(names) + 1), names, files, strict=True))
            width = min(COLUMNS, max(2, len(names)))
            for start in range(0, len(fields), width):  # row by row: on a phone they stand one after another
                for column, (number, name, file) in zip(st.columns(width), fields[start:], strict=False):
                    with column:
                        _field(as_read, f"{what} {number}", f"{kind}{number}", name, file)
        if naming.names:
            st.button("Back to the names of the files", on_click=take_back, args=(as_read,), key="names_as_read")


def take_back(as_read: Loaded) -> None:
    """The names of the files again; for callbacks, which run before the fields are drawn."""
    _take(as_read, Naming())
    session.drop(FAULTS)
    test_set = as_read.test_set
    for place in (TITLE, *_places("s", len(test_set.systems)), *_places("r", len(test_set.references))):
        session.drop(f"_name-{test_set.digest[:12]}-{place}")


def _field(as_read: Loaded, label: str, place: str, name: str, file: str | None = None) -> None:
    key = f"_name-{as_read.test_set.digest[:12]}-{place}"
    if session.get(key) is None:
        session.put(key, name)
    st.text_input(
        label,
        key=key,
        max_chars=MAX_NAME,
        help=widgets.plain(f"File {file}") if file else None,
        on_change=_rename,
        args=(as_read, place, key),
    )
    fault = session.get(FAULTS, {}).get(place)
    if fault and tidy(session.get(key) or "") != name:
        st.error(f"{fault} The name stays as it was: {widgets.plain(name)}")


def _rename(as_read: Loaded, place: str, key: str) -> None:
    """Take a name over if it can be one, and say why not if it cannot."""
    naming: Naming = session.get(session.NAMING, Naming())
    test_set, name = as_read.test_set, tidy(session.get(key) or "")
    number = int(place[1:] or 0) - 1
    names = {"s": naming.system_names(test_set), "r": naming.reference_names(test_set)}.get(place[0], ())
    given = {"s": test_set.system_names, "r": test_set.reference_names or ()}.get(place[0], ())
    fault = fault_of(name, [other for index, other in enumerate(names) if index != number])
    faults = {other: said for other, said in session.get(FAULTS, {}).items() if other != place}
    session.put(FAULTS, faults | ({place: fault} if fault else {}))
    if fault is None:
        _take(as_read, naming.with_name(place, name, as_read.title if place == TITLE else given[number]))


def _places(kind: str, number: int) -> list[str]:
    return [f"{kind}{place + 1}" for place in range(number)]


def _take(as_read: Loaded, naming: Naming) -> None:
    """Use these names; systems that are chosen somewhere stay chosen under their new names."""
    before: Naming = session.get(session.NAMING, Naming())
    new = dict(zip(before.system_names(as_read.test_set), naming.system_names(as_read.test_set), strict=True))
    for key in CHOSEN_SYSTEMS:
        if session.get(key) in new:
            session.put(key, new[session.get(key)])
    if session.get(params.WITH):
        session.put(params.WITH, [new.get(name, name) for name in session.get(params.WITH)])
    session.put(session.NAMING, naming)

    def with_names(work: Annotations) -> Annotations:
        joined = naming.rejoined(before, Naming.from_address(work.names))
        fitting = joined if joined.fits(as_read.test_set) else naming
        return replace(work, names=tuple(fitting.in_address()))

    open_annotations.change(as_read.test_set, with_names)
