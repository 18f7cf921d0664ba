"""Jupyter notebooks to a `Document`: Markdown cells by the Markdown reader, code as code, never run.

A notebook is JSON, so its lines mean nothing to a person; places name the cell, and lines count inside the cell.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from mathrag.documents.decoding import decode, normalise_lines
from mathrag.documents.markdown.reader import first_heading, read_front_matter, read_markdown_text
from mathrag.documents.plaintext import read_plain_blocks
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.documents.source_map import SourceText
from mathrag.documents.two_forms import compared
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Code,
    Document,
    Heading,
    Math,
    Place,
    ReaderNote,
    Text,
    formulas_of,
    with_formulas,
)

_READ_OUTPUTS = ("text/markdown", "text/latex")


def read_notebook(source: Source) -> Document:
    """Read a notebook of format 3 or 4. Raises `DocumentError` where the JSON is broken or is no notebook."""
    decoded = decode(source)
    notebook = _load(decoded.text, source.name)
    metadata = notebook.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    builder = _Builder(source.limits, _language(metadata))
    for number, cell in enumerate(_cells(notebook, source.name), start=1):
        builder.add_cell(cell, number)
    title = metadata.get("title") or metadata.get("name")
    return Document(
        source=source.name,
        media_type="application/x-ipynb+json",
        hash=source.hash,
        blocks=tuple(builder.blocks),
        title=title if isinstance(title, str) else first_heading(builder.blocks) or PurePath(source.name).stem,
        authors=_authors(metadata),
        notes=(*decoded.notes, *builder.finished_notes()),
    )


def _load(text: str, name: str) -> dict[str, Any]:
    try:
        notebook = json.loads(text, parse_int=_read_int)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        reason = f"{name} is not a notebook: its JSON cannot be read; save it again from Jupyter"
        raise DocumentError("not_a_notebook", reason, place=where) from error
    if not isinstance(notebook, dict):
        raise DocumentError("not_a_notebook", f"{name} is not a notebook: it holds JSON of another kind")
    return notebook


def _read_int(digits: str) -> int:
    """Numbers of a notebook are counters; one that no counter reaches is not worth the time to convert."""
    return int(digits) if len(digits) < 20 else 0


def _cells(notebook: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The cells of format 4, or of all worksheets of format 3."""
    cells = notebook.get("cells")
    if cells is None and isinstance(notebook.get("worksheets"), list):
        sheets = [sheet for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets for cell in _as_list(sheet.get("cells"))]
    if not isinstance(cells, list):
        raise DocumentError("not_a_notebook", f"{name} is not a notebook: it has no cells")
    return [cell if isinstance(cell, dict) else {} for cell in cells]


def _language(metadata: dict[str, Any]) -> str:
    """The language of the cells: what the notebook says, or the one that nearly all are in."""
    for key, field_name in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(key)
        language = about.get(field_name) if isinstance(about, dict) else None
        if isinstance(language, str) and language:
            return language[:40]
    return "python"


def _agreeing(math: Math, other: Math) -> Math:
    return compared(math, [(other.source, other.notation)])


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _joined(value: object) -> str:
    """Text of a cell: one string, or a list of lines."""
    if isinstance(value, str):
        return normalise_lines(value)
    return normalise_lines("".join(part for part in _as_list(value) if isinstance(part, str)))


def _authors(metadata: dict[str, Any]) -> tuple[str, ...]:
    authors = _as_list(metadata.get("authors"))
    names = [author.get("name", "") if isinstance(author, dict) else author for author in authors]
    return tuple(name for name in names if isinstance(name, str) and name)


