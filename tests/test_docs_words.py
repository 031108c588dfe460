"""How the documentation speaks: words that must not come back, sentence length, reading ease, and how long pages are.

``prose`` keeps what people read as sentences: paragraphs, list items and captions. Code, tables, formulas, headings and
names of controls (*in italics*) are left out.
"""

import re
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
FOR_DEVELOPERS = (DOCS / "decisions", DOCS / "contributing")
BIBLIOGRAPHY = DOCS / "mathematics" / "references.md"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if not set(FOR_DEVELOPERS) & set(page.parents)]
READ = [
    README,
    ROOT / "SECURITY.md",
    DOCS / "contributing" / "extending.md",
    *(page for page in PAGES if page != BIBLIOGRAPHY),
]
GUIDE = sorted((DOCS / "guide").glob("*.md"))
MOST_WORDS = 31_000
MOST_WORDS_OF_A_GUIDE_PAGE = 400
MOST_WORDS_OF_THE_README = 600
MOST_WORDS_OF_A_SENTENCE = 25
USUAL_WORDS_OF_A_SENTENCE = 12
MOST_TERMS_OF_OUR_OWN = 25
LEAST_READING_EASE = 65.0

NOT_AGAIN = {
    "told apart": r"\b(?:tell|tells|told|telling)\b[^.]{0,40}\bapart\b",
    "chance could give it": r"\bchance alone (?:could|would|can)\b|\bmore than chance\b",
    "turned round": r"\bturn(?:s|ed|ing)? (?:[\w-]+ ){0,3}round\b",
    "hangs on, rests on": r"\b(?:hangs?|rests?) (?:on|together)\b",
    "beside, in place of": r"\bbesides?\b|\bin (?:its |their )?place of\b",
    "mend": r"\bmend(?:s|ed|ing)?\b",
    "so many, as many": r"\b(?:so|as) many\b",
    "for who": r"\b(?:for|of|to|by|from) who\b",
    "what is read": r"\bwhat (?:is|was|has been) read\b",
    "is drawn": r"\b(?:is|are|was|were) drawn\b",
    "a little, hardly, nearly": r"\ba little\b|\bhardly\b|\bnearly\b",
    "part in Δ": r"\bparts? in (?:Δ|the difference)\b",
    "compared with": r"\bcompared with\b",
    "kept": r"\bkept\b",
    "copy or save": r"\bcopy or save\b",
    "further metrics": r"\bfurther (?:metrics|systems|references)\b",
    "tests of differences": r"\btests? of (?:a )?differences?\b",
    "level in segments": r"\b(?:ahead|behind|level) in \d",
    "people as judges": r"\bpeople (?:say|judged?|prefer|agree|place|order|set)\b|\bjudged by people\b|\bof people\b",
    "the one, the other": r"\bthe one\b[^.]{0,60}\bthe other\b",
    "nothing to choose from": r"\bnothing to (?:choose|pick)\b",
    "of its own, by itself": r"\bby itself alone\b",
    "held against": r"\bheld against\b",
}
"""What people read must not say these; the left column of the words that we changed."""
OUT = re.compile(
    r"^(?P<fence>`{3,})[^\n]*\n.*?^(?P=fence)[^\S\n]*$|\$\$.*?\$\$|^\|.*?$|^#.*?$|^\(.+\)=$|^ {4,}\S.*?$|<!--.*?-->",
    re.MULTILINE | re.DOTALL,
)
FENCED = re.compile(r"^(`{3,})[^\n]*\n.*?^\1[^\S\n]*$", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"(?<![\w*])\*(?!\*)[^*\n]+?\*(?![\w*])")
SMALL = r"p |sacreBLEU|bleuscope|bleucore|chrF|mt-metrics-eval|code|x |◆ |(?<=\*)\w"
"""How a sentence can begin with a small letter."""
ENDS = re.compile(rf"(?<=[.!?])[)\"”’*]*\s+(?=[\"“(*]*(?:[^\Wa-z_]|{SMALL}))")
WORD = re.compile(r"[^\W\d_][\w'’-]*|\d[\d.,%]*")


def prose(text: str) -> list[str]:
    """The paragraphs and list items of a page, in one line each, without code, tables, formulas and headings."""
    text = OUT.sub("\n", text.replace("\r", ""))
    text = re.sub(r"\{[\w:]+\}`([^`<]*?)(?:\s*<[^`>]*>)?`", r"code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\$[^$\n]+\$", "x", text)
    paragraphs = re.split(r"\n\s*\n|\n(?=\s*(?:[-*>:]|\d+\.)\s)", text)
    joined = (" ".join(re.sub(r"^\s*(?:[-*>:]|\d+\.)\s+", "", one).split()) for one in paragraphs)
    return [one for one in joined if WORD.search(one)]


