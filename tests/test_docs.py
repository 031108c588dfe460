"""The documentation: it builds without a warning, asks no other host for anything, and its examples do what they say.

Every Python block and every shell line with ``bleuscope`` of ``docs/`` and the README runs, page by page, in a folder
with small files, and with the sample in ``sample_data`` as in a clone. A block of text right behind a Python block, and
what stands beneath a command after ``$``, is what it has to print; a line ``…`` stands for any number of lines. On some
pages each number in a sentence has to be among those that the examples of the page print. Commands that open a browser,
and those that take a test set from the network, are told apart by their form: what they accept is checked, and they are
not run.
"""

import csv
import html
import io
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest

from bleuscope.cli import main
from bleuscope.cli.command import COMMANDS, bleuscope
from bleuscope.content.paper import citations
from bleuscope.content.style.terms import IN_SENTENCES, TERMS
from bleuscope.shell.state.page_list import PAGES as PAGES_OF_PROGRAM
from bleuscope.workspace import open_workspace
from bleuscope.workspace.people import LOCAL
from tests.dashboard.feature_parts import KNOWN, is_there, missing_commands
from tests.warm_python import warm_python

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
SAMPLE = ROOT / "sample_data"
N_SEGMENTS = 40
FILES = {
    "ref.txt": "reference-A.txt",
    "ref.A.txt": "reference-A.txt",
    "ref.B.txt": "reference-B.txt",
    "src.txt": "source.txt",
    "documents.txt": "documents.txt",
    "source.txt": "source.txt",
    "A.txt": "fluent.txt",
    "B.txt": "neural-40k.txt",
    "online-A.txt": "literal.txt",
    "online-B.txt": "neural-40k.txt",
    "old.txt": "human.txt",
    "new.txt": "neural-40k.txt",
    "model.txt": "neural-40k.txt",
    "small-seed1.txt": "neural-10k.txt",
    "small-seed2.txt": "fluent.txt",
    "big-seed1.txt": "neural-20k.txt",
    "big-seed2.txt": "neural-40k.txt",
    "steps/step-1000.txt": "neural-10k.txt",
    "steps/step-2000.txt": "neural-20k.txt",
    "steps/step-3000.txt": "neural-40k.txt",
    "wmt22/de-en/online.en": "online.txt",
    "wmt22/de-en/neural.en": "neural-40k.txt",
    "wmt22/de-en/ref.en": "reference-A.txt",
}
"""The files that examples name, and of which file of the sample they are the beginning."""
SHELL = ("sh", "bash", "console", "yaml")
OF_A_SHELL = re.compile(r"[|<>;&$()]")
COMMAND = re.compile(r"\s*(?:- )?(?:run: )?(?:\$ )?((?:.*[|;&] *)?(?:\.venv/bin/)?bleuscope\b.*)")
FENCED = re.compile(r"^(?P<fence>```+)(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (?:\.venv/bin/)?bleuscope.*$", re.MULTILINE)
ANY_LINES = "…"
OPENS_A_BROWSER = ("open", "demo")
NOT_HERE = ("--mtme", "--judgements", "--to")
OF_SACREBLEU = ("-t", "--test-set")
"""What names things that are not made for examples."""
TOLD_IN_SENTENCES = {DOCS / "tutorial.md", DOCS / "faq.md"}
"""Pages whose sentences name results."""
NOT_A_RESULT = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)|\b(?:19|20)\d\d\b|^%.*$", re.MULTILINE)
"""Code, addresses of links, years and remarks: numbers in them are no results."""
THOUSANDS = re.compile(r"(?<=\d)[,\u2009\u202f\u00a0 ](?=\d{3}\b)")
RESULT = re.compile(r"\d*\.\d+|\d{3,}")
"""A number with decimals, or of three digits: smaller whole ones are mostly none of a result."""
MOST_OF_A_PICTURE, MOST_OF_ALL_PICTURES = 200_000, 2_000_000
RECORDS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
PARTS_OF_A_RECORD = ["Status", "Decision", "Why", "Cost, and what would change it"]
FEWEST_WORDS_OF_A_RECORD, MOST_WORDS_OF_A_RECORD = 60, 150
MOST_WORDS_OF_CONTRIBUTING = 1_200
NAMED_FILE = re.compile(r"`([\w./-]+\.(?:py|js|toml|md))`")


