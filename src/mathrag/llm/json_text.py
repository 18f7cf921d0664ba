"""Find and read the JSON in what a model wrote, tolerantly: prose and fences around it, trailing commas, comments,
bare line ends in strings, Python's None and True, LaTeX whose backslashes were not doubled.

Tolerant about notation, never about content: a value that is cut off, or broken somewhere inside, is declined as a
whole, and so is one in which a key stands twice with different values. Never raises; one pass, limits on everything.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NoReturn

from mathrag.types.json_value import Json

# Read one string of JSON as models write them: bare line ends inside, single quotation marks, LaTeX not escaped.
#
# `"\frac"` with one backslash is, by the letter of JSON, a form feed and "rac". Nobody means that. So a string with
# an escape that JSON does not know, or one that only makes sense as a LaTeX command, is taken as written without
# escapes.

LONGEST_TEXT = 200_000
_PLAIN = {'"': re.compile(r'[^"\\]*'), "'": re.compile(r"[^'\\]*")}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/", "'": "'"}
_HEXADECIMAL = re.compile(r"u[0-9a-fA-F]{4}")
# What follows \t, \n, \r in LaTeX and begins no line of prose. `\nu` and `\ne` are left out: a line may begin with "u".
_LATEX = re.compile(
    r"t(?:heta|imes|au|ext[a-z]{0,6}|an|anh|frac|o|riangle|ilde)(?![A-Za-z])"
    r"|n(?:abla|eq|otin|eg)(?![A-Za-z])"
    r"|r(?:ho|ight|angle|ightarrow|m)(?![A-Za-z])"
    r"|[bf][A-Za-z]"
)


class StringError(ValueError):
    """The string has no end."""

    def __init__(self, position: int) -> None:
        super().__init__("the JSON is cut off inside a string")
        self.position = position


def read_string(text: str, position: int) -> tuple[str, int]:
    """The string whose quotation mark stands at a position, and where it ends; `StringError` where it does not."""
    quote = text[position]
    start = position + 1
    parts: list[str] = []
    while True:
        plain = _PLAIN[quote].match(text, start)
        assert plain is not None
        parts.append(plain.group())
        start = plain.end()
        if start + 1 >= len(text) and text[start:] != quote:
            raise StringError(len(text))
        if text[start] == quote:
            break
        escape = _HEXADECIMAL.match(text, start + 1)
        body = escape.group() if escape is not None else text[start + 1]
        parts.append("\\" + body)
        start += 1 + len(body)
    return _unescaped(parts, text, position + 1), start + 1


def _unescaped(parts: list[str], text: str, position: int) -> str:
    if len(parts) == 1:
        return parts[0]
    is_written_raw = _is_written_raw(parts, text, position)
    pieces = []
    for index, part in enumerate(parts):
        if index % 2 == 0:
            pieces.append(part)
        elif len(part) > 2:
            pieces.append(chr(int(part[2:], 16)))
        elif part[1] not in _ESCAPES or (part[1].isalpha() and (is_written_raw or _LATEX.match(text, position + 1))):
            pieces.append(part)
        else:
            pieces.append(_ESCAPES[part[1]])
        position += len(part)
    return _joined("".join(pieces))


def _is_written_raw(parts: list[str], text: str, position: int) -> bool:
    """Whether the backslashes stand for themselves. One that is doubled shows that the writer knew to escape."""
    is_raw = False
    for index, part in enumerate(parts):
        if index % 2 and part == "\\\\" and parts[index + 1][:1].isalpha():
            return False
        if index % 2 and len(part) == 2:
            is_raw = is_raw or part[1] not in _ESCAPES or _LATEX.match(text, position + 1) is not None
        position += len(part)
    return is_raw


def _joined(text: str) -> str:
    """Two escaped halves of a surrogate pair as the one character they mean."""
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


LARGEST_DEPTH = 48
LARGEST_COUNT = 50_000
MOST_VALUES = 24
# Brackets in prose that turn out to be no JSON, before the rest is given up.
_MOST_STARTS = 1_000
_NUMBER = re.compile(r"-?(?:(?:0|[1-9]\d{0,400})(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,6})?")
_START = re.compile(r"[{\[]")
_BARE_KEY = re.compile(r"\w{1,64}\s{0,8}:")
_NAME = re.compile(r"[A-Za-z_]\w{0,63}")
_SPACE = re.compile(r"[\s\ufeff\u200b]+")
_LITERALS: dict[str, Json] = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_THOUGHT = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JsonFound:
    """The complete values in a text, in order; `problem` says why there are none."""

    values: tuple[Json, ...] = ()
    problem: str = ""


class _BrokenError(Exception):
    """The value cannot be read; `position` is where that showed."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


def find_json(text: str) -> JsonFound:
    """The JSON objects and lists of a text, or its one value of another kind; what was thought aloud before is cut."""
    if len(text) > LONGEST_TEXT:
        return JsonFound(problem=f"the reply is longer than {LONGEST_TEXT} characters")
    text = without_thoughts(text).strip()
    if not text:
        return JsonFound(problem="the reply is empty")
    alone = _scalar_alone(text)
    if alone is not None:
        return alone
    return _scan(text)


