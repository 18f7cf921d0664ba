"""`mathrag check-solution`: a written solution, step by step, against calculation."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.options import library_folder, library_option
from mathrag.cli.output import json_option, print_json
from mathrag.cli.paths import is_missing, missing_path
from mathrag.errors import UsageError

if TYPE_CHECKING:
    from mathrag.types.solution import SolutionCheck

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag check-solution notes.md
  mathrag check-solution papers/2026/power.tex --problem 'Which power is 90 J in 3 s?' --json
  echo 'Half of the pens: 96 / 2 = 48.' | mathrag check-solution - --library my-library
"""
)
_WIDTHS = (40, 100)


@click.command("check-solution", epilog=EXAMPLE)
@click.argument("file")
@click.option("--problem", default="", help="The task, where the file does not state it.")
@click.option("--page", type=click.IntRange(min=1), help="Check only this page of a document that has pages.")
@library_option
@json_option
def command(file: str, problem: str, page: int | None, folder: Path | None, as_json: bool) -> int:
    """Check the solution in FILE, a text, Markdown, LaTeX, PDF or other document; `-` reads text from standard input.

    Each step gets a mark: its calculations are right, one is false (with the right value), or nothing in it could be
    checked. Numbers from nowhere and an answer that was not derived are named. A library, where there is one, adds
    similar solved problems.

    The exit code is 0 when no false calculation was found, which is not the same as correct; 1 when there is one, when
    the answer is not what was derived, or when the file cannot be read; 2 when the command was called wrongly.
    """
    check = _checked(file, problem, page, folder)
    if as_json:
        from mathrag.library.solutions import check_object

        print_json(check_object(check))
    else:
        from mathrag.library.solutions import check_lines

        columns = shutil.get_terminal_size((80, 24)).columns
        click.echo("\n".join(check_lines(check, width=max(_WIDTHS[0], min(columns, _WIDTHS[1])))))
    return 1 if check.first_error is not None or check.final == "refuted" else 0


def _checked(file: str, problem: str, page: int | None, folder: Path | None) -> SolutionCheck:
    from mathrag.library import Library

    text = _standard_input() if file == "-" else None
    if text is None and is_missing(file):
        raise UsageError(missing_path(file))
    if text is not None and page is not None:
        raise UsageError("standard input has no pages; give a file, or leave --page out")
    chosen = library_folder(folder)
    if Library.exists(chosen):
        with Library(chosen, create=False) as library:
            return library.check_solution(text, file=None if text is not None else file, problem=problem, page=page)
    if folder is not None:
        raise UsageError(f"there is no library in {chosen}; leave --library out to check without one")
    from mathrag.library.solutions import check_file, check_text

    if text is not None:
        return check_text(text, problem=problem)
    return check_file(file, problem=problem, page=page)


def _standard_input() -> str:
    from mathrag.library.solutions import MOST_CHARACTERS

    # A character has at most four bytes.
    data = sys.stdin.buffer.read(4 * MOST_CHARACTERS + 1)
    if len(data) > 4 * MOST_CHARACTERS:
        raise UsageError(f"standard input is larger than {MOST_CHARACTERS:,} characters; check a part of it")
    if b"\0" in data or data.startswith(b"%PDF-"):
        raise UsageError("standard input is no text; give the file by its name")
    return data.decode("utf-8", "replace")
