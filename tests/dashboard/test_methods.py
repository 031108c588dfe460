"""What to write into a paper: the sentences, and a bibliography of all that they cite and of nothing else."""

import re
from importlib.metadata import version

import numpy as np
import pytest

from bleucore import BleuOptions, System, TestSet
from bleucore.metrics import METRICS
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.presets import PRESETS
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.metrics.ter import TerOptions
from bleucore.options import SMOOTHING_METHODS, TOKENIZER_NAMES
from bleucore.significance import BLOCK_TESTS, CORRECTIONS, TESTS, SignificanceOptions
from bleucore.significance.settings import SHARED_DRAWS
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.paper import citations, methods
from bleuscope.content.paper.citations import Citation

QUICK = {"trials": 19, "resamples": 30}
EVERY_CITATION = [value for value in vars(citations).values() if isinstance(value, Citation)]
NEEDED = {
    "inproceedings": {"title", "author", "booktitle", "pages"},
    "article": {"title", "author", "journal", "volume", "pages"},
    "book": {"title", "author", "publisher"},
}


@pytest.fixture(scope="module")
def small():
    texts = [f"a b c d {number}" for number in range(30)]
    systems = [System(name, [text.replace("c", name) for text in texts]) for name in ("x", "y", "c")]
    return TestSet(systems, [texts], documents=[f"d{number // 5}" for number in range(30)])


def study_of(test_set, options=None, metrics=(), baseline=None, **testing):
    significance = SignificanceOptions(**QUICK | testing)
    return make_study(test_set, Settings(options or BleuOptions(), metrics, significance, baseline))


def keys_of(study):
    return re.findall(r"^@\w+\{([^,]+),$", methods.bibtex(study), re.MULTILINE)


def cited_keys(sentence):
    """The entries whose authors and year a sentence names."""
    found = set()
    for one in EVERY_CITATION:
        if re.search(rf"{re.escape(one.authors)}(?:, | \(){one.year}", sentence):
            found.add(one.key)
    return found


