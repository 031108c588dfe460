"""A methods section in two or three sentences: what was computed, with citations, and the bibliography for it."""

from collections.abc import Sequence

from bleucore import __version__
from bleucore.evaluation import MetricEvaluation
from bleucore.metrics import MetricOptions, metric_of
from bleucore.metrics.presets import PRESETS
from bleucore.significance import BLOCK_TESTS, Correction, TestName
from bleuscope.content.comparison.study import TestedStudy
from bleuscope.content.paper.citations import (
    BENJAMINI_HOCHBERG,
    BIRD,
    CHEN_CHERRY,
    EFRON_TIBSHIRANI,
    HESTERBERG,
    HOLM,
    KOCMI,
    KOEHN_2004,
    KOEHN_2007,
    MADNANI,
    NOREEN,
    OF_METRICS,
    PAPINENI,
    POST,
    RIEZLER_MAXWELL,
    WESTFALL_YOUNG,
    WILCOXON,
    Citation,
    bibliography,
    cited,
)
from bleuscope.content.significance.significance_people import share_words
from bleuscope.content.style import numbers

Part = tuple[str, tuple[Citation, ...]]
"""Words, and what they cite."""

TOOLS: dict[str, Part] = {
    "mteval-v13a": ("NIST's mteval-v13a", ()),
    "multi-bleu": ("Moses' multi-bleu.perl", (KOEHN_2007,)),
    "ibleu": ("iBLEU", (MADNANI,)),
    "hf-evaluate": ("the metric bleu of Hugging Face's evaluate", ()),
    "torchmetrics": ("TorchMetrics' BLEUScore", ()),
    "tensor2tensor": ("Tensor2Tensor's t2t-bleu", ()),
    **{name: (f"NLTK, smoothing method {name[-1]}", (BIRD,)) for name in PRESETS if name.startswith("nltk-")},
}
"""The tools whose scores are computed under a preset that sacreBLEU's own options cannot say."""
TESTS: dict[TestName, Part] = {
    "approximate-randomisation": ("paired approximate randomisation", (NOREEN, RIEZLER_MAXWELL)),
    "paired-bootstrap": ("the paired bootstrap", (KOEHN_2004,)),
    "block-t": ("a paired t-test", ()),
    "block-wilcoxon": ("the signed-rank test", (WILCOXON,)),
    "block-sign": ("a sign test", ()),
    "sacrebleu-bs": ("the paired bootstrap of sacreBLEU", (KOEHN_2004, POST)),
}
CORRECTIONS: dict[Correction, Citation] = {
    "max-t": WESTFALL_YOUNG,
    "holm": HOLM,
    "benjamini-hochberg": BENJAMINI_HOCHBERG,
}


def methods_sentence(study: TestedStudy) -> str:
    """Sentences for a paper: the scores and what they were computed with, the tests, and what these do not say."""
    return written(sentences(study))


def bibtex(study: TestedStudy) -> str:
    """The BibTeX entries of all that the sentences cite."""
    return entries(sentences(study))


def written(parts: Sequence[Part]) -> str:
    """Sentences one after the other."""
    return " ".join(words for words, _ in parts)


def entries(parts: Sequence[Part]) -> str:
    """The BibTeX entries of all that sentences cite."""
    return bibliography(_citations(parts))


def sentences(study: TestedStudy) -> list[Part]:
    """The sentences with what they cite."""
    tests = _tests(study) if len(study.evaluation.names) > 1 else None
    intervals = _intervals(study) if study.comparison.n_units > 1 else None
    clauses = [part for part in (tests, intervals) if part is not None]
    if not clauses:
        return [_scores(study)]
    words = "; ".join(words for words, _ in clauses)
    said = [_scores(study), (f"{words[0].upper()}{words[1:]}.", _citations(clauses))]
    return said + _people(study) if study.compares else said


def source_of(options: MetricOptions) -> Citation | None:
    """Where a metric was published; ``None`` for scores that were computed elsewhere."""
    paper = metric_of(options).paper
    return None if paper is None else OF_METRICS[paper(options)]


def _people(study: TestedStudy) -> list[Part]:
    """How often people agree with a difference of the size of that of A and B: what no test of chance says."""
    (first, second), bleu = study.pair, study.evaluation.bleu
    difference = abs(bleu.systems[second].score - bleu.systems[first].score)
    share = share_words(bleu, difference)
    if not share:
        return []
    words = (
        f"That a difference is significant does not make a system better: people agree with {share} of the "
        f"differences in BLEU of the size of that between {first} and {second} ({numbers.score(difference)}; "
        f"{cited(KOCMI)})."
    )
    return [(words, (KOCMI,))]


