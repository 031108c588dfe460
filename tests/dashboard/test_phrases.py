"""Phrases that make a difference: as a sheet, in words, and with the segments that show them."""

from dataclasses import replace

import pytest

from bleucore import BleuOptions
from bleucore.analysis.ngram_types import pair_tokens
from bleuscope.content.ngrams import phrase_words, phrases
from bleuscope.content.ngrams.ngram_tables import AGAINST, VIEWS
from bleuscope.content.ngrams.phrases import PhraseChoice
from bleuscope.content.segments.phrase_examples import example_segments, phrase_examples
from bleuscope.content.style import numbers

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


WON_AND_LOST = PhraseChoice(VIEWS[0], AGAINST[0])


def listed_in(study, choice=WON_AND_LOST):
    """The lists of the systems of a study."""

    def find(pair, counted):
        tokens = pair_tokens(study.test_set, pair, study.options)
        attribution = replace(study, sides=pair).attribution
        return phrases.phrases_of(tokens, attribution, study.test_set.documents, counted=counted)

    return phrases.phrase_lists(study, choice, find)


def won_in(scored):
    """The phrases that B matches more often."""
    return listed_in(scored.study())[0].leading


@pytest.fixture(scope="module")
def of_sample(sample):
    study = sample.study(("online", "neural-40k"))
    return study, listed_in(study)


class TestSheet:
    def test_has_a_row_for_each_phrase_with_matches_segments_and_parts(self, scored):
        found = listed_in(scored.study())
        frame = phrases.phrases_sheet(scored.study(), found, WON_AND_LOST, has_parts=True).frame
        assert frame["phrase"].tolist() == ["did not"]
        assert frame.loc[0, ["side", "system", "matches_a", "matches_b", "segments_a", "segments_b"]].tolist() == [
            "B",
            "two",
            *(0, 3, 0, 3),
        ]
        assert frame["part"].tolist() == [phrase.part for phrase in found[0].leading]

    def test_has_what_b_wins_before_what_a_does_before_what_is_folded(self, of_sample):
        study, (won, lost) = of_sample
        frame = phrases.phrases_sheet(study, [won, lost], WON_AND_LOST, has_parts=True).frame
        numbers_of = [len(won.leading), len(lost.leading), len(won.folded), len(lost.folded)]
        assert frame["side"].tolist() == [
            side for side, number in zip("BABA", numbers_of, strict=True) for _ in range(number)
        ]
        n_telling = sum(numbers_of[:2])
        assert frame["folded"].tolist() == [False] * n_telling + [True] * sum(numbers_of[2:])

    @pytest.mark.parametrize("view", VIEWS[1:])
    def test_of_one_system_has_what_it_misses_beside_what_it_has_too_often(self, of_sample, view):
        study, _ = of_sample
        alone, choice = replace(study, sides=study.sides[:1]), PhraseChoice(view, AGAINST[1])
        (listed,) = listed_in(alone, choice)
        frame = phrases.phrases_sheet(alone, [listed], choice, has_parts=True).frame
        assert "side" not in frame
        more, less = ("too_often", "missed") if view == "over-generated" else ("missed", "too_often")
        assert (frame[more] > frame[less]).all()
        assert (frame["part"] > 0).all()

    def test_without_parts_has_no_column_of_them_and_ranks_every_match_alike(self, score_texts):
        scored = score_texts({"one": [""] * 3, "two": ["x a", "x b", "x c"]}, [["x", "x", "x"]], UNSMOOTHED)
        assert scored.study().attribution.reason is not None
        study, lists = scored.study(), listed_in(scored.study())
        sheet = phrases.phrases_sheet(study, lists, WON_AND_LOST, has_parts=False)
        assert sheet.frame["phrase"].tolist() == ["x"]
        assert not {"part", "assured"} & set(sheet.frame.columns)
        clicked = phrases.clicked_sheet(study, lists[0], lists[0].leading, WON_AND_LOST, has_parts=False)
        assert [one.key for one in clicked.fields] == [
            "phrase",
            "matches_a",
            "matches_b",
        ]


