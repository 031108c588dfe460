"""What a campaign comes to, in sentences."""

from bleucore.campaign import CampaignPair, set_verdict
from bleuscope.content.comparison.link_notes import short_digest
from bleuscope.content.significance.verdict_words import (
    CHECK_FIRST,
    NO_TRAINING_NOISE,
    OF_RECIPES,
    Chips,
    p_phrase,
    verdict_text,
)
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import (
    Sentence,
    Text,
    bold,
    explained,
    isolated,
    listed,
    note,
    notes,
    sentence,
    strong,
    verdict,
    warning,
)
from bleuscope.features.campaign.figures_matrix import STAR
from bleuscope.features.campaign.figures_multiples import CAPTION
from bleuscope.features.campaign.sheets import NO_P, P_OF_RUNS, SCALES_DIFFER, points_down
from bleuscope.features.campaign.view import CampaignView

ONE_SYSTEM = "This campaign has one system, so there are no pairs to compare."
NOTHING_AGAINST = "It takes two systems on two test sets to see whether test sets agree."
NOTHING_OPEN = "No campaign is open yet."
GONE = (
    "This link names a dropped campaign that is no longer saved. Drop its files again, or name their "
    "folder when you start bleuscope."
)
WHAT_IT_IS = (
    "A campaign has many test sets, such as the language pairs of a shared task. This page scores "
    "and tests each of them, and all together."
)
LAYOUTS = (
    ("a WMT release", "sources/, references/ and system-outputs/, with any number of language pairs"),
    ("an mt-metrics-eval tree", "a complete tree, such as wmt22"),
    ("a folder for each test set", "each with outputs, references and, if you have one, the source"),
    ("MT-ComparEval's folders", "an experiment with its tasks"),
    ("lm-evaluation-harness", "its folder of results with logged samples"),
    ("WMT's XML", "a file for each language pair"),
    ("a manifest", "YAML, TSV or CSV: test set, language pair, source, references, documents, systems"),
)
"""What is read: its name, and how it is laid out."""
NAME_A_PATH = "bleuscope open --campaign PATH"
PATH_HELP = "To open files of the server, name them when you start it. Without a browser: bleuscope campaign PATH."
SETTINGS_OF_ANOTHER = (
    "{metric} has its usual settings. The tokenizer and the options above are BLEU’s, for lost "
    "phrases and opened comparisons."
)
PAIRS_NOTE = (
    "B is better than A over all test sets; if there is a baseline, A is the baseline. {p} “Better on ≥”: "
    "B is better on at least this many test sets (replicability analysis, Dror et al. 2017). "
    "For each pair alone, the chance that this number is too large is at most {level}."
)
P_BY_EXCHANGE = (
    "{p}: stratified randomisation, which exchanges outputs within each test set (Noreen 1989; Edgington and Onghena "
    "2007)."
)


REPLICATED = "At least this many test sets, by replicability analysis (Dror et al. 2017)."
MOST_FAULTY = 5
ONLY_SET = "{} is the only test set."
ONLY_SOUND_SET = "{} is the only test set without an error."
OPEN_TO_CHECK = " Open it to check its texts."


def campaign_verdict(view: CampaignView) -> Text:
    """Who is ahead over all test sets, and how surely."""
    order, n_sets = view.order(), numbers.counted(len(view.counted), "test set")
    if len(order) == 1:
        return verdict("{} is the only system, on {}.", strong(order[0]), n_sets)
    if len(view.sets) == 1:
        return _on_the_only_set(view)
    if len(view.faulty_sets) == len(view.sets):
        return _to_check(view)
    if len(view.counted) == 1:
        return _to_check(view) + _on_the_only_set(view)
    first, second = order[:2]
    said = _leads(view, first, second)
    pair = view.campaign.pair(first, second)
    if view.baseline is not None:
        said = said + _against_baseline(view, view.baseline)
    elif pair is not None and pair.sets:
        said = said + sentence(" ") + _pair_words(pair, sure=strong(second))
    if view.faulty_sets:
        said = sentence("Without {}, ", "it" if len(view.faulty_sets) == 1 else "them") + said
    return _to_check(view) + verdict("{}", said) + Text((Chips(_chips(view, first, second)),))


