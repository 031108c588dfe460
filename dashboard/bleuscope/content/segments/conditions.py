"""One's own questions of segments: expressions over texts and scores, as ``lost(b, "[0-9]+") and bleu_b < 20``.

Python's own grammar reads them (``ast``), and nothing of them is run as code: what stands here gives each allowed
piece its meaning, and all else is refused.
"""

import ast
import json
import operator
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NoReturn, TypeAlias

import numpy as np

from bleucore import InputError
from bleucore.counts import Floats, Ints
from bleucore.values import unknown_name
from bleuscope.content.segments import feature_numbers, patterns
from bleuscope.content.segments.patterns import Bools, PatternSearch

Texts: TypeAlias = Sequence[str | None]
MAX_LENGTH = 500
"""Of an expression, in characters."""
MAX_CONDITIONS = 20

NUMBER, NAME, PUNCTUATION = r"\d+(?:[.,:٫٬]\d+)*", r"(?<=\w[,;:]? )\p{Lu}[\p{L}\p{M}'’-]+", r"[?!;:…？！；：؟؛]"
NEGATION = (
    r"(?i)\b(?:not(?! only)|no|never|nor|cannot|\w+n['’]t|nicht|kein\w*|nie|pas|jamais|non(?!-)"
    r"|не|нет|никогда|لا|لم|لن|ليس\w*)\b|[不没沒]|않|없|ません"
)
"""In some languages: whoever needs another one writes it so."""
OF_MARKS: Mapping[str, str] = MappingProxyType(
    {
        "B: credited and marked as major": "matched_major_b > 0",
        "A: credited and marked as major": "matched_major_a > 0",
        "B: marked": "marked_b > 0",
        "A: marked": "marked_a > 0",
        "B: not credited, no error marked": "unmatched_unmarked_b > 0 and marked_b == 0",
        "A: not credited, no error marked": "unmatched_unmarked_a > 0 and marked_a == 0",
    }
)
"""Questions of judgements with error spans."""
READY: Mapping[str, str] = MappingProxyType(
    {
        "B is clearly better": "bleu_b - bleu_a > 20",
        "A is clearly better": "bleu_a - bleu_b > 20",
        "the texts differ": "a != b",
        "B got worse": "bleu_b < bleu_a",
        "B got better": "bleu_b > bleu_a",
        "both are bad": "bleu_a < 15 and bleu_b < 15",
        "BLEU and chrF disagree": "(bleu_b - bleu_a) * (chrf2_b - chrf2_a) < 0",
        "long": "length > 40",
        "B lost a negation": f'lost(b, r"{NEGATION}") > 0 and not matches(b, r"{NEGATION}")',
        "A lost a negation": f'lost(a, r"{NEGATION}") > 0 and not matches(a, r"{NEGATION}")',
        "B lost a number": f'lost(b, r"{NUMBER}") > 0',
        "A lost a number": f'lost(a, r"{NUMBER}") > 0',
        "B lost a name": f'lost(b, r"{NAME}") > 0',
        "A lost a name": f'lost(a, r"{NAME}") > 0',
        "B lost a question mark or similar": f'lost(b, r"{PUNCTUATION}") > 0',
        "A lost a question mark or similar": f'lost(a, r"{PUNCTUATION}") > 0',
        "B is much shorter than the reference": "tokens_b < 0.6 * length",
        "A is much shorter than the reference": "tokens_a < 0.6 * length",
        "B repeats the source": "b == source",
        "A repeats the source": "a == source",
        **OF_MARKS,
    }
)
"""Questions that are often asked, by their names."""
STRING = re.compile(r"""([rR]?)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""")
BACKSLASH = re.compile(r"""(\\[\\"'nrtfuUx])|\\""")
"""In a string: of what Python makes a character, or one that is of a pattern, as in "\\bnot\\b"."""
ASKED: Mapping[str, str] = MappingProxyType({"B": "b", "A": "a", "the reference": "reference", "the source": "source"})
ASKED_HOW: Mapping[str, str] = MappingProxyType(
    {
        "has": "has({}, {})",
        "lacks": "lacks({}, {})",
        "matches the pattern": "matches({}, {})",
        "loses matches of": "lost({}, {}) > 0",
    }
)
"""Questions of a text that are put together of three fields."""
HELP = (
    'Texts: `source`, `reference`, `a`, `b`. Conditions: `has(b, "text")`, `lacks(b, "text")`, '
    '`matches(b, "pattern")`. Counts: `characters(b)`, `number(b, "pattern")` of matches, `lost(b, "pattern")` of '
    "matches that only the reference has. Numbers: {numbers}. Example: "
    "`bleu_b - bleu_a > 20 and not length < 30`."
)
HELP_OF_MARKS = (
    " `marked_b`, `minor_b`, `major_b` and `critical_b` count B's tokens in marked errors, `unmarked_b` the others. "
    "Prefixes: `matched_` counts only tokens that BLEU credits, `matched4_` those in 4-grams, `unmatched_` the rest."
)