class TestWords:
    def test_say_what_all_parts_of_the_difference_are(self, of_sample, read_html):
        study, found = of_sample
        attribution = study.attribution
        said = read_html(phrase_words.phrases_verdict(study, found, WON_AND_LOST, attribution)).text
        matches, number = (
            numbers.difference(float(parts.sum())) for parts in (attribution.match_parts, attribution.total_parts)
        )
        assert said.endswith(
            f"All matches add {matches} to Δ, the number of n-grams {number}, the brevity penalty "
            f"{numbers.difference(attribution.brevity_penalty)} "
            f"({numbers.difference(attribution.difference)} in total)."
        )

    def test_head_a_phrase_with_the_matches_of_the_side_that_has_more_first(self, of_sample, read_html):
        first = of_sample[1][0].leading[0]
        head = read_html(phrase_words.phrase_heading(first, WON_AND_LOST, has_parts=True)).text
        assert head == f"not 18 : 4 matches · {numbers.part(first.part)} BLEU"
        assert phrase_words.read_label(first, WON_AND_LOST) == "Read 14 segments"

    @pytest.mark.parametrize(
        ("view", "against", "expected"),
        [
            (
                "over-generated",
                AGAINST[0],
                "two overuses 0 phrases more than one, which overuses 1 more.",
            ),
            ("missed", AGAINST[0], "two misses 0 phrases more often than one, which misses 1 more often."),
            ("over-generated", AGAINST[1], "two has 0 phrases, one has 1 more often than the references."),
            ("missed", AGAINST[1], "two has 0 phrases, one has 1 less often than the references."),
        ],
    )
    def test_count_the_phrases_of_both_systems(self, score_texts, read_html, view, against, expected):
        texts = ["red cats", "two cats", "old cats"]
        choice = PhraseChoice(view, against)
        study = score_texts({"one": ["red dogs", "two dogs", "old dogs"], "two": texts}, [texts], OPTIONS).study()
        verdict = phrase_words.phrases_verdict(study, listed_in(study, choice), choice, study.attribution)
        assert read_html(verdict).text == expected

    def test_name_some_of_the_folded_phrases(self, of_sample):
        _, (won, _) = of_sample
        label = phrase_words.folded_label(won)
        assert label.startswith(f"{won.found.n_folded[1]} hidden: \u2068")
        assert label.count(" · ") == len(won.folded[: phrase_words.MOST_NAMED])
        assert label.endswith(" · …")

    def test_escape_names_and_phrases(self, score_texts, hostile_texts, read_html):
        texts = [f"<b>{word} x{place}" for place, word in enumerate(["<i>&"] * 3)]
        scored = score_texts({hostile_texts[0]: ["y"] * 3, "two": texts}, [texts], OPTIONS)
        found = won_in(scored)[0]
        assert "<b><i>&" in read_html(phrase_words.phrase_heading(found, WON_AND_LOST, has_parts=True)).text
        assert "<b><i>&" in read_html(phrase_examples(scored.study(), found)).text


class TestExamples:
    def test_have_the_phrase_in_boxes_in_the_reference_and_where_an_output_has_it(self, scored, read_html):
        (phrase,) = [one for one in won_in(scored) if one.tokens == ("did", "not")]
        html = read_html(phrase_examples(scored.study(), phrase, most=1))
        assert html.text.startswith("segment 3")
        assert 'lang="' not in str(phrase_examples(scored.study(), phrase)), "nobody knows the language"
        assert [element.text for element in html.of_class("bs-ngram")] == ["did", "not"] * 2
        assert "they all starved" in html.text

    def test_show_the_reference_that_has_the_phrase(self, score_texts, read_html):
        references = [["none here"] * 3, ["a cat sat", "a cat ran", "a cat"]]
        scored = score_texts({"one": ["dog"] * 3, "two": references[1]}, references, OPTIONS)
        (phrase,) = won_in(scored)
        text = read_html(phrase_examples(scored.study(), phrase)).text
        assert "a cat" in text
        assert "none here" not in text

    def test_say_in_which_language_they_are_read(self, scored):
        study = scored.study()
        test_set = replace(study.test_set, languages=(None, "ja"))
        spoken = replace(study, loaded=replace(study.loaded, test_set=test_set))
        examples = phrase_examples(spoken, won_in(scored)[0], most=1)
        assert examples.count('<span dir="auto" lang="ja">') == 3

    def test_are_short(self, score_texts):
        texts = ["not a b", "not a", "not a b c"]
        scored = score_texts({"one": ["x"] * 3, "two": texts}, [texts], OPTIONS)
        (phrase, *_) = won_in(scored)
        assert (phrase.tokens, example_segments(scored.study(), phrase, 2)) == (("not", "a"), [1, 0])

    def test_are_of_different_documents(self, of_sample):
        study, (won, _) = of_sample
        for phrase in won.leading[:3]:
            segments = example_segments(study, phrase, 2)
            assert set(segments) <= set(phrase.segments[1].tolist())
            assert len({study.test_set.documents[segment] for segment in segments}) == 2

    def test_are_shortened(self, score_texts, read_html):
        texts = [f"not a {word * 900}" for word in "xyz"]
        scored = score_texts({"one": ["x"] * 3, "two": texts}, [texts], OPTIONS)
        text = read_html(phrase_examples(scored.study(), won_in(scored)[0], most=1)).text
        assert len(text) < 1400
        assert "…" in text
