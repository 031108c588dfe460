"""Faults of whole columns: the right column is named, once, and columns that are alike for a reason are not."""

import random

import pytest

from bleucore.checks import check
from bleucore.corpus import System, TestSet

pytestmark = pytest.mark.thorough

N = 240
WORDS = ["".join(random.Random(number).choices("abdefgiklmnoprstu", k=6)) for number in range(2000)]
ONES = ["the", "a", "our", "this", "that", "his", "her", "every", "no", "some"]


def said(number):
    """What segment number says, in 12 to 31 words."""
    rng = random.Random(number)
    return [rng.choice(ONES), *rng.sample(WORDS, 11 + number % 20)]


def written(seed, share=0.25):
    """Texts that say the same, with a share of other words in each."""
    rng = random.Random(seed)
    return [
        " ".join(word if place == 0 or rng.random() > share else rng.choice(WORDS) for place, word in enumerate(words))
        + "."
        for words in map(said, range(N))
    ]


SYSTEMS = [written(seed) for seed in range(4)]
REFERENCE = written(9, 0.35)


def grave(systems, references=(REFERENCE,), source=None):
    """Check, kind and index of each error or warning."""
    test_set = TestSet([System(str(i), texts) for i, texts in enumerate(systems)], list(references), source)
    return [(one.check, one.kind, one.index) for one in check(test_set) if one.severity != "note"]


def struck(change):
    return [change(text, number) for number, text in enumerate(SYSTEMS[1])]


