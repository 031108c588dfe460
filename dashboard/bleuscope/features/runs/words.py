"""What runs say about recipes, in sentences."""

from collections.abc import Mapping, Sequence

from bleucore.experiments.claims import NO_VARIANCE, ONE_RUN_EACH, RecipeClaim, RecipeResult, RunStudy
from bleucore.experiments.design import Level, RunDesign
from bleucore.experiments.factors import FactorTable, LevelChange, RunNoise
from bleucore.experiments.recipe_contrast import UNBOUNDED
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.paper.citations import CAMERON, SATTERTHWAITE, cited
from bleuscope.content.paper.methods import Part
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, note, notes, sentence, strong, verdict

NO_RUNS = (
    "No name here marks a run. Name the files of one recipe model-seed1.txt and model-seed2.txt. Or assign systems to "
    "recipes: on the page under Runs and factors by hand, in a command with --run model-a.txt=model."
)
VARIANCE_HELP = (
    "Standard errors by their source. Items: more segments or documents reduce them. Runs, such as seeds: only more "
    "runs do."
)
RUNS_PLACEHOLDER = "model-a=model\nmodel-b=model"
RUNS_HELP = "One line per system whose name does not show its recipe: NAME=RECIPE. It overrides names."
FACTORS_HELP = (
    "Words before a level in names, such as depth in m-depth6. Words for runs, such as epoch, become factors here."
)
AXIS_HELP = "Levels are compared on the same items, with all other factors the same: prompt B against A, same model."
NOISE: Mapping[RunNoise, str] = {
    "runs": "Intervals include the variance of items and runs.",
    "residuals": "Each recipe has one run: what the factors leave unexplained stands for the variance of runs.",
    "unknown": "Each recipe has one run: intervals include the variance of items only.",
}
FOUR_TIMES, TWICE = 4.0, 2.0


def recipe_told(result: RecipeResult) -> str:
    """How many runs, their mean and their standard deviation: "3 runs: 36.1 ± 0.4"."""
    return numbers.runs_told(len(result.systems), result.mean, result.deviation)


def to_recipes_told(design: RunDesign) -> str:
    """The way from a verdict about runs to recipes."""
    recipes = numbers.counted(len(design.recipes), "recipe")
    return f"These are {numbers.counted(len(design.runs), 'run')} of {recipes}: compare the recipes"


def known_answer(study: ComparisonContext) -> Sentence | None:
    """That there are no runs to tell from; ``None`` where a recipe has several."""
    return None if study.design.has_runs else sentence("Every system has one run, so training noise is not included.")


def answer(study: RunStudy) -> Sentence | None:
    """Which recipes are significantly better than the baseline."""
    tested = [claim for claim in study.claims if claim.corrected_p_value is not None]
    if not tested:
        return None
    better = sum(study.is_significant(claim) and _is_better(study, claim) for claim in tested)
    verb = "is" if better == 1 else "are"
    told = f"{better} of {numbers.counted(len(tested), 'recipe')} {verb} significantly better than {{}}."
    return sentence(told, strong(study.baseline))


def runs_verdict(study: RunStudy, metric: str) -> Text:
    """Which recipes are significantly better or worse than the baseline."""
    tested = [claim for claim in study.claims if claim.corrected_p_value is not None]
    if not study.claims:
        (only,) = study.recipes
        return verdict(f"{{}} is the only recipe. {recipe_told(only)} {metric}.", strong(only.recipe))
    if not tested:
        return _untested_told(study, metric)
    found = [claim for claim in tested if study.is_significant(claim)]
    if study.baseline_is_best:
        told = _best_told(len(found), len(tested))
        return verdict(f"{{}} is the best recipe. It is {told}.", strong(study.baseline))
    better = sum(_is_better(study, claim) for claim in found)
    told = (
        f"{better} significantly better, {len(found) - better} significantly worse, "
        f"{len(tested) - len(found)} not significantly different."
    )
    recipes = numbers.counted(len(tested), "recipe")
    return verdict(f"{recipes} against the baseline {{}}: {told}", strong(study.baseline))


