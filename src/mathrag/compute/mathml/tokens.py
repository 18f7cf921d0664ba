"""The text inside `<mi>`, `<mn>`, `<mo>` and `<mtext>` to marks, whatever authors put into the wrong element.

Splits `<mn>0.5 m</mn>`, `<mi>θ.</mi>` and `<mtext>= 3 m/s</mtext>` into numbers, letters, signs and words. Decides
layout only: whether words are a unit, a name or prose is for the grammar.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from mathrag.compute.mathml import characters as table
from mathrag.compute.mathml.elements import Element, Text
from mathrag.compute.mathml.rows import Delimiter, Piece
from mathrag.compute.notation import Accent, Digits, Mark, Name, Row, Script, Sign, Space, Stack, Style, Words
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.language.word_classes import word_class

_BLANKS = " \t\n\r\f\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_ASCII_BLANKS = " \t\n\r\f"
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\ufe00\ufe0e\u00ad"
_WIDE_BLANKS = "\u2001\u2003"
_GROUPING = "[,\u2009\u202f\u2007]"
_NUMBER = re.compile(rf"[0-9]{{1,3}}(?:{_GROUPING}[0-9]{{3}})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_SPACED_NUMBER = re.compile(
    r"[0-9]{1,3}(?:[ \xa0\u2009\u202f][0-9]{3})+(?:\.[0-9]+)?|[0-9]+\.[0-9]{3}(?:[ \xa0\u2009\u202f][0-9]{1,3})+"
)
_EXPONENT = re.compile(r"[eE]([-+−]?)([0-9]{1,4})(?![0-9A-Za-z.])")
_LABEL = re.compile(r"\([0-9]+(?:\.[0-9]+)*[a-z]?\)[.,;]?")
_IDENTIFIER = re.compile(r"[A-Za-z]{1,12}[0-9]{1,4}")
_LETTER_CLASS = r"[^\W\d_°Δ∆]"
# Possessive throughout, so that prose that turns out to be something else costs one pass.
_WORD = re.compile(
    rf"(?:°|%(?={_LETTER_CLASS}))?{_LETTER_CLASS}++[²³]?+"
    rf"(?>(?:(?:[-’'/·⋅]|\.(?={_LETTER_CLASS}{{2}})|[ \xa0]++(?:[/·⋅][ \xa0]*+)?)°?{_LETTER_CLASS}++(?>(?:⁻?[¹²³])?))*)"
)
_PROSE = re.compile(rf"\(?(?:{_WORD.pattern})(?>(?:,?[ \xa0]\(?{_WORD.pattern})*)\)?")
# A unit with exponents, `J/(mol*K)`, `m^2 s^-1`; a product sign or exponent must be there, or it may be anything.
_UNIT_FACTOR = r"\(*[A-Za-z_µμΩΩ°%Å]++(?:(?:\^|\*\*)?[-−]?[0-9]{1,2}|[⁻²³¹⁴]++)?\)*"
_UNIT = re.compile(rf"(?=.{{0,80}}[*/^·⋅⁻²³_]|.{{0,80}}[a-z][-−][0-9]){_UNIT_FACTOR}(?>(?: ?[*/·⋅ ] ?{_UNIT_FACTOR})*)")
_INDEX = re.compile(r"(?:[A-Za-z]{1,12}|[0-9]{1,4})(?![A-Za-z0-9])")
_BEFORE_GREEK = re.compile(r"[ \xa0]+(?=[α-ωΓ-Ψ](?!\w))")
_DIGITS = frozenset("0123456789")
_LONGEST_TOKEN = 10_000
_PLAIN_SIGNS = {"=": "=", "+": "+", "-": "-", "−": "-", "\u2062": "\u2062", "\u2061": "\u2061"}
_UNIT_LETTERS = "ΩΩμµÅ"
# Letters that look like a formula: so many side by side may be factors, more of them spell a word.
_MOST_LETTERS = 4
# Set tightly in a formula, `at` is an acceleration times a time.
_SMALL_WORDS = word_class("grammar.function_words") - {"at"}


def token_pieces(element: Element, style: Style | None) -> list[Piece]:
    """The marks of one token element; `style` is what `mathvariant` says, None without it."""
    plain = _plain_token(element, style)
    if plain is not None:
        return [plain]
    text, positions = _content(element)
    if not text:
        return [Delimiter("", element.position, element.attribute("form"))] if _is_empty_fence(element) else []
    kind = element.name
    if kind in {"mtext", "ms"}:
        return _text_pieces(text, positions, style)
    if kind == "mi" and len(text) > 1:
        if element.attribute("fontstyle") == "italic" and (letters := _italic_letters(text, positions)):
            return letters
        if text[0] == "°":
            return [Words(text, positions[0])]
        if _IDENTIFIER.fullmatch(text):
            return [Name(text, positions[0], style or "upright")]
    pieces = _Lexer(text, positions, kind, style).run()
    form = element.attribute("form")
    if form and len(pieces) == 1 and isinstance(pieces[0], Delimiter):
        return [Delimiter(pieces[0].text, pieces[0].position, form)]
    return pieces


# Signs that are typed for that of degrees; the first of them is a letter elsewhere.
_DEGREES = {"º": "°", "˚": "°"}


def _plain_token(element: Element, style: Style | None) -> Piece | None:
    """The everyday token, without the machinery: one letter, plain digits, one of the commonest signs."""
    child = element.children[0] if len(element.children) == 1 else None
    if not isinstance(child, Text) or child.is_reference:
        return None
    text = child.value.strip(_ASCII_BLANKS)
    position = child.position + len(child.value) - len(child.value.lstrip(_ASCII_BLANKS))
    if element.name == "mi" and len(text) == 1 and text.isascii() and text.isalpha():
        return Name(text, position, style or "italic")
    if element.name == "mn" and text.isascii() and text.isdigit():
        return Digits(text, position)
    if element.name == "mo" and text in _PLAIN_SIGNS and not element.attributes:
        return Sign(_PLAIN_SIGNS[text], position)
    return None


def _content(element: Element) -> tuple[str, Sequence[int]]:
    """The characters with the place of each; white space at the ends is layout of the source, not of the formula."""
    characters: list[str] = []
    positions: list[int] = []
    for child in element.children:
        if not isinstance(child, Text):
            # Alignment marks, and the empty spans that converters leave for equation numbers, say nothing.
            if child.name in {"malignmark", "maligngroup"} or (child.name == "span" and not child.children):
                continue
            raise FormulaError(
                "structure", f"<{child.name}> cannot stand inside <{element.name}>", position=child.position
            )
        if len(characters) + len(child.value) > _LONGEST_TOKEN:
            raise ExpressionLimitError(
                f"more than {_LONGEST_TOKEN:,} characters in one element", position=child.position
            )
        for index, character in enumerate(child.value):
            if character not in _INVISIBLE:
                characters.append(_DEGREES.get(character, character))
                positions.append(child.position if child.is_reference else child.position + index)
    text = unicodedata.normalize("NFC", "".join(characters)) if element.name == "mtext" else "".join(characters)
    if len(text) != len(positions):
        text = "".join(characters)
    start = len(text) - len(text.lstrip(_ASCII_BLANKS))
    stop = len(text.rstrip(_ASCII_BLANKS))
    return text[start:stop], positions[start:stop]


def _is_empty_fence(element: Element) -> bool:
    return element.name == "mo" and (element.attribute("fence") == "true" or bool(element.attribute("form")))


def _text_pieces(text: str, positions: Sequence[int], style: Style | None) -> list[Piece]:
    if text and not text.strip(_BLANKS + "\u2061\u2062\u2063\u2064"):
        return [Space(positions[0])]  # converters set negative space as invisible characters
    core = text.strip(_BLANKS)
    start = len(text) - len(text.lstrip(_BLANKS))
    if not core:
        return [Space(positions[0], any(blank in _WIDE_BLANKS for blank in text) or len(text) >= 3)]
    position = positions[start]
    if core in table.FUNCTION_NAMES:
        return [Name(core, position, "upright")]
    if style == "italic" and (letters := _italic_letters(text, positions)):
        return letters
    if core in {"||", "∥", "‖"}:
        return [Sign("∥", position)]
    if core in table.DELIMITERS:
        return [Delimiter(table.DELIMITERS[core], position)]
    if _LABEL.fullmatch(core) or (
        _IDENTIFIER.fullmatch(core) and core.rstrip("0123456789") not in table.FUNCTION_NAMES
    ):
        return [Words(core, position)]
    body = core.rstrip(".,;:")
    if _UNIT.fullmatch(core) and core.count("(") == core.count(")"):
        return [Words(_spaced(text), position)]
    if len(body) == 1 and (body not in _UNIT_LETTERS or style in {"italic", "bold"}):
        return _Lexer(core, positions[start:], "mtext", style).run()
    if body and _is_prose(body):
        stop = start + len(body)
        ending = [Sign(text[at], positions[at]) for at in range(stop, start + len(core))]
        return [Words(_spaced(text[:stop] if ending else text), position), *ending]
    return _Lexer(text, positions, "mtext", style).run()


def _italic_letters(text: str, positions: Sequence[int]) -> list[Piece]:
    """A few letters side by side that are only set in italics, as editors do to factors: letter by letter, with the
    punctuation behind them. Nothing for words, and for what holds more than letters."""
    body = text.rstrip(".,;")
    if not 1 < len(body) <= _MOST_LETTERS or body.casefold() in _SMALL_WORDS:
        return []
    spelled = [table.spelled_letter(character) for character in body]
    if any(letter is None for letter in spelled):
        return []
    letters: list[Piece] = [Name(one[0], positions[at], "italic") for at, one in enumerate(spelled) if one is not None]
    return [*letters, *(Sign(text[at], positions[at]) for at in range(len(body), len(text)))]


def _is_prose(text: str) -> bool:
    """Words and units only: no digits, no operators, no letters that are symbols on their own."""
    if text.count("(") != text.count(")") or not _PROSE.fullmatch(text):
        return False
    return not any("\u0370" <= character <= "\u03ff" and character not in _UNIT_LETTERS for character in text)


def _spaced(text: str) -> str:
    return "".join(" " if character in _BLANKS else character for character in text)


class _Lexer:
    """Cuts one token's text, left to right."""

    def __init__(self, text: str, positions: Sequence[int], kind: str, style: Style | None) -> None:
        self.text = text
        self.positions = positions
        self.kind = kind
        self.style = style
        self.at = 0
        self.pieces: list[Piece] = []

    def run(self) -> list[Piece]:
        while self.at < len(self.text):
            self.step()
        return self.pieces

    def step(self) -> None:
        text, at = self.text, self.at
        character = table.plain_character(text[at])
        position = self.positions[at]
        if character in _BLANKS:
            self.at += 1
            if character not in _ASCII_BLANKS and not (self.pieces and isinstance(self.pieces[-1], Space)):
                self.pieces.append(Space(position, character in _WIDE_BLANKS))
        elif character in _DIGITS or (character == "." and text[at + 1 : at + 2] in _DIGITS):
            self.number(position)
        elif character in table.SUPERSCRIPTS or character in table.SUBSCRIPTS:
            self.script(position)
        elif unicodedata.combining(character):
            self.combining(character, position)
        elif unicodedata.category(character) == "No":
            self.vulgar_fraction(character, position)
        elif self.kind == "mtext" and text.startswith("||", at):
            self.take(Sign("∥", position), 2)
        elif character in table.DELIMITERS:
            delimiter = "‖" if text.startswith("||", at) and self.kind == "mo" else table.DELIMITERS[character]
            self.take(Delimiter(delimiter, position), 2 if delimiter == "‖" and character == "|" else 1)
        elif character == "_" and self.kind == "mi":
            self.underscore(position)
        elif not self.sign(character, position):
            self.letters(position)

    def take(self, piece: Piece, length: int) -> None:
        self.pieces.append(piece)
        self.at += length

    def number(self, position: int) -> None:
        text, at = self.text, self.at
        match = (_SPACED_NUMBER.match(text, at) if self.kind == "mn" else None) or _NUMBER.match(text, at)
        if match is None:
            # Digits of the mathematical alphabets.
            self.take(Digits(table.plain_character(text[at]), position), 1)
            return
        if self.kind == "mn" and self.pieces and isinstance(self.pieces[-1], Words | Name):
            raise FormulaError("number", f"{text!r} is no number", position=position)
        self.take(Digits(re.sub(r"[^0-9.]", "", match.group()), position), match.end() - at)
        exponent = _EXPONENT.match(text, self.at) if self.kind == "mn" else None
        if exponent:
            sign: tuple[Sign, ...] = (Sign("-", position),) if exponent.group(1) in {"-", "−"} else ()
            power = Row((*sign, Digits(exponent.group(2), position)), position)
            self.pieces.append(Sign("×", position))
            self.take(Script(Digits("10", position), None, power, position), len(exponent.group()))

    def script(self, position: int) -> None:
        """Superscript and subscript characters, `x²`: the base is what stands before, found later."""
        characters = table.SUPERSCRIPTS if self.text[self.at] in table.SUPERSCRIPTS else table.SUBSCRIPTS
        marks: list[Digits | Sign | Name] = []
        while self.at < len(self.text) and (plain := characters.get(self.text[self.at])):
            here = self.positions[self.at]
            if plain.isdigit() and marks and isinstance(marks[-1], Digits):
                marks[-1] = Digits(marks[-1].text + plain, marks[-1].position)
            else:
                marks.append(
                    Digits(plain, here)
                    if plain.isdigit()
                    else Sign(plain, here)
                    if plain in "+-"
                    else Name(plain, here)
                )
            self.at += 1
        row = Row(tuple(marks), position)
        is_above = characters is table.SUPERSCRIPTS
        base: Mark = Row((), position)
        if self.pieces and isinstance(last := self.pieces[-1], Name | Digits | Words | Accent):
            base = last
            self.pieces.pop()
        self.pieces.append(Script(base, None if is_above else row, row if is_above else None, base.position))

    def underscore(self, position: int) -> None:
        """An index typed inside a name, `v_w`."""
        index = _INDEX.match(self.text, self.at + 1)
        last = self.pieces[-1] if self.pieces else None
        if index is None or not isinstance(last, Name | Accent):
            raise FormulaError("character", "an underscore stands between a letter and its index", position=position)
        here = self.positions[self.at + 1]
        run = index.group()
        mark = Digits(run, here) if run.isdigit() else Name(run, here, "upright" if len(run) > 1 else "italic")
        self.pieces[-1] = Script(last, Row((mark,), here), None, last.position)
        self.at = index.end()

    def combining(self, character: str, position: int) -> None:
        mark = table.ACCENTS_ABOVE.get(character) or table.ACCENTS_BELOW.get(character)
        last = self.pieces[-1] if self.pieces else None
        if mark is None or not isinstance(last, Name):
            raise FormulaError(
                "character", f"the accent U+{ord(character):04X} is not used in formulas", position=position
            )
        self.pieces[-1] = Accent(mark, Row((last,), last.position), last.position)
        self.at += 1

    def vulgar_fraction(self, character: str, position: int) -> None:
        above, slash, below = unicodedata.normalize("NFKC", character).partition("⁄")
        if not slash or not (above.isdigit() and below.isdigit()):
            raise FormulaError("character", f"the character {character!r} is not used in formulas", position=position)
        if self.pieces and isinstance(self.pieces[-1], Digits):
            raise FormulaError(
                "mixed_number", "a number and a fraction side by side can be a sum or a product", position=position
            )
        self.take(
            Stack(Row((Digits(above, position),), position), Row((Digits(below, position),), position), position), 1
        )

    def sign(self, character: str, position: int) -> bool:
        text, at = self.text, self.at
        if self.kind == "mtext" and _WORD.match(text, at):
            return False
        for length in (3, 2):
            digraph = table.DIGRAPHS.get(text[at : at + length])
            if digraph is not None:
                self.take(Sign(digraph, position), length)
                return True
        sign = table.SIGNS.get(character)
        if sign is None:
            return False
        self.take(Sign(sign, position), 1)
        return True

    def letters(self, position: int) -> None:
        text, at = self.text, self.at
        if self.kind == "mtext":
            self.word(position)
            return
        stop = at + 1
        is_plain = text[at].isascii() and text[at].isalpha()
        while is_plain and stop < len(text) and text[stop].isascii() and text[stop].isalpha():
            stop += 1
        run = text[at:stop]
        last = self.pieces[-1] if self.pieces else None
        if len(run) > 1:
            is_unit = self.kind == "mn" and isinstance(last, Digits | Space)
            self.take(Words(run, position) if is_unit else Name(run, position, self.style or "upright"), len(run))
            return
        self.letter(text[at], position)

    def letter(self, character: str, position: int) -> None:
        if self.kind == "mtext" and character == "^":
            # Powers typed inside running text (m/s^2) stay text.
            self.take(Words(character, position), 1)
            return
        spelled = table.spelled_letter(character)
        default: Style = "italic" if self.kind in {"mi", "mn"} else "upright"
        if spelled is not None:
            self.take(Name(spelled[0], position, self.style or spelled[1] or default), 1)
            return
        parts = unicodedata.normalize("NFD", character)
        mark = table.ACCENTS_ABOVE.get(parts[1:]) if len(parts) == 2 else None
        if mark is None or not (parts[0].isascii() and parts[0].isalpha()):
            name = unicodedata.name(character, "unnamed").lower()
            raise FormulaError(
                "character", f"the character {character!r} ({name}) is not used in formulas", position=position
            )
        self.take(Accent(mark, Row((Name(parts[0], position, self.style or default),), position), position), 1)

    def word(self, position: int) -> None:
        """A run of words inside running text; one letter alone is a symbol unless a number stands before it."""
        match = _WORD.match(self.text, self.at)
        if match is None:
            self.letter(self.text[self.at], position)
            return
        # "net τ": behind a blank a Greek letter is a symbol again.
        run = _BEFORE_GREEK.split(match.group(), maxsplit=1)[0]
        before = [piece for piece in self.pieces[-2:] if not isinstance(piece, Space)]
        follows_number = bool(before) and isinstance(before[-1], Digits)
        if run in table.FUNCTION_NAMES:
            self.take(Name(run, position, "upright"), len(run))
        elif (
            table.spelled_letter(run[0])
            and not run[0].isascii()
            and (run[0] not in _UNIT_LETTERS or not follows_number)
        ):
            self.letter(run[0], position)
        elif len(run) == 1 and not follows_number:
            self.letter(run, position)
        else:
            self.take(Words(_spaced(run), position), len(run))
