"""Schemes of annotation: severities with their weights, categories with their keys, and whether there is a score."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.judgements.averaging import MqmWeights
from bleucore.values import shown

MAX_BYTES = 100_000
MOST_SEVERITIES, MOST_CATEGORIES, MOST_SUBCATEGORIES = 9, 23, 50
MOST_OF_NAME = 80
"""Characters."""
LARGEST_WEIGHT = 1_000.0
RESERVED_KEYS = "cmz"
"""Comment, missing, undo: the pen has them."""
_TITLES = ("name", "severities", "categories", "slider", "weights")
_YES, _NO = ("yes", "true", "on"), ("no", "false", "off")
_MAX_DEPTH, _MAX_NODES = 8, 5_000


class Severity(NamedTuple):
    """A severity.

    Attributes:
        name: In lower case.
        weight: Its penalty, from 0.
    """

    name: str
    weight: float


class Category(NamedTuple):
    """A category.

    Attributes:
        key: The letter that chooses it.
        name: To show, and in marks.
        subcategories: What is chosen next; none where it needs none.
    """

    key: str
    name: str
    subcategories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scheme:
    """A scheme.

    Attributes:
        name: To show.
        severities: Chosen by 1, 2, 3 …
        categories: Chosen by their letters; none where marks have none.
        has_slider: Whether an output gets a score from 0 to 100 after its marks.
        exceptions: Weights of single kinds, as ``MqmWeights`` names them ("minor/fluency/punctuation").
    """

    name: str
    severities: tuple[Severity, ...]
    categories: tuple[Category, ...] = ()
    has_slider: bool = False
    exceptions: tuple[tuple[str, float], ...] = ()

    @property
    def severity_names(self) -> tuple[str, ...]:
        """The names of the severities."""
        return tuple(severity.name for severity in self.severities)

    @property
    def category_names(self) -> frozenset[str]:
        """What marks can have as a category: a name, or one with a subcategory behind a slash."""
        names = {category.name for category in self.categories}
        return frozenset(names | {f"{one.name}/{part}" for one in self.categories for part in one.subcategories})

    def rank(self, severity: str) -> int:
        """The place of a severity, from 1, the worst last; one that the scheme lacks is among the worst."""
        names = self.severity_names
        return names.index(severity) + 1 if severity in names else len(names)

    @property
    def weights(self) -> MqmWeights:
        """What errors cost by this scheme."""
        return MqmWeights(self.name, {**{one.name: one.weight for one in self.severities}, **dict(self.exceptions)})


MQM = Scheme(
    "MQM",
    (Severity("minor", 1.0), Severity("major", 5.0), Severity("critical", 25.0)),
    (
        Category("a", "accuracy", ("mistranslation", "omission", "addition", "source language fragment")),
        Category("f", "fluency", ("grammar", "spelling", "punctuation", "inconsistency", "register", "encoding")),
        Category("t", "terminology", ("inappropriate for context", "inconsistent")),
        Category("s", "style", ("unnatural or awkward", "bad sentence structure")),
        Category(
            "l",
            "locale convention",
            ("name format", "number format", "date format", "currency format", "address format"),
        ),
        Category("n", "non-translation!"),
        Category("i", "source issue"),
        Category("o", "other"),
    ),
    # Freitag et al. 2021, table 3: marks of punctuation cost a tenth, what is no translation costs 25
    exceptions=(("minor/fluency/punctuation", 0.1), ("*/non-translation!", 25.0), ("*/source issue", 0.0)),
)
ESA = Scheme("ESA", (Severity("minor", 1.0), Severity("major", 5.0)), has_slider=True)
SCHEMES: Mapping[str, Scheme] = {scheme.name: scheme for scheme in (MQM, ESA)}


def scheme_to_json(scheme: Scheme) -> dict[str, object]:
    """The scheme as a JSON object."""
    return {
        "name": scheme.name,
        "severities": [list(one) for one in scheme.severities],
        "categories": [[one.key, one.name, list(one.subcategories)] for one in scheme.categories],
        "has_slider": scheme.has_slider,
        "exceptions": [list(one) for one in scheme.exceptions],
    }


def scheme_from_json(said: Mapping[str, Any]) -> Scheme:
    """The scheme of a JSON object that ``scheme_to_json`` wrote.

    Raises:
        InputError: It is none.
    """
    try:
        return Scheme(
            str(said["name"]),
            tuple(Severity(str(name), float(weight)) for name, weight in said["severities"]),
            tuple(Category(str(key), str(name), tuple(map(str, subs))) for key, name, subs in said["categories"]),
            said["has_slider"] is True,
            tuple((str(kind), float(weight)) for kind, weight in said["exceptions"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            "this is no scheme of annotation", found=shown(error), expected="a scheme as bleuscope wrote it"
        ) from error


def scheme_from_yaml(data: bytes, file: str) -> Scheme:
    """The scheme of a YAML file: a name, severities with weights, categories by letter, perhaps a slider.

    A file reads ``name: ours``, ``severities: {minor: 1, major: 5}``, ``categories: {t: terminology, a: {accuracy:
    [omission, addition]}}``, ``slider: yes``, and ``weights: {minor/terminology: 0.5}``. Categories and what follows
    may be left out.

    Raises:
        InputError: It is too large, is no YAML, repeats a part of itself, or says something else than a scheme.
    """
    if len(data) > MAX_BYTES:
        raise _refusal(
            file, None, "the file is too large", found=f"{len(data):,} bytes", expected=f"up to {MAX_BYTES:,}"
        )
    said = dict(_pairs(file, _root(file, decoding.decode(file, data)), "the scheme"))
    titles = {key.value: (key, node) for key, node in said.items()}
    for title, (key, _) in titles.items():
        if title not in _TITLES:
            raise _refusal(file, key, "this is no part of a scheme", found=shown(title), expected=", ".join(_TITLES))
    for title in ("name", "severities"):
        if title not in titles:
            raise _refusal(
                file, None, f"the scheme has no {title}", found=", ".join(titles) or "nothing", expected=f"{title}: …"
            )
    categories = tuple(_categories(file, titles["categories"][1])) if "categories" in titles else ()
    return Scheme(
        _name(file, titles["name"][1], "name"),
        _severities(file, titles["severities"][1]),
        categories,
        _is_on(file, titles["slider"][1]) if "slider" in titles else False,
        tuple(_weights(file, titles["weights"][1])) if "weights" in titles else (),
    )


def _root(file: str, text: str) -> yaml.Node:
    try:
        depth = 0
        for n_nodes, event in enumerate(yaml.parse(text, Loader=yaml.BaseLoader)):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
                raise _refusal(
                    file,
                    event,
                    "the scheme repeats a part of itself",
                    found="an alias",
                    expected="YAML without & and *",
                )
            if depth > _MAX_DEPTH or n_nodes > _MAX_NODES:
                raise _refusal(
                    file, event, "the scheme is too deep or too large", found=f"{n_nodes:,} parts", expected="a scheme"
                )
        root = yaml.compose(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError(
            "this is no YAML",
            where=file,
            line=None if mark is None else mark.line + 1,
            found=getattr(error, "problem", None) or type(error).__name__,
            expected="YAML",
            remedy="Correct the line.",
        ) from error
    if root is None:
        raise _refusal(file, None, "the scheme is empty", found="nothing", expected="name: … and severities: …")
    return root


def _pairs(file: str, node: yaml.Node, what: str, most: int = 100) -> Iterator[tuple[Any, Any]]:
    if not isinstance(node, yaml.MappingNode):
        raise _refusal(file, node, f"{what} is no mapping", found=node.id, expected='"name: value" in each line')
    if len(node.value) > most:
        raise _refusal(file, node, f"{what} has too many entries", found=f"{len(node.value):,}", expected=f"{most}")
    seen = set[str]()
    for key, value in node.value:
        name = _text(file, key, "name")
        if name in seen:
            raise _refusal(file, key, "a name is there twice", found=shown(name), expected="each name once")
        seen.add(name)
        yield key, value


def _text(file: str, node: yaml.Node, what: str) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise _refusal(file, node, f"the {what} is no text", found=node.id, expected="a text")
    return str(node.value).strip()


def _name(file: str, node: yaml.Node, what: str) -> str:
    found = _text(file, node, what)
    if not 0 < len(found) <= MOST_OF_NAME or not found.isprintable():
        raise _refusal(
            file, node, f"the {what} cannot be used", found=shown(found), expected=f"1 to {MOST_OF_NAME} characters"
        )
    return found


def _severities(file: str, node: yaml.Node) -> tuple[Severity, ...]:
    found = tuple(
        Severity(_name(file, key, "severity").lower(), _number(file, value))
        for key, value in _pairs(file, node, "the list of severities", MOST_SEVERITIES)
    )
    if not found:
        raise _refusal(file, node, "there is no severity", found="nothing", expected="minor: 1")
    return found


def _number(file: str, node: yaml.Node) -> float:
    written = _text(file, node, "weight")
    try:
        found = float(written)
    except ValueError:
        found = -1.0
    if not 0 <= found <= LARGEST_WEIGHT:
        raise _refusal(
            file, node, "the weight is not accepted", found=shown(written), expected=f"a number to {LARGEST_WEIGHT:g}"
        )
    return found


def _categories(file: str, node: yaml.Node) -> Iterator[Category]:
    for key, value in _pairs(file, node, "the list of categories", MOST_CATEGORIES):
        letter = _text(file, key, "key").lower()
        if len(letter) != 1 or not ("a" <= letter <= "z") or letter in RESERVED_KEYS:
            raise _refusal(
                file,
                key,
                "the key is not accepted",
                found=shown(letter),
                expected="a letter from a to z but c, m and z",
            )
        if isinstance(value, yaml.ScalarNode):
            yield Category(letter, _name(file, value, "category"))
            continue
        pairs = list(_pairs(file, value, "the category", 1))
        if len(pairs) != 1 or not isinstance(pairs[0][1], yaml.SequenceNode):
            raise _refusal(
                file, value, "the category cannot be read", found=value.id, expected="a name, or name: [subcategory, …]"
            )
        subcategories = [_name(file, one, "subcategory") for one in pairs[0][1].value[: MOST_SUBCATEGORIES + 1]]
        if len(subcategories) > MOST_SUBCATEGORIES:
            raise _refusal(
                file, value, "there are too many subcategories", found="more", expected=f"{MOST_SUBCATEGORIES}"
            )
        yield Category(letter, _name(file, pairs[0][0], "category"), tuple(subcategories))


def _weights(file: str, node: yaml.Node) -> Iterator[tuple[str, float]]:
    for key, value in _pairs(file, node, "the list of weights"):
        yield _name(file, key, "kind of error").lower(), _number(file, value)


def _is_on(file: str, node: yaml.Node) -> bool:
    written = _text(file, node, "slider").lower()
    if written not in (*_YES, *_NO):
        raise _refusal(file, node, "the slider is not accepted", found=shown(written), expected="yes or no")
    return written in _YES


def _refusal(file: str, node: Any, problem: str, *, found: object, expected: str) -> InputError:  # noqa: ANN401  # PyYAML has no types
    line = None if node is None else node.start_mark.line + 1
    return InputError(
        problem, where=file, line=line, found=found, expected=expected, remedy="Correct the file, and load it again."
    )
