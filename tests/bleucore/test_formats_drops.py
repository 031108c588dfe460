"""Whole drops with the names that people give: roles, names and titles come out right without a correction."""

import pytest

from bleucore.formats import assemble
from bleucore.formats.columns import Column
from bleucore.formats.names import stem
from bleucore.formats.roles import guess
from bleucore.formats.titles import common_title

# Subjects, verbs and objects; two words of a cell mean the same, and outputs choose among them.
WORDS = {
    "en": (
        "the teacher|the old teacher,my neighbour|our neighbour,the doctor|a doctor,the small child|the little child",
        "buys|purchases,forgets|loses,finds|discovers,paints|draws,sells|gives away",
        "the red house today|a red house today,seven green apples|seven apples,the long letter|that letter",
    ),
    "de": (
        "die Lehrerin|die alte Lehrerin,mein Nachbar|unser Nachbar,der Arzt|ein Arzt,das kleine Kind|das Kind",
        "kauft|erwirbt,vergisst|verliert,findet|entdeckt,malt|zeichnet,verkauft|verschenkt",
        "heute das rote Haus|heute ein rotes Haus,sieben grüne Äpfel|sieben Äpfel,den langen Brief|jenen Brief",
    ),
    "ru": (
        "учитель|старый учитель,мой сосед|наш сосед,врач|один врач,маленький ребёнок|ребёнок",
        "покупает|приобретает,забывает|теряет,находит|обнаруживает,рисует|пишет,продаёт|отдаёт",
        "красный дом сегодня|один дом сегодня,семь зелёных яблок|семь яблок,длинное письмо|это письмо",
    ),
    "zh": (
        "老师|老教师,我的邻居|我们的邻居,医生|一位大夫,小孩子|那个孩子",
        "购买|买了,忘记|丢了,找到|发现了,画|描绘,卖掉|送出",
        "今天那座红房子|今天一座红色的房子,七个绿苹果|七个苹果,那封长信|一封信",
    ),
    "ja": (
        "先生は|年老いた教師は,私の隣人は|隣の人は,医者は|ある医師は,小さな子供は|子どもは",
        "買います|購入します,忘れます|なくします,見つけます|発見します,描きます|書きます,売ります|譲ります",
        "今日赤い家を|きょう赤い家屋を,七つの緑のりんごを|りんごを七つ,長い手紙を|その手紙を",
    ),
    "ar": (
        "المعلم|المعلم العجوز,جاري|جارنا,الطبيب|طبيب,الطفل الصغير|الطفل",
        "يشتري|يبتاع,ينسى|يفقد,يجد|يكتشف,يرسم|يلون,يبيع|يهدي",
        "البيت الأحمر اليوم|بيتا أحمر اليوم,سبع تفاحات خضراء|سبع تفاحات,الرسالة الطويلة|تلك الرسالة",
    ),
    "th": (
        "ครู|คุณครู,เพื่อนบ้านของฉัน|เพื่อนบ้าน,หมอ|แพทย์,เด็กเล็ก|เด็ก",
        "ซื้อ|จัดซื้อ,ลืม|ทำหาย,พบ|ค้นพบ,วาด|เขียน,ขาย|ให้",
        "บ้านสีแดงวันนี้|บ้านแดงวันนี้,แอปเปิลเขียวเจ็ดลูก|แอปเปิลเจ็ดลูก,จดหมายยาว|จดหมายนั้น",
    ),
}
N_SEGMENTS = 60


