"""The API reference as the code's docstrings mean it: short array types, plain sentences, links to public names."""

import re
from functools import cache

from docutils import nodes
from sphinx.addnodes import desc_annotation, pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

ARRAY = re.compile(r"~?numpy\.ndarray\[~?tuple\[[^\]]*\], ~?numpy\.dtype\[([^\]]*)\]\]")
"""What Sphinx makes of ``NDArray[...]``."""
WRITTEN_ARRAY = re.compile(r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+)\]\]")
NO_SYNTAX = re.compile(r"(?<= = )<.*?>(?=[,)])")
LITERAL = re.compile(r"(``.*?``)")
INITIAL = re.compile(r"(?<![\w.])([A-Z])\.(?= |$)")
"""At the start of a sentence it would begin a numbered list."""
VALUES = ("attribute", "data", "property")
PARAMETERS = re.compile(r"<dl>\s*((?:<dd>.*?</dd>\s*)+)</dl>")
"""What Sphinx makes of a signature of several lines: descriptions of nothing, which screen readers cannot place."""
BEFORE_NAPOLEON, AFTER_NAPOLEON = 400, 600
OURS = ("bleucore", "bleuscope")


def readable_signature(
    _app: Sphinx,
    _kind: str,
    _name: str,
    _described: object,
    _options: object,
    *signature: str | None,
) -> tuple[str | None, ...]:
    """A signature and its return type, with ``NDArray[int64]`` where numpy's type is spelled out.

    A default such as ``<factory>`` or ``<lambda>`` is written as ``...``: Sphinx takes it for bad syntax.
    """
    return tuple(None if text is None else ARRAY.sub(_short_array, NO_SYNTAX.sub("...", text)) for text in signature)


def shorten_types_of_properties(_app: Sphinx, page: nodes.document) -> None:
    """The same for the types of properties, of which Sphinx asks nobody."""
    for annotation in page.findall(desc_annotation):
        if WRITTEN_ARRAY.search(annotation.astext()):
            annotation.children = [nodes.Text(WRITTEN_ARRAY.sub(r"NDArray[\1]", annotation.astext()))]


def parameters_as_lists(
    _app: Sphinx, _page: str, _template: str, context: dict[str, str], _tree: nodes.document | None
) -> None:
    """Make a plain list of the parameters of each signature that has several lines."""
    if "body" in context:
        context["body"] = PARAMETERS.sub(_list_of_parameters, context["body"])


class PlainSentences:
    """Docstrings kept from being read as markup: ``|d|`` is a size, "B." no list, and a colon names no type."""

    def __init__(self) -> None:
        self._of_values: dict[str, list[str]] = {}

    def before(
        self, _app: Sphinx, kind: str, name: str, _described: object, _options: object, lines: list[str]
    ) -> None:
        """Escape what would be markup; keep the docstring of a value as it is."""
        lines[:] = map(_escaped, lines)
        if kind in VALUES:
            self._of_values[name] = list(lines)

    def after(self, _app: Sphinx, kind: str, name: str, _described: object, _options: object, lines: list[str]) -> None:
        """Put back the docstring of a value, of which Napoleon takes what stands before a colon for the type."""
        if kind in VALUES:
            lines[:] = self._of_values.get(name, lines)


def public_place(
    app: Sphinx, environment: BuildEnvironment, wanted: pending_xref, content: nodes.Node
) -> nodes.Node | None:
    """A link for a name that is documented in another module of its package than the one it was asked for in."""
    domain, target = environment.get_domain("py"), wanted.get("reftarget", "")
    if wanted.get("refdomain") != "py" or not isinstance(domain, PythonDomain):
        return None
    package, _, last = target.rpartition(".")
    found = _meant(domain, package, last)
    if not found:
        return None
    name = min(found, key=len)
    entry = domain.objects[name]
    place = app.builder.get_relative_uri(wanted.get("refdoc", ""), entry.docname)
    return nodes.reference("", "", content.deepcopy(), internal=True, refuri=f"{place}#{entry.node_id}", reftitle=name)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Join all of it to Sphinx's events."""
    sentences = PlainSentences()
    app.connect("autodoc-process-signature", readable_signature)
    app.connect("autodoc-process-docstring", sentences.before, priority=BEFORE_NAPOLEON)
    app.connect("autodoc-process-docstring", sentences.after, priority=AFTER_NAPOLEON)
    app.connect("doctree-read", shorten_types_of_properties)
    app.connect("missing-reference", public_place)
    app.connect("html-page-context", parameters_as_lists)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _list_of_parameters(found: re.Match[str]) -> str:
    items = found[1].replace("<dd>", "<li>").replace("</dd>", "</li>")
    return f'<ul class="sig-parameters">{items}</ul>'


def _short_array(found: re.Match[str]) -> str:
    return f"NDArray[{found[1].removeprefix('~').removeprefix('numpy.') or 'Any'}]"


def _escaped(line: str) -> str:
    parts = LITERAL.split(line)
    return "".join(part if part.startswith("``") else INITIAL.sub(r"\1\.", part.replace("|", r"\|")) for part in parts)


@cache
def _meant(domain: PythonDomain, package: str, last: str) -> list[str]:
    """The documented names that may be meant; asked once, when all are known."""
    return [name for name in domain.objects if _is_meant(name, package, last)]


def _is_meant(name: str, package: str, last: str) -> bool:
    """Whether a documented name is the one asked for: a class without its package, or from another module of it."""
    home, _, written = name.rpartition(".")
    if written != last or not home.startswith(OURS):
        return False
    return not package or _is_within(home, package) or _is_within(package, home)


def _is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
