"""Lines shifted, reordered or of another text are found and named; poor but aligned systems are not."""

import random
from pathlib import Path

import numpy as np
import pytest

from bleucore.checks import CHECKS, Shift, check
from bleucore.checks.compared_texts import Columns
from bleucore.checks.misaligned_column import mirror
from bleucore.checks.order import alignments
from bleucore.corpus import System, TestSet

SAMPLE = Path(__file__).parents[2] / "sample_data"
ORDER = ("shifted-lines", "reordered-lines", "unrelated-lines")


def lines(name):
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")


SOURCE, A, B = lines("source"), lines("reference-A"), lines("reference-B")
NEURAL, HUMAN, FLUENT, LITERAL = (lines(name) for name in ("neural-40k", "human", "fluent", "literal"))
N = len(A)


def a_test_set(*systems, references=(A,), source=None):
    return TestSet([System(str(index), column) for index, column in enumerate(systems)], references, source)


def found(name, test_set):
    return [one.named(name) for one in CHECKS[name].observe(Columns.of(test_set))]


def without(texts, start, n_lines=1):
    """The texts with lines left out, and empty ones at the end."""
    return [*texts[:start], *texts[start + n_lines :], *[""] * n_lines]


def with_more(texts, start, n_lines=1):
    """The texts with empty lines put in, and as many cut off at the end."""
    return [*texts[:start], *[""] * n_lines, *texts[start : len(texts) - n_lines]]


def nothing_wrong(test_set):
    return not any(found(name, test_set) for name in ORDER)


def test_of_a_single_segment_nothing_is_said_to_be_unrelated():
    system, reference = "the cat sat on the mat today", "the cat sat on the red mat today"
    columns = Columns.of(TestSet([System("s", [system])], [[reference]]))
    assert [*CHECKS["unrelated-outputs"].observe(columns)] == []


def test_a_line_left_out_is_named_with_its_number_and_the_amount():
    (finding,) = found("shifted-lines", a_test_set(without(NEURAL, 99)))
    assert finding.severity == "error"
    assert (finding.kind, finding.index, finding.subject) == ("system", 0, "System '0'")
    assert finding.shifts == (Shift(99, N - 1, -1),)
    assert finding.message == "116 of 216 lines look shifted against the reference: by −1 from line 100 on."
    assert finding.remedy.startswith("Look for a missing line just before line 100")
    assert finding.segments.tolist() == list(range(99, N - 1))


def test_a_line_too_many_shifts_the_other_way():
    (finding,) = found("shifted-lines", a_test_set(with_more(NEURAL, 99)))
    assert finding.shifts == (Shift(100, N, 1),)
    assert "by +1 from line 101 on" in finding.message
    assert "a line too many" in finding.remedy


@pytest.mark.parametrize("amount", range(1, 6))
@pytest.mark.parametrize("change", [without, with_more])
@pytest.mark.parametrize("texts", [NEURAL, FLUENT, LITERAL, HUMAN], ids=["neural", "fluent", "literal", "human"])
def test_every_amount_is_found_in_every_system(change, amount, texts):
    (finding,) = found("shifted-lines", a_test_set(change(texts, 60, amount), references=(A, B)))
    (shift,) = finding.shifts
    assert shift.amount == (-amount if change is without else amount)
    assert abs(shift.start - (60 if change is without else 60 + amount)) <= 2


def test_a_shift_that_a_later_line_mends_ends_there():
    mended = [*with_more(NEURAL, 50)[:120], *NEURAL[120:]]
    (finding,) = found("shifted-lines", a_test_set(mended))
    assert finding.shifts == (Shift(51, 120, 1),)
    assert "by +1 from line 52 to line 120" in finding.message


def test_a_whole_file_that_is_shifted_starts_at_its_first_line():
    (finding,) = found("shifted-lines", a_test_set(without(NEURAL, 0, 2)))
    assert finding.shifts == (Shift(0, N - 2, -2),)


def test_a_shift_in_a_test_set_of_few_lines_is_found():
    (finding,) = found("shifted-lines", a_test_set(without(NEURAL[:16], 8), references=(A[:16],)))
    assert finding.shifts[0].amount == -1


def test_a_shifted_reference_is_blamed_when_systems_agree():
    (finding,) = found("shifted-lines", a_test_set(NEURAL, FLUENT, HUMAN, references=(without(A, 99), B)))
    assert (finding.kind, finding.index, finding.subject) == ("reference", 0, "Reference 1")
    assert finding.shifts[0].amount == -1


def test_one_system_of_several_is_blamed_alone():
    (finding,) = found("shifted-lines", a_test_set(NEURAL, without(FLUENT, 99), HUMAN))
    assert (finding.kind, finding.index) == ("system", 1)


