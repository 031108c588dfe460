"""Our script takes the place of the file that draws charts, and finds that file by a query."""

import asyncio

from bleuscope.shell.server.charts_in_sight import ADDRESSES, SCRIPT, ChartsInSight
from bleuscope.streamlit_port import CHART_FILES, STATIC

(FILE,) = STATIC.glob(CHART_FILES)
(ADDRESS,) = ADDRESSES


def answered(path, query=b""):
    """The body of an answer; what lies behind gives its own name."""
    sent = []

    async def behind(scope, receive, send):
        await send({"type": "http.response.body", "body": b"Streamlit"})

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "path": path, "method": "GET", "headers": [], "query_string": query, "root_path": ""}
    asyncio.run(ChartsInSight(behind)(scope, receive, send))
    return b"".join(message.get("body", b"") for message in sent).decode()


def test_the_file_of_charts_is_our_script_until_it_is_asked_for_with_a_query():
    assert answered(ADDRESS) == SCRIPT.read_text(encoding="utf-8")
    assert answered(ADDRESS, b"drawn") == "Streamlit"
    assert answered("/static/js/index.js") == "Streamlit"


def test_streamlit_draws_charts_as_the_script_expects():
    """One file, imported when the first chart comes; its component is the default and names itself by ``alt``."""
    component = FILE.read_text(encoding="utf-8")[-9_000:]
    assert "as default}" in component
    assert ".alt?.trim()" in component
    assert any(
        f"import(`./{FILE.name}`)" in page.read_text(encoding="utf-8") for page in FILE.parent.glob("index.*.js")
    )
