"""Capitals in formulas are described by the words that the document spells them out by."""

from __future__ import annotations

import pytest

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.pipeline import extract


def _said(text: str) -> dict[str, str]:
    document = read_markdown(Source(name="a.md", data=f"{text}\n".encode()))
    findings = extract(document, document_id="d").findings
    return {one.name: one.description for finding in findings for one in finding.symbols}


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("The herd index (HDX) is low.\n\nShare kept = HDX / pens filled", "HDX", "herd index"),
        ("We divide by QWZ (quota of winter zones).\n\nShare kept = cows kept / QWZ", "QWZ", "quota of winter zones"),
        ("## Quality Weeks Zeroed\n\nShare kept = cows kept / QWZ", "QWZ", "quality weeks zeroed"),
        ("## Other matters\n\nShare kept = cows kept / QWZ", "QWZ", ""),
    ],
)
def test_abbreviations_are_spelled_out(text: str, name: str, words: str) -> None:
    assert _said(text)[name] == words
