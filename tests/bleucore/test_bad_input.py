"""Bad input from one end to the other: each kind is refused in words, or has a result that is written down here.

More of what single modules refuse stands in their own tests: options in ``test_options``, ``test_chrf`` and
``test_ter``, scores in ``test_segment_scores``, columns in ``test_corpus``.
"""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from bleucore import BleuOptions, ChrfOptions, InputError, System, TestSet, evaluate
from bleucore.evaluation import evaluate_metric
from bleucore.formats import Column, assemble, guess_roles, read
from bleucore.formats.usual_names import role_of
from bleucore.metrics import METRICS as REGISTERED
from bleucore.metrics.presets import PRESETS, preset
from bleucore.metrics.segment_scores import read_segment_scores
from bleucore.metrics.ter import TerOptions
from bleucore.options import (
    ALL_SMOOTHING_METHODS,
    LARGEST_SMOOTHING_VALUE,
    NEIGHBOUR_SMOOTHINGS,
    REFERENCE_LENGTHS,
    TOKENIZER_NAMES,
)
from bleucore.tokens.external_tokenizers import external_tokenizer

METRICS = (ChrfOptions(), ChrfOptions(word_order=2), TerOptions())
ALL_SMOOTHINGS = [
    BleuOptions(smoothing=smoothing, max_order=5, weights=(0.25,) * 4 + (0,))
    if smoothing in NEIGHBOUR_SMOOTHINGS
    else BleuOptions(smoothing=smoothing)
    for smoothing in ALL_SMOOTHING_METHODS
]


def one_system(*hypotheses):
    return [System("A", list(hypotheses))]


def refusal(function, *arguments, **options):
    with pytest.raises(InputError) as caught:
        function(*arguments, **options)
    message = str(caught.value)
    assert message.encode()
    return message


BAD = "ab\udc80"


class TestLoneSurrogates:
    PLACES = (
        ("System 'ab\\udc80'", {"systems": lambda: [System(BAD, ["x"])]}),
        ("System 'A', line 1", {"systems": lambda: one_system(BAD)}),
        ("Reference 2, line 1", {"references": [["r"], [BAD]]}),
        ("Reference 'ab\\udc80'", {"reference_names": [BAD]}),
        ("The source, line 1", {"source": [BAD]}),
        ("The list of documents, line 1", {"documents": [BAD]}),
        ("Label 'ab\\udc80'", {"labels": {BAD: ["x"]}}),
        ("Label 'domain', line 1", {"labels": {"domain": [BAD]}}),
    )

    @pytest.mark.parametrize(("place", "changed"), PLACES, ids=[place for place, _ in PLACES])
    def test_are_refused_anywhere_in_a_test_set_with_place_and_code_point(self, place, changed):
        def make():
            arguments = {name: value() if callable(value) else value for name, value in changed.items()}
            return TestSet(**({"systems": one_system("x"), "references": [["r"]]} | arguments))

        message = refusal(make)
        assert message.startswith(f"{place}: ")
        assert "holds half of a surrogate pair" in message
        assert "found U+DC80 at position 3" in message

    @pytest.mark.parametrize("role", ["hypothesis", "reference", "label"])
    def test_are_refused_in_the_name_of_a_file_that_names_something(self, role):
        columns = [replace(*read("ok.txt", b"x"), role=each) for each in ("hypothesis", "reference")]
        (named,) = read("caf\udce9.txt", b"x")
        assert refusal(assemble, [*columns, replace(named, role=role)]).partition(":")[0].endswith(" 'caf\\udce9'")

    def test_in_the_name_of_a_file_that_names_nothing_change_nothing(self):
        columns = [replace(*read("ok.txt", b"x"), role=each) for each in ("hypothesis", "reference")]
        (source,) = read("caf\udce9.txt", b"y")
        assert assemble([*columns, replace(source, role="source")]).source == ("y",)

    def test_in_the_name_of_a_file_can_be_read_in_messages_about_it(self):
        assert refusal(read, "caf\udce9.txt", b"").startswith("caf\\udce9.txt: the file is empty")

    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("a.txt", b"ab\xed\xa0\x80"),
            ("a.txt", b"\xff\xfea\x00\x00\xd8"),
            ("a.txt", b"\xfe\xff\xdc\x00\x00a"),
            ("a.txt", b"\xff\xfe\x00\x00\x00\xd8\x00\x00"),
            ("a.tsv", b"ref\thyp\nx\t\xed\xbf\xbf\n"),
            ("a.xml", b'<srcset setid="s"><doc docid="d"><seg id="1">&#xD800;</seg></doc></srcset>'),
            ("a.xml", b'<srcset setid="s"><doc docid="d"><seg id="1">\xed\xa0\x80</seg></doc></srcset>'),
        ],
        ids=["UTF-8", "UTF-16-LE", "UTF-16-BE", "UTF-32", "table", "XML reference", "XML"],
    )
    def test_are_refused_in_every_kind_of_file_with_the_line(self, name, data):
        message = refusal(read, name, data)
        assert message.startswith((f"{name}, line 1: ", f"{name}, line 2: "))
        assert "not valid in its encoding" in message or "invalid character number" in message

    def test_are_refused_in_columns_that_were_made_by_hand(self):
        columns = [Column("f", "A", role, ("x", "y\ud800"), None, 1) for role in ("hypothesis", "reference")]
        assert refusal(assemble, columns).startswith("System 'A', line 2: the text holds half of a surrogate pair")

    @pytest.mark.parametrize("place", ["system", "title", "file"])
    def test_are_refused_in_names_that_come_with_scores(self, place):
        system, title = (r"\ud800" if place == each else "" for each in ("system", "title"))
        data = f'{{"system": "A{system}", "segment": 1, "x{title}": 1}}'.encode()
        name = "s\udc80.jsonl" if place == "file" else "s.jsonl"
        assert "half of a surrogate pair" in refusal(read_segment_scores, name, data)


