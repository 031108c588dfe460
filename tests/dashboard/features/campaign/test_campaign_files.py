"""Which test sets a campaign on a disk holds, what is left out of it and why."""

import io
import json
import os
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from bleucore import InputError
from bleucore.formats.campaign_plan import PlannedFile
from bleuscope.features.campaign import contents as campaign_contents
from bleuscope.features.campaign import plan_files as campaign_files
from bleuscope.features.campaign.plan_files import plan_campaign, plan_of_files, planned_of_uploads
from bleuscope.features.campaign.projects import plan_of_project
from bleuscope.features.campaign.sets import open_set
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import open_workspace

GERMAN = ("Das ist ein Haus.", "Der Hund schläft heute.", "Wir gehen morgen in die Stadt.", "Es regnet seit Tagen.")
ENGLISH = ("This is a house.", "The dog sleeps today.", "Tomorrow we go to town.", "It has been raining for days.")
OUTPUT = ("Das ist ein Haus.", "Der Hund schläft.", "Wir gehen morgen in den Ort.", "Es regnet seit Tagen.")
OTHER = ("Dies ist das Haus.", "Ein Hund schläft heute.", "Morgen gehen wir in die Stadt.", "Seit Tagen regnet es.")
JAPANESE = ("これは家です。", "犬は今日眠ります。", "明日私たちは町へ行きます。", "何日も雨が降っています。")
JAPANESE_OUTPUT = ("これは家だ。", "犬は今日寝ます。", "明日は町へ行きます。", "雨が何日も降っています。")
ARABIC = ("هذا بيت.", "الكلب ينام اليوم.", "نذهب غدا إلى المدينة.", "تمطر منذ أيام.")
ARABIC_OUTPUT = ("هذا منزل.", "ينام الكلب اليوم.", "غدا نذهب إلى المدينة.", "تمطر منذ عدة أيام.")
TEXTS = {
    "en": (ENGLISH, tuple(reversed(ENGLISH))),
    "de": (GERMAN, OUTPUT),
    "ja": (JAPANESE, JAPANESE_OUTPUT),
    "ar": (ARABIC, ARABIC_OUTPUT),
}
PAIRS = ("ar-en", "en-ar", "en-de", "en-ja")


def content(lines):
    return "".join(f"{line}\n" for line in lines).encode()


def planned(files, title="campaign"):
    """The plan of files by their names: lines, or bytes."""
    data = [(name, one if isinstance(one, bytes) else content(one)) for name, one in files.items()]
    return planned_of_uploads(data, title=title)


def one_set(folder):
    """A test set in a folder of its own."""
    return {
        f"{folder}/source.txt": ENGLISH,
        f"{folder}/reference.txt": GERMAN,
        f"{folder}/systems/one.txt": OUTPUT,
        f"{folder}/systems/two.txt": OTHER,
    }


def written(folder, files):
    """The folder with these files in it."""
    for name, one in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one if isinstance(one, bytes) else content(one))
    return folder


def zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, one in files.items():
            archive.writestr(name, one if isinstance(one, bytes) else content(one))
    return packed.getvalue()


