"""Why two settings give different scores, in words."""

from bleucore.analysis.explanation import DifferenceExplanation, Setting
from bleuscope.content.style.sentences import Text, bold, joined, note, sentence
from bleuscope.content.style.wordings import BLEU


def explanation_note(explanation: DifferenceExplanation) -> Text:
    """What changes from one to the other, setting by setting."""
    changes = [sentence("{}: {}", bold(setting_name(one)), change_words(one)) for one in explanation.settings]
    return note("{}", joined("; ", changes))


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
