"""A test set in the layout of mt-metrics-eval -> texts, judgements and metrics' scores of one language pair."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.json_values import json_values
from bleucore.formats.standard_references import standard_reference
from bleucore.judgements import fields, mtme_ratings, mtme_scores
from bleucore.judgements.alignment import aligned
from bleucore.judgements.averaging import segment_scores
from bleucore.judgements.fields import Place
from bleucore.judgements.mtme_scores import ScoreName
from bleucore.judgements.records import Judgements
from bleucore.metrics.segment_scores import SegmentScores
from bleucore.values import name_among, shown

_FOLDERS = ("sources", "references", "system-outputs", "documents", "human-scores", "metric-scores")
_PATH = re.compile(rf"(?P<root>(?:.*/)?)(?P<folder>{'|'.join(_FOLDERS)})/(?P<rest>[^/].*)")
_ENDING = re.compile(r"\.(?:txt|jsonl)(?:\.gz)?$")
_SCORES = re.compile(r"\.(?:seg|sys)\.(?:score|rating)(?:\.gz)?$")
_READ = {"human-scores": _SCORES, "metric-scores": _SCORES, "documents": re.compile(r"\.docs(?:\.gz)?$")}
"""What is read of a folder; of others texts. Notes and what a desktop leaves there is not."""
_OUTPUT = re.compile(rf"(?P<languages>[^/]+)/(?P<name>[^/]+){_ENDING.pattern}")
_MOST_NAMED = 5


@dataclass(frozen=True)
class EvalSet:
    """A test set with all that is known about it.

    Attributes:
        test_set: All outputs as systems, references that were scored as systems among them; all references; documents,
            and their domains as labels.
        standard_reference: The name of the reference that scores are to be computed with unless another is chosen.
        judgements: Those of people, aligned, by name ("mqm", "mqm.merged").
        metrics: Scores of metrics by segment, by name and reference ("COMET-refA").
        judged_systems: People's scores of whole systems as published, by name.
        metric_systems: Metrics' scores of whole systems as published, by name and reference.
        languages: The language pair ("en-de").
        references_as_systems: References that are among the systems, too.
        notices: What was left out or is to be known, in sentences to be shown.
    """

    test_set: TestSet
    standard_reference: str
    judgements: Mapping[str, Judgements]
    metrics: Mapping[str, SegmentScores]
    judged_systems: Mapping[str, Mapping[str, float]]
    metric_systems: Mapping[str, Mapping[str, float]]
    languages: str
    references_as_systems: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def looks_like_tree(paths: Iterable[str]) -> bool:
    """Whether paths are those of such a layout: outputs, references, and scores beside them."""
    folders = {found["folder"] for path in paths if (found := _PATH.fullmatch(path))}
    return {"system-outputs", "references"} <= folders and bool({"human-scores", "metric-scores"} & folders)


def language_pairs(paths: Iterable[str]) -> tuple[str, ...]:
    """The language pairs that have outputs, sorted."""
    return tuple(sorted({one["languages"] for _, folder, rest in _parts(paths) if (one := _output(folder, rest))}))


def paths_of(paths: Iterable[str], languages: str) -> tuple[str, ...]:
    """Those of the paths that are read for a language pair."""
    kept = list[str]()
    for path, folder, rest in _parts(paths):
        is_inside = rest.startswith((f"{languages}/", f"{languages}."))
        is_hidden = rest.rpartition("/")[2].startswith(".")
        if is_inside and not is_hidden and _READ.get(folder, _ENDING).search(rest):
            kept.append(path)
    return tuple(kept)


def read_tree(
    name: str, files: Mapping[str, bytes], languages: str | None = None, *, max_bytes: int = 512 * 1024**2
) -> EvalSet:
    """The test set of one language pair.

    Args:
        name: Of the folder or archive, for messages; it says which year's standard reference holds.
        files: Their contents by path, "/" between folders; others than ``paths_of`` names are not looked at.
        languages: The language pair; ``None`` for the only one.
        max_bytes: The most that is read of one file, after decompression.

    Raises:
        InputError: There is no such language pair, or several and none is chosen; texts differ in length, or are
            missing; or a file of scores cannot be read or aligned.
    """
    _refuse_several(name, files)
    languages = _chosen(name, language_pairs(files), languages)
    texts: dict[str, dict[str, str]] = {folder: {} for folder in _FOLDERS}
    for path, folder, _ in _parts(paths_of(files, languages)):
        texts[folder][path] = decoding.decode(path, decoding.unpack(path, files[path], max_bytes))
    test_set = _test_set(name, languages, texts)
    people, judged_systems = _scores(texts["human-scores"], test_set)
    metrics, metric_systems = _scores(texts["metric-scores"], test_set)
    as_systems = tuple(one for one in test_set.reference_names or () if one in test_set.system_names)
    said = [notice for found in (*people.values(), *metrics.values()) for notice in found.notices]
    return EvalSet(
        test_set,
        standard_reference(name, languages, test_set.reference_names or ()),
        MappingProxyType(people),
        MappingProxyType({called: segment_scores(found) for called, found in metrics.items()}),
        MappingProxyType(judged_systems),
        MappingProxyType(metric_systems),
        languages,
        as_systems,
        (*_reference_notices(name, as_systems), *said),
    )


def _parts(paths: Iterable[str]) -> list[tuple[str, str, str]]:
    """Path, folder and the rest of those in the outermost of such layouts."""
    found = [(path, match) for path in sorted(paths) if (match := _PATH.fullmatch(path))]
    roots = sorted({match["root"] for _, match in found if match["folder"] == "system-outputs"}, key=len)
    root = roots[0] if roots else ""
    return [(path, match["folder"], match["rest"]) for path, match in found if match["root"] == root]


def _refuse_several(name: str, paths: Iterable[str]) -> None:
    """Refuse several test sets beside each other."""
    outputs = (match for path in paths if (match := _PATH.fullmatch(path)) and match["folder"] == "system-outputs")
    roots = sorted({match["root"] for match in outputs})
    depth = min((root.count("/") for root in roots), default=0)
    beside = [root for root in roots if root.count("/") == depth]
    if len(beside) > 1:
        raise InputError(
            "there are several test sets",
            where=name,
            found=", ".join(root.rstrip("/") for root in beside[:_MOST_NAMED]),
            expected="one",
            remedy="Name the folder of one test set.",
        )


def _output(folder: str, rest: str) -> re.Match[str] | None:
    return _OUTPUT.fullmatch(rest) if folder == "system-outputs" else None


def _chosen(name: str, pairs: tuple[str, ...], languages: str | None) -> str:
    if not pairs:
        raise InputError(
            "this is no test set in the layout of mt-metrics-eval",
            where=name,
            found="no system-outputs/LANGUAGES/SYSTEM.txt or .jsonl",
            expected=", ".join(_FOLDERS),
            remedy="Name the folder that holds these, or an archive of it.",
        )
    if languages is None and len(pairs) > 1:
        raise InputError(
            "there are several language pairs",
            where=name,
            found=", ".join(pairs),
            expected="one of them",
            remedy="Choose the language pair.",
        )
    return pairs[0] if languages is None else name_among("language pair", languages, pairs)


def _test_set(name: str, languages: str, texts: Mapping[str, Mapping[str, str]]) -> TestSet:
    systems = [
        System(_called(path, f"system-outputs/{languages}/"), _segments(path, text, "hypothesis"), path)
        for path, text in texts["system-outputs"].items()
    ]
    references = {
        _called(path, f"references/{languages}."): _segments(path, text, "target")
        for path, text in texts["references"].items()
    }
    if not references:
        raise InputError(
            "there is no reference",
            where=name,
            found=", ".join(sorted(texts["system-outputs"])[:_MOST_NAMED]),
            expected=f"references/{languages}.refA.txt",
            remedy="Load the complete test set.",
        )
    sources = [_segments(path, text, "source") for path, text in texts["sources"].items()]
    documents = [documents_of(path, text) for path, text in texts["documents"].items()]
    source_language, _, target_language = languages.partition("-")
    return TestSet(
        systems,
        list(references.values()),
        sources[0] if sources else None,
        [document for _, document in documents[0]] if documents else None,
        {"domain": [domain for domain, _ in documents[0]]} if documents else {},
        list(references),
        list(texts["references"]),
        (source_language or None, target_language or None),
        are_lines=True,
    )


def _segments(path: str, text: str, title: str) -> list[str]:
    """One text of a line; of JSON Lines the field of this title, as mt-metrics-eval has it from WMT25 on."""
    if not path.removesuffix(".gz").endswith(".jsonl"):
        return decoding.lines_of(path, text)
    values = json_values(path, text)
    places = [Place(path, place.line or number) for number, place in enumerate(values.places, start=1)]
    records = [fields.mapping(place, "line", item) for place, item in zip(places, values.items, strict=True)]
    return [
        fields.text(place, title, fields.field(place, record, title), may_be_empty=True)
        for place, record in zip(places, records, strict=True)
    ]


def _called(path: str, before: str) -> str:
    """The name between a folder and the ending."""
    return _ENDING.sub("", path[path.rindex(before) + len(before) :])


def _scores(
    texts: Mapping[str, str], test_set: TestSet
) -> tuple[dict[str, Judgements], dict[str, Mapping[str, float]]]:
    """What the files of a folder of scores hold: of segments, aligned, and of systems; each by its name."""
    of_segments, of_systems = dict[str, Judgements](), dict[str, Mapping[str, float]]()
    for path, text in texts.items():
        called = ScoreName.of(path)
        if called.level == "sys":
            of_systems[called.name] = MappingProxyType(dict(mtme_scores.read_systems(path, text)))
        else:
            reader = mtme_ratings if mtme_ratings.sniff("", path) else mtme_scores
            of_segments |= {found.name: aligned(found, test_set) for found in reader.read(path, text)}
    return of_segments, of_systems


def _reference_notices(name: str, as_systems: Sequence[str]) -> tuple[str, ...]:
    if not as_systems:
        return ()
    are = "are references that are scored as systems" if len(as_systems) > 1 else "is a reference scored as a system"
    return (f"{name}: {', '.join(as_systems)} {are}, too; against itself a reference has a perfect score.",)


def documents_of(path: str, text: str) -> list[tuple[str, str]]:
    """The domain and the document of each segment, of a file in the folder of documents.

    Raises:
        InputError: A line is made of something else.
    """
    found = list[tuple[str, str]]()
    for line, written in enumerate(decoding.lines_of(path, text), start=1):
        domain, _, document = written.strip().replace("\t", " ").partition(" ")
        if not document.strip():
            raise Place(path, line).refusal(
                "the line is not made of a domain and a document",
                found=shown(written),
                expected="the domain, a blank and the document's name",
                remedy="Load the file as mt-metrics-eval has it.",
            )
        found.append((domain, document.strip()))
    return found