@dataclass(frozen=True)
class Example:
    """Something on a page that runs: Python, or a line of a shell; and what it has to print, if that is shown."""

    line: int
    is_python: bool
    text: str
    shown: str | None


WRITTEN_TO = re.compile(
    r"^In `(?P<path>[^`]+)`:\n\n```(?P<kind>python|diff)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


def examples_of(page):
    """The examples of a page in order; files that a guide adds are tried in a copy of the program."""
    text = WRITTEN_TO.sub(lambda step: "\n" * step[0].count("\n"), page.read_text(encoding="utf-8"))
    found = []
    for block in FENCED.finditer(text):
        line = text.count("\n", 0, block.start()) + 2
        if block["language"] == "python":
            behind = FENCED.match(text, block.end() + len(re.match(r"\s*", text[block.end() :])[0]))
            shown = behind["text"] if behind and behind["language"] == "text" else None
            found.append(Example(line, True, block["text"], shown))
        elif block["language"] in SHELL:
            found += _commands(block["text"], line, is_session=block["language"] == "console")
    outside = FENCED.sub(lambda block: "\n" * block[0].count("\n"), text)
    for row in INDENTED.finditer(outside):
        found.append(Example(outside.count("\n", 0, row.start()) + 1, False, row[0].strip(), None))
    return found


def _commands(text, line, *, is_session):
    """The lines of a block that run ``bleuscope``, with what a session shows beneath them."""
    joined = re.sub(r"(?<!\\)\\\n\s*", "", text)
    rows = joined.splitlines()
    found = []
    for index, row in enumerate(rows):
        command = COMMAND.fullmatch(row)
        if command is None or (is_session and not row.startswith("$ ")):
            continue
        beneath = []
        for other in rows[index + 1 :]:
            if other.startswith("$ "):
                break
            beneath.append(other)
        found.append(Example(line + index, False, command[1], "\n".join(beneath) if is_session and beneath else None))
    return found


def agrees(shown, printed):
    """Whether what was printed is what is shown, where a line ``…`` stands for any lines."""
    rows = [re.escape(row.rstrip()) + r"\n" for row in shown.strip("\n").splitlines()]
    pattern = "".join(r"(?:.*\n)*" if row == re.escape(ANY_LINES) + r"\n" else row for row in rows)
    return re.fullmatch(pattern, "".join(f"{row.rstrip()}\n" for row in printed.strip("\n").splitlines())) is not None


def words_of(command):
    """The words of a command after ``bleuscope``, without a comment and what a shell does next; patterns filled in."""
    in_quotes = set(re.findall(r"'([^']*)'", command))
    words = iter(shlex.split(command, comments=True))
    while not next(words).endswith("bleuscope"):
        pass
    own = itertools.takewhile(lambda word: not OF_A_SHELL.match(word), words)
    patterns = ((word, "*" in word and word not in in_quotes) for word in own)
    return [name for word, is_one in patterns for name in (sorted(map(str, Path().glob(word))) if is_one else [word])]


def assert_accepted(words):
    """Parse the words of a command and stop there; what is not accepted raises."""
    name, rest = (words[0], words[1:]) if words and words[0] in COMMANDS else ("open", words)
    command = bleuscope.get_command(click.Context(bleuscope), name)
    with command.make_context(name, list(rest)) as context:
        assert context.params


def is_only_read(command):
    """Whether a command opens a browser or asks for what is not here, so that it is not run."""
    words = words_of(command)
    name = words[0] if words else "open"
    opens = name in OPENS_A_BROWSER or (name not in COMMANDS and not name.startswith("-"))
    asks_for = set(words) & set(OF_SACREBLEU) if name != "push" or {"-l", "--language-pair"} & set(words) else set()
    downloads = name == "neural" and "--run" in words
    return opens or downloads or bool(set(NOT_HERE) & set(words)) or bool(asks_for)


def of_a_feature_that_is_not_there(command):
    """Whether an example needs a command of a feature whose folder is not there."""
    return any(re.search(rf"bleuscope {name}\b", command) for name in missing_commands())


def results_in(text):
    """The numbers of a text that could be results, without marks of thousands."""
    return set(RESULT.findall(THOUSANDS.sub("", text)))


def unfounded(page, printed):
    """The numbers in sentences of a page that none of its examples prints."""
    sentences = NOT_A_RESULT.sub(" ", FENCED.sub("\n", page))
    return results_in(sentences) - results_in(printed)


def long_table():
    """Outputs of the sample as those of two models with two prompts and temperatures each."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["model", "prompt", "temperature", "id", "hypothesis", "reference"])
    references = (SAMPLE / "reference-A.txt").read_text(encoding="utf-8").split("\n")[:N_SEGMENTS]
    systems = ("neural-10k", "neural-20k", "fluent", "literal", "neural-40k", "online", "human", "assistant")
    for settings, system in zip(itertools.product(("small", "big"), "AB", ("0", "0.7")), systems, strict=True):
        lines = (SAMPLE / f"{system}.txt").read_text(encoding="utf-8").split("\n")
        rows = enumerate(zip(lines, references, strict=False))
        writer.writerows([*settings, row, line, reference] for row, (line, reference) in rows)
    return text.getvalue()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory, with the files that examples name; ``bleuscope`` is found there by a shell."""
    for name, of_sample in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        lines = (SAMPLE / of_sample).read_text(encoding="utf-8").split("\n")[:N_SEGMENTS]
        (tmp_path / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    (tmp_path / "table.csv").write_text(long_table(), encoding="utf-8")
    (tmp_path / "sample_data").symlink_to(SAMPLE)
    bin_folder = tmp_path / ".bin"
    bin_folder.mkdir()
    script = bin_folder / "bleuscope"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(warm_python())} -m bleuscope "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{ROOT / 'dashboard'}")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(tmp_path / ".workspace"))
    monkeypatch.setenv("BLEUSCOPE_OUTBOX", str(tmp_path / ".outbox"))
    monkeypatch.delenv("BLEUSCOPE_OPENING", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """Runs a command: exit code, standard output, standard error."""

    def run_command(command):
        if OF_A_SHELL.search(command.partition(" #")[0]):
            done = subprocess.run(
                ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=300, check=False
            )
            return done.returncode, done.stdout, done.stderr
        monkeypatch.setattr(sys, "argv", ["bleuscope", *words_of(command)])
        with pytest.raises(SystemExit) as ending:
            main()
        return ending.value.code or 0, *capsys.readouterr()

    return run_command


@pytest.fixture
def project(empty_place, monkeypatch):
    """The project that examples name."""
    monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(empty_place.folder))
    with open_workspace(empty_place) as workspace:
        workspace.projects.make("en-de", workspace.people.person(LOCAL))