def _untested_told(study: RunStudy, metric: str) -> Text:
    if len(set(study.runs.scores.tolist())) == 1:
        score = numbers.score(float(study.runs.scores[0]))
        return verdict(f"Every run scores {score} {metric}, so there is nothing to test. Choose another metric.")
    if _has_one_run_each(study):
        return verdict("Each recipe has one run, so the tests compare these runs and say nothing about the recipes.")
    return verdict("No recipe can be tested against {}: see why below.", strong(study.baseline))


def _has_one_run_each(study: RunStudy) -> bool:
    return all(claim.reason == ONE_RUN_EACH for claim in study.claims)


def _best_told(n_beaten: int, n_others: int) -> str:
    others = "the other recipe" if n_others == 1 else "any other recipe"
    if not n_beaten:
        return f"not significantly better than {others}"
    if n_beaten == n_others:
        return f"significantly better than {others}"
    return f"significantly better than {n_beaten} of the other {n_others} recipes"


def baseline_word(study: RunStudy) -> str:
    """What the recipe is that others are compared with: the baseline that somebody named, or the best."""
    return "best recipe" if study.baseline_is_best else "baseline"


def recipe_claim_told(study: RunStudy, claim: RecipeClaim, metric: str) -> Sentence:
    """Claim 2: whether the recipe is better, in one sentence."""
    names = strong(claim.recipe), strong(claim.other)
    if claim.interval is None or claim.corrected_p_value is None:
        reason = claim.reason or "There is no test."
        return sentence(f"Recipe: {{}} against {{}} is not tested. {reason}", *names)
    told = (
        f"{numbers.difference(claim.difference)} {metric} on average (95 % CI {numbers.interval(*claim.interval)}, "
        f"p {_p_told(claim.corrected_p_value)}; {claim.n_runs[0]} and {claim.n_runs[1]} runs)"
    )
    if not study.is_significant(claim):
        return sentence(f"Recipe: no significant difference between {{}} and {{}}, {told}.", *names)
    verb = "better" if _is_better(study, claim) else "worse"
    return sentence(f"Recipe: {{}} is significantly {verb} than {{}}, {told}.", *names)


def run_claim_told(study: RunStudy, claim: RecipeClaim, metric: str) -> Sentence:
    """Claim 1: how often one run is better than one run of the other recipe, in one sentence."""
    names = strong(claim.recipe), strong(claim.other)
    if len(claim.pairs) == 1:
        pair = claim.pairs[0]
        if pair.corrected_p_value is None:
            return sentence(f"Run: {{}} against {{}} is not tested. {pair.remark or ''}", *names)
        ends = "" if pair.interval is None else f"95 % CI {numbers.interval(*pair.interval)}, "
        told = f"{numbers.difference(pair.difference)} {metric} ({ends}p {_p_told(pair.corrected_p_value)})"
        if not study.comparison.is_significant(pair):
            return sentence(f"Run: no significant difference between {{}} and {{}}, {told}.", *names)
        return sentence(
            f"Run: {{}} is significantly {'better' if claim.n_better else 'worse'} than {{}}, {told}.", *names
        )
    return sentence(
        f"Single runs: of {len(claim.pairs)} pairs, {{}} is significantly better in {claim.n_better} and worse in "
        f"{claim.n_worse}.",
        names[0],
    )


def runs_method(study: RunStudy) -> Part:
    """What to write into a paper: how recipes were compared, with citations."""
    runs = sorted({len(one.systems) for one in study.recipes})
    told = str(runs[0]) if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
    words = (
        f"Recipes ({told} {'run' if runs == [1] else 'runs'} each) were compared by their mean scores, with the "
        f"variance over {study.runs.unit}s and runs ({cited(CAMERON)}) and Satterthwaite's degrees of freedom "
        f"({cited(SATTERTHWAITE)})."
    )
    return words, (CAMERON, SATTERTHWAITE)


