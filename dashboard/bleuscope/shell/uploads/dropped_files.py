"""What was dropped or pasted: archives unpacked, each file read, and for a fault what can be done about it."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st
from markupsafe import Markup

from bleucore import InputError
from bleucore.errors import EncodingError, EncodingOffer
from bleucore.formats import Column, guess, is_table
from bleucore.formats.archives import to_be_read
from bleucore.formats.columns import numbered_apart
from bleucore.formats.files_beside import files_beside, is_of_no_texts
from bleucore.formats.shards import joined_shards
from bleucore.formats.text_pieces import with_joined_pieces
from bleucore.judgements.reading import holds_judgements
from bleuscope.content.comparison.inputs import FileBeside
from bleuscope.content.style.sentences import listed
from bleuscope.registry import of_several_sets
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import cached, session
from bleuscope.streamlit_port import UploadedFile

_LEAST_FILES = 2
"""An output and a reference: of more, one that is of no format of texts is left out."""
MAX_FILES = 200
MAX_PASTED = 5_000_000
"""Characters of one pasted text."""
_ENDING = re.compile(r"(.*?[^/.][^/.]*)(\.[^/]*)?$", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """One file to read.

    Attributes:
        name: Its name, different from all others; of a file in an archive its path there.
        data: Its bytes.
        origin: The file that was dropped, which an archive is; ``None`` for a pasted text.
    """

    name: str
    data: bytes
    origin: str | None


@dataclass(frozen=True)
class Dropped:
    """What became of the files.

    Attributes:
        columns: All columns that could be read.
        files: The columns of each dropped file, as they are read without a question, by its name.
        notices: What was passed over, and what was read in another way than it is written.
        is_blocked: Whether a fault has to be dealt with first.
        beside: Files of scores or judgements among them.
        encoding: What files were read in that are not UTF-8, if one encoding was named.
        is_cut: Whether there are more files than are read here, of which nothing was read as several test sets can be.
        is_as_dropped: Whether a command can read the same from the files that were dropped.
    """

    columns: tuple[Column, ...]
    files: dict[str, tuple[Column, ...]]
    notices: tuple[str, ...]
    is_blocked: bool
    beside: tuple[FileBeside, ...]
    encoding: str | None
    is_as_dropped: bool
    is_cut: bool = False


def other_ways() -> tuple[list[UploadedFile], tuple[tuple[str, str], ...]]:
    """What comes in another way than by dropping files: those of a folder, and pasted texts by their names."""
    key = _key("pasted")
    pasted: tuple[tuple[str, str], ...] = session.get(key, ())
    with st.expander("A whole folder, or texts to paste", icon=":material/content_paste:", expanded=bool(pasted)):
        files = st.file_uploader("A whole folder", accept_multiple_files="directory", key=_key("folder"))
        with st.form(_key("paste"), clear_on_submit=True, border=False):
            name = st.text_input(
                "Name of the text",
                max_chars=200,
                placeholder="of the system; or reference, source",
                key=_key("paste-name"),
            )
            text = st.text_area(
                "Text: one segment per line, JSON or XML",
                height=140,
                max_chars=MAX_PASTED,
                key=_key("paste-text"),
            )
            if st.form_submit_button("Add this text") and text.strip():
                pasted = (*pasted, (f"{name.strip() or f'pasted {len(pasted) + 1}'}.txt", text))
                session.put(key, pasted)
        for number, (title, _) in enumerate(pasted):
            st.button(
                f"Remove {widgets.plain(title.removesuffix('.txt'))}",
                key=_key(f"unpaste-{number}"),
                on_click=session.put,
                args=(key, pasted[:number] + pasted[number + 1 :]),
            )
    return files, pasted


def read_dropped(files: Sequence[UploadedFile], pasted: Sequence[tuple[str, str]]) -> Dropped:
    """Read everything, and show each fault with what can be done about it."""
    parts, notices, n_faults = _parts(files, pasted)
    contents = {part.name: part.data for part in parts}
    others = files_beside([*contents], contents.__getitem__)
    notices += [f"{name} is left out: {reason}" for name, reason in others.items()]
    parts = _with_joined_pieces([part for part in parts if part.name not in others], notices)
    left_out = _left_out()
    if len(parts) > MAX_FILES and of_several_sets() is not None:
        return Dropped(
            (), {}, tuple(notices), is_blocked=True, beside=(), encoding=None, is_as_dropped=False, is_cut=True
        )
    if len(parts) > MAX_FILES:
        st.error(f"{len(parts)} files at once are too many: the first {MAX_FILES} were read.")
    columns: list[Column] = []
    by_file: dict[str, tuple[Column, ...]] = {}
    beside: list[FileBeside] = []
    encodings: set[str | None] = set()
    for index, part in enumerate(parts[:MAX_FILES]):
        if part.name in left_out:
            continue
        if holds_judgements(part.name, part.data) and not (len(parts) == 1 and _holds_texts(part)):
            beside.append(FileBeside(part.name, part.data))
            continue
        encoding = session.get(_key(f"encoding-{part.name}"))
        try:
            found = cached.columns(part.name, part.data, encoding=encoding)
            columns += _as_table(part, index, encoding) if is_table(part.name) else found
        except InputError as error:
            if is_of_no_texts(error) and len(parts) > _LEAST_FILES:
                notices.append(f"{part.name} is left out: {error.problem} (found {error.found}).")
                continue
            n_faults += 1
            _fault(error, part.name)
            continue
        encodings |= {encoding} if encoding is not None else set()
        if part.origin is not None:
            by_file[part.origin] = (*by_file.get(part.origin, ()), *found)
    columns, is_whole = _with_joined_shards(columns)
    if left_out:
        _take_back(left_out)
    named = {file.name for file in files}
    return Dropped(
        tuple(columns),
        by_file,
        tuple(dict.fromkeys([*notices, *(notice for column in columns for notice in column.notices)])),
        is_blocked=n_faults > 0 or not is_whole or len(parts) > MAX_FILES,
        beside=tuple(beside),
        encoding=next(iter(encodings), None),
        is_as_dropped=not (left_out or pasted or len(encodings) > 1)
        and len(named) == len(files)
        and not any("/" in name for name in named),
    )


def _with_joined_shards(columns: Sequence[Column]) -> tuple[list[Column], bool]:
    """The columns, those of parts of one table put together, and whether no part is missing."""
    try:
        return [*joined_shards(columns)], True
    except InputError as error:
        st.error(widgets.plain(str(error)))
        return [*columns], False


def _holds_texts(part: Part) -> bool:
    """Whether a file of scores has the texts that were scored, too."""
    try:
        columns = cached.columns(part.name, part.data)
    except InputError:
        return False
    return {"hypothesis", "reference"} <= {column.role for column in guess(columns).columns}


def leave_out_button(name: str) -> None:
    """The button that goes on without a file."""
    st.button(
        f"Leave {widgets.plain(name)} out",
        key=_key(f"leave-{name}"),
        icon=":material/remove_circle_outline:",
        on_click=session.put,
        args=(_key("left-out"), (*_left_out(), name)),
    )


def _parts(files: Sequence[UploadedFile], pasted: Sequence[tuple[str, str]]) -> tuple[list[Part], list[str], int]:
    """Each file to read, what was passed over, and how many archives are faulty."""
    parts: list[Part] = []
    notices: list[str] = []
    n_faults = 0
    names = _told_apart([file.name for file in files])
    passed_over, notices[:] = _passed_over([name for name in names if "/" in name])
    for file, name in zip(files, names, strict=True):
        if name in passed_over or name in _left_out():
            continue
        try:
            found = cached.unpacked_file(name, file.getvalue())
        except InputError as error:
            n_faults += 1
            _fault(error, name)
            continue
        parts += [Part(inner, data, name) for inner, data in found.files]
        notices += found.notices
    parts += [Part(name, text.encode(errors="surrogatepass"), None) for name, text in pasted]
    names = _told_apart([part.name for part in parts])
    return [replace(part, name=name) for part, name in zip(parts, names, strict=True)], notices, n_faults


def _with_joined_pieces(parts: Sequence[Part], notices: list[str]) -> list[Part]:
    """The files to read, pieces of one text as one, and what is said of it added to the notices."""
    whole, said = with_joined_pieces(tuple((part.name, part.data) for part in parts))
    notices += said
    by_name = {part.name: part for part in parts}
    return [by_name.get(name, Part(name, data, None)) for name, data in whole]


def _passed_over(paths: Sequence[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The files of a folder that are none of texts by their names, and what to say of them."""
    try:
        kept, notices = to_be_read("The folder", paths) if paths else ((), ())
    except InputError as error:
        return frozenset(paths), (str(error),)
    return frozenset(paths).difference(kept), notices


