"""How well the checks find faults of whole files: which are reported, and of which column.

Every trial strikes all lines of one system, or of a reference that is then the only one, and runs all checks. What
is reported of the texts as they were does not count. A fault is found if there is a new warning or error about its
column. Precision is over columns: how many of those with a new warning or error are struck.
"""

import argparse
import codecs
import html
import itertools
import json
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from planted_faults import LOOK_ALIKES, SAMPLE, Random, Texts, load, misspelt, with_hypotheses

from bleucore.checks import check
from bleucore.corpus import TestSet

TARGET_RECALL, TARGET_PRECISION = 0.9, 0.95

MORE_SEGMENTS = 2
"""Times so many segments as before, from which what a check reports of a column is new."""

Column = tuple[str, int | None]
"""Its kind and its index."""

Plant = Callable[[TestSet, Column, Random], TestSet]


@dataclass(frozen=True)
class InColumn:
    """A fault of a whole column.

    Attributes:
        plant: The test set, the column that is struck -> the faulty test set.
        kinds: Of columns that can have it.
        with_others: Whether a finding about another column is right, too, as where two files changed places.
    """

    plant: Plant
    kinds: tuple[str, ...] = ("system", "reference")
    with_others: bool = False


@dataclass(frozen=True)
class Tally:
    """What became of the trials of a fault."""

    trials: int = 0
    found: int = 0
    right: int = 0
    blamed: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.trials + other.trials,
            self.found + other.found,
            self.right + other.right,
            self.blamed + other.blamed,
            self.wrong + other.wrong,
        )

    @property
    def recall(self) -> float:
        return self.found / self.trials if self.trials else float("nan")

    @property
    def precision(self) -> float:
        return self.right / self.blamed if self.blamed else float("nan")


def main() -> None:
    """Plant every fault in every test set and print what is found."""
    arguments = _arguments()
    failures = 0
    for path in arguments.data or [SAMPLE]:
        test_set = first_segments(load(path), arguments.segments)
        print(
            f"\n{path.name}: {len(test_set.systems)} systems, {len(test_set.references)} references, "
            f"{test_set.n_segments:,} segments; {arguments.rounds} rounds of each fault, seed {arguments.seed}"
        )
        print(f"  {'fault':<34}{'column':<12}{'trials':>7}{'found':>7}{'recall':>8}{'prec.':>8}")
        sets = {kind: held(test_set, kind) for kind in (SYSTEM + REFERENCE)}
        for name, fault in FAULTS.items():
            if arguments.only and name not in arguments.only:
                continue
            for kind in fault.kinds:
                tally = measure(name, kind, sets[kind], rounds=arguments.rounds, seed=arguments.seed)
                if not tally.trials:
                    continue
                is_low = tally.recall < TARGET_RECALL or tally.precision < TARGET_PRECISION
                failures += is_low
                print(
                    f"  {name:<34}{kind:<12}{tally.trials:>7}{tally.found:>7}{tally.recall:>8.3f}"
                    f"{tally.precision:>8.3f}{'  below the target' * is_low}",
                    *(f"\n      {text}" for text in tally.wrong[: arguments.show]),
                    sep="",
                    flush=True,
                )
    print(f"\n{failures} below a recall of {TARGET_RECALL} or a precision of {TARGET_PRECISION}")


def first_segments(test_set: TestSet, n_segments: int | None) -> TestSet:
    """The first segments of a test set alone."""
    chosen = slice(n_segments)
    return replace(
        test_set,
        systems=[replace(one, hypotheses=one.hypotheses[chosen]) for one in test_set.systems],
        references=[column[chosen] for column in test_set.references],
        source=None if test_set.source is None else test_set.source[chosen],
        documents=None if test_set.documents is None else test_set.documents[chosen],
    )


@dataclass(frozen=True)
class Held:
    """A test set, with what is reported of it as it is."""

    test_set: TestSet
    known: Mapping[tuple[str, Column], int]

    @classmethod
    def of(cls, test_set: TestSet) -> "Held":
        return cls(test_set, {(one, column): n_segments for one, column, n_segments, _ in graves(test_set)})


def held(test_set: TestSet, kind: str) -> list[Held]:
    """The test set whose systems are struck, or one for each of its references alone."""
    if kind == "system":
        return [Held.of(test_set)]
    return [
        Held.of(replace(test_set, references=[one], reference_names=None, reference_files=None))
        for one in test_set.references
    ]


