"""A signature is a contract: under the same signature stands the number that sacreBLEU gives.

Strings score as sacreBLEU's classes have it, lines of files as its command: the command strips the end of each line.
"""

import json
import random
import subprocess
import sys
from dataclasses import asdict, replace
from itertools import permutations

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

from bleucore import BleuOptions, ChrfOptions, System, TerOptions, TestSet, evaluate
from bleucore.evaluation import evaluate_metric
from bleucore.formats.assembly import assemble
from bleucore.formats.reading import read
from bleucore.options import DEFAULT_SMOOTHING_VALUES, SMOOTHING_METHODS, TOKENIZER_NAMES
from bleuscope.cli.score_command import score_command

PIECES = ["a", "b", "A", "the", "'s", "'", ".", ",", "-", "1", "1.5", "(", "!", "&amp;", "&quot;", "<skipped>"]
PIECES += ["\u0130", "\u03a3", "e\u0301", "\U0001f44d", "\u4e2d", "\u6587", "\u30ab", "\u3042", "\uff0c", "\u3001"]
BLANKS = [" ", "  ", "\t", "\u3000", "\u00a0", "\u2028", "\x1c", "\u200b"]
LINES = st.lists(st.sampled_from([*PIECES, *BLANKS, *[" "] * 8]), max_size=14).map("".join)
AT_ENDS = ["\r", "\n", "\f", "\v", "\x1c", "\x85", "\u2028", "\u2029", "\ufeff", " ", "\u3000", "\t"]
ANY_PLANE = st.text(st.characters(codec="utf-8") | st.sampled_from([*AT_ENDS, "a", "b", "."]), max_size=10)
"""Of all of Unicode, where much is white space of some kind."""


@st.composite
def bleu_options(draw):
    smoothing = draw(st.sampled_from(SMOOTHING_METHODS))
    values = [None, 0, 0.1, 1, 2.5, 0.001] if smoothing in DEFAULT_SMOOTHING_VALUES else [None]
    return BleuOptions(
        draw(st.sampled_from([*TOKENIZER_NAMES, "ja-mecab", "ko-mecab"])),
        draw(st.booleans()),
        draw(st.sampled_from([4, 4, 4, 1, 6])),
        smoothing,
        draw(st.sampled_from(values)),
        draw(st.booleans()),
    )


CHRF_OPTIONS = st.builds(ChrfOptions, st.integers(1, 7), st.integers(0, 3), st.integers(0, 3), *[st.booleans()] * 3)
TER_OPTIONS = st.builds(TerOptions, *[st.booleans()] * 4)
ANY_OPTIONS = bleu_options() | CHRF_OPTIONS | TER_OPTIONS


@st.composite
def texts(draw, lines=LINES | ANY_PLANE):
    """Hypotheses, and one to three reference columns of which the first has no gaps."""
    rows = draw(st.lists(st.tuples(lines, lines, st.none() | lines, st.none() | lines), min_size=1, max_size=4))
    hypotheses, *references = (list(column) for column in zip(*rows, strict=True))
    return hypotheses, references[: draw(st.integers(1, 3))]


def sacrebleu_metric(options):
    if isinstance(options, ChrfOptions):
        return CHRF(**asdict(options))
    if isinstance(options, TerOptions):
        return TER(**asdict(options))
    return BLEU(
        lowercase=options.lowercase,
        tokenize=options.tokenizer,
        smooth_method=options.smoothing,
        smooth_value=options.smoothing_value,
        max_ngram_order=options.max_order,
        effective_order=options.effective_order,
    )


def as_lines(column):
    """As sacreBLEU's command reads lines of a file."""
    return [None if text is None else text.rstrip() for text in column]


@pytest.mark.parametrize("are_lines", [False, True], ids=["strings, as its class", "lines, as its command"])
@given(columns=texts(), options=ANY_OPTIONS)
def test_the_same_signature_is_the_same_number(are_lines, columns, options):
    hypotheses, references = columns
    ours = evaluate_metric(TestSet([System("one", hypotheses)], references, are_lines=are_lines), options)
    metric = sacrebleu_metric(options)
    given_to = as_lines if are_lines else list
    theirs = metric.corpus_score(given_to(hypotheses), [given_to(column) for column in references])
    is_sayable = not isinstance(options, BleuOptions) or (
        options.max_order == 4 and options.effective_smoothing_value != 0.001
    )
    assert (ours.name, ours.signature == str(metric.get_signature())) == (theirs.name, is_sayable)
    assert ours.systems["one"].score == pytest.approx(theirs.score, abs=1e-9)


