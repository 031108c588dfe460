"""What toolkits of translation and speech write: logs, lists of outputs, transcripts, subtitles."""

from collections.abc import Iterable, Sequence

from tests.dashboard.file_shapes.texts import (
    ALL,
    REFERENCE,
    SHUFFLED,
    SOURCE,
    SYSTEMS,
    A,
    B,
    Files,
    N,
    in_folders,
    of_all,
    of_systems,
    plain,
    rows_of,
    whole,
)


def fairseq(texts: Sequence[str], _: str = "") -> bytes:
    return (
        "2025-01-01 | INFO | fairseq.tasks | loading\n"
        + "".join(
            f"S-{row}\t{SOURCE[row]}\nT-{row}\t{REFERENCE[row]}\nH-{row}\t-0.31\t{texts[row]}\n"
            f"D-{row}\t-0.31\t{texts[row]}\n"
            f"P-{row}\t-0.1 -0.2\n"
            for row in SHUFFLED
        )
        + "2025-01-01 | INFO | Translated 24 sentences\nGenerate test with beam=5: BLEU4 = 30.1\n"
    ).encode()


def sockeye(texts: Sequence[str], _: str) -> bytes:
    return rows_of({"sentence_id": row, "translation": texts[row], "score": -1.5} for row in range(N))


def opennmt_log(texts: Sequence[str], _: str) -> bytes:
    return "".join(
        f"SENT {row + 1}: {SOURCE[row].split()!r}\nPRED {row + 1}: {texts[row]}\nPRED SCORE: -3.21\nGOLD {row + 1}: "
        f"{REFERENCE[row]}\nGOLD SCORE: -5.4\n\n"
        for row in range(N)
    ).encode()


def marian_scores(texts: Sequence[str], _: str) -> bytes:
    return "".join(f"{text} ||| F0= -1.2 ||| -1.2\n" for text in texts).encode()


def nbest(texts: Sequence[str], _: str) -> bytes:
    return "".join(
        f"{row} ||| {text} ||| F0= -1 ||| -0.5\n{row} ||| {text} again ||| F0= -2 ||| -0.9\n"
        for row, text in enumerate(texts)
    ).encode()


def numbered_tabs(texts: Iterable[str], _: str = "") -> bytes:
    return "".join(f"{row + 1}\t{text}\n" for row, text in enumerate(texts)).encode()


def numbered_dots(texts: Iterable[str], _: str = "") -> bytes:
    return "".join(f"{row + 1}. {text}\n" for row, text in enumerate(texts)).encode()


def numbered_brackets(texts: Iterable[str], _: str = "") -> bytes:
    return "".join(f"[{row}] {text}\n" for row, text in enumerate(texts)).encode()


def kaldi(texts: Sequence[str], order: Sequence[int] = tuple(range(N))) -> bytes:
    return "".join(f"spk1-utt{row:04} {texts[row]}\n" for row in order).encode()


def espnet(texts: Sequence[str]) -> bytes:
    return "".join(f"{texts[row]} (spk1_utt{row:04}-spk1_utt{row:04})\n" for row in range(N)).encode()


def stm(texts: Sequence[str]) -> bytes:
    return (
        ";; comment\n" + "".join(f"talk1 1 spk1 {row}.00 {row}.90 <o,f0,male> {texts[row]}\n" for row in range(N))
    ).encode()


def ctm(texts: Sequence[str], _: str) -> bytes:
    return "".join(
        f"talk1 1 {row}.{place:02} 0.10 {word} 0.98\n"
        for row in range(N)
        for place, word in enumerate(texts[row].split())
    ).encode()


def cue(number: int, mark: str = ",") -> str:
    return f"00:00:{number:02}{mark}000 --> 00:00:{number:02}{mark}900"


def srt(texts: Sequence[str]) -> bytes:
    return "\n".join(f"{number + 1}\n{cue(number)}\n{text}\n" for number, text in enumerate(texts)).encode()


def srt_styled(texts: Sequence[str]) -> bytes:
    return "\n".join(f"{number + 1}\n{cue(number)}\n<i>{text}</i>\n" for number, text in enumerate(texts)).encode()


def vtt(texts: Sequence[str]) -> bytes:
    return ("WEBVTT\n\n" + "".join(f"{cue(number, '.')}\n{text}\n\n" for number, text in enumerate(texts))).encode()


