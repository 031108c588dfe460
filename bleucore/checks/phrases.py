"""What language models say around or instead of a translation, as regular expressions (RE2), in many languages.

Each list has the languages in the order English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Czech,
Russian, Turkish, Arabic, Hindi, Chinese, Japanese, Korean. A new phrase is a line here.
"""

_IGNORING_CASE = "(?i)"


def _any_of(*patterns: str) -> str:
    return _IGNORING_CASE + "|".join(f"(?:{pattern})" for pattern in patterns)


_APOSTROPHE = "['’]"

_TRANSLATION = "|".join(
    (
        "translat",
        "übersetz|übertragung ins",
        "tradu[cçiz]",
        "vertal",
        "tłumacz|przekład",
        "překlad|přelož",
        "перев[оеё]",
        "çevir",
        "ترجم",
        "अनुवाद",
        "翻译|翻譯|译文|譯文|译为|译成|翻訳|訳文|和訳|英訳|訳:|訳：",
        "번역",
    )
)

_AGREEMENT = "|".join(
    (
        "sure(?: thing)?|certainly|of course|absolutely|okay|ok|gladly|no problem|got it|understood|happy to help",
        "gerne?|natürlich|selbstverständlich|klar|sicher|aber gerne?|kein problem",
        "bien sûr|bien entendu|certainement|avec plaisir|d'accord|volontiers|voilà",
        "claro(?: que sí)?|por supuesto|desde luego|con gusto|con mucho gusto",
        "claro(?: que sim)?|com certeza|certamente|com prazer",
        "certo|certamente|naturalmente|ecco",
        "natuurlijk|zeker|uiteraard|graag",
        "oczywiście|jasne|pewnie",
        "samozřejmě|jistě",
        "конечно|разумеется|хорошо",
        "tabii(?: ki)?|elbette",
        "بالتأكيد|بالطبع",
        "ज़रूर|बिल्कुल",
        "好的|当然(?:可以)?|當然|没问题|可以",
        "もちろん(?:です)?|はい|承知(?:いた)?しました|かしこまりました|わかりました",
        "네|물론(?:이죠|입니다)?|알겠습니다",
    )
)

_HERE = "|".join(
    (
        f"here(?:{_APOSTROPHE}s| is| are| you go| you are|{_APOSTROPHE}re)|below is|the following is|this is",
        "hier(?: ist| sind|:)|nachfolgend|im folgenden",
        "voici|ci-dessous",
        "aquí (?:está|tiene|tienes|va)|a continuación",
        "aqui (?:está|vai)|segue|a seguir",
        "ecco|di seguito",
        "hier is|hieronder",
        "oto|poniżej",
        "zde je|níže",
        "вот|ниже",
        "işte|aşağıda",
        "إليك|فيما يلي",
        "यहाँ|यह रहा",
        "以下(?:是|为|為)?|这是|這是|下面是",
        "以下(?:は|が|に)?|こちら(?:は|が)",
        "다음은|여기",
    )
)

_LABEL = "|".join(
    (
        "english|german|french|spanish|portuguese|italian|dutch|polish|czech|russian|turkish|arabic|hindi|chinese|japanese"
        "|korean|ukrainian",
        "englisch|deutsch|französisch|spanisch|italienisch|russisch|chinesisch|japanisch",
        "anglais|français|allemand|espagnol|italien|russe|chinois|japonais",
        "inglés|español|alemán|francés|ruso|chino|japonés",
        "inglês|português|alemão|francês|espanhol",
        "inglese|italiano|tedesco|francese|spagnolo",
        "английский|русский|немецкий|французский",
        "英文|英语|英語|中文|汉语|日语|日本語|德语|法语|俄语|ドイツ語|フランス語",
        "영어|한국어|일본어|중국어|독일어",
        "target(?: text| language| sentence)?|output|answer|response|result|assistant|final(?: answer| version)?",
        "antwort|ergebnis|ausgabe|zieltext",
        "réponse|résultat|respuesta|resultado|resposta|risposta|risultato|ответ|результат|答案|回答|结果|結果|답변",
    )
)

