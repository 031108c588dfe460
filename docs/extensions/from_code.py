"""Directives for what the code says of itself: ``commands`` with their help, ``presets`` and ``checks``."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from bleucore import PRESETS
from bleucore.checks import CHECKS
from bleuscope.cli import command

WIDTH = 84


class Commands(SphinxDirective):
    """A section for ``bleuscope`` and for each of its commands, with what ``--help`` prints."""

    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """Make the sections."""
        for module in Path(command.__file__).parent.glob("*.py"):
            self.env.note_dependency(str(module))
        return [self._section(context) for context in _every(command.bleuscope)]

    def _section(self, context: click.Context) -> nodes.section:
        name = context.command_path
        printed = nodes.literal_block("", context.get_help(), language="text")
        section = nodes.section("", nodes.title("", name), printed, ids=[name.replace(" ", "-")], names=[name])
        self.state.document.note_explicit_target(section)
        return section


class Definitions(SphinxDirective):
    """A list of terms in the code's own words."""

    terms: ClassVar[Mapping[str, Sequence[str]]] = {}

    def run(self) -> list[nodes.Node]:
        """Make the list."""
        items = []
        for term, sentences in self.terms.items():
            described = nodes.definition("", *(nodes.paragraph("", sentence) for sentence in sentences))
            items.append(nodes.definition_list_item("", nodes.term("", "", nodes.literal("", term)), described))
        return [nodes.definition_list("", *items)]


class Presets(Definitions):
    """Every preset: what is special about it, what it leaves out, and where its rules stand."""

    terms: ClassVar[Mapping[str, Sequence[str]]] = {
        name: [" ".join(filter(None, (each.description, each.limits))), f"Source: {each.source}."]
        for name, each in PRESETS.items()
    }


class Checks(Definitions):
    """Every check and what it looks for."""

    terms: ClassVar[Mapping[str, Sequence[str]]] = {name: [each.explanation] for name, each in CHECKS.items()}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directives."""
    for name, directive in (("commands", Commands), ("presets", Presets), ("checks", Checks)):
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _every(group: click.Group) -> Iterator[click.Context]:
    """The context of the group, then those of its commands that are not hidden, wide enough for their examples."""
    widths: dict[str, Any] = {"terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(group, info_name=command.NAME, **{**group.context_settings, **widths})
    yield context
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if found is None or found.hidden:
            continue
        inner = click.Context(found, info_name=name, parent=context, **{**found.context_settings, **widths})
        yield inner
        if isinstance(found, click.Group):
            for name_of_inner, one in found.commands.items():
                yield click.Context(one, info_name=name_of_inner, parent=inner, **widths)
