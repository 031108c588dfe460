"""Every key of the address, one line each; what follows from these lines is at the end.

Keys that only a feature knows are in its folder, in the module that its declaration names.

A widget takes its arguments from its key (``st.toggle("Shuffle", **params.SHUFFLE.bound())``), and so do links,
shares, the reading of a link and the commands that pages show.
"""

import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import MappingProxyType

from bleucore.plugins import Registry, leave_out
from bleuscope.registry import Feature, added_features, own_features, plugin_of
from bleuscope.runtime.param import Form, Opens, Param

_HEX_16, _HEX_32 = "16 letters or digits of 0-9 and a-f", "32 letters or digits of 0-9 and a-f"
_KEY = Form(re.compile(r"[0-9a-f]{16}"), _HEX_16)
_TEST_SET = Form(re.compile(r"sample|files|[0-9a-f]{32}"), f'"sample", "files", or {_HEX_32}')

_PART = MappingProxyType({"part in Δ": "contribution to Δ"})
_ORDER = MappingProxyType({**_PART, "B ahead first": "B better first", "A ahead first": "A better first"})
_AGREEMENT = MappingProxyType({"part and score disagree": "contribution and score disagree"})
_LINES = MappingProxyType({"further references": "more references", "further systems": "more systems"})

# Which texts are open, and what stands next to them
DATA = Param("data", opens="texts", form=_TEST_SET)
DIGEST = Param("digest", opens="texts", form=_KEY)
SCORES = Param("scores", opens="texts", form=_KEY)
JUDGEMENTS = Param("judgements", opens="texts", form=_KEY)
WORD_LIST = Param("word_list", "text", opens="texts", most=100_000)
GIVEN_WORDS = Param("given_words", opens="texts", form=_KEY)
NAMES = Param("names", "choices", opens="texts")
SYSTEM_NAMES = Param("system_names", "choices", opens="texts")
MOVE_SPANS = Param("move_spans", "truth", opens="texts")
PROJECT = Param("project", noun="project", opens="project")

# The sidebar: scoring
BASELINE = Param("baseline", noun="system", scope="test set", option="--baseline")
PRESET = Param("preset", option="--preset")
FURTHER_METRICS = Param("metrics", "choices")
TOKENIZER = Param("tok")
LOWERCASE = Param("lc", "truth")
SMOOTHING = Param("smooth")
FLOOR = Param("floor", "number")
ADD_K = Param("addk", "number")
MAX_ORDER = Param("order", "whole")
WEIGHTS = Param("weights", "text")
REFERENCE_LENGTH = Param("len")
EFFECTIVE_ORDER = Param("eff", "truth")
TIE = Param("tie")
MISSING = Param("missing")
NO_MATCH = Param("nomatch", "truth")
TOTALS = Param("totals", "truth")
EMPTY = Param("empty", "truth")

# The sidebar: significance tests
TEST = Param("test")
LEVEL = Param("level", "number")
CORRECTION = Param("correction")
UNIT = Param("unit")
TRIALS = Param("trials", "whole")
TEST_BLOCKS = Param("test_blocks", "whole")
BLOCK_SIZE = Param("block_size", "whole", scope="test set")
SPREAD = Param("spread", "truth")
BLOCK_SEED = Param("block_seed", "whole")
RESAMPLES = Param("resamples", "whole")
SEED = Param("seed", "whole")

# Pages that compare two systems
A = Param("a", noun="system", scope="test set")
B = Param("b", noun="system", scope="test set")
TESTED = Param("tested")
BASIS = Param("basis", formerly=_PART)
ALL_DOCUMENTS = Param("all_documents", "truth")

# Scores
WHY = Param("why", "panel")
COMPARED_PRESET = Param("compared_preset")
PAPER = Param("paper", "panel")

# Significance
PANEL = Param("panel")
AGAINST = Param("against", noun="system", option="--baseline")
ALL_LINES = Param("all_lines", "truth")
BLOCKS_BY = Param("by")
N_BLOCKS = Param("blocks", "whole", scope="test set")
SIZE = Param("size", "whole", scope="test set")
SHUFFLE = Param("shuffle", "truth")

