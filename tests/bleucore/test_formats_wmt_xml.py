"""WMT XML."""

import pytest

from bleucore.errors import InputError
from bleucore.formats import read


def block(tag, *texts, **attributes):
    extra = "".join(f' {name}="{value}"' for name, value in attributes.items())
    inner = "".join(f'<seg id="{number + 1}">{text}</seg>\n' for number, text in enumerate(texts))
    return f"<{tag}{extra}><p>{inner}</p></{tag}>\n"


def dataset(*documents):
    return f'<?xml version="1.0"?>\n<dataset id="t"><collection id="g">{"".join(documents)}</collection></dataset>'


def document(identifier, *blocks, **attributes):
    extra = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<doc id="{identifier}"{extra}>{"".join(blocks)}</doc>\n'


def columns(text):
    return [(column.role, column.name, column.segments) for column in read("wmt.xml", text.encode())]


def refusal(text):
    with pytest.raises(InputError) as caught:
        read("wmt.xml", text.encode())
    return str(caught.value)


def test_source_references_systems_and_labels_come_in_this_order():
    text = dataset(
        document(
            "d1",
            block("hyp", "h1", "h2", system="S"),
            block("src", "s1", "s2", lang="fr"),
            block("ref", "r1", "r2", translator="A"),
            domain="news",
            origlang="fr",
        ),
        document(
            "d2",
            block("src", "s3"),
            block("ref", "r3", translator="A"),
            block("hyp", " h3 ", system="S"),
            domain="chat",
            origlang="fr",
        ),
    )
    assert columns(text) == [
        ("source", "source", ("s1", "s2", "s3")),
        ("reference", "A", ("r1", "r2", "r3")),
        ("hypothesis", "S", ("h1", "h2", "h3")),
        ("label", "origlang", ("fr", "fr", "fr")),
        ("label", "domain", ("news", "news", "chat")),
    ]
    keys = {column.keys for column in read("wmt.xml", text.encode())}
    assert keys == {(("d1", "1"), ("d1", "2"), ("d2", "1"))}


def test_a_label_that_one_document_lacks_is_no_column():
    text = dataset(
        document("d", block("src", "s"), domain="news", origlang="fr"), document("e", block("src", "s"), origlang="de")
    )
    assert columns(text) == [("source", "source", ("s", "s")), ("label", "origlang", ("fr", "de"))]


def test_references_without_a_translator_are_numbered_within_the_document():
    text = dataset(
        document("d", block("ref", "a"), block("ref", "b")), document("e", block("ref", "c"), block("ref", "d"))
    )
    assert columns(text) == [("reference", "reference", ("a", "c")), ("reference", "reference (2)", ("b", "d"))]


def test_a_reference_may_lack_segments_and_documents():
    text = dataset(
        document(
            "d", block("src", "a", "b"), block("ref", "x", translator="A"), block("ref", "y", "z", translator="B")
        ),
        document("e", block("src", "c"), block("ref", "w", translator="B")),
    )
    assert columns(text) == [
        ("source", "source", ("a", "b", "c")),
        ("reference", "A", ("x", None, None)),
        ("reference", "B", ("y", "z", "w")),
    ]


@pytest.mark.parametrize(
    ("blocks", "place"),
    [
        ((block("src", "a", "b"), block("hyp", "x", system="S")), "hypothesis 'S'"),
        ((block("src", "a"), block("hyp", "x", "y", system="S")), "source 'source'"),
        ((block("src", "a"), block("ref", "x", "y")), "source 'source'"),
    ],
)
def test_a_source_or_system_that_lacks_a_segment_is_an_error(blocks, place):
    assert refusal(dataset(document("d", *blocks))).startswith(
        f"wmt.xml, {place}: a segment is missing (found no segment '2' in document 'd', expected every segment"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            dataset(document("d", block("src", "a"), block("hyp", "b"))),
            "a hypothesis has no system (found <hyp>, expected",
        ),
        (
            dataset(document(" ", block("src", "a"))),
            "wmt.xml, line 2: a document has no id (found <doc>, expected <doc id",
        ),
        (
            dataset(document("d", block("src", "a"), block("src", "a"))),
            "source 'source', line 4: a segment is there twice",
        ),
        (dataset(document("d", block("src", "a")), document("d", block("src", "a"))), "a segment is there twice"),
        (dataset(document("d", block("hyp", system="S"))), "hypothesis 'S': a hypothesis has no segments"),
        (dataset(document("d")), "there are no segments"),
        (
            dataset(block("src", "a")),
            "found <src> directly in <dataset>, expected <doc> outside, <src>, <ref>, <hyp> in it",
        ),
        (dataset(document("d", '<seg id="1"/>')), "found <seg> directly in <doc>"),
    ],
)
def test_what_cannot_be_read_without_loss_is_refused(text, message):
    assert message in refusal(text)
