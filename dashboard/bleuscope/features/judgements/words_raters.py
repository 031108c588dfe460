"""Who judged, in words."""

from bleucore.agreement.judged import HumanScores
from bleucore.agreement.raters import Raters
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Text, listed, note, sentence

AS_ONE_RATER = "The file does not say who judged: all judgements count as those of one rater."
DISPUTED_CAPTION = "Outputs that raters judged differently, the widest apart first. A row opens the segment."
SINGLE = (
    "Raters of a single system: {}. Their z-scores have lost whether that system is better than others: take the mean "
    "of raters, or leave these out."
)


def raters_words(found: Raters, people: HumanScores) -> Text:
    """How many raters judged what, whether anything is known of their agreement, and what to beware of."""
    raters = found.raters
    if [one.name for one in raters] == [""]:
        return note("{}", AS_ONE_RATER)
    said = sentence(
        "{} judged {}; {}",
        numbers.counted(len(raters), "rater"),
        numbers.counted(found.n_outputs, "output"),
        _shared(found),
    )
    single = [one.name for one in raters if one.n_systems == 1]
    if people.averaging.method == "z" and single:
        return note("{}", said) + note(SINGLE, listed(single))
    return note("{}", said)


def _shared(found: Raters) -> str:
    """How much was judged by several raters, and how far these agree."""
    if not found.n_shared:
        return "each was judged by one alone, so that nothing can be said of how far they agree."
    alone = [one for one in found.raters if one.n_alone == one.n_outputs]
    n_pairs = sum(one.n_pairs for one in found.raters)
    said = f"{numbers.count(found.n_shared)} of them were judged by several."
    if n_pairs:
        share = sum(one.pairs_agree for one in found.raters) / n_pairs
        said += f" Two raters order two outputs of one segment alike in {numbers.percent(share)} of cases."
    if alone:
        said += f" {numbers.counted(len(alone), 'rater')} judged alone: nothing checks what they say."
    return said
