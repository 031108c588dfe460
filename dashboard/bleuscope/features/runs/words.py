"""What runs say about recipes, in sentences."""

from bleucore.experiments.claims import RecipeClaim, RecipeResult, RunStudy
from bleucore.experiments.design import Level, RunDesign
from bleucore.experiments.factors import FactorTable, LevelChange
from bleuscope.content.paper.citations import CAMERON, SATTERTHWAITE, cited
from bleuscope.content.paper.methods import Part
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, note, sentence, strong, verdict

NO_RUNS = (
    "No name tells a run here. Name the files model-seed1.txt and model-seed2.txt, or call "
    "bleuscope runs with --run model-a.txt=model --run model-b.txt=model."
)
VARIANCE_HELP = (
    "Items: the sampled segments or documents, which more segments reduce. Runs: seeds and the like, which only more "
    "runs reduce."
)
RUNS_PLACEHOLDER = "model-a=model\nmodel-b=model"
RUNS_HELP = "A line for each system that no name tells: NAME=RECIPE. It comes before what names tell."
FACTORS_HELP = (
    "Words that stand before a level in names: depth, of m-depth6. A word for runs, as epoch, is a factor then."
)
AXIS_HELP = "Levels are compared on the same items, with all other factors the same: prompt B against A, same model."
FOUR_TIMES, TWICE = 4.0, 2.0


def recipe_told(result: RecipeResult) -> str:
    """How many runs, their mean and their standard deviation: "3 runs: 36.1 ± 0.4"."""
    return numbers.runs_told(len(result.systems), result.mean, result.deviation)


def to_recipes_told(design: RunDesign) -> str:
    """The way from a verdict about runs to recipes."""
    recipes = numbers.counted(len(design.recipes), "recipe")
    return f"These are {numbers.counted(len(design.runs), 'run')} of {recipes}: compare the recipes"


def runs_verdict(study: RunStudy, metric: str) -> Text:
    """Which recipes are significantly better or worse than the baseline."""
    tested = [claim for claim in study.claims if claim.corrected_p_value is not None]
    if not study.claims:
        (only,) = study.recipes
        return verdict(f"{{}} is the only recipe. {recipe_told(only)} {metric}.", strong(only.recipe))
    if not tested:
        return verdict("No recipe can be tested against {}: see why below.", strong(study.baseline))
    found = [claim for claim in tested if study.is_significant(claim)]
    better = sum(_is_better(study, claim) for claim in found)
    told = f"{better} significantly better, {len(found) - better} significantly worse, {len(tested) - len(found)} open."
    recipes = numbers.counted(len(tested), "recipe")
    return verdict(f"{recipes} against the baseline {{}}: {told}", strong(study.baseline))


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
    n_open = len(claim.pairs) - claim.n_better - claim.n_worse
    return sentence(
        f"Single runs: of {len(claim.pairs)} pairs, {{}} is significantly better in {claim.n_better} and worse in "
        f"{claim.n_worse}; {n_open} {'is' if n_open == 1 else 'are'} open.",
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
        f"Exchange of run labels: p {_p_told(found.p_value)} of {numbers.count(found.n_ways)} ways "
        f"(smallest possible p {numbers.p_value(found.smallest_p_value)})."
    )


def borrowed_told(claim: RecipeClaim) -> str:
    """That a recipe with one run is taken to vary as the other; empty where none is."""
    if not claim.estimate.borrows or claim.reason is not None:
        return ""
    return "One recipe has a single run. The test assumes that its runs vary as much as those of the other recipe."


CLAIMS = recipe_claim_told, run_claim_told
"""Both sentences about a recipe and the baseline."""
REMARKS = borrowed_told, exchange_told
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
    if table.noise == "runs":
        return note("Intervals include the variance of items and runs.")
    if table.noise == "residuals":
        return note("Each recipe has one run: what the factors leave unexplained stands for the variance of runs.")
    return note("Each recipe has one run: intervals include the variance of items only.")


def level_told(level: Level) -> str:
    """A level of a factor: numbers as short as they can be."""
    return f"{level:g}" if isinstance(level, float) else level


def settings_told(change: LevelChange) -> str:
    """What is the same on both sides of a change."""
    if change.settings is None:
        return f"mean of {numbers.counted(change.n_settings, 'combination')}"
    return ", ".join(f"{name}={level_told(level)}" for name, level in change.settings) or "–"


def axis_told(study: RunStudy, table: FactorTable, metric: str) -> list[Sentence]:
    """Each level of a factor against the one that others are compared with, a sentence for each."""
    told = []
    for one in (level.change for level in table.levels if level.change is not None):
        names = strong(f"{table.factor}={level_told(one.level)}"), strong(f"{table.factor}={level_told(one.other)}")
        if one.interval is None or one.p_value is None:
            told.append(sentence("{} against {} is not tested: there are too few units.", *names))
            continue
        effect = (
            f"{numbers.difference(one.estimate.value)} {metric} with all other factors the same "
            f"(95 % CI {numbers.interval(*one.interval)}, p {_p_told(one.p_value)})"
        )
        if one.p_value >= study.level:
            told.append(sentence(f"No significant difference between {{}} and {{}}: {effect}.", *names))
            continue
        verb = "better" if (one.estimate.value > 0) == study.higher_is_better else "worse"
        told.append(sentence(f"{{}} is significantly {verb} than {{}}: {effect}.", *names))
    return told


def method_words(study: RunStudy) -> str:
    """How recipes are tested, for captions of tables."""
    return (
        f"Recipes: difference of mean scores, variance over {study.runs.unit}s and runs, Satterthwaite's t; corrected "
        f"for {numbers.counted(max(1, len(study.claims)), 'comparison')} (Bonferroni). "
        f"Runs: {study.comparison.options.signature()}."
    )


def _is_better(study: RunStudy, claim: RecipeClaim) -> bool:
    return (claim.difference > 0) == study.higher_is_better


def _p_told(p_value: float) -> str:
    text = numbers.p_value(p_value)
    return text if text.startswith("<") else f"= {text}"
