"""Documentation is executed: the README's commands print what it says, and pages name what exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_lines import run_line
from mathrag.cli.main import COMMANDS, GROUPS
from mathrag.settings import VARIABLES

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
WALK = (PROJECT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
SOLUTIONS = (PROJECT / "docs" / "solutions.md").read_text(encoding="utf-8")
HOW_TO = {
    name: (PROJECT / "docs" / "how-to" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("ask", "library", "calculator", "python")
}
# Later ones use what the first one makes.
TUTORIALS = ("first-library", "lab-report", "standards-handbook", "teaching", "assistant", "model-at-home")
CONSOLE = re.compile(r"```console\n\$ ((?:(?!mathrag )[^\n])*?)(?:\.venv/bin/)?(mathrag .+?)\n(.*?)```", re.S)
SAVED = re.compile(r"Save this as `([\w.-]+)`:\n\n````markdown\n(.*?)````", re.S)
PYTHON = re.compile(r"```python\n(.*?)```", re.S)


@pytest.mark.slow
def test_commands_print_what_the_first_page_says(tmp_path: Path) -> None:
    _run_blocks(README, tmp_path)


@pytest.mark.soak
def test_commands_print_what_the_pages_say(tmp_path: Path) -> None:
    """One after the other in one folder, for the later ones use the library that the first one makes."""
    _run_blocks(README + "".join(HOW_TO.values()) + WALK + SOLUTIONS, tmp_path)


@pytest.mark.soak
def test_tutorials_are_true(tmp_path: Path) -> None:
    """One after the other in one folder, with the files that a reader saves."""
    for name in TUTORIALS:
        page = (PROJECT / "docs" / "tutorials" / f"{name}.md").read_text(encoding="utf-8")
        for file, text in SAVED.findall(page):
            (tmp_path / file).write_text(text, encoding="utf-8")
        _run_blocks(page, tmp_path)


def test_every_tutorial_is_tested() -> None:
    assert {path.stem for path in (PROJECT / "docs" / "tutorials").glob("*.md")} == set(TUTORIALS)


def _run_blocks(pages: str, folder: Path) -> None:
    blocks = CONSOLE.findall(pages)
    assert len(blocks) == pages.count("```console")
    for before, command, expected in blocks:
        printed = run_line(before + command, folder, both=True).out
        assert re.fullmatch(_pattern(expected), printed), f"{command} printed:\n{printed}"


def _pattern(expected: str) -> str:
    """A line of three dots stands for any lines, three dots within a line for any part of it."""
    return "".join(
        r"(?:.*\n)*" if line == "...\n" else re.escape(line).replace(re.escape("..."), ".*")
        for line in expected.splitlines(keepends=True)
    )


@pytest.mark.soak
def test_python_examples_run(tmp_path: Path) -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=180, check=True
        ).stdout
        for code in PYTHON.findall(HOW_TO["python"])
    ]
    with_library, calculator = printed
    assert with_library.startswith("The kinetic energy is 9.00 J.\n")
    assert "\nv = 10.8 km/h\nm = 2*E_k/v**2\n26.8224 m/s\n" in with_library
    assert calculator.startswith("24.464")


@pytest.mark.soak
def test_the_page_for_python_prints_what_it_says(tmp_path: Path) -> None:
    """Each comment behind a `print` is what that prints; the second example uses the library of the first."""
    for code in PYTHON.findall((PROJECT / "docs" / "python.md").read_text(encoding="utf-8")):
        printed = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=180, check=True
        ).stdout
        expected = re.findall(r"print\(.*\)  # (.*)", code)
        assert expected
        assert printed.splitlines() == expected


def test_the_page_about_solutions_is_true(tmp_path: Path) -> None:
    (code,) = PYTHON.findall(SOLUTIONS)
    printed = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=180, check=True
    ).stdout
    assert printed == "1\n48\n"


def test_readme_begins_with_the_two_commands() -> None:
    commands = [line.strip() for line in README.splitlines() if line.startswith("    make")]
    assert commands == ["make demo", "make test"]


def test_every_command_and_setting_is_documented() -> None:
    pages = README + "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "docs").rglob("*.md"))
    for group, commands in GROUPS.items():
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
        prose = re.sub(r"```.*?```|`[^`\n]+`", "", page.read_text(encoding="utf-8"), flags=re.S)
        for target in re.findall(r"\]\(((?!https?:)[^)#]+)", prose):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
