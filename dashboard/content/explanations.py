"""Why two settings give different scores, in words."""

from markupsafe import Markup

from bleucore.explanation import DifferenceExplanation, Setting

NAMES = {
    "tokenizer": "tokenizer",
    "lowercase": "ignoring case",
    "max_order": "longest n-gram",
    "weights": "weights",
    "smoothing": "smoothing",
    "smoothing_value": "smoothing",
    "effective_order": "effective order",
    "reference_length": "reference length",
    "length_tie": "of equally close lengths",
    "missing_order": "order without n-grams",
    "smooths_without_match": "smoothed without a match",
    "totals_at_least_one": "at least one n-gram of each order",
    "empty_counts_as_token": "an empty text is a token",
}


def explanation_note(explanation: DifferenceExplanation) -> Markup:
    """What changes from one to the other, setting by setting."""
    changes = [
        Markup("<strong>{}</strong>: {}").format(setting_name(one), change_words(one)) for one in explanation.settings
    ]
    return Markup('<p class="bs-source">{}</p>').format(Markup("; ").join(changes))


def setting_name(setting: Setting) -> str:
    """The settings that are switched together, in words."""
    return ", ".join(dict.fromkeys(NAMES[option] for option in setting.options))


def change_words(setting: Setting) -> str:
    """The values of a setting on either side."""
    return f"{_values(setting.options, setting.first)} here, {_values(setting.options, setting.second)} there"


def _values(options: tuple[str, ...], values: tuple[object, ...]) -> str:
    return " ".join(_value(option, value) for option, value in zip(options, values, strict=True))


def _value(option: str, value: object) -> str:
    if value is None:
        return "all the same" if option == "weights" else "with its own value"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(f"{one:g}" for one in value)
    return str(value)
