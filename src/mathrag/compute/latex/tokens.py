"""LaTeX text into tokens: commands, braces, scripts, letters, digits. Knows characters, not meaning."""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import NamedTuple

from mathrag.compute.latex import commands as table
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import MAXIMUM_DEPTH, Flag
from mathrag.types.symbol_names import GREEK

MAXIMUM_CHARACTERS = 100_000


class LatexToken(NamedTuple):
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


def tokenize(source: str, start: int = 0, stop: int | None = None) -> list[LatexToken]:
    """The tokens of `source[start:stop]`, comments left out."""
    if len(source) > MAXIMUM_CHARACTERS:
        raise ExpressionLimitError(f"the formula is longer than {MAXIMUM_CHARACTERS:,} characters", source=source[:200])
    end = len(source) if stop is None else stop
    tokens: list[LatexToken] = []
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
        append(LatexToken(kind, character, position))
        position += 1
    return tokens


def _follows_number(tokens: list[LatexToken]) -> bool:
    for token in reversed(tokens):
        if token.kind == "space" or (token.kind == "command" and token.text in (",", ";", " ")):
            continue
        return token.kind == "digit"
    return False


def _command(source: str, position: int, end: int) -> LatexToken:
    following = source[position + 1] if position + 1 < end else ""
    if not following:
        raise FormulaError("syntax", "a backslash at the end names no command", source=source, position=position)
    if not (following.isascii() and following.isalpha()):
        if following == "\\":
            if source.startswith("%", position + 2):
                # Markdown doubles the backslash of \% in tables; no line ends before a percent sign.
                return LatexToken("command", "\\%", position)
            return LatexToken("newline", "\\\\", position)
        if following == "|":
            return LatexToken("other", "‖", position)
        if following in _MARKDOWN_ESCAPES:
            return LatexToken(_MARKDOWN_ESCAPES[following], following, position)
        if following == "_":
            return LatexToken("sub", "\\_", position)
        return LatexToken("command", following, position)
    stop = position + 2
    while stop < end and source[stop].isascii() and source[stop].isalpha():
        stop += 1
    name = source[position + 1 : stop]
    if name in _BARS:
        return LatexToken("other", _BARS[name], position)
    return LatexToken("newline" if name in _LINE_BREAKS else "command", name, position)


def _length(token: LatexToken, source: str, end: int) -> int:
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


# A cursor over LaTeX tokens with the small moves every layout rule needs. Knows tokens, not marks.

_TEXT_COMMAND = re.compile(r"\\(?:textbf|textit|textrm|text|emph|mathrm|mbox|rm|bf|it)\b\s*|[{}]")


