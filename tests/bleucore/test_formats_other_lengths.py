"""Files of other lengths than the test set: development data, and subtitles with other cues."""

import pytest

from bleucore import InputError
from bleucore.formats import assemble, guess, read
from bleucore.segmentation.resegmenting import realigned
from tests.dashboard.file_shapes.texts import REFERENCE, SOURCE, A, B, N, plain


def guessed(files):
    return guess([one for name, data in files.items() for one in read(name, data)], proposes_reference=False).columns


def test_development_data_next_to_a_test_set_is_left_out():
    dev = {"data/dev.de": plain(SOURCE[:15]), "data/dev.en": plain(REFERENCE[:15])}
    test = {"data/test.de": plain(SOURCE), "data/test.en": plain(REFERENCE)}
    outputs = {"m/1.hyps.dev": plain(A[:15]), "m/2.hyps.dev": plain(B[:15]), "m/best.hyps.test": plain(A)}
    found = assemble(guessed({**dev, **test, **outputs}))
    assert [list(one.hypotheses) for one in found.systems] == [A]
    assert [list(one) for one in found.references] == [REFERENCE]


def test_two_test_sets_in_one_folder_are_named():
    files = {"ref.devtest.en": plain(REFERENCE[:15]), "a.test.en": plain(A), "b.test.en": plain(B)}
    with pytest.raises(InputError, match="look like two test sets, 'test' and 'devtest'"):
        assemble(guessed(files))


def srt(texts, milliseconds):
    cues = [f"00:00:{at:02},{milliseconds} --> 00:00:{at:02},900\n{text}" for at, text in enumerate(texts)]
    return "".join(f"{number}\n{cue}\n\n" for number, cue in enumerate(cues, start=1)).encode()


def test_subtitles_with_other_cues_are_counted_and_can_be_cut_anew():
    halves = [half for text in A for half in (text[: len(text) // 2], text[len(text) // 2 :])]
    columns = guessed({"ref.srt": srt(REFERENCE, "000"), "a.srt": srt(halves, "100")})
    with pytest.raises(InputError, match=f"found {2 * N} lines, expected {N}"):
        assemble(columns)
    assert assemble(realigned(columns)).n_segments == N
