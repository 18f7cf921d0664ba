"""Arithmetic as people type or say it, rewritten as text for the formula reader. Any unknown word ends the attempt."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from mathrag.errors import UnitError
from mathrag.knowledge.units import unit_readings
from mathrag.language.quantities.numbers import ONES, ORDINAL_POWERS, Scan, read_words, scale_word
from mathrag.language.quantities.unit_phrase import unit_after
from mathrag.language.word_classes import word_pairs
from mathrag.reason.direct.result import Stated, stated
from mathrag.types.quantity import Unit

# A percentage as the reader of arithmetic writes it down.
_PERCENT_PIECE = re.compile(r"\([0-9.eE+-]+/100\)")

# What reading arithmetic gives: pieces of formula text and numbers whose units are chosen later. Reads nothing.


@dataclass(frozen=True, slots=True)
class UnitSlot:
    """A number with a unit, of which one of several readings is chosen later; the first `usual` are common ones."""

    digits: str
    units: tuple[Unit, ...]
    usual: int = 1
    is_temperature_too: bool = False


@dataclass(slots=True)
class Arithmetic:
    """What was read: pieces of formula text and slots, the numbers as stated, and choices made on the way."""

    pieces: list[str | UnitSlot] = field(default_factory=list)
    numbers: list[Stated] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    operations: int = 0
    has_percent: bool = False
    has_modulo: bool = False

    @property
    def slots(self) -> list[UnitSlot]:
        """The numbers with units, in order."""
        return [piece for piece in self.pieces if isinstance(piece, UnitSlot)]

    @property
    def has_loose_percent(self) -> bool:
        """Whether a bare percentage is added to something that is none: `200 + 10 % + 5 %`. Of what, nobody says."""
        return self.has_percent and _mixes_shares(self.pieces)

    def text(self, units: tuple[Unit, ...]) -> str:
        """Text for the formula reader, with these units in the slots."""
        chosen = iter(units)
        return " ".join(
            f'quantity({piece.digits}, "{next(chosen).text}")' if isinstance(piece, UnitSlot) else piece
            for piece in self.pieces
        )

    def shown(self, units: tuple[Unit, ...]) -> str:
        """The same for people."""
        chosen = iter(units)
        parts = [
            f"{piece.digits} {next(chosen).text}" if isinstance(piece, UnitSlot) else _SHOWN.get(piece, piece)
            for piece in self.pieces
        ]
        return _joined(parts)


def _mixes_shares(pieces: list[str | UnitSlot]) -> bool:
    """Whether a sum, at any depth of brackets, has both bare percentages and other terms."""
    sums: list[list[int]] = [[0, 0]]
    term: list[list[str | UnitSlot]] = [[]]

    def close() -> bool:
        if term[-1]:
            is_share = (
                len(term[-1]) == 1 and isinstance(term[-1][0], str) and bool(_PERCENT_PIECE.fullmatch(term[-1][0]))
            )
            sums[-1][0 if is_share else 1] += 1
        return sums[-1][0] > 0 and sums[-1][1] > 0

    for piece in pieces:
        if piece in ("+", "-") and term[-1]:
            close()
            term[-1] = []
        elif isinstance(piece, str) and piece.endswith("("):
            sums.append([0, 0])
            term.append([])
        elif piece == ")" and len(term) > 1:
            if close():
                return True
            sums.pop()
            term.pop()
            term[-1] += ["(", ")"]
        elif piece not in ("+", "-"):
            term[-1].append(piece)
    return close()


def _joined(parts: list[str]) -> str:
    """Blanks around what joins two values, none around brackets and powers."""
    text = ""
    before = "("
    for part in parts:
        is_tight = part[0] in "^!)," or before[-1] in "(^" or (before in "+-" and text[-2:-1] in ("", "(", "^"))
        text += part if is_tight or not text else f" {part}"
        before = part
    return text


# The words and signs of spoken arithmetic as a table: operators, functions, powers. Finds them; builds nothing.

_DIGIT_WORDS = "|".join(word for word, value in ONES.items() if 1 <= value <= 10)
_SPOKEN_OPERATORS = sorted(word_pairs("direct.operators").items(), key=lambda pair: -len(pair[0]))
_OPERATORS: tuple[tuple[str, str], ...] = (
    *((rf"{re.escape(words)}\b", sign) for words, sign in _SPOKEN_OPERATORS),
    (rf"to the(?= (?:minus |negative |[-−])?(?:[0-9]+(?![0-9a-z])|{_DIGIT_WORDS})\b)", "^"),
    (r"factorial\b(?! of| ?\()", "!"),
    (r"\*\*", "^"),
    (r"[×✕⨯∗·⋅∙*]", "*"),
    (r"[÷∕⁄/]", "/"),
    (r"[-−–—]", "-"),
    (r"\+", "+"),
    (r"\^", "^"),
    (r"!", "!"),
)
_OPERATOR = [(re.compile(pattern, re.IGNORECASE), sign) for pattern, sign in _OPERATORS]
_NTH_POWER = re.compile(r"to the ([0-9]{1,6})(?:st|nd|rd|th)(?: power)?\b", re.IGNORECASE)
_NAMED_POWER = re.compile(r"to the ([a-z]+) power\b", re.IGNORECASE)

_FUNCTIONS: tuple[tuple[str, str], ...] = (
    (r"(?:square root|sqrt|root)(?: of)?\b", "sqrt"),
    (r"√", "sqrt"),
    (r"(?:cube root|cubic root|cbrt)(?: of)?\b", "cbrt"),
    (r"∛", "cbrt"),
    (r"arc ?sin(?:e)?(?: of)?\b|asin\b|inverse sin(?:e)?(?: of)?\b", "asin"),
    (r"arc ?cos(?:ine)?(?: of)?\b|acos\b|inverse cos(?:ine)?(?: of)?\b", "acos"),
    (r"arc ?tan(?:gent)?(?: of)?\b|atan\b|inverse tan(?:gent)?(?: of)?\b", "atan"),
    (r"sinh\b", "sinh"),
    (r"cosh\b", "cosh"),
    (r"tanh\b", "tanh"),
    (r"sin(?:e)?(?: of)?\b", "sin"),
    (r"cos(?:ine)?(?: of)?\b", "cos"),
    (r"tan(?:gent)?(?: of)?\b", "tan"),
    (r"(?:natural log(?:arithm)?|ln)(?: of)?\b", "ln"),
    (r"(?:common log(?:arithm)?|log(?:arithm)? base (?:10|ten)|log_?10)(?: of)?(?![0-9a-z_])", "log10"),
    (r"(?:log(?:arithm)? base (?:2|two)|log_?2)(?: of)?(?![0-9a-z_])", "log2"),
    (r"log(?:arithm)?(?: of)?\b(?! base)", "log10?"),
    (r"exp(?:onential)?(?: of)?\b", "exp"),
    (r"(?:absolute value of|abs)\b", "abs"),
    (r"factorial(?: of\b|(?= ?\())", "factorial"),
    (r"(?:binomial coefficient|binomial|binom|comb|choose|ncr)(?= ?\()", "comb"),
    (r"C(?= ?\( ?[0-9]{1,4} ?, ?[0-9]{1,4} ?\))", "comb"),
    (r"(?:npr|perm)(?= ?\()", "perm"),
    (r"(?:gcd|hcf|gcf)(?= ?\()", "gcd"),
    (r"lcm(?= ?\()", "lcm"),
    (r"max(?= ?\()", "max"),
    (r"min(?= ?\()", "min"),
    (r"floor(?: of)?\b", "floor"),
    (r"ceil(?:ing)?(?: of)?\b", "ceil"),
)
_FUNCTION = [(re.compile(pattern, re.IGNORECASE), name) for pattern, name in _FUNCTIONS]
_MULTIPLES = word_pairs("direct.multiples")
_MULTIPLE = re.compile(rf"({'|'.join(_MULTIPLES)})(?: of)?\b(?! factorial)", re.IGNORECASE)
_OF_SEVERAL = frozenset(("gcd", "lcm", "min", "max", "comb", "perm"))
# As people write them.
_SHOWN = {"comb(": "C(", "perm(": "P("}
# Functions in writings of their own, and as the reader has them.
_WRITINGS = (
    (re.compile(r"(?<![\w.])([0-9]{1,4}) choose ([0-9]{1,4})(?![\w.])", re.IGNORECASE), r"comb(\1, \2)"),
    (re.compile(r"(?<![\w.])([0-9]{1,3})C([0-9]{1,3})(?![\w.])"), r"comb(\1, \2)"),
    (re.compile(r"(?<![\w.])([0-9]{1,3})P([0-9]{1,3})(?![\w.])"), r"perm(\1, \2)"),
    (re.compile(r"\\[dt]?binom ?\{([0-9]{1,4})\} ?\{([0-9]{1,4})\}"), r"comb(\1, \2)"),
    (re.compile(r"\bmod ?\( ?([0-9]{1,30}) ?, ?([0-9]{1,30}) ?\)", re.IGNORECASE), r"(\1 % \2)"),
    (
        re.compile(
            r"binomial coefficient(?: of)? ([0-9]{1,4})(?: and|,| over| choose) ([0-9]{1,4})(?![\w.])", re.IGNORECASE
        ),
        r"comb(\1, \2)",
    ),
    (re.compile(r"\A([^|]*)\|([^|]+)\|([^|]*)\Z"), r"\1abs(\2)\3"),
)


@dataclass(frozen=True, slots=True)
class FoundSign:
    """A sign or function found, and where it ends."""

    sign: str
    end: int


def operator_at(text: str, place: int) -> FoundSign | None:
    """An operator here: `times`, `to the power of`, `×`; a power may bring its exponent along (`^2`)."""
    if found := _NTH_POWER.match(text, place):
        return FoundSign(f"^{found.group(1)}", found.end())
    if (found := _NAMED_POWER.match(text, place)) and found.group(1).lower() in ORDINAL_POWERS:
        return FoundSign(f"^{ORDINAL_POWERS[found.group(1).lower()]}", found.end())
    for pattern, sign in _OPERATOR:
        if found := pattern.match(text, place):
            return FoundSign(sign, found.end())
    return None


def function_at(text: str, place: int) -> FoundSign | None:
    """A function here; `log10?` where the text says just `log`."""
    for pattern, name in _FUNCTION:
        if found := pattern.match(text, place):
            return FoundSign(name, found.end())
    return None


def multiple_at(text: str, place: int) -> FoundSign | None:
    """`half of`, `twice`: the factor."""
    found = _MULTIPLE.match(text, place)
    return FoundSign(_MULTIPLES[found.group(1).lower()], found.end()) if found else None


_NUMBER = re.compile(
    r"(?P<digits>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
    r"(?P<exponent>[eE][+\-−]?[0-9]{1,4}(?![0-9a-zA-Z.]))?"
)
_HEXADECIMAL = re.compile(r"0[xXbBoO][0-9a-fA-F]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2,4}")
_TIMES = re.compile(r"\s?[xX]\s?(?=[0-9.($])")
_PERCENT = re.compile(r"\s?(?:%|percent\b|per cent\b|pct\b)", re.IGNORECASE)
_PI = re.compile(r"pi\b|π", re.IGNORECASE)
_EULER = re.compile(r"e(?![a-zA-Z0-9_])")
_OF = re.compile(r"of\b(?: the)?", re.IGNORECASE)
_SUPERSCRIPT = re.compile(r"[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_VULGAR = {"½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)", "⅕": "(1/5)", "⅛": "(1/8)"}
_MAXIMUM_PIECES = 4_000
_MAXIMUM_MEASURES = 40
_MAXIMUM_NESTING = 8
_STEP_GAP = re.compile(r" ?(?:and )?")
_PART = re.compile(r"([1-9][0-9]{0,2})/([1-9][0-9]{0,3})(?= ?[A-Za-zµμΩ°])")
_ARTICLE = re.compile(r"an? (?=[A-Za-z])", re.IGNORECASE)
_LISTED = re.compile(r"(?P<digits>[0-9]+(?:\.[0-9]*)?)(?P<exponent>)")
_SHARE = re.compile(r"\([0-9.]+/[0-9]+\)")


class NotArithmeticError(Exception):
    """A word or sign that has no place in arithmetic; caught in `read_arithmetic`."""


def read_arithmetic(text: str) -> Arithmetic | None:
    """The arithmetic that the whole text is, or None."""
    # Two signs of a factorial are a function of their own.
    if _DATE.fullmatch(text) or _HEXADECIMAL.search(text) or "!!" in text:
        return None
    for written, meant in _WRITINGS:
        text = written.sub(meant, text)
    try:
        return _Reader(text).read()
    except NotArithmeticError:
        return None


class _Reader:
    """One walk over a text, left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.result = Arithmetic()
        self.scan = Scan(text)
        self.after_value = False
        self.depths: list[bool] = []
        self.nesting = 0

    def read(self) -> Arithmetic:
        while True:
            self.skip_blanks()
            if self.place >= len(self.text):
                return self.result
            if len(self.result.pieces) > _MAXIMUM_PIECES:
                raise NotArithmeticError
            self.step()

    def skip_blanks(self) -> None:
        while self.text[self.place : self.place + 1] == " ":
            self.place += 1

    def emit(self, piece: str | UnitSlot, *, value: bool, operation: bool = False) -> None:
        if value and self.after_value and (isinstance(piece, UnitSlot) or piece[0] not in "^!)"):
            # Two values side by side (`5 kg 3 m`) are a list, never a product.
            raise NotArithmeticError
        self.result.pieces.append(piece)
        self.after_value = value
        self.result.operations += operation

    def step(self) -> None:
        """One number, name, sign or function."""
        if self.place >= len(self.text):
            # The name of a function without what it is of.
            raise NotArithmeticError
        character = self.text[self.place]
        if character.isdecimal() or (character == "." and self.text[self.place + 1 : self.place + 2].isdecimal()):
            return self.number()
        if character == "$":
            return self.money()
        if character in "()":
            return self.bracket(character)
        if character in _VULGAR:
            self.place += 1
            self.result.numbers.append(stated(character, "1"))
            return self.emit(_VULGAR[character], value=True)
        if character == "," and self.depths and self.depths[-1]:
            self.place += 1
            return self.emit(",", value=False)
        if character == "%" and self.after_value:
            self.place += 1
            self.result.has_modulo = True
            return self.emit("%", value=False, operation=True)
        if (raised := _SUPERSCRIPT.match(self.text, self.place)) and self.after_value:
            self.place = raised.end()
            exponent = raised.group().translate(_SUPERSCRIPTS)
            return self.emit(f"^{exponent}" if exponent.isdecimal() else f"^({exponent})", value=True, operation=True)
        if (found := operator_at(self.text, self.place)) is not None:
            return self.operator(found.sign, found.end)
        self.word()

    def operator(self, sign: str, end: int) -> None:
        self.place = end
        self.result.has_modulo |= sign == "%"
        if sign in "+-" and not self.after_value:
            return self.emit(sign, value=False)
        if not self.after_value:
            raise NotArithmeticError
        self.emit(sign, value=sign[-1].isdecimal() or sign == "!", operation=True)

    def implicit_product(self) -> None:
        """`2(3 + 4)`, `2 pi`: a product without a sign, but not behind a division, where it could be either."""
        if self.after_value:
            if self.result.pieces[-2:-1] == ["/"]:
                raise NotArithmeticError
            self.emit("*", value=False, operation=True)

    def bracket(self, character: str) -> None:
        self.place += 1
        if character == "(":
            self.implicit_product()
            self.depths.append(False)
        elif self.depths:
            self.depths.pop()
        self.emit(character, value=character == ")")

    def word(self) -> None:
        """A function, pi, e, `of`, or a number in words."""
        if (found := function_at(self.text, self.place)) is not None:
            return self.function(found.sign, found.end)
        if (times := multiple_at(self.text, self.place)) is not None and not self.after_value:
            self.result.numbers.append(stated(self.text[self.place : times.end].strip(), "1"))
            self.place = times.end
            self.emit(times.sign, value=True)
            return self.emit("*", value=False, operation=True)
        if (circle := _PI.match(self.text, self.place)) is not None:
            return self.circle(circle.end())
        if (euler := _EULER.match(self.text, self.place)) is not None:
            self.place = euler.end()
            self.implicit_product()
            return self.emit("exp(1)", value=True)
        if (of := _OF.match(self.text, self.place)) is not None and self.is_share():
            self.place = of.end()
            return self.emit("*", value=False, operation=True)
        self.number_in_words()

    def circle(self, end: int) -> None:
        """Pi, with the unit of an angle where one follows."""
        start, self.place = self.place, end
        self.implicit_product()
        self.emit("pi", value=True)
        end, units, usual = self.unit_at(end, "1")
        if units:
            self.place = end
            self.result.numbers.append(stated(self.text[start:end], "1"))
            self.emit("*", value=False)
            self.emit(UnitSlot("1", units, usual), value=True)

    def is_share(self) -> bool:
        """Whether what stands before `of` is a share: 15 %, 3/4, two thirds."""
        pieces = self.result.pieces
        if not self.after_value or not pieces:
            return False
        last = pieces[-1]
        is_fraction = len(pieces) >= 3 and pieces[-2] == "/"
        return is_fraction or (isinstance(last, str) and _SHARE.fullmatch(last) is not None)

    def number_in_words(self) -> None:
        article = _ARTICLE.match(self.text, self.place)
        if article is not None and self.result.pieces[-1:] == ["*"]:
            # `half a mile`
            end, units, usual = self.unit_at(article.end() - 1, "1")
            if units:
                self.place = end
                return self.emit(UnitSlot("1", units, usual), value=True)
        index = self.scan.index_at(self.place)
        piece = self.scan.piece(index)
        if piece is None or piece.start != self.place or (found := read_words(self.scan, index)) is None:
            raise NotArithmeticError
        end = self.scan.pieces[found.next_index - 1].end
        words = self.text[self.place : end]
        share = Fraction(found.value).limit_denominator(10_000)
        digits = str(share.numerator) if share.denominator == 1 else f"({share.numerator}/{share.denominator})"
        start, self.place = self.place, end
        if share.denominator == 1:
            return self.with_unit(digits, start, words)
        self.result.numbers.append(stated(words, "1"))
        self.emit(digits, value=True)

    def part_of_unit(self) -> bool:
        """`1/4 mile`: a fraction written without blanks before a unit."""
        found = _PART.match(self.text, self.place)
        if found is None or self.result.pieces[-1:] == ["/"]:
            return False
        end, units, usual = self.unit_at(found.end(), "1")
        if not units:
            return False
        self.result.numbers.append(stated(self.text[self.place : end], found.group(1)))
        self.place = end
        self.emit(f"({found.group()})", value=True)
        self.emit("*", value=False)
        self.emit(UnitSlot("1", units, usual), value=True)
        return True

    def number(self) -> None:
        """A number in digits with what follows it: a scale word, percent, a unit, an x for times."""
        if self.part_of_unit():
            return None
        found = _NUMBER.match(self.text, self.place)
        assert found is not None
        if self.depths and self.depths[-1] and "," in found.group():
            found = _LISTED.match(self.text, self.place)
            assert found is not None
        digits = found.group("digits").replace(",", "").rstrip(".") + (found.group("exponent") or "").replace("−", "-")
        digits = f"0{digits}" if digits.startswith(".") else digits
        start, self.place = self.place, found.end()
        scale = scale_word(self.scan, self.scan.index_at(self.place), self.place)
        if scale is not None:
            self.place = scale[1]
            self.result.numbers.append(stated(self.text[start : self.place], digits))
            return self.emit(f"({digits}*{scale[0]})", value=True)
        percent = _PERCENT.match(self.text, self.place)
        if percent is not None and not self.is_modulo(percent.end(), percent.group()):
            self.place = percent.end()
            self.result.numbers.append(stated(self.text[start : self.place], digits))
            self.result.has_percent = True
            return self.emit(f"({digits}/100)", value=True)
        self.with_unit(digits, start, self.text[start : self.place])

    def is_modulo(self, end: int, sign: str) -> bool:
        """`17 % 5` is a remainder; `15 % of 240` and `15%` at the end are shares."""
        following = self.text[end:].lstrip()[:1]
        return "%" in sign and (following.isdecimal() or following == "(")

    def money(self) -> None:
        found = _NUMBER.match(self.text, self.place + 1)
        if found is None:
            raise NotArithmeticError
        start, self.place = self.place, found.end()
        digits = found.group().replace(",", "").rstrip(".")
        self.result.numbers.append(stated(self.text[start : self.place], digits))
        self.emit(UnitSlot(digits, unit_readings("USD")), value=True)

    def with_unit(self, digits: str, start: int, words: str) -> None:
        """The number with the unit behind it, if there is one; `5 ft 11 in` is one length."""
        end, units, usual = self.unit_at(self.place, digits)
        if not units:
            self.result.numbers.append(stated(words, digits))
            self.emit(digits, value=True)
            if (times := _TIMES.match(self.text, self.place)) is not None:
                self.place = times.end()
                self.emit("*", value=False, operation=True)
            return
        if len(self.result.slots) >= _MAXIMUM_MEASURES:
            raise NotArithmeticError
        self.place = end
        self.result.numbers.append(stated(self.text[start:end], digits))
        letter = self.text[start:end][-1:] in "CF" and units[0].text in ("C", "F")
        slots = [UnitSlot(digits, units, usual, letter), *self.smaller_steps(digits, units)]
        if len(slots) == 1:
            self.emit(slots[0], value=True)
        else:
            self.emit("(", value=False)
            for place, slot in enumerate(slots):
                if place:
                    self.emit("+", value=False)
                self.emit(slot, value=True)
            self.emit(")", value=True)
        if (times := _TIMES.match(self.text, self.place)) is not None:
            self.place = times.end()
            self.emit("*", value=False, operation=True)

    def unit_at(self, place: int, digits: str) -> tuple[int, tuple[Unit, ...], int]:
        """The unit that stands here with all its readings, and how many of them are usual: those come first."""
        found = unit_after(self.text, place, float(digits) if len(digits) < 300 else 1.0)
        written = self.text[place : found.end].strip() if found is not None else ""
        if found is None or found.note or not found.usual or written.startswith("%"):
            return place, (), 0
        # e is Euler's number more often than a charge, and a lone c a symbol more often than a speed.
        if written in ("e", "c"):
            return place, (), 0
        return found.end, (*found.usual, *found.rare), len(found.usual)

    def smaller_steps(self, digits: str, units: tuple[Unit, ...]) -> list[UnitSlot]:
        """Further numbers that continue a whole number in a smaller unit of the same kind."""
        steps: list[UnitSlot] = []
        while digits.isdecimal():
            match = _STEP_GAP.match(self.text, self.place)
            assert match is not None
            further, start, end = self.plain_number(match.end())
            if not further:
                break
            end, smaller, _ = self.unit_at(end, further)
            fitting = tuple(
                unit
                for unit in smaller
                if unit.dimension == units[0].dimension and 0 < unit.scale < units[0].scale and not unit.offset
            )
            if not fitting or units[0].offset:
                break
            digits, units, self.place = further, fitting[:1], end
            self.result.numbers.append(stated(self.text[start:end], digits))
            steps.append(UnitSlot(digits, units))
        return steps

    def plain_number(self, place: int) -> tuple[str, int, int]:
        """The digits of a plain number in figures or words, its start and end; no digits where there is none."""
        number = _NUMBER.match(self.text, place)
        if number is not None:
            return ("" if "," in number.group() else number.group("digits")), place, number.end()
        index = self.scan.index_at(place)
        piece = self.scan.piece(index)
        words = read_words(self.scan, index) if piece is not None and piece.start == place else None
        if words is None or words.is_fraction or not isinstance(words.value, int):
            return "", place, place
        return str(words.value), place, self.scan.pieces[words.next_index - 1].end

    def function(self, name: str, end: int) -> None:
        """A function with its argument in brackets, or with the one value that follows."""
        self.implicit_product()
        self.place = end
        if name == "log10?":
            name = "log10"
            self.result.notes.append("log is taken to base 10; write ln for the natural logarithm")
        self.skip_blanks()
        self.result.operations += 1
        if self.text[self.place : self.place + 1] == "(":
            self.place += 1
            self.depths.append(name in _OF_SEVERAL)
            return self.emit(f"{name}(", value=False)
        self.emit(f"{name}(", value=False)
        self.argument()
        self.emit(")", value=True)
        self.skip_blanks()
        if self.text[self.place : self.place + 1] in ("^", "!") or self.text[self.place : self.place + 2] == "**":
            raise NotArithmeticError
        if self.place < len(self.text) and self.text[self.place] not in ")":
            self.result.notes.append(f"{name} is taken of the one value behind it; use brackets for more")

    def argument(self) -> None:
        """One signed value: a number with its unit, pi, or another function of one."""
        self.nesting += 1
        self.skip_blanks()
        if self.place >= len(self.text) or self.nesting > _MAXIMUM_NESTING:
            raise NotArithmeticError
        if self.text[self.place] in "-−":
            self.place += 1
            self.emit("-", value=False)
        before = len(self.result.pieces)
        self.step()
        if len(self.result.pieces) == before or not self.after_value:
            raise NotArithmeticError
        self.nesting -= 1


def unit_fallback(text: str) -> tuple[Unit, ...]:
    """Every reading of a text that is a unit and nothing else; none where it is not."""
    try:
        return unit_readings(text)
    except UnitError:
        return ()
