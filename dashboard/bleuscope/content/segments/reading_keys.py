"""The keys of the list of segments, the line that names them, and the button of the drawer next to the texts."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from bleuscope.content.segments.highlights import LAYERS, Layer
from bleuscope.content.style.markup import together
from bleuscope.registry import segment_panels

NEXT_KEY, PREVIOUS_KEY, SWAP_KEY, HELP_KEY = "j", "k", "x", "?"
TAG_KEY, NOTE_KEY, IMPORTANT_KEY, DRAWER_KEY, FIND_KEY = "t", "n", "i", "o", "/"
LAYER_KEYS: Mapping[Layer, str] = dict(zip(LAYERS, "1234567", strict=True))
KEYS = {
    NEXT_KEY: "next segment; hold to keep going",
    PREVIOUS_KEY: "previous segment",
    SWAP_KEY: "swap A and B",
    TAG_KEY: "tag the segment",
    NOTE_KEY: "write a note",
    IMPORTANT_KEY: "mark or unmark as important",
    **{panel.key: panel.does for panel in segment_panels()},
    **{key: f"layer: {layer}" for layer, key in LAYER_KEYS.items()},
    FIND_KEY: "find text",
    DRAWER_KEY: "open or close this drawer",
    HELP_KEY: "this list",
}
"""What each key does, outside of fields to type in."""
LINE: Sequence[tuple[tuple[str, ...], str]] = (
    ((NEXT_KEY, PREVIOUS_KEY), "next, previous"),
    ((SWAP_KEY,), "swap A and B"),
    ((f"1–{len(LAYERS)}",), "marks"),
    ((TAG_KEY,), "tag"),
    ((NOTE_KEY,), "note"),
    ((IMPORTANT_KEY,), "important"),
    *(((panel.key,), panel.short) for panel in segment_panels()),
    ((FIND_KEY,), "find"),
    ((DRAWER_KEY,), "filters"),
    ((HELP_KEY,), "all keys"),
)
BY_BUTTON = (SWAP_KEY, *(panel.key for panel in segment_panels()))
"""What a comparison without names has no key for."""


def key_line(more: Mapping[str, str], without: Sequence[str] = ()) -> Markup:
    """The keys in a line.

    Args:
        more: Keys that come first, with what they do.
        without: Keys that are left out.
    """
    parts = [*(((key,), does) for key, does in more.items()), *(one for one in LINE if one[0][0] not in without)]
    return Markup('<p class="bs-key-line" role="group" aria-label="Keys">{}</p>').format(
        together(
            Markup("<span>{} {}</span>").format(
                Markup(" ").join(Markup("<kbd>{}</kbd>").format(key.upper()) for key in keys), does
            )
            for keys, does in parts
        )
    )


def drawer_button(*, is_for_phones: bool = False) -> Markup:
    """The button that opens and closes the drawer (``browser/drawer.js``)."""
    return Markup(
        '<button type="button" class="bs-drawer-button {}" aria-expanded="false">Filters and view{}</button>'
    ).format(
        "bs-for-phones" if is_for_phones else "bs-for-screens",
        "" if is_for_phones else Markup(" <kbd>{}</kbd>").format(DRAWER_KEY.upper()),
    )


def drawer_head(*, is_for_phones: bool = False) -> Markup:
    """The head of the drawer, with the button that closes it."""
    return Markup(
        '<div class="bs-drawer-head {}"><strong>Filters and view</strong>'
        '<button type="button" class="bs-drawer-close" aria-label="Close filters and view">✕</button></div>'
    ).format("bs-for-phones" if is_for_phones else "bs-for-screens")
