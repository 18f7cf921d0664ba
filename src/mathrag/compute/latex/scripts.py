"""Numbers and scripts of LaTeX: digit groups, exponents typed with e, sub- and superscripts as TeX attaches them."""

from __future__ import annotations

from mathrag.compute.latex import commands as table
from mathrag.compute.latex.environments import EnvironmentReader
from mathrag.compute.latex.tokens import Token
from mathrag.compute.notation import (
    Digits,
    Mark,
    Name,
    Row,
    Script,
    Sign,
)

_SCRIPT_STARTS = frozenset(("sup", "sub", "prime"))


class ScriptReader(EnvironmentReader):
    """The rules for numbers and scripts; `Layout` supplies rows and marks."""

    def argument_mark(self, token: Token) -> Mark:
        """One undelimited argument; see `Layout`."""
        raise NotImplementedError

    def character_script(self, token: Token) -> Mark | None:
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

    def number(self, token: Token) -> Mark:
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
        while (token := self.peek_past_spaces()) is not None and token.kind in _SCRIPT_STARTS:
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

    def script_argument(self, token: Token) -> Row:
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

    def sloppy_negative(self, token: Token, sign: Token) -> Row:
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
