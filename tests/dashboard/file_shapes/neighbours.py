"""Files of one test set next to prompts, settings of a word, sources in tables, and names that only seem to say it."""

from tests.dashboard.file_shapes.texts import (
    REFERENCE,
    SOURCE,
    SYSTEMS,
    A,
    B,
    Files,
    N,
    lines_of,
    plain,
    rows_of,
    table,
    whole,
)

OTHER_REFERENCE = lines_of("reference-B")
ASKED = [f"Translate into English:\n{text}" for text in SOURCE]
BACKWARDS = list(reversed(range(N)))


def opencompass(prompts: list[object]) -> Files:
    """A folder for each model with a file of numbered items."""
    return {
        f"2025/predictions/{name}-7b/flores.json": whole(
            {
                str(row): {"origin_prompt": prompts[row], "prediction": texts[row], "gold": REFERENCE[row]}
                for row in range(N)
            }
        )
        for name, texts in SYSTEMS.items()
    }


def simuleval() -> Files:
    """What SimulEval writes in a folder for each system."""
    return {
        f"{name}/{file}": data
        for name, texts in SYSTEMS.items()
        for file, data in {
            "instances.log": rows_of(
                {"index": row, "prediction": texts[row], "delays": [1.0, 2.0], "reference": REFERENCE[row]}
                for row in range(N)
            ),
            "latency_unit.txt": b"word\n",
            "config.yaml": b"source_type: speech\n",
        }.items()
    }


def submissions(solution: str, names: str = "submission_{}.csv") -> Files:
    """Tables of ids and texts: outputs, the solution with a column of labels, and the source."""
    return {
        solution: table(
            [["id", "translation", "Usage"], *([f"t{n:03}", REFERENCE[n], "Private"[n % 2 :]] for n in range(N))]
        ),
        "test.csv": table([["id", "text"], *([f"t{n:03}", SOURCE[n]] for n in range(N))]),
        **{
            names.format(name): table(
                [["id", "translation"], *([f"t{n:03}", texts[n]] for n in (BACKWARDS if name == "b" else range(N)))]
            )
            for name, texts in SYSTEMS.items()
        },
    }


SHAPES: dict[str, Files] = {
    "OpenCompass": opencompass([*ASKED]),
    "OpenCompass, prompts of messages": opencompass([[{"role": "HUMAN", "prompt": text}] for text in ASKED]),
    "prompts under a name of their own": {
        f"predictions/{name}.json": whole(
            [
                {"shown": f"{name}: {ASKED[row]}", "source": SOURCE[row], "prediction": texts[row], "gold": text}
                for row, text in enumerate(REFERENCE)
            ]
        )
        for name, texts in SYSTEMS.items()
    },
    "outputs of two columns in a folder of outputs": {
        "outputs/t.csv": table(
            [
                ["source", "reference", "google", "prediction"],
                *([SOURCE[row], REFERENCE[row], A[row], B[row]] for row in range(N)),
            ]
        )
    },
    "a system called input-augmented": {
        "src.txt": plain(SOURCE),
        "ref.txt": plain(REFERENCE),
        "input-augmented.txt": plain(A),
        "b.txt": plain(B),
    },
    "SimulEval": simuleval(),
    "files of a word": {
        **{f"{name}.txt": plain(texts) for name, texts in SYSTEMS.items()},
        "ref.txt": plain(REFERENCE),
        "VERSION": b"1.0.2\n",
        "unit.txt": b"word\n",
    },
    "submissions and a solution": submissions("solution.csv"),
    "submissions and a reference": submissions("reference.csv", "{}.csv"),
    "references in two folders": {
        "refA/test.txt": plain(REFERENCE),
        "refB/test.txt": plain(OTHER_REFERENCE),
        "a/test.txt": plain(A),
        "b/test.txt": plain(B),
    },
    "source and texts in folders of languages": {
        "de/source.txt": plain(SOURCE),
        "en/ref.txt": plain(REFERENCE),
        "en/a.txt": plain(A),
        "en/b.txt": plain(B),
    },
    "outputs and reference in folders of one language": {
        "src/de/test.txt": plain(SOURCE),
        "ref/en/test.txt": plain(REFERENCE),
        "a/en/test.txt": plain(A),
        "b/en/test.txt": plain(B),
    },
    "Kaldi, a reference in the folder of data": {
        f"{folder}/text": plain(f"utt{row:03} {text}" for row, text in enumerate(texts))
        for folder, texts in {"data/tst": REFERENCE, "exp/a/decode_tst": A, "exp/b/decode_tst": B}.items()
    },
}