class TestSentence:
    def test_says_what_was_scored_and_tested_and_how(self, small):
        assert methods.methods_sentence(study_of(small, trials=10_000, resamples=1_000)) == (
            "We report corpus BLEU (Papineni et al., 2002; smoothing exp, see Chen and Cherry, 2014; signature "
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 after Post, 2018) and chrF2 (Popović, 2015; "
            "signature nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0), computed with bleuscope "
            f"{version('bleuscope')}. Differences in BLEU and chrF2 between systems were tested with paired "
            "approximate randomisation (Noreen, 1989; Riezler and Maxwell, 2005) over all 32 exchanges of the "
            "6 documents, two-sided at the level of 0.05, with p-values corrected for 3 comparisons by the step-down "
            "maximum after Westfall and Young (1993), those with the best for 2 (Hsu, 1981; Hsu, 1996); 95 % "
            "confidence intervals of scores are by CR2 (Bell and McCaffrey, 2002), those of differences simultaneous "
            "for the comparisons corrected together, from 1\u202f000 bootstrap resamples of the documents, seed 12345 "
            "(Hayter and Hsu, 1994; Koehn, 2004)."
        )

    def test_says_which_system_was_the_baseline(self, small):
        said = methods.methods_sentence(study_of(small, baseline="x"))
        assert "Differences in BLEU and chrF2 from x were tested" in said
        assert "corrected for 2 comparisons by" in said

    def test_is_three_sentences_at_most(self, small, one_system):
        for study in (study_of(small), study_of(one_system.test_set)):
            sentence = methods.methods_sentence(study)
            assert len(re.findall(r"\. [A-Z]", sentence)) <= 2
            assert sentence.endswith(".")

    def test_names_every_metric_with_its_signature(self, small):
        study = study_of(small, metrics=(ChrfOptions(), ChrfOptions(word_order=2), TerOptions()))
        sentence = methods.methods_sentence(study)
        for name, metric in study.evaluation.metrics.items():
            assert name in sentence
            assert metric.signature in sentence
        assert {"popovic-2015-chrf", "popovic-2017-chrf", "snover-etal-2006-study"} <= set(keys_of(study))

    def test_of_one_system_tests_nothing(self, small):
        alone = TestSet(small.systems[:1], small.references, documents=small.documents)
        sentence = methods.methods_sentence(study_of(alone))
        assert "tested" not in sentence
        assert sentence.endswith("95 % confidence intervals are by CR2 (Bell and McCaffrey, 2002).")

    def test_of_few_documents_has_no_test_and_no_interval(self, small):
        few = TestSet(small.systems, small.references, documents=[f"d{number // 10}" for number in range(30)])
        sentence = methods.methods_sentence(study_of(few))
        assert "between systems were not tested, with 3 documents." in sentence
        assert "interval" not in sentence

    def test_of_blocks_of_neighbours_names_their_length_and_source(self, small):
        unknown = TestSet(small.systems, small.references)
        sentence = methods.methods_sentence(study_of(unknown))
        assert "over the 15 blocks of 2 neighbouring segments (Künsch, 1989) with 19 trials" in sentence
        assert "95 % confidence intervals of scores are by CR2 (Bell and McCaffrey, 2002)" in sentence
        assert "from 30 bootstrap resamples of the blocks" in sentence

    def test_of_one_segment_has_no_interval(self):
        test_set = TestSet([System("x", ["a b"]), System("y", ["a c"])], [["a b"]])
        sentence = methods.methods_sentence(study_of(test_set))
        assert "interval" not in sentence
        assert sentence.endswith("between x and y were not tested, with 1 segment.")

    def test_says_what_a_test_is_over(self, small):
        by_document = methods.methods_sentence(study_of(small, unit="document", test="paired-bootstrap"))
        assert "over the 6 documents with 30 resamples and seed 12345, two-sided" in by_document
        exact = methods.methods_sentence(study_of(small, unit="document", trials=31))
        assert "over all 32 exchanges of the 6 documents, two-sided" in exact
        drawn = methods.methods_sentence(study_of(small, unit="document", trials=30))
        assert "over the 6 documents with 30 trials and seed 12345, two-sided" in drawn
        blocks = methods.methods_sentence(study_of(small, test="block-wilcoxon", n_blocks=7))
        assert "the signed-rank test (Wilcoxon, 1945) over 7 blocks (Papineni et al., 2002), two-sided" in blocks
        more_than_there_are = methods.methods_sentence(study_of(small, test="block-t", n_blocks=small.n_segments + 1))
        assert f"over {small.n_segments} blocks" in more_than_there_are
        documents = methods.methods_sentence(study_of(small, test="block-t", unit="document"))
        assert "a paired t-test over 6 documents as blocks (Papineni et al., 2002)" in documents
        too_small = methods.methods_sentence(study_of(small, test="sacrebleu-bs", correction="none"))
        assert "two-sided" not in too_small
        assert "intervals are percentiles of 30 bootstrap resamples of the segments" in too_small
        assert "(Efron and Tibshirani, 1993; Koehn, 2004)" in too_small
        assert "without a correction for 3 comparisons" in too_small

    def test_cites_nothing_for_scores_that_others_computed(self, small):
        rows = {"x": SystemScores(np.array([1]), np.array([0.5]), np.array([1]))}
        study = study_of(small, metrics=(SegmentScores("COMET", "comet.tsv", rows),))
        assert "COMET (segment scores that were computed elsewhere)" in methods.methods_sentence(study)
        assert keys_of(study) == keys_of(study_of(small))

    def test_keeps_names_as_they_are(self, hostile):
        name = hostile.test_set.system_names[0]
        study = study_of(hostile.test_set, baseline=name)
        assert f"Differences in BLEU and chrF2 from {name} were" in methods.methods_sentence(study)


