"""What is public, a line for each name, in ``tests/public``: ``python tests/public_names.py --write`` writes it anew.

``docs/reference/stability.md`` says what is promised of it; ``tests/test_public.py`` fails where the two differ.
"""

import enum
import importlib
import inspect
import json
import re
import sys
import tempfile
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import fields, is_dataclass
from io import StringIO
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "public"
CHANGELOG, DOCS = ROOT / "CHANGELOG.md", ROOT / "docs"
SIMPLE = bool | int | float | str | None
SHARED = re.compile(r"(NO_COLOR|FORCE_COLOR|CLICOLOR\w*|COLUMNS|SACREBLEU|SLURM_\w+|BLEUSCOPE_\w*[A-Z])")
"""Variables: ours, and those of others that the program obeys."""
WORDS = ("ein", "der", "Hund", "lief", "heute", "schnell", "durch", "alte", "Stadt", "7", "Berlin", "nicht")
SYSTEMS = ("one", "two", "three", "four")
ON_TEXTS = {
    "score": ("--segments", "-m", "bleu", "chrf"),
    "compare": (),
    "segments": ("--pair", "one", "two"),
    "ngrams": ("--pair", "one", "two"),
    "slices": ("--pair", "one", "two"),
    "lint": (),
    "kinds": ("--pair", "one", "two", "--source", "source.txt"),
    "references": (),
    "sensitivity": (),
    "runs": ("--run", "one=first", "--run", "two=first", "--run", "three=second", "--run", "four=second"),
    "plan": (),
    "neural": ("--source", "source.txt"),
    "agreement": ("--judgements", "judgements.jsonl"),
    "draw": (),
}
"""Commands that write JSON of a few texts, with what they need besides."""
_PROJECT = ("--project", "en-de", "--test-set", "news", "--workspace", "kept")
OTHERWISE = {
    "gate": ("two.txt", "--baseline", "one.txt", "-r", "ref.A.txt"),
    "align": ("two.txt", "-r", "ref.A.txt"),
    "campaign": ("sets",),
    "plugin-check": (),
    "push": ("one.txt", "-r", "ref.A.txt", "--version", "1", *_PROJECT),
    "history": _PROJECT,
    "workspace info": _PROJECT[-2:],
}
"""Commands that take something else."""


def written_default(value):
    if isinstance(value, SIMPLE) and not isinstance(value, enum.Enum):
        return repr(value)
    return "…"


def parameters_of(function):
    """As in ``(test_set, options=…, *, seed=1)``."""
    parts, is_keyword_only = [], False
    for one in inspect.signature(function).parameters.values():
        if one.name in ("self", "cls"):
            continue
        if one.kind is one.KEYWORD_ONLY and not is_keyword_only:
            is_keyword_only = True
            parts.append("*")
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        is_keyword_only |= one.kind is one.VAR_POSITIONAL
        default = "" if one.default is one.empty else f"={written_default(one.default)}"
        parts.append(f"{stars}{one.name}{default}")
    return f"({', '.join(parts)})"


def members_of(name, kind):
    yield f"{name}{parameters_of(kind)}" if not hasattr(kind, "_is_protocol") else name
    if is_dataclass(kind):
        yield from (f"{name}.{one.name}" for one in fields(kind))
    for member in sorted({key for base in kind.__mro__ if base.__module__.startswith("bleu") for key in vars(base)}):
        found = inspect.getattr_static(kind, member)
        if member.startswith("_") or (is_dataclass(kind) and member in {one.name for one in fields(kind)}):
            continue
        function = getattr(found, "__func__", found)
        yield f"{name}.{member}{parameters_of(function) if inspect.isfunction(function) else ''}"


def lines_of(name, value):
    """The lines of a public name: of a class also those of what it has."""
    if inspect.isclass(value) and value.__module__.startswith("bleu"):
        return list(members_of(name, value))
    return [f"{name}{parameters_of(value)}"] if inspect.isfunction(value) else [name]


