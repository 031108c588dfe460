"""The tokenizer that a test set needs: proposed, said, taken back, kept in the address; and warned of by commands."""

import json
import re

import pytest

from bleucore import BleuOptions, System, TestSet
from bleucore.tokens.tokenizer_choice import TokenizerProposal
from bleucore.tokens.writing import SEVERAL, Writing
from bleuscope.content.comparison.comparison_context import checked, make_study
from bleuscope.content.comparison.inputs import Loaded, Settings
from bleuscope.content.comparison.tokenizer_words import tokenizer_line, tokenizer_warning
from bleuscope.content.significance.study_verdict import bleu_verdict
from bleuscope.shell.disk.files import upload_origin
from bleuscope.shell.state import cached

CHINESE = "昨天晚上，市议会讨论了{}次是否应该修复那座旧桥。"
THAI = "เมื่อคืนนี้สภาเมืองได้หารือกันว่าควรซ่อมแซมสะพานเก่า{}หรือไม่"
ENGLISH = "Last night the council discussed {} times whether to restore the old bridge ."
KOREAN = "어젯밤 시의회는 오래된 다리를 {} 번 보수해야 하는지 논의했습니다."
SENTENCES = [
    "เมื่อคืนนี้สภาเมืองได้หารือกันว่าควรซ่อมแซมสะพานเก่าหรือไม่",
    "พรุ่งนี้ครูจะพานักเรียนไปดูพิพิธภัณฑ์",
    "แมวสีดำนอนหลับอยู่บนหลังคา",
    "รถไฟขบวนนี้จะถึงเชียงใหม่ตอนเช้า",
    "ฝนตกหนักจนน้ำท่วมถนนหลายสาย",
    "ตลาดเช้าขายผลไม้สดและดอกไม้",
]
N = 6


def texts(pattern, start=0):
    return [pattern.format(start + number) for number in range(N)]


def files(pattern):
    columns = {"one.txt": texts(pattern, 2), "two.txt": texts(pattern, 1), "ref.txt": texts(pattern)}
    return {name: "\n".join([*lines, ""]) for name, lines in columns.items()}


def upload(pattern):
    """Texts that the server holds, by the name that an address has for them."""
    test_set = TestSet([System("one", texts(pattern)), System("two", texts(pattern, 1))], [texts(pattern)])
    loaded = Loaded(test_set, "Upload of 2 systems", upload_origin(test_set))
    cached.keep_upload(loaded)
    return loaded.origin


@pytest.fixture
def signature(signatures_of):
    """The signature of BLEU on the page of scores: ``signature(app)``."""
    return lambda app: next(one for one in signatures_of(app) if "tok:" in one)


def button(app):
    return next((one for one in app.button if one.key == "use-tokenizer"), None)


def said(app):
    captions = [re.sub(r"\\(.)", r"\1", caption.value) for caption in app.caption]
    return [caption for caption in captions if "Scored with" in caption or "scored with" in caption]


def alarms(app):
    return [html.proto.body for html in app.get("html") if "Look at the tokenizer first" in html.proto.body]


class TestDashboard:
    def test_proposes_before_the_first_score_says_why_and_names_it_in_the_address(self, open_page, signature):
        app = open_page("scores", files(CHINESE))
        assert "tok:zh" in signature(app)
        assert said(app) == [
            "The references are Chinese, written without blanks between words. "
            "Scored with zh, sacreBLEU's tokenizer for it."
        ]
        assert app.query_params["tok"] == "zh"
        assert not alarms(app)

    def test_one_click_takes_it_back_and_another_one_takes_it_up_again(self, open_page, signature):
        app = open_page("scores", files(CHINESE))
        assert button(app).label == "Score with 13a"
        button(app).click().run()
        assert "tok:13a" in signature(app)
        assert not said(app)
        (alarm,) = alarms(app)
        assert "Score with the tokenizer zh, or with char." in alarm
        assert "wrote clearly less" not in "".join(html.proto.body for html in app.get("html"))
        assert button(app).label == "Score with zh"
        button(app).click().run()
        assert "tok:zh" in signature(app)

    @pytest.mark.parametrize("tokenizer", ["13a", "char"])
    def test_a_choice_in_a_link_stays(self, open_link, tokenizer, signature):
        app = open_link("scores", data=upload(CHINESE), tok=tokenizer)
        assert f"tok:{tokenizer}" in signature(app)

    def test_junk_in_a_link_is_as_good_as_nothing(self, open_link, signature):
        app = open_link("scores", data=upload(THAI), tok="junk")
        assert "tok:char" in signature(app)

    def test_texts_with_blanks_are_scored_as_ever_without_a_word(self, open_page, signature):
        app = open_page("scores", files(ENGLISH))
        assert "tok:13a" in signature(app)
        assert not said(app)
        assert button(app) is None
        assert "tok" not in app.query_params

    def test_the_next_test_set_gets_what_it_needs(self, open_page, signature):
        app = open_page("scores", files(CHINESE))
        app.switch_page("pages/test_set.py").run()
        next(one for one in app.button if one.key == "sample").click().run()
        app.switch_page("pages/scores.py").run()
        assert "tok:13a" in signature(app)
        assert "tok" not in app.query_params

    def test_a_choice_by_hand_stays_with_the_next_test_set(self, open_page, signature):
        app = open_page("scores", files(CHINESE))
        app.selectbox(key="tok").select("char").run()
        app.switch_page("pages/test_set.py").run()
        next(one for one in app.button if one.key == "sample").click().run()
        app.switch_page("pages/scores.py").run()
        assert "tok:char" in signature(app)

    @pytest.mark.parametrize("page", ["compare", "segments", "ngrams", "slices", "significance", "report"])
    def test_every_page_of_scores_warns_of_a_tokenizer_that_does_not_suit(self, open_link, page):
        app = open_link(page, data=upload(THAI), tok="13a")
        (alarm,) = alarms(app)
        assert "Thai is written without blanks between words" in alarm
        assert button(app).label == "Score with char"

    def test_the_page_of_the_texts_has_the_finding(self, open_link):
        app = open_link("test_set", data=upload(THAI), tok="13a")
        assert any("bs-finding-error" in html.proto.body and "Thai" in html.proto.body for html in app.get("html"))

    def test_verdicts_praise_nothing_as_those_of_commands_do_not(self, open_link):
        systems = [
            System("one", [f"{text}แล้ว" for text in SENTENCES]),
            System("two", [f"ที่จริง{text}" for text in SENTENCES]),
        ]
        test_set = TestSet(systems, [SENTENCES])
        loaded = Loaded(test_set, "Upload of 2 systems", upload_origin(test_set))
        cached.keep_upload(loaded)
        for tokenizer, needs_check in (("13a", True), ("char", False)):
            app = open_link("significance", data=loaded.origin, tok=tokenizer)
            shown = "".join(html.proto.body for html in app.get("html"))
            assert ("Check the texts first" in shown) == needs_check
            study = checked(make_study(test_set, Settings(options=BleuOptions(tokenizer=tokenizer))))
            assert (bleu_verdict(study).state == "check-texts") == needs_check

    def test_settings_of_another_tool_can_be_left_with_a_click(self, open_link, signature):
        app = open_link("scores", data=upload(CHINESE), preset="ibleu")
        assert alarms(app)
        button(app).click().run()
        assert "tok:zh" in signature(app)