class TestNothing:
    """Zero systems, segments, references or words."""

    @pytest.mark.parametrize(
        ("systems", "references", "message"),
        [
            ([], [["r"]], "there is no system. Give the hypotheses of at least one system."),
            ([], [], "there is no system. Give the hypotheses of at least one system."),
            (one_system(), [[]], "System 'A': there are no segments. Give at least one segment."),
            (one_system(), [], "System 'A': there are no segments. Give at least one segment."),
            (one_system(), [["r"]], "System 'A': there are no segments. Give at least one segment."),
            (one_system("a"), [], "there is no reference. Give at least one reference."),
            (
                one_system("a"),
                [[]],
                "System 'A': the number of segments differs (found 1, expected 0 as in reference 1). "
                "Every file needs one line per segment, in the same order.",
            ),
            (
                one_system("a", "b"),
                [["r", None], [None, None]],
                "The references, line 2: the segment has no reference. Every segment needs at least one reference.",
            ),
            (
                one_system("a"),
                [[None], [None]],
                "The references, line 1: the segment has no reference. Every segment needs at least one reference.",
            ),
        ],
    )
    def test_to_score_makes_no_test_set(self, systems, references, message):
        assert refusal(TestSet, systems, references) == message

    def test_in_a_reference_column_of_all_absent_ones_counts_as_if_it_were_not_there(self):
        systems = one_system("a b c d e", "f g")
        whole, alone = (
            evaluate(TestSet(systems, [["a b c d x", "f"], *more]), metrics=METRICS) for more in ([[None, None]], [])
        )
        for name, metric in whole.metrics.items():
            assert metric.systems["A"].counts.tolist() == alone.metrics[name].systems["A"].counts.tolist()
            assert metric.signature == alone.metrics[name].signature

    @pytest.mark.parametrize(
        ("hypotheses", "references"),
        [
            (["a b c d"], [[""]]),
            ([""], [[""]]),
            ([""], [["a b c d"]]),
            (["a b c d", "e"], [["", ""]]),
            (["a b c d e", "x"], [["a b c d e", ""]]),
            (["a b c d"], [[""], ["a b c d e f g h"]]),
            (["a"], [["a b c d e"], [""]]),
            ([" \t\u3000", "\u200b"], [["\n", "\u200b"]]),
        ],
    )
    def test_in_a_text_is_a_text_without_words_and_scores_as_in_sacrebleu(self, hypotheses, references):
        result = evaluate(TestSet(one_system(*hypotheses), references), metrics=METRICS)
        for name, oracle in (("BLEU", BLEU()), ("chrF2", CHRF()), ("chrF2++", CHRF(word_order=2)), ("TER", TER())):
            expected = oracle.corpus_score(hypotheses, references).score
            assert result.metrics[name].systems["A"].score == pytest.approx(expected, abs=1e-9)
            assert result.metrics[name].signature == str(oracle.get_signature())

    @pytest.mark.parametrize("options", [*ALL_SMOOTHINGS, *(PRESETS[name].options for name in PRESETS)], ids=str)
    def test_in_any_text_is_a_finite_score_under_every_setting(self, options):
        texts = ["", "a", "a b c d e f"]
        pairs = [(hypothesis, reference) for hypothesis in texts for reference in texts]
        test_set = TestSet(one_system(*(pair[0] for pair in pairs)), [[pair[1] for pair in pairs]])
        for reference_length in REFERENCE_LENGTHS:
            result = evaluate(test_set, replace(options, reference_length=reference_length)).systems["A"]
            found = [result.score.score, result.score.brevity_penalty, *result.segment_scores]
            assert np.isfinite(found).all(), reference_length
            assert found[2:5] == [0, 0, 0] or options.empty_counts_as_token, reference_length


