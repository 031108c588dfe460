"""Significance tests in the browser: settings in the address, selections, scores from files."""

import pytest

pytestmark = pytest.mark.browser

LINK = (
    "/significance?a=literal&b=neural-40k&panel=All+pairs&test=paired-bootstrap&unit=document&correction=none"
    "&seed=7&resamples=500&level=0.01"
)
HUMAN_SCORES = "system\tsegment\tstars\n" + "".join(
    f"{system}\t{segment}\t{stars}\n"
    for system, stars in zip(
        ("online", "neural-10k", "neural-20k", "neural-40k", "assistant", "fluent", "human", "literal"),
        (1, 2, 3, 4, 4, 3, 5, 1),
        strict=True,
    )
    for segment in range(1, 217)
)


def test_a_link_restores_the_test_with_all_its_settings(visit, sample_server):
    visitor = visit(sample_server).open(LINK)
    note = "Paired bootstrap, 500 resamples over 12 documents (216 segments). p not corrected for all 28 pairs"
    assert note in visitor.text()
    assert "the systems fall into 3 clusters" in visitor.text()
    visitor.turn_to("Scores")
    assert "500 resamples over 12 documents" in visitor.text()
    for part in ("test=paired-bootstrap", "unit=document", "seed=7", "resamples=500", "correction=none"):
        assert part in visitor.page.url
    visitor.page.reload()
    visitor.settle()
    assert "500 resamples over 12 documents" in visitor.text()


def test_scores_from_files_are_tested_and_found_again_after_a_reload(visit, sample_server, tmp_path):
    file = tmp_path / "stars.tsv"
    file.write_text(HUMAN_SCORES)
    visitor = visit(sample_server).open("/test-set")
    visitor.page.locator(".st-key-score-files input[type=file]").set_input_files(str(file))
    visitor.page.get_by_text("Loaded and shown under Scores").wait_for()
    visitor.turn_to("Scores")
    assert "stars ↑" in visitor.text()
    visitor.page.reload()
    visitor.settle()
    assert "stars ↑" in visitor.text()
    other = visit(sample_server).open("/significance?" + visitor.page.url.split("?")[1] + "&tested=stars&a=online")
    assert "+3.00 stars" in other.text()
