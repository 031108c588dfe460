"""What the sidebar and several pages ask for. Every value is in the address and outlives a change of page."""

import re
import time
import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import streamlit as st
from markupsafe import Markup, escape

from bleucore import BleuOptions, Evaluation, InputError, MetricEvaluation, TestSet
from bleucore.declarations import declarations
from bleucore.metrics import IN_PLACE_OF_BLEU, METRICS, MetricOptions, metric_of
from bleucore.metrics.presets import PRESETS
from bleucore.options import DEFAULT_SMOOTHING_VALUES, Smoothing
from bleucore.tokens.tokenizer_choice import AnyTokenizerName
from bleucore.tokens.tokenizers import tokenize
from bleuscope.content.comparison.comparison_context import BESIDE_BLEU, compared_metrics
from bleuscope.content.comparison.inputs import Loaded
from bleuscope.content.style import markup
from bleuscope.content.style.cut_names import cut_names, differ_at_ends
from bleuscope.content.style.invisible import in_one_line, without_controls
from bleuscope.content.style.sentences import Sentence, Text
from bleuscope.content.style.wordings import BLEU
from bleuscope.runtime import params
from bleuscope.runtime.memo_cache import BackgroundTask
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import choices
from bleuscope.shell.controls.setting_inputs import setting_input
from bleuscope.shell.state import cached, links, session, text_checks
from bleuscope.streamlit_port import DeltaGenerator

Made = TypeVar("Made")

DEFAULT_PRESET = "sacrebleu"
CANCELLED, LINES = "_cancelled_work", "_lines_of_work"
OF_SMOOTHING: Mapping[Smoothing, Param] = {"floor": params.FLOOR, "add-k": params.ADD_K}
"""Where the value of a method stands: the usual values differ."""
MOST_SWITCH_COLUMNS = 40
SECONDS_UNSEEN, SECONDS_BETWEEN_MOVES = 0.3, 0.25
"""How long work takes before a line shows how far it is, and how long that stays as it is."""
MOST_LINES = 3
"""Works that a page waits for one after the other."""
FURTHER_METRICS = {
    name: options for metric in METRICS.values() for name, options in metric.offered.items() if options != BESIDE_BLEU
}


def html(fragment: Markup | Text) -> None:
    """Show sentences, or a fragment whose every user string was escaped when it was made."""
    if fragment:
        st.html(without_controls(escape(fragment)))


def say(words: str) -> None:
    """What a screen reader says once it is new: what an action led to, in one sentence (``said.js``)."""
    html(Markup('<p class="bs-said">{}</p>').format(words))


def heading(words: str) -> None:
    """A heading for whoever hears the page, where others see at a glance that something else begins."""
    html(Markup('<h2 class="bs-unseen">{}</h2>').format(words))


def copyable(text: str) -> None:
    """A text as it is written, with a button that copies it (``browser/copy.js``).

    Streamlit's own has a highlighter for all languages, two fifths of what a first page loads.
    """
    html(
        Markup(
            '<div class="bs-code"><pre>{}</pre><button type="button" class="bs-copy">Copy</button>'
            '<span role="status" class="bs-unseen"></span></div>'
        ).format(text)
    )


def plain(text: str) -> str:
    """A text for a label, where Streamlit would read Markdown: shown as it is written."""
    return re.sub(r"([\\`*_{}\[\]<>()#+\-.!|~:$^=&@/])", r"\\\1", text)


def label(said: Sentence) -> str:
    """A sentence for a label; what is written from right to left in it leaves the order of the words around it."""
    pieces = [plain(in_one_line(piece.text)) for piece in said.pieces]
    return "".join(f"\u2068{text}\u2069" if _has_right_to_left(text) else text for text in pieces)


def _has_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)


def switch_entry(words: str, key: str) -> bool:
    """A thing that can be opened, in the switch of workspaces; whether it was pressed."""
    name = cut_names([words], MOST_SWITCH_COLUMNS)[0]
    return st.button(plain(name), key=f"switch-{key}", type="tertiary", width="stretch")


def test_set_card(loaded: Loaded) -> None:
    """What is open, in the sidebar."""
    html(
        Markup('<div class="bs-open"><p class="bs-title"><bdi>{}</bdi></p>{}</div>').format(
            loaded.title, markup.facts(cached.facts(loaded.test_set))
        )
    )


def baseline_choice(test_set: TestSet) -> str | None:
    """The system that the others are measured against; ``None`` for whichever is the best."""
    return choices.selected_if_any(
        params.BASELINE,
        "Baseline",
        test_set.system_names,
        "the best system",
        help=(
            "Choose it before you look at scores. Without one, the best system is the baseline, and p is "
            "corrected for that."
        ),
    )


