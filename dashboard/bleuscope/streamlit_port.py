"""All that is used of Streamlit though it has not published it: names, attributes, addresses, words of its page.

Published is what stands beneath ``st``. Anything else can be gone in the next version without a word, so it is named
here and nowhere else, and ``tests/dashboard/test_streamlit_port.py`` says at once which of it a version lacks. It reads
this file without executing it: names are imported one by one, and what is listed is written out.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import streamlit
from google.protobuf.message import DecodeError
from streamlit import config
from streamlit.auth_util import encode_provider_token, get_cookie_with_chunks
from streamlit.components.v2 import manifest_scanner
from streamlit.delta_generator import DeltaGenerator
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import TOKENS_COOKIE_NAME, USER_COOKIE_NAME

from bleuscope.registry import browser_folders

if TYPE_CHECKING:
    from streamlit.components.v2.manifest_scanner import ComponentManifest
    from streamlit.runtime.caching.ttl_cache import TTLCache
    from streamlit.runtime.memory_session_storage import MemorySessionStorage
    from streamlit.runtime.session_manager import SessionInfo
    from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

__all__ = [
    "USER_COOKIE_NAME",
    "AppSession",
    "DeltaGenerator",
    "MemoryUploadedFileManager",
    "UploadedFile",
    "encode_provider_token",
]

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "streamlit.config:": ("get_config_files", "get_config_options"),
    "streamlit.components.v2.manifest_scanner:": ("ComponentConfig", "ComponentManifest", "scan_component_manifests"),
    "streamlit.runtime:Runtime": (*("exists", "instance", "is_active_session", "uploaded_file_mgr", "_session_mgr"),),
    "streamlit.runtime.app_session:AppSession": (
        *("id", "session_state", "request_rerun", "shutdown"),
        *("_client_state", "_enqueue_forward_msg", "_fragment_storage", "_state"),
    ),
    "streamlit.runtime.app_session:AppSessionState": ("APP_IS_RUNNING", "APP_NOT_RUNNING"),
    "streamlit.runtime.caching.ttl_cache:TTLCache": ("expire",),
    "streamlit.runtime.fragment:MemoryFragmentStorage": ("clear",),
    "streamlit.runtime.memory_session_storage:MemorySessionStorage": ("_cache",),
    "streamlit.runtime.memory_uploaded_file_manager:MemoryUploadedFileManager": (
        *("file_storage", "get_stats", "remove_file", "remove_session_files"),
    ),
    "streamlit.runtime.pages_manager:PagesManager": ("uses_pages_directory",),
    "streamlit.runtime.scriptrunner:ScriptRunContext": ("session_id", "session_state", "uploaded_file_mgr"),
    "streamlit.runtime.session_manager:ActiveSessionInfo": ("session",),
    "streamlit.runtime.session_manager:SessionInfo": ("session",),
    "streamlit.runtime.state:SafeSessionState": ("_state",),
    "streamlit.runtime.state.session_state:KeyIdMapper": ("id_key_mapping",),
    "streamlit.runtime.state.session_state:SessionState": (
        *("clear", "_key_id_mapper", "_new_widget_state", "_old_state"),
    ),
    "streamlit.runtime.state.session_state:WStates": ("states",),
    "streamlit.runtime.stats:CacheStat": ("byte_length",),
    "streamlit.runtime.uploaded_file_manager:UploadedFile": ("file_id",),
    "streamlit.runtime.uploaded_file_manager:UploadedFileRec": ("data",),
    "streamlit.runtime.websocket_session_manager:WebsocketSessionManager": (
        *("get_active_session_info", "list_active_sessions", "list_sessions", "_session_storage"),
    ),
}
"""What is used of modules and classes, by their names."""

PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "streamlit.auth_util:encode_provider_token": ("provider",),
    "streamlit.auth_util:get_cookie_with_chunks": ("get_single_cookie_fn", "cookie_name"),
    "streamlit.components.v2.manifest_scanner:ComponentConfig": ("name", "asset_dir"),
    "streamlit.components.v2.manifest_scanner:ComponentManifest": ("name", "version", "components"),
    "streamlit.components.v2.manifest_scanner:scan_component_manifests": ("max_workers",),
    "streamlit.config:get_config_files": ("file_name",),
    "streamlit.config:get_config_options": ("force_reparse", "options_from_flags"),
    "streamlit.web.server.starlette.starlette_app_utils:decode_signed_value": (
        *("secret", "name", "value", "max_age_days"),
    ),
}
"""With what functions are called, or replaced."""

FIELDS: Mapping[str, tuple[str, ...]] = {
    "streamlit.proto.BackMsg_pb2:BackMsg": ("backend_operation_request", "type"),
    "streamlit.proto.ClientState_pb2:ClientState": ("page_script_hash",),
    "streamlit.proto.Delta_pb2:Delta": ("new_element",),
    "streamlit.proto.Element_pb2:Element": ("toast",),
    "streamlit.proto.ForwardMsg_pb2:ForwardMsg": ("delta", "metadata"),
    "streamlit.proto.ForwardMsg_pb2:ForwardMsgMetadata": ("active_script_hash", "delta_path"),
    "streamlit.proto.RootContainer_pb2:RootContainer": ("EVENT",),
    "streamlit.proto.Toast_pb2:Toast": ("body", "duration"),
}
"""Fields of messages, choices between them, and values."""

MESSAGES = ("rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request")
"""Messages of a browser that our pages need."""
OPERATIONS = ("deferred_file", "dataframe_chunk")
"""Of a ``backend_operation_request``: a download that is made when it is asked for, rows of a long table."""

CORE = "_stcore"
"""How the addresses of Streamlit's routes begin, at the root and, for what a page looks for first, beneath a page."""
MEDIA = "media"
"""How the addresses of pictures and downloads begin, which sessions make."""
STREAM = "_stcore/stream"
"""The socket of a page."""
HEALTH = "_stcore/health"
HOST_CONFIG = "_stcore/host-config"
METRICS = "_stcore/metrics"
COMPONENTS = "_stcore/bidi-components/"
AGENT = "_stcore/agent/"
"""What programs are led to instead of pages; there is nothing unless the setting allows it."""
UPLOADS = "_stcore/upload_file/"
LOGIN = "auth/login"
LOGOUT = "auth/logout"
CALLBACK = "oauth2callback"

