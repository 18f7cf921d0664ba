"""Cut Python-like text into tokens with their places. Knows characters, not grammar."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import MAXIMUM_DIGITS, MAXIMUM_NODES, Comparison, Flag

MAXIMUM_CHARACTERS = 100_000
MAXIMUM_EXPONENT = 400

Kind = Literal["number", "fraction", "name", "operator", "superscript", "string", "newline", "end"]


@dataclass(frozen=True, slots=True)
class TextToken:
    """One mark: what kind, its text (operators in their ASCII form), and where it begins and ends in the source."""

    kind: Kind
    text: str
    position: int
    end: int


_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ"
FRACTIONS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅙": (1, 6), "⅛": (1, 8)}
_NAME = rf"[^\W0-9{_SUPERSCRIPTS}{''.join(FRACTIONS)}]"
_NAME_REST = rf"[^\W{_SUPERSCRIPTS}{''.join(FRACTIONS)}]"
_COMBINING = "\u0302-\u0308\u030c\u20d7′″"

_TOKEN = re.compile(
    rf"""
      (?P<blank>[ \t\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+)
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\r\n|\n|\r)
    | (?P<number>(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+\-−]?[0-9]+)?)
    | (?P<fraction>[{"".join(FRACTIONS)}])
    | (?P<superscript>[{_SUPERSCRIPTS}]+)
    | (?P<name>{_NAME}(?:{_NAME_REST}|[{_COMBINING}])*)
    | (?P<string>"[^"\n]*"|'[^'\n]*')
    | (?P<operator>\*\*=|//=|<<=|>>=|:=|==|<=|>=|!=|[-+*/%^|&@]=|->|\*\*|//|<<|>>|.)
    """,
    re.VERBOSE | re.DOTALL,
)

_OPERATORS = {
    **dict.fromkeys("·⋅∙•×∗✕", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("−–—", "-"),
    "^": "**",
    "≤": "<=",
    "⩽": "<=",
    "≥": ">=",
    "⩾": ">=",
    "≠": "!=",
    "≃": "≈",
    "≅": "≈",
    "≔": ":=",
    "{": "{",
}
_KNOWN_OPERATORS = frozenset(
    ("**", "//", "==", ":=", "<=", ">=", "!=", "->", "<<", ">>", *"+-*/%^=<>(),;|!.[]{}:&@~?$\\\"'`√∛≈≡∝±∓°∞∑∏∫∂∇→⇌")
)


def tokenise(text: str) -> list[TextToken]:
    """All tokens, blanks and comments left out, an `end` token last. Raises FormulaError on what is no mark."""
    if len(text) > MAXIMUM_CHARACTERS:
        raise ExpressionLimitError(
            f"the text has {len(text):,} characters; at most {MAXIMUM_CHARACTERS:,} are read",
            position=MAXIMUM_CHARACTERS,
        )
    tokens: list[TextToken] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        assert found is not None
        kind = str(found.lastgroup)
        if kind not in ("blank", "comment"):
            tokens.append(_token(kind, found.group(), place, found.end()))
            if len(tokens) > MAXIMUM_NODES:
                raise ExpressionLimitError(f"the formula has more than {MAXIMUM_NODES:,} parts", position=place)
        place = found.end()
    tokens.append(TextToken("end", "", len(text), len(text)))
    return tokens


def _token(kind: str, text: str, place: int, end: int) -> TextToken:
    match kind:
        case "number":
            return TextToken("number", _checked_number(text, place), place, end)
        case "name" | "fraction" | "superscript" | "string" | "newline":
            return TextToken(kind, text, place, end)
        case _:
            return _operator(text, place, end)


def _checked_number(text: str, place: int) -> str:
    mantissa, _, exponent = text.replace("−", "-").lower().partition("e")
    if re.search(r"__|_$|_\.|\._", mantissa):
        raise FormulaError("bad_number", f"{text[:40]!r} has an underscore that separates no digits", position=place)
    mantissa = mantissa.replace("_", "")
    if len(mantissa) > MAXIMUM_DIGITS:
        raise ExpressionLimitError(f"a number has at most {MAXIMUM_DIGITS:,} digits", position=place)
    if exponent and (len(exponent) > 6 or abs(int(exponent)) > MAXIMUM_EXPONENT):
        raise ExpressionLimitError(f"a power of ten beyond {MAXIMUM_EXPONENT} is not read", position=place)
    return f"{mantissa}e{exponent}" if exponent else mantissa


def _operator(text: str, place: int, end: int) -> TextToken:
    plain = _OPERATORS.get(text, text)
    if plain in _KNOWN_OPERATORS:
        return TextToken("operator", plain, place, end)
    if text.endswith("=") and len(text) > 1:
        raise FormulaError(
            "assignment_operator", f"{text!r} changes a value; write the formula with a plain =", position=place
        )
    if unicodedata.category(text) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        raise FormulaError(
            "hidden_character", f"an invisible character (U+{ord(text):04X}) stands here; remove it", position=place
        )
    name = unicodedata.name(text, "unnamed").lower()
    raise FormulaError("unexpected_character", f"the character {text!r} ({name}) has no meaning here", position=place)


# A place in a list of tokens: looking ahead, stepping on, giving up with a place. Knows no grammar.


class Cursor:
    """Walks the tokens of one text, once, collecting flags on the way."""

    def __init__(self, tokens: list[TextToken], symbols: Collection[str]) -> None:
        self.tokens = tokens
        self.place = 0
        self.symbols = frozenset(symbols)
        self.flags: list[Flag] = []
        self.nesting = 0
        self.trailing: tuple[Comparison, ...] = ()

    @property
    def token(self) -> TextToken:
        """The token to be read next."""
        return self.tokens[self.place]

    @property
    def previous(self) -> TextToken:
        """The token read last."""
        return self.tokens[self.place - 1]

    def advance(self) -> TextToken:
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

    def expect(self, text: str, opened: TextToken | None = None) -> TextToken:
        """Step over an operator that must stand here."""
        if self.at(text):
            return self.advance()
        if self.token.kind == "end" and opened is not None:
            raise self.fail("unclosed", f"the {opened.text!r} opened here is never closed", opened)
        raise self.fail("unexpected", f"expected {text!r}, found {self.describe(self.token)}")

    def fail(self, code: str, reason: str, token: TextToken | None = None) -> FormulaError:
        """The error to raise at a token (the next one unless told otherwise)."""
        return FormulaError(code, reason, position=(token or self.token).position)

    def flag(self, code: str, message: str, position: int) -> None:
        """Note a choice that the notation left open."""
        self.flags.append(Flag(code, message, position))

    @staticmethod
    def describe(token: TextToken) -> str:
        """A token in words, for messages."""
        if token.kind == "end":
            return "the end of the text"
        return "the end of the line" if token.kind == "newline" else repr(token.text[:40])
