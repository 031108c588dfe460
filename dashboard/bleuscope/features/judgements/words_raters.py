"""Who judged, in words."""

from bleucore.agreement.judged import HumanScores
from bleucore.agreement.raters import Raters
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Text, listed, note, sentence

AS_ONE_RATER = "The file does not name its raters, so all judgements count as one rater's."
DISPUTED_CAPTION = "Outputs with conflicting judgements, largest conflict first. Click a row to open the segment."
SINGLE = (
    "Raters who judged only one system: {}. Their z-scores hide whether that system is better. "
    "Use the mean of raters, or leave these raters out."
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
        return "each was judged by only one rater, so agreement cannot be measured."
    alone = [one for one in found.raters if one.n_alone == one.n_outputs]
    n_pairs = sum(one.n_pairs for one in found.raters)
    has = "has" if found.n_shared == 1 else "have"
    said = f"{numbers.count(found.n_shared)} of them {has} several raters."
    if n_pairs:
        share = sum(one.pairs_agree for one in found.raters) / n_pairs
        said += f" Two raters agree on the order of two outputs of a segment in {numbers.percent(share)} of cases."
    if alone:
        said += f" {numbers.counted(len(alone), 'rater')} judged alone, so nothing checks their judgements."
    return said