def exchange_told(claim: RecipeClaim) -> str:
    """The exact test next to claim 2; empty where there is none."""
    found = claim.exchange
    if found is None:
        return ""
    return (
        f"Exchange of run labels in all {numbers.count(found.n_ways)} ways: p {_p_told(found.p_value)} "
        f"(smallest possible p {numbers.p_value(found.smallest_p_value)})."
    )


def borrowed_told(claim: RecipeClaim) -> str:
    """That a recipe with one run is taken to vary as the other; empty where none is."""
    if not claim.estimate.borrows or claim.reason is not None or claim.shares_variance:
        return ""
    return "One recipe has a single run. The test assumes that its runs vary as much as those of the other recipe."


def unbounded_told(claim: RecipeClaim) -> str:
    """That two runs say too little where recipes vary differently; empty where that is not so."""
    return UNBOUNDED if claim.is_unbounded and claim.reason is None else ""


def variances_told(study: RunStudy) -> str:
    """Whether the test takes the runs of all recipes to vary alike, and why; empty of two recipes."""
    found = study.variances
    if found is None or not study.runs.has_intervals:
        return ""
    tested = f"Cochran's test, p {_p_told(found.p_value)}"
    if not found.are_alike:
        more = "vary more" if found.p_value < study.level else "seem to vary more"
        return (
            f"The runs of some recipes {more} than those of others ({tested}). So each comparison uses the variance "
            "of its own recipes if that makes p larger."
        )
    return (
        f"The test assumes that the runs of all recipes vary alike ({tested}). Their common variance has "
        f"{numbers.counted(found.n_free, 'degree')} of freedom: runs minus recipes."
    )


CLAIMS = recipe_claim_told, run_claim_told
"""Both sentences about a recipe and the baseline."""
MOST_CLAIMS = 5
"""Recipes that sentences are about; the table has all."""


def claims_told(study: RunStudy, metric: str) -> Text:
    """Both sentences about each recipe, or about the first few of many."""
    left = len(study.claims) - MOST_CLAIMS
    rest = [f"The table has {numbers.counted(left, 'more recipe')}."] if left > 0 else []
    makers = (run_claim_told,) if _has_one_run_each(study) else CLAIMS
    return notes([*(make(study, one, metric) for one in study.claims[:MOST_CLAIMS] for make in makers), *rest])


REMARKS = borrowed_told, unbounded_told, exchange_told
"""What to know of them; empty where there is nothing."""


def purchase_told(claim: RecipeClaim) -> Sentence:
    """What twice the runs, or four times the segments, would do to the interval of a difference."""
    parts = claim.estimate.parts
    now, runs, items = (parts.half_width(*more) for more in ((1.0, 1.0), (TWICE, 1.0), (1.0, FOUR_TIMES)))
    return sentence(
        f"{{}} and {{}}: the interval is ± {numbers.score(now)}. Twice the runs: ± {numbers.score(runs)}; four times "
        f"the segments: ± {numbers.score(items)}.",
        strong(claim.recipe),
        strong(claim.other),
    )


def factor_note(table: FactorTable) -> Text:
    """What the intervals of a factor contain."""
    if not table.is_between_models:
        return note(NOISE[table.noise])
    between = "No system has two levels of {}, so the systems differ between levels too."
    return note(f"{NOISE[table.noise]} {between}", table.factor)


def level_told(level: Level) -> str:
    """A level of a factor: numbers as short as they can be."""
    return f"{level:g}" if isinstance(level, float) else level


def settings_told(change: LevelChange) -> str:
    """What is the same on both sides of a change."""
    if change.settings is None:
        return "one combination" if change.n_settings == 1 else f"mean of {change.n_settings} combinations"
    return ", ".join(f"{name}={level_told(level)}" for name, level in change.settings) or "–"


