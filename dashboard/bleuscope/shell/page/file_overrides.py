"""What people say of files of scores and judgements: which systems their names mean, and whether spans are moved.

The address holds it, and commands repeat it.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from bleucore import InputError, TestSet
from bleucore.judgements.reading import Found
from bleucore.judgements.system_names import LEFT_OUT, likely_system, matched_systems, said_systems
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links, session

MOST_ASKED = 40
"""Names that are asked for at once; a file with more is about another test set."""
NONE_OF_THEM = "none of them: leave it out"
COLUMNS = 2


def with_what_was_said(loaded: Loaded) -> Loaded:
    """The same with what was said among what commands repeat; what the address says of no system is left out."""
    links.note_refused_truth(params.MOVE_SPANS)
    refused = [one for one in links.values(params.SYSTEM_NAMES) if not _is_said_of(one, loaded.as_read.test_set)]
    if refused:
        session.miss(params.SYSTEM_NAMES, " ".join(refused))
        said_well = [one for one in links.values(params.SYSTEM_NAMES) if one not in refused]
        links.write_said_of_files(said_well, moves_spans=links.moves_spans())
    said, moves_spans = links.values(params.SYSTEM_NAMES), links.moves_spans()
    if not said and not moves_spans:
        return loaded
    return replace(loaded, inputs=replace(loaded.inputs, system_names=said, moves_spans=moves_spans))


def aliases_of(loaded: Loaded) -> dict[str, str]:
    """Systems as they were read, by names in files: those shown for them, and what was said of others."""
    as_read = loaded.as_read.test_set
    found = dict(zip(loaded.test_set.system_names, as_read.system_names, strict=True))
    said = [one for one in links.values(params.SYSTEM_NAMES) if _is_said_of(one, as_read)]
    return found | said_systems(said, as_read)


def _is_said_of(one: str, as_read: TestSet) -> bool:
    """Whether this names a system of a test set; the address can hold what was said of another."""
    try:
        said_systems([one], as_read)
    except InputError:
        return False
    return True


def names_form(found: Iterable[Found], loaded: Loaded) -> None:
    """Asks which systems are meant by names that mean none by themselves; it holds once it is taken."""
    as_read = loaded.as_read.test_set
    shown = dict(zip(loaded.test_set.system_names, as_read.system_names, strict=True))
    unknown = _unknown(found, as_read, shown)
    if not unknown:
        return
    said = aliases_of(loaded)
    with st.form("system-names"):
        st.markdown(
            "**Which systems are these?** The files name them, and no system of the test set is called so. A name that "
            "is like it is proposed. Leave out what is no output here, such as a reference that was judged."
        )
        chosen: dict[str, str] = {}
        for start in range(0, len(unknown), COLUMNS):
            for column, name in zip(st.columns(COLUMNS), unknown[start:], strict=False):
                with column:
                    chosen[name] = _meant(name, as_read, shown, said)
        if st.form_submit_button("Take these names"):
            others = [one for one in links.values(params.SYSTEM_NAMES) if one.rpartition("=")[0] not in chosen]
            named = [f"{name}={system}" for name, system in chosen.items()]
            links.write_said_of_files([*others, *named], moves_spans=links.moves_spans())
            st.rerun()


def moving_choice(*, can_move: bool) -> bool:
    """Whether spans are to be moved to where they clearly fit better, asked for where they would."""
    moves = links.moves_spans()
    if can_move or moves:
        moves = st.toggle("Move spans to where they clearly fit better", moves, key="_move_spans")
        links.write_said_of_files(links.values(params.SYSTEM_NAMES), moves_spans=moves)
    return moves


def _unknown(found: Iterable[Found], as_read: TestSet, shown: Mapping[str, str]) -> Sequence[str]:
    """The names that mean no system unless people say so, each once."""
    matched = [matched_systems(one.names, as_read, shown) for one in found]
    names = dict.fromkeys(name for of_file in matched for name, system in of_file.items() if system is None)
    return list(names)[:MOST_ASKED]


def _meant(name: str, as_read: TestSet, shown: Mapping[str, str], said: Mapping[str, str]) -> str:
    """The system that a name is said to mean, or ``LEFT_OUT``."""
    systems = (LEFT_OUT, *as_read.system_names)
    labels = {system: label for label, system in shown.items()} | {LEFT_OUT: NONE_OF_THEM}
    proposed = said[name] if name in said else likely_system(name, as_read)
    digest = hashlib.sha256(f"{as_read.digest} {name}".encode(errors="surrogatepass")).hexdigest()
    chosen = st.selectbox(
        widgets.plain(name),
        range(len(systems)),
        index=systems.index(proposed or LEFT_OUT),
        format_func=lambda place: labels[systems[place]],
        key=f"_means-{digest[:16]}",
    )
    return systems[chosen]
