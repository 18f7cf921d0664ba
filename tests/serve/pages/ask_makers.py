"""What the tests of the page to ask on need: a PDF whose formula stands at a known place, forms, events."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

from serve_makers import csrf_of, make_library
from starlette.testclient import TestClient

from hand_written_pdf import write_pdf
from mathrag.library import Library

HEAT = (
    ("Heat notes", 72, 72),
    ("Heat and temperature are related in a simple way.", 72, 110),
    ("Q = m c T", 250, 160),
    ("where Q is the heat in J, m is the mass in kg, c is the specific heat capacity in J/(kg K) and T is", 72, 200),
    ("the temperature change in K.", 72, 216),
)
HEAT_END = (("The end of the notes on heat.", 72, 72),)
HEAT_QUESTION = (
    "What is the heat for a mass of 2 kg, a specific heat capacity of 4186 J/(kg K) and a temperature change of 10 K?"
)
# Left, top, right, bottom in points, around the ink of the formula: 12-point letters on a baseline at 160.
FORMULA_PLACE = (250.0, 148.0, 302.0, 164.0)
TWO_STEPS = "What is the power at 2 A through a resistance of 5 ohm?"
UNSURE = "A 2 kg thing moves at 3 m/s. How much of it is there?"
MISSING = "What is the kinetic energy of a body at 3 m/s?"


def make_library_with_pdf(folder: Path) -> Path:
    """The sample library and the notes on heat."""
    library = make_library(folder)
    pdf = write_pdf(folder / "documents" / "heat.pdf", HEAT, HEAT_END)
    with Library(library) as opened:
        assert not opened.ingest([pdf], workers=1).failed
    return library


def fields_of(html: str, *, form: str) -> dict[str, str]:
    """The hidden and visible fields of the first form whose tag has some text in it, as a browser would send them."""
    found = re.search(rf"<form[^>]*{re.escape(form)}[^>]*>(.*?)</form>", html, re.DOTALL)
    assert found is not None, f"no form with {form}"
    fields = {}
    for tag in re.findall(r"<input[^>]*>", found.group(1)):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name is not None:
            fields[unescape(name.group(1))] = unescape(value.group(1)) if value is not None else ""
    return fields


def ask(client: TestClient, question: str, **fields: str) -> str:
    """The page after a question."""
    secret = csrf_of(client.get("/").text)
    reply = client.post("/", data={"csrf": secret, "question": question, **fields})
    assert reply.status_code == 200
    return reply.text


def result_of(client: TestClient, fields: dict[str, str]) -> dict[str, Any]:
    """The outcome of a form, from the page's twin."""
    reply = client.post("/ask.json", data=fields)
    assert reply.status_code == 200, reply.text
    data = reply.json()
    assert data["problem"] is None, data["problem"]
    found = data["result"]
    assert isinstance(found, dict)
    return found


def events_of(text: str) -> list[tuple[str, Any]]:
    """The events of a stream."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found
