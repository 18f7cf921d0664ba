"""`mathrag demo`: the main job on what the package carries: documents become a library, questions are asked of it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.options import library_option

if TYPE_CHECKING:
    from mathrag.library import Library

# What each question shows, and the question. What comes of it is computed when the demo runs.
TOUR: tuple[tuple[str, str], ...] = (
    ("a formula found, its values put in", "What is the kinetic energy of a 62 kg skater at 27 km/h, in kJ?"),
    ("solved for another symbol, with a constant", "What length gives a simple pendulum a period of 1.6 s?"),
    (
        "two formulas, one after the other",
        "A lamp takes 60 W at 230 V. How much charge flows through it in 2 hours?",
    ),
    (
        "several values, another unit",
        "What is the energy of a photon with a wavelength of 400 nm, 550 nm and 700 nm, in eV?",
    ),
    ("an honest no", "What is the volume of 0.4 mol of an ideal gas at 95 kPa?"),
)


@click.command("demo")
@library_option
def command(folder: Path | None) -> None:
    """Read the documents that come with the package into a library, and ask five questions of it.

    Without --library the library is made in a temporary folder and removed again.
    """
    if folder is not None:
        _tour(folder)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            _tour(Path(temporary))
    click.echo(
        "Now your own:  mathrag ingest notes/ handbook.html    mathrag ask '...'    mathrag chat    mathrag --help"
    )


def _tour(folder: Path) -> None:
    from mathrag.library import Library

    with Library(folder) as library:
        click.echo("Reading the documents that come with MathRAG ...")
        _ingest(library)
        for number, (what, question) in enumerate(TOUR, start=1):
            _ask(library, question, title=f"{number}. {what}")


def _ingest(library: Library) -> None:
    library.ingest([library.starter_folder()])
    totals = library.totals()
    click.echo(
        f"{totals['documents']} documents: {totals['formulas']} formulas, {totals['constants']} constants, "
        f"{totals['relations']} relations, each tied to the line it stands on.\n"
    )


def _ask(library: Library, question: str, *, title: str) -> None:
    from mathrag.library.ask.outcomes import brief_lines

    click.echo(click.style(title, dim=True))
    click.echo(f"? {question}")
    for kind, line in brief_lines(library.ask(question)):
        click.echo(f"  {click.style(line, bold=True) if kind == 'headline' else line}")
    click.echo("")