def test_the_source_tells_a_shifted_reference_from_a_shifted_system():
    for system, reference, kind in ((without(NEURAL, 99), A, "system"), (NEURAL, without(A, 99), "reference")):
        (finding,) = found("shifted-lines", a_test_set(system, references=(reference,), source=SOURCE))
        assert (finding.kind, finding.severity, finding.shifts[0].amount) == (kind, "error", -1)


def test_the_source_tells_that_all_systems_are_shifted_and_not_the_reference():
    systems = [without(texts, 99) for texts in (NEURAL, FLUENT, HUMAN)]
    with_source = found("shifted-lines", a_test_set(*systems, source=SOURCE))
    assert [(one.kind, one.index, one.shifts[0].amount) for one in with_source] == [
        ("system", index, -1) for index in range(3)
    ]
    without_source = found("shifted-lines", a_test_set(*systems))
    assert [(one.kind, one.shifts[0].amount) for one in without_source] == [("reference", 1)]


def test_a_shifted_source_is_a_warning_as_scores_do_not_depend_on_it():
    (finding,) = found("shifted-lines", a_test_set(NEURAL, FLUENT, source=without(SOURCE, 99)))
    assert (finding.kind, finding.index, finding.severity) == ("source", None, "warning")
    assert finding.shifts[0].amount == -1
    assert abs(finding.shifts[0].start - 99) <= 5


def test_a_shifted_system_that_is_much_like_one_reference_does_not_draw_that_into_blame():
    shifted = without(A, 99)
    for source in (None, SOURCE):
        (finding,) = found("shifted-lines", a_test_set(shifted, references=(A, B), source=source))
        assert (finding.kind, finding.shifts[0].amount) == ("system", -1)


def test_the_mirror_of_a_shift_is_that_of_the_other_column():
    assert mirror(Shift(10, 20, 3), 100) == Shift(7, 17, -3)
    assert mirror(Shift(0, 98, -2), 100) == Shift(2, 100, 2)
    assert mirror(mirror(Shift(10, 20, 3), 100), 100) == Shift(10, 20, 3)


@pytest.mark.parametrize("seed", [1, 2])
def test_lines_in_random_order_are_reordered(seed):
    shuffled = NEURAL[:]
    random.Random(seed).shuffle(shuffled)
    (finding,) = found("reordered-lines", a_test_set(shuffled, source=SOURCE))
    assert finding.severity == "error"
    assert len(finding.segments) > 0.9 * N
    assert found("shifted-lines", a_test_set(shuffled)) == []
    assert found("unrelated-lines", a_test_set(shuffled)) == []


def test_sorted_lines_are_reordered():
    (finding,) = found("reordered-lines", a_test_set(sorted(NEURAL), FLUENT))
    assert finding.index == 0
    assert len(finding.segments) > 0.9 * N


def test_swapped_blocks_are_reordered_and_the_lines_between_are_not():
    swapped = [*NEURAL[:30], *NEURAL[150:180], *NEURAL[60:150], *NEURAL[30:60], *NEURAL[180:]]
    (finding,) = found("reordered-lines", a_test_set(swapped))
    planted = {*range(30, 60), *range(150, 180)}
    assert len(planted & set(finding.segments.tolist())) >= 55
    assert len(set(finding.segments.tolist()) - planted) <= 5
    assert "line 31, say, fits line 151" in finding.message


def in_windows(size, seed=1):
    shuffle = random.Random(seed).sample
    return [
        index
        for start in range(0, N, size)
        for index in shuffle(range(start, min(N, start + size)), min(size, N - start))
    ]


@pytest.mark.parametrize("size", [10, 20, 40])
@pytest.mark.parametrize("others", [(), (HUMAN, FLUENT)], ids=["alone", "beside others"])
def test_lines_shuffled_in_windows_are_reordered_within_a_few_lines(size, others):
    order = in_windows(size)
    (finding,) = found("reordered-lines", a_test_set([NEURAL[index] for index in order], *others))
    moved = {index for index, home in enumerate(order) if index != home}
    assert len(moved ^ set(finding.segments.tolist())) <= 0.15 * len(moved)
    assert "singly, within " in finding.message
    assert " lines of their places" in finding.message


@pytest.mark.parametrize("documents", [None, [f"d{index // 12}" for index in range(N)]])
def test_lines_reversed_within_documents_are_told_so(documents):
    order = [index for start in range(0, N, 12) for index in reversed(range(start, min(N, start + 12)))]
    systems = [System("a", [NEURAL[index] for index in order]), System("b", HUMAN)]
    (finding,) = found("reordered-lines", TestSet(systems, [A], documents=documents))
    assert len(finding.segments) >= 0.85 * N
    where = "within their documents" if documents else "within 11 lines of their places"
    assert f"in reverse order, {where}: line " in finding.message