@pytest.mark.parametrize("others", [0, 3], ids=["one system", "four"])
@pytest.mark.parametrize(
    ("check_name", "change"),
    [
        ("unusual-proportions", lambda text, _: text[: 2 * len(text) // 3]),
        ("unusual-proportions", lambda text, _: " ".join(text.split()[: 2 * len(text.split()) // 3]) + "."),
        ("unusual-beginnings", lambda text, _: f"~ {text}"),
        ("unusual-beginnings", lambda text, number: f"[{number}] {text}"),
        ("unusual-beginnings", lambda text, _: f"Result {text}"),
        ("unusual-endings", lambda text, _: text.rstrip(".")),
        ("unusual-endings", lambda text, _: f"{text.rstrip('.')} ;"),
    ],
)
def test_a_fault_of_every_line_is_one_finding_about_its_column(check_name, change, others):
    systems = [struck(change), *SYSTEMS[2:], SYSTEMS[0]][: 1 + others]
    assert grave(systems) == [(check_name, "system", 0)]


@pytest.mark.parametrize(
    ("check_name", "change"),
    [
        ("unusual-proportions", lambda text: text[: 2 * len(text) // 3]),
        ("unusual-beginnings", lambda text: f"- {text}"),
        ("unusual-endings", lambda text: text.rstrip(".")),
    ],
)
def test_a_fault_of_a_reference_is_its_own(check_name, change):
    assert grave(SYSTEMS, [[change(text) for text in REFERENCE]]) == [(check_name, "reference", 0)]


def test_of_a_pair_the_column_with_the_bullets_is_named_unless_the_source_has_them():
    bulleted = [f"- {text}" for text in REFERENCE]
    source = [f"- {text[::-1]}" for text in REFERENCE]
    assert grave(SYSTEMS[:1], [bulleted]) == [("unusual-beginnings", "reference", 0)]
    assert grave(SYSTEMS[:1], [bulleted], source) == [("unusual-beginnings", "system", 0)]


def test_a_closer_finding_about_the_same_lines_stands_instead_of_that_of_the_column():
    assert grave([struck(lambda text, _: f"Translation: {text}"), *SYSTEMS[2:]]) == [("preambles", "system", 0)]


def test_labels_and_texts_of_any_length_have_no_proportion():
    rng = random.Random(1)
    labels = [rng.choice(["yes", "no"]) for _ in range(N)]
    assert "unusual-proportions" not in {name for name, *_ in grave([["maybe so"] * N, labels[::-1]], [labels])}
    free = [" ".join(rng.sample(WORDS, rng.randint(5, 60))) + "." for _ in range(N)]
    short = [" ".join(text.split()[: rng.randint(3, 40)]).rstrip(".") + "." for text in free]
    assert "unusual-proportions" not in {name for name, *_ in grave([short], [free])}


def without_a_word(texts, seed=3):
    rng = random.Random(seed)
    kept = []
    for text in texts:
        words = text.split()
        del words[rng.randrange(1, len(words) - 1)]
        kept.append(" ".join(words))
    return kept


@pytest.mark.parametrize("others", [0, 3], ids=["one system", "four"])
def test_a_reference_less_a_word_is_no_system(others):
    systems = [without_a_word(REFERENCE), *SYSTEMS[:others]]
    assert grave(systems) == [("near-references", "system", 0)]


def test_corrections_of_a_source_that_is_nearly_right_are_no_copies():
    source = without_a_word(REFERENCE, seed=4)
    assert "near-references" not in {name for name, *_ in grave([without_a_word(REFERENCE)], source=source)}


def mixed(texts, others, share=0.3, seed=5):
    rng = random.Random(seed)
    return [other if rng.random() < share else text for text, other in zip(texts, others, strict=True)]


@pytest.mark.parametrize(("copier", "origin"), [(0, 3), (3, 0), (1, 2)])
def test_a_share_of_lines_from_another_system_is_named_with_that_system(copier, origin):
    systems = [*SYSTEMS]
    systems[copier] = mixed(SYSTEMS[copier], SYSTEMS[origin])
    ((name, kind, _index),) = grave(systems)
    assert (name, kind) == ("partial-copies", "system")


def test_versions_of_one_system_are_no_copies():
    versions = [mixed(SYSTEMS[0], without_a_word(SYSTEMS[0], seed), share=0.7) for seed in (6, 7)]
    assert grave([*versions, *SYSTEMS[1:]]) == []


def test_systems_as_they_are_raise_nothing():
    assert grave(SYSTEMS) == []
    assert grave(SYSTEMS[:1]) == []


def once(change, *, of_reference=False):
    """What is said where each line of a system, or of the reference, is changed."""
    if of_reference:
        return grave(SYSTEMS, [[change(text) for text in REFERENCE]])
    return grave([[change(text) for text in SYSTEMS[0]], *SYSTEMS[1:]])


CYRILLIC = str.maketrans("abdefgiklmnoprstu", "абдефгиклмнопрсту")


@pytest.mark.parametrize("of_reference", [False, True], ids=["system", "reference"])
@pytest.mark.parametrize(
    ("check_name", "change"),
    [
        ("unusual-spacing", lambda text: text.replace(" ", "")),
        ("unusual-spacing", lambda text: " ".join(text.replace(" ", ""))),
        ("wrong-script", lambda text: text.translate(CYRILLIC)),
        ("wrong-decoding", lambda text: text.replace("a", "ä").encode().decode("latin-1")),
        ("unusual-endings", lambda text: f"{text} #de"),
        ("reversed-words", lambda text: " ".join(text.split()[::-1])),
        ("unusual-endings", lambda text: f"{text} ## -0.{len(text)}"),
        ("escaped-text", lambda text: text.replace("a", "&auml;")),
        ("subword-marks", lambda text: text.replace("a", "a@@ ")),
    ],
)
def test_the_cause_alone_is_named_and_no_other_column(check_name, change, of_reference):
    kind = "reference" if of_reference else "system"
    assert once(change, of_reference=of_reference) == [(check_name, kind, 0)]


def test_one_reference_in_another_form_is_blamed_and_not_all_systems():
    decomposed, composed = "a\u0308", "ä"
    systems = [[text.replace("a", composed) for text in texts] for texts in SYSTEMS]
    reference = [text.replace("a", decomposed) for text in REFERENCE]
    assert grave(systems, [reference]) == [("mixed-normal-forms", "reference", 0)]


def test_lines_out_of_order_are_not_found_empty_or_twice_as_well():
    shifted = ["", *REFERENCE[:-1]]
    assert grave(SYSTEMS, [shifted]) == [("shifted-lines", "reference", 0)]
    assert grave([["nan"] * N, *SYSTEMS[1:]])[0][1:] == ("system", 0)
    assert len(grave([["nan"] * N, *SYSTEMS[1:]])) == 1


@pytest.mark.parametrize("share", [0.15, 0.3, 0.5, 0.7])
def test_a_reference_that_is_often_a_system_word_for_word_is_an_error(share):
    systems = [mixed(SYSTEMS[0], REFERENCE, share=share), *SYSTEMS[1:]]
    test_set = TestSet([System(str(i), texts) for i, texts in enumerate(systems)], [REFERENCE])
    ((kind, index),) = {(one.kind, one.index) for one in check(test_set) if one.severity == "error"}
    assert (kind, index) == ("system", 0)


def test_a_reference_edited_from_a_system_is_an_error_though_many_lines_are_the_same():
    edited = mixed(without_a_word(SYSTEMS[0]), SYSTEMS[0], share=0.4)
    test_set = TestSet([System(str(i), texts) for i, texts in enumerate(SYSTEMS)], [edited])
    assert [(one.check, one.index) for one in check(test_set) if one.severity == "error"] == [("near-references", 0)]


@pytest.mark.parametrize(
    "line",
    [
        lambda number: f"00:0{number % 10}:{number % 60:02d},120 --> 00:0{number % 10}:{number % 60:02d},900",
        lambda number: f"0-0 1-{number % 7} 2-2",
        lambda number: f"news-{number // 8}",
        lambda number: f"/data/clip_{number:05d}.wav",
        lambda number: f"{(number * 7919) % 1000 / 1000:.4f}",
        lambda number: ["NN VB DT", "DT JJ NN .", "PRP VBZ RB"][number % 3],
        lambda number: [str(number // 4), "00:00:01,000 --> 00:00:04,100", f"Hello there {number}", ""][number % 4],
    ],
    ids=["times", "alignment", "documents", "paths", "scores", "tags", "subtitles"],
)
def test_a_file_that_is_no_text_is_an_error_even_where_every_file_is_one(line):
    lines = [line(number) for number in range(N)]
    assert grave([lines, *SYSTEMS[1:]]) == [("no-text", "system", 0)]
    assert grave(SYSTEMS, [lines]) == [("no-text", "reference", 0)]
    assert ("no-text", "test set", None) in grave([lines[40:] + lines[:40], lines[80:] + lines[:80]], [lines])


def test_answers_of_a_word_are_texts():
    answers = [["yes", "no", "Paris", "42"][number % 4] for number in range(N)]
    assert "no-text" not in {name for name, *_ in grave([answers, answers[::-1]], [answers])}


def answers_to_questions(seed, share=0.4):
    """Whole numbers, prices, fractions and decimals as answers, a share of them other than asked for."""
    rng, own = random.Random(3), random.Random(seed)
    asked = [
        rng.choice([f"{rng.randint(1, 99)}", f"{rng.randint(1, 9)},{rng.randint(100, 999)}", "$18.50", "-3", "1/2"])
        for _ in range(N)
    ]
    return [f"{own.randint(1, 400)}" if own.random() < share else text for text in asked]


@pytest.mark.parametrize("n_references", [1, 2])
def test_numbers_are_answers_where_the_references_are_such_numbers_too(n_references):
    references = [answers_to_questions(number, 0.3 * number) for number in range(n_references)]
    for systems in ([answers_to_questions(5)], [answers_to_questions(5), answers_to_questions(6, 0.7)]):
        test_set = TestSet([System(str(i), texts) for i, texts in enumerate(systems)], references)
        found = check(test_set)
        assert [one.severity for one in found if one.check == "no-text"] == ["note"]
        assert [one.check for one in found if one.severity != "note"] == []


def test_numbers_are_no_answers_beside_references_that_are_texts():
    assert grave([answers_to_questions(5), *SYSTEMS[1:]]) == [("no-text", "system", 0)]
    assert ("no-text", "reference", 0) in grave(SYSTEMS, [answers_to_questions(0)])


@pytest.mark.parametrize(
    "line",
    [
        lambda number: str(number + 1),
        lambda number: str(number // 7),
        lambda number: str(10**12 + number * 7919 % 10**6),
        lambda number: f"{number * 37 % 900} {number * 7919 % 30000} {number % 11}",
        lambda number: f"{number * 7919 % 60:02d}:{number * 31 % 60:02d}",
        lambda number: f"-{number * 7919 % 1000 / 300:.5f}",
    ],
    ids=["line numbers", "documents", "long ids", "ids of tokens", "times", "log probabilities"],
)
def test_numbers_that_count_name_or_rate_are_errors_beside_references_of_the_same_kind(line):
    lines = [line(number) for number in range(N)]
    assert ("no-text", "test set", None) in grave([lines, lines[3:] + lines[:3]], [lines])


CUT = ("unusual-proportions", lambda text: text[: 2 * len(text) // 3])
SIGNS = ("unusual-beginnings", lambda text: f"~ {text}")
TAGS = ("html-tags", lambda text: f"<b>{text}</b>")
PIECES = ("subword-marks", lambda text: text.replace("a", "a@@ "))
ESCAPES = ("escaped-text", lambda text: text.replace("a", "&auml;"))
TOKENS = ("special-tokens", lambda text: f"{text}</s>")
NO_STOP = ("unusual-endings", lambda text: text.rstrip("."))
PREAMBLE = ("preambles", lambda text: f"Here is the translation: {text}")


@pytest.mark.parametrize("of_reference", [False, True], ids=["system", "reference"])
@pytest.mark.parametrize(
    ("first", "second"),
    [(CUT, PIECES), (CUT, ESCAPES), (CUT, TOKENS), (CUT, SIGNS), (SIGNS, ESCAPES), (NO_STOP, SIGNS)],
    ids=lambda fault: fault[0],
)
def test_two_faults_of_one_column_are_both_reported(first, second, of_reference):
    found = once(lambda text: second[1](first[1](text)), of_reference=of_reference)
    kind = "reference" if of_reference else "system"
    assert {name for name, *place in found if place == [kind, 0]} == {first[0], second[0]}
    assert {(kind, index) for _, kind, index in found} == {(kind, 0)}


@pytest.mark.parametrize("struck_reference", [False, True], ids=["two systems", "system and reference"])
@pytest.mark.parametrize(
    ("first", "second"),
    [(CUT, TAGS), (PREAMBLE, CUT), (ESCAPES, SIGNS), (NO_STOP, SIGNS), (SIGNS, CUT)],
    ids=lambda fault: fault[0],
)
def test_faults_of_two_columns_are_each_reported_of_their_own(first, second, struck_reference):
    systems = [[first[1](text) for text in SYSTEMS[0]], *SYSTEMS[1:]]
    references = [REFERENCE]
    if struck_reference:
        references = [[second[1](text) for text in REFERENCE]]
    else:
        systems[2] = [second[1](text) for text in SYSTEMS[2]]
    other = ("reference", 0) if struck_reference else ("system", 2)
    assert sorted(grave(systems, references)) == sorted([(first[0], "system", 0), (second[0], *other)])


def test_a_fault_of_a_few_outputs_is_reported_beside_a_fault_of_the_only_reference():
    few = [" ".join(text.split()[:6]) if number % 12 == 0 else text for number, text in enumerate(SYSTEMS[0])]
    assert ("truncated-outputs", "system", 0) in grave([few, *SYSTEMS[1:]])
    found = grave([few, *SYSTEMS[1:]], [[f"- {text}" for text in REFERENCE]])
    assert {("truncated-outputs", "system", 0), ("unusual-beginnings", "reference", 0)} <= set(found)
    assert {(kind, index) for _, kind, index in found} == {("system", 0), ("reference", 0)}


@pytest.mark.parametrize("marks", ['"{}"', "„{}“", "['{}']", '{{"text": "{}"}}', "「{}」"])
@pytest.mark.parametrize("of_reference", [False, True], ids=["system", "reference"])
def test_marks_around_every_text_are_one_finding(marks, of_reference):
    assert len(once(marks.format, of_reference=of_reference)) == 1


@pytest.mark.parametrize("others", [0, 3], ids=["one system", "four"])
def test_texts_without_their_first_word_begin_with_small_letters(others):
    def capital(texts):
        return [text[:1].upper() + text[1:].replace(" a", " A") for text in texts]

    cut = [text.split(" ", 1)[1] for text in capital(SYSTEMS[0])]
    cut[:9] = map(str.lower, cut[:9])  # these have no other capital
    assert grave([cut, *map(capital, SYSTEMS[1 : 1 + others])], [capital(REFERENCE)]) == [
        ("unusual-beginnings", "system", 0)
    ]


def test_one_unrelated_system_is_no_reason_to_blame_the_reference_for_its_ends():
    unrelated = [" ".join(random.Random(10**6 + number).sample(WORDS, 12)) + "." for number in range(N)]
    assert grave([unrelated, SYSTEMS[1]]) == [("unrelated-lines", "system", 0)]


@pytest.mark.parametrize("of_reference", [False, True], ids=["system", "reference"])
def test_quotation_marks_behind_different_signs_are_one_finding(of_reference):
    def quoted(text):
        return f'"{text[:-1]}!"' if len(text) % 8 == 0 else f'"{text}"'

    assert len(once(quoted, of_reference=of_reference)) == 1


def test_outputs_that_are_lost_in_a_copy_of_a_reference_are_reported_beside_it():
    copy = ["" if number % 15 == 0 else text for number, text in enumerate(REFERENCE)]
    found = grave([copy, *SYSTEMS[1:]])
    assert {("copied-reference", "system", 0), ("empty-lines", "system", 0)} <= set(found)


def test_a_reference_in_small_letters_as_output_has_two_faults():
    reference = [text.title() for text in REFERENCE]
    systems = [[text.lower() for text in reference], *([text.title() for text in texts] for texts in SYSTEMS[1:])]
    found = grave(systems, [reference])
    assert {("near-references", "system", 0), ("letter-case", "system", 0)} <= set(found)


def umlauts(texts):
    return [text.replace("a", "ä") for text in texts]


@pytest.mark.parametrize("of_reference", [False, True], ids=["system", "reference"])
@pytest.mark.parametrize("letter", ["ae", "", "?"], ids=["spelled out", "lost", "question marks"])
def test_letters_that_a_whole_column_lacks_are_found(letter, of_reference):
    systems, reference = [*map(umlauts, SYSTEMS)], umlauts(REFERENCE)
    if of_reference:
        reference = [text.replace("ä", letter) for text in reference]
    else:
        systems[0] = [text.replace("ä", letter) for text in systems[0]]
    found = {place for _, *place in map(tuple, grave(systems, [reference])) for place in [tuple(place)]}
    assert found == {("reference" if of_reference else "system", 0)}


@pytest.mark.parametrize("of_reference", [False, True], ids=["system", "reference"])
def test_a_capital_on_every_word_of_a_column_is_found(of_reference):
    kind = "reference" if of_reference else "system"
    assert once(lambda text: text.title(), of_reference=of_reference) == [("letter-case", kind, 0)]


def test_titles_are_right_where_all_texts_are_titles():
    assert grave([[text.title() for text in texts] for texts in SYSTEMS], [[text.title() for text in REFERENCE]]) == []


def test_one_running_text_among_tokenised_ones_is_named_and_no_other():
    tokenised = [[text.replace(".", " .").replace(" a ", " , a ") for text in texts] for texts in (*SYSTEMS, REFERENCE)]
    ((name, kind, index),) = grave([SYSTEMS[0], *tokenised[1:4]], [tokenised[4]])
    assert (name, kind, index) == ("tokenised-text", "system", 0)


def test_a_fault_of_the_only_reference_is_not_reported_of_a_few_outputs():
    first, *others, reference = (
        [text[:1].upper() + text[1:].replace(" a", " A") for text in texts] for texts in (*SYSTEMS, REFERENCE)
    )
    for number in range(5, N, 45):  # small letters are right there
        first[number], reference[number] = first[number].lower(), reference[number].lower()
    assert grave([first, *others], [reference]) == []
    assert grave([first, *others], [[text.upper() for text in reference]]) == [("letter-case", "reference", 0)]


def test_a_reference_behind_its_source_is_one_of_two_columns():
    source = [" ".join(word[::-1] for word in text.split()) for text in REFERENCE]
    both = [f"{one} {other}" for one, other in zip(source, REFERENCE, strict=True)]
    assert grave(SYSTEMS, [both], source) == [("source-words", "reference", 0)]
    lengthened = [f"{text} ." for text in source]
    assert ("source-words", "reference", 0) not in grave(SYSTEMS, [lengthened], source)
