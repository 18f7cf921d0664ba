"""LaTeX text into tokens: commands, braces, scripts, letters, digits. Knows characters, not meaning."""

from __future__ import annotations

from typing import NamedTuple

from mathrag.errors import ExpressionLimitError, FormulaError

MAXIMUM_CHARACTERS = 100_000


class Token(NamedTuple):
    """`kind` is one of command, open, close, sup, sub, align, newline, space, digit, letter, prime, other."""

    kind: str
    text: str
    position: int


_SINGLE = {"{": "open", "}": "close", "^": "sup", "_": "sub", "&": "align", "'": "prime"}
# Markdown escapes what LaTeX needs bare; Hugo and others leave `\_` where a subscript was meant.
_MARKDOWN_ESCAPES = {"'": "prime", "*": "other", "^": "sup", "[": "other", "]": "other"}
_BARS = {"vert": "|", "mid": "|", "Vert": "‖", "lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖"}
_LINE_BREAKS = frozenset(("newline", "cr", "linebreak", "\\", "tabularnewline"))
_OUTER = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))


def strip_delimiters(source: str) -> tuple[int, int]:
    """The start and end of the formula inside `$...$`, `\\[...\\]` and blanks."""
    start, stop = 0, len(source)
    changed = True
    while changed:
        changed = False
        while start < stop and source[start].isspace():
            start += 1
        while stop > start and source[stop - 1].isspace():
            stop -= 1
        for opening, closing in _OUTER:
            inside = stop - start >= len(opening) + len(closing)
            if inside and source.startswith(opening, start) and source.endswith(closing, start, stop):
                start, stop, changed = start + len(opening), stop - len(closing), True
                break
    return start, stop


def tokenize(source: str, start: int = 0, stop: int | None = None) -> list[Token]:
    """The tokens of `source[start:stop]`, comments left out."""
    if len(source) > MAXIMUM_CHARACTERS:
        raise ExpressionLimitError(f"the formula is longer than {MAXIMUM_CHARACTERS:,} characters", source=source[:200])
    end = len(source) if stop is None else stop
    tokens: list[Token] = []
    append = tokens.append
    position = start
    while position < end:
        character = source[position]
        if character == "\\":
            token = _command(source, position, end)
            append(token)
            position = token.position + _length(token, source, end)
            continue
        kind = _SINGLE.get(character)
        if kind is None:
            if character.isspace() or character == "~":
                kind = "space"
            elif "0" <= character <= "9":
                kind = "digit"
            elif character.isalpha():
                kind = "letter"
            elif character == "%" and not _follows_number(tokens):
                # A comment, as in TeX; right after a number it can only be a percent sign somebody forgot to escape.
                newline = source.find("\n", position, end)
                position = end if newline < 0 else newline + 1
                continue
            elif character == "\x00" or (
                not character.isprintable() and character not in "\u2061\u2062\u2063\u200b\u00ad"
            ):
                raise FormulaError(
                    "character",
                    f"character U+{ord(character):04X} cannot stand in a formula",
                    source=source,
                    position=position,
                )
            elif character in "\u200b\u00ad\u2063":
                position += 1
                continue
            else:
                kind = "other"
        append(Token(kind, character, position))
        position += 1
    return tokens


def _follows_number(tokens: list[Token]) -> bool:
    for token in reversed(tokens):
        if token.kind == "space" or (token.kind == "command" and token.text in (",", ";", " ")):
            continue
        return token.kind == "digit"
    return False


def _command(source: str, position: int, end: int) -> Token:
    following = source[position + 1] if position + 1 < end else ""
    if not following:
        raise FormulaError("syntax", "a backslash at the end names no command", source=source, position=position)
    if not (following.isascii() and following.isalpha()):
        if following == "\\":
            if source.startswith("%", position + 2):
                # Markdown doubles the backslash of \% in tables; no line ends before a percent sign.
                return Token("command", "\\%", position)
            return Token("newline", "\\\\", position)
        if following == "|":
            return Token("other", "‖", position)
        if following in _MARKDOWN_ESCAPES:
            return Token(_MARKDOWN_ESCAPES[following], following, position)
        if following == "_":
            return Token("sub", "\\_", position)
        return Token("command", following, position)
    stop = position + 2
    while stop < end and source[stop].isascii() and source[stop].isalpha():
        stop += 1
    name = source[position + 1 : stop]
    if name in _BARS:
        return Token("other", _BARS[name], position)
    return Token("newline" if name in _LINE_BREAKS else "command", name, position)


def _length(token: Token, source: str, end: int) -> int:
    """How many characters a command token takes; a line break may carry an extra height."""
    if token.kind == "newline" and token.text == "\\\\":
        stop = token.position + 2
        if stop < end and source[stop] == "[":
            # \\[2pt] asks for extra space between the lines.
            closing = source.find("]", stop, min(end, stop + 12))
            if closing > 0 and source[stop + 1 : closing].strip().endswith(("pt", "em", "ex", "mm", "cm", "in", "mu")):
                return closing + 1 - token.position
        return 2
    if source[token.position + 1] in _MARKDOWN_ESCAPES or token.kind == "sub":
        return 2
    if token.text in ("|", "‖"):
        return next((1 + len(name) for name in _BARS if source.startswith(name, token.position + 1)), 2)
    return 1 + len(token.text)