def python():
    found = []
    for package in ("bleucore", "bleuscope"):
        module = importlib.import_module(package)
        found += [line for name in module.__all__ for line in lines_of(f"{package}.{name}", getattr(module, name))]
    return found


def documented_modules():
    """The modules of the Python API in the documentation, with what each offers."""
    found = []
    for page in sorted((DOCS / "reference" / "api").glob("*.md")):
        for name in re.findall(r"automodule:: (\S+)", page.read_text(encoding="utf-8")):
            module = importlib.import_module(name)
            listed = getattr(module, "__all__", None) or [
                one
                for one, value in vars(module).items()
                if not one.startswith("_") and getattr(value, "__module__", None) == name
            ]
            found += [f"{name}.{one}" for one in listed]
    return found


def context_of(group):
    import click

    return click.Context(group, info_name="bleuscope", resilient_parsing=True)


def of_command(name, command):
    import click

    if command.hidden:
        return
    yield name + (f"  (deprecated: {command.deprecated})" if command.deprecated else "")
    for one in command.params:
        if getattr(one, "hidden", False) or one.name == "help":
            continue
        kind = "|".join(one.type.choices) if isinstance(one.type, click.Choice) else one.type.name
        usual = one.default if isinstance(one.default, str | int | float) and one.default is not False else None
        is_flag, is_argument = getattr(one, "is_flag", False), isinstance(one, click.Argument)
        bounds = [getattr(one.type, end, None) for end in ("min", "max")]
        said = ["flag" if is_flag else kind]
        said += ["required"] if one.required else []
        said += [" to ".join("…" if end is None else f"{end:g}" for end in bounds)] if bounds != [None, None] else []
        said += ["several"] if one.nargs == -1 or (one.multiple and not is_argument) else []
        said += [f"default {usual}"] if usual is not None and not is_flag else []
        said += ["default on"] if is_flag and one.default is True else []
        said += ["deprecated"] if getattr(one, "deprecated", False) else []
        called = "/".join([*one.opts, *one.secondary_opts]) if isinstance(one, click.Option) else one.name.upper()
        yield f"{name} {called}: {', '.join(said)}"
    for inner, found in sorted(getattr(command, "commands", {}).items()):
        yield from of_command(f"{name} {inner}", found)


def commands():
    from bleuscope.cli.command import COMMANDS, FORMER, bleuscope

    context = context_of(bleuscope)
    found = [line for name in COMMANDS for line in of_command(name, bleuscope.get_command(context, name))]
    found += [f"{name}  (deprecated: now {now}, goes in {goes})" for name, (now, goes) in FORMER.items()]
    table = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    return found + [f"exit code {code}" for code in re.findall(r"(?m)^\| (\d+) \|", table)]


def addresses():
    from bleuscope.registry import own_features
    from bleuscope.runtime.params import PARAMS
    from bleuscope.shell.state.page_list import PAGES

    of_features = [page for feature in own_features() for page in feature.pages]
    pages = sorted({page.address for page in (*PAGES.values(), *of_features)})
    secrets = sorted(f"{page.address}?{page.link.key}" for page in of_features if page.link is not None)
    keys = [f"?{name}: {one.kind}" for name, one in sorted(PARAMS.items())]
    return [*(f"/{page}" for page in pages), *(f"/{page}" for page in secrets), *keys]


def manifests():
    from bleucore.formats import campaign_manifest as manifest

    found = ["campaign title", "campaign runs", *(f"campaign {word}" for word in manifest._SETS)]
    found += [f"campaign test set {word} = {meant}" for word, meant in sorted(manifest._WORDS.items())]
    return found + [f"campaign file {word}" for word in manifest._PLACE]


