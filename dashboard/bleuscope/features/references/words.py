"""What the choice of references comes to, in sentences."""

from bleucore.robustness.references import ReferenceStudy, Subset
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.paper.citations import PAPINENI, cited
from bleuscope.content.paper.methods import Part
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, isolated, joined, notes, sentence, strong, verdict

MEAN = "mean of single references"
FLIP_HELP = "Scores equal to nine decimals count as ties. A tie reverses nothing."
SIMULATION = "One random reference per {1} in {0}, {2} times (Papineni et al. 2002, section 4.1)."
MATCHED = "Matched n-grams by the one reference that gives the match. “Several”: more than one does."
AS_SYSTEMS = "Each reference scored like a system, against the others (Papineni et al. 2002, section 4)."
GROWTH = "Mean, lowest and highest over all subsets of each size."
GROWTH_CAPTION = GROWTH
NEARNESS = "Scores against each single reference. Tied segments count in equal parts."


def references_named(subset: Subset) -> str:
    """What a subset is called: its references, or that it is the mean of them."""
    return MEAN if subset.is_mean else " + ".join(subset.references)


def verdict_of(study: ReferenceStudy) -> Text:
    """How firm the order of systems is, first of all."""
    if len(study.references) == 1:
        return verdict("{}", *study.notices[-1:])
    others = [one for one in study.singles if one.references != study.base]
    if study.n_pairs == 0:
        return verdict("There is only one system, so there is no order to change.")
    parts = [_of_subset(one, study, "Used" if place else "used") for place, one in enumerate(others)]
    base = "all references" if study.base == study.references else " + ".join(study.base)
    return verdict(
        "Against the order with {}: {}. {}.", isolated(base), joined(". ", parts), sentence(_of_draws(study))
    )


def known_answer(study: ComparisonContext) -> Sentence | None:
    """What one reference leaves open; ``None`` where there are more."""
    if len(study.test_set.references) > 1:
        return None
    return sentence("There is only one reference, so we cannot tell.")


def answer(study: ReferenceStudy) -> Sentence | None:
    """What the reference alone does that reverses most pairs."""
    if not study.n_pairs or not study.singles:
        return None
    most = max(study.singles, key=lambda one: (len(one.flips), one.significant_flips))
    if not most.flips:
        return sentence("No single reference reverses a pair.")
    told = f"Used alone, {{}} reverses {len(most.flips)} of {numbers.counted(study.n_pairs, 'pair')}, "
    told += f"{most.significant_flips or 'none'} of them significantly."
    return sentence(told, isolated(references_named(most)))


def _of_subset(one: Subset, study: ReferenceStudy, used: str) -> Sentence:
    n_flips, significant = len(one.flips), one.significant_flips
    if n_flips == 0:
        return sentence("{} alone, {} reverses no pair", used, isolated(references_named(one)))
    meant = "all within noise" if significant == 0 else f"{significant} significant on both sides"
    told = f"{used} alone, {{}} reverses {n_flips} of {numbers.counted(study.n_pairs, 'pair')}, {meant}"
    return sentence(told, isolated(references_named(one)))


def _of_draws(study: ReferenceStudy) -> str:
    draws = study.draws
    return (
        f"With one random reference per {draws.unit}, {draws.stability.flips_mean:.1f} pairs "
        f"reverse on average, and {numbers.percent(draws.stability.full_order_share)} of samples "
        "keep the whole order"
    )


def simulation_words(study: ReferenceStudy) -> str:
    """What was drawn."""
    return SIMULATION.format(study.metric_name, study.draws.unit, numbers.count(study.draws.n))


def people_words(study: ReferenceStudy) -> Text:
    """How each reference scores as a system."""
    return notes(
        sentence(
            f"{{}} against {{}}: {numbers.score(one.score)} {{}}, rank {one.rank} of {len(study.systems) + 1} with the "
            "systems.",
            strong(one.reference),
            isolated(" + ".join(one.against)),
            study.metric_name,
        )
        for one in study.held_out
    )


def references_method(study: ReferenceStudy) -> Part:
    """What to write into a paper: how firm the order of systems is, with citations."""
    draws, stability = study.draws, study.draws.stability
    alone = ", ".join(f"{len(one.flips)} ({references_named(one)})" for one in study.singles)
    significant = sum(one.significant_flips for one in study.singles)
    words = (
        f"Of {numbers.counted(study.n_pairs, 'pair')} of systems, {study.metric_name} with a single reference "
        f"reverses {alone} of the order with {' + '.join(study.base)}; {significant or 'none'} of these are "
        f"significant in both, in opposite directions. With one reference drawn at random for each {draws.unit} "
        f"({cited(PAPINENI)}; {numbers.counted(draws.n, 'draw')}), "
        f"{stability.flips_mean:.1f} pairs are flipped on "
        f"average, and {numbers.percent(stability.full_order_share)} of draws keep the whole order."
    )
    return words, (PAPINENI,)
