"""What a command says to people who do not know it yet."""

import pytest

from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.sheet import Field
from bleuscope.content.sheets.terminal import CAPTION_WIDTH, NO_ROWS, table_text


@pytest.mark.parametrize("group", ["workspace", "team", "token", "annotate"])
def test_a_group_without_a_command_prints_its_help_line_by_line(bleuscope, group):
    code, out, err = bleuscope(group)
    assert (code, out) == (2, "")
    assert err.startswith(f"Usage: bleuscope {group}")
    assert "\nCommands:\n" in err
    assert max(map(len, err.splitlines())) <= CAPTION_WIDTH


def test_a_refusal_ends_with_a_full_stop_before_it_names_the_help(bleuscope):
    assert bleuscope("history", "nope")[2].endswith("(nope). See bleuscope history --help.\n")


def test_a_signature_breaks_between_its_parts_and_a_table_without_rows_says_so():
    parts = [f"part{place}:value" for place in range(20)]
    said = table_text(sheet_of("empty", (f"Signature: {'|'.join(parts)}.",), [(Field("a", "a", "text"), [])], {}))
    assert NO_ROWS in said
    assert "".join(said.splitlines()).endswith(f"{'|'.join(parts)}.")
    assert all(line.endswith(("|", ".")) for line in said.splitlines() if "part" in line)
