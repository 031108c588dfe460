"""What the first page shows of the files that were named, made while the browser starts."""

from bleucore import BleuOptions, InputError
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import compared_metrics, metrics_beside_bleu
from bleuscope.shell.disk.files import from_environment
from bleuscope.shell.page.scoring import is_large
from bleuscope.shell.state import cached, text_checks


def make() -> None:
    """Read, score, test and check, as the first page does; what takes long is left to it, which shows how far it is.

    A page that comes meanwhile waits for what is begun here.
    """
    try:
        loaded = cached.opened(from_environment())
    except InputError:  # the page says what is wrong
        return
    if loaded is None:
        return
    test_set = loaded.test_set
    if not text_checks.are_instant(test_set):
        cached.text_findings(test_set).begin().go_on()
    if is_large(test_set):
        return
    proposal = cached.tokenizer_proposal(test_set)
    options = BleuOptions() if proposal is None else BleuOptions(tokenizer=proposal.tokenizer)
    evaluation = cached.evaluation(test_set, options, metrics_beside_bleu(()))
    for metric in compared_metrics(evaluation):
        cached.comparison(test_set, metric, SignificanceOptions()).value()
    if text_checks.are_instant(test_set):
        cached.findings(test_set, options.tokenizer).value()