@pytest.mark.parametrize(("are_lines", "expected"), [(False, 90.96312), (True, 100.0)])
def test_chrf_counts_white_space_at_the_end_of_a_string_and_not_of_a_line(are_lines, expected):
    test_set = TestSet([System("one", ["the cat \n"])], [["the cat"]], are_lines=are_lines)
    found = evaluate_metric(test_set, ChrfOptions(whitespace=True)).systems["one"]
    assert (found.score, *found.segment_scores) == pytest.approx((expected, expected), abs=1e-5)


COMMANDS = {
    "bleu": BleuOptions(),
    "bleu -tok none": BleuOptions("none"),
    "bleu -tok intl -lc": BleuOptions("intl", lowercase=True),
    "chrf --chrf-whitespace": ChrfOptions(whitespace=True),
    "chrf --chrf-word-order 2": ChrfOptions(word_order=2),
    "ter": TerOptions(),
    "ter --ter-normalized --ter-asian-support": TerOptions(normalized=True, asian_support=True),
}


SACREBLEU = """
import json, os, sys
from sacrebleu.sacrebleu import main
for words in json.load(sys.stdin):
    process = os.fork()
    if not process:
        sys.argv = ["sacrebleu", *words]
        main()
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(process, 0)[1]:
        sys.exit(f"sacrebleu {words}")
    print(end="\\0", flush=True)
"""
LINE_ENDS = ("\n", " \r\n")


def told_by_sacrebleu(commands):
    """What its command prints for each list of arguments, each in a process of its own; imported once for all."""
    run = [sys.executable, "-c", SACREBLEU]
    told = subprocess.run(run, input=json.dumps(commands), check=True, capture_output=True, text=True).stdout
    return told.split("\0")[:-1]


@pytest.fixture(scope="module")
def of_all_planes(tmp_path_factory):
    """Files of any texts by line end, and what sacreBLEU's command says of the corpus and of each segment."""
    columns = dict(zip(("hypothesis", "reference"), lines_of_all_planes(300), strict=True))
    files, commands = {}, {}
    for line_end in LINE_ENDS:
        folder = tmp_path_factory.mktemp("texts")
        files[line_end] = {role: folder / f"{role[:3]}.txt" for role in columns}
        for role, path in files[line_end].items():
            path.write_bytes("".join(text + line_end for text in columns[role]).encode())
        hypothesis, reference = map(str, files[line_end].values())
        for command in COMMANDS:
            words = [reference, "-i", hypothesis, "-m", *command.split(), "-b", "-w", "12"]
            commands[line_end, command] = [words, [*words, "--sentence-level"]]
    told = iter(told_by_sacrebleu([words for both in commands.values() for words in both]))
    return files, {key: [[float(one) for one in next(told).split()] for _ in both] for key, both in commands.items()}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("line_end", LINE_ENDS, ids=ascii)
def test_files_of_any_texts_score_as_by_sacrebleus_command(command, line_end, of_all_planes):
    files, told = of_all_planes
    ours = evaluate_metric(
        assemble([replace(*read(path.name, path.read_bytes()), role=role) for role, path in files[line_end].items()]),
        COMMANDS[command],
    ).systems["hyp"]
    (theirs,), of_segments = told[line_end, command]
    assert ours.score == pytest.approx(theirs, abs=1e-9)
    assert ours.segment_scores == pytest.approx(of_segments, abs=1e-9)


def lines_of_all_planes(number):
    """Lines and others like them: a third of their characters from anywhere, a third of white space."""
    rng = random.Random(29)
    anywhere = [chr(plane << 16 | rng.randrange(0x21, 0xD800)) for plane in range(17) for _ in range(9)]
    pieces = [*anywhere, *[one for one in AT_ENDS if one != "\n"] * 12, *"ab.,A'" * 25]
    lines = ["".join(rng.choices(pieces, k=rng.randrange(12))) for _ in range(number)]
    others = [rng.choice(AT_ENDS[2:]) + line[rng.randrange(3) :] + rng.choice(AT_ENDS[2:]) for line in lines]
    return ["A first line.", *lines], ["The first line.", *others]


@given(texts(), ANY_OPTIONS)
def test_the_signature_of_segments_is_that_of_their_scores(columns, options):
    hypotheses, references = ([*column, column[0]] for column in (columns[0], columns[1][0]))
    ours = evaluate_metric(TestSet([System("one", hypotheses)], [references]), options)
    metric = sacrebleu_metric(options)
    if isinstance(options, BleuOptions):
        metric.effective_order = True
    rows = zip(hypotheses, references, strict=True)
    expected = [metric.sentence_score(text, [reference]).score for text, reference in rows]
    assert ours.systems["one"].segment_scores == pytest.approx(expected, abs=1e-9)
    if "order:" not in ours.signature and "[0.001]" not in ours.signature:
        assert ours.segment_signature == str(metric.get_signature())


def file_of(folder, name, lines):
    path = folder / name
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    return str(path)