class TestCommands:
    def test_keep_the_default_and_warn_in_a_line_and_in_json(self, bleuscope, tmp_path):
        for name, text in files(CHINESE).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        code, out, err = bleuscope("score", "one.txt", "two.txt", "-r", "ref.txt", "-f", "json")
        found = json.loads(out)
        assert code == 0
        assert "tok:13a" in found["signature"]
        (warning,) = found["warnings"]
        assert warning.endswith("score with --tokenize zh.")
        assert err == f"bleuscope: {warning}\n"

    @pytest.mark.parametrize("command", ["compare", "segments", "ngrams", "slices", "lint"])
    def test_all_warn(self, bleuscope, tmp_path, command):
        for name, text in files(THAI).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        code, out, err = bleuscope(command, "one.txt", "two.txt", "-r", "ref.txt", "-f", "json")
        assert code == 0
        said = [f"bleuscope: {warning}".replace("\u00a0", " ") for warning in json.loads(out)["warnings"]]
        assert sorted(err.splitlines()) == sorted(said)
        assert "--tokenize char" in err

    def test_of_one_pair_of_languages_sacrebleus_tokenizer_is_taken_without_a_warning(self, bleuscope, tmp_path):
        for name, text in files(CHINESE).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        _, out, err = bleuscope("score", "one.txt", "-r", "ref.txt", "-l", "en-zh", "-f", "json")
        assert ("tok:zh" in out, err, json.loads(out)["warnings"]) == (True, "", [])

    def test_say_what_korean_is_usually_scored_with(self, bleuscope, tmp_path):
        for name, text in files(KOREAN).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        assert "--tokenize ko-mecab" in bleuscope("score", "one.txt", "-r", "ref.txt")[2]

    def test_texts_with_blanks_are_scored_without_a_warning(self, bleuscope, tmp_path):
        for name, text in files(ENGLISH).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        _, out, err = bleuscope("compare", "one.txt", "two.txt", "-r", "ref.txt", "-f", "json")
        assert (json.loads(out)["warnings"], err) == ([], "")


def proposal(language, suitable, tokenizer=None, *, share=1.0, has_blanks=False):
    return TokenizerProposal(Writing(language, share, has_blanks), suitable, tokenizer or suitable)


class TestWords:
    def test_what_is_not_installed_is_said_with_how_to_get_it(self):
        line = tokenizer_line(proposal("Japanese", "ja-mecab", "char"), "char")
        assert line is not None
        assert "ja-mecab, is not installed (it needs the packages mecab-python3 and ipadic): scored with char" in line
        warning = tokenizer_warning(proposal("Japanese", "ja-mecab", "char"), "13a")
        assert warning is not None
        assert warning.endswith("score with --tokenize char.")

    def test_a_share_is_said_where_it_is_not_all(self):
        line = tokenizer_line(proposal("Chinese", "zh", share=0.624), "zh")
        assert line is not None
        assert line.startswith("62\u00a0% of the references is Chinese, written without blanks between words.")

    def test_several_scripts_have_no_name(self):
        line = tokenizer_line(proposal(SEVERAL, "char"), "char")
        assert line == (
            "The references are written without blanks between words. Scored with char, character by character."
        )

    def test_nothing_is_said_of_another_tokenizer_that_suits(self):
        assert tokenizer_line(proposal("Chinese", "zh"), "char") is None
        assert tokenizer_warning(proposal("Chinese", "zh"), "flores200") is None
        assert tokenizer_line(None, "13a") is None
        assert tokenizer_warning(None, "13a") is None
        assert tokenizer_warning(proposal("Korean", "ko-mecab", has_blanks=True), "ko-mecab") is None
