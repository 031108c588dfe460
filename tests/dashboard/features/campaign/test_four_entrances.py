"""One drop gives the same sets and numbers on the page, in commands, in Python, as a campaign and in a push."""

import json
import random
from pathlib import Path

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuscope
from bleucore import evaluate
from bleucore.formats import assemble, guess, read
from bleucore.formats.several_sets import SeveralSetsError, several_sets
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.sets import open_set
from bleuscope.features.projects.pushed_texts import read_pushed
from bleuscope.shell.disk.files import load

SAMPLE = Path(__file__).parents[4] / "sample_data"
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


def on_the_page(files):
    columns = [column for name, data in files.items() for column in read(name, data)]
    assert several_sets(columns) == ()
    return view(assemble(guess(columns).columns))


def as_a_campaign(folder):
    return [view(open_set(planned)) for planned in plan_campaign(str(folder)).sets]


def as_pushed(folder):
    """The texts of outputs by their names, and the references that go with them."""
    outputs, told = read_pushed(Inputs((str(folder),)))
    return {one.name: tuple(one.segments) for one in outputs}, sorted(map(tuple, told.references or ()))


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


@settings(deadline=None)
@given(seed=st.integers(0, 10_000), layout=st.sampled_from(LAYOUTS), n_references=st.integers(1, 2))
def test_one_drop_is_the_same_through_five_entrances(seed, layout, n_references, tmp_path_factory):
    draw = random.Random(seed)
    texts, systems = drawn(draw, draw.randint(0, 100), draw.choice([12, 40]))
    references = [texts["reference-A"], texts["reference-B"]][:n_references]
    files = layout(texts, systems, references)
    folder = written(files, tmp_path_factory.mktemp("drop"))
    found = on_the_page(files)
    assert found == view(load(Inputs((str(folder),))).test_set)
    assert found == view(bleuscope.read_test_set(str(folder)))
    assert [found] == as_a_campaign(folder)
    assert as_pushed(folder) == ({name: text for name, (text, _) in found[0].items()}, found[1])
    used = references[:1] if layout in WITH_ONE_REFERENCE else references
    assert found[1] == sorted(map(tuple, used))
    assert sorted(text for text, _ in found[0].values()) == sorted(map(tuple, systems.values()))
    for text, score in found[0].values():
        assert score == pytest.approx(sacrebleu.corpus_bleu(list(text), used).score, abs=1e-9)


def sets_of(error):
    return [view(assemble(guess(one.columns).columns)) for one in error.sets]


@settings(deadline=None)
@given(seed=st.integers(0, 10_000), layout=st.sampled_from(LAYOUTS))
def test_several_sets_in_one_drop_are_the_same_through_five_entrances(seed, layout, tmp_path_factory):
    draw = random.Random(seed)
    made = {name: drawn(draw, first, draw.choice([12, 40])) for name, first in (("news", 0), ("talks", 60))}
    files = {
        f"{name}/{file}": data
        for name, (texts, systems) in made.items()
        for file, data in layout(texts, systems, [texts["reference-A"]]).items()
    }
    folder = written(files, tmp_path_factory.mktemp("drop"))
    columns = [column for name, data in files.items() for column in read(name, data)]
    found = [view(assemble(guess(one.columns).columns)) for one in several_sets(columns)]
    assert found == as_a_campaign(folder)
    for entrance in (lambda: load(Inputs((str(folder),))), lambda: bleuscope.read_test_set(str(folder))):
        with pytest.raises(SeveralSetsError) as refused:
            entrance()
        assert found == sets_of(refused.value)
    with pytest.raises(SeveralSetsError) as refused:
        as_pushed(folder)
    assert found == sets_of(refused.value)
    assert [sorted(text for text, _ in systems.values()) for systems, *_ in found] == [
        sorted(map(tuple, systems.values())) for _, systems in made.values()
    ]
