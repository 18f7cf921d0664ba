"""In which part of a document each block stands: a worked example, a derivation, a summary, or plain text.

Three signs say so: boxes that the format marks, titles, and leads in bold ("Solution", "Example 3."). A box ends where
its author ends it. A title holds until the next of its rank. A lead holds to the next title, or, where it opens only a
remark, to the end of its paragraph with the formulas below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.language.parts import PartKind, title_kind
from mathrag.types.document import Block, Box, Content, Display, Document, Heading, Math, Paragraph, Text, plain_text

WORKED: frozenset[PartKind] = frozenset(("example", "solution", "exercise"))
_LONGEST_LEAD = 90
_BELOW_TITLES = 99
_ONE_FLOW = 100
# "Example 3", "Sample problem 2.1:": without bold type only a number tells a lead from a sentence.
_PLAIN_LEAD = re.compile(r"(?:Worked |Sample )?(?:Example|Problem|Solution) \d+(?:\.\d+)*\b")


_PART_OF_EXAMPLE = re.compile(r"\(?[a-z0-9]\)|(?:part|step|case|method|question)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Run:
    """A part that is open: what it is and the rank of the title that ends it."""

    kind: PartKind = ""
    level: int = _BELOW_TITLES
    box: int = -1


def parts_of(document: Document) -> list[PartKind]:
    """For every block the part it stands in; empty for plain text."""
    boxes = innermost_boxes(document)
    run = _Run()
    parts: list[PartKind] = []
    for index, block in enumerate(document.blocks):
        box = boxes[index]
        if run.box != -1 and not _is_inside(index, document.boxes[run.box]):
            # What was opened inside a box ends with it.
            run = _Run()
        run = _after(block, run, box)
        kind = run.kind
        if box != -1 and document.boxes[box].kind != "note":
            boxed: PartKind = document.boxes[box].kind  # type: ignore[assignment]
            kind = run.kind if boxed == "example" and run.kind == "solution" else boxed
        parts.append(kind)
    return parts


def innermost_boxes(document: Document) -> list[int]:
    """For every block the number of the smallest box around it, -1 where there is none; notes do not hide others."""
    found = [-1] * len(document.blocks)
    sizes = sorted(
        range(len(document.boxes)),
        key=lambda one: (
            document.boxes[one].kind != "note",
            document.boxes[one].first_block - document.boxes[one].last_block,
        ),
    )
    for number in sizes:
        box = document.boxes[number]
        for index in range(max(0, box.first_block), min(box.last_block + 1, len(found))):
            found[index] = number
    return found


def _is_inside(index: int, box: Box) -> bool:
    return box.first_block <= index <= box.last_block


def _after(block: Block, run: _Run, box: int) -> _Run:
    """What is open once this block has been seen."""
    if isinstance(block, Heading):
        return _after_title(plain_text(block.content), block.level, run, box)
    if not isinstance(block, Paragraph):
        return run if run.level != _ONE_FLOW or isinstance(block, Display) else _Run()
    lead = _bold_words(block.content)
    if lead and len(lead) <= _LONGEST_LEAD:
        is_alone = len(lead) >= len(plain_text(block.content).strip()) - 2
        return _after_lead(lead, run, box, is_alone=is_alone)
    opening = plain_text(block.content[:1]).lstrip()
    if _PLAIN_LEAD.match(opening):
        return _Run("example", _ONE_FLOW, box) if not run.kind else run
    return _Run() if run.level == _ONE_FLOW and not opening[:1].islower() else run


def _after_title(title: str, level: int, run: _Run, box: int) -> _Run:
    kind = title_kind(title)
    is_open = run.kind != "" and run.level < _BELOW_TITLES
    if kind in ("solution", "closing") and run.kind in ("example", "solution"):
        return _Run("solution", min(level, run.level) if is_open else level, run.box)
    if kind not in ("", "closing"):
        return _Run(kind, level, box)
    # Below the title of an example stand its parts; a topic begins something else, whatever its rank.
    is_part = run.kind not in ("example", "solution") or _PART_OF_EXAMPLE.match(title.strip()) is not None
    return run if is_open and level > run.level and is_part else _Run()


def _after_lead(lead: str, run: _Run, box: int, *, is_alone: bool) -> _Run:
    kind = title_kind(lead.rstrip(" .:"))
    level = run.level if run.kind and run.level < _BELOW_TITLES else _BELOW_TITLES
    if kind == "solution" or (kind == "closing" and run.kind in ("example", "solution")):
        return _Run("solution", level, run.box if run.kind else box)
    if kind == "example" and run.kind not in ("example", "solution"):
        return _Run("example", _BELOW_TITLES if is_alone else _ONE_FLOW, box)
    if kind == "derivation" and not run.kind:
        return _Run("derivation", _BELOW_TITLES if is_alone else _ONE_FLOW, box)
    # Any other lead ends what a lead opened; inside a titled part it is one of its words.
    return run if level < _BELOW_TITLES or kind else _Run()


def _bold_words(content: Content) -> str:
    """The bold words that open a content, with the formulas between them."""
    words: list[str] = []
    for piece in content:
        if isinstance(piece, Text) and (piece.bold or not piece.text.strip()):
            words.append(piece.text)
        elif isinstance(piece, Math) and words and piece.source:
            break
        else:
            break
    return "".join(words).strip()


def heading_paths(document: Document) -> list[tuple[str, ...]]:
    """For every block, the titles above it, outermost first. A heading stands under itself.

    Titles inside a box end with the box: what follows it stands under what stood above it.
    """
    ends: dict[int, list[Box]] = {}
    starts: dict[int, list[Box]] = {}
    for box in document.boxes:
        starts.setdefault(box.first_block, []).append(box)
        ends.setdefault(box.last_block + 1, []).append(box)
    kept: dict[Box, list[tuple[int, str]]] = {}
    open_headings: list[tuple[int, str]] = []
    paths: list[tuple[str, ...]] = []
    path: tuple[str, ...] = ()
    for index, block in enumerate(document.blocks):
        for box in _outermost_first(ends.get(index, ())):
            if box in kept:
                open_headings = kept.pop(box)
                path = tuple(title for _, title in open_headings)
                break
        for box in starts.get(index, ()):
            kept[box] = list(open_headings)
        if isinstance(block, Heading):
            while open_headings and open_headings[-1][0] >= block.level:
                open_headings.pop()
            open_headings.append((block.level, plain_text(block.content).strip()))
            path = tuple(title for _, title in open_headings)
        paths.append(path)
    return paths


def _outermost_first(boxes: Sequence[Box]) -> list[Box]:
    return sorted(boxes, key=lambda box: box.first_block)