def test_a_shuffled_reference_is_named_itself():
    (finding,) = found(
        "reordered-lines", a_test_set(NEURAL, HUMAN, references=([A[index] for index in in_windows(20)],))
    )
    assert (finding.kind, finding.index) == ("reference", 0)


def test_lines_that_belong_far_away_are_told_so():
    (finding,) = found("reordered-lines", a_test_set(NEURAL[::-1]))
    assert "in reverse order, far from their places" in finding.message


def test_neighbours_in_each_others_place_are_reordered():
    swapped = [NEURAL[index ^ 1] for index in range(N)]
    (finding,) = found("reordered-lines", a_test_set(swapped, FLUENT, HUMAN))
    assert len(finding.segments) > 0.8 * N
    assert found("shifted-lines", a_test_set(swapped, FLUENT, HUMAN)) == []


def test_the_output_for_another_text_has_nothing_to_do_with_the_reference():
    rng = np.random.default_rng(1)
    vocabulary = " ".join(NEURAL).split()
    other = [" ".join(rng.choice(vocabulary, rng.integers(2, 40))) for _ in range(N)]
    (finding,) = found("unrelated-lines", a_test_set(other, NEURAL, source=SOURCE))
    assert (finding.severity, finding.index) == ("error", 0)
    assert "do not match the same lines of the other texts, in words or in length" in finding.message
    assert abs(float(finding.message.rstrip(".").rpartition(" ")[2])) < 0.2
    (alone,) = found("unrelated-lines", a_test_set(other))
    assert alone.kind == "system"


def test_another_language_is_told_by_lengths_that_fit():
    greek = str.maketrans("abcdefghijklmnopqrstuvwxyz", "αβψδεφγηιξκλμνοπζρστθωχυςω")
    other = [text.lower().translate(greek) for text in NEURAL]
    (finding,) = found("unrelated-lines", a_test_set(other, FLUENT))
    assert "though their lengths match" in finding.message
    assert float(finding.message.rstrip(".").rpartition(" ")[2]) > 0.9
    assert found("shifted-lines", a_test_set(other, FLUENT)) == []


def test_a_file_of_which_the_end_is_another_text_names_the_line():
    rng = np.random.default_rng(1)
    vocabulary = " ".join(NEURAL).split()
    other = [" ".join(rng.choice(vocabulary, rng.integers(2, 40))) for _ in range(N)]
    (finding,) = found("unrelated-lines", a_test_set([*NEURAL[:120], *other[120:]], FLUENT, HUMAN))
    assert abs(finding.segments[0] - 120) <= 3
    assert "from line 1" in finding.message


@pytest.mark.parametrize("texts", [NEURAL, FLUENT, LITERAL, HUMAN], ids=["neural", "fluent", "literal", "human"])
@pytest.mark.parametrize("references", [(A,), (B,), (A, B)], ids=["A", "B", "both"])
def test_aligned_systems_of_any_quality_raise_nothing(texts, references):
    assert nothing_wrong(a_test_set(texts, references=references))
    assert nothing_wrong(a_test_set(texts, references=references, source=SOURCE))


@pytest.mark.parametrize("lost", [0.3, 0.5, 0.7])
def test_systems_that_lose_most_words_raise_nothing(lost):
    rng = random.Random(1)
    poor = [" ".join(word for word in text.split() if rng.random() > lost) for text in NEURAL]
    assert nothing_wrong(a_test_set(poor, FLUENT, references=(A, B), source=SOURCE))


@pytest.mark.parametrize("wrong", [0.3, 0.5, 0.7])
def test_systems_with_most_words_wrong_raise_nothing(wrong):
    rng = random.Random(1)
    vocabulary = " ".join(NEURAL).split()
    poor = [" ".join(rng.choice(vocabulary) if rng.random() < wrong else w for w in text.split()) for text in NEURAL]
    assert nothing_wrong(a_test_set(poor, references=(A, B), source=SOURCE))


def test_chinese_is_compared_by_characters():
    rng = random.Random(1)
    characters = [chr(code) for code in range(0x4E00, 0x5200)]
    reference = ["".join(rng.choices(characters, k=rng.randint(4, 30))) + "。" for _ in range(120)]
    system = ["".join(rng.choice(characters) if rng.random() < 0.3 else c for c in text) for text in reference]
    assert nothing_wrong(a_test_set(system, references=(reference,)))
    (finding,) = found("shifted-lines", a_test_set(with_more(system, 40, 3), references=(reference,)))
    assert (finding.shifts[0].start, finding.shifts[0].amount) == (43, 3)


