"""Lines that follow each other as source, reference and output, and plain texts that merely look so by chance."""

from bleucore.formats import read

SOURCE = ["der Hund schläft", "die Katze trinkt Milch", "wir gehen heute", "es regnet stark", "morgen ist Montag"]
REFERENCE = [
    "the dog is asleep now",
    "the cat drinks some milk",
    "we are going today",
    "it is raining hard",
    "tomorrow is a Monday",
]


def columns_of(*lines):
    return read("texts.txt", ("\n".join(lines) + "\n").encode())


def test_few_segments_in_turn_are_read_where_output_and_reference_are_like():
    outputs = [line.replace("is", "was") for line in REFERENCE]
    rows = zip(SOURCE, REFERENCE, outputs, strict=True)
    assert [len(column.segments) for column in columns_of(*(line for row in rows for line in row))] == [5, 5, 5]


def test_a_short_text_with_some_like_lines_stays_a_text():
    menu = [
        "Save",
        "Open the file",
        "Open a folder",
        "Quit",
        "Print the page",
        "Print a range",
        "Help",
        "Find the word",
    ]
    menu += ["Find a name", "Undo", "Close the tab", "Close a window"]
    assert [len(column.segments) for column in columns_of(*menu)] == [12]
