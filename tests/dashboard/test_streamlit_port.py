"""What Streamlit has not published is named in one module, and what that one names is there."""

import ast
import importlib.util
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
import streamlit
from hypothesis import settings

from bleuscope import streamlit_port
from tests.warm_python import warm_python

PORT = Path(streamlit_port.__file__)
PACKAGE = PORT.parent
CONTRACT = Path(__file__).with_name("streamlit_contract.py")
_spec = importlib.util.spec_from_file_location("streamlit_contract", CONTRACT)
contract = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(contract)

INSTALLED, ALSO = "installed", "1.66.*"
IS_DEEP = settings.get_current_profile_name() == "deep"
"""Only then is another version installed, for which a registry of packages is needed."""

OF_SCAN = "streamlit.components.v2.manifest_scanner:scan_component_manifests"
OF_ROUTES = "streamlit.web.server.starlette.starlette_routes"
PLANTED = {
    "session_manager import SessionInfo": "streamlit.runtime.session_manager: no SessionInfos",
    "import PagesManager": "streamlit.runtime.pages_manager: no PagesManagers",
    '"_old_state"': "streamlit.runtime.state.session_state:SessionState: no _old_states",
    '"streamlit.runtime.stats:CacheStat"': "streamlit.runtime.stats:CacheStats: no such thing",
    '"max_workers"': f"{OF_SCAN}: no parameter max_workerss",
    '("toast"': "streamlit.proto.Element_pb2:Element: no toasts",
    '"stop_script"': "BackMsg, type: no stop_scripts",
    '"deferred_file"': "BackMsg, payload: no deferred_files",
    'HEALTH = "_stcore/health"': f"{OF_ROUTES}:ROUTE_HEALTH: '_stcore/health', and HEALTH is '_stcore/healths'",
    '"title": r"<title>.*?</title>"': "index.html: nothing that is 'title', <title>.*?</title>s",
    '"stApp"': "the page's programs: nothing called 'stApps'",
    '"stBaseButton-primary"': "the page's programs: nothing called 'stBaseButton-primarys'",
    '"CONNECTED"': "the page's programs: nothing called 'CONNECTEDs'",
    '"Clear value"': "the page's programs: nothing called 'Clear values'",
}
"""What is planted, by where a letter is added, and what is said of it."""


def modules():
    """Our other modules, by name and text."""
    return {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path != PORT}


def page_sources():
    """Our rules and scripts for pages, without what is said of them."""
    css, js = (
        "\n".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob(f"*.{ending}")))
        for ending in ("css", "js")
    )
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL), js


