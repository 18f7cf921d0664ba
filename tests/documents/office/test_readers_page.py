"""The page on readers: its example is run, and what it says is needed is what the messages say."""

from __future__ import annotations

import re
from pathlib import Path

from mathrag.documents import Source
from mathrag.documents.foreign import foreign_readers
from mathrag.documents.office import pandoc

PAGE = (Path(__file__).parents[3] / "docs" / "readers.md").read_text(encoding="utf-8")


def test_the_example_of_a_reader_reads() -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(code[0], names)  # the page is our own
    read = names["read_typst"]
    assert callable(read)
    assert read(Source("a.rst", b"x")).blocks[0].quote.startswith("The force")


def test_readers_and_commands_are_those_of_the_program() -> None:
    for name in foreign_readers():
        assert f"| `{name}` |" in PAGE
    for command in re.findall(r"`([^`]+)`", pandoc.INSTALL):
        assert command in PAGE
