"""A share of `make babble`: a real, very small model babbles, and nothing of its own gets through."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from babbling import weights
from mathrag.library import Library

TOOL = Path(__file__).parent.parent / "tools" / "babble.py"


@pytest.mark.soak
@pytest.mark.skipif(weights() is None, reason="the small model is not installed; `make test` installs it")
def test_a_babbling_model_gets_nothing_through(tmp_path: Path) -> None:
    page = tmp_path / "model.md"
    page.write_text("# A model that babbles\n\nold figures\n\n# Written by people\n\nkept\n", encoding="utf-8")
    sizes = ["--questions", "5", "--documents", "2", "--chunks", "4"]
    command = [sys.executable, str(TOOL), *sizes, "--out", str(tmp_path), "--report"]
    run = subprocess.run([*command, str(page)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    text = page.read_text(encoding="utf-8")
    assert "| **violations** | 0 | **violations** | 0 |" in text
    calls = re.search(r"\| calls \| (\d+) \| calls \| (\d+) \|", text)
    assert calls is not None
    assert int(calls[1]) >= 5
    assert int(calls[2]) >= 2
    assert "| questions | 2 |" in text
    assert "| **violations** | 0 |\n" in text.partition("## Questions about documents")[2]
    assert "old figures" not in text
    assert text.endswith("# Written by people\n\nkept\n")


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tool_babble", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_part_of_a_page_is_made_anew_and_the_others_stay(tool: ModuleType) -> None:
    page = "# First\n\nold\n\n# Second\n\nkept\n"
    with_part = tool.with_part(page, "## Inner\n\nnew\n")
    assert with_part == "# First\n\nold\n\n## Inner\n\nnew\n\n# Second\n\nkept\n"
    again = tool.with_part(with_part, "## Inner\n\nnewer\n")
    assert again == "# First\n\nold\n\n## Inner\n\nnewer\n\n# Second\n\nkept\n"
    assert tool.with_part(again, "# First\n\nall\n") == "# First\n\nall\n\n# Second\n\nkept\n"
    assert tool.with_part("", "# First\n\nall\n") == "# First\n\nall\n"


def test_questions_about_documents_are_of_their_tables(tool: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "looms.md").write_text("# Looms\n\n| yarn | breaks |\n|---|---|\n| wool | 17 |\n", encoding="utf-8")
    with Library(tmp_path / "library") as library:
        library.ingest([tmp_path / "looms.md"], workers=1)
        asked = tool.document_questions(library, 10)
    assert len(asked) == 10
    assert "What is the value of breaks for wool?" in asked
    assert any(text.startswith(("Ignore", "SYSTEM", "Do not")) for text in asked)
