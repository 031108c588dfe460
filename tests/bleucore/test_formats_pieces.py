"""Files that are pieces of one text are put together; runs, test sets and systems that count are not."""

from bleucore.formats.item_files import with_joined_items
from bleucore.formats.text_pieces import with_joined_pieces

REFERENCE = [f"the {word} dog runs to house {number}" for number, word in enumerate(["big", "old", "red", "new"] * 3)]
SYSTEM = [line.replace("runs", "ran") for line in REFERENCE]


def plain(lines):
    return "".join(f"{line}\n" for line in lines).encode()


def joined(files):
    return dict(with_joined_pieces(tuple(files.items()))[0])


def test_parts_are_put_behind_each_other_in_the_order_of_their_numbers():
    parts = {f"out.rank{rank}.txt": plain(SYSTEM[rank : rank + 1]) for rank in reversed(range(12))}
    assert joined({**parts, "ref.txt": plain(REFERENCE)})["out.txt"] == plain(SYSTEM)


def test_lines_that_processes_took_in_turn_are_put_back_into_the_order_of_the_reference():
    parts = {f"out-rank{rank}.txt": plain(SYSTEM[rank::4]) for rank in range(4)}
    files, said = with_joined_pieces((*parts.items(), ("ref.txt", plain(REFERENCE))))
    assert dict(files)["out.txt"] == plain(SYSTEM)
    assert said == ("out.txt: put together from 4 files, out-rank0.txt to out-rank3.txt, a line of each in turn.",)


def test_runs_that_count_stay_what_they_are():
    files = {f"out.{run}.txt": plain(SYSTEM) for run in range(1, 4)} | {"ref.txt": plain(REFERENCE)}
    assert joined(files) == files


def test_runs_stay_apart_although_a_longer_text_lies_beside_them():
    files = {f"out{run}.txt": plain(SYSTEM) for run in (1, 2)} | {"ref.txt": plain(REFERENCE)}
    files["other.txt"] = plain(REFERENCE * 2)
    assert joined(files) == files


def test_parts_that_do_not_add_up_to_any_text_stay_apart():
    files = {f"out.rank{rank}.txt": plain(SYSTEM[rank * 5 : rank * 5 + 5]) for rank in (0, 1)}
    assert joined({**files, "ref.txt": plain(REFERENCE)}) == {**files, "ref.txt": plain(REFERENCE)}


def test_a_missing_part_leaves_the_others_apart():
    files = {f"out.rank{rank}.txt": plain(SYSTEM[rank * 4 : rank * 4 + 4]) for rank in (0, 2)}
    assert joined({**files, "ref.txt": plain(REFERENCE)}) == {**files, "ref.txt": plain(REFERENCE)}


def test_an_empty_file_of_a_segment_is_an_empty_segment():
    texts = ["a b", "", "c d"]
    files = {f"{folder}/{row}.txt": text.encode() for folder in ("a", "ref") for row, text in enumerate(texts)}
    assert joined(files) == {"a.txt": b"a b\n\nc d\n", "ref.txt": b"a b\n\nc d\n"}


def test_a_name_that_is_taken_gets_a_number():
    parts = {f"out.rank{rank}.txt": plain(SYSTEM[rank * 6 : rank * 6 + 6]) for rank in (0, 1)}
    assert "out (2).txt" in joined({**parts, "out.txt": plain(["x"] * 5), "ref.txt": plain(REFERENCE)})


def test_folders_of_test_sets_that_count_are_no_pieces():
    files = {
        f"{folder}/{number}.txt": plain(lines[number * 3 : number * 3 + 3])
        for folder, lines in {"a": SYSTEM, "ref": REFERENCE}.items()
        for number in range(4)
    }
    assert joined(files) == files


def test_lists_of_documents_are_put_together_where_other_folders_have_the_same_documents():
    lists = {number: f'["{word}", "{word}"]'.encode() for number, word in enumerate(("one", "two", "three"), start=1)}
    same = tuple((f"{folder}/doc{number}.json", lists[number]) for folder in "ab" for number in (1, 3))
    assert [name for name, _ in with_joined_items(same)[0]] == ["a.json", "b.json"]
    others = (*same[:2], ("b/doc1.json", lists[1]), ("b/doc2.json", lists[2]))
    assert with_joined_items(others) == (others, ())


def test_runs_in_folders_of_as_many_lists_are_no_documents():
    runs = tuple(
        (f"{folder}/{number}.json", f'["one {folder}{number}x", "two"]'.encode())
        for folder in "ab"
        for number in (1, 2)
    )
    assert with_joined_items(runs) == (runs, ())


def test_subtitles_of_talks_in_a_folder_for_each_system_are_put_together():
    cue = "1\n00:00:01,000 --> 00:00:09,000\n{}\n"
    words = {1: "cats sleep all day", 2: "nobody paid for lunch"}
    talks = tuple((f"{folder}/t{talk}.srt", cue.format(words[talk]).encode()) for folder in "ab" for talk in words)
    assert [name for name, _ in with_joined_items(talks)[0]] == ["a.json", "b.json"]


def test_the_first_of_several_answers_to_each_segment_is_kept():
    lines = ["cats sleep all day", "nobody paid for lunch", "snow fell on red roofs", "it works again"] * 2
    answers = plain(f"{line} {end}" for line in lines for end in ("one", "two", "three"))
    found = joined({"n.txt": answers, "ref.txt": plain(lines)})
    assert found["n.txt"] == plain(f"{line} one" for line in lines)
    assert joined({"n.txt": answers, "ref.txt": plain(lines[:5])})["n.txt"] == answers


def test_answers_are_not_put_together_where_other_folders_have_as_many_to_other_items():
    def answers(folder, *numbers):
        return tuple((f"{folder}/{number}.json", b'{"translation": "a"}') for number in numbers)

    assert [name for name, _ in with_joined_items(answers("a", 1, 2, 4) + answers("b", 1, 2, 4))[0]] == [
        "a.json",
        "b.json",
    ]
    others = answers("a", 1, 2, 3) + answers("b", 1, 2, 4)
    assert with_joined_items(others) == (others, ())