def measure(name: str, kind: str, sets: Sequence[Held], *, rounds: int, seed: int) -> Tally:
    """What is found of one fault, planted so many times in columns of one kind."""
    rng = np.random.default_rng([seed, *name.encode(), *kind.encode()])
    total = Tally()
    for _ in range(rounds):
        one = sets[int(rng.integers(len(sets)))]
        index = int(rng.integers(len(one.test_set.systems))) if kind == "system" else 0
        total += _trial(FAULTS[name], one, (kind, index), rng)
    return total


def _trial(fault: InColumn, held: Held, struck: Column, rng: Random) -> Tally:
    faulty = fault.plant(held.test_set, struck, rng)
    if faulty is held.test_set:
        return Tally()
    new = [
        (one, column, words)
        for one, column, n_segments, words in graves(faulty)
        if n_segments > MORE_SEGMENTS * held.known.get((one, column), 0)
    ]
    blamed = {column for _, column, _ in new}
    is_found = struck in blamed or (fault.with_others and bool(blamed))
    n_right = len(blamed) if fault.with_others else int(is_found)
    elsewhere = [f"{one}: {words}" for one, column, words in new if column != struck and not fault.with_others]
    missed = [] if is_found else [f"missed in {struck[0]} {struck[1]}"]
    return Tally(1, int(is_found), n_right, len(blamed), (*missed, *elsewhere))


def graves(test_set: TestSet) -> list[tuple[str, Column, int, str]]:
    """Check, column, number of segments and words of each warning or error."""
    return [
        (one.check, (one.kind, one.index), len(one.segments), f"{one.subject}: {one.message}")
        for one in check(test_set)
        if one.severity != "note"
    ]


def texts_of(test_set: TestSet, column: Column) -> Texts:
    """The texts of a system or reference."""
    kind, index = column
    group = test_set.references if kind == "reference" else [one.hypotheses for one in test_set.systems]
    return [text or "" for text in group[index or 0]]


def with_texts(test_set: TestSet, column: Column, texts: Sequence[str]) -> TestSet:
    """The test set with other texts of a system or reference."""
    kind, index = column
    if kind == "system":
        return with_hypotheses(test_set, index or 0, texts)
    return replace(test_set, references=[texts if i == index else c for i, c in enumerate(test_set.references)])


def _on_lines(change: Callable[[str, int], str]) -> Plant:
    """Each text changed, given its number; no trial where that changes hardly any."""
    return _on_texts(lambda texts, _: [change(text, number) for number, text in enumerate(texts)])


def _on_texts(change: Callable[[Texts, Random], Texts]) -> Plant:
    def plant(test_set: TestSet, column: Column, rng: Random) -> TestSet:
        old = texts_of(test_set, column)
        new = change(old, rng)
        n_changed = sum(one != other for one, other in zip(old, new, strict=True))
        return with_texts(test_set, column, new) if n_changed >= LEAST_CHANGED * len(old) else test_set

    return plant


LEAST_CHANGED = 0.5
"""Of the lines: a file without accents has none to lose."""


def _copied(share: float, *, of: str) -> Plant:
    """A share of the lines are those of another system or of a reference."""

    def plant(test_set: TestSet, column: Column, rng: Random) -> TestSet:
        own = texts_of(test_set, column)
        group = test_set.references if of == "reference" else [one.hypotheses for one in test_set.systems]
        others = [index for index in range(len(group)) if (of, index) != column]
        other = texts_of(test_set, (of, others[int(rng.integers(len(others)))]))
        copied = rng.random(len(own)) < share
        return with_texts(
            test_set, column, [new if is_new else old for old, new, is_new in zip(own, other, copied, strict=True)]
        )

    return plant


def _without_a_word(test_set: TestSet, column: Column, rng: Random) -> TestSet:
    """The reference without a word, or two characters, of each line."""
    made = []
    for text in texts_of(test_set, ("reference", int(rng.integers(len(test_set.references))))):
        parts = text.split(" ")
        if len(parts) > 1:
            del parts[int(rng.integers(len(parts)))]
        made.append(" ".join(parts))
    return with_texts(test_set, column, made)


