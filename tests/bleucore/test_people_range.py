"""The range of raters who agree with a difference, and every reason to say nothing, on variants of the sample."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.agreement.people_range import BANDS, PeopleRange, band_of, people_range
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.ter import TerOptions

SAMPLE = Path(__file__).parents[2] / "sample_data"
PAIR = ("neural-20k", "neural-40k")


def read(name):
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()


SOURCE, REFERENCE, OTHER_REFERENCE = read("source"), read("reference-A"), read("reference-B")
OUTPUTS = {name: read(name) for name in (*PAIR, "online", "assistant", "human")}


def found(systems=None, reference=REFERENCE, *, source=SOURCE, options=None, **known):
    """The range of the first two systems in BLEU."""
    systems = {name: OUTPUTS[name] for name in PAIR} if systems is None else systems
    test_set = TestSet([System(name, texts) for name, texts in systems.items()], [reference], source=source, **known)
    evaluation = evaluate(test_set, options)
    return people_range(evaluation, evaluation.bleu, *tuple(systems)[:2])


def doubt(systems, reference=REFERENCE, *, source=SOURCE):
    """What is doubtful about the first two systems, whatever the size of their difference."""
    test_set = TestSet([System(name, texts) for name, texts in systems.items()], [reference], source=source)
    return evaluate(test_set).kinship.doubt(*tuple(systems)[:2])


def without_words(texts, n_words, every):
    """So many words fewer at the end of every so many-th text."""
    return [
        " ".join(text.split()[: -n_words or None]) if place % every == 0 else text for place, text in enumerate(texts)
    ]


class TestRange:
    def test_of_two_versions_of_one_system_that_translates(self):
        assert found() == PeopleRange(40.0, 80.0, ("WMT22", "WMT23"))

    def test_is_the_same_either_way(self):
        assert found({name: OUTPUTS[name] for name in reversed(PAIR)}) == found()

    def test_widens_what_was_observed_and_holds_what_was_published(self):
        assert [(band.low, band.high) for band in BANDS] == [(40, 80), (60, 95), (70, 100)]
        for band in BANDS:
            assert band.low < min(band.observed.values()) <= max(band.observed.values()) < band.high
            assert band.low <= band.least < band.most <= band.high

    @pytest.mark.parametrize(
        ("size", "place"), [(0.27, None), (0.28, 0), (2.34, 0), (2.35, 1), (4.02, 1), (4.04, 2), (10, 2), (10.01, None)]
    )
    def test_has_one_band_for_each_size_either_way(self, size, place):
        wanted = None if place is None else BANDS[place]
        assert band_of(size) is band_of(-size) is wanted

    def test_follows_the_size_of_the_difference(self):
        ends, sizes = [], []
        for n_words in (1, 2, 4):
            systems = {"v1": without_words(OUTPUTS["neural-40k"], n_words, 2), "v2": OUTPUTS["neural-40k"]}
            scores = evaluate(TestSet([System(*one) for one in systems.items()], [REFERENCE])).systems
            sizes.append(scores["v2"].score.score - scores["v1"].score.score)
            ends.append(found(systems).ends)
        assert sizes[0] < 2.34 < sizes[1] < 3.9 < sizes[2] < 10
        assert ends == [(band.low, band.high) for band in BANDS]

    def test_needs_no_source_where_the_languages_are_known(self):
        assert found(source=None, languages=("de", "en-GB")).ends == (40, 80)

    def test_does_not_depend_on_the_script(self):
        """Greek letters for Latin ones: another script, as good a translation."""
        greek = str.maketrans({chr(ord("a") + place): chr(0x3B1 + place % 25) for place in range(26)})
        assert found(source=[text.lower().translate(greek) for text in SOURCE]).ends == (40, 80)

    def test_looks_at_no_more_segments_of_a_large_test_set(self):
        times = 15
        systems = {name: OUTPUTS[name] * times for name in PAIR}
        assert found(systems, REFERENCE * times, source=SOURCE * times).ends == (40, 80)


class TestSilence:
    @pytest.mark.parametrize("options", [BleuOptions(lowercase=True), BleuOptions(tokenizer="intl")])
    def test_of_bleu_with_other_settings(self, options):
        assert found(options=options) == PeopleRange(silence="metric")

    def test_of_several_references(self):
        test_set = TestSet([System(name, OUTPUTS[name]) for name in PAIR], [REFERENCE, OTHER_REFERENCE], source=SOURCE)
        evaluation = evaluate(test_set)
        assert people_range(evaluation, evaluation.bleu, *PAIR).silence == "metric"

    def test_of_other_metrics(self):
        test_set = TestSet([System(name, OUTPUTS[name]) for name in PAIR], [REFERENCE], source=SOURCE)
        evaluation = evaluate(test_set, metrics=[ChrfOptions(), TerOptions()])
        for metric in evaluation.further_metrics:
            assert people_range(evaluation, metric, *PAIR).silence == "metric"

    def test_of_differences_that_a_coin_decides_as_well(self):
        assert found({"v1": OUTPUTS["neural-40k"], "v2": OUTPUTS["neural-40k"]}).silence == "size"

    def test_of_differences_beyond_all_that_was_observed(self):
        cut = [" ".join(text.split()[: len(text.split()) // 2]) for text in OUTPUTS["neural-40k"]]
        assert found({"v1": cut, "v2": OUTPUTS["neural-40k"]}).silence == "size"

    def test_without_source_or_languages(self):
        assert found(source=None).silence == "texts"
        assert found(source=None, languages=(None, "en")).silence == "texts"

    @pytest.mark.parametrize("languages", [("en", "en"), ("en-US", "EN-gb")])
    def test_of_one_language_by_name(self, languages):
        assert found(languages=languages).silence == "texts"
        assert found(source=None, languages=languages).silence == "texts"

    @pytest.mark.parametrize("source", [OTHER_REFERENCE, OUTPUTS["human"], OTHER_REFERENCE[::-1]])
    def test_of_one_language_by_its_words(self, source):
        """A paraphrase, a correction, an answer."""
        assert found(source=source).silence == "texts"

    def test_of_source_that_is_not_that_of_the_texts(self):
        assert found(source=SOURCE[::-1]).silence == "texts"
        assert found(source=[""] * len(SOURCE)).silence == "texts"

    def test_of_summaries_in_another_language(self):
        long = [" ".join([text] * 8) for text in SOURCE]
        assert found(source=long).silence == "texts"

    def test_of_single_words_and_few_texts(self):
        words = {name: [text.split()[0] for text in OUTPUTS[name]] for name in PAIR}
        firsts = [[text.split()[0] for text in texts] for texts in (REFERENCE, SOURCE)]
        assert doubt(words, firsts[0], source=firsts[1]) == "texts"
        few = {name: OUTPUTS[name][:40] for name in PAIR}
        few[PAIR[0]] = without_words(few[PAIR[1]], 2, 4)
        assert found(few, REFERENCE[:40], source=SOURCE[:40]).silence == "texts"

    @pytest.mark.parametrize(
        "written",
        [
            lambda words: f"SELECT {' '.join(words)} FROM talk",
            lambda words: f"select {', '.join(words[:3])} from {' join '.join(words)}",
            lambda words: f"return {' + '.join(f'{word}(x)' for word in words)}",
            lambda words: "_".join(words) + " = True; " * (len(words) // 4),
            lambda words: f"find {' | '.join(words)} > out",
            lambda words: " ".join(f"<b>{word}</b>" for word in words),
            lambda words: " ".join(str(len(word) * 1000 + 1) for word in words),
        ],
    )
    def test_of_queries_programs_markup_and_numbers(self, written):
        """As long as prose and with its words, so that nothing else gives them away."""
        of_form = {
            name: [written(re.findall(r"\w+", text) or ["x"]) for text in texts]
            for name, texts in {"": REFERENCE, **{name: OUTPUTS[name] for name in PAIR}}.items()
        }
        reference = of_form.pop("")
        assert doubt(of_form, reference) == "texts"
        assert doubt({name: OUTPUTS[name] for name in PAIR}, source=reference) == "texts", "nor of what they say"

    def test_of_outputs_that_are_no_translations(self):
        worse = without_words(OUTPUTS["neural-40k"], 3, 3)
        copied = [source if place % 10 == 0 else text for place, (source, text) in enumerate(zip(SOURCE, worse))]  # noqa: B905
        assert found({"v1": copied, "v2": OUTPUTS["neural-40k"]}).silence == "texts"

    def test_of_a_reference_near_one_system(self):
        post_edited = without_words(OUTPUTS["neural-40k"], 1, 1)
        systems = {"v1": without_words(OUTPUTS["neural-40k"], 1, 2), "v2": without_words(OUTPUTS["neural-40k"], 1, 3)}
        assert found(systems, post_edited).silence == "reference"

    def test_of_a_reference_that_changes_every_line_of_one_system(self):
        systems = {"v1": without_words(OUTPUTS["neural-40k"], 2, 4), "v2": OUTPUTS["neural-40k"]}
        assert found(systems).ends == (40, 80)
        assert found(systems, [f"{text} indeed" for text in OUTPUTS["neural-40k"]]).silence == "reference"

    def test_of_a_reference_with_lines_of_any_system(self):
        mixed = [
            output if place % 10 == 0 else text
            for place, (output, text) in enumerate(zip(OUTPUTS["online"], REFERENCE, strict=True))
        ]
        systems = {name: OUTPUTS[name] for name in (*PAIR, "online")}
        assert found(systems).ends == (40, 80)
        assert found(systems, mixed).silence == "reference"

    @pytest.mark.parametrize("name", ["GPT-4o", "claude_3.5", "Llama3-8B", "my-LLM", "qwen2", "5-shot", "assistant-2"])
    def test_of_a_language_model_and_another_system(self, name):
        assert found({"base": OUTPUTS[PAIR[0]], name: OUTPUTS[PAIR[1]]}).silence == "language model"
        assert found({"llama-a": OUTPUTS[PAIR[0]], name: OUTPUTS[PAIR[1]]}).ends == (40, 80)

    def test_of_a_language_model_by_its_file(self):
        systems = [System("a", OUTPUTS[PAIR[0]]), System("b", OUTPUTS[PAIR[1]], "runs/gpt-4.txt")]
        evaluation = evaluate(TestSet(systems, [REFERENCE], source=SOURCE))
        assert people_range(evaluation, evaluation.bleu, "a", "b").silence == "language model"

    def test_of_a_language_model_by_what_it_says(self):
        chatty = [
            f"Sure, here is the translation: {text}" if place % 40 == 0 else text
            for place, text in enumerate(OUTPUTS[PAIR[1]])
        ]
        assert doubt({"a": OUTPUTS["neural-40k"], "b": OUTPUTS[PAIR[1]]}) is None
        assert doubt({"a": OUTPUTS["neural-40k"], "b": chatty}) == "language model"
        assert doubt({"a": chatty, "b": chatty}) is None

    @pytest.mark.parametrize("name", ["nova", "online-B", "transformer-base", "almanac", "Lan-Bridge"])
    def test_takes_no_other_name_for_that_of_a_language_model(self, name):
        renamed = {"base": OUTPUTS[PAIR[0]], name: OUTPUTS[PAIR[1]]}
        assert found(renamed).ends == (40, 80)

    @pytest.mark.parametrize("other", ["online", "human"])
    def test_of_systems_that_are_not_versions_of_one(self, other):
        assert doubt({"neural-40k": OUTPUTS["neural-40k"], other: OUTPUTS[other]}) == "kinship"

    def test_of_any_other_pair_of_the_sample(self):
        test_set = TestSet([System(name, texts) for name, texts in OUTPUTS.items()], [REFERENCE], source=SOURCE)
        evaluation = evaluate(test_set)
        said = [
            pair
            for pair in combinations(OUTPUTS, 2)
            if people_range(evaluation, evaluation.bleu, *pair).ends is not None
        ]
        assert said == [PAIR]


def test_kinship_belongs_to_the_texts_and_not_to_their_names():
    systems = [System(name, OUTPUTS[name]) for name in PAIR]
    evaluation = evaluate(TestSet(systems, [REFERENCE], source=SOURCE))
    assert evaluation.kinship is evaluation.kinship
    renamed = TestSet([replace(systems[0], name="gpt"), systems[1]], [REFERENCE], source=SOURCE)
    again = type(evaluation).of(renamed, [metric.named_as(renamed) for metric in evaluation.metrics.values()])
    assert people_range(evaluation, evaluation.bleu, *PAIR).ends is not None
    assert people_range(again, again.bleu, "gpt", PAIR[1]).silence == "language model"
