"""What the name of a file or of a column says."""

import re

_WORD = re.compile(r"[0-9]+|[^\W\d_]+")
_CAMEL_BORDER = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HEADER_CELL = re.compile(
    r"(?:ref(?:erence)?s?|hyp|hypothes[ie]s|mt|sys(?:tem)?s?|output)(?:[ _.-]?(?:[0-9]{1,3}|[a-z]))?"
    r"|source|src|target|tgt|translation|gold|domain|genre|label|origlang|score"
    r"|doc(?:ument)?s?(?:[ _.-]?ids?)?|seg(?:ment)?(?:[ _.-]?id)?|id",
    re.IGNORECASE,
)


def stem(name: str) -> str:
    """The file's name without folder, ".gz" and one further ending."""
    base = re.split(r"[/\\]", name)[-1]
    if base.lower().endswith(".gz"):
        base = base[:-3]
    return base.rpartition(".")[0] or base or name


def is_table(name: str) -> bool:
    """Whether the file's name says that it is a table: .tsv or .csv, also with .gz, or .xlsx."""
    return name.lower().removesuffix(".gz").endswith((".tsv", ".csv")) or is_named_workbook(name)


def is_named_workbook(name: str) -> bool:
    """Whether the file's name says that it is an XLSX workbook."""
    return name.lower().endswith((".xlsx", ".xlsm"))


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