class TestBibliography:
    @pytest.mark.parametrize("test", TESTS)
    @pytest.mark.parametrize("correction", CORRECTIONS)
    def test_holds_what_the_tests_cite_and_nothing_else(self, small, test, correction):
        study = study_of(small, test=test, correction=correction)
        assert set(keys_of(study)) == cited_keys(methods.methods_sentence(study))
        holds = {
            "noreen-1989-computer": test == "approximate-randomisation",
            "riezler-maxwell-2005-pitfalls": test == "approximate-randomisation",
            "wilcoxon-1945-individual": test == "block-wilcoxon",
            "westfall-young-1993-resampling": correction == "max-t" and test in SHARED_DRAWS,
            "holm-1979-simple": correction == "holm" or (correction == "max-t" and test not in SHARED_DRAWS),
            "benjamini-hochberg-1995-controlling": correction == "benjamini-hochberg",
        }
        assert {key: key in keys_of(study) for key in holds} == holds

    @pytest.mark.parametrize("name", PRESETS)
    def test_holds_what_a_preset_cites(self, small, name):
        study = study_of(small, PRESETS[name].options)
        assert set(keys_of(study)) == cited_keys(methods.methods_sentence(study))
        assert ("madnani-2011-ibleu" in keys_of(study)) == (name == "ibleu")
        assert ("bird-etal-2009-natural" in keys_of(study)) == name.startswith("nltk")
        assert ("chen-cherry-2014-systematic" in keys_of(study)) == (PRESETS[name].options.smoothing != "none")

    def test_names_each_entry_once_in_order(self, small):
        keys = keys_of(study_of(small, metrics=(ChrfOptions(), TerOptions()), test="paired-bootstrap"))
        assert keys == sorted(set(keys))

    @pytest.mark.parametrize("citation", EVERY_CITATION, ids=lambda one: one.key)
    def test_has_entries_that_bibtex_reads(self, citation):
        entry = citation.bibtex
        assert entry.count("{") == entry.count("}")
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE))
        assert set(fields) >= NEEDED[citation.kind] | {"year"}
        assert fields["year"] == str(citation.year) == re.search(r"\d{4}", citation.key)[0]
        first = citation.authors.split()[0]
        accents = {"ć": "{\\'c}", "š": "{\\v{s}}", "ü": '{\\"u}'}
        assert first.translate(str.maketrans(accents)) in fields["author"]
        assert entry.isascii()
        assert re.fullmatch(r"\d+--\d+", fields.get("pages", "1--2"))
        assert re.fullmatch(r"10\.\d{4,5}/\S+", fields.get("doi", "10.1234/x"))

    def test_has_every_publication_once(self):
        assert len({one.key for one in EVERY_CITATION}) == len(EVERY_CITATION) > 10


def test_every_test_and_correction_has_words():
    assert set(methods.TESTS) == set(TESTS)
    assert set(methods.TESTS) > set(BLOCK_TESTS)
    assert set(methods.CORRECTIONS) == set(CORRECTIONS) - {"none"}


def test_every_paper_that_a_metric_names_can_be_cited_and_every_one_that_can_is_named():
    published = {kind: metric for kind, metric in METRICS.items() if metric.paper is not None}
    assert {BleuOptions, ChrfOptions, TerOptions} <= set(published)
    asked = [kind() for kind in published]
    asked += [options for metric in published.values() for options in metric.offered.values()]
    assert {METRICS[type(options)].paper(options) for options in asked} == set(citations.OF_METRICS)


def test_every_preset_that_is_not_sacrebleus_names_its_tool():
    own = set(BleuOptions.__dataclass_fields__) - {"tokenizer", "lowercase", "smoothing", "smoothing_value"}
    for name, preset in PRESETS.items():
        options = preset.options
        is_sacrebleus = (
            options.tokenizer in TOKENIZER_NAMES
            and options.smoothing in SMOOTHING_METHODS
            and options.lowercase != "ascii"
            and all(getattr(options, field) == getattr(BleuOptions, field) for field in own)
        )
        assert is_sacrebleus != (name in methods.TOOLS)
