"""The drop zone: files in, roles guessed and shown to be corrected, a test set out."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from markupsafe import Markup

from bleucore import InputError, TestSet
from bleucore.formats import ROLES, Column, Role, assemble, common_title, guess, with_short_names
from bleucore.formats.assembly import UnequalLengthError
from bleucore.formats.quoted_lines import with_quotes_off
from bleucore.formats.subwords import with_joined_pieces
from bleucore.segmentation.resegmenting import cut_otherwise, realigned
from bleuscope.content.comparison import drops
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.content.comparison.naming import MAX_NAME
from bleuscope.content.comparison.plan import plan_of_columns
from bleuscope.content.comparison.welcome import welcome
from bleuscope.content.style import markup, numbers
from bleuscope.registry import load, own_features
from bleuscope.shell.controls import widgets
from bleuscope.shell.disk.files import inputs_of, load_sample, titled, upload_origin
from bleuscope.shell.page.frame import open_test_set, show
from bleuscope.shell.page.named_views import views_panel
from bleuscope.shell.server import live_sessions
from bleuscope.shell.state import cached, links, session
from bleuscope.shell.uploads.dropped_files import Dropped, leave_out_button, other_ways, read_dropped
from bleuscope.shell.uploads.lost_files_panel import lost_files_panel
from bleuscope.shell.uploads.manifest_button import save_manifest_button
from bleuscope.shell.uploads.recent_panel import recent_panel
from bleuscope.shell.uploads.several_sets_panel import chosen_set, offer_several_sets, only_set, suits_several_sets
from bleuscope.streamlit_port import DeltaGenerator

MAX_ROWS = 50
"""Files and columns that are shown at once, each with two widgets."""
ROLE_LABELS: dict[Role, str] = {
    "hypothesis": "system output",
    "reference": "reference",
    "source": "source",
    "documents": "document names",
    "label": "label",
    "ignore": "leave out",
}

BESIDE = (
    "Scores or judgements: {}. Trust shows judgements, and Segments marks errors in the texts. "
    "Choose which scores appear next to BLEU."
)
MAX_LEFT_OUT = 6
"""More columns than this that are no texts (of dumps, say) are folded away."""


def upload_panel() -> None:
    """Drop zone, roles, and the button that opens the test set. What was open before stays until then."""
    is_open = open_test_set() is not None
    if not is_open:
        st.markdown(
            "**Compare translation systems with BLEU.** Supported formats: plain text with one segment per "
            "line, JSON, XML, SGML (NIST or WMT), TSV, CSV and XLSX, also gzipped or in an "
            "archive. A source is optional. Your files stay on the machine that runs bleuscope."
        )
    with st.container(key="upload" if is_open else "first-upload"):
        files = st.file_uploader(
            "Drop other files here, all at once" if is_open else "Drop all files here at once",
            accept_multiple_files=True,
            key=f"upload-{session.upload_round()}",
        )
    more_files, pasted = other_ways()
    files = [*files, *more_files]
    live_sessions.free_uploads("texts", files)
    has_lost = lost_files_panel()
    if not files and not pasted:
        recent_panel()
        views_panel()
        _sample_offer(is_open=is_open)
        return
    is_planned = not pasted and suits_several_sets([file.name for file in files])
    dropped = None
    if not is_planned:
        with st.spinner("Reading …"):
            dropped = read_dropped(files, pasted)
    is_planned = is_planned or (dropped is not None and dropped.is_cut and not pasted)
    if is_planned:
        dropped = only_set(files)
    if dropped is None:
        offer_several_sets(files)
        return
    if dropped.notices:
        st.info("\n\n".join(map(widgets.plain, dropped.notices)), icon=":material/info:")
    if dropped.beside:
        names = ", ".join(file.name for file in dropped.beside)
        st.info(widgets.plain(BESIDE.format(names)), icon=":material/info:")
    if dropped.beside and not dropped.columns:
        st.warning("No texts yet: drop the outputs that were judged, and a reference.", icon=":material/info:")
    columns = dropped.columns if is_planned else chosen_set(dropped, files)
    if columns:
        _confirm(dropped, _role_inputs(columns), has_lost=has_lost)


def _sample_offer(*, is_open: bool) -> None:
    with st.container(horizontal=True, key="samples"):
        if st.button("Open the sample comparison", type="secondary" if is_open else "primary", key="sample"):
            show(load_sample())
            links.go_to("overview")
        for feature in own_features() if not is_open else ():
            if feature.switch is not None:
                load(feature.switch.sample)()
    if not is_open:
        st.caption("The sample has eight translations of 216 German sentences, with two references.")
        widgets.html(welcome())


def _role_inputs(columns: Sequence[Column]) -> list[Column]:
    """What each file or column is, and its name: guessed, to be corrected."""
    guessed = guess(columns)
    heading, said = st.container(), st.container()
    left_out = [index for index, column in enumerate(guessed.columns) if column.role == "ignore"]
    texts_first = sorted(range(len(columns)), key=set(left_out).__contains__)
    shown = {texts_first[row] for row in _shown_rows(len(columns))}
    rows = st.container()
    folded = rows
    if len(left_out) > MAX_LEFT_OUT and shown & set(left_out):
        folded = st.expander(f"{numbers.count(len(left_out))} left out", key=f"folded-{session.upload_round()}")
    cells = []
    for index, column in enumerate(guessed.columns):
        with folded if column.role == "ignore" else rows:
            cells.append(_role_input(column, index, is_shown=index in shown))
    chosen = [replace(column, role=role) for column, (role, _) in zip(columns, cells, strict=True)]
    named = with_short_names(chosen)  # names follow the roles: a reference is called so
    used = [
        _name_input(column, place, index) for index, (column, (_, place)) in enumerate(zip(named, cells, strict=True))
    ]
    _offer_guess_again(guessed.columns, used, columns)
    heading.markdown(
        f"**What is what?** {widgets.plain(drops.summary(used))}. Guessed from names and contents; correct what is "
        "wrong."
    )
    whole = list(with_joined_pieces(with_quotes_off(used)))
    for remark in (*drops.remarks(used, guessed), *_said_of_cuts(used, whole)):
        said.info(widgets.plain(remark), icon=":material/info:")
    return whole


def _offer_guess_again(guessed: Sequence[Column], used: Sequence[Column], columns: Sequence[Column]) -> None:
    """The button that takes back every role and name that somebody chose, once there is one."""
    if [(one.role, one.name) for one in guessed] == [(one.role, one.name) for one in used]:
        return
    st.button(
        "Undo all changes", icon=":material/undo:", key="guess-again", on_click=_take_back, args=(columns, guessed)
    )


def _take_back(columns: Sequence[Column], guessed: Sequence[Column]) -> None:
    """Give every column its guessed role again, and its name in each role; a callback."""
    for index, (column, guess_of_it) in enumerate(zip(columns, guessed, strict=True)):
        row = _row_key(column, index)
        session.put(f"role-{row}", guess_of_it.role or "hypothesis")
        for key in session.keys_with(f"name-{row}-"):
            session.put(key, key.removeprefix(f"name-{row}-").partition("-")[2])


def _shown_rows(n_columns: int) -> range:
    """Which rows of files and columns are on the page; where they are many, some at a time."""
    if n_columns <= MAX_ROWS:
        return range(n_columns)
    n_pages = -(-n_columns // MAX_ROWS)
    page = st.pagination(n_pages, key=f"columns-page-{session.upload_round()}")
    first = (page - 1) * MAX_ROWS
    last = min(first + MAX_ROWS, n_columns)
    st.caption(
        f"{numbers.count(first + 1)} to {numbers.count(last)} of {numbers.count(n_columns)}, texts first; the others "
        "are what they are guessed or chosen to be."
    )
    return range(first, last)


def _role_input(column: Column, index: int, *, is_shown: bool) -> tuple[Role, DeltaGenerator | None]:
    """The row of a file or column with its role; the place that is left for its name."""
    key = f"role-{_row_key(column, index)}"
    guessed = column.role or "hypothesis"
    _follow_guess(key, guessed)
    if not is_shown:
        return session.get(key, guessed), None
    described, role, name = st.columns([5, 3, 3], vertical_alignment="center")
    with described:
        first = next((text for text in column.segments if text), "")
        widgets.html(
            Markup('<div class="bs-files"><bdi>{}</bdi> · {}<span dir="auto">{}</span></div>').format(
                column.file, _extent(column), markup.snippet(first, 90)
            )
        )
    with role:
        chosen = st.selectbox(
            f"Role of file {index + 1}",
            ROLES,
            index=ROLES.index(guessed),
            format_func=ROLE_LABELS.__getitem__,
            key=key,
            label_visibility="collapsed",
            persist_state="session",
        )
    return chosen, name


def _follow_guess(key: str, guessed: Role) -> None:
    """Change a role that nobody chose where further files lead to another guess."""
    last = session.get(f"_guessed-{key}", guessed)
    if last != guessed and session.get(key) == last:
        session.put(key, guessed)
    session.put(f"_guessed-{key}", guessed)


def _name_input(column: Column, place: DeltaGenerator | None, index: int) -> Column:
    """The name that is proposed for a column in its role, to be changed where its row is shown."""
    if column.role in ("source", "documents", "ignore"):
        return column  # it has no name to show
    key = f"name-{_row_key(column, index)}-{column.role}-{column.name}"
    named: str = session.get(key, column.name)
    if place is not None:
        named = place.text_input(
            f"Name of file {index + 1}",
            column.name,
            key=key,
            label_visibility="collapsed",
            max_chars=MAX_NAME,
            persist_state="session",
        )
    return replace(column, name=named.strip() or column.name)


def _row_key(column: Column, index: int) -> str:
    return f"{session.upload_round()}-{index}-{column.file}-{column.title}"


def _extent(column: Column) -> str:
    """Which part of a file with several texts this is, and how many segments it has."""
    part = "" if column.title is None and column.keys is None else f"{column.title or column.name} · "
    return part + numbers.counted(len(column.segments), "segment")


def _confirm(dropped: Dropped, columns: Sequence[Column], *, has_lost: bool) -> None:
    """The button that opens the test set, once the files fit together."""
    n_systems = sum(column.role == "hypothesis" for column in columns)
    n_references = sum(column.role == "reference" for column in columns)
    test_set, aligns = None, session.get(_aligns(), False)
    if dropped.is_blocked:
        st.info("Remove or fix the files named above to continue.", icon=":material/info:")
    elif has_lost:
        st.info("A file did not arrive. Load it again, or continue without it.", icon=":material/info:")
    elif not n_references:
        st.warning("No reference yet. Choose the file that contains it.", icon=":material/info:")
    elif not n_systems:
        st.warning("No system output yet. Choose a file that contains one.", icon=":material/info:")
    else:
        test_set = _assembled(columns, aligns=aligns)
    label = f"Compare {numbers.counted(n_systems, 'system')} with {numbers.counted(n_references, 'reference')}"
    with st.container(horizontal=True, gap="small"):
        pressed = st.button(label, type="primary", disabled=test_set is None, key="compare")
        if test_set is not None and not aligns:
            save_manifest_button(plan_of_columns(common_title(columns) or "Comparison", columns))
    if pressed and test_set is not None:
        session.next_upload_round()
        live_sessions.free_uploads("texts", ())
        taken = {column.file for column in columns}
        named = {name: found for name, found in dropped.files.items() if taken & {column.file for column in found}}
        inputs = inputs_of(list(named.values()), columns, names=list(named), encoding=dropped.encoding)
        inputs = replace(inputs, is_complete=inputs.is_complete and dropped.is_as_dropped, aligns=aligns)
        name = common_title(columns)
        title = titled(name, n_systems) if name else f"Upload of {numbers.counted(n_systems, 'system')}"
        whole = realigned(columns, cached.cut_anew) if aligns else columns
        notices = tuple(dict.fromkeys((*dropped.notices, *(said for column in whole for said in column.notices))))
        show(Loaded(test_set, title, upload_origin(test_set), inputs, notices, beside=dropped.beside))
        links.go_to("overview")


def _aligns() -> str:
    """Where it is noted that outputs are to be cut anew."""
    return f"aligns-{session.upload_round()}"


def _assembled(columns: Sequence[Column], *, aligns: bool) -> TestSet | None:
    try:
        cached.BUDGET.refuse_test_set(columns)
        if not aligns:
            return assemble(columns)
        with st.spinner("Cutting outputs at the segments of the reference …"):
            cut = realigned(columns, cached.cut_anew)
        if said := _said_of_cuts(columns, cut):
            st.info("\n\n".join(map(widgets.plain, said)), icon=":material/content_cut:")
        return assemble(cut)
    except InputError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")
        if isinstance(error, UnequalLengthError):
            leave_out_button(error.file)
            _offer_cuts(columns)
        return None


def _offer_cuts(columns: Sequence[Column]) -> None:
    """The button that cuts outputs anew which have other lines than the references."""
    others = cut_otherwise(columns)
    if others:
        st.button(
            f"Cut {numbers.counted(len(others), 'output')} at the segments of the reference",
            key="align",
            icon=":material/content_cut:",
            help=("Minimises word edits, as in speech translation scoring, and marks doubtful cuts."),
            on_click=session.put,
            args=(_aligns(), True),
        )


def _said_of_cuts(columns: Sequence[Column], cut: Sequence[Column]) -> list[str]:
    """What was cut or joined, a sentence for each text."""
    known = {said for column in columns for said in column.notices}
    return [said for column in cut for said in column.notices if said not in known]