PAGES_WITH_EXAMPLES = [page for page in PAGES if examples_of(page)]


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run_and_print_what_is_shown(page, run, request):
    if any(re.search("bleuscope (team|workspace)", example.text) for example in examples_of(page)):
        request.getfixturevalue("project")
    names = {"__name__": "__main__"}
    everything = ""
    for example in examples_of(page):
        if of_a_feature_that_is_not_there(example.text):
            continue
        where = f"{page.relative_to(ROOT)}, line {example.line}"
        if example.is_python:
            with redirect_stdout(io.StringIO()) as printed:
                exec(compile(example.text, where, "exec"), names)
            output, errors = printed.getvalue(), ""
        elif is_only_read(example.text):
            assert_accepted(words_of(example.text))
            continue
        else:
            code, output, errors = run(example.text)
            assert code == 0, f"{where}: {example.text!r} ended with {code}: {errors}"
        if example.shown is not None:
            assert agrees(example.shown, output), f"{where} shows\n{example.shown}\nand prints\n{output}"
        everything += output + errors
    if page in TOLD_IN_SENTENCES:
        assert not unfounded(page.read_text(encoding="utf-8"), everything)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_example_of_a_page_is_passed_over(page):
    text = page.read_text(encoding="utf-8")
    guided = [step for step in WRITTEN_TO.finditer(text) if step["kind"] == "python"]
    lines = text.splitlines()
    n_python, n_sessions = lines.count("```python"), sum(line.startswith("$ bleuscope") for line in lines)
    found = examples_of(page)
    assert sum(one.is_python for one in found) == n_python - len(guided)
    assert sum(not one.is_python for one in found) >= n_sessions


