"""A place in a list of tokens: looking ahead, stepping on, giving up with a place. Knows no grammar."""

from __future__ import annotations

from collections.abc import Collection

from mathrag.compute.pythontext.tokens import Token
from mathrag.errors import FormulaError
from mathrag.types.expression import Comparison, Flag


class Cursor:
    """Walks the tokens of one text, once, collecting flags on the way."""

    def __init__(self, tokens: list[Token], symbols: Collection[str]) -> None:
        self.tokens = tokens
        self.place = 0
        self.symbols = frozenset(symbols)
        self.flags: list[Flag] = []
        self.nesting = 0
        self.trailing: tuple[Comparison, ...] = ()

    @property
    def token(self) -> Token:
        """The token to be read next."""
        return self.tokens[self.place]

    @property
    def previous(self) -> Token:
        """The token read last."""
        return self.tokens[self.place - 1]

    def advance(self) -> Token:
        """Step over the next token and give it back; the end stays in place."""
        token = self.tokens[self.place]
        if token.kind != "end":
            self.place += 1
        return token

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of these operators."""
        token = self.token
        return token.kind == "operator" and token.text in texts

    def at_word(self, *words: str) -> bool:
        """Whether the next token is one of these words."""
        token = self.token
        return token.kind == "name" and token.text in words

    def expect(self, text: str, opened: Token | None = None) -> Token:
        """Step over an operator that must stand here."""
        if self.at(text):
            return self.advance()
        if self.token.kind == "end" and opened is not None:
            raise self.fail("unclosed", f"the {opened.text!r} opened here is never closed", opened)
        raise self.fail("unexpected", f"expected {text!r}, found {self.describe(self.token)}")

    def fail(self, code: str, reason: str, token: Token | None = None) -> FormulaError:
        """The error to raise at a token (the next one unless told otherwise)."""
        return FormulaError(code, reason, position=(token or self.token).position)

    def flag(self, code: str, message: str, position: int) -> None:
        """Note a choice that the notation left open."""
        self.flags.append(Flag(code, message, position))

    @staticmethod
    def describe(token: Token) -> str:
        """A token in words, for messages."""
        if token.kind == "end":
            return "the end of the text"
        return "the end of the line" if token.kind == "newline" else repr(token.text[:40])