_OPENING = r"""^[\s"'“”„«»‹›「『*_#>\[(\-–—.]*"""
_COLON = r"\s?[:：]"
_AFTER_AGREEMENT = r"[\s,.!！?，。、:：;…~\-–—]+"

PREAMBLE = _any_of(
    rf"{_OPENING}[^:：\n]{{0,60}}(?:{_TRANSLATION})[^:：\n]{{0,60}}(?:[:：]|\n)",
    rf"{_OPENING}(?:{_AGREEMENT}){_AFTER_AGREEMENT}(?:{_HERE})",
    rf"{_OPENING}(?:{_HERE})[^:：\n]{{0,60}}(?:{_TRANSLATION})",
    rf"{_OPENING}(?:the|this|a|die|der|la|une|el|il|de|o)\s[^:：.\n]{{0,40}}(?:{_TRANSLATION})\w*[^:：.\n]{{0,60}}\s"
    r"(?:is|reads|would be|means|ist|lautet|est|es|è|é|luidt)\s",
    rf"{_OPENING}(?:{_AGREEMENT}){_AFTER_AGREEMENT}[^:：\n]{{0,80}}(?:{_TRANSLATION})",
)
"""Beginnings that are about the translation."""

MAY_BE_PREAMBLE = _any_of(_TRANSLATION, rf"{_OPENING}(?:{_AGREEMENT}){_AFTER_AGREEMENT}(?:{_HERE})")
"""What every one of them has: found in a tenth of the time."""

ABOUT_TRANSLATION = _any_of(
    rf"{_OPENING}.{{0,120}}(?:{_TRANSLATION}|译|譯|訳)", rf"{_OPENING}(?:{_AGREEMENT}){_AFTER_AGREEMENT}"
)
"""Beginnings of originals that such a beginning may translate."""

LABEL = _any_of(
    rf"{_OPENING}(?:(?:in|auf|en|em|na|in het|по|на)\s)?(?:{_LABEL})(?: (?:version|text|translation))?"
    rf"[\])*_]{{0,3}}{_COLON}",
    rf"{_OPENING}(?:{_HERE})[^:：\n]{{0,60}}[:：]",
    r"^\W{0,3}(?-i:[A-Z]{2})[\])*_]{0,3}\s?[:：]",
    rf"^[(\[【][^)\]】]{{0,30}}(?:{_TRANSLATION})[^)\]】]{{0,30}}[)\]】]",
)
"""A beginning that names the language, or says that this is the answer."""

ANY_LABEL = r"^\W{0,3}(?:[^:：\n]{1,120}[:：]|[\pL\p{N}]{1,3}[.)、])"
"""Beginnings of originals that such a label may translate."""

_ROLES = "assistant|user|human|system|model|ai|bot"

ROLE = (
    rf"(?i)^\[/?(?:{_ROLES})\]|^\**(?:{_ROLES})\**\s?[:：]|[\n.!?。！？]\s*\**(?:user|human|assistant)\**\s?[:：]\s*$"
    rf"|\n\s*\**(?:user|human|assistant|system)\**\s?[:：]"
)
"""The name of a role in a conversation with a model, as a label."""

ANY_ROLE = r"^\W{0,3}[^:：\n]{1,60}[:：]|^\[|\n[^:：\n]{1,60}[:：]|[:：]\s*$"
"""What originals have where such a label is their own."""

_CANNOT = (
    rf"(?:can(?:no|{_APOSTROPHE})t|can not|could not|couldn{_APOSTROPHE}t|(?:am|{_APOSTROPHE}m) (?:unable|not able) to"
    rf"|won{_APOSTROPHE}t|will not|do not|don{_APOSTROPHE}t|must decline to)"
)

