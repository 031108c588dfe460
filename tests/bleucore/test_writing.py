"""How texts are written, and which tokenizer they need."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bleucore.tokens.tokenizer_choice import CUT_AT_BLANKS, TOKENIZERS_OF_LANGUAGES, proposed_tokenizer
from bleucore.tokens.tokenizers import tokenize
from bleucore.tokens.writing import NOT_SURELY_LATIN, SEVERAL, SINGLY, writing_of

CHINESE = "昨天晚上，市议会讨论了是否应该修复那座旧桥。"
JAPANESE = "昨夜、市議会は古い橋を修復すべきかどうかを議論しました。"
KOREAN = "어젯밤 시의회는 오래된 다리를 보수해야 하는지 논의했습니다."
ENGLISH = "Last night the council discussed whether the old bridge should be restored."

UNSPACED = {
    "Thai": "เมื่อคืนนี้สภาเมืองได้หารือกันว่าควรซ่อมแซมสะพานเก่าหรือไม่",
    "Lao": "ຄືນວານນີ້ສະພາເມືອງໄດ້ປຶກສາຫາລືກັນວ່າຄວນສ້ອມແປງຂົວເກົ່າຫຼືບໍ່",
    "Khmer": "យប់មិញក្រុមប្រឹក្សាក្រុងបានពិភាក្សាថាតើគួរជួសជុលស្ពានចាស់ឬអត់",
    "Burmese": "မနေ့ညက မြို့တော်ကောင်စီသည် တံတားဟောင်းကို ပြုပြင်သင့်မသင့် ဆွေးနွေးခဲ့သည်။",
    "Tibetan": "མདང་དགོང་གྲོང་ཁྱེར་ལྷན་ཚོགས་ཀྱིས་ཟམ་པ་རྙིང་པ་ཉམས་གསོ་བྱེད་དགོས་མིན་གྲོས་བསྡུར་བྱས།",
    "Javanese": "ꦩꦲꦶꦭꦔꦶꦏꦸꦠꦥꦿꦪꦗꦩꦤ꧀ꦭꦩꦶꦤ",
}
SPACED = {
    "English": ENGLISH,
    "Greek": "Χθες το βράδυ το συμβούλιο συζήτησε αν πρέπει να επισκευαστεί η παλιά γέφυρα.",
    "Arabic": "ناقش المجلس الليلة الماضية ما إذا كان ينبغي ترميم الجسر القديم.",
    "Hindi": "कल रात परिषद ने चर्चा की कि पुराने पुल की मरम्मत होनी चाहिए या नहीं।",
    "Amharic": "ትናንት ማታ ምክር ቤቱ አሮጌው ድልድይ መጠገን እንዳለበት ተወያየ።",
    "Vietnamese": "Tối qua hội đồng đã thảo luận có nên sửa chữa cây cầu cũ hay không.",
    "Greenlandic": "Unnuk kommunalbestyrelsip ikaartarfitoqaq iluarsaanneqassanersoq oqallisigaa.",
    "Georgian": "წუხელ საბჭომ განიხილა, უნდა შეკეთდეს თუ არა ძველი ხიდი.",
    "Sakha": "Бэҕэһээ киэһэ сэбиэт эргэ муостаны өрөмүөннүүр туһунан дьүүллэспит.",
}


@pytest.mark.parametrize(
    ("text", "language", "tokenizer"),
    [
        (CHINESE, "Chinese", "zh"),
        (JAPANESE, "Japanese", "ja-mecab"),
        (KOREAN, "Korean", "ko-mecab"),
        *((text, language, "char") for language, text in UNSPACED.items()),
    ],
)
def test_scripts_without_blanks_and_korean_get_a_tokenizer_of_their_own(text, language, tokenizer):
    proposal = proposed_tokenizer([[text] * 3])
    assert proposal is not None
    assert (proposal.writing.language, proposal.suitable, proposal.tokenizer) == (language, tokenizer, tokenizer)
    assert proposal.writing.share > 0.9
    assert proposal.accepts(proposal.tokenizer)


@pytest.mark.parametrize("language", UNSPACED)
def test_no_tokenizer_that_cuts_at_blanks_is_accepted_for_them(language):
    proposal = proposed_tokenizer([[UNSPACED[language]]])
    assert proposal is not None
    assert not any(proposal.accepts(tokenizer) for tokenizer in (*CUT_AT_BLANKS, "zh"))
    assert all(proposal.accepts(tokenizer) for tokenizer in ("char", "flores200", "spm"))


@pytest.mark.parametrize("text", SPACED.values(), ids=SPACED)
def test_words_with_blanks_between_them_get_no_proposal(text):
    assert proposed_tokenizer([[text] * 3]) is None


@pytest.mark.parametrize("texts", [[], [""], [None], ["   "], ["1 2 3", "…"]])
def test_texts_without_letters_get_no_proposal(texts):
    assert proposed_tokenizer([texts]) is None
    assert proposed_tokenizer([]) is None


def test_korean_has_blanks_and_every_tokenizer_is_accepted_for_it():
    proposal = proposed_tokenizer([[KOREAN]])
    assert proposal is not None
    assert proposal.writing.has_blanks
    assert proposal.accepts("13a")


def test_mixed_scripts_are_decided_by_share():
    half = writing_of([[CHINESE, ENGLISH]])
    assert half is not None
    assert half.language == "Chinese"
    assert 0.5 < half.share < 0.8
    assert writing_of([[CHINESE, *[ENGLISH] * 20]]) is None
    assert writing_of([["The word 桥 is Chinese for bridge, and 橋 is its older form."]]) is None
    technical = writing_of([["使用 PyTorch 训练 Transformer 模型，参见 README.md 的 Installation 部分。"]])
    assert technical is not None
    assert technical.language == "Chinese"


def test_a_language_leads_with_four_fifths_of_the_characters_or_there_are_several():
    texts = [CHINESE, JAPANESE, UNSPACED["Thai"]]
    proposal = proposed_tokenizer([texts])
    assert proposal is not None
    assert (proposal.writing.language, proposal.tokenizer) == (SEVERAL, "char")
    assert not proposal.accepts("zh")
    mostly = writing_of([[CHINESE] * 9 + [JAPANESE]])
    assert mostly is not None
    assert mostly.language == "Chinese"


def test_stray_kana_does_not_make_chinese_japanese_and_names_in_han_do_not_make_japanese_chinese():
    stray = writing_of([["这家店叫做花の屋，位于城市中心的一条安静的小街上，周末总是坐满了人。"] * 2])
    assert stray is not None
    assert stray.language == "Chinese"
    names = writing_of([[JAPANESE] * 5 + ["東京都", "国立博物館"]])
    assert names is not None
    assert names.language == "Japanese"


def test_blanks_that_a_program_put_between_words_are_seen():
    thai = "เมื่อ คืน นี้ สภา เมือง ได้ หารือ กัน ว่า ควร ซ่อมแซม สะพาน เก่า หรือ ไม่"
    assert proposed_tokenizer([[thai]]) is None
    proposal = proposed_tokenizer([["昨天 晚上 ， 市议会 讨论 了 是否 应该 修复 那 座 旧 桥 。"]])
    assert proposal is not None
    assert proposal.writing.has_blanks
    assert proposal.tokenizer == "zh"


def test_a_script_that_no_list_has_is_known_by_its_long_words():
    hieroglyphs = "𓂋𓏤𓈖𓆎𓅓𓏏𓊖" * 5
    assert writing_of([[hieroglyphs]]) is not None
    assert writing_of([["Donaudampfschifffahrtsgesellschaftskapitän ist ein langes deutsches Wort."]]) is None


def test_long_test_sets_are_looked_at_evenly():
    found = writing_of([[ENGLISH] * 10_000 + [CHINESE] * 30_000])
    assert found is not None
    assert found.share == pytest.approx(writing_of([[ENGLISH] * 100 + [CHINESE] * 300]).share, abs=0.01)


@pytest.mark.parametrize("language", TOKENIZERS_OF_LANGUAGES)
def test_the_tokenizer_of_a_language_cuts_its_text_where_13a_does_not(language):
    text = {"Chinese": CHINESE, "Japanese": JAPANESE, "Korean": KOREAN}[language]
    by_words, by_its_own = (tokenize([text], name) for name in ("13a", TOKENIZERS_OF_LANGUAGES[language]))
    assert by_its_own.lengths[0] > by_words.lengths[0]


@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_text_is_either_left_to_13a_or_gets_a_tokenizer_that_works(texts):
    proposal = proposed_tokenizer([texts])
    if proposal is not None:
        assert 0 < proposal.writing.share <= 1
        assert proposal.accepts(proposal.tokenizer)
        assert len(tokenize(texts, proposal.tokenizer).lengths) == len(texts)


def test_no_other_script_is_looked_for_among_letters_that_are_latin():
    others = regex.compile(rf"(?V1){SINGLY}|[[\p{{L}}\p{{M}}]--\p{{Latin}}]")
    passed_over = NOT_SURELY_LATIN.sub("", "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000)))))
    assert len(passed_over) > 1_000
    assert others.search(passed_over) is None
