"""Says which unpublished names the installed Streamlit lacks: a line for each that ``streamlit_port.py`` uses.

python streamlit_contract.py path/to/streamlit_port.py

The port is read, not executed: one missing name hides no other. Nothing of bleuscope has to be installed.
"""

import ast
import importlib
import inspect
import re
import sys
from pathlib import Path


def lacking(port):
    """What is missing, as sentences."""
    tree = ast.parse(Path(port).read_text(encoding="utf-8"))
    listed = _listed(tree)
    return [
        *_missing_names(tree),
        *_missing_attributes(listed["ATTRIBUTES"]),
        *_missing_parameters(listed["PARAMETERS"]),
        *_missing_fields(listed["FIELDS"]),
        *_missing_messages(listed),
        *_other_routes(listed),
        *_missing_parts(listed),
        *_missing_of_page(listed),
    ]


def _listed(tree):
    """The values of the names in capitals that are written out."""
    found = {}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        name = getattr(targets[0], "id", "")
        if name.isupper() and not any(isinstance(one, ast.Name | ast.Call) for one in ast.walk(node.value)):
            found[name] = eval(compile(ast.Expression(node.value), "", "eval"))
    return found


def _module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _object(address):
    """The object of ``module:name``, or the module itself where no name follows; ``None`` if there is none."""
    module, _, name = address.partition(":")
    found = _module(module)
    return getattr(found, name, None) if name else found


def _missing_names(tree):
    """What is imported and is not there; also what only types need."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or (node.module or "").partition(".")[0] != "streamlit":
            continue
        module = _module(node.module)
        if module is None:
            yield f"{node.module}: no such module"
            continue
        for name in (one.name for one in node.names):
            if not hasattr(module, name) and _module(f"{node.module}.{name}") is None:
                yield f"{node.module}: no {name}"


def _missing_attributes(listed):
    for address, names in listed.items():
        found = _object(address)
        if found is None:
            yield f"{address}: no such thing"
        else:
            yield from (f"{address}: no {name}" for name in names if not _has(found, name))


def _has(found, name):
    """Whether a module or class has something, or gives it to its objects."""
    if hasattr(found, name):
        return True
    classes = [one for one in getattr(found, "__mro__", ()) if one.__module__.startswith("streamlit")]
    sets = re.compile(rf"\bself\.{name}\b *[:=]")
    return any(name in inspect.get_annotations(one) or sets.search(inspect.getsource(one)) for one in classes)


def _missing_parameters(listed):
    for address, names in listed.items():
        found = _object(address)
        if found is None:
            yield f"{address}: no such function"
            continue
        known = inspect.signature(found).parameters
        yield from (f"{address}: no parameter {name}" for name in names if name not in known)


def _missing_fields(listed):
    for address, names in listed.items():
        found = _object(address)
        if found is None:
            yield f"{address}: no such message"
            continue
        kinds = ("fields_by_name", "oneofs_by_name", "values_by_name")
        known = {name for kind in kinds for name in getattr(found.DESCRIPTOR, kind, {})}
        yield from (f"{address}: no {name}" for name in names if name not in known)


def _missing_messages(listed):
    message = _object("streamlit.proto.BackMsg_pb2:BackMsg")
    if message is None:
        return
    for choice, names in (("type", listed["MESSAGES"]), ("payload", listed["OPERATIONS"])):
        of = message.DESCRIPTOR
        if choice == "payload":
            field = of.fields_by_name.get("backend_operation_request")
            of = field and field.message_type
        known = {one.name for one in of.oneofs_by_name[choice].fields} if of and choice in of.oneofs_by_name else set()
        yield from (f"{message.__name__}, {choice}: no {name}" for name in names if name not in known)


def _other_routes(listed):
    for name, address in listed["ROUTES"].items():
        if _is_too_old(listed, name):
            continue
        theirs, ours = _object(address), listed[name]
        if theirs is None:
            yield f"{address}: not there, {name} is {ours!r}"
        elif not (theirs.startswith(ours) if ours.endswith("/") else theirs == ours):
            yield f"{address}: {theirs!r}, and {name} is {ours!r}"


def _missing_parts(listed):
    page = (_static() / "index.html").read_text(encoding="utf-8")
    for name, pattern in listed["PAGE_PARTS"].items():
        if re.search(pattern, page, re.DOTALL) is None and not _is_too_old(listed, name):
            yield f"index.html: nothing that is {name!r}, {pattern}"


def _missing_of_page(listed):
    """Marks that no program of the page has, written out or as a beginning with what follows it."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in (_static() / "static" / "js").glob("*.js"))
    marks = [
        *listed["TEST_IDS"],
        *listed["CLASSES"],
        *listed["WORDS"],
        *listed["COLOURS"],
        *(of for pair in listed["MARKS"].items() for of in pair),
    ]
    for mark in [*marks, *listed["LABELS"]]:
        ends = "[\"'` ]" if mark in listed["LABELS"] else "[\"'`]"
        beginning, dash, kind = mark.partition("-") if mark in listed["TEST_IDS"] else (mark, "", "")
        is_made = bool(dash) and f"`{beginning}-${{" in code and re.search(f"[\"'`]{kind}[\"'`]", code)
        if not is_made and re.search(f"[\"'`]{re.escape(mark)}{ends}", code) is None:
            yield f"the page's programs: nothing called {mark!r}"


def _static():
    return Path(importlib.import_module("streamlit").__file__).parent / "static"


def _is_too_old(listed, name):
    import streamlit

    return tuple(int(part) for part in streamlit.__version__.split(".")[:2]) < listed["SINCE"].get(name, (0, 0))


if __name__ == "__main__":
    missing = lacking(sys.argv[1])
    version = importlib.import_module("streamlit").__version__
    print(f"Streamlit {version}: {len(missing) or 'nothing'} is missing", *missing, sep="\n")
    sys.exit(bool(missing))
