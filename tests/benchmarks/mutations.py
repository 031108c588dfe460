"""Mutated files of all shapes, and logs next to outputs: no fault of ours, and no log among the systems.

A mutation strikes one file of a shape. All files are then read, given roles and put together. What is no
``InputError`` is a fault. Logs are written next to two outputs and a reference, with as many lines or others.
"""

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bleucore.errors import InputError
from bleucore.formats import assemble, read
from bleucore.formats.archives import without_binaries
from bleucore.formats.files_beside import files_beside
from bleucore.formats.roles import guess_roles
from bleucore.formats.several_sets import several_sets
from bleucore.formats.shards import joined_shards
from bleucore.formats.text_pieces import with_joined_pieces
from tests.dashboard.file_shapes.languages import sentences, system
from tests.dashboard.file_shapes.of_languages import SHAPES

FRAGMENTS = [
    *(b"\n", b"\r\n", b"\0", b"\t", b'"', b"'", b",", b";", b"{", b"}", b"[", b"]", b"<", b">", b"</seg>", b"&#xD800;"),
    *(b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"null", b"NaN", b"1e999", b"\\ud800", b"|||", b"<![CDATA[", b"-->"),
    *(
        b"-" * 5_000,
        b"[" * 2_000,
        b"{" * 2_000,
        b"<a>" * 1_000,
        b" " * 10_000,
        b"9" * 5_000,
        b"PK\x03\x04",
        b"\x1f\x8b",
    ),
]
LONGEST_SECONDS = 10.0

Files = tuple[tuple[str, bytes], ...]


def mutated(data: bytes, draw: random.Random) -> bytes:
    """The bytes with one to four changes: cut out, doubled, moved, struck or put in."""
    for _ in range(draw.randint(1, 4)):
        start = draw.randrange(len(data) + 1)
        end = min(len(data), start + draw.choice([1, 2, 10, 100, 1_000]))
        piece = data[start:end]
        ways: list[Callable[[], bytes]] = [
            lambda start=start, end=end, data=data: data[:start] + data[end:],
            lambda start=start, piece=piece, data=data: data[:start] + piece + data[start:],
            lambda start=start, end=end, data=data: data[:start] + draw.choice(FRAGMENTS) + data[end:],
            lambda start=start, data=data: data[:start] + draw.choice(FRAGMENTS) + data[start:],
            lambda start=start, end=end, data=data: data[:start] + draw.randbytes(end - start) + data[end:],
            lambda start=start, data=data: data[:start],
            lambda data=data: b"\n".join(draw.sample(lines := data.split(b"\n"), len(lines))),
        ]
        data = draw.choice(ways)()
    return data


def read_all(files: Files) -> tuple[str, ...]:
    """The names of the systems that files come to.

    Raises:
        InputError: They do not fit together.
    """
    files, _ = without_binaries("drop", files)
    contents = dict(files)
    others = files_beside([*contents], contents.__getitem__)
    files, _ = with_joined_pieces(tuple(file for file in files if file[0] not in others))
    columns = joined_shards([column for name, data in files for column in read(name, data)])
    if several_sets(columns, "drop"):
        return ()
    return assemble(guess_roles(columns)).system_names


def mutations(n_trials: int, seed: int) -> int:
    """How many of so many mutations end in a fault of ours."""
    draw, outcomes, n_faults = random.Random(seed), Counter[str](), 0
    shapes = {name: tuple(write()[0].items()) for name, write in SHAPES.items()}
    for trial in range(n_trials):
        name = draw.choice([*shapes])
        files = list(shapes[name])
        struck = draw.randrange(len(files))
        files[struck] = (files[struck][0], mutated(files[struck][1], draw))
        if len(files) > 12:  # of many files some, for time
            files = [files[struck], *draw.sample(files, 8)]
            files = list(dict(files).items())
        begun = time.perf_counter()
        try:
            read_all(tuple(files))
            outcomes["read"] += 1
        except InputError:
            outcomes["refused"] += 1
        except Exception:  # noqa: BLE001  # a fault of any kind is what is looked for
            outcomes["FAULT"] += 1
            n_faults += 1
            print(f"trial {trial}, {name}, {files[struck][0]}")
            traceback.print_exc(limit=-4)
        if (took := time.perf_counter() - begun) > LONGEST_SECONDS:
            print(f"trial {trial}, {name}, {files[struck][0]}: {took:.1f} s")
    print(f"{n_trials:,} mutations: {dict(outcomes)}")
    return n_faults


