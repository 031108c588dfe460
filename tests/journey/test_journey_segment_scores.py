"""The scores of all segments, downloaded, against those of the engine."""

import json

import pandas as pd
import pyarrow.parquet as pq
import pytest

from bleucore import ChrfOptions, evaluate
from bleuscope.shell.disk.files import load_sample

pytestmark = pytest.mark.browser


def download(visitor, label):
    """The file of a button."""
    with visitor.page.expect_download() as found:
        visitor.page.locator(".st-key-segment-scores").get_by_role("button", name=label).click()
    return found.value


@pytest.fixture
def visitor(visit, sample_server):
    """Somebody who reads the segments of one document."""
    address = "/segments?a=fluent&b=neural-40k&document=recipe&sort=as+given"
    return visit(sample_server).open(address)


def test_scores_of_all_segments_are_those_of_the_engine_and_the_list_has_all_texts(visitor):
    test_set = load_sample().test_set
    evaluation = evaluate(test_set, metrics=[ChrfOptions()])
    tsv, parquet = download(visitor, "TSV"), download(visitor, "Parquet")
    assert (tsv.suggested_filename, parquet.suggested_filename) == ("segment-scores.tsv", "segment-scores.parquet")
    for frame in (pd.read_csv(tsv.path(), sep="\t"), pd.read_parquet(parquet.path())):
        assert frame["segment"].tolist() == list(range(1, test_set.n_segments + 1))
        assert frame["document"].tolist() == list(test_set.documents)
        for metric in evaluation.metrics.values():
            for name, result in metric.systems.items():
                assert frame[f"{metric.name}: {name}"].tolist() == result.segment_scores.tolist()
    told = json.loads(pq.read_schema(parquet.path()).metadata[b"bleuscope"])
    assert told["facts"]["digest"] == test_set.digest
    assert_list_is_saved_with_all_texts(visitor, test_set)


def assert_list_is_saved_with_all_texts(visitor, test_set):
    """The JSON of the list holds the segments of the document alone, with their texts."""
    visitor.page.locator(".st-key-export-segments").get_by_role("button").click()
    visitor.settle()
    with visitor.page.expect_download() as found:
        visitor.page.locator(".st-key-export-files-segments").get_by_role("button", name="JSON").click()
    told = json.loads(found.value.path().read_text(encoding="utf-8"))
    rows = [row for row, document in enumerate(test_set.documents) if document == "recipe"]
    assert [row["segment"] for row in told["segments"]] == [row + 1 for row in rows]
    assert [row["hypothesis_b"] for row in told["segments"]] == [
        test_set.system("neural-40k").hypotheses[row] for row in rows
    ]
    assert told["facts"]["digest"] == test_set.digest
