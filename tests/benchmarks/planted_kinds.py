"""Whether kinds of errors are found and cost what they cost: errors of one kind are planted in texts of any language.

    python tests/benchmarks/planted_kinds.py REFERENCE [--source SOURCE] [--output OUTPUT] [--tokenizer zh]

Plants errors in copies of the reference and, with ``--output``, in what of a system's output matches. For 1, 3 and 10 %
of all tokens, as far as there are tokens to plant in, a line says

- recall: the share of planted tokens that get the kind,
- assigned: the points that this kind loses in the copy, over what the copy lost: 1 is right,
- in output: the points that this kind loses by planting in the output, over what planting there costs.

Before these, all kinds are planted at once: a line for each share of all tokens says the points of each kind, over what
its errors cost when they are planted alone.

Other forms of words are planted without the rule that finds them: an ending of a word becomes another one if the text
has both with ``LEAST_STEMS`` stems. Names change places with other names of the text: capitalised words inside
sentences, and where nouns have capitals those that the source has too. Words in another order are two neighbours that
change places. Nothing is planted next to a planted token.
"""

import argparse
import random
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from bleucore import BleuOptions, System, TestSet  # noqa: E402
from bleucore.analysis.kinds import KindStudy, capitals_tell, study_kinds  # noqa: E402
from bleucore.analysis.token_kinds import KINDS, SENTENCE_ENDS  # noqa: E402
from bleucore.tokens.tokenizers import tokenize  # noqa: E402

OPTIONS = BleuOptions(tokenizer="none")
SHARES = (0.01, 0.03, 0.1)
LEAST_STEMS = 15
"""Stems that a pair of endings has in common before it counts as inflection."""
LONGEST_ENDING, SHORTEST_ROOT = 5, 3
SIGNS = {
    ",": ";，",
    ".": "!。",
    ";": ",:",
    ":": ";",
    "!": ".",
    "?": "!",
    "，": ",；",
    "。": ".！",
    "、": "，",
    "-": "–",
}
SIGNS |= {'"': "“„", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "(": "[", ")": "]", "'": "’", "’": "'", "–": "-"}
PLANTED = ("other form", "word order", "number", "name", "case", "punctuation")

Words = list[str]
Planter = Callable[[int, Words, int], str | None]
"""Gives another word for one of a segment: its number, its words, the place."""


def main(arguments: argparse.Namespace) -> None:
    """Print a line for each kind and share."""
    rng = random.Random(arguments.seed)
    reference, source, output = (
        None if path is None else _tokens(path, arguments.tokenizer)
        for path in (arguments.reference, arguments.source, arguments.output)
    )
    assert reference is not None
    planters = _planters(reference, source, rng)
    sources = None if source is None else [" ".join(words) for words in source]
    print(f"{arguments.reference.name}: {len(reference)} segments, {sum(map(len, reference))} tokens")
    print(f"{'kind':<13}{'share':>6}{'planted':>9}{'recall':>8}{'assigned':>10}{'in output':>11}{'planted there':>15}")
    _print_together(reference, sources, planters, rng)
    for kind in PLANTED:
        seen = 0
        for share in SHARES:
            wanted = round(share * sum(map(len, reference)))
            planted, changed = _plant(kind, reference, planters[kind], wanted, rng)
            n_planted = sum(map(len, changed))
            if n_planted in (0, seen):  # there is no more to plant in
                break
            seen = n_planted
            recall, assigned = _in_copy(kind, planted, changed, reference, sources)
            there = (
                ""
                if output is None
                else _in_output(kind, output, reference, sources, planters[kind], share=share, rng=rng)
            )
            print(f"{kind:<13}{100 * share:>5.0f}%{n_planted:>9}{recall:>8.3f}{assigned:>10.3f}{there}", flush=True)


