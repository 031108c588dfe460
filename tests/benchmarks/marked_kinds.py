"""Which kinds of errors human raters mark: the share of tokens of each kind that any character is marked of.

Prints the figures of the guide and of the page Kinds of errors, from a test set and its error spans:

    python tests/benchmarks/marked_kinds.py FOLDER --pair en-de --judgements FOLDER/human-scores/en-de.mqm…seg.rating

The folder has the layout of mt-metrics-eval: sources, references and system-outputs of several pairs.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "dashboard")]

from bleucore import BleuOptions, System, TestSet  # noqa: E402
from bleucore.analysis.credited_and_marked import marks_of  # noqa: E402
from bleucore.analysis.kinds import capitals_tell, kinds_of_segments  # noqa: E402
from bleucore.analysis.matches import match_segments  # noqa: E402
from bleucore.analysis.token_kinds import KINDS, NO_KIND  # noqa: E402
from bleucore.judgements.records import Judgements  # noqa: E402
from bleuscope.content.comparison.inputs import Inputs  # noqa: E402
from bleuscope.shell.disk.judgement_files import judgements_of  # noqa: E402

OPTIONS = BleuOptions()


def main(arguments: argparse.Namespace) -> None:
    """Print a line for each kind, and one for tokens that match."""
    test_set = read_folder(arguments.folder, arguments.pair, arguments.reference)
    found = judgements_of(Inputs(judgements=(str(arguments.judgements),)), test_set)
    judgements = next(one for one in found if len(one.spans))
    tokens, marked = counts(test_set, judgements)
    print(f"{arguments.folder.name} {arguments.pair}: {len(test_set.systems)} systems, {test_set.n_segments} segments")
    print(f"{'kind':<14}{'tokens':>9}{'marked':>9}{'%':>7}")
    for name, n_tokens, n_marked in zip((*KINDS, "matches"), tokens.tolist(), marked.tolist(), strict=True):
        share = f"{100 * n_marked / n_tokens:.1f}" if n_tokens else "–"
        print(f"{name:<14}{n_tokens:>9}{n_marked:>9}{share:>7}")


def read_folder(folder: Path, pair: str, reference: str) -> TestSet:
    """The systems that people judged, with a reference that is not among them."""
    systems = [
        System(path.stem, _lines(path))
        for path in sorted((folder / "system-outputs" / pair).glob("*.txt"))
        if path.stem not in (reference, "synthetic_ref")
    ]
    references = [_lines(folder / "references" / f"{pair}.{reference}.txt")]
    source, documents = _lines(folder / "sources" / f"{pair}.txt"), folder / "documents" / f"{pair}.docs"
    names = [line.split()[-1] for line in _lines(documents)] if documents.exists() else None
    return TestSet(systems, references, source=source, documents=names)


def counts(test_set: TestSet, judgements: Judgements) -> tuple[np.ndarray, np.ndarray]:
    """Tokens of each kind, (11,), and the marked ones among them; the last place is of tokens that match."""
    tokens, marked = np.zeros((2, len(KINDS) + 1), np.int64)
    capitals = capitals_tell(test_set, OPTIONS)
    for system in judgements.systems:
        if system not in test_set.system_names:
            continue
        marks, texts = marks_of(judgements, system), test_set.system(system).hypotheses
        (kinds,) = kinds_of_segments(test_set, [system], list(marks), OPTIONS, capitals=capitals)
        matched = match_segments([texts[row] for row in marks], [[None]] * len(marks), OPTIONS)
        for of_segment, one, spans in zip(kinds, matched, marks.values(), strict=True):
            taken = [(span.start, span.end) for span in spans if span.side == "target" and not span.is_missing]
            for kind, token in zip(of_segment, one.tokens, strict=True):
                place = len(KINDS) if kind == NO_KIND else kind
                tokens[place] += 1
                marked[place] += any(start < token.span[1] and token.span[0] < end for start, end in taken)
    return tokens, marked


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pair", default="en-de")
    parser.add_argument("--reference", default="refA")
    parser.add_argument("--judgements", type=Path, required=True)
    main(parser.parse_args())
