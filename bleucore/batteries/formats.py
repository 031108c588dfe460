"""What holds for every format: its files are read the same however they are packed, and broken ones are refused."""

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleucore.batteries.laws import BrokenLawError, require
from bleucore.errors import InputError
from bleucore.formats.columns import Column
from bleucore.formats.reading import columns_of
from bleucore.formats.registry import ANY_NAME, Content, Format, fault_of_columns

_N_BROKEN = 200
_OF_OTHERS = {
    "plain text": b"The cat sat.\nIt rains.\n",
    "a table": b"source\treference\nDie Katze.\tThe cat.\n",
    "JSON": b'{"source": "Die Katze.", "reference": "The cat."}\n',
    "XML": b'<dataset id="x"><doc id="1"><src lang="de"><p><seg id="1">Die Katze.</seg></p></src></doc></dataset>',
}


@dataclass(frozen=True)
class GivenFormat:
    """A format with the name that it is known by.

    Attributes:
        format_: The format.
        name: Of its entry.
    """

    format_: Format
    name: str

    @property
    def content(self) -> Content:
        """Its example."""
        return Content(*self.format_.example)

    def read(self, data: bytes) -> Sequence[Column]:
        """The columns of a file that is named as the example is, whether it is recognised or not."""
        return columns_of(self.format_, Content(self.content.name, data))

    def texts(self, data: bytes) -> list[tuple[str, str | None, tuple[str | None, ...]]]:
        """Name, role and texts of each column of such a file."""
        return [(column.name, column.role, column.segments) for column in self.read(data)]


def has_an_example(given: GivenFormat) -> None:
    """It brings a small file as an example, and recognises it."""
    require(given.content.raw, "no example")
    require(given.content.is_named(*given.format_.endings), f"an example named {given.content.name}")
    require(given.format_.is_of(given.content), "an example that it does not recognise")


def reads_columns(given: GivenFormat) -> None:
    """It reads columns of texts, all of one length."""
    fault = fault_of_columns(given.read(given.content.raw))
    require(fault is None, str(fault))


def reads_the_same(given: GivenFormat) -> None:
    """The same texts come out a second time, compressed, with Windows line ends and with a byte-order mark."""
    data = given.content.raw
    expected = given.texts(data)
    require(given.texts(data) == expected, "other texts the second time")
    if given.format_.is_text:
        require(given.texts(gzip.compress(data)) == expected, "other texts compressed with gzip")
        windows = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        require(given.texts(windows) == expected, "other texts with Windows line ends")
        require(given.texts(b"\xef\xbb\xbf" + data) == expected, "other texts behind a byte-order mark")


def refuses_nothing_at_all(given: GivenFormat) -> None:
    """An empty file is refused."""
    try:
        given.read(b"")
    except InputError:
        return
    raise BrokenLawError("columns of an empty file")


def _broken(data: bytes) -> Iterator[bytes]:
    """The file cut, with bytes changed, doubled and left out; always the same ones."""
    random = np.random.default_rng(31)
    for number in range(_N_BROKEN):
        start = int(random.integers(len(data)))
        stop = start + int(random.integers(1, 20))
        junk = random.integers(0, 256, size=int(random.integers(1, 6)), dtype=np.uint8).tobytes()
        yield (
            data[:start],
            data[:start] + data[stop:],
            data[:start] + junk + data[stop:],
            data[:stop] + data[start:],
        )[number % 4]


def refuses_what_is_broken(given: GivenFormat) -> None:
    """A file that is cut or damaged is read or refused by an InputError, and never ends in another error."""
    for data in _broken(given.content.raw):
        try:
            columns = given.read(data)
        except InputError as error:
            require(error.problem, "a refusal that does not say what is wrong")
            continue
        fault = fault_of_columns(columns)
        require(fault is None, f"{fault}, of a damaged file")


def leaves_other_files(given: GivenFormat) -> None:
    """It recognises no plain text, table, JSON or XML of the usual kind as its own."""
    if given.format_.endings == ANY_NAME or given.format_.recognises is None:
        return
    for kind, data in _OF_OTHERS.items():
        taken = given.format_.is_of(replace(given.content, raw=data))
        require(not taken, f"{kind} in a file that is named as its own")


FORMAT_LAWS = (
    has_an_example,
    reads_columns,
    reads_the_same,
    refuses_nothing_at_all,
    refuses_what_is_broken,
    leaves_other_files,
)