def tarred(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, one in files.items():
            data = one if isinstance(one, bytes) else content(one)
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


class TestLayouts:
    """What each way to lay files out is read as."""

    @staticmethod
    def of_pairs(source, reference, output, systems):
        files = {}
        for pair in PAIRS:
            of, into = pair.split("-")
            said = {"pair": pair, "both": of + into, "of": of, "into": into}
            files[source.format(**said)] = TEXTS[of][0]
            files[reference.format(**said)] = TEXTS[into][0]
            for number, system in enumerate(systems):
                files[output.format(system=system, number=1000 + 7 * number + len(files), **said)] = TEXTS[into][1]
        return files

    @pytest.mark.parametrize(
        ("source", "reference", "output", "year"),
        [
            (
                "sources/generaltest2022.{pair}.src.{of}",
                "references/generaltest2022.{pair}.ref.A.{into}",
                "system-outputs/generaltest2022.{pair}.hyp.{system}.{into}",
                "22",
            ),
            (
                "txt/sources/newstest2021.{pair}.src.{of}.txt",
                "txt/references/newstest2021.{pair}.ref.ref-A.{into}.txt",
                "txt/system-outputs/{pair}/newstest2021.{pair}.hyp.{system}.{into}.txt",
                "21",
            ),
            (
                "txt/sources/newstest2019-{both}-src.{of}",
                "txt/references/newstest2019-{both}-ref.{into}",
                "txt/system-outputs/newstest2019/{pair}/newstest2019.{system}.{number}.{pair}",
                "19",
            ),
        ],
        ids=["wmt22", "wmt21", "wmt19"],
    )
    def test_releases_of_wmt(self, source, reference, output, year):
        systems = ("CUNI-DocTransformer", "Facebook_FAIR", "online-A")
        files = self.of_pairs(source, reference, output, systems)
        missing = next(name for name in files if "Facebook_FAIR" in name and "en-ja" in name)
        del files[missing]
        plan = planned(files)
        assert [one.name for one in plan.sets] == [f"WMT{year} {pair}" for pair in PAIRS]
        assert (plan.left_out, plan.passed_over) == ((), ())
        by_name = {one.name.split(" ")[1]: one for one in plan.sets}
        assert tuple(by_name["en-de"].systems) == systems  # the same names in every set
        assert tuple(by_name["en-ja"].systems) == (systems[0], systems[2])
        assert [by_name[pair].languages for pair in ("ar-en", "en-ja")] == [("ar", "en"), ("en", "ja")]
        assert [by_name[pair].tokenizer for pair in PAIRS] == ["13a", "13a", "13a", "ja-mecab"]
        opened = open_set(by_name["en-ja"])
        assert (opened.source, opened.references[0], opened.languages) == (ENGLISH, JAPANESE, ("en", "ja"))
        assert opened.system("online-A").hypotheses == JAPANESE_OUTPUT

    def test_trees_of_mt_metrics_eval(self):
        files = self.of_pairs(
            "wmt23/sources/{pair}.txt",
            "wmt23/references/{pair}.refA.txt",
            "wmt23/system-outputs/{pair}/{system}.txt",
            ("GPT4-5shot", "NLLB_MBR_BLEU", "ONLINE-A"),
        )
        files["wmt23/references/en-de.refB.txt"] = OTHER
        files["wmt23/system-outputs/en-de/refA.txt"] = GERMAN
        files["wmt23/human-scores/en-de.mqm.seg.score"] = ("GPT4-5shot\t1",) * 4
        files["wmt23/documents/en-de.docs"] = ("news\td1", "news\td1", "social\td2", "social\td2")
        files["wmt23/documents/ar-en.docs"] = ("news\td1", "news\td1", "news\td2", "news\td2")
        plan = planned(files)
        assert [(one.name, one.domain) for one in plan.sets] == [
            ("WMT23 ar-en", "news"),
            ("WMT23 en-ar", None),
            ("WMT23 en-de", None),
            ("WMT23 en-ja", None),
        ]
        opened = open_set(plan.sets[2])
        assert opened.documents == ("d1", "d1", "d2", "d2")
        assert opened.labels["domain"] == ("news", "news", "social", "social")
        assert opened.system_names == ("GPT4-5shot", "NLLB_MBR_BLEU", "ONLINE-A")
        assert opened.references == (GERMAN,)
        assert plan.passed_over == (("wmt23/human-scores/en-de.mqm.seg.score", "scores"),)
        second, output = plan.left_out
        assert second[1].startswith(
            "wmt23/references/en-de.refB.txt: the release is scored against wmt23/references/en-de.refA.txt."
        )
        assert "system-outputs/en-de/refA.txt: it holds the same as wmt23/references/en-de.refA.txt" in output[1]

    def test_folders_of_mt_compareval(self):
        files = {"pilot run/source.txt": ENGLISH, "pilot run/reference.txt": GERMAN, "pilot run/config.neon": b"a: b"}
        files |= {f"pilot run/{task}/translation.txt": text for task, text in (("base", OUTPUT), ("新 2", OTHER))}
        plan = planned(files)
        assert [(one.name, tuple(one.systems)) for one in plan.sets] == [("pilot run", ("base", "新 2"))]
        assert plan.passed_over == (("pilot run/config.neon", "settings or notes"),)

    def test_results_of_lm_evaluation_harness(self):
        def samples(answers, targets=GERMAN):
            records = (
                {
                    "doc_id": number,
                    "doc": {"en": source},
                    "target": target,
                    "filtered_resps": [answer],
                    "resps": [[answer]],
                }
                for number, (source, target, answer) in enumerate(zip(ENGLISH, targets, answers, strict=True))
            )
            return "\n".join(map(json.dumps, records)).encode()

        time = "2024-05-01T12-00-01.123456"
        plan = planned(
            {
                f"google__gemma/samples_wmt16-en-de_{time}.jsonl": samples(OUTPUT),
                "google__gemma/samples_wmt16-en-de_2024-04-01T12-00-01.123456.jsonl": samples(GERMAN),
                f"meta__llama/samples_wmt16-en-de_{time}.jsonl": samples(OTHER),
                f"other__model/samples_wmt16-en-de_{time}.jsonl": samples(OTHER, OUTPUT),
                f"meta__llama/samples_mmlu_{time}.jsonl": samples(("-1.5", "-inf", "-0.2", "-3")),
                f"meta__llama/results_{time}.json": b'{"results": {}}',
            }
        )
        (one,) = plan.sets
        assert (one.name, one.languages) == ("wmt16-en-de", ("en", "de"))
        opened = open_set(one)
        assert {name: opened.system(name).hypotheses for name in opened.system_names} == {
            "google__gemma": OUTPUT,
            "meta__llama": OTHER,
        }
        assert opened.references == (GERMAN,)
        older, mmlu, other = sorted(reason for _, reason in plan.left_out)
        assert older.endswith(f"samples_wmt16-en-de_{time}.jsonl of the same model and task is newer.")
        assert "the samples hold no text that a model wrote" in mmlu
        assert "the samples have other targets" in other

    def test_tables_and_xml_that_hold_a_test_set_each(self):
        table = ["source\treference\tbase\tlarge", *map("\t".join, zip(ENGLISH, GERMAN, OUTPUT, OTHER, strict=True))]
        xml = """<dataset id="wmttest2022.de-en"><doc origlang="de" id="d1" domain="news">
            <src lang="de"><p><seg id="1">Haus</seg></p></src>
            <ref lang="en" translator="A"><p><seg id="1">house</seg></p></ref>
            <hyp lang="en" system="Online-A"><p><seg id="1">home</seg></p></hyp></doc></dataset>"""
        plan = planned({"law.tsv": table, "news.tsv": table, "wmttest2022.de-en.all.xml": xml.encode()})
        assert [(one.name, tuple(one.systems), one.domain) for one in plan.sets] == [
            ("law", ("base", "large"), None),
            ("news", ("base", "large"), None),
            ("WMT22 de-en", ("Online-A",), "news"),
        ]
        assert [open_set(one).n_segments for one in plan.sets] == [4, 4, 1]

    def test_a_release_in_text_and_xml_is_counted_once(self):
        segments = {
            name: "".join(f'<seg id="{n}">{text}</seg>' for n, text in enumerate(texts))
            for name, texts in (("src", ENGLISH), ("ref", GERMAN), ("hyp", OUTPUT))
        }
        document = (
            f'<src lang="en"><p>{segments["src"]}</p></src>'
            f'<ref lang="de" translator="A"><p>{segments["ref"]}</p></ref>'
            f'<hyp lang="de" system="Online-A"><p>{segments["hyp"]}</p></hyp>'
        )
        xml = f'<dataset id="newstest2021.en-de"><doc origlang="en" id="d1">{document}</doc></dataset>'
        text = {"src.en": ENGLISH, "ref.A.de": GERMAN, "hyp.Online-A.de": OUTPUT}
        files = {f"txt/newstest2021.en-de.{name}": lines for name, lines in text.items()}
        plan = planned(files | {"xml/newstest2021.en-de.all.xml": xml.encode()})
        assert [(one.name, open_set(one).documents) for one in plan.sets] == [("WMT21 en-de", ("d1",) * 4)]
        assert {path for path, _ in plan.left_out} == files.keys()
        assert "the same test set is read from xml/newstest2021.en-de.all.xml" in plan.left_out[0][1]

    def test_sets_and_systems_in_the_names_of_files(self):
        files = {f"{name}.src.txt": ENGLISH for name in ("news", "law texts")}
        files |= {f"{name}.ref.txt": GERMAN for name in ("news", "law texts")}
        files |= {f"{name}.größer.txt": OUTPUT for name in ("news", "law texts")} | {"news.base.txt": OTHER}
        plan = planned(files)
        assert {one.name: tuple(one.systems) for one in plan.sets} == {
            "law texts": ("größer",),
            "news": ("base", "größer"),
        }

    def test_fifteen_checkpoints_stand_in_their_order(self):
        names = [f"checkpoint_{1000 * number}" for number in range(15)]  # one of which reads like a year
        texts = {f"de/outputs/{name}.txt": (*OUTPUT[:3], f"Schritt {name}.") for name in names}
        plan = planned({"de/ref.txt": GERMAN} | texts)
        assert [tuple(one.systems) for one in plan.sets] == [tuple(names)]


FAULTS = {
    "short/systems/two.txt": OTHER[:3],
    "latin/systems/two.txt": "\n".join(OTHER).encode("latin-1"),
    "empty/systems/two.txt": b"",
    "binary/systems/two.txt": bytes(4000),
}


PIECES = (
    *("ref", "src", "hyp.one", "two", "en-de", "ja", "news.ref", "参照", "sources", "references", "systems", "x.tsv"),
    *("y.json", "z.xml", "a.zip", "README.md", ".hidden", "__MACOSX", "b.seg.score", "en-de.docs", "samples_t.jsonl"),
)


class TestLeftOut:
    """What does not fit is named with its reason, and the rest works."""

    def test_one_output_at_fault_costs_no_other(self):
        files = {name: text for fault in FAULTS for name, text in one_set(fault.partition("/")[0]).items()}
        plan = planned(files | FAULTS)
        assert {one.name: tuple(one.systems) for one in plan.sets} == dict.fromkeys(
            ("short", "latin", "empty", "binary"), ("one",)
        )
        reasons = dict(plan.left_out)
        assert reasons.keys() == FAULTS.keys()
        assert "(found 3 lines, expected 4 as in short/reference.txt)" in reasons["short/systems/two.txt"]
        assert "line 2: the text is not valid in its encoding" in reasons["latin/systems/two.txt"]
        assert "the file is empty" in reasons["empty/systems/two.txt"]
        assert "this is not a text file (found binary data" in reasons["binary/systems/two.txt"]

    def test_a_set_without_a_reference_is_left_out_as_a_whole(self):
        files = one_set("good") | one_set("bad")
        del files["bad/reference.txt"]
        plan = planned(files)
        assert [one.name for one in plan.sets] == ["good"]
        assert sorted(path for path, _ in plan.left_out) == sorted(name for name in files if name.startswith("bad/"))
        assert "its test set, 'bad', has no reference (found 2 outputs, 0 references" in plan.left_out[0][1]

    def test_scores_beside_texts_are_no_texts(self):
        scores = ("system\tBLEU", "one\t10.5", "two\t11.5")
        files = one_set("news") | {"news/published_scores.tsv": scores, "news/x.seg.score": ("0.5",) * 4}
        plan = planned(files)
        assert [tuple(one.systems) for one in plan.sets] == [("one", "two")]
        assert [path for path, _ in (*plan.left_out, *plan.passed_over)] == list(files)[-2:]

    def test_a_length_of_a_long_file_is_counted_not_guessed(self, tmp_path):
        long = {"ref.txt": GERMAN * 3000, "out/one.txt": OUTPUT * 3000, "out/two.txt": (*OUTPUT * 3000, "Ende.")}
        plan = plan_campaign(str(written(tmp_path, long)))
        assert plan.left_out[0][1].startswith(
            "out/two.txt: the number of segments differs (found 12,001 lines, expected 12,000 as in ref.txt)"
        )

    def test_a_broken_byte_behind_the_beginning_is_found(self, tmp_path):
        long = {
            "ref.txt": GERMAN * 3000,
            "out/one.txt": OUTPUT * 3000,
            "out/two.txt": content(OTHER * 3000) + b"\xff\n",
        }
        plan = plan_campaign(str(written(tmp_path, long)))
        assert "line 12,001: the text is not valid in its encoding" in plan.left_out[0][1]

    def test_documents_that_cannot_be_read_cost_no_test_set(self):
        files = {"sources/en-de.txt": ENGLISH, "references/en-de.refA.txt": GERMAN, "documents/en-de.docs": ("x",) * 4}
        plan = planned(files | {"system-outputs/en-de/base.txt": OUTPUT})
        assert [(one.name, one.documents) for one in plan.sets] == [("en-de", None)]
        assert "the line is not made of a domain and a document" in plan.left_out[0][1]

    def test_nothing_to_plan_is_refused(self):
        with pytest.raises(InputError, match=r"campaign: no test set was found \(found 1 file"):
            planned({"one.txt": OUTPUT})

    @given(
        names=st.lists(
            st.builds(
                "/".join,
                st.lists(
                    st.sampled_from(PIECES),
                    min_size=1,
                    max_size=3,
                ),
            ),
            unique=True,
            max_size=12,
        ),
        contents=st.lists(st.sampled_from([content(one) for pair in TEXTS.values() for one in pair] + [b"", b"{"])),
    )
    def test_every_file_is_in_a_set_or_left_out_or_passed_over(self, names, contents):
        data = {name: (contents or [b"x\n"])[index % max(1, len(contents))] for index, name in enumerate(names)}
        data |= {"whole/ref.txt": content(GERMAN), "whole/hyp.txt": content(OUTPUT)}
        plan = plan_of_files("any", {name: PlannedFile(name, name=name, content=one) for name, one in data.items()})
        used = {file.name for one in plan.sets for file in one.files}
        told = {path for path, _ in (*plan.left_out, *plan.passed_over)}
        assert used | told == data.keys()
        assert not used & {path for path, _ in plan.passed_over}
        assert all(reason.endswith((".", "then")) for _, reason in plan.left_out)


class TestDisk:
    """Folders, archives and what must not be followed or waited for."""

    def test_a_folder_is_read_from_where_it_is(self, tmp_path):
        plan = plan_campaign(str(written(tmp_path, one_set("news") | one_set("medical texts"))))
        assert [one.name for one in plan.sets] == ["medical texts", "news"]
        assert [open_set(one).system("two").hypotheses for one in plan.sets] == [OTHER, OTHER]

    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_archives_are_read_set_by_set_and_so_are_archives_in_them(self, tmp_path, pack):
        inner = {"inner.zip": zipped(one_set("law")), ".DS_Store": b"x", "__MACOSX/._a": b"x"}
        (tmp_path / "a.pack").write_bytes(pack(one_set("news") | inner))
        plan = plan_campaign(str(tmp_path / "a.pack"))
        assert [one.name for one in plan.sets] == ["inner/law", "news"]
        assert all(file.content is None for one in plan.sets for file in one.files)
        assert [open_set(one).references for one in plan.sets] == [(GERMAN,), (GERMAN,)]
        assert len(plan.passed_over) == 2

    def test_a_damaged_archive_costs_no_other(self, tmp_path):
        files = {"good.zip": zipped(one_set("news")), "bad.zip": zipped(one_set("law"))[:-40]}
        plan = plan_campaign(str(written(tmp_path, files)))
        assert [one.name for one in plan.sets] == ["news"]
        assert "bad.zip: the archive is damaged or cut off" in plan.left_out[0][1]

    def test_an_archive_in_an_archive_has_no_bounds_of_its_own(self, monkeypatch):
        monkeypatch.setattr(campaign_contents, "MAX_BYTES", 1500)
        files = one_set("news") | {"many.zip": zipped({f"{name}.txt": b"a" * 900 for name in "abcd"})}
        plan = planned({"all.zip": zipped(files)} | one_set("law"))
        assert [one.name for one in plan.sets] == ["law"]
        assert "the archive holds too much" in plan.left_out[0][1]

    def test_many_archives_are_bounded_together(self, tmp_path, monkeypatch):
        monkeypatch.setattr(campaign_files, "MAX_BYTES", 700)
        files = {f"{name}.zip": zipped(one_set(name)) for name in ("law", "news")}
        plan = planned(files)
        assert [one.name for one in plan.sets] == ["law"]
        assert len(plan.left_out) == 4
        assert "news.zip/news/reference.txt: the archives hold too much together" in plan.left_out[0][1]
        plan = plan_campaign(str(written(tmp_path, files)))
        assert [open_set(one).references for one in plan.sets] == [(GERMAN,), (GERMAN,)]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes with names")
    def test_pipes_and_loops_of_links_are_not_followed(self, tmp_path):
        written(tmp_path, one_set("news"))
        os.mkfifo(tmp_path / "news" / "systems" / "pipe.txt")
        (tmp_path / "news" / "loop").symlink_to(tmp_path)
        (tmp_path / "news" / "systems" / "nowhere.txt").symlink_to(tmp_path / "nothing")
        plan = plan_campaign(str(tmp_path))
        assert [tuple(one.systems) for one in plan.sets] == [("one", "two")]
        assert [reason.partition(" (")[0] for _, reason in plan.left_out] == [
            "news/systems/nowhere.txt: the file cannot be read",
            "news/systems/pipe.txt: this is no ordinary file",
        ]

    def test_columns_of_parquet_and_files_of_one_column(self, tmp_path):
        def packed(**columns):
            table = io.BytesIO()
            parquet.write_table(pa.table(columns), table)
            return table.getvalue()

        numbers = [1, 2, 3, 4]
        files = {
            "law/ref.parquet": packed(text=GERMAN, id=numbers),
            "law/out/one.parquet": packed(text=OUTPUT),
            "law/out/two.parquet": packed(text=OTHER[:3]),
            "law/out/numbers.parquet": packed(id=numbers),
            "news.parquet": packed(source=ENGLISH, reference=GERMAN, base=OUTPUT, large=OTHER),
            "bad.parquet": packed(text=OUTPUT)[:60],
        }
        plan = plan_campaign(str(written(tmp_path, files)))
        assert {one.name: tuple(one.systems) for one in plan.sets} == {"law": ("one",), "news": ("base", "large")}
        assert [open_set(one).references for one in plan.sets] == [(GERMAN,), (GERMAN,)]
        assert [reason.partition(" (")[0] for _, reason in plan.left_out] == [
            "bad.parquet: the Parquet file is damaged",
            "law/out/numbers.parquet: the Parquet file holds no texts",
            "law/out/two.parquet: the number of segments differs",
        ]

    def test_a_file_that_changed_since_is_an_error_in_words(self, tmp_path):
        (one,) = plan_campaign(str(written(tmp_path, one_set("news")))).sets
        (tmp_path / "news" / "systems" / "two.txt").write_bytes(content(OTHER[:2]))
        with pytest.raises(InputError, match="the number of segments differs"):
            open_set(one)


YAML = b"""title: Ours
test sets:
  - name: law
    language pair: en-de
    source: texts/law.en
    references: {human: texts/law.de}
    systems: "out/*/law.de"
    domain: law
  - name: gone
    references: texts/none.de
    systems: out/*/law.de
"""
FILES = {"texts/law.en": ENGLISH, "texts/law.de": GERMAN, "out/base/law.de": OUTPUT, "out/big/law.de": OTHER}


class TestManifests:
    """What a manifest names, and what it may not."""

    @staticmethod
    def check(plan):
        (law,) = plan.sets
        assert (plan.title, law.name, law.domain, law.languages) == ("Ours", "law", "law", ("en", "de"))
        opened = open_set(law)
        assert (opened.system_names, opened.reference_names, opened.source) == (("base", "big"), ("human",), ENGLISH)
        assert "the manifest names a file that is not there (found texts/none.de" in dict(plan.left_out).popitem()[1]

    def test_on_a_disk_by_name_or_in_its_folder(self, tmp_path):
        written(tmp_path, FILES | {"campaign.yaml": YAML, "rest.txt": OUTPUT})
        self.check(plan_campaign(str(tmp_path / "campaign.yaml")))
        plan = plan_campaign(str(tmp_path))
        self.check(plan)
        assert plan.passed_over == (("rest.txt", "not named in campaign.yaml"),)

    def test_among_dropped_files_and_in_an_archive(self, tmp_path):
        files = FILES | {"campaign.yaml": YAML}
        self.check(planned(files))
        (tmp_path / "all.zip").write_bytes(zipped({f"ours/{name}": one for name, one in files.items()}))
        self.check(plan_campaign(str(tmp_path / "all.zip")))

    @pytest.mark.parametrize("path", ["/etc/passwd", "../../etc/passwd", "~/x", "C:/x", "texts/../../x"])
    def test_what_was_dropped_names_nothing_outside(self, path):
        manifest = f"sets:\n- {{name: a, references: '{path}', systems: out/base/law.de}}\n".encode()
        with pytest.raises(InputError, match="the manifest names a file outside of what came with it"):
            planned(FILES | {"campaign.yaml": manifest})

    def test_an_encoding_and_a_table(self):
        table = "test set\treference\tsystems\tencoding\nlaw\tr.txt\ta.txt; b.txt\twindows-1252\n"
        latin = {name: "\n".join(one).encode("cp1252") for name, one in (("r.txt", GERMAN), ("a.txt", OUTPUT))}
        (law,) = planned(latin | {"b.txt": OTHER, "campaign.tsv": table.encode()}).sets
        assert open_set(law).references == (GERMAN,)
        assert tuple(law.systems) == ("a", "b")

    def test_a_test_set_of_sacrebleu(self, tmp_path, monkeypatch):
        folder = tmp_path / "wmt22"
        written(folder, {"wmt22.en-de.src": ENGLISH, "wmt22.en-de.ref:A": GERMAN})
        files = {"src": "wmt22.en-de.src", "ref:A": "wmt22.en-de.ref:A"}
        said = {
            "files": {field: str(folder / name) for field, name in files.items()},
            "references": [str(folder / files["ref:A"])],
        }
        monkeypatch.setattr("bleuscope.shell.disk.test_sets._ask", lambda *_: said)
        monkeypatch.setattr("bleuscope.shell.disk.test_sets._cache", lambda: tmp_path)
        manifest = b"sets:\n- {sacrebleu: wmt22, languages: en-de, systems: {ours: a.txt}}\n"
        (one,) = planned({"campaign.yaml": manifest, "a.txt": OUTPUT}).sets
        assert one.test_set == ("wmt22", "en-de")
        opened = open_set(one)
        assert (opened.source, opened.references, opened.system_names) == (ENGLISH, (GERMAN,), ("ours",))


WMT = {"sacrebleu": "wmt22", "languages": "en-de"}


class TestDownloads:
    """What was dropped has nothing fetched from another host, unless that is allowed."""

    def dropped(self, said, **allowed):
        """Test set law, and on line 3 of the manifest another one."""
        files = {"r.txt": GERMAN, "a.txt": OUTPUT}
        texts = {name: "\n".join(lines).encode() for name, lines in files.items()}
        law = {"name": "law", "reference": "r.txt", "systems": {"ours": "a.txt"}}
        sets = [json.dumps(one) for one in (law, {"systems": {"ours": "a.txt"}} | said)]
        manifest = "".join(f"{line}\n" for line in ("sets:", *(f"- {one}" for one in sets)))
        return planned_of_uploads([*texts.items(), ("campaign.yaml", manifest.encode())], **allowed)

    def test_of_sacrebleu_only_what_is_there_is_used(self, tmp_path, monkeypatch):
        modes = []

        def ask(cache, name, pair, mode, seconds):
            modes.append(mode)
            return {"is_absent": True} if mode == "cache" else {"error": "no network here", "is_of_network": True}

        monkeypatch.setattr("bleuscope.shell.disk.test_sets._ask", ask)
        monkeypatch.setattr("bleuscope.shell.disk.test_sets._cache", lambda: tmp_path)
        (tmp_path / "wmt22").mkdir()
        plan = self.dropped(WMT)
        assert ([one.name for one in plan.sets], modes) == (["law"], ["cache"])
        ((_, reason),) = plan.left_out
        assert reason.startswith(
            "campaign.yaml, line 3: on this server nothing is downloaded for what was dropped (found sacrebleu: wmt22, "
            "expected a test set of sacreBLEU that the server has"
        )
        assert reason.endswith("or ask the operator for --download-test-sets.")
        ((_, reason),) = self.dropped(WMT, may_download=True).left_out
        assert (modes[1:], "no network here" in reason) == (["cache", "download"], True)

    def test_it_is_not_fetched_later_either(self, monkeypatch):
        """Where the cache is emptied between planning and reading."""
        monkeypatch.setattr("bleuscope.shell.disk.test_sets._ask", lambda *_: pytest.fail("fetched"))
        monkeypatch.setattr("bleuscope.shell.disk.test_sets._cache", lambda: Path("nowhere"))
        (law,) = self.dropped({"name": "x", "reference": "nowhere.txt"}).sets
        gone = replace(law, references={}, test_set=("wmt22", "en-de"), may_download=False)
        with pytest.raises(InputError, match="would have to be downloaded"):
            open_set(gone)

    @pytest.mark.parametrize("role", ["source", "documents", "reference", "systems"])
    @pytest.mark.parametrize(
        "address", ["http://169.254.169.254/latest", "https://host/*", "s3://bucket/key", "file:///etc/passwd"]
    )
    def test_no_address_is_asked_for_anything(self, monkeypatch, address, role):
        for function in ("fsspec.open", "fsspec.url_to_fs"):
            monkeypatch.setattr(function, lambda *_: pytest.fail("asked"))
        plan = self.dropped({"name": "x", "reference": "r.txt"} | {role: address})
        assert [one.name for one in plan.sets] == ["law"]
        ((_, reason),) = plan.left_out
        said = "campaign.yaml, line 3: a manifest that was dropped or packed names no addresses"
        assert reason.startswith(f"{said} (found {address}, expected a path")

    def test_a_shared_server_allows_it_only_if_it_was_started_so(self):
        for is_shared, downloads_test_sets in ((False, False), (True, False), (True, True)):
            workspace_in_use.use(None, is_shared=is_shared, downloads_test_sets=downloads_test_sets)
            assert workspace_in_use.may_download() == (downloads_test_sets or not is_shared)
        workspace_in_use.use(None, is_shared=False)


def test_a_project_is_a_campaign_of_the_newest_versions(versions_place):
    with open_workspace(versions_place) as workspace:
        project = workspace.projects.find("en-de")
        plan = plan_of_project(workspace, project)
        assert [(one.name, tuple(one.systems)) for one in plan.sets] == [
            ("news", ("base", "nightly & <i>")),
            ("olds", ("old",)),
        ]
        news = open_set(plan.sets[0])
        kept = workspace.projects.test_set(project, "news")
        newest = workspace.projects.versions(project, kept, "base")[-1]
        assert news.system("base").hypotheses == workspace.projects.outputs(newest)
        assert news.references[0] == workspace.projects.references(kept).columns[0]
