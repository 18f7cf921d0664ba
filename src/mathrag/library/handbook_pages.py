"""The pages of the handbook: documents that come with the package, and the relations of the atlas that people ask for
by name, a page for each field.

A page of the atlas is written from its entries when the handbook is made, as somebody would write a sheet of formulas,
so that it is read as any document is.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from mathrag.compute.printers.latex import latex_text, symbol_latex
from mathrag.compute.pythontext import read_python_text
from mathrag.errors import DataFileError
from mathrag.knowledge import atlas
from mathrag.types.expression import Declined
from mathrag.types.knowledge import KnownPlace, KnownRelation

DATA = Path(str(resources.files("mathrag"))) / "data"
HANDBOOK_FOLDER = DATA / "handbook"


def handbook_pages() -> dict[str, str]:
    """The text of every page, by the folder and name under which it is cited."""
    documents = sorted((*(DATA / "starter").glob("*.md"), *HANDBOOK_FOLDER.glob("*.md")))
    written = {f"{each.parent.name}/{each.name}": each.read_text(encoding="utf-8") for each in documents}
    return written | dict(_atlas_pages())


def _atlas_pages() -> Iterator[tuple[str, str]]:
    for field, text in atlas.sources().items():
        relations = [each for each in atlas.parse_relations(field, text) if each.is_asked]
        if relations:
            yield f"atlas/{field}.md", "\n".join([*_head(text), *(line for each in relations for line in _entry(each))])


def _head(text: str) -> list[str]:
    """The title of a page: what the first comment of the field calls it, up to a colon."""
    title = text.partition("\n")[0].lstrip("# ").partition(":")[0].rstrip(".")
    return ["---", f'title: "{title}"', "authors: MathRAG", "date: 2026", "---", "", f"# {title}", ""]


def _entry(relation: KnownRelation) -> list[str]:
    reading = read_python_text(relation.equation)
    if isinstance(reading, Declined):
        raise DataFileError(f"{relation.name}: {reading.reason}")
    *places, last = map(_place, relation.places)
    lines = [f"## {relation.name}", ""]
    if relation.also:
        lines += [f"Also called {', '.join(relation.also)}.", ""]
    if relation.holds:
        lines += [f"It holds for {relation.holds}.", ""]
    lines += [f"$${latex_text(reading.equations[0])}$$", ""]
    return [*lines, f"where {', '.join(places)} and {last}." if places else f"where {last}.", ""]


def _place(place: KnownPlace) -> str:
    unit = "dimensionless" if place.unit == "1" else place.unit
    return f"${symbol_latex(place.name)}$ is the {place.meaning} ({unit})"
