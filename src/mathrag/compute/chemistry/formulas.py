"""Chemical formulas as typed trees: `CaCO3`, `Ca(OH)2`, `CuSO4·5H2O`, `SO4^2-`. Strict: what is no formula of elements
is none, what could be two charges is refused. Knows no masses and no names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from mathrag.knowledge.elements import element_symbols

_LONGEST = 120
_DEEPEST = 5
# No substance that is written as a formula has a subscript or a charge of more digits.
_MOST_DIGITS = 4
_LARGEST_CHARGE = 9
_MOST_PORTIONS = 4

_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
SUBSCRIPTS_AS_DIGITS = {ord(sign): str(digit) for digit, sign in enumerate(_SUBSCRIPTS)}
_FROM_SUPERSCRIPT = {ord(sign): str(digit) for digit, sign in enumerate(_SUPERSCRIPTS)} | {
    ord("⁺"): "+",
    ord("⁻"): "-",
}
_TO_SUBSCRIPT = {ord(str(digit)): sign for digit, sign in enumerate(_SUBSCRIPTS)}
_TO_SUPERSCRIPT = {ord(str(digit)): sign for digit, sign in enumerate(_SUPERSCRIPTS)} | {ord("+"): "⁺", ord("-"): "⁻"}
_RAISED = re.compile(rf"[{_SUPERSCRIPTS}]*[⁺⁻]")
_LOWERED = re.compile(r"_(?:\{(\d+)\}|(\d+))")
_DOTS = re.compile(r"[·•*∙⋅.]")
_SIGNED = r"\d?[+-]|[+-]\d?"
_CHARGE = re.compile(rf"\^(?:\{{(?P<braced>{_SIGNED})\}}|\((?P<round>{_SIGNED})\)|(?P<plain>{_SIGNED}))$")
# Charges without a caret: the sign alone, or digits and a sign, which may be a subscript, a charge or both.
_BARE_CHARGE = re.compile(r"(?P<digits>\d*)(?P<sign>[+-])$")
_ENCLOSED = re.compile(r"\[.*\]|\([^()]*\)")
_ONE_ELEMENT = re.compile(r"[A-Z][a-z]?")
_TOKEN = re.compile(r"(?P<symbol>[A-Z][a-z]?)|(?P<open>[(\[])|(?P<close>[)\]])|(?P<number>\d+)")
_CLOSES = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class Atoms:
    """So many atoms of one element."""

    symbol: str
    number: int = 1


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that occur together, so many times; shown in parentheses within a formula."""

    parts: tuple[Part, ...]
    number: int = 1


Part: TypeAlias = Atoms | Group


@dataclass(frozen=True, slots=True)
class ChemicalFormula:
    """A formula: portions joined by dots (`CuSO4` and `5 H2O`), and the charge of the whole."""

    portions: tuple[Group, ...]
    charge: int = 0

    def __str__(self) -> str:
        """As people print it: `Ca(OH)₂`, `SO₄²⁻`."""
        if not self.portions:
            return "e⁻"
        body = "·".join(f"{'' if each.number == 1 else each.number}{_parts_text(each.parts)}" for each in self.portions)
        return body + charge_text(self.charge)


@dataclass(frozen=True, slots=True)
class ChemistryProblem:
    """Why something of chemistry has no reading or no result: a code for programs and a sentence for people.

    Codes: `ambiguous`, `too_large`, `unsolved`, `undefined` (an element without an atomic weight), `domain`.
    """

    code: str
    message: str


ELECTRON = ChemicalFormula((), -1)


def charge_text(charge: int) -> str:
    """`²⁻` for −2, nothing for 0."""
    size = "" if abs(charge) == 1 else str(abs(charge))
    return f"{size}{'+' if charge > 0 else '-'}".translate(_TO_SUPERSCRIPT) if charge else ""


def _parts_text(parts: tuple[Part, ...]) -> str:
    shown = []
    for part in parts:
        name = part.symbol if isinstance(part, Atoms) else f"({_parts_text(part.parts)})"
        shown.append(name + ("" if part.number == 1 else str(part.number).translate(_TO_SUBSCRIPT)))
    return "".join(shown)


@lru_cache(maxsize=512)
def read_chemical_formula(text: str) -> ChemicalFormula | ChemistryProblem | None:
    """The formula that a text is, all of it; None where it is none, a problem where it is one that cannot be used."""
    if text in ("e-", "e^-", "e⁻", "e^{-}"):
        return ELECTRON
    if not text or len(text) > _LONGEST or not (text[0].isupper() or text[0] in "(["):
        return None
    plain = _plain(text)
    charged = _without_charge(plain)
    if isinstance(charged, ChemistryProblem):
        # Only what is a formula otherwise has a charge that is not clear.
        is_formula = _portion(plain.rstrip("+-"), is_first=True) is not None
        return charged if is_formula else None
    body, charge = charged
    texts = _DOTS.split(body)
    if len(texts) > _MOST_PORTIONS:
        return None
    found = []
    for place, each in enumerate(texts):
        portion = _portion(each, is_first=place == 0)
        if not isinstance(portion, Group):
            return portion
        found.append(portion)
    return ChemicalFormula(tuple(found), charge)


