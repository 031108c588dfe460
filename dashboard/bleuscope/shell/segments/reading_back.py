"""Tags, notes and preferences read back from the files that they were saved as."""

from dataclasses import replace

import streamlit as st

from bleucore import InputError
from bleucore.formats import decoding
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments import blind_trial, segment_notes
from bleuscope.content.style import numbers
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import open_annotations, session
from bleuscope.streamlit_port import UploadedFile

DONE = "_read_back"


def read_back_field(view: ComparisonContext) -> None:
    """Asks for a file of tags and notes, or of preferences; what it says is taken once, and can be changed then."""
    file = st.file_uploader("Read tags and notes, or preferences, back from a file", key="read-back")
    if file is None:
        session.drop(DONE)
        return
    try:
        done = session.get(DONE)
        if done is None or done[0] != file.file_id:
            done = (file.file_id, _read(view, file))
            session.put(DONE, done)
            st.rerun()
        st.success(widgets.plain(done[1]))
    except InputError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")


def _read(view: ComparisonContext, file: UploadedFile) -> str:
    """Take what a file says; what was read, in words.

    Raises:
        InputError: It is neither, or about another test set.
    """
    data, test_set = decoding.unpack(file.name, file.getvalue(), segment_notes.MAX_BYTES), view.test_set
    if b"preference" in data.split(b"\n", 1)[0]:
        trial, found = blind_trial.read_preferences(file.name, data, test_set.digest, test_set.n_segments)
        open_annotations.change(test_set, lambda work: replace(work, trials={**work.trials, trial: found}))
        return f"Read {numbers.counted(len(found), 'preference')} of {trial.systems[0]} and {trial.systems[1]}."
    notes = segment_notes.read_notes(file.name, data, test_set.n_segments)
    open_annotations.change(test_set, lambda work: replace(work, notes={**work.notes, **notes}))
    return f"Read {numbers.counted(len(notes), 'tag or note', 'tags or notes')}."
