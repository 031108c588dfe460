"""Many test sets at once: what each says of its systems, and what all of them say together."""

from bleucore.campaign.campaign import SCALES, Campaign, CampaignPair, Scale, combine
from bleucore.campaign.lost_everywhere import LostEverywhere, LostPhrase, LostSegments, ScoredTexts, lost_everywhere
from bleucore.campaign.mean_ranks import MeanRanks, mean_ranks
from bleucore.campaign.replicability import (
    PARTIAL_CONJUNCTIONS,
    Heterogeneity,
    PartialConjunction,
    Replicability,
    partial_conjunction,
    qualitative_interaction,
    replicability,
)
from bleucore.campaign.set_kinds import SetKinds, set_kinds
from bleucore.campaign.set_results import (
    HELD_PAIRS,
    SetFinding,
    SetPair,
    SetResult,
    seed_of_set,
    set_findings,
    set_result,
    set_result_of,
)
from bleucore.campaign.set_verdicts import set_pair_verdict, set_verdict

__all__ = [
    "HELD_PAIRS",
    "PARTIAL_CONJUNCTIONS",
    "SCALES",
    "Campaign",
    "CampaignPair",
    "Heterogeneity",
    "LostEverywhere",
    "LostPhrase",
    "LostSegments",
    "MeanRanks",
    "PartialConjunction",
    "Replicability",
    "Scale",
    "ScoredTexts",
    "SetFinding",
    "SetKinds",
    "SetPair",
    "SetResult",
    "combine",
    "lost_everywhere",
    "mean_ranks",
    "partial_conjunction",
    "qualitative_interaction",
    "replicability",
    "seed_of_set",
    "set_findings",
    "set_kinds",
    "set_pair_verdict",
    "set_result",
    "set_result_of",
    "set_verdict",
]