def test_a_reference_that_is_missing_here_and_there_is_in_place():
    sparse = [text if index % 3 else None for index, text in enumerate(B)]
    assert nothing_wrong(a_test_set(NEURAL, references=(A, sparse), source=SOURCE))


@pytest.mark.parametrize("systems", [[[""] * 12], [["the same"] * 12], [[f"{i}" for i in range(12)]], [["a"], ["b"]]])
def test_texts_that_say_nothing_raise_nothing_in_order(systems):
    references = (["the same"] * len(systems[0]),)
    assert found("shifted-lines", a_test_set(*systems, references=references)) == []
    assert found("reordered-lines", a_test_set(*systems, references=references)) == []


@pytest.mark.parametrize("n_segments", range(1, 12))
def test_test_sets_of_any_small_size_are_checked(n_segments):
    test_set = a_test_set(NEURAL[:n_segments], references=(A[:n_segments],), source=SOURCE[:n_segments])
    assert [one for one in check(test_set) if one.check in ORDER] == []


def test_the_order_of_the_systems_does_not_matter():
    columns = {"x": without(NEURAL, 99), "y": FLUENT, "z": HUMAN}
    for names in (("x", "y", "z"), ("z", "y", "x")):
        test_set = TestSet([System(name, columns[name]) for name in names], [A], SOURCE)
        (finding,) = found("shifted-lines", test_set)
        assert (finding.subject, finding.shifts) == ("System 'x'", (Shift(99, N - 1, -1),))


def test_evidence_is_high_in_place_and_low_for_lines_of_other_segments():
    texts = [*NEURAL[:50], *NEURAL[150:160], *NEURAL[60:]]
    (alignment, *_) = alignments(Columns.of(a_test_set(texts, FLUENT)))
    assert alignment.evidence[50:60].mean() < 0
    assert alignment.likeness[50:60].mean() < 0.2
    assert np.median(alignment.evidence) > 4
    assert np.median(alignment.likeness) > 0.5


@pytest.mark.parametrize("seed", [1, 2])
def test_words_shared_by_chance_do_not_make_another_text_one_in_another_order(seed):
    rng = random.Random(seed)

    def text():
        return [" ".join(f"w{int(rng.paretovariate(0.9)) % 3000}x" for _ in range(20)) for _ in range(120)]

    reference, system = text(), text()
    test_set = a_test_set(system, references=(reference,))
    assert [name for name in ORDER if found(name, test_set)] == ["unrelated-lines"]


@pytest.mark.parametrize("seed", [0, 1])
def test_another_text_of_the_same_few_words_is_not_one_in_another_order(seed):
    rng = np.random.default_rng(seed)
    words = rng.permutation([f"{a}{b}{c}" for a in "klmnprst" for b in "aeiou" for c in "klmnprst"])[:300]
    shares = 1 / np.arange(1, 301) / (1 / np.arange(1, 301)).sum()
    one, other = ([" ".join(rng.choice(words, rng.integers(4, 14), p=shares)) for _ in range(300)] for _ in range(2))
    test_set = a_test_set(one, references=(other,))
    assert [name for name in ORDER if found(name, test_set)] == ["unrelated-lines"]


class TestUnrelatedLinesOfFewWords:
    """Texts of a small vocabulary share many words by chance; where all are equally long, lengths say nothing."""

    words = tuple("".join(random.Random(number).choices("abdefgiklmnoprstu", k=6)) for number in range(15))

    def texts(self, seed, *, are_even):
        rng = random.Random(seed)
        return [" ".join(rng.choices(self.words, k=12 if are_even else rng.randint(5, 25))) for _ in range(400)]

    def version(self, texts, seed):
        """The same texts with other words in a quarter of all places."""
        rng = random.Random(seed)
        return [
            " ".join(rng.choice(self.words) if rng.random() < 0.25 else word for word in text.split()) for text in texts
        ]

    @pytest.mark.parametrize("are_even", [True, False], ids=["of one length", "of any length"])
    @pytest.mark.parametrize("n_references", [1, 2])
    @pytest.mark.parametrize("n_others", [0, 2])
    def test_are_an_error_about_their_system(self, are_even, n_references, n_others):
        said = self.texts(1, are_even=are_even)
        others = [self.version(said, number) for number in range(n_others)]
        references = [self.version(said, 10 + number) for number in range(n_references)]
        unrelated = self.texts(2, are_even=are_even)
        (finding,) = found("unrelated-lines", a_test_set(unrelated, *others, references=references))
        assert (finding.severity, finding.kind, finding.index) == ("error", "system", 0)
        assert len(finding.segments) > 380
        assert nothing_wrong(a_test_set(self.version(said, 30), *others, references=references))