REFUSAL = _any_of(
    r"\bas an? (?:ai|artificial intelligence|large language|language)\b(?:[ -](?:language )?(?:model|assistant))?",
    rf"\bI(?: am|{_APOSTROPHE}m) (?:just |only )?an? (?:ai|artificial|large language|language model)\b",
    rf"\bI ?{_CANNOT} (?:directly |accurately |provide |give |offer |help |assist |with |you |in |a |the |any |to )*"
    r"(?:translat|fulfil|complet|comply|assist|help|request|that|this|text|answer|process|engage)",
    r"\b(?:violates?|against) (?:my|our|the|its|content|usage|safety)\b[^.]{0,40}(?:polic|guideline|rules)"
    r"|\b(?:not|n['’]t feel) comfortable\b|\b(?:must|have to|need to) decline\b",
    rf"\b(?:I(?: am|{_APOSTROPHE}m) (?:very |so |really )?sorry|I apologi[sz]e|apologies|sorry|unfortunately),?"
    rf"(?: but)?,? (?:I|it seems|there (?:is|seems)|the (?:text|input|source))\b",
    r"\bplease (?:provide|share|send|enter|give me)(?: me)?(?: with)? (?:the|a|me|more|some|your)[^.]{0,30}"
    r"(?:text|sentence|content|context|source|passage|phrase|input)",
    r"\b(?:there is|I see|I don.t see) no (?:text|sentence|content|source|input)\b",
    r"als (?:ki|künstliche intelligenz|sprachmodell|ki-sprachmodell)",
    r"(?:tut mir (?:sehr )?leid|entschuldigung|bedaure|leider),?(?: aber)?,?(?: ich)? (?:kann|konnte|darf)(?: ich)?\b",
    r"\bich (?:kann|darf) (?:diese[nrs]?|den|das|die|ihnen|dir|dabei|leider)\b[^.]{0,40}"
    r"(?:nicht|keine)[^.]{0,30}(?:übersetz|helfen|erfüll|bearbeit|beantwort)",
    r"bitte (?:geben|gib|senden|stellen|teilen) [^.]{0,40}(?:text|satz|kontext)",
    r"en tant qu(?:e |['’])(?:ia|intelligence artificielle|modèle)",
    r"(?:désolée?|m['’]excuse|malheureusement),?(?: mais)?,? je ne (?:peux|suis|pourrai)",
    r"je ne (?:peux|suis) pas (?:en mesure|capable|traduire|vous aider|répondre|fournir)",
    r"veuillez (?:fournir|me fournir|indiquer|envoyer) [^.]{0,30}(?:texte|phrase|contexte)",
    r"como (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje|inteligência artificial|modelo de linguagem)",
    r"(?:lo siento|lamentablemente|disculpa|perdón|desculpe|sinto muito|lamento|infelizmente),?"
    r"(?: pero| mas)?,? (?:no|não) (?:puedo|posso|me es posible|estoy|estou|consigo)",
    r"\b(?:no puedo|não posso|non posso) (?:traducir|ayudar|proporcionar|cumplir|traduzir|ajudar|fornecer|tradurre"
    r"|aiutar)",
    r"por favor,? (?:proporcion|indi[qc]|env[íi]|forneç)[^.]{0,40}(?:texto|frase|oración|contexto)",
    r"come (?:ia|intelligenza artificiale|modello linguistico)",
    r"(?:mi dispiace|spiacente|purtroppo),?(?: ma)?,? non (?:posso|sono)",
    r"als (?:ai|een ai|taalmodel)|(?:het spijt me|sorry|helaas),?(?: maar)?,? ik kan",
    r"jako (?:model językowy|sztuczna inteligencja|jazykový model|umělá inteligence)",
    r"(?:przykro mi|przepraszam|niestety),?(?: ale)?,? nie mogę|(?:omlouvám se|je mi líto|bohužel),?(?: ale)?,? nemohu",
    r"как (?:искусственный интеллект|языковая модель|ии\b)|я(?: —| -)? ?(?:языковая модель|искусственный интеллект)",
    r"(?:извините|простите|к сожалению|мне жаль|прошу прощения),?(?: но)?,? я не (?:могу|смогу|в состоянии)",
    r"я не могу (?:перевести|помочь|выполнить|предоставить)|пожалуйста,? (?:предоставьте|укажите|пришлите)"
    r"[^.]{0,30}текст",
    r"bir yapay zek[aâ]|üzgünüm,?(?: ama| ancak)?,? [^.]{0,60}(?:çeviremem|yardımcı olamam|yapamam)",
    r"كنموذج لغوي|بصفتي (?:نموذج|ذكاء)|(?:عذر[اً]+|آسف|أعتذر)،? (?:لكنني |ولكن )?(?:لا أستطيع|لا يمكنني)",
    r"एक (?:एआई|ai|भाषा मॉडल)|(?:क्षमा करें|माफ़ करें|मुझे खेद है)[^।]{0,60}(?:नहीं कर सकता|असमर्थ)",
    r"作为(?:一个|一個|一名)?(?:人工智能|AI|语言模型|大语言模型|大型语言模型)|我(?:只)?是(?:一个|一名)?(?:人工智能|AI|语言模型)",
    r"(?:抱歉|对不起|對不起|很遗憾)[，,。！! ]{0,2}(?:但)?(?:是)?我(?:无法|不能|不会|無法)",
    r"我(?:无法|不能|無法)(?:翻译|提供|协助|帮助|完成|满足|处理|回答)|请(?:提供|输入|发送)[^。]{0,12}(?:文本|内容|原文|句子)",
    r"(?:AI|人工知能|言語モデル)(?:アシスタント|言語モデル)?として",
    r"(?:申し訳(?:ありません|ございません)|すみません|残念ながら)[^。]{0,40}(?:できません|できかねます|いたしかねます|お手伝い)",
    r"(?:翻訳|お答え|対応|お手伝い)(?:することは|は|が|を)?(?:できません|できかねます|いたしかねます)|(?:原文|テキスト|文章)を(?:提供|入力|お送り)",
    r"(?:저는 )?(?:AI|인공지능|언어 모델)(?: 언어 모델)?(?:로서|으로서|입니다)",
    r"(?:죄송(?:합니다|하지만)|유감스럽게도)[^.]{0,40}(?:수 없습니다|어렵습니다)|번역할 수 없습니다",
)
"""What stands in place of a translation: that it cannot be given."""

