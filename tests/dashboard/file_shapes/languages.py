"""Sentences of our own in ten languages, and systems that translate them with errors."""

import random
from functools import cache

S = {
    "en": [
        "The mayor of the town",
        "A young engineer",
        "My neighbour Anna",
        "The ministry of health",
        "Every second passenger",
        "Our old teacher",
        "The national museum",
        "A group of farmers",
    ],
    "de": [
        "Der Bürgermeister der Stadt",
        "Eine junge Ingenieurin",
        "Meine Nachbarin Anna",
        "Das Gesundheitsministerium",
        "Jeder zweite Fahrgast",
        "Unser alter Lehrer",
        "Das Nationalmuseum",
        "Eine Gruppe von Bauern",
    ],
    "fr": [
        "Le maire de la ville",
        "Une jeune ingénieure",
        "Ma voisine Anna",
        "Le ministère de la santé",
        "Un passager sur deux",
        "Notre ancien professeur",
        "Le musée national",
        "Un groupe d'agriculteurs",
    ],
    "es": [
        "El alcalde de la ciudad",
        "Una joven ingeniera",
        "Mi vecina Ana",
        "El ministerio de salud",
        "Uno de cada dos pasajeros",
        "Nuestro viejo profesor",
        "El museo nacional",
        "Un grupo de agricultores",
    ],
    "ru": [
        "Мэр города",
        "Молодая инженер",
        "Моя соседка Анна",
        "Министерство здравоохранения",
        "Каждый второй пассажир",
        "Наш старый учитель",
        "Национальный музей",
        "Группа фермеров",
    ],
    "zh": [
        "这座城市的市长",
        "一位年轻的工程师",
        "我的邻居安娜",
        "卫生部",
        "每两位乘客中就有一位",
        "我们以前的老师",
        "国家博物馆",
        "一群农民",
    ],
    "ja": [
        "町の市長は",
        "若い技術者は",
        "隣人のアンナは",
        "保健省は",
        "乗客の二人に一人は",
        "私たちの昔の先生は",
        "国立博物館は",
        "農家の人たちは",
    ],
    "ar": [
        "عمدة المدينة",
        "مهندسة شابة",
        "جارتي آنا",
        "وزارة الصحة",
        "كل راكب ثان",
        "معلمنا القديم",
        "المتحف الوطني",
        "مجموعة من المزارعين",
    ],
    "hi": [
        "शहर के मेयर ने",
        "एक युवा इंजीनियर ने",
        "मेरी पड़ोसन अन्ना ने",
        "स्वास्थ्य मंत्रालय ने",
        "हर दूसरे यात्री ने",
        "हमारे पुराने शिक्षक ने",
        "राष्ट्रीय संग्रहालय ने",
        "किसानों के एक समूह ने",
    ],
    "th": [
        "นายกเทศมนตรีของเมือง",
        "วิศวกรหนุ่มคนหนึ่ง",
        "แอนนาเพื่อนบ้านของฉัน",
        "กระทรวงสาธารณสุข",
        "ผู้โดยสารทุกๆ สองคน",
        "ครูเก่าของเรา",
        "พิพิธภัณฑ์แห่งชาติ",
        "เกษตรกรกลุ่มหนึ่ง",
    ],
}
V = {
    "en": [
        "promised to repair the wooden bridge",
        "complained about the long delays",
        "presented a new plan for the river",
        "has sold the last copy of the book",
        "wants to plant two hundred trees",
        "forgot the keys of the red car",
        "asked for more time and money",
        "learned how to bake dark bread",
        "refused to answer the difficult question",
    ],
    "de": [
        "versprach, die Holzbrücke zu reparieren",
        "beschwerte sich über die langen Verspätungen",
        "stellte einen neuen Plan für den Fluss vor",
        "hat das letzte Exemplar des Buches verkauft",
        "möchte zweihundert Bäume pflanzen",
        "vergaß die Schlüssel des roten Autos",
        "bat um mehr Zeit und Geld",
        "lernte, dunkles Brot zu backen",
        "weigerte sich, die schwierige Frage zu beantworten",
    ],
    "fr": [
        "a promis de réparer le pont en bois",
        "s'est plaint des longs retards",
        "a présenté un nouveau projet pour la rivière",
        "a vendu le dernier exemplaire du livre",
        "veut planter deux cents arbres",
        "a oublié les clés de la voiture rouge",
        "a demandé plus de temps et d'argent",
        "a appris à cuire du pain noir",
        "a refusé de répondre à la question difficile",
    ],
    "es": [
        "prometió reparar el puente de madera",
        "se quejó de los largos retrasos",
        "presentó un nuevo plan para el río",
        "ha vendido el último ejemplar del libro",
        "quiere plantar doscientos árboles",
        "olvidó las llaves del coche rojo",
        "pidió más tiempo y dinero",
        "aprendió a hornear pan negro",
        "se negó a responder a la pregunta difícil",
    ],
    "ru": [
        "пообещал отремонтировать деревянный мост",
        "пожаловался на долгие задержки",
        "представил новый план для реки",
        "продал последний экземпляр книги",
        "хочет посадить двести деревьев",
        "забыл ключи от красной машины",
        "попросил больше времени и денег",
        "научился печь тёмный хлеб",
        "отказался отвечать на трудный вопрос",
    ],
    "zh": [
        "答应修理那座木桥",
        "抱怨长时间的延误",
        "提出了一项关于河流的新计划",
        "卖掉了最后一本书",
        "想种两百棵树",
        "忘了带红色汽车的钥匙",
        "要求更多的时间和金钱",
        "学会了烤黑面包",
        "拒绝回答这个困难的问题",
    ],
    "ja": [
        "木の橋を修理すると約束した",
        "長い遅れについて文句を言った",
        "川のための新しい計画を発表した",
        "本の最後の一冊を売ってしまった",
        "二百本の木を植えたいと思っている",
        "赤い車の鍵を忘れた",
        "もっと多くの時間とお金を求めた",
        "黒いパンの焼き方を学んだ",
        "難しい質問に答えることを断った",
    ],
    "ar": [
        "وعد بإصلاح الجسر الخشبي",
        "اشتكى من التأخير الطويل",
        "قدم خطة جديدة للنهر",
        "باع آخر نسخة من الكتاب",
        "يريد زراعة مئتي شجرة",
        "نسي مفاتيح السيارة الحمراء",
        "طلب المزيد من الوقت والمال",
        "تعلم كيف يخبز الخبز الأسمر",
        "رفض الإجابة عن السؤال الصعب",
    ],
    "hi": [
        "लकड़ी के पुल की मरम्मत का वादा किया",
        "लंबी देरी की शिकायत की",
        "नदी के लिए एक नई योजना पेश की",
        "किताब की आखिरी प्रति बेच दी",
        "दो सौ पेड़ लगाने की इच्छा जताई",
        "लाल गाड़ी की चाबियाँ भुला दीं",
        "और समय तथा पैसा माँगा",
        "काली रोटी बनाना सीखा",
        "कठिन सवाल का जवाब देने से मना किया",
    ],
    "th": [
        "สัญญาว่าจะซ่อมสะพานไม้",
        "บ่นเรื่องความล่าช้าเป็นเวลานาน",
        "เสนอแผนใหม่สำหรับแม่น้ำ",
        "ขายหนังสือเล่มสุดท้ายไปแล้ว",
        "อยากปลูกต้นไม้สองร้อยต้น",
        "ลืมกุญแจรถสีแดง",
        "ขอเวลาและเงินเพิ่ม",
        "เรียนรู้วิธีอบขนมปังสีเข้ม",
        "ปฏิเสธที่จะตอบคำถามที่ยาก",
    ],
}
T = {
    "en": [
        "in the early morning of the third day",
        "shortly before the new school opened",
        "although nobody in the village believed it",
        "because the weather was far too cold",
        "at the end of a very long meeting",
        "while the children were playing outside",
        "during the first week of the holidays",
    ],
    "de": [
        "am frühen Morgen des dritten Tages",
        "kurz bevor die neue Schule öffnete",
        "obwohl niemand im Dorf daran glaubte",
        "weil das Wetter viel zu kalt war",
        "am Ende einer sehr langen Sitzung",
        "während die Kinder draußen spielten",
        "in der ersten Woche der Ferien",
    ],
    "fr": [
        "au petit matin du troisième jour",
        "peu avant l'ouverture de la nouvelle école",
        "bien que personne au village n'y ait cru",
        "parce qu'il faisait beaucoup trop froid",
        "à la fin d'une très longue réunion",
        "pendant que les enfants jouaient dehors",
        "pendant la première semaine des vacances",
    ],
    "es": [
        "en la madrugada del tercer día",
        "poco antes de que abriera la nueva escuela",
        "aunque nadie en el pueblo lo creía",
        "porque hacía demasiado frío",
        "al final de una reunión muy larga",
        "mientras los niños jugaban fuera",
        "durante la primera semana de vacaciones",
    ],
    "ru": [
        "ранним утром третьего дня",
        "незадолго до открытия новой школы",
        "хотя никто в деревне в это не верил",
        "потому что погода была слишком холодной",
        "в конце очень долгого собрания",
        "пока дети играли на улице",
        "в первую неделю каникул",
    ],
    "zh": [
        "在第三天的清晨",
        "就在新学校开学前不久",
        "虽然村里没有人相信",
        "因为天气实在太冷了",
        "在一次很长的会议结束时",
        "当孩子们在外面玩的时候",
        "在假期的第一个星期",
    ],
    "ja": [
        "三日目の早朝に",
        "新しい学校が開く少し前に",
        "村の誰も信じていなかったけれど",
        "天気があまりにも寒かったので",
        "とても長い会議の終わりに",
        "子供たちが外で遊んでいる間に",
        "休みの最初の週に",
    ],
    "ar": [
        "في الصباح الباكر من اليوم الثالث",
        "قبل افتتاح المدرسة الجديدة بقليل",
        "رغم أن أحدا في القرية لم يصدق ذلك",
        "لأن الطقس كان باردا جدا",
        "في نهاية اجتماع طويل جدا",
        "بينما كان الأطفال يلعبون في الخارج",
        "خلال الأسبوع الأول من العطلة",
    ],
    "hi": [
        "तीसरे दिन की सुबह",
        "नया स्कूल खुलने से ठीक पहले",
        "हालाँकि गाँव में किसी को विश्वास नहीं था",
        "क्योंकि मौसम बहुत ठंडा था",
        "एक बहुत लंबी बैठक के अंत में",
        "जब बच्चे बाहर खेल रहे थे",
        "छुट्टियों के पहले सप्ताह में",
    ],
    "th": [
        "ในเช้าตรู่ของวันที่สาม",
        "ไม่นานก่อนที่โรงเรียนใหม่จะเปิด",
        "แม้ว่าไม่มีใครในหมู่บ้านเชื่อ",
        "เพราะอากาศหนาวเกินไป",
        "ในตอนท้ายของการประชุมที่ยาวนานมาก",
        "ขณะที่เด็กๆ กำลังเล่นอยู่ข้างนอก",
        "ในสัปดาห์แรกของวันหยุด",
    ],
}
CHARS = {"zh", "ja", "th"}


