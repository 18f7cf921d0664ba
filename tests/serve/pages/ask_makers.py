"""What the tests of the page to ask on need: a PDF whose formula stands at a known place, forms, events."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

from serve_makers import csrf_of, make_library
from starlette.testclient import TestClient

from mathrag.library import Library

HEAT = (
    ("Heat notes", 72, 72),
    ("Heat and temperature are related in a simple way.", 72, 110),
    ("Q = m c T", 250, 160),
    ("where Q is the heat in J, m is the mass in kg, c is the specific heat capacity in J/(kg K) and T is", 72, 200),
    ("the temperature change in K.", 72, 216),
)
HEAT_QUESTION = (
    "What is the heat for a mass of 2 kg, a specific heat capacity of 4186 J/(kg K) and a temperature change of 10 K?"
)
# Left, top, right, bottom in points, around the ink of the formula: 12-point letters on a baseline at 160.
FORMULA_PLACE = (250.0, 148.0, 302.0, 164.0)
TWO_STEPS = "What is the power at 2 A through a resistance of 5 ohm?"
UNSURE = "A 2 kg thing moves at 3 m/s. How much of it is there?"
MISSING = "What is the kinetic energy of a body at 3 m/s?"


def write_pdf(path: Path, lines: tuple[tuple[str, float, float], ...]) -> Path:
    """A PDF of two pages; the first holds lines of 12-point Helvetica: text, left edge, baseline from the top."""
    drawn = "\n".join(f"BT /F1 12 Tf {x} {792 - y} Td ({text}) Tj ET" for text, x, y in lines)
    second = "BT /F1 12 Tf 72 720 Td (The end of the notes on heat.) Tj ET"
    fonts = "<< /Font << /F1 3 0 R >> >>"
    page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {{}} 0 R /Resources {fonts} >>"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        page.replace("{}", "5"),
        f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        page.replace("{}", "7"),
        f"<< /Length {len(second)} >>\nstream\n{second}\nendstream",
    )
    data, offsets = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    path.write_bytes(f"{data}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode("latin-1"))
    return path


def make_library_with_pdf(folder: Path) -> Path:
    """The sample library and the notes on heat."""
    library = make_library(folder)
    pdf = write_pdf(folder / "documents" / "heat.pdf", HEAT)
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
