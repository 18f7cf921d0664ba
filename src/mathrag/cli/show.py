"""`mathrag show`: a card of a formula, a constant, a concept or a document, or what is on a page; without a name, all
there is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mathrag.cli.cards import constant_json, formula_json, is_guess, print_constant, print_document, print_formula
from mathrag.cli.case_cards import show_cases
from mathrag.cli.model_cards import (
    print_picture_readings,
    print_rejected,
    print_summaries,
    print_verdicts,
    summary_json,
    verdicts_json,
)
from mathrag.cli.options import library_option, open_library
from mathrag.cli.output import json_option, print_json
from mathrag.errors import LibraryError, UsageError

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.library.views.pages import PagePart
    from mathrag.types.library import Formula, Relation

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag show --library my-library
  mathrag show 'Kinetic energy' --library my-library
  mathrag show mechanics.md --library my-library
  mathrag show --rejected mechanics.md --library my-library
"""
)
_MOST_CARDS = 8
# Of the text of a part of a page, so that each has one line.
_LONGEST = 90


@click.command("show", epilog=EXAMPLE)
@click.argument("name", required=False)
@click.option("--page", type=click.IntRange(min=1), help="List what was found on this page of the document NAME.")
@click.option(
    "--png",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --page: draw the page of the file with a box around everything found.",
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the cut-out of the page that was kept of the formula NAME, whose reading is uncertain.",
)
@click.option(
    "--rejected",
    is_flag=True,
    help="List what a language model proposed and a check refused, of the document NAME or of all.",
)
@click.option("--password", help="Opens an encrypted file for --png. Default: the setting MATHRAG_PDF_PASSWORD.")
@library_option
@json_option
def command(
    name: str | None,
    page: int | None,
    png: Path | None,
    picture: Path | None,
    rejected: bool,
    password: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Show NAME: a formula or constant by its id or label, a worked example by its number or title, a concept by its
    name such as arith1:gcd, or a document by its name, path, title or id.

    Without NAME, list the documents of the library. Of a PDF, `mathrag show book.pdf --page 12` lists what was found on
    a page, and `--png page.png` draws it.

    Colours of the boxes that --png draws: formulas green (executable), orange (declined, guesses included), red
    (quarantined), cyan (a symbol or value, no formula of its own); headings blue; paragraphs, lists and references
    grey; tables brown, their cells sand; images magenta.
    """
    if (page is not None or picture is not None) and name is None:
        raise UsageError("--page and --picture need NAME: the document, or the formula")
    if rejected and (page is not None or picture is not None):
        raise UsageError("--rejected goes with neither --page nor --picture")
    if png is not None and page is None:
        raise UsageError("--png draws a page; say which with --page")
    with open_library(folder) as library:
        if page is not None and name is not None:
            _show_page(library, name, page, png=png, password=password, as_json=as_json)
            return
        if picture is not None and name is not None:
            _write_picture(library, name, picture, as_json=as_json)
            return
        names = {info.id: info.name for info in library.documents()}
        if rejected:
            print_rejected(library, name, names, as_json=as_json)
            return
        if name is None:
            _list_documents(library, as_json=as_json)
            return
        shown = _show_entries(library, name, names, as_json=as_json)
        shown = show_cases(library, name, names, as_json=as_json) or shown
        shown = _show_concepts(library, name, names, as_json=as_json) or shown
        if not shown and not _show_documents(library, name, as_json=as_json):
            raise LibraryError(f"the library has nothing called {name!r}; try `mathrag search {name!r}`")


def _show_entries(library: Library, name: str, names: dict[str, str], *, as_json: bool) -> bool:
    formulas = library.find_formulas(name)
    constants = library.find_constants(name)
    for index, formula in enumerate(formulas):
        relations = library.relations(formula.id)
        if as_json:
            print_json({**formula_json(formula, relations, names), "said_to_be": verdicts_json(library, formula)})
        elif index < _MOST_CARDS:
            print_formula(formula, relations, {**names, **_names_of(library, formula, relations)})
            print_verdicts(library, formula)
            if is_guess(formula) and library.picture(formula.id) is not None:
                click.echo(f"  picture: kept; write it with `mathrag show {formula.id} --picture FILE.png`")
                print_picture_readings(library, formula)
            click.echo("")
    for constant in constants:
        if as_json:
            print_json(constant_json(constant, names))
        else:
            print_constant(constant, names)
            click.echo("")
    if not as_json and len(formulas) > _MOST_CARDS:
        click.echo(f"{len(formulas) - _MOST_CARDS} more formulas have this name; name one by its id, or use --json")
    return bool(formulas or constants)


def _show_concepts(library: Library, name: str, names: dict[str, str], *, as_json: bool) -> bool:
    """Concepts by their name or symbol, each with its properties and what trying these gave."""
    from mathrag.library.views.concepts import concept_lines, concept_object

    found = library.find_concepts(name)
    for index, one in enumerate(found):
        if as_json:
            print_json(concept_object(one, names))
        elif index < _MOST_CARDS:
            click.echo("\n".join(concept_lines(one, names)))
            click.echo("")
    if not as_json and len(found) > _MOST_CARDS:
        click.echo(f"{len(found) - _MOST_CARDS} more concepts are called so; `mathrag concepts {name}` lists them")
    return bool(found)


def _names_of(library: Library, formula: Formula, relations: list[Relation]) -> dict[str, str]:
    """Labels of the entries that a formula is related to."""
    found: dict[str, str] = {}
    for relation in relations:
        for identifier in (relation.source, relation.target):
            if identifier != formula.id and identifier not in found:
                entries = library.find_formulas(identifier) or library.find_constants(identifier)
                found.update({entry.id: getattr(entry, "label", "") or getattr(entry, "name", "") for entry in entries})
    return {identifier: label for identifier, label in found.items() if label}


def _show_documents(library: Library, name: str, *, as_json: bool) -> bool:
    found = library.find_documents(name)
    counts = library.counts()
    for info in found:
        formulas = library.formulas(document=info.id)
        if as_json:
            print_json(
                {
                    "id": info.id,
                    "name": info.name,
                    "title": info.title,
                    "authors": list(info.authors),
                    "year": info.year,
                    "path": info.key,
                    "hash": info.hash,
                    "origin": info.origin,
                    "modified": info.modified,
                    "ingested_at": info.ingested_at,
                    "trust": info.trust or None,
                    "formulas": [
                        {
                            "id": one.id,
                            "label": one.label,
                            "latex": one.latex,
                            "status": one.status,
                            "is_guess": is_guess(one),
                        }
                        for one in formulas
                    ],
                    "notes": [{"code": note.code, "message": note.message} for note in info.notes],
                    "summaries": [summary_json(one) for one in library.summaries(info.id)],
                }
            )
        else:
            print_document(info, counts.get(info.id), formulas)
            print_summaries(library, info.id)
    return bool(found)


def _list_documents(library: Library, *, as_json: bool) -> None:
    counts = library.counts()
    for info in library.documents():
        count = counts.get(info.id)
        formulas = count.formulas if count is not None else 0
        if as_json:
            print_json(
                {
                    "id": info.id,
                    "name": info.name,
                    "title": info.title,
                    "path": info.key,
                    "formulas": formulas,
                    "origin": info.origin,
                    "modified": info.modified,
                    "ingested_at": info.ingested_at,
                    "trust": info.trust or None,
                }
            )
        else:
            dates = f"file of {info.modified[:10]}, read {info.ingested_at[:10]}"
            said = ", ".join(
                (dates, *(["uploaded"] if info.origin == "upload" else []), *([info.trust] if info.trust else []))
            )
            click.echo(f"{info.name:<40} {formulas:>5} formulas  {info.title}  ({said})")


def _show_page(
    library: Library, name: str, number: int, *, png: Path | None, password: str | None, as_json: bool
) -> None:
    """List what was found on a page, or draw the page into a file."""
    from mathrag.library.files import write_whole
    from mathrag.library.views.pages import part_object

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


def _write_picture(library: Library, name: str, target: Path, *, as_json: bool) -> None:
    """Write the cut-out that was kept of a formula."""
    from mathrag.library.files import write_whole

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
