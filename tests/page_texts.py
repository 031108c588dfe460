"""Every text that a reader sees on the pages, once each: its page, the words of its longest sentence, and Flesch.

``python tests/page_texts.py`` prints them as tab-separated lines, and the totals at the end. ``STATES`` names the pages
of a comparison and what is open on each; the tests of the voice draw them, and those of features.
"""

import json
import re
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).parents[1] / "sample_data"
LINES = [
    "The cat sat on the mat today .",
    "A dog barked at the door .",
    "It rained all day in Rome .",
    "We went home late .",
]
REFERENCE = "\n".join(LINES) + "\n"
WORSE = "\n".join(["The cat sits on a mat .", "A dog barked .", "", "We went home home home ."]) + "\n"
TWO = {"alpha.txt": REFERENCE.replace("today", "now"), "beta.txt": WORSE, "ref.txt": REFERENCE}
ONE = {"alpha.txt": TWO["alpha.txt"], "ref.txt": REFERENCE}
ERRORS = {
    "alpha.txt": TWO["alpha.txt"],
    "beta.txt": WORSE.replace("mat", "Ã¼ &amp; <b>mat\ufffd"),
    "ref.txt": REFERENCE,
}
REFUSED = {"alpha.txt": TWO["alpha.txt"], "beta.txt": "one line\n", "ref.txt": REFERENCE}
EMPTY: dict[str, str] = {}
OPEN = "true"


@dataclass(frozen=True)
class State:
    """A page and what is open on it.

    Attributes:
        page: By its name.
        files: What is loaded, by name; ``None`` is the sample, nothing is no test set.
        address: What the link says.
        is_quick: Whether it is drawn in every run of the tests.
    """

    page: str
    files: Mapping[str, str] | None = None
    address: Mapping[str, str] = field(default_factory=dict)
    is_quick: bool = False

    @property
    def name(self) -> str:
        """For people."""
        kinds = {id(ONE): "one system", id(TWO): "two systems", id(ERRORS): "faulty texts", id(REFUSED): "refused"}
        loaded = "sample" if self.files is None else kinds.get(id(self.files), "no test set")
        return " ".join([self.page, loaded, *(f"{key}={value}" for key, value in self.address.items())])


STATES = (
    State("test_set", EMPTY, is_quick=True),
    State("overview", is_quick=True),
    State("trust", is_quick=True),
    State("compare", is_quick=True),
    State("segments", is_quick=True),
    State("test_set", is_quick=True),
    State("significance", is_quick=True),
    State("report", is_quick=True),
    State("significance", address={"panel": "All pairs"}, is_quick=True),
    State("significance", address={"panel": "Power"}),
    State("significance", address={"panel": "Blocks"}),
    State("significance", address={"unit": "segment", "test": "paired-bootstrap", "correction": "none"}),
    State("significance", address={"test": "sacrebleu-bs"}),
    State("significance", address={"test": "block-t"}),
    State("scores", is_quick=True),
    State("scores", address={"metrics": "TER"}),
    State("overview", address={"why": OPEN, "paper": OPEN, "compared_preset": "moses"}),
    State("overview", address={"a": "online", "b": "assistant"}),
    State("segments", address={"segment": "7", "marks": OPEN, "charts": OPEN, "selection": OPEN, "how_often": OPEN}),
    State("kinds"),
    State("ngrams", is_quick=True),
    State("ngrams", address={"ngram_order": "1"}),
    State("slices", is_quick=True),
    State("slices", address={"slice_by": "reference length"}),
    State("slices", address={"slices_of": "words"}),
    State("references"),
    State("sensitivity"),
    State("validity"),
    State("validity", address={"judging": OPEN, "neural": OPEN}),
    *(State(page, ONE) for page in ("overview", "scores", "trust", "compare", "segments", "ngrams", "significance")),
    *(State(page, TWO) for page in ("overview", "scores", "trust", "compare", "significance", "slices", "references")),
    *(State(page, ERRORS) for page in ("overview", "test_set", "significance")),
    State("test_set", REFUSED),
    State("overview", REFUSED),
)

NAME = "N"
"""What stands for a name that users gave."""
BLOCKS = frozenset(
    (
        *("p", "li", "td", "th", "h1", "h2", "h3", "div", "caption", "figcaption", "dt", "dd", "button", "section"),
        *("article", "header", "tr", "table", "summary"),
    )
)
UNREAD = frozenset(("script", "style", "pre", "code", "template"))
AHEAD = frozenset(("bs-ahead", "bs-exchanged-open"))
"""Classes of HTML that is held as text until somebody asks for it."""
TOLD = ("title", "aria-label", "data-help", "data-label")
OF_WIDGETS = frozenset(
    ("label", "help", "body", "placeholder", "options", "caption", "message", "text", "content", "tooltip", "title")
)


