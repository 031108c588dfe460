"""Files of a drop that hold none of its texts, as names and beginnings say: logs, glossaries, parts of projects."""

import re
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.line_reading import head_of
from bleucore.formats.name_parts import parts_of, role_word
from bleucore.formats.names import words_of
from bleucore.formats.rating_tables import NO_TEXTS_RATED
from bleucore.formats.toolkit_logs import TOOLKIT_LOGS
from bleucore.formats.xml_segments import UNKNOWN_XML

_HEAD, _MOST_LINES, _LEAST_LEFT = 1 << 16, 400, 2
_LONGEST_NAME, _FIRST = 300, 1_000
_LOG = re.compile(
    r"nohup\d?\.out|(?:slurm|sbatch|lsf|pbs|sge|condor)[-_.]?[\w.%-]{0,60}\.(?:out|err|log|txt)|.{1,80}\.[oe]\d{3,12}"
    r"|.{0,80}(?:^|[._-])(?:std)?err(?:ors?)?(?:\.(?:txt|log|out))?|stderr\b.{0,40}"
    r"|(?:train|training|trainer|wandb|debug|console|tensorboard|events|validations?|history)[\w-]{0,40}\.log|validations\.txt",
    re.IGNORECASE,
)
"""Names that clusters, shells and trainers give to what programs report."""
_GLOSSARIES = frozenset(
    [
        "glossary",
        "glossaries",
        "glossar",
        "glossare",
        "glossaire",
        "glosario",
        "glossario",
        "glossarium",
        "terminology",
        "terminologie",
        "termbase",
        "termbases",
        "terms",
        "termlist",
        "lexicon",
    ]
)
_VOCABULARIES = frozenset({"vocab", "vocabs", "vocabulary", "vocabularies", "dict", "wordlist", "merges", "codes"})
_OF_SUBWORDS = (".spm", ".vocab", ".codes", ".model")
_MOST_WORDS_OF_A_TERM, _MOST_WORDS_OF_AN_ENTRY = 4.0, 2.0
_OF_HELM = frozenset(
    f"{name}.json"
    for name in [
        "run_spec",
        "scenario",
        "stats",
        "per_instance_stats",
        "instances",
        "display_predictions",
        "display_requests",
    ]
)
_OMEGAT = "omegat.project"
_OMEGAT_FOLDERS = ("omegat", "glossary", "dictionary", "tm", "completed_tm")
_OMEGAT_LEVELS = re.compile(r"[^/]{1,200}-(?:level[12]|omegat)\.tmx", re.IGNORECASE)


def files_beside(names: Sequence[str], beginning_of: Callable[[str], bytes]) -> dict[str, str]:
    """Why some files hold none of the texts, by their names; nothing where too few others would be left.

    Args:
        names: With "/" between folders.
        beginning_of: Gives the content of a file, or its beginning.
    """
    found = {**_parts_of_omegat(names), **_parts_of_helm(names), **_parts_of_mlflow(names)}
    for name in names:
        reason = None if name in found else _reason(name, beginning_of)
        found |= {} if reason is None else {name: reason}
    return found if len(names) - len(found) >= min(_LEAST_LEFT, len(names)) else {}


def is_of_no_texts(error: InputError) -> bool:
    """Whether a file was refused because it is XML of a program, ratings alone, or no text at all."""
    return error.problem in (UNKNOWN_XML, NO_TEXTS_RATED, decoding.NO_TEXT)


def holds_outputs(data: bytes) -> bool:
    """Whether a log holds outputs, as its beginning tells."""
    head = head_of(data[:_HEAD].decode("utf-8-sig", errors="replace"))
    return any(one.recognises(head) for one in TOOLKIT_LOGS)


def is_named_log(file: str) -> bool:
    """Whether a file has a name that shells, clusters and trainers give to what programs report."""
    return _LOG.fullmatch(file.rpartition("/")[2][:_LONGEST_NAME]) is not None


