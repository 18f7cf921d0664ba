"""The page about worksheets is executed: its sheet, its Python, and every kind of line in its table."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from mathrag.worksheets.engine import Engine
from mathrag.worksheets.lines import Unread
from mathrag.worksheets.reading import read_line

PAGE = (Path(__file__).parent.parent.parent / "docs" / "worksheets.md").read_text(encoding="utf-8")


def test_the_sheet_has_no_errors() -> None:
    (sheet,) = re.findall(r"```text\n(.*?)```", PAGE, re.S)
    assert Engine().run(sheet).problems == ()


def test_the_python_prints_what_the_page_says() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (said,) = re.findall(r"prints `(.*?)`", PAGE)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said


def test_every_line_of_the_table_is_read() -> None:
    cells = [row.split(" | ")[0] for row in PAGE.splitlines() if row.startswith("| `")]
    lines = [line for cell in cells for line in re.findall(r"`([^`]+)`", cell)]
    assert len(lines) > 12
    assert [line for line in lines if isinstance(read_line(line), Unread)] == []
