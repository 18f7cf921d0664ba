"""Calls as models write them, `Name(key="value", 3)`, and the literals in them: read by hand, never run.

Knows Python's and JSON's literals: texts, numbers, truth values, lists, tuples and mappings. One pass, capped depth and
count; raises `CallError` where the text is something else, with the place. Knows no action.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from mathrag.llm.json_text import StringError, read_string

DEEPEST = 24
MOST_VALUES = 10_000
_BLANK = re.compile(r"[\s\ufeff\u200b]+")
_NAME = re.compile(r"[A-Za-z_]\w{0,63}")
_KEY = re.compile(r"([`*]{0,2})([A-Za-z_]\w{0,63})\1\s{0,20}[=:](?!=)")
_NUMBER = re.compile(r"[+-]?(?:[0-9][0-9_]{0,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,4})?(?![\w.])")
_BARE = re.compile(r"[^\[\]{},:\n]{1,2000}")
_WORDS: Mapping[str, object] = {
    "True": True, "true": True, "False": False, "false": False, "None": None, "null": None,
}  # fmt: skip
_CLOSING = {"“": "”", "‘": "’", "„": "“", "«": "»"}
_QUOTES = frozenset(('"', "'", *_CLOSING))
_LONGEST_UNQUOTED = 2_000
_CLOSES = {"[": "]", "(": ")", "{": "}"}


class CallError(ValueError):
    """The text is no call, or no literal; `position` is where that showed."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


@dataclass(frozen=True, slots=True)
class Call:
    """What stands between the parentheses, by name and in order, and where the call ends in the text."""

    named: Mapping[str, object] = field(default_factory=dict)
    positional: Sequence[object] = ()
    end: int = 0


class LiteralReader:
    """Reads literals from a position on. Where a `word` is given, text without quotation marks is one, as in YAML."""

    def __init__(self, text: str, position: int = 0, *, word: type[str] | None = None) -> None:
        self.text = text
        self.position = position
        self._word = word
        self._count = 0

    def value(self, depth: int = 0) -> object:
        """One literal."""
        self.skip()
        self._count += 1
        if depth > DEEPEST:
            self.fail(f"values are nested deeper than {DEEPEST} levels")
        if self._count > MOST_VALUES:
            self.fail(f"there are more than {MOST_VALUES:,} values")
        character = self.peek()
        if character in "\"'":
            return self._strings()
        if character in _CLOSING:
            return self._typographic(_CLOSING[character])
        if character in "[(":
            return self._list(_CLOSES[character], depth)
        if character == "{":
            return self._mapping(depth)
        return self._plain()

    def skip(self) -> None:
        """Step over white space."""
        blank = _BLANK.match(self.text, self.position)
        if blank is not None:
            self.position = blank.end()

    def peek(self) -> str:
        """The next character; a `CallError` at the end."""
        if self.position >= len(self.text):
            self.fail("it is cut off before its end")
        return self.text[self.position]

    def is_at_end(self) -> bool:
        """Whether nothing but white space is left."""
        self.skip()
        return self.position >= len(self.text)

    def fail(self, reason: str) -> NoReturn:
        """Give up here."""
        raise CallError(reason, self.position)

    def _strings(self) -> str:
        """A text in quotation marks; several side by side are one, as in Python."""
        parts = [self._string()]
        while True:
            before = self.position
            self.skip()
            if self._word is not None or self.text[self.position : self.position + 1] not in ('"', "'"):
                self.position = before
                return "".join(parts)
            parts.append(self._string())

    def _string(self) -> str:
        mark = self.text[self.position : self.position + 3]
        if mark in ('"""', "'''"):
            end = self.text.find(mark, self.position + 3)
            if end < 0:
                self.fail("a text has no end")
            inside = self.text[self.position + 3 : end]
            self.position = end + 3
            return inside.strip("\n")
        try:
            value, self.position = read_string(self.text, self.position)
        except StringError:
            self.fail("a text has no closing quotation mark")
        return value

    def _typographic(self, closing: str) -> str:
        end = self.text.find(closing, self.position + 1)
        if end < 0:
            self.fail("a text has no closing quotation mark")
        inside = self.text[self.position + 1 : end]
        self.position = end + 1
        return inside

    def _list(self, close: str, depth: int) -> object:
        self.position += 1
        content: list[object] = []
        has_comma = False
        while True:
            self.skip()
            if self.peek() == close:
                self.position += 1
                # Parentheses around one value only group it.
                return content[0] if close == ")" and len(content) == 1 and not has_comma else content
            content.append(self.value(depth + 1))
            has_comma = self.separator(close) or has_comma

    def _mapping(self, depth: int) -> dict[str, object]:
        self.position += 1
        content: dict[str, object] = {}
        while True:
            self.skip()
            if self.peek() == "}":
                self.position += 1
                return content
            key = self._key(depth)
            self.skip()
            if self.peek() != ":":
                self.fail("a colon is expected after a key")
            self.position += 1
            if key in content:
                self.fail(f"the key {key[:40]!r} stands twice")
            content[key] = self.value(depth + 1)
            self.separator("}")

    def _key(self, depth: int) -> str:
        name = _NAME.match(self.text, self.position)
        if name is not None and self.text[name.end() : name.end() + 1] == ":":
            self.position = name.end()
            return name.group()
        key = self.value(depth + 1)
        if isinstance(key, str):
            return str(key)
        if key is None or isinstance(key, bool | int | float):
            return json.dumps(key)
        self.fail("a key is a text")

    def separator(self, close: str) -> bool:
        """Step over a comma; one before the closing bracket does no harm. Whether there was one."""
        self.skip()
        if self.peek() == ",":
            self.position += 1
            return True
        if self.peek() != close:
            self.fail(f"a comma or {close} is expected")
        return False

    def _plain(self) -> object:
        if self._word is not None:
            return self._bare_words(self._word)
        number = _NUMBER.match(self.text, self.position)
        if number is not None:
            value = number_of(number.group())
            if value is None:
                self.fail("a number is too large")
            self.position = number.end()
            return value
        word = _NAME.match(self.text, self.position)
        if word is not None and word.group() in _WORDS:
            self.position = word.end()
            return _WORDS[word.group()]
        self.fail("a value is expected; text needs quotation marks")

    def _bare_words(self, word: type[str]) -> object:
        found = _BARE.match(self.text, self.position)
        if found is None:
            self.fail("a value is expected")
        self.position = found.end()
        return word(found.group().strip())