def test_the_command_gives_what_sacrebleus_gives_for_the_same_files(tmp_path):
    lines = ["In his 40's, I was out. ", " the cat\u3000", "\tTom's hat.\t", "", "a b\u00a0", "\u4e2d\u6587, 3.5 "]
    hypothesis = file_of(tmp_path, "hyp.txt", lines)
    references = [file_of(tmp_path, "a.txt", [*lines[1:], "out."]), file_of(tmp_path, "b.txt", [*lines[:-1], "x  "])]
    asked = (
        (["bleu", "chrf", "ter"], []),
        (["chrf"], ["--chrf-whitespace", "--chrf-word-order", "2"]),
        (["ter"], ["--ter-normalized", "--ter-asian-support"]),
    )
    all_told = told_by_sacrebleu(
        [[*references, "-i", hypothesis, "-m", *metrics, *options, "-w", "12"] for metrics, options in asked]
    )
    for (metrics, options), told in zip(asked, map(json.loads, all_told), strict=True):
        given = [hypothesis, "-r", references[0], "-r", references[1], "-m", ",".join(metrics), *options]
        ran = CliRunner().invoke(score_command, [*given, "--format", "json"], catch_exceptions=False)
        found = json.loads(ran.stdout)
        scores = {"BLEU": found["systems"][0]["bleu"], **found["systems"][0].get("metrics", {})}
        signatures = {"BLEU": found["signature"], **found.get("signatures", {})}
        for one in told if isinstance(told, list) else [told]:
            assert one["signature"] == signatures[one["name"]], options
            assert one["score"] == pytest.approx(scores[one["name"]], abs=1e-9), options


def test_the_signature_beside_segment_scores_is_theirs():
    test_set = TestSet([System("one", ["a b"])], [["a b"]])
    evaluation = evaluate(test_set, metrics=[ChrfOptions()])
    bleu, chrf = evaluation.metrics.values()
    assert bleu.segment_signature == bleu.signature.replace("eff:no", "eff:yes")
    assert chrf.segment_signature == chrf.signature


class TestTheOrderOfReferences:
    """The first of equally good references counts, and another order is another number under the same signature."""

    HYPOTHESES = ("ab", "the cat sat")
    REFERENCES = (("xy", "the cat"), ("xyz", "a cat sat"))

    def chrf(self, references, names=None):
        test_set = TestSet([System("one", self.HYPOTHESES)], references, reference_names=names)
        return evaluate_metric(test_set, ChrfOptions())

    def test_changes_chrf_here_as_in_sacrebleu(self):
        scores = [self.chrf(references).systems["one"].score for references in permutations(self.REFERENCES)]
        assert abs(scores[0] - scores[1]) > 1
        expected = [
            CHRF().corpus_score(self.HYPOTHESES, references).score for references in permutations(self.REFERENCES)
        ]
        assert scores == pytest.approx(expected, abs=1e-9)

    @given(texts(), CHRF_OPTIONS)
    def test_gives_sacrebleus_number_for_each_order(self, columns, options):
        hypotheses, references = as_lines(columns[0]), [as_lines(column) for column in columns[1]]
        for ordered in permutations(references):
            ours = evaluate_metric(TestSet([System("one", hypotheses)], ordered), options).systems["one"].score
            assert ours == pytest.approx(CHRF(**asdict(options)).corpus_score(hypotheses, ordered).score, abs=1e-9)

    @given(texts(), bleu_options() | TER_OPTIONS)
    def test_changes_neither_bleu_nor_ter(self, columns, options):
        found = [
            evaluate_metric(TestSet([System("one", columns[0])], ordered), options)
            for ordered in permutations(columns[1])
        ]
        assert [one.systems["one"].score for one in found] == pytest.approx(
            [found[0].systems["one"].score] * len(found)
        )
        assert {one.remarks for one in found} == {()}

    def test_is_named_beside_chrf_of_several_references(self):
        said = "chrF2 takes the first of equally good references, so their order counts: here "
        assert self.chrf(self.REFERENCES, ["B", "A"]).remarks == (f"{said}B, A.",)
        assert self.chrf(self.REFERENCES[:1]).remarks == ()
        seven = self.chrf([self.REFERENCES[0]] * 7, list("GFEDCBA"))
        assert seven.remarks == (f"{said}G, F, E, D, C and 2 more.",)

    def test_is_named_beside_bleu_whose_first_of_two_close_lengths_counts(self):
        test_set = TestSet([System("one", self.HYPOTHESES)], self.REFERENCES)
        first = evaluate_metric(test_set, BleuOptions(length_tie="first"))
        assert first.remarks[0].startswith("BLEU takes the first of equally good references")
        assert evaluate_metric(test_set, BleuOptions(length_tie="first", reference_length="average")).remarks == ()
