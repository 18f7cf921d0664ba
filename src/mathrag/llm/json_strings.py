"""Read one string of JSON as models write them: bare line ends inside, single quotation marks, LaTeX not escaped.

`"\\frac"` with one backslash is, by the letter of JSON, a form feed and "rac". Nobody means that. So a string with an
escape that JSON does not know, or one that only makes sense as a LaTeX command, is taken as written without escapes.
"""

from __future__ import annotations

import re

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
