"""The address bar: what it names is opened, and what is open is named there.

Widgets keep their own values in the address, as their keys are declared (``runtime.params``), and drop what they do not
accept. Here is what no widget holds: the test set, and the way from one page to another with the view kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from urllib.parse import urlencode

import streamlit as st

from bleucore.analysis.ngram_types import NGram
from bleuscope.content.comparison import link_notes
from bleuscope.content.ngrams.ngram_tables import address_of
from bleuscope.content.segments.filters import BY_GAIN, BY_LOSS, METRICS_DISAGREE
from bleuscope.runtime import params
from bleuscope.runtime.param import Param, number_in
from bleuscope.shell.disk.files import NAMED_FILES, SAMPLE
from bleuscope.shell.state import session
from bleuscope.shell.state.page_list import PAGES

Values = Mapping[Param, str | Sequence[str] | None]
NOTHING: Values = MappingProxyType({})
CHOSEN = "_chosen_settings"
KEY_LENGTH = 16
"""Of the key of what was uploaded next to the texts."""
OF_SEGMENTS = (params.SEGMENT, params.PAGE, *session.SEGMENT_FILTERS)
OF_WORDS = (params.WORD_LIST, params.GIVEN_WORDS)
"""What one page alone asks for: the way to another page leaves it behind."""
NEXT_PAIR = "_next_pair"
MOST_NAMED = 5
"""Unknown keys of a link that a page names."""


def read() -> None:
    """Note what the link holds that a session begins with; what no page accepts leaves the address and is named.

    Only at the first run: later the names belong to their widgets.
    """
    given, now = everything(), params.reworded(everything())
    if session.ask_once(now):
        older = [key for key in now if now[key] != given[key]]
        for key in older:
            st.query_params[key] = now[key]
        _drop_refused(is_changed=bool(older))


def _drop_refused(*, is_changed: bool) -> None:
    refused = params.refused(everything())
    unknown = [key for key in refused if key not in params.PARAMS]
    for key, values in refused.items():
        if key not in unknown[MOST_NAMED:]:
            session.miss(key, " ".join(values))
        del st.query_params[key]
    if refused or is_changed:
        st.rerun()


def fault(*names: str) -> str | None:
    """Why the address does not say which texts it names, asked about these names or all; ``None`` where it does."""
    return link_notes.unreadable(everything(), names)


def everything() -> dict[str, list[str]]:
    """All values that the address holds, by its names."""
    return {key: st.query_params.get_all(key) for key in st.query_params}


@contextmanager
def noting_refused() -> Iterator[None]:
    """Note what the link gives widgets that the block draws first, where that is no value of theirs.

    Streamlit (1.67) drops such a value, and the page would show something else than the link was made for.
    """
    given = everything()
    new = [key for key in given if not session.has(key)]
    try:
        yield
    finally:
        for key in filter(session.has, new):
            is_of_link = session.asked().get(key) == given[key]
            session.asked_of(key)
            if is_of_link and any(given[key]) and not _is_same(given[key], session.get(key)):
                session.miss(key, " ".join(given[key]))


def _is_same(given: Sequence[str], value: object) -> bool:
    """Whether a widget has the value that an address gives it."""
    if isinstance(value, list | tuple):
        return set(given) == set(map(str, value))
    if isinstance(value, bool):
        return given[-1].lower() == str(value).lower()
    if isinstance(value, int | float):
        return number_in(given[-1]) == value
    return given[-1] == str(value)


def drop_all() -> None:
    """Empty the address."""
    st.query_params.clear()


def given(key: Param) -> str | None:
    """What the address says for a key, if that can be its value."""
    value = st.query_params.get(key)
    return value if value is not None and key.fits(value) else None


def values(key: Param) -> tuple[str, ...]:
    """All values that the address has for a key."""
    return tuple(st.query_params.get_all(key))


def write(key: str, value: str | None) -> None:
    """Give a key this value in the address; ``None`` drops it.

    Where its widget was not drawn yet, the first drawing leaves the address as it is.
    """
    write_all(key, () if value is None else (value,))


def write_all(key: str, values: Sequence[str]) -> None:
    """Give a key these values in the address; none drops it."""
    if not values:
        st.query_params.pop(key, None)
    elif st.query_params.get_all(key) != list(values):
        st.query_params[key] = list(values)


def is_upload(name: str | None) -> bool:
    """Whether this is how an address names an upload."""
    return name is not None and name not in (SAMPLE, NAMED_FILES) and params.DATA.fits(name)


def write_test_set(name: str | None, short_digest: str | None) -> None:
    """Name the open test set in the address; ``None`` drops what stands there."""
    write(params.DATA, name)
    write(params.DIGEST, short_digest)


def write_given_words(*, listed: str | None = None, key: str | None = None) -> None:
    """Put a short list of words into the address, or name what words are told apart by; neither drops both."""
    write(params.WORD_LIST, listed)
    write(params.GIVEN_WORDS, key)


def holds(widget: str, value: object) -> bool:
    """Whether the address gives a widget this value."""
    given = st.query_params.get_all(widget)
    if isinstance(value, float):
        return len(given) == 1 and number_in(given[0]) == value
    return given == (value if isinstance(value, list) else [value])


def moves_spans() -> bool:
    """Whether the address says that spans are moved to where they fit better."""
    return given(params.MOVE_SPANS) == "true"


def note_refused_truth(name: Param) -> None:
    """Note what the address says of something without a widget where it is neither true nor false, and drop it."""
    value = given(name)
    if value is not None and value not in ("true", "false"):
        session.miss(name, value)
        write(name, None)


def write_said_of_files(said: Sequence[str], *, moves_spans: bool) -> None:
    """Put what people said of files of scores and judgements into the address."""
    write_all(params.SYSTEM_NAMES, said)
    write(params.MOVE_SPANS, "true" if moves_spans else None)


def address(name: str, short_digest: str) -> str:
    """The address of this page with everything that it holds, for the test set that is open."""
    return _address(everything() | {params.DATA: [name], params.DIGEST: [short_digest]})


def address_without_texts() -> str:
    """The address of this page with everything that it holds, and nothing of the texts that are open."""
    of_texts = params.opening("texts")
    return _address({key: values for key, values in everything().items() if key not in of_texts})


def _address(values: Mapping[str, Sequence[str]]) -> str:
    return f"{st.context.url or ''}?{urlencode(values, doseq=True)}"


def go_to(page: str, with_values: Values = NOTHING) -> None:
    """Open a page with these values. What the sidebar and the systems A and B hold stays as it is."""
    stays = {str(key): list(values(key)) for key in params.opening("texts") if given(key) and key not in OF_WORDS}
    new = {str(key): [value] if isinstance(value, str) else list(value) for key, value in with_values.items() if value}
    st.switch_page(PAGES[page].script, query_params=stays | new)


def go_on_to(page: str) -> None:
    """Open a page with everything that the address holds."""
    st.switch_page(PAGES[page].script, query_params=everything())


def choose_pair(pair: tuple[str, str]) -> None:
    """Make two systems A and B of the pages that compare two."""
    for key, name in zip((params.A, params.B), pair, strict=True):
        session.put(key, name)


def choose_settings(values: Mapping[str, object]) -> None:
    """Score with other values of widgets of the sidebar, by their names in the address: at the next run, that is now.

    What the sidebar holds can be set before it is drawn only.
    """
    session.put(CHOSEN, dict(values))
    st.rerun()


def take_settings() -> None:
    """Give the sidebar what ``choose_settings`` chose; before it is drawn."""
    for name, value in session.get(CHOSEN, {}).items():
        session.put(name, value)
    session.drop(CHOSEN)


def choose_pair_next(pair: tuple[str, str]) -> None:
    """The same from a page that has drawn A and B already: they change as they are drawn again."""
    session.put(NEXT_PAIR, pair)


def next_pair() -> tuple[str, str] | None:
    """The pair that was chosen so and is not drawn yet."""
    pair: tuple[str, str] | None = session.get(NEXT_PAIR)
    return pair


def take_next_pair() -> None:
    """Make the pair that was chosen so A and B, before they are drawn."""
    pair = next_pair()
    if pair is not None:
        session.drop(NEXT_PAIR)
        choose_pair(pair)


def open_segment(segment: int) -> None:
    """Open a segment (counted from 0) on the Segments page, without a filter."""
    _list_segments({params.SEGMENT: str(segment + 1)})


def open_differences(delta_range: tuple[float, float]) -> None:
    """List the segments whose difference lies in a range."""
    _list_segments({params.LOW: f"{delta_range[0]:g}", params.HIGH: f"{delta_range[1]:g}"})


def open_disagreements() -> None:
    """List the segments that metrics pull to different systems."""
    _list_segments({params.SORT: METRICS_DISAGREE})


def open_document(document: str) -> None:
    """List the segments of a document."""
    _list_segments({params.DOCUMENT: document})


def open_flag(flag: str) -> None:
    """List the segments that a check points at, by the flag's name."""
    _list_segments({params.FLAG: flag})