ROUTES: Mapping[str, str] = {
    "CORE": "streamlit.web.server.starlette.starlette_routes:BASE_ROUTE_CORE",
    "MEDIA": "streamlit.web.server.starlette.starlette_routes:BASE_ROUTE_MEDIA",
    "STREAM": "streamlit.web.server.starlette.starlette_websocket:_ROUTE_WEBSOCKET_STREAM",
    "HEALTH": "streamlit.web.server.starlette.starlette_routes:ROUTE_HEALTH",
    "HOST_CONFIG": "streamlit.web.server.starlette.starlette_routes:ROUTE_HOST_CONFIG",
    "METRICS": "streamlit.web.server.starlette.starlette_routes:ROUTE_METRICS",
    "COMPONENTS": "streamlit.web.server.starlette.starlette_routes:_ROUTE_COMPONENTS_V2",
    "AGENT": "streamlit.web.server.starlette.starlette_agent_routes:_ROUTE_AGENT_INTERACT",
    "UPLOADS": "streamlit.web.server.starlette.starlette_routes:_ROUTE_UPLOAD_FILE",
    "LOGIN": "streamlit.web.server.starlette.starlette_auth_routes:_ROUTE_AUTH_LOGIN",
    "LOGOUT": "streamlit.web.server.starlette.starlette_auth_routes:_ROUTE_AUTH_LOGOUT",
    "CALLBACK": "streamlit.web.server.starlette.starlette_auth_routes:_ROUTE_OAUTH_CALLBACK",
}
"""What Streamlit calls each of these addresses. They are written out above, because the gate lets no other through."""

