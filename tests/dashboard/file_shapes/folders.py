"""Folders of plain texts, and what holds them."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

from tests.dashboard.file_shapes.texts import ALL, REFERENCE, SOURCE, SYSTEMS, A, B, C, Files, N, plain, whole

FOUR = {**ALL, "src": SOURCE}


def zipped(files: Files) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return written.getvalue()


def tarred(files: Files, mode: str = "w:gz") -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return written.getvalue()


PLAIN = {f"{name}.txt": plain(texts) for name, texts in FOUR.items()}
SHAPES: dict[str, Files] = {
    "plain": PLAIN,
    "plain without a last line end": {name: data[:-1] for name, data in PLAIN.items()},
    "gzip": {f"{name}.gz": gzip.compress(data) for name, data in PLAIN.items()},
    "xz and bz2": {
        "a.txt.xz": lzma.compress(plain(A)),
        "b.txt.bz2": bz2.compress(plain(B)),
        "ref.txt": plain(REFERENCE),
    },
    "zip": {"all.zip": zipped(PLAIN)},
    "zip in a folder": {"all.zip": zipped({f"top/{name}": data for name, data in PLAIN.items()})},
    "zip of macOS": {"all.zip": zipped({**PLAIN, "__MACOSX/._a.txt": b"\x00\x05\x16\x07"})},
    "tar.gz": {"all.tar.gz": tarred(PLAIN)},
    "tar.xz": {"all.tar.xz": tarred(PLAIN, "w:xz")},
    "languages as endings": {"test.en": plain(SOURCE), "test.de": plain(REFERENCE), "a.de": plain(A), "b.de": plain(B)},
    "folder a system": {"a/out.txt": plain(A), "b/out.txt": plain(B), "ref.txt": plain(REFERENCE)},
    "folder a system, long names": {
        "experiments/2025/a/test.hyp": plain(A),
        "experiments/2025/b/test.hyp": plain(B),
        "experiments/data/test.ref": plain(REFERENCE),
        "experiments/data/test.src": plain(SOURCE),
    },
    "each with the same reference": {
        f"{name}/{kind}.txt": plain(texts)
        for name, own in SYSTEMS.items()
        for kind, texts in {"hyp": own, "ref": REFERENCE, "src": SOURCE}.items()
    },
    "mt-metrics-eval": {
        "system-outputs/en-de/a.txt": plain(A),
        "system-outputs/en-de/b.txt": plain(B),
        "references/en-de.refA.txt": plain(REFERENCE),
        "sources/en-de.txt": plain(SOURCE),
        "documents/en-de.docs": plain([f"news\tdoc{row // 6}" for row in range(N)]),
    },
    "folders by role": {
        "hyps/a.txt": plain(A),
        "hyps/b.txt": plain(B),
        "refs/ref.txt": plain(REFERENCE),
        "srcs/src.txt": plain(SOURCE),
    },
    "with a config and weights": {
        **PLAIN,
        "config.json": whole({"model": "x", "beam": 5, "layers": 6}),
        "vocab.txt": plain([f"word{n}" for n in range(300)]),
        "training.log": b"step 1 loss 2\n" * 90,
    },
    "with a readme": {**PLAIN, "README.txt": b"Outputs of two systems.\nSee the paper.\n"},
    "with ids": {**PLAIN, "ids.txt": plain([f"newstest-{row:04}" for row in range(N)])},
    "with documents": {**PLAIN, "docs.txt": plain([f"doc{row // 6}" for row in range(N)])},
    "tokenised beside": {f"{name}.txt": plain(texts) for name, texts in ALL.items()},
    "two references": {**PLAIN, "ref2.txt": plain(C)},
    "latin-1": {name: data.decode().encode("utf-8") for name, data in PLAIN.items()},
    "uppercase endings": {f"{name}.TXT": plain(texts) for name, texts in FOUR.items()},
    "no endings": {
        name: plain(texts) for name, texts in {"a": A, "b": B, "reference": REFERENCE, "source": SOURCE}.items()
    },
    "hidden files": {**PLAIN, ".DS_Store": b"\x00\x01", "a.txt~": plain(A)},
}
REFERENCES = {"two references": [REFERENCE, C]}
