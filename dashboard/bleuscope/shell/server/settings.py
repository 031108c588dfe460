"""Streamlit's settings: ours alone, whatever files and variables a machine has.

Streamlit reads ``.streamlit/config.toml`` and ``secrets.toml`` in the home and in the working directory, which may be
somebody else's: they could switch off the checks of origins, switch on an interface for programs, or fetch a theme from
the network. Here it is told of no such file. Each of its settings either has its value in our own ``config.toml``,
with the reason, or is named below with why it may stay as Streamlit has it; a test holds that none is forgotten.
"""

import secrets
import tomllib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from bleuscope.shell.disk.packaged import packaged
from bleuscope.streamlit_port import use_settings

GIVEN_AT_START: Mapping[str, str] = MappingProxyType(
    {
        "server.address": "the value of --host",
        "server.port": "the value of --port",
        "browser.serverAddress": "the host of the address that people open",
        "browser.serverPort": "the port of the address that people open",
        "server.cookieSecret": "drawn at every start; the one of --auth oidc, whose cookies outlive a restart",
    }
)
"""Settings that have another value at each start, and which."""

AS_STREAMLIT_HAS_IT: Mapping[str, str] = MappingProxyType(
    {
        "global.showWarningOnDirectExecution": "of scripts that are run without a server",
        "global.minCachedMessageSize": "from which size messages are remembered by browsers: speed only",
        "logger.messageFormat": "looks only",
        "logger.enableRich": "looks only",
        "client.showErrorLinks": "no error of Streamlit's own form reaches a page (shell/server.py)",
        "runner.fastReruns": "its default, a click interrupts a run, is what pages are made for",
        "runner.enumCoercion": "no widget here has options of an enumeration",
        "runner.parallelMaxWorkers": "no fragment runs in parallel",
        "runner.cacheBackgroundRefreshMaxWorkers": "no cache is refreshed in the background",
        "runner.cacheBackgroundRefreshTTLMultiplier": "no cache is refreshed in the background",
        "runner.connectionDefaultTTL": "no st.connection is used",
        "runner.cacheHashSeed": "caches are keyed on digests of ours, no table is sampled",
        "runner.enforceSerializableSessionState": "sessions stay in this process",
        "server.folderWatchList": "nothing is watched (server.fileWatcherType)",
        "server.folderWatchBlacklist": "nothing is watched (server.fileWatcherType)",
        "server.enableExpensiveMemoryStats": "statistics need the token as all else does",
        "server.maxCacheDataSize": "one bound holds for all caches of ours (runtime/memo_cache.py)",
        "server.showEmailPrompt": "asked by Streamlit's own command only, which does not run here",
        "server.customComponentBaseUrlPath": "there are no components",
        "server.xsrfCookieSameSite": "its default, Lax, only adds to our own cookie's Strict",
        "server.websocketPingInterval": "our server has its own (shell/server.py)",
        "server.agentWaitTimeout": "the interface for programs is off (server.enableAgentApi)",
        "server.agentSessionTTL": "the interface for programs is off (server.enableAgentApi)",
        "server.agentMaxSessions": "the interface for programs is off (server.enableAgentApi)",
        "server.agentPreviewRows": "the interface for programs is off (server.enableAgentApi)",
        "server.sslCertFile": "read by Streamlit's own server, which does not run here",
        "server.sslKeyFile": "read by Streamlit's own server, which does not run here",
        "ui.hideTopBar": "looks only",
        "magic.displayRootDocString": "magic is off (runner.magicEnabled)",
        "magic.displayLastExprIfNoSemicolon": "magic is off (runner.magicEnabled)",
    }
)
"""Settings that no file or variable can change any more and whose default is right, each with the reason."""

THEME = "theme."
"""Settings of this kind are looks, in our file or by default; the security policy keeps fonts of other hosts out."""


def read_settings() -> dict[str, Any]:
    """The settings of ``.streamlit/config.toml`` by dotted name; the same file in a checkout and when installed."""
    path = packaged("config.toml", ".streamlit/config.toml")
    return dict(_flattened(tomllib.loads(path.read_text(encoding="utf-8"))))


def apply_settings(given: Mapping[str, Any]) -> None:
    """Give Streamlit our settings, and no others from now on.

    Args:
        given: Those of ``GIVEN_AT_START`` by name; the secret is drawn unless given.
    """
    use_settings(read_settings() | {"server.cookieSecret": secrets.token_hex()} | dict(given))


def _flattened(table: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, value in table.items():
        is_table = isinstance(value, dict) and value != {}
        pairs += _flattened(value, f"{prefix}{key}.") if is_table else [(prefix + key, value)]
    return pairs
