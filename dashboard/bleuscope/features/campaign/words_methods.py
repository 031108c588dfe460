"""A campaign in sentences for a paper, with the bibliography."""

from bleucore import __version__
from bleucore.significance.settings import USUAL_BLOCKS
from bleuscope.content.paper import methods
from bleuscope.content.paper.citations import (
    BENJAMINI_HELLER,
    CAMERON,
    DEMSAR,
    DROR,
    EDGINGTON_ONGHENA,
    EFRON_TIBSHIRANI,
    FRIEDMAN,
    HESTERBERG,
    KOEHN_2004,
    NOREEN,
    POST,
    SATTERTHWAITE,
    cited,
)
from bleuscope.content.paper.methods import CORRECTIONS, Part
from bleuscope.content.style import numbers
from bleuscope.features.campaign.view import CampaignView


def methods_parts(view: CampaignView) -> list[Part]:
    """The sentences with what they cite."""
    return [_scores(view), *_within(view), *([_OF_RUNS] if view.has_runs else []), *_over_all(view)]


def methods_sentence(view: CampaignView) -> str:
    """What was computed, in sentences for a paper."""
    return methods.written(methods_parts(view))


def bibtex(view: CampaignView) -> str:
    """The BibTeX entries of all that the sentences cite."""
    return methods.entries(methods_parts(view))


def _scores(view: CampaignView) -> Part:
    signatures = sorted({one.signature for one in view.sets})
    source = methods.source_of(view.scoring)
    sources = (POST,) if source is None else (source, POST)
    cites = "" if source is None else f"{cited(source)}; "
    several = "s" if len(signatures) > 1 else ""
    words = (
        f"We report {view.metric} ({cites}signature{several} {', '.join(signatures)} after {cited(POST)}) of "
        f"{numbers.counted(len(view.systems), 'system')} on {numbers.counted(len(view.sets), 'test set')}, computed "
        f"with bleuscope {__version__}."
    )
    return words, sources


def _within(view: CampaignView) -> list[Part]:
    """The tests by exchange or resampling within test sets; the level alone where every pair is of recipes."""
    options = view.sets[0].options
    if view.has_runs and not view.has_single_pairs:
        return [(f"Differences count as significant if p is below {options.level:g}.", ())]
    units = " or ".join(sorted({one.unit for one in view.sets}))
    correction = CORRECTIONS.get(options.effective_correction)
    how = f", corrected within each test set after {correction.authors} ({correction.year})" if correction else ""
    test, sources = methods.TESTS[options.test]
    tested = f"{test} ({cited(*sources)})" if sources else test
    sides = "" if options.test == "sacrebleu-bs" else ", two-sided"
    ends = EFRON_TIBSHIRANI if options.test == "sacrebleu-bs" else HESTERBERG
    of_what = " of two single runs" if view.has_runs else ""
    words = (
        f"Within each test set, differences{of_what} were tested with {tested} over {_drawn(view, units)}{sides} "
        f"at the level of {options.level:g}{how}; 95 % confidence intervals are of "
        f"{numbers.count(options.n_resamples)} bootstrap resamples ({cited(ends, KOEHN_2004)})."
    )
    return [(words, (*sources, ends, KOEHN_2004, *([correction] if correction else [])))]


def _drawn(view: CampaignView, units: str) -> str:
    """What the tests are over, and their draws."""
    options = view.sets[0].options
    if options.test == "approximate-randomisation":
        return f"{units}s with {numbers.counted(options.n_trials, 'trial')}"
    if options.n_draws is not None:
        return f"{units}s with {numbers.counted(options.n_resamples, 'resample')}"
    of_segments = (
        f"{numbers.counted(options.n_blocks or USUAL_BLOCKS, 'block')} of segments"
        if options.block_size is None
        else f"blocks of {numbers.counted(options.block_size, 'segment')}"
    )
    return {"document": "documents as blocks", "segment": of_segments}.get(units, f"documents or {of_segments}")


_OF_RUNS: Part = (
    "Recipes with several runs were compared by Student's t on the means of their runs. Its variance is over segments "
    f"and runs ({cited(CAMERON)}), with Satterthwaite's degrees of freedom ({cited(SATTERTHWAITE)}).",
    (CAMERON, SATTERTHWAITE),
)


def _over_all(view: CampaignView) -> list[Part]:
    campaign = view.campaign
    if len(view.systems) == 1 or len(view.sets) == 1:
        return []
    n_pairs = campaign.n_tested
    correction = CORRECTIONS.get(campaign.correction)
    corrected = f", corrected for {numbers.counted(n_pairs, 'pair')}" if n_pairs > 1 else ""
    after = f" after {correction.authors} ({correction.year})" if correction and n_pairs > 1 else ""
    by_correction = [correction] if correction and n_pairs > 1 else []
    of_trials: Part = (
        f"Over all test sets, the mean difference of two {'single runs' if view.has_runs else 'systems'} was tested by "
        f"stratified randomisation ({cited(NOREEN, EDGINGTON_ONGHENA)}), outputs being exchanged within each test set, "
        f"{numbers.counted(campaign.n_trials, 'trial')}{'' if view.has_runs else corrected + after}.",
        (NOREEN, EDGINGTON_ONGHENA, *([] if view.has_runs else by_correction)),
    )
    combined = [of_trials] if view.has_single_pairs else []
    if view.has_runs:
        combined.append(("Over all test sets, a recipe counts with the runs that are on each of them.", ()))
        if n_pairs > 1:
            told = f"All p-values over all test sets were corrected for {numbers.counted(n_pairs, 'pair')}{after}."
            combined.append((told, tuple(by_correction)))
    how = "Bonferroni" if campaign.conjunction == "bonferroni" else "Fisher"
    counted: Part = (
        "The number of test sets on which one system is better than another is that of replicability analysis "
        f"({cited(DROR)}), by partial conjunctions ({cited(BENJAMINI_HELLER)}) after {how}.",
        (DROR, BENJAMINI_HELLER),
    )
    found = [*combined, counted]
    if campaign.ranks is not None and campaign.ranks.p_value is not None:
        found.append(
            (
                f"Mean ranks are over {numbers.counted(campaign.ranks.n_sets, 'test set')}, with Friedman's test "
                f"({cited(FRIEDMAN)}) and the critical difference of Nemenyi ({cited(DEMSAR)}).",
                (FRIEDMAN, DEMSAR),
            )
        )
    return found