@pytest.mark.deep
@pytest.mark.parametrize("which", [INSTALLED, ALSO] if IS_DEEP else [INSTALLED])
def test_streamlit_has_all_that_the_port_names(which, tmp_path):
    environment = dict(os.environ)
    if which != INSTALLED:
        install = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", tmp_path / "packages")
        subprocess.run([*install, f"streamlit=={which}"], check=True, timeout=600)
        environment["PYTHONPATH"] = str(tmp_path / "packages")
    said = subprocess.run(
        [warm_python() if which == INSTALLED else sys.executable, CONTRACT, PORT],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    first, *missing = said.stdout.splitlines() or [said.stderr]
    assert (missing, said.returncode) == ([], 0), said.stdout + said.stderr
    assert re.fullmatch(f"Streamlit {version('streamlit') if which == INSTALLED else which}: nothing is missing", first)


def test_all_that_is_missing_is_said_at_once(tmp_path):
    text = PORT.read_text(encoding="utf-8")
    for place in PLANTED:
        assert text.count(place) >= 1
        text = text.replace(place, re.sub(r"(\w|\w>)(\"?)$", r"\1s\2", place), 1)
    changed = tmp_path / "port.py"
    changed.write_text(text, encoding="utf-8")
    assert sorted(contract.lacking(changed)) == sorted(PLANTED.values())


NOT_PUBLISHED = re.compile(r"streamlit\.(?!testing\.v1$)|google\.protobuf")
"""Modules behind what is published; the testing of apps is."""


def test_no_other_module_imports_what_is_not_published():
    found = []
    for path, text in modules().items():
        for node in ast.walk(ast.parse(text)):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            found += [f"{path.name}: {name}" for name in names if NOT_PUBLISHED.match(name)]
            is_from = isinstance(node, ast.ImportFrom) and node.module == "streamlit"
            found += [f"{path.name}: from streamlit"] if is_from else []
    assert found == []


def test_no_other_module_reaches_what_is_not_published_through_st():
    published = {"column_config", "components"}
    hidden = {name for name, one in vars(streamlit).items() if isinstance(one, ModuleType) or name.startswith("_")}
    found = [
        f"{path.name}:{node.lineno} st.{node.attr}"
        for path, text in modules().items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "st"
        if node.attr in hidden - published
        if "import streamlit as st" in text
    ]
    assert {"runtime", "config", "proto"} <= hidden
    assert found == []


def test_no_other_module_uses_attributes_or_addresses_that_are_not_published():
    words = re.compile(r"SLF001|_stcore|_streamlit_|data-test|auth/log|oauth2callback")
    found = [f"{path.name}: {one[0]}" for path, text in modules().items() for one in words.finditer(text)]
    assert found == []


def test_the_port_lists_every_attribute_that_it_uses():
    """Those of other packages and of Python begin with no underscore and are named here."""
    tree = ast.parse(PORT.read_text(encoding="utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    tables = (streamlit_port.ATTRIBUTES, streamlit_port.FIELDS)
    listed = {name for table in tables for names in table.values() for name in names}
    others = {
        *("DOTALL", "compile", "fullmatch", "join", "sub"),
        *("__file__", "parent", "read_text", "replace", "rpartition"),
        *("extend", "get", "items", "keys", "pop", "values"),
        *("ParseFromString", "WhichOneof"),
    }
    assert used - listed - others == set()
    assert others <= used


def test_pages_find_parts_of_streamlit_by_what_the_port_lists():
    css, js = page_sources()
    both = css + js
    assert set(re.findall(r"data-testid[~|^$*]?=[\"']?([\w-]+)", both)) == set(streamlit_port.TEST_IDS)
    assert set(re.findall(r"(?<![\w-])\.(st[A-Z]\w*)", both)) == set(streamlit_port.CLASSES)
    assert set(re.findall(r"aria-label[~|^$*]?=[\"']?([A-Z][a-z]+(?: [a-z]+)?)", both)) == set(streamlit_port.LABELS)
    replaced = re.findall(r"=\"rgb\((\d+), (\d+), (\d+)\)\"", css)
    assert {f"#{bytes(map(int, one)).hex()}" for one in replaced} == set(streamlit_port.COLOURS)
    assert len(re.findall("data-testid", both)) == len(re.findall(r"data-testid[~|^$*]?=[\"']?st", both))


def test_pages_know_the_state_of_streamlit_by_what_the_port_lists():
    css, js = page_sources()
    marks = set(re.findall(r"data-test-[a-z-]+", css + js))
    marks |= {f"data-test-{name.lower()}-state" for name in re.findall(r"\.test(\w+)State", js)}
    assert marks == set(streamlit_port.MARKS)
    compared = re.findall(r'(?:"data-test-(\w+)-state"\)|\.test(\w+)State) === "(\w+)"', js)
    compared += [(name, "", value) for name, value in re.findall(r'\[data-test-(\w+)-state="(\w+)"', css)]
    values = {f"data-test-{(first or second).lower()}-state": value for first, second, value in compared}
    assert values == streamlit_port.MARKS
    assert set(re.findall(r'startsWith\("([A-Z][^"]+)"', js)) == set(streamlit_port.WORDS)
