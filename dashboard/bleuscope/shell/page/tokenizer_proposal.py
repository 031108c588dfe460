"""The tokenizer that the language of a test set needs: chosen before the first score, said, taken back by a click."""

import streamlit as st

from bleucore import BleuOptions, TestSet
from bleucore.checks import Finding
from bleucore.tokens.tokenizer_choice import AnyTokenizerName, TokenizerProposal
from bleuscope.content.comparison.tokenizer_words import tokenizer_line
from bleuscope.content.findings import finding_words
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import cached, links, session

PROPOSED = "_proposed_tokenizer"


def propose(test_set: TestSet) -> AnyTokenizerName:
    """Set the tokenizer of the sidebar to what the test set needs, once for each; a choice by hand or in a link stays.

    Whatever differs from the last proposal was chosen by somebody.

    Returns:
        What was proposed.
    """
    return propose_for(cached.tokenizer_proposal(test_set), test_set.texts_digest)


def propose_for(proposal: TokenizerProposal | None, digest: str) -> AnyTokenizerName:
    """The same with a proposal at hand, and the digest of the texts that it is for."""
    proposed = proposal.tokenizer if proposal is not None else BleuOptions.tokenizer
    last: tuple[str, AnyTokenizerName] | None = session.get(PROPOSED)
    if last is not None and last[0] == digest:
        return proposed
    in_force = session.get(params.TOKENIZER)
    chosen = in_force or links.given(params.TOKENIZER)
    is_open = chosen is None or (last is not None and chosen == last[1])
    if is_open and proposed != (chosen or BleuOptions.tokenizer):
        if in_force is None:
            links.write(params.TOKENIZER, proposed)
        session.put(params.TOKENIZER, proposed)
    session.put(PROPOSED, (digest, proposed))
    return proposed


def tokenizer_note(test_set: TestSet, tokenizer: AnyTokenizerName) -> None:
    """Beneath the verdict: which tokenizer was proposed and why, and the way back; or the way to one that suits."""
    proposal = cached.tokenizer_proposal(test_set)
    line = tokenizer_line(proposal, tokenizer)
    if line is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="tokenizer"):
            st.caption(widgets.plain(line), width="content")
            _button(BleuOptions.tokenizer)
    elif proposal is not None and not proposal.accepts(tokenizer):
        _button(proposal.tokenizer)


def tokenizer_alarm(test_set: TestSet, tokenizer: AnyTokenizerName) -> None:
    """On pages that say nothing else of the tokenizer: where it does not suit an alarm and the way out."""
    if scoring_alarm(test_set, tokenizer):
        tokenizer_note(test_set, tokenizer)


def scoring_alarm(test_set: TestSet, tokenizer: AnyTokenizerName) -> tuple[Finding, ...]:
    """What is wrong with scoring the texts so, said as an alarm."""
    found = cached.scoring_findings(test_set, tokenizer)
    widgets.html(finding_words.alarm(found))
    return found


def _button(tokenizer: AnyTokenizerName) -> None:
    st.button(f"Score with {tokenizer}", on_click=_choose, args=(tokenizer,), key="use-tokenizer", type="secondary")


def _choose(tokenizer: AnyTokenizerName) -> None:
    session.put(params.PRESET, widgets.DEFAULT_PRESET)
    session.put(params.TOKENIZER, tokenizer)