def _told_apart(names: Sequence[str]) -> list[str]:
    """The names, those of equal ones numbered before their endings: "out.txt", "out (2).txt"."""
    if len(set(names)) == len(names):
        return list(names)
    halves = [_ENDING.match(name) for name in names]
    starts = [half[1] if half else name for half, name in zip(halves, names, strict=True)]
    numbered = numbered_apart(starts)
    return [
        name if names.count(name) == 1 else start + (half[2] if half else "")
        for name, start, half in zip(names, numbered, halves, strict=True)
    ]


def _as_table(part: Part, index: int, encoding: str | None) -> tuple[Column, ...]:
    """The columns of a table, and the question whether its first row names them."""
    key = f"header-{session.upload_round()}-{index}"
    columns = cached.columns(part.name, part.data, header=session.get(key), encoding=encoding)
    has_header = columns[0].first_line > 1
    st.toggle(f"The first row of {widgets.plain(part.name)} names the columns", has_header, key=key)
    return columns


def _fault(error: InputError, name: str) -> None:
    """What is wrong with a file, and the buttons that go on."""
    with st.container(key=_key(f"fault-{_safe(name)}")):
        st.error(widgets.plain(str(error)), icon=":material/error:")
        if isinstance(error, EncodingError):
            for offer in error.offers:
                _offer(offer, name)
        leave_out_button(name)


def _offer(offer: EncodingOffer, name: str) -> None:
    """The button that reads a file in an encoding, beside the first line so read."""
    pressed, line = st.columns([2, 5], vertical_alignment="center")
    with pressed:
        st.button(
            f"Read as {offer.encoding}",
            key=_key(f"read-{offer.encoding}-{name}"),
            on_click=session.put,
            args=(_key(f"encoding-{name}"), offer.encoding),
            width="stretch",
        )
    with line:
        widgets.html(
            Markup('<div class="bs-files">line {}<span dir="auto">{}</span></div>').format(offer.line, offer.text)
        )


def _take_back(left_out: Sequence[str]) -> None:
    """Which files were left out, and the button that takes them back."""
    described, button = st.columns([5, 2], vertical_alignment="center")
    with described:
        widgets.html(Markup("<p>Left out: {}.</p>").format(listed(left_out)))
    with button:
        st.button("Take back", key=_key("take-back"), on_click=session.drop, args=(_key("left-out"),))


def _left_out() -> tuple[str, ...]:
    names: tuple[str, ...] = session.get(_key("left-out"), ())
    return names


def _key(name: str) -> str:
    """A key of this round of uploads."""
    return f"{name}-{session.upload_round()}"


def _safe(name: str) -> str:
    """A name as part of a class in the page."""
    return hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:12]
