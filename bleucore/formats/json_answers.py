"""What services answer: translations, transcripts, outputs of model servers, submissions, captions."""

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

from bleucore.errors import InputError
from bleucore.formats.json_records import ID, OUTPUT, Dump, Record, all_have, at, missing, text_of
from bleucore.formats.json_values import JsonPlace, Number
from bleucore.formats.lines_in_turn import LIKE, liker, shares_with_next
from bleucore.formats.usual_names import role_of
from bleucore.values import shown

_LEAST_ITEMS, TEXT = 5, "text"


def whisper(file: str, document: Record) -> Dump | None:
    """A transcript in segments, each with its times."""
    segments = document.get("segments")
    if not isinstance(segments, list) or not segments or not all(isinstance(one, dict) for one in segments):
        return None
    if not all(isinstance(one.get("text"), str) and "start" in one and "end" in one for one in segments):
        return None
    return Dump([{OUTPUT: one["text"].strip()} for one in segments], f"{file}: read as a transcript, by its segments.")


def best_of_lists(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """Lists of outputs in the order of their scores, as Sockeye and others write them: the best of each.

    Where scores rise and fall within the lists, as those of several systems do, all outputs are kept by other readers.

    Raises:
        InputError: A list is empty.
    """
    name = next((one for one in _SCORED_LISTS if all(_is_scored_list(item, one) for item in items)), None)
    if name is None or not _are_in_order(items, name):
        return None
    records: list[Record] = []
    n_further = 0
    for item, place in zip(items, places, strict=True):
        listed = item[name]
        texts = [text for one in (listed if isinstance(listed, list) else ()) if (text := text_of(one)) is not None]
        best = text_of(item.get("translation"))
        if best is None and not texts:
            raise missing(file, place, "a segment", None)
        n_further += len(texts) - 1
        rest = {key: value for key, value in item.items() if key not in (name, "translation", *_SCORES_OF_LISTS)}
        records.append({**rest, OUTPUT: texts[0] if best is None else best})
    said = f"{file}: read as n-best lists; the best of each segment is kept, and {n_further:,} others are left out."
    return Dump(records, said)


_SCORED_LISTS = ("translations", "hypotheses", "candidates", "nbest", "n_best")
_SCORES_OF_LISTS = ("scores", "score", "log_probs", "logprobs", "sequence_scores")


def _is_scored_list(item: Record, name: str) -> bool:
    """Whether an object has a list of texts, and scores of them or the best of them next to it."""
    texts = item.get(name)
    scores = next((item[one] for one in _SCORES_OF_LISTS if isinstance(item.get(one), list)), None)
    is_scored = isinstance(scores, list) or isinstance(item.get("translation"), str)
    return isinstance(texts, list) and is_scored and all(text_of(one) is not None for one in texts if one != "")


def _are_in_order(items: Sequence[Record], name: str) -> bool:
    """Whether the first output of each list is the best: the file names it so, or the scores all fall or all rise."""
    lists = [listed if isinstance(listed := item[name], list) else [] for item in items]
    if all(item.get("translation") in listed for item, listed in zip(items, lists, strict=True)):
        return True
    scores = [_scores(item) for item in items]
    if any(len(own) != len(listed) for own, listed in zip(scores, lists, strict=True)):
        return False
    steps = {(a < b) - (a > b) for own in scores for a, b in pairwise(own)} - {0}
    return len(steps) == 1 or all(len(listed) <= 1 for listed in lists)


def _scores(item: Record) -> list[float]:
    """The numbers of a list of scores, each perhaps in a list of its own; as many as are numbers."""
    listed = next((found for name in _SCORES_OF_LISTS if isinstance(found := item.get(name), list)), [])
    firsts = (at(one, 0) if isinstance(one, list) else one for one in listed)
    return [float(one) for one in firsts if isinstance(one, Number) and isfinite(float(one))]


def translations(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """Responses of services of translation, one or several, each with one text or several.

    Raises:
        InputError: A response has no translation, or several languages.
    """
    names = {role_of(name) for item in items for name in item}
    if not any(_is_response(item) for item in items) or {"source", "reference"} & names:
        return None
    records: list[Record] = []
    for item, place in zip(items, places, strict=True):
        texts = _translated(item)
        if not texts:
            raise missing(file, place, "a response", at(item, "error"))
        listed = at(item, "translations")
        languages = {str(at(one, "to")) for one in (listed if isinstance(listed, list) else ())}
        if len(languages) > 1:
            raise place.refusal(
                file,
                "a response holds several languages",
                found=", ".join(sorted(map(shown, languages))),
                expected="one",
                remedy="Write the texts of one language to a file of their own, one a line.",
            )
        records += [{OUTPUT: text} for text in texts]
    return Dump(records, f"{file}: read as responses of a service of translation.")


def translations_document(file: str, document: Record) -> Dump | None:
    """One response with all texts."""
    return translations(file, [document], [JsonPlace(1)])


def _is_response(item: Record) -> bool:
    """Whether an object has a translation where services put it, and no names of other texts."""
    listed = at(item, "data", "translations") or item.get("translations")
    in_list = isinstance(listed, list) and at(listed, 0) is not None and bool(_translated(item))
    return in_list or "translatedText" in item or "TranslatedText" in item


def _translated(item: Record) -> list[str]:
    listed = at(item, "data", "translations") or item.get("translations")
    for name in ("translatedText", "TranslatedText"):
        value = item.get(name)
        if value is not None:
            listed = value if isinstance(value, list) else [value]
    found: list[str] = []
    for one in listed if isinstance(listed, list) else ():
        text = text_of(one) if isinstance(one, str) else text_of(at(one, "translatedText") or at(one, "text"))
        if text is None:
            return []
        found.append(text)
    return found


def tensors(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """Responses of model servers (KServe, Triton): tensors of texts by name; ``None`` for any others."""
    by_name: dict[str, list[str]] = {}
    for item in items:
        outputs = item.get("outputs")
        if not isinstance(outputs, list) or not outputs or not all(at(one, "data") is not None for one in outputs):
            return None
        for one in outputs:
            texts = _flat(at(one, "data"))
            if at(one, "datatype") in ("BYTES", "STRING", None) and texts:
                by_name.setdefault(str(at(one, "name")), []).extend(texts)
    n_texts = {len(texts) for texts in by_name.values()}
    if len(n_texts) != 1:
        return None
    names = list(by_name)
    records: list[Record] = [dict(zip(names, texts, strict=True)) for texts in zip(*by_name.values(), strict=True)]
    if len(names) == 1:
        records = [{OUTPUT: one[names[0]]} for one in records]
    return Dump(records, f"{file}: read as the response of a model server.", outputs=tuple(names))


def tensors_document(file: str, document: Record) -> Dump | None:
    """One response with all texts."""
    return tensors(file, [document], ())


def _flat(value: object) -> list[str]:
    """The texts of a tensor of any shape; nothing where it holds anything else."""
    left, found = [value], list[str]()
    while left:
        one = left.pop()
        if isinstance(one, list):
            left += reversed(one)
        elif isinstance(one, str) and not isinstance(one, Number):
            found.append(one)
        else:
            return []
    return found


def gem(file: str, document: Record) -> Dump | None:
    """A submission to GEM: what was generated for one task.

    Raises:
        InputError: It has several tasks, or a text is missing.
    """
    tasks = document.get("tasks")
    if not isinstance(tasks, dict) or not any(isinstance(at(one, "values"), list) for one in tasks.values()):
        return None
    if len(tasks) > 1:
        raise InputError(
            "the submission has several tasks",
            where=file,
            found=", ".join(shown(name) for name in list(tasks)[:5]),
            expected="one",
            remedy="Keep one task under “tasks” in each file, and load it with the references of that task.",
        )
    (task,) = tasks.values()
    values, keys = at(task, "values"), at(task, "keys")
    records: list[Record] = []
    for number, one in enumerate(values if isinstance(values, list) else (), start=1):
        text = text_of(one) if isinstance(one, str) else text_of(at(one, "generated"))
        if text is None:
            raise missing(file, JsonPlace(None, number), "an item of GEM", None)
        name = at(one, "gem_id") or at(keys, number - 1)
        records.append({**({"id": str(name)} if name is not None else {}), OUTPUT: text})
    return Dump(records, f"{file}: read as a submission to GEM.") if records else None


def captions(file: str, document: Record) -> Dump | None:
    """Captions of images in the form of COCO: several references for each image."""
    found = document.get("annotations")
    if not isinstance(found, list) or not found or not all(isinstance(one, dict) for one in found):
        return None
    if not all_have(found, "image_id", "caption"):
        return None
    by_image: dict[str, list[str]] = {}
    images = document.get("images")
    order = [str(at(one, "id")) for one in (images if isinstance(images, list) else ())]
    for one in found:
        by_image.setdefault(str(one["image_id"]), []).append(str(one["caption"]))
    ids = [image for image in dict.fromkeys(order) if image in by_image]
    ids += [image for image in by_image if image not in set(ids)]
    records: list[Record] = [{ID: image, "references": by_image[image]} for image in ids]
    return Dump(records, f"{file}: read as captions of images; the references of an image are joined by its id.")


def caption_results(file: str, items: Sequence[Record], places: Sequence[JsonPlace]) -> Dump | None:
    """Results for such images: one caption each.

    Raises:
        InputError: An image has two.
    """
    if not all_have(items, "image_id", "caption") or any(len(item) > 3 for item in items):  # noqa: PLR2004  # an id too
        return None
    seen = set[str]()
    for item, place in zip(items, places, strict=True):
        image = str(item["image_id"])
        if image in seen:
            raise place.refusal(
                file,
                "an image has two captions",
                found=shown(image),
                expected="one caption for each image, or references under “annotations”",
                remedy="Keep one caption for each image.",
            )
        seen.add(image)
    records: list[Record] = [{ID: str(item["image_id"]), OUTPUT: str(item["caption"])} for item in items]
    notice = f"{file}: read as captions of images, joined by the ids of the images."
    return Dump(records, notice, is_unordered=True, is_counted=False)


def sentences_of_tables(file: str, items: Sequence[Record], _places: Sequence[JsonPlace]) -> Dump | None:
    """ToTTo: a table for each item, with the final sentences of its annotators as references."""
    name = "sentence_annotations"
    if not all_have(items, name) or not all(_finals(item[name]) for item in items):
        return None
    records: list[Record] = [{"references": _finals(item[name])} for item in items]
    if all_have(items, "example_id"):
        records = [{ID: str(item["example_id"]), **one} for item, one in zip(items, records, strict=True)]
    return Dump(records, f"{file}: read as ToTTo; the final sentences are the references.")


def _finals(annotations: object) -> list[object]:
    listed = annotations if isinstance(annotations, list) else []
    texts = [text_of(at(one, "final_sentence")) for one in listed]
    return [text for text in texts if text is not None]


def lists_by_id(file: str, document: Record) -> Dump | None:
    """Texts by the ids of their items, each in a list: one output, or several references that are like each other."""
    lists = [value for value in document.values() if isinstance(value, list) and value]
    widths = {len(one) for one in lists}
    if len(lists) < max(_LEAST_ITEMS, len(document)) or not all(map(_is_id, document)) or max(widths) >= len(lists):
        return None
    if not all(isinstance(text, str) and not isinstance(text, Number) for one in lists for text in one):
        return None
    shares = [share for one in lists for share in shares_with_next([str(text) for text in one])]
    is_alike = sum(shares) >= LIKE * len(shares) and liker(shares, shares_with_next([str(one[0]) for one in lists]))
    if widths != {1} and not is_alike:
        return None  # documents with their segments, or systems with theirs
    own = TEXT if widths == {1} else "references"
    records: list[Record] = [
        {ID: name, own: one[0] if widths == {1} else one} for name, one in zip(document, lists, strict=True)
    ]
    what = "" if widths == {1} else "; the texts of a list are references"
    return Dump(records, f"{file}: read as texts by the ids of {len(records):,} items{what}.")


def _is_id(name: str) -> bool:
    return any(map(str.isdigit, name)) and role_of(name) is None
