"""What the name of a file or of a column says, and names of files for what has another name."""

import re
import unicodedata
from collections.abc import Iterable

_WORD = re.compile(r"[0-9]+|[^\W\d_]+")
_CAMEL_BORDER = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HEADER_CELL = re.compile(
    r"(?:ref(?:erence)?s?|hyp|hypothes[ie]s|mt|sys(?:tem)?s?|output)(?:[ _.-]?(?:[0-9]{1,3}|[a-z]))?"
    r"|source|src|target|tgt|translation|gold|domain|genre|label|origlang|score"
    r"|doc(?:ument)?s?(?:[ _.-]?ids?)?|seg(?:ment)?(?:[ _.-]?id)?|id",
    re.IGNORECASE,
)
_NOT_IN_FILES = re.compile(r"""[/\\:*?"<>|%'`$\x00-\x1f\x7f]|^[-. ~]|[. ]$""")
_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of characters that a terminal or an editor obeys: control characters, marks that reverse a line."""
_JOINERS = frozenset("\u200c\u200d")
"""Parts of words in many scripts."""
_DEVICES = frozenset({"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))})
COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
"""Endings of files that are read as what they hold."""
_LONGEST = 60
"""Characters, which can be four bytes each: with an ending and a number less than any system allows."""


def stem(name: str) -> str:
    """The file's name without folder, the ending of what compressed it, and one further ending."""
    base = re.split(r"[/\\]", name)[-1]
    if base.lower().endswith(COMPRESSED):
        base = base.rpartition(".")[0]
    return base.rpartition(".")[0] or base or name


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A file's name without its ending for each of some names, different on every system.

    It is the name itself, but for characters that a system of files, a shell or a terminal takes for something else:
    they stand as in addresses ("%2F"). What differs in case alone, or is too long, has a number behind it.
    """
    found: dict[str, str] = {}
    taken = set[str]()
    for name in names:
        base = _NOT_IN_FILES.sub(lambda part: f"%{ord(part.group()):02X}", name)
        base = "".join(_in_address(one) if _is_obeyed(one) else one for one in base)
        base = f"%{ord(base[0]):02X}{base[1:]}" if base.partition(".")[0].upper() in _DEVICES else base
        short, number = base[:_LONGEST], 1
        while short.casefold() in taken or (short != base and number == 1):
            number += 1
            short = f"{base[:_LONGEST]}-{number}"
        taken.add(short.casefold())
        found[name] = short
    return found


def _is_obeyed(character: str) -> bool:
    return unicodedata.category(character) in _OBEYED and character not in _JOINERS


def _in_address(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def is_table(name: str) -> bool:
    """Whether the file's name says that it is a table: .tsv or .csv, also with .gz, or .xlsx."""
    return name.lower().removesuffix(".gz").endswith((".tsv", ".csv")) or is_named_workbook(name)


def is_named_workbook(name: str) -> bool:
    """Whether the file's name says that it is an XLSX workbook."""
    return name.lower().endswith((".xlsx", ".xlsm"))


def is_tsv(name: str) -> bool:
    """Whether the file's name says that it is a TSV table."""
    return name.lower().removesuffix(".gz").endswith(".tsv")


def is_csv(name: str) -> bool:
    """Whether the file's name says that it is a CSV table."""
    return name.lower().removesuffix(".gz").endswith(".csv")


def is_named_xml(name: str) -> bool:
    """Whether the file's name says that it is XML: .xml, .sgm or .sgml, also with .gz."""
    return name.lower().removesuffix(".gz").endswith((".xml", ".sgm", ".sgml"))


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, split at punctuation, digits and camelCase borders."""
    return tuple(word.lower() for word in _WORD.findall(_CAMEL_BORDER.sub(" ", name)))


def is_header_cell(cell: str) -> bool:
    """Whether a table cell reads like the title of a column ("source", "ref1", "doc id")."""
    return _HEADER_CELL.fullmatch(cell.strip()) is not None