def _scores(study: TestedStudy) -> Part:
    bleu, *others = study.evaluation.metrics.values()
    parts = [_bleu(study, bleu), *map(_metric, others)]
    words = [words for words, _ in parts]
    return f"We report {in_a_row(words)}, computed with bleuscope {__version__}.", _citations(parts)


def _bleu(study: TestedStudy, bleu: MetricEvaluation) -> Part:
    options = study.evaluation.options
    tool, of_tool = next((TOOLS[name] for name in TOOLS if PRESETS[name].options == options), ("", ()))
    details, citations = [cited(PAPINENI)], [PAPINENI, POST, *of_tool]
    if tool:
        details.append(", ".join([f"by the rules of {tool}", *map(cited, of_tool)]))
    if options.smoothing != "none":
        details.append(f"smoothing {options.smoothing}, see {cited(CHEN_CHERRY)}")
        citations.append(CHEN_CHERRY)
    details.append(f"signature {bleu.signature} after {cited(POST)}")
    return f"corpus BLEU ({'; '.join(details)})", tuple(citations)


def _metric(metric: MetricEvaluation) -> Part:
    source = source_of(metric.options)
    if source is None:
        return f"{metric.name} (segment scores that were computed elsewhere)", ()
    return f"{metric.name} ({cited(source)}; signature {metric.signature})", (source,)


def _tests(study: TestedStudy) -> Part:
    options, names = study.comparison.options, study.evaluation.names
    n_comparisons = len(study.comparison.pairs) if study.baseline is None else len(names) - 1
    name, sources = TESTS[options.test]
    sides = "" if options.test == "sacrebleu-bs" else "two-sided "
    tested = in_a_row(["BLEU", *study.others])
    between = "between systems" if n_comparisons > 1 else f"between {' and '.join(names)}"
    of_which = between if study.baseline is None else f"from {study.baseline}"
    words = f"differences in {tested} {of_which} were tested with {_with_citations(name, sources)}"
    words += f" over {_drawn(study)}, {sides}at the level of {options.level:g}"
    if options.test in BLOCK_TESTS:
        sources = (*sources, PAPINENI)
    if n_comparisons == 1:
        return words, sources
    correction = CORRECTIONS.get(options.effective_correction)
    if correction is None:
        return f"{words}, without a correction for {numbers.count(n_comparisons)} comparisons", sources
    how = " by the step-down maximum" if options.effective_correction == "max-t" else ""
    words += (
        f", with p-values corrected for {numbers.count(n_comparisons)} comparisons{how} after {correction.authors} "
    )
    return f"{words}({correction.year})", (*sources, correction)


def _drawn(study: TestedStudy) -> str:
    """What a test is over, and its draws."""
    options, n_units = study.comparison.options, study.comparison.n_units
    if options.test in BLOCK_TESTS:
        n_blocks = options.n_blocks_of(study.comparison.n_segments)
        drawn = "" if options.shuffle_seed is None else f" of segments drawn with seed {options.shuffle_seed}"
        by_document = f"{_counted(n_units, 'document')} as blocks"
        blocks = f"{_counted(n_blocks, 'block')}{drawn}" if options.unit == "segment" else by_document
        return f"{blocks} ({cited(PAPINENI)})"
    is_exchange = options.test == "approximate-randomisation"
    draws = _counted(options.n_trials, "trial") if is_exchange else _counted(options.n_resamples, "resample")
    return f"the {_counted(n_units, options.unit)} with {draws} and seed {options.seed}"


def in_a_row(words: list[str]) -> str:
    """Words with commas between them, and "and" before the last."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _counted(number: int, noun: str) -> str:
    return f"{numbers.count(number)} {noun}{'s' if number != 1 else ''}"


def _intervals(study: TestedStudy) -> Part:
    options = study.comparison.options
    ends, source = ("expanded percentiles", HESTERBERG)
    if options.test == "sacrebleu-bs":
        ends, source = ("percentiles", EFRON_TIBSHIRANI)
    sources = (source, KOEHN_2004)
    words = f"95 % confidence intervals are {ends} of {numbers.count(options.n_resamples)} bootstrap resamples of the "
    return f"{words}{options.unit}s, seed {options.seed} ({cited(*sources)})", sources


def _with_citations(words: str, citations: tuple[Citation, ...]) -> str:
    return f"{words} ({cited(*citations)})" if citations else words


def _citations(parts: Sequence[Part]) -> tuple[Citation, ...]:
    return tuple(citation for _, citations in parts for citation in citations)
