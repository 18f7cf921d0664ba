"""The page that documents the API, made from its own OpenAPI document: no foreign script, nothing retyped."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.serve.pages.page_reply import page

router = APIRouter()
_METHODS = ("get", "post", "put", "patch", "delete")


@router.get("/api/v1/docs")
@router.get("/api/v1/docs.json")
async def show(request: Request) -> Response:
    """Every operation with its parameters."""
    document = request.app.openapi()
    return page(request, "api_docs.html", {"info": document["info"], "operations": operations(document)})


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The operations of an OpenAPI document, flat, with the fields of what they take."""
    found = []
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                operation = methods[method]
                found.append(
                    {
                        "method": method.upper(),
                        "path": path,
                        "tag": (operation.get("tags") or [""])[0],
                        "summary": operation.get("summary", ""),
                        "description": operation.get("description", ""),
                        "fields": _parameters(operation) + _body(operation, document),
                    }
                )
    return found


def _parameters(operation: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "name": each["name"],
            "where": each["in"],
            "is_needed": each.get("required", False),
            "description": each.get("description", ""),
        }
        for each in operation.get("parameters", ())
    ]


def _body(operation: dict[str, Any], document: dict[str, Any]) -> list[dict[str, Any]]:
    content = operation.get("requestBody", {}).get("content", {})
    found = []
    for described in content.values():
        name = described.get("schema", {}).get("$ref", "").rpartition("/")[2]
        schema = document.get("components", {}).get("schemas", {}).get(name, {})
        needed = schema.get("required", ())
        for field, about in schema.get("properties", {}).items():
            found.append(
                {
                    "name": field,
                    "where": "body",
                    "is_needed": field in needed,
                    "description": about.get("description", ""),
                }
            )
    return found