def test_what_is_shown_has_to_be_what_is_printed():
    assert agrees("one\ntwo\n", "one  \ntwo\n\n")
    assert agrees("one\n…\nfour", "one\ntwo\nthree\nfour\n")
    assert not agrees("one\ntwo", "one\n")
    assert not agrees("one\n…\nfour", "one\ntwo\n")
    assert not agrees("1.0", "120")


def test_a_number_in_a_sentence_has_to_be_printed_by_an_example():
    page = "Of 4,831 words, 12 and .576 and 48.73: since 2004, `0.1`, [there](x.md#0.2).\n\n```text\n0.3\n```\n"
    assert unfounded(page, "4\u202f831 .576 48.73") == set()
    assert unfounded(page, "148.73") == {"4831", ".576", "48.73"}


def test_examples_are_found_in_every_form(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```python\nprint(1)\n```\n\n```text\n1\n```\n\n    bleuscope demo   # the sample\n\n"
        "```console\n$ bleuscope score -r ref.txt \\\n    a.txt\nsystem\n```\n"
        "```sh\ncat a.txt | bleuscope score -r ref.txt -\n```\n```yaml\n- run: bleuscope gate a b\n```\n",
        encoding="utf-8",
    )
    assert [(one.is_python, one.text, one.shown) for one in examples_of(page)] == [
        (True, "print(1)\n", "1\n"),
        (False, "bleuscope score -r ref.txt a.txt", "system"),
        (False, "cat a.txt | bleuscope score -r ref.txt -", None),
        (False, "bleuscope gate a b", None),
        (False, "bleuscope demo   # the sample", None),
    ]


def test_only_commands_that_open_a_browser_or_ask_the_network_are_not_run():
    for command in (
        "bleuscope",
        "bleuscope demo",
        "bleuscope open a.txt",
        "bleuscope a.txt b.txt ref.txt",
        "cat a | bleuscope open -",
    ):
        assert is_only_read(command)
    for command in ("bleuscope score -r ref.txt a.txt", "cat a.txt | bleuscope score -r ref.txt -", "bleuscope --help"):
        assert not is_only_read(command)


def test_the_documentation_builds_without_a_warning(built_docs):
    ended, _ = built_docs
    assert ended == [0, ""]


