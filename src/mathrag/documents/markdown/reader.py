"""Markdown bytes to a `Document`: decoding, front matter, blocks, captions, title. The entry point of the format."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import PurePath
from time import thread_time
from typing import Any

from mathrag.documents.arrangement import arrange, find_abstract
from mathrag.documents.decoding import decode
from mathrag.documents.markdown.block_rules import make_parser
from mathrag.documents.markdown.blocks import BlockBuilder
from mathrag.documents.markdown.inline import normal_label
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.documents.source_map import SourceText
from mathrag.types.document import Block, Document, Heading, ReaderNote, plain_text

# What stands before the text of a Markdown file: title, authors, date, abstract. Plain keys only, never a program.
#
# YAML is read line by line by a small reader of our own: scalars, lists of scalars or of `name:`, folded text.

_LONGEST = 100_000
_MOST_LINES = 2_000
_KEY = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'")
Values = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What was found, and `end`: where the text of the document begins."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""
    end: int = 0


def read_front_matter(text: str) -> FrontMatter:
    """The front matter of a text; nothing where it has none."""
    mark = text[:3]
    if mark not in ("---", "+++") or text[3:4] not in ("\n", " ", "\t") or text[3 : text.find("\n")].strip():
        return FrontMatter()
    start = text.find("\n") + 1
    end, after = _find_end(text, start, mark)
    if end < 0:
        return FrontMatter()
    body = text[start:end]
    values = _read_toml(body) if mark == "+++" else _read_yaml(body)
    if values is None:
        return FrontMatter()
    dates = " ".join(_first(values, key) for key in ("date", "year", "published", "publishdate", "created", "lastmod"))
    year = _YEAR.search(dates)
    return FrontMatter(
        title=_first(values, "title"),
        authors=tuple(dict.fromkeys([*values.get("author", []), *values.get("authors", [])])),
        year=int(year.group()) if year else None,
        abstract=_first(values, "abstract", "summary", "description"),
        end=after,
    )


def _find_end(text: str, start: int, mark: str) -> tuple[int, int]:
    position = start
    for _ in range(_MOST_LINES):
        if position >= len(text) or position - start > _LONGEST:
            break
        stop = text.find("\n", position)
        stop = len(text) if stop < 0 else stop
        line = text[position:stop].rstrip()
        if line == mark or (mark == "---" and line == "..."):
            return position, min(stop + 1, len(text))
        position = stop + 1
    return -1, -1


def _first(values: Values, *keys: str) -> str:
    return next((values[key][0] for key in keys if values.get(key)), "")


def _read_toml(body: str) -> Values | None:
    try:
        table = tomllib.loads(body)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    values: Values = {}
    for key, value in table.items():
        items = value if isinstance(value, list) else [value]
        named = [item.get("name", "") if isinstance(item, dict) else item for item in items]
        values[key.lower()] = [str(item).strip() for item in named if str(item).strip()]
    return values


def _read_yaml(body: str) -> Values | None:
    """Keys of the first level. None where this is no YAML at all, but text between two rules."""
    blocks: list[tuple[str, str, list[str]]] = []
    for line in body.split("\n"):
        found = _KEY.match(line)
        if found:
            blocks.append((found.group(1).lower(), (found.group(2) or "").strip(), []))
        elif blocks:
            blocks[-1][2].append(line)
        elif line.strip() and not line.lstrip().startswith("#"):
            return None
    return {key: _yaml_values(value, below) for key, value, below in blocks} if blocks else None


def _yaml_values(value: str, below: list[str]) -> list[str]:
    if value[:1] in ("|", ">") and len(value) <= 3:
        return _texts([" ".join(line.strip() for line in below).strip()])
    if value.startswith("["):
        whole = " ".join([value, *(line.strip() for line in below)])
        return _texts(_split_list(whole.partition("[")[2].rpartition("]")[0]))
    if value and not value.startswith("#"):
        joined = " ".join([value, *(line.strip() for line in below if line.strip())])
        return _texts([_scalar(joined)])
    items: list[str] = []
    for line in below:
        bare = line.strip()
        item = bare[2:].strip() if bare.startswith("- ") else bare
        found = _KEY.match(item)
        if found is None:
            if bare.startswith("- "):
                items.append(_scalar(item))
        elif found.group(1).lower() in ("name", "literal") and found.group(2):
            items.append(_scalar(found.group(2).strip()))
    return _texts(items)


def _split_list(inner: str) -> list[str]:
    items: list[str] = []
    position = 0
    while position < len(inner):
        while position < len(inner) and inner[position] in " ,":
            position += 1
        quoted = _QUOTED.match(inner, position)
        if quoted:
            items.append(_scalar(quoted.group()))
            position = quoted.end()
            continue
        stop = inner.find(",", position)
        stop = len(inner) if stop < 0 else stop
        items.append(inner[position:stop].strip())
        position = stop
    return items


def _scalar(value: str) -> str:
    quoted = _QUOTED.match(value)
    if quoted:
        if quoted.group(1) is not None:
            return re.sub(
                r"\\(.)", lambda found: {"n": " ", "t": " "}.get(found.group(1), found.group(1)), quoted.group(1)
            )
        return quoted.group(2).replace("''", "'")
    return re.sub(r"\s+#.*$", "", value).strip()


def _texts(items: list[str]) -> list[str]:
    return [item for item in items if item and item not in ("~", "null")]


def read_markdown(source: Source) -> Document:
    """Read a Markdown document. Raises `DocumentError` for what is no text, too large or nested too deep."""
    decoded = decode(source)
    front = read_front_matter(decoded.text)
    blocks, notes = read_markdown_text(decoded.text, limits=source.limits, front=front)
    return Document(
        source=source.name,
        media_type="text/markdown",
        hash=source.hash,
        blocks=tuple(blocks),
        title=front.title or first_heading(blocks) or PurePath(source.name).stem,
        authors=front.authors,
        year=front.year,
        abstract=front.abstract or find_abstract(blocks),
        notes=(*decoded.notes, *notes),
    )


def read_markdown_text(
    text: str,
    *,
    limits: ReadingLimits,
    front: FrontMatter | None = None,
    path: str = "",
) -> tuple[list[Block], list[ReaderNote]]:
    """The blocks of Markdown text. `path` goes into every place: the cell, where the text is one of a notebook."""
    source = SourceText(text, path=path)
    visible = text
    if front is not None and front.end:
        # Blanked, not cut: lines and offsets stay those of the document.
        visible = re.sub(r"[^\n]", " ", text[: front.end]) + text[front.end :]
    environment: dict[str, Any] = {"limits": limits, "deadline": thread_time() + limits.seconds}
    tokens = make_parser(depth=limits.depth).parse(visible, environment)
    labels = frozenset(normal_label(label) for label in environment.get("references", {}))
    builder = BlockBuilder(source, labels=labels, limits=limits)
    builder.build(tokens)
    return arrange(builder.blocks), [*builder.notes, *_shortcode_notes(builder)]


def _shortcode_notes(builder: BlockBuilder) -> list[ReaderNote]:
    notes: list[ReaderNote] = []
    for name, spans in builder.shortcodes.items():
        times = "" if len(spans) == 1 else f" ({len(spans)} times)"
        notes.append(
            ReaderNote("shortcode", f"the shortcode {name!r} was left out{times}", builder.source.place(*spans[0]))
        )
    return notes


def first_heading(blocks: list[Block]) -> str:
    """The words of the first heading of the highest level, as a title."""
    for block in blocks:
        if isinstance(block, Heading) and block.level == 1:
            return plain_text(block.content).strip()
    return ""