def read_ion(text: str, charge: int) -> ChemicalFormula:
    """An ion of a table by its formula without the charge; with a charge of 0 that formula itself."""
    found = read_chemical_formula(f"{text}^{abs(charge)}{'+' if charge > 0 else '-'}" if charge else text)
    assert isinstance(found, ChemicalFormula), text
    return found


def _plain(text: str) -> str:
    """Subscripts as digits, raised signs behind a caret."""
    text = _RAISED.sub(lambda found: "^" + found[0].translate(_FROM_SUPERSCRIPT), text)
    text = text.replace("−", "-").replace("–", "-")
    return _LOWERED.sub(lambda found: found[1] or found[2], text).translate(SUBSCRIPTS_AS_DIGITS)


def _without_charge(text: str) -> tuple[str, int] | ChemistryProblem:
    marked = _CHARGE.search(text)
    if marked is not None:
        written = marked["braced"] or marked["round"] or marked["plain"]
        size = int(written.strip("+-") or 1)
        return text[: marked.start()], size if "+" in written else -size
    bare = _BARE_CHARGE.search(text)
    if bare is None:
        return text, 0
    sign = 1 if bare["sign"] == "+" else -1
    body, digits = text[: bare.start()], bare["digits"]
    if not digits:
        return body, sign
    if _ENCLOSED.fullmatch(body) is not None and len(digits) == 1:
        # What stands behind the brackets around a whole ion is its charge.
        return body, sign * int(digits)
    if _ONE_ELEMENT.fullmatch(body) is not None and len(digits) == 1:
        # Fe2+ is written for one ion of iron; O2- is written for three different things.
        if sign > 0:
            return body, int(digits)
        choices = f"{body}^{digits}- or {body}{digits}^-"
        return ChemistryProblem("ambiguous", f"{text} can mean {choices}; write the charge behind ^")
    if len(digits) == 1:
        return body + digits, sign
    if len(digits) == 2 and int(digits[1]) in range(2, _LARGEST_CHARGE):
        return body + digits[0], sign * int(digits[1])
    return ChemistryProblem("ambiguous", f"the charge of {text} is not clear; write it behind ^")


def _portion(text: str, *, is_first: bool) -> Group | ChemistryProblem | None:
    """One part of a formula between dots; behind a dot it may begin with how often it occurs."""
    leading = None if is_first else re.match(r"[1-9]\d{0,3}(?!\d)", text)
    stack = _Stack([[]], [])
    place = 0 if leading is None else leading.end()
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            return None
        place = token.end()
        problem = stack.take(token)
        if problem is not None:
            return problem if problem.message else None
    if stack.closing or not stack.parts[0]:
        return None
    return Group(tuple(stack.parts[0]), 1 if leading is None else int(leading[0]))


_NO_FORMULA = ChemistryProblem("", "")


@dataclass(frozen=True, slots=True)
class _Stack:
    """The groups that are open while a formula is read, the outermost first, and the signs that will close them."""

    parts: list[list[Part]]
    closing: list[str]

    def take(self, token: re.Match[str]) -> ChemistryProblem | None:
        """Add a token; a problem, without words where the text is no formula."""
        if token["symbol"]:
            self.parts[-1].append(Atoms(token["symbol"]))
            return None if token["symbol"] in element_symbols() else _NO_FORMULA
        if token["number"]:
            return _numbered(self.parts[-1], token["number"])
        if token["close"]:
            if not self.closing or self.closing.pop() != token["close"] or not self.parts[-1]:
                return _NO_FORMULA
            group = Group(tuple(self.parts.pop()))
            self.parts[-1].append(group)
            return None
        self.closing.append(_CLOSES[token["open"]])
        self.parts.append([])
        if len(self.closing) <= _DEEPEST:
            return None
        return ChemistryProblem("too_large", f"a formula has at most {_DEEPEST} parentheses within each other")


def _numbered(parts: list[Part], digits: str) -> ChemistryProblem | None:
    """Put a subscript behind the last part; a problem without words where none can stand here."""
    if not parts or parts[-1].number != 1 or digits.startswith("0"):
        return _NO_FORMULA
    if len(digits) > _MOST_DIGITS:
        return ChemistryProblem("too_large", f"no formula has a subscript of more than {_MOST_DIGITS} digits")
    last = parts.pop()
    parts.append(Atoms(last.symbol, int(digits)) if isinstance(last, Atoms) else Group(last.parts, int(digits)))
    return None


@lru_cache(maxsize=512)
def atom_counts(formula: ChemicalFormula) -> Mapping[str, int]:
    """How many atoms of each element a formula has, in the order in which they are written."""
    counts: dict[str, int] = {}
    pending: list[tuple[Part, int]] = [(each, 1) for each in reversed(formula.portions)]
    while pending:
        part, times = pending.pop()
        if isinstance(part, Atoms):
            counts[part.symbol] = counts.get(part.symbol, 0) + part.number * times
        else:
            pending.extend((inner, times * part.number) for inner in reversed(part.parts))
    return MappingProxyType(counts)


def is_element(formula: ChemicalFormula) -> bool:
    """Whether a formula has atoms of one element alone."""
    return len(atom_counts(formula)) == 1


def same_substance(one: ChemicalFormula, other: ChemicalFormula) -> bool:
    """Whether two formulas have the same atoms and charge, however they are written."""
    return dict(atom_counts(one)) == dict(atom_counts(other)) and one.charge == other.charge
