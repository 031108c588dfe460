"""Judgements of people and of language models, each by itself: nothing averages the two."""

from collections.abc import Sequence
from dataclasses import replace

from bleucore.judgements.model_families import is_model
from bleucore.judgements.records import Judgements

MOST_ALONE = 10
"""More judges than these are not offered one by one."""
_NAMED = 5


def people_and_models(judgements: Judgements) -> tuple[Judgements, ...]:
    """The judgements of people, those of models, and those of each model where there are several.

    Raters are models where the file says so, or where they are named as language models are.
    """
    if judgements.protocol == "scores":
        return (judgements,)
    models = [one for one in judgements.raters if judgements.are_of_models or is_model(one)]
    if not models:
        return (judgements,)
    people = set(judgements.raters).difference(models)
    found = [judgements.of_raters(people, judgements.name)] if people else []
    named = ", ".join(models[:_NAMED]) + (f" and {len(models) - _NAMED:,} more" if len(models) > _NAMED else "")
    said = f"{judgements.file}: language models, not people, judged as {named}."
    if not all(map(is_model, models)):  # the file calls them judges, and people are that too
        said = f"{judgements.file}: taken for language models: {named}. If these are people, call the column rater."
    jury = replace(judgements.of_raters(models, f"{judgements.name} (model judges)"), are_of_models=True)
    found.append(replace(jury, notices=(*jury.notices, said)))
    if 1 < len(models) <= MOST_ALONE:
        found += [replace(jury.of_raters([one], f"{one} (model judge)"), notices=()) for one in models]
    return tuple(found)


def every_judge(known: Sequence[Judgements]) -> tuple[Judgements, ...]:
    """Of judgements, some of one judge alone that others have too, those of models with each judge once."""
    kept: dict[tuple[str, str], Judgements] = {}
    for one in known:
        key = (one.file, one.protocol)
        if one.are_of_models and (key not in kept or len(one.raters) > len(kept[key].raters)):
            kept[key] = one
    return tuple(kept.values())
