"""Keys of the address that only the campaign knows, one line each."""

import re

from bleuscope.runtime.param import Form, Param

_KEY = Form(re.compile(r"[0-9a-f]{16}"), "16 letters or digits of 0-9 and a-f")
_CAMPAIGN = Form(re.compile(r"files|[0-9a-f]{32}"), '"files", or 32 letters or digits of 0-9 and a-f')

CAMPAIGN = Param("campaign", form=_CAMPAIGN)
CAMPAIGN_DIGEST = Param("campaign_digest", form=_KEY)
CAMPAIGN_BASELINE = Param("campaign_baseline", noun="system", option="--baseline")
CAMPAIGN_METRIC = Param("campaign_metric")
CAMPAIGN_TOKENIZER = Param("campaign_tok")
CAMPAIGN_SEED = Param("campaign_seed", "whole")
"""Not the seed of a comparison: each set has a seed of its own, made of this one, and keeps it when opened."""
CAMPAIGN_ORDER = Param("campaign_order")
CAMPAIGN_GROUPS = Param("campaign_groups")
ALL_SYSTEMS = Param("all_systems", "truth")
ALL_PANELS = Param("all_panels", "truth")
ALL_RANKS = Param("all_ranks", "truth")
ALL_PAIRS = Param("all_pairs", "truth")
LOST = Param("lost", "panel")
LOST_BY = Param("lost_by")
LOST_AGAINST = Param("lost_against")
LOST_IN = Param("lost_in")
LOST_TO_KIND = Param("campaign_kind")
