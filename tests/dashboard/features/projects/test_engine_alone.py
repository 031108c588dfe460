"""The commands of projects without what the extra ``dashboard`` brings."""

from tests.without_dashboard import check_that_it_says_what_it_needs


def test_a_command_says_in_a_line_what_it_needs(tmp_path):
    check_that_it_says_what_it_needs(("history",), tmp_path)