class Cursor:
    """Where we are in one formula."""

    def __init__(self, source: str, tokens: list[LatexToken]) -> None:
        self.source = source
        self.tokens = tokens
        self.index = 0
        self.depth = 0
        self.style = "italic"
        self.flags: list[Flag] = []
        self.bars = pair_bars(tokens)

    def peek(self) -> LatexToken | None:
        """The next token, unread."""
        return self.tokens[self.index] if self.index < len(self.tokens) else None

    def peek_past_spaces(self) -> LatexToken | None:
        """The next token that is no blank, unread."""
        index = self.index
        tokens = self.tokens
        while index < len(tokens) and tokens[index].kind == "space":
            index += 1
        if (
            index < len(tokens)
            and tokens[index].text in ("limits", "nolimits", "displaylimits")
            and tokens[index].kind == "command"
        ):
            self.index = index + 1
            return self.peek_past_spaces()
        return tokens[index] if index < len(tokens) else None

    def advance(self) -> None:
        """Take the next token."""
        self.index += 1

    def position(self) -> int:
        """The character position of the next token."""
        token = self.peek()
        return token.position if token is not None else len(self.source)

    def skip_spaces(self) -> None:
        """Pass over blanks."""
        while self.index < len(self.tokens) and self.tokens[self.index].kind == "space":
            self.index += 1

    def skip_star(self) -> None:
        """Pass over the star of a starred command."""
        token = self.peek()
        if token is not None and token.text == "*":
            self.advance()

    def expect(self, text: str, opened_at: int) -> None:
        """Take the closing token that must stand here."""
        token = self.peek()
        if token is None:
            opening = {"}": "{", "|": "|"}.get(text, text)
            raise self.error("syntax", f"{opening} is never closed", opened_at)
        self.advance()

    def enter(self) -> None:
        """Go one level deeper, within the cap."""
        self.depth += 1
        if self.depth > MAXIMUM_DEPTH:
            raise ExpressionLimitError("the formula is nested too deeply", source=self.source, position=self.position())

    def leave(self) -> None:
        """Come back from a level."""
        self.depth -= 1

    def is_digit(self, offset: int = 0) -> bool:
        """Whether the token `offset` places ahead is a digit."""
        index = self.index + offset
        return index < len(self.tokens) and self.tokens[index].kind == "digit"

    def is_command(self) -> bool:
        """Whether the next token is a command."""
        token = self.peek()
        return token is not None and token.kind == "command"

    def starts_name(self, offset: int) -> bool:
        """Whether the token `offset` places ahead is a letter or a command for one, right after the one before it."""
        index = self.index + offset
        if index >= len(self.tokens):
            return False
        token, before = self.tokens[index], self.tokens[index - 1]
        is_name = token.kind == "letter" or (token.kind == "command" and token.text in table.LETTERS)
        return is_name and token.position == before.position + len(before.text)

    def decimal_gap(self) -> int:
        """How many tokens separate this group of decimals from the next, 0 when none follows."""
        skip = self._separator_length() if self.text_at(0) != "," or self.is_command() else 0
        length = 0
        while skip and self.is_digit(skip + length):
            length += 1
        return skip if 0 < length <= 3 else 0

    def is_contiguous(self, count: int) -> bool:
        """Whether the last token taken and the next `count` stand side by side in the source."""
        tokens = self.tokens[max(0, self.index - 1) : self.index + count]
        return all(second.position - first.position == len(first.text) for first, second in itertools.pairwise(tokens))

    def digit_run(self) -> str:
        """Take consecutive digits."""
        start = self.index
        while self.index < len(self.tokens) and self.tokens[self.index].kind == "digit":
            self.index += 1
        return "".join(token.text for token in self.tokens[start : self.index])

    def text_at(self, offset: int) -> str:
        """The text of the token `offset` places ahead, empty past the end."""
        index = self.index + offset
        return self.tokens[index].text if index < len(self.tokens) else ""

    def is_thousands_separator(self) -> bool:
        """Whether `,`, `{,}` or `\\,` stands here with exactly three digits after it."""
        skip = self._separator_length()
        if not skip:
            return False
        return all(self.is_digit(skip + offset) for offset in range(3)) and not self.is_digit(skip + 3)

    def skip_separator(self) -> None:
        """Take the separator found by `is_thousands_separator`."""
        self.index += self._separator_length()

    def _separator_length(self) -> int:
        token = self.peek()
        if token is None:
            return 0
        if token.text == "," and token.kind == "other":
            return 1
        length = 0
        while (following := self.index + length) < len(self.tokens):
            token = self.tokens[following]
            is_gap = token.kind == "command" and token.text in (",", ";", ":", " ", "thinspace")
            if not is_gap and token.kind != "space":
                break
            length += 1
        if length:
            return length
        return 3 if self.is_braced_comma() else 0

    def is_braced_comma(self) -> bool:
        """Whether `{,}` and a digit stand here."""
        token = self.peek()
        return (
            token is not None
            and token.kind == "open"
            and self.text_at(1) == ","
            and self.text_at(2) == "}"
            and self.is_digit(3)
        )

    def raw_argument(self, owner: LatexToken) -> tuple[int, str]:
        """The next brace group as source text, unread: where it starts and what it says."""
        self.skip_spaces()
        token = self.peek()
        if token is None or token.kind in ("close", "align", "newline"):
            raise self.error("syntax", f"\\{owner.text} needs an argument in braces", owner.position)
        if token.kind != "open":
            self.advance()
            return token.position, token.text
        level = 0
        for index in range(self.index, len(self.tokens)):
            kind = self.tokens[index].kind
            level += 1 if kind == "open" else -1 if kind == "close" else 0
            if level == 0:
                self.index = index + 1
                return token.position + 1, self.source[token.position + 1 : self.tokens[index].position]
        raise self.error("syntax", "{ is never closed", token.position)

    def drop_optional(self) -> None:
        """Pass over `[...]` if it stands here."""
        self.skip_spaces()
        if self.text_at(0) != "[":
            return
        for index in range(self.index, len(self.tokens)):
            if self.tokens[index].text == "]":
                self.index = index + 1
                return

    def clean_text(self, text: str) -> str:
        """Running text without its LaTeX dressing."""
        text = _TEXT_COMMAND.sub("", text)
        text = re.sub(r"\\[ ,;:!~]|~", " ", text)
        return re.sub(r"\\+(?=[%&#_$])", "", text)

    def plain_letter(self, character: str) -> str | None:
        """The ASCII or Greek letter behind a mathematical alphabet (𝑥, 𝐅, ℝ): those are letters in fancy dress."""
        name = unicodedata.name(character, "")
        if not (name.startswith(("MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER")) or character in "ℎ"):
            return None
        plain = unicodedata.normalize("NFKC", character)
        return table_letter(plain)

    def error(self, code: str, reason: str, position: int) -> FormulaError:
        """An error at a place of the source."""
        return FormulaError(code, reason, source=self.source, position=position)

    def flag(self, code: str, message: str, position: int) -> None:
        """Note a choice."""
        self.flags.append(Flag(code, message, position))

    def delimiter(self, owner: LatexToken) -> str:
        """The delimiter after `\\left`, `\\right` or `\\big`."""
        self.skip_spaces()
        token = self.peek()
        if token is None:
            raise self.error("syntax", f"\\{owner.text} needs a delimiter", owner.position)
        key = f"\\{token.text}" if token.kind == "command" else token.text
        if key not in table.DELIMITERS:
            raise self.error("syntax", f"{key} is no delimiter", token.position)
        self.advance()
        return table.DELIMITERS[key]


