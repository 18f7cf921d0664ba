"""Markdown documents beside the blocks they must become, in files a person can read."""

from __future__ import annotations

from pathlib import Path

import pytest
from block_rendering import render

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.md"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_blocks_are_those_of_the_golden_file(path: Path) -> None:
    document = read_markdown(Source(path.name, path.read_bytes()))
    assert render(document) == path.with_suffix(".blocks").read_text(encoding="utf-8")