def sbv(texts: Sequence[str]) -> bytes:
    return "\n".join(
        f"0:00:{number:02}.000,0:00:{number:02}.900\n{text}\n" for number, text in enumerate(texts)
    ).encode()


def ass(texts: Sequence[str]) -> bytes:
    head = (
        "[Script Info]\nTitle: talk\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: "
        "Default,Arial,20\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, "
        "Text\n"
    )
    return (
        head
        + "".join(
            f"Dialogue: 0,0:00:{number:02}.00,0:00:{number:02}.90,Default,,0,0,0,,{text}\n"
            for number, text in enumerate(texts)
        )
    ).encode()


def lrc(texts: Sequence[str]) -> bytes:
    return (
        "[ti:talk]\n[ar:someone]\n" + "".join(f"[00:{number:02}.50]{text}\n" for number, text in enumerate(texts))
    ).encode()


def simuleval(texts: Sequence[str], _: str) -> bytes:
    return rows_of(
        {
            "index": row,
            "prediction": texts[row],
            "delays": [1.0, 2.0],
            "elapsed": [3.0, 4.0],
            "prediction_length": 2,
            "reference": REFERENCE[row],
            "source": ["x.wav", "1 s"],
            "source_length": 5.0,
        }
        for row in range(N)
    )


def headed(systems: dict[str, Sequence[str]]) -> bytes:
    return "".join(
        f"SOURCE: {SOURCE[row]}\nREF: {REFERENCE[row]}\n"
        + "".join(f"{name.upper()}: {texts[row]}\n" for name, texts in systems.items())
        + "\n"
        for row in range(N)
    ).encode()


def qa(texts: Sequence[str], _: str) -> bytes:
    return "".join(f"Q: {SOURCE[row]}\nA: {texts[row]}\n\n" for row in range(N)).encode()


def ptb(texts: Sequence[str], _: str) -> bytes:
    return "".join(
        "# text = "
        + text
        + "\n"
        + "".join(f"{place}\t{word}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n" for place, word in enumerate(text.split(), 1))
        + "\n"
        for text in texts
    ).encode()