PAGE_PARTS: Mapping[str, str] = {
    "agent": r"<!--(?:(?!-->).)*\bagent\b.*?-->",
    "service": r"<link rel=\"service-desc\"[^>]*>",
    "no scripts": r"<noscript>.*?</noscript>",
    "title": r"<title>.*?</title>",
    "script": r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>",
    "head": r"<head>",
    "end": r"</body>",
}
"""Parts of Streamlit's page that are taken out, changed or counted."""

SINCE: Mapping[str, tuple[int, int]] = {"AGENT": (1, 67), "agent": (1, 67), "service": (1, 67)}
"""Addresses and parts that older versions have not: there is nothing to refuse or to take out."""

TEST_IDS = (
    "stApp",
    "stBaseButton-primary",
    "stBaseButton-tertiary",
    "stCaptionContainer",
    "stFileChip",
    "stFileChips",
    "stFileUploaderDropzone",
    "stLayoutWrapper",
    "stMain",
    "stPaginationEllipsis",
    "stSelectboxVirtualDropdown",
    "stSidebarCollapseButton",
    "stSidebarContent",
    "stSidebarUserContent",
    "stSkeleton",
    "stTooltipErrorContent",
    "stWidgetLabel",
)
"""``data-testid`` by which our rules and scripts find parts of a page."""
CLASSES = (
    "stApp",
    "stAppHeader",
    "stAppViewContainer",
    "stButton",
    "stCheckbox",
    "stColumn",
    "stDataFrame",
    "stDownloadButton",
    "stElementContainer",
    "stElementToolbar",
    "stFileUploader",
    "stHeading",
    "stHorizontalBlock",
    "stHtml",
    "stMain",
    "stMainBlockContainer",
    "stMultiSelect",
    "stPopover",
    "stProgress",
    "stSelectbox",
    "stSidebar",
    "stStatusWidget",
    "stTooltipHoverTarget",
    "stVerticalBlock",
)
"""Classes by which they find others; ``st-key-…`` is published."""
MARKS: Mapping[str, str] = {"data-test-connection-state": "CONNECTED", "data-test-script-state": "notRunning"}
"""Attributes of the whole page that tell its state, and the value that is waited for."""
LABELS = ("Clear value", "Close", "Help", "Open", "Shortcut")
"""How ``aria-label`` begins, of what has no mark of its own."""
WORDS = ("Connection error",)
"""How a dialog begins that we say something better in place of."""
COLOURS = ("#808495",)
"""Of numbers in charts, too pale on white: our rules find it as ``rgb(128, 132, 149)``."""

STATIC = Path(streamlit.__file__).parent / "static"
CHART_FILES = "static/js/PlotlyChart.*.js"
"""The one file that draws charts, with Plotly; its default export is a component, and its ``element`` the message."""
INLINE_SCRIPT = re.compile(PAGE_PARTS["script"], re.DOTALL)
FOR_PROGRAMS = re.compile("|".join(PAGE_PARTS[name] for name in ("agent", "service", "no scripts")), re.DOTALL)
TITLE = re.compile(PAGE_PARTS["title"])
LOADING = '<p role="status" style="font: 1rem sans-serif; color: #767676; padding: 30vh 1rem">Loading …</p>'
"""What the page shows until its program runs, ten seconds on a slow line. React removes it."""
LOGIN_COOKIE = re.compile(rf"{USER_COOKIE_NAME}(?:_\d+)?|{TOKENS_COOKIE_NAME}(?:_\d+)?")


def page_of(title: str, first: str, last: str) -> str:
    """Streamlit's page with a title of ours and without its words for programs.

    Args:
        title: Markup.
        first: What stands first in its head, markup.
        last: What stands last in its body, markup.
    """
    page = FOR_PROGRAMS.sub("", (STATIC / "index.html").read_text(encoding="utf-8"))
    page = TITLE.sub(f"<title>{title}</title>", page).replace('<div id="root">', f'<div id="root">{LOADING}', 1)
    return page.replace("<head>", f"<head>{first}", 1).replace("</body>", f"{last}</body>")


