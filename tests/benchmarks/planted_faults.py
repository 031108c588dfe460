"""How well the checks find what is wrong: faults are planted in texts at random, and what is found is counted.

Every round takes one system of the test set (a reference now and then, where that makes sense), plants one kind of
fault and runs the check that is to find it. Artefacts go into 1 to 5 % of the segments, or as many as ``--shares``
says, or into all ("everywhere"), and recall and precision are over segments. Shifts are of 1 to 5 lines from a random
line on, by lines left out or put in; a file counts as found if the amount is right and the line no further off than
``TOLERANCE``.

What a check flags in the texts as they were is not planted: such segments are left out of precision and counted in
the column "before", to be read by a person. Those that a look confirmed (a file names them, see ``--confirmed``) are
counted in the column "seen", and the column "strict" is the precision in which all others of "before" are false.
"""

import argparse
import html
import itertools
import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from bleucore.checks import CHECKS, Finding, check  # noqa: E402
from bleucore.corpus import System, TestSet  # noqa: E402
from bleucore.formats import assemble, guess_roles, read  # noqa: E402

SAMPLE = ROOT / "sample_data"
TARGET = 0.95
TOLERANCE = 5
"""Lines between the line where a shift begins and the line that the check names."""

MIN_SHARE, MAX_SHARE = 0.01, 0.05

Random = np.random.Generator
Texts = list[str]


@dataclass(frozen=True)
class Place:
    """One segment of the system that is struck."""

    texts: Sequence[str]
    segment: int
    test_set: TestSet

    @property
    def text(self) -> str:
        """The output."""
        return self.texts[self.segment]

    @property
    def source(self) -> str | None:
        """The source of the segment."""
        return None if self.test_set.source is None else self.test_set.source[self.segment]

    @property
    def references(self) -> Texts:
        """The references of the segment that there are."""
        return [text for column in self.test_set.references if (text := column[self.segment]) is not None]

    @property
    def originals(self) -> Texts:
        """The references, and the source if there is one."""
        return self.references + ([] if self.source is None else [self.source])

    @property
    def before(self) -> "Place":
        """The segment before, or the last one."""
        return replace(self, segment=self.segment - 1)


Planted = tuple[Texts, Callable[[Finding], bool]]
Change = Callable[[Place, Random], str]
Confirmed = frozenset[tuple[str, str, int]]
"""Check, system and segment of findings in the texts as they were that a look confirmed."""


