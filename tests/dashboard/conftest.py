"""What the tests of the dashboard share: small test sets with their scores, hostile texts, and HTML read back."""

import re
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from markupsafe import escape
from streamlit.testing.v1 import AppTest

from bleucore import BleuOptions, Evaluation, MetricEvaluation, System, TestSet, evaluate
from bleucore.checks import CHECKS, Check, Finding, registry
from bleucore.checks.compared_texts import Columns
from bleucore.counts import Progress
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.significance import Comparison, SignificanceOptions, compare
from bleuscope.content.comparison.comparison_context import ComparisonContext, study_of
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.content.comparison.inputs import Inputs, Loaded, Settings
from bleuscope.content.style.identity import SystemStyle, identities
from bleuscope.shell.disk.files import OPENING_VARIABLE, SAMPLE_FILES, load_sample, to_environment
from bleuscope.shell.server.server import SCRIPT
from bleuscope.shell.state import cached, links, text_checks, workspace_in_use
from tests.dashboard.drawing import PATCHES, SECONDS_TO_DRAW, run_first
from tests.dashboard.gated_checks import Gate

OUR_TAGS = frozenset(
    re.findall(
        r"\w+",
        "a abbr article b bdi button caption colgroup del div em figcaption figure h2 h3 header i ins kbd li mark ol p "
        "pre q section small span strong table tbody tfoot td template th thead tr ul",
    )
)
OUR_ATTRIBUTES = frozenset(
    re.findall(
        r"[\w-]+",
        "class colspan dir href lang role scope style tabindex title type aria-label aria-expanded data-said "
        "data-label data-sign data-go data-place data-first data-found data-next data-previous data-help data-swap "
        "data-pair data-chart data-a data-b data-beneath data-list data-since data-order data-slice data-slices "
        "data-slice-rows data-asked data-tags data-tag data-note data-important data-drawer data-find data-mark "
        "data-panels",
    )
)
WITHOUT_CONTENT = frozenset({"br", "img", "input", "hr", "link", "meta"})

HOSTILE = (
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "\"><svg onload='alert(1)'>",
    "A & B &amp; C &lt;",
    "*a* _b_ `c` [d](e) :smile: $x$",
    "%{x}%{customdata[0]} {0} {name}",
    "'quoted' \"twice\"",
)


@dataclass(frozen=True)
class Scored:
    """A test set with its scores and looks."""

    test_set: TestSet
    evaluation: Evaluation
    looks: Mapping[str, SystemStyle]

    @cached_property
    def comparison(self) -> Comparison:
        """Its tests, with few trials; the first system is the baseline."""
        compared = compared_systems(self.test_set, self.evaluation.metrics["BLEU"])
        found = compare(compared, SignificanceOptions(trials=199, resamples=200))
        return found.with_baseline(self.evaluation.names[0])

    def pair(self, first: int = 0, second: int = -1) -> tuple[str, str]:
        """The names of two systems."""
        return self.evaluation.names[first], self.evaluation.names[second]

    def study(self, pair: tuple[str, str] | None = None, metric: MetricEvaluation | None = None) -> ComparisonContext:
        """The comparison of two systems, the first and the last unless given, in BLEU unless given."""
        study = study_of(Loaded(self.test_set), self.evaluation, Settings(pair=pair or self.pair()))
        return study if metric is None else replace(study, metric=metric)

    def pair_looks(self, first: int = 0, second: int = -1) -> tuple[SystemStyle, SystemStyle]:
        """The identities of two systems."""
        left, right = self.pair(first, second)
        return self.looks[left], self.looks[right]


def scored(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str | None]],
    options: BleuOptions | None = None,
    **columns: Any,
) -> Scored:
    test_set = TestSet([System(name, texts) for name, texts in systems.items()], references, **columns)
    return Scored(test_set, evaluate(test_set, options), identities(test_set.system_names, test_set.system_names[0]))


@pytest.fixture(scope="session")
def score_texts() -> Callable[..., Scored]:
    """Systems by name and references, scored."""
    return scored


@pytest.fixture(scope="session")
def study_as_asked() -> Callable[..., ComparisonContext]:
    """Makes a comparison of systems of these names that says to be scored as asked: for commands, which say that."""

    def make(names: Sequence[str], inputs: Inputs, settings: Settings) -> ComparisonContext:
        test_set = TestSet([System(name, ["a"]) for name in names], [["a"]])
        bleu = evaluate(test_set).bleu
        asked = (settings.options, *settings.metrics)
        metrics = {str(place): replace(bleu, options=options) for place, options in enumerate(asked)}
        return study_of(Loaded(test_set, inputs=inputs), replace(evaluate(test_set), metrics=metrics), settings)

    return make


