"""A methods section in two or three sentences: what was computed, with citations, and the bibliography for it."""

from collections.abc import Sequence

from bleucore import __version__
from bleucore.agreement.people_range import people_range
from bleucore.evaluation import MetricEvaluation
from bleucore.metrics import MetricOptions, metric_of
from bleucore.metrics.presets import PRESETS
from bleucore.significance import BLOCK_TESTS, Correction, TestName
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.comparison.unit_words import units_words
from bleuscope.content.paper.citations import (
    BELL_MCCAFFREY,
    BENJAMINI_HOCHBERG,
    BIRD,
    CARTER,
    CHEN_CHERRY,
    EFRON_TIBSHIRANI,
    HAYTER_HSU,
    HESTERBERG,
    HOLM,
    HSU_1981,
    HSU_1996,
    KOCMI,
    KOEHN_2004,
    KOEHN_2007,
    KUENSCH,
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
from bleuscope.content.significance.significance_people import campaigns_words, range_words
from bleuscope.content.significance.significance_words import are_simultaneous
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
    intervals = _intervals(study)
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
    """How often raters agreed with differences of the size of that of A and B: what no test of chance says."""
    (first, second), bleu = study.pair, study.evaluation.bleu
    found = people_range(study.evaluation, bleu, first, second)
    if found.ends is None:
        return []
    difference = abs(bleu.systems[second].score - bleu.systems[first].score)
    words = (
        f"A significant difference does not show that a system is better: in {campaigns_words(found)}, raters agreed "
        f"with {range_words(found)} of differences in BLEU as large as that between {first} and {second} "
        f"({numbers.score(difference)}; sizes after {cited(KOCMI)})."
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
    if study.comparison.why_untested is not None:
        units = _counted(study.comparison.n_units, study.comparison.units.kind)
        return f"differences in {tested} {of_which} were not tested, with {units}", ()
    words = f"differences in {tested} {of_which} were tested with {_with_citations(name, sources)}"
    words += f" over {_drawn(study)}, {sides}at the level of {options.level:g}"
    sources += (PAPINENI,) if options.test in BLOCK_TESTS else _of_units(study)
    if n_comparisons == 1:
        return words, sources
    correction = CORRECTIONS.get(options.effective_correction)
    if correction is None:
        return f"{words}, without a correction for {numbers.count(n_comparisons)} comparisons", sources
    how = " by the step-down maximum" if options.effective_correction == "max-t" else ""
    words += (
        f", with p-values corrected for {numbers.count(n_comparisons)} comparisons{how} after {correction.authors} "
    )
    words, sources = f"{words}({correction.year})", (*sources, correction)
    n_of_best = {one.n_comparisons for one in study.comparison.pairs.values() if one.family == "best"}
    if study.baseline is not None or not n_of_best:
        return words, sources
    of_best = (HSU_1981, HSU_1996)
    return f"{words}, those with the best for {n_of_best.pop()} ({cited(*of_best)})", (*sources, *of_best)


def _of_units(study: TestedStudy) -> tuple[Citation, ...]:
    """What a text cites for what is exchanged and resampled."""
    return (KUENSCH,) if study.comparison.units.kind == "block" else ()


def _drawn(study: TestedStudy) -> str:
    """What a test is over, and its draws."""
    comparison = study.comparison
    options, n_units = comparison.options, comparison.n_units
    if options.test in BLOCK_TESTS:
        n_blocks = options.n_blocks_of(comparison.n_segments)
        drawn = "" if options.shuffle_seed is None else f" of segments drawn with seed {options.shuffle_seed}"
        is_by_document = comparison.units.kind == "document"
        blocks = f"{_counted(n_units, 'document')} as blocks" if is_by_document else _counted(n_blocks, "block") + drawn
        return f"{blocks} ({cited(PAPINENI)})"
    units = _with_citations(units_words(comparison), _of_units(study))
    if comparison.n_exchanges is not None:
        return f"all {_counted(comparison.n_exchanges, 'exchange')} of the {units}"
    is_exchange = options.test == "approximate-randomisation"
    draws = _counted(options.n_trials, "trial") if is_exchange else _counted(options.n_resamples, "resample")
    return f"the {units} with {draws} and seed {options.seed}"


def in_a_row(words: list[str]) -> str:
    """Words with commas between them, and "and" before the last."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _counted(number: int, noun: str) -> str:
    return f"{numbers.count(number)} {noun}{'s' if number != 1 else ''}"


def _intervals(study: TestedStudy) -> Part | None:
    """How intervals of scores and of differences are made; ``None`` where there are none."""
    comparison = study.comparison
    options, drawn = comparison.options, comparison.drawn
    resamples = f"{numbers.count(options.n_resamples)} bootstrap resamples of the {comparison.units.kind}s"
    resamples += f", seed {options.seed}"
    if options.test == "sacrebleu-bs" and drawn.n_units > 1:
        sources = (EFRON_TIBSHIRANI, KOEHN_2004)
        return f"95 % confidence intervals are percentiles of {resamples} ({cited(*sources)})", sources
    if not drawn.has_intervals:
        return None
    ends = (HESTERBERG, *(() if comparison.units.layout is None else (CARTER,)), KOEHN_2004)
    by_percentiles: Part = f"expanded percentiles of {resamples} ({cited(*ends)})", ends
    of_scores = by_percentiles if drawn.of_scores is None else (f"by CR2 ({cited(BELL_MCCAFFREY)})", (BELL_MCCAFFREY,))
    of_differences = by_percentiles
    if len(study.evaluation.names) == 1:
        of_differences = of_scores
    elif are_simultaneous(comparison, comparison.pairs.values()):
        sources = (HAYTER_HSU, *(() if of_scores is by_percentiles else (KOEHN_2004,)))
        from_resamples = "" if of_scores is by_percentiles else f", from {resamples}"
        words = f"simultaneous for the comparisons corrected together{from_resamples} ({cited(*sources)})"
        of_differences = words, sources
    if of_scores is of_differences:
        return f"95 % confidence intervals are {of_scores[0]}", of_scores[1]
    words = f"95 % confidence intervals of scores are {of_scores[0]}, those of differences {of_differences[0]}"
    return words, (*of_scores[1], *of_differences[1])


def _with_citations(words: str, citations: tuple[Citation, ...]) -> str:
    return f"{words} ({cited(*citations)})" if citations else words


def _citations(parts: Sequence[Part]) -> tuple[Citation, ...]:
    return tuple(citation for _, citations in parts for citation in citations)
