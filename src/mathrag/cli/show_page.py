"""What `mathrag show` does with pages and pictures: list a page, draw it, write the cut-out of a formula."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.output import print_json
from mathrag.errors import LibraryError

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.library.views.pages import PagePart

_LONGEST = 90


def show_page(
    library: Library, name: str, number: int, *, png: Path | None, password: str | None, as_json: bool
) -> None:
    """List what was found on a page, or draw the page into a file."""
    from mathrag.library.views.pages import part_object
    from mathrag.library.whole_files import write_whole

    page = library.page(name, number)
    if png is not None:
        write_whole(png, [library.page_png(name, number, password=password)])
        if as_json:
            print_json({"document": page.document, "page": number, "png": str(png), "parts": len(page.parts)})
        else:
            click.echo(f"wrote {png}: page {number} with {len(page.parts)} boxes")
        return
    if as_json:
        parts = [part_object(part) for part in page.parts]
        size = {"width": page.width, "height": page.height}
        print_json({"document": page.document, "page": number, **size, "parts": parts})
        return
    click.echo(f"page {number}, {page.width:g} x {page.height:g} points, {len(page.parts)} parts")
    for part in page.parts:
        click.echo(f"  {_line(part)}")
    for info in library.find_documents(page.document):
        for note in info.notes:
            if note.place.page == number:
                click.echo(f"  note: {note.message}")


def _line(part: PagePart) -> str:
    text = part.text if len(part.text) <= _LONGEST else f"{part.text[: _LONGEST - 1]}…"
    box = " ".join(f"{side:.0f}" for side in part.box)
    status = "guess" if part.is_guess else part.status
    doubts = f"  ({'; '.join(part.doubts)})" if part.doubts else ""
    return f"{part.kind:<10} {status:<11} [{box}]  {text}{doubts}"


def write_picture(library: Library, name: str, target: Path, *, as_json: bool) -> None:
    """Write the cut-out that was kept of a formula."""
    from mathrag.library.whole_files import write_whole

    formula = library.formula(name)
    data = library.picture(formula.id)
    if data is None:
        raise LibraryError(
            f"no picture is kept of {formula.id}; one is kept only of a formula of a PDF whose reading is uncertain"
        )
    write_whole(target, [data])
    if as_json:
        print_json({"formula": formula.id, "picture": str(target), "bytes": len(data)})
    else:
        click.echo(f"wrote {target}")