def log_lines(draw: random.Random, n_lines: int) -> list[str]:
    """Lines of one kind, as programs write them next to outputs."""
    words = ["loss", "step", "epoch", "batch", "done", "warning", "token", "beam", "gpu", "memory", "speed", "update"]
    tags = ["DT", "NN", "VB", "IN", "JJ", "PUNCT", "NOUN", "VERB", "O", "B-PER", "I-PER"]
    one = draw.choice(
        [
            lambda k: f"{draw.choice(['seg', 'doc', 'item', 'utt', 'news'])}-{k:05d}",
            lambda k: f"{draw.getrandbits(128):032x}",
            lambda k: f"2026-0{1 + k % 9}-1{k % 9}T0{k % 9}:{k % 60:02d}:12.{draw.randrange(1000):03d}",
            lambda k: f"00:{k // 60:02d}:{k % 60:02d},000 --> 00:{k // 60:02d}:{k % 60:02d},900",
            lambda k: f"{draw.gauss(0, 3):.4f}",
            lambda k: str(draw.randrange(10_000)),
            lambda k: f"{draw.random():.3f}\t{draw.random():.3f}\t{draw.randrange(9)}",
            lambda k: " ".join(draw.choice(tags) for _ in range(draw.randint(4, 15))),
            lambda k: _alignment(draw),
            lambda k: f"# {draw.choice(words)} {draw.choice(words)} {k}",
            lambda k: f"[{k:04d}] {draw.choice(words)} {draw.choice(words)}: {draw.random():.4f}",
            lambda k: f"2026-01-01 10:{k % 60:02d}:00 | INFO | {draw.choice(words)} {k} | lr {draw.random():.5f}",
            lambda k: (
                f"epoch {k} | {draw.choice(words)} {draw.random():.3f} | {draw.choice(words)} {draw.random():.3f}"
            ),
            lambda k: f"https://example.org/{draw.getrandbits(32):x}",
            lambda k: draw.choice(["de-en", "en-de", "fr-en"]),
            lambda k: f"{{'{draw.choice(words)}': {draw.random():.3f}, 'step': {k}}}",
            lambda k: f"/data/wav/{draw.choice(words)}_{k:04d}.wav",
            lambda k: f"sent {k}: {draw.randrange(40)} tokens, {draw.random():.2f} s",
        ]
    )
    return [one(number) for number in range(n_lines)]


def _alignment(draw: random.Random) -> str:
    return " ".join(f"{place}-{max(0, place + draw.randint(-1, 1))}" for place in range(draw.randint(4, 15)))


def logs(n_trials: int, seed: int) -> int:
    """How many of so many logs become a system, or keep the outputs from being read."""
    draw, n_wrong = random.Random(seed), 0
    for trial in range(n_trials):
        language = draw.choice(["en", "de", "ru", "zh", "ja", "ar", "hi", "th"])
        n_segments = draw.choice([20, 40, 100])
        texts = {name: system(language, n_segments, name, 0.2) for name in ("alpha", "beta")}
        texts["ref"] = sentences(language, n_segments)
        stem = draw.choice(["alpha", "train", "out", "run1", "notes", "info"])
        called = f"{stem}.{draw.choice(['log', 'txt', 'out', 'ids', 'aux', 'dat'])}"
        called = f"extra.{called}" if called in ("alpha.txt", "out.txt") else called
        lines = log_lines(draw, draw.choice([n_segments, n_segments, n_segments + 7, 3 * n_segments]))
        files = {f"{name}.txt": _written(one) for name, one in texts.items()} | {called: _written(lines)}
        try:
            found: object = sorted(read_all(tuple(files.items())))
        except InputError as error:
            found = str(error)
        if found != ["alpha", "beta"]:
            n_wrong += 1
            print(f"log {trial}, {called}, {lines[0][:60]!r} ({len(lines)} of {n_segments}): {str(found)[:200]}")
    print(f"{n_trials:,} logs: {n_wrong} become a system or stop the outputs")
    return n_wrong


def _written(lines: Sequence[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--logs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sys.exit(bool(mutations(given.mutations, given.seed) + logs(given.logs, given.seed)))
