"""The page of the API: made from the OpenAPI document, with types, examples and a form that really asks."""

from __future__ import annotations

import json
import shlex

import pytest
from browser_makers import Open, check_page
from starlette.testclient import TestClient

from mathrag.serve.pages.api_docs import operations, type_of


def test_every_operation_has_types_and_an_example(client: TestClient) -> None:
    document = client.get("/api/v1/openapi.json").json()
    shown = client.get("/api/v1/docs.json").json()["operations"]
    listed = {(each["method"].lower(), each["path"]) for each in shown}
    assert listed == {(method, path) for path, methods in document["paths"].items() for method in methods}
    assert all(field["type"] for each in shown for field in each["fields"] + each["gives"])
    assert {"POST /v1/responses", "POST /api/v1/ask"} <= {f"{each['method']} {each['path']}" for each in shown}


def test_examples_that_need_nothing_filled_in_work_as_they_stand(client: TestClient) -> None:
    client.cookies.clear()
    for path in ("/api/v1/ask", "/api/v1/sql", "/api/v1/sparql", "/v1/chat/completions", "/v1/responses"):
        found = operations(client.get("/api/v1/openapi.json").json())
        one = next(each for each in found if (each["method"], each["path"]) == ("POST", path))
        words = shlex.split(one["example"])
        assert json.loads(words[-1]) == json.loads(one["body"])
        reply = client.post(path, json=json.loads(one["body"]))
        assert reply.status_code == 200, (path, reply.text)


def test_types_in_words() -> None:
    document = {"components": {"schemas": {"Pair": {"type": "object", "properties": {"a": {}, "b": {}}}}}}
    assert type_of({"anyOf": [{"type": "string"}, {"type": "null"}]}, document) == "string or null"
    assert (
        type_of({"type": "array", "items": {"$ref": "#/components/schemas/Pair"}}, document) == "list of object (a, b)"
    )
    assert type_of({"enum": ["x", 3]}, document) == '"x" or 3'
    assert type_of({"type": "integer", "minimum": 1, "maximum": 9}, document) == "integer ≥ 1 ≤ 9"


@pytest.mark.pictures
def test_an_operation_is_tried_in_the_browser(open_page: Open) -> None:
    page = open_page("/api/v1/docs#post-api-v1-ask")
    form = page.locator("#post-api-v1-ask form.try")
    form.locator("button").click()
    form.locator("output .status", has_text="200").wait_for()
    assert '"value": 9' in form.locator("output pre").inner_text()
    page.click("#get-api-v1-search summary")
    one = page.locator("#get-api-v1-search form.try")
    one.locator("input[name=q]").fill("kinetic energy")
    one.locator("button").click()
    one.locator("output .status", has_text="200").wait_for()
    assert "Kinetic energy" in one.locator("output pre").inner_text()
    check_page(page)
