"""Texts of apps in JSON: catalogues of strings by their keys."""

from bleucore.errors import InputError
from bleucore.formats.json_records import OUTPUT, SOURCE, Dump, Record, at, text_of
from bleucore.formats.json_values import Number
from bleucore.formats.usual_names import role_of

_LEAST_MESSAGES, _DEEPEST = 5, 8
TEXT = "text"


def string_catalog(file: str, document: Record) -> Dump | None:
    """Apple's catalogue of strings: the key is the source; one target language."""
    strings = document.get("strings")
    if not isinstance(strings, dict) or "sourceLanguage" not in document:
        return None
    source = str(document["sourceLanguage"])
    localized = [found for one in strings.values() if isinstance(found := at(one, "localizations"), dict)]
    languages = {str(language) for one in localized for language in one} - {source}
    if len(languages) != 1:
        raise InputError(
            "this catalogue has several languages" if languages else "this catalogue has no translations",
            where=file,
            found=", ".join(sorted(languages)) or "no localizations",
            expected="one target language",
            remedy="Export one language as XLIFF from Xcode, and load that.",
        )
    (language,) = languages
    records: list[Record] = []
    for key, one in strings.items():
        text = text_of(at(one, "localizations", language, "stringUnit", "value"))
        original = text_of(at(one, "localizations", source, "stringUnit", "value"))
        if text is not None:
            records.append({"id": key, SOURCE: original or key, OUTPUT: text})
    n_missing = len(strings) - len(records)
    lacking = f" {n_missing:,} of {len(strings):,} have no translation and were left out." if n_missing else ""
    notice = f"{file}: read as a catalogue of strings; the source is the key.{lacking}"
    return Dump(records, notice) if records else None


def catalogue(file: str, document: Record) -> Dump | None:
    """Texts of an app by their keys, in objects inside each other."""
    inner = [frozenset(value) for value in document.values() if isinstance(value, dict)]
    is_table = len(inner) == len(document) > 1 and len(set(inner)) == 1  # by columns or by rows
    if is_table and (any(map(role_of, document)) or all(map(str.isdecimal, [*next(iter(inner)), *document][:1]))):
        return None
    texts = _leaves(document)
    if texts is None or len(texts) < _LEAST_MESSAGES or any(role_of(path[-1]) for path, _ in texts):
        return None
    records: list[Record] = [{"id": ".".join(path), TEXT: text} for path, text in texts]
    return Dump(records, f"{file}: read as texts of an app; {len(records):,} keys are no part of the texts.")


def _leaves(value: Record, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]] | None:
    """The texts in objects by the keys that lead to them; ``None`` where anything else is in them."""
    found: list[tuple[tuple[str, ...], str]] = []
    for key, inner in value.items():
        if key.startswith("@"):  # what ARB says of a text
            continue
        if isinstance(inner, dict) and len(path) < _DEEPEST:
            below = _leaves(inner, (*path, key))
            if below is None:
                return None
            found += below
        elif isinstance(inner, str) and not isinstance(inner, Number):
            found.append(((*path, key), inner))
        else:
            return None
    return found
