"""What a reader could take for something else without a word: texts come out as they went in, or nothing does."""

import pytest

from bleucore import InputError
from bleucore.formats.json_dumps import _systems
from bleucore.formats.r_tables import with_tabs
from bleucore.formats.unit_xml import unit_columns
from bleucore.formats.yaml_values import yaml_values


def test_r_escapes_quotation_marks_alone_and_writes_na_for_nothing():
    text = '"ref" "a"\n"1" "C:\\new" "say \\"x\\""\n"2" "NA" NA\n'
    assert with_tabs(text) == 'row\tref\ta\n1\tC:\\new\tsay "x"\n2\tNA\t\n'


def test_nulls_of_yaml_are_empty_and_quoted_digits_are_texts():
    (item,) = yaml_values("t.yaml", "a: null\nb: 'null'\nc: ~\nd: '42'\ne: 42\nf:\n").items
    assert item == {"a": "", "b": "null", "c": "", "d": "42", "e": "42", "f": ""}
    assert [key for key, value in item.items() if type(value) is not str] == ["e"]


def test_binary_data_in_yaml_is_refused():
    with pytest.raises(InputError, match="in Base64"):
        yaml_values("t.yaml", "a: one\nb: !!binary SGVsbG8=\n")


def elan(*tiers, times=True):
    slots = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="t{n}"' + (f' TIME_VALUE="{n}"' if times else "") + "/>" for n in range(3)
    )
    return f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>{''.join(tiers)}</ANNOTATION_DOCUMENT>".encode()


def tier(name, kind, texts):
    inside = "".join(
        f'<{kind}_ANNOTATION ANNOTATION_ID="{name}{place}" ANNOTATION_REF="ref{n}" TIME_SLOT_REF1="t{n}">'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></{kind}_ANNOTATION>"
        for place, (n, text) in enumerate(texts)
    )
    inside = inside.replace(' ANNOTATION_REF="ref', ' X="') if kind == "ALIGNABLE" else inside
    inside = inside.replace(" TIME_SLOT_REF1", " X") if kind == "REF" else inside
    return f'<TIER TIER_ID="{name}">{inside}</TIER>'


def test_tiers_of_elan_may_stand_before_their_parent_and_lose_no_annotation():
    parent = tier("ref", "ALIGNABLE", enumerate("xyz"))
    words = tier("words", "REF", [(0, "one"), (0, "two"), (1, "a"), (2, "b")])
    columns = unit_columns("t.eaf", elan(tier("mt", "REF", enumerate("abc")), parent, words))
    assert {column.name: column.segments for column in columns} == {"mt": tuple("abc"), "ref": tuple("xyz")}
    assert "words" in columns[0].notices[0]
    with pytest.raises(InputError, match="no texts"):
        unit_columns("t.eaf", elan(parent, times=False))


def test_systems_of_one_model_are_told_by_their_names():
    document = {"systems": [{"name": name, "model": "m", "kind": "reference", "outputs": [name] * 3} for name in "xy"]}
    dump = _systems("t.json", document)
    assert dump.records[0] == {"x": "x", "y": "y"}