class _Html(HTMLParser):
    """The texts of HTML block by block, without what users wrote."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._line, self._open = "", list[tuple[str, bool]]()
        self.feed(source)
        self._end()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in BLOCKS:
            self._end()
        if tag in ("br", "img", "input", "hr", "link", "meta", "col"):
            return
        is_of_users = given.get("dir") == "auto" or tag == "bdi"
        if tag == "bdi":
            self._line += NAME
        is_unread = tag in UNREAD or given.get("class") in AHEAD
        self._open.append((tag, is_of_users or is_unread))
        if tag != "bdi":
            self.found += [given[name] or "" for name in TOLD if given.get(name)]

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self._end()
        if self._open and any(tag == one for one, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not any(is_unread for _, is_unread in self._open):
            self._line += data

    def _end(self) -> None:
        self.found.append(self._line)
        self._line = ""


def texts_of(app: Any) -> list[str]:
    """Every text of a page, in its order, once each."""
    found = (" ".join(text.replace("\u2068", "").replace("\u2069", "").split()) for text in _of_tree(app._tree))
    return [text for text in dict.fromkeys(found) if re.search(r"[a-z]{2}", text)]


def _of_tree(node: Any) -> Iterator[str]:
    for child in getattr(node, "children", {}).values():
        proto = getattr(child, "proto", None)
        if proto is not None:
            yield from _of_element(getattr(child, "type", ""), proto)
        yield from _of_tree(child)


def _of_element(kind: str, proto: Any) -> Iterator[str]:
    if kind == "html":
        if not proto.body.lstrip().startswith(("<script", "<style")):
            yield from _Html(proto.body).found
    elif kind == "plotly_chart":
        yield from _of_chart(json.loads(proto.spec))
    else:
        yield from (re.sub(r"\]\([^)]*\)", "]", re.sub(r"[*`\\]", "", text)) for text in _of_proto(proto))


def _of_proto(proto: Any) -> Iterator[str]:
    for one, value in getattr(proto, "ListFields", list)():
        if one.name in OF_WIDGETS and isinstance(value, str):
            yield value
        elif one.name in OF_WIDGETS and one.name == "options" and all(isinstance(text, str) for text in value):
            yield from value
        elif one.type == one.TYPE_MESSAGE:
            for inner in [value] if hasattr(value, "ListFields") else list(value):
                yield from _of_proto(inner)


def _of_chart(spec: Any, key: str = "") -> Iterator[str]:
    if isinstance(spec, Mapping):
        for name, value in spec.items():
            if name not in ("template", "customdata", "x", "y"):
                yield from _of_chart(value, name)
    elif isinstance(spec, list):
        for value in spec[:40]:
            yield from _of_chart(value, key)
    elif isinstance(spec, str) and key in ("text", "hovertemplate", "title"):
        for text in re.split(r"<br ?/?>|<extra>", re.sub(r"%\{[^}]*\}", "1", spec)):
            yield re.sub(r"<[^>]*>", "", text)


def sentences(text: str) -> list[str]:
    """A text sentence by sentence; of a list of choices, each with what it means, every item is one."""
    return [
        one for one in re.split(r"(?<=[.!?])(?<! al\.)[)”]? +(?=\S)|; (?=[^;:.]{1,40}: )| - (?=[\w-]+: )", text) if one
    ]


def words(text: str) -> list[str]:
    """Its words; a number with its unit is one."""
    return re.findall(r"[\w’'.,/%#&−+-]*\w[\w’'/%-]*", re.sub(r"(?<=\d)\s(?=\d{3}\b)|(?<=\d)\s(?=%)", "", text))


def flesch(said: Iterable[str]) -> float:
    """Flesch's reading ease of sentences: 60 is plain, 30 is for experts."""
    all_words = [words(one) for one in said]
    n_words = sum(map(len, all_words))
    n_syllables = sum(
        max(1, len(re.findall(r"[aeiouy]+", re.sub(r"(?<=[^l])e$|es$", "", word.lower()))))
        for one in all_words
        for word in one
    )
    return 206.835 - 1.015 * n_words / max(1, len(all_words)) - 84.6 * n_syllables / max(1, n_words)


class _Collector:
    """Takes the texts out of the reports of the tests."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        for name, found in report.user_properties if report.when == "call" else ():
            for text in found:
                self.texts.setdefault(text, name)


def main() -> None:
    """Draw all states, print their texts and the totals."""
    import pytest

    collector = _Collector()
    tests = sorted(map(str, (Path(__file__).parent / "dashboard").rglob("test_voice*.py")))
    pytest.main(["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-n0", *tests], [collector])
    said = [one for text in collector.texts for one in sentences(text) if len(words(one)) >= 4]
    for text, state in collector.texts.items():
        longest = max(len(words(one)) for one in sentences(text))
        print(f"{state}\t{longest}\t{flesch(sentences(text)):.0f}\t{text}")
    lengths = [len(words(one)) for one in said]
    n_words = sum(len(words(text)) for text in collector.texts)
    long = sum(length > 20 for length in lengths) / max(1, len(lengths))
    print(
        f"{len(collector.texts)} texts, {n_words} words; of sentences of 4 words or more: {len(said)},", file=sys.stderr
    )
    print(
        f"median {statistics.median(lengths or [0]):g}, {long:.1%} over 20, Flesch {flesch(said):.1f}", file=sys.stderr
    )


if __name__ == "__main__":
    main()
