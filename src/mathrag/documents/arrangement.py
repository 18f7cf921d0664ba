"""Blocks seen beside each other: captions go to their tables and pictures, lists of literature become references."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from mathrag.types.document import (
    Block,
    Code,
    Content,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Reference,
    Table,
    Text,
    plain_text,
)

_TABLE_CAPTION = re.compile(r"(?:table|tab\.)\s*[A-Z]?[\d.\-–]*[a-z]?\s*[:.–—|]\s*\S|(?:table)?:\s+\S", re.IGNORECASE)
_BRACKET_CAPTION = re.compile(r"\[[^\[\]]{3,}\](?:\[[^\[\]]*\])?")
_FIGURE_CAPTION = re.compile(r"(?:figure|fig\.?|image|diagram)\s*[A-Z]?[\d.\-–]*[a-z]?\s*[:.–—|]\s*\S", re.IGNORECASE)
_BARE_COLON = re.compile(r"(?:table)?:\s+", re.IGNORECASE)
_REFERENCES = re.compile(
    r"(?:\d+[.)]?\s*)?(?:references?|bibliography|literature(?: cited)?|works cited|sources|citations?|further reading"
    r"|reference list|list of references|footnotes|notes and references)\s*:?",
    re.IGNORECASE,
)
_KEY = re.compile(r"\[\^?([^\[\]]{1,40})\]:?\s*|(\d{1,4})[.)]\s+")
_ABSTRACT = re.compile(r"(?:abstract|summary|zusammenfassung)\s*:?", re.IGNORECASE)


def arrange(blocks: Iterable[Block], *, has_references: bool = False) -> list[Block]:
    """The blocks with captions where they belong and references as such.

    `has_references` where the reader has told the entries of the list of literature from what else stands there.
    """
    placed = _with_captions(list(blocks))
    return placed if has_references else _with_references(placed)


def find_abstract(blocks: list[Block]) -> str:
    """The text under a heading "Abstract" near the beginning."""
    for index, block in enumerate(blocks[:20]):
        if isinstance(block, Heading) and _ABSTRACT.fullmatch(plain_text(block.content).strip()):
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            return plain_text(following.content) if isinstance(following, Paragraph) else ""
    return ""


def _with_captions(blocks: list[Block]) -> list[Block]:
    used: set[int] = set()
    for index, block in enumerate(blocks):
        if isinstance(block, Table) and not block.caption:
            for near in (index - 1, index + 1):
                caption = _caption(blocks, near, used, is_after=near > index)
                if caption:
                    used.add(near)
                    blocks[index] = replace(block, caption=caption)
                    break
        elif isinstance(block, Image) and index + 1 < len(blocks):
            following = blocks[index + 1]
            if isinstance(following, Paragraph) and _FIGURE_CAPTION.match(plain_text(following.content)):
                used.add(index + 1)
                blocks[index] = replace(block, caption=following.content)
    return [block for index, block in enumerate(blocks) if index not in used]


def _caption(blocks: list[Block], near: int, used: set[int], *, is_after: bool) -> Content:
    if near in used or not 0 <= near < len(blocks):
        return ()
    block = blocks[near]
    if not isinstance(block, Paragraph):
        return ()
    text = plain_text(block.content)
    if _TABLE_CAPTION.match(text) and len(text) < 1000:
        return _without_start(block.content, _BARE_COLON)
    if is_after and len(text) < 300 and _BRACKET_CAPTION.fullmatch(text):
        return (Text(text[1 : text.index("]")]),)
    return ()


def _without_start(content: Content, pattern: re.Pattern[str]) -> Content:
    first = content[0]
    found = pattern.match(first.text) if isinstance(first, Text) else None
    if found is None or not isinstance(first, Text):
        return content
    rest = first.text[found.end() :]
    return (replace(first, text=rest), *content[1:]) if rest else content[1:]


def names_references(words: str) -> bool:
    """Whether a heading says that a list of literature follows."""
    return len(words) < 60 and _REFERENCES.fullmatch(words.strip(" *_#")) is not None


def _with_references(blocks: list[Block]) -> list[Block]:
    level: int | None = None
    result: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading):
            if names_references(plain_text(block.content)):
                level = block.level
            elif level is not None and block.level <= level:
                level = None
            result.append(block)
        elif level is not None and isinstance(block, Paragraph | ListItem | Code):
            result.append(_reference(block) or block)
        else:
            result.append(block)
    return result


def _reference(block: Paragraph | ListItem | Code) -> Block | None:
    """A block of a list of literature as a reference; what is more formula than words stays what it is."""
    if isinstance(block, Code):
        return None
    if any(isinstance(piece, Math) and piece.is_display for piece in block.content):
        return None
    if any(isinstance(piece, Math) and "=" in piece.source for piece in block.content):
        return None
    text = re.sub(r"\s+", " ", plain_text(block.content)).strip()
    if not text:
        return None
    found = _KEY.match(text)
    key = (found.group(1) or found.group(2)) if found else ""
    text = text[found.end() :].strip() if found else text
    if isinstance(block, ListItem) and not key:
        digits = re.search(r"\d+", block.marker)
        key = digits.group() if digits else plain_text(block.term)
    return Reference(block.place, block.quote, text, key) if text else None