ANY_TRANSLATION = _any_of(_TRANSLATION)
"""Words for translation, which few texts hold unless they are about it."""

ABOUT_ANY_TRANSLATION = _any_of(_TRANSLATION, "译|譯|訳")
"""What originals may hold that such words translate."""

_NOTE = "|".join(
    (
        r"(?:translator['’]?s? |translation |cultural |important |brief )?"
        r"(?:notes?|nb|n\.b\.|explanations?|comments?|context)"
        r"(?: on| about| from)?(?: the)?(?: translat\w+| context)?",
        "(?:wichtiger |kurze )?(?:anmerkung(?:en)?|bemerkung(?:en)?|hinweise?|erklärung|erläuterung(?:en)?|kommentar)"
        "(?: des übersetzers| der übersetzerin| zur übersetzung)?",
        "n\\.? ?b\\.?|nota bene",
        "(?:remarques?|notes?|explications?|n\\.? ?d\\.? ?t\\.?)(?: (?:du|de la|sur la) (?:traduct\\w+))?",
        "(?:notas?|explicación|aclaración|observaciones)(?: (?:del|de la|sobre la) (?:traduct\\w+|traducción))?",
        "(?:notas?|explicação|observaç(?:ão|ões))(?: (?:do|da|sobre a) (?:tradut\\w+|tradução))?",
        "(?:not[ae]|spiegazione|osservazion[ei])(?: (?:del|della|sulla) (?:tradutt\\w+|traduzione))?",
        "(?:opmerking|toelichting|noot)(?: van de vertaler)?",
        "(?:uwag[ai]|objaśnienie|przypis)(?: tłumacza)?|poznámk[ay](?: překladatele)?|vysvětlení",
        "(?:примечани[ея]|пояснени[ея]|прим\\.|комментарий)(?: (?:пер\\.?|переводчика|к переводу))?",
        "çevirmen(?:in)? notu|açıklama",
        "ملاحظ[ةه]|شرح|توضيح",
        "टिप्पणी|नोट|व्याख्या",
        "注意|注释|註釋|注解|说明|說明|解释|译注|译者注|譯者註|备注|翻译说明|注",
        "注記|注釈|備考|補足|訳注|訳者注|説明|解説",
        "참고|주석|역주|설명|비고",
    )
)

