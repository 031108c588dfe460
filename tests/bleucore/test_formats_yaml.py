"""Texts in YAML, and what is refused of them."""

import pytest

from bleucore import InputError
from bleucore.formats import read, yaml_values

RECORDS = """
- {id: 007, source: eins, reference: no, hypothesis: "yes"}
- {id: 008, source: zwei, reference: 2024-01-01, hypothesis: !!python/object:os.system two}
"""


def test_every_value_is_read_as_it_is_written():
    found = {column.role: column.segments for column in read("t.yaml", RECORDS.encode())}
    assert found["reference"] == ("no", "2024-01-01")
    assert found["hypothesis"] == ("yes", "two")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &x [1]\nb: *x\n", "the file repeats a part of itself"),
        ("a: [1\n", "this is no YAML"),
        ("? [a, b]\n: c\n", "this is no YAML"),
        ("source: a\nsource: b\n", "a key is there twice"),
        ("[" * 20 + "]" * 20, "too deep or too large"),
        ("a: " + "x " * 100, "the YAML is too large"),
    ],
)
def test_what_is_broken_or_too_much_is_refused(text, said, monkeypatch):
    monkeypatch.setattr(yaml_values, "_MOST_CHARACTERS", 100)
    with pytest.raises(InputError, match=said):
        read("t.yaml", text.encode())