def _chips(view: CampaignView, first: str, second: str) -> tuple[str | Sentence, ...]:
    """What qualifies the verdict: the sets of the ranks, the family, on how many sets it holds, and runs or recipes."""
    found: list[str | Sentence] = []
    ranks, pair = view.campaign.ranks, view.campaign.pair(first, second)
    if ranks is None:
        found.append(f"no test set has all {numbers.count(len(view.systems))} systems")
    elif ranks.n_sets < len(view.counted):
        found.append(f"ranks over {numbers.count(ranks.n_sets)} of {numbers.counted(len(view.counted), 'test set')}")
    if view.baseline is None and pair is not None and pair.corrected_p_value is not None:
        family = f"corrected for {numbers.counted(pair.n_comparisons, 'pair')}"
        found += [family, explained(_replicated(pair), REPLICATED)]
    against = view.baseline if view.baseline not in (None, first) else second
    return (*found, *_claim_chips(view.campaign.pair(first, against)))


def _claim_chips(pair: CampaignPair | None) -> tuple[str, ...]:
    """Which claim the verdict makes: about recipes where one of the two has several runs."""
    if pair is None or pair.n_runs is None:
        return (NO_TRAINING_NOISE,)
    return ("{} and {} runs".format(*pair.n_runs), NO_P if pair.p_value is None else OF_RECIPES)


def _to_check(view: CampaignView) -> Text:
    """That texts have errors, and on which test sets."""
    if not view.faulty_sets:
        return Text()
    n_sets = numbers.counted(len(view.faulty_sets), "test set")
    return warning(
        "{} The texts of {} have an error: {}.", bold(CHECK_FIRST), n_sets, listed(view.faulty_sets, most=MOST_FAULTY)
    )


def _on_the_only_set(view: CampaignView) -> Text:
    """The verdict of the only test set that counts, where there are no ranks to average and no sets to count."""
    one = view.counted[0]
    made = set_verdict(one, view.baseline)
    said = Text() if made is None else verdict_text(made, names_error=True)
    return said + note(
        (ONLY_SOUND_SET if len(view.sets) > 1 else ONLY_SET) + (OPEN_TO_CHECK if one.findings is None else ""),
        isolated(one.name),
    )


def _leads(view: CampaignView, first: str, second: str) -> Sentence:
    ranks = view.campaign.ranks
    if ranks is None:
        (wins, losses), (next_wins, next_losses) = view.won_and_lost[first], view.won_and_lost[second]
        return sentence(
            "{} leads in {} by wins minus losses: {} and {}, before {} with {} and {}.",
            strong(first),
            view.metric,
            numbers.counted(wins, "win"),
            numbers.counted(losses, "loss", "losses"),
            strong(second),
            numbers.count(next_wins),
            numbers.count(next_losses),
        )
    return sentence(
        "{} has the best mean rank in {}: {} of {}, before {} with {}.",
        strong(first),
        view.metric,
        numbers.score(view.campaign.mean_rank(first) or 0.0),
        numbers.count(len(view.systems)),
        strong(second),
        numbers.score(view.campaign.mean_rank(second) or 0.0),
    )


def _pair_words(pair: CampaignPair, *, sure: Sentence) -> Sentence:
    """The first system of a pair held against the second, over all sets that have both."""
    if pair.p_value is None or pair.corrected_p_value is None:
        return sentence("Against {}, no test is possible.{}", sure, f" {pair.remark}" if pair.remark else "")
    who = sure if (pair.mean_gain or 0.0) < 0 else "it"
    return sentence(
        "It wins {} of {} against {} and loses {}; overall, {} is {}significantly better ({}).",
        numbers.count(pair.wins),
        numbers.counted(pair.n_sets, "test set"),
        sure,
        numbers.count(pair.losses),
        who,
        "" if pair.is_significant else "not ",
        p_phrase(pair.corrected_p_value),
    )


def _replicated(pair: CampaignPair) -> str:
    """On how many sets it is better, and on how many worse, for sure."""
    if not pair.tested:
        return "too few units in each test set for a test"
    found = (("better", pair.n_sets_better), ("worse", pair.n_sets_worse))
    said = [f"{side} on at least {numbers.count(number)}" for side, number in found if number]
    n_untested = pair.n_sets - len(pair.tested)
    few = f", {numbers.count(n_untested)} without a test" if n_untested else ""
    return (" and ".join(said) if said else "no single test set is conclusive") + few