def table_letter(plain: str) -> str | None:
    """A plain letter or the name of a Greek one; None for anything else."""
    if len(plain) == 1 and plain.isascii() and plain.isalpha():
        return plain
    return GREEK.get(plain)


def pair_bars(tokens: list[LatexToken]) -> dict[int, str]:
    """Which `|` opens and which closes, within each group: after an operand it closes what is open, else it opens.

    One left without a partner only separates. `\\left|` and `\\big|` say it themselves and are not counted.
    """
    roles: dict[int, str] = {}
    groups: list[list[LatexToken]] = [[]]
    previous: LatexToken | None = None
    after_operand = False
    for token in tokens:
        if token.kind == "space":
            continue
        text, is_command = token.text, token.kind == "command"
        if token.kind == "open" or (not is_command and text in "([") or (is_command and text in ("left", "{", "begin")):
            groups.append([])
            after_operand = False
        elif (
            token.kind == "close" or (not is_command and text in ")]") or (is_command and text in ("right", "}", "end"))
        ):
            if len(groups) > 1:
                groups.pop()
            after_operand = True
        elif token.kind in ("align", "newline") or text in ("=", ","):
            groups[-1].clear()
            after_operand = False
        elif text in ("|", "‖") and not is_command and not _names_delimiter(previous):
            opened = groups[-1]
            if after_operand and opened and opened[-1].text == text:
                roles[opened.pop().position] = "open"
                roles[token.position] = "close"
            else:
                opened.append(token)
                after_operand = False
        else:
            after_operand = (
                token.kind in ("letter", "digit", "prime")
                or (text in ("!", "+", "-") and previous is not None and previous.kind in ("sub", "sup"))
                or (is_command and text in table.LETTERS)
            )
        previous = token
    return roles


def _names_delimiter(token: LatexToken | None) -> bool:
    return (
        token is not None
        and token.kind == "command"
        and (token.text in ("left", "right", "middle") or token.text in table.SIZES)
    )
