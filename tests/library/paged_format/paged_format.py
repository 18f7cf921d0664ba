"""A paged format for tests, read by a reader that can be told to crash, hang or fail on a page.

The first line is `%PDF-1.4`, so that it is taken for a PDF; every further line is a page: `text`, `crash`, `hang`,
`fail`, `slow text`, or `guess text`. A line `password=...` locks it.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mathrag.documents.png import encode_png
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Display, Document, KeptPicture, Math, Page, Paragraph, Place, Text


@dataclass(frozen=True)
class PageReading:
    number: int
    text: str

    def to_json(self) -> Any:
        return {"number": self.number, "text": self.text}

    @staticmethod
    def from_json(data: Any) -> PageReading:
        return PageReading(data["number"], data["text"])


_DOUBTS = {"guess": "a sign is unknown", "unclear": "a script whose level is unclear"}


def read(source: Source) -> Document:
    numbers = range(1, count_pages(source) + 1)
    return assemble(source, read_pages(source, list(numbers)))


def count_pages(source: Source) -> int:
    lines = source.data.decode().splitlines()[1:]
    if lines and lines[0].startswith("password="):
        if lines[0] != f"password={source.password}":
            raise DocumentError("encrypted", "this PDF is encrypted; give the right password with --password")
        lines = lines[1:]
    return len(lines)


def read_pages(source: Source, numbers: Sequence[int]) -> list[PageReading]:
    pages = source.data.decode().splitlines()[-count_pages(source) :]
    readings = []
    for number in numbers:
        text = pages[number - 1]
        if text == "crash":
            os.abort()
        if text == "hang":
            time.sleep(60)
        if text == "fail":
            raise DocumentError("broken", "this page is damaged")
        if text.startswith("slow "):
            time.sleep(0.3)
        readings.append(PageReading(number, text))
    return readings


def assemble(source: Source, pages: Sequence[PageReading]) -> Document:
    blocks: list[Any] = []
    pictures = []
    for page in pages:
        place = Place(page=page.number, box=(72.0, 100.0, 200.0, 112.0))
        kind, _, formula = page.text.partition(" ")
        if kind in _DOUBTS:
            math = Math(formula, "latex", place, formula, is_display=True, confidence=0.5, doubts=(_DOUBTS[kind],))
            png = base64.b64encode(encode_png(2, 1, b"\xff\0\0\0\xff\0")).decode()
            pictures.append(KeptPicture(place, png))
        else:
            math = Math(formula or page.text, "latex", place, formula or page.text, is_display=True)
        blocks.append(Display(place, page.text, math))
        words = "where $m$ is the mass in kg, $a$ the acceleration in m/s^2 and $F$ the force in N."
        below = Place(page=page.number, box=(72.0, 120.0, 500.0, 132.0))
        blocks.append(Paragraph(below, words, (Text(words.replace("$", "")),)))
    sizes = tuple(Page(page.number, 612.0, 792.0) for page in pages)
    return Document(source.name, "application/pdf", source.hash, tuple(blocks), pages=sizes, pictures=tuple(pictures))