def system_choice(label: str, key: Param, names: Sequence[str], *, index: int = 0) -> str:
    """One of the systems."""
    chosen = choices.selected(key, label, names, index=index)
    return str(chosen)


def pair_choice(names: tuple[str, ...], usual: tuple[str, ...], part_drawn_first: str | None = None) -> tuple[str, ...]:
    """The systems A and B to compare: the usual ones unless chosen. For the part drawn first see ``Page``."""
    if len(names) == 1:
        return names
    links.take_next_pair()
    first = system_choice("System A", params.A, names, index=names.index(usual[0]))
    middle = st.container(width="content")
    second = system_choice("System B", params.B, names, index=names.index(usual[1]))
    with middle:
        if differ_at_ends(names):
            html(Markup('<span class="bs-by-end" hidden></span>'))
        st.button(
            "⇄", help="Swap A and B", on_click=swap, args=(first, second, part_drawn_first), key="swap", type="tertiary"
        )
    return first, second


def metric_choice(evaluation: Evaluation) -> MetricEvaluation:
    """The metric that systems are compared in; asked for where there are several that score every system."""
    names = [metric.name for metric in compared_metrics(evaluation)]
    chosen = names[0]
    if len(names) > 1:
        chosen = choices.selected(params.TESTED, "Metric", names)
    return evaluation.metrics[chosen]


def lead_by(options: MetricOptions) -> None:
    """Have the pages that compare two be led by a metric, and have it computed; before they are drawn."""
    further, name = session.get(params.FURTHER_METRICS) or [], metric_of(options).name(options)
    asked = [one for one, offered in FURTHER_METRICS.items() if one in further or offered == options]
    session.put(params.FURTHER_METRICS, asked)
    session.put(params.TESTED, name)


def metric_of_all(key: Param, bleu: Callable[[], BleuOptions]) -> tuple[BleuOptions, MetricOptions]:
    """The one metric that everything is scored in, BLEU unless chosen: BLEU's settings, and those of the metric.

    Args:
        key: Of the choice, in the address too.
        bleu: Asks for the settings of BLEU, which cut texts into tokens whatever the metric.
    """
    names = [metric_of(BleuOptions()).name(BleuOptions()), *IN_PLACE_OF_BLEU]
    chosen = choices.selected(key, "Metric", names)
    options = bleu()
    return options, IN_PLACE_OF_BLEU.get(str(chosen), options)


def computed_metric_choice(evaluation: Evaluation) -> MetricEvaluation:
    """The metric to score other references and settings in, BLEU first: any that is computed."""
    names = [metric.name for metric in evaluation.metrics.values() if not metric.metric.is_read]
    chosen = choices.selected(params.SCORED_IN, "Metric", names, width=180)
    return evaluation.metrics[chosen]


def scoring_options(proposed: AnyTokenizerName) -> BleuOptions:
    """The options of BLEU: sacreBLEU's with every one open to change, or those of another tool.

    Args:
        proposed: The tokenizer that takes the place of one that is chosen and not installed.
    """
    name = st.selectbox(
        "Scoring",
        list(PRESETS),
        help="sacreBLEU, or the settings of another tool.",
        **params.PRESET.bound(),
    )
    preset = PRESETS[name]
    if name != DEFAULT_PRESET:
        st.caption(plain(preset.description + (f" {preset.limits}" if preset.limits else "")))
        return preset.options
    with st.expander("Scoring options", expanded=False):
        return changed_options(partial(_tokenizer, proposed))


def changed_options(tokenizer_choice: Callable[[], AnyTokenizerName]) -> BleuOptions:
    """SacreBLEU's options, each open to change.

    Args:
        tokenizer_choice: Asks for the tokenizer, where that stands among them.
    """
    declared = declarations(BleuOptions)
    chosen: dict[str, Any] = {}
    apart = {name: wording for name, wording in BLEU.items() if wording.stands_apart}
    for name, wording in BLEU.items():
        if name == "tokenizer":
            chosen[name] = tokenizer_choice()
        elif name == "smoothing_value":
            chosen[name] = _smoothing_value(chosen["smoothing"])
        elif name not in apart:
            chosen[name] = setting_input(wording, declared[name])
    with st.popover("Rules of other tools", width="stretch"):
        chosen |= {name: setting_input(wording, declared[name]) for name, wording in apart.items()}
    weights = chosen.pop("weights")
    return _weighted(BleuOptions(**chosen), weights or "")