def sentences(text: str) -> list[str]:
    """Each sentence of a page."""
    return [
        one
        for paragraph in prose(text)
        for one in ENDS.split(paragraph.replace("**", ""))
        if len(WORD.findall(one)) > 1
    ]


def words(sentence: str) -> list[str]:
    """The words of a sentence, numbers too."""
    return WORD.findall(sentence)


def syllables(word: str) -> int:
    """About how many syllables an English word has: its groups of vowels, without a silent e."""
    letters = re.sub(r"[^a-z]", "", word.lower())
    if len(letters) <= 3:  # words such as "the"
        return 1
    stem = re.sub(r"(?:[^laeiouy]es|(?<=[^td])ed|[^laeiouy]e)$", "", letters) or letters
    return max(1, len(re.findall(r"[aeiouy]{1,2}", stem)))


def reading_ease(found: list[str]) -> float:
    """Flesch's reading ease of sentences: 100 is very easy, 0 very hard."""
    every = [word for sentence in found for word in words(sentence) if word[0].isalpha()]
    per_sentence = len(every) / len(found)
    return 206.835 - 1.015 * per_sentence - 84.6 * sum(map(syllables, every)) / len(every)


def text_of(page: Path) -> str:
    """What a page holds."""
    return page.read_text(encoding="utf-8")


def n_words(text: str) -> int:
    """The number of words of a text, code and tables included; lines of tables and other signs alone are no words."""
    return sum(re.search(r"\w", one) is not None for one in text.split())


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_sentence_of_a_page_is_long(page):
    assert [one for one in sentences(text_of(page)) if len(words(one)) > MOST_WORDS_OF_A_SENTENCE] == []


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_says_what_we_no_longer_say(page):
    said = "\n".join(LABEL.sub("label", one) for one in prose(text_of(page)))
    found = {
        name: re.findall(f".{{0,30}}(?:{pattern}).{{0,20}}", said, re.IGNORECASE) for name, pattern in NOT_AGAIN.items()
    }
    assert {name: places for name, places in found.items() if places} == {}


def test_most_sentences_are_short_and_easy():
    found = [one for page in READ for one in sentences(text_of(page))]
    assert median(len(words(one)) for one in found) <= USUAL_WORDS_OF_A_SENTENCE
    assert reading_ease(found) >= LEAST_READING_EASE


def test_the_documentation_and_the_readme_stay_short():
    assert sum(n_words(text_of(page)) for page in PAGES) <= MOST_WORDS
    assert n_words(text_of(README)) <= MOST_WORDS_OF_THE_README


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.stem)
def test_a_page_of_the_guide_is_short_and_has_one_picture(page):
    shown = re.sub(r"\]\([^)]*\)", "]", FENCED.sub("\n", text_of(page)))
    assert n_words(shown) <= MOST_WORDS_OF_A_GUIDE_PAGE
    assert text_of(page).count("../pictures/") == (page.stem != "index")


def test_the_glossary_has_few_terms_of_our_own():
    own = re.findall(r"^: ", text_of(DOCS / "glossary.md"), re.MULTILINE)
    assert 0 < len(own) <= MOST_TERMS_OF_OUR_OWN


def test_sentences_are_found_without_what_is_no_sentence():
    page = (
        "# A heading\n\nOne sentence here. Another `code.x` one!\n\n| a | table |\n\n```python\nno = 1\n```\n\n"
        "- An item of a list\n  that goes on.\n- *Saved* is a label, e.g. this one. Two.\n\n$$x = 1. Y$$\n"
    )
    assert sentences(page) == ["One sentence here.", "Another code one!", "An item of a list that goes on.",
                               "*Saved* is a label, e.g. this one."]  # fmt: skip


def test_words_that_must_not_come_back_are_found():
    assert re.search(NOT_AGAIN["told apart"], "does not tell the two systems apart")
    assert re.search(NOT_AGAIN["turned round"], "turns two systems round")
    assert not re.search(NOT_AGAIN["mend"], "we recommend an amendment")


def test_easy_words_read_more_easily():
    assert reading_ease(["The cat sat on the mat."]) > 100
    assert reading_ease(["Simultaneous randomisation characteristically necessitates approximation."]) < 0