def _parts_of_helm(names: Sequence[str]) -> Mapping[str, str]:
    """What HELM writes next to the answers, which it repeats in parts."""
    folders = {name.rpartition("/")[0] for name in names if name.rpartition("/")[2] == "scenario_state.json"}
    return {
        name: "HELM's settings and scores; the answers are in scenario_state.json next to it."
        for name in names
        if name.rpartition("/")[0] in folders and name.rpartition("/")[2] in _OF_HELM
    }


def _parts_of_mlflow(names: Sequence[str]) -> Mapping[str, str]:
    """What MLflow notes of a run, next to the folder of its artifacts."""
    found: dict[str, str] = {}
    for name in names:
        root, folder, _ = name.partition("/artifacts/")
        notes = tuple(f"{root}/{part}/" for part in ("metrics", "params", "tags", "inputs", "outputs"))
        inside = [other for other in names if folder and other.startswith(notes)]
        found |= dict.fromkeys(inside, "a note of MLflow on a run; its texts are in the folder artifacts.")
    return found


def _parts_of_omegat(names: Sequence[str]) -> Mapping[str, str]:
    """What belongs to projects of OmegaT, but their sources and their translations."""
    found: dict[str, str] = {}
    for project in names:
        if project.rpartition("/")[2] != _OMEGAT:
            continue
        root = project.removesuffix(_OMEGAT)
        inside = [name for name in names if name.startswith(root)]
        memory = f"{root}omegat/project_save.tmx"
        is_translated = any(name.startswith(f"{root}target/") for name in inside)
        for name in inside:
            rest = name.removeprefix(root)
            is_part = rest.startswith(tuple(f"{folder}/" for folder in _OMEGAT_FOLDERS))
            if name == memory and not is_translated:
                continue
            if rest == _OMEGAT or is_part or _OMEGAT_LEVELS.fullmatch(rest):
                found[name] = "a part of a project of OmegaT that holds no translations of its own."
    return found


def _reason(name: str, beginning_of: Callable[[str], bytes]) -> str | None:
    """Why one file holds no texts, by its own name and beginning; ``None`` where it may."""
    is_log = is_named_log(name)
    words = _words_of_path(name) | ({"glossary"} if name.lower().endswith(".tbx") else set())
    words |= {"vocab"} if name.lower().endswith(_OF_SUBWORDS) else set()
    if not is_log and (_says_role(name) or not words & (_GLOSSARIES | _VOCABULARIES)):
        return None
    data = beginning_of(name)
    if b"\0" in data[:_FIRST] or data.startswith((decoding.GZIP, decoding.ZIP)):
        return None if is_log else "a glossary or a vocabulary, as its name says."
    if words & _VOCABULARIES and not decoding.is_utf_8(data[:_HEAD].rpartition(b"\n")[0]):
        return "a vocabulary in the form of a program."
    head = head_of(data[:_HEAD].decode("utf-8-sig", errors="replace"))
    if is_log:
        return None if holds_outputs(data) else "a log, as its name says."
    n_words = fmean(_words_of_entries(head) or [_MOST_WORDS_OF_A_TERM + 1])
    if words & _GLOSSARIES and n_words <= _MOST_WORDS_OF_A_TERM:
        return "a glossary: its name says so, and its entries are short."
    return "a vocabulary, as its name says." if n_words <= _MOST_WORDS_OF_AN_ENTRY else None


def _says_role(name: str) -> bool:
    """Whether a file is called a reference, a source or an output: "terms.ref" is no glossary."""
    return any(role_word(part.text) is not None for part in parts_of(name.rpartition("/")[2][-_LONGEST_NAME:]))


def _words_of_path(name: str) -> frozenset[str]:
    """The words of a file's name and of the folder it is in."""
    folder, _, base = name[-_LONGEST_NAME:].rpartition("/")
    return frozenset((*words_of(base), *words_of(folder.rpartition("/")[2])))


def _words_of_entries(head: str) -> list[int]:
    """How many words each entry of the first lines has, where tabs, commas and "=" stand between entries."""
    lines = head.split("\n", _MOST_LINES)[:_MOST_LINES]
    return [len(entry.split()) for line in lines for entry in re.split(r"[\t,;=|]", line) if entry.strip()]