def _tokenizer(proposed: AnyTokenizerName) -> AnyTokenizerName:
    """The tokenizer that is chosen, or the proposed one until it is installed."""
    is_usual = proposed == BleuOptions.tokenizer
    changes = {} if is_usual else {"index": None}  # then the address names it
    chosen = setting_input(BLEU["tokenizer"], declarations(BleuOptions)["tokenizer"], **changes)
    return _installed_tokenizer(chosen or proposed, proposed)


def _installed_tokenizer(name: AnyTokenizerName, proposed: AnyTokenizerName) -> AnyTokenizerName:
    """The tokenizer, or the proposed one if it needs what is not installed, and what that is."""
    try:
        tokenize([""], name)
    except InputError as error:
        st.error(plain(f"{error} Until then {proposed} is used."))
        return proposed
    return name


def _weighted(options: BleuOptions, weights: str) -> BleuOptions:
    """The options with the weights that were typed; if they cannot be, without, and it is said why."""
    if not weights.strip():
        return options
    try:
        numbers_typed = tuple(float(word) for word in weights.replace(",", " ").split())
        return replace(options, weights=numbers_typed)
    except ValueError:
        st.error("The weights are not numbers with blanks between them.")
    except InputError as error:
        st.error(plain(str(error)))
    return options


def further_metrics() -> tuple[MetricOptions, ...]:
    """Metrics to compute beside BLEU and chrF, with sacreBLEU's own settings."""
    chosen = st.multiselect(
        "More metrics",
        list(FURTHER_METRICS),
        placeholder="none",
        help=" ".join(["chrF2 is always on.", *(one.advice for one in METRICS.values() if one.advice)]),
        **params.FURTHER_METRICS.bound(),
    )
    return tuple(FURTHER_METRICS[name] for name in FURTHER_METRICS if name in chosen)


def _smoothing_value(smoothing: Smoothing) -> float | None:
    """The value of the method."""
    if smoothing not in DEFAULT_SMOOTHING_VALUES:
        return None
    of_method: dict[str, Any] = {"key": OF_SMOOTHING[smoothing], "value": DEFAULT_SMOOTHING_VALUES[smoothing]}
    chosen: float = setting_input(BLEU["smoothing_value"], declarations(BleuOptions)["smoothing_value"], **of_method)
    return chosen


def swap(first: str, second: str, part_drawn_first: str | None = None) -> None:
    """Make B of A and A of B, and draw a part of the page before the whole; a callback."""
    chosen = links.next_pair() or (
        session.get(params.A, first),
        session.get(params.B, second),
    )  # a press may outrun the page
    swap_to(chosen[::-1], part_drawn_first)


def swap_to(pair: tuple[str, str], part_drawn_first: str | None = None) -> None:
    """The same where it is known which is to be A."""
    links.choose_pair_next(pair)
    if part_drawn_first is not None:
        st.rerun(part_drawn_first)


def difference_basis(*, can_divide: bool) -> bool:
    """Whether charts show parts of the corpus difference, and not differences of segment or document scores."""
    if not can_divide:
        return False
    chosen = choices.segmented(params.BASIS, "Segments and documents by", ("contribution to Δ", "their own scores"))
    return chosen == "contribution to Δ"


def progress_reporter(
    label: str,
    asked: Hashable,
    stop: Callable[[], None] | None = None,
    begin: Callable[[], object] = lambda: None,
    *,
    seconds_unseen: float = SECONDS_UNSEEN,
) -> tuple[Callable[[float], None], Callable[[], None]]:
    """A line with how far work is and a button that cancels it: a function that moves it, one that takes it away.

    Work that was cancelled is not begun again until the person says so: the page ends there.

    Args:
        label: What is being done.
        asked: What tells this work from other work of the same name.
        stop: Ends work that would go on without this page; ``None`` where the page itself does it.
        begin: Begins such work once more.
        seconds_unseen: Work that takes no longer shows no line.
    """
    if (label, asked) in session.get(CANCELLED, ()):
        st.info(f"Cancelled: {label.removesuffix('…').rstrip()}.", icon=":material/cancel:")
        st.button("Start again", key=f"start-{label}", on_click=_start_again, args=(label, asked, begin))
        st.stop()
    place = st.empty()
    lines: list[DeltaGenerator] = []

    def show(share: float, text: str) -> None:
        if lines:
            lines[0].progress(share, text)
            return
        key = _key_of_line(label)
        with place.container(horizontal=True, vertical_alignment="center", key=f"work-{key}"):
            lines.append(st.progress(share, text))
            st.button("Cancel", key=f"cancel-{key}", type="tertiary", on_click=_cancel, args=(label, asked, stop))

    if not seconds_unseen:
        show(0.0, so_far(label, 0.0))
    move = mover(show, label, seconds_unseen)

    def finish() -> None:
        if lines:
            place.empty()

    return (move if stop is None else partial(_move_and_look_around, move)), finish