# Segments
FIND = Param("find", "text", scope="test set")
REGEX = Param("regex", "truth", option="--pattern")
LOOK_IN = Param("in", option="--in")
WHERE = Param("where", "choices", scope="test set")
SORT = Param("sort", option="--order", formerly=_ORDER)
DOCUMENT = Param("document", noun="document", scope="test set")
LABELS = Param("labels", "choices", scope="test set")
LOW = Param("low", "number", scope="test set")
HIGH = Param("high", "number", scope="test set")
PART_LOW = Param("plow", "number", scope="test set")
PART_HIGH = Param("phigh", "number", scope="test set")
A_LOW = Param("alow", "number", scope="test set")
A_HIGH = Param("ahigh", "number", scope="test set")
B_LOW = Param("blow", "number", scope="test set")
B_HIGH = Param("bhigh", "number", scope="test set")
TOKENS_LOW = Param("tlow", "number", scope="test set")
TOKENS_HIGH = Param("thigh", "number", scope="test set")
AGREE = Param("agree", scope="test set", formerly=_AGREEMENT)
FLAG = Param("flag", noun="finding", scope="test set")
TAG = Param("tag", scope="test set")
NGRAM = Param("ngram", "text", scope="test set")
NGRAM_WHERE = Param("ngram_where", scope="test set")
SLICE = Param("slice", noun="slice", scope="test set")
LOST_TO = Param("lost_to", scope="test set")
SEGMENT = Param("segment", "whole", noun="segment", scope="test set")
PAGE = Param("page", "whole", scope="test set")
LAYERS = Param("layers", "choices")
LINES = Param("lines", "choices", formerly=_LINES)
MARK = Param("mark")
WITH = Param("with", "choices", scope="test set")
ALL = Param("all", "truth")
KEYS = Param("keys", "truth")
BLIND = Param("blind", "truth", scope="test set")
CHARTS = Param("charts", "panel")
HOW_OFTEN = Param("how_often", "panel")
SELECTION = Param("selection", "panel")
MARKS = Param("marks", "panel")
MARKS_OF = Param("marks_of", scope="page")

# N-grams
NGRAM_VIEW = Param("ngram_view", option="--view")
NGRAM_ORDER = Param("ngram_order", option="--order-n")
NGRAM_AGAINST = Param("ngram_against", option="--against")
NGRAM_RANK = Param("ngram_rank", option="--rank", formerly=_PART)
NGRAM_RANK_ALONE = Param("ngram_rank_alone", option="--rank", formerly=_PART)
NGRAM_FIND = Param("ngram_find", "text", scope="test set", option="--find")

# Slices
SLICES_OF = Param("slices_of")
SLICE_BY = Param("slice_by", scope="test set", option="--by")
SLICE_ORDER = Param("slice_order", option="--order", formerly=_PART)
ALL_SLICES = Param("all_slices", "truth")
ALL_SCORES = Param("all_scores", "truth", option="--all-systems")
WORDS_BY = Param("words_by", option="--words")

# References and settings
SCORED_IN = Param("scored_in")

# Neural metrics
NEURAL = Param("neural", "panel")
NEURAL_MODEL = Param("neural_model")

# Report
REPORT_TITLE = Param("report_title", "text", scope="test set", most=120, option="--title")
REPORT_DATE = Param("report_date", "text", scope="test set", most=40, option="--date")
REPORT_FORM = Param("report_form")
REPORT_FULL = Param("report_full", "truth", option="--full")
REPORT_SECTIONS = Param("report_sections", "choices")
REPORT_WHICH = Param("report_which")
REPORT_SEGMENTS = Param("report_segments", "whole", option="--top")


def _declared(module: Mapping[str, object]) -> dict[str, Param]:
    return {one: one for one in module.values() if isinstance(one, Param)}


def _of_features(features: Iterable[Feature]) -> dict[str, Param]:
    modules = [import_module(feature.params) for feature in features if feature.params]
    return {name: one for module in modules for name, one in _declared(vars(module)).items()}


def _of_packages() -> dict[str, Param]:
    """The keys of the features of other packages, each of which begins with the name of its feature."""
    found: dict[str, Param] = {}
    for feature in added_features():
        reason: str | None = None
        try:
            keys = _of_features([feature])
        except Exception as error:  # noqa: BLE001  # whatever somebody else's module raises
            reason = f"its keys cannot be imported ({type(error).__name__}: {error})"
        else:
            wrong = [key for key in keys if key.partition("_")[0] != feature.name]
            reason = f"its key {wrong[0]!r} does not begin with its name" if wrong else None
            found |= {} if wrong else keys
        plugin = plugin_of(feature.name)
        if reason is not None and plugin is not None:
            leave_out(plugin, reason)
    return found


PARAMS: Registry[str, Param] = Registry(_declared(globals()) | _of_features(own_features()), _of_packages)
"""All of them, by their names."""


def opening(*what: Opens) -> tuple[Param, ...]:
    """The keys by which a link opens something."""
    return tuple(one for one in PARAMS.values() if one.opens in what)


def of_one_test_set() -> tuple[Param, ...]:
    """The keys whose values were chosen for the open test set, and mean nothing for another one."""
    return tuple(one for one in PARAMS.values() if one.scope == "test set")


def reworded(address: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """What a link holds, in the words of now."""
    return {
        key: [PARAMS[key].reworded(value) for value in values] if key in PARAMS else values
        for key, values in address.items()
    }


def refused(address: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """What a link holds that no page takes, whatever is open: keys that there are not, and values that cannot be."""
    return {key: values for key, values in address.items() if not _is_taken(PARAMS.get(key), values)}


def _is_taken(key: Param | None, values: list[str]) -> bool:
    return key is not None and all(map(key.takes, values))
