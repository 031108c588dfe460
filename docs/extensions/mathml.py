"""Formulas as MathML, which browsers draw themselves: Sphinx's own renderers load a script or make pictures."""

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(f'<span class="math">{_mathml(node, as_block=False)}</span>')
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula of its own."""
    translator.body.append(f'<div class="math" tabindex="0">{_mathml(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the renderer under the name ``mathml``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _mathml(node: nodes.Element, *, as_block: bool) -> str:
    """The formula, or a warning with the formula as it is written where docutils does not know a command."""
    formula = node.astext()
    try:
        return str(tex2mathml(formula, as_block=as_block))
    except MathError as error:
        LOGGER.warning("a formula cannot be drawn: %s", error, location=node)
        return str(nodes.unescape(formula))
