"""LaTeX tokens into notation: groups, scripts, fractions, fences and environments, as TeX would set them.

Decides nothing about meaning. What it cannot lay out raises `FormulaError` at the place.
"""

from __future__ import annotations

from collections.abc import Callable

from mathrag.compute.latex import commands as table
from mathrag.compute.latex.scripts import ScriptReader
from mathrag.compute.latex.tokens import Token
from mathrag.compute.notation import (
    Accent,
    Digits,
    Fence,
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
from mathrag.compute.symbol_names import GREEK

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
        return Row(tuple(items), start)

    def infix_fraction(self, token: Token, above: list[Mark], closers: tuple[str, ...]) -> Mark:
        """Plain TeX `{a \\over b}` and `{n \\choose k}`: everything before the command in the group, over the rest."""
        self.advance()
        below = self.row(*closers)
        if not above or not below.items:
            raise self.error("syntax", f"\\{token.text} needs something on both sides", token.position)
        is_choose = token.text == "choose"
        stack = Stack(Row(tuple(above), above[0].position), below, token.position, bar=not is_choose)
        return Fence("(", ")", Row((stack,), token.position), token.position) if is_choose else stack

    def closes(self, token: Token, closers: tuple[str, ...]) -> bool:
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

    def mark(self, token: Token) -> Mark | None:
        """One mark with its scripts, or None for what is only spacing or styling."""
        base = self.atom(token)
        following = self.peek_past_spaces() if base is not None and not isinstance(base, Space) else None
        if following is None or following.kind not in _SCRIPT_STARTS:
            return base
        assert base is not None
        return self.scripts(base)

    def atom(self, token: Token) -> Mark | None:
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

    def letter(self, token: Token) -> Mark | None:
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

    def spell(self, token: Token) -> str:
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

    def argument_mark(self, token: Token) -> Mark:
        """One undelimited argument: a letter, a sign, or a command with its own arguments."""
        if token.kind in ("close", "align", "newline", "sup", "sub"):
            raise self.error("syntax", "something is missing here", token.position)
        mark = self.atom(token)
        if mark is None:
            raise self.error("syntax", "something is missing here", token.position)
        return mark

    def argument(self, owner: Token) -> Row:
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

    def other(self, token: Token) -> Mark | None:
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

    def fence(self, token: Token, opening: str | None = None) -> Mark:
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

    def left_fence(self, token: Token) -> Mark:
        """`\\left( ... \\right)`, with any two delimiters."""
        opening = self.delimiter(token)
        body = self.row("\\right")
        closing_token = self.peek()
        if closing_token is None:
            raise self.error("syntax", "\\left has no \\right", token.position)
        self.advance()
        return Fence(opening, self.delimiter(closing_token), body, token.position)

    def command(self, token: Token) -> Mark | None:
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

    def sign_command(self, token: Token) -> Mark:
        """A sign; `\\not=` and its kind are one relation."""
        if token.text == "not":
            self.skip_spaces()
            following = self.peek()
            if following is not None and following.text in ("=", "equiv", "in", "approx"):
                self.advance()
                return Sign("!=" if following.text == "=" else "¬", token.position)
        return Sign(table.SIGNS[token.text], token.position)

    def fraction(self, token: Token) -> Mark:
        """`\\frac` and its sisters."""
        if token.text == "cfrac":
            self.optional_argument()
        return Stack(self.argument(token), self.argument(token), token.position)

    def binomial(self, token: Token) -> Mark:
        """`\\binom`, as a fence around a fraction without a rule."""
        stack = Stack(self.argument(token), self.argument(token), token.position, bar=False)
        return Fence("(", ")", Row((stack,), token.position), token.position)

    def root(self, token: Token) -> Mark:
        """`\\sqrt` with its optional degree."""
        degree = self.optional_argument()
        return Root(self.argument(token), degree, token.position)

    def accent(self, token: Token) -> Mark:
        """A mark over its argument."""
        return Accent(table.ACCENTS[token.text], self.argument(token), token.position)

    def font(self, token: Token) -> Mark | None:
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

    def text(self, token: Token) -> Mark:
        """Running text; formulas inside it (`$x > 0$`) are laid out too."""
        start, content = self.raw_argument(token)
        marks: list[Mark] = []
        for number, piece in enumerate(content.split("$")):
            offset = start + sum(len(each) + 1 for each in content.split("$")[:number])
            if number % 2 and piece:
                marks.extend(self.nested(offset, offset + len(piece)).items)
            elif piece:
                marks.append(Words(self.clean_text(piece), offset))
        if len(marks) == 1:
            return marks[0]
        return Row(tuple(marks), token.position) if marks else Space(token.position)

    def species(self, token: Token) -> Mark:
        """`\\ce{...}`: concentrations are laid out like any brackets, a lone p is a letter, the rest is text."""
        start, content = self.raw_argument(token)
        plain = content.strip()
        if "[" in plain and not any(arrow in plain for arrow in ("->", "<=>", "<-", "→", "⇌")):
            return Row(self.nested(start, start + len(content)).items, start)
        return Name(plain, start, "upright") if plain in ("p", "pH", "pOH", "pKa", "pKb") else Species(content, start)

    def delimited(self, token: Token) -> Mark:
        """`\\abs{x}` and `\\norm{x}` of the physics package."""
        sign = "|" if token.text == "abs" else "‖"
        return Fence(sign, sign, self.argument(token), token.position)

    def handle(self, token: Token) -> Mark | None:
        """A command with code of its own."""
        handler = _HANDLERS.get(token.text) or self.special_handler(token.text)
        if handler is None:
            raise self.error("unknown_command", f"the command \\{token.text} is not known", token.position)
        return handler(self, token)


_HANDLERS: dict[str, Callable[[Layout, Token], Mark | None]] = {
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
