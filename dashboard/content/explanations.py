"""Why two settings give different scores, as a table and in words."""

from collections.abc import Mapping

from markupsafe import Markup

from bleucore.explanation import DifferenceExplanation, Setting
from dashboard.content import numbers
from dashboard.content.identity import Identity
from dashboard.content.markup import Column, system_label, table
from dashboard.content.wordings import BLEU


def explanation_table(explanation: DifferenceExplanation, other: str, looks: Mapping[str, Identity]) -> Markup:
    """Each system's score here and there, and what each setting adds on the way."""
    columns = [
        Column("system", is_text=True),
        Column("here", "BLEU under the settings of the sidebar."),
        *(Column(setting_name(setting), change_words(setting)) for setting in explanation.settings),
        Column(other, f"BLEU under the settings of {other}."),
    ]
    rows = [
        [
            system_label(looks[name]),
            numbers.score(system.first),
            *(numbers.difference(part) for part in system.parts),
            numbers.score(system.second),
        ]
        for name, system in explanation.systems.items()
    ]
    return table(columns, rows, caption=f"From the scores here to those of {other}, setting by setting")


def explanation_note(explanation: DifferenceExplanation) -> Markup:
    """What changes from one to the other, setting by setting."""
    changes = [
        Markup("<strong>{}</strong>: {}").format(setting_name(one), change_words(one)) for one in explanation.settings
    ]
    return Markup('<p class="bs-source">{}</p>').format(Markup("; ").join(changes))


def setting_name(setting: Setting) -> str:
    """The settings that are switched together, in words."""
    return ", ".join(dict.fromkeys(BLEU[option].short or BLEU[option].name for option in setting.options))


def change_words(setting: Setting) -> str:
    """The values of a setting on either side."""
    return f"{_values(setting.options, setting.first)} here, {_values(setting.options, setting.second)} there"


def _values(options: tuple[str, ...], values: tuple[object, ...]) -> str:
    return " ".join(_value(option, value) for option, value in zip(options, values, strict=True))


def _value(option: str, value: object) -> str:
    if value is None:
        return BLEU[option].placeholder or "with its own value"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(f"{one:g}" for one in value)
    return str(value)