def open_ngram(ngram: NGram, where: str) -> None:
    """List the segments that hold an n-gram, of one of ``ngram_tables.WHERE``, with the n-gram marked."""
    _list_segments({params.NGRAM: address_of(ngram), params.NGRAM_WHERE: where})


def open_slice(address: str) -> None:
    """List the segments of a slice, by its address of ``slice_tables``."""
    _list_segments({params.SLICE: address})


def open_kind(kind: str, *, compares: bool) -> None:
    """List the segments that lose or gain points by a kind of error, those with most first."""
    _list_segments({params.LOST_TO: kind, params.SORT: BY_GAIN if compares else BY_LOSS.replace(" A: ", ": ")})


def open_where(condition: str) -> None:
    """List the segments that a condition holds for."""
    _list_segments({params.WHERE: condition})


def names_flag() -> bool:
    """Whether the filter of the Segments page names a flag of the checks."""
    return bool(session.get(params.FLAG, given(params.FLAG)))


def named_slice() -> str | None:
    """The slice that the filter of the Segments page names."""
    value = session.get(params.SLICE, given(params.SLICE))
    return str(value) if value else None


def questions() -> tuple[str, ...]:
    """The questions that the filter of the Segments page asks."""
    return tuple(session.get(params.WHERE) or values(params.WHERE))


def _list_segments(with_values: Values) -> None:
    session.drop(*OF_SEGMENTS)
    go_to("segments", with_values)