@dataclass(frozen=True)
class Count:
    """What was planted and what was found, with the texts of what was missed and what was flagged in error."""

    planted: int = 0
    found: int = 0
    false: int = 0
    before: int = 0
    confirmed: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: "Count") -> "Count":
        return Count(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    @property
    def recall(self) -> float:
        return self.found / self.planted if self.planted else float("nan")

    @property
    def precision(self) -> float:
        flagged = self.found + self.false
        return self.found / flagged if flagged else float("nan")

    @property
    def strict_precision(self) -> float:
        """Precision in which what was flagged before counts as found if a look confirmed it, else as false."""
        flagged = self.found + self.false + self.before
        return (self.found + self.confirmed) / flagged if flagged else float("nan")


PREAMBLES = (
    "Here is the translation: {}",
    "Here's the translation:\n\n{}",
    "Sure! Here is the translated text:\n{}",
    "Certainly! Here's the English translation of the sentence: {}",
    "The translation of the given sentence is: {}",
    "Translation: {}",
    "**Translation:** {}",
    "Translated text: {}",
    "Below is the translation you asked for: {}",
    "Of course, here you go: {}",
    "Hier ist die Übersetzung: {}",
    "Übersetzung: {}",
    "Gerne! Hier ist die deutsche Übersetzung des Textes:\n{}",
    "Die Übersetzung lautet: {}",
    "Natürlich, hier ist der übersetzte Satz: {}",
    "Voici la traduction : {}",
    "Bien sûr ! Voici la traduction du texte :\n{}",
    "Traduction : {}",
    "Aquí está la traducción: {}",
    "Claro, aquí tienes la traducción al inglés: {}",
    "Traducción: {}",
    "Aqui está a tradução: {}",
    "Ecco la traduzione: {}",
    "Hier is de vertaling: {}",
    "Oto tłumaczenie: {}",
    "Zde je překlad: {}",
    "Вот перевод: {}",
    "Перевод: {}",
    "Конечно! Вот перевод текста:\n{}",
    "İşte çeviri: {}",
    "إليك الترجمة: {}",
    "यहाँ अनुवाद है: {}",
    "以下是翻译：{}",
    "翻译：{}",
    "好的，以下是该句的英文翻译：\n{}",
    "译文：{}",
    "以下が翻訳です：{}",
    "翻訳：{}",
    "もちろんです。以下が英訳になります：\n翻訳：{}",
    "다음은 번역입니다: {}",
    "번역: {}",
    "English: {}",
    "Deutsch: {}",
    "Output: {}",
)
REFUSALS = (
    "I'm sorry, but I can't assist with that request.",
    "I am sorry, but I cannot translate this text.",
    "I’m sorry, I can’t help with that.",
    "As an AI language model, I am not able to provide a translation of this content.",
    "I apologize, but I am unable to translate this sentence as it contains offensive language.",
    "I cannot fulfill this request.",
    "I'm unable to provide a translation without more context.",
    "Please provide the text you would like me to translate.",
    "Unfortunately, I can't translate that.",
    "It seems there is no text to translate. Please provide the source sentence.",
    "Es tut mir leid, aber ich kann diesen Text nicht übersetzen.",
    "Als KI-Sprachmodell kann ich dabei nicht helfen.",
    "Leider kann ich Ihnen dabei nicht weiterhelfen.",
    "Bitte geben Sie den Text ein, den ich übersetzen soll.",
    "Je suis désolé, mais je ne peux pas traduire ce texte.",
    "En tant qu'IA, je ne peux pas répondre à cette demande.",
    "Lo siento, pero no puedo ayudar con esa solicitud.",
    "Como modelo de lenguaje, no puedo traducir este contenido.",
    "Desculpe, mas não posso ajudar com isso.",
    "Mi dispiace, ma non posso tradurre questo testo.",
    "Het spijt me, maar ik kan deze tekst niet vertalen.",
    "Przykro mi, ale nie mogę przetłumaczyć tego tekstu.",
    "Omlouvám se, ale nemohu tento text přeložit.",
    "Извините, но я не могу перевести этот текст.",
    "К сожалению, я не могу помочь с этим запросом.",
    "Üzgünüm, ancak bu metni çeviremem.",
    "عذرًا، لا يمكنني ترجمة هذا النص.",
    "क्षमा करें, मैं इस पाठ का अनुवाद नहीं कर सकता।",
    "抱歉，我无法翻译这段内容。",
    "对不起，我不能协助处理这个请求。",
    "作为一个人工智能语言模型，我无法提供此内容的翻译。",
    "申し訳ありませんが、この文章を翻訳することはできません。",
    "申し訳ございませんが、そのリクエストにはお応えできません。",
    "죄송하지만 이 텍스트를 번역할 수 없습니다.",
)
NOTES = (
    "{} (Note: the original text is ambiguous here.)",
    "{}\n\nNote: I have kept the product names in the original language.",
    "{} [Translator's note: this is a pun in the source.]",
    "{} Explanation: the idiom has no direct equivalent.",
    "{}\n\n**Note:** The term was left untranslated as it is a brand name.",
    "{} Please note that the translation may vary depending on the context.",
    "{} Let me know if you need any adjustments to this translation!",
    '{}\n\nI translated "it" as a neutral pronoun because the context is unclear.',
    "{} (Anmerkung: Der Ausgangstext ist unvollständig.)",
    "{} Hinweis: Der Name wurde nicht übersetzt.",
    "{} (Anm. d. Ü.: Wortspiel im Original.)",
    "{}\n\nRemarque : le nom propre a été conservé.",
    "{} (N.d.T. : jeu de mots intraduisible.)",
    "{} Nota: se ha mantenido el nombre original.",
    "{} (Nota del traductor: juego de palabras.)",
    "{} Observação: o nome foi mantido.",
    "{} (Примечание: имя собственное оставлено без перевода.)",
    "{} Uwaga: nazwa własna pozostała bez zmian.",
    "{}（注：此处保留原文品牌名称。）",
    "{} 注意：原文含有歧义。",
    "{}（訳注：原文には言葉遊びがある。）",
    "{} 補足：固有名詞は原文のままです。",
    "{} (참고: 고유 명사는 그대로 두었습니다.)",
)
OTHER_PREAMBLES = (
    # English
    "My rendering of the passage:\n{}",
    "In natural, idiomatic wording this becomes: {}",
    "Okay, let me work through this one.\n\n{}",
    "Great question! A native speaker would put it like this: {}",
    "I have converted the text into the requested language.\n\n{}",
    "Happy to help with that. {}",
    "The sentence you provided reads as follows: {}",
    "Final version below.\n\n{}",
    "Let me rewrite this in fluent prose. {}",
    "Thank you for sharing the text. My version follows.\n{}",
    "Certainly! Please find the requested text below:\n\n{}",
    "This can be expressed as: {}",
    "Using a formal register, as asked:\n{}",
    "One possible way to say this is: {}",
    "Here you go! {}",
    "I'd phrase it this way: {}",
    # German
    "Auf Deutsch würde man sagen: {}",
    "So könnte der Satz lauten:\n{}",
    "Klar, das mache ich gern.\n\n{}",
    "Mein Vorschlag: {}",
    "Ich habe den Text wie gewünscht übertragen.\n{}",
    "Alles klar! Im Zieltext heißt es dann: {}",
    "In flüssiger Sprache formuliert:\n\n{}",
    "Das Ergebnis sieht so aus: {}",
    # French
    "On pourrait le dire ainsi : {}",
    "Ma proposition :\n{}",
    "Avec plaisir, je m'en occupe tout de suite.\n\n{}",
    "Dans la langue cible, cela donne : {}",
    "Le texte demandé figure ci-dessous.\n{}",
    "Version finale : {}",
    # Spanish
    "Con gusto te ayudo.\n\n{}",
    "En el idioma de destino quedaría así: {}",
    "Mi propuesta sería la siguiente:\n{}",
    "El texto solicitado es este: {}",
    "Se puede expresar de este modo: {}",
    "¡Perfecto! Ahí va la versión que pediste.\n{}",
    # Russian
    "На целевом языке это звучит так: {}",
    "Мой вариант:\n{}",
    "С удовольствием помогу!\n\n{}",
    "Предложение можно передать следующим образом: {}",
    "Готово. Результат ниже.\n{}",
    "Итоговый текст: {}",
    # Chinese
    "这句话可以这样表达：{}",
    "好的，我来处理这段文字。\n{}",
    "用目标语言来说就是：{}",
    "您要的内容如下：\n{}",
    "没问题，结果如下：{}",
    "最终版本：{}",
    # Japanese
    "この文は次のように表現できます：{}",
    "ご依頼の文章は以下の通りです。\n{}",
    "かしこまりました。対応いたします。\n{}",
    "自然な言い回しにすると、こうなります：{}",
    # others
    "Volentieri! Il testo richiesto è questo:\n{}",
    "La frase diventa: {}",
    "Com prazer! O texto pedido segue abaixo.\n{}",
    "Na língua de destino fica: {}",
    "Oczywiście, już się tym zajmuję.\n{}",
    "W języku docelowym brzmi to tak: {}",
    "요청하신 문장은 다음과 같습니다:\n{}",
    "자연스럽게 표현하면 이렇습니다: {}",
)
OTHER_NOTES = (
    # English
    "{} (The idiom does not carry over literally, so it was paraphrased.)",
    "{}\n\nI opted for a formal register here since the audience is unknown.",
    "{} — rendered freely to preserve the pun.",
    "{}\n\nHope that works for you! Just ask if another tone would suit you better.",
    "{} [Brand names left in the source language.]",
    "{}\n\n* The abbreviation in the source could also stand for something else.",
    "{} (lit. word order changed for readability)",
    "{}\n\nIf you have more sentences, send them over.",
    "{} This keeps the informal tone of the original sentence.",
    '{}\n\nHere, the last word is used in the sense of "to finish".',
    "{} (Some nuance may be lost, as there is no exact equivalent.)",
    "{}\n\nWould you like a more casual version as well?",
    "{} Keep in mind that the gender of the speaker is not specified.",
    "{}\n\nThe phrasing was adapted slightly for a smoother flow.",
    "{}\n---\nTone: neutral. Register: journalistic.",
    "{} (Context would help to decide between the two readings.)",
    # German
    "{} (Wörtlich wäre das unverständlich, daher frei wiedergegeben.)",
    "{}\n\nIch habe mich für die Höflichkeitsform entschieden.",
    "{}\n\nFalls du es lockerer möchtest, sag einfach Bescheid.",
    "{} (Eigennamen bleiben im Original.)",
    "{} Das Wortspiel geht dabei leider verloren.",
    "{}\n\nDie Abkürzung ist im Ausgangstext nicht eindeutig.",
    "{} [Satzbau zur besseren Lesbarkeit geändert]",
    "{}\n\nGern passe ich den Stil noch an.",
    # French
    "{} (L'expression n'a pas d'équivalent exact.)",
    "{}\n\nJ'ai choisi le vouvoiement, plus adapté à ce contexte.",
    "{}\n\nN'hésitez pas si vous souhaitez un ton plus familier.",
    "{} (Le nom de la marque reste inchangé.)",
    "{} Le jeu de mots disparaît malheureusement ici.",
    "{}\n\nLe sigle de départ est ambigu.",
    # Spanish
    "{} (El modismo no tiene equivalente directo.)",
    "{}\n\nHe optado por un tono formal.",
    "{}\n\nSi necesitas otra versión, avísame.",
    "{} (Los nombres propios no se modifican.)",
    "{} El juego de palabras se pierde en este caso.",
    "{}\n\nLa sigla del texto de partida es ambigua.",
    # Russian
    "{} (Идиома не имеет прямого соответствия.)",
    "{}\n\nЯ выбрал официальный стиль, так как адресат неизвестен.",
    "{}\n\nЕсли нужен другой тон, просто напишите.",
    "{} (Название бренда оставлено как есть.)",
    "{} Игра слов здесь, увы, теряется.",
    "{}\n\nСокращение в исходном тексте неоднозначно.",
    # Chinese
    "{}（该成语没有直接对应的说法。）",
    "{}\n\n这里采用了较正式的语气。",
    "{}\n\n如果需要更口语化的版本，请告诉我。",
    "{}（专有名词保持不变。）",
    "{} 原句的双关语在此无法保留。",
    "{}\n\n原文中的缩写含义不明确。",
    # Japanese
    "{}（この慣用句には直接対応する表現がありません。）",
    "{}\n\n敬体で統一しました。",
    "{}\n\nほかの言い回しが必要でしたらお知らせください。",
    "{}（固有名詞はそのままにしています。）",
    # others
    "{} (Il modo di dire non ha un equivalente preciso.)",
    "{}\n\nHo scelto un registro formale.",
    "{}\n\nSe quiser um tom mais informal, é só avisar.",
    "{} (Os nomes próprios permanecem iguais.)",
    "{} (Idiom nie ma dokładnego odpowiednika.)",
    "{}\n\nDaj znać, jeśli wolisz inny styl.",
    "{} (이 관용구는 직접 대응하는 표현이 없습니다.)",
    "{}\n\n더 부드러운 말투가 필요하면 말씀해 주세요.",
)
"""Written before ``checks.surplus`` was: every other one helped to fit it, the ones between had no part in that."""

VARIANTS = (
    "{0} Or: {1}",
    "{0}\n\nAlternatively: {1}",
    "1. {0} 2. {1}",
    "1) {0}\n2) {1}",
    "Option 1: {0} Option 2: {1}",
    "**Option 1:** {0}\n**Option 2:** {1}",
    "{0} / {1}",
    "{0} Oder: {1}",
    "Variante 1: {0} Variante 2: {1}",
    "{0} Ou : {1}",
    "{0} O bien: {1}",
    "{0} Или: {1}",
    "{0} 或者：{1}",
    "版本一：{0} 版本二：{1}",
    "{0} または：{1}",
)
QUOTES = ('"{}"', "“{}”", "„{}“", "«{}»", "'{}'", "「{}」", "``{}''", "‘{}’")
MARKUP = (
    "```{}```",
    "```\n{}\n```",
    "```text\n{}\n```",
    "**{}**",
    "# {}",
    "### {}",
    "<translation>{}</translation>",
    '{{"translation": "{}"}}',
    "`{}`",
    "*{}*",
    "> {}",
)
SPECIAL_TOKENS = (
    "{}</s>",
    "<s> {} </s>",
    "{}<|im_end|>",
    "{}<|endoftext|>",
    "[INST] {} [/INST]",
    "<pad> {}",
    "<2en> {}",
)
ROLE_TOKENS = (
    "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|>",
    "<|im_start|>assistant\n{}<|im_end|>",
    "<start_of_turn>model\n{}<end_of_turn>",
    "{}<|END_OF_TURN_TOKEN|>",
    "{}<｜end▁of▁sentence｜>",
    "[ASSISTANT] {}",
    "Assistant: {}",
    "ASSISTANT: {}",
    "{}\nUser:",
    "{}\n\nHuman:",
    "<<SYS>> {}",
    "{}<extra_id_1>",
    ">>deu<< {}",
    "en_XX {}",
)
BULLETS = ("- {}", "* {}", "• {}", "– {}", "— {}", "· {}", "1. {}", "1) {}", "◦ {}", "‣ {}")
PTB = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
FOREIGN = {
    "Latin": (
        "Это предложение переведено не на тот язык.",
        "这个句子被翻译成了错误的语言。",
        "هذه الجملة مترجمة إلى لغة خاطئة.",
    ),
    "other": ("This sentence came out in the wrong language.", "Dieser Satz kam in der falschen Sprache heraus."),
}
OTHER_LANGUAGES = {
    "Latin": (
        "Il sindaco ha detto che il ponte verrà riaperto entro la fine dell'estate.",
        "Burmistrz powiedział, że most zostanie otwarty jeszcze przed końcem lata.",
        "Belediye başkanı köprünün yaz bitmeden yeniden açılacağını söyledi.",
        "Kaupunginjohtaja kertoi, että silta avataan uudelleen ennen kesän loppua.",
        "A polgármester azt mondta, hogy a hidat a nyár vége előtt újra megnyitják.",
    ),
    "Cyrillic": (
        "Мэр города сообщил, что этот мост снова откроют ещё до конца лета.",
        "Вчера жители узнали, почему строители задержали открытие новой школы.",
    ),
}
LOOK_ALIKES = dict(zip("aeopcxyABEKMHOPCTX", "аеорсхуАВЕКМНОРСТХ", strict=True))
_BEFORE_PUNCTUATION = re.compile(r"(?<=\w)(?=[.,!?;:](?:\s|$))")


def main() -> None:
    """Plant every fault in every test set and print what is found."""
    arguments = _arguments()
    failures = 0
    for path in arguments.data or [SAMPLE]:
        test_set = load(path)
        print(
            f"\n{path.name}: {len(test_set.systems)} systems, {len(test_set.references)} references, "
            f"{test_set.n_segments:,} segments; {arguments.rounds} rounds of each fault, seed {arguments.seed}"
        )
        for finding in check(test_set):
            if finding.severity != "note":
                print(f"  as it is: {finding.severity}, {finding.check}, {finding.subject}: {finding.message}")
        print(
            f"  {'fault':<38}{'check':<24}{'planted':>8}{'found':>8}{'false':>7}{'before':>8}{'seen':>6}"
            f"{'recall':>8}{'prec.':>8}{'strict':>8}"
        )
        for name, fault in FAULTS.items():
            if arguments.only and name not in arguments.only:
                continue
            confirmed = read_confirmed(arguments.confirmed, path.name)
            count = measure(
                name,
                test_set,
                rounds=arguments.rounds,
                seed=arguments.seed,
                confirmed=confirmed,
                shares=arguments.shares and (min(arguments.shares), max(arguments.shares)),
            )
            is_low = count.planted > 0 and not (count.recall >= TARGET and count.precision >= TARGET)
            failures += is_low
            print(
                f"  {name:<38}{fault.check:<24}{count.planted:>8,}{count.found:>8,}{count.false:>7,}"
                f"{count.before:>8,}{count.confirmed:>6,}{count.recall:>8.3f}{count.precision:>8.3f}"
                f"{count.strict_precision:>8.3f}{'  below the target' * is_low}",
                *(f"\n      {text}" for text in count.wrong[: arguments.show]),
                sep="",
            )
    print(f"\n{failures} below {TARGET}")


def load(path: Path) -> TestSet:
    """The test set of all texts below a folder, or of one file; the sample by its own names, without ``assistant``."""
    if path.resolve() == SAMPLE:
        columns = {one.stem: _lines(one) for one in sorted(path.glob("*.txt"))}
        references = [columns.pop(name) for name in sorted(columns) if name.startswith("reference")]
        source, documents = columns.pop("source"), columns.pop("documents")
        del columns["assistant"]  # many faults on purpose: planted ones would not be told from them
        return TestSet([System(name, texts) for name, texts in columns.items()], references, source, documents)
    files = [path] if path.is_file() else [one for one in sorted(path.rglob("*")) if one.suffix in (".txt", ".xml")]
    return assemble(guess_roles([column for one in files for column in read(one.name, one.read_bytes())]))


def read_confirmed(path: Path | None, test_set: str) -> Confirmed:
    """What a look confirmed in a test set: lines of its name, check, system, segment (from 0) and what it is."""
    rows = [line.split("\t") for line in _lines(path)] if path is not None else []
    return frozenset((check, system, int(segment)) for name, check, system, segment, *_ in rows if name == test_set)


def measure(
    name: str,
    test_set: TestSet,
    *,
    rounds: int,
    seed: int,
    confirmed: Confirmed = frozenset(),
    shares: tuple[float, float] | None = None,
) -> Count:
    """What is found of one fault, planted so many times, in a share of the segments between these unless everywhere."""
    rng = np.random.default_rng([seed, *name.encode()])
    fault, total = FAULTS[name], Count()
    if shares is not None and isinstance(fault, InSegments) and not fault.is_everywhere:
        fault = replace(fault, shares=shares)
    before = observed(fault.check, test_set) if isinstance(fault, InSegments) else []
    for _ in range(rounds):
        total += fault.round(test_set, rng, before, confirmed)
    return total


@dataclass(frozen=True)
class InSegments:
    """A fault of single segments of a system.

    Attributes:
        check: The check that is to find it.
        change: The faulty text of a segment; the text as it is where it cannot happen.
        fits: Whether a segment is one in which it would be a fault.
        shares: The least and the greatest share of segments that are struck.
    """

    check: str
    change: Change
    fits: Callable[[Place], bool] = lambda _: True
    shares: tuple[float, float] = (MIN_SHARE, MAX_SHARE)

    @property
    def is_everywhere(self) -> bool:
        """Whether all segments are struck in which it would be a fault."""
        return min(self.shares) == 1

    def round(
        self, test_set: TestSet, rng: Random, findings: Sequence[Finding], confirmed: Confirmed = frozenset()
    ) -> Count:
        """Plant it once and count segments; the findings are those of its check in the texts as they are."""
        index = int(rng.integers(len(test_set.systems)))
        texts = list(test_set.systems[index].hypotheses)
        before = _flagged(findings, index)
        n_planted = max(1, round(test_set.n_segments * rng.uniform(*self.shares)))
        planted: set[int] = set()
        for segment in rng.permutation(test_set.n_segments).tolist():
            if len(planted) == n_planted:
                break
            if not (
                self.is_everywhere or planted.isdisjoint({segment - 1, segment + 1})
            ):  # a line written twice is there once as it was
                continue
            place = Place(test_set.systems[index].hypotheses, segment, test_set)
            if segment in before or not self.fits(place):
                continue
            changed = self.change(place, rng)
            if changed != place.text:
                texts[segment] = changed
                planted.add(segment)
        found = _flagged(observed(self.check, with_hypotheses(test_set, index, texts)), index)
        false = found - planted - before
        wrong = [(segment, "missed") for segment in planted - found] + [(segment, "false") for segment in false]
        return Count(
            len(planted),
            len(found & planted),
            len(false),
            len(found & before),
            sum((self.check, test_set.systems[index].name, segment) in confirmed for segment in found & before),
            tuple(f"{what} {segment}: {texts[segment]!r}" for segment, what in wrong),
        )


@dataclass(frozen=True)
class InFile:
    """A fault of a whole column, found if the finding fits it.

    Attributes:
        check: The check that is to find it.
        plant: The texts and their references -> the faulty texts, and whether a finding describes the fault.
        strikes_references: Whether systems or references are struck.
        severities: Those of a finding that counts.
    """

    check: str
    plant: Callable[[Texts, TestSet, Random], tuple[Texts, Callable[[Finding], bool]]]
    strikes_references: bool = False
    severities: tuple[str, ...] = ("error",)

    def round(
        self, test_set: TestSet, rng: Random, _findings: Sequence[Finding], _confirmed: Confirmed = frozenset()
    ) -> Count:
        """Plant it once and count files."""
        columns = test_set.references if self.strikes_references else [s.hypotheses for s in test_set.systems]
        index = int(rng.integers(len(columns)))
        texts, fits = self.plant([text or "" for text in columns[index]], test_set, rng)
        if self.strikes_references:
            faulty = replace(test_set, references=[texts if i == index else c for i, c in enumerate(columns)])
        else:
            faulty = with_hypotheses(test_set, index, texts)
        kind = "reference" if self.strikes_references else "system"
        errors = [finding for finding in observed(self.check, faulty) if finding.severity in self.severities]
        known = {(one.kind, one.index) for one in observed(self.check, test_set)} - {(kind, index)}
        errors = [finding for finding in errors if (finding.kind, finding.index) not in known]
        own = [finding for finding in errors if (finding.kind, finding.index) == (kind, index)]
        is_found = len(own) == 1 and fits(own[0])
        wrong = tuple(f"{one.subject}: {one.message}" for one in errors) or ("no finding",)
        return Count(1, int(is_found), len(errors) - int(is_found), 0, 0, () if is_found else wrong)


def observed(name: str, test_set: TestSet) -> list[Finding]:
    """The findings of one check."""
    from bleucore.checks.compared_texts import Columns

    return [observation.named(name) for observation in CHECKS[name].observe(Columns.of(test_set))]


def with_hypotheses(test_set: TestSet, index: int, texts: Sequence[str]) -> TestSet:
    """The test set with other outputs of one system."""
    systems = list(test_set.systems)
    systems[index] = System(systems[index].name, texts)
    return replace(test_set, systems=systems)


def _flagged(findings: Sequence[Finding], index: int) -> set[int]:
    return {s for one in findings if (one.kind, one.index) == ("system", index) for s in one.segments.tolist()}


def _shift(texts: Texts, _test_set: TestSet, rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    n_lines, amount = len(texts), int(rng.integers(1, 6))
    start = int(rng.integers(0, n_lines - 2 * amount - TOLERANCE))
    filler = [""] * amount if rng.random() < 0.5 else [texts[i] for i in rng.integers(0, n_lines, amount)]
    if rng.random() < 0.5:
        shifted, first, signed = texts[:start] + filler + texts[start:-amount], start + amount, amount
    else:
        shifted, first, signed = texts[:start] + texts[start + amount :] + filler, start, -amount

    def fits(finding: Finding) -> bool:
        is_one = len(finding.shifts) == 1 and finding.shifts[0].amount == signed
        return is_one and abs(finding.shifts[0].start - first) <= TOLERANCE

    return shifted, fits


def _two_shifts(texts: Texts, _test_set: TestSet, rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    n_lines = len(texts)
    first = int(rng.integers(n_lines // 10, n_lines // 2))
    last = int(rng.integers(first + n_lines // 10, n_lines - n_lines // 10))
    shifted = [*texts[:first], "", *texts[first:last], *texts[last + 1 :]]

    def fits(finding: Finding) -> bool:
        (shift, *more) = finding.shifts
        is_near = max(abs(shift.start - first - 1), abs(shift.stop - last - 1)) <= TOLERANCE
        return not more and shift.amount == 1 and is_near

    return shifted, fits


def _shuffled(texts: Texts, _test_set: TestSet, rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    return [texts[index] for index in rng.permutation(len(texts))], lambda one: len(one.segments) > 0.9 * len(texts)


def _reversed_documents(texts: Texts, test_set: TestSet, _rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    names = test_set.documents or [str(index // 12) for index in range(len(texts))]
    starts = [0, *(index for index in range(1, len(names)) if names[index] != names[index - 1]), len(names)]
    order = [index for start, stop in itertools.pairwise(starts) for index in reversed(range(start, stop))]
    return _in_order(texts, order)


def _shuffled_in_windows(texts: Texts, _test_set: TestSet, rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    size = int(_choice(("10", "20", "40"), rng))
    starts = range(0, len(texts), size)
    order = [start + int(i) for start in starts for i in rng.permutation(min(size, len(texts) - start))]
    return _in_order(texts, order)


def _in_order(texts: Texts, order: Sequence[int]) -> tuple[Texts, Callable[[Finding], bool]]:
    """The texts in this order, found if nearly all lines are that moved, and few others."""
    made = [texts[index] for index in order]
    moved = {index for index, (new, old) in enumerate(zip(made, texts, strict=True)) if new != old}

    def fits(finding: Finding) -> bool:
        found = set(finding.segments.tolist())
        return len(found & moved) >= 0.85 * max(len(moved), len(found))

    return made, fits


def _swapped_blocks(texts: Texts, _test_set: TestSet, rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    size = int(rng.integers(10, max(11, len(texts) // 8)))
    first = int(rng.integers(0, len(texts) - 3 * size))
    second = int(rng.integers(first + size + 6, len(texts) - size + 1))
    moved = texts[:]
    moved[first : first + size], moved[second : second + size] = (
        texts[second : second + size],
        texts[first : first + size],
    )
    planted = {*range(first, first + size), *range(second, second + size)}

    def fits(finding: Finding) -> bool:
        found = set(finding.segments.tolist())
        return len(found & planted) >= 0.8 * len(planted) and len(found - planted) <= TOLERANCE * 4

    return moved, fits


def _random_words(texts: Texts, _test_set: TestSet, rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    words = " ".join(texts).split()
    lengths = rng.integers(1, 2 * len(words) // len(texts) + 1, len(texts))
    drawn = [" ".join(words[index] for index in rng.integers(0, len(words), length)) for length in lengths]
    return drawn, lambda one: len(one.segments) > 0.9 * len(texts)


def _copy_of_reference(texts: Texts, test_set: TestSet, rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    reference = test_set.references[int(rng.integers(len(test_set.references)))]
    return [text or "" for text in reference], lambda one: len(one.segments) > 0.9 * len(texts)


def _on_every_line(change: Callable[[str, int], str]) -> Callable[[Texts, TestSet, Random], Planted]:
    """Each text changed, given its number; found if most segments are named."""

    def plant(texts: Texts, _test_set: TestSet, _rng: Random) -> Planted:
        changed = [change(text, number) for number, text in enumerate(texts)]
        n_changed = sum(new != old for new, old in zip(changed, texts, strict=True))
        return changed, lambda one: len(one.segments) > 0.8 * n_changed

    return plant


def _two_thirds(text: str, _number: int) -> str:
    return text[: 2 * len(text) // 3]


def _reference_less_a_word(_texts: Texts, test_set: TestSet, rng: Random) -> Planted:
    """A reference without one word of each line, or two characters where there are no blanks."""
    made = []
    for text in test_set.references[int(rng.integers(len(test_set.references)))]:
        parts = (text or "").split(" ")
        if len(parts) > 1:
            del parts[int(rng.integers(len(parts)))]
            made.append(" ".join(parts))
        else:
            at = int(rng.integers(0, max(1, len(parts[0]) - 1)))
            made.append(parts[0][:at] + parts[0][at + 2 :])
    return made, lambda one: len(one.segments) > 0.5 * len(made)


def _partly_of_another(texts: Texts, test_set: TestSet, rng: Random) -> Planted:
    """Three lines in ten are those of another system."""
    others = [list(one.hypotheses) for one in test_set.systems if list(one.hypotheses) != texts]
    other = others[int(rng.integers(len(others)))]
    copied = [new if rng.random() < 0.3 else old for old, new in zip(texts, other, strict=True)]
    return copied, lambda one: len(one.segments) > 0


def _copy_of_source(texts: Texts, test_set: TestSet, _rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    return list(test_set.source or texts), lambda one: len(one.segments) > 0.8 * len(texts)


def misspelt(texts: Texts, rng: Random) -> Texts:
    """The texts with one letter in ten replaced by another one."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [
        "".join(letters[int(rng.integers(26))] if one.isalpha() and rng.random() < 0.1 else one for one in text)
        for text in texts
    ]


def _misspelt(texts: Texts, _test_set: TestSet, rng: Random) -> tuple[Texts, Callable[[Finding], bool]]:
    return misspelt(texts, rng), lambda one: len(one.segments) > 0.5 * len(texts)


def _choice(choices: Sequence[str], rng: Random) -> str:
    return choices[int(rng.integers(len(choices)))]


def _around(frames: Sequence[str]) -> Change:
    return lambda place, rng: _choice(frames, rng).format(place.text)


def _one_of(texts: Sequence[str]) -> Change:
    return lambda _, rng: _choice(texts, rng)


def _at_a_random_place(character: str) -> Change:
    def change(place: Place, rng: Random) -> str:
        index = int(rng.integers(len(place.text) + 1))
        return place.text[:index] + character + place.text[index:]

    return change


def _invented(place: Place, rng: Random) -> str:
    words = " ".join(place.texts).split()
    return " ".join(words[index] for index in rng.integers(0, len(words), rng.integers(8, 20)))


def _loop(place: Place, rng: Random) -> str:
    between, words = (" ", place.text.split()) if " " in place.text else ("", list(place.text))
    size = int(rng.integers(1, min(9, len(words) + 1)))
    start = int(rng.integers(0, len(words) - size + 1))
    times = int(rng.integers(3 if size >= 3 else 5, 20))
    rest = words[start + size :] if rng.random() < 0.5 else []
    return between.join(words[:start] + words[start : start + size] * times + rest)


def _in_words(character: str) -> Change:
    """The character within each word of six letters or more, or anywhere where there is none."""

    def change(place: Place, rng: Random) -> str:
        changed = re.sub(r"(?<=\w{3})(?=\w{3})", character, place.text)
        return changed if changed != place.text else _at_a_random_place(character)(place, rng)

    return change


def _other_digits(most: int) -> Change:
    """Up to so many digits replaced by others."""

    def change(place: Place, rng: Random) -> str:
        letters = list(place.text)
        places = [index for index, letter in enumerate(letters) if letter in "0123456789"]
        for index in rng.permutation(places)[:most].astype(int).tolist():
            letters[index] = str((int(letters[index]) + int(rng.integers(1, 10))) % 10)
        return "".join(letters)

    return change


def _look_alikes(most: int) -> Change:
    """Up to so many letters replaced by those of another script that look the same."""

    def change(place: Place, rng: Random) -> str:
        is_latin = len(re.findall("[A-Za-z]", place.text)) >= len(re.findall("[А-я]", place.text))
        letters, pairs = list(place.text), LOOK_ALIKES if is_latin else {b: a for a, b in LOOK_ALIKES.items()}
        places = [index for index, letter in enumerate(letters) if letter in pairs]
        for index in rng.permutation(places)[:most].astype(int).tolist():
            letters[index] = pairs[letters[index]]
        return "".join(letters)

    return change


def _tagged(place: Place, rng: Random) -> str:
    start, end = sorted(rng.integers(0, len(place.text) + 1, 2).tolist())
    frame = _choice(
        ("{}<br/>{}{}", "{}<br>{}{}", "<b>{}</b>{}{}", "{}<i>{}</i>{}", '{}<span class="x">{}</span>{}'), rng
    )
    return frame.format(place.text[:start], place.text[start:end], place.text[end:])


def _without_marks(place: Place, _rng: Random) -> str:
    return "".join(one for one in place.text if not unicodedata.category(one).startswith("P"))


def _without_accents(place: Place, _rng: Random) -> str:
    return "".join(one for one in unicodedata.normalize("NFD", place.text) if unicodedata.category(one) != "Mn")


def _in_full_width(place: Place, _rng: Random) -> str:
    return "".join(chr(ord(one) + 0xFEE0) if one.isascii() and one.isalnum() else one for one in place.text)


def _half_left(place: Place, _rng: Random) -> str:
    source, text = place.source or "", place.text
    words, left = text.split(), source.split()
    if min(len(words), len(left)) > 1 and 3 * len(left) > len(words):  # blanks between words in both
        return " ".join(words[: len(words) // 2] + left[len(left) // 2 :])
    return text[: len(text) // 2] + source[len(source) // 2 :]


def _in_another_language(place: Place, rng: Random) -> str:
    is_cyrillic = bool(re.search("[А-я]{4}", " ".join(place.references)))
    return _choice(OTHER_LANGUAGES["Cyrillic" if is_cyrillic else "Latin"], rng)


def _cut(place: Place, rng: Random) -> str:
    cut = place.text[: int(len(place.text) * rng.uniform(0.2, 0.7))]
    return (cut if rng.random() < 0.5 else cut.rpartition(" ")[0]).rstrip(" .,;:!?…。，！？")


def _resized(place: Place, rng: Random) -> str:
    if rng.random() < 0.5:
        return place.text[: int(len(place.text) * rng.uniform(0.1, 0.35))] + "."
    longer = place.text
    while len(longer) < 3 * len(place.text):
        longer += " " + _choice(place.texts, rng)
    return longer


def _in_another_script(place: Place, rng: Random) -> str:
    is_latin = bool(re.search("[A-Za-z]{4}", " ".join(place.references)))
    return _choice(FOREIGN["Latin" if is_latin else "other"], rng)


def _escaped(place: Place, rng: Random) -> str:
    way = int(rng.integers(3))
    if way == 0:
        return html.escape(place.text)
    return place.text.encode("ascii", "xmlcharrefreplace" if way == 1 else "backslashreplace").decode()


def _in_pieces(place: Place, rng: Random) -> str:
    way = int(rng.integers(3))
    if way == 0:
        return re.sub(r"(\w{4})(?=\w{2})", r"\1@@ ", place.text)
    if way == 1:
        return " ".join(f"▁{word}" for word in place.text.split())
    return re.sub(r"([^\W\d_]{4})(?=[a-z]{2})", r"\1 ##", place.text)


def _several(place: Place, rng: Random) -> str:
    words = place.text.split()
    return _choice(VARIANTS, rng).format(place.text, " ".join(words[1:] + words[:1]))


def _as_bytes(place: Place, rng: Random) -> str:
    """A character, outside ASCII if there is one, as the bytes that a tokenizer falls back to."""
    text = place.text
    places = [i for i, one in enumerate(text) if not one.isascii()] or [i for i, one in enumerate(text) if one.strip()]
    if not places:
        return text
    chosen = places[int(rng.integers(len(places)))]
    return text[:chosen] + "".join(f"<0x{byte:02X}>" for byte in text[chosen].encode()) + text[chosen + 1 :]


def _number_added(place: Place, rng: Random) -> str:
    """A number that stands in no text beside it, between two words."""
    number = str(int(rng.integers(2, 5000)))
    words = place.text.split(" ")
    at = int(rng.integers(1, len(words) + 1))
    if any(number in text for text in (place.text, *place.originals)):
        return place.text
    return " ".join([*words[:at], number, *words[at:]]) if len(words) > 1 else f"{place.text}{number}"


def _number_dropped(place: Place, rng: Random) -> str:
    """A number that every original has is taken out."""
    found = [
        one for one in re.finditer(r"(?<![\w.,:])\d+(?:[.,]\d+)*(?![\w:])", place.text) if _is_shared(one[0], place)
    ]
    if not found:
        return place.text
    one = found[int(rng.integers(len(found)))]
    return (place.text[: one.start()] + place.text[one.end() :]).replace("  ", " ").strip()


def _is_shared(number: str, place: Place) -> bool:
    """Whether each original has the number as often as the output."""
    digits = re.sub(r"\D", "", number)
    return all(re.sub(r"(?<=\d)[.,](?=\d)", "", text).count(digits) == 1 for text in (place.text, *place.originals))


_NAME = re.compile(r"(?<=[a-zäöüß,;] )[A-ZÄÖÜ][a-zäöüß]{3,}(?!\w)")


def _names(place: Place) -> list[str]:
    """The words of the output, capitalised within a sentence, that all references have; and a source in Latin too."""
    latin = bool(re.search("[A-Za-z]{4}", place.source or ""))
    originals = place.originals if latin else place.references
    return [
        name
        for name in dict.fromkeys(_NAME.findall(place.text))
        if all(re.search(rf"\b{name}\b", text) for text in originals) and place.text.count(name) == 1
    ]


def _other_name(place: Place, rng: Random) -> str:
    """A name of the segment is exchanged for one of another segment."""
    own = _names(place)
    if not own:
        return place.text
    for segment in rng.permutation(len(place.texts)).tolist()[:200]:
        others = [one for one in _names(replace(place, segment=segment)) if one not in " ".join(place.originals)]
        if others and others[0] not in place.text:
            return place.text.replace(_choice(own, rng), others[0])
    return place.text


def _names_swapped(place: Place, _rng: Random) -> str:
    """Two names of the segment have changed places."""
    own = _names(place)
    if len(own) < 2:
        return place.text
    one, other = own[0], own[-1]
    return place.text.replace(one, "\0").replace(other, one).replace("\0", other)


def _source_words_left(place: Place, rng: Random) -> str:
    """Four words of the source stand instead of about the same part of the output."""
    source, words = (place.source or "").split(), place.text.split()
    if min(len(source), len(words)) < 8:
        if len(source) <= 2 and len(words) >= 8 and len(place.source or "") >= 16:  # a source without blanks
            share = rng.uniform(0.1, 0.7)
            at, start = int(share * len(words)), int(share * len(place.source or ""))
            return " ".join([*words[:at], (place.source or "")[start : start + 8], *words[at + 4 :]])
        return place.text
    start = int(rng.integers(0, len(source) - 3))
    at = min(len(words) - 4, round(start * len(words) / len(source)))
    return " ".join([*words[:at], *source[start : start + 4], *words[at + 4 :]])


_NO_END = "".join(rf"(?<!\b\w{{{n_letters}}}\.)" for n_letters in range(1, 5)) + r"(?<!\.\.\.)(?<!…)"
"""No initial, title, abbreviation or ordinal number, and no pause."""

_SENTENCES = re.compile(rf"{_NO_END}(?<=[.!?])[\"”“»']?\s+(?=[\"“„«']?[A-ZÄÖÜА-Я])|(?<=[。！？])(?=[^。！？」』”])")


def _sentences(text: str) -> Texts:
    """The sentences of a text, those of a few letters with the one before."""
    starts = [one.end() for one in _SENTENCES.finditer(text)]
    parts = [text[i:j].strip() for i, j in itertools.pairwise([0, *starts, len(text)])]
    return parts if all(len(part) >= (12 if " " in text else 6) for part in parts) else [text]


def _without_last_sentence(place: Place, _rng: Random) -> str:
    own = _sentences(place.text)
    return place.text[: place.text.rindex(own[-1])].strip() if len(own) > 1 else place.text


def _has_several_sentences(place: Place) -> bool:
    return all(len(_sentences(text)) > 1 for text in place.originals)


def _in_ptb(place: Place, _rng: Random) -> str:
    return re.sub(r"[()\[\]{}]", lambda one: f" {PTB[one[0]]} ", place.text)


def _blank_before_comma(place: Place, _rng: Random) -> str:
    return re.sub(r"(?<=\w),(?=\s)", " ,", place.text)


def _has_accents(place: Place) -> bool:
    """Whether the language has letters with accents: in English, names alone have them."""
    texts = [text or "" for text in place.test_set.references[0][:200]]
    n_accented = sum(any(unicodedata.category(one) == "Mn" for one in unicodedata.normalize("NFD", t)) for t in texts)
    return n_accented >= 0.2 * len(texts) and bool(re.search("[A-Za-zА-я]{4}", place.text))


def _has_no_list(place: Place) -> bool:
    """Whether no original begins like an entry of a list."""
    return not any(re.match(r"\s*(?:[^\w\s\"“„'‘(]|\d+[.)])", text) for text in place.originals)


def _is_long(place: Place) -> bool:
    return len(place.text.split()) >= 8 and all(len(original) >= 16 for original in place.originals)


def _may_be_quoted(place: Place) -> bool:
    """Whether no original begins or ends with a quotation mark or bracket."""
    marks = "\"“”„«»‹›「」『』《》〈〉‘’'`【】[]"
    bare = [text.strip(" .,:;!?()。，：；！？（）…–-") for text in place.originals]
    return not any(mark in (text[:1], text[-1:]) for text in bare for mark in marks)


def _is_translated(place: Place) -> bool:
    source = place.source or ""
    return source.strip() not in place.references and any(character.isalpha() for character in source)


def _differs_from_line_before(place: Place) -> bool:
    """Whether the output of the line before would be wrong here, and both are long enough to tell."""
    if place.segment == 0:
        return False
    apart = all(own != other for own, other in zip(place.originals, place.before.originals, strict=False))
    return apart and min(len(text.split()) for text in (place.before.text, *place.references)) >= 5


GRAVE = ("error", "warning")
FAULTS: dict[str, InFile | InSegments] = {
    "shift": InFile("shifted-lines", _shift),
    "shift of a reference": InFile("shifted-lines", _shift, strikes_references=True),
    "shift and back": InFile("shifted-lines", _two_shifts),
    "shuffled lines": InFile("reordered-lines", _shuffled),
    "reversed documents": InFile("reordered-lines", _reversed_documents),
    "shuffled in windows": InFile("reordered-lines", _shuffled_in_windows),
    "shuffled windows of a reference": InFile("reordered-lines", _shuffled_in_windows, strikes_references=True),
    "swapped blocks": InFile("reordered-lines", _swapped_blocks),
    "another text": InFile("unrelated-lines", _random_words),
    "reference as output": InFile("copied-reference", _copy_of_reference),
    "source as output": InFile("copied-source", _copy_of_source),
    "two thirds of every line": InFile("unusual-proportions", _on_every_line(_two_thirds), severities=GRAVE),
    "two thirds of every line of a reference": InFile(
        "unusual-proportions", _on_every_line(_two_thirds), strikes_references=True, severities=GRAVE
    ),
    "every line twice": InFile(
        "unusual-proportions", _on_every_line(lambda text, _: f"{text} {text}"), severities=GRAVE
    ),
    "bullets on every line": InFile(
        "unusual-beginnings", _on_every_line(lambda text, _: f"- {text}"), severities=GRAVE
    ),
    "bullets on every line of a reference": InFile(
        "unusual-beginnings", _on_every_line(lambda text, _: f"- {text}"), strikes_references=True, severities=GRAVE
    ),
    "numbers on every line": InFile(
        "unusual-beginnings", _on_every_line(lambda text, number: f"{number + 1}. {text}"), severities=GRAVE
    ),
    "a word on every line": InFile(
        "unusual-beginnings", _on_every_line(lambda text, _: f"Result {text}"), severities=GRAVE
    ),
    "no full stop at the end": InFile(
        "unusual-endings", _on_every_line(lambda text, _: text.rstrip(".。")), severities=GRAVE
    ),
    "words in reverse order": InFile(
        "reversed-words", _on_every_line(lambda text, _: " ".join(text.split()[::-1]) if " " in text else text)
    ),
    "no blanks": InFile("unusual-spacing", _on_every_line(lambda text, _: text.replace(" ", ""))),
    "scores instead of texts": InFile("no-text", _on_every_line(lambda text, number: f"{len(text) % 97 / 97:.4f}")),
    "reference less a word": InFile("near-references", _reference_less_a_word, severities=GRAVE),
    "partly of another system": InFile("partial-copies", _partly_of_another, severities=GRAVE),
    "misspelt": InFile("unknown-words", _misspelt, severities=GRAVE),
    "misspelt reference": InFile("unknown-words", _misspelt, strikes_references=True, severities=GRAVE),
    "invention": InSegments(
        "unrelated-outputs", _invented, lambda place: min(len(t.split()) for t in place.references) >= 10
    ),
    "empty lines": InSegments("empty-lines", _one_of([""])),
    "line written twice": InSegments("duplicated-lines", lambda place, _: place.before.text, _differs_from_line_before),
    "source copied": InSegments("copied-source", lambda place, _: place.source or place.text, _is_translated),
    "reference copied": InSegments("copied-reference", lambda place, _: place.references[0], _is_long),
    "another script": InSegments("wrong-script", _in_another_script),
    "unlikely length": InSegments("length-outliers", _resized, _is_long),
    "cut off": InSegments("truncated-outputs", _cut, _is_long),
    "last sentence dropped": InSegments("truncated-outputs", _without_last_sentence, _has_several_sentences),
    "loop": InSegments("repetition-loops", _loop, lambda place: len(place.text.split()) > 1),
    "refusal": InSegments("refusals", _one_of(REFUSALS)),
    "preamble": InSegments("preambles", _around(PREAMBLES)),
    "preamble, fitted": InSegments("preambles", _around(OTHER_PREAMBLES[::2])),
    "preamble, held out": InSegments("preambles", _around(OTHER_PREAMBLES[1::2])),
    "note": InSegments("notes", _around(NOTES)),
    "note, fitted": InSegments("notes", _around(OTHER_NOTES[::2])),
    "note, held out": InSegments("notes", _around(OTHER_NOTES[1::2])),
    "several variants": InSegments("variants", _several, _is_long),
    "quotation marks": InSegments("quoted-outputs", _around(QUOTES), _may_be_quoted),
    "Markdown": InSegments("markup", _around(MARKUP)),
    "token of a model": InSegments("special-tokens", _around(SPECIAL_TOKENS)),
    "role token": InSegments("special-tokens", _around(ROLE_TOKENS)),
    "byte tokens": InSegments("special-tokens", _as_bytes),
    "bullet": InSegments("markup", _around(BULLETS), _has_no_list),
    "pieces of words": InSegments("subword-marks", _in_pieces),
    "escapes": InSegments("escaped-text", _escaped),
    "tokenised": InSegments(
        "tokenised-text",
        lambda place, _: _BEFORE_PUNCTUATION.sub(" ", place.text),
        lambda place: bool(re.search(r"\w[.,](?:\s|$)", place.text)),
    ),
    "brackets of the Penn Treebank": InSegments("tokenised-text", _in_ptb),
    "blank before commas": InSegments("tokenised-text", _blank_before_comma),
    "read as Latin-1": InSegments(
        "wrong-decoding", lambda place, _: place.text.encode().decode("cp1252", errors="replace")
    ),
    "lost characters": InSegments("replacement-characters", _at_a_random_place("\ufffd")),
    "decomposed letters": InSegments("mixed-normal-forms", lambda place, _: unicodedata.normalize("NFD", place.text)),
    "byte-order mark": InSegments("byte-order-marks", _at_a_random_place("\ufeff")),
    "NUL": InSegments("control-characters", _at_a_random_place("\0")),
    "U+2028": InSegments("line-separators", _at_a_random_place("\u2028")),
    "lower-cased": InSegments("letter-case", lambda place, _: place.text.lower()),
    "all in capitals": InSegments("letter-case", lambda place, _: place.text.upper(), _is_long),
    "no punctuation": InSegments("missing-punctuation", _without_marks),
    "no accents": InSegments("missing-accents", _without_accents, _has_accents),
    "other digits": InSegments("changed-numbers", _other_digits(100)),
    "one other digit": InSegments("changed-numbers", _other_digits(1)),
    "number added": InSegments("changed-numbers", _number_added),
    "number dropped": InSegments("changed-numbers", _number_dropped),
    "another name": InSegments("changed-names", _other_name),
    "names swapped": InSegments("changed-names", _names_swapped),
    "HTML tags": InSegments("html-tags", _tagged),
    "soft hyphens": InSegments("invisible-characters", _in_words("\u00ad")),
    "zero-width blanks": InSegments("invisible-characters", _in_words("\u200b")),
    "look-alike letters": InSegments("look-alike-letters", _look_alikes(100)),
    "one look-alike letter": InSegments("look-alike-letters", _look_alikes(1)),
    "full-width letters": InSegments("full-width-letters", _in_full_width),
    "source before it": InSegments("source-words", lambda place, _: f"{place.source} {place.text}", _is_translated),
    "half left untranslated": InSegments("source-words", _half_left, _is_long),
    "four words left": InSegments("source-words", _source_words_left, _is_translated),
    "another language": InSegments("another-language", _in_another_language),
    "outer blanks": InSegments("outer-white-space", _around(("{} ", " {}", "\t{}", "{}\u00a0"))),
}
EVERYWHERE = (
    "lower-cased",
    "no punctuation",
    "no accents",
    "other digits",
    "HTML tags",
    "soft hyphens",
    "zero-width blanks",
    "look-alike letters",
    "full-width letters",
    "source before it",
    "half left untranslated",
)
FAULTS |= {
    f"{name}, everywhere": replace(fault, shares=(1.0, 1.0))
    for name in EVERYWHERE
    if isinstance(fault := FAULTS[name], InSegments)
}


def _lines(path: Path) -> Texts:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "data", nargs="*", type=Path, help="folders or files of a test set each; the sample unless given"
    )
    parser.add_argument("--rounds", type=int, default=10, help="how many times each fault is planted")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shares", type=float, nargs="+", help="of segments that are struck: one, or least and most")
    parser.add_argument("--show", type=int, default=0, help="print so many of the texts that were judged wrongly")
    parser.add_argument("--confirmed", type=Path, help="TSV of findings in the texts as they are that a look confirmed")
    parser.add_argument("--only", nargs="*", choices=FAULTS, metavar="FAULT", help="these faults alone")
    return parser.parse_args()


if __name__ == "__main__":
    main()