@dataclass(frozen=True)
class Material:
    """What conditions are about, S segments.

    Attributes:
        n_segments: S.
        columns: Texts by name: each name stands for one column or, as ``reference``, for several.
        numbers: By name, each (S,).
        end: When all that is asked of it is given up, on the clock ``time.monotonic``.
    """

    n_segments: int
    columns: Mapping[str, Sequence[Texts]]
    numbers: Mapping[str, Floats]
    end: float = field(default_factory=lambda: time.monotonic() + patterns.SEARCH_SECONDS)


@dataclass(frozen=True)
class _Words:
    """A name of texts within an expression."""

    columns: Sequence[Texts]


def segments_where(condition: str, material: Material) -> Bools:
    """Which segments a condition holds for, (S,); never for one of whose numbers one is missing.

    Args:
        condition: An expression, or the name of a ready one.
        material: What it is about.

    Raises:
        InputError: It is no such expression, or its patterns take too long.
    """
    text = written_out(condition)
    try:
        with np.errstate(all="ignore"):
            tree = _tree(text)
            found = _Reader(text, material).value(tree)
    except (RecursionError, OverflowError):
        _refuse(text, "this is too deep or too large", "Write it in several conditions.")
    if not (isinstance(found, np.ndarray) and found.dtype == np.bool_):
        _refuse(text, "this is no yes or no", "Compare it, as in bleu_b > 50.")
    numbers = [material.numbers[name] for name in _names(tree) if name in material.numbers]
    return found & ~np.isnan(numbers).any(axis=0) if numbers else found