def _against_baseline(view: CampaignView, baseline: str) -> Sentence:
    pairs = [one for one in view.pairs if one.is_significant]
    better = [one.name for one in pairs if (one.mean_gain or 0) > 0]
    worse = [one.name for one in pairs if (one.mean_gain or 0) < 0]
    if not pairs:
        return sentence(" Over all test sets together, none differs significantly from {}.", strong(baseline))
    said = sentence(" Over all test sets together,")
    if better:
        said = said + sentence(
            " {} {} significantly better than {}", listed(better), "is" if len(better) == 1 else "are", strong(baseline)
        )
    if worse:
        than = sentence("") if better else sentence(" than {}", strong(baseline))
        verb = "is" if len(worse) == 1 else "are"
        said = said + sentence("{} {} {} significantly worse{}", ";" if better else "", listed(worse), verb, than)
    return said + sentence(".")


def many_pairs_note(n_pairs: int, n_systems: int, n_sets: int) -> Text:
    """That all pairs take minutes, and what does not."""
    return note(
        "{} on {} make {}, which take minutes. Choose a baseline to test only its {} pairs, or compare all.",
        numbers.counted(n_systems, "system"),
        numbers.counted(n_sets, "test set"),
        numbers.counted(n_pairs, "pair"),
        numbers.count(n_systems - 1),
    )


def settings_of(metric: str) -> str:
    """What settings of BLEU are for, where another metric is chosen."""
    return SETTINGS_OF_ANOTHER.format(metric=metric)


def left_out_note(view: CampaignView) -> Text:
    """How much did not fit, where something did not."""
    n_files, n_failed = len(view.left_out), len(view.failed)
    if not n_files and not n_failed:
        return Text()
    words = [numbers.counted(n_files, "file")] if n_files else []
    words += [numbers.counted(n_failed, "test set")] if n_failed else []
    return warning("bleuscope left out {}. The reasons are at the end of this page.", " and ".join(words))


def remarks(view: CampaignView) -> Text:
    """What has to be known of all numbers."""
    return notes(view.campaign.remarks)


def ranks_note(view: CampaignView) -> Text:
    """Whether mean ranks tell systems apart."""
    ranks = view.campaign.ranks
    if ranks is None or ranks.p_value is None or ranks.critical_difference is None:
        return Text()
    return note(
        "Mean ranks over {}: equal systems would differ this much with {} (Friedman 1937). Two systems "
        "differ if their mean ranks are more than {} apart (Nemenyi's test, Demšar 2006). {}",
        numbers.counted(ranks.n_sets, "test set"),
        p_phrase(ranks.p_value),
        numbers.score(ranks.critical_difference),
        SCALES_DIFFER,
    )


def pairs_note(view: CampaignView) -> Text:
    """How pairs are tested."""
    by_exchange = P_BY_EXCHANGE.format(p="p of two single runs" if view.has_runs else "p")
    of_p = [*([by_exchange] if view.has_single_pairs else []), *([P_OF_RUNS] if view.has_runs else [])]
    said = (PAIRS_NOTE.format(p=" ".join(of_p), level=f"{view.campaign.level / 2:g}"), *points_down(view, "B"))
    return note("{}", " ".join(said))


def differences_note(view: CampaignView) -> Text:
    """How to read differences by test set."""
    before, after = CAPTION.split("{}", 1)
    said = (after.format(STAR), *points_down(view, "the system"))
    return note("{}{}{}", before, isolated(view.measured_against), " ".join(said))


def against_the_rest_verdict(view: CampaignView) -> Text:
    """Which test sets contradict the others."""
    counts: dict[str, int] = {}
    for pair in view.pairs:
        for name in pair.sets_against:
            counts[name] = counts.get(name, 0) + 1
    if not counts:
        return note("No pair of systems significantly reverses its overall order on any test set.")
    first = sorted(counts, key=lambda name: -counts[name])
    return verdict(
        "{} against the rest: {}. There, a system significantly beats one that is better overall: {} in all.",
        "One test set goes" if len(counts) == 1 else f"{numbers.count(len(counts))} test sets go",
        listed(first),
        numbers.counted(sum(counts.values()), "pair"),
    )


def link_changed(title: str, found: str, expected: str) -> str:
    """The campaign that a link names has changed."""
    return (
        f"This link was made for other files. {title} now has the digest {short_digest(found)} (the link: "
        f"{expected}), because texts, names or test sets changed. This page shows the files as they are "
        "now."
    )


OF_LINK = (
    "Opens what you see: all test sets with baseline, options, tests, order and groups. If the "
    "campaign changes, the link says so."
)
LINK_OF_DROPPED = (
    "The link works as long as this server runs, because the files were dropped. A project, or a "
    "folder named at the start, has a lasting link."
)
LINK_OF_NAMED = "The link works where bleuscope is started with the same campaign."