def _exchanged(test_set: TestSet, column: Column, rng: Random) -> TestSet:
    reference = ("reference", int(rng.integers(len(test_set.references))))
    one, other = texts_of(test_set, column), texts_of(test_set, reference)
    return with_texts(with_texts(test_set, column, other), reference, one)


def _source_instead(test_set: TestSet, column: Column, _rng: Random) -> TestSet:
    return test_set if test_set.source is None else with_texts(test_set, column, test_set.source)


def _source_before(separator: str) -> Plant:
    def plant(test_set: TestSet, column: Column, _rng: Random) -> TestSet:
        if test_set.source is None:
            return test_set
        own = texts_of(test_set, column)
        return with_texts(
            test_set,
            column,
            [f"{source}{separator}{text}" for source, text in zip(test_set.source, own, strict=True)],
        )

    return plant


def _others_tokenised(test_set: TestSet, column: Column, _rng: Random) -> TestSet:
    """All columns but this one are tokenised."""
    for kind, size in (("system", len(test_set.systems)), ("reference", len(test_set.references))):
        for index in range(size):
            if (kind, index) != column:
                tokenised = [_tokenised(text) for text in texts_of(test_set, (kind, index))]
                test_set = with_texts(test_set, (kind, index), tokenised)
    return test_set


def _tokenised(text: str, _number: int = 0) -> str:
    return re.sub(r" +", " ", re.sub(r"(?<!\d)([.,!?;:()\"“”„»«])|([.,])(?!\d)", r" \1\2 ", text)).strip()


def _in_moses(text: str, _number: int) -> str:
    for sign, escape in (("&", "&amp;"), ("'", " &apos;"), ('"', "&quot;"), ("[", "&#91;"), ("]", "&#93;")):
        text = text.replace(sign, escape)
    return re.sub(r" +", " ", re.sub(r"([.,!?:()“”„»«])(?!\d)", r" \1 ", text)).strip()


def _as_bytes(text: str, _number: int) -> str:
    return "".join(
        one if one.isascii() and one.isalnum() else "".join(f"<0x{byte:02X}>" for byte in one.encode()) for one in text
    )


def _without_accents(text: str, _number: int) -> str:
    return "".join(one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one) != "Mn")


def _in_full_width(text: str, _number: int) -> str:
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else "\u3000" if one == " " else one for one in text)


def _without_punctuation(text: str, _number: int) -> str:
    return "".join(one for one in text if not unicodedata.category(one).startswith("P"))


def _in_pieces(text: str, _number: int) -> str:
    return re.sub(r"(\w{4})(?=\w{2})", r"\1@@ ", text)


def _misread(text: str, _number: int = 0) -> str:
    return text.encode().decode("latin-1")


def _spelled_out(text: str, _number: int) -> str:
    return text.translate(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}))


def _words_shuffled(texts: Texts, rng: Random) -> Texts:
    return [" ".join(rng.permutation(text.split()).tolist()) if text.split() else text for text in texts]


def _other_digits(texts: Texts, rng: Random) -> Texts:
    return [re.sub(r"\d", lambda one: str((int(one[0]) + int(rng.integers(1, 10))) % 10), text) for text in texts]


def _without_first_lines(texts: Texts, rng: Random) -> Texts:
    amount = int(rng.integers(1, 4))
    return texts[amount:] + [""] * amount


def _in_blocks_of_another_order(texts: Texts, rng: Random) -> Texts:
    blocks = [texts[start : start + 25] for start in range(0, len(texts), 25)]
    return list(itertools.chain.from_iterable(blocks[index] for index in rng.permutation(len(blocks)).tolist()))


def _first_sentence(text: str, _number: int) -> str:
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


