"""Commands and environments with a life of their own: `\\begin`, siunitx, colours, stacked relations, modulo.

The other half of the layout reader; kept apart because these are rare and the common path should read easily.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mathrag.compute.latex import commands as table
from mathrag.compute.latex.cursor import Cursor
from mathrag.compute.latex.tokens import Token, tokenize
from mathrag.compute.notation import Amount, Fence, Grid, Mark, Name, Row, Script, Sign, Space, Words


class EnvironmentReader(Cursor):
    """The rules for environments and rare commands; `Layout` supplies rows and arguments."""

    def row(self, *closers: str) -> Row:
        """Marks up to a closer; see `Layout`."""
        raise NotImplementedError

    def argument(self, owner: Token) -> Row:
        """One argument; see `Layout`."""
        raise NotImplementedError

    def scripts(self, base: Mark) -> Mark:
        """A base with its scripts; see `Layout`."""
        raise NotImplementedError

    def nested(self, start: int, stop: int) -> Row:
        """Lay out a part of the source on its own (a formula inside running text)."""
        inner = type(self)(self.source, tokenize(self.source, start, stop))
        inner.depth = self.depth
        body = inner.row()
        self.flags.extend(inner.flags)
        return body

    def optional_argument(self) -> Row | None:
        """`[...]` if it stands here."""
        self.skip_spaces()
        token = self.peek()
        if token is None or token.text != "[":
            return None
        self.advance()
        body = self.row("]")
        if self.peek() is None:
            raise self.error("syntax", "[ is never closed", token.position)
        self.advance()
        return body

    def drop_scripts(self) -> None:
        """Pass over scripts that only label (under and over braces)."""
        while (token := self.peek_past_spaces()) is not None and token.kind in ("sub", "sup"):
            self.skip_spaces()
            self.advance()
            self.argument(token)

    def special_handler(self, name: str) -> Callable[[Any, Token], Mark | None] | None:
        """The rule for a rare command, or None when nobody knows it."""
        return _SPECIAL.get(name)

    def begin(self, token: Token) -> Mark:
        """An environment, up to its `\\end`."""
        start, name = self.raw_argument(token)
        kind = name.strip().rstrip("*")
        if kind in ("array", "alignat", "alignedat", "tabular"):
            self.drop_optional()
            self.raw_argument(token)
        elif self.text_at(0) == "[" and self.text_at(1) in ("t", "b", "c") and self.text_at(2) == "]":
            self.drop_optional()
        lines = self.lines(token, name)
        position = token.position
        if kind in table.PLAIN_ENVIRONMENTS:
            return lines[0][0] if len(lines) == 1 and len(lines[0]) == 1 else Grid("lines", lines, position)
        if kind in table.LINE_ENVIRONMENTS:
            return Grid("lines", lines, position)
        if kind in table.CASE_ENVIRONMENTS:
            return Grid("cases", lines, position)
        if kind in table.MATRIX_FENCES:
            opening, closing = table.MATRIX_FENCES[kind]
            grid = Grid("matrix", lines, position)
            return Fence(opening, closing, Row((grid,), position), position) if opening else grid
        raise self.error("unknown_command", f"the environment {name.strip()!r} is not known", start)

    def lines(self, token: Token, name: str) -> tuple[tuple[Row, ...], ...]:
        """The cells of an environment; lines without any content are left out."""
        lines: list[tuple[Row, ...]] = []
        cells: list[Row] = []
        while True:
            cells.append(self.row("&", "\\\\", "\\end"))
            closer = self.peek()
            if closer is None:
                raise self.error("syntax", f"\\begin{{{name}}} has no \\end", token.position)
            self.advance()
            if closer.kind != "align":
                if any(cell.items for cell in cells):
                    lines.append(tuple(cells))
                cells = []
            if closer.kind == "command":
                _, ended = self.raw_argument(closer)
                if ended.strip() != name.strip():
                    raise self.error("syntax", f"\\end{{{ended}}} ends \\begin{{{name}}}", closer.position)
                return tuple(lines)

    def dropped(self, token: Token) -> None:
        """A command that vanishes with its argument."""
        self.skip_star()
        self.drop_optional()
        self.raw_argument(token)

    def coloured(self, token: Token) -> Mark:
        """The second argument, whatever its colour."""
        self.drop_optional()
        self.raw_argument(token)
        return self.argument(token)

    def space_with_argument(self, token: Token) -> Mark:
        """`\\hspace{1em}`: wide from one em or half a centimetre on."""
        self.skip_star()
        if (following := self.peek_past_spaces()) is not None and following.kind == "open":
            _, width = self.raw_argument(token)
        else:
            width = ""
            while ((following := self.peek()) is not None and following.kind in ("digit", "letter")) or self.text_at(
                0
            ) in ("-", "."):
                width += self.text_at(0)
                self.advance()
                if width.endswith(("mu", "em", "pt", "ex", "cm", "mm")):
                    break
        number = "".join(character for character in width if character in "0123456789.")
        try:
            size = float(number or "0")
        except ValueError:
            size = 0.0
        scale = {"mu": 1 / 18, "pt": 0.1, "ex": 0.43, "mm": 0.28, "cm": 2.8}.get(width.strip()[-2:], 1.0)
        return Space(token.position, wide=size * scale >= 0.9)

    def stacked(self, token: Token) -> Mark:
        """`\\stackrel{!}{=}`, `\\overset{\\circ}{x}`, `\\underset{i}{\\max}`: the base, the rest being a label."""
        first = self.argument(token)
        base = self.argument(token)
        mark: Mark = base.items[0] if len(base.items) == 1 else base
        if isinstance(mark, Sign):
            definition = any(isinstance(item, Words | Name) for item in first.items)
            return Sign("≡", mark.position) if mark.text == "=" and definition else mark
        if token.text == "underset":
            return Script(mark, first, None, token.position, limits=True)
        return Script(mark, None, first, token.position)

    def arrow(self, token: Token) -> Mark:
        """Arrows with text over them."""
        self.drop_optional()
        self.raw_argument(token)
        return Sign("→", token.position)

    def sized_delimiter(self, token: Token) -> Mark | None:
        """`\\bigl( ... \\bigr)`: the size says nothing; the delimiter is read as if it stood alone."""
        self.skip_spaces()
        following = self.peek()
        if following is not None and following.text == "|" and following.kind == "other":
            closing = token.text.endswith("r")
            if not closing and token.text.endswith("l"):
                self.bars[following.position] = "open"
                for later in range(self.index + 1, len(self.tokens) - 1):
                    if self.tokens[later].text == token.text[:-1] + "r" and self.tokens[later + 1].text == "|":
                        self.bars[self.tokens[later + 1].position] = "close"
                        break
        return None

    def middle(self, token: Token) -> Mark:
        """`\\middle|` separates."""
        return Sign(self.delimiter(token) or "|", token.position)

    def amount(self, token: Token) -> Mark:
        """siunitx `\\SI{9.81}{m/s^2}`, `\\qty{25}{\\celsius}`."""
        self.drop_optional()
        _, number = self.raw_argument(token)
        self.drop_optional()
        _, unit = self.raw_argument(token)
        return Amount(number, unit, token.position)

    def bare_number(self, token: Token) -> Mark:
        """siunitx `\\num{6.02e23}` and `\\ang{30}`."""
        self.drop_optional()
        _, number = self.raw_argument(token)
        return Amount(number, "deg" if token.text == "ang" else "", token.position)

    def bare_unit(self, token: Token) -> Mark:
        """siunitx `\\si{m/s}`: unit text on its own."""
        self.drop_optional()
        start, unit = self.raw_argument(token)
        return Words(unit, start)

    def modulo(self, token: Token) -> Mark:
        """`\\bmod`, `\\mod` between operands; `\\pmod{n}` after them, as a fence that holds the word."""
        if token.text in ("pmod", "pod"):
            body = self.argument(token)
            word = Name("mod", token.position, "upright")
            return Fence("(", ")", Row((word, *body.items), token.position), token.position)
        return Name("mod", token.position, "upright")

    def substack(self, token: Token) -> Mark:
        """Several lines under a sum: more than the first cannot be read."""
        self.argument(token)
        raise self.error("unsupported", "several lines under one sign", token.position)

    def derivative(self, token: Token) -> Mark:
        """Derivatives and differentials of the physics package."""
        raise self.error("derivative", "a derivative has no value here", token.position)

    def degree_unit(self, token: Token) -> Mark:
        """`\\celsius` and friends outside siunitx."""
        return Words({"ohm": "ohm"}.get(token.text, "degC"), token.position)

    def textsuperscript(self, token: Token) -> Mark:
        """`m\\textsuperscript{2}` is a superscript without a base."""
        body = self.argument(token)
        above = token.text == "textsuperscript"
        return Script(Row((), token.position), None if above else body, body if above else None, token.position)


_SPECIAL: dict[str, Callable[[EnvironmentReader, Token], Mark | None]] = {
    "begin": EnvironmentReader.begin,
    **dict.fromkeys(table.DROPPED_WITH_ARGUMENT, EnvironmentReader.dropped),
    **dict.fromkeys(table.COLOURED, EnvironmentReader.coloured),
    **dict.fromkeys(table.SPACE_WITH_ARGUMENT, EnvironmentReader.space_with_argument),
    **dict.fromkeys(("stackrel", "overset", "underset"), EnvironmentReader.stacked),
    **dict.fromkeys(("xrightarrow", "xleftarrow", "xrightleftharpoons"), EnvironmentReader.arrow),
    **dict.fromkeys(table.SIZES, EnvironmentReader.sized_delimiter),
    **dict.fromkeys(("SI", "qty"), EnvironmentReader.amount),
    **dict.fromkeys(("num", "ang"), EnvironmentReader.bare_number),
    **dict.fromkeys(("si", "unit"), EnvironmentReader.bare_unit),
    **dict.fromkeys(("bmod", "mod", "pmod", "pod"), EnvironmentReader.modulo),
    **dict.fromkeys(("textsuperscript", "textsubscript"), EnvironmentReader.textsuperscript),
    **dict.fromkeys(("celsius", "degreeCelsius"), EnvironmentReader.degree_unit),
    **dict.fromkeys(("dv", "pdv", "dd", "derivative", "grad", "curl", "divergence"), EnvironmentReader.derivative),
    "middle": EnvironmentReader.middle,
    "substack": EnvironmentReader.substack,
}
