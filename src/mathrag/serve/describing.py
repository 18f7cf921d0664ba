"""The API's OpenAPI document, with what routes cannot say of themselves: the problems and the token. Adds no route."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from mathrag.serve.problems import Problem

_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "The token of the server, where it was started with one; without one, nobody is asked for it.",
}


def install(app: FastAPI) -> None:
    """Have the app describe itself so."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        document = plain()
        components = document.setdefault("components", {})
        components.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
        components["securitySchemes"] = {"HTTPBearer": _TOKEN}
        # The empty one makes it optional.
        document["security"] = [{}, {"HTTPBearer": []}]
        return document

    app.openapi = described  # type: ignore[method-assign]