def plugins():
    from bleucore.checks.registry import Check
    from bleucore.formats.registry import Format
    from bleucore.metrics.registry import Metric
    from bleucore.plugins import Group
    from bleuscope import registry
    from bleuscope.neural.manifest import NeuralMetric

    kinds = {"bleuscope.metrics": Metric, "bleuscope.checks": Check, "bleuscope.formats": Format}
    kinds |= {"bleuscope.features": registry.Feature, "bleuscope.neural_metrics": NeuralMetric}
    found = []
    for group in get_args(Group):
        found += [f"entry points {group}", *(lines_of(kinds[group].__name__, kinds[group]) if group in kinds else [])]
    made_of = [one for one in vars(registry).values() if inspect.isclass(one) and one.__module__ == registry.__name__]
    return found + [line for one in made_of if one is not registry.Feature for line in lines_of(one.__name__, one)]


def http():
    from bleuscope.features.projects.api import openapi, operations

    document = openapi.document()
    found = [f"GET {operations.DESCRIPTION}"]
    for path, at in document["paths"].items():
        for method, said in at.items():
            if method == "parameters":
                continue
            name = f"{method.upper()} {operations.BASE}{path}"
            found += [name, *(f"{name} {one['in']} {one['name']}" for one in said.get("parameters", ()))]
            kinds = [*said.get("requestBody", {}).get("content", {})]
            found += [f"{name} body {kind}" for kind in kinds]
            found += [f"{name} answers {status}" for status in said["responses"]]
    for name, schema in document["components"]["schemas"].items():
        found += of_schema(name, schema)
    return found


def of_schema(name, schema):
    kind = schema.get("type", "any")
    needed = set(schema.get("required", ()))
    written = kind if isinstance(kind, str) else " or ".join(kind)
    found = [f"{name}: {written}"]
    for key, one in schema.get("properties", {}).items():
        first, *others = of_schema(f"{name}.{key}", one)
        found += [first if key in needed else f"{first}, may be left out", *others]
    return found + (of_schema(f"{name}[]", schema["items"]) if "items" in schema else [])


def environment():
    """Variables that the code and the documentation name."""
    code = [*(ROOT / "bleucore").rglob("*.py"), *(ROOT / "dashboard").rglob("*.py"), *(ROOT / "deploy").iterdir()]
    in_code = {name for path in code if path.is_file() for name in variables_in(path)}
    in_docs = {name for path in (*DOCS.rglob("*.md"), ROOT / "SECURITY.md") for name in variables_in(path)}
    return sorted(in_code & in_docs)


def variables_in(path):
    return re.findall(rf"\b{SHARED.pattern}\b", path.read_text(encoding="utf-8"))


def outputs():
    """The keys of the JSON that commands write, with their types."""
    found = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        texts = [*write_texts(Path()), "-r", "ref.A.txt", "-r", "ref.B.txt"]
        for command, more in ON_TEXTS.items():
            found += [f"{command} {line}" for line in of_json(printed(command, *texts, *more))]
        for command, all_words in OTHERWISE.items():
            found += [f"{command} {line}" for line in of_json(printed(*command.split(), *all_words))]
    return found


def printed(*arguments):
    """What a command prints as JSON."""
    from bleuscope.cli.command import bleuscope as program

    written = StringIO()
    # gate ends with 1 where a system is worse
    with redirect_stdout(written), redirect_stderr(StringIO()), suppress(SystemExit):
        program.main([*arguments, "--format", "json"], prog_name="bleuscope", standalone_mode=False)
    return json.loads(written.getvalue())


def write_texts(folder):
    """A few texts, which are the same every time; gives the outputs."""

    def line(shift, segment):
        return " ".join(WORDS[(shift * word + segment) % len(WORDS)] for word in range(1, 8))

    for number, name in enumerate(("ref.A", "ref.B", "source", *SYSTEMS), 1):
        lines = [line(1 if segment % 4 else number, segment) for segment in range(12)]
        for place in (folder, folder / "sets" / "news", folder / "sets" / "chat"):
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    judged = [
        {"system": name, "segment": segment, "score": 7 * segment + number}
        for number, name in enumerate(SYSTEMS)
        for segment in range(1, 13)
    ]
    (folder / "judgements.jsonl").write_text("\n".join(map(json.dumps, judged)) + "\n", encoding="utf-8")
    return [f"{name}.txt" for name in SYSTEMS]


