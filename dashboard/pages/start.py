"""The bare address: the first results if something is open, else the page that opens files."""

from dashboard.shell import links
from dashboard.shell.frame import open_test_set

links.go_on_to("test_set" if open_test_set() is None else "scores")
