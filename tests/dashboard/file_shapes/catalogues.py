"""Messages of programs, and what translators exchange."""

import json
from collections.abc import Sequence

from tests.dashboard.file_shapes.texts import (
    ALL,
    REFERENCE,
    SOURCE,
    A,
    B,
    Files,
    N,
    escaped,
    of_all,
    plain,
    whole,
)


def quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def po(texts: Sequence[str]) -> bytes:
    return (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        + "".join(
            f'#: a.c:{row}\nmsgid "{quoted(SOURCE[row])} {row}"\nmsgstr "{quoted(texts[row])}"\n\n' for row in range(N)
        )
    ).encode()


def xliff(texts: Sequence[str]) -> bytes:
    units = "".join(
        f'<trans-unit id="{row}"><source>{escaped(SOURCE[row])}</source>'
        f'<target state="translated">{escaped(texts[row])}</target></trans-unit>\n'
        for row in range(N)
    )
    return (
        '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="x" '
        'source-language="en" target-language="de" datatype="plaintext"><body>\n' + units + "</body></file></xliff>"
    ).encode()


def tmx(texts: Sequence[str]) -> bytes:
    units = "".join(
        f'<tu tuid="{row}"><tuv xml:lang="en"><seg>{escaped(SOURCE[row])}</seg></tuv>'
        f'<tuv xml:lang="de"><seg>{escaped(texts[row])}</seg></tuv></tu>\n'
        for row in range(N)
    )
    return f'<?xml version="1.0"?>\n<tmx version="1.4"><header srclang="en"/><body>\n{units}</body></tmx>'.encode()


def android(texts: Sequence[str]) -> bytes:
    return (
        "<resources>\n"
        + "".join(f'<string name="s{row}">{escaped(text)}</string>\n' for row, text in enumerate(texts))
        + "</resources>"
    ).encode()


def apple(texts: Sequence[str]) -> bytes:
    return "".join(f'/* {row} */\n"key.{row}" = "{quoted(text)}";\n\n' for row, text in enumerate(texts)).encode()


def qt(texts: Sequence[str]) -> bytes:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="de">\n'
        "<context><name>Main</name>\n"
        + "".join(
            f"<message><location filename='m.cpp' line='{row}'/><source>{escaped(SOURCE[row])}</source>"
            f"<translation>{escaped(texts[row])}</translation></message>\n"
            for row in range(N)
        )
        + "</context></TS>"
    ).encode()


def resx(texts: Sequence[str]) -> bytes:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<root><resheader name="version"><value>2.0</value></resheader>\n'
        + "".join(
            f'<data name="k{row}" xml:space="preserve"><value>{escaped(text)}</value><comment>c</comment></data>\n'
            for row, text in enumerate(texts)
        )
        + "</root>"
    ).encode()


def properties(texts: Sequence[str]) -> bytes:
    return ("# messages\n" + "".join(f"key.{row}={text}\n" for row, text in enumerate(texts))).encode()


def fluent(texts: Sequence[str]) -> bytes:
    return ("# messages\n" + "".join(f"key-{row} = {text}\n" for row, text in enumerate(texts))).encode()


def arb(texts: Sequence[str]) -> bytes:
    found: dict[str, object] = {"@@locale": "de"}
    for row, text in enumerate(texts):
        found |= {f"key{row}": text, f"@key{row}": {"description": "d"}}
    return whole(found)


def i18n(texts: Sequence[str]) -> bytes:
    return whole({f"key.{row}": text for row, text in enumerate(texts)})


def nested(texts: Sequence[str]) -> bytes:
    return whole(
        {
            "main": {f"k{row}": text for row, text in enumerate(texts[: N // 2])},
            "menu": {f"k{row}": text for row, text in enumerate(texts[N // 2 :])},
        }
    )


def yaml(texts: Sequence[str]) -> bytes:
    return (
        "de:\n" + "".join(f"  key{row}: {json.dumps(text, ensure_ascii=False)}\n" for row, text in enumerate(texts))
    ).encode()


def xcstrings(texts: Sequence[str]) -> bytes:
    return whole(
        {
            "sourceLanguage": "en",
            "version": "1.0",
            "strings": {
                SOURCE[row] + f" {row}": {
                    "localizations": {"de": {"stringUnit": {"state": "translated", "value": texts[row]}}}
                }
                for row in range(N)
            },
        }
    )


def ttml(texts: Sequence[str]) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="de"><body><div>\n'
        + "".join(
            f'<p begin="00:00:{row:02}.000" end="00:00:{row:02}.900">{escaped(text)}</p>\n'
            for row, text in enumerate(texts)
        )
        + "</div></body></tt>"
    ).encode()


def docbook(texts: Sequence[str]) -> bytes:
    return (
        '<?xml version="1.0"?>\n<article>\n'
        + "".join(f"<para>{escaped(text)}</para>\n" for text in texts)
        + "</article>"
    ).encode()


def textgrid(texts: Sequence[str]) -> bytes:
    return (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 24\ntiers? <exists>\nsize = 1\n'
        'item []:\n    item [1]:\n        class = "IntervalTier"\n        name = "s"\n        xmin = 0\n'
        "        xmax = 24\n"
        f"        intervals: size = {N}\n"
        + "".join(
            f"        intervals [{row + 1}]:\n            xmin = {row}\n            xmax = {row + 1}\n"
            f'            text = "{texts[row].replace(chr(34), chr(34) * 2)}"\n'
            for row in range(N)
        )
    ).encode()


SHAPES: dict[str, Files] = {
    "PO": of_all(po, ".po"),
    "XLIFF": of_all(xliff, ".xlf"),
    "TMX": of_all(tmx, ".tmx"),
    "Android": of_all(android, ".xml"),
    "Apple": of_all(apple, ".strings"),
    "Qt": of_all(qt, ".ts"),
    "resx": of_all(resx, ".resx"),
    "properties": of_all(properties, ".properties"),
    "Fluent": of_all(fluent, ".ftl"),
    "ARB": of_all(arb, ".arb"),
    "i18n JSON": of_all(i18n, ".json"),
    "i18n JSON, nested": of_all(nested, ".json"),
    "i18n YAML": of_all(yaml, ".yaml"),
    "xcstrings": {"a.xcstrings": xcstrings(A), "b.xcstrings": xcstrings(B), "ref.txt": plain(REFERENCE)},
    "TTML": of_all(ttml, ".ttml"),
    "DocBook": of_all(docbook, ".xml"),
    "TextGrid": of_all(textgrid, ".TextGrid"),
    "Android folders": {f"{name}/res/values-de/strings.xml": android(texts) for name, texts in ALL.items()},
}
