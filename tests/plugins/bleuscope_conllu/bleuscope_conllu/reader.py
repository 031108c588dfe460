"""CoNLL-U: the text of each sentence, and the document it is in."""

from collections.abc import Sequence

from bleucore.errors import InputError
from bleucore.formats import Column, Content, Format
from bleucore.formats.names import stem

EXAMPLE = """# newdoc id = letter
# text = It rains.
1\tIt\tit\tPRON\t_\t_\t2\texpl\t_\t_
2\trains\train\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# text = Yes.
1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\tSpaceAfter=No
2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_
"""


def columns(content: Content) -> Sequence[Column]:
    """The texts, and the documents if the file names any."""
    texts: list[str] = []
    documents: list[str] = []
    document, text = "", None
    lines = [line.removesuffix("\r") for line in content.text.split("\n")]
    for number, line in enumerate([*lines, ""], start=1):
        key, _, value = (part.strip() for part in line.removeprefix("#").partition("="))
        if line.startswith("#") and key == "newdoc id":
            document = value
        elif line.startswith("#") and key == "text":
            text = value
        elif line.startswith("1\t"):
            if text is None:
                raise InputError(
                    "a sentence has no text",
                    where=content.name,
                    line=number,
                    found="words without a comment of the text",
                    expected="# text = … before the words of each sentence",
                    remedy="Write the comments again with a tool such as udapi.",
                )
            texts.append(text)
            documents.append(document)
            text = None
    if not texts:
        raise InputError(
            "the file holds no sentence",
            where=content.name,
            expected="lines of words behind # text = …",
            remedy="Is it CoNLL-U?",
        )
    named = [Column(content.name, stem(content.name), None, tuple(texts), None, 1)]
    if any(documents):
        named.append(Column(content.name, "document", "documents", tuple(documents), None, 1))
    return named


FORMAT = Format(columns, (".conllu",), example=("two.conllu", EXAMPLE.encode()))