@dataclass(slots=True)
class _Builder:
    """Collects the blocks of the cells and counts what is left out."""

    limits: ReadingLimits
    language: str = "python"
    blocks: list[Block] = field(default_factory=list)
    notes: list[ReaderNote] = field(default_factory=list)
    left_out: dict[str, list[int]] = field(default_factory=dict)

    def add_cell(self, cell: dict[str, Any], number: int) -> None:
        kind = cell.get("cell_type")
        path = f"cell {number}"
        if kind == "code":
            # Format 3 calls it input.
            self._add_code(
                _joined(cell.get("source", cell.get("input"))), path, str(cell.get("language", self.language))
            )
            for output in _as_list(cell.get("outputs")):
                self._add_output(output, number)
            return
        text = _joined(cell.get("source"))
        if kind == "markdown" or kind == "html":
            self._add_markdown(text, path)
        elif kind == "heading":
            self._add_heading(text, path, cell.get("level"))
        elif kind in ("raw", "plaintext"):
            self._extend(read_plain_blocks(text, limits=self.limits, path=path))
        else:
            self.left_out.setdefault(f"cells of the unknown kind {str(kind)[:40]!r}", []).append(number)

    def _extend(self, blocks: list[Block]) -> None:
        if len(self.blocks) + len(blocks) > self.limits.blocks:
            raise DocumentError(
                "too_large", f"the notebook has more than {self.limits.blocks:,} blocks; split it or raise the limit"
            )
        self.blocks.extend(blocks)

    def _add_markdown(self, text: str, path: str) -> None:
        front = read_front_matter(text) if not self.blocks else None
        blocks, notes = read_markdown_text(text, limits=self.limits, front=front, path=path)
        self._extend(blocks)
        self.notes.extend(notes)

    def _add_heading(self, text: str, path: str, level: object) -> None:
        words = " ".join(text.split())
        depth = level if isinstance(level, int) and 1 <= level <= 6 else 1
        if words:
            place = Place(line=1, end_line=1 + text.rstrip("\n").count("\n"), path=path)
            self._extend([Heading(place, text.strip(), depth, (Text(words),))])

    def _add_code(self, text: str, path: str, language: str) -> None:
        if text.strip():
            place = SourceText(text, path=path).place(0, len(text.rstrip()))
            self._extend([Code(place, text.rstrip(), text.rstrip(), language)])

    def _add_output(self, output: object, number: int) -> None:
        if not isinstance(output, dict):
            return
        data = output.get("data")
        # Format 3 has no bundle: the kinds stand in the output itself, without their first word.
        bundle = data if isinstance(data, dict) else {f"text/{key}": value for key, value in output.items()}
        path = f"cell {number} output"
        forms = [text for text in (_joined(bundle.get(kind)) for kind in _READ_OUTPUTS) if text.strip()]
        if forms:
            first = len(self.blocks)
            self._add_markdown(forms[0], path)
            others = [*forms[1:], _joined(bundle.get("text/html"))]
            self.blocks[first:] = self._compared(self.blocks[first:], [text for text in others if text.strip()])
            return
        named = data if isinstance(data, dict) else [output.get("output_type")]
        kinds = sorted(str(kind)[:40] for kind in named)
        self.left_out.setdefault(f"outputs ({', '.join(kinds[:4])})", []).append(number)

    def _compared(self, blocks: list[Block], others: list[str]) -> list[Block]:
        """The blocks of an output, its formulas uncertain where the same output says others in another form."""
        count = sum(1 for block in blocks for _ in formulas_of(block))
        for text in others:
            read, _ = read_markdown_text(text, limits=self.limits, front=None)
            maths = [math for block in read for math in formulas_of(block)]
            if len(maths) != count:
                # Programs write a table or a picture beside a formula; only formula beside formula can be compared.
                continue
            pending = iter(maths)
            blocks = [with_formulas(block, lambda math: _agreeing(math, next(pending))) for block in blocks]  # noqa: B023
        return blocks

    def finished_notes(self) -> list[ReaderNote]:
        """The notes, with one for each kind of thing left out."""
        notes = list(self.notes)
        for what, numbers in self.left_out.items():
            times = "" if len(numbers) == 1 else f" and {len(numbers) - 1} more"
            message = f"{what} of cell {numbers[0]}{times} left out"
            notes.append(ReaderNote("output", message, Place(path=f"cell {numbers[0]}")))
        return notes