def _join(lang, s, v, t, flip):
    if lang == "zh":
        return f"{t}，{s}{v}。" if flip else f"{s}{v}，{t}。"
    if lang == "ja":
        return f"{t}、{s}{v}。" if flip else f"{s}、{t}{v}。"
    if lang == "th":
        return f"{s}{v} {t}" if not flip else f"{t} {s}{v}"
    if lang == "hi":
        return f"{s} {t} {v}।" if flip else f"{t} {s} {v}।"
    if lang == "ar":
        return f"{s} {v}، {t}." if not flip else f"{t}، {s} {v}."
    return (
        f"{s} {v} {t}." if not flip else f"{t[0].upper() + t[1:]}, {s[0].lower() + s[1:] if lang != 'de' else s} {v}."
    )


def sentences(lang, n, seed=0):
    return list(_sentences(lang, n, seed))


@cache
def _sentences(lang, n, seed):
    draw = random.Random(seed)
    grid = [(a, b, c) for a in range(8) for b in range(9) for c in range(7)]
    draw.shuffle(grid)
    return tuple(_join(lang, S[lang][a], V[lang][b], T[lang][c], (a + b * 2 + c) % 3 == 0) for a, b, c in grid[:n])


def second(lang, n, seed=0):
    """Another reference: other order of clauses."""
    draw = random.Random(seed)
    grid = [(a, b, c) for a in range(8) for b in range(9) for c in range(7)]
    draw.shuffle(grid)
    return [_join(lang, S[lang][a], V[lang][b], T[lang][c], (a + b * 2 + c) % 3 != 0) for a, b, c in grid[:n]]


def system(lang, n, name, error=0.15, seed=0):
    """A translation with errors: words dropped, swapped or taken from another sentence."""
    return list(_system(lang, n, name, error, seed))


@cache
def _system(lang, n, name, error, seed):
    ref = sentences(lang, n, seed)
    draw = random.Random(f"{name}{lang}{n}{seed}")
    pool = sentences(lang, 400, 99)
    out = []
    for line in ref:
        toks = list(line) if lang in CHARS else line.split(" ")
        err = error / 2 if lang in CHARS else error
        new = []
        i = 0
        while i < len(toks):
            r = draw.random()
            if r < err * 0.3:
                pass
            elif r < err * 0.7:
                o = draw.choice(pool)
                o = list(o) if lang in CHARS else o.split(" ")
                new.append(draw.choice(o).strip(".,"))
            elif r < err and i + 1 < len(toks):
                new += [toks[i + 1], toks[i]]
                i += 1
            else:
                new.append(toks[i])
            i += 1
        out.append((("" if lang in CHARS else " ").join(t for t in new if t)).strip() or line)
    return tuple(out)
