"""Rows that are answers -> a column for each system: long tables, and several answers to one item."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from bleucore.errors import InputError
from bleucore.formats.columns import Column, Role
from bleucore.formats.content_kinds import is_no_text, kind_of
from bleucore.formats.names import stem
from bleucore.formats.run_names import RunName, column_word
from bleucore.formats.unnamed_outputs import refuse_unnamed_outputs
from bleucore.formats.usual_names import role_of
from bleucore.values import shown

_LEAST_ROWS, _LEAST_COUNTED, _MOST_DIGITS = 4, 10, 10
_SYSTEMS = ("system", "systems", "sys", "system_id", "system_name", "model", "model_name", "model_id", "engine")
_SYSTEMS_TOO = (
    "provider",
    "mt_system",
    "translator",
    "submission",
    "team",
    "checkpoint",
    "name",
    "experiment",
    "experiment_name",
    *("datasetrunname", "dataset_run_name", "run_name", "runname"),
)
_RUNS = (
    *("run", "run_id", "seed", "epoch", "repetition", "repeat", "trial", "attempt", "sample_idx", "rep", "replicate"),
    *("sample", "sample_index", "sample_no", "sample_number"),
)
_FACTORS = (
    *("prompt", "prompt_id", "prompt_name", "variant", "temperature", "strategy", "config", "setting", "shots"),
    *("top_p", "beam", "beam_size", "lr", "learning_rate"),
)
_IDS = (
    *("datasetitemid", "dataset_item_id", "dataset_item", "itemid"),
    *("segment_id", "seg_id", "segid", "item_id", "sample_id", "custom_id", "example_id", "id", "uid", "item", "key"),
    *("segment", "seg", "idx", "index", "line", "line_id", "question_id", "doc_id", "document_id", "doc", "document"),
    *("task_id", "sentence_id", "sent_id", "row", "number"),
)
_DOCUMENTS = ("doc_id", "document_id", "doc", "document", "docid", "document_name")
_TARGETS = frozenset({"target", "target_text", "target_segment", "tgt", "tgt_text", "trg"})
"""What holds the output of each system in releases of human ratings, and the reference elsewhere."""
_SOURCES = frozenset({"source", "src", "source_text", "source text", "input"})
"""Systems of these names are the source; "original" may be a model."""
_SIDE = re.compile(r"(.+?)_?([ab12])")
_DIGITS = re.compile(r"[\d\W_]+")
_RUN_WORD = re.compile(r"(?:run|seed|rep|trial|epoch|sample|attempt|r|s)\W{0,2}\w?$|\w?$")
_MOST_NAMED, _LONGEST_NAME, _MOST_FACTORS = 5, 200, 5

Names = tuple[str, ...]


@dataclass(frozen=True)
class _Long:
    """How rows are to be read: what tells systems, what tells items, and which column holds the answers."""

    groups: dict[Names, list[int]]
    items: list[Names]
    answers: Column
    by: tuple[Column, ...]
    item_columns: tuple[Column, ...]
    of_systems: tuple[Column, ...] = ()
    """Settings that each system has one value of, and several systems share."""


def by_system(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file with one for each system, where its rows are answers of several; else as they are.

    Runs, settings, and answers that the same system gave to the same item, are systems of their own, named so that
    ``read_run_name`` tells them again.

    Raises:
        InputError: A system lacks an answer to an item that others have answered, or nothing says whose answers these
            are.
    """
    if not columns or not all(column.is_cell for column in columns) or len(columns[0].segments) < _LEAST_ROWS:
        return tuple(columns)
    sides = _of_sides(columns)
    table = _Table(sides or columns)
    found = table.long()
    if sides and (found is None or not found.by):
        raise InputError(
            "the two answers in a row come from changing systems",
            where=columns[0].file,
            found="systems that have not answered the same items",
            expected="a row for each system and item",
            remedy="Take two systems that answered the same items, and write a row for each of their answers.",
        )
    if found is None or not found.by:
        told = [column for column in columns if _called(column) in (*_SYSTEMS, *_SYSTEMS_TOO)]
        ids = [column for column in columns if _called(column) in _IDS and _ids_of(column) is not None]
        if not told and not ids:
            refuse_unnamed_outputs(columns)
    return tuple(columns) if found is None else tuple(table.pivoted(found))


