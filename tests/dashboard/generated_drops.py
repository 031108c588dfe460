"""Generated drops: some systems of the sample in the layouts of many tools, and what is compared of what is read."""

import json
from pathlib import Path

from bleucore import evaluate
from bleucore.formats import assemble, guess

SAMPLE = Path(__file__).parents[2] / "sample_data"
OUTPUTS = ("online", "neural-10k", "neural-20k", "literal", "fluent")
NAMES = (
    "online",
    "neural-40k",
    "gpt-4o",
    "Online-A",
    "ONLINE-B",
    "facebook_nllb",
    "m2m100_418M",
    "s1",
    "HyTER",
    "base",
)
TEXTS = {
    name: (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for name in (*OUTPUTS, "source", "reference-A", "reference-B")
}


def plain(lines):
    return ("\n".join(lines) + "\n").encode()


def in_a_table(*columns, titles):
    return plain(["\t".join(titles), *map("\t".join, zip(*columns, strict=True))])


def in_json(source, reference, output):
    rows = zip(source, reference, output, strict=True)
    return plain(json.dumps({"id": row, "src": s, "ref": r, "mt": m}) for row, (s, r, m) in enumerate(rows))


def flat(texts, systems, references):
    files = {f"{name}.txt": plain(text) for name, text in systems.items()}
    letters = [""] if len(references) == 1 else [".A", ".B"]
    return files | {f"ref{letter}.txt": plain(text) for letter, text in zip(letters, references, strict=True)}


def folders(texts, systems, references):
    files = {f"systems/{name}.txt": plain(text) for name, text in systems.items()}
    files |= {f"references/ref{letter}.txt": plain(text) for letter, text in zip("AB", references, strict=False)}
    return files | {"sources/src.txt": plain(texts["source"])}


def mt_metrics_eval(texts, systems, references):
    files = {f"system-outputs/de-en/{name}.txt": plain(text) for name, text in systems.items()}
    for letter, text in zip("AB", references, strict=False):
        files[f"references/de-en.ref{letter}.txt"] = plain(text)
        files[f"system-outputs/de-en/ref{letter}.txt"] = plain(text)
    return files | {"sources/de-en.txt": plain(texts["source"])}


def wmt_names(texts, systems, references):
    files = {f"newstest2020-deen.hyp.{name}.en": plain(text) for name, text in systems.items()}
    files |= {f"newstest2020-deen.ref.{at}.en": plain(text) for at, text in zip("AB", references, strict=False)}
    return files | {"newstest2020-deen.src.de": plain(texts["source"])}


def a_table_each(texts, systems, references):
    titles = ("src", "ref", "mt")
    return {
        f"{name}.tsv": in_a_table(texts["source"], references[0], text, titles=titles) for name, text in systems.items()
    }


def a_log_each(texts, systems, references):
    return {f"{name}.jsonl": in_json(texts["source"], references[0], text) for name, text in systems.items()}


def one_table(texts, systems, references):
    titles = ("source", "reference", *systems)
    return {"all.tsv": in_a_table(texts["source"], references[0], *systems.values(), titles=titles)}


LAYOUTS = (flat, folders, mt_metrics_eval, wmt_names, a_table_each, a_log_each, one_table)
WITH_ONE_REFERENCE = (mt_metrics_eval, a_table_each, a_log_each, one_table)


def view(test_set):
    """What is compared: systems and references by their texts, and scores."""
    bleu = {name: one.score.score for name, one in evaluate(test_set).systems.items()}
    systems = {system.name: (tuple(system.hypotheses), bleu[system.name]) for system in test_set.systems}
    return systems, sorted(map(tuple, test_set.references)), test_set.source is not None


def written(files, folder):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def drawn(draw, first, n_lines):
    """Some systems with names, and all texts from a line on."""
    texts = {name: lines[first : first + n_lines] for name, lines in TEXTS.items()}
    n_systems = draw.randint(1, 4)
    chosen = zip(draw.sample(NAMES, n_systems), draw.sample(OUTPUTS, n_systems), strict=True)
    return texts, {name: texts[output] for name, output in chosen}


def sets_of(error):
    return [view(assemble(guess(one.columns).columns)) for one in error.sets]


def several(draw, layout):
    """Two test sets, each as its texts and systems, and the files of one drop with both."""
    made = {name: drawn(draw, first, draw.choice([12, 40])) for name, first in (("news", 0), ("talks", 60))}
    files = {
        f"{name}/{file}": data
        for name, (texts, systems) in made.items()
        for file, data in layout(texts, systems, [texts["reference-A"]]).items()
    }
    return made, files