SYSTEM = ("system",)
REFERENCE = ("reference",)
FAULTS: dict[str, InColumn] = {
    "two thirds of every line": InColumn(_on_lines(lambda text, _: text[: 2 * len(text) // 3])),
    "two thirds of the words": InColumn(
        _on_lines(lambda text, _: " ".join(text.split(" ")[: 2 * len(text.split(" ")) // 3]))
    ),
    "last two thirds of every line": InColumn(_on_lines(lambda text, _: text[len(text) // 3 :])),
    "60 characters at most": InColumn(_on_lines(lambda text, _: text[:60])),
    "last three words cut": InColumn(_on_lines(lambda text, _: " ".join(text.split(" ")[:-3]) or text)),
    "first word cut": InColumn(_on_lines(lambda text, _: text.partition(" ")[2] or text)),
    "every line twice": InColumn(_on_lines(lambda text, _: f"{text} {text}")),
    "every word twice": InColumn(_on_lines(lambda text, _: " ".join(f"{one} {one}" for one in text.split()))),
    "every second word": InColumn(_on_lines(lambda text, _: " ".join(text.split()[::2]))),
    "bullets": InColumn(_on_lines(lambda text, _: f"- {text}")),
    "numbers": InColumn(_on_lines(lambda text, number: f"{number + 1}. {text}")),
    "ids": InColumn(_on_lines(lambda text, number: f"seg_{number:05}\t{text}")),
    "scores behind": InColumn(_on_lines(lambda text, number: f"{text} ||| {-0.01 * (number % 97):.4f}")),
    "label": InColumn(_on_lines(lambda text, _: f"Translation: {text}")),
    "preamble": InColumn(_on_lines(lambda text, _: f"Sure! Here is the translated text: {text}")),
    "note": InColumn(_on_lines(lambda text, _: f"{text} (Note: the names were left as they are.)")),
    "quoted": InColumn(_on_lines(lambda text, _: f'"{text}"')),
    "JSON": InColumn(_on_lines(lambda text, _: json.dumps({"translation": text}, ensure_ascii=False))),
    "JSON in ASCII": InColumn(_on_lines(lambda text, _: json.dumps({"translation": text}))),
    "list of Python": InColumn(_on_lines(lambda text, _: repr([text]))),
    "fields of CSV": InColumn(_on_lines(lambda text, number: f'{number},"{text.replace(chr(34), chr(34) * 2)}"')),
    "Markdown": InColumn(_on_lines(lambda text, _: f"**{text}**")),
    "tags around": InColumn(_on_lines(lambda text, number: f'<seg id="{number}">{text}</seg>')),
    "HTML tags": InColumn(_on_lines(lambda text, _: f"<p>{text}</p>")),
    "HTML escapes": InColumn(
        _on_lines(lambda text, _: html.escape(text).encode("ascii", "xmlcharrefreplace").decode().replace(",", "&#44;"))
    ),
    "escapes of Unicode": InColumn(_on_lines(lambda text, _: text.encode("ascii", "backslashreplace").decode())),
    "percent signs": InColumn(_on_lines(lambda text, _: text.replace(" ", "%20").replace(",", "%2C"))),
    "end-of-text tokens": InColumn(_on_lines(lambda text, _: f"{text}</s>")),
    "byte tokens": InColumn(_on_lines(_as_bytes)),
    "pieces of words": InColumn(_on_lines(_in_pieces)),
    "SentencePiece": InColumn(_on_lines(lambda text, _: " ".join(f"▁{one}" for one in text.split()))),
    "lower case": InColumn(_on_lines(lambda text, _: text.lower())),
    "upper case": InColumn(_on_lines(lambda text, _: text.upper())),
    "title case": InColumn(_on_lines(lambda text, _: text.title())),
    "tokenised": InColumn(_on_lines(_tokenised)),
    "tokenised by Moses": InColumn(_on_lines(_in_moses)),
    "detokenised": InColumn(_others_tokenised, SYSTEM),
    "no blanks": InColumn(_on_lines(lambda text, _: text.replace(" ", ""))),
    "underscores for blanks": InColumn(_on_lines(lambda text, _: text.replace(" ", "_"))),
    "letters apart": InColumn(_on_lines(lambda text, _: " ".join(text.replace(" ", "")))),
    "no punctuation": InColumn(_on_lines(_without_punctuation)),
    "no full stop": InColumn(_on_lines(lambda text, _: text.rstrip(".。"))),
    "no accents": InColumn(_on_lines(_without_accents)),
    "umlauts spelled out": InColumn(_on_lines(_spelled_out)),
    "question marks for letters": InColumn(_on_lines(lambda text, _: text.encode("ascii", "replace").decode())),
    "letters outside ASCII lost": InColumn(_on_lines(lambda text, _: text.encode("ascii", "ignore").decode())),
    "other digits": InColumn(_on_texts(_other_digits)),
    "full-width": InColumn(_on_lines(_in_full_width)),
    "look-alike letters": InColumn(
        _on_lines(lambda text, _: "".join(LOOK_ALIKES.get(one, one) for one in text)),
    ),
    "soft hyphens": InColumn(_on_lines(lambda text, _: re.sub(r"(?<=\w{3})(?=\w{3})", "\u00ad", text))),
    "decomposed": InColumn(_on_lines(lambda text, _: unicodedata.normalize("NFD", text))),
    "read as Latin-1": InColumn(_on_lines(_misread)),
    "read as Latin-1 twice": InColumn(_on_lines(lambda text, _: _misread(_misread(text)))),
    "read as Cyrillic": InColumn(_on_lines(lambda text, _: text.encode().decode("cp1251", errors="replace"))),
    "UTF-16": InColumn(_on_lines(lambda text, _: "".join(f"{one}\0" for one in text))),
    "lost characters": InColumn(
        _on_lines(lambda text, _: text.encode("latin-1", "replace").decode("utf-8", "replace")),
    ),
    "words in reverse order": InColumn(_on_lines(lambda text, _: " ".join(text.split()[::-1]))),
    "letters in reverse order": InColumn(_on_lines(lambda text, _: text[::-1])),
    "words shuffled": InColumn(_on_texts(_words_shuffled)),
    "misspelt": InColumn(_on_texts(misspelt)),
    "other language": InColumn(_on_lines(lambda text, _: codecs.encode(text, "rot13"))),
    "source instead": InColumn(_source_instead),
    "source before it": InColumn(_source_before(" ")),
    "source, tab": InColumn(_source_before("\t")),
    "source, bars": InColumn(_source_before(" ||| ")),
    "first sentence alone": InColumn(_on_lines(_first_sentence)),
    "every second line empty": InColumn(_on_lines(lambda text, number: text if number % 2 else "")),
    "second half empty": InColumn(_on_texts(lambda t, _: t[: len(t) // 2] + [""] * (len(t) - len(t) // 2))),
    "all lines equal": InColumn(_on_texts(lambda texts, _: [texts[len(texts) // 3]] * len(texts))),
    "all empty": InColumn(_on_lines(lambda _text, _number: ""), SYSTEM),
    "scores instead": InColumn(_on_lines(lambda text, _: f"{len(text) % 97 / 97:.4f}")),
    "numbers instead": InColumn(_on_lines(lambda _, number: str(number))),
    "shifted by one": InColumn(_on_texts(lambda texts, _: ["", *texts[:-1]])),
    "first lines missing": InColumn(_on_texts(_without_first_lines)),
    "lines sorted": InColumn(_on_texts(lambda texts, _: sorted(texts))),
    "lines shuffled": InColumn(_on_texts(lambda texts, rng: [texts[i] for i in rng.permutation(len(texts)).tolist()])),
    "lines in reverse order": InColumn(_on_texts(lambda texts, _: texts[::-1])),
    "blocks in another order": InColumn(_on_texts(_in_blocks_of_another_order)),
    "refusals": InColumn(_on_lines(lambda *_: "I'm sorry, but I can't assist with that request."), SYSTEM),
    "reference": InColumn(_copied(1, of="reference"), SYSTEM),
    "reference less a word": InColumn(_without_a_word, SYSTEM),
    "30 % of another system": InColumn(_copied(0.3, of="system"), SYSTEM),
    "30 % of a reference": InColumn(_copied(0.3, of="reference"), SYSTEM),
    "another system": InColumn(_copied(1, of="system"), SYSTEM, with_others=True),
    "reference and system exchanged": InColumn(_exchanged, SYSTEM, with_others=True),
    "a system as reference": InColumn(_copied(1, of="system"), REFERENCE, with_others=True),
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "data", nargs="*", type=Path, help="folders or files of a test set each; the sample unless given"
    )
    parser.add_argument("--rounds", type=int, default=2, help="how many times each fault is planted")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--segments", type=int, help="take the first so many segments alone")
    parser.add_argument("--show", type=int, default=3, help="print so many of the misses and false findings")
    parser.add_argument("--only", nargs="*", choices=FAULTS, metavar="FAULT", help="these faults alone")
    return parser.parse_args()


if __name__ == "__main__":
    main()