def _print_together(
    reference: Sequence[Words], sources: Sequence[str] | None, planters: Mapping[str, Planter], rng: random.Random
) -> None:
    """What each kind loses in a copy that has errors of all kinds, over what its own errors cost alone."""
    n_tokens = sum(map(len, reference))
    for share in SHARES:
        wanted = round(share * n_tokens / len(PLANTED))
        together = [list(words) for words in reference]
        taken, alone = [[False] * len(words) for words in reference], {}
        for kind in PLANTED:
            planted, changed = _plant(kind, reference, planters[kind], wanted, rng, forbidden=taken)
            for segment, places in enumerate(changed):
                for place in places:
                    width = 2 if kind == "word order" else 1
                    together[segment][place : place + width] = planted[segment][place : place + width]
                    taken[segment][max(place - 1, 0) : place + width + 1] = [True] * len(
                        taken[segment][max(place - 1, 0) : place + width + 1]
                    )
            losses = _study([planted], reference, sources).losses[0]
            alone[kind] = losses.perfect - losses.score
        found = _study([together], reference, sources).losses[0].losses
        ratios = (f"{kind} {found[KINDS.index(kind)] / alone[kind]:.3f}" for kind in PLANTED if alone[kind])
        print(f"together, {100 * share:.0f}% in all: {', '.join(ratios)}", flush=True)


def _in_copy(
    kind: str,
    planted: Sequence[Words],
    changed: Sequence[Sequence[int]],
    reference: Sequence[Words],
    sources: Sequence[str] | None,
) -> tuple[float, float]:
    found = _study([planted], reference, sources)
    (losses,) = found.losses
    place, n_found, n_planted = KINDS.index(kind), 0, 0
    for segment, places in enumerate(changed):
        kinds = losses.kinds_of(segment)
        n_planted += len(places)
        n_found += sum(
            place in ((kinds[one], kinds[one + 1]) if kind == "word order" else (kinds[one],)) for one in places
        )
    return n_found / n_planted, float(losses.losses[place]) / (losses.perfect - losses.score)


def _in_output(
    kind: str,
    output: Sequence[Words],
    reference: Sequence[Words],
    sources: Sequence[str] | None,
    planter: Planter,
    *,
    share: float,
    rng: random.Random,
) -> str:
    """What the kind loses by planting errors among the words of an output that match."""
    before = _study([output], reference, sources).losses[0]
    matching = [
        [None if credited == -1 else word for word, credited in zip(words, before.kinds_of(segment), strict=True)]
        for segment, words in enumerate(output)
    ]
    wrong = [[one is not None for one in words] for words in matching]
    planted, changed = _plant(kind, output, planter, round(share * sum(map(len, output))), rng, forbidden=wrong)
    found = _study([output, planted], reference, sources)
    cost = found.losses[0].score - found.losses[1].score
    gained = -float(found.total_gains[KINDS.index(kind)])
    return f"{gained / cost if cost else float('nan'):>11.3f}{sum(map(len, changed)):>15}"


def _plant(  # what is planted, where, how much
    kind: str,
    texts: Sequence[Words],
    planter: Planter,
    wanted: int,
    rng: random.Random,
    forbidden: Sequence[Sequence[bool]] | None = None,
) -> tuple[list[Words], list[list[int]]]:
    """The texts with errors, and the places of these in each; of two that changed places the first."""
    places = [(segment, place) for segment, words in enumerate(texts) for place in range(len(words))]
    rng.shuffle(places)
    planted, changed = [list(words) for words in texts], [list[int]() for _ in texts]
    width = 2 if kind == "word order" else 1
    for segment, place in places:
        if not wanted:
            break
        words, near = texts[segment], range(place - 1, place + width + 1)
        if forbidden is not None and any(forbidden[segment][place : place + width]):
            continue
        if any(one in near for done in changed[segment] for one in range(done, done + width)):
            continue
        if width == 2:  # two words that change places
            pair = words[place : place + 2]
            if len({*pair}) < 2 or not all(word.isalpha() for word in pair):
                continue
            planted[segment][place : place + 2] = pair[::-1]
        else:
            new = planter(segment, words, place)
            if new is None or new == words[place]:
                continue
            planted[segment][place] = new
        changed[segment].append(place)
        wanted -= 1
    return planted, changed


