"""Phrases that make a difference: as a sheet, in words, and with the segments that show them."""

import pytest

from bleucore import BleuOptions
from bleucore.analysis.ngram_types import pair_tokens
from dashboard.content.ngrams import phrase_words, phrases
from dashboard.content.segments.phrase_examples import example_segments, phrase_examples
from dashboard.content.style import numbers

OPTIONS = BleuOptions("none", max_order=2)
UNSMOOTHED = BleuOptions("none", max_order=2, smoothing="none")
REFERENCE = [
    "we did not go home",
    "he did not see it",
    "they did not eat",
    "she slept so well",
    "ي لم يذهب",
    "x لم يذهب",
]
FIRST = ["we went home", "he did miss it", "they all starved", "she slept so well", "ي لم يذهب", "x لم يذهب"]


@pytest.fixture(scope="module")
def scored(score_texts):
    return score_texts({"one": FIRST, "two": REFERENCE}, [REFERENCE], OPTIONS)


def phrases_in(scored, documents=None):
    study = scored.study()
    tokens = pair_tokens(scored.test_set, study.pair, study.options)
    return phrases.phrases_of(tokens, study.attribution, documents)


@pytest.fixture(scope="module")
def of_sample(sample):
    study = sample.study(("online", "neural-40k"))
    return study, phrases.phrases_of(
        pair_tokens(sample.test_set, study.pair, study.options), study.attribution, sample.test_set.documents
    )


class TestSheet:
    def test_has_a_row_for_each_phrase_with_matches_segments_and_parts(self, scored):
        found = phrases_in(scored)
        frame = phrases.phrases_sheet(scored.study(), found, has_parts=True).frame
        assert frame["phrase"].tolist() == ["did not"]
        assert frame.loc[0, ["side", "system", "matches_a", "matches_b", "segments_a", "segments_b"]].tolist() == [
            "B",
            "two",
            *(0, 3, 0, 3),
        ]
        assert frame["part"].tolist() == [phrase.part for phrase in found.won]

    def test_has_what_b_wins_before_what_a_does_before_what_is_folded(self, of_sample):
        study, found = of_sample
        frame = phrases.phrases_sheet(study, found, has_parts=True).frame
        n_telling = len(found.won) + len(found.lost)
        assert frame["side"].tolist()[:n_telling] == ["B"] * len(found.won) + ["A"] * len(found.lost)
        assert frame["folded"].tolist() == [False] * n_telling + [True] * len(found.folded)

    def test_without_parts_has_no_column_of_them_and_ranks_every_match_alike(self, score_texts):
        scored = score_texts({"one": [""] * 3, "two": ["x a", "x b", "x c"]}, [["x", "x", "x"]], UNSMOOTHED)
        assert scored.study().attribution.reason is not None
        sheet = phrases.phrases_sheet(scored.study(), phrases_in(scored), has_parts=False)
        assert sheet.frame["phrase"].tolist() == ["x"]
        assert not {"part", "assured"} & set(sheet.frame.columns)
        assert [one.key for one in phrases.clicked_sheet(sheet, range(1)).fields] == [
            "phrase",
            "matches_a",
            "matches_b",
        ]


class TestWords:
    def test_say_what_all_parts_of_the_difference_are(self, of_sample, read_html):
        study, found = of_sample
        attribution = study.attribution
        said = read_html(phrase_words.phrases_verdict(found, attribution)).text
        matches, number = (
            numbers.difference(float(parts.sum())) for parts in (attribution.match_parts, attribution.total_parts)
        )
        assert said.endswith(
            f"The matches of all n-grams add {matches} to Δ, the number of n-grams {number}, the brevity penalty "
            f"{numbers.difference(attribution.brevity_penalty)} ({numbers.difference(attribution.difference)} in all)."
        )

    def test_head_a_phrase_with_the_matches_of_the_side_that_has_more_first(self, of_sample, read_html):
        _, found = of_sample
        head = read_html(phrase_words.phrase_heading(found.won[0], has_parts=True)).text
        assert head == f"not 18 : 4 · {numbers.part(found.won[0].part)} BLEU"
        assert phrase_words.read_label(found.won[0]) == "Read 14 segments"

    def test_name_some_of_the_folded_phrases(self, of_sample):
        _, found = of_sample
        label = phrase_words.folded_label(found)
        assert label.startswith(f"{found.n_folded} folded: \u2068the\u2069 · \u2068as\u2069 · ")
        assert label.endswith("\u2068as\u200a␣\u200athe\u2069 · …")

    def test_escape_names_and_phrases(self, score_texts, hostile_texts, read_html):
        texts = [f"<b>{word} x{place}" for place, word in enumerate(["<i>&"] * 3)]
        scored = score_texts({hostile_texts[0]: ["y"] * 3, "two": texts}, [texts], OPTIONS)
        found = phrases_in(scored)
        assert "<b><i>&" in read_html(phrase_words.phrase_heading(found.won[0], has_parts=True)).text
        assert "<b><i>&" in read_html(phrase_examples(scored.study(), found.won[0])).text
        assert hostile_texts[0] in read_html(phrase_words.side_title("A", hostile_texts[0])).text


class TestExamples:
    def test_have_the_phrase_in_boxes_in_the_reference_and_where_an_output_has_it(self, scored, read_html):
        (phrase,) = [one for one in phrases_in(scored).won if one.tokens == ("did", "not")]
        html = read_html(phrase_examples(scored.study(), phrase, most=1))
        assert html.text.startswith("segment 3")
        assert [element.text for element in html.of_class("bs-ngram")] == ["did", "not"] * 2
        assert "they all starved" in html.text

    def test_show_the_reference_that_has_the_phrase(self, score_texts, read_html):
        references = [["none here"] * 3, ["a cat sat", "a cat ran", "a cat"]]
        scored = score_texts({"one": ["dog"] * 3, "two": references[1]}, references, OPTIONS)
        (phrase,) = phrases_in(scored).won
        text = read_html(phrase_examples(scored.study(), phrase)).text
        assert "a cat" in text
        assert "none here" not in text

    def test_are_short(self, score_texts):
        texts = ["not a b", "not a", "not a b c"]
        scored = score_texts({"one": ["x"] * 3, "two": texts}, [texts], OPTIONS)
        (phrase, *_) = phrases_in(scored).won
        assert (phrase.tokens, example_segments(scored.study(), phrase, 2)) == (("not", "a"), [1, 0])

    def test_are_of_different_documents(self, of_sample):
        study, found = of_sample
        for phrase in found.won[:3]:
            segments = example_segments(study, phrase, 2)
            assert set(segments) <= set(phrase.segments[1].tolist())
            assert len({study.test_set.documents[segment] for segment in segments}) == 2

    def test_are_shortened(self, score_texts, read_html):
        texts = [f"not a {word * 900}" for word in "xyz"]
        scored = score_texts({"one": ["x"] * 3, "two": texts}, [texts], OPTIONS)
        text = read_html(phrase_examples(scored.study(), phrases_in(scored).won[0], most=1)).text
        assert len(text) < 1400
        assert "…" in text
