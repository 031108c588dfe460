"""The address bar: what it names is opened, and what is open is named there.

Widgets keep their own values in the address (``bind="query-params"``), and drop what they do not accept. Here is
what no widget holds: the test set, and the way from one page to another with the view kept.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from urllib.parse import urlencode

import streamlit as st

from bleucore import BleuOptions
from bleucore.analysis.ngram_types import NGram
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison import link_notes
from bleuscope.content.comparison.link_notes import digest_in_address
from bleuscope.content.ngrams.ngram_tables import address_of
from bleuscope.content.segments.filters import METRICS_DISAGREE
from bleuscope.content.style.wordings import BLEU, SIGNIFICANCE, whole_numbers
from bleuscope.shell.disk.files import NAMED_FILES, SAMPLE, UPLOAD_KEY_LENGTH
from bleuscope.shell.state import session
from bleuscope.shell.state.page_list import PAGES

ORIGIN = "data"
CAMPAIGN, CAMPAIGN_DIGEST = "campaign", "campaign_digest"
DIGEST = "digest"
SCORES = "scores"
JUDGEMENTS = "judgements"
WORD_LIST, GIVEN_WORDS = "word_list", "given_words"
NAMES, SYSTEM_NAMES = "names", "system_names"
MOVES_SPANS = "move_spans"
OF_TEXTS = (ORIGIN, DIGEST, SCORES, JUDGEMENTS, WORD_LIST, GIVEN_WORDS, NAMES, SYSTEM_NAMES, MOVES_SPANS)
"""What says which texts are open and what is beside them, and not how they are looked at."""
PROJECT, TEST_SET = "project", "on"
"""What a page over time is about."""
CHOSEN = "_chosen_settings"
UPLOAD = re.compile(rf"[0-9a-f]{{{UPLOAD_KEY_LENGTH}}}")
WHOLE_NUMBERS = (
    *whole_numbers(BLEU, BleuOptions),
    *whole_numbers(SIGNIFICANCE, SignificanceOptions),
    *("blocks", "size", "segment", "page", "report_segments", "strip", "campaign_seed"),
)
"""Widgets that take whole numbers."""
KEY_LENGTH = 16
KEY = re.compile(rf"[0-9a-f]{{{KEY_LENGTH}}}")
"""Of what was uploaded beside the texts."""
STRIP = "strip"
"""The segment that is followed over the versions of a system."""
OF_SEGMENTS = ("segment", "page", *session.SEGMENT_FILTERS)
NEXT_PAIR = "_next_pair"


def drop_endless_numbers() -> None:
    """Take numbers that are too large for any number out of the address, and begin again.

    Streamlit (1.67) drops other junk itself, but fails at an infinite value of a widget for whole numbers. Only at
    the first run of a session: later these names belong to their widgets.
    """
    endless = [key for key in WHOLE_NUMBERS if any(map(_is_endless, st.query_params.get_all(key)))]
    for key in endless:
        session.miss(key, " ".join(st.query_params.get_all(key)))
        del st.query_params[key]
    if endless:
        st.rerun()


def fault(*names: str) -> str | None:
    """Why the address does not say which texts it names, asked about these names or all; ``None`` where it does."""
    return link_notes.unreadable({key: st.query_params.get_all(key) for key in st.query_params}, names)


def everything() -> dict[str, Sequence[str]]:
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
        return _number(given[-1]) == value
    return given[-1] == str(value)


def drop_all() -> None:
    """Empty the address."""
    st.query_params.clear()


def origin() -> str | None:
    """The test set that the address names, if it can be the name of one."""
    value = st.query_params.get(ORIGIN)
    return value if value in (SAMPLE, NAMED_FILES) or is_upload(value) else None


def is_upload(name: str | None) -> bool:
    """Whether this is how an address names an upload."""
    return name is not None and UPLOAD.fullmatch(name) is not None


def digest() -> str | None:
    """The beginning of the digest that the test set had when the link was made."""
    return digest_in_address(st.query_params.get(DIGEST))


def write_test_set(name: str | None, short_digest: str | None) -> None:
    """Name the open test set in the address; ``None`` drops what stands there."""
    _write(ORIGIN, name)
    _write(DIGEST, short_digest)


def campaign() -> str | None:
    """The campaign that the address names, if it can be the name of one."""
    value = st.query_params.get(CAMPAIGN)
    return value if value == NAMED_FILES or is_upload(value) else None


def campaign_digest() -> str | None:
    """The beginning of the digest that the campaign had when the link was made."""
    return digest_in_address(st.query_params.get(CAMPAIGN_DIGEST))


def write_campaign(name: str | None, short_digest: str | None, project: str | None) -> None:
    """Name the open campaign in the address, and the project that keeps it; ``None`` drops what stands there."""
    _write(CAMPAIGN, name)
    _write(CAMPAIGN_DIGEST, short_digest)
    _write(PROJECT, project)


def campaign_address() -> str:
    """The address of this page with everything that it holds, and nothing of the texts that are open."""
    values = {key: st.query_params.get_all(key) for key in st.query_params if key not in OF_TEXTS}
    return f"{st.context.url or ''}?{urlencode(values, doseq=True)}"


def score_files() -> str | None:
    """The scores from files that the address names."""
    return _key_in(SCORES)


def write_score_files(value: str | None) -> None:
    """Name the scores from files in the address; ``None`` drops what stands there."""
    _write(SCORES, value)


def judgements() -> str | None:
    """The judgements with error spans that the address names."""
    return _key_in(JUDGEMENTS)


def write_judgements(value: str | None) -> None:
    """Name the judgements with error spans in the address; ``None`` drops what stands there."""
    _write(JUDGEMENTS, value)


def given_words() -> str | None:
    """The labels of tokens, or the long list, that the address names."""
    return _key_in(GIVEN_WORDS)


def write_given_words(*, listed: str | None = None, key: str | None = None) -> None:
    """Put a short list of words into the address, or name what words are told apart by; neither drops both."""
    _write(WORD_LIST, listed)
    _write(GIVEN_WORDS, key)


def given(widget: str) -> str | None:
    """What the address gives a widget that was not drawn yet."""
    return st.query_params.get(widget)


def given_all(widget: str) -> list[str]:
    """All values that the address gives a widget that was not drawn yet."""
    return st.query_params.get_all(widget)


def holds(widget: str, value: object) -> bool:
    """Whether the address gives a widget this value."""
    given = st.query_params.get_all(widget)
    if isinstance(value, float):
        return len(given) == 1 and _number(given[0]) == value
    return given == (value if isinstance(value, list) else [value])


def give(widget: str, value: str) -> None:
    """Name the value of a widget that was not drawn yet: its first drawing leaves the address as it is."""
    _write(widget, value)


def names() -> list[str]:
    """The names given by hand that the address holds."""
    return st.query_params.get_all(NAMES)


def write_names(values: Sequence[str]) -> None:
    """Put names given by hand into the address."""
    write_all(NAMES, values)


def system_names() -> tuple[str, ...]:
    """What names of systems in files of scores and judgements mean, as the address holds it."""
    return tuple(st.query_params.get_all(SYSTEM_NAMES))


def moves_spans() -> bool:
    """Whether the address says that spans are moved to where they fit better."""
    return st.query_params.get(MOVES_SPANS) == "true"


def note_refused_truth(name: str) -> None:
    """Note what the address says of something without a widget where it is neither true nor false, and drop it."""
    value = st.query_params.get(name)
    if value is not None and value not in ("true", "false"):
        session.miss(name, value)
        _write(name, None)


def write_said_of_files(said: Sequence[str], *, moves_spans: bool) -> None:
    """Put what people said of files of scores and judgements into the address."""
    write_all(SYSTEM_NAMES, said)
    _write(MOVES_SPANS, "true" if moves_spans else None)


def address(name: str, short_digest: str) -> str:
    """The address of this page with everything that it holds, for the test set that is open."""
    values = {key: st.query_params.get_all(key) for key in st.query_params}
    values |= {ORIGIN: [name], DIGEST: [short_digest]}
    return f"{st.context.url or ''}?{urlencode(values, doseq=True)}"


def address_over_time() -> str:
    """The address of a page over time with everything that it holds, and nothing of the texts that are open."""
    values = {key: st.query_params.get_all(key) for key in st.query_params if key not in OF_TEXTS}
    return f"{st.context.url or ''}?{urlencode(values, doseq=True)}"


def go_to(page: str, **values: str | Sequence[str]) -> None:
    """Open a page with these values. What the sidebar and the systems A and B hold stays as it is."""
    singles: dict[str, str | Sequence[str] | None] = {ORIGIN: origin(), DIGEST: digest(), SCORES: score_files()}
    singles |= {JUDGEMENTS: judgements(), MOVES_SPANS: "true" if moves_spans() else None, **values}
    kept = {key: [value] if isinstance(value, str) else list(value) for key, value in singles.items() if value}
    kept |= {key: st.query_params.get_all(key) for key in (NAMES, SYSTEM_NAMES) if key in st.query_params}
    st.switch_page(PAGES[page].script, query_params=kept)


def go_on_to(page: str) -> None:
    """Open a page with everything that the address holds."""
    st.switch_page(PAGES[page].script, query_params={key: st.query_params.get_all(key) for key in st.query_params})


def choose_pair(pair: tuple[str, str]) -> None:
    """Make two systems A and B of the pages that compare two."""
    for key, name in zip(("a", "b"), pair, strict=True):
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
    _list_segments(segment=str(segment + 1))


def open_differences(delta_range: tuple[float, float]) -> None:
    """List the segments whose difference lies in a range."""
    _list_segments(low=f"{delta_range[0]:g}", high=f"{delta_range[1]:g}")


def open_disagreements() -> None:
    """List the segments that metrics pull to different systems."""
    _list_segments(sort=METRICS_DISAGREE)


def open_document(document: str) -> None:
    """List the segments of a document."""
    _list_segments(document=document)


def open_flag(flag: str) -> None:
    """List the segments that a check points at, by the flag's name."""
    _list_segments(flag=flag)