def _planters(texts: Sequence[Words], source: Sequence[Words] | None, rng: random.Random) -> Mapping[str, Planter]:
    columns = [list(map(" ".join, texts))]
    tells = capitals_tell(TestSet([System("0", columns[0])], columns), OPTIONS)
    borrowed = None if tells else [{*words} for words in source or [[]] * len(texts)]

    def is_name(segment: int, words: Words, place: int) -> bool:
        is_borrowed = borrowed is None or words[place] in borrowed[segment]
        return is_borrowed and _is_capitalised(words, place)

    names = sorted(
        {word for one, words in enumerate(texts) for place, word in enumerate(words) if is_name(one, words, place)}
    )
    forms = _forms(texts)

    def other_form(_segment: int, words: Words, place: int) -> str | None:
        others = forms.get(words[place])
        return rng.choice(others) if others else None

    def number(_segment: int, words: Words, place: int) -> str | None:
        digits = [one for one, character in enumerate(words[place]) if character.isdecimal()]
        if not digits:
            return None
        one = rng.choice(digits)
        return (
            words[place][:one]
            + str((unicodedata.digit(words[place][one]) + rng.randint(1, 9)) % 10)
            + words[place][one + 1 :]
        )

    def name(segment: int, words: Words, place: int) -> str | None:
        return rng.choice(names) if is_name(segment, words, place) else None

    def case(_segment: int, words: Words, place: int) -> str | None:
        word = words[place]
        if len(word) < 2 or not word.isalpha() or word.lower() == word.upper():
            return None
        return word.capitalize() if word.islower() else word.lower()

    def punctuation(_segment: int, words: Words, place: int) -> str | None:
        others = SIGNS.get(words[place])
        return rng.choice(others) if others else None

    def nothing(_segment: int, _words: Words, _place: int) -> str | None:
        return None

    return {
        "other form": other_form,
        "word order": nothing,
        "number": number,
        "name": name,
        "case": case,
        "punctuation": punctuation,
    }


def _is_capitalised(words: Words, place: int) -> bool:
    word = words[place]
    return (
        place > 0 and words[place - 1] not in SENTENCE_ENDS and word[:1].isupper() and word.isalpha() and len(word) > 2
    )


def _forms(texts: Sequence[Words]) -> Mapping[str, Words]:
    """Other forms of each word: those with another ending, where the text has both endings with many stems."""
    vocabulary = {word for words in texts for word in words if word.isalpha() and word.islower()}
    endings: defaultdict[str, set[str]] = defaultdict(set)
    for word in vocabulary:
        for length in range(LONGEST_ENDING + 1):
            if len(word) - length >= SHORTEST_ROOT:
                endings[word[: len(word) - length]].add(word[len(word) - length :])
    pairs = Counter(
        (one, other) for of_stem in endings.values() for one in of_stem for other in of_stem if one != other
    )
    found: defaultdict[str, Words] = defaultdict(list)
    for stem, of_stem in endings.items():
        for one in of_stem:
            found[stem + one] += [
                stem + other
                for other in sorted(of_stem)
                if other != one and pairs[one, other] >= LEAST_STEMS and one[:1] != other[:1]
            ]
    return found


def _study(columns: Sequence[Sequence[Words]], reference: Sequence[Words], sources: Sequence[str] | None) -> KindStudy:
    systems = [System(f"{place}", [" ".join(words) for words in texts]) for place, texts in enumerate(columns)]
    test_set = TestSet(systems, [[" ".join(words) for words in reference]], source=sources)
    return study_kinds(test_set, test_set.system_names, OPTIONS)


def _tokens(path: Path, tokenizer: str) -> list[Words]:
    texts = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    tokenized = tokenize(texts, tokenizer)
    return [list(tokenized.tokens(place)) for place in range(len(texts))]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--source", type=Path)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--tokenizer", default="13a")
    parser.add_argument("--seed", type=int, default=1)
    main(parser.parse_args())