def _key_of_line(label: str) -> str:
    """A key that no other line of this run has: where little is kept, the same work may be done again within a run."""
    run, labels = session.get(LINES, (None, ()))
    before = labels if run == session.this_run() else ()
    session.put(LINES, (session.this_run(), (*before, label)))
    n_before = before.count(label)
    return f"{label} {n_before + 1}" if n_before else label


def clear_lines(place: DeltaGenerator) -> None:
    """Take away the lines of work that the last run of the page waited for: what a run says last may not arrive."""
    for _ in range(MOST_LINES):
        place.empty()


def waited_for(label: str, work: BackgroundTask[Made], *, is_asked_for: bool = False) -> Made:
    """What takes a while to make unless it is there, with its progress in sight.

    Args:
        label: What is being done.
        work: Makes it.
        is_asked_for: Whether a person asked for it: it goes on when they leave the page.
    """
    if work.is_done:
        return work.value()
    report, finish = progress_reporter(label, work.key, work.stop, lambda: work.begin().go_on())
    if is_asked_for:
        work.begin().go_on()
    try:
        return work.value(report)
    finally:
        finish()


def is_asked_for(label: str, work: BackgroundTask[Made]) -> bool:
    """Whether work that a button begins is done, goes on, or was cancelled: what a page shows without the button."""
    return work.is_done or work.is_under_way or (label, work.key) in session.get(CANCELLED, ())


def made_by(label: str, work: BackgroundTask[Made], *, is_asked_for: bool = False) -> Made | None:
    """``waited_for``; ``None``, and why in a box, where it cannot be made."""
    try:
        return waited_for(label, work, is_asked_for=is_asked_for)
    except InputError as error:
        st.error(plain(str(error)))
        return None


def made(
    label: str,
    asked: Hashable,
    make: Callable[[Callable[[float], None]], Made],
) -> Made | None:
    """What the page itself makes, with its progress in sight; ``None``, and why in a box, where it cannot be made.

    Args:
        label: What is being done.
        asked: What tells this work from other work of the same name.
        make: Makes it, and is given what moves the bar.
    """
    report, finish = progress_reporter(label, asked, seconds_unseen=0.0)  # it may report seldom
    try:
        return make(report)
    except InputError as error:
        st.error(plain(str(error)))
        return None
    finally:
        finish()


def so_far(label: str, share: float) -> str:
    """What is being done, and how much of it is."""
    return f"{label} {min(1.0, share):.0%}"


def mover(show: Callable[[float, str], object], label: str, seconds_unseen: float = 0.0) -> Callable[[float], None]:
    """A function that moves a bar to the share of the work that is done, 0 to 1, at most four times a second.

    More messages keep the browser from drawing the rest of a page that is still arriving.

    Args:
        show: Draws the bar at a share, with a text.
        label: What is being done.
        seconds_unseen: Before this, nothing is shown.
    """
    shown, due = so_far(label, 0.0) if not seconds_unseen else "", time.monotonic() + seconds_unseen

    def move(share: float) -> None:
        nonlocal shown, due
        session.get(CANCELLED)  # here Streamlit ends a run whose page was left, as it does at a message
        if time.monotonic() >= due and so_far(label, share) != shown:
            shown, due = so_far(label, share), time.monotonic() + SECONDS_BETWEEN_MOVES
            show(min(1.0, share), shown)

    return move


def _cancel(label: str, asked: Hashable, stop: Callable[[], None] | None) -> None:
    session.put(CANCELLED, {*session.get(CANCELLED, ()), (label, asked)})
    if stop is not None:
        stop()


def _start_again(label: str, asked: Hashable, begin: Callable[[], object]) -> None:
    session.put(CANCELLED, session.get(CANCELLED, set()) - {(label, asked)})
    begin()


def _move_and_look_around(move: Callable[[float], None], share: float) -> None:
    """Move the bar; once the checks of the texts end meanwhile, begin the page anew, and the work goes on."""
    move(share)
    if text_checks.have_ended():
        st.rerun()


def _ignoring_result(function: Callable[[], object]) -> Callable[[], None]:
    def call() -> None:
        function()

    return call


def other_preset(options: BleuOptions) -> str | None:
    """A tool to compare with; one that computes something else than is computed here."""
    names = [name for name, preset in PRESETS.items() if preset.options != options]
    chosen = choices.selected_if_any(params.COMPARED_PRESET, "Compare with", names, "choose a tool")
    if chosen is not None:
        preset = PRESETS[chosen]
        st.caption(plain(preset.description + (f" {preset.limits}" if preset.limits else "")))
    return chosen
