"""The command ``sample``: what goes out to people, and what comes back with the judgements."""

import csv
import io
import json

import numpy as np
import pytest
import xlsxwriter

N_SEGMENTS = 40
FORMULA, PICTURE = "=SUM(1) ist eins", "<img src=x onerror=alert(1)> Bild"
WORDS = ["猫", "は", "好き", "です", "か", "Haus", "Baum", "–", "weiß", "و", "قال"]
NAMES = ("<b>x & y", "3", "大阪")
FILES = ["<b>x & y.txt", "3.txt", "大阪.txt", "-r", "ref.txt", "-s", "source.txt", "--documents", "docs.txt"]


def texts(seed, share):
    """Segments of which this share of words is another one."""
    random = np.random.default_rng(seed)
    found = []
    for segment in range(N_SEGMENTS):
        words = [WORDS[(segment * 7 + place) % len(WORDS)] for place in range(8)]
        changed = np.flatnonzero(random.random(8) < share)
        found.append(" ".join("x" if place in changed else word for place, word in enumerate(words)))
    return [FORMULA, PICTURE, *found[2:]]


@pytest.fixture
def files(tmp_path):
    """Three systems with names and texts that are hard to carry, in eight documents."""
    columns = {f"{name}.txt": texts(place, 0.2 + 0.2 * place) for place, name in enumerate(NAMES)}
    columns |= {"ref.txt": texts(9, 0), "source.txt": [f"源 {place}" for place in range(N_SEGMENTS)]}
    columns["docs.txt"] = [f"文書 {place // 5}" for place in range(N_SEGMENTS)]
    for name, lines in columns.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return FILES


@pytest.fixture
def drawn(bleuscope, files, tmp_path):
    """The campaign and the rows of the table that a folder gets."""

    def run(*arguments):
        code, out, err = bleuscope("draw", *files, *arguments, "-o", "out/")
        assert (code, out) == (0, ""), err
        table = (tmp_path / "out" / "sample.csv").read_text(encoding="utf-8-sig")
        return json.loads((tmp_path / "out" / "campaign.json").read_text()), list(csv.DictReader(io.StringIO(table)))

    return run


def opinion(segment, system):
    """What people say: the same of a segment whoever asks."""
    return (segment * 37 + NAMES.index(system) * 11) % 100 - 0.5


def estimates(rows):
    """The weighted mean of each system, from the table that went out."""
    found = {}
    for name in NAMES:
        of_system = [row for row in rows if row["system"] in (name, f"'{name}")]
        weights = np.array([float(row["weight"]) for row in of_system])
        values = np.array([opinion(int(row["segment"]), name) for row in of_system])
        found[name] = weights @ values / weights.sum() if of_system else None
    return {name: value for name, value in found.items() if value is not None}


def log_of(sent):
    """What Pearmut writes when everything was judged: the items as they were given to it, a document a line."""
    lines = []
    for number, document in enumerate(sent["data"]):
        said = [
            {
                model: {"score": opinion(item["segment"], item["models"].get(model, model)), "error_spans": []}
                for model in item["tgt"]
            }
            for item in document
        ]
        lines.append({"annotation": said, "actions": [], "item": document, "user_id": "blue-fox", "item_i": number})
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def people(bleuscope, files, tmp_path):
    """What ``agreement`` makes of a file with judgements: the mean of each system, neighbours, and what it says."""

    def run(name, content):
        (tmp_path / name).write_bytes(content)
        found = {}
        for table in ("systems", "neighbours"):
            asked = ["--judgements", name, "--trials", "99", "--table", table, "--format", "json"]
            code, out, err = bleuscope("agreement", *files, *asked)
            assert code == 0, err
            found[table] = json.loads(out)[table]
        return {row["system"]: row["judgement"] for row in found["systems"]}, found["neighbours"], err

    return run


@pytest.mark.parametrize("by", ["difference", "disagreement", "diversity", "document"])
def test_judgements_come_back_with_their_weights_from_pearmut_and_from_the_table(drawn, people, by):
    sent, rows = drawn("--by", by, "--budget", "13", "--seed", "5")
    expected = estimates(rows)
    assert len(expected) == (2 if by == "difference" else 3)
    for row in rows:
        row["score"] = opinion(int(row["segment"]), next(name for name in NAMES if row["system"].endswith(name)))
    table = io.StringIO()
    writer = csv.DictWriter(table, rows[0], delimiter=";")
    writer.writeheader()
    writer.writerows(rows)
    for name, content in (("log.jsonl", log_of(sent)), ("filled.csv", table.getvalue())):
        means, neighbours, said = people(name, content.encode())
        assert means == pytest.approx(expected)
        best, *others = sorted(expected, key=expected.get, reverse=True)
        assert (neighbours[0]["system"], neighbours[0]["next"]) == (best, others[0])
        assert neighbours[0]["difference"] == pytest.approx(expected[best] - expected[others[0]])
        low, high = (neighbours[0][f"interval_{end}"] for end in ("low", "high"))
        if by == "document":  # fewer than six documents were drawn
            assert (low, high) == (None, None)
        else:
            assert low < neighbours[0]["difference"] < high
        assert "Weighted: the judged segments are a sample of all 40." in said
        assert "left out" not in said