NOTE = _any_of(
    rf"(?:^|[\s(\[（【*.!?。！？…\"”»)」])[(\[（【*_\-–—]*(?:{_NOTE})[\s*_]*[:：]",
    r"[(\[（【]\s*(?:note that|please note|translator['’]?s note|anm\. ?d\. ?ü|n\. ?d\. ?t|прим\. ?пер|译注"
    r"|译者注|訳注|역주)",
    r"\b(?:please )?note that (?:I\b|this translation|the translation|the term|the phrase|the word|some)",
    r"\bI(?: have|['’]ve)? (?:translated|rendered|kept|left|chosen|chose|preserved|used|adapted) "
    r"(?:[\"“'‘«„]|(?:this|the) (?:term|word|phrase|name|title|expression|tone|original|idiom|text|sentence"
    r"|source)\b|it as\b)",
    r"\b(?:this|the) translation (?:aims|captures|conveys|keeps|maintains|preserves|retains|uses|assumes|reflects)\b",
    r"\b(?:the (?:term|word|phrase|expression) [\"“'‘„«][^\"”'’“»]{1,60}[\"”'’“»] "
    r"(?:is|was|has been|means|refers|can))",
    r"(?:let me know|feel free)\b[^.!?]{0,80}(?:translat|adjust|clarif|revis|refin|version|changes)"
    r"|I hope this (?:helps|translation)",
    r"[(\[（【]\s*(?:literally|lit\.|wörtlich|littéralement|lit(?:t?)eralmente|letterlijk|dosłownie|doslova|букв(?:ально|\.)"
    r"|字面|直译|直訳|逐語)",
    rf"(?:[.!?。！？\n]|[(\[（【])[^.!?。！？\n]*(?:{_TRANSLATION})",
)
"""Remarks about a translation beside it."""

ABOUT_NOTES = (
    rf"{_IGNORING_CASE}(?:{_NOTE})[\s*_]*[:：]|let me know|feel free|hope this helps|note that|{_TRANSLATION}|译|譯|訳"
)
"""What originals may hold that such remarks translate."""

_ORDINAL = r"[12一二①②AB][\s]?[:：.)）]"

VARIANT = _any_of(
    r"[\s.!?。！？\"”)(\[*](?:or(?: alternatively)?|alternative(?:ly)?|alternative translation"
    r"|another (?:option|possibility|version)|oder(?: auch)?|alternativ|ou(?: bien| encore| então)?|alternativement"
    r"|o bien|alternativamente|oppure|lub|albo|nebo|или|либо|veya|ya da|أو|या|或者?(?:是|译为)?"
    r"|另一种(?:译法|翻译|说法|表达)|または|あるいは|もしくは|또는|혹은)\s?[*_]*[:：]",
    rf"(?:option|variante?|version|versión|versão|versione|alternative|translation|möglichkeit|übersetzung|traduction"
    rf"|opci[óo]n|opção|opzione|вариант|перевод|варіант|选项|版本|翻译|译文|候補|案|訳例|옵션|번역)\s?[*_]*{_ORDINAL}",
    r"(?:^|[\s(])1[.)）、]\s?[^\s].*[\s(]2[.)）、]\s?[^\s]",
    r"(?:alternative?[ns]?|another|other|andere|weitere|otra|autre|outra|altra|другой|inna)\s[^.:：\n]{0,40}[:：]",
    r"\((?:or|alternatively|or alternatively|oder|alternativ|ou|o|oppure|или|或)[,:：]?\s",
    r"\n\s*(?:or|oder|ou|o|oppure|или|或|または)\s*\n",
    r"(?:^|[\s(])[aA][.):：]\s?\S.*[\s(][bB][.):：]\s?\S",
    r"(?s)^[-*•]\s\S.*\n[-*•]\s\S",
    r"[\s(\[](?:or|oder|ou|oppure|или|或|または)\s[\"“„«「『'‘][^\"”“»」』’]{10,}[\"”“»」』'’][)\].!?]*$",
)
"""Several translations instead of one."""

