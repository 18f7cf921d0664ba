"""The small part of YAML that models write: block mappings and lists, quoted and unquoted texts, block texts, lists and
mappings in brackets. No anchors, no tags, no types but those of JSON; what looks like them is text.

Unquoted texts come back as `Plain`, for only who knows the parameter knows whether 2023 is a number. Raises `YamlError`
where the lines make no sense.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from mathrag.llm.json_text import StringError, read_string
from mathrag.reason.agent.documents.action_parameters import Plain, settled
from mathrag.reason.agent.documents.call_text import CallError, LiteralReader, literal, text_literal

DEEPEST = 16
# A quoted text or a list in brackets may go over this many lines.
_MOST_LINES = 60
_LEADING = re.compile(r"\A *\t[ \t]*")
_BLOCK = re.compile(r"([|>])([+-]?)([1-9]?)([+-]?)[ \t]*(?:#.*)?")
_BARE_KEY = re.compile(r"[^\s:#\"'\[\]{},|>][^:#\n]{0,78}?[ \t]{0,8}:(?=[ \t]|$)")
_COMMENT = re.compile(r"[ \t]#.*")
_REST = re.compile(r"[ \t]*(?:#.*)?")
_SAFE = re.compile(r"[A-Za-z][\w ,.;()/%+=<>*?!$^~'\"-]{0,400}")


class YamlError(ValueError):
    """The text is none of what is read here."""


def read_yaml(text: str) -> Mapping[str, object]:
    """The mapping that a text begins with; lines after it that belong to no key are left alone."""
    found = _Lines(text).block(0, 0)
    if not isinstance(found, Mapping):
        raise YamlError("keys with values are expected, one a line")
    return found


class _Lines:
    """Walks the lines of one text, once."""

    def __init__(self, text: str) -> None:
        self.lines = [_LEADING.sub(_blanks, line, count=1) for line in text.replace("\r\n", "\n").split("\n")]
        self.place = 0

    def block(self, least: int, depth: int) -> object:
        """What stands at the next line that is indented by `least` blanks or more; None where none is."""
        if depth > DEEPEST:
            self._fail(f"values are nested deeper than {DEEPEST} levels")
        indent = self._next_indent()
        if indent is None or indent < least:
            return None
        line = self.lines[self.place][indent:]
        if line == "-" or line.startswith("- "):
            return self._list(indent, depth)
        if self._key_at(line) is not None:
            return self._mapping(indent, depth)
        first = line.lstrip()
        self.place += 1
        return self._scalar(first, indent - 1)

    def _list(self, indent: int, depth: int) -> list[object]:
        content: list[object] = []
        while self._next_indent() == indent:
            line = self.lines[self.place][indent:]
            if not (line == "-" or line.startswith("- ")):
                break
            inside = line[1:].lstrip()
            column = indent + len(line) - len(inside)
            if inside and (self._key_at(inside) is not None or inside.startswith("- ")):
                # A mapping or list that begins behind the dash: as if the dash were a blank.
                self.lines[self.place] = " " * column + inside
                content.append(self.block(column, depth + 1))
                continue
            self.place += 1
            content.append(self._value(inside, indent, depth))
        return content

    def _mapping(self, indent: int, depth: int) -> dict[str, object]:
        content: dict[str, object] = {}
        while self._next_indent() == indent:
            line = self.lines[self.place][indent:]
            found = self._key_at(line)
            if found is None:
                break
            key, rest = found
            if key in content:
                self._fail(f"the key {key[:40]!r} stands twice")
            self.place += 1
            content[key] = self._value(rest, indent, depth, is_key=True)
        return content

    def _value(self, rest: str, indent: int, depth: int, *, is_key: bool = False) -> object:
        """The value behind a key or dash: on the line, or in the lines below that are indented further."""
        if _REST.fullmatch(rest):
            following = self._next_indent()
            # A list may stand at the indentation of its key.
            is_list = is_key and following == indent and self.lines[self.place][indent : indent + 2].rstrip() == "-"
            return self.block(indent if is_list else indent + 1, depth + 1)
        return self._scalar(rest, indent)

    def _scalar(self, rest: str, indent: int) -> object:
        block = _BLOCK.fullmatch(rest)
        if block is not None:
            return self._block_text(block, indent)
        if rest[0] in "\"'[{":
            found = self._closed(rest)
            if found is not None:
                return found[0]
        words = [_COMMENT.sub("", rest, count=1).strip()]
        while (following := self._next_indent()) is not None and following > indent and not self._has_gap():
            words.append(_COMMENT.sub("", self.lines[self.place], count=1).strip())
            self.place += 1
        return Plain(" ".join(words))

    def _closed(self, rest: str) -> tuple[object] | None:
        """A quoted text or brackets, over several lines if need be; None where it is not closed, or more follows."""
        for text in (rest, "\n".join([rest, *self.lines[self.place : self.place + _MOST_LINES]])):
            try:
                value, end = _single_quoted(text) if rest[0] == "'" else _opened(text)
            except (CallError, StringError):
                continue
            line_end = text.find("\n", end)
            if not _REST.fullmatch(text[end : len(text) if line_end < 0 else line_end]):
                return None
            self.place += text.count("\n", 0, end)
            return (value,)
        return None

    def _block_text(self, found: re.Match[str], indent: int) -> str:
        style, first, digits, second = found.groups()
        lines: list[str] = []
        width = indent + int(digits) if digits else None
        while self.place < len(self.lines):
            line = self.lines[self.place]
            blanks = len(line) - len(line.lstrip(" "))
            if line.strip():
                width = blanks if width is None else width
                if blanks < width or width <= indent:
                    break
            lines.append(line[width:] if width is not None else "")
            self.place += 1
        kept = (first or second) == "+"
        body = "\n".join(lines) if style == "|" else _folded(lines)
        return body if kept else body.rstrip("\n")

    def _next_indent(self) -> int | None:
        """The indentation of the next line that is neither empty nor a comment; None at the end."""
        while self.place < len(self.lines):
            line = self.lines[self.place]
            bare = line.lstrip(" ")
            if bare and not bare.startswith("#"):
                return len(line) - len(bare)
            self.place += 1
        return None

    def _has_gap(self) -> bool:
        """Whether an empty line parts the next line from the one before: then it is no continuation."""
        return self.place > 0 and not self.lines[self.place - 1].strip()

    def _key_at(self, line: str) -> tuple[str, str] | None:
        """The key that a line begins with, and what follows it."""
        if line[:1] in ("'", '"'):
            try:
                key, end = _single_quoted(line) if line[0] == "'" else read_string(line, 0)
            except (CallError, StringError):
                return None
            rest = line[end:].lstrip()
            if rest[:1] != ":" or rest[1:2] not in ("", " "):
                return None
            return key, rest[1:].lstrip()
        found = _BARE_KEY.match(line)
        if found is None:
            return None
        return found.group()[:-1].rstrip(), line[found.end() :].lstrip()

    def _fail(self, reason: str) -> NoReturn:
        raise YamlError(reason)


def _blanks(found: re.Match[str]) -> str:
    return found.group().expandtabs(2)


def _opened(text: str) -> tuple[object, int]:
    if text[0] == '"':
        return read_string(text, 0)
    reader = LiteralReader(text, word=Plain)
    return reader.value(), reader.position


def _single_quoted(text: str) -> tuple[str, int]:
    """A text between apostrophes, of which two stand for one."""
    pieces: list[str] = []
    start = 1
    while (end := text.find("'", start)) >= 0:
        pieces.append(text[start:end])
        if text[end + 1 : end + 2] != "'":
            return "".join(pieces), end + 1
        pieces.append("'")
        start = end + 2
    raise CallError("a text has no closing quotation mark", len(text))


def _folded(lines: Sequence[str]) -> str:
    """Lines joined by blanks, an empty line ending a paragraph."""
    pieces: list[str] = []
    for line in lines:
        if line.strip() and pieces and pieces[-1] != "\n":
            pieces.append(" ")
        pieces.append(line if line.strip() else "\n")
    return "".join(pieces)


def yaml_value(value: object) -> str:
    """A value on one line of YAML: an unquoted text where nothing in it could be taken for something else."""
    if not isinstance(value, str):
        return literal(value)
    is_safe = (
        _SAFE.fullmatch(value) is not None
        and value == value.strip()
        and not re.search(r"\s#|:\s|:$", value)
        and settled(value) == value
    )
    return value if is_safe else text_literal(value)