def open_ngram(ngram: NGram, where: str) -> None:
    """List the segments that hold an n-gram, of one of ``ngram_tables.WHERE``, with the n-gram marked."""
    _list_segments(ngram=address_of(ngram), ngram_where=where)


def open_slice(address: str) -> None:
    """List the segments of a slice, by its address of ``slice_tables``."""
    _list_segments(slice=address)


def open_strip(project: str, test_set: str, system: str, labels: tuple[str, str], segment: int) -> None:
    """Follow a segment (counted from 0) over the versions of a system, from one of two labels to the other."""
    older, newer = labels
    session.drop("project", "on", "system", "older", "newer", STRIP)
    go_to("history", project=project, on=test_set, system=system, older=older, newer=newer, strip=str(segment + 1))


def open_where(condition: str) -> None:
    """List the segments that a condition holds for."""
    _list_segments(where=condition)


def names_flag() -> bool:
    """Whether the filter of the Segments page names a flag of the checks."""
    return bool(session.get("flag", st.query_params.get("flag")))


def named_slice() -> str | None:
    """The slice that the filter of the Segments page names."""
    value = session.get("slice", st.query_params.get("slice"))
    return str(value) if value else None


def questions() -> tuple[str, ...]:
    """The questions that the filter of the Segments page asks."""
    return tuple(session.get("where") or st.query_params.get_all("where"))


def _list_segments(**values: str) -> None:
    session.drop(*OF_SEGMENTS)
    go_to("segments", **values)


def _is_endless(value: str) -> bool:
    return math.isinf(_number(value))


def _number(value: str) -> float:
    """What an address says as a number; not a number where it says something else."""
    try:
        return float(value)
    except ValueError:
        return math.nan


def _key_in(name: str) -> str | None:
    value = st.query_params.get(name)
    return value if value is not None and KEY.fullmatch(value) else None


def write_all(key: str, values: Sequence[str]) -> None:
    """Give a name these values in the address; none drops it."""
    if not values:
        st.query_params.pop(key, None)
    elif st.query_params.get_all(key) != list(values):
        st.query_params[key] = list(values)


def _write(key: str, value: str | None) -> None:
    if value is None:
        st.query_params.pop(key, None)
    elif st.query_params.get_all(key) != [value]:
        st.query_params[key] = value
