"""How an extra is added to this installation: as it was made."""

import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


def how_to_add(extra: str) -> str:
    """The command that adds an extra of bleuscope where it runs."""
    parts = Path(sys.prefix).parts
    if "pipx" in parts:
        return f"pipx install --force 'bleuscope[{extra}]'"
    if "uv" in parts and "tools" in parts:
        return f"uv tool install 'bleuscope[{extra}]'"
    checkout = _checkout()
    if checkout is not None:
        return f"{Path(sys.executable)} -m pip install -e '{checkout}[{extra}]'"
    return f"{Path(sys.executable)} -m pip install 'bleuscope[{extra}]'"


def _checkout() -> str | None:
    """The folder of the checkout that is installed in place, if it is one."""
    try:
        told = distribution("bleuscope").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    origin = json.loads(told) if told else {}
    url = str(origin.get("url", ""))
    return url.removeprefix("file://") if origin.get("dir_info", {}).get("editable") else None