def number_of(digits: str) -> int | float | None:
    """The number of a literal; None where it is too large for one."""
    plain = digits.replace("_", "")
    if plain.lstrip("+-").isdecimal():
        return int(plain)
    value = float(plain)
    return value if math.isfinite(value) else None


def read_call(text: str, opening: int, *, bare: str = "") -> Call:
    """The call whose parenthesis opens at a position. `bare` is a parameter whose value may lack quotation marks."""
    reader = LiteralReader(text, opening + 1)
    named: dict[str, object] = {}
    positional: list[object] = []
    while True:
        reader.skip()
        if reader.peek() == ")":
            return Call(named, positional, reader.position + 1)
        key = _KEY.match(text, reader.position)
        if key is not None:
            reader.position = key.end()
            if key.group(2) in named:
                reader.fail(f"the parameter {key.group(2)} is given twice")
        elif named:
            reader.fail("a value without a name follows one with a name")
        value = _argument(reader, bare if key is None or key.group(2) == bare else "")
        if key is None:
            positional.append(value)
        else:
            named[key.group(2)] = value


def _argument(reader: LiteralReader, bare: str) -> object:
    reader.skip()
    if bare and reader.peek() not in _QUOTES:
        return _unquoted(reader)
    value = reader.value()
    reader.separator(")")
    return value


def _unquoted(reader: LiteralReader) -> str:
    """Everything up to the parenthesis that closes the call, as an expression is written without quotation marks."""
    depth = 0
    for found in re.finditer(r"[()\n]", reader.text[reader.position : reader.position + _LONGEST_UNQUOTED]):
        character = found.group()
        if character == ")" and depth == 0:
            inside = reader.text[reader.position : reader.position + found.start()].strip().rstrip(",")
            if not inside:
                break
            reader.position += found.start()
            return inside
        if character == "\n":
            break
        depth += 1 if character == "(" else -1
    reader.fail("a value is expected; text needs quotation marks")


# ---- writing


def text_literal(text: str) -> str:
    """A text in quotation marks that `read_string`, JSON and Python all read back as it was."""
    short = json.dumps(text, ensure_ascii=False)
    try:
        is_safe = read_string(short, 0) == (text, len(short))
    except StringError:
        is_safe = False
    if not is_safe:
        # By their numbers nothing can be taken for a command of LaTeX.
        short = '"' + "".join(_numbered(character) for character in text) + '"'
    return "".join(f"\\u{ord(sign):04x}" if _is_hidden(sign) else sign for sign in short)


def _numbered(character: str) -> str:
    if character in '\\"':
        return f"\\{character}"
    return character if character >= " " else f"\\u{ord(character):04x}"


def _is_hidden(character: str) -> bool:
    return "\x7f" <= character <= "\xa0" or character in "\u2028\u2029\ufeff" or "\ud800" <= character <= "\udfff"


def literal(value: object) -> str:
    """A value as JSON writes it, with texts that every reader here gives back unchanged."""
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{text_literal(str(key))}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(literal, value)) + "]"
    return json.dumps(value)