def text(language, seed):
    """Sixty short sentences; another seed chooses other words for the same."""
    subjects, verbs, objects = (column.split(",") for column in WORDS[language])
    state, sentences = 7919 * (seed + 1), []
    for number in range(N_SEGMENTS):
        words = []
        for place, cells in enumerate((subjects, verbs, objects)):
            state = (state * 1103515245 + 12345) % 2**31
            variants = cells[(number // (1, 4, 20)[place]) % len(cells)].split("|")
            words.append(variants[state // 4096 % 2])
        sentences.append(("" if language in ("zh", "th") else " ").join(words) + ".")
    return tuple(sentences)


def column_of(path, role, language, seed):
    """A column as the readers give it: "file#title" is a column of a table."""
    file, _, title = path.partition("#")
    source, target = language.split("-")
    segments = {
        "source": lambda: text(source, 0),
        "documents": lambda: tuple(f"news.{number // 6}" for number in range(N_SEGMENTS)),
        "label": lambda: tuple(("news", "social", "chat")[number % 3] for number in range(N_SEGMENTS)),
        "ignore": lambda: tuple(f"{number / 7:.3f}" for number in range(N_SEGMENTS)),
    }.get(role, lambda: text(target, seed))
    return Column(file, title or stem(file), None, segments(), None, 1, is_cell=bool(title))


# Each drop: what it is | languages | its title, then a line for each file: path | role | name.
DROPS = """
WMT22 as released | de-en | WMT22 cs-en
generaltest2022.cs-en.hyp.CUNI-DocTransformer.en | hypothesis | CUNI-DocTransformer
generaltest2022.cs-en.hyp.Online-W.en | hypothesis | Online-W
generaltest2022.cs-en.ref.B.en | reference | reference B
generaltest2022.cs-en.ref.C.en | reference | reference C
generaltest2022.cs-en.src.cs | source |

WMT21 newstest, outputs named last | de-en | WMT21 de-en
newstest2021.de-en.Online-B.en | hypothesis | Online-B
newstest2021.de-en.Facebook-AI.en | hypothesis | Facebook-AI
newstest2021.de-en.ref.ref-A.en | reference | reference A
newstest2021.de-en.src.de | source |

WMT21 FLORES | en-de | FLORES en-de
florestest2021.en-de.hyp.Online-B.de | hypothesis | Online-B
florestest2021.en-de.hyp.GTCOM.de | hypothesis | GTCOM
florestest2021.en-de.ref.A.de | reference | reference A
florestest2021.en-de.src.en | source |

WMT25 terminology, JSON Lines of languages | en-de | en-de
BIT.ende.noterm.jsonl#en | source |
BIT.ende.noterm.jsonl#de | hypothesis | BIT
LC-3.ende.noterm.jsonl#de | hypothesis | LC-3
duterm.ende.noterm.jsonl#de | hypothesis | duterm
references/full.ende.jsonl#de | reference | reference

Names of settings | en-de | examples
examples.model=bloom.shots=1.timestamp=2022-10-30T08_17_13.tsv#pred | hypothesis | bloom
examples.model=mt0-xxl.shots=1.timestamp=2023-02-09T08_15_39.tsv#pred | hypothesis | mt0-xxl
examples.model=mt0-xxl.shots=1.timestamp=2023-02-09T08_15_39.tsv#target | reference | reference

Names of two settings | en-de |
run,lr=1e-4,beam=4.txt | hypothesis | lr=1e-4 beam=4
run,lr=1e-4,beam=8.txt | hypothesis | lr=1e-4 beam=8
run,lr=3e-4,beam=8.txt | hypothesis | lr=3e-4 beam=8
ref.txt | reference | reference

WMT21 release of outputs | en-de | WMT21 en-de
newstest2021.en-de.hyp.Nemo.de | hypothesis | Nemo
newstest2021.en-de.hyp.HuaweiTSC.de | hypothesis | HuaweiTSC
newstest2021.en-de.ref.A.de | reference | reference A
newstest2021.en-de.src.en | source |

Old newstest names | de-en | WMT14 de-en
newstest2014-deen-ref.en | reference | reference
newstest2014-deen-src.de | source |
newstest2014.uedin-syntax.3035.de-en | hypothesis | uedin-syntax.3035
newstest2014.online-B.0.de-en | hypothesis | online-B.0

mt-metrics-eval folders | en-de | en-de
system-outputs/en-de/GPT4-5shot.txt | hypothesis | GPT4-5shot
system-outputs/en-de/ONLINE-W.txt | hypothesis | ONLINE-W
references/en-de.refA.txt | reference | reference A
sources/en-de.txt | source |
documents/en-de.docs | documents |

mt-metrics-eval with the year above | en-ru | WMT23 en-ru
wmt23/system-outputs/en-ru/NLLB_Greedy.txt | hypothesis | NLLB_Greedy
wmt23/system-outputs/en-ru/PROMT.txt | hypothesis | PROMT
wmt23/references/en-ru.refA.txt | reference | reference A
wmt23/sources/en-ru.txt | source |

Only endings tell | de-en | de-en
hyp.en | hypothesis | hyp
ref.en | reference | reference
src.de | source |

Version after version | de-en |
model-v1.txt | hypothesis | model-v1
model-v2_final.txt | hypothesis | model-v2_final
model-v2.txt | hypothesis | model-v2
ref.txt | reference | reference
src.txt | source |

Endings that are roles | de-en |
sys1.out | hypothesis | sys1
sys2.out | hypothesis | sys2
test.ref | reference | reference
test.src | source |

German names | de-en |
Übersetzung 1.txt | hypothesis | Übersetzung 1
Übersetzung 2.txt | hypothesis | Übersetzung 2
Referenz.txt | reference | reference
Quelle.txt | source |

pred, gold, src | de-en |
pred.txt | hypothesis | pred
gold.txt | reference | reference
src.txt | source |

fairseq | de-en |
modelA/generate-test.txt | hypothesis | modelA
modelB/generate-test.txt | hypothesis | modelB
ref.txt | reference | reference

Processed | en-de |
test.hyp.tok | hypothesis | hyp
test.ref.tok | reference | reference
test.src.tok | source |

One output by language | en-de | en-de
output.de | hypothesis | output
reference.de | reference | reference
source.en | source |

Language models | en-de |
translations_gpt-4o.txt | hypothesis | gpt-4o
translations_claude-3.txt | hypothesis | claude-3
translations_llama-3.1-70B.txt | hypothesis | llama-3.1-70B
reference.txt | reference | reference
source.txt | source |

FLORES codes | en-de | FLORES eng-deu
nllb-200-3.3B.eng_Latn-deu_Latn.txt | hypothesis | nllb-200-3.3B
nllb-200-600M.eng_Latn-deu_Latn.txt | hypothesis | nllb-200-600M
flores.devtest.deu_Latn | reference | reference
flores.devtest.eng_Latn | source |

Chinese names | en-zh |
系统A.txt | hypothesis | 系统A
系统B.txt | hypothesis | 系统B
参考译文.txt | reference | reference
原文.txt | source |

Japanese names | en-ja |
システム1.txt | hypothesis | システム1
システム2.txt | hypothesis | システム2
参照訳.txt | reference | reference
原文.txt | source |

Arabic names | en-ar |
ترجمة 1.txt | hypothesis | ترجمة 1
ترجمة 2.txt | hypothesis | ترجمة 2
مرجع.txt | reference | reference
مصدر.txt | source |

Russian names | en-ru |
перевод_яндекс.txt | hypothesis | яндекс
перевод_промт.txt | hypothesis | промт
эталон.txt | reference | reference
оригинал.txt | source |

A Hugging Face dump | en-de | predictions
predictions.tsv#source | source |
predictions.tsv#prediction | hypothesis | prediction
predictions.tsv#reference | reference | reference

A dump of several models | en-de | results
results.csv#id | ignore |
results.csv#src_text | source |
results.csv#ref_text | reference | reference
results.csv#hyp_nllb | hypothesis | nllb
results.csv#hyp_gpt4 | hypothesis | gpt4
results.csv#domain | label | domain

A spreadsheet | de-en | Bewertung
Bewertung.csv#Quelle | source |
Bewertung.csv#Referenz | reference | reference
Bewertung.csv#DeepL | hypothesis | DeepL
Bewertung.csv#Google | hypothesis | Google

A table with documents and scores | en-de | all
all.tsv#docId | documents |
all.tsv#sourceText | source |
all.tsv#refText | reference | reference
all.tsv#Online-A | hypothesis | Online-A
all.tsv#COMET score | ignore |

Two tables with the same column | en-de |
gpt4.tsv#prediction | hypothesis | gpt4
nllb.tsv#prediction | hypothesis | nllb
ref.txt | reference | reference

System names with role words | en-de |
Refined-NMT.txt | hypothesis | Refined-NMT
SourceTech.txt | hypothesis | SourceTech
ReferenceMT-hyp.txt | hypothesis | ReferenceMT-hyp
human.ref.txt | reference | reference human
english.src.txt | source |

Checkpoints | en-de |
checkpoint-10k.txt | hypothesis | checkpoint-10k
checkpoint-20k.txt | hypothesis | checkpoint-20k
checkpoint-100k.txt | hypothesis | checkpoint-100k
ref.txt | reference | reference

A common beginning of all | en-de | news
news_src.txt | source |
news_ref.txt | reference | reference
news_gpt4.txt | hypothesis | gpt4
news_nllb.txt | hypothesis | nllb

Letters must not be all that is left | en-de |
online-A.txt | hypothesis | online-A
online-B.txt | hypothesis | online-B
ref.A.txt | reference | reference A
ref.B.txt | reference | reference B
source.txt | source |

MT and references by number | de-en |
mt1.txt | hypothesis | mt1
mt2.txt | hypothesis | mt2
ref0.txt | reference | reference 0
ref1.txt | reference | reference 1
src.txt | source |

Pair and one language | de-en | de-en
test.de-en.de | source |
test.de-en.en | reference | reference
deepl.de-en.en | hypothesis | deepl
google.de-en.en | hypothesis | google

Source by content | de-en |
alpha.txt | hypothesis | alpha
beta.txt | hypothesis | beta
gamma-reference.txt | reference | reference gamma
delta.txt | source |

IWSLT | en-de | IWSLT23 en-de
IWSLT23.tst2023.en-de.kit.txt | hypothesis | kit
IWSLT23.tst2023.en-de.hw-tsc.txt | hypothesis | hw-tsc
IWSLT23.tst2023.en-de.ref.txt | reference | reference
IWSLT23.tst2023.en-de.src.txt | source |

OPUS-MT release | en-de | WMT20 en-de
newstest2020.en-de.opus-mt.txt | hypothesis | opus-mt
newstest2020.en-de.marian-big.txt | hypothesis | marian-big
newstest2020.en-de.ref | reference | reference
newstest2020.en-de.src | source |

Marian | en-de |
dev.out.beam6 | hypothesis | beam6
dev.out.beam12 | hypothesis | beam12
dev.ref | reference | reference
dev.src | source |

OpenNMT tutorial | en-de |
pred_1000.txt | hypothesis | pred_1000
pred_2000.txt | hypothesis | pred_2000
tgt-test.txt | reference | reference
src-test.txt | source |

Moses | de-en | WMT11 de-en
newstest2011.output.detok.en | hypothesis | output
newstest2011.ref.en | reference | reference
newstest2011.src.de | source |

Folders by role, names by set | de-en | WMT19 de-en
hyps/newstest2019.de-en.txt | hypothesis | newstest2019.de-en
refs/newstest2019.de-en.txt | reference | reference
srcs/newstest2019.de-en.txt | source |

Two runs of one name | en-de |
run1/hyp.txt | hypothesis | run1
run2/hyp.txt | hypothesis | run2
data/ref.txt | reference | reference
data/src.txt | source |

Target and output | en-de |
input.txt | source |
output.txt | hypothesis | output
target.txt | reference | reference

Thai | en-th | en-th
google.en-th.th | hypothesis | google
baidu.en-th.th | hypothesis | baidu
ref.en-th.th | reference | reference
src.en-th.en | source |

WMT XML named twice | en-de | WMT22 en-de
wmttest2022.en-de.src.en | source |
wmttest2022.en-de.ref.A.de | reference | reference A
wmttest2022.en-de.hyp.PROMT.de | hypothesis | PROMT

Case | en-de |
HYP_Base.TXT | hypothesis | Base
HYP_Large.TXT | hypothesis | Large
REF.TXT | reference | reference
SRC.TXT | source |

Blanks | en-de |
my system output.txt | hypothesis | my system
human reference.txt | reference | reference human
source text.txt | source |

Domains beside | en-de |
hyp.txt | hypothesis | hyp
ref.txt | reference | reference
domains.txt | label | domains
docids.txt | documents |

Scores beside | en-de |
outputs/deepl.txt | hypothesis | deepl
outputs/nllb.txt | hypothesis | nllb
references/ref.txt | reference | reference
scores/deepl.score | ignore |

A Hugging Face translation set | en-de | data en-de
data.csv#en | source |
data.csv#de | reference | reference
data.csv#prediction | hypothesis | prediction

Labels as references | en-de |
inputs.txt | source |
labels.txt | reference | reference
preds.txt | hypothesis | preds

WMT24 names | en-de | WMT24 en-de
wmttest2024.en-de.hyp.Claude-3.5.de | hypothesis | Claude-3.5
wmttest2024.en-de.hyp.Unbabel-Tower70B.de | hypothesis | Unbabel-Tower70B
wmttest2024.en-de.ref.refA.de | reference | reference A
wmttest2024.en-de.src.en | source |

WMT23 folders | en-de | WMT23 en-de
txt/system-outputs/generaltest2023.en-de.hyp.GPT4-5shot.de | hypothesis | GPT4-5shot
txt/system-outputs/generaltest2023.en-de.hyp.ZengHuiMT.de | hypothesis | ZengHuiMT
txt/references/generaltest2023.en-de.ref.refA.de | reference | reference A
txt/sources/generaltest2023.en-de.src.en | source |

Korean words | en-ja |
번역_a사.txt | hypothesis | a사
번역_b사.txt | hypothesis | b사
참조.txt | reference | reference
원문.txt | source |

French names | de-en |
traduction_deepl.txt | hypothesis | deepl
traduction_systran.txt | hypothesis | systran
référence.txt | reference | reference
source.txt | source |

Spanish names | de-en |
traduccion-final.txt | hypothesis | traduccion-final
referencia.txt | reference | reference
fuente.txt | source |

T5 runs | en-de | en-de
t5-small.en2de.pred | hypothesis | t5-small
t5-base.en2de.pred | hypothesis | t5-base
wmt.en2de.gold | reference | reference
wmt.en2de.source | source |

Dates | en-de |
2024-05-01_baseline.txt | hypothesis | 2024-05-01_baseline
2024-05-03_finetuned.txt | hypothesis | 2024-05-03_finetuned
reference.txt | reference | reference

Bilingual names | en-de |
deu_hyp.txt | hypothesis | deu_hyp
deu_ref.txt | reference | reference
eng_src.txt | source |

Hypotheses by letter | en-de |
hypA.txt | hypothesis | hypA
hypB.txt | hypothesis | hypB
refs.txt | reference | reference
sources.txt | source |

One system with a long name | en-de | WMT22 en-de
generaltest2022.en-de.hyp.OpenNMT.de | hypothesis | OpenNMT
generaltest2022.en-de.ref.A.de | reference | reference A

Compressed | en-de | WMT17 en-de
newstest2017.en-de.hyp.LIUM.de.gz | hypothesis | LIUM
newstest2017.en-de.hyp.uedin-nmt.de.gz | hypothesis | uedin-nmt
newstest2017.en-de.ref.de.gz | reference | reference

A folder for each system | en-de | exp
exp/transformer/test.out | hypothesis | transformer
exp/mamba/test.out | hypothesis | mamba
exp/test.ref | reference | reference
exp/test.src | source |

Post-edits | en-de |
mt.txt | hypothesis | mt
pe_reference.txt | reference | reference pe
source.txt | source |

Google Docs | en-de |
Copy of source.txt | source |
Copy of reference.txt | reference | reference
Copy of DeepL.txt | hypothesis | DeepL
Copy of Google.txt | hypothesis | Google

Names with brackets | en-de |
output (1).txt | hypothesis | output (1)
output (2).txt | hypothesis | output (2)
reference.txt | reference | reference

Tatoeba | en-de | Tatoeba eng-deu
Tatoeba.test.eng | source |
Tatoeba.test.deu | reference | reference
Tatoeba.test.deu.opus | hypothesis | opus
Tatoeba.test.deu.nllb | hypothesis | nllb

A gold system beside | en-de |
Gold-Translator.txt | hypothesis | Gold-Translator
Silver-Translator.txt | hypothesis | Silver-Translator
ref.txt | reference | reference

Simplification | en-en |
complex.source.txt | source |
simple.reference.txt | reference | reference simple
muss.txt | hypothesis | muss
access.txt | hypothesis | access

Table by hand | en-ru | report
report.tsv#Source (EN) | source |
report.tsv#Reference (RU) | reference | reference
report.tsv#MT1 | hypothesis | MT1
report.tsv#MT2 | hypothesis | MT2
"""
CASES = [drop.strip("\n").split("\n") for drop in DROPS.split("\n\n")]


def expected(lines):
    _, languages, title = (cell.strip() for cell in lines[0].split("|"))
    rows = [[cell.strip() for cell in line.split("|")] for line in lines[1:]]
    return languages, title or None, rows


@pytest.mark.parametrize("lines", [pytest.param(lines, id=lines[0].split("|")[0].strip()) for lines in CASES])
def test_a_drop_needs_no_correction(lines):
    languages, title, rows = expected(lines)
    dropped = [column_of(path, role, languages, seed) for seed, (path, role, _) in enumerate(rows, start=1)]
    found = guess(dropped)
    assert [column.role for column in found.columns] == [role for _, role, _ in rows]
    assert [column.name for column, (_, _, name) in zip(found.columns, rows, strict=True) if name] == [
        name for _, _, name in rows if name
    ]
    assert common_title(found.columns) == title
    assert found.reference_by is None
    assert len(assemble(found.columns).systems) == sum(role == "hypothesis" for _, role, _ in rows)


def test_there_are_drops_enough():
    assert len(CASES) >= 60
    assert all(len(lines) >= 3 for lines in CASES)


def test_an_output_that_is_hardly_a_translation_is_not_taken_for_the_reference():
    broken = tuple(" ".join([*sentence.split()[:4], "la", "lo", "lu"]) for sentence in text("de", 3))
    dropped = [Column(f"{name}.txt", name, None, text("de", seed), None, 1) for seed, name in enumerate("abc", 5)]
    found = guess([*dropped, Column("d.txt", "d", None, broken, None, 1)])
    assert found.columns[3].role == "hypothesis"
    assert found.reference_by == "content"
