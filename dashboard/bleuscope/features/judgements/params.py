"""Keys of the address that only judgements know, one line each."""

from bleuscope.runtime.param import Param

JUDGEMENT = Param("judgement", noun="judgement", option="--judgement")
OWN_SYSTEMS = Param("own_systems", "choices", option="--own-system")
JUDGED_SEGMENTS = Param("judged_segments", "truth", option="--judged-segments")
RATERS = Param("raters", option="--average")
MQM_WEIGHTS = Param("mqm_weights", "text", option="--mqm-weights")
WITHOUT_OUTLIERS = Param("without_outliers", "truth", scope="page")
JUDGING = Param("judging", "panel")
JUDGE_BY = Param("judge_by", option="--by")
JUDGE_WHOM = Param("judge_whom")
JUDGE_BUDGET = Param("judge_budget", "whole", option="--budget")
JUDGE_SEED = Param("judge_seed", "whole", option="--seed")
JUDGE_PROTOCOL = Param("judge_protocol", option="--protocol")
