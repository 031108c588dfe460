"""Words of the source in outputs, and outputs in another language of the same letters."""

import pytest

from bleucore.checks import CHECKS
from bleucore.checks.compared_texts import Columns
from bleucore.corpus import System, TestSet

N = 60
PEOPLE = {
    "en": ["mayor", "baker", "priest", "teacher", "doctor", "judge"],
    "de": ["Meister", "Bäcker", "Pfarrer", "Lehrer", "Arzt", "Richter"],
    "zh": ["市长", "面包师", "牧师", "老师", "医生", "法官"],
}
DEEDS = {
    "en": ["sold", "seen", "kept", "left", "lost", "lent"],
    "de": ["verkauft", "gesehen", "behalten", "verlassen", "verloren", "verliehen"],
    "zh": ["卖掉", "看见", "保留", "离开", "失去", "出借"],
}
FRAMES = {
    "en": "The {} of the town has {} the old bridge in the year {}.",
    "de": "Der {} der Stadt hat im Sommer {} die alte Brücke, im Jahr {}.",
    "zh": "这个城市的{}已经{}了那座老桥，在{}年。",
}
ENGLISH, GERMAN, CHINESE = (
    [frame.format(PEOPLE[code][number % 6], DEEDS[code][number // 6 % 6], number) for number in range(N)]
    for code, frame in FRAMES.items()
)
UKRAINIAN = [f"Міський голова сказав, що в {number} році зведуть новий міст через річку" for number in range(N)]
RUSSIAN = "Мэр города сообщил, что этим летом построят ещё один мост"


def found(name, outputs, reference, source, others=()):
    systems = [System("s", outputs), *(System(str(index), other) for index, other in enumerate(others))]
    return [one.named(name) for one in CHECKS[name].observe(Columns.of(TestSet(systems, [reference], source)))]


def echoed(source, target):
    return f"{source} {target}"


def half_left(source, target):
    return target[: len(target) // 2] + source[len(source) // 2 :]


@pytest.mark.parametrize("change", [echoed, half_left])
@pytest.mark.parametrize(
    ("source", "target"), [(ENGLISH, GERMAN), (CHINESE, ENGLISH), (GERMAN, CHINESE)], ids=["en-de", "zh-en", "de-zh"]
)
@pytest.mark.parametrize("segments", [{7}, set(range(0, N, 3)), set(range(N))], ids=["one", "a third", "all"])
def test_words_of_the_source_in_outputs_are_found(change, source, target, segments):
    outputs = [change(source[i], text) if i in segments else text for i, text in enumerate(target)]
    (finding,) = found("source-words", outputs, target, source)
    assert set(finding.segments.tolist()) == segments
    assert finding.severity == ("error" if len(segments) == N else "warning" if len(segments) > 1 else "note")


@pytest.mark.parametrize(
    ("left", "is_found"), [("老桥，在7年", True), ("那座老桥", True), ("桥在年", False), ("市长", False)]
)
def test_a_few_characters_of_the_source_among_words_are_more_than_a_name(left, is_found):
    outputs = [text.replace("bridge", left) if number == 7 else text for number, text in enumerate(ENGLISH)]
    assert bool(found("source-words", outputs, ENGLISH, CHINESE)) == is_found


@pytest.mark.parametrize("place", [0, 20, 40])
def test_four_characters_of_a_chinese_source_in_an_english_output_are_found(place):
    outputs = [
        f"{text[:place]} {CHINESE[7][5:11]} {text[place:]}" if i == 7 else text for i, text in enumerate(ENGLISH)
    ]
    (finding,) = found("source-words", outputs, ENGLISH, CHINESE, others=(ENGLISH, ENGLISH, ENGLISH))
    assert finding.segments.tolist() == [7]


def test_a_short_name_in_the_characters_of_the_source_is_right():
    outputs = [f"{text} 市长" if i == 7 else text for i, text in enumerate(ENGLISH)]
    assert found("source-words", outputs, ENGLISH, CHINESE, others=(ENGLISH, ENGLISH, ENGLISH)) == []


def test_names_of_the_source_and_texts_of_one_language_are_right():
    named = [f"{text} Smith Jones" for text in GERMAN]
    assert found("source-words", named, GERMAN, [f"{text} Smith Jones" for text in ENGLISH]) == []
    assert found("source-words", ENGLISH, ENGLISH[1:] + ENGLISH[:1], ENGLISH) == []
    assert found("source-words", ENGLISH, GERMAN, None) == []


@pytest.mark.parametrize("segments", [{5}, set(range(0, N, 3))], ids=["one", "a third"])
def test_russian_among_ukrainian_is_found(segments):
    outputs = [f"{RUSSIAN} {i}" if i in segments else text for i, text in enumerate(UKRAINIAN)]
    (finding,) = found("another-language", outputs, UKRAINIAN, ENGLISH)
    assert set(finding.segments.tolist()) == segments
    assert found("another-language", UKRAINIAN, UKRAINIAN, ENGLISH) == []
    escaped = [text.replace(" ", "&nbsp;") if i == 5 else text for i, text in enumerate(UKRAINIAN)]
    assert found("another-language", escaped, UKRAINIAN, ENGLISH) == []