SHAPES: dict[str, Files] = {
    "fairseq, a folder a system": in_folders(fairseq, "generate-test.txt"),
    "fairseq, files": {"a.log": fairseq(A), "b.log": fairseq(B)},
    "fairseq hypotheses": of_systems(
        lambda texts, _: "".join(f"H-{row}\t-0.2\t{texts[row]}\n" for row in SHUFFLED).encode(), ".hyp"
    ),
    "Sockeye": of_systems(sockeye, ".jsonl"),
    "Sockeye, a folder a system": of_systems(sockeye, ".jsonl", is_folder=True),
    "OpenNMT verbose": {"a.log": opennmt_log(A, ""), "b.log": opennmt_log(B, "")},
    "Marian with scores": of_systems(marian_scores, ".txt"),
    "n-best": of_systems(nbest, ".nbest"),
    "numbers and tabs, all": of_all(numbered_tabs, ".txt"),
    "numbers and tabs, systems": of_systems(numbered_tabs, ".txt"),
    "numbers and dots, all": of_all(numbered_dots, ".txt"),
    "numbers and dots, systems": of_systems(numbered_dots, ".txt"),
    "numbers in brackets, all": of_all(numbered_brackets, ".txt"),
    "Kaldi": {"a/text": kaldi(A), "b/text": kaldi(B, SHUFFLED), "ref/text": kaldi(REFERENCE)},
    "ESPnet trn": of_all(espnet, ".trn"),
    "STM": of_all(stm, ".stm"),
    "CTM beside STM": {"a.ctm": ctm(A, ""), "b.ctm": ctm(B, ""), "ref.stm": stm(REFERENCE)},
    "SRT": of_all(srt, ".srt"),
    "SRT in italics": of_all(srt_styled, ".srt"),
    "SRT as text": of_all(srt, ".txt"),
    "WebVTT": of_all(vtt, ".vtt"),
    "SBV": of_all(sbv, ".sbv"),
    "ASS": of_all(ass, ".ass"),
    "lyrics": of_all(lrc, ".lrc"),
    "SimulEval, a folder a system": in_folders(simuleval, "instances.log"),
    "headed lines": {"all.txt": headed(SYSTEMS)},
    "questions and answers": of_systems(qa, ".txt"),
    "CoNLL-U": of_systems(ptb, ".conllu"),
    "ctranslate2": of_systems(
        lambda texts, _: whole([{"hypotheses": [text.split()], "scores": [-1.0]} for text in texts]), ".json"
    ),
    "Whisper segments": {
        f"{name}.json": whole(
            {
                "text": " ".join(texts),
                "segments": [
                    {"id": row, "start": row, "end": row + 0.9, "text": f" {text}", "avg_logprob": -0.2}
                    for row, text in enumerate(texts)
                ],
                "language": "de",
            }
        )
        for name, texts in ALL.items()
    },
    "Whisper TSV": {
        f"{name}.tsv": (
            "start\tend\ttext\n"
            + "".join(f"{row * 1000}\t{row * 1000 + 900}\t{text}\n" for row, text in enumerate(texts))
        ).encode()
        for name, texts in ALL.items()
    },
    "JoeyNMT": {
        "test.de": plain(REFERENCE),
        "test.en": plain(SOURCE),
        "00010000.hyps.test": plain(A),
        "00020000.hyps.test": plain(B),
    },
    "NeMo manifest": {
        f"{name}.json": rows_of(
            {"audio_filepath": f"x/{row}.wav", "duration": 1.5, "text": REFERENCE[row], "pred_text": texts[row]}
            for row in range(N)
        )
        for name, texts in SYSTEMS.items()
    },
    "SpeechBrain WER file": of_systems(
        lambda texts, _: "".join(
            f"utt{row}, %WER 10.00 [ 1 / 10, 0 ins, 0 del, 1 sub ]\n{' ; '.join(REFERENCE[row].split())}\n"
            f"{' ; '.join('=' for _ in REFERENCE[row].split())}\n{' ; '.join(texts[row].split())}\n" + "=" * 80 + "\n"
            for row in range(N)
        ).encode(),
        ".txt",
    ),
    "Hugging Face predictions": {
        "a/generated_predictions.txt": plain(A),
        "b/generated_predictions.txt": plain(B),
        "ref.txt": plain(REFERENCE),
        "a/all_results.json": whole({"predict_bleu": 30.1, "predict_samples": N}),
        "b/all_results.json": whole({"predict_bleu": 31.1, "predict_samples": N}),
    },
    "LLaMA-Factory": in_folders(
        lambda texts, _: rows_of(
            {"prompt": SOURCE[row], "predict": texts[row], "label": REFERENCE[row]} for row in range(N)
        ),
        "generated_predictions.jsonl",
    ),
    "sacreBLEU scores beside texts": {
        **{f"{name}.txt": plain(texts) for name, texts in ALL.items()},
        "scores.json": whole(
            [
                {
                    "name": "BLEU",
                    "score": 30.0,
                    "signature": "nrefs:1|case:mixed",
                    "verbose_score": "60/40/30/20 (BP = 1.000)",
                }
            ]
        ),
    },
    "compare-mt folder": {
        "ref.eng": plain(REFERENCE),
        "sys1.eng": plain(A),
        "sys2.eng": plain(B),
        "ref.eng.tag": plain(["CC DT , NNP VBD ."] * N),
        "sys1.eng.tag": plain(["DT NN VBD ."] * N),
        "sys2.eng.tag": plain(["NNP VBD IN"] * N),
        "sys1.eng.like": plain([f"-{row}.25" for row in range(N)]),
        "src.spa": plain(SOURCE),
        "ref.align": plain(["0-0 1-1 2-3"] * N),
    },
    "plain with an alignment": {
        **{f"{name}.txt": plain(texts) for name, texts in ALL.items()},
        "a.align": plain(["0-0 1-1 2-2"] * N),
    },
    "plain with a log": {
        **{f"{name}.txt": plain(texts) for name, texts in ALL.items()},
        "train.log": b"2025-01-01 10:00:00 INFO step 100 loss 3.21\n" * 500,
    },
    "lines of a docstring": {"a.code": plain(A), "b.code": plain(B), "ref.code": plain(REFERENCE)},
    "MTEval by id": {
        f"{name}.tsv": "".join(f"doc{row // 6}\t{row}\t{text}\n" for row, text in enumerate(texts)).encode()
        for name, texts in ALL.items()
    },
}
NAMES: dict[str, dict[str, Sequence[str]]] = {
    "JoeyNMT": {"00010000": A, "00020000": B},
    "compare-mt folder": {"sys1": A, "sys2": B},
}