def search_no_packages() -> None:
    """Look in no installed package for components that pages could have: that takes a tenth of a start."""
    manifest_scanner.scan_component_manifests = own_components


def own_components(max_workers: int | None = None) -> "list[tuple[ComponentManifest, Path]]":  # noqa: ARG001  # its form
    """The components of our features, instead of those in packages of others, of which no page shows any.

    The folder ``browser`` of a feature is served under ``bleuscope.FEATURE``: as files, because the security policy
    lets no script run that a page has as text.
    """
    configs = [manifest_scanner.ComponentConfig(feature, folder) for feature, folder in browser_folders().items()]
    return [(manifest_scanner.ComponentManifest("bleuscope", "1", configs), Path(__file__).parent)]


def run_the_script_for_all_pages() -> None:
    """Take a folder named pages for one like any other.

    Beside the script it means an older kind of app to Streamlit until the script calls ``st.navigation``: the first
    visitor of a server would get a bare page if the address named one.
    """
    PagesManager.uses_pages_directory = False


def use_settings(values: Mapping[str, Any]) -> None:
    """Give settings their values, and read no file of the machine for them from now on, nor for secrets."""
    config.get_config_files = _no_files
    config.get_config_options(force_reparse=True, options_from_flags=dict(values))


def _no_files(file_name: str) -> list[str]:  # noqa: ARG001  # as Streamlit calls it
    """Where Streamlit is to look for its settings and secrets."""
    return []


@dataclass(frozen=True)
class AskedOfServer:
    """What a message of a browser asks for.

    Attributes:
        kind: The name of the message; ``None`` of one without content.
        operation: That of the operation within it, if it is one of those.
    """

    kind: str | None
    operation: str | None


def asked_in(data: bytes) -> AskedOfServer | None:
    """What a message asks for; ``None`` of what is no message."""
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return None
    kind = message.WhichOneof("type")
    operation = message.backend_operation_request.WhichOneof("payload") if kind == "backend_operation_request" else None
    return AskedOfServer(kind, operation)


def connected_sessions() -> list[AppSession]:
    """The sessions somebody is connected with; none before the server is there."""
    return [info.session for info in _manager().list_active_sessions()] if Runtime.exists() else []


def is_connected(session_id: str) -> bool:
    """Whether this server has such a session, and somebody is connected with it."""
    return Runtime.instance().is_active_session(session_id)


def session_of(session_id: str) -> AppSession | None:
    """The session of an id, if somebody is connected with it."""
    info = _manager().get_active_session_info(session_id)
    return None if info is None else info.session