SLASH_BETWEEN = r"\s[/|]\s"
"""Two texts with a slash or bar between them, which is one text in most cases unless it is far too long."""

ANY_SLASH = r"[/|]"

_NUMBERED = r"(?:^|[\s(])2[.)）、]"
ABOUT_VARIANTS = rf"{VARIANT}|{_NUMBERED}"
"""What originals may hold that several translations would be a translation of."""

HTML_TAG = (
    r"(?i)</?(?:a|b|big|body|br|center|code|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|script|small|span|strong"
    r"|style|sub|sup|table|td|th|title|tr|tt|u|ul)(?:\s[^<>]{0,200})?\s?/?>"
)
"""A tag of HTML; ``<s>`` is one of models, too."""

_LIST_MARK = "[-*•+–—−―>·‣◦▪●○■]"

MARKUP = (
    (r"```|~~~", r"```|~~~", "`~"),
    (r"\*\*[^*\s][^*]*\*\*|__[^_\s][^_]*[^_\s]__", r"\*\*|__", "*_"),
    (r"^#{1,6} ", r"^#", "#"),
    (
        r"(?i)</?(?:translation|translated|target|output|result|text|answer|response|think|de|en|fr|es|zh|ja|ru)>",
        r"<[/a-zA-Z]",
        "<",
    ),
    (r'(?s)^\{\s*"[^"]*"\s*:.*\}$', r"^\{", "{"),
    (r"^`[^`]+`[.。]?$", r"`", "`"),
    (r"^[*_][^*_\s][^*_]*[*_]$", r"[*_]", "*_"),
    (r"^[*•+>·‣◦▪●○■] \S|^[•‣◦▪●○■]\S", rf"^{_LIST_MARK}", ""),
    (r"^[-–—] \S", rf"^(?:{_LIST_MARK}|[\"“”„«»'‘’「『])", ""),
    (r"^[-–—] [\"“”„«»'‘’「『]", rf"^{_LIST_MARK}", ""),
)

NUMBERED = r"^\(?[0-9]{1,4}[.)] \S"
ABOUT_NUMBERED = r"^\W{0,3}(?:[①-⑳a-zA-Z一二三四五六七八九十]{1,4}|\d+)[.)、]"
"""A number as in a list, and what originals have where it belongs to the text."""

"""Marks of Markdown, tags or JSON around a text, each with what an original has where they belong to the text, and
signs of which each has one; "" where it need have none."""

_NO_BACKTICKS_BEFORE, _NO_BACKTICKS_BEHIND = "\"“”„‟«»‹›「『《〈＂'‘’‚‛", "\"”“‟»«›‹」』》〉＂'’‘"
_QUOTES_BEFORE, _QUOTES_BEHIND = f"{_NO_BACKTICKS_BEFORE}`", f"{_NO_BACKTICKS_BEHIND}`"

QUOTED = rf"(?s)^(?:[{_NO_BACKTICKS_BEFORE}]|`{{1,2}}[^`]).*(?:[{_NO_BACKTICKS_BEHIND}]|[^`]`)[.。]?$"
"""Quotation marks around the whole text; three backticks are a fence around code."""

QUOTED_AT_AN_END = (
    rf"(?s)^[\s\-–—(（]*[{_QUOTES_BEFORE}【〔［\[]|[{_QUOTES_BEHIND}】〕］\]][\s.。,，!！?？…)\]】）;；:：]*$"
)
"""A quotation mark near either end."""