class TestNumbersOutOfRange:
    @pytest.mark.parametrize("smoothing", ["floor", "add-k"])
    @pytest.mark.parametrize("value", [0, 1e-300, 5e-324, LARGEST_SMOOTHING_VALUE])
    def test_the_extreme_smoothing_values_that_are_accepted_give_finite_scores(self, smoothing, value):
        options = BleuOptions(smoothing=smoothing, smoothing_value=value)
        test_set = TestSet(one_system("a b x d e", "a", "", "z"), [["a b c d e", "a b", "a", "a"]])
        result = evaluate(test_set, options).systems["A"]
        assert np.isfinite([result.score.score, *result.score.precisions, *result.segment_scores]).all()

    @pytest.mark.parametrize("weights", [(0.5, 0.5, 0.5, 0.5), (0.3, 0.3, 0.3, 0.3), (0, 0, 0, 0), (1 + 2e-9, 0, 0, 0)])
    def test_weights_that_do_not_sum_to_1_are_refused_with_their_sum(self, weights):
        assert refusal(BleuOptions, weights=weights) == (
            f"Option weights: the weights do not sum to 1 (found {sum(weights):.12g}, expected 1). "
            "Divide each weight by their sum."
        )

    @pytest.mark.parametrize("score", ["NaN", "nan", "Infinity", "1e999"])
    def test_scores_that_are_no_numbers_are_refused_with_their_line(self, score):
        table = f"system\tsegment\tx\nA\t1\t0.5\nA\t2\t{score}\n".encode()
        assert refusal(read_segment_scores, "s.tsv", table).startswith(
            "s.tsv, column 'x', line 3: the score is not a n"
        )
        record = f'{{"system": "A", "segment": 1, "x": {score}}}'.encode()
        assert refusal(read_segment_scores, "s.jsonl", record).startswith("s.jsonl, ")


class TestUnknownNames:
    @pytest.mark.parametrize("name", ["14a", "", None, 13, ["13a"], "13A", "13a ", "x" * 10**6])
    def test_are_refused_in_a_message_of_reasonable_length(self, name):
        for refused in (
            lambda: BleuOptions(name),
            lambda: BleuOptions(smoothing=name),
            lambda: BleuOptions(reference_length=name),
            lambda: preset(name),
            lambda: external_tokenizer(name),
            lambda: TestSet(one_system("a"), [["r"]]).system(name),
        ):
            assert len(refusal(refused)) < 500


MEGABYTE = 10**6
TEN_MEGABYTES = 10 * MEGABYTE


def corpus_score(hypothesis, reference, options):
    return evaluate(TestSet(one_system(hypothesis), [[reference]]), options).systems["A"].score


