"""How many formulas of the golden corpora come back from Word and OpenDocument as they went in. Needs pandoc."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from golden_formulas import load
from mathrag.compute.equality import same_equation
from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.documents import Source
from mathrag.documents.office import pandoc, read_docx, read_epub, read_odt
from mathrag.types.document import Document, Math, formulas_of
from mathrag.types.expression import Declined, Reading

pytestmark = pytest.mark.skipif(not pandoc.pandoc_path(), reason=f"pandoc is not here; {pandoc.INSTALL}")
EVERY = 6
# siunitx loses its upright letters when pandoc writes the file; no reader can bring them back.
_LOST_IN_WRITING = re.compile(r"\\(?:SI|qty|num|unit|si)\b")


def _entries() -> list[tuple[str, list[str]]]:
    names = ("formulas", "formulas_second", "formulas_third", "formulas_fourth")
    found = [(str(entry["latex"]).strip(), entry.get("hint", [])) for name in names for entry in load(name)]
    bare = [(re.sub(r"^(?:\$\$?|\\\[|\\\()|(?:\$\$?|\\\]|\\\))$", "", text).strip(), hint) for text, hint in found]
    return [entry for entry in bare if not _LOST_IN_WRITING.search(entry[0]) and "\n\n" not in entry[0]][::EVERY]


def _written(form: str, folder: Path) -> bytes:
    """The entries as a document, each in a paragraph of its own."""
    version = json.loads(_pandoc(["-f", "markdown", "-t", "json"], b"x"))["pandoc-api-version"]
    blocks = [{"t": "Para", "c": [{"t": "Math", "c": [{"t": "InlineMath"}, text]}]} for text, _ in _entries()]
    tree = json.dumps({"pandoc-api-version": version, "meta": {}, "blocks": blocks}).encode()
    target = folder / f"corpus.{form}"
    _pandoc(["-f", "json", "-t", form, "--mathml", "-o", str(target)], tree)
    return target.read_bytes()


def _pandoc(arguments: list[str], data: bytes) -> bytes:
    command = [pandoc.pandoc_path(), *arguments]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def _same(before: Reading | Declined, after: Reading | Declined) -> bool:
    if isinstance(before, Declined) or isinstance(after, Declined):
        return isinstance(before, Declined)
    if len(before.equations) != len(after.equations):
        return False
    pairs = zip(before.equations, after.equations, strict=True)
    return before.expression == after.expression and all(one == two or same_equation(one, two) for one, two in pairs)


def _reading(math: Math, hint: list[str]) -> Reading | Declined:
    return read_latex(math.source, hint) if math.notation == "latex" else read_mathml(math.source, hint)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "read", "share"), [("docx", read_docx, 0.98), ("odt", read_odt, 0.97), ("epub", read_epub, 0.99)]
)
def test_formulas_come_back(form: str, read: Callable[[Source], Document], share: float, tmp_path: Path) -> None:
    document = read(Source(f"corpus.{form}", _written(form, tmp_path)))
    paragraphs: list[Any] = [block for block in document.blocks if type(block).__name__ != "Heading"]
    entries = _entries()
    assert len(paragraphs) == len(entries) > 200
    lost = []
    for (latex, hint), block in zip(entries, paragraphs, strict=True):
        found = list(formulas_of(block))
        if len(found) != 1 or not _same(read_latex(latex, hint), _reading(found[0], hint)):
            lost.append((latex, [math.source for math in found]))
    assert len(lost) <= (1 - share) * len(entries), lost
