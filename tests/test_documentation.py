"""Documentation is executed: the README's commands print what it says, and pages name what exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest

from mathrag.cli.main import COMMANDS, EVALUATE_COMMANDS, FORMULA_COMMANDS, QUANTITY_COMMANDS
from mathrag.settings import VARIABLES

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
WALK = (PROJECT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"```console\n\$ (.*?)\.venv/bin/(mathrag .+?)\n(.*?)```", re.S)
PYTHON = re.compile(r"```python\n(.*?)```", re.S)


@pytest.mark.slow
def test_commands_print_what_the_pages_say(tmp_path: Path) -> None:
    """One after the other in one folder, for the later ones use the library that the first one makes."""
    pages = README + WALK
    blocks = CONSOLE.findall(pages)
    assert len(blocks) == pages.count("```console")
    for before, command, expected in blocks:
        line = before + command.replace("mathrag", f"{sys.executable} -m mathrag", 1)
        # Both streams as a terminal shows them.
        printed = subprocess.run(
            line, shell=True, cwd=tmp_path, stdout=PIPE, stderr=STDOUT, text=True, timeout=180, check=False
        ).stdout
        assert re.fullmatch(_pattern(expected), printed), f"{command} printed:\n{printed}"


def _pattern(expected: str) -> str:
    """A line of three dots stands for any lines, three dots within a line for any part of it."""
    return "".join(
        r"(?:.*\n)*" if line == "...\n" else re.escape(line).replace(re.escape("..."), ".*")
        for line in expected.splitlines(keepends=True)
    )


@pytest.mark.slow
def test_readme_python_examples_run(tmp_path: Path) -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=180, check=True
        ).stdout
        for code in PYTHON.findall(README)
    ]
    with_library, calculator = printed
    assert with_library.startswith("The kinetic energy is 9.00 J.\n")
    assert "\nv = 10.8 km/h\nm = 2*E_k/v**2\n26.8224 m/s\n" in with_library
    assert calculator.startswith("24.464")


def test_readme_begins_with_the_two_commands() -> None:
    commands = [line.strip() for line in README.splitlines() if line.startswith("    make")]
    assert commands == ["make demo", "make test"]


def test_every_command_and_setting_is_documented() -> None:
    pages = README + "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "docs").rglob("*.md"))
    groups = {"formula": FORMULA_COMMANDS, "quantity": QUANTITY_COMMANDS, "evaluate": EVALUATE_COMMANDS}
    for group, commands in groups.items():
        for name in commands:
            assert f"mathrag {group} {name}" in pages
    for name in COMMANDS:
        assert f"mathrag {name}" in pages
    for variable in VARIABLES.values():
        assert variable in pages, f"{variable} is documented nowhere"


def test_files_named_in_the_walk_exist() -> None:
    names = re.findall(r"`([a-z]+/[a-z_/]+(?:\.py|\.toml)?)/?`", WALK)
    assert names
    for name in names:
        assert (PROJECT / "src" / "mathrag" / name).exists(), name


def test_links_lead_somewhere() -> None:
    for page in (PROJECT / "README.md", *(PROJECT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(((?!https?:)[^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