class Assets(HTMLParser):
    """The addresses of all that a browser fetches to show a page."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        """Note what a tag fetches."""
        given = dict(attributes)
        fetched = [given.get("src"), given.get("srcset"), given.get("poster"), given.get("data")]
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev", "index", "search", "author"):
            fetched.append(given.get("href"))
        self.found += [address for address in fetched if address]


def is_of_another_host(address):
    return address.startswith(("http:", "https:", "//", "ftp:"))


def test_no_page_asks_another_host_for_a_script_style_picture_or_font(built_docs):
    _, folder = built_docs
    pages = list(folder.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))
    for page in pages:
        assets = Assets()
        assets.feed(page.read_text(encoding="utf-8"))
        assert assets.found
        assert not [address for address in assets.found if is_of_another_host(address)], page
    for style in folder.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        addresses = re.findall(r"(?:url\(|@import\s)\s*[\"']?([^\"')\s]+)", text)
        assert not [address for address in addresses if is_of_another_host(address)], style


def test_pages_that_moved_lead_on(built_docs):
    _, folder = built_docs
    page = (folder / "howto" / "serving.html").read_text(encoding="utf-8")
    assert '<meta http-equiv="refresh" content="0; url=../operating.html">' in page
    assert '<a href="../operating.html">' in page


def test_formulas_are_mathml_and_need_no_script(built_docs):
    _, folder = built_docs
    page = (folder / "mathematics" / "bleu.html").read_text(encoding="utf-8")
    assert "<math" in page
    assert "<mfrac>" in page
    assert "mathjax" not in page.lower()


def test_the_reference_holds_the_help_of_every_command(built_docs):
    _, folder = built_docs
    page = (folder / "reference" / "commands.html").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f'id="bleuscope-{name}"' in page
        for parameter in bleuscope.get_command(click.Context(bleuscope), name).params:
            for option in parameter.opts:
                assert not option.startswith("--") or option in page, f"{name} {option}"


GUIDES = {
    title: list(WRITTEN_TO.finditer(text))
    for title, _, text in (
        part.partition("\n")
        for part in re.split(
            r"^## ", (DOCS / "contributing" / "extending.md").read_text(encoding="utf-8"), flags=re.MULTILINE
        )
    )
    if WRITTEN_TO.search(text)
}
N_TESTS = {"A metric": 1, "A check": 3, "A format of files": 3, "A feature": 2, "A table": 2}
N_FILES = {"A metric": 2, "A check": 2, "A format of files": 2, "A feature": 5, "A table": 2}
"""Beside the test; those of a feature are in one folder."""
BEING_WRITTEN = shutil.ignore_patterns("*.pyc.*")
"""Copies keep what is compiled, which saves seconds, without what other processes write at this moment."""


def test_there_are_five_guides_of_few_files():
    assert list(GUIDES) == list(N_TESTS)
    assert {title: len(steps) - 1 for title, steps in GUIDES.items()} == N_FILES
    assert len({Path(step["path"]).parent for step in GUIDES["A feature"][:-1]}) == 1


def test_what_the_guides_add_works_as_they_say(tmp_path):
    for folder in ("bleucore", "dashboard", "sample_data", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=BEING_WRITTEN)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for step in itertools.chain.from_iterable(GUIDES.values()):
        path = tmp_path / step["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = step["kind"] == "python"
        path.write_text(step["text"] if is_new else changed(path.read_text(encoding="utf-8"), step["text"]))
    tests = {title: steps[-1]["path"] for title, steps in GUIDES.items()}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-p", "no:xdist", *tests.values()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{tmp_path / 'dashboard'}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    passed = re.findall(r"^(\S+?)::.* PASSED\b", done.stdout, re.MULTILINE)
    assert {title: passed.count(path) for title, path in tests.items()} == N_TESTS


def changed(text, change):
    """A file with a change made: each part of it takes the place of the lines that it shows, which are there once."""
    for part in change.split("@@\n"):
        lines = part.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] != "+")
        assert text.count(before) == 1, before
        text = text.replace(before, "".join(line[1:] for line in lines if line[0] != "-"))
    return text


def test_the_glossary_has_every_explanation_of_the_dashboard(built_docs):
    _, folder = built_docs
    page = html.unescape((folder / "glossary.html").read_text(encoding="utf-8")).replace("’", "'")
    for name, explanation in [*TERMS.items(), *IN_SENTENCES.items()]:
        assert f"<p>{explanation}</p>" in page, name


def test_whatever_the_methods_sentence_cites_stands_among_the_references():
    page = (DOCS / "mathematics" / "references.md").read_text(encoding="utf-8")
    cited = [value for value in vars(citations).values() if isinstance(value, citations.Citation)]
    assert cited
    for one in cited:
        name = one.authors.split(" and ")[0].removesuffix(" et al.")
        assert re.search(rf"{name}[^\n]* \({one.year}\)", page), one.key


ON_ONE_PAGE = {
    **dict.fromkeys(("projects", "leaderboard", "history"), "howto/projects"),
    **dict.fromkeys(("project_team", "project_compare", "project_segments", "project_trust"), "howto/projects"),
    "annotation_results": "guide/annotation",
    **{f"campaign_{door}": "guide/campaign" for door in ("compare", "segments", "trust", "data", "share")},
}
"""Screens that share a page of the documentation."""


def test_every_screen_has_a_page_of_the_documentation_with_a_small_picture():
    screens = {page.name for page in PAGES_OF_PROGRAM.values()}
    total = 0
    for screen in screens:
        page = ON_ONE_PAGE.get(screen, f"guide/{screen.replace('_', '-')}")
        assert "pictures/" in (DOCS / f"{page}.md").read_text(encoding="utf-8"), screen
    for picture in (DOCS / "pictures").glob("*.png"):
        size = picture.stat().st_size
        assert size < MOST_OF_A_PICTURE, picture
        total += size
    assert 0 < total < MOST_OF_ALL_PICTURES


def test_decision_records_are_numbered_without_a_gap():
    assert RECORDS
    assert [record.name[:5] for record in RECORDS] == [f"{number:04}-" for number in range(1, len(RECORDS) + 1)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_decision_record_has_a_numbered_title_its_parts_and_few_words(record):
    text = record.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(record.name[:4])}. ")
    assert re.findall(r"^\*\*(.+?)[.:]\*\* \S", text, re.MULTILINE) == PARTS_OF_A_RECORD
    assert FEWEST_WORDS_OF_A_RECORD <= len(text.split()) <= MOST_WORDS_OF_A_RECORD


def test_every_decision_record_is_listed_once():
    index = (DOCS / "decisions" / "index.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\d.*$", index, re.MULTILINE)) == [record.stem for record in RECORDS]


def test_contributing_is_short():
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split()) <= MOST_WORDS_OF_CONTRIBUTING


def test_the_table_of_what_to_touch_is_included_whole(built_docs):
    _, folder = built_docs
    page = (folder / "contributing" / "extending.html").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (an? [^|]+) \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert rows
    assert [row for row in rows if f"<p>{row}</p>" not in page] == []


@pytest.mark.parametrize("root", ["bleucore", "dashboard/bleuscope"])
def test_the_map_names_every_folder(root):
    page = (DOCS / "contributing" / "map.md").read_text(encoding="utf-8")
    folders = [path.parent for path in (ROOT / root).rglob("__init__.py") if path.parent != ROOT / root]
    folders = [path.name for path in folders if path.parent.name != "features"]  # feature.py says what each of them is
    assert folders
    assert [name for name in folders if not re.search(rf"\b{name}/?`", page)] == []


PAGES_FOR_DEVELOPERS = [ROOT / "CONTRIBUTING.md", *sorted((DOCS / "contributing").glob("*.md")), *RECORDS]


@pytest.mark.parametrize("page", PAGES_FOR_DEVELOPERS, ids=lambda page: page.stem)
def test_the_files_that_a_page_for_developers_names_exist(page):
    assert not missing_files(WRITTEN_TO.sub("", page.read_text(encoding="utf-8")))


def missing_files(text):
    """The files that a text names in code and that no folder of the repository has.

    Those in the folder of a feature are looked for if it is there: they are named with that folder.
    """
    folders = ("bleucore", "dashboard", "tests", "docs", ".streamlit")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*")] + list(ROOT.glob("*.*"))
    known = [f"/{path.relative_to(ROOT)}" for path in files]
    named = [name for name in NAMED_FILE.findall(text) if not is_in_a_missing_feature(name)]
    return [name for name in named if not any(path.endswith(f"/{name}") for path in known)]


def is_in_a_missing_feature(name):
    """Whether a file is in the folder of a feature, or of its tests, that is not there."""
    feature = re.search(r"\bfeatures/(\w+)/", name)
    return feature is not None and feature[1] in KNOWN and not is_there(feature[1])