def test_a_filled_workbook_comes_back_too(drawn, people, tmp_path):
    _, rows = drawn("--budget", "12", "--system", NAMES[2], "--system", NAMES[1])
    workbook = xlsxwriter.Workbook(tmp_path / "by-hand.xlsx")
    sheet = workbook.add_worksheet()
    sheet.write_row(0, 0, list(rows[0]))
    for place, row in enumerate(rows, start=1):
        row["score"] = opinion(int(row["segment"]), row["system"])
        for column, (title, value) in enumerate(row.items()):
            sheet.write(place, column, float(value) if title in ("segment", "score", "weight", "stratum") else value)
    workbook.close()
    means, _, _ = people("filled.xlsx", (tmp_path / "by-hand.xlsx").read_bytes())
    assert means == pytest.approx(estimates(rows))


def test_who_judges_everything_gets_the_plain_mean(drawn, people):
    sent, _ = drawn("--by", "diversity", "--budget", "99")
    means, _, _ = people("log.jsonl", log_of(sent).encode())
    expected = {name: np.mean([opinion(segment, name) for segment in range(1, N_SEGMENTS + 1)]) for name in NAMES}
    assert means == pytest.approx(expected)


def test_a_campaign_has_nothing_that_a_page_could_run(drawn):
    sent, _ = drawn("--by", "diversity", "--budget", "99", "--protocol", "MQM", "--judges", "4")
    assert sent["info"] == {"assignment": "single-stream", "protocol": "MQM", "users": 4, "seed": 12345}
    items = [item for document in sent["data"] for item in document]
    assert {model for item in items for model in item["tgt"]} == {"system 1", "system 2", "大阪"}
    assert all(item["models"] == {"system 1": "<b>x & y", "system 2": "3"} for item in items)
    (picture,) = (item for item in items if item["segment"] == 2)
    assert set(picture["tgt"].values()) == {f" {PICTURE}"}


def test_documents_stay_whole_in_a_campaign(drawn):
    sent, _ = drawn("--by", "document", "--budget", "13")
    assert [[item["segment"] % 5 for item in document] for document in sent["data"]] == [[1, 2, 3, 4, 0]] * 2


def test_a_formula_is_harmless_in_the_table(drawn):
    _, rows = drawn("--budget", "99")
    assert {row["translation"] for row in rows if row["segment"] == "1"} == {f"'{FORMULA}"}


def test_what_may_have_been_filled_in_is_not_overwritten(drawn, bleuscope, files, tmp_path):
    drawn()
    (tmp_path / "out" / "campaign.json").unlink()
    code, _, err = bleuscope("draw", *files, "-o", "out")
    assert (code, "in which somebody may have worked (found sample.csv). Name another folder." in err) == (2, True)
    assert not (tmp_path / "out" / "campaign.json").exists()


def test_the_commands_that_follow_are_quoted_for_a_shell(bleuscope, files):
    code, _, err = bleuscope("draw", *files, "--budget", "7", "--format", "pearmut", "-o", "it's.json")
    assert code == 0
    assert (
        "7 of 40 segments sampled, preferring segments where the systems' scores differ (seed 12345): 14 outputs" in err
    )
    assert """Next: pearmut add 'it'"'"'s.json'; pearmut run.""" in err


def test_people_are_shown_how_was_drawn(bleuscope, files):
    code, out, _ = bleuscope("draw", *files, "--budget", "20")
    assert code == 0
    assert out.split("\n")[0].split() == ["stratum", "segments", "sampled", "weight"]
    code, out, _ = bleuscope("draw", *files, "--by", "document", "--budget", "20", "--table", "strata", "-f", "json")
    assert [(row["n_drawn"], row["weight"]) for row in json.loads(out)["strata"]] == [(5, 2.0)] * 4


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--system", "nobody"], "Option --system: there is no system of this name"),
        (["--by", "document", "--budget", "4"], "Budget: a document is longer than the budget"),
        (["--system", "3"], "Criterion difference: there is nothing to compare (found the system 3 alone"),
        (["--budget", "0"], "0 is not in the range"),
        (["-o", "nowhere/out.csv", "-f", "csv"], "the folder nowhere does not exist"),
    ],
)
def test_what_cannot_be_is_said(bleuscope, files, arguments, expected):
    code, _, err = bleuscope("draw", *files, *arguments)
    assert code == 2
    assert expected in err


def test_a_log_has_the_name_that_pearmut_gives_it(drawn):
    sent, _ = drawn("--by", "document", "--budget", "13", "--seed", "7")
    assert sent["campaign_id"].startswith("bleuscope-document-")
    assert sent["campaign_id"].endswith("-7")