def axis_told(study: RunStudy, table: FactorTable, metric: str) -> list[Sentence]:
    """Each level of a factor against the one that others are compared with, a sentence for each."""
    told = []
    held = "between different systems" if table.is_between_models else "with all other factors the same"
    for one in (level.change for level in table.levels if level.change is not None):
        names = strong(f"{table.factor}={level_told(one.level)}"), strong(f"{table.factor}={level_told(one.other)}")
        if one.interval is None or one.p_value is None:
            why = NO_VARIANCE if one.interval is not None else f"There are too few {study.runs.unit}s."
            told.append(sentence(f"{{}} against {{}} is not tested. {why}", *names))
            continue
        effect = (
            f"{numbers.difference(one.estimate.value)} {metric} {held} "
            f"(95 % CI {numbers.interval(*one.interval)}, p {_p_told(one.p_value)})"
        )
        if one.p_value >= study.level:
            told.append(sentence(f"No significant difference between {{}} and {{}}: {effect}.", *names))
            continue
        verb = "better" if (one.estimate.value > 0) == study.higher_is_better else "worse"
        told.append(sentence(f"{{}} is significantly {verb} than {{}}: {effect}.", *names))
    return told


RIGHT = "Runs right: the runs whose answer equals a reference, tokenized and cased as scored."
"""What that means, for short answers."""
LONGEST_TOLD = 30
"""Of the name of a recipe in the row of a segment, in characters."""


def right_told(counts: Sequence[tuple[int, int]]) -> str:
    """How many runs of how many got a segment right, of one recipe or of A's and B's: "A 3, B 5 of 5 runs right"."""
    if len(counts) == 1:
        return f"{_of_runs(*counts[0])} right"
    (first, n_first), (second, n_second) = counts
    if n_first == n_second:
        return f"A {first}, B {second} of {numbers.counted(n_first, 'run')} right"
    return f"A {_of_runs(first, n_first)}, B {_of_runs(second, n_second)} right"


def above_told(count: int, n_runs: int, other: str, n_others: int) -> str:
    """How many runs beat another recipe on a segment: "3 of 5 runs beat nmt-large's mean"."""
    name = other if len(other) <= LONGEST_TOLD else f"{other[: LONGEST_TOLD - 1]}…"
    verb = "beats" if n_runs == 1 else "beat"
    return f"{_of_runs(count, n_runs)} {verb} {name}" + ("'s mean" if n_others > 1 else "")


def above_heading(side: str, n_runs: int, n_others: int) -> str:
    """What the column of these numbers is called."""
    other = "B" if side == "a" else "A"
    mean = f"{other}'s mean" if n_others > 1 else other
    return f"runs {side.upper()} above {mean}, of {n_runs}"


def above_meaning(recipes: Sequence[str], runs: Sequence[Sequence[str]], metric: str) -> str:
    """What they mean, in a sentence for each side."""
    sides = zip("AB", recipes, recipes[::-1], runs[::-1], strict=True)
    said = (
        f"Runs {side}: how many runs of {own} score better in {metric} on this segment than "
        f"{f'the mean of the runs of {other}' if len(others) > 1 else other}."
        for side, own, other, others in sides
    )
    return " ".join(said)


def _of_runs(count: int, n_runs: int) -> str:
    return f"{count} of {numbers.counted(n_runs, 'run')}"


def method_words(study: RunStudy) -> str:
    """How recipes are tested, for captions of tables."""
    n_comparisons = max((one.n_comparisons for one in study.claims), default=1)
    of_pairs = ", all pairs, because the scores chose the best recipe" if study.baseline_is_best else ""
    shared = f" {variances}" if (variances := variances_told(study)) else ""
    return (
        f"Recipes: difference of mean scores, variance over {study.runs.unit}s and runs, Satterthwaite's t; corrected "
        f"for {numbers.counted(n_comparisons, 'comparison')} (Bonferroni){of_pairs if n_comparisons > 1 else ''}. "
        f"Runs: {study.comparison.options.signature()}.{shared}"
    )


def _is_better(study: RunStudy, claim: RecipeClaim) -> bool:
    return (claim.difference > 0) == study.higher_is_better


def _p_told(p_value: float) -> str:
    text = numbers.p_value(p_value)
    return text if text.startswith(("<", ">")) else f"= {text}"
