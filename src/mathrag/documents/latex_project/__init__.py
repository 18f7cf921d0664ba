"""LaTeX projects into documents: a main file and what it includes, macros expanded, nothing run.

`tokens` cuts the source up, `feeds` and `expander` put macros and files in their places, `builder` with
`environments` and `text_commands` makes blocks of what comes out, `formulas` and `displays` the formulas.
"""

from __future__ import annotations

import dataclasses

from mathrag.documents.latex_project.builder import Builder, Rules
from mathrag.documents.latex_project.environments import begin_environment, read_formula
from mathrag.documents.latex_project.files import ProjectFiles
from mathrag.documents.latex_project.references import with_references
from mathrag.documents.latex_project.text_commands import run_command
from mathrag.documents.seams import Source
from mathrag.types.document import Block, Document, Heading, Place, ReaderNote

__all__ = ["read_latex_project"]

_RULES = Rules(command=run_command, environment=begin_environment, formula=read_formula)


def read_latex_project(source: Source) -> Document:
    """Read a LaTeX file with all it includes from `source.folder`. Raises `DocumentError` for what cannot be read."""
    files = ProjectFiles(source)
    builder = Builder(files, _RULES)
    blocks = _levelled(builder.run())
    numbering = builder.numbering
    if numbering.is_used:
        blocks = [with_references(block, numbering) for block in blocks]
    notes = files.notes
    if files.left_out_notes:
        notes.append(ReaderNote("more_notes", f"{files.left_out_notes:,} more notes are not kept", Place()))
    return Document(
        source=source.name,
        media_type="text/x-tex",
        hash=files.hash,
        blocks=tuple(blocks),
        title=numbering.resolved(builder.title),
        authors=tuple(builder.authors),
        year=builder.year,
        abstract=numbering.resolved(builder.abstract),
        notes=tuple(notes),
        files=files.names,
        boxes=tuple(builder.boxes),
    )


def _levelled(blocks: list[Block]) -> list[Block]:
    """Headings by the levels that the document uses: its highest kind of section is level 1."""
    used = sorted({block.level for block in blocks if isinstance(block, Heading)})
    levels = {rank: number for number, rank in enumerate(used, start=1)}
    return [
        dataclasses.replace(block, level=levels[block.level]) if isinstance(block, Heading) else block
        for block in blocks
    ]
