"""MeCab, which cuts Japanese and Korean into words: installed with the first such texts, where ``make`` did the rest.

Elsewhere, as in a container, nothing is installed while the program runs.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from threading import Lock

from bleucore import installing
from bleucore.tokens import tokenizer_choice
from bleucore.tokens.tokenizer_choice import TokenizerProposal

_MAX_SECONDS = 600
_INSTALLING = Lock()


def proposed_tokenizer(
    references: Sequence[Sequence[str | None]], announce: Callable[[str], None] = lambda _: None
) -> TokenizerProposal | None:
    """What to score against these references with, see ``tokenizer_choice``. MeCab is installed first if it can be.

    Args:
        references: R columns of S strings, ``None`` where a segment lacks that reference.
        announce: Told that this takes a while, in a sentence.
    """
    proposal = tokenizer_choice.proposed_tokenizer(references)
    folder = installing.checkout()
    if proposal is None or folder is None or not _are_missing(proposal.missing_packages):
        return proposal
    announce(f"{proposal.writing.language} needs MeCab, which is being installed, once.")
    with _INSTALLING:
        if _is_installed(folder):
            tokenizer_choice.look_again()
    return tokenizer_choice.proposed_tokenizer(references)


def _are_missing(packages: Sequence[str]) -> bool:
    """Whether one of these packages is not there, rather than there and broken."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # seldom needed, and slow to import

    try:
        return not all(map(version, packages))
    except PackageNotFoundError:
        return True


@cache
def _is_installed(folder: Path) -> bool:
    """Whether MeCab could be installed from its lock file; tried once, as a machine may be offline."""
    import subprocess  # noqa: PLC0415  # as above

    command = (sys.executable, folder / "deploy" / "install.py", sys.prefix, "requirements-mecab.lock")
    try:
        ended = subprocess.run(command, capture_output=True, check=False, timeout=_MAX_SECONDS)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0
