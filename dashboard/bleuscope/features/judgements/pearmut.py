"""A sample as a campaign of Pearmut: JSON that its command ``add`` takes.

Its pages write names of models into HTML as they are, and a text that begins with a tag of pictures or sound is no text
to them. So names that could do harm there are replaced, and such a text has a blank in front.
"""

import re
from itertools import groupby
from typing import Literal, TypeAlias, get_args

from bleuscope.content.sheets.json_text import document_text
from bleuscope.content.style.unique_names import unique_name
from bleuscope.features.judgements.sheets_samples import Task

Protocol: TypeAlias = Literal["ESA", "DA", "MQM", "cESA"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
CAMPAIGN_FILE = "campaign.json"

_HARMFUL = re.compile(r"""[<>"'&\\]|\A[\d\s]*\Z""")
_MEDIA = re.compile(r"<(?:audio|video|img|iframe) ")


def campaign_id(task: Task) -> str:
    """What Pearmut calls the campaign, and the file of its log."""
    return f"bleuscope-{task.by}-{task.test_set.digest[:8]}-{task.sample.seed}"


def campaign(task: Task, protocol: Protocol = "ESA", n_judges: int = 1) -> str:
    """The campaign: each segment is judged once, by whichever judge is free, in the order of the sample.

    Every item says how it was drawn; Pearmut writes that into its log, which so comes back with it.
    """
    info = {"assignment": "single-stream", "protocol": protocol, "users": n_judges, "seed": task.sample.seed}
    segments = task.sample.segments.tolist()
    data = [[_item(task, segment) for segment in together] for _, together in groupby(segments, task.unit)]
    return document_text({"info": info, "campaign_id": campaign_id(task), "data": data})


def _item(task: Task, segment: int) -> dict[str, object]:
    test_set, sample = task.test_set, task.sample
    models = _models(task)
    title, text = ("src", test_set.source[segment]) if test_set.source else ("ref", test_set.references[0][segment])
    return {
        "item_id": f"segment {segment + 1}",
        title: _shown(text or ""),
        "tgt": {model: _shown(test_set.system(name).hypotheses[segment]) for model, name in models.items()},
        "models": {model: name for model, name in models.items() if model != name},
        "segment": segment + 1,
        **({} if test_set.documents is None else {"document": test_set.documents[segment]}),
        "stratum": int(sample.strata[segment]),
        "unit": task.unit(segment),
        "weight": float(sample.weights[segment]),
    }


def _models(task: Task) -> dict[str, str]:
    """The systems by what Pearmut is to call them."""
    harmful = [name for name in task.systems if _HARMFUL.search(name)]
    taken = set(task.systems)
    instead = {name: unique_name(f"system {place}", taken) for place, name in enumerate(harmful, start=1)}
    return {instead.get(name, name): name for name in task.systems}


def _shown(text: str) -> str:
    return f" {text}" if _MEDIA.match(text) else text