@pytest.fixture(scope="session")
def sample() -> Scored:
    """The sample comparison, scored."""
    test_set = load_sample().test_set
    return Scored(test_set, evaluate(test_set), identities(test_set.system_names, test_set.system_names[0]))


@pytest.fixture(scope="session")
def sample_errors(sample: Scored) -> MetricEvaluation:
    """The sample comparison under a metric from a file of which less is better: 100 minus the segment's BLEU."""
    segments = np.arange(1, sample.test_set.n_segments + 1)
    errors = {
        name: SystemScores(segments, 100 - result.segment_scores, segments)
        for name, result in sample.evaluation.systems.items()
    }
    return evaluate_metric(sample.test_set, SegmentScores("errors", "errors.tsv", errors, higher_is_better=False))


@pytest.fixture(scope="session")
def one_system() -> Scored:
    """A single system with documents and a source."""
    return scored(
        {"only": ["a b c d", "x", ""]},
        [["a b c d", "y", "z"]],
        documents=["d1", "d1", "d2"],
        source=["A B", "X", "Z"],
    )


@pytest.fixture(scope="session")
def twins() -> Scored:
    """Two identical systems."""
    texts = ["a b c d e", "x y z", "p q"]
    return scored({"first": texts, "second": texts}, [["a b c d f", "x z", "q"]], documents=["d1", "d1", "d2"])


@pytest.fixture(scope="session")
def hostile() -> Scored:
    """Names, texts, documents and references that try to be markup."""
    return scored(
        {name: list(HOSTILE) for name in HOSTILE},
        [list(HOSTILE), [text + " x" for text in HOSTILE]],
        documents=list(HOSTILE),
        source=list(HOSTILE),
        reference_names=HOSTILE[:2],
    )


@pytest.fixture(scope="session")
def hostile_texts() -> tuple[str, ...]:
    """The texts of ``hostile``."""
    return HOSTILE


@dataclass
class Element:
    """An element of a page with the text inside it."""

    tag: str
    attributes: dict[str, str]
    text: str = ""

    @property
    def classes(self) -> set[str]:
        """Its CSS classes."""
        return set(self.attributes.get("class", "").split())


@dataclass
class Fragment(HTMLParser):
    """HTML as a browser reads it: every element in order, and the text that is seen."""

    source: str
    elements: list[Element] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[Element] = []
        self.feed(self.source)
        self.close()
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in WITHOUT_CONTENT:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"closed but never opened: {tag}"
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        for element in self._open:
            element.text += data

    def of_class(self, name: str) -> list[Element]:
        """The elements of a CSS class."""
        return [element for element in self.elements if name in element.classes]

    def of_tag(self, tag: str) -> list[Element]:
        """The elements of a tag."""
        return [element for element in self.elements if element.tag == tag]

    def rows(self) -> list[list[str]]:
        """The cells of every table row, the heading first."""
        rows: list[list[str]] = []
        for element in self.elements:
            if element.tag == "tr":
                rows.append([])
            elif element.tag in ("td", "th"):
                rows[-1].append(element.text)
        return rows

    def titles(self) -> list[str]:
        """What is shown on hover."""
        return [element.attributes["title"] for element in self.elements if "title" in element.attributes]


@pytest.fixture(scope="session")
def read_html() -> Callable[[Any], Fragment]:
    """Reads a fragment and holds it to our own tags and attributes, so that nothing of a user's became markup."""

    def read(html: Any) -> Fragment:
        fragment = Fragment(str(html if isinstance(html, str) else escape(html)))
        assert {element.tag for element in fragment.elements} <= OUR_TAGS
        assert {name for element in fragment.elements for name in element.attributes} <= OUR_ATTRIBUTES
        return fragment

    return read


@pytest.fixture(scope="session")
def command_of() -> Callable[[AppTest], str]:
    """The command at the foot of a page: ``command_of(app)``."""

    def read(app: AppTest) -> str:
        return copied_of(app)[-1]

    return read


def copied_of(app: AppTest) -> list[str]:
    """What can be copied from a page: signatures, and the command at its foot."""
    body = "".join(one.proto.body for one in app.get("html"))
    return [unescape(text) for text in re.findall(r"<pre>(.*?)</pre>", body, re.DOTALL)]


@pytest.fixture(scope="session")
def signatures_of() -> Callable[[AppTest], list[str]]:
    """The signatures of the page of scores: ``signatures_of(app)``."""
    return lambda app: copied_of(app)[:-1]


@pytest.fixture(autouse=True)
def pages_drawn_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are drawn without what takes longer than they do."""
    for owner, name, replacement in PATCHES:
        monkeypatch.setattr(owner, name, replacement)


CHECKED_AT_ONCE = 16
"""Test sets whose findings are kept."""


@pytest.fixture(autouse=True)
def checks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same texts are checked once a process, by the checks that there are: that takes three quarters of a command.

    Equal texts give equal findings, which ``test_checks_registry.py`` holds.
    """
    monkeypatch.setattr(registry, "_findings", _findings_once)


