"""One segment as HTML: the texts word for word, what matched marked, and readable in both themes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions
from bleucore.analysis.matches import match_segment
from bleucore.options import TOKENIZER_NAMES
from bleuscope.content.segments.highlights import (
    DEFAULT_LAYERS,
    LAYERS,
    MAX_CHARACTERS,
    SegmentView,
    legend_html,
    marked_reference,
    marked_text,
    segment_html,
)
from bleuscope.content.segments.mark_words import MAX_COMPARED_TOKENS
from bleuscope.content.style import numbers
from bleuscope.content.style.stylesheet import stylesheet

MARKING = LAYERS[:5]
"""The layers that show marks; the last lets the keyboard reach them."""
STYLES = ("bs-m1", "bs-clipped", "bs-missed", "bs-differs", "bs-invisible")
"""A mark of each layer."""
DIFFICULT = (
    "plain text, nothing else.",
    "  two blanks before, three after   ",
    "line one\nline two\n\n end-\nless\n",
    "tabs\tand\u00a0no-break\u3000wide \u200b zero",
    "\u200fשלום עולם \u200emixed اَلسَّلامُ 123",
    "&quot;13a&quot; entities &amp;amp; &lt;skipped&gt; <skipped>done",
    "e\u0301 👩\u200d🔬 中文 İSTANBUL ẞ",
    "<b>bold</b> & <script>alert('x')</script>",
    " ",
)


def show(scored, read_html, segment=0, **view):
    pair = view.pop("pair", scored.pair())
    return read_html(segment_html(scored.test_set, scored.evaluation, SegmentView(segment, pair, **view), scored.looks))


def bodies(page):
    return [element.text for element in page.of_class("bs-body")]


class TestTexts:
    @pytest.mark.parametrize("lowercase", [False, True])
    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    def test_are_shown_word_for_word(self, score_texts, read_html, tokenizer, lowercase):
        scored = score_texts(
            {"a": DIFFICULT, "b": DIFFICULT[::-1]},
            [DIFFICULT, DIFFICULT[1:] + DIFFICULT[:1]],
            BleuOptions(tokenizer, lowercase),
            source=DIFFICULT,
        )
        for segment, text in enumerate(DIFFICULT):
            page = show(scored, read_html, segment, reference_matches="b")
            expected = [text, text, scored.test_set.references[1][segment], text, DIFFICULT[::-1][segment]]
            assert bodies(page) == expected

    @given(data=st.data())
    def test_are_shown_word_for_word_whatever_they_are(self, score_texts, read_html, data):
        pieces = st.sampled_from(["<", ">", "&", "&quot;", "&amp;", "<skipped>", "-\n", " ", "a", "İ", "中", '"', "'"])
        text, other, reference = (data.draw(st.lists(pieces, min_size=1, max_size=9).map("".join)) for _ in range(3))
        options = BleuOptions(data.draw(st.sampled_from(TOKENIZER_NAMES)), data.draw(st.booleans()))
        scored = score_texts({"a": [text], "b": [other]}, [[reference]], options)
        assert bodies(show(scored, read_html, reference_matches="a")) == [reference, text, other]

    def test_of_a_hostile_test_set_stay_text(self, hostile, hostile_texts, read_html):
        for segment, text in enumerate(hostile_texts):
            others = hostile.evaluation.names[1:-1]
            page = show(hostile, read_html, segment, others=others, reference_matches=hostile.evaluation.names[-1])
            assert bodies(page) == [text, text, text + " x"] + [text] * len(hostile_texts)
            assert all(name in page.text for name in hostile.evaluation.names)

    def test_have_the_direction_of_their_own_script(self, sample, read_html):
        page = show(sample, read_html, 3)
        assert len(page.of_class("bs-body")) == 5
        assert {element.attributes.get("dir") for element in page.of_class("bs-body")} == {"auto"}

    def test_say_their_language_where_it_is_known(self, score_texts, read_html):
        texts = {"a": ["x"], "b": [""]}
        scored = score_texts(texts, [["y"]], source=["z"], languages=("uk", "pt-BR"))
        bodies_shown = show(scored, read_html).of_class("bs-body")
        assert [body.attributes.get("lang") for body in bodies_shown] == ["uk", "pt-BR", "pt-BR", None]
        assert "lang" not in show(score_texts(texts, [["y"]]), read_html).of_class("bs-body")[0].attributes

    def test_keep_their_white_space_on_screen(self):
        rule = re.search(r"\.bs-body\s*\{([^}]*)\}", stylesheet())
        assert "white-space: pre-wrap" in rule[1]

    def test_that_are_missing_or_empty_say_so(self, score_texts, read_html):
        scored = score_texts({"a": [""], "b": ["x"]}, [["y"], [None]], source=[""])
        source, first, second, a, b = bodies(show(scored, read_html, reference_matches="b"))
        assert (source, first, a, b) == ("empty", "y", "empty", "x")
        assert "no such reference" in second

    def test_beyond_a_limit_are_cut_and_say_so(self, score_texts, read_html):
        text = "ab " * MAX_CHARACTERS
        scored = score_texts({"a": [text], "b": ["x"]}, [[text]], source=[text])
        for body in bodies(show(scored, read_html, reference_matches="b"))[:3]:
            assert body.startswith(text[:MAX_CHARACTERS])
            rest = numbers.count(len(text) - MAX_CHARACTERS)
            assert body[MAX_CHARACTERS:].strip() == f"… {rest} more characters are not shown"


class TestMarks:
    def test_the_clipped_class_is_on_exactly_the_clipped_tokens(self, score_texts, read_html):
        references = ["the cat is on the mat", "there is a cat on the mat"]
        scored = score_texts({"a": ["the the the the the the the"], "b": ["x"]}, [[text] for text in references])
        page = show(scored, read_html)
        assert [element.text for element in page.of_class("bs-clipped")] == ["the"] * 5
        assert [element.text for element in page.of_class("bs-m1")] == ["the"] * 2

    def test_every_token_of_the_sample_is_marked_by_its_match(self, sample, read_html):
        for segment in range(0, sample.test_set.n_segments, 12):
            text = sample.test_set.system("literal").hypotheses[segment]
            references = [column[segment] for column in sample.test_set.references]
            tokens = match_segment(text, references, sample.evaluation.options).tokens
            marked = [token for token in tokens if token.order or token.clipped]
            page = read_html(marked_text(text, tokens))
            spans = page.of_class("bs-token")
            assert [span.text for span in spans] == [text[slice(*token.span)] for token in marked]
            for span, token in zip(spans, marked, strict=True):
                expected = {f"bs-m{min(token.order, 4)}"} if token.order else set()
                assert span.classes == {"bs-token"} | expected | ({"bs-clipped"} if token.clipped else set())

    def test_longer_matches_than_four_words_look_like_four(self, read_html):
        tokens = match_segment("a b c d e f", ["a b c d e f"], BleuOptions(max_order=6)).tokens
        assert {token.order for token in tokens} == {6}
        assert len(read_html(marked_text("a b c d e f", tokens)).of_class("bs-m4")) == 6

    def test_a_token_says_what_it_matches_and_where(self, read_html):
        tokens = match_segment("a b c c x", ["a b", "q", "a b c"], BleuOptions()).tokens
        titles = read_html(marked_text("a b c c x", tokens, {4})).titles()
        assert "3-gram" in titles[0]
        assert "reference 3" in titles[0]
        assert "does not count" in titles[1]
        assert titles[2] == "In no reference."

    def test_differences_of_the_pair_are_marked_in_both_and_in_no_third_system(self, score_texts, read_html):
        scored = score_texts({"a": ["p q r"], "b": ["p x r"], "c": ["z z z"]}, [["p q r"]])
        page = show(scored, read_html, pair=("a", "b"), others=("c", "a"))
        assert bodies(page) == ["p q r", "p q r", "p x r", "z z z"]
        assert [element.text for element in page.of_class("bs-differs")] == ["q", "x"]

    def test_a_system_beside_itself_is_shown_once_without_differences(self, one_system, read_html):
        page = show(one_system, read_html)
        assert len(page.of_class("bs-body")) == 3
        assert page.of_class("bs-differs") == []

    def test_in_the_references_those_of_the_system_asked_for_or_none(self, score_texts, read_html):
        scored = score_texts({"a": ["x y"], "b": ["q z"]}, [["x y q w"]])
        for system, expected in (("a", ["x y"]), ("b", ["q"]), (None, [])):
            page = show(scored, read_html, reference_matches=system, layers={"matches"})
            reference = page.of_class("bs-card")[0]
            runs = [element for element in page.of_class("bs-run") if "has th" in element.attributes["title"]]
            assert [run.text for run in runs] == expected
            assert reference.text.endswith("x y q w")

    def test_in_a_reference_carry_the_systems_name_as_text(self, hostile_texts, read_html):
        tokens = match_segment("a b", ["a b"], BleuOptions()).tokens
        for name in hostile_texts:
            assert all(title.startswith(name) for title in read_html(marked_reference("a b", tokens, name)).titles())

    def test_of_what_a_system_misses_in_a_reference_say_whether_it_lacks_the_word_or_has_it_less_often(self, read_html):
        tokens = match_segment("x x y z", ["x y"], BleuOptions()).tokens
        missed = read_html(marked_reference("x x y z", tokens, "B")).of_tag("ins")
        assert [(run.text, run.attributes["title"]) for run in missed] == [
            ("x", "B has this word less often"),
            ("z", "B does not have this word"),
        ]

    def test_of_a_layer_that_is_off_are_gone_and_the_text_stays(self, score_texts, read_html):
        scored = score_texts({"a": ["sat the the cat\u00a0x"], "b": ["the cat y"]}, [["the cat sat"]])
        for layer, style in zip(MARKING, STYLES, strict=True):
            marked, bare = (
                show(scored, read_html, reference_matches="b", layers=frozenset(layers))
                for layers in (LAYERS, set(LAYERS) - {layer})
            )
            assert marked.of_class(style)
            assert not bare.of_class(style)
            assert bodies(marked) == bodies(bare)

    def test_are_elements_that_say_what_they_mean_once_for_neighbours_of_one_kind(self, read_html):
        tokens = match_segment("the cat the sat up", ["the cat sat"], BleuOptions()).tokens
        page = read_html(marked_text("the cat the sat up", tokens, {4}))
        runs = [(run.tag, run.attributes["data-said"], run.text) for run in page.of_class("bs-run")]
        assert runs == [
            ("mark", "match of 2", "the cat"),
            ("del", "repeat", "the"),
            ("mark", "match", "sat"),
            ("ins", "differs", "up"),
        ]
        reference = read_html(marked_reference("drawn up", match_segment("drawn up", ["x"], BleuOptions()).tokens, "B"))
        assert [(run.tag, run.attributes["data-said"]) for run in reference.of_class("bs-run")] == [("ins", "missed")]

    def test_of_a_repeat_that_is_part_of_a_match_say_both(self, read_html):
        tokens = match_segment("x a z a y", ["x a y"], BleuOptions()).tokens
        (run,) = read_html(marked_text("x a z a y", tokens)).of_tag("del")
        assert (run.text, run.attributes["data-said"]) == ("a", "repeat, match of 2")

    def test_are_no_tab_stops_until_asked_for_and_then_one_for_neighbours_that_say_the_same(self, read_html):
        tokens = match_segment("a b c x d", ["a b c y d"], BleuOptions()).tokens
        for layers, expected in ((LAYERS, ["a b c", "d"]), (DEFAULT_LAYERS, [])):
            page = read_html(marked_text("a b c x d", tokens, layers=frozenset(layers)))
            assert [element.text for element in page.elements if "tabindex" in element.attributes] == expected

    def test_keep_characters_whole_as_readers_see_them(self, read_html):
        for text, whole in (("cafe\u0301 x", "e\u0301"), ("👩\u200d🔬 x", "👩\u200d🔬"), ("क्\u200dष x", "क्\u200dष")):
            tokens = match_segment(text, [text], BleuOptions("char")).tokens
            spans = read_html(marked_text(text, tokens, layers=frozenset(LAYERS))).of_class("bs-token")
            assert whole in [span.text for span in spans]


class TestInvisibleCharacters:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a\u00a0b", [("·", "\u00a0")]),
            ("a\u200bb", [("ZWSP", "\u200b")]),
            ("\u200fא", [("RLM", "\u200f")]),
            ("\ufeffx\tx", [("BOM", "\ufeff"), ("⇥", "\t")]),
            ("x\u3000y", [("□", "\u3000")]),
            ("x\x07\u3164", [("␇", "\x07"), ("U+3164", "\u3164")]),
            (" a b  c ", [("␣", " ")] * 3),
            ("plain text, ☀\ufe0f and e\u0301", []),
            ("中文字", []),
        ],
    )
    def test_are_shown_by_a_sign(self, read_html, text, expected):
        page = read_html(marked_text(text, [], layers={"invisible"}))
        assert [(span.attributes["data-sign"], span.text) for span in page.of_class("bs-invisible")] == expected
        assert page.text == text

    @pytest.mark.parametrize("text", ["👩\u200d🔬", "👨\u200d👩\u200d👧", "क्\u200dष"])
    def test_within_a_character_that_is_seen_leave_it_whole(self, read_html, text):
        (span,) = read_html(marked_text(text, [], layers={"invisible"})).of_class("bs-invisible")
        assert span.text == text
        assert span.attributes["data-sign"] == "ZWJ"
        assert "bs-part-of" in span.classes

    def test_carry_their_name(self, read_html):
        assert read_html(marked_text("\u200b", [], layers={"invisible"})).titles() == ["zero width space U+200B"]

    @given(text=st.text("a \u0301\u200d👩🔬\u00a0\u200bक्ष\n\r\tİ", max_size=12))
    def test_leave_the_text_word_for_word(self, read_html, text):
        for tokenizer in ("13a", "char", "none"):
            tokens = match_segment(text, [text[::-1]], BleuOptions(tokenizer)).tokens
            assert read_html(marked_text(text, tokens, layers=frozenset(LAYERS))).text == text


class TestMarksInWords:
    def card(self, scored, read_html, **view):
        page = show(scored, read_html, reference_matches="b", **view)
        return [element.text for element in page.of_class("bs-in-words")]

    def test_stand_in_every_output_and_count_what_matches_and_name_the_rest(self, score_texts, read_html):
        texts = {"a": ["the cat sat on the the mat"], "b": ["a cat sat"]}
        scored = score_texts(texts, [["the cat sat on the old mat"]])
        assert self.card(scored, read_html) == [
            "6 of 7 words match, longest 5; repeated: the; missed: old; differ: the, on, mat",
            "2 of 3 words match, longest 2; missed: the, on, old, mat; differ: a",
        ]

    def test_name_the_reference_that_words_are_missed_of_where_there_are_several(self, score_texts, read_html):
        scored = score_texts({"a": ["p q r"], "b": ["x"]}, [["x y"], ["p q s"]])
        assert self.card(scored, read_html)[0].startswith("2 of 3 words match, longest 2; missed from reference 2: s;")

    def test_follow_the_layers(self, score_texts, read_html):
        scored = score_texts({"a": ["the the x"], "b": ["y"]}, [["the z"]])
        for layer, words in (
            ("matches", "1 of 3 words matches"),
            ("clipped", "repeated: the"),
            ("missed", "missed: z"),
            ("differences", "differ: the, x"),
        ):
            assert self.card(scored, read_html, layers={layer})[0] == words
        assert self.card(scored, read_html, layers={"invisible"}) == []

    def test_name_few_of_many_words_each_once(self, score_texts, read_html):
        scored = score_texts({"a": ["x"], "b": ["y"]}, [[" ".join([*"abcdefghij", *"abcdefghij"])]])
        assert self.card(scored, read_html, layers={"missed"})[0] == "missed: a, b, c, d, e, f, g, h, 2 more"

    def test_name_no_punctuation(self, score_texts, read_html):
        scored = score_texts({"a": ["x , y !"], "b": ["z"]}, [["q ."]])
        assert self.card(scored, read_html, layers={"missed", "differences"})[0] == "missed: q; differ: x, y"

    def test_keep_to_words_as_written_in_any_script(self, score_texts, read_html):
        scored = score_texts({"a": ["猫坐着"], "b": ["<b>The</b>"]}, [["猫睡着"]], BleuOptions("zh", lowercase=True))
        assert self.card(scored, read_html)[0].startswith("2 of 3 words match; missed: 睡; differ: ")
        page = show(scored, read_html, pair=("b", "a"), layers={"differences"})
        assert page.of_tag("b") == []
        assert "The" in page.of_class("bs-in-words")[0].text

    def test_of_texts_too_long_to_compare_leave_the_longest_out(self, score_texts, read_html):
        scored = score_texts({"a": ["a b " * (MAX_COMPARED_TOKENS // 2 + 1)], "b": ["a"]}, [["a b"]])
        assert self.card(scored, read_html, layers={"matches"})[0] == "2 of 1\u202f502 words match"


class TestHeadings:
    def test_say_which_of_the_pair_a_system_is(self, score_texts, read_html):
        scored = score_texts({"one": ["x"], "two": ["y"]}, [["x"]])
        page = show(scored, read_html, pair=("two", "one"))
        assert "A two" in page.text
        assert "B one" in page.text
        assert show(scored, read_html, pair=("one",)).of_class("bs-role") == []


class TestBlindView:
    def test_hides_names_numbers_and_scores(self, sample, read_html):
        page = show(sample, read_html, pair=("neural-40k", "human"), is_blind=True)
        assert not [name for name in sample.evaluation.names if name in page.text + " ".join(page.titles())]
        assert not page.of_class("bs-swatch")
        assert not page.of_class("bs-score")
        assert [element.text for element in page.of_tag("b")] == ["Left", "Right"]


class TestLegend:
    @pytest.mark.parametrize(("max_order", "steps"), [(1, 1), (2, 2), (4, 4), (9, 4)])
    def test_shows_the_steps_there_are(self, read_html, max_order, steps):
        page = read_html(legend_html(max_order, compares=True))
        shown = {name for element in page.of_class("bs-token") for name in element.classes}
        assert {name for name in shown if re.fullmatch(r"bs-m\d", name)} == {f"bs-m{step + 1}" for step in range(steps)}
        assert {"bs-clipped", "bs-differs", "bs-missed"} <= shown

    def test_leaves_out_differences_where_nothing_is_compared(self, read_html):
        assert read_html(legend_html(4, compares=False)).of_class("bs-differs") == []

    def test_names_the_layers_that_are_shown(self, read_html):
        for layer, style in zip(MARKING, STYLES, strict=True):
            for layers in ({layer}, set(LAYERS), set(LAYERS) - {layer}):
                page = read_html(legend_html(4, compares=True, layers=layers))
                assert bool(page.of_class(style)) == (layer in layers)
        assert "No layer" in read_html(legend_html(4, compares=True, layers=frozenset())).text
