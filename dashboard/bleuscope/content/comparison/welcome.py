"""What the first page shows before there are texts: three steps, and what comes out, drawn small from the sample."""

from markupsafe import Markup

from bleuscope.content.style import numbers
from bleuscope.content.style.identity import SystemStyle, identities
from bleuscope.content.style.markup import system_label, together

STEPS = (
    ("Drop your files", "outputs of two or more systems, and a reference"),
    ("Check the roles", "bleuscope guesses what each file is"),
    ("See which system leads, and why", "scores with intervals, tests, and the decisive segments"),
)
SHOWN = {"neural-40k": (48.73, 44.73, 52.72), "neural-10k": (36.36, 33.05, 39.66), "literal": (20.33, 17.46, 23.21)}
"""Systems of the sample: BLEU and its interval."""
LOWEST, HIGHEST = 15.0, 55.0
WORDS = (("The", 2), ("bridge", 2), ("was", 0), ("closed", 4), ("to", 4), ("all", 4), ("traffic", 4), (".", 1))
"""An output as Segments marks it: words, and the length of the longest match that each is part of."""
ALT = "The result: a verdict, scores with intervals, and marked texts."


def welcome() -> Markup:
    """Three steps beside a picture of the results, which only those see who see."""
    steps = together(Markup("<li><b>{}</b><div>{}</div></li>").format(*step) for step in STEPS)
    return Markup(
        '<div class="bs-welcome"><ol>{}</ol><div class="bs-miniature" role="img" aria-label="{}">{}</div></div>'
    ).format(steps, ALT, _picture())


def _picture() -> Markup:
    first, second, *_ = SHOWN
    gain = numbers.score(SHOWN[first][0] - SHOWN[second][0])
    verdict = Markup("<p><b>{}</b> beats <b>{}</b>: +{} BLEU (p &lt; .001).</p>")
    looks = identities(list(SHOWN), second)
    rows = together(_row(looks[name], *scores) for name, scores in SHOWN.items())
    words = Markup(" ").join(
        Markup('<span class="bs-token{}">{}</span>').format(f" bs-m{length}" if length else "", word)
        for word, length in WORDS
    )
    return verdict.format(first, second, gain) + rows + Markup("<p>{}</p>").format(words)


def _row(look: SystemStyle, score: float, low: float, high: float) -> Markup:
    whisker = Markup('<span class="bs-whisker" style="--low:{:.0%};--at:{:.0%};--high:{:.0%}"></span>')
    places = ((value - LOWEST) / (HIGHEST - LOWEST) for value in (low, score, high))
    return Markup('<div class="bs-small-row">{}<span>{}</span>{}</div>').format(
        system_label(look), numbers.score(score), whisker.format(*places)
    )