def with_ids(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file with the ids of its rows, where a column holds an id of its own for each."""
    if not columns or not all(column.is_cell for column in columns) or any(column.ids for column in columns):
        return tuple(columns)
    named = (_ids_of(column) for name in _IDS for column in columns if _called(column) == name)
    ids = next(named, None) or next(filter(None, map(_counted, columns)), None)
    ids = ids or _ids_in_documents(columns) or _ids_of_untitled(columns)
    return tuple(columns) if ids is None else tuple(replace(column, ids=ids) for column in columns)


def _ids_of_untitled(columns: Sequence[Column]) -> tuple[str, ...] | None:
    """The ids where a table without titles has them before its texts."""
    if len(columns) < 2 or columns[0].name != "column 1":  # noqa: PLR2004  # ids and texts
        return None
    found = [ids for column in columns if kind_of(column) == "ids" and (ids := _ids_of(column)) is not None]
    return found[0] if len(found) == 1 else None


def _ids_in_documents(columns: Sequence[Column]) -> tuple[str, ...] | None:
    """The ids where each row has one of its own in its document."""
    called = {_called(column): column for column in columns}
    documents = [called[name] for name in _DOCUMENTS if name in called]
    ids = [called[name] for name in _IDS if name in called and name not in _DOCUMENTS and is_no_text(called[name])]
    for document in documents:
        for one in ids:
            pairs = list(zip(document.segments, one.segments, strict=True))
            if len(set(pairs)) == len(pairs) and all(all(pair) for pair in pairs):
                return tuple(f"{name} {number}" for name, number in pairs)
    return None


def _counted(column: Column) -> tuple[str, ...] | None:
    """The ids where a column of any name but "rank" counts the rows in another order than theirs."""
    ids = _ids_of(column) if all((segment or "").isdecimal() for segment in column.segments) else None
    if ids is None or len(ids) < _LEAST_COUNTED or "rank" in _called(column):
        return None
    numbers = sorted(map(int, ids)) if max(map(len, ids)) < _MOST_DIGITS else []
    is_whole = numbers[:1] in ([0], [1]) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    return ids if is_whole and ids != tuple(map(str, numbers)) else None


def _ids_of(column: Column) -> tuple[str, ...] | None:
    ids = tuple(segment or "" for segment in column.segments)
    if all(one.isdecimal() for one in ids):
        ids = tuple(one.lstrip("0") or "0" for one in ids)  # "007" is 7
    return ids if all(ids) and len(set(ids)) == len(ids) and is_no_text(column) else None


def _called(column: Column) -> str:
    return (column.title or column.name).strip().casefold().replace(" ", "_").replace("-", "_").rpartition(".")[2]


def _of_sides(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Rows with two answers and the names of their systems, as blind comparisons have them, with a row for each answer.

    Nothing where the columns are not of that kind, or each side is always the same system.
    """
    by_side: dict[str, dict[str, Column]] = {}
    for column in columns:
        match = _SIDE.fullmatch(_called(column))
        if match is not None:
            by_side.setdefault(match[1], {})[match[2]] = column
    whole = {name: sides for name, sides in by_side.items() if len(sides) == 2}  # noqa: PLR2004
    systems = next((sides for name, sides in whole.items() if name in _SYSTEMS), None)
    answers = next(
        (
            sides
            for name, sides in whole.items()
            if (role_of(name) == "hypothesis" or name == "conversation") and name not in _SYSTEMS
        ),
        None,
    )
    if systems is None or answers is None or all(len(set(one.segments)) == 1 for one in systems.values()):
        return ()
    sides = [column for found in whole.values() for column in found.values()]
    n_rows = len(columns[0].segments)
    numbers = tuple(str(row) for row in range(n_rows)) * 2
    one = columns[0]
    return (
        *(replace(column, segments=column.segments * 2) for column in columns if column not in sides),
        replace(one, name="item_id", title=None, role="ignore", segments=numbers),
        _above(systems, "system"),
        _above(answers, "hypothesis"),
    )


def _above(sides: dict[str, Column], name: str) -> Column:
    """One column above the other."""
    first, second = (sides[side] for side in sorted(sides))
    role: Role | None = "hypothesis" if name == "hypothesis" else None
    return replace(first, name=name, title=None, role=role, segments=(*first.segments, *second.segments))


class _Table:
    """The columns of a file by what they are called."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns
        self.n_rows = len(columns[0].segments)
        self._called = {_called(column): column for column in columns}

    def long(self) -> _Long | None:
        """How the rows are answers of several systems or several answers to items; ``None`` where they are items."""
        ways = [(by, item) for by in self._systems() for item in self._items(by)]
        most_first = sorted(ways, key=lambda way: -len(way[0]))  # runs of one setting stay together
        for may_repeat in (False, True):
            for by, item in most_first if may_repeat else ways:
                found = self._read(by, item, may_repeat=may_repeat)
                if found is not None:
                    return found
        return None

    def _named(self, names: Iterable[str]) -> list[Column]:
        return [self._called[name] for name in names if name in self._called]

    def _systems(self) -> Iterator[tuple[Column, ...]]:
        """What may tell whose answer a row is, the fewest columns first; nothing where all are of one system."""
        systems = [one for one in self._named((*_SYSTEMS, *_SYSTEMS_TOO)) if self._names_some(one)]
        further = [one for one in self._named((*_RUNS, *_FACTORS)) if self._names_some(one)]
        for system in systems:
            for n_more in range(min(_MOST_FACTORS, len(further)) + 1):
                for more in combinations(further, n_more):
                    yield (system, *more)
        for n_more in range(1, min(_MOST_FACTORS, len(further)) + 1):
            yield from combinations(further, n_more)
        yield ()

    def _names_some(self, column: Column) -> bool:
        """Whether a column repeats a few names."""
        n_values = len(set(column.segments))
        longest = max(len(text or "") for text in column.segments)
        return 1 < n_values <= self.n_rows // 2 and all(column.segments) and longest <= _LONGEST_NAME

    def _items(self, by: Sequence[Column]) -> Iterator[tuple[Column, ...]]:
        """What may tell which item a row answers: ids, then texts that all systems were given."""
        ids = [one for one in self._named(_IDS) if one not in by]
        documents = [one for one in self._named(_DOCUMENTS) if one not in by]
        yield from ((one,) for one in ids)
        yield from ((document, one) for document in documents for one in ids if one is not document)
        for role in ("source", "reference"):
            yield from ((one,) for one in self.columns if _role(one) == role and one not in by)

    def _read(self, by: tuple[Column, ...], item: tuple[Column, ...], *, may_repeat: bool) -> _Long | None:
        """Read rows so; ``None`` where they are not of that kind, or a system answers an item several times."""
        groups: dict[Names, list[int]] = {}
        keys = [tuple(one.segments[row] or "" for one in item) for row in range(self.n_rows)]
        for row in range(self.n_rows):
            groups.setdefault(tuple(one.segments[row] or "" for one in by), []).append(row)
        items = list(dict.fromkeys(keys))
        if len(items) == self.n_rows or (not by and self.n_rows % len(items)) or len(items) == 1:
            return None
        fields = tuple(one for one in self.columns if one not in by and self._is_of_items(one, keys))
        targets = self._targets(fields) if by else ()
        given = [one for one in self.columns if one not in by and one not in targets]
        if any(_role(one) in ("source", "reference") and one not in fields for one in given):
            return None
        answers = targets[0] if targets else self._answers(by, fields)
        if answers is None:
            return None
        times = {name: [keys[row] for row in rows] for name, rows in groups.items()}
        n_each = {name: len(rows) / len(set(times[name])) for name, rows in groups.items()}
        has_texts = any(_role(one) in ("source", "reference") for one in fields)
        most = max(n_each.values())
        if any(n != int(n) for n in n_each.values()) or (most > 1 and not (may_repeat and has_texts)):
            return None
        if by and len(groups) > 1:
            self._refuse_missing(times, items, by)
        if any(len(set(found)) < len(items) for found in times.values()) or (not by and n_each[()] == 1):
            return None
        again = most > 1 and self._tells_again(groups, keys, [*by, *item, *fields, answers])
        rows = _once(groups, keys, answers) if again else {}
        return _Long(rows or _numbered(groups, keys, n_each), items, answers, by, fields, self._of_systems(by))

    def _tells_again(
        self, groups: Mapping[Names, Sequence[int]], keys: Sequence[Names], known: Sequence[Column]
    ) -> bool:
        """Whether a column that names no run tells the rows of an answer apart, as metrics and raters do."""
        cells = [(name, keys[row], row) for name, rows in groups.items() for row in rows]
        open_ones = [one for one in self.columns if one not in known and _called(one) not in _RUNS]
        return any(
            self._names_some(one) and len({(name, key, one.segments[row]) for name, key, row in cells}) == len(cells)
            for one in open_ones
        )

    def _of_systems(self, by: Sequence[Column]) -> tuple[Column, ...]:
        """Settings beside those that tell systems: each system has one value, and several have the same."""
        told = [one for one in by if _called(one) not in (*_RUNS, *_FACTORS)]
        told = told or [one for one in by if _called(one) in _RUNS]
        systems = [tuple(one.segments[row] or "" for one in told) for row in range(self.n_rows)]
        found = []
        for column in self._named(_FACTORS):
            if not told or column in by or not self._names_some(column):
                continue
            values = dict(zip(systems, column.segments, strict=True))
            is_determined = all(values[key] == text for key, text in zip(systems, column.segments, strict=True))
            if is_determined and len(set(values.values())) < len(values):
                found.append(column)
        return tuple(found[: max(0, _MOST_FACTORS - len(by))])

    def _is_of_items(self, column: Column, keys: Sequence[Names]) -> bool:
        """Whether a column says the same wherever the item is the same."""
        said: dict[Names, str | None] = {}
        return all(said.setdefault(key, text) == text for key, text in zip(keys, column.segments, strict=True))

    def _targets(self, fields: Sequence[Column]) -> tuple[Column, ...]:
        """The only column called a target, where systems differ in it and nothing is called an output."""
        free = [one for one in self.columns if one not in fields]
        found = tuple(one for one in free if _called(one) in _TARGETS)
        outputs = [one for one in free if _role(one) == "hypothesis" and _called(one) not in (*_SYSTEMS, *_SYSTEMS_TOO)]
        return found if len(found) == 1 and not outputs else ()

    def _answers(self, by: Sequence[Column], fields: Sequence[Column]) -> Column | None:
        """The column of the answers: named so, else the only other one that holds texts."""
        known = [*self._named((*_SYSTEMS, *_SYSTEMS_TOO, *_RUNS, *_FACTORS, *_IDS)), *by, *fields]
        free = [one for one in self.columns if one not in known and not is_no_text(one)]
        named = [one for one in free if _role(one) == "hypothesis"]
        chosen = named or [one for one in free if _role(one) is None]
        return chosen[0] if len(chosen) == 1 else None

    def _refuse_missing(self, times: dict[Names, list[Names]], items: list[Names], by: Sequence[Column]) -> None:
        """Refuse a long table in which a system lacks some items, unless the items are hardly shared."""
        n_items = {name: len(set(found)) for name, found in times.items()}
        is_shared = min(n_items.values()) * 2 >= len(items)
        for name, found in times.items():
            if is_shared and n_items[name] < len(items):
                known = set(found)
                missing = next(item for item in items if item not in known)
                raise InputError(
                    "a system lacks an answer",
                    where=f"{self.columns[0].file}, {_called(by[0])} {shown(' '.join(name))}",
                    found=f"no row for {shown(' '.join(missing))}",
                    expected=f"a row for each of {len(items):,} items, as other systems have",
                    remedy="Add the row, with an empty text where there is no answer, or take the item out.",
                )

    def pivoted(self, found: _Long) -> Iterator[Column]:
        """A column for each system, behind what all were given."""
        file = self.columns[0].file
        ids = tuple(" ".join(item) for item in found.items)
        first = next(iter(found.groups.values()))
        for one in found.item_columns:
            is_id = (_called(one) in _IDS and _called(one) not in _DOCUMENTS) or names_only_system(one)
            segments = tuple(one.segments[row] for row in first)
            yield replace(one, segments=segments, ids=ids, role="ignore" if is_id else one.role)
        said = [f"{file}: read as {len(found.groups):,} systems with {len(ids):,} segments each."]
        left = [
            one.name
            for one in self.columns
            if one not in (*found.by, *found.item_columns, *found.of_systems) and one is not found.answers
        ]
        if left:
            more = f" and {len(left) - _MOST_NAMED:,} more" if len(left) > _MOST_NAMED else ""
            said.append(
                f"{file}: {', '.join(map(shown, left[:_MOST_NAMED]))}{more} left out: not the same for an item."
            )
        runs = {name: self._named_run(found, name, rows[0]) for name, rows in found.groups.items()}
        roles = _roles_by_names(runs, found.item_columns)
        for name, rows in found.groups.items():
            run = runs[name]
            yield replace(
                found.answers,
                name=str(run),
                title=found.answers.title or found.answers.name,
                system=str(replace(run, runs={})) if run.runs else None,
                role=roles[name],
                segments=tuple(found.answers.segments[row] for row in rows),
                ids=ids,
                notices=(*found.answers.notices, *said),
            )

    def _named_run(self, found: _Long, name: Names, row: int) -> RunName:
        """Whose output it is, what that was set to, as one of its rows says, and which of its runs it is."""
        told = [(_called(one), value) for one, value in zip(found.by, name, strict=False)]
        of_system = [(_called(one), one.segments[row] or "") for one in found.of_systems]
        factors = {column_word(called): value for called, value in (*of_system, *told) if called in _FACTORS}
        system = ", ".join(value for called, value in told if called not in (*_FACTORS, *_RUNS)) or self._only_system()
        runs_said = [one for one in found.by if _called(one) in _RUNS]
        named = {_called(one) for one in runs_said if not system and _names_systems(one)}
        runs = {column_word(called): value for called, value in told if called in _RUNS and called not in named}
        if len(name) > len(found.by):
            runs["repeat" if "run" in runs else "run"] = name[-1]
        system = system or ", ".join(value for called, value in told if called in named)
        return RunName(system or ("" if factors else stem(self.columns[0].file)), factors, runs)

    def _only_system(self) -> str:
        """The system of all rows, where a column names one; else nothing."""
        return next((str(one.segments[0]) for one in self._named(_SYSTEMS) if names_only_system(one)), "")


def _names_systems(column: Column) -> bool:
    """Whether the runs of a column have names of their own, as experiments have, and are not counted or dated."""
    values = {(text or "").casefold() for text in column.segments}
    return len({_DIGITS.sub("", value) for value in values}) == len(values) and not any(map(_RUN_WORD.match, values))


def names_only_system(column: Column) -> bool:
    """Whether a column of a table names the one system of all rows, so that it holds no outputs."""
    first = column.segments[0] if column.segments else None
    is_called = column.is_cell and _called(column) in (*_SYSTEMS, *_SYSTEMS_TOO)
    is_short = bool(first) and len(first or "") <= _LONGEST_NAME
    return is_called and is_short and len(column.segments) >= _LEAST_ROWS and len(set(column.segments)) == 1


def _roles_by_names(runs: Mapping[Names, RunName], fields: Sequence[Column]) -> dict[Names, Role]:
    """The source and the reference where systems are called so, and nothing else is; all others are outputs."""
    given = {_role(one) for one in fields}
    sources = [name for name, run in runs.items() if str(run).strip().casefold() in _SOURCES]
    source = sources[0] if len(sources) == 1 and "source" not in given else None
    is_open = "reference" not in given
    return {
        name: "source"
        if name == source
        else "reference"
        if is_open and role_of(run.system) == "reference"
        else "hypothesis"
        for name, run in runs.items()
    }


def _role(column: Column) -> str | None:
    return column.role or role_of(column.name)


def _once(groups: Mapping[Names, Sequence[int]], keys: Sequence[Names], answers: Column) -> dict[Names, list[int]]:
    """The first row of each answer, where those of a system to an item are the same; else nothing."""
    items = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    said = {(name, keys[row], answers.segments[row]) for name, rows in groups.items() for row in rows}
    if len(said) > len(groups) * len(items):
        return {}
    first = {name: {keys[row]: row for row in reversed(rows)} for name, rows in groups.items()}
    return {name: sorted(rows.values(), key=lambda row: items[keys[row]]) for name, rows in first.items()}


def _numbered(
    groups: dict[Names, list[int]], keys: Sequence[Names], n_each: dict[Names, float]
) -> dict[Names, list[int]]:
    """The rows of each system, or of each of its runs, in the order in which items come first."""
    items = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    found: dict[Names, list[int]] = {}
    for name, rows in groups.items():
        runs: dict[int, list[int]] = {}
        seen: dict[Names, int] = {}
        for row in rows:
            time = seen[keys[row]] = seen.get(keys[row], 0) + 1
            runs.setdefault(time, []).append(row)
        for time, of_run in runs.items():
            title = (*name, str(time)) if n_each[name] > 1 else name
            found[title] = sorted(of_run, key=lambda row: items[keys[row]])
    return found