def of_json(document):
    kinds = {}
    _collect(kinds, "", document)
    for path, found in sorted(kinds.items()):
        yield f"{path or '(whole)'}: {' or '.join(sorted(found - {'null'} or found))}"


def _collect(kinds, path, value):
    if isinstance(value, Mapping):
        for key, one in value.items():
            called = "NAME" if set(value) <= {*SYSTEMS, "BLEU", "chrF2"} or " " in key else key
            _collect(kinds, f"{path}.{called}" if path else called, one)
    elif isinstance(value, list):
        kinds.setdefault(path, set()).add("list")
        for one in value:
            _collect(kinds, f"{path}[]", one)
    else:
        kind = {bool: "truth", str: "text", type(None): "null"}.get(type(value), "number")
        kinds.setdefault(path, set()).add(kind)


def numbers():
    """Scores, intervals, p-values and findings of the sample comparison, in eight digits."""
    sample = ROOT / "sample_data"
    texts = [str(sample / f"{name}.txt") for name in ("online", "neural-40k", "literal")]
    texts += [word for name in "AB" for word in ("-r", str(sample / f"reference-{name}.txt"))]
    found = []
    for row in printed("score", *texts, "-m", "bleu", "chrf", "ter")["systems"]:
        found += [f"BLEU of {row['name']}: {row['bleu']:.8g}"]
        found += [f"{metric} of {row['name']}: {score:.8g}" for metric, score in row["metrics"].items()]
    keys = ("interval_low", "interval_high", "difference", "p_value", "corrected_p_value")
    for test in ("approximate-randomisation", "paired-bootstrap"):
        settings = ("--table", "systems", "--test", test, "--unit", "segment", "--seed", "7", "--metrics", "bleu")
        for row in printed("compare", *texts, "--baseline", "online", *settings)["systems"]:
            found += [f"{test} of {row['system']}, {key}: {row[key]:.8g}" for key in keys if row[key] is not None]
    for row in printed("lint", "--sample")["checks"]:
        found += [f"check {row['check']} of {row['subject']}: {row['n_segments']} segments"]
    return found


SUBJECTS = {
    "python": python,
    "python-reference": documented_modules,
    "commands": commands,
    "json": outputs,
    "addresses": addresses,
    "manifests": manifests,
    "plugins": plugins,
    "http": http,
    "environment": environment,
    "numbers": numbers,
}
"""By the name of its file: what is public."""


def in_file(subject):
    """What its file lists."""
    path = FOLDER / f"{subject}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def first_heading():
    """The part of the changelog that is about the next release, and whether there was one before."""
    parts = re.split(r"(?m)^## ", CHANGELOG.read_text(encoding="utf-8"))[1:]
    return parts[0], len(parts) > 1


def unexplained(before, now, changelog):
    """What is gone, or reads otherwise, and is not in the changelog under its own name.

    The name is the last word of all that stands before a colon, a bracket or a remark.
    """
    names = {line: re.split(r"[(:=]|  ", line)[0].split()[-1].rpartition(".")[2] for line in before if line not in now}
    return [line for line, name in names.items() if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", changelog)]


def main(arguments):
    if arguments != ["--write"]:
        sys.exit("python tests/public_names.py --write   writes what is public into tests/public")
    changelog, is_released = first_heading()
    made = {name: find() for name, find in SUBJECTS.items()}
    missing = [line for name, now in made.items() for line in unexplained(in_file(name), now, changelog)]
    if is_released and missing:
        sys.exit("The first part of CHANGELOG.md does not name what goes:\n" + "\n".join(missing))
    for name, lines in made.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "dashboard")]
    main(sys.argv[1:])
