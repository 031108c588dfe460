"""The OpenAPI 3.1 document of all operations, made of the same declarations as their routes."""

from typing import Any

from bleucore import __version__
from bleuscope.features.projects.api.bodies import JSON, LINES
from bleuscope.features.projects.api.operations import OPERATIONS, PATH_NAMES, QUERY_NAMES, Operation
from bleuscope.features.projects.api.problems import MEDIA_TYPE
from bleuscope.features.projects.api.schemas import BOUNDS, SCHEMAS


def document() -> dict[str, Any]:
    """The document, as JSON holds it."""
    paths: dict[str, dict[str, Any]] = {}
    for one in OPERATIONS:
        path = paths.setdefault(one.path, {"parameters": _parameters(one.path)})
        path[one.method.lower()] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "bleuscope",
            "version": __version__,
            "summary": "Versions of translation systems, pushed and read by programs.",
            "description": f"{BOUNDS} Errors are RFC 9457. A token is worth something in one project, and no other "
            "project is there for it.",
        },
        "servers": [{"url": "../v1", "description": "Beside this document."}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "bls_ and 43 letters: bleuscope token make --project NAME. No cookie is accepted.",
                }
            },
            "responses": {
                "Problem": {
                    "description": "What is wrong, and what to do about it.",
                    "content": {MEDIA_TYPE: {"schema": _named("Problem")}},
                }
            },
        },
    }


def _operation(one: Operation) -> dict[str, Any]:
    done: dict[str, Any] = {"description": one.summary, "content": {JSON: {"schema": _named(one.answers)}}}
    found: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "description": f"Needs a token with the right to {one.right}.",
        "responses": {
            "200": done,
            **({"201": {**done, "description": "It is kept now."}} if one.creates else {}),
            **{str(status.value): {"$ref": "#/components/responses/Problem"} for status in one.refusals},
        },
    }
    if one.computes:
        done["headers"] = {"ETag": {"description": "Of this answer.", "schema": {"type": "string"}}}
        found["responses"]["304"] = {"description": "Nothing changed: what has the tag shown in If-None-Match holds."}
    parameters = [
        *(("query", name, QUERY_NAMES[name]) for name in one.query),
        *([("header", "If-None-Match", "The ETag of the answer that you have.")] if one.computes else []),
    ]
    if parameters:
        found["parameters"] = [
            {"name": name, "in": place, "description": said, "schema": {"type": "string"}}
            for place, name, said in parameters
        ]
    if one.body:
        lines = {"schema": _named(one.line)} if one.line else {"schema": {"type": ["object", "string"]}}
        found["requestBody"] = {
            "required": True,
            "description": f"Perhaps packed with gzip (Content-Encoding). {BOUNDS}",
            "content": {JSON: {"schema": _named(one.body)}, LINES[0]: lines},
        }
    return found


def _parameters(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "description": said, "schema": {"type": "string"}}
        for name, said in PATH_NAMES.items()
        if f"{{{name}}}" in path
    ]


def _named(schema: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{schema}"}
