"""LaTeX tokens into notation: groups, scripts, fractions, fences and environments, as TeX would set them.

Decides nothing about meaning. What it cannot lay out raises `FormulaError` at the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mathrag.compute.latex import commands as table
from mathrag.compute.latex.tokens import Cursor, LatexToken, tokenize
from mathrag.compute.notation import (
    Accent,
    Amount,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Space,
    Species,
    Stack,
    Words,
)
from mathrag.types.symbol_names import GREEK

# Not min and max: the one is a unit as well.
_FUNCTIONS_AS_TEXT = frozenset("log ln lg exp sin cos tan sinh cosh tanh arcsin arccos arctan".split())

# Commands and environments with a life of their own: `\begin`, siunitx, colours, stacked relations, modulo.
#
# The other half of the layout reader; kept apart because these are rare and the common path should read easily.


# Macros for the mean and the variance of a random variable, as most authors name theirs.
_STATISTICS = {"E": "E", "V": "V", "Var": "Var"}
# A dollar sign that opens or closes mathematics inside text; an escaped one is money.
_DOLLAR = re.compile(r"(?<!\\)\$")


class EnvironmentReader(Cursor):
    """The rules for environments and rare commands; `Layout` supplies rows and arguments."""

    def row(self, *closers: str) -> Row:
        """Marks up to a closer; see `Layout`."""
        raise NotImplementedError

    def argument(self, owner: LatexToken) -> Row:
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

    def special_handler(self, name: str) -> Callable[[Any, LatexToken], Mark | None] | None:
        """The rule for a rare command, or None when nobody knows it."""
        return _SPECIAL.get(name)

    def begin(self, token: LatexToken) -> Mark:
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

    def lines(self, token: LatexToken, name: str) -> tuple[tuple[Row, ...], ...]:
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

    def dropped(self, token: LatexToken) -> None:
        """A command that vanishes with its argument."""
        self.skip_star()
        self.drop_optional()
        _, argument = self.raw_argument(token)
        if token.text == "color":
            self.check_colour(argument, token)

    def coloured(self, token: LatexToken) -> Mark:
        """The second argument, whatever its colour, if it can be seen."""
        self.drop_optional()
        _, colour = self.raw_argument(token)
        if token.text in ("textcolor", "mathcolor"):
            self.check_colour(colour, token)
        return self.argument(token)

    def check_colour(self, colour: str, token: LatexToken) -> None:
        """What is set in the colour of the paper is not what a person reads."""
        if table.UNSEEN_COLOUR.fullmatch(colour):
            raise self.error("unseen", "a part of the formula is set in a colour that is not seen", token.position)

    def struck_out(self, token: LatexToken) -> Mark:
        """`\\cancel{...}`: neither there nor gone."""
        raise self.error("struck_out", "a part of the formula is struck out", token.position)

    def space_with_argument(self, token: LatexToken) -> Mark:
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

    def stacked(self, token: LatexToken) -> Mark:
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

    def arrow(self, token: LatexToken) -> Mark:
        """Arrows with text over them."""
        self.drop_optional()
        self.raw_argument(token)
        return Sign("→", token.position)

    def sized_delimiter(self, token: LatexToken) -> Mark | None:
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

    def middle(self, token: LatexToken) -> Mark:
        """`\\middle|` separates."""
        return Sign(self.delimiter(token) or "|", token.position)

    def amount(self, token: LatexToken) -> Mark:
        """siunitx `\\SI{9.81}{m/s^2}`, `\\qty{25}{\\celsius}`."""
        self.drop_optional()
        _, number = self.raw_argument(token)
        self.drop_optional()
        _, unit = self.raw_argument(token)
        return Amount(number, unit, token.position)

    def bare_number(self, token: LatexToken) -> Mark:
        """siunitx `\\num{6.02e23}` and `\\ang{30}`."""
        self.drop_optional()
        _, number = self.raw_argument(token)
        return Amount(number, "deg" if token.text == "ang" else "", token.position)

    def bare_unit(self, token: LatexToken) -> Mark:
        """siunitx `\\si{m/s}`: unit text on its own."""
        self.drop_optional()
        start, unit = self.raw_argument(token)
        return Words(unit, start)

    def modulo(self, token: LatexToken) -> Mark:
        """`\\bmod`, `\\mod` between operands; `\\pmod{n}` after them, as a fence that holds the word."""
        if token.text in ("pmod", "pod"):
            body = self.argument(token)
            word = Name("mod", token.position, "upright")
            return Fence("(", ")", Row((word, *body.items), token.position), token.position)
        return Name("mod", token.position, "upright")

    def substack(self, token: LatexToken) -> Mark:
        """Several lines under a sum: more than the first cannot be read."""
        self.argument(token)
        raise self.error("unsupported", "several lines under one sign", token.position)

    def derivative(self, token: LatexToken) -> Mark:
        """Derivatives and differentials of the physics package."""
        raise self.error("derivative", "a derivative has no value here", token.position)

    def degree_unit(self, token: LatexToken) -> Mark:
        """`\\celsius` and friends outside siunitx."""
        return Words({"ohm": "ohm"}.get(token.text, "degC"), token.position)

    def textsuperscript(self, token: LatexToken) -> Mark:
        """`m\\textsuperscript{2}` is a superscript without a base."""
        body = self.argument(token)
        above = token.text == "textsuperscript"
        return Script(Row((), token.position), None if above else body, body if above else None, token.position)


_SPECIAL: dict[str, Callable[[EnvironmentReader, LatexToken], Mark | None]] = {
    "begin": EnvironmentReader.begin,
    **dict.fromkeys(table.DROPPED_WITH_ARGUMENT, EnvironmentReader.dropped),
    **dict.fromkeys(table.COLOURED, EnvironmentReader.coloured),
    **dict.fromkeys(table.STRUCK_OUT, EnvironmentReader.struck_out),
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


# Numbers and scripts of LaTeX: digit groups, exponents typed with e, sub- and superscripts as TeX attaches them.

_SCRIPT_SIGNS = frozenset(("sup", "sub", "prime"))


class ScriptReader(EnvironmentReader):
    """The rules for numbers and scripts; `Layout` supplies rows and marks."""

    def argument_mark(self, token: LatexToken) -> Mark:
        """One undelimited argument; see `Layout`."""
        raise NotImplementedError

    def character_script(self, token: LatexToken) -> Mark | None:
        """Unicode superscripts and subscripts (x², v₀) attach to what stands before them: an empty base here."""
        for characters, above in ((table.SUPERSCRIPT_CHARACTERS, True), (table.SUBSCRIPT_CHARACTERS, False)):
            if token.text in characters:
                text = characters[token.text]
                while (following := self.peek()) is not None and following.text in characters:
                    text += characters[following.text]
                    self.advance()
                content = Row(tuple(self.script_characters(text, token.position)), token.position)
                return Script(
                    Row((), token.position), None if above else content, content if above else None, token.position
                )
        return None

    def script_characters(self, text: str, position: int) -> list[Mark]:
        """The marks of a Unicode script: a run of digits is one number."""
        marks: list[Mark] = []
        for character in text:
            if character.isdigit():
                if marks and isinstance(marks[-1], Digits):
                    marks[-1] = Digits(marks[-1].text + character, position)
                else:
                    marks.append(Digits(character, position))
            elif character in "+-":
                marks.append(Sign(character, position))
            else:
                marks.append(Name(character, position))
        return marks

    def number(self, token: LatexToken) -> Mark:
        """A decimal literal with thousands separators `1,234`, `1{,}234`, `1\\,234` taken out."""
        digits = self.digit_run()
        while self.is_thousands_separator():
            self.skip_separator()
            digits += self.digit_run()
        following = self.peek()
        if following is not None and following.text == "." and self.is_digit(1):
            self.advance()
            decimals = self.digit_run()
            # 6.022\,140\,76 sets its decimals in threes.
            while len(decimals) % 3 == 0 and (skip := self.decimal_gap()):
                self.index += skip
                decimals += self.digit_run()
            digits += "." + decimals
        elif self.is_braced_comma():
            # 3{,}14 is a decimal comma: not three digits after it, or it would be a thousands separator.
            for _ in range(3):
                self.advance()
            digits += "." + self.digit_run()
            self.flag("decimal_comma", "the braced comma is read as a decimal point", token.position)
        if digits.startswith("."):
            digits = "0" + digits
        return Digits((digits or "0") + self.typed_exponent(), token.position)

    def typed_exponent(self) -> str:
        """`6.626e-34` as calculators print it: digits, e, sign and digits without a blank."""
        letter, sign = self.text_at(0), self.text_at(1)
        skip = 2 if sign in ("-", "+", "−") else 1
        if letter not in ("e", "E") or not self.is_digit(skip) or not self.is_contiguous(skip + 1):
            return ""
        self.index += skip
        digits = self.digit_run()
        return f"E{'-' if skip == 2 and sign != '+' else '+'}{digits}" if len(digits) <= 4 else f"E+{9999}"

    def scripts(self, base: Mark) -> Mark:
        """Attach every script that follows; primes and a superscript share the upper place, as in TeX."""
        sub: Row | None = None
        above: list[Mark] = []
        has_superscript = False
        start = base.position
        while (token := self.peek_past_spaces()) is not None and token.kind in _SCRIPT_SIGNS:
            self.skip_spaces()
            self.advance()
            if token.kind == "prime":
                above.append(Sign("′", token.position))
            elif token.kind == "sub":
                if sub is not None:
                    raise self.error("syntax", "a second subscript; group the first with braces", token.position)
                sub = self.script_argument(token)
            else:
                content = self.script_argument(token)
                if has_superscript:
                    raise self.error("syntax", "a second superscript; group the first with braces", token.position)
                has_superscript = not all(isinstance(mark, Sign) and mark.text in "′*" for mark in content.items)
                above.extend(content.items)
        position = above[0].position if above else start
        return Script(base, sub, Row(tuple(above), position) if above else None, start)

    def script_argument(self, token: LatexToken) -> Row:
        """What TeX takes as a script; `x^10` and `10^-3` are taken whole, as their authors mean, and flagged."""
        self.skip_spaces()
        following = self.peek()
        if following is None:
            raise self.error("syntax", f"{token.text} has nothing after it", token.position)
        if following.kind == "open":
            self.advance()
            body = self.row("}")
            self.expect("}", following.position)
            if not body.items:
                raise self.error("syntax", "the braces of the script are empty", following.position)
            return body
        items: list[Mark] = []
        if following.text in "-−+" and following.kind == "other" and self.is_digit(1):
            items.append(Sign("-" if following.text != "+" else "+", following.position))
            self.advance()
            following = self.peek()
            assert following is not None
        if following.kind == "digit":
            digits = self.digit_run()
            if self.text_at(0) == "." and self.is_digit(1):
                self.advance()
                digits += "." + self.digit_run()
            if items or len(digits) > 1:
                self.flag(
                    "sloppy_script",
                    f"{token.text}{digits} is read with all its digits; braces would make it sure",
                    token.position,
                )
            items.append(Digits(digits, following.position))
            return Row(tuple(items), following.position)
        if following.text in "-−" and following.kind == "other" and self.starts_name(1):
            return self.sloppy_negative(token, following)
        mark = self.argument_mark(following)
        return Row((mark,), mark.position)

    def sloppy_negative(self, token: LatexToken, sign: LatexToken) -> Row:
        """`e^-x` without braces: the minus and one letter; more letters after it cannot be told apart."""
        self.advance()
        letter = self.peek()
        assert letter is not None
        mark = self.argument_mark(letter)
        following = self.peek_past_spaces()
        if following is not None and (
            following.kind in ("letter", "sup", "sub", "open") or following.text in table.LETTERS
        ):
            raise self.error("syntax", f"put the exponent after {token.text} in braces", token.position)
        self.flag(
            "sloppy_script", "the exponent without braces is read as the minus sign and one letter", token.position
        )
        return Row((Sign("-", sign.position), mark), sign.position)


def _with_whole_brackets(items: list[Mark]) -> list[Mark]:
    """Words in one piece where a power in their brackets broke them up: `\\text{Area (m}^2\\text{)}`."""
    whole: list[Mark] = []
    for mark in items:
        before = whole[-1] if whole else None
        opened = _opened_words(before)
        if opened and isinstance(mark, Words) and ")" in mark.text and "(" not in mark.text.partition(")")[0]:
            assert before is not None
            whole[-1] = Words(opened + mark.text, before.position)
        else:
            whole.append(mark)
    return whole


def _opened_words(mark: Mark | None) -> str:
    """The text of words whose bracket is still open before a small power; empty for anything else."""
    if not isinstance(mark, Script) or not isinstance(mark.base, Words) or mark.sub is not None or mark.sup is None:
        return ""
    power = "".join(item.text for item in mark.sup.items if isinstance(item, Digits | Sign))
    is_open = mark.base.text.count("(") == mark.base.text.count(")") + 1
    is_power = len(mark.sup.items) <= 2 and power.lstrip("-−").isdigit()
    return f"{mark.base.text}^{power.replace('−', '-')}" if is_open and is_power else ""


_SCRIPT_STARTS = frozenset(("sup", "sub", "prime"))


class Layout(ScriptReader):
    """Reads one formula; `flags` collects what TeX sets differently from what the author surely meant."""

    def row(self, *closers: str) -> Row:
        """Marks up to a closing token of `closers` (texts such as `}`, `)`, `\\right`, `&`), which is left unread."""
        self.enter()
        items: list[Mark] = []
        start = self.position()
        outer_style = self.style
        while (token := self.peek()) is not None:
            if self.closes(token, closers):
                break
            if token.kind == "command" and token.text in table.INFIX_FRACTIONS:
                items = [self.infix_fraction(token, items, closers)]
                break
            mark = self.mark(token)
            if mark is not None:
                items.append(mark)
        self.style = outer_style
        self.leave()
        return Row(tuple(_with_whole_brackets(items)), start)

    def infix_fraction(self, token: LatexToken, above: list[Mark], closers: tuple[str, ...]) -> Mark:
        """Plain TeX `{a \\over b}` and `{n \\choose k}`: everything before the command in the group, over the rest."""
        self.advance()
        below = self.row(*closers)
        if not above or not below.items:
            raise self.error("syntax", f"\\{token.text} needs something on both sides", token.position)
        is_choose = token.text == "choose"
        stack = Stack(Row(tuple(above), above[0].position), below, token.position, bar=not is_choose)
        return Fence("(", ")", Row((stack,), token.position), token.position) if is_choose else stack

    def closes(self, token: LatexToken, closers: tuple[str, ...]) -> bool:
        """Whether the token ends the row; a closing token that nobody waits for is an error."""
        kind, text = token.kind, token.text
        if kind == "close":
            key = "}"
        elif kind == "align":
            key = "&"
        elif kind == "newline":
            key = "\\\\"
        elif kind == "command":
            key = f"\\{text}"
            if text not in ("right", "end") and key not in table.CLOSING:
                return False
        elif text in (")", "]") or (text in ("|", "‖") and self.bars.get(token.position) == "close"):
            key = text
        else:
            return False
        if key in closers:
            return True
        if key in ("&", "\\\\"):
            # Alignment outside an environment means nothing; a line break there is the caller's.
            self.advance()
            return self.closes(following, closers) if (following := self.peek()) is not None else False
        raise self.error("syntax", f"{key} closes nothing that was opened", token.position)

    def mark(self, token: LatexToken) -> Mark | None:
        """One mark with its scripts, or None for what is only spacing or styling."""
        base = self.atom(token)
        following = self.peek_past_spaces() if base is not None and not isinstance(base, Space) else None
        if following is None or following.kind not in _SCRIPT_STARTS:
            return base
        assert base is not None
        return self.scripts(base)

    def atom(self, token: LatexToken) -> Mark | None:
        """One mark without scripts."""
        kind = token.kind
        if kind == "letter":
            return self.letter(token)
        if kind == "digit" or (token.text == "." and self.is_digit(1)):
            return self.number(token)
        if kind == "command":
            self.advance()
            return self.command(token)
        if kind == "open":
            self.advance()
            return self.braces(token.position)
        if kind in _SCRIPT_STARTS:
            return self.scripts(Row((), token.position))
        self.advance()
        if kind == "space":
            return Space(token.position, between_words=True) if token.text == "~" else None
        return self.other(token)

    def braces(self, position: int) -> Mark:
        """The rest of a brace group. `{,}` is TeX's way to write a comma inside a number."""
        body = self.row("}")
        self.expect("}", position)
        if len(body.items) == 1 and not isinstance(body.items[0], Sign):
            return body.items[0] if not isinstance(body.items[0], Script) else Row(body.items, position)
        return Row(body.items, position)

    def letter(self, token: LatexToken) -> Mark | None:
        """An italic letter, or a whole word where the style says so."""
        if self.style in ("upright", "word"):
            word: list[str] = []
            while (following := self.peek()) is not None and following.kind == "letter":
                spelled = self.spell(following)
                if len(spelled) > 1 and word:
                    break
                word.append(spelled)
                self.advance()
                if len(spelled) > 1:
                    break
            return Name("".join(word), token.position, "upright" if self.style == "upright" else "italic")
        self.advance()
        script = self.character_script(token)
        if script is not None:
            return script
        return Name(self.spell(token), token.position, self.style)  # type: ignore[arg-type]

    def spell(self, token: LatexToken) -> str:
        """Greek letters by name; letters of other alphabets are refused, since look-alikes deceive."""
        character = token.text
        if character.isascii():
            return character
        if character in GREEK:
            return GREEK[character]
        if character in table.SUBSCRIPT_CHARACTERS or character in table.SUPERSCRIPT_CHARACTERS:
            return character
        plain = self.plain_letter(character)
        if plain is not None:
            return plain
        raise self.error(
            "character", f"the letter {character!r} (U+{ord(character):04X}) is not used in formulas", token.position
        )

    def argument_mark(self, token: LatexToken) -> Mark:
        """One undelimited argument: a letter, a sign, or a command with its own arguments."""
        if token.kind in ("close", "align", "newline", "sup", "sub"):
            raise self.error("syntax", "something is missing here", token.position)
        mark = self.atom(token)
        if mark is None:
            raise self.error("syntax", "something is missing here", token.position)
        return mark

    def argument(self, owner: LatexToken) -> Row:
        """The next argument of a command: a brace group, or one character or command (`\\frac12`)."""
        self.skip_spaces()
        token = self.peek()
        if token is None:
            raise self.error("syntax", f"\\{owner.text} needs another argument", owner.position)
        if token.kind == "open":
            self.advance()
            body = self.row("}")
            self.expect("}", token.position)
            return Row(body.items, token.position)
        if token.kind == "digit":
            self.advance()
            return Row((Digits(token.text, token.position),), token.position)
        if token.kind in ("close", "align", "newline"):
            raise self.error("syntax", f"\\{owner.text} needs another argument", token.position)
        mark = self.argument_mark(token)
        return Row((mark,), token.position)

    def other(self, token: LatexToken) -> Mark | None:
        """Signs and fences typed as plain characters."""
        text, position = token.text, token.position
        if text in table.OPENING:
            return self.fence(token)
        if text in ("|", "‖"):
            if self.bars.get(position) == "open":
                body = self.row(text)
                self.expect(text, position)
                return Fence(text, text, body, position)
            return Sign(text, position)
        if text == "." and self.text_at(0) == "." and self.text_at(1) == ".":
            self.index += 2
            return Sign("…", position)
        if text in table.VULGAR_FRACTIONS:
            above, below = table.VULGAR_FRACTIONS[text]
            return Stack(Row((Digits(above, position),), position), Row((Digits(below, position),), position), position)
        if text in table.SUPERSCRIPT_CHARACTERS or text in table.SUBSCRIPT_CHARACTERS:
            return self.character_script(token)
        if text == "$" and self.depth > 1:
            return None  # a box that switches to mathematics by itself
        sign = table.CHARACTERS.get(text)
        if sign is None:
            if text == "%":
                return Sign("%", position)
            raise self.error(
                "character", f"the character {text!r} (U+{ord(text[0]):04X}) means nothing in a formula", position
            )
        if sign == ":" and (following := self.peek()) is not None and following.text == "=":
            self.advance()
            return Sign("≡", position)
        return Sign(sign, position)

    def fence(self, token: LatexToken, opening: str | None = None) -> Mark:
        """A delimiter and everything up to its partner; `[a, b)` is let through for the grammar to judge."""
        key = opening or token.text
        partner = table.OPENING[key]
        closers = (")", "]") if partner in (")", "]") else (partner,)
        body = self.row(*closers)
        closing = self.peek()
        if closing is None:
            raise self.error("syntax", f"{key} is never closed", token.position)
        self.advance()
        closing_key = closing.text if closing.kind != "command" else f"\\{closing.text}"
        return Fence(table.DELIMITERS[key], table.DELIMITERS[closing_key], body, token.position)

    def left_fence(self, token: LatexToken) -> Mark:
        """`\\left( ... \\right)`, with any two delimiters."""
        opening = self.delimiter(token)
        body = self.row("\\right")
        closing_token = self.peek()
        if closing_token is None:
            raise self.error("syntax", "\\left has no \\right", token.position)
        self.advance()
        return Fence(opening, self.delimiter(closing_token), body, token.position)

    def command(self, token: LatexToken) -> Mark | None:
        """What a command stands for. The tables decide; only commands with arguments have code."""
        name, position = token.text, token.position
        if name in table.LETTERS:
            style = self.style if self.style in ("bold", "script") else "italic"
            return Name(table.LETTERS[name], position, style)  # type: ignore[arg-type]
        if name in table.FUNCTIONS:
            return Name(table.FUNCTIONS[name], position, "upright")
        if name in table.SPACES_NARROW:
            return Space(position, between_words=name in (" ", "space", "nobreakspace"))
        if name in table.SPACES_WIDE:
            return Space(position, wide=True)
        if name in table.IGNORED:
            return None
        key = f"\\{name}"
        if key in table.OPENING:
            return self.fence(token, key)
        if name in table.SIGNS:
            return self.sign_command(token)
        return self.handle(token)

    def sign_command(self, token: LatexToken) -> Mark:
        """A sign; `\\not=` and its kind are one relation."""
        if token.text == "not":
            self.skip_spaces()
            following = self.peek()
            if following is not None and following.text in ("=", "equiv", "in", "approx"):
                self.advance()
                return Sign("!=" if following.text == "=" else "¬", token.position)
        return Sign(table.SIGNS[token.text], token.position)

    def fraction(self, token: LatexToken) -> Mark:
        """`\\frac` and its sisters."""
        if token.text == "cfrac":
            self.optional_argument()
        return Stack(self.argument(token), self.argument(token), token.position)

    def binomial(self, token: LatexToken) -> Mark:
        """`\\binom`, as a fence around a fraction without a rule."""
        stack = Stack(self.argument(token), self.argument(token), token.position, bar=False)
        return Fence("(", ")", Row((stack,), token.position), token.position)

    def root(self, token: LatexToken) -> Mark:
        """`\\sqrt` with its optional degree."""
        degree = self.optional_argument()
        return Root(self.argument(token), degree, token.position)

    def accent(self, token: LatexToken) -> Mark:
        """A mark over its argument."""
        return Accent(table.ACCENTS[token.text], self.argument(token), token.position)

    def font(self, token: LatexToken) -> Mark | None:
        """A font command: its argument, read in that style."""
        self.skip_star()
        if token.text == "rm":
            self.style = "upright"
            return None
        start, outer = self.index, self.style
        self.style = table.FONTS[token.text] or self.style
        body = self.argument(token)
        self.style = outer
        if table.FONTS[token.text] == "upright" and any(
            isinstance(mark, Sign) and mark.text == "=" for mark in body.items
        ):
            # A whole equation in upright type: the type says nothing about single letters then.
            self.index, self.style = start, "italic"
            body = self.argument(token)
            self.style = outer
            self.flag(
                "upright_formula",
                "the whole formula is set upright; its letters are read as in italics",
                token.position,
            )
        if token.text in ("operatorname", "mathop") and all(isinstance(mark, Name | Digits) for mark in body.items):
            word = "".join(mark.text for mark in body.items if isinstance(mark, Name | Digits))
            is_known = word in table.FUNCTIONS or token.text == "mathop"
            return Name(word, token.position, "upright" if is_known else "operator")
        name = self.upright_name(body) if table.FONTS[token.text] == "upright" else None
        if name is not None:
            return name
        if token.text in ("underbrace", "overbrace"):
            self.drop_scripts()
        if token.text in ("mathbf", "boldsymbol", "bm", "mathbb") and len(body.items) == 1:
            return body.items[0]
        return body.items[0] if len(body.items) == 1 and isinstance(body.items[0], Name) else body

    def upright_name(self, body: Row) -> Name | None:
        """`\\mathrm{v0}` and `\\mathrm{H2O}`: letters and digits set upright side by side are one name."""
        items = body.items
        if len(items) < 2 or not isinstance(items[0], Name) or not any(isinstance(mark, Digits) for mark in items):
            return None
        words = [mark.text for mark in items if isinstance(mark, Name | Digits)]
        return (
            Name("".join(words), body.position, "upright")
            if len(words) == len(items) and "".join(words).isalnum()
            else None
        )

    def text(self, token: LatexToken) -> Mark:
        """Running text; formulas inside it (`$x > 0$`) are laid out too."""
        start, content = self.raw_argument(token)
        marks: list[Mark] = []
        pieces = _DOLLAR.split(content)
        if len(pieces) % 2 == 0:
            # One dollar sign too many: they are money.
            pieces = [content]
        for number, piece in enumerate(pieces):
            offset = start + sum(len(each) + 1 for each in pieces[:number])
            if number % 2 and piece:
                marks.extend(self.nested(offset, offset + len(piece)).items)
            elif piece:
                marks.append(Words(self.clean_text(piece), offset))
        if len(marks) == 1:
            word = marks[0].text.strip() if isinstance(marks[0], Words) else ""
            # Who sets the name of a function as text means the function: `\\textrm{log}_{10}`.
            return Name(word, start, "upright") if word in _FUNCTIONS_AS_TEXT else marks[0]
        return Row(tuple(marks), token.position) if marks else Space(token.position)

    def species(self, token: LatexToken) -> Mark:
        """`\\ce{...}`: concentrations are laid out like any brackets, a lone p is a letter, the rest is text."""
        start, content = self.raw_argument(token)
        plain = content.strip()
        if "[" in plain and not any(arrow in plain for arrow in ("->", "<=>", "<-", "→", "⇌")):
            return Row(self.nested(start, start + len(content)).items, start)
        return Name(plain, start, "upright") if plain in ("p", "pH", "pOH", "pKa", "pKb") else Species(content, start)

    def statistic(self, token: LatexToken) -> Mark:
        """`\\E{X}`, `\\V S` with a macro that the source does not define: what is asked of X, one symbol."""
        is_braced = (following := self.peek_past_spaces()) is not None and following.kind == "open"
        argument = self.argument(token)
        above = self.peek_past_spaces()
        if not is_braced and above is not None and above.kind in ("sup", "sub"):
            raise self.error("ambiguous_notation", f"how far \\{token.text} reaches is not sure", token.position)
        name = Name(_STATISTICS[token.text], token.position, "italic")
        self.flag("statistic", f"\\{token.text} is read as a statistic of what follows, one symbol", token.position)
        return Script(name, argument, None, token.position)

    def delimited(self, token: LatexToken) -> Mark:
        """`\\abs{x}` and `\\norm{x}` of the physics package."""
        sign = "|" if token.text == "abs" else "‖"
        return Fence(sign, sign, self.argument(token), token.position)

    def handle(self, token: LatexToken) -> Mark | None:
        """A command with code of its own."""
        handler = _HANDLERS.get(token.text) or self.special_handler(token.text)
        if handler is None and token.text in _STATISTICS:
            return self.statistic(token)
        if handler is None:
            raise self.error("unknown_command", f"the command \\{token.text} is not known", token.position)
        return handler(self, token)


_HANDLERS: dict[str, Callable[[Layout, LatexToken], Mark | None]] = {
    **dict.fromkeys(table.FRACTIONS, Layout.fraction),
    **dict.fromkeys(table.BINOMIALS, Layout.binomial),
    **dict.fromkeys(table.FONTS, Layout.font),
    **dict.fromkeys(table.TEXTS, Layout.text),
    **dict.fromkeys(table.ACCENTS, Layout.accent),
    "sqrt": Layout.root,
    "left": Layout.left_fence,
    "ce": Layout.species,
    "abs": Layout.delimited,
    "norm": Layout.delimited,
}