_all_findings, _all_checks = registry._findings, registry.CHECKS
_found: dict[Hashable, tuple[Finding, ...]] = {}


def _findings_once(columns: Columns, asks: str, progress: Progress | None) -> Iterable[Finding]:
    if registry.CHECKS is not _all_checks:
        return _all_findings(columns, asks, progress)
    texts = tuple((one.kind, one.index, one.title, tuple(one.texts)) for one in columns.all)
    documents, items = (None if rows is None else tuple(rows) for rows in (columns.documents, columns.items))
    key = (asks, texts, documents, items, columns.tokenizer)
    known = _found.get(key)
    if known is not None:
        if progress is not None:
            progress(1.0)
        return known
    found = tuple(_all_findings(columns, asks, progress))
    if len(_found) >= CHECKED_AT_ONCE:
        _found.clear()
    return _found.setdefault(key, found)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """A check that holds up the others. No page waits for it, and no texts are checked already."""
    gate = Gate()
    cached.text_findings.cache.clear()
    monkeypatch.setattr(registry, "CHECKS", {"gate": Check(gate, "Holds up the others."), **CHECKS})
    monkeypatch.setattr(text_checks, "INSTANT_TEXTS", 0)
    yield gate
    gate.may_end.set()


@pytest.fixture(scope="session")
def undrawn() -> Callable[..., AppTest]:
    """A page before its first run, of a function with its arguments or of a file: ``undrawn(script, **arguments)``."""
    return _undrawn


def _undrawn(script: Callable[..., None] | Path, **arguments: Any) -> AppTest:
    if isinstance(script, Path):
        return AppTest.from_file(script, default_timeout=SECONDS_TO_DRAW)  # noqa: TID251  the only place
    return AppTest.from_function(script, default_timeout=SECONDS_TO_DRAW, kwargs=arguments)  # noqa: TID251  the only one


@pytest.fixture
def open_page(open_link: Callable[..., AppTest], tmp_path: Path) -> Callable[..., AppTest]:
    """A page of the dashboard, drawn: on the sample, or on files by name and content; with an address."""

    def start(page: str, files: Mapping[str, str] | None = None, **address: str) -> AppTest:
        if files is None:
            return open_link(page, **address)
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8", newline="")
        return open_link(page, Inputs(systems=tuple(str(tmp_path / name) for name in files)), **address)

    return start


@pytest.fixture
def bleuscope(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs the command in this process, in an empty folder: exit code, standard output, standard error."""
    from bleuscope import cli

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(OPENING_VARIABLE, raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bleuscope", *arguments])
        with pytest.raises(SystemExit) as ending:
            cli.main()
        return int(ending.value.code or 0), *capsys.readouterr()

    return run


@pytest.fixture(scope="session")
def unjudged() -> Inputs:
    """The texts of the sample as files of their own: nobody has judged them."""
    return Inputs(tuple(str(Path(__file__).parents[2] / "sample_data" / name) for name in SAMPLE_FILES))


@pytest.fixture
def open_link(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """The dashboard as a link opens it: page and address at the first run, and what the server was started on."""

    def start(page: str, /, opening: Inputs | None = None, **address: str | list[str]) -> AppTest:
        monkeypatch.setenv(OPENING_VARIABLE, "{}")
        to_environment(opening or Inputs(is_sample=True))
        app = _undrawn(SCRIPT)
        for name, value in address.items():
            app.query_params[name] = value
        run_first(app, links.PAGES[page])
        assert not app.exception, [problem.message for problem in app.exception]
        return app

    return start


@pytest.fixture
def open_on_data(open_page: Callable[..., AppTest], request: pytest.FixtureRequest) -> Iterator[Callable[..., AppTest]]:
    """Any page where it has something to show: on the sample, or on the project of ``versions_place``."""

    def start(page: str, **address: str) -> AppTest:
        if links.PAGES[page].subject == "projects":
            workspace_in_use.use(request.getfixturevalue("versions_place"), is_shared=False)
        return open_page(page, **address)

    yield start
    workspace_in_use.use(None, is_shared=False)


_to_read: dict[tuple[object, ...], AppTest] = {}


@pytest.fixture
def read_page(open_on_data: Callable[..., AppTest]) -> Callable[..., AppTest]:
    """The same for who only reads it: a page is drawn once a process, and nobody can act on it."""

    def start(page: str, **address: str) -> AppTest:
        key = (page, *sorted(address.items()))
        if key not in _to_read:
            drawn = open_on_data(page, **address)
            vars(drawn)["_run"] = _acted_on
            _to_read[key] = drawn
        return _to_read[key]

    return start


def _acted_on(*_: object) -> None:
    pytest.fail("This page is read by other tests too. Open one to act on.")
