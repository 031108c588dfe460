"""All checks by name, and the one call that runs them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Literal

import numpy as np

from bleucore.checks import (
    artefacts,
    characters,
    copies,
    documents,
    ends,
    languages,
    lengths,
    names,
    no_text,
    order,
    overlaps,
    processing,
    proportions,
    repeated_items,
    roles,
    scoring,
    spacing,
    surface_outliers,
    unknown_words,
    word_order,
)
from bleucore.checks.bleu_impact import weighed
from bleucore.checks.causes import by_cause
from bleucore.checks.compared_texts import Bools, Columns
from bleucore.checks.findings import SEVERITIES, Finding, Observation, of_all
from bleucore.corpus import TestSet
from bleucore.counts import Progress
from bleucore.plugins import Plugin, Registry, leave_out, plugins
from bleucore.tokens.tokenizer_choice import AnyTokenizerName
from bleucore.values import shown
from bleucore.written_numbers import count


@dataclass(frozen=True)
class Check:
    """One question to the texts of a test set.

    Attributes:
        observe: Yields what looks wrong, in any order.
        explanation: What the check looks for, one line.
        asks: Whether about the texts alone, or about what they are scored with.
        can_change_scores: Whether what it finds can matter to a score of BLEU.
        is_of_outputs: Whether it is about single outputs of systems: where they are rare, ``single-outputs`` has them.
    """

    observe: Callable[[Columns], Iterator[Observation]]
    explanation: str
    asks: Literal["texts", "scoring"] = "texts"
    can_change_scores: bool = True
    is_of_outputs: bool = False

    def all(self, columns: Columns) -> tuple[Observation, ...]:
        """What looks wrong."""
        return tuple(self.observe(columns))


_RARE = 0.003
"""Share of segments below which outputs are not worth a finding for each check that has some."""


_SHARE_OF_READING, _SHARE_OF_COSTS = 0.3, 0.1
"""Of the work of all checks, as their progress shows it."""


def single_outputs(columns: Columns) -> Iterator[Observation]:
    """The outputs of each system that checks flag here and there, together."""
    rare = [
        (kind, observation)
        for kind, one in CHECKS.items()
        for observation in (columns.once(one.all) if one.is_of_outputs else ())
        if _is_rare(one, observation)
    ]
    for column in columns.systems:
        own = [(name, observation.segments) for name, observation in rare if observation.column is column]
        if own:
            flagged: Bools = np.any([segments for _, segments in own], axis=0)
            listed = ", ".join(f"{name} {count(int(segments.sum()))}" for name, segments in own)
            n_flagged = int(flagged.sum())
            yield Observation(
                column,
                "note",
                f"{of_all(n_flagged, columns.n_segments)} look{'s' * (n_flagged == 1)} wrong in some way: {listed}.",
                "Read them, if you like: so few change no score, and not all will be faults.",
                flagged,
            )


_OWN: Mapping[str, Check] = MappingProxyType(
    {
        "scored-by-words": Check(
            scoring.scored_by_words, "Texts without spaces between words, scored by words.", asks="scoring"
        ),
        "no-text": Check(no_text.no_text, "Files of numbers, times, ids or tags instead of texts."),
        "shifted-lines": Check(order.shifted_lines, "Lines shifted by a few lines."),
        "reordered-lines": Check(order.reordered_lines, "Lines that belong to other segments."),
        "unrelated-lines": Check(order.unrelated_lines, "Lines that match no other text."),
        "copied-reference": Check(copies.copied_reference, "Outputs that are equal to a reference."),
        "copied-source": Check(
            copies.copied_source, "Outputs or references that are equal to the source.", is_of_outputs=True
        ),
        "near-references": Check(overlaps.near_references, "Systems that differ from a reference by few words."),
        "partial-copies": Check(overlaps.partial_copies, "Systems that partly copy another system."),
        "identical-systems": Check(copies.identical_systems, "Systems with identical outputs."),
        "identical-references": Check(copies.identical_references, "References that are identical."),
        "exchanged-references": Check(roles.exchanged_references, "References mixed up with a system."),
        "transposed-references": Check(copies.transposed_references, "References in rows instead of columns."),
        "unusual-proportions": Check(
            proportions.unusual_proportions, "Columns that are much longer or shorter than the others."
        ),
        "reversed-words": Check(word_order.reversed_words, "Columns whose words stand in reverse order."),
        "unusual-spacing": Check(
            spacing.unusual_spacing, "Columns without spaces between words, or with spaces inside words."
        ),
        "unusual-beginnings": Check(ends.unusual_beginnings, "Columns that begin most texts in an unusual way."),
        "unusual-endings": Check(ends.unusual_endings, "Columns that end most texts in an unusual way."),
        "wrong-script": Check(
            characters.wrong_script, "Outputs in another script than the references.", is_of_outputs=True
        ),
        "source-words": Check(
            languages.source_words, "Outputs with words of the source, beyond names and numbers.", is_of_outputs=True
        ),
        "another-language": Check(
            languages.another_language, "Outputs of words that no other text has.", is_of_outputs=True
        ),
        "unknown-words": Check(
            unknown_words.unknown_words, "Columns with many words unknown elsewhere, such as misspellings."
        ),
        "unrelated-outputs": Check(
            order.unrelated_outputs, "Single outputs that share no words with other texts.", is_of_outputs=True
        ),
        "empty-lines": Check(copies.empty_lines, "Texts that are empty where others are not.", is_of_outputs=True),
        "duplicated-lines": Check(copies.duplicated_lines, "The same text for different segments.", is_of_outputs=True),
        "length-outliers": Check(
            lengths.length_outliers, "Outputs that are far too long or too short.", is_of_outputs=True
        ),
        "truncated-outputs": Check(lengths.truncated_outputs, "Outputs that stop before the end.", is_of_outputs=True),
        "repetition-loops": Check(
            artefacts.repetition_loops, "Outputs that repeat words many times.", is_of_outputs=True
        ),
        "refusals": Check(artefacts.refusals, "Outputs that refuse to translate.", is_of_outputs=True),
        "preambles": Check(artefacts.preambles, "Outputs that begin with a preamble.", is_of_outputs=True),
        "notes": Check(artefacts.notes, "Outputs with a note or explanation.", is_of_outputs=True),
        "variants": Check(artefacts.variants, "Outputs that give several translations.", is_of_outputs=True),
        "quoted-outputs": Check(
            artefacts.quoted_outputs, "Outputs in quotation marks that no other text has.", is_of_outputs=True
        ),
        "markup": Check(artefacts.markup, "Outputs with Markdown, tags or JSON.", is_of_outputs=True),
        "letter-case": Check(
            surface_outliers.letter_case,
            "Texts in lower case, capitals or title case.",
            is_of_outputs=True,
        ),
        "missing-punctuation": Check(
            surface_outliers.missing_punctuation, "Texts without the punctuation that others have.", is_of_outputs=True
        ),
        "missing-accents": Check(
            surface_outliers.missing_accents, "Texts whose letters have lost their accents.", is_of_outputs=True
        ),
        "changed-numbers": Check(
            surface_outliers.changed_numbers, "Numbers that differ from those of all other texts.", is_of_outputs=True
        ),
        "changed-names": Check(
            names.changed_names, "Names that differ from those of all other texts.", is_of_outputs=True
        ),
        "html-tags": Check(surface_outliers.html_tags, "Texts with HTML tags, such as <br/>.", is_of_outputs=True),
        "invisible-characters": Check(
            surface_outliers.invisible_characters,
            "Texts with soft hyphens, zero-width spaces and similar.",
            is_of_outputs=True,
        ),
        "look-alike-letters": Check(
            surface_outliers.look_alike_letters,
            "Words with look-alike letters from another script.",
            is_of_outputs=True,
        ),
        "full-width-letters": Check(
            surface_outliers.full_width_letters, "Texts with full-width letters or digits.", is_of_outputs=True
        ),
        "special-tokens": Check(
            processing.special_tokens, "Texts with model tokens, such as <unk>.", is_of_outputs=True
        ),
        "subword-marks": Check(
            processing.subword_marks, "Texts split into subwords, such as @@ and ▁.", is_of_outputs=True
        ),
        "escaped-text": Check(processing.escaped_text, "Texts with escapes, such as &quot;.", is_of_outputs=True),
        "tokenised-text": Check(
            processing.tokenised_text, "Texts with spaces before full stops and commas.", is_of_outputs=True
        ),
        "wrong-decoding": Check(characters.wrong_decoding, "UTF-8 texts decoded as Latin-1.", is_of_outputs=True),
        "replacement-characters": Check(
            characters.replacement_characters, "Texts with replacement characters.", is_of_outputs=True
        ),
        "mixed-normal-forms": Check(
            characters.mixed_normal_forms, "Accents written in two ways (NFC and NFD).", is_of_outputs=True
        ),
        "byte-order-marks": Check(characters.byte_order_marks, "Texts with a byte-order mark.", is_of_outputs=True),
        "control-characters": Check(
            characters.control_characters, "Texts with NUL or other control characters.", is_of_outputs=True
        ),
        "line-separators": Check(
            characters.line_separators, "Texts with line separators, such as U+2028.", is_of_outputs=True
        ),
        "outer-white-space": Check(
            characters.outer_white_space, "Texts with leading or trailing white space.", can_change_scores=False
        ),
        "single-outputs": Check(single_outputs, "Single suspicious outputs, too few for findings."),
        "single-segment-documents": Check(documents.single_segments, "Documents of one segment each."),
        "repeated-items": Check(
            repeated_items.repeated_items,
            "Rows with the same source and references as another.",
            can_change_scores=False,
        ),
    }
)
"""In the order of what matters most. A new one is a function and a line here."""


def _of_packages() -> Mapping[str, Check]:
    """The checks of other packages, by the names of their entry points."""

    def fault(name: str, _: Check) -> str | None:
        return f"there is a check of the name {shown(name)}" if name in _OWN else None

    return {plugin.name: _guarded(one, plugin) for plugin, one in plugins("bleuscope.checks", Check, fault=fault)}


def _guarded(check: Check, plugin: Plugin) -> Check:
    """The same, which finds nothing where it fails."""

    def observe(columns: Columns) -> Iterator[Observation]:
        try:
            found = list(check.observe(columns))
            known = {columns.source, *columns.targets, None}
            fits = [one.column in known and one.segments.shape == (columns.n_segments,) for one in found]
        except Exception as error:  # noqa: BLE001  # whatever somebody else's function raises
            leave_out(plugin, f"it failed ({type(error).__name__}: {shown(str(error))})")
            return
        if not all(fits):
            leave_out(plugin, "it flags what is no segment of a column")
            return
        yield from found

    return replace(check, observe=observe)


CHECKS: Registry[str, Check] = Registry(_OWN, _of_packages)
"""Every check by its name; those of other packages last."""


def check(
    test_set: TestSet, *, tokenizer: AnyTokenizerName | None = None, progress: Progress | None = None
) -> tuple[Finding, ...]:
    """Everything about a test set that a person should look at, gravest first, then by the number of segments.

    The texts stay as they are. Equal test sets give equal findings.

    Args:
        test_set: The texts.
        tokenizer: What they are scored with; only the texts are asked about unless given.
        progress: Called with the share of the work done, 0 to 1, from time to time.
    """
    scoring_findings = () if tokenizer is None else check_scoring(test_set, tokenizer)
    return gravest_first([*scoring_findings, *_findings(Columns.of(test_set), "texts", progress)])


def check_scoring(test_set: TestSet, tokenizer: AnyTokenizerName) -> tuple[Finding, ...]:
    """What is wrong with scoring these texts with this tokenizer, found at once."""
    return tuple(_findings(Columns.of(test_set, tokenizer), "scoring", None))


def gravest_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings by severity, then by the number of segments; what is about scoring stands before the texts."""
    return tuple(
        sorted(
            findings,
            key=lambda one: (SEVERITIES.index(one.severity), CHECKS[one.check].asks == "texts", -len(one.segments)),
        )
    )


