"""The page that documents the API, made from its own OpenAPI document: types, an example and a form to try each
operation. No foreign script, nothing retyped."""

from __future__ import annotations

import json
import shlex
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.serve.pages.page_reply import page

router = APIRouter()
_METHODS = ("get", "post", "put", "patch", "delete")
_PLACEHOLDERS = {"string": "", "integer": 1, "number": 1.0, "boolean": False, "array": [], "object": {}}
# What a newcomer can send as it stands; a field of any operation that is called so.
_SAMPLES: dict[str, Any] = {
    "question": "What is the kinetic energy of 2 kg at 3 m/s?",
    "input": "What is the kinetic energy of 2 kg at 3 m/s?",
    "messages": [{"role": "user", "content": "What is the kinetic energy of 2 kg at 3 m/s?"}],
    "model": "mathrag",
}
_QUERIES = {
    "/api/v1/sql": "SELECT id, label FROM formulas LIMIT 5",
    "/api/v1/sparql": "SELECT ?formula ?label WHERE { ?formula a mathrag:Formula ; rdfs:label ?label } LIMIT 5",
}
_MOST_DEPTH = 6


@router.get("/api/v1/docs")
@router.get("/api/v1/docs.json")
async def show(request: Request) -> Response:
    """Every operation with what it takes and gives."""
    document = request.app.openapi()
    found = operations(document)
    groups = [
        {"name": tag or "other", "operations": [each for each in found if each["tag"] == tag]}
        for tag in dict.fromkeys(each["tag"] for each in found)
    ]
    data = {"info": document["info"], "operations": found, "groups": groups}
    return page(request, "api_docs.html", data)


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The operations of an OpenAPI document, flat, with the fields of what they take and give."""
    found = []
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                operation = methods[method]
                media, schema = _taken(operation, document)
                fields = _parameters(operation, document) + _fields(schema, document, "body")
                body = _sample(path, fields) if media == "application/json" else None
                found.append(
                    {
                        "id": f"{method}{path}".replace("/", "-").replace("{", "").replace("}", ""),
                        "method": method.upper(),
                        "path": path,
                        "tag": (operation.get("tags") or [""])[0],
                        "summary": operation.get("summary", ""),
                        "description": operation.get("description", ""),
                        "role": operation.get("x-role", ""),
                        "media": media,
                        "fields": fields,
                        "gives": _fields(_given(operation, document), document, "reply"),
                        "body": None if body is None else json.dumps(body, indent=2, ensure_ascii=False),
                        "example": _command(method.upper(), path, body, media),
                    }
                )
    return found


def _parameters(operation: dict[str, Any], document: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": each["name"],
            "where": each["in"],
            "type": type_of(each.get("schema", {}), document),
            "is_needed": each.get("required", False),
            "default": _default(each.get("schema", {})),
            "description": each.get("description", ""),
        }
        for each in operation.get("parameters", ())
    ]


def _taken(operation: dict[str, Any], document: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The form of a body and its schema."""
    for media, described in operation.get("requestBody", {}).get("content", {}).items():
        return media, _resolved(described.get("schema", {}), document)
    return "", {}


def _given(operation: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    for status in ("200", "201", "202"):
        content = operation.get("responses", {}).get(status, {}).get("content", {})
        if "application/json" in content:
            return _resolved(content["application/json"].get("schema", {}), document)
    return {}


def _resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = document.get("components", {}).get("schemas", {}).get(name, {}) if name else schema
    return found


def _fields(schema: dict[str, Any], document: dict[str, Any], where: str) -> list[dict[str, Any]]:
    needed = schema.get("required", ())
    return [
        {
            "name": name,
            "where": where,
            "type": type_of(about, document),
            "is_needed": name in needed,
            "default": _default(about),
            "description": about.get("description", ""),
        }
        for name, about in schema.get("properties", {}).items()
    ]


def _default(schema: dict[str, Any]) -> str:
    found = schema.get("default")
    return "" if found is None else json.dumps(found, ensure_ascii=False)


def type_of(schema: dict[str, Any], document: dict[str, Any], depth: int = 0) -> str:
    """The type of a value in words: `list of string`, `"json" or "csv"`, `object (m, v)`."""
    if depth > _MOST_DEPTH:
        return "…"
    schema = _resolved(schema, document)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(type_of(each, document, depth + 1) for each in schema[key]))
    if "enum" in schema or "const" in schema:
        return " or ".join(json.dumps(each, ensure_ascii=False) for each in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "anything")
    if kind == "array":
        inside = type_of(schema.get("items", {}), document, depth + 1)
        return "empty list" if schema.get("maxItems") == 0 else f"list of {inside}"
    if kind == "object" and schema.get("properties"):
        return f"object ({', '.join(schema['properties'])})"
    if kind == "string" and schema.get("format") == "binary":
        return "file"
    bounds = " ".join(
        f"{sign} {schema[key]:g}"
        for key, sign in (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"))
        if isinstance(schema.get(key), int | float)
    )
    return f"{kind} {bounds}".strip()


def _sample(path: str, fields: list[dict[str, Any]]) -> dict[str, Any]:
    """A body that can be sent as it stands, or with a value filled in: what is needed, and the model."""
    made: dict[str, Any] = {}
    for field in (each for each in fields if each["where"] == "body"):
        name = field["name"]
        if name == "query":
            made[name] = _QUERIES.get(path, "")
        elif name in _SAMPLES and (field["is_needed"] or name == "model"):
            made[name] = _SAMPLES[name]
        elif field["is_needed"]:
            made[name] = _PLACEHOLDERS.get(field["type"].split()[0], [] if field["type"].startswith("list") else "")
    return made


def _command(method: str, path: str, body: dict[str, Any] | None, media: str) -> str:
    """The example as a command; `$SERVER` is where this page comes from."""
    words = ["curl", "-s"] if method == "GET" or body is not None or media else ["curl", "-s", "-X", method]
    if method not in ("GET", "POST") and "-X" not in words:
        words += ["-X", method]
    line = " ".join([*words, f'"$SERVER{path}"'])
    if body is not None:
        sent = shlex.quote(json.dumps(body, ensure_ascii=False))
        return f"{line} -H 'Content-Type: application/json' -d {sent}"
    return f"{line} -F files=@notes.md" if media == "multipart/form-data" else line
