"""The command ``campaign`` without what the extra ``dashboard`` brings."""

from tests.without_dashboard import check_that_it_says_what_it_needs, run_command


def test_a_report_says_in_a_line_what_it_needs(tmp_path):
    check_that_it_says_what_it_needs(("campaign", "sets", "--report", "x.html"), tmp_path)


def test_a_campaign_is_scored_and_not_kept(tmp_path):
    folder = tmp_path / "sets" / "news.en-de"
    folder.mkdir(parents=True)
    for name, text in (("ref", "a b c d"), ("one", "a b c d"), ("two", "a b c e")):
        (folder / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    ended = run_command(("campaign", "sets"), tmp_path)
    assert ended.returncode == 0
    assert "100.00" in ended.stdout
    assert "for 1 pair." in ended.stdout
    assert ended.stderr.startswith("bleuscope: Finished test sets are not saved")
