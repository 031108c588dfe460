"""Outputs whose names seem to say that they are logs, glossaries, notes or copies stay systems."""

import pytest

from bleucore import InputError
from bleuscope import read_test_set
from tests.dashboard.file_shapes.texts import REFERENCE, SOURCE, A, B, C, Files, N, plain

ZH = [f"第{n}个城市的人们今天下午在河边讨论新的桥" for n in range(N)]
LABELS = [" ".join(text.split()[:3]).strip(",.") for text in REFERENCE]
BOTH: Files = {"base.txt": plain(C), "ref.txt": plain(REFERENCE)}


def changed(texts: list[str], n_lines: int) -> list[str]:
    """The texts, the first few with another last word."""
    return [f"{text} indeed" if n < n_lines else text for n, text in enumerate(texts)]


def tokens(texts: list[str]) -> list[str]:
    return [text.replace(",", " ,").replace(".", " .") for text in texts]


def pair(one: str, other: str) -> Files:
    return {one: plain(A), other: plain(B), **BOTH}


SHAPES: dict[str, tuple[Files, int]] = {
    "steps": (pair("big.e100", "big.e200"), 3),
    "errors": (pair("noisy_err.txt", "gpt-errors.txt"), 3),
    "names of clusters": (pair("condor.txt", "lsf.txt"), 3),
    "logs": (pair("logs/a.txt", "logs/b.txt"), 3),
    "a folder of outputs beside artifacts": (
        {
            "exp/artifacts/model.json": b'{"layers": 6}\n',
            "exp/outputs/big.txt": plain(A),
            "exp/outputs/small.txt": plain(B),
            **BOTH,
        },
        3,
    ),
    "dictionaries of Chinese": (
        {
            "dict.zh": plain(changed(ZH, 9)),
            "terms.zh": plain(changed(ZH, 5)),
            "base.zh": plain(changed(ZH, 3)),
            "ref.zh": plain(ZH),
        },
        3,
    ),
    "strings of an interface": (
        {
            "terms.txt": plain(changed(LABELS, 9)),
            "glossary-big.txt": plain(changed(LABELS, 5)),
            "base.txt": plain(changed(LABELS, 3)),
            "ref.txt": plain(LABELS),
        },
        3,
    ),
    "a system in a folder of a glossary": ({"glossary/big.txt": plain(A), **BOTH}, 2),
    "recognizers that are nearly alike": (
        {"conformer.txt": plain(A), "conformer_bpe.txt": plain(changed(A, 2)), **BOTH},
        3,
    ),
    "a post-editor": ({"mt_tok.txt": plain(tokens(A)), "mt_post.txt": plain(changed(A, 4)), **BOTH}, 3),
    "a post-processor": ({"whisper.txt": plain(tokens(A)), "whisper_post.txt": plain(A), **BOTH}, 3),
    "a tokenized text with other words": ({"mt.tok.txt": plain(tokens(changed(A, 3))), "mt.txt": plain(A), **BOTH}, 3),
}


def systems_in(files: Files, folder) -> int:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return len(read_test_set(str(folder)).systems)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_name_alone_leaves_no_output_out(shape, tmp_path):
    files, n_systems = SHAPES[shape]
    assert systems_in(files, tmp_path) == n_systems


def test_an_output_in_a_folder_of_logs_that_lacks_lines_is_an_error(tmp_path):
    files = {"logs/a.txt": plain(A), "logs/c.txt": plain(B[:-2]), **BOTH}
    with pytest.raises(InputError):
        systems_in(files, tmp_path)


def test_what_is_called_true_is_no_copy_of_an_output(tmp_path):
    files = {"source.txt": plain(SOURCE), "y_true.txt": plain(REFERENCE), "y_pred.txt": plain(changed(REFERENCE, 2))}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    try:
        test_set = read_test_set(str(tmp_path))
    except InputError:
        return  # which of the two is the reference is asked for
    assert list(test_set.references[0]) == REFERENCE