def own_session() -> str:
    """The id of the session whose script runs; empty where none does."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def is_running(session: AppSession) -> bool:
    """Whether the page of a session is being drawn."""
    return session._state is AppSessionState.APP_IS_RUNNING  # noqa: SLF001  # no public name


def is_at_rest(session: AppSession) -> bool:
    """Whether it is not being drawn, and the session has not ended."""
    return session._state is AppSessionState.APP_NOT_RUNNING  # noqa: SLF001  # no public name


def draw_anew(session: AppSession) -> None:
    """Have its page drawn as Streamlit does when a file of the script changes."""
    session.request_rerun(session._client_state)  # noqa: SLF001  # no public name


def show_toast(session: AppSession, sentence: str, *, seconds: int, place: int) -> None:
    """Show a sentence on the page of a session, as ``st.toast`` does, without running its script.

    Args:
        session: Whose page.
        sentence: Plain text.
        seconds: For how long.
        place: Which one it is of those of the page.
    """
    message = ForwardMsg()
    message.delta.new_element.toast.body = sentence
    message.delta.new_element.toast.duration = seconds
    message.metadata.delta_path.extend([RootContainer.EVENT, place])
    message.metadata.active_script_hash = session._client_state.page_script_hash  # noqa: SLF001  # no public name
    session._enqueue_forward_msg(message)  # noqa: SLF001  # as above


def held_uploads() -> MemoryUploadedFileManager:
    """What holds the files that sessions have uploaded."""
    return cast("MemoryUploadedFileManager", Runtime.instance().uploaded_file_mgr)


def n_bytes_of(held: MemoryUploadedFileManager) -> int:
    """How large all files are that are held."""
    return sum(one.byte_length for stats in held.get_stats().values() for one in stats)


def n_uploaded_bytes() -> int:
    """The same of this server; 0 before it is there."""
    return n_bytes_of(held_uploads()) if Runtime.exists() else 0


def sizes_of(held: MemoryUploadedFileManager, session_id: str) -> dict[str, int]:
    """How many bytes each file of a session has, by its id."""
    return {file: len(one.data) for file, one in dict(held.file_storage.get(session_id, {})).items()}


def free_own_upload(file_id: str) -> None:
    """Hold a file of the session whose script runs no longer."""
    context = get_script_run_ctx()
    if context is not None:
        cast("MemoryUploadedFileManager", context.uploaded_file_mgr).remove_file(context.session_id, file_id)


def free_uploads_of_all_but(sessions: Collection[str]) -> None:
    """Hold the files of these sessions only: others were dropped to make room, or ended during an upload."""
    held = held_uploads()
    for ended in held.file_storage.keys() - sessions:
        held.remove_session_files(ended)


def end_expired_sessions() -> set[str] | None:
    """Free what sessions held that nobody can come back to, as Streamlit does when the next one ends.

    Returns:
        The ids of those that are left; ``None`` before the server is there.
    """
    if not Runtime.exists():
        return None
    manager = _manager()
    storage = cast("MemorySessionStorage", manager._session_storage)  # noqa: SLF001  # no public name
    expiring = cast("TTLCache[str, SessionInfo]", storage._cache)  # noqa: SLF001  # as above
    for _, ended in expiring.expire():
        ended.session.shutdown()
        ended.session.session_state.clear()  # the loop of a server without visitors holds its last session
        ended.session._fragment_storage.clear()  # noqa: SLF001  # as above; closures over what a page showed
    return {info.session.id for info in manager.list_sessions()}


def forget_widgets() -> None:
    """Take the values of all widgets from the session whose script runs: its browser sends those that it shows again.

    A value that no widget can have stays where it came to, and would fail every later run of its session.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    values = context.session_state._state  # noqa: SLF001  # no public name
    widgets = values._key_id_mapper.id_key_mapping  # noqa: SLF001  # as above
    values._new_widget_state.states.clear()  # noqa: SLF001  # as above
    for key in [*widgets, *widgets.values()]:
        values._old_state.pop(key, None)  # noqa: SLF001  # as above


def is_login_cookie(name: str) -> bool:
    """Whether a cookie is one of those that say who has logged in; a long one is cut into several."""
    return LOGIN_COOKIE.fullmatch(name) is not None


def signed_login(secret: str, cookies: Mapping[str, str], *, days: float) -> tuple[str, bytes] | None:
    """When a login was and what it says, as the cookie holds both; ``None`` if it is not ours or too old.

    Args:
        secret: With which cookies are signed.
        cookies: Those of a request, by name.
        days: How old a login may be.
    """

    def signed(name: str) -> bytes | None:
        value = cookies.get(name)
        return decode_signed_value(secret, name, value, days) if value else None

    said = get_cookie_with_chunks(signed, USER_COOKIE_NAME)
    return None if said is None else (cookies[USER_COOKIE_NAME].rpartition(".")[0], said)


def _manager() -> "WebsocketSessionManager":
    return cast("WebsocketSessionManager", Runtime.instance()._session_mgr)  # noqa: SLF001  # no public name