def without_thoughts(text: str) -> str:
    """What a model says after it has thought aloud between tags; empty where the thought does not end.

    Some servers leave out the tag that opens the thought, so the one that closes it is enough.
    """
    ends = [end.end() for end in _THOUGHT_END.finditer(text)]
    if ends:
        return text[ends[-1] :]
    return "" if _THOUGHT.match(text.lstrip()) else text


def _scan(text: str) -> JsonFound:
    values: list[Json] = []
    position = 0
    for _ in range(_MOST_STARTS):
        start = _START.search(text, position)
        if start is None or len(values) >= MOST_VALUES:
            break
        reader = _Reader(text, start.start())
        try:
            values.append(reader.read(0))
        except _BrokenError as error:
            # A stray bracket in prose is no JSON; but what began as JSON and broke must not be picked for its parts.
            if reader.is_in_earnest:
                return JsonFound(problem=error.reason)
            position = max(error.position, start.end())
        else:
            position = reader.position
    return JsonFound(tuple(values)) if values else JsonFound(problem="the reply holds no JSON object or list")


def _scalar_alone(text: str) -> JsonFound | None:
    """A text that is one string, number or literal; perhaps in a fence."""
    if text.startswith("```") and text.endswith("```") and len(text) > 6:
        text = text[3:-3].removeprefix("json").strip()
    if not text or text[0] in "{[":
        return None
    reader = _Reader(text, 0)
    try:
        value = reader.read(0)
    except _BrokenError:
        return None
    return JsonFound((value,)) if reader.is_at_end() else None


class _Reader:
    """Reads one value from a position on."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.is_in_earnest = False
        self._count = 0

    def read(self, depth: int) -> Json:
        self._skip()
        self._count += 1
        if depth > LARGEST_DEPTH:
            self._break(f"the JSON is nested deeper than {LARGEST_DEPTH} levels")
        if self._count > LARGEST_COUNT:
            self._break(f"the JSON has more than {LARGEST_COUNT} values")
        match self._next():
            case "{":
                return self._object(depth)
            case "[":
                return self._list(depth)
            case '"' | "'":
                return self._string()
            case _:
                return self._plain()

    def is_at_end(self) -> bool:
        self._skip()
        return self.position >= len(self.text)

    def _object(self, depth: int) -> Json:
        self.position += 1
        content: dict[str, Json] = {}
        while True:
            self._skip()
            if self._next() == "}":
                self.position += 1
                return content
            key = self._key()
            value = self.read(depth + 1)
            if key in content and not _is_same(content[key], value):
                self._break(f"the key {key[:40]!r} stands twice in one object, with different values")
            content[key] = value
            self._separator("}")

    def _key(self) -> str:
        if self._next() not in "\"'":
            self.is_in_earnest = self.is_in_earnest or _BARE_KEY.match(self.text, self.position) is not None
            self._break("a key in quotation marks is expected")
        key = self._string()
        self._skip()
        if self._next() != ":":
            self._break(f"a colon is expected after the key {key[:40]!r}")
        self.position += 1
        self.is_in_earnest = True
        return key

    def _list(self, depth: int) -> Json:
        self.position += 1
        content: list[Json] = []
        while True:
            self._skip()
            if self._next() == "]":
                self.position += 1
                return content
            value = self.read(depth + 1)
            self.is_in_earnest = self.is_in_earnest or isinstance(value, dict | list)
            content.append(value)
            self._separator("]")

    def _separator(self, close: str) -> None:
        """Step over a comma; one before the closing bracket does no harm. Two in a row leave something out."""
        self._skip()
        if self._next() == ",":
            self.position += 1
        elif self._next() != close:
            self._break(f"a comma or {close} is expected")

    def _string(self) -> str:
        try:
            value, self.position = read_string(self.text, self.position)
        except StringError as error:
            raise _BrokenError(str(error), error.position) from None
        return value

    def _plain(self) -> Json:
        number = _NUMBER.match(self.text, self.position)
        if number is not None:
            self.position = number.end()
            following = self.text[self.position : self.position + 1]
            if following.isalnum() or following in (".", "_", "+"):
                self._break("a number is followed by something else")
            return self._number(number.group())
        name = _NAME.match(self.text, self.position)
        if name is None or name.group() not in _LITERALS:
            self._break("a value is expected")
        self.position = name.end()
        return _LITERALS[name.group()]

    def _number(self, digits: str) -> Json:
        if digits.lstrip("-").isdigit():
            return int(digits)
        value = float(digits)
        if not math.isfinite(value):
            self._break("a number is too large")
        return value

    def _skip(self) -> None:
        """White space and comments."""
        while True:
            space = _SPACE.match(self.text, self.position)
            if space is not None:
                self.position = space.end()
            if self.text.startswith("//", self.position):
                end = self.text.find("\n", self.position)
            elif self.text.startswith("/*", self.position):
                end = self.text.find("*/", self.position + 2)
                end = end + 2 if end >= 0 else -1
            else:
                return
            self.position = len(self.text) if end < 0 else end

    def _next(self) -> str:
        if self.position >= len(self.text):
            self._break("the JSON is cut off before its end")
        return self.text[self.position]

    def _break(self, reason: str) -> NoReturn:
        raise _BrokenError(reason, self.position)


def _is_same(first: Json, second: Json) -> bool:
    """Equal, and of one kind: JSON's true is not 1."""
    return type(first) is type(second) and bool(first == second)