@pytest.mark.thorough
class TestLinesOfTenMegabytes:
    """Time and memory grow as the line does, except for TER, which says so."""

    def test_one_token_matches_itself_and_has_no_other_ngram(self):
        token = "x" * TEN_MEGABYTES
        score = corpus_score(token, token, BleuOptions(effective_order=True))
        assert (score.score, score.matches.tolist()) == (pytest.approx(100), [1, 0, 0, 0])
        assert corpus_score(token, token[1:], BleuOptions()).score == 0

    def test_short_words_are_clipped_to_those_of_the_reference(self):
        n_words = TEN_MEGABYTES // 3
        score = corpus_score("ab " * n_words, "ab ab ab ab ab", BleuOptions())
        assert score.matches.tolist() == [5, 4, 3, 2]
        assert score.totals.tolist() == [n_words, n_words - 1, n_words - 2, n_words - 3]
        logs = [math.log(100 * m / t) for m, t in zip(score.matches, score.totals, strict=True)]
        assert score.score == pytest.approx(math.exp(sum(logs) / 4), rel=1e-12)

    @pytest.mark.parametrize("tokenizer", TOKENIZER_NAMES)
    @pytest.mark.parametrize("unit", [".", "&amp;", "<skipped>", "-\n", "1,", "\u4f60", " "], ids=ascii)
    def test_one_unit_repeated_over_a_tenth_of_that_scores_as_itself(self, tokenizer, unit):
        line = unit * (MEGABYTE // 10 // len(unit))
        score = corpus_score(line, line, BleuOptions(tokenizer, effective_order=True))
        assert score.hypothesis_length == score.reference_length
        assert score.matches.tolist() == score.totals.tolist()
        assert score.score == pytest.approx(100 if score.hypothesis_length else 0)

    def test_chrf_of_characters_without_white_space_is_that_of_its_ngrams(self):
        line = "ab" * (MEGABYTE // 2)
        counts = evaluate_metric(TestSet(one_system(line), [[line + "c"]]), ChrfOptions(2, 1)).systems["A"].counts
        assert counts.tolist() == [[MEGABYTE, MEGABYTE + 1, MEGABYTE, MEGABYTE - 1, MEGABYTE, MEGABYTE - 1, 1, 1, 0]]

    @pytest.mark.parametrize(
        "line", ["x" * TEN_MEGABYTES, "." * TEN_MEGABYTES, " " * TEN_MEGABYTES], ids=["x", ".", " "]
    )
    def test_ter_of_one_word_or_none_is_an_edit_or_none(self, line):
        test_set = TestSet(one_system(line), [["y"]])
        assert evaluate_metric(test_set, TerOptions()).systems["A"].counts.tolist() == [[1, 1]]

    @pytest.mark.parametrize("is_reference", [False, True])
    def test_ter_of_many_words_is_refused_because_its_time_grows_with_the_square(self, is_reference):
        texts = ["a b", "ab " * (TEN_MEGABYTES // 3)]
        hypothesis, reference = texts if is_reference else texts[::-1]
        test_set = TestSet([System("A", ["a", hypothesis])], [["a", reference]])
        assert refusal(evaluate, test_set, metrics=[TerOptions()]) == (
            f"TER, {'reference' if is_reference else 'system'} 1, line 2: the text is too long for TER "
            "(found 3,333,333 words, expected at most 2,000). Split the segment, or leave TER out."
        )

    @pytest.mark.parametrize(
        ("name", "head", "tail"),
        [
            ("a.txt", "", ""),
            ("a.tsv", "ref\thyp\ny\t", "\n"),
            ("a.csv", 'ref,hyp\ny,"', '"\n'),
            ("a.xml", '<refset setid="s"><doc docid="d"><seg id="1">', "</seg></doc></refset>"),
        ],
    )
    def test_are_read_from_every_kind_of_file(self, name, head, tail):
        line = "ab " * (TEN_MEGABYTES // 3) + "é."
        *_, column = guess_roles(read(name, (head + line + tail).encode()))
        assert column.segments == (line,)

    def test_are_no_names_of_columns_whose_words_would_be_looked_up(self):
        assert role_of("reference " * 10) == "reference"
        assert role_of("reference " * 2000) is None

    @pytest.mark.parametrize(
        ("data", "problem"),
        [
            ('{"system": "A", "segment": 1, "x": ' + "1" * TEN_MEGABYTES + "}", "the line is not a JSON object"),
            ("[" * TEN_MEGABYTES, "the line is not a JSON object"),
            ("system\tsegment\tx\nA\t1\t" + "1" * TEN_MEGABYTES, "the score is not a number"),
            ("system\tsegment\tx\nA\t" + "1" * TEN_MEGABYTES + "\t1", "the segment is not a number of a segment"),
        ],
        ids=["number", "brackets", "score", "segment"],
    )
    def test_are_refused_as_scores_in_a_message_of_reasonable_length(self, data, problem):
        message = refusal(read_segment_scores, "s.tsv", data.encode())
        assert problem in message
        assert len(message) < 500


class TestSettingsOfMetrics:
    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (("13a",), "The options: these are not the settings of BLEU (found '13a', expected BleuOptions"),
            ((ChrfOptions(),), "The options: these are not the settings of BLEU (found ChrfOptions("),
        ],
    )
    def test_options_of_something_else_are_refused(self, arguments, text):
        with pytest.raises(InputError, match=f"^{re.escape(text)}"):
            evaluate(TestSet([System("a", ["x"])], [["x"]]), *arguments)

    def test_names_in_place_of_settings_are_refused(self):
        text = (
            "The metrics: these are not the settings of a metric (found 'chrf', expected one of "
            f"{', '.join(sorted(kind.__name__ for kind in REGISTERED))})."
        )
        with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
            evaluate(TestSet([System("a", ["x"])], [["x"]]), metrics=["chrf"])
