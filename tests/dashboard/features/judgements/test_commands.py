"""The printed words of what metrics are held against."""

from dataclasses import replace

from bleucore.agreement.agreement import AgreementOptions
from bleucore.judgements.averaging import Averaging, written_weights
from bleucore.judgements.records import Judgements, Row, Scale
from bleuscope.features.judgements.choice import AgreementChoice
from bleuscope.features.judgements.commands import judging_words

JUDGEMENTS = Judgements("mqm", "m s.tsv", "DA", (Row(1, "x", 0, value=1.0),))


def test_name_the_file_and_the_judgements():
    assert judging_words(AgreementChoice("key", JUDGEMENTS)) == ["--judgements", "m s.tsv", "--judgement", "mqm"]


def test_name_all_that_is_not_as_usual():
    choice = AgreementChoice(
        "key",
        replace(JUDGEMENTS, scale=Scale(higher_is_better=False)),
        averaging=Averaging("z", written_weights("google")),
        options=AgreementOptions(judged_segments=True),
    )
    assert judging_words(choice)[4:] == [
        "--penalties",
        "--average",
        "z",
        "--mqm-weights",
        "google",
        "--judged-segments",
    ]