def _tree(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        _refuse(text, "this is too long", f"Write up to {MAX_LENGTH} characters.")
    try:
        return ast.parse(STRING.sub(_as_meant, text.strip()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        _refuse(text, "this cannot be read", 'Write it as in has(b, "word") and bleu_b < 20.')


def _as_meant(string: re.Match[str]) -> str:
    """A string whose backslashes stay, without an r in front too: Python makes a backspace of a border of words."""
    prefix, quoted = string.groups()
    return prefix + (quoted if prefix else BACKSLASH.sub(lambda found: found[1] or r"\\", quoted))


def asks_of(condition: str) -> set[str]:
    """Which of the systems, "a" and "b", a condition names.

    Raises:
        InputError: It is no such expression.
    """
    names = names_in(condition)
    both = {"a", "b"} if names & {"delta", "part"} else set()
    return both | {side for side in "ab" if any(name == side or name.endswith(f"_{side}") for name in names)}


def names_in(condition: str) -> set[str]:
    """The names of texts, numbers and functions that a condition holds.

    Raises:
        InputError: It is no such expression.
    """
    return _names(_tree(written_out(condition)))


def denied(condition: str) -> str:
    """What holds where a condition does not."""
    return f"not ({written_out(condition)})"


def written_out(condition: str) -> str:
    """A condition as an expression: one of ``READY``, a ready one of a feature, or itself."""
    return READY.get(condition, feature_numbers.READY.get(condition, condition))


def written_condition(which: str, how: str, text: str) -> str:
    """A question as an expression: one of ``ASKED``, one of ``ASKED_HOW``, and a text or pattern."""
    return ASKED_HOW[how].format(ASKED[which], json.dumps(text, ensure_ascii=False))


def _names(tree: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _place(text: str) -> str:
    return f"Condition {text[:80]!r}"


def _refuse(text: str, reason: str, remedy: str) -> NoReturn:
    raise InputError(reason, where=_place(text), remedy=remedy)


COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = MappingProxyType(
    {
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
        ast.Eq: operator.eq,
        ast.NotEq: operator.ne,
    }
)
CALCULATED: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = MappingProxyType(
    {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
)


class _Reader:
    """What each piece of an expression comes to: texts, a string, numbers (S,) or yes and no (S,)."""

    def __init__(self, text: str, material: Material) -> None:
        self.text, self.material = text, material

    def value(self, node: ast.expr) -> Any:  # noqa: ANN401  # one of four kinds, asked for where it matters
        """Of a piece."""
        reading = READING.get(type(node))
        if reading is None:
            self.refuse_piece()
        return reading(self, node)

    def refuse_piece(self) -> NoReturn:
        """Refuse what no condition holds."""
        _refuse(self.text, "a piece of this is not allowed", f"Write it with {', '.join(FUNCTIONS)}, and, or, not.")

    def joined(self, node: ast.BoolOp) -> Bools:
        """With and, or."""
        join = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        return np.asarray(join.reduce([self._truth(one) for one in node.values]))

    def turned(self, node: ast.UnaryOp) -> Bools | Floats:
        """With not, or with a minus."""
        if isinstance(node.op, ast.Not):
            return ~self._truth(node.operand)
        if not isinstance(node.op, ast.USub):
            self.refuse_piece()
        return -self._numbers(node.operand)

    def calculated(self, node: ast.BinOp) -> Floats:
        """Of two numbers."""
        if type(node.op) not in CALCULATED:
            self.refuse_piece()
        return np.asarray(CALCULATED[type(node.op)](self._numbers(node.left), self._numbers(node.right)))

    def compared(self, node: ast.Compare) -> Bools:
        """Of two or more sides."""
        sides = [node.left, *node.comparators]
        pairs = zip(sides[:-1], node.ops, sides[1:], strict=True)
        return np.asarray(np.logical_and.reduce([self._compared(*one) for one in pairs]))

    def asked(self, node: ast.Call) -> Bools | Floats:
        """One of ``FUNCTIONS``."""
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
            self.refuse_piece()
        return np.asarray(FUNCTIONS[node.func.id](self, *self._arguments(node.func.id, node.args)))

    def constant(self, node: ast.Constant) -> str | Floats:
        """A string or a number."""
        if isinstance(node.value, str):
            return node.value
        if not isinstance(node.value, int | float):
            self.refuse_piece()
        return np.full(self.material.n_segments, float(node.value))

    def named(self, node: ast.Name) -> "_Words | Floats":
        """Texts or numbers by their name."""
        columns, numbers = self.material.columns, self.material.numbers
        if node.id in columns:
            return _Words(columns[node.id])
        if node.id not in numbers:
            raise unknown_name(
                "text or number",
                node.id[:40],
                [*columns, *numbers],
                where=_place(self.text),
                remedy="Name one of these.",
            )
        return numbers[node.id]

    def _truth(self, node: ast.expr) -> Bools:
        found = self.value(node)
        if isinstance(found, np.ndarray) and found.dtype == np.bool_:
            return found
        _refuse(self.text, "and, or, not join what is yes or no", "Compare numbers first, as in bleu_b > 50.")

    def _numbers(self, node: ast.expr) -> Floats:
        found = self.value(node)
        if isinstance(found, np.ndarray) and found.dtype != np.bool_:
            return found
        _refuse(self.text, "this calculates with what is no number", "Count first, as in characters(b).")

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Bools:
        first, second = self.value(left), self.value(right)
        if isinstance(first, _Words | str) and isinstance(second, _Words | str) and isinstance(op, ast.Eq | ast.NotEq):
            same = _are_equal(first, second, self.material.n_segments)
            return same if isinstance(op, ast.Eq) else ~same
        if type(op) in COMPARED:
            return np.asarray(COMPARED[type(op)](self._numbers(left), self._numbers(right)))
        _refuse(self.text, "this is not compared so", "Compare with <, <=, >, >=, == or !=.")

    def _arguments(self, name: str, args: Sequence[ast.expr]) -> list[Any]:
        values = [self.value(one) for one in args]
        kinds = [_Words] if name in OF_TEXTS_ALONE else [_Words, str]
        if len(values) != len(kinds) or not all(map(isinstance, values, kinds)):
            example = "b" if name in OF_TEXTS_ALONE else 'b, "text"'
            _refuse(self.text, f"{name} asks something else", f"Write it as in {name}({example}).")
        return values

    def search(self, pattern: str) -> PatternSearch:
        """A pattern, given up when everything is."""
        return PatternSearch(pattern, ignores_case=False, end=self.material.end, within=_place(self.text))

    def any_of(self, words: _Words, holds: Callable[[Texts], Bools]) -> Bools:
        """Where one of the columns holds, (S,)."""
        return np.asarray(np.logical_or.reduce([holds(column) for column in words.columns]))

    def most_of(self, words: _Words, count: Callable[[Texts], Ints]) -> Floats:
        """The largest number among the columns, (S,)."""
        return np.asarray(np.array([count(column) for column in words.columns], np.float64).max(axis=0))

    def lost(self, words: _Words, pattern: str) -> Floats:
        """How much of what fits in the reference is not in the texts: of several references the least, (S,)."""
        search = self.search(pattern)
        (hypotheses,), references = words.columns, self.material.columns["reference"]
        missed = np.array([search.lost(column, hypotheses) for column in references], np.float64)
        return np.asarray(np.where(missed < 0, np.inf, missed).min(axis=0))


def _are_equal(first: _Words | str, second: _Words | str, n_segments: int) -> Bools:
    """Where one of the texts of one side is one of the other's, (S,)."""
    sides = [one.columns if isinstance(one, _Words) else [[one] * n_segments] for one in (first, second)]
    pairs = [(left, right) for left in sides[0] for right in sides[1]]
    equal = [[a is not None and a == b for a, b in zip(left, right, strict=True)] for left, right in pairs]
    return np.asarray(np.array(equal, np.bool_).any(axis=0))


def holding(text: str) -> Callable[[Texts], Bools]:
    """Which texts of a column hold a text, whatever the case; never where there is none."""
    folded = text.casefold()
    return lambda column: np.fromiter(
        (one is not None and folded in one.casefold() for one in column), np.bool_, len(column)
    )


def _lengths(column: Texts) -> Ints:
    return np.fromiter((len(text or "") for text in column), np.int64, len(column))


FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "has": lambda reader, words, text: reader.any_of(words, holding(text)),
        "lacks": lambda reader, words, text: ~reader.any_of(words, holding(text)),
        "matches": lambda reader, words, pattern: reader.any_of(words, reader.search(pattern).fits),
        "number": lambda reader, words, pattern: reader.most_of(words, reader.search(pattern).number),
        "lost": lambda reader, words, pattern: reader.lost(words, pattern),
        "characters": lambda reader, words: reader.most_of(words, _lengths),
    }
)
"""What can be asked of texts."""
OF_TEXTS_ALONE = frozenset({"characters"})
READING: Mapping[type[ast.expr], Callable[[_Reader, Any], Any]] = MappingProxyType(
    {
        ast.BoolOp: _Reader.joined,
        ast.UnaryOp: _Reader.turned,
        ast.BinOp: _Reader.calculated,
        ast.Compare: _Reader.compared,
        ast.Call: _Reader.asked,
        ast.Constant: _Reader.constant,
        ast.Name: _Reader.named,
    }
)
"""What each kind of piece comes to."""