def _findings(columns: Columns, asks: str, progress: Progress | None) -> Iterator[Finding]:
    """What the checks that ask this say, in their order."""
    asked = {name: one for name, one in CHECKS.items() if one.asks == asks}
    report = progress or (lambda _: None)
    all_found: list[tuple[str, Observation]] = []
    if progress is not None:
        _read(columns, progress)
    for done, (name, one) in enumerate(asked.items(), start=1):
        all_found += [(name, found) for found in columns.once(one.all) if not _is_rare(one, found)]
        report(_SHARE_OF_READING + (1 - _SHARE_OF_READING - _SHARE_OF_COSTS) * done / len(asked))
    all_found = by_cause(columns, all_found, partial(_observed, asked))
    names = [name for name, _ in all_found]
    weighty = weighed(columns, [found for _, found in all_found], [CHECKS[name].is_of_outputs for name in names])
    report(1.0)
    for name, found in zip(names, weighty, strict=True):
        yield found.named(name, can_change_scores=CHECKS[name].can_change_scores)


def _observed(
    asked: Mapping[str, Check], columns: Columns, names: AbstractSet[str] | None
) -> list[tuple[str, Observation]]:
    """What these checks find, or those of some names."""
    chosen = [(name, one) for name, one in asked.items() if names is None or name in names]
    return [(name, found) for name, one in chosen for found in columns.once(one.all) if not _is_rare(one, found)]


def _read(columns: Columns, progress: Progress) -> None:
    """Read the words of each column, which the first check would do without a report."""
    for done, column in enumerate(columns.all, start=1):
        _ = column.words
        progress(_SHARE_OF_READING * done / len(columns.all))


def _is_rare(check: Check, observation: Observation) -> bool:
    """Whether these are so few outputs that they are no finding by themselves."""
    is_of_system = observation.column is not None and observation.column.kind == "system"
    return check.is_of_outputs and is_of_system and float(observation.segments.mean()) < _RARE
